"""How well a table is read from the marks on one photo.

    python benchmarks/photo.py [plain] [sheet] [slips] [tops] [snap] [--photos 40] [--trials 200]
    [--slip tap]
    python benchmarks/photo.py found [--photos 100] [--first 10000] [--sides 2]
    [--true-maps] [--losses]

`plain`: the final and half-built tables of the shipped games from random cameras (tilt 30 to 70
degrees, roll up to 6, a phone's distortion, the focal length believed within 3 %), with taps off by
2 to 6 pixels. Prints the error in plan of the tips; the shares of roads whose cars come out right,
of roads that are right or called doubtful, and of doubtful roads; how often roads called at least
95 % sure are right; on how many photos a correct mark is called suspect; and CPU seconds. Last
comes the calibration: of the roads called so and so sure, how many are right. `sheet`: four roads
and a sheet of paper only.

`slips`: among 20 roads one disc count is wrong by one, or the ends of one road are exchanged, or
one tap is off by 60 pixels. Prints how often the slip is named, what else is named, and how many
other roads then get wrong cars unnoticed. Of slipped taps it counts those that leave a trace by
themselves: where the rest of the photo expects the tap, 60 pixels away is five sigmas or more.
`tops`: the tops of pillars are marked as well.

`snap`: photos that our renderer takes of the same tables, with a phone's distortion, noise and
JPEG, at a third of the size (1344 x 1008; all errors in pixels are a third, too, and are told as on
4032 x 3024). Prints how far taps are off before and after they were drawn to the ends in the
picture, the error in plan, and the roads that come out right; then, with one tap off by 60 pixels,
how often that is named with and without the picture. Needs embreex and OpenCV.

`found`: tables found in photos without a tap, see benchmarks/photo_found.py.
"""

from __future__ import annotations

import argparse
import io
import itertools
import math
import os
import time
from collections import Counter
from dataclasses import dataclass, field, replace

# so that CPU seconds do not count threads that wait
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

from rules import record
from shutoko.export.picture import picture
from shutoko.export.rendering.camera import Camera as Eye
from sim.assets import asset
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.photo.camera import Camera
from sim.photo.marks import Marks
from sim.photo.picture import looked
from sim.photo.reading import Reading, read_photo
from sim.photo.scene import Scene
from sim.photo.solving import left_out, solve
from sim.referee.table import Table
from tools.shots import HELD_OUT
from tools.staging import a_camera, marked, true_tips

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
GAMES = ("two-cars", "junction-exit", "knock", "three-players", "four-players")
SLIPS = ("discs", "swapped", "tap")
THIRD = 1 / 3  # the size of rendered photos, against a phone's
SHRUNK = (1344, 1008)
WIDER = 1.3  # the picture that is bent into a photo, against the photo
NOISE, QUALITY = 4.0, 85  # levels of a camera's noise, 1 sigma; of the JPEG
TRIES = 4  # slips on each rendered photo
A_TRACE = 25.0  # a slip whose square in sigmas is more leaves a trace
BINS = (0.0, 0.8, 0.95, 0.999, 1.01)  # how sure roads are called


@dataclass(frozen=True)
class Known:
    """A table of a shipped game, and the cars that its roads earned by their crossings."""

    table: Table
    cars: dict[str, int]


@dataclass
class Tally:
    """What came of many photos."""

    roads: Counter[str] = field(default_factory=Counter)
    errors: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    called: list[tuple[float, bool]] = field(default_factory=list)  # how sure, and whether right

    def row(self, name: str) -> str:
        """A line of the table."""
        count, n = self.roads, max(self.roads["roads"], 1)
        sure = max(count["sure"], 1)
        return (
            f"{name:34} {np.median(self.errors):5.2f} {np.max(self.errors):5.2f} mm {n:6} roads"
            f" {count['right'] / n:8.2%} {count['right or doubtful'] / n:8.2%} "
            f"{count['doubtful'] / n:7.2%}"
            f" {count['sure and right'] / sure:8.2%} {count['suspect photos']:4} "
            f"{np.mean(self.cpu):5.2f} s"
        )


def tables() -> list[Known]:
    """Each shipped game at its end, and with 12 roads or more in the middle."""
    found = []
    for name in GAMES:
        given, cars, steps = record.read(asset("records", f"{name}.jsonl")), {}, []
        for step in replay.trusted(given):
            table = step.after
            if step.verdict.built and table.roads[-1].id not in cars:
                cars[table.roads[-1].id] = sum(
                    crossing.scores for crossing in step.verdict.crossings
                )
            steps.append(table)
        middle = next((table for table in steps if len(table.roads) >= 14), steps[-1])
        found += [Known(steps[-1], cars), Known(middle, cars)]
    return found


