"""A picture of the table, ray traced on the processor: no screen, no GPU, the same bytes every time.

One ray a pixel finds the surface; more rays from there find soft shadows of one lamp and how much of the sky is seen. Both
are smoothed over the pixels of the same surface, and pixels on an edge are drawn again, finer. All of it is numpy on top of
Embree (package `embreex`), which is loaded when the first picture is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rules.errors import InputError, UnavailableError
from shutoko.export.shapes import Mesh, Paint, mesh_of
from sim.bodies import Body, Box
from sim.poses import Vector, rotate, rotation_matrix

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["PLAYER_COLOURS", "Camera", "Colour", "Pixels", "Studio", "body_colours", "picture"]

Colour = tuple[int, int, int]
Pixels = npt.NDArray[np.uint8]
_Window = tuple[slice, slice]  # rows, columns
_Floats = npt.NDArray[np.float32]
_Ints = npt.NDArray[np.int32]

PLAYER_COLOURS: tuple[Colour, ...] = ((212, 58, 47), (38, 98, 186), (44, 146, 84), (137, 82, 178))
"""sRGB colours (0-255) of the seats, 0-based; none of them is the yellow of a junction."""

_CONCRETE: Colour = (168, 167, 163)
_JUNCTION: Colour = (244, 190, 40)
_ASPHALT: Colour = (176, 176, 175)
_NOBODY: Colour = (225, 225, 222)
_FACADE: Colour = (232, 230, 224)
_GLASS: Colour = (38, 48, 60)
_TYRE: Colour = (34, 34, 36)
_HUB: Colour = (190, 192, 196)
_WINDOW: Colour = (116, 138, 158)

_LAMP = np.array((-0.60, -0.36, 0.714))  # a unit vector towards the light
_LAMP_RADIUS = 0.065  # tangent of the lamp's half angle: the softness of shadows
_LAMP_LIGHT = np.array((1.00, 0.93, 0.82), dtype="f4") * 1.08
_SKY_LIGHT = np.array((0.52, 0.58, 0.68), dtype="f4") * 0.80
_GROUND_LIGHT = np.array((0.46, 0.36, 0.26), dtype="f4") * 0.70
_BOUNCE = np.float32(0.12)  # the part of the sky's light that reaches a corner by way of its walls
_LAMP_REACH = 2000.0  # mm; longer than any shadow
_SKY_REACH = 60.0  # mm; what is farther away than this hides no sky
_LIFT = 0.03  # mm; rays leave a surface from this far above it
_TABLE_HALF = 6000.0  # mm
_RIM = 9  # px; more than smoothing and edges look sideways
_CHUNK = 1 << 16  # rays shaded at a time, so that temporary arrays stay in the cache
_FINER = ((0.125, 0.625), (0.375, 0.125), (0.625, 0.875), (0.875, 0.375))  # rays of a pixel on an edge: no two in a row

_KINDS = ("disc", "road", "car", "building", "table")
_DISC, _ROAD, _CAR, _BUILDING, _TABLE = range(5)


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the picture is taken from: eye and target in mm, full vertical angle of view in degrees."""

    eye: Vector
    target: Vector
    fov: float = 26.0

    @classmethod
    def fitting(
        cls,
        bodies: Sequence[Body],
        size: tuple[int, int] = (1280, 860),
        azimuth: float = -68.0,
        elevation: float = 41.0,
        fov: float = 26.0,
        margin: float = 0.05,
    ) -> Camera:
        """The nearest camera in that direction that sees every body whole, with `margin` (of 1) free at each border.

        `azimuth` is the direction from the table to the eye, in degrees counter-clockwise from +x; `elevation` the height of
        the eye above the horizon. Without bodies it sees the middle 300 mm of the table.
        """
        points = _extent(bodies)
        right, up, ahead = _axes(azimuth, elevation)
        side, rise, depth = points @ right, points @ up, points @ ahead
        slope = math.tan(math.radians(fov) / 2) * (1 - 2 * margin)
        wide = slope * size[0] / size[1]
        # Every point must lie inside four planes through the eye: the deepest eye that allows it, centred in the slack.
        back = min(
            (np.min(offset + k * depth) - np.max(offset - k * depth)) / (2 * k) for offset, k in ((side, wide), (rise, slope))
        )
        x = (np.min(side + wide * depth) + np.max(side - wide * depth)) / 2
        y = (np.min(rise + slope * depth) + np.max(rise - slope * depth)) / 2
        eye = x * right + y * up + back * ahead
        return cls(_vector(eye), _vector(eye + ahead * (float(np.mean(depth)) - back)), fov)

    def project(self, points: npt.ArrayLike, size: tuple[int, int] = (1280, 860)) -> npt.NDArray[np.float64]:
        """Where points in mm, shape (n, 3) or (3,), appear in a picture of that size: pixels (x, y) from the top left corner.

        Points behind the camera give nan.
        """
        right, up, ahead = self.axes()
        offset = np.asarray(points, dtype=np.float64) - np.array(self.eye)
        depth = offset @ ahead
        scale = size[1] / (2 * math.tan(math.radians(self.fov) / 2))
        with np.errstate(divide="ignore", invalid="ignore"):
            per = np.where(depth > 0, scale / depth, np.nan)
        return np.stack([size[0] / 2 + per * (offset @ right), size[1] / 2 - per * (offset @ up)], axis=-1)

    def axes(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Unit vectors to the right, up and into the picture. Raises InputError if the camera looks straight up or down."""
        ahead = np.array(self.target, dtype=np.float64) - np.array(self.eye)
        right = np.cross(ahead, (0.0, 0.0, 1.0))
        if not np.linalg.norm(right) > 1e-6 * np.linalg.norm(ahead):
            raise InputError(f"a camera at {self.eye} cannot look at {self.target}: it must not look straight up or down")
        right /= np.linalg.norm(right)
        ahead /= np.linalg.norm(ahead)
        return right, np.cross(right, ahead), ahead


def picture(
    bodies: Sequence[Body],
    path: str | Path | None = None,
    size: tuple[int, int] = (1280, 860),
    camera: Camera | None = None,
    samples: int = 4,
    colours: Mapping[str, Colour] | None = None,
    labels: bool = False,
    seed: int = 1,
) -> Image:
    """The bodies on a wooden table, as an RGB image; also written to `path` if one is given (PNG, or as its suffix says).

    `size` is (width, height) in pixels; `camera` defaults to `Camera.fitting`; `samples` are the lamp's rays a pixel (1: a
    film, 4: a good picture); `colours` gives single pieces another sRGB colour by id; `labels` writes the ids of roads, cars
    and buildings beside them; `seed` fixes the noise. Equal arguments give equal bytes.

    Raises UnavailableError if `embreex` or Pillow is not installed, InputError for a size or a number of samples below 1.
    """
    if min(size) < 1 or samples < 1:
        raise InputError(f"a picture needs a size and samples of at least 1, not size={size}, samples={samples}")
    pil = _needed("PIL.Image", "pillow")
    camera = Camera.fitting(bodies, size) if camera is None else camera
    image: Image = pil.fromarray(Studio(camera, size, samples, seed).shoot(bodies, colours))
    if labels:
        _write_labels(image, bodies, camera)
    if path is not None:
        image.save(path)
    return image


class Studio:
    """A fixed camera and lamp that draw one set of bodies after the other; of a second one only what differs is drawn again.

    Arguments as for `picture`. What it draws does not depend on what it drew before.
    """

    def __init__(self, camera: Camera, size: tuple[int, int], samples: int = 1, seed: int = 1) -> None:
        self._camera, self._size, self._samples = camera, size, samples
        rng = np.random.default_rng(seed)
        self._noise = rng.random((256, 256), dtype="f4")
        self._dice = rng.random((size[1], size[0], 4), dtype="f4")
        self._shown: dict[str, tuple[Body, Colour | None]] = {}
        self._pixels: Pixels | None = None

    def shoot(self, bodies: Sequence[Body], colours: Mapping[str, Colour] | None = None) -> Pixels:
        """The picture of these bodies as bytes (height, width, 3). Raises UnavailableError if `embreex` is not installed."""
        colours = colours or {}
        shown = {body.id: (body, colours.get(body.id)) for body in bodies}
        window = self._window(shown)
        if self._pixels is None:
            self._pixels = np.zeros((self._size[1], self._size[0], 3), dtype=np.uint8)
        rows, columns = window
        if rows.stop > rows.start and columns.stop > columns.start:
            # The window is drawn with a rim, since a pixel is smoothed with those around it.
            rim = tuple(
                slice(max(0, part.start - _RIM), min(limit, part.stop + _RIM))
                for part, limit in zip(window, reversed(self._size), strict=True)
            )
            scene = _scene(bodies, colours, self._camera, self._noise)
            drawn = _render(scene, _Rays(self._camera, self._size), self._samples, self._dice, (rim[0], rim[1]))
            top, left = rows.start - rim[0].start, columns.start - rim[1].start
            self._pixels[window] = drawn[top : top + rows.stop - rows.start, left : left + columns.stop - columns.start]
        self._shown = shown
        return self._pixels.copy()

    def _window(self, shown: Mapping[str, tuple[Body, Colour | None]]) -> _Window:
        """The pixels that pieces which came, went or changed can reach: by themselves, their shadow, the sky they hide."""
        width, height = self._size
        everything = slice(0, height), slice(0, width)
        if self._pixels is None:
            return everything
        ids = sorted(self._shown.keys() | shown.keys())
        pairs = [(self._shown.get(name), shown.get(name)) for name in ids]
        changed = [side[0] for old, new in pairs if old != new for side in (old, new) if side is not None]
        if not changed:
            return slice(0, 0), slice(0, 0)
        reach = [self._camera.project(_reach(body), self._size) for body in changed]
        points = np.concatenate(reach)
        if np.isnan(points).any():
            return everything
        left, top = np.clip(np.floor(points.min(0)) - 1, 0, self._size).astype(int)
        right, bottom = np.clip(np.ceil(points.max(0)) + 2, 0, self._size).astype(int)
        return slice(int(top), int(bottom)), slice(int(left), int(right))


def _reach(body: Body) -> npt.NDArray[np.float64]:
    """Corners of what the body can darken: a box around it as far as it hides sky, and its shadow on the table."""
    corners = _extent([body])
    low, high = corners.min(0), corners.max(0)
    box = np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    around = (low + high) / 2 + signs * ((high - low) / 2 + _SKY_REACH)
    around[:, 2] = np.maximum(around[:, 2], 0.0)
    blur = 2 * _LAMP_RADIUS
    lamps = [_LAMP + np.array((x, y, -blur)) for x in (-blur, blur) for y in (-blur, blur)]
    shadows = [box - lamp * (np.maximum(box[:, 2:], 0.0) / lamp[2]) for lamp in lamps]
    return np.concatenate([box, around, *shadows])


# --- the scene ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Scene:
    """All bodies and the table as triangles: per triangle normals (n, 3, 3), body number and paint; per body the rest.

    The last body is the table. Colours are linear light; `to_body` are rotations (b, 3, 3) applied as row vector times matrix.
    """

    embree: Any
    normals: _Floats
    body_of: _Ints
    paint_of: npt.NDArray[np.int8]
    kind: _Ints
    at: _Floats
    to_body: _Floats
    half: _Floats
    colour: _Floats
    accent: _Floats
    noise: _Floats
    centre: _Floats
    radius: float

    def nearest(self, origins: _Floats, rays: _Floats) -> dict[str, Any]:
        hit: dict[str, Any] = self.embree.run(origins, rays, query="INTERSECT", output=True)
        return hit

    def blocked(self, origins: _Floats, rays: _Floats, reach: float) -> npt.NDArray[np.bool_]:
        answer = self.embree.run(origins, rays, dists=np.full(len(rays), reach, dtype="f4"), query="OCCLUDED")
        return np.asarray(answer >= 0)


def _scene(bodies: Sequence[Body], colours: Mapping[str, Colour], camera: Camera, noise: _Floats) -> _Scene:
    rtcore_scene = _needed("embreex.rtcore_scene", "embreex")
    construction = _needed("embreex.mesh_construction", "embreex")
    centre = np.array(camera.target, dtype="f4")
    quad = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], dtype="f4") * _TABLE_HALF
    corners, normals, paints, counts = [], [], [], []
    for body in bodies:
        mesh, turned = mesh_of(body.kind, body.shape), rotation_matrix(body.pose.quat).T.astype("f4")
        corners.append(mesh.corners @ turned + np.array(body.pose.at, dtype="f4"))
        normals.append(mesh.normals @ turned)
        paints.append(mesh.paints)
        counts.append(len(mesh.paints))
    corners.append(quad[[[0, 1, 2], [0, 2, 3]]] + centre * (1, 1, 0))
    normals.append(np.broadcast_to(np.array((0, 0, 1), dtype="f4"), (2, 3, 3)))
    paints.append(np.zeros(2, dtype=np.int8))
    embree = rtcore_scene.EmbreeScene()
    vertices = np.ascontiguousarray(np.concatenate(corners), dtype="f4").reshape(-1, 3)
    construction.TriangleMesh(embree, vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3))
    base = [colours.get(body.id, _own_colour(body)) for body in bodies]
    accent = [colours.get(body.id, _owner_colour(body)) for body in bodies]
    return _Scene(
        embree=embree,
        normals=np.concatenate(normals).astype("f4"),
        body_of=np.repeat(np.arange(len(bodies) + 1, dtype=np.int32), [*counts, 2]),
        paint_of=np.concatenate(paints),
        kind=np.array([_KINDS.index(body.kind) for body in bodies] + [_TABLE], dtype=np.int32),
        at=np.array([body.pose.at for body in bodies] + [(0, 0, 0)], dtype="f4"),
        to_body=np.array([rotation_matrix(body.pose.quat) for body in bodies] + [np.eye(3)], dtype="f4"),
        half=np.array([_half(body) for body in bodies] + [(1, 1, 1)], dtype="f4"),
        colour=_linear([*base, _NOBODY]),
        accent=_linear([*accent, _NOBODY]),
        noise=noise,
        centre=centre,
        radius=math.dist(camera.eye, camera.target) * math.tan(math.radians(camera.fov) / 2),
    )


def body_colours(body: Body, mesh: Mesh) -> _Floats:
    """The plain linear colours of the corners of a body's mesh, (n, 3, 3), for renderers that know no textures."""
    triangles = len(mesh.paints)
    found = np.tile(_linear([_own_colour(body)]), (triangles, 1))
    if body.kind == "road":
        found[np.abs(mesh.normals[:, :, 2].mean(axis=1)) < 0.5] = _linear([_owner_colour(body)])[0]
    for paint, colour in ((Paint.GLASS, _GLASS), (Paint.TYRE, _TYRE), (Paint.HUB, _HUB)):
        found[mesh.paints == paint] = _linear([colour])[0]
    return np.repeat(found[:, None], 3, axis=1)


