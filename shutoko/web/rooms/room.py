"""A room: a game that is being played, its seats, its clock, its record on disk, and those who
watch; no web framework.

Every ply is written to the record and synced to disk before it is announced. Each seat has a
secret. Whoever knows it can `claim` the seat and keeps it: a holder, known by the id of the
browser. A move that may take a second is judged in a worker process, any other here.

One module: who may move, the move, its place on the disk and the answer share one state and lock.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.defaults import is_slow, mover
from rules.errors import InputError, ShutokoError
from rules.game import Outcome, Reason
from rules.record import End, Entry, Record
from rules.record.replay import Step, begin, replay
from rules.record.writing import Kept
from shutoko.web import work
from shutoko.web.rooms.chat import MAX_NAME, Change, Chat, Hearers, Live, Trouble, one_line
from shutoko.web.rooms.clocks import OUT_OF_TIME, Clocks
from shutoko.web.rooms.seats import RefusedError, Seats
from shutoko.web.work import CHOICE, HINT, MOVE, Traces, jobs, skill_of, tables

if TYPE_CHECKING:
    from shutoko.export.packed import Film
    from sim.game import Jitter


class Room:
    """One game with its seats. Made by `Rooms`; use from one event loop.

    `made` is the game, `record` what is kept of it, `seats` who sits where, `steps` are the plies
    that count, in order, and `film` shows the last one where pieces moved in space. `busy` says
    that a move is being made, `trouble` what went wrong with the last one. `tried` is a move whose
    tries by hand have failed so far while others are left. In the room `next` the same players play
    again. `stand_ins` are the specs by seat of those that play on for computer players that are
    gone.
    """

    def __init__(self, path: Path, seats: Seats, record: Record, workers: work.Workers) -> None:
        self.id = path.stem
        self._path, self.seats, self._workers = path, seats, workers
        self.record = record
        self.made, self._start = begin(record)
        self._kept = Kept(path, is_ours=True, is_current=True)
        self.steps = [step for step in replay(record) if not step.entry.taken_back]
        self.film: Film | None = None
        self.tried: work.Tried | None = None
        self._clocks = Clocks(seats.clock, seats.increment, seats.late, self._keep_late)
        self._clocks.read(record)
        self.chat, self.live = Chat(), Live()
        self.busy = False
        self.trouble: Trouble | None = None
        self.wishes: set[int] = set()
        self.next: str | None = None
        self.stand_ins: dict[int, str] = {}
        self._grip: work.Grip | None = None
        self._hearers = Hearers[Change]()
        self.bell: Callable[[Room, Change], None] | None = None  # hears all, and looks at nothing
        self._lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._doubts = set[asyncio.Task[None]]()
        self._generation = 0  # how often the position has changed
        self._thinks_about = -1
        self._payer = ""
        self._started = self._closed = False
        self._asked = time.monotonic()

    # --- what everybody may know ------------------------------------------------------------------

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.record.header.game

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat."""
        return self.record.header.players

    @property
    def position(self) -> Any:
        """The state of the game."""
        return self.steps[-1].after if self.steps else self._start

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        return None if self.over else int(self.position.to_move)

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended; None while it goes on. Who gives up out of turn ends it too."""
        end = self.record.end
        reached: Outcome | None = self.position.outcome()
        if reached is None and end is not None:
            return Outcome(end.ranks[0], Reason(end.reason), end.ranks)
        return reached

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def computers(self) -> tuple[str | None, ...]:
        """The specs of the computer's players by seat, None for persons."""
        said = enumerate(self.seats.computers)
        return tuple(self.stand_ins.get(seat, spec) for seat, spec in said)

    def hand(self, seat: int) -> str | None:
        """How a seat places pieces: a skill, one of `BY_HAND`, or None for a steady hand; a
        computer's spec may say so.
        """
        return work.hand_of(self.computers[seat], self.seats.hands[seat])

    @property
    def clocks(self) -> tuple[float, ...] | None:
        """The seconds that each seat has left as of now, None without clocks."""
        return self._clocks.left

    @property
    def late(self) -> int | None:
        """The seat to move whose time is up; None if nobody's is."""
        return None if self.over else self._clocks.late

    @property
    def idle(self) -> float | None:
        """Seconds since somebody last asked for the room or left it; None while somebody watches or
        something runs.
        """
        thinking = self._task is not None and not self._task.done()
        if self._hearers or self.busy or thinking or self._clocks.runs or self._lock.locked():
            return None
        return time.monotonic() - self._asked

    def touch(self) -> None:
        """Notes that somebody has just asked for the room."""
        self._asked = time.monotonic()

    @property
    def here(self) -> set[int]:
        """The seats of those who look at the room now, and of the computer."""
        seats = {seat for holder in self._hearers.names for seat in self.seats_of(holder)}
        return seats | {seat for seat, spec in enumerate(self.computers) if spec is not None}

    def subscribe(self, callback: Callable[[Change], None], holder: str = "") -> Callable[[], None]:
        """Calls back on every change, as long as a holder looks at the room. Call the function that
        this returns to stop it.
        """
        stop = self._hearers.add(callback, holder)
        self._hearers.tell("seats", but=callback)

        def leave() -> None:
            stop()
            self.touch()
            self._hearers.tell("seats")

        return leave

    def seats_of(self, holder: str) -> tuple[int, ...]:
        """The seats that a holder has; a watcher has none."""
        return self.seats.of(holder)

    def claim(self, secret: str, holder: str) -> int:
        """Gives the seat of that secret to a holder, once that is on the disk.

        Raises RefusedError for a secret of no seat and for a seat that too many browsers have,
        InputError if the seats cannot be written.
        """
        self._check_open()
        seat, seats = self.seats.claimed(secret, holder)
        if seats is not self.seats:
            seats.write(self._path)
            self.seats = seats
            self._tell("seats")
        return seat

    def invitations(self, holder: str) -> dict[int, str]:
        """The secrets of the persons' seats, for the host of the room only."""
        return self.seats.secrets_of_persons() if holder == self.seats.host else {}

    # --- playing ----------------------------------------------------------------------------------

    def start(self, payer: str = "") -> None:
        """Starts the clock, and the computer if it is to move. A later call only wakes a computer
        that gave up. The computer's work is put down to the visitor `payer` from now on, by the key
        for limits; without one to the host.
        """
        self._payer = payer or self._payer
        if not self._started:
            self._go_on()
        elif not self.busy:
            self._wake()

    def grip(self, holder: str, text: str) -> work.Grip:
        """The pieces of a move are taken into the hand of the seat to move. Raises RefusedError as
        `play` does, and NotationError and IllegalMoveError for the move.
        """
        seat, seed = self._mover(holder, text), (self.seats.seed, self.record.next_ply, 3)
        self._check_tried(text)
        tries = () if self.tried is None else (len(self.tried.let_go),)
        self._grip = work.taken(self.position, text, str(self.hand(seat)), (*seed, *tries))
        return self._grip

    async def play(self, holder: str, text: str, ply: int, traces: Traces | None = None) -> Step:
        """A move by whoever holds the seat to move, or an adjustment by whoever built last.

        `ply` is the number of the ply that the move is meant for. `traces` say how the pieces were
        led that `grip` took into the hand; without them a hand that places by itself is drawn.
        Returns when the move is on the disk, or when a try by hand has failed and others are left;
        then `tried` has it, and `let_be` keeps it as it is.

        Raises RefusedError for somebody else's turn, a ply that has passed, a game that is over or
        busy; NotationError and IllegalMoveError for the move itself.
        """
        self._mover(holder, text)
        if traces is None:
            return await self._play(text, ply)
        grip, self._grip = self._grip, None
        let_go = grip.let_go(traces) if grip is not None and grip.text == text else None
        if grip is None or let_go is None or not grip.lasted(traces):
            raise RefusedError("hand")
        return await self._play(text, ply, let_go=let_go)

    async def let_be(self, holder: str) -> None:
        """Leaves it at the tries that have failed. Raises RefusedError as `play` does."""
        tried = self.tried
        if tried is None:
            raise RefusedError("hand")
        self._mover(holder, tried.text)
        self._check_free()
        meant = self._generation
        async with self._lock:
            self._check_unchanged(meant)
            if self.tried is tried:
                await self._plus(tried.step, None)

    def _check_tried(self, text: str) -> None:
        """Refuses another move while tries of one are left: what they cost is not settled yet."""
        if self.tried is not None and text not in (self.tried.text, "resign"):
            raise RefusedError("tried")

    def _mover(self, holder: str, text: str) -> int:
        if self.to_move is None:
            raise RefusedError("game-over")
        seat = mover(self.made, self.position, text)
        if seat not in self._mine(holder):
            raise RefusedError("turn", name=self.names[seat])
        return seat

    def _mine(self, holder: str) -> tuple[int, ...]:
        """The seats of a holder. Refuses whoever has none."""
        mine = self.seats_of(holder)
        if not mine:
            raise RefusedError("watching")
        return mine

    def _check_free(self) -> None:
        """Refuses while a move is made, and after `close`."""
        self._check_open()
        if self.busy:
            raise RefusedError("busy")

    async def resign(self, holder: str) -> bool:
        """Gives up, for the seat to move if the holder has it. Returns whether it counts at once:
        in a game of three or more, a seat that is not to move leaves in its turn. Raises
        RefusedError for watchers and after the end.
        """
        async with self._lock:  # what comes to rest counts first
            self._check_open()
            if self.over:
                raise RefusedError("game-over")
            mine = self._mine(holder)
            at_once = self.to_move in mine or len(self.names) == 2
            if self.to_move not in mine:
                if at_once:
                    end = End(((1 - mine[0],), (mine[0],)), Reason.RESIGNED)
                    await work.whole(
                        self._change(
                            "end", self.record.with_end(end), self.steps, self.film, (end,)
                        )
                    )
                else:
                    self.seats = replace(self.seats, leaving=[*self.seats.leaving, mine[0]])
                    self.seats.write(self._path)
                    self._tell("seats")
                return at_once
        await self.play(holder, "resign", self.record.next_ply)
        return True

    async def claim_time(self, holder: str) -> Step:
        """Claims the time of the seat to move, which is up: for that seat the game is over. Only
        others may claim it.
        """
        mine, late = self._mine(holder), self.late
        if late is None:
            raise RefusedError("in-time")
        if set(mine) == {late}:
            raise RefusedError("own-time")
        return await self._play("resign", self.record.next_ply, OUT_OF_TIME)

    async def undo(self, holder: str) -> bool:
        """Asks to take the last ply back, or the tries that have failed, which happens once every
        person with a seat asks. Returns whether it happened.

        The computer's answer is taken back with a ply. Raises RefusedError in a game that is not
        friendly, and for watchers.
        """
        self._check_free()
        if not self.seats.friendly:
            raise RefusedError("unfriendly")
        mine = self._mine(holder)
        if not self.steps and self.tried is None:
            raise RefusedError("nothing-back")
        self.wishes |= set(mine)
        if self.seats.persons() - self.wishes:
            self._tell("wish")
            return False
        meant = self._generation
        async with self._lock:
            self._check_open()
            if self._generation != meant or self.seats.persons() - self.wishes:
                return False  # somebody else was quicker, or has said no
            if self.tried is not None:
                self._show(self.record, self.steps, self.film)
                self._tell("undo")
                return True
            keep = len(self.steps) - 1
            while keep > 0 and self.computers[self.steps[keep].before.to_move] is not None:
                keep -= 1
            entries = tuple(step.entry for step in self.steps[:keep])
            shorter = replace(self.record, entries=entries, end=None, notes=())
            await work.whole(self._change("undo", shorter, self.steps[:keep], None))
        return True

    async def agree(self, holder: str) -> bool:
        """Says yes to whoever asked to take a ply back; does nothing if nobody asks any more.
        Returns whether it was taken back, and raises what `undo` raises.
        """
        return bool(self.wishes - set(self.seats_of(holder))) and await self.undo(holder)

    def decline(self, holder: str) -> None:
        """Refuses to take a ply back that others asked for. Raises RefusedError if nobody asked
        this holder.
        """
        mine = set(self.seats_of(holder))
        if not self.wishes or not mine - self.wishes:
            raise RefusedError("unasked")
        self.wishes.clear()
        self._tell("declined")

    async def rename(self, holder: str, name: str) -> None:
        """Changes the name of the one seat that a holder has. Raises RefusedError for all others,
        and while a move is made.
        """
        self._check_free()
        seats, line = self.seats_of(holder), one_line(name, MAX_NAME)
        if len(seats) != 1:
            raise RefusedError("watching")
        if not line or line == self.names[seats[0]]:
            return
        async with self._lock:
            names = (*self.names[: seats[0]], line, *self.names[seats[0] + 1 :])
            header = replace(self.record.header, players=names)
            steps = [replace(step, players=names) for step in self.steps]
            await work.whole(self._rewrite("names", replace(self.record, header=header), steps))

    def announce_next(self, name: str) -> None:
        """Tells everybody here in which room the players play again."""
        self.next = name
        self._tell("seats")

    def close(self, *, stops: bool = False) -> None:
        """Stops the clock and the computer; the files stay. Afterwards every move in the room is
        refused. Tells whoever looks at the room if the server `stops`.
        """
        if stops:
            self._tell("stops")
        self._closed = True
        for task in (self._task, *self._doubts):
            if task is not None:
                task.cancel()
        self._clocks.stop()
        self._hearers.clear()

    async def _play(
        self,
        text: str,
        ply: int,
        extra: Mapping[str, Any] | None = None,
        let_go: Mapping[str, Jitter] | None = None,
        *,
        wakes: bool = True,
    ) -> Step:
        self._check_free()
        if ply != self.record.next_ply:
            raise RefusedError("ply", meant=ply, now=self.record.next_ply)
        self._check_tried(text)
        self.busy, self.trouble, meant, begun = True, None, self._generation, False
        try:
            async with self._lock:
                self._check_unchanged(meant)
                begun = True
                seat = mover(self.made, self.position, text)
                kept = {**self._clocks.after(seat), **(extra or {})}
                tried = () if self.tried is None else self.tried.let_go
                led = tried if let_go is None else (*tried, let_go)
                place = (self.game, dict(self.made.options), self.position, text, ply, self.names)
                how = (skill_of(self.hand(seat)), (self.seats.seed, ply), kept, led, len(tried))
                step, film = await self._made(jobs.MoveJob(*place, *how, let_go is not None))
                if let_go is not None and (left := work.tries_left(step, len(led))):
                    self.tried = work.Tried(text, led, step, film, left)
                    self.busy = False
                    self.wishes.clear()
                    self._tell("try")
                    return step
                await self._plus(step, film)
        except BaseException:
            if not begun or self._generation == meant:  # else it was made, and everybody knows
                self.busy = False
                if wakes and not self._closed:
                    self._wake()  # what the computer chose meanwhile was dropped
            raise
        return step

    async def _plus(self, step: Step, film: Film | None) -> None:
        """Keeps one more ply, and lets the game go on."""
        record, outcome = self.record.plus(step.entry), step.after.outcome()
        last: tuple[Entry | End, ...] = (step.entry,)
        if outcome is not None:
            end = End(outcome.ranks, outcome.reason)
            record, last = record.with_end(end), (step.entry, end)
        await work.whole(self._change("ply", record, [*self.steps, step], film, last))

    async def _change(
        self,
        change: Change,
        record: Record,
        steps: list[Step],
        film: Film | None,
        last: Sequence[Entry | End] = (),
    ) -> None:
        """Keeps a record, the `last` lines of which are new, and only then shows it, tells
        everybody, and lets the game go on; without them it replaces the old one.
        """
        if last:
            await asyncio.to_thread(self._kept.add, record, *last)
        else:
            await asyncio.to_thread(self._kept.put, record)
        self._show(record, steps, film)
        self._clocks.read(record)
        self.busy = False
        if change == "undo":
            self._clocks.forgive()
            if self.seats.late is not None:
                self._keep_late(None)
        self._tell(change)
        self._go_on()
        if change == "ply" and self._hearers and tables.is_doubtful(steps[-1]):
            doubt = asyncio.get_running_loop().create_task(self._doubt(steps[-1]))
            self._doubts.add(doubt)
            doubt.add_done_callback(self._doubts.discard)

    async def _doubt(self, step: Any) -> None:
        """Asks whether a ply is a close call; if it is, keeps that, unless the ply was taken back
        meanwhile. Nobody waits for it.
        """
        asked = (tables.doubted, self.record.header, step)
        with suppress(ShutokoError):
            told = await self._workers.run(*asked, kind=HINT, who=self._pays)
            async with self._lock:
                if told is not None and not self._closed:
                    told = replace(told, players=self.names)
                    steps = [told if one.entry is step.entry else one for one in self.steps]
                    entries = (
                        told.entry if one is step.entry else one for one in self.record.entries
                    )
                    await work.whole(
                        self._rewrite("close", replace(self.record, entries=tuple(entries)), steps)
                    )

    async def _rewrite(self, change: Change, record: Record, steps: list[Step]) -> None:
        """Keeps a record of the same plies in place of the old one, and tells everybody."""
        await asyncio.to_thread(self._kept.put, record)
        self.record, self.steps = record, steps
        self._tell(change)

    def _show(self, record: Record, steps: list[Step], film: Film | None) -> None:
        """What counts from now on; what was tried, asked or thought of before does not."""
        self.record, self.steps, self.film, self.tried = record, steps, film, None
        self._generation += 1
        self.live.clear()
        self.wishes.clear()

    def _check_unchanged(self, meant: int) -> None:
        """Refuses what was meant for a position that is gone."""
        self._check_open()
        if self._generation != meant:
            raise RefusedError("changed")

    def _check_open(self) -> None:
        """Refuses after `close`: two rooms of one file would overwrite each other."""
        if self._closed:
            raise RefusedError("put-away")

    async def _made(self, job: jobs.MoveJob) -> tuple[Step, Film | None]:
        """The step of a move and its film, made by a worker where that may take a second."""
        if not is_slow(self.made):
            return jobs.made_move(self.made, job), None
        self._tell("busy")
        try:
            step, film = await self._workers.run(jobs.performed, job, kind=MOVE, who=self._pays)
        except BaseException:
            self.busy = False
            self._tell("busy")
            raise
        return replace(step, before=job.state), film

    # --- computer and clock -----------------------------------------------------------------------

    def _go_on(self) -> None:
        """Starts the clock of whoever is to move, and the computer if it is the computer."""
        self._started = True
        self._clocks.run(self.to_move, len(self.steps) and self.record.next_ply)
        self._wake()

    def _wake(self) -> None:
        """Has the computer think about this position if it is to move, and about no other."""
        thinks = self._task is not None and not self._task.done()
        if thinks and self._thinks_about == self._generation:
            return
        if self._task is not None:
            self._task.cancel()  # the position that it thinks about is gone
        self._task, seat = None, self.to_move
        leaves = seat in self.seats.leaving
        if seat is not None and (leaves or self.computers[seat] is not None):
            self._thinks_about = self._generation
            self._task = asyncio.get_running_loop().create_task(self._think(seat))

    async def advice(
        self,
        spec: str,
        most: int,
        who: str = "",
        quick: str | None = None,
        heard: Callable[[tuple[work.Rated, ...]], None] | None = None,
    ) -> tuple[work.Rated, ...]:
        """The `most` best moves by the player `spec`; `heard` gets those of `quick` before."""
        seed = (self.seats.seed, self.record.next_ply, 2)
        asked = (spec, work.question(self.made, self.position), seed, most, quick)
        return await self._workers.run(work.advised, *asked, kind=HINT, who=who, heard=heard)

    async def _think(self, seat: int) -> None:
        spec, meant, ply = self.computers[seat], self._generation, self.record.next_ply
        try:
            text = "resign"
            if spec is not None:
                asked, seed = work.question(self.made, self.position), (self.seats.seed, ply, 1)
                place = (spec, asked.game, asked.options, asked.state, seed)
                text = await self._workers.run(jobs.chosen, *place, kind=CHOICE, who=self._pays)
            self._task = None  # it has thought: a change stops it no more, and may begin anew
            if self._generation == meant and not self.busy:
                await self._play(text, ply, wakes=False)
        except Exception as error:  # noqa: BLE001 - a player from elsewhere may fail in any way; the room must live on
            if self._generation == meant:
                self.trouble = Trouble(spec or "", error)
                self._tell("trouble")

    @property
    def _pays(self) -> str:
        """The visitor to whom the work in this room is put down."""
        return self._payer or self.seats.host

    def _keep_late(self, ply: int | None) -> None:
        """Keeps for which ply the time is up, so that nobody gets it back when the room is loaded
        again, and tells it.
        """
        self.seats = replace(self.seats, late=ply)
        try:
            self.seats.write(self._path)
        except InputError as error:
            self.trouble = Trouble("", error)
            self._tell("trouble")
        if ply is not None:
            self._tell("time")

    def _tell(self, change: Change) -> None:
        if self.bell is not None:
            self.bell(self, change)
        self._hearers.tell(change)
