"""Fits the weights of Meridians' evaluation to the results of games that it plays against itself.

Each generation plays games by a shallow alpha-beta search with the weights of the one before, the first with mobility alone;
openings and some moves are random. Then the chance that light wins is fitted to the results by logistic regression over the
positions of all generations. A pattern's weight is the sum of those of three classes that it is in, from rough to fine, so that
rare patterns are not left alone; every tenth game is held out, and the pass that foretells those best is kept. The same seed
gives the same weights.

    python benchmarks/weights.py --games 2000 --generations 3 --out rules/search/meridians.npz
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numba as nb
import numpy as np
import numpy.typing as npt

from rules.kernels import meridians as kernel
from rules.meridians import Meridians
from rules.search import views
from rules.search.alphabeta import AlphaBeta
from rules.search.faces import face
from rules.search.views import PATTERNS, SCALE, Weights

SIZES = (6, 7, 7, 6, 5)
ERRORS = 0.06  # of the moves are random
SHARE = 0.4  # of the positions of a game are looked at
PASSES = 12
RATES = (1.0, 0.3, 0.1)  # of learning, for rough to fine classes

Games = tuple[npt.NDArray[Any], ...]


def main() -> None:
    """Plays and fits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000, help="in each generation")
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--depth", type=int, default=2, help="of the search that plays")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to begin with in the place of mobility")
    parser.add_argument("--games-file", type=Path, help="where the games are kept, and gone on with if they are there")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    weights = mobility()
    if asked.start:
        stored = np.load(asked.start)
        weights = views.weights(stored["fitted"], stored["turn"])
    kept: Games | None = None
    if asked.games_file and asked.games_file.exists():
        with np.load(asked.games_file) as stored:
            kept = tuple(stored[name] for name in stored.files)
    for generation in range(max(asked.generations, 1)):
        rng = np.random.default_rng([asked.seed, generation])
        start = time.process_time()
        if asked.generations:
            kept = joined(kept, play(weights, asked.games, asked.depth, rng))
        assert kept is not None, "there are no games to fit to"
        print(f"generation {generation}: {len(kept[2])} positions, {time.process_time() - start:.0f} s CPU", flush=True)
        if asked.games_file:
            np.savez_compressed(asked.games_file, *kept)
        fitted, turn, losses = fit(kept, rng)
        print("  loss on games held out, by pass: " + " ".join(f"{loss:.4f}" for loss in losses), flush=True)
        weights = views.weights(fitted, turn)
        np.savez_compressed(asked.out, fitted=fitted, turn=turn)


def mobility() -> Weights:
    """The weights of mobility: how many empty points see a stone of a side."""
    seen = np.arange(6**6)[:, None] // 6 ** np.arange(6) % 6
    light, dark = ((seen == 2) | (seen == 3)).any(1), ((seen == 4) | (seen == 5)).any(1)
    table = np.zeros((PATTERNS, 2), np.int16)
    table[: 6**6] = (60 * (light.astype(np.int16) - dark))[:, None]
    return Weights(table, np.array([60, 60], np.int64))


