"""The pieces in the box: kinds, sizes, masses, friction and how many each player gets, read from `assets/components/*.toml`.

No size of a piece is written in code. A file may be named (`estimate-2018`) or given by path, so that an owner of the game can
measure a box and use the numbers.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rules.errors import InputError
from sim.assets import asset
from sim.bodies import Body, Box, Cylinder, Kind
from sim.poses import Pose

__all__ = ["Building", "Components", "Supply"]

_GRAMS = 1e-6  # kg/m3 times mm3, in grams


@dataclass(frozen=True, slots=True)
class Supply:
    """What one player has: cars, grey and yellow discs, roads."""

    cars: int
    grey: int
    yellow: int
    roads: int


@dataclass(frozen=True, slots=True)
class Building:
    """An obstacle of the 3- and 4-player game; it is never moved, so only its shape matters."""

    kind: str
    shape: Box | Cylinder

    @property
    def height(self) -> float:
        """Height above the table in mm."""
        return self.shape.size[2] if isinstance(self.shape, Box) else self.shape.height


@dataclass(frozen=True, slots=True)
class Components:
    """One box of the game: lengths in mm, masses in grams, friction as mu (static = kinetic)."""

    name: str
    road_length: float
    road_width: float
    road_thickness: float
    road_mass: float
    disc_diameter: float
    disc_height: float
    disc_mass: float
    car_length: float
    car_width: float
    car_height: float
    car_mass: float
    friction: float
    buildings: Mapping[str, Building]
    supplies: Mapping[int, Supply]

    @property
    def disc_radius(self) -> float:
        """Half the diameter of a disc, in mm."""
        return self.disc_diameter / 2

    @classmethod
    def named(cls, name: str) -> Components:
        """The components of that name under `assets/components`, or of a TOML file given by path.

        Raises InputError if there is no such file, or if a number in it is missing or invalid.
        """
        return _load(name)

    def body(self, piece_id: str, kind: Kind, pose: Pose, owner: int | None = None, junction: bool = False) -> Body:
        """A disc, road or car of this box as a free body."""
        shape: Box | Cylinder
        if kind == "disc":
            shape, mass = Cylinder(self.disc_radius, self.disc_height), self.disc_mass
        elif kind == "road":
            shape, mass = Box((self.road_length, self.road_width, self.road_thickness)), self.road_mass
        else:
            shape, mass = Box((self.car_length, self.car_width, self.car_height)), self.car_mass
        return Body(piece_id, kind, shape, pose, mass, self.friction, owner, junction)

    def building_body(self, piece_id: str, kind: str, pose: Pose) -> Body:
        """A building of this box as a body that never moves."""
        return Body(piece_id, "building", self.buildings[kind].shape, pose, 0.0, self.friction)


@lru_cache(maxsize=32)
def _load(name: str) -> Components:
    path = Path(name) if name.endswith(".toml") else asset("components", f"{name}.toml")
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{name}: the components file cannot be read: {error}") from error
    try:
        return _components(data)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{name}: the components file lacks or misstates {error}; see estimate-2018.toml") from error


def _components(data: Mapping[str, Any]) -> Components:
    road, disc, car = data["road"], data["disc"], data["car"]
    length, width, thickness = (_positive(road, key) for key in ("length", "width", "thickness"))
    diameter, height = _positive(disc, "diameter"), _positive(disc, "height")
    car_size = tuple(_positive(car, key) for key in ("length", "width", "height"))
    return Components(
        name=str(data["name"]),
        road_length=length,
        road_width=width,
        road_thickness=thickness,
        road_mass=length * width * thickness * _positive(road, "density") * _GRAMS,
        disc_diameter=diameter,
        disc_height=height,
        disc_mass=math.pi * (diameter / 2) ** 2 * height * _positive(disc, "density") * _GRAMS,
        car_length=car_size[0],
        car_width=car_size[1],
        car_height=car_size[2],
        car_mass=math.prod(car_size) * _positive(car, "density") * _GRAMS,
        friction=_positive(data["friction"], "wood"),
        buildings={kind: Building(kind, _shape(kind, spec)) for kind, spec in sorted(data.get("building", {}).items())},
        supplies={int(n): _supply(supply) for n, supply in sorted(data["supplies"].items())},
    )


def _positive(section: Mapping[str, Any], key: str) -> float:
    value = float(section[key])
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"{key} = {section[key]!r} (a number above 0 is needed)")
    return value


def _shape(kind: str, spec: Mapping[str, Any]) -> Box | Cylinder:
    size = [_positive({"size": number}, "size") for number in spec["size"]]
    if spec["shape"] == "box" and len(size) == 3:
        return Box((size[0], size[1], size[2]))
    if spec["shape"] == "cylinder" and len(size) == 2:
        return Cylinder(size[0] / 2, size[1])
    raise ValueError(f"building.{kind}: a box has three sizes, a cylinder two (diameter, height)")


def _supply(spec: Mapping[str, Any]) -> Supply:
    counts = {key: spec[key] for key in ("cars", "grey", "yellow", "roads")}
    if not all(isinstance(n, int) and n >= 0 for n in counts.values()):
        raise ValueError(f"supplies {counts} (whole numbers are needed)")
    return Supply(**counts)
