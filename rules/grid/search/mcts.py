"""Monte-Carlo tree search for the grid games, in compiled code, written once over `rules.grid.kernels.dispatch`.

UCT (Kocsis and Szepesvari 2006) with what `Settings` switches on: RAVE (Gelly and Silver 2011), a game's own guess at each move
as virtual games in the RAVE counts or as a progressive bias (Chaslot et al. 2008), first-play urgency, rollouts cut short by
the game's evaluation, and proven results (Winands et al. 2008), which end the search of a position as soon as they settle it.

The tree is a set of arrays. The children of a node lie side by side behind it, so that a subtree can be moved to the front in
place (`_advance`) when moves have been made. Where guesses lead the search, a node has at first only the children with the best
ones, best first. It gets the rest when all of those have been tried, as happens to few nodes (the root has all). The tree
then holds ten times as many positions, and to choose a move only the children tried need to be looked at, and one more.

Nothing here knows a game, and the players handle pie rules.
"""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.chance import below, stream
from rules.grid.kernels.dispatch import begin, evaluate, key, legal, pick, play, priors, same, side, start_rollout
from rules.grid.kernels.jit import njit_entry, njit_linked, u64
from rules.grid.kernels.memory import copy
from rules.grid.search.clock import Timer

__all__ = ["Mcts", "Settings", "RootMove"]

_MOST_PLIES = 4096  # of one simulation
_OPEN, _DRAWN = 0, 3
_NOBODY = -1
_NODES = 1 << 22  # memory is taken as they are used, some 50 bytes each
_FEW = 16  # children at first, where guesses lead
_SPARING = 8  # how often what a node needs to get children doubles while the second half of the tree fills


class Settings(NamedTuple):
    """How the tree is searched; the defaults are plain UCT.

    `exploration` is UCT's constant. `rave` is a number of visits up to which a move's RAVE record counts much, 0 for none.
    `prior` is how many virtual games the game's guess is worth in the RAVE record; `bias` the weight of the guess as a
    progressive bias. `urgency` is the value of a move never tried; above 1 it is tried before any other. A node gets children
    once it has been visited `expand` times (1 or more), and more often from when the tree is half full. With `puct` above 0
    moves are chosen as AlphaZero does (Silver et al. 2017): that constant times the guesses, which must then sum to 1, takes
    the place of UCT's term, and a move never tried is valued `reduction` below the position. After `horizon` plies of a rollout
    the evaluation takes over, -1 for never; a rollout of `cap` plies counts as drawn. With `draw_on_repetition`
    a position that was there before on the way from the root counts as drawn, too. That is for games that can repeat positions
    without end: whoever stands better avoids it.
    """

    exploration: float = 0.7
    rave: float = 0.0
    prior: float = 0.0
    bias: float = 0.0
    puct: float = 0.0
    reduction: float = 0.0
    urgency: float = 10.0
    expand: int = 1
    horizon: int = -1
    cap: int = 1000
    draw_on_repetition: bool = False


@dataclass(frozen=True, slots=True)
class RootMove:
    """A move as a search sees it: its value for whoever makes it (0 lost, 1 won), how often it was tried, and whether it is
    `proven`: then the value is exact.
    """

    action: int
    value: float
    visits: int
    proven: bool


class _Tree(NamedTuple):
    """Nodes by number, the root 0. `mover` is the side that moved into a node; `wins` and `rave_wins` are counted for it.

    The children of a node are `children` from `first` on, and as many more as `rest` says from `more` on; with `more` 0 those
    are not there yet.

    `proven` is 0, or a result: 1 and 2 that side + 1 wins, 3 drawn. `used[0]` is the number of nodes, `used[1]` a counter of
    plies that only grows.
    """

    action: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]
    children: npt.NDArray[np.int32]
    more: npt.NDArray[np.int32]
    rest: npt.NDArray[np.int32]
    mover: npt.NDArray[np.int8]
    proven: npt.NDArray[np.int8]
    visits: npt.NDArray[np.int32]
    wins: npt.NDArray[np.float32]
    rave_visits: npt.NDArray[np.float32]
    rave_wins: npt.NDArray[np.float32]
    guess: npt.NDArray[np.float32]
    used: npt.NDArray[np.int64]


