"""A running server over real sockets: how long clicks take, alone and while others abuse it,
whether it bears a long time of all that visitors do, and what pages leave in its memory.

    python benchmarks/server.py [PART] [ARGUMENT ...]

Each part starts a server as a person does. To the server a tab of ours looks like a browser: it
loads the page, keeps the cookie, opens the same socket.io connection and sends the same events; it
does not draw. All tabs are in one process, which shares the machine with the server and its
workers.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import math
import multiprocessing
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import socketio

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules.record import read
from shutoko.web.limits import HEAD, MAX_LINES
from shutoko.web.rooms.room import Room
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.wording import words
from shutoko.web.work.kinds import waited
from shutoko.web.work.workers import Workers
from sim.assets import asset
from tools.measuring import note, resident, run, table

# --- tabs -----------------------------------------------------------------------------------------

TEXT = words("en")
TABLE = 5  # one room of so many is of Tokyo Highway
PATIENCE = 120.0  # seconds
SPOTS = 40  # places on the table that are tried for a legal placement
REACH = 220.0  # mm around the middle of the table

Took = dict[str, list[float]]


class Tab:
    """One tab of one person: the elements of its page as the server describes them, kept up to date
    by the socket.
    """

    def __init__(self, url: str, address: str | None = None) -> None:
        """`address` is the address of this machine from which the tab connects, 127.0.0.1 if it is
        left out.
        """
        self._url, self._address = url, address
        # the messages shown, and the pages that it was sent to
        self.told: list[dict[str, Any]] = []
        self._elements: dict[str, dict[str, Any]] = {}
        self._news = asyncio.Event()
        self._web: aiohttp.ClientSession | None = None
        self._socket = socketio.AsyncClient(reconnection=False)
        self._socket.on("update", self._updated)
        for kind in ("notify", "open"):
            self._socket.on(kind, self._told)
        self._client = ""

    async def open(self, path: str) -> None:
        """Loads a page, follows an invitation to its room, and connects."""
        way = None if self._address is None else aiohttp.TCPConnector(local_addr=(self._address, 0))
        jar = aiohttp.CookieJar(unsafe=True)
        self._web = aiohttp.ClientSession(
            headers={"Accept-Language": "en"}, cookie_jar=jar, connector=way
        )
        async with self._web.get(self._url + path) as answer:
            page = await answer.text()
        raw = page.split("parseElements(String.raw`", 1)[1].split("`)", 1)[0]
        for mark, char in (
            ("&#36;", "$"),
            ("&#96;", "`"),
            ("&gt;", ">"),
            ("&lt;", "<"),
            ("&amp;", "&"),
        ):
            raw = raw.replace(mark, char)
        self._elements = json.loads(raw)
        match = re.search(r"'client_id': '([^']+)'", page)
        assert match is not None
        self._client = match[1]
        query = (
            f"client_id={self._client}&next_message_id=0&implicit_handshake=true"
            f"&document_id=d{id(self)}&tab_id=t{id(self)}"
        )
        cookies = "; ".join(f"{cookie.key}={cookie.value}" for cookie in self._web.cookie_jar)
        await self._socket.connect(
            f"{self._url}/?{query}",
            headers={"Cookie": cookies, "Origin": self._url},
            transports=["websocket"],
            socketio_path="/_nicegui_ws/socket.io",
            wait_timeout=int(PATIENCE),
        )

    async def close(self) -> None:
        """Closes the tab."""
        await self._socket.disconnect()
        if self._web is not None:
            await self._web.close()

    async def send(
        self, element: Mapping[str, Any], kind: str, *values: Any, waits: bool = False
    ) -> None:
        """What the page sends when something happens to an element; `waits` until the server has
        taken it.
        """
        listener = next(
            event["listener_id"] for event in element["events"] if event["type"] == kind
        )
        data = {
            "client_id": self._client,
            "listener_id": listener,
            "args": [json.dumps(value) for value in values],
        }
        say = self._socket.call if waits else self._socket.emit
        await say("event", {"id": int(element["id"]), **data})

    def find(self, prop: str) -> dict[str, Any]:
        """The element with a property."""
        return next(one for one in self.all() if prop in one.get("props", {}))

    def classed(self, name: str) -> dict[str, Any]:
        """The first element with a class."""
        return next(one for one in self.all() if name in one.get("class", ()))

    def texts(self) -> set[str]:
        """Every text on the page."""
        return {one["text"] for one in self._elements.values() if "text" in one}

    async def until(self, what: Callable[..., bool], *arguments: Any) -> float:
        """Waits until a message makes `what(tab, *arguments)` true."""
        async with asyncio.timeout(PATIENCE):
            while not what(self, *arguments):
                self._news.clear()
                await self._news.wait()
        return time.perf_counter()

    def all(self) -> list[dict[str, Any]]:
        """The elements of the page."""
        return [{**one, "id": name} for name, one in self._elements.items()]

    async def _told(self, message: dict[str, Any]) -> None:
        self.told.append(message)
        self._news.set()

    async def _updated(self, message: dict[str, Any]) -> None:
        for name, one in message.items():
            if name == "_id":
                continue
            if one is None:
                self._elements.pop(name, None)
            else:
                self._elements[name] = one
        self._news.set()


async def turn(tabs: tuple[Tab, Tab]) -> Tab | None:
    """The tab that is to move as soon as there is one, None if the game seems to be over."""
    for _ in range(100):
        for tab in tabs:
            told = tab.classed("status").get("text", "")
            if TEXT("your_turn").rstrip(".") in told:  # of some games it goes on
                return tab
        await asyncio.sleep(0.05)
    return None


def tells(tab: Tab, line: str) -> bool:
    """Whether the page has that text."""
    return line in tab.texts()


def has_log(tab: Tab, count: int) -> bool:
    """Whether the page shows that number of plies."""
    return len(log(tab)) >= count


def said(tab: Tab) -> frozenset[str]:
    """What the page says, but for the statics of an earlier place, which come later."""
    return frozenset(text for text in tab.texts() if not text.startswith("Statics"))


def judges_anew(tab: Tab, before: frozenset[str]) -> bool:
    """Whether the page says something else: the reasons name the place, so each place has its
    own.
    """
    return said(tab) != before


async def play_board(
    tabs: tuple[Tab, Tab], room: Room, end: float, took: Took, rng: np.random.Generator
) -> None:
    """Plays any of the offered moves, a second after the last one."""
    ply = 0
    while time.perf_counter() < end:
        begin = time.perf_counter()
        tab = await turn(tabs)
        if tab is None:
            return
        board = tab.classed("board")
        moves = re.findall(r'data-move="([^"]+)"', board["props"]["innerHTML"])
        if not moves:
            return
        move = moves[rng.integers(len(moves))]
        line = f"{ply}. {room.names[ply % 2]}: {move}"
        sent = time.perf_counter()
        await tab.send(board, "click", {"move": move, "touch": False})
        told = [asyncio.create_task(one.until(tells, line)) for one in (tab, *set(tabs) - {tab})]
        took["board"].append(await told[0] - sent)
        took["other tab"].append(await told[1] - sent)
        ply += 1
        await asyncio.sleep(max(0.0, begin + 1 - time.perf_counter()))


async def play_table(
    tabs: tuple[Tab, Tab], end: float, took: Took, rng: np.random.Generator
) -> None:
    """Plays the usual entrances; then points at places until one is legal, and clicks on Place."""
    while time.perf_counter() < end:
        begin = time.perf_counter()
        tab = await turn(tabs)
        if tab is None or not await aimed(tab, took, rng):
            return
        lines = len(log(tab))
        sent = time.perf_counter()
        await tab.send(tab.find("data-place"), "click", {})
        took["table"].append(await tab.until(tells, TEXT("busy")) - sent)
        took["verdict"].append(await tab.until(has_log, lines + 1) - sent)
        await asyncio.sleep(max(0.0, begin + 1 - time.perf_counter()))


def log(tab: Tab) -> set[str]:
    """The plies that the page shows."""
    return {text for text in tab.texts() if re.match(r"\d+\. (Player|You)", text)}


async def aimed(tab: Tab, took: Took, rng: np.random.Generator) -> bool:
    """Points at places until the badge allows a placement. Returns whether it does."""
    badge = tab.find("data-badge")
    if "good" in badge.get("class", ()):
        return True
    scene = next(
        one for one in tab.all() if any(event["type"] == "hand" for event in one.get("events", ()))
    )
    for _ in range(SPOTS):
        x, y = rng.uniform(-REACH, REACH, 2).tolist()
        before = said(tab)
        sent = time.perf_counter()
        await tab.send(scene, "hand", {"detail": {"type": "tap", "x": x, "y": y, "piece": None}})
        took["judgement"].append(await tab.until(judges_anew, before) - sent)
        if "good" in tab.find("data-badge").get("class", ()):
            return True
    return False


def spent(process: int) -> tuple[float, float]:
    """Seconds that a process's first thread ran, and that it waited for a core; 0 where Linux does
    not say.
    """
    stat = Path(f"/proc/{process}/schedstat")
    if not stat.exists():
        return 0.0, 0.0
    ran, waited, _ = stat.read_text(encoding="ascii").split()
    return int(ran) / 1e9, int(waited) / 1e9


class Served:
    """`shutoko serve` of a folder in a process of its own: its address, and the lines that it
    wrote.
    """

    def __init__(self, data: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url, self.said = f"http://127.0.0.1:{self.port}", list[str]()
        options = ["--no-browser", "--port", str(self.port), "--data", str(data)]
        self.process = subprocess.Popen(  # noqa: S603 - this very project
            [sys.executable, "-m", "shutoko", "serve", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._ear = threading.Thread(target=self._listen, daemon=True)
        self._ear.start()
        while not listening(self.port):
            time.sleep(0.1)

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            self.said.extend(lines)

    def stop(self) -> None:
        """Ends it, as Ctrl-C would."""
        self.process.terminate()
        self.process.wait(60)
        self._ear.join(10)


def listening(port: int) -> bool:
    """Whether a server answers."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def served(data: Path) -> Iterator[Served]:
    """A server, ended with the block."""
    made = Served(data)
    try:
        yield made
    finally:
        made.stop()


