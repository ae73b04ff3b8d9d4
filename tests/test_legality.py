"""Legality, fault by fault: what is allowed, what is just not, and a message that names the pieces and the millimetres."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from sim import legality, referee
from sim.placement import Adjust, Build, CarSpot, Entrance, Exit, Offset, Pass, Placement, Resign, SetBuilding
from sim.table import Table
from tests.tables import build, codes, exit_to, lay_out, play, stock

ALONE = {"A-P0": (0, 0, 1), "B-P0": (0, 500, 1)}
FOREIGN = {**ALONE, "B-P1": (60, -55, 2), "B-P2": (60, 55, 1)}
CROSSED = {"B-R1": ("B-P1", "B-P2")}


class Case(NamedTuple):
    """A fault with a table where one placement is legal and another has this fault; what its message must say."""

    code: str
    table: Table
    legal: Placement | None
    illegal: Placement
    pieces: tuple[str, ...] = ()
    says: str = ""


def entrances(players: int = 2) -> Table:
    table = Table.start(players)
    for seat in range(players):
        table = play(table, table.default_entrance(seat))
    return table


def over() -> Table:
    return play(lay_out(ALONE), Resign())


def level_with_a_road() -> Table:
    """B's road lies at 3.5 discs in the way of A's builds from A-P0."""
    pillars = {"A-P0": (0, 0, 3), "B-P0": (0, 500, 1), "B-P1": (60, -55, 3), "B-P2": (60, 55, 4)}
    return lay_out(pillars, CROSSED)


def under_a_car(height: int) -> Table:
    pillars = {"A-P0": (0, 0, height), "B-P0": (0, 500, 1), "B-P1": (60, -55, 2), "B-P2": (60, 55, 2)}
    return lay_out(pillars, CROSSED, cars={"B-C0": ("B-R1", 0.5)})


def allowing(**options: str) -> Table:
    """A's highway A-P0, A-P1 with a base pillar A-P2 of three discs beside it."""
    pillars = {"A-P0": (0, -50, 1), "A-P1": (0, 55, 2), "A-P2": (-60, 55, 4), "B-P0": (0, 500, 1)}
    return lay_out(pillars, {"A-R1": ("A-P0", "A-P1")}, **options)


