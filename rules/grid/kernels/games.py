"""Whole games, whatever the game: random ones, all of a length (perft), and many side by side.

The functions for compiled code are written once over `rules.grid.kernels.dispatch`, so the type of
`tables` decides which game they play.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.kernels import compiling
from rules.grid.kernels.dispatch import (
    DRAWN,
    SWAPPED,
    below,
    copy,
    legal,
    mark,
    pick_plain,
    play_plain,
    prepare_plain,
    reset,
    show,
    side,
    stream,
    whole,
)
from rules.grid.kernels.jit import njit_entry, njit_inline

Bytes = npt.NDArray[np.uint8]


@njit_entry
def is_legal(tables: Any, board: Any, info: Any, out: Any, action: int) -> bool:
    """Whether an action is legal in a game that goes on; any number may be asked about. `out` is
    room for all legal actions.
    """
    for i in range(legal(tables, board, info, out)):  # noqa: SIM110 - compiled code has no generators
        if out[i] == action:
            return True
    return False


# --- random games, and all games of a length -----------------------------------------------------


class Counts(NamedTuple):
    """The results of many random games. `plies` counts those of all games, `longest` and `shortest`
    those of one; `reversed` counts games whose winner did not move last.
    """

    unfinished: int
    first: int
    second: int
    drawn: int
    plies: int
    longest: int
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
    """How many sequences of `depth` legal actions, 1 or more, there are from a position that goes
    on.

    A game that ends earlier has none of that length. `most` actions are legal at once at most;
    `name` is the game's, for a person who waits while this is compiled.
    """
    actions, left = np.zeros((depth, most), np.int64), np.zeros(depth, np.int64)
    boards = np.zeros((depth, *board.shape), board.dtype)
    infos = np.zeros((depth, len(info)), np.int64)
    boards[0], infos[0] = board, info
    with compiling(f"the perft of {name}"):
        _perft(tables, boards[:1], infos[:1], work, actions[:1], left[:1])
    return int(_perft(tables, boards, infos, work, actions, left))


@njit_inline
def _rollout(
    tables: Any, board: Any, info: Any, work: Any, chance: Any, cap: int
) -> tuple[int, int]:
    """The result, and after how many plies. As a function of its own it gets `tables` once for each
    game, not for each ply.
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
        counts[won & 3] += 1
        counts[4] += plies
        counts[5] = max(counts[5], plies)
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
def step(tables: Any, games: Lanes, work: Any, actions: npt.NDArray[np.int64]) -> None:
    """Plays a legal action in each game; a game that is over begins anew. Fills all arrays of
    `games`.
    """
    for i in range(len(actions)):
        board, info = games.boards[i], games.infos[i]
        action, winner = whole(tables, info, games.waiting[i], actions[i]), -1
        games.waiting[i] = actions[i] if action < 0 else -1
        games.plies[i] += 1
        if action >= 0:
            won = play_plain(tables, board, info, work, action)
            if won == DRAWN:
                winner = 2
            elif won != 0:
                winner = (won - 1) ^ info[SWAPPED]
        if close(games.rewards, games.ended, games.truncated, games.plies, games.cap, i, winner):
            reset(tables, board, info)
            games.waiting[i] = -1
        _tell(tables, games, work, i)


@njit_entry
def fill(tables: Any, games: Lanes, work: Any) -> None:
    """Fills masks, seats and sides, for games that were put there."""
    for i in range(len(games.plies)):
        _tell(tables, games, work, i)


@njit_inline
def _tell(tables: Any, games: Lanes, work: Any, i: int) -> None:
    """Seat, side and mask of a game."""
    info = games.infos[i]
    games.sides[i] = side(tables, info)
    games.seats[i] = games.sides[i] ^ info[SWAPPED]
    mark(tables, info, work, games.waiting[i], games.masks[i])


@njit_entry
def observe(tables: Any, games: Lanes, out: npt.NDArray[np.uint8]) -> None:
    """Fills the planes of `out` uint8[n, planes, rows, columns] that change."""
    for i in range(len(games.plies)):
        show(tables, games.boards[i], games.infos[i], games.waiting[i], out[i])


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
