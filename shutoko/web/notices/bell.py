"""Tells players of their turns: hears what happens in the rooms, waits a moment, and sends.

Nothing waits for a notice: each goes out in a task of its own, and what cannot be sent is tried
once more and then let be. Who wants to be told stands in a file for each wish, readable by the
owner of the server only.
"""

import asyncio
import json
import logging
import re
import secrets
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rules.errors import InputError, Refusal, ShutokoError
from rules.files import os_reason, read_regular
from rules.record import disk
from shutoko.web.limits import Counts, Rate
from shutoko.web.notices.sending import Pushing, UnreachableError
from shutoko.web.notices.settings import Settings
from shutoko.web.rooms.chat import Change
from shutoko.web.rooms.room import Room
from shutoko.web.rooms.seats import RefusedError
from shutoko.web.wording import words

WANTED = (Rate(10, 600.0), Rate(40, 86400.0))
"""Notices that one visitor asks for."""

MAX_OF_SEAT = 4
"""Wishes for one seat."""

MAX_WISHES = 5000
"""Wishes of all seats of a server."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
_LARGEST = 2**13  # bytes of a file
_WAY = "push"  # the only way to tell a player; kept with each wish

_log = logging.getLogger(__name__)
_AGAIN = 5.0  # seconds before the second try
_MOST = 200  # notices that are under way


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
                stored = json.loads(read_regular(path, _LARGEST))
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
        mine = (wish for wish in self._all.values() if wish.room == room)
        return tuple(wish for wish in mine if seat in (None, wish.seat))

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


class Bell:
    """The notices of a server, off unless `settings` have pushes. The key and the wishes are kept
    in `folder`. Use from one event loop.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.settings = settings
        self._tasks: set[asyncio.Task[None]] = set()
        self._asked = Counts(Refusal("notices", "what-notices"), WANTED)
        self.pushing = Pushing(folder, settings.push) if settings.push is not None else None
        self.wishes = Wishes(folder / "notices") if settings.push is not None else None

    def close(self) -> None:
        """Gives up what is under way."""
        for task in self._tasks:
            task.cancel()

    # --- asking for notices -----------------------------------------------------------------------

    def mine(self, room: Room, holder: str) -> tuple[Wish, ...]:
        """The wishes for the seats of a holder."""
        seats = room.seats_of(holder)
        every = () if self.wishes is None else self.wishes.of(room.id)
        return tuple(wish for wish in every if wish.seat in seats)

    def ask(self, room: Room, holder: str, to: Any, language: str, base: str, who: str) -> Wish:
        """Has the seats of a holder told of their turns, in the browser that gave `to` as its place
        for pushes. `who` is the visitor by the key for limits.

        Raises RefusedError for watchers, InputError if notices are off and for what is no such
        place, TooManyError.
        """
        seats = room.seats_of(holder)
        if not seats:
            raise RefusedError("watching")
        if self.wishes is None or self.pushing is None:
            raise InputError(Refusal("this server sends no notices", "notice-off"))
        self._asked.count(who)
        return self.wishes.add(Wish(room.id, seats[0], self.pushing.check(to), language, base))

    # --- telling ----------------------------------------------------------------------------------

    def hear(self, room: Room, change: Change) -> None:
        """What has changed in a room."""
        if self.wishes is None or change not in ("ply", "end"):
            return
        if room.over:
            for wish in self.wishes.of(room.id):
                self.wishes.end(wish.token)
            return
        seat, before = room.to_move, room.steps[-1].entry.by
        holders = room.seats.holders
        if seat is None or seat == before or set(holders[seat]) & set(holders[before]):
            return  # whoever has just moved knows
        for held in {seat, *_held_with(room, seat)}:
            for wish in self.wishes.of(room.id, held):
                self._go(partial(self._told, room, wish, seat, room.record.next_ply))

    async def _told(self, room: Room, wish: Wish, seat: int, ply: int) -> None:
        await asyncio.sleep(self.settings.after)
        assert self.wishes is not None
        assert self.pushing is not None
        if room.record.next_ply != ply or room.over or self.wishes.get(wish.token) is None:
            return
        for wait in (0.0, _AGAIN):
            await asyncio.sleep(wait)
            try:
                await self.pushing.send(wish.to, _message(room, wish, seat))
            except UnreachableError as error:
                _log.info("a notice was not taken: %s", error)
                if error.gone:
                    self.wishes.end(wish.token)
                    return
            else:
                return

    def _go(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Does something beside all else, unless too much is under way."""
        if len(self._tasks) >= _MOST:
            _log.warning("%d notices are under way; one was dropped", _MOST)
            return
        task = asyncio.get_running_loop().create_task(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _quietly(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    try:
        await work()
    except (UnreachableError, ShutokoError) as error:
        _log.info("a notice was not sent: %s", error)


def _held_with(room: Room, seat: int) -> set[int]:
    """The seats that somebody holds who also holds this one: a wish stands at the first of them."""
    holders = set(room.seats.holders[seat])
    return {n for n, held in enumerate(room.seats.holders) if holders & set(held)}


def _message(room: Room, wish: Wish, seat: int) -> Mapping[str, str]:
    text = words(wish.language)
    others = ", ".join(name for n, name in enumerate(room.names) if n != seat)
    return {
        "title": text("notice_told_subject"),
        "body": text("notice_told", name=room.names[seat], others=others),
        "tag": room.id,
        "url": f"{wish.base}/room/{room.id}",
    }
