"""What one visitor may use of a server: rooms, uploads, pages, sockets and messages; nobody else is
held up.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import nullcontext
from itertools import pairwise

import pytest

from shutoko.web.guard import Guard, session_secret
from shutoko.web.limits import (
    PAGES,
    REQUESTS,
    ROOMS,
    Bucket,
    Buckets,
    Counts,
    Flow,
    LogLimit,
    Rate,
    TooManyError,
    visitor_of,
)

pytestmark = pytest.mark.anyio


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize(
    ("rates", "script"),
    [
        (
            ROOMS,
            [
                *[("one", 0.0, "")] * ROOMS[0].count,
                ("one", 60.0, "40 rooms opened in 10 minutes are enough; go on in 9 minutes"),
                ("another", 0.0, ""),
                ("one", ROOMS[0].seconds, ""),
            ],
        ),
        (
            (Rate(2, 10.0), Rate(3, 100.0)),
            [
                *[("one", 0.0, "")] * 2,
                *[("one", 0.0, "2 rooms opened in 10 seconds are enough; go on in 10 seconds")] * 5,
                ("one", 10.0, ""),
                ("one", 10.0, "3 rooms opened in 100 seconds are enough; go on in 80 seconds"),
            ],
        ),
    ],
)
def test_every_rate_holds_for_each_visitor_and_what_is_refused_does_not_count(rates, script):
    clock = Clock()
    opened = Counts("rooms opened", rates, clock)
    for who, passed, said in script:
        clock.now += passed
        with pytest.raises(TooManyError, match=said) if said else nullcontext():
            opened.count(who)


def test_a_flow_has_its_burst_and_then_its_pace():
    clock = Clock()
    bucket = Bucket(Flow(2.0, 3), clock)
    assert [bucket.wait() for _ in range(5)] == [0.0, 0.0, 0.0, 0.5, 1.0]
    clock.now += 1.0
    assert bucket.wait() == 0.5
    pages = Buckets(Flow(2.0, 3), clock)
    assert [pages.allows("one") for _ in range(5)] == [True, True, True, False, False]
    assert pages.allows("another")
    clock.now += 0.5
    assert [pages.allows("one") for _ in range(2)] == [True, False]


@pytest.mark.parametrize("jump", [-1e9, 1e9])
def test_a_clock_of_the_wall_that_jumps_frees_nobody_and_shuts_nobody_out(monkeypatch, jump):
    opened, pages, wall = (
        Counts("rooms opened", (Rate(2, 3600.0),)),
        Buckets(Flow(1e-6, 2)),
        time.time,
    )
    opened.count("one")
    assert pages.allows("one")
    monkeypatch.setattr(time, "time", lambda: wall() + jump)
    opened.count("one")
    assert pages.allows("one")
    with pytest.raises(TooManyError):
        opened.count("one")
    assert not pages.allows("one")


# --- the guard ------------------------------------------------------------------------------------


def scope(kind="http", path="/", who="10.0.0.1"):
    return {"type": kind, "path": path, "headers": [(b"host", b"table")], "client": (who, 1)}


async def answered(guard, asked, *messages, receives=None):
    """The messages that a request or a socket is answered with."""
    left, said = list(messages), []

    async def receive():
        if left:
            return left.pop(0)
        return {"type": "http.disconnect" if asked["type"] == "http" else "websocket.disconnect"}

    async def send(message):
        said.append(message)

    await guard(asked, receives or receive, send)
    return said


async def page(scope, receive, send):
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"page"})


@pytest.mark.parametrize("name", [b"host", b"origin"])
async def test_a_request_with_two_hosts_or_origins_is_refused_whichever_of_them_is_right(name):
    asked = {
        **scope(),
        "headers": [(b"host", b"table"), (b"origin", b"http://table"), (name, b"table")],
    }
    guard = Guard(page, None, 100)
    answer = await answered(guard, asked)
    assert (answer[0]["status"], answer[1]["body"]) == (
        400,
        b"a header stands twice in the request",
    )


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        ("10.0.0.1", "::ffff:10.0.0.1", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("10.0.0.1", "10.0.0.2", False),
        ("no address", "::1", False),
    ],
)
def test_a_network_of_ipv6_is_one_visitor_and_an_address_of_ipv4_is_another(one, other, are_one):
    assert (visitor_of(one) == visitor_of(other)) is are_one


def test_lines_of_the_log_beyond_the_flow_are_counted_and_left_out(caplog):
    """A traceback counts as ten lines."""
    clock, log = Clock(), logging.getLogger("test of the limit")
    limit = LogLimit(Flow(1.0, 12), clock)
    log.addFilter(limit)
    caught = (ValueError, ValueError("gone"), None)
    for n, passed, error in (
        (0, 0.0, caught),
        (1, 0.0, caught),
        (2, 0.0, None),
        (3, 0.0, None),
        (4, 0.0, None),
        (5, 1.0, None),
    ):
        clock.now += passed
        log.error("line %d", n, exc_info=error)
    log.removeFilter(limit)
    assert caplog.messages == [
        "line 0",
        "(1 lines like these were left out) line 2",
        "line 3",
        "(1 lines like these were left out) line 5",
    ]


@pytest.mark.parametrize(
    ("path", "who", "most", "free"),
    [
        (
            "/",
            "10.0.0.1",
            PAGES.burst,
            [("/static/style.css", "10.0.0.1"), ("/", "10.0.0.2")],
        ),
        ("/static/a.js", "10.0.0.1", REQUESTS.burst, [("/static/a.js", "10.0.0.2")]),
        ("/", "2001:db8::{:x}", PAGES.burst, [("/", "2001:db8:0:1::1")]),
    ],
    ids=["pages", "files", "a network"],
)
async def test_requests_of_one_visitor_are_limited_and_those_of_another_are_not(
    path, who, most, free
):
    guard = Guard(page, None, 100)
    asked = [(path, who.format(n)) for n in range(most + 200)]
    codes = [
        (await answered(guard, scope(path=where, who=one)))[0]["status"]
        for where, one in (*asked, *free)
    ]
    assert codes[:most] == [200] * most
    assert codes[most + 199 :] == [429] + [200] * len(free)


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({}, "too many requests; wait a minute and load the page again"),
        (
            {b"accept-language": b"de, fr;q=0.5"},
            "trop de requêtes\u00a0; attendez une minute et rechargez la page",
        ),
        (
            {b"accept-language": b"fr", b"cookie": b"a=b; shutoko-language=ko"},
            "요청이 너무 많습니다. 1분 뒤에 페이지를 다시 불러오세요",
        ),
        (
            {b"cookie": b"shutoko-language=\xff;;=\x00"},
            "too many requests; wait a minute and load the page again",
        ),
    ],
)
async def test_a_visitor_beyond_a_limit_is_told_so_in_their_language(headers, said):
    guard = Guard(page, None, 100)
    asked = {**scope(), "headers": [(b"host", b"table"), *headers.items()]}
    for _ in range(PAGES.burst + 1):
        answer = await answered(guard, asked)
    assert answer[1]["body"].decode() == said


async def test_sockets_of_one_address_are_limited_while_they_are_open():
    leave = asyncio.Event()

    async def socket(scope, receive, send):
        await send({"type": "websocket.accept"})
        await leave.wait()

    guard = Guard(socket, None, 100, sockets=3)
    first = [asyncio.create_task(answered(guard, scope("websocket"))) for _ in range(3)]
    await asyncio.sleep(0)
    refused = await answered(guard, scope("websocket"), {"type": "websocket.connect"})
    assert refused == [{"type": "websocket.close", "code": 1008}]
    other = asyncio.create_task(answered(guard, scope("websocket", who="10.0.0.2")))
    await asyncio.sleep(0)
    leave.set()
    assert [said[0]["type"] for said in await asyncio.gather(*first, other)] == [
        "websocket.accept"
    ] * 4
    assert (await answered(guard, scope("websocket")))[0]["type"] == "websocket.accept"


async def test_a_flood_of_messages_waits_and_only_its_sender_waits(monkeypatch):
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    guard = Guard(page, None, 100)
    flood = [{"type": "websocket.receive", "text": "x", "more_body": True}] * 1000
    await answered(guard, scope("websocket"), *flood[:200])
    monkeypatch.setattr("shutoko.web.guard.asyncio.sleep", sleep)
    await answered(guard, scope("websocket"), *flood)
    assert len(waited) > 600
    assert waited == sorted(waited) or max(waited) > 5.0


async def test_a_body_that_pauses_is_cut_off(monkeypatch):
    monkeypatch.setattr("shutoko.web.guard._PAUSE", 0.01)

    async def never():
        await asyncio.sleep(3600)

    async def ends_without_an_answer(scope, receive, send):
        assert (await receive())["type"] == "http.disconnect"

    (said, *_) = await answered(Guard(ends_without_an_answer, None, 100), scope(), receives=never)
    assert said["status"] == 400


async def test_a_request_whose_browser_has_gone_is_no_error_but_any_other_error_is():
    async def unanswered(scope, receive, send):
        await receive()
        raise RuntimeError("No response returned.")

    async def broken(scope, receive, send):
        raise ZeroDivisionError

    assert (await answered(Guard(unanswered, None, 100), scope()))[0]["status"] == 400
    with pytest.raises(ZeroDivisionError):
        await answered(Guard(broken, None, 100), scope())


async def test_pages_of_one_visitor_are_built_one_by_one_with_a_rest_and_nobody_else_waits():
    """Building holds up everybody, so a visitor who asks for many pages has a part of the server at
    most.
    """

    building, done = [], []

    async def slow(scope, receive, send):
        building.append(scope["client"][0])
        assert building.count("10.0.0.1") <= 1
        await asyncio.sleep(0.05)
        building.remove(scope["client"][0])
        done.append((scope["client"][0], time.monotonic()))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        # whoever reads slowly holds nobody up
        await asyncio.sleep(0.0 if scope["client"][0] != "10.0.0.1" else 0.01)

    guard = Guard(slow, None, 100)
    many = [answered(guard, scope()) for _ in range(4)]
    await asyncio.gather(*many, *(answered(guard, scope(who=f"10.0.0.{n}")) for n in (2, 3)))
    times = [at for who, at in done if who == "10.0.0.1"]
    assert all(after - before > 0.09 for before, after in pairwise(times))
    assert {who for who, _ in done[:3]} == {"10.0.0.1", "10.0.0.2", "10.0.0.3"}


@pytest.mark.parametrize(
    ("path", "told", "parts", "status"),
    [
        ("/", 100, [], 200),
        ("/", 101, [], 413),
        ("/photo/take", 101, [], 200),
        ("/photo/take", 501, [], 413),
        ("/", None, [100], 200),
        ("/", None, [101], 413),
        ("/", None, [60, 60], 413),
    ],
)
async def test_a_body_is_read_up_to_the_limit_of_its_path(path, told, parts, status):
    async def reads(scope, receive, send):
        while (message := await receive()).get("more_body"):
            pass
        if told or message["type"] == "http.request":
            await send({"type": "http.response.start", "status": 200, "headers": []})

    asked = scope(path=path)
    if told is not None:
        asked["headers"].append((b"content-length", str(told).encode()))
    messages = [
        {"type": "http.request", "body": b"x" * size, "more_body": n < len(parts) - 1}
        for n, size in enumerate(parts)
    ]
    guard = Guard(reads, None, 100, larger={"/photo/take": 500})
    assert (await answered(guard, asked, *messages))[0]["status"] == status


# --- the secret of the cookies --------------------------------------------------------------------


@pytest.mark.parametrize("left", ["", "short", "x" * 42, "é" * 50])
def test_a_secret_that_a_kill_left_half_written_is_made_anew(tmp_path, left):
    path = tmp_path / "session.secret"
    path.write_text(left, encoding="utf-8")
    found = session_secret(tmp_path)
    assert len(found) == 43
    assert session_secret(tmp_path) == found == path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
