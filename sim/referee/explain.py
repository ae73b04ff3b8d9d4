"""Explains a verdict reason by reason. A reason is one sentence, not yet worded, and the same as
data with its numbers; the words come from the catalogues in `assets/languages`.

This module judges nothing: the verdict holds the points, levels, blockers and measurements, and the
rule options say which reading was used (FR sections 6, 8 to 10, KR the same).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from sim.languages import Sentence, catalogue
from sim.pieces import Components
from sim.referee.crossings import (
    EXIT_BONUS,
    Crossing,
    Network,
    Road,
    Slot,
    Taker,
    clear_gap,
    judge,
    past_middle,
    takers_of,
)  # fmt: skip
from sim.referee.geometry import NEAR_WIDTHS
from sim.referee.judgement import hand_undoes, next_table, resolved
from sim.referee.placement import (
    Adjust,
    Build,
    Entrance,
    Exit,
    Pass,
    Placement,
    Resign,
    SetBuilding,
    known,
)  # fmt: skip
from sim.referee.room import Steep, holds, slope, steep
from sim.referee.ruleset import Ruleset
from sim.referee.standing import LETTERS, Fault, Names, buildings_among, seat_of
from sim.referee.table import Table
from sim.referee.verdict import Breach, Close, Fall, Payment, PutBack, Verdict

KINDS = (
    "fault", "accepted", "remark", "resign", "pass", "building", "adjusted", "built", "touched",
    "undone", "try", "breach", "crossing", "ends-under", "no-crossing", "close-call", "between",
    "exit-bonus", "cars", "put-back", "put", "doubt", "fall", "mended", "restless", "close",
    "payment", "finished", "out", "over", "goes-on",
)  # fmt: skip
"""Every `kind` that the data of a reason may have; its message is or begins `reason-` and kind."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence of an explanation, worded only when somebody reads it; `data` says the same in
    JSON values, its `kind` (of KINDS) first. In the data players are seats; the sentence names them
    by `names`.
    """

    sentence: Sentence
    facts: Mapping[str, Any] = field(default_factory=dict)
    names: Names = LETTERS

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The sentence in English; of several things it may name the first only."""
        return self.sentence.told(names=self.names)

    @property
    def whole(self) -> str:
        """The sentence that leaves nothing out, however long."""
        return self.sentence.told(names=self.names, whole=True)

    @property
    def data(self) -> dict[str, Any]:
        """The facts; sentences among them are in English."""
        return {key: self._plain(value) for key, value in self.facts.items()}

    def told(self, language: str) -> str:
        """The sentence in a language, as the pages show it: with a capital letter where the
        language wants one. Raises InputError if its catalogue has a mistake there.
        """
        text = self.sentence.told(language, self.names)
        named = any(name and text.startswith(name) for name in self.names.players)
        small = named or catalogue(language).text("sentences-begin") == "small"
        return text if small else text[0].upper() + text[1:]

    def to_json(self) -> dict[str, Any]:
        """The text and the data in one object."""
        return {"text": self.text, **self.data}

    def _plain(self, value: Any) -> Any:
        if isinstance(value, Sentence):
            return value.told(names=self.names)
        return [self._plain(each) for each in value] if isinstance(value, list) else value


def _reason(message: str, facts: dict[str, Any], **parts: Any) -> Reason:
    """A reason whose sentence is made of its facts and of some further `parts`."""
    return Reason(Sentence(f"reason-{message}", {**facts, **parts}), facts)


def fault_line(fault: Fault, message: str = "fault", kind: str = "fault", **more: float) -> Reason:
    """A fault as a reason."""
    facts = {"kind": kind, **fault.facts, **more}
    return Reason(Sentence(f"reason-{message}", {"why": fault.sentence, **more}), facts)


def steep_line(car: Steep) -> Reason:
    """A car that may slide, as a reason."""
    facts = {"doubt": "steep", "piece": car.car, "degrees": car.degrees, "holds": car.holds}
    return _reason("doubt-steep", {"kind": "doubt", **facts})


def pieces_line(kind: Literal["mended", "restless"], pieces: Sequence[str]) -> Reason:
    """Pieces that were set right, as they did not stand once they were put back, or that still
    moved when time was up, as a reason.
    """
    return _reason(kind, {"kind": kind, "pieces": list(pieces)}, count=len(pieces))


