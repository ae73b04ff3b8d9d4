"""The dialogue that opens a room: the game's settings, who plays, how well the computer plays, and the clock."""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui

from rules.defaults import settings
from rules.errors import InputError, ShutokoError
from rules.game import Game, Setting, game
from shutoko.web.pages.frame import Visitor, tell
from shutoko.web.pages.opening import open_room
from shutoko.web.pages.rooms.presence import loading
from shutoko.web.pages.seating import Seating
from shutoko.web.referee import refused
from shutoko.web.rooms.store import Setup
from shutoko.web.site import Site
from shutoko.web.views.choosing import Select
from shutoko.web.views.guides import guide, setting_about, setting_name, value_name
from shutoko.web.work import jobs
from shutoko.web.work.by_hand import HELPED
from shutoko.web.work.kinds import CHECK
from shutoko.web.work.levels import usual_level

__all__ = ["NewGame", "made_with"]

_CLOCKS = {"5+5": (5.0, 5.0), "10+10": (10.0, 10.0), "30+30": (30.0, 30.0)}
"""Clocks by their names: minutes for the whole game and seconds for every ply."""

_OWN = "own"


def made_with(name: str, chosen: dict[str, Any], changed: str = "") -> Game[Any]:
    """The game with the values that were chosen for its settings.

    The setting that was `changed` last keeps its value; values of other settings that do not go with it are left out. Raises
    InputError if there is no game with that value.
    """
    options = {changed: chosen[changed]} if changed else {}
    made = game(name, **options)
    for key in [key for key in chosen if key != changed]:
        known = {setting.name: setting for setting in settings(made)}
        if key not in known or chosen[key] not in known[key].values:
            continue
        try:
            made, options = game(name, **options, **{key: chosen[key]}), {**options, key: chosen[key]}
        except InputError:
            continue
    return made


