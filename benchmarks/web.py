"""What the pages cost, and how long people at a table of Tokyo Highway wait.

    python benchmarks/web.py [PART] [ARGUMENT ...]

`benchmarks/server.py clicks` measures many rooms over real sockets.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.server import served
from rules.errors import UnavailableError
from rules.game import game
from rules.record import Record, canonical_json, read
from shutoko.export import packed
from shutoko.export.film import ply_frames
from shutoko.export.share import share
from shutoko.web.rooms.room import Room
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.work import jobs
from shutoko.web.work.players import adviser, quick_adviser
from shutoko.web.work.workers import Workers
from sim.assets import asset
from sim.bodies import Body, Box, Cylinder, Kind, Pose, from_axes
from sim.game.ply import Attempt, judge
from sim.game.replay import branch, trusted
from sim.game.sources import Simulated
from sim.physics import engines
from tools.measuring import run, table

# --- films ----------------------------------------------------------------------------------------

HERTZ, FRAMES = 30, 60
COUNTS: tuple[tuple[Kind, int, Box | Cylinder], ...] = (
    ("disc", 88, Cylinder(10.0, 10.0)),
    ("road", 36, Box((110.0, 9.0, 2.0))),
    ("car", 40, Box((14.0, 7.0, 7.0))),
    ("building", 4, Box((35.0, 35.0, 90.0))),
)


def many(step: int) -> list[Body]:
    """168 bodies that all move and turn from step to step."""
    rng = np.random.default_rng(1)
    found = []
    for kind, count, shape in COUNTS:
        for n in range(count):
            x, y, z = rng.uniform((-250, -250, 5), (250, 250, 60)).tolist()
            phase = step * 0.1 + n
            pose = Pose(
                (x + 8 * np.sin(phase), y + 8 * np.cos(phase), z),
                from_axes(20 * phase, 10 * np.sin(phase)),
            )
            found.append(Body(f"{'ABCD'[n % 4]}-{kind}{n}", kind, shape, pose, 1.0, 0.3, n % 4))
    return found


def film() -> None:
    """The size of a film in which everything moves, and of the knock in a shipped game; and what
    watching physics costs.
    """
    begin = time.process_time()
    made = packed.film([many(step) for step in range(FRAMES)])
    row = table("film", "frames", "moving bodies", "KiB", "CPU s")
    assert made is not None
    row("everything moves", *_size(made), f"{time.process_time() - begin:.2f}")
    step = next(step for step in trusted(shipped("knock")) if step.verdict.falls)
    engine, spent = engines.engine(engines.default()), {True: 0.0, False: 0.0}
    # in turn, so that other work of the machine slows both alike
    for watched in (False, True) * 3:
        begin = time.process_time()
        tries = [Attempt(Simulated(engine, watched=watched), step.entry.hand or ())]
        verdict, after, attempts = judge(step.before, step.placement, tries, step.entry.pay)
        spent[watched] += time.process_time() - begin
    begin = time.process_time()
    made = packed.film(ply_frames(step.before, step.placement, verdict, after, attempts))
    assert made is not None
    row("a knock", *_size(made), f"{time.process_time() - begin:.3f}")
    print()
    row = table("a knock is settled", "CPU s")
    for watched, seconds in spent.items():
        row("watched" if watched else "unwatched", f"{seconds / 3:.2f}")


def _size(made: packed.Film) -> tuple[int, int, str]:
    keys = sum(len(name) + len(key) + 6 for name, key in made.keys.items())
    return made.count, len(made.keys), f"{(len(made.poses) + keys) / 1024:.0f}"


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium without a window. Raises UnavailableError if it is not there."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        raise UnavailableError("Chromium and chromedriver are not installed")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    os.environ.update(SE_OFFLINE="true", SE_AVOID_STATS="true")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--use-gl=angle",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
    ):
        options.add_argument(flag)
    made = webdriver.Chrome(service=Service(driver), options=options)
    try:
        yield made
    finally:
        made.quit()


def stream(*, seconds: float = 20.0, serve: int = 0) -> None:
    """The server's CPU while one tab is sent every pose of 168 bodies thirty times a second. Needs
    Chromium and chromedriver. (`--serve PORT` is the server itself.)
    """
    if serve:
        serve_stream(serve, seconds)
        return
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(  # noqa: S603 - this very script
        [sys.executable, __file__, "stream", "--serve", str(port), "--seconds", str(seconds)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        while "ready" not in server.stdout.readline():
            pass
        with browser() as chrome:
            chrome.get(f"http://127.0.0.1:{port}/")
            rate, core = server.stdout.readline().split()
            seen = chrome.execute_script("return window.__bodies.frames")
    finally:
        server.terminate()
        server.wait()
    row = table("messages a second", "of one core", "messages that the tab applied")
    row(rate, core, seen)


def serve_stream(port: int, seconds: float) -> None:
    """The page of `stream`, in a process of its own."""
    os.environ["NICEGUI_STORAGE_PATH"] = tempfile.mkdtemp()
    from nicegui import app, background_tasks, ui

    from shutoko.web.views.stage import Stage

    steps = [many(step) for step in range(FRAMES)]

    @ui.page("/")
    def page() -> None:
        stage = Stage(steps[0], plain=True)

        async def run() -> None:
            await stage.scene.initialized()
            await asyncio.sleep(2)
            begin, cpu, count = time.perf_counter(), time.process_time(), int(seconds * HERTZ)
            for n in range(count):
                stage.poses(steps[n % FRAMES])
                await asyncio.sleep(max(0.0, begin + (n + 1) / HERTZ - time.perf_counter()))
            wall, spent = time.perf_counter() - begin, time.process_time() - cpu
            print(f"{count / wall:.1f} {spent / wall:.1%}", flush=True)

        background_tasks.create_lazy(run(), name="stream")

    app.on_startup(lambda: print("ready", flush=True))
    ui.run(
        host="127.0.0.1",
        port=port,
        reload=False,
        show=False,
        show_welcome_message=False,
        tailwind=False,
    )


# --- table ----------------------------------------------------------------------------------------

GAMES = ("knock", "two-cars", "junction-exit")
ASKED_AT = (4, 9, 15)  # plies of the first game


def shipped(name: str) -> Record:
    """A shipped game."""
    return read(asset("records", f"{name}.jsonl"))


class Here(Workers):
    """Works in this process, so that its CPU time is all that anybody waits for."""

    def __init__(self) -> None:
        pass

    async def run(self, work: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
        """Does it at once."""
        return work(*arguments)


def verdicts(*, plies: int = 1000) -> None:
    """From a click on Place to the verdict on disk, film included, with steady hands and with drawn
    ones: the first `--plies` of the shipped games. CPU s of all the work, which is what one waits
    for on a machine that has nothing else to do.
    """
    jobs.warm("tokyo-highway")
    row = table("hands", "plies", "p50 CPU s", "p95")
    for hand, every in ((None, 1), ("expert", 2)):
        took = list[float]()
        for name in GAMES:
            given = shipped(name)
            count = len(given.header.players)
            setup = Setup(
                "tokyo-highway",
                given.header.players,
                (None,) * count,
                hands=(hand,) * count,
                held=range(count),
                seed=1,
            )
            for ply in range(0, min(len(given.entries), plies), every):
                move = given.entries[ply].do
                text = move if isinstance(move, str) else canonical_json(move)
                took.append(_spent(replace(setup, record=branch(given, ply)), _placed, text, ply))
        row(hand or "steady", len(took), *np.quantile(took, (0.5, 0.95)).tolist())


async def _placed(room: Room, text: str, ply: int) -> None:
    await room.play("host", text, ply)


async def _advised(room: Room, spec: str) -> None:
    await room.advice(spec, 3, "host")


def _spent(setup: Setup, work: Callable[..., Any], *arguments: Any) -> float:
    """CPU seconds of some work in a new room."""
    with tempfile.TemporaryDirectory() as folder:
        room = Rooms(Path(folder), Here()).open(setup, "host")
        begin = time.process_time()
        asyncio.run(work(room, *arguments))
        took = time.process_time() - begin
        room.close()
    return took


def hints(*, positions: int = 3) -> None:
    """From a click on Hint to the moves of the quick adviser, which come first, and to those of the
    strongest player, in CPU s.
    """
    jobs.warm("tokyo-highway")
    given, made = shipped(GAMES[0]), game("tokyo-highway")
    row = table("moves of", "positions", "p50 CPU s", "p95")
    for spec in (str(quick_adviser(made)), str(adviser(made))):
        took = [
            _spent(
                Setup("tokyo-highway", given.header.players, (None, None), record=branch(given, n)),
                _advised,
                spec,
            )
            for n in ASKED_AT[:positions]
        ]
        row(f"`{spec}`", len(took), *np.quantile(took, (0.5, 0.95)).tolist())


_COUNT = """
const all = performance.getEntriesByType('resource');
const page = performance.getEntriesByType('navigation')[0];
const paint = performance.getEntriesByName('first-contentful-paint')[0];
return [all.length + 1, [...all, page].reduce((sum, one) => sum + one.transferSize, 0),
        paint?.startTime ?? NaN];
