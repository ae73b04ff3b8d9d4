"""The dialogue that opens a room: the game's settings, who plays, how well the computer plays, and the clock."""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui

from rules.defaults import hands, settings
from rules.errors import InputError, ShutokoError
from rules.game import Game, Setting, game
from shutoko.export.rendering.scene import PLAYER_COLOURS
from shutoko.web.pages.frame import Visitor, tell
from shutoko.web.pages.opening import open_room
from shutoko.web.pages.rooms.presence import loading
from shutoko.web.rooms.store import MAX_NAME, Setup
from shutoko.web.site import Site
from shutoko.web.views.guides import guide, setting_about, setting_name, value_name, worded
from shutoko.web.work import jobs
from shutoko.web.work.kinds import CHECK
from shutoko.web.work.levels import levels, usual_level, with_hand

__all__ = ["NewGame", "made_with"]


def made_with(name: str, chosen: dict[str, Any], changed: str = "") -> Game[Any]:
    """The game with the values that were chosen for its settings.

    The value of the setting that was `changed` last counts first; of the others those that do not go with it are left out.
    Raises InputError if there is no game with that value.
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
        self.players = site.players(made.name)
        self.offered = levels(self.players)
        self.skills = {name: worded(self.text, f"hand_{name}", name) for name in hands(made)}
        self.chosen: dict[str, Any] = {}
        self.hand: Any = None
        self.kinds: list[Any] = []
        self.names: list[Any] = []
        self.levels: list[Any] = []
        self.hands: list[Any] = []

    async def play_now(self, *, guided: bool = False) -> None:
        """Opens the game as it is usually played, against the computer at the usual level, without a question.

        At a table hands tremble a little. A `guided` first game on a board is against the weakest level.
        """
        level = next(iter(self.offered)) if guided and not self.skills else usual_level(self.offered)
        others = range(1, self.made.seats)
        setup = Setup(
            game=self.made.name,
            names=[self.text("player_n", n=1), *(self._computer_name(seat, level) for seat in others)],
            computers=[None, *(self.offered[level] for _ in others)],
            options=dict(self.made.options),
            hand=next(iter(self.skills), None),
            listed=not self.site.public,
        )
        await open_room(self.site, self.who, setup, guided=guided)

    def open(self) -> None:
        """Shows the dialogue."""
        text = self.text
        with (
            ui.dialog().props("persistent=false") as self.dialog,
            ui.card().classes("card").style("min-width: min(30rem, 92vw)"),
        ):
            ui.html(f"<h2>{escape(guide(self.made, text).title)}</h2>", sanitize=False)
            self.settings = ui.refreshable(self._settings)
            self.settings()
            self.seats = ui.refreshable(self._seats)
            self.seats()
            if not self.players:
                ui.label(text("no_computer")).classes("soft")
            if self.skills:
                skills = {"": text("hand_none")} | self.skills
                self.hand = ui.select(skills, value="", label=text("hand")).style("min-width: 9rem")
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
            control = ui.select({one: value_name(one) for one in setting.values}, value=value, label=called)
            control.style("flex: 1 1 7rem")
        control.props(f'data-setting="{setting.name}"').tooltip(setting_about(self.made, setting, self.text))
        control.on_value_change(lambda event: self._chose(setting.name, event.value))

    def _chose(self, name: str, value: Any) -> None:
        """Takes a value; what no longer goes with it falls back to what is usual."""
        chosen = {**self.chosen, name: value}
        try:
            made = made_with(self.made.name, chosen, name)
        except ShutokoError as error:
            tell(error)
            _ = self.settings.refresh()
            return
        known = {setting.name: setting.values for setting in settings(made)}
        self.chosen = {key: each for key, each in chosen.items() if key in known and each in known[key]}
        fewer_or_more = made.seats != self.made.seats
        self.made = made
        _ = self.settings.refresh()
        if fewer_or_more:
            _ = self.seats.refresh()

    # --- seats ---------------------------------------------------------------------------------------------------------------

    def _seats(self) -> None:
        text, self.kinds, self.names, self.levels, self.hands = self.text, [], [], [], []
        kinds = {"me": text("seat_me"), "friend": text("seat_friend")}
        if self.players:
            kinds["computer"] = text("seat_computer")
        for seat in range(self.made.seats):
            with ui.element("div").classes("line"):
                called = text("player_n", n=seat + 1)
                name = ui.input(text("name_n", n=seat + 1), value=called).props(f"maxlength={MAX_NAME}")
                self.names.append(name.style("flex: 1 1 9rem"))
                usual = "me" if seat == 0 or not self.players else "computer"
                kind = ui.select(kinds, value=usual, label=text("player_n", n=seat + 1))
                self.kinds.append(kind.style("flex: 1 1 9rem").props(f"data-seat={seat}"))
                share = "1 1 100%" if self.skills else "1 1 9rem; width: auto"
                with ui.element("div").classes("line").style(f"flex: {share}") as computer:
                    self._strength(seat)
                computer.bind_visibility_from(kind, "value", value="computer")
                name.bind_visibility_from(kind, "value", lambda value: value != "computer")

    def _strength(self, seat: int) -> None:
        """How well the computer plays a seat: its level, and the skill of its hand where pieces are placed by hands."""
        text = self.text
        named = {level: self._level_name(level) for level in self.offered}
        level = ui.select(named, value=usual_level(self.offered) or None, label=text("level")).style("flex: 2 1 10rem")
        self.levels.append(level.props(f"data-level={seat}"))
        if self.skills:
            known = {"": text("hand_same"), "none": text("hand_none")} | self.skills
            hand = ui.select(known, value="", label=text("hand_its")).style("flex: 1 1 8rem")
            self.hands.append(hand.props(f"data-hand={seat}"))

    def _level_name(self, level: str) -> str:
        return worded(self.text, f"level_{level}", level)

    def _more(self) -> None:
        text = self.text
        self.clock = ui.number(text("clock"), value=0, min=0, max=600, format="%.0f").style("flex: 1 1 8rem")
        self.increment = ui.number(text("increment"), value=0, min=0, max=60, format="%.0f").style("flex: 1 1 8rem")
        self.friendly = ui.switch(text("friendly"), value=True)
        self.own = ui.input(text("own_player"), placeholder=f"{self.players[-1]}:..." if self.players else "")
        self.own.style("flex: 1 1 100%").props(f'hint="{", ".join(self.players)}" data-own')
        self.own.set_visibility(bool(self.players))

    # --- beginning -----------------------------------------------------------------------------------------------------------

    async def _begin(self) -> None:
        kinds = [str(kind.value) for kind in self.kinds]
        computers = [self._spec(seat) if kind == "computer" else None for seat, kind in enumerate(kinds)]
        names = [self._called(seat) if spec else str(self.names[seat].value or "") for seat, spec in enumerate(computers)]
        minutes, increment = float(self.clock.value or 0), float(self.increment.value or 0)
        setup = Setup(
            game=self.made.name,
            names=names,
            computers=computers,
            options=dict(self.made.options),
            hand=(self.hand.value or None) if self.hand is not None else None,
            clock=minutes * 60 if minutes > 0 else None,
            increment=max(increment, 0.0),
            friendly=bool(self.friendly.value),
            listed=not self.site.public,
            held=[seat for seat, kind in enumerate(kinds) if kind == "me"],
        )
        try:
            with loading(self.button):
                for spec in sorted({spec for spec in computers if spec}):
                    await self.site.workers.run(jobs.checked, spec, setup.game, setup.options, kind=CHECK, who=self.who.counted)
                await open_room(self.site, self.who, setup)
        except ShutokoError as error:
            tell(error)

    def _spec(self, seat: int) -> str:
        """The player of a computer's seat: the one that was typed, else the chosen level with the chosen hand."""
        own = str(self.own.value or "").strip()
        spec = self.offered[str(self.levels[seat].value)]
        if own or self.hand is None:
            return own or spec
        hand = self.hands[seat].value or self.hand.value
        return with_hand(spec, str(hand)) if hand else spec

    def _called(self, seat: int) -> str:
        """The name that a computer goes by."""
        own = str(self.own.value or "").strip()
        return own or self._computer_name(seat, str(self.levels[seat].value))

    def _computer_name(self, seat: int, level: str) -> str:
        """The name of the computer's player at a seat: where seats have colours, with its colour."""
        if not self.skills:
            return str(self.text("computer_named", level=self._level_name(level)))
        called = worded(self.text, f"called_{level}", level)
        colour = self.text(f"colour_{seat % len(PLAYER_COLOURS) + 1}")
        return str(self.text("computer_coloured", called=called, colour=colour))
