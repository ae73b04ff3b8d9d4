"""Why: every verdict in plain words with its numbers, and for every road which of its sides is still free, and for whom.

A line has a text for people and the same as data for the browser. Nothing is judged here: the referee's verdict carries the
points, levels, blockers and measurements, and the rule options say how they were read (FR sections 6, 8 to 10, KR the same).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sim.pieces import Components
from sim.referee.adjusting import resolved
from sim.referee.crossings import NEAR_WIDTHS, Blocker, Crossing, Meeting, Network, Road, Side, judge, sides
from sim.referee.names import LETTERS, Names, beyond, counted, first_of, listed
from sim.referee.obstacles import obstacles_of
from sim.referee.placement import Adjust, Build, CarSpot, Entrance, Exit, Pass, Placement, Resign, SetBuilding
from sim.referee.slopes import Steep, holds, slope, steep
from sim.referee.standing import seat_of
from sim.referee.table import Table
from sim.referee.verdict import Breach, Fall, Fault, Payment, PutBack, Verdict, buildings_among, in_short

__all__ = [
    "KINDS",
    "Reason",
    "SideSlot",
    "Slot",
    "Taker",
    "explain",
    "fault_line",
    "restless_line",
    "slots",
    "steep_line",
]

Point = tuple[float, float]
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
    "try",
    "breach",
    "crossing",
    "no-crossing",
    "close-call",
    "between",
    "exit-bonus",
    "cars",
    "put-back",
    "doubt",
    "fall",
    "restless",
    "payment",
    "finished",
    "out",
    "over",
    "goes-on",
)
"""Every `kind` that the data of a line may have."""

_BEYOND: Mapping[Side, str] = {"over": "above", "under": "below"}


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence of an explanation; `data` says the same in JSON values, its `kind` (of KINDS) first.

    All that a sentence in another language needs is in the data: numbers, ids, and for every reason its name; players are
    seats, called as `names` says. A `text` that names the first of several things only has a `full` one.
    """

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    names: Names = LETTERS
    full: str = ""

    def __str__(self) -> str:
        return self.text

    @property
    def whole(self) -> str:
        """The sentence that leaves nothing out, however long."""
        return self.full or self.text

    def to_json(self) -> dict[str, Any]:
        """The text and the data in one object."""
        return {"text": self.text, **self.data}


@dataclass(frozen=True, slots=True)
class Taker:
    """A road that has taken a side of another: where they cross (mm), and the clear gap between the two sticks there (mm)."""

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
    names: Names = LETTERS

    @property
    def text(self) -> str:
        """For example `B-R3: over free, under taken by C-R2 at (12.3, 4.0)`."""
        if self.nobody:
            return f"{self.road}: {self.nobody}"
        return f"{self.road}: {_side_text(self.over, self.names)}, {_side_text(self.under, self.names)}"

    def to_json(self) -> dict[str, Any]:
        """As plain values, the text included."""
        both = {"over": self.over.to_json(), "under": self.under.to_json()}
        return {"road": self.road, "owner": self.owner, **both, "nobody": self.nobody, "text": self.text}


def slots(table: Table, names: Sequence[str] = ()) -> tuple[Slot, ...]:
    """The over and under side of every road on the table, in building order: free, for which seats, or taken by what.

    `names` are the players by seat, for the texts.
    """
    called = Names(tuple(names))
    rules, network = table.ruleset, obstacles_of(table).network
    taken = sides(network)
    views = {seat: taken if rules.own_roads_occlude else sides(network, seat) for seat in range(table.turns.seats)}
    within = NEAR_WIDTHS * table.components.road_width if rules.crossing_scope == "point" else None
    found = []
    for index, road in enumerate(table.lines):
        nobody = ""
        if not rules.ramps_count and road.is_ramp:
            nobody = "a ramp earns nobody a car (ramps_count = false)"
        elif not rules.inactive_roads_count and road.owner in table.inactive:
            nobody = f"{called.does(road.owner, 'is')} out or done, so it earns nobody a car (inactive_roads_count = false)"
        askers = [] if nobody else [seat for seat in table.turns.active if seat != road.owner]

        def slot(side: Side, index: int = index, road: Road = road, askers: list[int] = askers) -> SideSlot:
            free = tuple(seat for seat in askers if within is not None or not views[seat][index][side])
            return SideSlot(side, free, _takers(table, road, taken[index][side]), within)

        found.append(Slot(road.id, road.owner, slot("over"), slot("under"), nobody, called))
    return tuple(found)