def plan_error(reading: Reading, table: Table) -> float:
    """The root mean square error of the tips in plan, in mm, with the two tables aligned as well as
    possible.
    """
    roads = {road.id: n for n, road in enumerate(table.roads)}
    true = true_tips(table)[[roads[road.id] for road in reading.marks.roads]].reshape(-1, 3)[:, :2]
    got = reading.solution.tips.reshape(-1, 3)[:, :2]
    a, b = got - got.mean(axis=0), true - true.mean(axis=0)
    turn = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    c, s = math.cos(turn), math.sin(turn)
    return float(np.sqrt(((a @ np.array([[c, s], [-s, c]]) - b) ** 2).sum(axis=1).mean()))


def count(
    tally: Tally, reading: Reading, known: Known, leave: frozenset[str] = frozenset()
) -> None:
    """Adds a reading to a tally, without the roads in `leave`."""
    for road in reading.roads:
        if road.id in leave:
            continue
        right = road.cars == known.cars[road.id]
        tally.called.append((road.sure, right))
        tally.roads["roads"] += 1
        tally.roads["right"] += right
        tally.roads["doubtful"] += road.doubtful
        tally.roads["right or doubtful"] += right or road.doubtful
        tally.roads["sure"] += not road.doubtful
        tally.roads["sure and right"] += right and not road.doubtful


def read(tally: Tally, marks: Marks, pixels: Pixels | None = None) -> Reading:
    """Reads marks, with the photo if there is one, and notes the CPU time."""
    begin = time.process_time()
    reading = read_photo(marks, pixels=pixels)
    tally.cpu.append(time.process_time() - begin)
    return reading


def plain(photos: int, *, sheet_only: bool = False) -> None:
    """The figures without slips."""
    every = tables()
    read_photo(
        marked(
            every[0].table,
            a_camera(every[0].table, np.random.default_rng(0)),
            np.random.default_rng(0),
        )
    )
    print(f"{'':34} error: median, worst      right  or doubt doubtful  if sure  susp.  CPU")
    called: list[tuple[float, bool]] = []
    for off, four, tops, nominal in (
        (2, False, False, False),
        (3, False, False, False),
        (4, False, False, False),
        (6, False, False, False),
        (3, False, True, False),
        (3, False, False, True),
        (3, True, False, False),
    ):
        if sheet_only and not four:
            continue
        tally = Tally()
        for number in range(photos):
            rng, known = np.random.default_rng(number), every[number % len(every)]
            camera = a_camera(known.table, rng, sheet=four)
            first = [road.id for road in known.table.roads[:4]] if four else None
            marks = marked(
                known.table, camera, rng, off, roads=first, sheet=four, tops=tops, nominal=nominal
            )
            reading = read(tally, marks)
            tally.errors.append(plan_error(reading, known.table))
            tally.roads["suspect photos"] += bool(reading.suspects)
            count(tally, reading, known)
        how = (
            "4 roads and a sheet"
            if four
            else "tops marked"
            if tops
            else "tips at whole discs"
            if nominal
            else ""
        )
        print(tally.row(f"taps off by {off} px {how}"), flush=True)
        called += tally.called
    calibration(called)


def calibration(called: list[tuple[float, bool]]) -> None:
    """Of the roads called so sure, how many are right."""
    for low, high in itertools.pairwise(BINS):
        those = [(sure, right) for sure, right in called if low <= sure < high]
        if those:
            mean, right = np.mean([sure for sure, _ in those]), sum(right for _, right in those)
            print(
                f"called {low:.1%} sure or more: {len(those)} roads, on average {mean:.1%}, right "
                f"{right / len(those):.1%}"
            )


def slips(trials: int, tops: bool, kinds: list[str]) -> None:
    """The figures with a slip in each photo."""
    every = [known for known in tables() if len(known.table.roads) >= 20]
    for slip in kinds:
        tally, named, others, traced = Tally(), 0, 0, Counter[bool]()
        for number in range(trials):
            rng, known = np.random.default_rng(10_000 + number), every[number % len(every)]
            camera, first = a_camera(known.table, rng), [road.id for road in known.table.roads[:20]]
            clean = marked(known.table, camera, rng, 3.0, roads=first, tops=tops)
            marks, piece, near = slipped(clean, slip, rng)
            reading = read(tally, marks)
            ids = {suspect.id for suspect in reading.suspects}
            named, others = named + (piece in ids), others + len(ids - {piece})
            if slip == "tap" and leaves_a_trace(clean, marks):
                traced[piece in ids] += 1
            count(tally, reading, known, near)
        wrong = tally.roads["roads"] - tally.roads["right or doubtful"]
        print(
            f"{slip:8} named {named} of {trials} ({named / trials:.1%}), others named {others};"
            f" other roads wrong and sure {wrong} of {tally.roads['roads']}; CPU "
            f"{np.mean(tally.cpu):.2f} s",
            flush=True,
        )
        if slip == "tap":
            print(
                (
                    f"         {traced.total()} of these leave a trace, {traced[True]} of them are "
                    "named"
                ),
                flush=True,
            )


