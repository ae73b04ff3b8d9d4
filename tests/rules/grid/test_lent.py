"""Compiled functions read a tuple by its address as Python reads it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from rules.grid.kernels import jit
from rules.grid.kernels.lent import Lent


class Mixed(NamedTuple):
    """Fields of every width and kind."""

    flag: Any
    small: Any
    share: Any
    numbers: Any
    grid: Any


@jit.njit_linked
def raised(m: Any, k: int) -> float:
    m.numbers[k] += m.share
    return float(m.grid[k, 1] + m.small) if m.flag else -1.0


@jit.njit_linked
def twice_raised(m: Any, k: int) -> float:
    first = raised(m, k)
    m.grid[k, 1] += 10  # the second call sees it, though the tuple is the same
    return first + raised(m, k)


@jit.njit_entry
def both(m: Any, k: int) -> float:
    other = Mixed(not m.flag, m.small, m.share * 2, m.numbers, m.grid)
    return twice_raised(m, k) + 1000 * raised(other, k)


@pytest.mark.parametrize("flag", [True, False])
def test_a_tuple_by_its_address_is_the_tuple(flag):
    def made() -> Mixed:
        grid = np.arange(6).reshape(3, 2)
        return Mixed(flag, np.int8(-3), 0.25, np.array([1.5, 2.5, 3.5]), grid)

    mine, theirs = made(), made()
    k = 2
    first = theirs.grid[k, 1] - 3 if flag else -1.0
    second = theirs.grid[k, 1] + 10 - 3 if flag else -1.0
    third = -1.0 if flag else theirs.grid[k, 1] + 10 - 3
    assert both(mine, k) == first + second + 1000 * third
    assert mine.numbers.tolist() == [1.5, 2.5, 3.5 + 4 * 0.25]
    assert mine.grid[k, 1] == theirs.grid[k, 1] + 10
    if jit.LINKS:
        assert all(isinstance(one[0], Lent) for one in raised.signatures)
