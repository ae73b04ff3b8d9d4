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
from sim.game.attempts.posing import as_it_lies
from sim.game.ply import Attempt, judge
from sim.game.sources import Observed
from sim.game.verify import verify as verify_table
from sim.referee.checks import with_cars_seen
from sim.referee.placement import CarSpot, Pass, Placement, SetBuilding
from sim.referee.table import Table
from tests.tables import ALONE, build, entrances, exit_to, lay_out, stock

GAMES = sorted(path for path in asset("records").glob("*.jsonl") if "noted" not in path.name)
OVER = {"A-P0": (-55, 0, 3), "B-P0": (0, -55, 2), "B-P1": (0, 55, 1)}


def measured(table: Table, tolerance: float = 3.0) -> Table:
    return replace(table, tolerance=tolerance)


def codes(faults: tuple[Any, ...]) -> list[str]:
    return [fault.code for fault in faults]


def seen(table: Table, move: Placement, cars: int | None = None, **options: Any) -> Any:
    """The verdict on a placement whose outcome people watched, and the table after it."""
    return judge(table, move, [Attempt(Observed((), cars=cars))], **options)[:2]


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


LEVEL = {"A-P0": (-55, 0, 2), "B-P0": (0, -55, 2), "B-P1": (0, 55, 1)}
RING = {  # so dense that a road passes between two of them by a few mm
    f"B-P{n}": (round(60 * math.cos(a), 2), round(60 * math.sin(a), 2), 8)
    for n, a in enumerate(math.radians(30 * n) for n in range(12))
}
CROSSED = {"B-R0": ("B-P0", "B-P1")}
FAR, ALONG, PASS = build("A-P0", 127, 0, 2), build("A-P0", 55, 0, 1), Pass("no room")
TIGHT, TWICE = lay_out({"A-P0": (0, 0, 1), **RING}), ["reach", "reach"]
BACK = {"A-P1": (-15, 67, 2), "A-P2": (22, 169, 1), "B-P0": (0, 500, 1)}
OVER_P = (lay_out({**ALONE, "B-P0": (50, 9, 1)}), lay_out({**ALONE, "B-P0": (50, 2, 1)}))
UNDER_CAR = lay_out(
    {**ALONE, "B-P1": (115, -55, 1), "B-P2": (115, 55, 1)},
    {"B-R1": ("B-P1", "B-P2")},
    cars={"B-C0": ("B-R1", 0.5)},
    pillar_under_road="allow",
)
WITHIN = [
    # why, table, move, mm that numbers may be off, faults, remarks
    ("a road too long by less than the ruler is off", lay_out(ALONE), FAR, 3.0, [], TWICE),
    ("where all numbers are exact", lay_out(ALONE), FAR, 0.0, TWICE, []),
    ("by more", lay_out(ALONE), build("A-P0", 136, 0, 2), 3.0, TWICE, []),
    ("by more than a better ruler is off", lay_out(ALONE), FAR, 0.5, TWICE, []),
    ("an exit has all its surplus at its top end", lay_out(ALONE), exit_to("A-P0", 124, 0), 3.0,
     [], ["reach"]),
    ("a road above a pillar as far as both may be off", OVER_P[0], build("A-P0", 105, 0, 2), 3.0,
     [], ["over-pillar"]),
    ("a road above the middle of a pillar", OVER_P[1], build("A-P0", 105, 0, 2), 3.0,
     ["over-pillar"], []),
    ("roads that meet at one height", lay_out(LEVEL, CROSSED), ALONG, 3.0, ["touches-road"], []),
    ("unless they rise apart fast", lay_out(LEVEL, CROSSED), ALONG, 10.0, [], ["touches-road"]),
    ("rules of counting are never measured: heights", lay_out(ALONE), build("A-P0", 105, 0, 3),
     20.0, ["height"], []),
    ("rules of counting are never measured: owners", lay_out(ALONE), build("B-P0", 105, 500, 2),
     20.0, ["base-foreign"], []),
    ("a car past the end of its road", lay_out(OVER, CROSSED),
     build("A-P0", 55, 0, 2, cars=[1.0]), 20.0, [], ["car-off-road"]),
    ("a car beside its road", lay_out(OVER, CROSSED),
     build("A-P0", 55, 0, 2, cars=[CarSpot(0.2, 6.0)]), 3.0, [], ["car-off-road"]),
    ("a car further beside its road", lay_out(OVER, CROSSED),
     build("A-P0", 55, 0, 2, cars=[CarSpot(0.2, 9.0)]), 3.0, ["car-off-road"], []),
    ("no room where there is some", lay_out(ALONE), PASS, 3.0, ["has-room"], []),
    ("no room where there may be none", TIGHT, PASS, 3.0, [], ["has-room"]),
    ("no room where all numbers are exact", TIGHT, PASS, 0.0, ["has-room"], []),
    ("a road that turns back on its pillar", lay_out(BACK, {"A-R2": ("A-P1", "A-P2")}),
     build("A-P2", -43, 103, 2), 3.0, [], ["touches-road"]),
    ("a road that leads to its own base", lay_out(ALONE), build("A-P0", 3, 0, 2), 20.0,
     ["reach"], []),
    ("a building on a road by 2 mm", entrances(3), SetBuilding("tower", (20, -120)), 3.0, [],
     ["building-overlap"] * 2),
    ("a building in the middle of a road", entrances(3), SetBuilding("tower", (0, -120)), 3.0,
     ["building-overlap"] * 2, []),
    ("a pillar on a pillar by 1 mm", lay_out({**ALONE, "B-P1": (105, 21, 1)}),
     build("A-P0", 105, 2, 2), 3.0, [], ["pillar-on-pillar"]),
    ("a pillar on a block by 1.5 mm", lay_out(ALONE, buildings=[("tower", (130, 0))]),
     build("A-P0", 104, 0, 2), 3.0, [], ["pillar-on-building"]),
    ("a pillar on a cylinder by 1.5 mm", lay_out(ALONE, buildings=[("cylinder", (130, 0))]),
     build("A-P0", 104, 0, 2), 3.0, [], ["pillar-on-building"]),
    ("a road against a block", lay_out(ALONE, buildings=[("block", (55, 27))]),
     build("A-P0", 105, 0, 2), 3.0, [], ["touches-building"]),
    ("a road against a cylinder", lay_out(ALONE, buildings=[("cylinder", (55, 21))]),
     build("A-P0", 105, 0, 2), 3.0, [], ["touches-building"]),
    ("a car against a pillar", lay_out({**ALONE, "B-P1": (55, 17.52, 4)}),
     exit_to("A-P0", 109.54, 0, [CarSpot(0.5, 4.0)]), 3.0, [], ["car-touches"]),
    ("a pillar against a car", UNDER_CAR, build("A-P0", 101.48, 0, 2), 3.0, [],
     ["pillar-touches-road", "pillar-touches-car"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "move", "tolerance", "faults", "remarks"),
    [pytest.param(*rest, id=why) for why, *rest in WITHIN],
)
def test_what_the_ruler_explains_is_a_remark_and_the_rest_a_fault(
    table: Table, move: Placement, tolerance: float, faults: list[str], remarks: list[str]
) -> None:
    checked = referee.check(measured(table, tolerance), move)
    assert (codes(checked.faults), codes(checked.remarks)) == (faults, remarks)


@pytest.mark.parametrize(
    ("move", "levels"),
    [(build("A-P0", away, 0, 2), (1.0, 2.0)) for away in (105, 124, 127, 130)]
    + [(exit_to("A-P0", away, 0), (1.0,)) for away in (106, 118, 121)],
    ids=str,
)
def test_a_road_noted_too_long_lies_on_its_pillars_all_the_same(
    move: Placement, levels: tuple[float, ...]
) -> None:
    """Else it lay on the table, and roads that crossed it later earned nothing."""
    (line,) = as_it_lies(seen(measured(lay_out(ALONE)), move)[1]).lines
    assert line.levels[: len(levels)] == pytest.approx(levels, abs=0.2)


@pytest.mark.parametrize(("cars", "guessed"), [(None, ("A-C0",)), ([0.5], ())])
def test_cars_without_noted_places_block_nothing(cars: Any, guessed: tuple[str, ...]) -> None:
    table = measured(lay_out(OVER, CROSSED))
    verdict, after = seen(table, build("A-P0", 55, 0, 2, cars=cars))
    assert ([car.id for car in after.cars], after.guessed) == (["A-C0"], guessed)
    assert verdict.earned == 1


NEAR = {"A-P0": (0, 0, 1), "B-P0": (98, -50, 3), "B-P1": (98, 58, 2)}
FURTHER = {"A-P0": (0, 0, 1), "B-P0": (110, -50, 3), "B-P1": (110, 58, 2)}
TAKER = {"A-P0": (-55, 0, 2), "A-P1": (-105, 40, 1), "B-P0": (0, -55, 4), "B-P1": (0, 55, 3)}
MAYBE = lay_out(TAKER, {**CROSSED, "A-R0": ("A-P1", (4, 40))})


def under(to: float) -> tuple[Table, Placement]:
    """An exit that ends so many mm past the middle of a road, which hides it (rules 7i)."""
    stands = {"A-P1": (0, -55, 2), "A-P2": (0, 55, 3), "B-P1": (round(to - 105.54, 2), 0, 1)}
    table = lay_out(stands, {"A-R1": ("A-P1", "A-P2")}, to_move=1)
    return table, exit_to("B-P1", to, 0, cars=[])


def beside(x: float) -> tuple[Table, Placement]:
    """The end of A-R2 lies beside that of A-R1; on top of it, it would be too high for B to pass
    over.
    """
    pillars = {"A-P0": (-105, 0, 1), "A-P1": (0, 0, 1), "A-P2": (x, 0, 2), "B-P0": (25, -44, 1)}
    table = lay_out(pillars, {"A-R1": ("A-P0", "A-P1"), "A-R2": ("A-P1", "A-P2")}, to_move=1)
    return as_it_lies(measured(table)), build("B-P0", 25, 66, 2)


OPEN = [
    # why, table, move, mm that numbers may be off, cars, least and most, what is too close to tell
    ("where all numbers are exact", lay_out(NEAR, CROSSED), exit_to("A-P0", 104, 0), 0.0, 2, None,
     []),
    ("an end near a road", lay_out(NEAR, CROSSED), exit_to("A-P0", 104, 0), 3.0, 2, (1, 2),
     [("B-R0", "meeting", None)]),
    *((f"an exit that ends under a road, {to} mm", *under(to), 0.01, 2 if to >= 0 else 1, (1, 2),
       [("A-R1", "meeting", None)]) for to in (-1.2, 0.0, 1.2, 4.4)),
    *((f"an exit that ends beside a road, {to} mm", *under(to), 0.01, 2 if to >= 0 else 1, None,
       []) for to in (-4.6, 4.6)),
    ("roads of one height may have changed places; each side is free", lay_out(LEVEL, CROSSED),
     ALONG, 10.0, 1, None, [("B-R0", "side", None)]),
    ("a road on that side", MAYBE, ALONG, 0.0, 0, None, []),
    ("a road that may not be", MAYBE, ALONG, 3.0, 0, (0, 1), [("B-R0", "taken", "A-R0")]),
    ("an end that may lie on another, 2.84 mm", *beside(120), 3.0, 1, None,
     [("A-R2", "side", None)]),
    ("an end further beside it, 4.34 mm", *beside(123), 3.0, 1, None, []),
    ("an own road that may be crossed takes every car (own_cross_voids)",
     lay_out({"A-P0": (0, 0, 1), "A-P3": (98, -50, 3), "A-P4": (98, 58, 2)},
             {"A-R0": ("A-P3", "A-P4")}, own_cross_voids=True),
     exit_to("A-P0", 104, 0), 3.0, 0, (0, 1), [("A-R0", "meeting", None)]),
    ("a road that may have taken the side within 13.5 mm (crossing_scope)",
     lay_out({**LEVEL, "A-P0": (-55, 0, 1), "B-P1": (0, 55, 2), "A-P1": (-55, 14.5, 6),
              "A-P2": (55, 14.5, 6)}, {**CROSSED, "A-R1": ("A-P1", "A-P2")},
             crossing_scope="point"),
     build("A-P0", 55, 0, 5, True), 3.0, 1, (0, 1), [("B-R0", "taken", "A-R1")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "move", "tolerance", "earned", "between", "calls"),
    [pytest.param(*rest, id=why) for why, *rest in OPEN],
)
def test_what_is_too_close_to_tell_is_told_with_both_counts(
    table: Table,
    move: Placement,
    tolerance: float,
    earned: int,
    between: tuple[int, int] | None,
    calls: list[tuple[str, str, str | None]],
) -> None:
    verdict, _ = seen(measured(table, tolerance), move)
    assert (verdict.earned, verdict.between) == (earned, between)
    assert [(call.road, call.about, call.other) for call in verdict.close_calls] == calls


def test_the_sentences_tell_what_decides_and_the_cars_that_people_took_count() -> None:
    table, move = measured(lay_out(NEAR, CROSSED)), exit_to("A-P0", 104, 0)
    text = str(seen(table, move)[0])
    assert "too close to tell: whether it crosses B-R0 at all; 6.0 mm decide" in text
    assert "too close to tell: 1 or 2 cars; 2 are counted as earned" in text
    one, after = seen(table, move, cars=1)
    assert (one.earned, len(after.cars)) == (1, 1)
    assert seen(table, move, cars=0)[0].earned == 2


def test_more_cars_than_the_numbers_say_are_put_down_where_that_is_too_close_to_tell() -> None:
    table, move = lay_out(FURTHER, CROSSED), exit_to("A-P0", 106, 0, cars=[0.3, 0.6])
    assert codes(referee.before(table, move)) == ["cars-earned"]
    verdict, after = seen(measured(table), move)
    assert (verdict.faults, verdict.earned) == ((), 2)
    assert [CarSpot(car.along) for car in after.cars] == [CarSpot(0.3), CarSpot(0.6)]
    poor = measured(lay_out(FURTHER, CROSSED, stocks=[stock(cars=1), stock()]))
    verdict, after = seen(poor, exit_to("A-P0", 106, 0), cars=2)
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


def test_a_road_that_turns_back_on_its_pillar_lies_on_the_older_one_there() -> None:
    """In whole mm the two sticks touch just beyond a disc's diameter from the axis; a mm less, and
    they do not.
    """
    table = lay_out(BACK, {"A-R2": ("A-P1", "A-P2")})
    move = build("A-P2", -43, 103, 2)
    verdict, after, _ = judge(as_it_lies(measured(table)), move, [Attempt(Observed(()))])
    assert verdict.legal
    older, newer = after.lines
    assert older.levels == pytest.approx((2.1, 1.0), abs=0.02), (
        "from rim to rim, not from axis to axis"
    )
    assert 1.1 < newer.levels[0] < 1.3, "its end lies on the older one, a thickness higher"
    assert after.digest() == replace(after, lies={}).digest()


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
