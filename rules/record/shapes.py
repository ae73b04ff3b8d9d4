"""Checks from which the shape of a record's lines is built: texts, numbers, lists, objects with
named keys.

A check takes a value and returns it with its keys in canonical order. Maps with free names keep the
order in which they were written.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from rules.record.jsonl import short

Unknown = Callable[[str], None]
"""Receives the place of a key that is not listed. It raises, or returns to let the key be kept."""

Check = Callable[[Any, str, Unknown], Any]
"""(value, its place in the line, what to do with unknown keys) -> the value in canonical order;
raises ShapeError.
"""


class ShapeError(ValueError):
    """A value of the wrong shape. The message gives the place in the line and the reason, but not
    the file.
    """


def wrong(place: str, wanted: str, value: Any) -> ShapeError:
    """The error for a value that is not what was wanted at that place."""
    return ShapeError(f"{place} must be {wanted}, not {_named(value)}")


def _named(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    return short(value) if isinstance(value, str) else short(str(value)).strip("'")


# --- single values --------------------------------------------------------------------------------


def anything(value: Any, _place: str, _unknown: Unknown) -> Any:
    """Any value, as it is."""
    return value


def passes(test: Callable[[Any], bool], wanted: str) -> Check:
    """A value that passes the test; `wanted` names such a value in the message for all others."""

    def check(value: Any, place: str, _unknown: Unknown) -> Any:
        if not test(value):
            raise wrong(place, wanted, value)
        return value

    return check


def is_number(value: Any) -> TypeGuard[float]:
    """Whether the value is a finite number; true and false are none."""
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and abs(value) <= sys.float_info.max  # beyond it are whole numbers of any length


text = passes(lambda value: isinstance(value, str), "text")
name = passes(lambda value: isinstance(value, str) and value != "", "a text that is not empty")
flag = passes(lambda value: isinstance(value, bool), "true or false")
whole = passes(
    lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
    "a whole number from 0 up",
)
number = passes(is_number, "a finite number")


# --- lists and objects ----------------------------------------------------------------------------


def list_of(item: Check, length: int | None = None, wanted: str = "a list") -> Check:
    """A list of such items, of that length if one is given."""

    def check(value: Any, place: str, unknown: Unknown) -> Any:
        if not isinstance(value, list | tuple) or length not in (None, len(value)):
            raise wrong(place, wanted, value)
        return [item(one, f"{place}[{index}]", unknown) for index, one in enumerate(value)]

    return check


def map_of(item: Check) -> Check:
    """An object whose keys are free and keep their order."""

    def check(value: Any, place: str, unknown: Unknown) -> Any:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise wrong(place, "an object", value)
        return {
            key: item(one, f"{place}.{short(key)[1:-1]}", unknown) for key, one in value.items()
        }

    return check


def object_of(listed: Mapping[str, Check], required: tuple[str, ...] = ()) -> Check:
    """An object with the listed keys, in their order; then come the others: those that start with
    `x-`, and unknown ones.
    """

    def check(value: Any, place: str, unknown: Unknown) -> Any:
        if not isinstance(value, Mapping):
            raise wrong(place, "an object", value)
        inside = f"{place}." if place else ""
        for key in required:
            if key not in value:
                raise ShapeError(f"the key {inside}{key} is missing")
        for key in value:
            if key not in listed and not str(key).startswith("x-"):
                unknown(f"{inside}{short(str(key))[1:-1]}")
        known = {
            key: item(value[key], f"{inside}{key}", unknown)
            for key, item in listed.items()
            if key in value
        }
        return known | {key: one for key, one in value.items() if key not in listed}

    return check


def ordered(listed: Mapping[str, Check]) -> Check:
    """Any value. If it is an object, or a list of objects, their listed keys come first and in
    order; nothing is refused.
    """

    def check(value: Any, place: str, unknown: Unknown) -> Any:
        if isinstance(value, list | tuple):
            return [check(one, place, unknown) for one in value]
        if not isinstance(value, Mapping):
            return value
        known = {
            key: item(value[key], place, unknown) for key, item in listed.items() if key in value
        }
        return known | {key: one for key, one in value.items() if key not in listed}

    return check


def keys(*names: str) -> dict[str, Check]:
    """These keys, each with any value."""
    return dict.fromkeys(names, anything)
