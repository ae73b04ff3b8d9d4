"""*Exact*, a part of the menu at a table: everything by keys and numbers, for those who type and
for screen readers, and what the referee and physics say in full.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import ui

from shutoko.web.pages.controls import text_button
from shutoko.web.views import aiming
from shutoko.web.views.table import stock_table
from sim.referee.table import Table


class Numbers:
    """Create it where it belongs: marks for the free sides of roads, the table from above, and what
    everybody has left as numbers. `slots` and `above` are called when somebody asks for them.
    """

    def __init__(self, text: Any, slots: Callable[[], Any], above: Callable[[], Any]) -> None:
        self._text = text
        with ui.element("div").classes("line"):
            self.slots = ui.switch(text("slots"), on_change=slots).props("dense data-slots")
            text_button(text("look_above"), above, "flat dense")
        self._stocks = ui.element("div").style("width: 100%")

    def show_stocks(self, table: Table, names: Sequence[str], before: Table | None = None) -> None:
        """Shows the stocks as numbers, with what the last ply changed."""
        self._stocks.clear()
        with self._stocks:
            stock_table(table, names, self._text, before)


class Exact:
    """Create it where it belongs on the page. `fields` and `chance` are the places for what is to
    be built and for the chance that it stands; `deeds` are called by the names of the buttons and
    switches. `skips` is the message of the button that passes the turn.
    """

    def __init__(self, text: Any, skips: str, deeds: Mapping[str, Callable[[], Any]]) -> None:
        self.box = ui.element("div").classes("panel").props("data-controls")
        with self.box:
            self.fields = ui.element("div").classes("panel")
            with ui.element("div").classes("line"):
                self.drawn = text_button(
                    text("place_drawn"), deeds["drawn"], "outline dense data-drawn"
                )
                self.loose = text_button(
                    text("choose_again"), deeds["loose"], "flat dense data-choose-again"
                )
                self.skip = text_button(text(skips), deeds["skip"], "flat dense data-pass")
                self.right = text_button(
                    text("adjust"), deeds["right"], "flat dense data-adjust", icon="tune"
                )
            self.for_me = ui.switch(text("always_for_me"), on_change=deeds["for_me"]).props(
                "dense data-for-me"
            )
            self.chance = ui.element("div").classes("panel")
            self.in_full = (
                ui.label().classes("soft").style("white-space: pre-line").props("data-in-full")
            )
            self._takes = ui.label().classes("badge side").props("data-takes")
            self._takes.style(f"border-color: {aiming.TAKES}")
            self._opens = ui.label().classes("badge side").props("data-opens")
            self._opens.style(f"border-color: {aiming.OPENS}")
        numbers = Numbers(text, deeds["slots"], deeds["above"])
        self.slots, self.show_stocks = numbers.slots, numbers.show_stocks

    def show_sides(self, takes: Sequence[str], opens: Sequence[str]) -> None:
        """Says which sides of roads the aimed placement would take, and which it would open."""
        for label, said in ((self._takes, takes), (self._opens, opens)):
            label.set_text("\n".join(said))
            label.set_visibility(bool(said))
