"""How the tree of one position becomes that of the next: the subtree of the moves made is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.dispatch import begin, play, same, side
from rules.grid.kernels.jit import njit_entry, njit_linked
from rules.grid.kernels.memory import copy
from rules.grid.search.mcts.tree import DRAWN, NOBODY, OPEN, Scratch, Settings, Tree, first_child, next_child

__all__ = ["go_to"]


@njit_entry
def go_to(
    tables: Any,
    tree: Tree,
    scratch: Scratch,
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
    node = _find(tables, tree, scratch, old_board, old_info, board, info) if is_planted else NOBODY
    # A draw by repetition on the path from another root says nothing here: such a node is searched afresh.
    is_doubtful = settings.draw_on_repetition and node > 0 and tree.proven[node] == DRAWN
    if node == NOBODY or is_doubtful:
        _plant(tables, tree, info)
    else:
        _advance(tree, node, moved)
    begin(tables, board, info, scratch.work)


@njit_linked
def _plant(tables: Any, tree: Tree, info: Any) -> None:
    """An empty tree for the position."""
    tree.used[0] = 1
    tree.action[0], tree.parent[0] = -1, -1
    tree.first[0], tree.children[0], tree.more[0], tree.rest[0] = 0, 0, 0, 0
    tree.mover[0], tree.proven[0] = 1 - side(tables, info), OPEN
    tree.visits[0], tree.wins[0], tree.rave_visits[0], tree.rave_wins[0], tree.guess[0] = 0, 0, 0, 0, 0


@njit_linked
def _find(tables: Any, tree: Tree, scratch: Scratch, board: Any, info: Any, goal: Any, goal_info: Any) -> int:
    """The node of a position that is at most two plies below the root, which is `board`; -1 if the tree has none.

    Nodes that were never visited are skipped: they hold no results.
    """
    if same(tables, board, info, goal, goal_info):
        return 0
    child = first_child(tree, 0)
    while child != NOBODY:
        if tree.visits[child] > 0:
            if _leads_to(tables, tree, scratch, board, info, child, NOBODY, goal, goal_info):
                return child
            grandchild = first_child(tree, child)
            while grandchild != NOBODY:
                if tree.visits[grandchild] > 0 and _leads_to(
                    tables, tree, scratch, board, info, child, grandchild, goal, goal_info
                ):
                    return grandchild
                grandchild = next_child(tree, child, grandchild)
        child = next_child(tree, 0, child)
    return NOBODY


@njit_linked
def _leads_to(
    tables: Any, tree: Tree, scratch: Scratch, board: Any, info: Any, child: int, grandchild: int, goal: Any, goal_info: Any
) -> bool:
    """Whether the move of a child, then that of a grandchild unless it is -1, lead to another position that goes on."""
    copy(board, scratch.board)
    copy(info, scratch.info)
    node = child
    while node != NOBODY:
        if play(tables, scratch.board, scratch.info, scratch.work, int(tree.action[node])) != 0:
            return False
        node = grandchild if node == child else NOBODY
    return bool(same(tables, scratch.board, scratch.info, goal, goal_info))


@njit_linked
def _advance(tree: Tree, root: int, moved: npt.NDArray[np.int32]) -> None:
    """Keeps only the subtree of a node. Parents lie before their children, so one pass moves it in place.

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
