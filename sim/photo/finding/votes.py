"""Roads by vote: every spot of a road says where the middle of its road is and how long that is.

Spots of one road agree, also where other roads cut it into pieces or hide its ends, and spots of
two roads in one line do not. So a road is a crowd of spots that say the same. All places are in
cells of the maps.
"""

from dataclasses import dataclass

import numpy as np

from sim.bodies import Bools, Floats, Ints
from sim.photo.finding.net import REACH, STEP, Maps

_ON_ROAD = 0.5  # how probable a spot is that votes
_SPOTS = 4000  # at most, evenly out of all
_SAME, _ROUND = 0.18, 2.0  # of half of a road, and cells: by which votes may differ
_TURN = 0.30  # by which the cosine and sine of twice the angle may differ
_STRAYED, _BESIDE = (
    3.0,
    0.06,
)  # a spot that lies on a road votes for no other if it misses by so much
_AREA = 0.06  # of the square of a road's length: its top face, seen from about 45 degrees
_FEWEST = 0.04  # share of the top face of a road that must vote for it
_MOST = 70  # crowds
_STEEP = 0.4  # discs: how much the height of one spot may be off, 1 sigma
_TENS = 10.0


@dataclass(frozen=True, slots=True)
class Crowds:
    """Roads for which spots vote: the places of both ends (n, 2, 2) in cells, seen or not, how high
    the ends are in discs (n, 2), the share of the top face that votes (n,), and by how many cells
    the votes differ (n,).
    """

    at: Floats
    heights: Floats
    share: Floats
    spread: Floats

    def __len__(self) -> int:
        return len(self.at)


def middles(maps: Maps, cell: Ints) -> tuple[Floats, Floats, Floats]:
    """Where cells, by number, say that the middle of their road is, x and y, and half of its
    length, in cells.
    """
    wide, many = maps["top"].shape[1], REACH / STEP
    y, x = np.divmod(cell, wide)
    return (
        x + many * maps["mid_x"].ravel()[cell],
        y + many * maps["mid_y"].ravel()[cell],
        np.maximum(many * maps["half"].ravel()[cell], 1.0),
    )


def crowds(maps: Maps) -> Crowds:
    """The roads for which enough spots vote, those of the largest share first."""
    cells = np.flatnonzero(maps["top"].ravel() > _ON_ROAD)
    thin = max(len(cells) / _SPOTS, 1.0)
    cells = cells[(np.arange(int(len(cells) / thin)) * thin).astype(np.int64)]
    x, y, half = middles(maps, cells)
    turn = np.stack([maps[name].ravel()[cells] for name in ("turn_x", "turn_y")], axis=1)
    turn = turn / np.maximum(np.linalg.norm(turn, axis=1, keepdims=True), 1e-6)
    room = (_SAME * half + _ROUND)[:, None]
    votes = np.concatenate([np.stack([x, y, half], axis=1) / room, turn / _TURN], axis=1).astype(
        np.float32
    )
    squares = (votes**2).sum(axis=1)
    near = squares[:, None] + squares - 2 * votes @ votes.T < 1.0
    left, count = np.ones(len(cells), dtype=bool), near.sum(axis=1)
    found: list[tuple[float, Floats, Floats, float]] = []
    tall = _TENS * maps["height"].ravel()[cells]
    seen = np.stack(np.divmod(cells, maps["top"].shape[1])[::-1], axis=1).astype(np.float64)
    while len(found) < _MOST and left.any():
        best = int(np.where(left, count, -1).argmax())
        middle = votes[best]
        for _ in range(3):
            mine = left & (((votes - middle) ** 2).sum(axis=1) < 1.0)
            if not mine.any():
                break
            middle = np.median(votes[mine], axis=0)
        mine |= near[best] & left
        at, wide = _stick(x[mine], y[mine], half[mine], turn[mine])
        long = float(np.hypot(*(at[1] - at[0])))
        area = _AREA * long**2
        share = float(mine.sum()) * thin / max(area, 1.0)
        if count[best] * thin < _FEWEST * area:
            break
        if share > _FEWEST:
            found.append((share, at, _ends_up(at, seen[mine], tall[mine]), wide))
        away = ((votes - middle) ** 2).sum(axis=1)
        spent = left & (mine | ((away < _STRAYED**2) & _on(at, seen)))
        left &= ~spent
        count -= near[:, spent].sum(axis=1)
    found.sort(key=lambda one: -one[0])
    return Crowds(
        np.array([one[1] for one in found]).reshape(-1, 2, 2),
        np.array([one[2] for one in found]).reshape(-1, 2),
        np.array([one[0] for one in found]),
        np.array([one[3] for one in found]),
    )


def _on(at: Floats, seen: Floats) -> Bools:
    """Which spots (n, 2) lie on a road."""
    long = max(float(np.hypot(*(at[1] - at[0]))), 1e-6)
    unit = (at[1] - at[0]) / long
    along = (seen - at[0]) @ unit
    aside = np.abs((seen - at[0]) @ np.array([-unit[1], unit[0]]))
    return np.asarray((aside < _BESIDE * long + 1.5) & (along > -2) & (along < long + 2))


def _stick(x: Floats, y: Floats, half: Floats, turn: Floats) -> tuple[Floats, float]:
    """The ends (2, 2) for which spots vote, and by how many cells they differ."""
    angle = np.arctan2(*np.median(turn, axis=0)[::-1]) / 2
    unit = np.array([np.cos(angle), np.sin(angle)])
    middle = np.array([np.median(x), np.median(y)])
    off = np.hypot(x - middle[0], y - middle[1])
    long = float(np.median(half))
    return np.stack([middle - long * unit, middle + long * unit]), float(np.median(off))


def _ends_up(at: Floats, seen: Floats, tall: Floats) -> Floats:
    """How high the ends (2,) are, in discs, by the heights of spots: a line through them that does
    not rise by much more than one disc.
    """
    along = at[1] - at[0]
    place = ((seen - at[0]) @ along) / max(float(along @ along), 1e-9)
    middle, spread = float(place.mean()), float(place.std())
    level = float(np.median(tall))
    rise = 0.0
    for _ in range(3):
        off = tall - level - rise * (place - middle)
        weight = 1.0 / (1.0 + (off / _STEEP) ** 2)
        level += float((weight * off).sum() / weight.sum())
        off = tall - level - rise * (place - middle)
        inertia = float((weight * (place - middle) ** 2).sum())
        rise += float((weight * off * (place - middle)).sum() / (inertia + 0.02 * len(place)))
    rise = float(np.clip(rise, -1.5, 1.5)) if spread > 0.02 else 0.0
    return np.maximum(level + rise * (np.array([0.0, 1.0]) - middle), 0.0)
