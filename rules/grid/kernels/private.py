"""Folders and files that nobody but this user can write.

Compiled code is kept on disk as a pickle, and whoever writes a pickle decides what its reader runs.
So it is read only from a file and a folder that belong to this user and that no other user can
write. On Windows `stat` does not show such permissions; there the folder must lie in the user's
profile.
"""

import hashlib
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

import numba as nb
from platformdirs import user_cache_path

from rules.record import disk

_IS_WINDOWS = os.name == "nt"
_OTHERS_WRITE = 0o022


@cache
def folder_for(sources: Path) -> Path | None:
    """Where code compiled from that folder of sources is kept; None, with a line on standard error,
    if no place is private.

    That is the folder that NUMBA_CACHE_DIR names, if it is set. Otherwise it is `__pycache__`
    beside the sources, as for Python's own compiled code, or else the user's cache folder.
    """
    name = f"{sources.name}_{hashlib.sha256(str(sources).encode()).hexdigest()[:16]}"
    if nb.config.CACHE_DIR:
        places = [Path(nb.config.CACHE_DIR) / name]
    else:
        places = [
            sources / "__pycache__",
            user_cache_path("shutoko", appauthor=False) / "kernels" / name,
        ]
    for place in places:
        try:
            _prepare(place)
        except OSError as error:
            why = error
        else:
            return place
    _warn(str(why))
    return None


def read(path: Path) -> bytes:
    """The content of a file. Raises PermissionError if another user could have written it, OSError
    if it cannot be read.
    """
    _check(path.parent, path.parent.stat())
    with path.open("rb") as file:
        # the file that is open, whatever the name stands for by now
        _check(path, os.fstat(file.fileno()))
        return file.read()


def write(path: Path, content: bytes) -> None:
    """Replaces a file as a whole with one that only this user can read or write."""
    disk.put(path, content, mode=0o600)


def _prepare(folder: Path) -> None:
    """Makes the folder if need be, and removes what killed programs left there.

    Raises OSError if it is not private or cannot be written.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o755, exist_ok=True)
    _check(folder, folder.stat())
    disk.sweep(folder)
    tempfile.TemporaryFile(dir=folder).close()


def _check(path: Path, found: os.stat_result) -> None:
    if _IS_WINDOWS:
        if not path.resolve().is_relative_to(Path.home().resolve()):
            raise PermissionError(f"{path} is outside your user profile")
    elif found.st_uid != os.geteuid():
        raise PermissionError(f"{path} belongs to another user")
    elif found.st_mode & _OTHERS_WRITE:
        raise PermissionError(f"other users can write to {path} (chmod go-w {path})")


@cache
def _warn(why: str) -> None:
    if sys.stderr is not None and _warn.cache_info().currsize == 0:  # the first reason, once
        sys.stderr.write(
            f"shutoko: every start compiles anew: {why}; NUMBA_CACHE_DIR can name another folder\n"
        )
