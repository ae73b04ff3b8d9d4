"""The table seen from above, as arrays: sticks as rectangles with a sloping underside, discs as
circles; who overlaps whom, by how much.

Every function compares n new shapes with m standing ones at once, so that the same code judges one
placement or twenty thousand. Lengths are in mm. The rules say what an overlap means
(`sim.referee.legality.checks`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.bodies import Box, Cylinder
from sim.poses import Pose, rotate

__all__ = [
    "NEAR",
    "SLACK",
    "TOUCH",
    "Circles",
    "Gaps",
    "Strips",
    "circle_gaps",
    "cross",
    "disc_overlaps",
    "dot",
    "strip_depths",
    "strip_gaps",
    "strips",
    "strips_between",
    "upright",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Point = tuple[float, float]

TOUCH = 0.05
"""mm: two pieces with a gap smaller than this touch (rules 4d, 4h)."""

SLACK = 1e-6
"""mm: the error that rounding may cause."""

NEAR = TOUCH - SLACK
"""mm: a computed gap below this counts as touching."""

_OVERLAP = 1e-6  # mm: shapes that overlap in plan by less than this only touch


@dataclass(frozen=True, slots=True)
class Strips:
    """Rectangles in plan: `centre` (n, 2), unit `axis` (n, 2), `half` (n, 2) half length and half
    width; the height `z` (n,) of the underside at the centre, its `slope` (n,) along the axis, and
    the vertical `thick`ness (n,).
    """

    centre: Floats
    axis: Floats
    half: Floats
    z: Floats
    slope: Floats
    thick: Floats

    def __len__(self) -> int:
        return len(self.z)

    def take(self, index: Ints | int) -> Strips:
        """Some of them, by index."""
        i = np.atleast_1d(index)
        return Strips(
            self.centre[i], self.axis[i], self.half[i], self.z[i], self.slope[i], self.thick[i]
        )

    def grown(self, mm: float) -> Strips:
        """The same with every side that much further out in plan."""
        return Strips(self.centre, self.axis, self.half + mm, self.z, self.slope, self.thick)

    def height(self, row: Ints | slice, points: Floats) -> Floats:
        """The height of the underside of each strip of `row` at `points` (len(row), k, 2); shape
        (len(row), k).
        """
        along = dot(points - self.centre[row][:, None, :], self.axis[row][:, None, :])
        return self.z[row][:, None] + self.slope[row][:, None] * along

    def corners(self) -> Floats:
        """The four corners in plan, counter-clockwise from the left of the start; shape (n,
        4, 2).
        """
        side = np.stack([-self.axis[:, 1], self.axis[:, 0]], axis=-1)
        signs = np.array([(-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (1.0, 1.0)])
        long, wide = self.axis * self.half[:, :1], side * self.half[:, 1:]
        return (
            self.centre[:, None, :]
            + signs[None, :, :1] * long[:, None, :]
            + signs[None, :, 1:] * wide[:, None, :]
        )


@dataclass(frozen=True, slots=True)
class Circles:
    """Upright cylinders: `centre` (n, 2), `radius` (n,), and the heights of `bottom` and `top`
    (n,).
    """

    centre: Floats
    radius: Floats
    bottom: Floats
    top: Floats

    def __len__(self) -> int:
        return len(self.radius)

    def take(self, index: Ints) -> Circles:
        """Some of them, by index."""
        return Circles(self.centre[index], self.radius[index], self.bottom[index], self.top[index])

    def grown(self, mm: float) -> Circles:
        """The same with a radius that much greater."""
        return Circles(self.centre, self.radius + mm, self.bottom, self.top)


class Gaps(NamedTuple):
    """The pairs (row `i` of the new, row `j` of the standing) that overlap in plan, and the least
    and greatest height of the new underside above the standing one (strips) or above its top
    (circles, and strips whose top is asked for) on the overlap.
    """

    i: Ints
    j: Ints
    low: Floats
    high: Floats


_NONE = Gaps(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0))


def strips(
    items: Sequence[tuple[Point, Point, tuple[float, float], float, float, float]],
) -> Strips:
    """Strips from (centre, axis, half sizes, z, slope, thick) tuples."""
    n = len(items)
    return Strips(
        np.array([item[0] for item in items], dtype=np.float64).reshape(n, 2),
        np.array([item[1] for item in items], dtype=np.float64).reshape(n, 2),
        np.array([item[2] for item in items], dtype=np.float64).reshape(n, 2),
        np.array([item[3] for item in items], dtype=np.float64),
        np.array([item[4] for item in items], dtype=np.float64),
        np.array([item[5] for item in items], dtype=np.float64),
    )


def strips_between(
    start: Floats,
    end: Floats,
    levels: Floats,
    slide: Floats,
    size: tuple[float, float, float],
    disc_height: float,
) -> Strips:
    """Sticks of `size` (length, width, thickness) whose undersides run from `start` (n, 2) to `end`
    at heights `levels` (n, 2) in discs, their surplus shared equally and then shifted by `slide`
    (n,) along themselves.
    """
    along = end - start
    span = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    axis = along / span[:, None]
    slope = (levels[:, 1] - levels[:, 0]) * disc_height / span
    cosine = 1 / np.sqrt(1 + slope**2)
    length, width, thickness = size
    half = np.stack([length * cosine / 2, np.full(len(span), width / 2)], axis=-1)
    z = (levels[:, 0] + levels[:, 1]) / 2 * disc_height + slope * slide
    return Strips(
        (start + end) / 2 + axis * slide[:, None], axis, half, z, slope, thickness / cosine
    )


def upright(
    shape: Box | Cylinder, pose: Pose
) -> tuple[
    tuple[Point, Point, tuple[float, float], float, float, float] | None,
    tuple[Point, float, float, float] | None,
]:
    """A posed body as a strip item or a circle item: boxes by their long axis, roll neglected;
    cylinders by their axis, tilt neglected.
    """
    (x, y, z) = pose.at
    if isinstance(shape, Cylinder):
        return None, ((x, y), shape.radius, z - shape.height / 2, z + shape.height / 2)
    length, width, height = shape.size
    ux, uy, uz = rotate(pose.quat, (1.0, 0.0, 0.0))
    dx, dy, dz = rotate(pose.quat, (0.0, 0.0, -height / 2))
    flat = math.hypot(ux, uy)
    if flat < 1e-6:  # stands on its end: nothing that stands on a road or a disc does
        return ((x, y), (1.0, 0.0), (height / 2, width / 2), z - length / 2, 0.0, length), None
    slope = uz / flat
    item = (
        (x + dx, y + dy),
        (ux / flat, uy / flat),
        (length / 2 * flat, width / 2),
        z + dz,
        slope,
        height / flat,
    )
    return item, None


def strip_gaps(
    new: Strips, old: Strips, exempt: tuple[Floats, float, npt.NDArray[np.bool_]] | None = None
) -> Gaps:
    """Every pair of strips that overlap in plan, with the least and greatest height of the new
    underside above the old one there.

    `exempt` = (centres (n, 2), radius, which (m,)): a pair with one of those standing strips counts
    only if it also overlaps outside the circle, and `low` is the least height there. `high` is the
    greatest height anywhere: a road that lies on another within the circle does not pass under it
    further out.
    """
    if not (len(new) and len(old)):
        return _NONE
    reach = (
        np.hypot(new.half[:, 0], new.half[:, 1])[:, None]
        + np.hypot(old.half[:, 0], old.half[:, 1])[None, :]
    )
    apart = new.centre[:, None, :] - old.centre[None, :, :]
    i, j = np.nonzero(dot(apart, apart) < reach**2)
    keep = strip_depths(new, i, old, j) > _OVERLAP
    i, j = i[keep], j[keep]
    if not len(i):
        return _NONE
    points, valid = _shared_corners(new, i, old, j)
    asked = valid
    if exempt is not None:
        centres, radius, which = exempt
        away = points - centres[i][:, None, :]
        outside = dot(away, away) > radius**2
        asked = valid & (outside | ~which[j][:, None])
    height = new.height(i, points) - old.height(j, points)
    some = asked.any(axis=1)
    low = np.where(asked, height, np.inf).min(axis=1, initial=np.inf)
    high = np.where(valid, height, -np.inf).max(axis=1, initial=-np.inf)
    return Gaps(i[some], j[some], low[some], high[some])


def circle_gaps(new: Strips, old: Circles) -> Gaps:
    """Every strip and circle that overlap in plan, with the least and greatest height of the
    underside above the top.
    """
    if not (len(new) and len(old)):
        return _NONE
    offset = old.centre[None, :, :] - new.centre[:, None, :]
    along = dot(offset, new.axis[:, None, :])
    across = np.abs(cross(new.axis[:, None, :], offset))
    beyond = np.maximum(across - new.half[:, None, 1], 0.0)
    past = np.maximum(np.abs(along) - new.half[:, None, 0], 0.0)
    i, j = np.nonzero(np.hypot(beyond, past) < old.radius[None, :] - _OVERLAP)
    chord = np.sqrt(np.maximum(old.radius[j] ** 2 - beyond[i, j] ** 2, 0.0))
    first = np.clip(along[i, j] - chord, -new.half[i, 0], new.half[i, 0])
    last = np.clip(along[i, j] + chord, -new.half[i, 0], new.half[i, 0])
    one = new.z[i] + new.slope[i] * first - old.top[j]
    two = new.z[i] + new.slope[i] * last - old.top[j]
    return Gaps(i, j, np.minimum(one, two), np.maximum(one, two))


def strip_depths(new: Strips, i: Ints, old: Strips, j: Ints) -> Floats:
    """By how many mm paired rectangles overlap in plan: the least over their four separating axes
    (negative: apart); (p,).
    """
    apart = old.centre[j] - new.centre[i]
    a, b = new.axis[i], old.axis[j]
    cosine, sine = np.abs(dot(a, b)), np.abs(cross(a, b))
    (al, aw), (bl, bw) = new.half[i].T, old.half[j].T
    a_long, a_wide = np.abs(dot(apart, a)), np.abs(cross(a, apart))
    b_long, b_wide = np.abs(dot(apart, b)), np.abs(cross(b, apart))
    along = np.minimum(al + bl * cosine + bw * sine - a_long, bl + al * cosine + aw * sine - b_long)
    across = np.minimum(
        aw + bl * sine + bw * cosine - a_wide, bw + al * sine + aw * cosine - b_wide
    )
    depth: Floats = np.minimum(along, across)
    return depth


def disc_overlaps(new: Circles, old: Circles) -> Floats:
    """By how many mm each new circle overlaps each old one in plan (negative: the distance between
    them); shape (n, m).
    """
    apart = new.centre[:, None, :] - old.centre[None, :, :]
    overlap: Floats = (
        new.radius[:, None] + old.radius[None, :] - np.hypot(apart[..., 0], apart[..., 1])
    )
    return overlap


def dot(a: Floats, b: Floats) -> Floats:
    """The scalar product of vectors in plan; written out, as sums over an axis of two are slow."""
    product: Floats = a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1]
    return product


def cross(a: Floats, b: Floats) -> Floats:
    """The third component of the vector product of vectors in plan: above 0 where `b` lies to the
    left of `a`.
    """
    product: Floats = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product


def _shared_corners(
    new: Strips, i: Ints, old: Strips, j: Ints
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """The corners of the common area of paired rectangles: 24 candidates (p, 24, 2) and which of
    them are corners of it.
    """
    a, b = new.corners()[i], old.corners()[j]
    points, valid = [a, b], [_inside(a, old, j), _inside(b, new, i)]
    da, db = a[:, [1, 2, 3, 0]] - a, b[:, [1, 2, 3, 0]] - b
    turning = cross(da[:, :, None, :], db[:, None, :, :])
    flat = np.abs(turning) < 1e-9
    safe = np.where(flat, 1.0, turning)
    between = b[:, None, :, :] - a[:, :, None, :]
    t, u = cross(between, db[:, None, :, :]) / safe, cross(between, da[:, :, None, :]) / safe
    met = ~flat & (t >= 0) & (t <= 1) & (u >= 0) & (u <= 1)
    edge = a[:, :, None, :] + t[..., None] * da[:, :, None, :]
    points.append(edge.reshape(len(i), 16, 2))
    valid.append(met.reshape(len(i), 16))
    return np.concatenate(points, axis=1), np.concatenate(valid, axis=1)


def _inside(points: Floats, rect: Strips, row: Ints) -> npt.NDArray[np.bool_]:
    offset = points - rect.centre[row][:, None, :]
    axis = rect.axis[row][:, None, :]
    along, across = dot(offset, axis), cross(axis, offset)
    inside: npt.NDArray[np.bool_] = (np.abs(along) <= rect.half[row][:, None, 0]) & (
        np.abs(across) <= rect.half[row][:, None, 1]
    )
    return inside
