"""What the referee says of a photographed table, and how sure that is: many tables are drawn that
explain the marks as well as the errors of taps allow, and each is judged.

Roads are judged in building order, each on the roads that stood before it, by their sticks as they
lie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sim.photo.marks import Marks
from sim.photo.solution.solving import Solution
from sim.referee.crossings import (
    Crossing,
    Network,
    Road,
    Side,
    judge,
    lines,
    meetings,
    sides,
)

__all__ = ["DRAWS", "SURE", "Judged", "RoadVerdict", "Sure", "judged", "sticks"]

Floats = npt.NDArray[np.float64]

DRAWS = 200
"""How many tables are drawn."""

SURE = 0.95
"""A road is doubtful if fewer of the drawn tables than this share agree on its cars."""


@dataclass(frozen=True, slots=True)
class Sure:
    """A statement's share of the drawn tables."""

    over: float
    under: float

    @property
    def crosses(self) -> float:
        """The share in which the two roads cross at all."""
        return self.over + self.under


@dataclass(frozen=True, slots=True)
class RoadVerdict:
    """What a road earns when it is built: the cars of its crossings, without an exit's bonus, and
    how sure that is.

    `crossings` are those of the most likely table; `other` is the next likely number of cars, None
    if all agree. `sides` has for every road that it may cross the share of tables in which it runs
    over and under it. `free` has the share of tables in which its over and its under side are free
    in the end.
    """

    id: str
    cars: int
    sure: float
    crossings: tuple[Crossing, ...]
    other: int | None
    sides: Mapping[str, Sure]
    free: Mapping[Side, float]

    @property
    def doubtful(self) -> bool:
        """Whether the number of cars is not sure."""
        return self.sure < SURE


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on every road in building order, and the drawn tables: pillars (s, p, 2) and tips
    (s, n, 2, 3) in mm.
    """

    roads: tuple[RoadVerdict, ...]
    pillars: Floats = field(repr=False)
    tips: Floats = field(repr=False)


def judged(solutions: Sequence[Solution], rng: np.random.Generator, count: int = DRAWS) -> Judged:
    """The verdict on the marks. If `solutions` has several readings of them, the first is reported,
    and all are drawn alike.
    """
    scene = solutions[0].scene
    drawn = [solution.drawn(count // len(solutions), rng) for solution in solutions]
    tips = np.concatenate(
        [one.scene.tips(vectors) for one, vectors in zip(solutions, drawn, strict=True)]
    )
    pillars = np.concatenate([scene.pillars_in(vectors) for vectors in drawn])
    seen: dict[bytes, _Table] = {}
    views = [_viewed(solutions[0], one, seen) for one in tips]
    best = _viewed(solutions[0], solutions[0].tips, seen)
    roads = tuple(
        _verdict(index, road.id, best, views) for index, road in enumerate(scene.marks.roads)
    )
    return Judged(roads, pillars, tips)


def sticks(marks: Marks, tips: Floats, thickness: float, disc_height: float) -> tuple[Road, ...]:
    """The roads as the crossing rule sees them: the undersides of sticks with these tips (n, 2, 3)
    of their top faces.
    """
    along = tips[:, 1] - tips[:, 0]
    run = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    length = np.hypot(run, along[:, 2])
    flat = along[:, :2] / run[:, None]
    # straight down from the top face, seen from the stick
    down = (
        np.concatenate([flat * (along[:, 2] / length)[:, None], -(run / length)[:, None]], axis=1)
        * thickness
    )
    under = tips + down[:, None, :]
    found = []
    for road, ends in zip(marks.roads, under.tolist(), strict=True):
        (ax, ay, az), (bx, by, bz) = ends
        levels = (az / disc_height, bz / disc_height)
        found.append(
            Road(road.owner, (ax, ay), (bx, by), levels, road.id, pillars=(road.base, road.target))
        )
    return tuple(found)


# --- one table ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Table:
    """One drawn table: the crossings of each road when it is built, and which sides are free in the
    end.
    """

    crossings: tuple[tuple[Crossing, ...], ...]
    cars: tuple[int, ...]
    free: tuple[Mapping[Side, bool], ...]


def _viewed(solution: Solution, tips: Floats, seen: dict[bytes, _Table]) -> _Table:
    """The verdict on one table; tables on which the same roads run over the same others are judged
    once.
    """
    marks, box = solution.scene.marks, solution.scene.marks.box
    rules, roads = marks.rules, sticks(marks, tips, box.road_thickness, box.disc_height)
    every = lines(roads)
    met = meetings(every, every, rules, box)
    key = (
        np.packbits(met.meet).tobytes() + np.packbits(met.meet & (met.level > met.other)).tobytes()
    )
    if rules.crossing_scope != "road":  # where roads cross counts as well
        key += np.round(np.where(met.meet[..., None], met.at, 0.0), 6).tobytes()
    if key not in seen:
        seen[key] = _judge(marks, roads)
    return seen[key]


def _judge(marks: Marks, roads: Sequence[Road]) -> _Table:
    rules, box = marks.rules, marks.box
    ramps = entrances(marks)
    crossings = []
    for index, road in enumerate(roads):
        # an entrance ramp is laid in the set-up, when no cars are earned
        found = () if road.id in ramps else judge(road, Network(tuple(roads[:index]), rules, box))
        crossings.append(found)
    taken = sides(Network(tuple(roads), rules, box))
    free = tuple({side: not takers[side] for side in takers} for takers in taken)
    cars = tuple(sum(crossing.scores for crossing in found) for found in crossings)
    return _Table(tuple(crossings), cars, free)


def entrances(marks: Marks) -> frozenset[str]:
    """The roads that are entrance ramps: from the table up, or the first from a pillar that no road
    leads to down to it.
    """
    led = {road.target for road in marks.roads if road.base is not None}
    found, based = set(), set()
    for road in marks.roads:
        if road.base is None or (
            road.target is None and road.base not in led and road.base not in based
        ):
            found.add(road.id)
        based.add(road.base)
    return frozenset(found)


# --- all of them ----------------------------------------------------------------------------------


def _verdict(index: int, road: str, best: _Table, views: Sequence[_Table]) -> RoadVerdict:
    counts = Counter(view.cars[index] for view in views)
    (cars, agree), *others = counts.most_common()
    shown = (
        best
        if best.cars[index] == cars
        else next(view for view in views if view.cars[index] == cars)
    )
    ways: dict[str, list[int]] = {}
    for view in views:
        for crossing in view.crossings[index]:
            ways.setdefault(crossing.road.id, [0, 0])[crossing.side == "under"] += 1
    share = 1.0 / len(views)
    return RoadVerdict(
        id=road,
        cars=cars,
        sure=agree * share,
        crossings=shown.crossings[index],
        other=others[0][0] if others else None,
        sides={name: Sure(over * share, under * share) for name, (over, under) in ways.items()},
        free={
            side: sum(view.free[index][side] for view in views) * share
            for side in ("over", "under")
        },
    )
