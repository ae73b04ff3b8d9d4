"""Rooms without a browser: seats, secrets, refusals, records on disk, undo, clocks, the computer,
physics in workers.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from inspect import isawaitable
from pathlib import Path
from types import SimpleNamespace

import pytest

from rules.errors import IllegalMoveError, InputError, NotationError, RecordError, ShutokoError
from rules.record import Header, Record, loads, read
from shutoko.web.rooms import store as store_module
from shutoko.web.rooms.chat import Trouble
from shutoko.web.rooms.seats import MAX_HOLDERS, RefusedError, Seats
from shutoko.web.rooms.store import MAX_NAME, Rooms, Setup
from shutoko.web.work import by_hand, jobs, tables
from shutoko.web.work.workers import Workers
from sim.game.verify import verify as verify_table
from sim.physics import world
from sim.physics.engine import NotSettledError
from sim.referee.verdict import Close

pytestmark = pytest.mark.anyio

ANN, BO, EVE, IT = "browser-of-ann", "browser-of-bo", "browser-of-eve", "the computer"


class Here(Workers):
    """Works in a thread of this process."""

    async def run(self, work, *arguments, **_):
        return await asyncio.to_thread(work, *arguments)


class Thinking(Workers):
    """The computer's moves come when the test says so, from stubborn ones even those that nobody
    wants any more; everything else is done here.
    """

    def __init__(self, stubborn=False):
        super().__init__(1)
        self.asked, self.given_up, self.stubborn = [], [], stubborn

    async def run(self, work, *arguments, **_):
        if work is not jobs.chosen:
            return work(*arguments)
        answer = asyncio.get_running_loop().create_future()
        self.asked.append((arguments, answer))
        try:
            return await asyncio.shield(answer)
        except asyncio.CancelledError:
            self.given_up.append(answer)
            if not self.stubborn:
                raise
            return await asyncio.wait_for(answer, 1)

    async def answers(self, _, nth, move):
        """Answers the question of that number with a move, or fails."""
        _, answer = self.asked[nth]
        (answer.set_exception if isinstance(move, Exception) else answer.set_result)(move)
        await a_moment()


def meridians(names=("Ann", "Bo"), computers=(None, None), size=5, **changed):
    return Setup("meridians", names, computers, {"size": size}, **changed)


def highway(*hands, **changed):
    return Setup("tokyo-highway", ("Ann", "Bo"), (None, None), hands=hands, seed=5, **changed)


def opened(tmp_path, setup, workers=None):
    """A room with Ann on seat 0 and Bo on the others."""
    store = Rooms(tmp_path, workers or Here())
    room = store.open(setup, ANN)
    for seat, secret in room.invitations(ANN).items():
        if seat and (ANN not in room.seats.holders[seat]):
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


async def a_moment():
    for _ in range(5):
        await asyncio.sleep(0.01)


async def until(room, what):
    """Waits until a change of that kind is told, or until there are so many plies; then looks at
    the room no more.
    """
    told = asyncio.Event()
    leave = room.subscribe(lambda change: told.set() if what in (change, len(room.steps)) else None)
    if what != len(room.steps):
        await asyncio.wait_for(told.wait(), 60)
    leave()
    await asyncio.sleep(0)


async def does(room, who, what, *given):
    """What comes of a deed, or why it is refused."""
    deed = getattr(room, what, None) or getattr(room._workers, what)
    try:
        found = deed(who, *given)
        return await found if isawaitable(found) else found
    except ShutokoError as error:
        return str(error)


def plies(room):
    return [step.entry.do for step in room.steps]


async def acted(room, *script, clock=None):
    """Follows a script, and returns the room as it is then: a text is a move of whoever is to move,
    a number the seconds that pass, a dict what the room says of itself by then, None a restart. A
    deed is who does what with what, and what comes of it or why it is refused, which changes
    nothing; a list has several at once.
    """
    told = []
    leave = room.subscribe(told.append)
    for line in script:
        match line:
            case str():
                await room.play((ANN, BO)[room.to_move], line, room.record.next_ply)
            case float():
                clock.now += line
            case dict():
                known = {
                    "told": told,
                    "plies": plies(room),
                    "ended": room.over and room.record.end.to_json(),
                    "timed": room.steps and room.steps[-1].entry.extra.get("x-time"),
                }
                assert {name: known.get(name, getattr(room, name, None)) for name in line} == line
            case None:
                assert agreeing(room)
                room.close()
                before, room = room, Rooms(room._path.parent, room._workers).room(room.id)
                assert (room.record, plies(room)) == (before.record, plies(before))
                assert room.position.digest() == before.position.digest()
            case _:
                deeds, record = line if isinstance(line, list) else [line], room.record
                found = await asyncio.gather(*(does(room, *deed[:-1]) for deed in deeds))
                for came, (*_, said) in zip(found, deeds, strict=True):
                    assert said is ... or (said in came if isinstance(said, str) else came == said)
                assert len(deeds) > 1 or not isinstance(said, str) or room.record is record
        await asyncio.sleep(0)
    leave()
    return room


def agreeing(room):
    """Whether the game and the seats that are shown are those on disk."""
    kept = read(room._path)
    return (
        kept.header == room.record.header
        and kept.entries == room.record.entries == tuple(step.entry for step in room.steps)
        and kept.end == room.record.end
        and (kept.end is not None) == room.over
        and Seats.read(room._path).holders == room.seats.holders
    )


def entrance(x, y):
    return json.dumps({"entrance": {"pillar": [x, y], "toward": 270}, "car": 0.5})


def near(*seconds):
    return pytest.approx(seconds, abs=0.02)


OH = ZeroDivisionError("oh")
COMPUTER = {"names": ("Ann", "it"), "computers": (None, "random")}
SCRIPTS = {
    "whoever is not to move is refused": [{}, (BO, "play", "b2", 0, "turn of Ann")],
    "whoever watches plays, resigns, asks and is named nothing": [
        {},
        (EVE, "play", "b2", 0, "you watch"),
        (EVE, "resign", "you watch"),
        (EVE, "rename", "Eve", "you watch"),
        "b2",
        (EVE, "undo", "you watch"),
    ],
    "a move is meant for one ply and is one": [
        {},
        (ANN, "undo", "nothing to take back"),
        (ANN, "let_be", "take the pieces again"),
        "b2",
        (BO, "play", "c3", 0, "meant for ply 0"),
        (BO, "play", "b2", 1, "taken"),
        (BO, "play", "<script>", 1, "no point"),
        (BO, "claim_time", "nobody's time is up"),
    ],
    "a game that is over takes no move": [
        {},
        "b2",
        "resign",
        {"over": True, "ended": {"end": {"ranks": [[0], [1]], "reason": "resigned"}}},
        (ANN, "play", "c3", 2, "over"),
    ],
    "a ply is taken back when all persons wish it": [
        {},
        "b2",
        "c3",
        (BO, "undo", False),
        {"plies": ["b2", "c3"], "wishes": {1}},
        (ANN, "undo", True),
        {"plies": ["b2"], "told": ["ply", "ply", "wish", "undo"]},
        (ANN, "undo", False),
        "d2",
        {"plies": ["b2", "d2"], "wishes": set()},
    ],
    "a question is over once a ply is played": [
        {},
        "b2",
        (ANN, "undo", False),
        "c3",
        {"wishes": set()},
        (BO, "agree", False),
    ],
    "whoever is asked to take a ply back may refuse": [
        {},
        "b2",
        (ANN, "undo", False),
        (ANN, "decline", "nobody asks you"),
        (EVE, "decline", "nobody asks you"),
        (BO, "decline", None),
        {"plies": ["b2"], "wishes": set(), "told": ["ply", "wish", "declined"]},
        (BO, "decline", "nobody asks you"),
    ],
    "a game that counts takes nothing back": [
        {"friendly": False},
        "b2",
        (ANN, "undo", "no ply can be taken back"),
    ],
    "a doubled yes takes one ply back": [
        {},
        "b2",
        "c3",
        "d2",
        (ANN, "undo", False),
        [(BO, "agree", True), (BO, "agree", False)],
        (BO, "agree", False),
        {"plies": ["b2", "c3"], "wishes": set()},
        [(ANN, "undo", False), (BO, "undo", True), (BO, "undo", False)],
        {"plies": ["b2"]},
    ],
    "a move that comes while a ply is taken back is refused": [
        {},
        "b2",
        "a1",
        (ANN, "undo", False),
        [(BO, "agree", True), (ANN, "play", "c3", 2, "the position has changed meanwhile")],
        {"plies": ["b2"], "busy": False},
        "c3",
    ],
    "a player with one seat takes a name that the record has too": [
        {},
        "b2",
        (BO, "rename", " Robert\n ", None),
        {"names": ("Ann", "Robert"), "told": ["ply", "names"]},
        (BO, "rename", "  ", None),
        {"names": ("Ann", "Robert")},
    ],
    "clocks run from the first ply, and opening the page again gives nobody time": [
        {"clock": 60.0, "increment": 0.2},
        3.0,
        {"clocks": (60.0, 60.0)},
        "b2",
        {"clocks": near(60.2, 60.0)},
        5.0,
        {"clocks": near(60.2, 55.0)},
        "c3",
        {"clocks": near(60.2, 55.2)},
        1.0,
        (ANN, "start", None),
        (ANN, "start", None),
        {"clocks": near(59.2, 55.2)},
        None,
        {"clocks": near(60.2, 55.2)},
    ],
    "the others can claim expired time": [
        {"clock": 60.0},
        "b2",
        61.0,
        {"late": 1, "clocks": near(60.0, 0.0), "over": False},
        (BO, "claim_time", "your own time"),
        (EVE, "claim_time", "you watch"),
        (ANN, "claim_time", ...),
        {"over": True, "late": None, "plies": ["b2", "resign"], "timed": True},
    ],
    "the computer answers and its answer is taken back with the ply": [
        COMPUTER,
        "b2",
        (IT, "answers", 0, "d4", None),
        {"plies": ["b2", "d4"]},
        (ANN, "undo", True),
        {"plies": []},
    ],
    "the computer moves on after its own first move was taken back": [
        {"names": ("it", "Bo"), "computers": ("random", None), "held": (1,)},
        (ANN, "start", None),
        (IT, "answers", 0, "b2", None),
        (ANN, "undo", True),
        (IT, "answers", 1, "c3", None),
        {"plies": ["c3"], "to_move": 1},
    ],
    "a computer that fails is told and thinks again once somebody comes": [
        COMPUTER,
        "b2",
        (IT, "answers", 0, OH, None),
        {"trouble": Trouble("random", OH), "told": ["ply", "trouble"], "over": False},
        (ANN, "start", None),
        (IT, "answers", 1, "d4", None),
        {"plies": ["b2", "d4"]},
    ],
}


@pytest.mark.parametrize(("how", "script"), [(how, s) for how, *s in SCRIPTS.values()], ids=SCRIPTS)
async def test_a_room_does_what_its_players_may_do_and_refuses_the_rest(
    tmp_path, clock, how, script
):
    _, room = opened(tmp_path, meridians(**how), Thinking())
    (await acted(room, *script, None, clock=clock)).close()


# --- seats ----------------------------------------------------------------------------------------


def test_an_invitation_gives_its_seat_and_a_guess_gives_nothing(tmp_path):
    store = Rooms(tmp_path / "rooms", Here())
    room = store.open(meridians(), ANN)
    secret = room.invitations(ANN)[1]
    for guess in ("", secret[:-1], secret + "x", "\u00e9", room.id):
        with pytest.raises(RefusedError, match="opens no seat"):
            room.claim(guess, EVE)
    assert room.claim(secret, BO) == 1
    assert [room.seats_of(who) for who in (ANN, BO, EVE)] == [(0,), (1,), ()]
    assert [list(room.invitations(who)) for who in (ANN, BO, EVE)] == [[0, 1], [], []]
    (tmp_path / "outside-the-folder.jsonl").write_bytes(b"x")
    for guess in ("", "a" * 24, "../outside-the-folder", room.id[:-1] + "!", "x" * 5000):
        assert store.room(guess) is None
    seats, record = (room._path.with_suffix(suffix) for suffix in (".seats.json", ".jsonl"))
    assert seats.stat().st_mode & 0o777 == 0o600
    assert secret in seats.read_text()
    assert secret not in record.read_text()


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("who", [ANN, BO])
async def test_a_player_resigns_at_any_time(tmp_path, seats, who):
    """Of three, whoever is not to move leaves in the own turn, after a restart as well."""
    names, options = ("Ann", "Bo", "Cy")[:seats], {"players": seats} if seats > 2 else {}
    setup = Setup("tokyo-highway", names, (None,) * seats, options)
    _, room = opened(tmp_path, setup)
    room = await acted(room, (who, "resign", who == ANN or seats == 2), None)
    if who == BO and seats == 3:
        room.start()
        await acted(room, str(room.position.table.default_entrance(0)))
        await until(room, 2)
        assert (room.steps[1].entry.by, room.steps[1].entry.do) == (1, "resign")
    assert room.over == (seats == 2)
    if room.over:
        assert room.outcome.winners == (1 if who == ANN else 0,)
        assert verify_table(read(room._path), "rules").ok
    room.close()


async def test_who_looks_at_a_room_is_there_and_a_list_says_who_is_waited_for_and_who_won(tmp_path):
    store = Rooms(tmp_path, Here())
    room, told, gone = store.open(meridians(), ANN), [], []

    def seen():
        (glance,) = store.of(ANN)
        return room.here, glance.waits, glance.my_turn, glance.names, glance.ended

    room.subscribe(told.append, ANN)
    assert seen() == ({0}, True, False, ("Ann", "Bo"), "")
    room.claim(room.invitations(ANN)[1], BO)
    leave = room.subscribe(gone.append, BO)
    assert seen() == ({0, 1}, False, True, ("Ann", "Bo"), "")
    leave()
    assert (room.here, told, gone) == ({0}, ["seats"] * 3, [])
    await room.resign(ANN)
    ended = [[one.ended for one in store.of(who)] for who in (ANN, BO, EVE)]
    assert ended == [["lost"], ["won"], []]


def test_a_computers_seat_cannot_be_had(tmp_path):
    _, room = opened(tmp_path, meridians(**COMPUTER))
    assert list(room.invitations(ANN)) == [0]
    with pytest.raises(RefusedError):
        room.claim(room.seats.secrets[1], EVE)


def test_names_are_one_short_printable_line(tmp_path):
    _, room = opened(tmp_path, meridians((" Ann\n\x00 of  Arc " + "x" * 99, "")))
    assert room.names == ("Ann of Arc ".ljust(MAX_NAME, "x"), "player 2")


@pytest.mark.parametrize(
    "setup",
    [
        Setup("go", ("a", "b"), (None, None)),
        meridians(size=99),
        meridians(computers=(None,)),
        Setup("tokyo-highway", ("a",), (None,)),
        highway("octopus", None),
        Setup(
            "tokyo-highway", ("a", "b", "c"), (None, None, None), {"players": 3, "ruleset": "en2"}
        ),
    ],
)
def test_a_setup_that_makes_no_game_leaves_nothing_behind(tmp_path, setup):
    with pytest.raises(InputError):
        Rooms(tmp_path, Here()).open(setup, ANN)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("ruleset", "box"), [("rainbow", "estimate-rubber"), ("fr", None)])
def test_a_room_keeps_which_components_its_rule_set_brought(tmp_path, ruleset, box):
    _, room = opened(tmp_path, highway(options={"redo": 1, "ruleset": ruleset}))
    header = room.record.header
    assert (header.ruleset, header.components, header.options) == (ruleset, box, {"redo": 1})
    assert header.physics is not None


# --- the record -----------------------------------------------------------------------------------


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
    done = plies(store.room(name))
    assert done[: len(confirmed)] == confirmed
    assert len(done) - len(confirmed) <= 1
    assert store.room(name).seats_of("one") == (0, 1)


async def test_a_game_goes_on_from_a_record_that_was_branched(tmp_path):
    _, room = opened(tmp_path, meridians())
    await acted(room, "b2", "c3", "d2")
    _, branch = opened(tmp_path, meridians(("X", "Y"), record=room.record))
    assert (branch.names, branch.position) == (("X", "Y"), room.position)
    assert branch.id != room.id


@pytest.mark.parametrize(
    "nonsense",
    ["soon", [], [1], [1, "x"], [1, -1], [1, 1e9], {"0": 1}, None, True, [[1], [2]], [True, False]],
)
async def test_a_room_goes_on_from_a_record_whose_own_keys_make_no_sense(tmp_path, nonsense):
    header = {"record": "shutoko", "version": [1, 0], "game": "meridians", "players": ["a", "b"]}
    line = {"ply": 0, "by": 0, "do": "b2"} | dict.fromkeys(
        ("x-clock", "x-time", "x-mine"), nonsense
    )
    lines = [json.dumps(header | {"x-": nonsense}), json.dumps(line), ""]
    _, room = opened(
        tmp_path, meridians(clock=60.0, record=loads("\n".join(lines).encode()), held=(0, 1))
    )
    assert room.clocks == (60.0, 60.0)
    room.start()
    await room.play(ANN, "c3", 1)
    assert room.record.entries[-1].extra["x-clock"] == pytest.approx([60.0, 60.0], abs=30.0)
    (await acted(room, None)).close()


async def test_a_move_that_physics_cannot_settle_leaves_the_room_as_it_was_and_the_game_goes_on(
    tmp_path, monkeypatch
):
    def thrown_out(_):
        raise NotSettledError("A-P0.1: it is out of the room")

    _, room = opened(tmp_path, highway())
    with monkeypatch.context() as patch:
        patch.setattr(world, "check_poses", thrown_out)
        await acted(room, (ANN, "play", entrance(0, -55), 0, "out of the room"))
    await acted(room, {"busy": False, "plies": []}, entrance(0, -55), None)


# --- clocks, variations ---------------------------------------------------------------------------


async def test_nobody_gets_expired_time_back_and_a_move_goes_on(tmp_path):
    store, room = opened(tmp_path, meridians(clock=0.05, increment=60.0))
    await acted(room, "b2")
    await until(room, "time")
    assert store.put_away(0.0) == 1
    again = store.room(room.id)
    again.start()
    assert again.late == 1
    await until(again, "time")  # and everybody is told again
    await acted(again, "c3", {"late": None, "clocks": near(60.05, 60.0)})
    await acted(again, (ANN, "undo", False), (BO, "undo", True), {"late": None})
    assert Seats.read(again._path).late is None
    again.close()


async def test_variations_are_a_tree_of_which_everybody_sees_their_own_and_what_is_listed(tmp_path):
    store, game = opened(tmp_path, meridians())
    await acted(game, "b2", "c3")

    def branch(parent, count, who, **changed):
        record = Record(game.record.header, tuple(step.entry for step in game.steps[:count]))
        return store.open(meridians(record=record, parent=f"room/{parent.id}", **changed), who)

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
        own = rooms.tree(f"room/{secret.id}", BO, listed=False)[1][root]
        assert [one.room.id for one in own] == [secret.id]
    assert store.tree("shipped/none", ANN, listed=True) == ("shipped/none", {})


# --- the computer ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "spec", "other"),
    [
        ("meridians", "uct:seconds=1", "best"),
        ("meridians", "best:glance=2", "best"),
        ("meridians", "best:level=easy", "best:level=easy"),
        ("thruway", "uct:seconds=1", "best"),
        ("tokyo-highway", "oracle:hand=clumsy", "planner:hand=clumsy"),
    ],
)
async def test_a_saved_room_whose_computer_player_is_gone_goes_on_with_the_strongest(
    tmp_path, game, spec, other
):
    store, saved = opened(tmp_path, Setup(game, ("it", "Bo"), (spec, None)))
    store.close()
    room = Rooms(tmp_path, workers := Thinking()).room(saved.id)
    stand_ins = {} if spec == other else {0: other}
    assert (room.computers, room.stand_ins) == ((other, None), stand_ins)
    assert Seats.read(room._path).computers == [spec, None]
    room.start()
    await a_moment()
    assert [arguments[0] for arguments, _ in workers.asked] == [other]
    room.close()


@pytest.mark.parametrize("stubborn", [False, True])
async def test_what_the_computer_chose_for_a_position_that_was_taken_back_is_never_played(
    tmp_path, stubborn
):
    _, room = opened(tmp_path, meridians(**COMPUTER), workers := Thinking(stubborn))
    await acted(room, "b2", (ANN, "undo", True), "c3")
    assert workers.given_up == [workers.asked[0][1]]
    await acted(
        room,
        (IT, "answers", 0, "d4", None),
        {"plies": ["c3"]},
        (IT, "answers", 1, "a1", None),
        {"plies": ["c3", "a1"]},
    )


# --- putting away ---------------------------------------------------------------------------------


async def test_a_room_that_nobody_looks_at_is_put_away_and_comes_back_with_its_seats_and_clocks(
    tmp_path, clock
):
    store, room = opened(tmp_path, meridians(clock=60.0))
    leave = room.subscribe(lambda _: None)
    assert store.put_away(0.0) == 0  # somebody looks
    leave()
    assert [store.put_away(60.0), store.put_away(0.0)] == [0, 1]  # not for long; long enough
    # whoever still holds it cannot write over the one that is loaded
    await acted(room, (ANN, "play", "b2", 0, "put away"), (ANN, "undo", "put away"))
    again = store.room(room.id)
    assert again is not room
    await again.play(ANN, "b2", 0)
    clock.now += 7.0
    await again.play(BO, "c3", 1)
    assert store.put_away(0.0) == 0  # the clock runs
    await acted(again, None, {"clocks": near(60.0, 53.0)})


async def test_the_computer_takes_its_turn_in_a_room_that_was_put_away_before(tmp_path):
    setup = meridians(("it", "Bo"), ("any", None), held=(1,))
    store, room = opened(tmp_path, setup, workers := Thinking())
    assert store.put_away(0.0) == 1  # nobody has started it
    room = store.room(room.id)
    room.start()
    await a_moment()
    assert store.put_away(0.0) == 0  # the computer thinks
    await workers.answers(IT, 0, "b2")
    assert store.put_away(0.0) == 1
    again = store.room(room.id)
    again.start()
    await again.play(ANN, "c3", 1)
    await a_moment()
    await workers.answers(IT, 1, move := str(again.position.legal_moves()[0]))
    assert plies(again) == ["b2", "c3", move]


async def test_a_hint_names_moves_with_what_they_are_worth(tmp_path):
    _, room = opened(tmp_path, meridians(size=3))
    await acted(room, "b2")
    found = await room.advice("best", 3)
    chances = [one.chance for one in found]
    assert (len(found), chances) == (3, sorted(chances, reverse=True))
    assert found[0].proven  # a search reaches the ends of the smallest board
    assert {one.move for one in found} <= {str(move) for move in room.position.legal_moves()}
    (only,) = await room.advice("random", 3)
    assert (only.chance, plies(room)) == (None, ["b2"])


# --- Tokyo Highway --------------------------------------------------------------------------------


async def test_whoever_built_last_may_adjust_until_the_next_player_moves_and_nobody_else(
    tmp_path, clock
):
    pillars = [{"id": f"{who}-P0", "at": [0, y], "discs": 1} for who, y in (("A", 0), ("B", 500))]
    header = Header(
        "tokyo-highway", ("Ann", "Bo"), start={"pillars": pillars}, physics={"engine": "none"}
    )
    _, room = opened(tmp_path, highway(record=Record(header), clock=60.0))
    adjust = '{"adjust":{"pillar":[0,105]}}'
    await acted(
        room,
        (ANN, "play", adjust, 0, "nothing to adjust"),
        '{"build":{"from":"A-P0","pillar":[105,0],"discs":2}}',
        {"to_move": 1},
        (BO, "play", adjust, 1, "turn of Ann"),
        5.0,
        (ANN, "play", adjust, 1, ...),
        {"to_move": 1, "clocks": near(60.0, 60.0)},  # what passed meanwhile is given back
        clock=clock,
    )
    assert room.position.table.pillar_by_id["A-P1"].at == (0.0, 105.0)
    assert [step.entry.by for step in room.steps] == [0, 0]
    await acted(
        room,
        '{"build":{"from":"B-P0","pillar":[105,500],"discs":2}}',
        (ANN, "play", adjust, 3, "turn of Bo"),
        None,
    )


async def test_physics_runs_in_a_worker_and_its_verdict_is_the_record(tmp_path):
    _, room = opened(tmp_path, highway(), workers := Workers(1))
    move, bad = str(room.position.table.default_entrance(0)), entrance(0, -55)
    try:
        await acted(
            room,
            [
                (ANN, "play", move, 0, ...),
                (ANN, "play", move, 0, "being made"),
                (BO, "rename", "Robert", "being made"),
            ],
            {"told": ["busy", "ply"], "busy": False},
        )
        assert room.film.seconds > 1
        assert {"A-P0.1", "A-R0", "A-C0"} <= room.film.keys.keys()
        with pytest.raises(IllegalMoveError):
            await room.play(BO, bad, 1)
        assert not room.busy
    finally:
        workers.close()
    again = await acted(room, None)
    assert again.position.digest() == room.record.entries[0].got["digest"]
    assert again.steps[0].reasons() == room.steps[0].reasons()


def led(*parts):
    """Traces of a hand that lowers each part a little beside its place; it takes a tenth of a
    second for each.
    """
    return [[[t, x, y, 40 - 400 * t, 0] for t in (0, 0.05, 0.1)] for x, y in parts]


async def test_the_record_keeps_what_an_unsteady_hand_drew_and_what_a_person_let_go_of(tmp_path):
    _, room = opened(tmp_path, highway("own", "expert"))
    move = str(room.position.table.default_entrance(0))
    grip = room.grip(ANN, move)
    assert [[body.id for body in held.pieces] for held in grip.held] == [["A-P0.1"], ["A-R0"]]
    await room.play(ANN, move, 0, led((2.0, -1.0), (0.0, 1.5)))
    await acted(room, str(room.position.table.default_entrance(1)))
    record = read(room._path)
    disc, road, car, path = record.entries[0].hand
    assert [one.get("piece") for one in (disc, road, car)] == ["A-P0.1", "A-R0", "A-C0"]
    assert list(path) == ["path"]
    assert disc["shift"][:2] == pytest.approx((2.0, -1.0), abs=1.5)
    assert road["shift"][:2] == pytest.approx((0.0, 1.5), abs=1.5)
    assert "speed" in disc
    assert record.entries[1].hand
    assert verify_table(record, "exact").ok


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["again", "left", "drawn", "resigned", "taken back"])
async def test_a_try_that_fell_is_followed_by_one_of_the_same_hand_or_left(tmp_path, ends):
    _, room = opened(tmp_path, highway("own", "helped"))
    move = str(room.position.table.default_entrance(0))
    room.grip(ANN, move)
    await acted(
        room,
        (ANN, "play", move, 0, led((70.0, 0.0), (0.0, 70.0)), ...),
        {"told": ["busy", "try"], "plies": [], "busy": False},
        (ANN, "play", entrance(10, -60), 0, "try again"),
        (ANN, "grip", entrance(10, -60), "try again"),
        (BO, "let_be", "turn of Ann"),
    )
    assert room.tried.left == room.position.table.ruleset.redo
    first = room.tried.step.entry
    match ends:
        case "again":
            trembles = room.grip(ANN, move).held
            await room.play(ANN, move, 0, led((0.0, 0.0), (0.0, 0.0)))
            anew = by_hand.taken(room.made.start(), move, "own", (5, 0, 3)).held
            assert trembles[0].tremble != anew[0].tremble
        case "left":
            await acted(room, (ANN, "let_be", None), (ANN, "let_be", "take the pieces again"))
        case "taken back":
            asks = (BO, "undo", False), (ANN, "agree", True)
            await acted(room, *asks, {"told": ["wish", "undo"], "tried": None, "plies": []})
            return
        case "drawn":
            await room.play(ANN, move, 0)
        case "resigned":
            await room.resign(ANN)
    assert room.tried is None
    kept = read(room._path)
    entry = kept.entries[0]
    if ends == "left":
        assert (entry.hand, room.steps[0].verdict.built) == (first.hand, False)
        assert not entry.tries
    elif ends != "resigned":
        assert entry.tries[0]["hand"] == list(first.hand)
        assert room.steps[0].verdict.built
    for mode in ("physics", "exact"):
        assert verify_table(kept, mode).ok


@pytest.mark.parametrize("looks", [False, True])
async def test_a_close_call_is_told_behind_its_verdict_while_somebody_looks(
    tmp_path, monkeypatch, looks
):
    said, asked = Close(8, 3, ("A-R0",)), []
    monkeypatch.setattr(tables, "close_call", lambda step: asked.append(step.ply) or said)
    _, room = opened(tmp_path, highway("own", "own"))
    move = str(room.position.table.default_entrance(0))
    told = asyncio.ensure_future(until(room, "close")) if looks else None
    await asyncio.sleep(0)
    room.grip(ANN, move)
    await room.play(ANN, move, 0, led((70.0, 0.0), (0.0, 70.0)))
    await room.let_be(ANN)
    assert room.steps[0].verdict.close is None
    if told is not None:
        await told
        assert room.steps[0].verdict.close == said
    kept = read(room._path)
    assert kept == room.record
    assert kept.entries[0].got.get("close") == (said.to_json() if looks else None)
    assert verify_table(kept, "exact").ok
    assert asked == [0] * looks
    room.close()


async def test_nobody_chooses_how_the_hand_trembles(tmp_path):
    store, room = opened(tmp_path, highway("own", "helped"))
    move = str(room.position.table.default_entrance(0))
    with pytest.raises(RefusedError, match="turn of Ann"):
        room.grip(BO, move)
    first = room.grip(ANN, move)
    assert room.grip(ANN, move).held == first.held  # taken up again it trembles alike
    room._grip = None
    for traces, said in (
        (led((0, 0), (0, 0)), "not the one that took it"),
        # longer than it is since it was taken
        ([[[0, 0, 0, 9, 0], [5, 0, 0, 9, 0]], [[0, 0, 0, 9, 0]]], "not the one that took it"),
        (led((0, 0)), "2 pieces"),
        ([["no", "hand"], [None]], "five numbers"),
    ):
        await acted(room, (ANN, "play", move, 0, traces, said))
        room.grip(ANN, move)
    # whoever leads nothing gets a hand of the same skill, not a steady one
    await acted(room, {"plies": []}, move)
    assert all(any(item["shift"]) for item in room.steps[0].entry.hand if "piece" in item)

    store.close()
    seats = tmp_path / f"{room.id}.seats.json"
    kept = json.loads(seats.read_text())
    assert kept["hands"] == ["own", "helped"]
    newer = ("hands", "late", "parent", "shared")
    old = {key: value for key, value in kept.items() if key not in newer}
    seats.write_text(json.dumps(old | {"version": 1, "hand": "clumsy"}))
    again = Rooms(tmp_path, Here()).room(room.id)
    assert [again.hand(seat) for seat in (0, 1)] == ["clumsy", "clumsy"]


@pytest.mark.slow
async def test_an_installed_player_takes_its_turn_with_its_own_hand_and_gives_advice(tmp_path):
    setup = Setup("tokyo-highway", ("Ann", "it"), (None, "random:hand=clumsy"))
    _, room = opened(tmp_path, setup, workers := Workers(1))
    try:
        room.start()
        (advice,) = await room.advice("greedy", 3)
        assert advice.reasons == (("why_entrance", {}),)
        await acted(room, advice.move)
        await until(room, 2)
    finally:
        workers.close()
    assert [(step.entry.by, bool(step.entry.hand)) for step in room.steps] == [
        (0, False),
        (1, True),
    ]


# --- again ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "seats"), [({}, [(1,), (0,)]), (COMPUTER, [(0,), ()])], ids=["persons", "computer"]
)
async def test_those_who_have_played_play_again_and_another_person_begins(tmp_path, how, seats):
    """With a computer everybody keeps the seat."""
    store, room = opened(tmp_path, meridians(clock=60.0, **how))
    with pytest.raises(RefusedError, match="goes on"):
        store.again(room, ANN)
    await room.resign(ANN)
    with pytest.raises(RefusedError, match="no seat"):
        store.again(room, EVE)
    told = []
    room.subscribe(told.append)
    again = store.again(room, ANN)
    room.announce_next(again.id)
    assert told == ["seats"]
    assert [again.seats_of(who) for who in (ANN, BO)] == seats
    same = slice(None, None, 1 if how else -1)
    assert (again.names, again.computers) == (room.names[same], room.computers)
    assert (again.clocks, again.made.options, plies(again)) == ((60.0, 60.0), room.made.options, [])
    assert store.again(room, ANN) is again  # whoever comes second goes where the first one is
    store.close()


async def full(tmp_path, monkeypatch, *moves):
    """A server with as many rooms as it takes, in which this was played, the oldest first."""
    monkeypatch.setattr(store_module, "MAX_ROOMS", len(moves))
    store, rooms = Rooms(tmp_path, Here()), []
    for n, played in enumerate(moves):
        rooms.append(store.open(meridians(), ANN))
        await acted(rooms[-1], *played)
        os.utime(rooms[-1]._path, (n, n))
    return store, rooms


async def test_a_full_server_lets_go_of_old_rooms_in_which_nobody_moved_and_never_of_a_game(
    tmp_path, monkeypatch
):
    store, (played_in, unplayed) = await full(tmp_path, monkeypatch, ["b2"], [])
    with pytest.raises(RefusedError, match="2 rooms already"):
        store.open(meridians(), EVE)  # somebody may look at both
    store.close()
    fresh = Rooms(tmp_path, Here())
    assert set(fresh.ids()) == {played_in.id, unplayed.id}
    assert fresh.open(meridians(), EVE).id in fresh.ids()
    assert unplayed.id not in {path.stem for path in tmp_path.rglob("*.jsonl")}
    assert fresh.room(played_in.id).record == played_in.record


async def test_old_rooms_retire_and_their_links_bring_them_back_with_their_seats(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(store_module, "_ROOM_MADE", 3)
    store, (oldest, *_, last) = await full(tmp_path, monkeypatch, *[["b2"]] * 5)
    store.close()
    fresh, retired = Rooms(tmp_path, Here()), tmp_path / "retired"
    new = fresh.open(meridians(), EVE)
    assert set(fresh.ids()) >= {new.id, last.id}
    assert len(fresh.ids()) == 3
    assert {path.stem for path in retired.glob("*.jsonl")} == {
        path.name.partition(".")[0] for path in retired.glob("*.json")
    }
    back = fresh.room(oldest.id)
    assert (back.record, back.seats) == (oldest.record, oldest.seats)
    assert back.id in fresh.ids()
    assert fresh.room("../retired/" + oldest.id) is None
    assert len({path.stem for path in tmp_path.rglob("*.jsonl")}) == 6, "none is lost"


async def test_a_room_without_its_seats_keeps_no_other_from_retiring_and_is_told(
    tmp_path, monkeypatch
):
    store, (broken, other) = await full(tmp_path, monkeypatch, ["b2"], ["b2"])
    store.close()
    seats, retired = broken._path.with_suffix(".seats.json"), tmp_path / "retired"
    seats.unlink()
    fresh = Rooms(tmp_path, Here())
    fresh.open(meridians(), EVE)
    assert (retired / f"{other.id}.jsonl").is_file()
    assert fresh.room(other.id).record == other.record
    for how in ("gone", "broken", "retired"):
        if how == "broken":
            seats.write_text("{")
        elif how == "retired":
            broken._path.rename(retired / broken._path.name)
        with pytest.raises(RecordError, match="seats cannot be read"):
            fresh.room(broken.id)


@pytest.mark.parametrize("killed_at", range(8))
async def test_a_kill_while_a_room_retires_or_comes_back_loses_neither_record_nor_seats(
    tmp_path, monkeypatch, killed_at
):
    class KilledError(BaseException):
        """As a kill: nothing is undone."""

    def dying(does, steps):
        def do(*values, **named):
            if next(steps) == killed_at:
                raise KilledError
            return does(*values, **named)

        return do

    store, room = opened(tmp_path, meridians())
    await acted(room, "b2")
    store.close()
    retired = tmp_path / "retired"
    for way in ((tmp_path, retired), (retired, tmp_path)):
        steps = iter(range(100))
        with monkeypatch.context() as patch, suppress(KilledError):
            patch.setattr(Path, "rename", dying(Path.rename, steps))
            patch.setattr(store_module.disk, "sync", dying(store_module.disk.sync, steps))
            for name in ("remove", "give"):
                patch.setattr(Seats, name, staticmethod(dying(getattr(Seats, name), steps)))
            Rooms(tmp_path, Here())._move([room.id], *way)
        for folder in (tmp_path, retired):
            Seats.remove_orphans(folder)
        back = Rooms(tmp_path, Here()).room(room.id)
        assert (back.record, back.seats) == (room.record, room.seats)
        Rooms(tmp_path, Here())._move([room.id], tmp_path, retired)


def test_a_seat_that_too_many_browsers_hold_takes_no_more_and_its_holders_keep_it(tmp_path):
    _, room = opened(tmp_path, meridians())
    secret = room.invitations(ANN)[1]
    for n in range(MAX_HOLDERS - 1):
        room.claim(secret, f"browser {n}")
    with pytest.raises(RefusedError, match="50 browsers have this seat"):
        room.claim(secret, "one more")
    assert room.claim(secret, BO) == 1
    assert Rooms(tmp_path, Here()).room(room.id).seats_of("browser 48") == (1,)


# --- two things at once ---------------------------------------------------------------------------


async def test_the_computer_thinks_again_if_its_answer_came_while_somebodys_move_was_tried_in_vain(
    tmp_path,
):
    """Whoever built last may adjust while the computer thinks: its answer is dropped, and the
    adjustment may be refused.
    """
    _, room = opened(tmp_path, meridians(**COMPUTER), workers := Thinking())
    await acted(room, "b2")
    async with room._lock:
        tried = asyncio.create_task(room._play("nonsense", 1))
        await asyncio.sleep(0)
        await workers.answers(IT, 0, "d4")
    with pytest.raises(NotationError):
        await tried
    await acted(room, {"plies": ["b2"]}, (IT, "answers", 1, "d4", None), {"plies": ["b2", "d4"]})


async def test_a_no_counts_until_the_ply_is_taken_back(tmp_path):
    _, room = opened(tmp_path, meridians())
    await acted(room, "b2", "a1", (ANN, "undo", False))
    async with room._lock:
        yes = asyncio.create_task(room.agree(BO))
        await asyncio.sleep(0)
        room.wishes.discard(1)
        room.decline(BO)
    assert await yes is False
    assert plies(room) == ["b2", "a1"]


async def test_a_move_whose_browser_leaves_while_it_is_written_is_told_and_the_computer_answers(
    tmp_path,
):
    _, room = opened(tmp_path, meridians(**COMPUTER), workers := Thinking())
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
    assert (told, plies(room), len(workers.asked)) == (["ply"], ["b2"], 1)
