"""Compiled kernels of the grid games: the rules themselves, over small arrays of integers.

`rules.grid.meridians` and `rules.grid.thruway` hold what persons and texts need on top of them. Numba compiles a kernel at its
first call and caches it beside its source, or where NUMBA_CACHE_DIR says. So only the first call after an installation waits,
and `compiling` tells the person why. `rules.grid.kernels.jit` says how kernels are compiled.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

__all__ = ["compiling", "patience"]

_PATIENCE, _GLANCE = 2.0, 0.2  # seconds


def compiling(what: str) -> AbstractContextManager[None]:
    """Around a first call of kernels: `patience` with what is being compiled."""
    return patience(f"compiling {what} for this machine; this happens once and is kept")


@contextmanager
def patience(doing: str) -> Iterator[None]:
    """Says on standard error what is going on if it takes over two seconds of work."""
    done, begin = threading.Event(), time.process_time()

    def watch() -> None:
        # work, not waiting: reading the cache on a busy machine takes long, too, but compiles nothing
        while not done.wait(_GLANCE):
            if time.process_time() - begin > _PATIENCE:
                if sys.stderr is not None:
                    sys.stderr.write(f"shutoko: {doing} ...\n")
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
