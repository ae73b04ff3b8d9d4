"""The rooms of a server, on disk and in memory.

A room is two files in a folder: `ID.jsonl`, its record, and `ID.seats.json`, its seats. A server that is killed comes back with
every confirmed ply and every seat. Whoever knows the id of a room may watch.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rules.defaults import hands, header
from rules.errors import InputError, RecordError
from rules.game import game
from rules.record import Record, read, write
from rules.record.replay import IllegalPlyError, begin
from shutoko.web.rooms.room import RefusedError, Room
from shutoko.web.rooms.seats import Seats
from shutoko.web.work.workers import Workers

__all__ = ["MAX_NAME", "Glance", "Rooms", "Setup"]


MAX_NAME = 40
"""Characters of a player's name."""

MAX_ROOMS = 1000
"""Rooms of one server; more are refused before they fill the disk."""

_UNPLAYED = 86400.0  # seconds after which a room without a move gives way to new ones, once there are too many

_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


@dataclass(frozen=True, slots=True)
class Setup:
    """A game to be opened: `names` by seat; `computers[seat]` is the spec of a player, or None for a person.

    `clock` is how many seconds each player has for the whole game, None for no clock; `increment` seconds are added after every
    ply. In a `friendly` game plies may be taken back. `listed` rooms are shown to everybody in the lobby. `hand` is a
    skill of `rules.defaults.hands` or None; the spec of a computer may name another. The host has the seats in `held`; by
    default the first person's; `holders` says instead who has each. A `record` is played on: then its header says which game it
    is, and `options` do not count.
    """

    game: str
    names: Sequence[str]
    computers: Sequence[str | None]
    options: Mapping[str, Any] = field(default_factory=dict)
    hand: str | None = None
    clock: float | None = None
    increment: float = 0.0
    friendly: bool = True
    listed: bool = True
    seed: int | None = None
    held: Sequence[int] | None = None
    holders: Sequence[Sequence[str]] | None = None
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Glance:
    """A room as the lobby shows it; `mine` says that the holder who asked has a seat."""

    id: str
    game: str
    names: tuple[str, ...]
    plies: int
    over: bool
    listed: bool
    mine: bool


