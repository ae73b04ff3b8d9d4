"""Awake sets against everything awake: the same placements on full tables settled both ways, side by side in one run.

    python benchmarks/awake.py [--placements 200] [--engine bullet]

A third of the placements puts a car on a road that has none; the others take a road off a finished table, with the cars on it,
and put the road back with a hand's noise, half of them together with the pillar under one end. Prints how often the verdicts
agree (which pieces fell), the largest difference of a pose, and the CPU time of both at the median.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sim.bodies import Body
from sim.neighbours import Neighbours, neighbours
from sim.pieces import Components
from sim.poses import Pose, rotate, shift_between, tilt_between, turn_between
from sim.resting import rest_car, rest_road
from sim.scenes import scene
from sim.world import Settled, World

TABLES = ("four-player-table", "stress-table")
BOX = Components.named("estimate-2018")
FELL = {"disc": (5.0, 10.0), "road": (4.0, 8.0), "car": (7.0, 30.0), "building": (1.0, 1.0)}  # mm, degrees


@dataclass(frozen=True)
class Placement:
    """What lies on the table, what is put there, and the noise that was drawn."""

    name: str
    table: tuple[Body, ...]
    new: tuple[Body, ...]
    noise: float


def placements(count: int, rng: np.random.Generator, engine: str) -> Iterator[Placement]:
    """Roads and cars put on full tables; the noise runs from an expert's to one that fells things."""
    tables = [rested(scene(name).bodies, engine) for name in TABLES]
    for k in range(count):
        table = tables[k % len(tables)]
        near = neighbours(table)
        noise = float(rng.choice((0.3, 0.8, 2.0)))
        roads = [body for body in table if body.kind == "road"]
        if k % 3 == 0:
            road, along = _free_spot(rng, table, roads)
            car = BOX.body("A-C99", "car", rest_car(road, along, float(rng.normal(0.0, noise / 2)), BOX), 0)
            yield Placement(f"car on {road.id}", table, (car,), noise)
            continue
        road = _pick(rng, [road for road in roads if not any("-R" in name for name in near.above[road.id])])
        off = {road.id, *near.above[road.id]}
        back = {road.id} | (_own_pillar(table, near, road.id) if k % 2 else set())
        new = _put_back([body for body in table if body.id in back], [body for body in table if body.id not in off], rng, noise)
        yield Placement(road.id, tuple(body for body in table if body.id not in off | back), new, noise)


def _free_spot(rng: np.random.Generator, table: Sequence[Body], roads: Sequence[Body]) -> tuple[Body, float]:
    """A road and a place along it where a car has 20 mm to every other piece but the road and its pillars."""
    while True:
        road, along = _pick(rng, roads), float(rng.uniform(0.25, 0.75))
        spot = rest_car(road, along, 0.0, BOX)
        if all(math.dist(body.pose.at, spot.at) > 20 for body in table if body.kind == "car"):
            return road, along


def _pick(rng: np.random.Generator, bodies: Sequence[Body]) -> Body:
    return bodies[int(rng.integers(len(bodies)))]


def _own_pillar(table: Sequence[Body], near: Neighbours, road: str) -> set[str]:
    """The discs of a pillar under the road that bears nothing else."""
    for disc in near.below[road]:
        if near.above[disc] == (road,):
            pillar = disc.rsplit(".", 1)[0]
            return {body.id for body in table if body.id.rsplit(".", 1)[0] == pillar}
    return set()


def _put_back(bodies: Sequence[Body], beneath: Sequence[Body], rng: np.random.Generator, noise: float) -> tuple[Body, ...]:
    """The bodies as a hand puts them: discs off in plan, the road let down where it is then meant to lie."""
    discs = [body.at(_off(body, rng, noise / 3)) for body in bodies if body.kind == "disc"]
    fixed = [body for body in beneath if body.id not in {disc.id for disc in discs}]
    put = list(discs)
    for road in (body for body in bodies if body.kind == "road"):
        ahead = rotate(road.pose.quat, (1.0, 0.0, 0.0))
        yaw = math.degrees(math.atan2(ahead[1], ahead[0])) + float(rng.normal(0.0, noise / 2))
        at = _off(road, rng, noise).at
        put.append(road.at(rest_road((at[0], at[1]), yaw, [*fixed, *discs], BOX)))
    return tuple(put)


def _off(body: Body, rng: np.random.Generator, noise: float) -> Pose:
    dx, dy = rng.normal(0.0, noise, 2)
    x, y, z = body.pose.at
    return Pose((x + float(dx), y + float(dy), z), body.pose.quat)


def rested(bodies: Sequence[Body], engine: str) -> tuple[Body, ...]:
    """The table as it stands after coming to rest, every piece in the very pose that it has then."""
    world = World([body for body in bodies if body.mass <= 0], engine)
    world.place(*(body for body in bodies if body.mass > 0))
    settled = world.settle()
    return tuple(body.at(settled.poses[body.id]) for body in bodies)


def fallen(before: tuple[Body, ...], settled: Settled) -> tuple[str, ...]:
    """The pieces that lost their place."""
    found = []
    for body in before:
        pose = settled.poses[body.id]
        shift, tilt = FELL[body.kind]
        if shift_between(body.pose, pose) > shift or tilt_between(body.pose, pose) > tilt:
            found.append(body.id)
    return tuple(found)


def main() -> None:
    """Settle every placement both ways and print how they compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--placements", type=int, default=200)
    parser.add_argument("--engine", default="bullet")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    part_cpu, whole_cpu, awake, shifts = [], [], [], []
    agreed = felled = 0
    for placement in placements(arguments.placements, rng, arguments.engine):
        results = []
        for everything in (False, True):
            world = World(placement.table, arguments.engine)
            world.place(*placement.new)
            begin = time.process_time()
            results.append((world.settle(everything=everything), time.process_time() - begin))
        (part, cpu), (whole, all_cpu) = results
        part_cpu.append(cpu)
        whole_cpu.append(all_cpu)
        awake.append(len(part.awake))
        before = placement.table + placement.new
        fell, fell_whole = fallen(before, part), fallen(before, whole)
        felled += bool(fell_whole)
        agreed += fell == fell_whole
        apart = {name: shift_between(part.poses[name], whole.poses[name]) for name in part.poses}
        worst = max(apart, key=lambda name: apart[name])
        if not fell and not fell_whole:
            shifts.append(apart[worst])
        if fell != fell_whole or (not fell and apart[worst] > 0.05):
            turned = turn_between(part.poses[worst], whole.poses[worst])
            print(
                f"  {placement.name} noise {placement.noise}: fell {fell} / {fell_whole}; {worst} {apart[worst]:.3f} mm "
                f"{turned:.3f} deg apart; awake {len(part.awake)}; cpu {cpu:.3f} / {all_cpu:.3f}",
                flush=True,
            )
    median, median_all = statistics.median(part_cpu), statistics.median(whole_cpu)
    print(f"placements {len(part_cpu)}, same verdict {agreed}, something fell in {felled}")
    print(f"poses apart where nothing fell: largest {max(shifts):.4f} mm, {sum(s > 0.05 for s in shifts)} over 0.05 mm")
    print(f"awake bodies at the median {statistics.median(awake):.0f}, most {max(awake)}")
    print(f"CPU at the median: awake set {median:.3f} s, everything {median_all:.3f} s, ratio {median_all / median:.1f}")
    print(f"CPU of the awake set at the 90th percentile {sorted(part_cpu)[math.floor(0.9 * len(part_cpu))]:.3f} s")


if __name__ == "__main__":
    main()
