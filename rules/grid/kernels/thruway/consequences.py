"""An action of Thruway with all its consequences: disputes, barred turns, indestructible tiles, the end of the game.

An indestructible tile can get into a dispute when a tile beside or diagonal to it changes. So groups of such tiles are not kept
from ply to ply: `rules.grid.kernels.thruway.paths` looks for a path whenever a tile has become indestructible.
"""

from __future__ import annotations

from rules.grid.kernels.bits import count, lowest
from rules.grid.kernels.jit import njit_entry, njit_inline, njit_linked
from rules.grid.kernels.thruway.legality import TRADE, can_turn, lacks_tiles
from rules.grid.kernels.thruway.paths import is_connected
from rules.grid.kernels.thruway.position import (
    ANY,
    ASPHALT,
    BARRED,
    CONCRETE,
    DISPUTED,
    DISPUTES,
    DRAWN,
    FIRM,
    LAST,
    NONE,
    PASSES,
    PLIES,
    ROWS,
    SIDE,
    STEP,
    SWAPPED,
    UNDO,
    WON,
    Cells,
    Tables,
    Words,
    disputes_below,
    firm_tiles,
    is_disputed,
    remember,
)

__all__ = ["load", "play", "play_inline"]


@njit_entry
def load(tables: Tables, board: Cells, info: Words, work: Words, side: int, plies: int) -> None:
    """Fills `info` from the cells in `board` with `side` to move: no barred turns, no earlier positions, no pass."""
    size = tables.size & 31
    for place in range(len(info)):
        info[place] = 0
    info[SIDE] = side
    info[PLIES] = plies
    for y in range(1, size + 1):
        for x in range(1, size + 1):
            info[ROWS + STEP * y + (board[y * (size + 2) + x] & 3)] |= 1 << x
    for y in range(1, size):
        found = disputes_below(info, ROWS + STEP * y)
        info[ROWS + STEP * y + DISPUTED] = found
        info[DISPUTES] += count(found)
    for y in range(1, size + 1):
        info[ROWS + STEP * y + FIRM] = firm_tiles(info, ROWS + STEP * y)
    for colour in (1 + side, 2 - side):  # if both are connected, the side that moved last has won
        if is_connected(tables, info, work, colour):
            info[WON] = colour
    if tables.repetition:
        remember(tables, info, True)


@njit_entry(optimised=True, inline=True)
def play(tables: Tables, board: Cells, info: Words, work: Words, action: int) -> int:
    """Plays a legal action with all its consequences and returns `winner(info)`."""
    return play_inline(tables, board, info, work, action)


