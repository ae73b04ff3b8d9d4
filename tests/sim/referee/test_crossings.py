"""The crossing rule on the vectors that every implementation must agree with: FR 6 and KR 6 with
their examples.
"""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sim
from rules.errors import InputError
from sim import referee
from sim.game.attempts.attempt import Attempt
from sim.game.ply import judge
from sim.game.sources import Nominal
from sim.referee import crossings, geometry
from sim.referee.crossings import Meeting, Network, Road
from sim.referee.explain import slots
from sim.referee.placement import Build, Exit
from sim.referee.ruleset import Ruleset
from sim.referee.sides import clear_gap
from sim.referee.standing import shared_pillars
from sim.referee.table import Table
from tests.tables import at_rest, build, lay_out, ply

VECTORS = json.loads(
    (Path(__file__).parents[2] / "data" / "crossings.json").read_text(encoding="utf-8")
)["vectors"]
CASES = [
    pytest.param(vector, case, id=f"{vector['name']} {case['options'] or 'standard'}")
    for vector in VECTORS
    for case in vector.get("cars", ())
]
_PLAIN = {"V1 over", "V2 under", "V14 touching"}


@pytest.mark.parametrize(
    ("sine", "crosses"), [(2e-9, True), (1.1e-9, True), (0.9e-9, False), (0.0, False)]
)
def test_roads_parallel_to_a_billionth_do_not_cross(sine: float, crosses: bool) -> None:
    """Where lines so near each other meet is lost in the rounding of their ends, so that it depends
    on nothing real.
    """
    rise = 60.0 * sine
    standing = Road(1, (0.0, 0.0), (120.0, 0.0), (1, 1), "B-R0")
    new = Road(0, (0.0, -rise), (120.0, rise), (3, 3), "A-R0")
    assert crossings.cars_earned(new, [standing]) == crosses


def road(spec: dict[str, Any]) -> Road:
    return Road(spec["owner"] - 1, tuple(spec["p"]), tuple(spec["q"]), tuple(spec["n"]), spec["id"])


def inactive(vector: dict[str, Any]) -> list[int]:
    return [owner - 1 for owner in vector.get("out", ())]


def table_of(vector: dict[str, Any], **options: Any) -> tuple[Table, Build | Exit, list[str]]:
    """The vector as a layout with pillars under every end; N's start is the base pillar of
    seat 0.
    """
    pillars, roads, names = [], [], []
    count = {"A": 0, "B": 0, "C": 0}
    for spec in vector["existing"]:
        seat = "ABC"[spec["owner"] - 1]
        ends = []
        for at, discs in zip((spec["p"], spec["q"]), spec["n"], strict=True):
            if discs == 0:
                ends.append({"table": at})
                continue
            name = f"{seat}-P{count[seat]}"
            count[seat] += 1
            pillars.append({"id": name, "at": at, "discs": discs})
            ends.append(name)
        name = f"{seat}-R{len(names)}"
        names.append(name)
        roads.append({"id": name, "from": ends[0], "to": ends[1]})
    new = vector["new"]
    pillars.append({"id": "A-P99", "at": new["p"], "discs": new["n"][0]})
    owners = {spec["owner"] for spec in [*vector["existing"], new]}
    seats = 3 if 3 in owners or "out" in vector else 2
    table = sim.Table.from_layout({"pillars": pillars, "roads": roads}, seats, **options)
    if "out" in vector:
        table = replace(table, turns=table.turns.put_out(*inactive(vector)))
    if vector.get("exit"):
        # the vector's plan span is one road length; a real stick comes down sqrt(L^2 - h^2) away,
        # which changes no crossing
        box = table.components
        reach = math.sqrt(box.road_length**2 - (new["n"][0] * box.disc_height) ** 2)
        along = [
            (q - p) / math.dist(new["p"], new["q"]) for p, q in zip(new["p"], new["q"], strict=True)
        ]
        at = (round(new["p"][0] + along[0] * reach, 2), round(new["p"][1] + along[1] * reach, 2))
        return table, Exit("A-P99", at), names
    # the new pillar of height m from m +- 1 is grey
    return table, Build("A-P99", tuple(new["q"]), new["n"][1]), names


