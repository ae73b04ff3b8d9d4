"""The file of a game in progress, for its one writer: what is shown, what is on disk and what is accepted next agree."""

from __future__ import annotations

from pathlib import Path

from rules.record.model import End, Entry, Record
from rules.record.writing import append, write

__all__ = ["Kept"]


class Kept:
    """The file at `path`. `is_ours` says that it holds an earlier state of this game, which may be replaced.

    `is_current` says that it holds the game as it is, to which lines can be added. After a line was refused it counts as not
    current: what a disk makes of a file that it could not sync is unknown, so a whole new file is written next.
    """

    def __init__(self, path: Path, *, is_ours: bool, is_current: bool) -> None:
        self.path, self.is_ours, self._is_current = path, is_ours, is_current

    def add(self, record: Record, *items: Entry | End) -> None:
        """Keeps `record`, which is what was kept before and these last lines. When it returns, they are on the disk.

        Raises InputError if they cannot be written. Then the file is put back as it was, if the disk still allows it.
        """
        if not self._is_current:
            self.put(record)
            return
        self._is_current = False
        append(self.path, *items)
        self._is_current = True

    def put(self, record: Record) -> None:
        """Keeps `record` in place of whatever was kept before. Raises InputError, also if the file is not ours.

        A failure leaves the old file, so lines can be added to it as before.
        """
        write(record, self.path, fresh=not self.is_ours)
        self.is_ours = self._is_current = True
