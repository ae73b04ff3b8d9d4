"""The bodies of one run in PyBullet: the client that they live in, and how they are made, moved and
read.

Bullet works in units of two millimetres, grams and seconds: its fixed margin of 0.04 units is then
small beside every piece. Every run makes its bodies anew in canonical order; this alone is why a
run gives the same bits everywhere.
"""

from __future__ import annotations

import atexit
import ctypes
import math
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence, Set as AbstractSet
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from sim.bodies import Body, Box, Floats, Pose, Vector, compose, table_friction
from sim.physics.engine import TOOL_LENGTH, TOOL_RADIUS, HandPath
from sim.physics.engines.ending import LEVER
from sim.physics.neighbours import bounds, neighbours

# --- the client -----------------------------------------------------------------------------------


class _Shared:
    """The one client of this process, with a lock: two runs in it at the same time would share one
    world.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.client: int | None = None


_shared = _Shared()


def _forget() -> None:
    """A forked child starts without a client: it must neither step nor close that of its parent."""
    global _shared  # noqa: PLW0603 - the lock may have been held by another thread when the process forked
    _shared = _Shared()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


@contextmanager
def client() -> Iterator[tuple[Any, int]]:
    """PyBullet and an empty client. After an exception the client is closed, so that nothing half
    done is ever reused.
    """
    bullet = _pybullet()
    shared = _shared
    with shared.lock:
        if shared.client is None:
            shared.client = bullet.connect(bullet.DIRECT)
            atexit.register(_close, shared)
        try:
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
        import pybullet  # heavy, and optional on Python 3.12+
    return pybullet


@contextmanager
def _no_output() -> Iterator[None]:
    """Turn C's standard output and error away: PyBullet prints its build time on one or the other
    when it is imported.
    """
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


# --- the bodies -----------------------------------------------------------------------------------

_GOLDEN = math.pi * (3 - math.sqrt(5))  # radians: no two of many such turns point the same way


@dataclass(frozen=True, slots=True)
class Recipe:
    """Every number of the simulation that can change an outcome; docs/physics.md says what goes
    wrong with others.

    Lengths in Bullet's units, of which `units_per_mm` make a millimetre; `hertz` steps a second,
    `check_every` of them between two looks at the poses. Gravity grows to its full value over the
    first `load_steps`: contacts start without forces, and pieces at rest would each time slip by a
    twentieth of a millimetre before the solver has found the forces. Before a run that only looks
    whether pieces stay, each is turned by a `hair` (radians) in four directions, which shows all
    points of its contacts. Held pieces further than `reach` mm from every free piece are left out
    until a piece has moved that far. `tool_mass` (g) is that of a finger. `rolling` is the
    resistance of what lies on a disc to rocking: without it a road goes on rolling there by a tenth
    of a degree each time it is let go. In runs that only look whether pieces stay, all resist
    rocking by a `lever` (mm) of their load: twice the real one, since Bullet counts it at one of
    the up to four points of a contact. Where `tall` free discs or more lie one on another, every
    step is cut into `fine`: errors add up from disc to disc.
    """

    units_per_mm: float = 0.5
    gravity: float = 4905.0
    hertz: int = 960
    iterations: int = 50
    residual: float = 0.0
    warm_start: float = 0.85
    contact_erp: float = 0.05
    contact_slop: float = 0.001
    contact_breaking: float = 0.05
    restitution: float = 0.0
    check_every: int = 8
    load_steps: int = 24
    hair: float = 3e-4
    reach: float = 30.0
    tool_mass: float = 100.0
    rolling: float = 0.1
    lever: float = 2 * LEVER
    tall: int = 8
    fine: int = 3

    def finer(self) -> Recipe:
        """The recipe for tall stacks: finer steps; looks and loading take the same time."""
        times = self.fine
        return replace(
            self,
            hertz=times * self.hertz,
            check_every=times * self.check_every,
            load_steps=times * self.load_steps,
        )


class Pieces:
    """The table and the bodies of one run, by the numbers that Bullet gives them.

    `numbers` are those of the bodies by id, `names` the other way round; `far` are the bodies that
    are not made yet, since no moving piece is near them. Bodies that are not named as moving are
    held. `step` makes one step of the world. With `staying` all have the lever of pieces that rest.
    """

    def __init__(
        self,
        bullet: Any,
        client: int,
        recipe: Recipe,
        bodies: Sequence[Body],
        moving: AbstractSet[str],
        path: HandPath | None,
        *,
        staying: bool = False,
    ) -> None:
        self._bullet, self._client, self._recipe = bullet, client, recipe
        self.step = partial(bullet.stepSimulation, physicsClientId=client)
        self._staying = staying
        self.units_per_mm = recipe.units_per_mm
        self._shapes: dict[object, int] = {}
        self._grip: dict[int, float] = {}
        self.numbers: dict[str, int] = {}
        self.names: dict[int, str] = {}
        self._prepare(table_friction(bodies))
        near = _within(bodies, moving, path, recipe.reach)
        self.far = tuple(body for body in bodies if body.id not in near)
        self._add([body for body in bodies if body.id in near], moving)

    # --- making them ------------------------------------------------------------------------------

    def _prepare(self, table_friction: float) -> None:
        bullet, recipe = self._bullet, self._recipe
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
            physicsClientId=self._client,
        )
        # Nobody looks at these bodies. Left to itself, PyBullet gives each a picture: a disc one of
        # some hundred triangles, the table one that takes milliseconds to make and to clear away.
        self._unseen: int = bullet.createVisualShape(
            bullet.GEOM_MESH,
            vertices=[[0.0, 0.0, 0.0], [1e-3, 0.0, 0.0], [0.0, 1e-3, 0.0]],
            indices=[0, 1, 2],
            physicsClientId=self._client,
        )
        plane = bullet.createCollisionShape(bullet.GEOM_PLANE, physicsClientId=self._client)
        table = bullet.createMultiBody(
            0, plane, self._unseen, useMaximalCoordinates=1, physicsClientId=self._client
        )
        self._material(table, table_friction, free=False)

    def bring_far(self) -> None:
        """Makes the bodies that were too far away to matter until now; they are held."""
        self._add(self.far, frozenset())
        self.far = ()

    def _add(self, bodies: Sequence[Body], moving: AbstractSet[str]) -> None:
        for body in bodies:
            number = self.numbers[body.id] = self._body(body, body.id in moving)
            self.names[number] = body.id

    def _body(self, body: Body, free: bool) -> int:
        k = self.units_per_mm
        number: int = self._bullet.createMultiBody(
            body.mass if free else 0.0,
            self._shape(body),
            self._unseen,
            [c * k for c in body.pose.at],
            list(body.pose.quat),
            useMaximalCoordinates=1,
            physicsClientId=self._client,
        )
        rolling = 0.0 if isinstance(body.shape, Box) else self._recipe.rolling
        lever = 0.0
        if self._staying and body.friction > 0:
            # Bullet multiplies each of the two numbers by the other body's share of the friction
            lever = self._recipe.lever * self.units_per_mm / 2 / math.sqrt(body.friction)
        self._material(number, body.friction, free, max(rolling, lever))
        return number

    def _shape(self, body: Body) -> int:
        # one shape for all pieces of a kind: fewer to make, and removing a body would leak a shape
        # of its own
        if body.shape not in self._shapes:
            k, bullet, shape = self.units_per_mm, self._bullet, body.shape
            if isinstance(shape, Box):
                half = [edge * k / 2 for edge in shape.size]
                number = bullet.createCollisionShape(
                    bullet.GEOM_BOX, halfExtents=half, physicsClientId=self._client
                )
            else:
                number = bullet.createCollisionShape(
                    bullet.GEOM_CYLINDER,
                    radius=shape.radius * k,
                    height=shape.height * k,
                    physicsClientId=self._client,
                )
            self._shapes[shape] = number
        return self._shapes[body.shape]

    def _material(
        self,
        number: int,
        friction: float,
        free: bool,
        rolling: float = 0.0,
    ) -> None:
        # Bullet multiplies the coefficients of the two bodies that meet
        self._grip[number] = math.sqrt(friction)
        more = {"activationState": self._bullet.ACTIVATION_STATE_DISABLE_SLEEPING} if free else {}
        self._bullet.changeDynamics(
            number,
            -1,
            lateralFriction=self._grip[number],
            rollingFriction=rolling,
            spinningFriction=0.0,
            restitution=self._recipe.restitution,
            linearDamping=0.0,
            angularDamping=0.0,
            physicsClientId=self._client,
            **more,
        )

    def fill_contacts(self, bodies: Sequence[Body]) -> None:
        """Lets Bullet find all points on which these bodies lie.

        It adds one point to a contact each time it looks. So a disc would first stand on one or
        two, and rock until it has found the others. Turned by a hair in four directions, it shows
        them.
        """
        half, collide = self._recipe.hair / 2, self._bullet.performCollisionDetection
        for quarter in range(4):
            for n, body in enumerate(bodies):
                # two that lie on each other must not turn alike
                way = _GOLDEN * n + quarter * math.pi / 2
                turn = half * math.cos(way), half * math.sin(way), 0.0, math.sqrt(1 - half * half)
                self._put(body.id, Pose(body.pose.at, compose(turn, body.pose.quat)))
            collide(physicsClientId=self._client)
        for body in bodies:
            self._put(body.id, body.pose)
        collide(physicsClientId=self._client)

    def _put(self, name: str, pose: Pose) -> None:
        at = [c * self.units_per_mm for c in pose.at]
        self._bullet.resetBasePositionAndOrientation(
            self.numbers[name], at, pose.quat, physicsClientId=self._client
        )

    # --- one step, and what is done to bodies between two -----------------------------------------

    def gravity(self, share: float) -> None:
        """Sets the share of gravity that pulls."""
        self._bullet.setGravity(0, 0, -self._recipe.gravity * share, physicsClientId=self._client)

    def weigh(self, number: int, mass: float) -> None:
        """Give a body another mass; without one it is held where it is."""
        self._bullet.changeDynamics(number, -1, mass=mass, physicsClientId=self._client)

    def let_go(self, body: Body, *, anew: bool) -> None:
        """Let a body move that is held; `anew` if it never moved: what Bullet once took for fixed
        falls through the table.
        """
        if not anew:
            self.weigh(self.numbers[body.id], body.mass)
            return
        if self.far:
            self.bring_far()
        old = self.numbers[body.id]
        self._bullet.removeBody(old, physicsClientId=self._client)
        del self.names[old]
        self._add([body], {body.id})

    def velocity(self, number: int) -> tuple[Floats, Floats]:
        """The velocity in mm/s and the rate of turning in radians/s."""
        linear, angular = self._bullet.getBaseVelocity(number, physicsClientId=self._client)
        return np.array(linear) / self.units_per_mm, np.array(angular)

    def drive(self, number: int, linear: Floats, angular: Floats) -> None:
        """Set the velocity in mm/s and the rate of turning in radians/s."""
        k = self.units_per_mm
        self._bullet.resetBaseVelocity(
            number, (linear * k).tolist(), angular.tolist(), physicsClientId=self._client
        )

    # --- reading the pieces -----------------------------------------------------------------------

    def states(self, numbers: Iterable[int]) -> Floats:
        """x, y, z in mm and the quaternion of each body, shape (n, 7)."""
        ask, client = self._bullet.getBasePositionAndOrientation, self._client
        rows = [
            (*at, *quat) for at, quat in (ask(number, physicsClientId=client) for number in numbers)
        ]
        found = np.array(rows).reshape(-1, 7)
        found[:, :3] /= self.units_per_mm
        return found

    def contacts(self, number: int) -> Sequence[Sequence[Any]]:
        """The contact points of a body, as PyBullet gives them."""
        found: Sequence[Sequence[Any]] = self._bullet.getContactPoints(
            bodyA=number, physicsClientId=self._client
        )
        return found

    def friction(self, one: int, other: int) -> float:
        """The coefficient of friction between two bodies."""
        return self._grip[one] * self._grip.get(other, 0.0)

    # --- the hand ---------------------------------------------------------------------------------

    def tool(self, path: HandPath, friction: float) -> int:
        """An upright capsule at the beginning of the path."""
        bullet, k = self._bullet, self.units_per_mm
        radius, length = TOOL_RADIUS[path.tool], TOOL_LENGTH[path.tool]
        x, y, z = path.points[0]
        shape = bullet.createCollisionShape(
            bullet.GEOM_CAPSULE,
            radius=radius * k,
            height=(length - 2 * radius) * k,
            physicsClientId=self._client,
        )
        tool: int = bullet.createMultiBody(
            self._recipe.tool_mass,
            shape,
            -1,
            [x * k, y * k, (z + length / 2) * k],
            useMaximalCoordinates=1,
            physicsClientId=self._client,
        )
        self._material(tool, friction, free=True)
        return tool

    def lead(self, tool: int, at: Vector, velocity: Vector) -> None:
        """Put the tool's middle there (mm) with that velocity (mm/s), which gravity does not change
        in the next step.
        """
        k = self.units_per_mm
        # the speed that gravity would take from it in the step
        carried = self._recipe.gravity / self._recipe.hertz
        vx, vy, vz = (c * k for c in velocity)
        self._bullet.resetBasePositionAndOrientation(
            tool, [c * k for c in at], [0, 0, 0, 1], physicsClientId=self._client
        )
        self._bullet.resetBaseVelocity(
            tool, [vx, vy, vz + carried], [0, 0, 0], physicsClientId=self._client
        )

    def touched(self, tool: int) -> list[str]:
        """The ids of the bodies that the tool presses, in the order of the contacts."""
        slop = self._recipe.contact_slop
        return [
            self.names[c[2]]
            for c in self.contacts(tool)
            if c[2] in self.names and (c[8] <= slop or c[9] > 0)
        ]

    def take_away(self, tool: int) -> None:
        """Remove the tool."""
        self._bullet.removeBody(tool, physicsClientId=self._client)


def tallest(bodies: Sequence[Body]) -> int:
    """The most discs that lie one on another."""
    discs = sorted(
        (body for body in bodies if body.kind == "disc"), key=lambda body: body.pose.at[2]
    )
    below = neighbours(discs).below
    heights: dict[str, int] = {}
    for disc in discs:
        heights[disc.id] = 1 + max((heights.get(other, 0) for other in below[disc.id]), default=0)
    return max(heights.values(), default=0)


def _within(
    bodies: Sequence[Body], ids: AbstractSet[str], path: HandPath | None, reach: float
) -> frozenset[str]:
    """The ids of what is less than `reach` mm away from one of those, or from the path, judged by
    bounding boxes.
    """
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
