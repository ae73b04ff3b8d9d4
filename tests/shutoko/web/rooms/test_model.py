"""A room and its pages under everything that may happen in them, in any order: pages, memory and
disk agree after each step, and no page is left without its controls.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from fastapi import Request
from nicegui import Client, core, ui
from nicegui.page import page

from rules.errors import ShutokoError
from rules.record import Record, read
from shutoko.web.pages.frame import Visitor
from shutoko.web.pages.rooms.table_room import TableRoom
from shutoko.web.rooms.room import Room
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.views.aiming import request_for
from shutoko.web.wording import words
from shutoko.web.work import jobs
from shutoko.web.work.workers import Workers
from sim.assets import asset
from sim.game.replay import branch
from tests.shutoko.web.rooms.room_model import counts, run


@pytest.mark.slow
def test_pages_memory_and_disk_agree_after_every_step_of_a_room_in_any_order():
    run(1200, 40, at_random=False)
    assert counts["steps"] > 300
    assert counts["the computer answers"]
    assert counts["at once"]
    assert counts["the server is killed"]
    assert counts["yes"]


# --- the pages of a table -------------------------------------------------------------------------

ANN, BO = "ann", "bo"
STANDS, FALLS = ([[[0, x, 0, z, 0], [0.1, x, 0, z, 0]]] * 2 for x, z in ((0, 0), (60, 9)))
"""How a pillar and its road are led: over their place, and let go beside it."""
MOST = 3
"""Plies up to which the game is walked; it begins with the two entrances."""

HIDDEN = {
    "rounds": lambda on: "holding" in on,
    "verdict": lambda on: "holding" in on,
    "menu-button": lambda on: "holding" in on,
    "deeds": lambda on: not {"mine", "holding", "adjusting"} & on,
}
"""What `static/style.css` hides by the classes of the room."""

WANTED = {
    "holds": "data-lower data-put-back data-drop !data-undo !act !data-yes !data-result",
    "ended": "data-result data-rematch menu log !act !data-lower !data-yes",
    "fell": "act data-let-be data-undo menu log fit !data-lower !data-piece",
    "moves": "?act data-piece data-hint menu log fit !data-lower !data-let-be",
    "waits": "menu log fit !act !data-lower !data-let-be",
}
"""The controls of each state of a page. One with a `!` would be one too many; one with a `?` may be
greyed out.
"""


GIVEN = [json.dumps(entry.do) for entry in read(asset("records", "two-cars.jsonl")).entries[:4]]


def fewer_tries() -> Record:
    """Two entrances, in a game whose build is tried twice."""
    begun = branch(read(asset("records", "two-cars.jsonl")), 2)
    options = {**begun.header.options, "redo": 1}
    return replace(begun, header=replace(begun.header, options=options))


class Resting(Workers):
    """Physics that is over when the model says so; what was once settled is known."""

    def __init__(self) -> None:
        super().__init__(1)
        self.known: dict[Any, Any] = {}
        self.waiting: list[asyncio.Future[None]] = []
        self.asked = ""  # what comes to rest

    async def run(self, work: Callable[..., Any], *asked: Any, **_: Any) -> Any:
        if work is not jobs.performed:  # a close call, of which nobody waits to hear
            return None
        (job,) = asked
        key = (job.state.digest(), job.text, str(job.let_go), job.seen)
        self.asked = f"{job.text} {str(job.let_go)[:40]}"
        self.waiting.append(asyncio.get_running_loop().create_future())
        await self.waiting[-1]
        self.asked = ""
        if key not in self.known:
            self.known[key] = work(job)
        return self.known[key]


class Tab:
    """A page of the room in somebody's browser."""

    def __init__(self, site: Any, holder: str, room: Room) -> None:
        asked = {"type": "http", "method": "GET", "scheme": "http", "path": "/"}
        asked |= {"query_string": b"", "headers": [], "server": ("here", 80)}
        with Client(page(""), request=Request(asked)) as self.client:
            self.page = TableRoom(site, Visitor(holder, words("en"), "auto", "/"), room)
            self.page.build()
        self.room, self.panel, self.holder = room, self.page.panel, holder
        self.marked, self._elements = dict[str, list[Any]](), 0

    def shows(self, mark: str) -> bool:
        """Whether an element with that mark can be seen, and is not greyed out; with a `?` it may
        be.
        """
        on, greyed = set(self.panel.root.classes), mark.startswith("?")
        mark = mark.strip("?")
        if len(self.client.elements) != self._elements:
            self._elements = len(self.client.elements)
            self.marked.clear()
            for element in self.client.elements.values():
                for name in (*element.props, element.props.get("data-part")):
                    self.marked.setdefault(str(name), []).append(element)
        for found in self.marked.get(mark, ()):
            line = [found]
            while line[-1].parent_slot is not None:
                line.append(line[-1].parent_slot.parent)
            hides = (HIDDEN[name](on) for e in line for name in e.classes if name in HIDDEN)
            free = greyed or getattr(found, "enabled", True)
            if free and all(e.visible for e in line) and not any(hides):
                return True
        return False

    @property
    def state(self) -> str:
        if self.page.holding:
            return "holds"
        if self.room.over and not self.panel.filming:
            return "ended"
        if self.panel.my_turn:
            return "moves" if self.room.tried is None else "fell"
        return "waits"

    def lacks(self) -> list[str]:
        """The controls that the state of the page asks for, and that are missing."""
        state, mine, wishes = self.state, set(self.panel.mine), self.room.wishes
        want = WANTED[state].split()
        if state in ("fell", "moves", "waits"):
            want.append("data-yes" if wishes and mine - wishes else "!data-yes")
            if not (self.room.busy or self.room.over or self.panel.filming):
                want.append("data-undo")
        lack = [f"{state}: {one}" for one in want if self.shows(one.strip("!")) == ("!" in one)]
        return lack if self.marked["sentence"][0].text else [*lack, f"{state}: sentence"]

    async def within(self, deed: Callable[[], Any]) -> None:
        """Does something on the page, as an event of its own does."""
        with self.client:
            if asyncio.iscoroutine(done := deed()):
                await done

    def pick_up(self) -> Awaitable[Any]:
        step = GIVEN[len(self.room.steps)]
        self.page.request = request_for(self.page.table.parse(step))
        self.page.pinned = True
        self.page.aim()
        return self.page.give()


