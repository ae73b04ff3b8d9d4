"""Worker processes: physics, players and exports run there, so that the server answers every click at once.

Spawned, not forked: a child shares nothing with the server but the arguments it is sent. A worker that dies (killed, or a
crash in an engine) is replaced and its job is done once more.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, TypeVar

from rules.errors import ShutokoError

__all__ = ["Workers"]

T = TypeVar("T")

_BEHIND = 10  # the server goes before its workers where cores are few: a click is answered at once, a verdict may take its time


class Workers:
    """A pool of processes, made when it is first used; `await workers.run(function, argument)`.

    `size` left out: as many as the machine has cores, one left to the server, two at least.
    """

    def __init__(self, size: int | None = None) -> None:
        self._size = size or max(2, (os.cpu_count() or 2) - 1)
        self._pool: Executor | None = None

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """What `work(*arguments)` gives in a worker; raises what it raises."""
        for last in (False, True):
            pool = self._open()
            try:
                done = await asyncio.get_running_loop().run_in_executor(pool, _called, work, arguments)
                break
            except BrokenProcessPool:
                if self._pool is pool:
                    self._pool = None
                if last:
                    raise
        result: T = done.result()
        return result

    def close(self) -> None:
        """Ends the processes, after what they are at; what waits is dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _open(self) -> Executor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._size, mp_context=context, initializer=_begin)
        return self._pool


@dataclass(frozen=True, slots=True)
class _Done:
    """What a call gave, or the error that it raised taken apart: those with a constructor of their own cannot be pickled."""

    value: Any = None
    kind: type[ShutokoError] | None = None
    text: str = ""
    parts: dict[str, Any] | None = None

    def result(self) -> Any:
        if self.kind is None:
            return self.value
        error = self.kind.__new__(self.kind)
        error.args = (self.text,)
        error.__dict__.update(self.parts or {})
        raise error


def _called(work: Callable[..., Any], arguments: tuple[Any, ...]) -> _Done:
    try:
        return _Done(work(*arguments))
    except ShutokoError as error:
        return _Done(None, type(error), str(error), vars(error))


def _begin() -> None:
    """An interrupt is the server's business: it ends its workers. A server that was killed cannot, so they watch for that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_BEHIND)
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)
