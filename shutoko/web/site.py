"""What all pages of a server share; no web framework."""

import asyncio
import contextlib
import socket
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rules.arena.players import known_players
from rules.defaults import is_slow
from rules.errors import InputError, Refusal
from rules.game import Game, game, known_games
from rules.record.disk import Hold, hold
from shutoko.web.guard import LOOPBACK
from shutoko.web.library import Diaries, Library
from shutoko.web.limits import ROOMS, SAID, UPLOADS, Counts
from shutoko.web.notices.bell import Bell
from shutoko.web.notices.settings import Settings
from shutoko.web.photos import Photos
from shutoko.web.rooms.seats import Seats
from shutoko.web.rooms.store import RETIRED, Rooms
from shutoko.web.work import (
    WARM,
    Workers,
    warm,
)


@dataclass
class Site:
    """What the pages share: where the server listens, the folder, the rooms, the library, the
    diaries, the photos, the workers, and what each visitor has opened and uploaded.

    `url` is the address by which people reach it through a proxy, without a path. `notices` says
    how players may be told of their turns.

    Raises HeldError if another server has the folder, InputError if nothing can be kept there.
    """

    host: str
    port: int
    data: Path
    processes: int | None = None
    open_browser: bool = True
    url: str | None = None
    notices: Settings = field(default_factory=Settings)
    hold: Hold = field(init=False)
    opened: Counts = field(
        init=False, default_factory=lambda: Counts(Refusal("rooms opened", "what-rooms"), ROOMS)
    )
    said: Counts = field(
        init=False, default_factory=lambda: Counts(Refusal("messages", "what-messages"), SAID)
    )
    uploaded: Counts = field(
        init=False, default_factory=lambda: Counts(Refusal("uploads", "what-uploads"), UPLOADS)
    )
    workers: Workers = field(init=False)
    rooms: Rooms = field(init=False)
    library: Library = field(init=False)
    diaries: Diaries = field(init=False)
    photos: Photos = field(init=False, default_factory=Photos)
    bell: Bell = field(init=False)
    _retired_hold: Hold = field(init=False)
    _warm: dict[str, asyncio.Task[None]] = field(init=False, default_factory=dict)
    _games: dict[str, Game[Any]] = field(init=False, default_factory=dict)
    _players: dict[str, tuple[str, ...]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        try:
            self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
            rooms = self.data / "rooms"
            rooms.mkdir(exist_ok=True, mode=0o700)
            self.hold = hold(rooms)
            retired = rooms / RETIRED
            retired.mkdir(exist_ok=True, mode=0o700)
            self._retired_hold = hold(retired)
            for folder in (rooms, retired):
                Seats.remove_orphans(folder)
            self.workers = Workers(self.processes, self.data / "scenes")
            self.rooms = Rooms(rooms, self.workers)
            self.library = Library(self.data / "records")
            self.diaries = Diaries(self.data / "noted")
            self.bell = Bell(self.data, self.notices)
            self.rooms.bell = self.bell.hear if self.notices.push is not None else None
        except OSError as error:
            raise InputError(
                f"{self.data}: nothing can be kept here: {error.strerror or error}"
            ) from error

    def close(self) -> None:
        """Puts the rooms away, ends the workers, and lets another server have the folder; the files
        stay.
        """
        self.bell.close()
        self.rooms.close()
        self.workers.close()
        self._retired_hold.release()
        self.hold.release()

    @property
    def public(self) -> bool:
        """Whether other machines can reach the server; then only those who have its link see a
        room.
        """
        return self.host not in LOOPBACK or self.url is not None

    @property
    def names(self) -> tuple[str, ...] | None:
        """The names and addresses that browsers may use; None is any, on a network whose names
        nobody can list.
        """
        if self.url is not None:
            return (*LOOPBACK, self.host, str(urlsplit(self.url).hostname))
        return LOOPBACK if self.host in LOOPBACK else None

    @property
    def address(self) -> str:
        """Where people find the pages."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.url or f'http://{host}:{self.port}'}/"

    def seen_from_afar(self, scheme: str, host: str) -> str:
        """The address of the server in a link to somebody else, given the one that a browser asks
        for.

        A browser on this machine may ask for `localhost`, which leads others nowhere: they get the
        address in the network.
        """
        if self.url is not None:
            return self.url
        name, colon, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        if self.public and (name or host).strip("[]") in LOOPBACK:
            return f"{scheme}://{_own_address() or name or host}{colon}{port if colon else ''}"
        return f"{scheme}://{host}"

    @property
    def games(self) -> tuple[str, ...]:
        """The games that are installed and can be loaded, those with physics first."""
        there = [name for name in known_games() if self.game(name) is not None]
        return tuple(sorted(there, key=lambda name: (not is_slow(self._games[name]), name)))

    def game(self, name: str) -> Game[Any] | None:
        """The game of that name as it is usually played; None if it is not installed, or cannot be
        loaded.
        """
        if name not in self._games:
            try:
                self._games[name] = game(name)
            except Exception:  # noqa: BLE001 - a game from elsewhere may fail in any way; the others are still played
                return None
        return self._games[name]

    def players(self, game: str) -> tuple[str, ...]:
        """The computer's players of a game that are installed; looked up once, since pages ask for
        them each time.
        """
        if game not in self._players:
            self._players[game] = known_players(game)
        return self._players[game]

    async def warmed(self, game: str) -> None:
        """Returns when the rules of a game are compiled, or read from the cache on disk.

        Compiling would hold up every page, so a worker does it first.
        """
        if game not in self._warm:
            self._warm[game] = asyncio.create_task(self._warmed(game))
        await asyncio.shield(self._warm[game])

    async def _warmed(self, game: str) -> None:
        with contextlib.suppress(Exception):  # the room that plays it shows what is wrong
            await self.workers.run(warm, game, kind=WARM)
            await asyncio.to_thread(warm, game)

    async def ready(self, game: str) -> None:
        """Returns when each worker can answer in a game at once; nobody knows which one has to."""
        await self.warmed(game)
        plays = partial(warm, plays=True)
        jobs = (self.workers.run(plays, game, kind=WARM) for _ in range(self.workers.size))
        with contextlib.suppress(Exception):  # as above
            await asyncio.gather(*jobs)


def _own_address() -> str:
    """The address of this machine in the network that leads out of it, empty without one. Nothing
    is sent.
    """
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address that nobody has
        return str(probe.getsockname()[0])
    return ""
