"""Rooms without a browser: seats, secrets, refusals, records on disk, undo, clocks, the computer,
physics in workers.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import rules
from rules.errors import IllegalMoveError, InputError, NotationError, RecordError, ShutokoError
from rules.record import Header, Record, loads, read
from shutoko.web.rooms import store as store_module
from shutoko.web.rooms.seats import MAX_HOLDERS, RefusedError, Seats
from shutoko.web.rooms.store import MAX_NAME, Rooms, Setup
from shutoko.web.work import by_hand, jobs, tables
from shutoko.web.work.workers import Workers
from sim.game.verify import verify as verify_table
from sim.physics import world
from sim.physics.engine import NotSettledError
from sim.referee.verdict import Close

pytestmark = pytest.mark.anyio

ANN, BO, EVE = "browser-of-ann", "browser-of-bo", "browser-of-eve"


class Here(Workers):
    """Works in a thread of this process."""

    async def run(self, work, *arguments, **_):
        return await asyncio.to_thread(work, *arguments)


def meridians(**changed):
    return Setup("meridians", ("Ann", "Bo"), (None, None), {"size": 3}, **changed)


def opened(tmp_path, setup, workers=None):
    """A room with Ann on seat 0 and Bo on seat 1."""
    store = Rooms(tmp_path, workers or Here())
    room = store.open(setup, ANN)
    for seat, secret in room.invitations(ANN).items():
        if seat:
            room.claim(secret, BO)
    return store, room


@pytest.fixture
def clock(monkeypatch):
    """The time that clocks of rooms go by; it passes when the test says so."""
    made = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(
        "shutoko.web.rooms.clocks.time", SimpleNamespace(monotonic=lambda: made.now)
    )
    return made


async def moved(room, *texts):
    for text in texts:
        await room.play((ANN, BO)[room.to_move], text, room.record.next_ply)


async def changed(room, what):
    """Waits until a change of that kind is told, and looks at the room no more."""
    told = asyncio.Event()
    leave = room.subscribe(lambda change: told.set() if change == what else None)
    await asyncio.wait_for(told.wait(), 60)
    leave()


async def played(room, count):
    """Waits until so many plies have been played, and looks at the room no more."""
    told = asyncio.Event()
    leave = room.subscribe(lambda _: told.set() if len(room.steps) >= count else None)
    if len(room.steps) < count:
        await asyncio.wait_for(told.wait(), 60)
    leave()
    await asyncio.sleep(0)


# --- seats ----------------------------------------------------------------------------------------


def test_an_invitation_gives_its_seat_and_a_guess_gives_nothing(tmp_path):
    store = Rooms(tmp_path, Here())
    room = store.open(meridians(), ANN)
    assert room.seats_of(ANN) == (0,)
    assert room.invitations(EVE) == {}
    secret = room.invitations(ANN)[1]
    for guess in ("", secret[:-1], secret + "x", "\u00e9", room.id):
        with pytest.raises(RefusedError, match="opens no seat"):
            room.claim(guess, EVE)
    assert room.seats_of(EVE) == ()
    assert room.claim(secret, BO) == 1
    assert room.seats_of(BO) == (1,)


def test_a_guessed_room_is_no_room_and_no_path_is_made_of_it(tmp_path):
    store = Rooms(tmp_path / "rooms", Here())
    room = store.open(meridians(), ANN)
    (tmp_path / "outside-the-folder.jsonl").write_bytes(b"x")
    for guess in ("", "a" * 24, "../outside-the-folder", room.id[:-1] + "!", "x" * 5000):
        assert store.room(guess) is None


def test_the_secrets_of_seats_are_for_the_owner_of_the_files_only(tmp_path):
    _, room = opened(tmp_path, meridians())
    mode = (tmp_path / f"{room.id}.seats.json").stat().st_mode & 0o777
    assert mode == 0o600
    record = (tmp_path / f"{room.id}.jsonl").read_text()
    assert not any(secret in record for secret in room.invitations(ANN).values())


REFUSED = [
    (0, lambda room: room.play(BO, "b2", 0), "turn of Ann"),
    (0, lambda room: room.play(EVE, "b2", 0), "you watch"),
    (0, lambda room: room.resign(EVE), "you watch"),
    (1, lambda room: room.play(BO, "c3", 0), "meant for ply 0"),
    (1, lambda room: room.play(BO, "b2", 1), "taken"),
    (1, lambda room: room.play(BO, "<script>", 1), "no point"),
    (1, lambda room: room.undo(EVE), "you watch"),
    (0, lambda room: room.undo(ANN), "nothing to take back"),
    (1, lambda room: room.claim_time(BO), "nobody's time is up"),
    (1, lambda room: room.rename(EVE, "Eve"), "you watch"),
    (0, lambda room: room.let_be(ANN), "take the pieces again"),
]
"""How many plies were made, what is asked then, and why it is refused."""


@pytest.mark.parametrize(("plies", "asked", "why"), REFUSED)
async def test_what_somebody_may_not_do_or_not_now_is_refused_and_changes_nothing(
    tmp_path, plies, asked, why
):
    _, room = opened(tmp_path, meridians())
    await moved(room, *["b2"] * plies)
    before = room.record
    with pytest.raises(ShutokoError, match=why):
        await asked(room)
    assert (room.record, room.wishes) == (before, set())


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("who", [ANN, BO])
async def test_a_player_resigns_at_any_time(tmp_path, seats, who):
    """Of three, whoever is not to move leaves in the own turn, after a restart as well."""
    names, options = ("Ann", "Bo", "Cy")[:seats], {"players": seats} if seats > 2 else {}
    setup = Setup("tokyo-highway", names, (None,) * seats, options, held=(0, 2))
    store, room = opened(tmp_path, replace(setup, held=(0,)))
    assert await room.resign(who) == (who == ANN or seats == 2)
    store.close()
    room = Rooms(tmp_path, Here()).room(room.id)
    if who == BO and seats == 3:
        assert (room.steps, room.over) == ([], False)
        room.start()
        await moved(room, str(room.position.table.default_entrance(0)))
        await played(room, 2)
        assert (room.steps[1].entry.by, room.steps[1].entry.do) == (1, "resign")
    assert room.over == (seats == 2)
    if room.over:
        assert room.outcome.winners == (1 if who == ANN else 0,)
        assert verify_table(read(tmp_path / f"{room.id}.jsonl"), "rules").ok
    room.close()


def test_who_looks_at_a_room_is_there_and_a_list_says_who_is_waited_for(tmp_path):
    store = Rooms(tmp_path, Here())
    room, told = store.open(meridians(), ANN), []
    room.subscribe(told.append, ANN)
    (glance,) = store.of(ANN)
    assert (room.here, glance.waits, glance.my_turn) == ({0}, True, False)
    room.claim(room.invitations(ANN)[1], BO)
    leave = room.subscribe(lambda _: None, BO)
    (glance,) = store.of(ANN)
    assert (room.here, glance.waits, glance.my_turn) == ({0, 1}, False, True)
    leave()
    assert (room.here, told) == ({0}, ["seats"] * 3)


def test_a_computers_seat_cannot_be_had(tmp_path):
    store = Rooms(tmp_path, Here())
    room = store.open(Setup("meridians", ("Ann", "x"), (None, "random"), {"size": 3}), ANN)
    assert list(room.invitations(ANN)) == [0]
    secret = json.loads((tmp_path / f"{room.id}.seats.json").read_text())["secrets"][1]
    with pytest.raises(RefusedError):
        room.claim(secret, EVE)


def test_names_are_one_short_printable_line(tmp_path):
    store = Rooms(tmp_path, Here())
    room = store.open(Setup("meridians", (" Ann\n\x00 of  Arc " + "x" * 99, ""), (None, None)), ANN)
    assert room.names[0].startswith("Ann of Arc xxx")
    assert len(room.names[0]) == MAX_NAME
    assert room.names[1] == "player 2"


@pytest.mark.parametrize(
    "setup",
    [
        Setup("go", ("a", "b"), (None, None)),
        Setup("meridians", ("a", "b"), (None, None), {"size": 99}),
        Setup("meridians", ("a", "b"), (None,)),
        Setup("tokyo-highway", ("a",), (None,)),
        Setup("tokyo-highway", ("a", "b"), (None, None), hands=("octopus", None)),
        Setup(
            "tokyo-highway", ("a", "b", "c"), (None, None, None), {"players": 3, "ruleset": "en2"}
        ),
    ],
)
def test_a_setup_that_makes_no_game_leaves_nothing_behind(tmp_path, setup):
    with pytest.raises(InputError):
        Rooms(tmp_path, Here()).open(setup, ANN)
    assert not list(tmp_path.iterdir())


def test_a_room_keeps_which_components_its_rule_set_brought(tmp_path):
    store = Rooms(tmp_path, Here())
    for number, (ruleset, box) in enumerate((("rainbow", "estimate-rubber"), ("fr", None))):
        room = store.open(
            Setup("tokyo-highway", ("a", "b"), (None, None), {"redo": number, "ruleset": ruleset}),
            ANN,
        )
        header = room.record.header
        assert (header.ruleset, header.components, header.options) == (
            ruleset,
            box,
            {"redo": number},
        )
        assert header.physics is not None


# --- the record -----------------------------------------------------------------------------------


async def test_every_confirmed_ply_and_seat_is_there_after_a_restart(tmp_path):
    _, room = opened(tmp_path, meridians())
    await moved(room, "b2", "c3")
    await moved(room, str(room.position.legal_moves()[0]))
    again = Rooms(tmp_path, Here()).room(room.id)
    assert again.record == room.record
    assert again.position == room.position
    assert (again.seats_of(ANN), again.seats_of(BO), again.seats_of(EVE)) == ((0,), (1,), ())
    assert again.invitations(ANN) == room.invitations(ANN)
    await again.play(BO, str(again.position.legal_moves()[0]), 3)


@pytest.mark.slow
def test_a_server_killed_in_the_middle_of_a_game_loses_no_ply_that_it_confirmed(tmp_path):
    script = f"""
