"""Opening a room, from the lobby or from a ply of a replay."""

from __future__ import annotations

import asyncio

from nicegui import ui

from rules.errors import ShutokoError
from shutoko.web.pages.frame import Visitor, is_there, tell
from shutoko.web.referee import refused
from shutoko.web.rooms.store import Setup
from shutoko.web.site import Site

__all__ = ["open_room"]


async def open_room(site: Site, who: Visitor, setup: Setup, *, guided: bool = False) -> bool:
    """Opens a room and goes there, with the guide of a first game if asked; or says why it cannot be opened.

    Returns whether it was opened.
    """
    try:
        site.opened.count(who.counted)
        await site.warmed(setup.game)
        room = await asyncio.to_thread(site.rooms.open, setup, who.holder)
    except ShutokoError as error:
        tell(refused(who.text.language, error))
        return False
    if is_there():
        ui.navigate.to(f"/room/{room.id}{'?guide=1' * guided}")
    return True
