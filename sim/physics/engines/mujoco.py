"""MuJoCo behind the seam `sim.physics.world`: centimetres, grams and seconds inside, millimetres outside.

A compiled model is a set of slots: one for each free body, and for the fixed ones so many boxes and cylinders of each kind,
rounded up. Compiling one takes about as long as a settle, so models are kept; they are never written to. Each run has data of
its own: it fills the slots in canonical order and parks those left over out of reach. So nothing reaches the bits of a run but
its own arguments, and threads may share an engine.

Fixed bodies are mocap bodies: they bear load, never move and cost no degrees of freedom, so a run costs what is free in it.
MuJoCo's own sleeping is left off: it wakes everything that hangs together by contacts, several times what a placement can
disturb, and it cannot be started reliably from given sleepers.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from itertools import compress, pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rules.errors import InputError, UnavailableError
from sim.bodies import Body, Box
from sim.physics.engine import TOOL_RADIUS, HandPath, PhysicsError, Run, SettleParams
from sim.physics.engines.ending import Outcome
from sim.physics.engines.mujoco_model import CM, RECIPE, Kind, Plan, add_hand, add_pairs, empty_table, fill
from sim.physics.engines.rolling import Rollers, braked
from sim.poses import Pose, Vector, rotation_matrix
from sim.trajectory import StateListener

__all__ = ["MuJoCo"]

_Array = npt.NDArray[np.float64]

_MARGIN: Final[float] = RECIPE["margin"]
_STEP: Final[float] = RECIPE["step"]
_LOOK: Final[int] = RECIPE["steps_per_look"]
_LOOK_ON: Final[float] = RECIPE["look_on"]
_SPARE: Final[int] = RECIPE["spare"]
_FAR: Final[float] = -5000.0  # cm; the z of spare slots and of the idle hand
_FAR_APART: Final[float] = 50.0  # cm
_OUTWARD: Final = [0, 1, 2, 4, 5, 6, 3]  # MuJoCo's quaternions begin with w
_MODELS_KEPT: Final[int] = 32

_Piece = tuple[Body, Kind]

_log = logging.getLogger(__name__)


class MuJoCo:
    """The engine `mujoco` of the protocol `sim.physics.engine.Engine`; raises UnavailableError if MuJoCo is not installed."""

    name = "mujoco"
    params = hashlib.sha256(json.dumps([RECIPE, asdict(SettleParams())], sort_keys=True).encode()).hexdigest()[:16]

    def __init__(self) -> None:
        mujoco = _import()
        self.version: str = mujoco.mj_versionString()
        self._model = lru_cache(maxsize=_MODELS_KEPT)(partial(_Model, mujoco))

    def run(
        self,
        bodies: Sequence[Body],
        free: frozenset[str],
        settle: SettleParams,
        path: HandPath | None = None,
        watch: StateListener | None = None,
    ) -> Run:
        """Let the `free` bodies that have a mass come to rest among the others, after the hand went along `path`.

        `bodies` are in canonical order. `Run.touched` may name fixed bodies: the hand goes through those, and names them as
        struck. `Run.seconds` counts the hand's time too, `settle.time_limit` starts when it is gone. Raises InputError for an
        id in `free` that no body has, a pose that is not finite or a hand that goes nowhere; PhysicsError if the simulation
        blows up.
        """
        unknown = sorted(free.difference(body.id for body in bodies))
        if unknown:
            raise InputError(f"free: no body is named {', '.join(unknown)}")
        way = () if path is None else tuple(_way(path))
        moving = [(body, _kind(body, body.mass)) for body in bodies if body.id in free and body.mass > 0]
        fixed = [(body, _kind(body, 0.0)) for body in bodies if not (body.id in free and body.mass > 0)]
        plans = _plan(moving, 1), _plan(fixed, _SPARE)
        model = self._model(*plans, path.tool if path else None, _table(bodies))
        simulation = _Simulation(model, moving, fixed, settle, watch)
        touched = simulation.sweep(way)
        seconds, quiet, restless = simulation.settle()
        return Run(simulation.poses(), touched, len(way) * _STEP + seconds, quiet, restless, simulation.struck())


class _Model:
    """A compiled model.

    Bodies and geoms are numbered alike: 0 the table, then the free slots, the fixed slots, and the hand last.
    """

    def __init__(self, mujoco: Any, free: Plan, fixed: Plan, tool: str | None, table: float | None) -> None:
        spec = empty_table(mujoco)
        self.mujoco = mujoco
        self.free_slots = fill(mujoco, spec, free, mocap=False)
        self.fixed_slots = fill(mujoco, spec, fixed, mocap=True)
        self.hand_radius = TOOL_RADIUS[tool] * CM if tool else 0.0
        if tool:
            add_hand(mujoco, spec, tool, max((friction for (*_, friction), _ in free), default=0.0))
        add_pairs(spec, free, fixed, table)
        self.compiled = spec.compile()


class _Simulation:
    """One run, in data of its own."""

    def __init__(
        self,
        model: _Model,
        moving: Sequence[_Piece],
        fixed: Sequence[_Piece],
        settle: SettleParams,
        watch: StateListener | None = None,
    ) -> None:
        self._mujoco, self._model, self._rule, self._watch = model.mujoco, model.compiled, settle, watch
        self._hand_radius = model.hand_radius
        self._data = data = self._mujoco.MjData(self._model)

        slots = _assign(moving, model.free_slots)
        self._free_ids = [name for _, name in sorted(zip(slots, (body.id for body, _ in moving), strict=True))]
        self._qpos[slots] = _inside(moving)
        in_order = [body for _, (body, _) in sorted(zip(slots, moving, strict=True), key=lambda pair: pair[0])]
        self._rollers = Rollers(in_order)
        self._outcome = Outcome(in_order, [body for body, _ in fixed])
        self._start = self._qpos.copy()

        slots = _assign(fixed, model.fixed_slots)
        places = _inside(fixed)
        data.mocap_pos[:] = (0.0, 0.0, _FAR)
        data.mocap_pos[:, 0] = _FAR_APART * np.arange(len(data.mocap_pos))
        data.mocap_pos[slots], data.mocap_quat[slots] = places[:, :3], places[:, 3:]
        self._fixed_ids = {slot: body.id for slot, (body, _) in zip(slots, fixed, strict=True)}  # the other slots are spare
        self._held = frozenset(body.id for body, _ in fixed if body.mass > 0)
        self._struck: set[str] = set()
        self._show()

    @property
    def _qpos(self) -> _Array:
        """A row `[x, y, z, qw, qx, qy, qz]` for each free slot, in cm."""
        rows: _Array = self._data.qpos.reshape(-1, 7)
        return rows

    def sweep(self, way: Sequence[Vector]) -> tuple[str, ...]:
        """Move the hand along `way`, a place a step, then take it away; what it touched, in order of first touch."""
        if not way:
            return ()
        data, hand = self._data, len(self._data.mocap_pos) - 1
        touched: dict[str, None] = {}
        for number, at in enumerate(way, start=1):
            data.mocap_pos[hand] = [x * CM for x in at]
            self._step(1)
            passed = self._passed(touched)
            self._struck.update(self._held.intersection(passed))
            touched.update(dict.fromkeys(sorted([*self._pushed(), *passed])))
            if number % _LOOK == 0:
                self._brake(_LOOK * _STEP)
                self._watch_border()
                self._show()
        data.mocap_pos[hand] = (0.0, 0.0, 2 * _FAR)
        return tuple(touched)

    def settle(self) -> tuple[float, bool, tuple[str, ...]]:
        """Run until quiet or out of time: the simulated seconds, whether it is quiet, and the ids of what still moves."""
        if not self._free_ids:
            return 0.0, True, ()
        rule, look = self._rule, _LOOK * _STEP
        needed, most = math.ceil(rule.quiet_time / look - 1e-9), math.ceil(rule.time_limit / look - 1e-9)
        # Speeds are judged by the way made since a piece was last quiet: a leaning disc may chatter on the spot for ever. From
        # rest under constant acceleration, half of speed times time is where the speed itself would pass its limit.
        shift, turn = rule.quiet_speed * rule.quiet_time / 2, rule.quiet_turn * rule.quiet_time / 2
        reference = self._qpos.copy()
        calm = looks = 0
        restless: tuple[str, ...] = ()
        struck = decided = False
        earlier = reference
        while calm < needed and not decided and looks < most:
            self._step(_LOOK)
            self._brake(look)
            self._watch_border()
            self._show()
            looks += 1
            if self._struck and not struck:
                struck, most = True, min(most, looks + math.ceil(_LOOK_ON / look))
            left = self._left(reference, shift, turn)
            if left.any():
                calm, reference = 0, self._qpos.copy()
                restless = tuple(sorted(compress(self._free_ids, left)))
            else:
                calm += 1
            if looks % needed == 0:
                decided = self._decided(earlier, shift, turn, needed * look)
                earlier = self._qpos.copy()
        quiet = calm >= needed or decided
        return looks * look, quiet, () if quiet else restless

    def _decided(self, earlier: _Array, shift: float, turn: float, seconds: float) -> bool:
        """Whether all that moved in so many seconds has fallen and no longer matters."""
        moving = self._left(earlier, shift, turn)
        return bool(moving.any()) and self._outcome.decided(moving, _outward(earlier), self._states(), seconds)

    def struck(self) -> tuple[str, ...]:
        """The held bodies that are not held for ever and that something met which moved; sorted."""
        return tuple(sorted(self._struck))

    def _brake(self, seconds: float) -> None:
        """Slow down the discs that roll on the table; stop for good what has gone over its edge."""
        states, speeds = self._states(), self._data.qvel.reshape(-1, 6)
        for k in self._rollers.among(states):
            turned = rotation_matrix(states[k, 3:].tolist())  # MuJoCo gives the rate of turning in the body's own frame
            radius, slowing = self._rollers.radii[k], self._rollers.slowing[k]
            linear, angular = braked(states[k], speeds[k, :3] / CM, turned @ speeds[k, 3:], radius, seconds, slowing)
            speeds[k, :3], speeds[k, 3:] = linear * CM, turned.T @ angular
        if (lost := self._outcome.beyond(states)).any():
            speeds[lost] = 0.0

    def _states(self) -> _Array:
        """x, y, z in mm and the quaternion (x, y, z, w) of every free body, shape (n, 7)."""
        return _outward(self._qpos)

    def poses(self) -> dict[str, Pose]:
        """Where the free bodies are, by id."""
        return {piece: _outside(row) for piece, row in sorted(zip(self._free_ids, self._qpos.tolist(), strict=True))}

    def _show(self) -> None:
        """Lets whoever watches see where the free bodies are."""
        if self._watch is not None:
            self._watch(float(self._data.time), self._free_ids, self._states())

    def _step(self, steps: int) -> None:
        try:
            self._mujoco.mj_step(self._model, self._data, steps)
        except self._mujoco.FatalError as error:
            raise self._gave_up(str(error)) from error
        counts = self._data.warning.number
        if counts.any():
            names = self._mujoco.mjtWarning
            raise self._gave_up(", ".join(names(number).name.removeprefix("mjWARN_") for number in np.flatnonzero(counts)))

    def _gave_up(self, why: str) -> PhysicsError:
        return PhysicsError(
            f"MuJoCo gave up after {self._data.time:.3f} s ({why}) with {', '.join(self._free_ids)} free: "
            "do pieces start deep inside each other, or far away?"
        )

    def _left(self, reference: _Array, shift: float, turn: float) -> npt.NDArray[np.bool_]:
        """By free slot: is it further than `shift` mm or `turn` degrees from the reference?"""
        now = self._qpos
        way = np.square(now[:, :3] - reference[:, :3]).sum(axis=1)
        cosine = np.abs((now[:, 3:] * reference[:, 3:]).sum(axis=1))  # of half the angle between the two
        left: npt.NDArray[np.bool_] = (way > (shift * CM) ** 2) | (cosine < math.cos(math.radians(turn) / 2))
        return left

    def _watch_border(self) -> None:
        """Note each held piece that touches a free one which left its place: a held support would never give way."""
        if not self._held:
            return
        left = self._left(self._start, self._rule.border_shift, self._rule.border_turn)
        if not left.any():
            return
        first = 1 + len(left)
        low, high = np.sort(self._data.contact.geom, axis=1).T
        met = (low > 0) & (low < first) & (high >= first)
        for free_geom, fixed_geom in zip(low[met].tolist(), high[met].tolist(), strict=True):
            piece = self._fixed_ids.get(fixed_geom - first)
            if left[free_geom - 1] and piece in self._held:
                self._struck.add(piece)

    def _pushed(self) -> list[str]:
        """The free bodies that the hand touches."""
        pairs = self._data.contact.geom
        hand = self._model.ngeom - 1
        return [self._free_ids[min(pair) - 1] for pair in pairs[(pairs == hand).any(axis=1)].tolist() if min(pair) > 0]

    def _passed(self, known: Mapping[str, None]) -> list[str]:
        """The fixed bodies that the hand goes through; MuJoCo makes no contacts between bodies that cannot move."""
        data, model = self._data, self._model
        hand, first = model.ngeom - 1, 1 + len(self._free_ids)
        centres = data.geom_xpos[first:hand]
        beside = np.hypot(*(centres[:, :2] - data.mocap_pos[-1][:2]).T)
        near = np.flatnonzero(beside < model.geom_rbound[first:hand] + self._hand_radius).tolist()
        reach = 2 * _MARGIN * CM
        return [
            self._fixed_ids[slot]
            for slot in near
            if slot in self._fixed_ids
            and self._fixed_ids[slot] not in known
            and self._mujoco.mj_geomDistance(model, data, first + slot, hand, reach, None) < reach
        ]


def _outward(rows: _Array) -> _Array:
    """Rows of `_qpos` as x, y, z in mm and the quaternion (x, y, z, w)."""
    states = rows[:, _OUTWARD]
    states[:, :3] /= CM
    return states


def _import() -> Any:
    try:
        import mujoco
    except ImportError as error:
        raise UnavailableError("MuJoCo is not installed: pip install 'shutoko[mujoco]'") from error
    if mujoco.get_mju_user_warning() is None:  # else it writes MUJOCO_LOG.TXT into the working folder
        mujoco.set_mju_user_warning(_log.info)
    return mujoco


def _kind(body: Body, mass: float) -> Kind:
    shape = body.shape
    if isinstance(shape, Box):
        return ("box", shape.size, mass, body.friction)
    return ("cylinder", (shape.radius, shape.height), mass, body.friction)


def _table(bodies: Iterable[Body]) -> float | None:
    """The table's own coefficient of friction, None where it is as rough as whatever lies on it."""
    return next((body.table_friction for body in bodies if body.table_friction is not None), None)


