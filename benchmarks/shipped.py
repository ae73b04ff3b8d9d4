"""The shipped games: true in both engines, the same to the last bit, at rest, and as the rules say.

python benchmarks/shipped.py [PART] [ARGUMENT ...]
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules.record import read
from sim.assets import asset
from sim.bodies import Body, Box, Pose, Vector, from_axes, rotate
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.game.rest import MOST, at_rest
from sim.game.verify import verify
from sim.physics import engines
from sim.physics.neighbours import neighbours
from sim.referee.explain import explain
from sim.referee.geometry import TOUCH
from sim.referee.placement import Build, Entrance, Exit
from sim.referee.table import Table
from tools.golden import FOLDER, here
from tools.measuring import note, run, table

GAMES = ("two-cars", "knock", "junction-exit", "three-players", "four-players")
SEEDS = ("0", "1", "4711")


def _paths(given: Sequence[Path]) -> list[Path]:
    """The records that are given, also those in folders; without any the shipped games."""
    every = given or [asset("records", f"{name}.jsonl") for name in GAMES]
    files = (sorted(path.rglob("*.jsonl")) if path.is_dir() else [path] for path in every)
    return [file for some in files for file in some]


def engines_(*records: Path) -> int:
    """What the shipped games say must be true in both engines; exit code 1 if it is not.

    Poses are compared only where this machine comes to the bits of the golden digests. Where NumPy
    or the C library round otherwise a piece may come to rest elsewhere (a car of two-cars did by
    0.4 mm and 1.4 degrees); the verdicts must be the same there too.
    """
    made_on = json.loads((FOLDER / "bullet.json").read_text(encoding="utf-8"))["platform"]
    is_alike, wrong = here() == made_on, 0
    if not is_alike:
        note(f"POSES ARE NOT COMPARED: the games were made on {made_on}, this is {here()}")
    row = table("game", "engine", "plies", "disagreements")
    for engine in ("bullet", "mujoco"):
        for path in _paths(records):
            found = verify(read(path), engine=engine)
            against = [*found.mismatches, *found.claims, *(found.divergences if is_alike else ())]
            for one in against:
                note(f"{path.stem} in {engine}: {one}")
            row(path.stem, engine, found.plies, len(against))
            wrong += len(against)
    return int(wrong > 0)


def repeat(*records: Path, times: int = 20, engine: str = "bullet", once: bool = False) -> int:
    """Whether replays are the same to the last bit, `--times` in a row and in fresh processes with
    three values of PYTHONHASHSEED.

    Compares the digests of all tables, with the poses of all pieces after every ply; `--once`
    prints those of one replay. Exit code 1 if two are different.
    """
    row, bad = table("game", "replays", "digests" if once else "different ones"), False
    for path in _paths(records):
        every = {
            " ".join(step.after.digest() for step in replay.steps(read(path), engine))
            for _ in range(1 if once else times)
        }
        if once:
            row(path.stem, 1, *every)
            continue
        command = [sys.executable, __file__, "repeat", "--once", "--engine", engine, str(path)]
        for seed in SEEDS:
            told = subprocess.run(  # noqa: S603 - this very file
                command,
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            every.add(told.rstrip(" |\n").rpartition("| ")[2])
        row(path.stem, times + len(SEEDS), len(every))
        bad = bad or len(every) > 1
    return int(bad)


def still(*records: Path) -> int:
    """Whether the final tables lie still in each engine: every piece is let go again, all of them
    awake. Exit code 1 if one goes further than 0.05 mm, or lies deeper in something else.
    """
    row, bad = table("game", "engine", "mm at most", "degrees at most", "inside each other"), False
    for path in _paths(records):
        *_, last = replay.trusted(read(path))
        for engine in engines.available():
            rest = at_rest(last.after, engine)
            mm, degrees = (max(each) for each in zip(*rest.moves.values(), strict=True))
            deep = ", ".join(f"{one} and {other} {by:.3f} mm" for one, other, by in rest.inside)
            row(path.stem, engine, mm, degrees, deep or "none")
            bad = bad or mm > MOST or bool(rest.inside)
    return int(bad)


# --- rules ----------------------------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[1]
_ROUNDS = 2000  # times that a point goes to and fro
_STILL = 1e-9  # mm: a point that moved less in a round has arrived
# mm from the axis of a shared pillar within which roads of one player may touch (rules 4d)
SHARED = 20.0


def findings(step: replay.Step) -> Iterator[str]:
    """Pieces that lie where they may not after a ply, and earned cars that are missing without an
    explanation.
    """
    if not isinstance(step.placement, (Build, Entrance, Exit)) or not step.verdict.built:
        return
    table = step.after
    new = table.piece_ids - step.before.piece_ids
    there = bodies(table) if step.verdict.moved is not None else tuple(_straight(table))
    where = {body.id: body for body in there}
    near = neighbours(there, TOUCH)
    for piece in sorted(new):
        for other in near.touching[piece]:
            apart = _apart(where[piece], where[other])
            if apart < TOUCH and other not in new and not _allowed(table, where, piece, other):
                yield f"{piece} touches {other}: {apart:.3f} mm"
    road = table.roads[-1]
    if road.target is None:
        lowest = _lower_end(where[road.id])
        if lowest > TOUCH:
            yield f"the lower end of {road.id} hangs {lowest:.2f} mm above the table"
    due = min(step.verdict.earned, step.before.stocks[step.before.to_move].cars)
    kinds = {line.data["kind"] for line in explain(step.before, step.placement, step.verdict)}
    reasons = [
        line
        for line in explain(step.before, step.placement, step.verdict)
        if line.data.get("reasons")
    ]
    if len(step.verdict.spots) < due and not reasons and not kinds & {"put-back", "fall"}:
        yield f"{due - len(step.verdict.spots)} cars are not placed, and no line says why"


def _straight(table: Table) -> Iterator[Body]:
    """The bodies of a table on which nothing has settled: roads straight from top to top, cars flat
    on them.
    """
    box, roads = table.components, {}
    for road in table.roads:
        (x, y), (u, v) = road.start, road.end
        span, rise = (
            math.dist(road.start, road.end),
            (road.levels[1] - road.levels[0]) * box.disc_height,
        )
        pitch = math.degrees(math.atan2(rise, span))
        quat = from_axes(math.degrees(math.atan2(v - y, u - x)), pitch)
        up = rotate(quat, (road.slide, 0.0, box.road_thickness / 2))
        z = (road.levels[0] + road.levels[1]) / 2 * box.disc_height
        roads[road.id] = Pose(((x + u) / 2 + up[0], (y + v) / 2 + up[1], z + up[2]), quat)
    on = {car.id: car for car in table.cars}
    for body in bodies(table):
        if body.id in roads:
            yield body.at(roads[body.id])
        elif body.id in on:
            car = on[body.id]
            base = roads[car.road]
            offset = (
                (car.along - 0.5) * box.road_length,
                car.side,
                (box.road_thickness + box.car_height) / 2,
            )
            up = rotate(base.quat, offset)
            yield body.at(
                Pose((base.at[0] + up[0], base.at[1] + up[1], base.at[2] + up[2]), base.quat)
            )
        else:
            yield body


def _apart(one: Body, two: Body) -> float:
    """The distance of two convex bodies in mm, by alternating projections: a point moves to the
    nearest place of either body in turn.
    """
    at = one.pose.at
    for _ in range(_ROUNDS):
        was, there = at, _nearest(two, at)
        at = _nearest(one, there)
        if math.dist(at, was) < _STILL:
            break
    return math.dist(at, _nearest(two, at))


def _nearest(body: Body, point: Vector) -> Vector:
    """The place of a body that is nearest to a point."""
    x, y, z, w = body.pose.quat
    offset = (point[0] - body.pose.at[0], point[1] - body.pose.at[1], point[2] - body.pose.at[2])
    u, v, h = rotate((-x, -y, -z, w), offset)
    if isinstance(body.shape, Box):
        a, b, c = (size / 2 for size in body.shape.size)
        u, v, h = min(max(u, -a), a), min(max(v, -b), b), min(max(h, -c), c)
    else:
        far = math.hypot(u, v)
        share = min(1.0, body.shape.radius / far) if far else 1.0
        c = body.shape.height / 2
        u, v, h = u * share, v * share, min(max(h, -c), c)
    dx, dy, dz = rotate(body.pose.quat, (u, v, h))
    return body.pose.at[0] + dx, body.pose.at[1] + dy, body.pose.at[2] + dz


def _allowed(table: Table, where: dict[str, Body], piece: str, other: str) -> bool:
    """A road may touch its supports, roads of the same player near a pillar that both rest on, and
    cars if the rules allow it.
    """
    road = table.roads[-1]
    if piece != road.id:
        return False
    if "-C" in other:
        return table.ruleset.touch_cars == "legal"
    if other[0] != piece[0] or "-" not in other:
        return False
    if "-P" in other:
        return other.partition(".")[0] in road.pillars
    shared = set(table.road_by_id[other].pillars) & set(road.pillars)
    return any(
        _meet_near(where[piece], where[other], table.top(table.pillar_by_id[name]))
        for name in shared
    )


def _meet_near(one: Body, two: Body, axis: tuple[float, float]) -> bool:
    """Whether an end of each stick lies near the axis of the pillar."""
    return all(min(math.dist(end, axis) for end in _ends(body)) <= SHARED for body in (one, two))


def _ends(body: Body) -> list[tuple[float, float]]:
    ux, uy, _ = rotate(body.pose.quat, (55.0, 0.0, 0.0))
    x, y, _ = body.pose.at
    return [(x - ux, y - uy), (x + ux, y + uy)]


def _lower_end(body: Body) -> float:
    """The height of the lowest corner of the far end of a ramp."""
    half, wide, thick = (size / 2 for size in body.shape.size)  # type: ignore[union-attr] # a road is a box
    return min(
        body.pose.at[2] + rotate(body.pose.quat, (half, side, -thick))[2] for side in (-wide, wide)
    )


def rules(*records: Path) -> int:
    """Whether every table lies as the rules say: checks records with another method of finding
    contacts than the referee's; a folder stands for all records in it.

    For every ply that lays a road it checks: no new piece touches a building, a piece of another
    player, or a piece of its own player except at the pillar that they share; every ramp's lower
    end is on the table; every car that was earned and not placed has a line that says why. Poses
    are those of the record; in a game played without physics, roads are straight from pillar top to
    pillar top. The referee looks for contact points (sim/physics/contacts.py); this script projects
    a point to and fro between the two pieces until it knows their distance. Exit code 1 if anything
    is found.
    """
    row, every = table("game", "roads", "exits", "cars", "findings"), 0
    for path in _paths(records or [ROOT / "assets" / "records"]):
        record = read(path)
        if record.header.game != "tokyo-highway" or record.header.start is not None:
            continue
        steps, found = [*replay.trusted(record)], 0
        for step in steps:
            for text in findings(step):
                found += 1
                note(f"{path}: ply {step.entry.ply}: {text}")
        built = [step for step in steps if step.verdict.built]
        exits = sum(step.after.roads[-1].kind == "exit" for step in built)
        row(path.stem, len(built), exits, sum(len(step.verdict.spots) for step in built), found)
        every += found
    return int(every > 0)


if __name__ == "__main__":
    run(engines_, repeat, still, rules)
