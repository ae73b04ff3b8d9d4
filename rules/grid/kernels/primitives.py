"""What kernels are made of inside compiled code: bits of a word, copies of arrays, random numbers.

Each of the first two is an instruction of the machine or a call of `memcpy`. Numba's own array
assignment needs reference counts, which kernels are compiled without.

Random numbers are those of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", 2014). The state is a `uint64[1]` that the caller owns. So every stream is an argument,
and the same seed gives the same results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from numba.core import cgutils, types
from numba.extending import intrinsic

from rules.grid.kernels.jit import njit_inline


def _lowest(typingctx: Any, word: Any) -> Any:  # noqa: ARG001 - numba calls all of these by their names
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.cttz(args[0], context.get_constant(types.boolean, 1))

    return types.int64(types.int64), code


def _highest(typingctx: Any, word: Any) -> Any:  # noqa: ARG001
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        zeros = builder.ctlz(args[0], context.get_constant(types.boolean, 1))
        return builder.xor(zeros, context.get_constant(types.int64, 63))

    return types.int64(types.int64), code


def _count(typingctx: Any, word: Any) -> Any:  # noqa: ARG001
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(args[0])

    return types.int64(types.int64), code


lowest = cast("Callable[[int], int]", intrinsic(_lowest))
"""The number of the lowest bit set in an int64 that is not 0; for compiled code only."""

highest = cast("Callable[[int], int]", intrinsic(_highest))
"""The number of the highest bit set in an int64 that is not 0; for compiled code only."""

count = cast("Callable[[int], int]", intrinsic(_count))
"""How many bits of an int64 are set; for compiled code only."""


def _copy(typingctx: Any, source: Any, target: Any) -> Any:  # noqa: ARG001 - numba calls all of these by their names
    if not (source.layout == target.layout == "C" and source.dtype == target.dtype):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        one, other = (
            context.make_array(t)(context, builder, value=v)
            for t, v in zip(signature.args, args, strict=True)
        )
        memcpy: Any = cgutils.raw_memcpy
        memcpy(builder, other.data, one.data, one.nitems, one.itemsize)
        return context.get_dummy_value()

    return types.void(source, target), code


copy = cast("Callable[[Any, Any], None]", intrinsic(_copy))
"""`copy(source, target)` copies a contiguous array into another of the same size and type; for
compiled code only.
"""


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
    """A number from 0 to `count` - 1 (0 < count < 2**31), by Lemire's multiply-shift (2019). The
    bias is below 2**-20 here.
    """
    return int(((draw(state) >> _S32) * np.uint64(count)) >> _S32)
