"""The sentences of faults about measured gaps, overlaps and places, with the same numbers as data."""

from __future__ import annotations

from collections.abc import Sequence

from sim.referee.conflicts import NewPieces
from sim.referee.crossings import lines, meetings
from sim.referee.footprints import TOUCH
from sim.referee.names import counted
from sim.referee.obstacles import obstacles_of
from sim.referee.placement import Build, CarSpot, Exit
from sim.referee.standing import letter
from sim.referee.table import Table
from sim.referee.verdict import Fault, FaultCode

__all__ = ["are", "car_on_car", "conflict_fault", "contact", "discs_text", "place", "room_fault", "some_of"]

_SHOWN = 0.005  # mm: two decimals show no smaller overlap, so such pieces are said to touch


def conflict_fault(table: Table, new: NewPieces, code: FaultCode, piece: str, mm: float) -> Fault:
    """The fault of new pieces that come `mm` near a standing piece, or into it, in words and numbers."""
    road, pillar, box = new.road.id, new.pillar, table.components
    stack = f"the pillar at {place(pillar.at)}" if pillar is not None else ""
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
        where = f"the pillar {piece} at {place(table.pillar_by_id[piece].at)}"
        text = f"{road} overlaps {where} seen from above: {numbers['distance']:.2f} mm from its axis, {need:g} mm is needed"
    elif code == "over-building" and mm >= TOUCH:
        text = f"{road} passes {mm:.2f} mm over the building {piece} (over_building = forbid)"
    elif code in ("touches-pillar", "touches-car", "over-building", "touches-building"):
        what = {"touches-pillar": "pillar", "touches-car": "car"}.get(code, "building")
        text, numbers = contact(road, f"the {what} {piece}", mm)
    elif code == "pillar-touches-road" or code == "pillar-touches-car":
        text, numbers = contact(stack, f"{code[15:]} {piece}", mm)
    else:
        what = {"pillar-on-pillar": "pillar", "pillar-under-road": "road"}.get(code, "building")
        text, numbers = _overlapping(stack, f"{what} {piece}", mm)
        if code == "pillar-under-road":
            text += "; no pillar is set under a road"
    pieces = (piece,) if code.startswith("pillar") else (road, piece)
    return Fault(code, text, pieces, numbers)


def contact(one: str, other: str, mm: float) -> tuple[str, dict[str, float]]:
    """A clear gap of `mm`, or a cut where it is below 0, in words and as numbers."""
    if mm <= -_SHOWN:
        return f"{one} cuts {-mm:.2f} mm into {other}", {"mm": mm, "into": -mm}
    return f"{one} touches {other}: the gap is {max(mm, 0.0) + 0.0:.2f} mm", {"mm": mm, "clear": max(mm, 0.0)}


def _overlapping(one: str, other: str, mm: float) -> tuple[str, dict[str, float]]:
    """An overlap in plan of `mm`, or a gap where it is below 0, in words and as numbers."""
    if mm >= _SHOWN:
        return f"{one} overlaps {other} by {mm:.2f} mm in plan", {"mm": mm}
    return f"{one} touches {other}: the gap is {max(-mm, 0.0) + 0.0:.2f} mm in plan", {"mm": mm, "clear": max(-mm, 0.0)}


def _touch_text(table: Table, new: NewPieces, piece: str, mm: float) -> tuple[str, dict[str, float]]:
    """How two roads touch: at the crossing of their centre lines where there is one, else at the narrowest place."""
    field, road = obstacles_of(table), new.road
    index = field.road_ids.index(piece)
    text, numbers = contact(road.id, f"road {piece}", mm)
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


def car_on_car(road: str, one: CarSpot, other: CarSpot, overlap: float) -> Fault:
    """The fault of two new cars on a road that overlap by so many mm, or touch."""
    cars, numbers = f"the cars at {one.along:g} and {other.along:g} of {road}", {"mm": overlap}
    text = f"{cars} overlap by {overlap:.2f} mm"
    if overlap < _SHOWN:
        text, numbers = f"{cars} touch: the gap is {abs(overlap):.2f} mm", {"mm": overlap, "clear": abs(overlap)}
    return Fault("car-on-car", text, (road,), numbers)


def room_fault(seat: int, found: Build | Exit) -> Fault:
    """That a seat has room, with the build or exit that was found, in words."""
    (x, y), junction = (found.at, found.junction) if isinstance(found, Build) else (found.to, False)
    numbers: dict[str, float] = {"x": x, "y": y}
    what = f"an exit to {place((x, y))}"
    if isinstance(found, Build):
        what = f"{discs_text(found.discs)}{', a junction' * junction} at {place((x, y))}"
        numbers |= {"discs": found.discs}
    return Fault("has-room", f"{letter(seat)} has room: {what} from {found.base}", (found.base,), numbers)


def place(point: tuple[float, float]) -> str:
    """A point in plan, to a tenth of a mm: `(12.3, 4.0)`."""
    x, y = (round(value, 1) + 0.0 for value in point)  # -0.0 reads like a slip
    return f"({x:.1f}, {y:.1f})"


def discs_text(count: int) -> str:
    """`1 disc`, `2 discs`."""
    return counted(count, "disc")


def are(count: int) -> str:
    """The verb that goes with a number of things."""
    return "is" if count == 1 else "are"


def some_of(ids: Sequence[str]) -> str:
    """The first three of some ids, and how many more there are."""
    more = f" and {len(ids) - 3} more" if len(ids) > 3 else ""
    return ", ".join(ids[:3]) + more or "none"
