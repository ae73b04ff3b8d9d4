"""What the pixels of a photo say of the taps on it: where the ends of sticks are seen, and which
taps sit on none.

The picture round a road is flattened onto its top face. There a road has one shape and size
wherever the camera stands: 110 by 9 mm with round ends, say. It has a thickness, too, so its under
face shows beyond the sides that the camera sees, and its outline counts there as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.polynomial.polynomial import polygrid2d, polyvander2d

from rules.errors import UnavailableError
from sim.installing import install
from sim.languages import Sentence
from sim.photo.camera import Camera
from sim.photo.marks import Marks
from sim.photo.scene import Floats
from sim.photo.solving import Solution, pixels_a_mm

Pixels = npt.NDArray[np.uint8]

STEP = 0.25
"""The size of a pixel of the flattened picture, mm."""

_FINEST = 4.0  # pixels a mm; a finer photo is made smaller first
_SMOOTH = 0.7  # pixels, 1 sigma: against the noise of the camera
# the place of a pixel in the photo is a polynomial, found from so many points a side
_DEGREE, _FEW = (
    5,
    8,
)


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo to look at: its pixels (h, w, 3), smoothed, and how much smaller it is than the image
    that was marked.
    """

    pixels: Pixels
    scale: float

    @classmethod
    def of(cls, pixels: Pixels, pixels_a_mm: float) -> Photo:
        """A photo (h, w, 3) on which a millimetre takes so many pixels. Raises UnavailableError
        without OpenCV.
        """
        cv2, scale = opencv(), min(1.0, _FINEST / max(pixels_a_mm, 1e-6))
        if scale < 1.0:
            size = (max(round(pixels.shape[1] * scale), 1), max(round(pixels.shape[0] * scale), 1))
            pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        return cls(cv2.GaussianBlur(pixels, (0, 0), _SMOOTH), scale)


@dataclass(frozen=True, slots=True)
class Flat:
    """Slopes of the colours round a road, in levels a mm: the sums over the colours of the products
    along-along, along-aside and aside-aside, each (rows, columns). `zero` is the row and column of
    the road's middle. Rows go along the road, columns aside. `under` is by how much the under face
    is seen shifted, in mm along and aside.
    """

    along: Floats
    mixed: Floats
    aside: Floats
    zero: tuple[int, int]
    under: tuple[float, float]

    def across(self, places: Floats, normals: Floats) -> Floats:
        """How steep the picture is at places (..., 2) in mm across edges with these normals (...,
        2), in levels a mm.
        """
        index = np.round(places / STEP).astype(np.int64) + np.array(self.zero)
        rows = np.clip(index[..., 0], 0, self.along.shape[0] - 1)
        columns = np.clip(index[..., 1], 0, self.along.shape[1] - 1)
        a, b = normals[..., 0], normals[..., 1]
        square = (
            self.along[rows, columns] * a * a
            + 2 * self.mixed[rows, columns] * a * b
            + self.aside[rows, columns] * b * b
        )
        return np.asarray(np.sqrt(np.maximum(square, 0.0)))


def opencv() -> Any:
    """OpenCV. Raises UnavailableError, with the installing command, without it."""
    try:
        return import_module("cv2")
    except ImportError as error:
        raise UnavailableError(
            "the ends of roads are found in the picture by OpenCV, which is not installed: "
            f"{install('photo')}"
        ) from error


@dataclass(frozen=True, slots=True)
class _Frame:
    """The middle of a road's top face (3,) in mm, and unit vectors along it, aside and up."""

    middle: Floats
    along: Floats
    aside: Floats
    up: Floats

    @classmethod
    def of(cls, tips: Floats) -> _Frame:
        along = (tips[1] - tips[0]) / np.linalg.norm(tips[1] - tips[0])
        aside = np.array([-along[1], along[0], 0.0]) / max(math.hypot(along[0], along[1]), 1e-9)
        return cls(tips.mean(axis=0), along, aside, np.cross(along, aside))

    def points(self, places: Floats) -> Floats:
        """Places (..., 2) along and aside as points (..., 3) of the table."""
        return np.asarray(self.middle + places[..., :1] * self.along + places[..., 1:] * self.aside)


