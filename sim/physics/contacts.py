"""Where pieces touch, from geometry alone: one manifold routine for boxes, cylinders and the table.

For each pair of pieces whose bounding boxes overlap it finds the direction of least penetration
(separating axes with exact support widths, so a cylinder is round here). Then it takes the two
faces that look at each other along that direction and finds their common area. The part of it where
the gap is within the tolerance is the touch, and its corners are the contact points. For this, a
cylinder's rim is a polygon of 32 corners, turned so that a corner lies where it matters (the lowest
point of a tilted rim, the long direction of a stick, the offset of a leaning disc), so textbook
cases come out exact; elsewhere the rim is at most 0.05 mm too small for a disc of the game.

Poses are those of a settled world: gaps and penetrations below the tolerance, discs tilted by some
hundredths of a degree. `sim.physics.statics` answers which piece holds which, and whether it
stands. One kind of touch can be missed: two rims of tilted cylinders (a fallen disc that leans on
another's edge). It is found only if a face or a side of one of them takes part.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from sim.bodies import Body, Bools, Cylinder, Floats, Ints, Vector, rotation_matrix

TOLERANCE = 0.1
"""Largest gap in mm at which two settled pieces count as touching.

A world leaves a piece that moved less than 0.05 mm and 0.05 degrees (`SettleParams.still_shift`,
`still_turn`) in its old pose, though what bears it may have sunk: at the end of a road, 55 mm from
its centre, that makes up to 0.1 mm.
"""


_RIM = 32  # corners of a cylinder's rim
# faces that tilt less than this against the touch lie flat on it
_PARALLEL = math.cos(math.radians(0.5))
_FLAT_BAND = 0.05  # mm within which points of a flat touch count, above its deepest point
_EDGE_BAND = 0.02  # mm, the same for a touch that is not flat
# mm by which an edge must separate better than a face to be preferred: settled poses are never
# perfect
_FACE_BONUS = 0.01
_LINE = 0.05  # mm, half the width given to the line on which a cylinder lies
_TILTED = 0.005  # sine of the tilt from which the lowest point of a rim is more than noise
_SAME = 0.02  # mm: corners nearer to each other than this are one
_EPS = 1e-6  # mm, for corners that lie on an edge


class Contact(NamedTuple):
    """One point where two pieces touch.

    `upper` and `lower` are ids, `lower` None for the table; `point` in mm; `normal` the unit vector
    from the lower piece into the upper one; `mu` the friction coefficient of the pair (the
    geometric mean of both, and of the piece and the table); `gap` in mm, negative where the pieces
    penetrate. Where the normal is level, `lower` is the piece that cannot move, or the first.
    """

    upper: str
    lower: str | None
    point: Vector
    normal: Vector
    mu: float
    gap: float


@dataclass(frozen=True, slots=True)
class _Solids:
    """Bodies as columns: centres (n, 3), rotations (n, 3, 3), half sizes (n, 3; a cylinder's radius
    twice), which are round.
    """

    centre: Floats
    axes: Floats
    half: Floats
    round: Bools

    def width(self, which: Ints, d: Floats) -> Floats:
        """Half the extent of bodies `which` (p,) along the unit directions `d` (p, k, 3): (p,
        k).
        """
        local = np.abs(d @ self.axes[which])
        half = self.half[which][:, None, :]
        across = np.where(
            self.round[which][:, None],
            np.hypot(local[..., 0], local[..., 1]) * half[..., 0],
            local[..., 0] * half[..., 0] + local[..., 1] * half[..., 1],
        )
        return np.asarray(across + local[..., 2] * half[..., 2])


def contacts(bodies: Sequence[Body], tolerance: float = TOLERANCE) -> tuple[Contact, ...]:
    """Every point at which two of the bodies, or a body and the table (z = 0), touch within
    `tolerance` mm.

    Bodies that never move (mass 0) have no contacts with each other or with the table. The order
    depends on the order of the bodies only: the table first, then pairs.
    """
    if not bodies:
        return ()
    solids = _Solids(
        centre=np.array([body.pose.at for body in bodies], dtype=np.float64),
        axes=np.array([rotation_matrix(body.pose.quat) for body in bodies]),
        half=np.array([body.shape.half for body in bodies]),
        round=np.array([isinstance(body.shape, Cylinder) for body in bodies]),
    )
    free = np.array([body.mass > 0 for body in bodies])
    a, b = _near(solids, free, tolerance)
    found = _on_table(bodies, solids, free, tolerance)
    for round_a, round_b in ((True, True), (True, False), (False, False)):
        chosen = (solids.round[a] == round_a) & (solids.round[b] == round_b)
        found += _touching(bodies, solids, a[chosen], b[chosen], tolerance)
    return tuple(found)


def _near(solids: _Solids, free: Bools, tolerance: float) -> tuple[Ints, Ints]:
    """Pairs whose axis-aligned boxes meet and of which one can move; the cylinder first in a mixed
    pair.
    """
    everyone = np.arange(len(free))
    reach = solids.width(everyone, np.broadcast_to(np.eye(3), (len(free), 3, 3)))
    low, high = solids.centre - reach - tolerance, solids.centre + reach
    meet = np.all((low[:, None] <= high[None]) & (low[None] <= high[:, None]), axis=2) & (
        free[:, None] | free[None]
    )
    a, b = np.nonzero(np.triu(meet, 1))
    swap = solids.round[b] & ~solids.round[a]
    return np.where(swap, b, a), np.where(swap, a, b)


def _on_table(
    bodies: Sequence[Body], solids: _Solids, free: Bools, tolerance: float
) -> list[Contact]:
    down = np.array([0.0, 0.0, -1.0])
    d = np.broadcast_to(down, (len(free), 3))
    height = solids.centre[:, 2] - solids.width(np.arange(len(free)), d[:, None])[:, 0]
    out: list[Contact] = []
    for cornered in (True, False):
        which = np.nonzero(free & (height <= tolerance) & (solids.round != cornered))[0]
        if not len(which):
            continue
        corners, normal = _faces(
            solids, which, d[which], np.broadcast_to([1.0, 0.0, 0.0], (len(which), 3))
        )
        count = np.full(len(which), corners.shape[1])
        points, gap, keep = _lowest_part(
            corners, corners[..., 2], count, -normal[:, 2] > _PARALLEL, tolerance
        )
        out += [
            Contact(body.id, None, (x, y, z), (0.0, 0.0, 1.0), body.on_table, g)
            for k, body in enumerate(bodies[i] for i in which.tolist())
            for (x, y, z), g in zip(
                points[k, keep[k]].tolist(), gap[k, keep[k]].tolist(), strict=True
            )
        ]
    return out


def _touching(
    bodies: Sequence[Body], solids: _Solids, a: Ints, b: Ints, tolerance: float
) -> list[Contact]:
    """The contacts of pairs of one kind."""
    if not len(a):
        return []
    n, gap = _least_penetration(solids, a, b)
    near = gap <= tolerance
    a, b, n = a[near], b[near], n[near]
    fixed = np.array([body.mass == 0 for body in bodies])
    swap = (n[:, 2] < -1e-3) | ((np.abs(n[:, 2]) <= 1e-3) & fixed[a])
    upper, lower = np.where(swap, b, a), np.where(swap, a, b)
    n = np.where(swap[:, None], -n, n)
    out: list[Contact] = []
    upper_side, lower_side = _on_side(solids, upper, n), _on_side(solids, lower, n)
    round_upper = solids.round[upper]
    # of a cylinder and a box either may be the upper one
    for sides in product((True, False), repeat=3):
        chosen = np.nonzero(
            (upper_side == sides[0]) & (lower_side == sides[1]) & (round_upper == sides[2])
        )[0]
        if len(chosen):
            out += _manifolds(bodies, solids, upper[chosen], lower[chosen], n[chosen], tolerance)
    return out


# --- the direction of least penetration -----------------------------------------------------------


def _least_penetration(solids: _Solids, a: Ints, b: Ints) -> tuple[Floats, Floats]:
    """For each pair the unit direction (p, 3) from b into a that separates best, and the gap along
    it (p,) in mm.
    """
    delta = solids.centre[a] - solids.centre[b]
    axes, faces, rims = _candidates(solids, a, b, delta)
    gap = _gaps(solids, a, b, delta, axes)
    gap[:, :faces] += _FACE_BONUS
    best = np.argmax(gap, axis=1)
    pair = np.arange(len(a))
    n, g = axes[pair, best], gap[pair, best] - np.where(best < faces, _FACE_BONUS, 0.0)
    # an edge against a rim: the touch lies between two of the rim's corners, so look closer
    for (
        start,
        line,
        disc,
    ) in rims:
        at = np.nonzero((best >= start) & (best < start + _RIM * line.shape[1]) & (g > -1.0))[0]
        if not len(at):
            continue
        e, k = np.divmod(best[at] - start, _RIM)
        edge, angle, step = line[at, e], k * (2 * math.pi / _RIM), 2 * math.pi / _RIM
        for _ in range(4):
            trial = angle[:, None] + np.linspace(-step, step, 9)
            d = _unit(np.cross(edge[:, None], _tangents(solids, disc[at], trial)))
            close = _gaps(solids, a[at], b[at], delta[at], d)
            top = np.argmax(close, axis=1)
            row = np.arange(len(at))
            n[at], g[at], angle, step = d[row, top], close[row, top], trial[row, top], step / 4
    return np.where(np.sum(n * delta, axis=1) < 0, -1.0, 1.0)[:, None] * n, g


def _candidates(
    solids: _Solids, a: Ints, b: Ints, delta: Floats
) -> tuple[Floats, int, list[tuple[int, Floats, Ints]]]:
    """Directions to try (p, k, 3), faces first; how many are faces; blocks of edges against rims:
    start, edges, whose rim.
    """
    # rows are body axes
    ra, rb = (
        np.swapaxes(solids.axes[a], 1, 2),
        np.swapaxes(solids.axes[b], 1, 2),
    )
    if not solids.round[a[0]]:
        cross = np.cross(ra[:, :, None], rb[:, None]).reshape(len(a), 9, 3)
        return _unit(np.concatenate([ra, rb, cross], axis=1)), 6, []
    za = ra[:, 2:]
    turns = np.broadcast_to(np.arange(_RIM) * (2 * math.pi / _RIM), (len(a), _RIM))
    if solids.round[b[0]]:
        zb, d = rb[:, 2:], delta[:, None]
        radial = [d - np.sum(d * z, axis=2, keepdims=True) * z for z in (za, zb)]
        fixed = [za, zb, np.cross(za, zb), *radial]
        lines = [(za, b), (zb, a)]
        faces = 2
    else:
        signs = np.array(
            [(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], dtype=np.float64
        )
        spoke = (signs * solids.half[b][:, None]) @ rb - delta[:, None]
        fixed = [za, rb, np.cross(za, rb), spoke - np.sum(spoke * za, axis=2, keepdims=True) * za]
        lines = [(rb, a)]
        faces = 4
    blocks: list[tuple[int, Floats, Ints]] = []
    start = sum(block.shape[1] for block in fixed)
    for line, disc in lines:
        rim = _tangents(solids, disc, turns)
        fixed.append(np.cross(line[:, :, None], rim[:, None]).reshape(len(a), -1, 3))
        blocks.append((start, line, disc))
        start += fixed[-1].shape[1]
    return _unit(np.concatenate(fixed, axis=1)), faces, blocks


def _gaps(solids: _Solids, a: Ints, b: Ints, delta: Floats, d: Floats) -> Floats:
    """The gap between the shadows of each pair along the unit directions d (p, k, 3); a zero vector
    separates nothing.
    """
    gap = np.abs(np.einsum("pki,pi->pk", d, delta)) - solids.width(a, d) - solids.width(b, d)
    return np.where(np.any(d != 0, axis=2), gap, -np.inf)


def _tangents(solids: _Solids, disc: Ints, angle: Floats) -> Floats:
    """Unit tangents of the rims of `disc` (p,) at body angles (p, k) in radians: (p, k, 3)."""
    x, y = solids.axes[disc][:, None, :, 0], solids.axes[disc][:, None, :, 1]
    return np.asarray(-np.sin(angle)[..., None] * x + np.cos(angle)[..., None] * y)


def _unit(v: Floats) -> Floats:
    """Unit vectors; those too short to have a direction become zero."""
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.where(length > 1e-6, v / np.maximum(length, 1e-300), 0.0)


# --- the common area of two faces -----------------------------------------------------------------


def _on_side(solids: _Solids, which: Ints, d: Floats) -> Bools:
    """Whether the face that looks along ±d has four corners: a face of a box, or the line on which
    a cylinder lies.
    """
    level = np.abs(np.sum(solids.axes[which][:, :, 2] * d, axis=1)) < math.sqrt(0.5)
    return np.asarray(~solids.round[which] | level)


def _faces(solids: _Solids, which: Ints, d: Floats, hint: Floats) -> tuple[Floats, Floats]:
    """The corners (p, 4 or 32, 3) and outward normals (p, 3) of the faces that look most along d
    (p, 3).

    All `which` are of one kind; `hint` (p, 3) is the direction in which a level rim gets a corner.
    """
    axes, half, centre = solids.axes[which], solids.half[which], solids.centre[which]
    local = np.einsum("pi,pij->pj", d, axes)
    row = np.arange(len(which))
    square = np.array([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)])
    if not _on_side(solids, which[:1], d[:1])[0]:
        sign = np.where(local[:, 2] < 0, -1.0, 1.0)[:, None]
        normal = sign * axes[:, :, 2]
        tilted = np.hypot(local[:, 0], local[:, 1]) > _TILTED
        aim = np.where(tilted[:, None], local, np.einsum("pi,pij->pj", hint, axes))
        angle = np.arctan2(aim[:, 1], aim[:, 0])[:, None] + np.arange(_RIM) * (2 * math.pi / _RIM)
        rim = (
            np.cos(angle)[..., None] * axes[:, None, :, 0]
            + np.sin(angle)[..., None] * axes[:, None, :, 1]
        )
        return centre[:, None] + (half[:, 2:] * normal)[:, None] + half[:, :1, None] * rim, normal
    if solids.round[which[0]]:
        u = _unit(np.concatenate([local[:, :2], np.zeros((len(which), 1))], axis=1))
        normal = np.einsum("pij,pj->pi", axes, u)
        across, along = np.cross(axes[:, :, 2], normal) * _LINE, axes[:, :, 2] * half[:, 2:]
        middle = centre + normal * half[:, :1]
    else:
        k = np.argmax(np.abs(local), axis=1)
        sign = np.where(local[row, k] < 0, -1.0, 1.0)[:, None]
        normal = sign * axes[row, :, k]
        i, j = (k + 1) % 3, (k + 2) % 3
        across, along = axes[row, :, i] * half[row, i, None], axes[row, :, j] * half[row, j, None]
        middle = centre + normal * half[row, k, None]
    return middle[:, None] + square[:, :1] * across[:, None] + square[:, 1:] * along[
        :, None
    ], normal


def _manifolds(
    bodies: Sequence[Body],
    solids: _Solids,
    upper: Ints,
    lower: Ints,
    n: Floats,
    tolerance: float,
) -> list[Contact]:
    """The contact points of pairs that touch along n, all with the same numbers of corners."""
    delta = solids.centre[upper] - solids.centre[lower]
    level = delta - np.sum(delta * n, axis=1, keepdims=True) * n
    east = np.broadcast_to([1.0, 0.0, 0.0], n.shape)
    offset = np.where(np.linalg.norm(level, axis=1, keepdims=True) > _EPS, level, east)
    p, m_up = _faces(
        solids,
        upper,
        -n,
        np.where(solids.round[lower][:, None], offset, solids.axes[lower][:, :, 0]),
    )
    q, m_low = _faces(
        solids,
        lower,
        n,
        np.where(solids.round[upper][:, None], offset, solids.axes[upper][:, :, 0]),
    )
    # Both faces in the plane across n, seen from above.
    e1 = _unit(np.cross(np.where(np.abs(n[:, :1]) < 0.7, east, [0.0, 1.0, 0.0]), n))
    e2 = np.cross(n, e1)
    flat = np.stack([e1, e2], axis=2)
    origin = solids.centre[lower][:, None]
    p2, q2 = _counter_clockwise((p - origin) @ flat), _counter_clockwise((q - origin) @ flat)
    corners, count = _common(p2, q2)
    up, low = (
        _heights(face[:, 0] - origin[:, 0], m, n, flat, corners)
        for face, m in ((p, m_up), (q, m_low))
    )
    points = origin + corners @ np.swapaxes(flat, 1, 2) + ((up + low) / 2)[..., None] * n[:, None]
    parallel = np.minimum(-np.sum(m_up * n, axis=1), np.sum(m_low * n, axis=1)) > _PARALLEL
    points, gap, keep = _lowest_part(points, up - low, count, parallel, tolerance)
    out: list[Contact] = []
    for k, (i, j) in enumerate(zip(upper.tolist(), lower.tolist(), strict=True)):
        a, b = bodies[i], bodies[j]
        mu, normal = (
            math.sqrt(a.friction * b.friction),
            (float(n[k, 0]), float(n[k, 1]), float(n[k, 2])),
        )
        touches = zip(points[k, keep[k]].tolist(), gap[k, keep[k]].tolist(), strict=True)
        out += [Contact(a.id, b.id, (x, y, z), normal, mu, g) for (x, y, z), g in touches]
    return out


def _counter_clockwise(polygon: Floats) -> Floats:
    x, y = polygon[..., 0], polygon[..., 1]
    area = np.sum(x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1), axis=1)
    return np.where(area[:, None, None] < 0, polygon[:, ::-1], polygon)


def _common(p: Floats, q: Floats) -> tuple[Floats, Ints]:
    """The corners (pairs, k, 2) of the common areas of convex polygons, in order, and how many
    there are before padding.
    """
    inside_q, inside_p = _inside(p, q), _inside(q, p)
    u, v = np.roll(p, -1, axis=1) - p, np.roll(q, -1, axis=1) - q
    w = q[:, None] - p[:, :, None]
    across = _cross(u[:, :, None], v[:, None])
    steep = (
        np.abs(across)
        > 1e-9 * np.linalg.norm(u, axis=2)[:, :, None] * np.linalg.norm(v, axis=2)[:, None]
    )
    safe = np.where(steep, across, 1.0)
    s, t = _cross(w, v[:, None]) / safe, _cross(w, u[:, :, None]) / safe
    hit = steep & (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
    crossing = p[:, :, None] + s[..., None] * u[:, :, None]
    pairs = len(p)
    corners = np.concatenate([p, q, crossing.reshape(pairs, -1, 2)], axis=1)
    valid = np.concatenate([inside_q, inside_p, hit.reshape(pairs, -1)], axis=1)
    order = np.argsort(~valid, axis=1, kind="stable")[:, : max(1, int(valid.sum(axis=1).max()))]
    row = np.arange(pairs)[:, None]
    return _in_order(corners[row, order], valid[row, order])


def _inside(points: Floats, polygon: Floats) -> Bools:
    edge = np.roll(polygon, -1, axis=1) - polygon
    side = _cross(edge[:, None], points[:, :, None] - polygon[:, None])
    return np.asarray(np.all(side >= -_EPS * np.linalg.norm(edge, axis=2)[:, None], axis=2))


def _cross(u: Floats, v: Floats) -> Floats:
    return np.asarray(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])


def _heights(at: Floats, m: Floats, n: Floats, flat: Floats, corners: Floats) -> Floats:
    """Heights along n (pairs, k) of the plane through `at` with normal m, above the points
    `corners` across n.
    """
    slope = np.einsum("pi,pij->pj", m, flat)
    rise = np.sum(m * at, axis=1)[:, None] - np.einsum("pkj,pj->pk", corners, slope)
    return np.asarray(rise / np.sum(m * n, axis=1)[:, None])


def _in_order(corners: Floats, valid: Bools) -> tuple[Floats, Ints]:
    """The valid corners in order round their middle, without those that coincide, first; and how
    many they are.
    """
    middle = (
        np.sum(np.where(valid[..., None], corners, 0.0), axis=1)
        / np.maximum(valid.sum(axis=1), 1)[:, None]
    )
    out = corners - middle[:, None]
    row = np.arange(len(valid))[:, None]
    order = np.argsort(
        np.where(valid, np.arctan2(out[..., 1], out[..., 0]), np.inf), axis=1, kind="stable"
    )
    corners, valid = corners[row, order], valid[row, order]
    last = corners[np.arange(len(valid)), np.maximum(valid.sum(axis=1) - 1, 0)]
    before = np.concatenate([last[:, None], corners[:, :-1]], axis=1)
    alone = valid & (np.linalg.norm(corners - before, axis=2) >= _SAME)
    alone[:, 0] |= valid[:, 0] & ~alone.any(axis=1)
    order = np.argsort(~alone, axis=1, kind="stable")
    return corners[row, order], alone.sum(axis=1)


def _lowest_part(
    points: Floats, gap: Floats, count: Ints, parallel: Bools, tolerance: float
) -> tuple[Floats, Floats, Bools]:
    """The parts of polygons (p, k, 3) with `count` corners that lie within the band above their
    lowest points.

    Returns points, gaps and which of them count. Where the band cuts an edge there is a point as
    well: a rim that meets a sloping face in one point touches it, as wood does, over an arc. What
    is further than the tolerance touches nowhere.
    """
    size = points.shape[1]
    valid = np.arange(size) < count[:, None]
    lowest = np.where(valid, gap, np.inf).min(axis=1)[:, None]
    # What cuts into the other piece touches it for sure, however deep an engine lets another corner
    # sink.
    limit = np.maximum(lowest + np.where(parallel, _FLAT_BAND, _EDGE_BAND)[:, None], 0.0)
    follows = np.where(np.arange(size) + 1 < count[:, None], np.arange(size) + 1, 0)
    row = np.arange(len(points))[:, None]
    after, gap_after = points[row, follows], gap[row, follows]
    cut = valid & ((gap <= limit) != (gap_after <= limit))
    share = np.where(cut, (limit - gap) / np.where(cut, gap_after - gap, 1.0), 0.0)
    return (
        np.concatenate([points, points + share[..., None] * (after - points)], axis=1),
        np.concatenate([gap, np.broadcast_to(limit, gap.shape)], axis=1),
        np.concatenate([valid & (gap <= limit), cut], axis=1) & (lowest <= tolerance),
    )
