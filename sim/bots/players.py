"""The simple players of Tokyo Highway: `random` takes any legal proposal, `greedy` earns what it
can now; and the levels below full strength.

Both set the usual entrances and put buildings off the middle of the table. `greedy` lets physics
try its best few placements, and gives advice. Each knows the hand that it plays with.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sim.bodies import Floats
from sim.bots.outlook import look_ahead, way_to_earn
from sim.bots.proposals import Proposals, Sampling, grey, propose, set_up, stuck, without
from sim.bots.trials import Trials
from sim.bots.weighing import Hint, Planner, Weigher, middle_of_others
from sim.game import Position, Skill
from sim.referee import Placement, Table

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
class Greedy(Weigher):
    """Takes the placement that earns most cars now; among equals one that costs fewest discs; among
    those, any.

    It builds towards the nearest road that would earn it a car. It does not exit from its only base
    point while it has cars left.
    """

    name: str = "greedy"
    trials: Trials = _TRIALS

    def weighed(self, table: Table, rng: np.random.Generator) -> tuple[Proposals, Floats, None]:
        """The proposals, and what each is worth now."""
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
        return found, worth if way is None else worth - 0.001 * way, None


# --- the levels below full strength ---------------------------------------------------------------
# A person notices some of the places where a road could go, and misjudges what they are worth. The
# better ones also weigh what the next turns bring, and take a car that they see rather than save it
# for later. Of the places that it notices it takes the best.
# `benchmarks/strength.py ladder` measures the levels against each other.


_PLACE = 40.0  # mm: places nearer to each other than this count as one idea
_WIN = 1000.0  # cars: more than what is not noticed can hide
_UNSEEN = 100.0  # cars: subtracted from what is not noticed, so that it ranks after all that is
_IN_HAND = 0.5  # cars: what a car now counts beyond what it is worth


class Sight(NamedTuple):
    """How well a person sees: the share of the places that it notices; the error in what they are
    worth, in cars (its standard deviation); the share of what the next turns bring that it weighs
    (0: none, 1: all), which it works out for the `width` best places alone; how much of what discs
    are worth it knows; and whether it sees every place that wins at once.
    """

    notices: float
    error: float
    ahead: float = 0.0
    width: int = 0
    thrift: float = 1.0
    wins: bool = True


SIGHTS: dict[str, Sight] = {
    "first": Sight(0.12, 0.6, thrift=0.0, wins=False),
    "beginner": Sight(0.27, 0.43),
    "easy": Sight(0.45, 0.35, ahead=0.25, width=60),
    "medium": Sight(0.6, 0.4, ahead=0.5, width=90),
    "hard": Sight(0.9, 0.25, ahead=1.0, width=200),
}
"""By level; set so that neighbours are some 200 Elo points apart."""


@dataclass(frozen=True, slots=True)
class Person(Weigher):
    """Plays as a person of some strength; `mind` is what it would play if it saw everything."""

    name: str
    mind: Planner
    sight: Sight

    @property
    def trials(self) -> Trials:  # type: ignore[override]
        """The trials of its mind."""
        return self.mind.trials

    def analyse(self, state: Position, rng: np.random.Generator, most: int = 5) -> list[Hint]:
        """What `mind` advises."""
        return self.mind.analyse(state, rng, most)

    def weighed(self, table: Table, rng: np.random.Generator) -> tuple[Proposals, Floats, None]:
        """The proposals that this person looks at, and what it thinks that each is worth."""
        sight, w = self.sight, self.mind.weights
        careless = replace(w, discs=w.discs * sight.thrift, yellow=w.yellow * sight.thrift)
        found = propose(table, Sampling(72, 3, float(rng.random())))
        stock = table.stocks[table.to_move].cars
        worth = replace(self.mind, weights=careless).at_once(table, found)
        worth = worth + _IN_HAND * np.minimum(found.cars, stock) + self._mistaken(found, rng)
        if sight.wins:
            worth = np.where(found.cars >= stock, _WIN + worth, worth)
        if not sight.ahead or not len(found):
            return found, worth, None
        kept = np.argsort(-worth, kind="stable")[: sight.width]
        found = found.take(kept)
        brings = self.mind.prospect(table, found, look_ahead(table, found))
        return found, worth[kept] + sight.ahead * brings, None

    def _mistaken(self, found: Proposals, rng: np.random.Generator) -> Floats:
        """The error for each proposal: the same for all that are nearly in the same place."""
        ideas, of = np.unique(
            np.round(found.at / _PLACE).astype(np.int64), axis=0, return_inverse=True
        )
        errors = self.sight.error * rng.standard_normal(len(ideas))
        errors -= _UNSEEN * (rng.random(len(ideas)) >= self.sight.notices)
        return np.asarray(errors[of.ravel()])
