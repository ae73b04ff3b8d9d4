"""What people need to play with each other: links to seats, names, messages, questions, and whose
turn it is.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from shutoko.web.pages.controls import icon_button, text_button
from shutoko.web.pages.frame import Visitor, keep_name, refusals, tell
from shutoko.web.rooms.chat import EMOTES, MAX_NAME, MAX_SAID, Change, Said
from shutoko.web.rooms.room import Room
from shutoko.web.site import Site

# --- links ----------------------------------------------------------------------------------------


class Invitations:
    """Create it where the links of seats belong on the page; they are for the host only, until the
    seats are taken.
    """

    def __init__(self, site: Site, who: Visitor, room: Room) -> None:
        self._site, self._who, self._room, self._text = site, who, room, who.text
        self._box = ui.element("div").classes("panel")
        self._shown: dict[int, str] | None = None

    def show(self) -> None:
        """Shows the links that are still needed."""
        links = self._room.invitations(self._who.holder)
        taken = self._room.seats.taken()
        waiting = {seat: secret for seat, secret in links.items() if not taken[seat]}
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
                _copy_button(
                    f"{self._base}/room/{self._room.id}",
                    self._text("copy_watch"),
                    self._text("copied"),
                )

    def _invitation(self, seat: int, link: str) -> None:
        text = self._text
        with ui.element("section").classes("card").props("data-invitation"):
            ui.label(text("invite", name=self._room.names[seat]))
            with ui.element("div").classes("line").style("flex-wrap: nowrap"):
                ui.input(value=link).props(
                    f'readonly dense outlined data-seat="{seat}" aria-label="{text("link")}"'
                ).classes("grow").on("focus", js_handler="(e) => e.target.select()")
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
    button = icon_button("content_copy", called, None, "flat dense data-copy").classes("copy")
    button.on("click", js_handler=f"() => shutokoFriends.copy({json.dumps(what)}, {button.id})")
    with button:
        ui.label(done).classes("copied").props('role="status"')


def _qr(link: str, called: str) -> str:
    """The drawing of a link's QR code, dark on light in either theme: many cameras read no
    other.
    """
    import segno

    drawn = segno.make(link, error="m", micro=False).svg_inline(
        scale=4, border=4, dark="#16181a", light="#ffffff"
    )
    return f'<div role="img" aria-label="{called}">{drawn}</div>'


# --- names ----------------------------------------------------------------------------------------


async def own_name(room: Room, who: Visitor, seat: int) -> None:
    """Puts the name that the device keeps at a seat that its visitor has just taken, unless another
    player has that name.
    """
    if who.name and who.name not in room.names and room.seats_of(who.holder) == (seat,):
        await room.rename(who.holder, who.name)


def ask_name(
    room: Room, who: Visitor, attempt: Callable[[Awaitable[Any]], Awaitable[bool]]
) -> None:
    """Asks a visitor with one seat for a name."""
    text, mine = who.text, room.seats_of(who.holder)
    if len(mine) != 1:
        return
    with (
        ui.dialog().props(f'aria-label="{text("your_name")}"') as dialog,
        ui.card().classes("card"),
        ui.element("form").classes("panel") as form,
    ):
        field = ui.input(text("your_name"), value=room.names[mine[0]]).props(
            f"autofocus maxlength={MAX_NAME} data-name"
        )

        async def keep() -> None:
            name = str(field.value or "")
            dialog.value = False
            if await attempt(room.rename(who.holder, name)):
                keep_name(name)

        form.on("submit.prevent", keep)
        with ui.element("div").classes("line"):
            text_button(text("keep"), keep, "unelevated data-keep")
            text_button(text("cancel"), dialog.close, "flat")
    dialog.value = True


# --- messages -------------------------------------------------------------------------------------

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
        self._site, self._who, self._room, self._colour, self._text = (
            site,
            who,
            room,
            colour,
            who.text,
        )
        text = who.text
        with (
            ui.expansion(text("chat"), icon="chat_bubble_outline")
            .props("dense data-chat")
            .classes("chat") as self._box
        ):
            self._lines = (
                ui.element("div")
                .classes("says")
                .props(f'role="log" aria-label="{text("chat")}" tabindex="0"')
            )
            with ui.element("div").classes("line emotes"):
                for emote in EMOTES:
                    ui.button(
                        icon=_ICONS[emote], on_click=lambda emote=emote: self._say(emote=emote)
                    ).props(
                        f'flat round dense aria-label="{text(f"emote_{emote}")}" '
                        f'data-emote="{emote}"'
                    ).tooltip(text(f"emote_{emote}"))
                ui.element("div").classes("grow")
                look = 'flat round dense data-mute aria-pressed="false"'
                icon_button("volume_off", text("mute"), None, look).tooltip(text("mute")).on(
                    "click", js_handler="() => shutokoFriends.mute()"
                )
            with (
                ui.element("form")
                .classes("line")
                .style("flex-wrap: nowrap")
                .on("submit.prevent", self._typed)
            ):
                called = text("say_something")
                self._field = (
                    ui.input(placeholder=called)
                    .classes("grow")
                    .props(f'dense outlined data-say autocomplete="off" maxlength={MAX_SAID}')
                    .props(f'aria-label="{called}"')
                )
                icon_button("send", text("send"), self._typed, "flat dense data-send")
            ui.label(text("chat_kept")).classes("soft")
        self.show()
        for said in room.chat.said:
            self._one(said)
        ui.context.client.on_delete(room.chat.hear(self._heard))

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
        name = (
            said.name
            if said.seat is not None
            else text("watcher", name=said.name)
            if said.name
            else text("a_watcher")
        )
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
        self._say(str(self._field.value or ""))

    def _say(self, text: str = "", emote: str = "") -> None:
        """Says something in the room; the field is empty once its text was said."""
        mine = self._room.seats_of(self._who.holder)
        to_move = self._room.to_move
        seat = to_move if to_move in mine else mine[0] if mine else None
        name = self._who.name if seat is None else self._room.names[seat]
        with refusals(self._text):
            self._site.said.count(self._who.counted)
            if self._room.chat.say(seat, name, text, emote) and text:
                self._field.set_value("")


# --- questions: may a ply be taken back, is the time that is up claimed? --------------------------


def wish_of(room: Room, text: Any, key: str = "wishes_undo") -> str:
    """Who would like to take back what."""
    names = ", ".join(room.names[seat] for seat in sorted(room.wishes))
    return str(text(key, name=names, tried=room.tried is not None))


class Questions:
    """Create it where it belongs on the page; it is hidden while nothing is asked. `attempt` awaits
    an action in the room.
    """

    def __init__(
        self, who: Visitor, room: Room, attempt: Callable[[Awaitable[Any]], Awaitable[bool]]
    ) -> None:
        self._who, self._room, self._attempt, self._text = who, room, attempt, who.text
        self._wished = False  # by this visitor
        text = who.text
        with (
            ui.element("section")
            .classes("card asked")
            .props('role="alert" data-back') as self._back
        ):
            self._back_said = ui.label()
            with ui.element("div").classes("line"):
                text_button(text("yes"), self._agree, "unelevated dense data-yes", icon="check")
                text_button(text("no"), self._decline, "outline dense data-no", icon="close")
        with (
            ui.element("section")
            .classes("card asked")
            .props('role="alert" data-time') as self._time
        ):
            self._time_said = ui.label()
            self._claim = text_button(
                text("claim"), self._claimed, "unelevated dense data-claim", icon="timer_off"
            )

    def show(self, change: Change | None, *, waits: bool) -> None:
        """Shows what is asked now; nothing if it `waits`."""
        room, mine = self._room, set(self._room.seats_of(self._who.holder))
        if change == "declined" and self._wished:
            tell(self._text("back_declined"), "info")
        self._wished = bool(mine & room.wishes)
        asked = bool(room.wishes and mine - room.wishes) and not waits
        self._back.set_visibility(asked)
        if asked:
            self._back_said.set_text(wish_of(room, self._text, "back_asked"))
        late = room.late
        self._time.set_visibility(late is not None and not waits)
        if late is not None:
            own = mine == {late}
            self._time_said.set_text(
                self._text("own_time_up" if own else "time_up", name=room.names[late])
            )
            self._claim.set_visibility(bool(mine) and not own)

    async def _agree(self) -> None:
        await self._attempt(self._room.agree(self._who.holder))

    def _decline(self) -> None:
        with refusals(self._text):
            self._room.decline(self._who.holder)

    async def _claimed(self) -> None:
        await self._attempt(self._room.claim_time(self._who.holder))


# --- whose turn it is -----------------------------------------------------------------------------


class Notices:
    """Create it where its button belongs. There is nothing to say to somebody who has all seats."""

    def __init__(self, who: Visitor, room: Room) -> None:
        self._who, self._room = who, room
        self._told: tuple[bool, int] | None = None
        self._bell = (
            icon_button("notifications_none", who.text("bell"), None, "flat round dense data-bell")
            .tooltip(who.text("bell"))
            .on("click", js_handler="() => shutokoFriends.bell()")
        )
        if room.bell is not None and room.seats_of(who.holder):
            with (
                ui.link("", f"/room/{room.id}/notices")
                .classes("tool")
                .props(f'data-notices aria-label="{who.text("notices")}"')
            ):
                ui.icon("notifications_active")

    def show(self, *, my_turn: bool) -> None:
        """Says whether it is the visitor's turn, once the page shows it."""
        alone = len(self._room.seats_of(self._who.holder)) in (0, len(self._room.names))
        self._bell.set_visibility(not alone)
        now = (my_turn and not alone, self._room.record.next_ply)
        first, before, self._told = self._told is None, self._told, now
        if now == before or (first and not now[0]):
            return
        fresh = not first and now[0]
        told = json.dumps(self._who.text("your_turn"))
        _ = ui.run_javascript(
            f"shutokoFriends.turn({json.dumps(now[0])}, {told}, {json.dumps(fresh)})"
        )
