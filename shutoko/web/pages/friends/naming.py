"""The question for a name: it stands at the visitor's seat, and the device keeps it for the next games."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from shutoko.web.pages.frame import Visitor, keep_name
from shutoko.web.rooms.lines import MAX_NAME
from shutoko.web.rooms.room import Room

__all__ = ["ask_name", "own_name"]


async def own_name(room: Room, who: Visitor, seat: int) -> None:
    """Puts the name that the device keeps at a seat that its visitor has just taken, unless another player has that name."""
    if who.name and who.name not in room.names and room.seats_of(who.holder) == (seat,):
        await room.rename(who.holder, who.name)


def ask_name(room: Room, who: Visitor, attempt: Callable[[Awaitable[Any]], Awaitable[bool]]) -> None:
    """Asks a visitor with one seat for a name."""
    text, mine = who.text, room.seats_of(who.holder)
    if len(mine) != 1:
        return
    asked = ui.dialog().props(f'aria-label="{text("your_name")}"')
    with asked as dialog, ui.card().classes("card"), ui.element("form").classes("panel") as form:
        field = ui.input(text("your_name"), value=room.names[mine[0]]).props(f"autofocus maxlength={MAX_NAME} data-name")

        async def keep() -> None:
            name = str(field.value or "")
            dialog.value = False
            if await attempt(room.rename(who.holder, name)):
                keep_name(name)

        form.on("submit.prevent", keep)
        with ui.element("div").classes("line"):
            ui.button(text("keep"), on_click=keep).props("unelevated no-caps data-keep")
            ui.button(text("cancel"), on_click=dialog.close).props("flat no-caps")
    dialog.value = True
