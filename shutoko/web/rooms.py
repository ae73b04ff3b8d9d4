"""Rooms: a game that is being played, its seats, its record on disk, and whoever watches; no web framework.

A room is two files in a folder: `ID.jsonl`, its record, to which every ply is appended and synced before anybody hears of it,
and `ID.seats.json`, what is nobody else's business: the secrets of the seats and who holds them. A server that is killed comes
back with every confirmed ply and every seat.

Whoever knows the id of a room may watch. A seat is had by its secret: `claim` gives it to a holder (the id of a browser), who
keeps it. Moves are judged here for the grid games, in a worker process for Tokyo Highway.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from rules.errors import InputError, RecordError, ShutokoError
from rules.record import End, Entry, Record, append, read, write
from rules.record.replay import IllegalPlyError
from shutoko.web import plies
from shutoko.web.analysis import Question, Rated, advised, question
from shutoko.web.levels import hand_of
from shutoko.web.work import Workers, chosen

__all__ = ["HANDS", "MAX_NAME", "Change", "Glance", "RefusedError", "Room", "Rooms", "Setup"]

Change = Literal["ply", "undo", "seats", "wish", "busy", "trouble"]
"""What subscribers are told: look again, this has changed."""

HANDS = ("expert", "normal", "clumsy")
"""The skills that a hand may have at Tokyo Highway; without one it is steady."""

MAX_NAME = 40
"""Characters of a player's name."""

MAX_ROOMS = 1000
"""Rooms of one server; more are refused before they fill the disk."""

_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_VERSION = 1
_FLAG = {"x-time": True}  # the mark of a resignation that the clock made


class RefusedError(ShutokoError):
    """Something that this person may not do, or not now; the message says why."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A game to be opened: `names` by seat; `computers[seat]` is the spec of a player, or None for a person.

    `clock` are the seconds of thought that each has for the whole game, None: no clock; `increment` seconds are added after
    every ply. In a `friendly` game plies may be taken back. `listed` rooms are shown to everybody in the lobby. `hand` is a
    skill of HANDS or None; the spec of a computer may name another. `components` left out are those of the rule set. `held` are
    the seats that the host has, left out: the first person's. `record` (left out: the empty game) is gone on with, its header's
    game and players counting.
    """

    game: str
    names: Sequence[str]
    computers: Sequence[str | None]
    options: Mapping[str, Any] = field(default_factory=dict)
    ruleset: str = "standard"
    components: str | None = None
    hand: str | None = None
    clock: float | None = None
    increment: float = 0.0
    friendly: bool = True
    listed: bool = True
    seed: int | None = None
    held: Sequence[int] | None = None
    record: Record | None = None


