"""Legality: everything that is wrong with a placement, before anybody touches a piece; pure geometry and stock.

Rules: FR sections 2, 4, 5, 7, 8 and KR sections 3 to 5, 7, 8. `every_fault` answers for one placement with all its faults at
once; `screen` asks the same questions of thousands of builds from one base pillar, for bots and maps. Both run the same checks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.pieces import Components
from sim.poses import Pose, from_axes
from sim.referee import footprints
from sim.referee.crossings import UNSHARED, Crossing, SegmentArray, judge, judge_each, lines, meetings
from sim.referee.footprints import TOUCH, Circles, Gaps, Strips
from sim.referee.obstacles import Obstacles, car_strips, obstacles_of, road_strip
from sim.referee.placement import Build, CarSpot, Entrance, Exit, Pass, Placement, Resign, SetBuilding
from sim.referee.table import LaidRoad, Pillar, Table, letter
from sim.referee.verdict import Fault, FaultCode

__all__ = ["Screened", "allowed_discs", "earned", "every_fault", "find_build", "free_spots", "reach", "screen", "screen_exits"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

_STEP = 0.05  # mm between the distances that are tried for a road's reach
_BEARING = 2.5  # mm that a road's end bears on its disc at least: rules 4a
_SUPPORT = 2.0  # own roads on one pillar may touch within this many disc radii of its axis: rules 4d
_SLACK = 1e-6  # mm lost to rounding
_NEAR = TOUCH - _SLACK  # mm: gaps below this count as touching
_STEEPEST = 1.0  # rise over run: a road that is steeper leans against the side of its higher pillar more than it lies on top
_SHOWN = 0.005  # mm: what is told with two decimals is no overlap below this
_STANDS = 0.5  # mm by which a car's centre of mass is inside the edges of its road at least


class Screened(NamedTuple):
    """For each of n builds: whether it is legal, and how many cars it earns then (exit bonus included), capped by nothing."""

    legal: Bools
    cars: Ints


@dataclass(frozen=True, slots=True)
class _Conflict:
    """The pairs that break one rule: rows of the new pieces, rows of the standing ones with their ids, how many mm say so.

    `mm` is an overlap, the greater the worse, or with `gap` a clearance, the smaller the worse.
    """

    code: FaultCode
    rows: Ints
    standing: Ints
    ids: Sequence[str]
    mm: Floats
    gap: bool = False

    @property
    def pieces(self) -> tuple[str, ...]:
        """The ids of the standing pieces, pair by pair."""
        return tuple(self.ids[row] for row in self.standing.tolist())


@dataclass(frozen=True, slots=True)
class _New:
    """The pieces of one placement as they are meant to lie: the road, its strip in plan, the pillar and the base if any."""

    road: LaidRoad
    strip: Strips
    pillar: Pillar | None
    base: Pillar | None

    @classmethod
    def of(cls, table: Table, placement: Placement, base: Pillar | None = None) -> _New:
        grown = table.with_pieces(placement)
        road = grown.roads[-1]
        pillar = grown.pillars[-1] if len(grown.pillars) > len(table.pillars) else None
        return cls(road, road_strip(grown, road), pillar, base)


# --- one placement -----------------------------------------------------------------------------------------------------------


def every_fault(table: Table, placement: Placement) -> tuple[Fault, ...]:
    """Everything that is wrong with a placement by the seat to move, all numbers taken as exact; empty if nothing is.

    A fault has a code, a sentence with the pieces and the mm in it, and both as data.
    """
    if table.outcome() is not None:
        return (Fault("game-over", "the game is over"),)
    if isinstance(placement, Resign):
        return ()
    phase = table.phase
    wanted = {"entrances": Entrance, "buildings": SetBuilding}.get(phase, (Build, Exit, Pass))
    if not isinstance(placement, wanted):
        now = {"entrances": "sets an entrance", "buildings": "sets a building"}.get(phase, "builds, exits or passes")
        return (Fault("phase", f"now seat {letter(table.to_move)} {now}; this is a move of kind {placement.kind}"),)
    checks: dict[type[Placement], Callable[[Table, Placement], tuple[Fault, ...]]] = {
        Entrance: _before_entrance,
        SetBuilding: _before_building,
        Build: _before_road,
        Exit: _before_road,
        Pass: _before_pass,
    }
    return checks[type(placement)](table, placement)


def _before_entrance(table: Table, placement: Placement) -> tuple[Fault, ...]:
    assert isinstance(placement, Entrance)
    faults = _stock_faults(table, roads=1, grey=1, cars=1)
    far, limit = math.hypot(*placement.pillar), table.ruleset.entrance_reach * table.components.road_length
    if far > limit + _SLACK:
        text = (
            f"the entrance disc at {_at(placement.pillar)} stands {far:.2f} mm from the middle of the table, {limit:g} mm is"
            " the most (entrance_reach)"
        )
        faults = (*faults, Fault("entrance-far", text, (), {"mm": far, "limit": limit}))
    new = _New.of(table, placement)
    return (*faults, *_conflict_faults(table, new), *_car_faults(table, new, (placement.car,)))


def _before_building(table: Table, placement: Placement) -> tuple[Fault, ...]:
    assert isinstance(placement, SetBuilding)
    box = table.components
    if placement.building not in box.buildings:
        return (Fault("building-kind", f"there is no building {placement.building!r}; there is: {', '.join(box.buildings)}"),)
    faults = []
    taken = [building.id for building in table.buildings if building.kind == placement.building]
    if taken:
        left = [kind for kind in box.buildings if kind not in {building.kind for building in table.buildings}]
        text = f"the {placement.building} stands already as {taken[0]}; left: {', '.join(left)}"
        faults.append(Fault("building-taken", text, (taken[0],)))
    kind = box.buildings[placement.building]
    pose = Pose((*placement.at, kind.height / 2), from_axes(placement.turn, 0.0))
    strip, circle = footprints.upright(kind.shape, pose)
    for piece, mm in _footprint_hits(obstacles_of(table), strip, circle):
        text = f"the {placement.building} at {_at(placement.at)} overlaps {piece} by {mm:.2f} mm in plan"
        faults.append(Fault("building-overlap", text, (piece,), {"mm": mm}))
    return tuple(faults)


def _before_pass(table: Table, placement: Placement) -> tuple[Fault, ...]:
    assert isinstance(placement, Pass)
    seat = table.to_move
    if table.unable(seat) or (table.ruleset.may_pass and placement.reason is None):
        return ()
    if placement.reason is None:
        bases = [base.pillar.id for base in table.base_points(seat)]
        text = f'{letter(seat)} can build from {_some_of(bases)} and may not pass; if no place is left, pass with "no room"'
        return (Fault("can-build", text, tuple(bases)),)
    found = find_build(table)
    if found is None:
        return ()
    return (_room_fault(seat, found),)


def _room_fault(seat: int, found: Build | Exit) -> Fault:
    """That a seat has room, with the build or exit that was found, in words."""
    (x, y), junction = (found.pillar, found.junction) if isinstance(found, Build) else (found.to, False)
    numbers: dict[str, float] = {"x": x, "y": y}
    what = f"an exit to {_at((x, y))}"
    if isinstance(found, Build):
        what = f"{_discs(found.discs)}{', a junction' * junction} at {_at((x, y))}"
        numbers |= {"discs": found.discs}
    return Fault("has-room", f"{letter(seat)} has room: {what} from {found.base}", (found.base,), numbers)


def _before_road(table: Table, placement: Placement) -> tuple[Fault, ...]:
    assert isinstance(placement, (Build, Exit))
    seat = table.to_move
    faults: list[Fault] = []
    base = table.pillar_by_id.get(placement.base)
    if base is None:
        known = _some_of([point.pillar.id for point in table.base_points(seat)])
        return (Fault("base-unknown", f"there is no pillar {placement.base}; base points of {letter(seat)}: {known}"),)
    faults += _base_faults(table, base)
    if isinstance(placement, Build):
        faults += _height_faults(base, placement)
        grey = placement.discs - placement.junction
        faults += _stock_faults(table, roads=1, grey=grey, yellow=int(placement.junction))
    else:
        faults += _stock_faults(table, roads=1)
        if not table.exit_allowed(base):
            has = f"{base.id} has {_discs(base.discs)}"
            text = f"an exit leaves a pillar of height {table.ruleset.exit_height}; {has} (exit_height)"
            faults.append(Fault("exit-height", text, (base.id,), {"discs": base.discs}))
        if base.discs * table.components.disc_height >= table.components.road_length:
            return (
                *faults,
                Fault("reach", f"a road is too short to come down from {base.id}", (base.id,), {"discs": base.discs}),
            )
    new = _New.of(table, placement, base)
    if math.dist(new.road.start, new.road.end) < table.components.disc_radius:
        where = "the pillar" if isinstance(placement, Build) else "the lower end"
        return (*faults, Fault("reach", f"{where} is set at {base.id} itself", (base.id,)))
    faults += _reach_faults(table, new, base)
    faults += _conflict_faults(table, new)
    crossings = judge(table.line(new.road), obstacles_of(table).network)
    faults += _own_crossing_faults(table, [c.road.id for c in crossings if c.reason == "own"])
    if placement.cars is not None:
        faults += _car_count_faults(table, len(placement.cars), earned(table, placement, crossings))
        faults += _car_faults(table, new, placement.cars)
    return tuple(faults)


def earned(table: Table, placement: Placement, crossings: Sequence[Crossing]) -> int:
    """The cars of a new road's crossings, an exit's bonus included (FR 8, KR 8); own_cross_voids takes the bonus too."""
    voided = table.ruleset.own_cross_voids and any(crossing.road.owner == table.to_move for crossing in crossings)
    bonus = isinstance(placement, Exit) and not voided
    return sum(crossing.scores for crossing in crossings) + bonus


# --- thousands of builds -----------------------------------------------------------------------------------------------------


def screen(table: Table, base: str, pillars: Floats, discs: Ints, junction: Bools | None = None) -> Screened:
    """Judges n builds from one base pillar of the seat to move, each alone: legality and cars, roads laid without offsets.

    `pillars` (n, 2) in mm, `discs` (n,) with the yellow one counted, `junction` (n,). Agrees with `every_fault` for each.
    """
    box, seat, point = table.components, table.to_move, table.pillar_by_id[base]
    n, rules, stock = len(discs), table.ruleset, table.stocks[seat]
    yellow = np.zeros(n, dtype=np.bool_) if junction is None else junction
    legal = np.full(n, not _base_faults(table, point) and stock.roads > 0 and table.phase == "play")
    legal &= np.where(yellow, (discs >= 2) & (stock.yellow > 0), np.abs(discs - point.discs) == 1) & (discs >= 1)
    legal &= discs - yellow <= stock.grey
    start, levels = np.tile(table.top(point), (n, 1)), np.stack([np.full(n, point.discs), discs], axis=-1).astype(np.float64)
    new = _between(box, start, pillars, levels)
    circles = Circles(pillars, np.full(n, box.disc_radius), np.zeros(n), (discs * box.disc_height).astype(np.float64))
    legal &= _fits(_ends_of(_sizes(box), new, np.stack([start, pillars], axis=1), levels))
    new_lines = SegmentArray(
        start, pillars, levels, np.full(n, seat), np.zeros(n, dtype=np.bool_), np.tile([base, UNSHARED], (n, 1))
    )
    return _screened(table, base, legal, new, circles, new_lines, rules.self_cross, bonus=0)


def screen_exits(table: Table, base: str, to: Floats) -> Screened:
    """Judges n exits from one base pillar of the seat to move, each alone; `to` (n, 2) is where the lower ends touch the
    table.
    """
    box, seat, point = table.components, table.to_move, table.pillar_by_id[base]
    n, height = len(to), point.discs * box.disc_height
    fits = not _base_faults(table, point) and table.stocks[seat].roads > 0 and table.exit_allowed(point)
    if not fits or height >= box.road_length or table.phase != "play":
        return Screened(np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.int64))
    axis = np.asarray(table.top(point), dtype=np.float64)
    along = to - axis
    span = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    start = to - along / span[:, None] * math.sqrt(box.road_length**2 - height**2)
    levels = np.tile([float(point.discs), 0.0], (n, 1))
    new = _between(box, start, to, levels)
    legal = _fits(_ends_of(_sizes(box), new, np.tile(axis, (n, 1, 1)), levels))
    new_lines = SegmentArray(start, to, levels, np.full(n, seat), np.ones(n, dtype=np.bool_), np.tile([base, UNSHARED], (n, 1)))
    return _screened(table, base, legal, new, None, new_lines, table.ruleset.self_cross, bonus=1)


def _screened(
    table: Table,
    base: str,
    legal: Bools,
    new: Strips,
    circles: Circles | None,
    new_lines: SegmentArray,
    self_cross: bool,
    bonus: int,
) -> Screened:
    keep = np.flatnonzero(legal)
    for conflict in _disc_conflicts(table, new.take(keep), circles.take(keep) if circles is not None else None, base):
        legal[keep[conflict.rows]] = False
    keep = np.flatnonzero(legal)  # the dearer checks are for those that are left
    axes = np.tile(table.top(table.pillar_by_id[base]), (len(keep), 1))
    for conflict in _stick_conflicts(table, new.take(keep), base, axes):
        legal[keep[conflict.rows]] = False
    network, rules = obstacles_of(table).network, table.ruleset
    keep = np.flatnonzero(legal)
    judged = judge_each(new_lines.take(keep), network)
    cars = np.zeros(len(legal), dtype=np.int64)
    cars[keep] = judged.cars + bonus
    if not self_cross or rules.own_cross_voids:
        crosses_own = keep[judged.crosses_own]
        cars[crosses_own] = 0  # an exit's bonus is a car on that road, too
        legal[crosses_own] &= self_cross
    return Screened(legal, cars)


def allowed_discs(table: Table, base: Pillar) -> tuple[tuple[int, bool], ...]:
    """The heights (discs, junction) of pillars of pillars that the seat to move can pay for and may build, grey first."""
    stock, box = table.stocks[table.to_move], table.components
    grey = [(m, False) for m in (base.discs - 1, base.discs + 1) if 1 <= m <= stock.grey]
    highest = base.discs + int(box.road_length / box.disc_height)
    yellow = [(m, True) for m in range(2, min(stock.grey + 1, highest) + 1)] if stock.yellow else []
    return (*grey, *yellow)


def reach(box: Components, rise: int) -> tuple[float, float] | None:
    """The least and the greatest distance in mm of two pillars `rise` discs apart in height that one road can join, laid from
    axis to axis without a slide (rules 4a, 4i); None if no road can.
    """
    return _reach(_sizes(box), abs(rise))


@lru_cache(maxsize=1024)
def _reach(sizes: _Sizes, rise: int) -> tuple[float, float] | None:
    def fits(distances: Floats) -> Bools:
        n = len(distances)
        start, levels = np.zeros((n, 2)), np.tile([0.0, float(rise)], (n, 1))
        end = np.stack([distances, np.zeros(n)], axis=-1)
        return _fits(_ends_of(sizes, _between(sizes, start, end, levels), np.stack([start, end], axis=1), levels))

    def edge(inside: float, outside: float) -> float:
        for _ in range(40):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if fits(np.array([middle]))[0] else (inside, middle)
        return inside

    tried = np.arange(_STEP, sizes.road_length + 4 * sizes.disc_radius, _STEP)
    (found,) = np.nonzero(fits(tried))
    if not len(found):
        return None
    least, greatest = float(tried[found[0]]), float(tried[found[-1]])
    return edge(least, least - _STEP), edge(greatest, greatest + _STEP)


def find_build(table: Table) -> Build | Exit | None:
    """A legal build or exit of the seat to move, by a fixed search: all base points, allowed heights, 72 bearings, 5
    distances.
    """
    bearings = np.radians(np.arange(72) * 5.0)
    rays = np.stack([np.cos(bearings), np.sin(bearings)], axis=-1)
    for point in table.base_points(table.to_move):
        base, axis = point.pillar, np.asarray(table.top(point.pillar))
        for discs, junction in allowed_discs(table, base):
            between = reach(table.components, discs - base.discs)
            if between is None:
                continue
            distances = np.linspace(between[0] + 0.02, between[1] - 0.02, 5)
            spots = np.round((axis + distances[:, None, None] * rays[None, :, :]).reshape(-1, 2), 2) + 0.0  # never -0
            n = len(spots)
            legal = screen(table, base.id, spots, np.full(n, discs), np.full(n, junction)).legal
            for x, y in spots[legal]:
                return Build(base.id, (float(x), float(y)), discs, junction)
        if table.exit_allowed(base) and base.discs * table.components.disc_height < table.components.road_length:
            run = math.sqrt(table.components.road_length**2 - (base.discs * table.components.disc_height) ** 2)
            spots = np.round(axis + run * rays, 2) + 0.0
            for x, y in spots[screen_exits(table, base.id, spots).legal]:
                return Exit(base.id, (float(x), float(y)))
    return None


def free_spots(
    table: Table,
    road: LaidRoad,
    pose: Pose | None,
    count: int,
    *,
    taken: Sequence[CarSpot] = (),
    steepest: float | None = None,
) -> tuple[CarSpot, ...]:
    """Up to `count` places for cars on a new road, from its middle outward, clear of all that stands and of each other.

    The car's full length is on the road. `taken` are places that are used or were tried: none is proposed within a car's length
    of them. On a road that rises by more than `steepest` (rise over run) there is no place.
    """
    box, strip = table.components, road_strip(table, road, pose)
    if not count or (steepest is not None and abs(strip.slope[0]) > steepest):
        return ()
    margin = box.car_length / 2 / box.road_length
    steps = [0.5 + sign * step * 0.005 for step in range(100) for sign in ((1,) if step == 0 else (1, -1))]
    wanted = [CarSpot(round(along, 3)) for along in steps if margin <= along <= 1 - margin]
    blocked = {row for row, _, _ in _car_hits(table, road, strip, wanted)}
    found: list[CarSpot] = []
    apart = (box.car_length + 2.0) / box.road_length
    for row, spot in enumerate(wanted):
        if len(found) == count:
            break
        if row not in blocked and all(abs(spot.along - other.along) >= apart for other in (*taken, *found)):
            found.append(spot)
    return tuple(sorted(found, key=lambda spot: spot.along))


# --- stock, base, height -----------------------------------------------------------------------------------------------------


def _stock_faults(table: Table, roads: int = 0, grey: int = 0, yellow: int = 0, cars: int = 0) -> tuple[Fault, ...]:
    stock = table.stocks[table.to_move]
    needed: tuple[tuple[FaultCode, str, int, int], ...] = (
        ("stock-roads", "road", roads, stock.roads),
        ("stock-grey", "grey disc", grey, stock.grey),
        ("stock-yellow", "yellow disc", yellow, stock.yellow),
        ("stock-cars", "car", cars, stock.cars),
    )
    return tuple(
        Fault(code, f"{letter(table.to_move)} needs {_count(count, what)} and has {have}", (), {"needs": count, "has": have})
        for code, what, count, have in needed
        if count > have
    )


def _base_faults(table: Table, base: Pillar) -> tuple[Fault, ...]:
    seat = table.to_move
    if base.owner != seat:
        text = f"{base.id} belongs to {letter(base.owner)}; {letter(seat)} builds from own pillars only"
        return (Fault("base-foreign", text, (base.id,)),)
    points = table.base_points(seat)
    if any(point.pillar.id == base.id for point in points):
        return ()
    leaving = [road.id for road in table.roads if road.base == base.id and road.kind != "entrance"]
    if base.junction and len(leaving) == 1:
        why = "a new junction branches from the next turn on"
    elif leaving:
        why = f"{' and '.join(leaving)} {'leaves' if len(leaving) == 1 else 'leave'} it already"
    else:
        why = "it is not the pillar built last (base_point = last_built)"
    known = _some_of([point.pillar.id for point in points])
    return (Fault("base-used", f"{base.id} is no base point: {why}; base points of {letter(seat)}: {known}", (base.id,)),)


def _height_faults(base: Pillar, placement: Build) -> tuple[Fault, ...]:
    if placement.junction:
        if placement.discs < 2:
            return (Fault("junction-height", "a junction has at least one grey disc under the yellow one", (), {"discs": 1}),)
        return ()
    if abs(placement.discs - base.discs) == 1:
        return ()
    allowed = " or ".join(str(m) for m in (base.discs - 1, base.discs + 1) if m >= 1)
    allowed += " disc" if allowed == "1" else " discs"
    text = f"a grey pillar from {base.id} ({_discs(base.discs)}) has {allowed}, not {placement.discs}"
    return (Fault("height", text, (base.id,), {"base": base.discs, "discs": placement.discs}),)


# --- reach -------------------------------------------------------------------------------------------------------------------


class _Sizes(NamedTuple):
    """What of a box decides how far a road reaches, in mm."""

    road_length: float
    road_width: float
    road_thickness: float
    disc_radius: float
    disc_height: float


class _Ends(NamedTuple):
    """How n roads lie on k pillars each, in mm: by how much an end sticks `out` past the rim, how far it `bears` on the disc
    along the stick (below 0: it stops that far short of the rim), by how much its middle is too far `aside` of the axis; all
    (n, k). And whether a road is too `steep` to lie on them, (n,).
    """

    out: Floats
    bears: Floats
    aside: Floats
    steep: Bools


def _sizes(box: Components) -> _Sizes:
    return _Sizes(box.road_length, box.road_width, box.road_thickness, box.disc_radius, box.disc_height)


def _between(box: Components | _Sizes, start: Floats, end: Floats, levels: Floats) -> Strips:
    size = (box.road_length, box.road_width, box.road_thickness)
    return footprints.strips_between(start, end, levels, np.zeros(len(start)), size, box.disc_height)


def _ends_of(sizes: _Sizes, new: Strips, axes: Floats, levels: Floats) -> _Ends:
    """How roads lie on the pillars whose axes `axes` (n, k, 2) are given, under the first k of start and end.

    `levels` (n, 2) are the heights of the ends in discs. A road really lies steeper than the line from axis to axis: its
    underside meets the higher disc at the rim that faces the other pillar, and its lower end lies on the lower disc, or on the
    table. See `_inclined`. In plan its centre of mass stays where the placement says.
    """
    ends = axes.shape[1]
    outward = np.array([-1.0, 1.0])[:ends]
    offset = axes - new.centre[:, None, :]
    along, aside = footprints.dot(offset, new.axis[:, None, :]), np.abs(footprints.cross(new.axis[:, None, :], offset))
    rim = np.sqrt(np.maximum(sizes.disc_radius**2 - np.maximum(aside - sizes.road_width / 2, 0.0) ** 2, 0.0))
    rise = (levels[:, 1] - levels[:, 0]) * sizes.disc_height
    up, rows = np.where(rise > 0, 1.0, -1.0), np.arange(len(new))
    higher = np.where(rise > 0, ends - 1, 0)
    cosine, sine, steep = _inclined(sizes, np.abs(rise), along[rows, higher] * up - rim[rows, higher])
    shift = up * sine * sizes.road_thickness / 2  # from the centre of mass to the middle of the underside
    half = cosine * sizes.road_length / 2
    past = half[:, None] + outward * (shift[:, None] - along)  # from each axis outward to the middle of the end's edge
    far = np.hypot(past, aside + sizes.road_width / 2)
    out = np.where(past > 0, far - sizes.disc_radius, -1.0)  # a corner on the near side is a matter of bearing
    return _Ends(out, (rim + past) / cosine[:, None], aside - (sizes.disc_radius - _BEARING), steep)


def _inclined(sizes: _Sizes, rise: Floats, away: Floats) -> tuple[Floats, Floats, Bools]:
    """Cosine and sine of the slope at which roads lie, and which find no slope up to the steepest.

    The near rim of the higher disc is `rise` above the lower end's edge, and `away` from the centre of mass in plan. With the
    slope's cotangent c the underside's middle is t/2 sin nearer to the rim than the centre of mass, its lower end L/2 cos
    further, so rise * c = away - t/2 sin + L/2 cos. Of the solutions the flattest holds: a road let down meets it first. The
    difference of the two sides is convex in c and positive where we begin, so that Newton's steps come down to it.
    """
    long, thick = sizes.road_length / 2, sizes.road_thickness / 2
    level = rise == 0
    high = np.where(level, 1.0, rise)
    c = np.maximum((away + long) / high, 1 / _STEEPEST)
    for _ in range(10):
        sine = 1 / np.sqrt(1 + c * c)
        excess = high * c - away + (thick - long * c) * sine
        slope = high - (long + thick * c) * sine**3
        step = np.where(slope > 0, excess / np.where(slope > 0, slope, 1.0), np.inf)
        c = np.maximum(c - step, 1 / _STEEPEST)
    sine = np.where(level, 0.0, 1 / np.sqrt(1 + c * c))
    cosine = np.where(level, 1.0, c * sine)
    steep = ~level & (high * c - away + thick * sine - long * cosine > _SLACK)
    return cosine, sine, np.asarray(steep, dtype=np.bool_)


def _fits(ends: _Ends) -> Bools:
    """Which roads lie on all their pillars, stick out past none and bear enough on each (rules 4a)."""
    good = (ends.out <= _SLACK) & (ends.bears >= _BEARING - _SLACK) & (ends.aside <= _SLACK)
    return np.asarray(good.all(axis=1) & ~ends.steep, dtype=np.bool_)


def _reach_faults(table: Table, new: _New, base: Pillar) -> tuple[Fault, ...]:
    road, box, faults = new.road, table.components, []
    on = [(base.id, table.top(base)), *([(new.pillar.id, new.pillar.at)] if new.pillar is not None else [])]
    names = [name for name, _ in on]
    levels = np.array([road.levels], dtype=np.float64)
    ends = _ends_of(_sizes(box), new.strip, np.array([[axis for _, axis in on]]), levels)
    apart = math.dist(on[0][1], on[-1][1] if new.pillar is not None else road.end)
    if ends.steep[0]:
        rise = abs(road.levels[1] - road.levels[0])
        text = f"{road.id} is too steep to lie on {' and '.join(names)}: {_discs(rise)} of height within {apart:.1f} mm"
        return (Fault("too-steep", text, (road.id, *names), {"rise": rise, "distance": apart}),)
    found = zip(names, ends.out[0].tolist(), ends.bears[0].tolist(), ends.aside[0].tolist(), strict=True)
    for name, out, bears, aside in found:
        pieces = (road.id, name)
        if out > _SLACK:
            text = f"{road.id} sticks out past the rim of {name} by {out:.2f} mm ({_span(apart)})"
            faults.append(Fault("sticks-out", text, pieces, {"mm": out, "distance": apart}))
        if bears < -_SLACK:
            text = f"{road.id} ends {-bears:.1f} mm short of the rim of {name} ({_span(apart)})"
            faults.append(Fault("reach", text, pieces, {"mm": _BEARING - bears, "distance": apart, "short": -bears}))
        elif bears < _BEARING - _SLACK:
            text = f"{road.id} bears only {max(bears, 0.0):.2f} mm on {name}, {_BEARING:g} mm is the least ({_span(apart)})"
            numbers = {"mm": _BEARING - bears, "distance": apart, "bears": max(bears, 0.0), "least": _BEARING}
            faults.append(Fault("reach", text, pieces, numbers))
        elif aside > _SLACK:
            most = box.disc_radius - _BEARING
            text = f"{road.id} ends {most + aside:.2f} mm beside the axis of {name}, {most:g} mm is the most"
            faults.append(Fault("reach", text, pieces, {"mm": aside, "aside": most + aside, "most": most}))
    return tuple(faults)


def _span(apart: float) -> str:
    return f"the ends are {apart:.1f} mm apart in plan"


# --- what is in the way ------------------------------------------------------------------------------------------------------


def _conflicts(table: Table, new: Strips, pillars: Circles | None, base: str | None, axes: Floats) -> Iterator[_Conflict]:
    """All of rules 4c and 4d that n new roads (and their pillars) break, row by row, against what stands.

    `axes` (n, 2) are the axes of the base pillars, near which own roads may touch.
    """
    yield from _stick_conflicts(table, new, base, axes)
    yield from _disc_conflicts(table, new, pillars, base)


def _stick_conflicts(table: Table, new: Strips, base: str | None, axes: Floats) -> Iterator[_Conflict]:
    """Roads, cars and box-shaped buildings that the new roads touch."""
    field, seat = obstacles_of(table), table.to_move
    own = np.zeros(len(field.sticks), dtype=np.bool_)
    own[: len(table.roads)] = [road.owner == seat and base is not None and base in road.pillars for road in table.roads]
    gaps = footprints.strip_gaps(new.grown(TOUCH), field.sticks, (axes, _SUPPORT * table.components.disc_radius, own))
    roads, cars, boxes = _parts(gaps, len(field.roads), len(field.cars), len(field.boxes))
    # pieces that stand are not lifted: of two own roads on one pillar the new one lies on top, and nowhere below the old one
    meets = -roads.high - new.thick[roads.i] < _NEAR
    below = own[roads.j] & meets & (roads.low < 0)
    yield _Conflict("under-own-road", roads.i[below], roads.j[below], field.road_ids, roads.low[below], gap=True)
    yield _touching("touches-road", _some(roads, ~below), new, field.roads, field.road_ids)
    if table.ruleset.touch_cars == "illegal":
        yield _touching("touches-car", cars, new, field.cars, field.car_ids)
    above, apart = boxes.low - field.boxes.thick[boxes.j], -footprints.strip_depths(new, boxes.i, field.boxes, boxes.j)
    yield _over_building(table, boxes, above, apart, field.box_ids)


def _disc_conflicts(table: Table, new: Strips, pillars: Circles | None, base: str | None) -> Iterator[_Conflict]:
    """Round buildings that the new roads touch, pillars that they pass above, whatever is in the way of the new pillars."""
    field = obstacles_of(table)
    discs, cylinders = _parts(footprints.circle_gaps(new.grown(TOUCH), field.rounds), len(field.discs), len(field.cylinders))
    apart = -_overlap(new, cylinders.i, field.cylinders, cylinders.j)
    yield _over_building(table, cylinders, cylinders.low, apart, field.cylinder_ids)
    yield from _pillar_conflicts(table, field, new, discs, base)
    if pillars is not None:
        yield from _new_pillar_conflicts(field, pillars, table.ruleset.pillar_under_road == "forbid")


def _parts(gaps: Gaps, *counts: int) -> list[Gaps]:
    """The pairs with the first `counts[0]` standing rows, with the `counts[1]` after them, ...; each part counts from 0."""
    parts, first = [], 0
    for count in counts:
        some = (gaps.j >= first) & (gaps.j < first + count)
        part = _some(gaps, some)
        parts.append(part._replace(j=part.j - first))
        first += count
    return parts


def _some(gaps: Gaps, which: Bools) -> Gaps:
    return Gaps(gaps.i[which], gaps.j[which], gaps.low[which], gaps.high[which])


def _over_building(table: Table, gaps: Gaps, above: Floats, apart: Floats, ids: Sequence[str]) -> _Conflict:
    if table.ruleset.over_building == "forbid":
        gap = np.where(above < _NEAR, np.maximum(above, apart), above)
        return _Conflict("over-building", gaps.i, gaps.j, ids, gap, gap=True)
    return _closer("touches-building", gaps, above, apart, ids)


def _touching(code: FaultCode, gaps: Gaps, new: Strips, old: Strips, ids: Sequence[str]) -> _Conflict:
    """The pairs of sticks that touch or cut each other: neither is clear above the other on their common area."""
    above, below = gaps.low - old.thick[gaps.j], -gaps.high - new.thick[gaps.i]
    return _closer(code, gaps, np.maximum(above, below), -footprints.strip_depths(new, gaps.i, old, gaps.j), ids)


def _closer(code: FaultCode, gaps: Gaps, above: Floats, apart: Floats, ids: Sequence[str]) -> _Conflict:
    """The pairs that are neither clear one above the other by TOUCH nor clear beside each other by as much."""
    gap = np.maximum(above, apart)
    bad = gap < _NEAR
    return _Conflict(code, gaps.i[bad], gaps.j[bad], ids, gap[bad], gap=True)


def _pillar_conflicts(table: Table, field: Obstacles, new: Strips, gaps: Gaps, base: str | None) -> Iterator[_Conflict]:
    """Rules 4c: no road passes above a pillar, at any height, own pillars included unless own_pillar_shadow = allow."""
    allow = table.ruleset.own_pillar_shadow == "allow" and table.ruleset.loop == "graph"
    mine, support = field.disc_owners == table.to_move, np.array([name == base for name in field.disc_pillars], dtype=np.bool_)
    shadow = ~support[gaps.j] & ~(mine & allow)[gaps.j]
    i, j = gaps.i[shadow], gaps.j[shadow]
    yield _Conflict("over-pillar", i, j, field.disc_pillars, _overlap(new, i, field.discs, j))
    if allow:
        own = _some(gaps, ~support[gaps.j] & mine[gaps.j])
        yield _closer("touches-pillar", own, own.low, -_overlap(new, own.i, field.discs, own.j), field.disc_pillars)


def _new_pillar_conflicts(field: Obstacles, pillars: Circles, forbid: bool) -> Iterator[_Conflict]:
    depth, discs = footprints.disc_overlaps(pillars, field.rounds), len(field.discs)
    i, j = np.nonzero(depth[:, :discs] > -_NEAR)
    yield _Conflict("pillar-on-pillar", i, j, field.disc_pillars, depth[i, j])
    # asked the other way round, so that the standing sticks are the rows i
    gaps = footprints.circle_gaps(field.sticks, pillars.grown(TOUCH))
    gaps = Gaps(gaps.j, gaps.i, gaps.low, gaps.high)
    roads, cars, boxes = _parts(gaps, len(field.roads), len(field.cars), len(field.boxes))
    if forbid:
        mm = _overlap(field.roads, roads.j, pillars, roads.i)
        yield _Conflict("pillar-under-road", roads.i, roads.j, field.road_ids, mm)
    else:
        apart = -_overlap(field.roads, roads.j, pillars, roads.i)
        yield _closer("pillar-touches-road", roads, roads.low, apart, field.road_ids)
    apart = -_overlap(field.cars, cars.j, pillars, cars.i)
    yield _closer("pillar-touches-car", cars, cars.low, apart, field.car_ids)
    yield _Conflict("pillar-on-building", boxes.i, boxes.j, field.box_ids, _overlap(field.boxes, boxes.j, pillars, boxes.i))
    i, j = np.nonzero(depth[:, discs:] > -_NEAR)
    yield _Conflict("pillar-on-building", i, j, field.cylinder_ids, depth[i, j + discs])


def _overlap(strips: Strips, i: Ints, circles: Circles, j: Ints) -> Floats:
    """By how many mm paired strips and circles overlap in plan."""
    depth: Floats = circles.radius[j] - _distance(strips, i, circles.centre[j])
    return depth


def _distance(strips: Strips, i: Ints, points: Floats) -> Floats:
    """The distance in plan from each point to the rectangle of its row."""
    offset, axis = points - strips.centre[i], strips.axis[i]
    along = np.abs((offset * axis).sum(-1)) - strips.half[i, 0]
    across = np.abs(offset[:, 1] * axis[:, 0] - offset[:, 0] * axis[:, 1]) - strips.half[i, 1]
    distance: Floats = np.hypot(np.maximum(along, 0.0), np.maximum(across, 0.0))
    return distance


def _conflict_faults(table: Table, new: _New) -> tuple[Fault, ...]:
    box, base, circles = table.components, new.base, None
    if new.pillar is not None:
        height = new.pillar.discs * box.disc_height
        circles = Circles(np.array([new.pillar.at]), np.array([box.disc_radius]), np.zeros(1), np.array([height]))
    faults = []
    starts = np.array([table.top(base) if base is not None else new.road.start])
    for conflict in _conflicts(table, new.strip, circles, base.id if base is not None else None, starts):
        worst: dict[str, float] = {}  # a leaning pillar is told once
        for piece, mm in zip(conflict.pieces, conflict.mm.tolist(), strict=True):
            worst[piece] = (min if conflict.gap else max)(worst.get(piece, mm), mm)
        faults += [_fault(table, new, conflict.code, piece, mm) for piece, mm in worst.items()]
    return tuple(faults)


def _fault(table: Table, new: _New, code: FaultCode, piece: str, mm: float) -> Fault:
    road, pillar, box = new.road.id, new.pillar, table.components
    stack = f"the pillar at {_at(pillar.at)}" if pillar is not None else ""
    numbers: dict[str, float] = {"mm": mm}
    if code == "touches-road":
        text, numbers = _touch_text(table, new, piece, mm)
    elif code == "under-own-road":
        what = f"its lower end cannot come down to the table from {new.road.base}"
        if new.road.target is not None:
            what = f"from {new.road.base} it cannot pass under it"
        text, numbers = f"{road} would lie on {piece}: {what}", {"mm": -mm}
    elif code == "over-pillar":
        need = box.disc_radius + box.road_width / 2 + TOUCH
        numbers = {"mm": mm, "distance": need - TOUCH - mm, "needed": need}
        where = f"the pillar {piece} at {_at(table.pillar_by_id[piece].at)}"
        text = f"{road} overlaps {where} seen from above: {numbers['distance']:.2f} mm from its axis, {need:g} mm is needed"
    elif code == "over-building" and mm >= TOUCH:
        text = f"{road} passes {mm:.2f} mm over the building {piece} (over_building = forbid)"
    elif code in ("touches-pillar", "touches-car", "over-building", "touches-building"):
        what = {"touches-pillar": "pillar", "touches-car": "car"}.get(code, "building")
        text, numbers = _contact(road, f"the {what} {piece}", mm)
    elif code == "pillar-touches-road" or code == "pillar-touches-car":
        text, numbers = _contact(stack, f"{code[15:]} {piece}", mm)
    else:
        what = {"pillar-on-pillar": "pillar", "pillar-under-road": "road"}.get(code, "building")
        text, numbers = _overlapping(stack, f"{what} {piece}", mm)
        if code == "pillar-under-road":
            text += "; no pillar is set under a road"
    pieces = (piece,) if code.startswith("pillar") else (road, piece)
    return Fault(code, text, pieces, numbers)


def _contact(one: str, other: str, mm: float) -> tuple[str, dict[str, float]]:
    """A clear gap of `mm`, or a cut where it is below 0, in words and as numbers."""
    if mm <= -_SHOWN:
        return f"{one} cuts {-mm:.2f} mm into {other}", {"mm": mm, "into": -mm}
    return f"{one} touches {other}: the gap is {max(mm, 0.0) + 0.0:.2f} mm", {"mm": mm, "clear": max(mm, 0.0)}


def _overlapping(one: str, other: str, mm: float) -> tuple[str, dict[str, float]]:
    """An overlap in plan of `mm`, or a gap where it is below 0, in words and as numbers."""
    if mm >= _SHOWN:
        return f"{one} overlaps {other} by {mm:.2f} mm in plan", {"mm": mm}
    return f"{one} touches {other}: the gap is {max(-mm, 0.0) + 0.0:.2f} mm in plan", {"mm": mm, "clear": max(-mm, 0.0)}


def _touch_text(table: Table, new: _New, piece: str, mm: float) -> tuple[str, dict[str, float]]:
    """How two roads touch: at the crossing of their centre lines where there is one, else at the narrowest place."""
    field, road = obstacles_of(table), new.road
    index = field.road_ids.index(piece)
    text, numbers = _contact(road.id, f"road {piece}", mm)
    met = meetings(lines([table.line(road)]), field.network.lines, table.ruleset, table.components)
    if not met.meet[0, index]:
        return text, numbers
    x, y = met.at[0, index].tolist()
    rise = float(met.level[0, index] - met.other[0, index]) * table.components.disc_height
    lower = field.roads.thick[index] if rise >= 0 else new.strip.thick[0]
    gap = abs(rise) - float(lower)  # between the sticks, on the centre lines
    numbers |= {"gap": gap, "x": x, "y": y}
    if gap <= -_SHOWN:
        cut = f"{road.id} cuts {-gap:.2f} mm into road {piece} at their crossing ({x:.1f}, {y:.1f})"
        return f"{cut}, {max(-mm, -gap):.2f} mm at most", numbers | {"deep": -gap, "into": max(-mm, -gap)}
    return f"{text}; at their crossing ({x:.1f}, {y:.1f}) it is clear by {max(gap, 0.0):.2f} mm", numbers


def _own_crossing_faults(table: Table, own: Sequence[str]) -> tuple[Fault, ...]:
    if table.ruleset.self_cross or not own:
        return ()
    why = "own roads may not enclose a ring (loop = planar)" if table.ruleset.loop == "planar" else "self_cross is false"
    return tuple(Fault("own-crossing", f"the new road crosses the own road {road}: {why}", (road,)) for road in own)


# --- cars and buildings ------------------------------------------------------------------------------------------------------


def _car_count_faults(table: Table, wanted: int, earned: int) -> tuple[Fault, ...]:
    have = table.stocks[table.to_move].cars
    numbers = {"wanted": wanted, "earned": earned, "has": have}
    if wanted > earned:
        text = f"{_count(wanted, 'car')} {_are(wanted)} put down, but {earned} {_are(earned)} earned"
        return (Fault("cars-earned", text, (), numbers),)
    if wanted > have:
        text = f"{_count(wanted, 'car')} {_are(wanted)} put down, but {letter(table.to_move)} has {have} left"
        return (Fault("stock-cars", text, (), numbers),)
    return ()


def _car_faults(table: Table, new: _New, spots: tuple[CarSpot, ...]) -> tuple[Fault, ...]:
    box, road, faults = table.components, new.road, []
    least, most = _car_range(box, float(new.strip.slope[0]))
    widest = box.road_width / 2 - _STANDS
    for n, spot in enumerate(spots):
        if not least <= spot.along <= most:
            text = f"a car at {spot.along:g} of {road.id} would fall off its end: it stands from {least:g} to {most:g}"
            faults.append(Fault("car-off-road", text, (road.id,), {"along": spot.along, "least": least, "most": most}))
        if abs(spot.side) > widest + _SLACK:
            text = f"the car at {spot.along:g} of {road.id} is {abs(spot.side):g} mm off its middle, {widest:g} mm is the most"
            faults.append(Fault("car-off-road", text, (road.id,), {"mm": abs(spot.side), "widest": widest}))
        for other in spots[:n]:
            overlap = box.car_length - abs(spot.along - other.along) * box.road_length
            if overlap > -_NEAR and abs(spot.side - other.side) < box.car_width + _NEAR:
                cars = f"the cars at {other.along:g} and {spot.along:g} of {road.id}"
                numbers = {"mm": overlap}
                text = f"{cars} overlap by {overlap:.2f} mm"
                if overlap < _SHOWN:
                    text, numbers = f"{cars} touch: the gap is {abs(overlap):.2f} mm", {"mm": overlap, "clear": abs(overlap)}
                faults.append(Fault("car-on-car", text, (road.id,), numbers))
    for row, piece, mm in _car_hits(table, road, new.strip, spots):
        text, numbers = _contact(f"the car at {spots[row].along:g} of {road.id}", piece, mm)
        faults.append(Fault("car-touches", text, (road.id, piece), numbers))
    return tuple(faults)


def _car_range(box: Components, slope: float) -> tuple[float, float]:
    """From where to where along a road of that slope a car can stand: its centre of mass is over the road, not at an end.

    A car's centre of mass is half its height above the road, so on a slope that much times the slope further down.
    """
    down = box.car_height / 2 * abs(slope)
    start, end = _STANDS + down * (slope > 0), _STANDS + down * (slope < 0)
    return math.ceil(1000 * start / box.road_length) / 1000, 1 - math.ceil(1000 * end / box.road_length) / 1000


def _car_hits(table: Table, road: LaidRoad, strip: Strips, spots: Sequence[CarSpot]) -> list[tuple[int, str, float]]:
    """Which cars on a road would touch which standing piece, the road's own pillars aside: (row, piece, gap in mm)."""
    if not spots:
        return []
    field, cars = obstacles_of(table), car_strips(table.components, strip, tuple(spots))
    near = cars.grown(TOUCH)
    hits = [
        _touching("car-touches", footprints.strip_gaps(near, old), cars, old, ids)
        for old, ids in ((field.roads, field.road_ids), (field.cars, field.car_ids), (field.boxes, field.box_ids))
    ]
    discs, cylinders = _parts(footprints.circle_gaps(near, field.rounds), len(field.discs), len(field.cylinders))
    beside = np.array([name not in road.pillars for name in field.disc_pillars], dtype=np.bool_)
    hits.append(_beside_round(cars, _some(discs, beside[discs.j]), field.discs, field.disc_pillars))
    hits.append(_beside_round(cars, cylinders, field.cylinders, field.cylinder_ids))
    return [item for hit in hits for item in zip(hit.rows.tolist(), hit.pieces, hit.mm.tolist(), strict=True)]


