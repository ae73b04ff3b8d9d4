"""Which of two players of a grid game is stronger: pairs of games from random openings with seats exchanged, a sequential test.

    python benchmarks/strength.py meridians --size 6 alphabeta:seconds=0.1,clock=cpu alphabeta:seconds=0.03,clock=cpu
    python benchmarks/strength.py meridians --suite

The test is that of `shutoko rate`: it stops as soon as one player is better at an error rate of 5 %, or after so many pairs.
With `clock=cpu` the load of the machine decides no game. Where a match stands goes to standard error, pair by pair.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import rules
from rules.game import Game, GridState
from rules.players import player
from rules.rating import evidence

ALPHA = 0.05
MOST_PLIES = 2000
"""A longer game counts as drawn."""
SUITES: dict[str, tuple[tuple[int, str, str, int], ...]] = {
    "meridians": (
        (7, "best:seconds=0.1,clock=cpu", "random", 100),
        (7, "best:seconds=0.1,clock=cpu", "greedy", 100),
        (6, "best:seconds=0.1,clock=cpu", "best:seconds=0.03,clock=cpu", 300),
        (6, "best:seconds=0.3,clock=cpu", "best:seconds=0.1,clock=cpu", 300),
        (7, "best:seconds=0.1,clock=cpu", "uct:seconds=0.1,clock=cpu", 50),
        (7, "best:seconds=0.1,clock=cpu", "mcts:seconds=0.1,clock=cpu", 50),
        (7, "best:seconds=1,clock=cpu", "best:seconds=0.3,clock=cpu", 100),
    ),
    "thruway": (
        (11, "best:seconds=0.1,clock=cpu", "random", 100),
        (11, "best:seconds=0.1,clock=cpu", "greedy", 100),
        (7, "best:seconds=0.1,clock=cpu", "best:seconds=0.03,clock=cpu", 300),
        (7, "best:seconds=0.3,clock=cpu", "best:seconds=0.1,clock=cpu", 300),
        (11, "best:seconds=0.1,clock=cpu", "uct:seconds=0.1,clock=cpu", 50),
        (11, "best:seconds=0.1,clock=cpu", "rave:seconds=0.1,clock=cpu", 50),
        (11, "best:seconds=0.1,clock=cpu", "alphabeta:seconds=0.1,clock=cpu", 50),
        (11, "best:seconds=1,clock=cpu", "best:seconds=0.3,clock=cpu", 100),
    ),
}
"""Size, stronger and weaker player, pairs at most."""


def main() -> None:
    """Plays what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("players", nargs="*", help="two specs")
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--suite", action="store_true", help="the whole ladder")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--all", action="store_true", help="play all pairs, even when the test is decided")
    parser.add_argument("--opening", type=int, default=4, help="random plies at the beginning")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_intermixed_args()
    if not asked.suite and len(asked.players) != 2:
        parser.error("two players are needed")
    tests = SUITES[asked.game] if asked.suite else ((asked.size, *asked.players, asked.pairs),)
    for size, first, second, pairs in tests:
        every = asked.all or second in ("random", "greedy")
        match(asked.game, size, (first, second), pairs, every, asked.opening, asked.seed)


def match(name: str, size: int, specs: Sequence[str], pairs: int, every: bool, opening: int, seed: int) -> None:
    """Plays pairs until the test is decided, or all of them, and prints the result."""
    made = rules.game(name, size=size)
    players = [player(spec, made) for spec in specs]
    scores: list[float] = []
    spent, moves, worst = [0.0, 0.0], [0, 0], [0.0, 0.0]
    for pair in range(pairs):
        start = opened(made, opening, np.random.default_rng([seed, pair]))
        score = 0.0
        for first in (0, 1):
            state, ply = start, 0
            while (outcome := state.outcome()) is None and ply < MOST_PLIES:
                who = state.to_move ^ first
                begin = time.thread_time()
                move = players[who].choose(state, np.random.default_rng([seed, pair, first, ply]))
                took = time.thread_time() - begin
                spent[who] += took
                moves[who] += 1
                worst[who] = max(worst[who], took)
                state, ply = state.after(move), ply + 1
            score += 0.5 if outcome is None or not outcome.winners else float(outcome.winners[0] == first)
        scores.append(score / 2)
        better, worse = evidence(scores, 0.5), evidence([1 - s for s in scores], 0.5)
        print(f"  {pair + 1} pairs: {2 * sum(scores):g} - {2 * sum(1 - s for s in scores):g}", file=sys.stderr, flush=True)
        decided = max(better, worse) >= math.log(1 / ALPHA)
        if decided and not every:
            break
    verdict = ("first" if better > worse else "second") + " is stronger" if decided else "undecided"
    print(f"{name} {size}: {specs[0]} {2 * sum(scores):g} - {2 * sum(1 - s for s in scores):g} {specs[1]}: {verdict}")
    for who in (0, 1):
        if moves[who]:
            print(f"  {specs[who]}: {spent[who] / moves[who]:.4f} s CPU a move, {worst[who]:.4f} at most", flush=True)


def opened(made: Game[GridState[Any]], plies: int, rng: np.random.Generator) -> GridState[Any]:
    """A position after random moves from which the game goes on."""
    return next(state for state in _openings(made, plies, rng) if state.outcome() is None)


def _openings(made: Game[GridState[Any]], plies: int, rng: np.random.Generator) -> Iterator[GridState[Any]]:
    while True:
        state = made.start()
        for _ in range(plies):
            if state.outcome() is None:
                moves = state.legal_moves()
                state = state.after(moves[int(rng.integers(len(moves)))])
        yield state


if __name__ == "__main__":
    main()
