"""Memory over many worlds: `python benchmarks/memory.py [--worlds 1000]`.

Each engine, in a process of its own, makes and throws away that many worlds, in turn from three
scenes that settle, slide and fall; an exception interrupts every tenth world. The script reads
resident memory from the kernel (VmRSS of /proc/self/status, Linux) after a tenth of the worlds and
after all. For PyBullet it also prints the number of open clients: one per process, and none after
an exception.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sim.bodies import Body, Box
from sim.physics import engines
from sim.physics.engine import SettleParams
from sim.physics.world import World
from sim.poses import Pose
from tools.scenes import scene

SCENES = ("chain-with-cars", "car-slides-off-jump-4", "leaning-stack-falls")
# short runs: making and throwing away worlds counts here, not simulating them
_BRIEF = SettleParams(time_limit=0.05)


def resident(process: int | str = "self") -> float:
    """Resident memory of a process in MiB."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def clients(name: str) -> str:
    """How many PyBullet clients are open (about 64 are possible); no text for an engine without
    clients.
    """
    if name != "bullet":
        return ""
    bullet = sys.modules["pybullet"]
    return (
        f", {sum(bool(bullet.getConnectionInfo(k)['isConnected']) for k in range(64))} clients open"
    )


def fail(name: str) -> str:
    """Interrupt a run in the middle. Returns the name of what was raised."""
    bad = Body("Z", "road", Box((110.0, 9.0, 2.0)), Pose((float("nan"), 0.0, 500.0)), 1.0, -1.0)
    try:
        World([*scene(SCENES[0]).bodies, bad], name, _BRIEF).settle()
    except Exception as error:  # noqa: BLE001 - any will do
        return type(error).__name__
    raise SystemExit(f"{name}: a body of negative friction at no place was taken")


def one(name: str, worlds: int) -> None:
    """Make and throw away the worlds of one engine in this process, and print."""
    begin = resident()
    marks = []
    for k in range(1, worlds + 1):
        if k % 10 == 0:
            raised = fail(name)
            after_failure = clients(name)
        else:
            World(scene(SCENES[k % len(SCENES)]).bodies, name, _BRIEF).settle()
        if k in (worlds // 10, worlds):
            marks.append(f"{resident():.1f} MiB after {k}")
    World(scene("bridge").bodies, name, _BRIEF).settle()
    print(f"{name:8} {begin:.1f} MiB at the start, {', '.join(marks)} worlds{clients(name)}")
    print(f"{'':8} a world broken off ({raised}){after_failure or ': nothing to close'}")


def main() -> None:
    """Print a line an engine."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--worlds", type=int, default=1000)
    parser.add_argument(
        "--engine", choices=engines.available(), help="only this one, in this process"
    )
    options = parser.parse_args()
    if options.engine:
        one(options.engine, options.worlds)
        return
    for name in engines.available():
        subprocess.run(  # noqa: S603
            [sys.executable, __file__, "--engine", name, "--worlds", str(options.worlds)],
            check=True,
        )


if __name__ == "__main__":
    main()
