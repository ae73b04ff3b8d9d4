"""The front door of physics: it takes bodies and returns settled poses; it knows no rule and no
engine.

Every verdict gets a new `World`, made from recorded poses. `place` adds the new pieces, `sweep` the
path of a hand; `settle()` lets everything come to rest and returns plain data.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from rules.errors import InputError
from sim.bodies import (
    Body,
    Box,
    Pose,
    Recorder,
    Trajectory,
    Vector,
    canonical,
    shift_between,
)
from sim.physics import engines
from sim.physics.engine import Engine, HandPath, NotSettledError, PhysicsError, Run, SettleParams
from sim.physics.neighbours import APART, neighbours, structures
from sim.physics.unsettled import Unsettled

ErrorT = TypeVar("ErrorT", bound=PhysicsError)


@dataclass(frozen=True, slots=True)
class Settled:
    """What physics says: the poses after coming to rest.

    `poses` holds every body of the world; a body that moved less than the tolerance has exactly the
    pose that it came in with. `moved` are the ids, sorted, of the new bodies and of those that
    moved more; `awake` the ids that were simulated as free bodies; `touched` what the hand touched,
    in the order of the first touch; `seconds` the simulated time. `quiet` is false if the time
    limit ended the run; `restless` then names what still moved. `track` holds the paths of the
    pieces, if watched. `seen` are the poses of the awake bodies as the engine gave them back, those
    that moved less than the tolerance as well.
    """

    poses: Mapping[str, Pose]
    moved: tuple[str, ...]
    awake: tuple[str, ...]
    touched: tuple[str, ...] = ()
    seconds: float = 0.0
    quiet: bool = True
    restless: tuple[str, ...] = field(default=())
    track: Trajectory | None = field(default=None, compare=False)
    seen: Mapping[str, Pose] = field(default_factory=dict, compare=False, repr=False)


class World:
    """A table of bodies at rest, to which pieces are added; made fresh for each verdict, and
    settled once.

    Only what the placement can disturb is simulated as free bodies; all others are held still,
    until a moving piece meets them.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        engine: Engine | str | None = None,
        params: SettleParams | None = None,
    ) -> None:
        self._bodies = {body.id: body for body in bodies}
        if len(self._bodies) != len(bodies):
            raise InputError(f"two bodies share an id: {_twice([body.id for body in bodies])}")
        self._engine = (
            engines.engine(engine) if engine is None or isinstance(engine, str) else engine
        )
        self._params = params or SettleParams()
        self._new: set[str] = set()
        self._landing: dict[str, Body] = {}
        self._path: HandPath | None = None
        self._speeds: dict[str, Vector] = {}

    def place(
        self,
        *bodies: Body,
        landing: Sequence[Body] = (),
        speeds: Mapping[str, Vector] | None = None,
    ) -> None:
        """Add new bodies, in any order, at the poses in which a hand lets go of them.

        `landing` are those of them that the hand lets go above their place, at the poses in which
        they will come down. What they touch there is free from the start. `speeds` are the
        velocities (mm/s) of those that were let go in motion. Raises InputError if an id is taken.
        """
        for body in bodies:
            if body.id in self._bodies:
                raise InputError(f"two bodies share an id: {body.id}")
            self._bodies[body.id] = body
            self._new.add(body.id)
        self._speeds.update(speeds or {})
        self._landing.update(
            (body.id, body) for body in landing if body.pose != self._bodies[body.id].pose
        )

    def sweep(self, path: HandPath) -> None:
        """Lead a hand along the path before things come to rest; one path a world.

        Raises PhysicsError for a path without points, with a speed that is not above 0, out of the
        room or without end.
        """
        self._path = path
        with self._scene_on_error():
            check_path(path)

    def settle(
        self,
        *,
        everything: bool = False,
        again: Collection[str] = (),
        watched: bool = False,
    ) -> Settled:
        """Lets everything come to rest. With `everything`, or if nothing was placed or swept, all
        bodies are free. With pieces to let go `again` (ids), these are free where they lie.

        Of what is let go again, and with `everything`, what hangs together by contacts comes to
        rest apart from the others: whether a structure stands does not depend on what else is let
        go. What goes so far that it may meet them is let go among them all, in a last run.

        With `watched` the result holds the paths of the pieces as well; nothing else changes.

        Raises UnavailableError if the engine is not installed, PhysicsError for a body that it
        cannot simulate, and NotSettledError if a piece left the room. The last two carry the scene.
        """
        with self._scene_on_error():
            check_bodies(self._bodies.values())
            bodies = canonical(list(self._bodies.values()))
            movable = frozenset(body.id for body in bodies if body.mass > 0)
            if everything or again or not (self._new or self._path):
                free = movable.intersection(again or movable)
                alone = bool(everything or again) and not (self._path or self._speeds or watched)
                return self._apart(bodies, free) if alone else self._run(bodies, free, watched)
            roads = frozenset(body.id for body in bodies if body.kind == "road")
            free = movable & neighbours(bodies).disturbed(self._new, roads)
            if self._landing:
                landed = canonical(list((self._bodies | self._landing).values()))
                free |= movable & neighbours(landed).disturbed(self._new, roads)
            return self._longer(bodies, self._run(bodies, free, watched))

    @classmethod
    def of(cls, scene: Unsettled, engine: Engine | str | None = None) -> World:
        """The world of a scene from a report, to be settled by its own engine or another.

        Raises UnavailableError if that is not installed, PhysicsError for the path of a hand as
        `sweep` does.
        """
        world = cls(
            [body for body in scene.bodies if body.id not in scene.new],
            engine or scene.engine["name"],
            scene.params,
        )
        new = [body for body in scene.bodies if body.id in scene.new]
        landing = [body.at(scene.landing[body.id]) for body in new if body.id in scene.landing]
        world.place(*new, landing=landing, speeds=scene.speeds)
        if scene.path is not None:
            world.sweep(scene.path)
        return world

    def never_rests(self, why: str) -> NotSettledError:
        """The error of a world that does not come to rest however often it is settled, with its
        scene.
        """
        return self._with_scene(NotSettledError(why))

    @contextmanager
    def _scene_on_error(self) -> Iterator[None]:
        """Adds the scene to an error of physics."""
        try:
            yield
        except PhysicsError as error:
            self._with_scene(error)
            raise

    def _with_scene(self, error: ErrorT) -> ErrorT:
        landing = {name: body.pose for name, body in self._landing.items()}
        engine = {
            "name": self._engine.name,
            "version": self._engine.version,
            "params": self._engine.params,
        }
        bodies = canonical(list(self._bodies.values()))
        error.scene = Unsettled(
            bodies,
            tuple(sorted(self._new)),
            landing,
            self._path,
            engine,
            self._params,
            str(error),
            self._speeds,
        )
        return error

    def _apart(self, bodies: Sequence[Body], free: frozenset[str]) -> Settled:
        """Each structure of the free bodies settled by itself, beside those that are held. What
        goes far in one is let go again from where it lay, with what it can disturb, among all the
        others as they lie by then: that run counts. If it does not go far then, the rest of its
        structure is settled, too, which the first run did not do to the end.
        """
        parts, straying, unseen = list[Settled](), set[str](), set[str]()

        def lying() -> list[Body]:
            went = {name: part.poses[name] for part in parts for name in part.moved}
            return [body.at(went.get(body.id, body.pose)) for body in bodies]

        for structure in structures([body for body in bodies if body.id in free]):
            part = self._alone(
                [body for body in bodies if body.id in structure or body.id not in free], structure
            )
            if fell := self._straying(part):
                straying |= fell
                unseen |= structure
            else:
                parts.append(part)
        if straying:
            # what comes down is not braked as what rests is
            there, roads = lying(), {body.id for body in bodies if body.kind == "road"}
            loose = neighbours(there).disturbed(straying, roads)
            loose.intersection_update(body.id for body in bodies if body.mass > 0)
            parts.append(self._run(there, frozenset(loose)))
            if not parts[-1].moved and (rest := unseen - loose):
                parts.append(self._apart(lying(), frozenset(rest)))
        return Settled(
            {body.id: body.pose for body in sorted(lying(), key=lambda body: body.id)},
            tuple(sorted({name for part in parts for name in part.moved})),
            tuple(sorted({name for part in parts for name in part.awake})),
            seconds=max((part.seconds for part in parts), default=0.0),
            quiet=all(part.quiet for part in parts),
            restless=tuple(sorted({name for part in parts for name in part.restless})),
            seen={name: pose for part in parts for name, pose in part.seen.items()},
        )

    def _alone(self, bodies: Sequence[Body], part: frozenset[str]) -> Settled:
        """A structure settled without the others: all of it is free.

        It starts at rest and in contact, so half of the quiet time shows as much as the whole does
        after a fall; and what only chatters where it lies is at rest.
        """
        params = replace(self._params, quiet_time=self._params.quiet_time / 2, staying=True)
        settled = self._settled(part, self._engine.run(bodies, part, params), None)
        return settled if self._straying(settled) else self._longer(bodies, settled)

    def _straying(self, settled: Settled) -> set[str]:
        """What went so far that it may meet another structure."""
        was, went = self._bodies, settled.poses
        return {p for p in settled.moved if shift_between(was[p].pose, went[p]) > APART}

    def _longer(self, bodies: Sequence[Body], settled: Settled) -> Settled:
        """Settles what is not quiet further from the poses when time was up, starting with zero
        velocity.
        """
        if settled.quiet or not self._params.patience:
            return settled
        here = [body.at(settled.poses[body.id]) for body in bodies]
        free = frozenset(settled.awake)
        longer = replace(self._params, time_limit=self._params.patience)
        on = self._settled(free, self._engine.run(here, free, longer), settled.track)
        return replace(on, touched=settled.touched, seconds=settled.seconds + on.seconds)

    def _run(self, bodies: Sequence[Body], free: frozenset[str], watched: bool = False) -> Settled:
        """One run of the engine."""
        recorder = Recorder() if watched else None
        run = self._engine.run(bodies, free, self._params, self._path, recorder, self._speeds)
        return self._settled(free, run, recorder.track() if recorder is not None else None)

    def _settled(self, free: frozenset[str], run: Run, track: Trajectory | None) -> Settled:
        check_poses(run.poses)
        there, params = self._bodies, self._params
        went = (name for name, pose in run.poses.items() if not stays(params, there[name], pose))
        moved = tuple(sorted(self._new.intersection(run.poses).union(went)))
        poses = {name: body.pose for name, body in sorted(there.items())}
        poses.update((name, run.poses[name]) for name in moved)
        awake = tuple(sorted(free.union(run.poses)))
        return Settled(
            poses,
            moved,
            awake,
            run.touched,
            run.seconds,
            run.quiet,
            run.restless,
            track and track.only(awake),
            run.poses,
        )


