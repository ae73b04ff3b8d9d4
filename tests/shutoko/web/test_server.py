"""What the server lets in: its own names, its own pages, uploads of a size; a guess gets
nothing.
"""

from __future__ import annotations

import asyncio
import gc
import html
import http.client
import logging
import math
import os
import re
import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from itsdangerous import TimestampSigner

from rules.errors import Refusal, ShutokoError
from rules.record import read
from rules.record.disk import hold
from shutoko.web.connections import Connection
from shutoko.web.guard import LOOPBACK, Guard
from shutoko.web.limits import MAX_PHOTO, MAX_UPLOAD, LogLimit, TooManyError
from shutoko.web.pages import frame, lobby, new_game, routes
from shutoko.web.pages.frame import Visitor
from shutoko.web.pages.photo.choosing import TAKE
from shutoko.web.pages.rooms import result
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.serve import serve
from shutoko.web.site import Site
from shutoko.web.wording import choose, words
from shutoko.web.work.workers import Workers
from sim.assets import asset
from tests.browser import fetched, free_port, serving, until

ROOM = Setup(
    "meridians", ("Ann <script>alert(1)</script>\nFORGED\u202e", "Bo"), (None, None), {"size": 5}
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web")) as made:
        yield made


def asked(server, path="/", *given, **how):
    """The code and the text of an answer, and the answer."""
    status, body, answer = fetched(server, path, *given, **how)
    return status, body.decode("utf-8", "replace"), answer


OPENING = "/share/shipped/boards-thruway-opening"
SOCKET = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    "Origin": "http://evil.example",
}
ANSWERS = {
    "a name of this machine is answered": ({"Host": "localhost:PORT"}, 200),
    **{
        f"the host {name!r} is refused": ({"Host": name}, 400)
        for name in ("evil.example", "evil.example:PORT", "", "127.0.0.1.evil.example", "[::")
    },
    "the own origin is answered": ({"Origin": "http://127.0.0.1:PORT"}, 200),
    **{
        f"the origin {origin} is refused": ({"Origin": origin}, 403)
        for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1")
    },
    "a socket of another site is refused": (
        {"path": "/_nicegui_ws/socket.io/?EIO=4&transport=websocket", **SOCKET},
        403,
    ),
    "a large body is not read": ({"method": "POST", "body": b"x", "Content_Length": "9" * 9}, 413),
    "a length that is no number is refused": (
        {"method": "POST", "body": b"x", "Content_Length": "many"},
        400,
    ),
    "a kind of file that a game lacks is told": ({"path": f"{OPENING}.glb"}, 400),
    "a kind of file that is none is told": ({"path": f"{OPENING}.exe"}, 400),
}


@pytest.mark.parametrize(("given", "status"), ANSWERS.values(), ids=ANSWERS)
def test_the_server_lets_in_what_is_its_own(server, given, status):
    asks = {
        name: value.replace("PORT", str(server.port)) if isinstance(value, str) else value
        for name, value in given.items()
    }
    assert asked(server, **asks)[0] == status


def test_head_is_answered_wherever_get_is_and_has_no_body(server):
    for path in ("/", "/problems", "/static/style.css", "/healthz", "/nowhere", "/room/none"):
        got, head = asked(server, path), asked(server, path, "HEAD")
        assert (head[0], head[1]) == (got[0], ""), path
        assert head[2].headers["content-type"] == got[2].headers["content-type"]


@pytest.mark.anyio
@pytest.mark.parametrize("language", ["en", "fr", "ko"])
@pytest.mark.parametrize(
    ("path", "status", "keys"),
    [
        ("/nowhere", 404, ("not_found", "no_page", "to_lobby")),
        ("/fails", 500, ("went_wrong", "went_wrong_here", "to_lobby")),
    ],
)
async def test_an_address_that_is_none_and_a_page_that_failed_are_told_in_the_visitors_language(
    monkeypatch, language, path, status, keys
):
    app = FastAPI()
    monkeypatch.setattr(frame, "app", app)
    frame.error_pages()
    app.get("/fails")(lambda: 1 / 0)
    through = ASGITransport(app, raise_app_exceptions=False)
    async with AsyncClient(transport=through, base_url="http://test") as client:
        answer = await client.get(path, headers={"accept-language": language})
    html_type = "text/html; charset=utf-8"
    assert (answer.status_code, answer.headers["content-type"]) == (status, html_type)
    for said in (f'<html lang="{language}">', *(html.escape(words(language)(key)) for key in keys)):
        assert said in answer.text
    assert not re.search("_nicegui|division", answer.text)


