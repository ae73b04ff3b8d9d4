"""Every value of every rule option changes something, and no option, value or rulebook section is
without a test.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

import rules.record
import sim.game.replay
from rules.errors import InputError, RecordError
from rules.game import game
from sim.bodies import Body
from sim.game.attempts.posing import Laid
from sim.game.sources import Recorded
from sim.referee import crossings
from sim.referee.crossings import Road
from sim.referee.placement import Entrance
from sim.referee.ruleset import OPTIONS, PRESETS, Preset, Ruleset
from sim.referee.table import Table
from sim.settling import SettleResult
from tests.tables import at_rest, build, codes, exit_to, lay_out, moved, play, ply, stock

# Every section of both rulebooks that holds a rule; docs/rules.md has one row for each.
SECTIONS = tuple(
    f"{book} {section}"
    for book, sections in (
        ("FR", "1, 2.1, 2.2, 2.3, 3, 4, 4.1, 4.2, 4.3, 5.1, 5.2, 5.3, 5.4, 6, 6 Attention"),
        ("FR", "6 Example 1, 6 Example 2, 7.1, 7.2, 8, 9, 10.1, 10.2"),
        ("KR", "1, 2, 3.1, 3.2, 3.3, 4, 4.1, 4.2, 4.3, 5, 5.1, 5.2, 5.3, 5.4, 6, 6 Important"),
        ("KR", "6 Example 1, 6 Example 2, 7.1, 7.2, 8, 9, 10.1, 10.2"),
    )
    for section in sections.split(", ")
)  # fmt: skip

ALONE = {"A-P0": (0, 0, 1), "B-P0": (0, 500, 1)}
ACROSS = {**ALONE, "B-P1": (60, -55, 2), "B-P2": (60, 55, 2)}
CROSSED = {"B-R1": ("B-P1", "B-P2")}
JUMP = build("A-P0", 105, 0, 5, True)  # over B-R1 by far


def east(owner: int, y: float, level: float, name: str) -> Road:
    return Road(owner, (-55, y), (55, y), (level, level), name)


def north(owner: int, x: float, level: float, name: str) -> Road:
    return Road(owner, (x, -55), (x, 55), (level, level), name)


def earned(
    new: Road, roads: Sequence[Road], *, inactive: tuple[int, ...] = (), **options: Any
) -> int:
    return crossings.cars_earned(new, roads, Ruleset.named(**options), inactive=inactive)


# --- 3 a turn -------------------------------------------------------------------------------------


@pytest.mark.rule("FR 2.2", "KR 3.2", option="entrance_reach", value=2.0)
def test_entrance_reach_is_how_many_road_lengths_an_entrance_disc_stands_off_the_middle() -> None:
    for reach, options in (
        (220.0, {}),
        (55.0, {"entrance_reach": 0.5}),
        (330.0, {"entrance_reach": 3}),
    ):
        table = Table.start(2, **options)
        assert codes(table, Entrance((0.0, -reach), 270.0)) == []
        assert codes(table, Entrance((0.0, -reach - 0.01), 270.0)) == ["entrance-far"]
    for wrong in (0, -1.0, True, "2", float("nan")):
        with pytest.raises(
            InputError,
            match=r"option entrance_reach is .*; it takes a number of road lengths above 0",
        ):
            Table.start(2, entrance_reach=wrong)


@pytest.mark.rule("FR 4.1", "KR 4.1", option="base_point", value=("any_open_end", "last_built"))
def test_base_point_is_any_open_end_or_only_the_pillar_built_last() -> None:
    pillars = {**ALONE, "A-P1": (0, 200, 2)}
    assert codes(lay_out(pillars), build("A-P0", 105, 0, 2)) == []
    last = lay_out(pillars, base_point="last_built")
    assert codes(last, build("A-P0", 105, 0, 2)) == ["base-used"]
    assert codes(last, build("A-P1", 105, 200, 3)) == []
    with_junction = lay_out({"A-P0": (0, 0, 2, True), "A-P1": (0, 200, 2)}, base_point="last_built")
    assert codes(with_junction, build("A-P0", 105, 0, 3)) == []


@pytest.mark.rule("FR 4.3", "KR 4", option="turn_end", value=("one_road", "until_car"))
def test_turn_ends_after_one_road_or_goes_on_until_a_car_is_placed() -> None:
    assert play(lay_out(ACROSS, CROSSED), build("A-P0", -105, 0, 2)).to_move == 1
    table = play(lay_out(ACROSS, CROSSED, turn_end="until_car"), build("A-P0", -105, 0, 2))
    assert table.to_move == 0
    scoring = lay_out(ACROSS, CROSSED, turn_end="until_car")
    assert play(scoring, JUMP).to_move == 1
    # declining the car does not end the turn
    assert play(scoring, build("A-P0", 105, 0, 5, True, [])).to_move == 0
    assert play(scoring, JUMP, "A-R0").to_move == 1  # an undone build does
    # and so does the bonus car of an exit
    assert play(scoring, exit_to("A-P0", -109.5, 0)).to_move == 1


@pytest.mark.rule("FR 7.2", "KR 7.2", option="turn_end", value="until_car")
def test_a_junction_of_this_very_turn_has_no_branch_yet() -> None:
    table = play(lay_out(ALONE, turn_end="until_car"), build("A-P0", 105, 0, 2, True))
    table = play(table, build("A-P1", 210, 0, 3))
    assert table.to_move == 0
    assert codes(table, build("A-P1", 105, 105, 3)) == ["base-used"]


@pytest.mark.rule("FR 4", option="may_pass", value=(False, True))
def test_may_pass_allows_to_miss_a_turn() -> None:
    assert codes(lay_out(ALONE), lay_out(ALONE).parse("pass")) == ["can-build"]
    table = play(lay_out(ALONE, may_pass=True), "pass")
    assert (table.to_move, table.turns.misses) == (1, (0, 0))


@pytest.mark.rule("FR 4.3", "KR 4.3", option="freeze", value=("next_turn", "next_pillar"))
def test_freeze_says_until_when_the_last_build_may_be_nudged() -> None:
    move = build("A-P0", 105, 0, 2)
    korean = play(lay_out({**ALONE, "B-P1": (200, 500, 1)}), move)
    assert korean.adjustable() == ("A-P1", "A-R0")
    assert play(korean, exit_to("B-P1", 310, 500)).adjustable()[0] == "B-R0"
    french = play(lay_out({**ALONE, "B-P1": (200, 500, 1)}, freeze="next_pillar"), move)
    assert french.adjustable() == ("A-P1", "A-R0")
    exited = play(french, exit_to("B-P1", 310, 500))  # no pillar: nothing is frozen
    assert exited.adjustable()[:3] == ("A-P1", "A-R0", "B-R0")
    assert play(french, build("B-P0", -105, 500, 2)).adjustable() == ("B-P2", "B-R0")


# --- 4 laying a road ------------------------------------------------------------------------------


@pytest.mark.rule("FR 5.3", "KR 5.3", option="own_pillar_shadow", value=("forbid", "allow"))
def test_own_pillar_shadow_says_whether_a_road_may_pass_above_own_pillars() -> None:
    pillars = {"A-P0": (0, 0, 4), "A-P1": (55, 0, 1), "B-P0": (0, 500, 1)}
    assert codes(lay_out(pillars), build("A-P0", 105, 0, 5)) == ["over-pillar"]
    assert codes(lay_out(pillars, own_pillar_shadow="allow"), build("A-P0", 105, 0, 5)) == []
    foreign = {"A-P0": (0, 0, 4), "B-P1": (55, 0, 1)}
    assert codes(lay_out(foreign, own_pillar_shadow="allow"), build("A-P0", 105, 0, 5)) == [
        "over-pillar"
    ]


@pytest.mark.rule("FR 5.3", "KR 5.3", option="pillar_under_road", value=("forbid", "allow"))
def test_pillar_under_road_says_whether_a_pillar_may_be_set_under_a_road() -> None:
    pillars = {**ALONE, "B-P1": (105, -55, 9), "B-P2": (105, 55, 9)}
    assert codes(lay_out(pillars, CROSSED), build("A-P0", 105, 0, 2)) == ["pillar-under-road"]
    assert (
        codes(lay_out(pillars, CROSSED, pillar_under_road="allow"), build("A-P0", 105, 0, 2)) == []
    )


@pytest.mark.rule("FR 5.4", "KR 5.4", option="touch_cars", value=("illegal", "legal"))
def test_touch_cars_says_whether_a_road_may_touch_a_car() -> None:
    pillars = {**ACROSS, "A-P0": (0, 0, 2)}
    car = {"B-C0": ("B-R1", 0.5)}
    assert codes(lay_out(pillars, CROSSED, cars=car), build("A-P0", 105, 0, 3)) == ["touches-car"]
    assert (
        codes(lay_out(pillars, CROSSED, cars=car, touch_cars="legal"), build("A-P0", 105, 0, 3))
        == []
    )


@pytest.mark.rule("FR 2.3", "KR 3.3", option="over_building", value=("allow", "forbid"))
def test_over_building_says_whether_a_road_may_pass_over_a_building() -> None:
    pillars, block = {"A-P0": (0, 0, 6), "B-P0": (0, 500, 1)}, [("block", (52, 0))]
    assert codes(lay_out(pillars, buildings=block), build("A-P0", 105, 0, 7)) == []
    assert codes(
        lay_out(pillars, buildings=block, over_building="forbid"), build("A-P0", 105, 0, 7)
    ) == ["over-building"]


@pytest.mark.rule("FR 5.4", "KR 5.4", option="loop", value=("graph", "planar"))
def test_loop_forbids_a_ring_of_roads_and_read_in_plan_a_crossing_of_own_roads_too() -> None:
    pillars, road = {**ALONE, "A-P1": (60, -55, 5), "A-P2": (60, 55, 6)}, {"A-R1": ("A-P1", "A-P2")}
    graph, planar = lay_out(pillars, road), lay_out(pillars, road, loop="planar")
    assert codes(graph, build("A-P0", 105, 0, 2)) == []
    assert codes(planar, build("A-P0", 105, 0, 2)) == ["own-crossing"]
    assert not planar.ruleset.self_cross
    # a road back to an own pillar would close a ring: a new pillar cannot stand there
    for table in (
        graph,
        planar,
    ):
        assert "pillar-on-pillar" in codes(table, build("A-P2", 60, -55, 5))


@pytest.mark.rule("FR 6 Attention", "KR 6 Important", option="self_cross", value=(True, False))
def test_self_cross_says_whether_own_roads_may_cross() -> None:
    pillars, road = {**ALONE, "A-P1": (60, -55, 5), "A-P2": (60, 55, 6)}, {"A-R1": ("A-P1", "A-P2")}
    assert ply(lay_out(pillars, road), build("A-P0", 105, 0, 2)).earned == 0
    assert codes(lay_out(pillars, road, self_cross=False), build("A-P0", 105, 0, 2)) == [
        "own-crossing"
    ]


def test_self_cross_and_own_cross_voids_hold_where_an_exit_ends_near_an_own_pillar() -> None:
    """The exit passes under the own road 10 mm before its lower end, which lies 18 mm from the
    pillar A-P1.
    """
    pillars, road = (
        {**ALONE, "A-P1": (100, -16, 3), "A-P2": (100, 89, 4)},
        {"A-R1": ("A-P1", "A-P2")},
    )
    leave = exit_to("A-P0", 109.54, 0)
    table = lay_out(pillars, road)
    assert ply(table, leave).earned == 1
    assert ply(lay_out(pillars, road, own_cross_voids=True), leave).earned == 0
    assert codes(lay_out(pillars, road, self_cross=False), leave) == ["own-crossing"]
    assert codes(lay_out(pillars, road, loop="planar"), leave) == ["own-crossing"]


# --- 6 exits --------------------------------------------------------------------------------------


@pytest.mark.rule("FR 8", "KR 8", option="exit_height", value=(1, "any"))
def test_exit_height_is_one_disc_or_any() -> None:
    high = {"A-P0": (0, 0, 3), "B-P0": (0, 500, 1)}
    assert codes(lay_out(high), exit_to("A-P0", 105.8, 0)) == ["exit-height"]
    assert codes(lay_out(high, exit_height="any"), exit_to("A-P0", 105.8, 0)) == []


# --- 7 the crossing rule --------------------------------------------------------------------------


@pytest.mark.rule(
    "FR 6 Example 2", "KR 6 Example 2", option="crossing_scope", value=("road", "point")
)
def test_crossing_scope_is_the_whole_road_or_the_place_of_the_crossing() -> None:
    roads = [east(1, 0, 1, "B-R1"), north(2, -30, 3, "C-R1")]
    assert earned(north(0, 30, 3, "N"), roads) == 0
    assert earned(north(0, 30, 3, "N"), roads, crossing_scope="point") == 1
    # 12 mm away, and 13.5 count
    assert earned(north(0, -18, 3, "N"), roads, crossing_scope="point") == 0


@pytest.mark.rule("FR 6", "KR 6", option="crossing_memory", value=("state", "history"))
def test_crossing_memory_is_what_stands_now_or_who_passed_first() -> None:
    # C-R1 was there before B-R1 and never passed under it
    roads = [
        north(2, -30, 1, "C-R1"),
        east(1, 0, 3, "B-R1"),
    ]
    assert earned(north(0, 30, 1, "N"), roads) == 0
    assert earned(north(0, 30, 1, "N"), roads, crossing_memory="history") == 1
    assert earned(north(0, 30, 1, "N"), roads[::-1], crossing_memory="history") == 0


@pytest.mark.rule("FR 6", "KR 6", option="own_roads_occlude", value=(True, False))
def test_own_roads_occlude_says_whether_own_earlier_roads_take_sides() -> None:
    roads = [east(1, 0, 1, "B-R1"), north(0, -30, 3, "A-R1")]
    assert earned(north(0, 30, 3, "N"), roads) == 0
    assert earned(north(0, 30, 3, "N"), roads, own_roads_occlude=False) == 1


@pytest.mark.rule("FR 6 Attention", "KR 6 Important", option="own_cross_voids", value=(False, True))
def test_own_cross_voids_takes_every_car_of_a_road_that_crosses_an_own_one() -> None:
    roads = [east(1, 0, 1, "B-R1"), east(0, 20, 1, "A-R1")]
    assert earned(north(0, 30, 3, "N"), roads) == 1
    assert earned(north(0, 30, 3, "N"), roads, own_cross_voids=True) == 0
    pillars, road = {**ALONE, "A-P1": (60, -55, 3), "A-P2": (60, 55, 4)}, {"A-R1": ("A-P1", "A-P2")}
    leave = exit_to("A-P0", 109.5, 0)
    assert ply(lay_out(pillars, road), leave).earned == 1
    # the bonus is a car on that road, too
    assert ply(lay_out(pillars, road, own_cross_voids=True), leave).earned == 0


@pytest.mark.rule("FR 8", "KR 8", option="ramps_count", value=(True, False))
def test_ramps_count_says_whether_ramps_can_be_crossed_for_cars() -> None:
    ramp = Road(1, (-55, 0), (55, 0), (1, 0), "B-R0")
    assert earned(north(0, 30, 3, "N"), [ramp]) == 1
    assert earned(north(0, 30, 3, "N"), [ramp], ramps_count=False) == 0


@pytest.mark.rule("FR 10.2", "KR 10.2", option="inactive_roads_count", value=(True, False))
def test_inactive_roads_count_says_whether_roads_of_players_who_left_count() -> None:
    roads = [east(1, 0, 1, "B-R1")]
    assert earned(north(0, 30, 3, "N"), roads, inactive=(1,)) == 1
    assert earned(north(0, 30, 3, "N"), roads, inactive=(1,), inactive_roads_count=False) == 0
    taken = [*roads, north(2, -30, 3, "C-R1")]
    assert earned(north(0, 30, 3, "N"), taken, inactive=(2,)) == 0
    assert earned(north(0, 30, 3, "N"), taken, inactive=(2,), inactive_roads_count=False) == 1


@pytest.mark.rule("FR 6", "KR 6", option="crossing_test", value=("centreline", "footprint"))
def test_crossing_test_is_the_centre_lines_or_a_cut_right_across() -> None:
    road, short = [north(1, 0, 1, "B-R1")], Road(0, (-108, 0), (2, 0), (3, 3), "N")
    assert earned(short, road) == 1
    assert earned(short, road, crossing_test="footprint") == 0


# --- 8 falls, penalties, the end ------------------------------------------------------------------


@pytest.mark.rule("FR 9", "KR 9", option="penalty_unit", value=("disc", "stack"))
def test_penalty_unit_counts_every_disc_or_a_stack_once() -> None:
    table, fell = lay_out(ACROSS, CROSSED), ("B-P1.1", "B-P1.2", "B-R1")
    assert ply(table, build("A-P0", -105, 0, 2), *fell).owed == ((1, 3),)
    assert ply(
        lay_out(ACROSS, CROSSED, penalty_unit="stack"), build("A-P0", -105, 0, 2), *fell
    ).owed == ((1, 2),)


@pytest.mark.rule("FR 9", "KR 9", option="penalty_currency", value=("discs", "any"))
def test_penalty_currency_is_discs_or_then_roads_and_never_cars() -> None:
    stocks = [stock(cars=5, grey=3, yellow=0, roads=2), stock()]
    fell = ("B-P1.1", "B-P1.2", "B-R1")
    (paid,) = ply(lay_out(ACROSS, CROSSED, stocks=stocks), build("A-P0", -105, 0, 2), *fell).paid
    assert paid.to_json() == {"to": 1, "grey": 1, "yellow": 0}
    table = lay_out(ACROSS, CROSSED, stocks=stocks, penalty_currency="any")
    (paid,) = ply(table, build("A-P0", -105, 0, 2), *fell).paid
    assert paid.to_json() == {"to": 1, "grey": 1, "yellow": 0, "roads": 1}  # 3 were due
    after = play(table, build("A-P0", -105, 0, 2), *fell)
    assert (after.stocks[0].cars, after.stocks[1].cars) == (5, 9)


def _shifted(mm: float, **options: Any) -> tuple[str, ...]:
    """What fell when B-P0's only disc came to lie so far from where it was."""
    table, move = lay_out(ACROSS, CROSSED, **options), build("A-P0", -105, 0, 2)
    poses = at_rest(table, move)
    new = {piece: pose for piece, pose in poses.items() if piece not in table.piece_ids}
    return ply(
        table, move, tries=[Recorded({**new, "B-P0.1": moved(poses["B-P0.1"], dx=mm)})]
    ).fallen


