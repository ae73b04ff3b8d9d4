"""The rules of laying a road once more, slowly and from the rulebooks: solids in space, seen from
above with shapely, and the rule of crossings in plain loops. On random tables, by every preset and
random options, random builds have the same faults and earn the same cars by it, by the referee in
plain Python and by the compiled batch.

It shares no code with `sim.referee.geometry`, and nothing with the tables in rows. Where a gap is
within a hair of its limit, rounding may decide, and the pair is left out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import product
from typing import Any, get_args

import numpy as np
import pytest
from scipy.optimize import brentq
from shapely import LineString, MultiPoint, Point, Polygon, box, get_num_geometries
from shapely.affinity import rotate, translate

import sim
from rules.errors import InputError
from sim import referee
from sim.pieces import Components
from sim.referee import crossings
from sim.referee.crossings import Crossing, Reason, Road
from sim.referee.placement import Build, CarSpot, Exit
from sim.referee.standing import LaidRoad
from sim.referee.table import Table
from tests.tables import at_rest, lay_out, option_sets, stock

TOUCH, BEARING, SHARED, EDGE = 0.05, 2.5, 2.0, 0.5
"""mm: rules 4d and 4h, 4a; disc radii: 4d; mm: a car's middle inside the edges of its road."""

HAIR = 2e-3  # mm


@dataclass(frozen=True)
class Solid:
    """A box that may slope, or with a radius an upright cylinder: eight corners, bottom first, or
    the middle of a cylinder with its bottom and top.
    """

    corners: np.ndarray
    radius: float = 0.0

    @cached_property
    def plan(self) -> Polygon:
        """What it covers, seen from above."""
        if self.radius:
            return Point(self.corners[0, :2]).buffer(self.radius, quad_segs=720)
        return MultiPoint(self.corners[:, :2]).convex_hull

    def under(self, x: float, y: float) -> float:
        """The height of the plane of its underside."""
        return self._plane(self.corners[:3], x, y)

    def over(self, x: float, y: float) -> float:
        """The height of the plane of its upper side."""
        return self._plane(self.corners[4:7], x, y)

    def _plane(self, three: np.ndarray, x: float, y: float) -> float:
        if self.radius:
            return float(self.corners[0 if three[0, 2] == self.corners[0, 2] else 4, 2])
        normal = np.cross(three[1] - three[0], three[2] - three[0])
        return float(three[0, 2] - (normal[:2] @ (np.array([x, y]) - three[0, :2])) / normal[2])


def slab(
    middle: tuple[float, float, float],
    heading: float,
    slope: float,
    size: tuple[float, float, float],
) -> Solid:
    """A box with the middle of its underside there, rising by `slope` (radians) towards its heading
    (radians).
    """
    ahead = np.array([math.cos(heading), math.sin(heading), 0.0])
    along = ahead * math.cos(slope) + np.array([0.0, 0.0, math.sin(slope)])
    aside = np.array([-math.sin(heading), math.cos(heading), 0.0])
    up = np.cross(along, aside)
    long, wide, high = size
    return Solid(
        np.array(
            [
                np.array(middle) + a * long / 2 * along + b * wide / 2 * aside + c * high * up
                for c in (0, 1)
                for a, b in ((-1, 1), (-1, -1), (1, -1), (1, 1))
            ]
        )
    )


def upright(x: float, y: float, radius: float, bottom: float, top: float) -> Solid:
    """A cylinder."""
    return Solid(np.array([(x, y, bottom)] * 4 + [(x, y, top)] * 4), radius)


def road_solid(size: Components, road: LaidRoad) -> Solid:
    """A road whose underside runs straight from axis to axis (rules 4b)."""
    (x, y), (u, v) = road.start, road.end
    span = math.dist(road.start, road.end)
    low, high = (level * size.disc_height for level in road.levels)
    slope, heading = math.atan2(high - low, span), math.atan2(v - y, u - x)
    shift = road.slide
    middle = (
        (x + u) / 2 + shift * math.cos(heading),
        (y + v) / 2 + shift * math.sin(heading),
        (low + high) / 2 + shift * math.tan(slope),
    )
    return slab(middle, heading, slope, (size.road_length, size.road_width, size.road_thickness))