class Walk:
    """Every state of three pages (two of Ann's and one of Bo's), and every event in each state."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.workers, self.tabs = folder, Resting(), dict[str, Tab]()
        self.site: Any = SimpleNamespace(
            workers=self.workers, public=False, seen_from_afar=lambda *_: "http://here"
        )

    async def begin(self) -> None:
        setup = Setup("tokyo-highway", ("Ann", "Bo"), (None, None), hands=("own", "own"), seed=4)
        room = Rooms(self.folder, self.workers).open(replace(setup, record=fewer_tries()), ANN)
        room.claim(room.invitations(ANN)[1], BO)
        self.name = room.id
        await self.restart()

    async def restart(self) -> None:
        """The server is killed and starts again; each page is loaded anew."""
        for waits in self.workers.waiting:
            waits.cancel()
        self.workers.waiting.clear()
        self.workers.asked = ""
        room = Rooms(self.folder, self.workers).room(self.name)
        assert room is not None
        self.room = room
        for name, holder in (("phone", ANN), ("desk", ANN), ("Bo", BO)):
            self.reload(name, holder)

    def reload(self, name: str, holder: str) -> None:
        if name in self.tabs:
            self.tabs[name].client.delete()
        self.tabs[name] = Tab(self.site, holder, self.room)

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells one state from another."""
        room = self.room
        pages = tuple(
            (
                tab.state,
                tab.panel.filming,
                tab.panel._playing,
                *(n for n, _ in tab.panel._films),
                *map(tab.shows, ("data-undo", "data-yes", "data-let-be")),
            )
            for tab in self.tabs.values()
        )
        asked = frozenset(room.wishes)
        resting = self.workers.asked
        return len(room.steps), room.tried is not None, asked, resting, room.over, pages

    def events(self) -> dict[str, Callable[[], Any]]:
        """What may happen now, by its name."""
        room, found = self.room, dict[str, Callable[[], Any]]()
        if self.workers.waiting:
            found["it rests"] = lambda: self.workers.waiting.pop().set_result(None)
        loses = {n: tab.page.holding or tab.panel.filming for n, tab in self.tabs.items()}
        if room.tried or room.wishes or self.workers.waiting or any(loses.values()):
            found["restart"] = self.restart
        for name, tab in self.tabs.items():
            if loses[name]:
                found[f"{name} loads anew"] = lambda n=name, tab=tab: self.reload(n, tab.holder)
            panel, page_, questions = tab.panel, tab.page, tab.panel._questions
            last = len(room.steps) == MOST
            own = {
                "picks up": (tab.state in ("moves", "fell"), tab.pick_up),
                "film over": (panel.filming, panel.skip),
                "asks": (
                    tab.shows("data-undo") and (len(room.steps) > 2 or room.tried is not None),
                    panel._take_back,
                ),
                "yes": (tab.shows("data-yes"), questions._agree),
                "no": (tab.shows("data-no"), questions._decline),
                "lets it be": (tab.shows("data-let-be") and not last, page_._let_be),
                "resigns": (panel.my_turn, lambda tab=tab: room.resign(tab.holder)),
            }
            for what, detail, may in (
                ("puts back", {"type": "put-back"}, True),
                ("lets fall", {"type": "placed", "traces": FALLS}, not (last and room.tried)),
                ("places", {"type": "placed", "traces": STANDS}, not last),
            ):
                held = tab.page.holding and may
                own[what] = (held, lambda tab=tab, detail=detail: tab.page.hand(detail))
            drawn_anew = tab.page.stage._again
            own["scene anew"] = (tab.page.holding, drawn_anew)
            for what, (may, does) in own.items():
                if may:
                    found[f"{name} {what}"] = lambda tab=tab, does=does: tab.within(does)
        return found

    async def does(self, deed: Callable[[], Any]) -> None:
        """Something happens, and all that follows from it but what waits for the model."""
        done = deed()
        task = asyncio.ensure_future(done) if asyncio.iscoroutine(done) else None
        for _ in range(12):
            await asyncio.sleep(0)
        while self.room._lock.locked() and not self.workers.waiting:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.0005)
        for _ in range(8):
            await asyncio.sleep(0)
        for tab in (self.tabs["phone"], self.tabs["desk"]):
            with tab.client:  # shows no film: those of one page are enough
                while tab.panel.filming:
                    tab.panel.skip()
        if task is not None and task.done() and not isinstance(task.exception(), ShutokoError):
            task.result()


