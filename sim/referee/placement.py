"""Placement: what a player means to do in one ply. Its outcome is a Verdict.

A placement is read from the `do` of a record line, as text or as a plain object, and rounded as it
is read: lengths to 0.01 mm, angles to 0.01 degree, positions of cars along a road to 0.001. Its
text is the canonical JSON of `do`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rules.errors import NotationError
from rules.near import meant
from rules.record import canonical_json
from rules.record.jsonl import why_unreadable
from sim.bodies import Pose

Point = tuple[float, float]

_LIMIT = 1e5  # mm: no table is 100 m wide, and larger numbers lose the 0.01 mm


def _number(value: float) -> float | int:
    """A rounded number as a record writes it: whole numbers without a fraction, never -0."""
    return int(value) if value == int(value) else value


def known(parts: Mapping[str, Any]) -> dict[str, Any]:
    """The parts without those that are None, as a record writes them."""
    return {key: value for key, value in parts.items() if value is not None}


@dataclass(frozen=True, slots=True)
class CarSpot:
    """Where a car goes on the new road: `along` 0 at its `from` end (the pillar of a ramp), 1 at
    the other; `side` mm to the left.
    """

    along: float
    side: float = 0.0

    def to_json(self) -> object:
        """A bare number for a car on the centre line."""
        if self.side:
            return {"along": _number(self.along), "side": _number(self.side)}
        return _number(self.along)


@dataclass(frozen=True, slots=True)
class Offset:
    """How a road lies off the line through its pillars' centres: offsets of its ends in mm, then a
    slide along itself. `under` are older roads on its pillars whose ends people lifted to slide its
    own end under them.
    """

    start: Point = (0.0, 0.0)
    end: Point = (0.0, 0.0)
    slide: float = 0.0
    under: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Only the parts that differ from zero."""
        ends = {"start": self.start, "end": self.end}
        there = {key: [_number(n) for n in at] if any(at) else None for key, at in ends.items()}
        slide = _number(self.slide) if self.slide else None
        return known({**there, "slide": slide, "under": list(self.under) or None})


@dataclass(frozen=True, slots=True)
class Put:
    """A piece that stands elsewhere after a ply than the referee would leave it, as people noted it
    (record format 7f), or that is `gone` for good.

    `at` is the place of a pillar or a building, the start of a road; `end` the end of a road; in
    mm. A car stands on the road `on`. `turn` in degrees: of a building as in its placement, of a
    car against its road.
    """

    kind: str
    piece: str
    at: Point | None = None
    end: Point | None = None
    on: str | None = None
    along: float = 0.0
    side: float = 0.0
    turn: float | None = None


class Placement:
    """The move of Tokyo Highway; its kinds are Entrance, SetBuilding, Build, Exit, Adjust, Pass and
    Resign.
    """

    __slots__ = ()
    kind: ClassVar[str]

    @staticmethod
    def parse(source: str | Mapping[str, Any]) -> Placement:
        """Reads the `do` of a record, as JSON text or as a plain value; `pass` and `resign` may
        stand bare.

        Raises NotationError, which names the key, what is wrong with it and what it takes.
        """
        text = source if isinstance(source, str) else _short(source)
        data = _from_text(source) if isinstance(source, str) else source
        if data in ("pass", "resign"):
            return Pass() if data == "pass" else Resign()
        if not isinstance(data, Mapping):
            raise NotationError(
                text, "any", f"a move of Tokyo Highway is an object with one of: {_KINDS}"
            )
        kinds = [kind for kind in _READERS if kind in data]
        if len(kinds) != 1:
            raise NotationError(
                text,
                "any",
                f"a move has exactly one of {_KINDS}; this one has {' and '.join(kinds) or 'none'}",
            )
        return _READERS[kinds[0]](text, data)

    def to_json(self) -> str | dict[str, object]:
        """The `do` of a record as plain values in canonical key order."""
        raise TypeError(f"{type(self).__name__} is not a kind of placement")

    def __str__(self) -> str:
        return canonical_json(self.to_json())


@dataclass(frozen=True, slots=True)
class Entrance(Placement):
    """The set-up ply: a disc at `pillar` (mm), a ramp from its axis down to the table `toward` that
    angle (degrees), a car on it.
    """

    pillar: Point
    toward: float
    car: CarSpot = CarSpot(0.5)
    kind: ClassVar[str] = "entrance"

    def to_json(self) -> str | dict[str, object]:
        """See Placement."""
        where = {"pillar": [_number(n) for n in self.pillar], "toward": _number(self.toward)}
        return {"entrance": where, "car": self.car.to_json()}