@pytest.mark.parametrize(("vector", "case"), CASES)
def test_vector_earns_the_cars_that_it_says(vector: dict[str, Any], case: dict[str, Any]) -> None:
    ruleset = Ruleset.named("standard", **case["options"])
    existing = [road(spec) for spec in vector["existing"]]
    assert (
        crossings.cars_earned(road(vector["new"]), existing, ruleset, inactive=inactive(vector))
        == case["cars"]
    )


@pytest.mark.parametrize(("vector", "case"), CASES)
def test_vector_laid_on_a_table_is_legal_and_earns_the_same(
    vector: dict[str, Any], case: dict[str, Any]
) -> None:
    table, placement, _ = table_of(vector, **case["options"])
    assert table.to_move == 0
    assert table.inactive == frozenset(inactive(vector))
    assert referee.before(table, placement) == ()
    verdict, after, _ = judge(table, placement, [Attempt(Nominal())])
    assert verdict.earned == case["cars"] + bool(vector.get("exit"))
    assert len(after.roads) == len(table.roads) + 1


def test_every_vector_is_either_judged_or_refused() -> None:
    assert all(vector["legal"] == bool(vector.get("cars")) for vector in VECTORS)
    assert {vector["name"] for vector in VECTORS} >= _PLAIN


def test_v14_two_roads_that_touch_are_refused_with_the_gap_at_the_crossing() -> None:
    (vector,) = [vector for vector in VECTORS if vector["name"] == "V14 touching"]
    table, placement, names = table_of(vector)
    faults = [fault for fault in referee.before(table, placement) if fault.code == "touches-road"]
    assert [fault.pieces for fault in faults] == [("A-R0", names[0])]
    # the thickness of a sloping stick, straight down
    assert faults[0].numbers["gap"] == pytest.approx(-2.0, abs=0.01)
    assert f"A-R0 cuts 2.01 mm into road {names[0]} at their crossing (0.0, 0.0)" in faults[0].text


@pytest.mark.parametrize(("gap", "form"), [(-0.02, "cut"), (0.002, "into-aside")])
def test_roads_that_just_touch_at_their_crossing_are_told_where_else_they_cut(
    gap: float, form: str
) -> None:
    thick = 2.0 * math.hypot(1.0, 10.0 / 110.0)
    # there B-R0, which falls by 10 mm in 110, lies that far below the new road
    y = 11.0 * (thick + gap - 5.0)
    table = lay_out(
        {"A-P0": (-55, y, 2), "B-P0": (0, -55, 2), "B-P1": (0, 55, 1)}, {"B-R0": ("B-P0", "B-P1")}
    )
    (fault,) = [
        fault
        for fault in referee.before(table, build("A-P0", 55, y, 2))
        if fault.code == "touches-road"
    ]
    assert (fault.form, fault.numbers["gap"]) == (form, pytest.approx(gap, abs=2e-4))


def test_v18_a_road_above_a_pillar_is_refused_with_the_distance() -> None:
    (vector,) = [vector for vector in VECTORS if vector["name"] == "V18 over a foreign pillar"]
    table, placement, _ = table_of(vector)
    faults = referee.before(table, placement)
    assert [fault.code for fault in faults] == ["over-pillar"]
    assert faults[0].pieces == ("A-R0", "B-P0")
    assert faults[0].numbers["distance"] == pytest.approx(10.0)
    # half a road, a disc, and what counts as touching
    assert faults[0].numbers["needed"] == pytest.approx(14.55)
    assert "10.00 mm from its axis" in faults[0].text


