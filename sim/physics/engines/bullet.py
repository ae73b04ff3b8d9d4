"""PyBullet behind the engine seam: the measured recipe, one DIRECT client a process, and a rule for when things are at rest.

Bullet works in units of two millimetres, grams and seconds: its fixed margin of 0.04 units is then small beside every piece.
Every run builds its world anew in canonical order: that, and nothing else, makes a run give the same bits wherever it runs.
One module: the recipe, its units and the order of its calls are one measured whole.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import importlib.metadata
import json
import math
import os
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rules.errors import UnavailableError
from sim.bodies import Body, Box
from sim.physics.engine import TOOL_LENGTH, TOOL_RADIUS, HandPath, Run, SettleParams
from sim.physics.neighbours import bounds, neighbours
from sim.poses import Pose
from sim.trajectory import StateListener

__all__ = ["Bullet", "Recipe", "movement", "restless"]

_Array = npt.NDArray[np.float64]
_Mask = npt.NDArray[np.bool_]

_JOLT = 5.0  # a piece on its way counts as moved at so many times the border tolerances, to be told from chatter
_CREEP = 0.25
_MISSING = (
    "PyBullet is not installed: `pip install pybullet` (Python 3.11 or older; it has no wheels for 3.12+, "
    "there use the other engine: `pip install 'shutoko[mujoco]'` and `--engine mujoco`)"
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Every number of the simulation that can change an outcome; docs/physics.md says how each was measured.

    Lengths in Bullet's units, of which `units_per_mm` make a millimetre; `hertz` steps a second, `check_every` of them between
    two looks at the poses. The weight of the pieces comes on over the first `load_steps`: contacts start without forces, and
    pieces at rest would slip by a twentieth of a millimetre each time before the solver has found them. A run in which
    something held was struck will be repeated; it goes on for `look_on` seconds to see what else is. What is held and further
    than `reach` mm from all that is free is left out until something has moved as far. `tool_mass` (g) is that of a finger.
    """

    units_per_mm: float = 0.5
    gravity: float = 4905.0
    hertz: int = 960
    iterations: int = 50
    residual: float = 0.0
    warm_start: float = 0.85
    contact_erp: float = 0.05
    contact_slop: float = 0.001
    contact_breaking: float = 0.1
    restitution: float = 0.0
    check_every: int = 8
    load_steps: int = 24
    look_on: float = 0.1
    reach: float = 30.0
    tool_mass: float = 100.0


