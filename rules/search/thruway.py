"""What a search wants to know of Thruway: its kernels by their common names, a guess at every move, and better random games.

A move is guessed at by what it looks like to its mover: a sum of weights, one for each thing below, fitted to the moves that
long searches chose (benchmarks/thruway_weights.py). The chances of moves are to each other as the exponentials of their sums.

- the empty neighbours that the two tiles keep (the designer's approaches: an odd number is vulnerable), for two empty cells,
  for a replaced tile and an empty cell; along or across the way between the mover's borders
- each of the six cells around the pair by its place (beyond an end, or at a side), by whether it lies beside a cell that was
  empty or beside a replaced tile, and by what it holds: a tile of either colour with its approaches, nothing, a border
- the four cells diagonal to the pair, and the two behind its ends
- for a swap how many disputes it resolves and makes, and own neighbours lost and won
- where it lies from the last move
- in the tree only, how much longer the shortest way between each side's borders gets when led through the move (`_survey`)

In a rollout a few moves are drawn, some of them near the last one, and the one that looks best is made.

`work` is the kernels' with more room before its last part: `room` makes it. Nothing else is kept between calls.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from rules.kernels import thruway as kernel
from rules.kernels.chance import below
from rules.kernels.dispatch import register
from rules.kernels.jit import part, rule

__all__ = ["LOCAL", "SHAPE", "WEIGHTS", "features", "load", "room"]

# Where the weights of each kind of feature begin.
_PAIR = 0  # 2 along x 4 x 4 approaches
_REPLACE = _PAIR + 32  # 2 along x 4 x 4
_SWAP = _REPLACE + 32  # 3 resolved x 3 made
_MOVED = _SWAP + 9  # 13 differences of own neighbours
_AROUND = _MOVED + 13  # 2 along x 2 places x 2 besides x 16 held
_CORNER = _AROUND + 128  # 2 besides x 4 held
_BEHIND = _CORNER + 8  # 2 along x 4 held
SHAPE = _BEHIND + 8
_FAR = 7
LOCAL = SHAPE + 2 * _FAR * _FAR + 2
_SLACK = 8
WEIGHTS = LOCAL + 3 * _SLACK * _SLACK
"""How many weights there are: of the shape alone, with the place of the last move, with the ways between the borders."""

_PLAIN, _NEAR, _COLD = range(3)
_KNOBS = 4
_SCALE = 1000.0
_NEVER = 1 << 20

Words = npt.NDArray[np.int64]


def room(tables: kernel.Tables, weights: Words, plain: int = 2, near: int = 2, cold: float = 2.0) -> Words:
    """`work` for a search of one thread. `weights` int64[2, WEIGHTS] for the tree and for rollouts, in thousandths.

    A rollout draws `plain` moves from the whole board and `near` from around the last one for each that it makes; with one and
    none it is uniform. The guess at a move is its chance over that of the likeliest, to the power 1 / `cold`.
    """
    ordinary = kernel.blank(tables)[2]
    begin = _begin(tables)
    work = np.zeros(len(ordinary) + _KNOBS + 2 * WEIGHTS + 5 * (tables.size + 2) ** 2, np.int64)
    work[begin : begin + _KNOBS] = plain, near, round(cold * 1000), 0
    work[begin + _KNOBS : begin + _KNOBS + 2 * WEIGHTS] = weights.reshape(-1)
    return work


@cache
def load() -> Words:
    """The weights that come with the package."""
    with files("rules.search").joinpath("thruway.npz").open("rb") as file, np.load(file) as stored:
        return np.asarray(stored["weights"], np.int64)


def _begin(tables: kernel.Tables) -> int:
    return 1 + len(tables.edges) + kernel.most_legal(tables)


@rule
def features(tables: Any, board: Any, info: Any, work: Any, action: int, out: Any, survey: bool) -> int:
    """The weights that make up the sum of an edge, as numbers in `out`; how many. For fitting; `survey` once a position."""
    if survey:
        _survey(tables, board, info, work)
    begin = 2 + 2 * len(tables.edges)
    at = begin + _KNOBS
    count = 0
    # A weight counts once for each feature: the sum with unit weights at one place tells how often that feature is there.
    for place in range(WEIGHTS):
        work[at + place] = 0
    for place in range(WEIGHTS):
        work[at + place] = 1
        times = _look(tables, board, info, work, action, at) + _way(tables, board, info, work, action, at)
        work[at + place] = 0
        for _ in range(times):
            out[count] = place
            count += 1
    return count


@part
def _approaches(board: Any, cell: int, width: int) -> int:
    """How many of a cell's neighbours are empty."""
    return int(board[cell - 1] == 0) + int(board[cell + 1] == 0) + int(board[cell - width] == 0) + int(board[cell + width] == 0)


@part
def _held(board: Any, cell: int, width: int, me: int, flat: int) -> int:
    """What a cell holds to `me`, 0 to 15: own tiles, the other's with their approaches, nothing, the own or the other border."""
    tile = board[cell]
    if tile == me:
        return _approaches(board, cell, width)
    if tile == 3 - me:
        return 5 + _approaches(board, cell, width)
    if tile == 0:
        return 10 + _approaches(board, cell, width)
    return 15


