"""The replay page of any record: timeline, speed, words for every ply, verdicts, branching off, and
things to share.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nicegui import ui

from rules import defaults
from rules.errors import ShutokoError
from rules.game import Game
from rules.moments import Moment
from rules.record import Record, dumps
from rules.record.replay import Step, begin, replay
from rules.view import SceneView
from shutoko.export.packed import Film
from shutoko.plain import plain_line, plain_record
from shutoko.web.pages.controls import Select, folded, icon_button, loading, text_button
from shutoko.web.pages.frame import Visitor, bare_frame, refusals, tell, while_there
from shutoko.web.pages.replay.analysis import Analysis, Moments
from shutoko.web.pages.replay.shown import WRONG, OnBoard, OnTable, Shown, state_after
from shutoko.web.pages.replay.variations import Variations, branch_off
from shutoko.web.pages.rooms.floats import Saying, heading, menu_head, opener, sheet, top
from shutoko.web.site import Site
from shutoko.web.views import (
    ended,
    found_wrong,
    guide,
    refused,
)
from shutoko.web.work import (
    FILM,
    VERIFY,
    Films,
    jobs,
    tables,
)

_SPEEDS = {0.5: "½x", 1.0: "1x", 2.0: "2x", 4.0: "4x"}
_ROWS = 20  # of the log are made at a time: about as many milliseconds
# arrows move the slider, and not the page as well
_OWN_KEYS = "(e) => { if (e.key !== ' ') e.stopPropagation(); }"
_SHARED = ("jsonl", "png", "svg", "gif", "html", "glb")  # what can be taken away
_SHOWN = 1.2  # seconds a ply is shown at speed 1, on top of its film


async def build(site: Site, who: Visitor, record: Record, name: str, ply: int | None) -> None:
    """The page of a record. Raises what replaying it raises."""
    await site.warmed(record.header.game)
    made, start = await asyncio.to_thread(begin, record)
    seen = replace(record, header=plain_record(record).header)
    steps = await asyncio.to_thread(lambda: [*replay(seen)])
    variations = await Variations.of(site, who, name)
    await _Replay(site, who, record, name, made, start, steps, variations).build(ply)


class _Replay:
    """One visitor's page of one record; `at` plies are shown, from 0 to all."""

    def __init__(
        self,
        site: Site,
        who: Visitor,
        record: Record,
        name: str,
        made: Game[Any],
        start: Any,
        steps: Sequence[Step],
        variations: Variations,
    ) -> None:
        self.site, self.who, self.record, self.name, self.text = site, who, record, name, who.text
        self.header = plain_record(record).header  # what of it is shown
        self.made, self.start, self.steps, self.variations = made, start, steps, variations
        self.at = 0
        self.playing: asyncio.Task[None] | None = None
        self.analysis: Analysis | None = None
        in_space = isinstance(defaults.view(made, start), SceneView)
        shown = OnTable if in_space else OnBoard
        self.shown: Shown = shown(made, start, self.header.players, who.text)
        self.films = Films(site.workers, record, steps, who.counted)
        self.awaited: int | None = None  # the ply whose film is being made
        self.wrong: dict[int, list[str]] = {}
        self.diverging: dict[int, list[str]] = {}  # pieces by ply
        self.comparing = False  # how a ply comes out here with what the record says
        self.rows: list[Any] = []  # of the log
        self.lit = 0  # the number of the one that is marked

    async def build(self, ply: int | None) -> None:
        """The page; others are answered while the log of a long game is made."""
        text, count = self.text, len(self.steps)
        title = f"{guide(self.made, text).title}: {' - '.join(self.header.players)}"
        with (
            bare_frame(self.who, title, "sounds.js" if self.shown.filmed else "board.js"),
            ui.element("div")
            .classes("room mine replay")
            .props(f'data-seats="{len(self.header.players)}"'),
        ):
            end = state_after(self.steps[-1]) if self.steps else self.start
            self.shown.build(end, plain=self.who.plain)
            heading(title, text)
            with top():
                self.saying = Saying()
                self.saying.status.props("data-status")
            with ui.element("div").classes("deeds float").props("data-edge=bottom"):
                for icon, key, action in (
                    ("first_page", "to_start", lambda: self.go(0)),
                    ("chevron_left", "back", lambda: self.go(self.at - 1)),
                    ("play_arrow", "play", self.toggle),
                    ("chevron_right", "forward", self.forward),
                    ("last_page", "to_end", lambda: self.go(count)),
                ):
                    button = icon_button(icon, text(key), action).props(
                        f"data-{key.replace('_', '-')}"
                    )
                    if key == "play":
                        self.button = button
                self.slider = (
                    ui.slider(min=0, max=max(count, 1), value=0, step=1, on_change=self._slid)
                    .props(f'label aria-label="{text("timeline")}" data-timeline')
                    .classes("grow")
                    .on("keydown", js_handler=_OWN_KEYS)
                )
                self.speed = Select(dict(_SPEEDS), value=1.0).props(
                    f'dense borderless aria-label="{text("speed")}"'
                )
            with ui.element("div").classes("rounds").props("data-edge=right"):
                opener("log", "history", text("log"))
            with sheet("menu", text("menu"), text):
                menu_head(self.who, sounds=self.shown.filmed)
                ui.label(self.header.note or self.header.source or "").classes("soft")
            with sheet("log", text("log"), text):
                self._side()
        _ = ui.run_javascript("if (innerWidth > 960) shutokoRoom.sheet('log', true, false)")
        ui.keyboard(on_key=self._key, ignore=["input", "textarea"])
        ui.context.client.on_delete(self.stop)
        ui.context.client.on_delete(self.films.stop)
        await self._log()
        self.go(count if ply is None else sum(step.entry.ply <= ply for step in self.steps))

    def _side(self) -> None:
        """What was played, what could have been, and what can be taken away."""
        text = self.text
        for warning in self.record.warnings:
            ui.label(plain_line(warning)).classes("trouble").props('role="alert"')
        self.variations.build()
        self.note = ui.label().classes("soft").style("white-space: pre-line").props("data-note")
        self.here = text_button(
            text("as_here"), self._compare, "flat dense data-as-here", icon="compare"
        )
        self.log = (
            ui.element("div")
            .classes("moves")
            .props(f'tabindex="0" role="group" aria-label="{text("log")}"')
        )
        if self.record.end is not None:
            ui.label(ended(self.made, str(self.record.end.reason), text)).classes("soft")
        with ui.element("div").classes("line"):
            text_button(
                text("branch"), self._branch, "unelevated dense data-branch", icon="call_split"
            )
            self.check = text_button(
                text("verify"), self._verify, "flat dense data-verify", icon="fact_check"
            )
        self.verdict = (
            ui.label()
            .classes("soft")
            .style("white-space: pre-line")
            .props('role="status" data-verdict')
        )
        if self.site.players(self.record.header.game):
            self.analysis = Analysis(
                self.site,
                self.who,
                self.made,
                self.header.players,
                self.shown.told,
                self.shown.advise,
            )
        Moments(self.site, self.who, self.made, lambda: self.record, self._to_moment)
        with folded(text("share_it"), props="data-shares"):
            for kind in _SHARED:
                if kind != self.shown.left_out:
                    ui.link(text(f"share_{kind}"), f"/share/{self.name}.{kind}").props(
                        f'data-share="{kind}"'
                    ).style("display: block")

    async def _log(self) -> None:
        kept = 0
        with self.log:
            self.variations.mark(0)
            for n, step in enumerate(self.steps, 1):
                row = (
                    ui.label(f"{step.entry.ply}. {self.shown.headline(step)}")
                    .classes("ply")
                    .style("cursor: pointer")
                    .on("click", lambda n=n: self.go(n))
                )
                self.rows.append(row)
                if not step.entry.taken_back:
                    kept += 1
                    self.variations.mark(kept)
                if n % _ROWS == 0:
                    await asyncio.sleep(0)

    # --- showing ----------------------------------------------------------------------------------

    async def forward(self) -> float:
        """Goes on by a ply and shows its film. Asked again while that is being made, it goes on by
        two, without the films.

        Returns the seconds that the film takes.
        """
        if self.awaited is not None:
            return self.go(self.awaited + 1)
        target = min(self.at + 1, len(self.steps))
        if not self.shown.filmed or target == self.at:
            return self.go(target)
        self.awaited = target
        film = await self.films.of(target - 1)
        return (
            self.go(target, film)
            if self.awaited == target and not self.slider.client.is_deleted
            else 0.0
        )

    def go(self, at: int, film: Film | None = None) -> float:
        """Shows the position after `at` plies, with a film of the last of them if there is one.
        Returns its seconds.
        """
        self.awaited = None
        self.at = min(max(at, 0), len(self.steps))
        if self.shown.filmed:
            self.films.soon(self.at)
        if self.slider.value != self.at:
            self.slider.value = self.at
        step = self.steps[self.at - 1] if self.at else None
        diverging = self.diverging.get(step.ply, []) if step is not None else []
        seconds = self.shown.show(self._position, step, film, diverging)
        first, *lines = self.shown.lines(step) if step is not None else [self.text("beginning")]
        self.saying.say(first if step is None else f"{step.entry.ply}. {first}", "\n".join(lines))
        note = (
            [f"{self.text('note')}: {plain_line(step.entry.note)}"]
            if step is not None and step.entry.note
            else []
        )
        wrong = (
            [
                f"{self.text('wrong')}: {plain_line(line)}"
                for line in self.wrong.get(step.entry.ply, ())
            ]
            if step
            else []
        )
        self.here.set_visibility(self.shown.filmed and bool(wrong))
        self._compared(False)
        self.note.set_text("\n".join([*note, *wrong]))
        self._follow(step)
        if self.analysis is not None:
            following = self.steps[self.at].move if self.at < len(self.steps) else None
            self.analysis.look(self.at, self._position, "" if following is None else str(following))
        return seconds

    def _follow(self, step: Step | None) -> None:
        """The log, the number at the slider and the address tell the ply that is shown."""
        if self.lit:
            self.rows[self.lit - 1].classes(remove="here")
        if self.at:
            self.rows[self.at - 1].classes(add="here")
        self.lit = self.at
        said = self.text("beginning") if step is None else self.text("ply_n", n=step.entry.ply)
        self.slider.props(f'label-value="{said}"')
        look = "".join(f"&{name}=1" for name in ("plain", "full") if name in self.who.query)
        ply = -1 if step is None else step.entry.ply
        ui.navigate.history.replace(f"/replay/{self.name}?ply={ply}{look}")
        row = self.rows[max(self.at - 1, 0)].id if self.rows else self.log.id
        _ = ui.run_javascript(f"shutokoRoom.follow({self.log.id}, {row})")

    def _to_moment(self, one: Moment) -> None:
        """Shows the position of a moment, in which the analysis names the better move."""
        self.stop()
        self.go(one.at)

    @property
    def _position(self) -> Any:
        return state_after(self.steps[self.at - 1]) if self.at else self.start

    # --- playing ----------------------------------------------------------------------------------

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
        at = self.slider.value
        # no browser sends that, but anybody can
        if not isinstance(at, int | float) or not 0 <= at <= len(self.steps):
            self.slider.value = self.at
        elif int(at) != self.at:
            self.stop()
            self.go(int(at))

    async def _key(self, event: Any) -> None:
        if not event.action.keydown:
            return
        name = event.key.name
        targets = {
            "ArrowRight": self.at + 1,
            "ArrowLeft": self.at - 1,
            "Home": 0,
            "End": len(self.steps),
        }
        if name in targets:
            self.stop()
            _ = await self.forward() if name == "ArrowRight" else self.go(targets[name])
        elif name == " " and not event.action.repeat:
            self.toggle()

    # --- actions ----------------------------------------------------------------------------------

    def _branch(self) -> None:
        position = self._position
        if position.outcome() is not None:
            tell(self.text("branch_over"), "info")
            return
        branch_off(
            self.site,
            self.who,
            self.record,
            self.name,
            self.made,
            self.steps[: self.at],
            int(position.to_move),
        )

    async def _compare(self) -> None:
        """Shows how the ply comes out here, with what the record says see-through; asked again,
        only the record.
        """
        at = self.at
        if self.comparing:
            self.shown.compare(None)
            self._compared(False)
            return
        step = self.steps[at - 1]
        asked = (tables.as_here, self.record.header, step.entry, step.before)
        with refusals(self.text), loading(self.here):
            pieces = await while_there(
                self.site.workers.run(*asked, kind=FILM, who=self.who.counted)
            )
            if self.at == at:
                self.shown.compare(pieces)
                self._compared(True)

    def _compared(self, now: bool) -> None:
        self.comparing = now
        self.here.set_text(self.text("as_recorded" if now else "as_here"))

    def _judged(self, plies: int) -> None:
        if not self.verdict.is_deleted:
            self.verdict.set_text(self.text("verifying", done=plies, plies=len(self.steps)))

    async def _verify(self) -> None:
        asked = self.site.workers.run(
            jobs.verified,
            dumps(self.record),
            "physics",
            kind=VERIFY,
            who=self.who.counted,
            heard=self._judged,
        )
        try:
            with loading(self.check):
                report = await while_there(asked)
        except ShutokoError as error:
            tell(refused(self.text.language, error))
            self.verdict.set_text("")
            return
        self.wrong, self.diverging = {}, {}
        for divergence in report.divergences:
            self.diverging.setdefault(divergence.ply, []).append(divergence.piece)
            self.wrong.setdefault(divergence.ply, []).append(
                found_wrong(self.text.language, divergence)
            )
        for mismatch in (*report.mismatches, *report.claims):
            if mismatch.ply is not None:
                self.wrong.setdefault(mismatch.ply, []).append(
                    found_wrong(self.text.language, mismatch)
                )
        for n, row in enumerate(self.rows):
            bad = self.steps[n].entry.ply in self.wrong
            row.style(f"color: {WRONG}" if bad else "color: inherit")
        count = sum(map(len, self.wrong.values())) + sum(m.ply is None for m in report.mismatches)
        ok = self.text("verified", plies=report.plies)
        self.verdict.set_text(ok if report.ok else self.text("not_verified", count=count))
        self.go(self.at)
