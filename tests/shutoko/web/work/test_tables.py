"""The films of a record: made ahead of time, and not waited for."""

import asyncio
import math

import rules
from shutoko.web.work import tables
from shutoko.web.work.workers import Workers
from sim.assets import asset
from sim.game import replay


class Here(Workers):
    """Works in a thread of this process."""

    async def run(self, work, *arguments, **_):
        return await asyncio.to_thread(work, *arguments)


def test_a_film_is_made_ahead_by_a_worker_and_a_slow_one_is_not_waited_for(monkeypatch):
    record = replay.branch(rules.record.read(asset("records", "two-cars.jsonl")), 4)
    steps = [*rules.replay(record)]

    class Slow:
        begun = 0

        async def run(self, work, *arguments, **_):
            self.begun += 1
            await asyncio.sleep(3600)

    async def run():
        made = tables.Films(Here(), record, steps)
        made.soon(1)
        found = await made.of(1)
        assert found.seconds > 1
        assert {"B-P0.1", "B-R0", "B-C0"} <= found.keys.keys()
        assert await made.of(1) is found
        slow = Slow()
        waiting = tables.Films(slow, record, steps)
        monkeypatch.setattr(tables, "_PATIENCE", 0.01)
        assert await waiting.of(2) == tables.blended_film(record.header, steps[2])
        waiting.soon(0)
        waiting.stop()
        await asyncio.sleep(0)
        assert slow.begun == 1  # what was given up before it began is not begun

    asyncio.run(run())


def test_a_ply_comes_out_here_as_its_record_says():
    record = replay.branch(rules.record.read(asset("records", "two-cars.jsonl")), 3)
    *_, step = rules.replay(record)
    lying = {
        body.id: body.pose.at for body in tables.as_here(record.header, step.entry, step.before)
    }
    for piece, numbers in step.entry.got["moved"].items():
        assert math.dist(lying[piece], numbers[:3]) < 0.5, piece