def test_a_road_between_two_roads_that_cross_each_other_earns_nothing() -> None:
    (vector,) = [vector for vector in VECTORS if vector["name"].startswith("V7 ")]
    found = crossings.judge(
        road(vector["new"]), Network.of([road(spec) for spec in vector["existing"]])
    )
    assert [(c.road.id, c.side, c.reason, [b.road.id for b in c.blockers]) for c in found] == [
        ("A", "over", "taken", ["B"]),
        ("B", "under", "taken", ["A"]),
    ]


def test_own_roads_that_share_a_pillar_do_not_cross_there() -> None:
    first = Road(0, (0, 0), (105, 0), (1, 2), "A-R1")
    branch = Road(0, (105, 0), (150, 95), (2, 3), "A-R2")
    assert crossings.judge(branch, Network.of([first])) == ()
    foreign = Road(1, (105, 0), (150, 95), (2, 3), "B-R2")
    assert len(crossings.judge(foreign, Network.of([first]))) == 1


def test_own_roads_on_neighbouring_pillars_do_cross() -> None:
    """Both ends are nearer than a disc to the crossing, but the pillars are two: this is a crossing
    like any other.
    """
    first = Road(0, (0, 0), (105, 0), (1, 1), "A-R1")
    second = Road(0, (17, -15), (17, 90), (3, 2), "A-R2")
    (found,) = crossings.judge(second, Network.of([first]))
    assert (found.side, found.reason) == ("over", "own")


NEAR_P1 = {"A-P0": (0, 0, 1), "A-P1": (100, -16, 3), "A-P2": (100, 89, 4), "B-P0": (50, -55, 3)}
"""A-P0's ramp comes down at RAMP, 18 mm from A-P1; the road from A-P1 passes over it 10 mm before
its end.
"""
RAMP = (109.54, 0)


@pytest.mark.parametrize("ramp", [("A-P0", RAMP), (RAMP, "A-P0")], ids=["exit", "entrance ramp"])
def test_an_own_road_over_the_table_end_of_a_ramp_takes_its_upper_side(
    ramp: tuple[Any, Any],
) -> None:
    first, other = (
        [end if isinstance(end, str) else {"table": list(end)} for end in ends]
        for ends in (ramp, ("A-P1", "A-P2"))
    )
    start = {
        "to_move": 1,
        "pillars": [
            {"id": name, "at": [x, y], "discs": discs} for name, (x, y, discs) in NEAR_P1.items()
        ],
        "roads": [
            {"id": f"A-R{n}", "from": ends[0], "to": ends[1]}
            for n, ends in enumerate((first, other))
        ],
    }
    table, over = sim.Table.from_layout(start), Build("B-P0", (50.0, 50.0), 4)
    assert referee.before(table, over) == ()
    verdict, _, _ = judge(table, over, [Attempt(Nominal())])
    assert [(c.road.id, c.reason, [b.road.id for b in c.blockers]) for c in verdict.crossings] == [
        ("A-R0", "taken", ["A-R1"])
    ]
    assert verdict.earned == 0


@pytest.mark.parametrize("levels", [(1, 0), (0, 1), (1, 0.1)])
def test_the_table_end_of_a_ramp_told_by_hand_is_no_pillar(levels: tuple[float, float]) -> None:
    ends = ((0, 0), (109.5, 0)) if levels[0] else ((109.5, 0), (0, 0))
    ramp = Road(0, *ends, levels, "A-R0", ramp=True)
    other = Road(0, (100, -16), (100, 89), (3, 4), "A-R1")
    assert [c.reason for c in crossings.judge(other, Network.of([ramp]))] == ["own"]
    assert crossings.cars_earned(Road(1, (50, -55), (50, 50), (3, 4)), [ramp, other]) == 0


