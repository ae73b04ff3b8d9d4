"""What the grid games share apart from their kernels: moves as text, resigning, outcomes and
digests.

A game brings a frozen dataclass of its options on top of `GridGame` and a state on top of
`GridPosition`, whose methods with a leading underscore ask the compiled kernels of that game.
Nothing here knows a rule of either game.

`perft` counts sequences of legal moves, the field's standard check of a rule engine. The compiled
games count faster, with their own `perft(depth)`; any other game on a board is counted here.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from rules.errors import GAME_OVER, IllegalMoveError, InputError, NotationError, why
from rules.game import GridState, Guide, Outcome, Reason, Setting
from rules.grid.kernels import compiling, games
from rules.grid.kernels.dispatch import DRAWN, SIDE, SWAPPED, WON
from rules.near import meant
from rules.turns import TurnManager
from rules.view import BoardView, Border, Offer, Sign, board_view, cells_named, drawn, picture

_SHOWN = 40  # characters of an unreadable text that a message repeats


@dataclass(frozen=True, slots=True, order=True)
class GridMove:
    """A move of a grid game: its canonical text.

    A state that made the move leaves `decoded` on it, its game and the action there, so that the
    text is not read again. It counts in no comparison and does not travel between processes.
    """

    text: str
    decoded: tuple[GridGame, int] | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[type[GridMove], tuple[str]]:
        return GridMove, (self.text,)


RESIGN = GridMove("resign")
"""Giving up: always legal before the end, never listed, unknown to the kernels."""


@dataclass(frozen=True)
class GridGame(ABC):
    """A grid game with its options, which are the fields of the dataclass; their defaults are left
    out of `options`. `kernel` is the module of `rules.grid.kernels` with its rules, `won` why
    somebody has won.
    """

    kernel: ClassVar[Any]
    won: ClassVar[Reason]
    name: ClassVar[str]
    seats: ClassVar[int] = 2
    guide: ClassVar[Guide]
    settings: ClassVar[tuple[Setting, ...]]
    advisers: ClassVar[tuple[str, ...]] = ("best", "greedy")
    reviewer: ClassVar[str] = "best:seconds=0.1,clock=cpu"

    @property
    def options(self) -> dict[str, Any]:
        """The options that differ from the defaults, as in a record's header."""
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if getattr(self, f.name) != f.default
        }

    @property
    @abstractmethod
    def tables(self) -> Any:
        """The geometry and the options as the kernels read them."""

    def start(self) -> Any:
        """The position before ply 0: the empty board, seat 0 to move with the first colour."""
        _load(type(self))
        return self.position(TurnManager(self.seats), *self.kernel.blank(self.tables)[:2])

    @abstractmethod
    def position(self, turns: TurnManager, board: Any, info: Any) -> GridPosition:
        """The position of these arrays, which are its own from now on."""

    @property
    def borders(self) -> tuple[Border, ...]:
        """The sides of the board that each colour joins."""
        return ()

    def view(
        self, state: GridPosition, before: GridPosition | None = None, last: str | None = None
    ) -> BoardView:
        """The board with the marks of the rules and the cells of the last move; `before` is the
        position before that.
        """
        return board_view(
            state.board_text(), state.signs(before), cells_named(last or ""), self.borders
        )

    @abstractmethod
    def offer(self, state: Any, move: str) -> Offer | None:
        """A legal move as a place on the board; None for a move without a place, such as `pass`."""

    def _check(self, what: str, value: object, known: tuple[object, ...]) -> None:
        """Raise InputError unless `value` is one of `known`, by type too: 1 is not True."""
        if not any(value == other and type(value) is type(other) for other in known):
            told = ", ".join(
                "null" if k is None else str(k).lower() if isinstance(k, bool) else str(k)
                for k in known
            )
            near = meant(str(value), told.split(", "))
            raise InputError(
                f"{self.name}: {what} = {repr(value)[:_SHOWN]} is not valid; choose from "
                f"{told}{near}"
            )


@cache
def _load(kind: type[GridGame]) -> None:
    """Compiles or loads all that single moves need, so that no later call has to wait."""
    made: Any = kind
    small = made(size=3)
    with compiling(f"the rules of {kind.guide.title}"):
        state = small.position(TurnManager(kind.seats), *kind.kernel.blank(small.tables)[:2])
        state.after(state.legal_moves()[0]).signs(state)


