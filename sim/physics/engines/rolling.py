"""Rolling resistance: every engine brakes discs that roll on the table, by the same law.

A contact point has no extent and bears no torque, so a disc on its rim would roll for ever. Under a
real disc the load lies ahead of the middle, by a share of the radius that is called the resistance,
and a disc that rolls freely on a level table slows down evenly. Engines call this module at every
look and set the new speeds. Discs that lie flat, lean or slide are not braked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sim.bodies import Body, Cylinder
from sim.poses import dot

__all__ = ["RESISTANCE", "SLOWING", "Rollers", "braked", "slowing"]

_Array = npt.NDArray[np.float64]

RESISTANCE = 0.04  # wood on wood: 0.02 to 0.05
# mm/s2 for a solid cylinder: its inertia counts as 1.5 masses, since it turns as well
SLOWING = RESISTANCE * 9810.0 / 1.5
_UPRIGHT = math.cos(math.radians(45.0))  # the axis of a disc that stands is steeper than this
_TOUCHING = 0.3  # mm


class Rollers:
    """Finds, among bodies in a fixed order, the discs that are on their rims on the table."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        shapes = [body.shape if body.mass > 0 else None for body in bodies]
        self._round = np.flatnonzero([isinstance(shape, Cylinder) for shape in shapes])
        self.radii = np.array(
            [shape.radius if isinstance(shape, Cylinder) else 0.0 for shape in shapes]
        )
        self.slowing = np.array([slowing(body) for body in bodies])
        self._half = np.array(
            [shape.height / 2 if isinstance(shape, Cylinder) else 0.0 for shape in shapes]
        )

    def among(self, states: _Array) -> list[int]:
        """Their places in the states (n, 7): x, y, z in mm and the quaternion."""
        discs = states[self._round]
        rises = np.abs(1 - 2 * (discs[:, 3] ** 2 + discs[:, 4] ** 2))  # the z of the axis
        return [
            k
            for k, rise in zip(self._round.tolist(), rises.tolist(), strict=True)
            if rise < _UPRIGHT and self._lowest(k, float(states[k, 2]), rise) < _TOUCHING
        ]

    def _lowest(self, k: int, z: float, rise: float) -> float:
        """The height of the lowest point of a disc's rim."""
        return float(z - self.radii[k] * math.sqrt(max(0.0, 1 - rise**2)) - self._half[k] * rise)


def slowing(body: Body) -> float:
    """By how much a body that rolls on the table slows down, in mm/s2."""
    return SLOWING if body.rolling is None else body.rolling / RESISTANCE * SLOWING


def braked(
    state: _Array,
    linear: _Array,
    angular: _Array,
    radius: float,
    seconds: float,
    slowing: float = SLOWING,
) -> tuple[_Array, _Array]:
    """The velocity (mm/s) and the rate of turning (radians/s) of a disc on its rim, that much
    later.

    Only rolling is braked: the turning about the disc's axis, and the motion of its middle that
    belongs to it.
    """
    x, y, z, w = state[3:]
    axis = np.array((2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)))
    ahead = np.array((axis[1], -axis[0], 0.0)) / math.hypot(axis[0], axis[1])
    turning, going = float(dot(angular, axis)), float(dot(linear, ahead))
    return linear - _slower(going, slowing * seconds) * ahead, angular - _slower(
        turning, slowing * seconds / radius
    ) * axis


def _slower(speed: float, most: float) -> float:
    return math.copysign(min(abs(speed), most), speed)
