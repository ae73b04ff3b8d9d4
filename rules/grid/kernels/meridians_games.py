"""Many games of Meridians at once: random actions, masks of legal actions, observations.

Actions are the points, then PASS, KEEP and SWAP. The pair of stones of the pie option is put down
by two actions of the same seat: light's point, then dark's.

A mask comes from whole rows of points. Row y of the board lies in the bits of one word, a point's
column is its bit, and a point's neighbours in the row below have its own column and the one before.
A point sees a stone along a column or a diagonal if the point before it there is that stone, or is
empty and sees it too: one pass down the rows and one up. Along a row, an empty stretch is seen as a
whole from either of its ends.
"""

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.dispatch import PLIES, SIDE, below, register
from rules.grid.kernels.jit import njit_entry, njit_inline, u64
from rules.grid.kernels.meridians import (
    CELLS,
    EMPTIES,
    EMPTY,
    KEEP,
    LINES,
    OPENING,
    PAIR,
    ROW,
    SWAP,
    Cells,
    Tables,
    Words,
    fits,
    legal,
)

_TRIES = 24  # random empty points to try; after that, all legal points are listed

ACTIONS = 3
"""Actions beside the points: PASS, KEEP, SWAP."""

PLANES = 6
"""Planes of an observation: see `rules.grid.Batch`."""

_OWN, _EMPTY, _SEEN = range(ROW)


# --- a random action ------------------------------------------------------------------------------


@njit_entry(inline=True)
def pick(
    tables: Tables, board: Cells, info: Words, work: Words, chance: npt.NDArray[np.uint64]
) -> int:
    """A random legal action, all equally likely, of a game that goes on."""
    n = tables.points
    if tables.pie != 0 and info[PLIES] < 2:
        if info[PLIES] == 1:
            return n + KEEP + below(chance, 2)
        light, dark = below(chance, n), below(chance, n - 1)
        return n + PAIR + light * n + dark + (dark >= light)
    # Drawing again after an illegal point leaves all legal points the same chance.
    for _ in range(_TRIES):
        p = int(board[EMPTY, below(chance, info[EMPTIES])])
        if fits(tables, board, info, p):
            return p
    return int(work[below(chance, legal(tables, board, info, work))])


# --- many games at once ---------------------------------------------------------------------------


@njit_inline
def _whole(tables: Tables, info: Words, first: int, action: int) -> int:
    if tables.pie == 0 or info[PLIES] > 0:
        return action
    return -1 if first < 0 else tables.points + PAIR + first * tables.points + action


@njit_inline
def _show(
    tables: Tables, board: Cells, info: Words, first: int, planes: npt.NDArray[np.uint8]
) -> None:
    own = info[SIDE] + 1
    opening, pie = info[PLIES] < OPENING, tables.pie != 0 and info[PLIES] < 2
    for row in range(len(tables.rows)):
        y, start, length, left = (
            u64(row),
            tables.rows[row, 0],
            tables.rows[row, 1],
            tables.rows[row, 2],
        )
        for column in range(planes.shape[2]):
            x = u64(column)
            planes[0, y, x] = planes[1, y, x] = 0
            planes[3, y, x] = info[SIDE]
            planes[4, y, x] = opening
            planes[5, y, x] = pie
        for nth in range(length):
            x, held = u64(left + nth), board[CELLS, u64(start + nth)]
            planes[0, y, x] = held == own or start + nth == first
            planes[1, y, x] = held == 3 - own


@njit_inline
def _mark(
    tables: Tables, info: Words, work: Words, first: int, mask: npt.NDArray[np.uint8]
) -> None:
    n = tables.points
    for action in range(n, n + ACTIONS):
        mask[action] = 0
    if tables.pie != 0 and info[PLIES] < 2:
        for p in range(n):
            mask[p] = info[PLIES] == 0 and p != first
        if info[PLIES] == 1:
            mask[n + KEEP] = mask[n + SWAP] = 1
    elif _points(tables.rows, info, work, mask) == 0:
        mask[n] = 1


@njit_inline
def _points(rows: Words, info: Words, words: Words, mask: npt.NDArray[np.uint8]) -> int:
    """The mask of the points of an ordinary turn; 0 if there is none. `words` are scratch."""
    side, height = info[SIDE] & 1, len(rows)
    words[_OWN] = 0  # above the first row
    # down: stones above in the same column, and above in the next one
    straight, slanted, before = 0, 0, 0
    for y in range(height):
        shift = u64(rows[y, 2])
        line = LINES + 2 * y
        own = info[line + side] << shift
        empty = ((1 << u64(rows[y, 1])) - 1 << shift) & ~(own | info[line + 1 - side] << shift)
        straight = empty & (before | straight)
        slanted = empty & ((before | slanted) >> 1)
        at = ROW * (y + 1)
        words[u64(at + _OWN)], words[u64(at + _EMPTY)] = own, empty
        words[u64(at + _SEEN)] = straight | slanted | _along(own, empty)
        before = own
    straight, slanted, before, found = 0, 0, 0, 0
    early, second = info[PLIES] < 2, info[PLIES] < OPENING
    for y in range(height - 1, -1, -1):
        at = ROW * (y + 1)
        own, empty = words[u64(at + _OWN)], words[u64(at + _EMPTY)]
        straight = empty & (before | straight)
        slanted = empty & ((before | slanted) << 1)
        seen = words[u64(at + _SEEN)] | straight | slanted
        if early:
            seen = empty
        elif second:
            above = words[u64(at - ROW + _OWN)]
            seen &= ~(own << 1 | own >> 1 | before | before << 1 | above | above >> 1)
        before = own
        found |= seen
        seen >>= u64(rows[y, 2])
        first = u64(rows[y, 0])
        for x in range(rows[y, 1]):
            mask[first + u64(x)] = seen >> u64(x) & 1
    return int(found)


@njit_inline
def _along(own: int, empty: int) -> int:
    """The empty points of a row that see an own stone along it."""
    # the carry runs through the stretch that begins at a stone
    seen = empty & ~(empty + (own << 1 & empty))
    other, free = own >> 1 & empty, empty
    other |= free & other >> 1
    free &= free >> 1
    other |= free & other >> 2
    free &= free >> 2
    other |= free & other >> 4
    free &= free >> 4
    other |= free & other >> 8
    free &= free >> 8
    other |= free & other >> 16
    return seen | other


register(Tables, pick=pick, pick_plain=pick, whole=_whole, mark=_mark, show=_show)
