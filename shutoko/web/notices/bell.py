"""Tells players of their turns: hears what happens in the rooms, waits a moment, and sends.

Nothing waits for a notice: each goes out in a task of its own, mails in threads, and what cannot be
sent is tried once more and then let be.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from rules.errors import InputError, Refusal, ShutokoError
from shutoko.web.limits import Counts, Rate
from shutoko.web.notices.sending import (
    Pushing,
    UnreachableError,
    check_url,
    in_thread,
    post,
)
from shutoko.web.notices.settings import ADDRESS, Settings
from shutoko.web.notices.wishes import Wish, Wishes
from shutoko.web.rooms.room import Change, RefusedError, Room
from shutoko.web.wording import words

WANTED = (Rate(10, 600.0), Rate(40, 86400.0))
"""Notices that one visitor asks for."""

MAILED = (Rate(2, 3600.0), Rate(4, 86400.0))
"""Mails that ask one address whether it wants to be told."""

_log = logging.getLogger(__name__)
_AGAIN = 5.0  # seconds before the second try
_MOST = 200  # notices that are under way
_MAILS = 2  # mails that are sent at once
_LONGEST = 254  # characters of a mail address


class Bell:
    """The notices of a server. `settings` says which ways are on; keys and wishes are kept in
    `folder`. Use from one event loop.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.settings = settings
        self._tasks: set[asyncio.Task[None]] = set()
        self._pool = ThreadPoolExecutor(_MAILS, "mail")
        self._asked = Counts(Refusal("notices", "what-notices"), WANTED)
        self._mailed = Counts(Refusal("mails to this address", "what-mails"), MAILED)
        self.pushing = Pushing(folder, settings.push) if settings.push is not None else None
        self.wishes = Wishes(folder / "notices") if settings.ways else None

    def close(self) -> None:
        """Gives up what is under way."""
        for task in self._tasks:
            task.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)

    # --- asking for notices -----------------------------------------------------------------------

    def mine(self, room: Room, holder: str) -> tuple[Wish, ...]:
        """The wishes for the seats of a holder."""
        seats = room.seats_of(holder)
        every = () if self.wishes is None else self.wishes.of(room.id)
        return tuple(wish for wish in every if wish.seat in seats)

    def ask(
        self, room: Room, holder: str, way: str, to: Any, language: str, base: str, who: str
    ) -> Wish:
        """Has the seats of a holder told of their turns. A mail address gets a mail first that asks
        whether it wants that. `who` is the visitor by the key for limits.

        Raises RefusedError for watchers, InputError for a way that is off and for an address that
        is none, TooManyError.
        """
        seats = room.seats_of(holder)
        if not seats:
            raise RefusedError("watching")
        if self.wishes is None or way not in self.settings.ways:
            raise InputError(Refusal("this server sends no such notices", "notice-off"))
        self._asked.count(who)
        kept = self._checked(way, to)
        wish = Wish(room.id, seats[0], way, kept, language, base, confirmed=way != "mail")
        known = self.wishes.add(wish)
        if known.way == "mail" and not known.confirmed:
            self._mailed.count(known.to.lower())
            self._go(partial(self._mail, known, "notice_ask", f"{base}/notices/{known.token}"))
        return known

    def _checked(self, way: str, to: Any) -> str:
        if way == "push":
            assert self.pushing is not None
            return self.pushing.check(to)
        text = str(to).strip()
        if way == "mail":
            if len(text) > _LONGEST or not ADDRESS.fullmatch(text):
                raise InputError(Refusal("this is no mail address", "notice-address"))
            return text
        assert self.settings.webhook is not None
        return check_url(text, private=self.settings.webhook.private)

    # --- telling ----------------------------------------------------------------------------------

    def hear(self, room: Room, change: Change) -> None:
        """What has changed in a room."""
        if self.wishes is None or change != "ply":
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
                if wish.confirmed:
                    self._go(partial(self._told, room, wish, seat, room.record.next_ply))

    async def _told(self, room: Room, wish: Wish, seat: int, ply: int) -> None:
        await asyncio.sleep(self.settings.after)
        assert self.wishes is not None
        if room.record.next_ply != ply or room.over or self.wishes.get(wish.token) is None:
            return
        for wait in (0.0, _AGAIN):
            await asyncio.sleep(wait)
            try:
                await self._send(room, wish, seat, ply)
            except UnreachableError as error:
                _log.info("a notice by %s was not taken: %s", wish.way, error)
                if error.gone:
                    self.wishes.end(wish.token)
                    return
            else:
                return

    async def _send(self, room: Room, wish: Wish, seat: int, ply: int) -> None:
        url = f"{wish.base}/room/{room.id}"
        if wish.way == "push":
            assert self.pushing is not None
            await self.pushing.send(wish.to, {**_message(room, wish, seat), "url": url})
        elif wish.way == "mail":
            await self._mail(wish, "notice_told", url, **_values(room, seat))
        else:
            assert self.settings.webhook is not None
            told = {
                "event": "your-turn",
                "game": room.game,
                "room": room.id,
                "url": url,
                "seat": seat,
                "player": room.names[seat],
                "players": list(room.names),
                "ply": ply,
                **_message(room, wish, seat),
            }
            headers = {"Content-Type": "application/json", "User-Agent": "Shutoko"}
            private = self.settings.webhook.private
            await post(wish.to, json.dumps(told).encode(), headers, private=private)

    async def _mail(self, wish: Wish, message: str, url: str, **values: Any) -> None:
        text, settings = words(wish.language), self.settings.mail
        assert settings is not None
        stop = f"{wish.base}/notices/{wish.token}"
        body = f"{text(message, **values)}\n\n{url}\n\n{text('notice_stop_mail')}\n{stop}\n"
        await in_thread(self._pool, settings, wish.to, text(f"{message}_subject"), body, stop)

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


def _values(room: Room, seat: int) -> dict[str, Any]:
    others = ", ".join(name for n, name in enumerate(room.names) if n != seat)
    return {"name": room.names[seat], "others": others}


def _message(room: Room, wish: Wish, seat: int) -> Mapping[str, str]:
    text = words(wish.language)
    return {
        "title": text("notice_told_subject"),
        "body": text("notice_told", **_values(room, seat)),
        "tag": room.id,
    }
