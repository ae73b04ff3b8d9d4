"""The page of the dexterity challenge of the day: aim, take the pieces in hand, see what stands."""

from __future__ import annotations

from datetime import UTC, date, datetime
from html import escape
from typing import Any

from nicegui import background_tasks, ui

from rules.errors import ShutokoError
from shutoko.web.pages import frame
from shutoko.web.pages.frame import Visitor, tell, visitor, while_there
from shutoko.web.pages.posed import OnTable
from shutoko.web.pages.rooms.placing import HEARD
from shutoko.web.site import Site
from shutoko.web.views.table import tray_of_mover
from shutoko.web.views.telling import refused
from shutoko.web.work import challenge as work
from shutoko.web.work.by_hand import Grip
from shutoko.web.work.jobs import Posed
from shutoko.web.work.kinds import ANSWER, MOVE
from shutoko.web.work.tables import table_of
from sim.game.attempts.carrying import MAX_SECONDS
from sim.game.attempts.posing import bodies
from sim.problems.daily import CAR, FALLEN, STANDS, TRIES, Challenge


def register(site: Site) -> None:
    """Adds the page."""
    tries, known = work.Tries(), dict[date, Challenge]()

    @frame.page("/challenge")
    async def challenge_page() -> None:
        who, day = visitor(), datetime.now(UTC).date()
        try:
            if day not in known:
                found = await site.workers.run(work.posed, day, kind=ANSWER, who=who.counted)
                known.clear()
                known[day] = found
            Today(site, who, known[day], tries).build()
        except ShutokoError as error:
            frame.not_found(who, refused(who.text.language, error))


class Today:
    """One visitor's page of a challenge. `waits`: a placement would be taken in hand now."""

    def __init__(self, site: Site, who: Visitor, challenge: Challenge, tries: work.Tries) -> None:
        self.site, self.who, self.text, self.challenge = site, who, who.text, challenge
        state = challenge.position
        self.posed = Posed(state, state, state)
        self._tries = tries
        self._busy = self._shows = False
        self._grip: Grip | None = None

    @property
    def waits(self) -> bool:
        """Whether the visitor may aim."""
        return not (self._busy or self._shows or self._grip is not None) and self._left > 0

    @property
    def _left(self) -> int:
        return self._tries.left(self.who.holder, self.challenge.day)

    def build(self) -> None:
        """The page."""
        text = self.text
        self.shown = _InHand(self)
        with (
            frame.frame(self.who, text("challenge_day"), wide=True),
            ui.element("div").classes("split"),
        ):
            self.shown.build()
            with ui.element("div").classes("panel"):
                with ui.element("section").classes("card"):
                    ui.html(f"<h2>{escape(text('challenge_about'))}</h2>", sanitize=False)
                    colour = self.shown.colour(self.challenge.position.to_move)
                    ui.label(text("problem_you", colour=colour))
                    rule = {"stands": STANDS, "car": CAR, "fallen": -FALLEN, "tries": TRIES}
                    ui.label(text("challenge_rule", **rule)).classes("soft")
                    self.said = ui.label().classes("status")
                    self.said.props('role="status" aria-live="polite" data-tried')
                    self.left = ui.label().classes("soft").props("data-left")
                self.shown.build_controls()
                self.again = ui.button(
                    text("challenge_again"), icon="replay", on_click=self._again
                ).props("unelevated no-caps data-again")
                ui.link(text("problem_all"), "/problems").classes("tool")
        self._again()

    async def answer(self, move: str) -> None:
        """Takes the pieces of a placement into the hand."""
        if not self.waits:
            return
        try:
            self._grip = work.grip(self.challenge, move, TRIES - self._left)
        except ShutokoError as error:
            tell(refused(self.text.language, error))
            return
        self.said.classes(remove="good bad")
        self.said.set_text(self.text("hand_pillar", seconds=round(MAX_SECONDS)))
        self.shown.hold(self._grip)

    def put_back(self) -> None:
        """The visitor has put the pieces back: nothing was tried."""
        self._grip = None
        self.said.set_text("")
        self.shown.free()

    def next_part(self) -> None:
        """The pillar stands, the road is in the hand."""
        self.said.set_text(self.text("hand_road"))

    async def placed(self, traces: Any) -> None:
        """The pieces were let go: a try is made of it."""
        grip, self._grip = self._grip, None
        self.shown.free()
        if grip is None or self._busy or self._left < 1:
            return
        self._busy = True
        who, day, n = self.who, self.challenge.day, TRIES - self._left
        try:
            let_go = grip.let_go(traces)
            if not grip.lasted(traces):
                tell(self.text("challenge_refused"))
                return
            made = self.site.workers.run(
                work.tried, self.challenge, grip.text, n, let_go, kind=MOVE, who=who.counted
            )
            one, after, film = await while_there(made)
        except ShutokoError as error:
            tell(refused(self.text.language, error))
            return
        except (TypeError, ValueError, IndexError):  # traces that no page makes
            tell(self.text("challenge_refused"))
            return
        finally:
            self._busy = False
        if TRIES - self._left != n:  # another page of this visitor was quicker
            tell(self.text("challenge_refused"))
            return
        self._tries.add(who.holder, day, one)
        if self.said.is_deleted:
            return
        self._shows = True
        self.shown.see(film, after)
        told = "challenge_stood" if one.built else "challenge_fell"
        self.said.set_text(self.text(told, **one.values()))
        self.said.classes(add="good" if one.built else "bad")
        self._tell_left()
        self.again.set_visibility(self._left > 0)

    def _tell_left(self) -> None:
        text, done = self.text, self._tries.of(self.who.holder, self.challenge.day)
        told = [text("challenge_left", n=self._left) if self._left else text("challenge_over")]
        if done:
            best = max(one.points for one in done)
            told.insert(0, text("challenge_best", points=best))
        self.left.set_text(" ".join(told))

    def _again(self) -> None:
        self._shows = False
        self.said.classes(remove="good bad").set_text("")
        self.again.set_visibility(False)
        self._tell_left()
        self.shown.pose()
        self.shown.offer(takes=self._left > 0)


