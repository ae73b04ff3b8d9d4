"""A limit on the time that a process has for itself: what it waits for a core, while others keep them busy, does not count.

So a machine with too much to do makes jobs slow, and stops none of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

__all__ = ["own_time", "sooner", "waited"]

_LEAST = 0.05  # seconds between two looks


def waited(process: int) -> float:
    """Seconds that a process was ready to run and had no core; 0 where the system does not tell, as only Linux does."""
    try:
        _, ready, _ = Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return 0.0
    return int(ready) / 1e9


@asynccontextmanager
async def own_time(process: int, seconds: float) -> AsyncIterator[asyncio.Timeout]:
    """Raises TimeoutError in the block once the process had so many seconds for itself. Time in which it sleeps, or is stopped,
    counts as its own. Pass what this yields to `sooner` to end the block earlier.
    """
    loop = asyncio.get_running_loop()
    begin, before = loop.time(), waited(process)

    async def watch() -> None:
        left = seconds
        while left > 0:
            await asyncio.sleep(max(left, _LEAST))
            left = seconds - (loop.time() - begin) + (waited(process) - before)
        sooner(limit, 0.0)

    async with asyncio.timeout(None) as limit:
        watching = loop.create_task(watch())
        try:
            yield limit
        finally:
            watching.cancel()


def sooner(limit: asyncio.Timeout, seconds: float) -> None:
    """Has a block end after so many seconds of the clock, unless it ends before."""
    if not limit.expired():
        last, wanted = limit.when(), asyncio.get_running_loop().time() + seconds
        limit.reschedule(wanted if last is None else min(wanted, last))
