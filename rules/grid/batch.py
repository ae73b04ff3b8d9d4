"""Many games of Thruway or Meridians at once, over arrays, for learning and for large experiments: `Batch`."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rules.errors import IllegalMoveError, InputError
from rules.game import Game
from rules.grid.base import GridGame, GridMove, GridPosition
from rules.grid.kernels import compiling
from rules.grid.kernels import meridians as meridians_kernel
from rules.grid.kernels import thruway as thruway_kernel
from rules.grid.kernels.chance import stream
from rules.grid.kernels.lanes import Lanes, illegal, lanes, sample
from rules.grid.kernels.meridians import batch as meridians_batch
from rules.grid.kernels.thruway import batch as thruway_batch
from rules.grid.meridians import Meridians, MeridiansPosition
from rules.grid.thruway import ThruwayGame, ThruwayPosition
from rules.turns import TurnManager

__all__ = ["Batch"]

_KEPT = 512
"""Positions since the last paving that a batch of Thruway keeps for the rule on repetition."""


class Batch:
    """`n` games of one kind that go on side by side; a game that is over begins anew within the same step.

        batch = Batch(rules.game("meridians", size=7), n=1024, seed=0)
        while training:
            actions = choose(batch.observe(), batch.masks())
            batch.step(actions)
            learn(batch.rewards, batch.ended)

    `game` is Thruway or Meridians with any options. `seed` (0 <= seed < 2**64) decides what `sample` draws, and nothing else is
    left to chance: the same seed and actions give the same arrays. A game that has not ended after `cap` actions is stopped
    (0: never). Raises InputError for another game, and for numbers out of these ranges.

    Action ids. Thruway of size n: the 2n(n-1) pairs of cells that share a side, as `rules.grid.boards.SquareBoard` numbers
    them (a pair is paved, or swapped if both cells are paved), then trade, then pass. Meridians with N points: the points as
    `rules.grid.boards.HexBoard` numbers them, then pass, keep, swap. The first move of Meridians' pie option takes two actions
    of the same seat: light's point, then dark's. Resigning is no action.

    After each step, and at the start:

        to_move    int8[n]        the seat whose action is due
        side       int8[n]        its colour, 0 the first
        plies      int32[n]       actions since the game began
        rewards    float32[n, 2]  of the last step, by seat: 1 and -1 if it ended a game with a winner, otherwise 0
        ended      bool[n]        whether the last step ended the game by the rules
        truncated  bool[n]        whether it reached the cap instead
        masks()    bool[n, actions]
        observe()  uint8[n, *shape]

    These are the batch's own arrays, and the next step writes into them: copy what you keep, and write into none.

    An observation is made of planes of zeros and ones, seen by the side to move. Thruway, shape (7, size, size), rows from the
    north: 0 own tiles, 1 the other's, 2 cells of disputes, 3 indestructible tiles, 4 ones if asphalt is to move, 5 ones if this
    turn may trade, 6 ones (which tell a net where the board ends). Meridians, shape (6, 2 size - 1, 2 size - 2), rows from the
    top, cut out of a slanted grid in which a point's neighbours are those in its row and column and on one diagonal: 0 own
    stones, 1 the other's, 2 the points of the board, 3 ones if dark is to move, 4 ones in the first four plies, 5 ones while
    the pie option's choices are due (its first stone lies on plane 0 before its second is chosen). `cells` has the index in a
    flat plane of each cell or point. With Thruway's options `repetition` and `reserve` earlier positions, passes and the tiles
    left are not shown. For repetition the last 512 positions since a paving count.
    """

    def __init__(self, game: Game[Any], n: int, seed: int = 0, cap: int = 0) -> None:
        for what, value, least, most in (("n", n, 1, 2**24), ("seed", seed, 0, 2**64 - 1), ("cap", cap, 0, 2**31 - 1)):
            if type(value) is not int or not least <= value <= most:
                raise InputError(f"Batch: {what} = {value!r} is not valid; it is a whole number from {least} to {most}")
        self.n = n
        self._kind = _kind_of(game)
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

    def sample(self) -> npt.NDArray[np.int64]:
        """int64[n], a new array: a legal action for each game, all with the same chance."""
        out = np.zeros(self.n, np.int64)
        sample(self._games.masks, self._chance, out)
        return out

    def step(self, actions: npt.ArrayLike) -> None:
        """One action in each game: whole numbers, shape (n,).

        Raises InputError for another shape or kind of numbers, and IllegalMoveError, which names the first game with an illegal
        action; then no game has moved.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise InputError(f"step: {self.n} whole numbers are needed, not {chosen.dtype} of shape {chosen.shape}")
        chosen = np.ascontiguousarray(chosen, np.int64)
        wrong = illegal(self._games.masks, chosen)
        if wrong >= 0:
            raise self._refused(int(wrong), int(chosen[wrong]))
        self._kind.step(self._games, chosen)

    def state(self, i: int) -> GridPosition:
        """Game i as a plain position. Between the two stones of the pie option it is the position before them."""
        return self._kind.state(self._games, i)

    def place(self, i: int, state: GridPosition) -> None:
        """Game i goes on from a plain position of the same game. A position at its end can be observed, not played on.

        Rewards stay as they are. Raises InputError for a position of another game.
        """
        if state.game != self.game:
            raise InputError(f"place: a position of {state.game!r} cannot go into a batch of {self.game!r}")
        self._kind.place(self._games, i, state)
        self._games.waiting[i] = -1
        self._kind.fill(self._games)

    def is_halfway(self, i: int) -> bool:
        """Whether the first stone of the pie option's pair is chosen in game i, and the second is due."""
        return bool(self._games.waiting[i] >= 0)

    def actions_of(self, i: int, move: GridMove) -> tuple[int, ...]:
        """The actions that a move is in game i: one, or two for the pie option's pair.

        Raises IllegalMoveError for a text that means nothing there, and for `resign`, which is no action.
        """
        action = self.state(i).action_of(move)
        if action < self.actions:
            return (action,)
        return divmod(action - self.actions, len(self.cells))

    def text(self, i: int, action: int) -> str:
        """The legal or illegal action as text in game i, like `e5-f5`; a stone of the pie option's pair is its point alone."""
        if not 0 <= action < self.actions:
            raise InputError(f"{action} is no action of {self.game.name}; ids are 0 to {self.actions - 1}")
        return self.state(i).move_of(action).text

    def copy(self) -> Batch:
        """An independent copy: equal games, and a random generator in the same state."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._chance = self._chance.copy()
        made._games = _copied(self._games)
        made._seen = self._seen.copy()
        return made

    def __deepcopy__(self, memo: object) -> Batch:
        return self.copy()

    def put(self, here: npt.ArrayLike, other: Batch, there: npt.ArrayLike) -> None:
        """Game `here[k]` becomes equal to game `there[k]` of another batch of the same game, or of this one.

        Raises InputError if the games differ, or the two lists do.
        """
        mine, theirs = np.atleast_1d(np.asarray(here)), np.atleast_1d(np.asarray(there))
        if other.game != self.game or mine.shape != theirs.shape:
            raise InputError(f"put: {other.game!r} into {self.game!r}, {theirs.shape} rows into {mine.shape}")
        given = other._games._asdict()
        for name, ours in self._games._asdict().items():
            if name != "cap":
                ours[mine] = given[name][theirs]

    def _refused(self, i: int, action: int) -> IllegalMoveError:
        state = self.state(i)
        known = 0 <= action < self.actions
        text = self.text(i, action) if known else str(action)
        why = "the action is not legal here" if known else f"ids of actions are 0 to {self.actions - 1}"
        return IllegalMoveError(text, state.board_text(), f"game {i} of the batch, action {action}: {why}")


class _Kind(Protocol):
    """What `Batch` asks of each kind of game."""

    game: GridGame
    shape: tuple[int, int, int]
    cells: npt.NDArray[np.int64]
    actions: int

    def blank(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]: ...
    def paint(self, seen: npt.NDArray[np.uint8]) -> None: ...
    def fill(self, games: Lanes) -> None: ...
    def step(self, games: Lanes, actions: npt.NDArray[np.int64]) -> None: ...
    def observe(self, games: Lanes, out: npt.NDArray[np.uint8]) -> None: ...
    def state(self, games: Lanes, i: int) -> GridPosition: ...
    def place(self, games: Lanes, i: int, state: GridPosition) -> None: ...


class _Meridians:
    """Meridians for `Batch`."""

    def __init__(self, game: Meridians) -> None:
        self.game: GridGame = game
        self._game, self._tables = game, game.tables
        self._rows = meridians_batch.rows_of(game.size)
        self._work, self._words = meridians_batch.scratch(self._tables, self._rows)
        width = 2 * game.size - 2
        self.shape = (meridians_batch.PLANES, len(self._rows), width)
        self.cells = np.concatenate([y * width + left + np.arange(count) for y, (_, count, left) in enumerate(self._rows)])
        self.actions = self._tables.points + meridians_batch.ACTIONS

    def blank(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        board, info, _ = meridians_kernel.blank(self._tables, self._game.pie)
        return board, info

    def paint(self, seen: npt.NDArray[np.uint8]) -> None:
        """The plane that never changes."""
        seen.reshape(len(seen), self.shape[0], -1)[:, 2, self.cells] = 1

    def fill(self, games: Lanes) -> None:
        meridians_batch.fill(self._tables, self._rows, games, self._words)

    def step(self, games: Lanes, actions: npt.NDArray[np.int64]) -> None:
        meridians_batch.step(self._tables, self._rows, games, self._work, self._words, actions)

    def observe(self, games: Lanes, out: npt.NDArray[np.uint8]) -> None:
        meridians_batch.observe(self._rows, games, out)

    def state(self, games: Lanes, i: int) -> GridPosition:
        info = games.infos[i].copy()
        plies = int(games.plies[i])
        if self._game.pie and plies > 0:
            plies -= 1  # the first ply takes two actions
        turns = _turns(games, i, bool(info[meridians_kernel.SWAPPED]), plies)
        return MeridiansPosition(self._game, turns, games.boards[i].copy(), info)

    def place(self, games: Lanes, i: int, state: GridPosition) -> None:
        assert isinstance(state, MeridiansPosition)
        games.boards[i], games.infos[i] = state.cells, state.info
        games.plies[i] = state.turns.ply + (self._game.pie and state.turns.ply > 0)


class _Thruway:
    """Thruway for `Batch`."""

    def __init__(self, game: ThruwayGame) -> None:
        self.game: GridGame = game
        self._game, self._tables = game, game.tables
        self._work = thruway_kernel.scratch(self._tables)
        self.shape = (thruway_batch.PLANES + 1, game.size, game.size)
        self.cells = np.arange(game.size**2)
        self.actions = len(self._tables.edges) + thruway_batch.ACTIONS

    def blank(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        board, info, _ = thruway_kernel.blank(self._tables, _KEPT if self._game.repetition is not None else 0)
        return board, info

    def paint(self, seen: npt.NDArray[np.uint8]) -> None:
        """The plane that never changes."""
        seen[:, thruway_batch.PLANES] = 1

    def fill(self, games: Lanes) -> None:
        thruway_batch.fill(self._tables, games)

    def step(self, games: Lanes, actions: npt.NDArray[np.int64]) -> None:
        thruway_batch.step(self._tables, games, self._work, actions)

    def observe(self, games: Lanes, out: npt.NDArray[np.uint8]) -> None:
        thruway_batch.observe(self._tables, games, out)

    def state(self, games: Lanes, i: int) -> GridPosition:
        board, info = games.boards[i].copy(), games.infos[i].copy()
        board.setflags(write=False)
        info.setflags(write=False)
        turns = _turns(games, i, bool(info[thruway_kernel.SWAPPED]), int(games.plies[i]))
        return ThruwayPosition(self._game, turns, board, info)

    def place(self, games: Lanes, i: int, state: GridPosition) -> None:
        assert isinstance(state, ThruwayPosition)
        kept = min(len(state.info), games.infos.shape[1])  # the rest is unused room for earlier positions
        games.boards[i], games.infos[i] = state.board, 0
        games.infos[i, :kept] = state.info[:kept]
        games.plies[i] = state.turns.ply


def _kind_of(game: object) -> _Kind:
    if isinstance(game, Meridians):
        return _Meridians(game)
    if isinstance(game, ThruwayGame):
        return _Thruway(game)
    raise InputError(f"Batch: {game!r} cannot be played in batches; only Thruway and Meridians can")


def _turns(games: Lanes, i: int, swapped: bool, plies: int) -> TurnManager:
    return TurnManager(2, to_move=int(games.seats[i]), ply=plies, sides=(1, 0) if swapped else (0, 1))


def _copied(games: Lanes) -> Lanes:
    return games._replace(**{name: array.copy() for name, array in games._asdict().items() if name != "cap"})
