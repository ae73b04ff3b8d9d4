"""Search: how good some candidates are, by playing each on to the end of the game many times (`sim.bots.playouts`).

Sequential halving (Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits, 2013) shares the playouts out:
after each round the worse half of the candidates is given up. The planner's first opinion on a candidate counts as a few
playouts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim import referee
from sim.bots.sketch import Policy, Sketch
from sim.game.attempts.attempt import Attempt
from sim.game.ply import judged
from sim.game.sources import Nominal
from sim.referee.placement import Placement
from sim.referee.table import Table

__all__ = ["CAR", "SURE", "Budget", "chances_of"]

Floats = npt.NDArray[np.float64]

CAR = 0.08
"""By how much a car raises the chance to win, in the planner's first opinion."""

SURE = 0.03
"""What a car of this turn counts beyond the chance to win: it is taken unless waiting wins clearly more games."""

_TRUST = 20.0  # playouts that the first opinion counts for
_BATCH = 25  # playouts of a candidate at a time


@dataclass(frozen=True, slots=True)
class Budget:
    """How long the choice of a move may take: so many `seconds` of the clock, or so many `playouts` if `seconds` is 0."""

    playouts: int = 4000
    seconds: float = 0.0
    clock: Callable[[], float] = time.perf_counter


@dataclass(slots=True)
class _Candidate:
    """The table after a move: `sketch` is None if the game is over there, `won` is then what the seat got."""

    sketch: Sketch | None
    won: float = 0.0
    prior: float = 0.0
    total: float = 0.0
    count: int = 0

    @property
    def mean(self) -> float:
        return self.total / max(self.count, 1)

    @property
    def chance(self) -> float:
        """The chance to win, with the first opinion in it."""
        return (self.total + _TRUST * self.prior) / (self.count + _TRUST)

    def play(self, seat: int, seed: int) -> None:
        self.total += self.won * _BATCH if self.sketch is None else self.sketch.play(seat, _BATCH, seed)
        self.count += _BATCH


def chances_of(
    table: Table,
    moves: Sequence[Placement],
    worth: Floats,
    policy: Policy,
    budget: Budget,
    rng: np.random.Generator,
    spent: float = 0.0,
) -> Floats:
    """The chance to win after each of the moves, for the seat to move; `worth` is the first opinion of them, in cars.

    `spent` are the seconds of the budget that went into this opinion.
    """
    begin = budget.clock() - spent
    seat, seed = table.to_move, int(rng.integers(2**62))
    some = [_candidate(table, move, policy) for move in moves]
    for one in some:
        one.play(seat, seed)
    middle = float(np.mean([one.mean for one in some]))
    for one, ahead in zip(some, (worth - worth.mean()).tolist(), strict=True):
        one.prior = min(max(middle + CAR * ahead, 0.01), 0.99)
    rounds = max(math.ceil(math.log2(len(some))), 1)
    played, ready = len(some) * _BATCH, budget.clock()
    left = budget.seconds - (ready - begin)
    active = list(some)
    for stage in range(1, rounds + 1):
        share = stage / rounds
        while budget.clock() - ready < left * share if budget.seconds else played < budget.playouts * share:
            for one in active:
                one.play(seat, seed + one.count)
            played += len(active) * _BATCH
        active = sorted(active, key=lambda one: -one.chance)[: max(math.ceil(len(active) / 2), 2)]
    return np.array([one.chance for one in some])


def _candidate(table: Table, move: Placement, policy: Policy) -> _Candidate:
    """The table after a move, on geometry alone."""
    _, after, _ = judged(referee.check(table, move), [Attempt(Nominal())])
    outcome = after.outcome()
    if outcome is None:
        return _Candidate(Sketch.of_table(after, policy))
    return _Candidate(None, (table.to_move in outcome.winners) / max(len(outcome.winners), 1))
