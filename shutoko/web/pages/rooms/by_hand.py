"""The controls for placing by hand: the visitor takes pillar and road, leads them over the table and lets go."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import background_tasks, ui

from rules.errors import ShutokoError
from shutoko.web.pages.frame import Visitor, tell
from shutoko.web.referee import refused
from shutoko.web.rooms.room import Room
from shutoko.web.views.stage import Stage
from shutoko.web.work.by_hand import BY_HAND
from sim.game.attempts.carrying import MAX_SECONDS
from sim.referee.placement import Build, Entrance, Exit, Placement

__all__ = ["HEARD", "ByHand"]

HEARD = ("next", "placed", "put-back")
"""The types of what the stage tells about pieces in the hand."""

_TURN = 2  # degrees for a press of a button


class ByHand:
    """Create it where its buttons belong. `attempt` waits for what may be refused; `on_change` is called when pieces are taken
    into the hand and when they have left it.
    """

    def __init__(
        self,
        stage: Stage,
        room: Room,
        who: Visitor,
        attempt: Callable[[Awaitable[Any]], Awaitable[bool]],
        on_change: Callable[[], None],
    ) -> None:
        self._stage, self._room, self._who, self._attempt, self._on_change = stage, room, who, attempt, on_change
        self._move: tuple[str, int] | None = None  # what is in the hand, and for which ply
        self._part, self._parts = 0, 0
        text = who.text
        with ui.element("div").classes("line") as self._bar:
            lower = ui.button(text("hand_lower"), icon="south").props("unelevated no-caps data-lower")
            lower.on("pointerdown", js_handler="() => shutokoHand.lower(true)")
            for over in ("pointerup", "pointerleave", "pointercancel"):
                lower.on(over, js_handler="() => shutokoHand.lower(false)")
            for name, icon, way in (("hand_left", "rotate_left", _TURN), ("hand_right", "rotate_right", -_TURN)):
                button = ui.button(icon=icon).props(f'flat round dense aria-label="{text(name)}"')
                button.on("click", js_handler=f"() => shutokoHand.twist({way})")
            drop = ui.button(text("hand_let_go")).props("flat no-caps dense data-drop")
            drop.on("click", js_handler="() => shutokoHand.letGo()")
            back = ui.button(text("hand_put_back")).props("flat no-caps dense data-put-back")
            back.on("click", js_handler="() => shutokoHand.putBack()")
        self._bar.set_visibility(False)

    @property
    def holding(self) -> bool:
        """Whether the visitor has pieces in the hand."""
        return self._move is not None

    @property
    def said(self) -> str:
        """What to do with the piece in the hand."""
        what = "hand_road" if self._part == self._parts - 1 else "hand_pillar"
        return str(self._who.text(what, seconds=round(MAX_SECONDS)))

    def places(self, placement: Placement) -> bool:
        """Whether the seat to move places this by hand."""
        seat = self._room.to_move
        laid = isinstance(placement, Build | Exit | Entrance)
        return laid and seat is not None and self._room.hand(seat) in BY_HAND

    def take(self, placement: Placement) -> None:
        """Takes the pieces of a placement into the hand, or says why not."""
        try:
            grip = self._room.grip(self._who.holder, str(placement))
        except ShutokoError as error:
            tell(refused(self._who.text.language, error))
            return
        self._move, self._part, self._parts = (grip.text, self._room.record.next_ply), 0, len(grip.held)
        self._stage.hold([(held.pieces, held.tremble.to_json()) for held in grip.held])
        self._changed()

    def stop(self) -> None:
        """Puts back what is in the hand."""
        if self._move is not None:
            self._move = None
            self._stage.put_back()
            self._bar.set_visibility(False)

    def heard(self, detail: dict[str, Any]) -> None:
        """Goes on with what the stage tells."""
        if self._move is None:
            return
        if detail["type"] == "next":
            self._part = min(self._part + 1, self._parts - 1)
        else:
            (text, ply), self._move = self._move, None
            traces = detail.get("traces")
            if detail["type"] == "placed" and isinstance(traces, list):
                background_tasks.create_lazy(self._play(text, ply, traces), name=f"by hand {id(self)}")
        self._changed()

    async def _play(self, text: str, ply: int, traces: list[Any]) -> None:
        with self._bar.client:
            await self._attempt(self._room.play(self._who.holder, text, ply, traces))

    def _changed(self) -> None:
        self._bar.set_visibility(self.holding)
        self._on_change()
