"""Reads one line of JSON strictly, and writes a value in one way only.

Reading is stricter than `json`. It refuses a key that stands twice in an object, NaN and Infinity
(also as `1e999`), a lone surrogate, and nesting so deep that it could exhaust the stack. Messages
quote only a short piece of a line.

Numbers survive bit for bit: whole numbers stay whole (`55` is not `55.0`), others become the
shortest text that reads as the same float64, and -0.0 keeps its sign.
"""

import json
import math
import re
from collections import Counter
from typing import Any, NoReturn

from rules.errors import Refusal

MAX_DEPTH = 64
"""How deep lists and objects may be nested; records need about six levels."""

_MAX_DIGITS = 308  # of a whole number; a longer one is too large for a float64

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)


class LineError(ValueError):
    """A line that cannot be read, or a value that cannot be written. The message gives only the
    reason, not the place.
    """


def why_unreadable(error: ValueError | RecursionError) -> str:
    """Why Python could not read a text as JSON or TOML, in words that do not depend on its
    version.
    """
    if isinstance(error, RecursionError):
        return "lists and objects are nested too deeply"
    if type(error) is ValueError and "digits" in str(error):
        return "a number has thousands of digits"
    return str(error)


def short(text: str, length: int = 40) -> str:
    """`text` in quotes for a message, cut to `length` characters."""
    return repr(text if len(text) <= length else f"{text[:length]}...")


def parse(text: str) -> Any:
    """The value of one line. Raises LineError."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_pairs,
            parse_constant=_constant,
            parse_float=_float,
            parse_int=_int,
        )
    except json.JSONDecodeError as error:
        wrong = f"{error.msg[:1].lower()}{error.msg[1:]}".removesuffix(" at")  # Python's own "at"
        told = f"not JSON: {wrong} at column {error.colno}"
        reason = Refusal(told, "not-json", column=error.colno)
        raise LineError(reason) from None
    except RecursionError:
        _too_deep()
    _check_depth(value)
    if "\\u" in text:  # only an escape can make a lone surrogate; writing the value finds it
        dump(value)
    return value


def dump(value: Any) -> str:
    """The only text of a value: without blanks, its keys in their order. Raises LineError for a
    value that JSON cannot hold.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise LineError(
            f"a text holds {error.object[error.start]!r}, half a character (a lone surrogate)"
        ) from None
    except RecursionError:
        _too_deep()
    except (TypeError, ValueError) as error:
        raise LineError(f"cannot be written as JSON: {str(error)[:120]}") from None
    return text


def cut_off(text: str) -> bool:
    """Whether `text`, which is not JSON, could be the beginning of an object whose end is
    missing.
    """
    if not text.lstrip().startswith("{"):
        return False
    bare = _STRING.sub("", text)
    return bare.count("{") > bare.count("}")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise LineError(f"the key {short(twice)} stands twice in one object")
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
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(MAX_DEPTH):
        inside = [one.values() if isinstance(one, dict) else one for one in level]
        level = [one for some in inside for one in some if isinstance(one, dict | list)]
        if not level:
            return
    _too_deep()
