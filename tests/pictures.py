"""Makes the pictures of the pages in docs/pictures and those of the games in the lobby: `make
pictures`. `make pictures ARGS="analysis by-hand-dark"` makes those alone.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageOps
from selenium.common.exceptions import TimeoutException

import rules
from rules import record
from rules.arena.players import player
from rules.record import Entry, Record
from rules.record.replay import begin, replay
from shutoko.export.picture import picture
from shutoko.export.share import share
from shutoko.web import STATIC
from shutoko.web.rooms.store import Setup
from sim.assets import asset
from sim.game.replay import branch
from tests.browser import Browser, Server, serving, until
from tests.pages import PHONE, advised, drawn, made_room, of_size, takes
from tests.shutoko.web.pages.test_noting import acts, begins, crossing, entrances, taps_piece
from tests.shutoko.web.pages.test_photo_page import bring, hold, tap_roads

DESK = (1366, 768)
COVER = (480, 300)
FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
_TRIES = 12  # screenshots, each given up after ten seconds
# Without a graphics card a picture takes seconds; what is shown is older than what was done.
_DRAWN = """
    const done = arguments[0];
    let more = 4;
    const next = () => (more-- ? requestAnimationFrame(next) : done());
    next();
"""


def meridians(plies: int = 15) -> Record:
    """A game of the search against itself at an easy level, the same each time."""
    made = rules.game("meridians")
    it = player("best:level=easy", made)
    state, entries = made.start(), []
    for ply in range(plies):
        move = it.choose(state, np.random.default_rng(ply))
        entries.append(Entry(ply, state.to_move, str(move)))
        state = state.after(move)
    return Record(record.Header("meridians", ("Player 1", "Player 2")), tuple(entries))


def covers(games: dict[str, Record]) -> None:
    """The pictures of the lobby's cards, shown by our own renderer."""
    folder = STATIC / "games"
    folder.mkdir(exist_ok=True)
    for name, given in games.items():
        made, _ = begin(given)
        *_, last = replay(given)
        if name == "tokyo-highway":
            shown = picture(
                made.view(last.after).bodies, size=(2 * COVER[0], 2 * COVER[1]), samples=4
            )
        else:
            shown = Image.open(BytesIO(share(given, "png"))).convert("RGB")
        ImageOps.fit(shown, COVER, Image.Resampling.LANCZOS).save(
            folder / f"{name}.webp", quality=82, method=6
        )


class Camera:
    """A browser that takes pictures of the pages of one server: those that are named, or all."""

    def __init__(self, browser: Browser, server: Server, names: Collection[str] = ()) -> None:
        self.browser, self.server, self._names = browser, server, frozenset(names)
        browser.driver.set_script_timeout(240)

    def takes(self, *names: str) -> bool:
        """Whether one of these pictures is wanted."""
        return not self._names or not self._names.isdisjoint(names)

    def room(self, setup: Setup) -> str:
        """A room of that setup in which the browser has all seats; its path."""
        return made_room(self.server, setup, self.browser).removeprefix(self.server.url)

    def take(
        self,
        name: str,
        path: str,
        size: tuple[int, int],
        theme: str = "light",
        deed: Callable[[], Any] | None = None,
    ) -> None:
        """The page at a path, after a deed on it."""
        if not self.takes(name):
            return
        with of_size(self.browser, *size):
            self.browser.open(
                f"{self.server.url}/choose?theme={theme}&then={path.partition('?')[0]}"
            )
            self.browser.open(f"{self.server.url}{path}{'&' if '?' in path else '?'}full=1")
            self.browser.find("main")
            if self.browser.js("return !!document.querySelector('.stage')"):
                until(
                    lambda: self.browser.js(
                        "return window.__bodies?.meshes.size > 0 && window.__bodies.drawn > 0"
                    ),
                    "the table",
                )
            if deed is not None:
                deed()
            self.shoot(name, f"{size[0]} x {size[1]} {theme}")

    def _screen(self) -> bytes:
        """What the page shows; a table of which every picture takes seconds may need more tries."""
        for _ in range(_TRIES):
            with suppress(TimeoutException):
                return bytes(self.browser.driver.get_screenshot_as_png())
        raise AssertionError("the machine is too busy to take a picture")

    def shoot(self, name: str, told: str = "") -> None:
        """The page as it is now."""
        if not self.takes(name):
            return
        time.sleep(2.0)
        self.browser.driver.execute_async_script(_DRAWN)
        shot = Image.open(BytesIO(self._screen())).convert("RGB")
        shot.quantize(256, kmeans=3, dither=Image.Dither.NONE).save(
            FOLDER / f"{name}.png", optimize=True
        )
        sys.stdout.write(f"{name}.png {told}\n")
        sys.stdout.flush()


def aimed(browser: Browser) -> None:
    """A click where the next pillar of the shipped game stands."""
    advised(browser)
    browser.sees("+", "[data-said]", patience=60)