@dataclass(slots=True)
class _Seats:
    """The room's side file."""

    secrets: list[str]
    computers: list[str | None]
    holders: list[list[str]]
    host: str
    hand: str | None
    clock: float | None
    increment: float
    friendly: bool
    listed: bool
    seed: int

    def to_json(self) -> dict[str, Any]:
        return {"version": _VERSION} | {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> _Seats:
        return cls(**{name: data[name] for name in cls.__slots__})


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


class Room:
    """One game with its seats. Made by `Rooms`; use from one event loop.

    `moments` are the plies that count, in order. `busy` says that a worker is at it, `trouble` what went wrong there.
    """

    def __init__(self, path: Path, seats: _Seats, record: Record, workers: Workers) -> None:
        self.id = path.stem
        self._path, self._seats, self._workers = path, seats, workers
        self._start = plies.begin(record)
        self._record = record
        self.moments = [moment for moment in plies.moments(record) if not moment.entry.taken_back]
        self._left = self._clock_of(record)
        self.busy = False
        self.trouble = ""
        self.wishes: set[int] = set()
        self._subscribers: list[Callable[[Change], None]] = []
        self._lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._since: float | None = None
        self._started = self._closed = False
        self._asked = time.monotonic()

    # --- what everybody may know ---------------------------------------------------------------------------------------------

    @property
    def record(self) -> Record:
        """The game so far."""
        return self._record

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._record.header.game

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat."""
        return self._record.header.players

    @property
    def position(self) -> Any:
        """The state of a grid game, or the table."""
        return self.moments[-1].after if self.moments else self._start

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        return None if self.over else int(self.position.to_move)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.position.outcome() is not None

    @property
    def computers(self) -> tuple[str | None, ...]:
        """The specs of the computer's players by seat, None for persons."""
        return tuple(self._seats.computers)

    @property
    def taken(self) -> tuple[bool, ...]:
        """Which seats somebody holds, the computer included."""
        return tuple(bool(c or h) for c, h in zip(self._seats.computers, self._seats.holders, strict=True))

    @property
    def friendly(self) -> bool:
        """Whether plies may be taken back."""
        return self._seats.friendly

    @property
    def listed(self) -> bool:
        """Whether the lobby shows the room to everybody."""
        return self._seats.listed

    @property
    def hand(self) -> str | None:
        """The skill of the persons' hands at Tokyo Highway, None for steady ones; a computer's spec may name another."""
        return self._seats.hand

    @property
    def clocks(self) -> tuple[float, ...] | None:
        """The seconds that each seat has left as of now, None without clocks."""
        if self._seats.clock is None:
            return None
        left = list(self._left)
        if self._since is not None and self.to_move is not None:
            left[self.to_move] -= time.monotonic() - self._since
        return tuple(max(seconds, 0.0) for seconds in left)

    @property
    def idle(self) -> float | None:
        """Seconds since somebody asked for the room or left it last; None while anybody watches, or anything runs."""
        thinking = self._task is not None and not self._task.done()
        if self._subscribers or self.busy or thinking or self._timer is not None or self._lock.locked():
            return None
        return time.monotonic() - self._asked

    def touch(self) -> None:
        """Somebody asks for the room."""
        self._asked = time.monotonic()

    def subscribe(self, callback: Callable[[Change], None]) -> Callable[[], None]:
        """Calls back on every change, until the function that is returned is called."""
        self._subscribers.append(callback)

        def leave() -> None:
            with suppress(ValueError):
                self._subscribers.remove(callback)
            self.touch()

        return leave

    # --- seats ---------------------------------------------------------------------------------------------------------------

    def seats_of(self, holder: str) -> tuple[int, ...]:
        """The seats that a holder has; a watcher has none."""
        return tuple(seat for seat, holders in enumerate(self._seats.holders) if holder in holders)

    def claim(self, secret: str, holder: str) -> int:
        """Gives the seat of that secret to a holder. Raises RefusedError for a secret that opens none."""
        self._check_open()
        for seat, known in enumerate(self._seats.secrets):
            if self._seats.computers[seat] is None and hmac.compare_digest(known.encode(), secret.encode()):
                if holder not in self._seats.holders[seat]:
                    self._seats.holders[seat].append(holder)
                    self._keep()
                    self._tell("seats")
                return seat
        raise RefusedError("this invitation opens no seat of this room; you may watch")

    def invitations(self, holder: str) -> dict[int, str]:
        """The secrets of the persons' seats, for the host of the room only."""
        if holder != self._seats.host:
            return {}
        return {seat: secret for seat, secret in enumerate(self._seats.secrets) if self._seats.computers[seat] is None}

    # --- playing -------------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Lets clock and computer go on where it is their turn; asked again, it only wakes a computer that gave up."""
        if not self._started:
            self._go_on()
        elif not self.busy:
            self._wake()

    async def play(self, holder: str, text: str, ply: int) -> plies.Moment:
        """A move by whoever holds the seat to move, or an adjustment by whoever built last.

        `ply` is the one it was meant for. Returns when it is on the disk.

        Raises RefusedError for somebody else's turn, a ply that has passed, a game that is over or busy; NotationError and
        IllegalMoveError for the move itself.
        """
        if self.to_move is None:
            raise RefusedError("the game is over")
        seat = self._mover(text)
        if seat not in self.seats_of(holder):
            mine = self.seats_of(holder)
            raise RefusedError(
                f"it is the turn of {self.names[seat]}" if mine else "you watch this game; you have no seat in it"
            )
        return await self._play(text, ply)

    @property
    def adjusts(self) -> int | None:
        """The seat that may still put its last build right, None if nobody may."""
        lasts = self.position.lasts if self.game == plies.TABLE and self.to_move is not None else ()
        return lasts[-1].seat if lasts else None

    def _mover(self, text: str) -> int:
        """The seat that makes a move; one that cannot be read is the seat's to move."""
        assert self.to_move is not None
        return self.to_move if self.adjusts is None or not plies.adjusts(text) else self.adjusts

    async def resign(self, holder: str) -> plies.Moment:
        """Gives up for the seat to move. Raises RefusedError as `play` does."""
        return await self.play(holder, "resign", self._record.next_ply)

    async def undo(self, holder: str) -> bool:
        """Wishes to take the last ply back; it is once all persons with a seat wish so. Says whether it was.

        The computer's answer is taken back with it. Raises RefusedError in a game that is not friendly, and for watchers.
        """
        self._check_open()
        mine = self.seats_of(holder)
        if not self.friendly:
            raise RefusedError("plies of this game count: it is not a friendly one")
        if not mine:
            raise RefusedError("you watch this game; you have no seat in it")
        if not self.moments:
            raise RefusedError("there is nothing to take back")
        if self.busy:
            raise RefusedError("a move is being made; wait for it")
        persons = {s for s, holders in enumerate(self._seats.holders) if holders and self._seats.computers[s] is None}
        self.wishes |= set(mine)
        if persons - self.wishes:
            self._tell("wish")
            return False
        async with self._lock:
            keep = len(self.moments) - 1
            while keep > 0 and self.computers[self.moments[keep].before.to_move] is not None:
                keep -= 1
            entries = tuple(moment.entry for moment in self.moments[:keep])
            shorter = replace(self._record, entries=entries, end=None, notes=())
            await asyncio.to_thread(write, shorter, self._path)
            self._record, self.moments = shorter, self.moments[:keep]
            self._left = self._clock_of(shorter)
            self.wishes.clear()
        self._tell("undo")
        self._go_on()
        return True

    def close(self) -> None:
        """Stops the clock and the computer; the files stay. Nothing can be done in the room afterwards."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
        if self._timer is not None:
            self._timer.cancel()
        self._subscribers.clear()

    async def _play(self, text: str, ply: int, extra: Mapping[str, Any] | None = None) -> plies.Moment:
        self._check_open()
        if self.busy:
            raise RefusedError("a move is being made; wait for it")
        if ply != self._record.next_ply:
            raise RefusedError(f"this move was meant for ply {ply}; the game is at ply {self._record.next_ply}")
        self.busy, self.trouble = True, ""
        try:
            async with self._lock:
                moment = await self._made(text, ply, {**self._spent(text), **(extra or {})})
                end = self._ending(moment.after)
                await asyncio.to_thread(_save, self._path, moment.entry, end)
                self._record = self._record.plus(moment.entry)
                self._record = self._record if end is None else self._record.with_end(end)
                self.moments[-1:] = [replace(last, film=None) for last in self.moments[-1:]]  # it has been shown
                self.moments.append(moment)
                self._left = self._clock_of(self._record)
                self.wishes.clear()
        finally:
            self.busy = False
        self._tell("ply")
        self._go_on()
        return moment

    def _check_open(self) -> None:
        """Two rooms of one file would write over each other."""
        if self._closed:
            raise RefusedError("nobody looked at this room for a while, so it was put away; load the page again")

    async def _made(self, text: str, ply: int, extra: Mapping[str, Any]) -> plies.Moment:
        if self.game != plies.TABLE:
            return plies.played(self.position, text, ply, extra)
        before = self.position
        engine = str((self._record.header.physics or {}).get("engine", "none"))
        seed = (self._seats.seed, ply)
        self._tell("busy")
        hand = hand_of(self.computers[self._mover(text)], self.hand)
        deed = plies.MoveJob(plies.bare(before), text, ply, engine, hand, seed, extra)
        try:
            return plies.judged(before, *await self._workers.run(plies.perform, deed), self.names)
        except BaseException:
            self.busy = False
            self._tell("busy")
            raise

    def _ending(self, after: Any) -> End | None:
        outcome = after.outcome()
        return None if outcome is None else End(outcome.ranks, outcome.reason)

    # --- computer and clock --------------------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Whoever is to move: the clock runs, and the computer thinks if it is the computer."""
        self._started = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        seat = self.to_move
        self._since = None
        if seat is None:
            return
        loop = asyncio.get_running_loop()
        if self._seats.clock is not None and self.moments:
            self._since = time.monotonic()
            self._timer = loop.call_later(self._left[seat] + 0.01, self._out_of_time, self._record.next_ply)
        self._wake()

    def _wake(self) -> None:
        seat = self.to_move
        idle = self._task is None or self._task.done() or self._task is asyncio.current_task()
        if seat is not None and self.computers[seat] is not None and idle:
            self._task = asyncio.get_running_loop().create_task(self._think(seat, self._record.next_ply))

    async def advice(self, spec: str, most: int) -> tuple[Rated, ...]:
        """The best moves here as a player sees them, at most so many; nothing is played. Raises what the player raises."""
        return await self._workers.run(advised, spec, self._question(), (self._seats.seed, self._record.next_ply, 2), most)

    async def _think(self, seat: int, ply: int) -> None:
        spec = self.computers[seat]
        assert spec is not None
        try:
            text = await self._chosen(spec, ply)
            if self._record.next_ply == ply and not self.busy and not self.over:
                await self._play(text, ply)
        except ShutokoError as error:
            self._fail(f"{spec}: {error}")
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - a player of somebody else may fail in any way; the room must live on
            self._fail(f"{spec}: {type(error).__name__}: {error}")

    async def _chosen(self, spec: str, ply: int) -> str:
        asked = self._question()
        return await self._workers.run(chosen, spec, asked.game, asked.options, asked.state, (self._seats.seed, ply, 1))

    def _question(self) -> Question:
        return question(self._record.header, self.position)

    def _fail(self, text: str) -> None:
        self.trouble = text
        self._tell("trouble")

    def _out_of_time(self, ply: int) -> None:
        if self._record.next_ply == ply and not self.busy and not self.over:
            self._flag = asyncio.get_running_loop().create_task(self._play("resign", ply, _FLAG))

    def _spent(self, text: str) -> dict[str, Any]:
        """The clocks as they stand once the seat to move has moved: written into the ply, so that they survive with it.

        An adjustment gives whoever is to move the time back that passed meanwhile.
        """
        clocks, seat = self.clocks, self.to_move
        if clocks is None or seat is None:
            return {}
        if self._mover(text) != seat:
            return {"x-clock": [round(seconds, 2) for seconds in self._left]}
        return {"x-clock": [round(s + (self._seats.increment if n == seat else 0.0), 2) for n, s in enumerate(clocks)]}

    def _clock_of(self, record: Record) -> list[float]:
        for entry in reversed(record.entries):
            if "x-clock" in entry.extra:
                return [float(seconds) for seconds in entry.extra["x-clock"]]
        return [float(self._seats.clock or 0.0)] * len(record.header.players)

    # --- keeping -------------------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        _write_private(self._path.with_suffix(".seats.json"), json.dumps(self._seats.to_json()).encode())

    def _tell(self, change: Change) -> None:
        for callback in tuple(self._subscribers):
            callback(change)


class Rooms:
    """All rooms of a server, in one folder; a room is loaded when it is first asked for, and put away again (`put_away`).

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
        """A room for a game that begins; the host hands out the seats that are not held.

        Raises InputError for a setup that makes no game, RefusedError if there are too many rooms.
        """
        if len(self.ids()) >= MAX_ROOMS:
            raise RefusedError(f"there are {MAX_ROOMS} rooms already; delete old ones from {self._folder}")
        record = _record_of(setup)
        count = len(record.header.players)
        if len(setup.computers) != count:
            raise InputError(f"computers names {len(setup.computers)} seats, but the game has {count}")
        if setup.hand is not None and setup.hand not in HANDS:
            raise InputError(f"there is no hand {setup.hand!r}; there are: {', '.join(HANDS)}")
        persons = [seat for seat, spec in enumerate(setup.computers) if spec is None]
        held = persons[:1] if setup.held is None else [seat for seat in setup.held if seat in persons]
        seats = _Seats(
            secrets=[secrets.token_urlsafe(18) for _ in range(count)],
            computers=list(setup.computers),
            holders=[[host] if seat in held else [] for seat in range(count)],
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
        write(record, path)
        room._keep()  # noqa: SLF001 - a room that is not on the disk yet is nobody else's
        with self._loading:
            self._rooms[room.id] = room
        return room

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
            try:
                seats = _Seats.from_json(json.loads(path.with_suffix(".seats.json").read_text(encoding="utf-8")))
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise RecordError(f"the room's seats cannot be read: {error}", path) from error
            try:
                room = Room(path, seats, read(path), self._workers)
            except IllegalPlyError as error:
                raise RecordError(str(error)) from error
            self._rooms[name] = room
            return room

    def glance(self, name: str, holder: str) -> Glance | None:
        """What the lobby shows of a room, read off its files without replaying it; None for what cannot be read."""
        if not _ID.fullmatch(name):
            return None
        path = self._folder / f"{name}.jsonl"
        try:
            seats = _Seats.from_json(json.loads(path.with_suffix(".seats.json").read_text(encoding="utf-8")))
            record = self._rooms[name].record if name in self._rooms else read(path)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        mine = any(holder in holders for holders in seats.holders)
        header = record.header
        return Glance(name, header.game, header.players, record.next_ply, record.end is not None, seats.listed, mine)

    def put_away(self, seconds: float) -> int:
        """Forgets the rooms that nobody has looked at for so long and in which nothing runs; says how many.

        Whoever asks for one of them again has it loaded from its files. Use it from the event loop of the rooms, which does not
        wait: while a room is being loaded nothing is put away.
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

    def close(self) -> None:
        """Closes every room; the files stay."""
        for room in self._rooms.values():
            room.close()
        self._rooms.clear()


def _record_of(setup: Setup) -> Record:
    names = [_name(name, seat) for seat, name in enumerate(setup.names)]
    if setup.record is not None:
        header = setup.record.header
        if len(names) != len(header.players):
            raise InputError(f"{len(names)} names for a game of {len(header.players)} players")
        return Record(replace(header, players=tuple(names)), setup.record.entries)
    given = {"ruleset": setup.ruleset, "components": setup.components} if setup.game == plies.TABLE else {}
    return Record(plies.header_of(setup.game, names, setup.options, **given))


def _name(name: str, seat: int) -> str:
    plain = " ".join("".join(char if char.isprintable() else " " for char in name).split())[:MAX_NAME]
    return plain or f"player {seat + 1}"


def _save(path: Path, entry: Entry, end: End | None) -> None:
    append(path, entry)
    if end is not None:
        append(path, end)


def _write_private(path: Path, data: bytes) -> None:
    """The whole file or the old one, on the disk when this returns, readable by the server's owner only."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "wb") as stream:  # noqa: PTH123 - a file descriptor
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _changed(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
