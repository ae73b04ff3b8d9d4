"""Explanations name the road, the point, the millimetres and the reason; slots tell which sides are
free, and for whom.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

import pytest

from rules.record import read
from sim.assets import asset
from sim.game.attempts.attempt import Attempt
from sim.game.ply import judge
from sim.game.replay import trusted
from sim.game.sources import Nominal, Observed, Recorded
from sim.game.stability import balance_line, steep_cars, tipping
from sim.referee.crossings import Slot
from sim.referee.explain import explain, slots
from sim.referee.placement import CarSpot, Pass, Placement, Resign, SetBuilding
from sim.referee.reasons import KINDS, Reason, steep_line
from sim.referee.table import Table
from sim.referee.verdict import (
    AttemptResult,
    Breach,
    BreachKind,
    Fall,
    Payment,
    PutBack,
    Verdict,
)
from sim.settling import SettleResult
from tests.tables import at_rest, build, exit_to, lay_out, moved, play, stock

ALONE = {"A-P0": (0, 0, 1), "B-P0": (0, 500, 1)}
ACROSS = {**ALONE, "B-P1": (60, -55, 2), "B-P2": (60, 55, 2)}
CROSSED = {"B-R1": ("B-P1", "B-P2")}
# A runs along y at x = 0; B-P1 stands so that an exit to the table under it ends at (to, 0)
UNDER = {"A-P1": (0, -55, 2), "A-P2": (0, 55, 3)}
JUMP = build("A-P0", 105, 0, 5, True)
AWAY = build("A-P0", -105, 0, 2)


def told(table: Table, move: Placement, *grounds: Any) -> tuple[Reason, ...]:
    verdict, _, _ = judge(table, move, [Attempt(ground) for ground in grounds or (Nominal(),)])
    return said(table, move, verdict)


def said(table: Table, move: Placement, verdict: Verdict) -> tuple[Reason, ...]:
    lines = explain(table, move, verdict)
    json.dumps([line.to_json() for line in lines], allow_nan=False)  # everything is plain data
    for line in lines:
        assert line.data["kind"] in KINDS
        for language in ("ko", "fr"):
            assert line.told(language)
    return lines


def texts(lines: Sequence[Reason]) -> list[str]:
    return [str(line) for line in lines]


@pytest.mark.parametrize(
    ("to", "cars", "ends"),
    [
        (-6.0, 1, None),
        (-4.6, 1, None),
        (-1.2, 1, "1.2 mm short of"),
        (-0.01, 1, "0.01 mm short of"),
        (0.0, 2, "0.00 mm past"),
        (0.01, 2, "0.01 mm past"),
        (1.2, 2, "1.2 mm past"),
        (4.4, 2, "4.4 mm past"),
        (4.6, 2, None),
        (6.0, 2, None),
    ],
)
def test_an_exit_that_ends_under_a_road_is_told_by_how_far_it_comes_out(
    to: float, cars: int, ends: str | None
) -> None:
    """The middle lines decide (rules 7i), and the road's strip is 9 mm wide."""
    base = {"B-P1": (round(to - 105.54, 2), 0, 1)}
    table = lay_out({**UNDER, **base}, {"A-R1": ("A-P1", "A-P2")}, to_move=1)
    move = exit_to("B-P1", to, 0, cars=[])
    lines = told(table, move)
    (earned,) = [line.data["earned"] for line in lines if line.data["kind"] == "cars"]
    told_ends = [line for line in lines if line.data["kind"] == "ends-under"]
    assert earned == cars
    assert texts(told_ends) == ([f"B-R0 ends {ends} the middle of A-R1"] if ends else [])
    if ends:
        assert told_ends[0].data["mm"] == pytest.approx(abs(to))
        assert told_ends[0].data["past"] is (to >= 0.0)
    cut = replace(table, ruleset=replace(table.ruleset, crossing_test="footprint"))
    assert "ends-under" not in {line.data["kind"] for line in told(cut, move)}


