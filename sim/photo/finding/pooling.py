"""What several photos of one table show together: a road that one of them hides another shows, and
what is bare in one is no road.

Everything is brought into the frame and the picture of one of the photos, and goes on from there as
if that alone had shown it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from sim.bodies import Bools, Floats
from sim.photo.camera import Camera
from sim.photo.finding.looking import Look
from sim.photo.finding.owners import SeenCar, cars_in, paint
from sim.photo.finding.roads import Road
from sim.photo.finding.standing import Stand, feet_costs
from sim.photo.finding.sticks import Pillars, evidence, found_ends

SIGNS = ("one", "best", "rest", "more", "elsewhere", "shown", "bare")
"""What a road is judged by that several photos may show: 1; how probable the photo makes it that is
surest of it, and what the other photos that show it add to that, as logarithms of odds; how many
these are; whether only others show it; and the shares of it that are seen, and bare, in the photos
that did not find it.
"""

_WEIGHTS: Mapping[str, float] = {
    "one": 1.499,
    "best": 0.492,
    "rest": 0.221,
    "more": 0.261,
    "elsewhere": -2.222,
    "shown": -0.372,
    "bare": -2.824,
}
"""Fitted by `python tools/sureness.py --first 5020 --count 10 --together`."""

_SAME = 16.0  # mm: two photos show one road if its ends lie no further apart
_ONE_ROAD = 34.0  # mm in plan: what lies nearer to each other at both ends may be one road
_HIGHER = (-10.0, 0.0, 10.0)  # mm: by how much an end may be higher than it is taken to be
_SAME_PILLAR = 9.0  # mm between their middles
_TOLD = 30.0  # logarithm of odds: what a person says is sure
_SURE = (0.02, 0.98)  # how improbable, or probable, a photo makes a road at most
_ADDS = 0.9  # how sure another photo must be of a road to add it
_BEARS = 0.5  # how probable a road is that shows that its pillars stand
# cells, and cosine, by which an end here may miss the one that another photo shows
_END_NEAR, _END_WAY = 4.0, 0.8
_END_CLEAR = 0.25
_ONE_CAR = 14.0  # mm between the middles of two cars
_ON_ROAD = 3.5  # mm: half of the height of a car


@dataclass(frozen=True)
class Elsewhere:
    """What another photo shows: where its camera stood, its roads with their tips (n, 2, 3) and how
    probable they are (n,), and its pillars with the middles of their upper faces (s, 3); all in mm,
    in the frame of this photo. `best` is whether it shows most by itself.
    """

    look: Look
    camera: Camera
    roads: list[Road]
    tips: Floats
    likely: Floats
    stands: list[Stand]
    middles: Floats
    best: bool = False


@dataclass(frozen=True)
class Pool:
    """Roads as this photo has them, or would, how probable they are (n,), and for each the number
    of the road in the photos that show it: 0 is this photo, then come the others. `signs` are those
    of `SIGNS` (n, len(SIGNS)), none if this is the only photo.
    """

    roads: list[Road]
    likely: Floats
    seen: list[dict[int, int]]
    signs: Floats

    def only(self, kept: Sequence[int]) -> Pool:
        """Some of these roads."""
        return Pool(
            [self.roads[k] for k in kept],
            self.likely[kept],
            [self.seen[k] for k in kept],
            self.signs[kept],
        )


def pooled(
    look: Look,
    camera: Camera,
    roads: list[Road],
    tips: Floats,
    likely: Floats,
    others: Sequence[Elsewhere],
    told: int = 0,
) -> Pool:
    """The roads of all photos, those of this one first; the first `told` a person says. What the
    photo shows that shows most by itself stays; the others add what they are sure of.
    """
    if not others:
        seen = [{0: k} for k in range(len(roads))]
        return Pool(roads, likely, seen, np.zeros((len(roads), 0)))
    groups = grouped([tips, *(other.tips for other in others)], _SAME)
    every = [
        (look, camera, tips, likely),
        *((other.look, other.camera, other.tips, other.likely) for other in others),
    ]
    first = np.array(
        [every[n][2][k] for n, (k, _) in (next(iter(group.items())) for group in groups)]
    )
    signs = _signs(groups, first, every)
    odds = signs @ np.array([_WEIGHTS[name] for name in SIGNS])
    each = np.array(
        [
            [one[3][group[n][0]] if n in group else 0.0 for n, one in enumerate(every)]
            for group in groups
        ]
    )
    best = next((n for n, other in enumerate(others, 1) if other.best), 0)
    lead = _logit(np.clip(each[:, best], *_SURE))
    odds = np.where(each.max(axis=1) > _ADDS, odds, np.minimum(odds, lead))
    odds = np.where(lead > 0, np.maximum(odds, lead), odds)
    odds[:told] = _TOLD
    kept = _apart(first, odds, np.roll(each > 0.5, -best, axis=1))
    made = [_fused(groups[k], look, camera, roads, others) for k in kept]
    seen = [{n: one for n, (one, _) in groups[k].items()} for k in kept]
    return Pool(made, 1.0 / (1.0 + np.exp(-odds[kept])), seen, signs[kept])


def _signs(
    groups: Sequence[Mapping[int, tuple[int, bool]]],
    tips: Floats,
    every: Sequence[tuple[Look, Camera, Floats, Floats]],
) -> Floats:
    """The signs (n, len(SIGNS)) of roads with these tips (n, 2, 3), by the photos that show them
    and by those that do not.
    """
    odds = np.full((len(groups), len(every)), np.nan)
    bare, shown = np.zeros_like(odds), np.zeros_like(odds)
    for number, (look, camera, _, likely) in enumerate(every):
        found = np.array([number in group for group in groups])
        mine = [group[number][0] for group in groups if number in group]
        odds[found, number] = _logit(np.clip(likely[mine], *_SURE))
        shown[~found, number], bare[~found, number] = _shares(look, camera, tips[~found])
    best = np.nanmax(odds, axis=1)
    return np.stack(
        [
            np.ones(len(best)),
            best,
            np.nansum(odds, axis=1) - best,
            np.isfinite(odds).sum(axis=1) - 1.0,
            ~np.isfinite(odds[:, 0]),
            shown.sum(axis=1),
            bare.sum(axis=1),
        ],
        axis=1,
    )


def _apart(tips: Floats, odds: Floats, sure: Bools) -> list[int]:
    """The roads with these tips (n, 2, 3) of which none more probable, or none of which this photo
    is `sure` (n, photos), lies at the same place: one road may look like two, and lies beside
    itself if its discs are counted wrong. If one photo is sure of both, they are two.
    """
    plan = tips[..., :2]
    both = np.stack([plan, plan[:, ::-1]], axis=1)
    off = np.linalg.norm(plan[:, None, None] - both[None], axis=-1).max(axis=-1).min(axis=-1)
    one = (off < _ONE_ROAD) & ~(sure[:, None] & sure[None]).any(axis=2)
    kept: list[int] = []
    for k in np.lexsort((-odds, ~sure[:, 0])).tolist():
        if not one[k, kept].any():
            kept.append(k)
    return sorted(kept)


def _logit(likely: Floats) -> Floats:
    return np.asarray(np.log(likely / (1 - likely)))


def grouped(tips: Sequence[Floats], near: float) -> list[dict[int, tuple[int, bool]]]:
    """Which roads of several photos are one, by their tips (n, 2, 3) in one frame: the number of
    the road in each photo that shows it, and whether it runs the other way there than in the first.
    """
    groups: list[dict[int, tuple[int, bool]]] = []
    known = np.zeros((0, 2, 3))
    for number, new in enumerate(tips):
        both = np.stack([new, new[:, ::-1]], axis=1)
        off = np.linalg.norm(known[None, :, None] - both[:, None], axis=-1).max(axis=-1)
        found: dict[int, int] = {}
        for k, n, way in sorted(np.argwhere(off < near).tolist(), key=lambda one: off[*one]):
            if k not in found and number not in groups[n]:
                found[k] = n
                groups[n][number] = k, bool(way)
        left = [k for k in range(len(new)) if k not in found]
        groups += [{number: (k, False)} for k in left]
        known = np.concatenate([known, new[left]])
    return groups


def _cells(look: Look, camera: Camera, points: Floats) -> Floats:
    """Where points (..., 3) in mm are, in cells of the maps (..., 2); far outside if that is behind
    the camera.
    """
    pixels = camera.project(points.reshape(-1, 3)).reshape(*points.shape[:-1], 2)
    return np.asarray(np.nan_to_num(pixels / look.step - 0.5, nan=-1e4))


def _shares(look: Look, camera: Camera, tips: Floats) -> tuple[Floats, Floats]:
    """What shares of roads with these tips (n, 2, 3) a photo shows, and where nothing is there,
    each (n,); none of either outside the photo. Their ends may be a disc higher or lower, which
    moves them in the photo: what shows most of them counts.
    """
    h, w = look.maps["top"].shape
    best, shown, bare = np.full(len(tips), -np.inf), np.zeros(len(tips)), np.zeros(len(tips))
    for first, second in product(_HIGHER, _HIGHER):
        at = _cells(look, camera, tips + np.array([[0, 0, first], [0, 0, second]]))
        inside = ((at > 0) & (at < (w - 1, h - 1))).all(axis=(1, 2))
        seen, nothing, _, _ = evidence(look.maps, at[:, 0], at[:, 1])
        better = seen - nothing > best
        best = np.where(better, seen - nothing, best)
        shown = np.where(better, seen * inside, shown)
        bare = np.where(better, nothing * inside, bare)
    return shown, bare


def _fused(
    group: Mapping[int, tuple[int, bool]],
    look: Look,
    camera: Camera,
    roads: list[Road],
    others: Sequence[Elsewhere],
) -> Road:
    """A road as this photo has it, or else as another does, with what all say of the discs under
    its ends.
    """
    views = []
    for number, (k, turned) in group.items():
        if number > 0:
            there = others[number - 1]
            one = replace(there.roads[k], at=_cells(look, camera, there.tips[k]))
            views.append(_turned(one) if turned else one)
    if 0 in group:
        mine = roads[group[0][0]]
    else:
        mine = replace(views[0], at=_at_ends(look, views[0].at), crowd=-1)
        views = views[1:]
    levels = np.prod([mine.levels, *(one.levels for one in views)], axis=0)
    levels /= np.maximum(levels.sum(axis=1, keepdims=True), 1e-12)
    return replace(mine, levels=levels)


def _turned(one: Road) -> Road:
    return replace(
        one,
        at=one.at[::-1],
        heights=one.heights[::-1],
        seen=one.seen[::-1],
        levels=one.levels[::-1],
    )


def _at_ends(look: Look, at: Floats) -> Floats:
    """The ends (2, 2) in cells of a road, drawn to ends that this photo shows near them."""
    ends, found = found_ends(look.maps, _END_CLEAR), at.copy()
    along = at[1] - at[0]
    unit = along / max(float(np.hypot(*along)), 1e-6)
    for end, way in ((0, unit), (1, -unit)):
        if len(ends):
            away = np.where(ends.way @ way > _END_WAY, np.hypot(*(ends.at - at[end]).T), np.inf)
            if away.min() < _END_NEAR:
                found[end] = ends.at[int(away.argmin())]
    return found


# --- pillars --------------------------------------------------------------------------------------


def pillars_of(look: Look, camera: Camera, others: Sequence[Elsewhere]) -> Pillars:
    """The pillars of this photo with what others say of their discs, and those that only others
    show.
    """
    here = look.pillars
    at, odds = list(here.at), list(here.odds)
    discs = list(here.discs)
    for other in others:
        for stand, middle in zip(other.stands, other.middles, strict=True):
            bears = any(other.likely[road] > _BEARS for road, _ in stand.bears)
            if stand.at is None or stand.odds is None or not bears:
                continue
            # how probable each number of discs is by the photo that shows the pillar
            (costs,) = feet_costs(
                stand.at[None], other.look.pillars.feet, other.camera, other.look.scale
            )
            theirs = (stand.odds + 1e-3) * np.exp(-costs[: len(stand.odds)] / 2)
            theirs /= theirs.sum()
            near = _nearest(look, camera, at, middle)
            if near is None:
                at.append(_cells(look, camera, middle))
                odds.append(theirs)
                discs.append(float(stand.discs))
            else:
                both = (odds[near] + 1e-3) * theirs
                odds[near] = both / both.sum()
    return Pillars(
        np.array(at).reshape(-1, 2),
        np.array(discs),
        here.feet,
        np.array(odds).reshape(-1, here.odds.shape[1]),
    )


def yellow_at(look: Look, camera: Camera, at: Floats | None, others: Sequence[Elsewhere]) -> bool:
    """Whether another photo shows that the uppermost disc of a pillar, at this place in cells, is
    yellow.
    """
    return at is not None and any(
        stand.junction and _nearest(look, camera, [at], middle) is not None
        for other in others
        for stand, middle in zip(other.stands, other.middles, strict=True)
    )


def _nearest(look: Look, camera: Camera, at: list[Floats], middle: Floats) -> int | None:
    """Which of these places, in cells, is the middle (3,) of an upper face in mm."""
    if not at:
        return None
    pixels = (np.array(at) + 0.5) * look.step
    there = camera.unproject(pixels, np.full(len(at), middle[2]))
    away = np.hypot(*(there - middle[:2]).T)
    best = int(away.argmin())
    return best if away[best] < _SAME_PILLAR else None


# --- colours --------------------------------------------------------------------------------------


def paints_of(pool: Pool, look: Look, others: Sequence[Elsewhere]) -> Floats:
    """The colour (n, 3) of each road: as this photo shows it, else as another does; nan if none
    does.
    """
    found = []
    for road, seen in zip(pool.roads, pool.seen, strict=True):
        colour = paint(look, road.at)
        for number, k in seen.items():
            if number > 0 and not np.isfinite(colour).all():
                there = others[number - 1]
                colour = paint(there.look, there.roads[k].at)
        found.append(colour)
    return np.array(found).reshape(-1, 3)


def cars_of(
    pool: Pool, look: Look, camera: Camera, tips: Floats, others: Sequence[Elsewhere]
) -> list[SeenCar]:
    """The cars on roads with these tips (n, 2, 3): those that this photo shows, and those that only
    others do.
    """
    found = cars_in(look, camera, tips)
    for number, other in enumerate(others, 1):
        mine = [k for k, seen in enumerate(pool.seen) if number in seen]
        for car in cars_in(other.look, other.camera, tips[mine]):
            if car.road is None:
                continue
            road = mine[car.road]
            place = _on_road(other.camera, car, tips[road])
            shown = camera.project(place[None])[0]
            if np.isfinite(shown).all() and not any(
                one.road == road
                and np.linalg.norm(_on_road(camera, one, tips[road]) - place) < _ONE_CAR
                for one in found
            ):
                at = np.clip(shown, 0, (look.image.width, look.image.height))
                found.append(replace(car, at=(float(at[0]), float(at[1])), road=road))
    return found


def _on_road(camera: Camera, car: SeenCar, tips: Floats) -> Floats:
    """Where on its road a car stands (3,), in mm."""
    along = np.linspace(0.0, 1.0, 41)[:, None] * (tips[1] - tips[0])
    line = tips[0] + along + np.array([0.0, 0.0, _ON_ROAD])
    return np.asarray(line[int(np.hypot(*(camera.project(line) - car.at).T).argmin())])
