"""Connections that never send their request, and addresses that open too many."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

import uvicorn

from shutoko.web import connections
from shutoko.web.connections import Connection


@asynccontextmanager
async def serving(app):
    """A server of that app, and its port."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, http=Connection, log_level="error", lifespan="off"))
    task = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    yield server, server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await task


async def greets(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})


@pytest.mark.slow
@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\nX-One: "])
def test_a_connection_that_never_ends_the_head_of_its_request_is_closed(monkeypatch, said):
    monkeypatch.setattr(connections, "HEAD", 0.1)

    async def run():
        async with serving(greets) as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(said)
            with suppress(ConnectionResetError):
                assert await reader.read() == b""
            writer.close()

    asyncio.run(asyncio.wait_for(run(), 300))


def test_a_connection_stays_while_its_request_is_answered_and_for_a_look_after(monkeypatch):
    monkeypatch.setattr(connections, "HEAD", 3600.0)  # the test looks itself

    async def run():
        asked, may_answer = asyncio.Event(), asyncio.Event()

        async def greets_later(scope, receive, send):
            asked.set()
            await may_answer.wait()
            await greets(scope, receive, send)

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

    asyncio.run(asyncio.wait_for(run(), 300))


def test_an_address_that_opens_too_many_connections_has_the_rest_closed_and_a_proxy_here_does_not(monkeypatch):
    monkeypatch.setattr(connections, "CONNECTIONS", 3)

    async def opened(port, address):
        found = [await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0)) for _ in range(5)]
        for _, writer in found:
            writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        answers = await asyncio.gather(*(reader.read() for reader, _ in found), return_exceptions=True)
        for _, writer in found:
            writer.close()
        return sum(isinstance(answer, bytes) and answer.endswith(b"hi") for answer in answers)

    async def run():
        async with serving(greets) as (_, port):
            assert await opened(port, "127.0.0.7") == 3
            assert await opened(port, "127.0.0.1") == 5

    asyncio.run(asyncio.wait_for(run(), 300))
