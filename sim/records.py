"""The record format of Tokyo Highway, which `rules.record` finds by its entry point. See
docs/record-format.md.

This module imports neither geometry nor an engine, so reading a record stays quick. It only checks
the form of a move and puts its keys in order. `sim.referee.placement` judges whether the move makes
sense.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from rules.errors import InputError, RecordError
from rules.record import Entry, Record, loads
from rules.record.jsonl import short
from rules.record.schema import FAULTS, RecordFormat, any_move, refuse_key
from rules.record.shapes import (
    Check,
    ShapeError,
    Unknown,
    anything,
    flag,
    is_number,
    keys,
    list_of,
    map_of,
    name,
    number,
    object_of,
    ordered,
    passes,
    text,
    whole,
)
from sim.assets import names


class EndReason(StrEnum):
    """Why a game of Tokyo Highway ended, unless all others resigned
    (`rules.game.Reason.RESIGNED`).
    """

    ALL_CARS_PLACED = "all-cars-placed"
    """A player put the last own car down."""
    LAST_STANDING = "last-standing"
    """All others ran out of material."""


# --- limits ---------------------------------------------------------------------------------------
# What lies beyond them is no game of Tokyo Highway, and physics would take for ever over it or give
# no finite answer.

FAR = 2e5
"""mm from the middle of the table, along any axis: twice as far as a move may name. No pose or
point of a path lies beyond.
"""

MAX_SHIFT = 300.0
"""mm along each axis that a hand may be off: more than two roads. Whoever is further off builds
elsewhere.
"""

MAX_TURN = 360.0
"""Degrees about each axis that a hand may turn a piece: once round."""

MAX_LETTING_GO = 1000.0
"""mm/s along each axis with which a hand may let a piece go: a throw; hands that build stay below
300.
"""

TOOLS = ("finger", "tweezers")
"""What a hand may lead along its path."""

MAX_POINTS = 100
"""Points of one path; a hand that visits a pillar and a road has eight."""

MIN_SPEED, USUAL_SPEED, MAX_SPEED = 10.0, 100.0, 5000.0
"""mm/s of a path: the slowest, what is meant if it is left out, the fastest. Hands place at 100 to
500.
"""

MAX_SWEEP = 6000.0
"""mm that a path may be long: past the tallest pillars of the largest pieces, up and down twice."""

MAX_SWEEP_TIME = 30.0
"""Simulated seconds that a path may take; the usual ones take one. Physics takes about as long for
them on a full table.
"""

_UNIT = 1e-3  # how far the length of a pose's quaternion may be from 1; physics is exact to 1e-6

_POINT = list_of(number, 2, "two numbers [x, y]")


def _within(limit: float, unit: str) -> Check:
    return passes(
        lambda value: is_number(value) and abs(value) <= limit,
        f"a number from {-limit:g} to {limit:g} ({unit})",
    )


_PLACE = _within(FAR, "mm")
_SEVEN = list_of(number, 7, "the seven numbers [x, y, z, qx, qy, qz, qw]")


def _pose(value: Any, place: str, unknown: Unknown) -> Any:
    pose = _SEVEN(value, place, unknown)
    for index in range(3):
        _PLACE(pose[index], f"{place}[{index}]", unknown)
    if pose[2] < 0.0:
        raise ShapeError(
            f"{place} is {-pose[2]:g} mm under the table: z is the height of a piece's middle, 0 "
            "or more"
        )
    size = math.hypot(*pose[3:])
    if not abs(size - 1) <= _UNIT:
        raise ShapeError(
            f"{place} turns by no rotation: qx, qy, qz, qw must be a quaternion of length 1, not "
            f"{size:g}"
        )
    return pose


_NAMES = list_of(name)
_SEATS = list_of(whole)


# --- the move -------------------------------------------------------------------------------------


_CAR = ordered(keys("along", "side"))
_ROAD = ordered(keys("start", "end", "slide", "under"))
_KEYS_OF_A_MOVE = ordered(
    {
        "entrance": ordered(keys("pillar", "toward")),
        "building": ordered(keys("kind", "at", "turn")),
        "build": ordered({**keys("from", "pillar", "discs", "junction"), "road": _ROAD}),
        "exit": ordered({**keys("from", "to"), "road": _ROAD}),
        "adjust": ordered({**keys("pillar", "to"), "road": _ROAD, "cars": _CAR}),
        "pass": anything,
        "car": _CAR,
        "cars": _CAR,
    }
)


def _move(value: Any, place: str, unknown: Unknown) -> Any:
    return _KEYS_OF_A_MOVE(any_move(value, place, unknown), place, unknown)


# --- what people saw ------------------------------------------------------------------------------


_TURN = _within(36000.0, "degrees")
# what may stand elsewhere after a ply, by the key that names the piece
_PUT: Mapping[str, Check] = {
    "pillar": object_of({"pillar": name, "at": _POINT}, required=("at",)),
    "road": object_of({"road": name, "start": _POINT, "end": _POINT}, required=("start", "end")),
    "car": object_of(
        {"car": name, "on": name, "along": number, "side": number, "turn": _TURN},
        required=("on", "along"),
    ),
    "building": object_of({"building": name, "at": _POINT, "turn": _TURN}, required=("at",)),
    "gone": object_of({"gone": name}),
}

ADDED: dict[tuple[str, ...], int] = {("do", "*", "road", "under"): 1} | {
    ("observed", key): 1 for key in ("put", "touched", "cars")
}
"""The keys that came with version 1.1: what a real table does."""

_SEEN = object_of({"fallen": _NAMES, "put": anything, "touched": _NAMES, "cars": whole})


def _put(value: Any, place: str, unknown: Unknown) -> Any:
    named = [key for key in _PUT if isinstance(value, Mapping) and key in value]
    if len(named) != 1:
        raise ShapeError(
            f"{place} must name one piece, by one of the keys {', '.join(_PUT)}; it has "
            f"{' and '.join(named) or 'none'}"
        )
    return _PUT[named[0]](value, place, unknown)


_PUTS = list_of(_put, wanted="a list of pieces that stand elsewhere")


def _observed(value: Any, place: str, unknown: Unknown) -> Any:
    seen = _SEEN(value, place, unknown)
    if "put" in seen:
        seen["put"] = _PUTS(seen["put"], f"{place}.put", unknown)
    if not any(key in seen for key in ("fallen", "put", "touched", "cars")):
        raise ShapeError(f"the key {place}.fallen is missing")
    return seen


# --- the hand and what is paid --------------------------------------------------------------------


_POINTS = list_of(
    list_of(_PLACE, 3, "three numbers [x, y, z]"), wanted="a list of points [x, y, z]"
)
_PATH = object_of(
    {
        "points": _POINTS,
        "speed": passes(
            lambda value: is_number(value) and MIN_SPEED <= value <= MAX_SPEED,
            f"a number from {MIN_SPEED:g} to {MAX_SPEED:g} (mm/s)",
        ),
        "tool": passes(lambda value: value in TOOLS, " or ".join(TOOLS)),
    },
    required=("points",),
)


def _path(value: Any, place: str, unknown: Unknown) -> Any:
    given = value.get("points") if isinstance(value, Mapping) else None
    if isinstance(given, list | tuple) and not 1 <= len(given) <= MAX_POINTS:
        raise ShapeError(
            f"{place}.points has {len(given)} points; a path of the hand has 1 to {MAX_POINTS}"
        )
    path = _PATH(value, place, unknown)
    long = math.fsum(
        math.dist(a, b) for a, b in zip(path["points"], path["points"][1:], strict=False)
    )
    if long > MAX_SWEEP:
        raise ShapeError(
            f"{place} is {long:.0f} mm long; a path of the hand is {MAX_SWEEP:g} mm at most"
        )
    takes = long / path.get("speed", USUAL_SPEED)
    if takes > MAX_SWEEP_TIME:
        raise ShapeError(
            f"{place} takes {takes:.1f} s at that speed; a path of the hand takes "
            f"{MAX_SWEEP_TIME:g} s at most"
        )
    return path


_JITTER = object_of(
    {
        "piece": name,
        "shift": list_of(_within(MAX_SHIFT, "mm"), 3, "three numbers"),
        "turn": list_of(_within(MAX_TURN, "degrees"), 3, "three numbers"),
        "speed": list_of(_within(MAX_LETTING_GO, "mm/s"), 3, "three numbers"),
        "path": _path,
    }
)


def _jitter(value: Any, place: str, unknown: Unknown) -> Any:
    item = _JITTER(value, place, unknown)
    if ("piece" in item) == ("path" in item) or (
        "path" in item and item.keys() & {"shift", "turn", "speed"}
    ):
        raise ShapeError(
            f"{place} must have either piece, with shift, turn and speed, or path alone"
        )
    return item


_HAND = list_of(_jitter)


def checked_hand(hand: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The `hand` of a ply if it is within the limits. Raises InputError that names the item, its
    value and the limit.
    """
    try:
        checked: list[Mapping[str, Any]] = _HAND(hand, "hand", refuse_key)
    except ShapeError as error:
        raise InputError(str(error)) from error
    return checked


