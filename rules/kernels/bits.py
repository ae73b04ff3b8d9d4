"""Two machine instructions that compiled code has no name for: how many bits of a word are set, and which is the lowest.

Plain Python cannot call them; both are for use inside kernels.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

__all__ = ["lowest_bit", "popcount"]


@intrinsic
def popcount(_context: Any, word: Any) -> Any:
    """How many bits of an int64 are set."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest_bit(_context: Any, word: Any) -> Any:
    """The number of the lowest bit set in an int64; 64 if none is."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate
