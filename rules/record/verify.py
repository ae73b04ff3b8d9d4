"""Is a record true? `verify` replays it through the rules of its game and reports every difference as data.

A game that knows more than `parse` and `after` (Tokyo Highway with its physics) brings its own `verify` and returns the same
`Report`; for all others the moves are replayed here. Differences never raise: only unusable input does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules.errors import InputError
from rules.game import Outcome, Reason
from rules.record import End, Record
from rules.record.replay import Step, begin, judged, made_of

__all__ = ["MODES", "Divergence", "Mismatch", "Remark", "Report", "verify"]

MODES = ("rules", "physics", "exact")
"""What is trusted: recorded poses, nothing but a tolerance, nothing at all. The same for a game without physics."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One assertion of a record that is not shared: what it is about, what the record says and what was found.

    `what` is a key of `got` or `claim`, or `end`. `ply` is None for the end; `line` counts from 1, None if it is not known.
    """

    ply: int | None
    line: int | None
    what: str
    expected: Any
    found: Any
    text: str


@dataclass(frozen=True, slots=True)
class Divergence:
    """A piece that settled elsewhere than the record says: by how many millimetres and degrees."""

    ply: int
    line: int | None
    piece: str
    mm: float
    degrees: float


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about a ply that contradicts nothing, but that whoever trusts the judgement should know."""

    ply: int
    line: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """What verifying a record found.

    `plies` counts the lines judged. `mismatches` and `divergences` concern `got` and the end, `claims` what people claimed.
    `remarks` are no disagreements.
    """

    path: Path | None
    plies: int
    mismatches: tuple[Mismatch, ...] = ()
    divergences: tuple[Divergence, ...] = ()
    claims: tuple[Mismatch, ...] = ()
    warnings: tuple[str, ...] = field(default=(), compare=False)
    remarks: tuple[Remark, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the record is true in everything it asserts."""
        return not (self.mismatches or self.divergences or self.claims)


def verify(record: Record, mode: str = "physics", **how: Any) -> Report:
    """Replays the record with the rules of its game and compares what it asserts.

    `how` goes to the game's own `verify`. Raises InputError for an unknown mode, game or option, RecordError for a move that
    cannot be read or is out of turn, and whatever else the game says cannot be used.
    """
    if mode not in MODES:
        raise InputError(f"{mode!r} is not a way to verify; choose from {', '.join(MODES)}")
    made = made_of(record)
    own = getattr(made, "verify", None)
    if own is not None:
        report: Report = own(record, mode=mode, **how)
        return report
    if how:
        raise InputError(f"{made.name} is verified by its rules alone; it takes no {', '.join(sorted(how))}")
    return _replayed(record)


def _replayed(record: Record) -> Report:
    _, state = begin(record)
    mismatches: list[Mismatch] = []
    claims: list[Mismatch] = []
    plies = 0
    for entry in record.entries:
        step = judged(state, entry, record)
        plies += 1
        mismatches += _differences(step, {"legal": True} | dict(entry.got or {}))
        claims += _differences(step, entry.claim or {})
        if entry.taken_back:
            continue
        if step.refusal is not None:
            break
        state = step.after
    else:
        if record.end is not None:
            mismatches += _end_difference(record.end, state.outcome())
    return Report(record.path, plies, tuple(mismatches), claims=tuple(claims), warnings=record.warnings)


def _differences(step: Step, said: Mapping[str, Any]) -> Iterable[Mismatch]:
    entry, found = step.entry, step.got()
    for what, expected in said.items():
        if what.startswith("x-") or (what in found and found[what] == expected) or (what == "faults" and not found["legal"]):
            continue
        here = found.get(what)
        reason = f" ({step.refusal})" if what == "legal" and step.refusal else ""
        told = f"the record says {_plain(expected)}, the rules say {_plain(here)}{reason}"
        yield Mismatch(entry.ply, entry.line, what, expected, here, f"{what}: {told}")


def _end_difference(end: End, outcome: Outcome | None) -> Iterable[Mismatch]:
    """A cap on the plies is set by whoever ran the game; every other end must be the one that the rules find."""
    if outcome is None:
        if end.reason != Reason.PLY_CAP:
            text = f"end: the record says {end.reason}, but the game goes on"
            yield Mismatch(None, end.line, "end", end.to_json()["end"], None, text)
        return
    found = End(tuple(tuple(sorted(group)) for group in outcome.ranks), outcome.reason)
    if (tuple(tuple(sorted(group)) for group in end.ranks), end.reason) != (found.ranks, found.reason):
        expected, judged = end.to_json()["end"], found.to_json()["end"]
        text = f"end: the record says {_plain(expected)}, the rules say {_plain(judged)}"
        yield Mismatch(None, end.line, "end", expected, judged, text)


def _plain(value: Any) -> str:
    return "nothing" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
