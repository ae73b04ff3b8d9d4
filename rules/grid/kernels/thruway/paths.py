"""Whether a path of indestructible tiles joins the two borders of a colour."""

from __future__ import annotations

from rules.grid.kernels.jit import njit_inline
from rules.grid.kernels.thruway.position import ASPHALT, CONCRETE, FIRM, ROWS, STEP, Tables, Words

__all__ = ["is_connected"]


@njit_inline
def is_connected(tables: Tables, info: Words, work: Words, colour: int) -> bool:
    """Whether a path of indestructible tiles joins the two borders of a colour."""
    size = tables.size & 31
    # A cheap test first: a path needs two tiles side by side across every line between two columns, or two rows.
    if colour == 1:
        across = 0
        for y in range(1, size + 1):
            row = ROWS + STEP * y
            tiles = info[row + CONCRETE] & info[row + FIRM]
            across |= tiles & (tiles >> 1)
        if across != (1 << size) - 2:
            return False
    else:
        for y in range(1, size):
            row = ROWS + STEP * y
            under = row + STEP
            if info[row + ASPHALT] & info[row + FIRM] & info[under + ASPHALT] & info[under + FIRM] == 0:
                return False
    reached = (len(work) - size - 4) & 0xFFFF  # where the rows of reached tiles begin
    for y in range(size + 2):
        row = ROWS + STEP * y
        tiles = info[row + (colour & 3)] & info[row + FIRM]
        work[reached + y] = tiles & 2 if colour == 1 else (tiles if y == 1 else 0)
    y, step, grew, goal = 1, 1, True, 1 << size
    while grew:  # row by row to the south, then back to the north, until nothing is added
        grew = False
        for _ in range(size):
            row = ROWS + STEP * (y & 31)
            tiles = info[row + (colour & 3)] & info[row + FIRM]
            at = reached + (y & 31)
            before = work[at]
            now = _filled((before | work[at - 1] | work[at + 1]) & tiles, tiles, size)
            work[at] = now
            grew = grew or now != before
            if now & goal != 0 if colour == 1 else (y == size and now != 0):
                return True
            y += step
        y -= step
        step = -step
    return False


@njit_inline
def _filled(seeds: int, tiles: int, size: int) -> int:
    """The tiles of a row that are connected with a seed along the row."""
    reached = seeds | (tiles & (tiles ^ (tiles + seeds)))  # the carry of the sum runs through the tiles above a seed
    shift = 1
    while shift < size:
        reached |= tiles & (reached >> shift)
        tiles &= tiles >> shift
        shift *= 2
    return reached
