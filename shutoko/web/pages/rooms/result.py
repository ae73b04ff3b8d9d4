"""What is shown when a game is over: who won and why, how it went, and what to do next."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from rules import defaults
from rules.record.replay import Step
from shutoko.web.pages.controls import text_button
from shutoko.web.pages.frame import Visitor, refusals
from shutoko.web.pages.replay.analysis import Moments
from shutoko.web.rooms.room import Room
from shutoko.web.site import Site
from shutoko.web.views import (
    ended,
    graph,
    series,
    tallies,
)
from sim.game import JudgedStep
from sim.referee import Entrance

_FIGURES = ("turns", "cars", "best", "fallen", "paid")
_SHARED = ("html", "gif", "jsonl")


_CAR = 3  # pieces that must fall to be worth as much as a car


def best_of(steps: Sequence[Step]) -> JudgedStep[Any] | None:
    """The ply in which most was earned or fell, the first one of several; None if nothing was."""

    def worth(step: JudgedStep[Any]) -> int:
        return max(_CAR * step.verdict.earned, len(step.verdict.fallen))

    judged = [
        step
        for step in steps
        if isinstance(step, JudgedStep) and not isinstance(step.placement, Entrance)
    ]
    best = max(judged, key=worth, default=None)
    return best if best is not None and worth(best) else None


def won_by(room: Room, text: Any) -> str:
    """Who won and why, in a sentence; empty while the game goes on."""
    outcome = room.outcome
    if outcome is None:
        return ""
    reason = ended(room.made, str(outcome.reason), text)
    if not outcome.winners:
        return str(text("drawn", reason=reason))
    return str(
        text("wins", name=", ".join(room.names[seat] for seat in outcome.winners), reason=reason)
    )


class Result:
    """Create it where it belongs on the page; it is hidden until the game is over. A tap on its
    head or beside it folds it away, so that one sees the table. `colour(seat)` is a CSS colour.
    """

    def __init__(self, site: Site, who: Visitor, room: Room, colour: Callable[[int], str]) -> None:
        self._site, self._who, self._room, self._colour, self._text = (
            site,
            who,
            room,
            colour,
            who.text,
        )
        self._box = ui.element("section").classes("card result").props("data-result")
        self._box.set_visibility(False)
        self._shown: tuple[int, str | None] | None = None

    def show(self, *, over: bool) -> None:
        """Shows the result once the page tells of the last ply."""
        self._box.set_visibility(over)
        now = (len(self._room.steps), self._room.next)
        if not over or self._shown == now:
            return
        self._shown = now
        _ = ui.run_javascript("shutokoRoom.over()")
        self._box.clear()
        with self._box:
            self._draw()

    def _draw(self) -> None:
        text, room = self._text, self._room
        seats = len(room.names)
        lines = series(room.made, room.steps, seats)
        on_table = defaults.table(room.made, room.position) is not None
        score = " : ".join(str(line[-1]) for line in lines if line) if on_table else ""
        with (
            ui.element("h2"),
            ui.element("button")
            .classes("fold")
            .props('type="button" aria-expanded="true" data-fold')
            .on("click", js_handler="() => shutokoRoom.fold()"),
        ):
            ui.label(self._big())
            ui.label(score).classes("score")
        best = best_of(room.steps)
        if best is not None:
            self._best(best)
        with ui.element("div").classes("line"):
            if room.next is not None or room.seats_of(self._who.holder):
                again = text("rematch" if room.next is None else "rematch_join")
                text_button(again, self._again, "unelevated dense data-rematch", icon="replay")
            ui.link(text("watch_it"), f"/replay/room/{room.id}?ply=0").classes("tool").props(
                "data-watch"
            )
            ui.link(text("analyse"), f"/replay/room/{room.id}?analysis=1").classes("tool").props(
                "data-analyse"
            )
        Moments(
            self._site,
            self._who,
            room.made,
            lambda: room.record,
            lambda one: ui.navigate.to(f"/replay/room/{room.id}?ply={one.ply}"),
        )
        title = text("graph_cars" if on_table else "graph_pieces")
        ui.label(title).classes("soft")
        colours = [self._colour(seat) for seat in range(seats)]
        ui.html(graph(lines, colours, title), sanitize=False).style("width: 100%")
        if on_table:
            self._table()
        with ui.element("div").classes("line"):
            for kind in _SHARED:
                ui.link(kind.upper(), f"/share/room/{room.id}.{kind}").props(
                    f'title="{text(f"share_{kind}")}" data-share="{kind}"'
                )

    def _big(self) -> str:
        """Who won, as large as one says it; why stands below."""
        room, text = self._room, self._text
        outcome, mine = room.outcome, room.seats_of(self._who.holder)
        winners: Sequence[int] = () if outcome is None else outcome.winners
        if len(winners) != 1:
            return str(text("nobody_wins"))
        if len(mine) == 1 and winners[0] in mine:
            return str(text("you_win"))
        return str(text("one_wins", name=room.names[winners[0]]))

    def _best(self, step: JudgedStep[Any]) -> None:
        """The moment of the game that is worth showing to a friend, with its clip."""
        room, text, ply = self._room, self._text, step.entry.ply
        fallen, cars = len(step.verdict.fallen), step.verdict.earned
        key, count = ("best_cars", cars) if cars * _CAR >= fallen else ("best_fall", fallen)
        with ui.element("div").classes("line best").props(f'data-best="{ply}"'):
            ui.link(
                text(key, name=room.names[step.entry.by], n=count, ply=ply),
                f"/replay/room/{room.id}?ply={ply}",
            ).classes("tool")
            clip = f'href="/room/{room.id}/clip/{ply}.gif" download data-part="clip"'
            with ui.element("a").classes("tool").props(clip):
                ui.icon("movie").props('aria-hidden="true"')
                ui.label(text("clip"))

    def _table(self) -> None:
        """The figures of the players: a column for each, so that words of any length have room."""
        counted = tallies(self._room.steps, len(self._room.names))
        with ui.element("table").classes("stock"):
            with ui.element("tr"):
                ui.element("td")
                for seat, name in enumerate(self._room.names):
                    with (
                        ui.element("th")
                        .props('scope="col"')
                        .style(f"border-bottom: .2rem solid {self._colour(seat)}")
                    ):
                        ui.label(name)
            for name in _FIGURES:
                with ui.element("tr"):
                    with ui.element("th").props('scope="row"'):
                        ui.label(self._text(f"tally_{name}"))
                    for tally in counted:
                        with ui.element("td"):
                            ui.label(str(getattr(tally, name)))

    async def _again(self) -> None:
        """Opens a game of the same players, or goes where somebody has opened it already."""
        with refusals(self._text):
            if self._room.next is None:
                self._site.opened.count(self._who.counted)
            again = await asyncio.to_thread(self._site.rooms.again, self._room, self._who.holder)
            if not self._box.client.is_deleted:
                ui.navigate.to(f"/room/{again.id}")
            self._room.announce_next(again.id)  # last: it draws this very button anew
