"""Playing at the terminal: turns, hints, taking back, records that verify, and everything that can
be typed wrongly.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from rules.errors import IllegalMoveError, NotationError
from rules.record import read
from rules.record.disk import hold
from rules.record.verify import verify
from shutoko.cli import main
from shutoko.terminal.table import TableDisplay
from sim.game.highway import Position
from sim.physics import engines, world
from sim.physics.engine import NotSettledError
from sim.physics.unsettled import load
from sim.referee.placement import Adjust, Build, CarSpot, Entrance, Exit
from tests import tables
from tests.faults import Disk
from tests.tables import lay_out

SMALL = ("meridians", "--size", "3", "--against", "random", "--hints", "greedy", "--seed", "1")
TABLE = ("tokyo-highway", "--engine", "none")
ROAD = (*TABLE, "--against", "random", "--hints", "greedy", "--seed", "1")
SETTLED = ("tokyo-highway", "--engine", engines.default())
TWO = ("--players", "you,you")
ENTRANCE = '{"entrance":{"pillar":[0,-55],"toward":270},"car":0.5}'


@pytest.fixture
def play(run):
    """Plays with these lines typed: what was printed, and what was said on standard error."""

    def lines(typed: str, *args: object, code: int = 0):
        return run("play", *args, typed=typed, code=code)

    return lines


def true(path: Path | str, **how: str) -> bool:
    return verify(read(path), **how).ok


def moves(path: Path | str) -> list[str]:
    """The moves of a record, of a placement its kind alone."""
    kept = [entry.do for entry in read(path).entries]
    return [do if isinstance(do, str) else next(iter(do)) for do in kept]


# --- a game -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "args", [SMALL, ("thruway", "--size", "3", *SMALL[3:]), ROAD], ids=lambda args: args[0]
)
def test_a_whole_game_is_played_by_hints_and_its_record_is_true(play, args):
    out, err = play("?1\n1\n" * 70, *args, "--out", "a.jsonl")
    record = read("a.jsonl")
    assert (err, record.header.players, record.end is None) == ("", ("you", "random"), False)
    assert true("a.jsonl", mode="rules")
    assert "the game is over" in out
    assert out.endswith("the game is in a.jsonl; watch it again with shutoko replay a.jsonl\n")


def test_a_hand_that_errs_and_physics_that_settles_make_an_exact_record(play):
    given = (*SETTLED, "--hand", "clumsy", "--seed", "4", "--out", "a.jsonl")
    assert "stands in physics" in play("entrance\n?1\n1\nbuild P1 1 240\n", *given).out
    assert read("a.jsonl").entries[2].hand
    assert true("a.jsonl", mode="exact")


class Sitting(NamedTuple):
    """What is typed, with which options, what is said, and the moves that are kept."""

    lines: Sequence[str]
    options: Sequence[str]
    says: Sequence[str] = ()
    times: Mapping[str, int] = {}
    moves: Sequence[str] | None = None


THREE = ("thruway", "--size", "3")
SITTINGS = {
    "after a wrong input the reason and the question follow": Sitting(
        ["", "zz", "c2", "c2", "c1", "7"],
        (*SMALL[:3], *TWO),
        (
            "type a move, ? for hints, or help",
            "zz is not a move: 'zz' is no point of the board of size 3",
            "illegal: c2 is taken",
            "a number plays a move that ? has shown",
        ),
        moves=["c2", "c1"],
    ),
    "two persons share a terminal and the pie rule": Sitting(
        ["c1,c3", "swap"],
        (*SMALL[:3], "--option", "pie=true", "--players", "you:name=Ann,you:name=Ben"),
        (
            "the pie rule: put a stone of each colour down",
            "Ben (dark, x)> swap",
            "the pie rule: keep dark, or swap and play light",
            "the colours are exchanged",
        ),
        {"Ben (light, o)> ": 1},
        ["c1,c3", "swap"],
    ),
    "a trade is offered": Sitting(
        ["a1-b1", "trade"],
        (*THREE, *TWO),
        ("you may trade: then you play concrete", "player 1 (asphalt, x)> "),
    ),
    "a forced pass is asked for": Sitting(
        ["a1-b1", "a2-b2", "c1-c2", "pass"],
        (*THREE, "--option", "reserve=2", "--option", "trade=false", *TWO),
        ("nothing is legal but pass", "illegal: fewer than two"),
        moves=["a1-b1", "a2-b2", "pass"],
    ),
    "resigning ends the game": Sitting(
        ["resign"],
        (*SMALL, "--seat", "1"),
        ("the game is over (resigned): random wins",),
    ),
    "an adjustment is a ply of the one who built": Sitting(
        ["entrance", "entrance", "build P0 2 0", "adjust 100,-50", "quit"],
        (*TABLE, *TWO),
        ("player 1 adjusts A-P1 at (100.0, -50.0)",),
        moves=["entrance", "entrance", "build", "adjust"],
    ),
    "the plan shows pillars, the last road and what is offered": Sitting(
        ["entrance", "build P0 2 0", "?2", "moves", "sides", "pieces"],
        ROAD,
        (
            *("you (A) against random (B)", "A0", "A1", "B0", "*", "(1)", "(2)", "A-R0: over free"),
            "A-R1 from A-P0 to A-P1, 1.0 to 2.0 discs high",
            "from P1 (2 discs, at ",
        ),
    ),
    "buildings are set up by three persons": Sitting(
        [*["entrance"] * 3, "building tower 300,300", "building moon 1,1", "?", "1"],
        (*TABLE, "--seats", "3", "--players", "you,you,you", "--hints", "greedy"),
        (
            "set-up: type building KIND X,Y with one of block, cylinder, slab, tower",
            "player 3 sets the tower X0 at (300.0, 300.0)",
            "illegal: there is no building 'moon'",
            "off the middle of the table",
            "player 2 sets the ",
        ),
    ),
    "why lists all faults of a move": Sitting(
        ["entrance", "build P0 1 90 150", "why build P0 1 90 150", "why build P0 2 30", "why"],
        ROAD,
        (
            "(why MOVE lists all of them)",
            "it is illegal:\n",
            "it is legal; if it stands:\nyou build A-P1 of 2 discs at ",
            "why needs a move",
        ),
        moves=["entrance", "entrance"],
    ),
    "undo takes back the own move with its answer": Sitting(
        ["c1", "undo", "undo", "c1"],
        SMALL,
        ("took back 2 plies", "there is no move of yours to take back"),
    ),
    "advice comes from a player of ones own": Sitting(
        ["?2", "2"],
        (*SMALL[:3], "--seed", "1", "--code", "own.py", "--against", "Wise", "--hints", "Wise"),
        (
            "  1  a1  70 % to win, looking 1 ply ahead",
            "ply  0  you (light, o): a2\nply  1  Wise (dark, x): e2",
        ),
    ),
    "a fault of such a player is told with its place": Sitting(
        ["?"],
        (*SMALL[:3], "--code", "own.py", "--against", "Wise", "--hints", "Wise:good=false"),
        ("own.py:9: the player Wise:good=false fails: ZeroDivisionError",),
    ),
}
OWN = """
from rules.grid.search.players import Choice