def _own_colour(body: Body) -> Colour:
    if body.kind == "disc":
        return _JUNCTION if body.junction else _CONCRETE
    if body.kind == "road":
        return _ASPHALT
    return _owner_colour(body) if body.kind == "car" else _FACADE


def _owner_colour(body: Body) -> Colour:
    return _NOBODY if body.owner is None else PLAYER_COLOURS[body.owner % len(PLAYER_COLOURS)]


def _half(body: Body) -> Vector:
    if isinstance(body.shape, Box):
        x, y, z = body.shape.size
        return (x / 2, y / 2, z / 2)
    return (body.shape.radius, body.shape.radius, body.shape.height / 2)


def _extent(bodies: Sequence[Body]) -> npt.NDArray[np.float64]:
    """The corners of the boxes around all bodies, (n, 3); of 300 mm of bare table if there are none."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
    if not bodies:
        return signs * (150, 150, 0)
    return np.concatenate([signs * _half(body) @ rotation_matrix(body.pose.quat).T + body.pose.at for body in bodies])


# --- from rays to light ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Surface:
    """What rays hit: body numbers (n,), normals and colours (n, 3), gloss (n,), and how much lamp and sky is seen (n,)."""

    body: _Ints
    normal: _Floats
    colour: _Floats
    gloss: _Floats
    haze: _Floats
    lamp: _Floats
    sky: _Floats


def _render(scene: _Scene, rays: _Rays, samples: int, dice: _Floats, window: _Window) -> Pixels:
    """The pixels of a window of the picture; `dice` (height, width, 4) are uniform numbers, the same for each picture."""
    rows, columns = window
    shape = rows.stop - rows.start, columns.stop - columns.start
    y, x = (axis.ravel().astype("f4") for axis in np.mgrid[rows, columns])
    dice = dice[window].reshape(-1, 4)
    directions = rays.through(x + np.float32(0.5), y + np.float32(0.5))
    parts = [_look(scene, rays.eye, directions[part], samples, dice[part]) for part in _chunks(len(directions))]
    seen = _Surface(*(np.concatenate([getattr(part, name) for part in parts]) for name in _Surface.__slots__))
    lamp, sky = _smooth(seen, shape)
    light = _shade(seen, directions, lamp, sky)
    fine = np.flatnonzero(_edges(seen, shape, table=len(scene.kind) - 1))
    light[fine] = 0
    for i, (dx, dy) in enumerate(_FINER):
        for part in _chunks(len(fine)):
            where = fine[part]
            to = rays.through(x[where] + np.float32(dx), y[where] + np.float32(dy))
            again = _look(scene, rays.eye, to, max(1, samples // 2), (dice[where] + np.float32(0.618034 * i)) % 1)
            light[where] += _shade(again, to, again.lamp, again.sky) / np.float32(len(_FINER))
    return _developed(light).reshape(*shape, 3)


class _Rays:
    """Directions through pixels of a picture."""

    def __init__(self, camera: Camera, size: tuple[int, int]) -> None:
        right, up, ahead = camera.axes()
        scale = 2 * math.tan(math.radians(camera.fov) / 2) / size[1]
        self.eye = np.array(camera.eye, dtype="f4")
        self._x, self._y = (right * scale).astype("f4"), (-up * scale).astype("f4")
        self._corner = (ahead - right * scale * size[0] / 2 + up * scale * size[1] / 2).astype("f4")

    def through(self, x: _Floats, y: _Floats) -> _Floats:
        """Unit vectors (n, 3) from the eye through points of the picture, in pixels from its top left corner."""
        return _unit(self._corner + x[:, None] * self._x + y[:, None] * self._y)


def _look(scene: _Scene, eye: _Floats, rays: _Floats, samples: int, dice: _Floats) -> _Surface:
    """What the rays from the eye hit; `dice` (n, 4) are uniform numbers that turn each pixel's pattern of light rays."""
    hit = scene.nearest(np.broadcast_to(eye, rays.shape).copy(), rays)
    found = hit["primID"] >= 0
    face = np.where(found, hit["primID"], len(scene.body_of) - 1)
    far = np.where(found, hit["tfar"], np.float32(_TABLE_HALF))[:, None]
    u, v = hit["u"][:, None], hit["v"][:, None]
    corners = scene.normals[face]
    normal = _unit(corners[:, 0] * (1 - u - v) + corners[:, 1] * u + corners[:, 2] * v)
    body = scene.body_of[face]
    point = eye + rays * far
    colour, gloss = _painted(scene, body, scene.paint_of[face], point, normal)
    start = point + normal * np.float32(_LIFT)
    haze = np.hypot(point[:, 0] - scene.centre[0], point[:, 1] - scene.centre[1]) / np.float32(scene.radius)
    lamp, sky = np.zeros(len(rays), dtype="f4"), np.zeros(len(rays), dtype="f4")
    a, b = _tangents(normal)
    for i in range(samples):
        to_lamp = _unit(_LAMP.astype("f4") + _disc(i, samples, dice[:, :2], _LAMP_TANGENTS) * np.float32(_LAMP_RADIUS))
        lamp += ~scene.blocked(start, to_lamp, _LAMP_REACH) / np.float32(samples)
        x, y = _disc_points(i, samples, dice[:, 2:])
        up = np.sqrt(np.maximum(1 - x * x - y * y, 0.0025))
        to_sky = x[:, None] * a + y[:, None] * b + up[:, None] * normal
        sky += ~scene.blocked(start, to_sky, _SKY_REACH) / np.float32(samples)
    return _Surface(body, normal, colour, gloss, haze, lamp, sky)


