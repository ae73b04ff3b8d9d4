"""The one client of PyBullet in this process: made by the first run, handed out empty, closed after
an exception.
"""

from __future__ import annotations

import atexit
import ctypes
import importlib.metadata
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from rules.errors import UnavailableError
from sim.installing import install, install_package

__all__ = ["client", "version"]


class _Shared:
    """The one client of this process, with a lock: two runs in it at the same time would share one
    world.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.client: int | None = None


_shared = _Shared()


def _forget() -> None:
    """A forked child starts without a client: it must neither step nor close that of its parent."""
    global _shared  # noqa: PLW0603 - the lock may have been held by another thread when the process forked
    _shared = _Shared()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


@contextmanager
def client() -> Iterator[tuple[Any, int]]:
    """PyBullet and an empty client. After an exception the client is closed, so that nothing half
    done is ever reused.
    """
    bullet = _pybullet()
    shared = _shared
    with shared.lock:
        if shared.client is None:
            shared.client = bullet.connect(bullet.DIRECT)
            atexit.register(_close, shared)
        try:
            bullet.resetSimulation(physicsClientId=shared.client)
            yield bullet, shared.client
            bullet.resetSimulation(physicsClientId=shared.client)
        except BaseException:
            _close(shared)
            raise


def _close(shared: _Shared) -> None:
    atexit.unregister(_close)
    if shared.client is not None and shared is _shared:
        with suppress(_pybullet().error):
            _pybullet().disconnect(physicsClientId=shared.client)
    shared.client = None


def _pybullet() -> Any:
    """PyBullet, imported with the build time that it prints turned away."""
    if "pybullet" in sys.modules:
        return sys.modules["pybullet"]
    with _no_output():
        try:
            import pybullet  # heavy, and optional on Python 3.12+
        except ImportError as error:
            raise UnavailableError(_missing()) from error
    return pybullet


def _missing() -> str:
    return (
        f"PyBullet is not installed: `{install_package('pybullet')}` (Python 3.11 or older; it has "
        "no wheels for 3.12+, "
        f"there use the other engine: `{install('mujoco')}` and `--engine mujoco`)"
    )


@contextmanager
def _no_output() -> Iterator[None]:
    """Turn C's standard output and error away: PyBullet prints its build time on one or the other
    when it is imported.
    """
    flush = _c_flush()
    flush()
    kept: list[tuple[int, int]] = []
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for stream in (1, 2):
            with suppress(OSError):  # a stream that is closed can be left so
                kept.append((stream, os.dup(stream)))
                os.dup2(nowhere, stream)
        yield
        flush()  # what C has buffered would otherwise come out after all
    finally:
        for stream, copy in kept:
            os.dup2(copy, stream)
            os.close(copy)
        os.close(nowhere)


def _c_flush() -> Any:
    library = ctypes.CDLL(None) if os.name == "posix" else ctypes.CDLL("ucrtbase")
    return lambda: library.fflush(None)


def version() -> str:
    """The version of PyBullet that is installed; raises UnavailableError if none is."""
    try:
        return importlib.metadata.version("pybullet")
    except importlib.metadata.PackageNotFoundError as error:
        raise UnavailableError(_missing()) from error
