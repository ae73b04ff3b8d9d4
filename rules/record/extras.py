"""The `x-` keys of a ply that programs here write and read again: clocks. Whatever else starts with `x-` is never interpreted.

They may come from anywhere. A value that makes no sense is kept and ignored, and reading the record gives a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.record.shapes import is_number

__all__ = ["clock_of", "nonsense", "ran_out_of_time"]

_LONGEST = 1e6  # seconds of a clock: eleven days


def clock_of(extra: Mapping[str, Any], seats: int) -> list[float] | None:
    """The seconds that each seat had left after a ply, from its `x-clock`; None if there is none, or it is invalid."""
    clock = extra.get("x-clock")
    if not isinstance(clock, list | tuple) or len(clock) != seats:
        return None
    if not all(is_number(seconds) and 0 <= seconds <= _LONGEST for seconds in clock):
        return None
    return [float(seconds) for seconds in clock]


def ran_out_of_time(extra: Mapping[str, Any]) -> bool:
    """Whether a resignation was made by the clock (`x-time`)."""
    return extra.get("x-time") is True


def nonsense(extra: Mapping[str, Any], seats: int) -> Iterator[str]:
    """One warning for each of these `x-` keys of a ply whose value makes no sense."""
    if "x-clock" in extra and clock_of(extra, seats) is None:
        yield f"x-clock must be a list of {seats} numbers from 0 to {_LONGEST:g}, the seconds left by seat; ignored"
    if not isinstance(extra.get("x-time", False), bool):
        yield "x-time must be true or false; ignored"
