"""One simulation after another: down the tree, a rollout, and its value carried back up."""

from __future__ import annotations

import math
from typing import Any

from rules.grid.kernels.dispatch import evaluate, key, pick, play, side, start_rollout
from rules.grid.kernels.jit import njit_entry, njit_linked, u64
from rules.grid.kernels.memory import copy
from rules.grid.search.mcts.growth import complete, expand
from rules.grid.search.mcts.tree import DRAWN, MOST_PLIES, NOBODY, OPEN, Scratch, Settings, Tree, first_child, next_child

__all__ = ["simulate"]


@njit_entry
def simulate(
    tables: Any, tree: Tree, scratch: Scratch, board: Any, info: Any, settings: Settings, chance: Any, simulations: int
) -> int:
    """Makes simulations from the root, whose position is `board`; returns how many were made until the root was proven."""
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
            if tree.proven[node] != DRAWN:
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
                    if result != DRAWN:
                        value = 1.0 if result == 1 else 0.0
                    break
        tree.used[1] = start + ply
        _back_up(tree, scratch, settings, depth, value, start)
    return simulations


@njit_linked
def _is_repeated(tables: Any, scratch: Scratch, depth: int) -> bool:
    """Adds the position at that depth to the keys of the path; returns whether it was on the path before."""
    here = key(tables, scratch.info)
    scratch.keys[depth] = here
    for before in range(depth):  # noqa: SIM110 - compiled code has no generators
        if scratch.keys[before] == here:
            return True
    return False


@njit_linked
def _select(tree: Tree, settings: Settings, node: int) -> int:
    """The child to try; a proven loss only if all children are."""
    if settings.puct > 0.0:
        return _select_guessed(tree, settings, node)
    first = tree.first[node]
    best, best_score = int(first), -1e9
    log_visits = math.log(tree.visits[node] + 1.0)
    for child in range(first, first + tree.children[node]):
        visits = float(tree.visits[child])
        proven = tree.proven[child]
        if proven != OPEN and proven != DRAWN:
            if proven == tree.mover[child] + 1:
                return int(child)
            continue
        if proven == DRAWN:
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
def _select_guessed(tree: Tree, settings: Settings, node: int) -> int:
    """`_select` with `puct`. The children tried lie in front; the first of the others has the best guess."""
    first = tree.first[node]
    best, best_score = int(first), -1e9
    spread = settings.puct * math.sqrt(tree.visits[node])
    # Wins count for the side that moved into the node. Its opponent moves here, unless a pass lies in between.
    reached = tree.wins[node] / max(tree.visits[node], 1)
    start = (reached if tree.mover[first] == tree.mover[node] else 1.0 - reached) - settings.reduction
    child = first_child(tree, node)
    while child != NOBODY:
        visits = float(tree.visits[u64(child)])
        proven, mover = tree.proven[u64(child)], tree.mover[u64(child)]
        if proven == mover + 1:
            return child
        if proven != 2 - mover:
            value = 0.5 if proven == DRAWN else tree.wins[u64(child)] / visits if visits > 0.0 else start
            score = value + spread * tree.guess[u64(child)] / (1.0 + visits)
            if score > best_score:
                best, best_score = child, score
            if visits == 0.0:
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
def _back_up(tree: Tree, scratch: Scratch, settings: Settings, depth: int, value: float, start: int) -> None:
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