async def play(rooms: list[Room], url: str, seconds: float, took: Took, server: int) -> None:
    """Opens two tabs a room, one after the other, and lets them play."""
    pairs = []
    for n, room in enumerate(rooms):
        address = (
            f"127.0.0.{n + 2}"  # the tabs of a room count as one visitor, and not all tabs as one
        )
        tabs = (Tab(url, address), Tab(url, address))
        for tab, secret in zip(tabs, room.invitations("host").values(), strict=True):
            await tab.open(f"/room/{room.id}?seat={secret}")
        pairs.append(tabs)
    note(f"{2 * len(rooms)} tabs are open")
    end = time.perf_counter() + seconds

    async def later(delay: float, game: Any) -> None:
        await asyncio.sleep(delay)
        await game

    games = []
    for n, (room, tabs) in enumerate(zip(rooms, pairs, strict=True)):
        rng = np.random.default_rng(n)
        at_table = room.game == "tokyo-highway"
        game = (
            play_table(tabs, end, took, rng) if at_table else play_board(tabs, room, end, took, rng)
        )
        games.append(later(n / len(rooms), game))
    begin, before = time.perf_counter(), (spent(server), spent(os.getpid()))
    await asyncio.gather(*games)
    wall, after = time.perf_counter() - begin, (spent(server), spent(os.getpid()))
    print()
    row = table("process", "ran", "waited for a core", "MiB")
    names = ("the server without its workers", "the tabs")
    for name, was, now, who in zip(names, before, after, (server, os.getpid()), strict=True):
        shares = (f"{(b - a) / wall:.0%}" for a, b in zip(was, now, strict=True))
        row(name, *shares, f"{resident(who):.0f}")
    for tab in (tab for tabs in pairs for tab in tabs):
        await tab.close()


