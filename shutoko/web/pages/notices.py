"""The page on which a player asks to be told of a turn by push, and ends that."""

import asyncio
import json
from html import escape
from urllib.parse import urlsplit

from fastapi.responses import FileResponse
from nicegui import app, events, ui

from rules.errors import ShutokoError
from shutoko.web import STATIC
from shutoko.web.notices.bell import Wish
from shutoko.web.pages import frame
from shutoko.web.pages.controls import card, text_button
from shutoko.web.pages.frame import Visitor, refusals, tell, visitor
from shutoko.web.rooms.room import Room
from shutoko.web.site import Site

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
    """Adds the page; none if notices are off."""
    if site.bell.pushing is None:
        return

    @frame.page("/room/{name}/notices")
    async def notices_page(name: str) -> None:
        who, room = visitor(), await asyncio.to_thread(site.rooms.room, name)
        if room is None or not room.seats_of(who.holder):
            raise ShutokoError(who.text("no_room" if room is None else "no_seat"))
        _Asking(site, who, room).build()

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
            with card(text("notice_push"), text("notice_push_about")):
                self._button()
            self._list = ui.element("div")
            ui.link(text("notice_back"), f"/room/{self._room.id}").classes("tool")
        self._show()

    def _button(self) -> None:
        assert self._site.bell.pushing is not None
        key = json.dumps(self._site.bell.pushing.public_key)
        text_button(
            self._text("notice_push_ask"), None, "outline data-ask", icon="notifications_active"
        ).on("click", self._asked, js_handler=_PUSH % key)

    def _asked(self, event: events.GenericEventArguments) -> None:
        if not isinstance(event.args, dict):
            tell(self._text("notice_push_refused"))
            return
        request, who = ui.context.client.request, self._who
        base = self._site.seen_from_afar(request.url.scheme, request.headers.get("host", ""))
        with refusals(self._text):
            asks = (who.holder, event.args, self._text.language, base, who.counted)
            self._site.bell.ask(self._room, *asks)
            tell(self._text("notice_kept"), "positive")
            self._show()

    def _show(self) -> None:
        self._list.clear()
        with self._list:
            for wish in self._site.bell.mine(self._room, self._who.holder):
                with ui.element("div").classes("line"):
                    service = urlsplit(json.loads(wish.to)["endpoint"]).hostname
                    ui.label(f"{self._text('notice_push')}: {service}").classes("grow")
                    text_button(
                        self._text("notice_end"),
                        lambda wish=wish: self._end(wish),
                        "flat dense data-end",
                    )

    def _end(self, wish: Wish) -> None:
        if self._site.bell.wishes is not None:
            self._site.bell.wishes.end(wish.token)
        self._show()
