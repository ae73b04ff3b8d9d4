"""Attacks on a server of this machine, each with a bound in count and time, and what another
visitor notices of them.

    python benchmarks/attacks.py [PART] [ARGUMENT ...]

Nothing leaves 127.0.0.0/8. Exit code 1 if a bound is broken.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.server import Served, Tab, served, tells, turn
from rules.record import Entry, loads
from shutoko.web.rooms.room import Room
from shutoko.web.rooms.seats import Seats
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.work.kinds import waited
from shutoko.web.work.workers import Workers
from tools.measuring import resident, run, table

CONNECTIONS, MEMORY, CLICK = 16, 600.0, 0.5  # connections; MiB; seconds at the 95 %
ANSWER = 2.0  # seconds
ATTACKER, VICTIM = "127.0.0.2", "127.0.0.3"
SLOWEST = "mcts:seconds=20"


def opened(data: Path, *setups: Setup) -> list[Room]:
    """Rooms in a folder, before a server has it."""
    (data / "rooms").mkdir(parents=True, exist_ok=True)
    store = Rooms(data / "rooms", Workers(1))
    rooms = [store.open(setup, "host") for setup in setups]
    store.close()
    return rooms


def link(room: Room, seat: int) -> str:
    """The invitation to a seat."""
    return f"/room/{room.id}?seat={room.invitations('host')[seat]}"


# --- heads, bodies and answers --------------------------------------------------------------------


async def endless_head(port: int, end: float) -> None:
    """Heads without end, one connection after the other."""
    junk = b"X-%d: " + b"a" * 60_000 + b"\r\n"
    while time.monotonic() < end:
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0))
            writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            n = 0
            while time.monotonic() < end and not writer.is_closing():
                writer.write(junk % n)
                await writer.drain()
                n += 1
            writer.close()
        await asyncio.sleep(0.01)


async def slow_body(port: int, end: float) -> None:
    """Bodies of which a byte comes now and then."""
    head = (
        f"POST /photo/take HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 8000000\r\n\r\n"
    ).encode()
    while time.monotonic() < end:
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0))
            writer.write(head)
            while time.monotonic() < end and not writer.is_closing():
                writer.write(b"x" * 200)
                await writer.drain()
                await asyncio.sleep(0.5)
            writer.close()


async def slow_read(port: int, end: float) -> None:
    """Requests of large files, one behind the other, whose answers are read a byte at a time."""
    ask = (
        f"GET /replay/shipped/three-players HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode() * 6
    )
    while time.monotonic() < end:
        with suppress(OSError, ValueError):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(ATTACKER, 0), limit=64
            )
            writer.write(ask)
            while time.monotonic() < end and not reader.at_eof():
                await reader.read(1)
                await asyncio.sleep(0.2)
            writer.close()


async def clicks(
    pairs: list[tuple[Room, tuple[Tab, Tab]]], server: int, end: float
) -> list[tuple[float, float]]:
    """For each click on a board the seconds to the ply on the page of whoever clicked, and those of
    them for which the first thread of the server had no core, since other programs kept them busy
    (where the system tells).
    """
    took, rng = list[tuple[float, float]](), np.random.default_rng(0)
    for room, tabs in pairs:
        ply = 0
        while time.monotonic() < end and (tab := await turn(tabs)) is not None:
            board = tab.classed("board")
            moves = re.findall(r'data-move="([^"]+)"', board["props"]["innerHTML"])
            if not moves:
                break
            move, before, sent = (
                moves[rng.integers(len(moves))],
                waited(server),
                time.perf_counter(),
            )
            await tab.send(board, "click", {"move": move, "touch": False})
            came = await tab.until(tells, f"{ply}. {room.names[ply % 2]}: {move}")
            took.append((came - sent, waited(server) - before))
            ply += 1
            await asyncio.sleep(0.2)
    return took


def late(took: list[tuple[float, float]]) -> tuple[float, str]:
    """The seconds within which 95 % came, without those that lacked a core, and that in words."""
    whole, lacked = np.array(took or [(np.inf, 0.0)]).T
    own = float(np.quantile(np.maximum(whole - lacked, 0.0), 0.95))
    told = (
        f"{len(took)} clicks, 95 % within {own * 1000:.0f} ms without the time for which the "
        "server had no core"
    )
    return own, f"{told} ({np.quantile(whole, 0.95) * 1000:.0f} ms with it)"


def every(*, seconds: float = 60.0, rooms: int = 5000) -> int:
    """All attacks, one after the other."""
    return max(heads(seconds=seconds), fair(), old(rooms=rooms), forged())


def _told(name: str, holds: bool, told: str) -> int:
    table("attack", "holds", "what was measured")(name, "yes" if holds else "NO", told)
    print()
    return int(not holds)


def heads(*, seconds: float = 60.0) -> int:
    """16 connections for so many seconds, a third of which send heads without end, a third bodies a
    byte at a time, and the others read answers a byte at a time; another visitor plays on a board.
    """
    with tempfile.TemporaryDirectory() as name:
        usual, took, before, most, lines = _heads(Path(name), seconds)
    own, told = late(took)
    told += (
        f"; with nobody else {late(usual)[1]}; server {before:.0f} MiB before, {most:.0f} MiB "
        f"at most; {lines} lines of the log"
    )
    return _told("heads", most < MEMORY and own < CLICK, told)


def _heads(folder: Path, seconds: float) -> tuple[Any, Any, float, float, int]:
    """The clicks with nobody else and under attack, memory before and at most, lines of the log."""
    rooms = opened(
        folder,
        *(
            Setup("meridians", ("Player 1", "Player 2"), (None, None), {"size": 12}, seed=n)
            for n in range(4)
        ),
    )

    async def attacked(server: Served) -> tuple[Any, Any, float, float]:
        pairs = []
        for room in rooms:
            tabs = (Tab(server.url, VICTIM), Tab(server.url, VICTIM))
            for seat, tab in enumerate(tabs):
                await tab.open(link(room, seat))
            pairs.append((room, tabs))
        usual = await clicks(pairs[:1], server.process.pid, time.monotonic() + 8)
        before, most, end = resident(server.process.pid), 0.0, time.monotonic() + seconds
        kinds = (endless_head, slow_body, slow_read)
        attack = [asyncio.create_task(kinds[n % 3](server.port, end)) for n in range(CONNECTIONS)]
        playing = asyncio.create_task(clicks(pairs[1:], server.process.pid, end))
        while time.monotonic() < end:
            most = max(most, resident(server.process.pid))
            await asyncio.sleep(0.25)
        took = await playing
        for task in attack:
            task.cancel()
        await asyncio.gather(*attack, return_exceptions=True)
        for _, tabs in pairs:
            for tab in tabs:
                await tab.close()
        return usual, took, before, most

    with served(folder) as server:
        found = asyncio.run(attacked(server))
    return *found, len(server.said)


# --- computers ------------------------------------------------------------------------------------


def fair(*, slow: int = 12, plies: int = 16) -> int:
    """One visitor has `--slow` rooms with computers that think for long; another one plays so many
    plies against `greedy`.
    """
    with tempfile.TemporaryDirectory() as name:
        took = _answers(Path(name), slow, plies)
    told = f"{len(took)} answers of greedy, after {', '.join(f'{one:.2f}' for one in took)} s"
    return _told("fair", max(took) < ANSWER, told)


def _answers(folder: Path, count: int, plies: int) -> list[float]:
    """Seconds to each answer of the quick computer."""
    slow = [
        Setup("thruway", ("it", "Eve"), (SLOWEST, None), {"size": 11}, seed=n) for n in range(count)
    ]
    mine = Setup("meridians", ("Ann", "it"), (None, "greedy"), {"size": 7}, seed=99)
    *theirs, own = opened(folder, *slow, mine)

    async def played(server: Served) -> list[float]:
        await asyncio.sleep(20.0)  # the rules are compiled at a start
        tabs = [Tab(server.url, ATTACKER) for _ in theirs]
        await asyncio.gather(
            *(tab.open(link(room, 1)) for tab, room in zip(tabs, theirs, strict=True))
        )
        await asyncio.sleep(3.0)
        tab, took, rng = Tab(server.url, VICTIM), list[float](), np.random.default_rng(0)
        await tab.open(link(own, 0))
        for ply in range(0, plies, 2):
            board = tab.classed("board")
            moves = re.findall(r'data-move="([^"]+)"', board["props"]["innerHTML"])
            move, sent = moves[rng.integers(len(moves))], time.perf_counter()
            await tab.send(board, "click", {"move": move, "touch": False})
            took.append(await tab.until(_has_ply, ply + 1) - sent)
        for one in (*tabs, tab):
            await one.close()
        return took

    with served(folder) as server:
        return asyncio.run(played(server))


def _has_ply(tab: Tab, ply: int) -> bool:
    return any(re.match(rf"{ply}\. ", text) for text in tab.texts())


# --- old rooms ------------------------------------------------------------------------------------


def old(*, rooms: int = 5000) -> int:
    """Rooms of years: a new one opens, and the link to the oldest one shows its game."""
    with tempfile.TemporaryDirectory() as name:
        holds, told = _of_years(Path(name), rooms)
    return _told("old", holds, told)


def _of_years(folder: Path, count: int) -> tuple[bool, str]:
    """Whether none of so many rooms is lost, and what was measured."""
    (room,) = opened(
        folder, Setup("meridians", ("Ann the first", "Bo"), (None, None), {"size": 7}, seed=1)
    )
    path = folder / "rooms" / f"{room.id}.jsonl"
    with path.open("ab") as stream:
        stream.write(
            json.dumps({"ply": 0, "by": 0, "do": "b2"}, separators=(",", ":")).encode() + b"\n"
        )
    assert loads(path.read_bytes()).entries == (Entry(0, 0, "b2"),)
    seats, names = Seats.read(path), [room.id]
    for n in range(count - 1):
        names.append(secrets.token_urlsafe(18))
        other = path.with_name(f"{names[-1]}.jsonl")
        shutil.copy(path, other)
        shutil.copy(path.with_suffix(".seats.json"), other.with_suffix(".seats.json"))
        os.utime(other, (10_000 + n, 10_000 + n))
    os.utime(path, (1, 1))

    async def visited(server: Served) -> tuple[float, float, bool]:
        tab = Tab(server.url, VICTIM)
        await tab.open("/")
        sent = time.perf_counter()
        await tab.send(tab.find("data-now"), "click", {})
        await tab.until(lambda one: any("/room/" in str(told.get("path")) for told in one.told))
        opened_after = time.perf_counter() - sent
        await tab.close()
        sent = time.perf_counter()
        async with (
            aiohttp.ClientSession() as web,
            web.get(f"{server.url}/room/{room.id}") as answer,
        ):
            page = await answer.text()
            shown = answer.status == 200 and "Ann the first" in page and "b2" in page
        return opened_after, time.perf_counter() - sent, shown

    with served(folder) as server:
        opened_after, followed, shown = asyncio.run(visited(server))
    there = {one.stem for one in (folder / "rooms").rglob("*.jsonl")}
    whole = set(names) <= there and Seats.read(path) == seats
    told = (
        f"{count} rooms: a new one opened after {opened_after:.2f} s, the oldest one "
        f"shown after {followed:.2f} s; "
    )
    told += "none lost" if whole else f"{len(set(names) - there)} lost"
    return shown and whole, told


# --- forged events --------------------------------------------------------------------------------


def forged(*, events: int = 3360) -> int:
    """Events of every wrong shape, which no page sends, from one socket; the lines of the log are
    counted.
    """
    shapes: list[Any] = [None, 1, "x", [], {}, {"client_id": 1}, {"client_id": "x" * 1000}]
    wrong: list[Any] = [None, -1, "x", [{}], {}]
    shapes += [
        {"client_id": "CLIENT", "id": value, "listener_id": value, "args": value} for value in wrong
    ]

    async def sent(server: Served) -> None:
        tab = Tab(server.url, ATTACKER)
        await tab.open("/")
        names = ("event", "handshake", "javascript_response", "ack", "log", "nonsense")
        for n in range(events):
            said = shapes[n % len(shapes)]
            if isinstance(said, dict) and said.get("client_id") == "CLIENT":
                said = {**said, "client_id": tab._client}  # noqa: SLF001 - as an attacker would
            await tab._socket.emit(names[n // len(shapes) % len(names)], said)  # noqa: SLF001
        await asyncio.sleep(3.0)
        await tab.close()

    with tempfile.TemporaryDirectory() as name, served(Path(name)) as server:
        asyncio.run(sent(server))
    errors = sum("Traceback" in line for line in server.said)
    told = f"{events} events: {errors} tracebacks, {len(server.said)} lines of the log"
    return _told("forged", errors == 0, told)


if __name__ == "__main__":
    run(every, heads, fair, old, forged)