def stays(params: SettleParams, body: Body, after: Pose) -> bool:
    """Whether a body keeps its pose where a run left it at another."""
    shift, turn = body.way_to(after)
    return shift <= params.still_shift and turn <= params.still_turn


def _twice(names: Sequence[str]) -> str:
    return ", ".join(sorted({name for name in names if names.count(name) > 1}))


# --- the room -------------------------------------------------------------------------------------

# Engines accept any number, and then return infinities or never end. So the world checks its bodies
# before and after a run.

_FAR = 1e5  # mm from the middle of the table
_HIGH = 5e3  # mm above it: from there a piece falls for a second
_DEEP = 1e3  # mm below it
_SIZES = (0.05, 1e5)  # mm
_MASSES = (1e-3, 1e6)  # g; 0 is for what never moves
_FRICTIONS = (0.0, 10.0)
_UNIT = 1e-3  # that a quaternion's length may differ from 1
_LONGEST = 60.0  # s that a hand may take


def check_bodies(bodies: Iterable[Body]) -> None:
    """Raises PhysicsError for the first body that no engine should get."""
    for body in bodies:
        _check_pose(body.id, body.pose, PhysicsError)
        shape = body.shape
        sizes = shape.size if isinstance(shape, Box) else (2 * shape.radius, shape.height)
        for what, number, (low, high), unit in (
            *(("a size of ", size, _SIZES, " mm") for size in sizes),
            ("", body.mass or _MASSES[0], _MASSES, " g"),
            ("friction ", body.friction, _FRICTIONS, ""),
        ):
            if not low <= number <= high:
                raise PhysicsError(
                    f"{body.id}: {what}{number:g}{unit} cannot be simulated; {low:g} to "
                    f"{high:g}{unit} can"
                )