import asyncio
from pathlib import Path
from shutoko.web.rooms.store import Rooms, Setup
from shutoko.web.work.workers import Workers
async def run():
    room = Rooms(Path({str(tmp_path)!r}), Workers()).open(\
Setup("meridians", ("a", "b"), (None, None), {{"size": 12}}), "one")
    for secret in room.invitations("one").values():
        room.claim(secret, "one")
    while not room.over:
        step = await room.play("one", str(room.position.legal_moves()[-1]), room.record.next_ply)
        print(step.entry.do, flush=True)
asyncio.run(run())
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as process:
        confirmed = [process.stdout.readline().strip() for _ in range(5)]
        os.kill(process.pid, signal.SIGKILL)
        confirmed += [line.strip() for line in process.stdout if line.endswith("\n")]
    store = Rooms(tmp_path, Here())
    (name,) = store.ids()
    done = [step.entry.do for step in store.room(name).steps]
    assert done[: len(confirmed)] == confirmed
    assert len(done) - len(confirmed) <= 1
    assert store.room(name).seats_of("one") == (0, 1)


async def test_the_end_of_a_game_is_in_its_record(tmp_path):
    _, room = opened(tmp_path, meridians())
    await moved(room, "b2", "resign")
    assert room.over
    record = rules.record.read(tmp_path / f"{room.id}.jsonl")
    assert record.end.to_json() == {"end": {"ranks": [[0], [1]], "reason": "resigned"}}
    with pytest.raises(RefusedError, match="over"):
        await room.play(ANN, "c3", 2)


def test_a_room_whose_files_are_broken_is_told_with_its_file(tmp_path):
    _, room = opened(tmp_path, meridians())
    (tmp_path / f"{room.id}.seats.json").write_text("{")
    with pytest.raises(RecordError, match="seats cannot be read"):
        Rooms(tmp_path, Here()).room(room.id)


async def test_a_game_goes_on_from_a_record_that_was_branched(tmp_path):
    _, room = opened(tmp_path, meridians())
    await moved(room, "b2", "c3")
    await moved(room, str(room.position.legal_moves()[0]))
    _, branch = opened(tmp_path, Setup("meridians", ("X", "Y"), (None, None), record=room.record))
    assert branch.names == ("X", "Y")
    assert branch.position == room.position
    assert branch.id != room.id


