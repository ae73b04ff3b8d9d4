"""Verifies a record of Tokyo Highway: compares what it asserts with a fresh judgement, ply by ply.

Every ply is judged from the table that the record itself leads to, so one ply that differs does not
spoil the next: where the referee comes to something else, the record's own word stands for the
rest. A difference is data, never an exception. Only unusable input raises, with file, line and ply.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.errors import InputError, RecordError
from rules.game import Outcome, Reason
from rules.record import End, Entry, Record
from rules.record.verify import (
    MODES,
    Divergence,
    Findings,
    LostError,
    Mismatch,
    Remark,
    Report,
    legality_told,
    stops,
    verified,
)
from sim.bodies import Pose, shift_between, turn_between
from sim.game.close import close_call
from sim.game.replay import (
    Step,
    as_told,
    begin,
    check_start,
    engine_of,
    is_seen,
    judge_entry,
    opened,
    physics_header,
    unused_keys,
)
from sim.game.sources import PoseSource, pose_source
from sim.languages import Sentence
from sim.records import LAYS
from sim.referee import Checked, Names, Table, Verdict, first_few, in_short, pieces_line, with_and

_SAME_MM, _SAME_DEGREES = 0.5, 1.0  # verify --mode physics: record format 9b


def verify(
    record: Record,
    mode: str = "physics",
    engine: str | None = None,
    *,
    on_ply: Callable[[int], None] | None = None,
) -> Report:
    """Compares everything that a record asserts with a fresh judgement; record format 9 describes
    the modes.

    `rules` trusts `moved` and needs no engine; `physics` simulates again (poses within 0.5 mm and 1
    degree on the same engine); `exact` compares digests. The report says what was compared. At a
    close call, as the record says (`got.close`) or `sim.close_call` does, a difference is a remark,
    except in `exact`. `on_ply` hears how many plies have been judged. Raises RecordError for
    unusable input, and for `exact` if engine, version, platform or parameters are not the header's.
    """
    if mode not in MODES:
        raise InputError(f"{mode!r} is not a way to verify; choose from {', '.join(MODES)}")
    table = begin(record)
    name = None if mode == "rules" else engine or engine_of(record.header)
    if mode == "exact":
        _check_exact(record, str(name))
    source = None if name is None else pose_source(name)
    check_start(record, table, source)
    same_engine = bool(name and (record.header.physics or {}).get("engine", name) == name)
    one = _Comparison(record, source, exact=mode == "exact", same_engine=same_engine)
    return verified(
        record,
        table,
        one.judge,
        one.compare,
        one.ended,
        on_ply,
        _compared(record, mode, same_engine=same_engine),
    )


def _compared(record: Record, mode: str, *, same_engine: bool) -> str:
    """What is compared with the record, and what is not and why, in words."""
    if record.header.observed:
        return (
            "legality, crossings and payments, by what people saw; not falls or poses: no "
            "engine can know them"
        )
    if not any((entry.got or {}).get("moved") is not None for entry in record.entries):
        how = "on geometry alone" if mode == "rules" else "simulated here"
        return f"legality, falls and events, {how}; not poses: the record holds none"
    if mode == "rules":
        return (
            "legality, falls and events, by the poses of the record; not the poses: no engine ran"
        )
    if mode == "exact":
        return "legality, falls, events, poses and digests, to the last bit"
    if not same_engine:
        return "legality, falls and events; not poses: another engine made them"
    return f"legality, falls, events and poses, within {_SAME_MM:g} mm and {_SAME_DEGREES:g} degree"


def _check_exact(record: Record, engine: str) -> None:
    have, here = record.header.physics, physics_header(engine)
    if have is None:
        raise RecordError(
            "cannot be verified exactly: the header does not say which physics made it",
            record.path,
            1,
        )
    for key, value in here.items():
        if have.get(key) != value:
            reason = (
                f"cannot be verified exactly: its {key} is {have.get(key)!r}, here it is "
                f"{value!r}; use --mode physics"
            )
            raise RecordError(reason, record.path, 1)


# --- comparing ------------------------------------------------------------------------------------


class _Comparison:
    """Judges the plies of a record and notes the assertions that the judgement disagrees with."""

    def __init__(
        self, record: Record, source: PoseSource | None, *, exact: bool, same_engine: bool
    ) -> None:
        self._record, self._source, self._exact = record, source, exact
        self._same_engine = same_engine
        self._names = Names(record.header.players)
        self._simulated = False  # whether an engine settled the ply that is compared
        self._apart = False  # whether the table before it is another than the record's
        self._parts = False  # and the table after it
        self._unpaid: str | None = None  # why its `pay` is not what is due

    def judge(self, table: Table, entry: Entry) -> tuple[Step, Table]:
        """The step of an entry, and the table before the next one: the record's own if it has
        poses, else the simulated one. The step has a refusal only if nothing can follow.
        """
        self._apart, self._unpaid = self._parts, None
        try:
            checked = opened(self._record, entry, table)
            trusted = self._judged(entry, checked, None)
            judged = trusted.verdict.legal and not is_seen(self._record, entry)
            physical = judged and trusted.placement.kind in LAYS
            self._simulated = self._source is not None and physical
            step = self._judged(entry, checked, self._source) if self._simulated else trusted
        except RecordError as error:
            if not self._apart:
                raise
            raise LostError(error.reason, error.path, error.line, error.ply) from error
        own = not self._simulated or (entry.got or {}).get("moved") is not None
        following = self._following(checked, trusted if own else step, trusted, digests=own)
        return replace(step, refusal=following.refusal), following.after

    def _judged(self, entry: Entry, checked: Checked, source: PoseSource | None) -> Step:
        """The step of an entry. A payment that differs from what is due is noted, and made all the
        same; if it cannot be made, the usual one is.
        """
        step = judge_entry(self._record, entry, checked, source)
        if {fault.code for fault in step.verdict.faults} != {"payment"} or step.verdict.legal:
            return step
        self._unpaid = step.refusal
        step = judge_entry(self._record, replace(entry, accepted=True), checked, source)
        if step.refusal is not None:
            step = judge_entry(self._record, replace(entry, pay=None), checked, source)
        return replace(step, entry=entry)

    def _following(self, checked: Checked, step: Step, trusted: Step, *, digests: bool) -> Step:
        """The step from which the game goes on: as it was judged, or as the record tells it if that
        is another one. `digests`: whether its digest can be the record's.
        """
        entry, said = step.entry, step.entry.got
        if said is None or is_seen(self._record, entry) or entry.taken_back:
            self._parts = self._apart or self._unpaid is not None
            return step
        found, digest = step.got(), said.get("digest") if digests else None
        if digest is not None and not self._apart:
            same = digest == found.get("digest")
        else:
            same = all(
                _same(key, said[key], found.get(key, _ABSENT.get(key)))
                for key in _SHAPING
                if key in said
            )
        if not (same and step.verdict.legal):
            step = as_told(self._record, trusted, checked)
        differs = self._apart or not same
        self._parts = differs if digest is None else step.after.digest() != digest
        return step

    def compare(self, step: Step, notes: Findings) -> None:
        """Compares one ply's `got`, tries and `claim` with its fresh judgement."""
        entry, said, found = step.entry, step.entry.got or {}, step.got()
        # poses that the record does not hold, or another run of an engine, make another digest; and
        # it covers the whole table: report a difference only where it first appears
        known = "moved" in said or "moved" not in found
        digest = (self._exact or (self._source is None and known)) and not self._apart
        skip = {"moved", "faults", "close"} | ({"digest"} if not digest else set())
        # a record made by this engine says which pieces were restless in each ply with poses;
        # another engine settles in its own time
        calm: dict[str, Any] = (
            {"restless": []} if self._same_engine and said.get("moved") is not None else {}
        )
        skip |= set() if self._same_engine else {"restless"}
        asserted = {"legal": True} | calm | _compared_keys(said, skip)
        differing = [
            *self._differences(step, asserted, found, "the record says"),
            *self._poses(step, said, step.verdict.moved),
            *_fault_difference(step, said),
        ]
        for n, given in enumerate(entry.tries or ()):
            differing += _try_difference(step, n, given)
            if n < len(step.attempts):
                got, moved = given.get("got") or {}, step.attempts[n].moved
                differing += self._poses(step, got, moved, n + 1)
        claimed = _compared_keys(entry.claim or {}, skip)
        notes.claims += self._differences(step, claimed, found, _CLAIMED)
        excused = [one for one in differing if getattr(one, "what", "") != "legal"]
        close = self._close(step) if excused and not self._exact else {}
        if close.get("differs"):
            # at a close call equal starts come out differently: only legality is asserted
            why = (
                f"a close call ({close['differs']} of {close.get('starts', '?')} equal tries end "
                "otherwise)"
            )
            notes.remarks += [
                Remark(entry.ply, entry.line, f"{why}: {one.text}")
                for one in sorted(excused, key=lambda one: isinstance(one, Divergence))
            ]
            differing = [one for one in differing if one not in excused]
        notes.mismatches += [one for one in differing if isinstance(one, Mismatch)]
        notes.mismatches += self._misused(step)
        notes.divergences += [one for one in differing if isinstance(one, Divergence)]
        lines = [
            Sentence("reason-accepted", {"why": fault.sentence}).told(names=self._names)
            for fault in (step.verdict.faults if entry.accepted else ())
        ]
        told = any(getattr(one, "what", "") == "restless" for one in differing)
        if self._simulated and step.verdict.restless and not told:
            lines.append(pieces_line("restless", step.verdict.restless).text)
        notes.remarks += [Remark(entry.ply, entry.line, line) for line in lines]

    def _close(self, step: Step) -> Mapping[str, Any]:
        """The close call that a differing ply is, as the record says or equal starts do here; empty
        if it is none.
        """
        said: Mapping[str, Any] = (step.entry.got or {}).get("close", {})
        if said.get("differs") or step.source is None:
            return said
        here = close_call(step)
        return {} if here is None else here.to_json()

    def _misused(self, step: Step) -> Iterator[Mismatch]:
        """The keys that the ply does not use, and a payment that cannot be."""
        entry = step.entry
        for place, text in unused_keys(self._record, entry, step.placement):
            yield Mismatch(entry.ply, entry.line, place, None, None, text)
        if self._unpaid is not None:
            yield Mismatch(entry.ply, entry.line, "pay", entry.pay, None, self._unpaid)

    def ended(self, said: End, outcome: Outcome | None) -> Iterator[Mismatch]:
        """Compares the record's last line with the outcome."""
        expected = {"ranks": [list(group) for group in said.ranks], "reason": str(said.reason)}
        if outcome is None:
            if said.reason != Reason.DRAWN and not stops(said):
                text = f"end: the record says {said.reason}, but the game goes on"
                yield Mismatch(None, said.line, "end", expected, None, text)
            return
        judged = {
            "ranks": [sorted(group) for group in outcome.ranks],
            "reason": str(outcome.reason),
        }
        if {**expected, "ranks": [sorted(group) for group in said.ranks]} != judged:
            one, two = (_ending(end, self._names) for end in (expected, judged))
            text = f"end: the record says {one}, the referee says {two}"
            yield Mismatch(None, said.line, "end", expected, judged, text)

    def _differences(
        self, step: Step, said: Mapping[str, Any], found: Mapping[str, Any], who: str
    ) -> Iterator[Mismatch]:
        for what, expected in said.items():
            judged = found.get(what, _ABSENT.get(what))
            if not step.verdict.legal and what != "legal":
                continue
            if _same(what, expected, judged) or _too_close(step.verdict, what, expected, judged):
                continue
            one, two = _told_apart(what, expected, judged, self._names)
            text = f"{what}: {who} {one}, the referee says {two}"
            if what == "legal":
                said_so = step.entry.claim if who == _CLAIMED else step.entry.got
                faults = [fault.sentence for fault in step.verdict.faults]
                why = in_short(faults, names=self._names) if not step.verdict.legal else ""
                text = legality_told(said_so, who, why)
            yield Mismatch(step.entry.ply, step.entry.line, what, expected, judged, text)

    def _poses(
        self,
        step: Step,
        got: Mapping[str, Any],
        moved: Mapping[str, Pose] | None,
        attempt: int | None = None,
    ) -> Iterator[Mismatch | Divergence]:
        """Compares the poses of a verdict, or of a failed try by number, with those that the same
        engine settles to here.
        """
        if not self._simulated or not self._same_engine or got.get("moved") is None:
            return
        entry, here, exact = step.entry, moved or {}, self._exact
        recorded = {piece: Pose.from_list(numbers) for piece, numbers in got["moved"].items()}
        where = "" if attempt is None else f"in try {attempt} "
        for piece in sorted({*recorded, *here}):
            one, two = recorded.get(piece), here.get(piece)
            # only that it fell counts: its last pose is chaotic
            fell = piece in got.get("fallen", ())
            if one is None or two is None:
                # a piece at the edge of the tolerance may count as moved in one run and not in the
                # other
                if exact or fell:
                    told = (
                        f"moved: {where}{piece} moved "
                        f"{'in the record' if two is None else 'here'} only"
                    )
                    yield Mismatch(entry.ply, entry.line, "moved", piece, None, told)
                continue
            mm, degrees = shift_between(one, two), turn_between(one, two)
            if (one != two) if exact else (not fell and (mm > _SAME_MM or degrees > _SAME_DEGREES)):
                yield Divergence(entry.ply, entry.line, piece, mm, degrees, attempt)


