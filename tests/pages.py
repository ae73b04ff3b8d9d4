"""What tests do on a page and look at, in a real Chromium: rooms, the pointer on a table, what one
may press, what axe finds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sized
from contextlib import contextmanager
from importlib import resources
from typing import Any

from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.work.workers import Workers
from tests.browser import Browser, Server, until

HOST = "the-host-of-the-test"
AXE = resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
MOST = 8  # controls in a turn

CONTROLS = """
    const stops = [...document.querySelectorAll(
        'button, a[href], input, select, textarea, summary, [role=button], [tabindex]'
    )].filter((e) => e.tabIndex >= 0 && !e.disabled && !e.closest('.skip')
        && e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width > 2);
    return stops.map((e) => e.dataset.part || e.ariaLabel || e.innerText || e.tagName);
"""
"""What one may press or fill in now; the three pieces, of which one is chosen, are one of these."""


def made_room(server: Server, setup: Setup, browser: Browser) -> str:
    """A room of that setup with all its seats held by the browser; its address."""
    workers = Workers(1)
    room = Rooms(server.data / "rooms", workers).open(setup, HOST)
    if not browser.driver.current_url.startswith(server.url):
        browser.open(server.url)
    for secret in room.invitations(HOST).values():
        link = f"/room/{room.id}?seat={secret}&sit=1"
        browser.driver.execute_async_script(
            "fetch(arguments[0], {redirect: 'manual'}).then(arguments[1])", link
        )
    return f"{server.url}/room/{room.id}"


@contextmanager
def on_a_phone(browser: Browser) -> Iterator[None]:
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    yield
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def drawn(browser: Browser) -> None:
    until(lambda: browser.js("return window.__bodies?.drawn > 0"), "the table is drawn")


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
    from selenium.webdriver.common.action_chains import ActionBuilder

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
