"""What stands on a table: pillars, roads, cars and buildings as they were meant, their owners by
id, and what the players are called; faults, which say what is wrong with a placement among them;
and the `start` layout of a record that describes a table, for scenarios and problems.

A layout is not checked against supplies or the rules of building; it only has to be consistent. It
has no settled poses; its pieces stand where geometry puts them.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from rules.errors import IllegalMoveError, InputError
from rules.near import meant
from rules.record.jsonl import short
from sim.languages import Sentence
from sim.pieces import Components, Supply

Point = tuple[float, float]

SEAT_LETTERS = "ABCD"
"""The letters that the ids of pieces begin with, by seat; no game has more seats."""

MAX_SIDE = 1000.0
"""mm that a car may be off its road, in a layout or where people put it elsewhere."""


@dataclass(frozen=True, slots=True)
class Pillar:
    """A stack of discs at a place in plan (mm); `discs` counts the yellow one on top of a junction;
    `turn` says when it was built.
    """

    id: str
    owner: int
    at: Point
    discs: int
    junction: bool = False
    turn: int = -1

    @property
    def disc_ids(self) -> tuple[str, ...]:
        """From the bottom up."""
        return tuple(f"{self.id}.{n + 1}" for n in range(self.discs))


@dataclass(frozen=True, slots=True)
class LaidRoad:
    """A road on the table: from `start` (at pillar `base`) to `end` (at pillar `target`, or on the
    table where that is None).

    `start` and `end` are the plan points that the underside is drawn between, in mm: pillar axes
    plus offsets, or the middle of the end that touches the table. `levels` are their heights in
    discs. `slide` shifts the stick along itself. An entrance ramp starts at its pillar too. `under`
    are the older roads that it was slid under, end beneath end.
    """

    id: str
    owner: int
    kind: Literal["entrance", "road", "exit"]
    base: str
    target: str | None
    start: Point
    end: Point
    levels: tuple[int, int]
    slide: float = 0.0
    under: tuple[str, ...] = ()

    @property
    def pillars(self) -> tuple[str, ...]:
        """The pillars that carry it."""
        return (self.base,) if self.target is None else (self.base, self.target)


@dataclass(frozen=True, slots=True)
class Car:
    """A car on a road: `along` 0 at the road's start, 1 at its end; `side` in mm to the left of the
    centre line; `turn` in degrees against the road's direction.
    """

    id: str
    owner: int
    road: str
    along: float
    side: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class PlacedBuilding:
    """A building: its kind, its place in mm, its turn in degrees, and the seat that set it (None in
    a layout).
    """

    id: str
    kind: str
    at: Point
    turn: float
    by: int | None = None


def shared_pillars(one: Iterable[str | None], other: Iterable[str | None]) -> tuple[str, ...]:
    """The pillars that carry both of two roads, given the ids of the pillars under each (None: an
    end on the table).

    This alone says whether two roads share a pillar (rules 4d, 7j), wherever their ends came to lie
    on it.
    """
    there = set(other)
    return tuple(pillar for pillar in one if pillar is not None and pillar in there)


def roads_below(roads: Sequence[LaidRoad], road: LaidRoad) -> list[LaidRoad]:
    """The roads whose ends may lie under an end of this one. They belong to its player and share a
    pillar with it: the older ones, except those that it was slid under, and the newer ones that
    were slid under it.
    """
    ids = [*(one.id for one in roads), road.id]  # it may not lie there yet
    older = set(ids[: ids.index(road.id)])
    return [
        one
        for one in roads
        if (one.id not in road.under if one.id in older else road.id in one.under)
        and one.owner == road.owner
        and shared_pillars(one.pillars, road.pillars)
        and one.id != road.id
    ]


def from_below(roads: Sequence[LaidRoad]) -> list[LaidRoad]:
    """The roads in building order, but each after those that were slid under it."""
    found: dict[str, LaidRoad] = {}

    def add(road: LaidRoad) -> None:
        for one in roads:
            if road.id in one.under and one.id not in found:
                add(one)
        found.setdefault(road.id, road)

    for road in roads:
        add(road)
    return list(found.values())


def plus(point: Point, offset: Point) -> Point:
    """A point shifted in plan."""
    return (point[0] + offset[0], point[1] + offset[1])


def letter(seat: int) -> str:
    """The letter that the ids of a seat's pieces begin with: A for seat 0."""
    return SEAT_LETTERS[seat]


