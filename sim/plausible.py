"""What is plausible in a components file: ranges of real boxes, narrower than what physics can
handle.

`sim.pieces` refuses what no engine could take. Here is what a ruler, a scale or a finger on the
wrong key gets wrong: sizes that no box of the game has, densities of no wood or plastic, more
friction than there is.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.errors import InputError
from rules.record.shapes import is_number
from sim.pieces import PAIRS, Components, read_file


@dataclass(frozen=True, slots=True)
class Range:
    """The plausible values of a key, ends included."""

    low: float
    high: float
    unit: str = ""

    def holds(self, value: float) -> bool:
        """Whether a value is plausible."""
        return self.low <= value <= self.high

    def __str__(self) -> str:
        low, high = (f"{float(f'{end:.3g}'):g}" for end in (self.low, self.high))
        return f"{low} to {high}{self.unit and ' '}{self.unit}"


@dataclass(frozen=True, slots=True)
class Finding:
    """A key of a file with a value that is not plausible, and what would be; without a value the
    key is missing or unknown.
    """

    key: str
    value: object
    plausible: str

    def __str__(self) -> str:
        return (
            f"{self.key} {self.plausible}"
            if self.value is None
            else f"{self.key} = {self.value}: {self.plausible}"
        )


_SLIDES = Range(0.1, 1.5)

RANGES: Mapping[str, Range] = {
    "road.length": Range(80, 160, "mm"),
    "road.width": Range(6, 15, "mm"),
    "road.thickness": Range(1, 4, "mm"),
    "disc.diameter": Range(15, 30, "mm"),
    "disc.height": Range(5, 20, "mm"),
    "car.length": Range(8, 30, "mm"),
    "car.width": Range(4, 15, "mm"),
    "car.height": Range(4, 15, "mm"),
    "friction.wood": _SLIDES,
    **{f"friction.{pair}": _SLIDES for pair in PAIRS},
    "rolling.disc-table": Range(0.005, 0.1),
}
"""The plausible range of each number."""

DENSITY = Range(300, 1500, "kg/m3")
"""From light wood to heavy plastic."""

_BUILDING = Range(10, 200, "mm")
_SUPPLY = Range(1, 60)
_KEYS = {
    "road": {"length", "width", "thickness", "density", "weight"},
    "disc": {"diameter", "height", "density", "weight"},
    "car": {"length", "width", "height", "density", "weight"},
    "friction": {"wood", *PAIRS},
    "rolling": {"disc-table"},
}
_TOP = {*_KEYS, "name", "source", "building", "supplies"}


def examine(name: str) -> tuple[Finding, ...]:
    """What is implausible in a components file, or in a shipped box, in the order of the file.

    Raises InputError for a file that cannot be read.
    """
    data = read_file(name)
    found = tuple(_unknown(data)) + tuple(_numbers(data)) + tuple(_together(data))
    if not found:
        try:
            Components.named(name)
        except InputError as error:
            return (Finding(Path(name).name, None, str(error)),)
    return found


def volume(piece: str, sizes: Mapping[str, float]) -> float:
    """mm3 of a road, disc or car with these sizes."""
    if piece == "disc":
        return math.pi * (sizes["diameter"] / 2) ** 2 * sizes["height"]
    return sizes["length"] * sizes["width"] * sizes["thickness" if piece == "road" else "height"]


def weight_range(piece: str, sizes: Mapping[str, float]) -> Range:
    """The plausible weights of a piece of these sizes."""
    grams = volume(piece, sizes) * 1e-6
    return Range(DENSITY.low * grams, DENSITY.high * grams, "g")


def _unknown(data: Mapping[str, Any]) -> Iterator[Finding]:
    tables = ((f"{table}.", known, _table(data, table)) for table, known in _KEYS.items())
    for place, known, given in (("", _TOP, data), *tables):
        why = f"is no key of a components file; known are {', '.join(sorted(known))}"
        for key in sorted(given.keys() - known):
            yield Finding(f"{place}{key}", None, why)


def _numbers(data: Mapping[str, Any]) -> Iterator[Finding]:
    for key, plausible in RANGES.items():
        table, name = key.split(".")
        given = _table(data, table)
        if name in given:
            yield from _judged(key, given[name], plausible)
        elif table in ("road", "disc", "car"):
            yield Finding(key, None, f"is missing; {plausible} is plausible")
    if not _table(data, "friction"):
        yield Finding("friction", None, f"is missing; {_SLIDES} is plausible")
    for piece in ("road", "disc", "car"):
        yield from _weighed(piece, _table(data, piece))
    for kind, spec in _table(data, "building").items():
        sizes = spec.get("size") if isinstance(spec, Mapping) else None
        for size in sizes if isinstance(sizes, list) else ():
            yield from _judged(f"building.{kind}.size", size, _BUILDING)
    for players, supply in _table(data, "supplies").items():
        for key, number in supply.items() if isinstance(supply, Mapping) else ():
            yield from _judged(f"supplies.{players}.{key}", number, _SUPPLY)


def _weighed(piece: str, given: Mapping[str, Any]) -> Iterator[Finding]:
    if "density" in given:
        yield from _judged(f"{piece}.density", given["density"], DENSITY)
    if "weight" in given:
        needed = _KEYS[piece] - {"density", "weight"}
        sizes = {
            key: given[key]
            for key in needed & given.keys()
            if is_number(given[key]) and given[key] > 0
        }
        if sizes.keys() == needed:
            yield from _judged(f"{piece}.weight", given["weight"], weight_range(piece, sizes))
    if ("weight" in given) == ("density" in given):
        missing = "weight" not in given
        yield Finding(
            f"{piece}.weight",
            None,
            "is missing" if missing else "stands beside density; give one of them",
        )


def _together(data: Mapping[str, Any]) -> Iterator[Finding]:
    """Sizes that do not go with each other."""
    road, disc, car = (_table(data, piece) for piece in ("road", "disc", "car"))
    for key, small, large, share, why in (
        (
            "road.width",
            road.get("width"),
            disc.get("diameter"),
            0.5,
            "two road ends lie side by side on a disc",
        ),
        ("car.width", car.get("width"), road.get("width"), 1.0, "a car stands on a road"),
        (
            "road.thickness",
            road.get("thickness"),
            disc.get("height"),
            0.5,
            "roads cross with discs between them",
        ),
    ):
        if is_number(small) and is_number(large) and small > share * large > 0:
            yield Finding(
                key, small, f"{share * large:g} mm is the most beside the other sizes: {why}"
            )


def _judged(key: str, value: object, plausible: Range) -> Iterator[Finding]:
    if not is_number(value):
        yield Finding(key, repr(value)[:60], f"is no number; {plausible} is plausible")
    elif not plausible.holds(value):
        yield Finding(
            key, f"{value:g}{plausible.unit and ' '}{plausible.unit}", f"{plausible} is plausible"
        )


def _table(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = data.get(key)
    return found if isinstance(found, Mapping) else {}
