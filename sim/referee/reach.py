"""What a road allows: how it lies on discs and which distances it can span (rules 4a, 4i), on which
slopes friction hardly holds a car, and where on it a car has room (rules 7a).

Reach depends only on the sizes of the pieces. The same functions measure the faults of one
placement and screen thousands of placements. A steep road is a warning, not a verdict: in an engine
a car on it may stand or slide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.bodies import Pose, rotate
from sim.pieces import Components
from sim.referee import footprints
from sim.referee.conflicts import car_hits
from sim.referee.footprints import SLACK, TOUCH, Strips, road_strip
from sim.referee.placement import CarSpot
from sim.referee.standing import LaidRoad
from sim.referee.table import Table

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

BEARING = 2.5
"""How many mm of a road's end must rest on its disc, at least (rules 4a)."""

_STEP = 0.05  # mm from one distance to the next that `reach` tries
STEEPEST = 1.0
"""Rise over run of the line from pillar top to pillar top, axis to axis: 45 degrees (rules 4i)."""

# rise over run: no road that keeps to STEEPEST lies steeper than this on discs of any box
_LEANS = 4.0


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

    return _span(sizes, joins)


def exit_reach(box: Components, discs: int) -> tuple[float, float] | None:
    """The least and the greatest distance in mm between the axis of a pillar of `discs` and the
    place where the lower end of an exit from it touches the table (rules 4a, 4i); None if there is
    no such exit.
    """
    return _exit_reach(sizes_of(box), discs)


@lru_cache(maxsize=1024)
def _exit_reach(sizes: Sizes, discs: int) -> tuple[float, float] | None:
    height = discs * sizes.disc_height
    if height >= sizes.road_length:
        return None
    run = math.sqrt(sizes.road_length**2 - height**2)

    def leaves(distances: Floats) -> Bools:
        n = len(distances)
        axis, levels = np.zeros((n, 2)), np.tile([float(discs), 0.0], (n, 1))
        end = np.stack([distances, np.zeros(n)], axis=-1)
        start = end - np.array([run, 0.0])
        road = straight_roads(sizes, start, end, levels)
        return fits(ends_of(sizes, road, axis[:, None, :], levels))

    return _span(sizes, leaves)


def _span(sizes: Sizes, holds: Callable[[Floats], Bools]) -> tuple[float, float] | None:
    """The least and the greatest of the distances at which something holds; None if at none."""

    def edge(inside: float, outside: float) -> float:
        for _ in range(40):
            middle = (inside + outside) / 2
            inside, outside = (
                (middle, outside) if holds(np.array([middle]))[0] else (inside, middle)
            )
        return inside

    tried = np.arange(_STEP, sizes.road_length + 4 * sizes.disc_radius, _STEP)
    (found,) = np.nonzero(holds(tried))
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


# --- slopes ---------------------------------------------------------------------------------------


NEAR = 1.0
"""Degrees: a car is in doubt on a slope that is less than this below the steepest one that friction
holds. The figure is ours.
"""


@dataclass(frozen=True, slots=True)
class Steep:
    """A car on a road that slopes by `degrees`, where friction holds up to `holds` degrees."""

    car: str
    degrees: float
    holds: float


def slope(table: Table, road: LaidRoad) -> float:
    """The slope of a road's top face in degrees: of its pose, or of the straight line from top to
    top if it has none.
    """
    pose = table.pose_of(road)
    if pose is not None:
        return tilt(pose)
    line = table.line(road)
    rise = abs(line.levels[1] - line.levels[0]) * table.components.disc_height
    return math.degrees(math.atan2(rise, math.dist(line.start, line.end)))


def holds(table: Table) -> float:
    """The steepest slope in degrees on which friction holds a car."""
    return math.degrees(math.atan(table.components.friction_of("car", "road")))


def steep(table: Table, road: LaidRoad) -> tuple[Steep, ...]:
    """The cars on a road that stand steeper than friction holds, or within NEAR of it."""
    return steep_at(
        table, slope(table, road), [car.id for car in table.cars if car.road == road.id]
    )


def steep_at(table: Table, degrees: float, cars: Sequence[str]) -> tuple[Steep, ...]:
    """Of the cars, all on one slope, those that may slide."""
    most = holds(table)
    return tuple(Steep(car, degrees, most) for car in cars) if degrees >= most - NEAR else ()


def tilt(pose: Pose) -> float:
    """The angle in degrees between a stick's top face and the table."""
    return math.degrees(math.acos(min(abs(rotate(pose.quat, (0.0, 0.0, 1.0))[2]), 1.0)))


# --- places for cars ------------------------------------------------------------------------------


_STANDS = 0.5  # mm: how far inside the edges of its road a car's centre of mass must be at least
_AT_ONCE = 24  # places that are checked together: most often one of the first is free
COMFORT = 2.0  # mm between two cars on the middle line, as long as there is room
_FINE = 0.004  # of a road's length, between places that are tried where room is scarce
_ASIDE = 1.0  # mm between two lines of such places


def car_range(box: Components, slope: float) -> tuple[float, float]:
    """The least and the greatest place along a road of that slope at which a car can stand: its
    centre of mass is above the road.

    A car's centre of mass is half its height above the road. On a slope it is further down, by that
    height times the slope.
    """
    down = box.car_height / 2 * abs(slope)
    start, end = _STANDS + down * (slope > 0), _STANDS + down * (slope < 0)
    return math.ceil(1000 * start / box.road_length) / 1000, 1 - math.ceil(
        1000 * end / box.road_length
    ) / 1000


def widest_side(box: Components) -> float:
    """How many mm off the middle line of its road a car can stand at most."""
    return box.road_width / 2 - _STANDS


