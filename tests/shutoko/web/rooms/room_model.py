"""A model of a room: everything that people, computers, workers and servers do in it, in any order
and two at once.

After every step three things must agree: what the players see (a page is told of each change and
keeps a copy), what the memory holds, and what the disk holds. The model itself keeps only what was
confirmed: the plies, the names and who has which seat.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rules.errors import ShutokoError
from rules.record import read
from shutoko.web.rooms.chat import Said
from shutoko.web.rooms.room import Room
from shutoko.web.rooms.seats import RefusedError, Seats
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.work import jobs
from shutoko.web.work.workers import StoppedError, Workers

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
counts: Counter[str] = Counter()


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

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self.loop = asyncio.new_event_loop()
        self.name, self.secrets = "", dict[int, str]()
        self.confirmed: tuple[str, ...] = ()
        self.pages: list[Page] = []
        self.tasks: list[asyncio.Task[Any]] = []
        counts["games"] += 1

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
        counts["at once"] += len(works) > 1

        async def together() -> list[Any]:
            return await asyncio.gather(*works, return_exceptions=True)

        found: list[Any] = self.do(together())
        for one in found:
            if isinstance(one, BaseException) and not isinstance(
                one, (ShutokoError, asyncio.CancelledError)
            ):
                raise one
        counts["refused"] += sum(isinstance(one, ShutokoError) for one in found)
        return found

    @property
    def room(self) -> Room:
        found = self.store.room(self.name)
        assert found is not None
        return found

    def step(self, what: str) -> None:
        counts["steps"] += 1
        counts[what] += 1

    # --- rules ------------------------------------------------------------------------------------

    @precondition(lambda self: not self.name)
    @rule(setup=st.sampled_from(SETUPS))
    def open(self, setup: Setup) -> None:
        self.step("open")
        self.workers = Held()
        self.store = Rooms(self.folder, self.workers)
        room = self.store.open(setup, "ann")
        self.name, self.secrets = room.id, room.invitations("ann")
        if 1 in self.secrets and 0 in self.secrets:
            room.claim(self.secrets[1], "bo")
        self.is_friendly = setup.friendly
        self.do(self._started())

    async def _started(self) -> None:
        self.room.start()

    def _move(self, holder: str, n: int, ply: int) -> Awaitable[Any]:
        moves = () if self.room.over else self.room.position.legal_moves()
        return self.room.play(holder, str(moves[n % len(moves)]) if moves else "resign", ply)

    @precondition(lambda self: self.name)
    @rule(holder=who, n=number, stale=st.booleans())
    def move(self, holder: str, n: int, stale: bool) -> None:
        self.step("move")
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
        self.step("move")
        self.at_once(self._move(self._mover, n, self.room.record.next_ply))

    @precondition(lambda self: self.name and self.room.steps)
    @rule(holder=who)
    def undo(self, holder: str) -> None:
        self.step("ask to take back")
        before = len(self.room.steps)
        (done,) = self.at_once(self.room.undo(holder))
        assert (done is True) == (len(self.room.steps) < before)

    @precondition(lambda self: self.name and self.room.wishes)
    @rule(holder=who, times=st.integers(1, 3))
    def yes(self, holder: str, times: int) -> None:
        self.step("yes")
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
        self.step("no")
        with suppress(RefusedError):
            self.room.decline(holder)
            assert not self.room.wishes

    @precondition(lambda self: self.name)
    @rule(holder=who, wants=st.integers(0, 9))
    def resign(self, holder: str, wants: int) -> None:
        if wants:  # else games would all be short
            return
        self.step("resign")
        self.at_once(self.room.resign(holder))

    @precondition(lambda self: self.name)
    @rule(holder=who, text=st.text(max_size=9))
    def chat(self, holder: str, text: str) -> None:
        self.step("chat")
        heard = [len(page.said) for page in self.pages]
        said = self.room.chat.say(None, holder, text)
        assert [len(page.said) for page in self.pages] == [count + said for count in heard]

    @precondition(lambda self: self.name)
    @rule(holder=who, seat=st.integers(0, 2))
    def claim(self, holder: str, seat: int) -> None:
        self.step("take a seat")
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
        self.step("take a name")
        self.at_once(self.room.rename(holder, name))

    @precondition(lambda self: self.name and len(self.pages) < 4)
    @rule(holder=who)
    def arrive(self, holder: str) -> None:
        self.step("return")
        self.pages.append(Page(self.room, holder))
        self.do(self._started())

    @precondition(lambda self: self.pages)
    @rule(n=number)
    def leave(self, n: int) -> None:
        self.step("leave")
        self.pages.pop(n % len(self.pages)).close()

    @precondition(lambda self: self.name and self.workers.thinking)
    @rule(n=number, move=number)
    def computer(self, n: int, move: int) -> None:
        """A thought ends, be it for this position or for one that is gone."""
        self.step("the computer answers")
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
        self.step("a worker is killed")
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
        self.step("two at once")
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
        self.step(way)
        if way == "put away":
            self.do(self._put_away())
            return
        clean = way == "the server ends"
        for page in self.pages:
            page.close()
        self.pages.clear()
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
        for page in self.pages:
            assert page.seen == (
                list(shown),
                room.names,
                room.to_move,
                room.seats_of(page.holder),
            ), "a page was not told"
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


def run(steps: int, of_a_game: int = 50, *, at_random: bool = True) -> None:
    """Plays until about so many steps are done. What is installed is looked up once: it takes
    longer than all the rest.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module in ("rules.record.schema", "rules.game", "rules.arena.players"):
            known = import_module(module)
            patch.setattr(known, "entry_points", cache(known.entry_points))
        _run(steps, of_a_game, at_random)


def _run(steps: int, of_a_game: int, at_random: bool) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        RoomMachine,
        settings=settings(
            max_examples=max(1, steps // of_a_game),
            stateful_step_count=of_a_game,
            deadline=None,
            database=None,
            derandomize=not at_random,
            suppress_health_check=list(HealthCheck),
            print_blob=False,
            phases=(Phase.generate, Phase.shrink),
        ),
    )
