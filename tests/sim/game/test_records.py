"""The shipped records: they read, are canonical, verify, and show what assets/records/README.md
says of them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rules import record as records
from rules.record.verify import verify
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.game.rest import MOST, at_rest
from sim.game.verify import verify as verify_table
from sim.physics import engines
from sim.physics.neighbours import overlaps
from sim.referee.placement import Build, Exit, Resign
from sim.referee.standing import letter
from tools import golden

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "assets" / "records"
# a worked example without `got` and with a wrong claim: not one of those below
NOTED = FOLDER / "noted-by-hand.jsonl"
BOARDS = sorted((FOLDER / "boards").glob("*.jsonl"))
TABLES = [*sorted(FOLDER.glob("*.jsonl")), *sorted((FOLDER / "scenarios").glob("*.jsonl"))]
FILES = [path for path in TABLES if path != NOTED]
GAMES = [path for path in FILES if path.parent == FOLDER]
SCENARIOS = [path for path in FILES if path.parent.name == "scenarios"]
VECTORS = {
    v["name"]: v
    for v in json.loads((ROOT / "tests/data/crossings.json").read_text(encoding="utf-8"))["vectors"]
}


def name_of(path: Path) -> str:
    return path.relative_to(FOLDER).with_suffix("").as_posix()


@pytest.fixture(scope="module")
def steps_of():
    """The steps of a shipped game, each judged from the record's own poses; kept, for several tests
    ask.
    """
    kept: dict[str, list[replay.Step]] = {}

    def steps(name: str) -> list[replay.Step]:
        if name not in kept:
            kept[name] = list(replay.trusted(records.read(FOLDER / f"{name}.jsonl")))
        return kept[name]

    return steps


def branches(step: replay.Step) -> bool:
    placement = step.placement
    if not isinstance(placement, (Build, Exit)):
        return False
    pillar = step.before.pillar_by_id[placement.base]
    return pillar.junction and step.before.leaving(pillar) == 1


def is_junction(step: replay.Step) -> bool:
    return isinstance(step.placement, Build) and step.placement.junction


def scoring(step: replay.Step, side: str) -> int:
    return sum(crossing.scores and crossing.side == side for crossing in step.verdict.crossings)


# --- every record ---------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*FILES, *BOARDS], ids=name_of)
def test_a_shipped_record_is_canonical_and_judged_throughout(path):
    data = path.read_bytes()
    record = records.loads(data)
    assert records.dumps(record) == data
    assert not record.warnings
    assert all(entry.got is not None for entry in record.entries)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_shipped_record_verifies_by_the_rules(path):
    report = verify_table(records.read(path), "rules")
    assert report.ok, report


@pytest.mark.parametrize("path", BOARDS, ids=name_of)
def test_a_shipped_game_on_a_board_verifies(path):
    report = verify(records.read(path))
    assert report.ok, report
    assert report.plies == len(records.read(path).entries) > 0


def test_every_record_has_its_line_in_the_readme():
    told = re.findall(
        r"^- `([^`]+\.jsonl)`: \S", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert told == [path.relative_to(FOLDER).as_posix() for path in (*TABLES, *BOARDS)]


@pytest.mark.parametrize("path", GAMES, ids=name_of)
def test_a_shipped_game_is_played_to_its_legal_end_and_names_its_physics(path):
    record = records.read(path)
    assert record.end is not None
    assert record.end.reason == "all-cars-placed"
    assert record.header.physics is not None
    assert set(record.header.physics) == {"engine", "version", "params", "platform"}
    assert all(
        "moved" in entry.got
        for entry in record.entries
        if isinstance(entry.do, dict) and "pass" not in entry.do and "building" not in entry.do
    )


# --- what each game shows -------------------------------------------------------------------------


def test_two_cars_is_a_clean_win_with_a_turn_that_earns_two(steps_of):
    steps = steps_of("two-cars")
    assert any(isinstance(step.placement, Build) and len(step.verdict.cars) == 2 for step in steps)
    assert not any(step.verdict.falls or step.verdict.paid for step in steps)
    last = steps[-1]
    assert last.after.stocks[last.before.to_move].cars == 0
    assert last.after.outcome().winners == (last.before.to_move,)


def test_knock_has_three_fallen_pieces_paid_with_a_yellow_disc_and_put_back(steps_of):
    steps = steps_of("knock")
    (knock,) = [step for step in steps if step.verdict.paid]
    seat, victim = knock.before.to_move, 1 - knock.before.to_move
    assert len(knock.verdict.fallen) >= 3
    assert {piece[0] for piece in knock.verdict.fallen} == {letter(victim)}
    assert sum(payment.yellow for payment in knock.verdict.paid) >= 1
    assert sum(payment.total for payment in knock.verdict.paid) == len(knock.verdict.fallen)
    assert any("path" in item for item in knock.entry.hand)
    for piece in knock.verdict.fallen:  # restoring: bit for bit where it stood
        assert knock.after.poses[piece] == knock.before.poses[piece]
    before, after = knock.before.stocks, knock.after.stocks
    assert after[victim].yellow + after[victim].grey == before[victim].yellow + before[
        victim
    ].grey + len(knock.verdict.fallen)
    assert after[seat].yellow < before[seat].yellow
    assert steps[-1].after.outcome() is not None
    assert steps[-1] is not knock


def test_knock_has_a_road_that_slipped_and_then_stood(steps_of):
    (tried,) = [step for step in steps_of("knock") if step.entry.tries]
    assert not tried.attempts[0].built
    assert tried.attempts[-1].built
    assert tried.verdict.built


def test_junction_exit_has_a_junction_its_branch_a_crossing_under_and_an_exit_that_wins(steps_of):
    steps = steps_of("junction-exit")
    winner = steps[-1].before.to_move
    own = [step for step in steps if step.before.to_move == winner]
    assert any(is_junction(step) for step in own)
    assert any(branches(step) for step in own)
    assert any(scoring(step, "under") for step in own)
    assert isinstance(own[-1].placement, Exit)
    assert own[-1].after.outcome().winners == (winner,)


def test_three_players_has_buildings_a_branch_and_an_exit_that_crosses(steps_of):
    steps = steps_of("three-players")
    assert steps[0].before.turns.seats == 3
    assert len(steps[-1].after.buildings) == 3
    assert any(branches(step) for step in steps)
    assert any(
        isinstance(step.placement, Exit) and scoring(step, "over") + scoring(step, "under")
        for step in steps
    )


@pytest.mark.slow
def test_four_players_has_a_rescue_by_a_penalty_an_elimination_and_ranks_for_all(steps_of):
    steps = steps_of("four-players")
    rescued = [
        payment.to
        for step in steps
        for payment in step.verdict.paid
        if step.before.unable(payment.to)
        and step.before.turns.misses[payment.to]
        and not step.after.unable(payment.to)
    ]
    assert rescued
    built_after = [
        s for s in steps if s.before.to_move in rescued and isinstance(s.placement, Build)
    ]
    assert built_after[-1].entry.ply > next(step.entry.ply for step in steps if step.verdict.paid)
    outs = [seat for step in steps for seat in step.verdict.out]
    assert outs
    assert not any(isinstance(step.placement, Resign) for step in steps)
    outcome = steps[-1].after.outcome()
    assert [len(group) for group in outcome.ranks] == [1, 1, 1, 1]
    assert len(steps[-1].after.turns.finished) >= 2


# --- scenarios ------------------------------------------------------------------------------------


def test_there_is_a_scenario_for_every_vector():
    assert sorted(path.stem for path in SCENARIOS) == sorted(name.split()[0] for name in VECTORS)


@pytest.mark.parametrize("name", list(VECTORS), ids=[name.split()[0] for name in VECTORS])
def test_a_scenario_says_what_its_vector_says(name):
    vector = VECTORS[name]
    entry = records.read(FOLDER / "scenarios" / f"{name.split()[0]}.jsonl").entries[-1]
    assert entry.by == 0
    assert entry.note.startswith(name)
    assert entry.got["legal"] is vector["legal"]
    if vector["legal"]:
        default = next(case["cars"] for case in vector["cars"] if not case["options"])
        assert entry.got["cars"] == entry.claim["cars"] == default + vector.get("exit", False)


# --- physics --------------------------------------------------------------------------------------


def needs_bullet() -> None:
    if "bullet" not in engines.available():
        pytest.skip("the shipped games were settled by Bullet, which is not installed")


def as_if_elsewhere(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command under another hash seed, and with the linear algebra that numpy would have on an
    old processor.
    """
    return subprocess.run(
        [sys.executable, "-m", "shutoko", *arguments],
        env={
            **os.environ,
            "PYTHONHASHSEED": "1",
            "OPENBLAS_CORETYPE": "Nehalem",
            "PYTHONPATH": str(ROOT),
        },
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["knock", "two-cars", "junction-exit"])
def test_a_shipped_game_verifies_exactly_under_another_hash_seed_and_linear_algebra(name):
    needs_bullet()
    physics = records.read(FOLDER / f"{name}.jsonl").header.physics
    made_by = (
        json.loads((golden.FOLDER / "bullet.json").read_text(encoding="utf-8"))["platform"],
        physics,
    )
    here = golden.here(), replay.physics_header("bullet")
    # a library that rounds otherwise may let a road that lies on an edge roll the other way
    if made_by != here:
        pytest.skip(
            f"the golden digests and {name} were made by {made_by}, this is {here}: other bits are "
            "no fault"
        )
    done = as_if_elsewhere("verify", f"assets/records/{name}.jsonl", "--mode", "exact")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


