"""A drawing of a noted table from above, as SVG: roads by height, discs, cars, buildings, ids, and
a ruler. North (+y) is up.
"""

import math
from collections.abc import Iterator
from html import escape

from sim.bodies import Body, Box, rotate
from sim.game import bodies
from sim.referee import Table

_INKS = ("#1f6fb2", "#b23a6f", "#3a8f3a", "#a67c00")
_GREY, _YELLOW, _WOOD = "#9a9a9a", "#f2c230", "#e9dcc3"
_EDGE = 25.0  # mm of empty table around the pieces


def svg(table: Table, title: str, *, lit: str | None = None, inks: tuple[str, ...] = _INKS) -> str:
    """The drawing; one mm is two units. The piece `lit` stands out; `inks` are the colours of the
    seats.
    """
    pieces = sorted(bodies(table), key=lambda body: body.pose.at[2])
    points = [body.pose.at[:2] for body in pieces] or [(0.0, 0.0)]
    reach = table.components.road_length / 2 + _EDGE
    left, right = min(x for x, _ in points) - reach, max(x for x, _ in points) + reach
    low, high = min(y for _, y in points) - reach, max(y for _, y in points) + reach
    wide, tall = right - left, high - low
    box = f"{left:.0f} {-high:.0f} {wide:.0f} {tall:.0f}"
    size = f'width="{2 * wide:.0f}" height="{2 * tall:.0f}"'
    ground = f'x="{left:.0f}" y="{-high:.0f}" width="{wide:.0f}" height="{tall:.0f}"'
    font = 'font-family="sans-serif" font-size="7"'
    x, y = left + 10, -low - 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} {font} role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect {ground} fill="#fbf8f2"/>',
        *(_piece(body, inks, lit=body.id == lit) for body in pieces),
        *_ids(table, inks),
        f'<path d="M {x:.0f} {y:.0f} h 100" stroke="#444"/>',
        f'<text x="{x:.0f}" y="{y - 3:.0f}" fill="#444">10 cm</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _piece(body: Body, inks: tuple[str, ...], *, lit: bool) -> str:
    x, y, _ = body.pose.at
    ink = "#666" if body.owner is None else inks[body.owner]
    if not isinstance(body.shape, Box):
        fill = _WOOD if body.kind == "building" else _YELLOW if body.junction else _GREY
        return (
            f'<circle cx="{x:.2f}" cy="{-y:.2f}" r="{body.shape.radius:.2f}" fill="{fill}" '
            f'stroke="{ink}"/>'
        )
    ux, uy, _ = rotate(body.pose.quat, (1.0, 0.0, 0.0))
    turn = -math.degrees(math.atan2(uy, ux))
    long, wide, _ = body.shape.size
    fill = ink if body.kind == "car" or lit else _WOOD
    return (
        f'<rect x="{-long / 2:.2f}" y="{-wide / 2:.2f}" width="{long:.2f}" height="{wide:.2f}" '
        f'transform="translate({x:.2f} {-y:.2f}) rotate({turn:.2f})" fill="{fill}" '
        f'stroke="{ink}" stroke-width="0.7"/>'
    )


def _ids(table: Table, inks: tuple[str, ...]) -> Iterator[str]:
    for pillar in table.pillars:
        yield _text(table.top(pillar), pillar.id, inks[pillar.owner])
    for road, line in zip(table.roads, table.lines, strict=True):
        middle = ((line.start[0] + line.end[0]) / 2, (line.start[1] + line.end[1]) / 2)
        yield _text(middle, road.id, "#333")
    for building in table.buildings:
        yield _text(building.at, building.id, "#333")


def _text(at: tuple[float, float], text: str, ink: str) -> str:
    return (
        f'<text x="{at[0]:.1f}" y="{-at[1] + 2.5:.1f}" text-anchor="middle" fill="{ink}" '
        f'stroke="#fff" stroke-width="1.5" paint-order="stroke">{text}</text>'
    )
