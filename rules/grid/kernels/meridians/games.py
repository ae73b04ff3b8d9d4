"""Whole games of Meridians, random ones and all of a length (perft), from any position."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from rules.grid.boards import HexBoard
from rules.grid.kernels.chance import stream
from rules.grid.kernels.jit import njit_entry, njit_inline
from rules.grid.kernels.meridians.consequences import play, play_inline
from rules.grid.kernels.meridians.legality import is_legal, legal, pick_inline
from rules.grid.kernels.meridians.position import PAIR, PIE, Cells, Tables, Words, blank, copy, most_legal, tables, winner

__all__ = ["perft", "ready", "rollout", "rollouts"]


@cache
def ready() -> None:
    """Compiles or loads all that single moves need, so that no later call has to wait."""
    small = tables(HexBoard.of(3))
    board, info, work = blank(small)
    legal(small, board, info, work)
    if is_legal(small, board, info, 0):
        play(small, board, info, work, 0)


def rollouts(tables: Tables, board: Cells, info: Words, games: int, seed: int, cap: int = 100_000) -> tuple[int, ...]:
    """Plays `games` rollouts from one position, which stays. The same seed gives the same games.

    Returns five numbers: games unfinished, won by light, won by dark; plies of all games together, and of the longest.
    """
    counts = np.zeros(5, np.int64)
    work = np.zeros(tables.points + PAIR, np.int64)
    _rollouts(tables, board, info, board.copy(), info.copy(), work, games, stream(seed), cap, counts)
    return tuple(counts.tolist())


def perft(tables: Tables, board: Cells, info: Words, depth: int) -> int:
    """How many sequences of `depth` legal actions there are from here; a game that ends earlier has none of that length."""
    if depth == 0:
        return 1
    if winner(info):
        return 0
    actions = np.empty((depth, most_legal(tables, bool(info[PIE]))), np.int64)
    boards = np.empty((depth, *board.shape), np.uint16)
    infos = np.empty((depth, info.size), np.int64)
    boards[0], infos[0] = board, info
    work = np.zeros(tables.points + PAIR, np.int64)
    return _perft(tables, boards, infos, actions, np.zeros(depth, np.int64), work, depth)


@njit_entry
def rollout(tables: Tables, board: Cells, info: Words, work: Words, chance: npt.NDArray[np.uint64], cap: int) -> int:
    """Plays uniformly random legal actions in place up to the end: 1 light has won, 2 dark has won, 0 after `cap` plies."""
    return _rollout(tables, board, info, work, chance, cap)[0]


@njit_inline
def _rollout(
    tables: Tables, board: Cells, info: Words, work: Words, chance: npt.NDArray[np.uint64], cap: int
) -> tuple[int, int]:
    """Who has won, and after how many plies."""
    won, plies = 0, 0
    while won == 0 and plies < cap:
        won = play_inline(tables, board, info, work, pick_inline(tables, board, info, work, chance))
        plies += 1
    return won, plies


@njit_entry
def _rollouts(
    tables: Tables,
    start: Cells,
    start_info: Words,
    board: Cells,
    info: Words,
    work: Words,
    games: int,
    chance: npt.NDArray[np.uint64],
    cap: int,
    counts: Words,
) -> None:
    for _ in range(games):
        copy(start, start_info, board, info)
        won, plies = _rollout(tables, board, info, work, chance, cap)
        counts[won] += 1
        counts[3] += plies
        counts[4] = max(counts[4], plies)


@njit_entry
def _perft(tables: Tables, boards: Cells, infos: Words, actions: Words, left: Words, work: Words, depth: int) -> int:
    """Row k of the arrays is the position after k actions; `left[k]` of its actions are still to be tried."""
    left[0] = legal(tables, boards[0], infos[0], actions[0])
    total, level = 0, 0
    while level >= 0:
        if level == depth - 1:
            total += left[level]
            left[level] = 0
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        board, info = boards[level + 1], infos[level + 1]
        copy(boards[level], infos[level], board, info)
        if play(tables, board, info, work, actions[level, left[level]]) == 0:
            level += 1
            left[level] = legal(tables, board, info, actions[level])
    return total