class _Scratch(NamedTuple):
    """A position to play on, what its kernels work in, actions with guesses, the path with the keys of its positions, and when
    a side last made a move.
    """

    board: Any
    info: Any
    work: Any
    actions: npt.NDArray[np.int64]
    guesses: npt.NDArray[np.float64]
    path: npt.NDArray[np.int64]
    keys: npt.NDArray[np.int64]
    made: npt.NDArray[np.int64]


class Mcts:
    """A search of one position after another. It keeps the part of the tree that the next position is the root of.

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
        self._tree = _tree(nodes)
        self._moved = np.zeros(nodes, np.int32)
        self._scratch = _Scratch(
            board.copy(),
            info.copy(),
            deepcopy(work),
            np.zeros(actions, np.int64),
            np.zeros(actions),
            np.zeros(_MOST_PLIES, np.int64),
            np.zeros(_MOST_PLIES, np.int64),
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
            made = _simulate(self._tables, self._tree, self._scratch, board, info, settings, chance, chunk)
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
        """Makes the position the root: the node that is it, up to two plies below the root, or an empty tree."""
        before = self._root or (board, info)
        is_planted = self._root is not None
        _go_to(self._tables, self._tree, self._scratch, self._moved, self.settings, is_planted, *before, board, info)
        self._root = (board.copy(), info.copy())


def _children(tree: _Tree, node: int) -> list[int]:
    first, more = int(tree.first[node]), int(tree.more[node])
    rest = range(more, more + int(tree.rest[node])) if more > 0 else range(0)
    return [*range(first, first + int(tree.children[node])), *rest]


def _settled(move: RootMove) -> int:
    return 0 if not move.proven or move.value == 0.5 else 1 if move.value == 1.0 else -1


def _root_move(tree: _Tree, node: int) -> RootMove:
    visits, proven = int(tree.visits[node]), int(tree.proven[node])
    if proven:
        value = 0.5 if proven == _DRAWN else float(proven == tree.mover[node] + 1)
    else:
        value = float(tree.wins[node]) / visits if visits else 0.5
    return RootMove(int(tree.action[node]), value, visits, proven != _OPEN)


def _tree(nodes: int) -> _Tree:
    action, parent, first, children, more, rest, visits = (np.zeros(nodes, np.int32) for _ in range(7))
    mover, proven = (np.zeros(nodes, np.int8) for _ in range(2))
    wins, rave_visits, rave_wins, guess = (np.zeros(nodes, np.float32) for _ in range(4))
    used = np.zeros(2, np.int64)
    return _Tree(action, parent, first, children, more, rest, mover, proven, visits, wins, rave_visits, rave_wins, guess, used)


# --- compiled -----------------------------------------------------------------------------------------------------------------


@njit_entry
def _go_to(
    tables: Any,
    tree: _Tree,
    scratch: _Scratch,
    moved: npt.NDArray[np.int32],
    settings: Settings,
    is_planted: bool,
    old_board: Any,
    old_info: Any,
    board: Any,
    info: Any,
) -> None:
    """Makes the position `board`, `info` the root and prepares to search it.

    If `is_planted`, the tree has a root, whose position is `old_board`, `old_info`. `moved` is scratch as long as the tree.
    """
    node = _find(tables, tree, scratch, old_board, old_info, board, info) if is_planted else _NOBODY
    # What was drawn only because it came again on the way from another root is searched afresh once the game gets there.
    is_doubtful = settings.draw_on_repetition and node > 0 and tree.proven[node] == _DRAWN
    if node == _NOBODY or is_doubtful:
        _plant(tables, tree, info)
    else:
        _advance(tree, node, moved)
    begin(tables, board, info, scratch.work)


@njit_linked
def _plant(tables: Any, tree: _Tree, info: Any) -> None:
    """An empty tree for the position."""
    tree.used[0] = 1
    tree.action[0], tree.parent[0] = -1, -1
    tree.first[0], tree.children[0], tree.more[0], tree.rest[0] = 0, 0, 0, 0
    tree.mover[0], tree.proven[0] = 1 - side(tables, info), _OPEN
    tree.visits[0], tree.wins[0], tree.rave_visits[0], tree.rave_wins[0], tree.guess[0] = 0, 0, 0, 0, 0


@njit_linked
def _eldest(tree: _Tree, node: int) -> int:
    """A node's first child, -1 if it has none."""
    return int(tree.first[node]) if tree.children[node] > 0 else _NOBODY


