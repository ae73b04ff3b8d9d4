"""Named scenes: one description that tests, benchmarks and viewers share.

Each scene is a set of bodies in the poses in which a hand leaves them, and says whether it stands.
Pieces have the sizes of `estimate-2018` and the ids of a record: pillars `A-P1`, their discs from
the bottom `A-P1.1`, roads `A-R1`, cars `A-C0`, buildings `X0`. A fixed bug of the physics adds a
scene.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import shapely
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.errors import InputError
from sim.bodies import Body, Box, Pose, canonical, rotate, turn
from sim.physics.drop import rest_car, rest_disc, rest_road
from sim.pieces import Components

_Xy = tuple[float, float]

_BOX = Components.named("estimate-2018")
_SEATS = "ABCD"


@dataclass(frozen=True, slots=True)
class Scene:
    """A name, what it is about, the bodies in canonical order, and whether all of them stay where
    they are.

    `stands` is what statics says of the ideal scene: nothing falls. Pieces may still roll or sink
    by tenths of a millimetre.
    """

    name: str
    about: str
    bodies: tuple[Body, ...]
    stands: bool


@cache
def scene(name: str) -> Scene:
    """The scene of that name. Raises InputError, which lists the scenes, for an unknown name."""
    if name not in _SCENES:
        raise InputError(f"there is no scene {name!r}; available: {', '.join(NAMES)}")
    about, stands, build = _SCENES[name]
    return Scene(name, about, canonical(list(build())), stands)


# --- pieces ---------------------------------------------------------------------------------------


def _stack(
    name: str, at: _Xy, discs: int, junction: bool = False, lean: _Xy = (0.0, 0.0)
) -> list[Body]:
    """A pillar; `lean` is how far in mm each disc is off the one below it."""
    owner, h = _SEATS.index(name[0]), _BOX.disc_height
    return [
        _BOX.body(
            f"{name}.{k + 1}",
            "disc",
            rest_disc((at[0] + lean[0] * k, at[1] + lean[1] * k), k * h, _BOX),
            owner,
            junction and k == discs - 1,
        )
        for k in range(discs)
    ]


def _road(
    name: str, start: _Xy, end: _Xy, beneath: Sequence[Body], off: float = 0.0, slide: float = 0.0
) -> Body:
    """A road centred between two points, `off` mm to the left of their line and slid `slide` mm
    along it.
    """
    yaw = math.atan2(end[1] - start[1], end[0] - start[0])
    x = (start[0] + end[0]) / 2 - math.sin(yaw) * off + math.cos(yaw) * slide
    y = (start[1] + end[1]) / 2 + math.cos(yaw) * off + math.sin(yaw) * slide
    pose = rest_road((x, y), math.degrees(yaw), beneath, _BOX)
    return _BOX.body(name, "road", pose, _SEATS.index(name[0]))


def _car(name: str, road: Body, along: float = 0.5, side: float = 0.0) -> Body:
    return _BOX.body(name, "car", rest_car(road, along, side, _BOX), _SEATS.index(name[0]))


# --- small scenes ---------------------------------------------------------------------------------


def _eight_stack() -> list[Body]:
    far = (115 * math.cos(math.radians(150)), 115 * math.sin(math.radians(150)))
    pillars = _stack("A-P1", (115, 0), 7) + _stack("A-P2", (0, 0), 8) + _stack("A-P3", far, 7)
    return [*pillars, _road("A-R1", (115, 0), (0, 0), pillars), _road("A-R2", (0, 0), far, pillars)]


def _slope(jump: int, cars: Sequence[float] = (), side: float = 0.0, foot: int = 1) -> list[Body]:
    run = _plan_length(jump) + 5.0
    pillars = _stack("A-P1", (0, 0), foot) + _stack("A-P2", (run, 0), foot + jump)
    road = _road("A-R1", (0, 0), (run, 0), pillars)
    return [*pillars, road, *(_car(f"A-C{k}", road, along, side) for k, along in enumerate(cars))]


def _ramp(discs: int, cars: Sequence[float] = ()) -> list[Body]:
    pillar = _stack("A-P0", (0, 0), discs)
    road = _road("A-R0", (0, 0), (_plan_length(discs), 0), pillar)
    return [*pillar, road, *(_car(f"A-C{k}", road, along) for k, along in enumerate(cars))]


def _side_by_side() -> list[Body]:
    pillars = _stack("A-P1", (0, 0), 2) + _stack("A-P2", (105, 0), 3) + _stack("A-P3", (210, 0), 2)
    one = _road("A-R1", (0, 0), (105, 0), pillars, off=4.8)
    return [*pillars, one, _road("A-R2", (105, 0), (210, 0), pillars, off=-4.8)]


def _overlap(heights: tuple[int, int, int]) -> list[Body]:
    """Two roads in line whose ends lie one on the other on the middle pillar."""
    at = [(0.0, 0.0), (104.0, 0.0), (208.0, 0.0)]
    pillars = [disc for k in range(3) for disc in _stack(f"A-P{k + 1}", at[k], heights[k])]
    one = _road("A-R1", at[0], at[1], pillars)
    return [*pillars, one, _road("A-R2", at[1], at[2], [*pillars, one])]


def _junction() -> list[Body]:
    pillars = _stack("A-P1", (0, 0), 3, junction=True)
    ends = [(115 * math.cos(a), 115 * math.sin(a)) for a in (math.pi, math.pi / 3, -math.pi / 3)]
    for k, (end, height) in enumerate(zip(ends, (2, 4, 3), strict=True)):
        pillars += _stack(f"A-P{k + 2}", end, height)
    return pillars + [_road(f"A-R{k + 1}", (0, 0), end, pillars) for k, end in enumerate(ends)]


def _stick_on_stack(past: float) -> list[Body]:
    """A road along a diameter of a pillar, its centre of mass `past` mm beyond the rim (negative:
    inside).
    """
    pillar = _stack("A-P1", (0, 0), 2)
    pose = Pose((_BOX.disc_radius + past, 0.0, 2 * _BOX.disc_height + _BOX.road_thickness / 2))
    return [*pillar, _BOX.body("A-R1", "road", pose, 0)]


def _chain(cars: bool) -> list[Body]:
    heights = (1, 2, 3, 2, 1, 2)
    at = [(115.0 * k, 0.0) for k in range(len(heights))]
    pillars = [
        disc for k, height in enumerate(heights) for disc in _stack(f"A-P{k}", at[k], height)
    ]
    roads = [_road(f"A-R{k + 1}", at[k], at[k + 1], pillars) for k in range(len(at) - 1)]
    return [*pillars, *roads, *(_car(f"A-C{k}", road, 0.4) for k, road in enumerate(roads) if cars)]


def _crossing() -> list[Body]:
    lower = _stack("A-P1", (-57, 0), 1) + _stack("A-P2", (57, 0), 1)
    upper = _stack("B-P1", (0, -57), 3) + _stack("B-P2", (0, 57), 3)
    below, over = _road("A-R1", (-57, 0), (57, 0), lower), _road("B-R1", (0, -57), (0, 57), upper)
    return [*lower, *upper, below, over, _car("A-C0", below, 0.5), _car("B-C0", over, 0.5)]


def _leaning_pillar_under_road() -> list[Body]:
    pillars = _stack("A-P1", (0, 0), 4, lean=(0.0, 1.0)) + _stack("A-P2", (115, 3), 4)
    return [*pillars, _road("A-R1", (0, 3), (115, 3), pillars)]


def _counterweight() -> list[Body]:
    """A road that is held level on one pillar only by a car on the short end."""
    pillar = _stack("A-P1", (0, 0), 1)
    pose = Pose((12.0, 0.0, _BOX.disc_height + _BOX.road_thickness / 2))
    road = _BOX.body("A-R1", "road", pose, 0)
    return [*pillar, road, _car("A-C0", road, (55.0 - 30.0) / 110.0)]


def _inclined(degrees: float) -> list[Body]:
    """A car on a slab that slopes down along x: it slips where the tangent of the angle exceeds the
    friction.
    """
    quat = turn((0.0, 1.0, 0.0), degrees)
    slab = Body(
        "X0",
        "building",
        Box((300.0, 80.0, 20.0)),
        Pose((0.0, 0.0, 150.0), quat),
        0.0,
        _BOX.friction,
    )
    lift = rotate(quat, (0.0, 0.0, 10.0 + _BOX.car_height / 2))
    return [slab, _BOX.body("A-C0", "car", Pose((lift[0], lift[1], 150.0 + lift[2]), quat), 0)]


def _beside_building() -> list[Body]:
    building = _BOX.building_body("X0", "tower", Pose((57.0, 30.0, 45.0)))
    return [building, *_slope(1, (0.5,))]


def _plan_length(jump: int) -> float:
    """How long in plan a road is between pillars that differ by `jump` discs, to a millimetre or
    so.
    """
    rise = min(0.9, jump * _BOX.disc_height / (_BOX.road_length - _BOX.disc_radius))
    return _BOX.road_length * math.sqrt(1 - rise**2)


# --- the finished table ---------------------------------------------------------------------------

_ROADS = 9  # each player's, the entrance ramp included
_REACH = 400.0  # mm from the middle: how far away the builders of a table may build
_ATTEMPTS = 60
_STEPS = 150  # roads laid and dead ends met before starting a table anew
_TRIES = 200  # places tried for one pillar


@dataclass(frozen=True, slots=True)
class _Laid:
    """A road in the plan of a table being drawn: its line, the heights of its ends in mm, the
    pillars under it.
    """

    line: LineString
    z: tuple[float, float]
    ends: tuple[str, str]

    def height(self, at: BaseGeometry) -> float:
        share = self.line.project(Point(at.centroid)) / self.line.length
        return self.z[0] + (self.z[1] - self.z[0]) * share


@dataclass(frozen=True, slots=True)
class _Post:
    """A pillar in the plan: where, how many discs, whether a junction."""

    at: _Xy
    discs: int
    junction: bool


class _Plan:
    """A table being drawn: pillars and roads so far, and whether one more would be legal."""

    def __init__(self, buildings: Sequence[Body]) -> None:
        self.posts: dict[str, _Post] = {}
        self.laid: dict[str, _Laid] = {}
        self.blocked = [Point(b.pose.at[:2]).buffer(_plan_radius(b) + 4.0) for b in buildings]

    def post_fits(self, at: _Xy) -> bool:
        r = _BOX.disc_radius
        if math.hypot(*at) > _REACH or any(
            math.dist(at, post.at) < 2 * r + 6 for post in self.posts.values()
        ):
            return False
        point = Point(at)
        if shapely.distance(self.blocked, point).min() < r:
            return False
        lines = [laid.line for laid in self.laid.values()]
        return bool(shapely.distance(lines, point).min() > r + _BOX.road_width / 2 + 3)

    def road_fits(self, road: _Laid) -> bool:
        keep = _BOX.disc_radius + _BOX.road_width / 2 + 3
        others = [post.at for name, post in self.posts.items() if name not in road.ends]
        if shapely.distance(shapely.points(others), road.line).min() < keep:
            return False
        if shapely.distance(self.blocked, road.line).min() < _BOX.road_width:
            return False
        laid = list(self.laid.values())
        near = shapely.distance([other.line for other in laid], road.line) < _BOX.road_width + 3
        return all(self._apart(road, laid[k]) for k in np.flatnonzero(near))

    def _apart(self, road: _Laid, other: _Laid) -> bool:
        wide = _footprint(road.line, 1.0).intersection(_footprint(other.line, 1.0))
        if wide.is_empty:
            return True
        if set(road.ends) & set(other.ends):
            return False  # ends on one pillar lie beside each other, none on the other
        return abs(road.height(wide) - other.height(wide)) > 5.0


def finished_table(
    seed: int, cars: int = 7, discs: tuple[int, int, int, int] = (22, 22, 22, 22)
) -> tuple[Body, ...]:
    """A finished table of four players: each with nine roads (the ramp `R0` among them), `cars`
    cars and so many discs.

    Chains obey the rules on heights and clearances, crossings are at different levels, nothing
    touches but supports. The same seed gives the same table. Raises InputError if no such table was
    found.
    """
    buildings = _buildings()
    for attempt in range(_ATTEMPTS):
        drawn = _draw(np.random.default_rng((seed, attempt)), discs, buildings)
        if drawn is not None:
            bodies = _erect(drawn, buildings)
            placed = _cars(drawn, bodies, cars)
            if placed is not None:
                return canonical([*bodies, *placed])
    raise InputError(f"no table of four players was found for seed {seed} in {_ATTEMPTS} attempts")


def _buildings() -> list[Body]:
    spots = (
        ("tower", 250.0, 250.0),
        ("slab", -250.0, 250.0),
        ("cylinder", -250.0, -250.0),
        ("block", 250.0, -250.0),
    )
    return [
        _BOX.building_body(f"X{k}", kind, Pose((x, y, _BOX.buildings[kind].height / 2)))
        for k, (kind, x, y) in enumerate(spots)
    ]


def _draw(
    rng: np.random.Generator, discs: tuple[int, ...], buildings: Sequence[Body]
) -> _Plan | None:
    plan = _Plan(buildings)
    chains = [_heights(rng, total - 1) for total in discs]
    radius = _BOX.road_length / math.sqrt(2)
    for seat in range(4):
        angle = -math.pi / 2 - seat * math.pi / 2
        out = (math.cos(angle), math.sin(angle))
        at = (radius * out[0], radius * out[1])
        name = f"{_SEATS[seat]}-P0"
        plan.posts[name] = _Post(at, 1, False)
        near, far = radius + 3.5, radius + 3.5 + _plan_length(1)
        line = LineString([(near * out[0], near * out[1]), (far * out[0], far * out[1])])
        plan.laid[f"{_SEATS[seat]}-R0"] = _Laid(line, (_BOX.disc_height, 0.0), (name, ""))
    built = [0] * 4
    for _ in range(_STEPS):
        if min(built) == _ROADS - 1:
            return plan
        seat = built.index(min(built))
        if _extend(plan, rng, _SEATS[seat], built[seat] + 1, chains[seat]):
            built[seat] += 1
            continue
        keep = max(0, built[seat] - 3)  # a dead end: this player takes a few roads back
        for number in range(keep + 1, built[seat] + 1):
            del plan.posts[f"{_SEATS[seat]}-P{number}"], plan.laid[f"{_SEATS[seat]}-R{number}"]
        built[seat] = keep
    return None


def _heights(rng: np.random.Generator, total: int) -> list[tuple[int, int, bool]]:
    """For each pillar after the entrance: the number of its base pillar, its height, whether it is
    a junction.
    """
    while True:
        first, second = sorted(int(k) for k in rng.choice(np.arange(2, 7), 2, replace=False))
        branch = int(rng.integers(first + 2, _ROADS))
        chain = [(0, 1, False)]
        for k in range(1, _ROADS):
            base = first if k == branch else k - 1
            junction = k in (first, second)
            jump = int(rng.choice((-2, -1, 1, 2) if junction else (-1, 1)))
            chain.append((base, chain[base][1] + jump, junction))
        heights = [height for _, height, _ in chain[1:]]
        if (
            sum(heights) == total
            and min(heights) >= 1
            and max(heights) <= 5
            and all(h > 1 for _, h, j in chain if j)
        ):
            return chain


def _extend(
    plan: _Plan,
    rng: np.random.Generator,
    seat: str,
    number: int,
    chain: Sequence[tuple[int, int, bool]],
) -> bool:
    base_number, height, junction = chain[number]
    base, name = f"{seat}-P{base_number}", f"{seat}-P{number}"
    start = plan.posts[base]
    for _ in range(_TRIES):
        angle, spare = rng.uniform(0, 2 * math.pi), rng.uniform(2.5, 4.5)
        u = (math.cos(angle), math.sin(angle))
        reach = _plan_length(abs(height - start.discs)) + 2 * spare
        at = (round(start.at[0] + reach * u[0], 2), round(start.at[1] + reach * u[1], 2))
        if not plan.post_fits(at):
            continue
        ends = [
            (start.at[0] + spare * u[0], start.at[1] + spare * u[1]),
            (at[0] - spare * u[0], at[1] - spare * u[1]),
        ]
        road = _Laid(
            LineString(ends),
            (start.discs * _BOX.disc_height, height * _BOX.disc_height),
            (base, name),
        )
        if plan.road_fits(road):
            plan.posts[name] = _Post(at, height, junction)
            plan.laid[f"{seat}-R{number}"] = road
            return True
    return False


def _erect(plan: _Plan, buildings: Sequence[Body]) -> list[Body]:
    pillars = [
        disc
        for name, post in plan.posts.items()
        for disc in _stack(name, post.at, post.discs, post.junction)
    ]
    roads = []
    for name, laid in plan.laid.items():
        (x0, y0), (x1, y1) = laid.line.coords
        roads.append(_road(name, (x0, y0), (x1, y1), pillars))
    return [*buildings, *pillars, *roads]


def _cars(plan: _Plan, bodies: Sequence[Body], count: int) -> list[Body] | None:
    """Cars on every player's roads, the ramp first, clear of every other road; None if there is no
    room for so many.
    """
    roads = {body.id: body for body in bodies if body.kind == "road"}
    placed: list[Body] = []
    for seat in _SEATS:
        spots = [
            (f"{seat}-R{k}", along)
            for along in (0.5, 0.35, 0.65, 0.25, 0.75)
            for k in range(_ROADS)
        ]
        taken: list[tuple[str, float]] = []
        for name, along in spots:
            gentle = abs(plan.laid[name].z[0] - plan.laid[name].z[1]) <= 2 * _BOX.disc_height
            free = all(name != other or abs(along - where) > 0.2 for other, where in taken)
            if len(taken) < count and gentle and free and _clear(plan, name, along):
                placed.append(_car(f"{seat}-C{len(taken)}", roads[name], along))
                taken.append((name, along))
        if len(taken) < count:
            return None
    return placed


def _clear(plan: _Plan, name: str, along: float) -> bool:
    here = plan.laid[name]
    spot = here.line.interpolate(along, normalized=True)
    top = here.height(spot) + _BOX.road_thickness + _BOX.car_height + 4.0
    keep = _BOX.car_length / 2 + _BOX.road_width / 2 + 3.0
    return all(
        other is here
        or other.line.distance(spot) > keep
        or not here.height(spot) < other.height(spot) < top
        for other in plan.laid.values()
    )


def _footprint(line: LineString, more: float) -> Polygon:
    return line.buffer(_BOX.road_width / 2 + more, cap_style="flat")


def _plan_radius(body: Body) -> float:
    return (
        math.hypot(body.shape.size[0], body.shape.size[1]) / 2
        if isinstance(body.shape, Box)
        else body.shape.radius
    )


# --- the list -------------------------------------------------------------------------------------

_LEAN = 2 * _BOX.disc_radius / 8  # a stack of eight falls at this offset a disc

_Builder = Callable[[], Sequence[Body]]
_SCENES: dict[str, tuple[str, bool, _Builder]] = {
    "eight-stack": ("eight discs with two roads on top", True, _eight_stack),
    "sloping-road-car": ("a road up one disc with a car on it", True,
                         lambda: _slope(1, (0.5,), foot=2)),
    "tall-stack": ("a pillar of twelve discs", True, lambda: _stack("A-P1", (0, 0), 12)),
    "leaning-stack-far-from-falling": ("eight discs, half the offset at which they fall", True,
                                       lambda: _stack("A-P1", (0, 0), 8, lean=(_LEAN / 2, 0))),
    "leaning-stack-stands": ("eight discs, 0.5 mm a disc before they fall", True,
                             lambda: _stack("A-P1", (0, 0), 8, lean=(_LEAN - 0.5, 0))),
    "leaning-stack-falls": ("eight discs, 0.1 mm a disc too far", False,
                            lambda: _stack("A-P1", (0, 0), 8, lean=(_LEAN + 0.1, 0))),
    "leaning-pillar-under-road": ("a road on the overhanging top of a leaning pillar", True,
                                  _leaning_pillar_under_road),
    "bridge": ("a level road between two pillars", True, lambda: _slope(0, foot=2)),
    "bridge-with-cars": ("a level road with two cars", True, lambda: _slope(0, (0.3, 0.7), foot=2)),
    "side-by-side-ends": ("two roads beside each other on one disc", True, _side_by_side),
    "overlapping-ends": ("level roads, the end of one on the end of the other", True,
                         lambda: _overlap((2, 2, 2))),
    "overlapping-ends-up": ("a road that lies on the end of a rising one and rises on", True,
                            lambda: _overlap((1, 2, 3))),
    "overlapping-ends-peak": ("two rising roads whose ends lie on each other at the top", True,
                              lambda: _overlap((2, 3, 2))),
    "junction": ("three roads on a yellow disc", True, _junction),
    "jump-2": ("a road up two discs", True, lambda: _slope(2)),
    "jump-3": ("a road up three discs", True, lambda: _slope(3)),
    "jump-4": ("a road up four discs", True, lambda: _slope(4)),
    "jump-5": ("a road up five discs", True, lambda: _slope(5)),
    "car-holds-on-jump-2": ("a car on a road up two discs", True, lambda: _slope(2, (0.5,))),
    "car-slides-off-jump-4": ("a car on a road up four discs, too steep for its friction", False,
                              lambda: _slope(4, (0.5,))),
    "car-on-the-edge": ("a car that hangs over the road's edge by a millimetre less than half",
                        True, lambda: _slope(0, (0.5,), side=3.5)),
    "car-over-the-edge": ("a car with its centre a millimetre beyond the road's edge", False,
                          lambda: _slope(0, (0.5,), side=5.5)),
    "ramp": ("an entrance: from a disc down to the table, with its car", True,
             lambda: _ramp(1, (0.5,))),
    "ramp-from-2": ("an exit from two discs", True, lambda: _ramp(2)),
    "ramp-from-3": ("an exit from three discs", True, lambda: _ramp(3)),
    "stick-inside-the-rim": ("a road on one pillar, its centre 0.5 mm inside the rim", True,
                             lambda: _stick_on_stack(-0.5)),
    "stick-past-the-rim": ("a road on one pillar, its centre 0.5 mm past the rim", False,
                           lambda: _stick_on_stack(0.5)),
    "counterweight": ("a road kept from tipping by the car on its short end", True, _counterweight),
    "chain": ("six pillars, five roads end to end", True, lambda: _chain(cars=False)),
    "chain-with-cars": ("six pillars, five roads end to end, a car on each", True,
                        lambda: _chain(cars=True)),
    "crossing": ("one road over another, a car on each", True, _crossing),
    "beside-a-building": ("a road with a car close to a tower", True, _beside_building),
    "car-holds-on-incline": ("a car on a slope one degree short of slipping", True,
                             lambda: _inclined(math.degrees(math.atan(_BOX.friction)) - 1)),
    "car-slips-on-incline": ("a car on a slope one degree too steep", False,
                             lambda: _inclined(math.degrees(math.atan(_BOX.friction)) + 1)),
    "four-player-table": ("a finished table: 36 roads, 88 discs, 28 cars, 4 buildings", True,
                          lambda: finished_table(24)),
    "stress-table": ("a table with 40 cars and 90 discs, more than a game has", True,
                     lambda: finished_table(6, cars=10, discs=(22, 23, 22, 23))),
}  # fmt: skip

NAMES: tuple[str, ...] = tuple(_SCENES)