CASES = [
    Case("game-over", over(), None, build("A-P0", 105, 0, 2), says="game is over"),
    Case("phase", Table.start(2), Table.start(2).default_entrance(0), build("A-P0", 105, 0, 2), says="seat A sets an entrance"),
    Case(
        "stock-grey",
        lay_out(ALONE, stocks=[stock(grey=2)] * 2),
        build("A-P0", 105, 0, 2),
        build("A-P0", 105, 0, 4, True),
        says="needs 3 grey discs and has 2",
    ),
    Case(
        "stock-yellow",
        lay_out(ALONE, stocks=[stock(yellow=0)] * 2),
        build("A-P0", 105, 0, 2),
        build("A-P0", 105, 0, 2, True),
        says="needs 1 yellow discs and has 0",
    ),
    Case(
        "stock-roads",
        lay_out(ALONE, stocks=[stock(roads=0)] * 2),
        Pass(),
        build("A-P0", 105, 0, 2),
        says="needs 1 roads and has 0",
    ),
    Case(
        "stock-cars",
        lay_out(FOREIGN, CROSSED, stocks=[stock(cars=0)] * 2),
        build("A-P0", 105, 0, 6, True, []),
        build("A-P0", 105, 0, 6, True, [0.3]),
        says="1 cars are put down, but A has 0 left",
    ),
    Case(
        "building-kind",
        entrances(3),
        SetBuilding("tower", (300, 0)),
        SetBuilding("pagoda", (300, 0)),
        says="no building 'pagoda'",
    ),
    Case(
        "building-taken",
        play(entrances(3), SetBuilding("tower", (300, 0))),
        SetBuilding("slab", (400, 0)),
        SetBuilding("tower", (400, 0)),
        ("X0",),
        "stands already as X0",
    ),
    Case(
        "building-overlap",
        entrances(3),
        SetBuilding("tower", (300, 0)),
        SetBuilding("tower", (20, -120)),
        ("A-R0",),
        r"overlap by \d\.\d\d mm",
    ),
    Case("can-build", lay_out(ALONE), build("A-P0", 105, 0, 2), Pass(), ("A-P0",), "can build from A-P0"),
    Case("has-room", lay_out(ALONE), build("A-P0", 105, 0, 2), Pass("no room"), says='"from":"A-P0"'),
    Case("base-unknown", lay_out(ALONE), build("A-P0", 105, 0, 2), build("A-P7", 105, 0, 2), says="no pillar A-P7"),
    Case("base-foreign", lay_out(ALONE), build("A-P0", 105, 0, 2), build("B-P0", 105, 500, 2), ("B-P0",), "belongs to B"),
    Case(
        "base-used",
        lay_out({**ALONE, "A-P1": (105, 0, 2)}, {"A-R1": ("A-P0", "A-P1")}),
        build("A-P1", 210, 0, 3),
        build("A-P0", 0, 105, 2),
        ("A-P0",),
        "A-R1 leaves it already; base points of A: A-P1",
    ),
    Case(
        "junction-height",
        lay_out(ALONE),
        build("A-P0", 105, 0, 2, True),
        build("A-P0", 105, 0, 1, True),
        says="at least one grey",
    ),
    Case("height", lay_out(ALONE), build("A-P0", 105, 0, 2), build("A-P0", 105, 0, 1), ("A-P0",), "has 2 discs, not 1"),
    Case(
        "exit-height",
        lay_out({"A-P0": (0, 0, 2), "A-P1": (0, 50, 1)}),
        exit_to("A-P1", 109.5, 50),
        exit_to("A-P0", 108, 0),
        ("A-P0",),
        "height 1; A-P0 has 2 discs",
    ),
    Case("reach", lay_out(ALONE), build("A-P0", 124, 0, 2), build("A-P0", 126, 0, 2), ("A-R0", "A-P0"), r"126\.00 mm apart"),
    Case("sticks-out", lay_out(ALONE), build("A-P0", 92, 0, 2), build("A-P0", 90, 0, 2), ("A-R0", "A-P0"), r"by 0\.\d\d mm"),
    Case(
        "touches-road",
        level_with_a_road(),
        build("A-P0", 105, 0, 5, True),
        build("A-P0", 105, 0, 4),
        ("A-R0", "B-R1"),
        r"the gap at the crossing \(60\.00, 0\.00\) is -1\.\d\d mm, -\d\.\d\d mm at the narrowest",
    ),
    Case(
        "touches-car",
        under_a_car(2),
        build("A-P0", 105, 0, 5, True),
        build("A-P0", 105, 0, 3),
        ("A-R0", "B-C0"),
        r"the gap is -?\d+\.\d\d mm",
    ),
    Case(
        "over-building",
        lay_out({**ALONE, "A-P0": (0, 200, 1), "A-P9": (0, 0, 7)}, buildings=[("block", (55, 0))], over_building="forbid"),
        build("A-P9", 0, -105, 8),
        build("A-P9", 105, 0, 8),
        ("A-R0", "X0"),
        "passes over the building X0",
    ),
    Case(
        "touches-building",
        lay_out(ALONE, buildings=[("block", (55, 30))]),
        build("A-P0", 0, -105, 2),
        build("A-P0", 105, 20, 2),
        ("A-R0", "X0"),
        r"the gap is -\d+\.\d\d mm",
    ),
    Case(
        "touches-building",
        lay_out(ALONE, buildings=[("cylinder", (55, 0))]),
        build("A-P0", 0, -105, 2),
        build("A-P0", 105, 0, 2),
        ("A-R0", "X0"),
        r"the gap is -\d+\.\d\d mm",
    ),
    Case(
        "over-pillar",
        lay_out({**ALONE, "B-P1": (55, 14.6, 1)}),
        build("A-P0", 105, 0, 2),
        build("A-P0", 105, 1, 2),
        ("A-R0", "B-P1"),
        r"within 14\.\d\d mm of the axis, .* = 14\.5 mm is needed",
    ),
    Case(
        "touches-pillar",
        lay_out({"A-P0": (0, 0, 3), "A-P1": (55, 0, 3), "B-P0": (0, 500, 1)}, own_pillar_shadow="allow"),
        build("A-P0", 105, 0, 6, True),
        build("A-P0", 105, 0, 2),
        ("A-R0", "A-P1"),
        r"the gap is -\d\.\d\d mm",
    ),
    Case(
        "pillar-on-pillar",
        lay_out({**ALONE, "B-P1": (105, 21, 1)}),
        build("A-P0", 105, 0, 2),
        build("A-P0", 105, 2, 2),
        ("B-P1",),
        r"overlaps pillar B-P1 by 1\.00 mm",
    ),
    Case(
        "pillar-under-road",
        lay_out({**ALONE, "B-P1": (115, -55, 9), "B-P2": (115, 55, 9)}, CROSSED),
        build("A-P0", 100, 0, 2),
        build("A-P0", 101, 0, 2),
        ("B-R1",),
        r"overlaps road B-R1 by 0\.50 mm",
    ),
    Case(
        "pillar-touches-road",
        lay_out({**ALONE, "B-P1": (105, -55, 2), "B-P2": (105, 55, 2)}, CROSSED, pillar_under_road="allow"),
        build("A-P0", -105, 0, 2),
        build("A-P0", 105, 0, 2),
        ("B-R1",),
        r"the gap is 0\.00 mm",
    ),
    Case(
        "pillar-touches-car",
        lay_out(
            {**ALONE, "B-P1": (115, -55, 1), "B-P2": (115, 55, 1)},
            CROSSED,
            cars={"B-C0": ("B-R1", 0.5)},
            pillar_under_road="allow",
        ),
        build("A-P0", 95, 0, 2),
        build("A-P0", 108, 0, 2),
        ("B-C0",),
        r"touches car B-C0",
    ),
    Case(
        "pillar-on-building",
        lay_out(ALONE, buildings=[("tower", (130, 0))]),
        build("A-P0", 102, 0, 2),
        build("A-P0", 104, 0, 2),
        ("X0",),
        r"overlaps building X0 by 1\.50 mm",
    ),
    Case(
        "pillar-on-building",
        lay_out(ALONE, buildings=[("cylinder", (130, 0))]),
        build("A-P0", 102, 0, 2),
        build("A-P0", 104, 0, 2),
        ("X0",),
        r"overlaps building X0 by 1\.50 mm",
    ),
    Case(
        "own-crossing",
        lay_out({**ALONE, "A-P1": (60, -55, 4), "A-P2": (60, 55, 5)}, {"A-R1": ("A-P1", "A-P2")}, self_cross=False),
        build("A-P0", -105, 0, 2),
        build("A-P0", 105, 0, 2),
        ("A-R1",),
        "crosses the own road A-R1",
    ),
    Case(
        "cars-earned",
        lay_out(FOREIGN, CROSSED),
        build("A-P0", 105, 0, 6, True, [0.2]),
        build("A-P0", 105, 0, 6, True, [0.2, 0.5]),
        says="2 cars are put down, but 1 are earned",
    ),
    Case(
        "car-off-road",
        lay_out(FOREIGN, CROSSED),
        build("A-P0", 105, 0, 6, True, [CarSpot(0.2, 4.5)]),
        build("A-P0", 105, 0, 6, True, [CarSpot(0.2, 4.6)]),
        ("A-R0",),
        r"4\.6 mm off the centre line",
    ),
    Case(
        "car-on-car",
        lay_out({**FOREIGN, "B-P3": (35, 55, 1), "B-P4": (35, -55, 2)}, {**CROSSED, "B-R2": ("B-P3", "B-P4")}),
        build("A-P0", 105, 0, 8, True, [0.2, 0.4]),
        build("A-P0", 105, 0, 8, True, [0.2, 0.3]),
        ("A-R0",),
        r"the cars at 0\.2 and 0\.3 of A-R0 overlap by 3\.00 mm",
    ),
    Case(
        "car-touches",
        lay_out({**ALONE, "B-P1": (60, -55, 3), "B-P2": (60, 55, 2)}, CROSSED),
        build("A-P0", 105, 0, 2, False, [0.2]),
        build("A-P0", 105, 0, 2, False, [0.57]),
        ("A-R0", "B-R1"),
        r"the car at 0\.57 of A-R0 touches B-R1: the gap is -\d\.\d\d mm",
    ),
    Case("frozen", lay_out(ALONE), None, Adjust(pillar=(105.0, 0.0)), says="nothing to adjust: A has laid no road yet"),
    Case(
        "adjust-end",
        play(lay_out(ALONE), build("A-P0", 105, 0, 2)),
        Adjust(pillar=(0.0, 105.0)),
        Adjust(to=(0.0, 105.0)),
        ("A-R0",),
        "A-R0 is no exit",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case.code for case in CASES])
