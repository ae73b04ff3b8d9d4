"""The page of a game at a desk, on a small laptop, a tablet and a phone: everything that a turn
needs stands in the window, and nothing covers anything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from rules import record
from shutoko.web.rooms.store import Setup
from sim.assets import asset
from sim.game import replay
from tests.browser import Browser, Server, closes, opens, until
from tests.pages import CONTROLS, MOST, drawn, faults, made_room, pointer, standing, table_pixel

pytestmark = [pytest.mark.pages, pytest.mark.slow]

SIZES = {"desk": (1440, 900), "laptop": (1280, 720), "tablet": (820, 1180), "phone": (390, 844)}

_NAMES = ("Ann", "Regular Blue")
_PLY = 12  # of the shipped game: the verdict on the turn before is a long one

COVERED = """
    const floats = '.menu-button, .plate, .sentence, .verdict, .rounds .q-btn, .deeds, .choices, '
        + '.aside > .advices, .aside > .lesson, .room > .result, .sheet';
    const shown = (css) => [...document.querySelectorAll(css)].filter((e) =>
        e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width > 0);
    const named = (e) => e.dataset.part || e.ariaLabel || e.classList[0];
    const found = [], over = shown(floats);
    const apart = (one, other) => {
        const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 1) found.push([named(one), named(other)]);
    };
    const own = (one, other) => other.matches('.sheet') && one.ariaExpanded === 'true';
    over.forEach((one, i) => over.slice(i + 1).forEach((other) => {
        if (!own(one, other)) apart(one, other); // a sheet may cover the button that opened it
    }));
    for (const cell of shown('.board .cell')) for (const one of over) apart(cell, one);
    return found;
"""
"""What covers something that one would press or read."""


@contextmanager
def of_size(browser: Browser, size: str) -> Iterator[None]:
    wide, high = SIZES[size]
    given = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": wide < 600}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", given)
    yield
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def room(browser: Browser, server: Server, plies: int) -> str:
    """A room against the computer, after so many plies of a shipped game."""
    shipped = record.read(asset("records", "knock.jsonl"))
    start = record.Record(shipped.header, replay.branch(shipped, plies).entries) if plies else None
    setup = Setup("tokyo-highway", _NAMES, (None, "greedy"), record=start, hands=("own", "expert"))
    return made_room(server, setup, browser)


def aims(browser: Browser) -> None:
    """Keeps the build that was made there, and earns a car."""
    shipped = record.read(asset("records", "knock.jsonl"))
    until(lambda: not browser.js("return window.__bodies.flight"), "the camera stands still")
    at = table_pixel(browser, *shipped.entries[_PLY].do["build"]["pillar"])
    pointer(browser, ("move", *at), ("down",), ("up",))
    browser.sees("+1 car", "[data-said]")


def hints_shown(browser: Browser, button: str = "[data-hint]") -> None:
    browser.click(button)
    until(lambda: browser.js("return !!document.querySelector('.advice')"), "moves are named")


def nothing_covered(browser: Browser, when: str) -> None:
    found: list[Any] = []

    def free() -> bool:
        found[:] = browser.js(COVERED)
        return not found

    try:
        until(free, when, 20)
    except AssertionError:
        raise AssertionError(f"{when}: {found[:6]}") from None


def room_for_all(browser: Browser) -> None:
    """All that a turn needs stands in the window, it is not too much, and nothing is covered."""
    standing(browser, _NAMES)
    stops = browser.js(CONTROLS)
    beside = [name for name in stops if not name.startswith(("1", "2", "3"))]
    assert len(beside) <= MOST, stops
    nothing_covered(browser, "in a turn")


@pytest.mark.parametrize("size", SIZES)
def test_in_a_turn_at_a_table_everything_stands_in_the_window_and_nothing_covers_anything(
    browser: Browser, server: Server, size: str
) -> None:
    with of_size(browser, size):
        browser.open(f"{room(browser, server, 0)}?plain=1")
        drawn(browser)
        room_for_all(browser)
        browser.open(f"{room(browser, server, _PLY)}?plain=1")
        drawn(browser)
        browser.sees("3 pieces fall", "[data-part=verdict]")
        room_for_all(browser)
        aims(browser)
        room_for_all(browser)
        assert faults(browser) == []
        hints_shown(browser)
        room_for_all(browser)


@pytest.mark.parametrize("size", SIZES)
def test_what_is_asked_after_a_fall_stands_beside_the_card_of_a_lesson(
    browser: Browser, server: Server, size: str
) -> None:
    with of_size(browser, size):
        browser.open(f"{room(browser, server, _PLY)}?plain=1&guide=1")
        drawn(browser)
        browser.find("[data-lesson]")
        nothing_covered(browser, "a lesson and the last verdict")
        aims(browser)
        browser.click("[data-part=act]")
        until(lambda: browser.js("return !!window.__bodies.held"), "the pieces are in the hand")
        for _ in range(browser.js("return window.__bodies.held.parts.length")):  # let go early
            browser.js("shutokoHand.letGo()")
        browser.find("[data-let-be]")
        browser.find("[data-lesson]")
        nothing_covered(browser, "the question after a fall")
        browser.click("[data-let-be]")
        until(lambda: "lost" in browser.text("[data-part=verdict]"), "the verdict on the lost turn")
        nothing_covered(browser, "while the computer plays")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["meridians", "thruway"])
def test_on_a_board_no_cell_is_covered(
    browser: Browser, server: Server, game: str, size: str
) -> None:
    with of_size(browser, size):
        browser.open(server.url)
        browser.click(f"[data-learn={game}]")
        browser.find(".board svg")
        browser.find("[data-lesson]")
        nothing_covered(browser, "a guided game")
        hints_shown(browser)
        nothing_covered(browser, "hints")
        browser.js("document.querySelector('.advice').click()")
        browser.find("[data-confirm]")
        nothing_covered(browser, "a hint is taken")
        browser.js("document.querySelector('[data-skip]').click()")
        nothing_covered(browser, "without the guide")
        if size in ("desk", "laptop"):  # elsewhere a sheet lies over the page, and leaves
            for sheet in ("menu", "log"):
                opens(browser, sheet)
                nothing_covered(browser, sheet)
                closes(browser)
