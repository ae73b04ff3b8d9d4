"""The kinds of jobs of the worker processes, and what each may take: time of its own, and memory.

What a process waits for a core, while others keep them busy, does not count: a machine with too
much to do makes jobs slow, and stops none of them.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from rules.errors import InputError, Refusal


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job: its `name` in messages to visitors, a Refusal that every language has; and the
    seconds of its process that it may take (`own_time`): neither the queue nor a wait for a core
    counts.

    A game waits for a `play` job: such jobs go first, and one worker is kept free for them. `solo`
    jobs of one visitor never occupy all workers.
    """

    name: str
    seconds: float
    play: bool = False
    solo: bool = True


MOVE = Kind(Refusal("the move", "what-move"), 60.0, play=True, solo=False)
"""A move is made, with physics."""

CHOICE = Kind(Refusal("the computer's move", "what-choice"), 300.0, play=True)
"""A computer player chooses its move; how long it thinks is up to whoever opened the room."""

CHECK = Kind(Refusal("the check of the player", "what-check"), 30.0, play=True)
"""A check that a spec names a player; the player may come from elsewhere."""

WARM = Kind(Refusal("the rules", "what-warm"), 300.0, play=True, solo=False)
"""The rules of a game are loaded, or compiled on a slow machine."""

HINT = Kind(Refusal("the hint", "what-hint"), 120.0)
"""The best moves of a position, the risk of a move for a hand, or whether a ply is a close call."""

ANSWER = Kind(Refusal("the answer", "what-answer"), 30.0)
"""An answer to a problem is judged."""

FILM = Kind(Refusal("the film", "what-film"), 30.0)
"""A ply of a record settled again for its film; nobody waits longer than two seconds for one."""

SHARE = Kind(Refusal("the file", "what-share"), 300.0)
"""A record as a picture, a film or a page."""

VERIFY = Kind(Refusal("the verification", "what-verify"), 300.0)
"""A record is verified by rules and physics."""

UPLOAD = Kind(Refusal("the upload", "what-upload"), 20.0)
"""A record from outside is read."""

MOMENTS = Kind(Refusal("the moments", "what-moments"), 120.0)
"""The moments that decided a game."""

PHOTO = Kind(Refusal("the photo", "what-photo"), 30.0)
"""A photo from outside is decoded."""

GLIMPSE = Kind(Refusal("the wire model", "what-glimpse"), 20.0)
"""The table as the marks on a photo show it so far."""

FIND = Kind(Refusal("the search for roads", "what-find"), 300.0)
"""The table is looked for in a photo, or in three from different sides."""

SETTLE = Kind(Refusal("the verdict", "what-settle"), 60.0)
"""The verdict on the marks of a photo."""


# --- time -----------------------------------------------------------------------------------------

_LEAST = 0.05  # seconds between two looks


def waited(process: int) -> float:
    """Seconds that a process was ready to run and had no core; 0 where the system does not tell, as
    only Linux does.
    """
    try:
        _, ready, _ = Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return 0.0
    return int(ready) / 1e9


@asynccontextmanager
async def own_time(process: int, seconds: float) -> AsyncIterator[asyncio.Timeout]:
    """Raises TimeoutError in the block once the process had so many seconds for itself. Time in
    which it sleeps, or is stopped, counts as its own. Pass what this yields to `sooner` to end the
    block earlier.
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


# --- memory ---------------------------------------------------------------------------------------

_SIZE = Path("/proc/self/statm")


@contextmanager
def at_most(taken: int, told: str) -> Iterator[None]:
    """Lets the block take so many more bytes of memory than the process has; raises InputError with
    `told` if it wants more.

    Only Linux tells how many the process has; elsewhere there is no limit.
    """
    if not _SIZE.exists():
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = int(_SIZE.read_text(encoding="ascii").split()[0]) * resource.getpagesize() + taken
    if soft != resource.RLIM_INFINITY:
        limit = min(limit, soft)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    try:
        yield
    except MemoryError as error:
        raise InputError(told) from error
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
