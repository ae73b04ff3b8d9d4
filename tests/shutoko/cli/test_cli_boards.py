"""`replay`, `verify` and `perft` for the games on boards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules import record as records
from shutoko.cli import main

OPENING = (
    Path(__file__).resolve().parents[3] / "assets" / "records" / "boards" / "thruway-opening.jsonl"
)


def run(capsys: pytest.CaptureFixture[str], *argv: object) -> tuple[int, str, str]:
    code = main([str(one) for one in argv])
    done = capsys.readouterr()
    return code, done.out, done.err


def test_replay_prints_a_line_a_ply_and_the_board_with_the_last_move_marked(capsys):
    code, out, _ = run(capsys, "replay", OPENING, "--ply", 5)
    lines = out.splitlines()
    assert code == 0
    assert lines[0].endswith("thruway, north against south, trade = false")
    assert lines[5] == "ply  4  north: f5-g5"
    assert "  6 . . . . o X o . . . ." in lines
    assert "  7 . . . . o X . . . . ." in lines
    assert lines[-1] == "unfinished: north (concrete, o) is to move"


@pytest.mark.parametrize(
    "option",
    [
        "--slots",
        "--recorded",
        "--labels",
        "--engine=none",
        "--png=x.png",
        "--film=x.gif",
        "--at-rest",
        "--close",
    ],
)
def test_replay_refuses_for_a_board_what_is_for_the_table(capsys, option):
    code, _, err = run(capsys, "replay", OPENING, option)
    assert code == 2
    assert f"{option.partition('=')[0]} is for games with pieces in space" in err


def test_a_picture_of_a_board_is_refused_for_the_table(capsys):
    code, _, err = run(capsys, "replay", OPENING.parents[1] / "two-cars.jsonl", "--svg", "x.svg")
    assert (code, "--svg is for games on a board" in err) == (2, True)


def altered(tmp_path: Path, ply: int, **changes: object) -> Path:
    lines = OPENING.read_text(encoding="utf-8").splitlines()
    lines[ply + 1] = json.dumps(json.loads(lines[ply + 1]) | changes)
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("changes", "code", "told"),
    [
        ({"do": "e5-f5"}, 1, "game.jsonl:4: ply 2: illegal: "),
        ({"do": "e5-z9"}, 2, "game.jsonl:4: ply 2: 'e5-z9' is not a move"),
        ({"do": {"build": {}}}, 2, "game.jsonl:4: ply 2: do must be the text of a move"),
        ({"by": 1}, 2, "game.jsonl:4: ply 2: seat 1 moves out of turn; seat 0 is to move"),
    ],
)
def test_a_ply_that_cannot_be_replayed_is_named_with_its_line(
    capsys, tmp_path, changes, code, told
):
    given, _, err = run(capsys, "replay", altered(tmp_path, 2, **changes))
    assert (given, told in err, err.count("\n")) == (code, True, 1), err


def test_verify_shares_what_is_true_and_names_what_is_not(capsys, tmp_path):
    assert run(capsys, "verify", OPENING)[0] == 0
    code, out, _ = run(
        capsys, "verify", altered(tmp_path, 3, got={"legal": True, "digest": "0" * 16})
    )
    assert (code, "game.jsonl:5: ply 3: digest: the record says 0000000000000000" in out) == (
        1,
        True,
    )
    code, out, _ = run(capsys, "verify", altered(tmp_path, 2, do="e5-f5", got={"legal": True}))
    assert (
        code,
        "game.jsonl:4: ply 2: the record says that the ply is legal; it is not: " in out,
    ) == (1, True)


def test_perft_splits_by_the_first_move_and_adds_up(capsys):
    code, out, _ = run(capsys, "perft", "meridians", "--size", 3, "--depth", 2, "--json")
    told = json.loads(out)
    assert (code, told["total"], len(told["split"])) == (0, 14 * 13, 14)
    assert list(told["split"]) == sorted(told["split"])


def test_perft_goes_on_from_moves(capsys):
    code, out, _ = run(
        capsys,
        "perft",
        "thruway",
        "--size",
        3,
        "--depth",
        1,
        "--moves",
        "a1-a2",
        "--option",
        "trade=false",
    )
    assert (code, out.splitlines()[-1].split()[:2]) == (0, ["total", "11"])


@pytest.mark.parametrize(
    ("argv", "code", "told"),
    [
        (["chess"], 2, "'chess' is not a game"),
        (["tokyo-highway"], 2, "the moves of tokyo-highway cannot be listed"),
        (["thruway", "--size", 2], 2, "thruway: size"),
        (["thruway", "--option", "trade"], 2, "write NAME=VALUE"),
        (["thruway", "--option", "size=4", "--option", "size=5"], 2, "is given twice"),
        (["thruway", "--option", "fast=true"], 2, "options: size, trade, ko, repetition, reserve"),
        (["thruway", "--depth", -1], 2, "a number of moves is 0 or more"),
        (["thruway", "--moves", "a1-c1"], 2, "a1-c1"),
        (["thruway", "--moves", "a1/b1"], 1, "'a1/b1' is illegal"),
    ],
)
def test_perft_tells_what_it_cannot_use(capsys, argv, code, told):
    given, _, err = run(capsys, "perft", *argv)
    assert (given, told in err) == (code, True), err


@pytest.mark.parametrize("command", ["play", "simulate --players random,random --out out"])
@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("thruway --ruleset fr", "--ruleset fr: this option is for tokyo-highway, not for thruway"),
        ("thruway --engine bullet", "--engine bullet: this option is for tokyo-highway, not for"),
        ("meridians --seats 3", "--seats 3: this option is for tokyo-highway, not for meridians"),
        ("tokyo-highway --size 4", "--size 4: this option is for meridians and thruway, not for"),
    ],
)
def test_an_option_that_a_game_does_not_have_is_named_as_it_was_typed(capsys, command, typed, told):
    code, _, err = run(capsys, *command.split(), *typed.split())
    assert code == 2
    assert err.startswith(f"shutoko: {told}")
    assert err.endswith("; leave it out\n")


def test_a_file_where_a_folder_is_wanted_is_no_missing_folder(capsys, tmp_path):
    file = tmp_path / "e.jsonl"
    file.touch()
    code, _, err = run(capsys, "rate", file)
    assert (code, err.partition("; ")[0]) == (2, f"shutoko: {file}: this is no folder")
    for out in (file, file / "more"):
        code, _, err = run(
            capsys, "simulate", "meridians", "--players", "random,random", "--out", out
        )
        assert code == 2
        assert err == (
            f"shutoko: {out}: a file of this name is in the way; name a folder for the records\n"
        )


def test_one_game_and_one_round_are_not_told_as_several(capsys, tmp_path):
    out = tmp_path / "g"
    words = ("simulate", "meridians", "--size", 4, "--players", "greedy,random", "--out", out)
    assert run(capsys, *words, "--games", 1)[1].endswith(f"\n1 game in {out}\n")
    assert records.read(out / "game-00000.jsonl").header.options == {"size": 4}
    told = run(capsys, *words, "--games", 2)[1]
    assert told.endswith(f"\n2 games in {out}\n")
    assert "; 1 whole round: " in told


def test_a_size_that_is_not_valid_is_no_slip_for_another(capsys):
    code, _, err = run(capsys, "play", "meridians", "--size", 0)
    assert code == 2
    assert "did you mean" not in err


def test_a_noted_game_that_cannot_be_analysed_is_named_with_what_can(capsys):
    noted = OPENING.parents[1] / "noted-by-hand.jsonl"
    code, _, err = run(capsys, "analyse", noted)
    assert code == 2
    assert err == (
        f"shutoko: {noted}: a game noted by hand has no exact places, and a search (analyse, "
        "hints, a batch) needs them; choose a game that was played in Shutoko\n"
    )
