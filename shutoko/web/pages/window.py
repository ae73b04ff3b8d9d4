"""The page of one position in which one thing is asked of one side. It fills the window as the page
of a game does, with the same plates, one sentence, one main button and round buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple

from nicegui import ui

from shutoko.web.pages.controls import loading
from shutoko.web.pages.frame import Visitor, bare_frame
from shutoko.web.pages.rooms.floats import (
    PlateBox,
    Saying,
    exact,
    heading,
    menu_head,
    plate,
    plates,
    sheet,
    top,
)
from shutoko.web.views.table import plate_of
from sim.referee.table import Table


class Side(NamedTuple):
    """A side of a position: its name and its CSS colour."""

    name: str
    colour: str


class Window:
    """Create it before the page. `sides` are those of the position by seat, `mover` the seat that
    is asked, and `on_act` is called when the main button is pressed.
    """

    def __init__(
        self,
        who: Visitor,
        title: str,
        sides: Sequence[Side],
        mover: int,
        on_act: Callable[[], Any],
    ) -> None:
        self._who, self._text, self._title = who, who.text, title
        self._sides, self._mover, self._on_act = sides, mover, on_act

    @contextmanager
    def page(self) -> Iterator[None]:
        """The whole page; the picture that is made inside fills the window."""
        with (
            bare_frame(self._who, self._title, boards=True),
            ui.element("div").classes("room mine posed") as root,
        ):
            self._root = root.props(f'data-seats="{len(self._sides)}"')
            yield

    def begin(self, task: str) -> None:
        """Makes what stands above: the button of the menu, the plates, what is asked for, and the
        sentence.
        """
        heading(self._title, self._text)
        with plates(self._text):
            self._plates: list[PlateBox] = []
            for seat, side in enumerate(self._sides):
                row = plate(seat, side.name, side.colour)
                row.notes.set_text(self._text("you") if seat == self._mover else "")
                row.show(None, self._text, turn=seat == self._mover)
                self._plates.append(row)
        with top():
            self._saying = Saying(task)
            self.ask = self._saying.ask
            with ui.element("div").classes("below"):
                self._more = ui.label().classes("verdict why").props("data-line")
                self._more.set_visibility(False)

    @contextmanager
    def deeds(self) -> Iterator[None]:
        """The main button; what is made inside stands beside it, or above it on a phone."""
        with ui.element("div").classes("deeds").props("data-edge=bottom"):
            yield
            self._act = ui.button(on_click=self._on_act).classes("act")
            self._act.props('unelevated no-caps data-part="act"')

    @contextmanager
    def rounds(self) -> Iterator[None]:
        """The round buttons, which are made inside."""
        with ui.element("div").classes("rounds").props("data-edge=right"):
            yield

    @contextmanager
    def menu(self, about: Sequence[str], *, sounds: bool) -> Iterator[None]:
        """The sheet of the menu, which ends with lines about what is asked; what is made inside is
        its part *Exact*.
        """
        text = self._text
        with sheet("menu", text("menu"), text):
            menu_head(self._who, sounds=sounds)
            with exact(text):
                yield
            for line in about:
                ui.label(line).classes("soft")
            self.links = ui.element("div").classes("line")

    def show(self, table: Table) -> None:
        """Shows on the plates what each seat has left."""
        for seat, row in enumerate(self._plates):
            row.show(plate_of(table, seat), self._text, turn=seat == self._mover)

    def say(self, said: str, why: str = "", mood: str = "", more: str = "") -> None:
        """Says the one sentence that is true now. `mood` is good or bad, with `judged` beside it
        for an answer that was judged; `more` stands below.
        """
        self._saying.say(said, why, mood)
        self._more.set_text(more)
        self._more.set_visibility(bool(more))

    def offer(self, deed: str, *, may: bool = True) -> None:
        """Says what the main button does, and whether it may be pressed; without words there is
        none.
        """
        self._act.set_text(deed)
        self._act.set_visibility(bool(deed))
        self._act.set_enabled(may)

    def waiting(self) -> AbstractContextManager[None]:
        """Shows on the main button that an answer is being judged."""
        return loading(self._act)

    def hold(self, *, holding: bool) -> None:
        """Shows that pieces are in the hand, or no longer are."""
        self._root.classes(add="holding" if holding else "", remove="" if holding else "holding")

    @property
    def is_left(self) -> bool:
        """Whether nobody looks at the page any more."""
        return bool(self._root.is_deleted)
