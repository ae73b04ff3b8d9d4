"""Which actions of Meridians are legal, and how one is drawn at random."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.chance import below
from rules.grid.kernels.jit import njit_entry, njit_inline
from rules.grid.kernels.meridians.position import (
    CELLS,
    EMPTIES,
    EMPTY,
    KEEP,
    LINES,
    OPENING,
    PAIR,
    PASS,
    PIE,
    PLIES,
    SIDE,
    SWAP,
    Cells,
    Tables,
    Words,
)

__all__ = ["is_legal", "legal", "mobility", "pick", "pick_inline"]

_TRIES = 24  # random empty points to try; after that, all legal points are listed


@njit_entry(inline=True)
def legal(tables: Tables, board: Cells, info: Words, out: Words) -> int:
    """Fills `out` with the legal actions in rising order and returns how many there are; for a game that goes on."""
    n = tables.points
    count = 0
    if info[PIE] == 1 and info[PLIES] < 2:
        if info[PLIES] == 1:
            out[0] = n + KEEP
            out[1] = n + SWAP
            return 2
        for light in range(n):
            for dark in range(n):
                if light != dark:
                    out[count] = n + PAIR + light * n + dark
                    count += 1
        return count
    for p in range(n):
        if board[CELLS, p] == 0 and _fits(tables, board, info, p):
            out[count] = p
            count += 1
    if count == 0:
        out[0] = n + PASS
        count = 1
    return count


@njit_entry
def is_legal(tables: Tables, board: Cells, info: Words, action: int) -> bool:
    """Whether an action is legal in a game that goes on; any number may be asked about."""
    n = tables.points
    if action < 0:
        return False
    if info[PIE] == 1 and info[PLIES] < 2:
        if info[PLIES] == 1:
            return action == n + KEEP or action == n + SWAP
        pair = action - n - PAIR
        return 0 <= pair < n * n and pair // n != pair % n
    if action < n:
        return board[CELLS, action] == 0 and _fits(tables, board, info, action)
    if action != n + PASS:
        return False
    for p in range(n):  # noqa: SIM110 - compiled code has no generators
        if board[CELLS, p] == 0 and _fits(tables, board, info, p):
            return False
    return True


@njit_entry
def mobility(tables: Tables, board: Cells, info: Words, side: int) -> int:
    """How many empty points see a stone of `side`: its legal points, once the opening is over."""
    count = 0
    for i in range(info[EMPTIES]):
        count += _sees(tables, info, board[EMPTY, i], side)
    return count


@njit_entry(inline=True)
def pick(tables: Tables, board: Cells, info: Words, work: Words, chance: npt.NDArray[np.uint64]) -> int:
    """A random legal action, all equally likely, of a game that goes on."""
    return pick_inline(tables, board, info, work, chance)


@njit_inline
def pick_inline(tables: Tables, board: Cells, info: Words, work: Words, chance: npt.NDArray[np.uint64]) -> int:
    """`pick`, merged into its caller."""
    n = tables.points
    if info[PIE] == 1 and info[PLIES] < 2:
        if info[PLIES] == 1:
            return n + KEEP + below(chance, 2)
        light, dark = below(chance, n), below(chance, n - 1)
        return n + PAIR + light * n + dark + (dark >= light)
    # Drawing again after an illegal point leaves all legal points the same chance.
    for _ in range(_TRIES):
        p = int(board[EMPTY, below(chance, info[EMPTIES])])
        if _fits(tables, board, info, p):
            return p
    return int(work[below(chance, legal(tables, board, info, work))])


@njit_inline
def _fits(tables: Tables, board: Cells, info: Words, p: int) -> bool:
    """Whether the side to move may place a stone on the empty point `p`."""
    side = info[SIDE] & 1
    if info[PLIES] < OPENING:
        if info[PLIES] < 2:
            return True
        for d in range(6):
            if board[CELLS, tables.neighbours[p, d]] == side + 1:
                return False
    return _sees(tables, info, p, side)


@njit_inline
def _sees(tables: Tables, info: Words, p: int, side: int) -> bool:
    """Whether `p` sees a stone of `side`: in one of the six directions the first stone is of that side."""
    for axis in range(3):
        words = LINES + 2 * tables.line[p, axis]
        offset = tables.offset[p, axis]
        own, other = info[words + side], info[words + 1 - side]
        before = (1 << offset) - 1
        if (own & before) > (other & before):  # they share no bit, so the larger one has the higher bit
            return True
        after = (own | other) >> (offset + 1)
        if after & -after & (own >> (offset + 1)):
            return True
    return False
