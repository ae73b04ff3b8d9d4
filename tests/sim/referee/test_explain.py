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
from sim.bodies import SettleResult
from sim.game.ply import Attempt, judge
from sim.game.replay import trusted
from sim.game.sources import Observed, PoseSource, Recorded
from sim.game.stability import balance_line, steep_cars, tipping
from sim.referee.explain import KINDS, Reason, explain, slots, steep_line
from sim.referee.placement import CarSpot, Pass, Placement, Resign, SetBuilding
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
from tests.tables import (
    ACROSS,
    ALONE,
    AWAY,
    CROSSED,
    JUMP,
    THREE,
    at_rest,
    build,
    entrances,
    exit_to,
    lay_out,
    moved,
    new_at_rest,
    play,
    stock,
    told,
)

# A runs along y at x = 0; B-P1 stands so that an exit to the table under it ends at (to, 0)
UNDER = {"A-P1": (0, -55, 2), "A-P2": (0, 55, 3)}


def said(table: Table, move: Placement, verdict: Verdict) -> tuple[Reason, ...]:
    return checked(explain(table, move, verdict))


def checked(lines: tuple[Reason, ...]) -> tuple[Reason, ...]:
    json.dumps([line.to_json() for line in lines], allow_nan=False)  # everything is plain data
    for line in lines:
        assert line.data["kind"] in KINDS
        assert all(map(line.told, ("ko", "fr")))
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


def knocked(table: Table, move: Placement) -> Recorded:
    """B-P0's disc and B's road came to lie elsewhere."""
    poses = at_rest(table, move)
    new = new_at_rest(table, move)
    fallen = {"B-P0.1": moved(poses["B-P0.1"], dx=7.3), "B-R1": moved(poses["B-R1"], dy=80.0)}
    return Recorded(SettleResult({**new, **fallen}))


