"""Copies arrays in compiled code. Numba's own array assignment needs reference counts, which kernels are compiled without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from numba.core import cgutils, types
from numba.extending import intrinsic

__all__ = ["copy"]


def _copy(typingctx: Any, source: Any, target: Any) -> Any:  # noqa: ARG001 - numba calls all of these by their names
    if not (source.layout == target.layout == "C" and source.dtype == target.dtype):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        one, other = (context.make_array(t)(context, builder, value=v) for t, v in zip(signature.args, args, strict=True))
        memcpy: Any = cgutils.raw_memcpy
        memcpy(builder, other.data, one.data, one.nitems, one.itemsize)
        return context.get_dummy_value()

    return types.void(source, target), code


copy = cast("Callable[[Any, Any], None]", intrinsic(_copy))
"""`copy(source, target)` copies a contiguous array into another of the same size and type; for compiled code only."""
