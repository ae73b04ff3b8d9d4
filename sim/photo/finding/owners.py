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

_GREY = (0.02, 0.015)  # the hue of wood and of grey
_SAME = 22.0  # degrees: directions from grey nearer to each other than this are one colour
_LEAST = 0.55  # how much the colours of one direction must count to be a seat's
_SURE = 1.2  # how much, for the picture to tell that this is a seat
_FAINT, _FULL = 0.04, 0.15  # how far from grey paint is that begins to count, and how much further
_CAR_FAINT, _CAR_FULL = 0.06, 0.1  # the same of cars, which are painted all over
_CAR_COUNTS = 0.6  # how much a car on a road counts
_GREY_CARS, _DARK = 3, -0.03  # so many white or black cars are a seat's; darker is black
_CHAIN = 0.35  # how much the roads at the same pillars count
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

    The paint of a road, the cars on it and, for less, the roads that share a pillar with it vote
    for its owner; without any vote it goes with the nearest roads of its chain. A chain that
    nothing tells goes to who has the fewest roads, as players take turns. A seat of a single car is
    one, but the picture does not tell that: what was taken for a car may be none.
    """
    n = len(paints)
    votes = _votes(paints, cars)
    sure = votes.sum(axis=0) >= _SURE
    chained = votes + _CHAIN * np.array([votes[sorted(some)].sum(axis=0) for some in near])
    owners = [int(np.argmax(mine)) if mine.any() else -1 for mine in chained]
    _spread(owners, near)
    told = [owner >= 0 and bool(sure[owner]) for owner in owners]
    order = [one for one, _ in Counter(owner for owner in owners if owner >= 0).most_common()]
    number = {one: k for k, one in enumerate(order)}
    seats = max(2, len(order))
    owners = [number.get(owner, -1) for owner in owners]
    for road in range(n):
        if owners[road] < 0:
            owners[road] = min(range(seats), key=owners.count)
            _spread(owners, near)
    return owners, seats, told


def _votes(paints: Floats, cars: list[SeenCar]) -> Floats:
    """How much the paint of each road, and the cars on it, speak for each seat, (n, seats).

    A stripe mixes with the wood beside it, and so is more or less full; but it keeps its direction
    from grey. So colours of one direction are one seat's, and the fuller they are the more they
    count. Cars that are white or black have no direction: enough of them are a seat's, too.
    """
    cars = [car for car in cars if car.road is not None]
    hues = np.nan_to_num(hue(paints), nan=_GREY[0])
    known = np.asarray(np.isfinite(paints).all(axis=1))
    shades = hue(np.array([car.colour for car in cars]).reshape(-1, 3))
    striped = known.sum() > 1 and hues[known, :2].std(axis=0).sum() > _COLOURED
    way, full = _directions(hues)
    count = np.where(known & striped, np.clip((full - _FAINT) / _FULL, 0.0, 1.0), 0.0)
    car_way, car_full = _directions(shades)
    car_count = _CAR_COUNTS * np.clip((car_full - _CAR_FAINT) / _CAR_FULL, 0.0, 1.0)
    middles = _middles(np.r_[way, car_way], np.r_[count, car_count])
    found = np.zeros((len(paints), len(middles)))
    for road, (mine, much) in enumerate(zip(way, count, strict=True)):
        if much:
            _vote(found[road], middles, float(mine), float(much))
    roads = np.array([car.road for car in cars], dtype=int)
    for road, mine, much in zip(roads, car_way, car_count, strict=True):
        if much:
            _vote(found[road], middles, float(mine), float(much))
    for dark in (False, True):
        some = roads[(car_full < _CAR_FAINT) & ((shades[:, 2] < _DARK) == dark)]
        if len(some) >= _GREY_CARS and found.shape[1] < _MOST_SEATS:
            mine = _CAR_COUNTS * np.bincount(some, minlength=len(paints))
            found = np.column_stack([found, mine])
    return found


def _directions(hues: Floats) -> tuple[Floats, Floats]:
    """In which direction from grey each hue lies, in degrees, and how far."""
    off = hues[:, :2] - np.array(_GREY)
    return np.degrees(np.arctan2(off[:, 1], off[:, 0])), np.hypot(off[:, 0], off[:, 1])


def _apart(one: Floats | float, other: Floats | float) -> Floats:
    """Degrees between directions."""
    return np.asarray(np.abs((np.subtract(one, other) + 180.0) % 360.0 - 180.0))


def _middles(way: Floats, count: Floats) -> Floats:
    """The directions of the seats, from those of colours and how much each counts."""
    left, found = count.copy(), list[float]()
    while len(found) < _MOST_SEATS:
        inside = _apart(way[:, None], way[None]) < _SAME
        much = (inside * left).sum(axis=1)
        best = int(np.argmax(much)) if len(much) else 0
        if not len(much) or much[best] < (_LEAST if found else 1e-9):
            break
        each = np.where(inside[best], left, 0.0)
        turned = (each * np.exp(1j * np.radians(way))).sum()
        found.append(float(np.degrees(np.angle(turned))))
        left = np.where(_apart(way, found[-1]) < 1.4 * _SAME, 0.0, left)
    return np.array(found)


def _vote(mine: Floats, middles: Floats, way: float, much: float) -> None:
    """Adds a colour to the votes of a road, unless it is like no seat's."""
    away = _apart(middles, way)
    if len(away) and away.min() < 2.0 * _SAME:
        mine[int(np.argmin(away))] += much


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
