"""A room and its pages under everything that may happen in them, in any order: pages, memory and
disk agree after each step, and no page is left without its controls. The model of the room itself
keeps only what was confirmed: the plies, the names and who has which seat.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from fastapi import Request
from hypothesis import HealthCheck, Phase, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from nicegui import Client, core, ui
from nicegui.page import page

from rules.errors import ShutokoError
from rules.record import Record, read
from shutoko.web.pages.frame import Visitor
from shutoko.web.pages.rooms.table_room import TableRoom
from shutoko.web.rooms.chat import Said
from shutoko.web.rooms.room import Room
from shutoko.web.rooms.seats import RefusedError, Seats
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.views.aiming import request_for
from shutoko.web.wording import words
from shutoko.web.work import jobs
from shutoko.web.work.workers import StoppedError, Workers
from sim.assets import asset
from sim.game.replay import branch

# --- a room in any order --------------------------------------------------------------------------

PEOPLE = ("ann", "bo", "cy")
SETUPS = (
    Setup("meridians", ("Ann", "Bo"), (None, None), {"size": 4}, seed=1),
    Setup("meridians", ("Ann", "it"), (None, "random"), {"size": 4}, seed=2),
    Setup("meridians", ("Ann", "it"), (None, "random"), {"size": 5}, seed=5),
    Setup("thruway", ("it", "Ann"), ("random", None), {"size": 5}, seed=3),
    Setup(
        "meridians", ("Ann", "Bo"), (None, None), {"size": 4}, clock=3600.0, friendly=False, seed=4
    ),
)
who, number = st.sampled_from(PEOPLE), st.integers(0, 30)


class Held(Workers):
    """Workers whose thoughts end when the model says so, or whose worker is killed; what is quick
    is done at once.
    """

    def __init__(self) -> None:
        super().__init__(1)
        self.thinking: list[tuple[Any, asyncio.Future[str]]] = []

    async def run(self, work: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
        if work is not jobs.chosen:
            return work(*arguments)
        answer = asyncio.get_running_loop().create_future()
        self.thinking.append((arguments[3], answer))
        return await answer


class Page:
    """What somebody who looks at the room was told of it."""

    def __init__(self, room: Room, holder: str) -> None:
        self.room, self.holder, self.told = room, holder, list[str]()
        self.said: list[Said] = []
        self.leave = room.subscribe(self._changed)
        self.mute = room.chat.hear(self.said.append)
        self._look()

    def _changed(self, change: str) -> None:
        self.told.append(change)
        if change in ("ply", "undo"):
            assert not self.room.wishes, "a question about a ply that is gone"
        if change in ("ply", "undo", "names", "seats"):
            self._look()

    def _look(self) -> None:
        room = self.room
        self.seen = (
            [step.entry for step in room.steps],
            room.names,
            room.to_move,
            room.seats_of(self.holder),
        )

    def close(self) -> None:
        self.leave()
        self.mute()


class RoomMachine(RuleBasedStateMachine):
    """One room of one server, with the people who look at it."""

    steps = 0

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self.loop = asyncio.new_event_loop()
        self.name, self.secrets = "", dict[int, str]()
        self.pages: list[Page] = []
        self.tasks: list[asyncio.Task[Any]] = []

    def teardown(self) -> None:
        self.do(self._ended())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        self._folder.cleanup()

    async def _ended(self) -> None:
        if self.name:
            self.store.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)

    # --- the ways in which things are done --------------------------------------------------------

    def do(self, work: Awaitable[Any]) -> Any:
        """Runs something to its end."""
        return self.loop.run_until_complete(self._settled(work))

    async def _settled(self, work: Awaitable[Any]) -> Any:
        try:
            return await work
        finally:
            await self._quiet()

    async def _quiet(self) -> None:
        """Waits until nothing is left to do but what waits for the model."""
        for _ in range(200):
            await asyncio.sleep(0)
            room = self.store.room(self.name) if self.name else None
            if room is None or not (room.busy or room._lock.locked()):
                break
            await asyncio.sleep(0.0005)
        await asyncio.sleep(0)

    def at_once(self, *works: Awaitable[Any]) -> list[Any]:
        """Runs some things at once, each until it is done or refused."""

        async def together() -> list[Any]:
            return await asyncio.gather(*works, return_exceptions=True)

        found: list[Any] = self.do(together())
        for one in found:
            if isinstance(one, BaseException) and not isinstance(
                one, (ShutokoError, asyncio.CancelledError)
            ):
                raise one
        return found

    @property
    def room(self) -> Room:
        found = self.store.room(self.name)
        assert found is not None
        return found

    # --- rules ------------------------------------------------------------------------------------

    @precondition(lambda self: not self.name)
    @rule(setup=st.sampled_from(SETUPS))
    def open(self, setup: Setup) -> None:
        self.workers = Held()
        self.store = Rooms(self.folder, self.workers)
        room = self.store.open(setup, "ann")
        self.name, self.secrets = room.id, room.invitations("ann")
        if 1 in self.secrets and 0 in self.secrets:
            room.claim(self.secrets[1], "bo")
        self.do(self._started())

    async def _started(self) -> None:
        self.room.start()

    def _move(self, holder: str, n: int, ply: int) -> Awaitable[Any]:
        moves = () if self.room.over else self.room.position.legal_moves()
        return self.room.play(holder, str(moves[n % len(moves)]) if moves else "resign", ply)

    @precondition(lambda self: self.name)
    @rule(holder=who, n=number, stale=st.booleans())
    def move(self, holder: str, n: int, stale: bool) -> None:
        ply = self.room.record.next_ply
        self.at_once(self._move(holder, n, max(0, ply - stale)))

    @property
    def _mover(self) -> str:
        seat = self.room.to_move
        held = () if seat is None else self.room.seats.holders[seat]
        return held[-1] if held else "ann"

    @precondition(lambda self: self.name)
    @rule(n=number)
    def move_in_turn(self, n: int) -> None:
        self.at_once(self._move(self._mover, n, self.room.record.next_ply))

    @precondition(lambda self: self.name and self.room.steps)
    @rule(holder=who)
    def undo(self, holder: str) -> None:
        before = len(self.room.steps)
        (done,) = self.at_once(self.room.undo(holder))
        assert (done is True) == (len(self.room.steps) < before)

    @precondition(lambda self: self.name and self.room.wishes)
    @rule(holder=who, times=st.integers(1, 3))
    def yes(self, holder: str, times: int) -> None:
        before, own = len(self.room.steps), self.room.computers
        found = self.at_once(*(self.room.agree(holder) for _ in range(times)))
        assert found.count(True) <= 1, "a doubled Yes"
        assert before - len(self.room.steps) <= (2 if any(own) else 1)

    @precondition(lambda self: self.name and self.room.steps)
    @rule(times=st.integers(0, 3))
    def ask_and_answer(self, times: int) -> None:
        """One person asks, and the others say yes so many times at once; never is a no."""
        first, *others = sorted({held[0] for held in self.room.seats.holders if held})
        self.undo(first)
        for other in others:
            if times and self.room.wishes:
                self.yes(other, times)
            elif self.room.wishes:
                self.no(other)

    @precondition(lambda self: self.name and self.room.wishes)
    @rule(holder=who)
    def no(self, holder: str) -> None:
        with suppress(RefusedError):
            self.room.decline(holder)
            assert not self.room.wishes

    @precondition(lambda self: self.name)
    @rule(holder=who, wants=st.integers(0, 9))
    def resign(self, holder: str, wants: int) -> None:
        if wants:  # else games would all be short
            return
        self.at_once(self.room.resign(holder))

    @precondition(lambda self: self.name)
    @rule(holder=who, text=st.text(max_size=9))
    def chat(self, holder: str, text: str) -> None:
        heard = [len(page.said) for page in self.pages]
        said = self.room.chat.say(None, holder, text)
        assert [len(page.said) for page in self.pages] == [count + said for count in heard]

    @precondition(lambda self: self.name)
    @rule(holder=who, seat=st.integers(0, 2))
    def claim(self, holder: str, seat: int) -> None:
        try:
            taken = self.room.claim(self.secrets.get(seat, "a guess"), holder)
        except RefusedError:
            assert seat not in self.secrets
        else:
            assert taken == seat
            assert seat in self.room.seats_of(holder)

    @precondition(lambda self: self.name)
    @rule(holder=who, name=st.text(max_size=5))
    def rename(self, holder: str, name: str) -> None:
        self.at_once(self.room.rename(holder, name))

    @precondition(lambda self: self.name and len(self.pages) < 4)
    @rule(holder=who)
    def arrive(self, holder: str) -> None:
        self.pages.append(Page(self.room, holder))
        self.do(self._started())

    @precondition(lambda self: self.pages)
    @rule(n=number)
    def leave(self, n: int) -> None:
        self.pages.pop(n % len(self.pages)).close()

    @precondition(lambda self: self.name and self.workers.thinking)
    @rule(n=number, move=number)
    def computer(self, n: int, move: int) -> None:
        """A thought ends, be it for this position or for one that is gone."""
        state, answer = self.workers.thinking.pop(n % len(self.workers.thinking))
        now, before = self.room.position, len(self.room.steps)
        moves = state.legal_moves()
        if not answer.done():
            answer.set_result(str(moves[move % len(moves)]))
        self.do(asyncio.sleep(0))
        assert len(self.room.steps) in (before, before + 1)
        if len(self.room.steps) > before:
            assert self.room.steps[-1].before is now
            assert now.digest() == state.digest(), "an answer to a position that is gone"

    @precondition(lambda self: self.name and self.workers.thinking)
    @rule(move=number)
    def computer_at_last(self, move: int) -> None:
        """The thought that began last ends."""
        self.computer(len(self.workers.thinking) - 1, move)

    @precondition(lambda self: self.name and any(self.room.computers))
    @rule(n=number, move=number)
    def a_turn(self, n: int, move: int) -> None:
        """A person moves, and the computer answers."""
        self.move_in_turn(n)
        if self.workers.thinking:
            self.computer_at_last(move)

    @precondition(lambda self: self.name and self.workers.thinking)
    @rule(n=number)
    def worker_killed(self, n: int) -> None:
        _, answer = self.workers.thinking.pop(n % len(self.workers.thinking))
        if not answer.done():
            answer.set_exception(StoppedError("its process died"))
        self.do(asyncio.sleep(0))
        self.do(self._started())  # whoever loads the page wakes it again

    @precondition(lambda self: self.name)
    @rule(
        first=who, second=who, n=number, m=number, what=st.integers(0, 7), slips=st.integers(0, 3)
    )
    def two_at_once(self, first: str, second: str, n: int, m: int, what: int, slips: int) -> None:
        room, ply = self.room, self.room.record.next_ply

        async def later(work: Awaitable[Any]) -> Any:
            for _ in range(slips):
                await asyncio.sleep(0)
            return await work

        async def gone(work: Awaitable[Any]) -> Any:
            task = asyncio.ensure_future(work)
            for _ in range(slips):
                await asyncio.sleep(0)
            task.cancel()
            return await task

        async def answers() -> None:
            if self.workers.thinking:
                state, answer = self.workers.thinking.pop()
                moves = state.legal_moves()
                if not answer.done():
                    answer.set_result(str(moves[m % len(moves)]))

        mine = self._move(first if slips else self._mover, n, ply)
        match what:
            case 0:
                self.at_once(mine, later(self._move(second, m, ply)))
            case 1:
                self.at_once(mine, later(room.undo(second)))
            case 2:
                self.at_once(room.undo(first), later(mine))
            case 3:
                self.at_once(room.undo(first), room.undo(second), later(mine))
            case 4:
                self.at_once(gone(mine), later(room.undo(second)))
            case 5:
                self.at_once(mine, later(room.rename(second, f"n{m}")))
            case 6:
                self.at_once(room.undo(first), answers(), later(mine))
            case _:
                self.at_once(answers(), later(room.undo(first)), later(mine))
        self.do(asyncio.sleep(0))

    @precondition(lambda self: self.name)
    @rule(way=st.sampled_from(("put away", "the server ends", "the server is killed")))
    def server_killed(self, way: str) -> None:
        """The room leaves the memory, or the server ends or is killed with all that it does, and
        comes back with the files.
        """
        if way == "put away":
            self.do(self._put_away())
            return
        clean = way == "the server ends"
        while self.pages:
            self.pages.pop().close()
        if clean:
            self.store.close()
        old, self.workers = self.room if not clean else None, Held()
        self.store = Rooms(self.folder, self.workers)
        if old is not None:
            old.close()
        self.do(asyncio.sleep(0))
        Seats.remove_orphans(self.folder)
        self.do(self._started())

    async def _put_away(self) -> None:
        self.store.put_away(0.0)
        self.room.start()

    # --- what must hold ---------------------------------------------------------------------------

    @invariant()
    def all_agree(self) -> None:
        if not self.name:
            return
        RoomMachine.steps += 1
        room, path = self.room, self.folder / f"{self.name}.jsonl"
        kept, seats = read(path), Seats.read(path)
        assert kept.warnings == ()
        shown = tuple(step.entry for step in room.steps)
        assert kept.entries == room.record.entries == shown
        assert kept.header == room.record.header
        assert kept.end == room.record.end
        assert (kept.end is not None) == room.over
        assert seats == room.seats
        assert all(step.players == room.names for step in room.steps)
        for tab in self.pages:
            now = (list(shown), room.names, room.to_move, room.seats_of(tab.holder))
            assert tab.seen == now, "a page was not told"
        for before, after in zip(room.steps, room.steps[1:], strict=False):
            assert before.after is after.before or before.after.digest() == after.before.digest()
        assert not room.busy
        assert not room._lock.locked()
        if (
            room.to_move is not None
            and room.computers[room.to_move] is not None
            and room.trouble is None
        ):
            waiting = [state for state, answer in self.workers.thinking if not answer.done()]
            assert any(state.digest() == room.position.digest() for state in waiting), (
                "the game stands still"
            )
        alive = [state for state, answer in self.workers.thinking if not answer.done()]
        assert len(alive) <= 1, "the computer thinks about two positions"
        assert {one.name for one in self.folder.iterdir()} <= {path.name, f"{self.name}.seats.json"}


@pytest.mark.parametrize(
    ("setup", "plies", "left"), [*zip(SETUPS, (2, 4, 4, 3, 2), (1, 2, 2, 1, 2), strict=True)]
)
def test_pages_memory_and_disk_agree_after_answers_a_doubled_yes_and_a_kill(
    setup: Setup, plies: int, left: int
) -> None:
    """What must be reached in any order, in one order."""
    game = RoomMachine()
    game.open(setup)
    game.arrive("bo")
    for _ in range(2):
        game.a_turn(0, 0)
    assert len(game.room.steps) == plies
    game.ask_and_answer(2)
    assert len(game.room.steps) == left
    game.all_agree()
    game.server_killed("the server is killed")
    game.all_agree()
    game.teardown()


@pytest.mark.slow
def test_pages_memory_and_disk_agree_after_every_step_of_a_room_in_any_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is installed is looked up once: it takes longer than all the rest."""
    for module in ("rules.record.schema", "rules.game", "rules.arena.players"):
        known = import_module(module)
        monkeypatch.setattr(known, "entry_points", cache(known.entry_points))
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        RoomMachine,
        settings=settings(
            max_examples=30,
            stateful_step_count=40,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            print_blob=False,
            phases=(Phase.generate, Phase.shrink),
        ),
    )
    assert RoomMachine.steps > 300


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
                "lets it be": (tab.shows("data-let-be") and not last, page_.outcome._let_be),
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
