"""What is unknown about a photographed table, and what the marks and the pieces say of it:
residuals and their derivatives.

Unknown are the camera, where each pillar stands, and where each road lies: its first tip in plan,
its direction, and by how much each tip is higher than its pillar's discs say. What is known: every
mark, the length of a road, the discs under its ends. And roads bear on their discs, so a tip is not
far from its pillar's axis.

A stick that slopes rests with its lower tip on the one disc and over the near rim of the other, so
its upper tip is lifted by its slope times what reaches past that rim. Own roads may lie on each
other as well, which `resting` finds out. `LIFT` is the share of all this that is seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sim.photo import camera as cameras
from sim.photo.marks import Marks

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

LIFT = cameras.SIZE
"""Where in the vector of unknowns the share of the lift stands, after the camera."""

_PIXELS, _PHONE = 3.0, 4032
"""How far a tap is off, 1 sigma in pixels, before the marks say better, on the longer side of a
phone's photo; on a smaller one in proportion, since it is shown as large.
"""

_LIFT = (0.8, 0.4)  # mean and sigma of the share of the lift
# mm: sigma of a tip's height beside its discs and its lift; what an upper one has more, by slope
_HIGHER, _HIGHER_SLOPE = (
    0.4,
    3.0,
)
# mm: where a tip lies beyond its pillar's axis, and how far it is off aside
_ALONG, _ALONG_OFF, _ASIDE_OFF = (
    1.0,
    5.5,
    1.5,
)
# mm: sigma of the difference by which a road reaches past its two axes; a road is laid in the
# middle
_UNEQUAL = 3.0
_TOP_OFF = 1.5  # the middle of a disc is marked less well than the tip of a road, by this factor
_BEND, _CENTRE = 0.05, 0.006  # sigmas: of the bend, and of the centre in sides of the image
# sigmas of its logarithm; the guess in sides of the image
_FOCAL_KNOWN, _FOCAL_GUESSED, _FOCAL_GUESS = (
    0.03,
    0.35,
    0.8,
)
# sigmas of the camera's place: the frame is free, unless a known table fixes it
_FIXED, _LOOSE = (
    1e-4,
    1e4,
)


@dataclass(frozen=True, slots=True)
class Known:
    """Pillars whose place is known (mm), by id, and how well (1 sigma in mm): those of an earlier
    photo.
    """

    pillars: Mapping[str, tuple[float, float]]
    off: float = 1.5


@dataclass(frozen=True)
class Scene:
    """The marks of a photo as arrays: n roads, p pillars. Indices of pillars are -1 where an end
    lies on the table.

    `used` says which ends of roads have a mark that counts; `heights` are those of the tips' top
    faces, by discs alone.
    """

    marks: Marks
    length: float
    radius: float
    ends: Floats  # (n, 2, 2) pixels
    used: Bools  # (n, 2)
    pillar: Ints  # (n, 2)
    heights: Floats  # (n, 2) mm
    tops: Floats  # (t, 2) pixels
    top_of: Ints  # (t,)
    top_heights: Floats  # (t,)
    camera: Floats  # (SIZE,) mean of the prior of the camera
    camera_off: Floats  # (SIZE,) 1 sigma of that prior
    sheet: Floats | None  # (4, 2) pixels
    known: Floats  # (k, 2) mm
    known_of: Ints  # (k,)
    known_off: float
    rest: Floats | None = None  # (n, 2) mm: the lift, where it was found by letting the sticks down
    rest_off: Floats | None = None  # (n, 2) mm: how far that may be off

    @property
    def taps_off(self) -> float:
        """How far a tap is off, 1 sigma in pixels, before the marks say better."""
        return _PIXELS * max(self.marks.image.width, self.marks.image.height) / _PHONE

    @classmethod
    def of(cls, marks: Marks, known: Known | None = None) -> Scene:
        """The scene of these marks; `known` is what an earlier photo says of the same table."""
        box, number = marks.box, {pillar.id: n for n, pillar in enumerate(marks.pillars)}
        feet = [foot for road in marks.roads for foot in (road.base, road.target)]
        pillar = np.array(
            [-1 if foot is None else number[foot] for foot in feet], dtype=np.int64
        ).reshape(-1, 2)
        discs = np.array([*(one.discs for one in marks.pillars), 0], dtype=np.float64)
        topped = [(n, one.top) for n, one in enumerate(marks.pillars) if one.top is not None]
        stays = [
            (number[one], at)
            for one, at in (known.pillars if known else {}).items()
            if one in number
        ]
        camera, off = _believed(marks, free=bool(stays))
        return cls(
            marks=marks,
            length=box.road_length,
            radius=box.disc_radius,
            ends=_ends(marks),
            used=np.ones((len(marks.roads), 2), dtype=np.bool_),
            pillar=pillar,
            heights=discs[pillar] * box.disc_height + box.road_thickness,
            tops=np.array([top for _, top in topped], dtype=np.float64).reshape(-1, 2),
            top_of=np.array([n for n, _ in topped], dtype=np.int64),
            top_heights=np.array([discs[n] * box.disc_height for n, _ in topped], dtype=np.float64),
            camera=camera,
            camera_off=off,
            sheet=None if marks.sheet is None else np.array(marks.sheet.corners, dtype=np.float64),
            known=np.array([at for _, at in stays], dtype=np.float64).reshape(-1, 2),
            known_of=np.array([n for n, _ in stays], dtype=np.int64),
            known_off=known.off if known else 1.0,
        )

    # --- where the unknowns are in the vector -----------------------------------------------------

    @property
    def roads(self) -> int:
        """How many roads there are."""
        return len(self.ends)

    @property
    def sheet_at(self) -> int:
        """The index of the sheet's x, y and direction."""
        return LIFT + 1

    @property
    def pillars_at(self) -> int:
        """The index of the first pillar's x."""
        return self.sheet_at + (0 if self.sheet is None else 3)

    @property
    def roads_at(self) -> int:
        """The index of the first road's x; a road has x, y, direction and how much each tip is
        higher.
        """
        return self.pillars_at + 2 * len(self.marks.pillars)

    @property
    def size(self) -> int:
        """How many unknowns there are."""
        return self.roads_at + 5 * self.roads

    def pillars_in(self, vector: Floats) -> Floats:
        """The places of the pillars (..., p, 2)."""
        part = vector[..., self.pillars_at : self.roads_at]
        return part.reshape(*part.shape[:-1], -1, 2)

    def roads_in(self, vector: Floats) -> Floats:
        """The numbers of the roads (..., n, 5)."""
        part = vector[..., self.roads_at :]
        return part.reshape(*part.shape[:-1], -1, 5)

    # --- tips -------------------------------------------------------------------------------------

    @property
    def rises(self) -> Floats:
        """How much higher the second end of each road is than its first (n,), by discs, in mm."""
        return np.asarray(self.heights[:, 1] - self.heights[:, 0])

    @property
    def runs(self) -> Floats:
        """How long each road is in plan (n,), by discs, in mm."""
        return np.asarray(np.sqrt(np.maximum(self.length**2 - self.rises**2, 1.0)))

    @property
    def slopes(self) -> Floats:
        """How steeply each road rises from its first end to its second (n,), by discs."""
        return np.asarray(self.rises / self.runs)

    @property
    def uppers(self) -> Bools:
        """Which tips (n, 2) are the upper ones; none of a level road."""
        return np.stack([self.rises < 0.0, self.rises > 0.0], axis=1)

    def reaches(self, vector: Floats) -> Floats:
        """How far each tip reaches past its pillar's near rim, in plan (..., n, 2); 0 for an end on
        the table.
        """
        tips, pillars = self.tips_in_plan(vector), self.pillars_in(vector)
        out = tips[..., 1, :] - tips[..., 0, :]
        out = out / np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-9)
        past = tips - pillars[..., np.maximum(self.pillar, 0), :]
        along = (past * out[..., None, :]).sum(-1) * np.array([-1.0, 1.0])
        return np.where(self.pillar >= 0, np.clip(self.radius + along, 0.0, 2 * self.radius), 0.0)

    def tips_in_plan(self, vector: Floats) -> Floats:
        """Where the tips are in plan (..., n, 2, 2), by the heights that the discs give."""
        return self._in_plan(vector, self.heights + self.roads_in(vector)[..., 3:])

    def _in_plan(self, vector: Floats, heights: Floats) -> Floats:
        """Where tips at these heights (..., n, 2) are in plan (..., n, 2, 2)."""
        roads, rise = self.roads_in(vector), heights[..., 1] - heights[..., 0]
        run = np.sqrt(np.maximum(self.length**2 - rise**2, 1.0))
        along = np.stack([np.cos(roads[..., 2]), np.sin(roads[..., 2])], axis=-1) * run[..., None]
        return np.stack([roads[..., :2], roads[..., :2] + along], axis=-2)

    def lifts(self, vector: Floats) -> Floats:
        """By how much each tip (..., n, 2) is lifted if the whole of the lift is seen."""
        if self.rest is not None:
            return np.broadcast_to(self.rest, (*vector.shape[:-1], self.roads, 2))
        return np.where(self.uppers, np.abs(self.slopes)[:, None] * self.reaches(vector), 0.0)

    def tips(self, vector: Floats) -> Floats:
        """The tips of the roads, the middle of the end of the top face, (..., n, 2, 3) in mm."""
        roads, share = self.roads_in(vector), vector[..., LIFT]
        heights = self.heights + share[..., None, None] * self.lifts(vector) + roads[..., 3:]
        return np.concatenate([self._in_plan(vector, heights), heights[..., None]], axis=-1)

    def tapped(self, marks: Marks) -> Scene:
        """The scene with the ends of its roads marked elsewhere, as `marks` has them."""
        return replace(self, marks=marks, ends=_ends(marks))

    def without(self, road: int, end: int) -> Scene:
        """The scene without one mark."""
        used = self.used.copy()
        used[road, end] = False
        return replace(self, used=used)


