"""PyBullet as an engine: one run, from the moment gravity sets in until all is at rest.
`bullet_pieces` has the numbers.

Pieces fall asleep one after the other, each with what it can disturb, and are then held still. So
neither their poses nor whether they stand depend on how long other pieces move elsewhere on the
table.
"""

import hashlib
import importlib.metadata
import json
import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import asdict
from typing import Any

import numpy as np

from sim.bodies import Body, Bools, Floats, Ints, Pose, StateListener, Vector
from sim.physics.engine import HANDS, TOOL_LENGTH, TOOL_RADIUS, HandPath, Run, SettleParams
from sim.physics.engines import bullet_pieces
from sim.physics.engines.bullet_pieces import Pieces, Recipe, tallest
from sim.physics.engines.ending import (
    EDGE,
    RESISTANCE,
    Outcome,
    Rollers,
    braked,
    is_falling,
    movement,
    resting,
    restless,
    will_stay,
)
from sim.physics.neighbours import near_path, neighbours, radius

_REVISION = 13  # increased when these modules use the numbers of a recipe in another way
_FIRST_LOOKS = 4  # after these a piece may be seen to stay where it is
# times the border tolerances: a moving piece that went less far only chatters and does not count as
# moved
_JOLT = 5.0


class Bullet:
    """The PyBullet engine; see `sim.physics.engine.Engine`. Making one is free: PyBullet is
    imported by the first run.
    """

    name = "bullet"

    def __init__(self, recipe: Recipe | None = None) -> None:
        self.recipe = recipe or Recipe()
        numbers = {
            "revision": _REVISION,
            "recipe": asdict(self.recipe),
            "settle": asdict(SettleParams()),
            "table": [EDGE, RESISTANCE],
            "hands": HANDS,
        }
        self.params = hashlib.sha256(json.dumps(numbers, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def version(self) -> str:
        """The version of PyBullet that is installed."""
        return importlib.metadata.version("pybullet")

    def run(
        self,
        bodies: Sequence[Body],
        free: frozenset[str],
        settle: SettleParams,
        path: HandPath | None = None,
        watch: StateListener | None = None,
        speeds: Mapping[str, Vector] | None = None,
    ) -> Run:
        """See `sim.physics.engine.Engine.run`."""
        met = (
            near_path(bodies, path.points, TOOL_RADIUS[path.tool], TOOL_LENGTH[path.tool])
            if path is not None
            else ()
        )
        discs = [
            body for body in bodies if body.kind == "disc" and (body.id in free or body.id in met)
        ]
        tall = len(discs) >= self.recipe.tall and tallest(discs) >= self.recipe.tall
        recipe = self.recipe.finer() if tall else self.recipe
        with bullet_pieces.client() as (bullet, client):
            return _Simulation(
                bullet, client, recipe, bodies, free, settle, path, watch, speeds or {}
            ).run()


class _Simulation:
    """One run in a client that is this run's alone.

    Bodies that have a mass and are not free are asleep: held where they are until a piece that has
    moved touches them. Then they wake, with what they can disturb.
    """

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
        speeds: Mapping[str, Vector],
    ) -> None:
        self.recipe, self.settle, self.path, self.watch, self.speeds = (
            recipe,
            settle,
            path,
            watch,
            speeds,
        )
        self.bodies = tuple(body for body in bodies if body.mass > 0)
        self.roads = frozenset(body.id for body in self.bodies if body.kind == "road")
        self.pieces = Pieces(
            bullet,
            client,
            recipe,
            bodies,
            {body.id for body in self.bodies if body.id in free},
            path,
            staying=settle.staying,
        )
        self.audit = _Audit(self.pieces)
        self.rollers = Rollers(self.bodies)
        self.outcome = Outcome(self.bodies, [body for body in bodies if body.mass <= 0])
        self.indices = {body.id: k for k, body in enumerate(self.bodies)}
        self.radii = np.array([radius(body) for body in self.bodies])
        self.start = np.array([body.pose.to_list() for body in self.bodies]).reshape(-1, 7)
        self.state = self.asleep_since = self.start
        self.end = self.start.copy()
        self.asleep = np.array([body.id not in free for body in self.bodies], dtype=bool)
        self.ever = ~self.asleep  # who was awake at any time
        self.lost = np.zeros(len(self.bodies), dtype=bool)  # gone over the table's edge
        self.moving = ~self.asleep
        self.awake_for = np.zeros(len(self.bodies), dtype=int)  # looks
        self.third = max(1, round(settle.quiet_time * recipe.hertz / recipe.check_every / 3))
        self.states: deque[Floats] = deque(maxlen=3 * self.third)
        self.hand: Vector | None = None  # its lowest point
        self.steps = self.looks = 0

    def run(self) -> Run:
        """Let gravity set in, lead the hand along its path, take it away, then step until all is
        quiet.
        """
        self._show()
        if self.settle.staying:
            self.pieces.fill_contacts([self.bodies[k] for k in np.flatnonzero(self.ever).tolist()])
        for step in range(1, self.recipe.load_steps + 1):
            self.pieces.gravity(step / self.recipe.load_steps)
            self._step()
        # with the whole weight on, or friction would brake too little
        for (
            name,
            speed,
        ) in self.speeds.items():
            number = self.pieces.numbers[name]
            linear, angular = self.pieces.velocity(number)
            self.pieces.drive(number, linear + np.array(speed), angular)
        touched = () if self.path is None else self._sweep(self.path)
        quiet = self._rest()
        ends = self._ends().tolist()
        poses = {
            self.bodies[k].id: Pose.from_list(ends[k]) for k in np.flatnonzero(self.ever).tolist()
        }
        moving = () if quiet else tuple(self.bodies[k].id for k in np.flatnonzero(self.moving))
        return Run(poses, touched, self.steps / self.recipe.hertz, quiet, moving)

    def _show(self) -> None:
        if self.watch is not None:
            self.watch(
                self.steps / self.recipe.hertz,
                [body.id for body in self.bodies],
                self.state,
                self.hand,
            )

    def _step(self) -> None:
        self.pieces.step()
        self.steps += 1
        if self.audit.busy:
            self.audit.sum_step()

    def _sweep(self, path: HandPath) -> tuple[str, ...]:
        """Lead the tool along its path; returns what it touched, in order.

        The tool is a heavy free body whose pose and velocity are set before every step: so the
        solver knows its speed, and pieces cannot push it aside. What it touches wakes; what has
        come to rest behind it falls asleep again.
        """
        half, hertz = TOOL_LENGTH[path.tool] / 2, self.recipe.hertz
        tool = self.pieces.tool(path, max((body.friction for body in self.bodies), default=0.0))
        touched: dict[str, None] = {}
        for leg, (begin, end) in enumerate(zip(path.points, path.points[1:], strict=False)):
            if leg in path.skipped:
                continue
            count = max(1, math.ceil(math.dist(begin, end) / path.speed * hertz))
            vx, vy, vz = ((b - a) * hertz / count for a, b in zip(begin, end, strict=True))
            for i in range(count):
                x, y, z = (a + (b - a) * i / count for a, b in zip(begin, end, strict=True))
                self.hand = (x, y, z)
                self.pieces.lead(tool, (x, y, z + half), (vx, vy, vz))
                self._step()
                met = self.pieces.touched(tool)
                if met:
                    touched.update(dict.fromkeys(met))
                    self._wake({self.indices[name] for name in met if name in self.indices})
                if self.steps % self.recipe.check_every == 0:
                    self._judge()
        self.pieces.take_away(tool)
        self.hand = None
        return tuple(touched)

    def _rest(self) -> bool:
        """Step until all that can still matter has come to rest, or time is up; whether it has."""
        limit = self.steps + math.ceil(self.settle.time_limit * self.recipe.hertz)
        while self.steps < limit or not self.states:
            for _ in range(self.recipe.check_every):
                self._step()
            if self._judge() and not self._wake_border():
                return True
            if self.settle.staying and is_falling(self.start, self.state):
                break
        return False

    def _ends(self) -> Floats:
        """The states to report: without chatter for pieces at rest, as they are for pieces that
        move.
        """
        awake_ends = np.where(self.moving[:, None], self.state, resting(np.stack(self.states)))
        return np.where(self.asleep[:, None], self.end, awake_ends)

    def _judge(self) -> bool:
        """One look, after which pieces may fall asleep. Returns whether nothing that matters moves
        any more.
        """
        audited, count = self._observe(), len(self.states)
        if count == 3 * self.third:
            return self._sleep_who_can(self.state, audited)
        early = self.settle.staying and count >= _FIRST_LOOKS and count % 2 == 0
        return early and not self.audit.busy and self._sleep_early()

    def _sleep_early(self) -> bool:
        """Hold pieces of which it is seen before the quiet time is over that they stay. A piece
        that moves on wakes those that it touches. Returns whether all are held.
        """
        states = np.stack(self.states)
        stay = will_stay(self.start, states, 3 * self.third - len(states), self.settle)
        tired = ~self.asleep & (self.awake_for >= len(states)) & stay
        for k in np.flatnonzero(tired).tolist():
            tired[k] = not self.audit.suspects(self.pieces.numbers[self.bodies[k].id])
        self.moving = ~self.asleep & ~tired
        self.end[tired] = resting(states)[tired]
        self._sleep(tired)
        return not self.moving.any()

    def _observe(self) -> bool:
        """One look, which brakes, strikes and wakes pieces. Returns whether the audit of friction
        has just ended.
        """
        state = self._state()
        self.states.append(state)
        self.looks += 1
        self.awake_for += 1
        self._brake(state)
        self._bring_far(state)
        self._show()
        audited, nudged = self.audit.busy, self.audit.nudge()
        self.awake_for[[self.indices[self.pieces.names[number]] for number in sorted(nudged)]] = 0
        self._wake_sleepers(state)
        return audited

    def _sleep_who_can(self, state: Floats, audited: bool) -> bool:
        """Hold pieces that have come to rest and that no moving piece can disturb. Returns whether
        nothing that matters moves.
        """
        states = np.stack(self.states)
        self.moving = ~self.asleep & (
            (self.awake_for < len(states)) | restless(states, self.settle)
        )
        if self.settle.staying:
            self.moving &= ~self._stayed(states)
        tired, decided = ~self.asleep & ~self.moving, not self.moving.any()
        if not decided:
            # it takes time to find what the moving pieces can disturb
            if self.looks % self.third and not audited:
                return False
            seconds = self.third * self.recipe.check_every / self.recipe.hertz
            decided = self.outcome.decided(self.moving, states[-1 - self.third], state, seconds)
            if not decided and tired.any():
                tired &= ~self._disturbed(self.moving, self.ever)
        if not self.audit.may_sleep(self._numbers(tired)):
            return False
        self.end[tired] = resting(states)[tired]
        self._sleep(tired)
        return decided

    def _stayed(self, states: Floats) -> Bools:
        """Which pieces were never further than the tolerances from where they began."""
        shift, turn = movement(self.start, states)
        near = (shift <= self.settle.still_shift) & (turn <= self.settle.still_turn)
        return np.asarray(near.all(axis=0), dtype=bool)

    def _brake(self, state: Floats) -> None:
        """Slow down the discs that roll on the table, and let pieces go that cross its edge."""
        seconds = self.recipe.check_every / self.recipe.hertz
        for k in self.rollers.among(state):
            if not self.asleep[k]:
                number = self.pieces.numbers[self.bodies[k].id]
                linear, angular = self.pieces.velocity(number)
                self.pieces.drive(
                    number,
                    *braked(
                        state[k],
                        linear,
                        angular,
                        self.rollers.radii[k],
                        seconds,
                        self.rollers.slowing[k],
                    ),
                )
        lost = self.outcome.beyond(state) & ~self.asleep
        if lost.any():
            self.end[lost] = state[lost]
            self.lost |= lost
            self._sleep(lost)

    def _disturbed(self, seeds: Bools, among: Bools) -> Bools:
        """Which of some pieces the seeds can disturb, the seeds included."""
        bodies = [
            self.bodies[k].at(Pose.from_list(self.state[k].tolist()))
            for k in np.flatnonzero(among).tolist()
        ]
        names = neighbours(bodies).disturbed(
            {self.bodies[k].id for k in np.flatnonzero(seeds)}, self.roads
        )
        return np.array([body.id in names for body in self.bodies], dtype=bool)

    def _numbers(self, which: Bools) -> list[int]:
        return [self.pieces.numbers[self.bodies[k].id] for k in np.flatnonzero(which).tolist()]

    def _sleep(self, which: Bools) -> None:
        """Hold these where they are."""
        for number in self._numbers(which):
            self.pieces.weigh(number, 0.0)
            self.pieces.drive(number, np.zeros(3), np.zeros(3))
        self.asleep = self.asleep | which
        if which.any():
            self.asleep_since = self.state

    def _wake_sleepers(self, state: Floats) -> None:
        """Wake the sleeping pieces that a moving piece touches."""
        sleepers = self.asleep & ~self.lost
        if sleepers.any():
            awake = np.flatnonzero(~self.asleep)
            shift, turn = movement(self.asleep_since[awake], state[awake])
            moved = (shift > _JOLT * self.settle.border_shift) | (
                turn > _JOLT * self.settle.border_turn
            )
            self._wake({k for _, k in self._meetings(awake[moved]) if sleepers[k]})

    def _wake(self, struck: AbstractSet[int]) -> None:
        """Wake those of these pieces that sleep, and what they can disturb."""
        asleep = self.asleep & ~self.lost
        seeds = np.zeros(len(self.bodies), dtype=bool)
        seeds[sorted(struck)] = True
        seeds &= asleep
        if not seeds.any():
            return
        woken = self._disturbed(seeds, np.ones_like(asleep)) & asleep
        for k in np.flatnonzero(woken).tolist():
            self.pieces.let_go(self.bodies[k], anew=not self.ever[k])
        self.ever = self.ever | woken
        self.audit.forget(self._numbers(woken))
        self.asleep, self.moving = self.asleep & ~woken, self.moving | woken
        self.awake_for[woken] = 0

    def _meetings(self, which: Ints) -> list[tuple[int, int]]:
        """Which of these pieces touches which other piece, as places in the list of bodies."""
        found = []
        for k in which.tolist():
            # what it touches or nearly touches
            contacts = self.pieces.contacts(self.pieces.numbers[self.bodies[k].id])
            for number in sorted({contact[2] for contact in contacts}):
                other = self.indices.get(self.pieces.names.get(number, ""))
                if other is not None:
                    found.append((k, other))
        return found

    def _state(self) -> Floats:
        """x, y, z in mm and the quaternion of every piece, shape (n, 7)."""
        self.state, awake = self.state.copy(), ~self.asleep
        self.state[awake] = self.pieces.states(self._numbers(awake))
        return self.state

    def _bring_far(self, state: Floats) -> None:
        """Make the bodies that were too far away to matter, once a piece has gone far enough to
        meet them.
        """
        if self.pieces.far:
            loose = np.flatnonzero(self.ever)
            shift, turn = movement(self.start[loose], state[loose])
            if (shift + np.radians(turn) * self.radii[loose] > self.recipe.reach).any():
                self.pieces.bring_far()

    def _wake_border(self) -> bool:
        """Wake what never moved but touches a piece that moved, however little. Returns whether
        there is any.
        """
        loose = np.flatnonzero(self.ever)
        shift, turn = movement(self.start[loose], self._ends()[loose])
        left = (shift > self.settle.border_shift) | (turn > self.settle.border_turn)
        met = {other for _, other in self._meetings(loose[left]) if not self.ever[other]}
        self._wake(met)
        return bool(met)


# --- may friction hold it there? ------------------------------------------------------------------

# Bullet bounds friction by a square whose first axis follows the slip. On a piece that slides, this
# axis points downhill, and the limit is mu N, as it should be. On a piece that rests upon free
# pieces, the slip is chatter of 0.01 mm per second: the axis may point in any direction, and in the
# corners of the square friction reaches 1.4 mu N. So a car stays for ever on a slope that is a
# degree too steep, though it would go on sliding once it had begun. The audit adds up the friction
# that holds a piece over one look and compares it with the cone. A piece with too much gets a nudge
# downhill, too small to move what friction really holds.

_Loads = dict[int, Floats]
"""By the number of what bears a piece: the friction on it (x, y, z) and the normal force."""

_SUSPECT = 0.97  # of mu N at one step: then a whole look is summed
_TOO_MUCH = 1.001  # of mu N over a look
_NUDGE = 1.0  # mm/s
_MOST_NUDGES = 8
# mm: a piece that went less far since its last nudge is wedged, or friction holds it after all
_WENT = 0.1
_LEVEL = 0.1  # friction that is flatter than this share holds nothing up
_ONE_NORMAL = 0.9998  # cosine: contact points whose normals are further apart wedge the piece


class _Audit:
    """Which pieces friction may hold, which are being examined, and how often each was nudged."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._open: dict[int, _Loads] = {}
        self._cleared: set[int] = set()
        self._nudges: dict[int, int] = {}
        self._nudged_at: dict[int, Floats] = {}

    @property
    def busy(self) -> bool:
        """Is a look being summed?"""
        return bool(self._open)

    def may_sleep(self, numbers: Iterable[int]) -> bool:
        """Whether these pieces can be held still; if not, the steps of the next look are to be
        summed.
        """
        for number in numbers:
            if number not in self._cleared and self.suspects(number):
                self._open[number] = {}
        return not self._open

    def suspects(self, number: int) -> bool:
        """Whether friction seems to hold a piece that it may not hold."""
        loads = _loads(self._pieces, number)
        return _slides(self._pieces, number, loads, _SUSPECT) is not None

    def sum_step(self) -> None:
        """Add the forces of the step that was just made."""
        for number, sums in self._open.items():
            for other, load in _loads(self._pieces, number).items():
                sums[other] = sums[other] + load if other in sums else load

    def nudge(self) -> set[int]:
        """After the steps of a look: nudge the pieces held by too much friction and return their
        numbers; clear the others.
        """
        nudged = set()
        for number, sums in self._open.items():
            way = _slides(self._pieces, number, sums, _TOO_MUCH)
            here = self._pieces.states([number])[0, :3]
            wedged = number in self._nudged_at and math.dist(here, self._nudged_at[number]) < _WENT
            if way is None or wedged or self._nudges.get(number, 0) == _MOST_NUDGES:
                self._cleared.add(number)
                continue
            linear, angular = self._pieces.velocity(number)
            self._pieces.drive(number, linear + _NUDGE * way, angular)
            self._nudges[number] = self._nudges.get(number, 0) + 1
            self._nudged_at[number] = here
            nudged.add(number)
        self._open = {}
        return nudged

    def forget(self, numbers: Iterable[int]) -> None:
        """Forgets what was found about these pieces, which have woken."""
        self._cleared.difference_update(numbers)


def _loads(pieces: Pieces, number: int) -> _Loads:
    """The loads of what bears a piece; none if the contact points of a pair have several
    normals.
    """
    height = pieces.states([number])[0, 2] * pieces.units_per_mm
    pairs: dict[int, list[tuple[float, ...]]] = {}
    normals: dict[int, tuple[float, float, float]] = {}
    for contact in pieces.contacts(number):
        other, place, normal, force = contact[2], contact[5], contact[7], contact[9]
        if force <= 0 or place[2] >= height:
            continue
        first = normals.setdefault(other, normal)
        if sum(a * b for a, b in zip(first, normal, strict=True)) < _ONE_NORMAL:
            return {}
        one, two = contact[10], contact[12]
        friction = (one * a + two * b for a, b in zip(contact[11], contact[13], strict=True))
        pairs.setdefault(other, []).append((*friction, force))
    return {other: np.array(rows).sum(axis=0) for other, rows in pairs.items()}


def _slides(
    pieces: Pieces, number: int, loads: Mapping[int, Floats], share: float
) -> Floats | None:
    """The way a piece would slide if friction exceeds that share of mu N wherever it is borne; else
    None.
    """
    worst, way = 0.0, None
    for other, (x, y, z, normal) in loads.items():
        limit, friction = (
            share * pieces.friction(number, other) * normal,
            math.sqrt(x * x + y * y + z * z),
        )
        if friction <= limit or limit <= 0 or abs(z) < _LEVEL * friction:
            return None  # this support can take over friction that is too much elsewhere
        if friction / limit > worst:
            worst, way = friction / limit, np.array((x, y, z)) * -math.copysign(1.0, z) / friction
    return way
