"""Who touches whom, from poses alone: which pieces meet or nearly meet, and which of two lies on
the other.

The world uses this to find what a placement can disturb. The test is the separating axis test with
the axes of both pieces. It may call two pieces neighbours that narrowly miss each other at a
corner, but it never misses two pieces that touch.
"""

import math
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from sim.bodies import (
    Body,
    Bools,
    Box,
    Floats,
    Ints,
    Vector,
    dot,
    rotation_matrix,
)

_Solids = tuple[Floats, Floats, Bools, Floats]

# Neither is the gap at which pieces touch by the rules, 0.05 mm (rules 4d): both are wider, so that
# physics misses no contact.
NEAR = 0.2  # mm: of two pieces that are closer than this, one may disturb the other
APART = 0.1  # mm: pieces so far apart do not hang together; no engine finds a contact over it
# a contact whose normal is steeper than 30 degrees carries weight, one that is flatter only pushes
_UPRIGHT = 0.5
_DIRECTIONS = 12  # in plan, 15 degrees apart
_PARALLEL = 1 - 1e-6  # cosine, of a twelfth of a degree
_RIM = np.linspace(0.0, math.tau, 120, endpoint=False)[:, None]
_COS, _SIN = np.cos(_RIM), np.sin(_RIM)
_LINES = 1e-4  # cross products of (nearly) parallel axes are no axes: their length squared


@dataclass(frozen=True, slots=True)
class Neighbours:
    """For each id the ids, sorted, that it touches; those among them that it lies on; those that
    lie on it.
    """

    touching: Mapping[str, tuple[str, ...]]
    below: Mapping[str, tuple[str, ...]]
    above: Mapping[str, tuple[str, ...]]

    def under(self, ids: Iterable[str], once: AbstractSet[str] = frozenset()) -> set[str]:
        """The ids and all that bears them, down to the table; no way down passes two pieces of
        `once`.
        """
        return _closure(ids, self.below, once)

    def upon(self, ids: Iterable[str], once: AbstractSet[str] = frozenset()) -> set[str]:
        """The ids and all that lies on them, up to the top; no way up passes two pieces of
        `once`.
        """
        return _closure(ids, self.above, once)

    def around(self, ids: Iterable[str]) -> set[str]:
        """The ids and all that touches one of them."""
        start = set(ids)
        return start.union(*(self.touching[name] for name in start))

    def disturbed(self, seeds: Iterable[str], roads: AbstractSet[str]) -> set[str]:
        """What the seeds can disturb: what touches them, what bears those, and what lies on those
        bearers.

        Where a road lies on the end of another, which lies on the end of a third, a load at one
        place is hardly felt two pillars further on. So one more road is free downwards and upwards,
        and all discs and cars on the way. A free road may rest with its other end on a held piece:
        that is the border, and the engine watches it.
        """
        return self.upon(self.under(self.around(seeds), roads), roads)

    def connected(self, ids: Iterable[str]) -> set[str]:
        """The ids and all that is connected with them by contacts."""
        return reached(ids, self.touching)


def neighbours(bodies: Sequence[Body], near: float = NEAR) -> Neighbours:
    """The neighbours among these bodies, two being neighbours when less than `near` mm of air is
    between them.
    """
    names = [body.id for body in bodies]
    touching: dict[str, list[str]] = {name: [] for name in names}
    below: dict[str, list[str]] = {name: [] for name in names}
    above: dict[str, list[str]] = {name: [] for name in names}
    first, second, gap, normal = _close_pairs(_arrays(bodies), near)
    for i, j, z in zip(
        first[gap <= near], second[gap <= near], normal[gap <= near, 2], strict=True
    ):
        touching[names[i]].append(names[j])
        touching[names[j]].append(names[i])
        if abs(z) >= _UPRIGHT:
            lower, upper = (names[i], names[j]) if z > 0 else (names[j], names[i])
            below[upper].append(lower)
            above[lower].append(upper)
    return Neighbours(_sorted(touching), _sorted(below), _sorted(above))


