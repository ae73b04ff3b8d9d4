"""The page on which people begin to note a game that they play at a real table, and find those that
they noted before.
"""

from html import escape
from typing import Any

from nicegui import ui

from rules.defaults import settings
from rules.errors import ShutokoError
from rules.game import game
from shutoko.web.pages import frame
from shutoko.web.pages.controls import Select, text_button
from shutoko.web.pages.frame import Visitor, refusals, tell, visitor
from shutoko.web.pages.noting.page import Noting
from shutoko.web.rooms.chat import MAX_NAME, one_line
from shutoko.web.site import Site
from shutoko.web.views import (
    refused_file,
    setting_name,
    value_name,
)
from sim.game.highway import NAME

_EXACT = {10: "note_by_eye", 3: "note_by_ruler"}
"""By how many mm places are off, with the words for it."""


def register(site: Site) -> None:
    """Adds the pages."""

    @frame.page("/note")
    def begin_page() -> None:
        _Begin(site, visitor()).build()

    @frame.page("/note/{name}", refused_file)
    async def noting_page(name: str) -> None:
        who, noted = visitor(), site.diaries.of(name)
        if noted is None:
            raise ShutokoError(who.text("no_noted"))
        Noting(who, noted).build()


class _Begin:
    """One visitor's page on which a diary begins."""

    def __init__(self, site: Site, who: Visitor) -> None:
        self._site, self._who, self._text = site, who, who.text

    def build(self) -> None:
        """The page."""
        text = self._text
        with frame.frame(self._who, text("note_game")):
            with ui.element("section").classes("card"):
                ui.html(f"<h2>{escape(text('note_title'))}</h2>", sanitize=False)
                ui.label(text("note_about"))
                self._fields()
                text_button(text("begin"), self._begin, "unelevated data-begin", icon="edit")
            self._shelf()

    def _fields(self) -> None:
        text, made = self._text, game(NAME)
        usual = [text("player_n", n=1), text("player_n", n=2), "", ""]
        with ui.element("div").classes("line"):
            self._names = [
                ui.input(
                    text("name_n", n=seat + 1), value=text("player_n", n=seat + 1) * (seat < 2)
                )
                .style("flex: 1 1 9rem")
                .props(f"dense maxlength={MAX_NAME} data-name={seat}")
                for seat in range(len(usual))
            ]
        self._chosen: dict[str, Any] = {}
        with ui.element("div").classes("line"):
            for setting in settings(made):
                if setting.name in ("ruleset", "components"):
                    named = {one: value_name(made, one, text) for one in setting.values}
                    self._chosen[setting.name] = (
                        Select(named, value=setting.usual, label=setting_name(setting, text))
                        .style("flex: 1 1 12rem")
                        .props(f'dense data-setting="{setting.name}"')
                    )
            exact = {mm: text(key, mm=mm) for mm, key in _EXACT.items()}
            self._exact = (
                Select(exact, value=next(iter(exact)), label=text("note_exact"))
                .style("flex: 1 1 12rem")
                .props("dense data-exact")
            )

    def _begin(self) -> None:
        names = [one_line(str(field.value or ""), MAX_NAME) for field in self._names]
        players = tuple(name for name in names if name)
        if len(players) < 2 or len(set(players)) < len(players):
            tell(self._text("note_two_names"))
            return
        with refusals(self._text):
            self._site.opened.count(self._who.counted)
            noted = self._site.diaries.begin(
                players,
                str(self._chosen["ruleset"].value),
                str(self._chosen["components"].value),
                float(self._exact.value),
            )
            ui.navigate.to(f"/note/{noted.id}")

    def _shelf(self) -> None:
        """The games that were noted before; on a server for others, only those who know its address
        find one.
        """
        found = () if self._site.public else self._site.diaries.all()
        if not found:
            return
        ui.html(f'<h2 class="plain">{escape(self._text("note_all"))}</h2>', sanitize=False)
        with ui.element("div").classes("list"):
            for item in found:
                with ui.element("div").classes("item"):
                    ui.link(" - ".join(item.players), f"/note/{item.name}")
                    ui.element("div").classes("grow")
                    ui.link(self._text("replay"), f"/replay/noted/{item.name}").classes("soft")
