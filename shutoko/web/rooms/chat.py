"""What people in a room tell each other: short messages, and what the player to move aims at while
it changes.

It is kept in the memory only, and no record has it.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, TypeVar

MAX_NAME = 40
"""Characters of a player's name."""


def one_line(text: str, most: int) -> str:
    """The printable characters of a text as one line, at most so many."""
    return " ".join(
        "".join(char if char.isprintable() else " " for char in text[: 16 * most]).split()
    )[:most]


Change = Literal[
    "ply",
    "close",
    "try",
    "undo",
    "end",
    "seats",
    "wish",
    "declined",
    "time",
    "names",
    "busy",
    "trouble",
    "stops",
]
"""What has changed in a room (`end`: it is over without a ply), or that the server stops;
subscribers are called with it.
"""


class Trouble(NamedTuple):
    """What went wrong with a move that nobody at a screen made, and who was to make it: a player,
    or nobody (empty).
    """

    who: str
    error: Exception


T = TypeVar("T")


class Hearers(Generic[T]):
    """Those who listen: each is called with what happens. Use from one event loop."""

    def __init__(self) -> None:
        self._hearers: list[tuple[Callable[[T], None], str]] = []

    def __bool__(self) -> bool:
        return bool(self._hearers)

    @property
    def names(self) -> set[str]:
        """Who hears, as far as they have said it."""
        return {name for _, name in self._hearers if name}

    def add(self, hearer: Callable[[T], None], name: str = "") -> Callable[[], None]:
        """Calls back from now on. Call the function that this returns to stop it."""
        self._hearers.append((hearer, name))

        def leave() -> None:
            with suppress(ValueError):
                self._hearers.remove((hearer, name))

        return leave

    def tell(self, what: T, but: Callable[[T], None] | None = None) -> None:
        """Tells everybody, `but` one."""
        for hearer, _ in tuple(self._hearers):
            if hearer != but:
                hearer(what)

    def clear(self) -> None:
        """Tells nobody any more."""
        self._hearers.clear()


# --- messages -------------------------------------------------------------------------------------

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
        self._hearers = Hearers[Said]()

    @property
    def said(self) -> tuple[Said, ...]:
        """The messages, the oldest first."""
        return tuple(self._said)

    def hear(self, hearer: Callable[[Said], None]) -> Callable[[], None]:
        """Calls back with each new message. Call the function that this returns to stop it."""
        return self._hearers.add(hearer)

    def say(self, seat: int | None, name: str, text: str = "", emote: str = "") -> bool:
        """Tells everybody an emote, or the text as one short line. Returns whether there was
        anything to tell.
        """
        line = one_line(text, MAX_SAID)
        if emote not in EMOTES and not line:
            return False
        message = Said(seat, name, "", emote) if emote in EMOTES else Said(seat, name, line)
        self._said.append(message)
        self._hearers.tell(message)
        return True


# --- what somebody aims at ------------------------------------------------------------------------

# seconds between two messages: the eye sees a movement, and a watcher's page has little to do
_PAUSE = 0.12


@dataclass(frozen=True, slots=True)
class Aim:
    """What a seat aims at: some cells of a board, or at a table what the referee says of a
    placement (`aimed`), whose pieces may be in the hand.
    """

    seat: int
    cells: tuple[str, ...] = ()
    aimed: Any = None
    holds: bool = False


class Live:
    """Forwards what somebody aims at. Use from one event loop."""

    def __init__(self) -> None:
        self.now: Aim | None = None
        self._hearers = Hearers[Aim | None]()
        self._sender: Callable[[Aim | None], None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0

    def hear(self, hearer: Callable[[Aim | None], None]) -> Callable[[], None]:
        """Calls back with what others aim at, None if they aim no more. Call the function that this
        returns to stop it.
        """
        stop = self._hearers.add(hearer)

        def leave() -> None:
            stop()
            if self._sender == hearer:
                self.show(hearer, None)

        return leave

    def show(self, sender: Callable[[Aim | None], None], aim: Aim | None) -> None:
        """Sends an aim to everybody but the sender, at once or after a pause; one that still waits
        gives way to it.
        """
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
        self._hearers.tell(self.now, but=self._sender)