@njit_inline
def play_inline(tables: Tables, board: Cells, info: Words, work: Words, action: int) -> int:
    """`play`, merged into its caller."""
    edges = len(tables.edges)
    info[PLIES] += 1
    if action >= edges:
        return _decide(tables, info, action - edges)
    me = info[SIDE] + 1
    info[SIDE] = 2 - me
    info[LAST] = action + 1
    info[PASSES] = 0
    info[BARRED] = 0

    packed = tables.edges[action & 0xFFFF]
    first, second = packed & 1023, packed >> 10 & 1023
    flat, bit = packed >> 30, 1 << (packed >> 25 & 31)
    near, far = bit + 2 * bit * flat, bit * (1 - flat)  # the cells of the edge in its first row and in the next
    row = ROWS + STEP * (packed >> 20 & 31)
    under = row + STEP
    was_near, was_far = info[row + CONCRETE], info[under + CONCRETE]
    swap = board[first] != 0 and board[second] != 0
    if swap:
        board[first], board[second] = board[second], board[first]
        info[row + CONCRETE] ^= near
        info[under + CONCRETE] ^= far
        info[row + ASPHALT] ^= near
        info[under + ASPHALT] ^= far
    else:
        board[first] = me
        board[second] = me
        info[row] &= ~near
        info[under] &= ~far
        own, other = me & 3, 3 - me & 3
        info[row + own] |= near
        info[under + own] |= far
        info[row + other] &= ~near
        info[under + other] &= ~far

    # Squares with a cell of the edge begin in three rows; their cells, and the neighbours of the edge, lie in four.
    old_0, old_1, old_2 = info[row - STEP + DISPUTED], info[row + DISPUTED], info[under + DISPUTED]
    new_0, new_1, new_2 = disputes_below(info, row - STEP), disputes_below(info, row), disputes_below(info, under)
    info[row - STEP + DISPUTED], info[row + DISPUTED], info[under + DISPUTED] = new_0, new_1, new_2
    info[DISPUTES] += count(new_0) + count(new_1) + count(new_2) - count(old_0) - count(old_1) - count(old_2)
    if tables.ko == UNDO:
        # The swapped pair lies in a dispute again exactly if the swap made a dispute of the square on the pair's other side.
        if swap and is_disputed(info, packed):
            info[BARRED] = 1
            info[BARRED + 1] = action
    elif tables.ko != NONE and ((new_0 & ~old_0) | (new_1 & ~old_1) | (new_2 & ~old_2)) != 0:
        above = info[row - STEP + CONCRETE]
        _bar(tables, board, info, packed >> 20 & 31, old_0 & ~new_0, old_1 & ~new_1, old_2 & ~new_2, above, was_near, was_far)

    gained_1, gained_2 = 0, 0
    for line in range(4):
        at = row + STEP * line - STEP
        firm = firm_tiles(info, at)
        gained = firm & ~info[at + FIRM]
        info[at + FIRM] = firm
        gained_1 |= gained & info[at + CONCRETE]
        gained_2 |= gained & info[at + ASPHALT]
    won = 0
    if gained_1 != 0 and is_connected(tables, info, work, 1):
        won = 1
    if gained_2 != 0 and won != me and is_connected(tables, info, work, 2):  # if both sides have a path, the mover has won
        won = 2
    info[WON] = won
    if tables.repetition != 0 and won == 0:
        won = remember(tables, info, not swap)
    return won


@njit_inline
def _decide(tables: Tables, info: Words, what: int) -> int:
    """Trades or passes."""
    if what == TRADE:
        info[SWAPPED] = 1
        return 0
    info[SIDE] = 1 - info[SIDE]
    info[BARRED] = 0
    info[PASSES] += 1
    if info[PASSES] == 2:
        info[WON] = DRAWN
    elif tables.repetition != 0:
        remember(tables, info, False)
    return int(info[WON])


@njit_linked(optimised=True)
def _bar(
    tables: Tables, board: Cells, info: Words, y: int, gone_0: int, gone_1: int, gone_2: int, was_0: int, was_1: int, was_2: int
) -> None:
    """Bars the turns that bring back a dispute that was just resolved.

    `gone` are the resolved disputes of rows y - 1 to y + 1, `was` the concrete of these rows before the turn.
    """
    width = (tables.size & 31) + 2
    short = lacks_tiles(tables, info)
    for edge in range(len(tables.edges)):
        if not can_turn(tables, board, info, edge, short):
            continue
        packed = tables.edges[edge]
        one, other = packed & 1023, packed >> 10 & 1023
        held_one, held_other = board[one], board[other]
        paved = held_one == 0 or held_other == 0
        board[one] = info[SIDE] + 1 if paved else held_other
        board[other] = info[SIDE] + 1 if paved else held_one
        back = False
        for line in range(3):
            bits = (gone_0, gone_1, gone_2)[line]
            was = (was_0, was_1, was_2)[line]
            while bits != 0:
                x = lowest(bits)
                bits &= bits - 1
                corner = (y - 1 + line) * width + x
                colour = board[corner]
                whole = board[corner + 1] == 3 - colour and board[corner + width] == 3 - colour
                alike = tables.ko == ANY or (was >> x & 1 != 0) == (colour == 1)
                back = back or (whole and colour != 3 and board[corner + width + 1] == colour and alike)
        board[one] = held_one
        board[other] = held_other
        if back:
            info[BARRED] += 1
            info[BARRED + info[BARRED]] = edge
