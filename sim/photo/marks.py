"""The marks that somebody set on a photo: where the ends of roads, the tops of pillars and other
things appear in it.

Pixels have their origin at the top left corner of the image, x to the right, y down; centres of
pixels are at .5. Everything here is checked: ids, owners, counts, and that every mark lies in the
image. `sim.photo.solving` finds out what the marks mean in space.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules.errors import InputError, Refusal, why
from rules.files import os_reason, read_regular
from rules.near import meant
from rules.record.jsonl import LineError, parse, short
from rules.record.shapes import (
    Check,
    ShapeError,
    anything,
    flag,
    is_number,
    list_of,
    map_of,
    name,
    object_of,
    passes,
    text,
    whole,
)
from sim.assets import names
from sim.pieces import Components
from sim.referee import Preset, Ruleset, letter, seat_of

Pixel = tuple[float, float]

MAX_ROADS = 100
"""The most roads, and pillars, of a photo; the four-player box has 36 roads."""

_MAX_FILE = 4 << 20  # bytes
_MAX_CARS, _MAX_BUILDINGS, _MAX_DISCS = 100, 20, 30
_SMALLEST, _LARGEST = 100, 30_000  # pixels of one side of an image
_VERSION = (1, 0)


@dataclass(frozen=True, slots=True)
class ImageSize:
    """The photo in pixels: its size, the focal length if it is known, and the name of its file."""

    width: int
    height: int
    focal: float | None = None
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of paper or a card flat on the table: its size in mm, and its corners in order."""

    size: tuple[float, float]
    corners: tuple[Pixel, Pixel, Pixel, Pixel]


@dataclass(frozen=True, slots=True)
class MarkedPillar:
    """A pillar; `top` is the middle of the upper face of its uppermost disc, if that was marked."""

    id: str
    owner: int
    discs: int
    junction: bool = False
    top: Pixel | None = None


@dataclass(frozen=True, slots=True)
class MarkedRoad:
    """A road; `base` and `target` are the pillars under `ends[0]` and `ends[1]`, None for an end on
    the table.

    A mark is the outermost point of the road's top face on its middle line, at that end.
    """

    id: str
    owner: int
    base: str | None
    target: str | None
    ends: tuple[Pixel, Pixel]

    @property
    def pillars(self) -> tuple[str, ...]:
        """The pillars that carry it."""
        return tuple(pillar for pillar in (self.base, self.target) if pillar is not None)


@dataclass(frozen=True, slots=True)
class MarkedCar:
    """A car by its owner, and the middle of it in the image."""

    owner: int
    at: Pixel


@dataclass(frozen=True, slots=True)
class MarkedBuilding:
    """A building; `corners` are three neighbouring corners of its base in order, or three points of
    the rim of a round base.
    """

    kind: str
    corners: tuple[Pixel, Pixel, Pixel]


@dataclass(frozen=True, slots=True)
class Marks:
    """All marks of one photo, checked. Roads stand in building order."""

    image: ImageSize
    players: int
    ruleset: str
    options: Mapping[str, Any]
    components: str
    pillars: tuple[MarkedPillar, ...]
    roads: tuple[MarkedRoad, ...]
    cars: tuple[MarkedCar, ...] | None = None
    buildings: tuple[MarkedBuilding, ...] = ()
    sheet: Sheet | None = None
    path: Path | None = field(default=None, compare=False)

    @property
    def box(self) -> Components:
        """The sizes of the pieces."""
        return Components.named(self.components)

    @property
    def rules(self) -> Ruleset:
        """The options in force."""
        return Ruleset.named(self.ruleset, **self.options)


def read_marks(path: Path | str) -> Marks:
    """The marks in a file. Raises InputError that names the file, the piece, what is wrong with it
    and what to do.
    """
    path = Path(path)
    try:
        data = read_regular(path, _MAX_FILE)
    except OSError as error:
        raise InputError(f"{path}: the marks cannot be read: {os_reason(error)}") from error
    return marks_of(data, path)


