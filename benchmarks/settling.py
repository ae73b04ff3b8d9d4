"""What settling, statics and whole verdicts cost, how still pieces lie, and what stays in memory.

    python benchmarks/settling.py scenes [ARGUMENT ...]
    python benchmarks/settling.py statics [ARGUMENT ...]
    python benchmarks/settling.py verdicts [ARGUMENT ...]
    python benchmarks/settling.py memory [ARGUMENT ...]

Each part says in its own words what it measures.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import parts
from rules import record as records
from sim.assets import asset
from sim.bodies import Body, Box, Pose, canonical, rotate, shift_between, turn, turn_between
from sim.game.attempts.attempt import Attempt
from sim.game.ply import judge
from sim.game.replay import Step, trusted
from sim.game.sources import pose_source
from sim.physics import engines
from sim.physics.contacts import contacts
from sim.physics.engine import SettleParams
from sim.physics.statics import equilibrium, loaded
from sim.physics.world import World
from sim.pieces import Components
from sim.referee.placement import Build, Exit
from tools.scenes import NAMES, scene
from tools.situations import NAMES as SITUATIONS
from tools.situations import situation

# --- scenes ---------------------------------------------------------------------------------------


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


def scenes_main() -> None:
    """What settling costs and how still pieces lie: every scene with everything awake, and a minute
    at rest.

    python benchmarks/settling.py scenes [--engine NAME] [--minute 60]
    """
    parser = argparse.ArgumentParser(description=parts.first_line(scenes_main))
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


# --- statics --------------------------------------------------------------------------------------

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


def statics_main() -> None:
    """How long contacts, equilibrium and margins take, scene by scene: `python
    benchmarks/settling.py statics [REPEATS]`.

    CPU milliseconds, the best of REPEATS. `stands` and `margin` solve for every piece of the scene,
    `loaded` only for the pieces that the last road loads, as in a turn, with margins of both kinds.
    `turn` is what a turn pays: contacts and the loaded part.
    """
    repeats = int(sys.argv[1]) if sys.argv[1:] else 3
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


# --- verdicts -------------------------------------------------------------------------------------

GAMES = ("two-cars", "junction-exit", "three-players", "four-players")


def verdicts_main() -> None:
    """CPU time of whole verdicts (legality, laying, settling twice, crossings, falls) on crowded
    tables, for each engine.

        python benchmarks/settling.py verdicts [RECORD...]

    Judges every build and exit in the last third of the shipped games again from the recorded
    table, and prints the median, the 95th percentile and the worst CPU time of one ply. `none` is
    the referee without physics. Then it prints the CPU time and the simulated time of each named
    situation (`tools.situations`), such as a finger through a full game.
    """
    paths = [Path(name) for name in sys.argv[1:]] or [
        asset("records", f"{name}.jsonl") for name in GAMES
    ]
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
    for what in SITUATIONS:
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


# --- memory ---------------------------------------------------------------------------------------

MEMORY_SCENES = ("chain-with-cars", "car-slides-off-jump-4", "leaning-stack-falls")
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
        World([*scene(MEMORY_SCENES[0]).bodies, bad], name, _BRIEF).settle()
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
            World(scene(MEMORY_SCENES[k % len(MEMORY_SCENES)]).bodies, name, _BRIEF).settle()
        if k in (worlds // 10, worlds):
            marks.append(f"{resident():.1f} MiB after {k}")
    World(scene("bridge").bodies, name, _BRIEF).settle()
    print(f"{name:8} {begin:.1f} MiB at the start, {', '.join(marks)} worlds{clients(name)}")
    print(f"{'':8} a world broken off ({raised}){after_failure or ': nothing to close'}")


def memory_main() -> None:
    """Memory over many worlds: `python benchmarks/settling.py memory [--worlds 1000]`.

    Each engine, in a process of its own, makes and throws away that many worlds, in turn from three
    scenes that settle, slide and fall; an exception interrupts every tenth world. The script reads
    resident memory from the kernel (VmRSS of /proc/self/status, Linux) after a tenth of the worlds
    and after all. For PyBullet it also prints the number of open clients: one per process, and none
    after an exception.
    """
    parser = argparse.ArgumentParser(description=parts.first_line(memory_main))
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
            [sys.executable, __file__, "memory", "--engine", name, "--worlds", str(options.worlds)],
            check=True,
        )


PARTS: dict[str, parts.Part] = {
    "scenes": scenes_main,
    "statics": statics_main,
    "verdicts": verdicts_main,
    "memory": memory_main,
}

if __name__ == "__main__":
    sys.exit(parts.run(PARTS))
