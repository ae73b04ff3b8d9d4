"""Random games and moves per second, on one core: Meridians and Thruway beside OpenSpiel's C++
rollouts of Hex and Go.

`python benchmarks/rollouts.py` prints the median over the repeats in CPU time. It runs all
contestants in turn, so that other work of the machine slows all of them alike; compilation does not
count. OpenSpiel takes part if it is installed (the extra `openspiel`). Targets: Thruway 11 plays at
least 1.2 times as many games per second as hex(11), Meridians 7 at least 1.8 times as many as
go(9).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from sim.installing import install

__all__ = ["Contest", "main", "ours"]

SIZES = {"meridians": (6, 7, 8), "thruway": (7, 9, 11)}
WANTED = (("thruway 11", "hex(board_size=11)", 1.2), ("meridians 7", "go(board_size=9)", 1.8))
_CAP = 100_000  # plies: Thruway can be played for ever


class Contest(NamedTuple):
    """One line of the table: a name, and `run(games, seed)`, which plays that many and returns the
    plies of all.
    """

    name: str
    games: int
    run: Callable[[int, int], float]


def ours(name: str, size: int) -> Contest:
    """Random games of one of our own games, from the empty board; compiles whatever it needs
    first.
    """
    from rules import game
    from rules.grid.kernels import games as random_games

    made: Any = game(name, size=size)
    kernel = import_module(f"rules.grid.kernels.{name}")
    board, info, work = kernel.blank(made.tables)

    def run(games: int, seed: int) -> float:
        return float(random_games.rollouts(made.tables, board, info, work, games, seed, _CAP).plies)

    run(1, 0)  # compiles, or reads what was compiled
    return Contest(f"{name} {size}", 3000, run)


def _openspiel(text: str) -> Contest | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(text)
    length = _mean_length(game)

    def run(games: int, seed: int) -> float:
        # a search of one simulation evaluates the first position by this many rollouts, all in C++
        evaluator = pyspiel.RandomRolloutEvaluator(games, seed + 1)
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, seed + 1, False).step(
            game.new_initial_state()
        )
        return games * length

    return Contest(text, 1500, run)


def _mean_length(game: Any, games: int = 200) -> float:
    """Plies of a random game: the rollouts in C++ do not say."""
    rng, plies = np.random.default_rng(1), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.integers(len(legal)))])
            plies += 1
    return plies / games


def main() -> None:
    """Run the contests turn by turn and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--repeats", type=int, default=7, metavar="N", help="default: 7")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="default: 0")
    args = parser.parse_args()
    makers = [partial(ours, name, size) for name, sizes in SIZES.items() for size in sizes]
    contests = [
        c
        for c in (*(make() for make in makers), *(_openspiel(text) for _, text, _ in WANTED))
        if c is not None
    ]
    games: dict[str, list[float]] = {c.name: [] for c in contests}
    plies: dict[str, list[float]] = {c.name: [] for c in contests}
    for repeat in range(args.repeats):
        for contest in contests:
            begin = time.process_time()
            played = contest.run(contest.games, args.seed + repeat)
            seconds = time.process_time() - begin
            games[contest.name].append(contest.games / seconds)
            plies[contest.name].append(played / seconds)
    print(f"{'':<20} games a second   moves a second   plies a game")
    for c in contests:
        rate, moves = statistics.median(games[c.name]), statistics.median(plies[c.name])
        print(f"{c.name:<20} {rate:>14,.0f} {moves:>16,.0f} {moves / rate:>14.1f}")
    for one, other, factor in WANTED:
        if one in games and other in games:
            ratio = statistics.median(a / b for a, b in zip(games[one], games[other], strict=True))
            print(f"{one} : {other} = {ratio:.2f} in games a second (wanted: at least {factor})")
        else:
            print(f"{other} is not there to compare with: {install('openspiel')}", file=sys.stderr)


if __name__ == "__main__":
    main()
