"""Estimates from counts, with their uncertainty."""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["LOOK", "Z95", "Interval", "fixed_width", "is_narrow", "wilson"]

Z95 = 1.959963984540054
"""A normal distribution has 95 % of its weight within this many standard deviations of its mean."""


class Interval(NamedTuple):
    """An estimate and the bounds of its 95 % confidence interval."""

    value: float
    low: float
    high: float


def wilson(successes: float, trials: int) -> Interval:
    """The share successes / trials with its 95 % score interval (Wilson 1927), which also holds near 0 and 1; trials >= 1."""
    share, z2 = successes / trials, Z95**2
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = Z95 * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    low = 0.0 if successes == 0 else middle - half
    return Interval(share, low, 1.0 if successes == trials else middle + half)


# --- sampling until the interval is narrow enough ----------------------------------------------------------------------------
# Stopping as soon as the usual interval looks narrow would bias it: the runs that stop early are those that looked sure by
# luck. So the stopping rule is fixed beforehand, after Frey (The American Statistician 64, 2010). It is applied at multiples of
# LOOK trials, and the interval is the share +- the wanted width. Its exact coverage is the sum of the probabilities of all ways
# to stop with the true share inside: 95 % or more at every true share, for widths from 0.1 down to 0.02.
# tests/rules/arena/test_estimates.py adds them up.

LOOK = 16
"""Trials between two looks."""

_Z = 2.1
_PRIOR = 4.0  # imaginary trials of each outcome, added to estimate the spread: a short run of equal outcomes proves little


def is_narrow(successes: int, trials: int, width: float) -> bool:
    """Whether these trials are enough for an interval of +- `width`. Call it at multiples of LOOK trials only."""
    share = (successes + _PRIOR) / (trials + 2 * _PRIOR)
    return _Z * math.sqrt(share * (1 - share) / trials) <= width


def fixed_width(successes: int, trials: int, width: float) -> Interval:
    """The share with its 95 % interval of +- `width`, at the first look at which it `is_narrow`."""
    share = successes / trials
    return Interval(share, max(share - width, 0.0), min(share + width, 1.0))
