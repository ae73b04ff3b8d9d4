"""Rigid bodies, their poses, and how they came to rest after a hand let go of them: what physics,
statics and pictures need to know of a piece; nothing about the rules.

A pose is a position in millimetres and a unit quaternion (x, y, z, w): plain tuples of float64, so
that it can be hashed, compared bit for bit and written to a record without loss. A body is a rigid
box or cylinder with a pose, a mass and a friction coefficient. `sim.physics.world` takes bodies in
any order and gives poses back; engines get them in canonical order (sorted by id).

An engine hands its states to a `StateListener` as it goes along. The `Recorder` of a run is one
that keeps them as a `Trajectory`. A `SettlingTake` is the trajectory of one settling of a ply, with
the pieces that a hand had let go of; films show them, and nothing is judged by them. A
`SettleResult` is where all that moved came to rest, from an engine, a record or geometry alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

# --- arrays, vectors, poses -----------------------------------------------------------------------

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Pixels = npt.NDArray[np.uint8]
Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

IDENTITY: Quaternion = (0.0, 0.0, 0.0, 1.0)


def vector(numbers: Iterable[float]) -> Vector:
    """Three numbers as a vector. Raises ValueError for more or fewer."""
    x, y, z = map(float, numbers)
    return x, y, z


class Pose(NamedTuple):
    """Where a piece is: its centre of mass in mm, and its orientation as a unit quaternion (x, y,
    z, w).
    """

    at: Vector
    quat: Quaternion = IDENTITY

    @classmethod
    def from_list(cls, numbers: list[float] | tuple[float, ...]) -> Pose:
        """A pose from the seven numbers `[x, y, z, qx, qy, qz, qw]` of a record."""
        x, y, z, qx, qy, qz, qw = (float(n) for n in numbers)
        return cls((x, y, z), (qx, qy, qz, qw))

    def to_list(self) -> list[float]:
        """The seven numbers `[x, y, z, qx, qy, qz, qw]` of a record."""
        return [*self.at, *self.quat]


def turn(axis: Vector, degrees: float) -> Quaternion:
    """The rotation by `degrees`, counter-clockwise about `axis` (need not be a unit vector)."""
    half = math.radians(degrees) / 2
    norm = math.sqrt(axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2)
    k = math.sin(half) / norm
    return (axis[0] * k, axis[1] * k, axis[2] * k, math.cos(half))


def compose(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation `b` first, then `a` (Hamilton product a b)."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + bw * ax + ay * bz - az * by,
        aw * by + bw * ay + az * bx - ax * bz,
        aw * bz + bw * az + ax * by - ay * bx,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def rotation_matrix(quat: Quaternion | Floats) -> Floats:
    """The 3 x 3 matrix of a unit quaternion; its columns are the body axes in the world. Of n
    quaternions, given as an array (4, n), the matrices (3, 3, n).
    """
    x, y, z, w = quat
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def dot(a: Floats, b: Floats) -> Floats:
    """The dot products over the last axis, which is two or three long: the same bits on every
    processor.

    `@` leaves the order of the sums to a library that takes another one on another processor; and a
    road that starts off by the last bit may settle a third of a millimetre elsewhere.
    """
    found = a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1]
    return found if b.shape[-1] == 2 else found + a[..., 2] * b[..., 2]


def rotate(quat: Quaternion, v: Vector) -> Vector:
    """The vector `v` of the body frame, seen in the world frame."""
    x, y, z, w = quat
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (
        v[0] + w * tx + y * tz - z * ty,
        v[1] + w * ty + z * tx - x * tz,
        v[2] + w * tz + x * ty - y * tx,
    )


def from_axes(yaw: float, pitch: float) -> Quaternion:
    """Turned by `yaw` degrees about +z, the x axis then raised by `pitch` degrees above the
    table.
    """
    return compose(turn((0.0, 0.0, 1.0), yaw), turn((0.0, 1.0, 0.0), -pitch))


def shift_between(a: Pose, b: Pose) -> float:
    """The distance of the two centres in mm."""
    return math.dist(a.at, b.at)


def turn_between(a: Pose, b: Pose) -> float:
    """The angle in degrees of the one rotation that takes orientation `a` to `b`; exact for tiny
    angles.
    """
    x, y, z, w = compose(b.quat, (-a.quat[0], -a.quat[1], -a.quat[2], a.quat[3]))
    return 2 * math.degrees(math.atan2(math.sqrt(x * x + y * y + z * z), abs(w)))


def tilt_between(a: Pose, b: Pose) -> float:
    """The angle in degrees between the body z axes of the two poses: how far a disc has tipped."""
    u, v = rotate(a.quat, (0.0, 0.0, 1.0)), rotate(b.quat, (0.0, 0.0, 1.0))
    cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return math.degrees(
        math.atan2(
            math.sqrt(sum(c * c for c in cross)), sum(p * q for p, q in zip(u, v, strict=True))
        )
    )


def on_the_way(a: Pose, b: Pose, share: float) -> Pose:
    """The pose at that share of the way from one to another that lies near it."""
    x, y, z = (one + share * (other - one) for one, other in zip(a.at, b.at, strict=True))
    sign = 1.0 if sum(one * other for one, other in zip(a.quat, b.quat, strict=True)) >= 0 else -1.0
    mixed = [
        (1 - share) * one + share * sign * other for one, other in zip(a.quat, b.quat, strict=True)
    ]
    length = math.sqrt(sum(part * part for part in mixed))
    qx, qy, qz, qw = (part / length for part in mixed)
    return Pose((x, y, z), (qx, qy, qz, qw))


# --- bodies ---------------------------------------------------------------------------------------

Tool = Literal["finger", "tweezers"]
Kind = Literal["disc", "road", "car", "building"] | Tool
"""The tools of a hand are bodies in pictures only."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box centred on the body's origin: full edge lengths along its own x, y, z in mm, and half
    of them.
    """

    size: tuple[float, float, float]
    half: Vector = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        x, y, z = self.size
        object.__setattr__(self, "half", (x / 2, y / 2, z / 2))


@dataclass(frozen=True, slots=True)
class Cylinder:
    """A cylinder centred on the body's origin, its axis the body's z: radius and full height in mm,
    and half the edges of the box around it.
    """

    radius: float
    height: float
    half: Vector = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "half", (self.radius, self.radius, self.height / 2))


@dataclass(frozen=True, slots=True)
class Body:
    """One rigid piece: pose in mm, mass in grams (0 = never moves), friction coefficient mu (static
    = kinetic).

    `friction` is the coefficient of the piece on another of the same material; between two
    materials it is the geometric mean. `table_friction` is the table's own coefficient in the same
    sense, None for a table as rough as the piece. `rolling` is the share of the radius by which the
    load lies ahead of the middle of a disc that rolls on the table; None is wood on wood. `owner`
    is the seat (0-based), or None where nobody owns it; `junction` marks a yellow disc. Both only
    colour pictures.
    """

    id: str
    kind: Kind
    shape: Box | Cylinder
    pose: Pose
    mass: float
    friction: float
    owner: int | None = None
    junction: bool = False
    table_friction: float | None = None
    rolling: float | None = None

    @property
    def on_table(self) -> float:
        """The coefficient of friction between the piece and the table."""
        return (
            self.friction
            if self.table_friction is None
            else friction_between(self.friction, self.table_friction)
        )

    def at(self, pose: Pose) -> Body:
        """The same body at another pose."""
        return replace(self, pose=pose)

    def moved(self, dx: float, dy: float, dz: float) -> Body:
        """The same body that far (mm) from where it is, turned as it is."""
        x, y, z = self.pose.at
        return self.at(Pose((x + dx, y + dy, z + dz), self.pose.quat))

    def way_to(self, pose: Pose) -> tuple[float, float]:
        """How far it has to go, in mm, and to turn, in degrees, to be at another pose. A disc that
        only turns about its axis lies as before.
        """
        between = tilt_between if isinstance(self.shape, Cylinder) else turn_between
        return shift_between(self.pose, pose), between(self.pose, pose)


def friction_between(one: float, other: float) -> float:
    """The coefficient of friction between two materials, from those of each material on itself."""
    return one if one == other else math.sqrt(one * other)


def table_friction(bodies: Iterable[Body]) -> float:
    """The table's own coefficient of friction: the one that the bodies name, else that of the
    roughest body; 0 without bodies.
    """
    return max(
        (body.friction if body.table_friction is None else body.table_friction for body in bodies),
        default=0.0,
    )


def canonical(bodies: tuple[Body, ...] | list[Body]) -> tuple[Body, ...]:
    """The bodies sorted by id. Every engine makes them in this order, since another order would
    give other bits.
    """
    return tuple(sorted(bodies, key=lambda body: body.id))


# --- how they came to rest ------------------------------------------------------------------------

StateListener = Callable[[float, Sequence[str], Floats, Vector | None], None]
"""Receives the simulated seconds, the ids of the n free bodies, their states (n, 7): x, y, z in mm,
quaternion; and where the hand's lowest point is, None where there is no hand.

