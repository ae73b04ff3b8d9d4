"""The page of the dexterity challenge of the day: aim, take the pieces in hand, see what stands."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from nicegui import ui

from rules.errors import ShutokoError, cut
from shutoko.export.film import MENDING
from shutoko.web.pages import frame
from shutoko.web.pages.frame import Visitor, refusals, tell, visitor, while_there
from shutoko.web.pages.problems.page import Window
from shutoko.web.pages.problems.posed import OnTable
from shutoko.web.pages.rooms.floats import round_button
from shutoko.web.pages.rooms.placing import HEARD, ByHand
from shutoko.web.site import Site
from shutoko.web.views import (
    piles,
    tray_of_mover,
)
from shutoko.web.work import (
    ANSWER,
    MOVE,
    Grip,
    Posed,
    table_of,
    tables as work,
)
from sim.challenge import CAR, FALLEN, FIRST, STANDS, TRIES, Challenge, of_day
from sim.game.attempts.posing import bodies

_KNOWN = 8  # challenges that are kept ready


def register(site: Site) -> None:
    """Adds the page."""
    tries, known = work.Tries(), dict[date, Challenge]()

    @frame.page("/challenge")
    async def challenge_page(day: str = "") -> None:
        who, today = visitor(), datetime.now(UTC).date()
        asked = _day(day, today) if day else today
        if asked is None:
            raise ShutokoError(who.text("challenge_none", day=cut(day)))
        if asked not in known:
            found = await site.workers.run(of_day, asked, kind=ANSWER, who=who.counted)
            while len(known) >= _KNOWN:
                del known[next(iter(known))]
            known[asked] = found
        Today(site, who, known[asked], tries).build()


def _day(text: str, today: date) -> date | None:
    """A day that has had its challenge; None if the text names none."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if FIRST <= day <= today else None


class Today:
    """One visitor's page of a challenge. `waits`: a placement would be taken in hand now."""

    def __init__(self, site: Site, who: Visitor, challenge: Challenge, tries: work.Tries) -> None:
        self.site, self.who, self.text, self.challenge = site, who, who.text, challenge
        state = challenge.position
        self.posed = Posed(state, state, state)
        self._tries = tries
        day, title = challenge.day, self.text("challenge_day")
        self.title = title if day == datetime.now(UTC).date() else f"{title} ({day})"
        self._busy = self._shows = False
        self._grip: Grip | None = None

    @property
    def waits(self) -> bool:
        """Whether the visitor may aim."""
        return not (self._busy or self._shows or self._grip is not None) and self._left > 0

    @property
    def _left(self) -> int:
        return self._tries.left(self.who.holder, self.challenge.day)

    @property
    def rule(self) -> str:
        """What a try is worth."""
        rule = {"stands": STANDS, "car": CAR, "fallen": -FALLEN, "tries": TRIES}
        return str(self.text("challenge_rule", **rule))

    def build(self) -> None:
        """The page."""
        text = self.text
        self.shown = shown = InHand(self)
        mover, about = self.challenge.position.to_move, (text("challenge_about"), self.rule)
        self.window = Window(self.who, self.title, shown.sides(), mover, self.act)
        self.window.build(shown, self._task, about, sounds=True)
        self._again()

    async def act(self) -> None:
        """What the main button says: picks up, begins the next try, or leaves."""
        if self.waits:
            await self.shown.give()
        elif self._left < 1:
            ui.navigate.to("/problems")
        elif self._shows:
            self._again()

    async def answer(self, move: str) -> None:
        """Takes the pieces of a placement into the hand."""
        if self.waits:
            self.shown.pick_up(move)

    def grip(self, move: str) -> Grip:
        """The pieces of a placement in the hand of the next try. Raises ShutokoError."""
        self._grip = work.grip(self.challenge, move, TRIES - self._left)
        return self._grip

    def put_back(self) -> None:
        """The visitor has put the pieces back: nothing was tried."""
        self._grip = None

    async def placed(self, _: str, traces: Any) -> None:
        """The pieces of a move were let go: a try is made of it."""
        grip, self._grip = self._grip, None
        if grip is None or self._busy or self._left < 1:
            return
        self._busy = True
        self.shown.falls()
        done = await self._made(grip, traces)
        if self.window.is_left:
            return
        if done is None:
            self._again()
            return
        self._shows = True
        one = done.worth
        self.shown.see(done)
        told = "challenge_stood" if one.built else "challenge_fell"
        mood = "good judged" if one.built else "bad judged"
        self.window.say(self.text(told, **one.values()), "", mood)
        self.window.ask(self._task)
        self.window.offer(self.text("challenge_again" if self._left else "problem_all"))

    async def _made(self, grip: Grip, traces: Any) -> work.Done | None:
        """Makes a try and counts it; None if it is none, and then the page has said why."""
        who, n, why = self.who, TRIES - self._left, self.text("challenge_refused")
        try:
            with refusals(self.text):
                let_go = grip.let_go(traces)
                if not grip.lasted(traces):
                    raise ShutokoError(why)
                made = self.site.workers.run(
                    work.tried, self.challenge, grip.text, n, let_go, kind=MOVE, who=who.counted
                )
                done = await while_there(made)
                if TRIES - self._left != n:  # another page of this visitor was quicker
                    raise ShutokoError(why)
                self._tries.add(who.holder, self.challenge.day, done.worth)
                return done
        except (TypeError, ValueError, IndexError):  # traces that no page makes
            tell(why)
        finally:
            self._busy = False
        return None

    @property
    def _task(self) -> str:
        """The tries that are left, and the best so far."""
        text, done = self.text, self._tries.of(self.who.holder, self.challenge.day)
        best = max((one.points for one in done), default=0)
        first = text("challenge_best", points=best) if done else f"{self.title}."
        left = text("challenge_left", n=self._left) if self._left else text("challenge_over")
        return f"{first} {left}"

    def _again(self) -> None:
        self._shows = False
        self.window.ask(self._task)
        self.shown.pose()
        if not self._left:
            self.shown.rest()
            self.window.offer(self.text("problem_all"))
            self.window.say(self.title)


