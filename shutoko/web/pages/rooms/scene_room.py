"""The page of a room whose pieces lie in space and whose moves are listed or typed: no referee of tables is needed."""

from __future__ import annotations

from nicegui import ui

from shutoko.web.pages.rooms.board_room import BoardRoom
from shutoko.web.views.stage import Stage
from shutoko.web.views.table import bodies_of

__all__ = ["SceneRoom"]


class SceneRoom(BoardRoom):
    """One visitor's page of one room: as on a board, but the position is a scene, and each move a button."""

    pointing = "how_scene"

    def _picture(self) -> None:
        with ui.element("div").classes("stage"):
            self.stage = Stage(bodies_of(self.room.made, self.room.position), plain=self.who.plain)

    def _draw(self) -> None:
        self.stage.show(bodies_of(self.room.made, self.room.position))