def test_fault_is_found_where_it_is_and_nowhere_else(case: Case) -> None:
    if case.legal is not None:
        assert referee.before(case.table, case.legal) == ()
    faults = [fault for fault in referee.before(case.table, case.illegal) if fault.code == case.code]
    assert faults, [fault.code for fault in referee.before(case.table, case.illegal)]
    assert any(set(case.pieces) <= set(fault.pieces) for fault in faults)
    assert any(re.search(case.says, fault.text) for fault in faults), [fault.text for fault in faults]
    assert all(fault.to_json()["code"] == case.code for fault in faults)


def test_every_fault_code_has_a_case() -> None:
    source = Path(legality.__file__).read_text(encoding="utf-8")
    written = set(re.findall(r'"((?:[a-z]+-)+[a-z]+|phase|height|reach)"', source))
    known = {f"stock-{name}" for name in ("grey", "yellow", "roads", "cars")} | {case.code for case in CASES}
    assert written - {"no-room"} <= known
    assert {case.code for case in CASES} >= known


def test_all_faults_are_told_at_once() -> None:
    table = lay_out({**FOREIGN, "B-P3": (105, 5, 1)}, CROSSED, stocks=[stock(grey=2)] * 2)
    assert {"height", "stock-grey", "pillar-on-pillar", "over-pillar"} <= set(codes(table, build("A-P0", 105, 0, 3)))