# the keys of a `got` on which the table after it depends, besides the poses
_SHAPING = ("legal", "built", "placed", "fallen", "paid", "out")

_CLAIMED = "the players claim"

# what a `got` means that leaves a key out
_ABSENT: Mapping[str, Any] = {
    "built": True,
    "out": [],
    "fallen": [],
    "restless": [],
    "paid": [],
    "crossings": [],
    "cars": 0,
    "placed": 0,
}


def _compared_keys(said: Mapping[str, Any], skip: set[str]) -> dict[str, Any]:
    return {key: value for key, value in said.items() if key not in skip and key[:2] != "x-"}


def _fault_difference(step: Step, said: Mapping[str, Any]) -> Iterator[Mismatch]:
    """Compares the faults of an illegal or accepted ply by code and pieces, not by their words and
    numbers.
    """
    told = [
        fault for fault in said.get("faults", ()) if isinstance(fault, Mapping) and "code" in fault
    ]
    if not told or bool(said.get("legal", True)) != step.verdict.legal:
        return
    recorded = sorted(_fault(fault["code"], fault.get("pieces", ())) for fault in told)
    here = sorted(_fault(fault.code, fault.pieces) for fault in step.verdict.faults)
    if recorded != here:
        text = f"faults: the record says {_some(recorded)}, the referee says {_some(here)}"
        yield Mismatch(step.entry.ply, step.entry.line, "faults", recorded, here, text)


