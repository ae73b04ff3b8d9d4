"""The games that people note on the pages while they play at a real table: a diary for each, in one
folder. Whoever knows the id of a diary, 96 random bits, may read it and note in it.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rules.errors import InputError, Refusal
from rules.game import game
from rules.record import Record
from rules.record.disk import sweep
from shutoko.diary.diary import Diary, begun, header_of, reopened
from shutoko.web.library import Shelved, shelved
from sim.game.highway import NAME

_MOST = 500  # diaries in the folder
_OPEN = 40  # diaries that are kept in memory although no page shows them
_NAMED = re.compile(r"[A-Za-z0-9_-]{16}")


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
        sweep(folder)
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
        paths = [path for path in self._folder.glob("*.jsonl") if _NAMED.fullmatch(path.stem)]
        found = []
        for path in sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True):
            try:
                found.append(shelved(path.stem, path))
            except InputError:
                continue
        return tuple(found)

    def _kept(self, noted: Noted) -> Noted:
        """Keeps an open diary. One file has one diary in memory, so only those that no page shows
        make room.
        """
        idle = [name for name, one in self._open.items() if not one.ears]
        for name in idle[: max(len(self._open) - _OPEN + 1, 0)]:
            del self._open[name]
        self._open[noted.id] = noted
        return noted