@dataclass(frozen=True, slots=True)
class SetBuilding(Placement):
    """The building ply of the 3- and 4-player game: a building of that kind at a place (mm), turned
    by degrees.
    """

    building: str
    at: Point
    turn: float = 0.0
    kind: ClassVar[str] = "building"

    def to_json(self) -> str | dict[str, object]:
        """See Placement."""
        return {
            "building": {
                "kind": self.building,
                "at": [_number(n) for n in self.at],
                "turn": _number(self.turn),
            }
        }


@dataclass(frozen=True, slots=True)
class Build(Placement):
    """A pillar of `discs` (the yellow one counted) `at` a place in mm, and a road from the `base`
    pillar to it.

    `cars` None puts down all that are earned, where there is room; () puts down none.
    """

    base: str
    at: Point
    discs: int
    junction: bool = False
    cars: tuple[CarSpot, ...] | None = None
    road: Offset = Offset()
    kind: ClassVar[str] = "build"

    def to_json(self) -> str | dict[str, object]:
        """See Placement."""
        build: dict[str, object] = {
            "from": self.base,
            "pillar": [_number(n) for n in self.at],
            "discs": self.discs,
            "junction": self.junction,
        }
        return _with_cars({"build": build}, build, self.road, self.cars)


@dataclass(frozen=True, slots=True)
class Exit(Placement):
    """A road from a base pillar down to the table: the middle of its lower end touches the table at
    `to` (mm).
    """

    base: str
    to: Point
    cars: tuple[CarSpot, ...] | None = None
    road: Offset = Offset()
    kind: ClassVar[str] = "exit"

    def to_json(self) -> str | dict[str, object]:
        """See Placement."""
        leave: dict[str, object] = {"from": self.base, "to": [_number(n) for n in self.to]}
        return _with_cars({"exit": leave}, leave, self.road, self.cars)


@dataclass(frozen=True, slots=True)
class Adjust(Placement):
    """The last build corrected before it is frozen: its pillar, or the lower end of an exit (`to`),
    its road, its cars.

    What is None stays as it was. `by` is the seat that adjusts, which a record names beside the
    move; None means the seat that built last.
    """

    pillar: Point | None = None
    to: Point | None = None
    road: Offset | None = None
    cars: tuple[CarSpot, ...] | None = None
    by: int | None = field(default=None, compare=False)
    kind: ClassVar[str] = "adjust"

    def to_json(self) -> str | dict[str, object]:
        """See Placement."""
        parts = {
            "pillar": self.pillar and [_number(n) for n in self.pillar],
            "to": self.to and [_number(n) for n in self.to],
            "road": self.road and self.road.to_json(),
            "cars": None if self.cars is None else [car.to_json() for car in self.cars],
        }
        return {"adjust": known(parts)}


@dataclass(frozen=True, slots=True)
class Pass(Placement):
    """A missed turn; `reason` is None or "no room"."""

    reason: str | None = None
    kind: ClassVar[str] = "pass"

    def to_json(self) -> str | dict[str, object]:
        """See Placement."""
        return "pass" if self.reason is None else {"pass": self.reason}


@dataclass(frozen=True, slots=True)
class Resign(Placement):
    """The player leaves the game; what was built stays."""

    kind: ClassVar[str] = "resign"

    def to_json(self) -> str | dict[str, object]:
        """See Placement."""
        return "resign"


def _with_cars(
    do: dict[str, object], inner: dict[str, object], road: Offset, cars: tuple[CarSpot, ...] | None
) -> dict[str, object]:
    if road != Offset():
        inner["road"] = road.to_json()
    if cars is not None:
        do["cars"] = [car.to_json() for car in cars]
    return do


# --- reading --------------------------------------------------------------------------------------

_KINDS = "entrance, building, build, exit, adjust, pass, resign"


def car_spots(got: Mapping[str, Any]) -> tuple[CarSpot, ...] | None:
    """Where a record's `got` says that cars were put (`x-cars`), None if it does not. Raises
    NotationError.
    """
    return (
        _Reader(str(got.get("x-cars")), "got", {"x-cars": got["x-cars"]}, ()).cars("x-cars")
        if "x-cars" in got
        else None
    )