def car_solid(size: Components, road: Solid, spot: CarSpot) -> Solid:
    """A car flat on a road, `along` it from its start, `side` to the left."""
    one, two, three, four = road.corners[4], road.corners[5], road.corners[6], road.corners[7]
    start, end = (one + two) / 2, (three + four) / 2
    left = (one - two) / np.linalg.norm(one - two)
    middle = start + spot.along * (end - start) + spot.side * left
    run = end - start
    slope = math.atan2(run[2], math.hypot(*run[:2]))
    heading = math.atan2(run[1], run[0])
    return slab(tuple(middle), heading, slope, (size.car_length, size.car_width, size.car_height))


def clearance(one: Solid, other: Solid) -> float:
    """By how many mm two solids are clear of each other, in height where they would overlap in plan
    grown by TOUCH, or else in plan; infinite if they are far apart there.
    """
    grown = one.plan.buffer(TOUCH, join_style="mitre")
    common = grown.intersection(other.plan)
    if common.area <= 1e-6:
        return max(one.plan.distance(other.plan), TOUCH)
    spots = list(common.exterior.coords)
    above = min(one.under(*at) - other.over(*at) for at in spots)
    below = min(other.under(*at) - one.over(*at) for at in spots)
    return max(above, below, one.plan.distance(other.plan))


def is_doubtful(mm: float, limit: float = TOUCH) -> bool:
    """Whether rounding may decide."""
    return abs(mm - limit) < HAIR


# --- one build by the rules -----------------------------------------------------------------------


class LimitError(Exception):
    """A number lies on a limit."""


