"""The pieces of a box as STL (binary, millimetres, z up), for printers and for other programs."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from rules.near import meant
from sim.bodies import Box, Cylinder
from sim.pieces import Components

_SIDES = 180
_APART = 5.0  # mm between two pieces
Triangles = npt.NDArray[np.float64]


def pieces(box: Components) -> Mapping[str, Box | Cylinder]:
    """The shapes of a box by their names: road, disc, car and the buildings."""
    return {
        "road": Box((box.road_length, box.road_width, box.road_thickness)),
        "disc": Cylinder(box.disc_radius, box.disc_height),
        "car": Box((box.car_length, box.car_width, box.car_height)),
        **{name: building.shape for name, building in box.buildings.items()},
    }


def stl(box: Components, piece: str | None = None) -> bytes:
    """A piece standing on z = 0, or all of them side by side. Raises InputError for a piece that
    the box has not.
    """
    known = pieces(box)
    if piece is not None and piece not in known:
        raise InputError(
            f"the box {box.name} has no piece {piece!r}; choose from "
            f"{', '.join(known)}{meant(piece, known)}"
        )
    parts: list[Triangles] = []
    left = 0.0
    for name, shape in known.items():
        if piece in (None, name):
            triangles = _triangles(shape)
            low, high = triangles.min((0, 1)), triangles.max((0, 1))
            parts.append(triangles - [low[0] - left if piece is None else 0.0, 0.0, low[2]])
            left += high[0] - low[0] + _APART
    return _binary(np.concatenate(parts), f"{box.name} {piece or 'all pieces'}, mm")


def _triangles(shape: Box | Cylinder) -> Triangles:
    """A closed surface of triangles (n, 3, 3), seen from outside counter-clockwise, around the
    origin.
    """
    if isinstance(shape, Box):
        x, y, z = (edge / 2 for edge in shape.size)
        rim = np.array([(-x, -y), (x, -y), (x, y), (-x, y)])
    else:
        # as wide as makes the area, and so the volume, that of the circle
        area = _SIDES * math.sin(2 * math.pi / _SIDES) / (2 * math.pi)
        angles = 2 * math.pi * np.arange(_SIDES) / _SIDES
        rim = shape.radius / math.sqrt(area) * np.stack([np.cos(angles), np.sin(angles)], 1)
        z = shape.height / 2
    count = len(rim)
    low, high = (np.concatenate([rim, np.full((count, 1), level)], 1) for level in (-z, z))
    after = np.roll(np.arange(count), -1)
    fan = [(0, k, k + 1) for k in range(1, count - 1)]
    faces = [
        *(np.array([low[k], low[after[k]], high[after[k]]]) for k in range(count)),
        *(np.array([low[k], high[after[k]], high[k]]) for k in range(count)),
        *(high[list(corners)] for corners in fan),
        *(low[list(corners[::-1])] for corners in fan),
    ]
    return np.array(faces)


def _binary(triangles: Triangles, title: str) -> bytes:
    """The file: 80 bytes of title, the number of triangles, and each with its normal."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    rows = np.zeros(
        len(triangles),
        dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attributes", "<u2")],
    )
    rows["normal"], rows["corners"] = normals, triangles
    return (
        title.encode("ascii", "replace")[:80].ljust(80)
        + struct.pack("<I", len(triangles))
        + rows.tobytes()
    )