def _plan(pieces: Iterable[_Piece], multiple: int) -> Plan:
    counts = Counter(kind for _, kind in pieces)
    return tuple(sorted((kind, math.ceil(count / multiple) * multiple) for kind, count in counts.items()))


def _assign(pieces: Iterable[_Piece], slots: Mapping[Kind, range]) -> list[int]:
    """For each piece the next slot of its kind."""
    left = {kind: iter(numbers) for kind, numbers in slots.items()}
    return [next(left[kind]) for _, kind in pieces]


def _way(path: HandPath) -> Iterator[Vector]:
    """The places of the hand's lowest point in mm, one a step."""
    if not path.points or not path.speed > 0 or not np.isfinite(path.points).all():
        raise InputError(f"a hand needs finite points and a speed above 0, not {path}")
    yield path.points[0]
    for a, b in pairwise(path.points):
        steps = math.ceil(math.dist(a, b) / (path.speed * _STEP))
        for k in range(1, steps + 1):
            yield (a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps, a[2] + (b[2] - a[2]) * k / steps)


def _inside(pieces: Sequence[_Piece]) -> _Array:
    """The poses as MuJoCo has them, a row each: x, y, z in cm, and the quaternion's w before its x, y, z."""
    rows = [(*at, quat[3], *quat[:3]) for at, quat in (body.pose for body, _ in pieces)]
    places = np.array(rows, dtype=np.float64).reshape(-1, 7)
    for row in np.flatnonzero(~np.isfinite(places).all(axis=1)).tolist():
        raise InputError(f"{pieces[row][0].id}: its pose is not finite")
    places[:, :3] *= CM
    return places


def _outside(row: Sequence[float]) -> Pose:
    x, y, z, qw, qx, qy, qz = row
    return Pose((x / CM, y / CM, z / CM), (qx, qy, qz, qw))
