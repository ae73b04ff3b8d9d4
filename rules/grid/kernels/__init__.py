"""Compiled kernels of the grid games: the rules themselves, over small integer arrays; the faces above hold persons and texts.

Every kernel is compiled by numba at its first call and cached on disk beside its source (or where NUMBA_CACHE_DIR says), so
only the first call after an installation waits; `compiling` tells the person why.

Numba looks at the one file that a cached kernel stands in, not at those whose kernels it was compiled together with. So that no
cache outlives a change of the rules, importing this package drops the caches of all if any source has changed.
"""

from __future__ import annotations

import hashlib
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

__all__ = ["compiling", "digest", "patience"]

_PATIENCE, _GLANCE = 2.0, 0.2  # seconds
_COMPILED = (Path(__file__).parent, Path(__file__).parents[1] / "search")
_STAMP = Path(__file__).parent / "__pycache__" / "kernels.stamp"


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


def digest() -> str:
    """64 hexadecimal digits of the sources of everything that is compiled, to know what was worked out by other rules."""
    found = hashlib.sha256()
    for folder in _COMPILED:
        for source in sorted(folder.glob("*.py")):
            found.update(source.name.encode() + b"\0" + source.read_bytes())
    return found.hexdigest()


def _drop_stale_caches() -> None:
    """Does nothing where the caches lie elsewhere: an installation that cannot be written to is never edited in place."""
    with suppress(OSError):
        stamp = digest()
        if _STAMP.exists() and _STAMP.read_text(encoding="ascii") == stamp:
            return
        for folder in _COMPILED:
            for cached in (folder / "__pycache__").glob("*.nb[ic]"):
                cached.unlink(missing_ok=True)
        _STAMP.parent.mkdir(exist_ok=True)
        _STAMP.write_text(stamp, encoding="ascii")


_drop_stale_caches()
