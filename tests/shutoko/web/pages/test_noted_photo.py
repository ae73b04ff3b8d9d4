"""A photo of the table corrects a game that was noted on the pages: in a real Chromium at the size
of a phone, each road asked for by its name and tapped by fingers.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from PIL import Image

from rules import record
from shutoko.cli import main
from sim.game import replay
from tests.browser import Browser, Server, opens, until
from tests.pages import PHONE, content, drawn, faults, on_a_phone
from tests.shutoko.cli.test_record import BEFORE, SETTING
from tests.shutoko.cli.test_record_photo import by_eye
from tests.shutoko.web.pages.test_photo_page import choose, taps_taken, touch
from tools.staging import a_camera, marked

pytestmark = [pytest.mark.pages, pytest.mark.slow]

NAME, SIZE = "noted-by-eye-001", (1600, 1200)


def noted(server: Server, monkeypatch: pytest.MonkeyPatch, answers: list[str], name: str) -> Any:
    path = server.data / "noted" / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(answers) + "\n"))
    assert main(["record", str(path)]) == 0
    return path


def share_a_line(browser: Browser, *buttons: str) -> bool:
    """Whether these buttons stand beside each other in the window."""
    boxes = browser.js(
        "return arguments[0].map((css) => document.querySelector(css).getBoundingClientRect())"
        ".map((r) => [r.top, r.left, r.right])",
        buttons,
    )
    (top, left, end), (other, begin, right) = boxes
    return bool(top == other and 0 <= left < end <= begin < right <= PHONE[0])


def test_a_photo_corrects_a_noted_game_road_by_road(
    browser: Browser, server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    true = noted(server, monkeypatch, [*SETTING, *BEFORE], "as-it-really-was")
    told = [*SETTING[:2], "10", *SETTING[3:], *map(by_eye, BEFORE)]
    path = noted(server, monkeypatch, told, NAME)
    before = path.read_bytes()
    *_, last = replay.trusted(record.read(true))
    rng = np.random.default_rng(2)
    camera = a_camera(last.after, rng, SIZE, 55.0)
    marks = marked(last.after, camera, rng, off=0.8, size=SIZE)
    Image.new("RGB", SIZE, "#b9a98f").save(tmp_path / "table.jpg")

    with on_a_phone(browser):
        browser.open(f"{server.url}/note/{NAME}")
        drawn(browser)
        opens(browser, "menu")
        browser.click("[data-by-photo]")
        choose(browser, tmp_path / "table.jpg")
        browser.sees("Red, road A-R0: tap its end on the table.", "[data-status]")
        assert faults(browser) == []
        for n, road in enumerate(marks.roads):
            browser.sees(f"road {road.id}", "[data-status]")
            ends = road.ends[::-1] if road.id.endswith("R0") else road.ends
            if road.id == "B-R4":
                browser.click("[data-hidden]")  # it cannot be seen
                continue
            # whoever taps the far end first is understood where its pillar is marked already
            ends = ends[::-1] if n == 5 else ends
            for k, end in enumerate(ends):
                touch(browser, *end)
                until(lambda n=n, k=k: taps_taken(browser) == 2 * n + k + 1, "the tap is taken")
        browser.sees("Compare with the noted game", "[data-settle]")
        assert share_a_line(browser, "[data-settle]", "[data-undo]")
        browser.click("[data-settle]")
        browser.sees("Nothing is kept yet.", "[data-status]")
        browser.sees("The photo shows 9 of 10 roads", "[data-correction]")
        browser.sees("B-R4: not on the photo", "[data-correction]")
        assert share_a_line(browser, "[data-to-marks]", "[data-take]")
        assert faults(browser) == []
        assert path.read_bytes() == before
        browser.click("[data-take]")
        drawn(browser)
        until(lambda: path.read_bytes() != before, "the places are kept")
        now = record.read(path)
        assert len(now.header.extra["x-corrected"]) == 1
        was = {entry.ply: entry.do for entry in record.read(true).entries}
        assert now.entries[2].do != was[2]
        browser.click("[data-undo]")
        until(lambda: path.read_bytes() == before, "undo brings the noted places back")
        assert content(browser, ".moves .ply") is not None
