"""A stage of a run in MuJoCo: some pieces free, the others held where they are, and the hand;
centimetres, grams, seconds.

A compiled model is a set of slots: one for each free body, and for the held ones a number of boxes
and cylinders of each kind, rounded up. Models are kept and never written to. A stage has data of
its own: it fills the slots in canonical order and parks the spare ones out of reach. So a run
depends on nothing but its own arguments, and threads may share an engine.

Held bodies are mocap bodies: they bear load, never move and add no degrees of freedom, so only free
bodies cost time in a step. MuJoCo's own sleeping is off: it wakes everything that is connected by
contacts, several times what a placement can disturb, and it cannot reliably start with given pieces
asleep.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from sim.bodies import Body, Bools, Box, Floats, Ints, Vector
from sim.physics.engine import TOOL_RADIUS, PhysicsError
from sim.physics.engines.mujoco_model import (
    CM,
    RECIPE,
    Kind,
    Plan,
    add_hand,
    add_pairs,
    empty_table,
    fill,
)

_REACH: Final[float] = 2 * RECIPE["margin"] * CM
_FAR: Final[float] = -5000.0  # cm; the z of spare slots
_HIGH: Final[float] = 5000.0  # cm; the z of the idle hand
_FAR_APART: Final[float] = 50.0  # cm

_RESISTING: Final[int] = 6  # of a contact's dimensions: sliding, turning and rocking

_log = logging.getLogger(__name__)


class Model:
    """A compiled model; the same with softer contacts; and one in which pieces that rest resist
    rocking and turning.

    Bodies are numbered: 0 the table, then the free slots, the held slots, and the hand last.
    """

    def __init__(
        self, mujoco: Any, free: Plan, held: Plan, tool: str | None, table: float | None
    ) -> None:
        spec = empty_table(mujoco)
        self.mujoco = mujoco
        self.free_slots = fill(mujoco, spec, free, mocap=False)
        self.held_slots = fill(mujoco, spec, held, mocap=True)
        self.hand_radius = TOOL_RADIUS[tool] * CM if tool else 0.0
        if tool:
            add_hand(
                mujoco,
                spec,
                tool,
                max((friction for (*_, friction), _ in (*free, *held)), default=0.0),
            )
        add_pairs(spec, free, held, table)
        self.compiled = spec.compile()
        self.rough = copy(self.compiled)
        self.rough.geom_solimp[:] = RECIPE["rough_solimp"]
        self.rough.pair_solimp[:] = RECIPE["rough_solimp"]
        self.resting = copy(self.compiled)
        self.resting.geom_condim[:], self.resting.pair_dim[:] = _RESISTING, _RESISTING
        self.resting.geom_friction[:, 1:] = self.resting.pair_friction[:, 2:] = RECIPE["lever"] * CM


def plan(bodies: Iterable[Body], *, held: bool = False) -> Plan:
    """How many slots of which kind bodies need. Of those for `held` bodies some are spare, so that
    fewer models are needed.
    """
    counts = Counter(_kind(body, 0.0 if held else body.mass) for body in bodies)
    # of held ones the next power of two
    return tuple(
        sorted((kind, 1 << (n - 1).bit_length() if held else n) for kind, n in counts.items())
    )


@dataclass(frozen=True, slots=True)
class Motion:
    """The places of n pieces (n, 7) as MuJoCo has them, x, y, z in cm and the quaternion w, x, y,
    z; their speeds (n, 6); and the accelerations (n, 6) with which the solver begins its next
    search.
    """

    places: Floats
    speeds: Floats
    warm: Floats

    @classmethod
    def at_start(cls, bodies: Sequence[Body]) -> Motion:
        """These bodies at rest where they are."""
        still = np.zeros((len(bodies), 6))
        return cls(_inside(bodies), still, still)

    def halted(self, which: Bools) -> Motion:
        """Without speed where these are."""
        still = ~which[:, None]
        return replace(self, speeds=self.speeds * still, warm=self.warm * still)


class Stage:
    """Data of a model, with pieces of the run `free` and `held`, by their numbers in it, and
    `fixed` bodies that never move. With `staying` the pieces have the lever of pieces that rest.
    """

    def __init__(
        self,
        model: Model,
        pieces: Sequence[Body],
        free: Sequence[int],
        held: Sequence[int],
        fixed: Sequence[Body],
        motion: Motion,
        *,
        staying: bool = False,
    ) -> None:
        self._mujoco, self._rough = model.mujoco, model.rough
        self._model = model.resting if staying else model.compiled
        self._hand_radius = model.hand_radius
        self._data = data = self._mujoco.MjData(self._model)
        slots = _assign([_kind(pieces[k], pieces[k].mass) for k in free], model.free_slots)
        by_slot = [k for _, k in sorted(zip(slots, free, strict=True))]
        self._rows, self._names = np.array(by_slot, dtype=np.intp), [pieces[k].id for k in by_slot]
        self.put(motion)
        self.take_away()

        still = [*(pieces[k] for k in held), *fixed]
        slots = _assign([_kind(body, 0.0) for body in still], model.held_slots)
        places = np.concatenate([motion.places[held], _inside(fixed)])
        data.mocap_pos[:] = (0.0, 0.0, _FAR)
        data.mocap_pos[:, 0] = _FAR_APART * np.arange(len(data.mocap_pos))
        data.mocap_pos[slots], data.mocap_quat[slots] = places[:, :3], places[:, 3:]
        # the last is for the hand
        self._held_rows = np.full(len(data.mocap_pos) + 1, -1, dtype=np.intp)
        self._held_rows[slots[: len(held)]] = held
        # the other slots are spare
        self._held_names = {slot: body.id for slot, body in zip(slots, still, strict=True)}

    # --- steps ------------------------------------------------------------------------------------

    def put(self, motion: Motion) -> None:
        """Give the free pieces the places and speeds that they have in a motion."""
        rows = self._rows
        places, speeds, warm = self._pieces()
        places[:], speeds[:], warm[:] = motion.places[rows], motion.speeds[rows], motion.warm[rows]

    def motion(self, before: Motion) -> Motion:
        """The motion of all pieces: the free ones as they are now, the others as before."""
        rows = self._rows
        places, speeds, warm = before.places.copy(), before.speeds.copy(), before.warm.copy()
        places[rows], speeds[rows], warm[rows] = self._pieces()
        return Motion(places, speeds, warm)

    def _pieces(self) -> tuple[Floats, Floats, Floats]:
        """Places, speeds and warm starts of the free pieces, as rows of MuJoCo's own arrays."""
        data, n = self._data, len(self._rows)
        return (
            data.qpos[: 7 * n].reshape(n, 7),
            data.qvel[: 6 * n].reshape(n, 6),
            data.qacc_warmstart[: 6 * n].reshape(n, 6),
        )

    def lead(self, at: Vector, velocity: Vector) -> None:
        """Put the hand's lowest point there (mm), on its way with that velocity (mm/s)."""
        self._data.qpos[7 * len(self._rows) :] = [x * CM for x in at]
        self._data.qvel[6 * len(self._rows) :] = [v * CM for v in velocity]

    def lighten(self, share: float) -> None:
        """Carry that share of the free pieces' weight from now on."""
        n = len(self._rows)
        self._data.xfrc_applied[1 : 1 + n, 2] = (
            share * RECIPE["gravity"] * self._model.body_mass[1 : 1 + n]
        )

    def take_away(self) -> None:
        """Put the hand, if there is one, out of reach and at rest."""
        n = len(self._rows)
        self._data.qpos[7 * n :], self._data.qvel[6 * n :] = _HIGH, 0.0

    def step(self, steps: int, *, rough: bool) -> None:
        """Makes so many steps; with `rough`, on the softer contacts. Raises PhysicsError if MuJoCo
        gives up.
        """
        try:
            self._mujoco.mj_step(self._rough if rough else self._model, self._data, steps)
        except self._mujoco.FatalError as error:
            raise self._gave_up(str(error)) from error
        counts = self._data.warning.number
        if counts.any():
            names = self._mujoco.mjtWarning
            raise self._gave_up(
                ", ".join(
                    names(number).name.removeprefix("mjWARN_") for number in np.flatnonzero(counts)
                )
            )

    def _gave_up(self, why: str) -> PhysicsError:
        return PhysicsError(
            f"MuJoCo gave up ({why}) with {', '.join(self._names)} free: do pieces start deep "
            "inside each other, or far away?"
        )

    # --- who meets whom ---------------------------------------------------------------------------

    def meetings(self) -> tuple[Ints, Ints]:
        """Pairs of a free piece and a held one (which could move) that touch, by their numbers in
        the run.
        """
        low, high = np.sort(self._touching(), axis=1).T
        first = 1 + len(self._rows)
        met = (low > 0) & (low < first) & (high >= first)
        slots = high[met] - first
        held = self._held_rows[slots]
        return self._rows[low[met] - 1][held >= 0], held[held >= 0]

    def pushed(self) -> list[str]:
        """The free pieces that the hand touches."""
        pairs = self._touching()
        free = pairs[(pairs == self._model.nbody - 1).any(axis=1)].min(axis=1)
        return [self._names[number - 1] for number in dict.fromkeys(free.tolist()) if number > 0]

    def _touching(self) -> Ints:
        """Pairs of bodies that touch, by their numbers in the model, shape (n, 2)."""
        pairs: Ints = self._model.geom_bodyid[self._data.contact.geom]
        return pairs

    def passed(self, known: Mapping[str, None]) -> list[str]:
        """The held bodies that the hand goes through; MuJoCo makes no contacts between bodies that
        cannot move.
        """
        data, model = self._data, self._model
        hand, first = model.ngeom - 1, 1 + len(self._rows)
        held = np.flatnonzero((model.geom_bodyid >= first) & (np.arange(model.ngeom) < hand))
        beside = np.hypot(*(data.geom_xpos[held, :2] - data.geom_xpos[hand, :2]).T)
        near = held[beside < model.geom_rbound[held] + self._hand_radius]
        slots = (model.geom_bodyid[near] - first).tolist()
        return [
            self._held_names[slot]
            for geom, slot in zip(near.tolist(), slots, strict=True)
            if slot in self._held_names
            and (self._held_names[slot] not in known or self._held_rows[slot] >= 0)
            and self._mujoco.mj_geomDistance(model, data, geom, hand, _REACH, None) < _REACH
        ]


def imported() -> Any:
    """The package `mujoco`, which may be missing until an engine is asked for."""
    import mujoco

    # else it writes MUJOCO_LOG.TXT into the working folder
    if mujoco.get_mju_user_warning() is None:
        mujoco.set_mju_user_warning(_log.info)
    return mujoco


def _kind(body: Body, mass: float) -> Kind:
    shape = body.shape
    if isinstance(shape, Box):
        return ("box", shape.size, mass, body.friction)
    return ("cylinder", (shape.radius, shape.height), mass, body.friction)


def _assign(kinds: Iterable[Kind], slots: Mapping[Kind, range]) -> list[int]:
    """For each piece the next slot of its kind."""
    left = {kind: iter(numbers) for kind, numbers in slots.items()}
    return [next(left[kind]) for kind in kinds]


def _inside(bodies: Sequence[Body]) -> Floats:
    """The poses as MuJoCo has them, a row each: x, y, z in cm, and the quaternion's w before its x,
    y, z.
    """
    rows = [(*at, quat[3], *quat[:3]) for at, quat in (body.pose for body in bodies)]
    places = np.array(rows, dtype=np.float64).reshape(-1, 7)
    places[:, :3] *= CM
    return places