@dataclass(frozen=True)
class Judge:
    """The faults of geometry of a build or an exit, as (code, piece)."""

    table: Table
    road: LaidRoad
    pillar: tuple[float, float, int] | None
    cars: tuple[CarSpot, ...]

    @cached_property
    def size(self) -> Components:
        return self.table.components

    @cached_property
    def solid(self) -> Solid:
        return road_solid(self.size, self.road)

    @cached_property
    def roads(self) -> dict[str, Solid]:
        return {road.id: road_solid(self.size, road) for road in self.table.roads}

    @cached_property
    def standing_cars(self) -> dict[str, Solid]:
        return {
            car.id: car_solid(self.size, self.roads[car.road], CarSpot(car.along, car.side))
            for car in self.table.cars
        }

    @cached_property
    def discs(self) -> dict[str, Solid]:
        radius, high = self.size.disc_radius, self.size.disc_height
        return {p.id: upright(*p.at, radius, 0.0, p.discs * high) for p in self.table.pillars}

    @cached_property
    def buildings(self) -> dict[str, Solid]:
        found = {}
        for one in self.table.buildings:
            shape, height = (
                self.size.buildings[one.kind].shape,
                self.size.buildings[one.kind].height,
            )
            if hasattr(shape, "radius"):
                found[one.id] = upright(*one.at, shape.radius, 0.0, height)
            else:
                found[one.id] = slab((*one.at, 0.0), math.radians(one.turn), 0.0, shape.size)
        return found

    def faults(self) -> set[tuple[str, str]]:
        """All of them. Raises LimitError where rounding may decide one."""
        found = set(self.ends())
        found |= set(self.by_roads()) | set(self.by_discs()) | set(self.by_buildings())
        if self.pillar is not None:
            found |= set(self.by_pillar())
        return found | set(self.by_cars())

    def touches(self, one: Solid, other: Solid) -> bool:
        mm = clearance(one, other)
        if is_doubtful(mm) and mm != TOUCH:
            raise LimitError
        return mm < TOUCH

    def by_roads(self) -> Iterator[tuple[str, str]]:
        rules, seat = self.table.ruleset, self.table.to_move
        axis = Point(self.table.top(self.table.pillar_by_id[self.road.base]))
        near = axis.buffer(SHARED * self.size.disc_radius, quad_segs=720)
        for road in self.table.roads:
            other = self.roads[road.id]
            if road.owner == seat and self.road.base in road.pillars:
                # near their pillar they may touch, but the new one lies on top (rules 4b, 4d)
                grown = self.solid.plan.buffer(TOUCH, join_style="mitre")
                common = grown.intersection(other.plan)
                spots = list(common.exterior.coords) if common.area > 1e-6 else []
                if any(abs(near.boundary.distance(Point(at))) < 0.02 for at in spots):
                    raise LimitError
                far = [at for at in spots if not near.contains(Point(at))]
                if not far:
                    continue
                rise = [self.solid.under(*at) - other.under(*at) for at in far]
                room = min(other.under(*at) - self.solid.over(*at) for at in spots)
                if is_doubtful(room) or is_doubtful(min(rise), 0.0):
                    raise LimitError
                if min(rise) < 0 and room < TOUCH:
                    yield "under-own-road", road.id
                    continue
                above = min(self.solid.under(*at) - other.over(*at) for at in far)
                mm = max(above, room, self.solid.plan.distance(other.plan))
                if is_doubtful(mm):
                    raise LimitError
                if mm < TOUCH:
                    yield "touches-road", road.id
            elif self.touches(self.solid, other):
                yield "touches-road", road.id
        if rules.touch_cars == "illegal":
            for name, car in self.standing_cars.items():
                if self.touches(self.solid, car):
                    yield "touches-car", name

    def by_discs(self) -> Iterator[tuple[str, str]]:
        rules, seat = self.table.ruleset, self.table.to_move
        for pillar in self.table.pillars:
            if pillar.id == self.road.base:
                continue
            disc = self.discs[pillar.id]
            apart = self.solid.plan.distance(Point(pillar.at)) - self.size.disc_radius
            if abs(apart - TOUCH) < TOUCH / 2:  # rows have corners where a gap has an arc
                raise LimitError
            own = rules.own_pillar_shadow == "allow" and rules.loop == "graph"
            if own and pillar.owner == seat:
                if self.touches(self.solid, disc):
                    yield "touches-pillar", pillar.id
            elif apart < TOUCH:
                yield "over-pillar", pillar.id

    def by_buildings(self) -> Iterator[tuple[str, str]]:
        for name, building in self.buildings.items():
            apart = self.solid.plan.distance(building.plan)
            if is_doubtful(apart):
                raise LimitError
            if self.table.ruleset.over_building == "forbid":
                if apart < TOUCH:
                    yield "over-building", name
            elif self.touches(self.solid, building):
                yield "touches-building", name

    def by_pillar(self) -> Iterator[tuple[str, str]]:
        assert self.pillar is not None
        x, y, discs = self.pillar
        radius = self.size.disc_radius
        new = upright(x, y, radius, 0.0, discs * self.size.disc_height)
        for name, disc in self.discs.items():
            apart = math.dist((x, y), disc.corners[0, :2]) - 2 * radius
            if is_doubtful(apart):
                raise LimitError
            if apart < TOUCH:
                yield "pillar-on-pillar", name
        for name, road in self.roads.items():
            apart = road.plan.distance(Point(x, y)) - radius
            if is_doubtful(apart):
                raise LimitError
            if self.table.ruleset.pillar_under_road == "forbid":
                if apart < TOUCH:
                    yield "pillar-under-road", name
            elif self.touches(new, road):
                yield "pillar-touches-road", name
        for name, car in self.standing_cars.items():
            if self.touches(new, car):
                yield "pillar-touches-car", name
        for name, building in self.buildings.items():
            apart = building.plan.distance(Point(x, y)) - radius
            if is_doubtful(apart):
                raise LimitError
            if apart < TOUCH:
                yield "pillar-on-building", name

    def ends(self) -> Iterator[tuple[str, str]]:
        """How both ends lie on their discs (rules 4a, 4i)."""
        size, road = self.size, self.road
        low, high = (level * size.disc_height for level in road.levels)
        span = math.dist(road.start, road.end)
        if abs(high - low) > span:
            yield "too-steep", road.base
            return
        ux, uy = ((b - a) / span for a, b in zip(road.start, road.end, strict=True))
        middle = [(a + b) / 2 for a, b in zip(road.start, road.end, strict=True)]
        middle = [middle[0] + road.slide * ux, middle[1] + road.slide * uy]
        axes = {-1: self.table.top(self.table.pillar_by_id[road.base])}
        if self.pillar is not None:
            axes[1] = self.pillar[:2]
        up = 1 if high > low else -1
        slope = self.slope(axes, middle, (ux, uy), abs(high - low), up)
        if slope is None:
            yield "too-steep", road.base
            return
        half, radius = size.road_length / 2 * math.cos(slope), size.disc_radius
        shift = up * math.sin(slope) * size.road_thickness / 2
        for side, (x, y) in axes.items():
            along = (x - middle[0]) * ux + (y - middle[1]) * uy
            aside = abs(-(x - middle[0]) * uy + (y - middle[1]) * ux)
            past = half + side * (shift - along)
            corner = math.hypot(past, aside + size.road_width / 2)
            chord = math.sqrt(max(radius**2 - max(aside - size.road_width / 2, 0.0) ** 2, 0.0))
            bears = (chord + past) / math.cos(slope)
            limits = {radius: corner, 0.0: bears, BEARING: bears, radius - BEARING: aside}
            for limit, mm in limits.items():
                if is_doubtful(mm, limit):
                    raise LimitError
            piece = road.target if side > 0 and road.target is not None else road.base
            if past > 0 and corner > radius:
                yield "sticks-out", piece
            if bears < BEARING or aside > radius - BEARING:
                yield "reach", piece

    def slope(
        self,
        axes: dict[int, tuple[float, float]],
        middle: list[float],
        ahead: tuple[float, float],
        rise: float,
        up: int,
    ) -> float | None:
        """The angle at which the road lies: its lower end on the table or a disc, its underside on
        the near rim of the higher disc, its centre of mass above the middle. None if there is none
        up to four in one.
        """
        if rise == 0:
            return 0.0
        size = self.size
        x, y = axes[1 if up > 0 and 1 in axes else -1]
        along = (x - middle[0]) * ahead[0] + (y - middle[1]) * ahead[1]
        aside = abs(-(x - middle[0]) * ahead[1] + (y - middle[1]) * ahead[0])
        chord = math.sqrt(
            max(size.disc_radius**2 - max(aside - size.road_width / 2, 0.0) ** 2, 0.0)
        )
        rim = along * up - chord

        def height(angle: float) -> float:
            """How high the underside is at the rim, above the rim."""
            foot = size.road_thickness / 2 * math.sin(angle)
            foot -= size.road_length / 2 * math.cos(angle)
            return (rim - foot) * math.tan(angle) - rise

        steps = np.linspace(1e-6, math.atan(4.0), 4000)
        values = [height(step) for step in steps]
        for one, two, a, b in zip(steps, steps[1:], values, values[1:], strict=False):
            if a < 0 <= b:
                return float(brentq(height, one, two))
        return None

    def by_cars(self) -> Iterator[tuple[str, str]]:
        cars = [car_solid(self.size, self.solid, spot) for spot in self.cars]
        pieces = {**self.roads, **self.standing_cars, **self.buildings}
        pieces |= {name: disc for name, disc in self.discs.items() if name not in self.road.pillars}
        for car, (name, piece) in product(cars, pieces.items()):
            if self.touches(car, piece):
                yield "car-touches", name
        for n, one in enumerate(self.cars):
            for other in self.cars[:n]:
                gap = abs(one.along - other.along) * self.size.road_length - self.size.car_length
                beside = abs(one.side - other.side) - self.size.car_width
                if is_doubtful(gap) or is_doubtful(beside):
                    raise LimitError
                if gap < TOUCH and beside < TOUCH:
                    yield "car-on-car", self.road.id


