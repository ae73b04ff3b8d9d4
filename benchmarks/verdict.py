"""CPU time of whole verdicts (legality, laying, settling twice, crossings, falls) on crowded
tables, for each engine.

    python benchmarks/verdict.py [RECORD...]

Judges every build and exit in the last third of the shipped games again from the recorded table,
and prints the median, the 95th percentile and the worst CPU time of one ply. `none` is the referee
without physics. Then it prints the CPU time and the simulated time of each named situation
(`tools.situations`), such as a finger through a full game.
"""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from statistics import median

from rules import record as records
from sim.assets import asset
from sim.game.attempts.attempt import Attempt
from sim.game.ply import judge
from sim.game.replay import Step, trusted
from sim.game.sources import pose_source
from sim.physics import engines
from sim.referee.placement import Build, Exit
from tools.situations import NAMES, situation

GAMES = ("two-cars", "junction-exit", "three-players", "four-players")


def main(paths: list[Path]) -> None:
    """Print the table."""
    late = [step for path in paths for step in late_builds(path)]
    pieces = [len(step.before.piece_ids) for step in late]
    print(
        f"{len(late)} plies on tables of {min(pieces)} to {max(pieces)} pieces (median "
        f"{median(pieces):.0f})"
    )
    names = ("none", *engines.available())
    # one engine after the other
    spent = {name: [cpu(step, name) for step in late] for name in names}
    base = median(spent[names[1]])
    print(f"{'engine':<8} {'median s':>9} {'95 % s':>9} {'worst s':>9} {'ratio':>7}")
    for name in names:
        each = sorted(spent[name])
        high = each[math.floor(0.95 * len(each))]
        print(
            f"{name:<8} {median(each):>9.4f} {high:>9.4f} {each[-1]:>9.4f} "
            f"{median(each) / base:>7.3f}"
        )
    for what in NAMES:
        for name in engines.available():
            begin = time.process_time()
            settled = situation(what).world(name).settle()
            print(
                f"{what:<28} {name:<8} {time.process_time() - begin:>7.2f} s CPU, "
                f"{settled.seconds:.2f} s simulated"
            )


def late_builds(path: Path) -> list[Step]:
    """The builds and exits in the last third of a record, on its own settled poses."""
    every = list(trusted(records.read(path)))
    return [
        step
        for step in every[len(every) * 2 // 3 :]
        if isinstance(step.placement, (Build, Exit)) and step.verdict.legal
    ]


def cpu(step: Step, engine: str) -> float:
    """CPU seconds of one verdict, without those for what a table keeps (obstacles, bodies)."""
    judge(step.before, step.placement, [Attempt(pose_source("none"), step.entry.hand or ())])
    begin = time.process_time()
    judge(step.before, step.placement, [Attempt(pose_source(engine), step.entry.hand or ())])
    return time.process_time() - begin


if __name__ == "__main__":
    main(
        [Path(name) for name in sys.argv[1:]]
        or [asset("records", f"{name}.jsonl") for name in GAMES]
    )