def held(browser: Browser) -> None:
    """The pillar of the best move in the hand."""
    aimed(browser)
    takes(browser)
    until(lambda: not browser.js("return window.__bodies.flight"), "the camera has come near")
    until(lambda: browser.js("return !!document.querySelector('.holding')"), "the page says so")


def guided(browser: Browser) -> None:
    """The first lesson of the highway."""
    browser.click("[data-learn=tokyo-highway]")
    browser.sees("1 / 7", "[data-lesson]")
    browser.open(f"{browser.driver.current_url}&full=1")
    browser.sees("1 / 7", "[data-lesson]")
    drawn(browser)


def pages(camera: Camera, games: dict[str, Record]) -> None:
    """Every page, by day and night, at a desk and on a phone."""
    browser = camera.browser
    browser.open(camera.server.url)
    names = ("Player 1", "Aoi")
    middle = Record(games["tokyo-highway"].header, branch(games["tokyo-highway"], 16).entries)
    table = camera.room(
        Setup("tokyo-highway", names, (None, None), record=middle, hands=("helped", "expert"))
    )
    won = camera.room(Setup("tokyo-highway", names, (None, None), record=games["tokyo-highway"]))
    boards = {}
    for name in ("meridians", "thruway"):
        boards[name] = camera.room(
            Setup(name, ("Player 1", "Player 2"), (None, None), record=games[name])
        )
    for size, theme, mark in (
        (DESK, "light", ""),
        (DESK, "dark", "-dark"),
        (PHONE, "light", "-phone"),
        (PHONE, "dark", "-phone-dark"),
    ):
        camera.take(f"lobby{mark}", "/", size, theme)
        camera.take(f"table{mark}", table, size, theme, lambda: aimed(browser))
        camera.take(f"by-hand{mark}", table, size, theme, lambda: held(browser))
        camera.take(f"result{mark}", won, size, theme)
        camera.take(f"replay{mark}", "/replay/shipped/knock?ply=16", size, theme)
        for name, path in boards.items():
            camera.take(f"{name}{mark}", path, size, theme)
    analysis = f"/replay{boards['thruway']}?ply=6&analysis=1"
    camera.take(
        "analysis",
        analysis,
        DESK,
        deed=lambda: until(lambda: browser.text("[data-advice]"), "an analysis", 120),
    )
    camera.take("new-game", "/", DESK, deed=lambda: browser.click("[data-game=tokyo-highway]"))
    camera.take("guided", "/", DESK, deed=lambda: guided(browser))


def noted(camera: Camera) -> None:
    """A real game noted on a phone: where a pillar stands, and what fell."""
    browser = camera.browser
    with of_size(browser, *PHONE):
        path = begins(browser, camera.server)
        browser.open(f"{browser.driver.current_url}?full=1")
        drawn(browser)
        entrances(browser, path)
        crossing(browser, path, lambda: camera.shoot("noting-where"))
        acts(browser, "That many")
        taps_piece(browser, "B-P1.1", 0.0, -10.0, picked="Blue: pillar")
        camera.shoot("noting-fell")


def photo_steps(camera: Camera) -> None:
    """A photo settled on a phone, step by step, and its verdict at a desk."""
    browser, marks = (
        camera.browser,
        json.loads(asset("photos", "table.json").read_text(encoding="utf-8")),
    )
    camera.take("photo-choose", "/photo", PHONE)
    with of_size(browser, *PHONE):
        bring(browser, camera.server, asset("photos", "table.jpg"))
        tap_roads(browser, marks, 5)
        browser.sees("The camera is found", "[data-found]")
        hold(browser, *marks["roads"][5]["ends"][0])
        camera.shoot("photo-tap")
        browser.driver.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []}
        )
        tap_roads(browser, marks, len(marks["roads"]))
        browser.js("window.__snap.fit()")
        camera.shoot("photo-marked")
    with of_size(browser, *DESK):
        browser.open(browser.driver.current_url)
        browser.click("[data-settle]")
        browser.sees("B-R8: 2 cars", "[data-verdict]")
        browser.click("[data-told=B-R1] summary")
        camera.shoot("photo-verdict")


def main(names: Collection[str] = ()) -> int:
    """Makes the pictures of these names, or all; needs Chromium."""
    shipped = record.read(asset("records", "knock.jsonl"))
    thruway = record.read(asset("records", "boards", "thruway-opening.jsonl"))
    games = {"tokyo-highway": shipped, "thruway": thruway, "meridians": meridians()}
    known = {path.stem for path in FOLDER.glob("*.png")}
    if unknown := set(names) - known:
        sys.stderr.write(f"no pictures: {', '.join(sorted(unknown))}; there are {sorted(known)}\n")
        return 2
    if not names:
        covers(games)
    browser = Browser(fine=True)
    try:
        with tempfile.TemporaryDirectory() as data, serving(Path(data)) as server:
            camera = Camera(browser, server, names)
            pages(camera, games)
            if camera.takes("noting-where", "noting-fell"):
                noted(camera)
            if camera.takes("photo-choose", "photo-tap", "photo-marked", "photo-verdict"):
                photo_steps(camera)
    finally:
        browser.driver.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
