"""The front door of physics: it takes bodies and returns settled poses; it knows no rule and no engine.

Every verdict gets a new `World`, made from recorded poses. `place` adds the new pieces, `sweep` the path of a hand; `settle()`
lets everything come to rest and returns plain data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from rules.errors import InputError
from sim.bodies import Body, canonical
from sim.physics import engines
from sim.physics.engine import Engine, HandPath, PhysicsError, Run, SettleParams
from sim.physics.neighbours import neighbours
from sim.physics.room import check_bodies, check_path, check_poses
from sim.physics.unsettled import Unsettled
from sim.poses import Pose, Vector, shift_between, turn_between
from sim.trajectory import Recorder, Trajectory

__all__ = ["Settled", "World"]


@dataclass(frozen=True, slots=True)
class Settled:
    """What physics says: the poses after coming to rest.

    `poses` holds every body of the world; a body that moved less than the tolerance has exactly the pose that it came in with.
    `moved` are the ids, sorted, of the new bodies and of those that moved more; `awake` the ids that were simulated as free
    bodies; `touched` what the hand touched, in the order of the first touch; `seconds` the simulated time. `quiet` is false if
    the time limit ended the run; `restless` then names what still moved. `track` holds the paths of the pieces, if watched.
    """

    poses: Mapping[str, Pose]
    moved: tuple[str, ...]
    awake: tuple[str, ...]
    touched: tuple[str, ...] = ()
    seconds: float = 0.0
    quiet: bool = True
    restless: tuple[str, ...] = field(default=())
    track: Trajectory | None = field(default=None, compare=False)


class World:
    """A table of bodies at rest, to which pieces are added; made fresh for each verdict, and settled once.

    Only what the placement can disturb is simulated as free bodies; the rest is held still. If the border between the two does
    not stay at rest, the run is repeated from the start with more of the table free.
    """

    def __init__(self, bodies: Sequence[Body], engine: Engine | str | None = None, params: SettleParams | None = None) -> None:
        self._bodies = {body.id: body for body in bodies}
        if len(self._bodies) != len(bodies):
            raise InputError(f"two bodies share an id: {_twice([body.id for body in bodies])}")
        self._engine = _engine(engine)
        self._params = params or SettleParams()
        self._new: set[str] = set()
        self._landing: dict[str, Body] = {}
        self._path: HandPath | None = None
        self._speeds: dict[str, Vector] = {}

    def place(self, *bodies: Body, landing: Sequence[Body] = (), speeds: Mapping[str, Vector] | None = None) -> None:
        """Add new bodies, in any order, at the poses in which a hand lets go of them.

        `landing` are those of them that the hand lets go above their place, at the poses in which they will come down. What
        they touch there is free from the start. `speeds` are the velocities (mm/s) of those that were let go in motion. Raises
        InputError if an id is taken.
        """
        for body in bodies:
            if body.id in self._bodies:
                raise InputError(f"two bodies share an id: {body.id}")
            self._bodies[body.id] = body
            self._new.add(body.id)
        self._speeds.update(speeds or {})
        self._landing.update((body.id, body) for body in landing if body.pose != self._bodies[body.id].pose)

    def sweep(self, path: HandPath) -> None:
        """Lead a hand along the path before things come to rest; one path a world.

        Raises PhysicsError for a path without points, with a speed that is not above 0, out of the room or without end.
        """
        self._path = path
        with self._told():
            check_path(path)

    def settle(self, *, everything: bool = False, watched: bool = False) -> Settled:
        """Lets everything come to rest. With `everything`, or if nothing was placed or swept, all bodies are free.

        With `watched` the result holds the paths of the pieces as well; nothing else changes.

        Raises UnavailableError if the engine is not installed, PhysicsError for a body that it cannot simulate, and
        NotSettledError if a piece left the room. The last two carry the scene.
        """
        with self._told():
            return self._at_rest(everything=everything, watched=watched)

    @classmethod
    def of(cls, scene: Unsettled, engine: Engine | str | None = None) -> World:
        """The world of a scene from a report, to be settled by its own engine or another.

        Raises UnavailableError if that is not installed, PhysicsError for the path of a hand as `sweep` does.
        """
        world = cls([body for body in scene.bodies if body.id not in scene.new], engine or scene.engine["name"], scene.params)
        new = [body for body in scene.bodies if body.id in scene.new]
        landing = [body.at(scene.landing[body.id]) for body in new if body.id in scene.landing]
        world.place(*new, landing=landing, speeds=scene.speeds)
        if scene.path is not None:
            world.sweep(scene.path)
        return world

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Adds the scene to an error of physics."""
        try:
            yield
        except PhysicsError as error:
            landing = {name: body.pose for name, body in self._landing.items()}
            engine = {"name": self._engine.name, "version": self._engine.version, "params": self._engine.params}
            bodies = canonical(list(self._bodies.values()))
            error.scene = Unsettled(
                bodies, tuple(sorted(self._new)), landing, self._path, engine, self._params, str(error), self._speeds
            )
            raise

    def _at_rest(self, *, everything: bool, watched: bool) -> Settled:
        check_bodies(self._bodies.values())
        bodies = canonical(list(self._bodies.values()))
        movable = frozenset(body.id for body in bodies if body.mass > 0)
        if everything or not (self._new or self._path):
            return self._run(bodies, movable, watched=watched)[0]
        near, roads = neighbours(bodies), frozenset(body.id for body in bodies if body.kind == "road")
        free = movable & near.disturbed(self._new, roads)
        if self._landing:
            landed = canonical(list((self._bodies | self._landing).values()))
            free |= movable & neighbours(landed).disturbed(self._new, roads)
        while True:
            settled, struck = self._run(bodies, free, watched=watched)
            if not struck - free:
                return self._longer(bodies, settled) if not settled.quiet and self._params.patience else settled
            free |= movable & near.disturbed(struck - free, roads)

    def _longer(self, bodies: Sequence[Body], settled: Settled) -> Settled:
        """Settles the pieces further from their poses when time was up, starting with zero velocity."""
        here = [body.at(settled.poses[body.id]) for body in bodies]
        free, longer = frozenset(settled.awake), replace(self._params, time_limit=self._params.patience)
        on = self._settled(free, self._engine.run(here, free, longer), settled.track)
        return replace(on, touched=settled.touched, seconds=settled.seconds + on.seconds)

    def _run(self, bodies: Sequence[Body], free: frozenset[str], *, watched: bool) -> tuple[Settled, frozenset[str]]:
        """One run of the engine, and the ids that must be free as well."""
        recorder = Recorder() if watched else None
        run = self._engine.run(bodies, free, self._params, self._path, recorder, self._speeds)
        return self._settled(free, run, recorder.track() if recorder is not None else None), frozenset(run.struck)

    def _settled(self, free: frozenset[str], run: Run, track: Trajectory | None) -> Settled:
        check_poses(run.poses)
        poses = {name: body.pose for name, body in self._bodies.items()}
        moved = tuple(sorted(name for name, pose in run.poses.items() if self._moved(name, pose)))
        poses.update((name, run.poses[name]) for name in moved)
        awake = tuple(sorted(free.union(run.poses)))
        ordered = {name: poses[name] for name in sorted(poses)}
        seen = track and track.only(awake)
        return Settled(ordered, moved, awake, run.touched, run.seconds, run.quiet, run.restless, seen)

    def _moved(self, name: str, pose: Pose) -> bool:
        before, params = self._bodies[name].pose, self._params
        further = shift_between(before, pose) > params.still_shift or turn_between(before, pose) > params.still_turn
        return name in self._new or further


def _engine(engine: Engine | str | None) -> Engine:
    if engine is not None and not isinstance(engine, str):
        return engine
    return engines.engine(engine or engines.default())


def _twice(names: Sequence[str]) -> str:
    return ", ".join(sorted({name for name in names if names.count(name) > 1}))
