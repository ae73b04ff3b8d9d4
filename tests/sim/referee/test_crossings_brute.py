"""The crossing rule a second time, written from the rulebooks by other means, against the referee
on random scenes.

Here centre lines and footprints are shapely geometries, the crossing points come from bisection,
what carries a road is what the scene put it on, and the rule itself is the sentence of FR 6 and KR
6 in plain loops. Every scene draws a value for each of the crossing options.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
import shapely

from sim.referee import crossings
from sim.referee.crossings import Network, Road
from sim.referee.ruleset import OPTIONS, Ruleset

EACH = 4  # new roads judged on each random table, alone
LENGTH, WIDTH, DISC = 110.0, 9.0, 10.0
DIAMETER = 20.0
NAMES = (
    "crossing_scope",
    "crossing_memory",
    "own_roads_occlude",
    "own_cross_voids",
    "ramps_count",
    "inactive_roads_count",
    "crossing_test",
)

Point = tuple[float, float]


@dataclass(frozen=True)
class Pillar:
    """A pillar of one owner, as the scene sets it; `at` in mm, `height` in discs."""

    owner: int
    name: str
    at: Point
    height: float


@dataclass(frozen=True)
class Laid:
    """A road as the referee is told of it, and what the scene put its two ends on: a pillar, or
    None for the table.
    """

    road: Road
    on: tuple[Pillar | None, Pillar | None]

    @property
    def ramp(self) -> bool:
        return None in self.on


@dataclass(frozen=True)
class Scene:
    """Roads in building order and new roads of one owner; the seats that are out; the options as
    bits that choose values.
    """

    standing: tuple[Laid, ...]
    new: tuple[Laid, ...]
    inactive: frozenset[int]
    choice: int

    @property
    def roads(self) -> tuple[Road, ...]:
        return tuple(laid.road for laid in self.standing)

    @property
    def new_roads(self) -> tuple[Road, ...]:
        return tuple(laid.road for laid in self.new)


@cache
def ruleset(choice: int) -> Ruleset:
    return Ruleset.named(
        **{name: OPTIONS[name].values[choice >> bit & 1] for bit, name in enumerate(NAMES)}
    )


class Builder:
    """Lays random roads of three seats: builds, branches, entrance ramps and exits, many of them
    close to own pillars.

    Half of the scenes are told as from a table: the ends lie where sticks may have settled, up to 8
    mm along and 4 mm across from their pillar's axis, and the pillars are named. In the others the
    ends lie on the axes and nothing is named, as in a check by hand.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.named = rng, bool(rng.random() < 0.5)
        self.pillars: list[Pillar] = []
        spots = [(38.0 * x, 38.0 * y) for x in range(4) for y in range(4)]
        jitter = rng.uniform(-8.0, 8.0, (16, 2)).tolist()
        self.free = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(spots, jitter, strict=True)]

    def lay(self, owner: int, name: str) -> Laid:
        """A road of that owner that stays; its pillars do, too."""
        laid = self.draw(owner, name)
        for pillar in laid.on:
            if pillar is not None and pillar not in self.pillars:
                self.pillars.append(pillar)
        return laid

    def draw(self, owner: int, name: str) -> Laid:
        """A road of that owner from an old or a new pillar to a new pillar or the table, told from
        either end.
        """
        own = [pillar for pillar in self.pillars if pillar.owner == owner]
        while True:
            old = bool(own) and self.rng.random() < 0.5
            base = (
                own[self.rng.integers(len(own))]
                if old
                else self.new_pillar(owner, f"{name} base", own)
            )
            if self.rng.random() < 0.3:
                end, target = self.on_the_table(base, own), None
            else:
                target = self.new_pillar(owner, f"{name} target", own)
                end = target.at
            if 75.0 < math.dist(base.at, end) < 124.0:
                break
        on, ends = (base, target), (base.at, end)
        levels = (base.height, target.height if target is not None else 0.0)
        if self.rng.random() < 0.3:
            on, ends, levels = on[::-1], ends[::-1], levels[::-1]
        if not self.named:
            return Laid(Road(owner, *ends, levels, name), on)
        names = tuple(pillar.name if pillar is not None else None for pillar in on)
        low, high = self.rng.uniform(0.0, 0.05, 2).tolist()
        levels = (levels[0] + low, levels[1] + high)
        return Laid(Road(owner, *self.settled(*ends), levels, name, pillars=names), on)

    def new_pillar(self, owner: int, name: str, own: list[Pillar]) -> Pillar:
        """On a free place of the grid, or right beside an own pillar; a disc from every other at
        least.
        """
        while True:
            at = self.free[self.rng.integers(len(self.free))]
            if own and self.rng.random() < 0.4:
                at = self.beside(own[self.rng.integers(len(own))], 20.0, 23.0)
            if all(math.dist(at, pillar.at) >= DIAMETER for pillar in self.pillars):
                return Pillar(owner, name, at, float(self.rng.uniform(0.5, 5.0)))

    def on_the_table(self, base: Pillar, own: list[Pillar]) -> Point:
        """Where a ramp from that pillar comes down: anywhere, or close to another own pillar."""
        others = [pillar for pillar in own if pillar is not base]
        if others and self.rng.random() < 0.7:
            return self.beside(others[self.rng.integers(len(others))], 1.0, 20.0)
        return self.beside(base, 100.0, 110.0)

    def beside(self, pillar: Pillar, least: float, most: float) -> Point:
        away, angle = self.rng.uniform(least, most), self.rng.uniform(0.0, 2 * math.pi)
        return (pillar.at[0] + away * math.cos(angle), pillar.at[1] + away * math.sin(angle))

    def settled(self, start: Point, end: Point) -> tuple[Point, Point]:
        """The ends of a stick that came to rest about there."""
        one, two = np.array(start), np.array(end)
        along = (two - one) / math.dist(start, end)
        across = np.array([-along[1], along[0]])
        (a, b), (c, d) = self.rng.uniform(-8.0, 8.0, 2), self.rng.uniform(-4.0, 4.0, 2)
        (x, y), (u, v) = (
            (one + a * along + c * across).tolist(),
            (two + b * along + d * across).tolist(),
        )
        return (x, y), (u, v)


