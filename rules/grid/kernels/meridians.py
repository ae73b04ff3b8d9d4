"""The rules of Meridians, compiled. `rules.grid.meridians`, random games and search all
call these.

One module: the rules of one game, from the arrays of a position to an action with all its
consequences.

An action is a point; or N + PASS, KEEP, SWAP with N points; or, as first ply of the pie option, N +
PAIR + light * N + dark.

A position is two arrays. `blank` makes them. Whoever wants to keep a position copies both. With N
points:

`board` uint16[7, N + 1]:
    CELLS    0 empty, 1 light, 2 dark; the sentinel 3 at N stands for everything beyond the rim
    LEADER   of a stone: the point that names its group
    NEXT     of a stone: another stone of its group; following it visits the whole group
    HOT      of a leader: the stone of the group that had a path when the group was last looked at
    SIZE     of a leader: how many stones the group has
    EMPTY    the empty points, in any order, EMPTIES of them
    PLACE    of an empty point: where EMPTY has it
`info` int64[LINES + 2 * L], where L is the number of lines of the board: what all games have in
`rules.grid.kernels.dispatch` (PLIES counts up to OPENING; the turn counters of the opening follow
from it), then
    LAST     the point that the other side has just taken, -1 for none
    STONES   light stones, and behind it dark stones
    EMPTIES  empty points
    KEY      a Zobrist key of stones and side to move
    LINES    for each line light's stones as bits, the first point of the line in bit 0, and behind
             them dark's

Dead groups are looked for right after their owner's move. Only two kinds can have died since the
owner's last move: the group that the move joined together, and groups that lost a line of sight to
the other side's last stone. (Removing groups opens lines. A stone that blocks a line of its own
side sees both ends of it or touches them.)

Indices lie in unsigned arrays or behind a mask, where the compiler can see that they are not
negative. It then leaves out the test for an index from the end.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.boards import HexBoard
from rules.grid.kernels.dispatch import PLIES, SIDE, SWAPPED, WON, highest, lowest, register
from rules.grid.kernels.jit import njit_entry, njit_inline, njit_linked

CELLS, LEADER, NEXT, HOT, SIZE, EMPTY, PLACE = range(7)
LAST, STONES, _, EMPTIES, KEY, LINES = range(WON + 1, WON + 7)
PASS, KEEP, SWAP, PAIR = range(4)
"""Actions, counted from the number of points."""
OPENING = 4
"""Plies of the opening, in which what is legal depends on the number of the turn."""
MASK = 0x1FF
"""Above the number of any point."""

ROW = 3
"""Words of a row of `scratch`."""

_KEYS = 20_210_301  # a seed

Cells = npt.NDArray[np.uint16]
Words = npt.NDArray[np.int64]


class Tables(NamedTuple):
    """The geometry: N points, L lines; line and offset of a point in three axes, points of a line,
    neighbours (N for none), and int64[rows, 3], of each row its first point, how many it has, and
    the column of the first one. `pie` is 1 with the pie option.
    """

    pie: int
    points: int
    lines: int
    line: npt.NDArray[np.uint8]
    offset: npt.NDArray[np.uint8]
    on_line: npt.NDArray[np.uint16]
    neighbours: npt.NDArray[np.uint16]
    rows: Words
    keys: Words


@cache
def tables(board: HexBoard, pie: bool = False) -> Tables:
    """The tables of a board, with the pie option or without."""
    keys = np.random.default_rng(_KEYS).integers(-(2**63), 2**63, (2, board.points + 1), np.int64)
    around = np.where(board.neighbours < 0, board.points, board.neighbours)
    lefts = [max(board.size - 1 - y, 0) for y in range(len(board.rows))]
    return Tables(
        int(pie),
        board.points,
        len(board.on_line),
        board.line.astype(np.uint8),
        board.offset.astype(np.uint8),
        np.maximum(board.on_line, 0).astype(np.uint16),
        around.astype(np.uint16),
        np.column_stack([board.rows, lefts]).astype(np.int64),
        keys,
    )


def blank(tables: Tables) -> tuple[Cells, Words, Words]:
    """The empty board, light to move, and scratch: board, info, work."""
    board = np.zeros((7, tables.points + 1), np.uint16)
    info = np.zeros(LINES + 2 * tables.lines, np.int64)
    reset(tables, board, info)
    return board, info, scratch(tables)


def scratch(tables: Tables) -> Words:
    """Scratch for one thread: for single actions, or for the words of the rows and of an empty one
    above them.
    """
    return np.zeros(max(tables.points + PAIR, ROW * (len(tables.rows) + 1)), np.int64)


def most_legal(tables: Tables) -> int:
    """The most legal actions that a position can have."""
    return tables.points * (tables.points - 1) if tables.pie else tables.points


@njit_entry
def reset(tables: Tables, board: Cells, info: Words) -> None:
    """The empty board, the first side to move."""
    info[:] = 0
    info[LAST] = -1
    info[EMPTIES] = tables.points
    board[:] = 0
    board[CELLS, tables.points] = 3
    for p in range(tables.points):
        board[EMPTY, p] = p
        board[PLACE, p] = p


@njit_entry(inline=True)
def key(tables: Tables, info: Words) -> int:  # noqa: ARG001 - the same call for every game
    """64 bits for the stones and the side to move. The turns of the opening and the seats do not
    count.
    """
    return int(info[KEY])


@njit_inline
def end_turn(tables: Tables, info: Words, last: int) -> None:
    """The other side is to move."""
    info[SIDE] ^= 1
    info[KEY] ^= tables.keys[0, tables.points]
    info[LAST] = last


# --- which actions are legal ----------------------------------------------------------------------


@njit_entry(inline=True)
def legal(tables: Tables, board: Cells, info: Words, out: Words) -> int:
    """Fills `out` with the legal actions in rising order and returns how many there are; for a game
    that goes on.
    """
    n = tables.points
    count = 0
    if tables.pie != 0 and info[PLIES] < 2:
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
        if board[CELLS, p] == 0 and fits(tables, board, info, p):
            out[count] = p
            count += 1
    if count == 0:
        out[0] = n + PASS
        count = 1
    return count


@njit_inline
def fits(tables: Tables, board: Cells, info: Words, p: int) -> bool:
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
    """Whether `p` sees a stone of `side`: in one of the six directions the first stone is of that
    side.
    """
    for axis in range(3):
        words = LINES + 2 * tables.line[p, axis]
        offset = tables.offset[p, axis]
        own, other = info[words + side], info[words + 1 - side]
        before = (1 << offset) - 1
        # they share no bit, so the larger one has the higher bit
        if (own & before) > (other & before):
            return True
        after = (own | other) >> (offset + 1)
        if after & -after & (own >> (offset + 1)):
            return True
    return False


# --- stones that join groups, and groups that die -------------------------------------------------


@njit_inline
def place_stone(tables: Tables, board: Cells, info: Words, side: int, p: int) -> bool:
    """Puts a stone down, and returns whether it touches a stone of its side."""
    board[CELLS, p] = side + 1
    info[STONES + side] += 1
    info[KEY] ^= tables.keys[side, p]
    info[EMPTIES] -= 1
    place = board[PLACE, p]
    moved = board[EMPTY, info[EMPTIES]]
    board[EMPTY, place] = moved
    board[PLACE, moved] = place
    for axis in range(3):
        info[LINES + 2 * tables.line[p, axis] + side] |= 1 << tables.offset[p, axis]
    board[LEADER, p] = p
    board[NEXT, p] = p
    board[HOT, p] = p
    board[SIZE, p] = 1
    leader = p
    joined = False
    for d in range(6):
        q = tables.neighbours[p, d]
        if board[CELLS, q] == side + 1:
            joined = True
            other = board[LEADER, q]
            if other != leader:
                leader = _join(board, leader, other)
    return joined


@njit_inline
def _join(board: Cells, one: int, other: int) -> int:
    """Makes one group of two, and returns its leader."""
    if board[SIZE, one] < board[SIZE, other]:
        one, other = other, one
    board[SIZE, one] += board[SIZE, other]
    p = other
    while True:
        board[LEADER, p] = one
        if board[NEXT, p] == other:
            break
        p = int(board[NEXT, p])
    board[NEXT, p] = board[NEXT, one]
    board[NEXT, one] = other
    return one


@njit_inline
def note_cut_groups(
    tables: Tables, board: Cells, info: Words, work: Words, dead: int, side: int, q: int
) -> int:
    """Notes the dead among the groups of `side` that the stone at `q` has separated; returns how
    many `work` names then.
    """
    for axis in range(3):
        line = tables.line[q, axis]
        offset = tables.offset[q, axis]
        own, other = info[LINES + 2 * line + side], info[LINES + 2 * line + 1 - side]
        before = (1 << offset) - 1
        if (own & before) <= (other & before):
            continue
        after = (own | other) >> (offset + 1)
        if after & -after & (own >> (offset + 1)) == 0:
            continue
        one = board[LEADER, tables.on_line[line, highest(own & before) & MASK]]
        two = board[LEADER, tables.on_line[line, offset + 1 + lowest(after) & MASK]]
        if one != two:
            dead = note_if_dead(tables, board, info, work, dead, side, one)
            dead = note_if_dead(tables, board, info, work, dead, side, two)
    return dead


@njit_inline
def note_if_dead(
    tables: Tables, board: Cells, info: Words, work: Words, dead: int, side: int, leader: int
) -> int:
    """Adds a group to the dead ones in `work`, unless it has a path or is listed; returns how many
    are listed then.
    """
    for i in range(dead):
        if work[i] == leader:
            return dead
    if not _has_path(tables, board, info, side, leader):
        work[dead] = leader
        dead += 1
    return dead


@njit_inline
def _has_path(tables: Tables, board: Cells, info: Words, side: int, leader: int) -> bool:
    """Whether a stone of the group sees one of another group of its side, with at least one empty
    point in between.
    """
    first = board[HOT, leader]
    p = first
    while True:
        for axis in range(3):
            line = tables.line[p, axis]
            offset = tables.offset[p, axis]
            own = info[LINES + 2 * line + side]
            every = own | info[LINES + 2 * line + 1 - side]
            after = every >> (offset + 1)
            if after & 1 == 0 and after & -after & (own >> (offset + 1)):
                q = offset + 1 + lowest(after) & MASK
                if board[LEADER, tables.on_line[line, q]] != leader:
                    board[HOT, leader] = p
                    return True
            before = every & ((1 << offset) - 1)
            if before and 2 * before >> offset == 0:
                q = highest(before) & MASK
                if own >> q & 1 and board[LEADER, tables.on_line[line, q]] != leader:
                    board[HOT, leader] = p
                    return True
        p = board[NEXT, p]
        if p == first:
            return False


@njit_inline
def remove_group(tables: Tables, board: Cells, info: Words, side: int, leader: int) -> None:
    """Takes a group off the board."""
    p = leader
    while True:
        board[CELLS, p] = 0
        info[STONES + side] -= 1
        info[KEY] ^= tables.keys[side, p]
        board[EMPTY, info[EMPTIES]] = p
        board[PLACE, p] = info[EMPTIES]
        info[EMPTIES] += 1
        for axis in range(3):
            info[LINES + 2 * tables.line[p, axis] + side] &= ~(1 << tables.offset[p, axis])
        p = int(board[NEXT, p])
        if p == leader:
            return


# --- an action with all that follows from it ------------------------------------------------------


@njit_entry(inline=True)
def endangered(tables: Tables, board: Cells, info: Words, work: Words) -> int:
    """How many groups of the side to move have no path and die unless this move saves them; `work`
    names them.

    Only for positions after the opening: there only the other side's last stone can have taken a
    path away.
    """
    side = info[SIDE] & 1
    cut = info[LAST]
    if cut < 0 or info[PLIES] < OPENING or board[CELLS, cut] != 2 - side:
        return 0
    return note_cut_groups(tables, board, info, work, 0, side, cut)


@njit_entry(inline=True)
def play(tables: Tables, board: Cells, info: Words, work: Words, action: int) -> int:
    """Plays a legal action with all its consequences: 0 the game goes on, 1 light has won, 2 dark
    has won.
    """
    n = tables.points
    side = info[SIDE] & 1
    if tables.pie != 0 and info[PLIES] < 2:
        if info[PLIES] == 0:
            light, dark = divmod(action - n - PAIR, n)
            place_stone(tables, board, info, 0, light)
            place_stone(tables, board, info, 1, dark)
        elif action == n + SWAP:
            info[SWAPPED] = 1
        info[PLIES] += 1
        end_turn(tables, info, -1)
        return 0
    if info[PLIES] < OPENING:
        info[PLIES] += 1
    dead = 0
    if action < n:
        p = action & MASK
        joined = place_stone(tables, board, info, side, p)
        if info[PLIES] > 2:
            if joined:
                dead = note_if_dead(tables, board, info, work, dead, side, board[LEADER, p])
            cut = info[LAST]
            if cut >= 0 and board[CELLS, cut] == 2 - side:
                dead = note_cut_groups(tables, board, info, work, dead, side, cut)
        end_turn(tables, info, action)
    else:
        for p in range(n):
            if board[CELLS, p] == side + 1 and board[LEADER, p] == p:
                dead = note_if_dead(tables, board, info, work, dead, side, p)
        end_turn(tables, info, -1)
    for i in range(dead):
        remove_group(tables, board, info, side, work[i] & MASK)
    # whoever has no stone left after their own move has lost
    if info[PLIES] > 2 and info[STONES + side] == 0:
        info[WON] = 2 - side
    return int(info[WON])


@njit_linked
def same(tables: Tables, board: Cells, info: Words, other_board: Cells, other_info: Words) -> bool:
    """Whether two positions are equal in everything that matters for going on."""
    if info[KEY] != other_info[KEY] or info[PLIES] != other_info[PLIES]:
        return False
    for p in range(tables.points):  # noqa: SIM110 - compiled code has no generators
        if board[CELLS, p] != other_board[CELLS, p]:
            return False
    return True


register(Tables, reset=reset, legal=legal, same=same, key=key, play=play, play_plain=play)
