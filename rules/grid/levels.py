"""Players of the grid games that see no more than a person of some strength: the levels below full
strength.

A person picks out a few moves that look good, looks a ply or two ahead, and misjudges the results.
So such a player searches the moves that look best at first sight to a small depth, adds a random
error to each value, and plays the best one. A move that decides the game at once is worth so much
that no error hides it; quiet mistakes are frequent. `benchmarks/strength.py ladder`
measures the levels against each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from rules.grid.base import GridMove, GridPosition


class Sight(NamedTuple):
    """How well a person sees: so many plies ahead, so many moves, with an error of the logarithm of
    the odds (its standard deviation). A game sets them so that neighbouring levels are some 200 Elo
    points apart.
    """

    depth: int
    moves: int
    error: float


_CERTAIN = 20.0  # the logarithm of the odds that a decided game counts as: more than any error


class _Known(Protocol):
    """What a move is known to be worth."""

    @property
    def move(self) -> GridMove:
        """The move."""
        ...

    @property
    def chance(self) -> float:
        """The chance to win after it."""
        ...


class _Adviser(Protocol):
    """A player that searches."""

    def analyse(self, state: GridPosition, rng: np.random.Generator, most: int) -> Sequence[_Known]:
        """The best moves, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Person:
    """Plays as a person of some strength; `mind` searches as deep as the person does."""

    name: str
    mind: _Adviser
    sight: Sight

    def choose(self, state: GridPosition, rng: np.random.Generator) -> GridMove:
        """The move that looks best to this person."""
        seen = self.mind.analyse(state, rng, self.sight.moves)
        errors = self.sight.error * rng.standard_normal(len(seen))
        return seen[int(np.argmax([_odds(one.chance) for one in seen] + errors))].move

    def analyse(
        self, state: GridPosition, rng: np.random.Generator, most: int = 5
    ) -> Sequence[_Known]:
        """What the person would find without errors."""
        return self.mind.analyse(state, rng, most)


def _odds(chance: float) -> float:
    """The logarithm of the odds of a chance."""
    if not 0.0 < chance < 1.0:
        return _CERTAIN if chance else -_CERTAIN
    return min(max(math.log(chance / (1.0 - chance)), -_CERTAIN), _CERTAIN)
