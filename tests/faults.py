"""A disk that fails when told to: stands in for the calls to the system that writing takes, and
notes their order.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

CALLS = ("open", "write", "fsync", "ftruncate", "link", "replace", "folder")
"""What can fail; `folder` is the sync of a folder."""


class Disk:
    """Notes in `log` what is asked of the disk. The call number `at` (from 0) of the kind `what`
    fails, once.
    """

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path, code: int = errno.ENOSPC) -> None:
        self.log: list[tuple[str, str]] = []
        self._folder, self._code = os.path.realpath(folder), code
        self._what, self._at, self.has_failed, self.takes = "", -1, False, -1
        for name in ("open", "write", "fsync", "ftruncate", "link", "replace"):
            patch.setattr(os, name, self._standing_in(name, getattr(os, name)))

    def fail(self, what: str, at: int = 0, *, takes: int = -1) -> None:
        """Has a call fail from now on counted; a `write` takes so many bytes before, where that is
        not -1.
        """
        self._what, self._at, self.has_failed, self.takes = what, at, False, takes

    def mend(self) -> bool:
        """Nothing fails from now on; whether something did."""
        self._what = ""
        return self.has_failed

    def calls(self) -> list[str]:
        """The kinds of the calls so far, without the openings."""
        return [kind for kind, _ in self.log if kind != "open"]

    def _standing_in(self, name: str, real: Any) -> Any:
        def call(*args: Any, **how: Any) -> Any:
            path = self._path(args[0])
            creates = name != "open" or bool(args[1] & (os.O_RDWR | os.O_WRONLY))
            if (
                path is None
                or not path.startswith(self._folder)
                or "shutoko-lock" in path
                or not creates
            ):
                return real(*args, **how)
            kind = "folder" if name == "fsync" and Path(path).is_dir() else name
            self.log.append((kind, Path(path).name))
            if kind == self._what:
                self._at -= 1
                if self._at == -1:
                    if name == "write" and self.takes > 0:
                        self._at, taken = 0, self.takes  # a part fits; what comes next does not
                        self.takes = -1
                        return real(args[0], args[1][:taken])
                    self.has_failed = True
                    raise OSError(self._code, os.strerror(self._code), path)
            return real(*args, **how)

        return call

    @staticmethod
    def _path(named: Any) -> str | None:
        if isinstance(named, int):
            try:
                return str(Path(f"/proc/self/fd/{named}").readlink())
            except OSError:
                return None
        return os.path.realpath(named)


def names(folder: Path) -> list[str]:
    """The names of all that lies in a folder, sorted."""
    return sorted(one.name for one in folder.iterdir())