@pytest.mark.rule("FR 9", "KR 9", option="fall_mode", value=("structural", "moved"))
def test_fall_mode_asks_for_a_lost_role_or_for_a_distance() -> None:
    assert _shifted(4.9) == ()
    assert _shifted(5.1) == ("B-P0.1",)
    assert _shifted(4.9, fall_mode="moved", fall_distance=3.0) == ("B-P0.1",)


@pytest.mark.rule("FR 9", "KR 9", option="fall_distance", value=5.0)
def test_fall_distance_is_how_far_a_piece_may_move() -> None:
    assert _shifted(8.0, fall_mode="moved") == ("B-P0.1",)
    assert _shifted(8.0, fall_mode="moved", fall_distance=8.5) == ()


@pytest.mark.rule("FR 4.2", "KR 4.2", option="redo", value=3)
@pytest.mark.parametrize(("allowed", "tries"), [(3, 3), (0, 0), (1, 1)])
def test_redo_is_how_often_a_build_may_be_tried_again(
    tmp_path: Path, allowed: int, tries: int
) -> None:
    pillars = [{"id": "A-P0", "at": [0, 0], "discs": 1}, {"id": "B-P0", "at": [0, 500], "discs": 1}]
    game = {"record": "shutoko", "version": [1, 0], "game": "tokyo-highway", "players": ["a", "b"]}
    header = json.dumps({**game, "options": {"redo": allowed}, "start": {"pillars": pillars}})

    def record(count: int) -> rules.record.Record:
        move = {"build": {"from": "A-P0", "pillar": [105, 0], "discs": 2, "junction": False}}
        ply = json.dumps({"ply": 0, "by": 0, "do": move, "tries": [{"hand": []}] * count})
        path = tmp_path / f"{count}.jsonl"
        path.write_text(f"{header}\n{ply}\n", encoding="utf-8")
        return rules.record.read(path)

    assert len(list(sim.replay.steps(record(tries), "none"))) == 1
    with pytest.raises(RecordError, match=f"tried again {allowed} times at most"):
        list(sim.replay.steps(record(tries + 1), "none"))


