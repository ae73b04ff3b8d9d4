"""How pieces came to rest after a hand let go of them: where they lie, from an engine, a record or
geometry alone, and for films the states that physics went through. Nothing is judged by the latter.

An engine hands its states to a `StateListener` as it goes along. The `Recorder` of a run is one
that keeps them as a `Trajectory`. A `SettlingTake` is the trajectory of one settling of a ply, with
the pieces that a hand had let go of; a `SettleResult` is where all that moved came to rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from sim.bodies import Body, Pose, Tool, Vector

Floats = npt.NDArray[np.float64]

StateListener = Callable[[float, Sequence[str], Floats, Vector | None], None]
"""Receives the simulated seconds, the ids of the n free bodies, their states (n, 7): x, y, z in mm,
quaternion; and where the hand's lowest point is, None where there is no hand.

The first call shows the start. The ids are the same throughout a run, and a state is not changed
after it was shown.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """The paths of n bodies: `times` (k,) in simulated seconds, rising from 0, and `states` (k, n,
    7) as a `StateListener` receives them; `hand` (k, 3) is where the hand's lowest point was, nan
    while there was none.
    """

    names: tuple[str, ...]
    times: Floats
    states: Floats
    hand: Floats

    def only(self, names: Sequence[str]) -> Trajectory:
        """The paths of those of its bodies that are named."""
        kept = [k for k, name in enumerate(self.names) if name in names]
        return Trajectory(
            tuple(self.names[k] for k in kept), self.times, self.states[:, kept], self.hand
        )


@dataclass(frozen=True, slots=True, eq=False)
class SettlingTake:
    """One settling: the new pieces where the hand let go of them, in placing order; the paths to
    rest of all free pieces; and the poses in which the moved pieces came to rest; `tool` is what
    the hand held, None if there was no hand.
    """

    new: tuple[Body, ...]
    track: Trajectory
    moved: Mapping[str, Pose]
    tool: Tool | None = None


class Recorder:
    """A `StateListener` that keeps everything it receives."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        self._times: list[float] = []
        self._states: list[Floats] = []
        self._hand: list[Vector] = []

    def __call__(
        self, seconds: float, names: Sequence[str], states: Floats, hand: Vector | None
    ) -> None:
        """Keeps one state."""
        self._names = tuple(names)
        self._times.append(seconds)
        self._states.append(states)
        self._hand.append((math.nan,) * 3 if hand is None else hand)

    def track(self) -> Trajectory:
        """All that was kept, as a trajectory."""
        return Trajectory(
            self._names, np.array(self._times), np.stack(self._states), np.array(self._hand)
        )


@dataclass(frozen=True, slots=True)
class SettleResult:
    """The poses of the new pieces and of all that moved, the buildings and pieces that the hand
    `touched`, and those that were still `restless` at the end of the time limit.

    What fell is in `moved` as it fell. `restored` has the poses in which pieces that fell came
    to rest once they were put back, where these are not the poses from which they fell. `mended`
    are the pieces that had to be set right before all stood again.

    `released` are the poses at which the hand let go of the new pillar and road, by piece. `takes`
    have the paths to rest, if they were watched. `work` is the cost of the runs: simulated seconds
    times the number of free pieces. Comparisons ignore these three.
    """

    moved: Mapping[str, Pose]
    touched: tuple[str, ...] = ()
    restless: tuple[str, ...] = ()
    restored: Mapping[str, Pose] = field(default_factory=dict)
    mended: tuple[str, ...] = ()
    released: Mapping[str, Pose] = field(default_factory=dict, compare=False)
    takes: tuple[SettlingTake, ...] = field(default=(), compare=False)
    work: float = field(default=0.0, compare=False)

    def then(self, came: SettleResult) -> SettleResult:
        """With what came of a later settling: pieces lie where that left them."""
        return replace(
            self,
            moved={**self.moved, **came.moved},
            touched=tuple(dict.fromkeys((*self.touched, *came.touched))),
            restless=tuple(sorted({*self.restless, *came.restless})),
            released={**self.released, **came.released},
            takes=(*self.takes, *came.takes),
            work=self.work + came.work,
        )

    def without(self, piece: str) -> SettleResult:
        """As if that piece had never been put down."""
        return replace(
            self, moved={name: pose for name, pose in self.moved.items() if name != piece}
        )
