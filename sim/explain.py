"""Why: every verdict in plain words with its numbers, and for every road which of its sides is still free, and for whom.

A line has a text for people and the same as data for the browser. Nothing is judged here: the referee's verdict carries the
points, levels, blockers and measurements, and the rule options say how they were read (FR sections 6, 8 to 10, KR the same).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sim.adjusting import resolved
from sim.crossings import NEAR_WIDTHS, Blocker, Crossing, Side, sides
from sim.field import field_of
from sim.placement import Adjust, Build, Entrance, Exit, Pass, Placement, Resign, SetBuilding
from sim.ruleset import Ruleset
from sim.table import Table, letter, seat_of
from sim.verdict import Fall, Fault, Payment, Verdict

__all__ = ["KINDS", "Line", "SideSlot", "Slot", "Taker", "explain", "fault_line", "slots"]

Point = tuple[float, float]
_Reason = tuple[str, dict[str, Any]]
"""A reason in words, and as data."""

KINDS = (
    "fault",
    "accepted",
    "remark",
    "resign",
    "pass",
    "building",
    "adjusted",
    "built",
    "touched",
    "undone",
    "crossing",
    "no-crossing",
    "doubt",
    "between",
    "exit-bonus",
    "cars",
    "fall",
    "payment",
    "finished",
    "out",
    "over",
    "goes-on",
)
"""Every `kind` that the data of a line may have."""

_BEYOND: Mapping[Side, str] = {"over": "above", "under": "below"}
_FARTHER: Mapping[Side, str] = {"over": "higher", "under": "lower"}


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of an explanation; `data` says the same in JSON values, its `kind` (of KINDS) first.

    All that a sentence in another language needs is in the data: numbers, ids, and for every reason its name.
    """

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, Any]:
        """The text and the data in one object."""
        return {"text": self.text, **self.data}


@dataclass(frozen=True, slots=True)
class Taker:
    """A road that has taken a side of another: where they cross (mm), and how far apart their undersides are there (mm)."""

    road: str
    at: Point
    mm: float

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"road": self.road, "at": list(self.at), "mm": self.mm}


@dataclass(frozen=True, slots=True)
class SideSlot:
    """One side of a road: the seats that it can still earn a car, and the roads that have taken it.

    `within` is the distance in mm around each taker's crossing in which it counts (crossing_scope = point), None: all along.
    """

    side: Side
    free_for: tuple[int, ...]
    takers: tuple[Taker, ...]
    within: float | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "side": self.side,
            "free_for": list(self.free_for),
            "takers": [taker.to_json() for taker in self.takers],
            "within": self.within,
        }


@dataclass(frozen=True, slots=True)
class Slot:
    """A road with its two sides; `nobody` says why it earns nobody a car (ramps_count, inactive_roads_count)."""

    road: str
    owner: int
    over: SideSlot
    under: SideSlot
    nobody: str = ""

    @property
    def text(self) -> str:
        """For example `B-R3: over free, under taken by C-R2 at (12.3, 4.0)`."""
        if self.nobody:
            return f"{self.road}: {self.nobody}"
        return f"{self.road}: {_side_text(self.over)}, {_side_text(self.under)}"

    def to_json(self) -> dict[str, Any]:
        """As plain values, the text included."""
        both = {"over": self.over.to_json(), "under": self.under.to_json()}
        return {"road": self.road, "owner": self.owner, **both, "nobody": self.nobody, "text": self.text}


def slots(table: Table) -> tuple[Slot, ...]:
    """The over and under side of every road on the table, in building order: free, for which seats, or taken by what."""
    rules, network = table.ruleset, field_of(table).network
    taken = sides(network)
    views = {seat: taken if rules.own_roads_occlude else sides(network, seat) for seat in range(table.turns.seats)}
    within = NEAR_WIDTHS * table.components.road_width if rules.crossing_scope == "point" else None
    found = []
    for index, road in enumerate(table.lines):
        nobody = ""
        if not rules.ramps_count and road.is_ramp:
            nobody = "a ramp earns nobody a car (ramps_count is false)"
        elif not rules.inactive_roads_count and road.owner in table.inactive:
            nobody = f"{letter(road.owner)} is out or has finished, so it earns nobody a car (inactive_roads_count is false)"
        askers = [] if nobody else [seat for seat in table.turns.active if seat != road.owner]

        def slot(side: Side, index: int = index, askers: list[int] = askers) -> SideSlot:
            free = tuple(seat for seat in askers if within is not None or not views[seat][index][side])
            return SideSlot(side, free, tuple(_taker(table, blocker) for blocker in taken[index][side]), within)

        found.append(Slot(road.id, road.owner, slot("over"), slot("under"), nobody))
    return tuple(found)


