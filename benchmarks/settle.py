"""What a settle costs and how still it is: every scene with everything awake, and a minute at rest.

python benchmarks/settle.py [--engine NAME] [--minute 60]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sim import engines
from sim.bodies import Body, canonical
from sim.poses import shift_between, turn_between
from sim.scenes import NAMES, scene
from sim.world import SettleParams, World


def scenes(name: str) -> None:
    """CPU and simulated time of every scene, everything awake, and how far its pieces went."""
    print(f"{'scene':32}{'bodies':>7}{'simulated s':>12}{'CPU s':>8}{'mm':>9}{'degrees':>9}  quiet")
    for key in NAMES:
        bodies = scene(key).bodies
        begin = time.process_time()
        settled = World(bodies, name).settle()
        cpu = time.process_time() - begin
        shift = max(shift_between(body.pose, settled.poses[body.id]) for body in bodies)
        turned = max(turn_between(body.pose, settled.poses[body.id]) for body in bodies)
        print(f"{key:32}{len(bodies):7}{settled.seconds:12.2f}{cpu:8.3f}{shift:9.3f}{turned:9.3f}  {settled.quiet}")


def at_rest(name: str, seconds: float) -> None:
    """How far pieces at rest creep if the engine steps on for `seconds` (a tolerance that nothing meets keeps it going)."""
    for key in ("eight-stack", "sloping-road-car"):
        bodies = scene(key).bodies
        free = frozenset(body.id for body in bodies)
        start = engines.engine(name).run(bodies, free, SettleParams()).poses
        rested: tuple[Body, ...] = canonical([body.at(start[body.id]) for body in bodies])
        end = engines.engine(name).run(rested, free, SettleParams(quiet_speed=-1.0, time_limit=seconds)).poses
        shift = max(shift_between(body.pose, end[body.id]) for body in rested)
        turned = max(turn_between(body.pose, end[body.id]) for body in rested)
        print(f"{key}: {seconds:g} s at rest: {shift:.4f} mm, {turned:.4f} degrees")


def main() -> None:
    """Print both for every engine."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--engine", choices=engines.available(), action="append", help="only this engine (may be repeated)")
    parser.add_argument("--minute", type=float, default=60.0, help="simulated seconds at rest")
    options = parser.parse_args()
    for name in options.engine or engines.available():
        print(f"{name}:")
        scenes(name)
        at_rest(name, options.minute)


if __name__ == "__main__":
    main()
