"""Many games of Thruway at once: steps with a new game after each end, masks of legal actions,
observations.

A mask comes from whole rows of cells, kept as bits: which pairs along a row, and which across two
rows, may be paved or swapped. The edges are numbered cell by cell, east before south, so a row's
pairs go to known places of the mask.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.games import Lanes, close
from rules.grid.kernels.jit import njit_entry, njit_inline, u64
from rules.grid.kernels.thruway import (
    BARRED,
    CONCRETE,
    DISPUTED,
    DRAWN,
    FIRM,
    PASS,
    PLIES,
    ROWS,
    SIDE,
    STEP,
    SWAPPED,
    TRADE,
    Tables,
    Words,
    lacks_tiles,
    play_inline,
    reset,
)

ACTIONS = 2
"""Actions beside the edges: TRADE, PASS."""

PLANES = 6
"""Planes of an observation: see `rules.grid.Batch`."""


@njit_entry
def step(tables: Tables, games: Lanes, work: Words, actions: Words) -> None:
    """Plays a legal action in each game; a game that is over begins anew. Fills all arrays of
    `games`.
    """
    for i in range(len(actions)):
        board, info = games.boards[i], games.infos[i]
        games.plies[i] += 1
        won = play_inline(tables, board, info, work, actions[i])
        winner = -1
        if won == DRAWN:
            winner = 2
        elif won != 0:
            winner = (won - 1) ^ info[SWAPPED]
        if close(games.rewards, games.ended, games.truncated, games.plies, games.cap, i, winner):
            reset(tables, board, info)
        _tell(tables, games, i)


@njit_entry
def fill(tables: Tables, games: Lanes) -> None:
    """Fills masks, seats and sides, for games that were put there."""
    for i in range(len(games.plies)):
        _tell(tables, games, i)


@njit_entry
def observe(tables: Tables, games: Lanes, out: npt.NDArray[np.uint8]) -> None:
    """Fills `out` uint8[n, PLANES, size, size]."""
    size = tables.size & 31
    for i in range(len(games.plies)):
        info = games.infos[i]
        side = info[SIDE] & 1
        trade = tables.trade != 0 and info[PLIES] == 1
        for y in range(size):
            row = ROWS + STEP * (y + 1)
            own, other, firm = info[row + CONCRETE + side], info[row + CONCRETE + 1 - side], info[row + FIRM]
            squares = info[row + DISPUTED] | info[row - STEP + DISPUTED]
            squares |= squares << 1
            for x in range(size):
                bit = u64(x + 1)
                out[i, 0, y, x] = own >> bit & 1
                out[i, 1, y, x] = other >> bit & 1
                out[i, 2, y, x] = squares >> bit & 1
                out[i, 3, y, x] = firm >> bit & 1
                out[i, 4, y, x] = side
                out[i, 5, y, x] = trade


@njit_inline
def _tell(tables: Tables, games: Lanes, i: int) -> None:
    """Seat, side and mask of a game."""
    info = games.infos[i]
    side = info[SIDE] & 1
    games.sides[i] = side
    games.seats[i] = side ^ info[SWAPPED]
    edges = len(tables.edges)
    mask = games.masks[i]
    found = _edges(tables, info, mask)
    mask[edges + TRADE] = tables.trade != 0 and info[PLIES] == 1
    mask[edges + PASS] = found == 0 and mask[edges + TRADE] == 0


@njit_inline
def _edges(tables: Tables, info: Words, mask: npt.NDArray[np.uint8]) -> int:
    """The mask of the edges; returns how many are legal."""
    size, side = tables.size & 31, info[SIDE] & 1
    paving = 0 if lacks_tiles(tables, info) else -1
    found = 0
    for y in range(1, size + 1):
        row = ROWS + STEP * y
        empty, foreign = info[row], info[row] | info[row + CONCRETE + 1 - side]  # cells that may be paved
        below, foreign_below = info[row + STEP], info[row + STEP] | info[row + STEP + CONCRETE + 1 - side]
        squares = info[row + DISPUTED]
        # bit x stands for the pair of columns x and x + 1, or of the rows y and y + 1
        flat = foreign & foreign >> 1 & (empty | empty >> 1) & paving | squares | info[row - STEP + DISPUTED]
        steep = foreign & foreign_below & (empty | below) & paving | squares | squares << 1
        first = u64((y - 1) * (2 * size - 1))
        if y < size:
            for x in range(size - 1):
                one, other = flat >> u64(x + 1) & 1, steep >> u64(x + 1) & 1
                mask[first + u64(2 * x)] = one
                mask[first + u64(2 * x + 1)] = other
                found += one + other
            last = steep >> u64(size) & 1
            mask[first + u64(2 * size - 2)] = last
            found += last
        else:
            for x in range(size - 1):
                one = flat >> u64(x + 1) & 1
                mask[first + u64(x)] = one
                found += one
    for place in range(BARRED + 1, BARRED + 1 + (info[BARRED] & 15)):
        found -= mask[info[place]]
        mask[info[place]] = 0
    return int(found)
