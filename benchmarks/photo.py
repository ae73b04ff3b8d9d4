"""How well a table is read from one photo: from the marks on it, and found without a tap.

    python benchmarks/photo.py [plain] [--photos 40] [--sheet]
    python benchmarks/photo.py slips [--trials 200] [--tops] [--slip tap]
    python benchmarks/photo.py snap [--photos 12]
    python benchmarks/photo.py found [--photos 100] [--first 10000] [--sides 2] [--true-maps]
        [--losses]

All are the tables of shipped games from random cameras: tilt 30 to 70 degrees, roll up to 6, a
phone's distortion, the focal length believed within 3 %. Those of `found` are tables of
`tools/shots.py`.
"""

from __future__ import annotations

import io
import itertools
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

# so that CPU seconds do not count threads that wait
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules import record
from rules.errors import InputError
from shutoko.export.picture import picture
from shutoko.export.rendering.camera import Camera as Eye
from sim.assets import asset
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.photo.camera import Camera
from sim.photo.finding.finder import find
from sim.photo.finding.together import find_together
from sim.photo.marks import Marks
from sim.photo.picture import looked
from sim.photo.reading import Reading, read_photo
from sim.photo.scene import Scene
from sim.photo.solving import left_out, solve
from sim.referee.table import Table
from tools.found import Told, focal_of, judge, lost, visible
from tools.labels import true_maps as maps_of
from tools.measuring import note, run, share, table
from tools.shots import HELD_OUT, around
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

    def cells(self) -> list[str]:
        """The cells below `HEADS`."""
        count, n = self.roads, max(self.roads["roads"], 1)
        return [
            f"{np.median(self.errors):.2f}, {np.max(self.errors):.2f}",
            f"{n}",
            f"{count['right'] / n:.2%}",
            f"{count['right or doubtful'] / n:.2%}",
            f"{count['doubtful'] / n:.2%}",
            f"{count['sure and right'] / max(count['sure'], 1):.2%}",
            f"{count['suspect photos']}",
            f"{np.mean(self.cpu):.2f}",
        ]


HEADS = (
    "mm in plan: median, worst", "roads", "right", "right or doubtful", "doubtful", "right if sure",
    "suspect photos", "CPU s",
)  # fmt: skip


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


def plain(*, photos: int = 40, sheet: bool = False) -> None:
    """Tables from marks alone, final and half-built, with taps off by 2 to 6 pixels; with `--sheet`
    four roads and a sheet of paper only.

    Prints the error in plan of the tips; the shares of roads whose cars come out right, that are
    right or called doubtful, and that are doubtful; how often roads called at least 95 % sure are
    right; on how many photos a correct mark is called suspect. Last comes the calibration: of the
    roads called so and so sure, how many are right.
    """
    every, called = tables(), list[tuple[float, bool]]()
    first, dice = every[0].table, np.random.default_rng(0)
    read_photo(marked(first, a_camera(first, dice), dice))  # imports do not count
    row = table("taps off by", "marked", *HEADS)
    ways = [(off, "") for off in (2, 3, 4, 6)] + [(3, "tops, too"), (3, "tips at whole discs")]
    for off, how in [(3, "4 roads and a sheet")] if sheet else ways:
        tally = Tally()
        for number in range(photos):
            rng, known = np.random.default_rng(number), every[number % len(every)]
            camera = a_camera(known.table, rng, sheet=sheet)
            four = [road.id for road in known.table.roads[:4]] if sheet else None
            tops, nominal = how == "tops, too", how == "tips at whole discs"
            marks = marked(
                known.table, camera, rng, off, roads=four, sheet=sheet, tops=tops, nominal=nominal
            )
            reading = read(tally, marks)
            tally.errors.append(plan_error(reading, known.table))
            tally.roads["suspect photos"] += bool(reading.suspects)
            count(tally, reading, known)
        row(f"{off} px", how, *tally.cells())
        called += tally.called
    print()
    row = table("called sure", "roads", "on average", "right")
    for low, high in itertools.pairwise(BINS):
        those = [(sure, right) for sure, right in called if low <= sure < high]
        if those:
            mean, right = np.mean([sure for sure, _ in those]), sum(right for _, right in those)
            row(f"{low:.1%} or more", len(those), f"{mean:.1%}", f"{right / len(those):.1%}")


