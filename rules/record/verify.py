"""Is a record true? `verify` plays it again by the rules of its game and reports every difference
as data.

A game whose records hold more than its moves brings a `verify` of its own, which returns the same
`Report`. A difference never raises an error; only unusable input does.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

from rules.errors import InputError, RecordError
from rules.game import Outcome, Reason, State
from rules.record import End, Entry, Record
from rules.record.replay import Step, StepT, begin, judged, made_of

StateT = TypeVar("StateT")

MODES = ("rules", "physics", "exact")
"""Ways to verify: `rules` trusts recorded poses, `physics` simulates again within a tolerance,
`exact` bit for bit.

A game without physics is verified alike in all three.
"""


class LostError(RecordError):
    """A ply that cannot be judged because the game is another one since a difference before it."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Something that a record asserts and the judgement contradicts.

    `what` is a key of `got` or `claim`, or `end`. `expected` is what the record says. `ply` is None
    for the end. `line` counts from 1; None if it is unknown.
    """

    ply: int | None
    line: int | None
    what: str
    expected: Any
    found: Any
    text: str


@dataclass(frozen=True, slots=True)
class Divergence:
    """A piece that did not settle where the record says, and how many millimetres and degrees lie
    between.

    `attempt` counts the failed tries of the ply from 1; None for its last one.
    """

    ply: int
    line: int | None
    piece: str
    mm: float
    degrees: float
    attempt: int | None = None

    @property
    def text(self) -> str:
        """The sentence."""
        where = (
            f"settled {self.mm:.4f} mm and {self.degrees:.4f} degrees from where the record says"
        )
        return f"{'' if self.attempt is None else f'in try {self.attempt} '}{self.piece} {where}"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something worth knowing about the judgement of a ply, though it contradicts nothing in the
    record.
    """

    ply: int
    line: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """What verifying a record found.

    `plies` is the number of plies judged, `taken_back` that of the moves judged that were taken
    back. `mismatches` and `divergences` contradict `got` or the end; `claims` contradict what
    people claimed. `remarks` contradict nothing. `compared` says in words what was compared, and
    what was not and why. `mode` is the way in which a game of more than moves was verified; None
    for a game that has only one.
    """

    path: Path | None
    plies: int
    mismatches: tuple[Mismatch, ...] = ()
    divergences: tuple[Divergence, ...] = ()
    claims: tuple[Mismatch, ...] = ()
    warnings: tuple[str, ...] = field(default=(), compare=False)
    remarks: tuple[Remark, ...] = ()
    compared: str = field(default="", compare=False)
    mode: str | None = field(default=None, compare=False)
    taken_back: int = 0

    @property
    def ok(self) -> bool:
        """Whether nothing contradicts the record."""
        return not (self.mismatches or self.divergences or self.claims)


def verify(
    record: Record,
    mode: str = "physics",
    *,
    on_ply: Callable[[int], None] | None = None,
    **how: Any,
) -> Report:
    """Plays the record again by the rules of its game and compares what it asserts.

    `on_ply` is called with the number of plies judged so far, if the game's own `verify` takes that
    option; `how` is passed on to it, too. Raises InputError for an unknown mode, game or option,
    RecordError for a move that cannot be read or is out of turn, and what the game's own `verify`
    raises.
    """
    if mode not in MODES:
        raise InputError(f"{mode!r} is not a way to verify; choose from {', '.join(MODES)}")
    made = made_of(record)
    own = getattr(made, "verify", None)
    if own is not None:
        if on_ply is not None and "on_ply" in signature(own).parameters:
            how |= {"on_ply": on_ply}
        report: Report = own(record, mode=mode, **how)
        return replace(report, mode=mode)
    if how:
        raise InputError(
            f"{made.name} is verified by its rules alone; it takes no {', '.join(sorted(how))}"
        )
    return _replayed(record, on_ply)


class Findings:
    """What verifying has found so far: the fields of a `Report`, to be added to."""

    def __init__(self, record: Record, compared: str) -> None:
        self.record, self.plies, self.compared, self.taken_back = record, 0, compared, 0
        self.mismatches: list[Mismatch] = []
        self.divergences: list[Divergence] = []
        self.claims: list[Mismatch] = []
        self.remarks: list[Remark] = []

    def report(self) -> Report:
        """All findings."""
        return Report(
            self.record.path,
            self.plies,
            tuple(self.mismatches),
            tuple(self.divergences),
            tuple(self.claims),
            self.record.warnings,
            tuple(self.remarks),
            self.compared,
            taken_back=self.taken_back,
        )