def leaves_a_trace(clean: Marks, marks: Marks) -> bool:
    """Whether the one tap that slipped is far from where the rest of the photo expects it, as far
    as that is known.
    """
    away = np.array([road.ends for road in marks.roads]) - np.array(
        [road.ends for road in clean.roads]
    )
    road, end = np.argwhere(np.abs(away).sum(axis=2) > 0)[0]
    spread = left_out(solve(Scene.of(clean))).spread[road, end]
    return float(away[road, end] @ np.linalg.solve(spread, away[road, end])) > A_TRACE


def slipped(
    marks: Marks, slip: str, rng: np.random.Generator, far: float = 60.0
) -> tuple[Marks, str, frozenset[str]]:
    """The marks with a slip, the piece that has it, and the roads whose cars it may change; a tap
    slips by `far` pixels.
    """
    road = marks.roads[rng.integers(len(marks.roads))]
    if slip == "discs":
        choices = [
            (one, step)
            for one in marks.pillars
            for step in (-1, 1)
            if one.discs + step >= 1 + one.junction
        ]
        pillar, step = choices[rng.integers(len(choices))]
        pillars = tuple(
            replace(one, discs=one.discs + step) if one is pillar else one for one in marks.pillars
        )
        near = frozenset(one.id for one in marks.roads if pillar.id in one.pillars)
        return replace(marks, pillars=pillars), pillar.id, near
    first, second = road.ends
    if slip == "swapped":
        ends = (second, first)
    else:
        angle, end = rng.uniform(0, math.tau), rng.integers(2)
        x, y = road.ends[end][0] + far * math.cos(angle), road.ends[end][1] + far * math.sin(angle)
        ends = (first, (x, y)) if end else ((x, y), second)
    roads = tuple(replace(one, ends=ends) if one is road else one for one in marks.roads)
    return replace(marks, roads=roads), road.id, frozenset([road.id])


# --- with the picture -----------------------------------------------------------------------------


