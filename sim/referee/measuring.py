"""Measured tables: which faults of geometry errors of the ruler may explain, in a game noted by hand (rules 4j).

Two pieces may be nearer or further apart than noted by the sum of what each may be off (`sim.referee.tolerance`). So a gap
between them may be wrong because they miss each other in plan, or because they meet elsewhere: then by as much as the one rises
against the other over that length.

A fault that such an error explains is a remark, any other refuses the placement. Rules of counting are never measured. Where
cars stood is noted only if somebody cared (`Table.guessed`): a car that the referee set down itself is in nobody's way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from sim.referee import adjusting, footprints
from sim.referee.close_calls import tally
from sim.referee.fault import Fault
from sim.referee.footprints import Circles, Strips
from sim.referee.legality import every_fault
from sim.referee.obstacles import car_strips, obstacles_of, road_strip
from sim.referee.placement import Adjust, Build, Entrance, Exit, Placement
from sim.referee.table import Table
from sim.referee.tolerance import POINT, TURNED, off

__all__ = ["before", "remarks"]


def before(table: Table, placement: Placement) -> tuple[Fault, ...]:
    """Everything that is wrong with a placement by the seat to move beyond the table's tolerance; empty if it is legal."""
    if isinstance(placement, Adjust) and table.outcome() is None:
        return adjusting.faults(table, placement) or before(*adjusting.resolved(table, placement))
    return tuple(fault for fault in _told(table, placement) if not _explained(table, placement, fault))


def remarks(table: Table, placement: Placement) -> tuple[Fault, ...]:
    """What is wrong with a placement only within the table's tolerance; none where the numbers are exact."""
    if not table.tolerance:
        return ()
    table, placement = adjusting.resolved(table, placement)
    return tuple(fault for fault in _told(table, placement) if _explained(table, placement, fault))


def _told(table: Table, placement: Placement) -> tuple[Fault, ...]:
    """All faults but those about cars that the referee set down itself, and too many cars where more may be earned."""
    faults = every_fault(table, placement)
    if not table.tolerance:
        return faults
    return tuple(
        fault
        for fault in faults
        if not any(piece in table.guessed for piece in fault.pieces)
        and not (fault.code == "cars-earned" and fault.numbers["wanted"] <= _most(table, placement))
    )


def _most(table: Table, placement: Placement) -> int:
    """The cars that a placement may put down, with every crossing that is too close to tell."""
    grown = table.with_pieces(placement)
    return min(tally(grown, grown.roads[-1]).most, table.stocks[table.to_move].cars)


def _explained(table: Table, placement: Placement, fault: Fault) -> bool:
    within = _WITHIN.get(fault.code)
    return bool(table.tolerance and within is not None and within(table, placement, fault))


# --- by code -----------------------------------------------------------------------------------------------------------------


def _end(table: Table, placement: Placement, fault: Fault) -> bool:
    """An end that sticks out or bears too little, by `mm`: a surplus is shared by both ends, an exit's all at its top end."""
    points = 2 if isinstance(placement, Exit) else 1
    if "mm" not in fault.numbers:  # no road could lie there at all
        return False
    return fault.numbers["mm"] <= points * POINT * table.tolerance


def _roomy(table: Table, placement: Placement, fault: Fault) -> bool:  # noqa: ARG001 - all of them are asked alike
    """Where people saw no room, a place found by the numbers may be too narrow."""
    return True


def _too_far(table: Table, placement: Placement, fault: Fault) -> bool:  # noqa: ARG001 - see _roomy
    return fault.numbers["mm"] - fault.numbers["limit"] <= POINT * table.tolerance


def _overlap(table: Table, placement: Placement, fault: Fault) -> bool:
    """An overlap in plan of `mm`."""
    return fault.numbers["mm"] <= _apart(table, placement, fault)


def _gap(table: Table, placement: Placement, fault: Fault) -> bool:
    """A gap of `mm`, which is too small: the pieces might miss each other in plan, or pass where there is more room."""
    error = _apart(table, placement, fault)
    return all(
        meet.depth <= error or abs(fault.numbers["mm"]) <= meet.rise * error
        for meet in _meets(table, placement, fault)
        if meet.depth > 0.0
    )


def _beside_road(table: Table, placement: Placement, fault: Fault) -> bool:  # noqa: ARG001 - see _roomy
    """A car beside its road by some of its `mm`, or past an end of it: `along` is out of `least` to `most`."""
    numbers = fault.numbers
    if "along" in numbers:
        past = max(numbers["least"] - numbers["along"], numbers["along"] - numbers["most"]) * table.components.road_length
    else:
        past = numbers["mm"] - numbers.get("widest", table.components.road_width / 2)
    return past <= table.tolerance


def _cars_overlap(table: Table, placement: Placement, fault: Fault) -> bool:  # noqa: ARG001 - see _roomy
    return fault.numbers["mm"] <= 2 * table.tolerance


