"""Many games of Thruway at once: random actions, masks of legal actions, observations.

A mask comes from whole rows of cells, kept as bits: which pairs along a row, and which across two
rows, may be paved or swapped. The edges are numbered cell by cell, east before south, so a row's
pairs go to known places of the mask.
"""

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.dispatch import PLIES, SIDE, below, count, lowest, register
from rules.grid.kernels.jit import njit_entry, njit_inline, u64
from rules.grid.kernels.thruway import (
    ASPHALT,
    BARRED,
    CONCRETE,
    DISPUTED,
    DISPUTES,
    FIRM,
    PASS,
    ROWS,
    STEP,
    TRADE,
    Cells,
    Tables,
    Words,
    is_barred,
    lacks_tiles,
    legal,
)

_TRIES = 48  # draws from edges of which some are illegal; after that, all legal ones are listed

ACTIONS = 2
"""Actions beside the edges: TRADE, PASS."""

PLANES = 6
"""Planes of an observation: see `rules.grid.Batch`."""


# --- a random action ------------------------------------------------------------------------------


@njit_entry
def prepare(tables: Tables, work: Words) -> None:
    """Makes `work` ready for `pick`. Call it once for each line of play, at its first position."""
    edges = len(tables.edges)
    work[0] = edges
    for edge in range(edges):
        work[1 + edge] = edge


@njit_entry(optimised=True, inline=True)
def pick(
    tables: Tables, board: Cells, info: Words, work: Words, chance: npt.NDArray[np.uint64]
) -> int:
    """A random legal action, all equally likely, of a game that goes on. `prepare` must have been
    called with `work`.

    Draws from a list until a legal action comes up. The list has every legal action once, and some
    illegal ones.

    First come the edges that were not fully paved when last drawn: `work[0]` is their number, and
    they follow it. Then come four swaps for each dispute, then the trade. A paved edge stays paved,
    so it leaves the list once it is drawn.
    """
    edges = len(tables.edges)
    short = lacks_tiles(tables, info)
    trade = tables.trade != 0 and info[PLIES] == 1
    me = info[SIDE] + 1
    swaps = 4 * info[DISPUTES]
    unpaved = work[0]
    for _ in range(_TRIES):
        total = unpaved + swaps + trade
        if total == 0:
            break
        drawn = below(chance, total)
        if drawn < unpaved:
            place = 1 + (drawn & 0xFFFF)
            edge = work[place]
            packed = tables.edges[edge & 0xFFFF]
            first, second = board[packed & 1023], board[packed >> 10 & 1023]
            if first != 0 and second != 0:
                work[place] = work[unpaved & 0xFFFF]
                unpaved -= 1
                work[0] = unpaved
            elif first != me and second != me and not short:
                return int(edge)
        elif drawn < unpaved + swaps:
            edge = _swap(tables, info, drawn - unpaved)
            if edge >= 0 and not is_barred(info, edge):
                return edge
        else:
            return edges + TRADE
    rest = work[1 + edges :]
    return int(rest[below(chance, legal(tables, board, info, rest))])


@njit_inline
def _swap(tables: Tables, info: Words, number: int) -> int:
    """The edge of the swap of that number, four for each dispute; -1 if the swap counts under
    another number.
    """
    dispute, which = number >> 2, number & 3
    width = (tables.size & 31) + 2
    y = 1
    while count(info[ROWS + STEP * y + DISPUTED]) <= dispute:
        dispute -= count(info[ROWS + STEP * y + DISPUTED])
        y += 1
    bits = info[ROWS + STEP * y + DISPUTED]
    while dispute > 0:
        bits &= bits - 1
        dispute -= 1
    x = lowest(bits) & 31
    cell = y * width + x
    if which == 0:
        return -1 if info[ROWS + STEP * (y - 1) + DISPUTED] >> x & 1 else tables.east[cell]
    if which == 1:
        return int(tables.east[cell + width])
    if which == 2:
        return -1 if info[ROWS + STEP * y + DISPUTED] >> (x - 1) & 1 else tables.south[cell]
    return int(tables.south[cell + 1])


# --- many games at once ---------------------------------------------------------------------------


@njit_inline
def _show(
    tables: Tables,
    board: Cells,  # noqa: ARG001 - the common form
    info: Words,
    first: int,  # noqa: ARG001
    planes: npt.NDArray[np.uint8],
) -> None:
    side = info[SIDE] & 1
    trade = tables.trade != 0 and info[PLIES] == 1
    size = tables.size & 31
    for y in range(size):
        row = ROWS + STEP * (y + 1)
        own, other, firm = info[row + CONCRETE + side], info[row + ASPHALT - side], info[row + FIRM]
        squares = info[row + DISPUTED] | info[row - STEP + DISPUTED]
        squares |= squares << 1
        for x in range(size):
            bit = u64(x + 1)
            planes[0, y, x] = own >> bit & 1
            planes[1, y, x] = other >> bit & 1
            planes[2, y, x] = squares >> bit & 1
            planes[3, y, x] = firm >> bit & 1
            planes[4, y, x] = side
            planes[5, y, x] = trade


@njit_inline
def _mark(
    tables: Tables,
    info: Words,
    work: Words,  # noqa: ARG001 - the common form
    first: int,  # noqa: ARG001
    mask: npt.NDArray[np.uint8],
) -> None:
    edges = len(tables.edges)
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
        # cells that may be paved
        empty, foreign = (
            info[row],
            info[row] | info[row + CONCRETE + 1 - side],
        )
        below, foreign_below = (
            info[row + STEP],
            info[row + STEP] | info[row + STEP + CONCRETE + 1 - side],
        )
        squares = info[row + DISPUTED]
        # bit x stands for the pair of columns x and x + 1, or of the rows y and y + 1
        flat = (
            foreign & foreign >> 1 & (empty | empty >> 1) & paving
            | squares
            | info[row - STEP + DISPUTED]
        )
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


register(Tables, pick_plain=pick, prepare_plain=prepare, mark=_mark, show=_show)
