"""Alpha-beta search for the grid games, in compiled code, written once over
`rules.grid.kernels.dispatch`.

One module: all parts of one search, which share its stack.

Negamax with null windows after the first move (Marsland and Campbell 1982), iterative deepening, a
transposition table, moves sorted by the value of the position they lead to, killer moves, and late
move reductions. A position whose side to move must answer a threat (`is_noisy`) is searched
further. Scores are whole numbers for the side to move; a proven win is `WIN` less the plies to the
end. If a game can repeat positions for ever, a repetition on the path from the root counts as
drawn. This is not exact: a score from the table may have been found on another path.

A search can stop after any number of nodes and continue later, because the table keeps its results.
So the clock is read only between chunks of nodes, and a search to a fixed depth does not depend on
the clock.
"""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.dispatch import (
    copy,
    is_noisy,
    key,
    legal,
    play,
    refresh,
    score,
    side,
    update,
)
from rules.grid.kernels.jit import njit_entry, njit_inline, njit_linked, u64
from rules.grid.search.adapters import Timer

WIN = 1_000_000
"""The score of a won game; any score of `PROVEN` or more is a proven win in WIN - score plies."""
PROVEN = WIN - 10_000

_MOST_PLIES = 64  # below the root
_QUIET = 10  # plies that noisy positions may add
_INFINITE = 2 * WIN
_UNKNOWN = 3 * WIN  # no score
_EXACT, _LEAST, _MOST = 0, 1, 2
_NODES, _LIMIT, _STOPPED, _COUNT, _BEST, _SCORE, _TRIED, _DRAW_ON_REPETITION = range(8)
_DRAWN = 3
_KILLER = 200  # what a killer move adds to its sort key; a move's history adds at most as much
_LATE = 4  # moves that are searched in full depth before any is reduced
# futility: a quiet position this far outside the window, times the plies to go, is not searched
# further
_MARGIN = 500
_SHALLOW = 2  # plies to go, at most, for that cut


@dataclass(frozen=True, slots=True)
class ScoredMove:
    """A move with its score for whoever makes it, and the depth to which that is known."""

    action: int
    score: int
    depth: int


class _Table(NamedTuple):
    """The transposition table: keys, scores, moves, depths and what kind of bound the score is."""

    keys: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int32]
    moves: npt.NDArray[np.int32]
    depths: npt.NDArray[np.int8]
    kinds: npt.NDArray[np.int8]


class _Stack(NamedTuple):
    """Everything for each ply below the root: positions, the evaluation's notes, actions with the
    order they are tried in, and the keys of the positions.
    """

    boards: Any
    infos: Any
    notes: Any
    work: Any
    actions: npt.NDArray[np.int64]
    orders: npt.NDArray[np.int64]
    killers: npt.NDArray[np.int64]
    history: npt.NDArray[np.int64]
    keys: npt.NDArray[np.int64]
    state: npt.NDArray[np.int64]


class AlphaBeta:
    """A search of one position after another; the table is kept from one to the next.

    `tables`, `board`, `info`, `work` are a game's arrays (any position: they are copied for their
    shapes), `actions` the number of different actions there are; `weights` and `notes` are what the
    game's evaluation works with. `bits` is the binary logarithm of the size of the transposition
    table, `draw_on_repetition` whether a position that comes again counts as drawn.
    """

    def __init__(
        self,
        tables: Any,
        board: Any,
        info: Any,
        work: Any,
        actions: int,
        weights: Any,
        notes: Any,
        bits: int = 19,
        draw_on_repetition: bool = False,
    ) -> None:
        self._tables, self._weights = tables, weights
        of = (np.int64, np.int32, np.int32, np.int8, np.int8)
        made: Any = [np.zeros(1 << bits, one) for one in of]
        self._table = _Table(*made)
        self.forget()
        plies = _MOST_PLIES + 2
        self._stack = _Stack(
            np.stack([board] * plies),
            np.stack([info] * plies),
            np.stack([notes] * plies),
            deepcopy(work),
            np.zeros((plies, actions), np.int64),
            np.zeros((plies, actions), np.int64),
            np.full((plies, 2), -1, np.int64),
            np.zeros((2, actions), np.int64),
            np.zeros(plies, np.int64),
            np.zeros(8, np.int64),
        )
        self._stack.state[_DRAW_ON_REPETITION] = draw_on_repetition
        self.depth = 0
        """The depth of the last search that was finished."""
        self.nodes = 0
        """Positions that the last search looked at."""

    def forget(self) -> None:
        """Empties the table."""
        self._table.depths[:] = -1

    def search(
        self, board: Any, info: Any, depth: int = _MOST_PLIES, timer: Timer | None = None
    ) -> ScoredMove:
        """The best move of a position that goes on: searched to that depth, or as deep as the time
        allows.
        """
        stack, state = self._stack, self._stack.state
        stack.boards[0], stack.infos[0] = board, info
        stack.history[:] //= 8
        stack.killers[:] = -1
        self._run(0)
        self.depth = self.nodes = 0
        best = ScoredMove(int(state[_BEST]), int(state[_SCORE]), 0)
        for level in range(1, min(depth, _MOST_PLIES - _QUIET - 2) + 1):
            finished = False
            while not finished:
                chunk = 1 << 62 if timer is None or level == 1 else timer.chunk(self.nodes, 512)
                if chunk == 0:
                    return best
                state[_NODES], state[_LIMIT], state[_STOPPED] = 0, chunk, 0
                self._run(level)
                self.nodes += int(state[_NODES])
                finished = not state[_STOPPED]
                # An unfinished level counts as soon as its first move, the best so far, has been
                # searched.
                if state[_TRIED] > 0:
                    best = ScoredMove(int(state[_BEST]), int(state[_SCORE]), level)
            self.depth = level
            if abs(best.score) >= PROVEN or (timer is not None and state[_COUNT] == 1):
                break
        return best

    def scores(self, depth: int, most: int) -> list[ScoredMove]:
        """The best moves, `most` at most, of the position searched last, each searched on its own
        to that depth.
        """
        stack, state = self._stack, self._stack.state
        state[_LIMIT], state[_STOPPED] = 1 << 62, 0
        found = []
        for action in stack.actions[0, : min(most, state[_COUNT])].tolist():
            self._run(depth, action)
            found.append(ScoredMove(action, int(state[_SCORE]), depth))
        return sorted(found, key=lambda one: -one.score)

    def _run(self, depth: int, alone: int = -1) -> None:
        _run(self._tables, self._weights, self._table, self._stack, depth, alone)


