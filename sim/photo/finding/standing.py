"""Which pillars stand under the roads that were found, and how many discs each has.

A count must agree with what the net reads off the pillar, with the height of the roads on it, with
the foot that is seen under it, and with the length of its roads; and a road between two pillars
without a junction goes one disc up or down.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sim.photo.camera import Camera
from sim.photo.finding.roads import LIFT, Road, ground_of
from sim.photo.finding.sticks import Pillars

Floats = npt.NDArray[np.float64]

_REACH, _ASIDE = 12.0, 6.0  # mm: how far a tip may lie from the middle of its pillar
_HIDDEN = 1.5  # how many times farther a hidden end may lie
_LEVEL = 1.6  # discs by which a tip and its pillar may seem to differ
_ON_TABLE = 0.5  # discs: a tip lower than this lies on the table
_READ, _LEVELS = 1.4, 1.0  # how much what the net reads off a pillar, and under ends, counts
_LEAST = 0.02  # how probable any number of discs is at least
_FOOT_OFF = 3.0  # mm, 1 sigma
_LONG_OFF = {2: 2.5, 1: 8.0, 0: 9.0}  # mm, 1 sigma of the length by ends that are seen
_MOST = 8.0  # what one sign may cost
_NO_STEP = 3.0  # what a road costs that does not go one disc up or down
_SWEEPS = 4


@dataclass
class Stand:
    """A pillar: its middle in cells if that is seen, what the net reads as its discs, how probable
    each number is (8,), the ends on it as (road, end), and how many discs it has. Of a pillar that
    nobody saw, `near` is where an end lies on it, in cells.
    """

    at: Floats | None
    read: float | None
    odds: Floats | None = None
    near: Floats | None = None
    bears: list[tuple[int, int]] = field(default_factory=list)
    discs: int = 1
    doubt: float = 0.0
    junction: bool = False


@dataclass
class Standing:
    """Roads with their stands: `feet` are the numbers of the pillars under both ends, None on the
    table; `heights` what the picture says of the heights of both ends in discs, nan if nothing.
    """

    roads: list[Road]
    feet: list[list[int | None]]
    heights: Floats
    seen: npt.NDArray[np.bool_]
    stands: list[Stand]

    def levels(self, road: int) -> tuple[int, int]:
        """How many discs are under both ends of a road."""
        a, b = (0 if foot is None else self.stands[foot].discs for foot in self.feet[road])
        return a, b


def stood(roads: list[Road], pillars: Pillars, camera: Camera, step: float) -> Standing:
    """The pillars under the ends of these roads."""
    stands = [
        Stand(at, float(read), odds)
        for at, read, odds in zip(pillars.at, pillars.discs, pillars.odds, strict=True)
    ]
    heights = np.array([road.heights for road in roads]).reshape(-1, 2)
    seen = np.array([road.seen for road in roads], dtype=bool).reshape(-1, 2)
    feet: list[list[int | None]] = []
    for road in roads:
        under = [_nearest(road, end, stands, camera, step) for end in (0, 1)]
        one, other = under
        if one is not None and other is not None and one[0] == other[0]:
            under[int(one[1] < other[1])] = None
        feet.append([None if one is None else one[0] for one in under])
    found = Standing(roads, feet, heights, seen, stands)
    for number, under_both in enumerate(feet):
        for end in (0, 1):
            if under_both[end] is None:
                under_both[end] = _unseen(found, number, end, camera, step)
    for number, under_both in enumerate(feet):
        if under_both[0] is None and under_both[1] is None:
            higher = int(np.nan_to_num(heights[number]).argmax())
            under_both[higher] = len(stands)
            stands.append(Stand(None, None))
        for end in (0, 1):
            if (stand := under_both[end]) is not None:
                stands[stand].bears.append((number, end))
    _sweep(found)
    return found


def _sweep(found: Standing) -> None:
    """Leaves out pillars that bear nothing."""
    used = [k for k, stand in enumerate(found.stands) if stand.bears]
    number = {old: new for new, old in enumerate(used)}
    found.stands[:] = [found.stands[k] for k in used]
    for under in found.feet:
        under[:] = [None if k is None else number[k] for k in under]


def _nearest(
    road: Road, end: int, stands: list[Stand], camera: Camera, step: float, seen: bool = True
) -> tuple[int, float] | None:
    """The pillar under an end, among those that are seen or the others, and how badly it fits; None
    if there is none.
    """
    best, least, height = None, np.inf, float(road.heights[end])
    more = 1.0 if road.seen[end] and seen else _HIDDEN
    for k, stand in enumerate(stands):
        place = stand.at if seen else stand.near
        if place is None or stand.read is None or abs(stand.read - height) > _LEVEL:
            continue
        level = np.full(3, (height + stand.read) / 2)
        level[: 2 if seen else 3] += LIFT
        cells = np.stack([road.at[end], road.at[1 - end], place])
        tip, other, middle = ground_of(camera, cells, np.maximum(level, 0.0), step)
        unit = (other - tip) / max(float(np.linalg.norm(other - tip)), 1e-6)
        off = middle - tip
        along = abs(float(off @ unit) - 1.0) / more
        aside = abs(float(off[0] * unit[1] - off[1] * unit[0])) / more
        cost = 2 * aside + along + 2.0 * abs(stand.read - height)
        if along < _REACH and aside < (_ASIDE if seen else _REACH) and cost < least:
            best, least = k, cost
    return None if best is None else (best, float(least))


def _unseen(found: Standing, road: int, end: int, camera: Camera, step: float) -> int | None:
    """The table, or a pillar that nobody saw: two ends that lie together lie on one pillar, as
    pillars are wider than that.
    """
    height = float(found.heights[road, end])
    if height < _ON_TABLE:
        return None
    shared = _nearest(found.roads[road], end, found.stands, camera, step, seen=False)
    if shared is not None and shared[0] not in found.feet[road]:
        return shared[0]
    found.stands.append(Stand(None, max(height, 1.0), near=found.roads[road].at[end]))
    return len(found.stands) - 1


# --- counts ---------------------------------------------------------------------------------------


def counted(found: Standing, feet: Floats, camera: Camera, step: float, length: float) -> None:
    """Gives every pillar the number of discs that agrees best with everything else, and says how
    much worse the next number is; `feet` are the places of feet in cells.
    """
    for stand in found.stands:
        guess = stand.read if stand.read is not None else 1.0
        stand.discs = max(round(guess), 1)
    own = [_own_costs(found, k, feet, camera, step) for k in range(len(found.stands))]
    off = _lengths_off(found, camera, step, length)
    for _ in range(_SWEEPS):
        moved = False
        for k, stand in enumerate(found.stands):
            costs = own[k] + _road_costs(found, k, off)
            best = int(costs.argmin()) + 1
            rest = np.delete(costs, best - 1)
            stand.doubt = float(rest.min() - costs[best - 1])
            moved |= best != stand.discs
            stand.discs = best
        if not moved:
            break


_HIGHEST = 9


def _own_costs(found: Standing, k: int, feet: Floats, camera: Camera, step: float) -> Floats:
    """What each number of discs costs by what is seen of the pillar itself."""
    stand, costs = found.stands[k], np.zeros(_HIGHEST)
    if stand.odds is not None:
        costs[: len(stand.odds)] -= 2 * _READ * np.log(stand.odds + _LEAST)
        costs[len(stand.odds) :] -= 2 * _READ * np.log(_LEAST)
    for road, end in stand.bears:
        levels = found.roads[road].levels[end]
        share = _LEVELS / len(stand.bears) ** 0.5
        costs[: len(levels) - 1] -= 2 * share * np.log(levels[1:] + _LEAST)
        costs[len(levels) - 1 :] -= 2 * share * np.log(_LEAST)
    if stand.at is not None:
        costs += feet_costs(stand.at, feet, camera, step)
    return costs


def feet_costs(at: Floats, feet: Floats, camera: Camera, step: float) -> Floats:
    """What each number of discs costs (9,) by how far the nearest foot, of those at `feet` (n, 2),
    is from where it would be under a pillar whose upper face is at `at`, all in cells.
    """
    if not len(feet):
        return np.zeros(_HIGHEST)
    discs = np.arange(1.0, _HIGHEST + 1)
    middle = ground_of(camera, np.repeat(at[None], _HIGHEST, axis=0), discs, step)
    there = ground_of(camera, feet, np.zeros(len(feet)), step)
    away = np.sqrt(((middle[:, None] - there[None]) ** 2).sum(axis=2)).min(axis=1)
    return np.asarray(np.minimum((away / _FOOT_OFF) ** 2, _MOST))


def _lengths_off(found: Standing, camera: Camera, step: float, length: float) -> Floats:
    """What the length of each road costs for each number of discs under its ends, (n, 10, 10)."""
    at = np.array([road.at for road in found.roads]).reshape(-1, 2)
    levels = np.arange(_HIGHEST + 1, dtype=np.float64)
    many = len(levels)
    places = ground_of(
        camera, np.repeat(at, many, axis=0), np.tile(levels + LIFT, len(at)), step
    ).reshape(-1, 2, many, 2)
    plan = ((places[:, 0, :, None] - places[:, 1, None, :]) ** 2).sum(axis=-1)
    long = np.sqrt(plan + (10.0 * (levels[:, None] - levels)) ** 2)
    sigma = np.array([_LONG_OFF[int(seen.sum())] for seen in found.seen])[:, None, None]
    return np.asarray(np.minimum(((long - length) / sigma) ** 2, _MOST))


def _road_costs(found: Standing, k: int, off: Floats) -> Floats:
    """What each number of discs costs by the roads on a pillar, the other pillars as they are."""
    costs = np.zeros(_HIGHEST)
    discs = np.arange(1, _HIGHEST + 1)
    for road, end in found.stands[k].bears:
        other = found.feet[road][1 - end]
        level = 0 if other is None else found.stands[other].discs
        yellow = found.stands[k].junction or (other is not None and found.stands[other].junction)
        costs += off[road, 1:, level] if end == 0 else off[road, level, 1:]
        if not yellow:
            costs[np.abs(discs - level) != 1] += _NO_STEP
    return costs
