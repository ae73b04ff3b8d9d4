"""Many games of one kind at once, over arrays, for learning and for large experiments: `Batch`.

Games with compiled rules are played in compiled code. Any other game for two on a board of cells is
asked state by state: slower, with the same arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rules import defaults
from rules.errors import IllegalMoveError, InputError
from rules.game import Game
from rules.grid.base import GridGame
from rules.grid.kernels import compiling, games as kernels
from rules.grid.kernels.dispatch import SWAPPED, stream
from rules.grid.kernels.games import Lanes, close, illegal, lanes, sample
from rules.turns import TurnManager

_PLANES = 4  # of a game without kernels


class Many:
    """What batches share: `n` games side by side with `actions` numbered actions; `_chance` is the
    state of their random numbers.
    """

    n: int
    actions: int
    _chance: npt.NDArray[np.uint64]

    def masks(self) -> npt.NDArray[np.bool_]:
        """bool[n, actions]: which actions are legal; at least one in each row."""
        raise NotImplementedError

    def sample(self) -> npt.NDArray[np.int64]:
        """int64[n], a new array: a legal action for each game, all with the same chance."""
        out = np.zeros(self.n, np.int64)
        sample(self.masks().view(np.uint8), self._chance, out)
        return out

    def copy(self) -> Self:
        """An independent copy: equal games, and a random generator in the same state."""
        made = object.__new__(type(self))
        made.__dict__.update({name: _copied(value) for name, value in self.__dict__.items()})
        return made

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def _chosen(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """The actions of a step. Raises InputError for another shape or kind of numbers, and
        IllegalMoveError, which names the first game with an illegal action.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise InputError(
                f"step: {self.n} whole numbers are needed, not {chosen.dtype} of shape "
                f"{chosen.shape}"
            )
        chosen = np.ascontiguousarray(chosen, np.int64)
        wrong = int(illegal(self.masks().view(np.uint8), chosen))
        if wrong >= 0:
            raise self._refused(wrong, int(chosen[wrong]))
        return chosen

    def _refused(self, i: int, action: int) -> IllegalMoveError:
        """The error of an action that is not legal in game i."""
        known = 0 <= action < self.actions
        why = (
            "the action is not legal here"
            if known
            else f"ids of actions are 0 to {self.actions - 1}"
        )
        text, position = self._described(i, action if known else None)
        return IllegalMoveError(
            text or str(action), position, f"game {i} of the batch, action {action}: {why}"
        )

    def _described(self, i: int, action: int | None) -> tuple[str, str]:
        """The text of an action, if there is one, and the position of game i, for an error."""
        raise NotImplementedError


