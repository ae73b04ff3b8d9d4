"""What poses at several moments say: how far a piece went, and whether it has come to rest."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sim.physics.engine import SettleParams

__all__ = ["movement", "resting", "restless"]

_Array = npt.NDArray[np.float64]
_Mask = npt.NDArray[np.bool_]

_CREEP = 0.25


def movement(before: _Array, after: _Array) -> tuple[_Array, _Array]:
    """How far, in mm and in degrees, each state (..., 7) of `after` is from that of `before`."""
    shift = np.sqrt(((after[..., :3] - before[..., :3]) ** 2).sum(-1))
    (ax, ay, az, aw), (bx, by, bz, bw) = (
        np.moveaxis(before[..., 3:], -1, 0),
        np.moveaxis(after[..., 3:], -1, 0),
    )
    x = aw * bx - ax * bw - ay * bz + az * by
    y = aw * by - ay * bw - az * bx + ax * bz
    z = aw * bz - az * bw - ax * by + ay * bx
    w = ax * bx + ay * by + az * bz + aw * bw
    return shift, np.degrees(2 * np.arctan2(np.sqrt(x * x + y * y + z * z), np.abs(w)))


def restless(states: _Array, settle: SettleParams) -> _Mask:
    """Which pieces are not at rest, from their states (checks, n, 7) over the last `quiet_time`.

    Contacts chatter: in Bullet a piece at rest jumps by a hundredth of a millimetre, at any speed;
    in MuJoCo a road rocks by tenths of a degree. So this compares the means over the three thirds
    of the time. A piece is restless if it went from the second to the third faster than the
    tolerances; or at a quarter of that, if it went twice as fast as from the first to the second:
    that is how a slow fall from an unstable balance begins.
    """
    third = len(states) // 3
    if not third:
        return np.ones(states.shape[1], dtype=bool)
    first, second, last = (states[k * third : (k + 1) * third].sum(0) / third for k in range(3))
    found = np.zeros(states.shape[1], dtype=bool)
    time = settle.quiet_time / 3
    for earlier, later, most in zip(
        movement(first, second),
        movement(second, last),
        (settle.quiet_speed * time, settle.quiet_turn * time),
        strict=True,
    ):
        found |= (later > most) | ((later > _CREEP * most) & (later > 2 * earlier))
    return found


def resting(states: _Array) -> _Array:
    """The mean state (n, 7) of pieces at rest, free of chatter."""
    mean: _Array = states.sum(0) / len(states)
    mean[:, 3:] /= np.sqrt((mean[:, 3:] ** 2).sum(1))[:, None]
    return mean
