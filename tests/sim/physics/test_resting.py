"""Resting poses: the lowest one at its place, cutting into nothing, and near to where an engine
lets the piece come to rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from sim.bodies import Body, Pose, from_axes, rotate, shift_between, turn_between
from sim.physics.drop import lifted_clear, released_clear, rest_car, rest_disc, rest_road
from sim.physics.neighbours import overlaps, penetrations
from sim.physics.world import World
from sim.pieces import Components

BOX = Components.named("estimate-2018")
L, W, T, H, R = (
    BOX.road_length,
    BOX.road_width,
    BOX.road_thickness,
    BOX.disc_height,
    BOX.disc_radius,
)


def pillar(name: str, x: float, y: float, discs: int) -> list[Body]:
    return [
        BOX.body(f"{name}.{k + 1}", "disc", rest_disc((x, y), k * H, BOX)) for k in range(discs)
    ]


def road(name: str, x: float, y: float, yaw: float, beneath: Sequence[Body]) -> Body:
    return BOX.body(name, "road", rest_road((x, y), yaw, beneath, BOX))


def underside(body: Body) -> np.ndarray:
    """Points of the underside of a road, a hundredth of its length and a tenth of its width
    apart.
    """
    along, across = np.meshgrid(np.linspace(-L / 2, L / 2, 441), np.linspace(-W / 2, W / 2, 37))
    return np.array(
        [
            np.add(body.pose.at, rotate(body.pose.quat, (float(s), float(t), -T / 2)))
            for s, t in zip(along.ravel(), across.ravel(), strict=True)
        ]
    )


def gap_above_discs(body: Body, x: float, y: float, top: float) -> float:
    """The least height in mm of the underside above the disc top at (x, y)."""
    points = underside(body)
    over = points[np.hypot(points[:, 0] - x, points[:, 1] - y) <= R]
    return float(over[:, 2].min() - top)


@pytest.mark.parametrize("jump", range(6))
@pytest.mark.parametrize("off", [0.0, 4.0])
def test_a_road_rests_on_both_pillars_and_cuts_into_neither(jump: int, off: float) -> None:
    run = L * math.cos(math.asin(jump * H / (L - R))) + 5
    bodies = pillar("a", 0, 0, 1) + pillar("b", run, 0, 1 + jump)
    laid = road("r", run / 2, off, 0.0, bodies)
    # the grid of points misses the very rim by up to its spacing of 0.25 mm, which a slope turns
    # into height
    coarse = 0.25 * math.tan(math.asin(jump * H / (L - R)))
    for x, top in ((0.0, H), (run, H * (1 + jump))):
        assert -0.01 <= gap_above_discs(laid, x, 0.0, top) <= 0.05 + coarse


def test_a_tall_pillar_beside_a_road_does_not_hide_the_low_one_that_bears_it() -> None:
    ends = pillar("a", 0, 0, 1) + pillar("b", L - 10, 0, 1)
    beside = pillar("c", 0, R + W / 2 + 1, 5)
    assert road("r", L / 2 - 5, 0, 0.0, ends + beside) == road("r", L / 2 - 5, 0, 0.0, ends)


@pytest.mark.parametrize("discs", [1, 2, 3, 4])
def test_a_ramp_touches_the_table_with_its_lower_edge(discs: int) -> None:
    run = L * math.cos(math.asin(discs * H / (L - R)))
    bodies = pillar("a", 0, 0, discs)
    laid = road("r", run / 2, 0, 0.0, bodies)
    assert abs(underside(laid)[:, 2].min()) < 1e-6
    assert (
        -0.01
        <= gap_above_discs(laid, 0, 0, discs * H)
        <= 0.05 + 0.25 * math.tan(math.asin(discs * H / (L - R)))
    )


def test_an_end_on_an_own_end_lies_on_the_road_below_it() -> None:
    bodies = pillar("a", 0, 0, 2) + pillar("b", 104, 0, 2) + pillar("c", 208, 0, 2)
    first = road("r", 52, 0, 0.0, bodies)
    second = road("s", 156, 0, 0.0, [*bodies, first])
    # the second lies on the far edge of the first, at x = 107, and on the rim of the last disc
    assert -0.01 <= gap_above_discs(second, 208, 0, 2 * H) <= 0.05
    points = underside(second)
    above_first = points[points[:, 0] <= 107.0]
    assert -0.01 <= float(above_first[:, 2].min()) - (2 * H + T) <= 0.05


def test_a_resting_pose_turns_with_the_table() -> None:
    yaw = 37.0
    x, y = 110 * math.cos(math.radians(yaw)), 110 * math.sin(math.radians(yaw))
    straight = rest_road((55, 0), 0.0, pillar("a", 0, 0, 1) + pillar("b", 110, 0, 2), BOX)
    turned = rest_road((x / 2, y / 2), yaw, pillar("a", 0, 0, 1) + pillar("b", x, y, 2), BOX)
    assert turned.at[2] == pytest.approx(straight.at[2], abs=1e-6)
    pitch = math.degrees(2 * math.asin(-straight.quat[1]))
    assert turn_between(turned, Pose(turned.at, from_axes(yaw, pitch))) < 1e-5


@pytest.mark.parametrize("jump", range(4))
def test_a_resting_pose_is_where_the_engine_leaves_it(jump: int) -> None:
    run = L * math.cos(math.asin(jump * H / (L - R))) + 5
    bodies = pillar("a", 0, 0, 1) + pillar("b", run, 0, 1 + jump)
    laid = road("r", run / 2, 0, 0.0, bodies)
    car = (
        BOX.body("c", "car", rest_car(laid, 0.4, 1.0, BOX))
        if jump < 3
        else BOX.body("c", "car", Pose((0, 80, 3.5)))
    )
    world = World(bodies)
    world.place(laid, car)
    settled = world.settle()
    for body in (laid, car):
        assert shift_between(body.pose, settled.poses[body.id]) < 0.3
        assert turn_between(body.pose, settled.poses[body.id]) < 0.5


# --- where a hand lets go -------------------------------------------------------------------------


def deepest(body: Body, others: Sequence[Body]) -> float:
    pairs = overlaps([*others, body], 0.05)
    return max((depth for *pair, depth in pairs if body.id in pair), default=0.0)


@pytest.mark.parametrize("gap", [-1.5, -0.4, 0.3, 1.0, 6.0])
@pytest.mark.parametrize("seed", range(6))
def test_a_road_that_passes_under_another_is_let_go_of_inside_nothing(
    gap: float, seed: int
) -> None:
    """The road across is `gap` mm above the place of the new one; the hand lifts and turns it."""
    rng = np.random.default_rng(seed)
    new = [*pillar("A-P0", 0, 0, 2), *pillar("A-P1", 100, 0, 2)]
    lying = road("A-R0", 50.0, 0.0, 0.0, new)
    x, y, z = lying.pose.at
    across = BOX.body("B-R0", "road", Pose((x, y, z + T + gap), from_axes(80.0, 3.0)))
    turned = from_axes(float(rng.normal(0, 1)), float(rng.normal(0, 1)))
    release = lying.at(Pose((x, y, z + abs(float(rng.normal(0, 2)))), turned))
    found = released_clear(release, lying, new, [across])
    assert deepest(found, [*new, across]) == 0.0
    if gap >= 6.0 and not deepest(release, [*new, across]):
        assert found == release  # what is clear stays to the last bit
    if gap == 1.0:
        assert found.pose.at[2] < across.pose.at[2]  # there is room for it below


def test_two_roads_of_one_pillar_do_not_begin_inside_each_other() -> None:
    """The older one lies on the pillar already; the new one was meant to lie beside it there."""
    base = [*pillar("A-P0", 0, 0, 2), *pillar("A-P1", 100, 0, 2), *pillar("A-P2", 70, 70, 2)]
    older = road("A-R0", 50.0, 0.0, 0.0, base)
    lying = road("A-R1", 35.0, 35.0, 45.0, base)
    assert deepest(lying, [older]) > 1.0
    found = released_clear(lying, lying, [], [*base, older])
    assert deepest(found, [*base, older]) == 0.0
    assert math.dist(found.pose.at, lying.pose.at) < 4.0


def test_what_is_lifted_clear_goes_straight_up_and_only_if_it_must() -> None:
    base = [*pillar("A-P0", 0, 0, 3)]
    disc = BOX.body("B-P0.1", "disc", rest_disc((4.0, 0.0), 0.0, BOX))
    found = lifted_clear(disc, base)
    assert found.pose.at[:2] == disc.pose.at[:2]
    assert found.pose.at[2] == pytest.approx(3.5 * H, abs=0.1)
    assert lifted_clear(found, base) is found


@pytest.mark.parametrize("seed", range(20))
def test_the_way_out_is_as_long_as_a_piece_is_deep(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = BOX.body("A-R0", "road", Pose((0.0, 0.0, 10.0), from_axes(0.0, 0.0)))
    x, y, z = rng.uniform((-40, -3, 8.5), (40, 3, 11.5)).tolist()
    other = BOX.body(
        "B-R0", "road", Pose((x, y, z), from_axes(*rng.uniform((20, -4), (160, 4)).tolist()))
    )
    (found,) = penetrations([other], [one], 0.02)
    depth, way = found
    assert math.hypot(*way) == pytest.approx(depth, abs=1e-9)
    assert depth == pytest.approx(deepest(other, [one]), abs=1e-9)
    u, v, w = (at + 1.01 * part for at, part in zip((x, y, z), way, strict=True))
    out = other.at(Pose((u, v, w), other.pose.quat))
    assert penetrations([out], [one], 0.0) == [None]
