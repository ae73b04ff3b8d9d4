"""The tree of a Monte-Carlo search: its arrays, how a node gets children, and how the tree of one
position becomes that of the next.

The children of a node lie side by side behind it, so that a subtree can be moved to the front in
place when moves have been made. With `puct` a node at first has only the children with the best
priors, best first. It gets the rest once all of those have been tried, which happens to few nodes
(the root has all). So the tree holds ten times as many positions, and only the children tried so
far and the next one are compared to choose a move.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.dispatch import begin, below, copy, legal, play, priors, same, side
from rules.grid.kernels.jit import njit_entry, njit_linked

MOST_PLIES = 4096
"""The most plies of one simulation."""
OPEN, DRAWN = 0, 3
NOBODY = -1


class Settings(NamedTuple):
    """How the tree is searched; the defaults are plain UCT.

    `exploration` is UCT's constant. `rave` is the number of visits up to which a move's RAVE record
    counts much, 0 for no RAVE. `urgency` is the value of a move never tried; above 1 it is tried
    before any other. With `puct` above 0 moves are chosen as AlphaZero does (Silver et al. 2017):
    that constant times the guesses, which must then sum to 1, takes the place of UCT's term, and a
    move never tried is valued `reduction` below the position. After `horizon` plies of a rollout
    the evaluation takes over, -1 for never. With `draw_on_repetition` a position that repeats one
    on the path from the root counts as drawn. That is for games that can repeat positions for ever:
    the side that stands better avoids it.
    """

    exploration: float = 0.7
    rave: float = 0.0
    puct: float = 0.0
    reduction: float = 0.0
    urgency: float = 10.0
    horizon: int = -1
    draw_on_repetition: bool = False


class Tree(NamedTuple):
    """Nodes by number, the root 0. `mover` is the side that moved into a node; `wins` and
    `rave_wins` are counted for it.

    A node's children are the `children` nodes from number `first` on, and the `rest` nodes from
    number `more` on. While `more` is 0, the latter have not been added.

    `proven` is 0 if the result is open, 1 if side 0 wins, 2 if side 1 wins, 3 for a draw. `used[0]`
    is the number of nodes, `used[1]` a counter of plies that only grows.
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


class Scratch(NamedTuple):
    """A position to play on, what its kernels work in, actions with guesses, the path with the keys
    of its positions, and when a side last made a move.
    """

    board: Any
    info: Any
    work: Any
    actions: npt.NDArray[np.int64]
    guesses: npt.NDArray[np.float64]
    path: npt.NDArray[np.int64]
    keys: npt.NDArray[np.int64]
    made: npt.NDArray[np.int64]


def empty_tree(nodes: int) -> Tree:
    """Arrays with room for so many nodes."""
    of = [*[np.int32] * 6, *[np.int8] * 2, np.int32, *[np.float32] * 4]  # as `Tree` says
    made: Any = [*(np.zeros(nodes, one) for one in of), np.zeros(2, np.int64)]
    return Tree(*made)


@njit_linked
def first_child(tree: Tree, node: int) -> int:
    """A node's first child, -1 if it has none."""
    return int(tree.first[node]) if tree.children[node] > 0 else NOBODY


@njit_linked
def next_child(tree: Tree, node: int, child: int) -> int:
    """The next child of a node after `child`, -1 after the last."""
    following = child + 1
    if following == tree.first[node] + tree.children[node]:
        return int(tree.more[node]) if tree.more[node] > 0 else NOBODY
    return following if following != tree.more[node] + tree.rest[node] else NOBODY


# --- how a node gets its children, with the game's guesses (priors) for them ----------------------

FEW = 16
"""Children that a node gets at first, where guesses lead the search."""
# the visits that a node needs to get children double this often while the second half of the tree
# fills
_SPARING = 8