_WITHIN: Mapping[str, Callable[[Table, Placement, Fault], bool]] = {
    "reach": _end,
    "sticks-out": _end,
    "entrance-far": _too_far,
    "has-room": _roomy,
    **dict.fromkeys(
        ("over-pillar", "pillar-on-pillar", "pillar-on-building", "pillar-under-road", "building-overlap"), _overlap
    ),
    **dict.fromkeys(
        ("touches-road", "touches-car", "touches-pillar", "touches-building", "over-building", "car-touches"), _gap
    ),
    **dict.fromkeys(("under-own-road", "pillar-touches-road", "pillar-touches-car"), _gap),
    "car-off-road": _beside_road,
    "car-on-car": _cars_overlap,
}


# --- two pieces --------------------------------------------------------------------------------------------------------------


class _Meet(NamedTuple):
    """Two pieces in plan: how deep they overlap (mm), and how fast the gap between them grows with the place (mm a mm)."""

    depth: float
    rise: float


def _apart(table: Table, placement: Placement, fault: Fault) -> float:
    """By how many mm the new piece of a fault and the standing one may be nearer or further apart than noted."""
    new = POINT
    if fault.code == "building-overlap" or (not fault.code.startswith("pillar") and not isinstance(placement, Build)):
        new = TURNED
    return (new + (fault.code == "car-touches")) * table.tolerance + off(table, fault.pieces[-1])


def _meets(table: Table, placement: Placement, fault: Fault) -> list[_Meet]:
    """The new piece of a fault, or each new car, against the standing one."""
    grown = table.with_pieces(placement)
    strip = road_strip(grown, grown.roads[-1])
    if fault.code.startswith("pillar"):
        box, pillar = table.components, grown.pillars[-1]
        height = pillar.discs * box.disc_height
        new: Strips | Circles = Circles(np.array([pillar.at]), np.array([box.disc_radius]), np.zeros(1), np.array([height]))
    elif fault.code == "car-touches":
        spots = (placement.car,) if isinstance(placement, Entrance) else getattr(placement, "cars", None) or ()
        new = car_strips(table.components, strip, spots)
    else:
        new = strip
    old = _standing(table, fault.pieces[-1])
    flat = fault.code == "over-building"  # forbidden at any height
    found = [_meet(new.take(np.array([row])), old) for row in range(len(new))]
    return [_Meet(meet.depth, 0.0) for meet in found] if flat else found


def _standing(table: Table, piece: str) -> Strips | Circles:
    """A road, a car, a building or a pillar as it stands, in plan; a pillar of a measured table stands straight."""
    field = obstacles_of(table)
    groups: tuple[tuple[Strips | Circles, tuple[str, ...]], ...] = (
        (field.roads, field.road_ids),
        (field.cars, field.car_ids),
        (field.boxes, field.box_ids),
        (field.cylinders, field.cylinder_ids),
        (field.discs, field.disc_pillars),
    )
    shapes, ids = next(group for group in groups if piece in group[1])
    return shapes.take(np.array([ids.index(piece)]))


def _meet(one: Strips | Circles, other: Strips | Circles) -> _Meet:
    if isinstance(one, Strips) and isinstance(other, Strips):
        first = np.zeros(1, dtype=np.int64)
        return _Meet(float(footprints.strip_depths(one, first, other, first)[0]), _relative_rise(one, other))
    if isinstance(one, Circles) and isinstance(other, Circles):
        return _Meet(float(footprints.disc_overlaps(one, other)[0, 0]), 0.0)
    strip, circle = (one, other) if isinstance(one, Strips) else (other, one)
    assert isinstance(strip, Strips)
    assert isinstance(circle, Circles)
    return _Meet(_disc_depth(strip, circle), abs(float(strip.slope[0])))


def _disc_depth(strip: Strips, circle: Circles) -> float:
    offset = circle.centre[0] - strip.centre[0]
    along, across = float(footprints.dot(offset, strip.axis[0])), float(footprints.cross(strip.axis[0], offset))
    half_length, half_width = strip.half[0].tolist()
    return float(circle.radius[0]) - math.hypot(max(abs(along) - half_length, 0.0), max(abs(across) - half_width, 0.0))


def _relative_rise(one: Strips, other: Strips) -> float:
    """By how many mm the height of one stick over another changes where they cross, for each mm that one is shifted in plan.

    A shift r of the one moves the crossing by s along the one and by t along the other.
    """
    (ax, ay), (bx, by) = one.axis[0].tolist(), other.axis[0].tolist()
    sine = ax * by - ay * bx
    if abs(sine) < 1e-6:  # side by side: anything may be above anything
        return math.inf
    # s a + r = t b has s = (b x r) / sine and t = (a x r) / sine; the one rises against the other by slope_a s - slope_b t
    up, down = float(one.slope[0]) / sine, float(other.slope[0]) / sine
    return math.hypot(up * by - down * ay, up * bx - down * ax)