@dataclass(frozen=True, eq=False, repr=False)
class GridPosition(ABC):
    """A position of a grid game over the kernels' arrays `board` and `info`, which are read-only.
    Two are equal if all that matters for going on is, and the number of plies.
    """

    game: GridGame
    turns: TurnManager
    board: npt.NDArray[Any]
    info: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        self.board.setflags(write=False)
        self.info.setflags(write=False)

    def arrays(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """Copies of `board` and `info`, for kernels to read and write."""
        return self.board.copy(), self.info.copy()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GridPosition) and self._told() == other._told()

    def __hash__(self) -> int:
        return hash(self._told())

    def _told(self) -> tuple[GridGame, TurnManager, bytes]:
        return self.game, self.turns, self._content()

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} {self.game!r}, ply {self.turns.ply}, seat {self.to_move} "
            f"to move, {self.digest()}>"
        )

    def __str__(self) -> str:
        """The board, `o` the first colour and `x` the second, and whose turn it is."""
        outcome = self.outcome()
        if outcome is None:
            told = f"seat {self.to_move} to move with {'ox'[self.side]}"
        elif outcome.winners:
            told = f"{outcome.reason}: seat {outcome.winners[0]} wins"
        else:
            told = f"{outcome.reason}: nobody wins"
        return f"{drawn(self.board_text())}\n{told}"

    def _repr_svg_(self) -> str | None:
        found: str | None = picture("board", self.game, self)
        return found

    @property
    def to_move(self) -> int:
        """The seat whose move it is, counted from 0: the person, not the colour."""
        return self.turns.to_move

    @property
    def side(self) -> int:
        """The colour of the seat to move: 0 the first, 1 the second."""
        return self.turns.side

    def legal_moves(self) -> tuple[GridMove, ...]:
        """All legal moves sorted by their text, empty after the end; never `resign`, and `pass`
        only when it is forced.
        """
        if self.outcome() is not None:
            return ()
        return tuple(sorted(self._move(action) for action in self._actions()))

    @abstractmethod
    def signs(self, before: Self | None = None) -> Mapping[str, Sign]:
        """The marks on cells, by their names; `before` is the position before the last ply, for
        what has just gone.
        """

    def parse(self, text: str, /) -> GridMove:
        """The move that `text` means here; blanks around it and capitals do not matter.

        Raises NotationError if it cannot be read and IllegalMoveError if the rules refuse it; both
        name the text, the position and the reason.
        """
        if not isinstance(text, str):
            raise NotationError(repr(text)[:_SHOWN], self.board_text(), "a move is a text")
        plain = text.strip().lower()
        if plain == RESIGN.text:
            move = RESIGN
        else:
            try:
                action = self._read(plain)
            except ValueError as error:
                shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
                raise NotationError(shown, self.board_text(), why(error)) from error
            move = self._move(action)
        self._require_legal(move, text.strip())
        return move

    def after(self, move: GridMove | str, /) -> Self:
        """The position after that move, or after the move that a text means; this one is unchanged.

        Raises IllegalMoveError for a move that is not legal here, and NotationError for a text that
        cannot be read.
        """
        if isinstance(move, str):
            move = self.parse(move)
        else:
            move = self._with_action(move)
            self._require_legal(move, move.text)
        if move.decoded is None:
            return replace(self, turns=self.turns.put_out(self.to_move))
        return self._after(move.decoded[1])

    def move_of(self, action: int) -> GridMove:
        """The move that an action of `rules.grid.Batch` is here, legal or not."""
        return self._move(action)

    def action_of(self, move: GridMove) -> int:
        """The action of `rules.grid.Batch` that a move is here.

        Raises IllegalMoveError for a text that means nothing here, and for `resign`, which is no
        action.
        """
        decoded = self._with_action(move).decoded
        if decoded is None:
            raise IllegalMoveError(move.text, self.board_text(), "resigning is no action")
        return self._numbered(decoded[1])

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if self.turns.out:
            ranks = self.turns.ranks()
            return Outcome(ranks[0], Reason.RESIGNED, ranks)
        result = int(self.info[WON])
        if result == 0:
            return None
        if result == DRAWN:
            return Outcome((), Reason.DRAWN, (tuple(range(self.game.seats)),))
        winner = self.turns.seat_of(result - 1)
        return Outcome((winner,), self.game.won, ((winner,), (1 - winner,)))

    def perft(self, depth: int) -> int:
        """How many sequences of `depth` legal moves there are from here; a game that ends earlier
        has none of that length.
        """
        if depth == 0 or self.outcome() is not None:
            return int(depth == 0)
        tables, kernel = self.game.tables, self.game.kernel
        room = kernel.scratch(tables), depth, kernel.most_legal(tables)
        return games.perft(self.game.guide.title, tables, self.board, self.info, *room)

    def digest(self) -> str:
        """16 hexadecimal digits, equal iff everything needed to go on is equal: game, options, who
        plays what, the position.
        """
        turns = self.turns
        head = (
            f"{self.game.name} {sorted(self.game.options.items())} {turns.to_move} "
            f"{turns.sides} {turns.out}"
        )
        return hashlib.blake2b(
            self._content(), key=hashlib.sha256(head.encode()).digest(), digest_size=8
        ).hexdigest()

    @abstractmethod
    def board_text(self) -> str:
        """Rows from top to bottom joined with `/`: `.` empty, `1` the first colour, `2` the
        second.
        """

    def _numbered(self, action: int) -> int:
        """The kernels' number of an action."""
        return action

    def _actions(self) -> list[int]:
        """The legal actions of a game that goes on, by the kernels' numbers; without resigning."""
        tables, kernel = self.game.tables, self.game.kernel
        out = np.empty(kernel.most_legal(tables), np.int64)
        found: list[int] = out[: kernel.legal(tables, *self.arrays(), out)].tolist()
        return found

    @abstractmethod
    def _text(self, action: int) -> str:
        """The canonical text of an action here."""

    @abstractmethod
    def _read(self, text: str) -> int:
        """The action that a text in lower case, other than `resign`, names; ValueError with the
        reason if there is none.
        """

    @abstractmethod
    def _refused(self, action: int) -> str | None:
        """Why the rules refuse an action in a game that goes on; None if it is legal."""

    def _is_legal(self, action: int) -> bool:
        """Whether the kernels allow one of their actions in a game that goes on."""
        tables, kernel = self.game.tables, self.game.kernel
        room = np.empty(kernel.most_legal(tables), np.int64)
        return bool(games.is_legal(tables, *self.arrays(), room, action))

    def _after(self, action: int) -> Self:
        """The position after a legal action."""
        tables, kernel, (board, info) = self.game.tables, self.game.kernel, self.arrays()
        kernel.play(tables, board, info, kernel.scratch(tables), self._numbered(action))
        swaps = info[SWAPPED] != self.info[SWAPPED]
        turns = self.turns.swap_sides() if swaps else self.turns
        turns = turns.advance(again=turns.to_move == info[SIDE] ^ info[SWAPPED])
        return type(self)(self.game, turns, board, info)

    @abstractmethod
    def _content(self) -> bytes:
        """Everything in the position that matters for going on, apart from seats and sides, as
        canonical bytes.
        """

    def _move(self, action: int) -> GridMove:
        return GridMove(self._text(action), (self.game, action))

    def _with_action(self, move: GridMove) -> GridMove:
        """A move with its action in this game; IllegalMoveError for one whose text means nothing
        here.
        """
        if move == RESIGN or (move.decoded is not None and move.decoded[0] is self.game):
            return move
        try:
            return GridMove(move.text, (self.game, self._read(move.text)))
        except ValueError as error:
            refusal = GAME_OVER if self.outcome() is not None else why(error)
            raise IllegalMoveError(move.text, self.board_text(), refusal) from error

    def _require_legal(self, move: GridMove, text: str) -> None:
        """Raise IllegalMoveError, which repeats the text, for a move that the rules refuse here;
        resigning has no action.
        """
        if self.outcome() is not None:
            raise IllegalMoveError(text, self.board_text(), GAME_OVER)
        refusal = None if move.decoded is None else self._refused(move.decoded[1])
        if refusal is not None:
            raise IllegalMoveError(text, self.board_text(), refusal)


# --- perft ----------------------------------------------------------------------------------------


def perft(state: GridState[Any], depth: int) -> int:
    """How many sequences of `depth` legal moves there are; a game that ends earlier has none of
    that length.
    """
    own = getattr(state, "perft", None)
    if own is not None:
        return int(own(depth))
    if depth == 0:
        return 1
    moves = state.legal_moves()
    return len(moves) if depth == 1 else sum(perft(state.after(move), depth - 1) for move in moves)