@pytest.mark.parametrize(
    "nonsense",
    ["soon", [], [1], [1, "x"], [1, -1], [1, 1e9], {"0": 1}, None, True, [[1], [2]], [True, False]],
)
async def test_a_room_goes_on_from_a_record_whose_own_keys_make_no_sense(tmp_path, nonsense):
    line = json.dumps(
        {"ply": 0, "by": 0, "do": "b2", "x-clock": nonsense, "x-time": nonsense, "x-mine": nonsense}
    )
    header = {
        "record": "shutoko",
        "version": [1, 0],
        "game": "meridians",
        "players": ["a", "b"],
        "x-": nonsense,
    }
    record = loads(f"{json.dumps(header)}\n{line}\n".encode())

    store, room = opened(
        tmp_path,
        Setup("meridians", ("a", "b"), (None, None), clock=60.0, record=record, held=(0, 1)),
    )
    assert room.clocks == (60.0, 60.0)
    room.start()
    await room.play(ANN, str(room.position.legal_moves()[0]), 1)
    assert room.record.entries[-1].extra["x-clock"] == pytest.approx([60.0, 60.0], abs=30.0)
    store.close()
    assert len(Rooms(tmp_path, Here()).room(room.id).steps) == 2


async def test_a_move_that_physics_cannot_settle_leaves_the_room_as_it_was_and_the_game_goes_on(
    tmp_path, monkeypatch
):
    entrance = '{"entrance":{"pillar":[0,-55],"toward":270},"car":0.5}'

    def thrown_out(_):
        raise NotSettledError("A-P0.1: it is out of the room")

    _, room = opened(tmp_path, Setup("tokyo-highway", ("a", "b"), (None, None)))
    with monkeypatch.context() as patch:
        patch.setattr(world, "check_poses", thrown_out)
        with pytest.raises(NotSettledError, match="out of the room"):
            await moved(room, entrance)
    assert (room.busy, room.steps) == (False, [])
    await moved(room, entrance)
    assert len(read(tmp_path / f"{room.id}.jsonl").entries) == 1


# --- telling, undo, clocks ------------------------------------------------------------------------


async def test_subscribers_are_told_until_they_leave(tmp_path):
    _, room = opened(tmp_path, meridians())
    told = []
    leave = room.subscribe(told.append)
    await moved(room, "b2")
    leave()
    leave()
    await moved(room, "c3")
    assert told == ["ply"]


async def test_a_ply_is_taken_back_when_all_persons_wish_it(tmp_path):
    _, room = opened(tmp_path, meridians())
    await moved(room, "b2", "c3")
    told = []
    room.subscribe(told.append)
    assert not await room.undo(BO)
    assert len(room.steps) == 2
    assert await room.undo(ANN)
    assert told == ["wish", "undo"]
    assert [step.entry.do for step in room.steps] == ["b2"]
    assert rules.record.read(tmp_path / f"{room.id}.jsonl").next_ply == 1
    assert not await room.undo(ANN)
    await moved(room, "d2")
    assert not room.wishes
    assert [step.entry.do for step in room.steps] == ["b2", "d2"]


async def test_a_game_that_counts_takes_nothing_back(tmp_path):
    _, room = opened(tmp_path, meridians(friendly=False))
    await moved(room, "b2")
    with pytest.raises(RefusedError, match="no ply can be taken back"):
        await room.undo(ANN)


async def test_clocks_run_from_the_first_ply_and_survive_a_restart(tmp_path, clock):
    _, room = opened(tmp_path, meridians(clock=60.0, increment=0.2))
    assert room.clocks == (60.0, 60.0)
    clock.now += 3.0
    await moved(room, "b2")
    assert room.clocks == pytest.approx((60.2, 60.0))
    clock.now += 5.0
    assert room.clocks == pytest.approx((60.2, 55.0))
    await moved(room, "c3")
    assert room.clocks == pytest.approx((60.2, 55.2))
    clock.now += 1.0
    room.start()
    room.start()  # opening the page again gives nobody time
    assert room.clocks == pytest.approx((59.2, 55.2))
    again = Rooms(tmp_path, Here()).room(room.id)
    assert again.clocks[1] == pytest.approx(55.2, abs=0.02)
    room.close()


async def test_the_other_players_can_claim_expired_time(tmp_path):
    _, room = opened(tmp_path, meridians(clock=0.05))
    await moved(room, "b2")
    if room.late is None:
        await changed(room, "time")
    assert (room.late, room.clocks[1], room.over) == (1, 0.0, False)
    with pytest.raises(RefusedError, match="your own time"):
        await room.claim_time(BO)
    with pytest.raises(RefusedError, match="you watch"):
        await room.claim_time(EVE)
    await room.claim_time(ANN)
    assert room.over
    assert room.late is None
    assert room.position.outcome().winners == (0,)
    assert room.record.entries[-1].extra["x-time"] is True
    room.close()


async def test_nobody_gets_expired_time_back_and_a_move_goes_on(tmp_path):
    store, room = opened(tmp_path, meridians(clock=0.05, increment=60.0))
    await moved(room, "b2")
    await changed(room, "time")
    assert store.put_away(0.0) == 1
    again = store.room(room.id)
    again.start()
    assert again.late == 1
    await changed(again, "time")  # and everybody is told again
    await moved(again, "c3")
    assert (again.late, again.clocks[1]) == (None, 60.0)
    await again.undo(ANN)
    await again.undo(BO)
    assert again.late is None
    again.close()


async def test_whoever_is_asked_to_take_a_ply_back_may_refuse(tmp_path):
    _, room = opened(tmp_path, meridians())
    await moved(room, "b2")
    told = []
    room.subscribe(told.append)
    await room.undo(ANN)
    for holder in (ANN, EVE):
        with pytest.raises(RefusedError, match="nobody asks you"):
            room.decline(holder)
    room.decline(BO)
    assert told == ["wish", "declined"]
    assert not room.wishes
    assert len(room.steps) == 1
    with pytest.raises(RefusedError, match="nobody asks you"):
        room.decline(BO)


async def test_a_player_with_one_seat_takes_a_name_that_the_record_has_too(tmp_path):
    store, room = opened(tmp_path, meridians())
    await moved(room, "b2", "c3")
    told = []
    room.subscribe(told.append)
    await room.rename(BO, " Robert\n ")
    assert (room.names, room.steps[1].player, told) == (("Ann", "Robert"), "Robert", ["names"])
    assert read(tmp_path / f"{room.id}.jsonl").header.players == ("Ann", "Robert")
    await room.rename(BO, "  ")
    assert room.names[1] == "Robert"
    assert [(one.names, one.my_turn, one.ended) for one in store.of(ANN)] == [
        (("Ann", "Robert"), True, "")
    ]
    await room.resign(ANN)
    assert [store.of(who)[0].ended for who in (ANN, BO)] == ["lost", "won"]
    assert store.of(EVE) == []


