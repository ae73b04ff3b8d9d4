"""Legality, fault by fault: what is allowed, what is just not, and a message that names the pieces
and the millimetres.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any, NamedTuple, get_args

import numpy as np
import pytest

from sim import referee
from sim.bodies import Pose, rotate
from sim.game.attempts.posing import lay
from sim.referee import room as slopes
from sim.referee.obstacles import car_hits, road_strip
from sim.referee.placement import (
    Adjust,
    Build,
    CarSpot,
    Entrance,
    Offset,
    Pass,
    Placement,
    Resign,
    SetBuilding,
)
from sim.referee.room import allowed_discs, free_spots, reach
from sim.referee.standing import FaultCode
from sim.referee.table import Table
from tests.tables import (
    ALONE,
    CROSSED,
    at_rest,
    build,
    codes,
    entrances,
    exit_to,
    lay_out,
    play,
    stock,
)

FOREIGN = {**ALONE, "B-P1": (60, -55, 2), "B-P2": (60, 55, 1)}
PASSED = {**FOREIGN, "B-P8": (10, 40, 4), "B-P9": (110, 40, 4)}
PASSING = {**CROSSED, "B-R9": ("B-P8", "B-P9")}


def askew(mm: float) -> Build:
    return Build("A-P0", (105.0, 0.0), 2, road=Offset((0.0, mm), (0.0, mm)))


def incoming(height: int, x: float, y: float = 0.0, base: int = 1, **options: str) -> Table:
    """A's road A-R1 from a pillar of that height at (x, y) in to A-P1, the base pillar, at the
    origin.
    """
    pillars = {"A-P0": (x, y, height), "A-P1": (0, 0, base), "B-P0": (0, 500, 1)}
    return lay_out(pillars, {"A-R1": ("A-P0", "A-P1")}, **options)


class Case(NamedTuple):
    """A fault with a table where one placement is legal and another has this fault; what its
    message must say.
    """

    code: str
    table: Table
    legal: Placement | None
    illegal: Placement
    pieces: tuple[str, ...] = ()
    says: str = ""


def over() -> Table:
    return play(lay_out(ALONE), Resign())


def level_with_a_road() -> Table:
    """B's road lies at 3.5 discs in the way of A's builds from A-P0."""
    pillars = {"A-P0": (0, 0, 3), "B-P0": (0, 500, 1), "B-P1": (60, -55, 3), "B-P2": (60, 55, 4)}
    return lay_out(pillars, CROSSED)


def under_a_car(height: int) -> Table:
    pillars = {
        "A-P0": (0, 0, height),
        "B-P0": (0, 500, 1),
        "B-P1": (60, -55, 2),
        "B-P2": (60, 55, 2),
    }
    return lay_out(pillars, CROSSED, cars={"B-C0": ("B-R1", 0.5)})


def allowing(**options: str) -> Table:
    """A's highway A-P0, A-P1 with a base pillar A-P2 of three discs beside it."""
    pillars = {"A-P0": (0, -50, 1), "A-P1": (0, 55, 2), "A-P2": (-60, 55, 4), "B-P0": (0, 500, 1)}
    return lay_out(pillars, {"A-R1": ("A-P0", "A-P1")}, **options)