def explain(table: Table, placement: Placement, verdict: Verdict, names: Sequence[str] = ()) -> tuple[Reason, ...]:
    """Why the verdict on a placement is what it is; `table` is the table before the ply.

    The first line says what was done. `names` are the players by seat; without them they are called by their letters.
    """
    called = Names(tuple(names))
    if not verdict.legal:
        return tuple(replace(line, text=f"illegal: {line}", names=called) for line in map(fault_line, verdict.faults))
    adjusts = isinstance(placement, Adjust)
    table, placement = resolved(table, placement)
    after = table.after(placement, verdict)
    ply = _Ply(table, after, placement, verdict, called)
    lines = [
        *(_adjusted(ply) if adjusts and verdict.built else ()),
        *_deed(ply),
        *_remarks(ply),
        *_tries(ply),
        *_last_try(ply),
        *_crossings(ply),
        *_close_calls(verdict),
        *_cars(ply),
        *_falls(ply),
        *([restless_line(verdict.restless)] if verdict.restless else ()),
        *_payments(ply),
        *_consequences(ply),
    ]
    return tuple(replace(line, names=called) for line in lines)


def fault_line(fault: Fault) -> Reason:
    """A fault as a line."""
    return Reason(fault.text, {"kind": "fault", **fault.to_json()})


def steep_line(car: Steep) -> Reason:
    """A car that may slide, as a line."""
    text = f"{car.car} stands at {car.degrees:.1f} degrees; friction holds to {car.holds:.1f}: it may slide"
    return Reason(text, {"kind": "doubt", "doubt": "steep", "piece": car.car, "degrees": car.degrees, "holds": car.holds})


@dataclass(frozen=True, slots=True)
class _Ply:
    """What is explained: the table before and after, what was meant, what came of it, and how the players are called."""

    table: Table
    after: Table
    placement: Placement
    verdict: Verdict
    names: Names

    @property
    def seat(self) -> int:
        return self.table.to_move

    def is_new(self, piece: str) -> bool:
        return piece not in self.table.piece_ids


# --- what was done -----------------------------------------------------------------------------------------------------------


def _deed(ply: _Ply) -> Iterator[Reason]:
    seat, names, placement = ply.seat, ply.names, ply.placement
    if isinstance(placement, Resign):
        text = f"{names.does(seat, 'resigns')}; what {names(seat)} built stays"
        yield Reason(text, {"kind": "resign", "seat": seat})
    elif isinstance(placement, Pass):
        yield _pass(ply, placement)
    elif isinstance(placement, SetBuilding):
        standing = ply.after.buildings[-1]
        what = f"the {standing.kind} {standing.id} at {_at(standing.at)}"
        data = {"kind": "building", "seat": seat, "piece": standing.id, "building": standing.kind, "at": list(standing.at)}
        yield Reason(f"{names.does(seat, 'sets')} {what}; it never moves again", data)
    elif ply.verdict.built:
        yield _built(ply)
    elif ply.verdict.built is False:
        yield _undone(ply)


def _pass(ply: _Ply, placement: Pass) -> Reason:
    lack: dict[str, Any] = {}
    full = ""
    if ply.table.unable(ply.seat):
        why, full, lack = _lack(ply.table, ply.seat)
        reason = "lack"
    elif placement.reason is not None:
        why, reason = "no place is left to build", "no-room"
    elif ply.verdict.faults:
        why, reason = "nobody noticed that it could be played", "accepted"
    else:
        why, reason = "a turn may be passed (may_pass)", "may-pass"
    start = f"{ply.names.does(ply.seat, 'misses')} the turn: "
    data = {"kind": "pass", "seat": ply.seat, "why": why, "reason": reason, **lack}
    return Reason(start + why, data, full=start + full if full else "")


def _adjusted(ply: _Ply) -> Iterator[Reason]:
    after = ply.after
    road = after.roads[-1]
    piece = road.target or road.id
    at = after.pillar_by_id[road.target].at if road.target is not None else road.end
    ends = "" if road.target is not None else ": it ends"
    text = f"{ply.names.does(road.owner, 'adjusts')} {piece}{ends} at {_at(at)}; it is judged as if it had been built so"
    yield Reason(text, {"kind": "adjusted", "seat": road.owner, "piece": piece, "at": list(at)})


