"""The clocks of a game. They run from the first ply on; a time that is up ends nothing by itself:
the others may claim it.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from rules.record import Record
from rules.record.model import clock_of

OUT_OF_TIME = {"x-time": True}
"""Marks a resignation because the time was up."""


class Clocks:
    """The seconds that each seat has left; `seconds` is None for a game without clocks. Use from
    one event loop.

    `late` is the number of the ply for which the time was up when the room was put away. `up` is
    called with the number of a ply when its time is up.
    """

    def __init__(
        self, seconds: float | None, increment: float, late: int | None, up: Callable[[int], None]
    ) -> None:
        self._seconds, self._increment, self._late, self._up = seconds, increment, late, up
        self._left: list[float] = []
        self._seat: int | None = None
        self._since: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    def read(self, record: Record) -> None:
        """Takes what the plies of a record say."""
        self._left = [float(self._seconds or 0.0)] * len(record.header.players)
        for entry in reversed(record.entries):
            left = clock_of(entry.extra, len(record.header.players))
            if left is not None:
                self._left = left
                return

    @property
    def left(self) -> tuple[float, ...] | None:
        """The seconds that each seat has left as of now, None without clocks."""
        if self._seconds is None:
            return None
        left = list(self._left)
        if self._seat is not None and self._since is not None:
            left[self._seat] -= time.monotonic() - self._since
        return tuple(max(seconds, 0.0) for seconds in left)

    @property
    def late(self) -> int | None:
        """The seat whose time is up, None if nobody's is."""
        left = self.left
        return (
            self._seat
            if left is not None and self._seat is not None and not left[self._seat]
            else None
        )

    @property
    def runs(self) -> bool:
        """Whether a clock runs whose time is not up."""
        return self._timer is not None

    def run(self, seat: int | None, ply: int) -> None:
        """Starts the clock of a seat for a ply, in place of the one that runs; None only stops that
        one.
        """
        self.stop()
        if seat is None or self._seconds is None or not ply:
            return
        self._seat, self._since = seat, time.monotonic()
        if self._late == ply:
            self._left[seat] = 0.0
        self._timer = asyncio.get_running_loop().call_later(
            self._left[seat] + 0.01, self._over, ply
        )

    def stop(self) -> None:
        """Stops the clock that runs."""
        if self._timer is not None:
            self._timer.cancel()
        self._seat = self._since = self._timer = None

    def forgive(self) -> None:
        """Forgets whose time was up: what was played since was taken back."""
        self._late = None

    def after(self, seat: int) -> dict[str, Any]:
        """The clocks after a move of a seat, as its ply keeps them, so that they survive a restart.

        A seat that is not to move may still adjust its last build; the seat to move then gets back
        the time that has passed.
        """
        left = self.left
        if left is None:
            return {}
        if seat != self._seat and self._seat is not None:
            return {"x-clock": [round(seconds, 2) for seconds in self._left]}
        return {
            "x-clock": [
                round(s + (self._increment if n == seat else 0.0), 2) for n, s in enumerate(left)
            ]
        }

    def _over(self, ply: int) -> None:
        self._timer, self._late = None, ply
        self._up(ply)
