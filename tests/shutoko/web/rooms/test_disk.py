"""Rooms on a disk that fails, and under clocks that jump: what is shown, what is on disk and what
is accepted next agree.
"""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from rules.errors import InputError
from shutoko.web.library import Library
from shutoko.web.rooms.store import Rooms
from sim.assets import asset
from tests.faults import CALLS, Disk
from tests.shutoko.web.rooms.test_rooms import (
    ANN,
    BO,
    Here,
    acted,
    agreeing,
    meridians,
    opened,
    until,
)

pytestmark = pytest.mark.anyio

STEPS = ("claim", "b2", "name", "c3", "undo", "c4", "resign")


async def stepped(room, step):
    match step:
        case "claim":
            room.claim(room.invitations(ANN)[1], BO)
        case "name":
            await room.rename(BO, "Robert")
        case "undo":
            await room.undo(ANN)
            await room.undo(BO)
        case _:
            await acted(room, step)


@pytest.mark.parametrize(("what", "takes"), [*((call, -1) for call in CALLS), ("write", 20)])
@pytest.mark.parametrize("at", range(len(STEPS)))
async def test_after_a_failure_at_any_step_the_room_shown_is_on_disk_and_goes_on(
    monkeypatch, tmp_path, what, takes, at
):
    disk = Disk(monkeypatch, tmp_path)
    room = Rooms(tmp_path, Here()).open(meridians(), ANN)
    for step in STEPS[:at]:
        await stepped(room, step)
    disk.fail(what, takes=takes)
    try:
        await stepped(room, STEPS[at])
    except InputError:
        assert disk.mend()
        assert agreeing(room)
        assert not room.busy
        await stepped(room, STEPS[at])
    disk.mend()
    for step in STEPS[at + 1 :]:
        await stepped(room, step)
        assert agreeing(room)
    assert room.over
    assert len(list(tmp_path.iterdir())) == 2
    again = Rooms(tmp_path, Here()).room(room.id)
    assert again.record == room.record


@pytest.mark.parametrize("nth", range(2), ids=["seats", "record"])
@pytest.mark.parametrize("what", ["open", "write", "fsync", "folder"])
def test_a_room_that_cannot_be_kept_leaves_nothing(monkeypatch, tmp_path, what, nth):
    disk = Disk(monkeypatch, tmp_path)
    store = Rooms(tmp_path, Here())
    disk.fail(what, nth)
    with pytest.raises(InputError, match="cannot be"):
        store.open(meridians(), ANN)
    assert disk.mend()
    assert list(tmp_path.iterdir()) == []
    store.open(meridians(), ANN)
    written = ["seats" in name for kind, name in disk.log if kind == "write"]
    assert written[-2:] == [True, False], "a record always has its seats"


@pytest.mark.parametrize(
    ("what", "takes"),
    [("open", -1), ("write", -1), ("write", 100), ("fsync", -1), ("link", -1), ("folder", -1)],
)
def test_an_upload_that_cannot_be_kept_is_refused_and_leaves_nothing(
    monkeypatch, tmp_path, what, takes
):
    library = Library(tmp_path)
    data = asset("records", "two-cars.jsonl").read_bytes()
    disk = Disk(monkeypatch, tmp_path)
    disk.fail(what, takes=takes)
    with pytest.raises(InputError, match=r"mine\.jsonl: cannot be kept: No space left"):
        library.save(data, "mine.jsonl")
    assert disk.mend()
    assert list(tmp_path.iterdir()) == []
    name = library.save(data, "mine.jsonl")
    assert [one.name for one in library.saved()] == [name]


async def test_room_and_disk_agree_if_the_player_leaves_while_a_ply_is_kept(monkeypatch, tmp_path):
    from rules.record.writing import Kept

    begun, go = threading.Event(), threading.Event()
    add = Kept.add

    def slow(self, *args):
        begun.set()
        go.wait(60)
        add(self, *args)

    _, room = opened(tmp_path, meridians())
    monkeypatch.setattr(Kept, "add", slow)
    playing = asyncio.ensure_future(room.play(ANN, "b2", 0))
    await asyncio.to_thread(begun.wait, 60)
    playing.cancel()
    await asyncio.sleep(0)
    await acted(room, (ANN, "play", "c3", 0, "being made"))
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert agreeing(room)
    await acted(room, {"plies": ["b2"]}, "c3", None)


async def test_time_that_expires_while_the_disk_is_full_is_claimed_once_there_is_room(
    monkeypatch, tmp_path
):
    disk = Disk(monkeypatch, tmp_path)
    _, room = opened(tmp_path, meridians(clock=0.05))
    await acted(room, "b2")
    disk.fail("fsync")
    await until(room, "time")
    assert "No space left" in str(room.trouble)
    disk.mend()
    disk.fail("fsync")
    await acted(room, (ANN, "claim_time", "No space left"))
    assert agreeing(room)
    disk.mend()
    await acted(room, (ANN, "claim_time", ...), {"over": True}, None)


@pytest.mark.parametrize("jump", [-1e9, 86400.0 * 365])
async def test_a_clock_of_the_wall_that_jumps_gives_and_takes_no_time(monkeypatch, tmp_path, jump):
    store, room = opened(tmp_path, meridians(clock=60.0))
    await acted(room, "b2")
    before, wall = room.clocks, time.time
    monkeypatch.setattr(time, "time", lambda: wall() + jump)
    assert room.clocks == pytest.approx(before, abs=5.0)
    await acted(room, "c3", {"clocks": pytest.approx((60.0, 60.0), abs=5.0), "over": False})
    assert room.record.entries[-1].extra["x-clock"] == pytest.approx([60.0, 60.0], abs=5.0)
    assert store.put_away(600.0) == 0
    room.close()
