"""A game at a real table that people note on the pages, at a desk and on a phone, in a real
Chromium: pieces set on the screen, cars counted, what fell tapped, a server killed in the middle.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from rules import record
from sim.game.verify import verify
from tests.browser import Browser, Server, closes, opens, until
from tests.pages import content, drawn, faults, fine, on_a_phone, pointer, table_pixel, within
from tests.shutoko.web.pages.test_sizes import nothing_covered

pytestmark = [pytest.mark.pages, pytest.mark.slow]

FIRST, CROSSES = (41.0, 27.3), (75.5, -43.4)
"""Where Ann builds, and where Ben does whose road crosses hers, in mm."""


def begins(browser: Browser, server: Server, *names: str) -> Any:
    """Begins a diary by the card of the lobby; returns its file."""
    browser.open(server.url)
    browser.click("[data-note]")
    for seat, name in enumerate(names or ("Ann", "Ben")):
        browser.find(f"input[data-name='{seat}']").send_keys(Keys.CONTROL, "a", Keys.NULL, name)
    browser.click("[data-begin]")
    drawn(browser)
    name = browser.driver.current_url.rpartition("/")[2]
    return server.data / "noted" / f"{name}.jsonl"


def asks(browser: Browser, question: str) -> None:
    browser.sees(question, "[data-part=sentence]")


def unfolds(browser: Browser, reason: str) -> None:
    """What a click on the sentence shows."""
    until(lambda: reason in content(browser, "[data-why]"), reason)


def acts(browser: Browser, label: str) -> None:
    """Presses the main button once it says so."""
    browser.sees(label, "[data-part=act]")
    until(
        lambda: not browser.js("return document.querySelector('[data-part=act]').disabled"),
        f"{label} may be pressed",
    )
    browser.click("[data-part=act]")


def taps(browser: Browser, x: float, y: float, z: float = 0.0) -> None:
    def rests() -> bool:
        at = table_pixel(browser, x, y, z)
        time.sleep(0.3)
        return bool(math.dist(at, table_pixel(browser, x, y, z)) < 0.01)

    until(rests, "the camera rests")
    pointer(browser, ("move", *table_pixel(browser, x, y, z)), ("down",), ("up",))


def taps_piece(
    browser: Browser, name: str, dx: float = 0.0, dy: float = 0.0, picked: str = ""
) -> None:
    """Taps a piece where it is drawn, or so many mm beside its middle; then the page names it."""
    place = "return window.__bodies.meshes.get(arguments[0]).position.toArray()"
    x, y, z = browser.js(place, name)
    taps(browser, x + dx, y + dy, z)
    browser.sees(picked, "[data-picked]")


def turns(browser: Browser) -> int:
    return int(browser.js("return document.querySelectorAll('.moves .ply').length"))


def kept(path: Any, count: int) -> record.Record:
    """The record on the disk once it has so many turns, with which the referee agrees."""
    until(lambda: len(record.read(path).entries) == count, f"{count} turns are on the disk")
    found = record.read(path)
    assert verify(found, mode="rules").ok
    return found


def stands(browser: Browser) -> None:
    """What is aimed at stands, and nothing fell."""
    acts(browser, "It stands there")
    acts(browser, "Nothing fell")


def entrances(browser: Browser, path: Any) -> None:
    for n, name in enumerate(("Ann", "Ben")):
        asks(browser, f"{name}: is your entrance here?")
        stands(browser)
        kept(path, n + 1)


def crossing(browser: Browser, path: Any, aimed: Callable[[], None] = lambda: None) -> None:
    """Ann builds, and Ben's road crosses hers, up to the question how many cars he put down.
    `aimed` is called when the page knows where his road lies.
    """
    asks(browser, "Ann: tap where the new piece stands")
    taps(browser, *FIRST)
    acts(browser, "It stands there")
    asks(browser, "How many cars did Ann put down?")
    assert content(browser, "[data-counted]") == "0"
    acts(browser, "That many")
    asks(browser, "Did anything fall, move or get touched?")
    acts(browser, "Nothing fell")
    kept(path, 3)
    asks(browser, "Ben: tap where the new piece stands")
    taps(browser, *CROSSES)
    asks(browser, "0 to 1 cars, too close to tell")
    aimed()
    acts(browser, "It stands there")
    asks(browser, "How many cars did Ben put down?")
    assert content(browser, "[data-counted]") == "1"


def until_it_falls(browser: Browser, server: Server) -> Any:
    """Begins a diary and notes turns up to the question what fell in that of Ben; its file."""
    path = begins(browser, server)
    entrances(browser, path)
    crossing(browser, path)
    acts(browser, "That many")
    asks(browser, "Did anything fall, move or get touched?")
    return path


def test_a_game_is_noted_with_a_fall_an_argument_and_a_server_that_is_killed(
    browser: Browser, server: Server
) -> None:
    path = begins(browser, server)
    entrances(browser, path)
    crossing(browser, path)
    assert faults(browser) == []

    browser.click("[data-more]")  # two cars, where one is earned: an argument
    until(lambda: content(browser, "[data-counted]") == "2", "two are counted")
    acts(browser, "That many")
    asks(browser, "2 cars are put down, but even with errors of measuring at most 1 can")
    browser.sees("We let it stand", "[data-part=act]")
    browser.click("[data-undo]")  # told anew
    asks(browser, "0 to 1 cars, too close to tell")
    acts(browser, "It stands there")
    acts(browser, "That many")

    asks(browser, "Did anything fall, move or get touched?")
    taps_piece(browser, "A-C0", picked="Red: car")
    browser.sees("That was all", "[data-part=act]")
    browser.click("[data-fate=put]")
    asks(browser, "Tap where it stands now")
    ramp = "return window.__bodies.meshes.get('A-R0').position.toArray()"
    x, y, z = browser.js(ramp)
    taps(browser, x, y - 12, z)
    asks(browser, "Did anything fall, move or get touched?")
    taps_piece(browser, "A-P0.1", -9.0, picked="Red: pillar")
    unfolds(browser, "Counted as fallen with it: A-R0 and A-R1")
    unfolds(browser, "Counted as put back where it was: A-P0")
    assert faults(browser) == []
    taps_piece(browser, "A-P0.1", -9.0)  # a second tap: nothing happened to it
    until(lambda: not browser.js("return document.querySelector('.fates').checkVisibility()"), "")
    opens(browser, "exact")
    browser.click("[data-deed=pass_turn]")  # it would drop the turn that is being told
    browser.sees("Finish this turn first")
    browser.find("input[data-line]").send_keys("note Ann insists\n")
    until(lambda: browser.js("return document.querySelector('[data-line]').value") == "", "noted")
    closes(browser)
    acts(browser, "That was all")
    last = kept(path, 4).entries[-1]
    assert last.observed["fallen"] == ["A-C0"]
    (put,) = last.observed["put"]
    assert put["car"] == "A-C0"
    assert put["on"] == "A-R0"
    assert 0.5 < put["along"] < 0.8
    assert last.note == "Ann insists"
    assert last.pay is None

    taken_home = browser.driver.execute_async_script(
        "const [told] = arguments, link = document.querySelector('a[href$=\".jsonl\"]');"
        "fetch(link.href).then((answer) => answer.text()).then(told)"
    )
    assert taken_home == path.read_text()

    server.kill()
    server.start()
    browser.open(browser.driver.current_url)
    drawn(browser)
    until(lambda: turns(browser) == 4, "all turns are there")
    browser.click("[data-undo]")
    kept(path, 3)
    until(lambda: turns(browser) == 3, "the last turn is taken back")
    asks(browser, "Ben: tap where the new piece stands")


def test_a_game_is_noted_on_a_phone_without_scrolling(browser: Browser, server: Server) -> None:
    with on_a_phone(browser):
        path = begins(browser, server)
        entrances(browser, path)
        asks(browser, "Ann: tap where the new piece stands")
        within(browser)
        nothing_covered(browser, "where it stands")
        crossing(browser, path)
        within(browser)
        acts(browser, "That many")
        # the lower one of two discs
        taps_piece(browser, "B-P1.1", 0.0, -10.0, picked="Blue: pillar")
        taps_piece(browser, "A-R1", picked="Red: road")
        fine(browser)
        acts(browser, "That was all")
        assert kept(path, 4).entries[-1].observed["fallen"] == ["B-P1.1", "B-P1.2", "A-R1"]
        # what he built fell, so it earns nothing
        assert (
            browser.find("[data-part=plate][data-seat='1']").get_attribute("data-cars-left") == "9"
        )


def test_what_seldom_happens_is_tapped_too(browser: Browser, server: Server) -> None:
    """A car turned around, a piece lost, a pillar moved, an end slid under an older one."""
    path = until_it_falls(browser, server)
    taps_piece(browser, "A-C0", picked="Red: car")
    says(browser, "more", "turned")
    taps_piece(browser, "B-R0", 0.0, 32.0, picked="Blue: road")
    says(browser, "more", "under")
    within(browser)
    taps_piece(browser, "B-C0", picked="Blue: car")
    says(browser, "more", "gone")
    taps_piece(browser, "A-P1.2", 8.0, -4.1, picked="Red: pillar")
    says(browser, "fell", "put")  # it did not fall, it was shoved
    taps(browser, 45.0, 30.0)
    asks(browser, "Did anything fall, move or get touched?")
    acts(browser, "That was all")
    last = kept(path, 4).entries[-1]
    assert last.do["build"]["road"] == {"under": ["B-R0"]}
    assert last.observed.get("fallen", ["B-C0"]) == ["B-C0"], "the lost car was knocked off"
    puts = {next(iter(one.values())): one for one in last.observed["put"]}
    assert puts["A-C0"]["turn"] == 180
    assert "B-C0" in puts
    assert math.dist(puts["A-P1"]["at"], (45.0, 30.0)) < 4.0


def test_a_car_goes_off_a_road_stays_and_another_payment_is_accepted_then_a_pass_knocks(
    browser: Browser, server: Server
) -> None:
    path = until_it_falls(browser, server)
    taps_piece(browser, "B-C1", picked="Blue: car")
    unfolds(browser, "B-C1 slid off B-R1 and is put back on it")
    says(browser, "off")
    unfolds(browser, "B-C1 did not stay on B-R1 and goes back to Ben's stock")
    taps_piece(browser, "A-P1.2", 8.0, -4.1)
    unfolds(browser, "Ben owes Ann 2 discs for 2 fallen pieces")
    opens(browser, "exact")
    browser.choose("[data-pick]", "A-R1: Red: road")
    closes(browser)
    browser.sees("Red: road", "[data-picked]")
    says(browser, "fell")  # it stayed
    unfolds(browser, "Ben owes Ann 1 disc for 1 fallen piece")
    pays(browser, "paid Ann 2")
    asks(browser, "Ben pays Ann 2 pieces, but 1 is due")
    browser.click("[data-undo]")
    unfolds(browser, "Ben owes Ann 1 disc for 1 fallen piece and pays 1 grey disc")
    pays(browser, "paid Ann 2")
    acts(browser, "We let it stand")
    unfolds(browser, "Ben owes Ann 1 disc for 1 fallen piece and pays 2 grey discs")
    assert faults(browser) == []
    acts(browser, "That was all")
    last = kept(path, 4).entries[-1]
    assert last.observed == {"fallen": ["B-C1", "A-P1.2"]}
    assert (last.claim, last.accepted) == ({"placed": 0}, True)

    opens(browser, "exact")
    browser.click("[data-deed=pass_turn]")
    closes(browser)
    acts(browser, "We let it stand")
    asks(browser, "Did anything fall, move or get touched?")
    taps_piece(browser, "B-R1", 20.0, -19.0, picked="Blue: road")
    acts(browser, "That was all")
    last = kept(path, 5).entries[-1]
    assert (last.do, last.observed) == ("pass", {"fallen": ["B-R1"]})


def pays(browser: Browser, line: str) -> None:
    """Types a line of words."""
    opens(browser, "exact")
    browser.find("input[data-line]").send_keys(f"{line}\n")
    until(lambda: browser.js("return document.querySelector('[data-line]').value") == "", line)
    closes(browser)


def test_a_building_is_chosen_and_turned_by_buttons_and_words_name_a_place(
    browser: Browser, server: Server
) -> None:
    with on_a_phone(browser):
        path = begins(browser, server, "Ann", "Ben", "Cho")
        for n in range(3):
            stands(browser)
            kept(path, n + 1)
        asks(browser, "Cho: which building, and where does it stand?")
        kinds = "return [...document.querySelectorAll('[data-building]')].map((e) => e.innerText)"
        assert browser.js(kinds) == ["Block", "Cylinder", "Slab", "Tower"]
        fine(browser)
        browser.click("[data-building=slab]")
        browser.click("[data-turned='15']")
        taps(browser, 90.0, 70.0)
        stands(browser)
        (do,) = (entry.do for entry in kept(path, 4).entries[3:])
        assert (do["building"]["kind"], do["building"]["turn"]) == ("slab", 15.0)
        until(lambda: browser.js(kinds) == ["Block", "Cylinder", "Tower"], "it is there once")

        opens(browser, "exact")
        line = browser.find("input[data-line]")
        line.send_keys("note the slab is new\n")
        browser.sees("Note: the slab is new", ".moves")
        line.send_keys("round the corner\n")
        browser.sees("round the corner", "[role=alert]")
        line.send_keys("\ue009a\ue000-100,60 turned 45\n")
        closes(browser)
        stands(browser)
        assert kept(path, 5).entries[4].do["building"] == {
            "kind": "block",
            "at": [-100.0, 60.0],
            "turn": 45.0,
        }


def says(browser: Browser, *fates: str) -> None:
    """Presses the buttons of the picked piece one after the other."""
    for fate in fates:
        browser.click(f"[data-fate={fate}]")
        time.sleep(0.5)
