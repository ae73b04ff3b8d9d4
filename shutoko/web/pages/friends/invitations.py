"""The links that a host sends to friends: one for each free seat, with a QR code, and one for watchers."""

from __future__ import annotations

import json

from nicegui import ui

from shutoko.web.pages.frame import Visitor
from shutoko.web.rooms.room import Room
from shutoko.web.site import Site

__all__ = ["Invitations"]


class Invitations:
    """Create it where the links of seats belong on the page; they are for the host only, until the seats are taken."""

    def __init__(self, site: Site, who: Visitor, room: Room) -> None:
        self._site, self._who, self._room, self._text = site, who, room, who.text
        self._box = ui.element("div").classes("panel")
        self._shown: dict[int, str] | None = None

    def show(self) -> None:
        """Shows the links that are still needed."""
        links = self._room.invitations(self._who.holder)
        waiting = {seat: secret for seat, secret in links.items() if not self._room.taken[seat]}
        if waiting == self._shown:
            return
        self._shown = waiting
        self._box.clear()
        with self._box:
            for seat, secret in waiting.items():
                self._invitation(seat, f"{self._base}/room/{self._room.id}?seat={secret}")

    def for_watchers(self) -> None:
        """Makes the link for those who only watch, for the host of the room."""
        if self._room.invitations(self._who.holder):
            with ui.element("div").classes("line").style("flex-wrap: nowrap"):
                ui.label(self._text("watch_link")).classes("soft grow")
                _copy_button(f"{self._base}/room/{self._room.id}", self._text("copy_watch"), self._text("copied"))

    def _invitation(self, seat: int, link: str) -> None:
        text = self._text
        with ui.element("section").classes("card").props("data-invitation"):
            ui.label(text("invite", name=self._room.names[seat]))
            with ui.element("div").classes("line").style("flex-wrap: nowrap"):
                field = ui.input(value=link).props(f'readonly dense outlined data-seat="{seat}" aria-label="{text("link")}"')
                field.classes("grow").on("focus", js_handler="(e) => e.target.select()")
                _copy_button(link, text("copy"), text("copied"))
            if self._site.public:
                ui.html(_qr(link, text("qr")), sanitize=False).classes("qr")
            else:
                ui.label(text("only_here")).classes("soft")

    @property
    def _base(self) -> str:
        request = self._box.client.request
        return self._site.seen_from_afar(str(request.url.scheme), request.headers.get("host", ""))


def _copy_button(what: str, called: str, done: str) -> None:
    """A button that copies a text; it says for a moment that it has done so."""
    button = ui.button(icon="content_copy").props(f'flat dense aria-label="{called}" data-copy').classes("copy")
    button.on("click", js_handler=f"() => shutokoFriends.copy({json.dumps(what)}, {button.id})")
    with button:
        ui.label(done).classes("copied").props('role="status"')


def _qr(link: str, called: str) -> str:
    """The drawing of a link's QR code, dark on light in either theme: many cameras read no other."""
    import segno

    drawn = segno.make(link, error="m", micro=False).svg_inline(scale=4, border=4, dark="#16181a", light="#ffffff")
    return f'<div role="img" aria-label="{called}">{drawn}</div>'
