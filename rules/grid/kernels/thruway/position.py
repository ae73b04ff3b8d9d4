"""A position of Thruway as two arrays, and what can be read off them.

`blank` makes the arrays. Whoever wants to keep a position copies both:

`board` int8[(size + 2) ** 2]: the cells with a border around them, row by row: 0 empty, 1, 2, and 3 on the border.
`info` int64[ROWS + 5 * (size + 4) + room]:
    SIDE      the side to move: 0 concrete, 1 asphalt
    PLIES     decisions made: turns, passes and the trade
    SWAPPED   1 after a trade: seat 0 then plays asphalt
    PASSES    how many passes in a row came last
    WON       0 while the game goes on, 1 or 2 if that colour has won, DRAWN
    DISPUTES  how many disputes there are
    LAST      1 + the edge that was paved or swapped last, 0 if there is none
    BARRED    how many turns the ko rule alone forbids; behind it those, rising
    SEEN      how many keys of positions are kept
    ROWS      the board once more, as rows of bits: the rules look at whole rows. Row y begins at ROWS + STEP * y and has five
              words: the empty cells, CONCRETE, ASPHALT, DISPUTED (the north-western cell of each dispute) and FIRM (the
              indestructible tiles). Column x is bit x. Rows and columns count from 1.

With a rule on repetition, the keys of all positions since the last paving follow the rows: no earlier position can return. When
the room is used up, the oldest key is dropped.

Indices mostly lie behind a mask, where the compiler can see that they are not negative. It then leaves out the test for an
index from the end.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.boards import SquareBoard
from rules.grid.kernels.jit import njit_entry, njit_inline, njit_linked

__all__ = [
    "ANY",
    "ASPHALT",
    "BARRED",
    "CONCRETE",
    "DISPUTED",
    "DISPUTES",
    "DRAWN",
    "FIRM",
    "LAST",
    "NONE",
    "PASSES",
    "PLIES",
    "ROWS",
    "SAME",
    "SEEN",
    "SIDE",
    "STEP",
    "SWAPPED",
    "UNDO",
    "WON",
    "Cells",
    "Tables",
    "Words",
    "blank",
    "disputes_below",
    "firm_tiles",
    "is_disputed",
    "key",
    "keys",
    "keys_begin",
    "most_legal",
    "remember",
    "reset",
    "scratch",
    "tables",
    "winner",
]

SIDE, PLIES, SWAPPED, PASSES, WON, DISPUTES, LAST, BARRED = range(8)
_MOST_BARRED = 12  # an upper bound of the turns that the ko rule bars at once
SEEN = BARRED + 1 + _MOST_BARRED
ROWS = SEEN + 1
CONCRETE, ASPHALT, DISPUTED, FIRM, STEP = 1, 2, 3, 4, 5

DRAWN = 3
UNDO, SAME, ANY, NONE = range(4)
"""The ko rules: see `rules.grid.thruway.ThruwayGame`."""

_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S29, _S32 = np.uint64(29), np.uint64(32)

Cells = npt.NDArray[np.int8]
Words = npt.NDArray[np.int64]


class Tables(NamedTuple):
    """A board's geometry and a game's options.

    `edges[edge]` is from the lowest bit: its first cell (10 bits), its second (10), row (5) and column (5) of the first, and 1
    if the second lies to the east. `east[cell]` and `south[cell]` are the edges to those neighbours, 0 where there is none.
    `trade` is 0 or 1, `ko` one of UNDO, SAME, ANY, NONE, `repetition` the occurrence that is a draw or 0, `reserve` the tiles
    of each colour or 0.
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
    edges = cells[:, 0] | cells[:, 1] << 10 | (row[:, 0] + 1) << 20 | (column[:, 0] + 1) << 25 | flat.astype(np.int64) << 30
    east, south = np.zeros((2, width * width), np.int64)
    east[cells[flat, 0]], south[cells[~flat, 0]] = np.flatnonzero(flat), np.flatnonzero(~flat)
    for array in (edges, east, south):
        array.setflags(write=False)
    return Tables(size, edges, east, south, int(trade), ko, repetition, reserve)


def blank(tables: Tables, room: int = 0) -> tuple[Cells, Words, Words]:
    """`board` and `info` of the starting position, with room for so many keys of positions, and `work` for one thread.

    Nothing in `work` outlives a call, except the list of edges that `prepare` makes for `pick`.
    """
    board, info = np.zeros((tables.size + 2) ** 2, np.int8), np.zeros(ROWS + STEP * (tables.size + 4) + room, np.int64)
    reset(tables, board, info)
    return board, info, scratch(tables)


def scratch(tables: Tables) -> Words:
    """`work` alone."""
    return np.zeros(1 + len(tables.edges) + most_legal(tables) + tables.size + 4, np.int64)


def most_legal(tables: Tables) -> int:
    """An upper bound of how many actions are legal at once."""
    return len(tables.edges) + 1


def keys(tables: Tables, info: Words) -> Words:
    """The keys of the positions since the last paving, this one's last; none without a rule on repetition."""
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


@njit_entry
def winner(info: Words) -> int:
    """0 while the game goes on, 1 or 2 if that colour has won, 3 if it is drawn."""
    return int(info[WON])


@njit_entry(inline=True)
def key(tables: Tables, info: Words) -> int:
    """64 bits for the board, the side to move and the barred turns. Trade, passes and earlier positions do not count."""
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
    """Adds the key of the position to the list, and ends the game if it repeats too often; returns `winner(info)`."""
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
    """The disputes between a row and the next. `row` is the index where the words of a row begin."""
    concrete, asphalt = info[row + CONCRETE], info[row + ASPHALT]
    concrete_below, asphalt_below = info[row + STEP + CONCRETE], info[row + STEP + ASPHALT]
    falling = concrete & (asphalt >> 1) & asphalt_below & (concrete_below >> 1)
    return int(falling | (asphalt & (concrete >> 1) & concrete_below & (asphalt_below >> 1)))


@njit_inline
def firm_tiles(info: Words, row: int) -> int:
    """The indestructible tiles of a row."""
    empty = info[row]
    squares = info[row - STEP + DISPUTED] | info[row + DISPUTED]
    loose = (empty << 1) | (empty >> 1) | info[row - STEP] | info[row + STEP] | squares | (squares << 1)
    return int((info[row + CONCRETE] | info[row + ASPHALT]) & ~loose)


@njit_inline
def is_disputed(info: Words, packed: int) -> bool:
    """Whether a dispute holds both cells of an edge, given as in `Tables.edges`."""
    row = ROWS + STEP * (packed >> 20 & 31) + DISPUTED
    bit = 1 << (packed >> 25 & 31)
    squares = info[row] | (info[row - STEP] if packed >> 30 else info[row] << 1)
    return bool(squares & bit != 0)