# `cars` is only for the verdicts of older records: a penalty is no longer paid in them
_PAYMENT = object_of(
    {"to": whole, "grey": whole, "yellow": whole, "roads": whole, "cars": whole}, required=("to",)
)


def _pay(value: Any, place: str, unknown: Unknown) -> Any:
    if isinstance(value, Mapping) and "cars" in value:
        raise ShapeError(
            f"{place} gives cars, but a penalty is paid in discs and roads, never in cars"
        )
    return _PAYMENT(value, place, unknown)


# --- the verdict ----------------------------------------------------------------------------------


_GOT_KEYS: Mapping[str, Check] = {
    "legal": flag,
    "built": flag,
    "faults": FAULTS,
    "cars": whole,
    "placed": whole,
    "crossings": list_of(
        object_of({"road": name, "side": name, "scores": flag}, required=("road",))
    ),
    "fallen": _NAMES,
    "paid": list_of(_PAYMENT),
    "restless": _NAMES,
    "moved": map_of(_pose),
    "out": _SEATS,
    "close": object_of(
        {"starts": whole, "differs": whole, "pieces": _NAMES}, required=("starts", "differs")
    ),
    "digest": name,
}
_GOT = object_of(_GOT_KEYS)
_UNSEEN = ("moved", "digest", "faults", "restless", "close")  # what nobody at a table could claim
_CLAIM = object_of({key: check for key, check in _GOT_KEYS.items() if key not in _UNSEEN})


