"""The server: one process for all pages, worker processes for physics and players; everything that it keeps is in one folder.

The only module that starts NiceGUI. Pages register themselves with the `Site` that they belong to.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rules.arena.players import known_players
from rules.errors import InputError
from rules.game import known_games
from shutoko.web.guard import LOOPBACK, Guard, session_secret
from shutoko.web.library import MAX_UPLOAD, Library
from shutoko.web.rooms import Rooms
from shutoko.web.work import Workers, warm

__all__ = ["Site", "serve"]

_YEAR = 365 * 24 * 3600
_IDLE = 600.0  # seconds after which a room that nobody looks at leaves the memory


@dataclass
class Site:
    """What the pages share: where the server listens, the folder, the rooms, the library and the workers."""

    host: str
    port: int
    data: Path
    processes: int | None = None
    open_browser: bool = True
    workers: Workers = field(init=False)
    rooms: Rooms = field(init=False)
    library: Library = field(init=False)
    _warm: dict[str, asyncio.Task[None]] = field(init=False, default_factory=dict)
    _players: dict[str, tuple[str, ...]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        try:
            self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.workers = Workers(self.processes)
            self.rooms = Rooms(self.data / "rooms", self.workers)
            self.library = Library(self.data / "records")
        except OSError as error:
            raise InputError(f"{self.data}: nothing can be kept here: {error.strerror or error}") from error

    @property
    def public(self) -> bool:
        """Whether other machines can reach the server; rooms are then seen by those only who have a link."""
        return self.host not in LOOPBACK

    @property
    def games(self) -> tuple[str, ...]:
        """The games that are installed and that there is a page for."""
        there = known_games()
        return tuple(name for name in ("tokyo-highway", "thruway", "meridians") if name in there)

    def players(self, game: str) -> tuple[str, ...]:
        """The computer's players of a game that are installed; looked up once, since pages ask for them each time."""
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
        with contextlib.suppress(Exception):  # whoever plays it is told what is wrong
            await self.workers.run(warm, game)
            await asyncio.to_thread(warm, game)


def serve(site: Site, told: Callable[[str], None]) -> None:
    """Serves until it is interrupted; `told` hears the address once it does. Raises InputError if the port is taken."""
    _check_free(site)
    os.environ["NICEGUI_STORAGE_PATH"] = str(site.data / "sessions")  # read when NiceGUI is imported
    from nicegui import app, background_tasks, ui

    from shutoko.web.pages import register

    hosts = None if site.public else LOOPBACK
    app.add_middleware(Guard, hosts=hosts, limit=MAX_UPLOAD + 2**16)
    register(site)

    async def ready() -> None:
        address = f"[{site.host}]" if ":" in site.host else site.host
        told(f"http://{address}:{site.port}/")
        background_tasks.create_lazy(_warm_all(site), name="warm")
        background_tasks.create_lazy(_put_away(site), name="put away")

    def done() -> None:
        site.rooms.close()
        site.workers.close()

    app.on_startup(ready)
    app.on_shutdown(done)
    ui.run(
        host=site.host,
        port=site.port,
        title="Shutoko",
        favicon=Path(__file__).parent / "static" / "favicon.svg",
        reload=False,
        show=site.open_browser,
        show_welcome_message=False,
        dark=None,
        tailwind=False,
        storage_secret=session_secret(site.data),
        session_middleware_kwargs={"session_cookie": f"shutoko-{site.port}", "max_age": _YEAR},
        reconnect_timeout=10.0,
        server_header=False,
    )


async def _warm_all(site: Site) -> None:
    for name in site.games:
        await site.warmed(name)


async def _put_away(site: Site) -> None:
    """Rooms that nobody looks at take no memory."""
    while True:
        await asyncio.sleep(_IDLE / 10)
        site.rooms.put_away(_IDLE)


def _check_free(site: Site) -> None:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(site.host, site.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise InputError(f"{site.host} port {site.port} cannot be listened on: {error.strerror or error}") from error
