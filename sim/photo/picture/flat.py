"""The picture round a road, flattened onto its top face, and how strong the edges in it are.

There a road has one shape and size wherever the camera stands: 110 by 9 mm with round ends, say. It
has a thickness, too, so its under face shows beyond the sides that the camera sees, and its outline
counts there as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from rules.errors import UnavailableError
from sim.installing import install
from sim.photo.solution.camera import Camera
from sim.photo.solution.scene import Floats

__all__ = ["STEP", "Flat", "Photo", "flattened", "opencv", "seen"]

Pixels = npt.NDArray[np.uint8]

STEP = 0.25
"""The size of a pixel of the flattened picture, mm."""

_FINEST = 4.0  # pixels a mm; a finer photo is made smaller first
_SMOOTH = 0.7  # pixels, 1 sigma: against the noise of the camera
# the place of a pixel in the photo is a polynomial, found from so many points a side
_DEGREE, _FEW = (
    5,
    8,
)


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo to look at: its pixels (h, w, 3), smoothed, and how much smaller it is than the image
    that was marked.
    """

    pixels: Pixels
    scale: float

    @classmethod
    def of(cls, pixels: Pixels, pixels_a_mm: float) -> Photo:
        """A photo (h, w, 3) on which a millimetre takes so many pixels. Raises UnavailableError
        without OpenCV.
        """
        cv2, scale = opencv(), min(1.0, _FINEST / max(pixels_a_mm, 1e-6))
        if scale < 1.0:
            size = (max(round(pixels.shape[1] * scale), 1), max(round(pixels.shape[0] * scale), 1))
            pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        return cls(cv2.GaussianBlur(pixels, (0, 0), _SMOOTH), scale)


@dataclass(frozen=True, slots=True)
class Flat:
    """Slopes of the colours round a road, in levels a mm: the sums over the colours of the products
    along-along, along-aside and aside-aside, each (rows, columns). `zero` is the row and column of
    the road's middle. Rows go along the road, columns aside. `under` is by how much the under face
    is seen shifted, in mm along and aside.
    """

    along: Floats
    mixed: Floats
    aside: Floats
    zero: tuple[int, int]
    under: tuple[float, float]

    def across(self, places: Floats, normals: Floats) -> Floats:
        """How steep the picture is at places (..., 2) in mm across edges with these normals (...,
        2), in levels a mm.
        """
        index = np.round(places / STEP).astype(np.int64) + np.array(self.zero)
        rows = np.clip(index[..., 0], 0, self.along.shape[0] - 1)
        columns = np.clip(index[..., 1], 0, self.along.shape[1] - 1)
        a, b = normals[..., 0], normals[..., 1]
        square = (
            self.along[rows, columns] * a * a
            + 2 * self.mixed[rows, columns] * a * b
            + self.aside[rows, columns] * b * b
        )
        return np.asarray(np.sqrt(np.maximum(square, 0.0)))


def opencv() -> Any:
    """OpenCV. Raises UnavailableError, with the installing command, without it."""
    try:
        return import_module("cv2")
    except ImportError as error:
        raise UnavailableError(
            "the ends of roads are found in the picture by OpenCV, which is not installed: "
            f"{install('photo')}"
        ) from error


@dataclass(frozen=True, slots=True)
class _Frame:
    """The middle of a road's top face (3,) in mm, and unit vectors along it, aside and up."""

    middle: Floats
    along: Floats
    aside: Floats
    up: Floats

    @classmethod
    def of(cls, tips: Floats) -> _Frame:
        along = (tips[1] - tips[0]) / np.linalg.norm(tips[1] - tips[0])
        aside = np.array([-along[1], along[0], 0.0]) / max(math.hypot(along[0], along[1]), 1e-9)
        return cls(tips.mean(axis=0), along, aside, np.cross(along, aside))

    def points(self, places: Floats) -> Floats:
        """Places (..., 2) along and aside as points (..., 3) of the table."""
        return np.asarray(self.middle + places[..., :1] * self.along + places[..., 1:] * self.aside)


def flattened(
    photo: Photo, camera: Camera, tips: Floats, thick: float, reach: tuple[float, float]
) -> Flat:
    """The picture round a road from tip to tip (2, 3) that is `thick` mm, as far as `reach` in mm
    along and aside.
    """
    cv2, frame = opencv(), _Frame.of(tips)
    counts = [round(far / STEP) for far in reach]
    at = _seen_at(
        camera, frame, [np.linspace(-count * STEP, count * STEP, 2 * count + 1) for count in counts]
    )
    where = (at * photo.scale - 0.5).astype(np.float32)
    flat = cv2.remap(
        photo.pixels,
        where[..., 0],
        where[..., 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    flat = cv2.GaussianBlur(flat.astype(np.float32), (0, 0), 1.0)
    along, aside = np.gradient(flat, STEP, axis=(0, 1))
    eye = np.array([*camera.at, camera.height]) - frame.middle
    share = thick / (max(float(eye @ frame.up), thick) + thick)
    under = (share * float(eye @ frame.along), share * float(eye @ frame.aside))
    return Flat(
        (along**2).sum(-1),
        (along * aside).sum(-1),
        (aside**2).sum(-1),
        (counts[0], counts[1]),
        under,
    )


def seen(camera: Camera, tips: Floats, places: Floats) -> Floats:
    """Where places (n, 2) along and aside of the middle of a road, in mm, appear in the photo (n,
    2).
    """
    return camera.project(_Frame.of(tips).points(places))


def _seen_at(camera: Camera, frame: _Frame, axes: Sequence[Floats]) -> Floats:
    """Where the points of a flat grid appear (rows, columns, 2): a polynomial through a few of them
    is exact and quick.
    """
    x, y = (np.asarray(axis / axis[-1]) for axis in axes)
    coarse = np.cos(np.linspace(0.0, math.pi, _FEW))
    few = np.stack(np.meshgrid(coarse, coarse, indexing="ij"), axis=-1).reshape(-1, 2)
    pixels = camera.project(frame.points(few * (axes[0][-1], axes[1][-1])))
    powers = [(i, j) for i in range(_DEGREE + 1) for j in range(_DEGREE + 1 - i)]
    by, *_ = np.linalg.lstsq(
        np.stack([few[:, 0] ** i * few[:, 1] ** j for i, j in powers], axis=1), pixels, rcond=None
    )
    found = np.zeros((len(x), len(y), 2))
    for (i, j), part in zip(powers, by, strict=True):
        found += np.multiply.outer(np.outer(x**i, y**j), part)
    return found
