"""Worker processes for physics, players and exports, so that the server answers every click at once.

They are spawned, not forked: a worker knows only the arguments that it is sent. If a worker dies (killed, or by a crash in an
engine), a new one does its job again.
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

_BEHIND = 10  # lower priority of workers: on few cores a click is answered first, a verdict may take its time


class Workers:
    """A pool of processes, started with the first job: `await workers.run(function, argument)`.

    `size` is how many processes; by default the number of cores less one for the server, but two at least.
    """

    def __init__(self, size: int | None = None) -> None:
        self._size = size or max(2, (os.cpu_count() or 2) - 1)
        self._pool: Executor | None = None

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """Calls `work(*arguments)` in a worker and returns what it returns. Raises what it raises."""
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
        """Ends the processes after their current jobs; jobs that wait are dropped."""
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
    """What a call returned, or its error in parts, since an error with a constructor of its own cannot be pickled."""

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
    """Leaves interrupts to the server, which ends its workers. A killed server cannot, so each worker watches for its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_BEHIND)
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)
