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