def draw(rng: np.random.Generator) -> Scene:
    """Two to six standing roads, and new ones of one seat."""
    builder = Builder(rng)
    standing = tuple(
        builder.lay(int(rng.integers(0, 3)), f"R{n}") for n in range(int(rng.integers(2, 7)))
    )
    mover = int(rng.integers(0, 3))
    new = tuple(builder.draw(mover, f"N{n}") for n in range(EACH))
    out = frozenset(seat for seat in range(3) if seat != mover and rng.random() < 0.3)
    return Scene(standing, new, out, int(rng.integers(1 << len(NAMES))))


class Geometry:
    """All pairs of roads of all scenes at once: does i cross j, where, and how high is i and j
    there.
    """

    def __init__(self, scenes: list[Scene]) -> None:
        roads = [road for scene in scenes for road in (*scene.roads, *scene.new_roads)]
        first_of = np.cumsum([0, *(len(scene.standing) + EACH for scene in scenes)]).tolist()
        pairs = [
            (s, i, j)
            for s, scene in enumerate(scenes)
            for i in range(len(scene.standing) + EACH)
            for j in range(len(scene.standing))
            if i != j
        ]
        self.index = {pair: row for row, pair in enumerate(pairs)}
        one = np.array([first_of[s] + i for s, i, _ in pairs])
        two = np.array([first_of[s] + j for s, _, j in pairs])
        ends = np.array([(road.start, road.end) for road in roads])
        levels = np.array([road.levels for road in roads])
        first, second, rise_one, rise_two = ends[one], ends[two], levels[one], levels[two]
        lines = shapely.intersects(shapely.linestrings(first), shapely.linestrings(second))
        cut = np.zeros(len(pairs), dtype=np.bool_)
        bit = NAMES.index("crossing_test")
        wanted = np.flatnonzero([scenes[s].choice >> bit & 1 for s, _, _ in pairs])
        sticks, others = (
            footprints(first[wanted], rise_one[wanted]),
            footprints(second[wanted], rise_two[wanted]),
        )
        near = np.flatnonzero(shapely.intersects(sticks, others))
        cut[wanted[near]] = right_across(sticks[near], others[near])
        use_cut = np.zeros(len(pairs), dtype=np.bool_)
        use_cut[wanted] = True
        self.meet = np.where(use_cut, cut, lines)
        self.at = bisected(first, second)
        self.level = height(self.at, first, rise_one)
        self.other = height(self.at, second, rise_two)


