"""Explains a verdict reason by reason, each with its numbers as data and a sentence that is worded
when somebody reads it.

This module judges nothing: the verdict holds the points, levels, blockers and measurements, and the
rule options say which reading was used (FR sections 6, 8 to 10, KR the same). The words come from
the catalogues in `assets/languages`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sim.languages import Sentence
from sim.referee.adjusting import resolved
from sim.referee.crossings import EXIT_BONUS, Slot, past_middle
from sim.referee.faults import Names
from sim.referee.judgement import hand_undoes, next_table
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
)
from sim.referee.reasons import (
    Reason,
    close_call_reasons,
    close_line,
    crossing_reasons,
    pieces_line,
    steep_line,
)
from sim.referee.room import holds, slope, steep
from sim.referee.standing import buildings_among, seat_of
from sim.referee.table import Table
from sim.referee.verdict import Breach, Fall, Payment, PutBack, Verdict


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
        return tuple(
            Reason(
                Sentence("reason-illegal", {"why": fault.sentence}),
                {"kind": "fault", **fault.facts},
                called,
            )
            for fault in verdict.faults
        )
    adjusts = isinstance(placement, Adjust)
    table, placement = resolved(table, placement)
    after = next_table(table, placement, verdict)
    ply = _Ply(table, after, placement, verdict)
    reasons = [
        *(_adjusted(ply) if adjusts and verdict.built else ()),
        *_deed(ply),
        *_remarks(ply),
        *_tries(ply),
        *(_touched(ply, piece) for piece in buildings_among(verdict.touched)),
        *map(_breach, verdict.breaches),
        *crossing_reasons(table, after, verdict),
        *_ends_under(ply),
        *_no_crossing(ply),
        *close_call_reasons(verdict),
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


@dataclass(frozen=True, slots=True)
class _Ply:
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


def _reason(message: str, facts: dict[str, Any], **parts: Any) -> Reason:
    """A reason whose sentence is made of its facts and of some further `parts`."""
    return Reason(Sentence(f"reason-{message}", {**facts, **parts}), facts)


# --- what was done --------------------------------------------------------------------------------


def _deed(ply: _Ply) -> Iterator[Reason]:
    placement = ply.placement
    if isinstance(placement, Resign):
        yield _reason("resign", {"kind": "resign", "seat": ply.seat})
    elif isinstance(placement, Pass):
        yield _pass(ply, placement)
    elif isinstance(placement, SetBuilding):
        standing = ply.after.buildings[-1]
        facts = {
            "kind": "building",
            "seat": ply.seat,
            "piece": standing.id,
            "building": standing.kind,
        }
        yield _reason("building", {**facts, "at": list(standing.at)})
    elif ply.verdict.built:
        yield _built(ply)
    elif ply.verdict.built is False:
        yield _undone(ply)


def _pass(ply: _Ply, placement: Pass) -> Reason:
    lack: dict[str, Any] = {}
    if ply.table.unable(ply.seat):
        reason, (why, lack) = "lack", _lack(ply.table, ply.seat)
    else:
        reason = (
            "no-room"
            if placement.reason is not None
            else "accepted"
            if ply.verdict.faults
            else "may-pass"
        )
        why = Sentence(f"pass-{reason}")
    return _reason("pass", {"kind": "pass", "seat": ply.seat, "why": why, "reason": reason, **lack})


def _adjusted(ply: _Ply) -> Iterator[Reason]:
    road = ply.after.roads[-1]
    at = ply.after.pillar_by_id[road.target].at if road.target is not None else road.end
    facts = {"kind": "adjusted", "seat": road.owner, "piece": road.target or road.id}
    yield _reason("adjusted", {**facts, "at": list(at)}, exit=road.target is None)


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
    facts = {
        "lack": "discs",
        "grey": stock.grey,
        "yellow": stock.yellow,
        "bases": [base.pillar.id for base in bases],
    }
    return Sentence(
        "lack-discs", facts, full=Sentence("lack-discs-full", {**facts, "heights": heights})
    ), facts


def _built(ply: _Ply) -> Reason:
    placement, road = ply.placement, ply.after.roads[-1]
    pillar = None if isinstance(placement, Exit) else ply.after.pillars[-1]
    way = "exit" if pillar is None else "entrance" if isinstance(placement, Entrance) else "build"
    facts: dict[str, Any] = {
        "kind": "built",
        "seat": ply.seat,
        "road": road.id,
        "pillar": None if pillar is None else pillar.id,
    }
    facts |= {"base": road.base, "way": way, "at": list(road.end if pillar is None else pillar.at)}
    if pillar is not None:
        facts |= {"discs": pillar.discs, "junction": pillar.junction}
    return _reason(f"built-{way}", facts | {"tries": len(ply.verdict.failed) + 1})


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
    facts = {
        "kind": "undone",
        "seat": ply.seat,
        "pieces": pieces,
        "reason": reason,
        "tries": len(verdict.failed) + 1,
    }
    return _reason("undone", facts, why=why)


# --- measured tables ------------------------------------------------------------------------------


def _remarks(ply: _Ply) -> Iterator[Reason]:
    for fault in ply.verdict.faults:
        yield _reason("accepted", {"kind": "accepted", **fault.facts}, why=fault.sentence)
    for fault in ply.verdict.remarks:
        facts = {"kind": "remark", **fault.facts, "within": ply.table.tolerance}
        yield Reason(
            Sentence("reason-remark", {"why": fault.sentence, "within": ply.table.tolerance}), facts
        )


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
            yield Reason(
                Sentence("reason-try", {"try": n, "line": reason.sentence}),
                {**reason.facts, "try": n},
            )


def _touched(ply: _Ply, piece: str) -> Reason:
    redo = ply.table.ruleset.resolved.redo_on_building and ply.verdict.built is not None
    return _reason("touched", {"kind": "touched", "piece": piece, "redo": redo})


def _breach(breach: Breach) -> Reason:
    return _reason(
        "breach",
        {"kind": "breach", **breach.to_json(), "breach": breach.code},
        why=_broken(breach),
    )


def _broken(breach: Breach) -> Sentence:
    return Sentence(f"breach-{breach.code}", breach.to_json())


# --- cars -----------------------------------------------------------------------------------------


def _ends_under(ply: _Ply) -> Iterator[Reason]:
    """The ramps whose end on the table lies under a road: their middle lines decide (rules 7i)."""
    lays = ply.verdict.built and isinstance(ply.placement, (Build, Exit))
    if not lays or ply.table.ruleset.resolved.outlines:
        return
    *others, new = ply.after.lines
    for old in others:
        for ramp, road in ((new, old), (old, new)):
            past = past_middle(ramp, road, ply.table.components.road_width)
            if past is not None and old.owner != new.owner:
                facts = {"kind": "ends-under", "road": ramp.id, "other": road.id, "mm": abs(past)}
                digits = min(_telling_digits(abs(past), 0.0), 2)
                yield _reason("ends-under", {**facts, "past": past >= 0.0}, digits=digits)


def _no_crossing(ply: _Ply) -> Iterator[Reason]:
    verdict = ply.verdict
    decided = verdict.built and not verdict.crossings and not verdict.close_calls
    if decided and isinstance(ply.placement, (Build, Exit)):
        yield _reason("no-crossing", {"kind": "no-crossing"})


def _cars(ply: _Ply) -> Iterator[Reason]:
    table, verdict, placement = ply.table, ply.verdict, ply.placement
    if not verdict.built:
        return
    if isinstance(placement, (Build, Exit)):
        if isinstance(placement, Exit):
            yield _bonus(verdict)
        yield _placed(ply, placement)
    yield from _put_back(ply)
    if ply.after.roads[-1].id not in table.road_by_id:
        yield from map(steep_line, steep(ply.after, ply.after.roads[-1]))


def _bonus(verdict: Verdict) -> Reason:
    if verdict.earned > sum(crossing.scores for crossing in verdict.crossings):
        return _reason("exit-bonus", {"kind": "exit-bonus", "cars": EXIT_BONUS})
    return _reason("exit-bonus-lost", {"kind": "exit-bonus", "cars": 0})


def _placed(ply: _Ply, placement: Build | Exit) -> Reason:
    verdict, stock, placed = ply.verdict, ply.table.stocks[ply.seat].cars, len(ply.verdict.spots)
    lost, degrees = _lost(ply), slope(ply.after, ply.after.roads[-1])
    facts = {
        "kind": "cars",
        "seat": ply.seat,
        "earned": verdict.earned,
        "placed": placed,
        "cars": list(verdict.cars),
    }
    facts |= {"stock": stock, "fell": lost, "degrees": degrees, "holds": holds(ply.table)}
    reasons = list(_why_fewer(ply, placement, min(verdict.earned, stock) - placed, facts))
    values = {
        "seat": ply.seat,
        "stock": stock,
        "pieces": lost,
        "degrees": degrees,
        "holds": facts["holds"],
    }
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
        yield Reason(Sentence(f"reason-put-{put.kind}", {"turn": 0.0, **facts}), facts)


def _fall(ply: _Ply, fall: Fall) -> Reason:
    owner, how = seat_of(fall.piece), _how(fall)
    own = owner == ply.seat and not ply.is_new(fall.piece)
    facts = {
        "kind": "fall",
        "owner": owner,
        **fall.to_json(),
        "how": how,
        "mm": abs(fall.measured),
        "own": own,
    }
    digits = _telling_digits(fall.measured, fall.allowed)
    return _reason(
        "fall", facts, why=Sentence(f"fall-{how.replace(' ', '-')}", {**facts, "digits": digits})
    )


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
        due, payment = owed.get(to, 0), paid.get(to)
        handed = {"to": to, "grey": 0, "yellow": 0} if payment is None else payment.to_json()
        given = (
            []
            if payment is None
            else [{"what": what, "count": count} for what, count in payment.gifts.items()]
        )
        capped = not differs and (payment is None or payment.total < due)
        facts = {"kind": "payment", "from": ply.seat, "owed": due, **handed, "capped": capped}
        facts |= {"unit": rules.penalty_unit, "currency": rules.penalty_currency}
        gifts = [Sentence("gift-nothing")] if payment is None else gifts_of(payment)
        yield Reason(
            Sentence("reason-payment", {**facts, "gifts": gifts}), {**facts, "given": given}
        )


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
        ranks = [list(group) for group in outcome.ranks]
        won = list(outcome.winners)
        facts = {"kind": "over", "reason": str(outcome.reason), "winners": won}
        said = {**facts, "winner": won[0], "count": len(won)}
        yield Reason(Sentence("reason-over", said), {**facts, "ranks": ranks})
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
