"""The worker processes: time limits, fairness between visitors, visitors who leave, workers that
hang or die, and the end.
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from rules.errors import InputError, RecordError
from shutoko.web.limits import MAX_LINES, MAX_UPLOAD
from shutoko.web.work import kinds, workers as module
from shutoko.web.work.jobs import taken_in
from shutoko.web.work.kinds import CHOICE, HINT, MOVE, VERIFY, Kind, at_most, own_time, waited
from shutoko.web.work.workers import MAX_WAITING, Spent, StoppedError, Workers, _Job, next_of, say
from sim.assets import asset
from sim.bodies import Pose
from sim.physics.engine import PhysicsError
from sim.physics.unsettled import load
from sim.physics.world import World
from tests.browser import until
from tools.scenes import NAMES, scene

pytestmark = pytest.mark.anyio

LONG = Kind("the test", 120.0, play=True, solo=False)
BRIEF = Kind("the test", 0.5)


@pytest.fixture
def pool():
    made = Workers(1)
    yield made
    made.close()


def state(pid):
    """The letter that Linux has for the state of a process, Z once it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def ended(*pids):
    """Waits until these processes are gone, or soon are."""
    until(lambda: {*map(state, pids)} == {"Z"}, "they have ended")


@pytest.mark.parametrize("hangs", [False, True])
async def test_a_job_that_takes_too_long_is_stopped_with_its_worker_which_is_replaced(pool, hangs):
    first = await pool.run(os.getpid, kind=LONG)
    if hangs:
        os.kill(first, signal.SIGSTOP)
    late = r"^the test took longer than 0\.5 seconds and was stopped$"
    with pytest.raises(StoppedError, match=late):
        await pool.run(*([os.getpid] if hangs else [time.sleep, 3600]), kind=BRIEF)
    ended(first)
    assert await pool.run(os.getpid, kind=LONG) != first


async def test_a_job_whose_worker_waits_for_a_core_is_not_stopped_for_that(pool, monkeypatch):
    await pool.run(os.getpid, kind=LONG)
    waited = iter((7.0, 3607.0))  # as the job begins, and when its time would be over
    monkeypatch.setattr(kinds, "waited", lambda _worker: next(waited))
    await pool.run(time.sleep, BRIEF.seconds + 0.2, kind=BRIEF)
    assert next(waited, None) is None


async def test_the_time_in_the_queue_is_not_the_jobs_own(pool, monkeypatch):
    begun = []

    def noted(worker, seconds):
        begun.append(seconds)
        return own_time(worker, LONG.seconds)

    monkeypatch.setattr(module, "own_time", noted)

    first = asyncio.create_task(pool.run(time.sleep, 0.2, kind=LONG))
    second = asyncio.create_task(pool.run(abs, -1, kind=BRIEF))
    await asyncio.sleep(0.1)
    assert begun == [LONG.seconds]
    await first
    assert await second == 1
    assert begun == [LONG.seconds, BRIEF.seconds]


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells how long a process waited for a core"
)
def test_a_process_that_shares_its_core_waits_and_one_that_sleeps_does_not():
    spins = (
        f"import os; os.sched_setaffinity(0, {{{min(os.sched_getaffinity(0))}}})\nwhile True: pass"
    )
    busy = [subprocess.Popen([sys.executable, "-c", spins]) for _ in range(2)]
    try:
        until(lambda: min(waited(one.pid) for one in busy) >= 0.02, "both have waited")
        os.kill(busy[0].pid, signal.SIGSTOP)
        until(lambda: state(busy[0].pid) == "T", "a signal counts once its process has a core")
        before = waited(busy[0].pid)
        time.sleep(0.1)
        assert waited(busy[0].pid) == before
    finally:
        for one in busy:
            one.kill()
            one.wait()
    assert waited(busy[0].pid) == 0.0


@pytest.mark.parametrize("jump", [-1e9, 1e9])
async def test_a_clock_of_the_wall_that_jumps_ends_no_job_and_spares_none(pool, monkeypatch, jump):
    wall = time.time

    worker = await pool.run(os.getpid, kind=LONG)
    monkeypatch.setattr(time, "time", lambda: wall() + jump)
    assert await pool.run(os.getpid, kind=LONG) == worker
    with pytest.raises(StoppedError, match="took longer"):
        await pool.run(time.sleep, 3600, kind=BRIEF)


async def test_a_job_whose_worker_died_is_done_again_and_one_that_kills_its_workers_is_given_up(
    pool, tmp_path
):
    os.kill(await pool.run(os.getpid, kind=LONG), signal.SIGKILL)
    assert await pool.run(abs, -1, kind=LONG) == 1
    with pytest.raises(StoppedError, match=r"its process died 2 times"):
        await pool.run(os._exit, 1, kind=LONG)
    assert await pool.run(abs, -1, kind=LONG) == 1


