"""Boards of the grid games as text for a terminal and as SVG, drawn from `board_text()` and the names of the cells alone.

A board whose rows are equally long is square (Thruway: columns a, b, ... from the west, rows 1, 2, ... from the north), any
other a hexagon (Meridians: rows a, b, ... from the bottom, points 1, 2, ... from the left).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from html import escape
from itertools import islice
from typing import NamedTuple

__all__ = ["Cell", "cells", "drawn", "svg"]

_FILLS = {"1": "#fcfbf7", "2": "#2f3437"}  # concrete and light, asphalt and dark
_EDGE, _GROUND, _LINE, _MARK, _INK = "#23272a", "#e4d6b2", "#ab9d79", "#d8432b", "#3b3a36"
_SIGNS, _MARKED = {".": ".", "1": "o", "2": "x"}, {".": "*", "1": "O", "2": "X"}
_ROW = math.sqrt(3) / 2  # from one row of points to the next, in cell widths
_NEIGHBOURS = 1.1  # points nearer than this are neighbours
_MARGIN, _SCALE = 1.5, 40  # cell widths around the board; pixels a cell width


class Cell(NamedTuple):
    """A cell: its name, what lies on it (`.`, `1` or `2`), and the middle of it in cell widths, x to the right and y down."""

    name: str
    holds: str
    x: float
    y: float


def cells(board: str) -> list[Cell]:
    """The cells of a `board_text()`, row by row from the top."""
    rows = board.split("/")
    if _is_square(rows):
        return [Cell(f"{_letter(x)}{y + 1}", holds, x, y) for y, row in enumerate(rows) for x, holds in enumerate(row)]
    longest = max(map(len, rows))
    return [
        Cell(f"{_letter(len(rows) - 1 - y)}{x + 1}", holds, x + (longest - len(row)) / 2, y * _ROW)
        for y, row in enumerate(rows)
        for x, holds in enumerate(row)
    ]


def drawn(board: str, marked: Collection[str] = ()) -> str:
    """The board for a terminal: `o` the first colour, `x` the second, `.` empty; cells in `marked` as `O`, `X` and `*`."""
    rows = board.split("/")
    square, longest = _is_square(rows), max(map(len, rows))
    waiting = iter(cells(board))
    lines = [f"    {' '.join(_letter(x) for x in range(longest))}"] if square else []
    for y, row in enumerate(rows):
        label = str(y + 1) if square else _letter(len(rows) - 1 - y)
        signs = (_MARKED if cell.name in marked else _SIGNS for cell in islice(waiting, len(row)))
        told = " ".join(sign[holds] for sign, holds in zip(signs, row, strict=True))
        lines.append(f"{label:>3} {'' if square else ' ' * (longest - len(row))}{told}")
    return "\n".join(lines)


def svg(board: str, marked: Collection[str] = (), title: str = "") -> str:
    """The board as a picture: one self-contained SVG text. Cells named in `marked` (the last move) carry a red mark."""
    every = cells(board)
    square = _is_square(board.split("/"))
    width, height = max(cell.x for cell in every), max(cell.y for cell in every)
    box = f"{-_MARGIN:g} {-_MARGIN:g} {_short(width + 2 * _MARGIN)} {_short(height + 2 * _MARGIN)}"
    size = f'width="{_short(_SCALE * (width + 2 * _MARGIN))}" height="{_short(_SCALE * (height + 2 * _MARGIN))}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} role="img" font-family="sans-serif" font-size=".34">',
        f"<title>{escape(title or 'a board')}</title>",
        f'<rect x="{-_MARGIN:g}" y="{-_MARGIN:g}" width="100%" height="100%" fill="{_GROUND}"/>',
        *(_square_parts(every, marked) if square else _hexagon_parts(every, marked)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _square_parts(every: list[Cell], marked: Collection[str]) -> Iterator[str]:
    last = max(cell.x for cell in every)
    for colour, x, y, across, down in (
        ("1", -0.8, -0.5, 0.18, last + 1),
        ("1", last + 0.62, -0.5, 0.18, last + 1),
        ("2", -0.5, -0.8, last + 1, 0.18),
        ("2", -0.5, last + 0.62, last + 1, 0.18),
    ):  # the sides that each colour joins
        yield (
            f'<rect x="{_short(x)}" y="{_short(y)}" width="{_short(across)}" height="{_short(down)}" rx=".05" '
            f'fill="{_FILLS[colour]}" stroke="{_LINE}" stroke-width=".03"/>'
        )
    for n in range(int(last) + 1):
        yield _label(n, -1.1, _letter(n))
        yield _label(-1.1, n, str(n + 1))
    for cell in every:
        fill = _FILLS.get(cell.holds, _GROUND)
        yield (
            f'<rect x="{_short(cell.x - 0.47)}" y="{_short(cell.y - 0.47)}" width=".94" height=".94" rx=".06" '
            f'fill="{fill}" stroke="{_LINE}" stroke-width=".03"><title>{cell.name}</title></rect>'
        )
        if cell.name in marked:
            yield _mark(cell)


def _hexagon_parts(every: list[Cell], marked: Collection[str]) -> Iterator[str]:
    for index, one in enumerate(every):
        for other in every[index + 1 :]:
            if math.hypot(one.x - other.x, one.y - other.y) < _NEIGHBOURS:
                yield (
                    f'<path d="M{_short(one.x)} {_short(one.y)}L{_short(other.x)} {_short(other.y)}" '
                    f'stroke="{_LINE}" stroke-width=".04"/>'
                )
    for row in {cell.name[0]: cell for cell in reversed(every)}.values():
        yield _label(row.x - 0.8, row.y, row.name[0])
    for cell in every:
        radius, fill, line = (".44", _FILLS[cell.holds], _EDGE) if cell.holds != "." else (".1", _LINE, "none")
        yield (
            f'<circle cx="{_short(cell.x)}" cy="{_short(cell.y)}" r="{radius}" fill="{fill}" stroke="{line}" '
            f'stroke-width=".03"><title>{cell.name}</title></circle>'
        )
        if cell.name in marked:
            yield _mark(cell)


def _mark(cell: Cell) -> str:
    return f'<circle cx="{_short(cell.x)}" cy="{_short(cell.y)}" r=".14" fill="{_MARK}"/>'


def _label(x: float, y: float, text: str) -> str:
    place = f'x="{_short(x)}" y="{_short(y)}"'
    return f'<text {place} fill="{_INK}" text-anchor="middle" dominant-baseline="central">{text}</text>'


def _short(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")


def _is_square(rows: list[str]) -> bool:
    return len({len(row) for row in rows}) == 1


def _letter(index: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[index]
