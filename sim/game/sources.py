"""Pose sources: they say where pieces come to rest. An engine, a record's `moved`, what people saw,
or geometry alone.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from sim.bodies import Body, Pose, SettleResult, SettlingTake, Vector
from sim.game.attempts.posing import Laid
from sim.physics.drop import released_clear
from sim.physics.engine import TOOL_LENGTH, TOOL_RADIUS, Engine, HandPath, SettleParams
from sim.physics.neighbours import gaps_along, structures
from sim.physics.world import World
from sim.referee import Breach, CarSpot, Close

Posed = frozenset[tuple[str, Pose]]
"""Pieces by id, and where they lie."""

_ADOPTED = 0.01  # mm and degrees: a fifth of what a piece of a table at rest may move


@dataclass(frozen=True, slots=True)
class Nominal:
    """Engine "none": nominal poses stand and nothing falls."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What people saw at a real table: which pieces have `fallen`. Nominal poses stand.

    `stands` is false for a try that people say failed. `touched` are the buildings that a hand
    touched. Three numbers of cars are None where nobody noted them: `cars` the road earned, as
    people say; `put` were put down; `placed` stood in the end. New cars that fell went back on
    their road, those of which people know the place (`kept`) before the others, unless fewer stood
    in the end.
    """

    fallen: tuple[str, ...]
    stands: bool = True
    cars: int | None = None
    placed: int | None = None
    put: int | None = None
    touched: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What a record says came of an attempt: whether the new pieces stand, what fell (ids), how
    many new cars stand.
    """

    built: bool
    fallen: tuple[str, ...]
    placed: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """Where the pieces `came` to rest by a record, taken on trust: its `moved`, `restless`,
    `x-rest`, `x-mended` and `x-touched`.

    If the record says so, `breaches` are why the new pieces came off, where the poses do not tell
    (`x-breaches`), `chosen` is where cars were put (`x-cars`), and `close` what equal starts said.
    With `told` nothing is deduced from the poses: the record's word stands.
    """

    came: SettleResult
    chosen: tuple[CarSpot, ...] | None = None
    close: Close | None = None
    breaches: tuple[Breach, ...] = ()
    told: Told | None = None


@dataclass(frozen=True, slots=True)
class Simulated:
    """The poses to which an engine settles, each time in fresh worlds. If `watched`, the paths to
    rest are kept too.

    A hand lets go of one piece after the other: the discs from the bottom, then the road, each
    where it was drawn but clear of what lies there by then. Only when all lie still does the tool
    go its way, and its way through the air takes no time.

    `brief` is for attempts that go into no record: they are not brought to rest, nor judged again
    on their poses at the end.

    `released` are poses by piece at which the hand lets go of pillar and road as they are; it looks
    for a clear place for all others.
    """

    engine: Engine
    params: SettleParams = field(default_factory=SettleParams)
    watched: bool = False
    brief: bool = False
    released: Mapping[str, Pose] = field(default_factory=dict)

    def settle(
        self, standing: Sequence[Body], new: Sequence[Laid], path: HandPath | None
    ) -> SettleResult:
        """Lets the pieces go in turn, leads the tool along its path, and lets everything come to
        rest.
        """
        going = _Settling(self, {body.id: body for body in standing})
        together = new[:1] and new[0].lying.kind == "car"  # cars stand apart
        for group in [new] if together else [[one] for one in new]:
            going.put(group)
        if path is not None and (way := shortened(path, list(going.there.values()))) is not None:
            going.sweep(way)
        return going.done

    def let_go_again(
        self,
        standing: Sequence[Body],
        seeds: Collection[str],
        known: set[Posed],
        *,
        patient: bool = False,
    ) -> SettleResult:
        """Lets go once more of all that hangs together with one of the seeds (ids), everything
        awake, and of what that may meet: what moves, if anything does by more than the tolerances.

        If so, the others that hang together with it take their new poses too: what is left of the
        swing of a fall is within the tolerances, but adds to that of the next run. `known` are the
        structures that did not move when they were let go before, which need no other look; it
        grows. A `patient` run ends only when all has been quiet for ten times as long.
        """
        params = self.params
        if patient:
            params = replace(
                params,
                quiet_time=10 * params.quiet_time,
                quiet_speed=params.quiet_speed / 4,
                quiet_turn=params.quiet_turn / 4,
            )
        there = {body.id: body for body in standing}
        parts = [
            part
            for part in structures(standing)
            if part.intersection(seeds) and _posed(part, there) not in known
        ]
        if not parts:
            return SettleResult({})
        held = frozenset[str]().union(*parts)
        settled = World(standing, self.engine, params).settle(again=held)
        stay = [part for part in parts if part.isdisjoint({*settled.moved, *settled.restless})]
        at_rest = frozenset[str]().union(*stay)
        moved = {
            piece: pose
            for piece, pose in settled.seen.items()
            if piece not in at_rest and max(there[piece].way_to(pose)) > _ADOPTED
        }
        if not patient:
            known |= {_posed(part, there) for part in stay}
        return SettleResult(moved, (), settled.restless, work=settled.seconds * len(settled.awake))


