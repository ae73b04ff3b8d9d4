"""What somebody meets who has never played: a guided first game, a game on a phone, a game by keys
alone, in a real Chromium.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from rules import record
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.work.workers import Workers
from sim.game.verify import verify
from tests.browser import Browser, Server, closes, serving, until
from tests.pages import (
    CONTROLS,
    HOST,
    MOST,
    content,
    drawn,
    faults,
    forget,
    led_down,
    lets_fall,
    made_room,
    middle,
    on_a_phone,
    plies_shown,
    pointer,
    shipped,
    shows,
    standing,
    table_pixel,
    takes,
    taps,
)

pytestmark = [pytest.mark.pages, pytest.mark.slow]


def my_turn(browser: Browser) -> bool:
    return bool(browser.js("return !!document.querySelector('.room.mine')"))


def over(browser: Browser) -> bool:
    return bool(browser.js("return document.querySelector('[data-result]').checkVisibility()"))


def hinted(browser: Browser, button: str) -> bool:
    """Chooses the first move that a button offers; False if it offers none."""
    browser.js("for (const ok of document.querySelectorAll('.q-notification button')) ok.click()")
    until(
        lambda: not browser.js("return document.querySelector('.q-notification')"),
        "what was told before has gone",
    )
    browser.click(button)
    found = until(
        lambda: browser.js(
            "return document.querySelector('.advice') ? 'move' : "
            "document.querySelector('.q-notification') ? 'none' : ''"
        ),
        f"{button} names moves, or says that there is none",
    )
    if found == "move":
        browser.js("document.querySelector('.advice').click()")
        chosen = "return !!document.querySelector('[data-place]:not(:disabled), [data-confirm]')"
        until(lambda: browser.js(chosen), "it may be built")
    return bool(found == "move")


def test_a_game_against_the_computer_is_played_to_its_end_on_a_phone_without_scrolling(
    browser: Browser, server: Server
) -> None:
    names = ("Ann", "Regular Blue")
    with on_a_phone(browser):
        setup = Setup("tokyo-highway", names, (None, "greedy"), hands=(None, None), seed=2)
        path = shows(browser, server, setup)
        while until(lambda: my_turn(browser) or over(browser), "a turn") and not over(browser):
            before = plies_shown(browser)
            standing(browser, names)
            if before:  # the entrance stands ready
                assert hinted(browser, "[data-hint]")
            standing(browser, names)
            assert len(browser.js(CONTROLS)) <= MOST, browser.js(CONTROLS)
            browser.click("[data-part=act]")
            until(
                lambda before=before: plies_shown(browser) > before or over(browser),
                f"the turn is told; the page says {browser.text()[:200]!r}",
            )
        assert browser.js("return document.querySelector('[data-result] h2').innerText")
        browser.find("[data-best]")
        assert faults(browser) == []
    kept = record.read(path)
    assert kept.end is not None
    assert [entry.by for entry in kept.entries[:4]] == [0, 1, 0, 1]


@pytest.mark.parametrize("computers", [(None, None), (None, None, "greedy", "greedy")])
def test_two_friends_play_to_the_end_through_a_reload_a_lost_connection_and_a_restart(
    browser: Browser, tmp_path: Path, computers: tuple[str | None, ...]
) -> None:
    seats, driver = len(computers), browser.driver
    names, options = ("Ann", "Bo", "Cy", "Di")[:seats], {"players": seats} if seats > 2 else {}
    with serving(tmp_path) as mortal:
        setup = Setup("tokyo-highway", names, computers, options, (None,) * seats, seed=2)
        room = Rooms(tmp_path / "rooms", Workers(1)).open(setup, HOST)
        path = tmp_path / "rooms" / f"{room.id}.jsonl"
        hosts = (mortal.url, mortal.url.replace("127.0.0.1", "localhost"))
        for host, secret in zip(hosts, room.invitations(HOST).values(), strict=True):
            if host != hosts[0]:
                driver.switch_to.new_window("tab")
            browser.open(f"{host}/room/{room.id}?seat={secret}")
            browser.open(f"{host}/room/{room.id}?plain=1")
            drawn(browser)
        wounds = ["reload", "lost connection", "restart"]
        while not over(browser):
            for tab in driver.window_handles[-2:]:
                driver.switch_to.window(tab)
                if over(browser) or not my_turn(browser):
                    continue
                before = plies_shown(browser)
                if wounds and before > 4:
                    wound = wounds.pop(0)
                    if wound == "reload":
                        driver.refresh()
                    elif wound == "restart":
                        mortal.kill()
                        mortal.start()
                    else:
                        browser.js("window.socket.io.engine.close()")
                    until(
                        lambda: browser.js("return window.socket?.connected") and my_turn(browser),
                        f"the page is back after a {wound}",
                    )
                    assert plies_shown(browser) == before
                    drawn(browser)
                if browser.js("return document.querySelector('[data-part=act]').disabled"):
                    assert hinted(browser, "[data-hint]")
                browser.click("[data-part=act]")
                until(
                    lambda before=before: plies_shown(browser) > before or over(browser),
                    f"the turn is told; the page says {browser.text()[:200]!r}",
                )
        for tab in driver.window_handles[-2:]:
            driver.switch_to.window(tab)
            until(lambda: over(browser), "the end is shown")
        kept = record.read(path)
        assert kept.end is not None
        assert str(kept.end.reason) != "resigned"
        assert wounds == []
        assert verify(kept, "rules").ok
        forget(browser, mortal)


def placed(browser: Browser) -> None:
    """Picks up what is aimed at and places it, once more for as long as it falls; passes where
    that is the hint.
    """
    before = plies_shown(browser)
    asks = "return document.querySelector('[data-let-be]').checkVisibility()"
    held = "return !!window.__bodies.held"
    while plies_shown(browser) == before:
        browser.click("[data-part=act]")
        until(
            lambda: browser.js(held) or plies_shown(browser) > before,
            "the pieces are in the hand, or the turn is passed",
        )
        if browser.js(held):
            led_down(browser)
        until(
            lambda: plies_shown(browser) > before or browser.js(asks),
            f"it stands, or it fell; the page says {browser.text()[:300]!r}",
        )
    until(lambda: my_turn(browser) or over(browser), "the computer has answered")


def card(browser: Browser) -> int:
    """The number of the card that is shown."""
    return int(browser.js("return Number(document.querySelector('[data-lesson]').dataset.n)"))


def test_a_first_game_is_played_by_doing_what_the_cards_say(
    browser: Browser, server: Server
) -> None:
    browser.open(server.url)
    browser.click("[data-learn=tokyo-highway]")
    browser.sees("Cars win the game", "[data-lesson]")
    browser.sees("Tap the glowing spot", "[data-lesson]")
    browser.sees("cross Blue roads, each earns a car. First without cars wins.", "[data-said]")
    drawn(browser)
    assert len(browser.js(CONTROLS)) <= MOST, browser.js(CONTROLS)
    spot = until(
        lambda: browser.js("return window.__bodies.pulses[0]?.ring.position.toArray()"),
        "a spot glows",
    )
    taps(browser, *spot[:2])
    browser.sees("Now pick it up", "[data-lesson]")
    browser.click("[data-part=act]")
    browser.sees("Lead the piece over its ring", "[data-lesson] [role=status]")
    led_down(browser)
    until(lambda: plies_shown(browser) >= 1 and my_turn(browser), "the entrances stand")

    browser.sees("one disc more or less", "[data-lesson]")
    assert hinted(browser, "[data-show-me]")
    browser.find("body").send_keys("+")
    browser.sees("Cross a road of the other player", "[data-lesson]")
    named = "return document.querySelectorAll('.advice').length"
    before = browser.js(named)
    until(lambda: not browser.js("return document.querySelector('.q-btn .q-spinner')"), "all")
    assert browser.js(named) == before, "moves that come late are none of the next lesson"
    assert "no such move" not in browser.text()
    placed(browser)
    for _ in range(6):  # a few turns, until somebody's road is in reach
        if card(browser) > 5:
            break
        closes(browser)
        if not hinted(browser, "[data-show-me]"):
            assert hinted(browser, "[data-hint]")
        placed(browser)
    if card(browser) == 5:
        browser.click("[data-next]")
    browser.sees("knock something over, on purpose", "[data-lesson]")

    assert hinted(browser, "[data-hint]")
    takes(browser)
    lets_fall(browser)
    browser.sees("It fell", "[data-part=verdict]")
    browser.sees("Two pieces more", "[data-lesson]")
    assert not browser.js("return document.querySelector('.advice')"), "hints leave with the turn"
    browser.click("[data-let-be]")
    until(lambda: my_turn(browser) and not content(browser, ".trouble"), "the next turn")
    browser.click("[data-piece=yellow]")
    browser.sees("That is all you need", "[data-lesson]")

    while not over(browser):
        assert hinted(browser, "[data-hint]")
        placed(browser)
    assert browser.text("[data-result] h2")


@pytest.mark.parametrize(
    ("game", "goal"),
    [
        ("meridians", "cut off the dark stones until none is left"),
        ("thruway", "join west and east with concrete"),
    ],
)
def test_a_first_game_on_a_board_is_played_to_its_end_by_what_the_cards_show(
    browser: Browser, server: Server, game: str, goal: str
) -> None:
    browser.open(server.url)
    browser.click(f"[data-learn={game}]")
    browser.sees(goal, "[data-said]")
    seen = {0}
    while not over(browser):
        seen.add(card(browser))
        before = plies_shown(browser)
        shows = browser.js("return document.querySelector('[data-show-me]').checkVisibility()")
        assert hinted(browser, "[data-show-me]" if shows else "[data-hint]")
        browser.click("[data-confirm]")
        until(lambda before=before: plies_shown(browser) > before, "the move is made")
        until(lambda: my_turn(browser) or over(browser), "the computer has answered")
    assert seen >= {1, 2, 3}
    assert browser.text("[data-result] h2")


def test_a_game_is_played_to_its_end_by_keys_alone_in_exact(
    browser: Browser, server: Server
) -> None:
    """Each control is found by the name that a screen reader says."""
    given = shipped("two-cars")
    setup = Setup("tokyo-highway", given.header.players, (None, None), hands=(None, None))
    path = shows(browser, server, setup)

    def press(*keys: str) -> None:
        for key in keys:
            ActionChains(browser.driver).send_keys(key).perform()

    def named() -> str:
        return str(browser.driver.switch_to.active_element.accessible_name)

    def tab_to(name: str) -> None:
        for _ in range(80):
            if named().startswith(name):
                return
            press(Keys.TAB)
        raise AssertionError(f"no way by Tab to {name!r}; the last was {named()!r}")

    def choose(name: str, option: str) -> None:
        """Unfolds a list by its name, goes to an option, and takes it."""
        tab_to(name)
        press(Keys.ENTER)
        pointed = "return document.querySelector('.q-menu .q-manual-focusable--focused')?.innerText"
        until(lambda: browser.js("return !!document.querySelector('.q-menu .q-item')"), "the list")

        def found() -> bool:
            if str(browser.js(pointed) or "").strip() == option:
                return True
            press(Keys.ARROW_DOWN)
            return False

        until(found, option)
        press(Keys.ENTER)

    for ply in range(2):  # the entrances stand ready
        tab_to("Place")
        press(Keys.ENTER)
        until(lambda ply=ply: plies_shown(browser) == ply + 1, "the entrance stands")
    tab_to("Menu")
    press(Keys.ENTER)
    tab_to("Exact")
    press(Keys.ENTER)
    x, y = given.entries[2].do["build"]["pillar"]
    for ply, at in ((2, (x, y)), (3, (-x, -y))):
        until(lambda: my_turn(browser), "it is the turn of a person")
        choose("Discs", "2")
        for field, value in zip("xy", at, strict=True):
            tab_to(f"{field} (mm)")
            ActionChains(browser.driver).key_down(Keys.CONTROL).send_keys("a").key_up(
                Keys.CONTROL
            ).perform()
            press(str(value))
        browser.sees(f"({at[0]:.1f}, {at[1]:.1f})", "[data-in-full]")
        assert browser.js("return document.querySelector('[data-said]').role") == "status"
        press(Keys.ENTER)
        until(lambda ply=ply: plies_shown(browser) == ply + 1, "it is built")
    until(lambda: my_turn(browser), "it is the turn of a person")
    assert faults(browser) == []
    tab_to("Resign")
    press(Keys.ENTER)
    until(
        lambda: browser.js("return !!document.querySelector('[data-sure]')?.checkVisibility()"),
        "the question",
    )
    tab_to("Resign")
    press(Keys.ENTER)
    until(lambda: over(browser), "the end")
    kept = record.read(path)
    assert len(kept.entries) == 5
    assert verify(kept, "exact").ok


@pytest.mark.parametrize(
    ("given", "plies", "what", "kinds"),
    [
        ("two-cars", 2, "piece", "pillar yellow exit pillar"),
        ("three-players", 3, "building", "block cylinder slab tower block"),
    ],
)
def test_the_pieces_and_the_buildings_are_one_choice_for_the_arrow_keys(
    browser: Browser, server: Server, given: str, plies: int, what: str, kinds: str
) -> None:
    shows(browser, server, middle(given, plies))
    chosen = (
        f"return [...document.querySelectorAll('[data-{what}]')]"
        ".filter((e) => e.ariaChecked === 'true' && e.tabIndex === 0)"
        f".map((e) => e.dataset.{what}).join()"
    )
    first, *others = kinds.split()
    until(lambda: browser.js(chosen) == first, "the first one is chosen")
    browser.find(f"[data-{what}={first}]")
    browser.js(f"document.querySelector('[data-{what}={first}]').focus()")
    right, left = Keys.ARROW_RIGHT, Keys.ARROW_LEFT
    for key, kind in (
        *((right, kind) for kind in others),
        *((left, kind) for kind in [*reversed(others)][1:]),
    ):
        browser.driver.switch_to.active_element.send_keys(key)
        until(lambda kind=kind: browser.js(chosen) == kind, f"{kind} is chosen")
        assert browser.js(f"return document.activeElement.dataset.{what}") == kind


@pytest.mark.parametrize(("kind", "most"), [("lobby", 450), ("room", 650)])
def test_a_first_visit_loads_little(browser: Browser, server: Server, kind: str, most: int) -> None:
    """In KiB, with everything that a page asks for until its table is drawn."""
    address = server.url
    if kind == "room":
        setup = Setup("tokyo-highway", ("Ann", "Bo"), (None, None), hands=("own", "own"))
        address = made_room(server, setup, browser)
    browser.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    browser.open("about:blank")
    browser.open(address)
    if kind == "room":
        drawn(browser)
    browser.find("main")
    until(lambda: browser.js("return document.fonts.status") == "loaded", "the fonts are there")
    icons = "return [...document.fonts].find((f) => f.family.includes('Shutoko Icons')).status"
    assert browser.js(icons) == "loaded"
    size = browser.js(
        "return [...performance.getEntriesByType('resource'),"
        " performance.getEntriesByType('navigation')[0]].reduce((sum, one) => sum +"
        " one.transferSize, 0)"
    )
    assert size < most * 1024
    wide = browser.js(
        "return [...document.querySelectorAll('.q-icon.material-icons')].filter((e) => "
        "e.checkVisibility() && e.scrollWidth > 1.3 * e.clientHeight).map((e) => e.innerText)"
    )
    assert wide == []  # a name that the font lacks would stand there in letters


def test_a_page_says_when_the_system_has_no_font_for_its_language(
    browser: Browser, server: Server
) -> None:
    shown = "return document.querySelector('.no-font')?.innerText ?? ''"
    alike = "CanvasRenderingContext2D.prototype.fillText = () => {}"  # as boxes are
    browser.open(server.url)
    browser.find("main")
    assert browser.js(shown) == ""
    command = browser.driver.execute_cdp_cmd
    made = command("Page.addScriptToEvaluateOnNewDocument", {"source": alike})
    try:
        browser.open(server.url)
        until(lambda: "no font" in browser.js(shown), "the note")
        browser.click(".no-font button")
        browser.open(server.url)
        browser.find("main")
        assert browser.js(shown) == ""  # it is said once
    finally:
        command("Page.removeScriptToEvaluateOnNewDocument", made)


def test_a_tap_leaves_the_camera_to_itself_and_a_drag_takes_it(
    browser: Browser, server: Server
) -> None:
    shows(browser, server, middle("two-cars", 2))
    own = "return !!window.__bodies.own_view"
    taps(browser, 100.0, -120.0)
    until(lambda: browser.js("return window.__bodies.ghosts.length"), "a build is kept there")
    assert not browser.js(own)
    x, y = table_pixel(browser, -100.0, 100.0)
    pointer(browser, ("move", x, y), ("down",), ("move", x + 60, y), ("up",))
    until(lambda: browser.js(own), "the view is the visitor's")
    browser.click("[data-fit]")
    until(lambda: not browser.js(own), "the camera fits again")
