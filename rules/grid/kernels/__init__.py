"""Compiled kernels of the grid games: the rules themselves, over small arrays of integers.

`rules.grid.meridians` and `rules.grid.thruway` add options, notation and records on top. Numba
compiles a kernel at its first call and keeps the code on disk, so only the first call after an
installation is slow, and `compiling` tells the person why. `rules.grid.kernels.jit` says how
kernels are compiled, `rules.grid.kernels.private` where the code is kept.
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
    """`patience` for a first call of kernels, which compiles `what`."""
    return patience(f"compiling {what} for this machine; this happens once and is kept")


@contextmanager
def patience(doing: str) -> Iterator[None]:
    """While the block runs: once it has taken two seconds of CPU time, one line on standard error
    says what it is doing.
    """
    done, begin = threading.Event(), time.process_time()

    def watch() -> None:
        # CPU time, not the clock: on a busy machine even reading the cache takes long, and nothing
        # is compiled then.
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
