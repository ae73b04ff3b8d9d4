"""From rays to light: what the rays of a camera hit, and how much of the lamp and the sky is seen
from there.

Lamp and sky are smoothed over the pixels of the same surface, and pixels on an edge are drawn
again, finer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from shutoko.export.rendering.camera import Camera
from shutoko.export.rendering.scene import TABLE_HALF, Floats, Ints, Scene
from shutoko.export.rendering.textures import painted

Pixels = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
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
FINER = (
    (0.125, 0.625),
    (0.375, 0.125),
    (0.625, 0.875),
    (0.875, 0.375),
)


@dataclass(frozen=True, slots=True)
class Surface:
    """What rays hit: their directions (n, 3), body numbers (n,), how far away in mm (n,), normals
    and colours (n, 3), gloss (n,); the places that are asked for light (n, 3), unit vectors from
    there to points of the lamp and of the sky (n, samples, 3), and whether these are seen (n,
    samples).
    """

    ray: Floats
    body: Ints
    far: Floats
    normal: Floats
    colour: Floats
    gloss: Floats
    haze: Floats
    start: Floats
    to_lamp: Floats
    to_sky: Floats
    lamp: Bools
    sky: Bools

    @classmethod
    def joined(cls, parts: Sequence[Surface]) -> Surface:
        """All of these."""
        return cls(*(np.concatenate([getattr(p, name) for p in parts]) for name in cls.__slots__))

    def __getitem__(self, which: npt.NDArray[np.integer]) -> Surface:
        return Surface(*(getattr(self, name)[which] for name in Surface.__slots__))

    def __setitem__(self, which: npt.NDArray[np.integer], other: Surface) -> None:
        for name in Surface.__slots__:
            getattr(self, name)[which] = getattr(other, name)

    @property
    def light(self) -> Floats:
        """How much of the lamp and of the sky is seen (2, n)."""
        each = ((seen / np.float32(seen.shape[1])).astype("f4") for seen in (self.lamp, self.sky))
        return np.stack([sum(part.T) for part in each])

    def darken(self, scene: Scene) -> Surface:
        """Itself, less the points of lamp and sky that a scene hides."""
        for i in range(self.lamp.shape[1]):
            for seen, to, reach in (
                (self.lamp, self.to_lamp, LAMP_REACH),
                (self.sky, self.to_sky, SKY_REACH),
            ):
                some = np.flatnonzero(seen[:, i])
                seen[some, i] = ~scene.blocked(self.start[some], to[some, i], reach)
        return self


class Sight:
    """What is seen through a point `at` (0 to 1) of each pixel of a picture. What rests is looked
    at once; `dice` (pixels, 4) are uniform numbers, the same for each picture; `turn` is added
    to them.
    """

    def __init__(
        self,
        rest: Scene,
        rays: Rays,
        dice: Floats,
        at: tuple[float, float],
        samples: int,
        turn: float = 0.0,
    ) -> None:
        self._rest, self._rays, self._at, self._samples, self._dice, self._turn = (
            rest,
            rays,
            at,
            samples,
            dice,
            np.float32(turn),
        )
        self._place = np.full(len(dice), -1)  # of each pixel in what is known
        self._known: list[Surface] = []

    def look(self, pixels: Ints, moving: Scene | None) -> Surface:
        """What is seen through these pixels (their numbers), with what moves in front of what
        rests.
        """
        if moving is None:  # nothing is ever set in front of it, and it is not kept
            none = np.empty(0, dtype="f4")
            return Surface.joined(
                [
                    replace(self._at_rest(p), start=none, to_lamp=none, to_sky=none)
                    for p in _chunks(pixels)
                ]
            )
        new = pixels[self._place[pixels] < 0]
        self._place[new] = np.arange(len(new)) + sum(len(known.far) for known in self._known)
        if len(new):
            self._known = [Surface.joined([*self._known, *map(self._at_rest, _chunks(new))])]
        seen = [(part, self._known[0][self._place[part]]) for part in _chunks(pixels)]
        return Surface.joined([self._past(moving, *one) for one in seen])

    def _at_rest(self, pixels: Ints) -> Surface:
        ray = self._rays.through(pixels, self._at)
        return self._hit(self._rest, pixels, ray, self._rest.nearest(self._rays.eye, ray))

    def _past(self, moving: Scene, pixels: Ints, seen: Surface) -> Surface:
        hit = moving.nearest(self._rays.eye, seen.ray)
        piece = (hit["primID"] >= 0) & (hit["primID"] < len(moving.body_of) - 2)  # no table
        front = np.flatnonzero(piece & (hit["tfar"] < seen.far))
        seen[front] = self._hit(
            moving, pixels[front], seen.ray[front], {name: hit[name][front] for name in hit}
        )
        return seen.darken(moving)

    def _hit(self, scene: Scene, pixels: Ints, ray: Floats, hit: Mapping[str, Any]) -> Surface:
        """What the rays hit, in the light that what rests leaves them."""
        face = np.where(hit["primID"] >= 0, hit["primID"], len(scene.body_of) - 1)
        far = np.where(hit["primID"] >= 0, hit["tfar"], np.float32(TABLE_HALF))
        u, v = hit["u"][:, None], hit["v"][:, None]
        corners = scene.normals[face]
        normal = _unit(corners[:, 0] * (1 - u - v) + corners[:, 1] * u + corners[:, 2] * v)
        body = scene.body_of[face]
        point = self._rays.eye + ray * far[:, None]
        colour, gloss = painted(scene, body, scene.paint_of[face], point, normal)
        haze = np.hypot(*(point[:, :2] - scene.centre[:2]).T) / np.float32(scene.radius)
        a, b = _tangents(normal)
        dice = (self._dice[pixels] + self._turn) % 1
        to_lamp, to_sky = np.empty((2, len(ray), self._samples, 3), dtype="f4")
        for i in range(self._samples):
            to_lamp[:, i] = _unit(
                LAMP.astype("f4")
                + disc(i, self._samples, dice[:, :2], LAMP_TANGENTS) * np.float32(LAMP_RADIUS)
            )
            x, y = _disc_points(i, self._samples, dice[:, 2:])
            to_sky[:, i] = (
                x[:, None] * a
                + y[:, None] * b
                + np.sqrt(np.maximum(1 - x * x - y * y, 0.0025))[:, None] * normal
            )
        start, seen = point + normal * np.float32(LIFT), np.ones((2, *to_sky.shape[:2]), dtype=bool)
        return Surface(
            ray,
            body + np.int32(scene.first),
            far,
            normal,
            colour,
            gloss,
            haze,
            start,
            to_lamp,
            to_sky,
            *seen,
        ).darken(self._rest)


def render(
    sights: Sequence[Sight], moving: Scene | None, width: int, window: Window, table: int
) -> Pixels:
    """The pixels of a window of a picture of that width (px), given the sights through the middle
    of pixels and through finer points; `table` is the number of its body.
    """
    rows, columns = window
    shape = rows.stop - rows.start, columns.stop - columns.start
    pixels = (np.arange(width)[columns] + width * np.arange(rows.start, rows.stop)[:, None]).ravel()
    seen = sights[0].look(pixels, moving)
    light = shade(seen, *_smooth(seen, shape))
    fine = np.flatnonzero(_edges(seen, shape, table))
    light[fine] = 0
    for sight in sights[1:] if len(fine) else ():
        again = sight.look(pixels[fine], moving)
        light[fine] += shade(again, *again.light) / np.float32(len(FINER))
    return developed(light).reshape(*shape, 3)


class Rays:
    """Directions through pixels of a picture."""

    def __init__(self, camera: Camera, size: tuple[int, int]) -> None:
        right, up, ahead = camera.axes()
        scale = 2 * math.tan(math.radians(camera.fov) / 2) / size[1]
        self.eye, self._wide = np.array(camera.eye, dtype="f4"), size[0]
        self._x, self._y = (right * scale).astype("f4"), (-up * scale).astype("f4")
        self._corner = (ahead - right * scale * size[0] / 2 + up * scale * size[1] / 2).astype("f4")

    def through(self, pixels: Ints, at: tuple[float, float]) -> Floats:
        """Unit vectors (n, 3) from the eye through a point (0 to 1) of pixels, by their numbers."""
        y, x = (
            part.astype("f4") + np.float32(within)
            for part, within in zip(np.divmod(pixels, self._wide), reversed(at), strict=True)
        )
        return _unit(self._corner + x[:, None] * self._x + y[:, None] * self._y)


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


def shade(seen: Surface, lamp: Floats, sky: Floats) -> Floats:
    """Linear light (n, 3) towards the eye: lamp, sky, light from the table, a highlight; the far
    table fades away.
    """
    towards = np.maximum(np.einsum("ij,j->i", seen.normal, LAMP.astype("f4")), 0) * lamp
    up = (0.5 + 0.5 * seen.normal[:, 2])[:, None]
    around = (_GROUND_LIGHT * (1 - up) + _SKY_LIGHT * up) * (_BOUNCE + (1 - _BOUNCE) * sky[:, None])
    half = _unit(LAMP.astype("f4") - seen.ray)
    shine = np.maximum(np.einsum("ij,ij->i", half, seen.normal), 0) ** 60 * seen.gloss * lamp
    light = seen.colour * (towards[:, None] * _LAMP_LIGHT + around) + shine[:, None] * _LAMP_LIGHT
    fade = np.clip((seen.haze - 1.05) / 2.2, 0, 1)[:, None]
    return np.asarray(light * (1 - 0.55 * fade * fade * (3 - 2 * fade)), dtype="f4")


def _smooth(seen: Surface, shape: tuple[int, int]) -> Floats:
    """Lamp and sky (2, n), each pixel averaged with neighbours on the same body that face the same
    way.
    """
    body, normal = seen.body.reshape(shape), _planes(seen.normal, shape)
    values = seen.light.reshape(2, *shape)
    for step in (1, 2):
        for axis in (0, 1):
            total, weight = values * np.float32(6), np.full(shape, 6, dtype="f4")
            for offset, share in ((step, 4), (2 * step, 1)):
                if offset >= shape[axis]:
                    continue
                near, away = _beside(axis, offset)
                flat = np.einsum("kij,kij->ij", normal[near], normal[away]) > 0.9
                bond = np.where((body[near] == body[away]) & flat, np.float32(share), np.float32(0))
                for one, other in ((near, away), (away, near)):
                    total[one] += bond * values[other]
                    weight[one] += bond
            values = total / weight
    return values.reshape(2, -1)


def _edges(seen: Surface, shape: tuple[int, int], table: int) -> npt.NDArray[np.bool_]:
    """Pixels whose neighbour shows another body, another way of facing, or another paint."""
    body, normal = seen.body.reshape(shape), _planes(seen.normal, shape)
    colour = _planes(seen.colour, shape)
    wood = body == table
    edge = np.zeros(shape, dtype=bool)
    for axis in (0, 1):
        near, away = _beside(axis, 1)
        differs = (body[near] != body[away]) | (
            np.einsum("kij,kij->ij", normal[near], normal[away]) < 0.95
        )
        differs |= (np.abs(colour[near] - colour[away]).max(0) > 0.10) & ~(wood[near] & wood[away])
        edge[near] |= differs
        edge[away] |= differs
    return edge.ravel()


def _planes(vectors: Floats, shape: tuple[int, int]) -> Floats:
    """The coordinates of vectors (n, 3) as three pictures."""
    return np.ascontiguousarray(vectors.T).reshape(3, *shape)


def _beside(axis: int, offset: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The pixels of pictures that have another one so far away along an axis, and these others."""
    near, away = slice(None, -offset), slice(offset, None)
    rest = (slice(None),) * (1 - axis)
    return (..., near, *rest), (..., away, *rest)


def developed(light: Floats) -> npt.NDArray[np.uint8]:
    """Linear light as sRGB bytes; what is brighter than white is rolled off instead of cut."""
    soft = np.where(light > 0.75, 0.75 + 0.25 * np.tanh((light - 0.75) / 0.25), light)
    return np.asarray(np.clip(soft, 0, 1) ** np.float32(1 / 2.2) * 255 + 0.5).astype(np.uint8)


def _unit(vectors: npt.NDArray[Any]) -> Floats:
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.asarray(vectors / length[:, None], dtype="f4")


def _chunks(pixels: Ints) -> list[Ints]:
    return np.array_split(pixels, len(pixels) // _CHUNK + 1)