class Wise:
    name = "Wise"
    def __init__(self, game, good: bool = True): self.good = good
    def choose(self, state, rng): return state.legal_moves()[-1]
    def analyse(self, state, rng, most=5):
        return [Choice(move, 0.7, 1, "depth") for move in state.legal_moves()[:most]] \
if self.good else 1 / 0
"""


@pytest.mark.parametrize("sitting", SITTINGS.values(), ids=SITTINGS)
def test_what_is_typed_is_understood_and_kept(play, sitting):
    Path("own.py").write_text(OWN)
    lines = "".join(f"{line}\n" for line in sitting.lines)
    out = play(lines, *sitting.options, "--out", "a.jsonl").out
    assert [text for text in sitting.says if text not in out] == []
    assert {text: out.count(text) for text in sitting.times} == sitting.times
    if sitting.moves is not None:
        assert moves("a.jsonl") == sitting.moves
        assert true("a.jsonl", mode="rules")


# --- taking back ----------------------------------------------------------------------------------


def test_after_undo_the_same_comes_out_again(play):
    play("c1\n", *SMALL, "--out", "a.jsonl")
    play("c1\nundo\nundo\nc1\n", *SMALL, "--out", "b.jsonl")
    assert Path("a.jsonl").read_bytes() == Path("b.jsonl").read_bytes()
    assert len(moves("b.jsonl")) == 2


def test_undo_works_in_a_finished_game_that_is_opened_again(play):
    play("c1\nresign\n", *SMALL, "--out", "a.jsonl")
    out = play("c2\nundo\n", "--resume", "a.jsonl").out
    assert "the game is over; type undo or quit" in out
    assert "took back 1 ply" in out
    assert read("a.jsonl").end is None
    play("\n", "--resume", "a.jsonl")


# --- nothing is lost ------------------------------------------------------------------------------


def test_without_a_name_the_record_is_kept_in_a_file_of_its_own_in_the_data_folder(play, tmp_path):
    assert play("", *SMALL).out.endswith("no move was made, so no file was written\n")
    folder = tmp_path / "data" / "shutoko" / "games"
    assert list(tmp_path.rglob("*.jsonl")) == []
    for move in ("c1", "c2"):
        play(f"{move}\n", *SMALL)
    with hold(folder / "meridians-0003.jsonl"):  # another game, before its first ply
        play("c3\n", *SMALL)
    kept = {path.name: moves(path)[0] for path in folder.iterdir()}
    assert kept == {
        f"meridians-000{n}.jsonl": move for n, move in ((1, "c1"), (2, "c2"), (4, "c3"))
    }


def test_an_interrupt_leaves_every_ply_on_the_disk(play, monkeypatch, capsys):
    class Interrupted(io.StringIO):
        def readline(self, *args):
            line = super().readline(*args)
            if not line:
                assert len(moves("a.jsonl")) == 2
                raise KeyboardInterrupt
            return line

    monkeypatch.setattr(sys, "stdin", Interrupted("c1\n"))
    assert main(["play", *SMALL, "--out", "a.jsonl"]) == 130
    assert "continue it with shutoko play --resume a.jsonl" in capsys.readouterr().out
    assert true("a.jsonl")


AGAIN = "random's move is not made: Enter tries again, undo, or quit>"


@pytest.mark.parametrize("typed", ["c1\n\nquit\n", "c1\nquit\n"])
def test_a_programs_move_that_finds_no_room_on_the_disk_is_tried_again_when_asked_or_later(
    play, tmp_path, monkeypatch, typed
):
    Disk(monkeypatch, tmp_path).fail("write", at=1)
    out, err = play(typed, *SMALL, "--out", "a.jsonl")
    assert (AGAIN in out, "No space left on device" in out + err) == (True, True)
    assert len(moves("a.jsonl")) == typed.count("\n") - 1
    play("quit\n", "--resume", "a.jsonl")
    assert [entry.by for entry in read("a.jsonl").entries] == [0, 1]
    assert true("a.jsonl")


def test_a_full_disk_is_told_to_programs_and_ends_a_game_in_which_nobody_can_try_again(
    play, tmp_path, monkeypatch
):
    Disk(monkeypatch, tmp_path).fail("write", at=1)
    out = play("c1\n\nquit\n", *SMALL, "--out", "a.jsonl", "--json").out
    said = [(one["event"], one.get("ply")) for one in map(json.loads, out.splitlines())]
    at = [event for event, _ in said].index("refused")
    assert said[at + 1 : at + 3] == [("ask", 1), ("turn", 1)]
    Disk(monkeypatch, tmp_path).fail("write", at=1)
    play("c1\n", *SMALL, "--out", "b.jsonl", code=2)


def throws(monkeypatch, when):
    """Has physics throw a piece out of the room in its first run after `when()`."""
    left = [1]

    def thrown_out(poses):
        if when() and left:
            left.clear()
            raise NotSettledError("A-P0.1: it is out of the room")

    monkeypatch.setattr(world, "check_poses", thrown_out)


def test_a_move_that_physics_cannot_settle_is_refused_with_its_scene_and_the_game_goes_on(
    play, monkeypatch
):
    throws(monkeypatch, lambda: True)
    args = (*SETTLED, "--players", "you:name=A,you:name=B", "--out", "a.jsonl")
    out, err = play(f"{ENTRANCE}\n{ENTRANCE}\nquit\n", *args)
    (kept,) = Path().glob("a-*.scene.json")
    told = f"out of the room; what physics was asked is kept in {kept}: please send that"
    assert (err, told in out) == ("", True)
    assert load(kept).new == ("A-P0.1",)  # the disc is let go first
    assert len(moves("a.jsonl")) == 1, "the same move again"
    assert true("a.jsonl")


@pytest.mark.parametrize(("typed", "plies"), [("\n", 2), ("undo\n", 0), ("quit\n", 1)])
def test_a_programs_move_that_physics_cannot_settle_is_tried_again_or_the_last_one_taken_back(
    play, monkeypatch, typed, plies
):
    throws(monkeypatch, Path("a.jsonl").exists)
    args = (*SETTLED, "--players", "you,random", "--seed", "1", "--out", "a.jsonl")
    assert AGAIN in play(f"{ENTRANCE}\n{typed}quit\n", *args).out
    assert len(moves("a.jsonl")) == plies


def test_nobody_else_can_resume_a_file_that_is_being_played(play, run, tmp_path):
    play("b2\nquit\n", *SMALL, "--out", "a.jsonl")
    before = Path("a.jsonl").read_bytes()
    with hold(Path("a.jsonl")):
        out, err = play("c3\n", "--resume", "a.jsonl", code=2)
        who = r"shutoko: a\.jsonl: .+ \(process \d+ on .+, since .+\) is writing here; .+\n"
        assert (out, bool(re.fullmatch(who, err))) == ("", True)
        # the one that is read needs no leave
        play("quit\n", "--resume", "a.jsonl", "--out", "b.jsonl")
        run("verify a.jsonl")
    assert Path("a.jsonl").read_bytes() == before
    play("quit\n", "--resume", "a.jsonl")
    assert sorted(path.name for path in tmp_path.glob(".*")) == []


def test_somebody_else_may_go_on_and_the_record_says_so(play):
    play("c1\n", *SMALL, "--out", "a.jsonl")
    before = Path("a.jsonl").read_bytes()
    others = ("--against", "greedy", "--seat", "1", "--out", "b.jsonl")
    play("resign\n", "--resume", "a.jsonl", *others)
    record = read("b.jsonl")
    assert record.header.players == ("greedy", "you")
    assert record.notes[0].note == "seat 0: greedy goes on for you; seat 1: you goes on for random"
    assert true("b.jsonl")
    assert Path("a.jsonl").read_bytes() == before


def test_a_table_goes_on_from_the_poses_of_its_record(play):
    play("entrance\n?1\n1\n", *ROAD, "--out", "a.jsonl")
    play("?1\n1\nundo\n?1\n1\n", "--resume", "a.jsonl", "--hints", "greedy")
    assert len(moves("a.jsonl")) == 6
    assert true("a.jsonl", mode="rules")


def test_no_file_is_written_over(play):
    Path("a.jsonl").write_text("precious", encoding="utf-8")
    err = play("", *SMALL, "--out", "a.jsonl", code=2).err
    assert "exists already; go on with it by --resume a.jsonl" in err
    out = play("c1\nsave a.jsonl\nsave c.jsonl\nsave\n", *SMALL, "--out", "b.jsonl").out
    assert "a.jsonl exists already" in out
    assert "save needs the name of a file; type save FILE" in out
    assert Path("c.jsonl").read_bytes() == Path("b.jsonl").read_bytes()
    assert Path("a.jsonl").read_text(encoding="utf-8") == "precious"


# --- what it is asked for -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ((), r"name a game \(meridians, thruway, tokyo-highway\)"),
        (("chess",), "known games"),
        (
            (*SMALL[:3], "--players", "you,human"),
            "unknown player 'human' of meridians; choose from alphabeta, .*; you is a person",
        ),
        ((*SMALL[:3], "--players", "you,uct"), "you is a person; uct is gone: use mcts"),
        ((*SMALL[:3], "--players", "you"), "--players names 1 for 2 seats"),
        ((*SMALL[:3], "--players", "you:name=best,you"), "a person needs another name"),
        ((*SMALL[:3], "--players", "you:x=1,you"), "a name and no other option"),
        ((*SMALL[:3], "--players", "you,you", "--seat", "1"), "--players says who sits where"),
        ((*SMALL[:3], "--against", "random,random"), "2 players for 1 other seat"),
        (
            ("tokyo-highway", "--seats", "3", "--ruleset", "en2"),
            "the rule set en2 is for 2 players, not 3",
        ),
        ((*SMALL, "--seat", "2"), "choose a seat from 0 to 1, or random"),
        ((*SMALL, "--hand", "normal"), "leave --hand out"),
        ((*SMALL, "--hints", "random"), "random gives no advice"),
        ((*SMALL, "--out", "no/a.jsonl"), "the folder no does not exist"),
        ((*SMALL[:-1], "-3"), "a seed is a whole number"),
        (("--resume", "none.jsonl"), "cannot be read"),
        (("--resume", "none.jsonl", "--seed", "3"), "the record has its own"),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(play, args, why):
    out, err = play("", *args, code=2)
    assert (out, err.count("\n")) == ("", 1)
    assert re.search(why, err)


def test_a_random_seat_comes_from_the_seed(play):
    found = []
    for seed in (0, 1, 2, 3, 0):
        out = play("", *SMALL[:-1], seed, "--seat", "random", "--json").out
        found.append(json.loads(out.splitlines()[0])["persons"])
    assert ([0] in found, [1] in found, found[0] == found[4]) == (True, True, True)


def test_programs_get_an_object_a_line(play):
    out = play("?1\nzz\n1\nundo\nrules\n", *SMALL, "--json").out
    said = [one for one in map(json.loads, out.splitlines()) if one["event"] != "ask"]
    assert [one["event"] for one in said] == [
        *("begin", "position", "hints", "refused", "turn", "turn"),
        *("position", "undo", "position", "text", "kept"),
    ]
    (hint,), turn = said[2]["hints"], said[4]
    assert hint.keys() == {"n", "move", "do", "why", "chance"}
    assert turn["do"] == hint["do"]
    assert (said[3]["code"], said[3]["values"]["text"]) == ("meridians-no-point", "zz")


# --- Tokyo Highway --------------------------------------------------------------------------------


def position() -> Position:
    return Position(lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 160, 1)}, {}), "none")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("build P0 2 0 100", (100, 0)),
        ("BUILD a-p0 2 90 100", (0, 100)),
        ("build P0 2 -60,-80.5", (-60, -80.5)),
    ],
)
def test_a_build_is_typed_by_direction_or_place(text, at):
    assert TableDisplay().read(position(), text) == Build("A-P0", at, 2)


def test_the_last_build_is_adjusted_by_its_place_until_the_next_one_moves():
    table = tables.play(
        lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 500, 1), "B-P1": (200, 500, 1)}),
        Build("A-P0", (105, 0), 2),
    )
    move = TableDisplay().read(Position(table, "none"), "adjust 0,105")
    assert (move, move.by) == (Adjust(pillar=(0, 105)), 0)
    with pytest.raises(NotationError, match="write adjust X,Y"):
        TableDisplay().read(Position(table, "none"), "adjust here")
    exited = tables.play(table, Exit("B-P1", (309, 500)))
    assert TableDisplay().read(Position(exited, "none"), "adjust 308,500") == Adjust(to=(308, 500))
    with pytest.raises(IllegalMoveError, match="nothing to adjust: A has laid no road yet"):
        TableDisplay().read(position(), "adjust 0,105")


def test_the_distance_left_out_is_in_the_middle_of_a_roads_reach():
    move = TableDisplay().read(position(), "build P0 3 180 junction")
    assert (move.junction, 80 < -move.at[0] < 110) == (True, True)
    assert TableDisplay().read(position(), "exit P0 270").to[1] == pytest.approx(-109.4, abs=0.5)


@pytest.mark.parametrize(
    ("move", "ends"),
    [
        (Build("A-P0", (60.25, -80), 2), "-80"),
        (Build("A-P0", (-90, 0), 4, junction=True), "junction"),
        (Exit("A-P0", (0, -109.38)), "-109.38"),
        (Build("A-P0", (100, 0), 2, cars=()), " without cars"),
        (Exit("A-P0", (0, -109.38), cars=()), " without cars"),
        (Entrance((38.89, -38.89), 45.0), "entrance 38.89,-38.89 45"),
    ],
)
def test_the_short_form_of_a_placement_can_be_typed(move, ends):
    view = TableDisplay()
    short = view.short(move)
    assert short.endswith(ends)
    assert view._placement(position(), short) == move
    assert isinstance(move, Entrance) or view.read(position(), short) == move
    assert view.short(Build("A-P0", (100, 0), 2, cars=(CarSpot(0.5),))).startswith("{")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("jump P0", "write build, exit"),
        ("build", "build FROM DISCS DEGREES"),
        ("build P7 2 0", "unknown pillar P7; you can build from A-P0"),
        ("build P0 x 0", "x is not a number of discs"),
        ("build P0 2 north", "north is not a number"),
        ("build P0 2 nan", "nan is not a number"),
        ("build P0 2 1,2 3", "needs no distance"),
        ("exit P0", "exit FROM DEGREES"),
        ("entrance here", "write entrance alone"),
        ("building tower", "building KIND X,Y"),
        ('{"build":1}', "must be an object"),
    ],
)
def test_a_placement_that_cannot_be_read_is_told_why(text, why):
    with pytest.raises(NotationError, match=why):
        TableDisplay().read(position(), text)


def test_a_refusal_names_the_first_fault_and_how_many_more_there_are():
    with pytest.raises(IllegalMoveError) as refused:
        TableDisplay().read(position(), "build P0 1 90 150")
    first, *others = refused.value.faults
    assert others
    assert refused.value.reason == f"{first}; and {len(others)} more"


def test_a_table_without_pieces_says_so():
    assert "the table is empty" in TableDisplay().board(Position(lay_out({}), "none"), None).plain
