"""What the pages cost, and how long people at a table of Tokyo Highway wait.

    python benchmarks/web.py pages [ARGUMENT ...]
    python benchmarks/web.py table [ARGUMENT ...]

Each part says in its own words what it measures.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import parts
from rules import record as records
from rules.game import game
from rules.record import Record, canonical_json
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.work import jobs
from shutoko.web.work.players import adviser, quick_adviser
from shutoko.web.work.workers import Workers
from sim.assets import asset
from sim.bodies import Body, Box, Cylinder, Kind, Pose, from_axes
from sim.game.replay import branch

# --- pages ----------------------------------------------------------------------------------------

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
    """The size of a film in which everything moves, and of the longest film of a shipped game; and
    what watching physics costs.
    """
    from shutoko.export import packed

    frames = [many(step) for step in range(FRAMES)]
    begin = time.process_time()
    made = packed.film(frames)
    spent = time.process_time() - begin
    assert made is not None
    size = len(made.poses) + sum(len(name) + len(key) + 6 for name, key in made.keys.items())
    print(
        f"film: {made.count} frames of {len(made.keys)} moving bodies: {size / 1024:.0f} KiB, "
        f"{spent:.2f} s of CPU"
    )

    shipped()


def shipped() -> None:
    """The film of the knock in a shipped game, settled unwatched and watched."""
    from rules.record import read
    from shutoko.export import packed
    from shutoko.export.film import ply_frames
    from sim.assets import asset
    from sim.game import replay
    from sim.game.attempts.attempt import Attempt
    from sim.game.ply import judge
    from sim.game.sources import Simulated
    from sim.physics import engines

    step = next(
        step for step in replay.trusted(read(asset("records", "knock.jsonl"))) if step.verdict.falls
    )
    engine, spent = engines.engine(engines.default()), {True: 0.0, False: 0.0}
    # in turn, so that other work of the machine slows both alike
    for watched in (
        False,
        True,
        False,
        True,
        False,
        True,
    ):
        begin = time.process_time()
        tries = [Attempt(Simulated(engine, watched=watched), step.entry.hand or ())]
        verdict, after, attempts = judge(step.before, step.placement, tries, step.entry.pay)
        spent[watched] += time.process_time() - begin
    begin = time.process_time()
    made = packed.film(ply_frames(step.before, step.placement, verdict, after, attempts))
    packing = time.process_time() - begin
    assert made is not None
    size = (
        f"{made.count} frames of {len(made.keys)} bodies, {len(made.poses) / 1024:.0f} KiB, "
        f"{packing:.3f} s of CPU"
    )
    print(
        f"film: a knock settled in {spent[False] / 3:.2f} s of CPU, watched in "
        f"{spent[True] / 3:.2f} s; {size}"
    )


def stream(seconds: float) -> None:
    """The server's CPU while one tab is sent every pose thirty times a second."""
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        print("stream: skipped, Chromium and chromedriver are not installed")
        return
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(  # noqa: S603 - this very script
        [sys.executable, __file__, "pages", "--serve", str(port), "--seconds", str(seconds)],
        stdout=subprocess.PIPE,
        text=True,
    )
    os.environ.update(SE_OFFLINE="true", SE_AVOID_STATS="true")
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--use-gl=angle",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
    ):
        options.add_argument(flag)
    browser = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    try:
        assert server.stdout is not None
        assert "ready" in server.stdout.readline()
        browser.get(f"http://127.0.0.1:{port}/")
        print(server.stdout.readline().strip())
        seen = browser.execute_script("return window.__bodies.frames")
        print(f"stream: the tab has applied {seen} messages")
    finally:
        browser.quit()
        server.terminate()
        server.wait()


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
            print(
                (
                    f"stream: 168 bodies, {count / wall:.1f} messages a second, {spent / wall:.1%} "
                    "of "
                    "one core"
                ),
                flush=True,
            )

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