def test_an_entrance_keeps_clear_of_what_stands() -> None:
    table = play(Table.start(2), Entrance((0.0, -55.0), 270.0))
    assert codes(table, Entrance((0.0, -40.0), 90.0)) == ["pillar-on-pillar"]
    assert "over-pillar" in codes(table, Entrance((0.0, 40.0), 270.0))
    assert codes(table, Entrance((0.0, 55.0), 90.0)) == []


def test_a_road_reaches_as_far_as_the_derived_distances_say() -> None:
    """Section 1: a height difference of one disc is legal for centre distances of about 92 to 124."""
    box = lay_out(ALONE).components
    least, greatest = legality.reach(box, 1) or (0, 0)
    assert (least, greatest) == (pytest.approx(92, abs=1.0), pytest.approx(124.5, abs=0.6))
    for rise in range(1, 9):
        between = legality.reach(box, rise)
        assert between is not None
        for distance, fits in ((between[0] + 0.02, True), (between[1] - 0.02, True), (between[1] + 0.02, False)):
            found = codes(lay_out(ALONE), build("A-P0", round(distance, 3), 0, 1 + rise, True))
            assert ("reach" not in found and "sticks-out" not in found) == fits, (rise, distance)


def test_an_offset_road_may_lie_beside_another_on_a_disc_but_not_stick_out() -> None:
    table = lay_out({**ALONE, "A-P0": (0, 0, 2, True)}, {})
    beside = Build("A-P0", (105.0, 0.0), 3, road=Offset((0.0, 5.0), (0.0, 5.0)))
    assert codes(table, beside) == []
    outside = Build("A-P0", (105.0, 0.0), 3, road=Offset((0.0, 8.0), (0.0, 8.0)))
    assert "sticks-out" in codes(table, outside)
    slid = Build("A-P0", (105.0, 0.0), 3, road=Offset(slide=12.0))
    assert sorted(codes(table, slid)) == ["reach", "sticks-out"]


def test_a_fault_over_a_pillar_measures_from_where_the_disc_settled() -> None:
    table = lay_out({**ALONE, "B-P1": (55, 20, 1)})
    assert codes(table, build("A-P0", 105, 0, 2)) == []
    pose = next(iter(_disc_poses(table, "B-P1.1")))
    nudged = replace(table, poses={"B-P1.1": pose._replace(at=(55.0, 12.0, 5.0))})
    assert codes(nudged, build("A-P0", 105, 0, 2)) == ["over-pillar"]


