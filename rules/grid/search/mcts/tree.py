"""The tree of a Monte-Carlo search: its arrays, and the way from child to child.

The children of a node lie side by side behind it, so that a subtree can be moved to the front in place when moves have been
made. With `puct` a node at first has only the children with the best priors, best first. It gets the rest once all of those
have been tried, which happens to few nodes (the root has all). So the tree holds ten times as many positions, and only the
children tried so far and the next one are compared to choose a move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.jit import njit_linked

__all__ = ["DRAWN", "MOST_PLIES", "NOBODY", "OPEN", "Scratch", "Settings", "Tree", "empty_tree", "first_child", "next_child"]

MOST_PLIES = 4096
"""The most plies of one simulation."""
OPEN, DRAWN = 0, 3
NOBODY = -1


class Settings(NamedTuple):
    """How the tree is searched; the defaults are plain UCT.

    `exploration` is UCT's constant. `rave` is the number of visits up to which a move's RAVE record counts much, 0 for no RAVE.
    `prior` is how many virtual games the game's guess is worth in the RAVE record; `bias` the weight of the guess as a
    progressive bias. `urgency` is the value of a move never tried; above 1 it is tried before any other. A node gets children
    once it has been visited `expand` times (1 or more), and more often from when the tree is half full. With `puct` above 0
    moves are chosen as AlphaZero does (Silver et al. 2017): that constant times the guesses, which must then sum to 1, takes
    the place of UCT's term, and a move never tried is valued `reduction` below the position. After `horizon` plies of a rollout
    the evaluation takes over, -1 for never; a rollout of `cap` plies counts as drawn. With `draw_on_repetition`
    a position that repeats one on the path from the root counts as drawn, too. That is for games that can repeat positions for
    ever: the side that stands better avoids it.
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


class Tree(NamedTuple):
    """Nodes by number, the root 0. `mover` is the side that moved into a node; `wins` and `rave_wins` are counted for it.

    A node's children are the `children` nodes from number `first` on, and the `rest` nodes from number `more` on. While `more`
    is 0, the latter have not been added.

    `proven` is 0 if the result is open, 1 if side 0 wins, 2 if side 1 wins, 3 for a draw. `used[0]` is the number of nodes,
    `used[1]` a counter of plies that only grows.
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


def empty_tree(nodes: int) -> Tree:
    """Arrays with room for so many nodes."""
    action, parent, first, children, more, rest, visits = (np.zeros(nodes, np.int32) for _ in range(7))
    mover, proven = (np.zeros(nodes, np.int8) for _ in range(2))
    wins, rave_visits, rave_wins, guess = (np.zeros(nodes, np.float32) for _ in range(4))
    used = np.zeros(2, np.int64)
    return Tree(action, parent, first, children, more, rest, mover, proven, visits, wins, rave_visits, rave_wins, guess, used)


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
