"""Which of two players of a grid game is stronger? Plays pairs of games from random openings with
seats exchanged, and tests.

    python benchmarks/strength.py meridians --size 6 alphabeta:seconds=0.1,clock=cpu
    alphabeta:seconds=0.03,clock=cpu python benchmarks/strength.py meridians --suite

The test is the sequential test of `shutoko rate`: it stops as soon as one player is better at an
error rate of 5 %, or after `--pairs` pairs. It bets on pairs, not on games: of the two games from
one opening, who won the first says something about the second, and a bet on each would count that
as evidence. So 10 - 0 may be open, and 14 - 0 decides. With `--apart` every game has an opening of
its own, and a coin decides who begins. Then each game is a fair bet, and 7 - 0 decides; but
lopsided openings add chance.

With `clock=cpu` other work of the machine does not influence games. The score goes to standard
error after each pair. With `--even` it plays only openings that a search of four plies finds even:
from a lopsided one each player wins one game.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np

import rules
from rules.arena.players import player
from rules.arena.rating import evidence
from rules.game import Game, GridState

ALPHA = 0.05
MOST_PLIES = 2000
"""A longer game counts as drawn."""
EVEN = 0.05
"""How far the chance of the side to move may be from one half in an even opening."""
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
"""Size, first and second player, the greatest number of pairs."""


def main() -> None:
    """Plays what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("players", nargs="*", help="two specs")
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--suite", action="store_true", help="the whole ladder")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument(
        "--all", action="store_true", help="play all pairs, even when the test is decided"
    )
    parser.add_argument("--opening", type=int, default=4, help="random plies at the beginning")
    parser.add_argument("--even", action="store_true", help="even openings only")
    parser.add_argument(
        "--apart", action="store_true", help="an opening for each game, seats by lot"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes, each playing pairs")
    asked = parser.parse_intermixed_args()
    if not asked.suite and len(asked.players) != 2:
        parser.error("two players are needed")
    tests = SUITES[asked.game] if asked.suite else ((asked.size, *asked.players, asked.pairs),)
    for size, first, second, pairs in tests:
        every = asked.all or second in ("random", "greedy")
        told = Match(
            asked.game, size, (first, second), asked.opening, asked.even, asked.apart, asked.seed
        )
        match(told, pairs, every, asked.workers)


class Match(NamedTuple):
    """Who plays what: game and size, two specs, random plies at the beginning, whether these must
    lead to an even position, and whether every game has an opening of its own.
    """

    game: str
    size: int
    specs: tuple[str, str]
    opening: int
    even: bool
    apart: bool
    seed: int


class Pair(NamedTuple):
    """The games from one opening: wins of the first player, games, and for each player CPU seconds,
    moves, the longest one.
    """

    score: float
    games: int
    spent: list[float]
    moves: list[int]
    worst: list[float]


def match(told: Match, pairs: int, every: bool, workers: int) -> None:
    """Plays pairs until the test is decided, or all of them, and prints the result."""
    done: list[Pair] = []
    decided, verdict = False, "undecided"
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for pair in pool.map(play, [told] * pairs, range(pairs)):
            done.append(pair)
            scores = [pair.score / pair.games for pair in done]
            better, worse = evidence(scores, 0.5), evidence([1 - s for s in scores], 0.5)
            won, lost = (
                sum(pair.score for pair in done),
                sum(pair.games - pair.score for pair in done),
            )
            known = f"evidence {max(better, worse):.1f} of {math.log(1 / ALPHA):.1f}"
            print(
                f"  {won + lost:g} games: {won:g} - {lost:g}, {known}", file=sys.stderr, flush=True
            )
            decided = max(better, worse) >= math.log(1 / ALPHA)
            if decided:
                verdict = ("first" if better > worse else "second") + " is stronger"
            if decided and not every:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    print(
        f"{told.game} {told.size}: {told.specs[0]} {won:g} - {lost:g} {told.specs[1]}: {verdict} "
        f"({known})"
    )
    for who, spec in enumerate(told.specs):
        if moves := sum(pair.moves[who] for pair in done):
            spent, worst = (
                sum(pair.spent[who] for pair in done),
                max(pair.worst[who] for pair in done),
            )
            print(f"  {spec}: {spent / moves:.4f} s CPU a move, {worst:.4f} at most", flush=True)


def play(told: Match, pair: int) -> Pair:
    """The games from one opening: two with seats exchanged, or one with seats by lot."""
    made, *players = seated(told.game, told.size, *told.specs)
    judge = seated(made.name, told.size, "alphabeta:depth=4")[1] if told.even else None
    rng = np.random.default_rng([told.seed, pair])
    start = opened(made, told.opening, rng, judge)
    seats = (int(rng.integers(2)),) if told.apart else (0, 1)
    played = Pair(0.0, len(seats), [0.0, 0.0], [0, 0], [0.0, 0.0])
    score = 0.0
    for first in seats:
        state, ply = start, 0
        while (outcome := state.outcome()) is None and ply < MOST_PLIES:
            who = state.to_move ^ first
            begin = time.thread_time()
            move = players[who].choose(state, np.random.default_rng([told.seed, pair, first, ply]))
            took = time.thread_time() - begin
            played.spent[who] += took
            played.moves[who] += 1
            played.worst[who] = max(played.worst[who], took)
            state, ply = state.after(move), ply + 1
        score += (
            0.5 if outcome is None or not outcome.winners else float(outcome.winners[0] == first)
        )
    return played._replace(score=score)


@cache
def seated(name: str, size: int, *specs: str) -> tuple[Any, ...]:
    """The game and its players, made once per process, since they keep what they know."""
    made = rules.game(name, size=size)
    return made, *(player(spec, made) for spec in specs)


def opened(
    made: Game[GridState[Any]], plies: int, rng: np.random.Generator, judge: Any
) -> GridState[Any]:
    """A position after random moves in which the game is not over, and which the judge, if there is
    one, finds even.
    """
    while True:
        state = made.start()
        for _ in range(plies):
            if state.outcome() is None:
                moves = state.legal_moves()
                state = state.after(moves[int(rng.integers(len(moves)))])
        if state.outcome() is None and (
            judge is None or abs(judge.analyse(state, rng, 1)[0].chance - 0.5) <= EVEN
        ):
            return state


if __name__ == "__main__":
    main()