def flattened(
    photo: Photo, camera: Camera, tips: Floats, thick: float, reach: tuple[float, float]
) -> Flat:
    """The picture round a road from tip to tip (2, 3) that is `thick` mm, as far as `reach` in mm
    along and aside.
    """
    cv2, frame = opencv(), _Frame.of(tips)
    counts = [round(far / STEP) for far in reach]
    at = _seen_at(
        camera, frame, [np.linspace(-count * STEP, count * STEP, 2 * count + 1) for count in counts]
    )
    where = (at * photo.scale - 0.5).astype(np.float32)
    flat = cv2.remap(
        photo.pixels,
        where[..., 0],
        where[..., 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    flat = cv2.GaussianBlur(flat.astype(np.float32), (0, 0), 1.0)
    along, aside = np.gradient(flat, STEP, axis=(0, 1))
    eye = np.array([*camera.at, camera.height]) - frame.middle
    share = thick / (max(float(eye @ frame.up), thick) + thick)
    under = (share * float(eye @ frame.along), share * float(eye @ frame.aside))
    return Flat(
        (along**2).sum(-1),
        (along * aside).sum(-1),
        (aside**2).sum(-1),
        (counts[0], counts[1]),
        under,
    )


def seen(camera: Camera, tips: Floats, places: Floats) -> Floats:
    """Where places (n, 2) along and aside of the middle of a road, in mm, appear in the photo (n,
    2).
    """
    return camera.project(_Frame.of(tips).points(places))


def _seen_at(camera: Camera, frame: _Frame, axes: Sequence[Floats]) -> Floats:
    """Where the points of a flat grid appear (rows, columns, 2): a polynomial through a few of them
    is exact and quick.
    """
    x, y = (np.asarray(axis / axis[-1]) for axis in axes)
    coarse = np.cos(np.linspace(0.0, math.pi, _FEW))
    few = np.stack(np.meshgrid(coarse, coarse, indexing="ij"), axis=-1).reshape(-1, 2)
    pixels = camera.project(frame.points(few * (axes[0][-1], axes[1][-1])))
    by, *_ = np.linalg.lstsq(
        polyvander2d(few[:, 0], few[:, 1], (_DEGREE, _DEGREE)), pixels, rcond=None
    )
    found = polygrid2d(x, y, by.reshape(_DEGREE + 1, _DEGREE + 1, 2))
    return np.asarray(np.moveaxis(found, 0, -1))


# --- sticks ---------------------------------------------------------------------------------------
# Where a road lies in the picture: first its two long sides together, then each of its ends on the
# line between them.
#
# The sides say how far the road lies aside, which the taps at an open end leave to chance. The half
# circle of an end says how far it reaches, and so does the length of the road.


REACH = 12.0
"""How far from where the marks give it an end is looked for, in mm along and aside."""

_TURN = 0.5  # mm aside at one end against the other, from one direction tried to the next
_APART = 1.0  # mm between the samples of an edge
_RIM = 6.0  # mm round all that is compared
# levels a mm: edges of so much count half, the one to find them, the other to place them
_FAINT, _CLEAR = (
    15.0,
    60.0,
)
_ROUNDED = 0.3  # mm by which the edges of a stick are rounded: its top face ends so much before it
_SHOWN = 0.3  # mm by which the under face must show for its outline to count
_INSIDE = 8.0  # mm of the sides that must be there before an end, and must not go on beyond it
_OTHER_SIDES, _OTHER_END = 4.0, 2.0  # mm; a fit further off than this is another one
_FAR = 0.08  # what a fit at the end of reach must have more
_LENGTH_OFF = 0.8  # mm, 1 sigma of the length of a road as the picture is flattened


@dataclass(frozen=True, slots=True)
class Seen:
    """A road as the picture shows it: its two ends (2, 2), mm along and aside of the middle that
    the marks give it.

    `sides` is how well both sides fit, from 0 to 1, `sides_lead` how much better than anywhere
    else; the same for the two `ends`, which go to 1.5.
    """

    at: Floats
    sides: float
    sides_lead: float
    ends: tuple[float, float]
    ends_lead: tuple[float, float]


def reach_of(length: float, width: float, under: float) -> tuple[float, float]:
    """How much of the picture must be flattened, in mm along and aside of a road's middle."""
    return length / 2 + REACH + _INSIDE + under, REACH + width / 2 + _RIM + under


def seen_road(flat: Flat, length: float, width: float) -> Seen:
    """Where the road of that length and width in mm lies in a flattened picture."""
    shift, turn, sides, lead = _sides(flat, length, width / 2)
    slope = turn / length
    ends = [_ends(flat, length, width / 2, shift, slope, sign) for sign in (-1.0, 1.0)]
    (first, second), scores, leads = _together(ends)
    along = np.array([-length / 2 - first, length / 2 + second])
    at = np.stack([along, shift + slope * along], axis=1)
    return Seen(at, sides, lead, scores, leads)


def _evidence(steep: Floats) -> Floats:
    """From how steep the picture is at an edge to how much it counts, 0 to 1."""
    square = steep**2
    return np.asarray(0.5 * square / (square + _FAINT**2) + 0.5 * square / (square + _CLEAR**2))


# --- sides ----------------------------------------------------------------------------------------


def _sides(flat: Flat, length: float, radius: float) -> tuple[float, float, float, float]:
    """By how much the road lies aside at its middle, by how much more at its second end than at its
    first, how well the sides fit there, and how much better than elsewhere.
    """
    along = np.arange(-length / 2 + radius, length / 2 - radius + 1e-9, _APART)
    shifts = np.arange(-REACH, REACH + 1e-9, STEP)
    turns = np.arange(-REACH, REACH + 1e-9, _TURN)
    lines = turns[:, None] / length * along  # aside of each sample (turns, samples)
    fit = np.minimum(*(_side(flat, along, lines, shifts, sign * radius) for sign in (-1.0, 1.0)))
    away = np.maximum(np.abs(shifts + turns[:, None] / 2), np.abs(shifts - turns[:, None] / 2))
    fit = fit - _FAR * (away / REACH) ** 2
    t, s = np.unravel_index(fit.argmax(), fit.shape)
    other = np.maximum(
        np.abs(shifts - shifts[s] + (turns[:, None] - turns[t]) / 2),
        np.abs(shifts - shifts[s] - (turns[:, None] - turns[t]) / 2),
    )
    best = float(fit[t, s])
    lead = best - float(fit[other > _OTHER_SIDES].max())
    return shifts[s] + STEP * _peak(fit[t], s), turns[t] + _TURN * _peak(fit[:, s], t), best, lead


def _side(flat: Flat, along: Floats, lines: Floats, shifts: Floats, off: float) -> Floats:
    """How well one side fits, (turns, shifts): the edges of the top face and, if it shows, of the
    under face.
    """
    found = np.zeros((len(lines), len(shifts)))
    edges = [(0.0, off - math.copysign(_ROUNDED, off))] + (
        [(flat.under[0], off + flat.under[1])] if np.sign(off) * flat.under[1] > _SHOWN else []
    )
    for ahead, beside in edges:
        # aside of the middle is a whole number of steps, so that every shift is a slice
        rows = np.clip(
            np.round((along + ahead) / STEP).astype(np.int64) + flat.zero[0],
            0,
            flat.aside.shape[0] - 1,
        )
        columns = np.round((lines + beside) / STEP).astype(np.int64) + flat.zero[1]
        index = columns[:, :, None] + np.round(shifts / STEP).astype(np.int64)
        index = np.clip(index, 0, flat.aside.shape[1] - 1)
        steep = np.sqrt(flat.aside[rows[None, :, None], index])
        found += _evidence(steep).mean(axis=1) / len(edges)
    return found


def _peak(values: Floats, index: int | np.intp) -> float:
    """How far from a highest value the parabola through it and its neighbours has its top, in
    steps.
    """
    if not 0 < index < len(values) - 1:
        return 0.0
    before, here, after = (float(values[index + k]) for k in (-1, 0, 1))
    bend = before - 2 * here + after
    return 0.0 if bend > -1e-9 else min(max((before - after) / (2 * bend), -0.5), 0.5)


# --- ends -----------------------------------------------------------------------------------------


def _ends(
    flat: Flat, length: float, radius: float, shift: float, slope: float, sign: float
) -> Floats:
    """How well an end fits (k,) at each distance outwards from where its length has it; `sign` is
    -1 for the first end.
    """
    angles = np.linspace(-math.pi / 2, math.pi / 2, max(round(math.pi * radius / _APART), 5) + 1)
    normals = np.stack([sign * np.cos(angles), np.sin(angles)], axis=1)
    cap = normals * radius - np.array([sign * radius, 0.0])
    under = np.array(flat.under)
    shown = normals @ under > _SHOWN
    places = np.concatenate([cap - _ROUNDED * normals, cap[shown] + under])
    normals = np.concatenate([normals, normals[shown]])
    c, s = 1.0 / math.hypot(1.0, slope), slope / math.hypot(1.0, slope)
    spin = np.array([[c, s], [-s, c]])
    out = np.arange(-REACH, REACH + 1e-9, STEP)
    along = sign * (length / 2 + out)
    tips = np.stack([along, shift + slope * along], axis=1)
    steep = flat.across(
        tips[:, None, :] + places @ spin,
        np.broadcast_to(normals @ spin, (len(out), *normals.shape)),
    )
    round_ = _evidence(steep).mean(axis=1)
    return np.asarray(round_ + 0.5 * _stops(flat, tips, spin, sign, radius))


def _stops(flat: Flat, tips: Floats, spin: Floats, sign: float, radius: float) -> Floats:
    """By how much more the sides are there before each of these tips (k, 2) than beyond it (k,)."""
    run = np.arange(0.0, _INSIDE, _APART)
    found = np.zeros(len(tips))
    for start, counts in ((-radius - run, 1.0), (run, -1.0)):
        lines = []
        for side in (-radius, radius):
            places = np.stack([sign * start, np.full_like(start, side)], axis=1) @ spin
            normals = np.broadcast_to(np.array([0.0, 1.0]) @ spin, (len(tips), len(run), 2))
            lines.append(_evidence(flat.across(tips[:, None, :] + places, normals)).mean(axis=1))
        found += counts * np.minimum(*lines)
    return found


def _together(
    ends: list[Floats],
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
    """How far outwards both ends lie, given that the length of the road is known; how well they
    fit, and by how much better than anywhere else.
    """
    out = np.arange(-REACH, REACH + 1e-9, STEP)
    long = out[:, None] + out
    both = ends[0][:, None] + ends[1] - 0.5 * np.minimum((long / _LENGTH_OFF) ** 2, 9.0) * 0.1
    i, j = (int(n) for n in np.unravel_index(both.argmax(), both.shape))
    elsewhere = [
        float(both[np.abs(out - out[i]) > _OTHER_END].max()),
        float(both[:, np.abs(out - out[j]) > _OTHER_END].max()),
    ]
    best = float(both[i, j])
    at = (out[i] + STEP * _peak(ends[0], i), out[j] + STEP * _peak(ends[1], j))
    return at, (float(ends[0][i]), float(ends[1][j])), (best - elsewhere[0], best - elsewhere[1])


# --- looking at taps ------------------------------------------------------------------------------
# Taps compared with the picture: each moves towards the end of the road that is seen there; a tap
# far from it is suspect.
#
# The picture and a tap are two measurements of one place, so a tap moves by as much as the picture
# is the better one. Where a road is hidden, or another one looks the same, the picture says nothing
# and the tap stays. If only the sides are seen, as under another road, the tap moves aside and not
# along.


# how well sides must fit to be believed, and how much better than elsewhere
_SIDES, _SIDES_LEAD = (
    0.35,
    0.06,
)
_END, _END_LEAD = 0.7, 0.3  # the same for an end, and
_BOTH, _BOTH_LEAD = 1.2, 0.2  # for two ends together, which are one length apart
_OFF = 0.3  # mm, 1 sigma: how well the picture shows an end, or a side
# sigmas: a tap and an end that differ by more, and by less than a slip, are not one place
_AGREE = 2.0
# of the longer side of the image, and of taps: a tap further off is a slip
_SLIP, _SLIP_SIGMAS = (
    0.0045,
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
        values = {
            "piece": road.id,
            "foot": (road.base, road.target)[self.end],
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

    @property
    def shown(self) -> int:
        """How many roads the picture shows, as far as it says anything of their taps."""
        return len({*np.flatnonzero(self.moved.any(axis=1)).tolist(), *(r for r, _ in self.sure)})


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
    """What the picture says of a tap; it slipped if it is off by `most` pixels or more.

    Where only the other end is seen clearly, or both only together, the length of the road says
    where this one is.
    """
    tap = solution.scene.ends[index, end]
    if found.sides < _SIDES or found.sides_lead < _SIDES_LEAD:
        return _Drawn(tap)
    own, other = _is_seen(found, end), _is_seen(found, 1 - end)
    length = float(np.linalg.norm(found.at[1] - found.at[0]))
    pair = sum(found.ends) >= _BOTH and min(found.ends_lead) >= _BOTH_LEAD
    by_length = (other or pair) and abs(length - solution.scene.length) < 3 * _LENGTH_OFF
    at, placed, known = found.at[end], np.array([own or by_length, True]), np.array([own, True])
    here, ahead, aside = seen(
        solution.camera, solution.tips[index], at + np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
    )
    axes = np.stack([ahead - here, aside - here], axis=1)
    off = np.linalg.solve(axes, tap - here)  # mm along and aside
    if np.linalg.norm(axes @ (off * placed)) > most:
        return _Drawn(tap - axes @ (off * placed), slip=True, sure=own)
    sigma = solution.pixels / np.linalg.norm(axes, axis=0)
    known &= np.abs(off) < _AGREE * np.hypot(sigma, _OFF)
    share = sigma**2 / (sigma**2 + _OFF**2)
    return _Drawn(tap - axes @ (off * share * known), sure=bool(known.all()))


def _is_seen(found: Seen, end: int) -> bool:
    """Whether an end itself is seen, and nowhere else."""
    return found.ends[end] >= _END and found.ends_lead[end] >= _END_LEAD
