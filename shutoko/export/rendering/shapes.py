"""The triangles a picture draws for each piece, with the details that physics leaves out: bevels,
round road ends, wheels.

Every mesh stays inside its body's shape and touches it where pieces touch each other, so that
nothing floats or sinks in.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sim.bodies import Box, Cylinder, Kind

Floats = npt.NDArray[np.float32]

# faces that meet at a flatter angle are shaded as one curved surface
_SMOOTH = math.cos(math.radians(50.0))
# of a quarter of a circle, at corners
_DISC_STEPS, _ROAD_STEPS, _CAR_STEPS, _WHEEL_STEPS, _BLOCK_STEPS, _FINGER_STEPS = 11, 6, 3, 4, 2, 6


class Paint(IntEnum):
    """What a triangle is painted with; PIECE is the piece's own colour and texture."""

    PIECE = 0
    GLASS = 1
    TYRE = 2
    HUB = 3


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles in the body's frame (mm): corners and unit normals of shape (n, 3, 3), one Paint
    number per triangle (n,).
    """

    corners: Floats
    normals: Floats
    paints: npt.NDArray[np.int8]


_Ring = npt.NDArray[np.float64]


@lru_cache(maxsize=64)
def mesh_of(kind: Kind, shape: Box | Cylinder) -> Mesh:
    """The mesh of a piece of that kind: a bevelled cylinder, a stick with round ends, a car with
    wheels, a bevelled block; of a tool of the hand a capsule, or two prongs.
    """
    if isinstance(shape, Cylinder) and kind == "finger":
        return _joined([_capsule(shape.radius, shape.height)])
    if isinstance(shape, Cylinder) and kind == "tweezers":
        return _joined([_prong(shape.radius, shape.height, side) for side in (-1.0, 1.0)])
    if isinstance(shape, Cylinder):
        size = (2 * shape.radius, 2 * shape.radius, shape.height)
        return _joined([_slab(size, shape.radius, min(0.7, 0.1 * shape.height), _DISC_STEPS)])
    length, width, height = shape.size
    if kind == "road":
        return _joined([_slab(shape.size, min(length, width) / 2, 0.15 * height, _ROAD_STEPS)])
    if kind == "car":
        return _joined(_car(length, width, height))
    return _joined([_slab(shape.size, 0.03 * min(length, width), 0.01 * height, _BLOCK_STEPS)])


def _outline(length: float, width: float, radius: float, steps: int) -> _Ring:
    """A rectangle with round corners, counter-clockwise, (n, 2); a radius of half the width makes a
    stadium or a circle.
    """
    angles = np.linspace(0.0, math.pi / 2, steps + 1)
    arc = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    x, y = length / 2 - radius, width / 2 - radius
    quarters = [
        arc + np.array((x, y)),
        arc[:, ::-1] * (-1, 1) + np.array((-x, y)),
        -arc + np.array((-x, -y)),
        arc[:, ::-1] * (1, -1) + np.array((x, -y)),
    ]
    return np.concatenate(quarters)


def _ring(
    length: float,
    width: float,
    radius: float,
    z: float,
    steps: int,
    inset: float = 0.0,
    x: float = 0.0,
) -> _Ring:
    """An outline shrunk by `inset` at height `z`, moved along x, (n, 3)."""
    flat = _outline(
        length - 2 * inset, width - 2 * inset, max(radius - inset, 0.0), steps
    ) + np.array((x, 0.0))
    return np.column_stack([flat, np.full(len(flat), z)])


def _slab(
    size: tuple[float, float, float], radius: float, bevel: float, steps: int
) -> tuple[_Ring, npt.NDArray[np.int8]]:
    """A block whose upper edge is chamfered by `bevel` and shaded as if it were round."""
    length, width, height = size
    # None below: a gap under the rim would be a hair-thin black line in the picture.
    profile = [(-height / 2, 0.0), (height / 2 - bevel, 0.0), (height / 2, bevel)]
    rings = [_ring(length, width, radius, z, steps, inset) for z, inset in profile]
    return _loft(rings, [Paint.PIECE] * (len(rings) + 1))


def _capsule(radius: float, height: float) -> tuple[_Ring, npt.NDArray[np.int8]]:
    """An upright rod with round ends."""
    angles = np.linspace(-math.pi / 2, math.pi / 2, 2 * _FINGER_STEPS + 1)[1:-1]
    rings = []
    for angle in angles:
        r, end = (
            radius * math.cos(angle),
            math.copysign(height / 2 - radius, angle) if abs(angle) > 1e-9 else 0.0,
        )
        rings.append(_ring(2 * r, 2 * r, r, end + radius * math.sin(angle), _FINGER_STEPS))
    return _loft(rings, [Paint.PIECE] * (len(rings) + 1))


def _prong(radius: float, height: float, side: float) -> tuple[_Ring, npt.NDArray[np.int8]]:
    """One of two thin legs that touch at the tip and at the top and stand apart between."""
    rings = []
    for share in (0.0, 0.15, 0.6, 1.0):
        apart = 0.5 * radius if share == 0.6 else 0.25 * radius
        flat = _outline(
            0.4 * radius, (0.4 + share) * radius, 0.05 * radius, _BLOCK_STEPS
        ) + np.array((side * apart, 0.0))
        rings.append(np.column_stack([flat, np.full(len(flat), (share - 0.5) * height)]))
    return _loft(rings, [Paint.PIECE] * (len(rings) + 1))


def _car(length: float, width: float, height: float) -> list[tuple[_Ring, npt.NDArray[np.int8]]]:
    """A small car that drives along +x: body, cabin with windows all round, four wheels on the
    ground.
    """
    ground, r = -height / 2, 0.3 * width
    body = [
        _ring(length, width, r, ground + 0.12 * height, _CAR_STEPS, 0.08 * width),
        _ring(length, width, r, ground + 0.22 * height, _CAR_STEPS),
        _ring(length, width, r, ground + 0.46 * height, _CAR_STEPS),
        _ring(length, width, r, ground + 0.56 * height, _CAR_STEPS, 0.03 * width),
        _ring(length, width, r, ground + 0.60 * height, _CAR_STEPS, 0.09 * width),
    ]
    aft = -0.07 * length
    cabin = [
        _ring(0.66 * length, 0.86 * width, 0.7 * r, ground + 0.56 * height, _CAR_STEPS, x=aft),
        _ring(0.63 * length, 0.84 * width, 0.7 * r, ground + 0.62 * height, _CAR_STEPS, x=aft),
        _ring(0.45 * length, 0.72 * width, 0.6 * r, ground + 0.90 * height, _CAR_STEPS, x=aft),
        _ring(0.43 * length, 0.70 * width, 0.6 * r, ground + 0.96 * height, _CAR_STEPS, x=aft),
        _ring(0.37 * length, 0.60 * width, 0.5 * r, ground + 1.00 * height, _CAR_STEPS, x=aft),
    ]
    parts = [
        _loft(body, [Paint.PIECE] * 6),
        _loft(
            cabin, [Paint.PIECE, Paint.PIECE, Paint.GLASS, Paint.PIECE, Paint.PIECE, Paint.PIECE]
        ),
    ]
    wheel, thick = 0.21 * height, 0.16 * width
    for x in (-0.3 * length, 0.3 * length):
        for side in (-1.0, 1.0):
            tyre = [
                _ring(2 * wheel, 2 * wheel, wheel, z, _WHEEL_STEPS) for z in (-thick / 2, thick / 2)
            ]
            hub = [
                _ring(wheel, wheel, wheel / 2, z, _WHEEL_STEPS)
                for z in (0.0, thick / 2 + 0.01 * width)
            ]
            for rings, paint in ((tyre, Paint.TYRE), (hub, Paint.HUB)):
                # Axis z becomes the car's +y or -y: outside is where the wheel's top was.
                placed = [ring[:, [0, 2, 1]] * (-side, side, 1.0) for ring in rings]
                centre = (x, side * (width / 2 - thick / 2 - 0.01 * width), ground + wheel)
                parts.append(_loft([ring + centre for ring in placed], [paint] * 3))
    return parts


def _loft(rings: Sequence[_Ring], paints: Sequence[Paint]) -> tuple[_Ring, npt.NDArray[np.int8]]:
    """A skin over rings of equal length plus a fan over the first and the last; paints: first cap,
    bands, last cap.
    """
    n = len(rings[0])
    ahead = np.roll(np.arange(n), -1)
    faces = [
        np.stack([np.broadcast_to(rings[0].mean(0), (n, 3)), rings[0][ahead], rings[0]], axis=1)
    ]
    counts = [n]
    for low, high in pairwise(rings):
        faces.append(np.stack([low, low[ahead], high[ahead]], axis=1))
        faces.append(np.stack([low, high[ahead], high], axis=1))
        counts.append(2 * n)
    faces.append(
        np.stack([np.broadcast_to(rings[-1].mean(0), (n, 3)), rings[-1], rings[-1][ahead]], axis=1)
    )
    counts.append(n)
    return np.concatenate(faces), np.repeat(np.array(paints, dtype=np.int8), counts)


def _joined(parts: Sequence[tuple[_Ring, npt.NDArray[np.int8]]]) -> Mesh:
    """The parts as one mesh, each smoothed by itself."""
    corners, normals, paints = [], [], []
    for part, paint in parts:
        cross = np.cross(part[:, 1] - part[:, 0], part[:, 2] - part[:, 0])
        area = np.linalg.norm(cross, axis=1)
        kept = area > 1e-9  # an outline with a radius of 0 has corners of no size
        corners.append(part[kept])
        normals.append(_smoothed(part[kept], cross[kept], area[kept]))
        paints.append(paint[kept])
    return Mesh(
        np.concatenate(corners).astype("f4"),
        np.concatenate(normals).astype("f4"),
        np.concatenate(paints),
    )


def _smoothed(corners: _Ring, cross: _Ring, area: npt.NDArray[np.float64]) -> _Ring:
    """Normals per corner: the mean, weighted by area, of the faces that meet there at a flat
    angle.
    """
    unit = cross / area[:, None]
    result = np.repeat(unit[:, None], 3, axis=1)
    _, where = np.unique(np.round(corners.reshape(-1, 3), 5), axis=0, return_inverse=True)
    order = np.argsort(where, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(where[order])) + 1):
        faces = group // 3
        near = (unit[faces] @ unit[faces].T > _SMOOTH) * area[faces]
        mean = near @ unit[faces]
        result[faces, group % 3] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
    return result