FREE, OVER_B = lay_out(ACROSS, CROSSED), {**CROSSED, "A-R5": ("A-P1", "A-P2")}
POOR = lay_out(ACROSS, CROSSED, stocks=[stock(grey=2, yellow=1), stock()])
TWO = lay_out(
    {**ACROSS, "B-P3": (35, 55, 1), "B-P4": (35, -55, 1)},
    {**CROSSED, "B-R2": ("B-P3", "B-P4")},
    stocks=[stock(cars=1), stock()],
)
NO_ROAD = lay_out(ALONE, stocks=[stock(roads=0), stock()])
NO_BASE = lay_out(
    {"A-P0": (0, 0, 2), "A-P1": (105, 0, 1), "B-P0": (0, 500, 1)},
    {"A-R1": ("A-P0", "A-P1"), "A-R2": ("A-P1", (210, 0))},
)
ONE_CAR = lay_out(ACROSS, CROSSED, stocks=[stock(cars=1), stock()])
B_2 = build("B-P0", 105, 500, 2)
OUT_FR = "A is out: no road is left, and all others had one more turn without a penalty (FR 10.2)"
TOLD = [
    # why, table, move, sources, the last sentences (or all of them)
    ("a scoring crossing: where, by how much and why", FREE, JUMP, (), [
        "A builds A-P1 of 5 discs, the top one a junction, at (105.0, 0.0) and lays A-R0 from A-P0",
        "over B-R1 at (60.0, 0.0) with 10.9 mm to spare: scores (no other road is above it)",
        "A earns 1 car and places 1",
        "A-C0 stands at 20.9 degrees; friction holds to 19.3: it may slide",
    ]),
    ("a stock of too few cars", TWO, JUMP, (), ["A earns 2 cars and places 1 (A has only 1 left)"]),
    ("declined cars", FREE, build("A-P0", 105, 0, 5, True, []), (),
     ["A earns 1 car and places 0 (A wants to place no more)"]),
    ("a car that fell", FREE, JUMP, (Observed(("A-C0",), placed=0),), [
        "A earns 1 car and places 0 (A-C0 did not stay on the road)",
        "A-C0 did not stay on A-R0 and goes back to A's stock",
    ]),
    ("an exit and its bonus", lay_out(ALONE), exit_to("A-P0", -109.5, 0), (), [
        "A lays A-R0, an exit from A-P0 to the table at (-109.5, 0.0)",
        "it crosses no road",
        "the exit earns 1 car as a bonus (FR 8, KR 8)",
        "A earns 1 car and places 1",
    ]),
    ("falls by their test, and who pays", POOR, AWAY, (knocked(POOR, AWAY),), [
        "B-P0.1 fell: it moved 7.3 mm sideways, more than half its radius (5.0 mm)",
        "A owes B 2 discs for 2 fallen pieces and pays 1 yellow disc: A has no more discs",
    ]),
    ("own pieces cost nothing", FREE, AWAY, (Observed(("A-P0.1", "B-P0.1")),),
     ["A-P0.1 fell: people saw it (one's own pieces cost nothing)"]),
    ("an undone build", FREE, JUMP, (Observed(("A-R0",)),), [
        "A's build is undone and the turn is lost: A-R0 fell",
        "A-R0 fell: people saw it",
    ]),
    ("a pass without roads", NO_ROAD, Pass(), (), ["A misses the turn: no road is left"]),
    ("a pass without a base", NO_BASE, Pass(), (),
     ["A misses the turn: no base point is left to build from"]),
    ("a resignation", lay_out(ALONE), Resign(), (), [
        "A resigns; what A built stays",
        "A is out: resigned",
        "the game is over (by resignation): B wins",
    ]),
    ("a building", entrances(3), SetBuilding("tower", (400, 0)), (),
     ["C sets the tower X0 at (400.0, 0.0); it never moves again"]),
    ("who is out (KR)", play(NO_ROAD, "pass"), B_2, (), [
        "A is out: still unable to build one turn later, no road is left (KR 10.2)",
        "the game is over (the others are out): B wins",
    ]),
    ("who is out (FR)",
     play(lay_out(ALONE, stocks=[stock(roads=1), stock()], elimination="fr"), AWAY), B_2, (),
     [OUT_FR, "the game is over (the others are out): B wins"]),
    ("the win and its rank", ONE_CAR, JUMP, (),
     ["A has placed all cars and wins", "the game is over (all cars are placed): A wins"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "move", "sources", "says"), [pytest.param(*rest, id=why) for why, *rest in TOLD]
)
def test_a_verdict_is_told(
    table: Table, move: Placement, sources: tuple[PoseSource, ...], says: list[str]
) -> None:
    lines = texts(checked(told(table, move, *sources)))
    assert [line for line in lines if line in says] == says, lines


def test_the_data_of_a_crossing_and_of_a_payment_say_what_the_sentences_do() -> None:
    (line,) = of_kind(told(FREE, JUMP), "crossing")
    # B-R1 is 2 mm thick and level
    assert line.data["mm"] == pytest.approx(12.857 - 2.0, abs=0.001)
    assert line.data["at"] == [60.0, 0.0]
    lines = told(POOR, AWAY, knocked(POOR, AWAY))
    assert any(text.startswith("B-R1 fell: an end is ") for text in texts(lines))
    (payment,) = of_kind(lines, "payment")
    assert payment.data == {
        "kind": "payment", "from": 0, "to": 1, "owed": 2, "grey": 0, "yellow": 1, "capped": True,
        "given": [{"what": "yellow", "count": 1}], "unit": "disc", "currency": "discs",
    }  # fmt: skip


def test_a_taken_side_names_the_road_that_took_it_and_all_in_full() -> None:
    pillars = {**ACROSS, "A-P1": (30, 30, 4), "A-P2": (90, -50, 5)}
    move = build("A-P0", 105, 0, 4, True)
    (line, own) = of_kind(told(lay_out(pillars, OVER_B), move), "crossing")
    assert str(line).startswith("over B-R1 at (60.0, 0.0) with ")
    assert str(line).endswith("earns nothing, A-R5 is 23.0 mm above it at (60.0, -10.0)")
    assert line.data["blockers"] == [
        {"road": "A-R5", "at": pytest.approx([60.0, -10.0]), "mm": pytest.approx(23.0)}
    ]
    assert "A-R5 of the same player" in str(own)
    more = {"C-P0": (0, 900, 1), "C-P1": (20, 40, 7), "C-P2": (105, 30, 8)}
    table = lay_out({**pillars, **more}, {**OVER_B, "C-R5": ("C-P1", "C-P2")}, players=3)
    line, *_ = of_kind(told(table, move), "crossing")
    assert str(line).endswith("earns nothing, A-R5 and 1 more road are above it")
    assert "A-R5 is 23.0 mm above it at (60.0, -10.0) and C-R5 is " in line.whole
    assert [blocker["road"] for blocker in line.data["blockers"]] == ["A-R5", "C-R5"]


def test_a_crossing_voided_by_two_own_roads_names_both_in_full() -> None:
    pillars = {**ACROSS, "A-P1": (30, -55, 1), "A-P2": (30, 55, 1)}
    pillars |= {"A-P3": (85, -55, 2), "A-P4": (85, 55, 2)}
    roads = {**CROSSED, "A-R1": ("A-P1", "A-P2"), "A-R2": ("A-P3", "A-P4")}
    line, *_ = of_kind(told(lay_out(pillars, roads, own_cross_voids=True), JUMP), "crossing")
    assert str(line).endswith("the new road crosses 2 roads of the same player (own_cross_voids)")
    assert line.whole.endswith("crosses A-R1 and A-R2 of the same player (own_cross_voids)")


def test_a_road_that_does_not_count_is_not_denied() -> None:
    pillars = {**ACROSS, "C-P0": (0, 900, 1), "C-P1": (20, 40, 7), "C-P2": (105, 30, 8)}
    roads, left = {**CROSSED, "C-R5": ("C-P1", "C-P2")}, {"inactive_roads_count": False}
    table = play(lay_out(pillars, roads, players=3, to_move=2, **left), Resign())
    line, *_ = of_kind(told(table, JUMP), "crossing")
    assert str(line).endswith("scores (no other active road is above it)")


TOUCHES = Breach("A-R0", "touches", "B-R1", -0.01)
HANGS = Breach("A-R0", "off the table", None, 21.7)
BACK = PutBack("A-C0", CarSpot(0.5), CarSpot(0.31), "fell")
GONE = PutBack("A-C0", CarSpot(0.31), None, "touches")
MANY = tuple(f"B-P1.{n}" for n in range(1, 6))
SPOTS = {"spots": (CarSpot(0.31),), "cars": ("A-C0",)}
REDO = lay_out(ACROSS, CROSSED, hand_on_building="redo")
UNDONE = "A's build is undone and the turn is lost: "
AFTERWARDS = [
    # why, table, how the last attempt ended, the sentences
    ("a car below its road", FREE, AttemptResult(True, (Fall("A-C0", "off its road", -6.3, 8.0),)),
     ["A-C0 fell: its middle is 6.3 mm below the top of its road"]),
    ("a car above it", FREE, AttemptResult(True, (Fall("A-C0", "off its road", 8.04, 8.0),)),
     ["A-C0 fell: its middle is 8.04 mm above its road, at most 8.00 mm for a car that stands"]),
    ("a hanging end", FREE, AttemptResult(True, (Fall("A-R0", "off its disc", 2.004, 2.0),)), [
        "A-R0 fell: an end is 2.004 mm below its disc, more than the road's thickness (2.000 mm)"
    ]),
    ("a touch", FREE, AttemptResult(False, breaches=(TOUCHES,)), [
        UNDONE + "A-R0 touches B-R1 where it came to rest",
        "A-R0 touches B-R1 where it came to rest: it must be built again",
    ]),
    ("a ramp in the air", FREE, AttemptResult(False, breaches=(HANGS,)),
     ["the lower end of A-R0 hangs 21.7 mm above the table: it must be built again"]),
    ("a hand on a building", REDO, AttemptResult(False, settled=SettleResult({}, ("X0",))),
     [UNDONE + "the hand touched X0 (KR 3.3)"]),
    ("a car put back", FREE, AttemptResult(True, earned=1, put_back=(BACK,), **SPOTS),
     ["A-C0 slid off A-R0 at 0.50 and is put back at 0.31"]),
    ("a car that stands nowhere", FREE, AttemptResult(True, earned=1, put_back=(BACK, GONE)), [
        "A earns 1 car and places 0 (A-C0 did not stay on the road)",
        "A-C0 touched another piece on A-R0 at 0.31 and goes back to A's stock",
    ]),
    ("a restless piece", FREE, AttemptResult(True, settled=SettleResult({}, restless=("A-R0",))),
     ["A-R0 still moved when time was up: its place is not certain"]),
    ("many", FREE, AttemptResult(True, settled=SettleResult({}, restless=MANY)), [
        "B-P1.1, B-P1.2 and 3 more still moved when time was up: their places are not certain"
    ]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "last", "says"), [pytest.param(*rest, id=why) for why, *rest in AFTERWARDS]
)
def test_what_came_of_the_last_attempt_is_told(
    table: Table, last: AttemptResult, says: list[str]
) -> None:
    lines = said(table, AWAY, Verdict(legal=True, last=last))
    assert [line for line in texts(lines) if line in says] == says, texts(lines)
    restless = last.settled.restless if last.settled is not None else ()
    assert all(any(piece in line.whole for line in lines) for piece in restless)


@pytest.mark.parametrize("language", ["en", "fr", "ko"])
@pytest.mark.parametrize("kind", get_args(BreachKind))
def test_every_rule_that_a_build_can_break_is_told_in_every_language(
    kind: BreachKind, language: str
) -> None:
    breach = Breach("A-R0", kind, "B-R1", 21.7)
    verdict = Verdict(legal=True, last=AttemptResult(built=False, breaches=(breach,)))
    undone, line = said(FREE, JUMP, verdict)
    why = line.sentence.values["why"].told(language)
    assert undone.sentence.told(language).endswith(why)
    assert undone.data["reason"] == line.data["breach"]


def test_every_failed_try_is_told_before_what_came_of_the_last_one() -> None:
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
    assert texts(said(FREE, AWAY, verdict)) == [
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


def test_a_record_that_knows_where_a_car_stands_at_last_tells_that_it_was_put_back() -> None:
    wanted = build("A-P0", 105, 0, 5, True, [CarSpot(0.5)])
    rest = new_at_rest(FREE, wanted)
    lines = texts(told(FREE, wanted, Recorded(SettleResult(rest), (CarSpot(0.31),))))
    assert "A-C0 did not stay on A-R0 at 0.50 and is put back at 0.31" in lines


def test_players_are_called_by_their_names() -> None:
    verdict, _, _ = judge(FREE, JUMP, [Attempt(Observed(("B-R1",)))])
    assert texts(explain(FREE, JUMP, verdict, ("you", "bo")))[::2] == [
        "you build A-P1 of 5 discs, the top one a junction, at (105.0, 0.0) and lay A-R0 from A-P0",
        "you earn 1 car and place 1",
        "B-R1 fell: people saw it",
    ]
    (debt,) = of_kind(explain(FREE, JUMP, verdict, ("ann", "ann")), "payment")
    assert str(debt) == "ann (A) owes ann (B) 1 disc for 1 fallen piece and pays 1 grey disc"
    assert "bo" in of_kind(explain(FREE, JUMP, verdict, ("ann", "bo")), "payment")[0].told("fr")


GENTLE = lay_out({**ACROSS, "A-P0": (0, 0, 3)}, CROSSED)


@pytest.mark.parametrize(
    ("table", "move", "cars"),
    [
        pytest.param(FREE, JUMP, ["A-C0"], id="20.9 degrees"),
        pytest.param(FREE, AWAY, [], id="no car"),
        pytest.param(FREE, build("A-P0", 105, 0, 5, True, []), [], id="a declined car"),
        pytest.param(GENTLE, build("A-P0", 105, 0, 4), [], id="a gentle slope"),
    ],
)
def test_a_car_that_may_slide_is_told_before_it_is_placed_and_in_the_verdict(
    table: Table, move: Placement, cars: list[str]
) -> None:
    found = steep_cars(table, move)
    assert [car.car for car in found] == cars
    assert all(str(steep_line(car)).startswith("A-C0 stands at 23.4 degrees") for car in found)
    assert len(of_kind(told(table, move), "doubt")) == len(cars)


def test_new_pieces_that_statics_finds_out_of_balance_are_told() -> None:
    table = lay_out(ALONE)
    rest = new_at_rest(table, AWAY)
    _, stands, _ = judge(table, AWAY, [Attempt(Recorded(SettleResult(rest)))])
    assert tipping(table, stands) is None
    aside = {**stands.poses, "A-R0": moved(rest["A-R0"], dx=58.0)}
    failure = tipping(table, replace(stands, poses=aside))
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


# --- slots ----------------------------------------------------------------------------------------

RAMP = ({**ALONE, "B-P1": (60, -55, 1)}, {"B-R1": ("B-P1", (60, 54))})


def three(**options: Any) -> Table:
    return play(lay_out(THREE, CROSSED, players=3, **options), JUMP)


LEFT = play(three(inactive_roads_count=False), Resign())


@pytest.mark.parametrize(
    ("table", "road", "says", "over", "under"),
    [
        pytest.param(three(), "B-R1", "over taken by A-R0 at (60.0, 0.0), under free",
                     (), (0, 2), id="what is free and what took it"),
        pytest.param(three(), "A-R0", "over free, under taken by B-R1 at (60.0, 0.0)",
                     (1, 2), (), id="from the other road"),
        pytest.param(three(own_roads_occlude=False), "B-R1",
                     "over taken by A-R0 at (60.0, 0.0), free for A, under free",
                     (0,), (0, 2), id="it depends on who asks if own roads do not occlude"),
        pytest.param(three(crossing_scope="point"), "B-R1",
                     "over free but within 13.5 mm of A-R0 at (60.0, 0.0), under free",
                     (0, 2), (0, 2), id="a place on it"),
        pytest.param(lay_out(*RAMP, ramps_count=False), "B-R1",
                     "a ramp earns nobody a car (ramps_count = false)", (), (), id="a ramp"),
        pytest.param(LEFT, "B-R1", "B is out", (), (), id="a road of a player who left"),
        pytest.param(LEFT, "A-R0", "over free, under free", (2,), (2,), id="and one of another"),
    ],
)  # fmt: skip
def test_slots_tell_what_is_free_for_whom_and_what_took_it(
    table: Table, road: str, says: str, over: tuple[int, ...], under: tuple[int, ...]
) -> None:
    found = {slot.road: slot for slot in slots(table)}
    json.dumps([slot.to_json() for slot in found.values()], allow_nan=False)
    assert found[road].text.startswith(f"{road}: {says}")
    assert (found[road].over.free_for, found[road].under.free_for) == (over, under)
    for taker in found["B-R1"].over.takers:
        assert taker.mm == pytest.approx(10.857, abs=0.001)