async def rooms(seconds: float) -> None:
    """Latencies of twenty rooms with one move per second each."""
    from rules.defaults import offers
    from rules.record import read
    from shutoko.web.rooms.store import Rooms, Setup
    from shutoko.web.views.boards import board_svg
    from shutoko.web.wording import words
    from shutoko.web.work.jobs import warm
    from shutoko.web.work.kinds import WARM
    from shutoko.web.work.workers import Workers
    from sim.assets import asset
    from sim.referee.placement import Placement

    workers, text = Workers(), words("en")
    told: list[float] = []
    verdicts: list[float] = []
    late: list[float] = []
    rng = np.random.default_rng(3)
    with tempfile.TemporaryDirectory() as folder:
        store = Rooms(Path(folder), workers)
        setups = [
            Setup(("meridians", "thruway")[n % 2], ("a", "b"), (None, None), held=(0, 1))
            for n in range(16)
        ]
        names = ("two-cars", "junction-exit", "two-cars", "junction-exit")
        scripts = [
            [
                entry
                for entry in read(asset("records", f"{name}.jsonl")).entries
                if not entry.taken_back
            ]
            for name in names
        ]
        tables = [Setup("tokyo-highway", ("a", "b"), (None, None), held=(0, 1)) for _ in names]
        grids = [store.open(setup, "host") for setup in setups]
        games = [store.open(setup, "host") for setup in tables]
        for name in ("tokyo-highway", "meridians", "thruway"):
            await workers.run(warm, name, kind=WARM)

        async def one_grid(room: Any, delay: float) -> None:
            await asyncio.sleep(delay)
            while not room.over and time.perf_counter() < end:
                begin = time.perf_counter()
                legal = room.position.legal_moves()
                await room.play("host", str(legal[rng.integers(len(legal))]), room.record.next_ply)
                state, before, last = (
                    room.position,
                    room.steps[-1].before,
                    str(room.steps[-1].entry.do),
                )
                for shown in (offers(room.made, state), ()):  # who is to move, and who is not
                    board_svg(room.made, state, text, last=last, before=before, offers=shown)
                told.append(time.perf_counter() - begin)
                await asyncio.sleep(max(0.0, begin + 1 - time.perf_counter()))

        async def one_table(room: Any, script: Any, delay: float) -> None:
            await asyncio.sleep(delay)
            for entry in script:
                if time.perf_counter() > end or room.over:
                    return
                begin = time.perf_counter()
                heard: list[tuple[str, float]] = []
                leave = room.subscribe(
                    lambda change, heard=heard: heard.append((change, time.perf_counter()))
                )
                text_of = str(Placement.parse(entry.do))
                try:
                    await room.play("host", text_of, room.record.next_ply)
                except Exception as error:  # noqa: BLE001 - other physics may lead to another table
                    print(f"rooms: a script ends early: {error}")
                    return
                finally:
                    leave()
                told.append(heard[0][1] - begin)
                verdicts.append(time.perf_counter() - begin)
                await asyncio.sleep(max(0.0, begin + 1 - time.perf_counter()))

        async def watch() -> None:
            while time.perf_counter() < end:
                begin = time.perf_counter()
                await asyncio.sleep(0.02)
                late.append(time.perf_counter() - begin - 0.02)

        end = time.perf_counter() + seconds
        every = [one_grid(room, n / 20) for n, room in enumerate(grids)]
        every += [
            one_table(room, script, n / 4)
            for n, (room, script) in enumerate(zip(games, scripts, strict=True))
        ]
        await asyncio.gather(watch(), *every)
        workers.close()
        store.close()
    for name, values in (
        ("acknowledgement", told),
        ("verdict with physics", verdicts),
        ("lateness of the loop", late),
    ):
        p50, p95, worst = np.percentile(values, (50, 95, 100)) * 1000
        print(
            f"rooms: {name}: {len(values)} times, p50 {p50:.0f} ms, p95 {p95:.0f} ms, at most "
            f"{worst:.0f} ms"
        )


def pages_main() -> None:
    """What the pages cost: poses streamed to a tab, the size of a film, and twenty rooms with one
    move per second each.

        python benchmarks/web.py pages [stream] [film] [rooms] [--seconds 20]

    `stream` needs Chromium and chromedriver; it reports the CPU time of the server's process over
    wall time. `rooms` plays 16 rooms of the grid games and 4 of Tokyo Highway in one event loop, as
    the server does, and draws for two tabs per room what the server would send to their pages; the
    way over the socket does not count.
    """
    parser = argparse.ArgumentParser(description=pages_main.__doc__)
    parser.add_argument("what", nargs="*", default=["film", "stream", "rooms"])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve_stream(args.serve, args.seconds)
        return
    if "film" in args.what:
        film()
    if "stream" in args.what:
        stream(args.seconds)
    if "rooms" in args.what:
        asyncio.run(rooms(args.seconds))


# --- table ----------------------------------------------------------------------------------------

GAMES = ("knock", "two-cars", "junction-exit")
ASKED_AT = (4, 9, 15)  # plies of the first game


def shipped_table(name: str) -> Record:
    """A shipped game."""
    return records.read(asset("records", f"{name}.jsonl"))


