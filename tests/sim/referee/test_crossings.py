"""The crossing rule on the vectors that every implementation must agree with: FR 6 and KR 6 with
their examples.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sim
from sim import referee
from sim.referee import crossings
from sim.referee.crossings import Meeting, Network, Road, clear_gap
from sim.referee.placement import Build, Exit
from sim.referee.ruleset import Ruleset
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


@pytest.mark.rule("FR 6", "FR 6 Attention", "FR 6 Example 1", "FR 6 Example 2")
@pytest.mark.rule("KR 6", "KR 6 Important", "KR 6 Example 1", "KR 6 Example 2")
@pytest.mark.parametrize(("vector", "case"), CASES)
def test_vector_earns_the_cars_that_it_says_as_roads_and_laid_on_a_table(
    vector: dict[str, Any], case: dict[str, Any]
) -> None:
    rules, existing = Ruleset.named(**case["options"]), [road(one) for one in vector["existing"]]
    earned = crossings.cars_earned(road(vector["new"]), existing, rules, inactive=inactive(vector))
    assert earned == case["cars"]
    table, placement, _ = table_of(vector, **case["options"])
    assert table.inactive == frozenset(inactive(vector))
    verdict = ply(table, placement)
    assert verdict.faults == ()
    assert verdict.earned == case["cars"] + bool(vector.get("exit"))


def test_every_vector_is_either_judged_or_refused() -> None:
    assert all(vector["legal"] == bool(vector.get("cars")) for vector in VECTORS)
    assert {vector["name"] for vector in VECTORS} >= _PLAIN


@pytest.mark.parametrize(
    ("name", "code", "other", "numbers", "says"),
    [
        # the thickness of a sloping stick, straight down
        ("V14 touching", "touches-road", "B-R0", {"gap": -2.0},
         "A-R0 cuts 2.01 mm into road B-R0 at their crossing (0.0, 0.0)"),
        # half a road, a disc, and what counts as touching
        ("V18 over a foreign pillar", "over-pillar", "B-P0", {"distance": 10.0, "needed": 14.55},
         "10.00 mm from its axis"),
    ],
)  # fmt: skip
def test_a_vector_that_is_illegal_is_refused_with_the_millimetres(
    name: str, code: str, other: str, numbers: dict[str, float], says: str
) -> None:
    table, placement, _ = table_of(next(one for one in VECTORS if one["name"] == name))
    (fault,) = [one for one in referee.before(table, placement) if one.code == code]
    assert fault.pieces == ("A-R0", other)
    assert {key: fault.numbers[key] for key in numbers} == pytest.approx(numbers, abs=0.01)
    assert says in fault.text


def own(start: Any, end: Any, levels: Any = (1, 2), *pillars: str, **more: Any) -> Road:
    return Road(0, start, end, levels, "A-R1", pillars=pillars or None, **more)


LEVEL = Road(1, (0, 0), (120, 0), (1, 1), "B-R1")
NORTH = Road(1, (0, -55), (0, 55), (1, 1), "B-R1")
FIRST = own((0, 0), (105, 0))
SETTLED = own((0, 0), (113, 1), (1, 2), "A-P0", "A-P1")
SLID = own((0, 0), (117, 0), (1, 2), "A-P0", "A-P1")
LEFT = own((0, 5), (105, -5), (1, 2), "A-P0", "A-P1")
RAMP_ENDS = ((0, 0), (109.5, 0))
FOOTPRINT = {"crossing_test": "footprint"}
PAIRS = [
    ("lines parallel to a billionth meet nowhere", LEVEL,
     own((0, -5.4e-8), (120, 5.4e-8), (3, 3)), {}, []),
    ("others do", LEVEL, own((0, -6.6e-8), (120, 6.6e-8), (3, 3)), {}, ["free"]),
    ("own roads on one pillar do not cross there", FIRST,
     own((105, 0), (150, 95), (2, 3)), {}, []),
    ("roads of two players do", FIRST, Road(1, (105, 0), (150, 95), (2, 3)), {}, ["free"]),
    ("on neighbouring pillars own roads cross", own((0, 0), (105, 0), (1, 1)),
     own((17, -15), (17, 90), (3, 2)), {}, ["own"]),
    ("the lower end of a ramp is no pillar", own(*RAMP_ENDS, (1, 0), ramp=True),
     own((100, -16), (100, 89), (3, 4)), {}, ["own"]),
    ("whichever end is told first", own(*RAMP_ENDS[::-1], (0, 1), ramp=True),
     own((100, -16), (100, 89), (3, 4)), {}, ["own"]),
    ("nor the end of one that settled a little higher", own(*RAMP_ENDS, (1, 0.1), ramp=True),
     own((100, -16), (100, 89), (3, 4)), {}, ["own"]),
    ("sticks on one pillar do not cross wherever they end", SETTLED,
     own((102, -7), (150, 95), (2, 3), "A-P1", "A-P2"), {}, []),
    ("on two they do", SETTLED, own((102, -7), (150, 95), (2, 3), "A-P3", "A-P2"), {}, ["own"]),
    ("nor if they slid 23 mm apart", SLID,
     own((95, -8), (150, 85), (3, 4), "A-P1", "A-P2"), {}, []),
    ("but on two", SLID, own((95, -8), (150, 85), (3, 4), "A-P3", "A-P2"), {}, ["own"]),
    ("two branches of a junction never cross", LEFT,
     own((0, -5), (105, 5), (1, 5), "A-P0", "A-P2"), {}, []),
    ("two branches of two players do", LEFT,
     Road(1, (0, -5), (105, 5), (1, 5), pillars=("A-P0", "A-P2")), {}, ["free"]),
    ("a road without length in plan crosses nothing", LEVEL,
     own((60, 0), (60, 0), (2, 2)), {}, []),
    ("by no test", LEVEL, own((60, 0), (60, 0), (2, 2)), FOOTPRINT, []),
    ("a road that ends past the middle line crosses it", NORTH,
     own((-108, 0), (2, 0), (3, 3)), {}, ["free"]),
    ("by its footprint it must cut right across", NORTH,
     own((-108, 0), (2, 0), (3, 3)), FOOTPRINT, []),
    ("as it does here", NORTH, own((-100, 0), (10, 0), (3, 3)), FOOTPRINT, ["free"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("standing", "new", "options", "reasons"),
    [pytest.param(*rest, id=why) for why, *rest in PAIRS],
)
def test_what_counts_as_a_crossing(
    standing: Road, new: Road, options: dict[str, Any], reasons: list[str]
) -> None:
    network = Network.of([standing], Ruleset.named(**options))
    assert [one.reason for one in crossings.judge(new, network)] == reasons


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
    verdict = ply(table, over)
    assert [(c.road.id, c.reason, [b.road.id for b in c.blockers]) for c in verdict.crossings] == [
        ("A-R0", "taken", ["A-R1"])
    ]
    assert verdict.earned == 0


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


@pytest.mark.parametrize(
    ("scope", "x", "cars"),
    [("road", 30, 0), ("point", 30, 1), ("point", -18, 0), ("point", -16, 1)],
)
def test_by_its_place_a_side_is_taken_within_one_and_a_half_road_widths(
    scope: str, x: float, cars: int
) -> None:
    """A third player's road crosses at -30: 12 mm away counts, 14 mm does not."""
    crossed = [Road(1, (-55, 0), (55, 0), (1, 1)), Road(2, (-30, -55), (-30, 55), (3, 3))]
    new, rules = Road(0, (x, -55), (x, 55), (3, 3)), Ruleset.named(crossing_scope=scope)
    assert crossings.cars_earned(new, crossed, rules) == cars