@njit_linked
def expand(
    tables: Any, tree: Tree, scratch: Scratch, settings: Settings, node: int, chance: Any
) -> bool:
    """Gives a node its children in random order; false if it is not time yet or the tree is full.

    The fuller the tree, the more visits a node needs to get children. So a long search can still
    deepen where it looks most.
    """
    room = len(tree.action)
    needed = 1 << max(_SPARING * (2 * tree.used[0] - room) // room, 0)
    if tree.visits[node] < needed and node != 0:
        return False
    if tree.used[0] + len(scratch.actions) > room:
        return False
    count = _list(tables, scratch, settings, chance)
    few = count
    if settings.puct > 0.0:
        few = min(count, FEW)
        _sort(scratch, count, few)
    tree.first[node], tree.children[node] = _add(tables, tree, scratch, node, few), few
    tree.more[node], tree.rest[node] = 0, count - few
    return True


@njit_linked
def complete(
    tables: Any, tree: Tree, scratch: Scratch, settings: Settings, node: int, chance: Any
) -> None:
    """Gives a node the rest of its children if the tree has room, and the others have been tried or
    the node is the root.
    """
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
    tree.more[node] = _add(tables, tree, scratch, node, kept)


@njit_linked
def _list(tables: Any, scratch: Scratch, settings: Settings, chance: Any) -> int:
    """Fills the scratch with the actions of its position, in random order, and their guesses;
    returns how many there are.
    """
    actions = scratch.actions
    count = legal(tables, scratch.board, scratch.info, actions)
    for i in range(count - 1, 0, -1):
        j = below(chance, i + 1)
        actions[i], actions[j] = actions[j], actions[i]
    if settings.puct > 0.0:
        priors(tables, scratch.board, scratch.info, scratch.work, actions, count, scratch.guesses)
    else:
        for i in range(count):
            scratch.guesses[i] = 0.0
    return int(count)


@njit_linked
def _sort(scratch: Scratch, count: int, most: int) -> None:
    """Brings the actions with the best guesses to the front, best first, `most` of them; those
    behind are lost.
    """
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
def _add(tables: Any, tree: Tree, scratch: Scratch, node: int, count: int) -> int:
    """Adds children from the scratch, which holds the node's position, to the node; returns the
    number of the first.
    """
    mover = side(tables, scratch.info)
    first = tree.used[0]
    for i in range(count):
        child = first + i
        tree.action[child], tree.parent[child], tree.mover[child], tree.proven[child] = (
            scratch.actions[i],
            node,
            mover,
            OPEN,
        )
        tree.first[child], tree.children[child], tree.more[child], tree.rest[child] = 0, 0, 0, 0
        tree.visits[child], tree.wins[child] = 0, 0.0
        tree.rave_visits[child], tree.rave_wins[child] = 0.0, 0.0
        tree.guess[child] = scratch.guesses[i]
    tree.used[0] = first + count
    return int(first)


# --- the next position ----------------------------------------------------------------------------


def plant(tree: Tree, mover: int) -> None:
    """An empty tree; `mover` is the side that moved into the position of its root."""
    for array in tree:
        array[0] = 0
    tree.action[0] = tree.parent[0] = NOBODY
    tree.mover[0], tree.used[0] = mover, 1


@njit_entry
def prepare(tables: Any, board: Any, info: Any, work: Any) -> None:
    """Makes `work` ready to search a position."""
    begin(tables, board, info, work)


@njit_entry
def find(
    tables: Any, tree: Tree, scratch: Scratch, board: Any, info: Any, goal: Any, goal_info: Any
) -> int:
    """The node of a position that is at most two plies below the root, which is `board`; -1 if the
    tree has none.

    Nodes that were never visited are skipped: they hold no results.
    """
    if same(tables, board, info, goal, goal_info):
        return 0
    child = first_child(tree, 0)
    while child != NOBODY:
        node = child
        while node != NOBODY:
            if tree.visits[node] > 0 and _leads_to(
                tables, tree, scratch, board, info, node, goal, goal_info
            ):
                return node
            node = first_child(tree, child) if node == child else next_child(tree, child, node)
        child = next_child(tree, 0, child)
    return NOBODY


@njit_linked
def _leads_to(
    tables: Any,
    tree: Tree,
    scratch: Scratch,
    board: Any,
    info: Any,
    node: int,
    goal: Any,
    goal_info: Any,
) -> bool:
    """Whether the moves to a node, one or two plies below the root, lead to another position that
    goes on.
    """
    copy(board, scratch.board)
    copy(info, scratch.info)
    for step in (np.int64(tree.parent[node]), node):
        if step > 0:
            action = int(tree.action[step])
            if play(tables, scratch.board, scratch.info, scratch.work, action) != 0:
                return False
    return bool(same(tables, scratch.board, scratch.info, goal, goal_info))


def advance(tree: Tree, root: int, moved: npt.NDArray[np.int32]) -> None:
    """Keeps only the subtree of a node. `moved` is scratch as long as the tree."""
    kept = np.flatnonzero(moved[: _number(tree, root, moved)] >= 0)
    for array in tree[:-1]:
        array[: len(kept)] = array[kept]
    above, first, more = tree.parent[: len(kept)], tree.first[: len(kept)], tree.more[: len(kept)]
    above[1:], first[:] = moved[above[1:]], moved[first]
    more[:] = np.where(more > 0, moved[more], 0)
    above[0], tree.used[0] = NOBODY, len(kept)


@njit_entry
def _number(tree: Tree, root: int, moved: npt.NDArray[np.int32]) -> int:
    """Fills `moved` with the number of each node in the subtree of `root`, -1 for all others, and
    returns how many nodes there are; parents lie before their children.
    """
    kept = 1
    for node in range(tree.used[0]):
        moved[node] = -1
        if node == root:
            moved[node] = 0
        elif node > root and moved[tree.parent[node]] >= 0:
            moved[node] = kept
            kept += 1
    return int(tree.used[0])