@pytest.mark.anyio
async def test_a_server_that_stops_tells_every_room_and_makes_no_move_any_more(tmp_path):
    rooms = Rooms(tmp_path, Workers(1))
    room, heard = rooms.open(ROOM, "host"), []
    room.subscribe(heard.append)
    rooms.stopping()
    with pytest.raises(ShutokoError):
        await room.play("host", "a1", 0)
    (path,) = tmp_path.glob("*.jsonl")
    assert (heard, room.record.next_ply, read(path).next_ply) == (["stops"], 0, 0)


def test_pages_may_ask_nothing_of_other_machines(server):
    policy = asked(server)[2].headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "connect-src 'self'" in policy
    assert not re.search(r"https?:|\*", policy)


def test_a_guessed_room_seat_or_record_gets_nothing(server):
    room = Rooms(server.data / "rooms", Workers(1)).open(ROOM, "host")
    secret = room.invitations("host")[1]
    for path in (
        "/room/" + "a" * 24,
        "/room/..%2f..%2fsession.secret",
        f"/room/{room.id}?seat=" + "b" * 24,
        "/replay/saved/" + "a" * 16,
        "/replay/room/" + "a" * 24,
        "/share/saved/" + "a" * 16 + ".png",
        "/share/shipped/..%2f..%2ftwo-cars.jsonl",
        "/share/room/" + "a" * 24 + ".jsonl",
    ):
        status, body, _ = asked(server, path)
        assert (status, secret in body, "Ann" in body) == (404, False, False), path
    status, _, answer = asked(server, f"/room/{room.id}?seat={secret}")
    assert (status, answer.headers["location"]) == (303, f"/room/{room.id}")
    status, body, _ = asked(server, f"/room/{room.id}")
    assert (status, secret in body) == (200, False)


def test_names_reach_a_page_as_text_of_one_line_that_turns_nothing(server):
    room = Rooms(server.data / "rooms", Workers(1)).open(ROOM, "host")
    for path in ("/", f"/room/{room.id}", f"/replay/room/{room.id}"):
        body = asked(server, path)[1]
        wrong = ("<script>alert(1)", "\nFORGED", "\\nFORGED", "\u202e")
        assert [text for text in wrong if text in body] == [], path


def test_a_choice_of_language_goes_back_to_this_site_only(server):
    for then, target in (
        ("/room/x", "/room/x"),
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
        ("/a%0d%0ab", "/"),
    ):
        status, _, answer = asked(server, f"/choose?language=ko&then={then}")
        assert (status, answer.headers["location"]) == (303, target)
        assert "shutoko-language=ko" in answer.headers["set-cookie"]
    for path, key in (("/", "new_game"), ("/nowhere", "no_page")):
        body = asked(server, path, Cookie="shutoko-language=fr")[1]
        assert html.escape(words("fr")(key)) in body


