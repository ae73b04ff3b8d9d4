"""How much of a table was found in a photo without a tap: what tests, `tools/sureness.py` and
`benchmarks/photo.py found` share.

A road is found if both its ends are marked within 12 mm of where they are. Corrections are what a
person has to do to the proposal: add a road, delete one, count the discs of a pillar again, give a
chain of roads another owner. The cars of roads are judged in the true order of building, which no
photo shows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from sim.photo.finding.finder import Found
from sim.photo.marks import Marks
from sim.photo.reading import read_photo
from tools.shots import Shot
from tools.staging import true_tips

Floats = npt.NDArray[np.float64]

NEAR = 12.0
"""How far the ends of a road that is found may be off, in mm."""

_SAMPLES = 48  # places at which a road is looked at
_FOCAL = 0.03  # how well the focal length is believed


@dataclass
class Told:
    """What came of one photo."""

    number: int
    tilt: float
    light: float
    style: str
    counts: Counter[str] = field(default_factory=Counter)
    cpu: float = 0.0
    error: str = ""

    @property
    def corrections(self) -> int:
        """What a person has to mend."""
        count = self.counts
        return (
            count["roads"]
            - count["right"]
            + count["found"]
            - count["right"]
            + count["pillars"]
            - count["pillars right"]
            + count["chains wrong"]
        )


def focal_of(number: int, shown: Shot) -> float:
    """The focal length that is believed of a photo, in pixels."""
    rng = np.random.default_rng((number, 3))
    return shown.camera.focal * float(np.exp(rng.normal(0.0, _FOCAL)))


def matched(marks: Marks, shown: Shot) -> list[tuple[int, int, bool]]:
    """Which marked road is which road of the table: pairs of numbers, and whether it runs the other
    way.
    """
    return matched_ends(np.array([road.ends for road in marks.roads]).reshape(-1, 2, 2), shown)


def matched_ends(marked: Floats, shown: Shot) -> list[tuple[int, int, bool]]:
    """The same for the ends (n, 2, 2) of roads in pixels."""
    off = off_by(marked, shown)
    pairs = [(off[n, k, t], n, k, bool(t)) for n, k, t in np.argwhere(off < NEAR).tolist()]
    taken: tuple[set[int], set[int]] = (set(), set())
    found = []
    for _, n, k, turned in sorted(pairs):
        if n not in taken[0] and k not in taken[1]:
            taken[0].add(n)
            taken[1].add(k)
            found.append((n, k, turned))
    return found


def off_by(marked: Floats, shown: Shot) -> Floats:
    """How far ends (n, 2, 2) in pixels are off those of each road of the table, in mm, and those of
    the same road turned: (n, roads, 2).
    """
    tips = true_tips(shown.played.table)
    pixels = shown.camera.project(tips.reshape(-1, 3)).reshape(-1, 2, 2)
    eye = np.array([*shown.camera.at, shown.camera.height])
    scale = shown.camera.focal / np.linalg.norm(tips - eye, axis=-1)
    there, mm = np.stack([pixels, pixels[:, ::-1]], 1), np.stack([scale, scale[:, ::-1]], 1)
    away = np.linalg.norm(marked.reshape(-1, 1, 1, 2, 2) - there, axis=-1) / mm
    return np.asarray(away.max(axis=-1))


def judge(told: Told, found: Found, shown: Shot) -> None:
    """Counts what is right."""
    marks, table, count = found.marks, shown.played.table, told.counts
    pairs = matched(marks, shown)
    count["roads"], count["found"], count["right"] = len(table.roads), len(marks.roads), len(pairs)
    discs = {pillar.id: pillar.discs for pillar in marks.pillars}
    wanted: dict[str, list[int]] = defaultdict(list)
    for n, k, turned in pairs:
        levels = table.roads[k].levels[::-1] if turned else table.roads[k].levels
        road = marks.roads[n]
        for foot, level in zip((road.base, road.target), levels, strict=True):
            if foot is not None:
                wanted[foot].append(level)
    count["pillars"] = len(wanted)
    count["pillars right"] = sum(
        Counter(levels).most_common(1)[0][0] == discs[foot] for foot, levels in wanted.items()
    )
    count["pillars sure"] = sum(foot not in found.doubtful for foot in wanted)
    count["pillars sure and right"] = sum(
        foot not in found.doubtful and Counter(levels).most_common(1)[0][0] == discs[foot]
        for foot, levels in wanted.items()
    )
    owners = Counter((marks.roads[n].owner, table.roads[k].owner) for n, k, _ in pairs)
    best: dict[int, int] = {}
    for (mine, true), _ in owners.most_common():
        if mine not in best and true not in best.values():
            best[mine] = true
    wrong = [n for n, k, _ in pairs if best.get(marks.roads[n].owner) != table.roads[k].owner]
    count["owners wrong"] = len(wrong)
    count["chains wrong"] = len({foot for n in wrong for foot in marks.roads[n].pillars[:1]})
    _judge_cars(count, found, shown, pairs)


def _judge_cars(
    count: Counter[str], found: Found, shown: Shot, pairs: list[tuple[int, int, bool]]
) -> None:
    """Counts the roads that get the right cars, with the roads in the true order of building."""
    true = {n: k for n, k, _ in pairs}
    last = len(shown.played.table.roads)
    order = sorted(range(len(found.marks.roads)), key=lambda n: true.get(n, last + n))
    marks = replace(found.marks, roads=tuple(found.marks.roads[n] for n in order))
    try:
        reading = read_photo(marks)
    except InputError:
        return
    doubtful = {*found.doubtful, *reading.doubtful}
    for verdict, n in zip(reading.roads, order, strict=True):
        if n not in true:
            continue
        road = found.marks.roads[n]
        right = verdict.cars == shown.played.cars[shown.played.table.roads[true[n]].id]
        sure = road.id not in doubtful and not doubtful.intersection(road.pillars)
        count["cars right"] += right
        count["cars sure"] += sure
        count["cars sure and right"] += sure and right


def visible(shown: Shot) -> Floats:
    """The share of the middle line of each road of the table (n,) that is seen."""
    tips = true_tips(shown.played.table)
    numbers = {piece.id: n for n, piece in enumerate(shown.pieces)}
    rows = np.array([numbers[one.id] for one in shown.played.table.roads])
    steps = np.linspace(0.02, 0.98, _SAMPLES)[:, None]
    lines = tips[:, None, 0] + steps * (tips[:, None, 1] - tips[:, None, 0])
    at = shown.camera.project(lines.reshape(-1, 3)) * shown.bodies.shape[0] / shown.pixels.shape[0]
    x, y = at.astype(np.int64).T
    seen = shown.bodies[y, x].reshape(len(tips), _SAMPLES) == rows[:, None]
    return np.asarray(seen.mean(axis=1))


def lost(one: Found, shown: Shot) -> list[str]:
    """Where each road of the table was lost, in order; empty for those that were found."""
    considered = one.considered

    def near(ends: Floats) -> npt.NDArray[np.bool_]:
        return np.asarray((off_by(ends, shown) < NEAR).any(axis=(0, 2)))

    stages = (
        ("not proposed", near(considered.proposed)),
        ("of another length with this camera", near(considered.proposed[considered.fits])),
        ("a better one explains it", near(considered.ends)),
    )
    right = {k for _, k, _ in matched(one.marks, shown)}
    return [
        ""
        if k in right
        else next((name for name, kept in stages if not kept[k]), "called improbable")
        for k in range(len(shown.played.table.roads))
    ]
