"""Bodies and films as the browser's scene wants them: meshes with vertex colours, poses as
sixteen-bit numbers in base64.

A pose is six int16: x, y, z in units of `UNIT` mm, then x, y, z of the quaternion whose w is not
negative. That is 0.016 mm and some thousandths of a degree, below anything that can be seen, at 16
bytes of text a pose.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from shutoko.export.rendering.scene import body_colours
from shutoko.export.rendering.shapes import Mesh, mesh_of
from sim.bodies import Body, Box, Cylinder, Kind, Pose

UNIT = 1 / 32
"""Millimetres; int16 then reaches a metre to each side."""

ABSENT = -32768
"""In the place of x: the piece is not there in that frame."""

_STRIPE = 0.3  # of a road's width
_FRAMES, _POSES = 90, 12_000  # of a film at most: longer ones are shown at fewer frames a second

Floats = npt.NDArray[np.float32]
Shape = tuple[float, str, str, str]
Packed = tuple[dict[str, str], str]
"""Shape keys by body id, and the poses in that order."""


@dataclass(frozen=True, slots=True)
class Film:
    """A film: the shape keys of what moves or is not there throughout, by id; their poses frame by
    frame, in that order; the seconds between two frames, how many frames there are, and one body
    for each of the shapes.
    """

    keys: Mapping[str, str]
    poses: str
    dt: float
    count: int
    looks: tuple[Body, ...]

    @property
    def seconds(self) -> float:
        """How long it takes."""
        return self.dt * self.count


_LOW, _FALLS = 3.0, 8.0  # mm: down from where it was highest; that far it has fallen


def falls(film: Film) -> list[float]:
    """When (s) pieces of a film that lay there from its beginning start to fall, in order."""
    n = len(film.keys)
    if not n:
        return []
    poses = np.frombuffer(base64.b64decode(film.poses), dtype="<i2").reshape(-1, n, 6)
    height = poses[:, :, 2].astype(np.float32) * UNIT
    there = poses[:, :, 0] != ABSENT
    found = []
    for k in np.flatnonzero(there.all(axis=0)):
        below = np.maximum.accumulate(height[:, k]) - height[:, k]
        fallen = np.flatnonzero(below > _FALLS)
        if len(fallen):
            before = np.flatnonzero(below[: fallen[0]] < _LOW)
            found.append(float(before[-1] if len(before) else 0) * film.dt)
    return sorted(found)


def key_of(body: Body) -> str:
    """The key of a body's shape: bodies that look alike have the same one."""
    size = (
        body.shape.size if isinstance(body.shape, Box) else (body.shape.radius, body.shape.height)
    )
    owner = body.owner if body.kind in ("road", "car") else None
    return f"{body.kind} {' '.join(f'{number:g}' for number in size)} {owner} {int(body.junction)}"


def shapes(bodies: Sequence[Body]) -> dict[str, Shape]:
    """For each key its triangles: the mm of one unit, then in base64 corners (int16, units),
    normals (int8, 127 is 1) and colours (uint8, sRGB).
    """
    return {
        key_of(body): _shape(body.kind, body.shape, body.owner, body.junction) for body in bodies
    }


def shown(bodies: Sequence[Body]) -> Packed:
    """The bodies by id with their keys, and their poses."""
    return {body.id: key_of(body) for body in bodies}, packed_poses([body.pose for body in bodies])


def packed_poses(poses: Sequence[Pose]) -> str:
    """The poses in base64."""
    return _text(_numbers(poses))


def film(frames: Sequence[Sequence[Body]], fps: float = 20.0) -> Film | None:
    """The frames as a film of less than 200 KiB, whatever moves in it; None where nothing does."""
    tables = [{body.id: body for body in frame} for frame in frames]
    every = {name: body for table in tables for name, body in table.items()}
    first = tables[0]
    moving = [
        name
        for name in every
        if any(
            name not in table or name not in first or table[name].pose != first[name].pose
            for table in tables
        )
    ]
    if not moving:
        return None
    count = min(len(tables), _FRAMES, max(2, _POSES // len(moving)))
    dt = (len(tables) - 1) / (count - 1) / fps
    tables = [tables[n] for n in np.rint(np.linspace(0, len(tables) - 1, count)).astype(int)]
    out = np.empty((len(tables), len(moving), 6), dtype=np.int16)
    for n, table in enumerate(tables):
        out[n] = _numbers(
            [table[name].pose if name in table else every[name].pose for name in moving]
        ).reshape(-1, 6)
        out[n, [name not in table for name in moving], 0] = ABSENT
    looks = {key_of(every[name]): every[name] for name in moving}
    return Film(
        {name: key_of(every[name]) for name in moving}, _text(out), dt, count, tuple(looks.values())
    )


def _numbers(poses: Sequence[Pose]) -> npt.NDArray[np.int16]:
    if not poses:
        return np.empty((0, 6), dtype=np.int16)
    numbers = np.array([(*pose.at, *pose.quat) for pose in poses])
    numbers[:, 3:] *= np.where(numbers[:, 6:] < 0, -1.0, 1.0)
    scaled = np.concatenate([numbers[:, :3] / UNIT, numbers[:, 3:6] * 32767], axis=1)
    return np.asarray(np.clip(np.rint(scaled), -32767, 32767), dtype=np.int16)


def _text(numbers: npt.NDArray[np.int16]) -> str:
    return base64.b64encode(numbers.astype("<i2").tobytes()).decode("ascii")


@lru_cache(maxsize=256)
def _shape(kind: Kind, shape: Box | Cylinder, owner: int | None, junction: bool) -> Shape:
    corners, normals, colours = painted(
        Body("", kind, shape, Pose((0.0, 0.0, 0.0)), 1.0, 0.0, owner, junction)
    )
    scale = float(np.abs(corners).max()) / 32767
    parts = (
        np.rint(corners / scale).astype("<i2"),
        np.rint(normals * 127).astype(np.int8),
        np.rint(np.clip(colours, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8),
    )
    texts = [base64.b64encode(part.tobytes()).decode("ascii") for part in parts]
    return scale, texts[0], texts[1], texts[2]


def painted(body: Body) -> tuple[Floats, Floats, Floats]:
    """Corners, normals and linear colours of a body's triangles, (n, 3, 3) each; a road has its
    owner's stripe on top.
    """
    mesh = mesh_of(body.kind, body.shape)
    corners, normals, colours = mesh.corners, mesh.normals, body_colours(body, mesh)
    if body.kind == "road" and isinstance(body.shape, Box):
        length, width, height = body.shape.size
        x, y, z = length / 2 - width / 2, _STRIPE * width / 2, height / 2 + 0.04
        quad = np.array([(-x, -y, z), (x, -y, z), (x, y, z), (-x, y, z)], dtype=np.float32)[
            [[0, 1, 2], [0, 2, 3]]
        ]
        # the owner's colour
        flank = body_colours(replace(body, kind="car"), Mesh(quad, quad, np.zeros(2, np.int8)))
        corners = np.concatenate([corners, quad])
        normals = np.concatenate(
            [normals, np.broadcast_to(np.array((0, 0, 1), dtype=np.float32), (2, 3, 3))]
        )
        colours = np.concatenate([colours, flank])
    return corners, normals, colours
