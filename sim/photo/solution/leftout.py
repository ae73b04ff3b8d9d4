"""Each tap left out: where the rest of the photo expects it, and how far off it could be without a
trace.

A tap at the end of a chain, or on the table, is held by the length of its road and by nothing else:
a slip across the road only turns the road. No test can find such a slip, so the answer says how
large one could be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.photo.solution import camera as cameras
from sim.photo.solution.scene import Floats
from sim.photo.solution.solving import Solution, pair_weights

__all__ = ["TRACE", "LeftOut", "left_out", "pixels_a_mm"]

TRACE = 16.0
"""A tap is looked at if the square of its distance from where it is expected, in sigmas, is above
this. By chance 1 in 3000 is.
"""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """For both taps of each road: `square` is the square of the distance in sigmas (n, 2), `spread`
    how far a tap may be from where it is expected by chance (n, 2, 2, 2), a covariance in square
    pixels. A slip of less than `unnoticed` mm may leave no trace (n, 2), at most the length of a
    road.
    """

    square: Floats
    spread: Floats
    unnoticed: Floats


def left_out(solution: Solution) -> LeftOut:
    """How every tap agrees with all the rest."""
    scene, rows = solution.scene, solution.rows
    count, one = 2 * scene.roads, np.eye(2)
    off, by = rows.pairs[:count], rows.by_pairs[:count]
    taken = np.linalg.solve(solution.root, by.reshape(2 * count, -1).T).reshape(
        scene.size, count, 2
    )
    known = np.einsum("kmi,kmj->mij", taken, taken)
    # of its own place that the tap says itself
    share = known * pair_weights(rows)[:count, None, None]
    rest = (1.0 + 1e-9) * one - share
    expected = np.linalg.solve(rest, off[:, :, None])[:, :, 0]
    spread = one + np.linalg.solve(rest, known)
    spread = (spread + spread.transpose(0, 2, 1)) / 2
    square = (expected * np.linalg.solve(spread, expected[:, :, None])[:, :, 0]).sum(axis=1)
    wide = np.sqrt(TRACE * np.linalg.eigvalsh(spread)[:, 1]) * solution.pixels
    unnoticed = np.minimum(wide / pixels_a_mm(solution), scene.length)
    return LeftOut(
        np.where(scene.used, square.reshape(-1, 2), 0.0),
        spread.reshape(-1, 2, 2, 2) * solution.pixels**2,
        unnoticed.reshape(-1, 2),
    )


def pixels_a_mm(solution: Solution) -> Floats:
    """How many pixels a millimetre takes at each tip (2 n,), seen across the view."""
    tips = solution.tips.reshape(-1, 3)
    _, _, by_point, _ = cameras.project(solution.vector[: cameras.SIZE], tips)
    return np.asarray(np.linalg.svd(by_point[:, :, :2], compute_uv=False)[:, 0], dtype=np.float64)