def test_sharing_answers_with_the_file_in_the_visitors_language(server):
    status, body, answer = asked(server, f"{OPENING}.svg")
    assert (status, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert body.startswith("<svg")
    assert '<html lang="ko">' in asked(server, f"{OPENING}.html", Accept_Language="ko")[1]


@pytest.mark.parametrize("jump", [0, 5, 10**8, -(10**8)])
def test_a_browser_is_known_again_when_the_clock_of_the_wall_has_jumped(server, jump):
    class Elsewhen(TimestampSigner):
        def get_timestamp(self):
            return int(time.time()) + jump

    path = server.data / "session.secret"
    name, _, value = asked(server)[2].headers["set-cookie"].partition(";")[0].partition("=")
    assert name == f"shutoko-{server.port}"
    signed = Elsewhen(path.read_text()).sign(value.rsplit(".", 2)[0]).decode()
    forged = f"{signed[:-1]}{'x' if signed[-1] != 'x' else 'y'}xx"
    for cookie, known in ((signed, True), (forged, False)):
        answer = asked(server, Cookie=f"{name}={cookie}")[2]
        assert ("set-cookie" not in answer.headers) == known
    assert len(path.read_text()) >= 32
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_one_server_has_a_folder_and_a_second_is_told_who_has_it(server, shutoko):
    second = shutoko("serve", "--no-browser", "--port", "1024", "--data", server.data)
    assert second.returncode == 2
    assert re.fullmatch(
        r"shutoko: .*/rooms: .*serve .* \(process \d+ on .+, since .+\) is writing here; .+\n",
        second.stderr,
    )
    room = Rooms(server.data / "rooms", Workers(1)).open(ROOM, "host")
    record = server.data / "rooms" / f"{room.id}.jsonl"
    assert record.is_file()
    assert shutoko("play", "--resume", record).returncode == 2
    assert shutoko("verify", record).returncode == 0
    assert asked(server)[0] == 200


@pytest.mark.slow
def test_beyond_this_machine_there_is_a_warning_and_rooms_of_others_are_not_listed(tmp_path):
    Rooms(tmp_path / "rooms", Workers(1)).open(
        Setup("meridians", ("Zoe", "Yan"), (None, None), {"size": 5}), "host"
    )
    with serving(tmp_path, "--host", "0.0.0.0") as public:  # noqa: S104 - what is tested
        assert any("warning: listening on 0.0.0.0" in line for line in public.said)
        status, body, _ = asked(public, Host="table.example")
        assert status == 200
        assert "Zoe" not in body
        assert asked(public, Host="table.example", Origin="http://evil.example")[0] == 403


@pytest.mark.slow
def test_behind_a_proxy_it_answers_to_the_name_that_people_use_and_its_cookies_need_tls(tmp_path):
    with serving(tmp_path, "--url", "https://play.example.org/") as made:
        Rooms(tmp_path / "rooms", Workers(1)).open(ROOM, "somebody")
        status, page, answer = asked(
            made,
            Host="play.example.org",
            Origin="https://play.example.org",
            X_Forwarded_Proto="https",
        )
        assert (status, "Ann" in page) == (200, False), "rooms of others are not listed"
        assert "secure" in str(answer.headers["set-cookie"]).lower()
        assert asked(made, Host="other.example.org")[0] == 400
        assert "open https://play.example.org/ (" in "".join(made.said)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--port", "0"], "--port"),
        (["--workers", "0"], "--workers"),
        (["--host", "256.0.0.1"], "256.0.0.1"),
    ],
)
def test_a_server_that_cannot_listen_says_why(tmp_path, shutoko, options, told):
    done = shutoko("serve", "--no-browser", "--data", tmp_path, *options)
    assert (done.returncode, told in done.stderr) == (2, True)
    assert "Traceback" not in done.stderr