def close_line(close: Close, verdict: Verdict) -> Reason:
    """A verdict that equal starts do not share, as a reason."""
    fell = "other" if verdict.failed else str(set(close.pieces) <= set(verdict.fallen)).lower()
    facts = {"kind": "close", **close.to_json()}
    return _reason("close", facts, count=len(close.pieces), fell=fell)


class Question(NamedTuple):
    """A table and a placement that the referee was asked about; see `sim.referee.verdict.Asked`."""

    table: Table
    placement: Placement

    def reasons(self, verdict: Verdict, players: Sequence[str] = ()) -> tuple[Reason, ...]:
        """Why the verdict is what it is; see `explain`."""
        return explain(self.table, self.placement, verdict, players)


def slots(table: Table, names: Sequence[str] = ()) -> tuple[Slot, ...]:
    """The over and under side of every road on the table, in building order: free, for which seats,
    or taken by what.

    `names` are the players by seat, for the texts.
    """
    return table.slots(names)


def explain(
    table: Table, placement: Placement, verdict: Verdict, names: Sequence[str] = ()
) -> tuple[Reason, ...]:
    """Why the verdict on a placement is what it is; `table` is the table before the ply.

    The first reason says what was done. `names` are the players by seat; without them they are
    called by their letters.
    """
    called = Names(tuple(names))
    if not verdict.legal:
        told = (fault_line(fault, "illegal") for fault in verdict.faults)
        return tuple(replace(reason, names=called) for reason in told)
    adjusts = isinstance(placement, Adjust)
    table, placement = resolved(table, placement)
    after = next_table(table, placement, verdict)
    ply = _Ply(table, after, placement, verdict)
    reasons = [
        *(_adjusted(ply) if adjusts and verdict.built else ()),
        *_deed(ply),
        *(fault_line(fault, "accepted", "accepted") for fault in verdict.faults),
        *(
            fault_line(fault, "remark", "remark", within=table.tolerance)
            for fault in verdict.remarks
        ),
        *_tries(ply),
        *(_touched(ply, piece) for piece in buildings_among(verdict.touched)),
        *map(_breach, verdict.breaches),
        *_crossings(table, after, verdict),
        *_beside_crossings(ply),
        *_close_calls(verdict),
        *_cars(ply),
        *(_fall(ply, fall) for fall in verdict.falls),
        *([pieces_line("mended", verdict.mended)] if verdict.mended else ()),
        *([pieces_line("restless", verdict.restless)] if verdict.restless else ()),
        *([close_line(verdict.close, verdict)] if verdict.close is not None else ()),
        *_put_elsewhere(verdict),
        *_payments(ply),
        *_consequences(ply),
    ]
    return tuple(replace(reason, names=called) for reason in reasons)


class _Ply(NamedTuple):
    """What to explain: the tables before and after, the placement, and the verdict."""

    table: Table
    after: Table
    placement: Placement
    verdict: Verdict

    @property
    def seat(self) -> int:
        return self.table.to_move

    def is_new(self, piece: str) -> bool:
        return piece not in self.table.piece_ids


# --- what was done --------------------------------------------------------------------------------


def _deed(ply: _Ply) -> Iterator[Reason]:
    match ply.placement:
        case Resign():
            yield _reason("resign", {"kind": "resign", "seat": ply.seat})
        case Pass(reason):
            yield _pass(ply, reason)
        case SetBuilding(building, at):
            piece = ply.after.buildings[-1].id
            facts = {"piece": piece, "building": building, "at": list(at)}
            yield _reason("building", {"kind": "building", "seat": ply.seat, **facts})
        case _ if ply.verdict.built is not None:
            yield _built(ply) if ply.verdict.built else _undone(ply)


def _pass(ply: _Ply, said: str | None) -> Reason:
    if ply.table.unable(ply.seat):
        reason, (why, lack) = "lack", _lack(ply.table, ply.seat)
    else:
        may = "accepted" if ply.verdict.faults else "may-pass"
        reason = may if said is None else "no-room"
        why, lack = Sentence(f"pass-{reason}"), {}
    return _reason("pass", {"kind": "pass", "seat": ply.seat, "why": why, "reason": reason, **lack})


