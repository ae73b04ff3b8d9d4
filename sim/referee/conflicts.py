"""Conflicts: standing pieces that new pieces touch or overlap (rules 4c, 4d), in mm, for one
placement or thousands at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.referee import footprints
from sim.referee.crossings import meetings, segments
from sim.referee.faults import Fault, FaultCode
from sim.referee.footprints import (
    NEAR,
    TOUCH,
    Circles,
    Gaps,
    Obstacles,
    Strips,
    car_strips,
    leaning,
    obstacles_of,
    road_strip,
)
from sim.referee.placement import Build, CarSpot, Entrance, Exit, Placement
from sim.referee.standing import LaidRoad, Pillar, shared_pillars
from sim.referee.table import Table

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

SHARED_SUPPORT = 2.0
"""Disc radii: nearer than this to the axis of a pillar that they share, two roads of one player may
touch (rules 4d).
"""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The pairs that break one rule: rows of the new pieces, rows of the standing ones with their
    ids, and by how many mm.

    `mm` is an overlap: the greater, the worse. With `gap` it is a clearance: the smaller, the
    worse.
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
class NewPieces:
    """The pieces of one placement as they are meant to lie: the table with them on it, the road,
    its strip in plan, the pillar and the base if any.
    """

    grown: Table
    road: LaidRoad
    strip: Strips
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
        grown = table.with_pieces(placement)
        grown = grown.relaid()
        road = grown.roads[-1]
        pillar = grown.pillars[-1] if len(grown.pillars) > len(table.pillars) else None
        return cls(grown, road, road_strip(grown, road), pillar, base)


# ---  roads and pillars ---------------------------------------------------------------------------


def conflicts(
    table: Table, new: Strips, pillars: Circles | None, base: str | None, axes: Floats
) -> Iterator[Conflict]:
    """Where n new roads (and their pillars) break rules 4c and 4d against standing pieces, row by
    row.

    `axes` (n, 2) are the axes of the base pillars, near which roads of one player may touch.
    """
    yield from stick_conflicts(table, new, base, axes)
    yield from disc_conflicts(table, new, pillars, base)


def stick_conflicts(
    table: Table, new: Strips, base: str | None, axes: Floats
) -> Iterator[Conflict]:
    """Roads, cars and box-shaped buildings that the new roads touch."""
    field, seat, new = (
        obstacles_of(table),
        table.to_move,
        leaning(new, table.components.road_thickness),
    )
    own = np.zeros(len(field.sticks), dtype=np.bool_)
    own[: len(table.roads)] = [
        road.owner == seat and bool(shared_pillars((base,), road.pillars)) for road in table.roads
    ]
    gaps = footprints.strip_gaps(
        new.grown(TOUCH), field.sticks, (axes, SHARED_SUPPORT * table.components.disc_radius, own)
    )
    roads, cars, boxes = _parts(gaps, len(field.roads), len(field.cars), len(field.boxes))
    # nobody lifts standing pieces: of two roads of one player on one pillar the new one lies on top
    meets = -roads.high - new.thick[roads.i] < NEAR
    below = own[roads.j] & meets & (roads.low < 0)
    yield Conflict(
        "under-own-road", roads.i[below], roads.j[below], field.road_ids, roads.low[below], gap=True
    )
    yield _touching("touches-road", _some(roads, ~below), new, field.roads, field.road_ids)
    if table.ruleset.touch_cars == "illegal":
        yield _touching("touches-car", cars, new, field.cars, field.car_ids)
    above, apart = (
        boxes.low - field.boxes.thick[boxes.j],
        -footprints.strip_depths(new, boxes.i, field.boxes, boxes.j),
    )
    yield _over_building(table, boxes, above, apart, field.box_ids)


def disc_conflicts(
    table: Table, new: Strips, pillars: Circles | None, base: str | None
) -> Iterator[Conflict]:
    """Round buildings that the new roads touch, pillars that they pass above, and everything that
    the new pillars overlap.
    """
    field, new = obstacles_of(table), leaning(new, table.components.road_thickness)
    discs, cylinders = _parts(
        footprints.circle_gaps(new.grown(TOUCH), field.rounds),
        len(field.discs),
        len(field.cylinders),
    )
    apart = -_overlap(new, cylinders.i, field.cylinders, cylinders.j)
    yield _over_building(table, cylinders, cylinders.low, apart, field.cylinder_ids)
    yield from _pillar_conflicts(table, field, new, discs, base)
    if pillars is not None:
        yield from _new_pillar_conflicts(
            field, pillars, table.ruleset.pillar_under_road == "forbid"
        )


def _over_building(
    table: Table, gaps: Gaps, above: Floats, apart: Floats, ids: Sequence[str]
) -> Conflict:
    if table.ruleset.over_building == "forbid":
        gap = np.where(above < NEAR, np.maximum(above, apart), above)
        return Conflict("over-building", gaps.i, gaps.j, ids, gap, gap=True)
    return _closer("touches-building", gaps, above, apart, ids)


def _pillar_conflicts(
    table: Table, field: Obstacles, new: Strips, gaps: Gaps, base: str | None
) -> Iterator[Conflict]:
    """Rules 4c: no road passes above a pillar, at any height, own pillars included unless
    own_pillar_shadow = allow.
    """
    allow = table.ruleset.own_pillar_shadow == "allow" and table.ruleset.loop == "graph"
    mine, support = (
        field.disc_owners == table.to_move,
        np.array([name == base for name in field.disc_pillars], dtype=np.bool_),
    )
    shadow = ~support[gaps.j] & ~(mine & allow)[gaps.j]
    i, j = gaps.i[shadow], gaps.j[shadow]
    yield Conflict("over-pillar", i, j, field.disc_pillars, _overlap(new, i, field.discs, j))
    if allow:
        own = _some(gaps, ~support[gaps.j] & mine[gaps.j])
        yield _closer(
            "touches-pillar",
            own,
            own.low,
            -_overlap(new, own.i, field.discs, own.j),
            field.disc_pillars,
        )


def _new_pillar_conflicts(field: Obstacles, pillars: Circles, forbid: bool) -> Iterator[Conflict]:
    depth, discs = footprints.disc_overlaps(pillars, field.rounds), len(field.discs)
    i, j = np.nonzero(depth[:, :discs] > -NEAR)
    yield Conflict("pillar-on-pillar", i, j, field.disc_pillars, depth[i, j])
    # called the other way round: the standing sticks are the rows i
    gaps = footprints.circle_gaps(field.sticks, pillars.grown(TOUCH))
    gaps = Gaps(gaps.j, gaps.i, gaps.low, gaps.high)
    roads, cars, boxes = _parts(gaps, len(field.roads), len(field.cars), len(field.boxes))
    if forbid:
        mm = _overlap(field.roads, roads.j, pillars, roads.i)
        yield Conflict("pillar-under-road", roads.i, roads.j, field.road_ids, mm)
    else:
        apart = -_overlap(field.roads, roads.j, pillars, roads.i)
        yield _closer("pillar-touches-road", roads, roads.low, apart, field.road_ids)
    apart = -_overlap(field.cars, cars.j, pillars, cars.i)
    yield _closer("pillar-touches-car", cars, cars.low, apart, field.car_ids)
    yield Conflict(
        "pillar-on-building",
        boxes.i,
        boxes.j,
        field.box_ids,
        _overlap(field.boxes, boxes.j, pillars, boxes.i),
    )
    i, j = np.nonzero(depth[:, discs:] > -NEAR)
    yield Conflict("pillar-on-building", i, j, field.cylinder_ids, depth[i, j + discs])


# ---  cars and buildings --------------------------------------------------------------------------


def car_hits(
    table: Table, road: LaidRoad, strip: Strips, spots: Sequence[CarSpot]
) -> list[tuple[int, str, float]]:
    """Which cars on a road would touch which standing piece other than the road's own pillars:
    (row, piece, gap in mm).
    """
    if not spots:
        return []
    field, cars = obstacles_of(table), car_strips(table.components, strip, tuple(spots))
    near = cars.grown(TOUCH)
    hits = [
        _touching("car-touches", footprints.strip_gaps(near, old), cars, old, ids)
        for old, ids in (
            (field.roads, field.road_ids),
            (field.cars, field.car_ids),
            (field.boxes, field.box_ids),
        )
    ]
    discs, cylinders = _parts(
        footprints.circle_gaps(near, field.rounds), len(field.discs), len(field.cylinders)
    )
    beside = np.array([name not in road.pillars for name in field.disc_pillars], dtype=np.bool_)
    hits.append(_beside_round(cars, _some(discs, beside[discs.j]), field.discs, field.disc_pillars))
    hits.append(_beside_round(cars, cylinders, field.cylinders, field.cylinder_ids))
    return [
        item
        for hit in hits
        for item in zip(hit.rows.tolist(), hit.pieces, hit.mm.tolist(), strict=True)
    ]


def _beside_round(cars: Strips, gaps: Gaps, rounds: Circles, ids: Sequence[str]) -> Conflict:
    """The cars that touch discs or cylinders."""
    below = rounds.bottom[gaps.j] - rounds.top[gaps.j] - gaps.high - cars.thick[gaps.i]
    return _closer(
        "car-touches",
        gaps,
        np.maximum(gaps.low, below),
        -_overlap(cars, gaps.i, rounds, gaps.j),
        ids,
    )


def footprint_hits(
    field: Obstacles, strip: tuple[Any, ...] | None, circle: tuple[Any, ...] | None
) -> list[tuple[str, float]]:
    """The pieces that a building would overlap or touch in plan, whatever their height, and by how
    many mm it overlaps them (below 0: the gap between the two, which is less than TOUCH).
    """
    hits: list[tuple[str, float]] = []
    standing = (
        (field.roads, field.road_ids),
        (field.cars, field.car_ids),
        (field.boxes, field.box_ids),
    )
    rounds = ((field.discs, field.disc_pillars), (field.cylinders, field.cylinder_ids))
    if circle is not None:
        (x, y), radius, bottom, height = circle
        new = Circles(
            np.array([(x, y)]), np.array([radius]), np.array([bottom]), np.array([height])
        )
        for strips, ids in standing:
            gaps = footprints.circle_gaps(strips, new.grown(TOUCH))
            hits += zip(
                (ids[k] for k in gaps.i),
                _overlap(strips, gaps.i, new, gaps.j).tolist(),
                strict=True,
            )
        for circles, ids in rounds:
            hits += zip(ids, footprints.disc_overlaps(new, circles)[0].tolist(), strict=True)
    else:
        assert strip is not None
        new_strip = footprints.strips([strip])
        near = new_strip.grown(TOUCH)
        for strips, ids in standing:
            gaps = footprints.strip_gaps(near, strips)
            depth = footprints.strip_depths(new_strip, gaps.i, strips, gaps.j)
            hits += zip((ids[k] for k in gaps.j), depth.tolist(), strict=True)
        for circles, ids in rounds:
            gaps = footprints.circle_gaps(near, circles)
            depth = _overlap(new_strip, gaps.i, circles, gaps.j)
            hits += zip((ids[k] for k in gaps.j), depth.tolist(), strict=True)
    worst: dict[str, float] = {}
    for piece, mm in hits:
        if mm > -NEAR:
            worst[piece] = max(worst.get(piece, mm), mm)
    return list(worst.items())


# ---  pairs of rows -------------------------------------------------------------------------------


def _parts(gaps: Gaps, *counts: int) -> list[Gaps]:
    """The pairs split by kind of standing piece: the first `counts[0]` rows, the next `counts[1]`,
    and so on; rows count from 0 in each.
    """
    parts, first = [], 0
    for count in counts:
        some = (gaps.j >= first) & (gaps.j < first + count)
        part = _some(gaps, some)
        parts.append(part._replace(j=part.j - first))
        first += count
    return parts


def _some(gaps: Gaps, which: Bools) -> Gaps:
    return Gaps(gaps.i[which], gaps.j[which], gaps.low[which], gaps.high[which])


def _touching(
    code: FaultCode, gaps: Gaps, new: Strips, old: Strips, ids: Sequence[str]
) -> Conflict:
    """The pairs of sticks that touch or cut each other: where they overlap in plan, neither is
    clear above the other.
    """
    above, below = gaps.low - old.thick[gaps.j], -gaps.high - new.thick[gaps.i]
    return _closer(
        code,
        gaps,
        np.maximum(above, below),
        -footprints.strip_depths(new, gaps.i, old, gaps.j),
        ids,
    )


def _closer(
    code: FaultCode, gaps: Gaps, above: Floats, apart: Floats, ids: Sequence[str]
) -> Conflict:
    """The pairs that are not clear of each other by TOUCH, neither in height nor in plan."""
    gap = np.maximum(above, apart)
    bad = gap < NEAR
    return Conflict(code, gaps.i[bad], gaps.j[bad], ids, gap[bad], gap=True)


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


# --- faults of a gap ------------------------------------------------------------------------------


# mm: two decimals show no smaller overlap, so the sentence says that such pieces touch
_SHOWN = 0.005
_IN_PLAN = ("pillar-on-pillar", "pillar-on-building", "pillar-under-road")


def conflict_fault(table: Table, new: NewPieces, code: FaultCode, piece: str, mm: float) -> Fault:
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
        if mm >= _SHOWN:
            return Fault(code, pieces, {"mm": mm}, "overlap", details)
        return Fault(code, pieces, {"mm": mm, "clear": max(-mm, 0.0)}, "clear", details)
    return contact_fault(code, pieces, mm, details)


def building_fault(piece: str, mm: float, where: dict[str, Any]) -> Fault:
    """The fault of a building that overlaps a piece in plan by `mm`, or touches it: then `mm` is
    below 0, the gap.
    """
    if mm >= _SHOWN:
        return Fault("building-overlap", (piece,), {"mm": mm}, details=where)
    return Fault("building-overlap", (piece,), {"mm": mm, "clear": max(-mm, 0.0)}, "clear", where)


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
    field, road = obstacles_of(table), new.road
    index = field.road_ids.index(piece)
    plain = contact_fault("touches-road", (road.id, piece), mm, {})
    met = meetings(
        segments([table.line(road)]), field.network.segments, table.ruleset, table.components
    )
    if not met.meet[0, index]:
        return plain
    x, y = met.at[0, index].tolist()
    rise = float(met.level[0, index] - met.other[0, index]) * table.components.disc_height
    lower = field.roads.thick[index] if rise >= 0 else new.strip.thick[0]
    gap = abs(rise) - float(lower)  # between the sticks, on the centre lines
    numbers = {**plain.numbers, "gap": gap, "x": x, "y": y}
    if gap <= -_SHOWN:
        return Fault(
            plain.code,
            plain.pieces,
            numbers | {"deep": -gap, "into": max(-mm, -gap)},
            "cut",
            {"at": (x, y)},
        )
    return Fault(
        plain.code,
        plain.pieces,
        numbers,
        f"{plain.form}-aside",
        {"at": (x, y), "gap": max(gap, 0.0)},
    )


def car_on_car(road: str, one: CarSpot, other: CarSpot, overlap: float) -> Fault:
    """The fault of two new cars on a road that overlap by so many mm, or touch."""
    places = {"one": one.along, "two": other.along}
    if overlap < _SHOWN:
        return Fault("car-on-car", (road,), {"mm": overlap, "clear": abs(overlap)}, "clear", places)
    return Fault("car-on-car", (road,), {"mm": overlap}, "overlap", places)
