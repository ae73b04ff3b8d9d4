"""Tells visitors that it is their turn: in the title of the tab, and if it lies behind others by a sound and a notification."""

from __future__ import annotations

import json

from nicegui import ui

from shutoko.web.pages.frame import Visitor
from shutoko.web.rooms.room import Room

__all__ = ["Notices"]


class Notices:
    """Create it where its button belongs. There is nothing to say to somebody who has all seats."""

    def __init__(self, who: Visitor, room: Room) -> None:
        self._who, self._room = who, room
        self._told: tuple[bool, int] | None = None
        self._bell = ui.button(icon="notifications_none").props(f'flat round dense aria-label="{who.text("bell")}" data-bell')
        self._bell.tooltip(who.text("bell")).on("click", js_handler="() => shutokoFriends.bell()")

    def show(self, *, my_turn: bool) -> None:
        """Says whether it is the visitor's turn, once the page shows it."""
        mine = self._room.seats_of(self._who.holder)
        alone = len(mine) in (0, len(self._room.names))
        self._bell.set_visibility(not alone)
        now = (my_turn and not alone, self._room.record.next_ply)
        first, before, self._told = self._told is None, self._told, now
        if now == before or (first and not now[0]):
            return
        fresh = not first and now[0]
        told = json.dumps(self._who.text("your_turn"))
        _ = ui.run_javascript(f"shutokoFriends.turn({json.dumps(now[0])}, {told}, {json.dumps(fresh)})")