def _posed(part: Collection[str], there: Mapping[str, Body]) -> Posed:
    return frozenset((name, there[name].pose) for name in part)


PoseSource = Nominal | Observed | Recorded | Simulated
"""What says where the pieces come to rest."""


@dataclass(slots=True)
class _Settling:
    """The runs of one settling, each from where the one before left the pieces (`there`, by id);
    `new` are those that were let go so far.
    """

    source: Simulated
    there: dict[str, Body]
    new: list[str] = field(default_factory=list)
    done: SettleResult = field(default_factory=lambda: SettleResult({}))

    def put(self, group: Sequence[Laid]) -> None:
        """Lets go of new pieces, all at once."""
        kind = group[0].lying.kind
        # a road will be laid on a disc, which takes another look at it
        world = self._world(0.25 if kind == "disc" else 0.5)
        # a car is lifted off its road, however it slopes
        beneath = self.there if kind == "car" else self.new
        new = [self.there[name] for name in beneath]
        standing = [body for body in self.there.values() if body.id not in beneath]
        released = list[Body]()
        for laid in group:
            others = [*standing, *released]  # cars are let go at once, and not inside each other
            known = self.source.released.get(laid.release.id)
            released.append(
                laid.release.at(known)
                if known is not None
                else released_clear(laid.release, laid.lying, new, others)
            )
        self.new += [body.id for body in released]
        speeds = {laid.release.id: laid.speed for laid in group if any(laid.speed)}
        world.place(*released, landing=[laid.lying for laid in group], speeds=speeds)
        self.there.update((body.id, body) for body in released)
        self._run(world, released, None)

    def sweep(self, path: HandPath) -> None:
        """Leads the tool along its path."""
        world = self._world(0.5)
        world.sweep(path)
        self._run(world, (), path)

    def _world(self, share: float) -> World:
        """The pieces as they lie: to be quiet for that share of the time where all will be let go
        again.
        """
        params = self.source.params
        share = 1.0 if self.source.brief and share == 0.5 else share
        params = replace(params, quiet_time=share * params.quiet_time)
        return World(list(self.there.values()), self.source.engine, params)

    def _run(self, world: World, released: Sequence[Body], path: HandPath | None) -> None:
        settled = world.settle(watched=self.source.watched)
        moved = {piece: settled.poses[piece] for piece in settled.moved}
        self.there.update((piece, self.there[piece].at(pose)) for piece, pose in moved.items())
        takes = tuple(
            SettlingTake(tuple(released), track, moved, path.tool if path is not None else None)
            for track in (settled.track,)
            if track is not None
        )
        came = SettleResult(
            moved,
            settled.touched,
            settled.restless,
            released={body.id: body.pose for body in released if body.kind != "car"},
            takes=takes,
            work=settled.seconds * len(settled.awake),
        )
        self.done = self.done.then(came)


def pose_source(engine: str | Engine | None, *, watched: bool = False) -> PoseSource:
    """The source of an engine by name; `none` is geometry alone, None the best engine that is
    installed.

    If `watched`, attempts keep their trajectories for films. Raises UnavailableError if the engine
    is not installed.
    """
    if engine == "none":
        return Nominal()
    if engine is None or isinstance(engine, str):
        from sim.physics import engines  # only a game with physics needs an engine

        engine = engines.engine(engine)
    return Simulated(engine, watched=watched)


# --- the parts of a path on which it passes nothing -----------------------------------------------

# Most of a path leads through the air. A millimetre of it costs as many steps as a millimetre past
# a pillar.

# mm between the tool and everything, in parts that are skipped; a hand lets go 0.5 mm above a piece
_APART = 0.4
_STEP = 2.0  # mm between the places at which this is checked, at most
# mm: within this distance after a place that matters, pieces may have been set in motion
_PUSHED = 3.0


def shortened(path: HandPath, bodies: Sequence[Body]) -> HandPath | None:
    """The same path, cut into legs. Those on which the tool is clear of all bodies are skipped.
    None if the tool is clear of all bodies on the whole path. `bodies` are those that stand there,
    the new ones too.
    """
    points = tuple(_cut(path.points))
    gaps = gaps_along(
        bodies, np.array(points), TOOL_RADIUS[path.tool], TOOL_LENGTH[path.tool], _PUSHED
    )
    near = np.minimum(gaps[:-1], gaps[1:])
    touches = np.flatnonzero(near < _APART)
    if not len(touches):
        return None
    matters = (near < _PUSHED) & (np.arange(len(near)) >= touches[0])
    return replace(path, points=points, skipped=frozenset(np.flatnonzero(~matters).tolist()))


def _cut(points: Sequence[Vector]) -> Iterator[Vector]:
    """The points of a path with further ones between them."""
    yield points[0]
    for a, b in pairwise(points):
        parts = max(1, math.ceil(math.dist(a, b) / _STEP))
        for k in range(1, parts):
            yield (
                a[0] + (b[0] - a[0]) * k / parts,
                a[1] + (b[1] - a[1]) * k / parts,
                a[2] + (b[2] - a[2]) * k / parts,
            )
        yield b
