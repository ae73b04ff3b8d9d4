"""Starts the server: a process for all pages, and worker processes for physics and players. One
folder holds all it keeps.
"""

import asyncio
import gc
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from rules.errors import InputError
from shutoko.web import STATIC
from shutoko.web.guard import Guard, session_secret
from shutoko.web.limits import MAX_CONNECTIONS, MAX_MESSAGE, MAX_PHOTO, MAX_UPLOAD, LogLimit
from shutoko.web.site import Site

# the loggers that write of what comes over the network
_LOGS = ("nicegui", "uvicorn.error", "asyncio", "socketio.server", "engineio.server")
_YEAR = 365 * 24 * 3600
_OTHER_FILES = 500  # descriptors besides connections
_GRACE = 2  # seconds for answers that are under way when a signal ends the server
_TOLD = 0.3  # seconds in which pages hear that the server stops, before their sockets are closed
_LAST = 4.0  # seconds after which it ends whatever still runs: what is confirmed is on the disk
_IDLE = 600.0  # seconds after which a room that nobody looks at leaves the memory


def serve(site: Site, told: Callable[[str], None], *, metrics: bool = False) -> None:
    """Serves until it is interrupted; calls `told` with the address once it listens. `metrics` adds
    /metrics. Raises InputError if the port is taken.
    """
    _check_free(site)
    # workers inherit it: on small matrices more threads only wait
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # read when NiceGUI is imported
    os.environ["NICEGUI_STORAGE_PATH"] = str(site.data / "sessions")
    from nicegui import app, background_tasks, ui

    from shutoko.web import health
    from shutoko.web.connections import Connection
    from shutoko.web.pages.photo.choosing import TAKE
    from shutoko.web.pages.routes import register

    secret = session_secret(site.data)
    cookie = {
        "session_cookie": f"shutoko-{site.port}",
        "max_age": _YEAR,
        "https_only": site.address.startswith("https:"),
    }
    app.add_middleware(Guard, hosts=site.names, limit=MAX_UPLOAD + 2**16, larger={TAKE: MAX_PHOTO})
    register(site)
    health.register(site, metrics=metrics)

    async def ready() -> None:
        limit = LogLimit()  # bounds what strangers write there by requests that make no sense
        for name in _LOGS:
            logging.getLogger(name).addFilter(limit)
        _trust_cookies_at_any_time(app, secret)
        # each full pass over what lives as long as the server would hold up every visitor
        gc.collect()
        gc.freeze()
        told(site.address)
        _end_in_time(site)
        background_tasks.create_lazy(_warm_all(site), name="warm")
        background_tasks.create_lazy(_put_away(site), name="put away")

    _raise_descriptors()

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
        storage_secret=secret,
        session_middleware_kwargs=cookie,
        reconnect_timeout=10.0,
        server_header=False,
        http=Connection,
        ws_max_size=MAX_MESSAGE,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE,
    )


def _trust_cookies_at_any_time(app: Any, secret: str) -> None:
    """Makes signed cookies valid whatever the system's clock says: if it jumped, everybody would
    lose their seat. Browsers forget a cookie after a year. Call it once the application has put its
    layers together.
    """
    from itsdangerous import TimestampSigner
    from starlette.middleware.sessions import SessionMiddleware

    class Untimed(TimestampSigner):
        def unsign(self, signed_value: Any, *_: Any, **__: Any) -> Any:
            return super().unsign(signed_value)

    layer = app.middleware_stack
    while not isinstance(layer, SessionMiddleware):
        layer = layer.app
    layer.signer = Untimed(secret)


def _end_in_time(site: Site) -> None:
    """Has the server end within seconds of a signal, whatever jobs and threads do. Call it once
    uvicorn has its handlers.
    """
    loop = asyncio.get_running_loop()

    def chained(
        before: Callable[[int, FrameType | None], Any],
    ) -> Callable[[int, FrameType | None], None]:
        def handle(number: int, frame: FrameType | None) -> None:
            last = threading.Timer(_LAST, lambda: os._exit(128 + number))
            last.daemon = True
            last.start()
            loop.call_soon_threadsafe(_stopping, site)
            loop.call_soon_threadsafe(loop.call_later, _TOLD, before, number, frame)

        return handle

    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)
        if callable(before):
            signal.signal(number, chained(before))


def _stopping(site: Site) -> None:
    """Tells players that the server stops; no move is made from now on."""
    site.rooms.stopping()
    site.workers.close()


def _raise_descriptors() -> None:
    """Lets the process have a descriptor for each connection, where its limit can be raised; the
    usual one is 1024.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + _OTHER_FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def _warm_all(site: Site) -> None:
    for name in site.games:
        await site.warmed(name)
    for name in site.games:
        await site.ready(name)


async def _put_away(site: Site) -> None:
    """Frees the memory of rooms that nobody looks at, again and again."""
    while True:
        await asyncio.sleep(_IDLE / 10)
        site.rooms.put_away(_IDLE)


def _check_free(site: Site) -> None:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            site.host, site.port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise InputError(
            f"{site.host} port {site.port} cannot be listened on: {error.strerror or error}"
        ) from error