def footprints(
    ends: npt.NDArray[np.float64], levels: npt.NDArray[np.float64]
) -> npt.NDArray[np.object_]:
    """The stick seen from above: 110 mm long on its slope, 9 mm wide, in the middle between its
    pillars.
    """
    along = ends[:, 1] - ends[:, 0]
    span = np.linalg.norm(along, axis=1)
    angle = np.arctan2((levels[:, 1] - levels[:, 0]) * DISC, span)
    middle, unit = ends.mean(axis=1), along / span[:, None]
    tip = unit * (LENGTH / 2 * np.cos(angle))[:, None]
    side = np.stack([-unit[:, 1], unit[:, 0]], axis=1) * WIDTH / 2
    corners = np.stack(
        [middle + tip + side, middle - tip + side, middle - tip - side, middle + tip - side], axis=1
    )
    return np.asarray(shapely.polygons(corners))


def right_across(
    sticks: npt.NDArray[np.object_], others: npt.NDArray[np.object_]
) -> npt.NDArray[np.bool_]:
    """Whether each stick leaves two parts of the other, and is cut through both of its long edges:
    no corner cut off.
    """
    parts = shapely.get_num_geometries(shapely.difference(others, sticks))
    corners = shapely.get_coordinates(others).reshape(-1, 5, 2)
    edges = [shapely.linestrings(corners[:, [one, two]]) for one, two in ((0, 1), (2, 3))]
    cut = [shapely.length(shapely.intersection(edge, sticks)) > 0.0 for edge in edges]
    return np.asarray((parts >= 2) & cut[0] & cut[1])


