"""Problems and the challenge of the day in a real Chromium: they stand in the frame of a game,
nothing scrolls, and right and wrong are seen on the table.
"""

from __future__ import annotations

import json
import math
from datetime import date

import numpy as np
import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from shutoko.web.views.aiming import AimRequest, aim
from sim.challenge import of_day
from sim.problems import Problem, every, problems
from sim.referee.placement import Build
from sim.referee.table import Table
from tests.browser import Browser, Server, closes, opens, until
from tests.pages import aims, drawn, fine, led_down, on_a_phone, takes, taps, within

pytestmark = [pytest.mark.pages, pytest.mark.slow]

PROBLEM = next(one for one in problems("tokyo-highway") if one.goal == "cars")
BOARD = next(one for one in problems("thruway") if one.goal == "win")
DAY = date(2024, 1, 8)  # has passed wherever the tests run
_NEAR = 90.0  # mm
JUDGED = "return document.querySelector('.sentence').className"


def right(problem: Problem) -> tuple[float, float]:
    """Where the pillar of the first answer stands (mm)."""
    x, y = json.loads(problem.answers[0])["build"]["pillar"]
    return float(x), float(y)


def wrong(problem: Problem) -> tuple[float, float]:
    """A place (mm) at which nothing that may be built earns a car."""
    table = problem.begin()[2].table
    found = every(table)
    placed = (found.placement(n) for n in np.flatnonzero(found.cars == 0)[::7])
    return next(
        at
        for at in (one.at for one in placed if isinstance(one, Build) and near(one.at))
        if (aimed := aim(table, AimRequest(at))) is not None
        and aimed.legal
        and not aimed.cars
        and isinstance(aimed.placement, Build)
    )


def buildable(table: Table) -> tuple[float, float]:
    """A place (mm) at which a pillar may be built."""
    found = every(table)
    placed = (found.placement(n) for n in range(len(found.cars)))
    return next(one.at for one in placed if isinstance(one, Build) and near(one.at))


def near(at: tuple[float, float]) -> bool:
    """Whether a place (mm) is near enough to the middle to be seen on a phone."""
    return math.hypot(*at) < _NEAR


def left(browser: Browser) -> list[str]:
    """How many cars the plates say."""
    script = (
        "return [...document.querySelectorAll('[data-cars-left]')].map((e) => e.dataset.carsLeft)"
    )
    return list(browser.js(script))


def test_a_problem_at_a_table_is_answered_wrongly_and_rightly_on_a_phone(
    browser: Browser, server: Server
) -> None:
    with on_a_phone(browser):
        browser.open(f"{server.url}/problems/{PROBLEM.id}?plain=1")
        drawn(browser)
        browser.sees("Choose a place on the table")
        within(browser)
        assert browser.text("[data-task]") == f"Earn {PROBLEM.count} cars in this turn."
        assert browser.js("return document.querySelector('[data-part=act]').disabled")
        before = left(browser)
        taps(browser, *wrong(PROBLEM))
        browser.sees("no car", "[data-said]")
        fine(browser)
        browser.click("[data-part=act]")
        until(lambda: "bad judged" in browser.js(JUDGED), "it is wrong")
        browser.sees("Try again", "[data-part=act]")
        fine(browser)
        browser.click("[data-part=act]")
        browser.sees("Choose a place on the table")
        assert left(browser) == before, "the table is as it was"
        taps(browser, *right(PROBLEM))
        browser.sees(f"+{PROBLEM.count} cars", "[data-said]")
        taps(browser, *right(PROBLEM))  # a second tap does what the button does
        until(lambda: "good judged" in browser.js(JUDGED), "it is right")
        assert left(browser) != before, "the cars are placed"
        browser.sees("Next problem", "[data-part=act]")
        fine(browser)
        browser.click("[data-part=act]")
        until(lambda: PROBLEM.id not in browser.driver.current_url, "the next one is there")


def test_a_problem_at_a_table_is_solved_by_keys_alone_in_exact(
    browser: Browser, server: Server
) -> None:
    browser.open(f"{server.url}/problems/{PROBLEM.id}?plain=1")
    drawn(browser)
    opens(browser, "exact")
    for name, value in zip("xy", right(PROBLEM), strict=True):
        field = browser.find(f"[data-{name}]")
        field.send_keys(str(value))
    until(lambda: f"+{PROBLEM.count} cars" in browser.text("[data-said]"), "it is aimed at")
    field.send_keys("\n")
    until(lambda: "good judged" in browser.js(JUDGED), "it is right")
    closes(browser)


def test_a_problem_on_a_board_has_the_frame_too(browser: Browser, server: Server) -> None:
    with on_a_phone(browser):
        browser.open(f"{server.url}/problems/{BOARD.id}")
        browser.find(".board svg")
        fine(browser)
        browser.click("[data-part=show]")
        until(lambda: "good judged" in browser.js(JUDGED), "the answer is shown")
        fine(browser)


def test_the_challenge_is_tried_by_hand_on_a_phone(browser: Browser, server: Server) -> None:
    with on_a_phone(browser):
        browser.open(f"{server.url}/challenge?plain=1&day={DAY}")
        drawn(browser)
        browser.sees("3 tries left", "[data-task]")
        within(browser)
        aims(browser, *buildable(of_day(DAY).position.table))
        within(browser)
        takes(browser)
        fine(browser)
        led_down(browser)
        until(lambda: "judged" in browser.js(JUDGED), "it is judged")
        browser.sees("2 tries left", "[data-task]")
        fine(browser)
        browser.click("[data-part=act]")
        browser.sees("choose a piece", "[data-said]")