def marks_of(data: bytes, path: Path | None = None, *, outside: bool = False) -> Marks:
    """The marks in these bytes; `path` is named in messages and kept.

    Marks from `outside`, which a stranger sent, may name shipped components only, since a path
    could lead to any file of this machine. Raises InputError.
    """
    try:
        value = parse(data.decode("utf-8-sig"))
        return _marks(_ours(value), path, outside=outside)
    except UnicodeDecodeError:
        reason = "this is no file of marks: it is no UTF-8 text"
    except LineError as error:
        reason = str(error).replace("a record may hold", "marks may hold")
    except (ShapeError, InputError) as error:
        reason = why(error)
    raise InputError(reason if path is None else f"{path}: {reason}")


def _ours(value: Any) -> Mapping[str, Any]:
    """The object in a file of marks of a version that is read here."""
    if not isinstance(value, Mapping) or value.get("marks") != "shutoko":
        raise ShapeError('this is no file of marks: it must be an object with "marks":"shutoko"')
    version = value.get("version")
    if (
        not isinstance(version, list)
        or len(version) != 2
        or not all(type(part) is int and part >= 0 for part in version)
    ):
        raise ShapeError("version must be [major, minor], as [1, 0]")
    if version[0] != _VERSION[0]:
        raise ShapeError(
            f"the marks have version {version[0]}.{version[1]}; this program reads version "
            f"{_VERSION[0]}"
        )
    return value


# --- shapes ---------------------------------------------------------------------------------------


def _refuse(place: str) -> None:
    raise ShapeError(f"the key {place} is not known; keys of your own start with x-")


def _keep(_place: str) -> None:
    """A newer minor version may have keys that are not known here."""


def _between(low: float, high: float, wanted: str) -> Check:
    return passes(
        lambda value: is_number(value) and low <= value <= high,
        f"{wanted} from {low:g} to {high:g}",
    )


def _count(low: int, high: int, wanted: str) -> Check:
    return passes(
        lambda value: type(value) is int and low <= value <= high, f"{wanted} from {low} to {high}"
    )


_PIXEL = list_of(passes(is_number, "a finite number"), 2, "two numbers [x, y] in pixels")
_ENDS = list_of(_PIXEL, 2, "two marks [[x, y], [x, y]], one for each end of the road")
_FOOT = passes(
    lambda value: value is None or isinstance(value, str),
    "the id of a pillar, or null for the table",
)
_SIDE = _count(_SMALLEST, _LARGEST, "a whole number of pixels")
_SIZE = list_of(_between(20.0, 2000.0, "a number of mm"), 2, "two numbers [length, width] in mm")

_MARKS = object_of(
    {
        "marks": name,
        "version": list_of(whole),
        "image": object_of(
            {
                "width": _SIDE,
                "height": _SIDE,
                "focal": _between(50.0, 1e6, "a number of pixels"),
                "file": text,
            },
            required=("width", "height"),
        ),
        "players": _count(2, 4, "a whole number"),
        "ruleset": name,
        "options": map_of(anything),
        "components": name,
        "sheet": object_of(
            {"size": _SIZE, "corners": list_of(_PIXEL, 4, "four marks")},
            required=("size", "corners"),
        ),
        "pillars": list_of(
            object_of(
                {
                    "id": name,
                    "owner": whole,
                    "discs": _count(1, _MAX_DISCS, "a whole number"),
                    "junction": flag,
                    "top": _PIXEL,
                },
                required=("id", "owner", "discs"),
            )
        ),
        "roads": list_of(
            object_of(
                {"id": name, "owner": whole, "from": _FOOT, "to": _FOOT, "ends": _ENDS},
                required=("id", "owner", "from", "to", "ends"),
            )
        ),
        "cars": list_of(object_of({"owner": whole, "at": _PIXEL}, required=("owner", "at"))),
        "buildings": list_of(
            object_of(
                {"kind": name, "base": list_of(_PIXEL, 3, "three marks")}, required=("kind", "base")
            )
        ),
    },
    required=("image", "players", "pillars", "roads"),
)

_MOST = {"pillars": MAX_ROADS, "roads": MAX_ROADS, "cars": _MAX_CARS, "buildings": _MAX_BUILDINGS}


