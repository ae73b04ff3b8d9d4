"""Compiled kernels of the grid games: the rules themselves, over small arrays of integers.

`rules.grid.meridians` and `rules.grid.thruway` add options, notation and records on top. Numba
compiles a kernel at its first call and keeps the code on disk, so only the first call after an
installation is slow, and `compiling` tells the person why. `rules.grid.kernels.jit` says how
kernels are compiled, `rules.grid.kernels.private` where the code is kept.
"""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["compiling"]

_PATIENCE, _GLANCE = 2.0, 0.2  # seconds


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """For a first call of kernels, which compiles `what`: once the block has taken two seconds of
    CPU time, one line on standard error says so.
    """
    done, begin = threading.Event(), time.process_time()

    def watch() -> None:
        # CPU time, not the clock: on a busy machine even reading the cache takes long, and nothing
        # is compiled then.
        while not done.wait(_GLANCE):
            if time.process_time() - begin > _PATIENCE:
                if sys.stderr is not None:
                    sys.stderr.write(
                        f"shutoko: compiling {what} for this machine; this happens once and is "
                        "kept ...\n"
                    )
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
