"""Worker processes for physics, players, exports and uploads, so that the server answers every
click at once.

They are spawned, not forked: a worker knows only the arguments that it is sent. Each has a pipe of
its own, so one that hangs holds up nobody else. A job that takes longer than its kind may, and one
whose visitor has left, is ended by killing its worker; a new worker takes its place. If a worker
dies by itself (killed, or by a crash in an engine), another does its job again.
"""

from __future__ import annotations

import asyncio
import atexit
import multiprocessing
import os
import pickle
import signal
import time
import traceback
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from rules.errors import RecordError, Refusal, ShutokoError
from shutoko.lifeline import end_with_parent
from shutoko.scenes import kept_scene
from shutoko.web.limits import Recent
from shutoko.web.work.kinds import Kind, own_time, sooner
from sim.physics.unsettled import scene_of

T = TypeVar("T")

MAX_WAITING = 8
"""Jobs of one visitor that run or wait, besides those that a game waits for; more are refused."""

# lower priority of workers: on few cores a click is answered first, a verdict may take its time
_BEHIND = 10
# seconds that a job goes on after its visitor left: most end by then, and a new worker would start
# cold
_LEFT = 5.0
_HALF = 120.0  # seconds after which half of what a visitor has used up is forgotten
_TRIES = 2  # a job whose worker died this often is given up


class StoppedError(ShutokoError):
    """A job that did not come to its end: it took too long, there were too many, or its worker
    died. The message is a Refusal that says so in one line.
    """


