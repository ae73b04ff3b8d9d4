"""How long people at a table of Tokyo Highway wait, and what its pages weigh.

    python benchmarks/web_table.py [verdict] [hint] [page] [share]

`verdict` places the plies of the shipped games in rooms, from the call that places to the verdict
on disk, film included, with steady hands and with drawn ones. `hint` asks the quick adviser, whose
moves come first, and then the strongest one. Both count the CPU time of all the work, which is what
one waits for on a machine that has nothing else to do. `page` needs Chromium and chromedriver:
bytes over the wire and the first paint, with nothing kept and again. `share` makes the animation
and the offline page of a whole game.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from rules import record as records
from rules.game import game
from rules.record import Record, canonical_json
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.work import jobs
from shutoko.web.work.players import adviser, quick_adviser
from shutoko.web.work.workers import Workers
from sim.assets import asset
from sim.game.replay import branch

GAMES = ("knock", "two-cars", "junction-exit")
ASKED_AT = (4, 9, 15)  # plies of the first game


def shipped(name: str) -> Record:
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
    given, made = shipped(GAMES[0]), game("tokyo-highway")
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

    given = shipped("knock")
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


def main() -> int:
    """Measures what is named, or all."""
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


if __name__ == "__main__":
    sys.exit(main())
