"""Faults about measured gaps and overlaps, with the numbers and the places that their sentences
need.
"""

from __future__ import annotations

from typing import Any

from sim.referee.fault import Fault, FaultCode
from sim.referee.legality.conflicts import NewPieces
from sim.referee.legality.footprints import TOUCH
from sim.referee.legality.obstacles import obstacles_of
from sim.referee.placement import CarSpot
from sim.referee.scoring.crossings import lines, meetings
from sim.referee.table import Table

__all__ = ["building_fault", "car_on_car", "conflict_fault", "contact_fault"]

_SHOWN = (
    0.005  # mm: two decimals show no smaller overlap, so the sentence says that such pieces touch
)
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
    met = meetings(lines([table.line(road)]), field.network.lines, table.ruleset, table.components)
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