def _lack(table: Table, seat: int) -> tuple[str, str, dict[str, Any]]:
    """What a seat lacks to build (FR 10.2, KR 10.2): in short, in full, and as data."""
    stock, bases = table.stocks[seat], table.base_points(seat)
    if stock.roads == 0:
        return "no road is left", "", {"lack": "roads"}
    if not bases:
        return "no base point is left to build from", "", {"lack": "bases"}
    heights = ", ".join(f"{base.pillar.id} ({base.pillar.discs})" for base in bases)
    discs = f"{stock.grey} grey and {stock.yellow} yellow discs"
    data = {"lack": "discs", "grey": stock.grey, "yellow": stock.yellow, "bases": [base.pillar.id for base in bases]}
    return f"{discs} are too few", f"{discs} pay for no pillar from {heights}, and no exit is allowed there", data


def _built(ply: _Ply) -> Reason:
    names, seat, placement, tries = ply.names, ply.seat, ply.placement, len(ply.verdict.failed) + 1
    road = ply.after.roads[-1]
    pillar = None if isinstance(placement, Exit) else ply.after.pillars[-1]
    if pillar is None:
        text = f"{names.does(seat, 'lays')} {road.id}, an exit from {road.base} to the table at {_at(road.end)}"
        more: dict[str, Any] = {"way": "exit", "at": list(road.end)}
    else:
        what = f"{counted(pillar.discs, 'disc')}{', the top one a junction,' * pillar.junction}"
        way = ", the entrance ramp" if isinstance(placement, Entrance) else f" from {road.base}"
        verb = names.verb(seat, "lays")
        text = f"{names.does(seat, 'builds')} {pillar.id} of {what} at {_at(pillar.at)} and {verb} {road.id}{way}"
        more = {"way": "entrance" if isinstance(placement, Entrance) else "build", "at": list(pillar.at)}
        more |= {"discs": pillar.discs, "junction": pillar.junction}
    data = {"kind": "built", "seat": seat, "road": road.id, "pillar": pillar.id if pillar is not None else None}
    text += f", at try {tries}" if tries > 1 else ""
    return Reason(text, {**data, "base": road.base, **more, "tries": tries})


def _undone(ply: _Ply) -> Reason:
    verdict, tries = ply.verdict, len(ply.verdict.failed) + 1
    fell = [fall.piece for fall in verdict.falls if ply.is_new(fall.piece)]
    hand = buildings_among(verdict.touched) if ply.table.ruleset.hand_on_building == "redo" else []
    pieces = fell or hand or list(dict.fromkeys(breach.piece for breach in verdict.breaches))
    if fell:
        reason, why = "fell", f"{first_of(fell)} fell"
    elif hand:
        reason, why = "hand", f"the hand touched {first_of(hand)} (KR 3.3)"
    elif verdict.breaches:
        reason, why = _way(verdict.breaches[0]), in_short([_broken(breach) for breach in verdict.breaches])
    else:
        reason, why = "void", "people say that it did not stand"
    after = f" after {tries} tries" if tries > 1 else ""
    text = f"{ply.names.of(ply.seat)} build is undone and the turn is lost{after}: {why}"
    return Reason(text, {"kind": "undone", "seat": ply.seat, "pieces": pieces, "reason": reason, "tries": tries})


# --- tries, and what did not stand by rule -----------------------------------------------------------------------------------


def _tries(ply: _Ply) -> Iterator[Reason]:
    """What came of every try before the last one."""
    for n, failed in enumerate(ply.verdict.failed, 1):
        told = [
            *(_fall(ply, fall) for fall in failed.falls),
            *(_breach(breach) for breach in failed.breaches),
            *(_touched(ply, piece) for piece in buildings_among(failed.touched)),
        ]
        for line in told or [Reason("people say that it did not stand", {"kind": "try"})]:
            yield replace(line, text=f"try {n}: {line}", data={**line.data, "try": n})


def _last_try(ply: _Ply) -> Iterator[Reason]:
    for piece in buildings_among(ply.verdict.touched):
        yield _touched(ply, piece)
    for breach in ply.verdict.breaches:
        yield _breach(breach)


def _touched(ply: _Ply, piece: str) -> Reason:
    redo = ply.table.ruleset.hand_on_building == "redo"
    text = f"the hand touches the building {piece}" + (", so the build does not count (KR 3.3)" if redo else "")
    return Reason(text, {"kind": "touched", "piece": piece, "redo": redo})