class Rooms:
    """All rooms of a server, in one folder. `room` loads a room when it is first asked for, `put_away` unloads it again.

    Opening and loading replay a record, and may have to compile the rules of a game: both may be done in a thread.
    """

    def __init__(self, folder: Path, workers: Workers) -> None:
        self._folder, self._workers = folder, workers
        self._rooms: dict[str, Room] = {}
        self._loading = threading.RLock()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def ids(self) -> tuple[str, ...]:
        """The ids of all rooms, the one that was played in last first."""
        paths = [path for path in self._folder.glob("*.jsonl") if _ID.fullmatch(path.stem)]
        return tuple(path.stem for path in sorted(paths, key=_changed, reverse=True))

    def open(self, setup: Setup, host: str) -> Room:
        """A new room; the host sends the invitations to the seats that nobody holds yet.

        Raises InputError for a setup that makes no game, RefusedError if there are too many rooms.
        """
        if len(self.ids()) >= MAX_ROOMS:
            self._clear_unplayed()
        if len(self.ids()) >= MAX_ROOMS:
            raise RefusedError("rooms", most=MAX_ROOMS, folder=str(self._folder))
        record = _record_of(setup)
        count = len(record.header.players)
        if len(setup.computers) != count:
            raise InputError(f"computers names {len(setup.computers)} seats, but the game has {count}")
        made, _ = begin(record)
        if setup.hand is not None and setup.hand not in hands(made):
            known = ", ".join(hands(made)) or "none"
            raise InputError(f"{made.name}: {setup.hand!r} is not the name of a hand; known hands: {known}")
        persons = [seat for seat, spec in enumerate(setup.computers) if spec is None]
        held = persons[:1] if setup.held is None else [seat for seat in setup.held if seat in persons]
        seats = Seats(
            secrets=[secrets.token_urlsafe(18) for _ in range(count)],
            computers=list(setup.computers),
            holders=[[host] if seat in held else [] for seat in range(count)]
            if setup.holders is None
            else [*map(list, setup.holders)],
            host=host,
            hand=setup.hand,
            clock=setup.clock,
            increment=setup.increment,
            friendly=setup.friendly,
            listed=setup.listed,
            seed=secrets.randbits(32) if setup.seed is None else setup.seed,
        )
        path = self._folder / f"{secrets.token_urlsafe(18)}.jsonl"
        room = Room(path, seats, record, self._workers)
        try:
            seats.write(path)  # first, so that a record always has its seats
            write(record, path, fresh=True)
        except BaseException:
            Seats.remove(path)
            raise
        with self._loading:
            self._rooms[room.id] = room
        return room

    def again(self, room: Room, holder: str) -> Room:
        """The room in which the players of a game that is over play again: opened now, or already.

        Persons among themselves move up by a seat, so that another one begins; with a computer everybody stays.
        Raises RefusedError for a game that goes on and for watchers, and what `open` raises.
        """
        if not room.over:
            raise RefusedError("goes-on")
        with self._loading:
            known = None if room.next is None else self.room(room.next)
            if known is not None:
                return known
            if not room.seats_of(holder):
                raise RefusedError("watching")
            seats, first = room.seats, room.record.header
            shift = 0 if any(seats.computers) else 1
            setup = Setup(
                first.game,
                [*room.names[shift:], *room.names[:shift]],
                seats.computers,
                dict(room.made.options),
                seats.hand,
                seats.clock,
                seats.increment,
                seats.friendly,
                seats.listed,
                holders=[*seats.holders[shift:], *seats.holders[:shift]],
            )
            return self.open(setup, seats.host)

    def room(self, name: str) -> Room | None:
        """The room of that id, None if there is none. Raises RecordError for one whose files are broken."""
        with self._loading:
            if name in self._rooms:
                self._rooms[name].touch()
                return self._rooms[name]
            if not _ID.fullmatch(name):
                return None
            path = self._folder / f"{name}.jsonl"
            if not path.is_file():
                return None
            seats = Seats.read(path)
            try:
                room = Room(path, seats, read(path), self._workers)
            except IllegalPlyError as error:
                raise RecordError(str(error)) from error
            self._rooms[name] = room
            return room

    def glance(self, name: str, holder: str) -> Glance | None:
        """What the lobby shows of a room, read from its files without a replay; None for files that cannot be read."""
        if not _ID.fullmatch(name):
            return None
        path = self._folder / f"{name}.jsonl"
        try:
            seats = Seats.read(path)
            record = self._rooms[name].record if name in self._rooms else read(path)
        except (OSError, RecordError):
            return None
        first = record.header
        return Glance(
            name, first.game, first.players, record.next_ply, record.end is not None, seats.listed, bool(seats.of(holder))
        )

    def put_away(self, seconds: float) -> int:
        """Unloads the rooms in which nothing runs and that nobody has looked at for so many seconds; returns how many.

        The next visitor has the room loaded from its files. Call it from the event loop of the rooms. It never waits: while a
        room is being loaded, it unloads none.
        """
        if not self._loading.acquire(blocking=False):
            return 0
        try:
            idle = {name: room.idle for name, room in self._rooms.items()}
            gone = [name for name, since in idle.items() if since is not None and since >= seconds]
            for name in gone:
                self._rooms.pop(name).close()
        finally:
            self._loading.release()
        return len(gone)

    def _clear_unplayed(self) -> None:
        """Deletes the rooms in which nobody has moved and at which nobody has looked for a day."""
        old = time.time() - _UNPLAYED
        with self._loading:
            for name in self.ids():
                path = self._folder / f"{name}.jsonl"
                if name in self._rooms or _changed(path) > old:
                    continue
                with suppress(RecordError, OSError):
                    if not read(path).entries:
                        path.unlink()
                        Seats.remove(path)

    def close(self) -> None:
        """Closes every room; the files stay."""
        for room in self._rooms.values():
            room.close()
        self._rooms.clear()


def _record_of(setup: Setup) -> Record:
    names = [_name(name, seat) for seat, name in enumerate(setup.names)]
    if setup.record is not None:
        first = setup.record.header
        if len(names) != len(first.players):
            raise InputError(f"{len(names)} names for a game of {len(first.players)} players")
        return Record(replace(first, players=tuple(names)), setup.record.entries)
    made = game(setup.game, **setup.options)
    if len(names) != made.seats:
        raise InputError(f"{len(names)} names for a game of {made.seats} players")
    return Record(header(made, names))


def _name(name: str, seat: int) -> str:
    plain = " ".join("".join(char if char.isprintable() else " " for char in name).split())[:MAX_NAME]
    return plain or f"player {seat + 1}"


def _changed(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
