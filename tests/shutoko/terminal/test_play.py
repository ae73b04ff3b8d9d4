"""Playing at the terminal: turns, hints, taking back, records that verify, and everything that can
be typed wrongly.
"""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from rules.errors import IllegalMoveError, NotationError
from rules.game import game
from rules.record import read
from rules.record.holding import hold
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
ROAD = (
    "tokyo-highway",
    "--engine",
    "none",
    "--against",
    "random",
    "--hints",
    "greedy",
    "--seed",
    "1",
)


@pytest.fixture
def play(tmp_path, monkeypatch, capsys):
    """Plays with these lines typed: the exit code, what was printed, and what was said on standard
    error.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def run(lines: str, *args: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        code = main(["play", *map(str, args)])
        out, err = capsys.readouterr()
        # On a new machine whatever is compiled first says so.
        told = [
            line
            for line in err.splitlines(keepends=True)
            if not line.startswith("shutoko: compiling ")
        ]
        return code, out, "".join(told)

    return run


def true(path: Path | str, **how: str) -> bool:
    return verify(read(path), **how).ok


# --- a game ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "args", [SMALL, ("thruway", "--size", "3", *SMALL[3:]), ROAD], ids=lambda args: args[0]
)
def test_a_whole_game_is_played_by_hints_and_its_record_is_true(play, args):
    code, out, err = play("?1\n1\n" * 70, *args, "--out", "a.jsonl")
    record = read("a.jsonl")
    assert (code, err) == (0, "")
    assert record.end is not None
    assert record.header.players == ("you", "random")
    assert true("a.jsonl", mode="rules")
    assert "the game is over" in out
    assert out.endswith("the game is in a.jsonl; watch it again with shutoko replay a.jsonl\n")


def test_a_hand_that_errs_and_physics_that_settles_make_an_exact_record(play):
    lines = "entrance\n?1\n1\nbuild P1 1 240\n"
    code, out, _ = play(
        lines,
        "tokyo-highway",
        "--hand",
        "clumsy",
        "--engine",
        engines.default(),
        "--seed",
        "4",
        "--out",
        "a.jsonl",
    )
    record = read("a.jsonl")
    assert code == 0
    assert record.entries[2].hand
    assert true("a.jsonl", mode="exact")
    assert "stands in physics" in out


def test_after_a_wrong_input_the_reason_and_the_question_follow(play):
    code, out, _ = play(
        "\nzz\nc2\nc2\nc1\n7\n", *SMALL[:3], "--players", "you,you", "--out", "a.jsonl"
    )
    assert code == 0
    assert "type a move, ? for hints, or help" in out
    assert "zz is not a move: 'zz' is no point of the board of size 3" in out
    assert "illegal: c2 is taken" in out
    assert "a number plays a move that ? has shown" in out
    assert [(entry.by, entry.do) for entry in read("a.jsonl").entries] == [(0, "c2"), (1, "c1")]


def test_two_persons_share_a_terminal_and_the_pie_rule(play):
    seats = ("--players", "you:name=Ann,you:name=Ben")
    _, out, _ = play(
        "c1,c3\nswap\n", *SMALL[:3], "--option", "pie=true", *seats, "--out", "a.jsonl"
    )
    assert "the pie rule: put a stone of each colour down" in out
    assert "Ben (dark, x)> swap" in out
    assert "the pie rule: keep dark, or swap and play light" in out
    assert "the colours are exchanged" in out
    assert out.count("Ben (light, o)> ") == 1
    assert read("a.jsonl").header.players == ("Ann", "Ben")
    _, out, _ = play(
        "a1-b1\ntrade\n", "thruway", "--size", "3", "--players", "you,you", "--out", "b.jsonl"
    )
    assert "you may trade: then you play concrete" in out
    assert "player 1 (asphalt, x)> " in out


def test_a_forced_pass_is_asked_for(play):
    args = (
        "thruway",
        "--size",
        "3",
        "--option",
        "reserve=2",
        "--option",
        "trade=false",
        "--players",
        "you,you",
    )
    _, out, _ = play("a1-b1\na2-b2\nc1-c2\npass\n", *args, "--out", "a.jsonl")
    assert "nothing is legal but pass" in out
    assert "illegal: fewer than two" in out
    assert [entry.do for entry in read("a.jsonl").entries] == ["a1-b1", "a2-b2", "pass"]


def test_resigning_ends_the_game(play):
    _, out, _ = play("resign\n", *SMALL, "--seat", "1", "--out", "a.jsonl")
    assert "the game is over (resigned): random wins" in out
    assert read("a.jsonl").end.ranks == ((0,), (1,))


# --- taking back ----------------------------------------------------------------------------------


def test_undo_takes_back_the_own_move_with_its_answer_and_the_same_comes_out_again(play):
    play("c1\n", *SMALL, "--out", "a.jsonl")
    _, out, _ = play("c1\nundo\nundo\nc1\n", *SMALL, "--out", "b.jsonl")
    assert "took back 2 plies" in out
    assert "there is no move of yours to take back" in out
    assert Path("a.jsonl").read_bytes() == Path("b.jsonl").read_bytes()
    assert len(read("b.jsonl").entries) == 2


def test_undo_works_in_a_finished_game_that_is_opened_again(play):
    play("c1\nresign\n", *SMALL, "--out", "a.jsonl")
    code, out, _ = play("c2\nundo\n", "--resume", "a.jsonl")
    assert code == 0
    assert "the game is over; type undo or quit" in out
    assert "took back 1 ply" in out
    assert read("a.jsonl").end is None
    assert play("\n", "--resume", "a.jsonl")[0] == 0


# --- nothing is lost ------------------------------------------------------------------------------


def test_without_a_name_the_record_is_kept_in_the_data_folder_once_there_is_one(play, tmp_path):
    _, out, _ = play("", *SMALL)
    assert out.endswith("no move was made, so no file was written\n")
    assert list(tmp_path.rglob("*.jsonl")) == []
    play("c1\n", *SMALL)
    play("c2\n", *SMALL)
    kept = sorted((tmp_path / "data" / "shutoko" / "games").iterdir())
    assert [path.name for path in kept] == ["meridians-0001.jsonl", "meridians-0002.jsonl"]
    assert [read(path).entries[0].do for path in kept] == ["c1", "c2"]


def test_an_interrupt_leaves_every_ply_on_the_disk(play, monkeypatch, capsys):
    class Interrupted(io.StringIO):
        def readline(self, *args):
            line = super().readline(*args)
            if not line:
                assert len(read("a.jsonl").entries) == 2
                raise KeyboardInterrupt
            return line

    play("", *SMALL)
    monkeypatch.setattr(sys, "stdin", Interrupted("c1\n"))
    assert main(["play", *SMALL, "--out", "a.jsonl"]) == 130
    assert "continue it with shutoko play --resume a.jsonl" in capsys.readouterr().out
    assert true("a.jsonl")


def test_a_programs_move_that_finds_no_room_on_the_disk_is_tried_again(play, tmp_path, monkeypatch):
    disk = Disk(monkeypatch, tmp_path)
    disk.fail("write", at=1)
    code, out, err = play("c1\n\nquit\n", *SMALL, "--out", "a.jsonl")
    assert (code, disk.has_failed) == (0, True)
    assert "No space left on device" in out + err
    assert "random's move is not made: Enter tries again, undo, or quit>" in out
    assert [entry.by for entry in read("a.jsonl").entries] == [0, 1]
    assert true("a.jsonl")


def test_programs_are_asked_before_a_move_that_found_no_room_is_tried_again(
    play, tmp_path, monkeypatch
):
    Disk(monkeypatch, tmp_path).fail("write", at=1)
    said = [
        json.loads(line)
        for line in play("c1\n\nquit\n", *SMALL, "--out", "a.jsonl", "--json")[1].splitlines()
    ]
    told = [(one["event"], one.get("ply")) for one in said]
    at = next(n for n, (event, _) in enumerate(told) if event == "refused")
    assert told[at + 1 : at + 3] == [("ask", 1), ("turn", 1)]
    assert said[at + 1]["asks"] == "Enter tries again, undo, or quit"


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
    entrance = '{"entrance":{"pillar":[0,-55],"toward":270},"car":0.5}'
    throws(monkeypatch, lambda: True)
    args = (
        "tokyo-highway",
        "--engine",
        engines.default(),
        "--players",
        "you:name=A,you:name=B",
        "--out",
        "a.jsonl",
    )
    code, out, err = play(f"{entrance}\n{entrance}\nquit\n", *args)
    assert (code, err) == (0, "")
    (kept,) = Path().glob("a-*.scene.json")
    assert (
        f"it is out of the room; what physics was asked is kept in {kept}: please send that with a "
        "report"
    ) in out
    assert load(kept).new == ("A-P0.1",)  # the disc is let go first
    assert len(read("a.jsonl").entries) == 1, "the same move again"
    assert true("a.jsonl")


@pytest.mark.parametrize(("typed", "plies"), [("\n", 2), ("undo\n", 0), ("quit\n", 1)])
def test_a_programs_move_that_physics_cannot_settle_is_tried_again_or_the_last_one_taken_back(
    play, monkeypatch, typed, plies
):
    throws(monkeypatch, Path("a.jsonl").exists)
    entrance = '{"entrance":{"pillar":[0,-55],"toward":270},"car":0.5}'
    args = (
        "tokyo-highway",
        "--engine",
        engines.default(),
        "--players",
        "you,random",
        "--seed",
        "1",
        "--out",
        "a.jsonl",
    )
    code, out, _ = play(f"{entrance}\n{typed}quit\n", *args)
    assert code == 0
    assert "random's move is not made: Enter tries again, undo, or quit>" in out
    assert len(read("a.jsonl").entries) == plies


def test_a_full_disk_at_a_programs_move_may_be_left_and_the_game_goes_on_later(
    play, tmp_path, monkeypatch
):
    Disk(monkeypatch, tmp_path).fail("write", at=1)
    assert play("c1\nquit\n", *SMALL, "--out", "a.jsonl")[0] == 0
    assert len(read("a.jsonl").entries) == 1
    Disk(monkeypatch, tmp_path).fail("write", at=1)
    assert play("c1\n", *SMALL, "--out", "b.jsonl")[0] == 2, "nobody is there to try again"
    assert play("quit\n", "--resume", "a.jsonl")[0] == 0
    assert len(read("a.jsonl").entries) == 2


def test_play_resumes_a_record_cut_off_by_a_crash(play):
    play("c1\nundo\nc1\n", *SMALL, "--out", "a.jsonl")
    whole = Path("a.jsonl").read_bytes()
    Path("a.jsonl").write_bytes(whole[:-20])
    _, out, err = play("undo\nc1\n", "--resume", "a.jsonl")
    assert "cut off" in err
    assert "took back 2 plies" in out
    assert Path("a.jsonl").read_bytes() == whole


def test_nobody_else_can_resume_a_file_that_is_being_played(play, tmp_path):
    assert play("b2\nquit\n", *SMALL, "--out", "a.jsonl")[0] == 0
    before = Path("a.jsonl").read_bytes()
    with hold(Path("a.jsonl")):
        code, out, err = play("c3\n", "--resume", "a.jsonl")
        assert (code, out) == (2, "")
        assert re.fullmatch(
            r"shutoko: a\.jsonl: .+ \(process \d+ on .+, since .+\) is writing here; .+\n", err
        )
        # the one that is read needs no leave
        assert play("quit\n", "--resume", "a.jsonl", "--out", "b.jsonl")[0] == 0
        assert main(["verify", "a.jsonl"]) == 0
    assert Path("a.jsonl").read_bytes() == before
    assert play("quit\n", "--resume", "a.jsonl")[0] == 0
    assert sorted(path.name for path in tmp_path.glob(".*")) == []


def test_two_games_without_a_name_are_kept_in_two_files(play, tmp_path):
    folder = tmp_path / "data" / "shutoko" / "games"
    folder.mkdir(parents=True)
    with hold(folder / "meridians-0001.jsonl"):  # another game, before its first ply
        assert play("b2\nquit\n", *SMALL)[0] == 0
    assert [path.name for path in folder.iterdir()] == ["meridians-0002.jsonl"]


def test_somebody_else_may_go_on_and_the_record_says_so(play):
    play("c1\n", *SMALL, "--out", "a.jsonl")
    before = Path("a.jsonl").read_bytes()
    play(
        "resign\n", "--resume", "a.jsonl", "--against", "greedy", "--seat", "1", "--out", "b.jsonl"
    )
    record = read("b.jsonl")
    assert record.header.players == ("greedy", "you")
    assert record.notes[0].note == "seat 0: greedy goes on for you; seat 1: you goes on for random"
    assert true("b.jsonl")
    assert Path("a.jsonl").read_bytes() == before


def test_a_table_goes_on_from_the_poses_of_its_record(play):
    play("entrance\n?1\n1\n", *ROAD, "--out", "a.jsonl")
    play("?1\n1\nundo\n?1\n1\n", "--resume", "a.jsonl", "--hints", "greedy")
    assert len(read("a.jsonl").entries) == 6
    assert true("a.jsonl", mode="rules")


def test_no_file_is_written_over(play):
    Path("a.jsonl").write_text("precious", encoding="utf-8")
    code, _, err = play("", *SMALL, "--out", "a.jsonl")
    assert code == 2
    assert "exists already; go on with it by --resume a.jsonl" in err
    _, out, _ = play("c1\nsave a.jsonl\nsave c.jsonl\nsave\n", *SMALL, "--out", "b.jsonl")
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
    code, out, err = play("", *args)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert re.search(why, err)


def test_a_random_seat_comes_from_the_seed(play):
    begun = [
        play("", *SMALL[:-1], seed, "--seat", "random", "--json")[1].splitlines()[0]
        for seed in (0, 1, 2, 3, 0)
    ]
    found = [json.loads(line)["persons"] for line in begun]
    assert [0] in found
    assert [1] in found
    assert found[0] == found[4]


def test_programs_get_an_object_a_line(play):
    _, out, _ = play("?1\nzz\n1\nundo\nrules\n", *SMALL, "--json")
    said = [json.loads(line) for line in out.splitlines()]
    events = [one["event"] for one in said if one["event"] != "ask"]
    assert events == [
        "begin",
        "position",
        "hints",
        "refused",
        "turn",
        "turn",
        "position",
        "undo",
        "position",
        "text",
        "kept",
    ]
    hints, turn = said[3], next(one for one in said if one["event"] == "turn")
    assert hints["hints"][0].keys() == {"n", "move", "do", "why", "chance"}
    assert turn["do"] == hints["hints"][0]["do"]
    unreadable = next(one for one in said if one["event"] == "refused")
    assert (unreadable["code"], unreadable["values"]["text"]) == ("meridians-no-point", "zz")


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


def test_advice_may_come_from_a_player_of_ones_own(play, tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    args = (*SMALL[:3], "--seed", "1", "--code", "own.py", "--against", "Wise")
    _, out, _ = play("?2\n2\n", *args, "--hints", "Wise")
    assert "  1  a1  70 % to win, looking 1 ply ahead" in out
    assert "ply  0  you (light, o): a2\nply  1  Wise (dark, x): e2" in out
    _, out, _ = play("?\n", *args, "--hints", "Wise:good=false")
    assert "own.py:9: the player Wise:good=false fails: ZeroDivisionError" in out


@pytest.mark.slow
def test_on_a_terminal_boards_are_coloured_and_the_end_of_input_leaves(tmp_path, checkout):
    leader, follower = pty.openpty()
    environment = {
        **os.environ,
        "PYTHONPATH": str(checkout),
        "TERM": "xterm",
        "XDG_DATA_HOME": str(tmp_path),
    }
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "shutoko", "play", *SMALL]
    typed = [b"c1\n", b"\x04"]
    with subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=follower, env=environment
    ) as process:
        os.close(follower)
        shown = b""
        with suppress(OSError):  # the other side is closed
            while select.select([leader], [], [], 60)[0] and (part := os.read(leader, 4096)):
                shown += part
                if typed and shown.endswith(b"> "):
                    os.write(leader, typed.pop(0))
        process.kill()
    os.close(leader)
    assert typed == []
    assert b"\x1b[" in shown
    assert b"continue it with" in shown


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


def test_an_adjustment_is_a_ply_of_the_one_who_built(play):
    lines = "entrance\nentrance\nbuild P0 2 0\nadjust 100,-50\nquit\n"
    code, out, _ = play(
        lines, "tokyo-highway", "--engine", "none", "--players", "you,you", "--out", "a.jsonl"
    )
    record = read("a.jsonl")
    assert code == 0
    assert [(entry.by, next(iter(entry.do))) for entry in record.entries[2:]] == [
        (0, "build"),
        (0, "adjust"),
    ]
    assert "player 1 adjusts A-P1 at (100.0, -50.0)" in out
    assert true("a.jsonl", mode="rules")


def test_the_distance_left_out_is_in_the_middle_of_a_roads_reach():
    move = TableDisplay().read(position(), "build P0 3 180 junction")
    assert move.junction
    assert 80 < -move.at[0] < 110
    assert TableDisplay().read(position(), "exit P0 270").to[1] == pytest.approx(-109.4, abs=0.5)


def test_the_short_form_of_a_placement_can_be_typed():
    view = TableDisplay()
    for move in (
        Build("A-P0", (60.25, -80), 2),
        Build("A-P0", (-90, 0), 4, junction=True),
        Exit("A-P0", (0, -109.38)),
    ):
        assert view.read(position(), view.short(move)) == move
    for move in (Build("A-P0", (100, 0), 2, cars=()), Exit("A-P0", (0, -100.5), cars=())):
        assert view.short(move).endswith(" without cars")
        assert view._placement(position(), view.short(move)) == move
    entrance = Entrance((38.89, -38.89), 45.0)
    assert view.short(entrance) == "entrance 38.89,-38.89 45"
    assert view._placement(position(), view.short(entrance)) == entrance
    exact = Build("A-P0", (100, 0), 2, cars=())
    assert view.read(position(), view.short(exact)) == exact
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


def test_a_refusal_names_the_first_fault_and_why_tells_them_all(play):
    with pytest.raises(IllegalMoveError) as refused:
        TableDisplay().read(position(), "build P0 1 90 150")
    first, *others = refused.value.faults
    assert others
    assert refused.value.reason == f"{first}; and {len(others)} more"
    _, out, _ = play(
        "entrance\nbuild P0 1 90 150\nwhy build P0 1 90 150\nwhy build P0 2 30\nwhy\n",
        *ROAD,
        "--out",
        "a.jsonl",
    )
    assert "(why MOVE lists all of them)" in out
    assert f"it is illegal:\n{first}\nA-R1 " in out
    assert "it is legal; if it stands:\nyou build A-P1 of 2 discs at " in out
    assert "why needs a move" in out
    assert len(read("a.jsonl").entries) == 2


def test_the_plan_shows_pillars_the_last_road_and_what_is_offered(play):
    _, out, _ = play(
        "entrance\nbuild P0 2 0\n?2\nmoves\nsides\npieces\n", *ROAD, "--out", "a.jsonl"
    )
    table = game("tokyo-highway", engine="none").start()
    board = out[out.rindex("you (A) against random (B)") :]
    for mark in (
        "A0",
        "A1",
        "B0",
        "*",
        "(1)",
        "(2)",
        "A-R0: over free",
        "A-R1 from A-P0 to A-P1, 1.0 to 2.0 discs high",
    ):
        assert mark in board
    assert "from P1 (2 discs, at " in board
    assert "the table is empty" in TableDisplay().board(table, None).plain


def test_buildings_are_set_up_by_three_persons(play):
    lines = "entrance\n" * 3 + "building tower 300,300\nbuilding moon 1,1\n?\n1\n"
    args = (
        "tokyo-highway",
        "--seats",
        "3",
        "--engine",
        "none",
        "--players",
        "you,you,you",
        "--hints",
        "greedy",
    )
    _, out, _ = play(lines, *args)
    assert "set-up: type building KIND X,Y with one of block, cylinder, slab, tower" in out
    assert "player 3 sets the tower X0 at (300.0, 300.0)" in out
    assert "illegal: there is no building 'moon'" in out
    assert "off the middle of the table" in out
    assert "player 2 sets the " in out