def clicks(*, seconds: float = 30.0, rooms: int = 20) -> None:
    """From a click to its acknowledgement over a real socket: so many rooms, one move per second
    each.

    In each room two tabs play against each other; one room of five has Tokyo Highway, the others a
    grid game. A figure contains the way to the server over the loopback interface, the queue, the
    move with its file synced to the disk, the messages to the pages, and the way back; it does not
    contain a browser's drawing or a network.
    """
    took: Took = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        store, names = Rooms(Path(folder) / "rooms", Workers(1)), ("Player 1", "Player 2")
        some = [store.open(setup, "host") for setup in setups(rooms, names)]
        with served(Path(folder)) as server:
            asyncio.run(play(some, server.url, seconds, took, server.process.pid))
    print()
    row = table("what", "times", "p50 ms", "p95 ms", "at most")
    for name, values in (
        ("acknowledged to whoever clicked, all rooms", took["board"] + took["table"]),
        ("a ply on a board, in the log", took["board"]),
        ("a placement on the table, taken by physics", took["table"]),
        ("a ply on a board, seen in the other tab", took["other tab"]),
        ("a place that is pointed at, judged", took["judgement"]),
        ("a placement's verdict by physics", took["verdict"]),
    ):
        if values:
            times = np.percentile(values, (50, 95, 100)) * 1000
            row(name, len(values), *(f"{one:.0f}" for one in times))