def test_own_roads_whose_sticks_end_close_together_on_two_pillars_cross() -> None:
    """The sticks end 18 mm apart and 13 mm from where they cross, but on two pillars 21 mm
    apart.
    """
    pillars = {
        "A-P0": (-11, 0, 1),
        "A-P1": (105, 0, 1),
        "A-P2": (90, -15, 4),
        "A-P3": (90, 101, 5),
        "B-P0": (40, -55, 2),
    }
    table = lay_out(pillars, {"A-R0": ("A-P0", "A-P1"), "A-R1": ("A-P2", "A-P3")}, to_move=1)
    settled = replace(table, poses=at_rest(table))
    ends = math.dist(settled.lines[0].end, settled.lines[1].start)
    assert ends < table.components.disc_diameter
    (found,) = crossings.judge(settled.lines[1], Network.of(settled.lines[:1]))
    assert (found.side, found.reason) == ("over", "own")
    assert ply(settled, build("B-P0", 40, 50, 3)).earned == 0


def test_own_roads_on_one_pillar_do_not_cross_there_wherever_their_sticks_end() -> None:
    """Both sticks reach past the axis of the pillar that they share."""
    first = Road(0, (0, 0), (113, 1), (1, 2), "A-R1", pillars=("A-P0", "A-P1"))
    branch = Road(0, (102, -7), (150, 95), (2, 3), "A-R2", pillars=("A-P1", "A-P2"))
    assert crossings.judge(branch, Network.of([first])) == ()
    elsewhere = replace(branch, pillars=("A-P3", "A-P2"))
    assert [c.reason for c in crossings.judge(elsewhere, Network.of([first]))] == ["own"]


def test_own_roads_on_one_pillar_never_cross_however_far_their_ends_slid_apart() -> None:
    """The ends came to rest 23 mm apart on one pillar, so the sticks meet beside it. On two pillars
    that is a crossing.
    """
    first = Road(0, (0, 0), (117, 0), (1, 2), "A-R1", pillars=("A-P0", "A-P1"))
    after = Road(0, (95, -8), (150, 85), (3, 4), "A-R2", pillars=("A-P1", "A-P2"))
    over = Road(1, (50, -55), (50, 55), (4, 4), "B-R0")
    assert math.dist(first.end, after.start) > 20.0
    assert crossings.judge(after, Network.of([first])) == ()
    assert crossings.sides(Network.of([first, after]))[0] == {"over": (), "under": ()}
    assert crossings.cars_earned(over, [first, after]) == 1
    elsewhere = replace(after, pillars=("A-P3", "A-P2"))
    assert crossings.cars_earned(over, [first, elsewhere]) == 0


def test_two_branches_of_a_junction_never_cross_each_other() -> None:
    """They begin side by side and change sides 55 mm further on."""
    left = Road(0, (0, 5), (105, -5), (1, 2), "A-R1", pillars=("A-P0", "A-P1"))
    right = Road(0, (0, -5), (105, 5), (1, 5), "A-R2", pillars=("A-P0", "A-P2"))
    assert crossings.judge(right, Network.of([left])) == ()
    assert crossings.cars_earned(replace(right, owner=1), [left]) == 1


@pytest.mark.parametrize("options", [{}, {"crossing_test": "footprint"}])
def test_the_arrays_find_the_pillars_that_two_roads_share(options: dict[str, Any]) -> None:
    """`shared_pillars` is the source; the crossing rule asks it for thousands of pairs at once."""
    names = [None, "A-P0", "A-P1", "A-P2"]
    for one, other in itertools.product(itertools.product(names, names), repeat=2):
        new = Road(0, (-55, 0), (55, 0), (1, 1), "A-R1", ramp=False, pillars=one)
        old = Road(0, (0, -55), (0, 55), (3, 3), "A-R2", ramp=False, pillars=other)
        crosses = bool(
            crossings.judge(new, Network.of([old], Ruleset.named("standard", **options)))
        )
        assert crosses is not bool(shared_pillars(one, other))


def test_sides_tell_what_took_them_and_where() -> None:
    lower = Road(0, (-55, 0), (55, 0), (1, 1), "A-R1")
    upper = Road(1, (10, -55), (10, 55), (2, 4), "B-R1")
    first, second = crossings.sides(Network.of([lower, upper]))
    assert [(b.road.id, b.meeting.at, b.meeting.level) for b in first["over"]] == [
        ("B-R1", (10.0, 0.0), 3.0)
    ]
    assert first["under"] == ()
    assert [b.road.id for b in second["under"]] == ["A-R1"]
    assert second["over"] == ()