def _disc_points(i: int, of: int, dice: _Floats) -> tuple[_Floats, _Floats]:
    """The i-th of `of` well spread points on the unit disc, one pattern for each row of `dice`."""
    radius = np.sqrt((i + dice[:, 0]) / np.float32(of))
    angle = np.float32(2 * math.pi) * (dice[:, 1] + np.float32(i * 0.618034))
    return radius * np.cos(angle), radius * np.sin(angle)


def _disc(i: int, of: int, dice: _Floats, axes: tuple[_Floats, _Floats]) -> _Floats:
    x, y = _disc_points(i, of, dice)
    return x[:, None] * axes[0] + y[:, None] * axes[1]


def _tangents(normal: _Floats) -> tuple[_Floats, _Floats]:
    """Two unit vectors that make a right-handed frame with each normal, without a branch at the pole."""
    x, y, z = normal[:, 0], normal[:, 1], normal[:, 2]
    sign = np.where(z >= 0, np.float32(1), np.float32(-1))
    p = -1 / (sign + z)
    q = x * y * p
    first = np.stack([1 + sign * x * x * p, sign * q, -sign * x], axis=1)
    return first, np.stack([q, sign + y * y * p, -y], axis=1)


_LAMP_TANGENTS = tuple(t[0] for t in _tangents(_LAMP.astype("f4")[None]))


