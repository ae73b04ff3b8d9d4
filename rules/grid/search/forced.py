"""Wins that nobody can prevent, proved by trying every move: what `sim.problems` judges answers by.

Alpha-beta gives up lines that look bad, and so may miss a win. Here nothing is given up: after a
move of the winner every reply is tried, until one escapes. The reply that escaped last is tried
first at the next position, which saves most of the work.
"""

from copy import deepcopy
from typing import Any

import numpy as np

from rules.game import Game
from rules.grid.kernels.dispatch import copy, legal, play, side
from rules.grid.kernels.jit import njit_entry, njit_linked
from rules.grid.search.adapters import adapter_for, searched

_MOST = 8  # plies


class Forced:
    """Proves forced wins of a game whose moves can be listed. Plies are counted with the first
    move: a win in two moves takes three.
    """

    def __init__(self, game: Game[Any]) -> None:
        self._adapter = adapter_for(game) if game.name in searched() else None
        if self._adapter is None:
            return
        known, rows = self._adapter, _MOST + 1
        self._boards, self._infos = np.stack([known.board] * rows), np.stack([known.info] * rows)
        self._work = deepcopy(known.work)
        self._actions = np.zeros((rows, known.actions), np.int64)
        self._tried_first = np.full(rows, -1, np.int64)

    def wins(self, state: Any, plies: int) -> list[Any]:
        """Every move with which the side to move wins within so many plies, whatever the other side
        does.
        """
        return [
            move
            for move in state.legal_moves()
            if plies > 0 and self.holds(state.after(move), plies - 1, state.to_move)
        ]

    def holds(self, state: Any, plies: int, seat: int) -> bool:
        """Whether a seat has won, or wins within so many plies whatever the other side does."""
        outcome = state.outcome()
        if outcome is not None or plies <= 0:
            return outcome is not None and outcome.winners == (seat,)
        if self._adapter is None:
            return self._holds_plainly(state, min(plies, _MOST), seat)
        self._boards[0], self._infos[0] = self._adapter.arrays(state)
        side_of = state.side if seat == state.to_move else 1 - state.side
        arrays = self._boards, self._infos, self._work, self._actions, self._tried_first
        return bool(_forced(self._adapter.tables, *arrays, min(plies, _MOST), side_of))

    def _holds_plainly(self, state: Any, plies: int, seat: int) -> bool:
        """`holds` for a game without kernels, state by state."""
        after = (self.holds(state.after(move), plies - 1, seat) for move in state.legal_moves())
        return any(after) if state.to_move == seat else all(after)

    def escape(self, state: Any, plies: int, seat: int) -> Any:
        """A move of the side to move after which that seat does not win within the plies left; None
        if there is none.
        """
        return next(
            (
                move
                for move in state.legal_moves()
                if not self.holds(state.after(move), plies - 1, seat)
            ),
            None,
        )

    def line(self, state: Any, plies: int) -> list[Any]:
        """A line of a win within so many plies: the winner's first winning move, and replies that
        hold out for longest.
        """
        seat, moves = state.to_move, list[Any]()
        while state.outcome() is None:
            if state.to_move == seat:
                while plies > 1 and self.wins(state, plies - 2):
                    plies -= 2
                move = self.wins(state, plies)[0]
            else:
                move = max(
                    state.legal_moves(),
                    key=lambda one: not self.holds(state.after(one), plies - 3, seat),
                )
            moves.append(move)
            state, plies = state.after(move), plies - 1
        return moves


@njit_linked
def _wins(
    tables: Any, boards: Any, infos: Any, work: Any, actions: Any,
    tried_first: Any, level: int, plies: int, winner: int,
) -> bool:  # fmt: skip
    """Whether a side wins the position at a level within so many plies."""
    count = legal(tables, boards[level], infos[level], actions[level])
    attacks = side(tables, infos[level]) == winner
    for i in range(count):  # brings what decided a position at this level last to the front
        if actions[level, i] == tried_first[level]:
            actions[level, i] = actions[level, 0]
            actions[level, 0] = tried_first[level]
    for i in range(count):
        copy(boards[level], boards[level + 1])
        copy(infos[level], infos[level + 1])
        action = actions[level, i]
        result = play(tables, boards[level + 1], infos[level + 1], work, action)
        won = result == winner + 1
        if result == 0 and plies > 1:
            won = _wins(
                tables, boards, infos, work, actions, tried_first, level + 1, plies - 1, winner
            )
        if won == attacks:
            tried_first[level] = action
            return attacks
    return not attacks


@njit_entry
def _forced(
    tables: Any, boards: Any, infos: Any, work: Any, actions: Any,
    tried_first: Any, plies: int, winner: int,
) -> bool:  # fmt: skip
    """See `Forced.holds`; the position is in the first row of the arrays."""
    return bool(_wins(tables, boards, infos, work, actions, tried_first, 0, plies, winner))
