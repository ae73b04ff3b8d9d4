"""What the surfaces in a picture look like: concrete, asphalt, paint, plaster and wood, worked out
point by point.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shutoko.export.rendering.scene import (
    BUILDING,
    CAR,
    DISC,
    GLASS,
    HUB,
    ROAD,
    TABLE,
    TYRE,
    Colour,
    Floats,
    Ints,
    Scene,
    linear,
)
from shutoko.export.rendering.shapes import Paint

_WINDOW: Colour = (116, 138, 158)


def painted(
    scene: Scene, body: Ints, paint: npt.NDArray[np.int8], point: Floats, normal: Floats
) -> tuple[Floats, Floats]:
    """Linear colours (n, 3) and gloss (n,) of the points of the bodies, textures included."""
    colour = scene.colour[body]
    gloss = np.full(len(body), 0.02, dtype="f4")
    kind = scene.kind[body]
    for code, texture in (
        (DISC, _concrete),
        (ROAD, _road),
        (CAR, _car),
        (BUILDING, _facade),
        (TABLE, _wood),
    ):
        where = np.flatnonzero(kind == code)
        if not len(where):
            continue
        which = body[where]
        turn = scene.to_body[which]
        local = np.einsum("ij,ijk->ik", point[where] - scene.at[which], turn)
        facing = np.einsum("ij,ijk->ik", normal[where], turn)
        colour[where], gloss[where] = texture(scene, _Spots(which, local, facing, colour[where]))
    for special, shown, shine in (
        (Paint.GLASS, GLASS, 0.8),
        (Paint.TYRE, TYRE, 0.05),
        (Paint.HUB, HUB, 0.4),
    ):
        where = np.flatnonzero(paint == special)
        colour[where], gloss[where] = linear([shown])[0], shine
    return colour, gloss


@dataclass(frozen=True, slots=True)
class _Spots:
    """Points on bodies of one kind: body numbers (n,); place and facing in the body's frame, plain
    colours (n, 3).
    """

    body: Ints
    local: Floats
    facing: Floats
    colour: Floats


_Painted = tuple[Floats, float]


def _concrete(scene: Scene, spots: _Spots) -> _Painted:
    """Cast discs: slightly uneven, with fine pores; no two alike."""
    x, y = (
        spots.local[:, 0] + spots.local[:, 2] * 0.7 + scene.grain[spots.body],
        spots.local[:, 1] - spots.local[:, 2] * 0.7,
    )
    grain = 0.10 * (_noise(scene, x / 3.1, y / 3.1) - 0.5) + 0.10 * (
        _noise(scene, x / 0.9, y / 0.9) - 0.5
    )
    return spots.colour * (1 + grain)[:, None], 0.03


def _road(scene: Scene, spots: _Spots) -> _Painted:
    """Asphalt with a stripe of the owner's colour along the middle and the owner's colour on the
    flanks.
    """
    half = scene.half[spots.body]
    grain = 1 + 0.12 * (
        _noise(scene, spots.local[:, 0] / 1.1 + scene.grain[spots.body], spots.local[:, 1] / 1.1)
        - 0.5
    )
    across, along = (
        np.abs(spots.local[:, 1]) / half[:, 1],
        np.abs(spots.local[:, 0]) - (half[:, 0] - half[:, 1]),
    )
    marked = (across < 0.24) & (along < 0) | (np.abs(spots.facing[:, 2]) < 0.5)
    return np.where(marked[:, None], scene.accent[spots.body], spots.colour) * grain[:, None], 0.03


def _car(scene: Scene, spots: _Spots) -> _Painted:
    """Shiny paint, two lamps in front, two red ones behind."""
    x, y, z = (spots.local / scene.half[spots.body]).T
    lights = (np.abs(y) > 0.45) & (np.abs(y) < 0.85) & (z > -0.35) & (z < -0.05)
    front, rear = (
        lights & (spots.facing[:, 0] > 0.6) & (x > 0.8),
        lights & (spots.facing[:, 0] < -0.6) & (x < -0.8),
    )
    colour = np.where(front[:, None], linear([(255, 246, 214)]), spots.colour)
    return np.where(rear[:, None], linear([(150, 16, 16)]), colour), 0.55


def _facade(scene: Scene, spots: _Spots) -> _Painted:
    """Plaster with rows of windows on all upright sides, none at the foot and under the roof."""
    half = scene.half[spots.body]
    box = np.abs(spots.facing[:, 0]) > np.abs(spots.facing[:, 1])
    flat = np.where(box, spots.local[:, 1], spots.local[:, 0])
    wide = np.where(box, half[:, 1], half[:, 0])
    floor = (spots.local[:, 2] + half[:, 2]) / np.float32(8.5)
    column = flat / np.float32(6.0)
    window = (np.abs(floor % 1 - 0.5) < 0.27) & (np.abs(column % 1 - 0.5) < 0.33) & (floor > 1)
    window &= (
        (spots.local[:, 2] < half[:, 2] - 3.5)
        & (np.abs(flat) < wide - 2.5)
        & (np.abs(spots.facing[:, 2]) < 0.3)
    )
    tone = 0.85 + 0.3 * _noise(
        scene, np.floor(column) * 5.7 + scene.grain[spots.body], np.floor(floor) * 7.9
    )
    return np.where(window[:, None], linear([_WINDOW]) * tone[:, None], spots.colour), 0.05


def _wood(scene: Scene, spots: _Spots) -> _Painted:
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
    dark, light = linear([(146, 106, 71), (190, 148, 107)])
    tone = dark + (light - dark) * grain[:, None]
    seam = 1 - np.clip((0.5 - np.abs(y / np.float32(96.0) - plank - 0.5)) * 96.0 / 1.3, 0, 1)
    return tone * ((0.90 + 0.16 * own) * (1 - 0.5 * seam * seam))[:, None], 0.04


def _noise(scene: Scene, x: npt.NDArray[Any], y: npt.NDArray[Any]) -> Floats:
    """Smooth noise from 0 to 1 with features of size 1, repeated every 256."""
    left, low = np.floor(x), np.floor(y)
    u, v = x - left, y - low
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    i, j = left.astype(np.int32) & 255, low.astype(np.int32) & 255
    i1, j1 = (i + 1) & 255, (j + 1) & 255
    tile = scene.noise
    bottom = tile[i, j] * (1 - u) + tile[i1, j] * u
    return np.asarray(bottom * (1 - v) + (tile[i, j1] * (1 - u) + tile[i1, j1] * u) * v, dtype="f4")
