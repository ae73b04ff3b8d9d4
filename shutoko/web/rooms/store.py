"""The rooms of a server, on disk and in memory.

A room is two files in a folder: `ID.jsonl`, its record, and `ID.seats.json`, its seats. A server
that is killed comes back with every confirmed ply and every seat. Whoever knows the id of a room
may watch.

One module: opening, finding, listing, retiring and unloading rooms share one folder and one lock.
"""

import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from rules.defaults import hands, header
from rules.errors import InputError, RecordError, Refusal
from rules.files import os_reason
from rules.game import game
from rules.record import End, Record, disk, read, write
from rules.record.replay import IllegalPlyError, begin
from shutoko.web.rooms.chat import MAX_NAME, Change, one_line
from shutoko.web.rooms.room import Room
from shutoko.web.rooms.seats import RefusedError, Seats
from shutoko.web.work import (
    BY_HAND,
    Workers,
    stand_in,
)

MAX_ROOMS = 1000
"""Rooms that a server lists and looks through; beyond that the oldest retire into `RETIRED`."""

RETIRED = "retired"
"""The folder of rooms that nobody played in for long. Their links go on showing them: whoever asks
for one has it brought back.
"""

_ROOM_MADE = 50  # rooms that retire at once, so that it is seldom done

# seconds after which a room without a move gives way to new ones, once there are too many
_UNPLAYED = 86400.0

_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


@dataclass(frozen=True, slots=True)
class Setup:
    """A game to be opened: `names` by seat; `computers[seat]` is the spec of a player, or None for
    a person.

    `clock` is how many seconds each player has for the whole game, None for no clock; `increment`
    seconds are added after every ply. In a `friendly` game plies may be taken back. `listed` rooms
    are shown to everybody in the lobby. `hands` are by seat: None for a steady hand, a skill of
    `rules.defaults.hands`, or for a person one of `BY_HAND`; left out, all are steady. The spec of
    a computer may name another. The host has the seats in `held`; by default the first person's;
    `holders` says instead who has each. A `record` is played on: then its header says which game it
    is, and `options` do not count. Such a room may be a variation of a `parent`, named as
    "SHELF/NAME".
    """

    game: str
    names: Sequence[str]
    computers: Sequence[str | None]
    options: Mapping[str, Any] = field(default_factory=dict)
    hands: Sequence[str | None] = ()
    clock: float | None = None
    increment: float = 0.0
    friendly: bool = True
    listed: bool = True
    seed: int | None = None
    held: Sequence[int] | None = None
    holders: Sequence[Sequence[str]] | None = None
    record: Record | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Glance:
    """A room as a list shows it to a holder: `mine` says that the holder has a seat, `waits` that
    somebody has not come yet, `my_turn` that all are there and the holder is to move, as far as
    that is known without a replay. `ended` is how it ended for the
    holder: won, lost, draw, or empty. `changed` is when somebody last played there, in seconds.
    """

    id: str
    game: str
    names: tuple[str, ...]
    plies: int
    over: bool
    listed: bool
    mine: bool
    waits: bool
    my_turn: bool
    ended: str
    changed: float


@dataclass(frozen=True, slots=True)
class Branch:
    """A room that branches off another record, with which it shares so many plies."""

    room: Glance
    shared: int

    @property
    def name(self) -> str:
        """Its name among the records."""
        return f"room/{self.room.id}"


