"""Is a record true? `verify` replays it through the rules of its game and reports every difference as data.

A game that knows more than `parse` and `after` (Tokyo Highway with its physics) brings its own `verify` and returns the same
`Report`; for all others the moves are replayed here. Differences never raise: only unusable input does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules.errors import IllegalMoveError, InputError, NotationError, RecordError
from rules.game import Game, Outcome, Reason, State, game
from rules.record import End, Entry, Record

__all__ = ["MODES", "Divergence", "Mismatch", "Report", "verify"]

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
class Report:
    """What verifying a record found.

    `plies` counts the lines judged. `mismatches` and `divergences` concern `got` and the end, `claims` what people claimed.
    """

    path: Path | None
    plies: int
    mismatches: tuple[Mismatch, ...] = ()
    divergences: tuple[Divergence, ...] = ()
    claims: tuple[Mismatch, ...] = ()
    warnings: tuple[str, ...] = field(default=(), compare=False)

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
    try:
        made = game(record.header.game, **record.header.options)
    except InputError as error:
        raise RecordError(str(error), record.path, 1) from error
    own = getattr(made, "verify", None)
    if own is not None:
        report: Report = own(record, mode=mode, **how)
        return report
    if how:
        raise InputError(f"{made.name} is verified by its rules alone; it takes no {', '.join(sorted(how))}")
    return _replayed(made, record)


def _replayed(made: Game[Any], record: Record) -> Report:
    header = record.header
    if header.start is not None:
        raise RecordError(f"{made.name} cannot begin from a start layout", record.path, 1)
    if header.ruleset != "standard":
        reason = f"{made.name} has no rule set {header.ruleset!r}; it has one, standard, and options"
        raise RecordError(reason, record.path, 1)
    if len(header.players) != made.seats:
        raise RecordError(f"{made.name} has {made.seats} seats, but players names {len(header.players)}", record.path, 1)
    state: State[Any] = made.start()
    mismatches: list[Mismatch] = []
    claims: list[Mismatch] = []
    plies = 0
    for entry in record.entries:
        following, found = _judged(state, entry, record.path)
        mismatches += _differences(entry, entry.got or {}, found)
        claims += _differences(entry, entry.claim or {}, found)
        plies += 1
        if following is not None and not entry.taken_back:
            state = following
        elif following is None and not entry.taken_back:
            if "legal" not in (entry.got or {}):  # without a word on legality the entry asserts that its move is legal
                mismatches += _differences(entry, {"legal": True}, found)
            break
    else:
        if record.end is not None:
            mismatches += _end_difference(record.end, state.outcome())
    return Report(record.path, plies, tuple(mismatches), claims=tuple(claims), warnings=record.warnings)


def _judged(state: State[Any], entry: Entry, path: Path | None) -> tuple[State[Any] | None, dict[str, Any]]:
    """The state after the entry's move, None if the rules refuse it, and what `got` should say."""
    if not isinstance(entry.do, str):
        raise RecordError("do must be the text of a move in this game, not an object", path, entry.line, entry.ply)
    if state.outcome() is not None:
        return None, {"legal": False, "why": "the game is over"}
    if entry.by != state.to_move:
        reason = f"seat {entry.by} moves out of turn; seat {state.to_move} is to move"
        raise RecordError(reason, path, entry.line, entry.ply)
    try:
        following = state.after(state.parse(entry.do))
    except NotationError as error:
        raise RecordError(str(error), path, entry.line, entry.ply) from error
    except IllegalMoveError as error:
        return None, {"legal": False, "why": str(error)}
    return following, {"legal": True, "digest": following.digest()}


def _differences(entry: Entry, said: Mapping[str, Any], found: Mapping[str, Any]) -> Iterable[Mismatch]:
    for what, expected in said.items():
        if what.startswith("x-") or (what in found and found[what] == expected) or (what == "faults" and not found["legal"]):
            continue
        judged = found.get(what)
        reason = f" ({found['why']})" if what == "legal" and "why" in found else ""
        told = f"the record says {_plain(expected)}, the rules say {_plain(judged)}{reason}"
        yield Mismatch(entry.ply, entry.line, what, expected, judged, f"{what}: {told}")


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
