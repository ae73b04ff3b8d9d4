"""What came of a ply at a table, in the order in which one looks at it: the film, the payments that
fly from tray to tray, and the verdict on the own ply, or on somebody else's fall, with its clip.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui

from rules.record.model import ran_out_of_time
from shutoko.export.film import MENDING
from shutoko.web.pages.controls import text_button
from shutoko.web.pages.rooms.panel import RoomPanel
from shutoko.web.rooms.room import Room
from shutoko.web.views import (
    Plate,
    Stage,
    advised_pieces,
    aiming,
    colour_of,
    gifts_flying,
    in_short,
    judged_in_short,
    piles,
    plate_of,
    reasons,
    told,
)
from shutoko.web.work import (
    table_of,
)
from sim.bodies import Body
from sim.game import JudgedStep, bodies
from sim.referee import Resign

if TYPE_CHECKING:
    from rules.record.replay import Step
    from shutoko.export.packed import Film


def plate_after(room: Room, seat: int, plies: int) -> Plate:
    """The plate of a seat after so many plies of a room."""
    steps = room.steps
    state = steps[plies - 1].after if plies else steps[0].before if steps else room.position
    return plate_of(table_of(state), seat)


def _fell(step: JudgedStep[Any]) -> bool:
    """Whether anything fell in a turn, or its build does not stand."""
    return bool(step.verdict.fallen) or step.verdict.built is False


def _lost(step: Step, film: Film) -> list[str]:
    """The pieces of a build that does not stand, as the film has them."""
    if not isinstance(step, JudgedStep) or step.verdict.built is not False:
        return []
    stood = {body.id for body in bodies(table_of(step.before))}
    return [name for name in film.keys if name not in stood]


class Outcome:
    """Create it where the verdict belongs on the page. `as_it_is` shows the table as it is, after a
    film that was shown once more.
    """

    def __init__(
        self,
        room: Room,
        panel: RoomPanel,
        stage: Stage,
        text: Any,
        as_it_is: Callable[[], None],
    ) -> None:
        self._room, self._panel, self._stage, self._text = room, panel, stage, text
        self._as_it_is = as_it_is
        self._film: tuple[JudgedStep[Any], Film] | None = None  # what can be seen again
        self._verdict = Verdict(text, f"/room/{room.id}/clip", self._again, self._let_be)

    def play(self, n: int, film: Film | None) -> float:
        """Shows the film of ply n, in which what fell is striped until it is put back; returns its
        seconds.
        """
        step = self._room.steps[n]
        shown = bodies(table_of(step.after))
        self._stage.pulse(())
        self._stage.bases((), "")
        if not isinstance(step, JudgedStep) or film is None:
            self._stage.show(shown)
            return 0.0
        if step.entry.by in self._panel.mine or _fell(step):
            self._film = (step, film)
            self._verdict.hide()
        self._stage.ghost((), "")
        roams = self._looked_for(step)
        seconds = self._stage.play(film, shown, watched=_lost(step, film), roams=roams)
        self._stage.hatch(step.verdict.fallen, seconds - MENDING, seconds)
        return seconds

    def _looked_for(self, step: JudgedStep[Any]) -> tuple[Sequence[Body], str] | None:
        """The computer's build, and its colour: see-through it looks for its place first."""
        by = step.entry.by
        if self._room.computers[by] is None or ran_out_of_time(step.entry.extra):
            return None
        placed = advised_pieces(table_of(step.before), [step.placement], None)
        return (placed[0][1], colour_of(by)) if placed else None

    def play_tried(self) -> float:
        """Shows the try that has just failed; returns the seconds that it takes."""
        tried = self._room.tried
        if tried is None or tried.film is None or not isinstance(tried.step, JudgedStep):
            return 0.0
        self._film = (tried.step, tried.film)
        self._stage.pulse(())
        self._stage.bases((), "")
        self._stage.ghost((), "")
        return self._stage.play(
            tried.film,
            bodies(table_of(tried.step.after)),
            watched=_lost(tried.step, tried.film),
        )

    def begin(self) -> None:
        """Forgets the last verdict while the visitor's next placement comes to rest."""
        if self._room.to_move in self._panel.mine:
            self._verdict.hide()

    def show_tried(self) -> None:
        """Shows what became of the try that has failed, and how many are left."""
        tried = self._room.tried
        if tried is None or not isinstance(tried.step, JudgedStep):
            return
        _, lines = judged_in_short(tried.step, self._text, self._you)
        lines = [self._text("tries_left", n=tried.left), *lines[len(tried.let_go) > 1 :]]
        clip = f"{tried.step.entry.ply}.gif?try={len(tried.let_go)}"
        self._verdict.show(clip, 0, self._text("try_failed"), lines, good=False)
        self._verdict.ask(asks=True, again=self._is_known(tried.step))
        self._panel.did("fall")

    def tell(self, n: int) -> None:
        """Lights up the crossings that earned cars with ply n, has its payments fly from tray to
        tray, and says what became of it.
        """
        step = self._room.steps[n]
        if not isinstance(step, JudgedStep):
            return
        by, after = step.entry.by, table_of(step.after)
        places = [(*place, colour_of(by)) for place in aiming.scoring(after, step.verdict)]
        self._stage.pulse(places, None if self._room.over else 4.0)
        for payment in step.verdict.paid:
            self._stage.pay(*gifts_flying(after, by, payment))
        self._stage.supplies(*piles(after))
        if by in self._panel.mine or _fell(step):
            self.show_verdict()
        if by not in self._panel.mine:
            return
        if step.verdict.earned:
            self._panel.did("earn")
        if _fell(step):
            self._panel.did("fall")

    def lines(self, n: int) -> Sequence[str]:
        """What the log says of ply n: in short, then every reason."""
        step = self._room.steps[n]
        if ran_out_of_time(step.entry.extra) or not isinstance(step, JudgedStep):
            return [f"{step.player}: {self._text('time_over')}"]
        return [
            in_short(step, self._text, self._you),
            *told(self._text.language, reasons(step)),
        ]

    def show_verdict(self) -> None:
        """Shows the verdict on the last own ply of those that the page tells of, or on a fall that
        came after it.
        """
        judged = [
            step
            for step in reversed(self._room.steps[: self._panel.shown])
            if isinstance(step, JudgedStep) and not isinstance(step.placement, Resign)
        ]
        own = next((step for step in judged if step.entry.by in self._panel.mine), None)
        step = next((step for step in judged if step is own or _fell(step)), None)
        if step is None:
            self._verdict.hide()
            return
        big, lines = judged_in_short(step, self._text, self._you)
        big = big if step is own else f"{step.player}: {big}"
        cars = 0 if own is None else own.verdict.earned
        self._verdict.show(f"{step.entry.ply}.gif", cars, big, lines, good=not _fell(step))
        self._verdict.ask(asks=False, again=self._is_known(step))

    def _is_known(self, step: JudgedStep[Any]) -> bool:
        """Whether the film of a ply is still known."""
        return self._film is not None and self._film[0].entry.ply == step.entry.ply

    @property
    def _you(self) -> int | None:
        mine = self._panel.mine
        return mine[0] if len(mine) == 1 else None

    def _again(self) -> None:
        """Shows once more, slowly, what the verdict is about."""
        if self._film is None or self._panel.filming:
            return
        step, film = self._film
        self._stage.ghost((), "")
        self._stage.show(bodies(step.before.table), 0)
        seconds = self._stage.play(film, bodies(step.after.table), slowly=True)
        ui.timer(seconds, self._over, once=True)

    async def _let_be(self) -> None:
        """Leaves it at the tries that have failed; once, however often the button was pressed."""
        if self._room.tried is not None:
            await self._panel.attempt(self._room.let_be(self._panel.who.holder))

    def _over(self) -> None:
        if not self._panel.filming:
            self._as_it_is()


