"""Where several cameras stood that saw the same roads, and where these lie: all solved at once
(bundle adjustment, Triggs, McLauchlan, Hartley and Fitzgibbon 2000).

A camera that looks at roads of known length from one side is known to some degrees of tilt only,
and a wrong number of discs bends it further. From two sides every end is a point in space.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sim.bodies import Floats
from sim.photo import camera as cameras
from sim.photo.camera import Camera
from sim.photo.descent import descended

_TAP = 0.0018  # of the longer side of a photo: how far an end is off in it, 1 sigma
_HIGH = 4.0  # mm: how far an end is off the height that its discs give, 1 sigma
_TAILS = 3.0  # degrees of freedom of Student's t, by which both may be outliers
_STEPS, _SETTLED = 40, 1e-5
_ROAD = 5  # unknowns of a road: x, y, direction and the heights of both ends


@dataclass(frozen=True)
class Sighting:
    """What one photo shows of the roads: their ends (n, 2, 2) in pixels, nan where it does not show
    them, its longer side in pixels, and its camera, with what is believed of it (SIZE,) and how far
    that may be off (SIZE,), 1 sigma.
    """

    ends: Floats
    side: float
    camera: Camera
    believed: Floats
    off: Floats


def bundled(views: Sequence[Sighting], tips: Floats, length: float) -> tuple[list[Camera], Floats]:
    """The cameras of these views, and where the roads lie, tips (n, 2, 3) in mm: first guesses as
    given, the heights by their discs; a road is `length` mm long.
    """
    count = len(views) * cameras.SIZE
    begin = [*(view.camera.vector for view in views)]
    along = tips[:, 1] - tips[:, 0]
    roads = np.stack(
        [
            *tips[:, 0, :2].T, np.arctan2(along[:, 1], along[:, 0]), tips[:, 0, 2], tips[:, 1, 2],
        ],
        axis=1,
    )  # fmt: skip
    discs = tips[:, :, 2].copy()
    vector = np.concatenate([*begin, roads.ravel()])
    vector, _ = descended(
        vector,
        lambda at: _rows(views, at, discs, length),
        _cost,
        _normal,
        steps=_STEPS,
        enough=lambda was, now: was - now < _SETTLED * was,
    )
    found = [Camera.of(one) for one in vector[:count].reshape(len(views), -1)]
    points, _ = _points(vector[count:].reshape(-1, _ROAD), length)
    return found, points


def _points(roads: Floats, length: float) -> tuple[Floats, Floats]:
    """The tips (n, 2, 3) of roads (n, 5), and their derivatives by these numbers (n, 2, 3, 5)."""
    x, y, way, low, high = roads.T
    rise = high - low
    run = np.sqrt(np.maximum(length**2 - rise**2, 1.0))
    c, s, less = np.cos(way), np.sin(way), -rise / run
    tips = np.stack(
        [np.stack([x, y, low], axis=1), np.stack([x + run * c, y + run * s, high], axis=1)], axis=1
    )
    by = np.zeros((len(roads), 2, 3, _ROAD))
    by[:, :, 0, 0] = by[:, :, 1, 1] = by[:, 0, 2, 3] = by[:, 1, 2, 4] = 1.0
    by[:, 1, 0, 2], by[:, 1, 1, 2] = -run * s, run * c
    by[:, 1, 0, 3], by[:, 1, 1, 3] = -less * c, -less * s
    by[:, 1, 0, 4], by[:, 1, 1, 4] = less * c, less * s
    return tips, by


def _rows(
    views: Sequence[Sighting], vector: Floats, discs: Floats, length: float
) -> tuple[Floats, Floats]:
    """Residuals in sigmas (m,), and their derivatives by the unknowns (m, size)."""
    size, many = cameras.SIZE, len(views) * cameras.SIZE
    roads = vector[many:].reshape(-1, _ROAD)
    tips, by_road = _points(roads, length)
    rows, slopes = [], []
    for number, view in enumerate(views):
        mine = slice(number * size, (number + 1) * size)
        pixels, by_camera, by_point, _ = cameras.project(vector[mine], tips.reshape(-1, 3))
        sigma = _TAP * view.side
        off = (pixels - view.ends.reshape(-1, 2)) / sigma
        seen = np.isfinite(off).all(axis=1)
        by = np.zeros((len(off), 2, len(vector)))
        by[:, :, mine] = by_camera / sigma
        chained = by_point @ by_road.reshape(-1, 3, _ROAD) / sigma
        for end in range(len(off)):
            at = many + _ROAD * (end // 2)
            by[end, :, at : at + _ROAD] = chained[end]
        rows.append(off[seen].ravel())
        slopes.append(by[seen].reshape(-1, len(vector)))
        rows.append((vector[mine] - view.believed) / view.off)
        own = np.zeros((size, len(vector)))
        own[range(size), range(mine.start, mine.stop)] = 1.0 / view.off
        slopes.append(own)
    rows.append(((roads[:, 3:] - discs) / _HIGH).ravel())
    high = np.zeros((2 * len(roads), len(vector)))
    for end in range(2 * len(roads)):
        high[end, many + _ROAD * (end // 2) + 3 + end % 2] = 1.0 / _HIGH
    slopes.append(high)
    return np.concatenate(rows), np.concatenate(slopes)


def _cost(linear: tuple[Floats, Floats]) -> float:
    rows, _ = linear
    return float(((_TAILS + 1.0) * np.log1p(rows**2 / _TAILS)).sum())


def _normal(linear: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """The normal matrix and the gradient, with the weights that Student's t gives."""
    rows, by = linear
    weighted = by * ((_TAILS + 1.0) / (_TAILS + rows**2))[:, None]
    return weighted.T @ by + 1e-12 * np.eye(by.shape[1]), weighted.T @ rows
