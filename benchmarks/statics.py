"""How long contacts, equilibrium and margins take, scene by scene: `python benchmarks/statics.py
[REPEATS]`.

CPU milliseconds, the best of REPEATS. `stands` and `margin` solve for every piece of the scene,
`loaded` only for the pieces that the last road loads, as in a turn, with margins of both kinds.
`turn` is what a turn pays: contacts and the loaded part.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sim.physics.contacts import contacts
from sim.physics.statics import equilibrium, loaded
from tools.scenes import scene

SCENES = (
    "bridge",
    "sloping-road-car",
    "tall-stack",
    "junction",
    "chain-with-cars",
    "eight-stack",
    "four-player-table",
    "stress-table",
)


def best(run: Callable[[], object], repeats: int) -> float:
    """CPU milliseconds of the fastest of `repeats` runs."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def main(repeats: int = 3) -> None:
    """Print the table."""
    equilibrium(scene("bridge").bodies)  # imports do not count
    print(
        f"{'scene':20}{'bodies':>7}{'points':>7}{'contacts':>10}{'stands':>8}{'margin':>8}{'free':>6}{'loaded':>8}{'turn':>8}"
    )
    ratios = []
    for name in SCENES:
        bodies = scene(name).bodies
        found = contacts(bodies)
        roads = [body.id for body in bodies if body.kind == "road"]
        new = roads[-1] if roads else bodies[-1].id
        part = loaded(bodies, [new], found)
        everything = equilibrium(bodies, contacts=found)
        touching = best(lambda b=bodies: contacts(b), repeats)  # type: ignore[misc]
        stands = best(lambda b=bodies, f=found: equilibrium(b, contacts=f), repeats)  # type: ignore[misc]
        margin = best(lambda e=everything: e.margin(), repeats)  # type: ignore[misc]
        of_part = best(
            lambda b=bodies, f=found, n=new: equilibrium(b, loaded(b, [n], f), f).margin(n),  # type: ignore[misc]
            repeats,
        )
        ratios.append((name, (stands + margin) / of_part))
        print(
            f"{name:20}{len(bodies):7}{len(found):7}{touching:10.1f}{stands:8.1f}{margin:8.1f}{len(part):6}{of_part:8.1f}"
            f"{touching + of_part:8.1f}"
        )
    print(
        "everything over the loaded part:",
        ", ".join(f"{name} {ratio:.1f}" for name, ratio in ratios),
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
