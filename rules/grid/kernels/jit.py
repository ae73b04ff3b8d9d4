"""How kernels are compiled: `rule` for functions that are called from outside, `part` for what they are made of.

Both leave out numba's reference counts, which are atomic and cost more than the work of a small function, so neither may make
an array; `parts` are merged into their callers, as handing over a handful of arrays costs as much again. Whoever calls a
rule makes its arrays.

`at` makes an index unsigned, for the loops where most time is spent: numba asks of every other index whether it counts from the
end, which takes as long as the rest of a short sum. It must not be negative.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba as nb
import numpy as np

__all__ = ["at", "part", "rule"]

at = np.uint64

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"cache": True, "_nrt": False}


def rule(function: F) -> F:
    """Compiled without reference counts: may not make arrays."""
    return cast("F", nb.njit(**_OPTIONS)(function))


def part(function: F) -> F:
    """Compiled like `rule` and merged into every compiled caller."""
    return cast("F", nb.njit(forceinline=True, **_OPTIONS)(function))
