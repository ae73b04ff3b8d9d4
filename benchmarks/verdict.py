"""CPU time of whole verdicts (legality, laying, settling twice, crossings, falls) on crowded tables, engine beside engine.

    python benchmarks/verdict.py [RECORD...]

Judges every build and exit in the last third of the shipped games again from the recorded table, and prints the median and the
worst CPU time of one ply. `none` is the referee without physics.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median

from rules import record as records
from sim.assets import asset
from sim.game.attempt import Attempt
from sim.game.ply import judge
from sim.game.replay import Step, trusted
from sim.game.sources import pose_source
from sim.physics import engines
from sim.referee.placement import Build, Exit

GAMES = ("two-cars", "junction-exit", "three-players", "four-players")


def main(paths: list[Path]) -> None:
    """Print the table."""
    late = [step for path in paths for step in late_builds(path)]
    pieces = [len(step.before.piece_ids) for step in late]
    print(f"{len(late)} plies on tables of {min(pieces)} to {max(pieces)} pieces (median {median(pieces):.0f})")
    names = ("none", *engines.available())
    spent = {name: [cpu(step, name) for step in late] for name in names}  # interleaved by the machine's own drift only
    base = median(spent[names[1]])
    print(f"{'engine':<8} {'median s':>9} {'worst s':>9} {'ratio':>7}")
    for name in names:
        print(f"{name:<8} {median(spent[name]):>9.4f} {max(spent[name]):>9.4f} {median(spent[name]) / base:>7.3f}")


def late_builds(path: Path) -> list[Step]:
    """The builds and exits in the last third of a record, on its own settled poses."""
    every = list(trusted(records.read(path)))
    return [step for step in every[len(every) * 2 // 3 :] if isinstance(step.placement, (Build, Exit)) and step.verdict.legal]


def cpu(step: Step, engine: str) -> float:
    """CPU seconds of one verdict, without making what a table keeps for itself (obstacles, bodies)."""
    judge(step.before, step.placement, [Attempt(pose_source("none"), step.entry.hand or ())])
    begin = time.process_time()
    judge(step.before, step.placement, [Attempt(pose_source(engine), step.entry.hand or ())])
    return time.process_time() - begin


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]] or [asset("records", f"{name}.jsonl") for name in GAMES])
