"""Fits the weights of Meridians' evaluation to the results of games that it plays against itself.

Each generation plays games by a shallow alpha-beta search with the weights of the one before, the first with mobility alone;
openings and some moves are random. Then the chance that light wins is fitted to the results of all positions by logistic
regression: the weight of a class of patterns is the sum of its own and of one that it shares with patterns that see as many of
each thing, so that rare ones are not left alone. The same seed gives the same weights.

    python benchmarks/weights.py --games 2000 --generations 2 --out rules/search/meridians.npz
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numba as nb
import numpy as np
import numpy.typing as npt

import rules
from rules.kernels import meridians as kernel
from rules.search import meridians, views
from rules.search.alphabeta import AlphaBeta
from rules.search.views import PATTERNS, SCALE, Weights

SIZES = (6, 7, 7, 6, 5)
ERRORS = 0.06  # of the moves are random
DEPTH = 2


def main() -> None:
    """Plays and fits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000, help="in each generation")
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--depth", type=int, default=DEPTH)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to begin with in the place of mobility")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    weights = mobility()
    if asked.start:
        stored = np.load(asked.start)
        weights = views.weights(stored["fitted"], stored["turn"])
    kept: list[tuple[Any, ...]] = []
    for generation in range(asked.generations):
        rng = np.random.default_rng([asked.seed, generation])
        start = time.process_time()
        kept.append(play(weights, asked.games, asked.depth, rng))
        positions = sum(len(part[2]) for part in kept)
        print(f"generation {generation}: {positions} positions, {time.process_time() - start:.0f} s CPU", flush=True)
        fitted, turn, losses = fit(kept, rng)
        print("  loss by pass, last held out: " + " ".join(f"{loss:.4f}" for loss in losses), flush=True)
        weights = views.weights(fitted, turn)
        np.savez_compressed(asked.out, fitted=fitted, turn=turn)


def mobility() -> Weights:
    """The weights of mobility: how many empty points see a stone of a side."""
    seen = np.arange(6**6)[:, None] // 6 ** np.arange(6) % 6
    light, dark = ((seen == 2) | (seen == 3)).any(1), ((seen == 4) | (seen == 5)).any(1)
    table = np.zeros((PATTERNS, 2), np.int16)
    table[: 6**6] = (60 * (light.astype(np.int16) - dark))[:, None]
    return Weights(table, np.array([60, 60], np.int64))