class Here(Workers):
    """Works in this process, so that its CPU time is all that anybody waits for."""

    def __init__(self) -> None:
        pass

    async def run(self, work: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
        """Does it at once."""
        return work(*arguments)


def spread(seconds: Sequence[float]) -> str:
    """The middle and the slow end of some times."""
    ordered = sorted(seconds)
    return (
        f"p50 {statistics.median(ordered):.2f} s, p95 "
        f"{ordered[round(0.95 * (len(ordered) - 1))]:.2f} s of CPU"
    )


async def verdicts(folder: Path) -> None:
    """From a click on Place to the verdict."""
    for hand, every in ((None, 1), ("expert", 2)):
        took = list[float]()
        for name in GAMES:
            given = shipped_table(name)
            count = len(given.header.players)
            setup = Setup(
                "tokyo-highway",
                given.header.players,
                (None,) * count,
                hands=(hand,) * count,
                held=range(count),
                seed=1,
            )
            for ply in range(0, len(given.entries), every):
                room = Rooms(folder, Here()).open(replace(setup, record=branch(given, ply)), "host")
                move = given.entries[ply].do
                begin = time.process_time()
                await room.play(
                    "host", move if isinstance(move, str) else canonical_json(move), ply
                )
                took.append(time.process_time() - begin)
                room.close()
        print(
            f"place to verdict, {hand or 'steady'} hand, {len(took)} plies: {spread(took)}",
            flush=True,
        )


async def hints(folder: Path) -> None:
    """From a click on Hint to the first moves, and to those of the strongest player."""
    given, made = shipped_table(GAMES[0]), game("tokyo-highway")
    for spec in (str(quick_adviser(made)), str(adviser(made))):
        took = list[float]()
        for ply in ASKED_AT:
            setup = Setup(
                "tokyo-highway", given.header.players, (None, None), record=branch(given, ply)
            )
            room = Rooms(folder, Here()).open(setup, "host")
            begin = time.process_time()
            await room.advice(spec, 3, "host")
            took.append(time.process_time() - begin)
            room.close()
        print(f"hint, moves of {spec}, {len(took)} positions: {spread(took)}", flush=True)


def pages(folder: Path) -> None:
    """What the pages weigh and when something is seen."""
    from tests.browser import Browser, serving, until

    count = (
        "const all = performance.getEntriesByType('resource'), page = "
        "performance.getEntriesByType('navigation')[0];"
        "const paint = performance.getEntriesByName('first-contentful-paint')[0];"
        "return [all.length + 1, [...all, page].reduce((sum, one) => sum + one.transferSize, 0), "
        "paint?.startTime ?? null]"
    )
    browser = Browser(fine=True)
    try:
        with serving(folder) as server:
            for path in ("/", "/replay/shipped/knock", "/replay/shipped/boards-thruway-opening"):
                for when in ("first visit", "again"):
                    if when == "first visit":
                        browser.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
                    browser.open(server.url + path)
                    until(lambda: browser.js(count)[2], "the first paint")
                    time.sleep(3.0)
                    requests, size, paint = browser.js(count)
                    print(
                        (
                            f"{path} {when}: {size / 1024:.0f} KiB in {requests} requests, first "
                            "paint "
                            f"{paint / 1000:.2f} s"
                        ),
                        flush=True,
                    )
    finally:
        browser.driver.quit()


def shares() -> None:
    """A whole game as an animation and as a page."""
    from shutoko.export.share import share

    given = shipped_table("knock")
    for kind in ("gif", "html"):
        begin, spent = time.perf_counter(), time.process_time()
        data = share(given, kind)
        took, spent = time.perf_counter() - begin, time.process_time() - spent
        print(
            (
                f"{kind} of {len(given.entries)} plies: {len(data) / 2**20:.2f} MiB, {took:.1f} s, "
                f"{spent:.1f} s of CPU"
            ),
            flush=True,
        )


def table_main() -> int:
    """How long people at a table of Tokyo Highway wait, and what its pages weigh.

        python benchmarks/web.py table [verdict] [hint] [page] [share]

    `verdict` places the plies of the shipped games in rooms, from the call that places to the
    verdict on disk, film included, with steady hands and with drawn ones. `hint` asks the quick
    adviser, whose moves come first, and then the strongest one. Both count the CPU time of all the
    work, which is what one waits for on a machine that has nothing else to do. `page` needs
    Chromium and chromedriver: bytes over the wire and the first paint, with nothing kept and again.
    `share` makes the animation and the offline page of a whole game.
    """
    wanted = sys.argv[1:] or ["verdict", "hint", "page", "share"]
    with tempfile.TemporaryDirectory() as folder:
        jobs.warm("tokyo-highway")
        if "verdict" in wanted:
            asyncio.run(verdicts(Path(folder) / "rooms"))
        if "hint" in wanted:
            asyncio.run(hints(Path(folder) / "rooms"))
        if "page" in wanted:
            pages(Path(folder) / "pages")
    if "share" in wanted:
        shares()
    return 0


PARTS: dict[str, parts.Part] = {
    "pages": pages_main,
    "table": table_main,
}

if __name__ == "__main__":
    sys.exit(parts.run(PARTS))
