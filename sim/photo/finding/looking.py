"""What the net sees in a photo, at the scale at which it sees best, and what that may be: pillars
and pairs of ends that may be roads.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sim.photo.finding.net import CHANNELS, LENGTHS, STEP, Maps, trained
from sim.photo.finding.roads import Candidates, candidates, joined, paired
from sim.photo.finding.sticks import Pillars, found_ends, found_pillars
from sim.photo.finding.viewing import image_of
from sim.photo.finding.votes import Crowds, crowds
from sim.photo.marks import ImageSize
from sim.pieces import Components

Pixels = npt.NDArray[np.uint8]

CLEAR = (0.35, 0.25, 0.15)
"""How probable ends must be to show where the camera is; each number is tried if none before
it shows that.
"""

BOX = "estimate-2018"
"""The pieces that photos show."""

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


@dataclass(frozen=True)
class Look:
    """A photo (h, w, 3), its size, the maps that the net draws of it, and pixels to a cell of
    these.
    """

    pixels: Pixels
    image: ImageSize
    maps: Maps
    step: float

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


def looked(pixels: Pixels, focal: float | None, maps: Maps | None = None) -> Look:
    """What a photo shows; `focal` is the focal length in pixels, if it is known, `maps` what the
    net says of the photo, if that is known.

    The net looks twice, from farther and from nearer, so that a road has about the sizes at which
    it sees best, and once at the mirror image. Raises UnavailableError without OpenCV.
    """
    image = image_of(pixels, focal)
    if maps is not None:
        return Look(pixels, image, maps, _step(maps, image))
    first = _maps(pixels, LOOK)
    longest, large = float(STEP * max(first["top"].shape)), _pixels_of_mm(first)
    if large is not None:
        longest = min(longest * (_NEAR if large < _BETWEEN else _FAR) / large, _FINEST)
        if not _OF_USE[0] < large < _OF_USE[1]:
            first = _maps(pixels, longest)
    maps = _mean(_maps(pixels, longest, mirrored=True), first)
    return Look(pixels, image, maps, _step(maps, image))


def _step(maps: Maps, image: ImageSize) -> float:
    return float(image.width / maps["top"].shape[1])


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