@part
def _simply(board: Any, cell: int, me: int) -> int:
    """What a cell holds to `me`, 0 to 3: nothing, an own tile, the other's, a border."""
    tile = board[cell & 1023]
    return 0 if tile == 0 else 3 if tile == 3 else 1 if tile == me else 2


@part
def _ring(board: Any, work: Any, at: int, cell: int, step: int, width: int, me: int, along: int, old: int) -> int:
    """The sum for the cells around one cell of the pair, which goes on from it by `step`, and lies beside the pair's other cell."""
    across = width + 1 - step if step > 0 else width + 1 + step
    base = at + _AROUND + 64 * along + 16 * old
    total = work[base + _held(board, cell + step, width, me, 0)]
    total += work[base + 32 + _held(board, cell + across, width, me, 0)]
    total += work[base + 32 + _held(board, cell - across, width, me, 0)]
    corner = at + _CORNER + 4 * old
    total += work[corner + _simply(board, cell + step + across, me)] + work[corner + _simply(board, cell + step - across, me)]
    if board[cell + step] != 3:
        total += work[at + _BEHIND + 4 * along + _simply(board, cell + 2 * step, me)]
    return int(total)


@part
def _look(tables: Any, board: Any, info: Any, work: Any, action: int, at: int) -> int:
    """The sum of an edge but for the ways between the borders, from the weights that begin in `work` at `at`."""
    width = tables.size + 2
    me = info[kernel.SIDE] + 1
    packed = tables.edges[action & 0xFFFF]
    first, second = packed & 1023, packed >> 10 & 1023
    flat = packed >> 30
    along = flat if me == 1 else 1 - flat
    one, other = board[first], board[second]
    step = second - first
    across = width + 1 - step
    if one != 0 and other != 0:
        resolved, made = 0, 0
        for turn in range(2):
            aside = across if turn == 0 else -across
            upper, lower = board[first + aside], board[second + aside]
            resolved += upper == other and lower == one
            made += upper == one and lower == other
        total = work[at + _SWAP + 3 * resolved + made]
        mine, theirs = (first, second) if one == me else (second, first)
        won, lost = 0, 0
        for turn in range(4):
            aside = across if turn == 0 else -across if turn == 1 else step if turn == 2 else -step
            won += board[theirs + aside] == me and theirs + aside != mine
            lost += board[mine + aside] == me
        total += work[at + _MOVED + 6 + won - lost]
    else:
        a = _approaches(board, first, width) - (other == 0)
        b = _approaches(board, second, width) - (one == 0)
        if one == 0 and other == 0:
            total = work[at + _PAIR + 16 * along + 4 * min(a, b) + max(a, b)]
        elif one == 0:
            total = work[at + _REPLACE + 16 * along + 4 * b + a]
        else:
            total = work[at + _REPLACE + 16 * along + 4 * a + b]
        total += _ring(board, work, at, second, step, width, me, along, int(other != 0))
        total += _ring(board, work, at, first, -step, width, me, along, int(one != 0))
    last = info[kernel.LAST] - 1
    if last < 0:
        return int(total + work[at + LOCAL - 1])
    beside = tables.edges[last & 0xFFFF]
    to, turned = beside & 1023, beside >> 30
    down = abs(2 * (first // width - to // width) + turned - flat)
    right = abs(2 * (first % width - to % width) + flat - turned)
    if down >= _FAR or right >= _FAR:
        return int(total + work[at + LOCAL - 2])
    if me == 2:
        down, right = right, down
    return int(total + work[at + SHAPE + _FAR * _FAR * along + _FAR * down + right])


@rule
def _survey(tables: Any, board: Any, info: Any, work: Any) -> None:
    """For both colours how far every cell is from either border, in `work`, and behind that the costs of its cells.

    A tile costs its owner little and the other much, by whether it can be lost: the other takes it if an odd number of
    neighbours is empty.
    """
    size, width = tables.size, tables.size + 2
    cells = width * width
    begin = 2 + 2 * len(tables.edges) + _KNOBS + 2 * WEIGHTS
    cost = begin + 4 * cells
    for me in range(1, 3):
        for cell in range(cells):
            tile = board[cell]
            price = _NEVER
            if tile == 0:
                price = 4
            elif tile != 3:
                y, x = cell // width, cell % width
                firm = info[kernel.ROWS + 5 * y + 4] >> x & 1
                free = _approaches(board, cell, width)
                if tile == me:
                    price = 0 if firm else 2 if free & 1 or free == 0 else 1
                else:
                    price = _NEVER if firm else 6 if free & 1 or free == 0 else 8
            work[cost + cell] = price
        for border in range(2):
            far = begin + (2 * (me - 1) + border) * cells
            for cell in range(cells):
                work[far + cell] = _NEVER
            for n in range(1, size + 1):
                edge = n * width if me == 1 else n
                if border == 1:
                    edge += size + 1 if me == 1 else (size + 1) * width
                work[far + edge] = 0
            grew, forward = True, border == 0
            while grew:
                grew = False
                for n in range(size * size):
                    m = n if forward else size * size - 1 - n
                    cell = width + 1 + m // size * width + m % size if me == 2 else width + 1 + m % size * width + m // size
                    best = min(
                        min(work[far + cell - 1], work[far + cell + 1]), min(work[far + cell - width], work[far + cell + width])
                    )
                    best = min(best + work[cost + cell], _NEVER)
                    if best < work[far + cell]:
                        work[far + cell] = best
                        grew = True
                forward = not forward
        shortest = _NEVER
        for n in range(1, size + 1):
            edge = n * width + size if me == 1 else size * width + n
            shortest = min(shortest, work[begin + 2 * (me - 1) * cells + edge])
        # From the lengths of ways through each cell: how much longer than the shortest.
        for cell in range(cells):
            through = work[begin + 2 * (me - 1) * cells + cell] + work[begin + (2 * me - 1) * cells + cell] - work[cost + cell]
            work[begin + 2 * (me - 1) * cells + cell] = max(through - shortest, 0)


@part
def _way(tables: Any, board: Any, info: Any, work: Any, action: int, at: int) -> int:
    """The weight of an edge by how far it lies off the shortest ways."""
    width = tables.size + 2
    cells = width * width
    begin = 2 + 2 * len(tables.edges) + _KNOBS + 2 * WEIGHTS
    me = info[kernel.SIDE] & 1
    packed = tables.edges[action & 0xFFFF]
    first, second = packed & 1023, packed >> 10 & 1023
    own, others = begin + 2 * me * cells, begin + 2 * (1 - me) * cells
    mine = min(min(work[own + first], work[own + second]), _SLACK - 1)
    theirs = min(min(work[others + first], work[others + second]), _SLACK - 1)
    kind = 2 if board[first] != 0 and board[second] != 0 else int(board[first] != 0 or board[second] != 0)
    return int(work[at + LOCAL + (kind * _SLACK + mine) * _SLACK + theirs])


@rule
def _priors(tables: Any, board: Any, info: Any, work: Any, actions: Any, count: int, out: Any) -> None:
    edges = len(tables.edges)
    begin = 2 + 2 * edges
    at = begin + _KNOBS
    _survey(tables, board, info, work)
    best = -1e18
    for i in range(count):
        action = actions[i]
        value = 0.0
        if action < edges:
            value = (_look(tables, board, info, work, action, at) + _way(tables, board, info, work, action, at)) / _SCALE
        out[i] = value
        best = max(best, value)
    cold = work[begin + _COLD] / 1000.0
    for i in range(count):
        out[i] = np.exp((out[i] - best) / cold)


@rule
def _pick(tables: Any, board: Any, info: Any, work: Any, chance: Any) -> int:
    begin = 2 + 2 * len(tables.edges)
    plain, near = work[begin + _PLAIN], work[begin + _NEAR]
    best = kernel.pick(tables, board, info, work, chance)
    if plain + near < 2 or best >= len(tables.edges):
        return int(best)
    at = begin + _KNOBS + WEIGHTS
    best_value = _look(tables, board, info, work, best, at)
    for _ in range(plain - 1):
        action = kernel.pick(tables, board, info, work, chance)
        if action == best:
            continue
        value = _look(tables, board, info, work, action, at)
        if value > best_value:
            best, best_value = action, value
    last = info[kernel.LAST] - 1
    if last >= 0:
        width = tables.size + 2
        to = tables.edges[last & 0xFFFF] & 1023
        for _ in range(near):
            # An edge that begins within two cells of where the last one began.
            cell = to + (below(chance, 5) - 2) * width + below(chance, 5) - 2
            if cell < 0 or cell >= len(board):
                continue
            action = tables.east[cell] if below(chance, 2) == 0 else tables.south[cell]
            if action == 0 or action == best or not kernel.turns(tables, board, info, action):
                continue
            value = _look(tables, board, info, work, action, at)
            if value > best_value:
                best, best_value = action, value
    return int(best)


@rule
def _side(tables: Any, info: Any) -> int:  # noqa: ARG001 - the common form
    return int(info[kernel.SIDE])


@rule
def _start(tables: Any, board: Any, info: Any, work: Any) -> None:  # noqa: ARG001 - the common form
    kernel.prepare(tables, work)


@rule
def _same(tables: Any, board: Any, info: Any, other_board: Any, other_info: Any) -> bool:  # noqa: ARG001 - the common form
    for place in range(kernel.SEEN):
        if info[place] != other_info[place]:
            return False
    for cell in range(len(board)):  # noqa: SIM110 - compiled code has no generators
        if board[cell] != other_board[cell]:
            return False
    return True


register(
    kernel.Tables,
    side=_side,
    legal=kernel.legal,
    play=kernel.play,
    pick=_pick,
    same=_same,
    start_rollout=_start,
    priors=_priors,
)
