"""What room there is: how a road lies on discs and which distances it can span (rules 4a, 4i), on
which slopes friction hardly holds a car, where on a road a car has room (rules 7a), and the search
for a build or an exit, which says whether the seat to move has room at all.

Reach depends only on the sizes of the pieces. A steep road is a warning, not a verdict: in an
engine a car on it may stand or slide.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import NamedTuple

from sim.bodies import Pose, rotate
from sim.pieces import Components
from sim.referee import geometry
from sim.referee.crossings import judge
from sim.referee.geometry import (
    BEARING,
    HEIGHT,
    LENGTH,
    RADIUS,
    SLACK,
    SLOPE,
    STEEPEST,
    TOUCH,
    Strip,
)
from sim.referee.judgement import earned
from sim.referee.obstacles import (
    TURNED,
    NewPieces,
    is_car_blocked,
    is_pillar_blocked,
    is_road_blocked,
    nominal_strip,
    obstacles_of,
    road_strip,
)
from sim.referee.placement import Build, CarSpot, Exit
from sim.referee.standing import LaidRoad, Pillar
from sim.referee.table import Table, new_pillar, new_road

Sizes = tuple[float, ...]
"""The sizes of a box (`Components.sizes`)."""

_STEP = 0.05  # mm from one distance to the next that `reach` tries


class End(NamedTuple):
    """How one end of a road lies on its pillar, in mm: how far it sticks `out` past the rim, the
    length of it that `bears` on the disc (below 0: how far it ends short of the rim), and by how
    much its middle is too far `aside` of the axis.
    """

    out: float
    bears: float
    aside: float

    @property
    def fits(self) -> bool:
        """Whether the end does not stick out and rests on its disc with enough of its length (rules
        4a).
        """
        return self.out <= SLACK and self.bears >= BEARING - SLACK and self.aside <= SLACK


def ends_of(
    box: Components, road: LaidRoad, axes: Sequence[tuple[float, float]]
) -> tuple[bool, tuple[End, ...]]:
    """How a road that lies where it is meant to lies on pillars with these axes, at its start and,
    if there are two, at its end. First whether it rises more than it runs from axis to axis (rules
    4i), or lies at no slope.
    """
    rise = (road.levels[1] - road.levels[0]) * box.disc_height
    return _ends(box.sizes, nominal_strip(box, road), rise, axes)


def _ends(
    sizes: Sizes, strip: Strip, rise: float, axes: Sequence[tuple[float, float]]
) -> tuple[bool, tuple[End, ...]]:
    steep, *six = geometry.lies(sizes, strip, rise, *axes[0], *axes[-1], len(axes))
    return steep, (End(*six[:3]), End(*six[3:]))[: len(axes)]


def reach(box: Components, rise: int) -> tuple[float, float] | None:
    """The least and the greatest distance in mm between the axes of two pillars that one road can
    span, laid from axis to axis without a slide (rules 4a, 4i); None if no road can. The pillars
    differ by `rise` discs in height.
    """
    return _span(box.sizes, abs(rise), exits=False)


def exit_reach(box: Components, discs: int) -> tuple[float, float] | None:
    """The least and the greatest distance in mm between the axis of a pillar of `discs` and the
    place where the lower end of an exit from it touches the table (rules 4a, 4i); None if there is
    no such exit.
    """
    return _span(box.sizes, discs, exits=True)


@lru_cache(maxsize=2048)
def _span(sizes: Sizes, rise: int, *, exits: bool) -> tuple[float, float] | None:
    """The least and the greatest distance at which a road that rises by so many discs lies on all
    its pillars, sticks out past none, and rests on each with enough of its length.
    """
    height = rise * sizes[HEIGHT]
    if exits and height >= sizes[LENGTH]:
        return None
    run = math.sqrt(sizes[LENGTH] ** 2 - height**2) if exits else 0.0
    levels = (float(rise), 0.0) if exits else (0.0, float(rise))

    def holds(distance: float) -> bool:
        start = distance - run if exits else 0.0
        span = max(abs(distance - start), 1e-9)
        strip = geometry.strip_between(sizes, start, 0.0, distance, 0.0, *levels, 0.0, span)
        axes = ((0.0, 0.0),) if exits else ((0.0, 0.0), (distance, 0.0))
        steep, ends = _ends(sizes, strip, (levels[1] - levels[0]) * sizes[HEIGHT], axes)
        return not steep and all(end.fits for end in ends)

    last = int((sizes[LENGTH] + 4 * sizes[RADIUS]) / _STEP)
    least = next((step for step in range(1, last + 1) if holds(step * _STEP)), None)
    if least is None:
        return None
    greatest = next(step for step in range(last, 0, -1) if holds(step * _STEP))

    def edge(inside: float, outside: float) -> float:
        for _ in range(40):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if holds(middle) else (inside, middle)
        return inside

    return (
        edge(least * _STEP, (least - 1) * _STEP),
        edge(greatest * _STEP, (greatest + 1) * _STEP),
    )


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
    if not count or (steepest is not None and abs(face.strip[SLOPE]) > steepest):
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
    strip: Strip
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
        for spot in wanted:
            if self._clear(spot, [*self.taken, *found], COMFORT) and self._is_free(spot):
                found.append(spot)
            if len(found) == count:
                break
        return found

    def fillings(self, middle: Sequence[CarSpot], count: int) -> Iterator[list[CarSpot]]:
        """Ways to fill the face, the nearest to the `middle` places first; none after the first
        that holds `count` cars.
        """
        free = [
            spot for spot in self._grid() if self._clear(spot, self.taken) and self._is_free(spot)
        ]
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
        least, most = car_range(box, self.strip[SLOPE])
        if self.road.target is None:  # at the table end a car must not stand in the table
            most = min(most, 1 - box.car_length / 2 / box.road_length)
        along = [round(least + k * _FINE, 3) for k in range(int((most - least + 1e-9) / _FINE) + 1)]
        sides = {
            round(-widest + k * _ASIDE, 2) + 0.0
            for k in range(int((2 * widest + 1e-9) / _ASIDE) + 1)
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

    def _is_free(self, spot: CarSpot) -> bool:
        """Whether a car there touches no standing piece."""
        return not is_car_blocked(self.table, self.road, self.strip, spot)

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


# --- the search for a build -----------------------------------------------------------------------


BEARINGS, DISTANCES = 72, 5
"""The places that the search tries for each height."""

INSET = 0.02
"""mm kept from the ends of a road's reach."""


