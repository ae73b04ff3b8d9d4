"""What floats over the table or the board of every page whose picture fills the window: the plate
of each player, the one sentence that is true now, round buttons, sheets and the head of the menu.
"""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from html import escape
from typing import Any, NamedTuple

from nicegui import ui

from shutoko.web.pages.controls import folded, icon_button
from shutoko.web.pages.frame import Visitor, tools
from shutoko.web.views import (
    Plate,
)


class PlateBox(NamedTuple):
    """The elements of the plate of a seat."""

    box: Any
    chip: Any
    name: Any
    notes: Any
    stock: Any
    clock: Any

    def show(self, left: Plate | None, text: Any, *, turn: bool) -> None:
        """Shows what the seat has left, if it has a stock, and whether it is to move."""
        self.box.classes(add="turn" if turn else "", remove="" if turn else "turn")
        if left is not None:
            self.box.props(f'data-cars-left="{left.cars}"')
            self.stock.set_content(left.drawn(text))


def plates(text: Any, sides: Iterable[tuple[str, str]]) -> list[PlateBox]:
    """The plates of the seats, given the name and the CSS colour of each."""
    called = escape(text("players"))
    with ui.element("div").classes("plates").props(f'role="group" aria-label="{called}"'):
        return [_plate(seat, name, colour) for seat, (name, colour) in enumerate(sides)]


def _plate(seat: int, name: str, colour: str) -> PlateBox:
    """The plate of a seat; a tap shows its full stock."""
    with (
        ui.element("div")
        .classes("seat plate")
        .props(f'data-part="plate" data-seat="{seat}"')
        .style(f"--seat: {colour}")
        .on("click", js_handler="(e) => e.currentTarget.classList.toggle('full')")
    ) as box:
        with ui.element("div").classes("line"):
            chip = ui.element("span").classes("chip").style(f"background: {colour}")
            named = ui.label(name).classes("named")
            notes = ui.label().classes("soft")
            clock = ui.label().classes("clock")
        stock = ui.html("", sanitize=False).classes("left")
    return PlateBox(box, chip, named, notes, stock, clock)


class Saying:
    """Create it where the sentence belongs on the page. `task` is what is asked for as long as the
    page is there, if that is one thing; it stands above the sentence.
    """

    def __init__(self, task: str = "") -> None:
        self.badge = ui.element("div").classes("sentence").props("data-badge")
        with self.badge:
            self._task = ui.label(task).classes("task").props("data-task")
            self._task.set_visibility(bool(task))
            self.status = (
                ui.label()
                .classes("status")
                .props('role="status" aria-live="polite" data-part="sentence" data-said')
                .on("click", js_handler="() => shutokoRoom.why()")
            )
            self._reasons = ui.label().classes("reasons").props("data-why")
        self.trouble = ui.label().classes("trouble").props('role="alert"')

    def say(self, said: str, why: str = "", mood: str = "") -> None:
        """Says the one sentence that is true now; a click on it unfolds why. `mood` is good,
        doubtful or bad, with `judged` beside it for an answer that was judged.
        """
        self.badge.classes(remove="good doubtful bad judged why").classes(
            add=f"{mood} {'why' if why else ''}".strip()
        )
        self.badge.set_visibility(bool(said))
        self.status.set_text(said)
        self._reasons.set_text(why)

    def ask(self, task: str) -> None:
        """Changes what is asked for."""
        self._task.set_text(task)
        self._task.set_visibility(bool(task))


def top() -> Any:
    """The place of the sentence, at the upper edge of the window."""
    return ui.element("div").classes("top").props("data-edge=top")


def menu_head(who: Visitor, *, sounds: bool) -> Any:
    """The first line of a menu: the way to the lobby, language, sounds, light or dark; returns the
    line.
    """
    with ui.element("div").classes("line") as line:
        with ui.element("a").classes("brand").props('href="/"'):
            ui.element("img").props('src="/static/favicon.svg" alt=""')
            ui.label("Shutoko")
        ui.element("div").classes("grow")
        tools(who, sounds=sounds)
    return line


def exact(text: Any) -> AbstractContextManager[None]:
    """*Exact*, the part of a menu for those who type; what is made inside is in it."""
    return folded(text("exact"), "exact", 'data-part="exact"')


def round_button(icon: str, called: str, part: str, on_click: Any) -> ui.button:
    """A round button that floats over the table."""
    look = f'round flat data-part="{part}" data-{part}'
    return icon_button(icon, called, on_click, look).classes("float")


def opener(sheet: str, icon: str, called: str) -> ui.button:
    """A round button that opens a sheet, and closes it again."""
    return (
        round_button(icon, called, sheet, None)
        .props(f'aria-expanded="false" aria-controls="sheet-{sheet}"')
        .on("click", js_handler=f"() => shutokoRoom.sheet({sheet!r})")
    )


@contextmanager
def sheet(name: str, called: str, text: Any) -> Iterator[None]:
    """A sheet at the edge of the window; what is made inside is on it."""
    props = f'id="sheet-{name}" data-sheet="{name}" aria-label="{escape(called)}"'
    with ui.element("section").classes(f"sheet {name}").props(props):
        with ui.element("div").classes("line").style("flex-wrap: nowrap"):
            ui.html(f"<h2>{escape(called)}</h2>", sanitize=False).classes("grow")
            icon_button("close", text("close"), None).on(
                "click", js_handler=f"() => shutokoRoom.sheet({name!r}, false)"
            )
        yield


def heading(title: str, text: Any) -> None:
    """The title for screen readers, and the button of the menu."""
    ui.html(f"<h1>{escape(title)}</h1>", sanitize=False).classes("vh")
    opener("menu", "menu", text("menu")).classes("menu-button")