def seat_of(piece: str) -> int | None:
    """The seat that owns a piece, by its id; None for a building."""
    return SEAT_LETTERS.index(piece[0]) if piece[0] in SEAT_LETTERS else None


def buildings_among(pieces: Iterable[str]) -> list[str]:
    """Those of the pieces, by id, that are buildings."""
    return [piece for piece in pieces if piece.startswith("X")]


def ramp_reach(box: Components, height: int) -> float:
    """The plan length of a road from a pillar of that height down to the table; 0 if the road is
    too short for it.
    """
    return math.sqrt(max(box.road_length**2 - (height * box.disc_height) ** 2, 0.0))


def exit_start(box: Components, start: Point, end: Point, discs: int) -> Point:
    """Where the top end of an exit lies that points from `start` to `end`: sqrt(L^2 - h^2) back
    from where the lower end touches the table (record format 4f, rules 4a).
    """
    span, reach = math.dist(start, end), ramp_reach(box, discs)
    if not span:
        return start
    return (
        end[0] - (end[0] - start[0]) / span * reach,
        end[1] - (end[1] - start[1]) / span * reach,
    )


# --- names ----------------------------------------------------------------------------------------


_SECOND_PERSON = {"misses": "miss", "goes": "go", "has": "have", "is": "are"}


@dataclass(frozen=True, slots=True)
class Names:
    """The players of a game by seat. Without a name: the letter; where two share a name, the letter
    follows it.
    """

    players: tuple[str, ...] = ()

    def __call__(self, seat: int) -> str:
        """The player at a seat."""
        if not 0 <= seat < len(self.players) or not self.players[seat]:
            return letter(seat) if 0 <= seat < len(SEAT_LETTERS) else f"seat {seat}"
        name = self.players[seat]
        return f"{name} ({letter(seat)})" if Counter(self.players)[name] > 1 else name

    def does(self, seat: int, verb: str) -> str:
        """The player with a verb in the third person, such as `ann builds`; `you build` for a
        player called `you`.
        """
        return f"{self(seat)} {self.verb(seat, verb)}"

    def verb(self, seat: int, verb: str) -> str:
        """A verb in the third person as it goes with the player: `builds`, but `build` after
        `you`.
        """
        return _SECOND_PERSON.get(verb, verb.removesuffix("s")) if self(seat) == "you" else verb


LETTERS = Names()
"""Players of whom only the seats are known."""


def in_short(reasons: Sequence[Sentence], language: str = "en", names: Names = LETTERS) -> str:
    """The first of several reasons, and how many more there are: for a message in one line."""
    first, *more = reasons
    short = Sentence("in-short", {"first": first, "more": len(more)}) if more else first
    return short.told(language, names)


def counted(number: int, name: str) -> str:
    """A number of things: `1 car`, `2 cars`."""
    return f"{number} {name}{'' if number == 1 else 's'}"


