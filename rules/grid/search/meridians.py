"""Meridians for the search: its kernels by their common names, and its adapter for the players.

Values decide both choices of the pie option: the first player draws pairs of stones at random and takes the one after which the
game is most even; the second player takes the better side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rules.grid.base import GridMove
from rules.grid.kernels import meridians as kernel
from rules.grid.kernels.dispatch import register
from rules.grid.kernels.jit import njit_inline, njit_linked
from rules.grid.meridians import Meridians, MeridiansPosition
from rules.grid.search import views
from rules.grid.search.adapters import Value, Worth, offer
from rules.grid.search.book import Book
from rules.grid.search.book import load as load_book
from rules.grid.search.solvers import meridians as solver

__all__ = ["MeridiansAdapter"]

_PAIRS = 40  # pairs of first stones that are valued, and how many of them are valued once more
_FINAL = 5


@njit_inline
def _side(tables: Any, info: Any) -> int:  # noqa: ARG001 - the common form
    return int(info[kernel.SIDE])


@njit_linked
def _same(tables: Any, board: Any, info: Any, other_board: Any, other_info: Any) -> bool:
    if info[kernel.KEY] != other_info[kernel.KEY] or info[kernel.PLIES] != other_info[kernel.PLIES]:
        return False
    for p in range(tables.points):  # noqa: SIM110 - compiled code has no generators
        if board[kernel.CELLS, p] != other_board[kernel.CELLS, p]:
            return False
    return True


@njit_inline
def _is_noisy(tables: Any, board: Any, info: Any, work: Any) -> bool:
    return kernel.endangered(tables, board, info, work) > 0


register(
    kernel.Tables,
    side=_side,
    legal=kernel.legal,
    play=kernel.play,
    pick=kernel.pick,
    same=_same,
    key=kernel.key,
    refresh=views.refresh,
    update=views.update,
    score=views.score,
    is_noisy=_is_noisy,
)


class MeridiansAdapter:
    """See `rules.grid.search.adapters.SearchAdapter`."""

    def __init__(self, game: Meridians) -> None:
        self.game = game
        self.tables = game.tables
        self.board, self.info, self.work = kernel.blank(game.tables)
        self.actions = game.tables.points + 1
        self.draw_on_repetition = False

    def arrays(self, state: MeridiansPosition) -> tuple[Any, Any]:
        """Board and info."""
        return state.cells, state.info

    def move(self, state: MeridiansPosition, action: int) -> GridMove:  # noqa: ARG002 - the common form
        """A point or a pass."""
        return GridMove(self.game.board.names[action] if action < self.tables.points else "pass")

    def pie(self, state: MeridiansPosition, value: Value, rng: np.random.Generator) -> GridMove | None:
        """Two stones, keep or swap."""
        if not self.game.pie or state.info[kernel.PLIES] >= 2:
            return None
        if state.info[kernel.PLIES] == 1:
            return GridMove("swap" if value(*self._after(state, kernel.KEEP), 1.0) > 0.5 else "keep")
        points = self.tables.points
        codes = rng.choice(points * points, min(points * points, 2 * _PAIRS), replace=False)
        codes = codes[codes // points != codes % points][:_PAIRS]
        for most in (_FINAL, 1):
            after = [self._after(state, kernel.PAIR + int(code), kernel.KEEP) for code in codes]
            uneven = [abs(value(*arrays, 0.5 / len(codes)) - 0.5) for arrays in after]
            codes = codes[np.argsort(uneven, kind="stable")[:most]]
        light, dark = divmod(int(codes[0]), points)
        return GridMove(f"{self.game.board.names[light]},{self.game.board.names[dark]}")

    def _after(self, state: MeridiansPosition, *actions: int) -> tuple[Any, Any]:
        """Board and info after actions of the pie option."""
        board, info = state.cells.copy(), state.info.copy()
        for action in actions:
            kernel.play(self.tables, board, info, self.work, self.tables.points + action)
        return board, info

    def book(self) -> Book | None:
        """The book of the first stones; none under the pie rule, whose first decision is a pair of stones."""
        known = None if self.game.pie else load_book("meridians", self.game.size)
        return None if known is None else Book(self.game, known)

    def settings(self) -> None:
        """Alpha-beta is stronger."""

    def evaluation(self) -> tuple[Any, Any]:
        """What points see, with fitted weights."""
        return views.load(), views.notes(self.tables)

    def solved(self) -> Worth | None:
        """The solver's results, on the smallest board."""
        return solver.Solver().moves if self.game.size == solver.SIZE else None


offer("meridians", MeridiansAdapter)
