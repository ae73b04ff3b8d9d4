"""A server under all that visitors do at once, for a long time: does it lose a ply, leak memory or
descriptors, or log errors?

    python benchmarks/soak.py [--minutes 30] [--rooms 20]

Four of five rooms play grid games, the others Tokyo Highway. In each room two tabs play over real
sockets, one move per second; after a game they begin the next. Meanwhile tabs close and open again
in the middle of games, uploads break off or are no records, replays show films, players ask for
hints, and visitors ask for pictures of records. Every five seconds the script reads the memory and
the descriptors of the server and of its workers.

At the end it prints how they changed, whether every ply that a tab was shown is on the disk, and
the errors in the server's log. It exits with 1 if a ply was lost, if the log has an error, or if
the server's memory or descriptors grew by more than a tenth after a warm-up of a fifth of the time.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import socketio

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.server import Tab, aimed, has_log, log, served, turn
from rules.record import read
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.work.workers import Workers
from sim.assets import asset

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
                over = await play(soak, tabs, room, leave, rng)
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


async def play(
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
    """Uploads that break off half-way, records with too many lines, and files that are no
    records.
    """
    first = (
        asset("records", f"{RECORD.partition('/')[2]}.jsonl")
        .read_bytes()
        .splitlines(keepends=True)[0]
    )
    async with aiohttp.ClientSession() as web:
        while soak.goes_on:
            data = (
                first + b"\n" * 2**20,
                first + b'{"note":""}\n' * 2**16,
                first + b'{"note":"x"}\n' * 1000,
                b"no record",
            )
            async with broken_ones_counted(soak):
                await _uploaded(
                    soak, web, data[rng.integers(len(data))], whole=bool(rng.random() < 0.5)
                )
            web.cookie_jar.clear()  # the next visitor
            await asyncio.sleep(5.0)


async def _uploaded(soak: Soak, web: aiohttp.ClientSession, data: bytes, *, whole: bool) -> None:
    async with web.get(soak.url) as answer:
        found = re.search(r'"url":"(/_nicegui/client/[^"]+)"', await answer.text())
    assert found is not None
    if not whole:
        await _broken_off(soak.url, found[1], data)
        soak.done["uploads broken off"] += 1
        return
    form = aiohttp.FormData()
    form.add_field("file", data, filename="a.jsonl")
    async with web.post(soak.url + found[1], data=form) as answer:
        await answer.read()
    soak.done["uploads"] += 1


async def _broken_off(url: str, path: str, data: bytes) -> None:
    host, port = url.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: multipart/form-data; "
        "boundary=xx\r\n"
    )
    writer.write(f"{head}Content-Length: {len(data) + 100}\r\n\r\n--xx\r\n".encode())
    writer.write(
        b'Content-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n'
        + data[: len(data) // 2]
    )
    await writer.drain()
    await asyncio.sleep(0.5)
    writer.close()


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
    workers = sum(memory(pid) for pid in children(server))
    return Look(memory(server), workers, len(list(Path(f"/proc/{server}/fd").iterdir())))


def children(process: int) -> list[int]:
    """The processes that a process has started and that still run."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    return [int(pid) for pid in found]


def memory(process: int) -> float:
    """MB that a process has in memory, 0 for one that is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0


def invited(folder: Path, count: int, each: int) -> list[list[Invited]]:
    """For each place where two tabs play, the rooms that follow one another there."""
    store, names = Rooms(folder / "rooms", Workers(1)), ("Player 1", "Player 2")
    grids: tuple[tuple[str, dict[str, Any]], ...] = (
        ("meridians", {}),
        ("thruway", {"trade": False}),
    )
    made = []
    for n in range(count):
        in_space = n % 5 == 4
        game, options = ("tokyo-highway", {}) if in_space else grids[n % 2]
        rooms = [store.open(Setup(game, names, (None, None), options), "host") for _ in range(each)]
        made.append(
            [Invited(room.id, in_space, tuple(room.invitations("host").values())) for room in rooms]
        )
    store.close()
    return made


async def run(soak: Soak, rooms: Sequence[Sequence[Invited]], server: int) -> None:
    """Everything at once."""
    rngs = np.random.default_rng(1).spawn(len(rooms) + 2)
    others = (watch_films(soak, rngs[-1]), upload(soak, rngs[-2]), draw(soak), look(soak, server))
    await asyncio.gather(
        *(play_rooms(soak, some, rng) for some, rng in zip(rooms, rngs, strict=False)), *others
    )


def report(soak: Soak, folder: Path, said: Sequence[str], seconds: float) -> bool:
    """Prints what was seen. Returns whether all is well."""
    lost = {
        room: plies - kept
        for room, plies in soak.told.items()
        if (kept := read(folder / "rooms" / f"{room}.jsonl").next_ply) < plies
    }
    bad = [line for line in said if TROUBLE.search(line)]
    settled = soak.looks[len(soak.looks) // 5 :]
    part = max(1, len(settled) // 4)
    print(
        f"{seconds / 60:.1f} minutes; "
        + ", ".join(f"{count} {what}" for what, count in sorted(soak.done.items()))
    )
    grown = False
    for what, limit in (("server", GROWTH), ("workers", GROWTH), ("descriptors", GROWTH)):
        values = [getattr(one, what) for one in settled]
        first, last = statistics.median(values[:part]), statistics.median(values[-part:])
        grown = grown or (what != "workers" and last > first * limit)
        print(
            f"{what}: {first:.0f} after the warm-up, {last:.0f} at the end, {min(values):.0f} to "
            f"{max(values):.0f} between"
        )
    print(
        f"rooms played in: {len(soak.told)}, plies told and not on the disk: {sum(lost.values())}"
    )
    print(f"the slowest page took {soak.slowest[0]:.1f} s: {soak.slowest[1]}")
    print(f"complaints in the server's log: {len(bad)}")
    for line in bad[:20]:
        print(f"  {line.rstrip()}")
    return not (lost or bad or grown)


def main() -> int:
    """Starts a server, soaks it and reports."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--rooms", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rooms = invited(folder, options.rooms, min(int(options.minutes) + 2, 900 // options.rooms))
        with served(folder) as server:
            begin = time.perf_counter()
            soak = Soak(server.url, begin + 60 * options.minutes)
            asyncio.run(run(soak, rooms, server.process.pid))
            seconds, told = time.perf_counter() - begin, time.perf_counter()
            server.stop()
            print(f"the server ended {time.perf_counter() - told:.1f} s after it was told to")
        return 0 if report(soak, folder, server.said, seconds) else 1


if __name__ == "__main__":
    sys.exit(main())
