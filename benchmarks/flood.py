"""How long a visitor waits while others abuse the server: endless uploads, slow clients, floods of
messages, many sockets.

    python benchmarks/flood.py [--sockets 1000]

The script starts a server as a person does. A visitor asks for a page again and again, and the
script prints the longest wait: with nobody else there; during uploads that begin as a record does,
of 4 MiB of blank lines, of 8 MiB of lines with an empty note, and of the longest game that the
server reads; while 500 clients send their requests one byte at a time; while a socket sends as fast
as it can; and while many sockets are open (`--sockets`), opened from twenty addresses of this
machine (Linux only).

It also prints what the server answers to each upload, which shows how far the upload got. Exit code
1 if the visitor ever waited for longer than two seconds and ten times as long as with nobody else,
not counting (on Linux) the time for which the server had no core; if the server took an upload that
is no record; if it did not close the connection of a slow client; or if it refused one of the many
sockets.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import math
import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import aiohttp

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.web_clicks import Tab, listening
from shutoko.web.limits import HEAD, MAX_LINES
from shutoko.web.work.kinds import waited
from sim.assets import asset

MARK = "x" * 20
SLOW = 500  # clients that send a byte a second
FLOOD = 10.0  # seconds of messages
ADDRESSES = 20
LONGEST = 2.0  # seconds that another visitor may wait


def waits(port: int, server: int, told: Connection) -> None:
    """The visitor, in a process of its own, so that only the server can delay it. It asks for the
    page until it is told to stop.

    It sends a sign that it has started, and at the end the seconds that each request took, without
    those for which the server or the visitor had no core, since other programs kept them busy
    (where the system tells).
    """
    found: list[float] = []
    told.send(None)
    while not told.poll(0.05):
        begin, before = time.perf_counter(), without_a_core(server)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        connection.request("GET", "/static/style.css")
        connection.getresponse().read()
        connection.close()
        took, after = time.perf_counter() - begin, without_a_core(server)
        # thread by thread: one that ended meanwhile takes along all that it ever waited
        lacked = sum(seconds - before.get(thread, 0.0) for thread, seconds in after.items())
        found.append(max(0.0, took - lacked))
    told.send(found)


def without_a_core(server: int) -> dict[int, float]:
    """Seconds for which each thread of the server, one of which runs at a time, and this process
    were ready and had no core.
    """
    threads = [int(path.name) for path in Path(f"/proc/{server}/task").glob("*")]
    return {thread: waited(thread) for thread in (*threads, os.getpid())}


async def watched(
    url: str, server: int, what: str, doing: Awaitable[tuple[bool, str]], usual: float = math.inf
) -> tuple[bool, float]:
    """Prints how long the visitor waited while something was done. Returns whether all is well, and
    the longest wait.

    `usual` is the longest wait with nobody else there.
    """
    mine, theirs = multiprocessing.Pipe()
    other = multiprocessing.get_context("spawn").Process(
        target=waits, args=(int(url.rpartition(":")[2]), server, theirs)
    )
    other.start()
    await asyncio.to_thread(mine.recv)
    holds, told = await doing
    await asyncio.sleep(2.0)  # the wait for what the server still has to do counts, too
    mine.send(None)
    found: list[float] = await asyncio.to_thread(mine.recv)
    other.join()
    holds = holds and max(found) < max(LONGEST, 10 * usual)
    told = (
        f"another visitor waited {max(found) * 1000:.0f} ms at most, {len(found)} requests. {told}"
    )
    print(f"{what}: {told}{'' if holds else ' FAILED'}", flush=True)
    return holds, max(found)


async def nothing() -> tuple[bool, str]:
    """Nobody else is there."""
    await asyncio.sleep(5.0)
    return True, ""


async def uploaded(url: str, data: bytes, answer: str) -> tuple[bool, str]:
    """An upload from a tab, until the server answers it."""
    tab = Tab(url)
    await tab.open("/")
    begin = time.perf_counter()
    form = aiohttp.FormData()
    form.add_field("file", data, filename="a.jsonl")
    upload = url + tab.find("url")["props"]["url"]
    async with (
        aiohttp.ClientSession(headers={"Origin": url}) as web,
        web.post(upload, data=form) as got,
    ):
        await got.read()
    await tab.until(lambda one: bool(one.told))
    said, took = tab.told[-1], time.perf_counter() - begin
    await tab.close()
    told = f"After {took:.1f} s its sender was told: {said.get('message') or said.get('path')}"
    if "path" in said:
        async with aiohttp.ClientSession() as web, web.get(url + said["path"]) as page:
            told += (
                f"; that page has {len(await page.read())} bytes and came after "
                f"{time.perf_counter() - begin:.1f} s"
            )
    return answer in str(said), told


def longest() -> bytes:
    """A game of many plies, each taken back, with as many lines as the server still reads."""
    first, ply = asset("records", "two-cars.jsonl").read_bytes().splitlines()[:2]
    taken_back = json.dumps(
        {**json.loads(ply), "got": {"legal": False, "faults": ["x" * 200]}}
    ).encode()
    return first + b"\n" + (taken_back + b"\n") * (MAX_LINES - 2)


async def dribbled(url: str) -> tuple[bool, str]:
    """Clients that send their requests one byte per second, until the server has closed all their
    connections.
    """
    host, port = url.removeprefix("http://").split(":")
    begin = time.perf_counter()

    async def one() -> float:
        _, writer = await asyncio.open_connection(host, int(port))
        with suppress(OSError):
            for char in f"GET / HTTP/1.1\r\nHost: {host}\r\nX-Slow: {'x' * 500}".encode():
                writer.write(bytes([char]))
                await writer.drain()
                await asyncio.sleep(1.0)
                if writer.is_closing():
                    break
        writer.close()
        return time.perf_counter() - begin

    ended = await asyncio.gather(*(one() for _ in range(SLOW)))
    return max(ended) < 4 * HEAD, f"{SLOW} slow clients were hung up on within {max(ended):.0f} s."


async def flooded(url: str) -> tuple[bool, str]:
    """One tab that sends messages as fast as the server takes them."""
    tab = Tab(url)
    await tab.open("/")
    end, sent = time.perf_counter() + FLOOD, 0
    with suppress(Exception):  # the server may hang up
        while time.perf_counter() < end:
            await tab._socket.emit(  # noqa: SLF001
                "event", {"id": 1, "client_id": "none", "listener_id": "none", "args": []}
            )
            sent += 1
            if sent % 100 == 0:
                await asyncio.sleep(0)
    with suppress(Exception):
        await asyncio.wait_for(tab.close(), 5)
    return True, f"{sent} messages were sent."


async def many(url: str, count: int) -> tuple[bool, str]:
    """So many sockets, open at once, that say what a browser says when it connects."""
    opened: list[aiohttp.ClientWebSocketResponse] = []
    refused = 0
    sessions = [
        aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, local_addr=(f"127.0.0.{n + 2}", 0))
        )
        for n in range(ADDRESSES)
    ]
    begin = time.perf_counter()
    for n in range(count):
        try:
            path = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
            one = await sessions[n % ADDRESSES].ws_connect(url + path, origin=url)
            hello = json.loads((await one.receive_str(timeout=30))[1:])
            assert hello["sid"]
            opened.append(one)
        except (aiohttp.ClientError, TimeoutError):
            refused += 1
    took = time.perf_counter() - begin
    await asyncio.sleep(5.0)
    for session in sessions:
        await session.close()
    return not refused, f"{len(opened)} sockets opened in {took:.1f} s, {refused} refused."


async def run(url: str, server: int, sockets: int) -> bool:
    """All abuses, one after the other. Returns whether all is well."""
    first = asset("records", "two-cars.jsonl").read_bytes().splitlines(keepends=True)[0]
    note = b'{"note":""}\n'
    lines = "lines are too many"
    _, usual = await watched(url, server, "nobody else", nothing())
    abuses: dict[str, Awaitable[tuple[bool, str]]] = {
        "4 MiB of blank lines": uploaded(url, first + b"\n" * 2**22, lines),
        "8 MiB of empty notes": uploaded(url, first + note * ((2**23 - 1000) // len(note)), lines),
        f"a game of {MAX_LINES} lines": uploaded(url, longest(), "/replay/saved"),
        f"{SLOW} slow clients": dribbled(url),
        "a flood of messages": flooded(url),
        f"{sockets} sockets": many(url, sockets),
    }
    return all(
        [(await watched(url, server, what, doing, usual))[0] for what, doing in abuses.items()]
    )


def main() -> int:
    """Starts a server and abuses it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sockets", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [
            sys.executable,
            "-m",
            "shutoko",
            "serve",
            "--no-browser",
            "--port",
            str(port),
            "--data",
            folder,
        ]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:  # noqa: S603 - this very project
            try:
                while not listening(port):
                    time.sleep(0.2)
                holds = asyncio.run(run(f"http://127.0.0.1:{port}", server.pid, options.sockets))
            finally:
                server.terminate()
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
