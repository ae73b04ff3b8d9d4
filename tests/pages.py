"""What tests do on a page and look at, in a real Chromium: rooms, the pointer on a table, what one
may press, what axe finds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sized
from contextlib import AbstractContextManager, contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from selenium.webdriver.common.action_chains import ActionBuilder

from rules import record
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.work.workers import Workers
from sim.assets import asset
from sim.game import replay
from tests.browser import Browser, Server, until

HOST = "the-host-of-the-test"
AXE = resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
PHONE = (390, 844)
MOST = 8  # controls in a turn

CONTROLS = """
    const stops = [...document.querySelectorAll(
        'button, a[href], input, select, textarea, summary, [role=button], [tabindex]'
    )].filter((e) => e.tabIndex >= 0 && !e.disabled && !e.closest('.skip')
        && e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width > 2);
    return stops.map((e) => e.dataset.part || e.ariaLabel || e.innerText || e.tagName);
"""
"""What one may press or fill in now; the three pieces, of which one is chosen, are one of these."""


def made_room(server: Server, setup: Setup, browser: Browser, seats: int | None = None) -> str:
    """A room of that setup with so many of its seats, or all, held by the browser; its address."""
    room = Rooms(server.data / "rooms", Workers(1)).open(setup, HOST)
    if not browser.driver.current_url.startswith(server.url):
        browser.open(server.url)
    for secret in [*room.invitations(HOST).values()][:seats]:
        link = f"/room/{room.id}?seat={secret}&sit=1"
        browser.driver.execute_async_script(
            "fetch(arguments[0], {redirect: 'manual'}).then(arguments[1])", link
        )
    return f"{server.url}/room/{room.id}"


def shipped(name: str) -> record.Record:
    """A shipped game, or one of the tests' own."""
    own = Path(__file__).parent / "data" / f"{name}.jsonl"
    return record.read(own if own.exists() else asset("records", f"{name}.jsonl"))


def middle(name: str, plies: int, **changed: Any) -> Setup:
    """A room between persons in which so many plies of such a game were played."""
    given = replay.branch(shipped(name), plies)
    names = given.header.players
    persons = {"names": names, "computers": (None,) * len(names), "record": given}
    return Setup(given.header.game, **{**persons, **changed})


def shows(browser: Browser, server: Server, setup: Setup, more: str = "plain=1") -> Path:
    """Opens a new room of a table, without shadows; its record."""
    address = made_room(server, setup, browser)
    browser.open(f"{address}?{more}")
    drawn(browser)
    drawn(browser, "meshes.size" if setup.record and setup.record.entries else "drawn")
    return server.data / "rooms" / f"{address.rpartition('/')[2]}.jsonl"


@contextmanager
def of_size(browser: Browser, wide: int, high: int) -> Iterator[None]:
    """Pages of that many pixels; small ones are those of a phone."""
    given = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": min(wide, high) < 600}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", given)
    try:
        yield
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def on_a_phone(browser: Browser) -> AbstractContextManager[None]:
    return of_size(browser, *PHONE)


def forget(browser: Browser, mortal: Server) -> None:
    """Leaves the pages of a server of the test's own, whose addresses nobody needs to know."""
    for tab in browser.driver.window_handles:
        browser.driver.switch_to.window(tab)
        browser.open("about:blank")
    browser.settle()
    browser.asked[:] = [address for address in browser.asked if f":{mortal.port}" not in address]


def drawn(browser: Browser, has: str = "drawn") -> None:
    until(lambda: browser.js(f"return window.__bodies?.{has} > 0"), "the table is drawn")


def plies_shown(browser: Browser) -> int:
    return int(browser.js("return document.querySelectorAll('.moves .ply').length"))


def content(browser: Browser, css: str) -> str:
    """The text of an element, whether or not it is shown."""
    return str(browser.js("return document.querySelector(arguments[0])?.textContent ?? ''", css))


