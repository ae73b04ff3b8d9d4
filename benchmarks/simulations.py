"""Simulations of the tree search per second, on one core: Thruway and Meridians beside OpenSpiel's
MCTS in C++ on Hex.

`python benchmarks/simulations.py` prints the median over the repeats in CPU time for the empty
board. It runs all contestants in turn; compilation does not count. A simulation of `uct` and `rave`
plays a random game, as OpenSpiel's does; one of `mcts` evaluates a position. OpenSpiel takes part
if it is installed (the extra `openspiel`).
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

import rules
from rules.arena.players import player

__all__ = ["OURS", "main", "ours"]

OURS = (
    ("thruway", 11, "uct"),
    ("thruway", 11, "rave"),
    ("thruway", 11, "mcts"),
    ("meridians", 7, "uct"),
    ("meridians", 7, "rave"),
)
HEX = "hex(board_size=11)"


def main() -> None:
    """Runs all contestants in turn and prints a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--simulations", type=int, default=4000)
    asked = parser.parse_args()
    contests = {
        f"{name} {size} {spec}": ours(name, size, spec, asked.simulations)
        for name, size, spec in OURS
    }
    other = _openspiel(asked.simulations)
    if other is not None:
        contests[f"OpenSpiel {HEX}"] = other
    rates: dict[str, list[float]] = {name: [] for name in contests}
    for seed in range(asked.repeats):
        for name, run in contests.items():
            begin = time.thread_time()
            run(seed)
            rates[name].append(asked.simulations / (time.thread_time() - begin))
    for name, found in rates.items():
        print(f"{name:32} {statistics.median(found):10,.0f} simulations/s")


def ours(name: str, size: int, spec: str, simulations: int) -> Callable[[int], object]:
    """A search of the empty board by one of our own players, as a function of the seed; compiles
    whatever it needs first.
    """
    options = {"trade": False} if name == "thruway" else {"pie": False}
    game = rules.game(name, size=size, **options)
    made, start = player(f"{spec}:simulations={simulations}", game), game.start()
    made.choose(start, np.random.default_rng(0))
    return lambda seed: made.choose(start, np.random.default_rng(seed))


def _openspiel(simulations: int) -> Callable[[int], object] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(HEX)

    def run(seed: int) -> object:
        bot = pyspiel.MCTSBot(
            game,
            pyspiel.RandomRolloutEvaluator(1, seed + 1),
            1.0,
            simulations,
            500,
            False,
            seed + 1,
            False,
        )
        return bot.step(game.new_initial_state())

    return run


if __name__ == "__main__":
    main()