class Bullet:
    """The PyBullet engine; see `sim.physics.engine.Engine`. Making one is free: PyBullet is imported by the first run."""

    name = "bullet"

    def __init__(self, recipe: Recipe | None = None) -> None:
        self.recipe = recipe or Recipe()
        numbers = {"recipe": asdict(self.recipe), "settle": asdict(SettleParams())}
        self.params = hashlib.sha256(json.dumps(numbers, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def version(self) -> str:
        """The version of PyBullet that is installed; raises UnavailableError if none is."""
        return _version()

    def run(
        self,
        bodies: Sequence[Body],
        free: frozenset[str],
        settle: SettleParams,
        path: HandPath | None = None,
        watch: StateListener | None = None,
    ) -> Run:
        """See `sim.physics.engine.Engine.run`. Raises UnavailableError if PyBullet is not installed."""
        with _client() as (bullet, client):
            return _Simulation(bullet, client, self.recipe, bodies, free, settle, path, watch).run()


class _Simulation:
    """One run in a client that is this run's alone."""

    def __init__(
        self,
        bullet: Any,
        client: int,
        recipe: Recipe,
        bodies: Sequence[Body],
        free: frozenset[str],
        settle: SettleParams,
        path: HandPath | None,
        watch: StateListener | None,
    ) -> None:
        self.bullet, self.client, self.recipe, self.settle, self.watch = bullet, client, recipe, settle, watch
        self.free = tuple(body for body in bodies if body.id in free and body.mass > 0)
        self.shapes: dict[object, int] = {}
        self.struck: dict[str, None] = {}
        self.steps = 0
        self.last_step = math.inf
        self.numbers: dict[str, int] = {}
        self.held: dict[int, str] = {}
        self.path = path
        self._prepare(max((body.friction for body in bodies), default=0.0))
        moving = {body.id for body in self.free}
        near = _within(bodies, moving, path, recipe.reach)
        self.far = tuple(body for body in bodies if body.id not in near)
        self._add([body for body in bodies if body.id in near], moving)
        self.free_numbers = tuple(self.numbers[body.id] for body in self.free)
        self.indices = {number: k for k, number in enumerate(self.free_numbers)}
        self.roads = frozenset(body.id for body in self.free if body.kind == "road")
        self.radii = np.array([_radius(body) for body in self.free])
        self.start = np.array([body.pose.to_list() for body in self.free]).reshape(-1, 7)
        self.state = self.asleep_since = self.start
        self.asleep = np.zeros(len(self.free), dtype=bool)

    def run(self) -> Run:
        """Let the weight come on, lead the hand along its path, take it away, then step until all is quiet."""
        self._look(self.start)
        self._load()
        touched = () if self.path is None else self._sweep(self.path)
        end, moving = self._rest()
        self._watch_border(end, 1.0)
        poses = {body.id: Pose.from_list(row) for body, row in zip(self.free, end.tolist(), strict=True)}
        return Run(poses, touched, self.steps / self.recipe.hertz, not moving, moving, tuple(sorted(self.struck)))

    def _look(self, state: _Array) -> None:
        if self.watch is not None:
            self.watch(self.steps / self.recipe.hertz, [body.id for body in self.free], state)

    def _load(self) -> None:
        for step in range(1, self.recipe.load_steps + 1):
            self._gravity(step / self.recipe.load_steps)
            self._step()

    def _step(self) -> None:
        self.bullet.stepSimulation(physicsClientId=self.client)
        self.steps += 1

    def _gravity(self, share: float) -> None:
        self.bullet.setGravity(0, 0, -self.recipe.gravity * share, physicsClientId=self.client)

    def _prepare(self, table_friction: float) -> None:
        bullet, recipe = self.bullet, self.recipe
        bullet.setPhysicsEngineParameter(
            fixedTimeStep=1 / recipe.hertz,
            numSubSteps=0,
            numSolverIterations=recipe.iterations,
            solverResidualThreshold=recipe.residual,
            warmStartingFactor=recipe.warm_start,
            contactERP=recipe.contact_erp,
            contactSlop=recipe.contact_slop,
            contactBreakingThreshold=recipe.contact_breaking,
            deterministicOverlappingPairs=1,
            physicsClientId=self.client,
        )
        plane = bullet.createCollisionShape(bullet.GEOM_PLANE, physicsClientId=self.client)
        table = bullet.createMultiBody(0, plane, useMaximalCoordinates=1, physicsClientId=self.client)
        self._material(table, table_friction, free=False)

    def _add(self, bodies: Sequence[Body], moving: AbstractSet[str]) -> None:
        """Make these bodies; those that are not named as moving are held."""
        for body in bodies:
            number = self.numbers[body.id] = self._body(body, body.id in moving)
            if body.mass > 0 and body.id not in moving:
                self.held[number] = body.id

    def _body(self, body: Body, free: bool) -> int:
        k = self.recipe.units_per_mm
        number: int = self.bullet.createMultiBody(
            body.mass if free else 0.0,
            self._shape(body),
            -1,
            [c * k for c in body.pose.at],
            list(body.pose.quat),
            useMaximalCoordinates=1,
            physicsClientId=self.client,
        )
        self._material(number, body.friction, free)
        return number

    def _shape(self, body: Body) -> int:
        # one shape for all pieces of a kind: fewer to make, and removing a body would leak a shape of its own
        if body.shape not in self.shapes:
            k, bullet, shape = self.recipe.units_per_mm, self.bullet, body.shape
            if isinstance(shape, Box):
                half = [edge * k / 2 for edge in shape.size]
                number = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=half, physicsClientId=self.client)
            else:
                number = bullet.createCollisionShape(
                    bullet.GEOM_CYLINDER, radius=shape.radius * k, height=shape.height * k, physicsClientId=self.client
                )
            self.shapes[shape] = number
        return self.shapes[body.shape]

    def _material(self, number: int, friction: float, free: bool) -> None:
        # Bullet multiplies the coefficients of the two bodies that meet
        more = {"activationState": self.bullet.ACTIVATION_STATE_DISABLE_SLEEPING} if free else {}
        self.bullet.changeDynamics(
            number,
            -1,
            lateralFriction=math.sqrt(friction),
            rollingFriction=0.0,
            spinningFriction=0.0,
            restitution=self.recipe.restitution,
            linearDamping=0.0,
            angularDamping=0.0,
            physicsClientId=self.client,
            **more,
        )

    def _sweep(self, path: HandPath) -> tuple[str, ...]:
        """Lead the tool along its path; give what it touched, in order.

        The tool is a heavy free body whose pose and velocity are set before every step: the solver knows how fast it comes, and
        whatever it meets cannot turn it aside.
        """
        bullet, client, k = self.bullet, self.client, self.recipe.units_per_mm
        half = TOOL_LENGTH[path.tool] / 2
        tool = self._tool(path)
        names = {number: name for name, number in self.numbers.items()}
        carried = self.recipe.gravity / self.recipe.hertz  # what gravity would take from its speed in the step
        touched: dict[str, None] = {}
        for begin, end in zip(path.points, path.points[1:], strict=False):
            count = max(1, math.ceil(math.dist(begin, end) / path.speed * self.recipe.hertz))
            vx, vy, vz = ((b - a) * k * self.recipe.hertz / count for a, b in zip(begin, end, strict=True))
            for i in range(count):
                x, y, z = (a + (b - a) * i / count for a, b in zip(begin, end, strict=True))
                at = [x * k, y * k, (z + half) * k]
                bullet.resetBasePositionAndOrientation(tool, at, [0, 0, 0, 1], physicsClientId=client)
                bullet.resetBaseVelocity(tool, [vx, vy, vz + carried], [0, 0, 0], physicsClientId=client)
                self._step()
                for contact in bullet.getContactPoints(bodyA=tool, physicsClientId=client):
                    if contact[2] in names and (contact[8] <= self.recipe.contact_slop or contact[9] > 0):
                        touched.setdefault(names[contact[2]])
                        if contact[2] in self.held:
                            self.struck.setdefault(self.held[contact[2]])
                if self.steps % self.recipe.check_every == 0:
                    self._watch_border(self._state(), _JOLT)
                    self._look(self.state)
        bullet.removeBody(tool, physicsClientId=client)
        return tuple(touched)

    def _tool(self, path: HandPath) -> int:
        """An upright capsule at the beginning of the path."""
        bullet, k = self.bullet, self.recipe.units_per_mm
        radius, length = TOOL_RADIUS[path.tool], TOOL_LENGTH[path.tool]
        x, y, z = path.points[0]
        shape = bullet.createCollisionShape(
            bullet.GEOM_CAPSULE, radius=radius * k, height=(length - 2 * radius) * k, physicsClientId=self.client
        )
        tool: int = bullet.createMultiBody(
            self.recipe.tool_mass,
            shape,
            -1,
            [x * k, y * k, (z + length / 2) * k],
            useMaximalCoordinates=1,
            physicsClientId=self.client,
        )
        self._material(tool, max((body.friction for body in self.free), default=0.0), free=True)
        return tool

    def _rest(self) -> tuple[_Array, tuple[str, ...]]:
        """Step until every free piece has come to rest: the states (n, 7) to report, and the ids, sorted, of what still moves.

        Pieces fall asleep one after the other, each with what it can disturb, and are then held still: so neither their poses
        nor whether they stand depend on how long other pieces go on, which may be those of a whole table.
        """
        settle, recipe = self.settle, self.recipe
        third = max(1, round(settle.quiet_time * recipe.hertz / recipe.check_every / 3))
        span = 3 * third
        limit = self.steps + math.ceil(settle.time_limit * recipe.hertz)
        states: deque[_Array] = deque(maxlen=span)
        awake_for = np.zeros(len(self.free), dtype=int)  # looks
        moving = np.ones(len(self.free), dtype=bool)
        end = self.start.copy()
        looks = 0
        while self.steps < min(limit, self.last_step) or not states:
            for _ in range(recipe.check_every):
                self._step()
            looks += 1
            states.append(self._state())
            self._watch_border(states[-1], _JOLT)
            self._look(states[-1])
            awake_for += 1
            awake_for[self._wake(states[-1])] = 0
            if len(states) < span:
                continue
            moving = ~self.asleep & ((awake_for < span) | restless(np.stack(states), settle))
            tired = ~self.asleep & ~moving
            if moving.any():
                if looks % third or not tired.any():  # to find out what those that move can disturb takes time
                    continue
                tired &= ~self._disturbed(moving, states[-1])
            if tired.any():
                end[tired] = _resting(np.stack(states))[tired]
                self._sleep(tired, states[-1])
            if not moving.any():
                break
        end[~self.asleep] = states[-1][~self.asleep]
        return end, tuple(self.free[k].id for k in np.flatnonzero(moving))

    def _disturbed(self, seeds: _Mask, state: _Array) -> _Mask:
        """Which of the free pieces the seeds can disturb, the seeds among them."""
        bodies = [body.at(Pose.from_list(row)) for body, row in zip(self.free, state.tolist(), strict=True)]
        found = neighbours(bodies).disturbed({self.free[k].id for k in np.flatnonzero(seeds)}, self.roads)
        return np.array([body.id in found for body in self.free], dtype=bool)

    def _sleep(self, tired: _Mask, state: _Array) -> None:
        """Hold these where they are."""
        for k in np.flatnonzero(tired).tolist():
            self._weigh(k, 0.0)
            self.bullet.resetBaseVelocity(self.free_numbers[k], [0, 0, 0], [0, 0, 0], physicsClientId=self.client)
        self.asleep |= tired
        self.asleep_since = state

    def _wake(self, state: _Array) -> _Mask:
        """Let go of the sleepers that a moving piece touches and of what those can disturb; which these are."""
        struck = np.zeros(len(self.free), dtype=bool)
        if not self.asleep.any():
            return struck
        for k in np.flatnonzero(self._moved(self.asleep_since, state, _JOLT) & ~self.asleep):
            for contact in self.bullet.getContactPoints(bodyA=self.free_numbers[k], physicsClientId=self.client):
                sleeper = self.indices.get(contact[2])
                if sleeper is not None and self.asleep[sleeper]:
                    struck[sleeper] = True
        if not struck.any():
            return struck
        woken = self._disturbed(struck, state) & self.asleep
        for index in np.flatnonzero(woken).tolist():
            self._weigh(index, self.free[index].mass)
        self.asleep &= ~woken
        return woken

    def _weigh(self, index: int, mass: float) -> None:
        self.bullet.changeDynamics(self.free_numbers[index], -1, mass=mass, physicsClientId=self.client)

    def _moved(self, before: _Array, after: _Array, factor: float) -> _Mask:
        shift, turn = movement(before, after)
        moved: _Mask = (shift > factor * self.settle.border_shift) | (turn > factor * self.settle.border_turn)
        return moved

    def _state(self) -> _Array:
        """x, y, z in mm and the quaternion of every free piece, shape (n, 7)."""
        ask, client = self.bullet.getBasePositionAndOrientation, self.client
        awake = np.flatnonzero(~self.asleep)
        rows = [(*at, *quat) for at, quat in (ask(self.free_numbers[k], physicsClientId=client) for k in awake)]
        self.state = self.state.copy()
        self.state[awake] = np.array(rows).reshape(-1, 7)
        self.state[awake, :3] /= self.recipe.units_per_mm
        return self.state

    def _watch_border(self, state: _Array, factor: float) -> None:
        """Note every held piece that is touched by a piece which has moved: what is held would never give way."""
        if not (self.held or self.far):
            return
        if self.far:
            shift, turn = movement(self.start, state)
            if (shift + np.radians(turn) * self.radii > self.recipe.reach).any():
                self._add(self.far, frozenset())
                self.far = ()
        for k in np.flatnonzero(self._moved(self.start, state, factor)):
            for contact in self.bullet.getContactPoints(bodyA=self.free_numbers[k], physicsClientId=self.client):
                if contact[2] in self.held:
                    self.struck.setdefault(self.held[contact[2]])
        if self.struck and math.isinf(self.last_step):  # the world will have this run again with more of the table free
            self.last_step = self.steps + round(self.recipe.look_on * self.recipe.hertz)


def _within(bodies: Sequence[Body], ids: AbstractSet[str], path: HandPath | None, reach: float) -> frozenset[str]:
    """The ids of what is less than `reach` mm away from one of those, or from the path, judged by bounding boxes."""
    low, high = bounds(bodies)
    seeds = [(low[k], high[k]) for k, body in enumerate(bodies) if body.id in ids]
    if path is not None:
        radius, length = TOOL_RADIUS[path.tool], TOOL_LENGTH[path.tool]
        points = np.array(path.points)
        around = np.array((radius, radius, 0.0)), np.array((radius, radius, length))
        seeds.append((points.min(axis=0) - around[0], points.max(axis=0) + around[1]))
    near = np.zeros(len(bodies), dtype=bool)
    for least, most in seeds:
        near |= ((low <= most + reach) & (high >= least - reach)).all(axis=1)
    return frozenset(body.id for body, hit in zip(bodies, near, strict=True) if hit)


def _radius(body: Body) -> float:
    """Of the ball around a body's middle, in mm."""
    if isinstance(body.shape, Box):
        return math.hypot(*body.shape.size) / 2
    return math.hypot(body.shape.radius, body.shape.height / 2)


def movement(before: _Array, after: _Array) -> tuple[_Array, _Array]:
    """How far, in mm and in degrees, each state (..., 7) of `after` is from that of `before`."""
    shift = np.sqrt(((after[..., :3] - before[..., :3]) ** 2).sum(-1))
    (ax, ay, az, aw), (bx, by, bz, bw) = np.moveaxis(before[..., 3:], -1, 0), np.moveaxis(after[..., 3:], -1, 0)
    x = aw * bx - ax * bw - ay * bz + az * by
    y = aw * by - ay * bw - az * bx + ax * bz
    z = aw * bz - az * bw - ax * by + ay * bx
    w = ax * bx + ay * by + az * bz + aw * bw
    return shift, np.degrees(2 * np.arctan2(np.sqrt(x * x + y * y + z * z), np.abs(w)))


def restless(states: _Array, settle: SettleParams) -> _Mask:
    """Which pieces are not at rest, from their states (checks, n, 7) over the last `quiet_time`.

    Bullet's contacts chatter: a piece that rests jumps by a hundredth of a millimetre, at any speed. So the means of three
    thirds of the time are compared. A piece is restless if it went from the second to the third faster than the tolerances,
    or at a quarter of that and twice as fast as from the first to the second: so begins a slow fall from an unstable balance.
    """
    third = len(states) // 3
    if not third:
        return np.ones(states.shape[1], dtype=bool)
    first, second, last = (states[k * third : (k + 1) * third].sum(0) / third for k in range(3))
    found = np.zeros(states.shape[1], dtype=bool)
    time = settle.quiet_time / 3
    for earlier, later, most in zip(
        movement(first, second), movement(second, last), (settle.quiet_speed * time, settle.quiet_turn * time), strict=True
    ):
        found |= (later > most) | ((later > _CREEP * most) & (later > 2 * earlier))
    return found


def _resting(states: _Array) -> _Array:
    """The mean state (n, 7) of pieces at rest, free of chatter."""
    mean: _Array = states.sum(0) / len(states)
    mean[:, 3:] /= np.sqrt((mean[:, 3:] ** 2).sum(1))[:, None]
    return mean


class _Shared:
    """The one client of this process; a lock, because two runs in it at a time would be one world."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.client: int | None = None


_shared = _Shared()


def _forget() -> None:
    """A forked child starts without a client: its parent's is not its own to step or to close."""
    global _shared  # noqa: PLW0603 - the lock may have been held by another thread when the process forked
    _shared = _Shared()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


@contextmanager
def _client() -> Iterator[tuple[Any, int]]:
    """PyBullet and an empty client. After an exception the client is closed, so that nothing half done is ever reused."""
    bullet = _pybullet()
    shared = _shared
    with shared.lock:
        if shared.client is None:
            shared.client = bullet.connect(bullet.DIRECT)
            atexit.register(_close, shared)
        try:
            bullet.resetSimulation(physicsClientId=shared.client)
            yield bullet, shared.client
            bullet.resetSimulation(physicsClientId=shared.client)
        except BaseException:
            _close(shared)
            raise


def _close(shared: _Shared) -> None:
    atexit.unregister(_close)
    if shared.client is not None and shared is _shared:
        with suppress(_pybullet().error):
            _pybullet().disconnect(physicsClientId=shared.client)
    shared.client = None


def _pybullet() -> Any:
    """PyBullet, imported with the build time that it prints turned away."""
    if "pybullet" in sys.modules:
        return sys.modules["pybullet"]
    with _no_output():
        try:
            import pybullet  # heavy, and optional on Python 3.12+
        except ImportError as error:
            raise UnavailableError(_MISSING) from error
    return pybullet


@contextmanager
def _no_output() -> Iterator[None]:
    """Turn C's standard output and error away: PyBullet prints its build time on one or the other when it is imported."""
    flush = _c_flush()
    flush()
    kept: list[tuple[int, int]] = []
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for stream in (1, 2):
            with suppress(OSError):  # a stream that is closed can be left so
                kept.append((stream, os.dup(stream)))
                os.dup2(nowhere, stream)
        yield
        flush()  # what C has buffered would otherwise come out after all
    finally:
        for stream, copy in kept:
            os.dup2(copy, stream)
            os.close(copy)
        os.close(nowhere)


def _c_flush() -> Any:
    library = ctypes.CDLL(None) if os.name == "posix" else ctypes.CDLL("ucrtbase")
    return lambda: library.fflush(None)


def _version() -> str:
    try:
        return importlib.metadata.version("pybullet")
    except importlib.metadata.PackageNotFoundError as error:
        raise UnavailableError(_MISSING) from error
