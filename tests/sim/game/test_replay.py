"""Replaying, filling and verifying records through the command line: what people see, exit codes,
unusable input.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rules import record as records
from rules.record.replay import IllegalPlyError
from rules.record.verify import Report
from shutoko.cli import main
from sim.assets import asset
from sim.game import replay, verify as verify_module
from sim.game.attempts.hand import skill
from sim.game.ply import perform
from sim.game.sources import pose_source
from sim.game.verify import verify as verify_table
from sim.physics import engines
from sim.physics.engine import SettleParams
from sim.physics.statics import Failure

HEADER = {
    "record": "shutoko",
    "version": [1, 0],
    "game": "tokyo-highway",
    "players": ["north", "south"],
}
ENTRANCES = [
    {"ply": 0, "by": 0, "do": {"entrance": {"pillar": [0, -55], "toward": 270}, "car": 0.5}},
    {"ply": 1, "by": 1, "do": {"entrance": {"pillar": [0, 55], "toward": 90}, "car": 0.5}},
]
CROSSING = {
    "to_move": 0,
    "pillars": [
        {"id": "A-P0", "at": [-55, 0], "discs": 3},
        {"id": "B-P0", "at": [0, -55], "discs": 2},
        {"id": "B-P1", "at": [0, 55], "discs": 1},
    ],
    "roads": [{"id": "B-R0", "from": "B-P0", "to": "B-P1"}],
}
OVER = {
    "ply": 0,
    "by": 0,
    "do": {"build": {"from": "A-P0", "pillar": [55, 0], "discs": 2, "junction": False}},
}


def text(*lines: object) -> bytes:
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)


@pytest.fixture
def save(tmp_path: Path):
    def write(data: bytes | list[object], name: str = "game.jsonl") -> Path:
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else text(*data))
        return path

    return write


def game(*plies: object, **header: object) -> list[object]:
    return [HEADER | header, *plies]


def ply(**build: object) -> dict[str, object]:
    return {
        "ply": 0,
        "by": 0,
        "do": {"build": {"from": "A-P0", "pillar": [55, 0], "discs": 2, "junction": False} | build},
    }


@pytest.fixture
def ran(save, capsys):
    """Runs a command on a file: its exit code, output and errors."""

    def run(data: bytes | list[object], *command: str) -> tuple[int, str, str]:
        code = main([*command, str(save(data))])
        return code, *capsys.readouterr()

    return run


NONE = ("replay", "--engine", "none")
RULES = ("verify", "--mode", "rules")
SAID = {"legal": True, "paid": [{"to": 1, "grey": 2, "yellow": 0}], "crossings": []}
FELL = {**OVER, "got": {"legal": True, "fallen": ["A-C0"]}}
NO_PLY = {"legal": False, "faults": []}
FAR = ply(pillar=[150, 0], discs=5)
WRONG = "the record says that the ply is "
TOLD = [
    # why, command, ply by ply, further keys of the header, exit code, what is said, and in errors
    ("a line a ply with the reason for each crossing and what is left", NONE, [OVER], {}, 0,
     ["ply  0", "B-R0", "scores",
      "        left: north 9 cars, 28+3 discs, 14 roads; south 10, 30+3, 15\n"], []),
    ("a refusal names the first fault", NONE, [FAR], {}, 1, [],
     ["2 or 4 discs, not 5; and 2 more\n"]),
    ("a game that hangs on falls says so where others fall", NONE,
     [FELL, {**ply(discs=3), "ply": 1}], {"options": {"turn_end": "until_car"}}, 2, [], [
         "ply 1: north moves out of turn; south is to move; ",
         "the game depends on what fell in ply 0, and on geometry alone nothing falls: use repl",
     ]),
    ("a disagreement tells what differs by name", RULES, [{**OVER, "got": SAID}], {}, 1, [
        "ply 0: paid: the record says south gets 2 grey, the referee says nothing\n",
        "ply 0: crossings: the record says nothing, the referee says over B-R0 scores\n",
        ": 1 ply, rules: 2 disagreements\n",
    ], []),
    ("a ply that was taken back changes nothing (verify)", RULES,
     [{**ply(discs=5), "got": NO_PLY}, OVER], {}, 0, [], []),
    ("a ply that was taken back changes nothing (replay)", NONE,
     [{**ply(discs=5), "got": NO_PLY}, OVER], {}, 0, ["left: north 9 cars"], []),
    ("a legal ply recorded as illegal", RULES, [{**OVER, "got": NO_PLY}], {}, 1,
     [WRONG + "not legal; it is"], []),
    ("an illegal ply recorded as legal", RULES, [{**FAR, "got": {"legal": True}}], {}, 1,
     [f":2: ply 0: {WRONG}legal; it is not: "], []),
    ("an illegal ply without a verdict", RULES, [FAR], {}, 1, [":2: ply 0: illegal: "], []),
    ("an end that the game has not reached", RULES,
     [OVER, {"end": {"ranks": [[0], [1]], "reason": "all-cars-placed"}}], {}, 1,
     ["end: the record says all-cars-placed, but the game goes on"], []),
    ("other ranks than those of the game", RULES,
     [{"ply": 0, "by": 0, "do": "resign"}, {"end": {"ranks": [[0], [1]], "reason": "resigned"}}],
     {}, 1, ["end: the record says "], []),
    ("a claim that the referee does not share", RULES, [{**OVER, "claim": {"cars": 2}}], {}, 1,
     ["cars: the players claim 2, the referee says 1"], []),
    ("a game noted by hand needs no physics", ("verify",),
     [{**OVER, "observed": {"fallen": ["B-R0"]}}], {"observed": True}, 0, [], []),
    ("a pillar on a pillar", (*NONE, "--explain"), [ply(pillar=[0, 60])], {}, 1,
     ["overlaps pillar B-P1 by 15.00 mm"], [":2: ply 0: illegal:"]),
    ("too far", (*NONE, "--explain"), [FAR], {}, 1,
     ["short of the rim of A-P1", "2 or 4 discs, not 5"], [":2: ply 0: illegal:"]),
    ("a foreign base", (*NONE, "--explain"), [ply(discs=4, **{"from": "B-P1"})], {}, 1,
     ["B-P1 belongs to south"], [":2: ply 0: illegal:"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "plies", "header", "code", "says", "errors"),
    [pytest.param(*rest, id=why) for why, *rest in TOLD],
)
def test_what_a_command_says_of_a_game(command, plies, header, code, says, errors, ran):
    found, out, err = ran(game(*plies, start=CROSSING, **header), *command)
    assert found == code
    assert [text for text in says if text not in out] == [], out
    assert [text for text in errors if text not in err] == [], err
    assert err.count("\n") == bool(errors)


def test_what_everybody_has_left_fits_into_a_line_for_four_players(capsys):
    assert (
        main(["replay", "--recorded", "--ply", "20", str(asset("records", "four-players.jsonl"))])
        == 0
    )
    lines = [
        line for line in capsys.readouterr().out.splitlines() if line.startswith("        left: ")
    ]
    assert len(lines) == 21
    assert all(len(line) < 120 and line.count(";") == 3 for line in lines)


def test_a_build_that_statics_finds_out_of_balance_is_marked_where_poses_are_known(
    capsys, monkeypatch
):
    monkeypatch.setattr(
        "sim.game.stability.tipping", lambda before, after: Failure("A-R1", "A-P0.1", None, "tips")
    )
    says = "        by statics the build is out of balance, A-R1 tips on A-P0.1: it may fall\n"
    for how, times in ((["--recorded"], 3), (["--engine", "none"], 0)):
        main(["replay", *how, "--ply", "2", str(asset("records", "junction-exit.jsonl"))])
        assert capsys.readouterr().out.count(says) == times


def test_explain_and_json_and_the_error_tell_every_fault_of_a_refusal(save, ran):
    lines = game(FAR, start=CROSSING)
    assert ran(lines, *NONE, "--explain")[1].count("illegal: ") == 3
    told = json.loads(ran(lines, *NONE, "--json")[1])
    assert (told["ply"], len(told["faults"])) == (0, 3)
    with pytest.raises(IllegalPlyError) as refused:
        list(replay.steps(records.read(save(lines)), "none"))
    assert len(refused.value.faults) == 3


def test_a_table_that_never_comes_to_rest_cannot_be_verified(save, capsys, monkeypatch):
    hasty = SettleParams(quiet_speed=0.0, time_limit=0.02, patience=0.0)
    monkeypatch.setattr(
        verify_module, "pose_source", lambda name: replace(pose_source(name), params=hasty)
    )
    path = save(game(ENTRANCES[0]))
    assert main(["verify", str(path)]) == 2
    err = capsys.readouterr().err
    assert f"{path}:2: ply 0: " in err
    assert "never comes to rest" in err


def verified(path: Path, mode: str = "physics", engine: str | None = None) -> Report:
    return verify_table(records.read(path), mode, engine)


def test_verify_says_in_words_and_in_json_what_it_compared(save, ran):
    path, seen = save(game(*ENTRANCES)), game(OVER, start=CROSSING, observed=True)
    poses = path.with_name("poses.jsonl")
    records.write(replay.fill(records.read(path), "bullet"), poses)
    none = "legality, falls and events, on geometry alone; not poses: the record holds none"
    compared = [
        verified(path, "rules").compared,
        verified(poses, "rules").compared,
        verified(poses).compared,
        verified(poses, "exact").compared,
        verified(poses, engine="mujoco").compared,
    ]
    assert compared == [
        none,
        "legality, falls and events, by the poses of the record; not the poses: no engine ran",
        "legality, falls, events and poses, within 0.5 mm and 1 degree",
        "legality, falls, events, poses and digests, to the last bit",
        "legality, falls and events; not poses: another engine made them",
    ]
    assert "by what people saw; not falls or poses" in verified(save(seen, "seen.jsonl")).compared
    assert f"{path}: compared: {none}\n" in ran(game(*ENTRANCES), *RULES)[1]
    assert json.loads(ran(game(*ENTRANCES), *RULES, "--json")[1])["compared"] == none


def test_verify_compares_the_faults_of_illegal_plies_by_code_and_pieces(save):
    entry = ply(pillar=[0, 60])
    record = records.read(save(game(entry, start=CROSSING)))
    fresh = replay.judged(record, record.entries[0], replay.begin(record))
    faults = [
        {**fault.to_json(), "text": "in other words", "numbers": {}}
        for fault in fresh.verdict.faults
    ]
    assert faults
    first, *others = faults
    other = {**first, "pieces": ["B-P0"]}
    for told, agrees in (
        (faults, True),
        (others, False),
        ([other, *others], False),
        (["it overlaps"], True),
        ([], True),
    ):
        path = save(game({**entry, "got": {"legal": False, "faults": told}}, start=CROSSING))
        # a verdict that names no faults as data says nothing about them
        assert verified(path, "rules").ok is (agrees or not told)


def test_verify_compares_the_poses_of_failed_tries(save):
    hand = [{"piece": "A-R0", "shift": [0.0, 0.0, 40.0], "turn": [0.0, 40.0, 30.0]}]
    failed = {**ENTRANCES[0], "tries": [{"hand": hand, "got": {"built": False}}]}
    filled = replay.fill(records.read(save(game(failed))), "bullet")
    (entry,) = filled.entries
    assert not entry.tries[0]["got"]["built"]
    path = save(game(), "tries.jsonl")
    records.write(filled, path)
    assert verified(path).divergences == ()
    moved = {p: list(pose) for p, pose in entry.tries[0]["got"]["moved"].items()}
    piece = next(p for p in moved if p not in entry.tries[0]["got"]["fallen"])
    moved[piece][0] += 2.0
    tries = [{**entry.tries[0], "got": {**entry.tries[0]["got"], "moved": moved}}]
    records.write(replace(filled, entries=(replace(entry, tries=tries),)), path)
    (off,) = verified(path).divergences
    assert (off.piece, off.attempt, round(off.mm, 3)) == (piece, 1, 2.0)
    assert off.text.startswith(f"in try 1 {piece} settled 2.0000 mm")


def test_a_difference_at_a_close_call_is_a_remark(save):
    filled = replay.fill(records.read(save(game(*ENTRANCES))), "bullet")
    first = filled.entries[0]
    moved = {p: list(pose) for p, pose in first.got["moved"].items()}
    moved["A-P0.1"][0] += 2.0
    close = {"starts": 8, "differs": 3, "pieces": ["A-C0"]}
    path = save(game(), "close.jsonl")
    for got, ok in (
        ({}, False),
        ({"close": close}, True),
        ({"close": {**close, "differs": 0}}, False),
    ):
        entry = replace(first, got={**first.got, "moved": moved, "fallen": ["A-C0"], **got})
        records.write(replace(filled, entries=(entry, *filled.entries[1:])), path)
        report = verified(path)
        assert report.ok is ok
        told = [remark.text for remark in report.remarks]
        assert any("A-P0.1 settled 2.0000 mm" in line for line in told) is ok
        assert all(
            line.startswith("a close call (3 of 8 equal tries end otherwise): ") for line in told
        )
    assert not verified(path, "exact").ok


def test_replay_json_has_one_object_a_ply_freshly_judged(ran):
    code, out, _ = ran(game(*ENTRANCES), *NONE, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (code, [line["ply"] for line in lines]) == (0, [0, 1])
    assert Path(lines[0]["file"]).name == "game.jsonl"
    assert lines[0]["do"] == ENTRANCES[0]["do"]
    assert (lines[0]["got"]["legal"], lines[0]["got"]["placed"]) == (True, 1)


def test_a_file_cut_off_in_its_last_line_is_read_with_a_warning(ran):
    code, out, err = ran(text(*game(*ENTRANCES))[:-20], *NONE)
    assert (code, "game.jsonl:3" in err, "ply  0" in out, "ply  1" in out) == (0, True, True, False)


def test_fill_never_writes_in_place(save):
    path = save(game(OVER, start=CROSSING))
    before = path.read_bytes()
    assert main([*RULES, "--fill", "--out", str(path), str(path)]) == 2
    assert main([*RULES, "--fill", str(path)]) == 0
    assert path.with_name("game.filled.jsonl").exists()
    assert path.read_bytes() == before


def test_where_other_pieces_fall_than_recorded_the_usual_payment_is_made(save):
    paid = {**OVER, "pay": [{"to": 1, "grey": 0, "yellow": 1}]}
    (step,) = replay.steps(records.read(save(game(paid, start=CROSSING))), "none")
    assert step.verdict.legal
    assert step.verdict.paid == ()


def test_physics_verifies_what_physics_filled_and_exact_needs_the_same_physics(ran, tmp_path):
    filled = tmp_path / "filled.jsonl"
    assert ran(game(*ENTRANCES), "verify", "--fill", "--out", str(filled))[0] == 0
    for mode in ("rules", "physics", "exact"):
        assert main(["verify", "--mode", mode, str(filled)]) == 0
    lines = [json.loads(line) for line in filled.read_text().splitlines()]
    lines[1]["got"]["moved"]["A-R0"][0] += 3.0
    code, out, _ = ran(lines, "verify")
    assert (code, "A-R0 settled 3.0" in out) == (1, True)
    lines[0]["physics"]["version"] = "0.0"
    code, _, err = ran(lines, "verify", "--mode", "exact")
    assert (code, "its version is '0.0'" in err) == (2, True)


def test_branching_cuts_a_record_before_a_ply(save):
    record = records.read(save(game(*ENTRANCES)))
    assert len(replay.branch(record, 1).entries) == 1
    with pytest.raises(ValueError, match="plies 0 to 1"):
        replay.branch(record, 5)


PUT_BACK = Path(__file__).parents[2] / "data" / "car-put-back.jsonl"


def test_a_record_says_where_a_car_stands_that_was_put_back():
    """The hand lets the car go beside the road; put back by its owner it stands elsewhere than the
    placement says.
    """
    record = records.read(PUT_BACK)
    assert verify_table(record, "rules").ok
    (entry,) = record.entries
    silent = replace(entry, got={key: value for key, value in entry.got.items() if key != "x-cars"})
    report = verify_table(replace(record, entries=(silent,)), "rules")
    assert "digest" in [mismatch.what for mismatch in report.mismatches]
    (step,) = replay.trusted(record)
    assert step.verdict.got()["x-cars"] == entry.got["x-cars"]


def test_what_a_ply_made_with_physics_writes_down_is_enough_to_follow_it():
    record = records.read(PUT_BACK)
    (step,) = replay.trusted(record)
    made = perform(
        step.before, step.placement, 0, engines.default(), skill("clumsy"), np.random.default_rng(2)
    )
    followed = replace(record, entries=(made.entry,))
    assert verify_table(followed, "rules").ok
    assert [step.after.digest() for step in replay.trusted(followed)] == [made.after.digest()]


@pytest.mark.parametrize("redo", [0, 1])
def test_a_build_undone_as_the_hand_touched_a_building_can_be_followed(redo, save):
    """Nothing else comes of it."""
    at = {"A-P0": [0, 0], "B-P0": [0, 400]}
    start = {
        "pillars": [{"id": name, "at": spot, "discs": 1} for name, spot in at.items()],
        "buildings": [{"id": "X0", "kind": "tower", "at": [300, 0]}],
    }
    hand = [{"path": {"points": [[220, 0, 20], [300, 0, 20]], "speed": 100}}]
    script = {**ply(pillar=[105, 0]), "hand": hand}
    script |= {"tries": [{"hand": hand}], "hand": []} if redo else {}
    options = {"hand_on_building": "redo", "redo": redo}
    path = save(game(script, ruleset="kr", options=options, start=start))
    filled = replay.fill(records.read(path), engines.default())
    (entry,) = filled.entries
    told = entry.tries[0]["got"] if redo else entry.got
    assert (told["built"], told["fallen"], told["x-touched"]) == (False, [], ["X0"])
    assert entry.got.get("built", True) is bool(redo)
    assert all(verify_table(filled, mode).ok for mode in ("rules", "exact"))


JUNK = [
    *(("x-cars", junk) for junk in ("0.5", [2], [{"along": 0.5, "up": 1}])),
    *(("x-touched", junk) for junk in ("X0", [0], ["A-P0"], {"X0": 1})),
]


@pytest.mark.parametrize(("key", "junk"), JUNK)
def test_places_of_cars_and_touched_buildings_that_cannot_be_are_told_with_file_and_line(
    key, junk, ran
):
    *lines, last = map(json.loads, PUT_BACK.read_text(encoding="utf-8").splitlines())
    last["got"][key] = junk
    code, _, err = ran([*lines, last], *RULES)
    assert (code, f"game.jsonl:2: ply 0: got.{key}" in err) == (2, True)
