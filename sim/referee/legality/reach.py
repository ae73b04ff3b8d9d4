"""Reach: how a road lies on discs, and which distances it can span (rules 4a, 4i). It depends only
on the sizes of the pieces.

The same functions measure the faults of one placement and screen thousands of placements.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.pieces import Components
from sim.referee.legality import footprints
from sim.referee.legality.footprints import SLACK, Strips

__all__ = [
    "BEARING",
    "STEEPEST",
    "Ends",
    "Sizes",
    "ends_of",
    "fits",
    "reach",
    "sizes_of",
    "straight_roads",
]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

BEARING = 2.5
"""How many mm of a road's end must rest on its disc, at least (rules 4a)."""

_STEP = 0.05  # mm from one distance to the next that `reach` tries
STEEPEST = 1.0
"""Rise over run of the line from pillar top to pillar top, axis to axis: 45 degrees (rules 4i)."""

_LEANS = (
    4.0  # rise over run: no road that keeps to STEEPEST lies steeper than this on discs of any box
)


class Sizes(NamedTuple):
    """The sizes of a box of pieces that decide how far a road reaches, in mm."""

    road_length: float
    road_width: float
    road_thickness: float
    disc_radius: float
    disc_height: float


class Ends(NamedTuple):
    """How n roads lie on k pillars each. In mm, with shape (n, k): how far an end sticks `out` past
    the rim, the length of it that `bears` on the disc (below 0: how far it ends short of the rim),
    and by how much its middle is too far `aside` of the axis. `steep`, of shape (n,), says which
    roads rise more than they run from axis to axis (rules 4i), or lie at no slope.
    """

    out: Floats
    bears: Floats
    aside: Floats
    steep: Bools


def reach(box: Components, rise: int) -> tuple[float, float] | None:
    """The least and the greatest distance in mm between the axes of two pillars that one road can
    span, laid from axis to axis without a slide (rules 4a, 4i); None if no road can. The pillars
    differ by `rise` discs in height.
    """
    return _reach(sizes_of(box), abs(rise))


@lru_cache(maxsize=1024)
def _reach(sizes: Sizes, rise: int) -> tuple[float, float] | None:
    def joins(distances: Floats) -> Bools:
        n = len(distances)
        start, levels = np.zeros((n, 2)), np.tile([0.0, float(rise)], (n, 1))
        end = np.stack([distances, np.zeros(n)], axis=-1)
        return fits(
            ends_of(
                sizes,
                straight_roads(sizes, start, end, levels),
                np.stack([start, end], axis=1),
                levels,
            )
        )

    def edge(inside: float, outside: float) -> float:
        for _ in range(40):
            middle = (inside + outside) / 2
            inside, outside = (
                (middle, outside) if joins(np.array([middle]))[0] else (inside, middle)
            )
        return inside

    tried = np.arange(_STEP, sizes.road_length + 4 * sizes.disc_radius, _STEP)
    (found,) = np.nonzero(joins(tried))
    if not len(found):
        return None
    least, greatest = float(tried[found[0]]), float(tried[found[-1]])
    return edge(least, least - _STEP), edge(greatest, greatest + _STEP)


def sizes_of(box: Components) -> Sizes:
    """The sizes of these components that decide reach."""
    return Sizes(
        box.road_length, box.road_width, box.road_thickness, box.disc_radius, box.disc_height
    )


def straight_roads(box: Components | Sizes, start: Floats, end: Floats, levels: Floats) -> Strips:
    """Roads without a slide, each from a start to an end in plan (mm), at levels in discs."""
    size = (box.road_length, box.road_width, box.road_thickness)
    return footprints.strips_between(
        start, end, levels, np.zeros(len(start)), size, box.disc_height
    )


