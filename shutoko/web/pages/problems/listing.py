"""The list of all problems, by game and difficulty, and the problem of the day on the lobby."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any

from nicegui import ui

from rules.game import Game
from shutoko.web.pages.frame import Visitor, frame
from shutoko.web.pages.problems.progress import solved
from shutoko.web.site import Site
from shutoko.web.views.guides import guide
from sim.problems import Problem, games, of_the_day, problems
from sim.problems.shelf import LEVELS

__all__ = ["build", "day_card", "goal_of", "number_of"]


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
        day_card(site, who)
        for name in site.games:
            made = site.game(name)
            if made is not None and problems(name):
                _of_game(who, made, problems(name), done)


def day_card(site: Site, who: Visitor) -> None:
    """The problem of the day: by the date, the same for everybody."""
    there = [name for name in games() if site.game(name) is not None]
    problem = of_the_day(datetime.now(UTC).date()) if there else None
    made = site.game(problem.game) if problem is not None else None
    if problem is None or made is None:
        return
    text = who.text
    with ui.element("section").classes("card").props('data-card="problem"'):
        ui.html(f"<h2>{escape(text('problem_day'))}</h2>", sanitize=False)
        ui.label(f"{guide(made, text).title}: {goal_of(problem, text)}").classes("soft")
        with ui.element("div").classes("line"):
            mark = f" ({text('problem_done')})" if problem.id in solved() else ""
            button = ui.button(text("problem_solve") + mark, icon="extension")
            button.props("outline no-caps data-day").on("click", lambda: ui.navigate.to(f"/problems/{problem.id}"))
            ui.link(text("problem_all"), "/problems").classes("tool").props("data-problems")


def _of_game(who: Visitor, made: Game[Any], some: Sequence[Problem], done: frozenset[str]) -> None:
    text = who.text
    with ui.element("section").classes("card").props(f'data-problems="{made.name}"'):
        ui.html(f"<h2>{escape(guide(made, text).title)}</h2>", sanitize=False)
        ui.label(text("problems_solved", n=sum(one.id in done for one in some), of=len(some))).classes("soft")
        for level in LEVELS:
            here = [one for one in some if one.level == level]
            if here:
                ui.label(text(f"problem_level_{level}"))
                with ui.element("div").classes("line"):
                    for one in here:
                        _link(one, text, is_done=one.id in done)


def _link(problem: Problem, text: Any, *, is_done: bool) -> None:
    mark = f" ({text('problem_done')})" if is_done else ""
    said = goal_of(problem, text) + mark
    link = ui.link(f"{number_of(problem)}{' ✓' if is_done else ''}", f"/problems/{problem.id}")
    link.classes("numbered" + " done" * is_done).props(f'data-problem="{problem.id}"')
    link.props(f'aria-label="{number_of(problem)}: {escape(said)}" title="{escape(said)}"')