def _adjusted(ply: _Ply) -> Iterator[Reason]:
    road = ply.after.roads[-1]
    at = ply.after.pillar_by_id[road.target].at if road.target is not None else road.end
    facts = {"seat": road.owner, "piece": road.target or road.id, "at": list(at)}
    yield _reason("adjusted", {"kind": "adjusted", **facts}, exit=road.target is None)


def _lack(table: Table, seat: int) -> tuple[Sentence, dict[str, Any]]:
    """What a seat lacks to build (FR 10.2, KR 10.2), as a sentence and as data."""
    stock, bases = table.stocks[seat], table.base_points(seat)
    if stock.roads == 0:
        return Sentence("lack-roads"), {"lack": "roads"}
    if not bases:
        return Sentence("lack-bases"), {"lack": "bases"}
    heights = [
        Sentence("lack-height", {"piece": base.pillar.id, "discs": base.pillar.discs})
        for base in bases
    ]
    discs = {"grey": stock.grey, "yellow": stock.yellow}
    facts = {"lack": "discs", **discs, "bases": [base.pillar.id for base in bases]}
    full = Sentence("lack-discs-full", {**facts, "heights": heights})
    return Sentence("lack-discs", facts, full=full), facts


def _built(ply: _Ply) -> Reason:
    placement, road = ply.placement, ply.after.roads[-1]
    pillar = None if isinstance(placement, Exit) else ply.after.pillars[-1]
    way = "exit" if pillar is None else "entrance" if isinstance(placement, Entrance) else "build"
    at, stack = road.end if pillar is None else pillar.at, {}
    if pillar is not None:
        stack = {"discs": pillar.discs, "junction": pillar.junction}
    facts: dict[str, Any] = {"kind": "built", "seat": ply.seat, "road": road.id}
    facts |= {"pillar": pillar and pillar.id, "base": road.base, "way": way, "at": list(at)}
    return _reason(f"built-{way}", {**facts, **stack, "tries": len(ply.verdict.failed) + 1})


def _undone(ply: _Ply) -> Reason:
    verdict = ply.verdict
    fell = [fall.piece for fall in verdict.falls if ply.is_new(fall.piece)]
    hand = hand_undoes(ply.table, verdict.touched)
    if fell or hand or not verdict.breaches:
        reason, pieces = ("fell", fell) if fell else ("hand", hand) if hand else ("void", [])
        why = Sentence(f"undone-{reason}", {"pieces": pieces})
    else:
        reason = verdict.breaches[0].code
        pieces = list(dict.fromkeys(breach.piece for breach in verdict.breaches))
        why, *more = map(_broken, verdict.breaches)
        why = Sentence("in-short", {"first": why, "more": len(more)}) if more else why
    facts = {"pieces": pieces, "reason": reason, "tries": len(verdict.failed) + 1}
    return _reason("undone", {"kind": "undone", "seat": ply.seat, **facts}, why=why)


# --- tries, and what did not stand by rule --------------------------------------------------------


def _tries(ply: _Ply) -> Iterator[Reason]:
    """The outcome of every try before the last one."""
    for n, failed in enumerate(ply.verdict.failed, 1):
        told = [
            *(_fall(ply, fall) for fall in failed.falls),
            *(_breach(breach) for breach in failed.breaches),
            *(_touched(ply, piece) for piece in buildings_among(failed.touched)),
        ]
        for reason in told or [Reason(Sentence("undone-void"), {"kind": "try"})]:
            sentence = Sentence("reason-try", {"try": n, "line": reason.sentence})
            yield Reason(sentence, {**reason.facts, "try": n})


def _touched(ply: _Ply, piece: str) -> Reason:
    redo = ply.table.ruleset.resolved.redo_on_building and ply.verdict.built is not None
    return _reason("touched", {"kind": "touched", "piece": piece, "redo": redo})


def _breach(breach: Breach) -> Reason:
    facts = {"kind": "breach", **breach.to_json(), "breach": breach.code}
    return _reason("breach", facts, why=_broken(breach))


def _broken(breach: Breach) -> Sentence:
    return Sentence(f"breach-{breach.code}", breach.to_json())


# --- crossings ------------------------------------------------------------------------------------


