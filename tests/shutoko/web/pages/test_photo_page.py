"""A photo settled in a real Chromium at the size of a phone: photo in, ends tapped by fingers,
verdict read, a ply played.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from selenium.webdriver.common.by import By

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from rules import record
from rules.arena.players import player
from rules.record.replay import begin
from shutoko.extras import missing
from sim.assets import asset
from sim.photo.drafting import offered
from sim.referee.placement import Build
from tests.browser import Browser, Server, closes, opens, until
from tests.pages import faults, on_a_phone

pytestmark = [pytest.mark.pages, pytest.mark.slow]

ROADS = 7
PHOTO = asset("photos", "table.jpg")
ZOOM = 1.5  # at which taps are good to 3 pixels of a phone's photo


@pytest.fixture(autouse=True)
def phone(browser: Browser) -> Iterator[None]:
    with on_a_phone(browser):
        yield


def bring(browser: Browser, server: Server, path: Any) -> None:
    """Chooses a photo on the page for it."""
    browser.open(f"{server.url}/photo")
    choose(browser, path)
    until(lambda: browser.js("return !!window.__snap?.scale"), "the photo")


def choose(browser: Browser, path: Any) -> None:
    """Chooses a photo on the page that is open."""
    browser.find("[data-photo-pick]")
    until(
        lambda: browser.js("return !!window.shutoko_take && !!window.socket?.connected"),
        "the page is ready",
    )
    browser.driver.find_element(By.CSS_SELECTOR, "[data-photo-file]").send_keys(str(path))


def hold(browser: Browser, x: float, y: float) -> None:
    """Lays a finger on a pixel of the photo, after it was zoomed there."""
    script = (
        "const s = window.__snap, [x, y, zoom] = arguments; s.scale = zoom; s.left = x - 100; "
        "s.top = y - 90; s.pan(0, 0);"
        "const r = s.root.getBoundingClientRect(); return [r.left + (x - s.left) * zoom, r.top + "
        "(y - s.top) * zoom]"
    )
    at = browser.js(script, x, y, ZOOM)
    finger = {"type": "touchStart", "touchPoints": [{"x": at[0], "y": at[1]}]}
    browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", finger)


def touch(browser: Browser, x: float, y: float) -> None:
    """Touches a pixel of the photo."""
    hold(browser, x, y)
    browser.driver.execute_cdp_cmd(
        "Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []}
    )


def taps_taken(browser: Browser) -> int:
    """How many ends are marked."""
    return int(
        browser.js("const s = window.__snap.state; return 2 * s.roads.length + (s.first ? 1 : 0)")
    )


def foot(browser: Browser, end: int) -> int:
    """The discs that the page counts under an end of the road that was tapped last."""
    shown = (
        "return document.querySelector(`[data-foot='${arguments[0]}'] "
        "[data-discs]`)?.dataset.discs ?? -1"
    )
    return int(browser.js(shown, end))


def count(browser: Browser, end: int, discs: int, *, junction: bool) -> None:
    """Makes the count under an end what it is on the table."""
    until(lambda: foot(browser, end) >= 0, "the counter of the end")
    while (now := foot(browser, end)) != discs:
        counts = offered(now)
        wanted = min(max(discs, counts[0]), counts[-1])
        browser.js(
            (
                "document.querySelector(`[data-foot='${arguments[0]}'] "
                "[data-count='${arguments[1]}']`).click()"
            ),
            end,
            wanted,
        )
        until(lambda wanted=wanted: foot(browser, end) == wanted, "the count that was tapped")
    yellow = (
        "return document.querySelector(`[data-foot='${arguments[0]}'] "
        "[data-yellow]`)?.getAttribute('aria-checked')"
    )
    if junction and browser.js(yellow, end) != "true":
        browser.click(f"[data-foot='{end}'] [data-yellow]")
        until(lambda: browser.js(yellow, end) == "true", "a yellow disc")


def tap_roads(browser: Browser, marks: dict[str, Any], roads: int, noise: float = 1.2) -> None:
    """Taps the first roads of a file of marks as a person would, with errors; goes on from where it
    was.
    """
    rng, pillars = np.random.default_rng(7), {pillar["id"]: pillar for pillar in marks["pillars"]}
    pressed = (
        "return "
        "document.querySelector(`[data-colour='${arguments[0]}']`)?.getAttribute('aria-pressed')"
    )
    for number, road in list(enumerate(marks["roads"][:roads]))[taps_taken(browser) // 2 :]:
        if browser.js(pressed, road["owner"]) != "true":
            browser.click(f"[data-colour='{road['owner']}']")
            until(lambda road=road: browser.js(pressed, road["owner"]) == "true", "the colour")
        for tapped, end in enumerate(road["ends"], 1):
            touch(browser, *(np.array(end) + rng.normal(0.0, noise, 2)).tolist())
            until(lambda ends=2 * number + tapped: taps_taken(browser) == ends, "the mark")
        feet = (road["from"], road["to"])
        # pillars first: no road is on the table with both ends
        for end in sorted((0, 1), key=lambda end: feet[end] is None):
            pillar = pillars.get(feet[end], {})
            count(browser, end, pillar.get("discs", 0), junction=pillar.get("junction", False))


def test_a_photo_is_tapped_by_fingers_settled_and_played_on(
    browser: Browser, server: Server
) -> None:
    marks = json.loads(asset("photos", "table.json").read_text(encoding="utf-8"))
    bring(browser, server, PHOTO)
    browser.sees("tap the entrance ramp")
    tap_roads(browser, marks, ROADS)
    browser.sees("The camera is found", "[data-found]")
    until(lambda: browser.js("return window.__snap.state.wires.length") > ROADS, "the wire model")
    touch(browser, 1200.0, 150.0)
    until(lambda: taps_taken(browser) == 2 * ROADS + 1, "one tap too many")
    browser.click("[data-undo]")
    until(lambda: taps_taken(browser) == 2 * ROADS, "it is undone")
    browser.click("[data-settle]")
    browser.sees("B-R1: 1 car", "[data-verdict]")
    headline = "return document.querySelector('[data-status]').getBoundingClientRect().top"
    snapped = "return document.querySelector('.snap').getBoundingClientRect().bottom"
    until(lambda: browser.js(headline) >= browser.js(snapped), "the verdict begins at its headline")
    if not missing("photo"):
        browser.sees(f"of {2 * ROADS} taps were drawn", "[data-compared]")
    told = [browser.text(f"[data-told='{road['id']}'] summary") for road in marks["roads"][:ROADS]]
    assert ["car" in line for line in told] == [True] * ROADS
    assert "B-R2: 1 car" in told[5]
    for dark in ("true", "false"):
        browser.js(f"Quasar.Dark.set({dark})")
        assert faults(browser) == [], dark
    second_photo(browser, marks)
    address = browser.driver.current_url

    browser.click("[data-play-on]")
    until(lambda: "/room/" in browser.driver.current_url, "a room opens")
    (path,) = (server.data / "rooms").glob("*.jsonl")
    assert record.read(path).header.physics is not None, (
        "the table stands, so what falls is computed"
    )
    play_one_ply(browser, path)
    assert len(until(lambda: record.read(path).entries, "the ply is on the disk")) == 1
    browser.open(address)
    browser.sees("not held here")


def test_a_table_that_nobody_can_play_on_has_its_verdict_and_the_reason(
    browser: Browser, server: Server
) -> None:
    """An end is said to be on a pillar of its own, in the place of another."""
    marks = json.loads(asset("photos", "table.json").read_text(encoding="utf-8"))
    bring(browser, server, PHOTO)
    tap_roads(browser, marks, ROADS)
    shared = "[aria-label='This end is on a pillar of its own']"
    ends = f'return document.querySelectorAll("[data-foot] {shared}").length'
    joined = browser.js(ends)
    assert joined
    browser.js(f'document.querySelector("[data-foot] {shared}").click()')
    until(lambda: browser.js(ends) == joined - 1, "the end has a pillar of its own")
    browser.click("[data-settle]")
    browser.sees("B-R1: 1 car", "[data-verdict]")
    said = browser.find("[data-unplayable]").text
    assert re.match(r"Nobody can play on from this table: .* stand in one place, .* mm apart", said)
    offers = (
        "return [...document.querySelectorAll('[data-play-on], [data-next-photo]')]"
        ".filter((e) => e.checkVisibility()).length"
    )
    assert browser.js(offers) == 0

    browser.click("[data-to-marks]")
    browser.click("[data-undo]")
    until(lambda: browser.js(ends) == joined, "it is joined again")
    browser.click("[data-settle]")
    until(lambda: browser.js(offers) == 2, "the game may go on")
    assert not browser.js("return document.querySelector('[data-unplayable]')")


@pytest.mark.skipif(missing("photo"), reason="needs shutoko[photo]")
def test_roads_are_found_at_a_click_corrected_and_undone(browser: Browser, server: Server) -> None:
    bring(browser, server, PHOTO)
    browser.click("[data-find]")
    browser.sees("Roads are looked for", "[data-looking]")
    browser.click("[data-stop]")
    browser.sees("The marks are as they were", "[data-proposed]")
    browser.click("[data-find]")
    until(lambda: taps_taken(browser) >= 20, "the roads that were found")
    browser.sees("pillars were hard to see and are orange", "[data-proposed]")
    tones = browser.js("return window.__snap.state.roads.map(road => road.tone)")
    assert set(tones) <= {"", "doubtful"}
    hard = "return window.__snap.state.roads.flatMap(road => road.hard).filter(Boolean).length"
    orange = "return document.querySelectorAll('.snap .ring.hard').length"
    assert browser.js(hard) == browser.js(orange) > 0, "doubtful pillars are marked"
    found = taps_taken(browser)
    assert browser.js("return window.__snap.state.mode") == "move"
    until(lambda: browser.js("return window.__snap.state.wires.length") > 10, "the wire model")
    at = browser.js("const [a, b] = window.__snap.state.roads[1].ends; return [a, b]")
    middle = ((np.array(at[0]) + np.array(at[1])) / 2).tolist()
    touch(browser, *middle)
    picked = "return window.__snap.state.roads.find(road => road.picked)?.colour"
    until(lambda: browser.js(picked), "the road is looked at")
    swatch = "return document.querySelector('.swatch.picked').style.background"
    rgb = "return getComputedStyle(document.querySelector('.snap .road.picked')).stroke"
    assert browser.js(swatch) == browser.js(rgb), "its colour is the picked one"
    browser.click("[data-remove]")
    until(lambda: taps_taken(browser) == found - 2, "a road less")
    asked = "return document.querySelector('[data-question]')?.innerText ?? ''"
    first = until(lambda: browser.js(asked), "whether another one is there")
    assert browser.js("return document.querySelectorAll('.snap line.lit').length") == 2
    browser.click("[data-question] [data-answer='1']")
    until(lambda: browser.js(asked) != first, "the next question, or none")
    browser.click("[data-undo]")
    until(lambda: browser.js(asked) == first, "the question again")
    browser.click("[data-undo]")
    until(lambda: taps_taken(browser) == found, "it is back")
    recolour(browser)
    touch(browser, 5.0, 5.0)
    mode = "return window.__snap.state.mode"
    until(lambda: browser.js(mode) == "mark", "no road is there: its ends are to be tapped")


HEARD = """
    const {snap, show} = {snap: window.__snap, show: window.__snap.show};
    window.__heard = [];
    snap.show = (state) => {
        window.__heard.push(state.roads.map((road) => road.colour));
        return show.call(snap, state);
    };