def allowed_discs(table: Table, base: Pillar) -> tuple[tuple[int, bool], ...]:
    """The heights of pillars (discs, junction) that the seat to move can pay for and may build,
    grey first.
    """
    stock, box = table.stocks[table.to_move], table.components
    grey = [(m, False) for m in (base.discs - 1, base.discs + 1) if 1 <= m <= stock.grey]
    highest = base.discs + int(box.road_length / box.disc_height)
    yellow = [(m, True) for m in range(2, min(stock.grey + 1, highest) + 1)] if stock.yellow else []
    return (*grey, *yellow)


def find_build(table: Table, clear: float = 0.0) -> Build | Exit | None:
    """A legal build or exit of the seat to move, by a fixed search: all base points, allowed
    heights, BEARINGS, DISTANCES. With `clear` its pieces pass all others by that many mm in plan,
    at least.
    """
    wide = _widened(table, clear) if clear else None
    if table.phase != "play" or not table.stocks[table.to_move].roads:
        return None
    for one in _tried(table):
        if _way(table, one) is not None and (wide is None or _way(wide, one) is not None):
            return one
    return None


def _tried(table: Table) -> Iterator[Build | Exit]:
    """What the search tries, in its order: all builds and exits that stock and heights allow."""
    box = table.components
    rays = [
        (math.cos(angle), math.sin(angle))
        for angle in (math.radians(k * (360.0 / BEARINGS)) for k in range(BEARINGS))
    ]
    for point in table.base_points(table.to_move):
        base, (x, y) = point.pillar, table.top(point.pillar)
        for discs, junction in allowed_discs(table, base):
            between = reach(box, discs - base.discs)
            if between is None:
                continue
            near, far = between[0] + INSET, between[1] - INSET
            for step in range(DISTANCES):
                away = near + step * (far - near) / (DISTANCES - 1)
                for dx, dy in rays:
                    yield Build(base.id, _rounded(x + away * dx, y + away * dy), discs, junction)
        height = base.discs * box.disc_height
        if table.exit_allowed(base) and height < box.road_length:
            run = math.sqrt(box.road_length**2 - height**2)
            for dx, dy in rays:
                yield Exit(base.id, _rounded(x + run * dx, y + run * dy))


def _rounded(x: float, y: float) -> tuple[float, float]:
    return (round(x, 2) + 0.0, round(y, 2) + 0.0)  # never -0


def cars_of(table: Table, one: Build | Exit) -> int:
    """The cars that a build or an exit of the seat to move earns in play, an exit's bonus included,
    not limited by the stock; -1 where it is illegal. Its road is laid without offsets, and nobody
    says where cars are to stand. Agrees with `every_fault`, and stops at the first fault.
    """
    stock, base = table.stocks[table.to_move], table.pillar_by_id[one.base]
    if table.phase != "play" or not stock.roads:
        return -1
    if isinstance(one, Exit):
        height = base.discs * table.components.disc_height
        fits = table.exit_allowed(base) and height < table.components.road_length
    else:
        fits = (one.discs, one.junction) in allowed_discs(table, base)
    if not fits or all(point.pillar.id != base.id for point in table.base_points(table.to_move)):
        return -1
    road = _way(table, one)
    if road is None:
        return -1
    return earned(table, one, judge(table.line(road), obstacles_of(table).network))


def _way(table: Table, one: Build | Exit) -> LaidRoad | None:
    """The road of a build or an exit, if it reaches and nothing on the table is in its way."""
    box, base = table.components, table.pillar_by_id[one.base]
    pillar, road = new_pillar(table, one), new_road(table, one)
    new = NewPieces(table, road, nominal_strip(box, road), pillar, base)
    if pillar is not None and is_pillar_blocked(table, pillar):
        return None
    steep, ends = ends_of(box, road, [table.top(base), *([pillar.at] if pillar else [])])
    if steep or not all(end.fits for end in ends) or is_road_blocked(table, new):
        return None
    if table.ruleset.resolved.self_cross:
        return road
    crossings = judge(table.line(road), obstacles_of(table).network)
    return road if all(crossing.reason != "own" for crossing in crossings) else None


def room_for_errors(table: Table) -> float:
    """The mm in plan by which two pieces of a measured table may be nearer than noted, at most."""
    return 2 * TURNED * table.tolerance


def _widened(table: Table, clear: float) -> Table:
    """The table with discs, roads and cars so much wider that two of them have `clear` mm less
    between them in plan; beside a building half as much. Roads are thicker by as
    much, since where two cross elsewhere, each no steeper than STEEPEST, their heights differ.
    """
    box = table.components
    wide = replace(
        box,
        disc_diameter=box.disc_diameter + clear,
        road_width=box.road_width + clear,
        road_thickness=box.road_thickness + STEEPEST * clear,
        car_width=box.car_width + clear,
        car_length=box.car_length + clear,
    )
    return replace(table, components=wide)