def _disc_poses(table: Table, *names: str):
    from sim.laying import bodies

    return [body.pose for body in bodies(table) if body.id in names]


def test_a_road_is_laid_from_where_a_nudged_base_really_is() -> None:
    table = lay_out(ALONE)
    (pose,) = _disc_poses(table, "A-P0.1")
    nudged = replace(table, poses={"A-P0.1": pose._replace(at=(3.0, 1.0, 5.0))})
    assert nudged.with_pieces(build("A-P0", 105, 0, 2)).roads[-1].start == (3.0, 1.0)
    assert _agreed(nudged, np.random.default_rng(5), 200) > 0


# --- screen ------------------------------------------------------------------------------------------------------------------


def _agreed(table: Table, rng: np.random.Generator, count: int) -> int:
    """How many of `count` random builds and exits are legal, once `before` and `screen` were found to agree on each."""
    legal = 0
    for base in table.base_points(table.to_move):
        axis = np.array(table.top(base.pillar))
        distance, angle = rng.uniform(85.0, 128.0, count), rng.uniform(0.0, 2 * np.pi, count)
        spots = np.round(axis + distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), 2)
        junction = rng.random(count) < 0.4
        discs = np.where(junction, rng.integers(1, 7, count), base.pillar.discs + rng.integers(-1, 2, count))
        discs = np.maximum(discs, 1)
        found = referee.screen(table, base.pillar.id, spots, discs, junction)
        leaving = referee.screen_exits(table, base.pillar.id, spots)
        for row, (x, y) in enumerate(spots.tolist()):
            for result, placement in (
                (found, Build(base.pillar.id, (x, y), int(discs[row]), bool(junction[row]))),
                (leaving, Exit(base.pillar.id, (x, y))),
            ):
                faults = referee.before(table, placement)
                assert bool(result.legal[row]) == (not faults), (placement, [fault.text for fault in faults])
                if not faults:
                    legal += 1
                    verdict, _ = _geometry(table, placement)
                    assert verdict == int(result.cars[row]), placement
    return legal


def _geometry(table: Table, placement: Placement) -> tuple[int, Table]:
    from sim.highway import play as play_ply

    verdict, after = play_ply(table, placement, "none")
    return verdict.earned, after


@pytest.mark.parametrize("seed", range(4))
def test_screen_agrees_with_before_on_random_placements(seed: int) -> None:
    rng = np.random.default_rng(seed)
    options = [
        {},
        {"crossing_scope": "point", "over_building": "forbid", "self_cross": False, "exit_height": "any"},
        {"pillar_under_road": "allow", "own_pillar_shadow": "allow", "own_cross_voids": True, "crossing_test": "footprint"},
        {"base_point": "last_built", "touch_cars": "legal", "crossing_memory": "history", "own_roads_occlude": False},
    ][seed]
    table = Table.start(3, "standard", **options)
    for seat in range(3):
        table = play(table, table.default_entrance(seat))
    for kind, at in (("tower", (130.0, -75.0)), ("cylinder", (0.0, 150.0)), ("block", (-130.0, -75.0))):
        table = play(table, SetBuilding(kind, at, float(rng.integers(0, 90))))
    legal = 0
    for _ in range(12):
        placement = _random_build(table, rng)
        if placement is None:
            break
        table = play(table, placement)
        legal += _agreed(table, rng, 12)
    assert legal > 20


def _random_build(table: Table, rng: np.random.Generator) -> Placement | None:
    """A legal build by screening, one that scores if there is one."""
    best: list[tuple[int, Placement]] = []
    for base in table.base_points(table.to_move):
        axis = np.array(table.top(base.pillar))
        n = 200
        distance, angle = rng.uniform(93.0, 123.0, n), rng.uniform(0.0, 2 * np.pi, n)
        spots = np.round(axis + distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), 2)
        for discs, junction in legality.allowed_discs(table, base.pillar)[:4]:
            found = referee.screen(table, base.pillar.id, spots, np.full(n, discs), np.full(n, junction))
            best += [
                (int(found.cars[row]), Build(base.pillar.id, tuple(spots[row].tolist()), discs, junction))
                for row in np.flatnonzero(found.legal).tolist()
            ]
    return max(best, key=lambda item: item[0])[1] if best else None
