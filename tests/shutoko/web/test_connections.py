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
    """The port of a server of that app."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, http=Connection, log_level="error", lifespan="off"))
    task = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await task


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(connections, "HEAD", 0.1)


async def greets(scope, receive, send):
    await asyncio.sleep(1.0)  # ten looks
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\nX-One: "])
def test_a_connection_that_never_ends_the_head_of_its_request_is_closed(said):
    async def run():
        async with serving(greets) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(said)
            with suppress(ConnectionResetError):
                assert await reader.read() == b""
            writer.close()

    asyncio.run(asyncio.wait_for(run(), 60))


@pytest.mark.usefixtures("impatient")
def test_a_connection_whose_request_is_being_answered_stays_whatever_that_takes():
    async def run():
        async with serving(greets) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            for _ in range(2):
                writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                head = await reader.readuntil(b"\r\n\r\n")
                assert head.startswith(b"HTTP/1.1 200")
                assert await reader.readexactly(2) == b"hi"
            writer.close()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_an_address_that_opens_too_many_connections_has_the_rest_closed_and_a_proxy_here_does_not(monkeypatch):
    monkeypatch.setattr(connections, "CONNECTIONS", 3)

    async def opened(port, address):
        found = [await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0)) for _ in range(5)]
        await asyncio.sleep(0.2)
        there = sum(not reader.at_eof() and reader.exception() is None for reader, _ in found)
        for _, writer in found:
            writer.close()
        return there

    async def run():
        async with serving(greets) as port:
            assert await opened(port, "127.0.0.7") == 3
            assert await opened(port, "127.0.0.1") == 5

    asyncio.run(asyncio.wait_for(run(), 60))