"""


def pages() -> None:
    """What the pages weigh and when something is seen, with nothing kept and again. Needs Chromium
    and chromedriver.
    """
    row = table("page", "visit", "KiB", "requests", "first paint, s")
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as server,
        browser() as chrome,
    ):
        for path in ("/", "/replay/shipped/knock", "/replay/shipped/boards-thruway-opening"):
            chrome.execute_cdp_cmd("Network.clearBrowserCache", {})
            for visit in ("first", "again"):
                chrome.get(server.url + path)
                time.sleep(6.0)  # what comes after the page has come
                requests, size, paint = chrome.execute_script(_COUNT)
                row(path, visit, f"{size / 1024:.0f}", requests, f"{paint / 1000:.2f}")


def shares() -> None:
    """The animation and the offline page of a whole game."""
    row, given = table("kind", "plies", "MiB", "s", "CPU s"), shipped("knock")
    for kind in ("gif", "html"):
        begin, spent = time.perf_counter(), time.process_time()
        size = len(share(given, kind)) / 2**20
        took, spent = time.perf_counter() - begin, time.process_time() - spent
        row(kind, len(given.entries), f"{size:.2f}", f"{took:.1f}", f"{spent:.1f}")


if __name__ == "__main__":
    run(film, stream, verdicts, hints, pages, shares)