def test_a_road_over_the_end_of_an_exit_is_told_by_how_far_that_comes_out() -> None:
    stands = {"A-P1": (-105.54, 0, 1), "B-P1": (-1.2, -55, 2)}
    table = lay_out(stands, {"A-R1": ("A-P1", (0.0, 0.0))}, to_move=1)
    lines = told(table, build("B-P1", -1.2, 55, 3, cars=[]))
    assert "A-R1 ends 1.2 mm past the middle of B-R0" in texts(lines)


def of_kind(lines: Sequence[Reason], kind: str) -> list[Reason]:
    return [line for line in lines if line.data["kind"] == kind]


def test_a_scoring_crossing_tells_where_by_how_much_and_why() -> None:
    lines = told(lay_out(ACROSS, CROSSED), JUMP)
    assert texts(lines) == [
        "A builds A-P1 of 5 discs, the top one a junction, at (105.0, 0.0) and lays A-R0 from A-P0",
        "over B-R1 at (60.0, 0.0) with 10.9 mm to spare: scores (no other road is above it)",
        "A earns 1 car and places 1",
        "A-C0 stands at 20.9 degrees; friction holds to 19.3: it may slide",
    ]
    # B-R1 is 2 mm thick and level
    assert lines[1].data["mm"] == pytest.approx(12.857 - 2.0, abs=0.001)
    assert lines[1].data["at"] == [60.0, 0.0]


def test_a_taken_side_names_the_road_that_took_it() -> None:
    pillars = {**ACROSS, "A-P1": (30, 30, 4), "A-P2": (90, -50, 5)}
    table = lay_out(pillars, {**CROSSED, "A-R5": ("A-P1", "A-P2")})
    (line, own) = of_kind(told(table, build("A-P0", 105, 0, 4, True)), "crossing")
    assert str(line).startswith("over B-R1 at (60.0, 0.0) with ")
    assert str(line).endswith("earns nothing, A-R5 is 23.0 mm above it at (60.0, -10.0)")
    assert line.data["blockers"] == [
        {"road": "A-R5", "at": pytest.approx([60.0, -10.0]), "mm": pytest.approx(23.0)}
    ]
    assert "A-R5 of the same player" in str(own)
    assert str(own).endswith("crossing one's own road earns nothing")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"crossing_scope": "point"}, "no other road is above it within 13.5 mm"),
        ({"crossing_memory": "history"}, "no other road has passed over it since it was built"),
        ({"own_roads_occlude": False}, "no opponent's road is above it"),
    ],
)
def test_the_reason_follows_the_options(options: dict[str, Any], says: str) -> None:
    (line,) = of_kind(told(lay_out(ACROSS, CROSSED, **options), JUMP), "crossing")
    assert says in str(line)


def test_voided_ramp_and_inactive_crossings_say_so() -> None:
    own = {**ACROSS, "A-P1": (30, -55, 1), "A-P2": (30, 55, 1)}
    lines = told(lay_out(own, {**CROSSED, "A-R1": ("A-P1", "A-P2")}, own_cross_voids=True), JUMP)
    assert any(
        "the new road crosses A-R1 of the same player (own_cross_voids)" in text
        for text in texts(lines)
    )
    two = lay_out(
        {**own, "A-P3": (85, -55, 2), "A-P4": (85, 55, 2)},
        {**CROSSED, "A-R1": ("A-P1", "A-P2"), "A-R2": ("A-P3", "A-P4")},
        own_cross_voids=True,
    )
    (line,) = [line for line in of_kind(told(two, JUMP), "crossing") if line.data["road"] == "B-R1"]
    assert str(line).endswith("the new road crosses 2 roads of the same player (own_cross_voids)")
    assert line.whole.endswith(
        "the new road crosses A-R1 and A-R2 of the same player (own_cross_voids)"
    )
    ramp = lay_out({**ALONE, "B-P1": (60, -55, 1)}, {"B-R1": ("B-P1", (60, 54))}, ramps_count=False)
    assert any("it is a ramp (ramps_count = false)" in text for text in texts(told(ramp, JUMP)))
    pillars = {**ACROSS, "C-P0": (0, 900, 1)}
    left = lay_out(pillars, CROSSED, players=3, to_move=1, inactive_roads_count=False)
    left = play(play(left, Resign()), build("C-P0", 105, 900, 2))
    assert any(
        "B is out or done (inactive_roads_count = false)" in text
        for text in texts(told(left, JUMP))
    )


