"""The pages on which a player says how to be told of a turn, and on which whoever has a mail's link
confirms or ends that.
"""

from __future__ import annotations

import asyncio
import json
from html import escape
from typing import Any
from urllib.parse import urlsplit

from fastapi.responses import FileResponse
from nicegui import app, events, ui

from rules.errors import ShutokoError
from shutoko.web import STATIC
from shutoko.web.notices.wishes import Wish
from shutoko.web.pages import frame
from shutoko.web.pages.frame import Visitor, tell, visitor
from shutoko.web.rooms.room import Room
from shutoko.web.site import Site
from shutoko.web.views.telling import refused

_FIELDS = {"mail": "email", "webhook": "url"}
_PUSH = """async () => {
  try {
    const worker = await navigator.serviceWorker.register("/push.js");
    await navigator.serviceWorker.ready;
    const place = await worker.pushManager.subscribe({ userVisibleOnly: true,
      applicationServerKey: %s });
    emit(place.toJSON());
  } catch (error) { emit(null); }
}"""


def register(site: Site) -> None:
    """Adds the pages; none if no way is on."""
    if not site.bell.settings.ways:
        return

    @frame.page("/room/{name}/notices")
    async def notices_page(name: str) -> None:
        who = visitor()
        try:
            room = await asyncio.to_thread(site.rooms.room, name)
        except ShutokoError as error:
            frame.not_found(who, refused(who.text.language, error))
            return
        if room is None or not room.seats_of(who.holder):
            frame.not_found(who, who.text("no_room" if room is None else "no_seat"))
            return
        _Asking(site, who, room).build()

    @frame.page("/notices/{token}")
    def notice_page(token: str) -> None:
        _answer(site, visitor(), token)

    @app.get("/push.js")
    def push_worker() -> FileResponse:
        return FileResponse(STATIC / "push.js", media_type="text/javascript")


class _Asking:
    """One player's page of the notices of a room."""

    def __init__(self, site: Site, who: Visitor, room: Room) -> None:
        self._site, self._who, self._room, self._text = site, who, room, who.text

    def build(self) -> None:
        """The page."""
        text = self._text
        with frame.frame(self._who, text("notices")):
            ui.html(f'<h2 class="plain">{escape(text("notices"))}</h2>', sanitize=False)
            ui.label(text("notices_about")).classes("soft")
            for way in self._site.bell.settings.ways:
                with ui.element("section").classes("card").props(f'data-way="{way}"'):
                    ui.html(f"<h2>{escape(text(f'notice_{way}'))}</h2>", sanitize=False)
                    ui.label(text(f"notice_{way}_about")).classes("soft")
                    self._field(way)
            self._list = ui.element("div").props("data-wishes")
            ui.link(text("notice_back"), f"/room/{self._room.id}").classes("tool")
        self._show()

    def _field(self, way: str) -> None:
        text = self._text
        if way == "push":
            assert self._site.bell.pushing is not None
            button = ui.button(text("notice_push_ask"), icon="notifications_active")
            button.props("outline no-caps data-ask").on(
                "click",
                self._pushed,
                js_handler=_PUSH % json.dumps(self._site.bell.pushing.public_key),
            )
            return
        with ui.element("form").classes("line") as form:
            field = ui.input(text(f"notice_{way}_to")).classes("grow")
            field.props(f"dense outlined type={_FIELDS[way]} maxlength=2000 data-to")
            ui.button(text("notice_ask_button")).props("outline no-caps type=submit data-ask")
        form.on("submit.prevent", lambda: self._ask(way, str(field.value or "")))

    def _pushed(self, event: events.GenericEventArguments) -> None:
        if isinstance(event.args, dict):
            self._ask("push", event.args)
        else:
            tell(self._text("notice_push_refused"))

    def _ask(self, way: str, to: Any) -> None:
        request, who = ui.context.client.request, self._who
        base = self._site.seen_from_afar(request.url.scheme, request.headers.get("host", ""))
        language = self._text.language
        try:
            wish = self._site.bell.ask(self._room, who.holder, way, to, language, base, who.counted)
        except ShutokoError as error:
            tell(refused(language, error))
            return
        tell(self._text("notice_kept" if wish.confirmed else "notice_mailed"), "positive")
        self._show()

    def _show(self) -> None:
        self._list.clear()
        with self._list:
            for wish in self._site.bell.mine(self._room, self._who.holder):
                with ui.element("div").classes("line").props(f'data-wish="{wish.way}"'):
                    ui.label(_told(wish, self._text)).classes("grow")
                    ui.button(
                        self._text("notice_end"), on_click=lambda wish=wish: self._end(wish)
                    ).props("flat no-caps dense data-end")

    def _end(self, wish: Wish) -> None:
        if self._site.bell.wishes is not None:
            self._site.bell.wishes.end(wish.token)
        self._show()


def _answer(site: Site, who: Visitor, token: str) -> None:
    """The page of a mail's link: confirm the wish, or end it. Looking at it changes nothing, as
    mail programs look at links, too.
    """
    wishes, text = site.bell.wishes, who.text
    wish = wishes.get(token) if wishes is not None else None
    if wishes is None or wish is None:
        frame.not_found(who, text("no_notice"))
        return
    with frame.frame(who, text("notices")):
        status = ui.label(_told(wish, text)).classes("status").props('role="status"')
        with ui.element("div").classes("line") as line:

            def confirm() -> None:
                try:
                    there = wishes.confirm(token)
                except ShutokoError as error:
                    tell(refused(text.language, error))
                    return
                status.set_text(text("notice_kept" if there else "no_notice"))
                line.set_visibility(False)

            def end() -> None:
                wishes.end(token)
                status.set_text(text("notice_ended"))
                line.set_visibility(False)

            if not wish.confirmed:
                ui.button(text("notice_confirm"), on_click=confirm).props(
                    "unelevated no-caps data-confirm"
                )
            ui.button(text("notice_end"), on_click=end).props("outline no-caps data-end")


def _told(wish: Wish, text: Any) -> str:
    to = urlsplit(json.loads(wish.to)["endpoint"]).hostname if wish.way == "push" else wish.to
    told = f"{text(f'notice_{wish.way}')}: {to}"
    return told if wish.confirmed else f"{told} ({text('notice_unconfirmed')})"
