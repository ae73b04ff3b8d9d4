"""The guide of a first game: cards that ask for one deed each, and leave when it is done."""

from collections.abc import Awaitable, Callable, Sequence
from itertools import count, takewhile
from typing import Any

from nicegui import ui

from shutoko.web.pages.controls import text_button
from shutoko.web.work import (
    Rated,
)
from sim.referee import Build, Table

PLY = "ply"
"""The deed of whoever has made a ply; a lesson that names no other is over with it."""

HEIGHT = "height"
"""The deed of whoever has made a pillar higher or lower, or has tried."""

TABLE_DEEDS = ("aim", "hold", PLY, HEIGHT, "earn", "fall", "other")
"""What ends the lessons at a table."""

TABLE_SHOWN = frozenset((4, 5, 7))
"""The lessons at a table for which there are moves to show."""


def lessons_of(game: str, text: Any) -> tuple[str, ...]:
    """The lessons of a game as the catalogues have them (`lesson_GAME_1`, ...); none for a game
    that nobody wrote them for.
    """
    told = ((key, str(text(key))) for key in (f"lesson_{game}_{n}" for n in count(1)))
    return tuple(said for _, said in takewhile(lambda pair: pair[0] != pair[1], told))


class Lessons:
    """Create it where it belongs on the page. `show_me` is called when the visitor would like to
    see a move of the lesson. `deeds` are those that end the lessons, in their order; `shows` are
    the numbers of the lessons for which there are moves to show, all of them if None.
    """

    def __init__(
        self,
        game: str,
        text: Any,
        show_me: Callable[[], Awaitable[None]],
        deeds: Sequence[str] = (),
        shows: frozenset[int] | None = None,
    ) -> None:
        self._text, self._lessons, self._left = text, lessons_of(game, text), False
        self._deeds = tuple(deeds) or (PLY,) * len(self._lessons)
        self._shows = shows
        self._at = 0
        self._plies = -1  # own plies when the page last told
        self._my_turn = self._over = False
        with ui.element("section").classes("card lesson").props("data-lesson") as self._box:
            self._title = ui.label().classes("soft")
            self._said = ui.label().props('role="status" aria-live="polite"')
            with ui.element("div").classes("line"):
                self._show_me = text_button(
                    text("show_me"), show_me, "outline dense data-show-me", icon="lightbulb"
                )
                self._next = text_button(text("lesson_next"), self._go_on, "flat dense data-next")
                self._skip = text_button(text("lesson_skip"), self._leave, "flat dense data-skip")

    @property
    def at(self) -> int | None:
        """The number of the lesson that is shown, counted from 1; None when the guide is over."""
        return None if self._left or self._at >= len(self._lessons) else self._at + 1

    def did(self, deed: str) -> None:
        """The visitor has done something: the lesson that asks for it is over. A ply ends all
        lessons up to the first one that asks for a ply.
        """
        if self.at is None:
            return
        asked = self._deeds[self._at]
        if deed == asked or (deed == PLY and asked == HEIGHT):
            self._at += 1
        elif deed == PLY and PLY in self._deeds[self._at :]:
            self._at = self._deeds.index(PLY, self._at) + 1
        self._draw()

    def show(self, turns: int, *, my_turn: bool, over: bool) -> None:
        """Shows the card once the page tells of so many own turns; after the last lesson a word of
        farewell stays for a turn.
        """
        self._my_turn, self._over = my_turn, over
        if self._plies < 0:
            self._at = _at_turn(self._deeds, turns)
        elif turns > self._plies:
            if self.at is None:
                self._left = True
            self.did(PLY)
        self._plies = turns
        self._draw()

    def _draw(self) -> None:
        n = self._at + 1
        done = self._at >= len(self._lessons)
        self._box.set_visibility(not self._left and not self._over)
        self._box.props(f'data-n="{n}"')
        self._title.set_text(
            self._text("lesson_n", n=min(n, len(self._lessons)), of=len(self._lessons))
        )
        self._said.set_text(self._text("lesson_end") if done else self._lessons[self._at])
        shows = self._shows is None or n in self._shows
        self._show_me.set_visibility(self._my_turn and not done and shows)
        self._next.set_visibility(not done)

    def _go_on(self) -> None:
        self._at += 1
        self._draw()

    def _leave(self) -> None:
        self._left = True
        self._box.set_visibility(False)


def _at_turn(deeds: Sequence[str], turns: int) -> int:
    """The lesson of whoever comes back after so many own turns: those that asked for a ply are
    over.
    """
    plies = [n for n, deed in enumerate(deeds) if deed == PLY]
    if not turns:
        return 0
    return len(deeds) if turns > len(plies) > 1 else plies[min(turns, len(plies)) - 1] + 1


def sifted(lessons: Lessons | None, found: Sequence[Rated], table: Table) -> Sequence[Rated]:
    """Those of some moves at a table that the lesson is about; all without a lesson."""
    at = None if lessons is None else lessons.at
    deed = None if at is None else TABLE_DEEDS[at - 1]
    if deed == "earn":
        return [one for one in found if one.cars]
    if deed not in (HEIGHT, "other"):
        return found
    plain = [
        one
        for one in found
        if isinstance(placement := table.parse(one.move), Build) and not placement.junction
    ]
    return plain if deed == HEIGHT else [one for one in found if one not in plain]