@pytest.mark.parametrize(
    ("work", "given", "kind", "said"),
    [
        ("_raise_ours", (), InputError, "^mine: 9 bytes$"),
        ("divmod", (1, 0), ZeroDivisionError, "zero"),
        ("_raise_odd", (), RuntimeError, "_OddError: it cannot be read again"),
    ],
)
async def test_what_a_job_raises_is_raised_where_it_was_asked_for(pool, work, given, kind, said):
    with pytest.raises(kind, match=said):
        await pool.run(globals().get(work, divmod), *given, kind=LONG)
    assert await pool.run(abs, -1, kind=LONG) == 1


async def test_a_scene_that_physics_could_not_settle_is_kept_beside_the_data_and_the_worker_goes_on(
    tmp_path,
):
    pool = Workers(1, tmp_path / "scenes")
    worker = await pool.run(os.getpid, kind=LONG)
    for work in (_settle_nan, _settle_nan_of_a_record):
        with pytest.raises(InputError) as caught:
            await pool.run(work, kind=LONG)
        (kept,) = (tmp_path / "scenes").iterdir()
        end = f"is kept in scenes/{kept.name}: please send that with a report"
        assert str(caught.value).endswith(end), "one and the same, that is kept once"
        assert str(getattr(caught.value, "reason", caught.value)).endswith(end)
    with pytest.raises(PhysicsError):
        World.of(load(kept)).settle()
    assert await pool.run(os.getpid, kind=LONG) == worker
    pool.close()


def _settle_nan_of_a_record():
    try:
        _settle_nan()
    except PhysicsError as error:
        raise RecordError(str(error), "g.jsonl", 2, 0) from error


def _settle_nan():
    *others, last = scene(NAMES[0]).bodies
    world = World(others)
    world.place(last.at(Pose((math.nan, 0.0, 50.0), last.pose.quat)))
    return world.settle().poses[last.id]


def _raise_ours():
    raise InputError("mine: 9 bytes")


class _OddError(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} {two}")


def _raise_odd():
    raise _OddError("it cannot be", "read again")


async def test_a_job_whose_visitor_left_is_dropped(pool, monkeypatch):
    monkeypatch.setattr(module, "_LEFT", 0.1)

    before = await pool.run(os.getpid, kind=LONG)
    running = asyncio.create_task(pool.run(time.sleep, 3600, kind=LONG, who="one"))
    waiting = asyncio.create_task(pool.run(time.sleep, 3600, kind=LONG, who="two"))
    await asyncio.sleep(0.2)
    for task in (waiting, running):
        task.cancel()
    assert await pool.run(os.getpid, kind=LONG, who="three") != before
    ended(before)


async def test_one_visitor_may_ask_for_so_much_only(pool):
    asked = [pool.run(time.sleep, 3600, kind=HINT, who="one") for _ in range(MAX_WAITING)]
    all_of_them = asyncio.gather(*asked)
    await asyncio.sleep(0)
    many = f"^{MAX_WAITING} things that you asked for are still being worked on"
    with pytest.raises(StoppedError, match=many):
        await pool.run(abs, -1, kind=HINT, who="one")
    all_of_them.cancel()


SLOW = [(CHOICE, who) for who in ("ann", "bo") * 6]
ANN, TWO, THREE = [(VERIFY, "ann")], [(VERIFY, "ann")] * 2, [(VERIFY, "ann")] * 3
BO, CY = [(VERIFY, "bo")] * 2, [(CHOICE, "cy")]
MOVES = [(MOVE, "ann")] * 3
NEXT = {
    "the first one where nothing runs": ([*THREE, *BO], [], 3, 0),
    "a visitor for whom less is done": ([*TWO, *BO], ANN, 3, 2),
    "the same visitor if nobody else waits": (TWO, ANN, 3, 0),
    "nobody on the last worker that one visitor leaves": (ANN, TWO, 3, None),
    "nobody on the last worker with what several want": (BO, TWO, 3, None),
    "nobody who thinks on all workers": ([(CHOICE, "ann")], [(CHOICE, "ann")] * 2, 3, None),
    "another one who thinks": ([(CHOICE, "ann"), (CHOICE, "bo")], [(CHOICE, "ann")] * 2, 3, 1),
    "no second move of one visitor on two workers": (MOVES[1:], MOVES[:1], 2, None),
    "the hint of another before a second move": ([*MOVES[1:], (HINT, "bo")], MOVES[:1], 2, 2),
    "a move beside the own thinking": (MOVES[:1], [(CHOICE, "ann")], 2, 0),
    "nobody beside the only worker": (MOVES[1:], MOVES[:1], 1, None),
    "a move on the only worker": (MOVES, [], 1, 0),
    "a move before all else": ([(HINT, "ann"), (MOVE, "")], [], 2, 1),
    "a move beside a hint": ([(MOVE, "")], [(HINT, "ann")], 2, 0),
    "a hint on the only worker": ([(HINT, "ann")], [], 1, 0),
    "nobody if nobody waits": ([], [], 2, None),
    # two visitors with a queue of slow computers each, and a third one who comes last
    "whoever has used up less": ([*SLOW[1:], *CY], SLOW[:1], 2, 11),
    "whoever has used up less beside another": ([*SLOW[2:], *CY], SLOW[1:2], 2, 10),
}


