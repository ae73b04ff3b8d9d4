"""Starts the server: a process for all pages, and worker processes for physics and players. One folder holds all it keeps."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable

from rules.errors import InputError
from shutoko.web import STATIC
from shutoko.web.guard import LOOPBACK, Guard, session_secret
from shutoko.web.library import MAX_UPLOAD
from shutoko.web.site import Site

__all__ = ["serve"]

_YEAR = 365 * 24 * 3600
_IDLE = 600.0  # seconds after which a room that nobody looks at leaves the memory


def serve(site: Site, told: Callable[[str], None]) -> None:
    """Serves until it is interrupted; calls `told` with the address once it listens. Raises InputError if the port is taken."""
    _check_free(site)
    os.environ["NICEGUI_STORAGE_PATH"] = str(site.data / "sessions")  # read when NiceGUI is imported
    from nicegui import app, background_tasks, ui

    from shutoko.web.pages.routes import register

    hosts = None if site.public else LOOPBACK
    app.add_middleware(Guard, hosts=hosts, limit=MAX_UPLOAD + 2**16)
    register(site)

    async def ready() -> None:
        address = f"[{site.host}]" if ":" in site.host else site.host
        told(f"http://{address}:{site.port}/")
        background_tasks.create_lazy(_warm_all(site), name="warm")
        background_tasks.create_lazy(_put_away(site), name="put away")

    app.on_startup(ready)
    app.on_shutdown(site.close)
    ui.run(
        host=site.host,
        port=site.port,
        title="Shutoko",
        favicon=STATIC / "favicon.svg",
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
    """Frees the memory of rooms that nobody looks at, again and again."""
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