def _crossings(table: Table, after: Table, verdict: Verdict) -> Iterator[Reason]:
    """A reason for every crossing of the road that a verdict is about."""
    own = [crossing.road.id for crossing in verdict.crossings if crossing.reason == "own"]
    for crossing in verdict.crossings:
        new = after.lines[-1]
        active = crossing.scores and _is_passed_by_inactive(table, after, new, crossing)
        yield crossing_reason(new, crossing, table.ruleset, table.components, own, active=active)


def crossing_reason(
    new: Road,
    crossing: Crossing,
    rules: Ruleset,
    box: Components,
    own: Sequence[str],
    *,
    active: bool = False,
) -> Reason:
    """The reason for one crossing of a new road, which also crosses these `own` roads; `active`
    says that inactive seats' roads have passed on that side.
    """
    near = NEAR_WIDTHS * box.road_width if rules.resolved.nearby else None
    takers = takers_of(box, crossing.road, crossing.blockers)
    facts = {
        "kind": "crossing",
        "road": crossing.road.id,
        "side": crossing.side,
        "at": list(crossing.meeting.at),
        "mm": clear_gap(box, new, crossing.road, crossing.meeting),
        "scores": crossing.scores,
        "reason": crossing.reason,
        "blockers": [taker.to_json() for taker in takers],
        "owner": crossing.road.owner,
        "own": list(own),
        "within": near,
        "roads": ("other" if rules.own_roads_occlude else "opponents") + "-active" * active,
        "memory": rules.crossing_memory,
    }
    said = {key: value for key, value in facts.items() if key != "blockers"}
    return Reason(Sentence("reason-crossing", {**said, "why": _why(said, takers, own)}), facts)


def _why(said: dict[str, Any], takers: Sequence[Taker], own: Sequence[str]) -> Sentence:
    """Why a crossing scores or not: `said` are the values of its sentence."""
    reason = said["reason"]
    if reason == "voided" and len(own) > 1:
        return Sentence(
            "crossing-voided-many", {"count": len(own)}, full=Sentence("crossing-voided", said)
        )
    if reason == "taken":
        took = [
            Sentence("crossing-taker", {**taker.to_json(), "side": said["side"]})
            for taker in takers
        ]
        full = Sentence("crossing-taken", {"takers": took})
        if len(takers) == 1:
            return full
        values = {"first": takers[0].road, "more": len(takers) - 1, "side": said["side"]}
        return Sentence("crossing-taken-many", values, full=full)
    return Sentence(f"crossing-{reason}", said)


def _is_passed_by_inactive(table: Table, after: Table, new: Road, crossing: Crossing) -> bool:
    """Whether a road that does not count (inactive_roads_count) has passed on the side of a
    crossing that scores.
    """
    if table.ruleset.inactive_roads_count or not table.inactive:
        return False
    rules = replace(table.ruleset, inactive_roads_count=True)
    every = judge(new, Network(after.lines[:-1], rules, table.components, table.inactive))
    return any(other.road.id == crossing.road.id and other.blockers for other in every)


def _close_calls(verdict: Verdict) -> Iterator[Reason]:
    """The answers that errors of the ruler leave open on a measured table."""
    for call in verdict.close_calls:
        facts = call.to_json()
        why = Sentence(f"close-call-{call.about}", facts)
        yield Reason(Sentence("reason-close-call", {"why": why}), {"kind": "close-call", **facts})
    if verdict.between is not None:
        least, most = verdict.between
        data = {"kind": "between", "least": least, "most": most, "earned": verdict.earned}
        yield _reason("between", data)


# --- cars -----------------------------------------------------------------------------------------


def _beside_crossings(ply: _Ply) -> Iterator[Reason]:
    """The ramps whose end on the table lies under a road: their middle lines decide (rules 7i). And
    that nothing is crossed.
    """
    if not (ply.verdict.built and isinstance(ply.placement, (Build, Exit))):
        return
    *others, new = ply.after.lines
    for old in others if not ply.table.ruleset.resolved.outlines else ():
        for ramp, road in ((new, old), (old, new)):
            past = past_middle(ramp, road, ply.table.components.road_width)
            if past is not None and old.owner != new.owner:
                facts = {"kind": "ends-under", "road": ramp.id, "other": road.id, "mm": abs(past)}
                digits = min(_telling_digits(abs(past), 0.0), 2)
                yield _reason("ends-under", {**facts, "past": past >= 0.0}, digits=digits)
    if not (ply.verdict.crossings or ply.verdict.close_calls):
        yield _reason("no-crossing", {"kind": "no-crossing"})