@dataclass(frozen=True)
class Touching:
    """A ground on which all stands and the hand touched a building."""

    def settle(self, standing: Sequence[Body], new: Sequence[Laid], path: object) -> SettleResult:
        return SettleResult({laid.lying.id: laid.lying.pose for laid in new}, ("X0",))


@pytest.mark.rule("KR 3.3", option="hand_on_building", value=("report", "redo"))
def test_hand_on_building_is_reported_or_the_build_is_done_again() -> None:
    tower = [("tower", (300, 0))]
    reported = ply(lay_out(ALONE, buildings=tower), build("A-P0", 105, 0, 2), tries=[Touching()])
    assert (reported.built, reported.touched) == (True, ("X0",))
    again = lay_out(ALONE, buildings=tower, hand_on_building="redo")
    assert ply(again, build("A-P0", 105, 0, 2), tries=[Touching()]).built is False


@pytest.mark.rule("FR 10.1", "KR 10.1", option="clean_win", value=(False, True))
def test_clean_win_sends_the_last_car_back_after_a_knock() -> None:
    stocks = [stock(cars=1), stock()]
    dirty = play(lay_out(ACROSS, CROSSED, stocks=stocks), JUMP, "B-P1.2")
    outcome = dirty.outcome()
    assert outcome is not None
    assert outcome.winners == (0,)
    assert dirty.stocks[1].grey == 21  # the win stands after payment
    clean = play(lay_out(ACROSS, CROSSED, stocks=stocks, clean_win=True), JUMP, "B-P1.2")
    assert (clean.outcome(), clean.stocks[0].cars, len(clean.cars)) == (None, 1, 0)
    assert play(lay_out(ACROSS, CROSSED, stocks=stocks, clean_win=True), JUMP).outcome() is not None
    # where a turn has several plies, a knock in an earlier one counts as well
    south = {**ALONE, "B-P1": (60, -160, 2), "B-P2": (60, -50, 2)}
    begun = lay_out(south, CROSSED, stocks=stocks, clean_win=True, turn_end="until_car")
    for fallen, left in ((), 0), (("B-P1.2",), 1):
        middle = play(begun, build("A-P0", 0, -105, 2), *fallen)
        assert middle.to_move == 0
        assert play(middle, build("A-P1", 105, -105, 5, True)).stocks[0].cars == left


