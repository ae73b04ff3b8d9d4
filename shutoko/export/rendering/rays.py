"""From rays to light: what the rays of a camera hit, and how much of the lamp and the sky is seen
from there.

Lamp and sky are smoothed over the pixels of the same surface, and pixels on an edge are drawn
again, finer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shutoko.export.rendering.camera import Camera
from shutoko.export.rendering.scene import TABLE_HALF, Floats, Ints, Scene
from shutoko.export.rendering.textures import painted

Pixels = npt.NDArray[np.uint8]
Window = tuple[slice, slice]  # rows, columns

LAMP = np.array((-0.60, -0.36, 0.714))  # a unit vector towards the light
LAMP_RADIUS = 0.065  # tangent of the lamp's half angle: the softness of shadows
_LAMP_LIGHT = np.array((1.00, 0.93, 0.82), dtype="f4") * 1.08
_SKY_LIGHT = np.array((0.52, 0.58, 0.68), dtype="f4") * 0.80
_GROUND_LIGHT = np.array((0.46, 0.36, 0.26), dtype="f4") * 0.70
_BOUNCE = np.float32(0.12)  # the part of the sky's light that reaches a corner by way of its walls
LAMP_REACH = 2000.0  # mm; longer than any shadow
SKY_REACH = 60.0  # mm; what is farther away than this hides no sky
LIFT = 0.03  # mm; rays leave a surface from this far above it
_CHUNK = 1 << 16  # rays shaded at a time, so that temporary arrays stay in the cache
# rays of a pixel on an edge: no two in a row
_FINER = (
    (0.125, 0.625),
    (0.375, 0.125),
    (0.625, 0.875),
    (0.875, 0.375),
)


@dataclass(frozen=True, slots=True)
class Surface:
    """What rays hit: body numbers (n,), how far away in mm (n,), normals and colours (n, 3), gloss
    (n,), and how much lamp and sky is seen (n,).
    """

    body: Ints
    far: Floats
    normal: Floats
    colour: Floats
    gloss: Floats
    haze: Floats
    lamp: Floats
    sky: Floats


def render(scene: Scene, rays: Rays, samples: int, dice: Floats, window: Window) -> Pixels:
    """The pixels of a window of the picture; `dice` (height, width, 4) are uniform numbers, the
    same for each picture.
    """
    rows, columns = window
    shape = rows.stop - rows.start, columns.stop - columns.start
    y, x = (axis.ravel().astype("f4") for axis in np.mgrid[rows, columns])
    dice = dice[window].reshape(-1, 4)
    directions = rays.through(x + np.float32(0.5), y + np.float32(0.5))
    parts = [
        look(scene, rays.eye, directions[part], samples, dice[part])
        for part in _chunks(len(directions))
    ]
    seen = Surface(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in Surface.__slots__)
    )
    lamp, sky = _smooth(seen, shape)
    light = shade(seen, directions, lamp, sky)
    fine = np.flatnonzero(_edges(seen, shape, table=len(scene.kind) - 1))
    light[fine] = 0
    for i, (dx, dy) in enumerate(_FINER):
        for part in _chunks(len(fine)):
            where = fine[part]
            to = rays.through(x[where] + np.float32(dx), y[where] + np.float32(dy))
            again = look(
                scene,
                rays.eye,
                to,
                max(1, samples // 2),
                (dice[where] + np.float32(0.618034 * i)) % 1,
            )
            light[where] += shade(again, to, again.lamp, again.sky) / np.float32(len(_FINER))
    return developed(light).reshape(*shape, 3)


class Rays:
    """Directions through pixels of a picture."""

    def __init__(self, camera: Camera, size: tuple[int, int]) -> None:
        right, up, ahead = camera.axes()
        scale = 2 * math.tan(math.radians(camera.fov) / 2) / size[1]
        self.eye = np.array(camera.eye, dtype="f4")
        self._x, self._y = (right * scale).astype("f4"), (-up * scale).astype("f4")
        self._corner = (ahead - right * scale * size[0] / 2 + up * scale * size[1] / 2).astype("f4")

    def through(self, x: Floats, y: Floats) -> Floats:
        """Unit vectors (n, 3) from the eye through points of the picture, in pixels from its top
        left corner.
        """
        return _unit(self._corner + x[:, None] * self._x + y[:, None] * self._y)


def look(scene: Scene, eye: Floats, rays: Floats, samples: int, dice: Floats) -> Surface:
    """What the rays from the eye hit; `dice` (n, 4) are uniform numbers that turn each pixel's
    pattern of light rays.
    """
    hit = scene.nearest(np.broadcast_to(eye, rays.shape).copy(), rays)
    found = hit["primID"] >= 0
    face = np.where(found, hit["primID"], len(scene.body_of) - 1)
    far = np.where(found, hit["tfar"], np.float32(TABLE_HALF))[:, None]
    u, v = hit["u"][:, None], hit["v"][:, None]
    corners = scene.normals[face]
    normal = _unit(corners[:, 0] * (1 - u - v) + corners[:, 1] * u + corners[:, 2] * v)
    body = scene.body_of[face]
    point = eye + rays * far
    colour, gloss = painted(scene, body, scene.paint_of[face], point, normal)
    start = point + normal * np.float32(LIFT)
    haze = np.hypot(point[:, 0] - scene.centre[0], point[:, 1] - scene.centre[1]) / np.float32(
        scene.radius
    )
    lamp, sky = np.zeros(len(rays), dtype="f4"), np.zeros(len(rays), dtype="f4")
    a, b = _tangents(normal)
    for i in range(samples):
        to_lamp = _unit(
            LAMP.astype("f4")
            + disc(i, samples, dice[:, :2], LAMP_TANGENTS) * np.float32(LAMP_RADIUS)
        )
        lamp += ~scene.blocked(start, to_lamp, LAMP_REACH) / np.float32(samples)
        x, y = _disc_points(i, samples, dice[:, 2:])
        up = np.sqrt(np.maximum(1 - x * x - y * y, 0.0025))
        to_sky = x[:, None] * a + y[:, None] * b + up[:, None] * normal
        sky += ~scene.blocked(start, to_sky, SKY_REACH) / np.float32(samples)
    return Surface(body, far[:, 0], normal, colour, gloss, haze, lamp, sky)


def _disc_points(i: int, of: int, dice: Floats) -> tuple[Floats, Floats]:
    """The i-th of `of` well spread points on the unit disc, one pattern for each row of `dice`."""
    radius = np.sqrt((i + dice[:, 0]) / np.float32(of))
    angle = np.float32(2 * math.pi) * (dice[:, 1] + np.float32(i * 0.618034))
    return radius * np.cos(angle), radius * np.sin(angle)


def disc(i: int, of: int, dice: Floats, axes: tuple[Floats, Floats]) -> Floats:
    """The same points as vectors (n, 3) in the plane of two axes."""
    x, y = _disc_points(i, of, dice)
    return x[:, None] * axes[0] + y[:, None] * axes[1]


def _tangents(normal: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors that make a right-handed frame with each normal, without a branch at the
    pole.
    """
    x, y, z = normal[:, 0], normal[:, 1], normal[:, 2]
    sign = np.where(z >= 0, np.float32(1), np.float32(-1))
    p = -1 / (sign + z)
    q = x * y * p
    first = np.stack([1 + sign * x * x * p, sign * q, -sign * x], axis=1)
    return first, np.stack([q, sign + y * y * p, -y], axis=1)