def with_and(names: Sequence[str]) -> str:
    """All of them: `a`, `a and b`, `a, b and c`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def first_few(names: Sequence[str]) -> str:
    """All of them up to three; of more the first two, and how many more there are."""
    few = len(names) <= 3
    return with_and(names) if few else f"{', '.join(names[:2])} and {len(names) - 2} more"


# --- faults ---------------------------------------------------------------------------------------


FaultCode = Literal[
    "game-over", "phase", "entrance-far", "building-kind", "building-taken", "building-overlap",
    "can-build", "has-room", "frozen", "adjust-end", "base-unknown", "under-unknown",
    "base-foreign", "base-used", "exit-height", "reach", "sticks-out", "too-steep", "height",
    "junction-height", "stock-roads", "stock-grey", "stock-yellow", "stock-cars", "touches-road",
    "under-own-road", "touches-car", "touches-pillar", "touches-building", "over-pillar",
    "over-building", "pillar-on-pillar", "pillar-on-building", "pillar-under-road",
    "pillar-touches-road", "pillar-touches-car", "own-crossing", "cars-earned", "car-off-road",
    "car-on-car", "car-touches", "payment",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why a placement is illegal: a code for machines, the pieces, the numbers, and a
    sentence for people.

    The name of its message is `fault-` and the code and, where one code has several sentences, the
    `form`. `details` are the other values of the sentence besides pieces and numbers: players by
    letter, points, kinds.
    """

    code: FaultCode
    pieces: tuple[str, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)
    form: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sentence(self) -> Sentence:
        """The sentence, not yet in a language; in it `piece` is the first of the pieces and `other`
        the last.
        """
        ends = {"piece": self.pieces[0], "other": self.pieces[-1]} if self.pieces else {}
        message = f"fault-{self.code}-{self.form}" if self.form else f"fault-{self.code}"
        return Sentence(message, {**ends, **self.numbers, **self.details})

    @property
    def text(self) -> str:
        """The sentence in English, players by letter."""
        return self.sentence.told(names=LETTERS)

    @property
    def facts(self) -> dict[str, Any]:
        """As in `got.faults` of a record, the sentence not yet in words."""
        return {
            "code": self.code,
            "text": self.sentence,
            "pieces": list(self.pieces),
            "numbers": dict(self.numbers),
        }

    def to_json(self) -> dict[str, Any]:
        """As in `got.faults` of a record."""
        return {**self.facts, "text": self.text}


# --- the error ------------------------------------------------------------------------------------


class IllegalPlacementError(IllegalMoveError):
    """A placement that the referee refuses, the digest of the table it was meant for, and its
    faults as `sentences`.
    """

    def __init__(self, placement: object, digest: str, faults: Sequence[Fault]) -> None:
        self.sentences = tuple(fault.sentence for fault in faults)
        texts = [fault.text for fault in faults]
        super().__init__(str(placement), digest, in_short(self.sentences), texts)

    def told(self, language: str) -> str:
        """The first fault, and how many more there are, in a language."""
        return in_short(self.sentences, language)


# --- the layout of a record -----------------------------------------------------------------------


T = TypeVar("T")

_MAX_PIECES = 200  # of one kind; the four-player box has 36 roads
_MAX_DISCS = 30  # in a pillar: all the grey discs of a seat
_MAX_STOCK = 1000  # of one kind of piece


def read_layout(
    layout: Mapping[str, Any], box: Components, supplies: tuple[Supply, ...]
) -> tuple[int, dict[str, Any]]:
    """Who is to move by a record's `start` object, and what stands and is in stock: fields of
    `Table`. `supplies` are those of the seats, for a layout that names no stocks.

    Raises InputError that names the piece, the key and what is wrong with it.
    """
    if not isinstance(layout, Mapping):
        raise InputError(
            "start must be an object with pillars, roads, cars, buildings, stocks, to_move"
        )
    _known("start", layout, ("to_move", "pillars", "roads", "cars", "buildings", "stocks"))
    seats = len(supplies)
    pillars = _each(layout, "pillars", lambda item: _pillar(item, seats))
    by_id = {pillar.id: pillar for pillar in pillars}
    roads = _each(layout, "roads", lambda item: _road(item, seats, by_id))
    cars = _each(layout, "cars", lambda item: _car(item, seats, {road.id for road in roads}))
    buildings = _each(layout, "buildings", lambda item: _building(item, box))
    _apart(pillars, box)
    _unique([piece.id for group in (pillars, roads, cars, buildings) for piece in group])
    to_move = _count("start", layout, "to_move", 0)
    if to_move >= seats:
        raise InputError(f"start.to_move is {_short(to_move)}, but the seats are 0 to {seats - 1}")
    there = {"pillars": pillars, "roads": roads, "cars": cars, "buildings": buildings}
    return to_move, {**there, "stocks": _stocks(layout, supplies)}


