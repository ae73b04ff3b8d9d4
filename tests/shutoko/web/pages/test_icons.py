"""The font of the pages' icons has every icon that they name; it is cut out of a larger one."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from tests.browser import Browser, Server
from tools.icons import words

pytestmark = [pytest.mark.pages, pytest.mark.slow]

ICONS = """
    const [fonts, names, told] = arguments;
    const pen = document.createElement('canvas').getContext('2d');
    const drawn = async (font) => {
        await document.fonts.load(`20px "${font}"`);
        pen.font = `20px "${font}"`;
        return names.filter((name) => pen.measureText(name).width === 20);
    };
    Promise.all(fonts.map(drawn)).then(told);
"""
"""Which names each font draws as one sign; letter by letter, in these fonts every letter is as wide
as a sign.
"""


def test_every_icon_that_a_page_names_is_in_the_font_of_the_pages(
    browser: Browser, server: Server
) -> None:
    names = sorted(word for word in words() if re.fullmatch(r"[a-z0-9_]{2,}", word))
    browser.open(server.url)
    browser.find("main")
    fonts = ["Material Icons", "Shutoko Icons"]
    known, ours = map(set, browser.driver.execute_async_script(ICONS, fonts, names))
    assert known > {"menu", "pause"}
    assert "note_game" in set(names) - known
    assert known - ours == set(), "python tools/icons.py makes the font anew"