def test_cars_that_are_not_placed_have_a_reason() -> None:
    poor = lay_out(
        {**ACROSS, "B-P3": (35, 55, 1), "B-P4": (35, -55, 1)},
        {**CROSSED, "B-R2": ("B-P3", "B-P4")},
        stocks=[stock(cars=1), stock()],
    )
    assert "A earns 2 cars and places 1 (A has only 1 left)" in texts(told(poor, JUMP))
    declined = told(lay_out(ACROSS, CROSSED), build("A-P0", 105, 0, 5, True, []))
    assert "A earns 1 car and places 0 (A wants to place no more)" in texts(declined)
    returned = lay_out(ACROSS, CROSSED, stocks=[stock(cars=1), stock()], clean_win=True)
    assert any("(clean_win)" in text for text in texts(told(returned, JUMP, Observed(("B-R1",)))))
    fell = told(lay_out(ACROSS, CROSSED), JUMP, Observed(("A-C0",), placed=0))
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
    assert "B-P0.1 fell: it moved 7.3 mm sideways, more than half its radius (5.0 mm)" in texts(
        lines
    )
    assert any(text.startswith("B-R1 fell: an end is ") for text in texts(lines))
    assert (
        "A owes B 2 discs for 2 fallen pieces and pays 1 yellow disc: A has no more discs"
        in texts(lines)
    )
    (payment,) = of_kind(lines, "payment")
    assert payment.data == {
        "kind": "payment", "from": 0, "to": 1, "owed": 2, "grey": 0, "yellow": 1, "capped": True,
        "given": [{"what": "yellow", "count": 1}], "unit": "disc", "currency": "discs",
    }  # fmt: skip
    own = told(table, AWAY, Observed(("A-P0.1", "B-P0.1")))
    assert "A-P0.1 fell: people saw it (one's own pieces cost nothing)" in texts(own)


def test_the_numbers_of_a_fall_prove_it() -> None:
    table = play(lay_out(ACROSS, CROSSED), JUMP)
    falls = {
        Fall("A-C0", "off its road", -6.3, 8.0): "its middle is 6.3 mm below the top of its road",
        Fall(
            "A-C0", "off its road", 8.04, 8.0
        ): "its middle is 8.04 mm above its road, at most 8.00 mm for a car that stands",
        Fall(
            "A-R0", "off its disc", 2.004, 2.0
        ): "an end is 2.004 mm below its disc, more than the road's thickness (2.000 mm)",
    }
    for fall, says in falls.items():
        assert str(_only(table, fall)) == f"{fall.piece} fell: {says}"


def _only(table: Table, fall: Fall) -> Reason:
    (line,) = of_kind(
        said(table, Pass(), Verdict(legal=True, last=AttemptResult(built=True, falls=(fall,)))),
        "fall",
    )
    return line