# --- compiled -------------------------------------------------------------------------------------


@njit_inline
def _make(tables: Any, weights: Any, stack: _Stack, ply: int, action: int) -> int:
    """Plays an action into the next ply of the stack; returns the result of `play`."""
    boards, infos, notes, then = stack.boards, stack.infos, stack.notes, ply + 1
    copy(boards[ply], boards[then])
    copy(infos[ply], infos[then])
    result = play(tables, boards[then], infos[then], stack.work, action)
    if result == 0:
        update(
            tables,
            boards[ply],
            infos[ply],
            weights,
            notes[ply],
            boards[then],
            infos[then],
            notes[then],
            action,
        )
    return result


@njit_inline
def _ended(result: int, mover: int, ply: int) -> int:
    """The score for the side that made the move `ply` with which the game ended."""
    if result == _DRAWN:
        return 0
    return WIN - ply if result == mover + 1 else ply - WIN


@njit_inline
def _is_repeated(tables: Any, stack: _Stack, ply: int) -> bool:
    """Whether the position of a ply is that of an earlier ply."""
    here = key(tables, stack.infos[ply])
    for before in range(ply):  # noqa: SIM110 - compiled code has no generators
        if stack.keys[before] == here:
            return True
    return False


@njit_linked
def _order(tables: Any, weights: Any, stack: _Stack, ply: int, count: int, skipped: int) -> None:
    """Scores the actions of a ply by the positions they lead to, by killer moves and by history."""
    mover = side(tables, stack.infos[ply])
    for i in range(count):
        action = stack.actions[ply, i]
        if action == skipped:
            stack.orders[ply, i] = -_INFINITE
            continue
        result = _make(tables, weights, stack, ply, action)
        stack.state[_NODES] += 1
        if result != 0:
            stack.orders[ply, i] = _ended(result, mover, ply)
            continue
        following = stack.infos[ply + 1]
        stack.orders[ply, i] = (
            -score(tables, stack.boards[ply + 1], following, weights, stack.notes[ply + 1])
            + (_KILLER if action == stack.killers[ply, 0] or action == stack.killers[ply, 1] else 0)
            + min(stack.history[mover, action], _KILLER)
        )