def _three(elimination: str) -> Table:
    """A has one road left; B and C are rich and far away."""
    pillars = {"A-P0": (0, 0, 1), "B-P0": (0, 500, 1), "C-P0": (0, 900, 1)}
    return lay_out(
        pillars, stocks=[stock(roads=1), stock(), stock()], players=3, elimination=elimination
    )


@pytest.mark.rule("FR 10.2", "KR 10.2", option="elimination", value=("kr", "fr"))
def test_elimination_comes_at_the_second_own_turn_or_after_a_round() -> None:
    builds = [build("A-P0", 105, 0, 2), build("B-P0", 105, 500, 2), build("C-P0", 105, 900, 2)]
    french = _three("fr")
    for move in builds:
        assert french.turns.out == ()
        french = play(french, move)
    assert (french.turns.out, french.to_move) == (((0,),), 1)
    korean = _three("kr")
    for move in builds:
        korean = play(korean, move)
    assert (korean.turns.out, korean.to_move) == ((), 0)
    korean = play(korean, "pass")
    korean = play(korean, build("B-P1", 210, 500, 3))
    korean = play(korean, build("C-P1", 210, 900, 3))
    assert (korean.turns.out, korean.to_move) == (((0,),), 1)


@pytest.mark.rule("FR 10.1", "KR 10.1", option="continue_after_win", value=(True, False))
def test_continue_after_win_plays_on_for_ranks_or_stops() -> None:
    pillars = {**ACROSS, "C-P0": (0, 900, 1)}
    stocks = [stock(cars=1), stock(), stock()]
    on = play(lay_out(pillars, CROSSED, stocks=stocks, players=3), JUMP)
    assert (on.outcome(), on.to_move, on.turns.finished) == (None, 1, ((0,),))
    off = play(lay_out(pillars, CROSSED, stocks=stocks, players=3, continue_after_win=False), JUMP)
    outcome = off.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.ranks) == ((0,), ((0,), (1, 2)))