def structures(bodies: Sequence[Body]) -> list[frozenset[str]]:
    """The ids of the pieces with a mass, in groups that hang together by contacts, in the order of
    their first pieces.

    What has no mass (buildings, the table) connects nothing: it cannot hand on a push. Two pieces
    hang together if less than `APART` mm of air is between them.
    """
    loose = [body for body in bodies if body.mass > 0]
    near, found, seen = neighbours(loose, APART), list[frozenset[str]](), set[str]()
    for body in loose:
        if body.id not in seen:
            found.append(frozenset(near.connected({body.id})))
            seen |= found[-1]
    return found


def radius(body: Body) -> float:
    """The radius in mm of the ball around a body's middle that holds the whole body."""
    x, y, z = body.shape.half
    return math.hypot(x, y, z) if isinstance(body.shape, Box) else math.hypot(x, z)


def overlaps(bodies: Sequence[Body], deeper: float) -> list[tuple[str, str, float]]:
    """The pairs that are more than `deeper` mm inside each other, and how deep, the deepest
    first.
    """
    pairs = zip(*_deep_pairs(_arrays(bodies), deeper), strict=True)
    found = [(bodies[i].id, bodies[j].id, depth) for i, j, depth, _ in pairs]
    return sorted(found, key=lambda pair: -pair[2])


def penetrations(
    places: Sequence[Body], others: Sequence[Body], deeper: float
) -> list[tuple[float, Vector] | None]:
    """For each place of a body how deep in mm it is inside the one of the others in which it is
    deepest, and the shortest way in mm out of that; None where it is inside none by more than
    `deeper` mm.
    """
    found: list[tuple[float, Vector] | None] = [None] * len(places)
    pairs = _deep_pairs(_arrays([*others, *places]), deeper, last=len(places))
    for _, j, depth, (x, y, z) in zip(*pairs, strict=True):
        worst = found[j - len(others)]
        if worst is None or depth > worst[0]:
            found[j - len(others)] = (depth, (x, y, z))
    return found


def _deep_pairs(
    solids: _Solids, deeper: float, *, last: int = 0
) -> tuple[list[int], list[int], list[float], list[list[float]]]:
    """Pairs as of `_close_pairs` that are more than `deeper` mm inside each other, also by the axes
    between the edges of one and the rim and wall of the other: the first, the second, how deep, and
    the shortest way out for the second.
    """
    first, second, gap, normal = _close_pairs(solids, 0.0, last=last)
    deep = -gap > deeper
    first, second, gap, normal = first[deep], second[deep], gap[deep], normal[deep]
    rims = [_rim_depths(solids, *pair) for pair in ((first, second), (second, first))]
    depths = np.minimum(-gap, np.minimum(*rims))
    deep, ways = depths > deeper, -gap[:, None] * normal
    return tuple(column[deep].tolist() for column in (first, second, depths, ways))


def _rim_depths(solids: _Solids, one: Ints, other: Ints) -> Floats:
    """How deep other bodies are inside cylinders at most, by the axes between their edges and the
    cylinder's rim and wall; infinite where one is no cylinder.

    There is one axis for each point of the rim; those that are tried are 3 degrees apart, which
    finds the depth of a disc to 0.005 mm. Between cylinders with one direction the axes of
    `_close_pairs` are enough.
    """
    axes, half, round_, at = solids
    found = np.full(len(one), math.inf)
    if not len(one):
        return found
    along = np.abs(dot(axes[one, 2], axes[other, 2]))
    some = np.flatnonzero(round_[one] & ~(round_[other] & (along > _PARALLEL)))
    one, other = one[some], other[some]
    own = axes[one][:, :, None]
    wall = _COS * own[:, 0] + _SIN * own[:, 1]
    rim = _COS * own[:, 1] - _SIN * own[:, 0]
    crossed = np.cross(rim[:, :, None], axes[other][:, None]).reshape(len(some), 3 * len(_RIM), 3)
    candidates = np.concatenate([wall, crossed], axis=1)
    length2 = (candidates * candidates).sum(axis=2)
    candidates /= np.sqrt(np.maximum(length2, _LINES))[..., None]
    reach = sum(_reach(candidates, axes[k], half[k], round_[k]) for k in (one, other))
    depth = reach - np.abs(dot(candidates, (at[other] - at[one])[:, None]))
    found[some] = np.where(length2 > _LINES, depth, math.inf).min(axis=1)
    return found


