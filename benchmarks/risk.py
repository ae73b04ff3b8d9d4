"""The risk of a move and the hand: what they cost, and what they say.

    python benchmarks/risk.py seconds [ARGUMENT ...]
    python benchmarks/risk.py hand [ARGUMENT ...]

Each part says in its own words what it measures.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import parts
from rules.arena.rating import Z95, Interval, wilson
from rules.record import read
from sim import referee
from sim.assets import asset
from sim.bodies import rotate
from sim.game.attempts.attempt import Attempt
from sim.game.attempts.hand import SKILLS, draw
from sim.game.attempts.posing import bodies
from sim.game.ply import judge_checked, play
from sim.game.replay import branch, trusted
from sim.game.risk import SETTLE, Risk, risk
from sim.game.sources import Simulated
from sim.physics import engines
from sim.physics.engine import TOOL_RADIUS, SettleParams
from sim.physics.world import World
from sim.referee.placement import Build, Placement
from sim.referee.table import Table

# --- seconds --------------------------------------------------------------------------------------


def seconds_main() -> None:
    """The risk of a move: seconds per sample with one process and on all cores, and what the
    coarser tolerances of `sim.game.risk` change.

        python benchmarks/risk.py seconds [--record FILE] [--ply 14] [--samples 32] [--engine
            bullet] [--width 0.02]

    First it prints the wall-clock time of the same job with one process and with one process per
    core, which must give the same result. Then it judges every try twice, with the tolerances of
    the risk and with those of a record, for the normal and the clumsy hand in turn: mean CPU
    seconds of each, and in how many tries the same pieces fell. Last it prints the CPU seconds for
    an interval of +- `--width`: "before" with as many whole tries as an even chance needs, "after"
    with as many as this move needs, without the part of the hand's path that passes nothing.
    """
    parser = argparse.ArgumentParser(description=seconds_main.__doc__)
    parser.add_argument("--record", type=Path, default=asset("records", "two-cars.jsonl"))
    parser.add_argument("--ply", type=int, default=14)
    parser.add_argument("--samples", type=int, default=32)
    parser.add_argument("--width", type=float, default=0.02)
    parser.add_argument("--engine", default="bullet", choices=engines.NAMES)
    arguments = parser.parse_args()
    record = read(arguments.record)
    *_, last = trusted(branch(record, arguments.ply))
    placement = Placement.parse(record.entries[arguments.ply].do)
    print(
        f"{arguments.record.name} ply {arguments.ply}: {len(last.after.piece_ids)} pieces, engine "
        f"{arguments.engine}"
    )
    _processes(last.after, placement, arguments)
    _tolerances(last.after, placement, arguments)
    _width(last.after, placement, arguments)


def _processes(table: Table, placement: Placement, arguments: argparse.Namespace) -> None:
    what = {"skill": SKILLS["normal"], "samples": arguments.samples, "engine": arguments.engine}
    begin = time.perf_counter()
    alone = risk(table, placement, **what)
    one = (time.perf_counter() - begin) / arguments.samples
    with ProcessPoolExecutor() as executor:
        list(executor.map(int, range(64)))  # the workers are up
        begin = time.perf_counter()
        together = risk(table, placement, **what, executor=executor)
        many = (time.perf_counter() - begin) / arguments.samples
    same = "the same result" if alone == together else "ANOTHER RESULT"
    print(
        f"one process {one:.3f} s a sample, {os.cpu_count()} processes {many:.3f} s, ratio "
        f"{one / many:.2f}, {same}"
    )


def _width(table: Table, placement: Placement, arguments: argparse.Namespace) -> None:
    begin = time.process_time()
    found = risk(
        table,
        placement,
        skill=SKILLS["normal"],
        samples=10_000,
        engine=arguments.engine,
        width=arguments.width,
    )
    after = time.process_time() - begin
    checked, engine = referee.check(table, placement), engines.engine(arguments.engine)
    spent = [0.0, 0.0]
    said: tuple[list[tuple[bool, tuple[str, ...]]], ...] = ([], [])
    for number in range(arguments.samples):
        hand = draw(
            np.random.default_rng(np.random.SeedSequence(0, spawn_key=(number,))),
            checked,
            SKILLS["normal"],
        )
        for brief in (0, 1):
            begin = time.process_time()
            verdict, _, _ = judge_checked(
                checked, [Attempt(Simulated(engine, SETTLE, brief=bool(brief)), hand)]
            )
            spent[brief] += time.process_time() - begin
            said[brief].append((bool(verdict.built), verdict.fallen))
    whole, brief = (seconds / arguments.samples for seconds in spent)
    needed = math.ceil((Z95 / (2 * arguments.width)) ** 2)
    same = sum(a == b for a, b in zip(*said, strict=True))
    stands = [sum(built for built, _ in tries) / arguments.samples for tries in said]
    print(
        f"whole tries {whole:.3f} s CPU each, without the way through the air {brief:.3f} s; the "
        f"same pieces fell in {same} of"
    )
    print(f"  {arguments.samples}, and {stands[0]:.1%} and {stands[1]:.1%} stood")
    print(f"+-{arguments.width:g}: before {needed} whole tries, {needed * whole:.0f} s CPU;")
    print(f"  after {found.samples} tries, {after:.0f} s CPU, ratio {needed * whole / after:.1f}")
    print(f"  stands {found.stands_rate}, others fall {found.others_fall_rate}")


def _tolerances(table: Table, placement: Placement, arguments: argparse.Namespace) -> None:
    spent, agreed, felled, checked = [0.0, 0.0], 0, 0, referee.check(table, placement)
    for number in range(arguments.samples):
        skill = SKILLS[("normal", "clumsy")[number % 2]]
        hand = draw(np.random.default_rng(number), checked, skill)
        said = []
        for k, params in enumerate((SETTLE, SettleParams())):
            begin = time.process_time()
            verdict, _, _ = judge_checked(
                checked, [Attempt(Simulated(engines.engine(arguments.engine), params), hand)]
            )
            spent[k] += time.process_time() - begin
            said.append((verdict.built, verdict.fallen))
        agreed += said[0] == said[1]
        felled += bool(said[1][1])
    coarse, fine = (seconds / arguments.samples for seconds in spent)
    print(
        f"tolerances of the risk {coarse:.3f} s CPU a sample, of a record {fine:.3f} s, ratio "
        f"{fine / coarse:.1f}"
    )
    print(
        f"the same pieces fell in {agreed} of {arguments.samples} tries; something fell in {felled}"
    )


# --- hand -----------------------------------------------------------------------------------------

BUILD = Build("A-P0", (55.0, 0.0), 2)
DISTANCES = (3.1, 5.0, 8.0)  # at 3 mm the road would touch the new pillar in plan
TOUCHY = (1, 6, 115.0)  # discs at both ends and mm between the axes of B's pillars
STURDY = (2, 3, 107.0)


def table(
    distance: float | None, tool: str, road: tuple[int, int, float] = TOUCHY, car: bool = False
) -> Table:
    """The base of A at (-55, 0), and B's road across the way, at that distance from the tool above
    the new pillar at (55, 0).
    """
    layout: dict[str, Any] = {"to_move": 0, "pillars": [{"id": "A-P0", "at": [-55, 0], "discs": 1}]}
    if distance is not None:
        low, high, apart = road
        x, y = 55 + TOOL_RADIUS[tool] + distance + 4.5, apart / 2
        layout["pillars"] += [
            {"id": "B-P0", "at": [x, -y], "discs": low},
            {"id": "B-P1", "at": [x, y], "discs": high, "junction": high - low > 1},
        ]
        layout["roads"] = [{"id": "B-R0", "from": "B-P0", "to": "B-P1"}]
        layout["cars"] = [{"id": "B-C0", "on": "B-R0", "along": 0.5}] if car else []
    return Table.from_layout(layout)


def fell(found: Risk) -> Interval:
    """The share of tries in which anything fell."""
    return wilson(found.samples - found.fallen_counts[0], found.samples)


def touched(found: Risk) -> Interval:
    """The share of tries in which the hand touched B's road, the piece beside its path."""
    return wilson(found.touches.get("B-R0", 0), found.samples)


