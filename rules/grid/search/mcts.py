"""Monte-Carlo tree search for the grid games, in compiled code, written once over
`rules.grid.kernels.dispatch`.

UCT (Kocsis and Szepesvari 2006) with what `Settings` switches on: RAVE (Gelly and Silver 2011),
first-play urgency, a game's own guess at each move (Silver et al. 2017), rollouts cut short by the
game's evaluation; and proven results (Winands et al. 2008), which end the search of a position as
soon as they settle it.

Nothing here knows a game, and the players handle pie rules.
"""

import math
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from rules.grid.kernels.dispatch import (
    SIDE,
    copy,
    evaluate,
    key,
    pick,
    play,
    side,
    start_rollout,
    stream,
)
from rules.grid.kernels.jit import njit_entry, njit_inline, njit_linked, u64
from rules.grid.search.adapters import Timer
from rules.grid.search.tree import (
    DRAWN,
    MOST_PLIES,
    NOBODY,
    OPEN,
    Scratch,
    Settings,
    Tree,
    advance,
    complete,
    empty_tree,
    expand,
    find,
    first_child,
    next_child,
    plant,
    prepare,
)

_CAP = 1000  # plies of a rollout; one that is longer counts as drawn


@njit_inline
def _value(result: int) -> float:
    """What a result is worth to side 0."""
    return 0.5 if result == DRAWN else 1.0 if result == 1 else 0.0


@njit_entry
def simulate(
    tables: Any,
    tree: Tree,
    scratch: Scratch,
    board: Any,
    info: Any,
    settings: Settings,
    chance: Any,
    simulations: int,
) -> int:
    """Makes simulations from the root, whose position is `board`; returns how many were made until
    the root was proven.
    """
    path, work = scratch.path, scratch.work
    for done in range(simulations):
        if tree.proven[0] != OPEN:
            return done
        copy(board, scratch.board)
        copy(info, scratch.info)
        depth, node, ply = 0, 0, 0
        start = tree.used[1] + 1
        path[0] = 0
        scratch.keys[0] = key(tables, info)
        while tree.proven[node] == OPEN and depth < MOST_PLIES - 1:
            if tree.children[node] == 0:
                if not expand(tables, tree, scratch, settings, node, chance):
                    break
            elif tree.rest[node] > 0 and tree.more[node] == 0:
                complete(tables, tree, scratch, settings, node, chance)
            node = _select(tree, settings, node)
            action = int(tree.action[node])
            scratch.made[tree.mover[node], action] = start + ply
            result = play(tables, scratch.board, scratch.info, work, action)
            depth += 1
            ply += 1
            path[depth] = node
            if result != 0:
                tree.proven[node] = result
            elif settings.draw_on_repetition and _is_repeated(tables, scratch, depth):
                tree.proven[node] = DRAWN
        value = 0.5
        if tree.proven[node] != OPEN:
            value = _value(tree.proven[node])
            _prove(tree, path, depth)
        else:
            start_rollout(tables, scratch.board, scratch.info, work)
            for n in range(_CAP):
                if n == settings.horizon:
                    value = evaluate(tables, scratch.board, scratch.info, work)
                    break
                action = pick(tables, scratch.board, scratch.info, work, chance)
                scratch.made[side(tables, scratch.info), action] = start + ply
                ply += 1
                result = play(tables, scratch.board, scratch.info, work, action)
                if result != 0:
                    value = _value(result)
                    break
        tree.used[1] = start + ply
        _back_up(tree, scratch, settings, depth, value, start)
    return simulations


@njit_linked
def _is_repeated(tables: Any, scratch: Scratch, depth: int) -> bool:
    """Adds the position at that depth to the keys of the path; returns whether it was on the path
    before.
    """
    here = key(tables, scratch.info)
    scratch.keys[depth] = here
    for before in range(depth):  # noqa: SIM110 - compiled code has no generators
        if scratch.keys[before] == here:
            return True
    return False


@njit_linked
def _select(tree: Tree, settings: Settings, node: int) -> int:
    """The child to try; a proven loss only if all children are. With `puct` the children tried lie
    in front, and the first of the others has the best guess.
    """
    first = tree.first[node]
    best, best_score = int(first), -1e9
    guessed, start = settings.puct > 0.0, settings.urgency
    if guessed:
        # Wins count for the side that moved into the node. Its opponent moves here, unless a pass
        # lies in between.
        reached = tree.wins[node] / max(tree.visits[node], 1)
        start = reached if tree.mover[first] == tree.mover[node] else 1.0 - reached
        start -= settings.reduction
    spread = settings.puct * math.sqrt(tree.visits[node])
    log_visits = math.log(tree.visits[node] + 1.0)
    child = first_child(tree, node)
    while child != NOBODY:
        visits = float(tree.visits[u64(child)])
        proven, mover = tree.proven[u64(child)], tree.mover[u64(child)]
        if proven == mover + 1:
            return child
        if proven != 2 - mover:
            score = tree.wins[u64(child)] / visits if visits > 0.0 else start
            if proven == DRAWN:
                score = 0.5
            elif settings.rave > 0.0 and tree.rave_visits[u64(child)] > 0.0:
                share = math.sqrt(settings.rave / (3.0 * visits + settings.rave))
                score += share * (tree.rave_wins[u64(child)] / tree.rave_visits[u64(child)] - score)
            if guessed:
                score += spread * tree.guess[u64(child)] / (1.0 + visits)
            else:
                score += settings.exploration * math.sqrt(log_visits / max(visits, 1.0))
            if score > best_score:
                best, best_score = child, score
            if guessed and visits == 0.0:
                return best
        child = next_child(tree, node, child)
    return best


