"""Photos of one table from different sides, found together.

    together = find_together([(pixels, focal), ...])
    together.found.marks, together.photos

Each photo shows a table of its own, in mm but in a frame of its own. Roads that lie alike tell how
one frame lies in the other. Then the photo that shows most takes over what the others know, if that
makes its table clearer.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rules.errors import InputError
from sim.bodies import Floats, Ints, Pixels
from sim.photo import camera as cameras
from sim.photo.camera import Frame
from sim.photo.finding.bundle import Sighting, bundled
from sim.photo.finding.finder import Considered, Found, considered_by, find, table_by
from sim.photo.finding.looking import BOX, Look
from sim.photo.finding.net import LEVELS
from sim.photo.finding.pooling import Elsewhere, Pool, grouped
from sim.photo.finding.roads import ground_of
from sim.pieces import Components

_LIKELY = 0.5  # how probable roads are by which cameras are solved
_FEWEST, _SHARE = 5, 0.5  # roads that must lie alike, and of those of the photo with fewer
_NEAR = 26.0  # mm between their ends
_NEARER = (26.0, 20.0)  # mm, the better the cameras are known
_ANYWHERE = 1e4  # mm, and radians
_UNLIKE = "it shows another table, or too few of the same roads"
_BESIDE = "it is taken from the same side as another one, so it shows nothing new"
_NO_CLEARER = "with it the table is no clearer than by the photo that shows most"
_SAME_SIDE = math.radians(8)  # between the directions to two cameras
_REFINED = 3  # times
_EXACT = 2.0  # pixels: marks that agree so well need not agree better


@dataclass(frozen=True, slots=True)
class Shown:
    """What one of the photos shows: the roads that it does not show, by id; or why it does not
    help.
    """

    unseen: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Together:
    """The table that several photos show, as marks on the photo number `on`, and what each of the
    photos adds to it; `alone` is what that photo shows by itself, and `pool` holds the roads that
    all show together, whether that table was believed or not.
    """

    found: Found
    on: int
    alone: Found
    pool: Pool
    photos: tuple[Shown, ...]


def find_together(
    photos: Sequence[tuple[Pixels, float | None]], on: int | None = None, components: str = BOX
) -> Together:
    """The table in some photos (h, w, 3), each with its focal length in pixels if that is known.
    The marks are those on the photo number `on`, if not given on the one that shows most; the
    pieces are those of `components`.

    A photo in which no table is found, or another one, is left out and says why; so is one from the
    same side as another: its faults would count as agreement. Where the photo with the marks shows
    most by itself, all others are left out if the table is no clearer with them. Raises InputError
    if none shows a table, or not the one that is to have the marks; UnavailableError without
    OpenCV.
    """
    alone: dict[int, Found] = {}
    why: dict[int, str] = {}
    refused: list[InputError] = []
    for number, (pixels, focal) in enumerate(photos):
        try:
            alone[number] = find(pixels, focal, components=components)
        except InputError as error:
            if number == on:
                raise
            refused.append(error)
            why[number] = str(error)
    if not alone:
        raise refused[0]
    if on is None:
        on = max(alone, key=lambda number: alone[number].worth)
    views, used = [_framing(alone[on])], [on]
    for number, other in alone.items():
        if number != on:
            view = _laid(alone[on], other)
            if view is None:
                why[number] = _UNLIKE
            elif any(_between(view, one, alone[on]) < _SAME_SIDE for one in views):
                why[number] = _BESIDE
            else:
                views.append(view)
                used.append(number)
    found = pool = alone[on]
    if len(views) > 1:
        views = _bundled(views)
        best = max(range(len(used)), key=lambda place: alone[used[place]].worth)
        others = tuple(_elsewhere(view, place == best) for place, view in enumerate(views) if place)
        pool = table_by(views[0].look, views[0].seen, others) or found
        if best > 0 or _is_clearer(pool, found):  # at place 0 is the photo with the marks
            found = pool
        else:
            why |= dict.fromkeys(used[1:], _NO_CLEARER)
            used = used[:1]
    shown = {number: Shown(why=told) for number, told in why.items()}
    seen = list(zip((road.id for road in found.marks.roads), found.seen, strict=True))
    for place, number in enumerate(used):
        shown[number] = Shown(tuple(name for name, by in seen if place not in by))
    return Together(found, on, alone[on], pool.pool, tuple(shown[n] for n in range(len(photos))))


def _is_clearer(pool: Found, alone: Found) -> bool:
    """Whether a table that several photos show is to be believed more than that of the best one
    alone: fewer counts are doubtful, the marks agree as well, and no chains were taken apart.
    """
    return (
        _doubts(pool) < _doubts(alone)
        and pool.solution.rms <= max(alone.solution.rms, _EXACT)
        and _joins(pool) >= _joins(alone)
    )


def _doubts(found: Found) -> int:
    """How many pillars have a count that is doubtful."""
    return len({*found.draft.names()[1].values()} & {*found.doubtful})


def _joins(found: Found) -> int:
    """How many ends of roads lie on a pillar that bears another one already."""
    feet = [foot for road in found.draft.roads for foot in road.feet if foot is not None]
    return len(feet) - len({*feet})


@dataclass(frozen=True)
class _View:
    """A photo with its camera in the frame of the first one, what it shows, and what is believed of
    the camera (SIZE,) before a road is seen and how far that may be off (SIZE,).
    """

    look: Look
    seen: Considered
    believed: Floats
    off: Floats


def _bundled(views: list[_View]) -> list[_View]:
    """The views with their cameras solved together, by the roads that they show."""
    box = views[0].look.scale.box
    for near in _NEARER:
        groups = grouped([view.seen.tips for view in views], near)
        kept = [
            group
            for group in groups
            if max(views[n].seen.likely[k] for n, (k, _) in group.items()) > _LIKELY
        ]
        tips = np.array([_likeliest(views, group, box) for group in kept])
        sightings = []
        for number, view in enumerate(views):
            ends = np.full((len(kept), 2, 2), np.nan)
            for row, group in enumerate(kept):
                if number in group:
                    k, turned = group[number]
                    way = slice(None, None, -1 if turned else 1)
                    seen = view.seen.standing.roads[k].seen
                    ends[row] = np.where(seen[:, None], view.seen.ends[k], np.nan)[way]
            side = max(view.look.image.width, view.look.image.height)
            sightings.append(Sighting(ends, side, view.seen.camera, view.believed, view.off))
        cameras, _ = bundled(sightings, tips, box.road_length)
        views = [
            replace(view, seen=considered_by(view.look, camera))
            for view, camera in zip(views, cameras, strict=True)
        ]
    return views


def _likeliest(
    views: list[_View], group: Mapping[int, tuple[int, bool]], box: Components
) -> Floats:
    """The tips (2, 3) of a road as the photo has them that is surest of it, with the discs that all
    together say.
    """
    levels = np.zeros((2, LEVELS.stop - LEVELS.start))
    best = max(group, key=lambda n: views[n].seen.likely[group[n][0]])
    for number, (k, turned) in group.items():
        odds = views[number].seen.standing.roads[k].levels
        levels += np.log(odds[::-1] if turned else odds)
    k, turned = group[best]
    tips = views[best].seen.tips[k].copy()
    if len(group) > 1:
        own = levels[::-1] if turned else levels
        tips[:, 2] = own.argmax(axis=1) * box.disc_height + box.road_thickness
    return np.asarray(tips[::-1] if turned else tips)


def _elsewhere(view: _View, best: bool) -> Elsewhere:
    """What another photo shows, for the first one."""
    seen, stands = view.seen, view.seen.standing.stands
    middles = np.full((len(stands), 3), np.nan)
    for k, stand in enumerate(stands):
        if stand.at is not None:
            discs = np.full(1, stand.discs)
            plan = ground_of(seen.camera, stand.at[None], discs, view.look.scale)[0]
            middles[k] = (*plan, view.look.scale.box.disc_height * stand.discs)
    return Elsewhere(
        view.look, seen.camera, seen.standing.roads, seen.tips, seen.likely, stands, middles, best
    )


# --- frames ---------------------------------------------------------------------------------------


def _framing(found: Found) -> _View:
    """The photo in whose frame all others are laid."""
    scene = found.solution.scene
    seen = considered_by(found.look, found.solution.camera)
    return _View(found.look, seen, scene.camera, scene.camera_off)


def _laid(base: Found, other: Found) -> _View | None:
    """What another photo shows in the frame of the first; None if too few roads lie alike."""
    motion = _motion(base.solution.tips, other.solution.tips)
    if motion is None:
        return None
    camera = other.solution.camera
    x, y = motion.on(np.array(camera.at)).tolist()
    there = replace(camera, yaw=camera.yaw + motion.turn, at=(x, y))
    scene, free = other.solution.scene, [cameras.YAW, cameras.X, cameras.Y]
    believed, off = scene.camera.copy(), scene.camera_off.copy()
    believed[free], off[free] = there.vector[free], _ANYWHERE
    return _View(other.look, considered_by(other.look, there), believed, off)


def _between(one: _View, other: _View, base: Found) -> float:
    """The angle between the directions from the middle of the table to two cameras."""
    middle = base.solution.tips.mean(axis=(0, 1))
    a, b = (
        np.array([*view.seen.camera.at, view.seen.camera.height]) - middle for view in (one, other)
    )
    return math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b))


def _motion(mine: Floats, theirs: Floats) -> Frame | None:
    """How roads with tips (m, 2, 3) must be turned and shifted to lie on others (n, 2, 3); None if
    too few do.
    """
    fewest = max(_FEWEST, math.ceil(_SHARE * min(len(mine), len(theirs))))
    best, motion = 0, Frame()
    for one in mine[:, :, :2]:
        for other in theirs[:, :, :2]:
            for there in (other, other[::-1]):
                tried = Frame.laying(there, one)
                count = len(_alike(mine, _lying(theirs, tried))[0])
                if count > best:
                    best, motion = count, tried
    for _ in range(_REFINED):
        ends, targets = _alike(mine, _lying(theirs, motion))
        if len(ends) < 2 * fewest:
            return None
        motion = Frame.laying(theirs[..., :2].reshape(-1, 2)[ends], targets[:, :2])
    return motion


def _lying(tips: Floats, motion: Frame) -> Floats:
    return np.concatenate([motion.on(tips[..., :2]), tips[..., 2:]], axis=-1)


def _alike(mine: Floats, theirs: Floats) -> tuple[Ints, Floats]:
    """The ends of theirs (m, 2, 3), by number in (2 m,), that lie near ends of mine, and these."""
    both = np.stack([mine, mine[:, ::-1]], axis=1)
    off = np.linalg.norm(theirs[:, None, None] - both[None], axis=-1).max(axis=-1)
    flat = off.reshape(len(theirs), -1)
    best = flat.argmin(axis=1)
    some = np.flatnonzero(flat.min(axis=1) < _NEAR)
    targets = both[best[some] // 2, best[some] % 2]
    return (2 * some[:, None] + np.arange(2)).ravel(), targets.reshape(-1, 3)
