"""The list of all problems by game and difficulty, the problem of the day, and the page on which
somebody solves one.

`posed` shows the position and takes the answer. The browser keeps in a cookie which problems are
solved, so they stay on the device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any, NamedTuple, Protocol

from nicegui import ui

from rules.game import Game
from shutoko.web.pages.controls import card, loading, main_button, text_button
from shutoko.web.pages.frame import Visitor, bare_frame, frame, refusals, while_there
from shutoko.web.pages.rooms.floats import (
    Saying,
    exact,
    heading,
    menu_head,
    plates,
    round_button,
    sheet,
    top,
)
from shutoko.web.site import Site
from shutoko.web.views import (
    guide,
    judged_in,
    plate_of,
)
from shutoko.web.work import (
    ANSWER,
    Posed,
)
from sim.game.highway import NAME
from sim.languages import Sentence
from sim.problems import LEVELS, Judgement, Problem, games, judge, of_the_day, problems
from sim.referee.table import Table

COOKIE = "shutoko-solved"
"""The cookie; `static/board.js` writes it."""


def solved() -> frozenset[str]:
    """The ids that the browser of the page that is being built has kept; anything may stand
    there.
    """
    return frozenset(ui.context.client.request.cookies.get(COOKIE, "").split("."))


def keep_solved(name: str) -> None:
    """Has the browser keep that a problem is solved."""
    _ = ui.run_javascript(f"shutokoSolved({name!r})")


# --- the list -------------------------------------------------------------------------------------


def goal_of(problem: Problem, text: Any) -> str:
    """What a problem asks for, in a sentence."""
    return str(text(f"problem_goal_{problem.goal}", n=problem.count))


def number_of(problem: Problem) -> str:
    """The number of a problem among those of its game."""
    return problem.id.rpartition("-")[2]


def build(site: Site, who: Visitor) -> None:
    """The list."""
    text, done = who.text, solved()
    with frame(who, text("problems")):
        ui.html(f'<h2 class="plain">{escape(text("problems"))}</h2>', sanitize=False)
        ui.label(text("problems_about")).classes("soft")
        with ui.element("div").classes("cards"):
            day_card(site, who, all_here=True)
        for name in (name for name in site.games if name in games()):
            made = site.game(name)
            if made is not None:
                _of_game(who, made, problems(name), done)


def day_card(site: Site, who: Visitor, *, all_here: bool = False) -> None:
    """The problem and the challenge of the day: by the date, the same for everybody; with the way
    to all problems, unless they are `all_here`.
    """
    there = [name for name in games() if site.game(name) is not None]
    problem = of_the_day(datetime.now(UTC).date()) if there else None
    made = site.game(problem.game) if problem is not None else None
    if problem is None or made is None:
        return
    text = who.text
    about = f"{guide(made, text).title}: {goal_of(problem, text)}"
    mark = f" ({text('problem_done')})" if problem.id in solved() else ""
    with (
        card(text("problem_day"), about, 'data-card="problem"'),
        ui.element("div").classes("line"),
    ):
        text_button(
            text("problem_solve") + mark,
            lambda: ui.navigate.to(f"/problems/{problem.id}"),
            "outline data-day",
            icon="extension",
        )
        if not all_here:
            ui.link(text("problem_all"), "/problems").classes("tool").props("data-problems")
    if NAME in site.games:
        with card(text("challenge_day"), text("challenge_about"), 'data-card="challenge"'):
            text_button(
                text("challenge_take"),
                lambda: ui.navigate.to("/challenge"),
                "outline data-challenge",
                icon="back_hand",
            )


def _of_game(who: Visitor, made: Game[Any], some: Sequence[Problem], done: frozenset[str]) -> None:
    text = who.text
    about = text("problems_solved", n=sum(one.id in done for one in some), of=len(some))
    with card(guide(made, text).title, about, f'data-problems="{made.name}"'):
        for level in LEVELS:
            here = [one for one in some if one.level == level]
            if here:
                ui.label(text(f"problem_level_{level}"))
                with ui.element("div").classes("line"):
                    for one in here:
                        _link(one, text, is_done=one.id in done)


def _link(problem: Problem, text: Any, *, is_done: bool) -> None:
    said = goal_of(problem, text) + (f" ({text('problem_done')})" if is_done else "")
    ui.link(f"{number_of(problem)}{' ✓' if is_done else ''}", f"/problems/{problem.id}").classes(
        "numbered" + " done" * is_done
    ).props(f'data-problem="{problem.id}"').props(
        f'aria-label="{number_of(problem)}: {escape(said)}" title="{escape(said)}"'
    )


# --- a page on which one thing is asked -----------------------------------------------------------


class Side(NamedTuple):
    """A side of a position: its name and its CSS colour."""

    name: str
    colour: str


class Window:
    """Create it before the page. `sides` are those of the position by seat, `mover` the seat that
    is asked, and `on_act` is called when the `main` button is pressed.
    """

    def __init__(
        self,
        who: Visitor,
        title: str,
        sides: Sequence[Side],
        mover: int,
        on_act: Callable[[], Any],
    ) -> None:
        self._who, self._text, self._title = who, who.text, title
        self._sides, self._mover, self._on_act = sides, mover, on_act

    def build(self, shown: Shown, task: str, about: Sequence[str], *, sounds: bool) -> None:
        """The whole page: the picture fills the window; around it stand what is asked for, the main
        button, which lies below the pieces on a phone, and the round buttons. The sheet of the menu
        ends with lines about what is asked.
        """
        text = self._text
        with (
            bare_frame(self._who, self._title, "sounds.js", "holding.js", "board.js"),
            ui.element("div")
            .classes("room mine posed")
            .props(f'data-seats="{len(self._sides)}"') as self._root,
        ):
            shown.build()
            self._begin(task)
            with ui.element("div").classes("deeds").props("data-edge=bottom"):
                shown.build_deeds()
                self.main = main_button("", self._on_act)
            with ui.element("div").classes("rounds").props("data-edge=right") as self.rounds:
                shown.build_rounds()
            with sheet("menu", text("menu"), text):
                menu_head(self._who, sounds=sounds)
                with exact(text):
                    shown.build_exact()
                for line in about:
                    ui.label(line).classes("soft")
                with ui.element("div").classes("line") as self.links:
                    ui.link(text("problem_all"), "/problems").classes("tool")

    def _begin(self, task: str) -> None:
        """Makes what stands above: the button of the menu, the plates, what is asked for, and the
        sentence.
        """
        heading(self._title, self._text)
        self._plates = plates(self._text, self._sides)
        for seat, row in enumerate(self._plates):
            row.notes.set_text(self._text("you") if seat == self._mover else "")
            row.show(None, self._text, turn=seat == self._mover)
        with top():
            self._saying = Saying(task)
            self.ask = self._saying.ask
            with ui.element("div").classes("below"):
                self._more = ui.label().classes("verdict why").props("data-line")
                self._more.set_visibility(False)

    def show(self, table: Table) -> None:
        """Shows on the plates what each seat has left."""
        for seat, row in enumerate(self._plates):
            row.show(plate_of(table, seat), self._text, turn=seat == self._mover)

    def say(self, said: str, why: str = "", mood: str = "", more: str = "") -> None:
        """Says the one sentence that is true now. `mood` is good or bad, with `judged` beside it
        for an answer that was judged; `more` stands below.
        """
        self._saying.say(said, why, mood)
        self._more.set_text(more)
        self._more.set_visibility(bool(more))

    def offer(self, deed: str, *, may: bool = True) -> None:
        """Says what the main button does, and whether it may be pressed; without words there is
        none.
        """
        self.main.set_text(deed)
        self.main.set_visibility(bool(deed))
        self.main.set_enabled(may)

    def hold(self, *, holding: bool) -> None:
        """Shows that pieces are in the hand, or no longer are."""
        self._root.classes(add="holding" if holding else "", remove="" if holding else "holding")

    @property
    def is_left(self) -> bool:
        """Whether nobody looks at the page any more."""
        return bool(self._root.is_deleted)


# --- solving --------------------------------------------------------------------------------------


class Shown(Protocol):
    """What the page asks of the part that shows the position."""

    def build(self) -> None:
        """The position."""

    def build_deeds(self) -> None:
        """What stands beside the main button."""

    def build_rounds(self) -> None:
        """Round buttons of its own."""

    def build_exact(self) -> None:
        """The controls for those who type."""

    def pose(self) -> None:
        """Shows the position as it is posed, ready for an answer."""

    async def give(self) -> None:
        """Answers with what is chosen."""

    def show(self, move: str, found: Judgement) -> None:
        """Shows an answer that was judged; nothing more is answered."""

    def told(self, move: str) -> str:
        """A move for people."""

    def sides(self) -> Sequence[Side]:
        """The sides by seat."""


class Solving:
    """One visitor's page of one problem. `is_over`: the answer is known, and nothing more is
    judged.
    """

    def __init__(
        self, site: Site, who: Visitor, problem: Problem, made: Game[Any], posed: Posed
    ) -> None:
        self.site, self.who, self.problem, self.made, self.posed, self.text = (
            site,
            who,
            problem,
            made,
            posed,
            who.text,
        )
        self.is_over = self._is_judging = self._is_solved = False

    def build(self, shown: Shown) -> None:
        """The page."""
        self.shown, text, problem = shown, self.text, self.problem
        title = text("problem_n", title=guide(self.made, text).title, n=number_of(problem))
        missed = text("problem_missed", percent=round(100 * problem.missed))
        about = (title, f"{text(f'problem_level_{problem.level}')}. {missed}")
        self.window = Window(self.who, title, shown.sides(), self.posed.state.to_move, self.act)
        self.window.build(shown, goal_of(problem, text), about, sounds=False)
        with self.window.rounds:
            self.give_up = round_button(
                "visibility", text("problem_show"), "show", self._show_answer
            )
        if self._following is not None:
            with self.window.links:
                ui.link(text("problem_next"), self._following).classes("tool").props(
                    "data-next"
                ).move(target_index=0)
        self._again()

    @property
    def _following(self) -> str | None:
        """Where the next problem of the game is."""
        some = problems(self.problem.game)
        at = some.index(self.problem) + 1
        return f"/problems/{some[at].id}" if at < len(some) else None

    # --- what somebody does -----------------------------------------------------------------------

    @property
    def waits(self) -> bool:
        """Whether an answer would be taken now."""
        return not (self.is_over or self._is_judging)

    async def answer(self, move: str) -> None:
        """Judges an answer and says what it is worth."""
        if not self.waits:
            return
        self._is_judging = True
        with refusals(self.text):
            try:
                asked = (judge, self.problem, move)
                with loading(self.window.main):
                    found = await while_there(
                        self.site.workers.run(*asked, kind=ANSWER, who=self.who.counted)
                    )
            finally:
                self._is_judging = False
            if found.right and not self.window.is_left:
                keep_solved(self.problem.id)
            if not self.window.is_left:
                self._end(move, found, judged_in(self.text.language, found), solved=found.right)

    async def act(self) -> None:
        """What the main button says: answers, begins again, or goes on to the next problem."""
        if not self.is_over:
            await self.shown.give()
        elif self._is_solved:
            ui.navigate.to(self._following or "/problems")
        else:
            self._again()

    def _end(self, move: str, found: Judgement, said: str, *, solved: bool) -> None:
        """Shows an answer, and what to do after it."""
        self.is_over, self._is_solved = True, solved
        self.shown.show(move, found)
        mood = "good judged" if found.right else "bad judged"
        self.window.say(said, "", mood, self._line(move) if found.right else "")
        self.give_up.set_visibility(not found.right)
        onward = "problem_next" if self._following else "problem_all"
        self.window.offer(self.text(onward if solved else "problem_again"))

    def _line(self, move: str) -> str:
        """How the game could go on after an answer, where it does not end with it."""
        first, *rest = self.problem.line
        if not rest or move != first:
            return ""
        return str(self.text("problem_line", moves=", ".join(map(self.shown.told, rest))))

    def _show_answer(self) -> None:
        """Shows a right answer; the problem does not count as solved."""
        if self._is_judging:
            return
        answer = self.problem.answers[0]
        said = Sentence("problem_shown", {"move": self.shown.told(answer)})
        self._end(answer, Judgement(True, said), said.told(self.text.language), solved=False)

    def _again(self) -> None:
        self.is_over = self._is_solved = False
        self.give_up.set_visibility(True)
        self.shown.pose()
