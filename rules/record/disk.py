"""Files that outlive a kill, and locks on them.

Atomic writes: after a kill, a power cut or on a full disk, a file holds either its old content or
its new one, never a part. Every function returns only once the new content is on the disk: first
the file is synced, then, if its name is new, the folder. A function that raises OSError has undone
what it did. New content is first written to a scratch file beside the file; whoever writes it holds
a lock on it, so `sweep` can tell the scratch file of a killed program from one in use.

Locks: one writer at a time on a record, or on a folder of rooms. Readers take no lock. The writer
holds a lock on a file beside the record. The system frees the lock when the process ends, however
it ends, so what a killed program leaves blocks nobody. The file says who holds it. Whoever holds a
folder holds all records that lie in it.
"""

import errno
import json
import os
import secrets
import shlex
import socket
import sys
import time
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from io import FileIO
from pathlib import Path

from rules.errors import InputError
from rules.files import open_regular

SCRATCH = ".shutoko-scratch"
"""What the name of a scratch file ends in."""

_OPEN = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
# the errors of file systems that cannot sync a folder
_NO_SYNC = (
    errno.EINVAL,
    errno.ENOTSUP,
    errno.ENOSYS,
)
# the errors of file systems without hard links
_NO_LINK = (
    errno.EPERM,
    errno.ENOTSUP,
    errno.ENOSYS,
    errno.EMLINK,
)


def put(path: Path, data: bytes, *, mode: int = 0o666, fresh: bool = False) -> None:
    """Writes a whole file in one step; an old one is replaced. `mode` is who may read it, before
    the umask.

    Raises OSError, and FileExistsError if the file must be `fresh` and is there already.
    """
    target = Path(os.path.realpath(path))
    scratch, handle = _scratch(target, mode)
    try:
        with os.fdopen(handle, "wb", buffering=0) as file:
            _write(handle, data)
            os.fsync(handle)
            if os.name == "nt":  # Windows cannot rename an open file
                file.close()
            if fresh:
                _name(scratch, target)
            else:
                _replace(scratch, target)
    finally:
        scratch.unlink(missing_ok=True)


def extend(path: Path, keep: int, data: bytes) -> None:
    """Cuts the file off after `keep` bytes and adds `data`, in one write. Raises OSError; then only
    the `keep` bytes are left.

    No new name comes into being, so the folder needs no sync. What is cut off is off the disk
    before anything is added: a power cut must not leave the new line with the rest of an old one
    behind it.
    """
    with os.fdopen(os.open(path, os.O_RDWR | _OPEN), "r+b", buffering=0) as file:
        handle = file.fileno()
        was_longer = os.fstat(handle).st_size > keep
        os.ftruncate(handle, keep)
        if was_longer:
            os.fsync(handle)
        os.lseek(handle, keep, os.SEEK_SET)
        try:
            _write(handle, data)
            os.fsync(handle)
        except BaseException:
            with suppress(OSError):
                os.ftruncate(handle, keep)
                os.fsync(handle)
            raise


def _write(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:  # a disk that fills up takes a part, and refuses the next
        rest = rest[os.write(handle, rest) :]


def _scratch(target: Path, mode: int) -> tuple[Path, int]:
    """A new scratch file beside the target, locked, and its descriptor."""
    from filelock import lock_descriptor

    while True:
        scratch = _beside(target)
        handle = os.open(scratch, os.O_RDWR | os.O_CREAT | os.O_EXCL | _OPEN, mode)
        try:
            locked = lock_descriptor(handle, blocking=False)
        except OSError:
            return scratch, handle  # a file system without locks
        if locked and scratch.exists():
            return scratch, handle
        os.close(handle)  # a sweep of another program removed the file before we had locked it


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}{SCRATCH}")


def _replace(scratch: Path, target: Path) -> None:
    """Gives the target's name to the scratch file. If the folder cannot be synced, the old file is
    put back.
    """
    spare: Path | None = _beside(target)
    assert spare is not None
    was_there = True
    try:
        spare.hardlink_to(target)
    except FileNotFoundError:
        was_there, spare = False, None
    except OSError:
        spare = None  # no hard links here, so the old file cannot be put back
    try:
        scratch.replace(target)
        try:
            sync(target.parent)
        except OSError:
            with suppress(OSError):
                if spare is not None:
                    spare.replace(target)
                elif not was_there:
                    target.unlink()
            raise
    finally:
        if spare is not None:
            spare.unlink(missing_ok=True)


def _name(scratch: Path, target: Path) -> None:
    """Gives the target's name to the scratch file. Raises FileExistsError if the target exists."""
    try:
        target.hardlink_to(scratch)
    except OSError as error:
        if error.errno not in _NO_LINK:
            raise
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        scratch.replace(target)
    try:
        sync(target.parent)
    except OSError:
        with suppress(OSError):
            target.unlink()
        raise


def sync(folder: Path) -> None:
    """Waits until the names in a folder are on the disk. Raises OSError."""
    if os.name == "nt":  # Windows cannot open a folder, and syncs names by itself
        return
    handle = os.open(folder, os.O_RDONLY | _OPEN)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(handle)


# --- locks ----------------------------------------------------------------------------------------


_LOCK = ".shutoko-lock"
# tries: a program that only checks whether a lock is held holds it for a moment itself
_PATIENCE = 5
_PAUSE = 0.04  # seconds between two tries
_MOST = 4096  # bytes of a lock file that are read
_LOCKING = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


class HeldError(InputError):
    """Another program writes this file or folder; the message says which one."""


class Hold(AbstractContextManager["Hold", None]):
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

    def __exit__(self, *_: object) -> None:
        self.release()


def hold(path: Path) -> Hold:
    """The right to write that record, which need not exist yet, or what lies in that folder. Sweeps
    the folder.

    Raises HeldError if another program has it, InputError if nothing can be written there.
    """
    real = Path(os.path.realpath(path))
    is_folder = real.is_dir()
    lock = real / _LOCK if is_folder else real.with_name(f".{real.name}{_LOCK}")
    try:
        held = _taken(path, lock)
        sweep(lock.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error
    # Take our own lock before looking for others: if two programs start at once, at least one of
    # them sees the other.
    for other in lock.parent.glob(f".*{_LOCK}") if is_folder else [real.parent / _LOCK]:
        if other != lock and _is_held(other):
            held.release()
            raise HeldError(_told(path, other))
    return held


def sweep(folder: Path) -> None:
    """Removes what killed programs left in a folder: locks that nobody holds, and scratch files
    that nobody writes.
    """
    for path in (*folder.glob(f".*{_LOCK}"), *folder.glob(f".*{SCRATCH}")):
        with suppress(OSError), _opened(path) as file:
            if _locked(file.fileno()):
                path.unlink()


def _taken(path: Path, lock: Path) -> Hold:
    for _ in range(_PATIENCE):
        handle = os.open(lock, _LOCKING | os.O_CREAT, 0o666)
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


def _opened(lock: Path) -> FileIO:
    return os.fdopen(os.open(lock, _LOCKING), "r+b", buffering=0)


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
            with _opened(lock) as file:
                if _locked(file.fileno()):
                    return False
        except OSError:
            return False
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
