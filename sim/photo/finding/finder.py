"""A table from a photo alone: what the net sees becomes roads, pillars and cars, and marks as a
person would set them.

    found = find(pixels, focal)
    found.marks, found.doubtful

First the roads without a camera; they show where it stood; with it, only roads of the right length
are left. Then come pillars, counts of discs, and owners; the solution of all marks gives the camera
anew, and everything is looked at once more.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from rules.errors import InputError, Refusal
from sim.bodies import Floats, Pixels
from sim.photo import camera as cameras
from sim.photo.camera import Camera
from sim.photo.drafting import Draft, DraftPillar, DraftRoad
from sim.photo.finding.facts import Fact, Known, Question, asked, on_counts, on_owners, on_roads
from sim.photo.finding.judging import clearness, signs, sure
from sim.photo.finding.looking import (
    BOX,
    CLEAR,
    ENLARGED,
    LOOK,
    Look,
    feet_off,
    first_cameras,
    looked,
)
from sim.photo.finding.net import Maps
from sim.photo.finding.owners import AHEAD, is_yellow, owned, tied
from sim.photo.finding.pooling import (
    Elsewhere,
    Pool,
    cars_of,
    paints_of,
    pillars_of,
    pooled,
    yellow_at,
)
from sim.photo.finding.roads import (
    LIFT,
    Candidates,
    Road,
    chosen,
    disputed,
    ground_of,
    same,
)
from sim.photo.finding.standing import Standing, agreeing_camera, counted, lying, made_one, stood
from sim.photo.finding.sticks import Pillars, heights
from sim.photo.marks import MAX_ROADS, ImageSize, Marks, marks_of
from sim.photo.scene import Scene
from sim.photo.solving import Solution, carried_on, solve

FEWEST = 5
"""Roads that are needed to find the camera by."""

_SMALLEST, _PANORAMA = 200, 2.5  # pixels of the shorter side; the longer one to it
_FAINT = 0.28  # the least score of a road that is considered
_LIKELY, _CLEARLY, _SURE = (
    0.5,
    0.85,
    0.9,
)  # how probable a road is that is proposed, and that is not doubtful
_DOUBT = 14.0  # a pillar whose next best count costs less than this more is doubtful
_ROUNDS = 2
_VIEWS, _DIFFERENT = 2, 0.06  # cameras that are tried to the end; radians between their tilts
_SUBSETS = 7, 11, 100  # roads to find a camera by
_SUREST, _DRAWN = 16, 16  # of the surest roads, so many times some at random show the camera
_FEET = 3.0  # roads: how much feet count in the choice of a camera
# pixels of a road; how clear an end must be to show its height, and discs under one that does not
_SHORTEST, _CLEAR, _USUAL = 12.0, 0.1, 2.0


@dataclass(frozen=True)
class Considered:
    """The roads that were considered with a camera: their ends (n, 2, 2) in pixels, and their
    signs, see `sim.photo.finding.judging.SIGNS`; `standing` are their pillars, `tips` (n, 2, 3)
    where they lie in mm, and `likely` (n,) how probable they are by this photo alone.
    """

    camera: Camera
    ends: Floats
    signs: Floats
    standing: Standing
    tips: Floats
    likely: Floats


@dataclass(frozen=True)
class Found:
    """What was found: the marks as a draft and as a file has them, the roads and pillars that are
    doubtful by id, the solution of the marks, the pillars under the marked roads, what was
    considered, and how much this table is worth: the roads that are probably right minus those that
    are probably wrong.

    `look` is what the net saw, `pool` what all photos show; `seen` says of each marked road which
    photos show it: 0 is this one, then come the `others`. `known` is what the next solution begins
    with, and `questions` are what a person can settle, those first that settle most.
    """

    draft: Draft
    json: dict[str, Any]
    marks: Marks
    doubtful: tuple[str, ...]
    solution: Solution
    standing: Standing
    considered: Considered
    worth: float
    look: Look
    pool: Pool
    seen: tuple[frozenset[int], ...]
    others: Sequence[Elsewhere]
    known: Known
    questions: tuple[Question, ...]

    def counts(self) -> dict[str, int]:
        """How many pieces were found, and how many are doubtful."""
        return {
            "roads": len(self.marks.roads),
            "pillars": len(self.marks.pillars),
            "cars": len(self.marks.cars or ()),
            "doubtful": len(self.doubtful),
        }


def find(
    pixels: Pixels,
    focal: float | None = None,
    maps: Maps | None = None,
    components: str = BOX,
) -> Found:
    """The table in a photo (h, w, 3); `focal` is the focal length in pixels, if it is known, `maps`
    what the net says of the photo, if that is known, `components` the pieces by name or file.

    Raises InputError if no table can be made out, with what to try; UnavailableError without
    OpenCV.
    """
    height, width = pixels.shape[:2]
    if min(width, height) < _SMALLEST:
        raise _nothing(width, height)
    if max(width, height) > _PANORAMA * min(width, height):
        told = (
            f"the photo has {width} x {height} pixels, as a panorama; take the table in one photo, "
            "or crop it to the table"
        )
        raise InputError(Refusal(told, "panorama", width=width, height=height))
    look = looked(pixels, focal, maps, components)
    best: Found | None = None
    for camera in _cameras(look):
        here, standing = camera, considered_by(look, camera).standing
        for _ in range(_ROUNDS):
            here = agreeing_camera(standing, look.pillars.feet, here, look.scale, look.image.focal)
            made = table_by(look, considered_by(look, here))
            if made is None:
                break
            here, standing = made.solution.camera, made.standing
            if best is None or made.worth > best.worth:
                best = made
    if best is None:
        raise _nothing(width, height)
    return best


def _cameras(look: Look) -> list[Camera]:
    """Where the camera may have stood, the likeliest first. Raises InputError if that shows too few
    roads.
    """
    most = 0
    for clear in CLEAR:
        pillars, pairs = look.clear(clear)
        roads = chosen(look.maps, pairs, None, look.scale)
        most = max(most, len(roads))
        if len(roads) >= FEWEST + 2 and (cameras := _first(look, roads, pairs, pillars)):
            return cameras
    _check_enough(most, look.image)
    return []


def _first(look: Look, roads: list[Road], pairs: Candidates, pillars: Pillars) -> list[Camera]:
    """Cameras with which most of the picture is roads of the right length, the best first; a few
    that look down differently.
    """

    def worth(camera: Camera) -> tuple[float, int]:
        some = chosen(look.maps, pairs, camera, look.scale)
        score = sum(road.score for road in some)
        return score - _FEET * feet_off(camera, pillars, look.scale), len(some)

    tries: list[Camera] = []
    for hidden, most in product((0, 1), _SUBSETS):
        some = [road for road in roads if (~road.seen).sum() <= hidden][:most]
        if len(some) >= FEWEST:
            tries += first_cameras(look, some)
    rng, sure = np.random.default_rng(0), roads[:_SUREST]
    for _ in range(_DRAWN if len(sure) > _SUBSETS[0] else 0):
        some = [sure[k] for k in rng.permutation(len(sure))[: _SUBSETS[0]]]
        tries += first_cameras(look, some)[:1]
    tries = tries or first_cameras(look, roads)
    every = [one for one in ((*worth(camera), camera) for camera in tries) if one[1] >= FEWEST]
    found = list[Camera]()
    for _, _, camera in sorted(every, key=lambda one: -one[0]):
        if len(found) < _VIEWS and all(
            abs(camera.tilt - other.tilt) > _DIFFERENT for other in found
        ):
            found.append(camera)
    return found


def again(look: Look, known: Known, others: Sequence[Elsewhere] = ()) -> Found | None:
    """The table as it must be by what a person said since it was found: the camera, roads, pillars,
    counts and owners anew, without another look. None if too few roads are left.
    """
    camera = Camera.of(known.camera)
    if not others:  # else it stands in the frame of all photos
        camera = agreeing_camera(
            _standing(look, camera, _staying(look, known), look.pillars, (), known),
            look.pillars.feet,
            camera,
            look.scale,
            look.image.focal,
        )
    return table_by(look, considered_by(look, camera, known), others, known)


def considered_by(look: Look, camera: Camera, known: Known | None = None) -> Considered:
    """The roads of a photo that may be, as this camera shows them; those that a person says are
    there come first, then those that were found before.
    """
    maps, first = look.maps, _staying(look, known)
    gone = () if known is None else [fact.road for fact in known.facts if fact.gone]
    made = chosen(maps, look.pairs, camera, look.scale, MAX_ROADS, _FAINT, first, gone)
    roads = made[: len(first)] + [
        road
        for road in made[len(first) :]
        if float(np.linalg.norm(road.at[1] - road.at[0])) * look.step > _SHORTEST
        and road.levels.argmax(axis=1).any()  # what lies on the table with both ends is to spare
    ]
    standing = _standing(look, camera, roads, look.pillars, (), known)
    marked, tips = _placed(standing, camera, look)
    values = signs(maps, standing, look.voted)
    likely = sure(values)
    likely[: 0 if known is None else len(known.there)] = 1.0
    return Considered(
        camera,
        marked,
        values,
        standing,
        tips,
        likely,
    )


def _staying(look: Look, known: Known | None) -> list[Road]:
    """The roads that a person says are there, and then the others that were found before."""
    if known is None:
        return []
    told = [_told(look, fact) for fact in known.there]
    other = [*(one.at for one in told), *(fact.road.at for fact in known.facts if fact.gone)]
    return told + [
        road for road in known.standing.roads if not any(same(road.at, at) for at in other)
    ]


def _told(look: Look, fact: Fact) -> Road:
    """The road that a person says is there, with what the picture shows of the discs under it where
    the person did not count them: of ends that it hides it shows what lies over them.
    """
    at, levels = fact.road.at, fact.road.levels
    along = (at[1] - at[0]) / max(float(np.hypot(*(at[1] - at[0]))), 1e-6)
    tall, odds = heights(look.maps, at, np.stack([along, -along]))
    seen = clearness(look.maps, at) > _CLEAR
    tall, odds = np.where(seen, tall, _USUAL), np.where(seen[:, None], odds, 1 / odds.shape[1])
    if not np.isnan(levels).any():
        tall, odds = fact.road.heights.copy(), levels.copy()
    for end, discs in enumerate(fact.discs):
        if discs is not None:
            tall[end], odds[end] = discs, np.arange(odds.shape[1]) == discs
    return replace(fact.road, heights=tall, levels=odds)


def _standing(
    look: Look,
    camera: Camera,
    roads: list[Road],
    pillars: Pillars,
    others: Sequence[Elsewhere],
    known: Known | None,
) -> Standing:
    """The pillars under these roads, with their discs; the first roads are those that a person says
    are there.
    """
    there = [] if known is None else known.there
    said = {
        (n, end): discs
        for n, fact in enumerate(there)
        for end, discs in enumerate(fact.discs)
        if discs is not None
    }
    found = stood(
        roads, pillars, camera, look.scale, said, None if known is None else known.standing
    )
    for stand in found.stands:
        told = [there[n].yellow[end] for n, end in stand.bears if n < len(there)]
        stand.junction = next(
            (bool(one) for one in told if one is not None),
            stand.at is not None
            and (is_yellow(look, stand.at) or yellow_at(look, camera, stand.at, others)),
        )
    counted(found, pillars.feet, camera, look.scale)
    return found


def table_by(
    look: Look,
    considered: Considered,
    others: Sequence[Elsewhere] = (),
    known: Known | None = None,
) -> Found | None:
    """The table that a photo shows, and `others` in its frame, with what is `known` already; None
    if that is too little.
    """
    camera, image, seen = considered.camera, look.image, considered.standing.roads
    facts, there = ((), []) if known is None else (known.facts, known.there)
    every = pooled(look, camera, seen, considered.tips, considered.likely, others, len(there))
    pool, hidden = _kept(every, known)
    if len(pool.roads) < FEWEST:
        return None
    standing, marked, tips = _stood(look, camera, pool, others, known)
    cars = cars_of(pool, look, camera, tips, others)
    said = {n: fact.owner for n, fact in enumerate(there) if fact.owner is not None}
    paints = paints_of(pool, look, others)
    owning = owned(tied(standing), paints, cars, None if known is None else known.seats, said)
    owners = owning.owners
    clear = [
        lead > AHEAD and not other
        for lead, other in zip(owning.ahead, disputed(pool.roads, look.voted), strict=True)
    ]
    players = max(2, *(owner + 1 for owner in owners), 0 if known is None else known.draft.players)
    draft, order = _draft(standing, marked, owners, players, look)
    value = draft.to_json()
    value["cars"] = [
        {"owner": owners[car.road], "at": [round(car.at[0], 1), round(car.at[1], 1)]}
        for car in cars
        if car.road is not None
    ]
    try:
        marks = marks_of(json.dumps(value).encode())
        solution = carried_on(Scene.of(marks), camera.vector)
        if solution.rms > 0.01 * max(image.width, image.height):
            solution = solve(Scene.of(marks))
    except InputError:
        return None
    known = Known(
        draft, standing.only(order), facts, owning.seats, solution.vector[: cameras.SIZE], look.step
    )
    on_pillars, on_chains = on_counts(known, standing, order), on_owners(known, owning, order)
    return Found(
        draft, value, marks, _doubtful(standing, draft, order, clear, pool.likely), solution,
        standing, considered,
        float((2 * pool.likely - 1).sum()), look, every,
        tuple(frozenset(pool.seen[road]) for road in order), others, known,
        asked((*on_roads(known, hidden), *on_pillars, *on_chains)),
    )  # fmt: skip


def _kept(every: Pool, known: Known | None) -> tuple[Pool, Pool]:
    """The roads that are taken to be there, and those that may be. What was found stays until a
    person deletes it; where that was, another road may seem to be: it comes up if it is clear.
    """
    facts, roads = ((), ()) if known is None else (known.facts, known.standing.roads)
    gone = [
        n >= sum(not fact.gone for fact in facts)
        and any(same(road.at, one.road.at) for one in facts if one.gone)
        for n, road in enumerate(every.roads)
    ]
    old = np.array([any(same(road.at, one.at) for one in roads) for road in every.roads], bool)
    left = np.where(gone, 0.0, every.likely)
    clear = (left > (_LIKELY if known is None else _CLEARLY)) | (old & (left > 0.0))
    hidden = ~clear & (left > 1.0 - _SURE)
    return every.only(np.flatnonzero(clear).tolist()), every.only(np.flatnonzero(hidden).tolist())


def _stood(
    look: Look, camera: Camera, pool: Pool, others: Sequence[Elsewhere], known: Known | None
) -> tuple[Standing, Floats, Floats]:
    """The pillars under these roads, the marks (n, 2, 2) of their ends in pixels, and their tips
    (n, 2, 3) in mm.
    """
    pillars = pillars_of(look, camera, others)
    standing = _standing(look, camera, pool.roads, pillars, others, known)
    _, tips = _placed(standing, camera, look)
    made_one(standing, tips[:, :, :2], look.scale.box.disc_radius)
    counted(standing, pillars.feet, camera, look.scale, doubts=True)
    marked, tips = _placed(standing, camera, look)
    lying(standing)
    return standing, marked, tips


def _check_enough(good: int, image: ImageSize) -> None:
    """Raises InputError if there are too few roads to find a camera by."""
    if good == 0:
        raise _nothing(image.width, image.height)
    if good < FEWEST:
        found = (
            f"{good} road{'' if good == 1 else 's'} found, too few to find the camera by: "
            f"{FEWEST} or more do; "
        )
        if _is_small(image.width, image.height):
            raise InputError(
                Refusal(
                    f"{found}the picture has {image.width} x {image.height} pixels, and roads are "
                    f"looked for with {LOOK} on the longer side; give the photo as the camera took "
                    "it, or mark the roads and a sheet of paper by hand",
                    "few-roads-small",
                    n=good,
                    fewest=FEWEST,
                    width=image.width,
                    height=image.height,
                    best=LOOK,
                )
            )
        raise InputError(
            Refusal(
                f"{found}photograph the whole table, or mark the roads and a sheet of paper by "
                "hand",
                "few-roads",
                n=good,
                fewest=FEWEST,
            )
        )


def _is_small(width: int, height: int) -> bool:
    """Whether a photo has fewer pixels than roads are looked for with."""
    return min(width, height) < _SMALLEST or max(width, height) * ENLARGED < LOOK


def _nothing(width: int, height: int) -> InputError:
    """That no road is found, with what to try; of a small photo with its size."""
    if _is_small(width, height):
        return InputError(
            Refusal(
                f"no road found; the picture has {width} x {height} pixels: its shorter side needs "
                f"{_SMALLEST} at least, and roads are looked for with {LOOK} on the longer one; "
                "give the photo as the camera took it, sharp, from 45 to 70 degrees above the "
                "table",
                "small-picture",
                width=width,
                height=height,
                least=_SMALLEST,
                best=LOOK,
            )
        )
    return InputError(
        Refusal(
            "no road found; take the photo from 45 to 70 degrees above the table, sharp, with the "
            "whole table large in it, or mark the roads by hand",
            "no-road",
        )
    )


# --- marks ----------------------------------------------------------------------------------------


def _placed(standing: Standing, camera: Camera, look: Look) -> tuple[Floats, Floats]:
    """The marks of the ends of all roads (n, 2, 2) in pixels, hidden ends where the length of their
    road has them; and their tips (n, 2, 3) in mm.
    """
    roads, box, image = standing.roads, look.scale.box, look.image
    at = np.array([road.at for road in roads]).reshape(-1, 2, 2)
    seen = np.array([road.seen for road in roads]).reshape(-1, 2).astype(np.float64)
    levels = np.array([standing.levels(n) for n in range(len(roads))], np.float64).reshape(-1, 2)
    tall = levels * box.disc_height + box.road_thickness
    spots = ground_of(camera, at.reshape(-1, 2), (levels + LIFT).ravel(), look.scale)
    start, along = spots[::2, None], np.diff(spots.reshape(-1, 2, 2), axis=1)
    unit = along / np.maximum(np.linalg.norm(along, axis=2, keepdims=True), 1e-6)
    run = np.sqrt(box.road_length**2 - (box.disc_height * np.diff(levels)) ** 2)[..., None]
    share = 0.5 * (1 + np.diff(seen))[..., None]  # of the way: what stays where it is
    plan = start + share * along + (np.array([[0.0], [1.0]]) - share) * run * unit
    there = camera.project(np.concatenate([plan, tall[..., None]], axis=2).reshape(-1, 3))
    there = np.where(seen[..., None] > 0, (at + 0.5) * look.step, there.reshape(-1, 2, 2))
    marked = np.clip(np.nan_to_num(there), 0.0, (image.width, image.height))
    plan = camera.unproject(marked.reshape(-1, 2), tall.ravel()).reshape(-1, 2, 2)
    return marked, np.concatenate([plan, tall[..., None]], axis=2)


def _draft(
    standing: Standing, marked: Floats, owners: list[int], seats: int, look: Look
) -> tuple[Draft, list[int]]:
    """The marks as a draft, roads in a likely order of building, and that order."""
    order = _order(standing, owners, seats)
    used = [(foot, owners[road]) for road in order for foot in standing.feet[road]]
    numbers: dict[tuple[int | None, int], int] = {}
    pillars, roads = list[DraftPillar](), list[DraftRoad]()
    for foot, owner in used:
        if foot is not None and (foot, owner) not in numbers:
            stand = standing.stands[foot]
            numbers[foot, owner] = len(pillars)
            pillars.append(DraftPillar(owner, stand.discs, stand.junction and stand.discs > 1))
    for road in order:
        one, other = (numbers.get((foot, owners[road])) for foot in standing.feet[road])
        (a, b), (c, d) = marked[road].tolist()
        roads.append(DraftRoad(owners[road], ((a, b), (c, d)), (one, other)))
    draft = Draft(
        look.image, seats, tuple(pillars), tuple(roads), owners[order[-1]] if order else 0,
        components=look.components,
    )  # fmt: skip
    return draft, order


def _order(standing: Standing, owners: list[int], seats: int) -> list[int]:
    """A likely order of building: each chain grows from its ramp, and the players take turns."""
    turns: dict[int, tuple[int, int]] = {}
    for seat in range(seats):
        mine = [road for road, owner in enumerate(owners) if owner == seat]
        left = sorted(mine, key=lambda n: (None not in standing.feet[n], max(standing.levels(n))))
        while left:
            front = left[:1]
            while front:
                road = front.pop(0)
                if road in left:
                    left.remove(road)
                    turns[road] = len(mine) - len(left), seat
                    for foot in standing.feet[road]:
                        front += [] if foot is None else [k for k, _ in standing.stands[foot].bears]
    return sorted(turns, key=turns.__getitem__)


def _doubtful(
    standing: Standing, draft: Draft, order: list[int], clear: list[bool], likely: Floats
) -> tuple[str, ...]:
    """The ids of roads and pillars that somebody should look at."""
    roads, pillars = draft.names()
    found = [roads[n] for n, k in enumerate(order) if likely[k] < _SURE or not clear[k]]
    weak = [
        pillars[number]
        for road, one in zip(order, draft.roads, strict=True)
        for foot, number in zip(standing.feet[road], one.feet, strict=True)
        if foot is not None and number is not None and standing.stands[foot].doubt < _DOUBT
    ]
    return (*found, *dict.fromkeys(weak))