CASES = [
    Case("game-over", over(), None, build("A-P0", 105, 0, 2), says="game is over"),
    Case(
        "entrance-far",
        Table.start(2),
        Entrance((0.0, -220.0), 270.0),
        Entrance((176.0, -132.5), 270.0),
        says=(
            r"disc at \(176.0, -132.5\) stands 220.30 mm from the middle of the table; 220 mm is "
            r"the most"
        ),
    ),
    Case(
        "over-pillar",
        play(Table.start(2), Entrance((0.0, -55.0), 270.0)),
        Entrance((0.0, 55.0), 90.0),
        Entrance((0.0, 40.0), 270.0),
        ("B-R0", "A-P0"),
    ),
    Case(
        "pillar-on-pillar",
        play(Table.start(2), Entrance((0.0, -55.0), 270.0)),
        None,
        Entrance((0.0, -40.0), 90.0),
        ("A-P0",),
    ),
    Case(
        "phase",
        Table.start(2),
        Table.start(2).default_entrance(0),
        build("A-P0", 105, 0, 2),
        says="A must now set an entrance",
    ),
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
        says="needs 1 yellow disc and has 0",
    ),
    Case(
        "stock-roads",
        lay_out(ALONE, stocks=[stock(roads=0)] * 2),
        Pass(),
        build("A-P0", 105, 0, 2),
        says="needs 1 road and has 0",
    ),
    Case(
        "stock-cars",
        lay_out(FOREIGN, CROSSED, stocks=[stock(cars=0)] * 2),
        build("A-P0", 105, 0, 6, True, []),
        build("A-P0", 105, 0, 6, True, [0.3]),
        says="1 car is put down, but A has 0 left",
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
        "is already on the table as X0",
    ),
    Case(
        "building-overlap",
        entrances(3),
        SetBuilding("tower", (300, 0)),
        SetBuilding("tower", (20, -120)),
        ("A-R0",),
        r"the tower at \(20\.0, -120\.0\) overlaps A-R0 by \d\.\d\d mm",
    ),
    Case(
        "building-overlap",
        entrances(3),
        SetBuilding("tower", (22.06, -120)),
        SetBuilding("tower", (22.02, -120)),
        ("A-R0",),
        r"the tower at \(22\.0, -120\.0\) touches A-R0: the gap is 0\.02 mm in plan",
    ),
    Case(
        "building-overlap",
        entrances(3),
        SetBuilding("cylinder", (22.06, -120)),
        SetBuilding("cylinder", (22.03, -120)),
        ("A-R0",),
        r"the cylinder at \(22\.0, -120\.0\) touches A-R0: the gap is 0\.03 mm in plan",
    ),
    Case(
        "can-build",
        lay_out(ALONE),
        build("A-P0", 105, 0, 2),
        Pass(),
        ("A-P0",),
        "can build from A-P0",
    ),
    Case(
        "has-room",
        lay_out(ALONE),
        build("A-P0", 105, 0, 2),
        Pass("no room"),
        says=r"A has room: 2 discs at \(91\.7, 0\.0\) from A-P0",
    ),
    Case(
        "has-room",
        lay_out(ALONE, stocks=[stock(grey=0, yellow=0)] * 2),
        exit_to("A-P0", 109.54, 0),
        Pass("no room"),
        says=r"A has room: an exit to \(109\.5, 0\.0\) from A-P0",
    ),
    Case(
        "base-unknown",
        lay_out(ALONE),
        build("A-P0", 105, 0, 2),
        build("A-P7", 105, 0, 2),
        says="no pillar A-P7",
    ),
    Case(
        "under-unknown",
        lay_out(ALONE),
        build("A-P0", 105, 0, 2),
        replace(build("A-P0", 105, 0, 2), road=Offset(under=("A-R7",))),
        says="cannot lie under A-R7: no older road lies on A-P0",
    ),
    Case(
        "base-foreign",
        lay_out(ALONE),
        build("A-P0", 105, 0, 2),
        build("B-P0", 105, 500, 2),
        ("B-P0",),
        "belongs to B",
    ),
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
    Case(
        "height",
        lay_out(ALONE),
        build("A-P0", 105, 0, 2),
        build("A-P0", 105, 0, 1),
        ("A-P0",),
        "has 2 discs, not 1",
    ),
    Case(
        "exit-height",
        lay_out({"A-P0": (0, 0, 2), "A-P1": (0, 50, 1)}),
        exit_to("A-P1", 109.5, 50),
        exit_to("A-P0", 108, 0),
        ("A-P0",),
        "height 1; A-P0 has 2 discs",
    ),
    Case(
        "reach",
        lay_out(ALONE),
        build("A-P0", 124, 0, 2),
        build("A-P0", 126, 0, 2),
        ("A-R0", "A-P0"),
        r"rests on only 1\.\d\d mm",
    ),
    Case(
        "reach",
        lay_out(ALONE),
        build("A-P0", 124, 0, 2),
        build("A-P0", 140, 0, 2),
        ("A-R0", "A-P1"),
        r"5\.\d mm short of the rim",
    ),
    Case(
        "reach",
        lay_out(ALONE),
        build("A-P0", 105, 0, 2),
        askew(9.0),
        ("A-R0", "A-P0"),
        r"9\.00 mm beside the axis of A-P0",
    ),
    Case(
        "too-steep",
        lay_out(ALONE),
        build("A-P0", 95, 0, 8, True),
        build("A-P0", 60, 0, 9, True),
        ("A-P0", "A-P1"),
        "8 discs",
    ),
    Case(
        "sticks-out",
        lay_out(ALONE),
        build("A-P0", 92, 0, 2),
        build("A-P0", 90, 0, 2),
        ("A-R0", "A-P0"),
        r"by 0\.\d\d mm",
    ),
    Case(
        "touches-road",
        level_with_a_road(),
        build("A-P0", 105, 0, 5, True),
        build("A-P0", 105, 0, 4),
        ("A-R0", "B-R1"),
        r"cuts 1\.29 mm into road B-R1 at their crossing \(60\.0, 0\.0\), 2\.14 mm at most",
    ),
    Case(
        "touches-road",
        lay_out({**ALONE, "B-P1": (60, -55, 3), "B-P2": (60, 55, 4)}, CROSSED),
        build("A-P0", -105, 0, 2),
        build("A-P0", 105, 0, 6, True),
        ("A-R0", "B-R1"),
        (
            r"cuts 0\.\d\d mm into road B-R1; at their crossing \(60\.0, 0\.0\) it is clear by "
            r"1\.\d\d "
            r"mm"
        ),
    ),
    Case(
        "touches-road",
        lay_out({**ALONE, "B-P1": (20, 8.9, 1), "B-P2": (125, 8.9, 2)}, CROSSED),
        build("A-P0", -105, 0, 2),
        build("A-P0", 105, 0, 2),
        ("A-R0", "B-R1"),
        r"cuts 0\.10 mm into road B-R1$",
    ),
    Case(
        "touches-road",
        lay_out({**ALONE, "B-P1": (20, 9.02, 1), "B-P2": (125, 9.02, 2)}, CROSSED),
        build("A-P0", -105, 0, 2),
        build("A-P0", 105, 0, 2),
        ("A-R0", "B-R1"),
        r"touches road B-R1: the gap is 0\.02 mm$",
    ),
    Case(
        "under-own-road",
        incoming(2, -105.0),
        exit_to("A-P1", 109.54, 0),
        exit_to("A-P1", -109.54, 0),
        ("A-R2", "A-R1"),
        "A-R2 would lie on A-R1: its lower end cannot come down to the table from A-P1",
    ),
    Case(
        "under-own-road",
        incoming(3, -105.0),
        build("A-P1", 105, 0, 2),
        build("A-P1", -100, 30, 2),
        ("A-R2", "A-R1"),
        "A-R2 would lie on A-R1: from A-P1 it cannot pass under it",
    ),
    Case(
        "under-own-road",
        lay_out(
            {"A-P0": (0, 0, 3, True), "A-P1": (100, -20, 2), "B-P0": (0, 500, 1)},
            {"A-R1": ("A-P0", "A-P1")},
        ),
        build("A-P0", 105, 5, 4),
        build("A-P0", 98, -10, 1, True),
        ("A-R2", "A-R1"),
    ),
    Case(
        "touches-car",
        under_a_car(2),
        build("A-P0", 105, 0, 5, True),
        build("A-P0", 105, 0, 3),
        ("A-R0", "B-C0"),
        r"cuts 3\.62 mm into the car B-C0",
    ),
    Case(
        "touches-car",
        lay_out(
            {"A-P0": (0, 0, 2), "B-P0": (0, 500, 1), "B-P1": (50, -55, 2), "B-P2": (50, 55, 2)},
            CROSSED,
            cars={"B-C0": ("B-R1", 0.5)},
        ),
        build("A-P0", 100, 0, 4, True),
        build("A-P0", 102.9, 0, 4, True),
        ("A-R0", "B-C0"),
        r"touches the car B-C0: the gap is 0\.04 mm",
    ),
    Case(
        "over-building",
        lay_out(
            {**ALONE, "A-P0": (0, 200, 1), "A-P9": (0, 0, 7)},
            buildings=[("block", (55, 0))],
            over_building="forbid",
        ),
        build("A-P9", 0, -105, 8),
        build("A-P9", 105, 0, 8),
        ("A-R0", "X0"),
        r"passes 27\.\d\d mm over the building X0",
    ),
    Case(
        "touches-building",
        lay_out(ALONE, buildings=[("block", (55, 30))]),
        build("A-P0", 0, -105, 2),
        build("A-P0", 105, 20, 2),
        ("A-R0", "X0"),
        r"cuts \d+\.\d\d mm into the building X0",
    ),
    Case(
        "touches-building",
        lay_out(ALONE, buildings=[("block", (55, 27.02))]),
        build("A-P0", 105, -1, 2),
        build("A-P0", 105, 0, 2),
        ("A-R0", "X0"),
        r"touches the building X0: the gap is 0\.02 mm",
    ),
    Case(
        "over-building",
        lay_out(ALONE, buildings=[("block", (55, 27.02))], over_building="forbid"),
        build("A-P0", 105, -1, 2),
        build("A-P0", 105, 0, 2),
        ("A-R0", "X0"),
        r"touches the building X0: the gap is 0\.02 mm",
    ),
    Case(
        "over-building",
        lay_out(ALONE, buildings=[("block", (55, 25))], over_building="forbid"),
        build("A-P0", 105, -8, 2),
        build("A-P0", 105, 0, 2),
        ("A-R0", "X0"),
        r"cuts 2\.00 mm into the building X0",
    ),
    Case(
        "touches-building",
        lay_out(ALONE, buildings=[("cylinder", (55, 0))]),
        build("A-P0", 0, -105, 2),
        build("A-P0", 105, 0, 2),
        ("A-R0", "X0"),
        r"cuts \d+\.\d\d mm into the building X0",
    ),
    Case(
        "over-pillar",
        lay_out({**ALONE, "B-P1": (55, 14.6, 1)}),
        build("A-P0", 105, 0, 2),
        build("A-P0", 105, 1, 2),
        ("A-R0", "B-P1"),
        (
            r"pillar B-P1 at \(55\.0, 14\.6\) seen from above: 14\.\d\d mm from its axis; at least "
            r"14\.55 mm is needed"
        ),
    ),
    Case(
        "touches-pillar",
        lay_out(
            {"A-P0": (0, 0, 3), "A-P1": (55, 0, 3), "B-P0": (0, 500, 1)}, own_pillar_shadow="allow"
        ),
        build("A-P0", 105, 0, 6, True),
        build("A-P0", 105, 0, 2),
        ("A-R0", "A-P1"),
        r"cuts 6\.19 mm into the pillar A-P1",
    ),
    Case(
        "touches-pillar",
        lay_out({**ALONE, "A-P1": (55, 14.52, 3)}, own_pillar_shadow="allow"),
        build("A-P0", 105, -1, 2),
        build("A-P0", 105, 0, 2),
        ("A-R0", "A-P1"),
        r"touches the pillar A-P1: the gap is 0\.02 mm",
    ),
    Case(
        "pillar-on-pillar",
        lay_out({**ALONE, "B-P1": (105, 20, 1)}),
        build("A-P0", 105, -0.06, 2),
        build("A-P0", 105, 0, 2),
        ("B-P1",),
        r"touches pillar B-P1: the gap is 0\.00 mm in plan",
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
        "pillar-under-road",
        lay_out({**ALONE, "B-P1": (115, -55, 9), "B-P2": (115, 55, 9)}, CROSSED),
        build("A-P0", 100.44, 0, 2),
        build("A-P0", 100.48, 0, 2),
        ("B-R1",),
        r"touches road B-R1: the gap is 0\.02 mm in plan; no pillar is set under a road",
    ),
    Case(
        "pillar-touches-road",
        lay_out(
            {**ALONE, "B-P1": (105, -55, 2), "B-P2": (105, 55, 2)},
            CROSSED,
            pillar_under_road="allow",
        ),
        build("A-P0", -105, 0, 2),
        build("A-P0", 105, 0, 2),
        ("B-R1",),
        r"touches road B-R1: the gap is 0\.00 mm",
    ),
    Case(
        "pillar-touches-road",
        lay_out(
            {**ALONE, "B-P1": (105, -55, 2), "B-P2": (105, 55, 2)},
            CROSSED,
            pillar_under_road="allow",
        ),
        build("A-P0", -105, 0, 2),
        build("A-P0", 105, 0, 3, True),
        ("B-R1",),
        r"cuts 10\.00 mm into road B-R1",
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
        r"cuts 6\.50 mm into car B-C0",
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
        build("A-P0", 101.48, 0, 2),
        ("B-C0",),
        r"touches car B-C0: the gap is 0\.02 mm",
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
        lay_out(ALONE, buildings=[("tower", (130, 0))]),
        build("A-P0", 102.44, 0, 2),
        build("A-P0", 102.48, 0, 2),
        ("X0",),
        r"touches building X0: the gap is 0\.02 mm",
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
        lay_out(
            {**ALONE, "A-P1": (60, -55, 4), "A-P2": (60, 55, 5)},
            {"A-R1": ("A-P1", "A-P2")},
            self_cross=False,
        ),
        build("A-P0", -105, 0, 2),
        build("A-P0", 105, 0, 2),
        ("A-R1",),
        "crosses A-R1 of the same player",
    ),
    Case(
        "cars-earned",
        lay_out(FOREIGN, CROSSED),
        build("A-P0", 105, 0, 6, True, [0.2]),
        build("A-P0", 105, 0, 6, True, [0.2, 0.5]),
        says="2 cars are put down, but 1 is earned",
    ),
    Case(
        "cars-earned",
        lay_out(PASSED, PASSING, crossing_memory="history"),
        build("A-P0", 105, 0, 6, True, []),
        build("A-P0", 105, 0, 6, True, [0.2]),
        ("B-R9",),
        "1 car is put down, but 0 are earned: B-R9 came first above B-R1",
    ),
    Case(
        "car-off-road",
        lay_out(FOREIGN, CROSSED),
        build("A-P0", 105, 0, 6, True, [CarSpot(0.2, 4.0)]),
        build("A-P0", 105, 0, 6, True, [CarSpot(0.2, 4.1)]),
        ("A-R0",),
        r"the car at 0\.2 of A-R0 is 4\.1 mm off its middle; 4 mm is the most",
    ),
    Case(
        "car-off-road",
        lay_out(ALONE),
        exit_to("A-P0", 109.54, 0, [0.992]),
        exit_to("A-P0", 109.54, 0, [1.0]),
        ("A-R0",),
        r"a car at 1 of A-R0 would fall off its end: it stands from 0\.005 to 0\.992",
    ),
    Case(
        "car-on-car",
        lay_out(
            {**FOREIGN, "B-P3": (35, 55, 1), "B-P4": (35, -55, 2)},
            {**CROSSED, "B-R2": ("B-P3", "B-P4")},
        ),
        build("A-P0", 95, 0, 8, True, [0.2, 0.4]),
        build("A-P0", 95, 0, 8, True, [0.2, 0.3]),
        ("A-R0",),
        r"the cars at 0\.2 and 0\.3 of A-R0 overlap by 3\.00 mm",
    ),
    Case(
        "car-on-car",
        lay_out(
            {**FOREIGN, "B-P3": (35, 55, 1), "B-P4": (35, -55, 2)},
            {**CROSSED, "B-R2": ("B-P3", "B-P4")},
        ),
        build("A-P0", 95, 0, 8, True, [0.2, 0.328]),
        build("A-P0", 95, 0, 8, True, [0.2, 0.3275]),
        ("A-R0",),
        r"the cars at 0\.2 and 0\.3275 of A-R0 touch: the gap is 0\.03 mm",
    ),
    Case(
        "car-touches",
        lay_out({**ALONE, "B-P1": (60, -55, 3), "B-P2": (60, 55, 2)}, CROSSED),
        build("A-P0", 105, 0, 2, False, [0.2]),
        build("A-P0", 105, 0, 2, False, [0.57]),
        ("A-R0", "B-R1"),
        r"the car at 0\.57 of A-R0 cuts 0\.51 mm into B-R1",
    ),
    Case(
        "car-touches",
        lay_out({**ALONE, "B-P1": (55, 17.52, 4)}),
        exit_to("A-P0", 109.54, 0, [CarSpot(0.5, 3.9)]),
        exit_to("A-P0", 109.54, 0, [CarSpot(0.5, 4.0)]),
        ("A-R0", "B-P1"),
        r"the car at 0\.5 of A-R0 touches B-P1: the gap is 0\.02 mm",
    ),
    Case(
        "frozen",
        lay_out(ALONE),
        None,
        Adjust(pillar=(105.0, 0.0)),
        says="nothing to adjust: A has laid no road yet",
    ),
    Case(
        "adjust-end",
        play(lay_out(ALONE), build("A-P0", 105, 0, 2)),
        Adjust(pillar=(0.0, 105.0)),
        Adjust(to=(0.0, 105.0)),
        ("A-R0",),
        "A-R0 is no exit",
    ),
]


