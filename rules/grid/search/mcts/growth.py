"""How a node of the tree gets its children, with the game's guesses (priors) for them."""

from __future__ import annotations

from typing import Any

from rules.grid.kernels.chance import below
from rules.grid.kernels.dispatch import legal, priors, side
from rules.grid.kernels.jit import njit_linked
from rules.grid.search.mcts.tree import OPEN, Scratch, Settings, Tree

__all__ = ["FEW", "complete", "expand"]

FEW = 16
"""Children that a node gets at first, where guesses lead the search."""
_SPARING = 8  # the visits that a node needs to get children double this often while the second half of the tree fills


@njit_linked
def expand(tables: Any, tree: Tree, scratch: Scratch, settings: Settings, node: int, chance: Any) -> bool:
    """Gives a node its children in random order; false if it is not time yet or the tree is full.

    The fuller the tree, the more visits a node needs to get children. So a long search can still deepen where it looks most.
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
        few = min(count, FEW)
        _sort(scratch, count, few)
    tree.first[node], tree.children[node] = _add(tables, tree, scratch, settings, node, few), few
    tree.more[node], tree.rest[node] = 0, count - few
    return True


@njit_linked
def complete(tables: Any, tree: Tree, scratch: Scratch, settings: Settings, node: int, chance: Any) -> None:
    """Gives a node the rest of its children if the tree has room, and the others have been tried or the node is the root."""
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
def _list(tables: Any, scratch: Scratch, settings: Settings, chance: Any) -> int:
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
def _sort(scratch: Scratch, count: int, most: int) -> None:
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
def _add(tables: Any, tree: Tree, scratch: Scratch, settings: Settings, node: int, count: int) -> int:
    """Adds children from the scratch, which holds the node's position, to the node; returns the number of the first."""
    mover = side(tables, scratch.info)
    first = tree.used[0]
    for i in range(count):
        child, guess = first + i, scratch.guesses[i]
        tree.action[child], tree.parent[child], tree.mover[child], tree.proven[child] = scratch.actions[i], node, mover, OPEN
        tree.first[child], tree.children[child], tree.more[child], tree.rest[child] = 0, 0, 0, 0
        tree.visits[child], tree.wins[child] = 0, 0.0
        tree.rave_visits[child], tree.rave_wins[child] = settings.prior, settings.prior * guess
        tree.guess[child] = guess
    tree.used[0] = first + count
    return int(first)
