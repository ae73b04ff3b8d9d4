"""Random numbers inside compiled code: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", 2014).

The state is a `uint64[1]` that the caller owns. So every stream is an argument, and the same seed gives the same results.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.jit import njit_inline

__all__ = ["below", "draw", "stream"]

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


def stream(seed: int) -> npt.NDArray[np.uint64]:
    """A new stream for this seed (0 <= seed < 2**64): the state that `draw` and `below` advance."""
    return np.array([seed], np.uint64)


@njit_inline
def draw(state: npt.NDArray[np.uint64]) -> np.uint64:
    """The next 64 random bits."""
    state[0] += _GAMMA
    z: np.uint64 = state[0]
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return np.uint64(z ^ (z >> _S31))


@njit_inline
def below(state: npt.NDArray[np.uint64], count: int) -> int:
    """A number from 0 to `count` - 1 (0 < count < 2**31), by Lemire's multiply-shift (2019). The bias is below 2**-20 here."""
    return int(((draw(state) >> _S32) * np.uint64(count)) >> _S32)