@njit_linked
def _next(tree: _Tree, node: int, child: int) -> int:
    """The child of a node behind another one, -1 behind the last."""
    following = child + 1
    if following == tree.first[node] + tree.children[node]:
        return int(tree.more[node]) if tree.more[node] > 0 else _NOBODY
    return following if following != tree.more[node] + tree.rest[node] else _NOBODY


@njit_linked
def _find(tables: Any, tree: _Tree, scratch: _Scratch, board: Any, info: Any, goal: Any, goal_info: Any) -> int:
    """The node of a position that is at most two plies below the root, which is `board`; -1 if the tree has none.

    What was never visited is not looked at: nothing is known of it.
    """
    if same(tables, board, info, goal, goal_info):
        return 0
    child = _eldest(tree, 0)
    while child != _NOBODY:
        if tree.visits[child] > 0:
            if _leads_to(tables, tree, scratch, board, info, child, _NOBODY, goal, goal_info):
                return child
            grandchild = _eldest(tree, child)
            while grandchild != _NOBODY:
                if tree.visits[grandchild] > 0 and _leads_to(
                    tables, tree, scratch, board, info, child, grandchild, goal, goal_info
                ):
                    return grandchild
                grandchild = _next(tree, child, grandchild)
        child = _next(tree, 0, child)
    return _NOBODY


@njit_linked
def _leads_to(
    tables: Any, tree: _Tree, scratch: _Scratch, board: Any, info: Any, child: int, grandchild: int, goal: Any, goal_info: Any
) -> bool:
    """Whether the move of a child, then that of a grandchild unless it is -1, lead to another position that goes on."""
    copy(board, scratch.board)
    copy(info, scratch.info)
    node = child
    while node != _NOBODY:
        if play(tables, scratch.board, scratch.info, scratch.work, int(tree.action[node])) != 0:
            return False
        node = grandchild if node == child else _NOBODY
    return bool(same(tables, scratch.board, scratch.info, goal, goal_info))


@njit_linked
def _advance(tree: _Tree, root: int, moved: npt.NDArray[np.int32]) -> None:
    """Keeps the subtree of a node and nothing else. Parents lie before their children, so one pass moves it in place.

    `moved` is scratch as long as the tree.
    """
    if root == 0:
        return
    kept = 0
    for node in range(root, tree.used[0]):
        above = tree.parent[node]
        moved[node] = -1
        if node != root and (above < root or moved[above] < 0):
            continue
        moved[node] = kept
        if node == root:
            tree.parent[0] = -1
        else:
            tree.parent[kept] = moved[above]
            if tree.first[moved[above]] == node:
                tree.first[moved[above]] = kept
            if tree.more[moved[above]] == node:
                tree.more[moved[above]] = kept
        tree.action[kept] = tree.action[node]
        tree.first[kept] = tree.first[node]
        tree.children[kept] = tree.children[node]
        tree.more[kept] = tree.more[node]
        tree.rest[kept] = tree.rest[node]
        tree.mover[kept] = tree.mover[node]
        tree.proven[kept] = tree.proven[node]
        tree.visits[kept] = tree.visits[node]
        tree.wins[kept] = tree.wins[node]
        tree.rave_visits[kept] = tree.rave_visits[node]
        tree.rave_wins[kept] = tree.rave_wins[node]
        tree.guess[kept] = tree.guess[node]
        kept += 1
    tree.used[0] = kept


@njit_entry
def _simulate(
    tables: Any, tree: _Tree, scratch: _Scratch, board: Any, info: Any, settings: Settings, chance: Any, simulations: int
) -> int:
    """Simulations from the root, whose position is `board`; how many were made before the root was proven."""
    path, work = scratch.path, scratch.work
    for done in range(simulations):
        if tree.proven[0] != _OPEN:
            return done
        copy(board, scratch.board)
        copy(info, scratch.info)
        depth, node, ply = 0, 0, 0
        start = tree.used[1] + 1
        path[0] = 0
        scratch.keys[0] = key(tables, info)
        while tree.proven[node] == _OPEN and depth < _MOST_PLIES - 1:
            if tree.children[node] == 0:
                if not _expand(tables, tree, scratch, settings, node, chance):
                    break
            elif tree.rest[node] > 0 and tree.more[node] == 0:
                _complete(tables, tree, scratch, settings, node, chance)
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
                tree.proven[node] = _DRAWN
        value = 0.5
        if tree.proven[node] != _OPEN:
            if tree.proven[node] != _DRAWN:
                value = 1.0 if tree.proven[node] == 1 else 0.0
            _prove(tree, path, depth)
        else:
            start_rollout(tables, scratch.board, scratch.info, work)
            for n in range(settings.cap):
                if n == settings.horizon:
                    value = evaluate(tables, scratch.board, scratch.info, work)
                    break
                action = pick(tables, scratch.board, scratch.info, work, chance)
                scratch.made[side(tables, scratch.info), action] = start + ply
                ply += 1
                result = play(tables, scratch.board, scratch.info, work, action)
                if result != 0:
                    if result != _DRAWN:
                        value = 1.0 if result == 1 else 0.0
                    break
        tree.used[1] = start + ply
        _back_up(tree, scratch, settings, depth, value, start)
    return simulations


