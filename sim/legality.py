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

from sim import plan
from sim.crossings import Crossing, Lines, cars_of_each, judge, lines, meetings
from sim.field import Field, car_strips, field_of, road_strip
from sim.pieces import Components
from sim.placement import Build, CarSpot, Entrance, Exit, Pass, Placement, Resign, SetBuilding
from sim.plan import Circles, Gaps, Strips
from sim.poses import Pose, from_axes
from sim.table import LaidRoad, Pillar, Table, letter
from sim.verdict import Fault, FaultCode

__all__ = ["Screened", "allowed_discs", "earned", "every_fault", "find_build", "free_spots", "reach", "screen", "screen_exits"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

_BEARING = 2.5  # mm that a road's end bears on its disc at least: section 4a of the rules
_SUPPORT = 2.0  # own roads on one pillar may touch within this many disc radii of its axis: section 4d
_SLACK = 1e-6  # mm lost to rounding


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
    strip, circle = plan.upright(kind.shape, pose)
    for piece, mm in _footprint_hits(field_of(table), strip, circle):
        text = (
            f"the {placement.building} at {_at(placement.at)} stands in the way of {piece}: they overlap by {mm:.2f} mm in plan"
        )
        faults.append(Fault("building-overlap", text, (piece,), {"mm": mm}))
    return tuple(faults)


def _before_pass(table: Table, placement: Placement) -> tuple[Fault, ...]:
    assert isinstance(placement, Pass)
    seat = table.to_move
    if table.unable(seat) or (table.ruleset.may_pass and placement.reason is None):
        return ()
    if placement.reason is None:
        bases = ", ".join(base.pillar.id for base in table.base_points(seat))
        text = f'{letter(seat)} can build from {bases}, and may_pass is false; if no place is left, pass with "no room"'
        return (Fault("can-build", text, tuple(base.pillar.id for base in table.base_points(seat))),)
    found = find_build(table)
    if found is None:
        return ()
    return (Fault("has-room", f"{letter(seat)} has room to build: {found} is legal", (), {}),)


def _before_road(table: Table, placement: Placement) -> tuple[Fault, ...]:
    assert isinstance(placement, (Build, Exit))
    seat = table.to_move
    faults: list[Fault] = []
    base = table.pillar_by_id.get(placement.base)
    if base is None:
        known = ", ".join(point.pillar.id for point in table.base_points(seat)) or "none"
        return (Fault("base-unknown", f"there is no pillar {placement.base}; base points of {letter(seat)}: {known}"),)
    faults += _base_faults(table, base)
    if isinstance(placement, Build):
        faults += _height_faults(base, placement)
        grey = placement.discs - placement.junction
        faults += _stock_faults(table, roads=1, grey=grey, yellow=int(placement.junction))
    else:
        faults += _stock_faults(table, roads=1)
        if not table.exit_allowed(base):
            text = (
                f"an exit leaves a pillar of height {table.ruleset.exit_height}; {base.id} has {base.discs} discs (exit_height)"
            )
            faults.append(Fault("exit-height", text, (base.id,), {"discs": base.discs}))
        if base.discs * table.components.disc_height >= table.components.road_length:
            return (
                *faults,
                Fault("reach", f"a road is too short to come down from {base.id}", (base.id,), {"discs": base.discs}),
            )
    new = _New.of(table, placement, base)
    if math.dist(new.road.start, new.road.end) < table.components.disc_radius:
        where = "the pillar" if isinstance(placement, Build) else "the lower end"
        return (*faults, Fault("reach", f"{where} is set at the base pillar {base.id} itself", (base.id,)))
    faults += _reach_faults(table, new, base)
    faults += _conflict_faults(table, new)
    crossings = judge(table.line(new.road), field_of(table).network)
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
    legal &= (_misfits(box, new, np.stack([start, pillars], axis=1)) <= _SLACK).all(axis=(1, 2))
    new_lines = Lines(start, pillars, levels, np.full(n, seat), np.zeros(n, dtype=np.bool_))
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
    legal = np.asarray((_misfits(box, new, np.tile(axis, (n, 1, 1))) <= _SLACK).all(axis=(1, 2)), dtype=np.bool_)
    new_lines = Lines(start, to, levels, np.full(n, seat), np.ones(n, dtype=np.bool_))
    return _screened(table, base, legal, new, None, new_lines, table.ruleset.self_cross, bonus=1)


def _screened(
    table: Table, base: str, legal: Bools, new: Strips, circles: Circles | None, new_lines: Lines, self_cross: bool, bonus: int
) -> Screened:
    keep = np.flatnonzero(legal)
    for conflict in _disc_conflicts(table, new.take(keep), circles.take(keep) if circles is not None else None, base):
        legal[keep[conflict.rows]] = False
    keep = np.flatnonzero(legal)  # the dearer checks are for those that are left
    axes = np.tile(table.top(table.pillar_by_id[base]), (len(keep), 1))
    for conflict in _stick_conflicts(table, new.take(keep), base, axes):
        legal[keep[conflict.rows]] = False
    network, rules = field_of(table).network, table.ruleset
    keep = np.flatnonzero(legal)
    some_lines = new_lines.take(keep)
    cars = np.zeros(len(legal), dtype=np.int64)
    cars[keep] = cars_of_each(some_lines, network) + bonus
    if not self_cross or rules.own_cross_voids:
        meet = meetings(some_lines, network.lines, rules, table.components).meet
        own = (meet & (network.lines.owner == table.to_move)[None, :]).any(axis=1)
        if self_cross:
            cars[keep[own]] = 0  # own_cross_voids
        else:
            legal[keep[own]], cars[keep[own]] = False, 0
    return Screened(legal, cars)


def allowed_discs(table: Table, base: Pillar) -> tuple[tuple[int, bool], ...]:
    """The heights (discs, junction) of pillars of pillars that the seat to move can pay for and may build, grey first."""
    stock, box = table.stocks[table.to_move], table.components
    grey = [(m, False) for m in (base.discs - 1, base.discs + 1) if 1 <= m <= stock.grey]
    highest = base.discs + int(box.road_length / box.disc_height)
    yellow = [(m, True) for m in range(2, min(stock.grey + 1, highest) + 1)] if stock.yellow else []
    return (*grey, *yellow)


def reach(box: Components, rise: int) -> tuple[float, float] | None:
    """The least and the greatest distance in mm of two pillars `rise` discs apart in height that one road can join (section
    4a).
    """
    return _reach(box.road_length, abs(rise) * box.disc_height, box.disc_radius, box.road_width)


@lru_cache(maxsize=1024)
def _reach(length: float, dz: float, radius: float, width: float) -> tuple[float, float] | None:
    past = math.sqrt(radius**2 - (width / 2) ** 2)
    short = radius - _BEARING

    def surplus(distance: float) -> float:
        return (length * distance / math.hypot(distance, dz) - distance) / 2

    # the surplus of the stick beyond each axis grows to one greatest value and falls from there; its stretch between the two
    # bounds is what counts, and it is taken on the falling side, where every real pair of pillars lies
    peak = math.sqrt(max((length * dz * dz) ** (2 / 3) - dz * dz, 0.0))
    if surplus(max(peak, 1e-9)) < -short:
        return None
    greatest = _bisect(lambda d: surplus(d) + short, max(peak, 1e-9), 3 * length)
    least = peak if surplus(max(peak, 1e-9)) <= past else _bisect(lambda d: surplus(d) - past, max(peak, 1e-9), 3 * length)
    return max(least, 1e-9), greatest


def find_build(table: Table) -> Placement | None:
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
    """Up to `count` places for cars on a new road, from its middle outward, clear of all that stands and of each other."""
    if not count:
        return ()
    box, strip = table.components, road_strip(table, road, pose)
    if steepest is not None and abs(float(strip.slope[0])) > steepest:
        return ()
    margin = (box.car_length / 2 + box.disc_radius) / box.road_length  # off the ends, where other roads may come to lie
    steps = [0.5 + sign * step * 0.005 for step in range(100) for sign in ((1,) if step == 0 else (1, -1))]
    wanted = [CarSpot(round(along, 3)) for along in steps if margin <= along <= 1 - margin]
    blocked = {row for row, _, _ in _car_hits(table, strip, tuple(wanted))}
    found: list[CarSpot] = []
    apart = (box.car_length + 2.0) / box.road_length
    for row, spot in enumerate(wanted):
        if len(found) == count:
            break
        if row not in blocked and all(abs(spot.along - other.along) >= apart for other in (*found, *taken)):
            found.append(spot)
    return tuple(sorted(found, key=lambda spot: spot.along))


# --- stock, base, height -----------------------------------------------------------------------------------------------------


def _stock_faults(table: Table, roads: int = 0, grey: int = 0, yellow: int = 0, cars: int = 0) -> tuple[Fault, ...]:
    stock = table.stocks[table.to_move]
    needed: tuple[tuple[FaultCode, str, int, int], ...] = (
        ("stock-roads", "roads", roads, stock.roads),
        ("stock-grey", "grey discs", grey, stock.grey),
        ("stock-yellow", "yellow discs", yellow, stock.yellow),
        ("stock-cars", "cars", cars, stock.cars),
    )
    return tuple(
        Fault(code, f"{letter(table.to_move)} needs {count} {what} and has {have}", (), {"needs": count, "has": have})
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
        why = "it is a junction of this very turn: its branch comes from the next turn on"
    elif leaving:
        why = f"{' and '.join(leaving)} {'leaves' if len(leaving) == 1 else 'leave'} it already"
    else:
        why = "it is not the pillar built last (base_point = last_built)"
    known = ", ".join(point.pillar.id for point in points) or "none"
    return (Fault("base-used", f"{base.id} is no base point: {why}; base points of {letter(seat)}: {known}", (base.id,)),)


def _height_faults(base: Pillar, placement: Build) -> tuple[Fault, ...]:
    if placement.junction:
        if placement.discs < 2:
            return (Fault("junction-height", "a junction has at least one grey disc under the yellow one", (), {"discs": 1}),)
        return ()
    if abs(placement.discs - base.discs) == 1:
        return ()
    allowed = " or ".join(str(m) for m in (base.discs - 1, base.discs + 1) if m >= 1)
    text = f"a grey pillar from {base.id} ({base.discs} discs) has {allowed} discs, not {placement.discs}"
    return (Fault("height", text, (base.id,), {"base": base.discs, "discs": placement.discs}),)


# --- reach -------------------------------------------------------------------------------------------------------------------


def _between(box: Components, start: Floats, end: Floats, levels: Floats) -> Strips:
    size = (box.road_length, box.road_width, box.road_thickness)
    return plan.strips_between(start, end, levels, np.zeros(len(start)), size, box.disc_height)


def _misfits(box: Components, new: Strips, axes: Floats) -> Floats:
    """By how many mm the ends of each road stick out past the rim, and miss their bearing: (n, k, 2), above 0 is wrong.

    `axes` (n, k, 2) are the axes of the pillars under the first k of start and end. Past the rim: a corner of the end lies
    outside the disc. Bearing: the middle of the end edge stops too far short of the axis.
    """
    ends = axes.shape[1]
    outward = np.array([-1.0, 1.0])[:ends]
    corners = new.corners().reshape(len(new), 2, 2, 2)[:, :ends] - axes[:, :, None, :]
    toward = (new.axis[:, None, :] * outward[:, None])[:, :, None, :]
    middle = new.centre[:, None, :] + new.axis[:, None, :] * (new.half[:, :1] * outward)[..., None] - axes
    along, across = plan.dot(middle, toward[:, :, 0]), np.abs(plan.cross(toward[:, :, 0], middle))
    short = np.maximum(-along, across) - (box.disc_radius - _BEARING)
    # a corner outside the disc on the near side is a matter of bearing, not of sticking out
    beyond = plan.dot(corners, toward).max(axis=-1) > 0
    out = np.where(beyond, np.sqrt(plan.dot(corners, corners).max(axis=-1)) - box.disc_radius, -1.0)
    return np.stack([out, short], axis=-1)


def _reach_faults(table: Table, new: _New, base: Pillar) -> tuple[Fault, ...]:
    road, faults = new.road, []
    ends = [(base.id, table.top(base))]
    if new.pillar is not None:
        ends.append((new.pillar.id, new.pillar.at))
    misfits = _misfits(table.components, new.strip, np.array([[axis for _, axis in ends]]))[0].tolist()
    apart = math.dist(ends[0][1], ends[-1][1] if new.pillar is not None else road.end)
    for (name, _), (out, short) in zip(ends, misfits, strict=True):
        if out > _SLACK:
            text = f"{road.id} sticks out past the rim of {name} by {out:.2f} mm ({_span(apart)})"
            faults.append(Fault("sticks-out", text, (road.id, name), {"mm": out, "distance": apart}))
        if short > _SLACK:
            bears = f"it bears {_BEARING - short:.2f} mm there, {_BEARING:g} is the least"
            numbers = {"mm": short, "distance": apart, "bears": _BEARING - short, "least": _BEARING}
            text = f"{road.id} does not reach {name}: {bears} ({_span(apart)})"
            faults.append(Fault("reach", text, (road.id, name), numbers))
    return tuple(faults)


def _span(apart: float) -> str:
    return f"the ends are {apart:.2f} mm apart in plan"


# --- what is in the way ------------------------------------------------------------------------------------------------------


def _conflicts(table: Table, new: Strips, pillars: Circles | None, base: str | None, axes: Floats) -> Iterator[_Conflict]:
    """Every rule of section 4 c and d that n new roads (and their pillars) break, row by row, against what stands.

    `axes` (n, 2) are the axes of the base pillars, near which own roads may touch.
    """
    yield from _stick_conflicts(table, new, base, axes)
    yield from _disc_conflicts(table, new, pillars, base)


def _stick_conflicts(table: Table, new: Strips, base: str | None, axes: Floats) -> Iterator[_Conflict]:
    """Roads, cars and box-shaped buildings that the new roads touch."""
    field, seat = field_of(table), table.to_move
    own = np.zeros(len(field.sticks), dtype=np.bool_)
    own[: len(table.roads)] = [road.owner == seat and base is not None and base in road.pillars for road in table.roads]
    gaps = plan.strip_gaps(new, field.sticks, (axes, _SUPPORT * table.components.disc_radius, own))
    roads, cars, boxes = _parts(gaps, len(field.roads), len(field.cars), len(field.boxes))
    yield _touching("touches-road", roads, new.thick, field.roads.thick, field.road_ids)
    if table.ruleset.touch_cars == "illegal":
        yield _touching("touches-car", cars, new.thick, field.cars.thick, field.car_ids)
    yield _over_building(table, boxes, field.boxes.thick[boxes.j], field.box_ids)


def _disc_conflicts(table: Table, new: Strips, pillars: Circles | None, base: str | None) -> Iterator[_Conflict]:
    """Round buildings that the new roads touch, pillars that they pass above, whatever is in the way of the new pillars."""
    field = field_of(table)
    discs, cylinders = _parts(plan.circle_gaps(new, field.rounds), len(field.discs), len(field.cylinders))
    yield _over_building(table, cylinders, None, field.cylinder_ids)
    yield from _pillar_conflicts(table, field, new, discs, base)
    if pillars is not None:
        yield from _new_pillar_conflicts(field, pillars, table.ruleset.pillar_under_road == "forbid")


def _parts(gaps: Gaps, *counts: int) -> list[Gaps]:
    """The pairs with the first `counts[0]` standing rows, with the `counts[1]` after them, ...; each part counts from 0."""
    parts, first = [], 0
    for count in counts:
        some = (gaps.j >= first) & (gaps.j < first + count)
        parts.append(Gaps(gaps.i[some], gaps.j[some] - first, gaps.low[some], gaps.high[some]))
        first += count
    return parts


def _over_building(table: Table, gaps: Gaps, height: Floats | None, ids: Sequence[str]) -> _Conflict:
    over = table.ruleset.over_building == "forbid"
    return _blocking("over-building" if over else "touches-building", gaps, height, over, ids)


def _touching(code: FaultCode, gaps: Gaps, thick: Floats, other: Floats, ids: Sequence[str]) -> _Conflict:
    """The pairs of sticks that touch or cut each other: neither is clear above the other on their common area."""
    above, below = gaps.low - other[gaps.j], -gaps.high - thick[gaps.i]
    gap = np.maximum(above, below)
    bad = gap <= _SLACK
    return _Conflict(code, gaps.i[bad], gaps.j[bad], ids, gap[bad], gap=True)


def _blocking(code: FaultCode, gaps: Gaps, height: Floats | None, always: bool, ids: Sequence[str]) -> _Conflict:
    gap = gaps.low if height is None else gaps.low - height
    bad = np.ones(len(gap), dtype=np.bool_) if always else gap <= _SLACK
    return _Conflict(code, gaps.i[bad], gaps.j[bad], ids, gap[bad], gap=True)


def _pillar_conflicts(table: Table, field: Field, new: Strips, gaps: Gaps, base: str | None) -> Iterator[_Conflict]:
    """Section 4c: no road passes above a pillar, at any height, own pillars included unless own_pillar_shadow = allow."""
    allow = table.ruleset.own_pillar_shadow == "allow" and table.ruleset.loop == "graph"
    mine, support = field.disc_owners == table.to_move, np.array([name == base for name in field.disc_pillars], dtype=np.bool_)
    shadow = ~support[gaps.j] & ~(mine & allow)[gaps.j]
    i, j = gaps.i[shadow], gaps.j[shadow]
    yield _Conflict("over-pillar", i, j, field.disc_pillars, _overlap(new, i, field.discs, j))
    if allow:
        touch = ~support[gaps.j] & mine[gaps.j] & (gaps.low <= _SLACK)
        yield _Conflict("touches-pillar", gaps.i[touch], gaps.j[touch], field.disc_pillars, gaps.low[touch], gap=True)


def _new_pillar_conflicts(field: Field, pillars: Circles, forbid: bool) -> Iterator[_Conflict]:
    depth, discs = plan.disc_overlaps(pillars, field.rounds), len(field.discs)
    i, j = np.nonzero(depth[:, :discs] > _SLACK)
    yield _Conflict("pillar-on-pillar", i, j, field.disc_pillars, depth[i, j])
    # asked the other way round, so that the standing sticks are the rows i
    gaps = plan.circle_gaps(field.sticks, pillars)
    gaps = Gaps(gaps.j, gaps.i, gaps.low, gaps.high)
    roads, cars, boxes = _parts(gaps, len(field.roads), len(field.cars), len(field.boxes))
    if forbid:
        mm = _overlap(field.roads, roads.j, pillars, roads.i)
        yield _Conflict("pillar-under-road", roads.i, roads.j, field.road_ids, mm)
    else:
        bad = roads.low <= _SLACK
        yield _Conflict("pillar-touches-road", roads.i[bad], roads.j[bad], field.road_ids, roads.low[bad], gap=True)
    bad = cars.low <= _SLACK
    yield _Conflict("pillar-touches-car", cars.i[bad], cars.j[bad], field.car_ids, cars.low[bad], gap=True)
    yield _Conflict("pillar-on-building", boxes.i, boxes.j, field.box_ids, _overlap(field.boxes, boxes.j, pillars, boxes.i))
    i, j = np.nonzero(depth[:, discs:] > _SLACK)
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
    road, pillar = new.road, new.pillar
    box = table.components
    at = _at(pillar.at) if pillar is not None else ""
    numbers = {"mm": mm}
    if code == "touches-road":
        text, numbers = _touch_text(table, new, piece, mm)
    elif code == "over-pillar":
        need = box.disc_radius + box.road_width / 2
        apart = need - mm
        where = _at(table.pillar_by_id[piece].at)
        text = (
            f"{road.id} passes above the pillar {piece} at {where}: its centre line comes within {apart:.2f} mm of the axis,"
            f" disc radius + half road width = {need:g} mm is needed"
        )
        numbers = {"mm": mm, "distance": apart, "needed": need}
    elif code == "touches-pillar":
        text = f"{road.id} touches the top of {piece}: the gap is {mm:.2f} mm"
    elif code == "touches-car":
        text = f"{road.id} touches the car {piece}: the gap is {mm:.2f} mm"
    elif code == "over-building":
        text = f"{road.id} passes over the building {piece} (over_building = forbid); the gap is {mm:.2f} mm"
    elif code == "touches-building":
        text = f"{road.id} touches the building {piece}: the gap is {mm:.2f} mm"
    elif code == "pillar-on-pillar":
        text = f"pillar at {at} overlaps pillar {piece} by {mm:.2f} mm"
    elif code == "pillar-under-road":
        text = f"pillar at {at} overlaps road {piece} by {mm:.2f} mm in plan; no pillar is set under a road"
    else:
        what = {"pillar-touches-road": "road", "pillar-touches-car": "car"}.get(code)
        text = (
            f"pillar at {at} touches {what} {piece}: the gap is {mm:.2f} mm"
            if what
            else f"pillar at {at} overlaps building {piece} by {mm:.2f} mm"
        )
    pieces = (piece,) if code.startswith("pillar") else (road.id, piece)
    return Fault(code, text, pieces, numbers)


def _touch_text(table: Table, new: _New, piece: str, mm: float) -> tuple[str, dict[str, float]]:
    """How two roads touch: at the crossing of their centre lines where there is one, else at the narrowest place."""
    field, road = field_of(table), new.road
    index = field.road_ids.index(piece)
    met = meetings(lines([table.line(road)]), field.network.lines, table.ruleset, table.components)
    if not met.meet[0, index]:
        return f"{road.id} touches road {piece}: the gap is {mm:.2f} mm at the narrowest", {"mm": mm}
    x, y = met.at[0, index].tolist()
    rise = float(met.level[0, index] - met.other[0, index]) * table.components.disc_height
    lower = field.roads.thick[index] if rise >= 0 else new.strip.thick[0]
    gap = abs(rise) - float(lower)
    where = f"the gap at the crossing ({x:.2f}, {y:.2f}) is {gap:.2f} mm, {mm:.2f} mm at the narrowest"
    text = f"{road.id} touches road {piece}: {where}"
    return text, {"mm": mm, "gap": gap, "x": x, "y": y}


def _own_crossing_faults(table: Table, own: Sequence[str]) -> tuple[Fault, ...]:
    if table.ruleset.self_cross or not own:
        return ()
    why = "own roads may not enclose a ring (loop = planar)" if table.ruleset.loop == "planar" else "self_cross is false"
    return tuple(Fault("own-crossing", f"the new road crosses the own road {road}; {why}", (road,)) for road in own)


# --- cars and buildings ------------------------------------------------------------------------------------------------------


def _car_count_faults(table: Table, wanted: int, earned: int) -> tuple[Fault, ...]:
    have = table.stocks[table.to_move].cars
    numbers = {"wanted": wanted, "earned": earned, "has": have}
    if wanted > earned:
        return (Fault("cars-earned", f"{wanted} cars are put down, but {earned} are earned", (), numbers),)
    if wanted > have:
        return (Fault("stock-cars", f"{wanted} cars are put down, but {letter(table.to_move)} has {have} left", (), numbers),)
    return ()


def _car_faults(table: Table, new: _New, spots: tuple[CarSpot, ...]) -> tuple[Fault, ...]:
    box, road, faults = table.components, new.road, []
    for n, spot in enumerate(spots):
        if abs(spot.side) > box.road_width / 2:
            text = f"the car at {spot.along:g} stands {abs(spot.side):g} mm off the centre line, beside {road.id}"
            faults.append(Fault("car-off-road", text, (road.id,), {"mm": abs(spot.side)}))
        for other in spots[:n]:
            along = abs(spot.along - other.along) * box.road_length
            if along < box.car_length and abs(spot.side - other.side) < box.car_width:
                text = f"the cars at {other.along:g} and {spot.along:g} of {road.id} overlap by {box.car_length - along:.2f} mm"
                faults.append(Fault("car-on-car", text, (road.id,), {"mm": box.car_length - along}))
    for row, piece, mm in _car_hits(table, new.strip, spots):
        text = f"the car at {spots[row].along:g} of {road.id} touches {piece}: the gap is {mm:.2f} mm"
        faults.append(Fault("car-touches", text, (road.id, piece), {"mm": mm}))
    return tuple(faults)


def _car_hits(table: Table, strip: Strips, spots: tuple[CarSpot, ...]) -> list[tuple[int, str, float]]:
    """Which cars on a road would touch which standing piece: (row, piece, gap in mm)."""
    if not spots:
        return []
    field, cars = field_of(table), car_strips(table.components, strip, spots)
    found: list[tuple[int, str, float]] = []
    for old, ids in ((field.roads, field.road_ids), (field.cars, field.car_ids), (field.boxes, field.box_ids)):
        hit = _touching("car-touches", plan.strip_gaps(cars, old), cars.thick, old.thick, ids)
        found += zip(hit.rows.tolist(), hit.pieces, hit.mm.tolist(), strict=True)
    round_ones = plan.circle_gaps(cars, field.cylinders)
    hit = _blocking("car-touches", round_ones, None, False, field.cylinder_ids)
    found += zip(hit.rows.tolist(), hit.pieces, hit.mm.tolist(), strict=True)
    return found


def _footprint_hits(field: Field, strip: tuple[Any, ...] | None, circle: tuple[Any, ...] | None) -> list[tuple[str, float]]:
    """The pieces that a building would stand on or in, whatever their height, with the overlap in mm."""
    hits: list[tuple[str, float]] = []
    standing = ((field.roads, field.road_ids), (field.cars, field.car_ids), (field.boxes, field.box_ids))
    rounds = ((field.discs, field.disc_pillars), (field.cylinders, field.cylinder_ids))
    if circle is not None:
        (x, y), radius, bottom, height = circle
        new = Circles(np.array([(x, y)]), np.array([radius]), np.array([bottom]), np.array([height]))
        for strips, ids in standing:
            gaps = plan.circle_gaps(strips, new)
            hits += zip(
                (ids[k] for k in gaps.i), (radius - _distance(strips, gaps.i, new.centre[gaps.j])).tolist(), strict=True
            )
        for circles, ids in rounds:
            depth = plan.disc_overlaps(new, circles)[0]
            hits += [(ids[k], float(depth[k])) for k in np.flatnonzero(depth > _SLACK)]
    else:
        assert strip is not None
        new_strip = plan.strips([strip])
        for strips, ids in standing:
            gaps = plan.strip_gaps(new_strip, strips)
            depth = plan.strip_depths(new_strip, gaps.i, strips, gaps.j)
            hits += zip((ids[k] for k in gaps.j), depth.tolist(), strict=True)
        for circles, ids in rounds:
            gaps = plan.circle_gaps(new_strip, circles)
            depth = circles.radius[gaps.j] - _distance(new_strip, gaps.i, circles.centre[gaps.j])
            hits += zip((ids[k] for k in gaps.j), depth.tolist(), strict=True)
    worst: dict[str, float] = {}
    for piece, mm in hits:
        worst[piece] = max(worst.get(piece, 0.0), mm)
    return list(worst.items())


# --- small things ------------------------------------------------------------------------------------------------------------


def _at(point: tuple[float, float]) -> str:
    x, y = (round(value, 2) + 0.0 for value in point)  # -0.00 reads like a slip
    return f"({x:.2f}, {y:.2f})"


def _bisect(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function crosses zero between `low` and `high`, to rounding."""
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return low
