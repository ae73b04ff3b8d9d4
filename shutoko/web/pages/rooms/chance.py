"""How likely a placement is to stand: statics and a ring while it is aimed, and a longer answer for whoever asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from rules.defaults import hands
from rules.errors import ShutokoError
from shutoko.web.pages.frame import Visitor
from shutoko.web.pages.rooms.presence import loading, while_there
from shutoko.web.referee import refused
from shutoko.web.rooms.room import Room
from shutoko.web.site import Site
from shutoko.web.views import aiming
from shutoko.web.views.aiming import Aimed
from shutoko.web.views.choosing import Select
from shutoko.web.views.guides import worded
from shutoko.web.views.stage import Stage
from shutoko.web.work.kinds import HINT
from sim.referee.table import Table

__all__ = ["Chance"]

_SAMPLES = 24  # tries for an answer: some seconds
_FEW = 8  # tries behind the ring
_AROUND, _ABOVE = 5.0, 0.8  # mm from the rim of a disc, and above the table
_SURE, _LIKELY = 0.9, 0.6
_GREEN, _AMBER, _RED = "#2fae66", "#e8951c", "#d8432b"


class Chance:
    """Create it where its controls belong. `skill` is how well the visitor's hand places, None for a steady one; `on_told` is
    called when an answer is there.
    """

    def __init__(
        self, site: Site, who: Visitor, room: Room, stage: Stage, skill: str | None, on_told: Callable[[], None]
    ) -> None:
        self._site, self._who, self._room, self._stage, self._skill = site, who, room, stage, skill
        self._on_told, self._text = on_told, who.text
        self._aimed: Aimed | None = None
        self._ground: Table | None = None
        self._shown: Any = None
        self._said: Any = None  # the placement that the words are about
        self._asked_for = False  # whether they are the longer answer, which a late answer of statics must not replace
        with ui.element("div").classes("line"):
            skills = {name: worded(self._text, f"hand_{name}", name) for name in hands(room.made)}
            self._asked = Select(skills, value=skill or "normal", label=self._text("risk_for"))
            self._asked.style("flex: 1 1 8rem").props("dense")
            self._ask = ui.button(self._text("risk"), icon="casino", on_click=self._told).props("flat no-caps dense data-risk")
        self._more = ui.label().classes("soft").props('role="status" data-more')

    def fill(self, *, acts: bool) -> None:
        """Shows the controls to whoever may place something."""
        self._asked.set_visibility(acts)
        self._ask.set_visibility(acts)
        self.clear()

    def clear(self) -> None:
        """Says nothing."""
        self._say("", None)
        self._ring(None)

    def about(self, aimed: Aimed | None, ground: Table) -> None:
        """The placement that is kept on a table, None if none is. What was said of another one no longer counts."""
        self._aimed, self._ground = aimed, ground
        self._ask.set_enabled(aimed is not None and aimed.legal)
        if self._shown is not None and (aimed is None or self._shown != aimed.placement):
            self._ring(None)
        if self._said is not None and (aimed is None or self._said != aimed.placement):
            self._say("", None)

    async def weigh(self) -> None:
        """Shows the answer of statics, and draws a ring: empty at first, then filled by the share of tries that succeed."""
        aimed, ground = self._aimed, self._ground
        if aimed is None or not aimed.legal:
            return
        engine, move = self._room.position.engine, str(aimed.placement)
        with self._more.client:
            self._ring(aimed, 0.0, _AMBER)
            said = await self._run(aiming.margin, ground, move, engine)
            if not self._is_of(aimed):
                return
            if said is not None and not (self._asked_for and self._said == aimed.placement):
                self._say(self._text("statics", said=said.told(self._text.language)), aimed)
            if self._skill is None:
                return
            share = await self._run(aiming.chance, ground, move, self._skill, _FEW, engine)
            if share is not None and self._is_of(aimed):
                self._ring(aimed, share, _GREEN if share >= _SURE else _AMBER if share >= _LIKELY else _RED)

    async def _told(self) -> None:
        aimed = self._aimed
        if aimed is None or not aimed.legal:
            return
        asked = (self._ground, str(aimed.placement), str(self._asked.value), _SAMPLES, self._room.position.engine)
        with loading(self._ask):
            said = await self._run(aiming.risk_of, *asked)
        if not self._is_of(aimed):
            return
        if said is not None:
            self._say(said.told(self._text.language), aimed, asked_for=True)
        self._on_told()

    async def _run(self, work: Any, *arguments: Any) -> Any:
        """What a worker answers; None if that was refused, and then the page says why."""
        try:
            return await while_there(self._site.workers.run(work, *arguments, kind=HINT, who=self._who.counted))
        except ShutokoError as error:
            self._say(refused(self._text.language, error), self._aimed)
            return None

    def _say(self, words: str, about: Aimed | None, *, asked_for: bool = False) -> None:
        self._more.set_text(words)
        self._said, self._asked_for = (None if about is None else about.placement), asked_for

    def _is_of(self, aimed: Aimed) -> bool:
        return self._aimed is not None and self._aimed.placement == aimed.placement

    def _ring(self, aimed: Aimed | None, share: float = 0.0, colour: str = "") -> None:
        place = None if aimed is None or self._skill is None else aiming.place_of(aimed.placement)
        self._shown = None if place is None or aimed is None else aimed.placement
        if place is None or aimed is None:
            self._stage.ring(None)
        elif self._ground is not None:
            self._stage.ring((*place, _ABOVE, self._ground.components.disc_radius + _AROUND), share, colour)
