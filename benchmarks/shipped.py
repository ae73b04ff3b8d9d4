"""What the shipped games say must be true in both engines; ends with exit code 1 if it is not.

    python benchmarks/shipped.py

Poses are compared only where this machine comes to the bits of the golden digests. On a processor
that rounds otherwise a piece may come to rest elsewhere (in Bullet, a car of two-cars by 0.4 mm and
1.4 degrees); the verdicts must be the same there too.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules import record
from sim.assets import asset
from sim.game.verify import verify
from tests.golden import make as golden

GAMES = ("two-cars", "knock", "junction-exit", "three-players", "four-players")


def main() -> int:
    """Verifies every game in every engine, and prints what contradicts the records."""
    made_on = json.loads((golden.FOLDER / "bullet.json").read_text(encoding="utf-8"))["platform"]
    is_alike = golden.here() == made_on
    if not is_alike:
        print(f"POSES ARE NOT COMPARED: the games were made on {made_on}, this is {golden.here()}")
    wrong = False
    for engine in ("bullet", "mujoco"):
        for name in GAMES:
            found = verify(record.read(asset("records", f"{name}.jsonl")), engine=engine)
            against = [*found.mismatches, *found.claims, *(found.divergences if is_alike else ())]
            print(
                f"{name} in {engine}: {found.plies} plies, {len(against)} disagreements",
                *against,
                sep="\n  ",
            )
            wrong |= bool(against)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