def test_an_undone_build_and_its_reason_are_told() -> None:
    table = lay_out(ACROSS, CROSSED)
    lines = texts(told(table, JUMP, Observed(("A-R0",))))
    assert lines == [
        "A's build is undone and the turn is lost: A-R0 fell",
        "A-R0 fell: people saw it",
    ]
    touches, hangs = (
        Breach("A-R0", "touches", "B-R1", -0.01),
        Breach("A-R0", "off the table", None, 21.7),
    )
    assert texts(
        said(table, JUMP, Verdict(legal=True, last=AttemptResult(built=False, breaches=(touches,))))
    ) == [
        "A's build is undone and the turn is lost: A-R0 touches B-R1 where it came to rest",
        "A-R0 touches B-R1 where it came to rest: it must be built again",
    ]
    undone, line = said(
        table, JUMP, Verdict(legal=True, last=AttemptResult(built=False, breaches=(hangs,)))
    )
    assert (
        str(line) == "the lower end of A-R0 hangs 21.7 mm above the table: it must be built again"
    )
    assert (undone.data["reason"], undone.data["pieces"], line.data["mm"]) == (
        "hangs",
        ["A-R0"],
        21.7,
    )
    touched = Verdict(
        legal=True, last=AttemptResult(built=False, settled=SettleResult({}, touched=("X0",)))
    )
    hand = said(lay_out(ACROSS, CROSSED, hand_on_building="redo"), JUMP, touched)
    assert str(hand[0]) == "A's build is undone and the turn is lost: the hand touched X0 (KR 3.3)"


@pytest.mark.parametrize("language", ["en", "fr", "ko"])
@pytest.mark.parametrize("kind", get_args(BreachKind))
def test_every_rule_that_a_build_can_break_is_told_in_every_language(
    kind: BreachKind, language: str
) -> None:
    breach = Breach("A-R0", kind, "B-R1", 21.7)
    verdict = Verdict(legal=True, last=AttemptResult(built=False, breaches=(breach,)))
    undone, line = said(lay_out(ACROSS, CROSSED), JUMP, verdict)
    why = line.sentence.values["why"].told(language)
    assert undone.sentence.told(language).endswith(why)
    assert undone.data["reason"] == line.data["breach"]


def still(*pieces: str) -> Verdict:
    """The verdict on a build whose pieces still moved when time was up."""
    return Verdict(True, last=AttemptResult(True, settled=SettleResult({}, restless=pieces)))


def test_every_failed_try_is_told_before_what_came_of_the_last_one() -> None:
    table = lay_out(ACROSS, CROSSED)
    fell = (Fall("B-R1", "off its disc", 0.5), Fall("A-R0", "observed"))
    first = AttemptResult(False, fell, SettleResult({}, touched=("X0", "B-R1")))
    second = AttemptResult(False, breaches=(Breach("A-R0", "touches", "B-R1", 0.0),))
    verdict = Verdict(
        legal=True,
        last=AttemptResult(built=True),
        failed=(first, second, AttemptResult(False)),
        owed=((1, 1),),
        paid=(Payment(1, grey=1),),
    )
    assert texts(said(table, AWAY, verdict)) == [
        "A builds A-P1 of 2 discs at (-105.0, 0.0) and lays A-R0 from A-P0, at try 4",
        "try 1: B-R1 fell: an end is 0.5 mm off its disc",
        "try 1: A-R0 fell: people saw it",
        "try 1: the hand touches the building X0",
        "try 2: A-R0 touches B-R1 where it came to rest: it must be built again",
        "try 3: people say that it did not stand",
        "it crosses no road",
        "A earns 0 cars and places 0",
        "A owes B 1 disc for 1 fallen piece and pays 1 grey disc",
    ]


def test_a_car_that_did_not_stay_is_told_where_it_went() -> None:
    table = lay_out(ACROSS, CROSSED)
    back = PutBack("A-C0", CarSpot(0.5), CarSpot(0.31), "fell")
    lines = said(
        table,
        AWAY,
        Verdict(
            True,
            last=AttemptResult(
                True, earned=1, spots=(CarSpot(0.31),), cars=("A-C0",), put_back=(back,)
            ),
        ),
    )
    assert texts(lines)[-1] == "A-C0 slid off A-R0 at 0.50 and is put back at 0.31"
    gone = PutBack("A-C0", CarSpot(0.31), None, "touches")
    lines = said(
        table, AWAY, Verdict(True, last=AttemptResult(True, earned=1, put_back=(back, gone)))
    )
    assert (
        texts(lines)[-1] == "A-C0 touched another piece on A-R0 at 0.31 and goes back to A's stock"
    )
    assert "A earns 1 car and places 0 (A-C0 did not stay on the road)" in texts(lines)
    seen = texts(told(table, JUMP, Observed(("A-C0",), placed=0)))
    assert "A-C0 did not stay on A-R0 and goes back to A's stock" in seen
    assert not any("cost nothing" in text for text in seen)


