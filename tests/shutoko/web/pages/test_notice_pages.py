"""The page of notices, with NiceGUI's simulation of a visitor: asking and ending."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")
pytest.importorskip("pywebpush", reason="pushes need shutoko[push]")

from nicegui import ElementFilter, ui
from nicegui.testing.user_interaction import UserInteraction

from shutoko.web.notices.settings import Push, Settings
from shutoko.web.rooms.store import Setup
from tests.visitors import registered

ROOM = Setup("meridians", ("Ann", "Bo"), (None, None), {"size": 5})
PLACE = {"endpoint": "https://example.org/x", "keys": {"p256dh": "A" * 87, "auth": "A" * 22}}


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_player_asks_for_notices_of_a_room_and_ends_them_and_a_watcher_cannot(
    user, tmp_path
):
    with registered(tmp_path, notices=Settings(Push("mailto:host@example.org"))) as site:
        room, wishes = site.rooms.open(ROOM, "ann"), site.bell.wishes
        answer = await user.http_client.get(f"/room/{room.id}/notices")
        assert answer.status_code == 404
        await user.open(f"/room/{room.id}?seat={room.seats.secrets[1]}")
        await user.open(f"/room/{room.id}/notices")
        await user.should_see("Notices of your turn")
        with user:
            (button,) = (one for one in ElementFilter(kind=ui.button) if "data-ask" in one.props)
        asked = UserInteraction(user, {button}, None)
        asked.trigger("click", False)  # the simulation turns the None of a browser into {}
        await user.should_see("The browser takes no messages")
        asked.trigger("click", {**PLACE, "endpoint": "http://127.0.0.1/x"})
        await user.should_see("this is no address that begins with https://")
        assert not wishes.of(room.id)
        asked.trigger("click", PLACE)
        await user.should_see("You will be told.")
        await user.should_see("On this device: example.org")
        assert [wish.seat for wish in wishes.of(room.id)] == [1]
        user.find("Stop").click()
        await asyncio.sleep(0.1)
        assert not wishes.of(room.id)


@pytest.mark.slow
@pytest.mark.anyio
async def test_without_settings_there_is_no_page_and_no_button(user, site):
    room = site.rooms.open(ROOM, "ann")
    await user.open(f"/room/{room.id}?seat={room.seats.secrets[1]}")
    with user:
        assert not [one for one in ElementFilter(kind=ui.link) if "data-notices" in one.props]
    for gone in (f"/room/{room.id}/notices", "/push.js"):
        assert (await user.http_client.get(gone)).status_code == 404, gone
