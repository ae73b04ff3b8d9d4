"""The page of a game at a desk, on a small laptop, a tablet and a phone: everything that a turn
needs stands in the window, and nothing covers anything else.
"""

from __future__ import annotations

import base64
import io
from contextlib import suppress
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from shutoko.web.rooms.store import Setup
from tests.browser import Browser, Server, closes, opens, until
from tests.pages import (
    CONTROLS,
    MOST,
    drawn,
    faults,
    lets_fall,
    made_room,
    middle,
    of_size,
    on_a_phone,
    shipped,
    shows,
    standing,
    takes,
    taps,
)
from tests.shutoko.web.pages.test_photo_page import PHOTO, bring

pytestmark = [pytest.mark.pages, pytest.mark.slow]

SIZES = {
    "desk": (1440, 900),
    "laptop": (1280, 720),
    "tablet": (820, 1180),
    "sideways": (1180, 820),
    "phone": (390, 844),
}
ASIDE = {"small": (568, 320), "long": (740, 360), "usual": (844, 390), "large": (932, 430)}
"""Phones that lie on their side."""
EVERY = {**SIZES, **ASIDE}

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

OFFERED = """
    const b = window.__bodies, [left, top, right, low] = b.seen_at(b.extent(b.offers));
    return left >= 0 && top >= 0 && right <= innerWidth
        && low <= document.querySelector('.deeds').getBoundingClientRect().top;
"""
# Moves the number of a hint to the handles of what is aimed at; whether they stand apart then.
APART = """
    const b = window.__bodies, sign = b.offers.find((m) => m.isSprite), [handle] = b.signs;
    if (!sign || !handle) return false;
    const high = (0.5 - sign.center.y) * 38 - (0.5 - handle.center.y) * 42;
    const there = sign.position.equals(handle.position);
    sign.position.copy(handle.position);
    handle.center.set(0.5, 0.5);
    b.stale = true;
    return there && Math.abs(high) >= 40;
"""
# Whether the numbers of all hints are beside the plates.
CLEAR = """
    const b = window.__bodies, signs = b.offers.filter((m) => m.isSprite),
        plates = [...document.querySelectorAll('.plate')].map((e) => e.getBoundingClientRect());
    return signs.length > 1 && plates.length === 4 && signs.every((m) => {
        const [x, y] = b.seen_at([m.position]);
        return !plates.some((p) => x > p.left && x < p.right && y > p.top && y < p.bottom);
    });
"""
# What covers pieces while the camera goes around them, and a score of more than a line.
TURNING = """
    const b = window.__bodies, t0 = performance.now(), found = new Set();
    const ends = '.result, .room:has(> .result:not(.hidden)) .verdict';
    const over = [...document.querySelectorAll(`.sentence, ${ends}`)].filter((e) =>
        e.checkVisibility());
    if (over.length > 1 && document.querySelector('.score').offsetHeight > 40) found.add('score');
    b.orbiting = {from: t0, seen: t0};
    for (let k = 1; k < 25; k++) {
        b.turn_around(t0 + 3000 * k);
        b.camera.updateMatrixWorld();
        const [left, top, right, low] = b.seen_at(b.extent(b.meshes.values()));
        for (const e of over) {
            const r = e.getBoundingClientRect();
            if (left < r.right - 1 && right > r.left + 1 && top < r.bottom - 1 && low > r.top + 1)
                found.add(e.className);
        }
    }
    b.orbiting = null;
    return [...found];
"""


def room(plies: int) -> Setup:
    """A room against the computer, after so many plies of a shipped game."""
    late = {"names": _NAMES, "computers": (None, "greedy"), "hands": ("own", "expert")}
    return middle("knock", plies, **late) if plies else Setup("tokyo-highway", **late)


def earns(browser: Browser) -> None:
    """Keeps the build that was made there, and earns a car."""
    taps(browser, *shipped("knock").entries[_PLY].do["build"]["pillar"])
    browser.sees("+1 car", "[data-said]")


def hints_shown(browser: Browser, button: str = "[data-hint]") -> None:
    browser.click(button)
    until(lambda: browser.js("return !!document.querySelector('.advice')"), "moves are named")


