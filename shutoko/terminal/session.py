"""A game between persons and programs, and its record on disk; neither prints nor asks.

Every ply is on the disk before anybody sees it: the first ply writes the record, later ones are
appended. When a ply is taken back, a new file without it replaces the old one at once. A ply that
cannot be kept is not made. All chance comes from the seed in the record's header and the number of
the ply, so a move that is taken back and made again has the same result.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rules import defaults
from rules.arena import generators
from rules.errors import InputError
from rules.game import Advice, Adviser, Game, Player, State
from rules.record import End, Entry, Record, write
from rules.record.replay import Step, begin, replay
from rules.record.writing import Kept
from shutoko.own_box import keep_beside
from shutoko.plain import plain_line

# advice uses the generators of plies that no game reaches, so asking for it changes nothing in the
# game
_ADVICE = 1 << 32


@dataclass(frozen=True, slots=True)
class Seat:
    """A program, or a person (`player` is None). `hand` is the person's skill, one of
    `rules.defaults.hands`, or None.
    """

    name: str
    player: Player[Any] | None = None
    hand: Any = None

    @property
    def skill(self) -> Any:
        """The skill of the hand that makes the move; None for a steady hand."""
        return self.hand if self.player is None else getattr(self.player, "skill", None)


class Session:
    """A game in progress: `record` is the game so far, `path` its file; `positions` are all so far,
    the present one last.
    """

    def __init__(
        self,
        made: Game[Any],
        seats: Sequence[Seat],
        record: Record,
        positions: Sequence[State[Any]],
        path: Path,
    ) -> None:
        self.made, self.seats, self.record, self.path = made, tuple(seats), record, path
        self.positions = list(positions)
        # The names in the header may be new ones, so the first ply writes all of the record.
        self._kept = Kept(path, is_ours=path == record.path, is_current=False)

    @property
    def state(self) -> State[Any]:
        """The present position."""
        return self.positions[-1]

    @property
    def is_kept(self) -> bool:
        """Whether the file at `path` holds this game."""
        return self._kept.is_ours

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.outcome() is not None

    @property
    def seat(self) -> Seat:
        """The seat to move."""
        return self.seats[self.state.to_move]

    @property
    def last(self) -> Entry | None:
        """The last ply, None before the first."""
        return next(
            (entry for entry in reversed(self.record.entries) if not entry.taken_back), None
        )

    def chosen(self) -> Any:
        """The move that the program at the seat to move chooses. Raises what its player raises."""
        player = self.seat.player
        assert player is not None
        return player.choose(self.state, generators(self._seed, self.record.next_ply)[0])

    def advice(self, adviser: Adviser[Any], most: int) -> Sequence[Advice]:
        """The `most` best moves of the present position, in the opinion of a player."""
        return adviser.analyse(
            self.state, generators(self._seed, _ADVICE + self.record.next_ply)[0], most
        )

    def play(self, move: Any) -> Step:
        """Makes a move and keeps it. The seat to move makes it, unless the move says who does (its
        `by`).

        Raises IllegalMoveError, and InputError if the record cannot be written.
        """
        before, ply, by = self.state, self.record.next_ply, getattr(move, "by", None)
        seat = self.seat if by is None else self.seats[by]
        after, entry = defaults.perform(
            self.made, before, move, seat, generators(self._seed, ply)[1], ply
        )
        record, outcome = self.record.plus(entry), after.outcome()
        if outcome is None:
            self._keep(record, entry)
        else:
            end = End(outcome.ranks, outcome.reason)
            self._keep(record.with_end(end), entry, end)
        self.positions.append(after)
        return Step(entry, move, before, after, None, tuple(map(plain_line, record.header.players)))

    def undo(self) -> int:
        """Takes back the last ply of a person and all plies after it; returns how many plies those
        are.

        Raises InputError if no person has made a ply.
        """
        plies = len(self.positions) - 1
        mine = [
            ply for ply in range(plies) if self.seats[self.positions[ply].to_move].player is None
        ]
        if not mine:
            raise InputError("there is no move of yours to take back")
        entries = tuple(entry for entry in self.record.entries if entry.ply < mine[-1])
        notes = tuple(note for note in self.record.notes if note.after <= len(entries))
        self._keep(replace(self.record, entries=entries, notes=notes, end=None))
        del self.positions[mine[-1] + 1 :]
        return plies - mine[-1]

    def save(self, path: Path) -> None:
        """Writes the game so far to another file. Raises InputError if it exists or cannot be
        written.
        """
        keep_beside(self.made, path.parent)
        write(self.record, path, fresh=True)

    @property
    def _seed(self) -> int:
        return self.record.header.seed or 0

    def _keep(self, record: Record, *last: Entry | End) -> None:
        """Keeps a record, the `last` lines of which are new; without them it replaces the one
        before.
        """
        if not self._kept.is_ours and self.path.exists():
            reason = (
                f"{self.path}: another program has made this file meanwhile; `save FILE` "
                "writes the game to another"
            )
            raise InputError(reason)
        if last:
            self._kept.add(record, *last)
        else:
            self._kept.put(record)
        self.record = record


def begun(made: Game[Any], seats: Sequence[Seat], path: Path, seed: int) -> Session:
    """A new game. The first ply makes its file."""
    header = defaults.header(made, [seat.name for seat in seats], seed=seed, source="shutoko play")
    return Session(made, seats, Record(header), [made.start()], path)


def reopened(record: Record) -> tuple[Game[Any], list[State[Any]]]:
    """The game of a record, and its positions before each ply and after the last one. Pieces lie
    where the record says.

    Raises RecordError for a record that cannot be used, IllegalPlyError for one with an illegal
    ply.
    """
    made, start = begin(record)
    return made, [start, *(step.after for step in replay(record) if not step.entry.taken_back)]