def explain(table: Table, placement: Placement, verdict: Verdict) -> tuple[Line, ...]:
    """Why the verdict on a placement is what it is; `table` is the table before the ply."""
    if not verdict.legal:
        return tuple(replace(line, text=f"illegal: {line}") for line in map(fault_line, verdict.faults))
    adjusts = isinstance(placement, Adjust)
    table, placement = resolved(table, placement)
    after = table.after(placement, verdict)
    lines = [
        *(_adjusted(after) if adjusts and verdict.built else ()),
        *_deed(table, after, placement, verdict),
        *_remarks(table, verdict),
        *_crossings(table, placement, verdict),
        *_doubts(verdict),
        *(_cars(table, placement, verdict) if isinstance(placement, (Build, Exit)) else ()),
        *_falls(table, verdict),
        *_payments(table, verdict),
        *_consequences(table, after, placement, verdict),
    ]
    return tuple(lines)


def fault_line(fault: Fault) -> Line:
    """A fault as a line."""
    return Line(fault.text, {"kind": "fault", **fault.to_json()})


# --- what was done -----------------------------------------------------------------------------------------------------------


def _deed(table: Table, after: Table, placement: Placement, verdict: Verdict) -> Iterator[Line]:
    seat, who = table.to_move, letter(table.to_move)
    if isinstance(placement, Resign):
        yield Line(f"{who} resigns; what {who} built stays", {"kind": "resign", "seat": seat})
    elif isinstance(placement, Pass):
        why, reason = _why_pass(table, placement, verdict)
        yield Line(f"{who} misses the turn: {why}", {"kind": "pass", "seat": seat, "why": why, **reason})
    elif isinstance(placement, SetBuilding):
        standing = after.buildings[-1]
        text = f"{who} sets the {standing.kind} {standing.id} at {_at(standing.at)}; it never moves again"
        data = {"kind": "building", "seat": seat, "piece": standing.id, "building": standing.kind, "at": list(standing.at)}
        yield Line(text, data)
    elif verdict.built:
        road = after.roads[-1]
        pillar = None if isinstance(placement, Exit) else after.pillars[-1]
        text = f"{who} lays {road.id}, an exit from {road.base} to the table at {_at(road.end)}"
        more: dict[str, Any] = {"way": "exit", "at": list(road.end)}
        if pillar is not None:
            what = f"{pillar.discs} disc{'s' * (pillar.discs > 1)}{', the top one a junction' * pillar.junction}"
            way = "the entrance ramp" if isinstance(placement, Entrance) else f"from {road.base}"
            text = f"{who} builds {pillar.id} of {what} at {_at(pillar.at)} and lays {road.id}, {way}"
            more = {"way": "entrance" if isinstance(placement, Entrance) else "build", "at": list(pillar.at)}
            more |= {"discs": pillar.discs, "junction": pillar.junction}
        data = {"kind": "built", "seat": seat, "road": road.id, "pillar": pillar.id if pillar is not None else None}
        yield Line(text, {**data, "base": road.base, **more})
    for piece in verdict.touched:
        if piece.startswith("X"):
            redo = table.ruleset.hand_on_building == "redo"
            text = f"the hand touches the building {piece}" + (", so the build does not count (KR 3.3)" if redo else "")
            yield Line(text, {"kind": "touched", "piece": piece, "redo": redo})
    if verdict.built is False:
        own = [fall.piece for fall in verdict.falls if fall.piece not in table.piece_ids]
        why = f"{' and '.join(own)} did not stand" if own else "it does not count"
        text = f"the build is undone and {who} loses the turn: {why}"
        yield Line(text, {"kind": "undone", "seat": seat, "pieces": own, "reason": "fell" if own else "void"})


def _adjusted(after: Table) -> Iterator[Line]:
    road = after.roads[-1]
    who, piece = letter(road.owner), road.target or road.id
    at = after.pillar_by_id[road.target].at if road.target is not None else road.end
    what = "" if road.target is not None else ": it ends"
    text = f"{who} adjusts {piece}{what} at {_at(at)}; it is judged as if it had been built so"
    yield Line(text, {"kind": "adjusted", "seat": road.owner, "piece": piece, "at": list(at)})


