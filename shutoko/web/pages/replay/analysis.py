"""What the computer says of a game on a page: the list of its best moves, the analysis of each
position of a replay, and the moments that decided the game.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from rules import defaults
from rules.defaults import side_of
from rules.game import Game
from rules.moments import Moment, has_reviewer
from rules.record import Record, dumps
from shutoko.plain import plain_line
from shutoko.web.pages.controls import Select, loading, text_button
from shutoko.web.pages.frame import Visitor, refusals, while_there
from shutoko.web.site import Site
from shutoko.web.views import (
    told_move,
    told_placement,
)
from shutoko.web.work import (
    HINT,
    MOMENTS,
    Rated,
    advised,
    adviser,
    apart,
    decided,
    goes_by_the_clock,
    question,
)
from sim.languages import Sentence

# --- best moves -----------------------------------------------------------------------------------


class AdviceList:
    """Create it where it belongs on the page; it is hidden while it is empty.

    `told` gives the words for a move's text. `pick` is called with the place in the list of a move
    that was clicked, or None if that move was picked before.
    """

    def __init__(
        self,
        text: Any,
        told: Callable[[str], str],
        pick: Callable[[int | None], None],
    ) -> None:
        self.text, self._told, self._pick = text, told, pick
        self.found: tuple[Rated, ...] = ()
        self.picked: int | None = None
        self._played, self._late = "", frozenset[str]()
        self._box = (
            ui.element("div")
            .classes("advices")
            .props(f'role="toolbar" aria-orientation="vertical" aria-label="{text("best_moves")}"')
        )
        self._box.set_visibility(False)

    def show(self, found: Sequence[Rated], played: str = "") -> None:
        """Shows moves, best first, with none picked; `played` is the move that was played."""
        self.found, self.picked, self._played = tuple(found), None, played
        self._late = frozenset()
        self._draw()

    def better(self, found: Sequence[Rated]) -> None:
        """Shows moves that are better known: a move that was there keeps its number, the picked one
        stays, and others take the free places, with a mark. No two have the same reason.
        """
        known = {one.move: one for one in found}
        here = {one.move for one in self.found}
        fresh = [one for one in found if one.move not in here]
        self._late = frozenset(one.move for one in fresh) if here else frozenset()
        picked = None if self.picked is None else self.found[self.picked].move
        shown: list[Rated] = []
        for one in self.found:
            if one.move in known or one.move == picked:
                shown.append(known.get(one.move, one))
            elif fresh:
                shown.append(fresh.pop(0))
        shown += fresh[: max(len(found) - len(shown), 0)]
        moves = [one.move for one in shown]
        own = apart(sorted(shown, key=lambda one: one.move != picked))
        self.found = tuple(sorted(own, key=lambda one: moves.index(one.move)))
        self.picked = next((n for n, one in enumerate(self.found) if one.move == picked), None)
        self._draw()

    def choose(self, picked: int | None) -> None:
        """Marks a move as picked without calling `pick`."""
        self.picked = picked
        self._draw()

    def _draw(self) -> None:
        self._box.set_visibility(bool(self.found))
        self._box.clear()
        with self._box:
            for n, one in enumerate(self.found):
                self._row(n, one)

    def _row(self, n: int, one: Rated) -> None:
        pressed = n == self.picked
        with (
            ui.element("button")
            .classes("advice" + " picked" * pressed + " late" * (one.move in self._late))
            .on("click", lambda: self.pick(n))
            .props(f'type="button" data-advice="{n + 1}" aria-pressed="{str(pressed).lower()}"')
            .props(f'tabindex="{0 if n == (self.picked or 0) else -1}"')
        ):
            ui.label(str(n + 1)).classes("rank")
            with ui.element("span").classes("told"):
                ui.label(self._told(one.move))
                if one.move == self._played:
                    ui.label(self.text("was_played")).classes("soft")
                said = [str(self.text(key, **values)) for key, values in one.reasons]
                why = "; ".join(said) or one.why
                if why:
                    ui.label(why).classes("soft")
            if one.chance is not None:
                with ui.element("span").classes("gauge").props('aria-hidden="true"'):
                    ui.element("span").style(f"width: {one.chance:.1%}")
            ui.label(self._worth(one)).classes("worth")

    def _worth(self, one: Rated) -> str:
        if one.proven and one.chance is not None:
            return str(
                self.text(
                    "sure_win"
                    if one.chance > 0.5
                    else "sure_loss"
                    if one.chance < 0.5
                    else "sure_draw"
                )
            )
        if one.chance is not None:
            return f"{one.chance:.0%}"
        if one.cars is None:
            return ""
        return str(self.text("worth_cars", n=one.cars))

    def pick(self, n: int) -> None:
        """Picks a move as a click does, in place of the one before."""
        if 0 <= n < len(self.found):
            self.choose(None if n == self.picked else n)
            self._pick(self.picked)


# --- analysis: who is better off; a worker thinks about one position at a time, the one shown last

_MOST = 5  # moves
_SECONDS = {1.0: "1 s", 5.0: "5 s", 20.0: "20 s"}


class Analysis:
    """`told` gives the words for a move's text. `on_show` is called with the moves to be marked,
    best first, and the place of the picked one among them.
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
        self.site, self._who, self.made, self.names, self.text, self._on_show = (
            site,
            who.counted,
            made,
            players,
            text,
            on_show,
        )
        self._known: dict[tuple[int, float], tuple[Rated, ...]] = {}
        self._at, self._played = -1, ""
        self._position: Any = None
        self._task: asyncio.Task[None] | None = None
        with ui.element("div").classes("line"):
            self.switch = ui.switch(
                text("analysis"), value="analysis" in who.query, on_change=self._again
            ).props("dense data-analysis")
            self.seconds = Select(dict(_SECONDS), value=1.0, on_change=self._again).props(
                f'dense borderless aria-label="{text("think_time")}"'
            )
            self.waiting = ui.spinner(size="1.2em")
        self.said = ui.label().classes("soft").props('role="status" data-chance')
        self.bar = ui.element("div").classes("chances").props('aria-hidden="true"')
        self.list = AdviceList(text, told, lambda picked: on_show(self.list.found, picked))
        self._again()

    def look(self, at: int, position: Any, played: str) -> None:
        """Looks at the position after `at` plies; `played` is the text of the move that was made in
        it, or empty.
        """
        self._at, self._position, self._played = at, position, played
        self._again()

    def _again(self) -> None:
        on, over = (
            bool(self.switch.value),
            self._position is not None and self._position.outcome() is not None,
        )
        found = self._known.get(self._key, ()) if on else ()
        self.seconds.set_visibility(on and goes_by_the_clock(self.made))
        self.list.show(found, self._played)
        self._show_chances(found, over=over and on)
        self._on_show(found, None)
        missing = on and not over and self._position is not None and self._key not in self._known
        self.waiting.set_visibility(missing)
        if missing and (
            self._task is None or self._task.done() or self._task is asyncio.current_task()
        ):
            self._task = asyncio.get_running_loop().create_task(self._think())

    @property
    def _key(self) -> tuple[int, float]:
        return (self._at, float(self.seconds.value))

    async def _think(self) -> None:
        spec = adviser(self.made, float(self.seconds.value))
        key, asked = self._key, question(self.made, self._position)
        with self.switch.client:
            with refusals(self.text):
                self._known[key] = await while_there(
                    self.site.workers.run(
                        advised, spec, asked, (0, key[0]), _MOST, kind=HINT, who=self._who
                    )
                )
            self._known.setdefault(key, ())
            if not self.switch.is_deleted:
                self._again()

    def _show_chances(self, found: Sequence[Rated], *, over: bool) -> None:
        """Shows the chance of each of two players to win, as far as the computer player says it."""
        position, names = self._position, self.names
        chances, said = tuple[float, ...](), ""
        if position is not None and over:
            winners = position.outcome().winners
            chances = tuple(
                float(seat in winners) if winners else 0.5 for seat in range(len(names))
            )
            said = self.text("analysis_over")
        elif position is not None and found:
            chance = found[0].chance
            if chance is None or len(names) != 2:
                said = self.text("turn_of", name=names[position.to_move])
            else:
                chances = (1.0 - chance, chance) if position.to_move else (chance, 1.0 - chance)
        shown = " - ".join(
            f"{name} {chance:.0%}" for name, chance in zip(names, chances, strict=False)
        )
        self.said.set_text(f"{said} {shown}".strip())
        self.said.set_visibility(bool(self.said.text))
        self.bar.set_visibility(len(chances) == 2)
        self.bar.clear()
        with self.bar:
            for seat, chance in enumerate(chances if len(chances) == 2 else ()):
                ui.element("span").classes(f"side{side_of(position, seat)}").style(
                    f"width: {chance:.1%}"
                )


