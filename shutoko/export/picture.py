"""A picture of the table, ray traced on the processor: no screen, no GPU, the same bytes every
time.

One ray a pixel finds the surface. More rays from there find soft shadows of one lamp and how much
of the sky is seen. All of it is numpy on top of Embree (package `embreex`), which is loaded when
the first picture is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rules.errors import InputError
from shutoko.export.rendering.camera import Camera, extent
from shutoko.export.rendering.rays import (
    FINER,
    LAMP,
    LAMP_RADIUS,
    SKY_REACH,
    Pixels,
    Rays,
    Sight,
    render,
)
from shutoko.export.rendering.scene import Colour, needed, owner_colour, scene_of
from sim.bodies import Body, Floats, Ints, rotate

if TYPE_CHECKING:
    from PIL.Image import Image

_RIM = 9  # px; more than the 6 that smoothing looks sideways, and the 1 of edges


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
    """The bodies on a wooden table, as an RGB image; also written to `path` if one is given (PNG,
    or as its suffix says).

    `size` is (width, height) in pixels; `camera` defaults to `Camera.fitting`; `samples` are the
    lamp's rays a pixel (1: a film, 4: a good picture); `colours` gives single pieces another sRGB
    colour by id; `labels` writes the ids of roads, cars and buildings beside them; `seed` fixes the
    noise. Equal arguments give equal bytes.

    Raises UnavailableError if `embreex` or Pillow is not installed, InputError for a size or a
    number of samples below 1.
    """
    if min(size) < 1 or samples < 1:
        raise InputError(
            f"a picture needs a size and samples of at least 1, not size={size}, samples={samples}"
        )
    with needed("pillow"):
        pil = import_module("PIL.Image")
    camera = Camera.fitting(bodies, size) if camera is None else camera
    image: Image = pil.fromarray(Studio(camera, size, samples, seed).shoot(bodies, colours))
    if labels:
        _write_labels(image, bodies, camera)
    if path is not None:
        image.save(path)
    return image


class Studio:
    """A fixed camera and lamp that draw one set of bodies after the other, and draw again only what
    has changed.

    Arguments as for `picture`; `moves` are the ids of pieces that will move, come or go: what rests
    behind them is looked at once. What it draws does not depend on what it drew before; with other
    `moves` single pixels differ, where a ray meets two triangles at once and Embree takes either.
    """

    def __init__(
        self,
        camera: Camera,
        size: tuple[int, int],
        samples: int = 1,
        seed: int = 1,
        moves: Collection[str] = (),
    ) -> None:
        self._camera, self._size, self._samples, self._moves = camera, size, samples, moves
        rng = np.random.default_rng(seed)
        self._look = camera, rng.random((256, 256), dtype="f4")  # from where, and the noise
        self._dice = rng.random((size[1] * size[0], 4), dtype="f4")
        self._shown: dict[str, tuple[Body, Colour | None]] | None = None
        self._rest: dict[str, tuple[Body, Colour | None]] = {}
        self._sights: list[Sight] = []
        self._pixels = np.zeros((size[1], size[0], 3), dtype=np.uint8)

    def shoot(self, bodies: Sequence[Body], colours: Mapping[str, Colour] | None = None) -> Pixels:
        """The picture of these bodies as bytes (height, width, 3). Raises UnavailableError if
        `embreex` is not installed.
        """
        colours = colours or {}
        shown = {body.id: (body, colours.get(body.id)) for body in bodies}
        low, high = self._changed(shown)
        rest = {name: one for name, one in shown.items() if name not in self._moves}
        if rest != self._rest or not self._sights:
            self._rest, few = rest, max(1, self._samples // 2)
            still = scene_of([body for body, _ in rest.values()], colours, *self._look)
            spots = [(at, few, 0.618034 * i) for i, at in enumerate(FINER)]
            self._sights = [
                Sight(still, Rays(self._camera, self._size), self._dice, *spot)
                for spot in (((0.5, 0.5), self._samples, 0.0), *spots)
            ]
        moving = (
            scene_of(
                [body for body in bodies if body.id in self._moves],
                colours,
                *self._look,
                len(rest) + 1,
            )
            if self._moves
            else None
        )
        if (low < high).all():
            # It is drawn with a rim, since a pixel is smoothed with those around it.
            (left, top), (right, bottom) = (
                np.maximum(low - _RIM, 0),
                np.minimum(high + _RIM, self._size),
            )
            drawn = render(
                self._sights,
                moving,
                self._size[0],
                (slice(top, bottom), slice(left, right)),
                len(rest),
            )
            self._pixels[low[1] : high[1], low[0] : high[0]] = drawn[
                low[1] - top : high[1] - top, low[0] - left : high[0] - left
            ]
        self._shown = shown
        return self._pixels.copy()

    def _changed(self, shown: Mapping[str, tuple[Body, Colour | None]]) -> tuple[Ints, Ints]:
        """The first pixel (x, y) and the one after the last that pieces which came, went or changed
        can reach: by themselves, their shadow, the sky they hide.
        """
        before = self._shown or {}
        sides = (
            {before.get(name), shown.get(name)}
            for name in before.keys() | shown.keys()
            if before.get(name) != shown.get(name)
        )
        every = [_reach(one[0]) for pair in sides for one in pair if one is not None]
        points = self._camera.project(np.reshape(every, (-1, 3)), self._size)
        if self._shown is None or np.isnan(points).any():
            points = np.array([(0, 0), self._size], dtype=np.float64)
        low, high = points.min(0, initial=math.inf), points.max(0, initial=-math.inf)
        return tuple(
            np.clip(edge, 0, self._size).astype(int)
            for edge in (np.floor(low) - _RIM, np.ceil(high) + _RIM)
        )


def _reach(body: Body) -> Floats:
    """Corners of what the body can darken: a box around it as far as it hides sky, and its shadow
    on the table.
    """
    corners = extent([body])
    low, high = corners.min(0), corners.max(0)
    box = np.array(
        [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    around = (low + high) / 2 + signs * ((high - low) / 2 + SKY_REACH)
    around[:, 2] = np.maximum(around[:, 2], 0.0)
    blur = 2 * LAMP_RADIUS
    lamps = [LAMP + np.array((x, y, -blur)) for x in (-blur, blur) for y in (-blur, blur)]
    shadows = [box - lamp * (np.maximum(box[:, 2:], 0.0) / lamp[2]) for lamp in lamps]
    return np.concatenate([box, around, *shadows])


def _write_labels(image: Image, bodies: Sequence[Body], camera: Camera) -> None:
    """Ids in small boxes above the pieces; where two would overlap, the nearer piece keeps its
    label.
    """
    with needed("pillow"):
        pil_draw, pil_font = import_module("PIL.ImageDraw"), import_module("PIL.ImageFont")
    draw, font = pil_draw.Draw(image), pil_font.load_default(max(9, image.height // 66))
    named = [body for body in bodies if body.kind != "disc"]
    named.sort(key=lambda body: (math.dist(body.pose.at, camera.eye), body.id))
    taken: list[tuple[float, float, float, float]] = []
    for body in named:
        # A road is named beside its middle, where its car often stands.
        aside = -0.5 * body.shape.half[0] if body.kind == "road" else 0.0
        on_top = rotate(body.pose.quat, (aside, 0.0, body.shape.half[2]))
        x, y = camera.project(np.add(body.pose.at, on_top), image.size)
        if not (0 <= x < image.width and 0 <= y < image.height):
            continue
        left, top, right, bottom = draw.textbbox((x, y), body.id, font=font, anchor="mb")
        box = (left - 3, top - 2, right + 3, bottom + 2)
        if any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in taken):
            continue
        taken.append(box)
        draw.rounded_rectangle(box, radius=3, fill=(252, 251, 248), outline=owner_colour(body))
        draw.text((x, y), body.id, font=font, anchor="mb", fill=(30, 30, 30))
