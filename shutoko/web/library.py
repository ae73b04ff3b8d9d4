"""Records to watch: shipped ones and uploaded ones. They are found by name, never by a path that a
visitor gives.

An upload is limited in size, read as data in a worker process (`shutoko.web.work.jobs.taken_in`),
and kept only if it is a record of an installed game.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rules.errors import InputError, Refusal
from rules.files import os_reason
from rules.record import Record, disk, read
from shutoko.plain import plain_record
from sim.assets import asset

_MAX_SAVED = 500
_SAVED = re.compile(r"[A-Za-z0-9_-]{16}")


@dataclass(frozen=True, slots=True)
class Shelved:
    """A record in a list: its name in addresses, its game, its players, and a line that says what
    it shows.
    """

    name: str
    game: str
    players: tuple[str, ...]
    about: str


class Library:
    """The shipped records, and those saved in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        disk.sweep(folder)
        shelf = asset("records")
        self._shipped: Mapping[str, Path] = {
            f"shipped/{path.relative_to(shelf).with_suffix('').as_posix().replace('/', '-')}": path
            for path in sorted(shelf.rglob("*.jsonl"))
        }

    def shipped(self) -> tuple[Shelved, ...]:
        """The shipped records, whole games first."""
        order = sorted(self._shipped, key=lambda name: ("scenarios-" in name, name))
        return tuple(shelved(name, self._shipped[name]) for name in order)

    def saved(self) -> tuple[Shelved, ...]:
        """The saved records, the newest first, without those that can no longer be read."""
        paths = [path for path in self._folder.glob("*.jsonl") if _SAVED.fullmatch(path.stem)]
        found = []
        for path in sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True):
            try:
                found.append(shelved(f"saved/{path.stem}", path))
            except InputError:
                continue
        return tuple(found)

    def record(self, name: str) -> Record | None:
        """The record of that name, or None. Raises RecordError for one that cannot be read."""
        if name in self._shipped:
            return read(self._shipped[name])
        shelf, _, stem = name.partition("/")
        if shelf != "saved" or not _SAVED.fullmatch(stem):
            return None
        path = self._folder / f"{stem}.jsonl"
        return read(path) if path.is_file() else None

    def save(self, data: bytes, label: str) -> str:
        """Keeps a record as `shutoko.web.work.jobs.taken_in` wrote it and returns its name.
        Messages call it `label`.

        Raises InputError if there are too many, or the disk has no room.
        """
        if len(list(self._folder.glob("*.jsonl"))) >= _MAX_SAVED:
            told = (
                f"{label}: {_MAX_SAVED} records are kept already; delete some from {self._folder}"
            )
            raise InputError(
                Refusal(
                    told, "records-full", label=label, most=_MAX_SAVED, folder=str(self._folder)
                )
            )
        stem = secrets.token_urlsafe(12)
        try:
            disk.put(self._folder / f"{stem}.jsonl", data, fresh=True)
        except OSError as error:
            why = os_reason(error)
            raise InputError(
                Refusal(f"{label}: cannot be kept: {why}", "not-kept", label=label, why=why)
            ) from error
        return f"saved/{stem}"


def shelved(name: str, path: Path) -> Shelved:
    """What a list says of the record at `path`, which has that name in addresses. Raises InputError
    for one that cannot be read.
    """
    return _read_shelved(name, path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1024)
def _read_shelved(name: str, path: Path, changed: int) -> Shelved:  # noqa: ARG001 - a file that changed is read again
    header = plain_record(read(path)).header
    return Shelved(name, header.game, header.players, header.note or header.source or "")
