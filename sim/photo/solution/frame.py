"""Where a photographed table lies: turning and shifting a solution, and how far drawn tables are
from the best one.

A photo does not say where the middle of the table is. So the first pillar is the origin and the
first road runs along +x, unless known pillars say otherwise.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sim.photo.solution.scene import moved
from sim.photo.solution.solving import Solution

__all__ = ["framed", "spread"]

Floats = npt.NDArray[np.float64]


def framed(solution: Solution) -> Solution:
    """The solution with the first pillar at the origin and the first road along +x; as it is if
    pillars are known.
    """
    scene = solution.scene
    if len(scene.known) or not scene.marks.pillars:
        return solution
    turn = -float(scene.roads_in(solution.vector)[0, 2]) if scene.roads else 0.0
    return replace(
        solution, vector=moved(scene, solution.vector, turn, solution.pillars[0], np.zeros(2))
    )


def spread(drawn: Floats, best: Floats) -> Floats:
    """How far drawn points (s, k, 2) are from the best ones (k, 2) along one axis, 1 sigma in mm
    (k,).

    Each drawn table is first laid on the best one as well as it can be: a photo does not say where
    the table lies.
    """
    middle = drawn.mean(axis=1, keepdims=True)
    a, b = drawn - middle, best - best.mean(axis=0)
    turn = np.arctan2(
        (a[..., 0] * b[:, 1] - a[..., 1] * b[:, 0]).sum(axis=1), (a * b).sum(axis=(1, 2))
    )
    c, s = np.cos(turn)[:, None], np.sin(turn)[:, None]
    laid = np.stack([c * a[..., 0] - s * a[..., 1], s * a[..., 0] + c * a[..., 1]], axis=-1)
    off: Floats = np.sqrt(((laid - b) ** 2).mean(axis=(0, 2)))
    return off
