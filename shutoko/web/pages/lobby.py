"""The lobby: the three games, the rooms, the records, and the dialogue that opens a room."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from nicegui import events, ui

from rules.errors import ShutokoError
from shutoko.web.library import MAX_UPLOAD, Shelved
from shutoko.web.pages.frame import Visitor, frame, tell
from shutoko.web.rooms.store import HANDS, MAX_NAME, Glance, Setup
from shutoko.web.site import Site
from shutoko.web.work import jobs
from shutoko.web.work.levels import levels, usual_level, with_hand
from sim.referee.ruleset import presets_for

__all__ = ["build", "open_room"]

_SHOWN_ROOMS = 30
_SIZES = {"meridians": (5, 6, 7, 8), "thruway": (5, 7, 9, 11, 13)}
_USUAL = {"meridians": 7, "thruway": 11}


async def build(site: Site, who: Visitor) -> None:
    """The page."""
    text = who.text
    with frame(who, ""):
        ui.html(f'<h1 class="plain">{text("welcome")}</h1>', sanitize=False)
        with ui.element("div").classes("cards"):
            for game in site.games:
                _game_card(site, who, game)
        await _rooms(site, who)
        _records(site, who)


async def open_room(site: Site, who: Visitor, setup: Setup) -> None:
    """Opens a room and goes there; what makes no game is told."""
    await site.warmed(setup.game)
    try:
        room = await asyncio.to_thread(site.rooms.open, setup, who.holder)
    except ShutokoError as error:
        tell(error)
        return
    ui.navigate.to(f"/room/{room.id}")


def _game_card(site: Site, who: Visitor, game: str) -> None:
    text = who.text
    with ui.element("section").classes("card"):
        ui.html(f"<h2>{text(game)}</h2>", sanitize=False)
        ui.label(text(f"{game}_about")).classes("soft")
        ui.element("div").classes("grow")
        with ui.element("div").classes("line"):
            button = ui.button(text("new_game"), icon="add", on_click=lambda: _NewGame(site, who, game).open())
            button.props(f'unelevated no-caps data-game="{game}"')


async def _rooms(site: Site, who: Visitor) -> None:
    text = who.text
    shown = await asyncio.to_thread(_glances, site, who.holder)
    ui.html(f'<h2 class="plain">{text("rooms")}</h2>', sanitize=False)
    if not shown:
        ui.label(text("no_rooms")).classes("soft")
        return
    with ui.element("div").classes("list"):
        for room in shown:
            with ui.element("div").classes("item"):
                ui.link(" - ".join(room.names), f"/room/{room.id}")
                ui.label(text(room.game)).classes("soft")
                state = text("over") if room.over else text("ply_n", n=room.plies)
                ui.label(f"{state}, {text('your_seat') if room.mine else text('watch')}").classes("soft")


def _glances(site: Site, holder: str) -> list[Glance]:
    """The rooms that a visitor is shown: the own ones, and where nobody else can reach the server all that are listed."""
    found: list[Glance] = []
    for name in site.rooms.ids()[: 4 * _SHOWN_ROOMS]:
        room = site.rooms.glance(name, holder)
        if room is not None and (room.mine or (room.listed and not site.public)):
            found.append(room)
    return found[:_SHOWN_ROOMS]


def _records(site: Site, who: Visitor) -> None:
    text, shipped = who.text, site.library.shipped()
    ui.html(f'<h2 class="plain">{text("records")}</h2>', sanitize=False)
    games = [item for item in shipped if "scenarios-" not in item.name]
    _shelf(who, games)
    scenarios = [item for item in shipped if "scenarios-" in item.name]
    with ui.expansion(text("scenarios", n=len(scenarios))).classes("card").props("dense"):
        _shelf(who, scenarios)
    saved = site.library.saved()
    if saved and not site.public:
        ui.html(f'<h2 class="plain">{text("saved")}</h2>', sanitize=False)
        _shelf(who, saved)
    with ui.element("section").classes("card"):
        ui.html(f"<h2>{text('upload')}</h2>", sanitize=False)
        ui.label(text("upload_about")).classes("soft")
        upload = ui.upload(
            label=text("upload_pick"),
            auto_upload=True,
            max_file_size=MAX_UPLOAD,
            on_upload=lambda event: _uploaded(site, event),
            on_rejected=lambda: tell(text("upload_refused", mib=MAX_UPLOAD // 2**20)),
        )
        upload.props('accept=".jsonl,.json,.txt" flat bordered').style("width: 100%; max-width: 26rem")


def _shelf(who: Visitor, items: Sequence[Shelved]) -> None:
    with ui.element("div").classes("list"):
        for item in items:
            with ui.element("div").classes("item"):
                ui.link(" - ".join(item.players), f"/replay/{item.name}")
                ui.label(who.text(item.game)).classes("soft")
                ui.label(item.about).classes("soft")


async def _uploaded(site: Site, event: events.UploadEventArguments) -> None:
    data = await event.file.read()
    try:
        name = site.library.save(data, event.file.name[:80])
    except ShutokoError as error:
        tell(error)
        return
    ui.navigate.to(f"/replay/{name}")


class _NewGame:
    """The dialogue that asks who plays, and how."""

    def __init__(self, site: Site, who: Visitor, game: str) -> None:
        self.site, self.who, self.game = site, who, game
        self.text = who.text
        self.players = site.players(game)
        self.offered = levels(game, self.players)
        self.seats: Any = None
        self.kinds: list[Any] = []
        self.names: list[Any] = []
        self.levels: list[Any] = []
        self.hands: list[Any] = []

    def open(self) -> None:
        """Shows the dialogue."""
        text = self.text
        with (
            ui.dialog().props("persistent=false") as self.dialog,
            ui.card().classes("card").style("min-width: min(30rem, 92vw)"),
        ):
            ui.html(f"<h2>{text(self.game)}</h2>", sanitize=False)
            if self.game == jobs.TABLE:
                self.count = ui.select([2, 3, 4], value=2, label=text("players"), on_change=self._refresh)
                self.count.style("width: 8rem").props("data-count")
            self.seats = ui.refreshable(self._seats)
            self.seats()
            if not self.players:
                ui.label(text("no_computer")).classes("soft")
            with ui.element("div").classes("line"):
                self._options()
            with ui.expansion(text("more")).props("dense").style("width: 100%"), ui.element("div").classes("line"):
                self._more()
            with ui.element("div").classes("line"):
                self.button = ui.button(text("begin"), on_click=self._begin).props("unelevated no-caps data-begin")
                ui.button(text("cancel"), on_click=self.dialog.close).props("flat no-caps")
        self.dialog.value = True

    def _refresh(self) -> None:
        self.seats.refresh()
        offered = self._rulesets()
        self.ruleset.set_options(offered, value=self.ruleset.value if self.ruleset.value in offered else offered[0])

    def _rulesets(self) -> list[str]:
        """The rule sets that so many may play by."""
        return list(presets_for(self.count.value))

    def _seats(self) -> None:
        text, self.kinds, self.names, self.levels, self.hands = self.text, [], [], [], []
        kinds = {"me": text("seat_me"), "friend": text("seat_friend")}
        if self.players:
            kinds["computer"] = text("seat_computer")
        for seat in range(self.count.value if self.game == jobs.TABLE else 2):
            with ui.element("div").classes("line"):
                called = text("player_n", n=seat + 1)
                name = ui.input(text("name_n", n=seat + 1), value=called).props(f"maxlength={MAX_NAME}")
                self.names.append(name.style("flex: 1 1 9rem"))
                kind = ui.select(
                    kinds, value="me" if seat == 0 or not self.players else "computer", label=text("player_n", n=seat + 1)
                )
                self.kinds.append(kind.style("flex: 1 1 9rem").props(f"data-seat={seat}"))
                share = "1 1 100%" if self.game == jobs.TABLE else "1 1 9rem; width: auto"
                with ui.element("div").classes("line").style(f"flex: {share}") as computer:
                    self._strength(seat)
                computer.bind_visibility_from(kind, "value", value="computer")
                name.bind_visibility_from(kind, "value", lambda value: value != "computer")

    def _strength(self, seat: int) -> None:
        """How well the computer plays a seat: its level, and at Tokyo Highway its hand."""
        text = self.text
        named = {level: self._level_name(level) for level in self.offered}
        level = ui.select(named, value=usual_level(self.offered) or None, label=text("level")).style("flex: 2 1 10rem")
        self.levels.append(level.props(f"data-level={seat}"))
        if self.game == jobs.TABLE:
            hands = {"": text("hand_same"), "none": text("hand_none")} | {name: text(f"hand_{name}") for name in HANDS}
            hand = ui.select(hands, value="", label=text("hand_its")).style("flex: 1 1 8rem")
            self.hands.append(hand.props(f"data-hand={seat}"))

    def _level_name(self, level: str) -> str:
        key = f"level_{level}"
        told = self.text(key)
        return level if told == key else str(told)

    def _options(self) -> None:
        text = self.text
        if self.game == jobs.TABLE:
            hands = {"": text("hand_none")} | {name: text(f"hand_{name}") for name in HANDS}
            self.hand = ui.select(hands, value="", label=text("hand")).style("flex: 1 1 9rem")
            self.ruleset = ui.select(self._rulesets(), value="standard", label=text("ruleset"))
            self.ruleset.style("flex: 1 1 9rem").props("data-ruleset")
            return
        sizes = list(_SIZES[self.game])
        self.size = ui.select(sizes, value=_USUAL[self.game], label=text("size")).style("flex: 1 1 6rem").props("data-size")
        self.pie = ui.switch(text("pie"), value=self.game == "thruway")

    def _more(self) -> None:
        text = self.text
        self.clock = ui.number(text("clock"), value=0, min=0, max=600, format="%.0f").style("flex: 1 1 8rem")
        self.increment = ui.number(text("increment"), value=0, min=0, max=60, format="%.0f").style("flex: 1 1 8rem")
        self.friendly = ui.switch(text("friendly"), value=True)
        self.own = ui.input(text("own_player"), placeholder=f"{self.players[-1]}:..." if self.players else "")
        self.own.style("flex: 1 1 100%").props(f'hint="{", ".join(self.players)}" data-own')
        self.own.set_visibility(bool(self.players))

    async def _begin(self) -> None:
        chosen = [str(kind.value) for kind in self.kinds]
        computers = [self._spec(seat) if kind == "computer" else None for seat, kind in enumerate(chosen)]
        names = [self._called(seat) if spec else str(self.names[seat].value or "") for seat, spec in enumerate(computers)]
        minutes, increment = float(self.clock.value or 0), float(self.increment.value or 0)
        setup = Setup(
            game=self.game,
            names=names,
            computers=computers,
            options=self._chosen_options(),
            ruleset=str(self.ruleset.value) if self.game == jobs.TABLE else "standard",
            hand=(self.hand.value or None) if self.game == jobs.TABLE else None,
            clock=minutes * 60 if minutes > 0 else None,
            increment=max(increment, 0.0),
            friendly=bool(self.friendly.value),
            listed=not self.site.public,
            held=[seat for seat, kind in enumerate(chosen) if kind == "me"],
        )
        self.button.props("loading")
        try:
            for spec in sorted({spec for spec in computers if spec}):
                await self.site.workers.run(jobs.checked, spec, self.game, self._chosen_options())
        except ShutokoError as error:
            tell(error)
            self.button.props(remove="loading")
            return
        await open_room(self.site, self.who, setup)
        self.button.props(remove="loading")

    def _spec(self, seat: int) -> str:
        """The player of a computer's seat: the one that was typed, else the chosen level with the chosen hand."""
        own = str(self.own.value or "").strip()
        spec = self.offered[str(self.levels[seat].value)]
        if own or self.game != jobs.TABLE:
            return own or spec
        hand = self.hands[seat].value or self.hand.value
        return with_hand(spec, str(hand)) if hand else spec

    def _called(self, seat: int) -> str:
        """The name that a computer goes by."""
        own = str(self.own.value or "").strip()
        return own or self.text("computer_named", level=self._level_name(str(self.levels[seat].value)))

    def _chosen_options(self) -> dict[str, Any]:
        if self.game == jobs.TABLE:
            return {}
        return {"size": int(self.size.value), "pie" if self.game == "meridians" else "trade": bool(self.pie.value)}
