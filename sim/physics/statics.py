"""Does it stand, and with what margin: equilibrium of rigid pieces by linear programming.

The force at every contact point lies within its friction cone. The assembly stands if some choice
of such forces balances the weight of every piece (the static theorem of limit analysis: rigid
bodies, dry friction). The margin is the largest extra load of a kind that can still be balanced;
the dual of that programme is the motion in which the assembly gives way.

Cones have 16 sides and lie inside the true cone, so statics never overestimates friction. It
underestimates friction by at most 2 %, and not at all in the directions of the sides. On a level
contact these are every 22.5 degrees from +x, the eight sideways directions among them. On a slope
one of them is the line of steepest descent, so sliding starts at atan(mu).

HiGHS (by its public binding, highspy) solves the programmes with warm starts: one model serves
every direction, and columns, which are the sides of the cones of all contact points, are added only
when their reduced cost shows that they help (column generation). The answer is that of the whole
programme.

A verdict comes from an engine, since a piece that is out of balance may roll into balance; statics
says how far from falling the assembly is.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rules.errors import InputError, ShutokoError
from sim.bodies import Body, Floats, Ints, Vector
from sim.physics.contacts import Contact, contacts as find_contacts
from sim.physics.neighbours import reached

GRAVITY = 9.80665
"""The weight of one gram in millinewtons."""

CAP = 10.0
"""The largest margin that the search looks for: in g sideways, or for a push in weights of all free
pieces together.
"""


_SIDES = 16  # of a friction cone
_DIRECTIONS = 8  # sideways, every 45 degrees from +x
_LEVEL = 0.99999  # contact normals steeper than this count as vertical
_SIDEWAYS = 0.2  # normals more level than this hold neither piece up: each loads the other
_ARM = 10.0  # mm by which torques are scaled, so that they are of the size of forces
_NOTHING = 1e-6  # a help, margin or price below this counts as none: the tolerance of the solver
# share of a pair's motion that must be sliding at its loaded point for it to slip rather than tip
_SLIP = 0.1


@dataclass(frozen=True, slots=True)
class Failure:
    """The contact that gives way first, read off the motion (the dual) in which the assembly fails.

    Of the pairs that bear load at the limit, it is the one whose pieces move most against each
    other; `point` (mm) is where that pair bears most. `way` is "slips" if the pieces slide there,
    so that friction is used up, else "tips": the contact turns about that point and opens
    elsewhere. If several motions start at the same load, it is one of them. A piece that rests on
    nothing is `upper`; then `lower` and `point` are None and `way` is "falls".
    """

    upper: str
    lower: str | None
    point: Vector | None
    way: Literal["slips", "tips", "falls"]


@dataclass(frozen=True, slots=True)
class Margin:
    """How much more an assembly bears before it gives way.

    `sideways` is the largest acceleration in g on every free piece that it bears in the worst of
    eight directions, `direction` (degrees from +x), and `first` is what gives way then. `push` is
    the largest horizontal force in millinewtons at the centre of the new piece that it bears in the
    worst of eight directions, with `push_direction` and `push_first`; None if no new piece was
    named. Both are 0 if the assembly does not stand at all. Directions and failures are None where
    the margin is the cap `CAP`.

    `signed` goes on below zero: `sideways` where it stands, else minus the help it lacks (see
    `Statics.help`).
    """

    sideways: float
    direction: float | None
    first: Failure | None
    push: float | None
    push_direction: float | None
    push_first: Failure | None
    signed: float


@dataclass(frozen=True, slots=True)
class Statics:
    """Whether an assembly stands, as plain data, and the model that `margin` continues with.

    `stands` says whether the weights can be balanced; then `help` is 0. Otherwise `help` is the
    least share of its own weight with which each piece would have to be held at its centre, each in
    a direction of its own: sideways (the eight directions and those between), up or down. A piece
    that rests on nothing needs 1, a stick of thickness t whose centre is a little e past its edge
    2e/t, as if the sideways margin went on below zero. `free` are the ids that may move, in the
    order of the bodies; `first` is what gives way if it does not stand.
    """

    stands: bool
    help: float
    free: tuple[str, ...]
    first: Failure | None
    _assembly: _Assembly = field(repr=False, compare=False)

    def margin(self, new: str | None = None) -> Margin:
        """The margins; with the id of a free piece also those of a push on it.

        Raises InputError if `new` is not one of the free pieces.
        """
        if new is not None and new not in self.free:
            raise InputError(f"{new!r} is not one of the free pieces: {', '.join(self.free)}")
        if not self.stands:
            push, pushed = (None, None) if new is None else (0.0, self.first)
            return Margin(0.0, None, self.first, push, None, pushed, -self.help)
        if not self.free:
            return Margin(CAP, None, None, None, None, None, CAP)
        assembly = self._assembly
        model = _Model(assembly)
        model.forbid_help()
        sideways, at, first = _worst(model, assembly.share, CAP)
        if new is None:
            return Margin(sideways, at, first, None, None, None, sideways)
        load = np.zeros(len(self.free))
        load[self.free.index(new)] = 1.0
        push, push_at, push_first = _worst(model, load, CAP * float(assembly.share.sum()))
        return Margin(
            sideways, at, first, push * assembly.unit * GRAVITY, push_at, push_first, sideways
        )


def equilibrium(
    bodies: Sequence[Body],
    free: Collection[str] | None = None,
    contacts: Sequence[Contact] | None = None,
) -> Statics:
    """Whether the bodies stand where they are. Bodies of mass 0, and those not in `free` (ids) if
    it is given, never move.

    `contacts` are those of `sim.physics.contacts.contacts` for the same bodies, found here if not
    given. Raises InputError if `free` names no body, or one that never moves.
    """
    if free is not None:
        known = {body.id for body in bodies if body.mass > 0}
        if unknown := sorted(set(free) - known):
            raise InputError(f"no bodies that can move are named {', '.join(unknown)}")
    moving = [body for body in bodies if body.mass > 0 and (free is None or body.id in free)]
    assembly = _assemble(bodies, moving, find_contacts(bodies) if contacts is None else contacts)
    if not moving:
        return Statics(stands=True, help=0.0, free=(), first=None, _assembly=assembly)
    model = _Model(assembly)
    help_needed = model.solve()
    stands = help_needed <= _NOTHING
    return Statics(
        stands,
        0.0 if stands else help_needed,
        assembly.ids,
        None if stands else model.failure(),
        assembly,
    )


def loaded(
    bodies: Sequence[Body], new: Collection[str], contacts: Sequence[Contact]
) -> tuple[str, ...]:
    """The part of an assembly that new pieces load: ids, in the order of the bodies, to be the free
    ones of `equilibrium`.

    These are the new pieces, all that holds them up down to the table (a level touch counts both
    ways), and all that rests on any of those, since it moves along. The other supports of what
    merely rests there stay fixed.
    """
    mobile = {body.id for body in bodies if body.mass > 0}
    holders: dict[str, list[str]] = {name: [] for name in mobile}
    riders: dict[str, list[str]] = {name: [] for name in mobile}
    for contact in contacts:
        upper, lower = contact.upper, contact.lower
        if lower is None or not {upper, lower} <= mobile:
            continue
        holders[upper].append(lower)
        riders[lower].append(upper)
        if abs(contact.normal[2]) < _SIDEWAYS:
            holders[lower].append(upper)
            riders[upper].append(lower)
    part = reached(reached(mobile.intersection(new), holders), riders)
    return tuple(body.id for body in bodies if body.id in part)


# --- the programme --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Assembly:
    """Free pieces and contact points as columns, sorted by pair; -1 stands for what never moves.

    `share` are weights over their mean `unit` (grams); `arm_upper`, `arm_lower` go from the pieces'
    centres to the points, in units of `_ARM`; `rub` (c, 2, 3) spans the plane of touch.
    """

    ids: tuple[str, ...]
    share: Floats
    unit: float
    contacts: tuple[Contact, ...]
    upper: Ints
    lower: Ints
    arm_upper: Floats
    arm_lower: Floats
    normal: Floats
    rub: Floats
    mu: Floats
    pair: Ints


def _assemble(
    bodies: Sequence[Body], moving: Sequence[Body], contacts: Sequence[Contact]
) -> _Assembly:
    index = {body.id: i for i, body in enumerate(moving)}
    used = [c for c in contacts if c.upper in index or c.lower in index]
    names = {pair: i for i, pair in enumerate(dict.fromkeys((c.upper, c.lower) for c in used))}
    used.sort(key=lambda c: names[c.upper, c.lower])
    at = {body.id: body.pose.at for body in bodies}
    point = np.array([c.point for c in used]).reshape(-1, 3)
    normal = np.array([c.normal for c in used]).reshape(-1, 3)
    mass = np.array([body.mass for body in moving])
    unit = float(mass.mean()) if len(mass) else 1.0
    level = np.abs(normal[:, 2:]) > _LEVEL
    # The first side of a cone: +x where the touch is level, else downhill.
    aim = np.where(level, [1.0, 0.0, 0.0], [0.0, 0.0, -1.0])
    first = aim - np.sum(aim * normal, axis=1, keepdims=True) * normal
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return _Assembly(
        ids=tuple(index),
        share=mass / unit,
        unit=unit,
        contacts=tuple(used),
        upper=np.array([index.get(c.upper, -1) for c in used], dtype=np.int64),
        lower=np.array(
            [-1 if c.lower is None else index.get(c.lower, -1) for c in used], dtype=np.int64
        ),
        arm_upper=(point - np.array([at[c.upper] for c in used]).reshape(-1, 3)) / _ARM,
        arm_lower=(
            point
            - np.array([c.point if c.lower is None else at[c.lower] for c in used]).reshape(-1, 3)
        )
        / _ARM,
        normal=normal,
        rub=np.stack([first, np.cross(normal, first)], axis=1),
        mu=np.array([c.mu for c in used], dtype=np.float64),
        pair=np.array([names[c.upper, c.lower] for c in used], dtype=np.int64),
    )


class _Model:
    """The linear programme of an assembly, alive inside HiGHS from one question to the next.

    Rows: three forces and three torques for each free piece, then one for each that bounds its
    help. Columns: the help, its parts, later the loads, and the sides of friction cones, which come
    in when they are needed.
    """

    def __init__(self, assembly: _Assembly) -> None:
        import highspy

        self._core: Any = highspy
        self._highs: Any = self._core.Highs()
        for option, value in (
            ("output_flag", False),
            ("presolve", "off"),
            ("parallel", "off"),
            ("simplex_strategy", 1),
        ):
            self._highs.setOptionValue(option, value)
        self._assembly = assembly
        self._bodies = len(assembly.ids)
        angles = np.arange(_SIDES) * (2 * math.pi / _SIDES)
        self._circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        self._has = np.zeros((len(assembly.contacts), _SIDES), dtype=np.bool_)
        self._of: list[int] = []  # the contact of each column, -1 where it is none
        self._start_rows()
        self._start_help()
        self._add_sides(*self._first_sides())

    def _start_rows(self) -> None:
        n = self._bodies
        weight = np.zeros(6 * n)
        weight[2::6] = self._assembly.share
        low = np.concatenate([weight, np.full(n, -self._core.kHighsInf)])
        high = np.concatenate([weight, np.zeros(n)])
        self._highs.addRows(
            7 * n,
            low,
            high,
            0,
            np.zeros(7 * n, dtype=np.int32),
            np.zeros(0, dtype=np.int32),
            np.zeros(0),
        )

    def _start_help(self) -> None:
        n = self._bodies
        angles = np.arange(_DIRECTIONS) * (2 * math.pi / _DIRECTIONS)
        ways = [(math.cos(angle), math.sin(angle), 0.0) for angle in angles] + [
            (0.0, 0.0, 1.0),
            (0.0, 0.0, -1.0),
        ]
        self._columns([1.0], [[(6 * n + i, -1.0) for i in range(n)]])
        parts = [
            [
                (6 * i + k, part * float(self._assembly.share[i]))
                for k, part in enumerate(way)
                if part
            ]
            + [(6 * n + i, 1.0)]
            for i in range(n)
            for way in ways
        ]
        self._columns([0.0] * len(parts), parts)

    def _columns(self, cost: list[float], columns: list[list[tuple[int, float]]]) -> None:
        """Columns of numbers at least 0, as lists of rows and entries."""
        starts = np.cumsum([0] + [len(column) for column in columns[:-1]], dtype=np.int32)
        rows = np.array([row for column in columns for row, _ in column], dtype=np.int32)
        entries = np.array([entry for column in columns for _, entry in column], dtype=np.float64)
        self._insert(np.array(cost), starts, rows, entries)
        self._of += [-1] * len(columns)

    def _insert(
        self,
        cost: Floats,
        starts: npt.NDArray[np.int32],
        rows: npt.NDArray[np.int32],
        entries: Floats,
    ) -> None:
        k = len(cost)
        self._highs.addCols(
            k, cost, np.zeros(k), np.full(k, self._core.kHighsInf), len(rows), starts, rows, entries
        )

    def _first_sides(self) -> tuple[Ints, Ints]:
        """The sides to start with: all on slopes, every other one where it is level, there at every
        fourth corner of a rim.

        The choice changes the time, not the answer.
        """
        a = self._assembly
        if not len(a.pair):
            return a.pair, a.pair
        place = np.arange(len(a.pair)) - np.searchsorted(a.pair, a.pair)
        chosen = (np.bincount(a.pair)[a.pair] <= 8) | (place % 4 == 0)
        steep = np.abs(a.normal[:, 2]) <= _LEVEL
        wanted = chosen[:, None] & (steep[:, None] | (np.arange(_SIDES) % 2 == 0))
        which, sides = np.nonzero(wanted)
        return which, sides

    def _add_sides(self, which: Ints, side: Ints) -> None:
        """Columns for the given sides of the cones of the given contacts: unit pressure and the
        friction that it allows.
        """
        if not len(which):
            return
        a = self._assembly
        along = self._circle[side]
        force = a.normal[which] + a.mu[which, None] * np.einsum("ck,cki->ci", along, a.rub[which])
        on_upper = np.concatenate([force, np.cross(a.arm_upper[which], force)], axis=1)
        on_lower = -np.concatenate([force, np.cross(a.arm_lower[which], force)], axis=1)
        rows = 6 * np.stack([a.upper[which], a.lower[which]], axis=1)[:, :, None] + np.arange(6)
        real = rows >= 0
        lengths = real.sum(axis=(1, 2))
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int32)
        entries = np.stack([on_upper, on_lower], axis=1)[real]
        self._insert(np.zeros(len(which)), starts, rows[real].astype(np.int32), entries)
        self._has[which, side] = True
        self._of += which.tolist()

    def solve(self) -> float:
        """The least cost, with every side of every cone to choose from.

        Raises ShutokoError if the solver gives up.
        """
        while True:
            self._run()
            # From here on only columns and costs change, which leaves the last answer a feasible
            # start for primal simplex.
            self._highs.setOptionValue("simplex_strategy", 4)
            motion = self._motion()
            sliding = np.einsum("cki,ci->ck", self._assembly.rub, motion)
            side = (
                np.rint(np.arctan2(sliding[:, 1], sliding[:, 0]) * (_SIDES / (2 * math.pi))).astype(
                    np.int64
                )
                % _SIDES
            )
            opening = np.sum(self._assembly.normal * motion, axis=1)
            price = opening + self._assembly.mu * np.sum(self._circle[side] * sliding, axis=1)
            wanted = np.nonzero((price > _NOTHING) & ~self._has[np.arange(len(side)), side])[0]
            if not len(wanted):
                return float(self._highs.getInfo().objective_function_value)
            self._add_sides(wanted, side[wanted])

    def _run(self) -> None:
        """Has the programme solved; from a start of its own if the solver loses its way on the way
        from the last answer. Raises ShutokoError if it gives up then, too.
        """
        self._highs.run()
        if self._solved:
            return
        self._highs.clearSolver()
        self._highs.setOptionValue("simplex_strategy", 1)
        self._highs.run()
        if not self._solved:
            status = self._highs.modelStatusToString(self._highs.getModelStatus())
            raise ShutokoError(
                f"the linear programme of {self._bodies} pieces was not solved: {status}"
            )

    @property
    def _solved(self) -> bool:
        return bool(self._highs.getModelStatus() == self._core.HighsModelStatus.kOptimal)

    def _motion(self) -> Floats:
        """The duals as a motion: how fast the upper piece moves against the lower one at each
        contact point (c, 3).
        """
        a = self._assembly
        rates = np.array(self._highs.getSolution().row_dual)[: 6 * self._bodies].reshape(-1, 6)
        rates = np.concatenate([rates, np.zeros((1, 6))])  # the last one, -1, never moves
        up, low = rates[a.upper], rates[a.lower]
        return np.asarray(
            up[:, :3]
            + np.cross(up[:, 3:], a.arm_upper)
            - low[:, :3]
            - np.cross(low[:, 3:], a.arm_lower)
        )

    def forbid_help(self) -> None:
        """From now on no piece gets help."""
        self.solve()
        for column in range(1 + (_DIRECTIONS + 2) * self._bodies):
            self._highs.changeColBounds(column, 0.0, 0.0)
        self._highs.changeColCost(0, 0.0)

    def most(self, load: Floats, limit: float) -> tuple[float, Failure | None]:
        """The largest multiple, up to `limit`, of level forces `load` (pieces, 2) that can be
        balanced, and what gives way.
        """
        column = len(self._of)
        self._columns(
            [-1.0],
            [
                [
                    (6 * i + k, float(load[i, k]))
                    for i in range(self._bodies)
                    for k in (0, 1)
                    if load[i, k]
                ]
            ],
        )
        self._highs.changeColBounds(column, 0.0, limit)
        reached = -self.solve()
        failure = self.failure() if reached < limit - _NOTHING else None
        self._highs.changeColBounds(column, 0.0, 0.0)
        self._highs.changeColCost(column, 0.0)
        return max(reached, 0.0), failure

    def failure(self) -> Failure:
        """What gives way first at the present limit."""
        a = self._assembly
        touched = np.zeros(self._bodies + 1, dtype=np.bool_)
        touched[a.upper] = touched[a.lower] = True
        if not touched[:-1].all():
            return Failure(a.ids[int(np.argmin(touched[:-1]))], None, None, "falls")
        motion = self._motion()
        speed = np.linalg.norm(motion, axis=1)
        of, pressure = np.array(self._of), np.array(self._highs.getSolution().col_value)
        load = np.bincount(of[of >= 0], pressure[of >= 0], minlength=len(speed))
        bears = np.bincount(a.pair, load)[a.pair] > _NOTHING
        fastest = int(
            np.argmax(np.where(bears, speed, 0.0) if np.any(speed[bears] > _NOTHING) else speed)
        )
        members = np.nonzero(a.pair == a.pair[fastest])[0]
        at = int(members[np.lexsort((speed[members], -np.round(load[members], 9)))[0]])
        slides = float(np.linalg.norm(a.rub[at] @ motion[at])) > _SLIP * speed[fastest]
        contact = a.contacts[at]
        return Failure(contact.upper, contact.lower, contact.point, "slips" if slides else "tips")


def _worst(model: _Model, load: Floats, limit: float) -> tuple[float, float | None, Failure | None]:
    """The largest multiple of `load` (pieces,) in the worst of eight directions, that direction in
    degrees, and the failure.

    Of equally bad directions the first counts; both are None if none is worse than `limit`. For
    each direction the solver only checks whether it is worse than the worst one so far.
    """
    direction, failure = None, None
    for k in range(_DIRECTIONS):
        angle = k * 2 * math.pi / _DIRECTIONS
        reached, first = model.most(
            load[:, None] * np.array([math.cos(angle), math.sin(angle)]), limit
        )
        if first is not None:
            limit, direction, failure = reached, k * 360.0 / _DIRECTIONS, first
    return limit, direction, failure
