"""The pieces in the box: kinds, sizes, masses, friction and how many each player gets, read from
`assets/components/*.toml`.

No size of a piece is written in code. A file may be named (`estimate-2018`) or given by path, so
that an owner of the game can measure a box and use the numbers.
"""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from rules.errors import InputError
from rules.files import os_reason, read_regular
from rules.near import meant
from rules.record.jsonl import why_unreadable
from sim.assets import asset, names
from sim.bodies import Body, Box, Cylinder, Kind, Pose, friction_between

_GRAMS = 1e-6  # kg/m3 times mm3, in grams


Surface = Literal["disc", "road", "car", "table"]


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
        return 2 * self.shape.half[2]


@dataclass(frozen=True, slots=True)
class Components:
    """One box of the game: lengths in mm, masses in grams, friction as mu (static = kinetic).

    `friction` is that of a disc on a disc; `road_friction`, `car_friction` and `table_friction` are
    those of the other materials on themselves. Between two materials it is the geometric mean.
    `rolling` is the resistance of a disc that rolls on the table, as a share of its radius; None is
    wood on wood.
    """

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
    road_friction: float
    car_friction: float
    table_friction: float
    rolling: float | None = None

    @property
    def pairs(self) -> dict[str, float]:
        """The friction of each of PAIRS."""
        return {
            "disc-disc": self.friction,
            "road-disc": self.friction_of("road", "disc"),
            "car-road": self.friction_of("car", "road"),
            "disc-table": self.friction_of("disc", "table"),
        }

    def with_pairs(self, pairs: Mapping[str, float]) -> Components:
        """The same box with this friction for each of PAIRS; no material gets more friction on
        itself than physics takes.
        """
        own = {surface: min(mu, _OWN_FRICTION) for surface, mu in own_frictions(pairs).items()}
        return replace(
            self,
            friction=own["friction"],
            road_friction=own["road_friction"],
            car_friction=own["car_friction"],
            table_friction=own["table_friction"],
        )

    def friction_of(self, one: Surface, other: Surface) -> float:
        """The coefficient of friction between two materials."""
        own = {
            "disc": self.friction,
            "road": self.road_friction,
            "car": self.car_friction,
            "table": self.table_friction,
        }
        return friction_between(own[one], own[other])

    @property
    def disc_radius(self) -> float:
        """Half the diameter of a disc, in mm."""
        return self.disc_diameter / 2

    @property
    def sizes(self) -> tuple[float, ...]:
        """The sizes that geometry needs, in mm: length, width and thickness of a road, radius and
        height of a disc, length, width and height of a car.
        """
        return (
            *(self.road_length, self.road_width, self.road_thickness),
            *(self.disc_radius, self.disc_height),
            *(self.car_length, self.car_width, self.car_height),
        )

    @classmethod
    def named(cls, name: str) -> Components:
        """The components of that name under `assets/components`, or of a TOML file given by path.

        Raises InputError if there is no such regular file, or if a number in it is missing or out
        of range.
        """
        return _load(name, _stamp(name))

    def body(
        self,
        piece_id: str,
        kind: Kind,
        pose: Pose,
        owner: int | None = None,
        junction: bool = False,
    ) -> Body:
        """A disc, road or car of this box as a free body."""
        kinds: dict[Kind, tuple[Box | Cylinder, float, float]] = {
            "disc": (
                Cylinder(self.disc_radius, self.disc_height),
                self.disc_mass,
                self.friction,
            ),
            "road": (
                Box((self.road_length, self.road_width, self.road_thickness)),
                self.road_mass,
                self.road_friction,
            ),
            "car": (
                Box((self.car_length, self.car_width, self.car_height)),
                self.car_mass,
                self.car_friction,
            ),
        }
        shape, mass, own = kinds[kind]
        return Body(
            piece_id,
            kind,
            shape,
            pose,
            mass,
            own,
            owner,
            junction,
            self.table_friction,
            self.rolling,
        )

    def building_body(self, piece_id: str, kind: str, pose: Pose) -> Body:
        """A building of this box as a body that never moves."""
        return Body(
            piece_id,
            "building",
            self.buildings[kind].shape,
            pose,
            0.0,
            self.friction,
            table_friction=self.table_friction,
        )


def _stamp(name: str) -> tuple[str, int, int] | None:
    """A stamp that differs between files, and between versions of one file."""
    try:
        found = Path(name).stat()
    except (OSError, ValueError):
        return None
    return os.path.realpath(name), found.st_mtime_ns, found.st_size


@lru_cache(maxsize=32)
def _load(name: str, stamp: tuple[str, int, int] | None = None) -> Components:  # noqa: ARG001 - it is for the cache
    return _components(_Section(name, "", read_file(name)))


