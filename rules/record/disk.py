"""Atomic writes: after a kill, a power cut or on a full disk, a file holds either its old content
or its new one, never a part.

Every function returns only once the new content is on the disk: first the file is synced, then, if
its name is new, the folder. A function that raises OSError has undone what it did. New content is
first written to a scratch file beside the file; whoever writes it holds a lock on it, so
`rules.record.holding.sweep` can tell the scratch file of a killed program from one in use.
"""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path

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
        try:
            _write(handle, data)
            os.fsync(handle)
            if os.name == "nt":  # Windows cannot rename an open file
                os.close(handle)
                handle = -1
            if fresh:
                _name(scratch, target)
            else:
                _replace(scratch, target)
        finally:
            if handle >= 0:
                os.close(handle)
    finally:
        scratch.unlink(missing_ok=True)


def extend(path: Path, keep: int, data: bytes) -> None:
    """Cuts the file off after `keep` bytes and adds `data`, in one write. Raises OSError; then only
    the `keep` bytes are left.

    No new name comes into being, so the folder needs no sync. What is cut off is off the disk
    before anything is added: a power cut must not leave the new line with the rest of an old one
    behind it.
    """
    handle = os.open(path, os.O_RDWR | _OPEN)
    try:
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
    finally:
        os.close(handle)


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