def test_a_record_that_knows_where_a_car_stands_at_last_tells_that_it_was_put_back() -> None:
    table = lay_out(ACROSS, CROSSED)
    wanted = build("A-P0", 105, 0, 5, True, [CarSpot(0.5)])
    rest = {
        piece: pose
        for piece, pose in at_rest(table, wanted).items()
        if piece not in table.piece_ids
    }
    verdict, _, _ = judge(table, wanted, [Attempt(Recorded(rest, (CarSpot(0.31),)))])
    assert verdict.put_back == (PutBack("A-C0", CarSpot(0.5), CarSpot(0.31)),)
    assert "A-C0 did not stay on A-R0 at 0.50 and is put back at 0.31" in texts(
        said(table, wanted, verdict)
    )


def test_pieces_that_still_moved_are_told() -> None:
    (line,) = of_kind(said(lay_out(ALONE), AWAY, still("A-R0")), "restless")
    assert str(line) == "A-R0 still moved when time was up: its place is not certain"
    many = tuple(f"B-P1.{n}" for n in range(1, 6))
    (line,) = of_kind(said(lay_out(ALONE), AWAY, still(*many)), "restless")
    assert (
        str(line)
        == "B-P1.1, B-P1.2 and 3 more still moved when time was up: their places are not certain"
    )
    assert "B-P1.5" in line.whole


def test_players_are_called_by_their_names() -> None:
    table = lay_out(ACROSS, CROSSED)
    verdict, _, _ = judge(table, JUMP, [Attempt(Observed(("B-R1",)))])
    assert texts(explain(table, JUMP, verdict, ("you", "bo")))[::2] == [
        "you build A-P1 of 5 discs, the top one a junction, at (105.0, 0.0) and lay A-R0 from A-P0",
        "you earn 1 car and place 1",
        "B-R1 fell: people saw it",
    ]
    (debt,) = of_kind(explain(table, JUMP, verdict, ("ann", "ann")), "payment")
    assert str(debt) == "ann (A) owes ann (B) 1 disc for 1 fallen piece and pays 1 grey disc"
    assert "bo" in of_kind(explain(table, JUMP, verdict, ("ann", "bo")), "payment")[0].told("fr")


def test_a_crossing_with_several_roads_on_its_side_names_the_first_and_all_in_full() -> None:
    pillars = {
        **ACROSS,
        "A-P1": (30, 30, 4),
        "A-P2": (90, -50, 5),
        "C-P0": (0, 900, 1),
        "C-P1": (20, 40, 7),
        "C-P2": (105, 30, 8),
    }
    table = lay_out(
        pillars, {**CROSSED, "A-R5": ("A-P1", "A-P2"), "C-R5": ("C-P1", "C-P2")}, players=3
    )
    crossings = of_kind(told(table, build("A-P0", 105, 0, 4, True)), "crossing")
    line = next(line for line in crossings if line.data["road"] == "B-R1")
    assert str(line).endswith("earns nothing, A-R5 and 1 more road are above it")
    assert "A-R5 is 23.0 mm above it at (60.0, -10.0) and C-R5 is " in line.whole
    assert [blocker["road"] for blocker in line.data["blockers"]] == ["A-R5", "C-R5"]


