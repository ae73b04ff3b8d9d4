"""Boards of the grid games as SVG, drawn from `board_text()` and the names of the cells alone; as text: `rules.grid.text`.

A board whose rows are equally long is square (Thruway: columns a, b, ... from the west, rows 1, 2, ... from the north), any
other a hexagon (Meridians: rows a, b, ... from the bottom, points 1, 2, ... from the left).

Every part of a picture has a class besides its colour, so that a page may show it in the dark. A page that plays adds
`Offer`s: moves that show what they would do while they are pointed at, and are told by their `data-move`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Literal, NamedTuple

from rules.grid.text import is_square, letter

__all__ = ["Cell", "Offer", "Sign", "cells", "named", "svg"]

Sign = Literal["solid", "dispute", "dead", "gone", "picked"]
"""What a cell may be marked with: indestructible, in a dispute, without a path, just removed, chosen as half of a move."""

_FILLS = {"1": "#fcfbf7", "2": "#2f3437"}  # concrete and light, asphalt and dark
_EDGE, _GROUND, _LINE, _MARK, _INK = "#23272a", "#e4d6b2", "#ab9d79", "#d8432b", "#3b3a36"
_WARN, _PICK, _ADVISED = "#d07a12", "#1f7ac2", "#0b84a5"  # for marks of danger, for what is pointed at, for moves with numbers
_ROW = math.sqrt(3) / 2  # from one row of points to the next, in cell widths
_NEIGHBOURS = 1.1  # points nearer than this are neighbours
_SPACE = 'xmlns="http://www.w3.org/2000/svg"'
_MARGIN, _SCALE = 1.5, 40  # cell widths around the board; pixels a cell width


class Cell(NamedTuple):
    """A cell: its name, what lies on it (`.`, `1` or `2`), and the middle of it in cell widths, x to the right and y down."""

    name: str
    holds: str
    x: float
    y: float


class Offer(NamedTuple):
    """A move that a page lets people make: its text, what is said of it, and what the cells that it changes would hold.

    `sights` are pairs of cells that a line is drawn between; `chosen` shows it without being pointed at.
    """

    move: str
    label: str
    holds: Mapping[str, str]
    sights: Sequence[tuple[str, str]] = ()
    chosen: bool = False


def cells(board: str) -> list[Cell]:
    """The cells of a `board_text()`, row by row from the top."""
    return list(_cells(board))


@lru_cache(maxsize=64)
def _cells(board: str) -> list[Cell]:
    rows = board.split("/")
    if is_square(rows):
        return [Cell(f"{letter(x)}{y + 1}", holds, x, y) for y, row in enumerate(rows) for x, holds in enumerate(row)]
    longest = max(map(len, rows))
    return [
        Cell(f"{letter(len(rows) - 1 - y)}{x + 1}", holds, x + (longest - len(row)) / 2, y * _ROW)
        for y, row in enumerate(rows)
        for x, holds in enumerate(row)
    ]


def named(move: str) -> list[str]:
    """The cells that the text of a move names, in order."""
    return [part for part in re.split("[-/, ]+", move) if any(map(str.isdigit, part))]


def svg(
    board: str,
    marked: Collection[str] = (),
    title: str = "",
    *,
    signs: Mapping[str, Sign] | None = None,
    offers: Collection[Offer] = (),
    labels: Mapping[str, str] | None = None,
    ranked: Sequence[str] = (),
) -> str:
    """The board as a picture: one self-contained SVG text. Cells named in `marked` (the last move) carry a red mark.

    `labels`, what a screen reader says of each cell, make the cells focusable one by one (`data-cell`); `offers` lie above.
    `ranked` are moves that carry the numbers 1, 2, ... where they would be made.
    """
    every = cells(board)
    square = is_square(board.split("/"))
    width, height = max(cell.x for cell in every), max(cell.y for cell in every)
    box = f"{-_MARGIN:g} {-_MARGIN:g} {_short(width + 2 * _MARGIN)} {_short(height + 2 * _MARGIN)}"
    size = f'width="{_short(_SCALE * (width + 2 * _MARGIN))}" height="{_short(_SCALE * (height + 2 * _MARGIN))}"'
    role = "group" if labels else "img"
    parts = [
        f'<svg {_SPACE} viewBox="{box}" {size} role="{role}" font-family="sans-serif" font-size=".34">',
        f"<title>{escape(title or 'a board')}</title>",
        f'<rect class="ground" x="{-_MARGIN:g}" y="{-_MARGIN:g}" width="100%" height="100%" fill="{_GROUND}"/>',
        _under(tuple(map(len, board.split("/")))),
    ]
    draw = _tile if square else _stone
    for index, cell in enumerate(every):
        shown = draw(cell)
        if labels:
            shown = (
                f'<g class="cell" data-cell="{cell.name}" role="button" tabindex="{-1 if index else 0}" '
                f'aria-label="{escape(labels.get(cell.name, cell.name))}">{shown}</g>'
            )
        parts.append(shown)
        if signs and cell.name in signs:
            parts.append(_sign(cell, signs[cell.name]))
        if cell.name in marked:
            parts.append(_mark(cell))
    at = {cell.name: cell for cell in every}
    parts += [_offer(offer, at, draw) for offer in offers]
    parts += [mark for rank, move in reversed([*enumerate(ranked, 1)]) for mark in _rank(rank, move, at)]
    return "\n".join((*parts, "</svg>")) + "\n"


@lru_cache(maxsize=16)
def _under(rows: tuple[int, ...]) -> str:
    """What lies under the cells of a board with rows of these lengths: it never changes."""
    every = cells("/".join("." * count for count in rows))
    return "\n".join(_sides(every) if len(set(rows)) == 1 else _lattice(every))


def _sides(every: list[Cell]) -> Iterator[str]:
    last = max(cell.x for cell in every)
    for colour, x, y, across, down in (
        ("1", -0.8, -0.5, 0.18, last + 1),
        ("1", last + 0.62, -0.5, 0.18, last + 1),
        ("2", -0.5, -0.8, last + 1, 0.18),
        ("2", -0.5, last + 0.62, last + 1, 0.18),
    ):  # the sides that each colour joins
        yield (
            f'<rect class="holds{colour}" x="{_short(x)}" y="{_short(y)}" width="{_short(across)}" height="{_short(down)}" '
            f'rx=".05" fill="{_FILLS[colour]}" stroke="{_LINE}" stroke-width=".03"/>'
        )
    for n in range(int(last) + 1):
        yield _label(n, -1.1, letter(n))
        yield _label(-1.1, n, str(n + 1))


def _lattice(every: list[Cell]) -> Iterator[str]:
    for index, one in enumerate(every):
        for other in every[index + 1 :]:
            if _adjacent((one, other)):
                yield _between("line", one, other, _LINE, ".04")
    for row in {cell.name[0]: cell for cell in reversed(every)}.values():
        yield _label(row.x - 0.8, row.y, row.name[0])


@lru_cache(maxsize=8192)
def _tile(cell: Cell) -> str:
    fill, kind = _FILLS.get(cell.holds, _GROUND), f"holds{cell.holds}" if cell.holds in _FILLS else "empty"
    return (
        f'<rect class="{kind}" x="{_short(cell.x - 0.47)}" y="{_short(cell.y - 0.47)}" width=".94" height=".94" rx=".06" '
        f'fill="{fill}" stroke="{_LINE}" stroke-width=".03"><title>{cell.name}</title></rect>'
    )


@lru_cache(maxsize=8192)
def _stone(cell: Cell) -> str:
    radius, fill, line = (".44", _FILLS[cell.holds], _EDGE) if cell.holds in _FILLS else (".1", _LINE, "none")
    kind = f"holds{cell.holds}" if cell.holds in _FILLS else "point"
    return (
        f'<circle class="{kind}" cx="{_short(cell.x)}" cy="{_short(cell.y)}" r="{radius}" fill="{fill}" stroke="{line}" '
        f'stroke-width=".03"><title>{cell.name}</title></circle>'
    )


def _sign(cell: Cell, sign: Sign) -> str:
    x, y = cell.x, cell.y
    if sign == "solid":  # a rivet in each corner
        spots = [(x + dx, y + dy) for dx in (-0.33, 0.33) for dy in (-0.33, 0.33)]
        dots = "".join(f'<circle cx="{_short(a)}" cy="{_short(b)}" r=".055"/>' for a, b in spots)
        return f'<g class="solid" fill="#8a8577" pointer-events="none">{dots}</g>'
    if sign == "dispute":
        return (
            f'<rect class="dispute" x="{_short(x - 0.4)}" y="{_short(y - 0.4)}" width=".8" height=".8" rx=".06" fill="none" '
            f'stroke="{_WARN}" stroke-width=".06" stroke-dasharray=".16 .1" pointer-events="none"/>'
        )
    if sign == "picked":
        return (
            f'<circle class="picked" cx="{_short(x)}" cy="{_short(y)}" r=".4" fill="none" stroke="{_PICK}" stroke-width=".08" '
            'pointer-events="none"/>'
        )
    reach = 0.2 if sign == "dead" else 0.14
    cross = "".join(
        f"M{_short(x - reach)} {_short(y + d * reach)}L{_short(x + reach)} {_short(y - d * reach)}" for d in (-1, 1)
    )
    return f'<path class="{sign}" d="{cross}" fill="none" stroke="{_WARN}" stroke-width=".07" pointer-events="none"/>'


def _offer(offer: Offer, at: Mapping[str, Cell], draw: Callable[[Cell], str]) -> str:
    """What is pointed at (a pair: the diamond around the border of its two cells), and what is shown then."""
    places = [at[name] for name in offer.holds]
    if _adjacent(places):
        one, other = places
        mid, dx, dy = ((one.x + other.x) / 2, (one.y + other.y) / 2), other.x - one.x, other.y - one.y
        corners = ((one.x, one.y), (mid[0] + dy / 2, mid[1] + dx / 2), (other.x, other.y), (mid[0] - dy / 2, mid[1] - dx / 2))
        hit = f'<path d="M{"L".join(f"{_short(x)} {_short(y)}" for x, y in corners)}Z" fill="transparent"/>'
    else:
        hit = "".join(f'<circle cx="{_short(x)}" cy="{_short(y)}" r=".48" fill="transparent"/>' for _, _, x, y in places)
    lines = "".join(_between("sight", at[a], at[b], _PICK, ".07") for a, b in offer.sights)
    ghosts = "".join(draw(place._replace(holds=offer.holds[place.name])) for place in places)
    return (
        f'<g class="offer{" chosen" * offer.chosen}" data-move="{escape(offer.move)}">{hit}'
        f'<g class="ghost" pointer-events="none">{lines}{ghosts}</g><title>{escape(offer.label)}</title></g>'
    )


def _rank(rank: int, move: str, at: Mapping[str, Cell]) -> Iterator[str]:
    """The number of a move on the border of its two cells, or on each of its points; nothing for what is no place."""
    places = [at[name] for name in named(move) if name in at]
    spots = [(cell.x, cell.y) for cell in places]
    if _adjacent(places):
        (ax, ay), (bx, by) = spots
        spots = [((ax + bx) / 2, (ay + by) / 2)]
    for x, y in spots:
        yield (
            f'<g class="rank" data-rank="{rank}" pointer-events="none"><circle cx="{_short(x)}" cy="{_short(y)}" r=".25" '
            f'fill="{_ADVISED}" stroke="#ffffff" stroke-width=".05"/><text x="{_short(x)}" y="{_short(y)}" fill="#ffffff" '
            f'font-weight="700" text-anchor="middle" dominant-baseline="central">{rank}</text></g>'
        )


def _adjacent(places: Sequence[Cell]) -> bool:
    """Whether these are two neighbours."""
    return len(places) == 2 and math.hypot(places[0].x - places[1].x, places[0].y - places[1].y) < _NEIGHBOURS


def _between(kind: str, one: Cell, other: Cell, colour: str, width: str) -> str:
    ends = f"M{_short(one.x)} {_short(one.y)}L{_short(other.x)} {_short(other.y)}"
    return f'<path class="{kind}" d="{ends}" stroke="{colour}" stroke-width="{width}"/>'


def _mark(cell: Cell) -> str:
    place = f'cx="{_short(cell.x)}" cy="{_short(cell.y)}"'
    return f'<circle class="last" {place} r=".14" fill="{_MARK}" pointer-events="none"/>'


def _label(x: float, y: float, text: str) -> str:
    place = f'x="{_short(x)}" y="{_short(y)}"'
    return f'<text class="ink" {place} fill="{_INK}" text-anchor="middle" dominant-baseline="central">{text}</text>'


@lru_cache(maxsize=8192)
def _short(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")
