"""The crossing rule a second time, written from the rulebooks by other means, against `sim.crossings` on random scenes.

Here centre lines and footprints are shapely geometries, the crossing points come from bisection, and the rule itself is the
sentence of FR 6 and KR 6 in plain loops. Every scene draws a value for each of the crossing options.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import shapely

from sim import crossings
from sim.crossings import Network, Road
from sim.ruleset import OPTIONS, Ruleset

TABLES, EACH = 5_000, 4  # random tables, and new roads judged on each of them, alone
LENGTH, WIDTH, DISC = 110.0, 9.0, 10.0
NAMES = (
    "crossing_scope",
    "crossing_memory",
    "own_roads_occlude",
    "own_cross_voids",
    "ramps_count",
    "inactive_roads_count",
    "crossing_test",
)


@dataclass(frozen=True)
class Scene:
    """Roads in building order and new roads of one owner; the seats that are out; the options as bits that choose values."""

    standing: tuple[Road, ...]
    new: tuple[Road, ...]
    inactive: frozenset[int]
    choice: int


@cache
def ruleset(choice: int) -> Ruleset:
    return Ruleset.named(**{name: OPTIONS[name].values[choice >> bit & 1] for bit, name in enumerate(NAMES)})


def draw(rng: np.random.Generator) -> Scene:
    """Two to six roads between pillars that stand at least a disc apart; own roads often share one, others never."""
    spots = [(38.0 * x, 38.0 * y) for x in range(4) for y in range(4)]
    free = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(spots, rng.uniform(-8.0, 8.0, (16, 2)).tolist(), strict=True)]
    roads: list[Road] = []

    def road(owner: int) -> Road:
        own = [road.end for road in roads if road.owner == owner]
        while True:
            start = own[rng.integers(len(own))] if own and rng.random() < 0.5 else free[rng.integers(len(free))]
            reachable = [end for end in free if 75.0 < math.dist(start, end) < 124.0]
            if reachable:
                break
        low, high = rng.uniform(0.5, 5.0, 2).tolist()
        levels = (low, 0.0) if rng.random() < 0.2 else (low, high)
        return Road(owner, start, reachable[rng.integers(len(reachable))], levels, f"R{len(roads)}")

    for _ in range(int(rng.integers(2, 6))):
        roads.append(road(int(rng.integers(0, 3))))
        free = [pillar for pillar in free if pillar not in (roads[-1].start, roads[-1].end)]
    mover = int(rng.integers(0, 3))
    new = tuple(road(mover) for _ in range(EACH))
    out = frozenset(seat for seat in range(3) if seat != mover and rng.random() < 0.3)
    return Scene(tuple(roads), new, out, int(rng.integers(1 << len(NAMES))))


class Geometry:
    """All pairs of roads of all scenes at once: does i cross j, where, and how high is i and j there."""

    def __init__(self, scenes: list[Scene]) -> None:
        roads = [road for scene in scenes for road in (*scene.standing, *scene.new)]
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
        owner = np.array([road.owner for road in roads])
        same_end = (first[:, :, None, :] == second[:, None, :, :]).all(axis=3).any(axis=(1, 2))
        self.share = (owner[one] == owner[two]) & same_end
        lines = shapely.intersects(shapely.linestrings(first), shapely.linestrings(second))
        cut = np.zeros(len(pairs), dtype=np.bool_)
        bit = NAMES.index("crossing_test")
        wanted = np.flatnonzero([scenes[s].choice >> bit & 1 for s, _, _ in pairs])
        sticks, others = footprints(first[wanted], rise_one[wanted]), footprints(second[wanted], rise_two[wanted])
        near = np.flatnonzero(shapely.intersects(sticks, others))
        left = shapely.difference(others[near], sticks[near])
        cut[wanted[near]] = shapely.get_num_geometries(left) >= 2
        use_cut = np.zeros(len(pairs), dtype=np.bool_)
        use_cut[wanted] = True
        self.meet = np.where(use_cut, cut, lines)
        self.at = bisected(first, second)
        self.level = height(self.at, first, rise_one)
        self.other = height(self.at, second, rise_two)


def footprints(ends: npt.NDArray[np.float64], levels: npt.NDArray[np.float64]) -> npt.NDArray[np.object_]:
    """The stick seen from above: 110 mm long on its slope, 9 mm wide, in the middle between its pillars."""
    along = ends[:, 1] - ends[:, 0]
    span = np.linalg.norm(along, axis=1)
    angle = np.arctan2((levels[:, 1] - levels[:, 0]) * DISC, span)
    middle, unit = ends.mean(axis=1), along / span[:, None]
    tip = unit * (LENGTH / 2 * np.cos(angle))[:, None]
    side = np.stack([-unit[:, 1], unit[:, 0]], axis=1) * WIDTH / 2
    corners = np.stack([middle + tip + side, middle - tip + side, middle - tip - side, middle + tip - side], axis=1)
    return np.asarray(shapely.polygons(corners))


def bisected(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Where the first line changes sides of the second, anywhere within a road length beyond its ends."""
    normal = np.stack([-(second[:, 1] - second[:, 0])[:, 1], (second[:, 1] - second[:, 0])[:, 0]], axis=1)

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