FLAT, SLOPING = Road(1, (0, 0), (120, 0), (1, 1)), Road(1, (0, 0), (30, 40), (1, 3))
OVER = Road(0, (60, -60), (60, 60), (4, 4))


@pytest.mark.parametrize(
    ("one", "other", "met", "clear"),
    [
        pytest.param(OVER, FLAT, Meeting((60, 0), 4.0, 1.0), 30.0 - 2.0, id="over"),
        pytest.param(FLAT, OVER, Meeting((60, 0), 1.0, 4.0), 30.0 - 2.0, id="from either road"),
        pytest.param(OVER, SLOPING, Meeting((15, 20), 4.0, 2.0),
                     20.0 - 2.0 * math.hypot(50.0, 20.0) / 50.0, id="a slope is thicker"),
        pytest.param(OVER, FLAT, Meeting((60, 0), 1.01, 1.0), 0.0, id="no gap is less than none"),
        pytest.param(OVER, Road(1, (0, 0), (0, 0), (1, 1)), Meeting((60, 0), 4.0, 1.0), 28.0,
                     id="no length in plan"),
    ],
)  # fmt: skip
def test_the_clear_gap_of_a_crossing_is_that_of_the_levels_less_the_lower_road(
    one: Road, other: Road, met: Meeting, clear: float
) -> None:
    assert clear_gap(Table.start(2).components, one, other, met) == pytest.approx(clear)
