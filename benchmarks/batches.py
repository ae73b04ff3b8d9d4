"""Many games between computer players in one process: does its memory stay flat?

    python benchmarks/batches.py                       500 games of each game on a board, 60 of
                                                       Tokyo Highway with physics
    python benchmarks/batches.py thruway --games 100
    python benchmarks/batches.py tokyo-highway --player greedy:hand=normal

Physics takes nearly all the time of Tokyo Highway. A random player needs a third of the time of one
that tries its choices first.

Every game is played to its end, written, read and replayed. Memory (VmRSS, Linux) and descriptors
are read after each tenth of the games. Exit code 1 if the memory at the end is a tenth above that
after the first fifth, or if descriptors were left.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.memory import resident
from rules import defaults
from rules.arena.match import play_game
from rules.arena.players import player
from rules.game import game
from rules.record import dumps, loads
from rules.record.replay import replay

BATCHES = {
    "meridians": (500, "best:level=beginner", {"size": 6}),
    "thruway": (500, "best:level=beginner", {"size": 6}),
    "tokyo-highway": (60, "random:hand=normal", {}),
}
"""For each game: how many games, the player of both seats, and the options."""
GROWTH = 1.1


def batch(name: str, games: int, spec: str) -> bool:
    """Plays so many games of that player against itself in this process. Returns whether memory and
    descriptors stayed flat.
    """
    options = BATCHES[name][2]
    made, plies, begin = game(name, **options), 0, time.process_time()
    looks: list[tuple[float, int]] = []
    for seed in range(games):
        players = [player(spec, made) for _ in range(made.seats)]
        record = play_game(
            made, players, defaults.header(made, [spec] * made.seats, seed=seed), 300
        )
        plies += sum(1 for _ in replay(loads(dumps(record))))
        if (seed + 1) * 10 // games > len(looks):
            looks.append((resident(), len(list(Path("/proc/self/fd").iterdir()))))
            print(
                f"  {seed + 1} games: {looks[-1][0]:.0f} MB, {looks[-1][1]} descriptors", flush=True
            )
    first, last = looks[min(1, len(looks) - 1)], looks[-1]
    holds = last[0] <= first[0] * GROWTH and last[1] <= first[1]
    print(
        f"{name}: {games} games, {plies} plies, {time.process_time() - begin:.0f} s of CPU; "
        f"{first[0]:.0f} MB after a fifth, {last[0]:.0f} MB at the end, {first[1]} and {last[1]} "
        "descriptors"
        f"{'' if holds else ' FAILED'}",
        flush=True,
    )
    return holds


def main() -> int:
    """Each batch in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "game", nargs="?", choices=tuple(BATCHES), help="default: all, one after the other"
    )
    parser.add_argument("--games", type=int, help="how many of each")
    parser.add_argument("--player", help="another player for both seats, if a game is named")
    args = parser.parse_args()
    if args.game is not None:
        games, spec, _ = BATCHES[args.game]
        return 0 if batch(args.game, args.games or games, args.player or spec) else 1
    more = [] if args.games is None else ["--games", str(args.games)]
    return max(
        subprocess.run([sys.executable, __file__, name, *more], check=False).returncode  # noqa: S603 - this script
        for name in BATCHES
    )


if __name__ == "__main__":
    sys.exit(main())