def _shade(seen: _Surface, rays: _Floats, lamp: _Floats, sky: _Floats) -> _Floats:
    """Linear light (n, 3) towards the eye: lamp, sky, light from the table, a highlight; the far table fades away."""
    towards = np.maximum(seen.normal @ _LAMP.astype("f4"), 0) * lamp
    up = (0.5 + 0.5 * seen.normal[:, 2])[:, None]
    around = (_GROUND_LIGHT * (1 - up) + _SKY_LIGHT * up) * (_BOUNCE + (1 - _BOUNCE) * sky[:, None])
    half = _unit(_LAMP.astype("f4") - rays)
    shine = np.maximum(np.einsum("ij,ij->i", half, seen.normal), 0) ** 60 * seen.gloss * lamp
    light = seen.colour * (towards[:, None] * _LAMP_LIGHT + around) + shine[:, None] * _LAMP_LIGHT
    fade = np.clip((seen.haze - 1.05) / 2.2, 0, 1)[:, None]
    return np.asarray(light * (1 - 0.55 * fade * fade * (3 - 2 * fade)), dtype="f4")


def _smooth(seen: _Surface, shape: tuple[int, int]) -> tuple[_Floats, _Floats]:
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


def _edges(seen: _Surface, shape: tuple[int, int], table: int) -> npt.NDArray[np.bool_]:
    """Pixels whose neighbour shows another body, another way of facing, or another paint."""
    body, normal = seen.body.reshape(shape), seen.normal.reshape(*shape, 3)
    colour = seen.colour.reshape(*shape, 3)
    wood = body == table
    edge = np.zeros(shape, dtype=bool)
    for axis in (0, 1):
        near = tuple(slice(None, -1) if i == axis else slice(None) for i in range(2))
        away = tuple(slice(1, None) if i == axis else slice(None) for i in range(2))
        differs = (body[near] != body[away]) | (np.einsum("ijk,ijk->ij", normal[near], normal[away]) < 0.95)
        paint = np.abs(colour[near] - colour[away]).max(-1) > 0.10
        differs |= paint & ~(wood[near] & wood[away])
        edge[near] |= differs
        edge[away] |= differs
    return edge.ravel()


