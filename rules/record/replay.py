"""A record of a game that its rules alone decide, played again ply by ply: Thruway, Meridians, any `rules.game.Game`.

Tokyo Highway asks physics as well and has `sim.game.replay`. Only unusable input raises, with file, line and ply.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.errors import IllegalMoveError, InputError, NotationError, RecordError, located
from rules.game import Game, State, game
from rules.record import End, Entry, Record

__all__ = ["IllegalPlyError", "Step", "begin", "fill", "judged", "steps"]


class IllegalPlyError(IllegalMoveError):
    """A ply that the rules refuse and that the record does not mark as taken back: `FILE:LINE: ply N: why`."""

    def __init__(self, record: Record, entry: Entry, reason: str, faults: Sequence[str] = ()) -> None:
        super().__init__(str(entry.do), f"ply {entry.ply}", reason, faults)
        self.args = (located(f"illegal: {reason}", record.path, entry.line, entry.ply),)
        self.ply = entry.ply


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a record judged anew: the states before and after its move, equal if the rules refuse it, and why they do."""

    entry: Entry
    before: State[Any]
    after: State[Any]
    refusal: str | None

    def got(self) -> dict[str, Any]:
        """The `got` of this ply as freshly judged."""
        if self.refusal is not None:
            return {"legal": False, "faults": [self.refusal]}
        return {"legal": True, "digest": self.after.digest()}


def begin(record: Record) -> tuple[Game[Any], State[Any]]:
    """The game of a record and its position before ply 0. Raises RecordError, naming line 1, for a header that makes none."""
    header = record.header

    def refuse(reason: str) -> RecordError:
        return RecordError(reason, record.path, 1)

    try:
        made = game(header.game, **header.options)
    except InputError as error:
        raise refuse(str(error)) from error
    if header.start is not None:
        raise refuse(f"{made.name} cannot begin from a start layout")
    if header.ruleset != "standard":
        raise refuse(f"{made.name} has no rule set {header.ruleset!r}; it has one, standard, and options")
    if len(header.players) != made.seats:
        raise refuse(f"{made.name} has {made.seats} seats, but players names {len(header.players)}")
    return made, made.start()


def judged(state: State[Any], entry: Entry, record: Record) -> Step:
    """One entry judged in a state. Raises RecordError for a move that cannot be read or is out of turn."""

    def refuse(reason: str) -> RecordError:
        return RecordError(reason, record.path, entry.line, entry.ply)

    if not isinstance(entry.do, str):
        raise refuse("do must be the text of a move in this game, not an object")
    if state.outcome() is not None:
        return Step(entry, state, state, "the game is over")
    if entry.by != state.to_move:
        raise refuse(f"seat {entry.by} moves out of turn; seat {state.to_move} is to move")
    try:
        return Step(entry, state, state.after(state.parse(entry.do)), None)
    except NotationError as error:
        raise refuse(str(error)) from error
    except IllegalMoveError as error:
        return Step(entry, state, state, error.reason)


def steps(record: Record) -> Iterator[Step]:
    """Plays a record ply by ply. A move taken back is judged and changes nothing.

    Raises RecordError for unusable input and IllegalPlyError for an illegal ply that is not marked as taken back.
    """
    _, state = begin(record)
    for entry in record.entries:
        step = judged(state, entry, record)
        if step.refusal is not None and not entry.taken_back:
            raise IllegalPlyError(record, entry, step.refusal)
        yield step
        if not entry.taken_back:
            state = step.after


def fill(record: Record) -> Record:
    """The record with a fresh `got` for every ply, and the end if the game is over. Raises what `steps` raises."""
    _, state = begin(record)
    entries = []
    for step in steps(record):
        entries.append(replace(step.entry, got=step.got()))
        state = step.after
    outcome = state.outcome()
    return replace(record, entries=tuple(entries), end=record.end if outcome is None else End(outcome.ranks, outcome.reason))