def play(weights: Weights, games: int, depth: int, rng: np.random.Generator) -> Games:
    """Patterns of positions, where each position's begin, its share of empty points, who is to move, who won, which game."""
    patterns: list[Any] = []
    counts, shares, sides, won, numbers = [0], list[Any](), list[Any](), list[Any](), list[Any]()
    number = 0
    for size in sorted(set(SIZES)):
        known = face(Meridians(size))
        tables, board, info, work = known.tables, known.board, known.info, known.work
        notes, out = views.notes(tables), np.zeros(tables.points + 1, np.int64)
        search = AlphaBeta(tables, board, info, work, known.actions, weights, notes, bits=14)
        for _ in range(games * SIZES.count(size) // len(SIZES)):
            kernel.reset(tables, board, info)
            opening, first, result, ply = int(rng.integers(2, 9)), len(shares), 0, 0
            while not result:
                if ply < opening or rng.random() < ERRORS:
                    action = int(out[rng.integers(kernel.legal(tables, board, info, out))])
                else:
                    action = search.search(board, info, depth).action
                if ply >= opening and rng.random() < SHARE:
                    views.watch(tables, board, info, weights, notes)
                    patterns.append(notes[2:].copy())
                    counts.append(tables.points)
                    shares.append(info[kernel.EMPTIES] / tables.points)
                    sides.append(1.0 if info[kernel.SIDE] == 0 else -1.0)
                result, ply = kernel.play(tables, board, info, work, action), ply + 1
            won += [float(result == 1)] * (len(shares) - first)
            numbers += [number] * (len(shares) - first)
            number += 1
    floats = (np.array(column, np.float32) for column in (shares, sides, won))
    return np.concatenate(patterns), np.cumsum(counts), *floats, np.array(numbers)


def joined(some: Games | None, more: Games) -> Games:
    """All games together."""
    if some is None:
        return more
    begins = np.concatenate([some[1], some[1][-1] + more[1][1:]])
    rest = [np.concatenate([one, other]) for one, other in zip(some[2:], more[2:], strict=True)]
    return np.concatenate([some[0], more[0]]), begins, *rest


def fit(games: Games, rng: np.random.Generator) -> tuple[Any, Any, list[float]]:
    """The weights of the classes of `rules.search.views`, those of the move, and the loss on games held out by pass."""
    number, sign, count = views.classes()
    numbers = np.stack([rough(), coarse(), (number + 1) * sign])
    spans = np.cumsum([0, *(int(np.abs(row).max()) + 1 for row in numbers)])
    places = (np.abs(numbers) + spans[:-1, None]).T.astype(np.int32).copy()
    signs = np.sign(numbers).T.astype(np.int8).copy()
    theta, squares = np.zeros((spans[-1], 2)), np.full((spans[-1], 2), 0.1)
    turn = np.zeros(2)
    held = games[5] % 10 == 0
    trained, tested = np.flatnonzero(~held), np.flatnonzero(held)
    losses, best = [], (np.inf, theta.copy(), turn.copy())
    step: Any = nb.njit(_pass)
    for k in range(PASSES):
        step(*games[:5], rng.permutation(trained), places, signs, theta, squares, turn, np.array(RATES) * 0.05 * 0.8**k)
        losses.append(step(*games[:5], tested, places, signs, theta, squares, turn, np.zeros(3)) / len(tested))
        if losses[-1] < best[0]:
            best = (losses[-1], theta.copy(), turn.copy())
    _, theta, turn = best
    whole = (theta[places] * signs[:, :, None]).sum(1)
    classed = np.zeros((count, 2))
    classed[number[sign > 0]] = whole[sign > 0]
    rounded = np.clip(np.rint(classed * SCALE), -32000, 32000).astype(np.int16)
    return rounded, np.rint(turn * SCALE).astype(np.int64), losses


def rough() -> npt.NDArray[np.int64]:
    """A class of each pattern, negative where it counts with the other sign, 0 for none: few and many of what is seen."""
    seen = np.arange(6**6)[:, None] // 6 ** np.arange(6) % 6
    beside, far = ([np.minimum((seen == k).sum(1), 2) for k in kinds] for kinds in ((2, 4), (3, 5)))
    light, dark = 3 * beside[0] + far[0], 3 * beside[1] + far[1]
    return _classes(9 * light + dark, 9 * dark + light)


def coarse() -> npt.NDArray[np.int64]:
    """As `rough`, by how many of each thing a point sees."""
    seen = np.arange(6**6)[:, None] // 6 ** np.arange(6) % 6
    counts = np.stack([(seen == k).sum(1) for k in range(1, 6)], 1)
    powers = 7 ** np.arange(5)
    return _classes((counts * powers).sum(1), (counts[:, [0, 3, 4, 1, 2]] * powers).sum(1))


def _classes(name: npt.NDArray[np.int64], swapped: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Numbers from 1 of the classes of all patterns, from names of codes and their names with the colours exchanged."""
    sign = np.concatenate([np.sign(swapped - name), np.ones(len(name), int), -np.ones(len(name), int)])
    least = np.concatenate([np.minimum(name, swapped), 7**6 + name, 7**6 + swapped])
    numbers: npt.NDArray[np.int64] = (np.unique(least, return_inverse=True)[1] + 1) * sign
    return numbers


def _pass(
    patterns: Any,
    begins: Any,
    shares: Any,
    sides: Any,
    won: Any,
    order: Any,
    places: Any,
    signs: Any,
    theta: Any,
    squares: Any,
    turn: Any,
    rates: Any,
) -> float:
    """One pass of AdaGrad (Duchi et al. 2011) over positions; the sum of their losses. Rates of 0: nothing is learned."""
    total = 0.0
    for position in order:
        share = np.array((shares[position], 1.0 - shares[position]))
        logit = sides[position] * (turn[0] * share[0] + turn[1] * share[1])
        for at in range(begins[position], begins[position + 1]):
            for k in range(3):
                place, sign = places[patterns[at], k], signs[patterns[at], k]
                logit += sign * (share[0] * theta[place, 0] + share[1] * theta[place, 1])
        wrong = 1.0 / (1.0 + np.exp(-logit)) - won[position]
        total -= np.log(max(1.0 - abs(wrong), 1e-9))
        if rates[0] == 0.0:
            continue
        for phase in range(2):
            turn[phase] -= 0.01 * rates[0] * wrong * share[phase] * sides[position]
        for at in range(begins[position], begins[position + 1]):
            for k in range(3):
                place, sign = places[patterns[at], k], signs[patterns[at], k]
                for phase in range(2):
                    slope = wrong * share[phase] * sign
                    squares[place, phase] += slope * slope
                    theta[place, phase] -= rates[k] * slope / np.sqrt(squares[place, phase])
    return total


if __name__ == "__main__":
    main()
