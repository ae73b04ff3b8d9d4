"""The rules of Thruway, compiled. `rules.grid.thruway`, random games and search all call
these.

One module: the rules of one game, from the arrays of a position to an action with all its
consequences.

Colours are 1 concrete, which moves first and joins west and east, and 2 asphalt, which joins north
and south. Every turn but a pass concerns one edge of the board, a pair of adjacent cells: if both
are paved it is a swap, otherwise a paving. Actions are the edges as `rules.grid.boards.SquareBoard`
numbers them, then TRADE and PASS.

A position is two arrays. `blank` makes them. Whoever wants to keep a position copies both:

`board` int8[(size + 2) ** 2]: the cells with a border around them, row by row: 0 empty, 1, 2, and 3
on the border. `info` int64[ROWS + 5 * (size + 4) + room]: what all games have in
`rules.grid.kernels.dispatch` (PLIES counts turns, passes and the trade), then
    PASSES    how many passes in a row came last
    DISPUTES  how many disputes there are
    LAST      1 + the edge that was paved or swapped last, 0 if there is none
    BARRED    how many turns the ko rule alone forbids; behind it those, rising
    SEEN      how many keys of positions are kept
    ROWS      the board once more, as rows of bits: the rules look at whole rows. Row y begins at
              ROWS + STEP * y and has five words: the empty cells, CONCRETE, ASPHALT, DISPUTED (the
              north-western cell of each dispute) and FIRM (the indestructible tiles). Column x is
              bit x. Rows and columns count from 1.

With a rule on repetition, the keys of all positions since the last paving follow the rows: no
earlier position can return. When the room is used up, the oldest key is dropped.

An indestructible tile can get into a dispute when a tile beside or diagonal to it changes. So
groups of such tiles are not kept from ply to ply: `is_connected` looks for a path whenever a tile
has become indestructible.

Indices mostly lie behind a mask, where the compiler can see that they are not negative. It then
leaves out the test for an index from the end.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.boards import SquareBoard
from rules.grid.kernels.dispatch import (
    DRAWN,
    PLIES,
    SIDE,
    SWAPPED,
    WON,
    count,
    lowest,
    register,
)
from rules.grid.kernels.jit import njit_entry, njit_inline, njit_linked

PASSES, DISPUTES, LAST, BARRED = range(WON + 1, WON + 5)
_MOST_BARRED = 12  # an upper bound of the turns that the ko rule bars at once
SEEN = BARRED + 1 + _MOST_BARRED
ROWS = SEEN + 1
CONCRETE, ASPHALT, DISPUTED, FIRM, STEP = 1, 2, 3, 4, 5

UNDO, SAME, ANY, NONE = range(4)
"""The ko rules: see `rules.grid.thruway.ThruwayGame`."""

_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S29, _S32 = np.uint64(29), np.uint64(32)

Cells = npt.NDArray[np.int8]
Words = npt.NDArray[np.int64]


class Tables(NamedTuple):
    """A board's geometry and a game's options.

    `edges[edge]` is from the lowest bit: its first cell (10 bits), its second (10), row (5) and
    column (5) of the first, and 1 if the second lies to the east. `east[cell]` and `south[cell]`
    are the edges to those neighbours, 0 where there is none. `trade` is 0 or 1, `ko` one of UNDO,
    SAME, ANY, NONE, `repetition` the occurrence that is a draw or 0, `reserve` the tiles of each
    colour or 0.
    """

    size: int
    edges: Words
    east: Words
    south: Words
    trade: int
    ko: int
    repetition: int
    reserve: int


@cache
def tables(size: int, trade: bool, ko: int, repetition: int, reserve: int) -> Tables:
    """The tables of a game. The options must be valid: they are not checked."""
    width = size + 2
    row, column = np.divmod(SquareBoard.of(size).edges, size)
    cells = (row + 1) * width + column + 1
    flat = row[:, 0] == row[:, 1]
    edges = (
        cells[:, 0]
        | cells[:, 1] << 10
        | (row[:, 0] + 1) << 20
        | (column[:, 0] + 1) << 25
        | flat.astype(np.int64) << 30
    )
    east, south = np.zeros((2, width * width), np.int64)
    east[cells[flat, 0]], south[cells[~flat, 0]] = np.flatnonzero(flat), np.flatnonzero(~flat)
    for array in (edges, east, south):
        array.setflags(write=False)
    return Tables(size, edges, east, south, int(trade), ko, repetition, reserve)


def blank(tables: Tables, room: int = 1) -> tuple[Cells, Words, Words]:
    """`board` and `info` of the starting position, with room for so many keys of positions, and
    `work` for one thread.

    Nothing in `work` outlives a call, except the list of edges that `prepare` makes for `pick`.
    """
    board, info = (
        np.zeros((tables.size + 2) ** 2, np.int8),
        np.zeros(ROWS + STEP * (tables.size + 4) + room, np.int64),
    )
    reset(tables, board, info)
    return board, info, scratch(tables)


def scratch(tables: Tables) -> Words:
    """`work` alone."""
    return np.zeros(1 + len(tables.edges) + most_legal(tables) + tables.size + 4, np.int64)


def most_legal(tables: Tables) -> int:
    """An upper bound of how many actions are legal at once."""
    return len(tables.edges) + 1


def keys(tables: Tables, info: Words) -> Words:
    """The keys of the positions since the last paving, this one's last; none without a rule on
    repetition.
    """
    begin = keys_begin(tables)
    return info[begin : begin + info[SEEN]]


def keys_begin(tables: Tables) -> int:
    """Where in `info` the keys of positions begin."""
    return ROWS + STEP * (tables.size + 4)


@njit_entry
def reset(tables: Tables, board: Cells, info: Words) -> None:
    """The empty board, concrete to move."""
    size = tables.size & 31
    for place in range(len(board)):
        board[place] = 3
    for place in range(len(info)):
        info[place] = 0
    for y in range(1, size + 1):
        info[ROWS + STEP * y] = (2 << size) - 2
        for x in range(1, size + 1):
            board[y * (size + 2) + x] = 0
    if tables.repetition:
        remember(tables, info, True)


@njit_entry(inline=True)
def key(tables: Tables, info: Words) -> int:
    """64 bits for the board, the side to move and the barred turns. Trade, passes and earlier
    positions do not count.
    """
    mixed = np.uint64(info[SIDE])
    for y in range(1, (tables.size & 31) + 1):
        row = ROWS + STEP * y
        mixed = _mixed(mixed, info[row + CONCRETE] | info[row + ASPHALT] << 32)
    for place in range(BARRED + 1, BARRED + 1 + (info[BARRED] & 15)):
        mixed = _mixed(mixed, info[place])
    return int(np.int64(mixed))


@njit_inline
def _mixed(mixed: np.uint64, word: int) -> np.uint64:
    mixed = (mixed ^ np.uint64(word)) * _MIX_1
    mixed = (mixed ^ (mixed >> _S29)) * _MIX_2
    return mixed ^ (mixed >> _S32)


@njit_linked(optimised=True)
def remember(tables: Tables, info: Words, paved: bool) -> int:
    """Adds the key of the position to the list, and ends the game if it repeats too often; returns
    `info[WON]`.
    """
    begin = ROWS + STEP * ((tables.size & 31) + 4)
    seen = 0 if paved else info[SEEN]
    if begin + seen == len(info):
        for place in range(begin, begin + seen - 1):
            info[place] = info[place + 1]
        seen -= 1
    this = key(tables, info)
    times = 1
    for place in range(begin, begin + seen):
        times += info[place] == this
    info[begin + seen] = this
    info[SEEN] = seen + 1
    if times >= tables.repetition:
        info[WON] = DRAWN
    return int(info[WON])


@njit_inline
def disputes_below(info: Words, row: int) -> int:
    """The disputes between a row and the next. `row` is the index where the words of a row
    begin.
    """
    concrete, asphalt = info[row + CONCRETE], info[row + ASPHALT]
    concrete_below, asphalt_below = info[row + STEP + CONCRETE], info[row + STEP + ASPHALT]
    falling = concrete & (asphalt >> 1) & asphalt_below & (concrete_below >> 1)
    return int(falling | (asphalt & (concrete >> 1) & concrete_below & (asphalt_below >> 1)))


@njit_inline
def firm_tiles(info: Words, row: int) -> int:
    """The indestructible tiles of a row."""
    empty = info[row]
    squares = info[row - STEP + DISPUTED] | info[row + DISPUTED]
    loose = (
        (empty << 1) | (empty >> 1) | info[row - STEP] | info[row + STEP] | squares | (squares << 1)
    )
    return int((info[row + CONCRETE] | info[row + ASPHALT]) & ~loose)


@njit_inline
def is_disputed(info: Words, packed: int) -> bool:
    """Whether a dispute holds both cells of an edge, given as in `Tables.edges`."""
    row = ROWS + STEP * (packed >> 20 & 31) + DISPUTED
    bit = 1 << (packed >> 25 & 31)
    squares = info[row] | (info[row - STEP] if packed >> 30 else info[row] << 1)
    return bool(squares & bit != 0)


# --- which actions are legal ----------------------------------------------------------------------

TRADE, PASS = range(2)
"""Actions, counted from the number of edges."""


@njit_entry
def legal(tables: Tables, board: Cells, info: Words, out: Words) -> int:
    """Fills `out` with the legal actions in rising order and returns how many there are; for a game
    that goes on.
    """
    found = 0
    edges = len(tables.edges)
    short = lacks_tiles(tables, info)
    for edge in range(edges):
        if can_turn(tables, board, info, edge, short):
            out[found] = edge
            found += 1
    if tables.trade != 0 and info[PLIES] == 1:
        out[found] = edges + TRADE
        found += 1
    if found == 0:
        out[0] = edges + PASS
        found = 1
    return found


@njit_inline
def can_turn(tables: Tables, board: Cells, info: Words, edge: int, short: bool) -> bool:
    """Whether the side to move may pave or swap at that edge."""
    packed = tables.edges[edge & 0xFFFF]
    first, second = board[packed & 1023], board[packed >> 10 & 1023]
    if first == 0 or second == 0:
        me = info[SIDE] + 1
        return first != me and second != me and not short
    return first != second and is_disputed(info, packed) and not is_barred(info, edge)


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
def is_barred(info: Words, edge: int) -> bool:
    """Whether the ko rule bars an edge."""
    for place in range(BARRED + 1, BARRED + 1 + (info[BARRED] & 15)):  # noqa: SIM110 - `any` does not compile
        if info[place] == edge:
            return True
    return False


# --- whether a colour has won ---------------------------------------------------------------------


@njit_inline
def is_connected(tables: Tables, info: Words, work: Words, colour: int) -> bool:
    """Whether a path of indestructible tiles joins the two borders of a colour."""
    size = tables.size & 31
    # A cheap test first: a path needs two tiles side by side across every line between two columns,
    # or two rows.
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
            if (
                info[row + ASPHALT] & info[row + FIRM] & info[under + ASPHALT] & info[under + FIRM]
                == 0
            ):
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
    # the carry of the sum runs through the tiles above a seed
    reached = seeds | (tiles & (tiles ^ (tiles + seeds)))
    shift = 1
    while shift < size:
        reached |= tiles & (reached >> shift)
        tiles &= tiles >> shift
        shift *= 2
    return reached


# --- an action with all that follows from it ------------------------------------------------------


@njit_entry(optimised=True, inline=True)
def play(tables: Tables, board: Cells, info: Words, work: Words, action: int) -> int:
    """Plays a legal action with all its consequences and returns `info[WON]`."""
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
    row = ROWS + STEP * (packed >> 20 & 31)
    under = row + STEP
    was_near, was_far = info[row + CONCRETE], info[under + CONCRETE]
    swap = _lay(board, info, packed, me)

    # Squares with a cell of the edge begin in three rows; their cells, and the neighbours of the
    # edge, lie in four.
    old_0, old_1, old_2 = info[row - STEP + DISPUTED], info[row + DISPUTED], info[under + DISPUTED]
    new_0, new_1, new_2 = (
        disputes_below(info, row - STEP),
        disputes_below(info, row),
        disputes_below(info, under),
    )
    info[row - STEP + DISPUTED], info[row + DISPUTED], info[under + DISPUTED] = new_0, new_1, new_2
    info[DISPUTES] += (
        count(new_0) + count(new_1) + count(new_2) - count(old_0) - count(old_1) - count(old_2)
    )
    if tables.ko == UNDO:
        # The swapped pair lies in a dispute again exactly if the swap made a dispute of the square
        # on the pair's other side.
        if swap and is_disputed(info, packed):
            info[BARRED] = 1
            info[BARRED + 1] = action
    elif tables.ko != NONE and ((new_0 & ~old_0) | (new_1 & ~old_1) | (new_2 & ~old_2)) != 0:
        above = info[row - STEP + CONCRETE]
        gone = (old_0 & ~new_0, old_1 & ~new_1, old_2 & ~new_2)
        _bar(tables, board, info, packed >> 20 & 31, gone, (above, was_near, was_far))

    won = _connects(tables, info, work, row, me)
    info[WON] = won
    if tables.repetition != 0 and won == 0:
        won = remember(tables, info, not swap)
    return won


@njit_inline
def _lay(board: Cells, info: Words, packed: int, me: int) -> bool:
    """Lays two tiles at an edge, or exchanges those that are there; returns whether it did that."""
    first, second = packed & 1023, packed >> 10 & 1023
    flat, bit = packed >> 30, 1 << (packed >> 25 & 31)
    # the cells of the edge in its first row and in the next
    near, far = bit + 2 * bit * flat, bit * (1 - flat)
    row = ROWS + STEP * (packed >> 20 & 31)
    under = row + STEP
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
    return bool(swap)


@njit_inline
def _connects(tables: Tables, info: Words, work: Words, row: int, me: int) -> int:
    """Notes which tiles are indestructible now around an edge whose words begin at `row`; returns
    the colour that has won by that, 0 if none has.
    """
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
    # if both sides have a path, the mover has won
    if gained_2 != 0 and won != me and is_connected(tables, info, work, 2):
        won = 2
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
    tables: Tables, board: Cells, info: Words, y: int, gone: tuple[int, int, int],
    was: tuple[int, int, int],
) -> None:  # fmt: skip
    """Bars the turns that bring back a dispute that was just resolved.

    `gone` are the resolved disputes of rows y - 1 to y + 1, `was` the concrete of these rows before
    the turn.
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
            bits = gone[line]
            while bits != 0:
                x = lowest(bits)
                bits &= bits - 1
                corner = (y - 1 + line) * width + x
                colour = board[corner]
                whole = board[corner + 1] == 3 - colour and board[corner + width] == 3 - colour
                alike = tables.ko == ANY or (was[line] >> x & 1 != 0) == (colour == 1)
                back = back or (
                    whole and colour != 3 and board[corner + width + 1] == colour and alike
                )
        board[one] = held_one
        board[other] = held_other
        if back:
            info[BARRED] += 1
            info[BARRED + info[BARRED]] = edge


@njit_linked
def _same(tables: Tables, board: Cells, info: Words, other_board: Cells, other_info: Words) -> bool:  # noqa: ARG001 - as above
    for place in range(SEEN):
        if info[place] != other_info[place]:
            return False
    for cell in range(len(board)):  # noqa: SIM110 - compiled code has no generators
        if board[cell] != other_board[cell]:
            return False
    return True


register(Tables, reset=reset, legal=legal, same=_same, play_plain=play)
