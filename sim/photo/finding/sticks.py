"""Sticks in the maps that the net draws: ends, and pairs of ends with a road between them.

An end says where it is and which way its road goes. Two ends whose ways meet, with road all the way
between them, are a road; where something lies over it, that says nothing. All places here are in
cells of the maps.
"""

from dataclasses import dataclass

import numpy as np

from sim.bodies import Floats, Ints
from sim.photo.finding.net import CHANNELS, DISCS, LEVELS, Floats32, Maps
from sim.photo.finding.votes import middles

_MOST = 90  # how many ends there may be
_ALONE = 2.0  # cells: nearer to each other than this, only the better end counts
_SAMPLES = 48  # places looked at along a road
_PILLARS_APART = 4.0
_MOST_PILLARS = 60
_VOTE_OFF = (3.0, 0.15)  # cells, and of half of a road: how far a vote may miss its road
_RIM = 0.04  # share of a road at each end that is not looked at


@dataclass(frozen=True, slots=True)
class Ends:
    """Ends of roads: places (n, 2), ways along the road (n, 2), and heights in discs (n,)."""

    at: Floats
    way: Floats
    height: Floats

    def __len__(self) -> int:
        return len(self.at)


@dataclass(frozen=True, slots=True)
class Pillars:
    """The middles of the upper faces of pillars (n, 2), covered or not, how many discs they seem to
    have (n,), places of feet (m, 2), and how probable each number of discs is (n, 8), from 1 on.
    """

    at: Floats
    discs: Floats
    feet: Floats
    odds: Floats

    def __len__(self) -> int:
        return len(self.at)


def found_ends(maps: Maps, faint: float) -> Ends:
    """The ends that are at least so probable."""
    at, x, y = _peaks(maps["end"], faint, _ALONE, _MOST)
    way = np.stack([maps["to_x"][y, x], maps["to_y"][y, x]], axis=1).astype(np.float64)
    way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-6)
    return Ends(at, way, heights(maps, at, way)[0])


def found_pillars(maps: Maps, faint: float) -> Pillars:
    """The pillars, and the feet, that are at least so probable."""
    at, x, y = _peaks(maps["axis"], faint, _PILLARS_APART, _MOST_PILLARS)
    feet, _, _ = _peaks(maps["foot"], faint, _PILLARS_APART, _MOST_PILLARS)
    discs = np.maximum(10.0 * maps["count"][y, x].astype(np.float64), 1.0)
    odds = np.stack([maps[name][y, x] for name in CHANNELS[DISCS]], axis=1).astype(np.float64)
    return Pillars(at, discs, feet, odds)


def _peaks(spots: Floats32, faint: float, alone: float, most: int) -> tuple[Floats, Ints, Ints]:
    """Where a map is highest: places (n, 2) between cells, and the cells, the highest first."""
    h, w = spots.shape
    wide = np.pad(spots.astype(np.float64), 1)
    around = np.stack([wide[i : i + h, j : j + w] for i in range(3) for j in range(3)])
    y, x = np.nonzero((spots > faint) & (spots >= around.max(axis=0)))
    order = np.argsort(-spots[y, x], kind="stable")
    kept: list[int] = []
    for n in order:
        if len(kept) == most:
            break
        if all(np.hypot(x[n] - x[k], y[n] - y[k]) > alone for k in kept):
            kept.append(int(n))
    y, x = y[kept].astype(np.int64), x[kept].astype(np.int64)
    weights = around[:, y, x] + 1e-9
    offsets = np.array([(j - 1, i - 1) for i in range(3) for j in range(3)], dtype=np.float64)
    at = np.stack([x, y], axis=1) + (weights.T @ offsets) / weights.sum(axis=0)[:, None] * 1.3
    return at, x, y


def heights(maps: Maps, at: Floats, way: Floats) -> tuple[Floats, Floats]:
    """How high roads are near their ends, in discs (n,), and how probable each number of discs
    under them is (n, 8): what the maps say on their first few cells.
    """
    h, w = maps["top"].shape
    place = at[:, None] + np.array([[1.0], [2.5], [4.0]]) * way[:, None]
    x, y = np.clip(np.round(place).astype(np.int64), 0, (w - 1, h - 1)).transpose(2, 0, 1)
    share = maps["top"][y, x].astype(np.float64) + 1e-6
    share /= share.sum(axis=1, keepdims=True)
    levels = np.stack([maps[name][y, x] for name in CHANNELS[LEVELS]], axis=2)
    tall = maps["height"][y, x] * 10.0
    return (tall * share).sum(axis=1), (levels * share[:, :, None]).sum(axis=1)


def evidence(
    maps: Maps, start: Floats, stop: Floats, top: Floats32 | None = None
) -> tuple[Floats, Floats, Floats, Floats]:
    """What lies between places (m, 2) and others (m, 2): the share of each way that is this road,
    the share that is bare, the share that something may hide, and the share that is another road in
    its direction (each m,). `top` is the map of top faces without those that are taken.
    """
    steps = np.linspace(_RIM, 1 - _RIM, _SAMPLES)
    at = start[:, None, :] + steps[:, None] * (stop - start)[:, None, :]
    h, w = maps["top"].shape
    x = np.clip(np.round(at[..., 0]), 0, w - 1).astype(np.int64)
    y = np.clip(np.round(at[..., 1]), 0, h - 1).astype(np.int64)
    cell = y * w + x
    along = stop - start
    angle = 2 * np.arctan2(along[:, 1], along[:, 0])
    same = np.cos(angle)[:, None].astype("f4") * maps["turn_x"].ravel()[cell]
    same += np.sin(angle)[:, None].astype("f4") * maps["turn_y"].ravel()[cell]
    free = (maps["top"] if top is None else top).ravel()[cell]
    flat = free * np.clip((same - np.float32(0.5)) / np.float32(0.35), 0.0, 1.0)
    to_x, to_y, half = middles(maps, cell)
    middle, long = (start + stop) / 2, np.hypot(along[:, 0], along[:, 1]) / 2
    off = np.hypot(to_x - middle[:, :1], to_y - middle[:, 1:]) + np.abs(half - long[:, None])
    mine = flat * np.clip(2.0 - off / (_VOTE_OFF[0] + _VOTE_OFF[1] * long[:, None]), 0.0, 1.0)
    bare = np.clip(1.0 - 2.0 * np.maximum(mine, maps["any"].ravel()[cell]), 0.0, 1.0)
    other = np.minimum(flat - mine, 1.0 - bare - np.minimum(mine, 1.0 - bare))
    hidden = 1.0 - bare - np.minimum(mine, 1.0 - bare) - other
    return mine.mean(axis=1), bare.mean(axis=1), hidden.mean(axis=1), other.mean(axis=1)
