"""The groups of Meridians: stones that join them, and groups that die because they see no other group of their side.

Dead groups are looked for right after their owner's move. Only two kinds can have died since the owner's last move: the group
that the move joined together, and groups that lost a line of sight to the other side's last stone. (Removing groups opens
lines. A stone that blocks a line of its own side sees both ends of it or touches them.)
"""

from __future__ import annotations

from rules.grid.kernels.bits import highest, lowest
from rules.grid.kernels.jit import njit_inline
from rules.grid.kernels.meridians.position import (
    CELLS,
    EMPTIES,
    EMPTY,
    HOT,
    KEY,
    LEADER,
    LINES,
    MASK,
    NEXT,
    PLACE,
    SIZE,
    STONES,
    Cells,
    Tables,
    Words,
)

__all__ = ["note_cut_groups", "note_if_dead", "place_stone", "remove_group"]


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
def note_cut_groups(tables: Tables, board: Cells, info: Words, work: Words, dead: int, side: int, q: int) -> int:
    """Notes the dead among the groups of `side` that the stone at `q` has separated; returns how many `work` names then."""
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
def note_if_dead(tables: Tables, board: Cells, info: Words, work: Words, dead: int, side: int, leader: int) -> int:
    """Adds a group to the dead ones in `work`, unless it has a path or is listed; returns how many are listed then."""
    for i in range(dead):
        if work[i] == leader:
            return dead
    if not _has_path(tables, board, info, side, leader):
        work[dead] = leader
        dead += 1
    return dead


@njit_inline
def _has_path(tables: Tables, board: Cells, info: Words, side: int, leader: int) -> bool:
    """Whether a stone of the group sees one of another group of its side, with at least one empty point in between."""
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
