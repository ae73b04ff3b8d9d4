"""Adjusting (FR 4.2, 4.3, KR the same): whoever built last puts pillar, road and cars right until
the build is frozen.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules import record as records
from rules.errors import NotationError
from rules.record import Entry, Header, Record
from shutoko.cli import main
from sim import referee
from sim.game import replay
from sim.game.verify import verify as verify_table
from sim.physics import engines
from sim.referee.explain import slots
from sim.referee.placement import Adjust, Offset, Placement
from sim.referee.table import Table
from tests.tables import ALONE, build, codes, exit_to, lay_out, play, plays, ply, stock

EXITS = {**ALONE, "B-P1": (200, 500, 1)}
MOVE = build("A-P0", 105, 0, 2)
CROSSED = {"A-P0": (-55, 0, 3), "B-P0": (0, -55, 2), "B-P1": (0, 55, 1)}
OVER = build("A-P0", 55, 0, 2)


def crossed(**more: Any) -> Table:
    return lay_out(CROSSED, {"B-R0": ("B-P0", "B-P1")}, **more)


SIDE, AWAY = Adjust(pillar=(0.0, 105.0)), Adjust(pillar=(-160.0, 0.0))
NEAR = (55.0, 3.0)


@pytest.mark.rule("FR 4.2", "KR 4.2")
def test_an_adjusted_pillar_stands_elsewhere_and_all_else_is_as_after_a_build_made_so() -> None:
    built = play(lay_out(ALONE), MOVE)
    adjusted = play(built, Adjust(pillar=(0.0, 105.0)))
    assert adjusted.digest() == play(lay_out(ALONE), build("A-P0", 0.0, 105.0, 2)).digest()
    assert adjusted.pillar_by_id["A-P1"].at == (0.0, 105.0)
    assert [road.id for road in adjusted.roads] == ["A-R0"]
    assert adjusted.to_move == 1


def test_an_adjustment_is_judged_from_the_table_before_the_ply_it_replaces() -> None:
    built, near = play(crossed(), OVER), Adjust(pillar=NEAR)
    assert ply(built, near).earned == 1  # the old road does not block its own side
    assert [car.id for car in play(built, near).cars] == ["A-C0"]
    away = play(built, AWAY)
    assert (ply(built, AWAY).earned, away.cars) == (0, ())
    assert away.stocks == play(crossed(), build("A-P0", -160, 0, 2)).stocks
    assert {*codes(built, Adjust(pillar=(300.0, 0.0)))} == {"reach"}


@pytest.mark.parametrize("memory", ["state", "history"])
def test_a_build_that_was_adjusted_away_has_taken_no_side(memory: str) -> None:
    """Rules 7d: it was not frozen yet, so it never was the first above B's road."""
    built = play(crossed(crossing_memory=memory), OVER)
    assert [taker.road for taker in slots(built)[0].over.takers] == ["A-R0"]
    away = play(built, AWAY)
    assert slots(away)[0].over.takers == ()
    assert slots(away)[0].over.free_for == (0,)


def test_only_what_is_named_changes() -> None:
    built = play(lay_out(ALONE), build("A-P0", 105, 0, 2, cars=[]))
    shifted = play(built, Adjust(road=Offset(slide=2.0)))
    assert shifted.roads[-1].slide == 2.0
    assert shifted.pillar_by_id["A-P1"] == built.pillar_by_id["A-P1"]
    moved = play(shifted, Adjust(pillar=(0.0, 105.0)))
    assert moved.roads[-1].slide == 2.0
    over = play(crossed(), OVER)
    assert play(over, Adjust(cars=())).cars == ()
    assert play(play(over, Adjust(cars=())), Adjust(pillar=(55.0, 1.0))).cars == ()


EXITED, ADJUSTABLE = play(lay_out(ALONE), exit_to("A-P0", 108, 0)), play(lay_out(ALONE), MOVE)
LATER = plays(lay_out(ALONE, may_pass=True), MOVE, "pass")
FRENCH = play(lay_out(EXITS, freeze="next_pillar"), MOVE)
TURN = "nothing to adjust: A-P1 is frozen since B's turn began (freeze = next_turn)"
PILLAR = "nothing to adjust: A-P1 is frozen since another player built a pillar (freeze = "
WON = play(crossed(stocks=[stock(cars=1), stock()], continue_after_win=False), OVER)