# --- what decided a game --------------------------------------------------------------------------

_FEW = 4  # plies: shorter games are not decided by one


class Moments:
    """Create it where it belongs on the page. `record` is asked when somebody presses the button;
    `on_pick` is called with the place of a step, counted from 0, if somebody wants to see it.
    """

    def __init__(
        self,
        site: Site,
        who: Visitor,
        made: Game[Any],
        record: Callable[[], Record],
        on_pick: Callable[[Moment], None],
    ) -> None:
        self._site, self._who, self._made, self._record, self._on_pick = (
            site,
            who,
            made,
            record,
            on_pick,
        )
        text = who.text
        if not has_reviewer(made) or len(record().entries) < _FEW:
            return
        self.ask = text_button(
            text("moments_ask"), self._ask, "flat dense align=left data-moments", icon="insights"
        )
        self.said = ui.label().classes("soft").props('role="status" data-looked')
        self.list = (
            ui.element("div")
            .classes("advices")
            .props(f'role="group" aria-label="{text("moments")}"')
        )

    async def _ask(self) -> None:
        record, text = self._record(), self._who.text
        count, found = len(record.entries), None

        def looked(done: int) -> None:
            if not self.said.is_deleted:
                self.said.set_text(text("moments_at", done=done, plies=count))

        with refusals(text), loading(self.ask):
            work = self._site.workers.run(
                decided, dumps(record), kind=MOMENTS, who=self._who.counted, heard=looked
            )
            found = await while_there(work)
        if self.said.is_deleted:
            return
        self.said.set_text("" if found or found is None else text("moments_none"))
        self.ask.set_visibility(found is None)
        with self.list:
            for one in found or ():
                self._row(one, plain_line(record.header.players[one.by]))

    def _row(self, one: Moment, who: str) -> None:
        told = Sentence(f"moment-{one.kind}", self._values(one, who)).told(self._who.text.language)
        with (
            ui.element("button")
            .classes("advice")
            .on("click", lambda: self._on_pick(one))
            .props(f'type="button" data-moment="{one.ply}"')
        ):
            ui.label(told).classes("told")

    def _values(self, one: Moment, who: str) -> dict[str, Any]:
        on_table = defaults.table(self._made, self._made.start()) is not None
        words = told_placement if on_table else told_move
        played, better = (words(move, self._who.text) for move in (one.played, one.better))
        chances = {"had": f"{one.had:.0%}", "kept": f"{one.kept:.0%}"}
        return {"ply": one.ply, "who": who, "played": played, "better": better, **chances}
