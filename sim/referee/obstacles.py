"""The table seen from above, as the rows of `sim.referee.geometry`, made once for each table; and
what the new pieces of a placement touch or overlap there (rules 4c, 4d), in mm, with the faults
that tell of it.

Pieces are where they came to rest with physics, or, without physics, where geometry puts them:
roads straight from pillar top to pillar top (rules 4b), cars flat on their road. On a measured
table each may be off by some mm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from sim.bodies import Box, Cylinder, Pose, from_axes, rotate
from sim.pieces import Components
from sim.referee import geometry
from sim.referee.crossings import Network, line_of
from sim.referee.geometry import (
    CLEAR,
    DEEP,
    OVER,
    OVERLAPS,
    TOUCH,
    TOUCHES,
    UNDER,
    Strip,
    car_strip,
    leaning,
    strip_between,
)
from sim.referee.placement import Build, CarSpot, Entrance, Exit, Placement
from sim.referee.standing import Fault, FaultCode, LaidRoad, Pillar, Point, shared_pillars
from sim.referee.table import Table, kept

Disc = tuple[float, float, float, float]
"""An upright cylinder: x, y and the heights of its bottom and its top."""


@dataclass(frozen=True)
class Obstacles:
    """The obstacles of a table, each kind in building order, but round buildings last; `network`
    holds the roads as the crossing rule sees them. Roads and cars lean. A straight stack of discs
    is one row; `radius` is that of each.
    """

    roads: tuple[Strip, ...]
    road_ids: tuple[str, ...]
    network: Network
    radius: float
    discs: tuple[Disc, ...]
    disc_pillars: tuple[str, ...]
    cars: tuple[Strip, ...]
    car_ids: tuple[str, ...]
    blocks: tuple[Strip, ...]
    block_ids: tuple[str, ...]


def obstacles_of(table: Table) -> Obstacles:
    """The obstacles of a table, computed once and kept with it."""
    return kept(table, "obstacles", lambda: _obstacles(table))


def as_seat(table: Table, seat: int) -> Table:
    """The same table with that seat to move. It keeps the obstacles, since the same pieces stand
    there.
    """
    asked = replace(table, turns=replace(table.turns, to_move=seat))
    kept(asked, "obstacles", lambda: obstacles_of(table))
    return asked


def road_strip(table: Table, road: LaidRoad, pose: Pose | None = None) -> Strip:
    """One road in plan, flat: at `pose` if given, else where it lies, else at its nominal pose."""
    box, at = table.components, pose or table.pose_of(road)
    if at is None:
        return nominal_strip(box, road)
    return upright(Box((box.road_length, box.road_width, box.road_thickness)), at)


def nominal_strip(box: Components, road: LaidRoad) -> Strip:
    """One road in plan where it is meant to lie, flat."""
    (sx, sy), (ex, ey), (l0, l1) = road.start, road.end, road.levels
    # engines start from here: the last bit of this length is part of every record
    span = max(float(np.hypot(ex - sx, ey - sy)), 1e-9)
    return strip_between(box.sizes, sx, sy, ex, ey, float(l0), float(l1), road.slide, span)


def upright(shape: Box | Cylinder, pose: Pose) -> Strip:
    """A posed body as a strip or a block: boxes by their long axis, roll neglected; cylinders by
    their axis, tilt neglected.
    """
    (x, y, z) = pose.at
    if isinstance(shape, Cylinder):
        low, high = z - shape.height / 2, z + shape.height / 2
        return (x, y, shape.radius, 0.0, 0.0, 0.0, low, high, 0.0)
    length, width, height = shape.size
    ux, uy, uz = rotate(pose.quat, (1.0, 0.0, 0.0))
    dx, dy, dz = rotate(pose.quat, (0.0, 0.0, -height / 2))
    flat = math.hypot(ux, uy)
    if flat < 1e-6:  # stands on its end: nothing that stands on a road or a disc does
        return (x, y, 1.0, 0.0, height / 2, width / 2, z - length / 2, 0.0, length)
    return (
        *(x + dx, y + dy, ux / flat, uy / flat, length / 2 * flat, width / 2),
        *(z + dz, uz / flat, height / flat),
    )


def block_of(box: Components, kind: str, at: Point, turn: float) -> Strip:
    """A building in plan."""
    building = box.buildings[kind]
    return upright(building.shape, Pose((*at, building.height / 2), from_axes(turn, 0.0)))


def car_strips(box: Components, road: Strip, spots: Sequence[CarSpot]) -> list[Strip]:
    """Cars standing flat on one road, leaning."""
    return [car_strip(box.sizes, road, spot.along, spot.side) for spot in spots]


def _turned(strip: Strip, degrees: float) -> Strip:
    """The same about its middle turned that far, as a car that stands askew on its road."""
    x, y, ax, ay, long, wide, z, slope, thick = strip
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    axis = (ax * cosine - ay * sine, ay * cosine + ax * sine)
    return (x, y, *axis, long, wide, z, slope * cosine, thick)


def _obstacles(table: Table) -> Obstacles:
    box = table.components
    flat = {road.id: road_strip(table, road) for road in table.roads}
    discs: list[Disc] = []
    disc_pillars: list[str] = []
    for pillar in table.pillars:
        for level, disc in enumerate(pillar.disc_ids):
            pose = table.poses.get(disc)
            x, y = pillar.at if pose is None else pose.at[:2]
            z = level * box.disc_height if pose is None else pose.at[2] - box.disc_height / 2
            if level and discs[-1][:2] == (x, y):  # a straight stack is one obstacle
                discs[-1] = (x, y, discs[-1][2], z + box.disc_height)
            else:
                discs.append((x, y, z, z + box.disc_height))
                disc_pillars.append(pillar.id)
    cars, shape = list[Strip](), Box((box.car_length, box.car_width, box.car_height))
    for car in table.cars:
        pose = table.poses.get(car.id)
        if pose is None:
            strip = car_strip(box.sizes, flat[car.road], car.along, car.side)
            cars.append(_turned(strip, car.turn) if car.turn else strip)
        else:
            cars.append(leaning(upright(shape, pose), box.car_height))
    blocks = [(block_of(box, one.kind, one.at, one.turn), one.id) for one in table.buildings]
    blocks.sort(key=lambda one: one[0][DEEP] == 0.0)
    return Obstacles(
        tuple(leaning(road, box.road_thickness) for road in flat.values()),
        tuple(flat),
        table.network,
        box.disc_radius,
        tuple(discs),
        tuple(disc_pillars),
        tuple(cars),
        tuple(car.id for car in table.cars),
        tuple(block for block, _ in blocks),
        tuple(piece for _, piece in blocks),
    )


# --- what new pieces touch ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NewPieces:
    """The pieces of one placement as they are meant to lie: the table with them on it, the road,
    its strip in plan (flat), the pillar and the base if any.
    """

    grown: Table
    road: LaidRoad
    strip: Strip
    pillar: Pillar | None
    base: Pillar | None

    @classmethod
    def of(cls, table: Table, placement: Placement) -> NewPieces | None:
        """The new pieces of a placement at their nominal poses, the road of a measured table where
        it lies (`Table.lay`).

        None if it lays no road, or lays it from a pillar that is not there.
        """
        base = (
            table.pillar_by_id.get(placement.base) if isinstance(placement, (Build, Exit)) else None
        )
        if base is None and not isinstance(placement, Entrance):
            return None
        grown = table.with_pieces(placement).relaid()
        road = grown.roads[-1]
        pillar = grown.pillars[-1] if len(grown.pillars) > len(table.pillars) else None
        return cls(grown, road, road_strip(grown, road), pillar, base)


# ---  roads and pillars ---------------------------------------------------------------------------


def conflict_faults(table: Table, new: NewPieces) -> Iterator[Fault]:
    """Where a new road and its pillar break rules 4c and 4d against standing pieces.

    A piece that breaks one rule in several places, as a pillar whose discs lean, makes one fault:
    that of the worst place.
    """
    road = geometry.leaning(new.strip, table.components.road_thickness)
    ways = [_by_roads(table, new, road), _by_discs(table, new, road)]
    if new.pillar is not None:
        ways.append(_by_pillar(table, new.pillar))
    for way in ways:
        worst: dict[tuple[FaultCode, str], float] = {}
        for code, piece, mm in _told(way):
            known = worst.get((code, piece), mm)
            worst[code, piece] = max(known, mm) if code in _OVERLAPS else min(known, mm)
        for code, piece in sorted(worst, key=lambda one: _ORDER.index(one[0])):
            yield _conflict_fault(table, new, code, piece, worst[code, piece])


def is_road_blocked(table: Table, new: NewPieces) -> bool:
    """Whether anything that stands is in the way of a new road."""
    road = geometry.leaning(new.strip, table.components.road_thickness)
    ways = (_by_discs(table, new, road), _by_roads(table, new, road))
    return any(next(_told(way), None) is not None for way in ways)


def is_pillar_blocked(table: Table, pillar: Pillar) -> bool:
    """Whether anything that stands is in the way of a new pillar."""
    return next(_told(_by_pillar(table, pillar)), None) is not None


_OVERLAPS = ("over-pillar", "pillar-on-pillar", "pillar-on-building", "pillar-under-road")
# the order in which the faults of one kind of piece are given
_ORDER: tuple[FaultCode, ...] = (
    *("under-own-road", "touches-road", "touches-car", "over-building", "touches-building"),
    *("over-pillar", "touches-pillar"),
    *("pillar-on-pillar", "pillar-under-road", "pillar-touches-road", "pillar-touches-car"),
    "pillar-on-building",
)

# the faults of two pieces, by what `sim.referee.geometry` says that they do
_Codes = Mapping[int, FaultCode]
_BY_ROAD: _Codes = {UNDER: "under-own-road", TOUCHES: "touches-road"}
_BY_CAR: _Codes = {TOUCHES: "touches-car"}
_BY_BLOCK: _Codes = {OVER: "over-building", TOUCHES: "touches-building"}
_BY_DISC: _Codes = {OVER: "over-pillar", TOUCHES: "touches-pillar"}
_OF_PILLAR: _Codes = {OVERLAPS: "pillar-under-road", TOUCHES: "pillar-touches-road"}
_CAR_BY_PILLAR: _Codes = {TOUCHES: "pillar-touches-car"}
_ON_PILLAR: _Codes = {OVERLAPS: "pillar-on-pillar"}
_ON_BUILDING: _Codes = {OVERLAPS: "pillar-on-building"}

_Pairs = Iterator[tuple[_Codes, str, tuple[int, float]]]


def _told(pairs: _Pairs) -> Iterator[tuple[FaultCode, str, float]]:
    """The faults of those pairs that are not clear of each other."""
    for codes, piece, (what, mm) in pairs:
        if what != CLEAR:
            yield codes[what], piece, mm


def _by_roads(table: Table, new: NewPieces, road: Strip) -> _Pairs:
    """A new road by the roads, cars and buildings with straight sides."""
    field, radius = obstacles_of(table), table.components.disc_radius
    seat, base = table.to_move, None if new.base is None else new.base.id
    x, y = new.road.start if new.base is None else table.top(new.base)
    for old, strip in zip(table.roads, field.roads, strict=True):
        own = old.owner == seat and bool(shared_pillars((base,), old.pillars))
        yield _BY_ROAD, old.id, geometry.road_by_road(road, strip, own, x, y, radius)
    if table.ruleset.resolved.touch_cars:
        for piece, strip in _each(field.car_ids, field.cars):
            yield _BY_CAR, piece, geometry.stick_by_stick(road, strip)
    yield from _by_blocks(table, road, is_round=False)


def _by_blocks(table: Table, road: Strip, *, is_round: bool) -> _Pairs:
    field, forbid = obstacles_of(table), table.ruleset.resolved.over
    for piece, block in _each(field.block_ids, field.blocks):
        if (block[DEEP] == 0.0) is is_round:
            yield _BY_BLOCK, piece, geometry.road_by_block(road, block, forbid)


def _by_discs(table: Table, new: NewPieces, road: Strip) -> _Pairs:
    """A new road by round buildings, and by pillars above which it passes: own pillars included
    unless own_pillar_shadow = allow (rules 4c).
    """
    yield from _by_blocks(table, road, is_round=True)
    field, radius = obstacles_of(table), table.components.disc_radius
    shadow, base = table.ruleset.resolved.shadow, None if new.base is None else new.base.id
    for pillar, (x, y, _, top) in _each(field.disc_pillars, field.discs):
        if pillar != base:
            may_pass = not shadow and table.pillar_by_id[pillar].owner == table.to_move
            yield _BY_DISC, pillar, geometry.road_by_disc(road, x, y, radius, top, may_pass)


def _by_pillar(table: Table, pillar: Pillar) -> _Pairs:
    """A new pillar by everything that it may overlap, or that lies above it."""
    field, box = obstacles_of(table), table.components
    circle, top = (*pillar.at, box.disc_radius), pillar.discs * box.disc_height
    forbid = table.ruleset.resolved.under
    for piece, (x, y, _, _) in _each(field.disc_pillars, field.discs):
        yield _ON_PILLAR, piece, geometry.pillar_by_circle(*circle, x, y, box.disc_radius)
    for piece, strip in _each(field.road_ids, field.roads):
        yield _OF_PILLAR, piece, geometry.pillar_by_stick(strip, *circle, top, forbid)
    for piece, strip in _each(field.car_ids, field.cars):
        yield _CAR_BY_PILLAR, piece, geometry.pillar_by_stick(strip, *circle, top, forbid=False)
    for piece, block in _each(field.block_ids, field.blocks):
        yield _ON_BUILDING, piece, geometry.pillar_by_block(block, *circle)


# ---  cars and buildings --------------------------------------------------------------------------


def car_hits(
    table: Table, road: LaidRoad, strip: Strip, spots: Sequence[CarSpot]
) -> Iterator[tuple[int, str, float]]:
    """Which cars on a road would touch which standing piece other than the road's own pillars:
    (row, piece, gap in mm).
    """
    for row, piece, (what, mm) in _by_cars(table, road, strip, spots):
        if what != CLEAR:
            yield row, piece, mm


def _by_cars(
    table: Table, road: LaidRoad, strip: Strip, spots: Sequence[CarSpot]
) -> Iterator[tuple[int, str, tuple[int, float]]]:
    field, radius = obstacles_of(table), table.components.disc_radius
    cars = list(enumerate(car_strips(table.components, strip, spots)))
    blocks = list(_each(field.block_ids, field.blocks))
    sticks = (
        list(_each(field.road_ids, field.roads)),
        list(_each(field.car_ids, field.cars)),
        [one for one in blocks if one[1][DEEP]],
    )
    for pieces in sticks:
        for (row, car), (piece, old) in product(cars, pieces):
            yield row, piece, geometry.stick_by_stick(car, old)
    discs = [one for one in _each(field.disc_pillars, field.discs) if one[0] not in road.pillars]
    for (row, car), (pillar, (x, y, bottom, top)) in product(cars, discs):
        yield row, pillar, geometry.car_by_round(car, x, y, radius, bottom, top)
    for (row, car), (piece, block) in product(cars, blocks):
        if not block[DEEP]:
            yield row, piece, geometry.car_by_block(car, block)


def is_car_blocked(table: Table, road: LaidRoad, strip: Strip, spot: CarSpot) -> bool:
    """Whether a car there would touch a standing piece other than the road's own pillars."""
    return next(car_hits(table, road, strip, (spot,)), None) is not None