class Batch(Many):
    """`n` games of one kind that go on side by side; a game that is over begins anew within the
    same step.

        batch = Batch(rules.game("meridians", size=7), n=1024, seed=0)
        while training:
            actions = choose(batch.observe(), batch.masks())
            batch.step(actions)
            learn(batch.rewards, batch.ended)

    `game` is Thruway or Meridians with any options, or any game for two on a board of cells. `seed`
    (0 <= seed < 2**64) decides what `sample` draws, and nothing else is left to chance: the same
    seed and actions give the same arrays. A game that has not ended after `cap` actions is stopped
    (0: never). Raises InputError for another game, and for numbers out of these ranges.

    Action ids. Thruway of size n: the 2n(n-1) pairs of cells that share a side, as
    `rules.grid.boards.SquareBoard` numbers them (a pair is paved, or swapped if both cells are
    paved), then trade, then pass. Meridians with N points: the points as
    `rules.grid.boards.HexBoard` numbers them, then pass, keep, swap. The first move of Meridians'
    pie option takes two actions of the same seat: light's point, then dark's. Any other game:
    `rules.defaults.actions`. Resigning is no action.

    After each step, and at the start:

        to_move    int8[n]        the seat whose action is due
        side       int8[n]        its colour, 0 the first
        plies      int32[n]       actions since the game began
        rewards    float32[n, 2]  of the last step, by seat: 1 and -1 if it ended a game with a
                   winner, otherwise 0
        ended      bool[n]        whether the last step ended the game by the rules
        truncated  bool[n]        whether it reached the cap instead
        masks()    bool[n, actions]
        observe()  uint8[n, *shape]

    These are the batch's own arrays, and the next step writes into them: copy what you keep, and
    write into none.

    An observation is made of planes of zeros and ones, seen by the side to move. Thruway, shape (7,
    size, size), rows from the north: 0 own tiles, 1 the other's, 2 cells of disputes, 3
    indestructible tiles, 4 ones if asphalt is to move, 5 ones if this turn may trade, 6 ones (which
    tell a net where the board ends). Meridians, shape (6, 2 size - 1, 2 size - 2), rows from the
    top, cut out of a slanted grid in which a point's neighbours are those in its row and column and
    on one diagonal: 0 own stones, 1 the other's, 2 the points of the board, 3 ones if dark is to
    move, 4 ones in the first four plies, 5 ones while the pie option's choices are due (its first
    stone lies on plane 0 before its second is chosen). `cells` has the index in a flat plane of
    each cell or point. Any other game, shape (4, rows, columns): 0 own cells, 1 the other's, 2 the
    cells of the board, 3 ones if the second colour is to move. With Thruway's options `repetition`
    and `reserve` earlier positions, passes and the tiles left are not shown. For repetition the
    last 512 positions since a paving count.
    """

    def __init__(self, game: Game[Any], n: int, seed: int = 0, cap: int = 0) -> None:
        check_numbers(n=(n, 1, 2**24), seed=(seed, 0, 2**64 - 1), cap=(cap, 0, 2**31 - 1))
        self.n = n
        self._kind = kind_of(game)
        self.game = self._kind.game
        self.shape = self._kind.shape
        self.cells = self._kind.cells
        self.actions = self._kind.actions
        self._chance = stream(seed)
        self._games: Lanes
        self._seen = np.zeros((n, *self.shape), np.uint8)
        self._kind.paint(self._seen)
        self._cap = cap
        self.reset()

    def __repr__(self) -> str:
        return f"<Batch of {self.n} games, {self.game!r}>"

    @property
    def to_move(self) -> npt.NDArray[np.int8]:
        """int8[n]: the seat whose action is due."""
        return self._games.seats

    @property
    def side(self) -> npt.NDArray[np.int8]:
        """int8[n]: the colour of the seat to move, 0 the first."""
        return self._games.sides

    @property
    def plies(self) -> npt.NDArray[np.int32]:
        """int32[n]: actions since the game began."""
        return self._games.plies

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """float32[n, 2]: what the last step brought each seat."""
        return self._games.rewards

    @property
    def ended(self) -> npt.NDArray[np.bool_]:
        """bool[n]: whether the last step ended the game by the rules."""
        return self._games.ended.view(np.bool_)

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """bool[n]: whether the last step reached the cap without an end."""
        return self._games.truncated.view(np.bool_)

    def reset(self) -> None:
        """All games begin anew. What `sample` draws goes on from where it was."""
        with compiling(f"the batch of {self.game.name}"):
            board, info = self._kind.blank()
            self._games = lanes(board, info, self.n, self.actions, self._cap)
            self._kind.fill(self._games)

    def masks(self) -> npt.NDArray[np.bool_]:
        """bool[n, actions]: which actions are legal; at least one in each row."""
        return self._games.masks.view(np.bool_)

    def observe(self) -> npt.NDArray[np.uint8]:
        """`uint8[n, *shape]`: the positions as the side to move sees them."""
        self._kind.observe(self._games, self._seen)
        return self._seen

    def step(self, actions: npt.ArrayLike) -> None:
        """One action in each game: whole numbers, shape (n,).

        Raises InputError for another shape or kind of numbers, and IllegalMoveError, which names
        the first game with an illegal action; then no game has moved.
        """
        self._kind.step(self._games, self._chosen(actions))

    def state(self, i: int) -> Any:
        """Game i as a plain position. Between the two stones of the pie option it is the position
        before them. Raises InputError for a number of no game.
        """
        check_row("state", "game", i, self.n)
        return self._kind.state(self._games, i)

    def place(self, i: int, state: Any) -> None:
        """Game i goes on from a plain position of the same game. A position at its end can be
        observed, not played on.

        Rewards stay as they are. Raises InputError for a number of no game, and for a position of
        another game.
        """
        check_row("place", "game", i, self.n)
        if getattr(state, "game", self.game) != self.game:
            raise InputError(
                f"place: a position of {state.game!r} cannot go into a batch of {self.game!r}"
            )
        self._kind.place(self._games, i, state)
        self._games.waiting[i] = -1
        self._kind.fill(self._games)

    def is_halfway(self, i: int) -> bool:
        """Whether the first stone of the pie option's pair is chosen in game i, and the second is
        due.
        """
        return bool(self._games.waiting[i] >= 0)

    def actions_of(self, i: int, move: Any) -> tuple[int, ...]:
        """The actions that a move is in game i: one, or two for the pie option's pair.

        Raises IllegalMoveError for a text that means nothing there, and for `resign`, which is no
        action.
        """
        action = self._kind.action(self.state(i), move)
        if action < self.actions:
            return (action,)
        return divmod(action - self.actions, len(self.cells))

    def text(self, i: int, action: int) -> str:
        """The legal or illegal action as text in game i, like `e5-f5`; a stone of the pie option's
        pair is its point alone.
        """
        if not 0 <= action < self.actions:
            raise InputError(
                f"{action} is no action of {self.game.name}; ids are 0 to {self.actions - 1}"
            )
        return self._kind.text(self.state(i), action)

    def put(self, here: npt.ArrayLike, other: Batch, there: npt.ArrayLike) -> None:
        """Game `here[k]` becomes equal to game `there[k]` of another batch of the same game, or of
        this one.

        Raises InputError if the games differ, or the two lists do.
        """
        mine, theirs = np.atleast_1d(np.asarray(here)), np.atleast_1d(np.asarray(there))
        if other.game != self.game or mine.shape != theirs.shape:
            raise InputError(
                f"put: {other.game!r} into {self.game!r}, {theirs.shape} rows into {mine.shape}"
            )
        given = other._games._asdict()
        for name, ours in self._games._asdict().items():
            if name != "cap":
                ours[mine] = given[name][theirs]

    def _described(self, i: int, action: int | None) -> tuple[str, str]:
        return "" if action is None else self.text(i, action), self.state(i).board_text()


