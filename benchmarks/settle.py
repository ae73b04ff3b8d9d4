"""What a settle costs and how still it is: scenes side by side, a minute at rest, and memory over many worlds.

python benchmarks/settle.py [--engine bullet] [--worlds 1000] [--minute 60]
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from sim.bodies import Body, canonical
from sim.engines import engine
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
        start = engine(name).run(bodies, free, SettleParams()).poses
        rested: tuple[Body, ...] = canonical([body.at(start[body.id]) for body in bodies])
        end = engine(name).run(rested, free, SettleParams(quiet_speed=-1.0, time_limit=seconds)).poses
        shift = max(shift_between(body.pose, end[body.id]) for body in rested)
        turned = max(turn_between(body.pose, end[body.id]) for body in rested)
        print(f"{key}: {seconds:g} s at rest: {shift:.4f} mm, {turned:.4f} degrees")


def memory(name: str, worlds: int) -> None:
    """Resident memory (Linux: /proc/self/statm) after a tenth of the worlds and after all of them."""
    bodies, params = scene("chain-with-cars").bodies, SettleParams(time_limit=0.05)
    marks = []
    for k in range(worlds):
        World(bodies, name, params).settle()
        if k in (worlds // 10, worlds - 1):
            marks.append(
                int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
            )
    print(f"memory after {worlds // 10} worlds {marks[0]:.1f} MiB, after {worlds} {marks[-1]:.1f} MiB")


def main() -> None:
    """Print all three."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", default="bullet")
    parser.add_argument("--worlds", type=int, default=1000)
    parser.add_argument("--minute", type=float, default=60.0)
    arguments = parser.parse_args()
    scenes(arguments.engine)
    at_rest(arguments.engine, arguments.minute)
    memory(arguments.engine, arguments.worlds)


if __name__ == "__main__":
    main()
