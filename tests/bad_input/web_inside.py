"""The pages of `shutoko serve` without sockets, browsers and other processes: what pages send goes
to their handlers at once.

Run as a process of its own, as NiceGUI has one application in a process. A line of its input is an
input of the target "web events"; a line of its output says what went wrong in our own code, as
JSON, or null.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pickle
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import httpx
from nicegui import Client, app, background_tasks, core, ui
from nicegui.nicegui import _on_handshake
from nicegui.testing.general import prepare_simulation

from rules.record.replay import replay
from shutoko.web.pages.routes import register
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.site import Site
from shutoko.web.work.kinds import HINT, MOVE, UPLOAD, VERIFY, WARM, Kind
from shutoko.web.work.players import Rated
from shutoko.web.work.workers import StoppedError

_OURS = tuple(
    f"{Path(__file__).resolve().parents[2] / name}/" for name in ("rules", "sim", "shutoko")
)
_DONE_HERE = (MOVE, UPLOAD, VERIFY, WARM)
_FRESH = 100  # inputs until pages and rooms are made anew: games end, and pages grow
_PATIENCE = 20.0  # seconds for what handlers began
_HOST = "host"
_SETUPS = (
    Setup("meridians", ("a", "b"), (None, None), {"size": 4}, seed=1),
    Setup("thruway", ("a", "b"), (None, None), {"size": 5}, seed=1),
    Setup("tokyo-highway", ("a", "b"), (None, None), {"engine": "none"}, seed=1),
)


class _Here:
    """Does quick jobs in this process, as workers would, and stops those that take long."""

    async def run(self, work: Callable[..., Any], *arguments: Any, kind: Kind, **_: Any) -> Any:
        if kind is HINT and hasattr(arguments[1].state, "legal_moves"):
            return (Rated(str(arguments[1].state.legal_moves()[0])),)
        if kind not in _DONE_HERE:
            raise StoppedError(f"{kind.name} is left out")
        return pickle.loads(pickle.dumps(work(*pickle.loads(pickle.dumps(arguments)))))  # noqa: S301 - made here

    def close(self) -> None:
        """Nothing runs on."""


class _Inside:
    """The site, its rooms, and the pages that are open."""

    def __init__(self, site: Site) -> None:
        self.site, self.wrong = site, list[str]()
        self._used, self._pages = 0, dict[int, Client]()
        self._paths: tuple[str, ...] = ()
        self._files: dict[Path, bytes] = {}
        self._visitors = count()

    def failed(self, error: BaseException | None) -> None:
        """Notes an error, if it comes from our own code: what NiceGUI says of nonsense that no
        browser sends is its own.
        """
        places = traceback.extract_tb(error.__traceback__) if error is not None else ()
        if error is not None and (not places or places[-1].filename.startswith(_OURS)):
            self.wrong.append("".join(traceback.format_exception(error)))

    async def handle(self, text: str) -> str | None:
        """Sends the events of an input; what went wrong, if anything did."""
        number, sent = json.loads(text)
        if self._used % _FRESH == 0 or self.wrong:
            self._renew()
        self._used += 1
        self.wrong.clear()
        page = await self._page(number % len(self._paths))
        before = set(background_tasks.running_tasks)
        for which, values in sent:
            listeners = [*_listeners(page)]
            if listeners:
                element, listener = listeners[which % len(listeners)]
                told = {
                    "id": element,
                    "listener_id": listener,
                    "args": [json.dumps(value) for value in values],
                }
                try:
                    page.handle_event(told)
                except Exception as error:  # noqa: BLE001 - it is what is looked for
                    self.failed(error)
                await asyncio.sleep(0)
        # but for timers
        begun = {
            task
            for task in background_tasks.running_tasks - before
            if "_run_" not in task.get_name()
        }
        if begun:
            _, late = await asyncio.wait(begun, timeout=_PATIENCE)
            self.wrong += [f"{task.get_name()} does not end" for task in late]
        self._check_files()
        return "\n".join(self.wrong) or None

    def _renew(self) -> None:
        for page in list(Client.instances.values()):
            page.delete()
        self._pages.clear()
        for known in self.site.rooms.ids():
            for path in (self.site.data / "rooms").glob(f"*{known}*"):
                path.unlink()
        self.site.rooms.close()
        rooms = [self.site.rooms.open(setup, _HOST) for setup in _SETUPS]
        self._files = {self.site.data / "rooms" / f"{room.id}.jsonl": b"" for room in rooms}
        seats = [
            f"/room/{room.id}?seat={secret}&sit=1"
            for room in rooms
            for secret in room.invitations(_HOST).values()
        ]
        watched = [f"/room/{room.id}" for room in rooms] + [
            f"/replay/room/{room.id}" for room in rooms
        ]
        self._paths = ("/", "/replay/shipped/boards-thruway-opening?ply=1", *seats, *watched)

    async def _page(self, number: int) -> Client:
        known = self._pages.get(number)
        if known is not None and not known.is_deleted:
            return known
        n = next(self._visitors)
        way = httpx.ASGITransport(
            core.app, client=(f"127.{n // 62500 % 250 + 1}.{n // 250 % 250}.{n % 250 + 1}", 1)
        )
        async with httpx.AsyncClient(
            transport=way, base_url="http://test", follow_redirects=True
        ) as browser:
            told = (await browser.get(self._paths[number])).text
        match = re.search(r"'client_id': '([0-9a-f-]+)'", told)
        assert match is not None, told
        self._pages[number] = page = Client.instances[match[1]]
        await _on_handshake(
            f"test-{n}", {"client_id": page.id, "tab_id": f"t{n}", "document_id": f"d{n}"}
        )
        return page

    def _check_files(self) -> None:
        """A room whose file has changed is still whole."""
        for path, before in self._files.items():
            data = path.read_bytes()
            if data != before:
                self._files[path] = data
                for _ in replay(path):
                    pass


def _listeners(page: Client) -> Iterator[tuple[int, str]]:
    for number, element in list(page.elements.items()):
        for listener in list(element._event_listeners):
            yield number, listener


async def _run(site: Site) -> None:
    inside = _Inside(site)
    app.on_exception(inside.failed)
    asyncio.get_running_loop().set_exception_handler(
        lambda _, told: inside.failed(told.get("exception"))
    )
    async with core.app.router.lifespan_context(core.app):
        while text := await asyncio.to_thread(sys.stdin.readline):
            try:
                said = await inside.handle(text)
            except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
                said = traceback.format_exc()
            sys.stdout.write(f"{json.dumps(said)}\n")
            sys.stdout.flush()


def main() -> None:
    """Answers every line of the input."""
    with tempfile.TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        logging.getLogger("nicegui").setLevel(logging.CRITICAL)  # `failed` is told of every error
        os.environ["NICEGUI_USER_SIMULATION"] = "true"
        prepare_simulation()
        site = Site("127.0.0.1", 8000, Path(folder), 1)
        site.workers = _Here()  # type: ignore[assignment] # takes its place
        site.rooms = Rooms(site.data / "rooms", site.workers)
        register(site)
        ui.run(storage_secret="of these tests")  # noqa: S106 - no secret
        asyncio.run(_run(site))


if __name__ == "__main__":
    main()
