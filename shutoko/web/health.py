"""Whether the server works, for programs that watch it: /healthz for everybody, /metrics for
Prometheus where it is asked for.

A worker has to answer a call, and a file has to be written and flushed in the folder of the server:
both are tried, not looked up. A worker that died is replaced before it is noticed here; one that is
stopped, or a queue in which games wait for long, is noticed.
"""

import asyncio
import os
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import Response
from fastapi.responses import JSONResponse, PlainTextResponse
from nicegui import app

from rules.errors import ShutokoError
from shutoko import __version__
from shutoko.web.site import Site
from shutoko.web.work import (
    WARM,
)
from sim.physics.engines import available

_PATIENCE = 5.0  # seconds in which a worker has to answer
_FRESH = 2.0  # seconds for which an answer holds, however often it is asked for
_BOTH = ["GET", "HEAD"]


@dataclass(frozen=True, slots=True)
class Health:
    """What was found: rooms in memory, processes of the pool, whether one answered, whether the
    folder can be written to.
    """

    rooms: int
    workers: int
    workers_answer: bool
    disk_writable: bool

    @property
    def ok(self) -> bool:
        """Whether games can be played and kept."""
        return self.workers_answer and self.disk_writable

    def to_json(self) -> dict[str, Any]:
        """The body of /healthz."""
        return {
            "ok": self.ok,
            "version": __version__,
            "engines": list(available()),
            "rooms": self.rooms,
            "workers": {"processes": self.workers, "answer": self.workers_answer},
            "disk": {"writable": self.disk_writable},
        }

    def to_prometheus(self) -> str:
        """The body of /metrics, in Prometheus' text format."""
        rows = (
            ("shutoko_ok", "1 if games can be played and kept", int(self.ok)),
            ("shutoko_rooms", "rooms in memory", self.rooms),
            ("shutoko_workers", "worker processes", self.workers),
            ("shutoko_workers_answer", "1 if a worker answers", int(self.workers_answer)),
            ("shutoko_disk_writable", "1 if the folder can be written to", int(self.disk_writable)),
        )
        told = [
            f"# HELP {name} {what}\n# TYPE {name} gauge\n{name} {value}\n"
            for name, what, value in rows
        ]
        info = "# HELP shutoko_info the version\n# TYPE shutoko_info gauge\n"
        return "".join(told) + f'{info}shutoko_info{{version="{__version__}"}} 1\n'


class Watch:
    """Looks at a site, once for all who ask at the same time. Use it from the server's event
    loop.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._last: tuple[float, Health] | None = None
        self._looking = asyncio.Lock()

    async def health(self) -> Health:
        """How the server is, at most some seconds ago."""
        async with self._looking:
            if self._last is None or time.monotonic() - self._last[0] > _FRESH:
                found = await self._look()
                self._last = time.monotonic(), found
            return self._last[1]

    async def _look(self) -> Health:
        site = self._site
        answer, writable = await asyncio.gather(
            self._answered(), asyncio.to_thread(_writable, site.data)
        )
        return Health(site.rooms.in_memory, len(site.workers.pids), answer, writable)

    async def _answered(self) -> bool:
        try:
            await asyncio.wait_for(self._site.workers.run(os.getpid, kind=WARM), _PATIENCE)
        except (TimeoutError, ShutokoError, OSError):
            return False
        return True


def register(site: Site, *, metrics: bool = False) -> None:
    """Adds /healthz (200, or 503 where something fails) and, if asked to, /metrics."""
    watch = Watch(site)

    async def healthz() -> Response:
        found = await watch.health()
        return JSONResponse(
            found.to_json(), 200 if found.ok else 503, {"cache-control": "no-store"}
        )

    async def for_prometheus() -> Response:
        return PlainTextResponse(
            (await watch.health()).to_prometheus(), media_type="text/plain; version=0.0.4"
        )

    add = partial(app.add_api_route, methods=_BOTH, include_in_schema=False)
    add("/healthz", healthz)
    if metrics:
        add("/metrics", for_prometheus)


def _writable(folder: Path) -> bool:
    """Whether a file can be written there and reaches the disk; a full one takes its name, but not
    its content.
    """
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        return False
    return True
