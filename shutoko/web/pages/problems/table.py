"""A problem on a table: the answer is a placement, aimed at as in a game. Nothing trembles and nothing falls."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from nicegui import ui

from rules.errors import ShutokoError
from shutoko.web.pages.problems.solving import Solving
from shutoko.web.pages.rooms.choices import Choices
from shutoko.web.views import aiming
from shutoko.web.views.aiming import Aimed, AimRequest, aim
from shutoko.web.views.piles import piles
from shutoko.web.views.stage import Stage
from shutoko.web.views.table import ADVISED, advised_pieces, colour_of, stock_table, told_placement
from shutoko.web.views.telling import aimed_in_short, colour_name, spots_of
from shutoko.web.work.tables import table_of
from sim.game.attempts.posing import bodies
from sim.problems import Judgement

__all__ = ["OnTable"]

_LEGAL, _ILLEGAL = "#2fae66", "#d8432b"
_EDGE = 1000.0  # mm: nobody aims farther out


class OnTable:
    """`request` is what is aimed at; `pinned`: it stays in its place until another is tapped."""

    def __init__(self, page: Solving) -> None:
        self._page, self._text, self._table = page, page.text, table_of(page.posed.state)
        self._names = [colour_name(seat, page.text) for seat in range(len(self._table.stocks))]
        self._request: AimRequest | None = None
        self._aimed: Aimed | None = None
        self._pinned = False

    def build(self) -> None:
        """The stage, and what is said of the aimed placement."""
        with ui.element("div").classes("stage"):
            self._stage = Stage(bodies(self._table), self._hand, plain=self._page.who.plain)
            with ui.element("div").classes("badges"), ui.element("div").classes("badge") as self._badge:
                self._told = ui.label().props('role="status" aria-live="off" data-said')

    def build_controls(self) -> None:
        """What to place, the button that answers, and what everybody has left."""
        text = self._text
        with ui.element("div").classes("card") as self._box:
            self._choices = Choices(text, self._chose, self._typed, self._answer)
            with ui.element("div").classes("line acts") as bar:
                self._choices.discs.move(bar)
                self._give = ui.button(text("problem_give"), icon="check", on_click=self._answer)
                self._give.props("unelevated no-caps data-give")
        with ui.element("div").classes("line"):
            self._slots = ui.switch(text("slots"), on_change=self._show_slots).props("dense data-slots")
            look = ui.button(text("look_above"), icon="vertical_align_bottom", on_click=lambda: self._stage.look(86.0))
            look.props("flat dense no-caps")
        with ui.element("div").style("width: 100%"):
            stock_table(self._table, self._names, text)

    def pose(self) -> None:
        """The table, ready to be aimed at."""
        self._request, self._pinned = None, False
        self._choices.fill(self._table, acts=True, builds=True)
        self._box.set_visibility(True)
        self._stage.show(bodies(self._table))
        self._stage.supplies(*piles(self._table))
        self._stage.advise((), ADVISED)
        self._aim()

    def show(self, move: str, found: Judgement) -> None:
        """The table after the answer, and the road with which the other player wins after a wrong one."""
        self._box.set_visibility(False)
        self._stage.ghost((), _LEGAL)
        try:
            after = table_of(self._page.posed.state.after(move))
        except ShutokoError:
            return
        self._stage.show(bodies(after))
        aimed = aim(self._table, request) if (request := aiming.request_for(self._table.parse(move))) is not None else None
        colour = colour_of(self._table.to_move)
        self._stage.pulse([(*place, colour) for place in (aimed.scoring if aimed is not None else ())], None)
        reply = [after.parse(found.reply)] if found.reply else []
        self._stage.advise(advised_pieces(after, reply, None), ADVISED)
        self._say("")

    def told(self, move: str) -> str:
        """A placement in a few words."""
        return told_placement(move, self._text)

    def colour(self, seat: int) -> str:
        """The colour of a seat."""
        return self._names[seat]

    # --- aiming --------------------------------------------------------------------------------------------------------------

    def _hand(self, detail: dict[str, Any]) -> None:
        try:
            what, x, y = str(detail["type"]), float(detail["x"]), float(detail["y"])
        except (KeyError, TypeError, ValueError):
            return
        moves = what == "aim" and not self._pinned
        if not self._page.waits or not (moves or what in ("tap", "drag", "drop")) or not math.hypot(x, y) < _EDGE:
            return
        base = str(detail.get("piece") or "").partition(".")[0]
        if what == "tap" and base in {point.pillar.id for point in self._table.base_points(self._table.to_move)}:
            self._choices.base.set_value(base)  # a tapped base pillar is chosen, not built upon
            return
        self._pinned = what != "aim"
        self._request = self._choices.request((x, y), "play")
        self._aim()

    def _chose(self) -> None:
        if self._request is not None:
            self._request = self._choices.request(self._request.at, "play")
            self._aim()

    def _typed(self, at: tuple[float, float]) -> None:
        if self._page.waits and math.hypot(*at) < _EDGE:
            self._pinned = True
            self._request = replace(self._choices.request(at, "play"), fixed=True)
            self._aim()

    def _aim(self) -> None:
        """Shows the aimed placement, and what the referee says of it."""
        try:
            self._aimed = aim(self._table, self._request, self._names) if self._request is not None else None
        except ShutokoError:
            self._aimed = None
        aimed = self._aimed
        self._choices.show_place(aiming.shown_place(self._request, aimed) if self._pinned else None)
        self._stage.ghost(aimed.pieces if aimed else (), _LEGAL if aimed and aimed.legal else _ILLEGAL)
        self._give.set_enabled(bool(aimed and aimed.legal))
        self._show_slots()
        if aimed is None:
            self._say(self._text("point_table"))
            self._stage.pulse(())
            return
        self._say(aimed_in_short(aimed, self._table, self._text, self._names), legal=aimed.legal)
        colour = colour_of(self._table.to_move)
        spots = [(*place, colour) for place in aimed.scoring]
        if not aimed.legal:
            spots = [(*spot, _ILLEGAL) for spot in spots_of(aimed.faults, self._table, aimed.placement)]
        self._stage.pulse(spots, None)

    def _say(self, said: str, *, legal: bool | None = None) -> None:
        self._told.set_text(said)
        self._badge.set_visibility(bool(said))
        self._badge.classes(remove="bad good", add="" if legal is None else "good" if legal else "bad")

    def _show_slots(self) -> None:
        bars = aiming.slot_bars(self._table, self._table.to_move, self._aimed) if self._slots.value else []
        self._stage.mark(bars)

    async def _answer(self) -> None:
        if self._aimed is not None and self._aimed.legal:
            await self._page.answer(str(self._aimed.placement))
