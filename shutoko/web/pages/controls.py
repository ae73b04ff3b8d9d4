"""What somebody presses or chooses from on every page: buttons, lists, rows of buttons, and parts
that unfold.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments


def text_button(
    said: str, deed: Callable[..., Any] | None, look: str, *, icon: str | None = None
) -> ui.button:
    """A button with words on it, which calls `deed`; `look` are its properties."""
    return ui.button(said, icon=icon, on_click=deed).props(f"no-caps {look}")


def main_button(said: str, deed: Callable[..., Any], look: str = "") -> ui.button:
    """The large button of a page whose picture fills the window: it does what is asked for."""
    return text_button(said, deed, f'unelevated data-part="act" {look}').classes("act")


def icon_button(
    icon: str, called: str, deed: Callable[..., Any] | None, look: str = "flat round dense"
) -> ui.button:
    """A button with a drawing on it, which calls `deed`; screen readers hear what it is `called`.
    `look` are its properties.
    """
    return ui.button(icon=icon, on_click=deed).props(f'aria-label="{escape(called)}" {look}')


@contextmanager
def loading(button: ui.button) -> Iterator[None]:
    """Shows on a button that something is being done, until it is done or the page has gone."""
    button.props("loading")
    try:
        yield
    finally:
        if not button.client.is_deleted:
            button.props(remove="loading")


@contextmanager
def folded(title: str, classes: str = "", props: str = "") -> Iterator[None]:
    """A part that unfolds when its title is pressed; what is made inside is in it."""
    with ui.element("details").classes(classes).props(props):
        with ui.element("summary"):
            ui.label(title)
        yield


@contextmanager
def card(title: str, about: str, props: str = "", cover: str = "") -> Iterator[None]:
    """A card with a picture if there is a `cover`, a heading, and what it is about; what is made
    inside stands at its lower edge.
    """
    with ui.element("section").classes("card").props(props):
        if cover:
            ui.element("img").classes("cover").props(
                f'src="{cover}" alt="" width="480" height="300"'
            )
        ui.html(f"<h2>{escape(title)}</h2>", sanitize=False)
        ui.label(about).classes("soft")
        ui.element("div").classes("grow")
        yield


class Select(ui.select):
    """A list to choose one entry from. A page that sends no entry leaves the choice as it was."""

    def _event_args_to_value(self, e: GenericEventArguments) -> Any:
        value = super()._event_args_to_value(e)
        return self.value if value is None else value


class Toggle(ui.toggle):
    """A row of buttons of which one is pressed. A page that sends no button leaves the choice as it
    was.
    """

    def _event_args_to_value(self, e: GenericEventArguments) -> Any:
        value = super()._event_args_to_value(e)
        return self.value if value is None else value
