"""How often an interval of a wanted width holds the truth, added up exactly over all ways in which the trials may go."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from rules.arena.rating import LOOK, fixed_width, is_narrow


def coverage(width: float, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The probability that the interval holds each true share, and the mean number of trials."""
    held, trials = np.zeros(len(shares)), np.zeros(len(shares))
    alive, step = np.ones((len(shares), 1)), binom.pmf(np.arange(LOOK + 1), LOOK, shares[:, None])
    number = 0
    while (alive.sum(axis=1) > 1e-9).any():
        counts = np.zeros((len(shares), number + LOOK + 1))
        for k in range(LOOK + 1):
            counts[:, k : k + number + 1] += alive * step[:, k : k + 1]
        number += LOOK
        stops = np.array([is_narrow(n, number, width) for n in range(number + 1)])
        bounds = np.array([fixed_width(n, number, width)[1:] for n in range(number + 1)])
        holds = (bounds[:, 0] <= shares[:, None] + 1e-12) & (shares[:, None] - 1e-12 <= bounds[:, 1])
        held += (counts * stops * holds).sum(axis=1)
        trials += number * (counts * stops).sum(axis=1)
        alive = counts * ~stops
    return held, trials


@pytest.mark.slow
@pytest.mark.parametrize("width", [0.1, 0.07, 0.05, 0.03, 0.02])
def test_an_interval_of_a_wanted_width_holds_the_truth_in_95_of_100_cases(width):
    shares = np.concatenate([np.linspace(0.0005, 0.15, 60), np.linspace(0.15, 0.5, 40), [width - 1e-9, width + 1e-6]])
    held, _ = coverage(width, shares)
    assert held.min() >= 0.95


def test_a_share_near_1_needs_a_quarter_of_the_trials_of_an_even_one():
    _, trials = coverage(0.05, np.array([0.01, 0.5]))
    assert 4 * trials[0] < trials[1] < 500


def test_the_interval_ends_at_0_and_1():
    assert fixed_width(0, 96, 0.05) == (0.0, 0.0, 0.05)
    assert fixed_width(96, 96, 0.05) == (1.0, 0.95, 1.0)
