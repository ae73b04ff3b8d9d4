"""Fits the evaluation and the move probabilities of Thruway's search to games that it plays against
itself.

Each generation plays games with the weights of the one before, from openings with up to eight
random plies; the first plays with RAVE, which needs no weights. Then logistic regression fits the
resistances of the kinds of cells, and how the value follows from them, to the mean of the game's
result and of the search's own value; and the weights of the features of moves to how often the
search tried the moves. The gradient of a resistance needs no second solution: the resistance of a
net changes with one resistor by the square of the share of the current through it (Cohn 1950). The
same seed gives the same weights.

    python tools/thruway_weights.py --out rules/grid/search/thruway.npz
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse
from scipy.optimize import minimize

from rules.grid.kernels import dispatch, thruway as kernel
from rules.grid.kernels.jit import njit_entry
from rules.grid.search import flow, thruway
from rules.grid.search.mcts import Mcts, RootMove
from rules.grid.search.thruway import WEIGHTS, Weights
from rules.grid.search.tree import Settings

SIZES = (11, 11, 7, 9)
OPENING = 8  # random plies, at most
CAP = 300  # plies
SHOWN = 16  # moves of a search that are kept
OTHERS = 40  # moves that the search never tried, as a sample of all of these
RAVE = Settings(rave=1000.0, exploration=0.1)
FITTED = Settings(puct=0.6, reduction=0.1, horizon=0)
SPREAD = 3.5  # logarithms of resistances lie between its negative and this
# penalties on squares, so that the weights of rare things stay where they were
STRICT, STRICT_LOOKS = (
    4e-4,
    1e-4,
)

Reals = npt.NDArray[np.float64]


class Seen(NamedTuple):
    """A position of a game as the kernels keep it, what the search said, and who won."""

    size: int
    board: npt.NDArray[np.int8]
    info: npt.NDArray[np.int64]
    moves: Sequence[RootMove]
    winner: int


class Nets(NamedTuple):
    """Positions of one size for the fit of resistances: kinds int64[N, 2, cells], the turn 1 or -1,
    targets, how full.
    """

    kinds: npt.NDArray[np.int64]
    turn: Reals
    target: Reals
    full: Reals


def main() -> None:
    """Plays and fits."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200, help="in each generation")
    parser.add_argument("--generations", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    weights, kept = plain(), list[list[Seen]]()
    for generation in range(asked.generations):
        start = time.process_time()
        settings = FITTED if generation else RAVE
        kept.append(
            play(weights, settings, asked.games, asked.simulations, [asked.seed, generation])
        )
        print(
            (
                f"generation {generation}: {len(kept[-1])} positions, "
                f"{time.process_time() - start:.0f} s CPU"
            ),
            flush=True,
        )
        recent = [seen for games in kept[-2:] for seen in games]
        resistance, blend = fit_nets(
            [net for size in set(SIZES) if len((net := nets(recent, size)).turn)]
        )
        weights = Weights(np.zeros(WEIGHTS, np.int64), resistance, blend)
        weights = weights._replace(
            looks=fit_looks(weights, kept[-1], np.random.default_rng([asked.seed, generation]))
        )
        np.savez_compressed(asked.out, **weights._asdict())
        print(f"  fitted, {time.process_time() - start:.0f} s CPU in all", flush=True)


def plain() -> Weights:
    """Where the fit begins: tiles with an odd number of empty neighbours are vulnerable and conduct
    worse.
    """
    own = np.array([0.1, *[0.5, 0.6, 0.3, 0.6, 0.3], *[0.6] * 5])
    other = np.array([20, *[2, 1.8, 3, 1.8, 3], *[2] * 5])
    ohms = np.log(np.concatenate([own, other, np.ones(flow.KINDS - 22)]))
    return Weights(np.zeros(WEIGHTS, np.int64), ohms, np.array([1.8, 0.9, 0.1, 0.1]))


def play(
    weights: Weights, settings: Settings, games: int, simulations: int, seed: Sequence[int]
) -> list[Seen]:
    """Games of the search against itself."""
    found: list[Seen] = []
    searches: dict[int, Mcts] = {}
    for number in range(games):
        rng = np.random.default_rng([*seed, number])
        size = SIZES[number % len(SIZES)]
        tables = kernel.tables(size, False, kernel.UNDO, 0, 0)
        board, info, work = kernel.blank(tables)
        if size not in searches:
            searches[size] = Mcts(
                tables,
                board,
                info,
                thruway.room(tables, weights),
                kernel.most_legal(tables) + 2,
                settings,
            )
        search = searches[size]
        search.forget()
        for _ in range(int(rng.integers(OPENING + 1))):
            actions = _legal(tables, board, info)
            kernel.play(tables, board, info, work, int(actions[rng.integers(len(actions))]))
        game: list[Seen] = []
        while not info[dispatch.WON] and len(game) < CAP:
            search.search(board, info, simulations, rng)
            moves = search.moves()
            game.append(
                Seen(
                    size,
                    board.copy(),
                    info.copy(),
                    moves[:SHOWN],
                    0,
                )
            )
            kernel.play(tables, board, info, work, moves[0].action)
        found += [seen._replace(winner=int(info[dispatch.WON])) for seen in game]
    return found


def nets(positions: Sequence[Seen], size: int) -> Nets:
    """The positions of that size."""
    tables = kernel.tables(size, False, kernel.UNDO, 0, 0)
    inner = np.zeros((2, (size + 2) ** 2), np.int64)
    rows = []
    for seen in positions:
        if seen.size != size or seen.winner not in (1, 2):
            continue
        flow.classify(tables, seen.board, seen.info, inner)
        cells = inner.reshape(2, size + 2, size + 2)[:, 1:-1, 1:-1].reshape(2, -1)
        won, told = float(seen.winner == 1), _value(seen)
        rows.append(
            (
                cells.copy(),
                1 - 2 * seen.info[dispatch.SIDE],
                (won + told) / 2,
                np.count_nonzero(seen.board % 3) / size**2,
            )
        )
    kinds = np.array([row[0] for row in rows], np.int64)
    turn, target, full = np.array([row[1:] for row in rows], float).reshape(-1, 3).T
    return Nets(kinds, turn, target, full)


def _value(seen: Seen) -> float:
    """What the search thought of concrete's chances."""
    visits = sum(move.visits for move in seen.moves)
    if seen.moves[0].proven or not visits:  # no visit: every move that was tried is proven lost
        return float(seen.winner == 1)
    value = sum(move.value * move.visits for move in seen.moves) / visits
    return value if seen.info[dispatch.SIDE] == 0 else 1 - value


def fit_nets(data: Sequence[Nets]) -> tuple[Reals, Reals]:
    """The logarithms of the resistances, and the blend."""
    first = plain()
    begin = np.concatenate([first.resistance, first.blend])
    total = sum(len(net.turn) for net in data)

    def loss(fitted: Reals) -> tuple[float, Reals]:
        away = np.append(fitted[: flow.KINDS] - begin[: flow.KINDS], np.zeros(4))
        value, slope = STRICT * float(away @ away), 2 * STRICT * away
        for net in data:
            for at in range(0, len(net.turn), 256):
                some = slice(at, at + 256)
                part, change = _loss(
                    Nets(net.kinds[some], net.turn[some], net.target[some], net.full[some]), fitted
                )
                value += part / total
                slope += change / total
        return value, slope

    bounds = [(-SPREAD, SPREAD)] * flow.KINDS + [(None, None)] * 4
    found = minimize(
        loss, begin, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 25}
    ).x
    return found[: flow.KINDS], found[flow.KINDS :]


