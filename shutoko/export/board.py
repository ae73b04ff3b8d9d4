"""Boards as SVG, drawn from the `rules.view.BoardView` of any game. `rules.view` draws boards
as text.

Every part of a picture has a class besides its colour, so that a page can show it in the dark. A
page that plays adds `Offer`s: moves that show their effect while one points at them. Their
`data-move` names the move.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from importlib import import_module
from typing import Any

from rules.errors import InputError, UnavailableError
from rules.view import BoardView, Border, Cell, Label, Offer
from sim.installing import install

# of the first colour (concrete, light), the second (asphalt, dark), ...
_FILLS = (
    "#fcfbf7",
    "#2f3437",
    "#a8483a",
    "#3d6f94",
)
_EDGE, _GROUND, _LINE, _MARK, _INK = "#23272a", "#e4d6b2", "#ab9d79", "#d8432b", "#3b3a36"
# for marks of danger, for what is pointed at, for moves with numbers
_WARN, _PICK, _ADVISED = (
    "#d07a12",
    "#1f7ac2",
    "#0b84a5",
)
_WON = f'fill="none" stroke="{_ADVISED}" stroke-width=".2" stroke-linejoin="round"'
_NEIGHBOURS = 1.1  # cells nearer than this are neighbours
_SPACE = 'xmlns="http://www.w3.org/2000/svg"'
_MARGIN, _SCALE = 1.5, 40  # cell widths around the board; pixels a cell width

Place = tuple[str, float, float]
"""The name of a cell and its middle."""
Drawer = Callable[[Place, "int | None"], str]
"""Draws a cell with what it holds."""


def svg(
    view: BoardView,
    title: str = "",
    *,
    marks: bool = False,
    picked: str | None = None,
    offers: Collection[Offer] = (),
    say: Callable[[Offer], str] = lambda offer: offer.move,
    labels: Mapping[str, str] | None = None,
    ranked: Sequence[Collection[str]] = (),
    path: Sequence[str] = (),
) -> str:
    """The board as a picture: one self-contained SVG text. The cells of the last move carry a red
    mark.

    With `marks` it shows what the rules say of cells (`Cell.sign`). `picked` is a cell that is
    chosen as half of a move. `labels`, what a screen reader says of each cell, make the cells
    focusable one by one (`data-cell`); `offers` lie above, and `say` gives the words for one.
    `ranked` are the cells of moves that carry the numbers 1, 2, ... where they would be made. A
    line joins the cells of a `path`, as those that won.

    Raises InputError for a board with more colours than a drawing has.
    """
    most = max((cell.holds for cell in view.cells if cell.holds is not None), default=0)
    if most >= len(_FILLS):
        raise InputError(f"a drawing has {len(_FILLS)} colours, but this board has {most + 1}")
    width, height = max(cell.x for cell in view.cells), max(cell.y for cell in view.cells)
    box = f"{-_MARGIN:g} {-_MARGIN:g} {_short(width + 2 * _MARGIN)} {_short(height + 2 * _MARGIN)}"
    size = (
        f'width="{_short(_SCALE * (width + 2 * _MARGIN))}" '
        f'height="{_short(_SCALE * (height + 2 * _MARGIN))}"'
    )
    role = "group" if labels else "img"
    at = {cell.name: (cell.name, cell.x, cell.y) for cell in view.cells}
    draw: Drawer = _tile if view.shape == "tiles" else _stone
    parts = [
        (
            f'<svg {_SPACE} viewBox="{box}" {size} role="{role}" font-family="sans-serif" '
            'font-size=".34">'
        ),
        f"<title>{escape(title or 'a board')}</title>",
        (
            f'<rect class="ground" x="{-_MARGIN:g}" y="{-_MARGIN:g}" width="100%" height="100%" '
            f'fill="{_GROUND}"/>'
        ),
        _under(tuple((at[one], at[other]) for one, other in view.lines), view.borders, view.labels),
    ]
    for index, cell in enumerate(view.cells):
        shown = draw(at[cell.name], cell.holds)
        if labels:
            shown = (
                f'<g class="cell" data-cell="{escape(cell.name)}" role="button" '
                f'tabindex="{-1 if index else 0}" '
                f'aria-label="{escape(labels.get(cell.name, cell.name))}">{shown}</g>'
            )
        parts.append(shown)
        sign = "picked" if cell.name == picked else cell.sign if marks else ""
        if sign:
            parts.append(_sign(cell, sign))
        if cell.name in view.last:
            parts.append(_mark(cell))
    parts += [_offer(offer, say(offer), at, draw) for offer in offers]
    parts += [
        mark for rank, names in reversed([*enumerate(ranked, 1)]) for mark in _rank(rank, names, at)
    ]
    if path:
        points = " ".join(f"{_short(x)},{_short(y)}" for _, x, y in (at[name] for name in path))
        parts.append(f'<polyline class="won" points="{points}" {_WON}/>')
    return "\n".join((*parts, "</svg>")) + "\n"


def raster(drawing: str) -> bytes:
    """A drawing as a PNG file. Raises UnavailableError, with the command that installs it, if
    resvg-py is missing.
    """
    render: Callable[..., bytes] = check_installed().svg_to_bytes
    return bytes(render(svg_string=drawing))


def check_installed() -> Any:
    """The package resvg_py. Raises UnavailableError, with the command that installs it, if it is
    missing.
    """
    try:
        return import_module("resvg_py")
    except ImportError as error:
        raise UnavailableError(
            f"pictures of boards need the package resvg-py: {install('export')}"
        ) from error


@lru_cache(maxsize=16)
def _under(
    lines: tuple[tuple[Place, Place], ...], borders: tuple[Border, ...], labels: tuple[Label, ...]
) -> str:
    """What lies under the cells of a board: it hardly ever changes."""
    return "\n".join(
        (
            *(_border(border) for border in borders),
            *(_between("line", one, other, _LINE, ".04") for one, other in lines),
            *(_label(label) for label in labels),
        )
    )


def _border(border: Border) -> str:
    return (
        f'<rect class="holds{border.holds + 1}" x="{_short(border.x)}" y="{_short(border.y)}" '
        f'width="{_short(border.width)}" height="{_short(border.height)}" '
        f'rx=".05" fill="{_FILLS[border.holds]}" stroke="{_LINE}" stroke-width=".03"/>'
    )


@lru_cache(maxsize=8192)
def _tile(place: Place, holds: int | None) -> str:
    name, x, y = place
    fill, kind = (_GROUND, "empty") if holds is None else (_FILLS[holds], f"holds{holds + 1}")
    return (
        f'<rect class="{kind}" x="{_short(x - 0.47)}" y="{_short(y - 0.47)}" width=".94" '
        'height=".94" rx=".06" '
        f'fill="{fill}" stroke="{_LINE}" stroke-width=".03"><title>{escape(name)}</title></rect>'
    )


@lru_cache(maxsize=8192)
def _stone(place: Place, holds: int | None) -> str:
    name, x, y = place
    radius, fill, line = (".1", _LINE, "none") if holds is None else (".44", _FILLS[holds], _EDGE)
    kind = "point" if holds is None else f"holds{holds + 1}"
    return (
        f'<circle class="{kind}" cx="{_short(x)}" cy="{_short(y)}" r="{radius}" fill="{fill}" '
        f'stroke="{line}" '
        f'stroke-width=".03"><title>{escape(name)}</title></circle>'
    )


def _sign(cell: Cell, sign: str) -> str:
    x, y = cell.x, cell.y
    if sign == "solid":  # a rivet in each corner
        spots = [(x + dx, y + dy) for dx in (-0.33, 0.33) for dy in (-0.33, 0.33)]
        dots = "".join(f'<circle cx="{_short(a)}" cy="{_short(b)}" r=".055"/>' for a, b in spots)
        return f'<g class="solid" fill="#8a8577" pointer-events="none">{dots}</g>'
    if sign == "dispute":
        return (
            f'<rect class="dispute" x="{_short(x - 0.4)}" y="{_short(y - 0.4)}" width=".8" '
            'height=".8" rx=".06" fill="none" '
            f'stroke="{_WARN}" stroke-width=".06" stroke-dasharray=".16 .1" pointer-events="none"/>'
        )
    if sign == "picked":
        return (
            f'<circle class="picked" cx="{_short(x)}" cy="{_short(y)}" r=".4" fill="none" '
            f'stroke="{_PICK}" stroke-width=".08" '
            'pointer-events="none"/>'
        )
    reach = 0.2 if sign == "dead" else 0.14
    cross = "".join(
        f"M{_short(x - reach)} {_short(y + d * reach)}L{_short(x + reach)} {_short(y - d * reach)}"
        for d in (-1, 1)
    )
    return (
        f'<path class="{sign}" d="{cross}" fill="none" stroke="{_WARN}" stroke-width=".07" '
        'pointer-events="none"/>'
    )


def _offer(offer: Offer, told: str, at: Mapping[str, Place], draw: Drawer) -> str:
    """What is pointed at (a pair: the diamond around the border of its two cells), and what is
    shown then.
    """
    places = [at[name] for name in offer.holds]
    if _adjacent(places):
        (_, ax, ay), (_, bx, by) = places
        x, y, dx, dy = (ax + bx) / 2, (ay + by) / 2, bx - ax, by - ay
        corners = ((ax, ay), (x + dy / 2, y + dx / 2), (bx, by), (x - dy / 2, y - dx / 2))
        hit = (
            f'<path d="M{"L".join(f"{_short(x)} {_short(y)}" for x, y in corners)}Z" '
            'fill="transparent"/>'
        )
    else:
        hit = "".join(
            f'<circle cx="{_short(x)}" cy="{_short(y)}" r=".48" fill="transparent"/>'
            for _, x, y in places
        )
    lines = "".join(_between("sight", at[a], at[b], _PICK, ".07") for a, b in offer.sights)
    ghosts = "".join(draw(place, offer.holds[place[0]]) for place in places)
    return (
        f'<g class="offer{" chosen" * offer.chosen}" data-move="{escape(offer.move)}">{hit}'
        '<g class="ghost" '
        f'pointer-events="none">{lines}{ghosts}</g><title>{escape(told)}</title></g>'
    )


def _rank(rank: int, names: Collection[str], at: Mapping[str, Place]) -> Iterator[str]:
    """The number of a move on the border of its two cells, or on each of its points; nothing for
    what is no place.
    """
    places = [at[name] for name in names if name in at]
    spots = [(x, y) for _, x, y in places]
    if _adjacent(places):
        (ax, ay), (bx, by) = spots
        spots = [((ax + bx) / 2, (ay + by) / 2)]
    for x, y in spots:
        yield (
            f'<g class="rank" data-rank="{rank}" pointer-events="none"><circle cx="{_short(x)}" '
            f'cy="{_short(y)}" r=".25" '
            f'fill="{_ADVISED}" stroke="#ffffff" stroke-width=".05"/><text x="{_short(x)}" '
            f'y="{_short(y)}" fill="#ffffff" '
            f'font-weight="700" text-anchor="middle" dominant-baseline="central">{rank}</text></g>'
        )


def _adjacent(places: Sequence[Place]) -> bool:
    """Whether these are two neighbours."""
    return (
        len(places) == 2
        and math.hypot(places[0][1] - places[1][1], places[0][2] - places[1][2]) < _NEIGHBOURS
    )


def _between(kind: str, one: Place, other: Place, colour: str, width: str) -> str:
    ends = f"M{_short(one[1])} {_short(one[2])}L{_short(other[1])} {_short(other[2])}"
    return f'<path class="{kind}" d="{ends}" stroke="{colour}" stroke-width="{width}"/>'


def _mark(cell: Cell) -> str:
    place = f'cx="{_short(cell.x)}" cy="{_short(cell.y)}"'
    return f'<circle class="last" {place} r=".14" fill="{_MARK}" pointer-events="none"/>'


def _label(label: Label) -> str:
    place = f'x="{_short(label.x)}" y="{_short(label.y)}"'
    return (
        f'<text class="ink" {place} fill="{_INK}" text-anchor="middle" '
        f'dominant-baseline="central">{escape(label.text)}</text>'
    )


@lru_cache(maxsize=8192)
def _short(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")
