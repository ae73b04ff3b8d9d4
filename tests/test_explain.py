"""Explanations name the road, the point, the millimetres and the reason; slots tell which sides are free, and for whom."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from shutoko.web.referee import translated
from sim.explain import KINDS, Line, Slot, explain, slots
from sim.highway import Nominal, Observed, Recorded, Try, judge
from sim.placement import Pass, Placement, Resign, SetBuilding
from sim.table import Table
from tests.tables import at_rest, build, exit_to, lay_out, moved, play, stock

ALONE = {"A-P0": (0, 0, 1), "B-P0": (0, 500, 1)}
ACROSS = {**ALONE, "B-P1": (60, -55, 2), "B-P2": (60, 55, 2)}
CROSSED = {"B-R1": ("B-P1", "B-P2")}
JUMP = build("A-P0", 105, 0, 5, True)
AWAY = build("A-P0", -105, 0, 2)


def told(table: Table, move: Placement, *grounds: Any) -> tuple[Line, ...]:
    verdict, _, _ = judge(table, move, [Try(ground) for ground in grounds or (Nominal(),)])
    lines = explain(table, move, verdict)
    json.dumps([line.to_json() for line in lines], allow_nan=False)  # everything is plain data
    for line in lines:
        assert line.data["kind"] in KINDS
        for language in ("ko", "fr"):
            assert translated(language, line)
    return lines


def texts(lines: Sequence[Line]) -> list[str]:
    return [str(line) for line in lines]


def of_kind(lines: Sequence[Line], kind: str) -> list[Line]:
    return [line for line in lines if line.data["kind"] == kind]


def test_a_scoring_crossing_tells_where_by_how_much_and_why() -> None:
    lines = told(lay_out(ACROSS, CROSSED), JUMP)
    assert texts(lines) == [
        "A builds A-P1 of 5 discs, the top one a junction at (105.0, 0.0) and lays A-R0, from A-P0",
        "over B-R1 at (60.0, 0.0) by 12.9 mm: scores (no other road is above B-R1)",
        "A earns 1 car and places 1",
    ]
    assert lines[1].data["mm"] == pytest.approx(12.857, abs=0.001)
    assert lines[1].data["at"] == [60.0, 0.0]


def test_a_taken_side_names_the_road_that_took_it() -> None:
    pillars = {**ACROSS, "A-P1": (30, 30, 4), "A-P2": (90, -50, 5)}
    table = lay_out(pillars, {**CROSSED, "A-R5": ("A-P1", "A-P2")})
    (line, own) = of_kind(told(table, build("A-P0", 105, 0, 4, True)), "crossing")
    assert str(line).startswith("over B-R1 at (60.0, 0.0) by ")
    assert "earns nothing, A-R5 is already above B-R1 at (60.0, -10.0), 25.0 mm higher" in str(line)
    assert line.data["blockers"] == [{"road": "A-R5", "at": pytest.approx([60.0, -10.0]), "mm": pytest.approx(25.0)}]
    assert "the own road A-R5" in str(own)
    assert str(own).endswith("own roads earn nothing")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"crossing_scope": "point"}, "no other road is above B-R1 within 13.5 mm"),
        ({"crossing_memory": "history"}, "no other road has ever passed above B-R1"),
        ({"own_roads_occlude": False}, "no opponent's road is above B-R1"),
    ],
)
def test_the_reason_follows_the_options(options: dict[str, Any], says: str) -> None:
    (line,) = of_kind(told(lay_out(ACROSS, CROSSED, **options), JUMP), "crossing")
    assert says in str(line)


def test_voided_ramp_and_inactive_crossings_say_so() -> None:
    own = {**ACROSS, "A-P1": (30, -55, 1), "A-P2": (30, 55, 1)}
    lines = told(lay_out(own, {**CROSSED, "A-R1": ("A-P1", "A-P2")}, own_cross_voids=True), JUMP)
    assert any("the new road crosses the own road A-R1 (own_cross_voids)" in text for text in texts(lines))
    ramp = lay_out({**ALONE, "B-P1": (60, -55, 1)}, {"B-R1": ("B-P1", (60, 54))}, ramps_count=False)
    assert any("it is a ramp (ramps_count is false)" in text for text in texts(told(ramp, JUMP)))
    pillars = {**ACROSS, "C-P0": (0, 900, 1)}
    left = lay_out(pillars, CROSSED, players=3, to_move=1, inactive_roads_count=False)
    left = play(play(left, Resign()), build("C-P0", 105, 900, 2))
    assert any("B is out or has finished (inactive_roads_count is false)" in text for text in texts(told(left, JUMP)))


def test_cars_that_are_not_placed_have_a_reason() -> None:
    poor = lay_out({**ACROSS, "B-P3": (35, 55, 1), "B-P4": (35, -55, 1)}, {**CROSSED, "B-R2": ("B-P3", "B-P4")},
                   stocks=[stock(cars=1), stock()])  # fmt: skip
    assert "A earns 2 cars and places 1 (A has only 1 left)" in texts(told(poor, JUMP))
    declined = told(lay_out(ACROSS, CROSSED), build("A-P0", 105, 0, 5, True, []))
    assert "A earns 1 car and places 0 (A puts down no more)" in texts(declined)
    returned = lay_out(ACROSS, CROSSED, stocks=[stock(cars=1), stock()], clean_win=True)
    assert any("(clean_win)" in text for text in texts(told(returned, JUMP, Observed(("B-R1",)))))
    fell = told(lay_out(ACROSS, CROSSED), JUMP, Observed(("A-C0",)))
    assert "A earns 1 car and places 0 (A-C0 did not stay on the road)" in texts(fell)


def test_an_exit_tells_its_bonus_and_a_build_that_crosses_nothing_says_so() -> None:
    exit_lines = texts(told(lay_out(ALONE), exit_to("A-P0", -109.5, 0)))
    assert exit_lines[0] == "A lays A-R0, an exit from A-P0 to the table at (-109.5, 0.0)"
    assert "the exit earns 1 car as a bonus (FR 8, KR 8)" in exit_lines
    assert "it crosses no road" in texts(told(lay_out(ALONE), AWAY))


def test_falls_say_by_which_test_and_payments_say_who_pays_whom_what() -> None:
    table = lay_out(ACROSS, CROSSED, stocks=[stock(grey=2, yellow=1), stock()])
    poses = at_rest(table, AWAY)
    new = {piece: pose for piece, pose in poses.items() if piece not in table.piece_ids}
    fallen = {"B-P0.1": moved(poses["B-P0.1"], dx=7.3), "B-R1": moved(poses["B-R1"], dy=80.0)}
    lines = told(table, AWAY, Recorded({**new, **fallen}))
    assert "B-P0.1 fell: it moved 7.3 mm sideways, more than half its radius (5.0 mm)" in texts(lines)
    assert any(text.startswith("B-R1 fell: an end of it is ") for text in texts(lines))
    assert "A owes B 2 discs for 2 fallen pieces and pays 1 yellow disc: A has no more discs" in texts(lines)
    (payment,) = of_kind(lines, "payment")
    assert payment.data == {
        "kind": "payment", "from": 0, "to": 1, "owed": 2, "grey": 0, "yellow": 1, "capped": True,
        "given": [{"what": "yellow", "count": 1}], "unit": "disc", "currency": "discs",
    }  # fmt: skip
    own = told(table, AWAY, Observed(("A-P0.1", "B-P0.1")))
    assert "A-P0.1 fell: people saw it (own pieces cost nothing)" in texts(own)


def test_an_undone_build_and_its_reason_are_told() -> None:
    lines = texts(told(lay_out(ACROSS, CROSSED), JUMP, Observed(("A-R0",))))
    assert lines[0] == "the build is undone and A loses the turn: A-R0 did not stand"


def test_illegal_moves_are_told_fault_by_fault() -> None:
    lines = told(lay_out(ALONE, stocks=[stock(grey=1)] * 2), build("A-P0", 105, 0, 3))
    assert [line.data["code"] for line in lines] == ["height", "stock-grey"]
    assert all(str(line).startswith("illegal: ") for line in lines)


def test_passing_resigning_and_building_are_told() -> None:
    poor = lay_out(ALONE, stocks=[stock(roads=0), stock()])
    assert texts(told(poor, Pass())) == ["A misses the turn: no road is left"]
    assert texts(told(lay_out(ALONE, may_pass=True), Pass())) == ["A misses the turn: a turn may be passed (may_pass)"]
    no_base = lay_out({"A-P0": (0, 0, 2), "A-P1": (105, 0, 1), "B-P0": (0, 500, 1)},
                      {"A-R1": ("A-P0", "A-P1"), "A-R2": ("A-P1", (210, 0))})  # fmt: skip
    assert texts(told(no_base, Pass())) == ["A misses the turn: no base point is left to build from"]
    lines = texts(told(lay_out(ALONE), Resign()))
    assert lines == ["A resigns; what A built stays", "A is out: resigned", "the game is over (resigned): B wins"]
    table = Table.start(3)
    for seat in range(3):
        table = play(table, table.default_entrance(seat))
    assert texts(told(table, SetBuilding("tower", (400, 0)))) == ["C sets the tower X0 at (400.0, 0.0); it never moves again"]


def test_who_is_out_and_why_in_both_ways_of_elimination() -> None:
    table = play(lay_out(ALONE, stocks=[stock(roads=0), stock()]), "pass")
    lines = texts(told(table, build("B-P0", 105, 500, 2)))
    assert "A is out: still unable to build at the next own turn, no road is left (KR 10.2)" in lines
    assert lines[-1] == "the game is over (last-standing): B wins"
    french = play(lay_out(ALONE, stocks=[stock(roads=1), stock()], elimination="fr"), AWAY)
    lines = texts(told(french, build("B-P0", 105, 500, 2)))
    assert lines[-2] == "A is out: no road is left, and all others had one more turn without a penalty (FR 10.2)"
    pillars = {"A-P0": (0, 0, 1), "B-P0": (0, 500, 1), "C-P0": (0, 900, 1)}
    three = lay_out(pillars, stocks=[stock(roads=1), stock(), stock()], players=3, elimination="fr")
    three = play(play(three, AWAY), build("B-P0", 105, 500, 2))
    assert "A is out: no road is left, and all others had one more turn without a penalty (FR 10.2)" in texts(
        told(three, build("C-P0", 105, 900, 2))
    )


def test_the_win_its_rank_and_a_turn_that_goes_on_are_told() -> None:
    lines = texts(told(lay_out(ACROSS, CROSSED, stocks=[stock(cars=1), stock()]), JUMP))
    assert lines[-2:] == ["A has placed all cars and wins", "the game is over (all-cars-placed): A wins"]
    assert (
        texts(told(lay_out(ALONE, turn_end="until_car"), AWAY))[-1] == "A goes on: no car was placed yet (turn_end = until_car)"
    )


# --- slots -------------------------------------------------------------------------------------------------------------------


def by_road(table: Table) -> dict[str, Slot]:
    found = {slot.road: slot for slot in slots(table)}
    json.dumps([slot.to_json() for slot in found.values()], allow_nan=False)
    return found


def test_slots_tell_what_is_free_and_what_took_it() -> None:
    table = play(lay_out({**ACROSS, "C-P0": (0, 900, 1)}, CROSSED, players=3), JUMP)
    slot = by_road(table)["B-R1"]
    assert slot.text == "B-R1: over taken by A-R0 at (60.0, 0.0), under free"
    assert (slot.over.free_for, slot.under.free_for) == ((), (0, 2))
    (taker,) = slot.over.takers
    assert taker.mm == pytest.approx(12.857, abs=0.001)
    assert by_road(table)["A-R0"].text == "A-R0: over free, under taken by B-R1 at (60.0, 0.0)"


def test_slots_depend_on_who_asks_if_own_roads_do_not_occlude() -> None:
    table = play(lay_out({**ACROSS, "C-P0": (0, 900, 1)}, CROSSED, players=3, own_roads_occlude=False), JUMP)
    slot = by_road(table)["B-R1"]
    assert slot.over.free_for == (0,)
    assert slot.text == "B-R1: over taken by A-R0 at (60.0, 0.0), free for A, under free"


def test_slots_of_a_point_of_a_ramp_and_of_a_player_who_left() -> None:
    pillars = {**ACROSS, "C-P0": (0, 900, 1)}
    local = by_road(play(lay_out(pillars, CROSSED, players=3, crossing_scope="point"), JUMP))["B-R1"]
    assert local.text == "B-R1: over free but within 13.5 mm of A-R0 at (60.0, 0.0), under free"
    ramp = lay_out({**ALONE, "B-P1": (60, -55, 1)}, {"B-R1": ("B-P1", (60, 54))}, ramps_count=False)
    assert by_road(ramp)["B-R1"].text == "B-R1: a ramp earns nobody a car (ramps_count is false)"
    left = play(lay_out(pillars, CROSSED, players=3, to_move=1, inactive_roads_count=False), Resign())
    slot = by_road(left)["B-R1"]
    assert (slot.over.free_for, slot.nobody.startswith("B is out")) == ((), True)


def test_a_free_slot_is_one_that_scores() -> None:
    """What the slots call free for A earns A a car, what they call taken does not."""
    table = play(lay_out({**ACROSS, "C-P0": (30, -80, 5), "C-P1": (130, 0, 1)}, CROSSED, players=3, to_move=0), AWAY)
    slot = by_road(table)["B-R1"]
    assert slot.over.free_for == (0, 2)