# --- paint -------------------------------------------------------------------------------------------------------------------


def _painted(
    scene: _Scene, body: _Ints, paint: npt.NDArray[np.int8], point: _Floats, normal: _Floats
) -> tuple[_Floats, _Floats]:
    """Linear colours (n, 3) and gloss (n,) of the points of the bodies, textures included."""
    colour = scene.colour[body]
    gloss = np.full(len(body), 0.02, dtype="f4")
    kind = scene.kind[body]
    for code, texture in ((_DISC, _concrete), (_ROAD, _road), (_CAR, _car), (_BUILDING, _facade), (_TABLE, _wood)):
        where = np.flatnonzero(kind == code)
        if not len(where):
            continue
        which = body[where]
        turn = scene.to_body[which]
        local = np.einsum("ij,ijk->ik", point[where] - scene.at[which], turn)
        facing = np.einsum("ij,ijk->ik", normal[where], turn)
        colour[where], gloss[where] = texture(scene, _Spots(which, local, facing, colour[where]))
    for special, shown, shine in ((Paint.GLASS, _GLASS, 0.8), (Paint.TYRE, _TYRE, 0.05), (Paint.HUB, _HUB, 0.4)):
        where = np.flatnonzero(paint == special)
        colour[where], gloss[where] = _linear([shown])[0], shine
    return colour, gloss


