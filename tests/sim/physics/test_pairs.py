"""Friction per pair of surfaces: each engine and statics hold a car on a road to one angle and a
road on a disc to another.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from sim.assets import asset
from sim.bodies import Body, Box, Cylinder, Pose, rotate, turn
from sim.physics import engines
from sim.physics.contacts import contacts
from sim.physics.drop import rest_road
from sim.physics.statics import equilibrium
from sim.physics.world import World
from sim.pieces import Components
from sim.referee.room import holds
from sim.referee.table import Table

ENGINES = engines.available()
PAIRS = {"disc-disc": 0.4, "road-disc": 0.25, "car-road": 0.5, "disc-table": 0.15}


@pytest.fixture(scope="module")
def box(tmp_path_factory) -> Components:
    path = tmp_path_factory.mktemp("boxes") / "pairs.toml"
    text = asset("components", "estimate-2018.toml").read_text(encoding="utf-8")
    lines = "".join(f"{pair} = {mu}\n" for pair, mu in PAIRS.items())
    path.write_text(text.replace("wood = 0.35", lines, 1), encoding="utf-8")
    return Components.named(str(path))


def slope(box: Components, below: str, above: str, degrees: float) -> list[Body]:
    """One piece held at that angle, and the other lying on it."""
    tilt = turn((0.0, 1.0, 0.0), degrees)
    lower, upper = (
        box.body(f"A-{n}", kind, Pose((0, 0, 0))) for n, kind in enumerate((below, above))
    )
    heights = [
        body.shape.height if isinstance(body.shape, Cylinder) else body.shape.size[2]
        for body in (lower, upper)
    ]
    dx, dy, dz = rotate(tilt, (0.0, 0.0, sum(heights) / 2))
    return [
        replace(lower, mass=0.0, pose=Pose((0.0, 0.0, 150.0), tilt)),
        upper.at(Pose((dx, dy, 150.0 + dz), tilt)),
    ]


@pytest.mark.parametrize("engine", ENGINES)
def test_pieces_whose_surfaces_differ_rest_at_their_true_heights(engine, box):
    """Two discs and a road, let go six times: nothing sinks into the table or into what bears
    it.
    """
    pieces = [
        box.body(name, kind, Pose((0.0, 0.0, z)))
        for name, kind, z in (
            ("A-P0.1", "disc", 5.0),
            ("A-P0.2", "disc", 15.0),
            ("A-R0", "road", 21.0),
        )
    ]
    for _ in range(6):
        settled = World(pieces, engine).settle(everything=True)
        pieces = [body.at(settled.seen[body.id]) for body in pieces]
        heights = [body.pose.at[2] for body in pieces]
        assert heights == pytest.approx([5.0, 15.0, 21.0], abs=0.015)


CASES = [("road", "car"), ("disc", "road"), ("disc", "disc")]


def way(bodies: list[Body], engine: str) -> float:
    """mm that the upper piece went along."""
    settled = World(bodies, engine).settle(everything=True)
    return math.dist(bodies[1].pose.at, settled.poses[bodies[1].id].at)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("below", "above"), CASES)
def test_an_engine_lets_each_pair_slide_at_its_own_angle(engine, below, above, box):
    angle = math.degrees(math.atan(PAIRS[f"{above}-{below}"]))
    assert way(slope(box, below, above, angle - 0.5), engine) < 0.3
    assert way(slope(box, below, above, angle + 0.5), engine) > 5.0


@pytest.mark.parametrize(("below", "above"), CASES)
def test_statics_lets_each_pair_slide_at_its_own_angle(below, above, box):
    angle = math.degrees(math.atan(PAIRS[f"{above}-{below}"]))
    for degrees, stands in ((angle - 0.1, True), (angle + 0.1, False)):
        bodies = slope(box, below, above, degrees)
        assert equilibrium(bodies, [bodies[1].id], contacts(bodies)).stands is stands


def ramp(box: Components) -> list[Body]:
    """A road with one end on the table, the other on a held disc: it rises by 24 degrees."""
    held = replace(box.body("A-P0.1", "disc", Pose((45.0, 0.0, 40.0))), mass=0.0)
    return [held, box.body("A-R0", "road", rest_road((0.0, 0.0), 0.0, [held], box))]


def on_table(box: Components, mu: float) -> Components:
    """A box whose discs have that friction on the table."""
    return replace(box, table_friction=mu**2 / box.friction)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_end_of_a_road_slides_on_a_table_that_is_smooth(engine, box):
    rough, smooth = on_table(box, 0.6), on_table(box, 0.05)
    assert way(ramp(rough), engine) < 0.5
    assert way(ramp(smooth), engine) > 5.0


def test_the_table_has_the_friction_of_a_disc_on_it(box):
    disc = box.body("A-P0.1", "disc", Pose((0.0, 0.0, box.disc_height / 2)))
    assert [contact.mu for contact in contacts([disc])] == pytest.approx(
        [PAIRS["disc-table"]] * len(contacts([disc]))
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_disc_that_rolls_easily_rolls_further(engine, box):
    on_edge = Pose((0.0, 0.0, 12.0 + 5.1 + 10.0), turn((1.0, 0.0, 0.0), 90.0))
    slab = Body(
        "X0",
        "building",
        Box((80.0, 60.0, 10.0)),
        Pose((0.0, 0.0, 12.0), turn((0.0, 1.0, 0.0), 10.0)),
        0.0,
        0.4,
    )
    ways = []
    for rolling in (0.02, 0.2):
        disc = replace(box, rolling=rolling).body("A-P0.1", "disc", on_edge)
        settled = World([slab, disc], engine).settle(everything=True)
        ways.append(settled.poses["A-P0.1"].at[0])
    assert ways[0] > 1.5 * ways[1] > 30.0


def test_cars_are_warned_of_by_their_own_friction_on_a_road(box):
    table = replace(Table.start(2), components=box)
    assert holds(table) == pytest.approx(math.degrees(math.atan(PAIRS["car-road"])))