# --- what its crossings earn ----------------------------------------------------------------------


def where(one: Road, other: Road) -> np.ndarray | None:
    """Where the lines of two roads meet, ends or no ends."""
    ways = np.array([np.subtract(one.end, one.start), np.subtract(other.start, other.end)]).T
    if abs(np.linalg.det(ways)) < 1e-6:
        return None
    share, _ = np.linalg.solve(ways, np.subtract(other.start, one.start))
    return np.array(one.start) + share * ways[:, 0]


def height(road: Road, at: np.ndarray) -> float:
    """The level of a road at a point of its line, in discs."""
    along = np.subtract(road.end, road.start)
    share = np.subtract(at, road.start) @ along / (along @ along)
    return float(road.levels[0] + share * (road.levels[1] - road.levels[0]))


@cache
def crosses(sizes: tuple[float, float, float], outlines: bool, one: Road, other: Road) -> bool:
    """Whether the middle lines cross, or by `outlines` the stick of the first, seen from above,
    leaves two parts of the other's. Two roads of one player on one pillar never do.
    """
    shared = {*(one.pillars or ())} & {*(other.pillars or ())} - {None}
    if one.owner == other.owner and shared:
        return False
    if not outlines:
        return bool(
            LineString([one.start, one.end]).intersects(LineString([other.start, other.end]))
        )
    stick, cut = outline(sizes, one), outline(sizes, other)
    corners = cut.exterior.coords
    long = (LineString([corners[0], corners[3]]), LineString([corners[1], corners[2]]))
    parts = get_num_geometries(cut.difference(stick))
    return parts >= 2 and all(edge.intersection(stick).length > 0 for edge in long)