@dataclass(frozen=True, slots=True)
class _Spots:
    """Points on bodies of one kind: body numbers (n,); place and facing in the body's frame, plain colours (n, 3)."""

    body: _Ints
    local: _Floats
    facing: _Floats
    colour: _Floats


_Painted = tuple[_Floats, float]


def _concrete(scene: _Scene, spots: _Spots) -> _Painted:
    """Cast discs: slightly uneven, with fine pores; no two alike."""
    x, y = spots.local[:, 0] + spots.local[:, 2] * 0.7 + spots.body * 13.7, spots.local[:, 1] - spots.local[:, 2] * 0.7
    grain = 0.10 * (_noise(scene, x / 3.1, y / 3.1) - 0.5) + 0.10 * (_noise(scene, x / 0.9, y / 0.9) - 0.5)
    return spots.colour * (1 + grain)[:, None], 0.03


def _road(scene: _Scene, spots: _Spots) -> _Painted:
    """Asphalt with a stripe of the owner's colour along the middle and the owner's colour on the flanks."""
    half = scene.half[spots.body]
    grain = 1 + 0.12 * (_noise(scene, spots.local[:, 0] / 1.1 + spots.body * 7.3, spots.local[:, 1] / 1.1) - 0.5)
    across, along = np.abs(spots.local[:, 1]) / half[:, 1], np.abs(spots.local[:, 0]) - (half[:, 0] - half[:, 1])
    marked = (across < 0.24) & (along < 0) | (np.abs(spots.facing[:, 2]) < 0.5)
    return np.where(marked[:, None], scene.accent[spots.body], spots.colour) * grain[:, None], 0.03


