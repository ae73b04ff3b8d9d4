"""Whose roads they are: by the paint of the roads where they have one, else by the cars on them;
and the cars themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.photo.camera import Camera
from sim.photo.finding.net import Maps

Floats = npt.NDArray[np.float64]

_ALIKE = 0.09  # colours nearer to each other than this are one
_UNLIKE = 0.25  # a colour that is farther from all others belongs to none
_CAR_SIZE = (0.25, 4.0)  # of the area that a car is expected to have, in the picture
_CAR = 14.0 * 7.0 * 1.3  # mm^2
_ON_ROAD = 7.0  # mm beside the middle line of a road
_COLOURED = 0.05  # how much the paint of roads must differ for it to tell owners apart
_MOST_SEATS = 4


@dataclass(frozen=True, slots=True)
class SeenCar:
    """A car: where it is in pixels, its colour, and the road that it stands on by number."""

    at: tuple[float, float]
    colour: Floats
    road: int | None


def hue(colours: Floats) -> Floats:
    """Colours (n, 3) of 0 to 255 as two numbers that do not depend on the light, and darkness."""
    value = colours + 8.0
    total = value.sum(axis=-1, keepdims=True)
    share = value / total
    light = np.log(total[..., 0] / 384.0)
    return np.stack(
        [share[..., 0] - share[..., 1], share[..., 1] - share[..., 2], 0.04 * light], -1
    )


def paint(pixels: npt.NDArray[np.uint8], maps: Maps, at: Floats, scale: float) -> Floats:
    """The colour (3,) along the middle of a road from one place to another, (2, 2) in cells; nan if
    too little of it is seen. `scale` are pixels of the photo to a cell.
    """
    steps = np.linspace(0.12, 0.88, 60)
    line = at[0] + steps[:, None] * (at[1] - at[0])
    h, w = maps["top"].shape
    x = np.clip(np.round(line[:, 0]).astype(int), 0, w - 1)
    y = np.clip(np.round(line[:, 1]).astype(int), 0, h - 1)
    along = at[1] - at[0]
    angle = 2 * np.arctan2(along[1], along[0])
    same = np.cos(angle) * maps["turn_x"][y, x] + np.sin(angle) * maps["turn_y"][y, x]
    seen = (maps["top"][y, x] > 0.6) & (same > 0.8) & (maps["car"][y, x] < 0.2)
    if seen.sum() < 5:
        return np.full(3, np.nan)
    place = ((line[seen] + 0.5) * scale).astype(int)
    px = np.clip(place[:, 0], 0, pixels.shape[1] - 1)
    py = np.clip(place[:, 1], 0, pixels.shape[0] - 1)
    return np.asarray(np.median(pixels[py, px].astype(np.float64), axis=0))


def cars_in(
    pixels: npt.NDArray[np.uint8],
    maps: Maps,
    scale: float,
    camera: Camera,
    tips: Floats,
) -> list[SeenCar]:
    """The cars in a photo; `tips` (n, 2, 3) are those of the roads, in mm."""
    from sim.photo.picture import opencv

    cv2 = opencv()
    spots = (maps["car"] > 0.5).astype(np.uint8)
    count, _, stats, middles = cv2.connectedComponentsWithStats(spots, connectivity=8)
    labels = _
    found = []
    steps = np.linspace(0.06, 0.94, 45)[None, :, None]
    lines = tips[:, :1] + steps * (tips[:, 1:] - tips[:, :1]) + np.array([0.0, 0.0, 3.5])
    shown = camera.project(lines.reshape(-1, 3)).reshape(len(tips), 45, 2)
    for k in range(1, count):
        at = (middles[k] + 0.5) * scale
        area = stats[k, cv2.CC_STAT_AREA] * scale**2
        ground = camera.ground(at + scale * np.array([(0, 0), (1, 0), (0, 1)]), np.full(3, 30.0))
        a, b = ground[1] - ground[0], ground[2] - ground[0]
        mm2 = abs(float(a[0] * b[1] - a[1] * b[0])) / scale**2
        if not _CAR_SIZE[0] * _CAR < area * mm2 < _CAR_SIZE[1] * _CAR:
            continue
        y, x = np.nonzero(labels == k)
        px = np.clip(((x + 0.5) * scale).astype(int), 0, pixels.shape[1] - 1)
        py = np.clip(((y + 0.5) * scale).astype(int), 0, pixels.shape[0] - 1)
        values = pixels[py, px].astype(np.float64)
        bright = values.max(axis=1)
        colour = np.median(values[bright >= np.quantile(bright, 0.4)], axis=0)
        road = None
        if len(tips):
            away = np.hypot(*(shown - at).transpose(2, 0, 1))
            near = away.min(axis=1)
            best = int(np.nanargmin(np.where(np.isfinite(near), near, np.inf)))
            if near[best] * np.sqrt(mm2) < _ON_ROAD * 1.5:
                road = best
        found.append(SeenCar((float(at[0]), float(at[1])), colour, road))
    return found


def owned(
    near: list[set[int]], paints: Floats, cars: list[SeenCar]
) -> tuple[list[int], int, list[bool]]:
    """The owner of every road, how many there are, and whether the picture tells; `near` are the
    roads that share a pillar with each, `paints` (n, 3) their colours.

    The paint of a road tells its owner, or the cars on it, else the nearest roads of its chain do.
    A chain that nothing tells goes to who has the fewest roads, as players take turns.
    """
    n = len(paints)
    hues = hue(paints)
    known: npt.NDArray[np.bool_] = np.asarray(np.isfinite(hues).all(axis=1))
    spread = hues[known][:, :2].std(axis=0).sum() if known.sum() > 1 else 0.0
    if spread > _COLOURED:
        owners = _grouped(hues[:, :2], known)
    else:
        shades = hue(np.array([car.colour for car in cars]).reshape(-1, 3))
        groups = _grouped(shades, np.ones(len(cars), dtype=bool))
        owners = [
            _most(group for car, group in zip(cars, groups, strict=True) if car.road == road)
            for road in range(n)
        ]
    _spread(owners, near)
    told = [owner >= 0 for owner in owners]
    order = [one for one, _ in Counter(owner for owner in owners if owner >= 0).most_common()]
    number = {one: min(k, _MOST_SEATS - 1) for k, one in enumerate(order)}
    seats = max(2, min(len(order), _MOST_SEATS))
    owners = [number.get(owner, -1) for owner in owners]
    for road in range(n):
        if owners[road] < 0:
            owners[road] = min(range(seats), key=owners.count)
            _spread(owners, near)
    return owners, seats, told


def _most(groups: Iterable[int]) -> int:
    """The group that is there most often, -1 if there is none."""
    votes = Counter(group for group in groups if group >= 0)
    return votes.most_common(1)[0][0] if votes else -1


def _spread(owners: list[int], near: list[set[int]]) -> None:
    """Gives roads without an owner, -1, that of the nearest roads of their chain."""
    while True:
        new = {
            road: _most(owners[one] for one in sorted(near[road]))
            for road in range(len(owners))
            if owners[road] < 0
        }
        if all(owner < 0 for owner in new.values()):
            return
        for road, owner in new.items():
            owners[road] = owner


def _grouped(hues: Floats, known: npt.NDArray[np.bool_]) -> list[int]:
    """The group of each colour, -1 if it is not known or like no other: near ones together, the
    largest groups first, at most four.
    """
    left = [int(k) for k in np.flatnonzero(known)]
    middles: list[Floats] = []
    while left and len(middles) < _MOST_SEATS:
        near = [[k for k in left if np.linalg.norm(hues[k] - hues[c]) < _ALIKE] for c in left]
        best = max(near, key=len)
        if len(best) < 2 and middles:
            break
        middles.append(np.median(hues[best], axis=0))
        left = [k for k in left if np.linalg.norm(hues[k] - middles[-1]) >= _ALIKE * 1.2]
    found = []
    for k in range(len(hues)):
        if not known[k] or not middles:
            found.append(-1)
            continue
        away = [float(np.linalg.norm(hues[k] - middle)) for middle in middles]
        found.append(int(np.argmin(away)) if min(away) < _UNLIKE else -1)
    return found