def photographed(table: Table, camera: Camera, rng: np.random.Generator) -> Pixels:
    """A photo of a table (h, w, 3): our picture from there, bent and turned as the camera does,
    with noise, as a JPEG.
    """
    import cv2
    from PIL import Image

    width, height = SHRUNK
    big = (round(width * WIDER), round(height * WIDER))
    sin, cos = math.sin(camera.tilt), math.cos(camera.tilt)
    eye = (*camera.at, camera.height)
    ahead = (eye[0] - math.sin(camera.yaw) * cos, eye[1] + math.cos(camera.yaw) * cos, eye[2] - sin)
    view = Eye(eye, ahead, 2 * math.degrees(math.atan(big[1] / 2 / camera.focal)))
    straight = np.asarray(picture(bodies(table), size=big, camera=view, samples=1))
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    x, y = (x - camera.centre[0]) / camera.focal, (y - camera.centre[1]) / camera.focal
    u, v = x, y
    for _ in range(8):
        bent = 1 + camera.bend * (u * u + v * v)
        u, v = x / bent, y / bent
    c, s = math.cos(camera.roll), math.sin(camera.roll)
    u, v = c * u + s * v, c * v - s * u
    columns, rows = (
        (big[k] / 2 + camera.focal * part - 0.5).astype(np.float32) for k, part in enumerate((u, v))
    )
    seen = cv2.remap(straight, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    noisy = np.clip(seen + rng.normal(0.0, NOISE, seen.shape), 0, 255).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(noisy).save(file, format="JPEG", quality=QUALITY)
    return np.asarray(Image.open(file).convert("RGB"))


def taps_off(marks: Marks, true: Floats) -> Floats:
    """How far each tap (n, 2) is off, in pixels of a phone's photo."""
    away: Floats = (
        np.linalg.norm(np.array([road.ends for road in marks.roads]) - true, axis=-1) / THIRD
    )
    return away


def snap(photos: int) -> None:
    """The figures with the picture: for taps off by 3 and by 6 pixels, then for slips."""
    every, cases = tables(), {}
    for number in range(photos):
        rng, known = np.random.default_rng(number), every[number % len(every)]
        camera = a_camera(known.table, rng, SHRUNK)
        cases[number] = known, camera, photographed(known.table, camera, rng)
    for off in (3, 6):
        before, after, moved, tallies = list[float](), list[float](), 0, (Tally(), Tally())
        for number, (known, camera, pixels) in cases.items():
            marks = marked(
                known.table, camera, np.random.default_rng(1000 + number), off * THIRD, size=SHRUNK
            )
            true = camera.project(true_tips(known.table).reshape(-1, 3)).reshape(-1, 2, 2)
            look = looked(solve(Scene.of(marks)), pixels)
            before += taps_off(marks, true).ravel().tolist()
            after += taps_off(look.marks, true).ravel().tolist()
            moved += int((look.moved > 0).sum())
            for tally, given in zip(tallies, (None, pixels), strict=True):
                reading = read(tally, marks, given)
                tally.errors.append(plan_error(reading, known.table))
                tally.roads["suspect photos"] += bool(reading.suspects)
                count(tally, reading, known)
        for name, values, tally in (
            ("taps alone", before, tallies[0]),
            ("with the picture", after, tallies[1]),
        ):
            print(tally.row(f"taps off by {off} px, {name}"))
            print(
                f"    taps off by {np.median(values):.2f} px, 95 % by less than "
                f"{np.quantile(values, 0.95):.2f}"
            )
        worse = np.mean(np.array(after) - np.array(before) > 2.0)
        print(
            (
                f"    {moved} of {len(after)} taps moved, {worse:.2%} of all made worse by more "
                "than 2 "
                "px"
            ),
            flush=True,
        )
    slips_seen(cases)


def slips_seen(cases: dict[int, tuple[Known, Camera, Pixels]]) -> None:
    """How often a tap off by 60 pixels is named, by the marks alone and with the picture."""
    named, others, wrong, trials = [0, 0], [0, 0], [0, 0], 0
    for number, (known, camera, pixels) in cases.items():
        rng = np.random.default_rng(2000 + number)
        for _ in range(TRIES):
            clean = marked(known.table, camera, rng, 3 * THIRD, size=SHRUNK)
            marks, piece, near = slipped(clean, "tap", rng, 60 * THIRD)
            trials += 1
            for k, given in enumerate((None, pixels)):
                tally = Tally()
                reading = read(tally, marks, given)
                ids = {suspect.id for suspect in reading.suspects}
                named[k] += piece in ids
                others[k] += len(ids - {piece})
                count(tally, reading, known, near)
                wrong[k] += tally.roads["roads"] - tally.roads["right or doubtful"]
    for k, name in enumerate(("taps alone", "with the picture")):
        print(
            f"a tap off by 60 px, {name}: named {named[k]} of {trials} ({named[k] / trials:.1%}), "
            f"others named {others[k]};"
            f" other roads wrong and sure {wrong[k]}"
        )


def main() -> None:
    """Prints what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "what", nargs="*", default=["plain", "slips"], help="plain, sheet, slips, tops, snap, found"
    )
    parser.add_argument("--photos", type=int, default=40)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--slip", choices=SLIPS, action="append", help="only this slip")
    parser.add_argument("--first", type=int, default=10_000, help="the first photo of `found`")
    parser.add_argument("--sides", type=int, default=1, help="photos of each table, for `found`")
    parser.add_argument("--true-maps", action="store_true", help="the truth in place of the net")
    parser.add_argument("--losses", action="store_true", help="tell where roads are lost")
    args = parser.parse_args()
    if "found" in args.what:
        from benchmarks.photo_found import found

        if (args.true_maps or args.losses) and args.first + args.photos > HELD_OUT:
            parser.error(f"photos from {HELD_OUT} on are held out: give --first and --photos")
        if args.sides > 1 and (args.true_maps or args.losses):
            parser.error("--true-maps and --losses are for single photos: leave out --sides")
        found(args.photos, args.first, true=args.true_maps, losses=args.losses, sides=args.sides)
    if "plain" in args.what:
        plain(args.photos)
    if "sheet" in args.what:
        plain(args.photos, sheet_only=True)
    if "snap" in args.what:
        snap(args.photos)
    for what in ("slips", "tops"):
        if what in args.what:
            print(f"slips among 20 roads{', tops of pillars marked' if what == 'tops' else ''}:")
            slips(args.trials, what == "tops", args.slip or list(SLIPS))


if __name__ == "__main__":
    main()