async def test_variations_are_a_tree_of_which_everybody_sees_their_own_and_what_is_listed(tmp_path):
    store, game = opened(tmp_path, meridians())
    await moved(game, "b2", "c3")

    def branch(parent, plies, who, **changed):
        entries = tuple(step.entry for step in game.steps[:plies])
        record = Record(game.record.header, entries)
        setup = Setup(
            "meridians",
            ("Ann", "Bo"),
            (None, None),
            record=record,
            parent=f"room/{parent.id}",
            **changed,
        )
        return store.open(setup, who)

    first = branch(game, 2, ANN)
    assert store.tree(f"room/{first.id}", EVE, listed=False)[0] == f"room/{game.id}"
    secret, shown = branch(game, 1, BO, listed=False), branch(first, 1, EVE)
    for rooms in (store, Rooms(tmp_path, Here())):
        root, found = rooms.tree(f"room/{shown.id}", ANN, listed=True)
        assert root == f"room/{game.id}"
        names = {above: [(one.name, one.shared) for one in found[above]] for above in found}
        assert names == {
            root: [(f"room/{first.id}", 2)],
            f"room/{first.id}": [(f"room/{shown.id}", 1)],
        }
        assert [one.shared for one in rooms.tree(root, BO, listed=True)[1][root]] == [1, 2]
        assert [
            one.room.id for one in rooms.tree(f"room/{secret.id}", BO, listed=False)[1][root]
        ] == [secret.id]
    assert store.tree("shipped/none", ANN, listed=True) == ("shipped/none", {})


# --- the computer ---------------------------------------------------------------------------------


