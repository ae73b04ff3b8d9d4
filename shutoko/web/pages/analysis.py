"""The analysis on the page of a replay: who is better off in the position that is shown, and its best moves with their values.

A worker thinks about one position at a time. If the visitor goes on meanwhile, the position shown last is next. Results are
kept while the page is open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from rules.defaults import side_of
from rules.errors import ShutokoError
from rules.game import Game
from shutoko.web.pages.frame import Visitor, tell
from shutoko.web.pages.rooms.advice import AdviceList
from shutoko.web.pages.rooms.presence import while_there
from shutoko.web.referee import refused
from shutoko.web.site import Site
from shutoko.web.views.choosing import Select
from shutoko.web.work.advisers import Rated, advised, adviser, goes_by_the_clock, question
from shutoko.web.work.kinds import HINT

__all__ = ["Analysis"]

_MOST = 5  # moves
_SECONDS = {1.0: "1 s", 5.0: "5 s", 20.0: "20 s"}


class Analysis:
    """`told` gives the words for a move's text. `on_show` is called with the moves to be marked, best first, and the place
    of the picked one among them.
    """

    def __init__(
        self,
        site: Site,
        who: Visitor,
        made: Game[Any],
        players: Sequence[str],
        told: Callable[[str], str],
        on_show: Callable[[Sequence[Rated], int | None], None],
    ) -> None:
        text = who.text
        self.site, self._who, self.made, self.names, self.text, self._on_show = site, who.counted, made, players, text, on_show
        self._known_players = site.players(made.name)
        self._known: dict[tuple[int, float], tuple[Rated, ...]] = {}
        self._at, self._played = -1, ""
        self._position: Any = None
        self._task: asyncio.Task[None] | None = None
        with ui.element("div").classes("line"):
            self.switch = ui.switch(text("analysis"), value="analysis" in who.query, on_change=self._again).props(
                "dense data-analysis"
            )
            self.seconds = Select(dict(_SECONDS), value=1.0, on_change=self._again)
            self.seconds.props(f'dense borderless aria-label="{text("think_time")}"')
            self.waiting = ui.spinner(size="1.2em")
        self.said = ui.label().classes("soft").props('role="status" data-chance')
        self.bar = ui.element("div").classes("chances").props('aria-hidden="true"')
        self.list = AdviceList(text, told, lambda picked: on_show(self.list.found, picked))
        self._again()

    def look(self, at: int, position: Any, played: str) -> None:
        """Looks at the position after `at` plies; `played` is the text of the move that was made in it, or empty."""
        self._at, self._position, self._played = at, position, played
        self._again()

    def _again(self) -> None:
        on, over = bool(self.switch.value), self._position is not None and self._position.outcome() is not None
        found = self._known.get(self._key, ()) if on else ()
        self.seconds.set_visibility(on and goes_by_the_clock(self._known_players))
        self.list.show(found, self._played)
        self._show_chances(found, over=over and on)
        self._on_show(found, None)
        missing = on and not over and self._position is not None and self._key not in self._known
        self.waiting.set_visibility(missing)
        if missing and (self._task is None or self._task.done() or self._task is asyncio.current_task()):
            self._task = asyncio.get_running_loop().create_task(self._think())

    @property
    def _key(self) -> tuple[int, float]:
        return (self._at, float(self.seconds.value))

    async def _think(self) -> None:
        spec = adviser(self._known_players, float(self.seconds.value))
        key, asked = self._key, question(self.made, self._position)
        with self.switch.client:
            try:
                self._known[key] = await while_there(
                    self.site.workers.run(advised, spec, asked, (0, key[0]), _MOST, kind=HINT, who=self._who)
                )
            except ShutokoError as error:
                self._known[key] = ()
                tell(refused(self.text.language, error))
            if not self.switch.is_deleted:
                self._again()

    def _show_chances(self, found: Sequence[Rated], *, over: bool) -> None:
        """Shows the chance of each of two players to win, as far as the computer player says it."""
        names = self.names
        chances: tuple[float, ...] = ()
        said = ""
        if over and self._position is not None:
            winners = self._position.outcome().winners
            chances = tuple(float(seat in winners) if winners else 0.5 for seat in range(len(names)))
            said = self.text("analysis_over")
        elif found and found[0].chance is not None and len(names) == 2 and self._position is not None:
            mover = int(self._position.to_move)
            chances = tuple(found[0].chance if seat == mover else 1.0 - found[0].chance for seat in range(2))
        elif found and self._position is not None:
            said = self.text("turn_of", name=names[self._position.to_move])
        shown = " - ".join(f"{name} {chance:.0%}" for name, chance in zip(names, chances, strict=True)) if chances else ""
        self.said.set_text(" ".join(part for part in (said, shown) if part))
        self.said.set_visibility(bool(said or shown))
        self.bar.set_visibility(len(chances) == 2)
        self.bar.clear()
        if len(chances) == 2:
            with self.bar:
                for seat, chance in enumerate(chances):
                    ui.element("span").classes(f"side{side_of(self._position, seat)}").style(f"width: {chance:.1%}")