@pytest.mark.rule("FR 2.3", "FR 4.1", "FR 5.1", "FR 5.3", "FR 5.4", "FR 7.1", "FR 7.2", "FR 8")
@pytest.mark.rule("KR 3.3", "KR 4.1", "KR 5", "KR 5.1", "KR 5.3", "KR 5.4", "KR 7.1", "KR 7.2")
@pytest.mark.parametrize("case", CASES, ids=[case.code for case in CASES])
def test_fault_is_found_where_it_is_in_one_short_line_and_nowhere_else(case: Case) -> None:
    assert case.legal is None or referee.before(case.table, case.legal) == ()
    faults = referee.before(case.table, case.illegal)
    (fault, *_) = [
        fault
        for fault in faults
        if fault.code == case.code
        and {*case.pieces} <= {*fault.pieces}
        and re.search(case.says, fault.text)
    ] or pytest.fail(str([(fault.code, fault.text) for fault in faults]))
    assert fault.to_json()["code"] == case.code
    for text in (re.sub(r"\b([A-D]-[PRC])\d+", r"\g<1>12", fault.text) for fault in faults):
        assert len(text) <= 120, text
        assert not re.search(r"-\d+(\.\d+)? mm|\b1 (discs|cars|roads)|\b1 are|[{}]", text), text
        assert len(re.findall(r"\(-?\d+\.\d, -?\d+\.\d\)", text)) <= 2
        assert not re.search(r"\(-?\d+\.\d\d+, ", text), "coordinates have one decimal"