def _each(
    layout: Mapping[str, Any], key: str, read: Callable[[Mapping[str, Any]], T]
) -> tuple[T, ...]:
    items = layout.get(key, [])
    if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
        raise InputError(f"start.{key} must be a list of objects")
    if len(items) > _MAX_PIECES:
        raise InputError(f"start.{key} has {len(items)} items; a layout has {_MAX_PIECES} at most")
    return tuple(read(item) for item in items)


def _pillar(item: Mapping[str, Any], seats: int) -> Pillar:
    name = _id(item, "P", seats)
    _known(name, item, ("id", "at", "discs", "junction"))
    discs, junction = _count(name, item, "discs"), item.get("junction", False)
    if not isinstance(junction, bool):
        raise InputError(f"start: {name}: junction must be true or false")
    if not 1 <= discs <= _MAX_DISCS:
        raise InputError(f"start: {name}: discs is {_short(discs)}; a pillar has 1 to {_MAX_DISCS}")
    return Pillar(
        name, SEAT_LETTERS.index(name[0]), _point(name, "at", item.get("at")), discs, junction
    )


def _road(item: Mapping[str, Any], seats: int, pillars: Mapping[str, Pillar]) -> LaidRoad:
    name = _id(item, "R", seats)
    _known(name, item, ("id", "from", "to"))
    ends = [_road_end(name, key, item.get(key), pillars) for key in ("from", "to")]
    (start, base), (end, target) = ends
    carrier, seat = base or target, SEAT_LETTERS.index(name[0])
    if carrier is None:
        raise InputError(
            f"start: {name}: a road rests on at least one pillar, this one has both ends on the "
            "table"
        )
    if start == end:
        raise InputError(
            f"start: {name}: both ends are at the same place ({start[0]:g}, {start[1]:g})"
        )
    if base is not None and target is not None:
        levels = (base.discs, target.discs)
        return LaidRoad(name, seat, "road", base.id, target.id, start, end, levels)
    kind: Literal["entrance", "exit"] = "entrance" if base is None else "exit"
    top, low = (end, start) if base is None else (start, end)
    return LaidRoad(name, seat, kind, carrier.id, None, top, low, (carrier.discs, 0))


def _road_end(
    name: str, key: str, value: object, pillars: Mapping[str, Pillar]
) -> tuple[Point, Pillar | None]:
    if isinstance(value, str):
        if value not in pillars:
            raise InputError(
                f"start: {name}: {key} is {_short(value)!r}, but the layout has no such pillar"
            )
        return pillars[value].at, pillars[value]
    if isinstance(value, Mapping) and set(value) == {"table"}:
        return _point(name, f"{key}.table", value["table"]), None
    raise InputError(f'start: {name}: {key} must be the id of a pillar or {{"table":[x,y]}}')


def _car(item: Mapping[str, Any], seats: int, roads: set[str]) -> Car:
    name = _id(item, "C", seats)
    _known(name, item, ("id", "on", "along", "side"))
    road = item.get("on")
    if not isinstance(road, str) or road not in roads:
        raise InputError(f"start: {name}: on is {_short(road)!r}, but the layout has no such road")
    along = round(_number(name, "along", item.get("along", 0.5)), 3)
    if not 0.0 <= along <= 1.0:
        raise InputError(f"start: {name}: along is {along:g}; it runs from 0 to 1")
    side = round(_number(name, "side", item.get("side", 0.0), MAX_SIDE), 2)
    return Car(name, SEAT_LETTERS.index(name[0]), road, along, side)


