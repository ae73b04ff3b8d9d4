"""Awake sets against everything awake: settles the same placements on full tables both ways, with
each engine, in one run.

    python benchmarks/awake.py [--placements 240] [--engine NAME] [--seed 1] [--workers 2]
    [--quiet-time 0.2] [--knocks]

The placements take turns: a car put on a road; a road taken off a finished table with what lies on
it and laid again, half of the time together with the pillar under one end; and, as every third one,
a botched placement, so that something falls: a road laid 8 to 30 mm off or a car set down over the
edge. Prints for each engine how often the same pieces fell both ways, the largest distance between
the two poses of a piece where all stayed (nothing fell, and nothing went more than a millimetre or
two degrees from where it was put), and the median CPU time of both ways (of the second of two equal
settles, since a game keeps compiled models, too).

`--knocks` leads a finger through the final tables of the shipped games instead, 60 to 160 mm
straight ahead across a random piece, 2 to 40 mm above the table. Tiny differences then decide which
of many pieces fall. So it also counts the pieces that fell in one way only, and there is no target.
Each engine has a process of its own; exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.agreement import fallen
from rules import record as records
from sim.assets import asset
from sim.bodies import Body, Pose, rotate, shift_between, turn_between
from sim.game.attempts.posing import bodies
from sim.game.replay import trusted
from sim.physics import engines
from sim.physics.drop import rest_car, rest_road
from sim.physics.engine import HandPath, SettleParams
from sim.physics.neighbours import Neighbours, neighbours
from sim.physics.world import Settled, World
from sim.pieces import Components
from tools.scenes import scene

GAMES = ("two-cars", "knock", "junction-exit", "three-players", "four-players")
TABLES = ("four-player-table", "stress-table")
CPU_TARGETS = {"bullet": 0.12, "mujoco": 0.05}  # s at the median
APART = 0.05  # mm

_BOX = Components.named("estimate-2018")
_STAYED = (1.0, 2.0)  # mm, degrees: further than this, a piece slid or rolled to another place
_ROOM = 20.0  # mm that a new car keeps to others
_Draw = np.random.Generator


@dataclass(frozen=True, slots=True)
class Placement:
    """What lies on the table, what is put there, and how."""

    what: str
    table: tuple[Body, ...]
    new: tuple[Body, ...]
    path: HandPath | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """One placement both ways: what fell, the piece whose poses are furthest apart (mm, degrees),
    CPU seconds, bodies awake.

    `stayed` says that neither way a piece fell or went further than `_STAYED` from where it was
    put.
    """

    what: str
    fell: tuple[str, ...]
    fell_whole: tuple[str, ...]
    stayed: bool
    furthest: str
    apart: float
    turned: float
    cpu: float
    cpu_whole: float
    awake: int


def outcomes(
    engine: str, count: int, seed: int, params: SettleParams, led: bool = False
) -> list[Outcome]:
    """Settle so many placements, or knocks by a finger, on that engine both ways."""
    rng = np.random.default_rng(seed)
    return [
        _both(each, engine, params)
        for each in (knocks(count, rng) if led else placements(count, rng, engine))
    ]


def _both(placement: Placement, engine: str, params: SettleParams) -> Outcome:
    if placement.path is None:
        # so that a model that can be kept is there
        _settle(placement, engine, params, everything=False)
    part, cpu = _settle(placement, engine, params, everything=False)
    whole, cpu_whole = _settle(placement, engine, params, everything=True)
    before = placement.table + placement.new
    fell, fell_whole = _fallen(before, part), _fallen(before, whole)
    stayed = not (fell or fell_whole) and not any(
        _shifted(body, each) for body in before for each in (part, whole)
    )
    apart = {name: shift_between(pose, whole.poses[name]) for name, pose in part.poses.items()}
    furthest = max(apart, key=lambda name: apart[name])
    return Outcome(
        placement.what,
        fell,
        fell_whole,
        stayed,
        furthest,
        apart[furthest],
        turn_between(part.poses[furthest], whole.poses[furthest]),
        cpu,
        cpu_whole,
        len(part.awake),
    )


def _fallen(before: Sequence[Body], settled: Settled) -> tuple[str, ...]:
    return fallen([body for body in before if body.mass > 0], settled)


def _shifted(body: Body, settled: Settled) -> bool:
    pose = settled.poses[body.id]
    return shift_between(body.pose, pose) > _STAYED[0] or turn_between(body.pose, pose) > _STAYED[1]


def _settle(
    placement: Placement, engine: str, params: SettleParams, *, everything: bool
) -> tuple[Settled, float]:
    world = World(placement.table, engine, params)
    world.place(*placement.new)
    if placement.path is not None:
        world.sweep(placement.path)
    begin = time.process_time()
    settled = world.settle(everything=everything)
    return settled, time.process_time() - begin


# --- the placements -------------------------------------------------------------------------------


def placements(count: int, rng: _Draw, engine: str) -> Iterator[Placement]:
    """Roads and cars put on full tables, with errors from those of an expert to botched ones that
    fell things.
    """
    tables = [rested(scene(name).bodies, engine) for name in TABLES]
    for k in range(count):
        table = tables[k // 3 % len(tables)]
        botched = k % 3 == 2
        if k % 6 in (0, 5):
            yield _car(rng, table, botched)
        else:
            yield _road(rng, table, botched, with_pillar=k % 6 == 4)


def knocks(count: int, rng: _Draw) -> Iterator[Placement]:
    """Fingers led straight across a piece of a finished game."""
    tables = [_finished(name) for name in GAMES]
    for k in range(count):
        table = tables[k % len(tables)]
        x, y, _ = _pick(rng, [body for body in table if body.mass > 0]).pose.at
        angle, half, z = (
            rng.uniform(0.0, 2 * math.pi),
            rng.uniform(30.0, 80.0),
            float(rng.uniform(2.0, 40.0)),
        )
        dx, dy = float(half * math.cos(angle)), float(half * math.sin(angle))
        what = (
            f"finger over {GAMES[k % len(GAMES)]} from ({x - dx:.0f}, {y - dy:.0f}, {z:.0f}) to "
            f"({x + dx:.0f}, {y + dy:.0f})"
        )
        yield Placement(what, table, (), HandPath(((x - dx, y - dy, z), (x + dx, y + dy, z))))


def _finished(name: str) -> tuple[Body, ...]:
    *_, last = trusted(records.read(asset("records", f"{name}.jsonl")))
    return bodies(last.after)


def _car(rng: _Draw, table: tuple[Body, ...], botched: bool) -> Placement:
    roads = [body for body in table if body.kind == "road"]
    cars = [body for body in table if body.kind == "car"]
    while True:
        road, along = _pick(rng, roads), float(rng.uniform(0.25, 0.75))
        side = float(
            rng.choice((-1, 1)) * rng.uniform(5.0, 8.0) if botched else rng.normal(0.0, 0.5)
        )
        spot = rest_car(road, along, side, _BOX)
        if all(math.dist(body.pose.at, spot.at) > _ROOM for body in cars):
            what = f"car on {road.id}, {side:+.1f} mm off its middle"
            return Placement(what, table, (_BOX.body("A-C99", "car", spot, 0),))


def _road(rng: _Draw, table: tuple[Body, ...], botched: bool, with_pillar: bool) -> Placement:
    """A road that carries no other road, put back without its cars, alone or with a pillar that
    carries only this road.
    """
    near = neighbours(table)
    road = _pick(
        rng,
        [
            body
            for body in table
            if body.kind == "road" and not any("-R" in up for up in near.above[body.id])
        ],
    )
    pillar = _own_pillar(table, near, road.id) if with_pillar else set()
    rest = tuple(body for body in table if body.id not in {road.id, *near.above[road.id]} | pillar)
    noise = float(rng.choice((0.3, 0.8, 2.0)))
    discs = [
        body.at(_off(body.pose, rng.normal(0.0, noise / 3, 2)))
        for body in table
        if body.id in pillar
    ]
    if botched:
        angle = rng.uniform(0.0, 2 * math.pi)
        off = rng.uniform(8.0, 30.0) * np.array([math.cos(angle), math.sin(angle)])
    else:
        off = rng.normal(0.0, noise, 2)
    ahead = rotate(road.pose.quat, (1.0, 0.0, 0.0))
    yaw = math.degrees(math.atan2(ahead[1], ahead[0])) + float(rng.normal(0.0, noise / 2))
    x, y, _ = _off(road.pose, off).at
    what = f"{road.id}{' and a pillar' if discs else ''}, {float(np.hypot(*off)):.1f} mm off"
    return Placement(what, rest, (*discs, road.at(rest_road((x, y), yaw, [*rest, *discs], _BOX))))


def _own_pillar(table: Sequence[Body], near: Neighbours, road: str) -> set[str]:
    """The discs of a pillar that carries this road and nothing else."""
    for disc in near.below[road]:
        if near.above[disc] == (road,):
            pillar = disc.rsplit(".", 1)[0]
            return {body.id for body in table if body.id.rsplit(".", 1)[0] == pillar}
    return set()


def _pick(rng: _Draw, bodies: Sequence[Body]) -> Body:
    return bodies[int(rng.integers(len(bodies)))]


def _off(pose: Pose, by: npt.NDArray[np.float64]) -> Pose:
    x, y, z = pose.at
    return Pose((x + float(by[0]), y + float(by[1]), z), pose.quat)


def rested(bodies: Sequence[Body], engine: str) -> tuple[Body, ...]:
    """The table after coming to rest, every piece in its pose at the end."""
    world = World([body for body in bodies if body.mass <= 0], engine)
    world.place(*(body for body in bodies if body.mass > 0))
    settled = world.settle()
    return tuple(body.at(settled.poses[body.id]) for body in bodies)


# --- the table ------------------------------------------------------------------------------------


def _report(engine: str, found: Sequence[Outcome]) -> bool:
    """Print an engine's figures; whether they meet the targets."""
    felled = sum(bool(one.fell or one.fell_whole) for one in found)
    stayed = [one for one in found if one.stayed]
    same = sum(one.fell == one.fell_whole for one in found)
    worst, far = max(one.apart for one in stayed), sum(one.apart > APART for one in stayed)
    awake = [one.awake for one in found]
    cpu = median(one.cpu for one in found)
    print(
        f"\n{engine}: {len(found)} placements, in {felled} something fell; same pieces fell in "
        f"{same}"
    )
    print(
        f"  poses of {len(stayed)} in which all stayed: at most {worst:.4f} mm apart, {far} above "
        f"{APART} mm"
    )
    print(f"  awake at the median {median(awake):.0f} of {_movable()} pieces, at most {max(awake)}")
    for which, some in (("all", found), ("all stayed", stayed)):
        part, whole = median(one.cpu for one in some), median(one.cpu_whole for one in some)
        print(
            f"  CPU at the median, {which}: awake set {part:.3f} s, everything {whole:.3f} s, "
            f"ratio {whole / part:.1f}"
        )
    print(
        "  CPU of the awake set at the 90th percentile "
        f"{sorted(one.cpu for one in found)[math.floor(0.9 * len(found))]:.3f} s"
    )
    for one in found:
        if one.fell != one.fell_whole or (one.stayed and one.apart > APART):
            print(
                f"  DIFFERS {one.what}: fell {' '.join(one.fell) or 'nothing'} / "
                f"{' '.join(one.fell_whole) or 'nothing'}; "
                f"{one.furthest} {one.apart:.3f} mm, {one.turned:.3f} degrees apart; {one.awake} "
                "awake"
            )
    return same == len(found) and worst <= APART and cpu < CPU_TARGETS[engine]