def test_every_fault_code_has_a_case() -> None:
    # a payment is judged when it is known what fell: see test_rules
    assert {case.code for case in CASES} == set(get_args(FaultCode)) - {"payment"}


def test_all_faults_are_told_at_once() -> None:
    table = lay_out({**FOREIGN, "B-P3": (105, 5, 1)}, CROSSED, stocks=[stock(grey=2)] * 2)
    assert {"height", "stock-grey", "pillar-on-pillar", "over-pillar"} <= set(
        codes(table, build("A-P0", 105, 0, 3))
    )


def test_a_road_reaches_as_far_as_the_derived_distances_say() -> None:
    """Rules 1d: a height difference of one disc is legal for centre distances of about 92 to
    124.
    """
    box = lay_out(ALONE).components
    assert reach(box, 1) == (pytest.approx(91.69, abs=0.01), pytest.approx(124.36, abs=0.01))
    for rise in range(1, 8):
        between = reach(box, rise)
        assert between is not None
        assert reach(box, -rise) == between
        for distance, fits in (
            (between[0] + 0.02, True),
            (between[1] - 0.02, True),
            (between[1] + 0.02, False),
        ):
            found = codes(lay_out(ALONE), build("A-P0", round(distance, 3), 0, 1 + rise, True))
            assert (not {"reach", "sticks-out", "too-steep"} & set(found)) == fits, (rise, distance)
    assert [reach(box, rise) for rise in (9, 11, 20)] == [None] * 3