# --- the options themselves -----------------------------------------------------------------------


def test_presets_differ_from_standard_as_section_9_says() -> None:
    differing = {name: Ruleset.named(name).differing("standard") for name in PRESETS}
    assert differing == {
        "standard": {},
        "fr": {
            "turn_end": "until_car",
            "base_point": "last_built",
            "elimination": "fr",
            "exit_height": "any",
            "own_cross_voids": True,
            "freeze": "next_pillar",
            "may_pass": True,
        },
        "kr": {"hand_on_building": "redo"},
        "en2": {"continue_after_win": False},
        "rainbow": {"crossing_memory": "history"},
    }
    presets = [Preset.named(name) for name in PRESETS]
    assert {preset.name: preset.players for preset in presets if preset.players != (2, 3, 4)} == {
        "en2": (2,)
    }
    assert {preset.name for preset in presets if preset.components != "estimate-2018"} == {
        "rainbow"
    }


def test_a_preset_refuses_a_number_of_players_that_it_is_not_for() -> None:
    assert Table.start(2, "en2").turns.seats == 2
    for begin in (Table.start, partial(Table.from_layout, {}), partial(game, "tokyo-highway")):
        with pytest.raises(
            InputError,
            match="the rule set en2 is for 2 players, not 3; 3 may take standard, fr, kr, rainbow",
        ):
            begin(players=3, ruleset="en2")


