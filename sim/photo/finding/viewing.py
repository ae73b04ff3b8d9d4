"""Where the camera of a photo stood, from roads whose heights are known only roughly."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sim.photo import camera as cameras
from sim.photo.camera import Camera
from sim.photo.finding.roads import LIFT, Road
from sim.photo.finding.sticks import Pillars
from sim.photo.marks import ImageSize, MarkedPillar, MarkedRoad, Marks
from sim.photo.scene import Scene
from sim.photo.solving import starts

Floats = npt.NDArray[np.float64]

_MOST = 60  # roads that are used
_FOOT_OFF = 4.0  # mm
_UNREAD = 0.02  # how probable any number of discs is at least
_TILTS, _ROLL = (0.33, 1.4), 0.7  # radians: as people hold a camera


def image_of(pixels: npt.NDArray[np.uint8], focal: float | None) -> ImageSize:
    """The size of a photo."""
    return ImageSize(pixels.shape[1], pixels.shape[0], focal)


def first_cameras(image: ImageSize, roads: list[Road], step: float, box: str) -> list[Camera]:
    """Cameras that may see these roads at their length, the likeliest first."""
    size = np.array([image.width, image.height], dtype=np.float64)
    marked, tall = [], []
    for number, road in enumerate(roads[:_MOST]):
        both = np.clip((road.at + 0.5) * step, 0.0, size)
        marked.append(
            MarkedRoad(
                f"A-R{number}",
                0,
                f"A-P{2 * number}",
                f"A-P{2 * number + 1}",
                ((float(both[0, 0]), float(both[0, 1])), (float(both[1, 0]), float(both[1, 1]))),
            )
        )
        tall.append(10.0 * (road.heights + LIFT))
    marks = Marks(
        image=image,
        players=2,
        ruleset="standard",
        options={},
        components=box,
        pillars=tuple(MarkedPillar(f"A-P{n}", 0, 1) for n in range(2 * len(marked))),
        roads=tuple(marked),
    )
    scene = replace(Scene.of(marks), heights=np.array(tall).reshape(-1, 2))
    found = [Camera.of(vector[: cameras.SIZE]) for vector in starts(scene)]
    return [
        one
        for one in found
        if _TILTS[0] < one.tilt < _TILTS[1] and abs(math.remainder(one.roll, math.tau)) < _ROLL
    ]


def feet_off(camera: Camera, pillars: Pillars, step: float) -> float:
    """How badly the feet that are seen lie under the pillars, on average from 0 to 10; each pillar
    may have any number of discs, at a price.
    """
    if not len(pillars) or not len(pillars.feet):
        return 0.0
    many = pillars.odds.shape[1]
    at = np.repeat((pillars.at + 0.5) * step, many, axis=0)
    middle = camera.ground(at, np.tile(10.0 * np.arange(1, many + 1), len(pillars)))
    there = camera.ground((pillars.feet + 0.5) * step, np.zeros(len(pillars.feet)))
    away = np.sqrt(((middle[:, None] - there[None]) ** 2).sum(axis=2)).min(axis=1)
    off = (away.reshape(-1, many) / _FOOT_OFF) ** 2 - 2 * np.log(
        (pillars.odds + _UNREAD) / (pillars.odds.max(axis=1, keepdims=True) + _UNREAD)
    )
    return float(np.minimum(off.min(axis=1), 10.0).mean())