def outline(sizes: tuple[float, float, float], road: Road) -> Polygon:
    """The stick seen from above, from its start to its end and back."""
    (x, y), (u, v), (length, width, disc) = road.start, road.end, sizes
    slope = math.atan2((road.levels[1] - road.levels[0]) * disc, math.dist(road.start, road.end))
    stick = slab(((x + u) / 2, (y + v) / 2, 0.0), math.atan2(v - y, u - x), 0.0,
                 (length * math.cos(slope), width, 1.0))  # fmt: skip
    return Polygon(stick.corners[:4, :2])


def cars_of(table: Table, new: Road) -> tuple[int, set[str]]:
    """The cars that a road earns, and the own roads that it crosses. FR 6: "one car for each road
    of an opponent that yours crosses above, where no other road is above it, or below, ...".
    """
    rules, size, roads = table.ruleset, table.components, table.lines
    sizes = (size.road_length, size.road_width, size.disc_height)
    cross = partial(crosses, sizes, rules.crossing_test == "footprint")
    crossed = [one for one in roads if cross(new, one)]
    own = {one.id for one in crossed if one.owner == new.owner}
    if own and rules.own_cross_voids:
        return 0, own

    def counts(road: Road) -> bool:
        return rules.inactive_roads_count or road.owner not in table.inactive

    def takes(road: Road, one: Road, at: np.ndarray, above: bool) -> bool:
        if road.owner == new.owner and not rules.own_roads_occlude:
            return False
        if rules.crossing_memory == "history" and roads.index(road) < roads.index(one):
            return False
        if road is one or not counts(road) or not cross(road, one):
            return False
        there = where(road, one)
        near = rules.crossing_scope == "road" or math.dist(there, at) <= 1.5 * size.road_width
        return near and (height(road, there) > height(one, there)) == above

    earned = 0
    for one in crossed:
        if one.owner != new.owner and counts(one) and (rules.ramps_count or not one.is_ramp):
            at = where(new, one)
            above = height(new, at) > height(one, at)
            earned += not any(takes(road, one, at, above) for road in roads)
    return earned, own


# --- random tables --------------------------------------------------------------------------------

