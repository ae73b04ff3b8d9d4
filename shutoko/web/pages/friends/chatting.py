"""The chat of a room: messages, and a few words at the press of a button. The device may mute it."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from rules.errors import ShutokoError
from shutoko.web.pages.frame import Visitor, tell
from shutoko.web.referee import refused
from shutoko.web.rooms.chat import EMOTES, MAX_SAID, Said
from shutoko.web.rooms.room import Room
from shutoko.web.site import Site

__all__ = ["Chatting"]

_ICONS = {
    "hello": "waving_hand",
    "bravo": "thumb_up",
    "wow": "auto_awesome",
    "oops": "sentiment_dissatisfied",
    "wait": "hourglass_top",
    "thanks": "favorite",
}


class Chatting:
    """Create it where it belongs on the page. `colour(seat)` is a CSS colour."""

    def __init__(self, site: Site, who: Visitor, room: Room, colour: Callable[[int], str]) -> None:
        self._site, self._who, self._room, self._colour, self._text = site, who, room, colour, who.text
        text = who.text
        with ui.expansion(text("chat"), icon="chat_bubble_outline").props("dense data-chat").classes("chat") as self._box:
            self._lines = ui.element("div").classes("says").props(f'role="log" aria-label="{text("chat")}" tabindex="0"')
            with ui.element("div").classes("line emotes"):
                for emote in EMOTES:
                    button = ui.button(icon=_ICONS[emote], on_click=lambda emote=emote: self._say(emote=emote))
                    button.props(f'flat round dense aria-label="{text(f"emote_{emote}")}" data-emote="{emote}"')
                    button.tooltip(text(f"emote_{emote}"))
                ui.element("div").classes("grow")
                mute = ui.button(icon="volume_off").props(f'flat round dense aria-label="{text("mute")}" data-mute')
                mute.props('aria-pressed="false"').tooltip(text("mute")).on("click", js_handler="() => shutokoFriends.mute()")
            with ui.element("form").classes("line").style("flex-wrap: nowrap").on("submit.prevent", self._typed):
                self._field = ui.input(placeholder=text("say_something")).classes("grow")
                self._field.props("dense outlined data-say")
                self._field.props(f'autocomplete="off" maxlength={MAX_SAID} aria-label="{text("say_something")}"')
                send = ui.button(icon="send", on_click=self._typed)
                send.props(f'flat dense aria-label="{text("send")}" data-send')
            ui.label(text("chat_kept")).classes("soft")
        self.show()
        for said in room.chat.said:
            self._one(said)
        client = ui.context.client
        client.on_delete(room.chat.hear(self._heard))

    def show(self) -> None:
        """Shows the chat where there is somebody to talk to."""
        self._box.set_visibility(self._room.seats.sociable)

    def _heard(self, said: Said) -> None:
        with self._box:
            self._one(said)
            if said.seat is None or said.seat not in self._room.seats_of(self._who.holder):
                self._box.set_value(True)
                _ = ui.run_javascript("shutokoFriends.said()")

    def _one(self, said: Said) -> None:
        text = self._text
        name = said.name if said.seat is not None else text("watcher", name=said.name) if said.name else text("a_watcher")
        with self._lines, ui.element("div").classes("say"):
            chip = ui.element("span").classes("chip")
            if said.seat is not None:
                chip.style(f"background: {self._colour(said.seat)}")
            ui.label(name).classes("by")
            if said.emote:
                ui.icon(_ICONS[said.emote]).props('aria-hidden="true"')
            ui.label(text(f"emote_{said.emote}") if said.emote else said.text)
        _ = self._lines.run_method("scrollTo", {"top": 10**6})

    def _typed(self) -> None:
        if self._say(str(self._field.value or "")):
            self._field.set_value("")

    def _say(self, text: str = "", emote: str = "") -> bool:
        """Says something in the room. Returns whether it was said."""
        mine = self._room.seats_of(self._who.holder)
        to_move = self._room.to_move
        seat = to_move if to_move in mine else mine[0] if mine else None
        name = self._who.name if seat is None else self._room.names[seat]
        try:
            self._site.said.count(self._who.counted)
        except ShutokoError as error:
            tell(refused(self._text.language, error))
            return False
        return self._room.chat.say(seat, name, text, emote)
