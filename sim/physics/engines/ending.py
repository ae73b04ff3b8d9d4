"""When a run may end although something moves: when every moving piece has fallen for good and can
hit nothing that stands.

The players put back fallen pieces, so it does not matter how a fallen disc rolls on. No engine
knows the rules; the tests here are stricter: a piece that has fallen for good has fallen by every
test of the rules.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sim.bodies import Body, Box
from sim.physics.engines.rolling import slowing

__all__ = ["EDGE", "Outcome"]

_Array = npt.NDArray[np.float64]
_Mask = npt.NDArray[np.bool_]

EDGE = 750.0  # mm from the middle of the table; a table is wider where pieces stand further out
_MARGIN = 200.0  # mm of table beyond the outermost piece
_TILTED = 0.7  # cosine, of 45 degrees: no disc that stands is tilted so far
_SANK = 10.0  # mm that an end of a road sinks when it comes off a disc
_ASIDE = 30.0  # mm aside: a road that moved so far cannot have both ends on their discs
_LOW = 8.0  # mm: the middle of a car that lies on the table is no higher than this
_SLOW = 30.0  # mm/s: slower, no piece moves another
_UP_AND_DOWN = 60.0  # mm/s: faster, it is falling or being thrown
_CLEAR = 3.0  # mm between a piece that rolls and what it passes


class Outcome:
    """Judges looks at the bodies of a run, whose order is fixed, from the poses in which it began.

    `others` are the bodies around that are held.
    """

    def __init__(self, bodies: Sequence[Body], others: Sequence[Body]) -> None:
        self._bodies, self._others = tuple(bodies), tuple(others)

    @cached_property
    def _start(self) -> _Array:
        return np.array([body.pose.to_list() for body in self._bodies]).reshape(-1, 7)

    @cached_property
    def _kinds(self) -> npt.NDArray[np.str_]:
        return np.array([body.kind for body in self._bodies], dtype="<U8")

    @cached_property
    def _halves(self) -> _Array:
        """Half the length of each body along its x axis."""
        return np.array(
            [
                body.shape.size[0] / 2 if isinstance(body.shape, Box) else 0.0
                for body in self._bodies
            ]
        )

    @cached_property
    def _widths(self) -> _Array:
        return np.array([_reach(body) for body in self._bodies])

    @cached_property
    def _fixed(self) -> _Array:
        return np.array([body.pose.at[:2] for body in self._others]).reshape(-1, 2)

    @cached_property
    def _fixed_widths(self) -> _Array:
        return np.array([_reach(body) for body in self._others])

    @cached_property
    def _edge(self) -> float:
        every = [*self._bodies, *self._others]
        return max(
            EDGE, max(max(map(abs, body.pose.at[:2])) + _reach(body) for body in every) + _MARGIN
        )

    def beyond(self, states: _Array) -> _Mask:
        """Which have gone over the edge of the table."""
        out = np.abs(states[:, :2])
        if not (out > EDGE).any():  # no table is narrower
            return np.zeros(len(states), dtype=bool)
        return np.asarray((out > self._edge).any(axis=1), dtype=bool)

    def decided(self, moving: _Mask, earlier: _Array, states: _Array, seconds: float) -> bool:
        """Whether nothing that moves can still matter; `earlier` are the states so many seconds
        before.
        """
        rows = np.flatnonzero(moving)
        fallen = self._fallen(states) | self.beyond(states)
        if not fallen[rows].all():
            return False
        speed = (states[:, :3] - earlier[:, :3]) / seconds
        if (np.abs(speed[rows, 2]) > _UP_AND_DOWN).any():
            return False
        across = np.hypot(speed[:, 0], speed[:, 1])
        return all(
            across[k] < _SLOW or self._clear(k, across[k], fallen, states) for k in rows.tolist()
        )

    def _clear(self, k: int, speed: float, fallen: _Mask, states: _Array) -> bool:
        """Whether this piece stops before it can reach anything that stands, in any direction."""
        way = speed**2 / (2 * slowing(self._bodies[k])) + self._widths[k] + _CLEAR
        there = np.concatenate([states[~fallen, :2], self._fixed])
        widths = np.concatenate([self._widths[~fallen], self._fixed_widths])
        return bool((np.hypot(*(there - states[k, :2]).T) > way + widths).all())

    def _fallen(self, states: _Array) -> _Mask:
        """Which have fallen for good: discs on edge or a whole radius aside, roads with an end
        down, cars on the table.
        """
        aside = np.hypot(*(states[:, :2] - self._start[:, :2]).T)
        sank = self._start[:, 2] - states[:, 2]
        rise = np.abs(1 - 2 * (states[:, 3] ** 2 + states[:, 4] ** 2))
        discs = (rise < _TILTED) | (aside > self._widths)
        roads = (aside > _ASIDE) | (
            (self._long_ends(self._start) - self._long_ends(states)).max(axis=1) > _SANK
        )
        cars = (states[:, 2] < _LOW) & (sank > _LOW)
        found: _Mask = np.select(
            [self._kinds == "disc", self._kinds == "road", self._kinds == "car"],
            [discs, roads, cars],
            False,
        )
        return found

    def _long_ends(self, states: _Array) -> _Array:
        """The heights (n, 2) of the two ends of each body's x axis, half of its length away."""
        x, y, z, w = states[:, 3:].T
        up = self._halves * 2 * (x * z - y * w)
        heights: _Array = np.stack([states[:, 2] + up, states[:, 2] - up], axis=1)
        return heights


def _reach(body: Body) -> float:
    """How far a body reaches from its middle in plan, mm."""
    if isinstance(body.shape, Box):
        return math.hypot(*body.shape.size) / 2
    return body.shape.radius