@njit_linked
def _prove(tree: Tree, path: Any, depth: int) -> None:
    """Carries the result of a proven leaf up the path, as long as it proves the parent, too."""
    for i in range(depth - 1, -1, -1):
        node, child = path[i], path[i + 1]
        won, lost = tree.mover[child] + 1, 2 - tree.mover[child]
        if tree.proven[child] == won:
            tree.proven[node] = won
            continue
        if tree.rest[node] > 0 and tree.more[node] == 0:
            return
        outcome, other = lost, first_child(tree, node)
        while other != NOBODY:
            if tree.proven[other] == OPEN:
                return
            if tree.proven[other] == DRAWN:
                outcome = DRAWN
            other = next_child(tree, node, other)
        tree.proven[node] = outcome


@njit_linked
def _back_up(
    tree: Tree, scratch: Scratch, settings: Settings, depth: int, value: float, start: int
) -> None:
    """Counts a simulation whose value for side 0 is `value`, and whose ply k was stamped
    start + k.
    """
    for i in range(depth + 1):
        node = scratch.path[i]
        tree.visits[node] += 1
        tree.wins[node] += value if tree.mover[node] == 0 else 1.0 - value
        if settings.rave > 0.0 and tree.children[node] > 0:
            first = tree.first[node]
            mover = tree.mover[first]
            gain = value if mover == 0 else 1.0 - value
            for child in range(first, first + tree.children[node]):
                if scratch.made[mover, tree.action[child]] >= start + i:
                    tree.rave_visits[child] += 1.0
                    tree.rave_wins[child] += gain


# --- from Python: positions in, moves with their values out ---------------------------------------

_NODES = 1 << 22  # about 50 bytes each; the system provides the memory as nodes are used


@dataclass(frozen=True, slots=True)
class RootMove:
    """A move as a search sees it: its value for whoever makes it (0 lost, 1 won), how often it was
    tried, and whether it is `proven`: then the value is exact.
    """

    action: int
    value: float
    visits: int
    proven: bool


class Mcts:
    """A search of one position after another. It keeps the part of the tree below the next
    position.

    `tables`, `board`, `info` and `work` are a game's arrays (any position: they are copied for
    their shapes), `actions` the number of different actions there are, `nodes` the most that the
    tree may hold.
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

    def search(
        self, board: Any, info: Any, simulations: int | Timer, rng: np.random.Generator
    ) -> int:
        """Simulates that many games, or for that long, from a position that goes on; returns how
        many.

        Stops early once everything is proven.

        The arrays must be of the shapes that this search was made with.
        """
        assert (board.shape, info.shape) == (self._scratch.board.shape, self._scratch.info.shape)
        self._go_to(board, info)
        chance = stream(int(rng.integers(2**63)))
        settings, done = self.settings, 0
        while True:
            chunk = (
                simulations.chunk(done) if isinstance(simulations, Timer) else simulations - done
            )
            if chunk <= 0:
                return done
            made = simulate(
                self._tables, self._tree, self._scratch, board, info, settings, chance, chunk
            )
            done += made
            if made < chunk:
                return done

    def moves(self) -> list[RootMove]:
        """The moves of the position searched last, best first."""
        found = [_root_move(self._tree, child) for child in _children(self._tree, 0)]
        return sorted(found, key=lambda one: (-_settled(one), -one.visits, -one.value, one.action))

    def _go_to(self, board: Any, info: Any) -> None:
        """Makes the position the root: keeps its subtree if it is at most two plies below the root,
        else empties the tree.
        """
        tree, tables, node = self._tree, self._tables, NOBODY
        if self._root is not None:
            node = find(tables, tree, self._scratch, *self._root, board, info)
        if node > 0 and self.settings.draw_on_repetition and tree.proven[node] == DRAWN:
            # A draw by repetition on the path from another root says nothing here: such a node is
            # searched afresh.
            node = NOBODY
        if node == NOBODY:
            plant(tree, 1 - int(info[SIDE]))
        elif node > 0:
            advance(tree, node, self._moved)
        prepare(tables, board, info, self._scratch.work)
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
