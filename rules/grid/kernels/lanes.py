"""Many games of one kind side by side, as arrays with a row for each game: what the batched kernels of both games share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.chance import below
from rules.grid.kernels.jit import njit_entry, njit_inline

__all__ = ["Lanes", "close", "illegal", "lanes", "sample"]

Bytes = npt.NDArray[np.uint8]


class Lanes(NamedTuple):
    """n games. `boards` and `infos` are the kernels' arrays of the game, the rest is for whoever plays; all have n rows.

    `waiting` int16[n] is the first half of a move that is made in two steps, -1 for none. `plies` int32[n] counts actions
    since the start of the game; with a `cap` above 0 a game of so many is stopped. `seats` and `sides` int8[n] are who is to
    move and with which colour. `rewards` float32[n, 2], `ended` and `truncated` uint8[n] tell of the last step, `masks`
    uint8[n, actions] what is legal now.
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


def lanes(board: npt.NDArray[Any], info: npt.NDArray[np.int64], n: int, actions: int, cap: int) -> Lanes:
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


@njit_inline
def close(games: Lanes, i: int, winner: int) -> bool:
    """Writes down how game i stands after an action: `winner` is a seat, 2 for a draw, -1 if the game goes on.

    Returns whether the game is over, by its rules or by the cap.
    """
    games.rewards[i, 0] = games.rewards[i, 1] = 0.0
    games.ended[i] = winner >= 0
    games.truncated[i] = winner < 0 and 0 < games.cap <= games.plies[i]
    if winner == 0 or winner == 1:
        games.rewards[i, winner] = 1.0
        games.rewards[i, 1 - winner] = -1.0
    if winner < 0 and games.truncated[i] == 0:
        return False
    games.plies[i] = 0
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