def free_spots(
    table: Table,
    road: LaidRoad,
    pose: Pose | None,
    count: int,
    *,
    taken: Sequence[CarSpot] = (),
    steepest: float | None = None,
) -> tuple[CarSpot, ...]:
    """Up to `count` places for cars on a new road, clear of standing pieces and of each other.

    They lie on the middle line, from the middle outward and 2 mm apart; only if these are too few,
    anywhere on the road's face, as close together as the rules allow (7a). `taken` are places that
    are used or were tried: the search proposes none that overlaps one. A road that rises by more
    than `steepest` (rise over run) has no place.
    """
    face = _Face(table, road, road_strip(table, road, pose), tuple(taken))
    if not count or (steepest is not None and abs(face.strip.slope[0]) > steepest):
        return ()
    found = face.along_the_middle(count)
    if len(found) < count:
        found = max((one[:count] for one in face.fillings(found, count)), key=len)
    return tuple(sorted(found, key=lambda spot: (spot.along, spot.side)))


def _from_start(spot: CarSpot) -> tuple[float, float]:
    return (spot.along, abs(spot.side))


@dataclass(frozen=True)
class _Face:
    """The upper face of a new road, on which cars look for a place beside those `taken`."""

    table: Table
    road: LaidRoad
    strip: Strips
    taken: tuple[CarSpot, ...]

    def along_the_middle(self, count: int) -> list[CarSpot]:
        """Up to `count` places on the middle line, each with its full length on the road."""
        box = self.table.components
        margin = box.car_length / 2 / box.road_length
        steps = [
            0.5 + sign * step * 0.005
            for step in range(100)
            for sign in ((1,) if step == 0 else (1, -1))
        ]
        wanted = [CarSpot(round(along, 3)) for along in steps if margin <= along <= 1 - margin]
        found: list[CarSpot] = []
        for first in range(0, len(wanted), _AT_ONCE):
            for spot in self._free(wanted[first : first + _AT_ONCE]):
                if self._clear(spot, [*self.taken, *found], COMFORT):
                    found.append(spot)
                if len(found) == count:
                    return found
        return found

    def fillings(self, middle: Sequence[CarSpot], count: int) -> Iterator[list[CarSpot]]:
        """Ways to fill the face, the nearest to the `middle` places first; none after the first
        that holds `count` cars.
        """
        free = [spot for spot in self._free(self._grid()) if self._clear(spot, self.taken)]
        from_middle = sorted(free, key=lambda spot: (abs(spot.side), abs(spot.along - 0.5)))
        ways: list[Callable[[], list[CarSpot]]] = [
            lambda: self._filled(from_middle, middle),
            *(partial(self._in_lanes, free, lanes) for lanes in self._lanes()),
            lambda: self._filled(sorted(free, key=_from_start)),
        ]
        for way in ways:
            spots = way()
            yield spots
            if len(spots) >= count:
                return

    def _in_lanes(self, free: Sequence[CarSpot], lanes: Sequence[float]) -> list[CarSpot]:
        """The lanes filled side by side, so that a few cars do not weigh down one edge."""
        return sorted(
            (spot for lane in lanes for spot in self._filled([s for s in free if s.side == lane])),
            key=_from_start,
        )

    def _grid(self) -> list[CarSpot]:
        """Places all over the face, along each lane from the start to the end."""
        box = self.table.components
        widest = widest_side(box)
        least, most = car_range(box, float(self.strip.slope[0]))
        if self.road.target is None:  # at the table end a car must not stand in the table
            most = min(most, 1 - box.car_length / 2 / box.road_length)
        along = np.round(np.arange(least, most + 1e-9, _FINE), 3).tolist()
        sides = {
            round(side, 2) + 0.0 for side in np.arange(-widest, widest + 1e-9, _ASIDE).tolist()
        }
        every = sorted(sides | {0.0} | {side for lanes in self._lanes() for side in lanes})
        return [CarSpot(place, side) for side in every for place in along]

    def _lanes(self) -> list[tuple[float, ...]]:
        """The sides (mm) of as many cars abreast as fit, then of fewer; each set in the middle,
        then to either edge.
        """
        box = self.table.components
        high = math.floor((widest_side(box) + 1e-9) * 100) / 100
        pitch = math.ceil((box.car_width + TOUCH) * 100) / 100
        sets: dict[tuple[float, ...], None] = {}
        for lanes in range(int(2 * high / pitch + 1e-9) + 1, 0, -1):
            left = 2 * high - (lanes - 1) * pitch
            for first in (round(left / 2, 2), 0.0, left):
                sets[
                    tuple(round(first - high + lane * pitch, 2) + 0.0 for lane in range(lanes))
                ] = None
        return list(sets)

    def _filled(self, order: Sequence[CarSpot], first: Sequence[CarSpot] = ()) -> list[CarSpot]:
        """The places in this order that are clear of each other, after those in `first`."""
        found = list(first)
        for spot in order:
            if self._clear(spot, found):
                found.append(spot)
        return found

    def _free(self, spots: Sequence[CarSpot]) -> list[CarSpot]:
        """Those of the places that touch no standing piece."""
        blocked = {row for row, _, _ in car_hits(self.table, self.road, self.strip, spots)}
        return [spot for row, spot in enumerate(spots) if row not in blocked]

    def _clear(self, spot: CarSpot, others: Sequence[CarSpot], gap: float = TOUCH) -> bool:
        """Whether a car there is clear of cars at other places, by a gap (mm) along the road or
        beside each other.
        """
        box = self.table.components
        apart, aside = (box.car_length + gap) / box.road_length, box.car_width + TOUCH
        return all(
            abs(spot.along - one.along) >= apart or abs(spot.side - one.side) >= aside
            for one in others
        )
