"""The shape of a record's lines: which keys there are, in which order they are written, and what each may hold.

The tables below are the one place that lists keys; reading and writing go through the same tables. A check takes a value and
returns it with its keys in canonical order. Maps with free names (`options`, `moved`, the inside of `x-` keys) keep the order
in which they were written. What a move (`do`) says is the game's to judge: here its keys are only put in order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from rules.record.jsonl import short

__all__ = ["END", "ENTRY", "HEADER", "KINDS", "MAX_TOLERANCE", "NOTE", "Check", "ShapeError", "Unknown"]

Unknown = Callable[[str], None]
"""Told the place of a key that the tables do not list; it raises, or lets the key pass and be kept."""

MAX_TOLERANCE = 20
"""mm that the numbers of an observed game may be off at most; who is further off has misread the ruler."""

Check = Callable[[Any, str, Unknown], Any]
"""(value, its place in the line, what to do with unknown keys) -> the value in canonical order; raises ShapeError."""


class ShapeError(ValueError):
    """A value of the wrong shape; the message is the reason alone, with the place in the line."""


def _named(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    return short(value) if isinstance(value, str) else short(str(value)).strip("'")


def _wrong(place: str, wanted: str, value: Any) -> ShapeError:
    return ShapeError(f"{place} must be {wanted}, not {_named(value)}")


def _any(value: Any, _place: str, _unknown: Unknown) -> Any:
    return value


def _is(test: Callable[[Any], bool], wanted: str) -> Check:
    def check(value: Any, place: str, _unknown: Unknown) -> Any:
        if not test(value):
            raise _wrong(place, wanted, value)
        return value

    return check


_text = _is(lambda value: isinstance(value, str), "text")
_name = _is(lambda value: isinstance(value, str) and value != "", "a text that is not empty")
_flag = _is(lambda value: isinstance(value, bool), "true or false")
_whole = _is(lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0, "a whole number from 0 up")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


_number = _is(_is_number, "a finite number")
_tolerance = _is(lambda value: _is_number(value) and 0 <= value <= MAX_TOLERANCE, f"a number of mm from 0 to {MAX_TOLERANCE}")


def _list(item: Check, length: int | None = None, wanted: str = "a list") -> Check:
    def check(value: Any, place: str, unknown: Unknown) -> Any:
        if not isinstance(value, list | tuple) or length not in (None, len(value)):
            raise _wrong(place, wanted, value)
        return [item(one, f"{place}[{index}]", unknown) for index, one in enumerate(value)]

    return check


def _map(item: Check) -> Check:
    def check(value: Any, place: str, unknown: Unknown) -> Any:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise _wrong(place, "an object", value)
        return {key: item(one, f"{place}.{short(key)[1:-1]}", unknown) for key, one in value.items()}

    return check


def _object(keys: Mapping[str, Check], required: tuple[str, ...] = ()) -> Check:
    def check(value: Any, place: str, unknown: Unknown) -> Any:
        if not isinstance(value, Mapping):
            raise _wrong(place, "an object", value)
        inside = f"{place}." if place else ""
        for key in required:
            if key not in value:
                raise ShapeError(f"the key {inside}{key} is missing")
        for key in value:
            if key not in keys and not str(key).startswith("x-"):
                unknown(f"{inside}{short(str(key))[1:-1]}")
        known = {key: item(value[key], f"{inside}{key}", unknown) for key, item in keys.items() if key in value}
        return known | {key: one for key, one in value.items() if key not in keys}

    return check


def _ordered(keys: Mapping[str, Check]) -> Check:
    """Puts the keys of an object, or of every object in a list, in order and judges nothing."""

    def check(value: Any, place: str, unknown: Unknown) -> Any:
        if isinstance(value, list | tuple):
            return [check(one, place, unknown) for one in value]
        if not isinstance(value, Mapping):
            return value
        known = {key: item(value[key], place, unknown) for key, item in keys.items() if key in value}
        return known | {key: one for key, one in value.items() if key not in keys}

    return check


def _keys(*names: str) -> dict[str, Check]:
    return dict.fromkeys(names, _any)


_POINT = _list(_number, 2, "two numbers [x, y]")
_TRIPLE = _list(_number, 3, "three numbers")
_POSE = _list(_number, 7, "the seven numbers [x, y, z, qx, qy, qz, qw]")
_TEXTS = _list(_name)
_SEATS = _list(_whole)

_CAR = _ordered(_keys("along", "side"))
_ROAD = _ordered(_keys("start", "end", "slide"))
_MOVE = _ordered(
    {
        "entrance": _ordered(_keys("pillar", "toward")),
        "building": _ordered(_keys("kind", "at", "turn")),
        "build": _ordered({**_keys("from", "pillar", "discs", "junction"), "road": _ROAD}),
        "exit": _ordered({**_keys("from", "to"), "road": _ROAD}),
        "adjust": _ordered({**_keys("pillar", "to"), "road": _ROAD, "cars": _CAR}),
        "pass": _any,
        "car": _CAR,
        "cars": _CAR,
    }
)


def _do(value: Any, place: str, unknown: Unknown) -> Any:
    if not isinstance(value, str | Mapping) or not value:
        raise _wrong(place, "a move: text or an object that is not empty", value)
    return _MOVE(value, place, unknown)


def _players(value: Any, place: str, unknown: Unknown) -> Any:
    if not isinstance(value, list | tuple) or not value:
        raise _wrong(place, "a list of at least one name", value)
    return [_text(name, f"{place}[{index}]", unknown) for index, name in enumerate(value)]


_HAND_ITEM = _object({"piece": _name, "shift": _TRIPLE, "turn": _TRIPLE, "path": _map(_any)})


def _jitter(value: Any, place: str, unknown: Unknown) -> Any:
    item = _HAND_ITEM(value, place, unknown)
    if ("piece" in item) == ("path" in item) or ("path" in item and ("shift" in item or "turn" in item)):
        raise ShapeError(f"{place} must have either piece, with shift and turn, or path alone")
    return item


def _fault(value: Any, place: str, unknown: Unknown) -> Any:
    return value if isinstance(value, str) else _FAULT(value, place, unknown)


def _numbers(value: Any, place: str, unknown: Unknown) -> Any:
    return _map(_number)(value, place, unknown) if isinstance(value, Mapping) else _list(_number)(value, place, unknown)


def _pay(value: Any, place: str, unknown: Unknown) -> Any:
    if isinstance(value, Mapping) and "cars" in value:
        raise ShapeError(f"{place} gives cars, but a penalty is paid in discs and roads, never in cars")
    return _PAYMENT(value, place, unknown)


_HAND = _list(_jitter)
_FAULT = _object({"code": _name, "text": _text, "pieces": _TEXTS, "numbers": _numbers}, required=("code",))
_CROSSING = _object({"road": _name, "side": _name, "scores": _flag}, required=("road",))
# `cars` is only for verdicts of older records: a penalty is no longer paid in them
_PAYMENT = _object({"to": _whole, "grey": _whole, "yellow": _whole, "roads": _whole, "cars": _whole}, required=("to",))
_GOT_KEYS: dict[str, Check] = {
    "legal": _flag,
    "built": _flag,
    "faults": _list(_fault),
    "cars": _whole,
    "placed": _whole,
    "crossings": _list(_CROSSING),
    "fallen": _TEXTS,
    "paid": _list(_PAYMENT),
    "restless": _TEXTS,
    "moved": _map(_POSE),
    "out": _SEATS,
    "digest": _name,
}
_GOT = _object(_GOT_KEYS)
_CLAIM = _object({key: check for key, check in _GOT_KEYS.items() if key not in ("moved", "digest", "faults", "restless")})
_OBSERVED = _object({"fallen": _TEXTS}, required=("fallen",))
_TRY = _object({"hand": _HAND, "got": _GOT})
_PAY = _list(_pay)


def _foot(value: Any, place: str, unknown: Unknown) -> Any:
    return _name(value, place, unknown) if isinstance(value, str) else _TABLE_END(value, place, unknown)


_TABLE_END = _object({"table": _POINT}, required=("table",))
_STOCK = _object({"cars": _whole, "grey": _whole, "yellow": _whole, "roads": _whole})
_LAYOUT = _object(
    {
        "to_move": _whole,
        "pillars": _list(
            _object({"id": _name, "at": _POINT, "discs": _whole, "junction": _flag}, required=("id", "at", "discs"))
        ),
        "roads": _list(_object({"id": _name, "from": _foot, "to": _foot}, required=("id", "from", "to"))),
        "cars": _list(_object({"id": _name, "on": _name, "along": _number, "side": _number}, required=("id", "on", "along"))),
        "buildings": _list(_object({"id": _name, "kind": _name, "at": _POINT, "turn": _number}, required=("id", "kind", "at"))),
        "stocks": _list(_STOCK),
    }
)


def _start(value: Any, place: str, unknown: Unknown) -> Any:
    layout = _LAYOUT(value, place, unknown)
    seen: dict[str, str] = {}
    for group in ("pillars", "roads", "cars", "buildings"):
        for index, piece in enumerate(layout.get(group, ())):
            here = f"{place}.{group}[{index}]"
            if piece["id"] in seen:
                raise ShapeError(f"the id {short(piece['id'])} is given twice, at {seen[piece['id']]} and at {here}")
            seen[piece["id"]] = here
    return layout


_PHYSICS = _object({"engine": _name, "version": _text, "params": _text, "platform": _text}, required=("engine",))

HEADER = _object(
    {
        "record": _name,
        "version": _list(_whole, 2, "two whole numbers [major, minor]"),
        "game": _name,
        "players": _players,
        "ruleset": _name,
        "options": _map(_any),
        "components": _name,
        "physics": _PHYSICS,
        "seed": _whole,
        "date": _text,
        "source": _text,
        "start": _start,
        "observed": _flag,
        "tolerance": _tolerance,
        "note": _text,
    },
    required=("record", "version", "game", "players"),
)
"""Line 1."""

ENTRY = _object(
    {
        "ply": _whole,
        "by": _whole,
        "do": _do,
        "hand": _HAND,
        "got": _GOT,
        "claim": _CLAIM,
        "observed": _OBSERVED,
        "tries": _list(_TRY),
        "pay": _PAY,
        "accepted": _flag,
        "note": _text,
    },
    required=("ply", "by", "do"),
)
"""One line a ply."""

END = _object(
    {"end": _object({"ranks": _list(_SEATS), "reason": _name}, required=("ranks", "reason")), "note": _text}, required=("end",)
)
"""The last line."""

NOTE = _object({"note": _text})
"""A line of its own with only a note, or only `x-` keys."""

KINDS: Mapping[str, Check] = {
    "header": HEADER,
    "entry": ENTRY,
    "end": END,
    "note": NOTE,
    "do": _do,
    "got": _GOT,
    "claim": _CLAIM,
    "observed": _OBSERVED,
    "hand": _HAND,
    "tries": _list(_TRY),
    "pay": _PAY,
    "start": _start,
}
"""The named parts of a record whose canonical text can be asked for."""
