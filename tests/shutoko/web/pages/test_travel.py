"""Clips and previews of a real server: whoever has the link of a table gets them, and a program
that looks at a link takes no seat.
"""

from __future__ import annotations

import asyncio
import html
import json
import re
from io import BytesIO

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from PIL import Image

from rules.record import loads
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.work import travel
from shutoko.web.work.travel import Made
from shutoko.web.work.workers import Workers
from sim.assets import asset
from sim.problems import games, problems
from tests.browser import fetched, serving

pytestmark = pytest.mark.anyio

PHONE = "WhatsApp/2.23.20.0"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("web")


@pytest.fixture(scope="module")
def room(data):
    """A private room in which two plies of a shipped game were played."""
    record = loads(asset("records", "knock.jsonl").read_bytes())
    short = type(record)(record.header, record.entries[:4])
    rooms = Rooms(data / "rooms", Workers(1))
    made = rooms.open(
        Setup("tokyo-highway", ("Ann <b>", "Bo"), (None, None), record=short, listed=False), "host"
    )
    yield made
    rooms.close()


@pytest.fixture(scope="module")
def server(data, room):
    with serving(data) as made:
        yield made


def tags(page: bytes) -> dict[str, str]:
    found = re.findall(r'<meta property="(og:[a-z_:]+)" content="([^"]*)">', page.decode())
    return {name: html.unescape(told) for name, told in found}


@pytest.mark.slow
def test_whoever_has_the_link_of_a_private_table_gets_a_clip_of_a_ply(server, room):
    status, body, answer = fetched(server, f"/room/{room.id}/clip/3.gif")
    assert (status, answer.headers["content-type"]) == (200, "image/gif")
    assert body[:4] == b"GIF8"
    assert len(body) < 3_000_000
    assert fetched(server, f"/room/{room.id}/clip/3.gif")[1] == body
    assert fetched(server, f"/replay/room/{room.id}/clip/3.gif")[1] == body


@pytest.mark.slow
def test_without_the_link_there_is_no_clip_and_no_picture(server, room):
    wrong = room.id[:-1] + ("A" if room.id[-1] != "A" else "B")
    for path in (f"/room/{wrong}/clip/3.gif", f"/room/{wrong}/preview.jpg", "/room/x/clip/3.gif"):
        status, body, _ = fetched(server, path)
        assert status == 404, path
        assert b"link" in body, path
    for path in ("clip/99.gif", "clip/3.exe", "clip/-1.gif", "clip/x.gif", "clip/9999999999.gif"):
        assert fetched(server, f"/room/{room.id}/{path}")[0] == 404, path


@pytest.mark.slow
def test_a_link_shows_the_table_its_title_and_who_is_to_move_and_no_seat(server, room):
    secret = room.seats.secrets[1]
    status, page, _ = fetched(server, f"/room/{room.id}?seat={secret}", User_Agent=PHONE)
    shown = tags(page)
    assert status == 200
    assert "Ann <b>" in shown["og:title"]
    assert "Bo" in shown["og:title"]
    assert shown["og:description"] == f"{room.names[room.to_move]} is to move."
    assert shown["og:url"] == f"{server.url}/room/{room.id}"
    assert not any(one in page.decode() for one in room.seats.secrets)
    status, body, answer = fetched(server, shown["og:image"].removeprefix(server.url))
    assert (status, answer.headers["content-type"]) == (200, "image/jpeg")
    assert Image.open(BytesIO(body)).size == travel.SIZE
    assert len(body) < 300_000


@pytest.mark.slow
def test_a_program_that_looks_at_the_link_of_a_seat_does_not_take_it(server, room, data):
    link = f"/room/{room.id}?seat={room.seats.secrets[1]}"
    for how in ({"User_Agent": PHONE}, {"Sec_Purpose": "prefetch"}, {"method": "HEAD"}):
        assert fetched(server, link, **how)[0] == 200, how
    kept = data / "rooms" / f"{room.id}.seats.json"
    assert json.loads(kept.read_text())["holders"][1] == []
    assert fetched(server, link, User_Agent="Mozilla/5.0 Firefox/130.0")[0] == 303
    assert len(json.loads(kept.read_text())["holders"][1]) == 1


@pytest.mark.slow
def test_pages_of_rooms_replays_and_problems_have_tags_for_people_s_browsers_too(server, room):
    problem = problems(games()[0])[0]
    for path in (f"/room/{room.id}", f"/replay/room/{room.id}?ply=1", f"/problems/{problem.id}"):
        page = fetched(server, path, User_Agent="Mozilla/5.0")[1]
        shown = tags(page)
        assert shown["og:url"] == server.url + path, path
        assert "to move" in shown["og:description"], path
        picture = fetched(server, shown["og:image"].removeprefix(server.url))
        assert picture[0] == 200, path
        assert picture[1][:2] == b"\xff\xd8", path


async def test_files_are_made_once_and_the_oldest_go_when_there_are_too_many():
    made, calls = Made(10), list[str]()

    def maker(name: str):
        async def make() -> bytes:
            calls.append(name)
            await asyncio.sleep(0)
            return name.encode() * 4

        return make

    both = await asyncio.gather(made.of("a", maker("a")), made.of("a", maker("a")))
    assert both == [b"aaaa", b"aaaa"]
    assert calls == ["a"]
    await made.of("b", maker("b"))
    await made.of("a", maker("a"))
    await made.of("c", maker("c"))  # b was asked for longest ago
    assert made.size <= 10
    await made.of("a", maker("a"))
    await made.of("b", maker("b"))
    assert calls == ["a", "b", "c", "b"]

    async def fails() -> bytes:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await made.of("d", fails)
    assert await made.of("d", maker("d")) == b"dddd"