@pytest.mark.rule("KR 4.3", option="freeze", value="next_turn")
@pytest.mark.parametrize(
    ("table", "move", "why"),
    [
        pytest.param(EXITED, Adjust(pillar=(0.0, 108.0)), "is an exit", id="an exit's pillar"),
        pytest.param(ADJUSTABLE, Adjust(to=(0.0, 108.0)), "is no exit", id="the end of a build"),
        pytest.param(lay_out(ALONE), replace(SIDE, by=0),
                     "nothing to adjust: A has laid no road yet", id="nothing laid"),
        pytest.param(LATER, replace(SIDE, by=0), TURN, id="the next turn, and the next"),
        pytest.param(LATER, SIDE, TURN, id="by the seat to move"),
        pytest.param(play(FRENCH, build("B-P0", -105, 500, 2)), replace(SIDE, by=0),
                     f"{PILLAR}next_pillar)", id="another pillar"),
        pytest.param(WON, Adjust(pillar=(55.0, 1.0)), "the game is over", id="after the end"),
    ],
)  # fmt: skip
def test_what_is_frozen_or_was_never_laid_is_not_adjusted(
    table: Table, move: Placement, why: str
) -> None:
    (fault,) = referee.before(table, move)
    assert why in fault.text


def test_an_exit_is_adjusted_by_its_lower_end() -> None:
    assert play(EXITED, Adjust(to=(0.0, 108.0))).roads[-1].end == (0.0, 108.0)


@pytest.mark.rule("FR 4.3", option="freeze", value="next_pillar")
def test_a_build_outlives_an_exit_and_a_pass_and_is_frozen_by_a_pillar() -> None:
    exited = play(FRENCH, exit_to("B-P1", 310, 500))
    after = play(exited, replace(SIDE, by=0))
    assert after.pillar_by_id["A-P1"].at == (0.0, 105.0)
    assert {road.id for road in after.roads} == {"A-R0", "B-R0"}
    assert (after.to_move, after.stocks) == (0, exited.stocks)
    assert after.adjustable() == ("B-R0", "B-C0", "A-P1", "A-R0")
    other = play(after, Adjust(to=(308.0, 500.0), by=1))  # and the exit, too
    assert other.road_by_id["B-R0"].end == (308.0, 500.0)


def test_a_build_adjusted_after_an_exit_gives_its_cars_back_and_counts_once() -> None:
    table = lay_out(
        {**CROSSED, "B-P2": (300, 300, 1)}, {"B-R0": ("B-P0", "B-P1")}, freeze="next_pillar"
    )
    exited = plays(table, OVER, exit_to("B-P2", 410, 300))
    again, away = (play(exited, replace(one, by=0)) for one in (Adjust(pillar=NEAR), AWAY))
    gold = plays(table, build("A-P0", 55, 0, 5, True), exit_to("B-P2", 410, 300))
    assert play(gold, Adjust(pillar=NEAR, by=0)).stocks == gold.stocks
    assert (again.stocks, again.turns.ply) == (exited.stocks, exited.turns.ply + 1)
    assert [[car.id for car in one.cars] for one in (exited, away)] == [["A-C0", "B-C0"], ["B-C0"]]
    assert away.stocks[0] == replace(exited.stocks[0], cars=exited.stocks[0].cars + 1)


def test_after_an_exit_in_between_an_adjustment_is_judged_on_the_table_with_that_exit() -> None:
    built = play(lay_out({**ALONE, "B-P1": (105, 100, 1)}, freeze="next_pillar"), MOVE)
    exited = play(built, exit_to("B-P1", 0, 100))
    assert referee.before(built, Adjust(pillar=(0.0, 105.0), by=0)) == ()
    assert referee.before(exited, Adjust(pillar=(0.0, 105.0), by=0))


def test_what_adjusting_fells_is_paid_on_top_of_what_was_paid() -> None:
    again = (Adjust(pillar=(55.0, 2.0)), "B-R0", "B-P1.1")
    paid = [plays(crossed(), *some).stocks for some in ([(OVER, "B-R0")], [(OVER, "B-R0"), again])]
    assert [(mine.grey, theirs.grey) for mine, theirs in paid] == [(17, 21), (15, 23)]


def test_the_turn_follows_from_the_adjusted_build() -> None:
    tables = [play(crossed(turn_end="until_car"), OVER)]
    for move in (AWAY, Adjust(pillar=(55.0, 0.0))):  # no car was placed: the turn goes on
        tables.append(play(tables[-1], move))
    assert [table.to_move for table in tables] == [1, 0, 1]