def workers(process):
    lists = Path(f"/proc/{process}/task").glob("*/children")
    found = [pid for path in lists for pid in path.read_text().split()]
    return [pid for pid in found if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for the workers in /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_within_seconds_although_a_worker_hangs_and_a_file_is_waited_for(
    tmp_path, number
):
    with serving(tmp_path) as server:
        assert asked(server, "/share/shipped/boards-thruway-opening.svg")[0] == 200
        (worker,) = workers(server.process.pid)
        os.kill(int(worker), signal.SIGSTOP)
        file = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
        file.request("GET", "/share/shipped/boards-thruway-opening.svg")
        for _ in range(3):
            assert asked(server)[0] == 200  # by then the request before it is under way
        server.process.send_signal(number)
        answer = file.getresponse()
        assert (answer.status, answer.read()) == (400, b"the file was dropped: the server ends")
        file.close()
        # a file may take minutes, and a worker that hangs never ends
        server.process.wait(timeout=60)
        until(lambda: not Path(f"/proc/{worker}").exists(), "the worker is gone")
    assert list((tmp_path / "rooms").glob(".*")) == []
    hold(tmp_path / "rooms").release()  # another server may have the folder now


def test_a_page_that_is_slow_to_build_is_waited_for(monkeypatch):
    """On a machine with too much to do: whatever a page waits for has a limit of its own
    (`test_workers.py`).
    """
    limits = {}

    def page(path, **how):
        limits[path] = how["response_timeout"]
        return lambda build: build

    monkeypatch.setattr(routes.frame.ui, "page", page)
    monkeypatch.setattr(routes.app, "get", lambda _path: lambda build: build)
    monkeypatch.setattr(routes.frame, "register", lambda: None)
    routes.register(SimpleNamespace(bell=SimpleNamespace(pushing=object())))
    assert {"/", "/room/{name}", "/replay/{shelf}/{name}", "/photo/{name}"} <= limits.keys()
    assert set(limits.values()) == {math.inf}


def test_the_server_that_is_started_has_all_limits_and_spares_the_garbage_collector_what_stays(
    tmp_path, monkeypatch
):
    started, layers, hooks, done = {}, {}, [], []
    monkeypatch.setattr(routes.frame.ui, "run", lambda **how: started.update(how))
    monkeypatch.setattr(
        routes.app, "add_middleware", lambda layer, **how: layers.update({layer: how})
    )
    monkeypatch.setattr(routes.app, "on_startup", hooks.append)
    monkeypatch.setattr(routes.app, "on_shutdown", lambda _: None)
    monkeypatch.setattr(routes, "register", lambda _: None)
    monkeypatch.setenv("NICEGUI_STORAGE_PATH", os.environ.get("NICEGUI_STORAGE_PATH", ""))
    site = Site("127.0.0.1", free_port(), tmp_path)
    serve(site, lambda _: done.append("listens"))
    limits = {
        name: len(logging.getLogger(name).filters)
        for name in ("nicegui", "uvicorn.error", "asyncio")
    }
    for part in ("_trust_cookies_at_any_time", "_end_in_time", "_warm_all", "_put_away"):
        monkeypatch.setattr(f"shutoko.web.serve.{part}", lambda *_: None)
    monkeypatch.setattr("nicegui.background_tasks.create_lazy", lambda *_, **__: None)
    monkeypatch.setattr(gc, "freeze", lambda: done.append("frozen"))
    asyncio.run(hooks[0]())
    site.close()
    assert done == ["frozen", "listens"], "what a visitor leaves behind is collected"
    assert started["http"] is Connection, "a client that never sends its request is hung up on"
    assert (started["ws_max_size"], started["limit_concurrency"]) == (2**20, 3000)
    assert 0 < started["timeout_graceful_shutdown"] < 5
    for name, before in limits.items():
        limit = logging.getLogger(name).filters[-1]
        assert isinstance(limit, LogLimit), "nobody fills the log"
        logging.getLogger(name).removeFilter(limit)
        assert len(logging.getLogger(name).filters) == before
    assert layers[Guard] == {
        "hosts": LOOPBACK,
        "limit": MAX_UPLOAD + 2**16,
        "larger": {TAKE: MAX_PHOTO},
    }


FULL = TooManyError(Refusal("enough", "too-many", count=40, what="x", within="y", wait="z"))


@pytest.mark.anyio
async def test_beyond_the_limits_of_rooms_and_uploads_nothing_is_read_or_opened_and_that_is_told(
    monkeypatch,
):
    told = []
    for page in (frame, lobby):
        monkeypatch.setattr(page, "tell", told.append)
    who = Visitor("me", words("fr"), "auto", "/")
    full, untouched = Mock(**{"count.side_effect": FULL}), Mock(spec=[])
    rest = dict.fromkeys(("workers", "rooms", "library"), untouched)
    site = SimpleNamespace(opened=full, uploaded=full, **rest)
    again = result.Result.__new__(result.Result)
    again._site, again._who, again._room = site, who, SimpleNamespace(next=None)
    again._text, seating = who.text, new_game.Seating.__new__(new_game.Seating)
    seating._site, seating._who, seating._text = site, who, who.text
    seating._made = SimpleNamespace(options={})
    await seating.open(ROOM, new_game.Seated([], [], [], []))
    upload = SimpleNamespace(file=SimpleNamespace(name="a.jsonl", read=untouched))
    await lobby._uploaded(site, who, upload)
    await again._again()
    assert told == ["40 x en y suffisent\u00a0; reprenez dans z"] * 3


UPLOADER = re.compile(r'"url":"(/_nicegui/client/[^"]+)"')
FORM = '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n'


def test_an_upload_is_read_by_a_worker_and_the_visitor_is_told(server):
    address = UPLOADER.search(asked(server)[1])[1]
    shipped = asset("records", "two-cars.jsonl").read_bytes()
    for data in (shipped, b"\n" * 2**20):
        body = FORM.encode() + data + b"\r\n--xx--\r\n"
        kind = "multipart/form-data; boundary=xx"
        assert asked(server, address, "POST", body, Content_Type=kind)[0] == 200
    until(
        lambda: len(list((server.data / "records").glob("*.jsonl"))) == 1,
        "the record is kept, the blank lines are not",
    )


@pytest.mark.parametrize(
    ("wanted", "accepted", "chosen"),
    [
        ("fr", "ko", "fr"),
        (None, "de-CH, ko;q=0.8, fr;q=0.5", "ko"),
        ("xx", None, "en"),
    ],
)
def test_the_language_is_the_chosen_one_or_the_first_that_the_browser_accepts(
    wanted, accepted, chosen
):
    assert choose(wanted, accepted) == chosen
