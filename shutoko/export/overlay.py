"""The wire model of a photographed table over its photo: roads, discs and marks as the solution has
them.

A road is green if its cars are sure, orange if they are doubtful, red if the road is suspect. A
suspect pillar is red, too. A cross is a mark; a cross off the wire model disagrees with the
solution.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from shutoko.export.rendering.scene import Colour, needed
from sim.bodies import Floats

if TYPE_CHECKING:
    from PIL.Image import Image

    from sim.photo.reading import Reading
    from sim.photo.solving import Solution


_LARGEST = 2000  # pixels of the longer side of the picture
_SURE, _DOUBTFUL, _SUSPECT, _MARK, _PAPER = (
    (40, 215, 95),
    (255, 160, 30),
    (255, 50, 60),
    (255, 255, 255),
    (92, 88, 82),
)


def overlay(reading: Reading, photo: Image | None = None) -> Image:
    """The picture, at most 2000 pixels wide or high; on a plain ground without a photo.

    Raises UnavailableError if Pillow is not installed.
    """
    with needed("pillow"):
        pil, draw = import_module("PIL.Image"), import_module("PIL.ImageDraw")
    image = reading.marks.image
    scale = min(_LARGEST / max(image.width, image.height), 1.0)
    size = (max(round(image.width * scale), 1), max(round(image.height * scale), 1))
    picture: Image = photo.resize(size) if photo is not None else pil.new("RGB", size, _PAPER)
    pen = _Pen(draw.Draw(picture), scale, max(2, round(max(size) / 700)))
    colours = _colours(reading)
    _pillars(pen, reading, colours)
    _roads(pen, reading, colours)
    _marks(pen, reading)
    return picture


class _Pen:
    """Draws in pixels of the photo."""

    def __init__(self, draw: Any, scale: float, width: int) -> None:
        self._draw, self._scale, self.width = draw, scale, width
        self._font = import_module("PIL.ImageFont").load_default(8 * width)

    def line(self, points: Floats, colour: Colour, width: int | None = None) -> None:
        if np.isfinite(points).all():
            self._draw.line(
                [tuple(point) for point in (points * self._scale).tolist()],
                fill=colour,
                width=width or self.width,
            )

    def cross(self, at: tuple[float, float]) -> None:
        x, y, arm = at[0] * self._scale, at[1] * self._scale, 3 * self.width
        for dx, dy in ((arm, arm), (arm, -arm)):
            self._draw.line(
                [(x - dx, y - dy), (x + dx, y + dy)], fill=_MARK, width=max(1, self.width // 2)
            )

    def name(self, text: str, at: Floats, colour: Colour) -> None:
        if np.isfinite(at).all():
            x, y = (at * self._scale).tolist()
            left, top, right, bottom = self._draw.textbbox(
                (x, y), text, font=self._font, anchor="mm"
            )
            self._draw.rectangle((left - 3, top - 2, right + 3, bottom + 2), fill=(20, 20, 20))
            self._draw.text((x, y), text, font=self._font, anchor="mm", fill=colour)


def _colours(reading: Reading) -> dict[str, Colour]:
    found: dict[str, Colour] = dict.fromkeys(reading.doubtful, _DOUBTFUL)
    return found | {suspect.id: _SUSPECT for suspect in reading.suspects}


def _pillars(pen: _Pen, reading: Reading, colours: dict[str, Colour]) -> None:
    for name, rings in pillar_wires(reading.solution).items():
        for ring in rings:
            pen.line(ring, colours.get(name, _SURE), 1)


def _roads(pen: _Pen, reading: Reading, colours: dict[str, Colour]) -> None:
    for (name, (rim, axis)), verdict in zip(
        road_wires(reading.solution).items(), reading.roads, strict=True
    ):
        colour = colours.get(name, _SURE)
        pen.line(rim, colour)
        pen.line(axis, colour, 1)
        pen.name(f"{name} {verdict.cars}" if verdict.cars else name, axis.mean(axis=0), colour)


def pillar_wires(solution: Solution, corners: int = 33) -> dict[str, list[Floats]]:
    """How each pillar appears in the photo: the rims of its discs from the table up, lines of so
    many corners in pixels.
    """
    marks, round_ = solution.scene.marks, np.linspace(0.0, 2 * math.pi, corners)
    circle = np.stack([np.cos(round_), np.sin(round_)], axis=1) * marks.box.disc_radius
    found = {}
    for pillar, at in zip(marks.pillars, solution.pillars, strict=True):
        heights = [level * marks.box.disc_height for level in range(pillar.discs + 1)]
        rings = [
            np.concatenate([circle + at, np.full((corners, 1), height)], axis=1)
            for height in heights
        ]
        found[pillar.id] = [solution.camera.project(ring) for ring in rings]
    return found


def road_wires(solution: Solution) -> dict[str, tuple[Floats, Floats]]:
    """How each road appears in the photo: the rim of its top face and its middle line, in
    pixels.
    """
    marks, found = solution.scene.marks, {}
    for road, (start, end) in zip(marks.roads, solution.tips, strict=True):
        along = (end - start)[:2] / max(float(np.hypot(*(end - start)[:2])), 1e-9)
        side = np.array([-along[1], along[0], 0.0]) * marks.box.road_width / 2
        rim = np.array([start + side, end + side, end - side, start - side, start + side])
        found[road.id] = (
            solution.camera.project(rim),
            solution.camera.project(np.array([start, end])),
        )
    return found


def _marks(pen: _Pen, reading: Reading) -> None:
    marks = reading.marks
    for mark in [
        *(end for road in marks.roads for end in road.ends),
        *(car.at for car in marks.cars or ()),
    ]:
        pen.cross(mark)
    for pillar in marks.pillars:
        if pillar.top is not None:
            pen.cross(pillar.top)
    if marks.sheet is not None:
        pen.line(np.array([*marks.sheet.corners, marks.sheet.corners[0]]), _MARK)