def bisected(
    first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Where the first line changes sides of the second, anywhere within a road length beyond its
    ends.
    """
    normal = np.stack(
        [-(second[:, 1] - second[:, 0])[:, 1], (second[:, 1] - second[:, 0])[:, 0]], axis=1
    )

    def side(t: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        point = first[:, 0] + t[:, None] * (first[:, 1] - first[:, 0])
        return np.asarray(((point - second[:, 0]) * normal).sum(axis=1) > 0.0)

    low, high = np.full(len(first), -1.0), np.full(len(first), 2.0)
    begin = side(low)
    for _ in range(52):
        middle = (low + high) / 2
        same = side(middle) == begin
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    found: npt.NDArray[np.float64] = first[:, 0] + low[:, None] * (first[:, 1] - first[:, 0])
    return found


def height(
    at: npt.NDArray[np.float64], ends: npt.NDArray[np.float64], levels: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    along = ends[:, 1] - ends[:, 0]
    share = ((at - ends[:, 0]) * along).sum(axis=1) / (along**2).sum(axis=1)
    risen: npt.NDArray[np.float64] = levels[:, 0] + share * (levels[:, 1] - levels[:, 0])
    return risen


def on_shared_pillar(one: Laid, two: Laid) -> bool:
    """Whether one pillar carries two own roads."""
    return not {pillar for pillar in one.on if pillar is not None}.isdisjoint(two.on)


def judged(geometry: Geometry, number: int, scene: Scene, which: int) -> tuple[int, bool]:
    """The cars of a new road, and whether it crosses an own one. FR 6: "one car for each road of an
    opponent that yours crosses above, where no other road is above it, or below, ...".
    """
    options = {name: getattr(ruleset(scene.choice), name) for name in NAMES}
    count, every = len(scene.standing), (*scene.standing, *scene.new)
    mine = every[count + which].road.owner

    def cross(i: int, j: int) -> int | None:
        row = geometry.index[number, i, j]
        return row if geometry.meet[row] and not on_shared_pillar(every[i], every[j]) else None

    crossed = [(a, row) for a in range(count) if (row := cross(count + which, a)) is not None]
    crosses_own = any(every[a].road.owner == mine for a, _ in crossed)
    if options["own_cross_voids"] and crosses_own:
        return 0, True
    earned = 0
    for a, row in crossed:
        owner = every[a].road.owner
        if owner == mine or (not options["ramps_count"] and every[a].ramp):
            continue
        if not options["inactive_roads_count"] and owner in scene.inactive:
            continue
        above = geometry.level[row] > geometry.other[row]
        taken = False
        for c in range(count):
            if c == a or (options["crossing_memory"] == "history" and c < a):
                continue
            if not options["own_roads_occlude"] and every[c].road.owner == mine:
                continue
            if not options["inactive_roads_count"] and every[c].road.owner in scene.inactive:
                continue
            there = cross(c, a)
            if there is None or (geometry.level[there] > geometry.other[there]) != above:
                continue
            if (
                options["crossing_scope"] == "point"
                and math.dist(geometry.at[there], geometry.at[row]) > 1.5 * WIDTH
            ):
                continue
            taken = True
        earned += not taken
    return earned, crosses_own


def close_calls(geometry: Geometry, number: int, scene: Scene) -> Counter[str]:
    """How often own roads of a scene meet within a disc of ends of both, by what these ends
    lie on.
    """
    every, found = (*scene.standing, *scene.new), Counter[str]()
    for i, one in enumerate(every):
        for j, two in enumerate(scene.standing[:i]):
            row = geometry.index[number, i, j]
            if one.road.owner != two.road.owner or not geometry.meet[row]:
                continue
            at = tuple(geometry.at[row].tolist())
            near = [
                [
                    on
                    for on, end in zip(laid.on, (laid.road.start, laid.road.end), strict=True)
                    if math.dist(at, end) < DIAMETER
                ]
                for laid in (one, two)
            ]
            if on_shared_pillar(one, two):
                found["one pillar"] += 1
            elif near[0] and near[1]:
                found["the table" if None in near[0] + near[1] else "two pillars"] += 1
    return found


@pytest.mark.parametrize("tables", [500, pytest.param(5_000, marks=pytest.mark.slow)])
def test_random_scenes_earn_the_same_cars_in_both_implementations(tables: int) -> None:
    rng = np.random.default_rng(20181121)
    scenes = [draw(rng) for _ in range(tables)]
    geometry = Geometry(scenes)
    seen, calls = np.zeros(4, dtype=np.int64), Counter[str]()
    for number, scene in enumerate(scenes):
        expected = [judged(geometry, number, scene, which) for which in range(EACH)]
        rules = ruleset(scene.choice)
        network = Network.of(scene.roads, rules, scene.inactive)
        found = [
            (
                sum(crossing.scores for crossing in judged_by_us),
                any(crossing.reason == "own" for crossing in judged_by_us),
            )
            for judged_by_us in (crossings.judge(road, network) for road in scene.new_roads)
        ]
        assert found == expected, (number, scene)
        which = number % EACH
        alone = crossings.cars_earned(
            scene.new[which].road, scene.roads, rules, inactive=scene.inactive
        )
        assert alone == expected[which][0], (number, which, scene)
        np.add.at(seen, np.minimum([cars for cars, _ in expected], 3), 1)
        calls += close_calls(geometry, number, scene)
    assert seen.sum() == tables * EACH
    # scenes that all earn nothing, or in which no own roads come close, would show nothing
    assert (seen > tables / 100).all(), seen
    assert all(calls[what] > tables / 10 for what in ("one pillar", "two pillars", "the table")), (
        calls
    )


@pytest.mark.slow
def test_each_crossing_option_changes_what_some_scenes_earn() -> None:
    rng = np.random.default_rng(7)
    scenes = [draw(rng) for _ in range(300)]
    standard = Ruleset.named()

    def earned(scene: Scene, rules: Ruleset) -> list[int]:
        return [
            crossings.cars_earned(road, scene.roads, rules, inactive=scene.inactive)
            for road in scene.new_roads
        ]

    usual = [earned(scene, standard) for scene in scenes]
    for name in NAMES:
        other = standard.changed(**{name: OPTIONS[name].values[1]})
        assert [earned(scene, other) for scene in scenes] != usual, name
