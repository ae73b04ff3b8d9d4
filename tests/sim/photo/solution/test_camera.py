from __future__ import annotations

import math

import numpy as np
import pytest

from sim.photo import solving
from sim.photo.camera import SIZE, Camera, project
from sim.photo.marks import marks_of
from sim.photo.scene import Known, Scene, linearised
from sim.photo.solving import carried_on, placed
from tests.sim.photo.test_marks import example

CAMERA = Camera(3000.0, math.radians(50), 0.1, 600.0, -0.05, (2000.0, 1500.0), 0.3, (20.0, -30.0))


def some_points() -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.stack(
        [rng.uniform(-200, 200, 6), rng.uniform(300, 700, 6), rng.uniform(0, 60, 6)], axis=1
    )


@pytest.mark.parametrize("index", range(SIZE))
def test_pixels_change_with_the_camera_as_the_derivatives_say(index: int) -> None:
    points, step = some_points(), np.zeros(SIZE)
    step[index] = 1e-6
    more, less = (project(CAMERA.vector + sign * step, points)[0] for sign in (1, -1))
    assert np.allclose(
        (more - less) / 2e-6, project(CAMERA.vector, points)[1][:, :, index], atol=1e-4
    )


def test_a_point_on_the_ground_of_a_pixel_appears_at_that_pixel() -> None:
    points = some_points()
    assert np.allclose(
        CAMERA.unproject(CAMERA.project(points), points[:, 2]), points[:, :2], atol=1e-6
    )


def test_what_lies_behind_the_camera_is_not_seen() -> None:
    assert np.isnan(CAMERA.project([[20.0, -2000.0, 0.0]])).all()


def test_residuals_change_with_every_unknown_as_the_derivatives_say() -> None:
    value = example()
    value["pillars"] = [one for one in value["pillars"] if one["id"] in ("A-P0", "A-P1", "A-P2")]
    value["roads"] = [one for one in value["roads"] if one["id"] in ("A-R0", "A-R1", "A-R2")]
    value["pillars"][0]["top"] = [700, 500]
    value["cars"] = []
    value["sheet"] = {
        "size": [297, 210],
        "corners": [[100, 100], [500, 100], [500, 400], [100, 400]],
    }
    import json

    marks = marks_of(json.dumps(value).encode())
    scene = Scene.of(marks, Known({"A-P0": (3.0, 4.0)}))
    vector = placed(scene, Camera(1600.0, 0.85, 0.02, 420.0, -0.02, (800.0, 600.0)).vector)
    here = linearised(scene, vector, 3.0)
    for index in range(scene.size):
        step = np.zeros(scene.size)
        step[index] = 1e-6
        more, less = (linearised(scene, vector + sign * step, 3.0) for sign in (1, -1))
        assert np.allclose(
            (more.plain - less.plain) / 2e-6, here.by_plain[:, index], atol=1e-3, rtol=1e-5
        )
        # a little is left out: how far a tip reaches past a rim is taken as it is at each step
        by_pairs = (more.pairs - less.pairs) / 2e-6
        assert (
            np.abs(by_pairs - here.by_pairs[:, :, index]).max()
            <= 0.3 + 1e-4 * np.abs(by_pairs).max()
        )


def test_no_step_goes_to_a_camera_that_is_farther_than_any(monkeypatch: pytest.MonkeyPatch) -> None:
    import json

    scene = Scene.of(marks_of(json.dumps(example()).encode()))
    begin = placed(scene, Camera(1600.0, 0.85, 0.02, 420.0, -0.02, (800.0, 600.0)).vector)
    assert (carried_on(scene, begin[:SIZE]).vector != begin).any()
    monkeypatch.setattr(solving, "_LARGEST", 0.0)
    assert (carried_on(scene, begin[:SIZE]).vector == begin).all()
