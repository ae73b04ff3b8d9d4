"""The pose in which physics receives a piece: the lowest one at its place in plan that cuts into
nothing.

A road is a plate whose plan position and heading are given. Let down on points that stick up into
its footprint, it comes to rest on three of them: those whose triangle holds its centre, in the
plane above all others. That is a linear programme in three unknowns (height and two slopes), solved
here by pivoting; the footprint shrinks as the plate tilts, so it is repeated until the plane no
longer changes.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import shapely

from sim.bodies import (
    Body,
    Box,
    Cylinder,
    Floats,
    Pose,
    Quaternion,
    Vector,
    compose,
    dot,
    on_the_way,
    rotate,
    rotation_matrix,
    turn,
)
from sim.physics.neighbours import penetrations, radius
from sim.pieces import Components

_TOUCH = 1e-9  # mm: a point no higher above the plane than this lies on it
_SETTLED = 1e-7  # mm per mm: 5 nm at a road's end
_ROUNDS = 12  # the plane settles in about five; where it alternates between two, no more help
_PIVOTS = 200
_FACES_UP = 0.02  # a face that is steeper than this cosine bears nothing
_INSIDE = 0.02  # mm: pieces that are no deeper inside each other only touch
GRAZE = 0.04
"""mm: pieces that are no deeper inside each other than this only graze."""

_LIFT_MOST = 60.0  # mm
_NUDGES = 6  # out of one piece after the other
_ASIDE = (0.0, 0.25, 0.5, 1.0, 2.0, 3.0)  # mm in plan
_ASIDE_MOST = 4.0  # mm: further, the ways out lead it no further
_AROUND = tuple(math.radians(30.0 * n) for n in range(12))
_LOWER = (1.0, 0.8, 0.6, 0.4, 0.2, 0.0)  # shares of the height at which a hand would let go
_RIM = np.linspace(0.0, 2 * math.pi, 48, endpoint=False)
_CIRCLE = np.stack([np.cos(_RIM), np.sin(_RIM)], axis=1)
_TABLE = (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)  # as the plane of a face
_CORNERS = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])


def rest_disc(at: tuple[float, float], bottom: float, components: Components) -> Pose:
    """A disc lying flat with its underside `bottom` mm above the table (0: on the table itself)."""
    return Pose((at[0], at[1], bottom + components.disc_height / 2))


def rest_car(road: Body, along: float, side: float, components: Components) -> Pose:
    """A car lying flat on a road, headed along it: `along` from 0 (the road's start) to 1 (its
    end), `side` mm to the left.
    """
    assert isinstance(road.shape, Box)
    size = road.shape.size
    offset = ((along - 0.5) * size[0], side, (size[2] + components.car_height) / 2)
    lift = rotate(road.pose.quat, offset)
    x, y, z = road.pose.at
    return Pose((x + lift[0], y + lift[1], z + lift[2]), road.pose.quat)


def rest_road(
    centre: tuple[float, float], yaw: float, supports: Sequence[Body], components: Components
) -> Pose:
    """A road let down at a place in plan: the lowest pose that rests on the supports and on the
    table.

    `centre` is the road's centre of mass in plan in mm, `yaw` the heading in degrees of the line
    from its start to its end. `supports` are the bodies that may lie beneath, in any order:
    pillars' discs, road ends, cars, buildings; what is out of reach of the footprint is left aside.
    Pitch, and roll where the supports ask for it, come out of the geometry.
    """
    size = (components.road_length, components.road_width, components.road_thickness)
    heading = np.array([math.cos(math.radians(yaw)), math.sin(math.radians(yaw))])
    half = math.hypot(*size) / 2
    near = [
        body
        for body, reach in zip(supports, map(radius, supports), strict=True)
        if math.dist(body.pose.at[:2], centre) < half + reach
    ]
    beneath = _uncovered(_within_reach(near, centre, heading, size))
    return _let_down(centre, yaw, tuple(beneath), size)


@lru_cache(maxsize=1024)  # a table without settled poses is laid again with each ply
def _let_down(
    centre: tuple[float, float], yaw: float, beneath: tuple[Body, ...], size: Vector
) -> Pose:
    heading = np.array([math.cos(math.radians(yaw)), math.sin(math.radians(yaw))])
    faces = [face for body in beneath for face in _faces(body, centre)]
    slopes = np.zeros(2)
    height = 0.0
    for _ in range(_ROUNDS):
        points = _points(faces, heading, slopes, size)
        height, tilted = _lowest_plane(points)
        settled = float(np.abs(tilted - slopes).max()) < _SETTLED
        slopes = tilted
        if settled:
            break
    return _pose(centre, yaw, height, slopes, heading, size[2])


def held_over(lying: Body, lift: float, turned: Vector) -> Body:
    """A piece in the hand above the pose in which it is to lie: `lift` mm higher, `turned` about x,
    y and z (degrees), and as much higher again as it needs for the turn to cut into nothing below.
    """
    rx, ry, rz = turned
    if not (rx or ry or rz or lift):
        return lying
    twist = compose(
        turn((0.0, 0.0, 1.0), rz), compose(turn((0.0, 1.0, 0.0), ry), turn((1.0, 0.0, 0.0), rx))
    )
    x, y, z = lying.pose.at
    sinks = _sinks(lying, twist) if rx or ry else 0.0
    return lying.at(Pose((x, y, z + max(lift, 0.0) + sinks), compose(twist, lying.pose.quat)))


def _sinks(lying: Body, twist: Quaternion) -> float:
    """How far below where it was the underside of a piece comes at most if it is turned about its
    centre, in mm.
    """
    x, y, z, w = lying.pose.quat
    # the turn in the piece's own axes
    tilted = rotation_matrix(compose((-x, -y, -z, w), compose(twist, lying.pose.quat)))[2]
    long, wide, _ = lying.shape.half
    if isinstance(lying.shape, Cylinder):
        return wide * math.hypot(tilted[0], tilted[1])
    return float(long * abs(tilted[0]) + wide * abs(tilted[1]))


def released_clear(
    release: Body, lying: Body, new: Sequence[Body], standing: Sequence[Body]
) -> Body:
    """A piece where a hand lets go of it, moved until it is inside nothing by more than 0.04 mm.

    It is lifted until it is clear of the `new` pieces that the hand has put down before it. If it
    would then be inside something that is `standing`, as where it passes under a road, it is let go
    lower, but not below the pose in which it is to be `lying`. Where it has no room like that, the
    hand errs less, since it feels what it meets: the piece is turned and lowered towards the pose
    in which it is to lie. If it has no room even there, the hand moves it aside by up to 3 mm, or
    lets go of it above everything.
    """
    x, y, z = release.pose.at
    lift = _lift(release, new, _LIFT_MOST)
    lowest = min(lying.pose.at[2], z)
    every = [*new, *standing]
    for share in _LOWER if not lift else (1.0,):
        lifted = release.at(Pose((x, y, lowest + share * (z + lift - lowest)), release.pose.quat))
        if not _deepest(lifted, standing):
            if share == 1.0 and lift < _LIFT_MOST:
                return lifted  # it is clear of the new ones
            break
    else:
        if not lift and not _deepest(lying, every):
            return lying
    if _deepest(lifted, every) <= GRAZE:
        return lifted
    for share in _LOWER[1:]:
        eased = release.at(on_the_way(lying.pose, release.pose, share))
        if not _deepest(eased, every):
            return eased
    aside = _aside(lying, every)
    return aside if aside is not None else lifted_clear(release, every)


def lifted_clear(body: Body, others: Sequence[Body]) -> Body:
    """The piece lifted, as it is turned, until it is inside none of the others; where it is if it
    is inside none by more than 0.04 mm.
    """
    clear = _deepest(body, others) <= GRAZE
    return body if clear else body.moved(0.0, 0.0, _lift(body, others))


def _lift(body: Body, others: Sequence[Body], most: float = math.inf) -> float:
    """By how many mm it must rise to be inside none of the others; no more once that is `most`."""
    lift = 0.0
    while lift < most and (deep := _deepest(body.moved(0.0, 0.0, lift), others)):
        lift += deep + _INSIDE
    return lift


def _aside(body: Body, others: Sequence[Body]) -> Body | None:
    """The piece beside its place, inside nothing; None if that is further than a hand moves it.

    From its place, and from places around it in plan, it is moved out of what it is inside by the
    shortest ways, one after the other. The first that is found is the nearest, or nearly so.
    """
    others = _around(body, others, _ASIDE_MOST)
    for far in _ASIDE:
        there = {
            angle: body.moved(far * math.cos(angle), far * math.sin(angle), 0.0)
            for angle in (_AROUND if far else (0.0,))
        }
        clear: dict[float, Body] = {}
        for _ in range(_NUDGES):
            ways = penetrations(list(there.values()), others, _INSIDE)
            inside = dict(zip(there, ways, strict=True))
            clear |= {angle: there[angle] for angle, way in inside.items() if way is None}
            first = min(clear, default=math.inf)  # the others need no other look
            nudged = {
                a: _nudged(there[a], way[1]) for a, way in inside.items() if way and a < first
            }
            there = {
                angle: one
                for angle, one in nudged.items()
                if math.dist(one.pose.at, body.pose.at) <= _ASIDE_MOST
            }
            if not there:
                break
        if clear:
            return clear[min(clear)]
    return None


def _nudged(body: Body, way: Vector) -> Body:
    """The body moved out of what it is inside, by the way that leads out of it."""
    share = 1.0 + _INSIDE / math.hypot(*way)
    return body.moved(*(share * part for part in way))


def _deepest(body: Body, others: Sequence[Body]) -> float:
    """How deep it is inside one of the others, 0 if by no more than 0.02 mm in any."""
    (found,) = penetrations([body], _around(body, others), _INSIDE)
    return found[0] if found is not None else 0.0


def _around(body: Body, others: Sequence[Body], further: float = 0.0) -> list[Body]:
    """Those of the others that may touch it, or would if they were `further` mm larger."""
    reach = radius(body) + further
    return [
        other
        for other, its in zip(others, map(radius, others), strict=True)
        if math.dist(other.pose.at, body.pose.at) < reach + its
    ]


def _pose(
    centre: tuple[float, float],
    yaw: float,
    height: float,
    slopes: Floats,
    heading: Floats,
    thickness: float,
) -> Pose:
    rise, side = (
        float(dot(slopes, heading)),
        float(dot(slopes, np.array([-heading[1], heading[0]]))),
    )
    pitch = math.atan(rise)
    roll = math.atan(side * math.cos(pitch))
    lift = thickness / 2 * math.sqrt(1 + rise**2 + side**2)
    quat = compose(turn((0.0, 0.0, 1.0), yaw), turn((0.0, 1.0, 0.0), -math.degrees(pitch)))
    if abs(roll) > 1e-9:
        quat = compose(quat, turn((1.0, 0.0, 0.0), math.degrees(roll)))
    return Pose((centre[0], centre[1], height + lift), quat)


def _within_reach(
    bodies: Sequence[Body], centre: tuple[float, float], heading: Floats, size: Vector
) -> list[Body]:
    """The bodies whose spine, in plan, comes as near to the road's as their girths together."""
    spines, girths = [], []
    for body in bodies:
        (x, y, _), (long, wide, high) = body.pose.at, body.shape.half
        spine = long if isinstance(body.shape, Box) else 0.0
        ux, uy, _ = rotate(body.pose.quat, (spine, 0.0, 0.0))
        spines.append(((x - ux, y - uy), (x + ux, y + uy)))
        girths.append(math.hypot(wide, high))
    if not spines:
        return []
    half = heading * size[0] / 2
    road = shapely.LineString([np.array(centre) - half, np.array(centre) + half])
    apart = (
        shapely.distance(shapely.linestrings(spines), road)
        - np.array(girths)
        - math.hypot(size[1], size[2]) / 2
    )
    return [body for body, gap in zip(bodies, apart.tolist(), strict=True) if gap < 0]