def test_a_preset_brings_its_components_unless_others_are_named() -> None:
    for name, box in (("rainbow", "estimate-rubber"), ("fr", "estimate-2018")):
        assert Table.start(2, name).components.name == box
        assert Table.from_layout({}, 2, name).components.name == box
        assert (
            game("tokyo-highway", ruleset=name, engine="none").start().table.components.name == box
        )
    named = game("tokyo-highway", ruleset="rainbow", components="estimate-2018", engine="none")
    assert (
        Table.start(2, "rainbow", "estimate-2018").components.name
        == named.start().table.components.name
        == "estimate-2018"
    )


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("box", [None, "estimate-2018", "estimate-rubber"])
def test_a_written_record_says_which_components_were_used(preset: str, box: str | None) -> None:
    made = game("tokyo-highway", ruleset=preset, components=box, engine="none")
    record = rules.record.loads(rules.record.dumps(rules.record.Record(made.header(("a", "b")))))
    used = made.start().table.components.name
    assert sim.replay.begin(record).components.name == used
    assert record.header.components == (
        None if (preset != "rainbow" and used == "estimate-2018") else used
    )


def test_a_header_that_names_no_components_means_those_of_its_preset() -> None:
    header = rules.record.Header("tokyo-highway", ("a", "b"), "rainbow")
    assert sim.replay.begin(rules.record.Record(header)).components.name == "estimate-rubber"
    three = rules.record.Record(
        rules.record.Header("tokyo-highway", ("a", "b", "c"), "en2"), path=Path("three.jsonl")
    )
    with pytest.raises(RecordError, match=r"three\.jsonl.*1.*en2 is for 2 players, not 3"):
        sim.replay.begin(three)


