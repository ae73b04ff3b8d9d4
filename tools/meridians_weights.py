r"""Fits the weights of Meridians' evaluation to games that it plays against itself.

Each generation plays games by a shallow alpha-beta search with the weights of the one before, the
first with mobility alone; openings and some moves are random. Then logistic regression with a
penalty on large weights fits the chance that light wins to the mean of a game's result and of the
search's value of the position, over the positions of this generation and the one before. A
pattern's weight is the sum of the weights of the three classes that it is in, from rough to fine,
so that rare patterns share what common ones have learned. The same seed gives the same weights. A
thousand games take some 40 s of CPU time.

    python tools/meridians_weights.py --games 16000 --generations 4 \
        --out rules/grid/search/meridians.npz
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import optimize, sparse

from rules.grid.kernels import dispatch, meridians as kernel
from rules.grid.meridians import Meridians
from rules.grid.search import meridians as views
from rules.grid.search.adapters import adapter_for
from rules.grid.search.alphabeta import AlphaBeta
from rules.grid.search.meridians import PATTERNS, SCALE, Weights

SIZES = (6, 7, 7, 6, 5)
ERRORS = 0.06  # of the moves are random
SHARE = 0.4  # of the positions of a game are looked at
# on squares of weights in units of the log odds, of rough to fine classes
PENALTIES = (
    200.0,
    300.0,
    600.0,
)
STEPS = 80  # of the optimiser
SURE = 9.0  # log odds of a search that has proven a win
HELD_OUT = 10  # one game in so many

Games = tuple[npt.NDArray[Any], ...]


def main() -> None:
    """Plays and fits."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=2000, help="in each generation")
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--depth", type=int, default=2, help="of the search that plays")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to begin with in the place of mobility")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    weights = mobility()
    if asked.start:
        stored = np.load(asked.start)
        weights = views.weights(stored["fitted"], stored["turn"])
    last: Games | None = None
    for generation in range(asked.generations):
        start = time.process_time()
        games = play(
            weights, asked.games, asked.depth, np.random.default_rng([asked.seed, generation])
        )
        played = time.process_time() - start
        loss, fitted, turn = fit(joined(last, games) if last else games)
        last = games
        weights = views.weights(fitted, turn)
        np.savez_compressed(asked.out, fitted=fitted, turn=turn)
        spent = time.process_time() - start - played
        print(
            (
                f"generation {generation}: {len(games[2])} positions in {played:.0f} s CPU, fitted "
                "in "
                f"{spent:.0f} s"
            ),
            end="",
        )
        print(f"; loss on games held out {loss:.4f}", flush=True)


def mobility() -> Weights:
    """The weights of mobility, the number of empty points that see a stone of a side."""
    seen = np.arange(6**6)[:, None] // 6 ** np.arange(6) % 6
    light, dark = ((seen == 2) | (seen == 3)).any(1), ((seen == 4) | (seen == 5)).any(1)
    table = np.zeros((PATTERNS, 2), np.int16)
    table[: 6**6] = (60 * (light.astype(np.int16) - dark))[:, None]
    return Weights(table, np.array([60, 60], np.int64))