@njit_entry
def _run(tables: Any, weights: Any, table: _Table, stack: _Stack, depth: int, alone: int) -> None:
    """The only function that Python calls: a second one would compile the whole search once more.

    Depth 0 lists the actions at the root, sorted by the positions they lead to. Another depth is
    one level of iterative deepening, which brings the best action to the front for the next; or, if
    `alone` is an action, the search of that one by itself.
    """
    state = stack.state
    stack.keys[0] = key(tables, stack.infos[0])
    if depth == 0:
        refresh(tables, stack.boards[0], stack.infos[0], weights, stack.notes[0])
        state[_COUNT] = legal(tables, stack.boards[0], stack.infos[0], stack.actions[0])
        _order(tables, weights, stack, 0, state[_COUNT], -1)
        for i in range(1, state[_COUNT]):
            action, order = stack.actions[0, i], stack.orders[0, i]
            j = i
            while j > 0 and stack.orders[0, j - 1] < order:
                stack.actions[0, j], stack.orders[0, j] = (
                    stack.actions[0, j - 1],
                    stack.orders[0, j - 1],
                )
                j -= 1
            stack.actions[0, j], stack.orders[0, j] = action, order
        state[_BEST], state[_SCORE] = stack.actions[0, 0], stack.orders[0, 0]
        return

    state[_TRIED] = 0
    mover = side(tables, stack.infos[0])
    best = -_INFINITE
    for i in range(1 if alone >= 0 else state[_COUNT]):
        action = alone if alone >= 0 else stack.actions[0, i]
        result = _make(tables, weights, stack, 0, action)
        if result != 0:
            found = _ended(result, mover, 1)
        else:
            less, full = 1 if i >= 2 * _LATE and depth >= 3 else 0, i == 0
            while True:
                low = -_INFINITE if full else -best - 1
                found = -_search(tables, weights, table, stack, 1, depth - 1 - less, low, -best)
                if full or found <= best or state[_STOPPED] != 0:
                    break
                if less > 0:
                    less = 0
                else:
                    full = True
        if state[_STOPPED] != 0:
            return
        state[_TRIED] += 1
        if found > best:
            best = found
            state[_BEST], state[_SCORE] = action, found
            if alone < 0:
                for j in range(i, 0, -1):
                    stack.actions[0, j] = stack.actions[0, j - 1]
                stack.actions[0, 0] = action


@njit_inline
def _moved(score: int, plies: int) -> int:
    """A proven result counted from so many plies further on, any other score as it is: the table
    counts from the position, a search from its root.
    """
    if abs(score) < PROVEN:
        return score
    return score + plies if score > 0 else score - plies


@njit_inline
def _look_up(
    table: _Table, here: int, ply: int, depth: int, alpha: int, beta: int
) -> tuple[int, int]:
    """The action that the table holds for a position, -1 for none, and its score if that settles
    the search, else _UNKNOWN.
    """
    slot = here & (table.keys.size - 1)
    if depth <= 0 or table.depths[slot] < 0 or table.keys[slot] != here:
        return -1, _UNKNOWN
    if table.depths[slot] >= depth:
        known = _moved(int(table.scores[slot]), -ply)
        kind = table.kinds[slot]
        if (
            kind == _EXACT
            or (kind == _LEAST and known >= beta)
            or (kind == _MOST and known <= alpha)
        ):
            return int(table.moves[slot]), known
    return int(table.moves[slot]), _UNKNOWN


@njit_inline
def _store(
    table: _Table, here: int, ply: int, depth: int, action: int, best: int, kind: int
) -> None:
    """Puts a position into the table."""
    slot = here & (table.keys.size - 1)
    table.keys[slot] = here
    table.depths[slot] = depth
    table.moves[slot] = action
    table.kinds[slot] = kind
    table.scores[slot] = _moved(best, ply)


@njit_inline
def _order_by_history(stack: _Stack, ply: int, mover: int, count: int) -> None:
    """Scores the actions of a ply by killer moves and history, without playing them."""
    for i in range(count):
        action = stack.actions[ply, u64(i)]
        stack.orders[ply, u64(i)] = stack.history[mover, action]
        if action == stack.killers[ply, 0] or action == stack.killers[ply, 1]:
            stack.orders[ply, u64(i)] += _INFINITE


@njit_inline
def _place_of(actions: Any, count: int, action: int) -> int:
    """Where an action is in the list; -1 if it is not there, and for action -1."""
    if action >= 0:
        for place in range(count):
            if actions[u64(place)] == action:
                return place
    return -1


@njit_inline
def _place_of_best(orders: Any, begin: int, count: int) -> int:
    """Where the highest order from `begin` on is."""
    best = begin
    for place in range(begin + 1, count):
        if orders[u64(place)] > orders[u64(best)]:
            best = place
    return best


@njit_inline
def _reward(stack: _Stack, ply: int, depth: int, mover: int, action: int) -> None:
    """Makes the action that refuted a position a killer move, so that other positions try it
    early.
    """
    if stack.killers[ply, 0] != action:
        stack.killers[ply, 1] = stack.killers[ply, 0]
        stack.killers[ply, 0] = action
    if depth > 0:
        stack.history[mover, action] += depth * depth