"""
"""Keeps the colours of the roads at each drawing: what is found again with a change may come before
a test looks.
"""


def recolour(browser: Browser) -> None:
    """Another colour is for the whole chain of a road; unless only that road is meant."""
    colours = "return window.__snap.state.roads.map(road => road.colour)"
    before = browser.js(colours)
    ends = browser.js("return window.__snap.state.roads[0].ends")
    touch(browser, *np.mean(ends, axis=0).tolist())
    browser.sees("A colour goes to the whole chain", "[data-chain]")
    assert (chain := int(browser.text("[data-chain]").split()[-2])) > 2
    other = browser.js(
        "return document.querySelector('[data-colour][aria-pressed=false]').dataset.colour"
    )

    def changed() -> int:
        """How many roads have another colour as soon as one has."""
        browser.js(HEARD)
        browser.click(f"[data-colour='{other}']")
        heard = "return window.__heard.find((one) => `${one}` !== `${arguments[0]}`)"
        after = until(lambda: browser.js(heard, before), "another colour")
        return sum(a != b for a, b in zip(before, after, strict=True))

    assert changed() == chain
    browser.click("[data-undo]")
    until(lambda: browser.js(colours) == before, "it has its colour again")
    browser.click("[data-chain]")
    assert changed() == 1


@pytest.mark.skipif(missing("photo"), reason="needs shutoko[photo]")
def test_photos_from_other_sides_are_added_and_one_that_does_not_help_is_told(
    browser: Browser, server: Server, tmp_path: Any
) -> None:
    bring(browser, server, PHOTO)
    file = browser.find("[data-side]") and browser.find("[data-photo-file]")
    damaged = tmp_path / "table.jpg"
    damaged.write_bytes(PHOTO.read_bytes()[:3000])
    file.send_keys(str(damaged))
    browser.sees("the picture is damaged", "[data-proposed]", patience=30.0)
    file.send_keys(str(PHOTO))
    browser.sees("Only this photo shows the table. One did not: it shows", patience=90.0)
    assert taps_taken(browser) >= 20, "the roads were found"


def second_photo(browser: Browser, marks: dict[str, Any]) -> None:
    """The same table after the next turn, from the same place: only the new road is tapped, and
    becomes a ply.
    """
    earlier = browser.driver.current_url
    browser.click("[data-next-photo]")
    until(lambda: "after=" in browser.driver.current_url, "the page for the next photo")
    choose(browser, PHOTO)
    until(
        lambda: "/photo/" in (url := browser.driver.current_url) and url != earlier,
        "the page of the next photo",
    )
    until(lambda: browser.js("return !!window.__snap?.scale"), "the next photo")
    until(lambda: taps_taken(browser) == 2 * ROADS, "the marks of the photo before")
    tap_roads(browser, marks, ROADS + 1)
    browser.click("[data-settle]")
    browser.sees("builds B-P3 of", "[data-ply]")


def play_one_ply(browser: Browser, path: Any) -> None:
    """The first move of a computer's player, typed by a person."""
    made, start = begin(record.read(path))
    rng = np.random.default_rng(1)
    chooser = player("random", made)
    move = next(
        one
        for _ in range(50)
        if isinstance(one := chooser.choose(start, rng), Build) and not one.junction
    )
    opens(browser, "exact")
    browser.choose("[data-base]", f"{move.base} ({start.table.pillar_by_id[move.base].discs})")
    browser.choose("[data-controls] [data-height]", str(move.discs))
    for name, value in zip("xy", move.at, strict=True):
        browser.find(f"input[data-{name}]").send_keys(str(round(value, 2)))
    until(
        lambda: browser.js("return !document.querySelector('[data-place]').disabled"),
        "the place is legal",
    )
    closes(browser)
    browser.click("[data-place]")


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("notes.jpg", b"these are no pixels", "this is no picture that can be read"),
        ("half.jpg", PHOTO.read_bytes()[:30_000], "the picture is damaged"),
        ("huge.jpg", b"\xff\xd8" + bytes(33 << 20), "one of at most 32 MiB"),
    ],
)
def test_what_is_no_photo_is_refused_in_one_line_and_nothing_is_held(
    browser: Browser, server: Server, tmp_path: Any, name: str, data: bytes, told: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    browser.open(f"{server.url}/photo")
    choose(browser, path)
    browser.sees(told, "[data-refused]")
    assert browser.driver.current_url.endswith("/photo")
