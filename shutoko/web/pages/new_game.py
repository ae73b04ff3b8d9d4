"""The dialogue that opens a room: the game's settings, who plays, how well the computer plays, and
the clock.
"""

import asyncio
from html import escape
from typing import Any, NamedTuple

from nicegui import ui

from rules.defaults import hands, settings
from rules.errors import InputError, ShutokoError
from rules.game import Game, Setting, game
from shutoko.export.rendering.scene import PLAYER_COLOURS
from shutoko.web.pages.controls import Select, loading, text_button
from shutoko.web.pages.frame import Visitor, is_there, keep_name, refusals, tell
from shutoko.web.rooms.chat import MAX_NAME
from shutoko.web.rooms.store import Setup
from shutoko.web.site import Site
from shutoko.web.views import (
    guide,
    refused,
    setting_about,
    setting_name,
    value_name,
    worded,
)
from shutoko.web.work import (
    BY_HAND,
    CHECK,
    HELPED,
    jobs,
    levels,
    usual_level,
    with_hand,
)


async def open_room(site: Site, who: Visitor, setup: Setup, *, guided: bool = False) -> None:
    """Opens a room and goes there, with the guide of a first game if asked. Raises ShutokoError if
    it cannot be opened.
    """
    site.opened.count(who.counted)
    await site.warmed(setup.game)
    room = await asyncio.to_thread(site.rooms.open, setup, who.holder)
    if is_there():
        ui.navigate.to(f"/room/{room.id}{'?guide=1' * guided}")


# --- who sits where -------------------------------------------------------------------------------


class Seated(NamedTuple):
    """Who sits where, as `Setup` takes it."""

    names: list[str]
    computers: list[str | None]
    hands: list[str | None]
    held: list[int]


