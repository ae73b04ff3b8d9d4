"""Solves Meridians on the board of size 3: for every reachable position the winner, and how many
plies perfect play takes.

Each position is searched to its end once and kept in a table by its number: the board in base 3,
own stones 1 and the other side's 2, so that positions with exchanged colours count as one. (The
number of the turn matters only in the opening, which has fewer than four stones.) The game has no
cycle on this board; meeting one would be an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from rules.grid.base import GridMove
from rules.grid.boards import HexBoard
from rules.grid.kernels import compiling
from rules.grid.kernels import meridians as kernel
from rules.grid.kernels.jit import njit_entry, njit_inline
from rules.grid.kernels.primitives import copy
from rules.grid.meridians import MeridiansPosition

SIZE = 3
"""The size of the board that is solved: 14 points."""

_DEPTH = 64  # plies; more than the longest game
_OPEN = 127  # the value of a position that is being searched
_WON = 100  # above every number of plies

Table = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """What the search found.

    `values` int8[3**14] by the number of a position: n when the side to move wins within n plies
    against the best defence, -n when it loses after n plies at most, 0 for an unreachable position.
    `states` is how many reachable positions lie after the opening and before the end; `longest` is
    how many plies the longest game has.
    """

    values: Table
    states: int
    longest: int


class Solver:
    """A perfect player on size 3: it wins as fast as it can and loses as slowly as it can."""

    name = "meridians-solver"

    def value(self, state: MeridiansPosition) -> int:
        """How it ends with perfect play: n if the seat to move wins within n plies, -n if it loses
        after n at most.

        Raises InputError for another board, and for a game that is over.
        """
        return max(self.moves(state).values(), key=_merit)

    def moves(self, state: MeridiansPosition) -> dict[GridMove, int]:
        """Every legal move with what it is worth, as in `value`, to the seat that makes it."""
        if state.game.size != SIZE:
            raise InputError(f"only size {SIZE} is solved, not size {state.game.size}")
        if state.outcome() is not None:
            raise InputError("the game is over, so there is nothing to solve")
        return {move: self._worth(state, move) for move in state.legal_moves()}

    def best(self, state: MeridiansPosition) -> GridMove:
        """The best move; among equals the first in alphabetical order."""
        return max(self.moves(state).items(), key=lambda item: _merit(item[1]))[0]

    def choose(self, state: MeridiansPosition, rng: np.random.Generator) -> GridMove:
        """One of the best moves, chosen at random among equals."""
        moves = self.moves(state)
        top = max(moves.values(), key=_merit)
        best = [move for move, value in moves.items() if value == top]
        return best[int(rng.integers(len(best)))]

    def _worth(self, state: MeridiansPosition, move: GridMove) -> int:
        following = state.after(move)
        outcome = following.outcome()
        if outcome is not None:
            return 1 if outcome.winners == (state.to_move,) else -1
        if state.game.pie and following.info[kernel.PLIES] == 1:
            value = self.value(following)
        else:
            value = int(solution().values[_number(following.cells, following.info)])
        worth = value if following.to_move == state.to_move else -value
        return worth + (1 if worth > 0 else -1)


@cache
def solution() -> Solution:
    """The solved game: searched at the first call, in about a second, and kept for the life of the
    process.
    """
    tables = kernel.tables(HexBoard.of(SIZE))
    board, info, work = kernel.blank(tables)
    boards = np.zeros((_DEPTH, *board.shape), np.uint16)
    infos = np.zeros((_DEPTH, info.size), np.int64)
    actions = np.zeros((_DEPTH, kernel.most_legal(tables)), np.int64)
    frames = np.zeros((_DEPTH, 4), np.int64)
    boards[0], infos[0] = board, info
    values = np.zeros(3**tables.points, np.int8)
    lengths = np.zeros_like(values)
    with compiling("the solver of Meridians"):
        states = _search(tables, boards, infos, work, actions, frames, values, lengths)
    values.setflags(write=False)
    return Solution(values, states, int(lengths[_number(board, info)]))


def _merit(value: int) -> int:
    """A sort key, rising: a quick loss, a slow loss, a slow win, a quick win."""
    return _WON - value if value > 0 else -_WON - value


@njit_entry
def _number(board: kernel.Cells, info: kernel.Words) -> int:
    number = 0
    for p in range(board.shape[1] - 1):
        cell = board[kernel.CELLS, p]
        number = 3 * number + (3 - cell if cell and info[kernel.SIDE] else cell)
    return number


@njit_inline
def _better(one: int, other: int) -> bool:
    """Whether `one` is worth more than `other` to the side to move; 0 is worth nothing yet."""
    if one > 0:
        return other <= 0 or one < other
    return other == 0 or (other < 0 and one < other)


@njit_entry
def _search(
    tables: kernel.Tables,
    boards: kernel.Cells,
    infos: kernel.Words,
    work: kernel.Words,
    actions: kernel.Words,
    frames: kernel.Words,
    values: Table,
    lengths: Table,
) -> int:
    """Searches depth first from the position in row 0; returns how many positions past the opening
    it found.

    `frames`: actions left, number, best value so far and longest game so far of each row.
    """
    level, states = 0, 0
    _enter(tables, boards, infos, actions, frames, values, level)
    while level >= 0:
        frame = frames[level]
        if frame[0] == 0:
            states += infos[level, kernel.PLIES] == kernel.OPENING
            values[frame[1]] = frame[2]
            lengths[frame[1]] = frame[3]
            level -= 1
            continue
        board, info = boards[level + 1], infos[level + 1]
        copy(boards[level], board)
        copy(infos[level], info)
        won = kernel.play(tables, board, info, work, actions[level, frame[0] - 1])
        if won:
            value, length = (1 if won == infos[level, kernel.SIDE] + 1 else -1), 1
        else:
            number = _number(board, info)
            if values[number] == 0:
                level += 1
                _enter(tables, boards, infos, actions, frames, values, level)
                continue
            if values[number] == _OPEN:
                raise AssertionError("a position came back: the game would have a cycle")
            value = -values[number]
            value += 1 if value > 0 else -1
            length = lengths[number] + 1
        frame[0] -= 1
        if _better(value, frame[2]):
            frame[2] = value
        frame[3] = max(frame[3], length)
    return states


@njit_inline
def _enter(
    tables: kernel.Tables,
    boards: kernel.Cells,
    infos: kernel.Words,
    actions: kernel.Words,
    frames: kernel.Words,
    values: Table,
    level: int,
) -> None:
    frames[level, 0] = kernel.legal(tables, boards[level], infos[level], actions[level])
    frames[level, 1] = _number(boards[level], infos[level])
    frames[level, 2] = 0
    frames[level, 3] = 0
    values[frames[level, 1]] = _OPEN