def hand_main() -> None:
    """The hand's figures: how often it touches and fells things, by skill and by how near a foreign
    road is to its path.

        python benchmarks/risk.py hand [--samples 300] [--free 1000] [--engine bullet] [--tool
            finger]

    The table has a base pillar of A and, across the way to the new pillar, a road of B. `distance`
    is the gap between the edge of that road and the finger on its intended path. B's road rises
    from one disc to a junction of six discs. By the rule, which measures along a straight line from
    top to top, it rests on 3 mm of each disc, and 2.5 mm are enough; as it really lies, tilted
    more, it rests on 0.8 and 1.7 mm. B may build this road, and it stays at rest; the script checks
    this first. Hardly any road is more sensitive. If it is pushed sideways, friction works against
    the push and no longer holds it on the slope: it slides down until its upper end is off.

    Prints for each skill and distance the share of tries in which the hand touched B's road, and in
    which something fell, with 95 % intervals, and whether both shares fall with distance and with
    skill. The clumsy hand has `--samples` tries at each distance, the others a third as many. Then
    it prints the same for the clumsy hand beside a sturdier road of B, which rises by one disc,
    rests on 9 mm of each disc and carries a car. `free` is the expert without a road of B.
    """
    parser = argparse.ArgumentParser(
        description=hand_main.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--samples",
        type=int,
        default=300,
        help="tries of the clumsy hand at each distance (default: 300)",
    )
    parser.add_argument(
        "--free", type=int, default=1000, help="tries of the expert in a free place (default: 1000)"
    )
    parser.add_argument("--engine", default="bullet")
    parser.add_argument("--tool", default="finger", choices=tuple(TOOL_RADIUS))
    arguments = parser.parse_args()
    print(f"engine {arguments.engine}, {arguments.tool}", flush=True)
    with ProcessPoolExecutor() as executor:
        _check_scene(arguments)
        _beside(arguments, executor)
        _free(arguments, executor)