The first call shows the start. The ids are the same throughout a run, and a state is not changed
after it was shown.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """The paths of n bodies: `times` (k,) in simulated seconds, rising from 0, and `states` (k, n,
    7) as a `StateListener` receives them; `hand` (k, 3) is where the hand's lowest point was, nan
    while there was none.
    """

    names: tuple[str, ...]
    times: Floats
    states: Floats
    hand: Floats

    def only(self, names: Sequence[str]) -> Trajectory:
        """The paths of those of its bodies that are named."""
        kept = [k for k, name in enumerate(self.names) if name in names]
        return Trajectory(
            tuple(self.names[k] for k in kept), self.times, self.states[:, kept], self.hand
        )


@dataclass(frozen=True, slots=True, eq=False)
class SettlingTake:
    """One settling: the new pieces where the hand let go of them, in placing order; the paths to
    rest of all free pieces; and the poses in which the moved pieces came to rest; `tool` is what
    the hand held, None if there was no hand.
    """

    new: tuple[Body, ...]
    track: Trajectory
    moved: Mapping[str, Pose]
    tool: Tool | None = None


class Recorder:
    """A `StateListener` that keeps everything it receives."""

    def __init__(self) -> None:
        self._kept: list[tuple[float, tuple[str, ...], Floats, Vector]] = []

    def __call__(
        self, seconds: float, names: Sequence[str], states: Floats, hand: Vector | None
    ) -> None:
        """Keeps one state."""
        there = (math.nan, math.nan, math.nan) if hand is None else hand
        self._kept.append((seconds, tuple(names), states, there))

    def track(self) -> Trajectory:
        """All that was kept, as a trajectory."""
        times, names, states, hands = zip(*self._kept, strict=True)
        return Trajectory(names[-1], np.array(times), np.stack(states), np.array(hands))


