"""Plays a record again, ply by ply.

`replay` takes the record of any game. A game whose records hold more than its moves brings a
`replay` of its own. The other functions are for games in which the moves alone decide what happens.
They raise errors only for unusable input, naming file, line and ply.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from rules.errors import (
    GAME_OVER,
    IllegalMoveError,
    InputError,
    NotationError,
    RecordError,
    located,
)
from rules.game import Game, Move, State, game
from rules.record import End, Entry, Record, read
from rules.record.schema import format_of


class IllegalPlyError(IllegalMoveError):
    """A ply that the rules refuse although the record does not mark it as taken back: `FILE:LINE:
    ply N: why`.
    """

    def __init__(
        self, record: Record, entry: Entry, reason: str, faults: Sequence[str] = ()
    ) -> None:
        super().__init__(str(entry.do), f"ply {entry.ply}", reason, faults)
        self.args = (located(f"illegal: {reason}", record.path, entry.line, entry.ply),)
        self.ply = entry.ply


class Digested(Protocol):
    """What lies between two plies: a state of a game, or what it is made of."""

    def digest(self) -> str:
        """See `State.digest`."""


StateT = TypeVar("StateT")
StateT_co = TypeVar("StateT_co", bound=Digested, covariant=True)


@dataclass(frozen=True, slots=True)
class StepOf(Generic[StateT_co]):
    """One entry of a record, judged again: its move, the states before and after it, and the names
    of the players.

    If the rules refuse the move, `refusal` says why and `after` is `before`. `move` is None if the
    state's `parse` refuses it. The next step never begins from the `after` of a move that was taken
    back.
    """

    entry: Entry
    move: Move | None
    before: StateT_co
    after: StateT_co
    refusal: str | None
    players: tuple[str, ...]

    @property
    def player(self) -> str:
        """The name of the player who moved."""
        return self.players[self.entry.by]

    @property
    def ply(self) -> int:
        """The number of the ply, from 0. The next try after a move taken back has the same
        number.
        """
        return self.entry.ply

    def __str__(self) -> str:
        told = (
            f"taken back: {self.refusal}"
            if self.refusal
            else "taken back"
            if self.entry.taken_back
            else ""
        )
        return f"ply {self.ply:>2}  {self.player}: {self.entry.do}{f'  ({told})' if told else ''}"

    @property
    def faults(self) -> Sequence[str]:
        """All reasons of a refusal, where the game tells more than one."""
        return ()

    def told_entry(self) -> Entry:
        """The entry with what the new judgement says of it."""
        return replace(self.entry, got=self.got())

    def got(self) -> dict[str, Any]:
        """The `got` of this ply by the new judgement."""
        if self.refusal is not None:
            return {"legal": False, "faults": [self.refusal]}
        return got_of(self.before, self.move, self.after)


def got_of(before: Any, move: Any, after: Digested) -> dict[str, Any]:
    """The `got` of a move that the rules allow: its digest, and what the state's own `got(move)`
    tells.
    """
    own: Callable[[Any], Mapping[str, Any]] | None = getattr(before, "got", None)
    return {"legal": True, "digest": after.digest(), **({} if own is None else own(move))}


StepT = TypeVar("StepT", bound=StepOf[Any])

if TYPE_CHECKING:
    Step: TypeAlias = StepOf[State[Any]]
    """A step between two states of a game; a game may bring a kind of its own that knows more."""
else:
    Step = StepOf


def replay(record: Record | Path | str) -> Iterator[Step]:
    """Plays a record of any game again: `for step in rules.replay("game.jsonl"): print(step)`. A
    path is read first.

    Nothing is simulated: pieces lie where the record says, or where they were meant to lie if it
    says nothing. Raises RecordError for a record that cannot be used, IllegalPlyError for an
    illegal ply that is not marked as taken back, and UnavailableError for a game that cannot be
    loaded.
    """
    if not isinstance(record, Record):
        record = read(record)
    own = getattr(begin(record)[0], "replay", None)
    return steps(record) if own is None else own(record)


def made_of(record: Record) -> Game[Any]:
    """The game of a record with its options, and what its format makes it with. Raises RecordError,
    naming line 1, for an unknown game or option.
    """
    header = record.header
    try:
        made_with = format_of(header.game).makes(header.physics or {})
        return game(header.game, **{**made_with, **header.options})
    except InputError as error:
        raise RecordError(str(error), record.path, 1) from error


def begin(record: Record) -> tuple[Game[Any], State[Any]]:
    """The game of a record and its position before ply 0; the game's own `begin(record)`, if a
    header holds more than options.

    Raises RecordError, naming line 1, for a header that does not fit.
    """
    header = record.header

    def refuse(reason: str) -> RecordError:
        return RecordError(reason, record.path, 1)

    made = made_of(record)
    own = getattr(made, "begin", None)
    if own is not None:
        found: tuple[Game[Any], State[Any]] = own(record)
        return found
    if header.start is not None:
        raise refuse(f"{made.name} cannot begin from a start layout")
    if header.ruleset != "standard":
        raise refuse(
            f"{made.name} has no rule set {header.ruleset!r}; it has one, standard, and options"
        )
    if len(header.players) != made.seats:
        raise refuse(f"{made.name} has {made.seats} seats, but players names {len(header.players)}")
    return made, made.start()


def judged(state: State[Any], entry: Entry, record: Record) -> Step:
    """Judges one entry in a state. Raises RecordError for a move that cannot be read or is out of
    turn.
    """

    def refuse(reason: str) -> RecordError:
        return RecordError(reason, record.path, entry.line, entry.ply)

    if not isinstance(entry.do, str):
        raise refuse("do must be the text of a move in this game, not an object")
    players = record.header.players
    if state.outcome() is not None:
        return Step(entry, None, state, state, GAME_OVER, players)
    if entry.by != state.to_move:
        raise refuse(f"seat {entry.by} moves out of turn; seat {state.to_move} is to move")
    try:
        move = state.parse(entry.do)
        return Step(entry, move, state, state.after(move), None, players)
    except NotationError as error:
        raise refuse(str(error)) from error
    except IllegalMoveError as error:
        return Step(entry, None, state, state, error.reason, players)


def played(
    record: Record, state: StateT, judge: Callable[[StateT, Entry], StepT]
) -> Iterator[StepT]:
    """The steps of a record from its first state, each judged by `judge(state, entry)`; a move that
    was taken back is judged but not played.

    A game with physics brings a judge of its own. Raises IllegalPlyError for an illegal ply that is
    not marked as taken back, and what the judge raises.
    """
    for entry in record.entries:
        step: Any = judge(state, entry)
        if step.refusal is not None and not entry.taken_back:
            raise IllegalPlyError(record, step.entry, step.refusal, step.faults)
        yield step
        if not entry.taken_back:
            state = step.after


def steps(record: Record) -> Iterator[Step]:
    """Plays a record ply by ply, by the rules alone.

    Raises RecordError for unusable input and IllegalPlyError for an illegal ply that is not marked
    as taken back.
    """
    return played(record, begin(record)[1], lambda state, entry: judged(state, entry, record))


def fill(record: Record, engine: str | None = None) -> Record:
    """The record with a fresh `got` for every ply, and the end if the game is over. Raises what
    `steps` raises.

    A game with its own `fill(record, engine)` fills its records itself; `engine` names its physics.
    """
    made, state = begin(record)
    own: Callable[[Record, str | None], Record] | None = getattr(made, "fill", None)
    return filled(record, state, steps(record)) if own is None else own(record, engine)


def filled(record: Record, state: Any, played: Iterable[StepOf[Any]]) -> Record:
    """The record with what these steps say of its plies, and the end if the game is over; `state`
    is the first one.
    """
    entries = []
    for step in played:
        entries.append(step.told_entry())
        state = step.after
    outcome = state.outcome()
    end = record.end if outcome is None else End(outcome.ranks, outcome.reason)
    return replace(record, entries=tuple(entries), end=end)