CODES = {
    *("under-own-road", "touches-road", "touches-car", "touches-pillar", "over-pillar"),
    *("over-building", "touches-building", "pillar-on-pillar", "pillar-on-building"),
    *("pillar-under-road", "pillar-touches-road", "pillar-touches-car", "too-steep", "sticks-out"),
    *("reach", "car-touches", "car-on-car"),
}
OF_CARS = {"car-touches", "car-on-car", "car-off-road", "cars-earned", "stock-cars"}


def some_table(rng: np.random.Generator, players: int, **options: Any) -> Table:
    """Chains of roads that nobody checked, some of them with an exit and cars, and two buildings; a
    seat may have left.
    """
    pillars: dict[str, tuple[float, float, int]] = {}
    roads: dict[str, tuple[str, Any]] = {}
    for seat in "ABCD"[:players]:
        at = rng.uniform(-60, 60, 2)
        discs = 1
        for n in range(int(rng.integers(3, 6))):
            if n:
                angle, away = rng.uniform(0, math.tau), rng.uniform(96, 120)
                at = at + away * np.array([math.cos(angle), math.sin(angle)])
                discs = max(1, discs + int(rng.choice([-1, 1])))
                roads[f"{seat}-R{n}"] = (f"{seat}-P{n - 1}", f"{seat}-P{n}")
            pillars[f"{seat}-P{n}"] = (*np.round(at, 2).tolist(), discs)
        if rng.random() < 0.5:
            ramp = tuple(np.round(rng.uniform(-60, 60, 2), 2).tolist())
            pillars[f"{seat}-P9"] = (ramp[0], round(ramp[1] + 108.0, 2), 1)
            roads[f"{seat}-R9"] = (f"{seat}-P9", ramp)
    cars = {
        f"{name[0]}-C{k}": (name, round(float(rng.uniform(0.2, 0.8)), 3))
        for k, name in enumerate(roads)
        if rng.random() < 0.5
    }
    spots = [tuple(np.round(rng.uniform(-150, 150, 2), 1).tolist()) for _ in range(2)]
    kinds = rng.permutation(["tower", "cylinder", "slab"])[:2].tolist()
    order = {name: roads[name] for name in rng.permutation([*roads]).tolist()}
    buildings, left = list(zip(kinds, spots, strict=True)), [stock(3, 15, 2, 2)] * players
    there = {"cars": cars, "players": players, "stocks": left}
    try:
        table = lay_out(pillars, order, buildings=buildings, **there, **options)
    except InputError:  # pillars in one place: another draw
        return some_table(rng, players, **options)
    gone = players > 2 and rng.random() < 0.5
    return replace(table, turns=table.turns.put_out(players - 1)) if gone else table


def some_move(rng: np.random.Generator, table: Table) -> Build | Exit:
    """A build or an exit from the last pillar of a chain of seat A."""
    base = [one for one in table.pillars if one.owner == 0 and one.id != "A-P9"][-1]
    size, angle = table.components, rng.uniform(0, math.tau)
    cars = tuple(
        CarSpot(round(float(rng.uniform(0.15, 0.85)), 3), round(float(rng.uniform(-2, 2)), 2))
        for _ in range(int(rng.integers(3)))
    )
    leaves = base.discs < 8 and rng.random() < 0.25
    away = rng.normal(108, 10)
    if leaves:
        run = math.sqrt(size.road_length**2 - (base.discs * size.disc_height) ** 2)
        away = run + rng.normal(0, 4)
    x, y = base.at[0] + away * math.cos(angle), base.at[1] + away * math.sin(angle)
    at = (round(x, 2) + 0.0, round(y, 2) + 0.0)
    discs = int(rng.integers(1, 8 if rng.random() < 0.9 else 16))
    return Exit(base.id, at, cars) if leaves else Build(base.id, at, discs, True, cars)