class Workers:
    """A pool of processes, started as jobs need them: `await workers.run(function, argument,
    kind=HINT, who=visitor)`.

    `size` is how many processes; by default the number of cores less one for the server, but two at
    least. The scenes of errors of physics go into the folder `scenes`. Use from one event loop, in
    a thread that lives as long as the process.
    """

    def __init__(self, size: int | None = None, scenes: Path | None = None) -> None:
        self._scenes = scenes
        self.size = size or max(2, (os.cpu_count() or 2) - 1)
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._waiting: list[_Job] = []
        self._running: dict[_Job, asyncio.Task[None]] = {}
        self._spent = Spent()

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the processes."""
        return tuple(worker.pid for worker in self._all)

    async def run(
        self,
        work: Callable[..., T],
        *arguments: Any,
        kind: Kind,
        who: str = "",
        heard: Callable[[Any], None] | None = None,
    ) -> T:
        """Calls `work(*arguments)` in a worker and returns what it returns. Raises what it raises.

        `heard` is called with whatever the work says before it has ended (`say`), as long as
        somebody waits for it.

        Jobs wait in a queue that is fair between visitors; `who` is the one for whom this is done.
        Cancel the call when the visitor has left. Raises StoppedError for a job that took too long,
        whose worker died again and again, or that is one too many of this visitor.
        """
        job = _Job(
            pickle.dumps((work, arguments)),
            kind,
            who,
            asyncio.get_running_loop().create_future(),
            heard,
        )
        self._check(job)
        self._waiting.append(job)
        self._start_jobs()
        try:
            done = await job.done
        except asyncio.CancelledError:
            self._give_up(job)
            raise
        if done.error is None:
            result: T = done.value
            return result
        if self._scenes is not None and isinstance(done.error, ShutokoError):
            asked = (done.error, self._scenes / "scene")
            _add(done.error, await asyncio.to_thread(kept_scene, *asked, shown=self._scenes.name))
        raise done.error

    def close(self) -> None:
        """Ends all processes at once, whatever they do, and drops their jobs and those that
        wait.
        """
        for worker in self._all:
            worker.kill()
        self._all.clear()
        self._idle.clear()
        for job in (*self._waiting, *self._running):
            job.fail(
                Refusal(
                    f"{job.kind.name} was dropped: the server ends",
                    "job-dropped",
                    what=job.kind.name,
                )
            )
        self._waiting.clear()

    def _check(self, job: _Job) -> None:
        if job.kind.play:
            return
        jobs = (*self._waiting, *self._running)
        count = sum(other.who == job.who and not other.kind.play for other in jobs)
        if count >= MAX_WAITING:
            told = (
                f"{count} things that you asked for are still being worked on; wait for one of them"
            )
            raise StoppedError(Refusal(told, "job-many", count=count))

    def _start_jobs(self) -> None:
        """Gives waiting jobs to free workers, if there are any."""
        while len(self._running) < self.size:
            job = next_of(self._waiting, tuple(self._running), self.size, self._spent.of)
            if job is None:
                return
            self._waiting.remove(job)
            self._running[job] = asyncio.get_running_loop().create_task(self._attend(job))

    async def _attend(self, job: _Job) -> None:
        """Sees one job through, on as many workers as it takes."""
        begun = time.monotonic()
        try:
            for _ in range(_TRIES):
                if job.done.done() or await self._tried(job, self._worker()):
                    return
            told = f"{job.kind.name} was given up: its process died {_TRIES} times"
            job.fail(Refusal(told, "job-died", what=job.kind.name, times=_TRIES))
        finally:
            self._running.pop(job, None)
            if job.who:
                self._spent.add(job.who, time.monotonic() - begun)
            self._start_jobs()

    async def _tried(self, job: _Job, worker: _Worker) -> bool:
        """Whether the job came to an end; else its worker died."""
        try:
            async with own_time(worker.pid, job.kind.seconds) as job.limit:
                done = await worker.call(job.message, job.hear)
        except TimeoutError:
            self._replace(worker)
            told = f"{job.kind.name} took longer than {job.kind.seconds:g} seconds and was stopped"
            job.fail(Refusal(told, "job-late", what=job.kind.name, seconds=job.kind.seconds))
            return True
        except (EOFError, OSError):
            self._replace(worker)
            return job.done.done()  # nobody waits any more: the server ends, or the visitor left
        except BaseException:
            self._replace(worker)
            raise
        if worker in self._all:
            self._idle.append(worker)
        job.end(done)
        return True

    def _give_up(self, job: _Job) -> None:
        """Drops a job whose visitor left: at once if it waits, soon if a worker is at it."""
        if job in self._waiting:
            self._waiting.remove(job)
        elif job.limit is not None and job in self._running:
            sooner(job.limit, _LEFT)

    def _worker(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive():
                return worker
            self._replace(worker)
        if not self._all:
            # before multiprocessing's own, which waits for processes that may be stopped
            atexit.register(self.close)
        worker = _Worker()
        self._all.add(worker)
        return worker

    def _replace(self, worker: _Worker) -> None:
        """Ends a worker; the next job starts a new one."""
        worker.kill()
        self._all.discard(worker)


@dataclass(eq=False, slots=True)
class _Job:
    """One call: what is sent to a worker, for whom, and where whoever waits for it looks."""

    message: bytes
    kind: Kind
    who: str
    done: asyncio.Future[_Done]
    heard: Callable[[Any], None] | None = None
    limit: asyncio.Timeout | None = field(default=None)

    def hear(self, said: Any) -> None:
        if self.heard is not None and not self.done.done():
            self.heard(said)

    def end(self, done: _Done) -> None:
        if not self.done.done():
            self.done.set_result(done)

    def fail(self, told: Refusal) -> None:
        if not self.done.done():
            self.done.set_exception(StoppedError(told))


def next_of(
    waiting: Sequence[_Job],
    running: Sequence[_Job],
    size: int,
    spent: Callable[[str], float] = lambda _: 0.0,
) -> _Job | None:
    """The job that a free worker does next, None if it is to stay free.

    Jobs that a game waits for go first, then those of visitors for whom least is done now, and of
    them those who have `spent` the least of the workers' time; then the oldest. So nobody waits for
    more than one job of a visitor who has had more. Of several workers one is left to the games,
    and no visitor's own jobs occupy all, nor do their moves.
    """
    most = max(1, size - 1)
    extra = sum(not job.kind.play for job in running)

    def of(who: str, *, solo: bool) -> int:
        return sum(job.kind.solo is solo and job.who == who for job in running)

    def may_run(job: _Job) -> bool:
        fits = job.kind.play or extra < most
        return fits and not (job.who and of(job.who, solo=job.kind.solo) >= most)

    def order(job: _Job) -> tuple[bool, int, float]:
        return not job.kind.play, of(job.who, solo=True), spent(job.who)

    return min(filter(may_run, waiting), key=order, default=None)


class Spent:
    """The seconds of workers that each visitor has used up; half is forgotten in a while."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._of = Recent[str, tuple[float, float]]()

    def of(self, who: str) -> float:
        """What a visitor has used up as of now."""
        seconds, at = self._of.get(who, (0.0, 0.0))
        return seconds * 0.5 ** ((self._clock() - at) / _HALF) if seconds else 0.0

    def add(self, who: str, seconds: float) -> None:
        """Puts some seconds down to a visitor."""
        self._of[who] = self.of(who) + seconds, self._clock()


