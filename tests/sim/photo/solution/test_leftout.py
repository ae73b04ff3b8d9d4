from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from sim.photo.scene import Scene
from sim.photo.solving import TRACE, Solution, improved, left_out, solve
from tests.sim.photo.test_reading import taken


@cache
def solved() -> Solution:
    return solve(Scene.of(taken(off=2.0)))


@pytest.mark.slow
def test_a_slip_at_an_end_that_nothing_else_holds_may_be_large_and_leave_no_trace() -> None:
    found, marks = left_out(solved()), solved().scene.marks
    for index, road in enumerate(marks.roads):
        for end, foot in enumerate((road.base, road.target)):
            if foot is None:
                assert found.unnoticed[index, end] > 40.0, "an end on the table"
    borne = [pillar for road in marks.roads for pillar in road.pillars]
    crowded = max(set(borne), key=borne.count)
    held = [found.unnoticed[n, 0] for n, road in enumerate(marks.roads) if road.base == crowded]
    assert max(held) < 15.0, "an end on a pillar with other roads"


def test_only_the_tap_off_along_its_road_is_far_from_where_the_rest_expects_it() -> None:
    scene = solved().scene
    clean = left_out(solved())
    assert clean.square.max() < TRACE
    ends = scene.ends.copy()
    along = ends[6, 1] - ends[6, 0]
    ends[6, 0] += 40 * along / np.linalg.norm(along)
    moved = improved(solved(), replace(scene, ends=ends))
    square = left_out(moved).square
    assert square[6].max() > TRACE
    assert np.argmax(square.max(axis=1)) == 6
    slip = ends[6, 0] - scene.ends[6, 0]
    assert slip @ np.linalg.solve(clean.spread[6, 0], slip) > 2 * TRACE, (
        "what was to be expected of such a slip"
    )
