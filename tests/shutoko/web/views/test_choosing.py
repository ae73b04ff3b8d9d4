"""Lists and rows of buttons that cannot be emptied: a page may send anything."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from nicegui import Client
from nicegui.page import page

from shutoko.web.views.choosing import Select, Toggle


@pytest.mark.parametrize("kind", [Select, Toggle])
def test_no_choice_leaves_the_choice_as_it_was(kind: Any) -> None:
    with Client(page("")):
        element = kind({1.0: "slow", 2.0: "quick"}, value=1.0)
    assert element._event_args_to_value(SimpleNamespace(args=None)) == 1.0
    chosen = {"value": 1} if kind is Select else 1
    assert element._event_args_to_value(SimpleNamespace(args=chosen)) == 2.0