def _uncovered(bodies: Sequence[Body]) -> list[Body]:
    """The bodies without the discs that lie under a disc of their pillar, out of reach of any plate
    up to 60 degrees steep.
    """
    discs = [body for body in bodies if isinstance(body.shape, Cylinder)]
    return [body for body in bodies if not any(_covers(disc, body) for disc in discs)]


def _covers(upper: Body, lower: Body) -> bool:
    (x, y, z), (u, v, w) = upper.pose.at, lower.pose.at
    aside = math.hypot(x - u, y - v)
    # a plate may pass beside a tall pillar and lie on a low one near it: those are another's discs
    return upper.shape == lower.shape and z > w and aside < radius(upper) and z - w > 1.8 * aside


class _Face(NamedTuple):
    """A flat face that bears: the `plane` in which it lies, by its middle (x, y from the road's
    centre, z above the table) and its normal. A disc's has a `radius`; a box's has `corners` in
    plan (4, 2), and the matrix that brings points in plan `into` its own frame.
    """

    plane: Floats
    radius: float = 0.0
    corners: Floats = _CORNERS
    into: Floats = _CORNERS


def _faces(body: Body, centre: tuple[float, float]) -> list[_Face]:
    """The faces of a body on which a road can lie."""
    at = np.array(body.pose.at) - (centre[0], centre[1], 0.0)
    if isinstance(body.shape, Cylinder):
        axis = np.array(rotate(body.pose.quat, (0.0, 0.0, 1.0)))
        top = at + axis * body.shape.height / 2
        return [_Face(np.concatenate([top, axis]), body.shape.radius)]
    found, axes, size = [], rotation_matrix(body.pose.quat).T, body.shape.size
    for k in range(3):
        normal = axes[k] if axes[k, 2] >= 0 else -axes[k]
        if normal[2] >= _FACES_UP:
            top = at + normal * size[k] / 2
            frame = np.array([(axes[n % 3] * size[n % 3] / 2)[:2] for n in (k + 1, k + 2)])
            corners = top[:2] + _through(_CORNERS, frame)
            found.append(_Face(np.concatenate([top, normal]), 0.0, corners, _inverse(frame)))
    return found