def test_no_pillar_is_proposed_that_the_stock_cannot_pay_for() -> None:
    poor = lay_out(ALONE, stocks=[stock(grey=3, yellow=1), stock()])
    assert allowed_discs(poor, poor.pillar_by_id["A-P0"]) == (
        (2, False),
        (2, True),
        (3, True),
        (4, True),
    )
    rich = lay_out(
        {"A-P0": (0, 0, 4), "B-P0": (0, 500, 1)}, stocks=[stock(grey=30, yellow=1), stock()]
    )
    assert [m for m, _ in allowed_discs(rich, rich.pillar_by_id["A-P0"])] == [3, 5, *range(2, 16)]


@pytest.mark.parametrize(
    ("count", "taken", "places"),
    [
        (1, [], [0.5]),
        (2, [], [0.5, 0.65]),  # of two that are equally far the one ahead
        (3, [], [0.35, 0.5, 0.65]),
        (5, [], [0.2, 0.35, 0.5, 0.65, 0.8]),
        (2, [0.215, 0.355, 0.5, 0.645, 0.785], [0.065, 0.935]),
        (1, [0.349, 0.641], [0.495]),  # a car takes 14 of 110 mm, and 2 mm lie between two
        (9, [n / 10 for n in range(11)], []),
    ],
)
def test_places_for_cars_are_found_from_the_middle_outward_clear_of_those_that_are_taken(
    count: int, taken: list[float], places: list[float]
) -> None:
    table = lay_out({"A-P0": (-55, 0, 1), "A-P1": (55, 0, 1)}, {"A-R0": ("A-P0", "A-P1")})
    road, alone = table.roads[0], replace(table, roads=())
    found = free_spots(alone, road, None, count, taken=[CarSpot(along) for along in taken])
    assert [spot.along for spot in found] == places


