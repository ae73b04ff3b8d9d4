"""The table seen from above, as arrays: sticks as rectangles with a sloping underside, discs as
circles; who overlaps whom, by how much; and every piece on a table in arrays, made once for each.

Every function compares n new shapes with m standing ones at once, so that the same code judges one
placement or twenty thousand. Lengths are in mm. The rules say what an overlap means
(`sim.referee.checks`).

Pieces are where they came to rest with physics, or, without physics, where geometry puts them:
roads straight from pillar top to pillar top (rules 4b), cars flat on their road.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.bodies import Box, Cylinder, Pose, from_axes, rotate
from sim.pieces import Components
from sim.referee.crossings import Network
from sim.referee.placement import CarSpot
from sim.referee.standing import LaidRoad
from sim.referee.table import Table, kept

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Point = tuple[float, float]

TOUCH = 0.05
"""mm: two pieces with a gap smaller than this touch (rules 4d, 4h)."""

SLACK = 1e-6
"""mm: the error that rounding may cause."""

NEAR = TOUCH - SLACK
"""mm: a computed gap below this counts as touching."""

OVERLAP = 1e-6
"""mm: shapes that overlap in plan by less than this only touch."""

FLAT = 1e-9
"""mm2: two edges whose vector product is smaller are parallel."""


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
    keep = strip_depths(new, i, old, j) > OVERLAP
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
    i, j = np.nonzero(np.hypot(beyond, past) < old.radius[None, :] - OVERLAP)
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
    flat = np.abs(turning) < FLAT
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


# --- what stands on a table -----------------------------------------------------------------------


@dataclass(frozen=True)
class Obstacles:
    """The obstacles of a table. Ids are in the order of the rows; `network` holds the roads as the
    crossing rule sees them.
    """

    roads: Strips
    road_ids: tuple[str, ...]
    network: Network
    discs: Circles
    disc_pillars: tuple[str, ...]
    disc_owners: npt.NDArray[np.int64]
    cars: Strips
    car_ids: tuple[str, ...]
    boxes: Strips
    box_ids: tuple[str, ...]
    cylinders: Circles
    cylinder_ids: tuple[str, ...]

    @cached_property
    def sticks(self) -> Strips:
        """Roads, cars and box-shaped buildings in one array, in this order: one pass is far quicker
        than three.
        """
        return _joined([self.roads, self.cars, self.boxes])

    @cached_property
    def rounds(self) -> Circles:
        """Discs and cylindrical buildings in one array, in this order."""
        names = ("centre", "radius", "bottom", "top")
        return Circles(
            *(
                np.concatenate([getattr(self.discs, name), getattr(self.cylinders, name)])
                for name in names
            )
        )


def obstacles_of(table: Table) -> Obstacles:
    """The obstacles of a table, computed once and kept with it."""
    return kept(table, "obstacles", lambda: _obstacles(table))


def as_seat(table: Table, seat: int) -> Table:
    """The same table with that seat to move. It keeps the obstacles, since the same pieces stand
    there.
    """
    asked = replace(table, turns=replace(table.turns, to_move=seat))
    kept(asked, "obstacles", lambda: obstacles_of(table))
    return asked


def road_strip(table: Table, road: LaidRoad, pose: Pose | None = None) -> Strips:
    """One road in plan: at `pose` if given, else where it lies, else at its nominal pose."""
    box, at = table.components, pose or table.pose_of(road)
    if at is None:
        return nominal_strip(box, road)
    item, _ = upright(Box(_size(box)), at)
    assert item is not None
    return strips([item])


def nominal_strip(box: Components, road: LaidRoad) -> Strips:
    """One road in plan where it is meant to lie."""
    return strips_between(
        np.array([road.start]),
        np.array([road.end]),
        np.array([road.levels], dtype=np.float64),
        np.array([road.slide]),
        _size(box),
        box.disc_height,
    )


def car_strips(box: Components, road: Strips, spots: tuple[CarSpot, ...]) -> Strips:
    """Cars standing flat on one road."""
    n = len(spots)
    slope = np.full(n, road.slope[0])
    cosine = 1 / np.sqrt(1 + slope**2)
    # a car on a slope leans downhill: here by the thickness of the road, in `leaning` by its own
    # height
    along = (
        np.array([(spot.along - 0.5) * 2 for spot in spots]) * road.half[0, 0]
        - road.thick[0] * slope * cosine**2
    )
    side = np.array([spot.side for spot in spots])
    axis = np.repeat(road.axis, n, axis=0)
    normal = np.stack([-axis[:, 1], axis[:, 0]], axis=-1)
    flat = Strips(
        road.centre + axis * along[:, None] + normal * side[:, None],
        axis,
        np.stack([box.car_length / 2 * cosine, np.full(n, box.car_width / 2)], axis=-1),
        road.z[0] + slope * along + road.thick[0],
        slope,
        box.car_height / cosine,
    )
    return leaning(flat, box.car_height)


def _turned(flat: Strips, degrees: float) -> Strips:
    """The same about their middles turned that far, as a car that stands askew on its road."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    side = np.stack([-flat.axis[:, 1], flat.axis[:, 0]], axis=-1)
    return replace(flat, axis=flat.axis * cosine + side * sine, slope=flat.slope * cosine)


