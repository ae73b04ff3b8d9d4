"""The lobby: the games, the rooms, the records, and the upload of a record; and the page of a
visitor's own games.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from nicegui import events, ui

from rules.errors import ShutokoError
from rules.game import Game
from shutoko.plain import plain_line
from shutoko.web import STATIC
from shutoko.web.library import Shelved
from shutoko.web.limits import MAX_UPLOAD
from shutoko.web.pages.controls import card, text_button
from shutoko.web.pages.frame import Visitor, frame, tell, while_there
from shutoko.web.pages.new_game import NewGame
from shutoko.web.pages.problems.page import day_card
from shutoko.web.pages.rooms.lessons import lessons_of
from shutoko.web.rooms.store import Glance
from shutoko.web.site import Site
from shutoko.web.views import (
    guide,
    refused_file,
)
from shutoko.web.work import (
    UPLOAD,
    taken_in,
)

_SHOWN_OWN, _SHOWN_ROOMS = 5, 30


async def build(site: Site, who: Visitor) -> None:
    """The page."""
    text = who.text
    with frame(who, ""):
        own = await asyncio.to_thread(site.rooms.of, who.holder)
        if own:
            ui.html(f'<h2 class="plain">{text("own_games")}</h2>', sanitize=False)
            list_rooms(who, own[:_SHOWN_OWN], partial(title_of, site, who))
            if len(own) > _SHOWN_OWN:
                ui.link(text("all_own_games", n=len(own)), "/games").classes("tool").props(
                    "data-all-games"
                )
        ui.html(f'<h1 class="plain">{text("welcome")}</h1>', sanitize=False)
        with ui.element("div").classes("cards"):
            for name in site.games:
                made = site.game(name)
                if made is not None:
                    _game_card(site, who, made)
        with ui.element("div").classes("cards"):
            day_card(site, who)
            _real_table_card(who, "photo", "photo", "photo_camera")
            _real_table_card(who, "note", "note_game", "edit")
        others = await asyncio.to_thread(_others, site, who)
        if others:
            ui.html(f'<h2 class="plain">{text("rooms")}</h2>', sanitize=False)
            list_rooms(who, others, partial(title_of, site, who))
        _records(site, who)


def _game_card(site: Site, who: Visitor, made: Game[Any]) -> None:
    text, told = who.text, guide(made, who.text)
    picture = f"games/{made.name}.webp"
    cover = f"/static/{picture}" if (STATIC / picture).is_file() else ""
    with (
        card(told.title, told.about, f'data-card="{made.name}"', cover),
        ui.element("div").classes("line"),
    ):
        dialogue = NewGame(site, who, made)
        play, name = dialogue.play_now, made.name
        friend, here, guided = (
            partial(play, "friend"),
            partial(play, "here"),
            partial(play, guided=True),
        )
        learns = dialogue.offered and lessons_of(name, text)
        for shown, word, icon, look, deed in (
            (True, "play_friend", "waving_hand", "unelevated data-friend", friend),
            (True, "play_here", None, "outline data-here", here),
            (dialogue.offered, "play_now", "play_arrow", "outline data-now", play),
            (learns, "learn", "school", "flat data-learn", guided),
            (True, "new_game", "tune", "flat data-game", dialogue.open),
        ):
            if shown:
                text_button(text(word), deed, f'{look}="{name}"', icon=icon)


def _real_table_card(who: Visitor, name: str, word: str, icon: str) -> None:
    """The way to `/name`, a page for games at a real table; `word` names the text of its button."""
    text = who.text
    with card(text(f"{name}_title"), text(f"{name}_about"), f'data-card="{name}"'):
        text_button(
            text(word), lambda: ui.navigate.to(f"/{name}"), f"outline data-{name}", icon=icon
        )


def _others(site: Site, who: Visitor) -> list[Glance]:
    """The listed rooms of others, those that go on first; none on a server that other machines can
    reach.
    """
    names = () if site.public else site.rooms.ids()[: 4 * _SHOWN_ROOMS]
    glances = (site.rooms.glance(name, who.holder) for name in names)
    found = [room for room in glances if room is not None and room.listed and not room.mine]
    return sorted(found[:_SHOWN_ROOMS], key=lambda room: room.over)


def _records(site: Site, who: Visitor) -> None:
    text, shipped = who.text, site.library.shipped()
    ui.html(f'<h2 class="plain">{text("records")}</h2>', sanitize=False)
    _shelf(site, who, [item for item in shipped if "scenarios-" not in item.name])
    scenarios = [item for item in shipped if "scenarios-" in item.name]
    with ui.expansion(text("scenarios", n=len(scenarios))).classes("card").props("dense"):
        _shelf(site, who, scenarios)
    saved = site.library.saved()
    if saved and not site.public:
        ui.html(f'<h2 class="plain">{text("saved")}</h2>', sanitize=False)
        _shelf(site, who, saved)
    with ui.element("section").classes("card"):
        ui.html(f"<h2>{text('upload')}</h2>", sanitize=False)
        ui.label(text("upload_about")).classes("soft")
        upload = (
            ui.upload(
                auto_upload=True,
                max_file_size=MAX_UPLOAD,
                on_upload=lambda event: _uploaded(site, who, event),
                on_rejected=lambda: tell(text("upload_refused", mib=MAX_UPLOAD // 2**20)),
                # its own button has no name for screen readers
            )
            .style("display: none")
            .props('accept=".jsonl,.json,.txt"')
        )
        text_button(text("upload_pick"), None, "outline data-upload", icon="upload_file").on(
            "click", js_handler=f"() => getElement({upload.id}).pickFiles()"
        )


def _shelf(site: Site, who: Visitor, items: Sequence[Shelved]) -> None:
    with ui.element("div").classes("list"):
        for item in items:
            with ui.element("div").classes("item"):
                ui.link(" - ".join(item.players), f"/replay/{item.name}")
                ui.label(title_of(site, who, item.game)).classes("soft")
                ui.label(item.about).classes("soft")


def title_of(site: Site, who: Visitor, name: str) -> str:
    """The title of a game; its name if it is not installed."""
    made = site.game(name)
    return name if made is None else guide(made, who.text).title


async def _uploaded(site: Site, who: Visitor, event: events.UploadEventArguments) -> None:
    """Has a worker read what was uploaded, so that nobody waits for it but whoever sent it, and
    keeps it.
    """
    label = plain_line(event.file.name[:80])
    try:
        site.uploaded.count(who.counted)
        data = await event.file.read()
        kept, warnings = await while_there(
            site.workers.run(taken_in, data, label, kind=UPLOAD, who=who.counted)
        )
        name = await asyncio.to_thread(site.library.save, kept, label)
    except ShutokoError as error:
        tell(refused_file(who.text.language, error))
        return
    if not warnings:
        ui.navigate.to(f"/replay/{name}")
        return
    with ui.dialog(value=True).props("persistent"), ui.card().classes("card").props("data-warned"):
        for warning in warnings:
            ui.label(plain_line(warning))
        text_button(who.text("watch_rest"), lambda: ui.navigate.to(f"/replay/{name}"), "unelevated")


# --- a visitor's games ----------------------------------------------------------------------------


async def build_own_games(site: Site, who: Visitor) -> None:
    """The page of a visitor's own games."""
    glances = await asyncio.to_thread(site.rooms.of, who.holder)
    with frame(who, who.text("own_games")):
        if glances:
            list_rooms(who, glances, partial(title_of, site, who))
        else:
            ui.label(who.text("no_own_games"))
            ui.link(who.text("to_lobby"), "/")


def list_rooms(who: Visitor, shown: Sequence[Glance], title: Callable[[str], str]) -> None:
    """Rooms with their players, how far they are or how they ended, and when somebody last played
    there.
    """
    with ui.element("div").classes("list"):
        for room in shown:
            with ui.element("div").classes("item"):
                ui.link(" - ".join(room.names), f"/room/{room.id}")
                ui.label(title(room.game)).classes("soft")
                ui.label(_standing(who, room)).classes("soft")
                if room.my_turn:
                    ui.label(who.text("your_turn_now")).classes("now")
                elif room.waits:
                    ui.label(who.text("free_seat")).classes("soft")
                ui.element("div").classes("grow")
                if room.over:
                    ui.link(who.text("replay"), f"/replay/room/{room.id}").classes("soft")
                ui.label(time.strftime("%Y-%m-%d", time.localtime(room.changed))).classes("soft")


def _standing(who: Visitor, room: Glance) -> str:
    """How far a game is, or how it ended for the visitor."""
    if not room.over:
        return str(who.text("ply_n", n=room.plies))
    return str(who.text(room.ended or "over"))
