"""Whole games, whatever the game: random ones, all of a length (perft), and many side by side.

The functions for compiled code are written once over `rules.grid.kernels.dispatch`, so the type of
`tables` decides which game they play.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.kernels import compiling
from rules.grid.kernels.dispatch import (
    below,
    copy,
    legal,
    pick_plain,
    play_plain,
    prepare_plain,
    side,
    stream,
)
from rules.grid.kernels.jit import njit_entry, njit_inline

Bytes = npt.NDArray[np.uint8]

_DRAWN = 3


# --- random games, and all games of a length -----------------------------------------------------


class Counts(NamedTuple):
    """The results of many random games. `plies` counts those of all games, `longest` and `shortest`
    those of one; `reversed` counts games whose winner did not move last.
    """

    unfinished: int
    first: int
    second: int
    plies: int
    longest: int
    drawn: int
    shortest: int
    reversed: int


def rollouts(
    tables: Any, board: Any, info: Any, work: Any, games: int, seed: int, cap: int = 100_000
) -> Counts:
    """Plays `games` random games of at most `cap` plies from one position that goes on, and stays;
    all legal actions have equal chances.

    `work` is scratch of the rules. The same seed gives the same games.
    """
    counts = np.zeros(8, np.int64)
    counts[6] = cap
    copies = board.copy(), info.copy()
    _rollouts(tables, board, info, *copies, work, games, stream(seed), cap, counts)
    return Counts(*counts.tolist())


def perft(name: str, tables: Any, board: Any, info: Any, work: Any, depth: int, most: int) -> int:
    """How many sequences of `depth` legal actions there are from a position that goes on.

    A game that ends earlier has none of that length. `most` actions are legal at once at most;
    `name` is the game's, for a person who waits while this is compiled.
    """
    counted = 1
    for deep in sorted({min(1, depth), depth} - {0}):
        actions = np.zeros((deep, most), np.int64)
        boards = np.zeros((deep, *board.shape), board.dtype)
        infos = np.zeros((deep, len(info)), np.int64)
        boards[0], infos[0] = board, info
        arrays = boards, infos, work, actions, np.zeros(deep, np.int64)
        with compiling(f"the perft of {name}") if deep == 1 else nullcontext():
            counted = int(_perft(tables, *arrays))
    return counted


@njit_inline
def _rollout(
    tables: Any, board: Any, info: Any, work: Any, chance: Any, cap: int
) -> tuple[int, int]:
    """The result, and after how many plies. A function of its own gets `tables` once a game, not
    once a ply.
    """
    prepare_plain(tables, work)
    won, plies = 0, 0
    while won == 0 and plies < cap:
        action = pick_plain(tables, board, info, work, chance)
        won = play_plain(tables, board, info, work, action)
        plies += 1
    return won, plies


@njit_entry
def _rollouts(
    tables: Any,
    start: Any,
    start_info: Any,
    board: Any,
    info: Any,
    work: Any,
    games: int,
    chance: Any,
    cap: int,
    counts: Any,
) -> None:
    for _ in range(games):
        copy(start, board)
        copy(start_info, info)
        won, plies = _rollout(tables, board, info, work, chance, cap)
        counts[5 if won == _DRAWN else won & 3] += 1
        counts[3] += plies
        counts[4] = max(counts[4], plies)
        counts[6] = min(counts[6], plies)
        counts[7] += won == side(tables, info) + 1


@njit_entry
def _perft(tables: Any, boards: Any, infos: Any, work: Any, actions: Any, left: Any) -> int:
    """Row k of the arrays is the position after k actions; `left[k]` of its actions are still to be
    tried.
    """
    left[0] = legal(tables, boards[0], infos[0], actions[0])
    total, level = 0, 0
    while level >= 0:
        if level == len(left) - 1:
            total += left[level]
            left[level] = 0
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        board, info = boards[level + 1], infos[level + 1]
        copy(boards[level], board)
        copy(infos[level], info)
        if play_plain(tables, board, info, work, actions[level, left[level]]) == 0:
            level += 1
            left[level] = legal(tables, board, info, actions[level])
    return int(total)


# --- many games side by side, as arrays with a row for each game ---------------------------------


class Lanes(NamedTuple):
    """n games. `boards` and `infos` are the kernels' arrays of the game, the rest is for whoever
    plays; all have n rows.

    `waiting` int16[n] is the first half of a move that is made in two steps, -1 for none. `plies`
    int32[n] counts actions since the start of the game; with a `cap` above 0 a game of so many is
    stopped. `seats` and `sides` int8[n] are who is to move and with which colour. `rewards`
    float32[n, 2], `ended` and `truncated` uint8[n] tell of the last step, `masks` uint8[n, actions]
    what is legal now.
    """

    boards: npt.NDArray[Any]
    infos: npt.NDArray[np.int64]
    waiting: npt.NDArray[np.int16]
    plies: npt.NDArray[np.int32]
    seats: npt.NDArray[np.int8]
    sides: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    ended: Bytes
    truncated: Bytes
    masks: Bytes
    cap: int


def lanes(
    board: npt.NDArray[Any], info: npt.NDArray[np.int64], n: int, actions: int, cap: int
) -> Lanes:
    """So many games at the position of `board` and `info`; their masks are still to be filled."""
    return Lanes(
        np.repeat(board[None], n, 0),
        np.repeat(info[None], n, 0),
        np.full(n, -1, np.int16),
        np.zeros(n, np.int32),
        np.zeros(n, np.int8),
        np.zeros(n, np.int8),
        np.zeros((n, 2), np.float32),
        np.zeros(n, np.uint8),
        np.zeros(n, np.uint8),
        np.zeros((n, actions), np.uint8),
        cap,
    )


@njit_entry(inline=True)
def close(
    rewards: npt.NDArray[np.float32],
    ended: Bytes,
    truncated: Bytes,
    plies: npt.NDArray[np.int32],
    cap: int,
    i: int,
    winner: int,
) -> bool:
    """Writes down how game i stands after an action, in the arrays of `Lanes`.

    `winner` is a seat, 2 for a draw, -1 if the game goes on. Returns whether the game is over, by
    its rules or by the cap.
    """
    rewards[i, 0] = rewards[i, 1] = 0.0
    ended[i] = winner >= 0
    truncated[i] = winner < 0 and 0 < cap <= plies[i]
    if winner == 0 or winner == 1:
        rewards[i, winner] = 1.0
        rewards[i, 1 - winner] = -1.0
    if winner < 0 and truncated[i] == 0:
        return False
    plies[i] = 0
    return True


@njit_entry
def illegal(masks: Bytes, actions: npt.NDArray[np.int64]) -> int:
    """The first row whose action is not legal, -1 if all are."""
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] >= masks.shape[1] or masks[i, actions[i]] == 0:
            return i
    return -1


@njit_entry
def sample(masks: Bytes, chance: npt.NDArray[np.uint64], out: npt.NDArray[np.int64]) -> None:
    """Draws a legal action for each row, all with the same chance."""
    for i in range(len(out)):
        found = 0
        for action in range(masks.shape[1]):
            found += masks[i, action]
        drawn, seen = below(chance, found), 0
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                if seen == drawn:
                    out[i] = action
                    break
                seen += 1