def read_file(name: str) -> Mapping[str, Any]:
    """What a components file says, unchecked; `name` as for `Components.named`. Raises InputError
    if it cannot be read.
    """
    path = _file(name)
    try:
        return tomllib.loads(read_regular(path, MAX_FILE).decode("utf-8"))
    except OSError as error:
        raise InputError(
            f"{_end_of(name)}: the components file cannot be read: {os_reason(error)}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{_end_of(name)}: the components file cannot be read: {_short(why_unreadable(error))}"
        ) from error


def _file(name: str) -> Path:
    if name.endswith(".toml"):
        return Path(name)
    if name not in names("components"):
        raise InputError(
            f"there are no components '{_short(name)}'; shipped are "
            f"{', '.join(names('components'))}; "
            "a file of your own is named with its suffix, as "
            f"my-box.toml{meant(name, names('components'))}"
        )
    return asset("components", f"{name}.toml")


def _short(text: str) -> str:
    """For a message: not too long, and without line feeds or what else does not print."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")[1:-1]


def _end_of(path: str) -> str:
    """A path for a message: if it is too long, its end, which has the name of the file."""
    return repr(path if len(path) <= _SHOWN else f"...{path[-_SHOWN:]}")[1:-1]


def _shown(value: object) -> str:
    try:
        return _short(str(value))
    except ValueError:
        return "a number of thousands of digits"


# --- what a file may say --------------------------------------------------------------------------
# The ranges are far wider than any box of the game, and narrow enough that physics gets nothing
# that it cannot handle: no size of nothing, no plate as thin as air, no mass that is lost beside
# another.

MAX_FILE = 64 * 1024  # bytes; the shipped files have 2 kB
_SHOWN = 80  # characters of a name or a reason that a message quotes
_MAX_BUILDINGS = 100
_MAX_SUPPLY = 200  # of one kind of piece; the largest supply of the box is 30

_ROAD = {"length": (20.0, 500.0), "width": (1.0, 100.0), "thickness": (0.5, 50.0)}  # mm
_DISC = {"diameter": (2.0, 100.0), "height": (1.0, 30.0)}
_CAR = {"length": (1.0, 200.0), "width": (1.0, 100.0), "height": (1.0, 100.0)}
_BUILDING = (1.0, 500.0)
_DENSITY = (10.0, 25_000.0)  # kg/m3: cork has 100, platinum 21 000
_WEIGHT = (0.001, 100_000.0)  # g, before the density that it means is looked at
_FRICTION = (0.01, 2.0)  # rubber on wood has 0.8
_OWN_FRICTION = 10.0  # what follows from the pairs for a surface on its like; physics takes no more
_ROLLING = (0.0, 0.5)


def _components(top: _Section) -> Components:
    road, disc, car = (top.section(key) for key in ("road", "disc", "car"))
    length, width, thickness = (road.number(key, limits) for key, limits in _ROAD.items())
    diameter, height = (disc.number(key, limits) for key, limits in _DISC.items())
    car_length, car_width, car_height = (car.number(key, limits) for key, limits in _CAR.items())
    return Components(
        name=top.line("name"),
        road_length=length,
        road_width=width,
        road_thickness=thickness,
        road_mass=_mass(road, length * width * thickness),
        disc_diameter=diameter,
        disc_height=height,
        disc_mass=_mass(disc, math.pi * (diameter / 2) ** 2 * height),
        car_length=car_length,
        car_width=car_width,
        car_height=car_height,
        car_mass=_mass(car, car_length * car_width * car_height),
        buildings=_buildings(top.section("building")) if "building" in top.data else {},
        supplies=_supplies(top.section("supplies")),
        rolling=top.section("rolling").number("disc-table", _ROLLING)
        if "rolling" in top.data
        else None,
        **_frictions(top.section("friction")),
    )


def _mass(piece: _Section, volume: float) -> float:
    """In grams: weighed, or from a density; of mm3."""
    if "weight" not in piece.data:
        return volume * piece.number("density", _DENSITY) * _GRAMS
    if "density" in piece.data:
        raise piece.wrong("", "has both weight and density; give one of them")
    mass, (lightest, heaviest) = (
        piece.number("weight", _WEIGHT),
        (volume * density * _GRAMS for density in _DENSITY),
    )
    if not lightest <= mass <= heaviest:
        raise piece.wrong(
            "weight",
            (
                f"must be a number from {lightest:.3g} to {heaviest:.3g} (g) for this size, not "
                f"{mass:g}"
            ),
        )
    return mass


PAIRS = ("disc-disc", "road-disc", "car-road", "disc-table")
"""The pairs of surfaces whose friction a file may give; `wood` counts for those that it
leaves out.
"""


def _frictions(given: _Section) -> dict[str, float]:
    """What each surface has on its like, such that the pairs have what the file says.

    Both engines and statics take the geometric mean of two surfaces. Four pairs decide four
    surfaces; that of a road on a road, for one, follows.
    """
    pairs = {
        pair: given.number(pair if pair in given.data else "wood", _FRICTION) for pair in PAIRS
    }
    own = own_frictions(pairs)
    for pair, surface in (
        ("road-disc", "road_friction"),
        ("car-road", "car_friction"),
        ("disc-table", "table_friction"),
    ):
        if own[surface] > _OWN_FRICTION:
            least = (
                f"a surface would have {own[surface]:.3g} on its like, and {_OWN_FRICTION:g} "
                "is the most"
            )
            raise given.wrong(pair, f"is {pairs[pair]:g}, far from the others: {least}")
    return own


def own_frictions(pairs: Mapping[str, float]) -> dict[str, float]:
    """The friction of each material on itself, by the field of Components, from the friction of
    each of PAIRS.
    """
    discs = pairs["disc-disc"]
    roads = _own(pairs["road-disc"], discs)
    cars, table = _own(pairs["car-road"], roads), _own(pairs["disc-table"], discs)
    return {
        "friction": discs,
        "road_friction": roads,
        "car_friction": cars,
        "table_friction": table,
    }


def _own(mu: float, other: float) -> float:
    """The coefficient of a surface on its like, from that on another and the other's own."""
    return other if mu == other else mu**2 / other