def agreed(seed: int, sets: int, each: int) -> Counter[str]:
    """What was found by all, how often, on a table of each preset and so many random options."""
    rng, seen = np.random.default_rng(seed), Counter[str]()
    for players, options in option_sets(rng, sets):
        table = some_table(rng, players, **options)
        batch = sim.Batch("tokyo-highway", 1, players=players, **options)
        batch.place(0, table)
        moves = [some_move(rng, table) for _ in range(each)]
        row = [pillar.id for pillar in table.pillars].index(moves[0].base)
        fast = batch.judge(
            0,
            row,
            [move.at if isinstance(move, Build) else move.to for move in moves],
            [getattr(move, "discs", 0) for move in moves],
            [isinstance(move, Build) for move in moves],
        )
        for move, compiled in zip(moves, fast.tolist(), strict=True):
            seen.update(_judged(table, move, compiled, (seed, options, str(move))))
        settled = replace(table, poses=at_rest(table))
        for _ in range(each):
            (x, y), angle = rng.uniform(-90, 90, 2), rng.uniform(0, math.tau)
            ends = ((x, y), (x + 110 * math.cos(angle), y + 110 * math.sin(angle)))
            new = Road(0, *ends, tuple(rng.uniform(0.5, 6, 2)), "N", False, (None, None))
            told = crossings.judge(new, settled.network)
            assert _earned(told) == cars_of(settled, new), (seed, options, new)
    return seen


def _earned(told: tuple[Crossing, ...]) -> tuple[int, set[str]]:
    own = {one.road.id for one in told if one.reason == "own"}
    return sum(one.scores for one in told), own


def _judged(table: Table, move: Build | Exit, compiled: int, why: object) -> Iterator[str]:
    """Holds one move to the slow rules; what was found."""
    checked = referee.check(table, move)
    assert checked.grown is not None
    road = checked.grown.roads[-1]
    earned, own = cars_of(table, table.line(road))
    told = crossings.judge(table.line(road), table.network)
    assert _earned(told) == (earned, own), why
    yield from (one.reason for one in told)
    earned += isinstance(move, Exit) and not (own and table.ruleset.own_cross_voids)
    legal = all(fault.code in OF_CARS for fault in checked.faults)
    assert compiled == (earned if legal else -1), (why, checked.faults)
    pillar = (*move.at, move.discs) if isinstance(move, Build) else None
    try:
        expected = Judge(table, road, pillar, move.cars or ()).faults()
    except LimitError:
        yield "doubtful"
        return
    found = {(f.code, f.pieces[-1]) for f in checked.faults if f.code in CODES}
    steep = [any(code == "too-steep" for code, _ in some) for some in (expected, found)]
    assert steep[0] == steep[1], why
    expected, found = ({one for one in some if one[0] != "too-steep"} for some in (expected, found))
    assert found == expected, (why, found ^ expected)
    yield from (
        "agreed",
        *["too-steep"] * steep[0],
        *["legal"] * legal,
        *(code for code, _ in found),
    )


def test_random_builds_have_the_faults_and_the_cars_that_solids_in_space_have() -> None:
    seen = agreed(1, 6, 20)
    assert (seen["agreed"] > 200, seen["legal"] > 10) == (True, True), seen
    assert [why for why in ("free", "own", "taken") if not seen[why]] == [], seen


@pytest.mark.slow
def test_every_fault_and_every_reason_is_found_by_solids_in_space_too() -> None:
    seen = agreed(2, 120, 40)
    assert seen["doubtful"] < seen["agreed"] / 10, seen
    reasons = {*get_args(Reason)} - {"voided"} | CODES
    assert [code for code in reasons if not seen[code]] == [], seen


def test_boxes_and_cylinders_are_what_shapely_says() -> None:
    turned = rotate(translate(box(-30, -5, 30, 5), 3, 4), 30, origin=(3, 4))
    solid = slab((3.0, 4.0, 0.0), math.radians(30), 0.0, (60.0, 10.0, 2.0))
    assert solid.plan.symmetric_difference(turned).area == pytest.approx(0.0, abs=1e-9)
    assert clearance(solid, upright(3.0, 4.0, 5.0, 4.0, 9.0)) == pytest.approx(2.0)
