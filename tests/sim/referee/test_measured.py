"""Games noted by hand: numbers off a ruler make remarks, not refusals, and some crossings are too
close to tell.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rules import record as records
from rules.errors import RecordError
from rules.record import Entry, Header, Record
from shutoko.cli import main
from sim import referee
from sim.assets import asset
from sim.game import replay
from sim.game.attempts.attempt import Attempt
from sim.game.attempts.lying import as_it_lies
from sim.game.ply import judge
from sim.game.sources import Observed
from sim.game.verify import verify as verify_table
from sim.referee.checks import with_cars_seen
from sim.referee.explain import explain
from sim.referee.placement import CarSpot, Pass
from sim.referee.table import Table
from tests.tables import build, exit_to, lay_out, stock

GAMES = sorted(path for path in asset("records").glob("*.jsonl") if "noted" not in path.name)
OVER = {"A-P0": (-55, 0, 3), "B-P0": (0, -55, 2), "B-P1": (0, 55, 1)}


def measured(table: Table, tolerance: float = 3.0) -> Table:
    return replace(table, tolerance=tolerance)


def codes(faults: tuple[Any, ...]) -> list[str]:
    return [fault.code for fault in faults]


def noted(record: Record, rng: np.random.Generator, by: float) -> Record:
    """A game as people would note it: each number off by up to `by` mm (a direction as far at a
    ramp's end) and rounded, the cars that were taken and what fell; no poses.
    """
    entries = []
    for entry in record.entries:
        if entry.taken_back:
            continue
        do, got = json.loads(json.dumps(entry.do)), entry.got or {}
        for part in do.values() if isinstance(do, dict) else ():
            for key in {"pillar", "to", "at"} & set(part) if isinstance(part, dict) else ():
                part[key] = [round(n + float(rng.uniform(-by, by))) for n in part[key]]
            for key in {"toward", "turn"} & set(part) if isinstance(part, dict) else ():
                part[key] = round(part[key] + float(rng.uniform(-by, by)) / 2)
        if isinstance(do, dict):
            do.pop("cars", None)
        claim = {"cars": got["cars"]} if "cars" in got else None
        observed = {"fallen": got["fallen"]} if got.get("fallen") else None
        entries.append(
            replace(
                entry,
                do=do,
                hand=None,
                got=None,
                tries=None,
                claim=claim,
                observed=observed,
                extra={},
            )
        )
    header = replace(record.header, observed=True, physics=None, seed=None)
    return replace(record, header=header, entries=tuple(entries), end=None, notes=())


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
@pytest.mark.parametrize("by", [0.0, 2.0])
def test_a_shipped_game_noted_with_a_ruler_is_legal_and_its_cars_lie_within_the_counts(
    path: Path, by: float
) -> None:
    for seed in range(3 if by else 1):
        game = noted(records.read(path), np.random.default_rng(seed), by)
        for step in replay.steps(game, "none"):
            assert step.verdict.legal
            said = (step.entry.claim or {}).get("cars")
            if said is not None:
                least, most = step.verdict.between or (step.verdict.earned, step.verdict.earned)
                assert least <= said <= most, (step.entry.ply, seed)
        assert verify_table(game, "rules").ok


def test_the_worked_example_of_a_noted_game_comes_out_the_same_with_every_number_2_mm_off() -> None:
    record = records.read(asset("records", "noted-by-hand.jsonl"))
    for seed in range(10):
        rng = np.random.default_rng(seed)
        off = noted(record, rng, 2.0).entries
        entries = tuple(
            replace(entry, do=moved.do) for entry, moved in zip(record.entries, off, strict=True)
        )
        report = verify_table(replace(record, entries=entries), "rules")
        assert [(wrong.ply, wrong.expected, wrong.found) for wrong in report.claims] == [
            (5, 2, 1)
        ], seed
        assert not report.mismatches


def test_a_road_too_long_by_less_than_the_ruler_is_off_is_a_remark() -> None:
    table = lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 500, 1)})
    far = build("A-P0", 127, 0, 2)
    assert codes(referee.before(table, far)) == ["reach", "reach"]
    assert referee.check(table, far).remarks == ()
    assert referee.before(measured(table), far) == ()
    assert codes(referee.check(measured(table), far).remarks) == ["reach", "reach"]
    assert codes(referee.before(measured(table), build("A-P0", 136, 0, 2))) == ["reach", "reach"]
    assert codes(referee.before(measured(table, 0.5), far)) == ["reach", "reach"]


@pytest.mark.parametrize("away", [105, 124, 127, 130])
def test_a_road_noted_too_long_lies_on_its_pillars_all_the_same(away: float) -> None:
    """Else it lay on the table, and roads that crossed it later earned nothing."""
    table = measured(lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 500, 1)}))
    _, after, _ = judge(table, build("A-P0", away, 0, 2), [Attempt(Observed(()))])
    (line,) = as_it_lies(after).lines
    assert line.levels == pytest.approx((1.0, 2.0), abs=0.2)


@pytest.mark.parametrize("away", [106, 118, 121])
def test_an_exit_noted_too_long_leaves_its_pillar_all_the_same(away: float) -> None:
    table = measured(lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 500, 1)}))
    _, after, _ = judge(table, exit_to("A-P0", away, 0), [Attempt(Observed(()))])
    (line,) = as_it_lies(after).lines
    assert line.levels[0] == pytest.approx(1.0, abs=0.2)


def test_a_road_above_a_pillar_is_a_remark_only_as_far_as_both_may_be_off() -> None:
    near, under = (
        lay_out({"A-P0": (0, 0, 1), "B-P0": (50, 9, 1)}),
        lay_out({"A-P0": (0, 0, 1), "B-P0": (50, 2, 1)}),
    )
    move = build("A-P0", 105, 0, 2)
    assert codes(referee.check(measured(near), move).remarks) == ["over-pillar"]
    assert referee.before(measured(near), move) == ()
    assert codes(referee.before(measured(under), move)) == ["over-pillar"]


def test_roads_that_meet_at_one_height_are_refused_unless_they_rise_apart_fast() -> None:
    level = lay_out(
        {"A-P0": (-55, 0, 2), "B-P0": (0, -55, 2), "B-P1": (0, 55, 1)}, {"B-R0": ("B-P0", "B-P1")}
    )
    move = build("A-P0", 55, 0, 1)
    assert codes(referee.before(level, move)) == ["touches-road"]
    assert codes(referee.before(measured(level), move)) == ["touches-road"]
    assert referee.before(measured(level, 10.0), move) == ()
    assert codes(referee.check(measured(level, 10.0), move).remarks) == ["touches-road"]


def test_rules_of_counting_are_never_measured() -> None:
    table = measured(lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 500, 1)}), 20.0)
    assert codes(referee.before(table, build("A-P0", 105, 0, 3))) == ["height"]
    assert codes(referee.before(table, build("B-P0", 105, 500, 2))) == ["base-foreign"]


def test_cars_without_noted_places_block_nothing() -> None:
    table = measured(lay_out(OVER, {"B-R0": ("B-P0", "B-P1")}))
    verdict, after, _ = judge(table, build("A-P0", 55, 0, 2), [Attempt(Observed(()))])
    assert [car.id for car in after.cars] == list(after.guessed) == ["A-C0"]
    assert verdict.earned == 1
    said, noted_, _ = judge(table, build("A-P0", 55, 0, 2, cars=[0.5]), [Attempt(Observed(()))])
    assert said.legal
    assert noted_.guessed == ()


def test_an_end_near_a_road_makes_its_crossing_too_close_to_tell_with_both_counts() -> None:
    table = lay_out(
        {"A-P0": (0, 0, 1), "B-P0": (98, -50, 3), "B-P1": (98, 58, 2)}, {"B-R0": ("B-P0", "B-P1")}
    )
    move = exit_to("A-P0", 104, 0)
    exact, _, _ = judge(table, move, [Attempt(Observed(()))])
    assert (exact.earned, exact.between, exact.close_calls) == (2, None, ())
    close, _, _ = judge(measured(table), move, [Attempt(Observed(()))])
    assert close.between == (1, 2)
    assert [(call.road, call.about) for call in close.close_calls] == [("B-R0", "meeting")]
    assert close.earned == 2
    one, after, _ = judge(measured(table), move, [Attempt(Observed((), cars=1))])
    assert (one.earned, len(after.cars)) == (1, 1)
    none, _, _ = judge(measured(table), move, [Attempt(Observed((), cars=0))])
    assert none.earned == 2
    text = [str(line) for line in explain(measured(table), move, close)]
    assert "too close to tell: whether it crosses B-R0 at all; 6.0 mm decide" in text
    assert "too close to tell: 1 or 2 cars; 2 are counted as earned" in text


@pytest.mark.parametrize("to", [-4.6, -1.2, 0.0, 1.2, 4.4, 4.6])
def test_an_exit_that_ends_under_a_road_is_too_close_to_tell_however_exact_the_ruler(
    to: float,
) -> None:
    """The road hides its middle line (rules 7i)."""
    stands = {"A-P1": (0, -55, 2), "A-P2": (0, 55, 3), "B-P1": (round(to - 105.54, 2), 0, 1)}
    table = measured(lay_out(stands, {"A-R1": ("A-P1", "A-P2")}, to_move=1), 0.01)
    verdict, *_ = judge(table, exit_to("B-P1", to, 0, cars=[]), [Attempt(Observed(()))])
    under = abs(to) < 4.5
    assert verdict.between == ((1, 2) if under else None)
    assert [(call.about, call.road) for call in verdict.close_calls] == (
        [("meeting", "A-R1")] if under else []
    )
    assert verdict.earned == (2 if to >= 0.0 else 1)


def test_roads_of_nearly_one_height_may_have_changed_places() -> None:
    table = lay_out(
        {"A-P0": (-55, 0, 2), "B-P0": (0, -55, 2), "B-P1": (0, 55, 1)}, {"B-R0": ("B-P0", "B-P1")}
    )
    move = build("A-P0", 55, 0, 1)
    verdict, _, _ = judge(measured(table, 10.0), move, [Attempt(Observed(()))])
    assert [(call.road, call.about, call.mm) for call in verdict.close_calls] == [
        ("B-R0", "side", 0.0)
    ]
    assert verdict.between is None  # over or under, each side is free
    assert verdict.earned == 1


def test_a_road_that_may_have_taken_the_side_leaves_the_count_open() -> None:
    pillars = {"A-P0": (-55, 0, 2), "A-P1": (-105, 40, 1), "B-P0": (0, -55, 4), "B-P1": (0, 55, 3)}
    table = lay_out(pillars, {"B-R0": ("B-P0", "B-P1"), "A-R0": ("A-P1", (4, 40))})
    move = build("A-P0", 55, 0, 1)
    exact, _, _ = judge(table, move, [Attempt(Observed(()))])
    assert (exact.earned, exact.between) == (0, None)
    close, _, _ = judge(measured(table), move, [Attempt(Observed(()))])
    assert close.between == (0, 1)
    assert [(call.road, call.about, call.other) for call in close.close_calls] == [
        ("B-R0", "taken", "A-R0")
    ]


def test_more_cars_than_the_numbers_say_are_put_down_where_that_is_too_close_to_tell() -> None:
    table = lay_out(
        {"A-P0": (0, 0, 1), "B-P0": (110, -50, 3), "B-P1": (110, 58, 2)}, {"B-R0": ("B-P0", "B-P1")}
    )
    move = exit_to("A-P0", 106, 0, cars=[0.3, 0.6])
    assert codes(referee.before(table, move)) == ["cars-earned"]
    assert referee.before(measured(table), move) == ()
    verdict, after, _ = judge(measured(table), move, [Attempt(Observed(()))])
    assert verdict.earned == 2
    assert [CarSpot(car.along) for car in after.cars] == [CarSpot(0.3), CarSpot(0.6)]


def test_no_more_cars_are_put_down_than_their_owner_has_however_many_people_took() -> None:
    pillars = {"A-P0": (0, 0, 1), "B-P0": (110, -50, 3), "B-P1": (110, 58, 2)}
    table = measured(lay_out(pillars, {"B-R0": ("B-P0", "B-P1")}, stocks=[stock(cars=1), stock()]))
    verdict, after, _ = judge(table, exit_to("A-P0", 106, 0), [Attempt(Observed((), cars=2))])
    assert (verdict.earned, len(after.cars), after.stocks[0].cars) == (2, 1, 0)


@pytest.mark.parametrize(
    ("away", "says"),
    [
        (110, "3 cars are put down, but even with errors of measuring at most 2 can be earned"),
        (60, "3 cars are put down, but 2 are earned"),
    ],
)
def test_more_cars_than_any_error_explains_are_refused_with_the_most_there_can_be(
    away: float, says: str
) -> None:
    pillars = {"A-P0": (0, 0, 1), "B-P0": (away, -50, 3), "B-P1": (away, 58, 2)}
    table = measured(lay_out(pillars, {"B-R0": ("B-P0", "B-P1")}))
    checked = with_cars_seen(referee.check(table, exit_to("A-P0", 106, 0)), 3)
    assert [fault.text for fault in checked.faults] == [says]
    assert not with_cars_seen(checked, 2).faults


def test_a_car_noted_past_the_end_of_its_road_by_less_than_the_ruler_is_off_stands() -> None:
    table = measured(lay_out(OVER, {"B-R0": ("B-P0", "B-P1")}), 20.0)
    assert referee.before(table, build("A-P0", 55, 0, 2, cars=[1.0])) == ()


def test_a_car_noted_beside_its_road_stands_only_as_far_as_the_ruler_is_off() -> None:
    table = measured(lay_out(OVER, {"B-R0": ("B-P0", "B-P1")}))
    assert referee.before(table, build("A-P0", 55, 0, 2, cars=[CarSpot(0.2, 6.0)])) == ()
    assert codes(referee.before(table, build("A-P0", 55, 0, 2, cars=[CarSpot(0.2, 9.0)]))) == [
        "car-off-road"
    ]


BACK = {"A-P1": (-15, 67, 2), "A-P2": (22, 169, 1), "B-P0": (0, 500, 1)}


def test_a_road_that_turns_back_on_its_pillar_lies_on_the_older_one_there() -> None:
    """In whole mm the two sticks touch just beyond a disc's diameter from the axis; a mm less, and
    they do not.
    """
    table = lay_out(BACK, {"A-R2": ("A-P1", "A-P2")})
    move = build("A-P2", -43, 103, 2)
    assert codes(referee.before(table, move)) == ["touches-road"]
    assert codes(referee.check(measured(table), move).remarks) == ["touches-road"]
    verdict, after, _ = judge(as_it_lies(measured(table)), move, [Attempt(Observed(()))])
    assert verdict.legal
    older, newer = after.lines
    assert older.levels == pytest.approx((2.1, 1.0), abs=0.02), (
        "from rim to rim, not from axis to axis"
    )
    assert 1.1 < newer.levels[0] < 1.3, "its end lies on the older one, a thickness higher"
    assert after.digest() == replace(after, lies={}).digest()


@pytest.mark.parametrize(("x", "aside", "close"), [(120, 2.84, True), (123, 4.34, False)])
def test_an_end_that_may_lie_on_another_leaves_over_and_under_open(
    x: float, aside: float, close: bool
) -> None:
    """The end of A-R2 lies so far beside that of A-R1; on top of it, it would be too high for B to
    pass over.
    """
    pillars = {"A-P0": (-105, 0, 1), "A-P1": (0, 0, 1), "A-P2": (x, 0, 2), "B-P0": (25, -44, 1)}
    table = lay_out(pillars, {"A-R1": ("A-P0", "A-P1"), "A-R2": ("A-P1", "A-P2")}, to_move=1)
    noted_table = as_it_lies(measured(table))
    first, second = noted_table.lines
    assert second.start[0] - first.end[0] == pytest.approx(aside, abs=0.01)
    verdict, _, _ = judge(noted_table, build("B-P0", 25, 66, 2), [Attempt(Observed(()))])
    assert verdict.earned == 1
    assert ("A-R2" in [call.road for call in verdict.close_calls]) is close


def test_a_new_car_that_people_saw_fall_and_put_back_is_not_lost() -> None:
    table = measured(lay_out(OVER, {"B-R0": ("B-P0", "B-P1")}))
    move = build("A-P0", 55, 0, 2)
    lost, _, _ = judge(table, move, [Attempt(Observed(("A-C0",), placed=0))])
    assert (lost.earned, lost.cars, lost.put_back) == (1, (), ())
    assert "A-C0 did not stay on A-R0 and goes back to A's stock" in str(lost)
    back, after, _ = judge(table, move, [Attempt(Observed(("A-C0",)))])
    assert (back.earned, back.cars, back.fallen) == (1, ("A-C0",), ("A-C0",))
    assert [car.id for car in after.cars] == ["A-C0"]
    assert "A-C0 slid off A-R0 and is put back on it" in str(back)
    assert "stock" not in str(back)


def test_a_record_says_by_the_cars_placed_that_a_fallen_one_did_not_go_back() -> None:
    start = {
        "pillars": [
            {"id": name, "at": list(spec[:2]), "discs": spec[2]} for name, spec in OVER.items()
        ],
        "roads": [{"id": "B-R0", "from": "B-P0", "to": "B-P1"}],
    }
    do = build("A-P0", 55, 0, 2).to_json()
    for claim, kept in (
        ({"cars": 1}, 1),
        ({"cars": 1, "placed": 1}, 1),
        ({"cars": 1, "placed": 0}, 0),
    ):
        entry = Entry(0, 0, do, claim=claim, observed={"fallen": ["A-C0"]})
        record = Record(Header("tokyo-highway", ("A", "B"), start=start, observed=True), (entry,))
        (step,) = replay.steps(record, "none")
        assert len(step.after.cars) == kept
        assert verify_table(record, "rules").ok


def test_no_room_is_believed_only_where_the_ruler_leaves_it_open() -> None:
    move = Pass("no room")
    alone = lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 500, 1)})
    assert codes(referee.before(alone, move)) == ["has-room"]
    assert codes(referee.before(measured(alone), move)) == ["has-room"]
    # a ring of pillars, so dense that a road passes between two of them by a few mm
    ring = {
        f"B-P{n}": (
            round(60 * math.cos(math.radians(30 * n)), 2),
            round(60 * math.sin(math.radians(30 * n)), 2),
            8,
        )
        for n in range(12)
    }
    tight = lay_out({"A-P0": (0, 0, 1), **ring})
    assert codes(referee.before(tight, move)) == ["has-room"]
    assert referee.before(measured(tight), move) == ()
    assert codes(referee.check(measured(tight), move).remarks) == ["has-room"]


# --- in a record ----------------------------------------------------------------------------------

PLAYERS = ("north", "south")


def test_the_tolerance_is_3_mm_in_observed_games_and_none_in_others(tmp_path: Path) -> None:
    assert Header("tokyo-highway", PLAYERS).off_by == 0.0
    assert Header("tokyo-highway", PLAYERS, observed=True).off_by == 3.0
    assert Header("tokyo-highway", PLAYERS, observed=True, tolerance=0).off_by == 0.0
    line = (
        b'{"record":"shutoko","version":[1,0],"game":"tokyo-highway","players":["a","b"],'
        b'"observed":true,"tolerance":5}\n'
    )
    game = records.loads(line)
    assert records.dumps(game) == line
    assert replay.begin(game).tolerance == 5.0


@pytest.mark.parametrize(
    ("rest", "why"),
    [
        ('"tolerance":3', '"observed":true'),
        ('"observed":true,"tolerance":-1', "a number of mm from 0 to 20"),
        ('"observed":true,"tolerance":21', "a number of mm from 0 to 20"),
        ('"observed":true,"tolerance":"3"', "a number of mm from 0 to 20"),
    ],
)
def test_a_tolerance_that_cannot_be_is_refused_in_one_line(
    tmp_path: Path, capsys, rest: str, why: str
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(
        '{"record":"shutoko","version":[1,0],"game":"tokyo-highway","players":["a","b"],'
        + rest
        + "}\n"
    )
    assert main(["verify", str(path)]) == 2
    told = capsys.readouterr().err
    assert why in told
    assert len(told.splitlines()) == 1


def test_a_tolerance_without_observed_cannot_be_written() -> None:
    with pytest.raises(RecordError, match="tolerance is for games noted by hand"):
        records.dumps(Record(Header("tokyo-highway", PLAYERS, tolerance=3)))


def test_a_claim_or_a_count_between_both_is_no_disagreement_and_json_names_them(
    tmp_path: Path, capsys
) -> None:
    start = {
        "pillars": [
            {"id": "A-P0", "at": [0, 0], "discs": 1},
            {"id": "B-P0", "at": [98, -50], "discs": 3},
            {"id": "B-P1", "at": [98, 58], "discs": 2},
        ],
        "roads": [{"id": "B-R0", "from": "B-P0", "to": "B-P1"}],
    }

    def saved(claim: int, got: int) -> Path:
        path = tmp_path / f"{claim}-{got}.jsonl"
        do = {"exit": {"from": "A-P0", "to": [99, 0]}}
        entry = Entry(0, 0, do, got={"legal": True, "cars": got}, claim={"cars": claim})
        records.write(
            Record(Header("tokyo-highway", PLAYERS, start=start, observed=True), (entry,)), path
        )
        return path

    assert main(["verify", str(saved(1, 2))]) == 0
    assert main(["verify", str(saved(2, 1))]) == 0
    assert main(["verify", str(saved(3, 2))]) == 1
    capsys.readouterr()
    assert main(["replay", "--engine", "none", "--json", str(saved(1, 2))]) == 0
    got = json.loads(capsys.readouterr().out)["got"]
    assert got["x-between"] == [1, 2]
    assert [(call["road"], call["about"]) for call in got["x-close-calls"]] == [("B-R0", "meeting")]
    assert [remark["code"] for remark in got["x-remarks"]] == ["sticks-out"]