def _building(item: Mapping[str, Any], box: Components) -> PlacedBuilding:
    name = item.get("id")
    if not isinstance(name, str) or not re.fullmatch(r"X(0|[1-9]\d{0,3})", name):
        raise InputError(f"start: the id of a building is X0, X1, ..., not {_short(name)!r}")
    _known(name, item, ("id", "kind", "at", "turn"))
    kind = item.get("kind")
    if not isinstance(kind, str) or kind not in box.buildings:
        near = meant(str(kind), box.buildings)
        raise InputError(
            f"start: {name}: there is no building {_short(kind)!r}; available: "
            f"{', '.join(box.buildings)}{near}"
        )
    turn = round(_number(name, "turn", item.get("turn", 0.0)), 2)
    return PlacedBuilding(name, str(kind), _point(name, "at", item.get("at")), turn)


def _stocks(layout: Mapping[str, Any], supplies: tuple[Supply, ...]) -> tuple[Supply, ...]:
    if "stocks" not in layout:
        return supplies
    stocks = layout["stocks"]
    if not isinstance(stocks, list) or len(stocks) != len(supplies):
        raise InputError(f"start.stocks must be a list of {len(supplies)} objects, one a seat")
    for item in stocks:
        if not isinstance(item, Mapping):
            raise InputError("start.stocks: each stock is an object with cars, grey, yellow, roads")
        _known("start.stocks", item, ("cars", "grey", "yellow", "roads"))
    return tuple(
        Supply(*(_in_stock(item, key) for key in ("cars", "grey", "yellow", "roads")))
        for item in stocks
    )


def _in_stock(item: Mapping[str, Any], key: str) -> int:
    count = _count("stocks", item, key)
    if count > _MAX_STOCK:
        raise InputError(f"start.stocks: {key} is {_short(count)}; a seat has {_MAX_STOCK} at most")
    return count


def _id(item: Mapping[str, Any], kind: str, seats: int) -> str:
    name = item.get("id")
    letters = SEAT_LETTERS[:seats]
    if not isinstance(name, str) or not re.fullmatch(
        rf"[{letters}]-{kind}(0|[1-9]\d{{0,3}})", name
    ):
        raise InputError(
            f"start: {_short(name)!r} is not an id like A-{kind}0 of one of the seats "
            f"{', '.join(letters)}"
        )
    return name


def _known(name: str, item: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    for key in item:
        if key not in keys and not str(key).startswith("x-"):
            raise InputError(
                f"{name} has the unknown key {key!r}; known: {', '.join(keys)}{meant(key, keys)}"
            )


def _apart(pillars: tuple[Pillar, ...], box: Components) -> None:
    """Refuses two pillars in one place: each would stand within half of the other."""
    for one, other in itertools.combinations(pillars, 2):
        apart = math.dist(one.at, other.at)
        if one.id != other.id and apart < box.disc_radius:
            where = (
                f"start: {one.id} and {other.id} stand in one place, {round(apart, 1):g} mm apart"
            )
            raise InputError(
                f"{where}; give one of them another place, {box.disc_diameter:g} mm away or more"
            )


def _unique(ids: list[str]) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise InputError(f"start: the id {name} is given twice")
        seen.add(name)


def _count(name: str, item: Mapping[str, Any], key: str, default: int | None = None) -> int:
    value = item.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f"{name}: {key} must be a whole number of 0 or more, not {_short(value)}")
    return value


def _short(value: object) -> str:
    return short(str(value))[1:-1]


def _number(name: str, key: str, value: object, limit: float = 1e5) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= limit:
        raise InputError(
            f"start: {name}: {key} must be a number no larger than {limit:g}, not {_short(value)}"
        )
    return float(value)


def _point(name: str, key: str, value: object) -> Point:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise InputError(
            f"start: {name}: {key} must be two numbers [x, y] in mm, not {_short(value)}"
        )
    return (round(_number(name, key, value[0]), 2), round(_number(name, key, value[1]), 2))
