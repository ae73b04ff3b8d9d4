"""What the others ask somebody in a game: may a ply be taken back, and is the time that is up claimed?"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from rules.errors import ShutokoError
from shutoko.web.pages.frame import Visitor, tell
from shutoko.web.referee import refused
from shutoko.web.rooms.room import Change, Room

__all__ = ["Questions"]


class Questions:
    """Create it where it belongs on the page; it is hidden while nothing is asked. `attempt` awaits an action in the room."""

    def __init__(self, who: Visitor, room: Room, attempt: Callable[[Awaitable[Any]], Awaitable[bool]]) -> None:
        self._who, self._room, self._attempt, self._text = who, room, attempt, who.text
        self._wished = False  # by this visitor
        text = who.text
        with ui.element("section").classes("card asked").props('role="alert" data-back') as self._back:
            self._back_said = ui.label()
            with ui.element("div").classes("line"):
                ui.button(text("yes"), icon="check", on_click=self._agree).props("unelevated no-caps dense data-yes")
                ui.button(text("no"), icon="close", on_click=self._decline).props("outline no-caps dense data-no")
        with ui.element("section").classes("card asked").props('role="alert" data-time') as self._time:
            self._time_said = ui.label()
            self._claim = ui.button(text("claim"), icon="timer_off", on_click=self._claimed)
            self._claim.props("unelevated no-caps dense data-claim")

    def show(self, change: Change | None) -> None:
        """Shows what is asked now."""
        room, mine = self._room, set(self._room.seats_of(self._who.holder))
        if change == "declined" and self._wished:
            tell(self._text("back_declined"), "info")
        self._wished = bool(mine & room.wishes)
        asked = bool(room.wishes and mine - room.wishes)
        self._back.set_visibility(asked)
        if asked:
            self._back_said.set_text(self._text("back_asked", name=", ".join(room.names[seat] for seat in sorted(room.wishes))))
        late = room.late
        self._time.set_visibility(late is not None)
        if late is not None:
            own = mine == {late}
            self._time_said.set_text(self._text("own_time_up" if own else "time_up", name=room.names[late]))
            self._claim.set_visibility(bool(mine) and not own)

    async def _agree(self) -> None:
        await self._attempt(self._room.undo(self._who.holder))

    def _decline(self) -> None:
        try:
            self._room.decline(self._who.holder)
        except ShutokoError as error:
            tell(refused(self._text.language, error))

    async def _claimed(self) -> None:
        await self._attempt(self._room.claim_time(self._who.holder))