def _ends(marks: Marks) -> Floats:
    return np.array([road.ends for road in marks.roads], dtype=np.float64).reshape(-1, 2, 2)


def _believed(marks: Marks, *, free: bool) -> tuple[Floats, Floats]:
    """What is believed of the camera before any mark is looked at, and how far that may be off (1
    sigma).
    """
    image = marks.image
    side = max(image.width, image.height)
    focal, off = (
        (image.focal, _FOCAL_KNOWN) if image.focal else (_FOCAL_GUESS * side, _FOCAL_GUESSED)
    )
    mean = np.array(
        [
            math.log(focal),
            math.radians(50),
            0,
            math.log(600),
            0,
            image.width / 2,
            image.height / 2,
            0,
            0,
            0,
        ]
    )
    place = [math.tau, _LOOSE, _LOOSE] if free else [_FIXED] * 3
    return mean, np.array(
        [off, _LOOSE, _LOOSE, _LOOSE, _BEND, _CENTRE * side, _CENTRE * side, *place]
    )


def moved(scene: Scene, vector: Floats, turn: float, middle: Floats, target: Floats) -> Floats:
    """The unknowns with the camera and all pieces turned about `middle` (radians), which comes to
    lie at `target`.
    """
    sheet = [] if scene.sheet is None else [scene.sheet_at]
    pillars, roads = (
        [*range(scene.pillars_at, scene.roads_at, 2)],
        [*range(scene.roads_at, scene.size, 5)],
    )
    x, after = np.array([cameras.X, *sheet, *pillars, *roads]), vector.copy()
    places = [x, x + 1]
    after[places] = (cameras.Frame(turn).on(vector[places].T - middle) + target).T
    after[[cameras.YAW, *(one + 2 for one in (*sheet, *roads))]] += turn
    return after