def _buildings(listed: _Section) -> dict[str, Building]:
    if len(listed.data) > _MAX_BUILDINGS:
        raise listed.wrong("", f"has {len(listed.data)} kinds; {_MAX_BUILDINGS} are the most")
    return {kind: Building(kind, _shape(listed.section(kind))) for kind in sorted(listed.data)}


def _shape(spec: _Section) -> Box | Cylinder:
    given = spec.need("size")
    size = (
        [spec.checked("size", number, _BUILDING) for number in given]
        if isinstance(given, list)
        else []
    )
    if spec.need("shape") == "box" and len(size) == 3:
        return Box((size[0], size[1], size[2]))
    if spec.need("shape") == "cylinder" and len(size) == 2:
        return Cylinder(size[0] / 2, size[1])
    raise spec.wrong(
        "", 'needs shape = "box" with three sizes or "cylinder" with two (diameter, height)'
    )


def _supplies(listed: _Section) -> dict[int, Supply]:
    strange = sorted(listed.data.keys() - {"2", "3", "4"})
    if strange:
        raise listed.wrong("", f"is for 2, 3 or 4 players, not {_short(strange[0])}")
    kinds = ("cars", "grey", "yellow", "roads")
    each = {players: listed.section(players) for players in sorted(listed.data)}
    return {int(n): Supply(*(spec.count(key) for key in kinds)) for n, spec in each.items()}


@dataclass(frozen=True, slots=True)
class _Section:
    """A table of a components file with its place in the file, for messages."""

    file: str
    place: str
    data: Mapping[str, Any]

    def wrong(self, key: str, reason: str) -> InputError:
        """The error for a key of this table, or for the table itself."""
        place = ".".join(part for part in (self.place, key) if part)
        return InputError(f"{_end_of(self.file)}: {_short(place)} {reason}; see estimate-2018.toml")

    def need(self, key: str) -> Any:
        """The value of a key that must be there."""
        if key not in self.data:
            raise self.wrong(key, "is missing")
        return self.data[key]

    def line(self, key: str) -> str:
        """The text of a key, of one line."""
        value = self.need(key)
        if not isinstance(value, str) or len(value) > _SHOWN or not value.isprintable():
            raise self.wrong(
                key,
                f"must be a text of one line and {_SHOWN} characters at most, not {_shown(value)}",
            )
        return value

    def section(self, key: str) -> _Section:
        """A table in this one."""
        found = self.need(key)
        if not isinstance(found, Mapping):
            raise self.wrong(key, f"must be a table, not {_shown(found)}")
        return _Section(self.file, f"{self.place}.{key}" if self.place else key, found)

    def number(self, key: str, limits: tuple[float, float]) -> float:
        """The number of a key, within limits."""
        return self.checked(key, self.need(key), limits)

    def checked(self, key: str, value: object, limits: tuple[float, float]) -> float:
        """The value as a number if it is one within limits."""
        low, high = limits
        if (
            not isinstance(value, int | float)
            or isinstance(value, bool)
            or not low <= value <= high
        ):
            raise self.wrong(key, f"must be a number from {low:g} to {high:g}, not {_shown(value)}")
        return float(value)

    def count(self, key: str) -> int:
        """The number of pieces that a key gives."""
        value = self.need(key)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MAX_SUPPLY:
            raise self.wrong(
                key, f"must be a whole number from 0 to {_MAX_SUPPLY}, not {_shown(value)}"
            )
        return value