def _why_pass(table: Table, placement: Pass, verdict: Verdict) -> _Reason:
    seat = table.to_move
    if table.unable(seat):
        text, lack = _lack(table, seat)
        return text, {"reason": "lack", **lack}
    if placement.reason is not None:
        return "no place is left to build", {"reason": "no-room"}
    if verdict.faults:
        return "nobody noticed that it could be played", {"reason": "accepted"}
    return "a turn may be passed (may_pass)", {"reason": "may-pass"}


def _lack(table: Table, seat: int) -> _Reason:
    """What a seat lacks to build (FR 10.2, KR 10.2)."""
    stock, bases = table.stocks[seat], table.base_points(seat)
    if stock.roads == 0:
        return "no road is left", {"lack": "roads"}
    if not bases:
        return "no base point is left to build from", {"lack": "bases"}
    heights = ", ".join(f"{base.pillar.id} ({base.pillar.discs})" for base in bases)
    return (
        f"{stock.grey} grey and {stock.yellow} yellow discs pay for no pillar from {heights}, and no exit is allowed there",
        {"lack": "discs", "grey": stock.grey, "yellow": stock.yellow, "bases": [base.pillar.id for base in bases]},
    )


# --- measured tables ---------------------------------------------------------------------------------------------------------


def _remarks(table: Table, verdict: Verdict) -> Iterator[Line]:
    for fault in verdict.faults:
        text = f"against the rules, but noticed too late, so it stands (KR 4.3): {fault.text}"
        yield Line(text, {"kind": "accepted", **fault.to_json()})
    for fault in verdict.remarks:
        text = f"remark: {fault.text}; errors of {table.tolerance:g} mm may explain it"
        yield Line(text, {"kind": "remark", **fault.to_json(), "within": table.tolerance})


def _doubts(verdict: Verdict) -> Iterator[Line]:
    for doubt in verdict.doubts:
        about = {
            "meeting": f"it crosses {doubt.road} at all, {doubt.mm:.1f} mm decide",
            "side": f"it runs over or under {doubt.road}, {doubt.mm:.1f} mm decide",
            "taken": f"{doubt.other} has taken that side of {doubt.road}",
        }[doubt.about]
        yield Line(f"too close to tell: whether {about}", {"kind": "doubt", **doubt.to_json()})
    if verdict.between is not None:
        least, most = verdict.between
        text = f"too close to tell: {least} or {_count(most, 'car')}; {verdict.earned} {_is(verdict.earned)} taken to be earned"
        yield Line(text, {"kind": "between", "least": least, "most": most, "earned": verdict.earned})


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


# --- crossings and cars ------------------------------------------------------------------------------------------------------


def _crossings(table: Table, placement: Placement, verdict: Verdict) -> Iterator[Line]:
    height, rules = table.components.disc_height, table.ruleset
    near = NEAR_WIDTHS * table.components.road_width if rules.crossing_scope == "point" else None
    own = [crossing.road.id for crossing in verdict.crossings if crossing.reason == "own"]
    for crossing in verdict.crossings:
        met, name = crossing.meeting, crossing.road.id
        mm = abs(met.level - met.other) * height
        blockers = [_taker(table, blocker) for blocker in crossing.blockers]
        what = "the own road " if crossing.reason == "own" else ""
        text = f"{crossing.side} {what}{name} at {_at(met.at)} by {mm:.1f} mm: {_why(rules, crossing, blockers, own, near)}"
        yield Line(
            text,
            {
                "kind": "crossing",
                "road": name,
                "side": crossing.side,
                "at": list(met.at),
                "mm": mm,
                "scores": crossing.scores,
                "reason": crossing.reason,
                "blockers": [blocker.to_json() for blocker in blockers],
                "owner": crossing.road.owner,
                "own": own,
                "within": near,
                "roads": "other" if rules.own_roads_occlude else "opponents",
                "memory": rules.crossing_memory,
            },
        )
    if verdict.built and not verdict.crossings and isinstance(placement, (Build, Exit)):
        yield Line("it crosses no road", {"kind": "no-crossing"})