def verified(
    record: Record,
    state: StateT,
    judge: Callable[[StateT, Entry], tuple[StepT, StateT]],
    compare: Callable[[StepT, Findings], None],
    ended: Callable[[End, Outcome | None], Iterable[Mismatch]],
    on_ply: Callable[[int], None] | None = None,
    compared: str = "moves, verdicts and the end, by the rules of the game",
) -> Report:
    """Judges every ply from the state that the record itself leads to, so one ply that differs does
    not spoil the next.

    `judge(state, entry)` gives the step, and the state from which the next ply is judged. It raises
    LostError for a ply that cannot be judged. `compare(step, findings)` notes what contradicts the
    record; `ended(end, outcome)` tells what contradicts its last line. `compared` says in words
    what is compared. After a step with a refusal that is not taken back, or a ply that is lost,
    nothing more is judged. A game with physics brings judge and comparison of its own.
    """
    found = Findings(record, compared)
    for entry in record.entries:
        try:
            step, following = judge(state, entry)
        except LostError as error:
            text = f"not judged, as the record differs before: {error.reason}"
            found.mismatches.append(Mismatch(entry.ply, entry.line, "do", entry.do, None, text))
            break
        found.taken_back += entry.taken_back
        found.plies += not entry.taken_back
        compare(step, found)
        if on_ply is not None:
            on_ply(found.plies + found.taken_back)
        if entry.taken_back:
            continue
        if step.refusal is not None:
            break
        state = following
    else:
        if record.end is not None:
            last: Any = state
            found.mismatches += ended(record.end, last.outcome())
    return found.report()


def _replayed(record: Record, on_ply: Callable[[int], None] | None) -> Report:
    def judge(state: State[Any], entry: Entry) -> tuple[Step, State[Any]]:
        step = judged(state, entry, record)
        return step, step.after

    return verified(record, begin(record)[1], judge, _compare, _end_difference, on_ply)


def _compare(step: Step, found: Findings) -> None:
    found.mismatches += _differences(step, {"legal": True} | dict(step.entry.got or {}))
    found.claims += _differences(step, step.entry.claim or {})


def _differences(step: Step, said: Mapping[str, Any]) -> Iterable[Mismatch]:
    entry, found = step.entry, step.got()
    for what, expected in said.items():
        if (
            what.startswith("x-")
            or (what in found and found[what] == expected)
            or (what == "faults" and not found["legal"])
        ):
            continue
        here = found.get(what)
        told = f"{what}: the record says {_plain(expected)}, the rules say {_plain(here)}"
        if what == "legal":
            told = legality_told(entry.got, "the record says", step.refusal)
        yield Mismatch(entry.ply, entry.line, what, expected, here, told)


def legality_told(said: Mapping[str, Any] | None, who: str, refusal: object) -> str:
    """The sentence about a ply whose `legal` is not what somebody said (`who`: "the record says"),
    with why it is refused; if nobody has `said` it, the refusal alone.
    """
    if "legal" not in (said or {}):
        return f"illegal: {refusal}"
    if refusal:
        return f"{who} that the ply is legal; it is not: {refusal}"
    return f"{who} that the ply is not legal; it is"


def stops(end: End) -> bool:
    """Whether an end may be that of a game that goes on by its rules: the program that ran it
    capped its plies, or a player resigned out of turn, which is no ply.
    """
    resigned = end.reason == Reason.RESIGNED and len(end.ranks) > 1 and len(end.ranks[0]) == 1
    return end.reason == Reason.PLY_CAP or resigned


def _end_difference(end: End, outcome: Outcome | None) -> Iterable[Mismatch]:
    """Every end must be the one that the rules give, but those that stop a game."""
    said, judged = end.to_json()["end"], None
    text = f"end: the record says {end.reason}, but the game goes on"
    if outcome is not None:
        judged = End(_sorted(outcome.ranks), outcome.reason).to_json()["end"]
        text = f"end: the record says {said}, the rules say {judged}"
        if judged == End(_sorted(end.ranks), end.reason).to_json()["end"]:
            return
    elif stops(end):
        return
    yield Mismatch(None, end.line, "end", said, judged, text)


def _sorted(ranks: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted(group)) for group in ranks)


def _plain(value: Any) -> str:
    return (
        "nothing"
        if value is None
        else str(value).lower()
        if isinstance(value, bool)
        else str(value)
    )