class Rooms:
    """All rooms of a server, in one folder. `room` loads a room when it is first asked for,
    `put_away` unloads it again.

    Opening and loading replay a record, and may have to compile the rules of a game: both may be
    done in a thread.
    """

    def __init__(self, folder: Path, workers: Workers) -> None:
        self._folder, self._workers = folder, workers
        self._rooms: dict[str, Room] = {}
        self._turns: dict[str, int | None] = {}  # of rooms that were put away
        self._parents: dict[str, tuple[str, int]] | None = None
        self._loading = threading.RLock()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._retired = folder / RETIRED
        self.bell: Callable[[Room, Change], None] | None = None

    def ids(self) -> tuple[str, ...]:
        """The ids of all rooms, the one that was played in last first."""
        paths = [path for path in self._folder.glob("*.jsonl") if _ID.fullmatch(path.stem)]
        return tuple(path.stem for path in sorted(paths, key=_changed, reverse=True))

    @property
    def in_memory(self) -> int:
        """How many rooms are in memory: those in which somebody was lately."""
        return len(self._rooms)

    def open(self, setup: Setup, host: str) -> Room:
        """A new room; the host sends the invitations to the seats that nobody holds yet.

        Raises InputError for a setup that makes no game, RefusedError if there are too many rooms.
        """
        if len(self.ids()) >= MAX_ROOMS:
            self._clear_unplayed()
            self._retire_old()
        if len(self.ids()) >= MAX_ROOMS:
            raise RefusedError("rooms", most=MAX_ROOMS, folder=str(self._folder))
        record = _record_of(setup)
        count = len(record.header.players)
        for said, given in (
            ("computers", setup.computers),
            ("hands", setup.hands or setup.computers),
        ):
            if len(given) != count:
                raise InputError(f"{said} names {len(given)} seats, but the game has {count}")
        made, _ = begin(record)
        known = (*hands(made), *BY_HAND) if hands(made) else ()
        for hand in setup.hands:
            if hand is not None and hand not in known:
                raise InputError(
                    f"{made.name}: {hand!r} is not the name of a hand; "
                    f"known hands: {', '.join(known) or 'none'}"
                )
        persons = [seat for seat, spec in enumerate(setup.computers) if spec is None]
        held = (
            persons[:1] if setup.held is None else [seat for seat in setup.held if seat in persons]
        )
        seats = Seats(
            secrets=[secrets.token_urlsafe(18) for _ in range(count)],
            computers=list(setup.computers),
            holders=[[host] if seat in held else [] for seat in range(count)]
            if setup.holders is None
            else [*map(list, setup.holders)],
            host=host,
            hands=[*setup.hands] or [None] * count,
            clock=setup.clock,
            increment=setup.increment,
            friendly=setup.friendly,
            listed=setup.listed,
            seed=secrets.randbits(32) if setup.seed is None else setup.seed,
            parent=setup.parent,
            shared=len(record.entries),
        )
        path = self._folder / f"{secrets.token_urlsafe(18)}.jsonl"
        room = Room(path, seats, record, self._workers)
        try:
            seats.write(path)  # first, so that a record always has its seats
            write(record, path, fresh=True)
        except BaseException:
            Seats.remove(path)
            raise
        room.bell = self.bell
        with self._loading:
            self._rooms[room.id] = room
            self._noted(room.id, seats)
        return room

    def again(self, room: Room, holder: str) -> Room:
        """The room in which the players of a game that is over play again: opened now, or already.

        Persons among themselves move up by a seat, so that another one begins; with a computer
        everybody stays. Raises RefusedError for a game that goes on and for watchers, and what
        `open` raises.
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
                room.computers,
                dict(room.made.options),
                [*seats.hands[shift:], *seats.hands[:shift]],
                seats.clock,
                seats.increment,
                seats.friendly,
                seats.listed,
                holders=[*seats.holders[shift:], *seats.holders[:shift]],
            )
            return self.open(setup, seats.host)

    def room(self, name: str) -> Room | None:
        """The room of that id, None if there is none. Raises RecordError for one whose files are
        broken.
        """
        with self._loading:
            if name in self._rooms:
                self._rooms[name].touch()
                return self._rooms[name]
            if not _ID.fullmatch(name):
                return None
            path = self._folder / f"{name}.jsonl"
            if not path.is_file() and not self._bring_back(name):
                return None
            seats = Seats.read(path)
            try:
                room = Room(path, seats, read(path), self._workers)
            except IllegalPlyError as error:
                raise RecordError(str(error)) from error
            for seat, spec in enumerate(seats.computers):
                if spec is not None and (other := stand_in(spec, room.game)) is not None:
                    room.stand_ins[seat] = other
            room.bell = self.bell
            self._rooms[name] = room
            return room

    def glance(self, name: str, holder: str) -> Glance | None:
        """What the lobby shows of a room, read from its files without a replay; None for files that
        cannot be read.
        """
        if not _ID.fullmatch(name):
            return None
        path = self._folder / f"{name}.jsonl"
        try:
            seats = Seats.read(path)
            brief = (
                _brief(self._rooms[name].record)
                if name in self._rooms
                else _read_brief(path, path.stat().st_mtime_ns)
            )
        except (OSError, RecordError):
            return None
        mine, over = seats.of(holder), brief.end is not None
        waits = not over and not all(seats.taken())
        my_turn = not over and not waits and self._to_move(name) in mine
        ended, changed = _ended(brief, mine), _changed(path)
        return Glance(
            name,
            brief.game,
            brief.players,
            brief.plies,
            over,
            seats.listed,
            bool(mine),
            waits,
            my_turn,
            ended,
            changed,
        )

    def of(self, holder: str) -> list[Glance]:
        """All rooms in which a holder has a seat: those that go on first, the one that was played
        in last before the others.
        """
        mine = [name for name in self.ids() if self._has_seat(name, holder)]
        found = [glance for name in mine if (glance := self.glance(name, holder)) is not None]
        return sorted(found, key=lambda room: (room.over, not room.my_turn))

    def tree(self, name: str, holder: str, *, listed: bool) -> tuple[str, dict[str, list[Branch]]]:
        """The record that everything around a record branched off, and by their parents the
        variations that a holder may see: those with a seat of the holder, the line that leads to
        the record, and if asked those that are listed.
        """
        line = [root := name]
        while (
            parent := self._family().get(root.removeprefix("room/"), ("", 0))[0]
        ) and root.startswith("room/"):
            line.append(root := parent)
        found: dict[str, list[Branch]] = {}
        waiting = [root]
        while waiting:
            above = waiting.pop()
            for child, (parent, shared) in list(self._family().items()):
                if parent != above:
                    continue
                known = f"room/{child}" in line or self._has_seat(child, holder)
                glance = self.glance(child, holder) if known or listed else None
                if glance is not None and (known or glance.listed):
                    found.setdefault(above, []).append(Branch(glance, shared))
                    waiting.append(f"room/{child}")
        return root, {
            above: sorted(found[above], key=lambda branch: branch.shared) for above in found
        }

    def _family(self) -> dict[str, tuple[str, int]]:
        """The parents of all rooms that have one, and how many plies they share; their files are
        looked through once.
        """
        with self._loading:
            if self._parents is None:
                self._parents = {}
                for name in self.ids():
                    with suppress(RecordError):
                        self._noted(name, Seats.read(self._folder / f"{name}.jsonl"))
            return self._parents

    def _noted(self, name: str, seats: Seats) -> None:
        if self._parents is not None and seats.parent is not None:
            self._parents[name] = (seats.parent, seats.shared)

    def _has_seat(self, name: str, holder: str) -> bool:
        with suppress(RecordError):
            return bool(Seats.read(self._folder / f"{name}.jsonl").of(holder))
        return False

    def _to_move(self, name: str) -> int | None:
        """The seat to move in a room that is loaded, or was since the server began."""
        room = self._rooms.get(name)
        return self._turns.get(name) if room is None else room.to_move

    def put_away(self, seconds: float) -> int:
        """Unloads the rooms in which nothing runs and that nobody has looked at for so many
        seconds; returns how many.

        The next visitor has the room loaded from its files. Call it from the event loop of the
        rooms. It never waits: while a room is being loaded, it unloads none.
        """
        if not self._loading.acquire(blocking=False):
            return 0
        try:
            idle = {name: room.idle for name, room in self._rooms.items()}
            gone = [name for name, since in idle.items() if since is not None and since >= seconds]
            for name in gone:
                self._turns[name] = self._rooms[name].to_move
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

    def _retire_old(self) -> None:
        """Moves the rooms that nobody has in memory and that were played in longest ago."""
        with self._loading:
            known = self.ids()
            old = [name for name in known[::-1] if name not in self._rooms]
            old = old[: max(1, len(known) - max(0, MAX_ROOMS - _ROOM_MADE))]
            with suppress(OSError):
                self._move(old, self._folder, self._retired)
            for name in old:
                self._turns.pop(name, None)

    def _bring_back(self, name: str) -> bool:
        """Brings a room back that has retired. Returns whether there is one."""
        if not (self._retired / f"{name}.jsonl").is_file():
            return False
        try:
            self._move([name], self._retired, self._folder)
        except OSError as error:
            why = os_reason(error)
            told = Refusal(f"the room cannot be brought back: {why}", "not-read", why=why)
            raise RecordError(told, self._retired / f"{name}.jsonl") from error
        if not (self._folder / f"{name}.jsonl").is_file():
            raise RecordError("the room's seats cannot be read", self._retired / f"{name}.jsonl")
        return True

    def _move(self, names: Sequence[str], here: Path, there: Path) -> None:
        """Moves the files of rooms. The seats get their new names first and lose the old ones last,
        each step on the disk before the next, so that a record always has its seats: seats without
        a record are removed at a start. A room whose seats cannot be read stays. Raises OSError;
        what was moved until then stays moved.
        """
        there.mkdir(exist_ok=True, mode=0o700)
        whole = []
        for name in names:
            with suppress(OSError):
                Seats.give(here / f"{name}.jsonl", there / f"{name}.jsonl")
                whole.append(name)
        disk.sync(there)
        for name in whole:
            (here / f"{name}.jsonl").rename(there / f"{name}.jsonl")
        disk.sync(there)
        disk.sync(here)
        for name in whole:
            Seats.remove(here / f"{name}.jsonl")

    def stopping(self) -> None:
        """Tells whoever looks at a room that the server stops, and refuses every move from now on:
        nothing is shown that is not on the disk.
        """
        for room in tuple(self._rooms.values()):
            room.close(stops=True)

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
    return one_line(name, MAX_NAME) or f"player {seat + 1}"


class _Brief(NamedTuple):
    """What a list needs of a record."""

    game: str
    players: tuple[str, ...]
    plies: int
    end: End | None


def _brief(record: Record) -> _Brief:
    return _Brief(record.header.game, record.header.players, record.next_ply, record.end)


@lru_cache(maxsize=MAX_ROOMS)
def _read_brief(path: Path, changed: int) -> _Brief:  # noqa: ARG001 - a file that changed is read again
    return _brief(read(path))


def _ended(record: _Brief, seats: Sequence[int]) -> str:
    """How a game ended for whoever has these seats: won, lost or draw; empty if it goes on, or for
    all seats.
    """
    if record.end is None or len(seats) in (0, len(record.players)):
        return ""
    if len(record.end.ranks) == 1:
        return "draw"
    return "won" if set(record.end.ranks[0]) & set(seats) else "lost"


def _changed(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
