"""Named scenes: one description that tests, benchmarks and viewers share.

Each scene is a set of bodies in the poses in which a hand leaves them, and says whether it stands.
Pieces have the sizes of `estimate-2018` and the ids of a record: pillars `A-P1`, their discs from
the bottom `A-P1.1`, roads `A-R1`, cars `A-C0`, buildings `X0`. A fixed bug of the physics adds a
scene. Large tables, and what comes from games, lie in `assets/scenes`, as rows of id, kind, sizes
in mm, pose, grams, friction, and where they have them owner, junction and friction on the table.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from rules.errors import InputError
from sim.assets import asset
from sim.bodies import Body, Box, Cylinder, Pose, canonical, rotate, turn
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


# --- tables from files ----------------------------------------------------------------------------


def shipped(name: str) -> dict[str, Any]:
    """A scene of `assets/scenes`: what it is about, its bodies, the ids of those that are new, and
    the path of a hand.
    """
    data: dict[str, Any] = json.loads(asset("scenes", f"{name}.json").read_text(encoding="utf-8"))
    return {**data, "bodies": canonical([_body(*row) for row in data["bodies"]])}


def _body(
    name: str,
    kind: Any,
    sizes: Sequence[float],
    pose: list[float],
    mass: float,
    friction: float,
    owner: int | None = None,
    junction: bool = False,
    table_friction: float | None = None,
) -> Body:
    shape = Box((sizes[0], sizes[1], sizes[2])) if len(sizes) == 3 else Cylinder(sizes[0], sizes[1])
    return Body(
        name, kind, shape, Pose.from_list(pose), mass, friction, owner, junction, table_friction
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
                          lambda: shipped("four-player-table")["bodies"]),
    "stress-table": ("a table with 40 cars and 90 discs, more than a game has", True,
                     lambda: shipped("stress-table")["bodies"]),
}  # fmt: skip

NAMES: tuple[str, ...] = tuple(_SCENES)