class Verdict:
    """Create it where it belongs on the page. `clips` is the address at which there are clips,
    `again` shows the ply once more, `let_be` leaves it at the tries that have failed.
    """

    def __init__(
        self,
        text: Any,
        clips: str,
        again: Callable[[], None],
        let_be: Callable[[], Awaitable[None]],
    ) -> None:
        self._clips, self._leaves = clips, let_be
        with ui.element("div").classes("verdict").props('data-part="verdict"') as self._box:
            self._cars = ui.label().classes("cars-earned")
            self._said = ui.label().classes("why")
            with ui.element("div").classes("line"):
                self._let_be = text_button(
                    text("let_it_be"), self._leave, "outline dense data-let-be"
                )
                self._again = text_button(
                    text("again_slowly"), None, "flat dense data-again", icon="slow_motion_video"
                ).on("click", again)
                with (
                    ui.element("a")
                    .classes("tool")
                    .props(f'data-part="clip" download aria-label="{escape(text("clip"))}"')
                ) as self._share:
                    ui.icon("movie").props('aria-hidden="true"')
                    ui.label(text("clip"))
        self._box.set_visibility(False)

    def show(self, clip: str, cars: int, big: str, lines: Sequence[str], *, good: bool) -> None:
        """Shows the verdict on a ply, in few words and in lines: its clip, and how many cars the
        visitor's last ply earned.
        """
        self._box.set_visibility(True)
        self._box.props(f'data-cars="{cars}"').classes(
            add="good" if good else "bad", remove="bad" if good else "good"
        )
        self._cars.set_text(big)
        self._said.set_text("\n".join(lines))
        self._said.set_visibility(bool(lines))
        self._share.props(f'href="{self._clips}/{clip}"')

    def ask(self, *, asks: bool, again: bool) -> None:
        """Whether it may be left at the tries that have failed, and whether the film of the ply is
        still known.
        """
        self._box.classes(add="asks" if asks else "", remove="" if asks else "asks")
        self._let_be.set_visibility(asks)
        self._again.set_visibility(again)

    async def _leave(self) -> None:
        self._let_be.disable()  # one press is an answer
        try:
            await self._leaves()
        finally:
            self._let_be.enable()

    def hide(self) -> None:
        """Takes it away, as when the ply was taken back."""
        self._box.set_visibility(False)