@pytest.mark.parametrize(("waiting", "running", "workers", "expected"), NEXT.values(), ids=NEXT)
def test_the_next_job_is_that_of(waiting, running, workers, expected):
    jobs = [_Job(b"", kind, who, None) for kind, who in waiting]
    spent = {"ann": 60.0, "bo": 50.0, "cy": 0.0} if CY[0] in waiting else {}
    busy = [_Job(b"", kind, who, None) for kind, who in running]
    found = next_of(jobs, busy, workers, *[spent.get] * bool(spent))
    assert found is (None if expected is None else jobs[expected])


def test_what_was_used_up_is_forgotten_by_halves():
    clock = SimpleNamespace(now=0.0)
    spent = Spent(lambda: clock.now)
    for passed, who, seconds, left in (
        (0.0, "ann", 0.0, 0.0),
        (0.0, "ann", 40.0, 40.0),
        (0.0, "bo", 30.0, 30.0),
        (120.0, "ann", 0.0, 20.0),
        (0.0, "ann", 1.0, 21.0),
        (0.0, "bo", 0.0, 15.0),
    ):
        clock.now += passed
        spent.add(who, seconds)
        assert spent.of(who) == left


async def test_work_is_put_down_to_whoever_asked_for_it(pool):
    await pool.run(time.sleep, 0.2, kind=HINT, who="one")
    await pool.run(abs, -1, kind=HINT, who="two")
    assert pool._spent.of("one") > 0.15
    assert pool._spent.of("one") > pool._spent.of("two") + 0.1


async def test_closing_ends_workers_whatever_they_do():
    pool = Workers(2)
    endless = asyncio.create_task(pool.run(time.sleep, 3600, kind=LONG))
    os.kill(await pool.run(os.getpid, kind=LONG), signal.SIGSTOP)
    await asyncio.sleep(0)
    pids = pool.pids
    pool.close()
    with pytest.raises(StoppedError, match="the server ends"):
        await endless
    assert len(pids) == 2
    ended(*pids)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a worker that is stopped")
def test_workers_end_with_a_process_that_is_killed_even_if_they_are_stopped():
    code = (
        "import asyncio, os, signal, time\n"
        "from shutoko.web.work.kinds import WARM\n"
        "from shutoko.web.work.workers import Workers\n"
        "async def run():\n"
        "    pool = Workers(2)\n"
        "    endless = asyncio.create_task(pool.run(time.sleep, 3600, kind=WARM))\n"
        "    stopped = await pool.run(os.getpid, kind=WARM)\n"
        "    os.kill(stopped, signal.SIGSTOP)\n"
        "    print(*pool.pids, flush=True)\n"
        "    await endless\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(run())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as started:
        pids = [int(pid) for pid in started.stdout.readline().split()]
        started.kill()
    assert len(pids) == 2
    ended(*pids)


# --- uploads --------------------------------------------------------------------------------------


TWO_CARS = asset("records", "two-cars.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (TWO_CARS, None),
        (TWO_CARS + b"\n" * MAX_LINES, rf"\d+ lines are too many; a record of {MAX_LINES} lines"),
        (b" " * (MAX_UPLOAD + 1), r"\d+ bytes are too many"),
        (TWO_CARS.replace(b'"ply":1,', b'"ply":7,', 1), r"mine\.jsonl:3: ply 1"),
        (b'{"a":', "header"),
        (b'{"record":"shutoko","version":[1,0],"game":"chess","players":["a","b"]}\n', "chess"),
    ],
    ids=["a record", "too many lines", "too many bytes", "a wrong ply", "no record", "no game"],
)
def test_an_upload_is_read_within_limits_and_written_anew(data, said):
    with pytest.raises(InputError, match=said) if said else nullcontext():
        assert taken_in(data, "mine.jsonl")[0].startswith(b'{"record":"shutoko"')


@pytest.mark.slow
@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells how much memory a process has"
)
async def test_memory_beyond_the_limit_is_refused_and_the_limit_ends_with_the_block(pool):
    with pytest.raises(InputError, match=r"^too much$"):
        await pool.run(_take, 64 * 2**20, 16 * 2**20, kind=LONG)
    assert await pool.run(_take, 16 * 2**20, 64 * 2**20, kind=LONG) == 16 * 2**20
    assert await pool.run(_take_after, 64 * 2**20, kind=LONG) == 64 * 2**20


def _take(size, limit):
    with at_most(limit, "too much"):
        return len(bytearray(size))


def _take_after(size):
    with at_most(2**20, "too much"):
        pass
    return len(bytearray(size))


def spoken(count):
    for n in range(count):
        say(n)
    return "done"


def test_a_job_is_heard_while_it_works(pool):
    heard = []
    assert asyncio.run(pool.run(spoken, 3, kind=HINT, heard=heard.append)) == "done"
    assert heard == [0, 1, 2]
