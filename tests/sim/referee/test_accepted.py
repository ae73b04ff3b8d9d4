"""What nobody noticed in time stands (KR 4.3): plies that people accepted, their faults told and
the game going on.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules import record as records
from rules.errors import RecordError
from rules.record import Entry, Header, Record
from sim import referee
from sim.game import replay
from sim.game.ply import Attempt, judge
from sim.game.sources import Observed
from sim.game.verify import verify as verify_table
from sim.referee.explain import explain
from sim.referee.placement import Pass, Placement
from sim.referee.table import Table
from sim.referee.verdict import Verdict
from tests.tables import ALONE, build, lay_out, stock

START = {
    "pillars": [
        {"id": "A-P0", "at": [0, 0], "discs": 1},
        {"id": "B-P0", "at": [0, 500], "discs": 1},
    ],
}
TOO_HIGH = {"build": {"from": "A-P0", "pillar": [105, 0], "discs": 3, "junction": False}}
NEXT = {"build": {"from": "B-P0", "pillar": [105, 500], "discs": 2, "junction": False}}
PLAYERS = ("north", "south")


def accept(table: Table, move: Placement) -> tuple[Verdict, Table]:
    verdict, after, _ = judge(table, move, [Attempt(Observed(()))], accepted=True)
    return verdict, after


def game(*entries: Entry, observed: bool = True) -> Record:
    return Record(Header("tokyo-highway", PLAYERS, start=START, observed=observed), entries)


HIGH = build("A-P0", 105, 0, 3)
STANDS = "against the rules, but noticed too late, so it stands (KR 4.3): "


@pytest.mark.rule("KR 4.3")
@pytest.mark.parametrize(
    ("move", "code", "discs", "says"),
    [
        (HIGH, "height", {"A-P1": 3}, STANDS + referee.before(lay_out(ALONE), HIGH)[0].text),
        (Pass(), "can-build", {}, "A misses the turn: nobody noticed that it could be played"),
    ],
)
def test_what_was_accepted_against_the_rules_stands_and_its_faults_are_told(
    move: Placement, code: str, discs: dict[str, int], says: str
) -> None:
    table = lay_out(ALONE)
    verdict, after = accept(table, move)
    assert ([fault.code for fault in verdict.faults], after.to_move) == ([code], 1)
    assert {one.id: one.discs for one in after.pillars[len(table.pillars) :]} == discs
    assert says in [str(line) for line in explain(table, move, verdict)]


@pytest.mark.parametrize(
    ("table", "move", "code"),
    [
        (lay_out(ALONE), build("A-P7", 105, 0, 2), "base-unknown"),
        (lay_out(ALONE, stocks=[stock(grey=1), stock()]), build("A-P0", 105, 0, 2), "stock-grey"),
        (lay_out(ALONE), build("A-P0", 1, 0, 2), "reach"),
        (Table.start(2), build("A-P0", 1, 0, 2), "phase"),
    ],
)
def test_what_cannot_stand_is_illegal_whoever_accepts_it(
    table: Table, move: Placement, code: str
) -> None:
    verdict, after = accept(table, move)
    assert not verdict.legal
    assert [fault.code for fault in verdict.faults] == [code]
    assert after is table


def test_a_filled_record_keeps_the_word_the_faults_and_its_canonical_bytes() -> None:
    entries = Entry(0, 0, TOO_HIGH, accepted=True, note="!"), Entry(1, 1, NEXT)
    data = records.dumps(replay.fill(game(*entries), "none"))
    line = json.loads(data.splitlines()[1])
    assert list(line) == ["ply", "by", "do", "got", "accepted", "note"]
    assert list(line["got"])[:3] == ["legal", "faults", "cars"]
    assert line["got"]["faults"][0]["code"] == "height"
    assert records.dumps(records.loads(data)) == data
    assert verify_table(records.loads(data), "rules").ok


@pytest.mark.parametrize(
    ("more", "observed", "why"),
    [
        ({}, False, "accepted is for games noted by hand"),
        ({"got": {"legal": False}}, True, "taken back"),
    ],
)
def test_accepted_is_refused_in_games_that_nobody_noted_by_hand_and_for_plies_taken_back(
    more: dict[str, Any], observed: bool, why: str
) -> None:
    entry = Entry(0, 0, TOO_HIGH, accepted=True, **more)
    with pytest.raises(RecordError, match=why):
        records.dumps(game(entry, observed=observed))
    data = records.dumps(game(Entry(0, 0, TOO_HIGH, accepted=True)))
    if not observed:  # nor can it be read
        with pytest.raises(RecordError, match=f":2: ply 0: {why}"):
            records.loads(data.replace(b',"observed":true', b""), "g.jsonl")