def _why(rules: Ruleset, crossing: Crossing, blockers: list[Taker], own: list[str], near: float | None) -> str:
    name, beyond = crossing.road.id, _BEYOND[crossing.side]
    if crossing.reason == "own":
        return "own roads earn nothing"
    if crossing.reason == "ramp":
        return "earns nothing, it is a ramp (ramps_count is false)"
    if crossing.reason == "inactive":
        who = letter(crossing.road.owner)
        return f"earns nothing, {who} is out or has finished (inactive_roads_count is false)"
    if crossing.reason == "voided":
        return f"earns nothing, the new road crosses the own road {' and '.join(own)} (own_cross_voids)"
    if blockers:
        took = [
            f"{b.road} is already {beyond} {name} at {_at(b.at)}, {b.mm:.1f} mm {_FARTHER[crossing.side]}" for b in blockers
        ]
        return f"earns nothing, {' and '.join(took)}"
    where = "" if near is None else f" within {near:.1f} mm"
    other = "other" if rules.own_roads_occlude else "opponent's"
    ever = "has ever passed" if rules.crossing_memory == "history" else "is"
    return f"scores (no {other} road {ever} {beyond} {name}{where})"


def _cars(table: Table, placement: Build | Exit, verdict: Verdict) -> Iterator[Line]:
    if not verdict.built:
        return
    who, stock = letter(table.to_move), table.stocks[table.to_move].cars
    scoring = sum(crossing.scores for crossing in verdict.crossings)
    if isinstance(placement, Exit):
        if verdict.earned > scoring:
            yield Line("the exit earns 1 car as a bonus (FR 8, KR 8)", {"kind": "exit-bonus", "cars": 1})
        else:
            text = "the exit's bonus is lost: the road crosses an own road (own_cross_voids)"
            yield Line(text, {"kind": "exit-bonus", "cars": 0})
    placed = len(verdict.spots)
    fell = [fall.piece for fall in verdict.falls if "-C" in fall.piece and fall.piece not in table.piece_ids]
    missing = min(verdict.earned, stock) - placed
    why = {}
    if verdict.earned > stock:
        why["stock"] = f"{who} has only {stock} left"
    if verdict.returned:
        why["clean-win"] = "the last one goes back, as something was knocked over in this turn (clean_win)"
    elif missing and fell:
        why["fell"] = f"{' and '.join(fell)} did not stay on the road"
    elif missing and placement.cars is not None:
        why["declined"] = f"{who} puts down no more"
    elif missing:
        why["no-place"] = "the road has no free place for more"
    reason = f" ({'; '.join(why.values())})" if why else ""
    data = {"kind": "cars", "seat": table.to_move, "earned": verdict.earned, "placed": placed, "cars": list(verdict.cars)}
    data |= {"stock": stock, "why": [*why.values()], "reasons": [*why], "fell": fell}
    yield Line(f"{who} earns {_count(verdict.earned, 'car')} and places {placed}{reason}", data)


# --- falls and payments ------------------------------------------------------------------------------------------------------


def _falls(table: Table, verdict: Verdict) -> Iterator[Line]:
    for fall in verdict.falls:
        owner = seat_of(fall.piece)
        own = owner == table.to_move
        text = f"{fall.piece} fell: {_test(fall)}" + (" (own pieces cost nothing)" if own else "")
        far = fall.test in ("off its disc", "off its road") and not fall.allowed
        data = {"kind": "fall", "owner": owner, **fall.to_json(), "how": f"far {fall.test}" if far else fall.test, "own": own}
        yield Line(text, data)


def _test(fall: Fall) -> str:
    measured, allowed = f"{fall.measured:.1f}", f"{fall.allowed:.1f}"
    match fall.test:
        case "shifted":
            return f"it moved {measured} mm sideways, more than half its radius ({allowed} mm)"
        case "sank":
            return f"it sank by {measured} mm, more than half its height ({allowed} mm)"
        case "tipped":
            return f"it tipped by {measured} degrees, more than {allowed}"
        case "moved":
            return f"it moved {measured} mm, more than fall_distance = {allowed} mm"
        case "off its disc":
            if fall.allowed:
                return (
                    f"an end of it lies {measured} mm below the top of its disc, more than the road's thickness ({allowed} mm)"
                )
            return f"an end of it is {measured} mm off its disc"
        case "off its road":
            if fall.allowed:
                return (
                    f"it no longer stands on its road: {measured} mm from the road's face, at most {allowed} mm for a car on it"
                )
            return f"it is {measured} mm off its road"
        case "observed":
            return "people saw it"