def test_a_road_that_does_not_count_is_not_denied() -> None:
    pillars = {**ACROSS, "C-P0": (0, 900, 1), "C-P1": (20, 40, 7), "C-P2": (105, 30, 8)}
    table = lay_out(
        pillars,
        {**CROSSED, "C-R5": ("C-P1", "C-P2")},
        players=3,
        to_move=2,
        inactive_roads_count=False,
    )
    (line,) = [
        line
        for line in of_kind(told(play(table, Resign()), JUMP), "crossing")
        if line.data["road"] == "B-R1"
    ]
    assert str(line).endswith("scores (no other active road is above it)")


def test_a_car_that_may_slide_is_told_before_it_is_placed_and_in_the_verdict() -> None:
    table = lay_out(ACROSS, CROSSED)
    (car,) = steep_cars(table, JUMP)
    assert (car.car, round(car.holds, 1)) == ("A-C0", 19.3)
    assert car.degrees > car.holds
    assert str(steep_line(car)).startswith("A-C0 stands at ")
    assert steep_cars(table, AWAY) == ()
    assert steep_cars(table, build("A-P0", 105, 0, 5, True, [])) == ()
    assert of_kind(told(table, JUMP), "doubt")
    gentle = lay_out({**ACROSS, "A-P0": (0, 0, 3)}, CROSSED)
    assert not of_kind(told(gentle, build("A-P0", 105, 0, 4)), "doubt")


def test_new_pieces_that_statics_finds_out_of_balance_are_told() -> None:
    table = lay_out(ALONE)
    rest = {
        piece: pose for piece, pose in at_rest(table, AWAY).items() if piece not in table.piece_ids
    }
    _, stands, _ = judge(table, AWAY, [Attempt(Recorded(rest))])
    assert tipping(table, stands) is None
    failure = tipping(
        table, replace(stands, poses={**stands.poses, "A-R0": moved(rest["A-R0"], dx=58.0)})
    )
    assert failure is not None
    assert str(balance_line(failure)).startswith("by statics the build is out of balance, A-R0 ")
    assert balance_line(failure).told("ko")


@pytest.mark.slow
def test_no_sentence_on_a_ply_is_longer_than_a_line() -> None:
    """120 characters with the indentation that `shutoko replay` gives it."""
    for name in ("three-players", "junction-exit", "noted-by-hand", "four-players"):
        record = read(asset("records", f"{name}.jsonl"))
        for step in trusted(record):
            for line in explain(step.before, step.placement, step.verdict, record.header.players):
                assert len(line.text) <= 112, line.text


def test_illegal_moves_are_told_fault_by_fault() -> None:
    lines = told(lay_out(ALONE, stocks=[stock(grey=1)] * 2), build("A-P0", 105, 0, 3))
    assert [line.data["code"] for line in lines] == ["height", "stock-grey"]
    assert all(str(line).startswith("illegal: ") for line in lines)


def test_passing_resigning_and_building_are_told() -> None:
    poor = lay_out(ALONE, stocks=[stock(roads=0), stock()])
    assert texts(told(poor, Pass())) == ["A misses the turn: no road is left"]
    assert texts(told(lay_out(ALONE, may_pass=True), Pass())) == [
        "A misses the turn: a turn may be passed (may_pass)"
    ]
    no_base = lay_out({"A-P0": (0, 0, 2), "A-P1": (105, 0, 1), "B-P0": (0, 500, 1)},
                      {"A-R1": ("A-P0", "A-P1"), "A-R2": ("A-P1", (210, 0))})  # fmt: skip
    assert texts(told(no_base, Pass())) == [
        "A misses the turn: no base point is left to build from"
    ]
    lines = texts(told(lay_out(ALONE), Resign()))
    assert lines == [
        "A resigns; what A built stays",
        "A is out: resigned",
        "the game is over (by resignation): B wins",
    ]
    table = Table.start(3)
    for seat in range(3):
        table = play(table, table.default_entrance(seat))
    assert texts(told(table, SetBuilding("tower", (400, 0)))) == [
        "C sets the tower X0 at (400.0, 0.0); it never moves again"
    ]