class Seating:
    """The seats of one visitor's game. `build` makes the controls where they belong; call it again
    for a game of other seats.

    The visitor has the seat `own` at first, the computer the others where it can play.
    """

    def __init__(self, site: Site, who: Visitor, made: Game[Any], own: int = 0) -> None:
        self._site, self._who, self._text, self._own, self._made = site, who, who.text, own, made
        self.players = site.players(made.name)
        self.offered = levels(made.name)
        self.skills = {name: worded(self._text, f"hand_{name}", name) for name in hands(made)}
        self._rows: list[tuple[Any, Any, Any, Any]] = []

    def build(self, seats: int) -> None:
        """Makes a row of controls for each seat."""
        text, self._rows = self._text, []
        kinds = {"me": text("seat_me"), "friend": text("seat_friend")}
        if self.players:
            kinds["computer"] = text("seat_computer")
        for seat in range(seats):
            with ui.element("div").classes("line"):
                called = (self._who.name if seat == self._own else "") or text(
                    "player_n", n=seat + 1
                )
                name = (
                    ui.input(text("name_n", n=seat + 1), value=called)
                    .style("flex: 1 1 9rem")
                    .props(f"maxlength={MAX_NAME} data-name={seat}")
                )
                usual = "me" if seat == self._own or not self.players else "computer"
                kind = (
                    Select(kinds, value=usual, label=text("player_n", n=seat + 1))
                    .style("flex: 1 1 9rem")
                    .props(f"data-seat={seat}")
                )
                named = {level: self.level_name(level) for level in self.offered}
                level = (
                    Select(named, value=usual_level(self.offered) or None, label=text("level"))
                    .style("flex: 1 1 9rem")
                    .props(f"data-level={seat}")
                    .bind_visibility_from(kind, "value", value="computer")
                )
                name.bind_visibility_from(kind, "value", lambda value: value != "computer")
                self._rows.append(
                    (kind, name, level, self._hand(seat, kind) if self.skills else None)
                )

    def _hand(self, seat: int, kind: Any) -> Any:
        """How a seat places pieces: people by hand if they like, the computer with a hand of some
        skill.
        """
        text = self._text
        known = {"": text("hand_none")} | self.skills
        own = {way: text(f"hand_{way}") for way in BY_HAND} | known
        hand = Select(own, label=text("hand")).style("flex: 1 1 100%").props(f"data-hand={seat}")

        def fill() -> None:
            computer = kind.value == "computer"
            hand.props(f'label="{escape(text("hand_of_it" if computer else "hand"))}"')
            hand.set_options(
                known if computer else own, value=next(iter(self.skills)) if computer else HELPED
            )

        kind.on_value_change(fill)
        fill()
        return hand

    def taken(self, own: str = "") -> Seated:
        """What was chosen. The computer's seats get the player `own`, if one was typed."""
        seated = Seated([], [], [], [])
        for seat, (kind, name, level, hand) in enumerate(self._rows):
            computer, skill = kind.value == "computer", None if hand is None else hand.value or None
            chosen = str(level.value) if computer else ""
            seated.computers.append(self._spec(chosen, own, skill) if computer else None)
            seated.names.append(
                (own or self.computer_name(seat, chosen)) if computer else str(name.value or "")
            )
            if self.skills:
                seated.hands.append(skill)
            if kind.value == "me":
                seated.held.append(seat)
        return seated

    async def open(self, setup: Setup, seated: Seated) -> None:
        """Opens a room with these seats and goes there, or says why it cannot be opened: a worker
        tries its computer players first. The device keeps the name that its only player has typed.
        """
        who, options = self._who, dict(self._made.options)
        with refusals(self._text):
            for spec in sorted({spec for spec in seated.computers if spec}):
                asked = (jobs.checked, spec, setup.game, options)
                await self._site.workers.run(*asked, kind=CHECK, who=who.counted)
            for seat in seated.held if len(seated.held) == 1 else ():
                if seated.names[seat] not in ("", self._text("player_n", n=seat + 1)):
                    keep_name(seated.names[seat])
            await open_room(self._site, who, setup)

    def _spec(self, level: str, own: str, skill: str | None) -> str:
        """The player of a computer's seat: the one that was typed, else that of a level with a hand
        of some skill.
        """
        if own or skill is None:
            return own or self.offered[level]
        return with_hand(self.offered[level], skill, self._made.name)

    def level_name(self, level: str) -> str:
        """A level in the visitor's words."""
        return worded(self._text, f"level_{level}", level)

    def computer_name(self, seat: int, level: str) -> str:
        """The name of the computer's player at a seat: a name of its own where pieces have the
        colours of seats, else its level.
        """
        if self.skills:
            return str(self._text(f"computer_{seat % len(PLAYER_COLOURS) + 1}"))
        return str(self._text("computer_named", level=self.level_name(level)))


# --- the dialogue ---------------------------------------------------------------------------------

_CLOCKS = {"5+5": (5.0, 5.0), "10+10": (10.0, 10.0), "30+30": (30.0, 30.0)}
"""Clocks by their names: minutes for the whole game and seconds for every ply."""

_OWN = "own"


def made_with(name: str, chosen: dict[str, Any], changed: str = "") -> Game[Any]:
    """The game with the values that were chosen for its settings.

    The setting that was `changed` last keeps its value; values of other settings that do not go
    with it are left out. Raises InputError if there is no game with that value.
    """
    options = {changed: chosen[changed]} if changed else {}
    made = game(name, **options)
    for key in [key for key in chosen if key != changed]:
        known = {setting.name: setting for setting in settings(made)}
        if key not in known or chosen[key] not in known[key].values:
            continue
        try:
            made, options = (
                game(name, **options, **{key: chosen[key]}),
                {**options, key: chosen[key]},
            )
        except InputError:
            continue
    return made