class InHand(OnTable):
    """The table, on which a placement is not answered but taken in hand."""

    deed = "pick_up"

    def __init__(self, page: Today) -> None:
        super().__init__(page)
        self._today = page
        self._done: work.Done | None = None

    def build_deeds(self) -> None:
        """The pieces to choose from, and the buttons of the hand."""
        super().build_deeds()
        self._by_hand = ByHand(
            self.stage, self.text, self._today.grip, self._today.placed, self._held_or_not
        )

    def build_rounds(self) -> None:
        """The buttons that show everything, and the last try once more."""
        super().build_rounds()
        self._slowly = round_button(
            "slow_motion_video", self.text("again_slowly"), "slowly", self._see_again
        )
        self._slowly.set_visibility(False)

    def pick_up(self, move: str) -> None:
        """Takes the pieces of a placement into the hand, or says why not."""
        self._by_hand.take(move, tray_of_mover(table_of(self._today.challenge.position)))

    def pose(self) -> None:
        """The table, ready to be aimed at."""
        self._slowly.set_visibility(False)
        super().pose()

    def falls(self) -> None:
        """The pieces were let go, and nobody knows yet what comes of it."""
        self.rest()
        self._today.window.offer("")
        self._today.window.say(self.text("busy"))

    def see(self, done: work.Done) -> None:
        """Shows what came of a try."""
        self._done = done
        self._slowly.set_visibility(done.film is not None)
        after = table_of(done.after)
        self.stage.supplies(*piles(after))
        self._today.window.show(after)
        if done.film is None:
            self.stage.show(bodies(after))
            return
        stood = {body.id for body in bodies(self._table)}
        lost = [] if done.worth.built else [name for name in done.film.keys if name not in stood]
        seconds = self.stage.play(done.film, bodies(after), watched=lost)
        self.stage.hatch(done.fallen, seconds - MENDING, seconds)

    def _see_again(self) -> None:
        done = self._done
        if done is not None and done.film is not None:
            self.stage.show(bodies(self._table), 0)
            self.stage.play(done.film, bodies(table_of(done.after)), slowly=True)

    @property
    def invites(self) -> Sequence[str]:
        """What to do, and what it is worth."""
        return self.text("your_turn_build"), self._today.rule

    def hand(self, detail: dict[str, Any]) -> None:
        """Goes on with pieces in the hand, or aims."""
        what = detail.get("type")
        if what not in HEARD:
            super().hand(detail)
            return
        held = self._by_hand.holding
        self._by_hand.heard(detail)
        if held and what != "next" and not isinstance(detail.get("traces"), list):
            self._today.put_back()
            self.resume()

    def _held_or_not(self) -> None:
        """Shows that pieces are in the hand, or no longer are."""
        window, holding = self._today.window, self._by_hand.holding
        window.hold(holding=holding)
        if holding:
            self.rest()
            window.offer("")
            window.say(self._by_hand.said)
