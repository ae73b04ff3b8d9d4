"""Are replays the same to the last bit: the two-player games, twenty times in a row and in other
processes.

    python benchmarks/repeat.py [--times 20] [--engine bullet] [FILE ...]

Prints for each record how many different sequences of table digests (poses of all pieces after
every ply) were seen in a row in one process, and in one fresh process for each of three values of
PYTHONHASHSEED.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules.record import read
from sim.game import replay

RECORDS = Path(__file__).resolve().parents[1] / "assets" / "records"
GAMES = tuple(RECORDS / f"{name}.jsonl" for name in ("two-cars", "knock", "junction-exit"))
SEEDS = ("0", "1", "4711")


def digests(path: Path, engine: str) -> str:
    """The digests of all tables of a replay, in order."""
    return " ".join(step.after.digest() for step in replay.steps(read(path), engine))


def elsewhere(path: Path, engine: str, seed: str) -> str:
    """The same from a fresh process."""
    command = [sys.executable, __file__, "--once", "--engine", engine, str(path)]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    # S603: it runs this very file
    return subprocess.run(  # noqa: S603
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


def main() -> None:
    """Prints one line per record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, default=GAMES, metavar="FILE")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--engine", default="bullet")
    parser.add_argument(
        "--once", action="store_true", help="print the digests of one replay and nothing else"
    )
    args = parser.parse_args()
    for path in args.files:
        if args.once:
            print(digests(path, args.engine))
            continue
        here = {digests(path, args.engine) for _ in range(args.times)}
        every = here | {elsewhere(path, args.engine, seed) for seed in SEEDS}
        print(
            f"{path.name}: results of {args.times} replays: {len(here)}; with {len(SEEDS)} other "
            f"processes: {len(every)}"
        )


if __name__ == "__main__":
    main()