def _beside_round(cars: Strips, gaps: Gaps, rounds: Circles, ids: Sequence[str]) -> _Conflict:
    """The cars that touch discs or cylinders."""
    below = rounds.bottom[gaps.j] - rounds.top[gaps.j] - gaps.high - cars.thick[gaps.i]
    return _closer("car-touches", gaps, np.maximum(gaps.low, below), -_overlap(cars, gaps.i, rounds, gaps.j), ids)


def _footprint_hits(field: Obstacles, strip: tuple[Any, ...] | None, circle: tuple[Any, ...] | None) -> list[tuple[str, float]]:
    """The pieces that a building would stand on or in, whatever their height, with the overlap in mm."""
    hits: list[tuple[str, float]] = []
    standing = ((field.roads, field.road_ids), (field.cars, field.car_ids), (field.boxes, field.box_ids))
    rounds = ((field.discs, field.disc_pillars), (field.cylinders, field.cylinder_ids))
    if circle is not None:
        (x, y), radius, bottom, height = circle
        new = Circles(np.array([(x, y)]), np.array([radius]), np.array([bottom]), np.array([height]))
        for strips, ids in standing:
            gaps = footprints.circle_gaps(strips, new)
            hits += zip(
                (ids[k] for k in gaps.i), (radius - _distance(strips, gaps.i, new.centre[gaps.j])).tolist(), strict=True
            )
        for circles, ids in rounds:
            depth = footprints.disc_overlaps(new, circles)[0]
            hits += [(ids[k], float(depth[k])) for k in np.flatnonzero(depth > _SLACK)]
    else:
        assert strip is not None
        new_strip = footprints.strips([strip])
        for strips, ids in standing:
            gaps = footprints.strip_gaps(new_strip, strips)
            depth = footprints.strip_depths(new_strip, gaps.i, strips, gaps.j)
            hits += zip((ids[k] for k in gaps.j), depth.tolist(), strict=True)
        for circles, ids in rounds:
            gaps = footprints.circle_gaps(new_strip, circles)
            depth = circles.radius[gaps.j] - _distance(new_strip, gaps.i, circles.centre[gaps.j])
            hits += zip((ids[k] for k in gaps.j), depth.tolist(), strict=True)
    worst: dict[str, float] = {}
    for piece, mm in hits:
        worst[piece] = max(worst.get(piece, 0.0), mm)
    return list(worst.items())


# --- small things ------------------------------------------------------------------------------------------------------------


def _at(point: tuple[float, float]) -> str:
    x, y = (round(value, 1) + 0.0 for value in point)  # -0.0 reads like a slip
    return f"({x:.1f}, {y:.1f})"


def _count(count: float, what: str) -> str:
    return f"{count:g} {what}{'' if count == 1 else 's'}"


def _discs(count: float) -> str:
    return _count(count, "disc")


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _some_of(ids: Sequence[str]) -> str:
    """The first three of some ids, and how many more there are."""
    more = f" and {len(ids) - 3} more" if len(ids) > 3 else ""
    return ", ".join(ids[:3]) + more or "none"
