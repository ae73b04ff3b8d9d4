"""Named situations: a table at rest, and a piece put on it or a hand led through it. Tests say what
must happen in every engine.

Each shows a fault of the physics that was once found and mended. Tests and benchmarks share them.
What comes from games lies in `assets/scenes`; `tools.scenes` has those that stand or fall by
themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from rules.errors import InputError
from sim.bodies import Body, Box, Pose, Quaternion, canonical, compose, rotate, turn
from sim.physics.engine import Engine, HandPath
from sim.physics.world import World
from sim.pieces import Components
from tools.scenes import shipped

_BOX = Components.named("estimate-2018")


@dataclass(frozen=True, slots=True)
class Situation:
    """A name, what it is about, the bodies that stand, those that are put there, and the path of a
    hand if one goes past.
    """

    name: str
    about: str
    standing: tuple[Body, ...]
    new: tuple[Body, ...] = ()
    path: HandPath | None = None

    def world(self, engine: Engine | str | None = None) -> World:
        """A new world, ready to settle."""
        world = World(self.standing, engine)
        world.place(*self.new)
        if self.path is not None:
            world.sweep(self.path)
        return world


@cache
def situation(name: str) -> Situation:
    """The situation of that name. Raises InputError, which lists the situations, for an unknown
    name.
    """
    if name not in _SITUATIONS:
        raise InputError(f"there is no situation {name!r}; available: {', '.join(NAMES)}")
    return _SITUATIONS[name](name)


def _shipped(name: str) -> Situation:
    data = shipped(name)
    standing = tuple(body for body in data["bodies"] if body.id not in data["new"])
    points = data["hand"] and tuple((float(x), float(y), float(z)) for x, y, z in data["hand"])
    new = tuple(body for body in data["bodies"] if body.id in data["new"])
    return Situation(name, data["about"], standing, new, HandPath(points) if points else None)


def _slabs_on_a_slope(name: str) -> Situation:
    """A car on five free slabs that a held block keeps from sliding; their slope is a third of a
    degree too steep for the car.
    """
    tilt = turn((0.0, 1.0, 0.0), math.degrees(math.atan(_BOX.friction)) + 0.3)
    slope = Body("X0", "building", Box((400.0, 100.0, 20.0)), _on(tilt, -10.0), 0.0, _BOX.friction)
    stop = Body(
        "X1", "building", Box((10.0, 40.0, 49.0)), _on(tilt, 24.5, 35.0), 0.0, _BOX.friction
    )
    slab = Box((60.0, 40.0, 10.0))
    slabs = [
        Body(
            f"S{k}",
            "disc",
            slab,
            _on(tilt, 10.0 * k + 5.0),
            math.prod(slab.size) * 6e-4,
            _BOX.friction,
        )
        for k in range(5)
    ]
    at, _ = _on(tilt, 50.0 + _BOX.car_height / 2)
    car = _BOX.body("A-C0", "car", Pose(at, compose(tilt, turn((0.0, 0.0, 1.0), 20.0))))
    return Situation(
        name, "a car on five free slabs, too steep for it", (slope, stop), canonical([*slabs, car])
    )


def _on(tilt: Quaternion, up: float, along: float = 0.0) -> Pose:
    x, y, z = rotate(tilt, (along, 0.0, up))
    return Pose((x, y, z + 150.0), tilt)


def _rolling_disc(name: str) -> Situation:
    """A disc on its rim on a slope, which it leaves at half a metre per second."""
    tilt = turn((0.0, 1.0, 0.0), 20.0)
    length, thick = 150.0, 10.0
    high = length / 2 * math.sin(math.radians(20.0)) - thick / 2 * math.cos(math.radians(20.0))
    slope = Body(
        "X0",
        "building",
        Box((length, 60.0, thick)),
        Pose((0.0, 0.0, high), tilt),
        0.0,
        _BOX.friction,
    )
    x, y, z = rotate(tilt, (-length / 2 + 15.0, 0.0, thick / 2 + _BOX.disc_radius))
    upright = compose(tilt, turn((1.0, 0.0, 0.0), 90.0))
    return Situation(
        name,
        "a disc that rolls off a slope",
        (slope,),
        (_BOX.body("A-P1.1", "disc", Pose((x, y, z + high), upright)),),
    )


def _flicked_road(name: str) -> Situation:
    """A level road, and a finger that goes 5.5 mm into its flank at 300 mm/s and turns back."""
    discs = [
        _BOX.body(
            f"B-P{k}.{level + 1}",
            "disc",
            Pose((15.0, (k - 0.5) * 107.0, (level + 0.5) * _BOX.disc_height)),
        )
        for k in range(2)
        for level in range(3)
    ]
    height = 3 * _BOX.disc_height
    road = _BOX.body(
        "B-R0",
        "road",
        Pose((15.0, 0.0, height + _BOX.road_thickness / 2), turn((0.0, 0.0, 1.0), 90.0)),
    )
    points = ((0.0, 0.0, height - 6.0), (9.0, 0.0, height - 6.0), (-15.0, 0.0, 60.0))
    return Situation(
        name,
        "a road that a finger flicks off its pillars",
        canonical([*discs, road]),
        (),
        HandPath(points, 300.0),
    )


_SITUATIONS: dict[str, Callable[[str], Situation]] = {
    "car-held-past-its-friction": _shipped,
    "car-on-free-slabs": _slabs_on_a_slope,
    "rolling-disc": _rolling_disc,
    "flicked-road": _flicked_road,
    "knock-in-a-full-game": _shipped,
    "disc-that-leans": _shipped,
    "road-that-rocks": _shipped,
}

NAMES: tuple[str, ...] = tuple(_SITUATIONS)
