"""What floats over the table or the board of any game: a plate for each seat, the one sentence that
is true now, round buttons, the sheet of the menu and the sheet of what happened.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from nicegui import ui

from rules.arena.players import advisers
from rules.errors import ShutokoError
from shutoko.web.pages.controls import folded, loading, text_button
from shutoko.web.pages.frame import Visitor, refusals, tell, while_there
from shutoko.web.pages.replay.analysis import AdviceList
from shutoko.web.pages.rooms.floats import (
    Saying,
    exact,
    heading,
    menu_head,
    opener,
    plates,
    round_button,
    sheet,
    top,
)
from shutoko.web.pages.rooms.friends import (
    Chatting,
    Invitations,
    Notices,
    Questions,
    ask_name,
    wish_of,
)
from shutoko.web.pages.rooms.lessons import Lessons, lessons_of
from shutoko.web.pages.rooms.result import Result, won_by
from shutoko.web.rooms.chat import Change
from shutoko.web.rooms.room import Room
from shutoko.web.site import Site
from shutoko.web.views import (
    Plate,
    how_to,
    refused,
    trouble,
)
from shutoko.web.work import (
    Rated,
    adviser,
    quick_adviser,
    skill_of,
)

if TYPE_CHECKING:
    from shutoko.export.packed import Film

_TICK = 0.5  # seconds between two looks at the clocks
_HINTS, _SIFTED = 3, 12  # moves: of a hint, and those among which one of a lesson is looked for
_TRY = -1  # in place of a ply: the film of a try that failed
_VERDICT = 1.6  # seconds for which the verdict on the own ply stands before the game goes on


class RoomPage(Protocol):
    """What the panel asks of the page around it. Plies are counted from 0. As it stands here it is
    a page of a game whose moves are no films and cannot fail.
    """

    @property
    def has_verdict(self) -> bool:
        """Whether what came of an own ply stands elsewhere on the page."""
        return False

    @property
    def holding(self) -> bool:
        """Whether the visitor has pieces in the hand: then nothing else is asked or said."""
        return False

    def colour(self, seat: int) -> str:
        """The CSS colour of a seat now."""

    def plate(self, seat: int, plies: int) -> Plate | None:  # noqa: ARG002 - of a page with stocks
        """What the plate of a seat shows after so many plies, None for nothing."""
        return None

    def lines(self, n: int) -> Sequence[str]:
        """The texts of ply n."""

    def headline(self, n: int) -> str:
        """What happened at ply n, in short."""

    def asks(self) -> str:
        """What the visitor is to do in the own turn."""

    def show(self, change: Change | None) -> None:
        """Draws the page's own part after a change of the room; None: for the first time."""

    def play(self, n: int, film: Film | None) -> float:
        """Shows the film of ply n; returns the seconds that it takes."""
        del n, film
        return 0.0

    def play_tried(self) -> float:
        """Shows the try that has just failed; returns the seconds that it takes."""
        return 0.0

    def told(self, n: int) -> None:
        """The film of ply n is over, and the page tells of the ply."""

    def lessons(self, show_me: Callable[[], Awaitable[None]]) -> Lessons:
        """Makes the card of the guide; `show_me` asks for moves of its lesson."""

    def advices(self, pick: Callable[[int | None], None]) -> AdviceList:
        """Makes the list of the moves of a hint; `pick` is called with the place of one."""

    def sifted(self, found: Sequence[Rated]) -> Sequence[Rated]:
        """Those of some moves that the lesson is about; all without a lesson."""
        return found

    def hinted(self, found: Sequence[Rated], picked: int | None) -> None:
        """Shows the moves of a hint, best first (none when they are out of date); `picked` is the
        place of the picked one.
        """


