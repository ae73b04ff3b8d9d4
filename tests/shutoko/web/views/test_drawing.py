"""Of a drawing only lines are sent that the page has never had."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

import rules
from rules import defaults
from shutoko.web.views.boards import board_svg, changed
from shutoko.web.wording import LANGUAGES, words


class Page:
    """What the page makes of what it is sent (`static/drawing.js`)."""

    def __init__(self, whole: str) -> None:
        self.lines = list(dict.fromkeys(whole.split("\n")))

    def change(self, parts: list[str | list[int]]) -> str:
        drawn: list[str] = []
        for part in parts:
            if isinstance(part, str):
                self.lines.append(part)
                drawn.append(part)
            else:
                drawn += self.lines[part[0] : part[0] + part[1]]
        return "\n".join(drawn)


def known(whole: str) -> dict[str, int]:
    found: dict[str, int] = {}
    changed(found, whole.split("\n"))
    return found


def test_new_lines_come_out_of_all_that_were_ever_sent() -> None:
    rng = np.random.default_rng(1)
    for _ in range(100):
        drawings = ["\n".join(rng.choice([*"abcdef"], rng.integers(1, 9))) for _ in range(5)]
        page, lines = Page(drawings[0]), known(drawings[0])
        for drawing in drawings[1:]:
            before = set(lines)
            parts = changed(lines, drawing.split("\n"))
            assert page.change(parts) == drawing
            assert not before & {part for part in parts if isinstance(part, str)}
            assert list(lines) == page.lines


@pytest.mark.parametrize(("name", "most"), [("meridians", 0.25), ("thruway", 0.1)])
def test_a_move_sends_little_of_the_board_also_with_the_moves_that_may_follow(
    name: str, most: float
) -> None:
    """Each side sees its own moves on offer; from its second turn on it has had nearly all, but for
    lines of sight.
    """
    made, text = rules.game(name), words(next(iter(LANGUAGES)))
    state, drawing = made.start(), ""
    page, lines, sizes = Page(""), known(""), []
    for ply in range(12):
        if ply:
            moves = state.legal_moves()
            state = state.after(moves[7 * ply % len(moves)])
        for offers in (defaults.offers(made, state, None), ()):  # while one is to move, and after
            drawing = board_svg(made, state, text, offers=offers)
            parts = changed(lines, drawing.split("\n"))
            assert page.change(parts) == drawing
            sizes.append(len(json.dumps(parts)) / len(drawing) if offers else 0.0)
    assert max(sizes[8:]) < most