def test_the_command_shows_the_players_and_the_components_of_a_preset(shutoko: Any) -> None:
    assert (
        "for 2 or 3 or 4 players, with the components estimate-rubber"
        in shutoko("rules", "rainbow").stdout
    )
    told = json.loads(shutoko("rules", "en2", "--json").stdout)
    assert (told["players"], told["components"]) == ([2], "estimate-2018")


def test_planar_implies_that_own_roads_never_cross_however_it_is_set() -> None:
    planar = Ruleset.named(loop="planar")
    assert not planar.self_cross
    assert not planar.changed(self_cross=True).self_cross
    assert not Table.start(2, Ruleset.named(), loop="planar").ruleset.self_cross
    with pytest.raises(InputError, match="option loop is ring; it takes graph or planar"):
        Table.start(2, Ruleset.named(), loop="ring")


def test_the_command_shows_what_two_presets_read_differently(shutoko: Any) -> None:
    done = shutoko("rules", "--diff", "fr", "kr", "--json")
    told = json.loads(done.stdout)
    french, korean = Ruleset.named("fr"), Ruleset.named("kr")
    assert {o["name"]: (o["fr"], o["kr"]) for o in told["options"]} == {
        name: (getattr(french, name), getattr(korean, name))
        for name in OPTIONS
        if getattr(french, name) != getattr(korean, name)
    }
    text = shutoko("rules", "--diff", "fr", "kr").stdout
    assert "fr and kr differ in 8 options" in text
    assert "kr: one_road: a turn is one pillar, one road and its cars" in text


# --- nothing without a test -----------------------------------------------------------------------


@dataclass(frozen=True)
class Mark:
    """One `rule` decorator: the test, the sections and the option with its values."""

    test: str
    sections: tuple[str, ...]
    option: str | None
    values: tuple[object, ...]