def _car(scene: _Scene, spots: _Spots) -> _Painted:
    """Shiny paint, two lamps in front, two red ones behind."""
    x, y, z = (spots.local / scene.half[spots.body]).T
    lights = (np.abs(y) > 0.45) & (np.abs(y) < 0.85) & (z > -0.35) & (z < -0.05)
    front, rear = lights & (spots.facing[:, 0] > 0.6) & (x > 0.8), lights & (spots.facing[:, 0] < -0.6) & (x < -0.8)
    colour = np.where(front[:, None], _linear([(255, 246, 214)]), spots.colour)
    return np.where(rear[:, None], _linear([(150, 16, 16)]), colour), 0.55


def _facade(scene: _Scene, spots: _Spots) -> _Painted:
    """Plaster with rows of windows on all upright sides, none at the foot and under the roof."""
    half = scene.half[spots.body]
    box = np.abs(spots.facing[:, 0]) > np.abs(spots.facing[:, 1])
    flat = np.where(box, spots.local[:, 1], spots.local[:, 0])
    wide = np.where(box, half[:, 1], half[:, 0])
    floor = (spots.local[:, 2] + half[:, 2]) / np.float32(8.5)
    column = flat / np.float32(6.0)
    window = (np.abs(floor % 1 - 0.5) < 0.27) & (np.abs(column % 1 - 0.5) < 0.33) & (floor > 1)
    window &= (spots.local[:, 2] < half[:, 2] - 3.5) & (np.abs(flat) < wide - 2.5) & (np.abs(spots.facing[:, 2]) < 0.3)
    tone = 0.85 + 0.3 * _noise(scene, np.floor(column) * 5.7 + spots.body * 3.1, np.floor(floor) * 7.9)
    return np.where(window[:, None], _linear([_WINDOW]) * tone[:, None], spots.colour), 0.05


def _wood(scene: _Scene, spots: _Spots) -> _Painted:
    """Warm planks along x, each with its own tone and grain."""
    x, y = spots.local[:, 0], spots.local[:, 1]
    plank = np.floor(y / np.float32(96.0))
    own = (plank * np.float32(0.618034)) % 1
    x = x + own * 1700
    bend = y + 14 * _noise(scene, x / 210, y / 60)
    grain = (
        0.45 * _noise(scene, x / 34, bend / 0.9)
        + 0.35 * _noise(scene, x / 120, bend / 3.3)
        + 0.2 * _noise(scene, x / 300, bend / 14)
    )
    dark, light = _linear([(146, 106, 71), (190, 148, 107)])
    tone = dark + (light - dark) * grain[:, None]
    seam = 1 - np.clip((0.5 - np.abs(y / np.float32(96.0) - plank - 0.5)) * 96.0 / 1.3, 0, 1)
    return tone * ((0.90 + 0.16 * own) * (1 - 0.5 * seam * seam))[:, None], 0.04


