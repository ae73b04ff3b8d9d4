"""Damped least squares (Levenberg 1944, Marquardt 1963): one descent for all that photos have to
solve.
"""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from sim.bodies import Floats

T = TypeVar("T")

_FIRST, _LEAST, _TRIES = 1e-3, 1e-9, 8  # damping to begin with, and at least; dampings of one step


def descended(
    vector: Floats,
    look: Callable[[Floats], T | None],
    cost: Callable[[T], float],
    normal: Callable[[T], tuple[Floats, Floats]],
    *,
    steps: int,
    enough: Callable[[float, float], bool],
) -> tuple[Floats, float]:
    """Where the cost is least from `vector` (n,) downhill, and that cost.

    `look` linearises at a vector, or says None where none is allowed; of what it returns `cost` is
    the cost, `normal` the normal matrix (n, n) and the gradient (n,). It ends after so many steps,
    or when `enough(before, after)` says that a step mended too little to go on.
    """
    here = look(vector)
    assert here is not None, "the first guess is allowed"
    least, damping = cost(here), _FIRST
    for _ in range(steps):
        before = least
        square, slope = normal(here)
        for _ in range(_TRIES):
            damped = square + np.diag(np.diag(square) * damping)
            after = vector - np.linalg.solve(damped, slope)
            there = look(after)
            if there is not None and cost(there) < least:
                vector, here, least = after, there, cost(there)
                damping = max(damping * 0.2, _LEAST)
                break
            damping = max(damping * 8, 1e-4)
        if enough(before, least):
            break
    return vector, least