class Compiled:
    """What `Batch` asks of a game with kernels, which makes its own: `batched()`.

    `shape` is that of an observation, `cells` has the index in a flat plane of each cell, `actions`
    is the number of actions. `ground` is the plane of an observation that shows the board, `board`
    and `info` the arrays of a game that begins. With `halved` the first move takes two actions.
    `games` are the batch's arrays.
    """

    def __init__(
        self,
        game: GridGame,
        shape: tuple[int, int, int],
        cells: npt.NDArray[np.int64],
        ground: int,
        actions: int,
        board: npt.NDArray[Any],
        info: npt.NDArray[np.int64],
        halved: bool = False,
    ) -> None:
        self.game, self.shape, self.cells, self.actions = game, shape, cells, actions
        self._tables, self._work = game.tables, game.kernel.scratch(game.tables)
        self._ground, self._start, self._halved = ground, (board, info), halved

    def blank(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """The arrays of a game that begins."""
        return self._start

    def paint(self, seen: npt.NDArray[np.uint8]) -> None:
        """Fills the planes that never change."""
        seen.reshape(len(seen), self.shape[0], -1)[:, self._ground, self.cells] = 1

    def fill(self, games: Lanes) -> None:
        """Fills masks, seats and sides."""
        kernels.fill(self._tables, games, self._work)

    def step(self, games: Lanes, actions: npt.NDArray[np.int64]) -> None:
        """Plays a legal action in each game; a game that is over begins anew."""
        kernels.step(self._tables, games, self._work, actions)

    def observe(self, games: Lanes, out: npt.NDArray[np.uint8]) -> None:
        """Fills the planes that change."""
        kernels.observe(self._tables, games, out)

    def state(self, games: Lanes, i: int) -> Any:
        """Game i as a plain position."""
        board, info, ply = games.boards[i].copy(), games.infos[i].copy(), int(games.plies[i])
        sides = (1, 0) if info[SWAPPED] else (0, 1)
        turns = TurnManager(2, int(games.seats[i]), ply - (self._halved and ply > 0), sides=sides)
        return self.game.position(turns, board, info)

    def place(self, games: Lanes, i: int, state: Any) -> None:
        """Game i goes on from a plain position."""
        # the rest is unused room for earlier positions
        kept = min(len(state.info), games.infos.shape[1])
        games.boards[i], games.infos[i] = state.board, 0
        games.infos[i, :kept] = state.info[:kept]
        games.plies[i] = state.turns.ply + (self._halved and state.turns.ply > 0)

    def action(self, state: Any, move: Any) -> int:
        """The action that a move is. Raises IllegalMoveError for what is no action."""
        return int(state.action_of(move))

    def text(self, state: Any, action: int) -> str:
        """An action as text."""
        return str(state.move_of(action))


class _Plain:
    """The same of a game without kernels: its states are asked one by one. See
    `rules.defaults.actions`.
    """

    def __init__(self, game: Game[Any]) -> None:
        start = game.start()
        if game.seats != 2 or not (hasattr(start, "legal_moves") and hasattr(start, "board_text")):
            raise InputError(
                f"Batch: {game.name} cannot be played in batches; that takes a game for two on a "
                "board of "
                "cells, with legal_moves() and board_text(), or one with batched() of its own"
            )
        self.game = game
        self._moves = defaults.actions(game)
        self._number = {move: number for number, move in enumerate(self._moves)}
        rows = start.board_text().split("/")
        width = max(map(len, rows))
        self.shape = (_PLANES, len(rows), width)
        self.cells = np.concatenate([y * width + np.arange(len(row)) for y, row in enumerate(rows)])
        self.actions = len(self._moves)

    def blank(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        board = np.empty((), object)
        board[()] = self.game.start()
        return board, np.zeros(0, np.int64)

    def paint(self, seen: npt.NDArray[np.uint8]) -> None:
        seen.reshape(len(seen), _PLANES, -1)[:, 2, self.cells] = 1

    def fill(self, games: Lanes) -> None:
        for i, state in enumerate(games.boards):
            games.seats[i], games.sides[i] = state.to_move, defaults.side_of(state, state.to_move)
            games.masks[i] = 0
            for move in state.legal_moves():
                games.masks[i, self.action(state, move)] = 1

    def step(self, games: Lanes, actions: npt.NDArray[np.int64]) -> None:
        told = games.rewards, games.ended, games.truncated, games.plies, games.cap
        for i, action in enumerate(actions.tolist()):
            games.plies[i] += 1
            games.boards[i] = games.boards[i].after(self._moves[action])
            outcome = games.boards[i].outcome()
            winner = (
                -1 if outcome is None else outcome.winners[0] if len(outcome.winners) == 1 else 2
            )
            if close(*told, i, winner):
                games.boards[i] = self.game.start()
        self.fill(games)

    def observe(self, games: Lanes, out: npt.NDArray[np.uint8]) -> None:
        flat = out.reshape(len(out), _PLANES, -1)
        for i, state in enumerate(games.boards):
            held = np.frombuffer(state.board_text().replace("/", "").encode(), np.uint8)
            side = int(games.sides[i])
            for plane, colour in enumerate((side, 1 - side)):
                flat[i, plane, self.cells] = held == ord("12"[colour])
            flat[i, 3] = side

    def state(self, games: Lanes, i: int) -> Any:
        return games.boards[i]

    def place(self, games: Lanes, i: int, state: Any) -> None:
        games.boards[i] = state

    def action(self, state: Any, move: Any) -> int:
        number = self._number.get(str(move))
        if number is None:
            why = (
                f"it is not among the actions of {self.game.name}, which are "
                f"{', '.join(self._moves)}"
            )
            raise IllegalMoveError(str(move), state.board_text(), why)
        return number

    def text(self, state: Any, action: int) -> str:  # noqa: ARG002 - the common form
        return self._moves[action]


def check_row(what: str, kind: str, i: object, count: int) -> None:
    """Raises InputError, which begins with `what`, unless `i` is a whole number from 0 to `count` -
    1; `kind` names what is counted.
    """
    if not (isinstance(i, int | np.integer) and 0 <= int(i) < count):
        raise InputError(f"{what}: there is no {kind} {i!r}; the {kind}s are 0 to {count - 1}")


def kind_of(game: Game[Any]) -> Compiled | _Plain:
    """The kind of a game: its own, or one that asks its states. Raises InputError if neither
    goes.
    """
    own: Callable[[], Compiled] | None = getattr(game, "batched", None)
    return _Plain(game) if own is None else own()


def check_numbers(**given: tuple[object, int, int]) -> None:
    """Raises InputError, which names the number, unless each is a whole one from the second to the
    third.
    """
    for what, (value, least, most) in given.items():
        if type(value) is not int or not least <= value <= most:
            raise InputError(
                f"Batch: {what} = {value!r} is not valid; it is a whole number from {least} to "
                f"{most}"
            )


def _copied(value: Any) -> Any:
    """A copy of an array, of a list, or of a named tuple of arrays; anything else as it is."""
    if isinstance(value, np.ndarray | list):
        return value.copy()
    return type(value)(*map(_copied, value)) if hasattr(value, "_fields") else value