def _noise(scene: _Scene, x: npt.NDArray[Any], y: npt.NDArray[Any]) -> _Floats:
    """Smooth noise from 0 to 1 with features of size 1, repeated every 256."""
    left, low = np.floor(x), np.floor(y)
    u, v = x - left, y - low
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    i, j = left.astype(np.int32) & 255, low.astype(np.int32) & 255
    i1, j1 = (i + 1) & 255, (j + 1) & 255
    tile = scene.noise
    bottom = tile[i, j] * (1 - u) + tile[i1, j] * u
    return np.asarray(bottom * (1 - v) + (tile[i, j1] * (1 - u) + tile[i1, j1] * u) * v, dtype="f4")


# --- the rest ----------------------------------------------------------------------------------------------------------------


def _linear(colours: Sequence[Colour]) -> _Floats:
    """Colours of 0-255 (sRGB) as linear light, (n, 3)."""
    return ((np.array(colours, dtype="f4") / 255) ** np.float32(2.2)).astype("f4")


def _developed(light: _Floats) -> npt.NDArray[np.uint8]:
    """Linear light as sRGB bytes; what is brighter than white is rolled off instead of cut."""
    soft = np.where(light > 0.75, 0.75 + 0.25 * np.tanh((light - 0.75) / 0.25), light)
    return np.asarray(np.clip(soft, 0, 1) ** np.float32(1 / 2.2) * 255 + 0.5).astype(np.uint8)


def _unit(vectors: npt.NDArray[Any]) -> _Floats:
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.asarray(vectors / length[:, None], dtype="f4")


def _axes(azimuth: float, elevation: float) -> tuple[npt.NDArray[np.float64], ...]:
    """Right, up and ahead of an eye that looks at the table from there."""
    a, e = math.radians(azimuth), math.radians(elevation)
    ahead = -np.array((math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)))
    right = np.array((-math.sin(a), math.cos(a), 0.0))
    return right, np.cross(right, ahead), ahead


def _vector(numbers: npt.NDArray[np.float64]) -> Vector:
    return (float(numbers[0]), float(numbers[1]), float(numbers[2]))


def _chunks(n: int) -> Iterator[slice]:
    return (slice(start, min(start + _CHUNK, n)) for start in range(0, n, _CHUNK))


def _write_labels(image: Image, bodies: Sequence[Body], camera: Camera) -> None:
    """Ids in small boxes above the pieces; where two would overlap, the nearer piece keeps its label."""
    pil_draw, pil_font = _needed("PIL.ImageDraw", "pillow"), _needed("PIL.ImageFont", "pillow")
    draw, font = pil_draw.Draw(image), pil_font.load_default(max(9, image.height // 66))
    named = [body for body in bodies if body.kind != "disc"]
    named.sort(key=lambda body: (math.dist(body.pose.at, camera.eye), body.id))
    taken: list[tuple[float, float, float, float]] = []
    for body in named:
        # A road is named beside its middle, where its car often stands.
        aside = -0.5 * _half(body)[0] if body.kind == "road" else 0.0
        on_top = rotate(body.pose.quat, (aside, 0.0, _half(body)[2]))
        x, y = camera.project(np.add(body.pose.at, on_top), image.size)
        if not (0 <= x < image.width and 0 <= y < image.height):
            continue
        left, top, right, bottom = draw.textbbox((x, y), body.id, font=font, anchor="mb")
        box = (left - 3, top - 2, right + 3, bottom + 2)
        if any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in taken):
            continue
        taken.append(box)
        draw.rounded_rectangle(box, radius=3, fill=(252, 251, 248), outline=_owner_colour(body))
        draw.text((x, y), body.id, font=font, anchor="mb", fill=(30, 30, 30))


def _needed(module: str, package: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise UnavailableError(
            f"pictures need the package {package}, which cannot be imported: pip install {package}"
        ) from error
