"""The pages of problems, with NiceGUI's simulation of a visitor: the list, a right and a wrong
answer, the one of the day.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from nicegui import ElementFilter, ui
from nicegui.testing import User

from rules.moments import Moment
from shutoko.web.pages.problems import page as problem_pages
from shutoko.web.pages.problems.page import Solving
from shutoko.web.site import Site
from shutoko.web.work import jobs
from sim.problems import Problem, games, problems

ALL = [problem for name in games() for problem in problems(name)]
BOARD = next(
    one
    for one in ALL
    if one.goal == "win" and one.count == 2 and not one.answers[0].startswith("{")
)
TABLE = next(one for one in ALL if one.goal == "cars")


@pytest.fixture
def pages(site: Site, monkeypatch: pytest.MonkeyPatch) -> list[Solving]:
    """The pages of problems, as they are built."""
    del site  # is there first
    made, built = list[Solving](), Solving.build
    monkeypatch.setattr(
        Solving, "build", lambda page, *args, **how: (made.append(page), built(page, *args, **how))
    )
    return made


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The problems that are kept as solved."""
    found = list[str]()
    monkeypatch.setattr(problem_pages, "keep_solved", found.append)
    return found


@pytest.mark.slow
@pytest.mark.anyio
async def test_problems_are_listed_game_by_game_and_the_lobby_has_one_for_the_day(user, site):
    await user.open("/problems")
    with user:
        links = [
            one.props["href"] for one in ElementFilter(kind=ui.link) if "data-problem" in one.props
        ]
    assert links == [f"/problems/{problem.id}" for problem in in_order(links)]
    assert len(links) == len(ALL)
    await user.should_see("Problem of the day")
    assert (await user.http_client.get("/problems/nothing")).status_code == 404
    await user.open("/")
    await user.should_see("Problem of the day")


@pytest.mark.anyio
async def test_the_replay_of_a_game_tells_what_decided_it_and_leads_there(user, site, monkeypatch):
    """The judge is a stand-in: what it finds is tested in tests/rules/test_moments.py."""
    found = [Moment(4, 4, 0, "f5-g5", "e6-e7", 0.7, 0.4)]
    monkeypatch.setattr(jobs, "reviewer", lambda made: None)
    monkeypatch.setattr(jobs, "moments", lambda judge, steps, seed, on_ply: found)
    await user.open("/replay/shipped/boards-thruway-opening")
    user.find("What decided it?").click()
    await user.should_see("ply 4: here the game turned. north played f5-g5", retries=600)
    await user.should_see("the chance to win fell from 70% to 40%; e6-e7 was better")
    user.find("ply 4: here").click()
    await user.should_see("3. south")


def in_order(links: list[str]) -> list[Problem]:
    """The problems, game by game as the list has the games, easy ones first."""
    there = list(dict.fromkeys(link.rpartition("/")[2].rpartition("-")[0] for link in links))
    return [problem for name in there for problem in problems(name)]


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_problem_on_a_board_is_tried_in_vain_and_solved(user, pages, kept):
    await user.open(f"/problems/{BOARD.id}")
    page = pages[-1]
    await user.should_see("Win in 2 moves")
    wrong = next(
        str(move) for move in page.posed.state.legal_moves() if str(move) not in BOARD.answers
    )
    await answered(user, page, wrong)
    await user.should_see("The other side answers")
    assert kept == []
    user.find("Try again").click()
    await user.should_not_see("The other side answers")
    await answered(user, page, BOARD.answers[0])
    await user.should_see("Right: it wins in 2 moves")
    assert kept == [BOARD.id]
    await user.should_see("The game could go on: ")
    await user.should_not_see("Try again")


async def answered(user: User, page: Solving, move: str) -> None:
    with user.client:
        await page.answer(move)


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_problem_at_a_table_is_shown_tried_again_and_solved(user, pages, kept):
    await user.open(f"/problems/{TABLE.id}")
    page = pages[-1]
    await user.should_see(f"Earn {TABLE.count} cars in this turn.")
    await user.should_see("Choose a place on the table")
    with user.client:
        page._show_answer()
    await user.should_see("The answer: ")
    assert kept == []
    user.find("Try again").click()
    await user.should_see("Choose a place on the table")
    x, y = json.loads(TABLE.answers[0])["build"]["pillar"]
    tap = {"type": "tap", "x": x, "y": y}
    shown: Any = page.shown
    with user.client:
        shown.hand(tap)
        await user.should_see(f"+{TABLE.count} cars")
        assert page.waits, "one tap only aims"
        shown.hand({**tap, "ghost": True})  # the second one does what the button does
    await user.should_see(f"Right: {TABLE.count} cars at once.")
    assert kept == [TABLE.id]
    with user.client:
        await page.act()  # the button goes on to the next problem
