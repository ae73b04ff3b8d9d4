"""The search from Python: positions in, moves with their values out."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from rules.grid.kernels.chance import stream
from rules.grid.search.clock import Timer
from rules.grid.search.mcts.rerooting import go_to
from rules.grid.search.mcts.simulation import simulate
from rules.grid.search.mcts.tree import DRAWN, MOST_PLIES, OPEN, Scratch, Settings, Tree, empty_tree

__all__ = ["Mcts", "RootMove"]

_NODES = 1 << 22  # about 50 bytes each; the system provides the memory as nodes are used


@dataclass(frozen=True, slots=True)
class RootMove:
    """A move as a search sees it: its value for whoever makes it (0 lost, 1 won), how often it was tried, and whether it is
    `proven`: then the value is exact.
    """

    action: int
    value: float
    visits: int
    proven: bool


class Mcts:
    """A search of one position after another. It keeps the part of the tree below the next position.

    `tables`, `board`, `info` and `work` are a game's arrays (any position: they are copied for their shapes), `actions` the
    number of different actions there are, `nodes` the most that the tree may hold.
    """

    def __init__(
        self,
        tables: Any,
        board: Any,
        info: Any,
        work: Any,
        actions: int,
        settings: Settings | None = None,
        nodes: int = _NODES,
    ) -> None:
        self.settings = settings or Settings()
        self._tables = tables
        self._tree = empty_tree(nodes)
        self._moved = np.zeros(nodes, np.int32)
        self._scratch = Scratch(
            board.copy(),
            info.copy(),
            deepcopy(work),
            np.zeros(actions, np.int64),
            np.zeros(actions),
            np.zeros(MOST_PLIES, np.int64),
            np.zeros(MOST_PLIES, np.int64),
            np.zeros((2, actions), np.int64),
        )
        self._root: tuple[Any, Any] | None = None

    def forget(self) -> None:
        """The next search begins with an empty tree."""
        self._root = None

    def search(self, board: Any, info: Any, simulations: int | Timer, rng: np.random.Generator) -> int:
        """Simulates that many games, or for that long, from a position that goes on; returns how many.

        Stops early once everything is proven.

        The arrays must be of the shapes that this search was made with.
        """
        assert (board.shape, info.shape) == (self._scratch.board.shape, self._scratch.info.shape)
        self._go_to(board, info)
        chance = stream(int(rng.integers(2**63)))
        settings, done = self.settings, 0
        while True:
            chunk = simulations.chunk(done) if isinstance(simulations, Timer) else simulations - done
            if chunk <= 0:
                return done
            made = simulate(self._tables, self._tree, self._scratch, board, info, settings, chance, chunk)
            done += made
            if made < chunk:
                return done

    def moves(self) -> list[RootMove]:
        """The moves of the position searched last, best first."""
        found = [_root_move(self._tree, child) for child in _children(self._tree, 0)]
        return sorted(found, key=lambda one: (-_settled(one), -one.visits, -one.value, one.action))

    def value(self) -> float:
        """The value of the position searched last for the side to move: 0 lost, 1 won."""
        moves = self.moves()
        if moves and moves[0].proven:
            return moves[0].value
        visits = sum(move.visits for move in moves)
        return sum(move.visits * move.value for move in moves) / visits if visits else 0.5

    def _go_to(self, board: Any, info: Any) -> None:
        """Makes the position the root: keeps its subtree if it is at most two plies below the root, else empties the tree."""
        before = self._root or (board, info)
        is_planted = self._root is not None
        go_to(self._tables, self._tree, self._scratch, self._moved, self.settings, is_planted, *before, board, info)
        self._root = (board.copy(), info.copy())


def _children(tree: Tree, node: int) -> list[int]:
    first, more = int(tree.first[node]), int(tree.more[node])
    rest = range(more, more + int(tree.rest[node])) if more > 0 else range(0)
    return [*range(first, first + int(tree.children[node])), *rest]


def _settled(move: RootMove) -> int:
    return 0 if not move.proven or move.value == 0.5 else 1 if move.value == 1.0 else -1


def _root_move(tree: Tree, node: int) -> RootMove:
    visits, proven = int(tree.visits[node]), int(tree.proven[node])
    if proven:
        value = 0.5 if proven == DRAWN else float(proven == tree.mover[node] + 1)
    else:
        value = float(tree.wins[node]) / visits if visits else 0.5
    return RootMove(int(tree.action[node]), value, visits, proven != OPEN)