class NewGame:
    """The dialogue of one visitor for one game."""

    def __init__(self, site: Site, who: Visitor, made: Game[Any]) -> None:
        self.site, self.who, self.made, self.text = site, who, made, who.text
        self.seating = Seating(site, who, made)
        self.players, self.offered, self.skills = self.seating.players, self.seating.offered, self.seating.skills
        self.chosen: dict[str, Any] = {}

    async def play_now(self, *, guided: bool = False) -> None:
        """Opens the game as it is usually played, against the computer at the usual level, without a question.

        At a table people place by hand, with help, and the computer with an expert's hand. A `guided` first game on a board is
        against the weakest level.
        """
        level = next(iter(self.offered)) if guided and not self.skills else usual_level(self.offered)
        others = range(1, self.made.seats)
        setup = Setup(
            game=self.made.name,
            names=[self.who.name or self.text("player_n", n=1), *(self.seating.computer_name(seat, level) for seat in others)],
            computers=[None, *(self.offered[level] for _ in others)],
            options=dict(self.made.options),
            hands=[HELPED, *[next(iter(self.skills))] * len(others)] if self.skills else (),
            listed=not self.site.public,
        )
        await open_room(self.site, self.who, setup, guided=guided)

    def open(self) -> None:
        """Shows the dialogue."""
        text = self.text
        with (
            ui.dialog().props(f'aria-label="{escape(guide(self.made, text).title)}"') as self.dialog,
            ui.card().classes("card").style("min-width: min(30rem, 92vw)"),
        ):
            ui.html(f"<h2>{escape(guide(self.made, text).title)}</h2>", sanitize=False)
            self.settings = ui.refreshable(self._settings)
            self.settings()
            self.seats = ui.refreshable(lambda: self.seating.build(self.made.seats))
            self.seats()
            if not self.players:
                ui.label(text("no_computer")).classes("soft")
            with ui.element("div").classes("line"):
                self._clock()
            with ui.expansion(text("more")).props("dense").style("width: 100%"), ui.element("div").classes("line"):
                self._more()
            with ui.element("div").classes("line"):
                self.button = ui.button(text("begin"), on_click=self._begin).props("unelevated no-caps data-begin")
                ui.button(text("cancel"), on_click=self.dialog.close).props("flat no-caps")
        self.dialog.value = True

    # --- settings ------------------------------------------------------------------------------------------------------------

    def _settings(self) -> None:
        with ui.element("div").classes("line"):
            for setting in settings(self.made):
                self._setting(setting)

    def _setting(self, setting: Setting) -> None:
        value = self.chosen.get(setting.name, setting.usual)
        called = setting_name(setting, self.text)
        control: Any
        if set(setting.values) == {False, True}:
            control = ui.switch(called, value=value)
        else:
            control = Select({one: value_name(one) for one in setting.values}, value=value, label=called)
            control.style("flex: 1 1 7rem")
        control.props(f'data-setting="{setting.name}"').tooltip(setting_about(self.made, setting, self.text))
        control.on_value_change(lambda event: self._chose(setting.name, event.value))

    def _chose(self, name: str, value: Any) -> None:
        """Takes a value; what no longer goes with it falls back to what is usual."""
        chosen = {**self.chosen, name: value}
        try:
            made = made_with(self.made.name, chosen, name)
        except ShutokoError as error:
            tell(refused(self.text.language, error))
            _ = self.settings.refresh()
            return
        known = {setting.name: setting.values for setting in settings(made)}
        self.chosen = {key: each for key, each in chosen.items() if key in known and each in known[key]}
        fewer_or_more = made.seats != self.made.seats
        self.made = made
        _ = self.settings.refresh()
        if fewer_or_more:
            _ = self.seats.refresh()

    # --- clock and more ------------------------------------------------------------------------------------------------------

    def _clock(self) -> None:
        """The clocks to choose from, or minutes and seconds of one's own."""
        text = self.text
        named = {name: text("clock_of", minutes=minutes, seconds=seconds) for name, (minutes, seconds) in _CLOCKS.items()}
        self.clock = Select({"": text("clock_none")} | named | {_OWN: text("clock_own")}, value="", label=text("clock"))
        self.clock.style("flex: 1 1 9rem").props("data-clock")
        self.minutes = ui.number(text("minutes"), value=10, min=0, max=600, format="%.0f").style("flex: 1 1 6rem")
        self.increment = ui.number(text("increment"), value=10, min=0, max=60, format="%.0f").style("flex: 1 1 6rem")
        for field in (self.minutes, self.increment):
            field.bind_visibility_from(self.clock, "value", value=_OWN)

    def _clock_chosen(self) -> tuple[float | None, float]:
        """The seconds of a clock and its increment; None is no clock."""
        own = float(self.minutes.value or 0), float(self.increment.value or 0)
        minutes, increment = _CLOCKS.get(str(self.clock.value), own if self.clock.value == _OWN else (0.0, 0.0))
        return (minutes * 60, max(increment, 0.0)) if minutes > 0 else (None, 0.0)

    def _more(self) -> None:
        text = self.text
        self.friendly = ui.switch(text("friendly"), value=True)
        self.own = ui.input(text("own_player"), placeholder=f"{self.players[-1]}:..." if self.players else "")
        self.own.style("flex: 1 1 100%").props(f'hint="{", ".join(self.players)}" data-own')
        self.own.set_visibility(bool(self.players))

    # --- beginning -----------------------------------------------------------------------------------------------------------

    async def _begin(self) -> None:
        seated = self.seating.taken(str(self.own.value or "").strip())
        clock, increment = self._clock_chosen()
        setup = Setup(
            game=self.made.name,
            names=seated.names,
            computers=seated.computers,
            options=dict(self.made.options),
            hands=seated.hands,
            clock=clock,
            increment=increment,
            friendly=bool(self.friendly.value),
            listed=not self.site.public,
            held=seated.held,
        )
        try:
            with loading(self.button):
                for spec in sorted({spec for spec in seated.computers if spec}):
                    await self.site.workers.run(jobs.checked, spec, setup.game, setup.options, kind=CHECK, who=self.who.counted)
                self.seating.keep_name(seated)
                await open_room(self.site, self.who, setup)
        except ShutokoError as error:
            tell(refused(self.text.language, error))
