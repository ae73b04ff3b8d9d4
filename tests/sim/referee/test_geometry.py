"""Sticks and circles in plan: their distances, depths and heights as shapely finds them, and bodies
as the one or the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from shapely import Point, Polygon

from sim.bodies import Box, Cylinder, Pose
from sim.referee import geometry
from sim.referee.geometry import CX, CY, DEEP, HL, HW, SLOPE, Strip, Z
from sim.referee.obstacles import building_hits, car_hits, obstacles_of, upright
from sim.referee.placement import CarSpot
from tests.tables import at_rest, lay_out


def some_strips(seed: int, count: int = 14) -> list[Strip]:
    """Strips of all sizes and slopes, some along the axes, all near one point."""
    rng = np.random.default_rng(seed)
    angles = np.where(
        rng.random(count) < 0.3,
        rng.integers(4, size=count) * math.pi / 2,
        rng.uniform(0, math.tau, count),
    )
    rows = np.column_stack(
        [
            rng.uniform(-50.0, 50.0, (count, 2)),
            np.stack([np.cos(angles), np.sin(angles)], axis=-1),
            rng.uniform(4.0, 60.0, (count, 2)),
            rng.uniform(0.0, 90.0, count),
            rng.uniform(-0.4, 0.4, count),
            rng.uniform(2.0, 9.0, count),
        ]
    )
    return [tuple(row) for row in rows.tolist()]


def in_plan(strip: Strip) -> Polygon:
    """A strip as shapely sees it."""
    x, y, ux, uy, long, wide, *_ = strip
    ends = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    return Polygon(
        [(x + a * long * ux - b * wide * uy, y + a * long * uy + b * wide * ux) for a, b in ends]
    )


def underside(strip: Strip, x: float, y: float) -> float:
    """The height of the underside of a strip at a point."""
    along = (x - strip[CX]) * strip[2] + (y - strip[CY]) * strip[3]
    return strip[Z] + strip[SLOPE] * along


def pairs(one: int, other: int) -> Iterator[tuple[Strip, Strip]]:
    return product(some_strips(one), some_strips(other))


@pytest.mark.parametrize("radius", [0.0, 30.0])
def test_strips_meet_where_their_rectangles_do_near_a_shared_pillar_only_outside_the_circle(
    radius: float,
) -> None:
    """With the gap of the common corners."""
    seen = set()
    for new, old in pairs(3, 4):
        at = (new[CX] + 5.0, new[CY] + 5.0)
        common = in_plan(new).intersection(in_plan(old))
        some, low, high = geometry.gap(new, 0.0, old, True, *at, radius)
        if not common.area:
            assert not some
            continue
        apart = {
            corner: underside(new, *corner) - underside(old, *corner)
            for corner in common.exterior.coords
        }
        outside = [mm for corner, mm in apart.items() if math.dist(corner, at) > radius]
        assert some == bool(outside)
        seen.add(some)
        if some:
            assert (low, high) == pytest.approx((min(outside), max(apart.values())), abs=1e-6)
    assert seen == {True, radius == 0.0}


def test_the_depth_of_two_rectangles_is_how_far_one_must_go_to_leave_the_other() -> None:
    for new, old in pairs(5, 6):
        ways = np.array([way for x, y in (new[2:4], old[2:4]) for way in ((x, y), (-y, x))]).T
        mine, theirs = (np.array(in_plan(one).exterior.coords) @ ways for one in (new, old))
        steps = [*(mine.max(0) - theirs.min(0)), *(theirs.max(0) - mine.min(0))]
        assert geometry.depth(new, 0.0, old) == pytest.approx(min(steps), abs=1e-9)


def test_a_strip_and_a_circle_meet_where_their_areas_do_with_the_gap_along_the_strip() -> None:
    rng = np.random.default_rng(7)
    rounds = zip(
        rng.uniform(-60, 60, (14, 2)).tolist(),
        rng.uniform(5, 40, 14).tolist(),
        rng.uniform(10, 90, 14).tolist(),
        strict=True,
    )
    for strip, ((x, y), radius, top) in product(some_strips(8), rounds):
        area, at = in_plan(strip), Point(x, y)
        assert geometry.off(strip, 0.0, x, y) == pytest.approx(area.distance(at), abs=1e-9)
        if area.distance(at) < radius:
            common = area.intersection(at.buffer(radius, quad_segs=40))
            apart = [underside(strip, *spot) - top for spot in common.exterior.coords]
            found = geometry.heights(strip, 0.0, x, y, radius, top)
            assert found == pytest.approx((min(apart), max(apart)), abs=0.2)


def test_a_building_overlaps_whatever_its_area_shares_with_standing_pieces() -> None:
    table = lay_out(
        {"A-P0": (-55, 0, 1), "A-P1": (55, 5, 2)},
        {"A-R0": ("A-P0", "A-P1")},
        cars={"A-C0": ("A-R0", 0.4)},
        buildings=[("tower", (0, 45)), ("cylinder", (0, -45))],
    )
    field = obstacles_of(table)
    blocks = dict(zip(field.block_ids, field.blocks, strict=True))
    sticks = dict(zip(field.road_ids + field.car_ids, field.roads + field.cars, strict=True))
    sticks |= {name: block for name, block in blocks.items() if block[DEEP]}
    rounds = {name: block[:3] for name, block in blocks.items() if not block[DEEP]}
    for name, (x, y, _, _) in zip(field.disc_pillars, field.discs, strict=True):
        rounds[name] = (x, y, 10.0)
    for x, y in np.random.default_rng(9).uniform((-90.0, -90.0), (90.0, 90.0), (20, 2)).tolist():
        expected = {name: 15.0 - in_plan(one).distance(Point(x, y)) for name, one in sticks.items()}
        for name, (u, v, radius) in rounds.items():
            expected[name] = 15.0 + radius - math.dist((x, y), (u, v))
        found = dict(building_hits(table, (x, y, 15.0, 0.0, 0.0, 0.0, 0.0, 80.0, 0.0)))
        assert found == pytest.approx({name: mm for name, mm in expected.items() if mm > 0})
        box = (x, y, 0.6, 0.8, 30.0, 12.0, 0.0, 0.0, 70.0)
        expected = {name: geometry.depth(box, 0.0, one) for name, one in sticks.items()}
        expected |= {
            name: r - in_plan(box).distance(Point(u, v)) for name, (u, v, r) in rounds.items()
        }
        assert dict(building_hits(table, box)) == pytest.approx(
            {name: mm for name, mm in expected.items() if mm > 0}
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
        replace(table, poses=leant), laid.roads[0], obstacles_of(laid).roads[0], [CarSpot(0.5)]
    )
    assert [*hits] == ([(0, "B-P0", pytest.approx(gap))] if touches else [])


def test_an_upright_body_reaches_half_its_height_below_and_above_its_middle() -> None:
    level = Pose((1.0, 2.0, 30.0), (0.0, 0.0, 0.0, 1.0))
    assert upright(Cylinder(20.0, 60.0), level) == (1.0, 2.0, 20.0, 0.0, 0.0, 0.0, 0.0, 60.0, 0.0)
    box = upright(Box((80.0, 10.0, 6.0)), level)
    assert box == (1.0, 2.0, 1.0, 0.0, 40.0, 5.0, 27.0, 0.0, 6.0)
    on_end = upright(
        Box((80.0, 10.0, 6.0)), Pose((1.0, 2.0, 40.0), (0.0, -math.sqrt(0.5), 0.0, math.sqrt(0.5)))
    )
    assert (*on_end[HL : HW + 1], on_end[Z], on_end[DEEP]) == pytest.approx((3.0, 5.0, 0.0, 80.0))