@cache
def marks() -> list[Mark]:
    """Every `pytest.mark.rule` of the suite, read from the source, so that it does not matter which
    tests are run.
    """
    found = []
    for path in sorted(Path(__file__).parents[2].rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for call in node.decorator_list:
                    if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule":
                        named = {key.arg: ast.literal_eval(key.value) for key in call.keywords}
                        values = named.get("value", ())
                        sections = tuple(ast.literal_eval(arg) for arg in call.args)
                        test = f"{path.name}::{node.name}"
                        found.append(
                            Mark(
                                test,
                                sections,
                                named.get("option"),
                                values if isinstance(values, tuple) else (values,),
                            )
                        )
    return found


def _table_rows() -> dict[str, str]:
    """The table of docs/rules.md: section -> options."""
    text = (Path(__file__).parents[3] / "docs" / "rules.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:FR|KR) [^|]+?) \| [^|]+ \| ([^|]*) \|$", text, flags=re.MULTILINE)
    assert len(rows) == len({section for section, _ in rows}), "a section has two rows"
    return dict(rows)


@pytest.mark.parametrize("option", OPTIONS.values(), ids=lambda option: option.name)
def test_every_value_of_every_option_has_a_test(option: Any) -> None:
    values = [
        (type(value), value)
        for mark in marks()
        if mark.option == option.name
        for value in mark.values
    ]
    for value in option.values:
        assert (type(value), value) in values, (
            f"{option.name} = {value} has no test that is marked with it"
        )


def test_every_rulebook_section_has_a_test_and_every_mark_means_something() -> None:
    covered = {section for mark in marks() for section in mark.sections}
    assert covered == set(SECTIONS)
    for mark in marks():
        if mark.option is not None:
            assert all(OPTIONS[mark.option].check(value) == value for value in mark.values), mark


def test_table_of_docs_names_every_section_with_its_options() -> None:
    rows = _table_rows()
    assert set(rows) == set(SECTIONS)
    for section, options in rows.items():
        here = [mark for mark in marks() if section in mark.sections]
        assert set(re.findall(r"`(\w+)`", options)) == {
            mark.option for mark in here if mark.option
        }, section


def test_docs_tell_every_option_with_its_default_and_its_source() -> None:
    text = (Path(__file__).parents[3] / "docs" / "rules.md").read_text(encoding="utf-8")
    for option in OPTIONS.values():
        default = (
            str(option.default).lower() if isinstance(option.default, bool) else option.default
        )
        assert f"`{option.name} = {default}`" in text, (
            f'docs/rules.md, "Every option": no row begins with `{option.name} = {default}`'
        )


# --- a new option ---------------------------------------------------------------------------------

NEW_OPTION = """
    tunnel_toll: int = _option(
        0, says=("how many discs a road below two others costs",), source="ours", number="count"
    )
    # 3 A turn
"""
DIGESTS = """
import json, sys
from pathlib import Path
import rules.record
import sim
from sim.referee.ruleset import OPTIONS

assert "tunnel_toll" in OPTIONS and sys.argv[1] in sim.__file__, sim.__file__
told, here = [], []
for path in sorted(Path(sys.argv[1], "assets", "records").glob("*.jsonl")):
    for step in sim.replay.trusted(rules.record.read(path)):
        if "digest" in (step.entry.got or {}):
            told.append(step.entry.got["digest"])
            here.append(step.after.digest())
start = sim.Table.start
print(json.dumps([told, here, [start().digest(), start(tunnel_toll=1).digest()]]))
"""


@pytest.mark.slow
def test_an_option_that_is_added_changes_no_digest_where_it_has_its_default(tmp_path: Path) -> None:
    checkout = Path(__file__).resolve().parents[3]
    for folder in ("rules", "sim", "assets"):
        ignored = shutil.ignore_patterns("__pycache__", "pictures")
        shutil.copytree(checkout / folder, tmp_path / folder, ignore=ignored)
    source = tmp_path / "sim" / "referee" / "ruleset.py"
    before = source.read_text(encoding="utf-8")
    after = before.replace("\n    # 3 A turn\n", NEW_OPTION, 1)
    assert before != after
    source.write_text(after, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", DIGESTS, str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told, here, (usual, changed) = json.loads(ran.stdout)
    assert len(told) > 80
    assert told == here
    assert usual == Table.start().digest()
    assert usual != changed


def test_digests_tell_every_value_of_every_option_apart() -> None:
    seen: dict[str, str] = {}
    for option in OPTIONS.values():
        values = option.values if option.number is None else (option.default, 7)
        for value in values:
            rules = Ruleset().changed(**{option.name: value})
            name = "standard" if rules == Ruleset() else f"{option.name} = {value}"
            assert seen.setdefault(Table.start(2, rules).digest(), name) == name
    assert len(seen) > len(OPTIONS)