def _breach(breach: Breach) -> Reason:
    return Reason(f"{_broken(breach)}: it must be built again", {"kind": "breach", **breach.to_json(), "breach": _way(breach)})


def _way(breach: Breach) -> str:
    return "touches" if breach.kind == "touches" else "hangs"


def _broken(breach: Breach) -> str:
    if breach.kind == "touches":
        return f"{breach.piece} touches {breach.other} where it came to rest"
    return f"the lower end of {breach.piece} hangs {breach.mm:.1f} mm above the table"


# --- measured tables ---------------------------------------------------------------------------------------------------------


def _remarks(ply: _Ply) -> Iterator[Reason]:
    for fault in ply.verdict.faults:
        text = f"against the rules, but noticed too late, so it stands (KR 4.3): {fault.text}"
        yield Reason(text, {"kind": "accepted", **fault.to_json()})
    for fault in ply.verdict.remarks:
        within = ply.table.tolerance
        text = f"remark: {fault.text}; errors of {within:g} mm may explain it"
        yield Reason(text, {"kind": "remark", **fault.to_json(), "within": within})


def _close_calls(verdict: Verdict) -> Iterator[Reason]:
    for call in verdict.close_calls:
        about = {
            "meeting": f"it crosses {call.road} at all, {call.mm:.1f} mm decide",
            "side": f"it runs over or under {call.road}, {call.mm:.1f} mm decide",
            "taken": f"{call.other} has taken that side of {call.road}",
        }[call.about]
        yield Reason(f"too close to tell: whether {about}", {"kind": "close-call", **call.to_json()})
    if verdict.between is not None:
        least, most = verdict.between
        taken = f"{verdict.earned} {'is' if verdict.earned == 1 else 'are'} taken to be earned"
        text = f"too close to tell: {least} or {counted(most, 'car')}; {taken}"
        yield Reason(text, {"kind": "between", "least": least, "most": most, "earned": verdict.earned})


# --- crossings and cars ------------------------------------------------------------------------------------------------------


def _crossings(ply: _Ply) -> Iterator[Reason]:
    table, verdict, rules = ply.table, ply.verdict, ply.table.ruleset
    near = NEAR_WIDTHS * table.components.road_width if rules.crossing_scope == "point" else None
    own = [crossing.road.id for crossing in verdict.crossings if crossing.reason == "own"]
    for crossing in verdict.crossings:
        met, name = crossing.meeting, crossing.road.id
        new = ply.after.lines[-1]
        mm = _clear(table.components, new, crossing.road, met)
        blockers = _takers(table, crossing.road, crossing.blockers)
        active = crossing.scores and _is_passed_by_inactive(ply, new, crossing)
        what = "the own road " if crossing.reason == "own" else ""
        start = f"{crossing.side} {what}{name} at {_at(met.at)} by {mm:.1f} mm clear: "
        short, full = _why(ply, crossing, blockers, own, near, active)
        yield Reason(
            start + short,
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
                "roads": ("other" if rules.own_roads_occlude else "opponents") + "-active" * active,
                "memory": rules.crossing_memory,
            },
            full=start + full if full else "",
        )
    if verdict.built and not verdict.crossings and isinstance(ply.placement, (Build, Exit)):
        yield Reason("it crosses no road", {"kind": "no-crossing"})


def _why(
    ply: _Ply, crossing: Crossing, blockers: Sequence[Taker], own: Sequence[str], near: float | None, active: bool
) -> tuple[str, str]:
    """Why a crossing scores or not: in short, and in full where that is more."""
    rules, beyond_it = ply.table.ruleset, _BEYOND[crossing.side]
    if crossing.reason == "own":
        return "own roads earn nothing", ""
    if crossing.reason == "ramp":
        return "earns nothing, it is a ramp (ramps_count = false)", ""
    if crossing.reason == "inactive":
        return f"earns nothing, {ply.names.does(crossing.road.owner, 'is')} out or done (inactive_roads_count = false)", ""
    if crossing.reason == "voided":
        start = "earns nothing, the new road crosses the own "
        full = f"{start}{listed(own)} (own_cross_voids)"
        return f"{start}{first_of(own, 1, 'roads')} (own_cross_voids)" if len(own) > 1 else full, full
    if blockers:
        took = listed([f"{b.road} is {b.mm:.1f} mm {beyond_it} it at {_at(b.at)}" for b in blockers])
        more = counted(len(blockers) - 1, "more road")
        first = f"earns nothing, {blockers[0].road} and {more} are {beyond_it} it"
        return (first, f"earns nothing, {took}") if len(blockers) > 1 else (f"earns nothing, {took}", "")
    where = "" if near is None else f" within {near:.1f} mm"
    other = ("no other" if rules.own_roads_occlude else "no opponent's") + " active" * active
    ever = "was ever" if rules.crossing_memory == "history" else "is"
    return f"scores ({other} road {ever} {beyond_it} it{where})", ""


