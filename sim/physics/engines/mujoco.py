"""MuJoCo as an engine: one run, from the hand's path to rest.

Pieces fall asleep, each with what it can disturb, and are then held still like those that were not
free from the start. If a piece that has moved hits a held one, the run goes back to before that
look and repeats it with the held piece free, and with what that can disturb. So no run starts
again, only moving pieces cost time, and the border of the awake set does not decide an outcome.
"""

import hashlib
import json
import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache, partial
from itertools import compress, islice, pairwise
from typing import Any, Final

import numpy as np

from sim.bodies import Body, Bools, Floats, Pose, StateListener, Vector, dot, rotation_matrix
from sim.physics.engine import HANDS, HandPath, Run, SettleParams
from sim.physics.engines.ending import Outcome, Rollers, braked, is_falling, restless, will_stay
from sim.physics.engines.mujoco_model import CM, RECIPE
from sim.physics.engines.mujoco_stage import Model, Motion, Stage, imported, plan
from sim.physics.neighbours import neighbours

_STEP: Final[float] = RECIPE["step"]
_LOOK: Final[int] = RECIPE["steps_per_look"]
_SECONDS: Final[float] = _LOOK * _STEP  # of a look
_OUTWARD: Final = [0, 1, 2, 4, 5, 6, 3]  # MuJoCo's quaternions begin with w
_LOAD: Final[int] = RECIPE["load_steps"]
_NAP: Final[int] = RECIPE["looks_per_nap"]
_FIRST_LOOKS: Final[int] = RECIPE["first_looks"]
_MODELS_KEPT: Final[int] = 32


class MuJoCo:
    """The engine `mujoco` of the protocol `sim.physics.engine.Engine`."""

    name = "mujoco"
    params = hashlib.sha256(
        json.dumps([RECIPE, asdict(SettleParams()), HANDS], sort_keys=True).encode()
    ).hexdigest()[:16]

    def __init__(self) -> None:
        mujoco = imported()
        self.version: str = mujoco.mj_versionString()
        self._model = lru_cache(maxsize=_MODELS_KEPT)(partial(Model, mujoco))

    def run(
        self,
        bodies: Sequence[Body],
        free: frozenset[str],
        settle: SettleParams,
        path: HandPath | None = None,
        watch: StateListener | None = None,
        speeds: Mapping[str, Vector] | None = None,
    ) -> Run:
        """Let the `free` bodies that have a mass come to rest among the others, after the hand went
        along `path`.

        `bodies` are in canonical order. A held body that a moved one hits is freed, and `Run.poses`
        holds it, too. `Run.touched` may name bodies without mass: the hand goes through those.
        `Run.seconds` counts the hand's time too, `settle.time_limit` starts when it is gone. Raises
        PhysicsError if the simulation blows up.
        """
        way = () if path is None else tuple(_way(path))
        return _Simulation(
            self._model, bodies, free, settle, way, path.tool if path else None, watch, speeds or {}
        ).run()