class NewGame:
    """The dialogue of one visitor for one game."""

    def __init__(self, site: Site, who: Visitor, made: Game[Any]) -> None:
        self.site, self.who, self.made, self.text = site, who, made, who.text
        self.seating = Seating(site, who, made)
        self.players, self.offered, self.skills = (
            self.seating.players,
            self.seating.offered,
            self.seating.skills,
        )
        self.chosen: dict[str, Any] = {}

    async def play_now(self, against: str = "computer", *, guided: bool = False) -> None:
        """Opens the game as it is usually played without a question: against the computer at the
        usual level, a `friend` who gets a link, or somebody who sits `here`.

        At a table people place by hand, with help, and the computer with an expert's hand. A
        `guided` first game on a board is against the weakest level.
        """
        level = (
            next(iter(self.offered), "")
            if guided and not self.skills
            else usual_level(self.offered)
        )
        seats, others = self.made.seats, self.made.seats - 1
        names = [self.text("player_n", n=seat + 1) for seat in range(seats)]
        computer = against == "computer"
        if computer:
            names[1:] = [self.seating.computer_name(seat, level) for seat in range(1, seats)]
        names[0] = self.who.name or names[0]
        hand = next(iter(self.skills), HELPED) if computer else HELPED
        setup = Setup(
            game=self.made.name,
            names=names,
            computers=[None, *[self.offered[level] if computer else None] * others],
            options=dict(self.made.options),
            hands=[HELPED, *[hand] * others] if self.skills else (),
            listed=not self.site.public,
            held=range(seats) if against == "here" else None,
        )
        with refusals(self.text):
            await open_room(self.site, self.who, setup, guided=guided)

    def open(self) -> None:
        """Shows the dialogue."""
        text = self.text
        with (
            ui.dialog().props(
                f'aria-label="{escape(guide(self.made, text).title)}"'
            ) as self.dialog,
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
            with (
                ui.expansion(text("more")).props("dense").style("width: 100%"),
                ui.element("div").classes("line"),
            ):
                self._more()
            with ui.element("div").classes("line"):
                self.button = text_button(text("begin"), self._begin, "unelevated data-begin")
                text_button(text("cancel"), self.dialog.close, "flat")
        self.dialog.value = True

    # --- settings ---------------------------------------------------------------------------------

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
            control = Select(
                {one: value_name(self.made, one, self.text) for one in setting.values},
                value=value,
                label=called,
            ).style("flex: 1 1 7rem")
        control.props(f'data-setting="{setting.name}"').tooltip(
            setting_about(self.made, setting, self.text)
        ).on_value_change(lambda event: self._chose(setting.name, event.value))

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
        self.chosen = {
            key: each for key, each in chosen.items() if key in known and each in known[key]
        }
        fewer_or_more = made.seats != self.made.seats
        self.made = made
        _ = self.settings.refresh()
        if fewer_or_more:
            _ = self.seats.refresh()

    # --- clock and more ---------------------------------------------------------------------------

    def _clock(self) -> None:
        """The clocks to choose from, or minutes and seconds of one's own."""
        text = self.text
        named = {
            name: text("clock_of", minutes=minutes, seconds=seconds)
            for name, (minutes, seconds) in _CLOCKS.items()
        }
        clocks = {"": text("clock_none")} | named | {_OWN: text("clock_own")}
        self.clock = (
            Select(clocks, value="", label=text("clock"))
            .style("flex: 1 1 9rem")
            .props("data-clock")
        )
        self.minutes = ui.number(text("minutes"), value=10, min=0, max=600, format="%.0f").style(
            "flex: 1 1 6rem"
        )
        self.increment = ui.number(text("increment"), value=10, min=0, max=60, format="%.0f").style(
            "flex: 1 1 6rem"
        )
        for field in (self.minutes, self.increment):
            field.bind_visibility_from(self.clock, "value", value=_OWN)

    def _clock_chosen(self) -> tuple[float | None, float]:
        """The seconds of a clock and its increment; None is no clock."""
        own = float(self.minutes.value or 0), float(self.increment.value or 0)
        minutes, increment = _CLOCKS.get(
            str(self.clock.value), own if self.clock.value == _OWN else (0.0, 0.0)
        )
        return (minutes * 60, max(increment, 0.0)) if minutes > 0 else (None, 0.0)

    def _more(self) -> None:
        text = self.text
        self.friendly = ui.switch(text("friendly"), value=True)
        example = f"{self.players[-1]}:..." if self.players else ""
        self.own = (
            ui.input(text("own_player"), placeholder=example)
            .style("flex: 1 1 100%")
            .props(f'hint="{", ".join(self.players)}" data-own')
        )
        self.own.set_visibility(bool(self.players))

    # --- beginning --------------------------------------------------------------------------------

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
        with loading(self.button):
            await self.seating.open(setup, seated)
