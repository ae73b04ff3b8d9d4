"""What `sim` offers directly: tables, verdicts and replays of Tokyo Highway that print for
people.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import rules
import sim
from rules.errors import NotationError
from sim import referee
from sim.game import replay

RECORDS = Path(__file__).resolve().parents[2] / "assets" / "records"


def test_a_verdict_prints_the_sentences_that_explain_it():
    table = sim.Table.start()
    placement = table.default_entrance(0)
    verdict, _ = sim.play(table, placement, engine="none")
    assert str(verdict) == "\n".join(
        str(reason) for reason in sim.explain(table, placement, verdict)
    )
    assert repr(verdict) == "<Verdict legal, built, cars placed: 1, pieces fallen: 0>"


def test_a_refusal_prints_a_line_for_each_fault():
    table = sim.Table.start()
    verdict, _ = sim.play(table, sim.Build(base="A-P0", at=(28, 36), discs=2), engine="none")
    assert str(verdict).splitlines() == [f"illegal: {fault.text}" for fault in verdict.faults]
    assert repr(verdict) == f"<Verdict illegal: {verdict.refusal}>"


def test_a_verdict_that_knows_no_table_prints_in_short():
    assert str(sim.Verdict(legal=True)) == "legal, nothing to build"
    assert (
        str(sim.Verdict(True, last=referee.AttemptResult(True, cars=("A-C1", "A-C2"))))
        == "legal, and it stands; 2 cars placed (A-C1 and A-C2)"
    )
    assert str(sim.Verdict(False, (sim.Fault("game-over"),))) == "illegal: the game is over"


def test_a_table_prints_seats_stocks_and_roads_with_their_free_sides():
    table = sim.Table.start()
    _, table = sim.play(table, table.default_entrance(0), engine="none")
    assert str(table).splitlines() == [
        "Tokyo Highway, entrances: B to move",
        "A has 29 grey and 3 yellow discs, 14 roads and 9 cars left",
        "B has 30 grey and 3 yellow discs, 15 roads and 10 cars left",
        "A-P0: 1 disc at (0.0, -55.0)",
        "A-R0: over free, under free",
    ]
    assert repr(table) == (
        "<Table of 2 players, entrances, seat 1 to move, 1 pillars, 1 roads, 1 cars, "
        f"{table.digest()}>"
    )


def test_a_position_takes_the_text_of_a_placement_and_prints_as_its_table():
    start = rules.game("tokyo-highway", engine="none").start()
    placement = start.table.default_entrance(0)
    assert start.after(str(placement)).digest() == start.after(placement).digest()
    assert str(start) == str(start.table)
    with pytest.raises(NotationError):
        start.after("d4")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["junction-exit", "knock", "noted-by-hand"])
def test_a_record_is_played_again_on_its_own_poses_without_an_engine(name):
    record = rules.record.read(RECORDS / f"{name}.jsonl")
    steps, trusted = list(rules.replay(RECORDS / f"{name}.jsonl")), list(replay.trusted(record))
    assert [step.ply for step in steps] == [entry.ply for entry in record.entries]
    for step, same in zip(steps, trusted, strict=True):
        assert (step.move, step.before.table) == (same.placement, same.before)
        assert (step.got(), step.attempts) == (same.got(), same.attempts)
    told = sim.explain(*[getattr(trusted[3], key) for key in ("before", "placement", "verdict")],
                       record.header.players)  # fmt: skip
    assert str(steps[3]) == f"ply  3  {'; '.join(reason.text for reason in told)}"


def test_the_public_names_are_those_that_are_listed():
    assert sorted(sim.__all__) == dir(sim)
