"""The world: who is woken by a placement, what keeps its pose, and that the part that is awake says
what the whole would.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from rules.errors import InputError, UnavailableError
from sim.bodies import Body, Box, Cylinder, Pose, shift_between, turn, turn_between
from sim.physics import engines
from sim.physics.drop import rest_disc, rest_road
from sim.physics.engine import HandPath, Run, SettleParams
from sim.physics.neighbours import Neighbours, neighbours, overlaps
from sim.physics.world import Settled, World, stays
from sim.pieces import Components
from tools.scenes import scene

BOX = Components.named("estimate-2018")


def rested(name: str, engine: str | None = None) -> tuple[Body, ...]:
    """A scene at rest: every piece in the pose in which it came to rest."""
    bodies = scene(name).bodies
    world = World([body for body in bodies if body.mass <= 0], engine)
    world.place(*(body for body in bodies if body.mass > 0))
    settled = world.settle()
    return tuple(body.at(settled.poses[body.id]) for body in bodies)


@pytest.fixture(scope="module")
def table() -> tuple[Body, ...]:
    return rested("four-player-table")


def fell(bodies: tuple[Body, ...], settled: Settled) -> list[str]:
    return [body.id for body in bodies if shift_between(body.pose, settled.poses[body.id]) > 4]


@pytest.mark.slow
@pytest.mark.parametrize("engine", engines.available())
@pytest.mark.parametrize("name", ["A-R4", "B-R8", "C-R2", "D-R0"])
def test_the_awake_part_says_what_the_whole_table_would(
    table: tuple[Body, ...], name: str, engine: str
) -> None:
    near = neighbours(table)
    off = {name, *near.above[name]}
    left = tuple(body for body in table if body.id not in off)
    old = next(body for body in table if body.id == name)
    x, y, z = old.pose.at
    new = old.at(Pose((x + 0.4, y - 0.3, z + 0.2), old.pose.quat))
    worlds = [World(left, engine) for _ in range(2)]
    for world in worlds:
        world.place(new)
    part, whole = (world.settle(everything=k == 1) for k, world in enumerate(worlds))
    now = (*left, new)
    assert fell(now, part) == fell(now, whole) == []
    assert max(shift_between(part.poses[body.id], whole.poses[body.id]) for body in now) < 0.05
    assert len(part.awake) < len(whole.awake) / 4


def test_a_piece_that_did_not_move_keeps_its_pose_bit_for_bit(table: tuple[Body, ...]) -> None:
    left = tuple(body for body in table if body.id != "A-C0")
    world = World(left)
    world.place(next(body for body in table if body.id == "A-C0"))
    settled = world.settle()
    assert settled.moved == ("A-C0",)
    assert all(settled.poses[body.id] is body.pose for body in left)
    assert list(settled.poses) == sorted(body.id for body in table)


@pytest.mark.parametrize(("axis", "same"), [((0.0, 0.0, 1.0), True), ((1.0, 0.0, 0.0), False)])
@pytest.mark.parametrize("round_", [True, False])
def test_a_disc_that_only_turns_about_its_axis_keeps_its_pose(
    axis: tuple[float, float, float], same: bool, round_: bool
) -> None:
    shape = Cylinder(15.0, 10.0) if round_ else Box((30.0, 30.0, 10.0))
    body = Body("A-P0.1", "disc", shape, Pose((0.0, 0.0, 5.0)), 5.0, 0.4)
    after = Pose(body.pose.at, turn(axis, 0.06))
    assert stays(SettleParams(), body, after) is (round_ and same)


HALF = SettleParams().time_limit / 2
"""Seconds. What creeps does so evenly: in half of the time that a run has, half of what it could
notice.
"""
AWAKE = SettleParams(quiet_speed=-1.0, time_limit=HALF)
LONG = SettleParams(quiet_speed=1e9, quiet_turn=1e9, quiet_time=HALF)
CREEPS = [
    ("bullet", "eight-stack", AWAKE, 0.05),
    ("bullet", "sloping-road-car", AWAKE, 0.1),
    ("mujoco", "eight-stack", LONG, 0.02),
    ("mujoco", "sloping-road-car", LONG, 0.02),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "name", "settle", "most"), [row for row in CREEPS if row[0] in engines.available()]
)
def test_pieces_that_are_kept_awake_creep_less_than_a_run_could_notice(
    engine: str, name: str, settle: SettleParams, most: float
) -> None:
    bodies = rested(name, engine)
    run = engines.engine(engine).run(bodies, frozenset(body.id for body in bodies), settle)
    assert run.seconds >= HALF
    for body in bodies:
        crept = shift_between(body.pose, run.poses[body.id])
        assert max(crept, turn_between(body.pose, run.poses[body.id])) < most


def test_the_order_in_which_bodies_come_does_not_matter() -> None:
    bodies = scene("junction").bodies
    new = [body for body in bodies if body.kind == "road"]
    old = [body for body in bodies if body.kind != "road"]
    results = []
    for flip in (1, -1):
        world = World(old[::flip])
        world.place(*new[::flip])
        results.append(world.settle())
    assert results[0] == results[1]


def test_a_border_that_moves_joins_the_awake_part() -> None:
    # the car knocks a free standing pillar that it does not touch at the start
    near = [BOX.body(f"A-P1.{k + 1}", "disc", rest_disc((0, 0), k * 10.0, BOX)) for k in range(2)]
    far = [BOX.body(f"A-P2.{k + 1}", "disc", rest_disc((28, 0), k * 10.0, BOX)) for k in range(3)]
    stick = BOX.body("A-R1", "road", Pose((11.0, 0.0, 40.0)))
    world = World([*near, *far])
    world.place(stick)
    settled = world.settle()
    assert {"A-P1.1", "A-P1.2", "A-P2.1", "A-P2.2", "A-P2.3"} <= set(settled.awake)


@pytest.mark.parametrize("engine", engines.available())
def test_a_building_never_moves_and_the_hand_that_met_it_is_reported(engine: str) -> None:
    bodies = scene("beside-a-building").bodies
    world = World(bodies, engine)
    world.sweep(HandPath(((57.0, 80.0, 60.0), (57.0, 40.0, 60.0), (57.0, 80.0, 60.0)), speed=300.0))
    settled = world.settle()
    assert settled.touched == ("X0",)
    assert settled.moved == ()


@pytest.mark.parametrize("engine", engines.available())
def test_a_hand_that_runs_through_a_pillar_fells_it_and_says_whom_it_touched(engine: str) -> None:
    bodies = scene("bridge-with-cars").bodies
    world = World(bodies, engine, SettleParams(time_limit=2.0))
    world.sweep(HandPath(((0.0, -40.0, 8.0), (0.0, 25.0, 8.0)), speed=200.0, tool="tweezers"))
    settled = world.settle()
    assert settled.touched[0] in {"A-P1.1", "A-P1.2"}
    assert "A-R1" in fell(bodies, settled)


@pytest.mark.parametrize("engine", engines.available())
def test_what_sleeps_is_woken_by_what_comes_later(engine: str) -> None:
    # the finger is 0.7 s on its way: by then the stack has long been asleep
    stack = [BOX.body(f"A-P1.{k + 1}", "disc", rest_disc((0, 0), k * 10.0, BOX)) for k in range(3)]
    path = HandPath(((-80.0, 0.0, 22.0), (0.0, 0.0, 22.0)))
    free = frozenset(body.id for body in stack)
    run = engines.engine(engine).run(stack, free, SettleParams(), path)
    assert run.touched[0] == "A-P1.3"
    assert run.poses["A-P1.3"].at[0] > 5.0


def test_a_world_of_no_placement_wakes_everything() -> None:
    bodies = scene("bridge").bodies
    assert World(bodies).settle().awake == tuple(body.id for body in bodies)


def tipping() -> list[Body]:
    """A road that lies on a pillar with less than half of its length, and so falls off."""
    discs = [BOX.body(f"A-P1.{k + 1}", "disc", rest_disc((0, 0), k * 10.0, BOX)) for k in range(3)]
    return [*discs, BOX.body("A-R1", "road", Pose((20.0, 0.0, 30.0 + BOX.road_thickness / 2)))]


@pytest.mark.parametrize("engine", engines.available())
def test_where_all_stays_a_look_whether_it_does_ends_before_the_quiet_time(engine: str) -> None:
    params = SettleParams()
    settled = World(rested("counterweight", engine), engine, params).settle(everything=True)
    assert (settled.moved, settled.quiet) == ((), True)
    assert settled.seconds < params.quiet_time / 2
    fall = engines.engine(engine).run(
        tipping(), frozenset(body.id for body in tipping()), replace(params, staying=True)
    )
    assert (fall.quiet, fall.seconds < params.quiet_time) == (False, True), "a fall ends it as well"


@pytest.mark.parametrize("name", engines.available())
def test_what_falls_where_it_can_meet_nothing_falls_as_if_it_were_alone(name: str) -> None:
    far = [BOX.body(f"B-P{k}.1", "disc", rest_disc((600, 40.0 * k), 0.0, BOX)) for k in range(3)]
    alone, both = (
        World(bodies, name).settle(everything=True) for bodies in (tipping(), [*far, *tipping()])
    )
    assert shift_between(tipping()[-1].pose, alone.poses["A-R1"]) > 3
    assert {piece: both.poses[piece] for piece in alone.poses} == alone.poses


@pytest.mark.parametrize("again", [(), [body.id for body in tipping()]])
@pytest.mark.parametrize("name", engines.available())
def test_what_falls_onto_another_structure_is_settled_together_with_it(
    name: str, again: Sequence[str]
) -> None:
    tower = [BOX.body(f"B-P1.{k + 1}", "disc", rest_disc((60, 0), k * 10.0, BOX)) for k in range(2)]
    alone, both = (
        World(bodies, name).settle(everything=not again, again=again)
        for bodies in (tipping(), [*tower, *tipping()])
    )
    assert both.poses["A-R1"].at[2] > alone.poses["A-R1"].at[2] + 2
    assert {body.id for body in tower} & {*both.awake}  # also if it was not let go itself


def test_where_a_piece_strayed_and_came_back_the_rest_of_its_structure_is_settled() -> None:
    row = [BOX.body(f"A-P{k}.1", "disc", rest_disc((20.0 * k, 0), 0.0, BOX)) for k in range(4)]
    runs = iter([("A-P0.1", 5.0), ("A-P0.1", 0.0), ("A-P3.1", 0.06)])

    class Shoving:
        def run(self, bodies: Sequence[Body], free: frozenset[str], *_: object) -> Run:
            there, (piece, by) = {body.id: body for body in bodies}, next(runs)
            poses = {name: there[name].pose for name in free}
            return Run(poses | {piece: there[piece].moved(0.0, by, 0.0).pose}, (), 0.1, True, ())

    settled = World(row, Shoving()).settle(everything=True)
    assert (settled.moved, settled.quiet) == (("A-P3.1",), True)


def test_an_id_that_is_taken_is_refused() -> None:
    bodies = scene("bridge").bodies
    with pytest.raises(InputError, match=r"share an id: A-R1"):
        World(bodies).place(bodies[-1])


def test_a_missing_engine_names_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(InputError, match="there is no engine 'havok'; available: bullet, mujoco"):
        World([], "havok")
    monkeypatch.setattr(engines, "_installed", lambda name: False)
    assert engines.available() == ()
    with pytest.raises(UnavailableError, match="pip install"):
        engines.engine("bullet")
    with pytest.raises(UnavailableError, match="pip install"):
        engines.default()
    monkeypatch.setattr(engines, "_PYTHON", (3, 12))
    with pytest.raises(UnavailableError, match=r"no wheels for Python 3.12.*--engine mujoco"):
        engines.engine("bullet")


def test_what_a_piece_will_land_on_is_free_from_the_start() -> None:
    below = BOX.body("A-P0.1", "disc", rest_disc((0.0, 0.0), 0.0, BOX), 0)
    landed = BOX.body("A-P0.2", "disc", rest_disc((0.0, 0.0), BOX.disc_height, BOX), 0)
    x, y, z = landed.pose.at
    let_go = landed.at(Pose((x, y, z + 20.0), landed.pose.quat))
    assert neighbours([below, let_go]).touching["A-P0.2"] == ()
    awake = []
    for landing in ([], [landed]):
        # over before anything has come down
        world = World([below], None, SettleParams(time_limit=0.01, patience=0.0))
        world.place(let_go, landing=landing)
        awake.append(world.settle().awake)
    assert awake == [("A-P0.2",), ("A-P0.1", "A-P0.2")]


def test_a_closure_passes_one_road_and_not_a_second() -> None:
    chain = Neighbours(
        {},
        {"r1": ("r2", "d1"), "r2": ("r3", "d2"), "r3": ("d3",), "d1": (), "d2": (), "d3": ()},
        {},
    )
    assert chain.under({"r1"}, frozenset({"r1", "r2", "r3"})) == {"r1", "d1", "r2", "d2"}
    assert chain.under({"r1"}) == {"r1", "r2", "r3", "d1", "d2", "d3"}


def test_neighbours_know_what_lies_on_what() -> None:
    near = neighbours(scene("sloping-road-car").bodies)
    assert near.below["A-C0"] == ("A-R1",)
    assert near.below["A-R1"] == ("A-P1.2", "A-P2.3")
    assert near.under({"A-C0"}) == {body.id for body in scene("sloping-road-car").bodies}
    assert near.touching["A-P1.1"] == ("A-P1.2",)


def test_ends_side_by_side_touch_only_when_close() -> None:
    one = BOX.body("A-R1", "road", Pose((0.0, 0.0, 1.0)))
    for gap, touching in ((0.1, ("A-R2",)), (0.3, ())):
        other = BOX.body("A-R2", "road", Pose((0.0, BOX.road_width + gap, 1.0)))
        near = neighbours([one, other])
        assert near.touching["A-R1"] == touching
        assert near.below["A-R1"] == near.above["A-R1"] == ()


@pytest.mark.parametrize("seed", range(3))
def test_a_box_and_a_disc_are_neighbours_exactly_when_near(seed: int) -> None:
    rng = np.random.default_rng(seed)
    disc = BOX.body("d", "disc", rest_disc((0.0, 0.0), 0.0, BOX))
    yaw, gap = float(rng.uniform(0, 360)), 0.05
    u = (math.cos(math.radians(yaw)), math.sin(math.radians(yaw)))
    for extra, expected in ((gap, True), (1.0, False)):
        reach = BOX.disc_radius + BOX.road_width / 2 + extra
        pose = rest_road((reach * -u[1], reach * u[0]), yaw, (), BOX)
        near = neighbours([disc, BOX.body("r", "road", pose)])
        assert bool(near.touching["d"]) is expected


@pytest.mark.parametrize("name", engines.available())
def test_a_piece_that_is_let_go_in_motion_slides_on(name: str) -> None:
    disc = Body("A-P0.1", "disc", Cylinder(15.0, 10.0), Pose((0.0, 0.0, 5.0)), 10.0, 0.4)
    ends = []
    for speed in (0.0, 250.0):
        world = World([], name)
        world.place(disc, speeds={disc.id: (speed, 0.0, 0.0)})
        ends.append(world.settle().poses[disc.id].at[0])
    assert ends[0] == pytest.approx(0.0, abs=0.1)
    assert ends[1] == pytest.approx(250**2 / (2 * 0.4 * 9810), rel=0.15)  # v^2 / 2 mu g


def test_a_road_whose_corner_is_clear_of_a_disc_is_not_inside_it() -> None:
    """By the road's own axes alone it would be 1.9 mm inside; the axis from the corner to the
    disc's middle parts them.
    """
    disc = BOX.body("A-P0.1", "disc", Pose((0.0, 0.0, BOX.disc_height / 2)))

    def road(gap: float) -> Body:
        away = (BOX.disc_radius + gap) * math.sqrt(0.5)
        at = (away + BOX.road_length / 2, away + BOX.road_width / 2, BOX.road_thickness / 2)
        return BOX.body("A-R0", "road", Pose(at))

    assert overlaps([disc, road(1.5)], 0.0) == []
    ((_, _, depth),) = overlaps([disc, road(-0.2)], 0.0)
    assert depth == pytest.approx(0.2, abs=0.001)