def test_who_is_out_and_why_in_both_ways_of_elimination() -> None:
    table = play(lay_out(ALONE, stocks=[stock(roads=0), stock()]), "pass")
    lines = texts(told(table, build("B-P0", 105, 500, 2)))
    assert "A is out: still unable to build one turn later, no road is left (KR 10.2)" in lines
    assert lines[-1] == "the game is over (the others are out): B wins"
    french = play(lay_out(ALONE, stocks=[stock(roads=1), stock()], elimination="fr"), AWAY)
    lines = texts(told(french, build("B-P0", 105, 500, 2)))
    assert (
        lines[-2]
        == "A is out: no road is left, and all others had one more turn without a penalty (FR 10.2)"
    )
    pillars = {"A-P0": (0, 0, 1), "B-P0": (0, 500, 1), "C-P0": (0, 900, 1)}
    three = lay_out(pillars, stocks=[stock(roads=1), stock(), stock()], players=3, elimination="fr")
    three = play(play(three, AWAY), build("B-P0", 105, 500, 2))
    assert (
        "A is out: no road is left, and all others had one more turn without a penalty (FR 10.2)"
        in texts(told(three, build("C-P0", 105, 900, 2)))
    )


def test_the_win_its_rank_and_a_turn_that_goes_on_are_told() -> None:
    lines = texts(told(lay_out(ACROSS, CROSSED, stocks=[stock(cars=1), stock()]), JUMP))
    assert lines[-2:] == [
        "A has placed all cars and wins",
        "the game is over (all cars are placed): A wins",
    ]
    assert (
        texts(told(lay_out(ALONE, turn_end="until_car"), AWAY))[-1]
        == "A goes on: no car was placed yet (turn_end = until_car)"
    )


# --- slots ----------------------------------------------------------------------------------------


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
    assert taker.mm == pytest.approx(10.857, abs=0.001)
    assert by_road(table)["A-R0"].text == "A-R0: over free, under taken by B-R1 at (60.0, 0.0)"


def test_slots_depend_on_who_asks_if_own_roads_do_not_occlude() -> None:
    table = play(
        lay_out({**ACROSS, "C-P0": (0, 900, 1)}, CROSSED, players=3, own_roads_occlude=False), JUMP
    )
    slot = by_road(table)["B-R1"]
    assert slot.over.free_for == (0,)
    assert slot.text == "B-R1: over taken by A-R0 at (60.0, 0.0), free for A, under free"


def test_slots_of_a_point_of_a_ramp_and_of_a_player_who_left() -> None:
    pillars = {**ACROSS, "C-P0": (0, 900, 1)}
    local = by_road(play(lay_out(pillars, CROSSED, players=3, crossing_scope="point"), JUMP))[
        "B-R1"
    ]
    assert local.text == "B-R1: over free but within 13.5 mm of A-R0 at (60.0, 0.0), under free"
    ramp = lay_out({**ALONE, "B-P1": (60, -55, 1)}, {"B-R1": ("B-P1", (60, 54))}, ramps_count=False)
    assert by_road(ramp)["B-R1"].text == "B-R1: a ramp earns nobody a car (ramps_count = false)"
    left = play(
        lay_out(pillars, CROSSED, players=3, to_move=1, inactive_roads_count=False), Resign()
    )
    slot = by_road(left)["B-R1"]
    assert (slot.over.free_for, slot.nobody.startswith("B is out")) == ((), True)


def test_a_free_slot_is_one_that_scores() -> None:
    """What the slots call free for A earns A a car, what they call taken does not."""
    table = play(
        lay_out(
            {**ACROSS, "C-P0": (30, -80, 5), "C-P1": (130, 0, 1)}, CROSSED, players=3, to_move=0
        ),
        AWAY,
    )
    slot = by_road(table)["B-R1"]
    assert slot.over.free_for == (0, 2)
