"""How well a table is read from one photo: from the marks on it, and found without a tap.

    python benchmarks/photo.py [plain] [--photos 40] [--sheet]
    python benchmarks/photo.py found [--photos 100] [--first 10000] [--sides 2] [--true-maps]
        [--losses]

`plain` reads the tables of shipped games from random cameras: tilt 30 to 70 degrees, roll up to 6,
a phone's distortion, the focal length believed within 3 %; `found` those of `tools/shots.py`.
"""

from __future__ import annotations

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
from sim.assets import asset
from sim.game import replay
from sim.photo.finding.finder import find
from sim.photo.finding.together import find_together
from sim.photo.reading import Reading, read_photo
from sim.referee.table import Table
from tools.found import MOST_TAPS, Told, focal_of, judge, lost, taps, visible
from tools.labels import true_maps as maps_of
from tools.measuring import note, run, table
from tools.shots import HELD_OUT, around
from tools.staging import a_camera, marked, true_tips

Floats = npt.NDArray[np.float64]
GAMES = ("two-cars", "junction-exit", "knock", "three-players", "four-players")
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
            steps.append(step.after)
            if step.verdict.built and (road := steps[-1].roads[-1].id) not in cars:
                cars[road] = sum(crossing.scores for crossing in step.verdict.crossings)
        steps += [next((table for table in steps if len(table.roads) >= 14), steps[-1])]
        found += [Known(table, cars) for table in steps[-2:]]
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


def count(tally: Tally, reading: Reading, known: Known) -> None:
    """Adds a reading to a tally."""
    for road in reading.roads:
        right = road.cars == known.cars[road.id]
        tally.called.append((road.sure, right))
        tally.roads.update(
            {
                "roads": 1,
                "right": right,
                "doubtful": road.doubtful,
                "right or doubtful": right or road.doubtful,
                "sure": not road.doubtful,
                "sure and right": right and not road.doubtful,
            }
        )


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
            marks = marked(
                known.table, camera, rng, off, tops=how == "tops, too", sheet=sheet,
                roads=[road.id for road in known.table.roads[:4]] if sheet else None,
                nominal=how == "tips at whole discs",
            )  # fmt: skip
            begin = time.process_time()
            reading = read_photo(marks)
            tally.cpu.append(time.process_time() - begin)
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
    which no photo shows. Taps are those of an ideal person, see `tools.found.Person`.

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
    stages, kinds = list[tuple[Told, list[str], Floats]](), Counter[str]()
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
                single.counts["taps"] = taps(both.alone, shown)[0].total()
                alone.append(single)
            else:
                one = find(shown.pixels, focal_of(number, shown), maps)
            told.cpu = time.process_time() - begin
            judge(told, one, shown)
            tapped, slowest = taps(one, shown)
            told.counts["taps"] = tapped.total()
            kinds.update(tapped)
            if losses:
                stages.append((told, lost(one, shown), visible(shown)))
        except InputError as error:
            told.cpu, told.error = time.process_time() - begin, str(error)
            told.counts["roads"] = len(shown.played.table.roads)
            told.counts["taps"], slowest = MOST_TAPS, 0.0
            stages.append((told, ["no table"] * told.counts["roads"], visible(shown)))
        every.append(told)
        note(
            f"{number}: {told.counts['right']} of {told.counts['roads']} roads, "
            f"{told.counts['found'] - told.counts['right']} false, counts "
            f"{told.counts['pillars right']} of {told.counts['pillars']}, {told.corrections} "
            f"corrections, {told.counts['taps']} taps ({slowest:.2f} s at most), "
            f"{told.cpu:.1f} s, tilt {told.tilt:.0f}, {told.style} {told.error}"
        )
    row = table(
        "photos", "number", "roads found", "false ones", "disc counts right", "those called sure",
        "cars right", "those called sure", "owners wrong", "corrections, median", "without any",
        "taps: median, 90 %", "CPU s",
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
    note(f"taps: {', '.join(f'{many} {what}' for what, many in kinds.most_common())}")
    fixes = {told.number: told.corrections for told in every}
    worse = [f"{one.number}" for one in alone if fixes[one.number] > one.corrections]
    if alone:
        note(f"more corrections than one alone: {len(worse)} of {len(alone)}: {', '.join(worse)}")
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
    roads = [
        (stage, told.tilt >= 45, share >= _HARDLY)
        for told, lost_at, seen in every
        for stage, share in zip(lost_at, seen, strict=True)
    ]
    for stage in ("", *sorted({one for one, _, _ in roads} - {""})):
        those = [signs for one, *signs in roads if one == stage or not stage]
        row(
            stage or "of all roads",
            *(sum(signs[k] == sign for signs in those) for k in (0, 1) for sign in (False, True)),
        )


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
        f"{total['owners wrong'] / max(total['right'], 1):.0%}",
        f"{np.median(fixes):.0f}",
        f"{sum(fix == 0 for fix in fixes)}",
        ", ".join(
            f"{many:.0f}"
            for many in np.quantile([told.counts["taps"] for told in some], (0.5, 0.9))
        ),
        f"{cpu:.1f}" if cpu else "",
    ]


if __name__ == "__main__":
    run(plain, found)