def _marks(value: Mapping[str, Any], path: Path | None, *, outside: bool) -> Marks:
    for key, most in _MOST.items():
        if isinstance(value.get(key), list) and len(value[key]) > most:
            raise ShapeError(f"{key} has {len(value[key])} items; a photo has {most} at most")
    _named_first(value)
    read = _MARKS(value, "", _keep if value["version"][1] > _VERSION[1] else _refuse)
    image = ImageSize(
        **{key: read["image"].get(key) for key in ("width", "height", "focal", "file")}
    )
    preset = Preset.named(read.get("ruleset", "standard"))
    preset.check_players(read["players"])
    components = _components(read.get("components", preset.components), outside=outside)
    inside, box = _inside(image), Components.named(components)
    preset.rules.changed(**read.get("options", {}))
    pillars = tuple(_pillar(item, read["players"], inside) for item in read["pillars"])
    known = {pillar.id: pillar for pillar in pillars}
    roads = tuple(_road(item, read["players"], known, inside) for item in read["roads"])
    _once([*(pillar.id for pillar in pillars), *(road.id for road in roads)])
    _borne(pillars, roads)
    return Marks(
        image=image,
        players=read["players"],
        ruleset=preset.name,
        options=read.get("options", {}),
        components=components,
        pillars=pillars,
        roads=roads,
        cars=tuple(_car(item, read["players"], n, inside) for n, item in enumerate(read["cars"]))
        if "cars" in read
        else None,
        buildings=tuple(
            _building(item, box, n, inside) for n, item in enumerate(read.get("buildings", ()))
        ),
        sheet=_sheet(read["sheet"], inside) if "sheet" in read else None,
        path=path,
    )


def _named_first(value: Mapping[str, Any]) -> None:
    """A road without its marks is refused by its id, which says more than its place in the list."""
    roads = value.get("roads")
    for road in roads if isinstance(roads, list) else ():
        if isinstance(road, Mapping) and isinstance(road.get("id"), str):
            try:
                _ENDS(road.get("ends"), "ends", _refuse)
            except ShapeError as error:
                raise ShapeError(
                    f"{short(road['id'])[1:-1]}: {error}; mark both ends of the road"
                ) from None


def _components(named: str, *, outside: bool) -> str:
    if outside and named not in names("components"):
        raise InputError(
            f"components is {short(named)}; marks from outside may name: "
            f"{', '.join(names('components'))}"
        )
    return named


# --- pieces ---------------------------------------------------------------------------------------

Inside = Callable[[Sequence[float], str], Pixel]


def _inside(image: ImageSize) -> Inside:
    def check(mark: Sequence[float], what: str) -> Pixel:
        x, y = float(mark[0]), float(mark[1])
        if not (0.0 <= x <= image.width and 0.0 <= y <= image.height):
            told = (
                f"{what} is marked at ({x:g}, {y:g}), outside the image of {image.width} x "
                f"{image.height} pixels; mark it again"
            )
            raise InputError(
                Refusal(
                    told,
                    "mark-outside",
                    what=what,
                    x=x,
                    y=y,
                    width=image.width,
                    height=image.height,
                )
            )
        return (x, y)

    return check


def _owned(item: Mapping[str, Any], kind: str, players: int) -> tuple[str, int]:
    piece, letters = item["id"], "ABCD"[:players]
    if not re.fullmatch(rf"[{letters}]-{kind}(0|[1-9]\d{{0,3}})", piece):
        raise InputError(
            f"{short(piece)} is no id like A-{kind}0 of one of the seats {', '.join(letters)}"
        )
    if seat_of(piece) != item["owner"]:
        raise InputError(
            f"{piece}: owner is {item['owner']}, but this id belongs to seat {seat_of(piece)}; "
            "make them agree"
        )
    return piece, item["owner"]


def _pillar(item: Mapping[str, Any], players: int, inside: Inside) -> MarkedPillar:
    piece, owner = _owned(item, "P", players)
    junction = item.get("junction", False)
    if junction and item["discs"] < 2:
        told = (
            f"{piece}: a junction has a grey disc under its yellow one, so discs is 2 or more; "
            "count them again"
        )
        raise InputError(Refusal(told, "mark-junction", piece=piece))
    top = inside(item["top"], f"{piece}: its top") if "top" in item else None
    return MarkedPillar(piece, owner, item["discs"], junction, top)


