"""Estimates from counts, with their uncertainty."""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["Z95", "Interval", "wilson"]

Z95 = 1.959963984540054
"""A normal distribution has 95 % of its weight within this many standard deviations of its mean."""


class Interval(NamedTuple):
    """An estimate and the bounds of its 95 % confidence interval."""

    value: float
    low: float
    high: float


def wilson(successes: int, trials: int) -> Interval:
    """The share successes / trials with its 95 % score interval (Wilson 1927), which also holds near 0 and 1; trials >= 1."""
    share, z2 = successes / trials, Z95**2
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = Z95 * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    low = 0.0 if successes == 0 else middle - half
    return Interval(share, low, 1.0 if successes == trials else middle + half)
