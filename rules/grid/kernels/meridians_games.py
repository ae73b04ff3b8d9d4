"""Many games of Meridians at once: steps with a new game after each end, masks of legal actions,
observations.

Actions are the points, then PASS, KEEP and SWAP. The pair of stones of the pie option is put down
by two actions of the same seat: light's point, then dark's.

A mask comes from whole rows of points. Row y of the board lies in the bits of one word, a point's
column is its bit, and a point's neighbours in the row below have its own column and the one before.
A point sees a stone along a column or a diagonal if the point before it there is that stone, or is
empty and sees it too: one pass down the rows and one up. Along a row, an empty stretch is seen as a
whole from either of its ends.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.dispatch import below, register
from rules.grid.kernels.games import Lanes, close
from rules.grid.kernels.jit import njit_entry, njit_inline, u64
from rules.grid.kernels.meridians import (
    CELLS,
    EMPTIES,
    EMPTY,
    KEEP,
    LINES,
    OPENING,
    PAIR,
    PIE,
    PLIES,
    SIDE,
    SWAP,
    SWAPPED,
    Cells,
    Tables,
    Words,
    fits,
    legal,
    play,
    reset,
)

_TRIES = 24  # random empty points to try; after that, all legal points are listed

ACTIONS = 3
"""Actions beside the points: PASS, KEEP, SWAP."""

PLANES = 6
"""Planes of an observation: see `rules.grid.Batch`."""

_OWN, _EMPTY, _SEEN, _ROW = range(4)

Rows = npt.NDArray[np.int64]


# --- a random action ------------------------------------------------------------------------------


@njit_entry(inline=True)
def pick(
    tables: Tables, board: Cells, info: Words, work: Words, chance: npt.NDArray[np.uint64]
) -> int:
    """A random legal action, all equally likely, of a game that goes on."""
    n = tables.points
    if info[PIE] == 1 and info[PLIES] < 2:
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


register(Tables, pick=pick, pick_plain=pick)


# --- many games at once ---------------------------------------------------------------------------


def rows_of(size: int) -> Rows:
    """int64[rows, 3]: of each row the number of its first point, how many it has, and the column of
    the first one.
    """
    m = size - 1
    lengths = [2 * m - abs(y - m) for y in range(2 * m + 1)]
    firsts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    return np.array([firsts, lengths, [max(m - y, 0) for y in range(2 * m + 1)]], np.int64).T.copy()


def scratch(tables: Tables, rows: Rows) -> tuple[Words, Words]:
    """Room for `step`: for single actions, and for the words of the rows with an empty row on
    either side.
    """
    return np.zeros(tables.points + PAIR, np.int64), np.zeros((len(rows) + 2, _ROW), np.int64)


@njit_entry
def step(
    tables: Tables, rows: Rows, games: Lanes, work: Words, words: Words, actions: Words
) -> None:
    """Plays a legal action in each game; a game that is over begins anew. Fills all arrays of
    `games`.
    """
    for i in range(len(actions)):
        board, info = games.boards[i], games.infos[i]
        action, winner = actions[i], -1
        games.plies[i] += 1
        if info[PIE] == 1 and info[PLIES] == 0 and games.waiting[i] < 0:
            games.waiting[i] = action
        else:
            if games.waiting[i] >= 0:
                action += tables.points + PAIR + games.waiting[i] * tables.points
                games.waiting[i] = -1
            won = play(tables, board, info, work, action)
            if won != 0:
                winner = (won - 1) ^ info[SWAPPED]
        if close(games.rewards, games.ended, games.truncated, games.plies, games.cap, i, winner):
            reset(tables, board, info)
            games.waiting[i] = -1
        _tell(tables, rows, games, words, i)


@njit_entry
def fill(tables: Tables, rows: Rows, games: Lanes, words: Words) -> None:
    """Fills masks, seats and sides, for games that were put there."""
    for i in range(len(games.plies)):
        _tell(tables, rows, games, words, i)


@njit_entry
def observe(rows: Rows, games: Lanes, out: npt.NDArray[np.uint8]) -> None:
    """Fills `out` uint8[n, PLANES, rows, columns]."""
    for i in range(len(games.plies)):
        board, info = games.boards[i], games.infos[i]
        own = info[SIDE] + 1
        opening, pie = info[PLIES] < OPENING, info[PIE] == 1 and info[PLIES] < 2
        for y in range(len(rows)):
            for x in range(out.shape[3]):
                for plane in range(2):
                    out[i, plane, y, x] = 0
                out[i, 3, y, x] = info[SIDE]
                out[i, 4, y, x] = opening
                out[i, 5, y, x] = pie
            for x in range(rows[y, 1]):
                column = rows[y, 2] + x
                held = board[CELLS, rows[y, 0] + x]
                out[i, 0, y, column] = held == own
                out[i, 1, y, column] = held == 3 - own
        if games.waiting[i] >= 0:
            _show(rows, out[i, 0], games.waiting[i])


@njit_inline
def _show(rows: Rows, plane: npt.NDArray[np.uint8], point: int) -> None:
    for y in range(len(rows)):
        x = point - rows[y, 0]
        if 0 <= x < rows[y, 1]:
            plane[y, rows[y, 2] + x] = 1


@njit_inline
def _tell(tables: Tables, rows: Rows, games: Lanes, words: Words, i: int) -> None:
    """Seat, side and mask of a game."""
    info = games.infos[i]
    side = info[SIDE] & 1
    games.sides[i] = side
    games.seats[i] = side ^ info[SWAPPED]
    n = tables.points
    mask = games.masks[i]
    for action in range(n, n + ACTIONS):
        mask[action] = 0
    if info[PIE] == 1 and info[PLIES] < 2:
        for p in range(n):
            mask[p] = info[PLIES] == 0 and p != games.waiting[i]
        if info[PLIES] == 1:
            mask[n + KEEP] = mask[n + SWAP] = 1
        return
    if _points(rows, info, words, mask) == 0:
        mask[n] = 1


@njit_inline
def _points(rows: Rows, info: Words, words: Words, mask: npt.NDArray[np.uint8]) -> int:
    """The mask of the points of an ordinary turn; 0 if there is none."""
    side, height = info[SIDE] & 1, len(rows)
    # down: stones above in the same column, and above in the next one
    straight, slanted, before = 0, 0, 0
    for y in range(height):
        shift = u64(rows[y, 2])
        line = LINES + 2 * y
        own = info[line + side] << shift
        empty = ((1 << u64(rows[y, 1])) - 1 << shift) & ~(own | info[line + 1 - side] << shift)
        straight = empty & (before | straight)
        slanted = empty & ((before | slanted) >> 1)
        words[y + 1, _OWN], words[y + 1, _EMPTY] = own, empty
        words[y + 1, _SEEN] = straight | slanted | _along(own, empty)
        before = own
    straight, slanted, before, found = 0, 0, 0, 0
    early, second = info[PLIES] < 2, info[PLIES] < OPENING
    for y in range(height - 1, -1, -1):
        own, empty = words[y + 1, _OWN], words[y + 1, _EMPTY]
        straight = empty & (before | straight)
        slanted = empty & ((before | slanted) << 1)
        seen = words[y + 1, _SEEN] | straight | slanted
        if early:
            seen = empty
        elif second:
            above = words[y, _OWN]
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
