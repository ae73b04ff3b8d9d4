"""What people in a room say to each other. It is kept in the memory only, and no record has it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from shutoko.web.rooms.lines import one_line

__all__ = ["EMOTES", "MAX_SAID", "Chat", "Said"]

MAX_SAID = 200
"""Characters of a message."""

EMOTES = ("hello", "bravo", "wow", "oops", "wait", "thanks")
"""What can be said by a button; readers see it in their own language."""

_KEPT = 100


@dataclass(frozen=True, slots=True)
class Said:
    """A message: a text, or one of `EMOTES`. A watcher has no `seat`, and perhaps no `name`."""

    seat: int | None
    name: str
    text: str = ""
    emote: str = ""


class Chat:
    """The last messages of a room. Use from one event loop."""

    def __init__(self) -> None:
        self._said: deque[Said] = deque(maxlen=_KEPT)
        self._hearers: list[Callable[[Said], None]] = []

    @property
    def said(self) -> tuple[Said, ...]:
        """The messages, the oldest first."""
        return tuple(self._said)

    def hear(self, hearer: Callable[[Said], None]) -> Callable[[], None]:
        """Calls back with each new message. Call the function that this returns to stop it."""
        self._hearers.append(hearer)

        def leave() -> None:
            with suppress(ValueError):
                self._hearers.remove(hearer)

        return leave

    def say(self, seat: int | None, name: str, text: str = "", emote: str = "") -> bool:
        """Tells everybody an emote, or the text as one short line. Returns whether there was anything to tell."""
        line = one_line(text, MAX_SAID)
        if emote not in EMOTES and not line:
            return False
        message = Said(seat, name, "", emote) if emote in EMOTES else Said(seat, name, line)
        self._said.append(message)
        for hearer in tuple(self._hearers):
            hearer(message)
        return True