def near_path(
    bodies: Sequence[Body],
    points: Sequence[Vector],
    radius: float,
    length: float,
    near: float = NEAR,
) -> tuple[str, ...]:
    """The ids, sorted, of the bodies that an upright tool may hit while its lowest point runs
    straight from point to point.

    Heights are those of bounding boxes; in plan the way of the tool is separated from each body by
    the body's own axes and by fixed directions.
    """
    if not bodies:
        return ()
    low, high = bounds(bodies)
    at, directions, reach = _in_plan(bodies)
    met = np.zeros(len(bodies), dtype=bool)
    for begin, end in zip(points, points[1:] or points, strict=False):
        a, b = np.array(begin), np.array(end)
        least = np.minimum(a, b) - np.array((radius + near, radius + near, near))
        most = np.maximum(a, b) + np.array((radius + near, radius + near, length + near))
        ends = np.einsum("nkc,enc->enk", directions, np.stack([a - at, b - at]))
        gaps = np.maximum(ends.min(axis=0), -ends.max(axis=0)) - reach - radius
        met |= np.all((low <= most) & (high >= least), axis=1) & np.all(gaps <= near, axis=1)
    return tuple(sorted(body.id for body, hit in zip(bodies, met, strict=True) if hit))


def gaps_along(
    bodies: Sequence[Body], points: Floats, radius: float, length: float, most: float
) -> Floats:
    """The least gap in mm, `most` at most, between any body and an upright tool with round ends
    whose lowest point is there, for each of `points` (n, 3); negative where the tool is inside a
    body.
    """
    gaps = np.full(len(points), most)
    if not bodies:
        return gaps
    low, high = bounds(bodies)
    at, directions, reach = _in_plan(bodies)
    level = (low[:, 2] <= points[:, None, 2] + length + most) & (
        high[:, 2] >= points[:, None, 2] - most
    )
    along = np.einsum("nkc,pnc->pnk", directions, points[:, None, :] - at)
    p, n = np.nonzero(level & ((np.abs(along) - reach).max(axis=2) <= radius + most))
    axes, half, round_, _ = _arrays(bodies)
    heights = np.linspace(
        radius, length - radius, math.ceil((length - 2 * radius) / (radius / 3)) + 1
    )
    offset = (points[p] - at[n])[:, None, :] + heights[:, None] * (0.0, 0.0, 1.0)
    own = np.abs(np.einsum("pkc,phc->phk", axes[n], offset))
    aside = np.stack(
        [
            np.hypot(own[..., 0], own[..., 1]) - half[n, 0][:, None],
            own[..., 2] - half[n, 2][:, None],
        ],
        axis=-1,
    )
    boxed = own - half[n][:, None, :]
    outside = np.where(
        round_[n][:, None],
        np.linalg.norm(np.maximum(aside, 0), axis=-1),
        np.linalg.norm(np.maximum(boxed, 0), axis=-1),
    )
    inside = np.minimum(np.where(round_[n][:, None], aside.max(axis=-1), boxed.max(axis=-1)), 0.0)
    np.minimum.at(gaps, p, (outside + inside).min(axis=1) - radius)
    return gaps


def _in_plan(bodies: Sequence[Body]) -> tuple[Floats, Floats, Floats]:
    """Of each body its middle, directions in plan that may separate it from what stands beside it,
    and its reach along them.
    """
    axes, half, round_, at = _arrays(bodies)
    fixed = np.array(
        [(math.cos(a), math.sin(a), 0.0) for a in np.arange(_DIRECTIONS) * math.pi / _DIRECTIONS]
    )
    own = np.stack([axes[:, :2, 0], axes[:, :2, 1], np.zeros((len(bodies), 2))], axis=-1)
    own /= np.maximum(np.linalg.norm(own, axis=-1), _LINES)[..., None]
    directions = np.concatenate(
        [np.broadcast_to(fixed, (len(bodies), _DIRECTIONS, 3)), own], axis=1
    )
    return at, directions, _reach(directions, axes, half, round_)


def bounds(bodies: Sequence[Body]) -> tuple[Floats, Floats]:
    """The lowest and highest x, y, z of each body in mm, two arrays of shape (n, 3)."""
    return _bounds(*_arrays(bodies))


def _bounds(axes: Floats, half: Floats, round_: Bools, at: Floats) -> tuple[Floats, Floats]:
    reach = _reach(np.broadcast_to(np.eye(3), axes.shape), axes, half, round_)
    return at - reach, at + reach


