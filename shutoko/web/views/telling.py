"""A turn at the table in the words that players use; pieces, millimetres and reasons are for those who ask why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from shutoko.web.views.aiming import Aimed, place_of
from shutoko.web.views.guides import worded
from sim.game.highway import JudgedStep
from sim.referee.fault import Fault
from sim.referee.placement import Adjust, Build, Entrance, Exit, Pass, Placement, SetBuilding
from sim.referee.reasons.explain import gifts_of
from sim.referee.table import Table
from sim.referee.verdict import Verdict

__all__ = ["advice", "aimed_in_short", "colour_name", "in_short", "spots_of"]

Place = tuple[float, float, float]


def in_short(step: JudgedStep[Any], text: Any, you: int | None = None) -> str:
    """What a turn came to, such as `You: +1 car, over west`; `you` is the seat of the visitor."""
    verdict, seat = step.verdict, step.entry.by
    names = [text("you") if other == you else name for other, name in enumerate(step.players)]
    who = text("you_name") if seat == you else names[seat]
    if not verdict.legal:
        return str(text("in_short", who=who, what=text("what_illegal")))
    parts = [*_deed(step.placement, verdict, names, text)]
    if verdict.fallen:
        parts.append(text("what_fell", n=len(verdict.fallen)))
    parts += [text("what_pays", to=names[payment.to], gifts=gifts_of(payment)) for payment in verdict.paid]
    before, after = step.before.table.turns.finished, step.after.table.turns.finished
    if not before and after and seat in after[0]:
        parts.append(text("what_wins"))
    return str(text("in_short", who=who, what=", ".join(parts)))


def _deed(placement: Placement, verdict: Verdict, names: Sequence[str], text: Any) -> Iterator[str]:
    match placement:
        case Build() | Exit() if verdict.built is False:
            yield text("what_undone")
            return
        case Exit():
            yield text("what_exit")
        case Entrance():
            yield text("what_entrance")
        case SetBuilding():
            yield text("what_building")
        case Adjust():
            yield text("what_adjust")
        case Pass():
            yield text("what_pass")
        case Build():
            pass
        case _:
            yield text("what_resign")
    if isinstance(placement, Build | Exit | Adjust):
        yield from _earned(verdict, names, text)


def _earned(verdict: Verdict, names: Sequence[str], text: Any) -> Iterator[str]:
    """How many cars, and over and under whose roads; nothing after an exit that earned none."""
    if not verdict.earned:
        if isinstance(verdict.asked[1] if verdict.asked else None, Exit):
            return
        yield text("what_no_car")
        return
    yield text("what_cars", n=verdict.earned)
    crossed = [(crossing.side, crossing.road.owner) for crossing in verdict.crossings if crossing.scores]
    yield from (text(f"what_{side}", owner=names[owner]) for side, owner in dict.fromkeys(crossed))


def aimed_in_short(aimed: Aimed, table: Table, text: Any, names: Sequence[str]) -> str:
    """What an aimed placement would come to, or what to do about it where it is illegal."""
    if aimed.verdict is None:
        return advice(aimed.faults[0], table, text) if aimed.faults else str(text("advice"))
    if not isinstance(aimed.placement, Build | Exit):
        return str(text("what_allowed"))
    return ", ".join(_earned(aimed.verdict, names, text)) or str(text("what_exit"))


def advice(fault: Fault, table: Table, text: Any) -> str:
    """What to do about a fault, with the colour of whoever owns the piece that is in the way."""
    owner = _owner(fault.pieces[-1], table) if fault.pieces else None
    colour = text("colour_nobody") if owner is None else colour_name(owner, text)
    values = {"colour": colour}
    for key in (f"advice_{fault.code}_{fault.form}", f"advice_{fault.code}"):
        told = str(text(key, **values))
        if told != key:
            return told
    return worded(text, "advice", "")


def colour_name(seat: int, text: Any) -> str:
    """What a seat's colour is called."""
    return str(text(f"colour_{seat + 1}"))


def spots_of(faults: Sequence[Fault], table: Table, placement: Placement) -> list[Place]:
    """Where on the table the trouble is (mm): the pieces in the way, else the place itself."""
    names = [fault.pieces[-1] for fault in faults if fault.pieces]
    found = [spot for name in dict.fromkeys(names) if (spot := _spot(name, table)) is not None]
    at = place_of(placement)
    return found or ([(*at, 12.0)] if at is not None else [])


def _owner(piece: str, table: Table) -> int | None:
    pillar, road = table.pillar_by_id.get(piece), table.road_by_id.get(piece)
    if pillar is not None or road is not None:
        return pillar.owner if pillar is not None else road.owner if road is not None else None
    return next((car.owner for car in table.cars if car.id == piece), None)


def _spot(piece: str, table: Table) -> Place | None:
    height = table.components.disc_height
    if piece in table.pillar_by_id:
        pillar = table.pillar_by_id[piece]
        return (*table.top(pillar), pillar.discs * height + 2.0)
    line = next((line for line in table.lines if line.id == piece), None)
    if line is not None:
        (ax, ay), (bx, by) = line.start, line.end
        return ((ax + bx) / 2, (ay + by) / 2, sum(line.levels) / 2 * height + 4.0)
    building = next((one for one in table.buildings if one.id == piece), None)
    return None if building is None else (*building.at, 12.0)