def test_a_win_can_be_adjusted_away_while_others_play_on() -> None:
    table = crossed(stocks=[stock(cars=1), stock(), stock()], players=3)
    assert play(table, OVER).turns.finished == ((0,),)
    assert plays(table, OVER, AWAY).turns.finished == ()


def test_a_late_adjustment_that_wins_passes_the_turn_on_only_if_that_seat_has_it() -> None:
    stocks = [stock(cars=1), stock(), stock()]
    table = lay_out(
        {**CROSSED, "B-P2": (300, 300, 1)},
        {"B-R0": ("B-P0", "B-P1")},
        players=3,
        stocks=stocks,
        freeze="next_pillar",
        may_pass=True,
    )
    exited = plays(table, build("A-P0", -160, 0, 2), exit_to("B-P2", 410, 300))
    for before, to_move in ((exited, 2), (play(exited, "pass"), 1)):
        won = play(before, Adjust(pillar=(55.0, 3.0), by=0))
        assert (won.turns.finished, won.to_move, won.turns.ply) == (
            ((0,),),
            to_move,
            before.turns.ply + 1,
        )


def test_an_adjustment_does_not_change_the_digest_of_what_can_be_gone_on_with() -> None:
    built = play(lay_out(ALONE), MOVE)
    assert built.digest() == replace(built, lasts=()).digest()
    french = play(lay_out(ALONE, freeze="next_pillar"), MOVE)
    assert french.digest() != replace(french, lasts=()).digest()


def test_an_adjustment_is_told_with_the_place_and_then_as_the_build_that_it_is() -> None:
    told = str(ply(play(crossed(), OVER), Adjust(pillar=NEAR))).splitlines()
    assert (
        told[0] == "A adjusts A-P1 at (55.0, 3.0); it is judged as if it had been built like that"
    )
    assert any("B-R0" in line for line in told)


# --- in text and in records -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '{"adjust":{"pillar":[1,2.5]}}',
        '{"adjust":{"to":[1,2],"cars":[0.5]}}',
        '{"adjust":{"pillar":[1,2],"road":{"slide":2},"cars":[]}}',
        '{"adjust":{"road":{}}}',
    ],
)
def test_its_text_is_canonical(text: str) -> None:
    assert str(Placement.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"adjust":{}}', "changes nothing"),
        ('{"adjust":{"discs":3}}', "unknown key 'discs'"),
        ('{"adjust":{"pillar":[1]}}', "two numbers"),
        ('{"adjust":{"cars":[2]}}', "from 0 to 1"),
        ('{"adjust":{"pillar":[1,2]},"cars":[]}', "unknown key 'cars'"),
    ],
)
def test_what_is_no_adjustment_is_told(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        Placement.parse(text)


START = {
    "pillars": [
        {"id": "A-P0", "at": [0, 0], "discs": 1},
        {"id": "B-P0", "at": [0, 500], "discs": 1},
    ]
}


def game(*plies: tuple[int, object]) -> Record:
    entries = tuple(Entry(n, by, do) for n, (by, do) in enumerate(plies))
    return Record(Header("tokyo-highway", ("north", "south"), start=START), entries)


BUILT = (0, {"build": {"from": "A-P0", "pillar": [105, 0], "discs": 2, "junction": False}})
SOUTH = (1, {"build": {"from": "B-P0", "pillar": [105, 500], "discs": 2, "junction": False}})


def test_a_record_with_an_adjustment_fills_verifies_and_keeps_its_bytes(
    tmp_path: Path, capsys
) -> None:
    filled = replay.fill(game(BUILT, (0, {"adjust": {"pillar": [0, 105]}}), SOUTH), "none")
    data = records.dumps(filled)
    assert records.dumps(records.loads(data)) == data
    assert json.loads(data.splitlines()[2])["got"]["legal"]
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    assert main(["verify", "--mode", "rules", str(path)]) == 0
    assert main(["replay", "--engine", "none", str(path)]) == 0
    assert "north adjusts A-P1 at (0.0, 105.0)" in capsys.readouterr().out


def test_physics_settles_an_adjusted_build_and_verifies_it(tmp_path: Path) -> None:
    filled = replay.fill(
        game(BUILT, (0, {"adjust": {"pillar": [0, 105]}}), SOUTH), engines.default()
    )
    got = filled.entries[1].got or {}
    assert got["moved"]["A-P1.1"][1] == pytest.approx(105.0, abs=0.1)
    assert verify_table(filled, "physics", engines.default()).ok
