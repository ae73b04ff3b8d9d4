"""Rectangles and circles in plan: their distances as shapely finds them, and bodies as the one or
the other.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from shapely import Point, Polygon

from sim.bodies import Box, Cylinder, Pose
from sim.referee import footprints
from sim.referee.conflicts import _distance, car_hits, footprint_hits
from sim.referee.footprints import Circles, Strips, car_strips, obstacles_of
from sim.referee.placement import CarSpot
from tests.tables import at_rest, lay_out


def some_strips(seed: int, count: int = 14) -> Strips:
    """Strips of all sizes and slopes, some along the axes, all near one point."""
    rng = np.random.default_rng(seed)
    angles = np.where(
        rng.random(count) < 0.3,
        rng.integers(4, size=count) * math.pi / 2,
        rng.uniform(0, math.tau, count),
    )
    return Strips(
        rng.uniform(-50.0, 50.0, (count, 2)),
        np.stack([np.cos(angles), np.sin(angles)], axis=-1),
        rng.uniform(4.0, 60.0, (count, 2)),
        rng.uniform(0.0, 90.0, count),
        rng.uniform(-0.4, 0.4, count),
        rng.uniform(2.0, 9.0, count),
    )


def in_plan(strips: Strips) -> list[Polygon]:
    """Strips as shapely sees them."""
    ends = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    return [
        Polygon(
            [
                (x + a * long * ux - b * wide * uy, y + a * long * uy + b * wide * ux)
                for a, b in ends
            ]
        )
        for (x, y), (ux, uy), (long, wide) in zip(
            strips.centre, strips.axis, strips.half, strict=True
        )
    ]


def underside(strips: Strips, row: int, x: float, y: float) -> float:
    """The height of the underside of a strip at a point."""
    along = (np.array([x, y]) - strips.centre[row]) @ strips.axis[row]
    return float(strips.z[row] + strips.slope[row] * along)


def test_strips_meet_where_their_rectangles_do_with_the_gap_of_the_common_corners() -> None:
    new, old = some_strips(1), some_strips(2)
    gaps = footprints.strip_gaps(new, old)
    found = {(i, j): (low, high) for i, j, low, high in zip(*gaps, strict=True)}
    ones, others = in_plan(new), in_plan(old)
    for i, one in enumerate(ones):
        for j, other in enumerate(others):
            common = one.intersection(other)
            assert ((i, j) in found) == (common.area > 0)
            if common.area > 0:
                apart = [
                    underside(new, i, *at) - underside(old, j, *at) for at in common.exterior.coords
                ]
                assert found[i, j] == pytest.approx((min(apart), max(apart)), abs=1e-6)


def test_near_the_axis_of_a_shared_pillar_a_gap_counts_only_outside_the_circle() -> None:
    new, old = some_strips(3), some_strips(4)
    axes, radius, shared = new.centre + 5.0, 30.0, np.arange(len(old)) % 2 == 0
    gaps = footprints.strip_gaps(new, old, (axes, radius, shared))
    found = {(i, j): (low, high) for i, j, low, high in zip(*gaps, strict=True)}
    ones, others = in_plan(new), in_plan(old)
    for i, j, _, high in zip(*footprints.strip_gaps(new, old), strict=True):
        corners = [*ones[i].intersection(others[j]).exterior.coords]
        outside = [at for at in corners if not shared[j] or math.dist(at, axes[i]) > radius]
        apart = [underside(new, i, *at) - underside(old, j, *at) for at in outside]
        assert found.pop((i, j), None) == (
            pytest.approx((min(apart), high), abs=1e-6) if apart else None
        )
    assert not found


def test_the_depth_of_two_rectangles_is_how_far_one_must_go_to_leave_the_other() -> None:
    new, old = some_strips(5), some_strips(6)
    rows, columns = np.divmod(np.arange(len(new) * len(old)), len(old))
    depths = footprints.strip_depths(new, rows, old, columns)
    ones, others = (
        np.array([one.exterior.coords for one in in_plan(strips)]) for strips in (new, old)
    )
    for i, j, depth in zip(rows, columns, depths, strict=True):
        ways = np.array([way for x, y in (new.axis[i], old.axis[j]) for way in ((x, y), (-y, x))]).T
        mine, theirs = ones[i] @ ways, others[j] @ ways
        steps = [*(mine.max(0) - theirs.min(0)), *(theirs.max(0) - mine.min(0))]
        assert depth == pytest.approx(min(steps), abs=1e-9)


def test_a_strip_and_a_circle_meet_where_their_areas_do_with_the_gap_along_the_strip() -> None:
    rng = np.random.default_rng(7)
    strips = some_strips(8)
    circles = Circles(
        rng.uniform(-60, 60, (14, 2)), rng.uniform(5, 40, 14), np.zeros(14), rng.uniform(10, 90, 14)
    )
    found = {
        (i, j): (low, high)
        for i, j, low, high in zip(*footprints.circle_gaps(strips, circles), strict=True)
    }
    rounds = [
        (Point(at), float(radius), float(top))
        for at, radius, top in zip(circles.centre, circles.radius, circles.top, strict=True)
    ]
    for i, strip in enumerate(in_plan(strips)):
        for j, (at, radius, top) in enumerate(rounds):
            assert ((i, j) in found) == (strip.distance(at) < radius)
            if (i, j) in found:
                common = strip.intersection(at.buffer(radius, quad_segs=40))
                apart = [underside(strips, i, *spot) - top for spot in common.exterior.coords]
                assert found[i, j] == pytest.approx((min(apart), max(apart)), abs=0.2)


def test_a_building_overlaps_whatever_its_area_shares_with_standing_pieces() -> None:
    field = obstacles_of(
        lay_out(
            {"A-P0": (-55, 0, 1), "A-P1": (55, 5, 2)},
            {"A-R0": ("A-P0", "A-P1")},
            cars={"A-C0": ("A-R0", 0.4)},
            buildings=[("tower", (0, 45)), ("cylinder", (0, -45))],
        )
    )
    sticks = [
        *zip((*field.road_ids, *field.car_ids, *field.box_ids), in_plan(field.sticks), strict=True)
    ]
    rounds = [
        *zip(
            (*field.disc_pillars, *field.cylinder_ids),
            field.rounds.centre,
            field.rounds.radius,
            strict=True,
        )
    ]
    for x, y in np.random.default_rng(9).uniform((-90.0, -90.0), (90.0, 90.0), (20, 2)):
        expected = {piece: 15.0 - strip.distance(Point(x, y)) for piece, strip in sticks}
        expected |= {piece: 15.0 + radius - math.dist((x, y), at) for piece, at, radius in rounds}
        found = dict(footprint_hits(field, None, ((x, y), 15.0, 0.0, 80.0)))
        assert found == pytest.approx({piece: mm for piece, mm in expected.items() if mm > 0})
        box = ((x, y), (0.6, 0.8), (30.0, 12.0), 0.0, 0.0, 70.0)
        new = footprints.strips([box])
        (area,) = in_plan(new)
        all_sticks = np.arange(len(sticks))
        depths = footprints.strip_depths(new, np.zeros_like(all_sticks), field.sticks, all_sticks)
        expected = {piece: depth for (piece, _), depth in zip(sticks, depths, strict=True)}
        expected |= {
            piece: float(radius) - area.distance(Point(at)) for piece, at, radius in rounds
        }
        assert dict(footprint_hits(field, box, None)) == pytest.approx(
            {piece: mm for piece, mm in expected.items() if mm > 0}
        )


@pytest.mark.parametrize(("gap", "touches"), [(0.04, True), (0.06, False)])
def test_a_car_may_stand_under_a_disc_that_leans_over_its_road_and_does_not_touch_it(
    gap: float, touches: bool
) -> None:
    pillars = {"A-P0": (-55, 0, 1), "A-P1": (55, 0, 1), "B-P0": (0, 17, 4)}
    table, laid = lay_out(pillars), lay_out(pillars, {"A-R0": ("A-P0", "A-P1")})
    top = 10.0 + table.components.road_thickness + table.components.car_height
    leant = at_rest(table) | {"B-P0.4": Pose((0.0, 10.0, top + gap + 5.0), (0.0, 0.0, 0.0, 1.0))}
    hits = car_hits(
        replace(table, poses=leant), laid.roads[0], obstacles_of(laid).roads, [CarSpot(0.5)]
    )
    assert hits == ([(0, "B-P0", pytest.approx(gap))] if touches else [])


@pytest.mark.parametrize("slope", [-0.3, 0.0, 0.2])
def test_a_car_on_a_slope_reaches_as_far_in_plan_as_its_edges_do(slope: float) -> None:
    box = lay_out({}).components
    steep = math.atan(slope)
    flat, thick = math.cos(steep), box.road_thickness / math.cos(steep)
    road = footprints.strips(
        [((0.0, 0.0), (1.0, 0.0), (box.road_length / 2 * flat, 4.5), 30.0, slope, thick)]
    )
    car = car_strips(box, road, (CarSpot(0.7, 1.5),))
    up, on = np.array([-math.sin(steep), flat]), np.array([flat, math.sin(steep)])
    foot = np.array([0.0, 30.0]) + 0.2 * box.road_length * on + box.road_thickness * up
    ends = [foot + side * box.car_length / 2 * on for side in (-1, 1)]
    reach = [x for x, _ in (*ends, *(end + box.car_height * up for end in ends))]
    assert car.centre[0, 0] + car.half[0, 0] * np.array([-1, 1]) == pytest.approx(
        [min(reach), max(reach)]
    )
    assert (car.centre[0, 1], car.half[0, 1], car.thick[0]) == pytest.approx(
        (1.5, box.car_width / 2, box.car_height / flat)
    )
    assert [underside(car, 0, x, 1.5) for x, _ in ends] == pytest.approx([z for _, z in ends])


def test_the_distance_from_a_point_to_a_strip_is_that_to_its_rectangle() -> None:
    rng = np.random.default_rng(3)
    angles, sizes = rng.uniform(0, math.tau, 50), rng.uniform(5.0, 60.0, (50, 2))
    ways = [(math.cos(angle), math.sin(angle)) for angle in angles]
    items = [
        ((7.0, -3.0), way, (float(long), float(wide)), 0.0, 0.0, 1.0)
        for way, (long, wide) in zip(ways, sizes, strict=True)
    ]
    points = rng.uniform(-90.0, 90.0, (50, 2))
    strips = footprints.strips(items)
    found = _distance(strips, np.arange(50), points)
    for rectangle, point, mm in zip(in_plan(strips), points, found, strict=True):
        assert mm == pytest.approx(rectangle.distance(Point(point)), abs=1e-9)


def test_an_upright_body_reaches_half_its_height_below_and_above_its_middle() -> None:
    level = Pose((1.0, 2.0, 30.0), (0.0, 0.0, 0.0, 1.0))
    assert footprints.upright(Cylinder(20.0, 60.0), level) == (None, ((1.0, 2.0), 20.0, 0.0, 60.0))
    box, circle = footprints.upright(Box((80.0, 10.0, 6.0)), level)
    assert circle is None
    assert box == ((1.0, 2.0), (1.0, 0.0), (40.0, 5.0), 27.0, 0.0, 6.0)
    on_end, _ = footprints.upright(
        Box((80.0, 10.0, 6.0)), Pose((1.0, 2.0, 40.0), (0.0, -math.sqrt(0.5), 0.0, math.sqrt(0.5)))
    )
    assert on_end is not None
    assert on_end[2] == pytest.approx((3.0, 5.0))
    assert (on_end[3], on_end[5]) == pytest.approx((0.0, 80.0))
