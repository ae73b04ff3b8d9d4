"""The pages of notices, with NiceGUI's simulation of a visitor: asking, ending, a mail's link."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from nicegui import ElementFilter, ui
from nicegui.testing import User
from nicegui.testing.user_interaction import UserInteraction

from shutoko.web.notices.settings import Mail, Settings, Webhook
from shutoko.web.pages.routes import register
from shutoko.web.rooms.store import Setup
from shutoko.web.site import Site
from tests.visitors import visitor

ROOM = Setup("meridians", ("Ann", "Bo"), (None, None), {"size": 5})


def run(folder: Path, settings: Settings, visit: Any) -> None:
    async def simulated() -> None:
        async with visitor() as user:
            site = Site("127.0.0.1", 8000, folder, 1, notices=settings)
            register(site)
            room = site.rooms.open(ROOM, "ann")
            try:
                await visit(user, site, room)
            finally:
                site.close()

    asyncio.run(simulated())


@pytest.mark.slow
def test_a_player_asks_for_notices_of_a_room_and_ends_them_and_a_watcher_cannot(tmp_path):
    async def visit(user: User, site: Site, room: Any) -> None:
        answer = await user.http_client.get(f"/room/{room.id}/notices")
        assert answer.status_code == 404
        await user.open(f"/room/{room.id}?seat={room.seats.secrets[1]}")
        await user.open(f"/room/{room.id}/notices")
        await user.should_see("Notices of your turn")
        with user:
            (field,) = ElementFilter(kind=ui.input)
            field.set_value("http://127.0.0.1/x")
        form = UserInteraction(user, {field.parent_slot.parent}, None)
        form.trigger("submit.prevent")
        await user.should_see("this is no address that begins with https://")
        assert site.bell.wishes is not None
        assert not site.bell.wishes.of(room.id)
        with user:
            field.set_value("https://example.org/x")
        form.trigger("submit.prevent")
        await user.should_see("You will be told.")
        assert [wish.to for wish in site.bell.wishes.of(room.id, 1)] == ["https://example.org/x"]
        user.find("Stop").click()
        await asyncio.sleep(0.1)
        assert not site.bell.wishes.of(room.id)

    run(tmp_path, Settings(webhook=Webhook()), visit)


@pytest.mark.slow
def test_looking_at_the_link_of_a_mail_changes_nothing_and_its_button_confirms(tmp_path):
    async def visit(user: User, site: Site, room: Any) -> None:
        assert site.bell.wishes is not None
        wish = site.bell.ask(
            room, "ann", "mail", "a@example.org", "en", "http://127.0.0.1:8000", "visitor"
        )
        await user.open(f"/notices/{wish.token}")
        await user.should_see("a@example.org")
        assert not site.bell.wishes.get(wish.token).confirmed
        user.find("Yes, tell me").click()
        await user.should_see("You will be told.")
        assert site.bell.wishes.get(wish.token).confirmed
        await user.open(f"/notices/{wish.token}")
        user.find("Stop").click()
        await user.should_see("not be told any more")
        assert site.bell.wishes.get(wish.token) is None
        assert (await user.http_client.get(f"/notices/{wish.token}")).status_code == 404

    run(tmp_path, Settings(mail=Mail("127.0.0.1", "t@example.org", 1, timeout=0.2)), visit)


@pytest.mark.slow
def test_without_settings_there_is_no_page_and_no_button(tmp_path):
    async def visit(user: User, site: Site, room: Any) -> None:
        await user.open(f"/room/{room.id}?seat={room.seats.secrets[1]}")
        with user:
            assert not [one for one in ElementFilter(kind=ui.link) if "data-notices" in one.props]
        answer = await user.http_client.get(f"/room/{room.id}/notices")
        assert answer.status_code == 404
        assert (await user.http_client.get("/push.js")).status_code == 404
        del site

    run(tmp_path, Settings(), visit)
