"""Measured tables: which faults of geometry may come from errors of the ruler, in a game noted by
hand (rules 4j).

Two pieces may be nearer or further apart than noted, by the sum of what each may be off (see
`tolerance`). So a gap between them may be wrong because they really miss each other in plan, or
because they meet elsewhere; then it is wrong by as much as one rises against the other over that
length.

A fault that such an error explains is only a remark; any other refuses the placement. Rules of
counting involve no ruler. Often nobody notes where cars stood (`Table.guessed`); a car that the
referee set down itself blocks nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from sim.referee import geometry
from sim.referee.close_calls import POINT, TURNED, off, tally
from sim.referee.conflicts import NewPieces
from sim.referee.faults import Fault
from sim.referee.footprints import Strip, car_strips, obstacles_of
from sim.referee.geometry import AX, AY, CX, CY, DEEP, HW, ROUND, SHARED_SUPPORT, SLOPE
from sim.referee.placement import Build, Entrance, Exit, Placement
from sim.referee.room import find_build, room_for_errors
from sim.referee.standing import shared_pillars
from sim.referee.table import Table


def divided(
    table: Table, placement: Placement, new: NewPieces | None, faults: Iterable[Fault]
) -> tuple[tuple[Fault, ...], tuple[Fault, ...]]:
    """The faults that errors of the ruler explain, and those beyond its tolerance; `new` are the
    placement's pieces. Faults about cars that the referee set down itself are in neither.
    """
    case = _Case(table, placement, new)
    within, beyond = list[Fault](), list[Fault]()
    for fault in faults:
        if _counts(case, fault):
            (within if _is_within(case, fault) else beyond).append(fault)
    return tuple(within), tuple(beyond)


class _Case(NamedTuple):
    """A placement on a measured table, and its pieces where they are meant to lie."""

    table: Table
    placement: Placement
    new: NewPieces | None

    @property
    def pieces(self) -> NewPieces:
        """The new pieces. Only a placement that has some can have the faults that ask for them."""
        assert self.new is not None
        return self.new


def _counts(case: _Case, fault: Fault) -> bool:
    """Whether a fault counts: not if it is about cars that the referee set down itself, or about
    too many cars where more may be earned.
    """
    if any(piece in case.table.guessed for piece in fault.pieces):
        return False
    return fault.code != "cars-earned" or fault.numbers["wanted"] > _most(case)


def _most(case: _Case) -> int:
    """The cars that a placement may put down, with every crossing that is too close to tell."""
    return min(
        tally(case.pieces.grown, case.pieces.road).most,
        case.table.stocks[case.table.to_move].cars,
    )


def _is_within(case: _Case, fault: Fault) -> bool:
    """Whether the numbers may be off by as much as would undo the fault."""
    within = _WITHIN.get(fault.code)
    return within is not None and within(case, fault)


# --- by code --------------------------------------------------------------------------------------


def _end(case: _Case, fault: Fault) -> bool:
    """An end that sticks out or bears too little, by `mm`."""
    if "mm" not in fault.numbers:  # no road could lie there at all
        return False
    return fault.numbers["mm"] <= end_error(case.table, isinstance(case.placement, Exit))


def end_error(table: Table, exits: bool) -> float:
    """By how many mm an end of a road may lie elsewhere on its pillar than noted. The surplus of a
    road is split between both ends; an exit has it all at its top end.
    """
    return (2 if exits else 1) * POINT * table.tolerance


def _roomy(case: _Case, fault: Fault) -> bool:  # noqa: ARG001 - the arguments of all checks
    """If people saw no room, a place that the numbers allow may really be too narrow; but not if it
    has room even for the greatest errors of two pieces.
    """
    return find_build(case.table, room_for_errors(case.table)) is None


def _too_far(case: _Case, fault: Fault) -> bool:
    return fault.numbers["mm"] - fault.numbers["limit"] <= POINT * case.table.tolerance


def _overlap(case: _Case, fault: Fault) -> bool:
    """An overlap in plan of `mm`."""
    return fault.numbers["mm"] <= _apart(case, fault)


def _gap(case: _Case, fault: Fault) -> bool:
    """A gap of `mm`, which is too small: the pieces might miss each other in plan, or pass where
    there is more room.
    """
    error = _apart(case, fault)
    if _parts_beyond_support(case, fault, error):
        return True
    return all(
        meet.depth <= error or abs(fault.numbers["mm"]) <= meet.rise * error
        for meet in _meets(case, fault)
        if meet.depth > 0.0
    )


def _parts_beyond_support(case: _Case, fault: Fault, error: float) -> bool:
    """Whether a new road that shares its base with an older one of its player may leave it where
    they may no longer touch.

    Near the pillar they may touch (rules 4d). Both turn about it, so further out each may lie
    `error` nearer or further off.
    """
    table, road = case.table, case.pieces.road
    other = table.road_by_id.get(fault.pieces[-1])
    base = table.pillar_by_id.get(road.base)
    if other is None or base is None or not shared_pillars(road.pillars, other.pillars):
        return False
    new, old = (
        (*one[:HW], max(one[HW] - error / 2, 0.0), *one[HW + 1 :])
        for one in (case.pieces.strip, _standing(table, other.id))
    )
    support = SHARED_SUPPORT * table.components.disc_radius + off(table, base.id)
    some, _, _ = geometry.gap(new, 0.0, old, True, *table.top(base), support)
    return not some


def _beside_road(case: _Case, fault: Fault) -> bool:
    """A car beside its road by some of its `mm`, or past an end of it: `along` is out of `least` to
    `most`.
    """
    numbers, box = fault.numbers, case.table.components
    if "along" in numbers:
        past = (
            max(numbers["least"] - numbers["along"], numbers["along"] - numbers["most"])
            * box.road_length
        )
    else:
        past = numbers["mm"] - numbers.get("widest", box.road_width / 2)
    return past <= case.table.tolerance


def _cars_overlap(case: _Case, fault: Fault) -> bool:
    return fault.numbers["mm"] <= 2 * case.table.tolerance


_WITHIN: Mapping[str, Callable[[_Case, Fault], bool]] = {
    "reach": _end,
    "sticks-out": _end,
    "entrance-far": _too_far,
    "has-room": _roomy,
    **dict.fromkeys(
        (
            "over-pillar",
            "pillar-on-pillar",
            "pillar-on-building",
            "pillar-under-road",
            "building-overlap",
        ),
        _overlap,
    ),
    **dict.fromkeys(
        (
            "touches-road",
            "touches-car",
            "touches-pillar",
            "touches-building",
            "over-building",
            "car-touches",
        ),
        _gap,
    ),
    **dict.fromkeys(("under-own-road", "pillar-touches-road", "pillar-touches-car"), _gap),
    "car-off-road": _beside_road,
    "car-on-car": _cars_overlap,
}


# --- two pieces -----------------------------------------------------------------------------------


class _Meet(NamedTuple):
    """Two pieces in plan: how deep they overlap (mm), and how fast the gap between them grows with
    the place (mm a mm).
    """

    depth: float
    rise: float


def _apart(case: _Case, fault: Fault) -> float:
    """By how many mm the new piece of a fault and the standing one may be nearer or further apart
    than noted.
    """
    new, table = POINT, case.table
    if fault.code == "building-overlap" or (
        not fault.code.startswith("pillar") and not isinstance(case.placement, Build)
    ):
        new = TURNED
    return (new + (fault.code == "car-touches")) * table.tolerance + off(table, fault.pieces[-1])


def _meets(case: _Case, fault: Fault) -> list[_Meet]:
    """The new piece of a fault, or each new car, against the standing one."""
    table, placement, strip = case.table, case.placement, case.pieces.strip
    new = [strip]
    if fault.code.startswith("pillar"):
        pillar = case.pieces.pillar
        assert pillar is not None
        new = [_circle(*pillar.at, table.components.disc_radius)]
    elif fault.code == "car-touches":
        spots = (
            (placement.car,)
            if isinstance(placement, Entrance)
            else getattr(placement, "cars", None) or ()
        )
        new = car_strips(table.components, strip, spots)
    old = _standing(table, fault.pieces[-1])
    flat = fault.code == "over-building"  # forbidden at any height
    return [_Meet(_depth(one, old), 0.0 if flat else _relative_rise(one, old)) for one in new]


def _standing(table: Table, piece: str) -> Strip:
    """A road, a car, a building or a pillar as it stands, in plan, as a block; a pillar of a
    measured table stands straight.
    """
    field = obstacles_of(table)
    groups = (
        (field.roads, field.road_ids),
        (field.cars, field.car_ids),
        (field.blocks, field.block_ids),
    )
    for shapes, ids in groups:
        if piece in ids:
            return shapes[ids.index(piece)]
    x, y, _, _ = field.discs[field.disc_pillars.index(piece)]
    return _circle(x, y, table.components.disc_radius)


def _circle(x: float, y: float, radius: float) -> Strip:
    """A circle in plan as a block, whose heights do not matter."""
    return (x, y, radius, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def _depth(one: Strip, other: Strip) -> float:
    """By how many mm two blocks overlap in plan."""
    if one[DEEP] and other[DEEP]:
        return geometry.depth(one, 0.0, other)
    if not one[DEEP] and not other[DEEP]:
        return geometry.round_by_round(
            *(one[CX], one[CY], one[ROUND]), *(other[CX], other[CY], other[ROUND])
        )
    strip, circle = (one, other) if one[DEEP] else (other, one)
    return circle[ROUND] - geometry.off(strip, 0.0, circle[CX], circle[CY])


def _relative_rise(one: Strip, other: Strip) -> float:
    """By how many mm the height of one block above another changes where they meet, for each mm
    that one is shifted in plan.

    A shift r of the one moves the crossing of two sticks by s along the one and by t along the
    other.
    """
    if not (one[DEEP] and other[DEEP]):
        return abs(one[SLOPE] if one[DEEP] else other[SLOPE] if other[DEEP] else 0.0)
    ax, ay, bx, by = one[AX], one[AY], other[AX], other[AY]
    sine = ax * by - ay * bx
    if abs(sine) < 1e-6:  # side by side: anything may be above anything
        return math.inf
    # s a + r = t b has s = (b x r) / sine and t = (a x r) / sine; the one rises against the other
    # by slope_a s - slope_b t
    up, down = one[SLOPE] / sine, other[SLOPE] / sine
    return math.hypot(up * by - down * ay, up * bx - down * ax)