def test_a_car_is_in_doubt_from_a_degree_below_the_slope_that_friction_holds() -> None:
    table = lay_out(ALONE)
    most = slopes.holds(table)
    assert most == pytest.approx(math.degrees(math.atan(0.35)))
    assert slopes.steep_at(table, most - 1.1, ["A-C0"]) == ()
    assert slopes.steep_at(table, most - 0.9, ["A-C0"]) == (slopes.Steep("A-C0", most - 0.9, most),)


@pytest.mark.parametrize("axis", [(1.0, 0.0), (0.6, -0.8)])
@pytest.mark.parametrize("degrees", [0.0, 20.0, 170.0])
def test_the_slope_of_a_stick_is_how_far_its_faces_are_tilted(
    axis: tuple[float, float], degrees: float
) -> None:
    half = math.radians(degrees / 2)
    quat = (axis[0] * math.sin(half), axis[1] * math.sin(half), 0.0, math.cos(half))
    assert slopes.tilt(Pose((0.0, 0.0, 0.0), quat)) == pytest.approx(min(degrees, 180.0 - degrees))


# --- touching -------------------------------------------------------------------------------------


# --- exits and builds along an own road -----------------------------------------------------------


@pytest.mark.parametrize("away", [2.0, 20.0, 26.0, 26.5, 60.0, 178.0])
def test_every_exit_that_is_allowed_comes_down_to_the_table(away: float) -> None:
    """An exit that would lie on the own road at its base further out than an end may lie on another
    is refused: 26 degrees apart, two roads of 9 mm part two disc radii from the axis.
    """
    table = incoming(2, -93.0, exit_height="any")
    box, angle = table.components, math.radians(180.0 - away)
    run = math.sqrt(box.road_length**2 - box.disc_height**2)
    move = exit_to("A-P1", round(run * math.cos(angle), 2), round(run * math.sin(angle), 2))
    assert (codes(table, move) == []) == (away > 26.2)
    road = lay(table, table.with_pieces(move), {})[-1].lying
    half = (box.road_length / 2, box.road_width / 2, -box.road_thickness / 2)
    lower = road.pose.at[2] + min(
        rotate(road.pose.quat, (half[0], side * half[1], half[2]))[2] for side in (-1, 1)
    )
    assert lower < 0.05 if away > 26.2 else lower > 5.0 or away > 4.0