def slips(*, trials: int = 200, tops: bool = False, slip: tuple[str, ...] = SLIPS) -> None:
    """Marks with a slip among 20 roads: one disc count is wrong by one (`discs`), or the ends of
    one road are exchanged (`swapped`), or one tap is off by 60 pixels (`tap`); with `--tops` the
    tops of pillars are marked as well.

    Prints how often the slip is named, what else is named, and how many other roads then get wrong
    cars unnoticed. Of slipped taps it counts those that leave a trace by themselves: where the rest
    of the photo expects the tap, 60 pixels away is five sigmas or more.
    """
    if unknown := set(slip) - set(SLIPS):
        raise InputError(f"there is no slip {min(unknown)!r}; available: {', '.join(SLIPS)}")
    every = [known for known in tables() if len(known.table.roads) >= 20]
    row = table(*SLIP_HEADS, "with a trace", "of these named", "CPU s")
    for kind in slip:
        tally, named, others, traced = Tally(), 0, 0, Counter[bool]()
        for number in range(trials):
            rng, known = np.random.default_rng(10_000 + number), every[number % len(every)]
            camera, first = a_camera(known.table, rng), [road.id for road in known.table.roads[:20]]
            clean = marked(known.table, camera, rng, 3.0, roads=first, tops=tops)
            marks, piece, near = slipped(clean, kind, rng)
            reading = read(tally, marks)
            ids = {suspect.id for suspect in reading.suspects}
            named, others = named + (piece in ids), others + len(ids - {piece})
            if kind == "tap" and leaves_a_trace(clean, marks):
                traced[piece in ids] += 1
            count(tally, reading, known, near)
        wrong = tally.roads["roads"] - tally.roads["right or doubtful"]
        told = f"{wrong} of {tally.roads['roads']}"
        trace = (traced.total(), traced[True]) if kind == "tap" else ("", "")
        row(kind, share(named, trials), others, told, *trace, f"{np.mean(tally.cpu):.2f}")


SLIP_HEADS = ("slip", "named", "others named", "other roads wrong and sure")


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


def snap(*, photos: int = 40) -> None:
    """Photos that our renderer takes of the same tables, with a phone's distortion, noise and JPEG,
    at a third of the size (1344 x 1008; all errors in pixels are a third, too, and are told as on
    4032 x 3024). Needs embreex and OpenCV.

    Prints what becomes of taps off by 3 and by 6 pixels that are drawn to the ends in the picture;
    then, with one tap off by 60 pixels, how often that is named with and without the picture.
    """
    every, cases = tables(), {}
    for number in range(photos):
        rng, known = np.random.default_rng(number), every[number % len(every)]
        camera = a_camera(known.table, rng, SHRUNK)
        cases[number] = known, camera, photographed(known.table, camera, rng)
    row = table("taps off by", "with", "px off: median, 95 %", "moved, worse by 2 px", *HEADS)
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
        worse = np.mean(np.array(after) - np.array(before) > 2.0)
        for name, values, changed, tally in (
            ("taps alone", before, "", tallies[0]),
            ("the picture", after, f"{moved} of {len(after)}, {worse:.2%}", tallies[1]),
        ):
            middle, high = np.quantile(values, (0.5, 0.95))
            row(f"{off} px", name, f"{middle:.2f}, {high:.2f}", changed, *tally.cells())
    print()
    row = table("with", *SLIP_HEADS)
    for name in ("taps alone", "the picture"):
        named = others = wrong = 0
        for number, (known, camera, pixels) in cases.items():
            rng = np.random.default_rng(2000 + number)
            for _ in range(TRIES):
                clean = marked(known.table, camera, rng, 3 * THIRD, size=SHRUNK)
                marks, piece, near = slipped(clean, "tap", rng, 60 * THIRD)
                tally = Tally()
                reading = read(tally, marks, pixels if name == "the picture" else None)
                ids = {suspect.id for suspect in reading.suspects}
                named, others = named + (piece in ids), others + len(ids - {piece})
                count(tally, reading, known, near)
                wrong += tally.roads["roads"] - tally.roads["right or doubtful"]
        row(name, "tap", share(named, TRIES * photos), others, wrong)


# --- without a tap --------------------------------------------------------------------------------

_LONGEST = 1344  # pixels of a photo
_HARDLY = 0.2  # a road of which less is seen is told apart


