"""The fields for a place in millimetres keep what is half typed."""

from __future__ import annotations

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from nicegui import Client
from nicegui.page import page

from shutoko.web.pages.rooms.choices import Choices


def test_a_half_typed_place_stays_until_another_is_shown() -> None:
    typed: list[tuple[float, float]] = []
    entered: list[bool] = []
    with Client(page("")):
        choices = Choices(str, lambda: None, typed.append, lambda: entered.append(True))
    x, y = choices.at

    def shown() -> tuple[object, object]:
        return x.value, y.value

    x.set_value(73.2)
    choices.show_place(None)  # the pointer passes the table, or somebody sits down
    assert shown() == (73.2, None)
    assert typed == []
    choices._entered()
    assert entered == []
    y.set_value(0.4)
    assert typed == [(73.2, 0.4)]
    choices._entered()
    assert entered == [True]
    choices.show_place((73.2, 0.4))
    y.set_value(None)
    choices.show_place((73.2, 0.4))
    assert shown() == (73.2, None)
    choices._left()  # what is left empty has the place that counts
    assert shown() == (73.2, 0.4)
    y.set_value(1e300)
    choices._left()
    assert shown() == (73.2, 0.4)
    choices.show_place((70.0, 1.234))
    assert shown() == (70.0, 1.23)
    choices.show_place(None)
    assert shown() == (None, None)
    assert typed == [(73.2, 0.4)]
