"""The panel beside the board of any game: seats with clocks, what happened, invitations, taking
back, resigning.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from nicegui import ui

from rules.arena.players import advisers
from rules.errors import ShutokoError
from shutoko.web.pages.analysis import AdviceList
from shutoko.web.pages.frame import Visitor, loading, tell, while_there
from shutoko.web.pages.rooms.friends import Chatting, Invitations, Notices, Questions, ask_name
from shutoko.web.pages.rooms.result import Result, won_by
from shutoko.web.rooms.room import Change, Room
from shutoko.web.site import Site
from shutoko.web.views.telling import refused, trouble
from shutoko.web.work.by_hand import skill_of
from shutoko.web.work.players import Rated, adviser, quick_adviser

if TYPE_CHECKING:
    from shutoko.export.packed import Film

_TICK = 0.5  # seconds between two looks at the clocks
_HINTS = 3  # moves


class _Row(NamedTuple):
    """The elements that show a seat."""

    box: Any
    chip: Any
    name: Any
    notes: Any
    rename: Any
    clock: Any


class RoomPanel:
    """The side of a room's page. `colour(seat)` is the CSS colour of a seat now; `lines(n)` the
    texts of ply n.

    `show` draws the page's own part; the panel calls it with each change of the room. `play` shows
    the film of a ply by its number and returns the seconds that it takes; what is said of the ply,
    and whose turn it is, follows when the film is over. `headline` says in short what happened at a
    ply, by default its first text. `told_move` gives the words for a move's text. `on_hints` is
    called with the moves of a hint, best first (none when they are out of date), and the place of
    the picked one.
    """

    def __init__(
        self,
        site: Site,
        who: Visitor,
        room: Room,
        colour: Callable[[int], str],
        lines: Callable[[int], Sequence[str]],
        show: Callable[[Change | None], None],
    ) -> None:
        self.site, self.who, self.room, self.text = site, who, room, who.text
        self._colour, self._lines, self._show = colour, lines, show
        self.shown = len(room.steps)  # plies of which the page tells
        self._films: deque[tuple[int, Film | None]] = deque()
        self._film: Any = None  # the timer of the film that runs
        self._told = -1
        self._rows: list[_Row] = []
        self.lessons: Lessons | None = None
        self.play: Callable[[int, Film | None], float] = lambda _n, _film: 0.0
        self.headline: Callable[[int], str] = lambda n: next(iter(lines(n)), "")
        self.told_move: Callable[[str], str] = str
        self.on_hints: Callable[[Sequence[Rated], int | None], None] = lambda _found, _picked: None

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

    def begin(self) -> None:
        """Makes the part above the page's own controls: the seats, and the line that says what is
        going on.
        """
        self._seats = ui.element("div").classes("panel")
        self._invitations = Invitations(self.site, self.who, self.room)
        self._questions = Questions(self.who, self.room, self.attempt)
        self.status = ui.label().classes("status").props('role="status" aria-live="polite"')
        self.trouble = ui.label().classes("trouble").props('role="alert"')
        if "guide" in self.who.query and lessons_of(self.room.game, self.text):
            self.lessons = Lessons(self.room.game, self.text, self._hint)
        self.result = Result(self.site, self.who, self.room, self._colour)

    def end(self) -> None:
        """Makes the part below them, and subscribes to the room."""
        text = self.text
        with ui.element("div").classes("line"):
            self._undo = ui.button(text("undo"), icon="undo", on_click=self._take_back).props(
                "flat dense no-caps data-undo"
            )
            self._resign = ui.button(text("resign"), icon="flag", on_click=self._ask_resign).props(
                "flat dense no-caps data-resign"
            )
            self._is_advised = bool(advisers(self.room.made))
            if self._is_advised:
                self.hint = ui.button(text("hint"), icon="lightbulb", on_click=self._hint).props(
                    "flat dense no-caps data-hint"
                )
            self._notices = Notices(self.who, self.room)
        with ui.element("div").classes("line"):
            ui.link(text("replay"), f"/replay/room/{self.room.id}").classes("soft")
            ui.link(text("download"), f"/share/room/{self.room.id}.jsonl").classes("soft")
        self.hints = AdviceList(
            text, self.told_move, lambda picked: self.on_hints(self.hints.found, picked)
        )
        self._moves = (
            ui.element("div")
            .classes("moves card")
            .props(f'tabindex="0" role="group" aria-label="{text("log")}"')
        )
        self._chat = Chatting(self.site, self.who, self.room, self._colour)
        self._invitations.for_watchers()
        leave = self.room.subscribe(self._changed)
        ui.context.client.on_delete(leave)
        self._root = ui.context.client
        if self.room.clocks is not None:
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
        if change == "names":
            self._tell_anew()
        if change in ("ply", "undo") and self.hints.found:
            self.hints.show(())
            self.on_hints((), None)
        self._show(change)
        self._show_seats()
        self.status.set_text(self._state())
        if self.room.trouble:
            self.trouble.set_text(trouble(self.text.language, self.room.trouble))
        elif change == "ply":
            self.trouble.set_text("")
        self._undo.set_visibility(bool(self.room.friendly and self.mine))
        self._resign.set_visibility(bool(self.mine) and not self.room.over)
        self._resign.set_enabled(self.my_turn)
        self._undo.set_enabled(bool(self.room.steps) and not self.room.busy)
        self._show_moves()
        self._invitations.show()
        self._chat.show()
        self._questions.show(change)
        self._notices.show(my_turn=self.my_turn and not self.room.over)
        if self._is_advised:
            self.hint.set_visibility(bool(self.mine) and not self.room.over)
        if self.lessons is not None:
            own = sum(step.entry.by in self.mine for step in self.room.steps[: self.shown])
            self.lessons.show(own, my_turn=self.my_turn, over=self.room.over)
        self.result.show(over=self.room.over and not self.filming)

    def _changed(self, change: Change) -> None:
        with self._root:
            if change == "stops":
                tell(self.text("server_stops"), "info")
                return
            if change == "ply":
                self._films.append((len(self.room.steps) - 1, self.room.film))
                if not self.filming:
                    self._go_on()
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
            seconds = self.play(n, film)
            if seconds > 0:
                self._film = ui.timer(seconds, partial(self._film_over, n), once=True)
                self.refresh("busy")
                return
            self.shown = n + 1
        self.refresh("ply")

    def _film_over(self, n: int) -> None:
        self._stop_film()
        self.shown = n + 1
        self._show_moves()
        self._go_on()

    def _stop_film(self) -> None:
        if self._film is not None:
            self._film.cancel()
            self._film = None

    def skip(self) -> None:
        """Ends the films, for those who have seen enough."""
        self._films.clear()
        self._film_over(len(self.room.steps) - 1)

    # --- parts ------------------------------------------------------------------------------------

    def _state(self) -> str:
        text, room = self.text, self.room
        last = ""
        if room.busy or self.filming:
            return text("busy")
        if room.over:
            return won_by(room, text)
        if room.steps:
            said = self.headline(len(room.steps) - 1)
            last = f"{said}. " if said else ""
        if room.wishes:
            names = ", ".join(room.names[seat] for seat in sorted(room.wishes))
            return f"{last}{text('wishes_undo', name=names)}"
        assert room.to_move is not None
        name = room.names[room.to_move]
        if room.to_move in self.mine:
            return last + (text("your_turn") if len(self.mine) == 1 else text("turn_of", name=name))
        return last + text("thinks" if room.computers[room.to_move] else "turn_of", name=name)

    def _show_seats(self) -> None:
        """Shows each seat with its colour, notes and clock. The rows are made once, as a ply
        changes little of them.
        """
        if not self._rows:
            with self._seats:
                self._rows = [self._seat(name) for name in self.room.names]
        for seat, row in enumerate(self._rows):
            turn = seat == self.room.to_move
            row.box.classes(add="turn" if turn else "", remove="" if turn else "turn")
            row.chip.style(f"background: {self._colour(seat)}")
            row.name.set_text(self.room.names[seat])
            free = "" if self.room.taken[seat] else self.text("free_seat")
            row.notes.set_text(self.text("you") if seat in self.mine else free)
            row.rename.set_visibility(self.mine == (seat,))
            row.clock.set_visibility(self.room.clocks is not None)
        self._tick()

    def _seat(self, name: str) -> _Row:
        with ui.element("div").classes("seat") as box:
            chip = ui.element("span").classes("chip")
            named = ui.label(name).classes("named")
            notes = ui.label().classes("soft grow")
            rename = ui.button(
                icon="edit", on_click=lambda: ask_name(self.room, self.who, self.attempt)
            )
            rename.props(
                f'flat round dense size="sm" aria-label="{self.text("your_name")}" data-rename'
            )
            clock = ui.label().classes("clock")
        return _Row(box, chip, named, notes, rename, clock)

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
        entry, (first, *rest) = self.room.steps[n].entry, self._lines(n) or ("",)
        with ui.element("div").classes("ply"):
            ui.label(f"{entry.ply}. {first}")
            if rest:
                with ui.element("details"):
                    with ui.element("summary"):
                        ui.label(self.text("why"))
                    for line in rest:
                        ui.label(line).classes("why")

    # --- actions ----------------------------------------------------------------------------------

    async def _take_back(self) -> None:
        await self.attempt(self.room.undo(self.who.holder))

    def _ask_resign(self) -> None:
        with (
            ui.dialog().props(f'aria-label="{self.text("resign")}"') as dialog,
            ui.card().classes("card"),
        ):
            ui.label(self.text("resign_sure"))
            with ui.element("div").classes("line"):

                async def sure() -> None:
                    dialog.value = False
                    await self.attempt(self.room.resign(self.who.holder))

                ui.button(self.text("resign"), on_click=sure).props("unelevated no-caps data-sure")
                ui.button(self.text("cancel"), on_click=dialog.close).props("flat no-caps")
        dialog.value = True

    async def _hint(self) -> None:
        if not self.my_turn:
            tell(self.text("hint_later"), "info")
            return
        ply, spec = self.room.record.next_ply, str(self._adviser)
        quick = quick_adviser(self.room.made)

        def show(found: Sequence[Rated]) -> None:
            """Shows moves, better ones in place of the first; those that somebody looks at stay."""
            if (
                self.room.record.next_ply == ply
                and not self._root.is_deleted
                and self.hints.picked is None
            ):
                with self._root:
                    self.hints.show(found)
                    self.on_hints(found, None)

        try:
            with loading(self.hint):
                show(
                    await while_there(self.room.advice(spec, _HINTS, self.who.counted, quick, show))
                )
        except ShutokoError as error:
            tell(refused(self.text.language, error))

    @property
    def _adviser(self) -> str | None:
        seat = self.mine[0] if self.mine else 0
        return adviser(self.room.made, hand=skill_of(self.room.hand(seat)))


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


# --- the guide of a first game --------------------------------------------------------------------


def lessons_of(game: str, text: Any) -> tuple[str, ...]:
    """The lessons of a game as the catalogues have them (`lesson_GAME_1`, ...); none for a game
    that nobody wrote them for.
    """
    told = ((key, str(text(key))) for key in (f"lesson_{game}_{n}" for n in count(1)))
    return tuple(said for _, said in takewhile(lambda pair: pair[0] != pair[1], told))


class Lessons:
    """Create it where it belongs on the page. `show_me` is called when the visitor would like to
    see a good move.
    """

    def __init__(self, game: str, text: Any, show_me: Callable[[], Awaitable[None]]) -> None:
        self._text, self._lessons, self._left = text, lessons_of(game, text), False
        with ui.element("section").classes("card lesson").props("data-lesson") as self._box:
            self._title = ui.label().classes("soft")
            self._said = ui.label().props('role="status" aria-live="polite"')
            with ui.element("div").classes("line"):
                self._show_me = ui.button(
                    text("show_me"), icon="lightbulb", on_click=show_me
                ).props("outline no-caps dense")
                self._skip = ui.button(text("lesson_skip"), on_click=self._leave).props(
                    "flat no-caps dense data-skip"
                )

    def show(self, turns: int, *, my_turn: bool, over: bool) -> None:
        """Shows the lesson after so many own turns; the last one stays for a turn, then the guide
        is over, as with the game.
        """
        number = min(turns, len(self._lessons) - 1)
        self._box.set_visibility(not self._left and not over and turns <= len(self._lessons))
        self._title.set_text(self._text("lesson_n", n=number + 1, of=len(self._lessons)))
        self._said.set_text(
            self._lessons[number] if turns < len(self._lessons) else self._text("lesson_end")
        )
        self._show_me.set_visibility(my_turn and turns < len(self._lessons))

    def _leave(self) -> None:
        self._left = True
        self._box.set_visibility(False)
