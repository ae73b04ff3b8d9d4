"""What people see of a position: a board of cells, or bodies in space. Plain data: the code that
draws it knows no game.

A game's own `view(state, before, last)` gives one of the two; `rules.defaults.view` makes one of
`board_text()` for all others. Positions are in cell widths, x to the right and y down, from the
middle of the cell at the upper left of a square board.

Notebooks show our values as tables of text and pictures. A package that can draw registers entry
points, so that this one needs no drawing code. The objects of the group `shutoko.pictures` are
`board(game, state)`, which returns an SVG text, and `table(table)`, which returns a PNG.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from importlib.metadata import entry_points
from typing import Any, Literal, TypeAlias

from rules.errors import UnavailableError

Sign = Literal["", "solid", "dispute", "dead", "gone"]
"""What a cell may be marked with: nothing, indestructible, in a dispute, without a path, just
removed.
"""

SIGNS: tuple[Sign, ...] = ("solid", "dispute", "dead", "gone")
"""The kinds of marks."""

Shape = Literal["tiles", "points"]
"""Squares that hold tiles, or points that hold stones."""

_ROW = math.sqrt(3) / 2  # from one row of points to the next, in cell widths
_BETWEEN = re.compile("[-/, ]+")
_NEIGHBOURS = 1.1  # points nearer than this are joined by a line


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its name in moves, its middle, what it holds (None, or the number of a colour: 0
    first, 1 second), its mark.
    """

    name: str
    x: float
    y: float
    holds: int | None = None
    sign: Sign = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A text beside the board, as the letter of a row; x and y are its middle."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Border:
    """A bar in a colour along a side of the board that this colour joins; x and y are its upper
    left corner.
    """

    holds: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board of cells in reading order. `lines` join cells by their names; `last` names the cells
    of the last move.
    """

    cells: tuple[Cell, ...]
    shape: Shape
    lines: tuple[tuple[str, str], ...] = ()
    labels: tuple[Label, ...] = ()
    borders: tuple[Border, ...] = ()
    last: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SceneView:
    """Pieces in space; `bodies` are as `sim.bodies.Body`."""

    bodies: tuple[Any, ...]


View: TypeAlias = BoardView | SceneView
"""What a position looks like."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A move that is a place on the board.

    `about` says what it does: a key in the catalogue of sentences, and the values for that
    sentence. A key that is in no catalogue is taken as an English sentence, with its values in
    {braces}. A value `colour` is the number of a colour; readers see its name. `holds` is what each
    cell of the move would hold after it; `sights` are pairs of cells that a line is drawn between.
    `chosen` shows the move without being pointed at. A `part` is only the beginning of a move: its
    `move` is the text of what is picked so far, and `offers(made, state, picked=move)` tells how it
    goes on.
    """

    move: str
    about: tuple[str, Mapping[str, Any]]
    holds: Mapping[str, int | None] = field(hash=False)
    sights: tuple[tuple[str, str], ...] = ()
    chosen: bool = False
    part: bool = False


def cells_named(move: str) -> tuple[str, ...]:
    """The parts of a move's text that have a digit, in order: `e5-f5` names `e5` and `f5`, `pass`
    nothing.
    """
    return tuple(part for part in _BETWEEN.split(move) if any(map(str.isdigit, part)))


def board_view(
    board: str,
    signs: Mapping[str, Sign] | None = None,
    last: Sequence[str] = (),
    borders: tuple[Border, ...] = (),
) -> BoardView:
    """The view of a `board_text()`: rows that are equally long are a square of tiles, any others a
    hexagon of points.

    Columns of a square are letters from the west, its rows numbers from the north; rows of a
    hexagon are letters from the bottom, its points numbers from the left. `signs` are the marks by
    the names of cells.
    """
    empty = _empty(tuple(map(len, board.split("/"))))
    held = board.replace("/", "")
    marks = signs or {}
    cells = tuple(
        Cell(
            cell.name,
            cell.x,
            cell.y,
            None if holds == "." else int(holds) - 1,
            marks.get(cell.name, ""),
        )
        for cell, holds in zip(empty.cells, held, strict=True)
    )
    return BoardView(cells, empty.shape, empty.lines, empty.labels, borders, tuple(last))


@lru_cache(maxsize=32)
def _empty(rows: tuple[int, ...]) -> BoardView:
    """The empty board with rows of these lengths."""
    if is_square(["." * length for length in rows]):
        return _square(rows)
    longest = max(rows)
    cells = tuple(
        Cell(f"{letter(len(rows) - 1 - y)}{x + 1}", x + (longest - length) / 2, y * _ROW)
        for y, length in enumerate(rows)
        for x in range(length)
    )
    lines = tuple(
        (one.name, other.name)
        for index, one in enumerate(cells)
        for other in cells[index + 1 :]
        if math.hypot(one.x - other.x, one.y - other.y) < _NEIGHBOURS
    )
    return BoardView(cells, "points", lines, tuple(_around(cells, rows)))


def _around(cells: Sequence[Cell], rows: tuple[int, ...]) -> Iterator[Label]:
    """The letter of each row at its left end, and the numbers of points: below the lowest row,
    above the highest, and at the right ends of the rows between.
    """
    for cell in reversed(cells):
        if cell.name[1:] == "1":
            yield Label(cell.x - 0.8, cell.y, cell.name[0])
    start = 0
    for y, length in enumerate(rows):
        row = cells[start : start + length]
        start += length
        if y not in (0, len(rows) - 1):
            yield Label(row[-1].x + 0.8, row[-1].y, row[-1].name[1:])
            continue
        below = 1 if y else -1
        yield from (Label(cell.x + 0.4, cell.y + below * 0.7, cell.name[1:]) for cell in row)


def _square(rows: tuple[int, ...]) -> BoardView:
    width, height = rows[0], len(rows)
    cells = tuple(Cell(f"{letter(x)}{y + 1}", x, y) for y in range(height) for x in range(width))
    labels = []
    for n in range(max(width, height)):
        labels += [Label(n, -1.1, letter(n))] * (n < width) + [Label(-1.1, n, str(n + 1))] * (
            n < height
        )
    return BoardView(cells, "tiles", labels=tuple(labels))


# --- a board as text, for the terminal ------------------------------------------------------------


_SIGNS, _MARKED = {".": ".", "1": "o", "2": "x"}, {".": "*", "1": "O", "2": "X"}


def drawn(board: str, marked: Collection[str] = ()) -> str:
    """The board for a terminal: `o` the first colour, `x` the second, `.` empty; cells in `marked`
    as `O`, `X` and `*`.
    """
    rows = board.split("/")
    square, longest = is_square(rows), max(map(len, rows))
    lines = [f"    {' '.join(letter(x) for x in range(longest))}"] if square else []
    for y, row in enumerate(rows):
        label = str(y + 1) if square else letter(len(rows) - 1 - y)
        names = [f"{letter(x)}{label}" if square else f"{label}{x + 1}" for x in range(len(row))]
        signs = (_MARKED if name in marked else _SIGNS for name in names)
        told = " ".join(sign[holds] for sign, holds in zip(signs, row, strict=True))
        lines.append(f"{label:>3} {'' if square else ' ' * (longest - len(row))}{told}")
    return "\n".join(lines)


def is_square(rows: Sequence[str]) -> bool:
    """Whether these are the rows of a square board."""
    return len({len(row) for row in rows}) == 1


def letter(index: int) -> str:
    """The letter of a row or column, counted from 0."""
    return "abcdefghijklmnopqrstuvwxyz"[index]


# --- what notebooks show --------------------------------------------------------------------------

GROUP = "shutoko.pictures"
"""The entry point group in which drawers are found."""


def picture(kind: str, *what: Any) -> Any:
    """The picture of that kind, None if nobody can draw it here: a notebook then shows the text."""
    for point in entry_points(group=GROUP):
        if point.name == kind:
            try:
                return point.load()(*what)
            except (ImportError, UnavailableError):
                return None
    return None


def tabled(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as HTML, with a title."""
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        f"<p><strong>{escape(title)}</strong></p>"
        f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"
    )


def listed(lines: Iterable[str]) -> str:
    """Lines as an HTML list."""
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"
