"""PyBullet behind the engine seam: one run from weight to rest. The measured recipe is in `bullet_pieces`.

Pieces fall asleep one after the other, each with what it can disturb, and are then held still: so neither their poses nor
whether they stand depend on how long other pieces go on, which may be those of a whole table.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.bodies import Body, Box
from sim.physics.engine import TOOL_LENGTH, HandPath, Run, SettleParams
from sim.physics.engines import bullet_client
from sim.physics.engines.bullet_friction import FrictionAudit
from sim.physics.engines.bullet_pieces import Pieces, Recipe
from sim.physics.engines.rest import movement, resting, restless
from sim.physics.neighbours import neighbours
from sim.poses import Pose
from sim.trajectory import StateListener

__all__ = ["Bullet", "Recipe"]

_Array = npt.NDArray[np.float64]
_Mask = npt.NDArray[np.bool_]

_REVISION = 2  # raised when these modules use the numbers of a recipe in another way
_JOLT = 5.0  # a piece on its way counts as moved at so many times the border tolerances, to be told from chatter


class Bullet:
    """The PyBullet engine; see `sim.physics.engine.Engine`. Making one is free: PyBullet is imported by the first run."""

    name = "bullet"

    def __init__(self, recipe: Recipe | None = None) -> None:
        self.recipe = recipe or Recipe()
        numbers = {"revision": _REVISION, "recipe": asdict(self.recipe), "settle": asdict(SettleParams())}
        self.params = hashlib.sha256(json.dumps(numbers, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def version(self) -> str:
        """The version of PyBullet that is installed; raises UnavailableError if none is."""
        return bullet_client.version()

    def run(
        self,
        bodies: Sequence[Body],
        free: frozenset[str],
        settle: SettleParams,
        path: HandPath | None = None,
        watch: StateListener | None = None,
    ) -> Run:
        """See `sim.physics.engine.Engine.run`. Raises UnavailableError if PyBullet is not installed."""
        with bullet_client.client() as (bullet, client):
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
        self.recipe, self.settle, self.path, self.watch = recipe, settle, path, watch
        self.free = tuple(body for body in bodies if body.id in free and body.mass > 0)
        self.struck: dict[str, None] = {}
        self.steps = 0
        self.last_step = math.inf
        self.pieces = Pieces(bullet, client, recipe, bodies, {body.id for body in self.free}, path)
        self.numbers = tuple(self.pieces.numbers[body.id] for body in self.free)
        self.indices = {number: k for k, number in enumerate(self.numbers)}
        self.roads = frozenset(body.id for body in self.free if body.kind == "road")
        self.radii = np.array([_radius(body) for body in self.free])
        self.start = np.array([body.pose.to_list() for body in self.free]).reshape(-1, 7)
        self.state = self.asleep_since = self.start
        self.asleep = np.zeros(len(self.free), dtype=bool)
        self.audit = FrictionAudit(self.pieces)

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
            self.pieces.gravity(step / self.recipe.load_steps)
            self._step()

    def _step(self) -> None:
        self.pieces.step()
        self.steps += 1

    def _sweep(self, path: HandPath) -> tuple[str, ...]:
        """Lead the tool along its path; give what it touched, in order.

        The tool is a heavy free body whose pose and velocity are set before every step: the solver knows how fast it comes, and
        whatever it meets cannot turn it aside.
        """
        half, hertz = TOOL_LENGTH[path.tool] / 2, self.recipe.hertz
        tool = self.pieces.tool(path, max((body.friction for body in self.free), default=0.0))
        held = set(self.pieces.held.values())
        touched: dict[str, None] = {}
        for begin, end in zip(path.points, path.points[1:], strict=False):
            count = max(1, math.ceil(math.dist(begin, end) / path.speed * hertz))
            vx, vy, vz = ((b - a) * hertz / count for a, b in zip(begin, end, strict=True))
            for i in range(count):
                x, y, z = (a + (b - a) * i / count for a, b in zip(begin, end, strict=True))
                self.pieces.lead(tool, (x, y, z + half), (vx, vy, vz))
                self._step()
                met = self.pieces.touched(tool)
                touched.update(dict.fromkeys(met))
                self.struck.update(dict.fromkeys(name for name in met if name in held))
                if self.steps % self.recipe.check_every == 0:
                    self._watch_border(self._state(), _JOLT)
                    self._look(self.state)
        self.pieces.take_away(tool)
        return tuple(touched)

    def _rest(self) -> tuple[_Array, tuple[str, ...]]:
        """Step until all has come to rest: the states (n, 7) to report, and the ids, sorted, of what still moves."""
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
                self.audit.sum_step()
            looks += 1
            states.append(self._state())
            self._watch_border(states[-1], _JOLT)
            self._look(states[-1])
            awake_for += 1
            audited, nudged = self.audit.busy, self.audit.nudge()
            awake_for[self._wake(states[-1]) | np.isin(self.numbers, list(nudged))] = 0
            if len(states) < span:
                continue
            moving = ~self.asleep & ((awake_for < span) | restless(np.stack(states), settle))
            tired = ~self.asleep & ~moving
            if moving.any():
                if (
                    looks % third and not audited
                ) or not tired.any():  # to find out what those that move can disturb takes time
                    continue
                tired &= ~self._disturbed(moving, states[-1])
            if not self.audit.may_sleep(self.numbers[k] for k in np.flatnonzero(tired)):
                continue
            if tired.any():
                end[tired] = resting(np.stack(states))[tired]
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
            self.pieces.weigh(self.numbers[k], 0.0)
            self.pieces.halt(self.numbers[k])
        self.asleep |= tired
        self.asleep_since = state

    def _wake(self, state: _Array) -> _Mask:
        """Let go of the sleepers that a moving piece touches and of what those can disturb; which these are."""
        struck = np.zeros(len(self.free), dtype=bool)
        if not self.asleep.any():
            return struck
        for k in np.flatnonzero(self._moved(self.asleep_since, state, _JOLT) & ~self.asleep).tolist():
            for number in self.pieces.met(self.numbers[k]):
                sleeper = self.indices.get(number)
                if sleeper is not None and self.asleep[sleeper]:
                    struck[sleeper] = True
        if not struck.any():
            return struck
        woken = self._disturbed(struck, state) & self.asleep
        for index in np.flatnonzero(woken).tolist():
            self.pieces.weigh(self.numbers[index], self.free[index].mass)
        self.audit.forget(self.numbers[index] for index in np.flatnonzero(woken))
        self.asleep &= ~woken
        return woken

    def _moved(self, before: _Array, after: _Array, factor: float) -> _Mask:
        shift, turn = movement(before, after)
        moved: _Mask = (shift > factor * self.settle.border_shift) | (turn > factor * self.settle.border_turn)
        return moved

    def _state(self) -> _Array:
        """x, y, z in mm and the quaternion of every free piece, shape (n, 7)."""
        awake = np.flatnonzero(~self.asleep).tolist()
        self.state = self.state.copy()
        self.state[awake] = self.pieces.states(self.numbers[k] for k in awake)
        return self.state

    def _watch_border(self, state: _Array, factor: float) -> None:
        """Note every held piece that is touched by a piece which has moved: what is held would never give way."""
        if not (self.pieces.held or self.pieces.far):
            return
        if self.pieces.far:
            shift, turn = movement(self.start, state)
            if (shift + np.radians(turn) * self.radii > self.recipe.reach).any():
                self.pieces.bring_far()
        for k in np.flatnonzero(self._moved(self.start, state, factor)).tolist():
            for number in sorted(self.pieces.met(self.numbers[k])):
                if number in self.pieces.held:
                    self.struck.setdefault(self.pieces.held[number])
        if self.struck and math.isinf(self.last_step):  # the world will have this run again with more of the table free
            self.last_step = self.steps + round(self.recipe.look_on * self.recipe.hertz)


def _radius(body: Body) -> float:
    """Of the ball around a body's middle, in mm."""
    if isinstance(body.shape, Box):
        return math.hypot(*body.shape.size) / 2
    return math.hypot(body.shape.radius, body.shape.height / 2)