def check_path(path: HandPath) -> None:
    """Raises PhysicsError for a hand without a path or a speed, one that leaves the room, and one
    that takes more than a minute.
    """
    if not path.points or not 0 < path.speed < math.inf:
        raise PhysicsError("a hand's path needs at least one point and a speed above 0 mm/s")
    for point in path.points:
        if not _inside(point):
            raise PhysicsError(f"a hand's path leads out of the room, to {_shown(point)}")
    seconds = (
        sum(math.dist(a, b) for a, b in zip(path.points, path.points[1:], strict=False))
        / path.speed
    )
    if seconds > _LONGEST:
        raise PhysicsError(
            f"a hand would take {seconds:g} s along its path; {_LONGEST:g} s is the most"
        )


def check_poses(poses: Mapping[str, Pose]) -> None:
    """Raises NotSettledError if a piece is out of the room after a run, or its pose is no
    number.
    """
    for name, pose in poses.items():
        _check_pose(name, pose, NotSettledError)


def _check_pose(name: str, pose: Pose, error: type[PhysicsError]) -> None:
    if not _inside(pose.at):
        raise error(
            f"{name}: at {_shown(pose.at)} it is out of the room; a hand's shift or a recorded "
            "pose is far too large"
        )
    if not abs(math.hypot(*pose.quat) - 1) < _UNIT:
        raise error(
            f"{name}: its orientation {_shown(pose.quat)} is none; the four numbers of a "
            "quaternion have length 1"
        )


def _inside(at: Vector) -> bool:
    return abs(at[0]) <= _FAR and abs(at[1]) <= _FAR and -_DEEP <= at[2] <= _HIGH


def _shown(numbers: Sequence[float]) -> str:
    return f"({', '.join(f'{number:g}' for number in numbers)})"
