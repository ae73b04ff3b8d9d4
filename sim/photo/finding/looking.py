"""What the net sees in a photo, at the scale at which it sees best, and what that may be: pillars
and pairs of ends that may be roads.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sim.photo.finding.net import STEP, Maps, trained
from sim.photo.finding.roads import Candidates, candidates, joined, paired
from sim.photo.finding.sticks import Pillars, found_ends, found_pillars
from sim.photo.finding.viewing import image_of
from sim.photo.finding.votes import Crowds, crowds
from sim.photo.marks import ImageSize

Pixels = npt.NDArray[np.uint8]

CLEAR = (0.35, 0.25, 0.15)
"""How probable ends must be to show where the camera is; each number is tried if none before
it shows that.
"""

LOOK, ENLARGED = 1120, 1.5
"""Pixels of the longer side at which the net looks first, and by how much a smaller photo is
enlarged for that at most.
"""

_FILLED = 0.85  # the share of a photo that a table fills in training
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

    The net looks closer if the table fills only a part of the photo. Raises UnavailableError
    without OpenCV.
    """
    image = image_of(pixels, focal)
    if maps is not None:
        return Look(pixels, image, maps, image.width / maps["top"].shape[1])
    maps, step = _maps(pixels, LOOK)
    ends = found_ends(maps, CLEAR[0])
    if len(ends) >= 4:
        low, high = np.quantile(ends.at, (0.03, 0.97), axis=0)
        share = float(((high - low) / maps["top"].shape[::-1]).max())
        finer = min(LOOK * _FILLED / max(share, 0.05), _FINEST)
        if finer > 1.25 * LOOK:
            maps, step = _maps(pixels, finer)
    return Look(pixels, image, maps, step)


def _maps(pixels: Pixels, longest: float) -> tuple[Maps, float]:
    from sim.photo.picture import opencv

    cv2 = opencv()
    h, w = pixels.shape[:2]
    scale = min(longest / max(h, w), ENLARGED)
    size = tuple(max(round(side * scale / STEP), 1) * STEP for side in (w, h))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(pixels, size, interpolation=how)
    return trained().maps(small), STEP * w / size[0]