class RoomPanel:
    """What all rooms show over the table or the board. What is said of a ply, and whose turn it is,
    follows when its film is over; the verdict on the visitor's own ply stands for a moment before
    the game goes on.
    """

    def __init__(self, site: Site, who: Visitor, room: Room, page: RoomPage) -> None:
        self.site, self.who, self.room, self.text = site, who, room, who.text
        self._page = page
        self.shown = len(room.steps)  # plies of which the page tells
        self._films: deque[tuple[int, Film | None]] = deque()
        self._film: Any = None  # the timer of the film that runs, or of the verdict that stands
        self._playing: int | None = None  # the ply whose film runs
        self._told = -1
        self._making: str | None = None  # the turn of the visitor's that is being made
        self.lessons: Lessons | None = None

    @property
    def mine(self) -> tuple[int, ...]:
        """The seats of the visitor."""
        return self.room.seats_of(self.who.holder)

    @property
    def my_turn(self) -> bool:
        """Whether the visitor is to move, no move is being made, and no film runs."""
        return self.room.to_move in self.mine and not self.room.busy and not self.filming

    @property
    def filming(self) -> bool:
        """Whether the film of a ply runs."""
        return self._film is not None

    @contextmanager
    def room_page(self) -> Iterator[None]:
        """The whole page of the room: the picture that is made inside fills the window."""
        seats = len(self.room.names)
        with ui.element("div").classes("room").props(f'data-seats="{seats}"') as self.root:
            yield

    def begin(self, title: str) -> None:
        """Makes what stands above: the button of the menu, the plates, and the sentence."""
        heading(title, self.text)
        colours = map(self._page.colour, range(len(self.room.names)))
        self._rows = plates(self.text, zip(self.room.names, colours, strict=True))
        with top():
            saying = Saying()
            self.say, self.trouble = saying.say, saying.trouble
            ui.label(self.text("turn_lost")).classes("trouble lost").props('role="alert"')
            self._questions = Questions(self.who, self.room, self.attempt)
            self.below = ui.element("div").classes("below")  # where a page says more
            self._invited = ui.element("div").classes("panel")
        with ui.element("div").classes("aside") as self._aside:  # the card of the guide, and hints
            if "guide" in self.who.query and lessons_of(self.room.game, self.text):
                self.lessons = self._page.lessons(partial(self._hint, of_lesson=True))
        self.result = Result(self.site, self.who, self.room, self._page.colour)

    @contextmanager
    def round(self) -> Iterator[None]:
        """The round buttons: hint, take back, what happened; those of the page come first."""
        text = self.text
        with ui.element("div").classes("rounds").props("data-edge=right"):
            yield
            self._is_advised = bool(advisers(self.room.made))
            if self._is_advised:
                self.hint = round_button("lightbulb", text("hint"), "hint", self._hint)
            self._undo = round_button("undo", text("undo"), "undo", self._take_back)
            opener("log", "forum" if self.room.seats.sociable else "history", text("log"))
        with self._aside:
            self.hints = self._page.advices(
                lambda picked: self._page.hinted(self.hints.found, picked)
            )

    @contextmanager
    def menu(self, pointing: str = "") -> Iterator[None]:
        """The sheet of the menu; what is made inside is its part *Exact*, for those who type. With
        it the page is complete, and the panel listens to the room.
        """
        text, room = self.text, self.room
        with sheet("menu", text("menu"), text):
            with menu_head(self.who, sounds=True):
                self._notices = Notices(self.who, room)
            with exact(text):
                yield
            with ui.element("div").classes("line"):
                self._rename = text_button(
                    text("your_name"),
                    lambda: ask_name(self.room, self.who, self.attempt),
                    "flat dense data-rename",
                    icon="edit",
                )
                self._resign = text_button(
                    text("resign"), self._ask_resign, "flat dense data-resign", icon="flag"
                )
                ui.link(text("replay"), f"/replay/room/{room.id}").classes("soft")
                ui.link(text("download"), f"/share/room/{room.id}.jsonl").classes("soft")
            with folded(text("how_to")):
                ui.label(how_to(room.made, text, pointing)).classes("soft").style(
                    "white-space: pre-line"
                )
            self._watchers = ui.element("div").classes("panel")
        with sheet("log", text("log"), text):
            self._moves = (
                ui.element("div")
                .classes("moves")
                .props(f'data-empty="{text("log_empty")}"')
                .props(f'tabindex="0" role="group" aria-label="{text("log")}"')
            )
            self._chat = Chatting(self.site, self.who, room, self._page.colour)
        with self._invited:
            self._invitations = Invitations(self.site, self.who, room)
        with self._watchers:
            self._invitations.for_watchers()
        ui.context.client.on_delete(room.subscribe(self._changed, self.who.holder))
        self._root = ui.context.client
        if room.clocks is not None:
            ui.timer(_TICK, self._tick)
        self.refresh(None)

    async def attempt(self, action: Awaitable[Any]) -> bool:
        """Waits for an action of the visitor in the room and shows a refusal. Returns whether it
        was done.
        """
        try:
            await action
        except ShutokoError as error:
            if not self._root.is_deleted:
                self.trouble.set_text(refused(self.text.language, error))
            return False
        if not self._root.is_deleted:
            self.trouble.set_text("")
        return True

    def refresh(self, change: Change | None) -> None:
        """Shows the room as it is now."""
        if change in ("names", "close"):
            self._tell_anew()
        if (change in ("ply", "undo", "end") or self.room.busy) and self.hints.found:
            self.hints.show(())
            self._page.hinted((), None)
        if not self._page.holding:
            self.say(self.state())
        self._page.show(change)
        self._show_seats()
        if self.room.trouble:
            self.trouble.set_text(trouble(self.text.language, self.room.trouble))
        elif change == "ply":
            self.trouble.set_text("")
        mine, goes_on = set(self.mine), not self.room.over
        self._undo.set_visibility(bool(self.room.seats.friendly and mine) and goes_on)
        self._resign.set_visibility(bool(mine - set(self.room.seats.leaving)) and goes_on)
        self._undo.set_enabled(bool(self.room.steps or self.room.tried) and not self.room.busy)
        self.root.classes(
            add="mine" if self.my_turn and not self.room.over else "",
            remove="" if self.my_turn and not self.room.over else "mine",
        )
        self._keep_turn()
        self._show_moves()
        self._invitations.show()
        self._chat.show()
        self.ask(change)
        self._notices.show(my_turn=self.my_turn and not self.room.over)
        if self._is_advised:
            self.hint.set_visibility(self.my_turn and not self.room.over)
            self.hint.set_enabled(self.room.tried is None)
        if self.lessons is not None:
            own = sum(step.entry.by in self.mine for step in self.room.steps[: self.shown])
            self.lessons.show(own, my_turn=self.my_turn, over=self.room.over)
        self.result.show(over=self.room.over and not self.filming)

    def ask(self, change: Change | None = None) -> None:
        """Shows what others ask, once the hand is empty."""
        self._questions.show(change, waits=self._page.holding)

    def _changed(self, change: Change) -> None:
        with self._root:
            if change == "stops":
                tell(self.text("server_stops"), "info")
                return
            if change == "ply":
                self.ask()
                self._films.append((len(self.room.steps) - 1, self.room.film))
                if not self.filming:
                    self._go_on()
                return
            if change == "try" and (seconds := self._page.play_tried()) > 0:
                self._playing = _TRY
                self._film = ui.timer(seconds, self._try_over, once=True)
                self.refresh("busy")
                return
            if change == "undo":
                self._films.clear()
                self._stop_film()
                self.shown = len(self.room.steps)
            self.refresh(change)

    def _go_on(self) -> None:
        """Shows the films that wait, one after the other, and tells of the plies when they are
        over.
        """
        while self._films:
            n, film = self._films.popleft()
            seconds = self._page.play(n, film)
            if seconds > 0:
                self._playing = n
                self._film = ui.timer(seconds, partial(self._film_over, n), once=True)
                self.refresh("busy")
                return
            self.shown = n + 1
            self._page.told(n)
        self.refresh("ply")

    def _film_over(self, n: int) -> None:
        """Tells of a ply; the verdict on the visitor's own one stands for a moment."""
        self._stop_film()
        self.shown = n + 1
        self._show_moves()
        self._show_seats()
        self._page.told(n)
        if self.room.steps[n].entry.by in self.mine and len(self.mine) < len(self.room.names):
            self._film = ui.timer(_VERDICT, self._verdict_over, once=True)
            self.say(self._page.headline(n))
            return
        self._go_on()

    def _try_over(self) -> None:
        self._stop_film()
        self.refresh("try")
        if self._films:  # what somebody did while it ran
            self._go_on()

    def _verdict_over(self) -> None:
        self._stop_film()
        self._go_on()

    def _stop_film(self) -> None:
        self._playing = None
        if self._film is not None:
            self._film.cancel()
            self._film = None

    def skip(self) -> int | None:
        """Ends the film that runs, or the verdict that stands, for those who have seen enough;
        returns the ply whose film was cut.
        """
        n = self._playing
        if n is None:
            self._verdict_over()
        elif n == _TRY:
            self._try_over()
            return None
        else:
            self._film_over(n)
        return n

    def did(self, deed: str) -> None:
        """The visitor has done something for which a lesson may have asked."""
        if self.lessons is not None:
            self.lessons.did(deed)

    # --- parts ------------------------------------------------------------------------------------

    def _keep_turn(self) -> None:
        """Has the browser keep which turn of the visitor's is being made: a server that is killed
        forgets it.
        """
        room, turn = self.room, f"{self.room.id} {self.room.record.next_ply}"
        making = (room.busy or room.tried is not None) and room.to_move in self.mine
        kept, now = turn if making else "", "" if making or self._making is not None else turn
        if kept != self._making:
            self._making = kept
            _ = ui.run_javascript(f"shutokoRoom.making({kept!r}, {now!r})")

    def state(self) -> str:
        """What is said where the page has nothing else to say: what happened, and whose turn it
        is.
        """
        text, room = self.text, self.room
        last = ""
        if self.filming and self._playing is None:
            return self._page.headline(self.shown - 1)  # while the verdict stands
        if room.busy or self.filming:
            by = self._builder
            if by is None or by in self.mine:
                return text("busy")
            return text("builds", name=room.names[by])
        if room.over:
            return won_by(room, text)
        if room.steps and not (self._page.has_verdict and room.steps[-1].entry.by in self.mine):
            said = self._page.headline(len(room.steps) - 1)
            last = f"{said}. " if said else ""
        if room.wishes:
            return f"{last}{wish_of(room, text)}"
        assert room.to_move is not None
        name = room.names[room.to_move]
        if room.tried is not None and room.to_move not in self.mine:
            return str(text("other_tried", name=name))
        if room.to_move in self.mine:
            return last + (self._page.asks() if len(self.mine) == 1 else text("turn_of", name=name))
        return last + text("thinks" if room.computers[room.to_move] else "turn_of", name=name)

    @property
    def _builder(self) -> int | None:
        """The seat whose ply is shown as a film, or else is being made."""
        n = self._playing
        return self.room.to_move if n in (None, _TRY) else self.room.steps[n].entry.by

    def _show_seats(self) -> None:
        """Shows each seat with its colour, what it has left, and its clock."""
        for seat, row in enumerate(self._rows):
            turn = seat == self.room.to_move and not self.filming
            colour = self._page.colour(seat)
            row.show(self._page.plate(seat, self.shown), self.text, turn=turn)
            row.chip.style(f"background: {colour}")
            row.box.style(f"--seat: {colour}")
            row.name.set_text(self.room.names[seat])
            row.notes.set_text(self._note(seat))
            row.box.classes(remove="here away", add="here" if seat in self.room.here else "away")
            row.clock.set_visibility(self.room.clocks is not None)
        self._rename.set_visibility(len(self.mine) == 1)
        self._tick()

    def _note(self, seat: int) -> str:
        """What is said of a seat beside its name."""
        if seat in self.mine:
            return self.text("you")
        if seat in self.room.stand_ins:
            return self.text("player_gone", spec=self.room.seats.computers[seat])
        if not self.room.seats.taken()[seat]:
            return self.text("seat_free")
        return "" if seat in self.room.here else self.text("away")

    def _tick(self) -> None:
        for row, left in zip(self._rows, self.room.clocks or (), strict=False):
            row.clock.set_text(_clock(left))

    def _show_moves(self) -> None:
        count = self.shown
        if self._told > count:
            self._tell_anew()
        with self._moves:
            if self._told < 0:
                self._told = 0
                if not count:
                    return
            for n in range(self._told, count):
                self._one_move(n)
        if count > self._told:
            self._told = count
            _ = self._moves.run_method("scrollTo", {"top": 10**6})

    def _tell_anew(self) -> None:
        self._moves.clear()
        self._told = -1

    def _one_move(self, n: int) -> None:
        entry, (first, *rest) = self.room.steps[n].entry, self._page.lines(n) or ("",)
        with ui.element("div").classes("ply"):
            ui.label(f"{entry.ply}. {first}")
            if rest:
                with folded(self.text("why")):
                    for line in rest:
                        ui.label(line).classes("why")

    # --- actions ----------------------------------------------------------------------------------

    async def _take_back(self) -> None:
        await self.attempt(self.room.undo(self.who.holder))

    async def _resigned(self) -> None:
        if not await self.room.resign(self.who.holder):
            tell(self.text("resign_later"), "info")

    def _ask_resign(self) -> None:
        with (
            ui.dialog().props(f'aria-label="{self.text("resign")}"') as dialog,
            ui.card().classes("card"),
        ):
            ui.label(self.text("resign_sure"))
            with ui.element("div").classes("line"):

                async def sure() -> None:
                    dialog.value = False
                    await self.attempt(self._resigned())

                text_button(self.text("resign"), sure, "unelevated data-sure")
                text_button(self.text("cancel"), dialog.close, "flat")
        dialog.value = True

    async def _hint(self, *, of_lesson: bool = False) -> None:
        """Names good moves, those of the lesson only if that is asked for."""
        if not self.my_turn:
            tell(self.text("hint_later"), "info")
            return
        ply, quick = self.room.record.next_ply, quick_adviser(self.room.made)
        at = self.lessons.at if of_lesson and self.lessons else None
        spec = str(adviser(self.room.made, hand=skill_of(self.room.hand(self.mine[0]))))
        self.hints.show(())

        def asked_for() -> bool:
            """Whether the turn and the lesson go on; nothing has been made meanwhile."""
            goes_on = self.room.record.next_ply == ply and self.room.tried is None
            return goes_on and not self.room.busy and at in (None, self.lessons and self.lessons.at)

        def show(found: Sequence[Rated]) -> None:
            """Shows moves; better ones take the places of others, but those that stay keep their
            numbers, and the picked one stays.
            """
            if asked_for() and not self._root.is_deleted:
                with self._root:
                    fit = found if at is None else self._page.sifted(found)
                    self.hints.better(fit[:_HINTS])
                    self._page.hinted(self.hints.found, self.hints.picked)

        most = _HINTS if at is None else _SIFTED
        with refusals(self.text):
            with loading(self.hint):
                show(await while_there(self.room.advice(spec, most, self.who.counted, quick, show)))
            if not self.hints.found and asked_for():
                tell(self.text("hint_none"), "info")


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02d}"
