"""Compiled kernels of the grid games: the rules themselves, over small integer arrays; the faces above hold persons and texts.

Every kernel is compiled by numba at its first call and cached on disk beside its source (or where NUMBA_CACHE_DIR says), so
only the first call after an installation waits; `compiling` tells the person why.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["compiling"]

_PATIENCE = 2.0  # seconds


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """Around a first call of kernels: says on standard error what is going on if it takes over two seconds."""

    def tell() -> None:
        if sys.stderr is not None:
            sys.stderr.write(f"shutoko: compiling {what} for this machine; this happens once and is kept ...\n")

    timer = threading.Timer(_PATIENCE, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
