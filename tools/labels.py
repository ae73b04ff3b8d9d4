"""What the net that finds roads is to say of a photo: the truth of a shot as maps at half the
size of the photo.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from shutoko.export.rendering.scene import CAR, DISC, ROAD
from sim.photo.finding.net import CHANNELS, DISCS, LEVELS, REACH, Maps
from tools.shots import Shot
from tools.staging import true_tips

Labels = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]

NOWHERE = -128
"""Stands where a number is not asked for; others are hundredths, heights tenths of a disc."""

_COUNTED = frozenset((*CHANNELS[LEVELS], *CHANNELS[DISCS]))  # follow from other maps
_SIGMA, _NEAR = 1.5, 5.0  # cells: of the spot at an end; how far its direction is asked for
_ENOUGH = 40  # pixels of a disc that must be visible, at 1280 pixels
_INSIDE = 2.0  # mm from the tip: what is visible there shows the tip


def labels(shot: Shot) -> Labels:
    """The maps (channels, h / 2, w / 2), in the order of `sim.photo.finding.net.CHANNELS`."""
    import cv2

    height, width = shot.pixels.shape[0] // 2, shot.pixels.shape[1] // 2

    def small(one: npt.NDArray[np.generic]) -> Floats:
        return np.asarray(
            cv2.resize(one.astype("f4"), (width, height), interpolation=cv2.INTER_AREA)
        )

    road, disc = shot.kinds == ROAD, shot.kinds == DISC
    up = shot.facing > 0.5
    masks = {"top": road & up, "side": disc & ~up, "face": disc & up, "car": shot.kinds == CAR}
    found = {name: small(mask) for name, mask in masks.items()}
    turns = np.zeros((len(shot.pieces) + 1, 2), dtype="f4")
    tips = true_tips(shot.played.table)
    ends = shot.camera.project(tips.reshape(-1, 3)).reshape(-1, 2, 2)
    numbers = {piece.id: n for n, piece in enumerate(shot.pieces)}
    rows = [numbers[one.id] for one in shot.played.table.roads]
    for row, (a, b) in zip(rows, ends, strict=True):
        angle = 2 * math.atan2(b[1] - a[1], b[0] - a[0])
        turns[row] = math.cos(angle), math.sin(angle)
    weight = np.maximum(found["top"], 1e-6)
    for k, name in enumerate(("turn_x", "turn_y")):
        found[name] = np.asarray(
            small(np.where(masks["top"], turns[shot.bodies, k], 0.0)) / weight, dtype="f4"
        )
        found[name][found["top"] < 0.5] = np.nan
    found["mid_x"], found["mid_y"], found["half"] = _middles(shot, rows, ends, small, found["top"])
    found["end"], found["to_x"], found["to_y"] = _ends(shot, rows, ends, tips, (height, width))
    box = shot.played.table.components
    tall = np.where(road, shot.heights - box.road_thickness, shot.heights) / box.disc_height
    asked = masks["top"] | disc
    share = small(asked)
    found["height"] = np.asarray(
        small(np.where(asked, tall, 0.0)) / np.maximum(share, 1e-6) / 10.0, dtype="f4"
    )
    found["height"][share < 0.5] = np.nan
    found["axis"], found["foot"], found["count"] = _pillars(shot, (height, width))
    stacked = np.stack([found[name] for name in CHANNELS if name in found])
    whole = np.clip(np.round(np.nan_to_num(stacked, nan=0.0) * 100), -127, 127)
    return np.asarray(np.where(np.isfinite(stacked), whole, NOWHERE), dtype=np.int8)


def true_maps(shot: Shot) -> Maps:
    """The maps that a perfect net would draw of a shot: its truth, and where that asks for nothing,
    nothing.
    """
    truth = labels(shot)
    known = np.where(truth == NOWHERE, 0, truth).astype("f4") / np.float32(100.0)
    of = dict(zip((name for name in CHANNELS if name not in _COUNTED), known, strict=True))
    for some, name in ((LEVELS, "height"), (DISCS, "count")):
        # where nothing is asked for, every number is as likely as any other
        asked = truth[list(of).index(name)] != NOWHERE
        names = CHANNELS[some]
        counted = np.round(10.0 * of[name]).astype(np.int64)
        for channel in names:
            right = counted == int(channel.removeprefix("level").removeprefix("discs"))
            of[channel] = np.where(asked, right, 1.0 / len(names)).astype("f4")
    return Maps.drawn(np.stack([of[name] for name in CHANNELS]))


def _middles(
    shot: Shot,
    rows: list[int],
    ends: npt.NDArray[np.float64],
    small: Callable[[Floats], Floats],
    top: Floats,
) -> tuple[Floats, Floats, Floats]:
    """On the top faces of roads the way to the middle between the ends, and half of the distance
    between these.
    """
    finer = shot.bodies.shape[0] / shot.pixels.shape[0]
    of = np.zeros((len(shot.pieces) + 1, 3), dtype="f4")
    of[rows, :2] = ends.mean(axis=1)
    of[rows, 2] = np.hypot(*(ends[:, 1] - ends[:, 0]).T) / 2
    mask = (shot.kinds == ROAD) & (shot.facing > 0.5)
    middles = np.where(mask[..., None], of[shot.bodies], np.float32(0.0))
    y, x = ((np.indices(mask.shape, dtype="f4") + 0.5) / np.float32(finer)) * mask
    found = []
    for value in (middles[..., 0] - x, middles[..., 1] - y, middles[..., 2]):
        part = small(value) / np.maximum(top, 1e-6) / np.float32(REACH)
        found.append(np.where(top < 0.5, np.float32(np.nan), part))
    return found[0], found[1], found[2]


def seen_ends(shot: Shot) -> npt.NDArray[np.bool_]:
    """Which ends of the roads (n, 2) are visible in a shot."""
    tips = true_tips(shot.played.table)
    numbers = {piece.id: n for n, piece in enumerate(shot.pieces)}
    rows = [numbers[one.id] for one in shot.played.table.roads]
    found = np.zeros(tips.shape[:2], dtype=bool)
    for road, (row, both) in enumerate(zip(rows, tips, strict=True)):
        along = (both[1] - both[0]) / np.linalg.norm(both[1] - both[0])
        inside = np.stack([both[0] + _INSIDE * along, both[1] - _INSIDE * along])
        for end, at in enumerate(shot.camera.project(inside)):
            found[road, end] = _shows(shot, row, at)
    return found


def _shows(shot: Shot, row: int, at: npt.NDArray[np.float64]) -> bool:
    finer = shot.bodies.shape[0] / shot.pixels.shape[0]
    x, y = (int(part * finer) for part in at)
    window = shot.bodies[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2]
    return bool((window == row).sum() >= 3)


def _ends(
    shot: Shot,
    rows: list[int],
    ends: npt.NDArray[np.float64],
    tips: npt.NDArray[np.float64],
    shape: tuple[int, int],
) -> tuple[Floats, Floats, Floats]:
    """Spots at the ends that are visible, and which way their road goes."""
    del rows, tips
    spots = np.zeros(shape, dtype="f4")
    ways = np.full((2, *shape), np.nan, dtype="f4")
    nearest = np.full(shape, _NEAR, dtype="f4")
    y, x = np.mgrid[: shape[0], : shape[1]].astype("f4")
    visible = seen_ends(shot)
    for road in range(len(ends)):
        for end in (0, 1):
            if not visible[road, end]:
                continue
            at = ends[road, end] / 2 - 0.5
            way = ends[road, 1 - end] - ends[road, end]
            way = way / max(float(np.linalg.norm(way)), 1e-6)
            top, left = (max(int(at[k]) - 8, 0) for k in (1, 0))
            part = np.s_[top : top + 17, left : left + 17]
            away = np.hypot(x[part] - at[0], y[part] - at[1])
            spots[part] = np.maximum(spots[part], _spot(away))
            mine = away < nearest[part]
            nearest[part][mine] = away[mine]
            for k in (0, 1):
                ways[k][part][mine] = way[k]
    return spots, ways[0], ways[1]


def _spot(away: Floats) -> Floats:
    return np.asarray(np.exp(-(away**2) / (2 * _SIGMA**2)), dtype="f4")


def _pillars(shot: Shot, shape: tuple[int, int]) -> tuple[Floats, Floats, Floats]:
    """Spots in the middle of the upper faces and of the feet of the pillars of which enough is
    visible, and how many tens of discs they have.
    """
    table, box = shot.played.table, shot.played.table.components
    axes, feet = np.zeros(shape, dtype="f4"), np.zeros(shape, dtype="f4")
    counts = np.full(shape, np.nan, dtype="f4")
    y, x = np.mgrid[: shape[0], : shape[1]].astype("f4")
    visible = np.bincount(shot.bodies.ravel(), minlength=len(shot.pieces) + 1)
    scale = (max(shot.bodies.shape) / 1280) ** 2
    for pillar in table.pillars:
        discs = [
            n
            for n, one in enumerate(shot.pieces)
            if one.kind == "disc" and one.id.rpartition(".")[0] == pillar.id
        ]
        discs.sort(key=lambda n: shot.pieces[n].pose.at[2])
        if visible[discs[-2:]].sum() > _ENOUGH * scale:
            top = (*shot.pieces[discs[-1]].pose.at[:2], pillar.discs * box.disc_height)
            part, away = _around(shot, top, x, y)
            axes[part] = np.maximum(axes[part], _spot(away))
            counts[part] = np.where(away < _NEAR, pillar.discs / 10.0, counts[part])
        if visible[discs[0]] > _ENOUGH * scale:
            part, away = _around(shot, (*shot.pieces[discs[0]].pose.at[:2], 0.0), x, y)
            feet[part] = np.maximum(feet[part], _spot(away))
    return axes, feet, counts


def _around(
    shot: Shot, at: tuple[float, ...], x: Floats, y: Floats
) -> tuple[tuple[slice, slice], Floats]:
    """The cells round a place in mm, and how far they are from it."""
    here = shot.camera.project(np.array([at]))[0] / 2 - 0.5
    top, left = (max(int(here[k]) - 8, 0) for k in (1, 0))
    part = np.s_[top : top + 17, left : left + 17]
    return part, np.asarray(np.hypot(x[part] - here[0], y[part] - here[1]), dtype="f4")
