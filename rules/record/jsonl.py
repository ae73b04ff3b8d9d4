"""One line of JSON, read strictly and written in one way only.

Stricter than `json`: no key twice in an object, no NaN or Infinity by literal or by exponent, no lone surrogate, no nesting
that could exhaust the stack. Messages never echo a line, however long it is.

Numbers: whole numbers stay whole (`55` and `55.0` are told apart), others are the shortest text that gives the same float64
back; -0.0 keeps its sign, so that a recorded pose survives bit for bit.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

__all__ = ["MAX_DEPTH", "LineError", "cut_off", "dump", "parse", "short"]

MAX_DEPTH = 64
"""Lists and objects within each other, at most; records need about six."""

_MAX_DIGITS = 308
"""Longer whole numbers have no float64."""

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)


class LineError(ValueError):
    """A line that cannot be read, or a value that cannot be written; the message is the reason alone."""


def short(text: str, length: int = 40) -> str:
    """`text` quoted, and shortened to `length` characters, for use in a message."""
    return repr(text if len(text) <= length else f"{text[:length]}...")


def parse(text: str) -> Any:
    """The value of one line. Raises LineError."""
    try:
        value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_int)
    except json.JSONDecodeError as error:
        raise LineError(f"not JSON: {error.msg[:1].lower()}{error.msg[1:]} at column {error.colno}") from None
    except RecursionError:
        _too_deep()
    _check_depth(value)
    if "\\u" in text:  # an escape is the only way to a lone surrogate
        dump(value)
    return value


def dump(value: Any) -> str:
    """The one text of a value: no blanks, keys in the order they have. Raises LineError for what JSON cannot say."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise LineError(f"a text holds {error.object[error.start]!r}, half a character (a lone surrogate)") from None
    except RecursionError:
        _too_deep()
    except (TypeError, ValueError) as error:
        raise LineError(f"cannot be written as JSON: {str(error)[:120]}") from None
    return text


def cut_off(text: str) -> bool:
    """Whether `text`, which is not JSON, is the beginning of an object whose end is missing."""
    if not text.lstrip().startswith("{"):
        return False
    bare = _STRING.sub("", text)
    return bare.count("{") > bare.count("}")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise LineError(f"the key {short(key)} stands twice in one object")
            seen.add(key)
    return found


def _constant(literal: str) -> NoReturn:
    raise LineError(f"{literal} is not a number that a record may hold")


def _float(literal: str) -> float:
    value = float(literal)
    if math.isinf(value):
        raise LineError(f"the number {short(literal)} is too large for a float64")
    return value


def _int(literal: str) -> int:
    if len(literal) > _MAX_DIGITS:
        raise LineError(f"the number {short(literal)} is too large for a float64")
    return int(literal)


def _too_deep() -> NoReturn:
    raise LineError(f"lists and objects are nested more than {MAX_DEPTH} deep") from None


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inner: list[Any] = []
        for outer in level:
            children = outer.values() if isinstance(outer, dict) else outer if isinstance(outer, list) else ()
            inner.extend(child for child in children if isinstance(child, dict | list))
        if not inner:
            return
        level = inner
    _too_deep()
