"""Games of a net against itself, as positions to learn from. Needs no torch."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.kernels import meridians as kernel
from rules.grid.meridians import Meridians
from rules.grid.search.mcts import Mcts, RootMove
from rules.grid.search.net import SETTINGS, NetAdapter, NetFile

_NODES = 1 << 17
_LOOSE = 10  # plies in which moves are drawn by their visits; later the most visited one is made
_RANDOM = 5  # the most random plies at the beginning, so that games differ
_LONGEST = 200  # plies


class Positions(NamedTuple):
    """m positions with N points: `cells` uint8[m, N + 1] as the kernels have them, `sides`,
    `plies`, `legal` bool[m, N].

    What is learnt: `visits` float32[m, N], the shares of the search's visits, and `chance`
    float32[m], that of the side to move, halfway between what the search found and how the game
    ended.
    """

    cells: npt.NDArray[np.uint8]
    sides: npt.NDArray[np.uint8]
    plies: npt.NDArray[np.uint8]
    legal: npt.NDArray[np.bool_]
    visits: npt.NDArray[np.float32]
    chance: npt.NDArray[np.float32]


def play(net: NetFile, games: int, simulations: int, seed: int) -> Positions:
    """Plays so many games with so many simulations a move. The same seed gives the same
    positions.
    """
    rng = np.random.default_rng(seed)
    adapter = NetAdapter(Meridians(size=net.size), net)
    search = Mcts(
        adapter.net, adapter.board, adapter.info, adapter.scratch, adapter.actions, SETTINGS, _NODES
    )
    return joined([_game(adapter, search, simulations, rng) for _ in range(games)])


def joined(parts: list[Positions]) -> Positions:
    """All positions in one."""
    return Positions(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def taken(positions: Positions, which: npt.NDArray[np.int64]) -> Positions:
    """The positions with these indices."""
    arrays: Any = (array[which] for array in positions)
    return Positions(*arrays)


def _game(
    adapter: NetAdapter, search: Mcts, simulations: int, rng: np.random.Generator
) -> Positions:
    """One game."""
    tables = adapter.tables
    board, info, work = kernel.blank(tables)
    n, actions = tables.points, np.zeros(tables.points + 1, np.int64)
    rows: list[
        tuple[
            npt.NDArray[np.uint8], int, int, npt.NDArray[np.bool_], npt.NDArray[np.float32], float
        ]
    ] = []
    first, ply, won = int(rng.integers(_RANDOM + 1)), 0, 0
    search.forget()
    while won == 0 and ply < _LONGEST:
        count = kernel.legal(tables, board, info, actions)
        action = int(actions[rng.integers(count)])
        if count > 1 and ply >= first:
            search.search(board, info, simulations, rng)
            moves = search.moves()
            visits, legal = _shares(moves, n), np.zeros(n, np.bool_)
            legal[actions[:count]] = True
            side = int(info[kernel.SIDE])
            rows.append(
                (
                    board[kernel.CELLS].astype(np.uint8),
                    side,
                    int(info[kernel.PLIES]),
                    legal,
                    visits,
                    search.value(),
                )
            )
            action = (
                int(rng.choice(n, p=visits / visits.sum()))
                if ply < first + _LOOSE
                else moves[0].action
            )
        won = kernel.play(tables, board, info, work, action)
        ply += 1
    return _learnt(rows, won, n)


def _shares(moves: list[RootMove], points: int) -> npt.NDArray[np.float32]:
    """The shares of the visits; a proven win has all of them."""
    shares = np.zeros(points, np.float64)
    if moves[0].proven and moves[0].value == 1.0:
        shares[moves[0].action] = 1.0
    else:
        for move in moves:
            shares[move.action] = 0 if move.proven and move.value == 0.0 else move.visits
        if shares.sum() == 0.0:
            shares[moves[0].action] = 1.0
    found: npt.NDArray[np.float32] = (shares / shares.sum()).astype(np.float32)
    return found


def _learnt(
    rows: list[
        tuple[
            npt.NDArray[np.uint8], int, int, npt.NDArray[np.bool_], npt.NDArray[np.float32], float
        ]
    ],
    won: int,
    points: int,
) -> Positions:
    """The positions of a game; `won` is 1 if side 0 has won, 2 if side 1 has, 0 if nobody has."""
    if not rows:
        nothing = np.zeros((0, points))
        cells = np.zeros((0, points + 1), np.uint8)
        empty = np.zeros(0)
        bytes_ = empty.astype(np.uint8)
        return Positions(
            cells,
            bytes_,
            bytes_,
            nothing.astype(np.bool_),
            nothing.astype(np.float32),
            empty.astype(np.float32),
        )
    cells, sides, plies, legal, visits, found = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    ended = np.full(len(rows), 0.5) if won == 0 else (sides == won - 1).astype(np.float64)
    chance = ((ended + found) / 2).astype(np.float32)
    return Positions(cells, sides.astype(np.uint8), plies.astype(np.uint8), legal, visits, chance)