# --- places for cars ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "count", "abreast"),
    [
        ({}, 7, 1),
        ({}, 16, 2),
        ({"road_width": 16.0, "car_width": 4.5}, 32, 4),
    ],
    ids=["one behind the other", "two abreast", "four abreast"],
)
def test_cars_find_every_place_that_the_sizes_of_the_pieces_leave(
    sizes: dict[str, float], count: int, abreast: int
) -> None:
    """A road of 110 mm holds eight cars of 14 mm, the outer two past its ends, and as many abreast
    as it is wide.
    """
    box = replace(lay_out(ALONE).components, **sizes)
    table = lay_out({**ALONE, "A-P0": (-55, 0, 1)}, components=box)
    meant = build("A-P0", 55, 0, 2)
    spots = referee.free_spots(table, table.with_pieces(meant).roads[-1], None, count)
    assert len(spots) == count
    assert set(codes(table, replace(meant, cars=spots))) == {"cars-earned"}
    assert len({spot.side for spot in spots}) == abreast
    assert all(spot.side == 0 for spot in spots) or count > 7, "the middle line comes first"


def test_where_no_further_place_is_found_there_is_none() -> None:
    """Random roads above the new one: no place on its face is left that keeps half a mm clear of
    the proposed ones.
    """
    rng, counts = np.random.default_rng(5), set()
    for _ in range(8):
        pillars: dict[str, tuple[Any, ...]] = {"A-P0": (-55, 0, 2), "B-P0": (0, 500, 1)}
        for n in range(8):
            x, turned, y = rng.uniform(-50, 50), rng.uniform(-30, 30), 50.0 + 11.0 * n
            pillars[f"B-P1{n}"] = (round(x - turned, 2), -y, 2)
            pillars[f"B-P2{n}"] = (round(x + turned, 2), y, 2)
        table = lay_out(pillars, {f"B-R{n}": (f"B-P1{n}", f"B-P2{n}") for n in range(8)})
        road = table.with_pieces(build("A-P0", 55, 0, 1)).roads[-1]
        found = referee.free_spots(table, road, None, 99)
        every = [CarSpot(n / 125, side) for n in range(1, 124) for side in range(-4, 5)]
        blocked = {row for row, _, _ in car_hits(table, road, road_strip(table, road), every)}
        for row, spot in enumerate(every):
            assert row in blocked or any(
                abs(spot.along - one.along) * 110 < 14.55 and abs(spot.side - one.side) < 7.55
                for one in found
            )
        counts.add(len(found))
    assert len(counts) > 2


@pytest.mark.parametrize(("more", "count"), [(0.001, 1), (-0.001, 0)])
def test_on_a_road_steeper_than_asked_no_place_is_proposed(more: float, count: int) -> None:
    table, slope = lay_out(ALONE), 10 / 109.54
    road = table.with_pieces(exit_to("A-P0", 109.54, 0)).roads[-1]
    assert len(referee.free_spots(table, road, None, 1, steepest=slope + more)) == count


def test_a_car_stays_off_own_ends_that_lie_on_the_shared_pillar() -> None:
    """The own road A-R1 lies on A-P1 and 9 mm past its axis; a car at the very start of the next
    road would stand in it.
    """
    table = incoming(2, -92.0)
    road = table.with_pieces(exit_to("A-P1", 109.54, 0)).roads[-1]
    near = exit_to("A-P1", 109.54, 0, [0.05])
    assert codes(table, near) == ["car-touches"]
    assert min(spot.along for spot in referee.free_spots(table, road, None, 5)) > 0.14