def _loss(net: Nets, fitted: Reals) -> tuple[float, Reals]:
    """The sum of the losses of some positions and its gradient."""
    blend = fitted[flow.KINDS :]
    (one, by_one), (two, by_two) = (
        resistances(net.kinds[:, colour], np.exp(fitted[: flow.KINDS])) for colour in (0, 1)
    )
    better, weight = two - one, blend[0] + blend[1] * net.full
    odds = weight * better + (blend[2] + blend[3] * net.full) * net.turn
    off = 1 / (1 + np.exp(-odds)) - net.target
    slope = np.zeros(len(fitted))
    for colour, sign, by in ((0, -1, by_one), (1, 1, by_two)):
        pull = (sign * (off * weight)[:, None] * by).ravel()
        slope[: flow.KINDS] += np.bincount(net.kinds[:, colour].ravel(), pull, flow.KINDS)
    slope[flow.KINDS :] = (
        off @ np.column_stack([better, better * net.full, net.turn, net.turn * net.full])
    ).tolist()
    return float(np.sum(np.logaddexp(0, odds) - net.target * odds)), slope


def resistances(kinds: npt.NDArray[np.int64], ohms: Reals) -> tuple[Reals, Reals]:
    """The logarithm of the resistance of each net from its first row to its last, float64[N], and
    its derivatives by the logarithms of the cells' resistances, float64[N, cells].
    """
    count, cells = kinds.shape
    size = round(cells**0.5)
    each = ohms[kinds].reshape(count, size, size)
    along, aside = 2 / (each[:, :-1] + each[:, 1:]), 2 / (each[:, :, :-1] + each[:, :, 1:])
    enter, leave = 2 / each[:, 0], 2 / each[:, -1]
    number = np.arange(cells).reshape(size, size)
    diagonal = np.zeros_like(each)
    diagonal[:, :-1] += along
    diagonal[:, 1:] += along
    diagonal[:, :, :-1] += aside
    diagonal[:, :, 1:] += aside
    diagonal[:, 0] += enter
    diagonal[:, -1] += leave
    matrix = np.zeros((count, cells, cells))
    matrix[:, number.ravel(), number.ravel()] = diagonal.reshape(count, cells)
    for one, other, between in (
        (number[:-1], number[1:], along),
        (number[:, :-1], number[:, 1:], aside),
    ):
        matrix[:, one.ravel(), other.ravel()] = matrix[
            :, other.ravel(), one.ravel()
        ] = -between.reshape(count, -1)
    fed = np.zeros((count, cells, 1))
    fed[:, :size, 0] = enter
    potential = np.linalg.solve(matrix, fed).reshape(count, size, size)
    whole = np.sum((1 - potential[:, 0]) * enter, 1)

    squares = np.zeros_like(each)
    down, right = (
        (along * np.diff(potential, axis=1)) ** 2,
        (aside * np.diff(potential, axis=2)) ** 2,
    )
    squares[:, :-1] += down
    squares[:, 1:] += down
    squares[:, :, :-1] += right
    squares[:, :, 1:] += right
    squares[:, 0] += (enter * (1 - potential[:, 0])) ** 2
    squares[:, -1] += (leave * potential[:, -1]) ** 2
    return -np.log(whole), (0.5 * squares * each / whole[:, None, None]).reshape(count, cells)