def nothing_covered(browser: Browser, when: str) -> None:
    with suppress(AssertionError):
        until(lambda: not browser.js(COVERED), when, 20)
    found = browser.js(COVERED)
    assert not found, f"{when}: {found[:6]}"


def room_for_all(browser: Browser) -> None:
    """All that a turn needs stands in the window, it is not too much, and nothing is covered."""
    standing(browser, _NAMES)
    assert len(browser.js(CONTROLS)) <= MOST, browser.js(CONTROLS)
    nothing_covered(browser, "in a turn")


def test_the_plates_of_four_players_on_a_tablet_hide_no_hint(
    browser: Browser, server: Server
) -> None:
    with of_size(browser, 1024, 768):
        shows(browser, server, middle("four-players", 16, hands=("own",) * 4))
        hints_shown(browser)
        until(lambda: browser.js(CLEAR), "every number is seen", 60)


@pytest.mark.parametrize("size", SIZES)
def test_in_a_turn_at_a_table_everything_stands_in_the_window_and_nothing_covers_anything(
    browser: Browser, server: Server, size: str
) -> None:
    with of_size(browser, *EVERY[size]):
        shows(browser, server, room(0))
        room_for_all(browser)
        shows(browser, server, room(_PLY))
        browser.sees("3 pieces fall", "[data-part=verdict]")
        room_for_all(browser)
        earns(browser)
        room_for_all(browser)
        assert faults(browser) == []
        hints_shown(browser)
        until(lambda: not browser.js("return document.querySelector('.q-btn .q-spinner')"), "all")
        said = browser.js(
            "return [...document.querySelectorAll('.advice .told > .soft')].map((e) => e.innerText)"
        )
        assert len({*said}) == len(said) >= 2, said
        until(lambda: browser.js(OFFERED), "the camera has all that is advised in the picture")
        room_for_all(browser)
        browser.js("document.querySelector('.advice').click()")
        until(lambda: browser.js(APART), "no handle lies on the number of a hint", 60)


@pytest.mark.parametrize("size", SIZES)
def test_what_is_asked_after_a_fall_stands_beside_the_card_of_a_lesson(
    browser: Browser, server: Server, size: str
) -> None:
    with of_size(browser, *EVERY[size]):
        shows(browser, server, room(_PLY), "plain=1&guide=1")
        browser.find("[data-lesson]")
        nothing_covered(browser, "a lesson and the last verdict")
        earns(browser)
        takes(browser)
        lets_fall(browser)
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
    with of_size(browser, *EVERY[size]):
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
        gone = "return !!document.querySelector('[data-lesson].hidden')"
        until(lambda: browser.js(gone), "the guide is left")
        nothing_covered(browser, "without the guide")
        if size in ("desk", "laptop"):  # elsewhere a sheet lies over the page, and leaves
            for sheet in ("menu", "log"):
                opens(browser, sheet)
                nothing_covered(browser, sheet)
                closes(browser)


# --- plates and trays -----------------------------------------------------------------------------

PLATES = """
    const bodies = window.__bodies, middle = ([l, t, r, b]) => [(l + r) / 2, (t + b) / 2];
    const shelves = bodies.shelved ? bodies.shelves() : [];
    return [...document.querySelectorAll('.plate')].map((e, n) => {
        const r = e.getBoundingClientRect(), at = [r.left, r.top, r.right, r.bottom];
        const far = shelves.map((one) => {
            const [a, b] = [middle(one.at), middle(at)];
            return Math.hypot(a[0] - b[0], a[1] - b[1]);
        });
        const hits = ([l, t, w, b]) => l < at[2] && w > at[0] && t < at[3] && b > at[1];
        return [far.indexOf(Math.min(...far)), shelves.flatMap((o) => o.discs).filter(hits).length];
    });
"""
"""Of each plate: the nearest tray, and how many discs on trays it covers."""