def found(
    *,
    photos: int = 40,
    first: int = HELD_OUT,
    sides: int = 1,
    true_maps: bool = False,
    losses: bool = False,
) -> None:
    """Tables found in photos without a tap, by default those that were never trained on.

    A road is found if both its ends are marked within 12 mm of where they are. Corrections are what
    a person has to do to the proposal: add a road, delete one, count the discs of a pillar again,
    give a chain of roads another owner. The cars of roads are judged in the true order of building,
    which no photo shows.

    With `--sides 2` or more, that many photos of each table are solved together; the row `one
    alone` is what the one of them shows that shows most. `--true-maps` puts the maps that a perfect
    net would draw in place of those of the shipped net: what is lost then the finder loses.
    `--losses` tells at which stage roads are lost. Both are for tuning, and refuse photos that are
    held out, and `--sides`.
    """
    tuning = true_maps or losses
    if tuning and first + photos > HELD_OUT:
        raise InputError(f"photos from {HELD_OUT} on are held out: give --first and --photos")
    if tuning and sides > 1:
        raise InputError("--true-maps and --losses are for single photos: leave out --sides")
    every, alone = list[Told](), list[Told]()
    stages = list[tuple[Told, list[str], Floats]]()
    for number in range(first, first + photos):
        shots = list(around(number, sides, _LONGEST))
        shown = shots[0]
        told = Told(number, float(np.degrees(shown.camera.tilt)), shown.light, shown.style)
        maps = maps_of(shown) if true_maps else None
        begin = time.process_time()
        try:
            if sides > 1:
                both = find_together([(one.pixels, focal_of(number, one)) for one in shots])
                one, shown = both.found, shots[both.on]
                single = replace(told, counts=Counter())
                judge(single, both.alone, shown)
                alone.append(single)
            else:
                one = find(shown.pixels, focal_of(number, shown), maps)
            told.cpu = time.process_time() - begin
            judge(told, one, shown)
            if losses:
                stages.append((told, lost(one, shown), visible(shown)))
        except InputError as error:
            told.cpu, told.error = time.process_time() - begin, str(error)
            told.counts["roads"] = len(shown.played.table.roads)
            stages.append((told, ["no table"] * told.counts["roads"], visible(shown)))
        every.append(told)
        note(
            f"{number}: {told.counts['right']} of {told.counts['roads']} roads, "
            f"{told.counts['found'] - told.counts['right']} false, counts "
            f"{told.counts['pillars right']} of {told.counts['pillars']}, {told.corrections} "
            f"corrections, {told.cpu:.1f} s, tilt {told.tilt:.0f}, {told.style} {told.error}"
        )
    row = table(
        "photos", "number", "roads found", "false ones", "disc counts right", "those called sure",
        "cars right", "those called sure", "corrections, median", "without any", "CPU s",
    )  # fmt: skip
    middle = float(np.median([told.light for told in every]))
    crowd = float(np.median([told.counts["roads"] for told in every]))
    groups: dict[str, Callable[[Told], bool]] = {
        "30 to 45 degrees": lambda told: told.tilt < 45,
        "45 to 65 degrees": lambda told: told.tilt >= 45,
        "darker half": lambda told: told.light < middle,
        "brighter half": lambda told: told.light >= middle,
        f"under {crowd:.0f} roads": lambda told: told.counts["roads"] < crowd,
        f"{crowd:.0f} roads or more": lambda told: told.counts["roads"] >= crowd,
        "striped roads": lambda told: told.style == "striped",
        "plain roads": lambda told: told.style == "plain",
        "painted roads": lambda told: told.style == "painted",
    }
    parts = {name: [one for one in every if fits(one)] for name, fits in groups.items()}
    for name, some in {"all": every, "one alone": alone, **parts}.items():
        if some:
            row(name, *_summed(some))
    worst = sorted(every, key=lambda told: -told.corrections)[:10]
    note(f"worst: {', '.join(f'{told.number} ({told.corrections})' for told in worst)}")
    if losses:
        _losses(stages)


def _losses(every: list[tuple[Told, list[str], Floats]]) -> None:
    """Prints at which stage roads were lost, by the tilt of the camera and by how much of them is
    seen.
    """
    print()
    row = table(
        "lost", "30 to 45 degrees", "45 to 65 degrees", f"under {_HARDLY:.0%} seen", "more seen"
    )
    for stage in ("", *sorted({one for _, lost_at, _ in every for one in lost_at if one})):
        cells = [0, 0, 0, 0]
        for told, lost_at, seen in every:
            for one, share_seen in zip(lost_at, seen, strict=True):
                if one == stage or not stage:
                    cells[told.tilt >= 45] += 1
                    cells[2 + (share_seen >= _HARDLY)] += 1
        row(stage or "of all roads", *cells)


def _summed(some: list[Told]) -> list[str]:
    total: Counter[str] = sum((told.counts for told in some), Counter())

    def of(part: str, whole: str) -> str:
        return f"{total[part] / max(total[whole], 1):.0%}"

    fixes, cpu = [told.corrections for told in some], np.mean([told.cpu for told in some])
    return [
        f"{len(some)}",
        of("right", "roads"),
        f"{1 - total['right'] / max(total['found'], 1):.0%}",
        of("pillars right", "pillars"),
        of("pillars sure and right", "pillars sure"),
        of("cars right", "right"),
        of("cars sure and right", "cars sure"),
        f"{np.median(fixes):.0f}",
        f"{sum(fix == 0 for fix in fixes)}",
        f"{cpu:.1f}" if cpu else "",
    ]


if __name__ == "__main__":
    run(plain, slips, snap, found)