def pieces_told(got: Mapping[str, Any], key: str, wanted: str, start: str = "") -> tuple[str, ...]:
    """The pieces that a record's `got` lists under a key, none if it does not; the ids of what is
    wanted begin with `start`. Raises NotationError.
    """
    told = got.get(key, [])
    if not isinstance(told, list) or not all(
        isinstance(piece, str) and piece.startswith(start) for piece in told
    ):
        raise NotationError(str(told), "any", f"got.{key} must be a list of {wanted}")
    return tuple(told)


def puts(observed: Mapping[str, Any]) -> tuple[Put, ...]:
    """What a record's `observed` says was put elsewhere. Raises NotationError that names the
    place.
    """
    return tuple(
        _read_put(f"observed.put[{index}]", item)
        for index, item in enumerate(observed.get("put", ()))
    )


def _read_put(where: str, item: Mapping[str, Any]) -> Put:
    kind = next(key for key in ("pillar", "road", "car", "building", "gone") if key in item)
    part = _Reader(str(dict(item)), where, item, (*item,))
    piece = part.text_of(kind)
    turned = part.degrees("turn") if "turn" in item else None
    match kind:
        case "road":
            return Put(kind, piece, part.point("start"), part.point("end"))
        case "car":
            spot = part.car("along", {key: item[key] for key in ("along", "side") if key in item})
            return Put(
                kind, piece, None, None, part.text_of("on"), spot.along, spot.side, turned or 0.0
            )
        case "gone":
            return Put(kind, piece)
    return Put(kind, piece, part.point("at"), turn=turned)


def restored_poses(got: Mapping[str, Any]) -> dict[str, Pose]:
    """Where a record's `got` says that pieces came to rest after they were put back (`x-rest`).
    Raises NotationError.
    """
    told = got.get("x-rest", {})
    if not isinstance(told, Mapping) or not all(map(_is_pose, told.values())):
        raise NotationError(
            str(told), "any", "got.x-rest must give each piece a pose of seven numbers"
        )
    return {str(piece): Pose.from_list(numbers) for piece, numbers in told.items()}


def _is_pose(numbers: object) -> bool:
    return (
        isinstance(numbers, list)
        and len(numbers) == 7
        and all(type(n) in (int, float) for n in numbers)
    )


class _Reader:
    """Reads the keys of one object; its errors name the place of what is wrong."""

    def __init__(self, text: str, where: str, data: object, keys: tuple[str, ...]) -> None:
        self.text, self.where = text, where
        if not isinstance(data, Mapping):
            raise self.fault("", f"must be an object with the keys {', '.join(keys)}")
        self.data: Mapping[str, Any] = data
        for key in data:
            if key not in keys and not str(key).startswith("x-"):
                raise self.fault(
                    "", f"has the unknown key {key!r}; known: {', '.join(keys)}{meant(key, keys)}"
                )

    def fault(self, key: str, reason: str) -> NotationError:
        place = ".".join(part for part in (self.where, key) if part) or "do"
        return NotationError(self.text, "any", f"{place} {reason}")

    def need(self, key: str) -> Any:
        if key not in self.data:
            raise self.fault(key, "is missing")
        return self.data[key]

    def number(
        self, key: str, digits: int = 2, value: object = None, limit: float = _LIMIT
    ) -> float:
        found = self.need(key) if value is None else value
        if (
            isinstance(found, bool)
            or not isinstance(found, (int, float))
            or not abs(found) <= limit
        ):
            raise self.fault(
                key, f"must be a finite number no larger than {limit:g}, not {_short(found)}"
            )
        return round(float(found), digits) + 0.0

    def degrees(self, key: str) -> float:
        return self.number(key, limit=36000.0)

    def point(self, key: str) -> Point:
        found = self.need(key)
        if not isinstance(found, (list, tuple)) or len(found) != 2:
            raise self.fault(key, f"must be two numbers [x, y] in mm, not {_short(found)}")
        return (self.number(key, value=found[0]), self.number(key, value=found[1]))

    def text_of(self, key: str) -> str:
        found = self.need(key)
        if not isinstance(found, str) or not found:
            raise self.fault(key, f"must be a name in quotes, not {_short(found)}")
        return found

    def names(self, key: str) -> tuple[str, ...]:
        found = self.need(key)
        if not isinstance(found, (list, tuple)) or not all(
            isinstance(one, str) and one for one in found
        ):
            raise self.fault(key, f"must be a list of roads by id, not {_short(found)}")
        return tuple(dict.fromkeys(found))

    def car(self, key: str, value: object) -> CarSpot:
        if isinstance(value, Mapping):
            spot = _Reader(
                self.text, f"{self.where}.{key}" if self.where else key, value, ("along", "side")
            )
            along, side = spot.number("along", 3), spot.number("side") if "side" in value else 0.0
        else:
            along, side = self.number(key, 3, value if value is not None else "null"), 0.0
        if not 0.0 <= along <= 1.0:
            raise self.fault(
                key, f"is {along:g}, but a car's place along its road runs from 0 to 1"
            )
        return CarSpot(along, side)

    def cars(self, key: str = "cars") -> tuple[CarSpot, ...] | None:
        if key not in self.data:
            return None
        found = self.data[key]
        if not isinstance(found, (list, tuple)):
            raise self.fault(key, f"must be a list of places along the road, not {_short(found)}")
        return tuple(self.car(key, item) for item in found)

    def road(self) -> Offset:
        if "road" not in self.data:
            return Offset()
        part = _Reader(
            self.text, f"{self.where}.road", self.data["road"], ("start", "end", "slide", "under")
        )
        zero = (0.0, 0.0)
        return Offset(
            part.point("start") if "start" in part.data else zero,
            part.point("end") if "end" in part.data else zero,
            part.number("slide") if "slide" in part.data else 0.0,
            part.names("under") if "under" in part.data else (),
        )