# benchmarks/shipped.py repeat replays whole games twenty times
@pytest.mark.slow
def test_replays_in_a_row_leave_identical_tables():
    needs_bullet()
    scenario = records.read(FOLDER / "scenarios" / "V3.jsonl")
    digests = {
        tuple(step.after.digest() for step in replay.steps(scenario, "bullet")) for _ in range(5)
    }
    assert len(digests) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["junction-exit", "knock", "three-players", "two-cars"])
def test_a_game_goes_the_same_way_on_geometry_alone_as_far_as_cars_and_turns(name):
    record = records.read(FOLDER / f"{name}.jsonl")
    plain = [
        (step.entry.ply, step.before.to_move, len(step.verdict.spots))
        for step in replay.steps(record, "none")
    ]
    assert plain == [
        (step.entry.ply, step.before.to_move, len(step.verdict.spots))
        for step in replay.trusted(record)
    ]


@pytest.mark.parametrize(
    "name", ["two-cars", "knock", "junction-exit", "three-players", "four-players"]
)
def test_the_pieces_of_a_shipped_table_are_not_inside_each_other(steps_of, name: str):
    assert overlaps(bodies(steps_of(name)[-1].after), MOST) == []


@pytest.mark.slow
@pytest.mark.parametrize("engine", engines.available())
@pytest.mark.parametrize(
    "name", ["two-cars", "knock", "junction-exit", "three-players", "four-players"]
)
def test_a_shipped_table_lies_still_when_it_is_settled_again(steps_of, name: str, engine: str):
    found = at_rest(steps_of(name)[-1].after, engines.engine(engine))
    assert max(mm for mm, _ in found.moves.values()) <= MOST, found
