"""How long the referee of whatever checkout is on the path takes on late tables of shipped games.

    PYTHONPATH=CHECKOUT python tools/late_tables.py

Prints one JSON object: the median CPU milliseconds of one placement judged, and of a fan of 360.
`benchmarks/speed.py judging` runs it for two checkouts in turn; so it asks only for what both have.
"""

from __future__ import annotations

import json
import math
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import rules.record
from sim import referee
from sim.game.replay import trusted
from sim.referee.placement import Build

RECORDS = Path(__file__).resolve().parents[1] / "assets" / "records"
GAMES = ("two-cars", "three-players", "four-players")
LATE, EACH = 6, 40  # tables of a game, and placements on each


def spent(work: Callable[[], object]) -> float:
    """The CPU milliseconds of some work."""
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1e3


def main() -> None:
    """Prints the figures."""
    rng, alone, fans = np.random.default_rng(5), list[float](), list[float]()
    for name in GAMES:
        record = rules.record.read(RECORDS / f"{name}.jsonl")
        for step in list(trusted(record))[-LATE:]:
            on = step.before
            points = [point.pillar for point in on.base_points(on.to_move)]
            if on.phase != "play" or not points:
                continue
            base = points[0]
            (x, y), discs = on.top(base), base.discs + 1
            turns = rng.uniform(0.0, 2 * math.pi, EACH).tolist()
            far = rng.uniform(95.0, 120.0, EACH).tolist()
            for turn, away in zip(turns, far, strict=True):
                at = (round(x + away * math.cos(turn), 2), round(y + away * math.sin(turn), 2))
                move = Build(base.id, at, discs)
                alone.append(spent(lambda on=on, move=move: referee.check(on, move)))  # type: ignore[misc]
            bearings = np.radians(np.arange(72) * 5.0)
            rays = np.stack([np.cos(bearings), np.sin(bearings)], axis=1)
            spots = np.concatenate([(x, y) + away * rays for away in np.linspace(93, 119, 5)])
            many = np.full(len(spots), discs)
            for _ in range(12):  # at first plain code may answer, until compiled code pays
                last = spent(lambda on=on: referee.screen(on, base.id, spots.round(2), many))  # type: ignore[misc] # noqa: B023
            fans.append(last)
    print(json.dumps({"placement": statistics.median(alone), "fan": statistics.median(fans)}))


if __name__ == "__main__":
    main()
