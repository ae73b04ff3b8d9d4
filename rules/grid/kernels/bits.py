"""Bits of a word inside compiled code, one machine instruction each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from numba.core import types
from numba.extending import intrinsic

__all__ = ["count", "highest", "lowest"]


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
