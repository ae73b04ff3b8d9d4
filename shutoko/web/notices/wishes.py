"""Who wants to be told of a turn: one file for each wish, readable by the owner of the server
only.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rules.errors import InputError, Refusal
from rules.files import os_reason, read_regular
from rules.record import disk

MAX_OF_SEAT = 4
"""Wishes for one seat."""

MAX_WISHES = 5000
"""Wishes of all seats of a server."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
_MOST = 2**13  # bytes of a file
_WAY = "push"  # what a file says of how its player is told

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wish:
    """A player's wish for notices: for which `seat` of which `room`, `to` which browser (its place
    for pushes, as JSON), in which language. `base` is the address of the server, `since` is in
    seconds since 1970, and `token` names the wish.
    """

    room: str
    seat: int
    to: str
    language: str
    base: str
    since: float = field(default_factory=time.time)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))


class Wishes:
    """The wishes of a server, in a folder and in memory."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True, mode=0o700)
        self._folder = folder
        self._all: dict[str, Wish] = {}
        for path in sorted(folder.glob("*.json")):
            with suppress(OSError, ValueError, TypeError):
                stored = json.loads(read_regular(path, _MOST))
                if (way := stored.pop("way", _WAY)) != _WAY:
                    told = (
                        "%s: a notice by %s is not sent: the player can ask for a push in the room"
                    )
                    _log.warning(told, path, way)
                    continue
                stored.pop("confirmed", None)  # older files say so of every push
                wish = Wish(**stored)
                self._all[wish.token] = wish

    def of(self, room: str, seat: int | None = None) -> tuple[Wish, ...]:
        """Those of a room, or of one of its seats."""
        return tuple(self._of(room, seat))

    def _of(self, room: str, seat: int | None) -> Iterator[Wish]:
        for wish in self._all.values():
            if wish.room == room and seat in (None, wish.seat):
                yield wish

    def get(self, token: str) -> Wish | None:
        """The wish with that token, None if there is none."""
        return self._all.get(token)

    def add(self, wish: Wish) -> Wish:
        """Keeps a wish; the same one again is the first. Raises InputError if there are too many,
        or if it cannot be kept.
        """
        mine = self.of(wish.room, wish.seat)
        same = next((one for one in mine if one.to == wish.to), None)
        if same is not None:
            return same
        if len(mine) >= MAX_OF_SEAT or len(self._all) >= MAX_WISHES:
            told = "there are too many notices; end another one first"
            raise InputError(Refusal(told, "notice-many"))
        self._put(wish)
        return wish

    def end(self, token: str) -> None:
        """Ends a wish, if there is one."""
        if self._all.pop(token, None) is not None:
            with suppress(OSError):
                self._path(token).unlink(missing_ok=True)

    def _put(self, wish: Wish) -> None:
        try:
            kept = json.dumps({"way": _WAY, **asdict(wish)})
            disk.put(self._path(wish.token), kept.encode(), mode=0o600)
        except OSError as error:
            why = os_reason(error)
            told = Refusal(f"the notice cannot be kept: {why}", "notice-not-kept", why=why)
            raise InputError(told) from error
        self._all[wish.token] = wish

    def _path(self, token: str) -> Path:
        if not _TOKEN.fullmatch(token):
            raise InputError("no token of a notice")
        return self._folder / f"{token}.json"