def _try_difference(step: Step, n: int, given: Mapping[str, Any]) -> Iterator[Mismatch]:
    entry = step.entry
    if n >= len(step.attempts) or (n == len(step.attempts) - 1 and step.attempts[n].built):
        text = (
            f"tries: the record says that try {n + 1} failed, the referee says that an "
            "earlier or this one stands"
        )
        yield Mismatch(entry.ply, entry.line, "tries", False, True, text)
        return
    said, found = (given.get("got") or {}).get("fallen"), sorted(step.attempts[n].fallen)
    if said is not None and sorted(said) != found:
        text = (
            f"tries: in try {n + 1} the record says {_some(map(_plain, said))} fell, the "
            f"referee says {_some(found)}"
        )
        yield Mismatch(entry.ply, entry.line, "tries", said, found, text)


def _fault(code: str, pieces: Iterable[str]) -> str:
    return " ".join([code, *map(str, pieces)])


def _same(what: str, expected: Any, judged: Any) -> bool:
    if isinstance(expected, Sequence) and isinstance(judged, Sequence):
        match what:
            case "fallen" | "out" | "restless":
                return sorted(expected) == sorted(judged)
            case "crossings":
                return _crossing_set(expected) == _crossing_set(judged)
            case "paid":
                return [*map(_full, expected)] == [*map(_full, judged)]
    return bool(expected == judged)