def building_hits(table: Table, new: Strip) -> list[tuple[str, float]]:
    """The pieces that a building would overlap or touch in plan, whatever their height, and by how
    many mm it overlaps them (below 0: the gap between the two, which is less than TOUCH).
    """
    worst: dict[str, float] = {}
    for piece, (what, mm) in _by_building(table, new):
        if what != CLEAR:
            worst[piece] = max(worst.get(piece, mm), mm)
    return list(worst.items())


def _by_building(table: Table, new: Strip) -> Iterator[tuple[str, tuple[int, float]]]:
    field, radius = obstacles_of(table), table.components.disc_radius
    for piece, strip in _each(field.road_ids + field.car_ids, field.roads + field.cars):
        yield piece, geometry.building_by_stick(new, strip)
    blocks = [
        (piece, block, geometry.building_by_block(new, block))
        for piece, block in _each(field.block_ids, field.blocks)
    ]
    yield from ((piece, found) for piece, block, found in blocks if block[DEEP])
    for pillar, (x, y, _, _) in _each(field.disc_pillars, field.discs):
        yield pillar, geometry.building_by_round(new, x, y, radius)
    yield from ((piece, found) for piece, block, found in blocks if not block[DEEP])


def _each(ids: Sequence[str], rows: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    return zip(ids, rows, strict=True)


# --- faults of a gap ------------------------------------------------------------------------------


# mm: two decimals show no smaller overlap, so the sentence says that such pieces touch
_SHOWN = 0.005
_IN_PLAN = ("pillar-on-pillar", "pillar-on-building", "pillar-under-road")


def _conflict_fault(table: Table, new: NewPieces, code: FaultCode, piece: str, mm: float) -> Fault:
    """The fault of new pieces whose gap to a standing piece is `mm`, or that overlap it."""
    road, pillar, box = new.road.id, new.pillar, table.components
    pieces = (piece,) if code.startswith("pillar") else (road, piece)
    if code == "touches-road":
        return _touching_roads(table, new, piece, mm)
    if code == "under-own-road":
        form = "exit" if new.road.target is None else "build"
        return Fault(code, pieces, {"mm": -mm}, form, {"base": new.road.base})
    if code == "over-pillar":
        need = box.disc_radius + box.road_width / 2 + TOUCH
        numbers = {"mm": mm, "distance": need - TOUCH - mm, "needed": need}
        return Fault(code, pieces, numbers, details={"at": table.pillar_by_id[piece].at})
    if code == "over-building" and mm >= TOUCH:
        return Fault(code, pieces, {"mm": mm}, "above")
    details = {"at": pillar.at} if pillar is not None else {}
    if code in _IN_PLAN:
        return _overlap_fault(code, pieces, mm, details, "overlap")
    return contact_fault(code, pieces, mm, details)


def building_fault(piece: str, mm: float, where: dict[str, Any]) -> Fault:
    """The fault of a building that overlaps a piece in plan by `mm`, or touches it: then `mm` is
    below 0, the gap.
    """
    return _overlap_fault("building-overlap", (piece,), mm, where, "")


def _overlap_fault(
    code: FaultCode, pieces: tuple[str, ...], mm: float, details: dict[str, Any], form: str
) -> Fault:
    if mm >= _SHOWN:
        return Fault(code, pieces, {"mm": mm}, form, details)
    return Fault(code, pieces, {"mm": mm, "clear": max(-mm, 0.0)}, "clear", details)


def contact_fault(
    code: FaultCode, pieces: tuple[str, ...], mm: float, details: dict[str, Any]
) -> Fault:
    """The fault of two pieces with a gap of `mm`; below 0 they cut into each other."""
    if mm <= -_SHOWN:
        return Fault(code, pieces, {"mm": mm, "into": -mm}, "into", details)
    return Fault(code, pieces, {"mm": mm, "clear": max(mm, 0.0)}, "clear", details)


def _touching_roads(table: Table, new: NewPieces, piece: str, mm: float) -> Fault:
    """How two roads touch: at the crossing of their centre lines where there is one, else at the
    narrowest place.
    """
    field, road, box = obstacles_of(table), new.road, table.components
    index = field.road_ids.index(piece)
    plain = contact_fault("touches-road", (road.id, piece), mm, {})
    line = table.line(road)
    met = field.network.met(line, line_of(line), index)
    if met is None:
        return plain
    (x, y), rise = met.at, (met.level - met.other) * box.disc_height
    lower = field.roads[index] if rise >= 0 else new.strip
    gap = abs(rise) - lower[DEEP]  # between the sticks, on the centre lines
    numbers = {**plain.numbers, "gap": gap, "x": x, "y": y}
    if gap <= -_SHOWN:
        numbers |= {"deep": -gap, "into": max(-mm, -gap)}
        return replace(plain, numbers=numbers, form="cut", details={"at": met.at})
    details = {"at": met.at, "gap": max(gap, 0.0)}
    return replace(plain, numbers=numbers, form=f"{plain.form}-aside", details=details)


def car_on_car(road: str, one: CarSpot, other: CarSpot, overlap: float) -> Fault:
    """The fault of two new cars on a road that overlap by so many mm, or touch."""
    places = {"one": one.along, "two": other.along}
    if overlap < _SHOWN:
        return Fault("car-on-car", (road,), {"mm": overlap, "clear": abs(overlap)}, "clear", places)
    return Fault("car-on-car", (road,), {"mm": overlap}, "overlap", places)


# --- how far a piece may be off -------------------------------------------------------------------
# Each number of a game noted by hand may be off by the table's `tolerance` (rules 4j). Heights are
# counted in discs and are exact, so all error lies in plan. A point has two numbers: it is off by
# up to sqrt(2) times the tolerance, and so is every point of a road between its ends. The far end
# of a ramp depends on a direction or on a second point as well, and so does a building's corner.


POINT = math.sqrt(2)
"""As a multiple of the tolerance: a point in plan, and a piece set at it."""

TURNED = POINT + 1.0
"""As a multiple of the tolerance: a piece turned about a point, to a direction or towards another
point.
"""

RAISED = 1.5
"""Thicknesses of a road by which an older end may raise its own: it reaches past that end, which
slopes as well.
"""


def off(table: Table, piece: str) -> float:
    """By how many mm a piece on the table may be off in plan: a pillar or its disc, a road, a car
    or a building, by id.
    """
    if piece.startswith("X"):
        return TURNED * table.tolerance
    if "-P" in piece:
        return POINT * table.tolerance
    if "-C" in piece:  # it has a number of its own along the road
        return off(table, next(car.road for car in table.cars if car.id == piece)) + table.tolerance
    return (POINT if table.road_by_id[piece].kind == "road" else TURNED) * table.tolerance