def leaning(flat: Strips, height: float) -> Strips:
    """Boxes of that height (mm), made longer by the length that their upper edges reach further
    downhill.
    """
    out = height / 2 * flat.slope / np.sqrt(1 + flat.slope**2)
    half = flat.half + np.stack([np.abs(out), np.zeros(len(flat))], axis=-1)
    return replace(
        flat, centre=flat.centre - flat.axis * out[:, None], half=half, z=flat.z - flat.slope * out
    )


def _size(box: Components) -> tuple[float, float, float]:
    return (box.road_length, box.road_width, box.road_thickness)


def _obstacles(table: Table) -> Obstacles:
    box = table.components
    roads = [road_strip(table, road) for road in table.roads]
    by_id = dict(zip((road.id for road in table.roads), roads, strict=True))
    discs: list[tuple[float, float, float, float]] = []
    disc_pillars: list[str] = []
    for pillar in table.pillars:
        for level, disc in enumerate(pillar.disc_ids):
            pose = table.poses.get(disc)
            x, y = pillar.at if pose is None else pose.at[:2]
            z = level * box.disc_height if pose is None else pose.at[2] - box.disc_height / 2
            if level and discs[-1][:2] == (x, y):  # a straight stack is one obstacle
                discs[-1] = (x, y, discs[-1][2], z + box.disc_height)
            else:
                discs.append((x, y, z, z + box.disc_height))
                disc_pillars.append(pillar.id)
    cars = []
    for car in table.cars:
        pose = table.poses.get(car.id)
        if pose is None:
            one = car_strips(box, by_id[car.road], (CarSpot(car.along, car.side),))
            cars.append(_turned(one, car.turn) if car.turn else one)
        else:
            item, _ = upright(Box((box.car_length, box.car_width, box.car_height)), pose)
            assert item is not None
            cars.append(leaning(strips([item]), box.car_height))
    boxes, box_ids, cylinders, cylinder_ids = [], [], [], []
    for building in table.buildings:
        kind = box.buildings[building.kind]
        pose = Pose((*building.at, kind.height / 2), from_axes(building.turn, 0.0))
        strip, circle = upright(kind.shape, pose)
        if strip is not None:
            boxes.append(strip)
            box_ids.append(building.id)
        if circle is not None:
            cylinders.append(circle)
            cylinder_ids.append(building.id)
    spots = np.array(discs, dtype=np.float64).reshape(len(discs), 4)
    return Obstacles(
        _joined([leaning(road, box.road_thickness) for road in roads]),
        tuple(by_id),
        table.network,
        Circles(spots[:, :2], np.full(len(discs), box.disc_radius), spots[:, 2], spots[:, 3]),
        tuple(disc_pillars),
        np.array([table.pillar_by_id[name].owner for name in disc_pillars], dtype=np.int64),
        _joined(cars),
        tuple(car.id for car in table.cars),
        strips(boxes),
        tuple(box_ids),
        Circles(
            np.array([c[0] for c in cylinders], dtype=np.float64).reshape(len(cylinders), 2),
            np.array([c[1] for c in cylinders], dtype=np.float64),
            np.array([c[2] for c in cylinders], dtype=np.float64),
            np.array([c[3] for c in cylinders], dtype=np.float64),
        ),
        tuple(cylinder_ids),
    )


def _joined(parts: list[Strips]) -> Strips:
    if not parts:
        return strips([])
    names = ("centre", "axis", "half", "z", "slope", "thick")
    return Strips(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))