def _add(error: ShutokoError, told: str) -> None:
    """Adds words to the message of an error, and to the reason, which pages show."""
    error.args = (f"{error}{told}",)
    if isinstance(error, RecordError):
        error.reason += told


class _Worker:
    """One process and its pipe."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,))
        self._process.start()
        theirs.close()  # else we would not notice the end of the process
        self._thread = ThreadPoolExecutor(1)
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def is_alive(self) -> bool:
        return self._process.is_alive()

    async def call(self, message: bytes, hear: Callable[[Any], None]) -> _Done:
        """Raises EOFError or OSError if the process dies."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._thread,
            self._exchanged,
            message,
            lambda what: loop.call_soon_threadsafe(hear, what),
        )

    def kill(self) -> None:
        """Ends the process, whatever it does; a thread that waits for its answer then sees its
        end.
        """
        self._process.kill()
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._process.join()

    def _exchanged(self, message: bytes, hear: Callable[[Any], object]) -> _Done:
        self._pipe.send_bytes(message)
        while True:
            got: _Done | _Said = pickle.loads(self._pipe.recv_bytes())  # noqa: S301 - from a process of our own
            if isinstance(got, _Done):
                return got
            hear(got.value)


@dataclass(frozen=True, slots=True)
class _Said:
    """What a call tells before it ends."""

    value: Any


@dataclass(frozen=True, slots=True)
class _Done:
    """What a call returned, or its error."""

    value: Any = None
    error: Exception | None = None


# --- in the worker --------------------------------------------------------------------------------

_server: Connection | None = None  # in a worker: the way back


def say(value: Any) -> None:
    """Tells whoever waits for this job something before it has ended; does nothing outside a
    worker.
    """
    if _server is not None:
        _server.send_bytes(pickle.dumps(_Said(value)))


def _serve(pipe: Connection) -> None:
    """Does what comes over the pipe, until its other end is closed. Leaves interrupts to the
    server, which ends its workers.
    """
    global _server  # noqa: PLW0603 - a worker does one job at a time, and jobs are plain functions
    end_with_parent()
    _server = pipe
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_BEHIND)
    while True:
        try:
            message = pipe.recv_bytes()
        except EOFError:
            return
        pipe.send_bytes(_answer(message))


def _answer(message: bytes) -> bytes:
    try:
        work, arguments = pickle.loads(message)  # noqa: S301 - from the server that started this process
        return pickle.dumps(_Done(work(*arguments)))
    except Exception as error:  # noqa: BLE001 - whatever a player from elsewhere raises is raised where it was asked for
        if isinstance(error, ShutokoError):
            vars(error)["scene"] = scene_of(error)  # what it was raised from does not travel
        else:
            error.add_note(f"in a worker process:\n{traceback.format_exc()}")
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 - some errors can be written but not be read
        except Exception:  # noqa: BLE001 - an error that cannot travel is replaced by its text
            error = RuntimeError(f"{type(error).__name__}: {error}")
        return pickle.dumps(_Done(error=error))


async def whole(work: Coroutine[Any, Any, None]) -> None:
    """Waits for work; if the caller is cancelled meanwhile, it ends when the work is done."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        with suppress(ShutokoError):
            await task
        raise