@pytest.mark.slow
@pytest.mark.anyio
async def test_no_page_of_a_table_is_left_without_its_controls_whatever_other_pages_do(
    tmp_path, monkeypatch, record_property
):
    """Walks to what was not tried yet, by what is known to lead there; if nothing does, from the
    start.
    """
    monkeypatch.setattr(core, "loop", asyncio.get_running_loop())
    timer = SimpleNamespace(cancel=lambda: None)
    monkeypatch.setattr(ui, "timer", lambda *_, **__: timer)
    walk, leads, stuck = Walk(tmp_path), dict[Any, dict[str, Any]](), list[Any]()
    path: list[str] = []
    await walk.begin()
    start = walk.key
    while True:
        here, events = walk.key, walk.events()
        if here not in leads:
            leads[here] = dict.fromkeys(events)
            lack = {name: lacks for name, tab in walk.tabs.items() if (lacks := tab.lacks())}
            if lack:
                stuck.append((lack, here, path[-6:]))
        event = toward(leads, here)
        if event is None and toward(leads, start) is None:
            break
        if event is None:  # a game that is over is left by no event
            await walk.begin()
            continue
        await walk.does(events[event])
        path.append(event)
        leads[here][event] = walk.key
    walked = sum(len(ways) for ways in leads.values())
    record_property("walked", f"{len(leads)} states, {walked} events, {len(stuck)} stuck")
    assert stuck == []
    assert walked > 100


def toward(leads: dict[Any, dict[str, Any]], here: Any) -> str | None:
    """The first event on the shortest known way from here to one that was not tried."""
    seen, waiting = {here}, deque((there, ()) for there in [here])
    while waiting:
        at, way = waiting.popleft()
        for event, there in leads.get(at, {}).items():
            if there is None:
                return (*way, event)[0]
            if there not in seen:
                seen.add(there)
                waiting.append((there, (*way, event)))
    return None