def _cars(ply: _Ply) -> Iterator[Reason]:
    if not ply.verdict.built:
        return
    placement, road = ply.placement, ply.after.roads[-1]
    if isinstance(placement, Exit):
        yield _bonus(ply.verdict)
    if isinstance(placement, (Build, Exit)):
        yield _placed(ply, placement)
    yield from _put_back(ply)
    if ply.is_new(road.id):
        yield from map(steep_line, steep(ply.after, road))


def _bonus(verdict: Verdict) -> Reason:
    lost = verdict.earned <= sum(crossing.scores for crossing in verdict.crossings)
    facts = {"kind": "exit-bonus", "cars": 0 if lost else EXIT_BONUS}
    return _reason("exit-bonus-lost" if lost else "exit-bonus", facts)


def _placed(ply: _Ply, placement: Build | Exit) -> Reason:
    verdict, stock, placed = ply.verdict, ply.table.stocks[ply.seat].cars, len(ply.verdict.spots)
    lost, degrees = _lost(ply), slope(ply.after, ply.after.roads[-1])
    slide = {"degrees": degrees, "holds": holds(ply.table)}
    facts = {"kind": "cars", "seat": ply.seat, "earned": verdict.earned, "placed": placed}
    facts |= {"cars": list(verdict.cars), "stock": stock, "fell": lost, **slide}
    reasons = list(_why_fewer(ply, placement, min(verdict.earned, stock) - placed, facts))
    values = {"seat": ply.seat, "stock": stock, "pieces": lost, **slide}
    facts |= {"why": [Sentence(f"cars-{reason}", values) for reason in reasons], "reasons": reasons}
    return _reason("cars-why" if reasons else "cars", facts)


def _why_fewer(
    ply: _Ply, placement: Build | Exit, missing: int, facts: dict[str, Any]
) -> Iterator[str]:
    """Why fewer cars stand than were earned, by name; `missing` are those that the stock
    still had.
    """
    if ply.verdict.earned > facts["stock"]:
        yield "stock"
    if ply.verdict.returned:
        yield "clean-win"
    elif missing > 0 and facts["fell"]:
        yield "fell"
    elif missing > 0 and (placement.cars is not None or ply.table.tolerance):
        yield "declined"
    elif missing > 0 and ply.verdict.moved is not None and facts["degrees"] > facts["holds"]:
        yield "steep"
    elif missing > 0:
        yield "no-place"


def _lost(ply: _Ply) -> list[str]:
    """The new cars that go back to the stock, as they do not stay on the road."""
    fell = [
        fall.piece for fall in ply.verdict.falls if "-C" in fall.piece and ply.is_new(fall.piece)
    ]
    back = [put.car for put in ply.verdict.put_back if put.now is None]
    return sorted({*fell, *back} - set(ply.verdict.cars))


def _put_back(ply: _Ply) -> Iterator[Reason]:
    told = ply.verdict.put_back
    known = {put.car for put in told if put.now is None}
    silent = [PutBack(car, None, None) for car in _lost(ply) if car not in known]
    for put in (*told, *silent):
        was, now = (spot and spot.along for spot in (put.was, put.now))
        facts: dict[str, Any] = {"kind": "put-back", "seat": ply.seat, "piece": put.car}
        facts |= {"road": ply.after.roads[-1].id, "why": put.why or "unknown"}
        facts |= {"stock": put.now is None, "was": was, "now": now}
        # in a game noted by hand nobody says where
        there = {"was": None, "now": "on-it"} if put.now and put.now == put.was else {}
        yield _reason("put-back", facts, **there)


# --- falls and payments ---------------------------------------------------------------------------


def _put_elsewhere(verdict: Verdict) -> Iterator[Reason]:
    """What people put elsewhere after the ply, as they noted it."""
    for put in verdict.put:
        places = {"at": put.at and list(put.at), "until": put.end and list(put.end)}
        car = {"road": put.on, "along": put.along, "turn": put.turn or 0.0}
        more = car if put.kind == "car" else {"turn": put.turn}
        facts = known({"kind": "put", "piece": put.piece, "what": put.kind, **places, **more})
        yield _reason(f"put-{put.kind}", facts, turn=put.turn or 0.0)


