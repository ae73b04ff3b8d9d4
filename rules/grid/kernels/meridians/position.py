"""A position of Meridians as two arrays.

`blank` makes the arrays. Whoever wants to keep a position copies both. With N points:

`board` uint16[7, N + 1]:
    CELLS    0 empty, 1 light, 2 dark; the sentinel 3 at N stands for everything beyond the rim
    LEADER   of a stone: the point that names its group
    NEXT     of a stone: another stone of its group; following it visits the whole group
    HOT      of a leader: the stone of the group that had a path when the group was last looked at
    SIZE     of a leader: how many stones the group has
    EMPTY    the empty points, in any order, EMPTIES of them
    PLACE    of an empty point: where EMPTY has it
`info` int64[LINES + 2 * L], where L is the number of lines of the board:
    SIDE     the side to move: 0 light, 1 dark
    PLIES    moves made, up to OPENING; the turn counters of the opening follow from it
    LAST     the point that the other side has just taken, -1 for none
    STONES   light stones, and behind it dark stones
    EMPTIES  empty points
    PIE      1 with the pie option
    SWAPPED  1 when the seats have exchanged their sides: seat 0 then plays dark
    KEY      a Zobrist key of stones and side to move
    LINES    for each line light's stones as bits, the first point of the line in bit 0, and behind them dark's

Indices lie in unsigned arrays or behind a mask, where the compiler can see that they are not negative. It then leaves out the
test for an index from the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.boards import HexBoard
from rules.grid.kernels.jit import njit_entry, njit_inline

__all__ = [
    "CELLS",
    "EMPTIES",
    "EMPTY",
    "HOT",
    "KEEP",
    "KEY",
    "LAST",
    "LEADER",
    "LINES",
    "MASK",
    "NEXT",
    "OPENING",
    "PAIR",
    "PASS",
    "PIE",
    "PLACE",
    "PLIES",
    "SIDE",
    "SIZE",
    "STONES",
    "SWAP",
    "SWAPPED",
    "Cells",
    "Tables",
    "Words",
    "blank",
    "copy",
    "end_turn",
    "key",
    "most_legal",
    "reset",
    "tables",
    "winner",
]

CELLS, LEADER, NEXT, HOT, SIZE, EMPTY, PLACE = range(7)
SIDE, PLIES, LAST, STONES, _, EMPTIES, PIE, SWAPPED, KEY, LINES = range(10)
PASS, KEEP, SWAP, PAIR = range(4)
"""Actions, counted from the number of points."""
OPENING = 4
"""Plies of the opening, in which what is legal depends on the number of the turn."""
MASK = 0x1FF
"""Above the number of any point."""

_KEYS = 20_210_301  # a seed

Cells = npt.NDArray[np.uint16]
Words = npt.NDArray[np.int64]


class Tables(NamedTuple):
    """The geometry: N points, L lines; line and offset of a point in three axes, points of a line, neighbours (N for none)."""

    points: int
    lines: int
    line: npt.NDArray[np.uint8]
    offset: npt.NDArray[np.uint8]
    on_line: npt.NDArray[np.uint16]
    neighbours: npt.NDArray[np.uint16]
    keys: Words


def tables(board: HexBoard) -> Tables:
    """The tables of a board."""
    keys = np.random.default_rng(_KEYS).integers(-(2**63), 2**63, (2, board.points + 1), np.int64)
    around = np.where(board.neighbours < 0, board.points, board.neighbours)
    return Tables(
        board.points,
        len(board.on_line),
        board.line.astype(np.uint8),
        board.offset.astype(np.uint8),
        np.maximum(board.on_line, 0).astype(np.uint16),
        around.astype(np.uint16),
        keys,
    )


def blank(tables: Tables, pie: bool = False) -> tuple[Cells, Words, Words]:
    """The empty board, light to move, and scratch for `play` and `rollout`: board, info, work."""
    board = np.zeros((7, tables.points + 1), np.uint16)
    info = np.zeros(LINES + 2 * tables.lines, np.int64)
    info[PIE] = int(pie)
    reset(tables, board, info)
    return board, info, np.zeros(tables.points + PAIR, np.int64)


def most_legal(tables: Tables, pie: bool = False) -> int:
    """The most legal actions that a position can have."""
    return tables.points * (tables.points - 1) if pie else tables.points


@njit_entry
def reset(tables: Tables, board: Cells, info: Words) -> None:
    """The empty board, the first side to move; the pie option stays as it is."""
    pie = info[PIE]
    info[:] = 0
    info[PIE] = pie
    info[LAST] = -1
    info[EMPTIES] = tables.points
    board[:] = 0
    board[CELLS, tables.points] = 3
    for p in range(tables.points):
        board[EMPTY, p] = p
        board[PLACE, p] = p


@njit_entry(inline=True)
def winner(info: Words) -> int:
    """0 while the game goes on, 1 if light has won, 2 if dark has: a side that has no stone left after its move has lost."""
    side = info[SIDE] & 1
    if info[PLIES] > 2 and info[STONES + 1 - side] == 0:
        return int(side) + 1
    return 0


@njit_entry(inline=True)
def key(tables: Tables, info: Words) -> int:  # noqa: ARG001 - the same call for every game
    """64 bits for the stones and the side to move. The turns of the opening and the seats do not count."""
    return int(info[KEY])


@njit_inline
def copy(board: Cells, info: Words, other_board: Cells, other_info: Words) -> None:
    """Makes the other position equal to this one."""
    for section in range(board.shape[0]):
        for p in range(board.shape[1]):
            other_board[section, p] = board[section, p]
    for i in range(info.size):
        other_info[i] = info[i]


@njit_inline
def end_turn(tables: Tables, info: Words, last: int) -> None:
    """The other side is to move."""
    info[SIDE] ^= 1
    info[KEY] ^= tables.keys[0, tables.points]
    info[LAST] = last
