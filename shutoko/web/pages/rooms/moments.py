"""What decided a game, on its result and its replay: three moments at most, each with a better move; worked out when asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from rules import defaults
from rules.errors import ShutokoError
from rules.game import Game
from rules.moments import Moment, has_reviewer
from rules.record import Record, dumps
from shutoko.web.pages.frame import Visitor, tell
from shutoko.web.pages.rooms.presence import loading, while_there
from shutoko.web.referee import refused
from shutoko.web.site import Site
from shutoko.web.views.boards import told_move
from shutoko.web.views.table import told_placement
from shutoko.web.work.jobs import decided
from shutoko.web.work.kinds import MOMENTS
from sim.languages import Sentence

__all__ = ["Moments"]

_FEW = 4  # plies: shorter games are not decided by one


class Moments:
    """Create it where it belongs on the page. `record` is asked when somebody presses the button; `on_pick` is called with the
    place of a step, counted from 0, if somebody wants to see it.
    """

    def __init__(
        self, site: Site, who: Visitor, made: Game[Any], record: Callable[[], Record], on_pick: Callable[[Moment], None]
    ) -> None:
        self._site, self._who, self._made, self._record, self._on_pick = site, who, made, record, on_pick
        text = who.text
        if not has_reviewer(site.players(made.name)) or len(record().entries) < _FEW:
            return
        self.ask = ui.button(text("moments_ask"), icon="insights", on_click=self._ask).props("flat no-caps dense data-moments")
        self.said = ui.label().classes("soft").props('role="status" data-looked')
        self.list = ui.element("div").classes("advices").props(f'role="group" aria-label="{text("moments")}"')

    async def _ask(self) -> None:
        record, text = self._record(), self._who.text
        count = len(record.entries)

        def looked(done: int) -> None:
            if not self.said.is_deleted:
                self.said.set_text(text("moments_at", done=done, plies=count))

        try:
            with loading(self.ask):
                work = self._site.workers.run(decided, dumps(record), kind=MOMENTS, who=self._who.counted, heard=looked)
                found = await while_there(work)
        except ShutokoError as error:
            tell(refused(text.language, error))
            found = None
        if self.said.is_deleted:
            return
        self.said.set_text("" if found or found is None else text("moments_none"))
        self.ask.set_visibility(found is None)
        with self.list:
            for one in found or ():
                self._row(one, record.header.players[one.by])

    def _row(self, one: Moment, who: str) -> None:
        told = Sentence(f"moment-{one.kind}", self._values(one, who)).told(self._who.text.language)
        row = ui.element("button").classes("advice").on("click", lambda: self._on_pick(one))
        row.props(f'type="button" data-moment="{one.ply}"')
        with row:
            ui.label(told).classes("told")

    def _values(self, one: Moment, who: str) -> dict[str, Any]:
        on_table = defaults.table(self._made, self._made.start()) is not None
        words = told_placement if on_table else told_move
        played, better = (words(move, self._who.text) for move in (one.played, one.better))
        chances = {"had": f"{one.had:.0%}", "kept": f"{one.kept:.0%}"}
        return {"ply": one.ply, "who": who, "played": played, "better": better, **chances}
