"""The camera of a picture: where it stands, what it sees, and where a point of the table
appears.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from sim.bodies import Body, Vector, rotation_matrix, vector


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the picture is taken from: eye and target in mm, full vertical angle of view in
    degrees.
    """

    eye: Vector
    target: Vector
    fov: float = 26.0

    @classmethod
    def fitting(
        cls,
        bodies: Sequence[Body],
        size: tuple[int, int] = (1280, 860),
        azimuth: float = -68.0,
        elevation: float = 41.0,
        fov: float = 26.0,
        margin: float = 0.05,
    ) -> Camera:
        """The nearest camera in that direction that sees every body whole, with `margin` (of 1)
        free at each border.

        `azimuth` is the direction from the table to the eye, in degrees counter-clockwise from +x;
        `elevation` the height of the eye above the horizon. Without bodies it sees the middle 300
        mm of the table.
        """
        points = extent(bodies)
        right, up, ahead = _axes(azimuth, elevation)
        side, rise, depth = points @ right, points @ up, points @ ahead
        slope = math.tan(math.radians(fov) / 2) * (1 - 2 * margin)
        wide = slope * size[0] / size[1]
        # Every point must lie inside four planes through the eye: the deepest eye that allows it,
        # centred in the slack.
        back = min(
            (np.min(offset + k * depth) - np.max(offset - k * depth)) / (2 * k)
            for offset, k in ((side, wide), (rise, slope))
        )
        x = (np.min(side + wide * depth) + np.max(side - wide * depth)) / 2
        y = (np.min(rise + slope * depth) + np.max(rise - slope * depth)) / 2
        eye = x * right + y * up + back * ahead
        return cls(vector(eye), vector(eye + ahead * (float(np.mean(depth)) - back)), fov)

    def project(
        self, points: npt.ArrayLike, size: tuple[int, int] = (1280, 860)
    ) -> npt.NDArray[np.float64]:
        """Where points in mm, shape (n, 3) or (3,), appear in a picture of that size: pixels (x, y)
        from the top left corner.

        Points behind the camera give nan.
        """
        right, up, ahead = self.axes()
        offset = np.asarray(points, dtype=np.float64) - np.array(self.eye)
        depth = offset @ ahead
        scale = size[1] / (2 * math.tan(math.radians(self.fov) / 2))
        with np.errstate(divide="ignore", invalid="ignore"):
            per = np.where(depth > 0, scale / depth, np.nan)
        return np.stack(
            [size[0] / 2 + per * (offset @ right), size[1] / 2 - per * (offset @ up)], axis=-1
        )

    def axes(
        self,
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Unit vectors to the right, up and into the picture. Raises InputError if the camera looks
        straight up or down.
        """
        ahead = np.array(self.target, dtype=np.float64) - np.array(self.eye)
        right = np.cross(ahead, (0.0, 0.0, 1.0))
        if not np.linalg.norm(right) > 1e-6 * np.linalg.norm(ahead):
            raise InputError(
                f"a camera at {self.eye} cannot look at {self.target}: it must not look straight "
                "up or down"
            )
        right /= np.linalg.norm(right)
        ahead /= np.linalg.norm(ahead)
        return right, np.cross(right, ahead), ahead


def extent(bodies: Sequence[Body]) -> npt.NDArray[np.float64]:
    """The corners of the boxes around all bodies, (n, 3); of 300 mm of bare table if there are
    none.
    """
    signs = np.array(
        [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64
    )
    if not bodies:
        return signs * (150, 150, 0)
    return np.concatenate(
        [
            signs * body.shape.half @ rotation_matrix(body.pose.quat).T + body.pose.at
            for body in bodies
        ]
    )


def _axes(azimuth: float, elevation: float) -> tuple[npt.NDArray[np.float64], ...]:
    """Right, up and ahead of an eye that looks at the table from there."""
    a, e = math.radians(azimuth), math.radians(elevation)
    ahead = -np.array((math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)))
    right = np.array((-math.sin(a), math.cos(a), 0.0))
    return right, np.cross(right, ahead), ahead