def _road(
    item: Mapping[str, Any], players: int, pillars: Mapping[str, MarkedPillar], inside: Inside
) -> MarkedRoad:
    piece, owner = _owned(item, "R", players)
    for key in ("from", "to"):
        foot = item[key]
        if foot is not None and foot not in pillars:
            raise InputError(
                f"{piece}: {key} is {short(foot)}, but the marks have no such pillar; add it, or "
                "name another"
            )
        if foot is not None and pillars[foot].owner != owner:
            whose = letter(pillars[foot].owner)
            told = f"{piece}: {key} is {foot}, a pillar of {whose}; a road joins own pillars"
            raise InputError(
                Refusal(told, "mark-foreign", piece=piece, key=key, pillar=foot, owner=whose)
            )
    if item["from"] is None and item["to"] is None:
        told = f"{piece}: both ends are on the table; a road rests on one pillar at least"
        raise InputError(Refusal(told, "mark-both-down", piece=piece))
    if item["from"] == item["to"]:
        told = f"{piece}: both ends are at {item['from']}; name the pillar under each end"
        raise InputError(Refusal(told, "mark-one-pillar", piece=piece, pillar=item["from"]))
    ends = (
        inside(item["ends"][0], f"{piece}: ends[0]"),
        inside(item["ends"][1], f"{piece}: ends[1]"),
    )
    if max(abs(ends[0][0] - ends[1][0]), abs(ends[0][1] - ends[1][1])) < 5.0:
        told = f"{piece}: both ends are marked at one place; mark the other end"
        raise InputError(Refusal(told, "mark-one-place", piece=piece))
    return MarkedRoad(piece, owner, item["from"], item["to"], ends)


def _car(item: Mapping[str, Any], players: int, index: int, inside: Inside) -> MarkedCar:
    if item["owner"] >= players:
        raise InputError(
            f"cars[{index}]: owner is {item['owner']}, but the seats are 0 to {players - 1}"
        )
    return MarkedCar(item["owner"], inside(item["at"], f"cars[{index}]"))


def _building(
    item: Mapping[str, Any], box: Components, index: int, inside: Inside
) -> MarkedBuilding:
    kind = item["kind"]
    if kind not in box.buildings:
        near = meant(kind, box.buildings)
        raise InputError(
            f"buildings[{index}]: there is no building {short(kind)}; available: "
            f"{', '.join(box.buildings)}{near}"
        )
    a, b, c = (
        inside(mark, f"buildings[{index}]: base[{n}]") for n, mark in enumerate(item["base"])
    )
    return MarkedBuilding(kind, (a, b, c))


def _sheet(item: Mapping[str, Any], inside: Inside) -> Sheet:
    a, b, c, d = (inside(mark, f"sheet: corners[{n}]") for n, mark in enumerate(item["corners"]))
    turns = [_turn(*three) for three in ((a, b, c), (b, c, d), (c, d, a), (d, a, b))]
    if not (all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)):
        told = (
            "sheet: its corners are no four-sided figure in this order; mark them one after the "
            "other, round it"
        )
        raise InputError(Refusal(told, "mark-sheet"))
    return Sheet((float(item["size"][0]), float(item["size"][1])), (a, b, c, d))


def _turn(a: Pixel, b: Pixel, c: Pixel) -> float:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _once(ids: Sequence[str]) -> None:
    twice = [piece for n, piece in enumerate(ids) if piece in ids[:n]]
    if twice:
        raise InputError(f"the id {twice[0]} is given twice; give each piece an id of its own")


def _borne(pillars: Sequence[MarkedPillar], roads: Sequence[MarkedRoad]) -> None:
    borne = {pillar for road in roads for pillar in road.pillars}
    for pillar in pillars:
        if pillar.top is None and pillar.id not in borne:
            told = (
                f"{pillar.id}: no road ends on it and its top is not marked; mark its top, or "
                "leave it out"
            )
            raise InputError(Refusal(told, "mark-top", piece=pillar.id))