def _too_close(verdict: Verdict, what: str, expected: Any, judged: Any) -> bool:
    """Whether people and referee differ only in crossings that are too close to tell on a measured
    table.
    """
    if what in ("cars", "placed") and verdict.between is not None:
        return bool(verdict.between[0] <= expected <= verdict.between[1])
    if what != "crossings":
        return False
    close = {call.road for call in verdict.close_calls}
    one, two = (
        [c for c in _crossing_set(items) if c[0] not in close] for items in (expected, judged)
    )
    return one == two


def _crossing_set(items: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, bool]]:
    return sorted(
        (str(item.get("road")), str(item.get("side")), bool(item.get("scores"))) for item in items
    )


def _full(item: Mapping[str, Any]) -> dict[str, int]:
    return {key: int(item.get(key, 0)) for key in ("to", "grey", "yellow", "roads", "cars")}


def _told_apart(what: str, said: Any, found: Any, names: Names) -> tuple[str, str]:
    """Two answers in words. Of crossings and fallen pieces, only those that one answer has and the
    other lacks.
    """
    if not (isinstance(said, (list, tuple)) and isinstance(found, (list, tuple))):
        return _plain(said), _plain(found)
    match what:
        case "crossings":
            one, two = _crossing_set(said), _crossing_set(found)
            return _some(_crossing(c) for c in one if c not in two), _some(
                _crossing(c) for c in two if c not in one
            )
        case "paid":
            return _some(_payment(_full(item), names) for item in said), _some(
                _payment(_full(item), names) for item in found
            )
        case "out":
            return _some(map(_plain, map(names, said))), _some(map(names, found))
    return _some(map(_plain, said)), _some(map(_plain, found))


def _some(told: Iterable[str]) -> str:
    return first_few(list(told) or ["nothing"])


def _crossing(crossing: tuple[str, str, bool]) -> str:
    road, side, scores = crossing
    return f"{side} {road} {'scores' if scores else 'earns nothing'}"


def _payment(paid: Mapping[str, int], names: Names) -> str:
    given = [f"{count} {kind}" for kind, count in paid.items() if kind != "to" and count]
    return f"{names(paid['to'])} gets {' '.join(given)}"


def _ending(end: Mapping[str, Any], names: Names) -> str:
    places = "; ".join(
        f"{place}. {with_and([names(seat) for seat in group])}"
        for place, group in enumerate(end["ranks"], 1)
    )
    return f"{end['reason']} ({places})"


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ", ".join(_plain(item) for item in value) or "nothing"
    if isinstance(value, Mapping):
        return " ".join(f"{key} {_plain(item)}" for key, item in value.items())
    return "nothing" if value is None else str(value)