@njit_entry
def features(
    tables: Any, board: Any, info: Any, work: Any, action: int, out: Any, survey: bool
) -> int:
    """Fills `out` with the numbers of the weights that make up the sum of an edge, and returns how
    many there are.

    `survey` must be true for the first edge of a position. This overwrites the weights: with a
    single 1 among zeros the sum tells how often that feature is there.
    """
    if survey:
        thruway.survey(tables, board, info, work)
    weights = work.looks
    for place in range(WEIGHTS):
        weights[place] = 0
    count = 0
    for place in range(WEIGHTS):
        weights[place] = 1
        times = thruway.look(tables, board, info, work.sights, weights, action)
        weights[place] = 0
        for _ in range(times):
            out[count] = place
            count += 1
    return count


def fit_looks(
    weights: Weights, positions: Sequence[Seen], rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """The weights of the features of moves, in thousandths."""
    rows: list[npt.NDArray[np.int64]] = []
    targets: list[float] = []
    starts: list[int] = []
    works = {}
    out = np.zeros(4 * SHOWN, np.int64)
    for seen in positions:
        if seen.moves[0].proven:
            continue
        if seen.size not in works:
            tables = kernel.tables(seen.size, False, kernel.UNDO, 0, 0)
            works[seen.size] = tables, thruway.room(tables, weights, 3)
        tables, work = works[seen.size]
        tried = {move.action: move.visits for move in seen.moves if move.action < len(tables.edges)}
        if not any(tried.values()):
            continue
        others = np.setdiff1d(_legal(tables, seen.board, seen.info), list(tried))
        others = rng.permutation(others[others < len(tables.edges)])[:OTHERS]
        starts.append(len(rows))
        for action in [*tried, *others.tolist()]:
            count = features(
                tables, seen.board, seen.info, work, action, out, len(rows) == starts[-1]
            )
            rows.append(out[:count].copy())
            targets.append(tried.get(action, 0) / sum(tried.values()))
    ends = np.cumsum([0, *map(len, rows)])
    matrix = scipy.sparse.csr_matrix(
        (np.ones(ends[-1]), np.concatenate(rows), ends), shape=(len(rows), WEIGHTS)
    )
    begin, target = np.array(starts), np.array(targets)
    group = np.repeat(np.arange(len(begin)), np.diff([*starts, len(rows)]))

    def loss(fitted: Reals) -> tuple[float, Reals]:
        sums = matrix @ fitted
        sums -= np.maximum.reduceat(sums, begin)[group]
        chances = np.exp(sums)
        whole = np.add.reduceat(chances, begin)[group]
        value = -float(target @ (sums - np.log(whole))) / len(begin)
        slope = matrix.T @ (chances / whole - target) / len(begin)
        return value + STRICT_LOOKS * float(fitted @ fitted), slope + 2 * STRICT_LOOKS * fitted

    found = minimize(
        loss, np.zeros(WEIGHTS), jac=True, method="L-BFGS-B", options={"maxiter": 60}
    ).x
    return np.round(1000 * found).astype(np.int64)


def _legal(tables: kernel.Tables, board: Any, info: Any) -> npt.NDArray[np.int64]:
    actions = np.zeros(kernel.most_legal(tables), np.int64)
    return actions[: kernel.legal(tables, board, info, actions)]


if __name__ == "__main__":
    main()