@njit_linked
def _is_repeated(tables: Any, scratch: _Scratch, depth: int) -> bool:
    """Adds the position at that depth to the keys of the path; whether it was on the path before."""
    here = key(tables, scratch.info)
    scratch.keys[depth] = here
    for before in range(depth):  # noqa: SIM110 - compiled code has no generators
        if scratch.keys[before] == here:
            return True
    return False


@njit_linked
def _expand(tables: Any, tree: _Tree, scratch: _Scratch, settings: Settings, node: int, chance: Any) -> bool:
    """Gives a node its children in random order; false if it is not time yet or the tree is full.

    As the tree fills only nodes that are visited more and more often get children, so that a long search goes on to deepen.
    """
    room = len(tree.action)
    needed = settings.expand << max(_SPARING * (2 * tree.used[0] - room) // room, 0)
    if tree.visits[node] < needed and node != 0:
        return False
    if tree.used[0] + len(scratch.actions) > room:
        return False
    count = _list(tables, scratch, settings, chance)
    few = count
    if settings.puct > 0.0:
        few = min(count, _FEW)
        _sort(scratch, count, few)
    tree.first[node], tree.children[node] = _add(tables, tree, scratch, settings, node, few), few
    tree.more[node], tree.rest[node] = 0, count - few
    return True


@njit_linked
def _complete(tables: Any, tree: _Tree, scratch: _Scratch, settings: Settings, node: int, chance: Any) -> None:
    """Gives a node the rest of its children if the others have been tried, or it is the root, and the tree has room."""
    first = tree.first[node]
    tried = tree.visits[first + tree.children[node] - 1] > 0
    if not (tried or node == 0) or tree.used[0] + tree.rest[node] > len(tree.action):
        return
    actions, guesses = scratch.actions, scratch.guesses
    kept = 0
    for i in range(_list(tables, scratch, settings, chance)):
        there = False
        for child in range(first, first + tree.children[node]):
            there |= tree.action[child] == actions[i]
        if not there:
            actions[kept], guesses[kept] = actions[i], guesses[i]
            kept += 1
    _sort(scratch, kept, kept)
    tree.more[node] = _add(tables, tree, scratch, settings, node, kept)


@njit_linked
def _list(tables: Any, scratch: _Scratch, settings: Settings, chance: Any) -> int:
    """Fills the scratch with the actions of its position, in random order, and their guesses; returns how many there are."""
    actions = scratch.actions
    count = legal(tables, scratch.board, scratch.info, actions)
    for i in range(count - 1, 0, -1):
        j = below(chance, i + 1)
        actions[i], actions[j] = actions[j], actions[i]
    if settings.prior > 0.0 or settings.bias > 0.0 or settings.puct > 0.0:
        priors(tables, scratch.board, scratch.info, scratch.work, actions, count, scratch.guesses)
    else:
        for i in range(count):
            scratch.guesses[i] = 0.0
    return int(count)


@njit_linked
def _sort(scratch: _Scratch, count: int, most: int) -> None:
    """Brings the actions with the best guesses to the front, best first, `most` of them; those behind are lost."""
    actions, guesses = scratch.actions, scratch.guesses
    for i in range(1, count):
        action, guess = actions[i], guesses[i]
        place = min(i, most)
        if place == most and guess <= guesses[most - 1]:
            continue
        place = min(place, most - 1)
        while place > 0 and guesses[place - 1] < guess:
            actions[place], guesses[place] = actions[place - 1], guesses[place - 1]
            place -= 1
        actions[place], guesses[place] = action, guess


@njit_linked
def _add(tables: Any, tree: _Tree, scratch: _Scratch, settings: Settings, node: int, count: int) -> int:
    """Adds children from the scratch, which holds the node's position, to the node; returns the number of the first."""
    mover = side(tables, scratch.info)
    first = tree.used[0]
    for i in range(count):
        child, guess = first + i, scratch.guesses[i]
        tree.action[child], tree.parent[child], tree.mover[child], tree.proven[child] = scratch.actions[i], node, mover, _OPEN
        tree.first[child], tree.children[child], tree.more[child], tree.rest[child] = 0, 0, 0, 0
        tree.visits[child], tree.wins[child] = 0, 0.0
        tree.rave_visits[child], tree.rave_wins[child] = settings.prior, settings.prior * guess
        tree.guess[child] = guess
    tree.used[0] = first + count
    return int(first)


@njit_linked
def _select(tree: _Tree, settings: Settings, node: int) -> int:
    """The child to try; proven losses only if there is nothing else."""
    if settings.puct > 0.0:
        return _select_guessed(tree, settings, node)
    first = tree.first[node]
    best, best_score = int(first), -1e9
    log_visits = math.log(tree.visits[node] + 1.0)
    for child in range(first, first + tree.children[node]):
        visits = float(tree.visits[child])
        proven = tree.proven[child]
        if proven != _OPEN and proven != _DRAWN:
            if proven == tree.mover[child] + 1:
                return int(child)
            continue
        if proven == _DRAWN:
            score = 0.5
        else:
            score = tree.wins[child] / visits if visits > 0.0 else settings.urgency
            if tree.rave_visits[child] > 0.0:
                share = 1.0 if visits == 0.0 else math.sqrt(settings.rave / (3.0 * visits + settings.rave))
                if share > 0.0:
                    score += share * (tree.rave_wins[child] / tree.rave_visits[child] - score)
        score += settings.exploration * math.sqrt(log_visits / max(visits, 1.0)) + settings.bias * tree.guess[child] / (
            visits + 1.0
        )
        if score > best_score:
            best, best_score = int(child), score
    return best


@njit_linked
def _select_guessed(tree: _Tree, settings: Settings, node: int) -> int:
    """`_select` with `puct`. Those tried lie in front, and of the others the first has the best guess."""
    first = tree.first[node]
    best, best_score = int(first), -1e9
    spread = settings.puct * math.sqrt(tree.visits[node])
    # Counted for the side that moved into the node, whose opponent moves here, if there is no pass in between.
    reached = tree.wins[node] / max(tree.visits[node], 1)
    start = (reached if tree.mover[first] == tree.mover[node] else 1.0 - reached) - settings.reduction
    child = _eldest(tree, node)
    while child != _NOBODY:
        visits = float(tree.visits[u64(child)])
        proven, mover = tree.proven[u64(child)], tree.mover[u64(child)]
        if proven == mover + 1:
            return child
        if proven != 2 - mover:
            value = 0.5 if proven == _DRAWN else tree.wins[u64(child)] / visits if visits > 0.0 else start
            score = value + spread * tree.guess[u64(child)] / (1.0 + visits)
            if score > best_score:
                best, best_score = child, score
            if visits == 0.0:
                return best
        child = _next(tree, node, child)
    return best


@njit_linked
def _prove(tree: _Tree, path: Any, depth: int) -> None:
    """Carries the result of a proven leaf up the path as far as it settles anything."""
    for i in range(depth - 1, -1, -1):
        node, child = path[i], path[i + 1]
        won, lost = tree.mover[child] + 1, 2 - tree.mover[child]
        if tree.proven[child] == won:
            tree.proven[node] = won
            continue
        if tree.rest[node] > 0 and tree.more[node] == 0:
            return
        outcome, other = lost, _eldest(tree, node)
        while other != _NOBODY:
            if tree.proven[other] == _OPEN:
                return
            if tree.proven[other] == _DRAWN:
                outcome = _DRAWN
            other = _next(tree, node, other)
        tree.proven[node] = outcome


@njit_linked
def _back_up(tree: _Tree, scratch: _Scratch, settings: Settings, depth: int, value: float, start: int) -> None:
    """Counts a simulation whose value for side 0 is `value`, and whose ply k was stamped start + k."""
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
