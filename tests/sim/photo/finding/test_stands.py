"""Which pillars stand under roads: those that nobody sees are shared too."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from sim.photo.camera import Camera
from sim.photo.finding.roads import LIFT, Road, Scale
from sim.photo.finding.standing import (
    Counting,
    Stand,
    Standing,
    agreeing_camera,
    counted,
    lying,
    stood,
)
from sim.photo.finding.sticks import Pillars
from sim.pieces import Components

STEP = 2.0
SCALE = Scale(STEP, Components.named("estimate-2018"))
CAMERA = Camera(1000.0, 0.8, 0.0, 500.0, 0.0, (672.0, 504.0))
NO_PILLAR = Pillars(np.zeros((0, 2)), np.zeros(0), np.zeros((0, 2)), np.full((0, 8), 0.125))
RUN = float(np.sqrt(110.0**2 - 10.0**2))  # mm: one disc up or down


def road(start: tuple[float, float], stop: tuple[float, float], low: int, high: int) -> Road:
    """A road from one place in mm to another, as a perfect net shows it."""
    levels = np.array([low, high], dtype=np.float64)
    tips = np.concatenate([[start, stop], 10.0 * (levels + LIFT)[:, None]], axis=1)
    odds = np.full((2, 8), 0.02)
    odds[0, low] = odds[1, high] = 0.9
    at = CAMERA.project(tips) / STEP - 0.5
    return Road(at, levels, np.array([True, True]), 1.0, 1.0, -1, odds)


def test_two_ends_that_lie_together_lie_on_one_pillar_that_nobody_sees() -> None:
    roads = [
        road((-RUN, 500.0), (0.0, 500.0), 1, 2),
        road((-4.0, 506.0), (-4.0, 506.0 + RUN), 2, 3),
    ]
    found = stood(roads, NO_PILLAR, CAMERA, SCALE)
    assert found.feet[0][1] == found.feet[1][0]
    assert len(found.stands) == 3
    counted(found, NO_PILLAR.feet, CAMERA, SCALE)
    assert [found.levels(0), found.levels(1)] == [(1, 2), (2, 3)]


@pytest.mark.parametrize("gap", [(40.0, 0.0), (0.0, 25.0)])
def test_two_ends_that_lie_apart_have_a_pillar_each(gap: tuple[float, float]) -> None:
    x, y = gap[0], 500.0 + gap[1]
    roads = [road((-RUN, 500.0), (0.0, 500.0), 1, 2), road((x, y), (x + RUN, y), 2, 3)]
    found = stood(roads, NO_PILLAR, CAMERA, SCALE)
    assert found.feet[0][1] != found.feet[1][0]
    assert len(found.stands) == 4


@pytest.mark.parametrize(
    ("odds", "discs"), [((0.4, 0.1, 0.3), 0), ((0.1, 0.1, 0.5), 2), ((0.45, 0.45, 0.1), 0)]
)
def test_a_hidden_end_may_lie_on_the_table_after_all(
    odds: tuple[float, float, float], discs: int
) -> None:
    """It seems to be higher, but no road goes from a pillar of one disc to another."""
    one = road((0.0, 500.0), (RUN, 500.0), 1, discs)
    levels = one.levels.copy()
    levels[1] = 0.02
    levels[1, :3] = odds
    ramp = replace(one, heights=np.array([1.0, 0.8]), seen=np.array([True, False]), levels=levels)
    other = road((0.0, 500.0), (0.0, 500.0 + RUN), 1, 2)
    found = stood([ramp, other], NO_PILLAR, CAMERA, SCALE)
    assert found.feet[0][1] is not None
    counted(found, NO_PILLAR.feet, CAMERA, SCALE)
    assert found.levels(0) == (1, discs)
    lying(found)
    assert (found.feet[0][1] is None) == (discs == 0)
    assert found.levels(0) == (1, discs)
    assert all(stand.discs for stand in found.stands)


def test_no_road_lies_on_the_table_with_both_ends() -> None:
    low = replace(road((0.0, 500.0), (110.0, 500.0), 0, 0), heights=np.array([0.8, 0.8]))
    found = stood([replace(low, seen=np.array([False, False]))], NO_PILLAR, CAMERA, SCALE)
    counted(found, NO_PILLAR.feet, CAMERA, SCALE)
    lying(found)
    assert found.feet[0] != [None, None]


def test_a_camera_that_is_too_low_and_numbers_too_high_are_put_right_by_feet() -> None:
    turns = ((RUN, 0.0), (0.0, RUN), (-RUN, 0.0), (0.0, RUN), (RUN, 0.0), (RUN, 0.0))
    middles = [np.array([-RUN, 350.0])]
    for turn in turns:
        middles.append(middles[-1] + turn)
    truth = [2, 3, 4, 3, 2, 3, 2]
    roads = [
        road(tuple(one), tuple(other), low, high)
        for one, other, low, high in zip(middles, middles[1:], truth, truth[1:], strict=False)
    ]
    plan, tall = np.array(middles), 10.0 * np.array(truth, dtype=np.float64)[:, None]
    unread = np.full((len(truth), 8), 0.125)
    pillars = Pillars(
        CAMERA.project(np.concatenate([plan, tall], axis=1)) / STEP - 0.5,
        np.array(truth, dtype=np.float64),
        CAMERA.project(np.concatenate([plan, 0.0 * tall], axis=1))[::2] / STEP - 0.5,
        unread,
    )
    blank = np.full((2, 8), 0.125)
    found = stood([replace(one, levels=blank) for one in roads], pillars, CAMERA, SCALE)
    wrong = replace(CAMERA, height=0.88 * CAMERA.height, tilt=CAMERA.tilt - 0.08)
    counted(found, pillars.feet, wrong, SCALE)
    assert [stand.discs for stand in found.stands] != truth
    camera = agreeing_camera(found, pillars.feet, wrong, SCALE, CAMERA.focal)
    assert camera.height == pytest.approx(CAMERA.height, rel=0.02)
    assert camera.tilt == pytest.approx(CAMERA.tilt, abs=0.01)
    counted(found, pillars.feet, camera, SCALE)
    assert [stand.discs for stand in found.stands] == truth


def knotted(pairs: list[tuple[int | None, int | None]], stands: int) -> Counting:
    """Roads from one stand to another, None is the table."""
    roads = [road((0.0, 500.0), (100.0, 500.0), 1, 2) for _ in pairs]
    found = Standing(
        roads,
        [[*pair] for pair in pairs],
        [Stand(None, None) for _ in range(stands)],
    )
    return Counting(found, NO_PILLAR.feet, SCALE)


RING: list[tuple[int | None, int | None]] = [(0, 1), (1, 2), (3, 2), (3, 0), (0, 2), (None, 3)]


@pytest.mark.parametrize("seed", range(5))
def test_the_numbers_of_discs_that_are_found_are_the_best_there_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    own, roads = 4 * rng.random((5, 10)), 4 * rng.random((len(RING), 10, 10))
    own[0, 1:], own[:, 4:], own[1:, 0] = 1e6, 1e6, 1e6
    costs = {
        discs: sum(own[k, n] for k, n in enumerate(discs))
        + sum(
            roads[k, *(discs[0 if foot is None else foot + 1] for foot in pair)]
            for k, pair in enumerate(RING)
        )
        for discs in product((0,), *4 * [(1, 2, 3)])
    }
    order = sorted(costs, key=lambda discs: costs[discs])
    counting = knotted(RING, 4)
    least, discs = counting.best((own, roads))
    assert tuple(discs.tolist()) == order[0]
    assert least == pytest.approx(costs[order[0]])
    for stand in range(1, 5):
        other = next(one for one in order if one[stand] != order[0][stand])
        found = counting.next_best((own, roads), stand, order[0][stand])[0]
        assert found == pytest.approx(costs[other])


def test_a_tangle_of_roads_is_counted_without_trying_all_numbers_at_once() -> None:
    pairs: list[tuple[int | None, int | None]] = [*combinations(range(12), 2)]
    own, roads = np.full((13, 10), 1.0), np.zeros((len(pairs), 10, 10))
    own[0, 0] = own[range(1, 13), [1, 2, 3] * 4] = 0.0
    least, discs = knotted(pairs, 12).best((own, roads))
    assert least == 0.0
    assert discs.tolist() == [0, *[1, 2, 3] * 4]