class _InHand(OnTable):
    """The table, on which a placement is not answered but taken in hand."""

    def __init__(self, page: Today) -> None:
        super().__init__(page)
        self._today = page

    def build_controls(self) -> None:
        """What to place, and the buttons of the hand."""
        super().build_controls()
        text = self._text
        self._give.set_text(text("pick_up"))
        with ui.element("div").classes("line") as self._bar:
            lower = ui.button(text("hand_lower"), icon="south").props(
                "unelevated no-caps data-lower"
            )
            lower.on("pointerdown", js_handler="() => shutokoHand.lower(true)")
            for over in ("pointerup", "pointerleave", "pointercancel"):
                lower.on(over, js_handler="() => shutokoHand.lower(false)")
            for name, call in (("hand_let_go", "letGo"), ("hand_put_back", "putBack")):
                button = ui.button(text(name)).props(f'flat no-caps dense data-hand="{call}"')
                button.on("click", js_handler=f"() => shutokoHand.{call}()")
        self._bar.set_visibility(False)

    def hold(self, grip: Grip) -> None:
        """Puts the pieces into the hand."""
        self._stage.ghost((), "")
        self._stage.pulse(())
        self._say("")
        tray = tray_of_mover(table_of(self._today.challenge.position))
        self._stage.hold([(held.pieces, held.tremble.to_json()) for held in grip.held], tray)
        self._box.set_visibility(False)
        self._bar.set_visibility(True)

    def free(self) -> None:
        """Nothing is in the hand any more."""
        self._bar.set_visibility(False)
        self._box.set_visibility(True)

    def offer(self, *, takes: bool) -> None:
        """Whether there is a try left to aim for."""
        self._box.set_visibility(takes)

    def see(self, film: Any, after: Any) -> None:
        """Shows what came of a try."""
        self._box.set_visibility(False)
        lying = bodies(table_of(after))
        if film is None:
            self._stage.show(lying)
        else:
            self._stage.play(film, lying)

    def _hand(self, detail: dict[str, Any]) -> None:
        what = detail.get("type")
        if what not in HEARD:
            super()._hand(detail)
        elif what == "next":
            self._today.next_part()
        elif what == "put-back":
            self._today.put_back()
        else:
            background_tasks.create_lazy(
                self._placed(detail.get("traces")), name=f"challenge {id(self)}"
            )

    async def _placed(self, traces: Any) -> None:
        with self._bar.client:
            await self._today.placed(traces)
