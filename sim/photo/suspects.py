"""Marks that look wrong: a disc count, a road whose ends are swapped, a tap far off; found by
trying what would explain them.

A road that fits badly, a tap far from where the rest of the photo expects it, or a pillar against
the rule of heights (rules 3c) is a lead. Each remedy is tried: the count one up or down, the ends
the other way round, one mark left out. The remedy that mends most is taken if it mends more than
chance could, and the search goes on from there. What breaks the rule of heights but lies as it was
marked is named too.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sim.languages import Sentence
from sim.photo.marks import MarkedPillar, MarkedRoad, Marks
from sim.photo.scene import Floats, Known, Scene
from sim.photo.solving import (
    TRACE,
    Solution,
    at_rest,
    improved,
    left_out,
    pair_costs,
    placed,
    single_costs,
)
from sim.referee import Crossing, Road, Side
from sim.referee.crossings import Network, judge, line_of, sides

_LEAD = 9.0  # minus twice a logarithm: a road whose share of the cost is above this is looked at
_LEADS = 3  # the most roads, and the most taps, that are looked at in one round
_ROUNDS = 6  # the most remedies for one photo
_COUNT, _SWAP, _TAP = 14.0, 12.0, 15.0  # what a remedy must mend beyond chance
_HOPE = 12.0  # a remedy that mends less than it needs by more than this is given up
# sigmas: a tap that is less far off is no slip, but a stick that lies a little higher or lower than
# it should
_SLIP = 10.0
_ROUND = 721  # directions in which a road may run from its other end
_RULE = 12.0  # what a road against the rule of heights costs
_NEAR = 6.0  # a second remedy that mends nearly as much is named as well


@dataclass(frozen=True, slots=True)
class Suspect:
    """A piece whose marks look wrong, and why."""

    id: str
    why: Sentence


@dataclass(frozen=True)
class _Remedy:
    """What could be wrong, and the scene as it would be then."""

    id: str
    scene: Scene
    needs: float
    said: Callable[[Solution], Sentence]
    tap: tuple[int, int] | None = None  # a road and its end, if that mark is left out


def mended(
    solution: Solution, known: Known | None = None, sure: Collection[tuple[int, int]] = ()
) -> tuple[Solution, tuple[Suspect, ...]]:
    """The solution with every remedy that explains the marks far better, and what is suspect; but
    for taps that are `sure`, as roads and their ends by number.
    """
    suspects: dict[str, Suspect] = {}
    for _ in range(_ROUNDS):
        quick = [
            _tried(solution, remedy)
            for remedy in _remedies(solution, known)
            if remedy.id not in suspects and remedy.tap not in sure
        ]
        # with the scale of taps found anew: without the mistake all other marks look better, and so
        # does the remedy
        found = [
            _gained(solution, remedy, improved(after, rounds=1))
            for gain, remedy, after in quick
            if gain > -_HOPE
        ]
        worth = sorted((one for one in found if one[0] > 0.0), key=lambda one: -one[0])
        if not worth:
            break
        best = worth[0][0]
        for gain, remedy, after in worth:
            if gain > best - _NEAR and remedy.id not in suspects:
                suspects[remedy.id] = Suspect(remedy.id, remedy.said(after))
        solution = worth[0][2]
        solution = improved(solution, at_rest(solution.scene, solution.vector))
    against = _against_the_rule(solution.scene.marks)
    return solution, (*suspects.values(), *(one for one in against if one.id not in suspects))


def _tried(solution: Solution, remedy: _Remedy) -> tuple[float, _Remedy, Solution]:
    """How much more than chance a remedy mends, and the solution with it."""
    begin = replace(
        solution,
        vector=placed(remedy.scene, solution.vector[: len(solution.scene.camera)]),
        scene=remedy.scene,
    )
    return _gained(solution, remedy, improved(begin, rounds=0))


def _gained(
    solution: Solution, remedy: _Remedy, after: Solution
) -> tuple[float, _Remedy, Solution]:
    if remedy.tap is not None and _away(after, *remedy.tap) < _SLIP * after.pixels:
        return -np.inf, remedy, after
    rules = len(list(_breaches(solution.scene.marks))) - len(list(_breaches(remedy.scene.marks)))
    dropped = int(solution.scene.used.sum()) - int(remedy.scene.used.sum())
    cost = after.cost + 4.0 * dropped * float(np.log(solution.pixels))
    return solution.cost - cost + _RULE * rules - remedy.needs, remedy, after


# --- leads and remedies ---------------------------------------------------------------------------


def _shares(solution: Solution) -> Floats:
    """The share of each road in the cost: its marks, its tips on their discs, and how much higher
    they are than these.
    """
    scene, rows = solution.scene, solution.rows
    pairs, singles = pair_costs(rows), single_costs(rows)
    share: Floats = (
        (pairs[: 2 * scene.roads] + singles[: 2 * scene.roads]).reshape(-1, 2).sum(axis=1)
    )
    road, _ = np.nonzero(scene.pillar >= 0)
    np.add.at(share, road, pairs[rows.bearings :])
    np.add.at(share, np.flatnonzero((scene.pillar >= 0).all(axis=1)), singles[2 * scene.roads :])
    return share


def _remedies(solution: Solution, known: Known | None) -> Iterator[_Remedy]:
    scene, marks = solution.scene, solution.scene.marks
    shares = _shares(solution)
    leads = [int(n) for n in np.argsort(-shares)[:_LEADS] if shares[n] > _LEAD]
    broken = list(_breaches(marks))
    roads = list(dict.fromkeys([*leads, *broken]))
    pillars = dict.fromkeys(pillar for n in roads for pillar in marks.roads[n].pillars)
    for name in pillars:
        for step in sorted({-1, 1, *_lawful_steps(marks, [marks.roads[n] for n in broken], name)}):
            yield from _recounted(scene, name, step, known)
    yield from (_swapped(scene, n, known) for n in roads)
    taps = dict.fromkeys([*((n, end) for n in roads for end in (0, 1)), *_far_taps(solution)])
    yield from (_untapped(scene, n, end) for n, end in taps if scene.used[n].all())


def _far_taps(solution: Solution) -> list[tuple[int, int]]:
    """The taps that are furthest from where the rest of the photo expects them, as a road and its
    end.
    """
    square = left_out(solution).square
    worst = np.argsort(-square, axis=None)[:_LEADS].tolist()
    return [(index // 2, index % 2) for index in worst if square.flat[index] > TRACE]


def _lawful_steps(marks: Marks, broken: Sequence[MarkedRoad], name: str) -> Iterator[int]:
    """By how much the count of a pillar would change for roads that break the rule of heights to
    keep it.
    """
    discs = {pillar.id: pillar.discs for pillar in marks.pillars}
    for road in broken:
        for other in set(road.pillars) - {name} if name in road.pillars else ():
            yield from (discs[other] + step - discs[name] for step in (-1, 1))


def _recounted(scene: Scene, name: str, step: int, known: Known | None) -> Iterator[_Remedy]:
    pillar = next(one for one in scene.marks.pillars if one.id == name)
    discs = pillar.discs + step
    if discs < 1 + pillar.junction:
        return
    pillars = tuple(
        replace(one, discs=discs) if one.id == name else one for one in scene.marks.pillars
    )
    marks = replace(scene.marks, pillars=pillars)
    said = Sentence("photo-suspect-discs", {"piece": name, "fits": discs, "marked": pillar.discs})
    yield _Remedy(
        name,
        replace(Scene.of(marks, known), used=scene.used, rest=scene.rest, rest_off=scene.rest_off),
        _COUNT,
        lambda _: said,
    )


def _swapped(scene: Scene, index: int, known: Known | None) -> _Remedy:
    road = scene.marks.roads[index]
    other = replace(road, ends=(road.ends[1], road.ends[0]))
    roads = tuple(other if one is road else one for one in scene.marks.roads)
    used = scene.used.copy()
    used[index] = used[index][::-1]
    said = Sentence(
        "photo-suspect-swapped", {"piece": road.id, "base": road.base, "target": road.target}
    )
    again = Scene.of(replace(scene.marks, roads=roads), known)
    return _Remedy(
        road.id,
        _loosened(replace(again, used=used, rest=scene.rest, rest_off=scene.rest_off), index),
        _SWAP,
        lambda _: said,
    )


def _loosened(scene: Scene, index: int) -> Scene:
    """The scene in which nobody knows how much higher the tips of one road lie: it was let down the
    other way round.
    """
    if scene.rest is None or scene.rest_off is None:
        return scene
    rest, off = scene.rest.copy(), scene.rest_off.copy()
    rest[index], off[index] = 1.0, 2.0
    return replace(scene, rest=rest, rest_off=off)


def _untapped(scene: Scene, index: int, end: int) -> _Remedy:
    road = scene.marks.roads[index]

    def said(after: Solution) -> Sentence:
        foot, off = (road.base, road.target)[end], round(_away(after, index, end))
        return Sentence("photo-suspect-tap", {"piece": road.id, "foot": foot, "off": off})

    return _Remedy(road.id, scene.without(index, end), _TAP, said, (index, end))


def _away(after: Solution, road: int, end: int) -> float:
    """How far the mark of an end is from where the other marks expect it, in pixels.

    If they leave open which way the road runs from its other end, that is the nearest place at a
    road's length from there.
    """
    scene, pillar = after.scene, int(after.scene.pillar[road, end])
    if pillar >= 0 and (
        np.count_nonzero(scene.pillar == pillar) > 1
        or pillar in scene.top_of
        or pillar in scene.known_of
    ):
        return float(after.off[road, end])
    tip, other = after.tips[road, [end, 1 - end]]
    run, angles = float(np.hypot(*(tip - other)[:2])), np.linspace(0.0, math.tau, _ROUND)
    around = np.stack(
        [
            other[0] + run * np.cos(angles),
            other[1] + run * np.sin(angles),
            np.full(_ROUND, tip[2]),
        ],
        axis=1,
    )
    there = after.camera.project(around)
    return float(np.nanmin(np.linalg.norm(there - scene.ends[road, end], axis=-1)))


# --- the rule of heights --------------------------------------------------------------------------


def _breaches(marks: Marks) -> Iterator[int]:
    """The roads against the rule of heights, by number: a grey pillar is one disc higher or lower
    than the one before, an entrance one.
    """
    pillars, ramps = {pillar.id: pillar for pillar in marks.pillars}, entrances(marks)
    for n, road in enumerate(marks.roads):
        if not _allowed(
            road, pillars[road.pillars[0]], pillars[road.pillars[-1]], road.id in ramps, marks
        ):
            yield n


def _allowed(
    road: MarkedRoad, base: MarkedPillar, target: MarkedPillar, entrance: bool, marks: Marks
) -> bool:
    if entrance:
        return base.discs == 1
    if road.target is None:
        return marks.rules.resolved.exit_height in (-1, base.discs)
    return target.junction or abs(base.discs - target.discs) == 1


def _against_the_rule(marks: Marks) -> Sequence[Suspect]:
    found = []
    pillars = {pillar.id: pillar for pillar in marks.pillars}
    for road in (marks.roads[n] for n in _breaches(marks)):
        discs = [pillars[name].discs for name in road.pillars]
        values = {
            "piece": road.pillars[-1],
            "road": road.id,
            "discs": discs[-1],
            "before": discs[0],
        }
        form = "built" if len(discs) == 2 else "ramp"
        found.append(Suspect(road.pillars[-1], Sentence(f"photo-suspect-rule-{form}", values)))
    return found


# --- doubt about a drawn table --------------------------------------------------------------------
# What the referee says of a photographed table, and how sure that is: many tables are drawn that
# explain the marks as well as the errors of taps allow, and each is judged.
#
# Roads are judged in building order, each on the roads that stood before it, by their sticks as
# they lie.


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
    seen: dict[Hashable, _Table] = {}
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
    return tuple(
        Road(
            road.owner,
            (ax, ay),
            (bx, by),
            (az / disc_height, bz / disc_height),
            road.id,
            pillars=(road.base, road.target),
        )
        for road, ((ax, ay, az), (bx, by, bz)) in zip(marks.roads, under.tolist(), strict=True)
    )


# --- one table ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Table:
    """One drawn table: the crossings of each road when it is built, and which sides are free in the
    end.
    """

    crossings: tuple[tuple[Crossing, ...], ...]
    cars: tuple[int, ...]
    free: tuple[Mapping[Side, bool], ...]


def _viewed(solution: Solution, tips: Floats, seen: dict[Hashable, _Table]) -> _Table:
    """The verdict on one table; tables on which the same roads run over the same others are judged
    once.
    """
    marks, box = solution.scene.marks, solution.scene.marks.box
    rules, roads = marks.rules, sticks(marks, tips, box.road_thickness, box.disc_height)
    network = Network(tuple(roads), rules, box)
    key = tuple(
        (row, index, one.side, one.at if rules.resolved.nearby else None)
        for row, road in enumerate(roads)
        for index in range(len(roads))
        if row != index and (one := network.met(road, line_of(road), index)) is not None
    )
    if key not in seen:
        seen[key] = _judge(marks, roads)
    return seen[key]


def _judge(marks: Marks, roads: Sequence[Road]) -> _Table:
    rules, box = marks.rules, marks.box
    ramps = entrances(marks)
    # an entrance ramp is laid in the set-up, when no cars are earned
    crossings = tuple(
        () if road.id in ramps else judge(road, Network(tuple(roads[:index]), rules, box))
        for index, road in enumerate(roads)
    )
    taken = sides(Network(tuple(roads), rules, box))
    free = tuple({side: not takers[side] for side in takers} for takers in taken)
    cars = tuple(sum(crossing.scores for crossing in found) for found in crossings)
    return _Table(crossings, cars, free)


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
