"""The games of a visitor: those that go on in the lobby, and all of them on a page of their own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from nicegui import ui

from shutoko.web.pages.frame import Visitor, frame
from shutoko.web.rooms.store import Glance
from shutoko.web.site import Site

__all__ = ["build", "list_rooms"]


async def build(site: Site, who: Visitor, title: Callable[[str], str]) -> None:
    """The page; `title` gives the title of a game by its name."""
    glances = await asyncio.to_thread(site.rooms.of, who.holder)
    with frame(who, who.text("own_games")):
        if glances:
            list_rooms(who, glances, title)
        else:
            ui.label(who.text("no_own_games"))
            ui.link(who.text("to_lobby"), "/")


def list_rooms(who: Visitor, shown: Sequence[Glance], title: Callable[[str], str]) -> None:
    """Rooms with their players, how far they are or how they ended, and when somebody last played there."""
    with ui.element("div").classes("list"):
        for room in shown:
            with ui.element("div").classes("item"):
                ui.link(" - ".join(room.names), f"/room/{room.id}")
                ui.label(title(room.game)).classes("soft")
                ui.label(_standing(who, room)).classes("soft")
                if room.my_turn:
                    ui.label(who.text("your_turn_now")).classes("now")
                ui.element("div").classes("grow")
                if room.over:
                    ui.link(who.text("replay"), f"/replay/room/{room.id}").classes("soft")
                ui.label(time.strftime("%Y-%m-%d", time.localtime(room.changed))).classes("soft")


def _standing(who: Visitor, room: Glance) -> str:
    """How far a game is, or how it ended for the visitor."""
    if not room.over:
        return str(who.text("ply_n", n=room.plies))
    return str(who.text(room.ended or "over"))
