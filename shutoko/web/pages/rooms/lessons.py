"""The guide of a first game: a lesson for each of the first turns, told beside the table or the board."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count, takewhile
from typing import Any

from nicegui import ui

__all__ = ["Lessons", "lessons_of"]


def lessons_of(game: str, text: Any) -> tuple[str, ...]:
    """The lessons of a game as the catalogues have them (`lesson_GAME_1`, ...); none for a game that nobody wrote them for."""
    told = ((key, str(text(key))) for key in (f"lesson_{game}_{n}" for n in count(1)))
    return tuple(said for _, said in takewhile(lambda pair: pair[0] != pair[1], told))


class Lessons:
    """Create it where it belongs on the page. `show_me` is called when the visitor would like to see a good move."""

    def __init__(self, game: str, text: Any, show_me: Callable[[], Awaitable[None]]) -> None:
        self._text, self._lessons, self._left = text, lessons_of(game, text), False
        with ui.element("section").classes("card lesson").props("data-lesson") as self._box:
            self._title = ui.label().classes("soft")
            self._said = ui.label().props('role="status" aria-live="polite"')
            with ui.element("div").classes("line"):
                self._show_me = ui.button(text("show_me"), icon="lightbulb", on_click=show_me).props("outline no-caps dense")
                self._skip = ui.button(text("lesson_skip"), on_click=self._leave).props("flat no-caps dense data-skip")

    def show(self, turns: int, *, my_turn: bool, over: bool) -> None:
        """Shows the lesson after so many own turns; the last one stays for a turn, then the guide is over, as with the game."""
        number = min(turns, len(self._lessons) - 1)
        self._box.set_visibility(not self._left and not over and turns <= len(self._lessons))
        self._title.set_text(self._text("lesson_n", n=number + 1, of=len(self._lessons)))
        self._said.set_text(self._lessons[number] if turns < len(self._lessons) else self._text("lesson_end"))
        self._show_me.set_visibility(my_turn and turns < len(self._lessons))

    def _leave(self) -> None:
        self._left = True
        self._box.set_visibility(False)