def play(weights: Weights, games: int, depth: int, rng: np.random.Generator) -> tuple[Any, ...]:
    """Patterns of all positions, where each position's begin, its share of empty points, who is to move, who won."""
    patterns, sizes, shares, sides, won = [], [], [], [], []
    for size in sorted(set(SIZES)):
        tables = rules.game("meridians", size=size).tables  # type: ignore[attr-defined]
        board, info, work = kernel.blank(tables)
        notes, out = views.notes(tables), np.zeros(tables.points + 1, np.int64)
        search = AlphaBeta(tables, board, info, work, tables.points + 2, weights, notes, bits=14)
        for _ in range(games * SIZES.count(size) // len(SIZES)):
            kernel.reset(tables, board, info)
            opening, first, result = int(rng.integers(2, 9)), len(shares), 0
            for ply in range(100_000):
                if ply < opening or rng.random() < ERRORS:
                    action = int(out[rng.integers(kernel.legal(tables, board, info, out))])
                else:
                    action = search.search(board, info, depth).action
                if ply >= opening:
                    views.watch(tables, board, info, weights, notes)
                    patterns.append(notes[2:].copy())
                    sizes.append(tables.points)
                    shares.append(info[kernel.EMPTIES] / tables.points)
                    sides.append(1.0 if info[kernel.SIDE] == 0 else -1.0)
                result = kernel.play(tables, board, info, work, action)
                if result:
                    break
            won += [result == 1] * (len(shares) - first)
    begins = np.concatenate([[0], np.cumsum(sizes)])
    floats = (np.array(column, np.float32) for column in (shares, sides, won))
    return np.concatenate(patterns), begins, *floats


def fit(parts: list[tuple[Any, ...]], rng: np.random.Generator, passes: int = 8) -> tuple[Any, Any, list[float]]:
    """The weights of the classes, those of the move, and the mean loss in each pass, at last on games that were held out."""
    number, sign, count = views.classes()
    shared = coarse()
    theta = np.zeros((count + int(shared.max()) + 1, 2))
    squares = np.full(theta.shape, 1e-2)
    turn, turn_squares = np.zeros(2), np.full(2, 1e-2)
    losses = []
    ends = [int(len(part[2]) * 0.95) for part in parts]
    for rate in [0.05 * 0.7**k for k in range(passes)] + [0.0]:
        loss, seen = 0.0, 0
        for part, end in zip(parts, ends, strict=True):
            patterns, begins, shares, sides, won = part
            order = rng.permutation(end) if rate else np.arange(end, len(shares))
            loss += _pass(
                patterns, begins, shares, sides, won, order, number, sign, shared, count, theta, squares, turn, turn_squares, rate
            )
            seen += len(order)
        losses.append(loss / seen)
    whole = theta[number] * sign[:, None] + theta[count + np.abs(shared)] * np.sign(shared)[:, None]
    classed = np.zeros((count, 2))
    classed[number[sign > 0]] = whole[sign > 0]
    rounded = np.clip(np.rint(classed * SCALE), -32000, 32000).astype(np.int16)
    return rounded, np.rint(turn * SCALE).astype(np.int64), losses


def coarse() -> npt.NDArray[np.int64]:
    """The number of each pattern's coarse class, negative where it counts with the other sign; class 0 counts nothing."""
    codes = np.arange(6**6)
    seen = codes[:, None] // 6 ** np.arange(6) % 6
    counts = np.stack([(seen == k).sum(1) for k in range(1, 6)], 1)
    powers = 7 ** np.arange(5)
    name, other = (counts * powers).sum(1), (counts[:, [0, 3, 4, 1, 2]] * powers).sum(1)
    sign = np.concatenate([np.sign(other - name), np.ones(6**6, int), -np.ones(6**6, int)])
    least = np.concatenate([np.minimum(name, other), 7**5 + name, 7**5 + other])
    _, number = np.unique(least, return_inverse=True)
    return (number + 1) * sign


@nb.njit
def _pass(
    patterns: Any,
    begins: Any,
    shares: Any,
    sides: Any,
    won: Any,
    order: Any,
    number: Any,
    sign: Any,
    shared: Any,
    count: int,
    theta: Any,
    squares: Any,
    turn: Any,
    turn_squares: Any,
    rate: float,
) -> float:
    """One pass of AdaGrad (Duchi et al. 2011) over the positions in `order`; the sum of their losses. A rate of 0 changes nothing."""
    total = 0.0
    for position in order:
        share = np.array((shares[position], 1.0 - shares[position]))
        logit = sides[position] * (turn[0] * share[0] + turn[1] * share[1])
        for at in range(begins[position], begins[position + 1]):
            pattern = patterns[at]
            fine, rough = number[pattern], count + abs(shared[pattern])
            way = 1.0 if shared[pattern] > 0 else -1.0 if shared[pattern] < 0 else 0.0
            for k in range(2):
                logit += share[k] * (theta[fine, k] * sign[pattern] + theta[rough, k] * way)
        chance = 1.0 / (1.0 + np.exp(-logit))
        wrong = chance - won[position]
        total -= np.log(max(1.0 - abs(wrong), 1e-9))
        if rate == 0.0:
            continue
        for k in range(2):
            slope = wrong * share[k] * sides[position]
            turn_squares[k] += slope * slope
            turn[k] -= rate * slope / np.sqrt(turn_squares[k])
        for at in range(begins[position], begins[position + 1]):
            pattern = patterns[at]
            fine, rough = number[pattern], count + abs(shared[pattern])
            way = 1.0 if shared[pattern] > 0 else -1.0 if shared[pattern] < 0 else 0.0
            for k in range(2):
                slope = wrong * share[k] * sign[pattern] + 1e-6 * theta[fine, k]
                squares[fine, k] += slope * slope
                theta[fine, k] -= 0.3 * rate * slope / np.sqrt(squares[fine, k])
                slope = wrong * share[k] * way
                squares[rough, k] += slope * slope
                theta[rough, k] -= rate * slope / np.sqrt(squares[rough, k])
    return total


if __name__ == "__main__":
    main()
