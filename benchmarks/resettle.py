"""Do shipped tables lie still? Settles every final table ten times in a row, all pieces awake;
lists pieces inside each other.

    python benchmarks/resettle.py [RECORD...]

Prints for each table and engine the largest move of a piece in each settle and over all, and the
pairs that are more than 0.05 mm inside each other. Exits with 1 if a piece moved further than that
or lies deeper.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules import record as records
from sim.assets import asset
from sim.bodies import Body
from sim.game.attempts.posing import bodies
from sim.game.replay import trusted
from sim.physics import engines
from sim.physics.neighbours import overlaps
from sim.physics.world import World
from sim.poses import shift_between

__all__ = ["MOST", "ways"]

GAMES = ("two-cars", "knock", "junction-exit", "three-players", "four-players")
MOST = 0.05  # mm
TIMES = 10


def ways(
    table: tuple[Body, ...], engine: str, times: int = TIMES
) -> tuple[list[tuple[float, str]], tuple[Body, ...]]:
    """For each settle the piece that moved furthest and how far (mm); then the table at the end."""
    found = []
    for _ in range(times):
        settled = World(table, engine).settle()
        found.append(
            max((shift_between(body.pose, settled.poses[body.id]), body.id) for body in table)
        )
        table = tuple(body.at(settled.poses[body.id]) for body in table)
    return found, table


def main(paths: list[Path]) -> int:
    """Print the table; 1 if something moves or overlaps."""
    bad = 0
    for path in paths:
        *_, last = trusted(records.read(path))
        table = bodies(last.after)
        deep = overlaps(table, MOST)
        told = ", ".join(f"{one} and {other} {depth:.3f} mm" for one, other, depth in deep[:5])
        print(f"{path.stem}: {len(table)} pieces; inside each other: {told or 'none'}")
        bad += bool(deep)
        for engine in engines.available():
            each, end = ways(table, engine)
            far, piece = max(
                (shift_between(one.pose, other.pose), one.id)
                for one, other in zip(table, end, strict=True)
            )
            row = " ".join(f"{way:.3f}" for way, _ in each)
            print(
                f"  {engine:<7} {row}  most {max(each)[1]}; in all {far:.3f} mm, {piece}",
                flush=True,
            )
            bad += max(each)[0] > MOST
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(
        main(
            [Path(name) for name in sys.argv[1:]]
            or [asset("records", f"{name}.jsonl") for name in GAMES]
        )
    )
