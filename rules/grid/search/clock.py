"""The time for a move: how much a search has used, and how many more steps it may make."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from rules.errors import InputError

__all__ = ["Clock", "Timer"]

Clock = Literal["wall", "cpu"]
"""`wall` is real time; `cpu` is the processor time of this thread, which does not depend on the load of the machine."""

_CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.thread_time}
_CHUNK = 0.02  # seconds between two looks at the clock, at most
_LEAST = 0.001  # seconds between two looks, at least


class Timer:
    """Counts the time since it was made. `seconds` is the time allowed. Raises InputError for an invalid time or clock."""

    def __init__(self, seconds: float, clock: Clock = "wall") -> None:
        if clock not in _CLOCKS:
            raise InputError(f"clock = {clock!r} is not valid; choose from {', '.join(_CLOCKS)}")
        if not 0 < seconds < float("inf"):
            raise InputError(f"the time for a move is a number of seconds above 0, not {seconds}")
        self.seconds = seconds
        self._now = _CLOCKS[clock]
        self._start = self._now()

    @property
    def elapsed(self) -> float:
        """Seconds since the timer was made."""
        return self._now() - self._start

    def chunk(self, done: int, least: int = 8) -> int:
        """How many steps to make before the next look, when `done` took all the time so far; 0 when time is up.

        It is never 0 before the first steps.
        """
        if done == 0:
            return least
        elapsed = self.elapsed
        left = self.seconds - elapsed
        if left <= 0:
            return 0
        each = elapsed / done
        if each > left:
            return 0
        return max(1, min(int(min(_CHUNK, max(left / 2, _LEAST)) / each), 4 * done + least))