def setups(count: int, names: tuple[str, str]) -> list[Setup]:
    """So many rooms for two people: one of five has Tokyo Highway, the others a grid game."""
    kinds: tuple[tuple[str, dict[str, Any]], ...] = (
        ("meridians", {}),
        ("thruway", {"trade": False}),
    )
    made = [kinds[n % 2] if n % TABLE < TABLE - 1 else ("tokyo-highway", {}) for n in range(count)]
    return [Setup(game, names, (None, None), options) for game, options in made]


# --- flood ----------------------------------------------------------------------------------------

MARK = "x" * 20
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
    url: str, server: int, doing: Awaitable[tuple[bool, str]], usual: float = math.inf
) -> tuple[bool, float, int, str]:
    """Whether all is well while something is done, the longest wait of a visitor meanwhile, how
    often it asked, and what is told of the doing; `usual` is the longest wait with nobody else
    there.
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
    return holds and max(found) < max(LONGEST, 10 * usual), max(found), len(found), told


async def nothing() -> tuple[bool, str]:
    """Nobody else is there."""
    await asyncio.sleep(5.0)
    return True, ""


async def uploaded(url: str, data: bytes, answer: str, *, whole: bool = True) -> tuple[bool, str]:
    """An upload from a tab, until the server answers it; or one that breaks off half-way."""
    tab = Tab(url)
    await tab.open("/")
    begin = time.perf_counter()

    async def half() -> AsyncIterator[bytes]:
        yield data[: len(data) // 2]
        await asyncio.sleep(PATIENCE)

    form = aiohttp.FormData()
    form.add_field("file", data if whole else half(), filename="a.jsonl")
    patience = aiohttp.ClientTimeout(PATIENCE if whole else 0.5)
    async with aiohttp.ClientSession(headers={"Origin": url}, timeout=patience) as web:
        with suppress(*(() if whole else (TimeoutError,))):
            async with web.post(url + tab.find("url")["props"]["url"], data=form) as got:
                await got.read()
    if not whole:
        await tab.close()
        return True, ""
    await tab.until(lambda one: bool(one.told))
    said, took = tab.told[-1], time.perf_counter() - begin
    await tab.close()
    told = f"after {took:.1f} s its sender was told: {said.get('message') or said.get('path')}"
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


async def dribbled(url: str, slow: int) -> tuple[bool, str]:
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

    ended = await asyncio.gather(*(one() for _ in range(slow)))
    return max(ended) < 4 * HEAD, f"hung up on within {max(ended):.0f} s"


async def flooded(url: str, seconds: float) -> tuple[bool, str]:
    """One tab that sends messages as fast as the server takes them."""
    tab = Tab(url)
    await tab.open("/")
    end, sent = time.perf_counter() + seconds, 0
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
    return True, f"{sent} messages were sent"


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
    return not refused, f"{len(opened)} opened in {took:.1f} s, {refused} refused"


async def abused(url: str, server: int, sockets: int, slow: int, seconds: float) -> bool:
    """All abuses, one after the other. Returns whether all is well."""
    first = asset("records", "two-cars.jsonl").read_bytes().splitlines(keepends=True)[0]
    empty = b'{"note":""}\n'
    many_lines = "lines are too many"
    abuses: dict[str, Callable[[], Awaitable[tuple[bool, str]]]] = {
        "nobody else": nothing,
        "4 MiB of blank lines": lambda: uploaded(url, first + b"\n" * 2**22, many_lines),
        "8 MiB of empty notes": lambda: uploaded(
            url, first + empty * ((2**23 - 1000) // len(empty)), many_lines
        ),
        f"a game of {MAX_LINES} lines": lambda: uploaded(url, longest(), "/replay/saved"),
        f"{slow} slow clients": lambda: dribbled(url, slow),
        "a flood of messages": lambda: flooded(url, seconds),
        f"{sockets} sockets": lambda: many(url, sockets),
    }
    row, usual, well = table("meanwhile", "holds", "longest wait", "requests", "told"), math.inf, 1
    for what, doing in abuses.items():
        holds, longest_wait, asked, told = await watched(url, server, doing(), usual)
        usual, well = min(usual, longest_wait), well & holds
        row(what, "yes" if holds else "NO", f"{1000 * longest_wait:.0f} ms", asked, told)
    return bool(well)


def flood(*, sockets: int = 1000, slow: int = 500, seconds: float = 10.0) -> int:
    """How long a visitor waits while others abuse the server: endless uploads, slow clients, floods
    of messages, many sockets.

    A visitor asks for a page again and again: with nobody else there; during uploads that begin as
    a record does, of 4 MiB of blank lines, of 8 MiB of lines with an empty note, and of the longest
    game that the server reads; while `--slow` clients send their requests one byte at a time; while
    a socket sends for `--seconds` as fast as it can; and while `--sockets` are open, opened from
    twenty addresses of this machine (Linux only).

    Exit code 1 if the visitor ever waited for longer than two seconds and ten times as long as with
    nobody else, not counting (on Linux) the time for which the server had no core; if the server
    took an upload that is no record; if it did not close the connection of a slow client; or if it
    refused one of the many sockets.
    """
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        holds = asyncio.run(abused(server.url, server.process.pid, sockets, slow, seconds))
    return int(not holds)


# --- soak -----------------------------------------------------------------------------------------

EVERY = 5.0  # seconds between two looks at the server
GROWTH = 1.1
RECORD = "shipped/two-cars"
BROKEN = (TimeoutError, OSError, aiohttp.ClientError, socketio.exceptions.SocketIOError)
TROUBLE = re.compile(r"error|exception|traceback|warning|deleted", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Invited:
    """A room as its players know it."""

    id: str
    in_space: bool
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """What the server used at one time: MB of the server and of its workers, and its
    descriptors.
    """

    server: float
    workers: float
    descriptors: int


@dataclass(slots=True)
class Soak:
    """The run: where the server is, when it ends, and what was seen."""

    url: str
    end: float
    done: Counter[str] = field(default_factory=Counter)
    # for each room the most plies that a tab was shown
    told: dict[str, int] = field(default_factory=dict)
    looks: list[Look] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")  # page: seconds, and which

    async def open(self, tab: Tab, path: str) -> None:
        """Opens a page, and notes how long that took."""
        begin = time.perf_counter()
        await tab.open(path)
        self.slowest = max(self.slowest, (time.perf_counter() - begin, path.partition("?")[0]))

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.perf_counter() < self.end


async def play_rooms(soak: Soak, rooms: Sequence[Invited], rng: np.random.Generator) -> None:
    """Plays one room after the other. If a tab breaks, opens the room again and goes on."""
    for room in rooms:
        while soak.goes_on:
            tabs = (Tab(soak.url), Tab(soak.url))
            try:
                for tab, secret in zip(tabs, room.secrets, strict=True):
                    await soak.open(tab, f"/room/{room.id}?seat={secret}")
                leave = time.perf_counter() + rng.uniform(15, 90)
                over = await moves(soak, tabs, room, leave, rng)
            except BROKEN as error:
                soak.done[f"tabs that broke ({type(error).__name__})"] += 1
                over = False
            finally:
                for tab in tabs:
                    with suppress(*BROKEN):
                        await tab.close()
            if over:
                soak.done["games that ended"] += 1
                break
            soak.done["reconnects"] += 1


async def moves(
    soak: Soak, tabs: tuple[Tab, Tab], room: Invited, leave: float, rng: np.random.Generator
) -> bool:
    """Moves until it is time to leave; says whether the game is over."""
    while soak.goes_on and time.perf_counter() < leave:
        begin = time.perf_counter()
        tab = await turn(tabs)
        if tab is None:
            return True
        lines = len(log(tab))
        if rng.random() < 0.02:
            await tab.send(tab.find("data-hint"), "click", {})
            soak.done["hints asked for"] += 1
        if room.in_space:
            if not await aimed(tab, {name: [] for name in ("judgement",)}, rng):
                return True
            await tab.send(tab.find("data-place"), "click", {})
        else:
            board = tab.classed("board")
            moves = re.findall(r'data-move="([^"]+)"', board["props"]["innerHTML"])
            if not moves:
                return True
            await tab.send(
                board, "click", {"move": moves[rng.integers(len(moves))], "touch": False}
            )
        await tab.until(has_log, lines + 1)
        soak.told[room.id] = max(soak.told.get(room.id, 0), len(log(tab)))
        soak.done["plies"] += 1
        await asyncio.sleep(max(0.0, begin + 1 - time.perf_counter()))
    return False


@asynccontextmanager
async def broken_ones_counted(soak: Soak) -> AsyncIterator[None]:
    """On an overloaded machine a client may give up before the server answers: counts that, and
    goes on.
    """
    try:
        yield
    except BROKEN as error:
        soak.done[f"visits that broke ({type(error).__name__})"] += 1


async def watch_films(soak: Soak, rng: np.random.Generator) -> None:
    """Opens a replay in the middle, steps forward in it, and leaves, sometimes while a film is
    made.
    """
    while soak.goes_on:
        tab = Tab(soak.url)
        async with broken_ones_counted(soak):
            await soak.open(tab, f"/replay/{RECORD}?ply={rng.integers(2, 18)}")
            for _ in range(rng.integers(1, 6)):
                await tab.send(tab.find("data-forward"), "click", {})
                soak.done["films asked for"] += 1
                await asyncio.sleep(rng.uniform(0.2, 3.0))
        async with broken_ones_counted(soak):
            await tab.close()
        await asyncio.sleep(2.0)


async def upload(soak: Soak, rng: np.random.Generator) -> None:
    """Uploads of records with too many lines and of files that are no records; every other one
    breaks off half-way.
    """
    (first, *_) = asset("records", "two-cars.jsonl").read_bytes().splitlines(keepends=True)
    data = (first + b"\n" * 2**20, first + b'{"note":"x"}\n' * 1000, b"no record")
    while soak.goes_on:
        async with broken_ones_counted(soak):
            is_whole = rng.random() < 0.5
            await uploaded(soak.url, data[rng.integers(len(data))], "", whole=is_whole)
            soak.done["uploads" if is_whole else "uploads broken off"] += 1
        await asyncio.sleep(5.0)


async def draw(soak: Soak) -> None:
    """Asks for pictures of a record; waits only for every other one."""
    async with aiohttp.ClientSession() as web:
        while soak.goes_on:
            soak.done["pictures asked for"] += 1
            patience = aiohttp.ClientTimeout(0.3 if soak.done["pictures asked for"] % 2 else 120)
            with suppress(*BROKEN):
                async with web.get(
                    f"{soak.url}/share/shipped/boards-thruway-opening.png", timeout=patience
                ) as answer:
                    await answer.read()
            await asyncio.sleep(10.0)


async def look(soak: Soak, server: int) -> None:
    """Reads what the server uses, again and again."""
    while soak.goes_on:
        soak.looks.append(used(server))
        await asyncio.sleep(EVERY)


def used(server: int) -> Look:
    """What a server uses now."""
    told = Path(f"/proc/{server}/task/{server}/children").read_text(encoding="ascii")
    workers = 0.0
    for pid in told.split():
        with suppress(OSError, StopIteration):  # it has ended
            workers += resident(pid)
    return Look(resident(server), workers, len(list(Path(f"/proc/{server}/fd").iterdir())))


def invited(folder: Path, count: int, each: int) -> list[list[Invited]]:
    """For each place where two tabs play, the rooms that follow one another there."""
    store, made = Rooms(folder / "rooms", Workers(1)), list[list[Invited]]()
    for setup in setups(count, ("Player 1", "Player 2")):
        rooms = [store.open(setup, "host") for _ in range(each)]
        in_space = setup.game == "tokyo-highway"
        made.append(
            [Invited(room.id, in_space, tuple(room.invitations("host").values())) for room in rooms]
        )
    store.close()
    return made


async def everything(seen: Soak, rooms: Sequence[Sequence[Invited]], server: int) -> None:
    """All that visitors do, at once."""
    rngs = np.random.default_rng(1).spawn(len(rooms) + 2)
    others = (watch_films(seen, rngs[-1]), upload(seen, rngs[-2]), draw(seen), look(seen, server))
    await asyncio.gather(
        *(play_rooms(seen, some, rng) for some, rng in zip(rooms, rngs, strict=False)), *others
    )


def soak(*, minutes: float = 30.0, rooms: int = 20) -> int:
    """A server under all that visitors do at once, for a long time: does it lose a ply, leak memory
    or descriptors, or log errors?

    Four of five rooms play grid games, the others Tokyo Highway. In each room two tabs play, one
    move per second; after a game they begin the next. Meanwhile tabs close and open again in the
    middle of games, uploads break off or are no records, replays show films, players ask for hints,
    and visitors ask for pictures of records. Every five seconds the script reads the memory and the
    descriptors of the server and of its workers. Exit code 1 if a ply was lost that a tab was
    shown, if the log has an error, or if the server's memory or descriptors grew by more than a
    tenth after a warm-up of a fifth of the time.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        places = invited(folder, rooms, min(int(minutes) + 2, 900 // rooms))
        with served(folder) as server:
            seen = Soak(server.url, time.perf_counter() + 60 * minutes)
            asyncio.run(everything(seen, places, server.process.pid))
        lost = sum(
            max(0, plies - read(folder / "rooms" / f"{room}.jsonl").next_ply)
            for room, plies in seen.told.items()
        )
    bad = [line for line in server.said if TROUBLE.search(line)]
    for line in bad[:20]:
        note(line.rstrip())
    row = table("what", "count")
    for what, count in sorted(seen.done.items()):
        row(what, count)
    row("plies told and not on the disk", lost)
    row("complaints in the server's log", len(bad))
    row(f"seconds of the slowest page, {seen.slowest[1]}", seen.slowest[0])
    print()
    row, grown = table("used", "after the warm-up", "at the end", "least", "most"), False
    settled = seen.looks[len(seen.looks) // 5 :]
    part = max(1, len(settled) // 4)
    for what in ("server", "workers", "descriptors"):
        values = [getattr(one, what) for one in settled]
        first, last = statistics.median(values[:part]), statistics.median(values[-part:])
        grown = grown or (what != "workers" and last > first * GROWTH)
        row(what, *(f"{value:.0f}" for value in (first, last, min(values), max(values))))
    return int(bool(lost or bad or grown))


# --- memory ---------------------------------------------------------------------------------------

_PAGES = ("/", "/replay/shipped/two-cars", "/replay/shipped/boards-thruway-opening")


async def loaded(url: str, server: int, pages: int) -> None:
    """Loads pages, each as a visitor of its own who leaves again, and prints the memory."""
    row = table("pages loaded", "server, MiB", "descriptors")
    for n in range(pages + 1):
        if n % max(pages // 6, 1) == 0:
            await asyncio.sleep(5.0)  # what nobody has open any more is dropped
            look_now = used(server)
            row(n, f"{look_now.server:.1f}", look_now.descriptors)
        tab = Tab(url, f"127.{n // 62500 + 1}.{n // 250 % 250}.{n % 250 + 2}")
        await tab.open(_PAGES[n % len(_PAGES)])
        await tab.close()


def memory(*, pages: int = 600) -> None:
    """The server's memory before and after so many page loads: the lobby and two replays, each by a
    visitor of its own.
    """
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        asyncio.run(loaded(server.url, server.process.pid, pages))


if __name__ == "__main__":
    run(clicks, flood, soak, memory)
