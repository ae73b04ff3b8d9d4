"""How long a visitor waits while others abuse the server: uploads of blank lines, floods of messages, a thousand sockets.

    python benchmarks/flood.py [--sockets 1000]

A server is started as a person starts it. Another visitor asks for a page again and again, and the longest wait is told: with
nobody else, during an upload of 4 MiB of blank lines, during one of 8 MiB of lines with an empty note, while a socket sends as
fast as it can, and while that many sockets are open, opened from twenty addresses of this machine (Linux only).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import aiohttp

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.web_clicks import Tab, listening

MARK = "x" * 20
SETTLE = 30.0  # seconds that an upload is watched, from when it is sent
FLOOD = 10.0  # seconds of messages
ADDRESSES = 20


async def waits(url: str, until: Callable[[], bool]) -> list[float]:
    """The seconds that each of another visitor's requests takes, one after the other."""
    found: list[float] = []
    timeout = aiohttp.ClientTimeout(300)
    async with aiohttp.ClientSession(timeout=timeout) as web:
        while not until() or not found:
            begin = time.perf_counter()
            async with web.get(f"{url}/static/style.css") as answer:
                await answer.read()
            found.append(time.perf_counter() - begin)
            await asyncio.sleep(0.05)
    return found


async def watched(url: str, what: str, doing: Awaitable[str]) -> None:
    """Tells how long another visitor waited while something was done."""
    task = asyncio.ensure_future(doing)
    found = await waits(url, task.done)
    print(
        f"{what}: another visitor waited {max(found) * 1000:.0f} ms at most, {len(found)} requests. {task.result()}", flush=True
    )


async def nothing() -> str:
    """Nobody else is there."""
    await asyncio.sleep(5.0)
    return ""


async def uploaded(url: str, data: bytes) -> str:
    """An upload, from sending it until the server has been watched for long enough."""
    async with aiohttp.ClientSession() as web:
        async with web.get(url) as answer:
            found = re.search(r'"url":"(/_nicegui/client/[^"]+)"', await answer.text())
        assert found is not None
        head = f'--{MARK}\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n'.encode()
        body = head + data + f"\r\n--{MARK}--\r\n".encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={MARK}"}
        async with web.post(url + found[1], data=body, headers=headers) as answer:
            await answer.read()
    await asyncio.sleep(SETTLE)
    return ""


async def flooded(url: str) -> str:
    """One tab that sends messages as fast as the server takes them."""
    tab = Tab(url)
    await tab.open("/")
    end, sent = time.perf_counter() + FLOOD, 0
    with suppress(Exception):  # the server may hang up
        while time.perf_counter() < end:
            await tab._socket.emit("event", {"id": 1, "client_id": "none", "listener_id": "none", "args": []})  # noqa: SLF001
            sent += 1
            if sent % 100 == 0:
                await asyncio.sleep(0)
    with suppress(Exception):
        await asyncio.wait_for(tab.close(), 5)
    return f"{sent} messages were sent."


async def many(url: str, count: int) -> str:
    """So many sockets, open at once, that say what a browser says when it connects."""
    opened: list[aiohttp.ClientWebSocketResponse] = []
    refused = 0
    sessions = [
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0, local_addr=(f"127.0.0.{n + 2}", 0)))
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
    return f"{len(opened)} sockets opened in {took:.1f} s, {refused} refused."


async def run(url: str, sockets: int) -> None:
    """All abuses, one after the other."""
    await watched(url, "nobody else", nothing())
    await watched(url, "4 MiB of blank lines", uploaded(url, b"\n" * 2**22))
    note = b'{"note":""}\n'
    await watched(url, "8 MiB of empty notes", uploaded(url, note * (2**23 // len(note))))
    await watched(url, "a flood of messages", flooded(url))
    await watched(url, f"{sockets} sockets", many(url, sockets))


def main() -> None:
    """Starts a server and abuses it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-m", "shutoko", "serve", "--no-browser", "--port", str(port), "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:  # noqa: S603 - this very project
            try:
                while not listening(port):
                    time.sleep(0.2)
                asyncio.run(run(f"http://127.0.0.1:{port}", options.sockets))
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