def _points(faces: Sequence[_Face], heading: Floats, slopes: Floats, size: Vector) -> Floats:
    """Points (x, y from the centre, z above the table) that decide where a plate of these slopes
    can lie: shape (n, 3).

    Between two flat faces the least distance is at a corner of one of them or where their edges
    cross in plan.
    """
    e1, e2, normal = _axes(heading, slopes)
    # half edges of the bottom face in plan
    frame = np.array([e1[:2] * size[0] / 2, e2[:2] * size[1] / 2])
    middle = -normal[:2] * size[2] / 2
    plate = middle + _through(_CORNERS, frame)
    into_plate = _inverse(frame)
    steep = math.hypot(*slopes)
    # there a tilted plate meets a rim
    rim = _CIRCLE if steep < 1e-12 else np.concatenate([_CIRCLE, [-slopes / steep]])
    found = [plate]  # on the table
    for face in faces:
        top = face.plane[:2]
        if face.radius:
            arc = top + rim * face.radius
            arc = arc[np.abs(_through(arc - middle, into_plate)).max(axis=1) <= 1 + 1e-12]
            inside = plate[np.hypot(*(plate - top).T) <= face.radius]
            cut = _edges_through_circle(plate, top, face.radius)
        else:
            onto = np.abs(_through(face.corners - middle, into_plate)).max(axis=1)
            arc = face.corners[onto <= 1]
            inside = plate[np.abs(_through(plate - top, face.into)).max(axis=1) <= 1]
            cut = _edges_crossing(face.corners, plate)
        found.append(np.concatenate([arc, inside, cut]))
    counts, every = [len(points) for points in found], np.concatenate(found)
    planes = np.repeat([_TABLE, *(face.plane for face in faces)], counts, axis=0)
    down = dot(every - planes[:, :2], planes[:, 3:5]) / planes[:, 5]
    return np.column_stack([every, planes[:, 2] - down])


