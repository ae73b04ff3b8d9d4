"""Locks: one writer at a time on a record, or on a folder of rooms. Readers take no lock.

The writer holds a lock on a file beside the record. The system frees the lock when the process
ends, however it ends, so what a killed program leaves blocks nobody. The file says who holds it.
Whoever holds a folder holds all records that lie in it.
"""

from __future__ import annotations

import json
import os
import shlex
import socket
import sys
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from rules.errors import InputError
from rules.files import open_regular
from rules.record.disk import SCRATCH

_LOCK = ".shutoko-lock"
# tries: a program that only checks whether a lock is held holds it for a moment itself
_PATIENCE = 5
_PAUSE = 0.04  # seconds between two tries
_MOST = 4096  # bytes of a lock file that are read
_OPEN = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


class HeldError(InputError):
    """Another program writes this file or folder; the message says which one."""


class Hold:
    """The right to write `path`, until `release` or the end of the process. Made by `hold`."""

    def __init__(self, path: Path, lock: Path, handle: int) -> None:
        self.path, self._lock, self._handle = path, lock, handle

    def release(self) -> None:
        """Lets others write, and removes the lock's file. Another call does nothing."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        with suppress(OSError):
            self._lock.unlink()  # while it is locked, so that nobody else's is removed
        os.close(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def hold(path: Path) -> Hold:
    """The right to write that record, which need not exist yet, or what lies in that folder. Sweeps
    the folder.

    Raises HeldError if another program has it, InputError if nothing can be written there.
    """
    real = Path(os.path.realpath(path))
    is_folder = real.is_dir()
    lock = _of_folder(real) if is_folder else real.with_name(f".{real.name}{_LOCK}")
    try:
        held = _taken(path, lock)
        sweep(lock.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error
    # Take our own lock before looking for others: if two programs start at once, at least one of
    # them sees the other.
    for other in lock.parent.glob(f".*{_LOCK}") if is_folder else [_of_folder(real.parent)]:
        if other != lock and _is_held(other):
            held.release()
            raise HeldError(_told(path, other))
    return held


def sweep(folder: Path) -> None:
    """Removes what killed programs left in a folder: locks that nobody holds, and scratch files
    that nobody writes.
    """
    for path in (*folder.glob(f".*{_LOCK}"), *folder.glob(f".*{SCRATCH}")):
        with suppress(OSError):
            handle = os.open(path, _OPEN)
            try:
                if _locked(handle):
                    path.unlink()
            finally:
                os.close(handle)


def _of_folder(folder: Path) -> Path:
    return folder / f"{_LOCK}"


def _taken(path: Path, lock: Path) -> Hold:
    for _ in range(_PATIENCE):
        handle = os.open(lock, _OPEN | os.O_CREAT, 0o666)
        try:
            if _locked(handle) and _is_named(handle, lock):
                _sign(handle)
                return Hold(path, lock, handle)
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        time.sleep(_PAUSE)
    raise HeldError(_told(path, lock))


def _locked(handle: int) -> bool:
    from filelock import lock_descriptor

    return lock_descriptor(handle, blocking=False)


def _is_named(handle: int, lock: Path) -> bool:
    """Whether that name still leads to the open file: whoever held it before may have removed it
    meanwhile.
    """
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(handle), lock.stat())
    return False


def _is_held(lock: Path) -> bool:
    for attempt in range(_PATIENCE):
        try:
            handle = os.open(lock, _OPEN)
        except OSError:
            return False
        try:
            if _locked(handle):
                return False
        finally:
            os.close(handle)
        if attempt < _PATIENCE - 1:
            time.sleep(_PAUSE)
    return True


def _sign(handle: int) -> None:
    """Writes into the lock file who holds the lock. On a full disk this fails silently; the lock
    holds all the same.
    """
    since = datetime.now().astimezone().isoformat(" ", "seconds")
    command = shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
    who = {"command": command, "pid": os.getpid(), "host": socket.gethostname(), "since": since}
    with suppress(OSError):
        os.ftruncate(handle, 0)
        os.write(handle, json.dumps(who).encode())


def _told(path: Path, lock: Path) -> str:
    """That somebody else writes `path`, in one line."""
    who = "another program"
    with suppress(OSError, ValueError, KeyError, TypeError):
        with open_regular(lock) as stream:
            said = json.loads(stream.read(_MOST))
        who = f"{said['command']} (process {said['pid']} on {said['host']}, since {said['since']})"
    who = "".join(char if char.isprintable() else " " for char in who)
    return f"{path}: {who} is writing here; wait until it has ended, or name another place"
