"""Games under rule options drawn at random: is every move legal, does every record hold, and is any
piece lost?

    python benchmarks/options.py --games 2000 --seed 1 [GAME ...]

Each game draws its options, its seats and its players (`random`, sometimes `greedy`), and is played
by the arena's own code, on geometry at Tokyo Highway. A move of a player that the rules refuse
stops the script. Then the record is written, read and verified by the rules, and at Tokyo Highway
the pieces on the table and in stock are counted. The same seed plays the same games. Exit code 1 if
anything was wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from benchmarks.players import lost
from rules import arena, defaults
from rules.arena.players import player
from rules.errors import InputError
from rules.game import game
from rules.record import Record, dumps, loads
from rules.record.verify import verify
from sim.referee.ruleset import OPTIONS, PRESETS

_GRID: dict[str, dict[str, tuple[Any, ...]]] = {
    "thruway": {
        "size": (3, 4, 5, 7, 9, 11),
        "trade": (True, False),
        "ko": ("undo", "same", "any", "none"),
        "repetition": (None, "draw3"),
        "reserve": (None, 8, 30),
    },
    "meridians": {"size": (3, 4, 5, 6, 7, 8), "pie": (True, False)},
}
_NUMBERS = {"entrance_reach": (1.5, 2.0, 3.0), "fall_distance": (1.0, 5.0), "redo": (0, 1, 3)}
_CHANGED = 0.25  # the chance that an option of the rule set is drawn anew
_PLIES = 400  # of a game at most


def main() -> int:
    """Plays the games; 1 if one was wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", metavar="GAME", help="tokyo-highway, thruway, meridians; default: all"
    )
    parser.add_argument("--games", type=int, default=2000, help="of each game")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    wrong = 0
    for name in asked.names or ("tokyo-highway", *_GRID):
        ended, plies, drawn, begun = Counter[str](), 0, set[str](), time.process_time()
        for number in range(asked.games):
            rng = np.random.default_rng([asked.seed, number])
            made = _made(name, rng)
            names = [str(rng.choice(("random", "random", "greedy"))) for _ in range(made.seats)]
            header = defaults.header(made, names, seed=number)
            drawn |= {f"{key}={value}" for key, value in header.options.items()}
            record = arena.play_game(made, [player(one, made) for one in names], header, _PLIES)
            if said := _wrong_with(record, name):
                wrong += 1
                print(f"{name}, game {number}, {dict(header.options)}: {said}", flush=True)
            plies += len(record.entries)
            ended[str(record.end.reason) if record.end else "stopped"] += 1
        ends = ", ".join(f"{why} {count}" for why, count in ended.most_common())
        print(
            f"{name}: {asked.games} games, {plies} plies, {len(drawn)} values of options besides "
            "the usual ones, "
            f"{time.process_time() - begun:.0f} s CPU; ended by {ends}; {wrong} wrong so far",
            flush=True,
        )
    return 1 if wrong else 0


def _made(name: str, rng: np.random.Generator) -> Any:
    """The game with options drawn at random."""
    if name in _GRID:
        return game(
            name,
            **{key: values[int(rng.integers(len(values)))] for key, values in _GRID[name].items()},
        )
    while True:
        ruleset, seats = str(rng.choice(tuple(PRESETS))), int(rng.integers(2, 5))
        values = {key: option.values or _NUMBERS[key] for key, option in OPTIONS.items()}
        changes = {
            key: some[int(rng.integers(len(some)))]
            for key, some in values.items()
            if rng.random() < _CHANGED
        }
        try:
            return game(name, players=seats, ruleset=ruleset, engine="none", **changes)
        except InputError:  # rainbow is not for every number of players
            continue


def _wrong_with(record: Record, name: str) -> str:
    """What does not hold of a game; nothing if all does."""
    report = verify(loads(dumps(record)), "rules")
    if not report.ok:
        return str(report.mismatches[0])
    missing = lost(record) if name == "tokyo-highway" else 0
    return f"{missing} pieces lost" if missing else ""


if __name__ == "__main__":
    sys.exit(main())