def _is_passed_by_inactive(ply: _Ply, new: Road, crossing: Crossing) -> bool:
    """Whether a road that does not count (inactive_roads_count) has passed on the side of a crossing that scores."""
    table = ply.table
    if table.ruleset.inactive_roads_count or not table.inactive:
        return False
    rules = replace(table.ruleset, inactive_roads_count=True)
    every = judge(new, Network(ply.after.lines[:-1], rules, table.components, table.inactive))
    return any(other.road.id == crossing.road.id and other.blockers for other in every)


def _cars(ply: _Ply) -> Iterator[Reason]:
    table, verdict, placement = ply.table, ply.verdict, ply.placement
    if not verdict.built:
        return
    if isinstance(placement, (Build, Exit)):
        yield from _bonus(verdict, placement)
        yield _placed(ply, placement)
    yield from _put_back(ply)
    if ply.after.roads[-1].id not in table.road_by_id:
        yield from map(steep_line, steep(ply.after, ply.after.roads[-1]))


def _bonus(verdict: Verdict, placement: Build | Exit) -> Iterator[Reason]:
    if not isinstance(placement, Exit):
        return
    if verdict.earned > sum(crossing.scores for crossing in verdict.crossings):
        yield Reason("the exit earns 1 car as a bonus (FR 8, KR 8)", {"kind": "exit-bonus", "cars": 1})
    else:
        text = "the exit's bonus is lost: the road crosses an own road (own_cross_voids)"
        yield Reason(text, {"kind": "exit-bonus", "cars": 0})


def _placed(ply: _Ply, placement: Build | Exit) -> Reason:
    table, verdict, names, seat = ply.table, ply.verdict, ply.names, ply.seat
    stock, placed = table.stocks[seat].cars, len(verdict.spots)
    lost = _lost(ply)
    missing = min(verdict.earned, stock) - placed
    most = holds(table)
    degrees = slope(ply.after, ply.after.roads[-1])
    why = {}
    if verdict.earned > stock:
        why["stock"] = f"{names.does(seat, 'has')} only {stock} left"
    if verdict.returned:
        why["clean-win"] = "the last one goes back, as something was knocked over in this turn (clean_win)"
    elif missing and lost:
        why["fell"] = f"{first_of(lost)} did not stay on the road"
    elif missing and placement.cars is not None:
        why["declined"] = f"{names.does(seat, 'puts')} down no more"
    elif missing and verdict.moved is not None and degrees > most:
        why["steep"] = f"the road slopes by {degrees:.1f} degrees, friction holds to {most:.1f}"
    elif missing:
        why["no-place"] = "the road has no free place for more"
    reason = f" ({'; '.join(why.values())})" if why else ""
    data = {"kind": "cars", "seat": seat, "earned": verdict.earned, "placed": placed, "cars": list(verdict.cars)}
    data |= {"stock": stock, "why": [*why.values()], "reasons": [*why], "fell": lost, "degrees": degrees, "holds": most}
    places = names.verb(seat, "places")
    return Reason(f"{names.does(seat, 'earns')} {counted(verdict.earned, 'car')} and {places} {placed}{reason}", data)


def _lost(ply: _Ply) -> list[str]:
    """The new cars that go back to the stock, as they do not stay on the road."""
    fell = [fall.piece for fall in ply.verdict.falls if "-C" in fall.piece and ply.is_new(fall.piece)]
    back = [put.car for put in ply.verdict.put_back if put.now is None]
    return sorted({*fell, *back})


def _put_back(ply: _Ply) -> Iterator[Reason]:
    road = ply.after.roads[-1].id
    told = [*ply.verdict.put_back]
    known = {put.car for put in told if put.now is None}
    for put in told:
        yield _put_back_line(ply, road, put.car, put.was, put)
    for car in _lost(ply):
        if car not in known:
            yield _put_back_line(ply, road, car, None, None)


