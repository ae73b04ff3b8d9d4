"""A camera with one distortion term: where points of the table appear in a photo, and how that
changes with the camera.

The camera stands at `at`, `height` above the table. It looks along `yaw` (counter-clockwise from
+y, seen from above), is tilted down from the horizon and rolled about its axis. Lengths are mm on
the table and pixels in the image, angles radians. With r the distance of a point from the centre of
the image in focal lengths, a lens moves it outwards by the factor 1 + bend r^2 (Brown 1966, first
radial term).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.bodies import Floats

FOCAL, TILT, ROLL, HEIGHT, BEND, CX, CY, YAW, X, Y = range(10)
"""Where the numbers of a camera are in its vector; focal length and height stand there as
logarithms.
"""

SIZE = 10

# a ray that comes down by less than this share of its length counts as if it came down by so much
_NO_LOWER = 0.02


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera that was found: focal length, centre of the image and bend of the lens; height,
    place and angles.
    """

    focal: float
    tilt: float
    roll: float
    height: float
    bend: float
    centre: tuple[float, float]
    yaw: float = 0.0
    at: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, vector: Floats) -> Camera:
        """From its vector."""
        f, tilt, roll, h, bend, cx, cy, yaw, x, y = (float(number) for number in vector)
        return cls(math.exp(f), tilt, roll, math.exp(h), bend, (cx, cy), yaw, (x, y))

    @property
    def vector(self) -> Floats:
        """As a vector of SIZE numbers."""
        rest = (self.bend, *self.centre, self.yaw, *self.at)
        return np.array([math.log(self.focal), self.tilt, self.roll, math.log(self.height), *rest])

    def project(self, points: npt.ArrayLike) -> Floats:
        """Where points (n, 3) in mm appear in the image, (n, 2); nan for those behind the
        camera.
        """
        pixels, _, _, depth = project(self.vector, np.asarray(points, dtype=np.float64))
        return np.where(depth[:, None] > 0.0, pixels, np.nan)

    def unproject(self, pixels: npt.ArrayLike, heights: npt.ArrayLike) -> Floats:
        """Which points (n, 2) at these heights in mm appear at these pixels (n, 2)."""
        return unproject(
            self.vector, np.asarray(pixels, dtype=np.float64), np.asarray(heights, dtype=np.float64)
        )

    def to_json(self) -> dict[str, Any]:
        """As plain values: pixels, mm and degrees."""
        return {
            "focal": round(self.focal, 1),
            "tilt": round(math.degrees(self.tilt), 2),
            "roll": round(math.degrees(self.roll), 2),
            "yaw": round(math.degrees(self.yaw), 2),
            "height": round(self.height, 1),
            "at": [round(number, 1) for number in self.at],
            "centre": [round(number, 1) for number in self.centre],
            "bend": round(self.bend, 5),
        }