@pytest.mark.parametrize("size", ["desk", "laptop"])
@pytest.mark.parametrize(
    ("seats", "given", "plies"),
    [(2, "knock", 12), (3, "three-players", 14), (4, "four-players", 16)],
)
def test_each_plate_stands_at_its_own_tray_and_covers_no_disc(
    browser: Browser, server: Server, seats: int, given: str, plies: int, size: str
) -> None:
    later, at_home = middle(given, plies), [[seat, 0] for seat in range(seats)]
    first = replace(later, options={"players": seats}, record=None)
    with of_size(browser, *EVERY[size]):
        rooms = [f"{made_room(server, setup, browser)}?full=1" for setup in (first, later)]
        for address in (*rooms, f"{server.url}/replay/shipped/{given}?ply={plies - 1}&full=1"):
            browser.open(address)
            drawn(browser)
            until(lambda: browser.js(PLATES) == at_home, "the plates are at their trays", 30)
            nothing_covered(browser, "plates at their trays")


# --- what is told for some seconds, and phones on their side --------------------------------------

UNDER = """
    const over = [...document.querySelectorAll('.q-notification')].map((e) =>
        e.getBoundingClientRect());
    const kept = '.sentence, .plate, .deeds, .rounds .q-btn, .menu-button';
    return [over.length, [...document.querySelectorAll(kept)].filter((e) => {
        const r = e.getBoundingClientRect();
        return e.checkVisibility() && over.some((o) => o.left < r.right && o.right > r.left
            && o.top < r.bottom && o.bottom > r.top);
    }).map((e) => e.className)];
"""


@pytest.mark.parametrize("size", [*SIZES, *ASIDE])
def test_what_is_told_for_some_seconds_leaves_the_sentence_and_the_buttons_free(
    browser: Browser, server: Server, size: str
) -> None:
    with of_size(browser, *EVERY[size]):
        shows(browser, server, room(_PLY))
        earns(browser)
        keys = browser.find("body")

        def told() -> bool:
            keys.send_keys("+")
            return bool(browser.js(UNDER)[0])

        until(told, "there is no higher pillar")
        assert browser.js(UNDER)[1] == []


@pytest.mark.parametrize("size", ASIDE)
@pytest.mark.parametrize(
    ("given", "plies"), [("knock", 12), ("knock", 0), ("four-players", 16), ("four-players", 0)]
)
def test_on_a_phone_on_its_side_nothing_covers_a_button_and_the_sentence_or_the_end_no_piece(
    browser: Browser, server: Server, given: str, plies: int, size: str
) -> None:
    setup = middle(given, plies, **({} if plies else {"record": shipped(given)}))  # 0: to its end
    with of_size(browser, *EVERY[size]):
        shows(browser, server, setup)
        until(lambda: not browser.js("return window.__bodies.flight"), "the camera stands still")
        nothing_covered(browser, "on its side")
        if plies:
            standing(browser, setup.names)
        assert browser.js(TURNING) == []


@pytest.mark.parametrize(("given", "plies"), [("knock", 0), ("knock", 12), ("four-players", 16)])
def test_on_a_phone_the_table_has_two_thirds_of_the_height_from_the_first_ply(
    browser: Browser, server: Server, given: str, plies: int
) -> None:
    setup = middle(given, plies)
    free = """
        const over = [...document.querySelectorAll('.sentence, .below')].map((e) =>
            e.getBoundingClientRect().bottom);
        const below = document.querySelector('.deeds').getBoundingClientRect().top;
        return (below - Math.max(...over)) / innerHeight;
    """
    with on_a_phone(browser):
        shows(browser, server, setup)
        standing(browser, setup.names)
        assert browser.js(free) >= 2 / 3


# The notes on the plates, as far as they are not cut.
NOTES = """
    return [...document.querySelectorAll('.plate .soft')].map((e) =>
        e.scrollWidth <= e.clientWidth ? e.innerText : '...')
"""