class _Simulation:
    """One run: looks of five steps each, on a stage that holds what sleeps and is set anew when
    that changes.
    """

    def __init__(
        self,
        models: Any,
        bodies: Sequence[Body],
        free: frozenset[str],
        settle: SettleParams,
        way: Sequence[tuple[Vector, Vector]],
        tool: str | None,
        watch: StateListener | None,
        speeds: Mapping[str, Vector],
    ) -> None:
        self._models, self._rule, self._way, self._tool, self._watch = (
            models,
            settle,
            way,
            tool,
            watch,
        )
        self._bodies = tuple(body for body in bodies if body.mass > 0)
        self._fixed = tuple(body for body in bodies if body.mass <= 0)
        self._names = [body.id for body in self._bodies]
        self._indices = {name: k for k, name in enumerate(self._names)}
        self._roads = frozenset(body.id for body in bodies if body.kind == "road")
        # the table's own coefficient of friction, None where it is as rough as whatever lies on it
        self._table = next(
            (body.table_friction for body in bodies if body.table_friction is not None), None
        )
        self._speeds = np.array(
            [speeds.get(body.id, (0.0, 0.0, 0.0)) for body in self._bodies]
        ).reshape(-1, 3)
        self._rollers, self._outcome = Rollers(self._bodies), Outcome(self._bodies, self._fixed)
        self._motion = Motion.at_start(self._bodies)
        self._asleep = np.array([body.id not in free for body in self._bodies], dtype=bool)
        self._ever = ~self._asleep
        self._lost = np.zeros(len(self._bodies), dtype=bool)  # gone over the table's edge
        # where everything was when each piece fell asleep: a piece that has moved since then wakes
        # it
        self._since = [self._motion.places] * len(self._bodies)
        self._touched: dict[str, None] = {}
        self._rough = False
        self._steps = 0
        self._leading = bool(way)
        self._hand: Vector | None = None  # its lowest point
        self._needed = math.ceil(settle.quiet_time / _SECONDS - 1e-9)
        # Speeds are judged by the way made since a piece was last quiet: a leaning disc may chatter
        # on the spot for ever. From rest under constant acceleration, half of speed times time is
        # where the speed itself would pass its limit.
        self._shift, self._turn = (
            settle.quiet_speed * settle.quiet_time / 2,
            settle.quiet_turn * settle.quiet_time / 2,
        )
        self._reference = self._motion.places
        self._calm = np.zeros(len(self._bodies), dtype=int)  # looks
        self._start = self._motion.places
        self._stays = np.zeros(len(self._bodies), dtype=int)  # looks within the tolerances of that
        # A road may rock on the rims of discs for ever, by tenths of a degree. Over a longer time
        # its means tell that it rests.
        self._slow_looks = RECIPE["rocking_times"] * self._needed
        self._slow = replace(settle, quiet_time=self._slow_looks * _SECONDS)
        self._seen = deque[Floats](maxlen=self._slow_looks)
        self._free_for = np.zeros(len(self._bodies), dtype=int)  # looks
        self._rocks = np.zeros(len(self._bodies), dtype=bool)  # on the spot, so it is at rest
        self._stage = self._set()

    def run(self) -> Run:
        """Let the weight come on, lead the hand along its way, then let all come to rest."""
        self._show()
        if self._way or not self._asleep.all():
            self._load()
        self._let_go()
        self._lead()
        quiet = self._settle()
        rows = _outward(self._motion.places)[self._ever].tolist()
        poses = dict(
            sorted(zip(compress(self._names, self._ever), map(Pose.from_list, rows), strict=True))
        )
        moving = () if quiet else tuple(sorted(compress(self._names, ~self._at_rest())))
        return Run(poses, tuple(self._touched), self._steps * _STEP, quiet, moving)

    def _load(self) -> None:
        """Let the weight come on; who is calm meanwhile is not at rest."""
        for _ in range(_LOAD // _LOOK):
            self._look()
        self._begin_anew()

    def _let_go(self) -> None:
        """Set in motion what was let go in motion: with the whole weight on, or friction would
        brake too little.
        """
        if self._speeds.any():
            speeds = self._motion.speeds.copy()
            speeds[:, :3] += self._speeds * CM
            self._motion = replace(self._motion, speeds=speeds)
            self._stage.put(self._motion)

    def _lead(self) -> None:
        """Move the hand along its way, a place a step, then take it away."""
        for looks, begin in enumerate(range(0, len(self._way), _LOOK), 1):
            self._look(self._way[begin : begin + _LOOK])
            self._leading = begin + _LOOK < len(self._way)
            if looks % _NAP == 0:
                self._sleep_who_can()
        self._stage.take_away()
        self._hand = None
        if self._way:
            # pieces that leaned on the hand have lost its support
            self._wake({self._indices[name] for name in self._touched if name in self._indices})
            self._begin_anew()

    def _settle(self) -> bool:
        """Run until quiet or out of time: whether it is quiet."""
        most, looks = math.ceil(self._rule.time_limit / _SECONDS - 1e-9), 0
        earlier = self._motion.places
        while not (self._at_rest().all() or self._hold_early()):
            if looks == most or (
                self._rule.staying and is_falling(_outward(self._start), self._states())
            ):
                return False
            self._look()
            looks += 1
            if looks % self._needed == 0:
                if self._decided(earlier):
                    return True
                earlier = self._motion.places
            if looks % _NAP == 0:
                self._sleep_who_can()
        return True

    def _decided(self, earlier: Floats) -> bool:
        """Whether all that moved since `earlier` has fallen and no longer matters."""
        moving = _left(earlier, self._motion.places, self._shift, self._turn)
        seconds = self._needed * _SECONDS
        return bool(moving.any()) and self._outcome.decided(
            moving, _outward(earlier), self._states(), seconds
        )

    # --- looks ------------------------------------------------------------------------------------

    def _look(self, hand: Sequence[tuple[Vector, Vector]] = ()) -> None:
        """The steps of a look, and which pieces are braked and calm after them; repeated as long as
        a held piece is hit.
        """
        before, touched, steps = self._motion, dict(self._touched), self._steps
        while True:
            met = self._advance(hand)
            if not met:
                break
            self._motion, self._touched, self._steps = before, dict(touched), steps
            self._wake(met)
        self._brake(len(hand) or _LOOK)
        self._rough = self._is_rough(before.places)
        left = _left(self._reference, self._motion.places, self._shift, self._turn)
        self._reference = np.where(left[:, None], self._motion.places, self._reference)
        self._calm = np.where(left, 0, self._calm + 1)
        if self._rule.staying:
            gone = _left(
                self._start, self._motion.places, self._rule.still_shift, self._rule.still_turn
            )
            self._stays = np.where(gone, 0, self._stays + 1)
        self._free_for = np.where(self._asleep, 0, self._free_for + 1)
        self._seen.append(self._motion.places)
        self._show()

    def _advance(self, hand: Sequence[tuple[Vector, Vector]]) -> set[int]:
        """Make the steps of a look; returns the held pieces that were hit."""
        stage, met, rough = self._stage, set[int](), self._rough
        if self._steps < _LOAD:
            for step in range(self._steps, self._steps + _LOOK):
                stage.lighten(1 - (step + 1) / _LOAD)
                stage.step(1, rough=False)
        elif not hand:
            stage.step(_LOOK, rough=rough)
        for at, velocity in hand:
            stage.lead(at, velocity)
            self._hand = at
            stage.step(1, rough=rough)
            pushed, passed = stage.pushed(), stage.passed(self._touched)
            met.update(self._indices[name] for name in passed if name in self._indices)
            self._touched.update(
                dict.fromkeys(
                    sorted(pushed + [name for name in passed if name not in self._indices])
                )
            )
        self._steps += len(hand) or _LOOK
        self._motion = stage.motion(self._motion)
        return self._border() | {k for k in met if not self._lost[k]}

    def _is_rough(self, before: Floats) -> bool:
        """Whether so much is free and flies about that the next look may be less exact: the
        solver's searches are long then, and with softer contacts half as long. Nothing comes to
        rest like that.
        """
        if np.count_nonzero(~self._asleep) < RECIPE["rough_free"]:
            return False
        way = np.linalg.norm(self._motion.places[:, :3] - before[:, :3], axis=1).max()
        return bool(way > RECIPE["rough_speed"] * _SECONDS * CM)

    def _border(self) -> set[int]:
        """The held pieces that were hit by a piece which has moved since they fell asleep; a held
        piece cannot give way.
        """
        free, held = self._stage.meetings()
        if not len(free):
            return set()
        then = np.stack(
            [self._since[k][j] for j, k in zip(free.tolist(), held.tolist(), strict=True)]
        )
        moved = _left(
            then, self._motion.places[free], self._rule.border_shift, self._rule.border_turn
        )
        return set(held[moved & ~self._lost[held]].tolist())

    def _brake(self, steps: int) -> None:
        """Slow down the discs that roll on the table; hold for good what has gone over its edge."""
        states, speeds = self._states(), self._motion.speeds.copy()
        rolling = [k for k in self._rollers.among(states) if not self._asleep[k]]
        for k in rolling:
            # MuJoCo gives the rate of turning in the body's own frame
            turned = rotation_matrix(states[k, 3:].tolist())
            radius, slowing, seconds = (
                self._rollers.radii[k],
                self._rollers.slowing[k],
                steps * _STEP,
            )
            linear, angular = braked(
                states[k], speeds[k, :3] / CM, dot(turned, speeds[k, 3:]), radius, seconds, slowing
            )
            speeds[k, :3], speeds[k, 3:] = linear * CM, dot(turned.T, angular)
        if rolling:
            self._motion = replace(self._motion, speeds=speeds)
            self._stage.put(self._motion)
        lost = self._outcome.beyond(states) & ~self._asleep
        if lost.any():
            self._lost |= lost
            self._sleep(lost)

    # --- rest and sleep ---------------------------------------------------------------------------

    def _begin_anew(self) -> None:
        """Count the time at rest from now on."""
        self._reference, self._calm = self._motion.places, np.zeros_like(self._calm)
        self._stays = np.zeros_like(self._stays)
        self._free_for, self._rocks = np.zeros_like(self._free_for), np.zeros_like(self._rocks)

    def _at_rest(self) -> Bools:
        """Which pieces sleep, or have been calm or where they began for long enough, or only rock
        on the spot.
        """
        calm = (self._calm >= self._needed) | (self._stays >= self._needed)
        return self._asleep | calm | self._rocks

    def _hold_early(self) -> bool:
        """Hold most pieces, if it is seen before the quiet time is over that they stay. Returns
        whether all stay.
        """
        looks, free = int(self._free_for.max()), ~self._asleep
        if not self._rule.staying or not _FIRST_LOOKS <= looks < self._needed:
            return False
        last = np.stack([_outward(places) for places in islice(reversed(self._seen), _FIRST_LOOKS)])
        stay = will_stay(_outward(self._start), last[::-1], self._needed - looks, self._rule)
        stay &= free & (self._stays >= self._free_for) & (self._free_for >= _FIRST_LOOKS)
        if 2 * stay.sum() > free.sum() and not stay[free].all():
            self._sleep(stay)  # a stage for the others costs as much as some steps of all
        return bool(stay[free].all())

    def _find_rocking(self) -> None:
        """Find the pieces that move, but get nowhere."""
        self._rocks = ~self._asleep & (self._free_for >= self._slow_looks)
        candidates = np.flatnonzero(self._rocks)
        if len(candidates):
            states = np.stack([_outward(places[candidates]) for places in self._seen])
            self._rocks[candidates] = ~restless(states, self._slow)

    def _sleep_who_can(self) -> None:
        """Hold pieces that have come to rest and that no moving piece can disturb."""
        self._find_rocking()
        at_rest = self._at_rest()
        tired, moving = ~self._asleep & at_rest, ~at_rest
        if not tired.any() or not (moving.any() or self._leading):
            return
        tired &= ~self._disturbed(moving, self._ever)
        if tired.any():
            self._sleep(tired)

    def _sleep(self, which: Bools) -> None:
        """Hold these where they are."""
        for k in np.flatnonzero(which).tolist():
            self._since[k] = self._motion.places
        self._asleep = self._asleep | which
        self._motion = self._motion.halted(which)
        self._stage = self._set()

    def _wake(self, seeds: set[int]) -> None:
        """Free these pieces, if they are held, and what they can disturb."""
        first = np.zeros(len(self._bodies), dtype=bool)
        first[sorted(seeds)] = True
        first &= self._asleep & ~self._lost
        if not first.any():
            return
        woken = self._disturbed(first, np.ones_like(first)) & self._asleep & ~self._lost
        self._asleep, self._ever = self._asleep & ~woken, self._ever | woken
        self._calm[woken], self._free_for[woken], self._rocks[woken] = 0, 0, False
        self._reference = np.where(woken[:, None], self._motion.places, self._reference)
        self._stage = self._set()

    def _disturbed(self, seeds: Bools, among: Bools) -> Bools:
        """Which pieces of some the seeds can disturb, the seeds among them."""
        if not seeds.any():
            return seeds
        states = self._states()
        bodies = [
            self._bodies[k].at(Pose.from_list(states[k].tolist()))
            for k in np.flatnonzero(among).tolist()
        ]
        names = neighbours([*bodies, *self._fixed]).disturbed(
            set(compress(self._names, seeds)), self._roads
        )
        return np.array([name in names for name in self._names], dtype=bool)

    def _set(self) -> Stage:
        """The stage for the pieces that sleep now."""
        free, held = np.flatnonzero(~self._asleep).tolist(), np.flatnonzero(self._asleep).tolist()
        model = self._models(
            plan([self._bodies[k] for k in free]),
            plan([*(self._bodies[k] for k in held), *self._fixed], held=True),
            self._tool,
            self._table,
        )
        return Stage(
            model,
            self._bodies,
            free,
            held,
            self._fixed,
            self._motion,
            staying=self._rule.staying,
        )

    # --- the pieces -------------------------------------------------------------------------------

    def _states(self) -> Floats:
        """x, y, z in mm and the quaternion (x, y, z, w) of every piece, shape (n, 7)."""
        return _outward(self._motion.places)

    def _show(self) -> None:
        """Lets whoever watches see where the pieces are."""
        if self._watch is not None:
            self._watch(self._steps * _STEP, self._names, self._states(), self._hand)


def _left(reference: Floats, now: Floats, shift: float, turn: float) -> Bools:
    """Which places are further than `shift` mm or `turn` degrees from the reference?"""
    way = np.square(now[:, :3] - reference[:, :3]).sum(axis=1)
    # of half the angle between the two
    cosine = np.abs((now[:, 3:] * reference[:, 3:]).sum(axis=1))
    left: Bools = (way > (shift * CM) ** 2) | (cosine < math.cos(math.radians(turn) / 2))
    return left


def _outward(places: Floats) -> Floats:
    """Places as MuJoCo has them as x, y, z in mm and the quaternion (x, y, z, w)."""
    states = places[:, _OUTWARD]
    states[:, :3] /= CM
    return states


def _way(path: HandPath) -> Iterator[tuple[Vector, Vector]]:
    """The places of the hand's lowest point in mm, one a step, and its velocity from there to the
    next in mm/s.
    """
    for leg, (a, b) in enumerate(pairwise(path.points)):
        if leg in path.skipped:
            continue
        steps = max(1, math.ceil(math.dist(a, b) / (path.speed * _STEP)))
        way = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
        velocity = (way[0] / (steps * _STEP), way[1] / (steps * _STEP), way[2] / (steps * _STEP))
        for k in range(steps):
            yield (
                (a[0] + way[0] * k / steps, a[1] + way[1] * k / steps, a[2] + way[2] * k / steps),
                velocity,
            )