def project(camera: Floats, points: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Where points (n, 3) appear: pixels (n, 2), their derivatives by the camera (n, 2, SIZE) and
    by the points (n, 2, 3), and how far ahead of the camera the points lie (n,).
    """
    focal, height = math.exp(camera[FOCAL]), math.exp(camera[HEIGHT])
    (ct, st), (cr, sr), (c, s) = (
        (math.cos(camera[i]), math.sin(camera[i])) for i in (TILT, ROLL, YAW)
    )
    dx, dy, z = points[:, 0] - camera[X], points[:, 1] - camera[Y], points[:, 2] - height
    x, y = c * dx + s * dy, c * dy - s * dx
    ahead, up = y * ct - z * st, y * st + z * ct
    depth = np.where(np.abs(ahead) < 1e-3, 1e-3, ahead)
    u, v = (cr * x + sr * up) / depth, (cr * up - sr * x) / depth
    r2 = u * u + v * v
    bent = 1.0 + camera[BEND] * r2
    pixels = np.stack([camera[CX] + focal * u * bent, camera[CY] - focal * v * bent], axis=1)

    # by u and v, then by x, up and ahead
    k = 2.0 * camera[BEND]
    by_uv = focal * np.stack(
        [[bent + k * u * u, k * u * v], [-k * u * v, -bent - k * v * v]]
    ).transpose(2, 0, 1)
    side = (
        np.stack([[cr + 0 * u, sr + 0 * u, -u], [-sr + 0 * u, cr + 0 * u, -v]]).transpose(2, 0, 1)
        / depth[:, None, None]
    )
    by_view = by_uv @ side
    # x, up and ahead by the point
    turned = np.array([[c, s, 0.0], [-s * st, c * st, ct], [-s * ct, c * ct, -st]])
    by_point = by_view @ turned

    by_camera = np.zeros((len(points), 2, SIZE))
    by_camera[:, :, FOCAL] = pixels - (camera[CX], camera[CY])
    by_camera[:, :, TILT] = by_view[:, :, 1] * ahead[:, None] - by_view[:, :, 2] * up[:, None]
    by_camera[:, :, ROLL] = by_uv[:, :, 0] * v[:, None] - by_uv[:, :, 1] * u[:, None]
    by_camera[:, :, HEIGHT] = -height * by_point[:, :, 2]
    by_camera[:, 0, BEND], by_camera[:, 1, BEND] = focal * u * r2, -focal * v * r2
    by_camera[:, 0, CX] = by_camera[:, 1, CY] = 1.0
    by_camera[:, :, YAW] = (
        by_view @ np.array([0.0, -st, -ct]) * x[:, None] + by_view[:, :, 0] * y[:, None]
    )
    by_camera[:, :, X], by_camera[:, :, Y] = -by_point[:, :, 0], -by_point[:, :, 1]
    return pixels, by_camera, by_point, ahead


def unproject(camera: Floats, pixels: Floats, heights: Floats) -> Floats:
    """The points (..., n, 2) at these heights (n,) that appear at these pixels (n, 2), for one
    camera (SIZE,) or for many (..., SIZE). Rays that never come down go far away.
    """
    bend, cx, cy, px, py = (camera[..., i, None] for i in (BEND, CX, CY, X, Y))
    focal = np.exp(camera[..., FOCAL, None])
    x, y = (pixels[:, 0] - cx) / focal, -(pixels[:, 1] - cy) / focal
    u, v = x, y
    for _ in range(6):  # undo the bend: it is small, so this converges at once
        bent = np.maximum(1.0 + bend * (u * u + v * v), 0.3)
        u, v = x / bent, y / bent
    ct, cr, c = (np.cos(camera[..., i, None]) for i in (TILT, ROLL, YAW))
    st, sr, s = (np.sin(camera[..., i, None]) for i in (TILT, ROLL, YAW))
    side, up = cr * u - sr * v, sr * u + cr * v
    out, down = ct + up * st, np.minimum(up * ct - st, -_NO_LOWER)
    reach = (heights - np.exp(camera[..., HEIGHT, None])) / down
    side, out = side * reach, out * reach
    return np.stack([px + c * side - s * out, py + s * side + c * out], axis=-1)


class Frame(NamedTuple):
    """Where points of one plan are on another: turned (radians), then shifted (mm)."""

    turn: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)

    def on(self, points: Floats) -> Floats:
        """The points (..., 2) on the other plan."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        return np.asarray(points @ np.array([[c, s], [-s, c]]) + np.array(self.shift))

    @classmethod
    def laying(cls, here: Floats, there: Floats) -> Frame:
        """The frame that lays points (k, 2) on others as well as it can be (Kabsch
        1976).
        """
        a, b = here - here.mean(axis=0), there - there.mean(axis=0)
        turn = math.atan2(
            float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum())
        )
        shift = there.mean(axis=0) - cls(turn).on(here.mean(axis=0))
        return cls(turn, (float(shift[0]), float(shift[1])))
