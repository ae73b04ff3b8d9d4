"""A game in which persons and programs sit, and its record on disk; prints and asks nothing.

Every ply is on the disk before anybody hears of it: the record is written with the first one and appended to from then on. A
ply that is taken back is taken out of the file, which is replaced at once. All chance comes from the seed of the record's
header and the ply, so a move that is taken back and made again comes out the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rules.arena import generators, header_of, performed
from rules.errors import InputError, RecordError
from rules.game import Advice, Adviser, Game, Player, State, game
from rules.record import End, Entry, Record, append, write

__all__ = ["TABLE", "Seat", "Session", "Turn", "begun", "reopened"]

TABLE = "tokyo-highway"
"""The one game that asks physics."""

_ADVICE = 1 << 32  # the ply of the generators for advice, so that asking changes nothing in the game


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there: a program, or a person (`player` None), whose hand at Tokyo Highway has a skill of `sim.game.hand` or
    none.
    """

    name: str
    player: Player[Any] | None = None
    hand: Any = None

    @property
    def skill(self) -> Any:
        """What a game asks of whoever makes a move: the skill of the hand, None for a steady one."""
        return self.hand if self.player is None else getattr(self.player, "skill", None)


@dataclass(frozen=True, slots=True)
class Turn:
    """A ply that was played, with the positions around it."""

    entry: Entry
    before: Any
    after: Any


class Session:
    """A game that is being played; `record` is the game so far, `path` where it is kept, `positions` those before each ply and
    the present one.
    """

    def __init__(
        self, made: Game[Any], seats: Sequence[Seat], record: Record, positions: Sequence[State[Any]], path: Path
    ) -> None:
        self.made, self.seats, self.record, self.path = made, tuple(seats), record, path
        self.positions = list(positions)
        self.is_kept = False
        """Whether the file holds the record: else it is written as a whole with the next ply."""

    @property
    def state(self) -> State[Any]:
        """The present position."""
        return self.positions[-1]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.outcome() is not None

    @property
    def seat(self) -> Seat:
        """Whoever is to move."""
        return self.seats[self.state.to_move]

    @property
    def last(self) -> Entry | None:
        """The ply that was played last."""
        return next((entry for entry in reversed(self.record.entries) if not entry.taken_back), None)

    def chosen(self) -> Any:
        """The move that the program at the seat to move chooses. Raises what its player raises."""
        player = self.seat.player
        assert player is not None
        return player.choose(self.state, generators(self._seed, self.record.next_ply)[0])

    def advice(self, adviser: Adviser[Any], most: int) -> Sequence[Advice]:
        """What a player thinks of the present position."""
        return adviser.analyse(self.state, generators(self._seed, _ADVICE + self.record.next_ply)[0], most)

    def play(self, move: Any) -> Turn:
        """Makes a move for the seat to move, or for the one that adjusts (`by` of a move), and keeps it.

        Raises IllegalMoveError, and InputError if it cannot be kept.
        """
        before, ply, by = self.state, self.record.next_ply, getattr(move, "by", None)
        seat = self.seat if by is None else self.seats[by]
        after, entry = performed(self.made, before, move, seat, generators(self._seed, ply)[1], ply)
        record, outcome = self.record.plus(entry), after.outcome()
        end = None if outcome is None else End(outcome.ranks, outcome.reason)
        self._keep(record if end is None else record.with_end(end), entry, end)
        self.positions.append(after)
        return Turn(entry, before, after)

    def undo(self) -> int:
        """Takes back the last ply that a person made and all that came after it; how many plies those are.

        Raises InputError if there is none.
        """
        plies = len(self.positions) - 1
        mine = [ply for ply in range(plies) if self.seats[self.positions[ply].to_move].player is None]
        if not mine:
            raise InputError("there is no move of yours to take back")
        entries = tuple(entry for entry in self.record.entries if entry.ply < mine[-1])
        notes = tuple(note for note in self.record.notes if note.after <= len(entries))
        record = replace(self.record, entries=entries, notes=notes, end=None)
        self._write(record)
        self.record, self.is_kept = record, True
        del self.positions[mine[-1] + 1 :]
        return plies - mine[-1]

    def save(self, path: Path) -> None:
        """Writes the game so far to another file. Raises InputError if it exists or cannot be written."""
        if path.exists():
            raise InputError(f"{path} exists already; name another file")
        write(self.record, path)

    @property
    def _seed(self) -> int:
        return self.record.header.seed or 0

    def _keep(self, record: Record, entry: Entry, end: End | None) -> None:
        if self.is_kept:
            append(self.path, entry)
            if end is not None:
                append(self.path, end)
        else:
            self._write(record)
        self.record, self.is_kept = record, True

    def _write(self, record: Record) -> None:
        """Writes the whole record: over the file it came from or is in, never over another."""
        if not self.is_kept and self.path != self.record.path:
            try:
                self.path.open("xb").close()
            except FileExistsError as error:
                raise InputError(f"{self.path} has come into being meanwhile; `save FILE` keeps the game elsewhere") from error
            except OSError as error:
                raise InputError(f"{self.path}: cannot be written: {error.strerror}") from error
        write(record, self.path)


def begun(made: Game[Any], seats: Sequence[Seat], path: Path, seed: int) -> Session:
    """A game from its start. Its file is made with the first ply."""
    header = header_of(made, [seat.name for seat in seats], seed=seed, source="shutoko play")
    return Session(made, seats, Record(header), [made.start()], path)


def reopened(record: Record) -> tuple[Game[Any], list[State[Any]]]:
    """The game of a record, and its positions before each ply and after the last, on the poses that the record holds.

    Raises RecordError for a record that makes no game, IllegalPlyError for one with an illegal ply.
    """
    if record.header.game == TABLE:
        return _table(record)
    from rules.record.replay import begin, steps

    made, start = begin(record)
    return made, [start, *(step.after for step in steps(record) if not step.entry.taken_back)]


def _table(record: Record) -> tuple[Game[Any], list[State[Any]]]:
    from sim.game import replay
    from sim.game.highway import Position

    header = record.header
    engine = str((header.physics or {}).get("engine", "none"))
    start = Position(replay.begin(record), engine)
    options = {"ruleset": header.ruleset, "components": header.components, "engine": engine, **header.options}
    try:
        made = game(TABLE, players=len(header.players), **options)
    except InputError as error:
        raise RecordError(str(error), record.path, 1) from error
    after = [Position(step.after, engine) for step in replay.trusted(record) if not step.entry.taken_back]
    return made, [start, *after]