def _through(points: Floats, frame: Floats) -> Floats:
    """The points (n, 2) that lie in a frame, whose rows are its axes, as these points do in the
    plane.
    """
    found: Floats = points[:, :1] * frame[0] + points[:, 1:] * frame[1]
    return found


def _inverse(frame: Floats) -> Floats:
    (a, b), (c, d) = frame.tolist()
    area = a * d - b * c
    return np.array([[d / area, -b / area], [-c / area, a / area]])


def _axes(heading: Floats, slopes: Floats) -> tuple[Floats, Floats, Floats]:
    normal = np.array([-slopes[0], -slopes[1], 1.0])
    normal /= math.sqrt(float(dot(normal, normal)))
    along = np.array([heading[0], heading[1], float(dot(slopes, heading))])
    along /= math.sqrt(float(dot(along, along)))
    return along, np.cross(normal, along), normal


def _edges_through_circle(plate: Floats, centre: Floats, radius: float) -> Floats:
    run = np.roll(plate, -1, axis=0) - plate
    start = plate - centre
    a, b = (run * run).sum(1), (run * start).sum(1)
    root = b * b - a * ((start * start).sum(1) - radius * radius)
    cut = root > 0
    wide = np.sqrt(root[cut])
    shares = np.stack([(-b[cut] - wide) / a[cut], (-b[cut] + wide) / a[cut]], axis=1)
    points = plate[cut][:, None] + shares[:, :, None] * run[cut][:, None]
    found: Floats = points[(shares >= 0) & (shares <= 1)]
    return found


