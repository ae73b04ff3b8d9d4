"""Which actions of Thruway are legal, and how one is drawn at random."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.bits import count, lowest
from rules.grid.kernels.chance import below
from rules.grid.kernels.jit import njit_entry, njit_inline
from rules.grid.kernels.thruway.position import (
    BARRED,
    CONCRETE,
    DISPUTED,
    DISPUTES,
    PLIES,
    ROWS,
    SIDE,
    STEP,
    WON,
    Cells,
    Tables,
    Words,
    is_disputed,
)

__all__ = ["PASS", "TRADE", "can_turn", "is_legal", "lacks_tiles", "legal", "pick", "pick_inline", "prepare", "turns"]

TRADE, PASS = range(2)
"""Actions, counted from the number of edges."""

_TRIES = 48  # draws from edges of which some are illegal; after that, all legal ones are listed


@njit_entry
def legal(tables: Tables, board: Cells, info: Words, out: Words) -> int:
    """Fills `out` with the legal actions in rising order and returns how many there are; for a game that goes on."""
    return _legal(tables, board, info, out, 0)


@njit_entry
def is_legal(tables: Tables, board: Cells, info: Words, action: int) -> bool:
    """Whether an action is legal. Any number may be asked about, also after the end of the game."""
    edges = len(tables.edges)
    if info[WON] != 0 or action < 0 or action > edges + PASS:
        return False
    trade = tables.trade != 0 and info[PLIES] == 1
    if action == edges + TRADE:
        return trade
    short = lacks_tiles(tables, info)
    if action < edges:
        return can_turn(tables, board, info, action, short)
    for other in range(edges):
        if can_turn(tables, board, info, other, short):
            return False
    return not trade


@njit_inline
def turns(tables: Tables, board: Cells, info: Words, edge: int) -> bool:
    """`is_legal` for an edge, of a game that goes on."""
    return can_turn(tables, board, info, edge, lacks_tiles(tables, info))


@njit_entry
def prepare(tables: Tables, work: Words) -> None:
    """Makes `work` ready for `pick`. Call it once for each line of play, at its first position."""
    edges = len(tables.edges)
    work[0] = edges
    for edge in range(edges):
        work[1 + edge] = edge


@njit_entry(optimised=True, inline=True)
def pick(tables: Tables, board: Cells, info: Words, work: Words, chance: npt.NDArray[np.uint64]) -> int:
    """A random legal action, all equally likely, of a game that goes on. `prepare` must have been called with `work`."""
    return pick_inline(tables, board, info, work, chance)


@njit_inline
def _legal(tables: Tables, board: Cells, info: Words, out: Words, begin: int) -> int:
    """`legal`, filling `out` from `begin`."""
    found = begin
    edges = len(tables.edges)
    short = lacks_tiles(tables, info)
    for edge in range(edges):
        if can_turn(tables, board, info, edge, short):
            out[found] = edge
            found += 1
    if tables.trade != 0 and info[PLIES] == 1:
        out[found] = edges + TRADE
        found += 1
    if found == begin:
        out[found] = edges + PASS
        found += 1
    return found - begin


@njit_inline
def pick_inline(tables: Tables, board: Cells, info: Words, work: Words, chance: npt.NDArray[np.uint64]) -> int:
    """Draws from a list until a legal action comes up. The list has every legal action once, and some illegal ones.

    First come the edges that were not fully paved when last drawn: `work[0]` is their number, and they follow it. Then come
    four swaps for each dispute, then the trade. A paved edge stays paved, so it leaves the list once it is drawn.
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
            if edge >= 0 and not _is_barred(info, edge):
                return edge
        else:
            return edges + TRADE
    found = _legal(tables, board, info, work, 1 + edges)
    return int(work[1 + edges + below(chance, found)])


@njit_inline
def _swap(tables: Tables, info: Words, number: int) -> int:
    """The edge of the swap of that number, four for each dispute; -1 if the swap counts under another number."""
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


@njit_inline
def can_turn(tables: Tables, board: Cells, info: Words, edge: int, short: bool) -> bool:
    """Whether the side to move may pave or swap at that edge."""
    packed = tables.edges[edge & 0xFFFF]
    first, second = board[packed & 1023], board[packed >> 10 & 1023]
    if first == 0 or second == 0:
        me = info[SIDE] + 1
        return first != me and second != me and not short
    return first != second and is_disputed(info, packed) and not _is_barred(info, edge)


@njit_inline
def lacks_tiles(tables: Tables, info: Words) -> bool:
    """Whether the side to move lacks the two tiles of a paving."""
    if tables.reserve == 0:
        return False
    tiles = 0
    for y in range(1, (tables.size & 31) + 1):
        tiles += count(info[ROWS + STEP * y + CONCRETE + (info[SIDE] & 1)])
    return tiles + 2 > tables.reserve


@njit_inline
def _is_barred(info: Words, edge: int) -> bool:
    for place in range(BARRED + 1, BARRED + 1 + (info[BARRED] & 15)):  # noqa: SIM110 - `any` does not compile
        if info[place] == edge:
            return True
    return False