# --- the layout to begin from ---------------------------------------------------------------------


_TABLE_END = object_of({"table": _POINT}, required=("table",))


def _foot(value: Any, place: str, unknown: Unknown) -> Any:
    return (
        name(value, place, unknown) if isinstance(value, str) else _TABLE_END(value, place, unknown)
    )


_LAYOUT = object_of(
    {
        "to_move": whole,
        "pillars": list_of(
            object_of(
                {"id": name, "at": _POINT, "discs": whole, "junction": flag}, ("id", "at", "discs")
            )
        ),
        "roads": list_of(object_of({"id": name, "from": _foot, "to": _foot}, ("id", "from", "to"))),
        "cars": list_of(
            object_of(
                {"id": name, "on": name, "along": number, "side": number}, ("id", "on", "along")
            )
        ),
        "buildings": list_of(
            object_of(
                {"id": name, "kind": name, "at": _POINT, "turn": number}, ("id", "kind", "at")
            )
        ),
        "stocks": list_of(
            object_of({"cars": whole, "grey": whole, "yellow": whole, "roads": whole})
        ),
    }
)


def _start(value: Any, place: str, unknown: Unknown) -> Any:
    layout = _LAYOUT(value, place, unknown)
    seen: dict[str, str] = {}
    for group in ("pillars", "roads", "cars", "buildings"):
        for index, piece in enumerate(layout.get(group, ())):
            here = f"{place}.{group}[{index}]"
            if piece["id"] in seen:
                raise ShapeError(
                    f"the id {short(piece['id'])} is given twice, at {seen[piece['id']]} and at "
                    f"{here}"
                )
            seen[piece["id"]] = here
    return layout