def _edges_crossing(one: Floats, other: Floats) -> Floats:
    run, cross_run = np.roll(one, -1, axis=0) - one, np.roll(other, -1, axis=0) - other
    apart = other[None] - one[:, None]
    area = run[:, None, 0] * cross_run[None, :, 1] - run[:, None, 1] * cross_run[None, :, 0]
    # parallel edges meet at corners, which are checked anyway
    area = np.where(np.abs(area) < 1e-12, np.inf, area)
    t = (apart[:, :, 0] * cross_run[None, :, 1] - apart[:, :, 1] * cross_run[None, :, 0]) / area
    u = (apart[:, :, 0] * run[:, None, 1] - apart[:, :, 1] * run[:, None, 0]) / area
    points = one[:, None] + t[:, :, None] * run[:, None]
    return points[(t > 0) & (t < 1) & (u > 0) & (u < 1)]


def _lowest_plane(points: Floats) -> tuple[float, Floats]:
    """The plane above all points that is lowest at the origin: its height there and its slopes
    along x and y.
    """
    far = 1e4  # begin with three far-off points, each so low that any real point replaces it
    begin = [[far, 0.0, -1e5], [-far, far, -1e5], [-far, -far, -1e5]]
    every = np.concatenate([points, begin])
    xs, ys, zs = every.T
    chosen = [tuple(point) for point in begin]
    for _ in range(_PIVOTS):
        # shares[k] are the coefficients 1, x, y of the share that corner k has in any point of the
        # plane
        shares, (z1, z2, z3) = _shares(*chosen), (corner[2] for corner in chosen)
        height, slope_x, slope_y = (
            a * z1 + b * z2 + c * z3 for a, b, c in zip(*shares, strict=True)
        )
        above = zs - (height + slope_x * xs + slope_y * ys)
        enter = int(above.argmax())
        if above[enter] <= _TOUCH:
            break
        x, y, z = every[enter].tolist()
        pulls = [one + along_x * x + along_y * y for one, along_x, along_y in shares]
        # the origin stays inside the triangle if the corner whose share runs out first leaves
        left = [
            share[0] / pull if pull > 1e-12 else math.inf
            for share, pull in zip(shares, pulls, strict=True)
        ]
        chosen[left.index(min(left))] = (x, y, z)
    return height, np.array([slope_x, slope_y])


def _shares(
    a: Sequence[float], b: Sequence[float], c: Sequence[float]
) -> tuple[Vector, Vector, Vector]:
    """The barycentric coordinates of a triangle in plan, each as the coefficients of 1, x and y."""
    area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    return (
        ((b[0] * c[1] - c[0] * b[1]) / area, (b[1] - c[1]) / area, (c[0] - b[0]) / area),
        ((c[0] * a[1] - a[0] * c[1]) / area, (c[1] - a[1]) / area, (a[0] - c[0]) / area),
        ((a[0] * b[1] - b[0] * a[1]) / area, (a[1] - b[1]) / area, (b[0] - a[0]) / area),
    )
