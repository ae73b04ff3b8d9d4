"""The replay page of any record: timeline, speed, words for every ply, verdicts, branching off, and things to share."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nicegui import ui

from rules.errors import ShutokoError
from rules.record import Record, loads
from rules.record.verify import Report, verify
from shutoko.export.board import named
from shutoko.export.packed import Film
from shutoko.export.share import KINDS
from shutoko.web.pages.analysis import Analysis
from shutoko.web.pages.board_room import board_svg, told_move
from shutoko.web.pages.frame import Visitor, frame, tell
from shutoko.web.pages.lobby import open_room
from shutoko.web.referee import found_wrong, told
from shutoko.web.rooms.store import Setup
from shutoko.web.site import Site
from shutoko.web.views.boards import shown
from shutoko.web.work import jobs
from shutoko.web.work.advisers import Rated
from shutoko.web.work.films import Films

__all__ = ["build", "verified"]

_SPEEDS = {0.5: "½x", 1.0: "1x", 2.0: "2x", 4.0: "4x"}
_SHOWN = 1.2  # seconds a ply is shown at speed 1, on top of its film
_WRONG = "#d8432b"


async def build(site: Site, who: Visitor, record: Record, name: str, ply: int | None) -> None:
    """The page of a record. Raises what replaying it raises."""
    await site.warmed(record.header.game)
    steps = await asyncio.to_thread(lambda: [*jobs.steps(record)])
    start = await asyncio.to_thread(jobs.begin, record)
    _Replay(site, who, record, name, start, steps).build(ply)


def verified(data: bytes, mode: str) -> Report:
    """A record verified, in a worker. Raises what verifying raises."""
    return verify(loads(data), mode)


class _Replay:
    """One visitor's page of one record; `at` plies are shown, from 0 to all."""

    def __init__(self, site: Site, who: Visitor, record: Record, name: str, start: Any, steps: Sequence[jobs.Step]) -> None:
        self.site, self.who, self.record, self.name, self.text = site, who, record, name, who.text
        self.start, self.steps = start, steps
        self.at = 0
        self.playing: asyncio.Task[None] | None = None
        self.analysis: Analysis | None = None
        self.is_table = record.header.game == jobs.TABLE
        self.films = Films(site.workers, record, steps)
        self.awaited: int | None = None  # the ply whose film is being made
        self.wrong: dict[int, list[str]] = {}
        self.diverging: dict[int, list[str]] = {}  # pieces by ply
        self.rows: list[Any] = []
        self.marked: tuple[Sequence[Rated], int | None] = ((), None)

    def build(self, ply: int | None) -> None:
        """The page."""
        text, count = self.text, len(self.steps)
        title = f"{text(self.record.header.game)}: {' - '.join(self.record.header.players)}"
        with frame(self.who, title, wide=self.is_table), ui.element("div").classes("split"):
            with ui.element("div").classes("panel replayed"):
                self._view()
                with ui.element("div").classes("line").style("flex-wrap: nowrap"):
                    for icon, key, deed in (
                        ("first_page", "to_start", lambda: self.go(0)),
                        ("chevron_left", "back", lambda: self.go(self.at - 1)),
                        ("play_arrow", "play", self.toggle),
                        ("chevron_right", "forward", self.forward),
                        ("last_page", "to_end", lambda: self.go(count)),
                    ):
                        button = ui.button(icon=icon, on_click=deed).props(f'flat round dense aria-label="{text(key)}"')
                        button.props(f"data-{key.replace('_', '-')}")
                        if key == "play":
                            self.button = button
                    self.slider = ui.slider(min=0, max=max(count, 1), value=0, step=1, on_change=self._slid)
                    self.slider.props(f'label aria-label="{text("timeline")}" data-timeline').classes("grow")
                    self.speed = ui.select(dict(_SPEEDS), value=1.0).props(f'dense borderless aria-label="{text("speed")}"')
            with ui.element("div").classes("panel"):
                self._side()
        ui.keyboard(on_key=self._key, ignore=["input", "textarea"])
        ui.context.client.on_delete(self.stop)
        ui.context.client.on_delete(self.films.stop)
        self.go(count if ply is None else ply + 1)

    def _view(self) -> None:
        if self.is_table:
            from shutoko.web.views.stage import Stage
            from sim.game.posing import bodies

            with ui.element("div").classes("stage"):
                last = self.steps[-1].after if self.steps else self.start
                self.stage = Stage(bodies(last), plain="plain" in self.who.query)
        else:
            self.board = ui.html("", sanitize=False).classes("board")

    def _side(self) -> None:
        text = self.text
        about = self.record.header.note or self.record.header.source
        if about:
            ui.label(about).classes("soft")
        self.status = ui.label().classes("status").props('role="status" aria-live="polite" data-status')
        self.why = ui.label().classes("soft").style("white-space: pre-line").props("data-why")
        if self.is_table:
            self.stocks = ui.element("div").style("width: 100%")
        with ui.element("div").classes("line"):
            button = ui.button(text("branch"), icon="call_split", on_click=self._branch)
            button.props("unelevated no-caps dense data-branch")
            self.check = ui.button(text("verify"), icon="fact_check", on_click=self._verify)
            self.check.props("flat no-caps dense data-verify")
        with ui.element("div").classes("line"):
            for kind in KINDS:
                if kind == ("svg" if self.is_table else "glb"):
                    continue
                ui.link(kind.upper(), f"/share/{self.name}.{kind}").props(
                    f'title="{text(f"share_{kind}")}" data-share="{kind}"'
                )
        if self.site.players(self.record.header.game):
            self.analysis = Analysis(self.site, self.record.header, text, self._told, self._advised)
        self.verdict = ui.label().classes("soft").style("white-space: pre-line").props('role="status" data-verdict')
        with ui.element("div").classes("moves card").style("max-height: 24rem"):
            for n, step in enumerate(self.steps, 1):
                row = ui.label(f"{step.entry.ply}. {self._head(step)}").classes("ply").style("cursor: pointer")
                row.on("click", lambda n=n: self.go(n))
                self.rows.append(row)
        if self.record.end is not None:
            ui.label(f"{self.record.end.reason}").classes("soft")

    # --- showing -------------------------------------------------------------------------------------------------------------

    async def forward(self) -> float:
        """Goes on by a ply and shows how it came about; asked again while its film is still being made, without it.

        Returns the seconds that the film takes.
        """
        target = min(self.at + 1, len(self.steps))
        if not self.is_table or target in (self.at, self.awaited):
            return self.go(target)
        self.awaited = target
        film = await self.films.of(target - 1)
        return self.go(target, film) if self.awaited == target else 0.0

    def go(self, at: int, film: Film | None = None) -> float:
        """Shows the position after `at` plies; with a film how the last of them came about. Returns its seconds."""
        self.awaited = None
        self.at = min(max(at, 0), len(self.steps))
        self.marked = ((), None)
        if self.is_table:
            self.films.soon(self.at)
        if self.slider.value != self.at:
            self.slider.value = self.at
        step = self.steps[self.at - 1] if self.at else None
        seconds = self._show_table(step, film) if self.is_table else self._show_board(step)
        self.status.set_text(self._head(step) if step is not None else self.text("beginning"))
        note = [f"{self.text('note')}: {step.entry.note}"] if step is not None and step.entry.note else []
        lines = told(self.text.language, step.lines[1:]) if step is not None else ()
        said = [*lines, *note]
        wrong = [f"{self.text('wrong')}: {line}" for line in self.wrong.get(step.entry.ply, ())] if step else []
        self.why.set_text("\n".join([*said, *wrong]))
        for n, row in enumerate(self.rows, 1):
            row.classes(add="here" if n == self.at else "", remove="" if n == self.at else "here")
        if self.analysis is not None:
            following = self.steps[self.at].entry.do if self.at < len(self.steps) else ""
            self.analysis.look(self.at, self._position, self._canonical(following))
        return seconds

    @property
    def _position(self) -> Any:
        return self.steps[self.at - 1].after if self.at else self.start

    def _show_table(self, step: jobs.Step | None, film: Film | None) -> float:
        from shutoko.export.film import MENDING
        from shutoko.web.views.aiming import scoring
        from shutoko.web.views.table import colour_of, stock_table
        from sim.game.posing import bodies

        table = step.after if step is not None else self.start
        self.stocks.clear()
        with self.stocks:
            stock_table(table, self.record.header.players, self.text, step.before if step is not None else None)
        if step is None or film is None:
            self.stage.show(bodies(table))
            seconds = 0.0
        else:
            self.stage.show(bodies(step.before), 0)
            seconds = self.stage.play(film, bodies(table))
        verdict = step.verdict if step is not None else None
        places = []
        if step is not None and verdict is not None:
            places = [(*place, colour_of(step.entry.by)) for place in scoring(table, verdict)]
        self.stage.pulse(places, seconds + 3.0)
        diverging = self.diverging.get(step.entry.ply, []) if step is not None else []
        fallen = list(verdict.fallen) if verdict is not None else []
        self.stage.tint([*diverging, *(fallen if film else [])], _WRONG, seconds - MENDING)
        return seconds

    def _show_board(self, step: jobs.Step | None) -> float:
        state = step.after if step is not None else self.start
        before = step.before if step is not None else None
        last = str(step.entry.do) if step is not None else ""
        found, picked = self.marked
        offers = [] if picked is None else shown(state, found[picked].move, self.text)
        ranked = [one.move for one in found]
        self.board.set_content(board_svg(state, self.text, last if named(last) else "", before, offers, ranked=ranked))
        return 0.0

    # --- analysis ------------------------------------------------------------------------------------------------------------

    def _advised(self, found: Sequence[Rated], picked: int | None) -> None:
        """Marks the best moves of the position that is shown; of those on the table the one alone that was picked."""
        self.marked = (found, picked)
        if not self.is_table:
            self._show_board(self.steps[self.at - 1] if self.at else None)
            return
        from shutoko.web.views.table import ADVISED, advised_pieces

        placements = [self._position.parse(one.move) for one in found]
        every = advised_pieces(self._position, placements, None)
        self.stage.advise([one for one in every if picked is None or one[0] == picked + 1], ADVISED)

    def _told(self, move: str) -> str:
        if not self.is_table:
            return told_move(move, self.text)
        from shutoko.web.views.table import told_placement

        return told_placement(move, self.text)

    def _canonical(self, do: Any) -> str:
        if not do or not self.is_table:
            return str(do)
        from sim.referee.placement import Placement

        return str(Placement.parse(do))

    def _head(self, step: jobs.Step) -> str:
        entry = step.entry
        name = self.record.header.players[entry.by]
        first = step.lines[0] if step.lines else None
        said = f"{name}: {entry.do}" if first is None else told(self.text.language, [first])[0]
        if first is not None and first.data["kind"] == "fault":
            said = f"{name}: {said}"
        if step.refusal is not None or entry.taken_back:
            said += f" ({self.text('taken_back')}{': ' + step.refusal if step.refusal else ''})"
        return said

    # --- playing -------------------------------------------------------------------------------------------------------------

    def toggle(self) -> None:
        """Plays on, or stops."""
        if self.playing is not None and not self.playing.done():
            self.stop()
            return
        if self.at == len(self.steps):
            self.go(0)
        self.playing = asyncio.get_running_loop().create_task(self._play())
        self.button.props("icon=pause")

    def stop(self) -> None:
        """Stops playing."""
        if self.playing is not None:
            self.playing.cancel()
            self.playing = None
        self.button.props("icon=play_arrow")

    async def _play(self) -> None:
        client = self.slider.client
        while self.at < len(self.steps):
            with client:
                quick = float(self.speed.value) > 2.0  # than any film
                seconds = self.go(self.at + 1) if quick else await self.forward()
            await asyncio.sleep((_SHOWN + seconds) / float(self.speed.value))
        with client:
            self.button.props("icon=play_arrow")

    def _slid(self) -> None:
        if int(self.slider.value) != self.at:
            self.stop()
            self.go(int(self.slider.value))

    async def _key(self, event: Any) -> None:
        if not event.action.keydown:
            return
        name = event.key.name
        deeds = {"ArrowRight": self.at + 1, "ArrowLeft": self.at - 1, "Home": 0, "End": len(self.steps)}
        if name in deeds:
            self.stop()
            _ = await self.forward() if name == "ArrowRight" else self.go(deeds[name])
        elif name == " " and not event.action.repeat:
            self.toggle()

    # --- deeds ---------------------------------------------------------------------------------------------------------------

    async def _branch(self) -> None:
        kept = [step.entry for step in self.steps[: self.at] if not step.entry.taken_back]
        header = replace(self.record.header, source=f"{self.name}, branched at ply {len(kept)}"[:200])
        names = self.record.header.players
        held = tuple(range(len(names)))
        setup = Setup(
            self.record.header.game,
            names,
            (None,) * len(names),
            listed=not self.site.public,
            held=held,
            record=Record(header, tuple(kept)),
        )
        await open_room(self.site, self.who, setup)

    async def _verify(self) -> None:
        from rules.record import dumps

        self.check.props("loading")
        try:
            report = await self.site.workers.run(verified, dumps(self.record), "physics")
        except ShutokoError as error:
            tell(error)
            return
        finally:
            self.check.props(remove="loading")
        self.wrong, self.diverging = {}, {}
        for divergence in report.divergences:
            self.diverging.setdefault(divergence.ply, []).append(divergence.piece)
            self.wrong.setdefault(divergence.ply, []).append(found_wrong(self.text.language, divergence))
        for mismatch in (*report.mismatches, *report.claims):
            if mismatch.ply is not None:
                self.wrong.setdefault(mismatch.ply, []).append(found_wrong(self.text.language, mismatch))
        for n, row in enumerate(self.rows):
            bad = self.steps[n].entry.ply in self.wrong
            row.style(f"color: {_WRONG}" if bad else "color: inherit")
        count = sum(map(len, self.wrong.values())) + sum(m.ply is None for m in report.mismatches)
        ok = self.text("verified", plies=report.plies)
        self.verdict.set_text(ok if report.ok else self.text("not_verified", count=count))
        self.go(self.at)