@pytest.mark.parametrize(
    ("road", "expected"),
    [
        pytest.param(Offset((0.0, 5.0), (0.0, 5.0)), [], id="beside another"),
        pytest.param(Offset((0.0, 8.0), (0.0, 8.0)), ["reach"] * 2 + ["sticks-out"] * 2, id="past"),
        pytest.param(Offset(slide=12.0), ["reach", "sticks-out"], id="slid along itself"),
    ],
)
def test_an_offset_road_may_lie_beside_another_on_a_disc_but_not_stick_out(
    road: Offset, expected: list[str]
) -> None:
    table = lay_out({**ALONE, "A-P0": (0, 0, 2, True)}, {})
    assert sorted(codes(table, replace(build("A-P0", 105, 0, 3), road=road))) == expected


@pytest.mark.parametrize(("y", "expected"), [(20.0, []), (12.0, ["over-pillar"])])
def test_a_fault_over_a_pillar_measures_from_where_the_disc_settled(
    y: float, expected: list[str]
) -> None:
    table = lay_out({**ALONE, "B-P1": (55, 20, 1)})
    pose = at_rest(table)["B-P1.1"]._replace(at=(55.0, y, 5.0))
    assert codes(replace(table, poses={"B-P1.1": pose}), build("A-P0", 105, 0, 2)) == expected


def test_a_road_is_laid_from_where_a_nudged_base_really_is() -> None:
    table = lay_out(ALONE)
    pose = at_rest(table)["A-P0.1"]
    nudged = replace(table, poses={"A-P0.1": pose._replace(at=(3.0, 1.0, 5.0))})
    assert nudged.with_pieces(build("A-P0", 105, 0, 2)).roads[-1].start == (3.0, 1.0)
    spots = np.array([(x, 1.0) for x in (94.0, 95.0, 126.0, 128.0)])
    found = referee.screen(nudged, "A-P0", spots, np.full(4, 2), np.full(4, False)).legal.tolist()
    assert found == [not codes(nudged, build("A-P0", *at, 2)) for at in spots.tolist()]
    assert found == [False, True, True, False]


# --- screen ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "discs", "junction", "code"),
    [
        ({"grey": 2}, 2, False, None),
        ({"grey": 1}, 2, False, "stock-grey"),
        ({"grey": 2, "yellow": 1}, 3, True, None),
        ({"grey": 1, "yellow": 1}, 3, True, "stock-grey"),
        ({"grey": 2, "yellow": 0}, 3, True, "stock-yellow"),
        ({"roads": 1}, 2, False, None),
        ({"roads": 0}, 2, False, "stock-roads"),
    ],
)
def test_screening_allows_what_the_stock_just_pays_for_and_no_more(
    left: dict[str, int], discs: int, junction: bool, code: str | None
) -> None:
    table = lay_out(ALONE, stocks=[stock(**left), stock()])
    assert codes(table, build("A-P0", -105, 0, discs, junction)) == ([] if code is None else [code])
    found = referee.screen(
        table, "A-P0", np.array([(-105.0, 0.0)]), np.array([discs]), np.array([junction])
    )
    assert found.legal.tolist() == [code is None]
    leaving = referee.screen(table, "A-P0", np.array([(-109.54, 0.0)]), np.array([0]))
    assert leaving.legal.tolist() == [code != "stock-roads"]


@pytest.mark.parametrize(
    ("options", "legal", "cars"),
    [({}, True, 1), ({"own_cross_voids": True}, True, 0), ({"self_cross": False}, False, 0)],
)
def test_screened_roads_share_their_base_pillar_and_nothing_else(
    options: dict[str, Any], legal: bool, cars: int
) -> None:
    """An exit that ends on the table 18 mm from A-P1 crosses the own road there; beside it, one
    that crosses nothing.
    """
    pillars = {**ALONE, "A-P1": (100, -16, 3), "A-P2": (100, 89, 4), "A-P3": (-100, 0, 2)}
    table = lay_out(pillars, {"A-R1": ("A-P1", "A-P2"), "A-R2": ("A-P3", "A-P0")}, **options)
    exits = np.array([(109.54, 0.0), (66.0, -87.43)])
    found = referee.screen(table, "A-P0", exits, np.zeros(2, np.int64))
    assert (found.legal.tolist(), found.cars.tolist()) == ([legal, True], [cars, 1])
    assert [not codes(table, exit_to("A-P0", x, y)) for x, y in exits.tolist()] == [legal, True]


@pytest.mark.parametrize(("discs", "reaches"), [(10, True), (11, False), (12, False)])
def test_no_exit_leads_down_from_a_pillar_as_high_as_a_road_is_long(
    discs: int, reaches: bool
) -> None:
    table = lay_out({"A-P0": (0, 0, discs), "B-P0": (0, 500, 1)}, exit_height="any")
    box = table.components
    assert box.road_length == 11 * box.disc_height
    faults = referee.before(table, exit_to("A-P0", 45.0, 0.0))
    assert any(fault.code == "reach" and fault.form == "down" for fault in faults) is not reaches
