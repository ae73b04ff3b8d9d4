"""Records to watch: shipped ones, uploaded ones, and the games that people note on the pages while
they play at a real table. They are found by name, never by a path that a visitor gives; whoever
knows the id of a noted game, 96 random bits, may read it and note in it.

An upload is limited in size, read as data in a worker process (`shutoko.web.work.jobs.taken_in`),
and kept only if it is a record of an installed game.
"""

import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from rules.errors import InputError, Refusal
from rules.files import os_reason
from rules.game import game
from rules.record import Record, disk, read
from shutoko.diary.diary import Diary, begun, header_of, reopened
from shutoko.plain import plain_record
from sim.assets import asset
from sim.game.highway import NAME

_MOST = 500  # records in a folder
_NAMED = re.compile(r"[A-Za-z0-9_-]{16}")


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
        return _kept_in(self._folder, "saved/")

    def record(self, name: str) -> Record | None:
        """The record of that name, or None. Raises RecordError for one that cannot be read."""
        if name in self._shipped:
            return read(self._shipped[name])
        shelf, _, stem = name.partition("/")
        if shelf != "saved" or not _NAMED.fullmatch(stem):
            return None
        path = self._folder / f"{stem}.jsonl"
        return read(path) if path.is_file() else None

    def save(self, data: bytes, label: str) -> str:
        """Keeps a record as `shutoko.web.work.jobs.taken_in` wrote it and returns its name.
        Messages call it `label`.

        Raises InputError if there are too many, or the disk has no room.
        """
        if len(list(self._folder.glob("*.jsonl"))) >= _MOST:
            told = f"{label}: {_MOST} records are kept already; delete some from {self._folder}"
            raise InputError(
                Refusal(told, "records-full", label=label, most=_MOST, folder=str(self._folder))
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


def _kept_in(folder: Path, before: str = "") -> tuple[Shelved, ...]:
    """The records in a folder, the newest first, without those that can no longer be read."""
    paths = [path for path in folder.glob("*.jsonl") if _NAMED.fullmatch(path.stem)]
    found = []
    for path in sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True):
        with suppress(InputError):
            found.append(shelved(f"{before}{path.stem}", path))
    return tuple(found)


def shelved(name: str, path: Path) -> Shelved:
    """What a list says of the record at `path`, which has that name in addresses. Raises InputError
    for one that cannot be read.
    """
    return _read_shelved(name, path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1024)
def _read_shelved(name: str, path: Path, changed: int) -> Shelved:  # noqa: ARG001 - a file that changed is read again
    header = plain_record(read(path)).header
    return Shelved(name, header.game, header.players, header.note or header.source or "")


# --- games that are noted -------------------------------------------------------------------------

_OPEN = 40  # diaries that are kept in memory although no page shows them


@dataclass
class Noted:
    """A diary that is open, and the pages that show it. `id` is its name in addresses."""

    id: str
    diary: Diary
    ears: list[Callable[[], None]] = field(default_factory=list)

    def hear(self, ear: Callable[[], None]) -> Callable[[], None]:
        """Has `ear` called whenever the diary has changed; returns what ends that."""
        self.ears.append(ear)
        return lambda: self.ears.remove(ear)

    def changed(self) -> None:
        """Tells every page that the diary has changed."""
        for ear in tuple(self.ears):
            ear()


class Diaries:
    """The diaries in `folder`, which one server has at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        disk.sweep(folder)
        self._open: dict[str, Noted] = {}

    def begin(
        self, players: tuple[str, ...], ruleset: str, components: str, tolerance: float | None
    ) -> Noted:
        """A new diary; its file is on the disk when this returns. Raises InputError for settings
        that make no game, if there are too many diaries, or if the disk has no room.
        """
        if len(list(self._folder.glob("*.jsonl"))) >= _MOST:
            told = f"{_MOST} games are noted already; delete some from {self._folder}"
            raise InputError(Refusal(told, "diaries-full", most=_MOST, folder=str(self._folder)))
        made = game(NAME, players=len(players), ruleset=ruleset, components=components)
        name = secrets.token_urlsafe(12)
        header = header_of(made, players, tolerance)
        return self._kept(Noted(name, begun(header, self._folder / f"{name}.jsonl")))

    def of(self, name: str) -> Noted | None:
        """The diary of that id, None if there is none. Raises RecordError or InputError for a file
        that cannot be read.
        """
        if name in self._open:
            return self._open[name]
        path = self._folder / f"{name}.jsonl"
        if not _NAMED.fullmatch(name) or not path.is_file():
            return None
        return self._kept(Noted(name, reopened(path)))

    def record(self, name: str) -> Record | None:
        """The record of a diary so far, None if there is none."""
        noted = self.of(name)
        return None if noted is None else noted.diary.record

    def all(self) -> tuple[Shelved, ...]:
        """The diaries, the one that was noted in last first, without those that can no longer be
        read.
        """
        return _kept_in(self._folder)

    def _kept(self, noted: Noted) -> Noted:
        """Keeps an open diary. One file has one diary in memory, so only those that no page shows
        make room.
        """
        idle = [name for name, one in self._open.items() if not one.ears]
        for name in idle[: max(len(self._open) - _OPEN + 1, 0)]:
            del self._open[name]
        self._open[noted.id] = noted
        return noted