def _short(value: object) -> str:
    try:
        shown = repr(value)
    except (ValueError, RecursionError):
        return "something too long or too deep to show"
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _from_text(text: str) -> object:
    if text in ("pass", "resign"):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError(
            text, "any", f"it is neither JSON nor one of pass, resign: {why_unreadable(error)}"
        ) from error


def _read_entrance(text: str, data: Mapping[str, Any]) -> Entrance:
    top = _Reader(text, "", data, ("entrance", "car"))
    inner = _Reader(text, "entrance", data["entrance"], ("pillar", "toward"))
    return Entrance(
        inner.point("pillar"),
        inner.degrees("toward"),
        top.car("car", data["car"]) if "car" in data else CarSpot(0.5),
    )


def _read_building(text: str, data: Mapping[str, Any]) -> SetBuilding:
    _Reader(text, "", data, ("building",))
    inner = _Reader(text, "building", data["building"], ("kind", "at", "turn"))
    return SetBuilding(
        inner.text_of("kind"),
        inner.point("at"),
        inner.degrees("turn") if "turn" in inner.data else 0.0,
    )


def _read_build(text: str, data: Mapping[str, Any]) -> Build:
    top = _Reader(text, "", data, ("build", "cars"))
    inner = _Reader(text, "build", data["build"], ("from", "pillar", "discs", "junction", "road"))
    discs, junction = inner.need("discs"), inner.data.get("junction", False)
    if isinstance(discs, bool) or not isinstance(discs, int) or not 1 <= discs <= 1000:
        raise inner.fault(
            "discs", f"must be a whole number of discs, the yellow one counted, not {_short(discs)}"
        )
    if not isinstance(junction, bool):
        raise inner.fault("junction", f"must be true or false, not {_short(junction)}")
    return Build(
        inner.text_of("from"), inner.point("pillar"), discs, junction, top.cars(), inner.road()
    )


def _read_exit(text: str, data: Mapping[str, Any]) -> Exit:
    top = _Reader(text, "", data, ("exit", "cars"))
    inner = _Reader(text, "exit", data["exit"], ("from", "to", "road"))
    return Exit(inner.text_of("from"), inner.point("to"), top.cars(), inner.road())


def _read_adjust(text: str, data: Mapping[str, Any]) -> Adjust:
    _Reader(text, "", data, ("adjust",))
    inner = _Reader(text, "adjust", data["adjust"], ("pillar", "to", "road", "cars"))
    if not {"pillar", "to", "road", "cars"} & set(inner.data):
        raise inner.fault("", "changes nothing; it has pillar, or to for an exit, road or cars")
    pillar, to = (inner.point(key) if key in inner.data else None for key in ("pillar", "to"))
    return Adjust(pillar, to, inner.road() if "road" in inner.data else None, inner.cars())


def _read_pass(text: str, data: Mapping[str, Any]) -> Pass:
    top = _Reader(text, "", data, ("pass",))
    if data["pass"] != "no room":  # noqa: S105 - a missed turn, no password
        raise top.fault("pass", 'may only say "no room"; a plain missed turn is "pass"')
    return Pass("no room")


_READERS = {
    "entrance": _read_entrance,
    "building": _read_building,
    "build": _read_build,
    "exit": _read_exit,
    "adjust": _read_adjust,
    "pass": _read_pass,
}