@njit_inline
def _bring_next(
    tables: Any, weights: Any, stack: _Stack, ply: int, depth: int,
    i: int, count: int, hinted: int, ordered: bool,
) -> bool:  # fmt: skip
    """Brings the action to try next to place `i`; returns whether the actions have been scored for
    sorting.

    The action from the table is tried before any are scored, because it often is enough for a cut.
    """
    actions, orders = stack.actions[ply], stack.orders[ply]
    place = _place_of(actions, count, hinted) if i == 0 else -1
    if place < 0:
        if not ordered:
            if depth >= 2:
                _order(tables, weights, stack, ply, count, hinted if i > 0 else -1)
            else:
                _order_by_history(stack, ply, side(tables, stack.infos[ply]), count)
        ordered = True
        place = _place_of_best(orders, i, count)
    actions[i], actions[place] = actions[place], actions[i]
    orders[i], orders[place] = orders[place], orders[i]
    return ordered


@njit_inline
def _at_a_glance(
    tables: Any, weights: Any, table: _Table, stack: _Stack, ply: int, depth: int,
    alpha: int, beta: int,
) -> tuple[int, int]:  # fmt: skip
    """The score of the position on that ply if no move has to be tried to know it, else _UNKNOWN;
    and the action that the table holds for it, -1 for none.
    """
    board, info = stack.boards[ply], stack.infos[ply]
    if depth <= 0 and (
        depth <= -_QUIET or ply >= _MOST_PLIES or not is_noisy(tables, board, info, stack.work)
    ):
        return score(tables, board, info, weights, stack.notes[ply]), -1
    stack.keys[ply] = key(tables, info)
    hinted, known = _look_up(table, stack.keys[ply], ply, depth, alpha, beta)
    if known != _UNKNOWN:
        return known, hinted
    if 0 < depth <= _SHALLOW and not is_noisy(tables, board, info, stack.work):
        still, margin = score(tables, board, info, weights, stack.notes[ply]), depth * _MARGIN
        if still - margin >= beta:
            return still - margin, hinted
        if still + margin <= alpha:
            return still + margin, hinted
    return _UNKNOWN, hinted


@njit_inline
def _without_search(
    tables: Any, weights: Any, stack: _Stack, ply: int, depth: int, result: int
) -> int:
    """The score of a move just made for its side if no search is needed to know it, else
    _UNKNOWN.
    """
    board, info = stack.boards[ply + 1], stack.infos[ply + 1]
    if result != 0:
        return _ended(result, side(tables, stack.infos[ply]), ply + 1)
    if stack.state[_DRAW_ON_REPETITION] != 0 and _is_repeated(tables, stack, ply + 1):
        return 0
    if depth <= 1 and not is_noisy(tables, board, info, stack.work):
        stack.state[_NODES] += 1
        return -score(tables, board, info, weights, stack.notes[ply + 1])
    return _UNKNOWN


@njit_linked
def _search(
    tables: Any,
    weights: Any,
    table: _Table,
    stack: _Stack,
    ply: int,
    depth: int,
    alpha: int,
    beta: int,
) -> int:
    """The score of the position on that ply of the stack: exact between alpha and beta, else a
    bound.
    """
    state = stack.state
    state[_NODES] += 1
    if state[_NODES] >= state[_LIMIT]:
        state[_STOPPED] = 1
        return 0
    known, hinted = _at_a_glance(tables, weights, table, stack, ply, depth, alpha, beta)
    if known != _UNKNOWN:
        return known
    board, info, here = stack.boards[ply], stack.infos[ply], stack.keys[ply]
    count = legal(tables, board, info, stack.actions[ply])
    best, best_action, floor = -_INFINITE, -1, alpha
    ordered = False
    for i in range(count):
        ordered = _bring_next(tables, weights, stack, ply, depth, i, count, hinted, ordered)
        action = stack.actions[ply, i]
        result = _make(tables, weights, stack, ply, action)
        found = _without_search(tables, weights, stack, ply, depth, result)
        if found == _UNKNOWN:
            less, full = 0, i == 0
            if depth >= 2 and i >= _LATE:
                less = 2 if i >= 4 * _LATE and depth >= 4 else 1
            # A null window and less depth first, then full depth, then the full window. The loop
            # has the only recursive call: numba compiles the whole recursion once more for each
            # one.
            while True:
                low = -beta if full else -alpha - 1
                found = -_search(
                    tables, weights, table, stack, ply + 1, depth - 1 - less, low, -alpha
                )
                if full or found <= alpha or state[_STOPPED] != 0:
                    break
                if less > 0:
                    less = 0
                elif found < beta:
                    full = True
                else:
                    break
        if state[_STOPPED] != 0:
            return 0
        if found > best:
            best, best_action = found, action
            alpha = max(alpha, found)
            if alpha >= beta:
                _reward(stack, ply, depth, side(tables, info), action)
                break
    if depth > 0:
        _store(
            table,
            here,
            ply,
            depth,
            best_action,
            best,
            _LEAST if best >= beta else _EXACT if best > floor else _MOST,
        )
    return best