def _close_pairs(
    solids: _Solids, near: float, *, last: int = 0
) -> tuple[Ints, Ints, Floats, Floats]:
    """Pairs whose bounding boxes meet, of all bodies or of the others with the `last` ones: two
    index arrays, the gap in mm (negative: overlap), the normal from first to second.
    """
    axes, half, round_, at = solids
    low, high = _bounds(*solids)
    rest = len(at) - last
    begin = rest if last else 0
    meet = np.all(
        (low[None, :rest] <= high[begin:, None] + near)
        & (high[None, :rest] >= low[begin:, None] - near),
        axis=2,
    )
    if last:
        j, i = np.nonzero(meet)
        j += rest
    else:
        i, j = np.nonzero(np.triu(meet, 1))
    offset = at[j] - at[i]
    a, b = axes[i], axes[j]
    crossed = np.cross(a[:, :, None, :], b[:, None, :, :]).reshape(len(i), 9, 3)
    radial = np.stack([_across(offset, a[:, 2]), _across(offset, b[:, 2])], axis=1)
    candidates = np.concatenate([a, b, crossed, radial], axis=1)
    length2 = np.einsum("pkc,pkc->pk", candidates, candidates)
    candidates = candidates / np.sqrt(np.maximum(length2, _LINES))[..., None]
    along = np.einsum("pkc,pc->pk", candidates, offset)
    gaps = (
        np.abs(along)
        - _reach(candidates, a, half[i], round_[i])
        - _reach(candidates, b, half[j], round_[j])
    )
    gaps = np.where(length2 > _LINES, gaps, -np.inf)
    best = np.argmax(gaps, axis=1) if len(i) else np.zeros(0, dtype=np.intp)
    rows = np.arange(len(i))
    normal = candidates[rows, best] * np.sign(along[rows, best])[:, None]
    return i, j, gaps[rows, best], normal


def _arrays(bodies: Sequence[Body]) -> _Solids:
    """Axes as rows (n, 3, 3), half edges or (radius, radius, half height) (n, 3), whether round
    (n,), centres (n, 3).
    """
    quats = np.array([body.pose.quat for body in bodies]).reshape(-1, 4)
    axes = np.ascontiguousarray(rotation_matrix(quats.T).transpose(2, 1, 0))
    half = np.array([body.shape.half for body in bodies]).reshape(-1, 3)
    round_ = np.array([not isinstance(body.shape, Box) for body in bodies], dtype=bool)
    return axes, half, round_, np.array([body.pose.at for body in bodies]).reshape(-1, 3)


def _reach(directions: Floats, axes: Floats, half: Floats, round_: Bools) -> Floats:
    """How far each body (p) reaches from its centre along each of its directions (p, k, 3): shape
    (p, k).
    """
    cosines = np.abs(np.einsum("pkc,pac->pka", directions, axes))
    box = np.einsum("pka,pa->pk", cosines, half)
    radial = half[:, None, 0] * np.sqrt(np.maximum(0.0, 1.0 - cosines[:, :, 2] ** 2))
    reach: Floats = np.where(round_[:, None], radial + cosines[:, :, 2] * half[:, None, 2], box)
    return reach


def _across(offset: Floats, axis: Floats) -> Floats:
    """The part of the offset at right angles to the axis."""
    across: Floats = offset - np.einsum("pc,pc->p", offset, axis)[:, None] * axis
    return across


def _closure(
    ids: Iterable[str], step: Mapping[str, Sequence[str]], once: AbstractSet[str]
) -> set[str]:
    """The ids and all that steps from them lead to; no way enters two pieces of `once`."""
    near = reached(ids, step, once)
    return reached(near.union(*(once & set(step[name]) for name in near)), step, once)


def reached(
    ids: Iterable[str], step: Mapping[str, Sequence[str]], barred: AbstractSet[str] = frozenset()
) -> set[str]:
    """The ids and all that steps from them lead to without entering a barred piece."""
    found, todo = set(ids), list(ids)
    while todo:
        for name in step[todo.pop()]:
            if name not in found and name not in barred:
                found.add(name)
                todo.append(name)
    return found


def _sorted(lists: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(sorted(found)) for name, found in lists.items()}