def _put_back_line(ply: _Ply, road: str, car: str, was: CarSpot | None, put: PutBack | None) -> Reason:
    why = put.why if put is not None and put.why is not None else "unknown"
    now = put.now if put is not None else None
    how = {"fell": f"slid off {road}", "touches": f"touched another piece on {road}"}.get(why, f"did not stay on {road}")
    at = f" at {_spot(was)}" if was is not None else ""
    then = f"is put back at {_spot(now)}" if now is not None else f"goes back to {ply.names.of(ply.seat)} stock"
    data = {"kind": "put-back", "seat": ply.seat, "piece": car, "road": road, "why": why, "stock": now is None}
    data |= {"was": None if was is None else was.along, "now": None if now is None else now.along}
    return Reason(f"{car} {how}{at} and {then}", data)


def _spot(spot: CarSpot) -> str:
    return f"{spot.along:.2f}"


# --- falls and payments ------------------------------------------------------------------------------------------------------


def _falls(ply: _Ply) -> Iterator[Reason]:
    for fall in ply.verdict.falls:
        yield _fall(ply, fall)


def _fall(ply: _Ply, fall: Fall) -> Reason:
    owner = seat_of(fall.piece)
    own = owner == ply.seat and not ply.is_new(fall.piece)
    text = f"{fall.piece} fell: {_test(fall)}" + (" (own pieces cost nothing)" if own else "")
    data = {"kind": "fall", "owner": owner, **fall.to_json(), "how": _how(fall), "mm": abs(fall.measured), "own": own}
    return Reason(text, data)


def _how(fall: Fall) -> str:
    """The test by name, told apart where one has several ways to fail."""
    if fall.test in ("off its disc", "off its road") and not fall.allowed:
        return f"far {fall.test}"
    return "below its road" if fall.test == "off its road" and fall.measured <= 0 else fall.test


def _test(fall: Fall) -> str:
    measured, allowed = beyond(fall.measured, fall.allowed)
    match _how(fall):
        case "shifted":
            return f"it moved {measured} mm sideways, more than half its radius ({allowed} mm)"
        case "sank":
            return f"it sank by {measured} mm, more than half its height ({allowed} mm)"
        case "tipped":
            return f"it tipped by {measured} degrees, more than {allowed}"
        case "moved":
            return f"it moved {measured} mm, more than fall_distance = {allowed} mm"
        case "off its disc":
            return f"an end is {measured} mm below its disc, more than the road's thickness ({allowed} mm)"
        case "far off its disc":
            return f"an end is {measured} mm off its disc"
        case "off its road":
            return f"its middle is {measured} mm above its road, at most {allowed} mm for a car that stands"
        case "below its road":
            return f"its middle is {abs(fall.measured):.1f} mm below the top of its road"
        case "far off its road":
            return f"it is {measured} mm off its road"
    return "people saw it"


def restless_line(pieces: Sequence[str]) -> Reason:
    """Pieces that still moved when time was up, as a line."""
    then = f"still moved when time was up: {'their places are' if len(pieces) > 1 else 'its place is'} not certain"
    return Reason(f"{first_of(pieces)} {then}", {"kind": "restless", "pieces": list(pieces)}, full=f"{listed(pieces)} {then}")


def _payments(ply: _Ply) -> Iterator[Reason]:
    rules, names, seat = ply.table.ruleset, ply.names, ply.seat
    paid = {payment.to: payment for payment in ply.verdict.paid}
    for to, due in ply.verdict.owed:
        payment = paid.get(to, Payment(to))
        unit = " (a pillar counts once)" if rules.penalty_unit == "stack" else ""
        debt = f"{counted(due, 'disc')} for {counted(due, 'fallen piece')}{unit}"
        pays = names.verb(seat, "pays")
        text = f"{names.does(seat, 'owes')} {names(to)} {debt} and {pays} {_given(payment)}"
        if payment.total < due:
            what = "discs and roads" if rules.penalty_currency == "any" else "discs"
            text += f": {names.does(seat, 'has')} no more {what}"
        data = {"kind": "payment", "from": seat, "owed": due, **payment.to_json(), "capped": payment.total < due}
        given = [{"what": what, "count": count} for what, _, count in _gifts(payment)]
        yield Reason(text, {**data, "given": given, "unit": rules.penalty_unit, "currency": rules.penalty_currency})


def _given(payment: Payment) -> str:
    return listed([counted(count, name) for _, name, count in _gifts(payment)] or ["nothing"])


