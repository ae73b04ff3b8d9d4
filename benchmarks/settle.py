"""What settling costs and how still pieces lie: every scene with everything awake, and a minute at
rest.

python benchmarks/settle.py [--engine NAME] [--minute 60]
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from dataclasses import replace
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sim.bodies import Body, Box, canonical
from sim.physics import engines
from sim.physics.engine import SettleParams
from sim.physics.world import World
from sim.pieces import Components
from sim.poses import Pose, rotate, shift_between, turn, turn_between
from tools.scenes import NAMES, scene


def scenes(name: str) -> None:
    """CPU and simulated time of every scene with everything awake, and how far its pieces moved."""
    print(f"{'scene':32}{'bodies':>7}{'simulated s':>12}{'CPU s':>8}{'mm':>9}{'degrees':>9}  quiet")
    for key in NAMES:
        bodies = scene(key).bodies
        begin = time.process_time()
        settled = World(bodies, name).settle()
        cpu = time.process_time() - begin
        shift = max(shift_between(body.pose, settled.poses[body.id]) for body in bodies)
        turned = max(turn_between(body.pose, settled.poses[body.id]) for body in bodies)
        print(
            f"{key:32}{len(bodies):7}{settled.seconds:12.2f}{cpu:8.3f}{shift:9.3f}{turned:9.3f}  "
            f"{settled.quiet}"
        )


def creep(name: str, key: str, seconds: float, *, awake: bool = False) -> tuple[float, float]:
    """How far (mm, degrees) pieces of a scene at rest creep, at most, while something else keeps a
    run going for `seconds`.

    That is a car that slides on ice, metres away. With `awake`, a tolerance that no piece meets
    keeps all pieces from sleeping.
    """
    bodies = scene(key).bodies
    engine = engines.engine(name)
    start = engine.run(bodies, frozenset(body.id for body in bodies), SettleParams()).poses
    rested = [body.at(start[body.id]) for body in bodies]
    every = canonical([*rested, *_sliding()])
    settle = (
        SettleParams(quiet_speed=-1.0, time_limit=seconds)
        if awake
        else SettleParams(time_limit=seconds)
    )
    run = engine.run(every, frozenset(body.id for body in every if body.mass > 0), settle)
    assert run.seconds >= seconds, "the car on ice came to rest"
    ends = [(body.pose, run.poses[body.id]) for body in rested]
    return max(shift_between(*pair) for pair in ends), max(turn_between(*pair) for pair in ends)


def _sliding() -> tuple[Body, Body]:
    """A slope of ice (two millimetres per metre, 80 m long), and a car on it that slides down and
    does not stop.
    """
    box, tilt = Components.named("estimate-2018"), turn((0.0, 1.0, 0.0), math.degrees(0.002))
    away = 5000.0
    ice = Body(
        "X9", "building", Box((80_000.0, 50.0, 20.0)), Pose((0.0, away, 200.0), tilt), 0.0, 0.0
    )
    x, y, z = rotate(tilt, (-35_000.0, 0.0, 10.0 + box.car_height / 2))
    return ice, replace(
        box.body("D-C99", "car", Pose((x, y + away, z + 200.0), tilt)), friction=0.0
    )


def _at_rest(name: str, seconds: float) -> None:
    for key in ("eight-stack", "sloping-road-car"):
        for awake in (False, True):
            shift, turned = creep(name, key, seconds, awake=awake)
            how = "kept awake" if awake else "at rest"
            print(f"{key}: {seconds:g} s {how}: {shift:.4f} mm, {turned:.4f} degrees", flush=True)


def main() -> None:
    """Print both for every engine."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--engine",
        choices=engines.available(),
        action="append",
        help="only this engine (may be repeated)",
    )
    parser.add_argument("--minute", type=float, default=60.0, help="simulated seconds at rest")
    options = parser.parse_args()
    for name in options.engine or engines.available():
        print(f"{name}:")
        scenes(name)
        _at_rest(name, options.minute)


if __name__ == "__main__":
    main()