def play(weights: Weights, games: int, depth: int, rng: np.random.Generator) -> Games:
    """Patterns of positions, where each position's begin, its share of empty points, whose turn,
    light's chance, which game.
    """
    patterns: list[Any] = []
    counts, shares, sides, told, won, numbers = (
        [0],
        list[Any](),
        list[Any](),
        list[Any](),
        list[Any](),
        list[Any](),
    )
    number = 0
    for size in sorted(set(SIZES)):
        known = adapter_for(Meridians(size))
        tables, board, info, work = known.tables, known.board, known.info, known.work
        notes, out = views.notes(tables), np.zeros(tables.points + 1, np.int64)
        search = AlphaBeta(tables, board, info, work, known.actions, weights, notes, bits=14)
        for _ in range(games * SIZES.count(size) // len(SIZES)):
            kernel.reset(tables, board, info)
            opening, first, result, ply = int(rng.integers(2, 9)), len(shares), 0, 0
            while not result:
                found = search.search(board, info, depth)
                action = found.action
                if ply >= opening and rng.random() < SHARE:
                    views.refresh(tables, board, info, weights, notes)
                    patterns.append(notes[2:].copy())
                    counts.append(tables.points)
                    shares.append(info[kernel.EMPTIES] / tables.points)
                    sides.append(1.0 if info[dispatch.SIDE] == 0 else -1.0)
                    told.append(sides[-1] * found.score)
                if ply < opening or rng.random() < ERRORS:
                    action = int(out[rng.integers(kernel.legal(tables, board, info, out))])
                result, ply = kernel.play(tables, board, info, work, action), ply + 1
            won += [float(result == 1)] * (len(shares) - first)
            numbers += [number] * (len(shares) - first)
            number += 1
    values = 1 / (1 + np.exp(-np.clip(np.array(told) / SCALE, -SURE, SURE)))
    floats = (
        np.array(column, np.float32) for column in (shares, sides, (np.array(won) + values) / 2)
    )
    return np.concatenate(patterns), np.cumsum(counts), *floats, np.array(numbers)


def joined(some: Games, more: Games) -> Games:
    """All games together."""
    begins = np.concatenate([some[1], some[1][-1] + more[1][1:]])
    rest = [np.concatenate([one, other]) for one, other in zip(some[2:], more[2:], strict=True)]
    return np.concatenate([some[0], more[0]]), begins, *rest


def fit(games: Games) -> tuple[float, npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """The mean loss on games held out, the weights of the classes of `rules.grid.search.meridians`,
    and those of having the move.
    """
    patterns, begins, shares, sides, won, numbers = games
    number, sign, count = views.classes()
    labels = (rough(), coarse(), (number + 1) * sign)
    rows = np.repeat(np.arange(len(shares)), np.diff(begins))
    blocks, penalties = [], []
    for label, each in zip(labels, PENALTIES, strict=True):
        entries = np.sign(label)[patterns].astype(np.float32), (rows, np.abs(label)[patterns])
        blocks.append(sparse.csr_matrix(entries, (len(shares), int(np.abs(label).max()) + 1)))
        penalties.append(np.full(blocks[-1].shape[1], each))
    counts, penalty = sparse.hstack(blocks).tocsr(), np.concatenate(penalties)[:, None]
    phases = np.stack([shares, 1 - shares], 1).astype(np.float64)
    held = numbers % HELD_OUT == 0
    inputs, outputs = counts[~held], counts[~held].T.tocsr()
    share, side, result = phases[~held], sides[~held], won[~held]

    def loss(flat: Any) -> tuple[float, Any]:
        theta = flat.reshape(-1, 2)
        score = ((inputs @ theta[:-1]) * share).sum(1) + side * (share @ theta[-1])
        wrong = 1 / (1 + np.exp(-score)) - result
        value = (np.logaddexp(0, score) - result * score).sum() + 0.5 * (
            penalty * theta[:-1] ** 2
        ).sum()
        slope = outputs @ (wrong[:, None] * share) + penalty * theta[:-1]
        return float(value), np.vstack([slope, share.T @ (wrong * side)]).ravel()

    start = np.zeros(2 * (counts.shape[1] + 1))
    theta = optimize.minimize(
        loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS}
    ).x.reshape(-1, 2)
    score = ((counts[held] @ theta[:-1]) * phases[held]).sum(1) + sides[held] * (
        phases[held] @ theta[-1]
    )
    found = float((np.logaddexp(0, score) - won[held] * score).mean())
    whole, first = np.zeros((PATTERNS, 2)), 0
    for label, block in zip(labels, blocks, strict=True):
        whole += theta[first + np.abs(label)] * np.sign(label)[:, None]
        first += block.shape[1]
    classed = np.zeros((count, 2))
    classed[number[sign > 0]] = whole[sign > 0]
    rounded = np.clip(np.rint(classed * SCALE), -32000, 32000).astype(np.int16)
    return found, rounded, np.rint(theta[-1] * SCALE).astype(np.int64)


def rough() -> npt.NDArray[np.int64]:
    """A class of each pattern by whether few or many stones are seen; negative if it counts with
    the other sign, 0 for none.
    """
    seen = np.arange(6**6)[:, None] // 6 ** np.arange(6) % 6
    beside, far = ([np.minimum((seen == k).sum(1), 2) for k in kinds] for kinds in ((2, 4), (3, 5)))
    light, dark = 3 * beside[0] + far[0], 3 * beside[1] + far[1]
    return _classes(9 * light + dark, 9 * dark + light)


def coarse() -> npt.NDArray[np.int64]:
    """As `rough`, by the number of each thing that a point sees."""
    seen = np.arange(6**6)[:, None] // 6 ** np.arange(6) % 6
    counts = np.stack([(seen == k).sum(1) for k in range(1, 6)], 1)
    powers = 7 ** np.arange(5)
    return _classes((counts * powers).sum(1), (counts[:, [0, 3, 4, 1, 2]] * powers).sum(1))


def _classes(name: npt.NDArray[np.int64], swapped: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Numbers from 1 of the classes of all patterns, from names of codes and their names with the
    colours exchanged.
    """
    sign = np.concatenate(
        [np.sign(swapped - name), np.ones(len(name), int), -np.ones(len(name), int)]
    )
    least = np.concatenate([np.minimum(name, swapped), 7**6 + name, 7**6 + swapped])
    numbers: npt.NDArray[np.int64] = (np.unique(least, return_inverse=True)[1] + 1) * sign
    return numbers


if __name__ == "__main__":
    main()