LAMP_TANGENTS = tuple(t[0] for t in _tangents(LAMP.astype("f4")[None]))


def shade(seen: Surface, rays: Floats, lamp: Floats, sky: Floats) -> Floats:
    """Linear light (n, 3) towards the eye: lamp, sky, light from the table, a highlight; the far
    table fades away.
    """
    towards = np.maximum(seen.normal @ LAMP.astype("f4"), 0) * lamp
    up = (0.5 + 0.5 * seen.normal[:, 2])[:, None]
    around = (_GROUND_LIGHT * (1 - up) + _SKY_LIGHT * up) * (_BOUNCE + (1 - _BOUNCE) * sky[:, None])
    half = _unit(LAMP.astype("f4") - rays)
    shine = np.maximum(np.einsum("ij,ij->i", half, seen.normal), 0) ** 60 * seen.gloss * lamp
    light = seen.colour * (towards[:, None] * _LAMP_LIGHT + around) + shine[:, None] * _LAMP_LIGHT
    fade = np.clip((seen.haze - 1.05) / 2.2, 0, 1)[:, None]
    return np.asarray(light * (1 - 0.55 * fade * fade * (3 - 2 * fade)), dtype="f4")


def _smooth(seen: Surface, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """Lamp and sky, each pixel averaged with neighbours on the same body that face the same way."""
    body, normal = seen.body.reshape(shape), seen.normal.reshape(*shape, 3)
    values = np.stack([seen.lamp, seen.sky], axis=-1).reshape(*shape, 2)
    for step in (1, 2):
        for axis in (0, 1):
            total, weight = values * np.float32(6), np.full(shape, 6, dtype="f4")
            for offset, share in ((step, 4), (2 * step, 1)):
                if offset >= shape[axis]:
                    continue
                near = tuple(slice(None, -offset) if i == axis else slice(None) for i in range(2))
                away = tuple(slice(offset, None) if i == axis else slice(None) for i in range(2))
                flat = np.einsum("ijk,ijk->ij", normal[near], normal[away]) > 0.9
                bond = np.where((body[near] == body[away]) & flat, np.float32(share), np.float32(0))
                for one, other in ((near, away), (away, near)):
                    total[one] += bond[..., None] * values[other]
                    weight[one] += bond
            values = total / weight[..., None]
    return values[..., 0].ravel(), values[..., 1].ravel()


def _edges(seen: Surface, shape: tuple[int, int], table: int) -> npt.NDArray[np.bool_]:
    """Pixels whose neighbour shows another body, another way of facing, or another paint."""
    body, normal = seen.body.reshape(shape), seen.normal.reshape(*shape, 3)
    colour = seen.colour.reshape(*shape, 3)
    wood = body == table
    edge = np.zeros(shape, dtype=bool)
    for axis in (0, 1):
        near = tuple(slice(None, -1) if i == axis else slice(None) for i in range(2))
        away = tuple(slice(1, None) if i == axis else slice(None) for i in range(2))
        differs = (body[near] != body[away]) | (
            np.einsum("ijk,ijk->ij", normal[near], normal[away]) < 0.95
        )
        paint = np.abs(colour[near] - colour[away]).max(-1) > 0.10
        differs |= paint & ~(wood[near] & wood[away])
        edge[near] |= differs
        edge[away] |= differs
    return edge.ravel()


def developed(light: Floats) -> npt.NDArray[np.uint8]:
    """Linear light as sRGB bytes; what is brighter than white is rolled off instead of cut."""
    soft = np.where(light > 0.75, 0.75 + 0.25 * np.tanh((light - 0.75) / 0.25), light)
    return np.asarray(np.clip(soft, 0, 1) ** np.float32(1 / 2.2) * 255 + 0.5).astype(np.uint8)


def _unit(vectors: npt.NDArray[Any]) -> Floats:
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.asarray(vectors / length[:, None], dtype="f4")


def _chunks(n: int) -> Iterator[slice]:
    return (slice(start, min(start + _CHUNK, n)) for start in range(0, n, _CHUNK))
