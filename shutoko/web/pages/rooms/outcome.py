"""What came of a ply at a table, in the order in which one looks at it: the film, the payments that
fly from tray to tray, and the verdict on the own ply with its clip.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui

from rules.record.model import ran_out_of_time
from shutoko.export.film import MENDING
from shutoko.web.pages.rooms.panel import RoomPanel
from shutoko.web.rooms.room import Room
from shutoko.web.views import aiming
from shutoko.web.views.plates import Plate, plate_of
from shutoko.web.views.stage import Stage
from shutoko.web.views.table import advised_pieces, colour_of, gifts_flying, piles, reasons
from shutoko.web.views.telling import in_short, judged_in_short, told
from shutoko.web.work.tables import table_of
from sim.bodies import Body
from sim.game.attempts.posing import bodies
from sim.game.ply import JudgedStep
from sim.referee.placement import Resign

if TYPE_CHECKING:
    from rules.record.replay import Step
    from shutoko.export.packed import Film


def plate_after(room: Room, seat: int, plies: int) -> Plate:
    """The plate of a seat after so many plies of a room."""
    steps = room.steps
    state = steps[plies - 1].after if plies else steps[0].before if steps else room.position
    return plate_of(table_of(state), seat)


def _lost(step: Step, film: Film) -> list[str]:
    """The pieces of a build that does not stand, as the film has them."""
    if not isinstance(step, JudgedStep) or step.verdict.built is not False:
        return []
    stood = {body.id for body in bodies(table_of(step.before))}
    return [name for name in film.keys if name not in stood]


class Outcome:
    """Create it where the verdict belongs on the page. `as_it_is` shows the table as it is, after a
    film that was shown once more; `let_be` leaves it at the tries that have failed.
    """

    def __init__(
        self,
        room: Room,
        panel: RoomPanel,
        stage: Stage,
        text: Any,
        as_it_is: Callable[[], None],
        let_be: Callable[[], Awaitable[None]],
    ) -> None:
        self._room, self._panel, self._stage, self._text = room, panel, stage, text
        self._as_it_is = as_it_is
        self._own_film: tuple[int, Film] | None = None  # of the visitor's last ply
        clips = f"/room/{room.id}/clip"
        self._verdict = Verdict(text, lambda ply: f"{clips}/{ply}.gif", self._again, let_be)

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
        if step.entry.by in self._panel.mine:
            self._own_film = (n, film)
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
        if tried is None or tried.film is None:
            return 0.0
        self._stage.pulse(())
        self._stage.bases((), "")
        self._stage.ghost((), "")
        shown = bodies(table_of(tried.step.after))
        return self._stage.play(tried.film, shown, watched=_lost(tried.step, tried.film))

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
        self._verdict.show(tried.step.entry.ply, 0, self._text("try_failed"), lines, good=False)
        self._verdict.ask(asks=True)
        if self._panel.lessons is not None:
            self._panel.lessons.did("fall")

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
        if by not in self._panel.mine:
            return
        self.show_verdict()
        lessons = self._panel.lessons
        if lessons is not None and step.verdict.earned:
            lessons.did("earn")
        if lessons is not None and (step.verdict.fallen or step.verdict.built is False):
            lessons.did("fall")

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
        """Shows the verdict on the last own ply of those that the page tells of."""
        mine = self._panel.mine
        for n in range(self._panel.shown - 1, -1, -1):
            step = self._room.steps[n]
            if step.entry.by not in mine or not isinstance(step, JudgedStep):
                continue
            if not isinstance(step.placement, Resign):
                break
        else:
            self._verdict.hide()
            return
        big, lines = judged_in_short(step, self._text, self._you)
        good = step.verdict.built is not False and not step.verdict.fallen
        self._verdict.show(step.entry.ply, step.verdict.earned, big, lines, good=good)
        self._verdict.ask(asks=False)
        self._verdict.can_show_again(self._own_film is not None and self._own_film[0] == n)

    @property
    def _you(self) -> int | None:
        mine = self._panel.mine
        return mine[0] if len(mine) == 1 else None

    def _again(self) -> None:
        """Shows the visitor's last ply once more, slowly."""
        if self._own_film is None or self._panel.filming:
            return
        n, film = self._own_film
        step = self._room.steps[n]
        self._stage.ghost((), "")
        self._stage.show(bodies(table_of(step.before)), 0)
        seconds = self._stage.play(film, bodies(table_of(step.after)), slowly=True)
        ui.timer(seconds, self._over, once=True)

    def _over(self) -> None:
        if not self._panel.filming:
            self._as_it_is()


class Verdict:
    """Create it where it belongs on the page. `clip` is the address of the clip of a ply, `again`
    shows the last own ply once more, `let_be` leaves it at the tries that have failed.
    """

    def __init__(
        self,
        text: Any,
        clip: Callable[[int], str],
        again: Callable[[], None],
        let_be: Callable[[], Awaitable[None]],
    ) -> None:
        self._clip, self._leaves = clip, let_be
        with ui.element("div").classes("verdict") as self._box:
            self._box.props('data-part="verdict"')
            self._cars = ui.label().classes("cars-earned")
            self._said = ui.label().classes("why")
            with ui.element("div").classes("line"):
                self._let_be = ui.button(text("let_it_be"), on_click=self._leave)
                self._let_be.props("outline dense no-caps data-let-be")
                self._again = ui.button(text("again_slowly"), icon="slow_motion_video")
                self._again.props("flat dense no-caps data-again").on("click", again)
                self._share = (
                    ui.element("a")
                    .classes("tool")
                    .props(f'data-part="clip" download aria-label="{escape(text("clip"))}"')
                )
                with self._share:
                    ui.icon("movie").props('aria-hidden="true"')
                    ui.label(text("clip"))
        self._box.set_visibility(False)

    def show(self, ply: int, cars: int, big: str, lines: Sequence[str], *, good: bool) -> None:
        """Shows the verdict on a ply of the visitor: what it earned, and what became of it."""
        self._box.set_visibility(True)
        self._box.props(f'data-cars="{cars}"')
        self._box.classes(add="good" if good else "bad", remove="bad" if good else "good")
        self._cars.set_text(big)
        self._said.set_text("\n".join(lines))
        self._said.set_visibility(bool(lines))
        self._share.props(f'href="{escape(self._clip(ply))}"')

    def ask(self, *, asks: bool) -> None:
        """Whether it may be left at the tries that have failed; until then there is no clip."""
        self._box.classes(add="asks" if asks else "", remove="" if asks else "asks")
        self._let_be.set_visibility(asks)
        self._share.set_visibility(not asks)
        if asks:
            self._again.set_visibility(False)

    async def _leave(self) -> None:
        self._let_be.disable()  # one press is an answer
        try:
            await self._leaves()
        finally:
            self._let_be.enable()

    def can_show_again(self, there: bool) -> None:
        """Whether the film of the ply is still known."""
        self._again.set_visibility(there)

    def hide(self) -> None:
        """Takes it away, as when the ply was taken back."""
        self._box.set_visibility(False)
