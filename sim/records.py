"""The record format of Tokyo Highway, which `rules.record` finds by its entry point. See docs/record-format.md.

This module imports neither geometry nor an engine, so reading a record stays quick. It only checks the form of a move and puts
its keys in order. `sim.referee.placement` judges whether the move makes sense.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from rules.record.jsonl import short
from rules.record.schema import FAULTS, RecordFormat, any_move
from rules.record.shapes import (
    Check,
    ShapeError,
    Unknown,
    anything,
    flag,
    keys,
    list_of,
    map_of,
    name,
    number,
    object_of,
    ordered,
    text,
    whole,
)

__all__ = ["FORMAT", "EndReason"]


class EndReason(StrEnum):
    """Why a game of Tokyo Highway ended, unless all others resigned (`rules.game.Reason.RESIGNED`)."""

    ALL_CARS_PLACED = "all-cars-placed"
    """A player put the last own car down."""
    LAST_STANDING = "last-standing"
    """All others ran out of material."""


_POINT = list_of(number, 2, "two numbers [x, y]")
_TRIPLE = list_of(number, 3, "three numbers")
_POSE = list_of(number, 7, "the seven numbers [x, y, z, qx, qy, qz, qw]")
_NAMES = list_of(name)
_SEATS = list_of(whole)


# --- the move ----------------------------------------------------------------------------------------------------------------


_CAR = ordered(keys("along", "side"))
_ROAD = ordered(keys("start", "end", "slide"))
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


# --- the hand and what is paid -----------------------------------------------------------------------------------------------


_JITTER = object_of({"piece": name, "shift": _TRIPLE, "turn": _TRIPLE, "path": map_of(anything)})


def _jitter(value: Any, place: str, unknown: Unknown) -> Any:
    item = _JITTER(value, place, unknown)
    if ("piece" in item) == ("path" in item) or ("path" in item and ("shift" in item or "turn" in item)):
        raise ShapeError(f"{place} must have either piece, with shift and turn, or path alone")
    return item


_HAND = list_of(_jitter)

# `cars` is only for the verdicts of older records: a penalty is no longer paid in them
_PAYMENT = object_of({"to": whole, "grey": whole, "yellow": whole, "roads": whole, "cars": whole}, required=("to",))


def _pay(value: Any, place: str, unknown: Unknown) -> Any:
    if isinstance(value, Mapping) and "cars" in value:
        raise ShapeError(f"{place} gives cars, but a penalty is paid in discs and roads, never in cars")
    return _PAYMENT(value, place, unknown)


# --- the verdict -------------------------------------------------------------------------------------------------------------


_GOT_KEYS: Mapping[str, Check] = {
    "legal": flag,
    "built": flag,
    "faults": FAULTS,
    "cars": whole,
    "placed": whole,
    "crossings": list_of(object_of({"road": name, "side": name, "scores": flag}, required=("road",))),
    "fallen": _NAMES,
    "paid": list_of(_PAYMENT),
    "restless": _NAMES,
    "moved": map_of(_POSE),
    "out": _SEATS,
    "digest": name,
}
_GOT = object_of(_GOT_KEYS)
_CLAIM = object_of({key: check for key, check in _GOT_KEYS.items() if key not in ("moved", "digest", "faults", "restless")})


# --- the layout to begin from ------------------------------------------------------------------------------------------------


_TABLE_END = object_of({"table": _POINT}, required=("table",))


def _foot(value: Any, place: str, unknown: Unknown) -> Any:
    return name(value, place, unknown) if isinstance(value, str) else _TABLE_END(value, place, unknown)


_LAYOUT = object_of(
    {
        "to_move": whole,
        "pillars": list_of(object_of({"id": name, "at": _POINT, "discs": whole, "junction": flag}, ("id", "at", "discs"))),
        "roads": list_of(object_of({"id": name, "from": _foot, "to": _foot}, ("id", "from", "to"))),
        "cars": list_of(object_of({"id": name, "on": name, "along": number, "side": number}, ("id", "on", "along"))),
        "buildings": list_of(object_of({"id": name, "kind": name, "at": _POINT, "turn": number}, ("id", "kind", "at"))),
        "stocks": list_of(object_of({"cars": whole, "grey": whole, "yellow": whole, "roads": whole})),
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


# --- the whole ---------------------------------------------------------------------------------------------------------------


FORMAT = RecordFormat(
    header={
        "components": name,
        "physics": object_of({"engine": name, "version": text, "params": text, "platform": text}, required=("engine",)),
        "start": _start,
    },
    entry={
        "do": _move,
        "hand": _HAND,
        "got": _GOT,
        "claim": _CLAIM,
        "observed": object_of({"fallen": _NAMES}, required=("fallen",)),
        "tries": list_of(object_of({"hand": _HAND, "got": _GOT})),
        "pay": list_of(_pay),
    },
    reasons=tuple(reason.value for reason in EndReason),
)
"""The format of Tokyo Highway's records."""
