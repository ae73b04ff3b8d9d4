"""Which roads there are.

Spots vote for roads; an end of a road is where an end is seen near the vote, or else, hidden, where
the vote has it. The best road is taken first, and what it explains of the picture explains no
other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from sim.bodies import Bools, Floats, Ints
from sim.photo.camera import Camera
from sim.photo.finding.net import Floats32, Maps
from sim.photo.finding.sticks import Ends, Pillars, evidence, heights
from sim.photo.finding.votes import Crowds
from sim.pieces import Components

_SHORTEST = 8.0  # cells
_BESIDE = (-2.0, -1.0, 0.0, 1.0, 2.0)  # cells by which a road may miss the middle of a pillar
# what it costs that an end goes another way, by one minus the cosine: of two ends, and of an end
# that may be that of a vote
_TURNED, _TURNED_VOTE = 1.0, 2.0
_WAY = 0.8  # cosine between the way of an end and its road
_BY = (3.0, 1.5, 0.05)  # cells, spreads of votes and lengths by which an end may miss its vote
_MISSED = 0.15  # what it costs to miss it by so much
_LEAST_SEEN = 0.08  # share of a road that must be seen
_HIDDEN, _OTHER = 0.68, 0.9  # what a share counts that is hidden, or another road
# what a share counts where no piece is seen: spots that vote for a road prove it, and then a
# building or a hand hides the rest; where no spot does, nothing is there
_BARE_VOTED, _BARE = 0.3, -2.0
_OFF = (9.0, 7.0, 4.0)  # mm, 1 sigma of the length, by how many ends are seen
_SEEN_END = 0.28  # what an end that is seen adds to a score
_MISFIT = 0.30  # what a wrong length, or wrong heights, may cost
_HEIGHT_OFF = 0.10  # what a height that is off by one disc costs
_BAND = 0.045  # of the length of a road: half of its width, which it takes of the map
_NOTEWORTHY = 0.12  # share of a road that votes for something that was not chosen
_SAME = 3.0  # cells between ends that are one
_ALIKE, _MORE = 0.25, 0.05  # shares of a road
_GUESS_OFF, _NEVER = 0.7, 0.02  # discs, 1 sigma, at an end that is hidden; least probability
FAINT = 0.45  # the least score of a road
LIFT = 0.2  # discs: how much higher the top face of a road is than its pillar


@dataclass(frozen=True, slots=True)
class Candidates:
    """Roads that may be: the crowds that vote for them (m,), and the ends by number (m, 2), -1 for
    none or hidden; places (m, 2, 2) in cells; heights (m, 2) in discs; what it costs that ends and
    votes differ (m,).
    """

    crowd: Ints
    ends: Ints
    at: Floats
    heights: Floats
    off: Floats

    def __len__(self) -> int:
        return len(self.crowd)

    def only(self, kept: Bools) -> Candidates:
        """Some of them."""
        return Candidates(*(getattr(self, name)[kept] for name in Candidates.__slots__))


@dataclass(frozen=True, slots=True)
class Road:
    """A road that was chosen: its places in cells (2, 2), its heights in discs (2,), which ends are
    seen (2,), and how good it is; `shown` is the share of it that is seen, `crowd` who voted;
    `levels` (2, 8) is how probable each number of discs under its ends is.
    """

    at: Floats
    heights: Floats
    seen: Bools
    score: float
    shown: float
    crowd: int
    levels: Floats


def candidates(ends: Ends, found: Crowds) -> Candidates:
    """What crowds vote for, with ends that are seen where they fit."""
    rows = list[tuple[int, tuple[int, int], list[Floats], list[float], float]]()
    for number in range(len(found)):
        both, tall = found.at[number], found.heights[number]
        along = both[1] - both[0]
        long = max(float(np.hypot(along[0], along[1])), 1e-6)
        room = _BY[0] + _BY[1] * found.spread[number] + _BY[2] * long
        options = []
        for end, unit in ((0, along / long), (1, -along / long)):
            away = np.hypot(*(ends.at - both[end]).T)
            agree = ends.way @ unit
            near = np.flatnonzero((away < room) & (agree > _WAY))
            cost = _MISSED * (away / room) ** 2 + _TURNED_VOTE * (1.0 - agree)
            options.append([(-1, 0.0), *((int(k), float(cost[k])) for k in near)])
        for (i, miss), (j, other) in product(*options):
            if not i == j >= 0:
                at = [both[k] if e < 0 else ends.at[e] for k, e in enumerate((i, j))]
                up = [
                    tall[k] if e < 0 else (tall[k] + ends.height[e]) / 2
                    for k, e in enumerate((i, j))
                ]
                rows.append((number, (i, j), at, up, miss + other))
    crowd, which, places, heights, costs = zip(*rows, strict=True) if rows else [()] * 5
    return Candidates(
        np.array(crowd, dtype=np.int64),
        np.array(which, dtype=np.int64).reshape(-1, 2),
        np.array(places, dtype=np.float64).reshape(-1, 2, 2),
        np.maximum(np.array(heights, dtype=np.float64).reshape(-1, 2), 0.0),
        np.array(costs, dtype=np.float64),
    )


def paired(maps: Maps, ends: Ends, pillars: Pillars) -> Candidates:
    """Roads from one end or pillar to another, whoever votes for them: where an end is hidden, the
    middle of a pillar stands for it.
    """
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
    shown, bare, _, _ = evidence(maps, at[i], at[j])
    keep = (shown > 0.5 * _LEAST_SEEN) & (bare < 0.5)
    i, j, agree, unit = i[keep], j[keep], agree[keep], unit[keep]
    places, shown = _best_lines(maps, at[i], at[j], unit, is_end[i], is_end[j])
    keep = shown > _LEAST_SEEN
    i, j, agree = i[keep], j[keep], agree[keep]
    both = np.stack([i, j], axis=1)
    return Candidates(
        np.full(len(i), -1),
        np.where(both < n, both, -1),
        places[keep],
        heights[both],
        _TURNED * (1.0 - agree),
    )


def _best_lines(
    maps: Maps, start: Floats, stop: Floats, unit: Floats, first: Bools, second: Bools
) -> tuple[Floats, Floats]:
    """The lines (m, 2, 2) along which most of a road is seen, and how much of it is. A line to a
    pillar may miss its middle a little, aside: roads lie on each other there.
    """
    aside = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    best, shown = np.full(len(start), -np.inf), np.zeros(len(start))
    places = np.stack([start, stop], axis=1)
    for off, other in product(_BESIDE, _BESIDE):
        a = start + off * aside * ~first[:, None]
        b = stop + other * aside * ~second[:, None]
        seen, bare, _, _ = evidence(maps, a, b)
        value = seen - bare - 0.02 * (abs(off) + abs(other))
        better = value > best
        best[better], shown[better] = value[better], seen[better]
        places[better] = np.stack([a, b], axis=1)[better]
    return places, shown


def joined(one: Candidates, other: Candidates) -> Candidates:
    """Both together."""
    return Candidates(
        *(
            np.concatenate([getattr(one, name), getattr(other, name)])
            for name in Candidates.__slots__
        )
    )


@dataclass(frozen=True, slots=True)
class Scale:
    """How large things are in the maps: pixels to a cell, and the pieces."""

    step: float
    box: Components


def ground_of(camera: Camera, cells: Floats, heights: Floats, scale: Scale) -> Floats:
    """The places in mm (n, 2) of cells (n, 2) at heights in discs."""
    return camera.unproject((cells + 0.5) * scale.step, heights * scale.box.disc_height)


def feet_away(at: Floats, feet: Floats, camera: Camera, scale: Scale, most: int) -> Floats:
    """How far the nearest of the feet (m, 2) is, in mm, from where it would be under pillars whose
    upper faces are at `at` (n, 2), for each number of discs up to `most`: (n, most). Places are in
    cells.
    """
    discs = np.tile(np.arange(1.0, most + 1), len(at))
    middle = ground_of(camera, np.repeat(at, most, axis=0), discs, scale)
    there = ground_of(camera, feet, np.zeros(len(feet)), scale)
    away = np.sqrt(((middle[:, None] - there[None]) ** 2).sum(axis=2)).min(axis=1)
    return np.asarray(away).reshape(-1, most)


def chosen(
    maps: Maps,
    found: Candidates,
    camera: Camera | None,
    scale: Scale,
    most: int = 100,
    faint: float = FAINT,
    told: Sequence[Road] = (),
    gone: Sequence[Road] = (),
) -> list[Road]:
    """The roads that explain the picture best, the surest first, with at least the score `faint`;
    with a camera, only those of the right length. Those `told` come first, and none is like one
    that is `gone`.
    """
    seen = found.ends >= 0
    fit = np.zeros(len(found)) if camera is None else _misfit(found, camera, scale)
    left = [not any(same(at, one.at) for one in gone) for at in found.at]
    index = np.flatnonzero((fit < _MISFIT) & np.array(left, dtype=bool))
    free, result = maps["top"].copy(), list(told)
    voted, taken = {road.crowd for road in told if road.crowd >= 0}, set[int]()
    for road in told:
        _take(maps, free, road.at)
        for at in road.at[road.seen]:
            taken |= {*found.ends[np.hypot(*(found.at - at).transpose(2, 0, 1)) < _SAME].tolist()}
    taken.discard(-1)

    def scored(which: Ints) -> tuple[Floats, Floats]:
        shown, bare, hidden, other = evidence(maps, found.at[which, 0], found.at[which, 1], free)
        score = shown + _HIDDEN * hidden + _OTHER * other
        score += np.where(found.crowd[which] >= 0, _BARE_VOTED, _BARE) * bare
        score += _SEEN_END * (seen[which].sum(axis=1) - 2.0) - fit[which] - found.off[which]
        return np.where(shown < _LEAST_SEEN, -1.0, score), shown

    # what is taken of the picture only lowers a score: the best one is looked at again until it
    # stays the best
    score, _ = scored(index)
    while len(result) < most and len(score):
        k = int(score.argmax())
        if score[k] < faint:
            break
        one = int(index[k])
        if found.crowd[one] in voted or taken.intersection(found.ends[one].tolist()):
            score[k] = -1.0
            continue
        now, shown = scored(index[k : k + 1])
        if now[0] < score[k] - 1e-9:
            score[k] = now[0]
            continue
        result.append(
            Road(
                found.at[one], found.heights[one], seen[one], float(now[0]), float(shown[0]),
                int(found.crowd[one]), _levels(maps, found, one),
            )
        )  # fmt: skip
        _take(maps, free, found.at[one])
        voted |= {int(found.crowd[one])} - {-1}
        taken |= {*found.ends[one].tolist()} - {-1}
        score[k] = -1.0
    return result


def _levels(maps: Maps, found: Candidates, one: int) -> Floats:
    """How probable each number of discs under the ends of a candidate is (2, 8)."""
    at = found.at[one]
    way = (at[1] - at[0]) / max(float(np.hypot(*(at[1] - at[0]))), 1e-6)
    _, levels = heights(maps, at, np.stack([way, -way]))
    off = found.heights[one][:, None] - np.arange(levels.shape[1])
    guess = np.exp(-0.5 * (off / _GUESS_OFF) ** 2) + _NEVER
    return np.where(
        (found.ends[one] >= 0)[:, None],
        levels + _NEVER,
        guess / guess.sum(axis=1, keepdims=True),
    )


def disputed(roads: list[Road], found: Crowds) -> list[bool]:
    """Which roads cross a crowd of votes, in the picture, of which nothing was chosen: if that is a
    road after all, it may take their cars away.
    """
    used, chosen_at = {road.crowd for road in roads}, [road.at for road in roads]
    left = [
        at
        for number, at in enumerate(found.at)
        if number not in used
        and found.share[number] > _NOTEWORTHY
        and not any(
            same(one, at, _ALIKE * float(np.hypot(*(one[1] - one[0])))) for one in chosen_at
        )
    ]
    return [any(_crosses(road.at, at) for at in left) for road in roads]


def same(one: Floats, other: Floats, room: float = _SAME) -> bool:
    """Whether two roads with these ends (2, 2) in cells are one, whichever way they run."""
    return alike(one, other, room) or alike(one, other[::-1], room)


def alike(one: Floats, other: Floats, room: float = _SAME) -> bool:
    """The same for roads that run the same way."""
    return float(np.hypot(*(one - other).T).max()) < room


def _crosses(one: Floats, other: Floats) -> bool:
    """Whether two lines, a little longer than they are, cross."""
    along, across = one[1] - one[0], other[1] - other[0]
    area = float(along[0] * across[1] - along[1] * across[0])
    if abs(area) < 1e-9:
        return False
    off = other[0] - one[0]
    here = float(off[0] * across[1] - off[1] * across[0]) / area
    there = float(off[0] * along[1] - off[1] * along[0]) / area
    return -_MORE < here < 1 + _MORE and -_MORE < there < 1 + _MORE


def fits(found: Candidates, camera: Camera, scale: Scale) -> Bools:
    """Which candidates (m,) have about the length of a road."""
    return np.asarray(_misfit(found, camera, scale) < _MISFIT)


def _misfit(found: Candidates, camera: Camera, scale: Scale) -> Floats:
    """What it costs that each candidate has another length than a road; heights may be a little
    wrong, too.
    """
    heights = found.heights + LIFT
    sigma = np.array(_OFF)[(found.ends >= 0).sum(axis=1)]
    moves = (-1.0, -0.5, 0.0, 0.5, 1.0)
    spots = [
        [
            ground_of(camera, found.at[:, k], np.maximum(heights[:, k] + move, 0.0), scale)
            for move in moves
        ]
        for k in (0, 1)
    ]
    best = np.full(len(found), np.inf)
    for (i, first), (j, second) in product(enumerate(moves), repeat=2):
        rise = scale.box.disc_height * (heights[:, 0] + first - heights[:, 1] - second)
        plan = ((spots[0][i] - spots[1][j]) ** 2).sum(axis=1)
        off = (np.sqrt(plan + rise**2) - scale.box.road_length) / sigma
        best = np.minimum(best, 0.02 * off**2 + _HEIGHT_OFF * (first**2 + second**2))
    return best


def _take(maps: Maps, free: Floats32, ends: Floats) -> None:
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