def _gifts(payment: Payment) -> list[tuple[str, str, int]]:
    """What is given: its key, its English name, how many."""
    kinds = (("grey", "grey disc"), ("yellow", "yellow disc"), ("roads", "road"))
    return [(key, name, getattr(payment, key)) for key, name in kinds if getattr(payment, key)]


# --- what follows ------------------------------------------------------------------------------------------------------------


def _consequences(ply: _Ply) -> Iterator[Reason]:
    table, after, seat, names = ply.table, ply.after, ply.seat, ply.names
    if len(after.turns.finished) > len(table.turns.finished):
        rank = sum(len(group) for group in after.turns.finished)
        verb = names.verb(seat, "wins" if rank == 1 else "finishes")
        text = f"{names.does(seat, 'has')} placed all cars and {verb}{f' in place {rank}' if rank > 1 else ''}"
        yield Reason(text, {"kind": "finished", "seat": seat, "rank": rank})
    for gone in ply.verdict.out:
        why, full, reason = _why_out(ply, gone)
        start = f"{names.does(gone, 'is')} out: "
        full = start + full if full else ""
        yield Reason(start + why, {"kind": "out", "seat": gone, "why": why, **reason}, full=full)
    outcome = after.outcome()
    if outcome is not None:
        winners = listed([names(winner) for winner in outcome.winners])
        verb = "win" if len(outcome.winners) > 1 else names.verb(outcome.winners[0], "wins")
        ranks = [list(group) for group in outcome.ranks]
        text = f"the game is over ({outcome.reason}): {winners} {verb}"
        yield Reason(text, {"kind": "over", "reason": str(outcome.reason), "winners": list(outcome.winners), "ranks": ranks})
    elif table.phase == "play" and after.to_move == seat and ply.verdict.built:
        text = f"{names.does(seat, 'goes')} on: no car was placed yet (turn_end = until_car)"
        yield Reason(text, {"kind": "goes-on", "seat": seat})


def _why_out(ply: _Ply, gone: int) -> tuple[str, str, dict[str, Any]]:
    """Why a seat is out: in short, in full where that is more, and as data."""
    after, placement = ply.after, ply.placement
    if isinstance(placement, Resign) and gone == ply.seat:
        return "resigned", "", {"reason": "resigned"}
    if isinstance(placement, Pass) and placement.reason is not None and gone == ply.seat:
        return "no place was left to build for two own turns in a row", "", {"reason": "no-room"}
    short, full, lack = _lack(after, gone)
    if after.ruleset.elimination == "kr":
        told, data = "still unable to build at the next own turn, {} (KR 10.2)", lack | {"reason": "still-unable"}
    else:
        told, data = "{}, and all others had one more turn without a penalty (FR 10.2)", lack | {"reason": "last-round"}
    return told.format(short), told.format(full) if full else "", data


# --- small things ------------------------------------------------------------------------------------------------------------


def _takers(table: Table, road: Road, blockers: Sequence[Blocker]) -> tuple[Taker, ...]:
    """The roads that lie on one side of a road, as the browser and the sentences want them."""
    return tuple(Taker(b.road.id, b.meeting.at, _clear(table.components, b.road, road, b.meeting)) for b in blockers)


def _clear(box: Components, one: Road, other: Road, met: Meeting) -> float:
    """The clear gap in mm between two sticks where their middle lines cross; `one` is the road that meets the `other`."""
    lower = one if met.level < met.other else other
    run = math.dist(lower.start, lower.end)
    rise = (lower.levels[1] - lower.levels[0]) * box.disc_height
    thick = box.road_thickness * math.hypot(1.0, rise / run) if run else box.road_thickness
    return max(abs(met.level - met.other) * box.disc_height - thick, 0.0)


def _side_text(slot: SideSlot, names: Names) -> str:
    if not slot.takers:
        return f"{slot.side} free"
    took = " and ".join(f"{taker.road} at {_at(taker.at)}" for taker in slot.takers)
    if slot.within is not None:
        return f"{slot.side} free but within {slot.within:.1f} mm of {took}"
    whom = f", free for {listed([names(seat) for seat in slot.free_for])}" if slot.free_for else ""
    return f"{slot.side} taken by {took}{whom}"


def _at(point: Point) -> str:
    x, y = (round(value, 1) + 0.0 for value in point)  # -0.0 reads like a slip
    return f"({x:.1f}, {y:.1f})"
