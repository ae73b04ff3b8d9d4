"""Whole games of Thruway, random ones and all of a length (perft), from any position."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.chance import stream
from rules.grid.kernels.jit import njit_entry
from rules.grid.kernels.thruway.consequences import play, play_inline
from rules.grid.kernels.thruway.legality import is_legal, legal, pick_inline, prepare
from rules.grid.kernels.thruway.position import (
    DRAWN,
    PLIES,
    SIDE,
    UNDO,
    WON,
    Cells,
    Tables,
    Words,
    blank,
    most_legal,
    scratch,
    tables,
)

__all__ = ["Counts", "perft", "ready", "rollout", "rollouts"]


class Counts(NamedTuple):
    """The results of many random games. `plies` counts those of all games, `longest` and `shortest` those of one; `reversed`
    counts games whose winner did not move last.
    """

    unfinished: int
    concrete: int
    asphalt: int
    plies: int
    longest: int
    drawn: int
    shortest: int
    reversed: int


@cache
def ready() -> None:
    """Compiles or loads all that single moves need, so that no later call has to wait."""
    small = tables(3, False, UNDO, 0, 0)
    board, info, work = blank(small)
    legal(small, board, info, work)
    if is_legal(small, board, info, 0):
        play(small, board, info, work, 0)


def rollouts(tables: Tables, board: Cells, info: Words, games: int, seed: int, cap: int = 100_000) -> Counts:
    """Plays `games` rollouts of at most `cap` plies from one position, which stays. The same seed gives the same games."""
    counts = np.zeros(8, np.int64)
    counts[6] = cap
    work = scratch(tables)
    _rollouts(tables, board, info, board.copy(), info.copy(), work, games, stream(seed), cap, counts)
    return Counts(*counts.tolist())


def perft(tables: Tables, board: Cells, info: Words, depth: int) -> int:
    """How many sequences of `depth` legal actions there are from here; a game that ends earlier has none of that length."""
    if depth == 0 or info[WON]:
        return int(depth == 0)
    actions = np.zeros((depth, most_legal(tables)), np.int64)
    boards, infos = np.zeros((depth, len(board)), np.int8), np.zeros((depth, len(info)), np.int64)
    boards[0], infos[0] = board, info
    return int(_perft(tables, boards, infos, scratch(tables), actions, np.zeros(depth, np.int64), depth))


@njit_entry
def rollout(tables: Tables, board: Cells, info: Words, work: Words, chance: npt.NDArray[np.uint64], cap: int) -> int:
    """Plays on at random, all legal actions with equal chances, to the end or for `cap` plies; returns `winner(info)`."""
    prepare(tables, work)
    won = info[WON]
    while won == 0 and cap > 0:
        won = play_inline(tables, board, info, work, pick_inline(tables, board, info, work, chance))
        cap -= 1
    return int(won)


@njit_entry
def _rollouts(
    tables: Tables,
    board: Cells,
    info: Words,
    cells: Cells,
    fields: Words,
    work: Words,
    games: int,
    chance: npt.NDArray[np.uint64],
    cap: int,
    counts: Words,
) -> None:
    for _ in range(games):
        for place in range(len(board)):
            cells[place] = board[place]
        for place in range(len(info)):
            fields[place] = info[place]
        won = rollout(tables, cells, fields, work, chance, cap)
        plies = fields[PLIES] - info[PLIES]
        counts[5 if won == DRAWN else won & 3] += 1
        counts[3] += plies
        counts[4] = max(counts[4], plies)
        counts[6] = min(counts[6], plies)
        counts[7] += won == fields[SIDE] + 1


@njit_entry
def _perft(tables: Tables, boards: Cells, infos: Words, work: Words, actions: Words, left: Words, depth: int) -> int:
    """Row k of the arrays is the position after k actions; `left[k]` of its actions are still to be tried."""
    left[0] = legal(tables, boards[0], infos[0], actions[0])
    if depth == 1:
        return int(left[0])
    total = 0
    level = 0
    while level >= 0:
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        above = level + 1
        for place in range(boards.shape[1]):
            boards[above, place] = boards[level, place]
        for place in range(infos.shape[1]):
            infos[above, place] = infos[level, place]
        if play(tables, boards[above], infos[above], work, actions[level, left[level]]) != 0:
            continue
        following = legal(tables, boards[above], infos[above], actions[above])
        if above == depth - 1:
            total += following
        else:
            left[above] = following
            level = above
    return total
