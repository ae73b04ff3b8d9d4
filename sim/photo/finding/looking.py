"""What the net sees in a photo, at the scale at which it sees best, and what that may be: pillars,
pairs of ends that may be roads, and where the camera may have stood.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sim.bodies import Pixels
from sim.photo import camera as cameras
from sim.photo.camera import Camera
from sim.photo.finding.net import CHANNELS, LENGTHS, LEVELS, STEP, Maps, trained
from sim.photo.finding.roads import (
    LIFT,
    Candidates,
    Road,
    Scale,
    candidates,
    feet_away,
    joined,
    paired,
)
from sim.photo.finding.sticks import Pillars, found_ends, found_pillars
from sim.photo.finding.votes import Crowds, crowds
from sim.photo.marks import ImageSize, MarkedPillar, MarkedRoad, Marks
from sim.photo.scene import Scene
from sim.photo.solving import starts
from sim.pieces import Components

CLEAR = (0.35, 0.25, 0.15)
"""How probable ends must be to show where the camera is; each number is tried if none before
it shows that.
"""

BOX = "estimate-2018"
"""The pieces that photos show if nobody says which, and those that the net learned from."""

LOOK, ENLARGED = 1120, 1.5
"""Pixels of the longer side at which the net looks first, and by how much a smaller photo is
enlarged for that at most.
"""

_NEAR, _FAR = 2.8, 2.2  # pixels of a mm at which the net sees best
_BETWEEN = 2.45  # with fewer pixels of a mm the first look is the one from farther
_OF_USE = (1.5, 3.7)  # pixels of a mm between which a first look says enough
_LONG, _VOTED = 0.7, 0.15  # the share of roads that look shorter than they are; share of votes
_FEWEST = 4  # roads that tell how large they are
_FINEST = 2048  # pixels at most
_PILLAR_LESS = 0.05  # how much less probable a pillar may be than an end
_WEAK = (0.1, 0.06)  # how probable the ends and the pillars of the table must be
# the maps that are asked once the pairs of ends are known
_ASKED = (
    "top", "end", "side", "face", "car", "any", "turn_x", "turn_y", "to_x", "to_y", "height",
    "mid_x", "mid_y", "half", *CHANNELS[LEVELS],
)  # fmt: skip
_MOST = 60  # roads by which a camera is looked for
_FOOT_OFF = 4.0  # mm
_UNREAD = 0.02  # how probable any number of discs is at least
_TILTS, _ROLL = (0.33, 1.4), 0.7  # radians: as people hold a camera


@dataclass(frozen=True)
class Look:
    """What a photo shows: its size, the colour (h, w, 3) in the middle of each cell, the maps that
    the net draws of it, pixels to a cell of these, and the pieces by name or file.
    """

    colours: Pixels
    image: ImageSize
    maps: Maps
    step: float
    components: str = BOX

    def thin(self) -> Look:
        """What it takes to find the table again by what a person says: of the maps those that are
        still asked.
        """
        kept = replace(self, maps=self.maps.thin(_ASKED))
        kept.__dict__.update(voted=self.voted, pillars=self.pillars, pairs=self.pairs)
        return kept

    @cached_property
    def scale(self) -> Scale:
        """How large things are in the maps."""
        return Scale(self.step, Components.named(self.components))

    @cached_property
    def voted(self) -> Crowds:
        """The roads for which spots vote."""
        return crowds(self.maps)

    @cached_property
    def pillars(self) -> Pillars:
        """What may be a pillar."""
        return found_pillars(self.maps, _WEAK[1])

    @cached_property
    def pairs(self) -> Candidates:
        """What may be a road."""
        return self._pairs(_WEAK[0], self.pillars)

    def clear(self, faint: float) -> tuple[Pillars, Candidates]:
        """The pillars, and what may be a road, where ends are at least so probable."""
        pillars = found_pillars(self.maps, faint - _PILLAR_LESS)
        return pillars, self._pairs(faint, pillars)

    def _pairs(self, faint: float, pillars: Pillars) -> Candidates:
        ends = found_ends(self.maps, faint)
        return joined(candidates(ends, self.voted), paired(self.maps, ends, pillars))


def looked(
    pixels: Pixels, focal: float | None, maps: Maps | None = None, components: str = BOX
) -> Look:
    """What a photo shows; `focal` is the focal length in pixels, if it is known, `maps` what the
    net says of the photo, if that is known, `components` whose pieces lie on the table.

    The net looks twice, from farther and from nearer, so that a road has about the sizes at which
    it sees best, and once at the mirror image. Raises UnavailableError without OpenCV.
    """
    image = ImageSize(pixels.shape[1], pixels.shape[0], focal)
    if maps is not None:
        return _look(pixels, image, maps, components)
    first = _maps(pixels, LOOK)
    longest, large = float(STEP * max(first["top"].shape)), _pixels_of_mm(first)
    if large is not None:
        longest = min(longest * (_NEAR if large < _BETWEEN else _FAR) / large, _FINEST)
        if not _OF_USE[0] < large < _OF_USE[1]:
            first = _maps(pixels, longest)
    maps = _mean(_maps(pixels, longest, mirrored=True), first)
    return _look(pixels, image, maps, components)


def _look(pixels: Pixels, image: ImageSize, maps: Maps, components: str) -> Look:
    h, w = maps["top"].shape
    step = image.width / w
    y, x = (((np.arange(many) + 0.5) * step).astype(np.int64) for many in (h, w))
    some = np.ix_(np.minimum(y, image.height - 1), np.minimum(x, image.width - 1))
    return Look(pixels[some], image, maps, float(step), components)


def _pixels_of_mm(maps: Maps) -> float | None:
    """How many pixels of what the net saw are a mm, about: most roads are seen shorter than they
    are, few longer. None if too few roads are seen.
    """
    found = crowds(maps)
    at = found.at[found.share > _VOTED]
    if len(at) < _FEWEST:
        return None
    long = np.hypot(*(at[:, 1] - at[:, 0]).T) * STEP
    return float(np.quantile(long, _LONG)) / Components.named(BOX).road_length


def _maps(pixels: Pixels, longest: float, mirrored: bool = False) -> Maps:
    from sim.photo.picture import opencv

    cv2 = opencv()
    h, w = pixels.shape[:2]
    scale = min(longest / max(h, w), ENLARGED)
    size = tuple(max(round(side * scale / STEP), 1) * STEP for side in (w, h))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return trained().maps(cv2.resize(pixels, size, interpolation=how), mirrored)


def _mean(one: Maps, other: Maps) -> Maps:
    """The mean of what the net says of a photo at two sizes, on the cells of the first."""
    from sim.photo.picture import opencv

    cv2 = opencv()
    (h, w), wide = one["top"].shape, other["top"].shape[1]
    how = cv2.INTER_AREA if wide > w else cv2.INTER_LINEAR
    found = np.stack([cv2.resize(other[name], (w, h), interpolation=how) for name in CHANNELS])
    found[[CHANNELS.index(name) for name in LENGTHS]] *= np.float32(w / wide)
    return Maps.drawn((found + np.stack([one[name] for name in CHANNELS])) * np.float32(0.5))


# --- cameras --------------------------------------------------------------------------------------


def first_cameras(look: Look, roads: list[Road]) -> list[Camera]:
    """Cameras that may see these roads at their length, the likeliest first."""
    image = look.image
    size = np.array([image.width, image.height], dtype=np.float64)
    at = np.array([road.at for road in roads[:_MOST]]).reshape(-1, 2, 2)
    ends = np.clip((at + 0.5) * look.step, 0.0, size).tolist()
    marked = [
        MarkedRoad(f"A-R{n}", 0, f"A-P{2 * n}", f"A-P{2 * n + 1}", ((a, b), (c, d)))
        for n, ((a, b), (c, d)) in enumerate(ends)
    ]
    tall = [look.scale.box.disc_height * (road.heights + LIFT) for road in roads[:_MOST]]
    marks = Marks(
        image=image,
        players=2,
        ruleset="standard",
        options={},
        components=look.components,
        pillars=tuple(MarkedPillar(f"A-P{n}", 0, 1) for n in range(2 * len(marked))),
        roads=tuple(marked),
    )
    scene = replace(Scene.of(marks), heights=np.array(tall).reshape(-1, 2))
    found = [Camera.of(vector[: cameras.SIZE]) for vector in starts(scene)]
    return [
        one
        for one in found
        if _TILTS[0] < one.tilt < _TILTS[1] and abs(math.remainder(one.roll, math.tau)) < _ROLL
    ]


def feet_off(camera: Camera, pillars: Pillars, scale: Scale) -> float:
    """How badly the feet that are seen lie under the pillars, on average from 0 to 10; each pillar
    may have any number of discs, at a price.
    """
    if not len(pillars) or not len(pillars.feet):
        return 0.0
    away = feet_away(pillars.at, pillars.feet, camera, scale, pillars.odds.shape[1])
    off = (away / _FOOT_OFF) ** 2 - 2 * np.log(
        (pillars.odds + _UNREAD) / (pillars.odds.max(axis=1, keepdims=True) + _UNREAD)
    )
    return float(np.minimum(off.min(axis=1), 10.0).mean())