# --- the whole ------------------------------------------------------------------------------------


def _components(value: Any, place: str, unknown: Unknown) -> Any:
    named = name(value, place, unknown)
    if named.endswith(".toml") and any(mark in named for mark in "/\\:"):
        raise ShapeError(
            f"{place} is {short(named)}; a file of your own lies beside the record: give its name "
            "without a folder"
        )
    return named


def _engine(physics: Mapping[str, Any]) -> dict[str, str]:
    """The engine of a record; nobody has to install one to read it."""
    return {"engine": str(physics.get("engine", "none"))}


FORMAT = RecordFormat(
    header={
        "components": _components,
        "physics": object_of(
            {"engine": name, "version": text, "params": text, "platform": text},
            required=("engine",),
        ),
        "start": _start,
    },
    entry={
        "do": _move,
        "hand": _HAND,
        "got": _GOT,
        "claim": _CLAIM,
        "observed": _observed,
        "tries": list_of(object_of({"hand": _HAND, "got": _GOT})),
        "pay": list_of(_pay),
    },
    reasons=tuple(reason.value for reason in EndReason),
    added=ADDED,
    makes=_engine,
)
"""The format of Tokyo Highway's records."""


# --- keys that a ply does not use -----------------------------------------------------------------

LAYS = frozenset({"entrance", "build", "exit", "adjust"})
"""The kinds of ply that lay a road."""

# what a verdict says of how pieces came to rest
_SETTLED = ("moved", "restless", "close")


def unused(entry: Entry, kind: str, *, seen: bool) -> Iterator[tuple[str, str]]:
    """The places of the keys that a ply of that kind (a key of `do`) does not use, each with the
    reason and the way out (record format 4l). `seen`: people saw the ply, no engine judges it.
    """
    got, tries = entry.got or {}, entry.tries or ()
    if kind not in LAYS:
        places = [key for key in ("hand", "tries") if getattr(entry, key) is not None]
        places += ["observed.cars"] if "cars" in (entry.observed or {}) else []
        why = f"a ply with {kind!r} lays no road"
    elif seen:
        places = ["hand"] if entry.hand is not None else []
        for n, one in enumerate(tries):
            places += [f"tries[{n}].hand"] if "hand" in one else []
            places += [f"tries[{n}].got.{key}" for key in _SETTLED if key in one.get("got", {})]
        why = "people saw this ply, so no engine lays its pieces"
    else:
        return
    places += [f"got.{key}" for key in _SETTLED if key in got]
    yield from ((place, f"{place} is not used: {why}; leave it out") for place in places)


# --- records that somebody brings -----------------------------------------------------------------


def loads_from_outside(data: bytes, path: Path | str | None = None) -> Record:
    """The record in these bytes, which a stranger sent; messages name `path`, but no file is read.

    Its components must be shipped ones, since a path could lead to any file of this machine. Raises
    RecordError for other components, and what `rules.record.loads` raises.
    """
    record = loads(data, path)
    for where, named in (
        ("components", record.header.components),
        ("options.components", record.header.options.get("components")),
    ):
        if named is not None and named not in names("components"):
            reason = (
                f"{where} is {short(str(named))}; a record from outside may name: "
                f"{', '.join(names('components'))}"
            )
            raise RecordError(reason, record.path, 1)
    return record