def _report_knocks(engine: str, found: Sequence[Outcome]) -> None:
    """Print what fell one way and not the other."""
    same = sum(one.fell == one.fell_whole for one in found)
    pieces = len([name for one in found for name in {*one.fell, *one.fell_whole}])
    apart = len([name for one in found for name in {*one.fell} ^ {*one.fell_whole}])
    part, whole = sum(one.cpu for one in found), sum(one.cpu_whole for one in found)
    print(
        f"\n{engine}: {len(found)} knocks; same pieces fell in {same}; of {pieces} that fell "
        f"{apart} did in one way only"
    )
    print(
        f"  CPU in all: awake set {part:.1f} s, everything {whole:.1f} s; worst "
        f"{max(one.cpu for one in found):.1f} s"
    )
    for one in found:
        if one.fell != one.fell_whole:
            more, less = (
                sorted({*one.fell} - {*one.fell_whole}),
                sorted({*one.fell_whole} - {*one.fell}),
            )
            print(
                f"  DIFFERS {one.what}: {len(one.fell)} fell; so {' '.join(more) or '-'}, whole "
                f"{' '.join(less) or '-'}"
            )


def _movable() -> str:
    return " or ".join(str(sum(body.mass > 0 for body in scene(name).bodies)) for name in TABLES)


def main() -> None:
    """Settle every placement both ways and print how they compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--placements", type=int, default=240)
    parser.add_argument(
        "--engine",
        choices=engines.available(),
        action="append",
        help="only this engine (may be repeated)",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--quiet-time",
        type=float,
        default=SettleParams().quiet_time,
        help="s that all has to be quiet",
    )
    parser.add_argument(
        "--knocks", action="store_true", help="fingers led through finished games instead"
    )
    options = parser.parse_args()
    params = SettleParams(quiet_time=options.quiet_time)
    chosen = options.engine or list(engines.available())
    settle = partial(
        outcomes, count=options.placements, seed=options.seed, params=params, led=options.knocks
    )
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        found = list(pool.map(settle, chosen))
    if options.knocks:
        for engine, each in zip(chosen, found, strict=True):
            _report_knocks(engine, each)
        return
    met = [_report(engine, each) for engine, each in zip(chosen, found, strict=True)]
    sys.exit(not all(met))


if __name__ == "__main__":
    main()
