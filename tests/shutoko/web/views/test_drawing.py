"""A drawing is sent by its changed lines."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

import rules
from shutoko.web.views.boards import board_svg
from shutoko.web.views.drawing import changed
from shutoko.web.wording import LANGUAGES, words


def put_together(old: list[str], parts: list[str | list[int]]) -> list[str]:
    """What the page makes of them (`static/drawing.js`)."""
    found = []
    for part in parts:
        found += [part] if isinstance(part, str) else old[part[0] : part[0] + part[1]]
    return found


def test_new_lines_come_out_of_old_ones_whatever_has_changed() -> None:
    rng = np.random.default_rng(1)
    for _ in range(500):
        old, new = (list(rng.choice([*"abcdef"], rng.integers(9))) for _ in range(2))
        parts = changed(old, new)
        assert put_together(old, parts) == new
        assert all(isinstance(part, list) or part not in old for part in parts)


@pytest.mark.parametrize("name", ["meridians", "thruway"])
def test_a_move_on_a_board_sends_little_of_it(name: str) -> None:
    made, text = rules.game(name, size=7), words(next(iter(LANGUAGES)))
    before = made.start()
    after = before.after(before.legal_moves()[0])
    old, new = (board_svg(made, state, text).split("\n") for state in (before, after))
    sent = changed(old, new)
    assert put_together(old, sent) == new
    assert sum(len(str(part)) for part in sent) < sum(len(line) for line in new) / 10
