"""Quick pictures of pieces that move over a table that stands still, for clips.

What stands still is ray traced once. In each picture only the pieces that move are traced, over it
where they are nearer, and their shadow darkens what lies below. Light that they take from each
other's surroundings is left out: `picture.Studio` draws that, at ten times the cost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from shutoko.export.rendering.camera import Camera, extent
from shutoko.export.rendering.rays import (
    LAMP,
    LAMP_RADIUS,
    LAMP_REACH,
    LAMP_TANGENTS,
    LIFT,
    Pixels,
    Rays,
    Window,
    developed,
    disc,
    look,
    render,
    shade,
)
from shutoko.export.rendering.scene import TABLE_HALF, Floats, Scene, scene_of
from sim.bodies import Body

_RIM = 3  # px around what is drawn
_DARK = np.float32(0.42)  # the part of the bytes that the lamp's shadow takes
_SKY = np.float32(0.8)  # of the sky that a moving piece sees
_SOFT = 2  # rays of a pixel towards the lamp
# rays of a pixel that shows a moving piece
_FINER = ((0.25, 0.25), (0.75, 0.75))


class Layers:
    """A fixed camera and pieces that stand still, over which others are drawn. Equal arguments give
    equal bytes.

    Raises UnavailableError if `embreex` is not installed.
    """

    def __init__(
        self, camera: Camera, size: tuple[int, int], still: Sequence[Body], seed: int = 1
    ) -> None:
        self._camera, self._size = camera, size
        rng = np.random.default_rng(seed)
        self._noise = rng.random((256, 256), dtype="f4")
        self._dice = rng.random((size[1], size[0], 4), dtype="f4")
        self._scene, self._rays = scene_of(still, {}, camera, self._noise), Rays(camera, size)
        whole = slice(0, size[1]), slice(0, size[0])
        self._still = render(self._scene, self._rays, 1, self._dice, whole)
        rays = self._through(whole, (0.5, 0.5))
        hit = self._scene.nearest(np.broadcast_to(self._rays.eye, rays.shape).copy(), rays)
        far = np.where(hit["primID"] >= 0, hit["tfar"], np.float32(TABLE_HALF))
        normal = self._scene.normals[hit["primID"]].mean(axis=1)
        points = self._rays.eye + rays * far[:, None] + normal * np.float32(LIFT)
        lit = (normal @ LAMP.astype("f4") > 0) & ~_blocked(self._scene, points)
        shape = size[1], size[0]
        self._far, self._lit = far.reshape(shape), lit.reshape(shape)
        self._points = points.reshape(*shape, 3)

    def shoot(self, moving: Sequence[Body]) -> Pixels:
        """The picture with these pieces as bytes (height, width, 3)."""
        pixels = self._still.copy()
        if moving:
            scene = scene_of(moving, {}, self._camera, self._noise)
            self._darken(pixels, scene, moving)
            self._draw(pixels, scene, moving)
        return pixels

    def _darken(self, pixels: Pixels, scene: Scene, moving: Sequence[Body]) -> None:
        """Casts the shadows of the moving pieces on what stands still and is lit."""
        window = self._window(np.concatenate([_shadow(body) for body in moving]))
        lit = np.flatnonzero(self._lit[window])
        points = self._points[window].reshape(-1, 3)[lit]
        dice = self._dice[window].reshape(-1, 4)[lit, :2]
        dark = np.zeros(len(lit), dtype="f4")
        for i in range(_SOFT if len(lit) else 0):
            ray = LAMP.astype("f4") + disc(i, _SOFT, dice, LAMP_TANGENTS) * np.float32(LAMP_RADIUS)
            ray /= np.sqrt(np.einsum("ij,ij->i", ray, ray))[:, None]
            dark += scene.blocked(points, ray, LAMP_REACH) / np.float32(_SOFT)
        part = pixels[window].reshape(-1, 3)
        part[lit] = np.asarray(part[lit] * (1 - _DARK * dark[:, None]) + 0.5).astype(np.uint8)
        pixels[window] = part.reshape(pixels[window].shape)

    def _draw(self, pixels: Pixels, scene: Scene, moving: Sequence[Body]) -> None:
        """Draws the moving pieces where they are nearer than what stands still."""
        window = self._window(np.concatenate([_corners(body) for body in moving]))
        far, shape = self._far[window], pixels[window].shape
        drawn = pixels[window].reshape(-1, 3).astype("f4")
        under, touched = drawn.copy(), np.zeros(shape[:2], dtype=bool)
        near = self._nearer(scene, self._through(window, (0.5, 0.5)), far.ravel())
        touched.flat[near] = True
        around = np.flatnonzero(_grown(touched))  # a moving piece may cover a part of these
        for at in _FINER:
            rays = self._through(window, at)[around]
            near = self._nearer(scene, rays, far.flat[around])
            if not len(near):
                continue
            rays, where = rays[near], around[near]
            seen = look(scene, self._rays.eye, rays, 0, self._dice[window].reshape(-1, 4)[where])
            points = self._rays.eye + rays * seen.far[:, None]
            points += seen.normal * np.float32(LIFT)
            lamp = ~(_blocked(scene, points) | _blocked(self._scene, points))
            light = shade(seen, rays, lamp.astype("f4"), np.full(len(near), _SKY))
            drawn[where] += (developed(light) - under[where]) / np.float32(len(_FINER))
        pixels[window] = np.clip(drawn + 0.5, 0, 255).astype(np.uint8).reshape(shape)

    def _nearer(self, scene: Scene, rays: Floats, far: Floats) -> npt.NDArray[np.intp]:
        """Which rays hit a moving piece before what stands still, `far` mm away."""
        hit = scene.nearest(np.broadcast_to(self._rays.eye, rays.shape).copy(), rays)
        face, table = hit["primID"], len(scene.body_of) - 2  # its two faces are the last
        return np.flatnonzero((face >= 0) & (face < table) & (hit["tfar"] < far))

    def _through(self, window: Window, at: tuple[float, float]) -> Floats:
        y, x = (axis.ravel().astype("f4") for axis in np.mgrid[window])
        return self._rays.through(x + np.float32(at[0]), y + np.float32(at[1]))

    def _window(self, points: Floats) -> Window:
        """The pixels that a hull of points (n, 3) in mm can reach."""
        width, height = self._size
        at = self._camera.project(points, self._size)
        if np.isnan(at).any():
            return slice(0, height), slice(0, width)
        left, top = np.clip(np.floor(at.min(0)) - _RIM, 0, self._size).astype(int)
        right, bottom = np.clip(np.ceil(at.max(0)) + _RIM, 0, self._size).astype(int)
        return slice(int(top), int(max(top, bottom))), slice(int(left), int(max(left, right)))


def _blocked(scene: Scene, points: Floats) -> npt.NDArray[np.bool_]:
    """Whether the scene hides the middle of the lamp from the points (n, 3)."""
    return scene.blocked(
        points, np.broadcast_to(LAMP.astype("f4"), points.shape).copy(), LAMP_REACH
    )


def _grown(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The mask and the pixels beside it."""
    wide = mask.copy()
    wide[1:] |= mask[:-1]
    wide[:-1] |= mask[1:]
    wide[:, 1:] |= wide[:, :-1].copy()
    wide[:, :-1] |= wide[:, 1:].copy()
    return wide


def _corners(body: Body) -> Floats:
    corners = extent([body])
    low, high = corners.min(0), corners.max(0)
    return np.array(
        [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )


def _shadow(body: Body) -> Floats:
    """The box of a body and its shadow on the table, as wide as the lamp blurs it."""
    box, blur = _corners(body), 2 * LAMP_RADIUS
    lamps = [LAMP + np.array((x, y, -blur)) for x in (-blur, blur) for y in (-blur, blur)]
    fallen = [box - lamp * (np.maximum(box[:, 2:], 0.0) / lamp[2]) for lamp in lamps]
    return np.concatenate([box, *fallen])