# --- residuals ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rows:
    """Residuals in sigmas and their derivatives by the unknowns.

    `pairs` (m, 2) have two components and may be outliers: first the marks of the roads, two a
    road, then tops, a sheet's corners, and bearings from `bearings` on. `singles` (j,) may be, too:
    by how much tips are higher, two a road, then whether roads lie in the middle. `plain` (k,) is
    what is believed of the rest.
    """

    pairs: Floats
    by_pairs: Floats  # (m, 2, size)
    singles: Floats
    by_singles: Floats  # (j, size)
    plain: Floats
    by_plain: Floats  # (k, size)
    bearings: int
    seen: bool  # whether everything lies ahead of the camera


def linearised(scene: Scene, vector: Floats, pixels: float) -> Rows:
    """The residuals at a vector of unknowns; taps are taken to be off by `pixels` (1 sigma)."""
    tips, by_tips = _tip_rows(scene, vector)
    marks, by_marks, ahead = _mark_rows(scene, vector, tips, by_tips)
    tops, by_tops, top_ahead = _top_rows(scene, vector)
    corners, by_corners, sheet_ahead = _sheet_rows(scene, vector)
    bearings, by_bearings = _bearing_rows(scene, vector, tips, by_tips)
    higher, by_higher = _higher_rows(scene, vector)
    middle, by_middle = _middle_rows(scene, bearings, by_bearings)
    plain, by_plain = _plain_rows(scene, vector)
    off = pixels * _TOP_OFF
    return Rows(
        np.concatenate([marks / pixels, tops / off, corners / pixels, bearings]),
        np.concatenate([by_marks / pixels, by_tops / off, by_corners / pixels, by_bearings]),
        np.concatenate([higher, middle]),
        np.concatenate([by_higher, by_middle]),
        plain,
        by_plain,
        len(marks) + len(tops) + len(corners),
        bool((np.concatenate([ahead, top_ahead, sheet_ahead]) > 1.0).all()),
    )


