"""The list of the best moves of a position on a page: number, move, what it is worth, why; one of them can be picked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from shutoko.web.work.advisers import Rated

__all__ = ["AdviceList"]


class AdviceList:
    """Create it where it belongs on the page; it is hidden while it is empty.

    `told` gives the words for a move's text. `pick` is called with the place in the list of a move that was clicked, or None if
    that move was picked before.
    """

    def __init__(self, text: Any, told: Callable[[str], str], pick: Callable[[int | None], None]) -> None:
        self.text, self._told, self._pick = text, told, pick
        self.found: tuple[Rated, ...] = ()
        self.picked: int | None = None
        self._box = ui.element("div").classes("advices").props(f'role="group" aria-label="{text("best_moves")}"')
        self._box.set_visibility(False)

    def show(self, found: Sequence[Rated], played: str = "") -> None:
        """Shows moves, best first, with none picked; `played` is the move that was played."""
        self.found, self.picked, self._played = tuple(found), None, played
        self._draw()

    def choose(self, picked: int | None) -> None:
        """Marks a move as picked without calling `pick`."""
        self.picked = picked
        self._draw()

    def _draw(self) -> None:
        self._box.set_visibility(bool(self.found))
        self._box.clear()
        with self._box:
            for n, one in enumerate(self.found):
                self._row(n, one)

    def _row(self, n: int, one: Rated) -> None:
        pressed = n == self.picked
        row = ui.element("button").classes("advice" + " picked" * pressed).on("click", lambda: self.pick(n))
        row.props(f'type="button" data-advice="{n + 1}" aria-pressed="{str(pressed).lower()}"')
        with row:
            ui.label(str(n + 1)).classes("rank")
            with ui.element("span").classes("told"):
                ui.label(self._told(one.move))
                if one.move == self._played:
                    ui.label(self.text("was_played")).classes("soft")
                why = "; ".join(str(self.text(key, **values)) for key, values in one.reasons) or one.why
                if why:
                    ui.label(why).classes("soft")
            if one.chance is not None:
                with ui.element("span").classes("gauge").props('aria-hidden="true"'):
                    ui.element("span").style(f"width: {one.chance:.1%}")
            ui.label(self._worth(one)).classes("worth")

    def _worth(self, one: Rated) -> str:
        if one.proven and one.chance is not None:
            return str(self.text("sure_win" if one.chance > 0.5 else "sure_loss" if one.chance < 0.5 else "sure_draw"))
        if one.chance is not None:
            return f"{one.chance:.0%}"
        if one.cars is None:
            return ""
        return str(self.text("worth_cars", n=one.cars))

    def pick(self, n: int) -> None:
        """Picks a move as a click does, in place of the one before."""
        if 0 <= n < len(self.found):
            self.choose(None if n == self.picked else n)
            self._pick(self.picked)