@dataclass(frozen=True, slots=True)
class SettleResult:
    """The poses of the new pieces and of all that moved, the buildings and pieces that the hand
    `touched`, and those that were still `restless` at the end of the time limit.

    What fell is in `moved` as it fell. `restored` has the poses in which pieces that fell came
    to rest once they were put back, where these are not the poses from which they fell. `mended`
    are the pieces that had to be set right before all stood again.

    `released` are the poses at which the hand let go of the new pillar and road, by piece. `takes`
    have the paths to rest, if they were watched. `work` is the cost of the runs: simulated seconds
    times the number of free pieces. Comparisons ignore these three.
    """

    moved: Mapping[str, Pose]
    touched: tuple[str, ...] = ()
    restless: tuple[str, ...] = ()
    restored: Mapping[str, Pose] = field(default_factory=dict)
    mended: tuple[str, ...] = ()
    released: Mapping[str, Pose] = field(default_factory=dict, compare=False)
    takes: tuple[SettlingTake, ...] = field(default=(), compare=False)
    work: float = field(default=0.0, compare=False)

    def then(self, came: SettleResult) -> SettleResult:
        """With what came of a later settling: pieces lie where that left them."""
        return replace(
            self,
            moved={**self.moved, **came.moved},
            touched=tuple(dict.fromkeys((*self.touched, *came.touched))),
            restless=tuple(sorted({*self.restless, *came.restless})),
            released={**self.released, **came.released},
            takes=(*self.takes, *came.takes),
            work=self.work + came.work,
        )

    def without(self, piece: str) -> SettleResult:
        """As if that piece had never been put down."""
        return replace(
            self, moved={name: pose for name, pose in self.moved.items() if name != piece}
        )
