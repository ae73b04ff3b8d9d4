"""Taps compared with the picture: each moves towards the end of the road that is seen there; a tap
far from it is suspect.

The picture and a tap are two measurements of one place, so a tap moves by as much as the picture is
the better one. Where a road is hidden, or another one looks the same, the picture says nothing and
the tap stays. If only the sides are seen, as under another road, the tap moves aside and not along.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sim.languages import Sentence
from sim.photo.marks import Marks
from sim.photo.picture.flat import Photo, flattened, seen
from sim.photo.picture.sticks import Seen, reach_of, seen_road
from sim.photo.solution.leftout import pixels_a_mm
from sim.photo.solution.scene import Floats
from sim.photo.solution.solving import Solution

__all__ = ["Astray", "Looked", "looked"]

# how well sides must fit to be believed, and how much better than elsewhere
_SIDES, _SIDES_LEAD = (
    0.35,
    0.06,
)
_END, _END_LEAD = 0.7, 0.3  # the same for an end
_OFF = 0.3  # mm, 1 sigma: how well the picture shows an end, or a side
_AGREE = (
    2.0  # sigmas: a tap and an end that differ by more, and by less than a slip, are not one place
)
# of the longer side of the image, and of taps: a tap further off is a slip
_SLIP, _SLIP_SIGMAS = (
    0.006,
    5.0,
)
_SEEN_ASIDE = 4.0  # mm by which the under face shows at most


@dataclass(frozen=True, slots=True)
class Astray:
    """A tap at which the picture shows no end: the road and its end by number, how far off it is in
    pixels, and whether the end itself is seen or only the sides of the road.
    """

    road: int
    end: int
    off: float
    end_seen: bool

    def why(self, marks: Marks) -> Sentence:
        """What to say of it."""
        road = marks.roads[self.road]
        foot = (road.base, road.target)[self.end]
        values = {
            "piece": road.id,
            "foot": foot,
            "off": round(self.off),
            "seen": "end" if self.end_seen else "side",
        }
        return Sentence("photo-suspect-picture", values)


@dataclass(frozen=True, slots=True)
class Looked:
    """Marks after a look at the picture: with taps where the picture shows the ends; by how many
    pixels each was moved (n, 2); the taps that sit on no end; and those that surely sit on one, as
    roads and their ends by number. `unnoticed` is how far such a tap may be off without a word (n,
    2), in mm; infinite for others.
    """

    marks: Marks
    moved: Floats
    astray: tuple[Astray, ...]
    sure: frozenset[tuple[int, int]]
    unnoticed: Floats


def looked(solution: Solution, pixels: npt.NDArray[np.uint8]) -> Looked:
    """The marks of a solution held against the photo (h, w, 3). Raises UnavailableError without
    OpenCV.
    """
    scene, marks = solution.scene, solution.scene.marks
    fine = pixels_a_mm(solution).reshape(-1, 2)
    photo = Photo.of(pixels, float(np.median(fine)) if len(fine) else 1.0)
    ends, astray, sure = scene.ends.copy(), list[Astray](), set[tuple[int, int]]()
    most = max(_SLIP * max(marks.image.width, marks.image.height), _SLIP_SIGMAS * solution.pixels)
    for index in range(scene.roads):
        found = _found(solution, photo, index)
        for end in (0, 1):
            drawn = _drawn_to(solution, found, index, end, most)
            if drawn.slip:
                off = float(np.linalg.norm(drawn.at - scene.ends[index, end]))
                astray.append(Astray(index, end, off, drawn.sure))
            if drawn.sure:
                sure.add((index, end))
            ends[index, end] = np.clip(drawn.at, 0.0, (marks.image.width, marks.image.height))
    roads = tuple(
        replace(road, ends=((float(a[0]), float(a[1])), (float(b[0]), float(b[1]))))
        for road, (a, b) in zip(marks.roads, np.round(ends, 1), strict=True)
    )
    moved = np.linalg.norm(ends - scene.ends, axis=-1)
    unnoticed = np.full_like(moved, np.inf)
    for index, end in sure:
        unnoticed[index, end] = most / fine[index, end]
    return Looked(replace(marks, roads=roads), moved, tuple(astray), frozenset(sure), unnoticed)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Where a tap belongs by the picture (2,), whether it slipped, and whether it surely sits on
    its end now.
    """

    at: Floats
    slip: bool = False
    sure: bool = False


def _found(solution: Solution, photo: Photo, index: int) -> Seen:
    box = solution.scene.marks.box
    reach = reach_of(box.road_length, box.road_width, _SEEN_ASIDE)
    flat = flattened(photo, solution.camera, solution.tips[index], box.road_thickness, reach)
    return seen_road(flat, box.road_length, box.road_width)


def _drawn_to(solution: Solution, found: Seen, index: int, end: int, most: float) -> _Drawn:
    """What the picture says of a tap; it slipped if it is off by `most` pixels or more."""
    tap = solution.scene.ends[index, end]
    if found.sides < _SIDES or found.sides_lead < _SIDES_LEAD:
        return _Drawn(tap)
    known = np.array([found.ends[end] >= _END and found.ends_lead[end] >= _END_LEAD, True])
    at = found.at[end]
    here, ahead, aside = seen(
        solution.camera, solution.tips[index], at + np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
    )
    axes = np.stack([ahead - here, aside - here], axis=1)
    off = np.linalg.solve(axes, tap - here)  # mm along and aside
    sure = bool(known.all())
    if np.linalg.norm(axes @ (off * known)) > most:
        return _Drawn(tap - axes @ (off * known), slip=True, sure=sure)
    sigma = solution.pixels / np.linalg.norm(axes, axis=0)
    known &= np.abs(off) < _AGREE * np.hypot(sigma, _OFF)
    share = sigma**2 / (sigma**2 + _OFF**2)
    return _Drawn(tap - axes @ (off * share * known), sure=sure and bool(known.all()))
