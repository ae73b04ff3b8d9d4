"""The simple players of Tokyo Highway: `random` takes any legal proposal, `greedy` earns what it
can now.

Both set the usual entrances and put buildings off the middle of the table. `greedy` lets physics
try its best few placements, and gives advice. Each knows the hand that it plays with.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.bots.advice import Hint
from sim.bots.choosing import chosen, hints, middle_of_others, set_up, set_up_hints
from sim.bots.outlook import way_to_earn
from sim.bots.proposals import Proposals, Sampling, propose, without
from sim.bots.ranking import grey, stuck
from sim.bots.trials import Trials
from sim.game.attempts.hand import Skill
from sim.game.highway import Position
from sim.referee.placement import Placement
from sim.referee.table import Table

__all__ = ["Greedy", "Random"]

Floats = npt.NDArray[np.float64]

_TRIALS = Trials()


@dataclass(frozen=True, slots=True)
class Random:
    """Any legal placement among 72 bearings and 5 distances of every base point and height; all are
    equally likely.
    """

    name: str = "random"
    skill: Skill | None = None

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """A legal placement; all chance comes from `rng`."""
        table = state.table
        if table.phase != "play":
            return set_up(table, rng)
        found = propose(table, Sampling(72, 5, float(rng.random())))
        return found.placement(int(rng.integers(len(found)))) if len(found) else without(table)


@dataclass(frozen=True, slots=True)
class Greedy:
    """Takes the placement that earns most cars now; among equals one that costs fewest discs; among
    those, any.

    It builds towards the nearest road that would earn it a car. It does not exit from its only base
    point while it has cars left.
    """

    name: str = "greedy"
    trials: Trials = _TRIALS

    @property
    def skill(self) -> Skill | None:
        """The hand it plays with."""
        return self.trials.skill

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """A legal placement; all chance comes from `rng`."""
        table = state.table
        if table.phase != "play":
            return set_up(table, rng)
        return chosen(state, *self._weighed(table, rng), self.trials, rng)

    def analyse(self, state: Position, rng: np.random.Generator, most: int = 5) -> list[Hint]:
        """The best placements that do not resemble each other, at most `most`, each tried by
        physics.
        """
        if state.table.phase != "play":
            return set_up_hints(state.table, rng)
        return hints(state, *self._weighed(state.table, rng), None, self.trials, rng, most)

    def _weighed(self, table: Table, rng: np.random.Generator) -> tuple[Proposals, Floats]:
        found = propose(table, Sampling(72, 3, float(rng.random())))
        earned = np.minimum(found.cars, table.stocks[table.to_move].cars)
        worth = (
            earned
            - 0.01 * grey(found)
            - 0.03 * found.junction
            - stuck(table, found)
            + 0.005 * rng.random(len(found))
        )
        way = way_to_earn(table, found.at)
        if way is None and (goal := middle_of_others(table)) is not None:
            way = np.hypot(*(found.at - goal).T)
        return found, worth if way is None else worth - 0.001 * way