def ends_of(sizes: Sizes, new: Strips, axes: Floats, levels: Floats) -> Ends:
    """How roads lie on pillars: `axes` (n, k, 2) are the axes of the pillar at the start and, if k
    is 2, of that at the end.

    `levels` (n, 2) are the heights of the ends in discs. A real road lies steeper than the line
    from axis to axis: its underside touches the higher disc at the rim that faces the other pillar,
    and its lower end lies on the lower disc, or on the table (see `_inclined`). In plan its centre
    of mass is where the placement says.
    """
    ends = axes.shape[1]
    outward = np.array([-1.0, 1.0])[:ends]
    offset = axes - new.centre[:, None, :]
    along, aside = (
        footprints.dot(offset, new.axis[:, None, :]),
        np.abs(footprints.cross(new.axis[:, None, :], offset)),
    )
    rim = np.sqrt(
        np.maximum(sizes.disc_radius**2 - np.maximum(aside - sizes.road_width / 2, 0.0) ** 2, 0.0)
    )
    rise = (levels[:, 1] - levels[:, 0]) * sizes.disc_height
    up, rows = np.where(rise > 0, 1.0, -1.0), np.arange(len(new))
    higher = np.where(rise > 0, ends - 1, 0)
    cosine, sine, leans = _inclined(
        sizes, np.abs(rise), along[rows, higher] * up - rim[rows, higher]
    )
    # from the centre of mass to the middle of the underside
    shift = up * sine * sizes.road_thickness / 2
    half = cosine * sizes.road_length / 2
    # from each axis outward to the middle of the end's edge
    past = half[:, None] + outward * (shift[:, None] - along)
    far = np.hypot(past, aside + sizes.road_width / 2)
    # a corner on the near side is not past the rim
    out = np.where(past > 0, far - sizes.disc_radius, -1.0)
    return Ends(
        out,
        (rim + past) / cosine[:, None],
        aside - (sizes.disc_radius - BEARING),
        _steep(new) | leans,
    )


def _steep(new: Strips) -> Bools:
    """Which roads are steeper than STEEPEST, as the straight underside runs that every rule goes by
    (rules 4b).
    """
    return np.asarray(np.abs(new.slope) > STEEPEST + SLACK, dtype=np.bool_)


def _inclined(sizes: Sizes, rise: Floats, away: Floats) -> tuple[Floats, Floats, Bools]:
    """Cosine and sine of the slope at which roads lie, and which roads have no such slope up to
    `_LEANS`.

    The near rim of the higher disc is `rise` above the lower end's edge, and `away` from the centre
    of mass in plan. Let c be the cotangent of the slope, t the thickness and L the length of the
    road. In plan, the middle of the underside is t/2 sin nearer to the rim than the centre of mass,
    and the lower end is L/2 cos further away, so rise * c = away - t/2 sin + L/2 cos. The flattest
    solution counts, since a road that is lowered reaches it first. The difference of the two sides
    is convex in c and positive at the first guess, so Newton's method decreases to that solution.
    """
    long, thick = sizes.road_length / 2, sizes.road_thickness / 2
    level = rise == 0
    high = np.where(level, 1.0, rise)
    c = np.maximum((away + long) / high, 1 / _LEANS)
    for _ in range(10):
        sine = 1 / np.sqrt(1 + c * c)
        excess = high * c - away + (thick - long * c) * sine
        slope = high - (long + thick * c) * sine**3
        step = np.where(slope > 0, excess / np.where(slope > 0, slope, 1.0), np.inf)
        c = np.maximum(c - step, 1 / _LEANS)
    sine = np.where(level, 0.0, 1 / np.sqrt(1 + c * c))
    cosine = np.where(level, 1.0, c * sine)
    steep = ~level & (high * c - away + thick * sine - long * cosine > SLACK)
    return cosine, sine, np.asarray(steep, dtype=np.bool_)


def fits(ends: Ends) -> Bools:
    """Which roads lie on all their pillars, stick out past none, and rest on each with enough of
    their length (rules 4a).
    """
    good = (ends.out <= SLACK) & (ends.bears >= BEARING - SLACK) & (ends.aside <= SLACK)
    return np.asarray(good.all(axis=1) & ~ends.steep, dtype=np.bool_)
