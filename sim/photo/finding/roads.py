"""Which pairs of places have a road between them.

A road goes from one end or pillar to another. Its end may be hidden under the next road on the same
pillar; then the middle of the pillar stands for it. The best road is taken first, and what it
explains of the picture explains no other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.photo.camera import Camera
from sim.photo.finding.net import Maps
from sim.photo.finding.sticks import Ends, Pillars, evidence

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_WAY = 0.85  # cosine between the way of an end and its road
_SHORTEST = 8.0  # cells
_LEAST_SEEN = 0.10  # share of a road that must be seen
_OFF = {2: 4.5, 1: 8.0, 0: 9.0}  # mm, 1 sigma of the length, by how many ends are seen
_SEEN_END = 0.22  # what an end that is seen adds to a score
_BESIDE = (-2.0, -1.0, 0.0, 1.0, 2.0)  # cells by which a road may miss the middle of a pillar
_MISFIT = 0.30  # what a wrong length, or wrong heights, may cost
_HEIGHT_OFF = 0.10  # what a height that is off by one disc costs
_FAINT = 0.45  # the least score of a road
_BAND = 0.045  # of the length of a road: half of its width, which it takes of the map


@dataclass(frozen=True, slots=True)
class Candidates:
    """Roads that may be, from one node to another: nodes are first the ends, then the pillars.

    `nodes` (m, 2) by number; places (m, 2, 2) in cells; heights (m, 2) in discs; how well the ways
    of the ends agree (m,).
    """

    nodes: Ints
    at: Floats
    heights: Floats
    agree: Floats
    seen: Ints


@dataclass(frozen=True, slots=True)
class Road:
    """A road that was chosen: its nodes, its places in cells (2, 2), and how good it is; `shown` is
    the share of it that is seen.
    """

    nodes: tuple[int, int]
    at: Floats
    score: float
    shown: float


def candidates(maps: Maps, ends: Ends, pillars: Pillars) -> Candidates:
    """All pairs of nodes that may be joined, by the picture alone."""
    n, p = len(ends), len(pillars)
    at = np.concatenate([ends.at, pillars.at])
    heights = np.concatenate([np.maximum(ends.height, 0.0), pillars.discs])
    way = np.concatenate([ends.way, np.zeros((p, 2))])
    is_end = np.arange(n + p) < n
    i, j = np.triu_indices(n + p, 1)
    along = at[j] - at[i]
    far = np.hypot(along[:, 0], along[:, 1])
    unit = along / np.maximum(far, 1e-9)[:, None]
    first = np.where(is_end[i], (way[i] * unit).sum(axis=1), 1.0)
    second = np.where(is_end[j], -(way[j] * unit).sum(axis=1), 1.0)
    agree = np.minimum(first, second)
    keep = (far > _SHORTEST) & (agree > _WAY)
    i, j, agree, unit = i[keep], j[keep], agree[keep], unit[keep]
    shown, bare, _ = evidence(maps, at[i], at[j])
    keep = (shown > 0.5 * _LEAST_SEEN) & (bare < 0.5)
    i, j, agree, unit = i[keep], j[keep], agree[keep], unit[keep]
    places, shown, bare = _best_lines(maps, at[i], at[j], unit, is_end[i], is_end[j])
    keep = (shown > _LEAST_SEEN) & (bare < 0.35)
    i, j, agree = i[keep], j[keep], agree[keep]
    return Candidates(
        np.stack([i, j], axis=1),
        places[keep],
        np.stack([heights[i], heights[j]], axis=1),
        agree,
        is_end[i].astype(np.int64) + is_end[j],
    )


def _best_lines(
    maps: Maps,
    start: Floats,
    stop: Floats,
    unit: Floats,
    first: npt.NDArray[np.bool_],
    second: npt.NDArray[np.bool_],
) -> tuple[Floats, Floats, Floats]:
    """The lines (m, 2, 2) from nodes to nodes along which most of a road is seen, how much of it
    is, and how much is bare. A line to a pillar may miss its middle a little, aside: roads lie on
    each other there.
    """
    aside = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    best = np.full(len(start), -np.inf)
    places = np.stack([start, stop], axis=1)
    shown, bare = np.zeros(len(start)), np.zeros(len(start))
    for off in _BESIDE:
        for other in _BESIDE:
            a = start + off * aside * ~first[:, None]
            b = stop + other * aside * ~second[:, None]
            seen, open_, _ = evidence(maps, a, b)
            value = seen - open_ - 0.02 * (abs(off) + abs(other))
            better = value > best
            best = np.where(better, value, best)
            places[better] = np.stack([a, b], axis=1)[better]
            shown, bare = np.where(better, seen, shown), np.where(better, open_, bare)
    return places, shown, bare


def ground_of(camera: Camera, cells: Floats, heights: Floats, step: float) -> Floats:
    """The places in mm (n, 2) of cells (n, 2) at heights in discs; `step` are pixels to a cell."""
    pixels = (cells + 0.5) * step
    return camera.ground(pixels, heights * 10.0)


def chosen(
    maps: Maps,
    found: Candidates,
    ends: int,
    camera: Camera | None,
    step: float,
    length: float,
    most: int = 100,
) -> list[Road]:
    """The roads that explain the picture best, the surest first; with a camera, only those of the
    right length.
    """
    keep = np.ones(len(found.nodes), dtype=bool)
    fit = np.zeros(len(found.nodes))
    if camera is not None and len(found.nodes):
        fit = _misfit(found, ends, camera, step, length)
        keep = fit < _MISFIT
    index = np.flatnonzero(keep)
    nodes, at, agree = found.nodes[index], found.at[index], found.agree[index]
    seen, fit = found.seen[index], fit[index]
    free, taken = maps["top"].copy(), set[int]()
    result: list[Road] = []

    def scored(which: Ints) -> tuple[Floats, Floats]:
        shown, bare, hidden = evidence(maps, at[which, 0], at[which, 1], free)
        score = (shown + 0.55 * hidden - 2.5 * bare) * np.clip(
            (agree[which] - 0.8) / 0.16, 0.3, 1.0
        ) + (_SEEN_END * (seen[which] - 2) * 0.5 - fit[which])
        return np.where(shown < _LEAST_SEEN, -1.0, score), shown

    # what is taken of the picture only lowers a score: the best one is looked at again until it
    # stays the best
    score, _ = scored(np.arange(len(index)))
    while len(result) < most and len(score):
        k = int(score.argmax())
        if score[k] < _FAINT:
            break
        if taken.intersection(nodes[k].tolist()):
            score[k] = -1.0
            continue
        now, shown = scored(np.array([k]))
        if now[0] < score[k] - 1e-9:
            score[k] = now[0]
            continue
        i, j = (int(node) for node in nodes[k])
        result.append(Road((i, j), at[k], float(now[0]), float(shown[0])))
        _take(maps, free, at[k])
        taken.update(node for node in (i, j) if node < ends)
        score[k] = -1.0
    return result


def _misfit(found: Candidates, ends: int, camera: Camera, step: float, length: float) -> Floats:
    """What it costs that each candidate has another length than a road; heights may be a little
    wrong, too.
    """
    heights = found.heights + np.where(found.nodes < ends, 0.2, 0.0)
    wanted = length - (2 - found.seen)
    sigma = np.array([_OFF[0], _OFF[1], _OFF[2]])[found.seen]
    moves = (-1.0, -0.5, 0.0, 0.5, 1.0)
    spots = [
        [
            ground_of(camera, found.at[:, k], np.maximum(heights[:, k] + move, 0.0), step)
            for move in moves
        ]
        for k in (0, 1)
    ]
    best = np.full(len(found.nodes), np.inf)
    for i, first in enumerate(moves):
        for j, second in enumerate(moves):
            rise = 10.0 * (heights[:, 0] + first - heights[:, 1] - second)
            plan = ((spots[0][i] - spots[1][j]) ** 2).sum(axis=1)
            off = (np.sqrt(plan + rise**2) - wanted) / sigma
            best = np.minimum(best, 0.02 * off**2 + _HEIGHT_OFF * (first**2 + second**2))
    return best


def extended(
    maps: Maps, ends: Ends, free: list[int], camera: Camera, step: float, length: float, first: int
) -> Candidates:
    """For ends whose road has no other end that is seen, and no pillar: where it may end, by its
    length. New nodes are counted from `first`.
    """
    nodes: list[tuple[int, int]] = []
    at: list[tuple[Floats, Floats]] = []
    heights: list[tuple[float, float]] = []
    for end in free:
        height = max(float(ends.height[end]), 0.0)
        here = ground_of(camera, ends.at[end][None], np.array([height + 0.2]), step)[0]
        ahead = ground_of(
            camera, (ends.at[end] + 6 * ends.way[end])[None], np.array([height + 0.2]), step
        )[0]
        unit = (ahead - here) / max(float(np.linalg.norm(ahead - here)), 1e-6)
        for other in (height - 1, height + 1):
            if other < -0.5:
                continue
            rise = 10.0 * (other - height)
            run = np.sqrt(length**2 - rise**2)
            # the way that is seen slopes with the road: try what keeps it in the picture
            stop = camera.project(np.array([[*(here + run * unit), 10 * height + 2 + rise]]))[0]
            if not np.isfinite(stop).all():
                continue
            cells = stop / step - 0.5
            line = cells - ends.at[end]
            far = float(np.linalg.norm(line))
            nodes.append((end, first + len(nodes)))
            at.append((ends.at[end], ends.at[end] + far * ends.way[end]))
            heights.append((height, max(other, 0.0)))
    if not nodes:
        return Candidates(
            np.zeros((0, 2), dtype=np.int64), np.zeros((0, 2, 2)), np.zeros((0, 2)),
            np.zeros(0), np.zeros(0, dtype=np.int64),
        )  # fmt: skip
    places = np.array(at)
    shown, bare, _ = evidence(maps, places[:, 0], places[:, 1])
    keep = (shown > _LEAST_SEEN) & (bare < 0.2)
    return Candidates(
        np.array(nodes, dtype=np.int64)[keep],
        places[keep],
        np.array(heights)[keep],
        np.full(int(keep.sum()), 0.94),
        np.ones(int(keep.sum()), dtype=np.int64),
    )


def joined(one: Candidates, other: Candidates) -> Candidates:
    """Both together."""
    return Candidates(
        *(
            np.concatenate([getattr(one, name), getattr(other, name)])
            for name in Candidates.__slots__
        )
    )


def _take(maps: Maps, free: npt.NDArray[np.float32], ends: Floats) -> None:
    """Takes what a road explains out of the map of what is free."""
    h, w = free.shape
    along = ends[1] - ends[0]
    far = float(np.hypot(along[0], along[1]))
    unit = along / far
    wide = _BAND * 1.1 * far + 0.5
    low = np.clip(np.floor(ends.min(axis=0) - wide).astype(int), 0, (w, h))
    high = np.clip(np.ceil(ends.max(axis=0) + wide).astype(int) + 1, 0, (w, h))
    y, x = np.mgrid[low[1] : high[1], low[0] : high[0]]
    dx, dy = x - ends[0, 0], y - ends[0, 1]
    forward, aside = dx * unit[0] + dy * unit[1], dy * unit[0] - dx * unit[1]
    window = np.s_[low[1] : high[1], low[0] : high[0]]
    angle = 2 * np.arctan2(along[1], along[0])
    same = np.cos(angle) * maps["turn_x"][window] + np.sin(angle) * maps["turn_y"][window]
    inside = (forward > -2) & (forward < far + 2) & (np.abs(aside) < wide) & (same > 0.92)
    free[window][inside] = 0.0