def _tip_rows(scene: Scene, vector: Floats) -> tuple[Floats, Floats]:
    """The tips (n, 2, 3), and their derivatives (n, 2, 3, size), which are by the road's own five
    numbers and by the share of the lift.
    """
    n, tips, lifts = scene.roads, scene.tips(vector), scene.lifts(vector)
    turn = scene.roads_in(vector)[:, 2]
    cos, sin = np.cos(turn), np.sin(turn)
    rise = tips[:, 1, 2] - tips[:, 0, 2]
    run = np.sqrt(np.maximum(scene.length**2 - rise**2, 1.0))
    own = np.zeros((n, 2, 3, 6))
    own[:, :, 0, 0] = own[:, :, 1, 1] = 1.0
    own[:, 1, 0, 2], own[:, 1, 1, 2] = -run * sin, run * cos
    own[:, 0, 2, 3] = own[:, 1, 2, 4] = 1.0
    own[:, :, 2, 5] = lifts
    shorter = -rise / run  # by how much the far tip comes nearer in plan as it rises
    for axis, part in ((0, cos), (1, sin)):
        own[:, 1, axis, 3], own[:, 1, axis, 4] = -shorter * part, shorter * part
        own[:, 1, axis, 5] = shorter * (lifts[:, 1] - lifts[:, 0]) * part
    by = np.zeros((n, 2, 3, scene.size))
    numbers = scene.roads_at + np.arange(5 * n).reshape(n, 5)
    np.put_along_axis(by, np.insert(numbers, 5, LIFT, axis=1)[:, None, None], own, axis=-1)
    return tips, by


def _mark_rows(
    scene: Scene, vector: Floats, tips: Floats, by_tips: Floats
) -> tuple[Floats, Floats, Floats]:
    pixels, by_camera, by_point, ahead = cameras.project(
        vector[: cameras.SIZE], tips.reshape(-1, 3)
    )
    used = scene.used.reshape(-1, 1)
    by = by_point @ by_tips.reshape(-1, 3, scene.size)
    by[..., : cameras.SIZE] = by_camera
    return (pixels - scene.ends.reshape(-1, 2)) * used, by * used[:, None], ahead


def _top_rows(scene: Scene, vector: Floats) -> tuple[Floats, Floats, Floats]:
    t = len(scene.tops)
    at = np.concatenate(
        [scene.pillars_in(vector)[scene.top_of], scene.top_heights[:, None]], axis=1
    )
    pixels, by_camera, by_point, ahead = cameras.project(vector[: cameras.SIZE], at)
    by = np.zeros((t, 2, scene.size))
    by[..., : cameras.SIZE] = by_camera
    for axis in (0, 1):
        by[np.arange(t), :, scene.pillars_at + 2 * scene.top_of + axis] = by_point[:, :, axis]
    return pixels - scene.tops, by, ahead


def _sheet_rows(scene: Scene, vector: Floats) -> tuple[Floats, Floats, Floats]:
    if scene.sheet is None:
        return np.zeros((0, 2)), np.zeros((0, 2, scene.size)), np.zeros(0)
    here = scene.sheet_at
    x, y, turn = vector[here : here + 3]
    turned = cameras.Frame(turn).on(sheet_corners(scene))
    points = np.insert(turned + np.array([x, y]), 2, 0.0, axis=1)
    pixels, by_camera, by_point, ahead = cameras.project(vector[: cameras.SIZE], points)
    by = np.zeros((4, 2, scene.size))
    by[..., : cameras.SIZE] = by_camera
    by[..., here], by[..., here + 1] = by_point[..., 0], by_point[..., 1]
    by[..., here + 2] = (
        by_point[..., 1] * turned[:, None, 0] - by_point[..., 0] * turned[:, None, 1]
    )
    return pixels - scene.sheet, by, ahead