def _check_scene(arguments: argparse.Namespace) -> None:
    """Whether B may build the road, as placed and as settled, and whether nothing moves before the
    hand comes.
    """
    for road, car in ((TOUCHY, False), (STURDY, True)):
        low, high, apart = road
        before = Table.from_layout(
            {"to_move": 1, "pillars": [{"id": "B-P0", "at": [0, 0], "discs": low}]}
        )
        verdict, _ = play(
            before, Build("B-P0", (apart, 0.0), high, high - low > 1), arguments.engine
        )
        scene = table(DISTANCES[0], arguments.tool, road, car)
        lower, upper = _bearings(scene)
        moved = World(bodies(scene), arguments.engine).settle().moved
        print(
            f"B's road from {low} to {high} discs bears {lower:.1f} and {upper:.1f} mm: "
            f"{'may be built' if verdict.built else 'ILLEGAL'}; moves by itself: "
            f"{', '.join(moved) or 'nothing'}",
            flush=True,
        )


def _bearings(scene: Table) -> tuple[float, float]:
    """How many mm of their discs the ends of B's road cover in plan, as it really lies."""
    (road,) = (body for body in bodies(scene) if body.kind == "road")
    found = []
    for side, pillar in ((-1, "B-P0"), (1, "B-P1")):
        dx, dy, _ = rotate(
            road.pose.quat,
            (side * scene.components.road_length / 2, 0.0, -scene.components.road_thickness / 2),
        )
        x, y = scene.pillar_by_id[pillar].at
        found.append(
            scene.components.disc_radius
            - math.hypot(road.pose.at[0] + dx - x, road.pose.at[1] + dy - y)
        )
    return found[0], found[1]


def _beside(arguments: argparse.Namespace, executor: Executor) -> None:
    rates: dict[tuple[str, float], tuple[float, float]] = {}
    print(f"{'skill':<8} {'distance':>8}  {'tries':>5}  {'touched':<24} {'fell':<24}")
    for name in SKILLS:
        for distance in DISTANCES:
            tries = arguments.samples if name == "clumsy" else max(arguments.samples // 3, 1)
            found = _risk(table(distance, arguments.tool), name, tries, arguments, executor)
            rates[name, distance] = touched(found).value, fell(found).value
            _tell(name, distance, found)
    for k, what in enumerate(("touched", "fell")):
        by_distance = all(
            rates[name, near][k] >= rates[name, far][k]
            for name in SKILLS
            for near, far in pairwise(DISTANCES)
        )
        by_skill = all(
            rates[one, d][k] <= rates[other, d][k]
            for one, other in pairwise(SKILLS)
            for d in DISTANCES
        )
        print(
            (
                f"{what}: never more with distance: {_yes(by_distance)}; never more with skill: "
                f"{_yes(by_skill)}"
            ),
            flush=True,
        )
    sturdy = table(DISTANCES[0], arguments.tool, STURDY, car=True)
    _tell(
        "clumsy",
        DISTANCES[0],
        _risk(sturdy, "clumsy", arguments.samples, arguments, executor),
        " (sturdier road)",
    )


def _free(arguments: argparse.Namespace, executor: Executor) -> None:
    begin = time.perf_counter()
    found = _risk(table(None, arguments.tool), "expert", arguments.free, arguments, executor)
    print(
        f"free place, expert: something fell in {found.samples - found.fallen_counts[0]} of "
        f"{found.samples} placements, "
        f"stood in {found.stands}; {time.perf_counter() - begin:.0f} s"
    )


def _risk(
    on: Table, skill: str, samples: int, arguments: argparse.Namespace, executor: Executor
) -> Risk:
    return risk(
        on,
        BUILD,
        skill=SKILLS[skill],
        samples=samples,
        seed=1,
        engine=arguments.engine,
        tool=arguments.tool,
        executor=executor,
    )


def _tell(skill: str, distance: float, found: Risk, more: str = "") -> None:
    shares = f"{_percent(touched(found)):<24} {_percent(fell(found)):<24}"
    print(
        f"{skill:<8} {distance:>5} mm  {found.samples:>5}  {shares} {found.falls or ''}{more}",
        flush=True,
    )


def _percent(share: Interval) -> str:
    return f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"


def _yes(holds: bool) -> str:
    return "yes" if holds else "NO"


PARTS: dict[str, parts.Part] = {
    "seconds": seconds_main,
    "hand": hand_main,
}

if __name__ == "__main__":
    sys.exit(parts.run(PARTS))
