"""What all pages have in common: they come whole after a long time, and no list to choose from can
be emptied.
"""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from nicegui import Client, ui
from nicegui.page import page
from nicegui.testing import User

from shutoko.web.pages import frame
from shutoko.web.pages.controls import Select, Toggle


class Hours:
    """A clock of the wall that the test moves, and a page that takes long to build."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.time()
        monkeypatch.setattr(time, "time", lambda: self.now)

    def pass_by(self, seconds: float) -> None:
        """The server looks for pages without a browser every ten seconds."""
        for _ in range(int(seconds / 10)):
            self.now += 10
            Client.prune_instances()

    async def build(self) -> None:
        await asyncio.sleep(0)
        self.build_at_once()

    def build_at_once(self) -> None:
        self.pass_by(200)
        ui.label("the log of a long game")

    async def fail(self) -> None:
        self.pass_by(200)
        raise ValueError("no such game")


@pytest.fixture
def hours(user: User, monkeypatch: pytest.MonkeyPatch) -> Hours:
    del user  # is there first
    return Hours(monkeypatch)


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["build", "build_at_once"])
async def test_a_page_that_took_minutes_to_build_comes_whole_and_has_a_minute_to_connect(
    user, hours, kind
):
    frame.page("/slow")(getattr(hours, kind))
    answer = await user.http_client.get("/slow")
    assert answer.status_code == 200
    assert "the log of a long game" in answer.text
    (client,) = Client.instances.values()
    hours.pass_by(50)
    assert client.id in Client.instances, "the browser comes now"
    hours.pass_by(20)
    assert not Client.instances, "nobody came: the page takes no memory for ever"


@pytest.mark.anyio
async def test_a_page_that_failed_after_minutes_is_forgotten_like_any_other(user, hours):
    frame.page("/fails")(hours.fail)
    with pytest.raises(ValueError, match="no such game"):
        await user.http_client.get("/fails")
    hours.pass_by(70)
    assert not Client.instances


@pytest.mark.parametrize("kind", [Select, Toggle])
def test_no_choice_leaves_the_choice_as_it_was(kind: Any) -> None:
    with Client(page("")):
        element = kind({1.0: "slow", 2.0: "quick"}, value=1.0)
    assert element._event_args_to_value(SimpleNamespace(args=None)) == 1.0
    chosen = {"value": 1} if kind is Select else 1
    assert element._event_args_to_value(SimpleNamespace(args=chosen)) == 2.0