def _payments(table: Table, verdict: Verdict) -> Iterator[Line]:
    who, paid = letter(table.to_move), {payment.to: payment for payment in verdict.paid}
    for seat, due in verdict.owed:
        payment = paid.get(seat, Payment(seat))
        unit = " (fallen discs of one pillar count once)" if table.ruleset.penalty_unit == "stack" else ""
        debt = f"{_count(due, 'disc')} for {_count(due, 'fallen piece')}{unit}"
        text = f"{who} owes {letter(seat)} {debt} and pays {_given(payment)}"
        if payment.total < due:
            what = "discs, roads and cars" if table.ruleset.penalty_currency == "any" else "discs"
            text += f": {who} has no more {what}"
        data = {"kind": "payment", "from": table.to_move, "owed": due, **payment.to_json(), "capped": payment.total < due}
        given = [{"what": what, "count": count} for what, _, count in _gifts(payment)]
        more = {"given": given, "unit": table.ruleset.penalty_unit, "currency": table.ruleset.penalty_currency}
        yield Line(text, {**data, **more})


def _given(payment: Payment) -> str:
    return " and ".join(_count(count, name) for _, name, count in _gifts(payment)) or "nothing"


def _gifts(payment: Payment) -> list[tuple[str, str, int]]:
    """What is given: its key, its English name, how many."""
    kinds = (("grey", "grey disc"), ("yellow", "yellow disc"), ("roads", "road"), ("cars", "car"))
    return [(key, name, getattr(payment, key)) for key, name in kinds if getattr(payment, key)]


# --- what follows ------------------------------------------------------------------------------------------------------------


def _consequences(table: Table, after: Table, placement: Placement, verdict: Verdict) -> Iterator[Line]:
    seat, who = table.to_move, letter(table.to_move)
    if len(after.turns.finished) > len(table.turns.finished):
        rank = sum(len(group) for group in after.turns.finished)
        text = f"{who} has placed all cars and {'wins' if rank == 1 else f'finishes in place {rank}'}"
        yield Line(text, {"kind": "finished", "seat": seat, "rank": rank})
    for gone in verdict.out:
        why, reason = _why_out(table, after, placement, gone)
        yield Line(f"{letter(gone)} is out: {why}", {"kind": "out", "seat": gone, "why": why, **reason})
    outcome = after.outcome()
    if outcome is not None:
        winners = " and ".join(letter(winner) for winner in outcome.winners)
        ranks = [list(group) for group in outcome.ranks]
        text = f"the game is over ({outcome.reason}): {winners} wins"
        yield Line(text, {"kind": "over", "reason": str(outcome.reason), "winners": list(outcome.winners), "ranks": ranks})
    elif table.phase == "play" and after.to_move == seat and verdict.built:
        text = f"{who} goes on: no car was placed yet (turn_end = until_car)"
        yield Line(text, {"kind": "goes-on", "seat": seat})


def _why_out(table: Table, after: Table, placement: Placement, gone: int) -> _Reason:
    if isinstance(placement, Resign) and gone == table.to_move:
        return "resigned", {"reason": "resigned"}
    if isinstance(placement, Pass) and placement.reason is not None and gone == table.to_move:
        return "no place was left to build for two own turns in a row", {"reason": "no-room"}
    text, lack = _lack(after, gone)
    if after.ruleset.elimination == "kr":
        return f"still unable to build at the next own turn, {text} (KR 10.2)", {"reason": "still-unable", **lack}
    left = [seat for seat in after.turns.active if not after.unable(seat)]
    if len(after.turns.active) == 1 and left:
        return f"{text}, and only {letter(left[0])} has material (FR 10.2)", {"reason": "last-one", "left": left[0], **lack}
    return f"{text}, and all others had one more turn without a penalty (FR 10.2)", {"reason": "last-round", **lack}


# --- small things ------------------------------------------------------------------------------------------------------------


def _taker(table: Table, blocker: Blocker) -> Taker:
    met = blocker.meeting
    return Taker(blocker.road.id, met.at, abs(met.level - met.other) * table.components.disc_height)


def _side_text(slot: SideSlot) -> str:
    if not slot.takers:
        return f"{slot.side} free"
    took = " and ".join(f"{taker.road} at {_at(taker.at)}" for taker in slot.takers)
    if slot.within is not None:
        return f"{slot.side} free but within {slot.within:.1f} mm of {took}"
    whom = f", free for {' and '.join(letter(seat) for seat in slot.free_for)}" if slot.free_for else ""
    return f"{slot.side} taken by {took}{whom}"


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"


def _at(point: Point) -> str:
    x, y = (round(value, 1) + 0.0 for value in point)  # -0.0 reads like a slip
    return f"({x:.1f}, {y:.1f})"
