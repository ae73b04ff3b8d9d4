"""Where to begin: cameras that see roads of the right length, found from many tilts, rolls, heights
and focal lengths at once.

The heights of both ends of a road are known in discs, so a camera says where the ends are in plan,
and how long the road is there. Only four numbers of a camera matter for that. All starts are
improved together; a sheet's sides and diagonals count as roads on the table. A wrong start would
find a mirror table seen from below.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import numpy.typing as npt

from sim.photo.solution import camera as cameras
from sim.photo.solution.camera import FOCAL, HEIGHT, ROLL, TILT
from sim.photo.solution.scene import Scene, moved, sheet_corners

__all__ = ["starts"]

Floats = npt.NDArray[np.float64]

_TILTS = (15.0, 30.0, 45.0, 60.0, 78.0)  # degrees under the horizon
_ROLLS = (0.0, 90.0, 180.0, -90.0)  # photos are stored upright or lying on a side
_FOCALS = (0.7, 1.0, 1.4)  # times the focal length that is guessed
_FREE = (FOCAL, TILT, ROLL, HEIGHT)
_ROUNDS, _STEP = 25, 1e-5
_OFF = 0.04  # by how much the logarithm of a length is off, 1 sigma; outliers count less
_APART = math.radians(4)  # two starts that came nearer to each other than this are one


def starts(scene: Scene, most: int = 4) -> list[Floats]:
    """Vectors of unknowns to begin from, the best first."""
    pixels, heights, lengths = _sticks(scene)
    guessed = _FOCALS if scene.marks.image.focal is None else (1.0,)
    tries = list(product(guessed, np.radians(_TILTS), np.radians(_ROLLS)))
    many = np.tile(scene.camera, (len(tries), 1))
    many[:, FOCAL] += np.log([focal for focal, _, _ in tries])
    many[:, TILT], many[:, ROLL] = [tilt for _, tilt, _ in tries], [roll for _, _, roll in tries]
    for _ in range(2):  # the height from the lengths
        many[:, HEIGHT] -= np.median(_too_long(many, pixels, heights, lengths), axis=1)
    cost = np.zeros(len(many))
    for _ in range(_ROUNDS):
        many, cost = _nearer(scene, many, pixels, heights, lengths)
    found: list[Floats] = []
    for index in np.argsort(cost):
        camera = many[index]
        if 0.0 < camera[TILT] < math.pi / 2 + 0.2 and not any(
            _alike(camera, other) for other in found
        ):
            found.append(camera)
    return [placed(scene, camera) for camera in found[:most]]


def placed(scene: Scene, camera: Floats) -> Floats:
    """The vector of unknowns for a camera, with every road where its marks say."""
    vector = np.zeros(scene.size)
    vector[: cameras.SIZE], vector[cameras.SIZE] = camera, 0.8
    flat = cameras.ground(camera, scene.ends.reshape(-1, 2), scene.heights.reshape(-1)).reshape(
        -1, 2, 2
    )
    along = flat[:, 1] - flat[:, 0]
    turn = np.arctan2(along[:, 1], along[:, 0])
    rise = scene.heights[:, 1] - scene.heights[:, 0]
    half = np.sqrt(np.maximum(scene.length**2 - rise**2, 1.0))[:, None] / 2
    first = flat.mean(axis=1) - half * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    roads = np.concatenate([first, turn[:, None], np.zeros((scene.roads, 2))], axis=1)
    vector[scene.roads_at :] = roads.ravel()
    tips = scene.tips_in_plan(vector)
    pillars = np.zeros((len(scene.marks.pillars), 2))
    for pillar in range(len(pillars)):
        mine = tips[scene.pillar == pillar]
        if len(mine):
            pillars[pillar] = np.median(mine, axis=0)
    topped = cameras.ground(camera, scene.tops, scene.top_heights)
    pillars[scene.top_of] = topped
    vector[scene.pillars_at : scene.roads_at] = pillars.ravel()
    if scene.sheet is not None:
        seen = cameras.ground(camera, scene.sheet, np.zeros(4))
        side = seen[1] - seen[0] + seen[2] - seen[3]
        vector[scene.sheet_at : scene.sheet_at + 3] = (
            *seen.mean(axis=0),
            math.atan2(side[1], side[0]),
        )
    return _on_known(scene, vector)


def _on_known(scene: Scene, vector: Floats) -> Floats:
    """Turned and shifted so that the known pillars are where they are known to be; the camera goes
    with the table.
    """
    if len(scene.known) == 0:
        return vector
    here, there = scene.pillars_in(vector)[scene.known_of], scene.known
    a, b = here - here.mean(axis=0), there - there.mean(axis=0)
    turn = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    return moved(scene, vector, turn, here.mean(axis=0), there.mean(axis=0))


def _sticks(scene: Scene) -> tuple[Floats, Floats, Floats]:
    """What has a known length in plan: pixels (m, 2, 2), heights (m, 2) and lengths (m,) of roads
    and of the sheet.
    """
    rise = scene.heights[:, 1] - scene.heights[:, 0]
    lengths = np.sqrt(np.maximum(scene.length**2 - rise**2, 1.0))
    if scene.sheet is None:
        return scene.ends, scene.heights, lengths
    pairs = np.array([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)])
    corners = sheet_corners(scene)
    sides = np.linalg.norm(corners[pairs[:, 0]] - corners[pairs[:, 1]], axis=1)
    ends = np.concatenate([scene.ends, scene.sheet[pairs]])
    return ends, np.concatenate([scene.heights, np.zeros((6, 2))]), np.concatenate([lengths, sides])


def _too_long(many: Floats, pixels: Floats, heights: Floats, lengths: Floats) -> Floats:
    """The logarithm of how much too long each stick is as each camera sees it, (s, m)."""
    flat = cameras.ground(many, pixels.reshape(-1, 2), heights.reshape(-1))
    flat = flat.reshape(*flat.shape[:-2], -1, 2, 2)
    long = np.linalg.norm(flat[..., 1, :] - flat[..., 0, :], axis=-1)
    too_long: Floats = np.log(np.maximum(long, 1.0) / lengths)
    return too_long


def _nearer(
    scene: Scene, many: Floats, pixels: Floats, heights: Floats, lengths: Floats
) -> tuple[Floats, Floats]:
    """All cameras one step on, and what they cost before it."""
    shifted = np.repeat(many[None], 1 + len(_FREE), axis=0)
    for k, index in enumerate(_FREE):
        shifted[1 + k, :, index] += _STEP
    values = _too_long(shifted, pixels, heights, lengths) / _OFF
    here, by = values[0], np.moveaxis((values[1:] - values[0]) / _STEP, 0, -1)
    focal = (many[:, FOCAL] - scene.camera[FOCAL]) / scene.camera_off[FOCAL]
    cost = np.log1p(here**2).sum(axis=1) + focal**2
    weight = 1.0 / (1.0 + here**2)
    normal = np.einsum("smi,sm,smj->sij", by, weight, by)
    slope = np.einsum("smi,sm->si", by, weight * here)
    normal[:, 0, 0] += scene.camera_off[FOCAL] ** -2
    slope[:, 0] += focal / scene.camera_off[FOCAL]
    damped = normal + np.eye(4) * (
        0.5 + 0.02 * np.trace(normal, axis1=1, axis2=2)[:, None, None] / 4
    )
    step = np.linalg.solve(damped, slope[:, :, None])[:, :, 0]
    step = np.clip(step, -0.25, 0.25)
    after = many.copy()
    after[:, list(_FREE)] -= step
    after[:, TILT] = np.clip(after[:, TILT], 0.05, math.pi / 2 + 0.15)
    return after, cost


def _alike(one: Floats, other: Floats) -> bool:
    turned = math.remainder(one[ROLL] - other[ROLL], math.tau)
    return bool(
        abs(one[TILT] - other[TILT]) < _APART
        and abs(turned) < _APART
        and abs(one[FOCAL] - other[FOCAL]) < 0.1
    )
