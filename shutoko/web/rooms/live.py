"""What the player to move aims at, for the others in the room while it changes. Nothing of it is recorded."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

__all__ = ["Aim", "Live"]

_PAUSE = 0.12  # seconds between two messages: the eye sees a movement, and a watcher's page has little to do


@dataclass(frozen=True, slots=True)
class Aim:
    """What a seat aims at: some cells of a board, or at a table what the referee says of a placement (`aimed`)."""

    seat: int
    cells: tuple[str, ...] = ()
    aimed: Any = None


class Live:
    """Forwards what somebody aims at. Use from one event loop."""

    def __init__(self) -> None:
        self.now: Aim | None = None
        self._hearers: list[Callable[[Aim | None], None]] = []
        self._sender: Callable[[Aim | None], None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0

    def hear(self, hearer: Callable[[Aim | None], None]) -> Callable[[], None]:
        """Calls back with what others aim at, None if they aim no more. Call the function that this returns to stop it."""
        self._hearers.append(hearer)

        def leave() -> None:
            with suppress(ValueError):
                self._hearers.remove(hearer)
            if self._sender == hearer:
                self.show(hearer, None)

        return leave

    def show(self, sender: Callable[[Aim | None], None], aim: Aim | None) -> None:
        """Sends an aim to everybody but the sender, at once or after a pause; one that still waits gives way to it."""
        if aim is None and (self.now is None or sender != self._sender):
            return
        self.now, self._sender = aim, sender
        if self._timer is None:
            wait = self._due - time.monotonic()
            if wait > 0:
                self._timer = asyncio.get_running_loop().call_later(wait, self._tell)
            else:
                self._tell()

    def clear(self) -> None:
        """Forgets what was aimed at: the position has changed, and every page draws it anew."""
        self.now = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tell(self) -> None:
        self._timer, self._due = None, time.monotonic() + _PAUSE
        for hearer in tuple(self._hearers):
            if hearer != self._sender:
                hearer(self.now)
