"""The marks that a page shows on a board of Meridians, read off the compiled position. Plain Python is fast enough: they are
read once per ply.
"""

from __future__ import annotations

import numpy as np

from rules.grid.kernels.meridians.consequences import endangered
from rules.grid.kernels.meridians.position import CELLS, LEADER, LINES, PAIR, SIDE, Cells, Tables, Words

__all__ = ["doomed", "sights"]


def doomed(tables: Tables, board: Cells, info: Words) -> list[int]:
    """The stones of the groups that `endangered` finds."""
    work = np.zeros(tables.points + PAIR, np.int64)
    leaders = work[: endangered(tables, board, info, work)]
    stones = board[CELLS, : tables.points] == info[SIDE] + 1
    found: list[int] = np.flatnonzero(stones & np.isin(board[LEADER, : tables.points], leaders)).tolist()
    return found


def sights(tables: Tables, info: Words, p: int, side: int) -> list[int]:
    """The stones of `side` that are the first ones met from the point `p`, in the directions where there is one."""
    found = []
    for axis in range(3):
        line, offset = int(tables.line[p, axis]), int(tables.offset[p, axis])
        own, other = (int(info[LINES + 2 * line + colour]) for colour in (side, 1 - side))
        after, before = (own | other) >> (offset + 1), (own | other) & (1 << offset) - 1
        nearest = [offset + (after & -after).bit_length()] * (after > 0) + [before.bit_length() - 1] * (before > 0)
        found += [int(tables.on_line[line, place]) for place in nearest if own >> place & 1]
    return found
