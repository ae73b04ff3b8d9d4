"""An action of Meridians with all its consequences: groups that join or die, and the end of the game."""

from __future__ import annotations

from rules.grid.kernels.jit import njit_entry, njit_inline
from rules.grid.kernels.meridians.groups import note_cut_groups, note_if_dead, place_stone, remove_group
from rules.grid.kernels.meridians.position import (
    CELLS,
    LAST,
    LEADER,
    MASK,
    OPENING,
    PAIR,
    PIE,
    PLIES,
    SIDE,
    SWAP,
    SWAPPED,
    Cells,
    Tables,
    Words,
    end_turn,
    winner,
)

__all__ = ["endangered", "play", "play_inline"]


@njit_entry(inline=True)
def play(tables: Tables, board: Cells, info: Words, work: Words, action: int) -> int:
    """Plays a legal action with all its consequences: 0 the game goes on, 1 light has won, 2 dark has won."""
    return play_inline(tables, board, info, work, action)


@njit_entry(inline=True)
def endangered(tables: Tables, board: Cells, info: Words, work: Words) -> int:
    """How many groups of the side to move have no path and die unless this move saves them; `work` names them.

    Only for positions after the opening: there only the other side's last stone can have taken a path away.
    """
    side = info[SIDE] & 1
    cut = info[LAST]
    if cut < 0 or info[PLIES] < OPENING or board[CELLS, cut] != 2 - side:
        return 0
    return note_cut_groups(tables, board, info, work, 0, side, cut)


@njit_inline
def play_inline(tables: Tables, board: Cells, info: Words, work: Words, action: int) -> int:
    """`play`, merged into its caller."""
    n = tables.points
    side = info[SIDE] & 1
    if info[PIE] == 1 and info[PLIES] < 2:
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
    return winner(info)