def test_a_road_without_length_in_plan_crosses_nothing_under_any_test() -> None:
    standing = [Road(1, (-55, 0), (55, 0), (1, 1))]
    for test in ("centreline", "footprint"):
        assert (
            crossings.cars_earned(
                Road(0, (0, 0), (0, 0), (2, 2)), standing, Ruleset.named(crossing_test=test)
            )
            == 0
        )


def test_footprint_wants_the_other_road_cut_right_across() -> None:
    """N ends 2 mm past A's centre line: the centre lines cross, but half of A's width goes on past
    N's end.
    """
    standing = [Road(1, (0, -55), (0, 55), (1, 1), "B-R1")]
    short = Road(0, (-108, 0), (2, 0), (3, 3))
    assert crossings.cars_earned(short, standing) == 1
    assert crossings.cars_earned(short, standing, Ruleset.named(crossing_test="footprint")) == 0
    right_across = Road(0, (-100, 0), (10, 0), (3, 3))
    assert (
        crossings.cars_earned(right_across, standing, Ruleset.named(crossing_test="footprint")) == 1
    )


@pytest.mark.parametrize(
    "options",
    [{"crossing_memory": "ever"}, {"self_crossing": True}, {"redo": -1}, {"ramps_count": 1}],
)
def test_an_unknown_option_or_value_is_refused_by_name(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        Ruleset.named("standard", **options)


def test_the_clear_gap_of_a_crossing_is_that_of_the_levels_less_the_lower_road() -> None:
    box = Table.start(2).components
    flat, ramp = (
        Road(1, (0, 0), (120, 0), (1, 1), "B-R0"),
        Road(1, (0, 0), (30, 40), (1, 3), "B-R1"),
    )
    over = Road(0, (60, -60), (60, 60), (4, 4), "A-R0")
    met = Meeting((60, 0), 4.0, 1.0)
    assert clear_gap(box, over, flat, met) == pytest.approx(
        3 * box.disc_height - box.road_thickness
    )
    assert clear_gap(box, flat, over, Meeting((60, 0), 1.0, 4.0)) == clear_gap(
        box, over, flat, met
    ), "from either road"
    length = math.hypot(50.0, 2 * box.disc_height)
    upright = box.road_thickness * length / 50.0
    assert clear_gap(box, over, ramp, Meeting((15, 20), 4.0, 2.0)) == pytest.approx(
        2 * box.disc_height - upright
    )
    assert clear_gap(box, over, flat, Meeting((60, 0), 1.01, 1.0)) == 0.0, (
        "no gap is less than none"
    )
    upended = Road(1, (0, 0), (0, 0), (1, 1), "B-R2")
    assert clear_gap(box, over, upended, met) == pytest.approx(
        3 * box.disc_height - box.road_thickness
    )


def test_where_roads_of_resigned_players_are_nobodys_those_of_the_others_are_not() -> None:
    table = lay_out({"A-P0": (0, 0, 1), "A-P1": (100, 0, 2)}, {"A-R1": ("A-P0", "A-P1")})
    for counts in (True, False):
        ruled = replace(table, ruleset=replace(table.ruleset, inactive_roads_count=counts))
        assert ruled.lines
        assert all(slot.why_nobody is None for slot in slots(ruled))


@pytest.mark.parametrize("rise", [0, 3, -3])
def test_the_stick_of_a_road_in_plan_is_as_long_as_its_slope_leaves_it(
    rise: int,
) -> None:
    box = Table.start(2).components
    slope = math.atan2(rise * box.disc_height, 100.0)
    assert geometry._half(box.sizes, 100.0, rise) == pytest.approx(
        box.road_length * math.cos(slope) / 2
    )