def table_pixel(browser: Browser, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
    """Where a point of the table (mm) is on the page."""
    across, down = browser.js(
        "const b = window.__bodies, v = "
        "b.root.position.clone().set(...arguments).project(b.camera);"
        "const r = b.renderer.domElement.getBoundingClientRect();"
        "return [r.left + (v.x + 1) / 2 * r.width, r.top + (1 - v.y) / 2 * r.height]",
        x,
        y,
        z,
    )
    return across, down


def pointer(browser: Browser, *deeds: tuple[Any, ...]) -> None:
    """Moves, presses and releases of the mouse: ("move", x, y) in pixels, ("down",), ("up",)."""
    build = ActionBuilder(browser.driver, duration=30)
    for name, *at in deeds:
        if name == "move":
            build.pointer_action.move_to_location(round(at[0]), round(at[1]))
        elif name == "down":
            build.pointer_action.pointer_down()
        else:
            build.pointer_action.pointer_up()
        build.pointer_action.pause(0.08)
    build.perform()


def taps(browser: Browser, x: float, y: float) -> None:
    """A click on the table (mm) once the camera stands still."""
    until(lambda: not browser.js("return window.__bodies.flight"), "the camera stands still")
    pointer(browser, ("move", *table_pixel(browser, x, y)), ("down",), ("up",))


def buildable(browser: Browser) -> None:
    ready = "return !document.querySelector('[data-part=act]').disabled"
    until(lambda: browser.js(ready), "it may be built")


def aims(browser: Browser, x: float, y: float) -> None:
    """A click where something may be built (mm)."""
    taps(browser, x, y)
    buildable(browser)


def takes(browser: Browser) -> None:
    """Picks up what is aimed at."""
    buildable(browser)
    browser.click("[data-part=act]")
    until(lambda: browser.js("return !!window.__bodies.held"), "the pieces are in the hand")


def lets_fall(browser: Browser) -> None:
    """Lets go of all pieces in the hand at the tray."""
    for _ in range(browser.js("return window.__bodies.held.parts.length")):
        browser.js("shutokoHand.letGo()")


def advised(browser: Browser) -> None:
    """Takes the first of three hints."""
    browser.click("[data-hint]")
    three = "return document.querySelectorAll('.advice').length"
    until(lambda: browser.js(three) == 3, "three moves are named", 180)
    browser.js("document.querySelector('.advice').click()")


def led_down(browser: Browser) -> None:
    """What the third card says: lead it over its ring, hold to lower, let go; the road comes
    next.
    """
    held = "return window.__bodies.held?.number ?? null"
    until(lambda: not browser.js("return window.__bodies.flight"), "the camera has come near")
    for part in range(browser.js("return window.__bodies.held.parts.length")):
        at = browser.js("return window.__bodies.held.parts[arguments[0]].at", part)
        pointer(browser, ("move", *table_pixel(browser, *at)))
        until(lambda: browser.js("return window.__bodies.closed"), "the ring has closed")
        pointer(browser, ("down",))
        until(lambda: browser.js("return window.__bodies.held.height") < 0.5, "it is down")
        pointer(browser, ("up",))
        until(lambda part=part: browser.js(held) != part, "it is let go")


def standing(browser: Browser, players: Sized) -> None:
    """All that a turn needs stands in the window, and the page does not scroll."""
    parts = browser.js(
        "return [...document.querySelectorAll('[data-part]')].filter((e) => e.checkVisibility())"
        ".map((e) => { const r = e.getBoundingClientRect();"
        "return [e.dataset.part, r.left >= 0 && r.top >= 0 && r.right <= innerWidth"
        " && r.bottom <= innerHeight && r.width > 0]; })"
    )
    assert all(inside for _, inside in parts), parts
    names = [name for name, _ in parts]
    assert (names.count("plate"), names.count("piece")) == (len(players), 3)
    for name in ("sentence", "act", "hint", "undo", "fit", "menu", "log"):
        assert names.count(name) == 1, name
    assert browser.js(
        "const s = document.scrollingElement;"
        "return s.scrollHeight <= innerHeight && s.scrollWidth <= innerWidth"
    )


def within(browser: Browser) -> None:
    """All that a question needs stands in the window, and is little."""
    parts = browser.js(
        "return [...document.querySelectorAll('[data-part], .in-hand button')]"
        ".filter((e) => e.checkVisibility()).map((e) => { const r = e.getBoundingClientRect();"
        "return [e.dataset.part ?? e.innerText, r.left >= 0 && r.top >= 0 &&"
        " r.right <= innerWidth && r.bottom <= innerHeight && r.width > 0]; })"
    )
    assert all(inside for _, inside in parts), parts
    assert browser.js(
        "const s = document.scrollingElement;"
        "return s.scrollHeight <= innerHeight && s.scrollWidth <= innerWidth"
    )
    assert len(browser.js(CONTROLS)) <= MOST, browser.js(CONTROLS)


def faults(browser: Browser) -> list[tuple[str, str, str]]:
    """What axe finds wrong with the page for those who cannot see it well, and finds again a second
    later.

    On a busy machine a page may still be changing its colours when axe looks at it.
    """
    for _ in range(3):
        until(
            lambda: browser.js("return document.getAnimations().length === 0"),
            "colours have changed",
        )
        if not browser.js("return !!window.axe"):
            browser.js(AXE)
        # what axe says of all that is well costs as much again
        found = browser.driver.execute_async_script(
            "axe.run({resultTypes: ['violations']}).then((found) => arguments[0](found.violations))"
        )
        if not found:
            return []
        time.sleep(1.0)
    return [(one["impact"], one["id"], node["html"]) for one in found for node in one["nodes"]]


def fine(browser: Browser) -> None:
    """All that a question needs stands in the window, and everybody can use it."""
    within(browser)
    assert faults(browser) == []
