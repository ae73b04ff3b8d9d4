"""Connections that never send their request, and addresses that open too many."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

import uvicorn

from shutoko.web import connections
from shutoko.web.connections import Connection
from shutoko.web.limits import MAX_HEAD


@asynccontextmanager
async def serving(app):
    """A server of that app, and its port."""
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, http=Connection, log_level="error", lifespan="off")
    )
    task = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    yield server, server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await task


pytestmark = pytest.mark.anyio


async def answered(port: int, *parts: bytes, address: str = "127.0.0.1") -> bytes:
    """What a connection that sends this is answered with, until the server closes it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    with suppress(ConnectionResetError):
        for part in parts:
            writer.write(part)
            await writer.drain()
    answer = b""
    with suppress(ConnectionResetError):
        answer = await asyncio.wait_for(reader.read(), 60)
    writer.close()
    return answer


def says(text=None):
    """An app that reads a request and answers with this, or with the number of bytes in its
    body.
    """

    async def app(scope, receive, send):
        got, more = 0, True
        while more:
            message = await receive()
            got, more = got + len(message.get("body", b"")), message.get("more_body", False)
        body = b"%07d" % got if text is None else text
        head = {"type": "http.response.start", "status": 200}
        await send({**head, "headers": [(b"content-length", b"%d" % len(body))]})
        await send({"type": "http.response.body", "body": body})

    return app


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (b"GET /", b"x" * 1000),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX-One: ", b"x" * 1000),
        (b"GET / HTTP/1.1\r\nHost: a\r\n", b"X-One: a\r\n" * 100),
        (b"GET / HTTP/1.1\r\nHost: a\r\n", b"X: %s\r\n" % (b"a" * 990)),
        (
            b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
            b"X-One: a\r\n" * 100,
        ),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;x=", b"x" * 1000),
    ],
    ids=[
        "address",
        "value",
        "short fields",
        "long fields",
        "fields after the body",
        "extension of a chunk",
    ],
)
async def test_a_request_whose_head_never_ends_is_refused_after_64_kib_and_the_connection_is_closed(
    begin, more
):
    async with serving(says()) as (server, port):
        answer = await answered(port, begin, *[more] * (MAX_HEAD // 1000 + 40))
        assert answer[:13] in (b"", b"HTTP/1.1 431 "), "nothing where it was reset"
        assert not server.server_state.connections


async def test_a_head_that_browsers_may_send_and_a_large_body_in_small_chunks_are_read():
    async with serving(says()) as (_, port):
        for field, body in ((b"a" * 60_000, b""), (b"", b"c" * 16)):
            answer = await answered(
                port,
                b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: " + field,
                b"\r\nTransfer-Encoding: chunked\r\n\r\n",
                b"10\r\n%s\r\n" % body * 60_000 if body else b"",
                b"0\r\n\r\n",
            )
            assert answer.startswith(b"HTTP/1.1 200 ")
            assert answer.endswith(b"0960000" if body else b"0000000")


async def test_requests_that_wait_behind_another_on_one_connection_are_bounded():
    async def never(scope, receive, send):
        await asyncio.sleep(3600)

    async with serving(never) as (server, port):
        assert await answered(port, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 2000) == b""
        assert not server.server_state.connections
        for task in server.server_state.tasks:
            task.cancel()


@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\nX-One: "])
async def test_a_connection_that_never_ends_the_head_of_its_request_is_closed(monkeypatch, said):
    monkeypatch.setattr(connections, "HEAD", 0.1)

    async with serving(says(b"hi")) as (_, port):
        assert await answered(port, said) == b""


async def test_a_connection_stays_while_its_request_is_answered_and_for_a_look_after(monkeypatch):
    monkeypatch.setattr(connections, "HEAD", 3600.0)  # the test looks itself

    asked, may_answer = asyncio.Event(), asyncio.Event()

    async def greets_later(scope, receive, send):
        asked.set()
        await may_answer.wait()
        await says(b"hi")(scope, receive, send)

    async with serving(greets_later) as (server, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        await asked.wait()
        (connection,) = server.server_state.connections
        first = connection.cycle
        for _ in range(3):
            connection._look(first)
        may_answer.set()
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        assert await reader.readexactly(2) == b"hi"
        connection._look(None)
        assert not connection.transport.is_closing()
        connection._look(first)
        assert connection.transport.is_closing()
        writer.close()


async def test_an_address_with_too_many_connections_has_the_rest_closed_and_a_proxy_here_does_not(
    monkeypatch,
):
    monkeypatch.setattr(connections, "CONNECTIONS", 3)

    request = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    async with serving(says(b"hi")) as (_, port):
        for address, most in (("127.0.0.7", 3), ("127.0.0.1", 5)):
            asked = [answered(port, request, address=address) for _ in range(5)]
            answers = await asyncio.gather(*asked)
            assert sum(answer.endswith(b"hi") for answer in answers) == most