async def test_the_computer_answers_and_its_answer_is_taken_back_with_the_ply(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(
        jobs, "chosen", lambda spec, name, options, state, seed: str(state.legal_moves()[0])
    )

    store = Rooms(tmp_path, Here())
    room = store.open(Setup("meridians", ("Ann", "it"), (None, "any"), {"size": 3}), ANN)
    answered = asyncio.Event()
    room.subscribe(lambda change: answered.set() if change == "ply" and room.to_move == 0 else None)
    room.start()
    await room.play(ANN, "b2", 0)
    await asyncio.wait_for(answered.wait(), 60)
    assert len(room.steps) == 2
    assert await room.undo(ANN)
    assert not room.steps


@pytest.mark.parametrize(
    ("game", "spec", "other"),
    [
        ("meridians", "uct:seconds=1", "best"),
        ("meridians", "best:glance=2", "best"),
        ("thruway", "uct:seconds=1", "best"),
        ("tokyo-highway", "oracle:hand=clumsy", "planner:hand=clumsy"),
    ],
)
async def test_a_saved_room_whose_computer_player_is_gone_goes_on_with_the_strongest(
    tmp_path, monkeypatch, game, spec, other
):
    asked = []

    def chosen(spec, name, options, state, seed):
        asked.append(spec)
        return str(state.legal_moves()[0])

    monkeypatch.setattr(jobs, "chosen", chosen)

    saved = Rooms(tmp_path, Here()).open(Setup(game, ("it", "Bo"), (spec, None)), BO)
    room = Rooms(tmp_path, Here()).room(saved.id)
    assert (room.computers, room.stand_ins) == ((other, None), {0: other})
    assert Seats.read(tmp_path / f"{saved.id}.jsonl").computers == [spec, None]
    if game != "tokyo-highway":
        room.start()
        await played(room, 1)
        assert asked == [other]
    room.close()


def test_a_saved_room_keeps_a_computer_player_that_is_there(tmp_path):
    saved = Rooms(tmp_path, Here()).open(
        Setup("meridians", ("it", "Bo"), ("best:level=easy", None), {"size": 3}), BO
    )
    room = Rooms(tmp_path, Here()).room(saved.id)
    assert (room.computers, room.stand_ins) == (("best:level=easy", None), {})


async def test_a_computer_that_fails_is_told_and_the_room_lives_on(tmp_path, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(jobs, "chosen", broken)

    store = Rooms(tmp_path, Here())
    room = store.open(Setup("meridians", ("it", "Bo"), ("any", None), {"size": 3}), BO)
    told = asyncio.Event()
    room.subscribe(lambda change: told.set() if change == "trouble" else None)
    room.start()
    await asyncio.wait_for(told.wait(), 60)
    assert "ZeroDivisionError" in str(room.trouble)
    assert not room.over


# --- putting away ---------------------------------------------------------------------------------


async def test_a_room_that_nobody_looks_at_is_put_away_and_comes_back_with_its_seats_and_clocks(
    tmp_path, clock
):
    store, room = opened(tmp_path, meridians(clock=60.0))
    leave = room.subscribe(lambda _: None)
    assert store.put_away(0.0) == 0  # somebody looks
    leave()
    assert store.put_away(60.0) == 0  # not for long
    assert store.put_away(0.0) == 1
    with pytest.raises(RefusedError, match="put away"):
        # whoever still holds it cannot write over the one that is loaded
        await room.play(ANN, "b2", 0)
    with pytest.raises(RefusedError, match="put away"):
        await room.undo(ANN)
    again = store.room(room.id)
    assert again is not room
    assert (again.seats_of(ANN), again.seats_of(BO)) == ((0,), (1,))
    await moved(again, "b2")
    clock.now += 7.0
    await moved(again, "c3")
    assert store.put_away(0.0) == 0  # the clock runs
    again.close()
    assert Rooms(tmp_path, Here()).room(room.id).clocks == pytest.approx((60.0, 53.0), abs=0.02)


async def test_the_computer_takes_its_turn_in_a_room_that_was_put_away_before(
    tmp_path, monkeypatch
):
    thinking = threading.Event()

    def slow(_spec, _name, _options, state, _seed):
        thinking.wait(60)
        return str(state.legal_moves()[0])

    monkeypatch.setattr(jobs, "chosen", slow)

    store = Rooms(tmp_path, Here())
    name = store.open(
        Setup("meridians", ("it", "Bo"), ("any", None), {"size": 3}, held=(1,)), BO
    ).id
    assert store.put_away(0.0) == 1  # nobody has started it
    room = store.room(name)
    room.start()
    assert store.put_away(0.0) == 0  # the computer thinks
    thinking.set()
    await played(room, 1)
    assert store.put_away(0.0) == 1
    again = store.room(name)
    again.start()
    await again.play(BO, str(again.position.legal_moves()[0]), 1)
    await played(again, 3)


async def test_a_hint_names_moves_with_what_they_are_worth(tmp_path):
    _, room = opened(tmp_path, meridians())
    await moved(room, "b2")
    found = await room.advice("best", 3)
    assert len(found) == 3
    assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)
    assert found[0].proven  # a search reaches the ends of the smallest board
    assert {one.move for one in found} <= {str(move) for move in room.position.legal_moves()}
    (only,) = await room.advice("random", 3)
    assert only.chance is None
    assert len(room.steps) == 1


# --- Tokyo Highway --------------------------------------------------------------------------------


async def test_whoever_built_last_may_adjust_until_the_next_player_moves_and_nobody_else(
    tmp_path, clock
):
    start = {
        "pillars": [
            {"id": "A-P0", "at": [0, 0], "discs": 1},
            {"id": "B-P0", "at": [0, 500], "discs": 1},
        ]
    }
    header = Header("tokyo-highway", ("Ann", "Bo"), start=start, physics={"engine": "none"})
    _, room = opened(
        tmp_path,
        Setup("tokyo-highway", ("Ann", "Bo"), (None, None), record=Record(header), clock=60.0),
    )
    adjust = '{"adjust":{"pillar":[0,105]}}'
    with pytest.raises(IllegalMoveError, match="nothing to adjust"):
        await room.play(ANN, adjust, 0)
    await moved(room, '{"build":{"from":"A-P0","pillar":[105,0],"discs":2}}')
    assert room.to_move == 1
    with pytest.raises(RefusedError, match="turn of Ann"):
        await room.play(BO, adjust, 1)
    clock.now += 5.0
    await room.play(ANN, adjust, 1)
    assert room.position.table.pillar_by_id["A-P1"].at == (0.0, 105.0)
    assert [step.entry.by for step in room.steps] == [0, 0]
    # what passed meanwhile is given back
    assert room.clocks[1] == pytest.approx(60.0, abs=0.05)
    await moved(room, '{"build":{"from":"B-P0","pillar":[105,500],"discs":2}}')
    with pytest.raises(RefusedError, match="turn of Bo"):
        await room.play(ANN, adjust, 3)
    again = Rooms(tmp_path, Here()).room(room.id)
    assert again.position.digest() == room.position.digest()
    room.close()


async def test_physics_runs_in_a_worker_and_its_verdict_is_the_record(tmp_path):
    workers = Workers(1)
    _, room = opened(tmp_path, Setup("tokyo-highway", ("Ann", "Bo"), (None, None)), workers)
    told = []
    room.subscribe(told.append)
    try:
        first = asyncio.ensure_future(moved(room, str(room.position.table.default_entrance(0))))
        await asyncio.sleep(0)
        assert room.busy
        with pytest.raises(RefusedError, match="being made"):
            await room.play(ANN, str(room.position.table.default_entrance(0)), 0)
        await first
        assert told == ["busy", "ply"]
        assert not room.busy
        assert room.film.seconds > 1
        assert {"A-P0.1", "A-R0", "A-C0"} <= room.film.keys.keys()
        with pytest.raises(IllegalMoveError):
            await moved(room, '{"entrance":{"pillar":[0,-55],"toward":270},"car":0.5}')
        assert not room.busy
    finally:
        workers.close()
    again = Rooms(tmp_path, Here()).room(room.id)
    assert again.position.digest() == room.position.digest() == room.record.entries[0].got["digest"]
    assert again.steps[0].reasons() == room.steps[0].reasons()


async def test_an_unsteady_hand_leaves_what_it_drew_in_the_record_and_it_verifies(tmp_path):
    _, room = opened(
        tmp_path,
        Setup("tokyo-highway", ("Ann", "Bo"), (None, None), hands=("expert", "expert"), seed=5),
    )
    await moved(room, str(room.position.table.default_entrance(0)))
    record = rules.record.read(tmp_path / f"{room.id}.jsonl")
    assert record.entries[0].hand

    assert verify_table(record, "exact").ok


def led(*parts):
    """Traces of a hand that lowers each part a little beside its place; it takes a tenth of a
    second for each.
    """
    return [[[t, x, y, 40 - 400 * t, 0] for t in (0, 0.05, 0.1)] for x, y in parts]


async def test_what_a_person_lets_go_of_is_what_physics_gets_and_the_record_keeps(tmp_path):
    _, room = opened(
        tmp_path,
        Setup("tokyo-highway", ("Ann", "Bo"), (None, None), hands=("own", "helped"), seed=5),
    )
    move = str(room.position.table.default_entrance(0))
    grip = room.grip(ANN, move)
    assert [[body.id for body in held.pieces] for held in grip.held] == [["A-P0.1"], ["A-R0"]]
    await room.play(ANN, move, 0, led((2.0, -1.0), (0.0, 1.5)))
    record = rules.record.read(tmp_path / f"{room.id}.jsonl")
    disc, road, car, path = record.entries[0].hand
    assert (disc["piece"], road["piece"], car["piece"], list(path)) == (
        "A-P0.1",
        "A-R0",
        "A-C0",
        ["path"],
    )
    assert disc["shift"][:2] == pytest.approx((2.0, -1.0), abs=1.5)
    assert road["shift"][:2] == pytest.approx((0.0, 1.5), abs=1.5)
    assert "speed" in disc
    assert verify_table(record, "exact").ok


@pytest.mark.slow
async def test_a_try_that_fell_is_followed_by_one_of_the_same_hand_or_left(tmp_path):
    def told(room):
        changes = []
        room.subscribe(changes.append)
        return changes

    def failing(room, move):
        room.grip(ANN, move)
        return room.play(ANN, move, 0, led((70.0, 0.0), (0.0, 70.0)))

    hands = ("own", "helped")
    for ends in ("again", "left", "drawn", "resigned", "taken back"):
        folder = tmp_path / ends
        folder.mkdir()
        setup = Setup("tokyo-highway", ("Ann", "Bo"), (None, None), hands=hands, seed=5)
        _, room = opened(folder, setup)
        changes, move = told(room), str(room.position.table.default_entrance(0))
        await failing(room, move)
        assert room.tried is not None
        assert room.tried.left == room.position.table.ruleset.redo
        assert (changes, room.steps, room.busy) == (["busy", "try"], [], False)
        first = room.tried.step.entry
        with pytest.raises(RefusedError, match="try again"):
            await room.play(ANN, "entrance 10,-60>270", 0)
        with pytest.raises(RefusedError, match="turn of Ann"):
            await room.let_be(BO)
        if ends == "again":
            trembles = room.grip(ANN, move).held
            await room.play(ANN, move, 0, led((0.0, 0.0), (0.0, 0.0)))
            assert trembles[0].tremble != taken_anew(room, move)
        elif ends == "left":
            await room.let_be(ANN)
            with pytest.raises(RefusedError):
                await room.let_be(ANN)
        elif ends == "taken back":
            assert [await room.undo(BO), await room.agree(ANN)] == [False, True]
            assert (changes[-2:], room.steps, room.tried) == (["wish", "undo"], [], None)
            continue
        else:
            await (room.play(ANN, move, 0) if ends == "drawn" else room.resign(ANN))
        assert room.tried is None
        kept = rules.record.read(folder / f"{room.id}.jsonl")
        (entry,) = kept.entries[:1]
        if ends == "left":
            assert entry.hand == first.hand
            assert room.steps[0].verdict.built is False
            assert not entry.tries
        elif ends != "resigned":
            assert entry.tries[0]["hand"] == list(first.hand)
            assert room.steps[0].verdict.built
        for mode in ("physics", "exact"):
            assert verify_table(kept, mode).ok, (ends, mode)


async def test_a_close_call_is_told_behind_its_verdict_while_somebody_looks(tmp_path, monkeypatch):
    asked = []
    said = Close(8, 3, ("A-R0",))
    monkeypatch.setattr(tables, "close_call", lambda step: asked.append(step.ply) or said)
    hands = ("own", "own")
    for n, looks in enumerate((False, True)):
        (tmp_path / str(n)).mkdir()
        setup = Setup("tokyo-highway", ("Ann", "Bo"), (None, None), hands=hands, seed=5)
        _, room = opened(tmp_path / str(n), setup)
        move = str(room.position.table.default_entrance(0))
        told = asyncio.ensure_future(changed(room, "close")) if looks else None
        await asyncio.sleep(0)
        room.grip(ANN, move)
        await room.play(ANN, move, 0, led((70.0, 0.0), (0.0, 70.0)))
        await room.let_be(ANN)
        assert room.steps[0].verdict.close is None
        if told is not None:
            await told
            assert room.steps[0].verdict.close == said
        kept = rules.record.read(tmp_path / str(n) / f"{room.id}.jsonl")
        assert kept == room.record
        assert kept.entries[0].got.get("close") == (said.to_json() if looks else None)
        assert verify_table(kept, "exact").ok
        room.close()
    assert asked == [0]


def taken_anew(room, move):
    """How the pillar of a first try trembles."""
    start = room.made.start()
    grip = by_hand.taken(start, move, "own", (5, 0, 3))
    return grip.held[0].tremble


async def test_nobody_chooses_how_the_hand_trembles(tmp_path):
    store, room = opened(
        tmp_path,
        Setup("tokyo-highway", ("Ann", "Bo"), (None, None), hands=("own", "helped"), seed=5),
    )
    move = str(room.position.table.default_entrance(0))
    with pytest.raises(RefusedError, match="turn of Ann"):
        room.grip(BO, move)
    with pytest.raises(RefusedError, match="not the one that took it"):
        await room.play(ANN, move, 0, led((0, 0), (0, 0)))
    first = room.grip(ANN, move)
    assert room.grip(ANN, move).held == first.held  # taken up again it trembles alike
    # longer than it is since it was taken
    with pytest.raises(RefusedError, match="not the one that took it"):
        await room.play(ANN, move, 0, [[[0, 0, 0, 9, 0], [5, 0, 0, 9, 0]], [[0, 0, 0, 9, 0]]])
    room.grip(ANN, move)
    with pytest.raises(InputError, match="2 pieces"):
        await room.play(ANN, move, 0, led((0, 0)))
    room.grip(ANN, move)
    with pytest.raises(InputError):
        await room.play(ANN, move, 0, [["no", "hand"], [None]])
    assert room.steps == []
    # whoever leads nothing gets a hand of the same skill, not a steady one
    await room.play(ANN, move, 0)
    assert all(any(item["shift"]) for item in room.steps[0].entry.hand if "piece" in item)

    store.close()
    seats = tmp_path / f"{room.id}.seats.json"
    kept = json.loads(seats.read_text())
    assert kept["hands"] == ["own", "helped"]
    newer = ("hands", "late", "parent", "shared")
    old = {key: value for key, value in kept.items() if key not in newer} | {
        "version": 1,
        "hand": "clumsy",
    }
    seats.write_text(json.dumps(old))
    assert [Rooms(tmp_path, Here()).room(room.id).hand(seat) for seat in (0, 1)] == [
        "clumsy",
        "clumsy",
    ]


@pytest.mark.slow
async def test_an_installed_player_takes_its_turn_with_its_own_hand_and_gives_advice(tmp_path):
    workers = Workers(1)
    store = Rooms(tmp_path, workers)
    room = store.open(Setup("tokyo-highway", ("Ann", "it"), (None, "random:hand=clumsy")), ANN)
    answered = asyncio.Event()
    room.subscribe(lambda change: answered.set() if len(room.steps) == 2 or room.trouble else None)
    try:
        room.start()
        (advice,) = await room.advice("greedy", 3)
        assert advice.reasons == (("why_entrance", {}),)
        await room.play(ANN, advice.move, 0)
        await asyncio.wait_for(answered.wait(), 60)
        assert room.trouble is None
        assert room.steps[1].entry.by == 1
        assert [bool(step.entry.hand) for step in room.steps] == [False, True]
    finally:
        workers.close()


# --- again ----------------------------------------------------------------------------------------


async def test_those_who_have_played_play_again_and_another_one_begins(tmp_path):
    store, room = opened(tmp_path, meridians(clock=60.0))
    with pytest.raises(RefusedError, match="goes on"):
        store.again(room, ANN)
    await room.resign(ANN)
    with pytest.raises(RefusedError, match="no seat"):
        store.again(room, EVE)
    told = []
    room.subscribe(told.append)
    again = store.again(room, BO)
    room.announce_next(again.id)
    assert told == ["seats"]
    assert (again.names, again.seats_of(BO), again.seats_of(ANN)) == (("Bo", "Ann"), (0,), (1,))
    assert (again.clocks, again.made.options, again.steps) == (
        (60.0, 60.0),
        room.made.options,
        [],
    )
    assert store.again(room, ANN) is again  # whoever comes second goes where the first one is
    room.close()
    again.close()


async def test_with_a_computer_everybody_keeps_the_seat(tmp_path):
    store = Rooms(tmp_path, Here())
    room = store.open(Setup("meridians", ("Ann", "it"), (None, "random"), {"size": 3}), ANN)
    await room.resign(ANN)
    again = store.again(room, ANN)
    assert (again.names, again.computers, again.seats_of(ANN)) == (
        room.names,
        room.computers,
        (0,),
    )


async def test_a_full_server_lets_go_of_old_rooms_in_which_nobody_moved_and_never_of_a_game(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(store_module, "MAX_ROOMS", 2)

    store, played_in = opened(tmp_path, meridians())
    await moved(played_in, "b2")
    unplayed = store.open(meridians(), ANN)
    for path in tmp_path.glob("*.jsonl"):
        os.utime(path, (0, 0))
    with pytest.raises(RefusedError, match="2 rooms already"):
        store.open(meridians(), EVE)  # somebody may look at both
    store.close()
    fresh = Rooms(tmp_path, Here())
    assert set(fresh.ids()) == {played_in.id, unplayed.id}
    opened_now = fresh.open(meridians(), EVE)
    assert opened_now.id in fresh.ids()
    assert unplayed.id not in {path.stem for path in tmp_path.rglob("*.jsonl")}
    again = fresh.room(played_in.id)
    assert again.record == played_in.record


async def test_old_rooms_retire_and_their_links_bring_them_back_with_their_seats(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(store_module, "MAX_ROOMS", 60)

    store, oldest = opened(tmp_path, meridians())
    await moved(oldest, "b2")
    first = oldest.record, oldest.seats
    rooms = [oldest] + [store.open(meridians(), ANN) for _ in range(59)]
    for n, room in enumerate(rooms):
        if n:
            await moved(room, "b2")
        os.utime(tmp_path / f"{room.id}.jsonl", (1000 + n, 1000 + n))
    store.close()
    fresh = Rooms(tmp_path, Here())
    new = fresh.open(meridians(), EVE)
    assert len(fresh.ids()) < 20
    assert {new.id, rooms[-1].id} <= set(fresh.ids())
    assert len(list((tmp_path / "retired").glob("*.jsonl"))) == len(
        list((tmp_path / "retired").glob("*.json"))
    )
    back = fresh.room(oldest.id)
    assert (back.record, back.seats) == first
    assert back.id in fresh.ids()
    await moved(back, "a1")
    assert fresh.room("../retired/" + oldest.id) is None
    assert len({path.stem for path in tmp_path.rglob("*.jsonl")}) == 61, "none is lost"


async def test_a_room_without_its_seats_keeps_no_other_from_retiring_and_is_told(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(store_module, "MAX_ROOMS", 2)

    store, broken = opened(tmp_path, meridians())
    other = store.open(meridians(), ANN)
    await moved(broken, "b2")
    await moved(other, "b2")
    store.close()
    (tmp_path / f"{broken.id}.seats.json").unlink()
    fresh = Rooms(tmp_path, Here())
    fresh.open(meridians(), EVE)
    assert (tmp_path / "retired" / f"{other.id}.jsonl").is_file()
    assert (tmp_path / f"{broken.id}.jsonl").is_file()
    fresh.room(other.id)
    (tmp_path / f"{broken.id}.jsonl").rename(tmp_path / "retired" / f"{broken.id}.jsonl")
    with pytest.raises(RecordError, match="seats cannot be read"):
        fresh.room(broken.id)


@pytest.mark.parametrize("killed_at", range(8))
def test_a_kill_while_a_room_retires_or_comes_back_loses_neither_record_nor_seats(
    tmp_path, monkeypatch, killed_at
):
    steps = iter(range(100))

    class KilledError(BaseException):
        """As a kill: nothing is undone."""

    def dying(does):
        def do(*values, **named):
            if next(steps) == killed_at:
                raise KilledError
            return does(*values, **named)

        return do

    async def run():
        store, room = opened(tmp_path, meridians())
        await moved(room, "b2")
        store.close()
        kept = room.record, room.seats
        for way in ((tmp_path, tmp_path / "retired"), (tmp_path / "retired", tmp_path)):
            nonlocal steps
            steps = iter(range(100))
            with monkeypatch.context() as patch:
                patch.setattr(Path, "rename", dying(Path.rename))
                patch.setattr(store_module.disk, "sync", dying(store_module.disk.sync))
                patch.setattr(Seats, "remove", staticmethod(dying(Seats.remove)))
                patch.setattr(Seats, "give", staticmethod(dying(Seats.give)))
                with suppress(KilledError):
                    Rooms(tmp_path, Here())._move([room.id], *way)
            for folder in (tmp_path, tmp_path / "retired"):
                Seats.remove_orphans(folder)
            back = Rooms(tmp_path, Here()).room(room.id)
            assert (back.record, back.seats) == kept
            Rooms(tmp_path, Here())._move([room.id], tmp_path, tmp_path / "retired")

    asyncio.run(run())


def test_a_seat_that_too_many_browsers_hold_takes_no_more_and_its_holders_keep_it(tmp_path):
    store, room = opened(tmp_path, meridians())
    secret = room.invitations(ANN)[1]
    for n in range(MAX_HOLDERS - 1):
        room.claim(secret, f"browser {n}")
    with pytest.raises(RefusedError, match="50 browsers have this seat"):
        room.claim(secret, "one more")
    assert room.claim(secret, BO) == 1
    store.close()
    assert Rooms(tmp_path, Here()).room(room.id).seats_of("browser 48") == (1,)


# --- two things at once ---------------------------------------------------------------------------


class Thinking(Workers):
    """The computer's moves come when the test says so; everything else is done here."""

    def __init__(self):
        super().__init__(1)
        self.asked, self.given_up = [], []

    async def run(self, work, *arguments, **_):
        if work is not jobs.chosen:
            return work(*arguments)
        answer = asyncio.get_running_loop().create_future()
        self.asked.append((arguments[3], answer))
        try:
            return await answer
        except asyncio.CancelledError:
            self.given_up.append(answer)
            raise


def computing(tmp_path):
    """A room of Ann, who begins, and a computer that thinks."""
    workers = Thinking()
    room = Rooms(tmp_path, workers).open(
        Setup("meridians", ("Ann", "it"), (None, "random"), {"size": 5}), ANN
    )
    return workers, room


async def a_moment():
    for _ in range(5):
        await asyncio.sleep(0.01)


async def test_what_the_computer_chose_for_a_position_that_was_taken_back_is_never_played(tmp_path):
    workers, room = computing(tmp_path)
    await room.play(ANN, "b2", 0)
    await a_moment()
    assert await room.undo(ANN)
    await room.play(ANN, "c3", 0)
    await a_moment()
    (old, first), (new, second) = workers.asked
    assert first in workers.given_up
    assert (old.board_text() == new.board_text()) is False
    first.cancelled() or first.set_result("d4")
    await a_moment()
    assert [step.entry.do for step in room.steps] == ["c3"], "the answer to b2 is no answer to c3"
    second.set_result("d4")
    await played(room, 2)
    assert [step.entry.do for step in room.steps] == ["c3", "d4"]


def test_an_answer_for_a_position_that_is_gone_counts_for_nothing_even_if_it_comes(
    tmp_path,
):
    late = None

    class Stubborn(Thinking):
        async def run(self, work, *arguments, **how):
            try:
                return await super().run(work, *arguments, **how)
            except asyncio.CancelledError:
                await late.wait()
                return "d4"

    async def run():
        nonlocal late
        late, workers = asyncio.Event(), Stubborn()
        room = Rooms(tmp_path, workers).open(
            Setup("meridians", ("Ann", "it"), (None, "random"), {"size": 5}), ANN
        )
        await room.play(ANN, "b2", 0)
        await a_moment()
        assert await room.undo(ANN)
        await room.play(ANN, "c3", 0)
        late.set()
        await a_moment()
        assert [step.entry.do for step in room.steps] == ["c3"]
        workers.asked[1][1].set_result("a1")
        await played(room, 2)
        assert [step.entry.do for step in room.steps] == ["c3", "a1"]

    asyncio.run(run())


async def test_the_computer_thinks_again_if_its_answer_came_while_somebodys_move_was_tried_in_vain(
    tmp_path,
):
    """Whoever built last may adjust while the computer thinks: its answer is dropped, and the
    adjustment may be refused.
    """

    workers, room = computing(tmp_path)
    await room.play(ANN, "b2", 0)
    await a_moment()
    await room._lock.acquire()
    tried = asyncio.create_task(room._play("nonsense", 1))
    await asyncio.sleep(0)
    workers.asked[0][1].set_result("d4")
    await a_moment()
    room._lock.release()
    with pytest.raises(NotationError):
        await tried
    await a_moment()
    assert len(workers.asked) == 2
    workers.asked[1][1].set_result("d4")
    await played(room, 2)


async def test_a_question_is_over_once_a_ply_is_played(tmp_path):
    _, room = opened(tmp_path, meridians())
    await moved(room, "b2")
    await room.undo(ANN)
    assert room.wishes == {0}
    await moved(room, str(room.position.legal_moves()[0]))
    assert room.wishes == set()
    assert await room.agree(BO) is False


async def test_the_computer_moves_on_after_its_own_first_move_was_taken_back(tmp_path):
    workers = Thinking()
    setup = Setup("meridians", ("it", "Ann"), ("random", None), {"size": 5})
    room = Rooms(tmp_path, workers).open(setup, ANN)
    room.start()
    await a_moment()
    workers.asked[0][1].set_result("b2")
    await played(room, 1)
    assert await room.undo(ANN)
    await a_moment()
    workers.asked[1][1].set_result("c3")
    await played(room, 1)
    assert room.to_move == 1


async def test_a_doubled_yes_takes_one_ply_back(tmp_path):
    _, room = opened(tmp_path, meridians())
    for _ in range(3):
        await moved(room, str(room.position.legal_moves()[0]))
    assert not await room.undo(ANN)
    assert await asyncio.gather(room.agree(BO), room.agree(BO)) == [True, False]
    assert await room.agree(BO) is False
    assert (len(room.steps), room.wishes) == (2, set())
    assert await asyncio.gather(room.undo(ANN), room.undo(BO), room.undo(BO)) == [
        False,
        True,
        False,
    ]
    assert len(room.steps) == 1


async def test_a_no_counts_until_the_ply_is_taken_back(tmp_path):
    _, room = opened(tmp_path, meridians())
    await moved(room, "b2", "a1")
    await room.undo(ANN)
    await room._lock.acquire()
    yes = asyncio.create_task(room.agree(BO))
    await asyncio.sleep(0)
    room.wishes.discard(1)
    room.decline(BO)
    room._lock.release()
    assert await yes is False
    assert len(room.steps) == 2


async def test_a_move_that_comes_while_a_ply_is_taken_back_is_refused(tmp_path):
    _, room = opened(tmp_path, meridians())
    await moved(room, "b2", "a1")
    await room.undo(ANN)
    back = asyncio.create_task(room.agree(BO))
    await asyncio.sleep(0)
    with pytest.raises(RefusedError, match="the position has changed meanwhile"):
        await room.play(ANN, "c3", 2)
    assert await back
    assert (len(room.steps), room.busy) == (1, False)
    await room.play(BO, "c3", 1)


async def test_a_move_whose_browser_leaves_while_it_is_written_is_told_and_the_computer_answers(
    tmp_path,
):
    workers, room = computing(tmp_path)
    told = []
    room.subscribe(told.append)
    move = asyncio.create_task(room.play(ANN, "b2", 0))
    while not room._lock.locked():  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    move.cancel()
    with pytest.raises(asyncio.CancelledError):
        await move
    await a_moment()
    assert ("ply" in told) == (len(room.steps) == 1) == (len(workers.asked) == 1)
    assert room.steps