def cars(geometry: Geometry, number: int, scene: Scene, which: int) -> int:
    """FR 6: "one car for each road of an opponent that yours crosses above, where no other road is above it, or below, ..."."""
    options = {name: getattr(ruleset(scene.choice), name) for name in NAMES}
    roads, count = scene.standing, len(scene.standing)
    mine = scene.new[which].owner

    def cross(i: int, j: int) -> int | None:
        row = geometry.index[number, i, j]
        return row if geometry.meet[row] and not geometry.share[row] else None

    crossed = [(a, row) for a in range(count) if (row := cross(count + which, a)) is not None]
    if options["own_cross_voids"] and any(roads[a].owner == mine for a, _ in crossed):
        return 0
    earned = 0
    for a, row in crossed:
        road = roads[a]
        if road.owner == mine or (not options["ramps_count"] and 0.0 in road.levels):
            continue
        if not options["inactive_roads_count"] and road.owner in scene.inactive:
            continue
        above = geometry.level[row] > geometry.other[row]
        taken = False
        for c in range(count):
            if c == a or (options["crossing_memory"] == "history" and c < a):
                continue
            if not options["own_roads_occlude"] and roads[c].owner == mine:
                continue
            if not options["inactive_roads_count"] and roads[c].owner in scene.inactive:
                continue
            there = cross(c, a)
            if there is None or (geometry.level[there] > geometry.other[there]) != above:
                continue
            if options["crossing_scope"] == "point" and math.dist(geometry.at[there], geometry.at[row]) > 1.5 * WIDTH:
                continue
            taken = True
        earned += not taken
    return earned


def test_twenty_thousand_random_scenes_earn_the_same_cars_in_both_implementations() -> None:
    rng = np.random.default_rng(20181121)
    scenes = [draw(rng) for _ in range(TABLES)]
    geometry = Geometry(scenes)
    seen = np.zeros(4, dtype=np.int64)
    for number, scene in enumerate(scenes):
        expected = [cars(geometry, number, scene, which) for which in range(EACH)]
        rules = ruleset(scene.choice)
        found = crossings.cars_of_each(crossings.lines(scene.new), Network.of(scene.standing, rules, scene.inactive))
        assert found.tolist() == expected, (number, scene)
        which = number % EACH
        alone = crossings.cars_earned(scene.new[which], scene.standing, rules, inactive=scene.inactive)
        assert alone == expected[which], (number, which, scene)
        np.add.at(seen, np.minimum(expected, 3), 1)
    assert seen.sum() == 20_000
    assert (seen > 50).all(), seen  # scenes that all earn nothing would show nothing


def test_each_crossing_option_changes_what_some_scenes_earn() -> None:
    rng = np.random.default_rng(7)
    scenes = [draw(rng) for _ in range(300)]
    standard = Ruleset.named()

    def earned(scene: Scene, rules: Ruleset) -> list[int]:
        return crossings.cars_of_each(crossings.lines(scene.new), Network.of(scene.standing, rules, scene.inactive)).tolist()

    usual = [earned(scene, standard) for scene in scenes]
    for name in NAMES:
        other = standard.changed(**{name: OPTIONS[name].values[1]})
        assert [earned(scene, other) for scene in scenes] != usual, name
