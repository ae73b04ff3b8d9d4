"""The seats of a room and who holds them, kept in a file beside its record; and what is refused to
those who hold them or do not.

The file holds secrets, so only the owner of the server can read it.
"""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rules.errors import InputError, RecordError, Refusal, ShutokoError
from rules.files import os_reason, read_regular
from rules.record import disk
from sim.languages import Sentence

_VERSION = 4
_SUFFIX = ".seats.json"
_MOST = 2**24  # bytes of that file; far more than `MAX_HOLDERS` take

MAX_HOLDERS = 50
"""Browsers that hold one seat: whoever has its link may open it on each of their devices."""


class RefusedError(ShutokoError):
    """What this person may not do, or not now; `sentence` says why, in any language."""

    def __init__(self, message: str, **values: Any) -> None:
        """`message` is the name of a sentence in the catalogues, after `refused-`."""
        self.sentence = Sentence(f"refused-{message}", values)
        super().__init__(str(self.sentence))

    def told(self, language: str) -> str:
        """Why, in a language."""
        return self.sentence.told(language)


@dataclass(slots=True)
class Seats:
    """Who sits where in a room, with the secrets of the seats: its file `ID.seats.json`.

    `late` is the number of the ply for which the time of the seat to move was up, `leaving` are the
    seats that give up in their next turn. A room that
    branches off a replay has the `parent`, as "SHELF/NAME", and the number of plies that it shares
    with it.
    """

    secrets: list[str]
    computers: list[str | None]
    holders: list[list[str]]
    host: str
    hands: list[str | None]
    clock: float | None
    increment: float
    friendly: bool
    listed: bool
    seed: int
    late: int | None = None
    parent: str | None = None
    shared: int = 0
    leaving: list[int] = field(default_factory=list)

    @classmethod
    def read(cls, room: Path) -> Seats:
        """Reads the seats of the room whose record is at that path. Raises RecordError for a file
        that cannot be read.
        """
        try:
            data = json.loads(read_regular(_file(room), _MOST))
            if data["version"] == 1:  # all seats had the same hand
                data["hands"] = [data["hand"]] * len(data["secrets"])
            if data["version"] < 3:  # rooms knew no claims of time and no branches
                data |= {"late": None, "parent": None, "shared": 0}
            data.setdefault("leaving", [])  # nobody gave up out of turn
            return cls(**{name: data[name] for name in cls.__slots__})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RecordError(f"the room's seats cannot be read: {error}", room) from error

    def write(self, room: Path) -> None:
        """Writes the seats to disk beside the record of the room, readable by the owner of the
        server only.

        Raises InputError if that fails; the old file then stays as it was.
        """
        data = {"version": _VERSION} | {name: getattr(self, name) for name in self.__slots__}
        try:
            disk.put(_file(room), json.dumps(data).encode(), mode=0o600)
        except OSError as error:
            why = os_reason(error)
            raise InputError(
                Refusal(f"the room's seats cannot be kept: {why}", "seats-not-kept", why=why)
            ) from error

    @staticmethod
    def remove(room: Path) -> None:
        """Deletes the seats of a room, if they are there."""
        _file(room).unlink(missing_ok=True)

    @staticmethod
    def give(room: Path, other: Path) -> None:
        """Has the file of seats stand beside another record, too. Raises OSError."""
        _file(other).unlink(missing_ok=True)
        try:
            _file(other).hardlink_to(_file(room))
        except OSError:  # no file has two names here
            disk.put(_file(other), read_regular(_file(room), _MOST), mode=0o600)

    @staticmethod
    def remove_orphans(folder: Path) -> None:
        """Deletes seats without a record; a server leaves them if it is killed while it opens a
        room.
        """
        for path in folder.glob(f"*{_SUFFIX}"):
            if not path.with_name(path.name.removesuffix(_SUFFIX) + ".jsonl").exists():
                path.unlink(missing_ok=True)

    def claimed(self, secret: str, holder: str) -> tuple[int, Seats]:
        """The seat of that secret, and the seats once the holder has it; these if that is so.

        Raises RefusedError for a secret of no seat and for a seat that too many browsers have.
        """
        seat = self.opened_by(secret)
        if seat is None:
            raise RefusedError("invitation")
        if holder in self.holders[seat]:
            return seat, self
        if len(self.holders[seat]) >= MAX_HOLDERS:
            raise RefusedError("seat-full", most=MAX_HOLDERS)
        holders = [
            [*held, holder] if number == seat else held for number, held in enumerate(self.holders)
        ]
        return seat, replace(self, holders=holders)

    def taken(self) -> tuple[bool, ...]:
        """Which seats somebody holds, the computer included."""
        return tuple(bool(c or h) for c, h in zip(self.computers, self.holders, strict=True))

    def of(self, holder: str) -> tuple[int, ...]:
        """The seats that a holder has; a watcher has none."""
        return tuple(seat for seat, holders in enumerate(self.holders) if holder in holders)

    def persons(self) -> set[int]:
        """The seats that a person holds."""
        return {
            seat
            for seat, holders in enumerate(self.holders)
            if holders and self.computers[seat] is None
        }

    @property
    def sociable(self) -> bool:
        """Whether anybody but the host plays, or may come to."""
        return any(self.holders[seat] != [self.host] for seat in self.secrets_of_persons())

    def secrets_of_persons(self) -> dict[int, str]:
        """The secrets of the seats that the computer does not have."""
        return {
            seat: secret for seat, secret in enumerate(self.secrets) if self.computers[seat] is None
        }

    def opened_by(self, secret: str) -> int | None:
        """The seat of a secret; None for a secret of no seat."""
        for seat, known in self.secrets_of_persons().items():
            if hmac.compare_digest(known.encode(), secret.encode()):
                return seat
        return None


def _file(room: Path) -> Path:
    return room.with_suffix(_SUFFIX)