def sheet_corners(scene: Scene) -> Floats:
    """The corners of the sheet about its middle (4, 2) in mm, in the order of their marks.

    Whoever looks down at a table sees no mirror image: round the sheet to the left in the image is
    to the left on the table.
    """
    assert scene.marks.sheet is not None
    a, b, c, _ = scene.marks.sheet.corners
    flip = -1.0 if (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0 else 1.0
    long, wide = scene.marks.sheet.size
    return np.array([(-long, -wide), (long, -wide), (long, wide), (-long, wide)]) / 2 * (1.0, flip)


def _bearing_rows(
    scene: Scene, vector: Floats, tips: Floats, by_tips: Floats
) -> tuple[Floats, Floats]:
    """Tips that bear on a pillar: how far each lies beyond the axis and aside of it, in sigmas."""
    road, end = np.nonzero(scene.pillar >= 0)
    rows, which, turn = (
        np.arange(len(road)),
        scene.pillar[road, end],
        scene.roads_in(vector)[road, 2],
    )
    past = tips[road, end, :2] - scene.pillars_in(vector)[which]
    along = np.stack([np.cos(turn), np.sin(turn)], axis=1) / _ALONG_OFF
    axes = np.stack(
        [
            along * np.where(end == 1, 1.0, -1.0)[:, None],
            along[:, ::-1] * (-_ALONG_OFF / _ASIDE_OFF, _ALONG_OFF / _ASIDE_OFF),
        ],
        axis=1,
    )
    by = axes @ by_tips[road, end, :2]
    # an axis turns with the road
    turned = np.stack([-axes[..., 1], axes[..., 0]], axis=-1)
    by[rows, :, scene.roads_at + 5 * road + 2] += (turned @ past[:, :, None])[:, :, 0]
    for axis in (0, 1):
        by[rows, :, scene.pillars_at + 2 * which + axis] = -axes[:, :, axis]
    return (axes @ past[:, :, None])[:, :, 0] - (_ALONG / _ALONG_OFF, 0.0), by


def _higher_rows(scene: Scene, vector: Floats) -> tuple[Floats, Floats]:
    """By how much tips are higher than their discs and their lift say, in sigmas."""
    off = np.where(scene.uppers, np.hypot(_HIGHER, _HIGHER_SLOPE * scene.slopes)[:, None], _HIGHER)
    off = (off if scene.rest_off is None else np.hypot(off, scene.rest_off)).ravel()
    index = (scene.roads_at + 5 * np.arange(scene.roads)[:, None] + np.array([3, 4])).ravel()
    return vector[index] / off, np.eye(scene.size)[index] / off[:, None]


def _middle_rows(scene: Scene, bearings: Floats, by: Floats) -> tuple[Floats, Floats]:
    """By how much more roads reach past the axis at the one end than at the other, in sigmas."""
    place = np.cumsum(scene.pillar >= 0).reshape(-1, 2) - 1  # of each end among the bearings
    first, second = place[(scene.pillar >= 0).all(axis=1)].T
    more = _ALONG_OFF / _UNEQUAL
    return (
        more * (bearings[second, 0] - bearings[first, 0]),
        more * (by[second, 0] - by[first, 0]),
    )


def _plain_rows(scene: Scene, vector: Floats) -> tuple[Floats, Floats]:
    """What is believed of the camera, of the lift and of known pillars, in sigmas."""
    mean = np.concatenate([scene.camera, [_LIFT[0]], scene.known.ravel()])
    off = np.concatenate([scene.camera_off, [_LIFT[1]], np.full(scene.known.size, scene.known_off)])
    pillars = (scene.pillars_at + 2 * scene.known_of[:, None] + np.array([0, 1])).ravel()
    index = np.concatenate([np.arange(LIFT + 1), pillars])
    return (vector[index] - mean) / off, np.eye(scene.size)[index] / off[:, None]
