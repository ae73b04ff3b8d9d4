"""What somebody aims at is told to the others, seldom enough, and no more once the position has changed."""

from __future__ import annotations

import asyncio

from shutoko.web.rooms.live import Aim, Live


def test_others_get_the_first_and_the_last_of_many_aims_and_the_sender_none():
    async def run():
        live, heard, own = Live(), [], []
        last = asyncio.Event()

        def hear(aim):
            heard.append(aim)
            if aim == Aim(0, ("z",)):
                last.set()

        live.hear(hear)
        leave = live.hear(own.append)
        for cell in (*"abcdefg", "z", "z"):
            live.show(own.append, Aim(0, (cell,)))
        await asyncio.wait_for(last.wait(), 60)
        assert heard == [Aim(0, ("a",)), Aim(0, ("z",))]
        assert own == []
        assert live.now == Aim(0, ("z",))
        leave()  # whoever leaves the page aims no more
        assert live.now is None

    asyncio.run(run())


def test_a_waiting_aim_is_dropped_when_the_position_changes():
    async def run():
        live, heard = Live(), []
        live.hear(heard.append)
        for cell in "abc":
            live.show(print, Aim(0, (cell,)))
        live.clear()
        assert live.now is None
        await asyncio.sleep(0.3)
        assert heard == [Aim(0, ("a",))]

    asyncio.run(run())
