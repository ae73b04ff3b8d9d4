"""`replay`, `verify`, `perft`, `simulate` and `play` for the games on boards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules import record as records
from sim.assets import asset

OPENING = asset("records", "boards", "thruway-opening.jsonl")


def test_replay_prints_a_line_a_ply_and_the_board_with_the_last_move_marked(run):
    lines = run("replay --ply 5", OPENING).out.splitlines()
    assert lines[0].endswith("thruway, north against south, trade = false")
    assert lines[5] == "ply  4  north: f5-g5"
    assert {"  6 . . . . o X o . . . .", "  7 . . . . o X . . . . ."} <= {*lines}
    assert lines[-1] == "unfinished: north (concrete, o) is to move"


@pytest.mark.parametrize(
    ("words", "ply", "changes", "code", "told"),
    [
        ("replay", 2, {"do": "e5-f5"}, 1, "game.jsonl:4: ply 2: illegal: "),
        ("replay", 2, {"do": "e5-z9"}, 2, "game.jsonl:4: ply 2: 'e5-z9' is not a move"),
        ("replay", 2, {"do": {"build": {}}}, 2, "game.jsonl:4: ply 2: do must be the text of a m"),
        ("replay", 2, {"by": 1}, 2, "game.jsonl:4: ply 2: seat 1 moves out of turn; seat 0 is to"),
        ("verify", 2, {}, 0, "the referee agrees with everything recorded"),
        (
            *("verify", 3, {"got": {"legal": True, "digest": "0" * 16}}, 1),
            "game.jsonl:5: ply 3: digest: the record says 0000000000000000",
        ),
        (
            *("verify", 2, {"do": "e5-f5", "got": {"legal": True}}, 1),
            "game.jsonl:4: ply 2: the record says that the ply is legal; it is not: ",
        ),
    ],
)
def test_a_ply_that_is_not_true_is_named_with_its_line(run, words, ply, changes, code, told):
    lines = OPENING.read_text(encoding="utf-8").splitlines()
    lines[ply + 1] = json.dumps(json.loads(lines[ply + 1]) | changes)
    Path("game.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")
    out, err = run(f"{words} game.jsonl", code=code)
    assert told in (out if words == "verify" else err)
    assert err.count("\n") == (words == "replay")


def test_perft_splits_by_the_first_move_and_adds_up_and_goes_on_from_moves(run):
    told = json.loads(run("perft meridians --size 3 --depth 2 --json").out)
    assert (told["total"], len(told["split"])) == (14 * 13, 14)
    assert list(told["split"]) == sorted(told["split"])
    out = run("perft thruway --size 3 --depth 1 --moves a1-a2 --option trade=false").out
    assert out.splitlines()[-1].split()[:2] == ["total", "11"]


def test_one_game_and_one_round_are_not_told_as_several(run):
    words = "simulate meridians --size 4 --players greedy,random --out g --games"
    assert run(f"{words} 1").out.endswith("\n1 game in g\n")
    assert records.read("g/game-00000.jsonl").header.options == {"size": 4}
    told = run(f"{words} 2").out
    assert told.endswith("\n2 games in g\n")
    assert "; 1 whole round: " in told


def test_a_size_that_is_not_valid_is_no_slip_for_another(run):
    assert "did you mean" not in run("play meridians --size 0", code=2).err
