"""Cameras that saw the same roads are solved together."""

from __future__ import annotations

import math

import numpy as np

from sim.photo import camera as cameras
from sim.photo.camera import Camera
from sim.photo.finding.bundle import Sighting, bundled

_LONG, _SIDE = 105.0, 1344.0


def roads(rng: np.random.Generator, count: int) -> np.ndarray:
    """Tips (n, 2, 3) of roads on pillars of 1 to 4 discs."""
    middle, way = rng.uniform(-150, 150, (count, 2)), rng.uniform(0, math.tau, count)
    high = 10.0 * rng.integers(1, 5, (count, 1)) + 10.0 * rng.integers(-1, 2, (count, 2)) + 2.0
    run = np.sqrt(_LONG**2 - (high[:, 0] - high[:, 1]) ** 2)
    off = run[:, None] / 2 * np.stack([np.cos(way), np.sin(way)], axis=1)
    return np.concatenate(
        [np.stack([middle - off, middle + off], axis=1), high[..., None]], axis=-1
    )


def standing(yaw: float, tilt: float) -> Camera:
    """A camera that looks at the middle of the table from one side."""
    far = 400.0 / math.tan(math.radians(tilt))
    at = (far * math.sin(yaw), -far * math.cos(yaw))
    return Camera(1000.0, math.radians(tilt), 0.03, 400.0, -0.02, (672.0, 504.0), yaw, at)


def sighting(camera: Camera, tips: np.ndarray, guess: Camera, *, fixed: bool) -> Sighting:
    """What a camera shows of some tips, and where it is taken to be."""
    off = np.array([0.05, 1e4, 1e4, 1e4, 0.05, 8.0, 8.0, 1e4, 1e4, 1e4])
    believed = guess.vector.copy()
    if fixed:
        off[[cameras.YAW, cameras.X, cameras.Y]] = 1e-4
    ends = camera.project(tips.reshape(-1, 3)).reshape(-1, 2, 2)
    return Sighting(ends, _SIDE, guess, believed, off)


def test_two_sides_mend_cameras_that_lean_and_a_wrong_number_of_discs() -> None:
    rng = np.random.default_rng(3)
    tips = roads(rng, 16)
    one, other = standing(0.0, 45.0), standing(1.9, 40.0)
    leaning = Camera.of(other.vector + np.array([0.02, 0.08, 0, 0.05, 0, 0, 0, 0.04, 15, -12]))
    guess = tips + rng.normal(0, 4.0, tips.shape) * (1, 1, 0)
    guess[5, 0, 2] += 10.0  # a disc too many
    views = [
        sighting(one, tips, one, fixed=True),
        sighting(other, tips, leaning, fixed=False),
    ]
    (first, second), found = bundled(views, guess, _LONG)
    assert abs(first.tilt - one.tilt) < math.radians(0.3)
    assert abs(second.tilt - other.tilt) < math.radians(0.3)
    assert math.dist(second.at, other.at) < 6.0  # 1 % of its distance
    np.testing.assert_allclose(found, tips, atol=2.0)


def test_an_end_that_a_photo_does_not_show_is_found_by_the_other() -> None:
    rng = np.random.default_rng(4)
    tips = roads(rng, 14)
    one, other = standing(0.0, 50.0), standing(-2.2, 45.0)
    views = [
        sighting(one, tips, one, fixed=True),
        sighting(other, tips, other, fixed=False),
    ]
    views[0].ends[3, 1] = views[1].ends[7] = np.nan
    guess = tips + rng.normal(0, 5.0, tips.shape) * (1, 1, 0)
    _, found = bundled(views, guess, _LONG)
    np.testing.assert_allclose(found, tips, atol=1.5)