@pytest.mark.parametrize("size", [SIZES["phone"], ASIDE["usual"]])
def test_on_a_phone_the_plates_of_four_say_in_full_which_seats_are_free(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    with of_size(browser, *size):
        browser.open(f"{made_room(server, middle('four-players', 0), browser, 1)}?plain=1")
        until(lambda: browser.js(NOTES) == ["you", *["free"] * 3], "free seats", 30)


# --- pages beside games ---------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["phone", *ASIDE])
def test_no_page_scrolls_sideways_and_what_is_one_view_does_not_scroll(
    browser: Browser, server: Server, size: str
) -> None:
    shown = "const s = document.scrollingElement; return [s.scrollWidth, s.scrollHeight]"
    with of_size(browser, *EVERY[size]):
        for path in ("/", "/problems", "/note", "/photo", "/games"):
            browser.open(server.url + path)
            browser.find("main")
            assert browser.js(shown)[0] <= EVERY[size][0], path
        bring(browser, server, PHOTO)
        one_view = [browser.driver.current_url, f"{server.url}/challenge?plain=1"]
        one_view += [f"{server.url}/{path}" for path in ("no", "room/no", "replay/a/b", "photo/no")]
        for address in one_view:
            browser.open(address)
            browser.find("main")
            assert browser.js(shown) <= [*EVERY[size]], address


# --- whoever goes by keys -------------------------------------------------------------------------


def pictured(browser: Browser, where: dict[str, float]) -> npt.NDArray[np.float64]:
    """How light each pixel of a part of the page is, from 0 to 1 (WCAG 2.2, relative luminance)."""
    shot = browser.driver.execute_cdp_cmd(
        "Page.captureScreenshot", {"format": "png", "clip": {**where, "scale": 2}}
    )
    image = Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")
    part = np.asarray(image).astype(float) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


STILL = """
    document.head.append(Object.assign(document.createElement('style'),
        {textContent: '*, ::before, ::after { transition: none !important }'}))
"""

STOPS = """
    return [...document.querySelectorAll(
        'button, a[href], input, select, textarea, summary, [role=button], [tabindex]'
    )].filter((e) => e.tabIndex >= 0 && !e.disabled && !e.closest('.skip, [inert]')
        && e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width > 2)
"""

AROUND = """
    const e = arguments[0];
    e.scrollIntoView({block: 'nearest'});
    document.activeElement.blur();
    const r = (e.closest('.q-field__control') ?? e).getBoundingClientRect();
    return {x: Math.max(r.left - 8, 0) + scrollX, y: Math.max(r.top - 8, 0) + scrollY,
        width: Math.min(r.width + 16, innerWidth), height: Math.min(r.height + 16, innerHeight)};
"""

FOCUSED = (
    "arguments[0].focus({preventScroll: true}); return document.activeElement === arguments[0]"
)


def unseen(browser: Browser) -> list[str]:
    """The controls around which less than half of a line changes its lightness by 3 : 1 when the
    keyboard comes to them.
    """
    browser.js(STILL)
    ActionChains(browser.driver).send_keys(Keys.TAB).perform()  # from here on it is the keyboard
    found = []
    for stop in browser.js(STOPS):
        where = browser.js(AROUND, stop)
        without = pictured(browser, where)
        if browser.js(FOCUSED, stop):  # a dialogue keeps the keyboard
            by_keys = pictured(browser, where)
            more, less = np.maximum(without, by_keys), np.minimum(without, by_keys)
            told = int(((more + 0.05) / (less + 0.05) >= 3.0).sum()) / 4
            if told < where["width"] + where["height"] - 32:
                found.append(str(browser.js("return arguments[0].outerHTML.slice(0, 120)", stop)))
    return found


@pytest.mark.parametrize("dark", [False, True])
def test_on_every_page_the_control_that_the_keyboard_is_at_stands_out(
    browser: Browser, server: Server, dark: bool
) -> None:
    with of_size(browser, *SIZES["laptop"]):
        table = made_room(server, room(_PLY), browser)
        board = Setup("meridians", _NAMES, (None, None), {"size": 5})
        pages = ["/", "/problems/thruway-1", "/photo", "/note", "/challenge?plain=1", "/no"]
        pages += ["/replay/shipped/two-cars?plain=1", made_room(server, board, browser)]
        browser.open(f"{server.url}/choose?theme={'dark' if dark else 'light'}&then=/")
        for path in [*pages, f"{table}?plain=1"]:
            browser.open(path if path.startswith("http") else server.url + path)
            browser.find("main")
            assert unseen(browser) == [], path
        for sheet in ("exact", "log"):
            opens(browser, sheet)
            assert unseen(browser) == [], sheet
            closes(browser)
        browser.open(server.url)
        browser.click("[data-game=tokyo-highway]")
        behind = browser.js("return document.querySelector('.brand')")
        until(lambda: not browser.js(FOCUSED, behind), "the dialogue keeps the keyboard")
        assert unseen(browser) == [], "a new game"
        browser.open(f"{server.url}/choose?theme=auto&then=/")