def _fall(ply: _Ply, fall: Fall) -> Reason:
    owner, how = seat_of(fall.piece), _how(fall)
    own = owner == ply.seat and not ply.is_new(fall.piece)
    facts = {"kind": "fall", "owner": owner, **fall.to_json(), "how": how}
    facts |= {"mm": abs(fall.measured), "own": own}
    values = {**facts, "digits": _telling_digits(fall.measured, fall.allowed)}
    return _reason("fall", facts, why=Sentence(f"fall-{how.replace(' ', '-')}", values))


def _how(fall: Fall) -> str:
    """The test by name; a test with several ways to fail has a name for each."""
    if fall.test in ("off its disc", "off its road") and not fall.allowed:
        return f"far {fall.test}"
    return "below its road" if fall.test == "off its road" and fall.measured <= 0 else fall.test


def _telling_digits(measured: float, allowed: float) -> int:
    """How many decimals, one at least and five at most, show which of two numbers is the larger."""
    return next(
        (digits for digits in range(1, 5) if f"{measured:.{digits}f}" != f"{allowed:.{digits}f}"), 5
    )


def _payments(ply: _Ply) -> Iterator[Reason]:
    rules = ply.table.ruleset
    owed, paid = dict(ply.verdict.owed), {payment.to: payment for payment in ply.verdict.paid}
    differs = any(fault.code == "payment" for fault in ply.verdict.faults)
    for to in dict.fromkeys((*owed, *paid)):
        due, payment = owed.get(to, 0), paid.get(to, Payment(to))
        given = [{"what": what, "count": count} for what, count in payment.gifts.items()]
        capped = not differs and payment.total < due
        facts = {"kind": "payment", "from": ply.seat, "owed": due, **payment.to_json()}
        facts |= {"capped": capped, "unit": rules.penalty_unit, "currency": rules.penalty_currency}
        sentence = Sentence("reason-payment", {**facts, "gifts": gifts_of(payment)})
        yield Reason(sentence, {**facts, "given": given})


def gifts_of(payment: Payment) -> list[Sentence]:
    """What a player gives, thing by thing."""
    return [
        Sentence(f"gift-{what}", {"count": count}) for what, count in payment.gifts.items()
    ] or [Sentence("gift-nothing")]


# --- what follows ---------------------------------------------------------------------------------


def _consequences(ply: _Ply) -> Iterator[Reason]:
    table, after = ply.table, ply.after
    if len(after.turns.finished) > len(table.turns.finished):
        rank = sum(len(group) for group in after.turns.finished)
        yield _reason("finished", {"kind": "finished", "seat": ply.seat, "rank": rank})
    for gone in ply.verdict.out:
        why, facts = _why_out(ply, gone)
        yield _reason("out", {"kind": "out", "seat": gone, "why": why, **facts})
    outcome = after.outcome()
    if outcome is not None:
        won = list(outcome.winners)
        facts = {"kind": "over", "reason": str(outcome.reason), "winners": won}
        said = Sentence("reason-over", {**facts, "winner": won[0], "count": len(won)})
        yield Reason(said, {**facts, "ranks": [list(group) for group in outcome.ranks]})
    elif table.phase == "play" and after.to_move == ply.seat and ply.verdict.built:
        yield _reason("goes-on", {"kind": "goes-on", "seat": ply.seat})


def _why_out(ply: _Ply, gone: int) -> tuple[Sentence, dict[str, Any]]:
    """Why a seat is out, as a sentence and as data."""
    after, placement = ply.after, ply.placement
    if isinstance(placement, Resign) and gone == ply.seat:
        return Sentence("out-resigned"), {"reason": "resigned"}
    if isinstance(placement, Pass) and placement.reason is not None and gone == ply.seat:
        return Sentence("out-no-room"), {"reason": "no-room"}
    lack, facts = _lack(after, gone)
    reason = "last-round" if after.ruleset.resolved.fr else "still-unable"
    return Sentence(f"out-{reason}", {"lack": lack}), facts | {"reason": reason}
