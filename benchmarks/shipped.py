"""The shipped games: true in both engines, the same to the last bit, at rest, and as the rules say.

    python benchmarks/shipped.py engines [ARGUMENT ...]
    python benchmarks/shipped.py repeat [ARGUMENT ...]
    python benchmarks/shipped.py still [ARGUMENT ...]
    python benchmarks/shipped.py rules [ARGUMENT ...]

Each part says in its own words what it measures.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import parts
from rules import record
from rules import record as records
from rules.record import read
from sim.assets import asset
from sim.bodies import Body, Box, Pose, Vector, from_axes, rotate, shift_between
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.game.replay import trusted
from sim.game.verify import verify
from sim.physics import engines
from sim.physics.neighbours import neighbours, overlaps
from sim.physics.world import World
from sim.referee.explain import explain
from sim.referee.geometry import TOUCH
from sim.referee.placement import Build, Entrance, Exit
from sim.referee.standing import LaidRoad
from sim.referee.table import Table
from tests.golden import make as golden

# --- engines --------------------------------------------------------------------------------------

GAMES = ("two-cars", "knock", "junction-exit", "three-players", "four-players")


def engines_main() -> int:
    """What the shipped games say must be true in both engines; ends with exit code 1 if it is not.

        python benchmarks/shipped.py engines

    Poses are compared only where this machine comes to the bits of the golden digests. Where
    numpy or the C library round otherwise a piece may come to rest elsewhere (a car of two-cars did
    by 0.4 mm and 1.4 degrees); the verdicts must be the same there too.
    """
    made_on = json.loads((golden.FOLDER / "bullet.json").read_text(encoding="utf-8"))["platform"]
    is_alike = golden.here() == made_on
    if not is_alike:
        print(f"POSES ARE NOT COMPARED: the games were made on {made_on}, this is {golden.here()}")
    wrong = False
    for engine in ("bullet", "mujoco"):
        for name in GAMES:
            found = verify(record.read(asset("records", f"{name}.jsonl")), engine=engine)
            against = [*found.mismatches, *found.claims, *(found.divergences if is_alike else ())]
            print(
                f"{name} in {engine}: {found.plies} plies, {len(against)} disagreements",
                *against,
                sep="\n  ",
            )
            wrong |= bool(against)
    return int(wrong)


# --- repeat ---------------------------------------------------------------------------------------

RECORDS = Path(__file__).resolve().parents[1] / "assets" / "records"
REPEAT_GAMES = tuple(RECORDS / f"{name}.jsonl" for name in ("two-cars", "knock", "junction-exit"))
SEEDS = ("0", "1", "4711")


def digests(path: Path, engine: str) -> str:
    """The digests of all tables of a replay, in order."""
    return " ".join(step.after.digest() for step in replay.steps(read(path), engine))


def elsewhere(path: Path, engine: str, seed: str) -> str:
    """The same from a fresh process."""
    command = [sys.executable, __file__, "repeat", "--once", "--engine", engine, str(path)]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    # S603: it runs this very file
    return subprocess.run(  # noqa: S603
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


def repeat_main() -> None:
    """Are replays the same to the last bit: the two-player games, twenty times in a row and in
    other processes.

        python benchmarks/shipped.py repeat [--times 20] [--engine bullet] [FILE ...]

    Prints for each record how many different sequences of table digests (poses of all pieces after
    every ply) were seen in a row in one process, and in one fresh process for each of three values
    of PYTHONHASHSEED.
    """
    parser = argparse.ArgumentParser(description=parts.first_line(repeat_main))
    parser.add_argument("files", nargs="*", type=Path, default=REPEAT_GAMES, metavar="FILE")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--engine", default="bullet")
    parser.add_argument(
        "--once", action="store_true", help="print the digests of one replay and nothing else"
    )
    args = parser.parse_args()
    for path in args.files:
        if args.once:
            print(digests(path, args.engine))
            continue
        here = {digests(path, args.engine) for _ in range(args.times)}
        every = here | {elsewhere(path, args.engine, seed) for seed in SEEDS}
        print(
            f"{path.name}: results of {args.times} replays: {len(here)}; with {len(SEEDS)} other "
            f"processes: {len(every)}"
        )


# --- still ----------------------------------------------------------------------------------------

MOST = 0.05  # mm
TIMES = 10


def ways(
    table: tuple[Body, ...], engine: str, times: int = TIMES
) -> tuple[list[tuple[float, str]], tuple[Body, ...]]:
    """For each settle the piece that moved furthest and how far (mm); then the table at the end."""
    found = []
    for _ in range(times):
        settled = World(table, engine).settle()
        found.append(
            max((shift_between(body.pose, settled.poses[body.id]), body.id) for body in table)
        )
        table = tuple(body.at(settled.poses[body.id]) for body in table)
    return found, table


def still_main() -> int:
    """Do shipped tables lie still? Settles every final table ten times in a row, all pieces awake;
    lists pieces inside each other.

        python benchmarks/shipped.py still [RECORD...]

    Prints for each table and engine the largest move of a piece in each settle and over all, and
    the pairs that are more than 0.05 mm inside each other. Exits with 1 if a piece moved further
    than that or lies deeper.
    """
    paths = [Path(name) for name in sys.argv[1:]] or [
        asset("records", f"{name}.jsonl") for name in GAMES
    ]
    bad = 0
    for path in paths:
        *_, last = trusted(records.read(path))
        table = bodies(last.after)
        deep = overlaps(table, MOST)
        told = ", ".join(f"{one} and {other} {depth:.3f} mm" for one, other, depth in deep[:5])
        print(f"{path.stem}: {len(table)} pieces; inside each other: {told or 'none'}")
        bad += bool(deep)
        for engine in engines.available():
            each, end = ways(table, engine)
            far, piece = max(
                (shift_between(one.pose, other.pose), one.id)
                for one, other in zip(table, end, strict=True)
            )
            row = " ".join(f"{way:.3f}" for way, _ in each)
            print(
                f"  {engine:<7} {row}  most {max(each)[1]}; in all {far:.3f} mm, {piece}",
                flush=True,
            )
            bad += max(each)[0] > MOST
    return 1 if bad else 0


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


def _files(given: Sequence[Path]) -> list[Path]:
    every = given or [ROOT / "assets" / "records"]
    return [
        file
        for path in every
        for file in (sorted(path.rglob("*.jsonl")) if path.is_dir() else [path])
    ]


def rules_main(argv: Sequence[str] | None = None) -> int:
    """Does every table lie as the rules say? Checks records with another method of finding contacts
    than the referee's.

        python benchmarks/shipped.py rules [FILE|FOLDER ...]

    For every ply that lays a road it checks: no new piece touches a building, a piece of another
    player, or a piece of its own player except at the pillar that they share; every ramp's lower
    end is on the table; every car that was earned and not placed has a line that says why. Poses
    are those of the record; in a game played without physics, roads are straight from pillar top to
    pillar top. The referee looks for contact points (sim/physics/contacts.py); this script projects
    a point to and fro between the two pieces until it knows their distance. Without arguments it
    checks the shipped games. `python benchmarks/players.py plain sound --out DIR` makes 560 more.
    Exits with 1 if anything is found.
    """
    parser = argparse.ArgumentParser(description=parts.first_line(rules_main))
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE|FOLDER")
    found = games = roads = exits = cars = 0
    for path in _files(parser.parse_args(argv).paths):
        record = read(path)
        if record.header.game != "tokyo-highway" or record.header.start is not None:
            continue
        games += 1
        for step in replay.trusted(record):
            if step.verdict.built:
                road: LaidRoad = step.after.roads[-1]
                roads, exits, cars = (
                    roads + 1,
                    exits + (road.kind == "exit"),
                    cars + len(step.verdict.spots),
                )
            for text in findings(step):
                found += 1
                print(f"{path}: ply {step.entry.ply}: {text}", flush=True)
    print(f"{games} games, {roads} roads, {exits} exits, {cars} cars: {found} findings")
    return 1 if found else 0


PARTS: dict[str, parts.Part] = {
    "engines": engines_main,
    "repeat": repeat_main,
    "still": still_main,
    "rules": rules_main,
}

if __name__ == "__main__":
    sys.exit(parts.run(PARTS))
