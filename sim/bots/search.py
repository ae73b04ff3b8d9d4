"""Search: how good a few candidates are, by playing each on to the end of the game many times (`sim.bots.playouts`).

Sequential halving (Karnin, Koren and Somekh 2013) shares the playouts out: after each round the worse half of the candidates is
given up. The first opinion on a candidate counts as a few playouts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim import referee
from sim.bots.planner import Weights
from sim.bots.sketch import Sketch
from sim.game.attempts.attempt import Attempt
from sim.game.ply import judged
from sim.game.sources import Nominal
from sim.referee.placement import Placement
from sim.referee.table import Table

__all__ = ["Budget", "estimates", "played"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a search goes on: `seconds` of the clock, or a number of playouts if that is above 0."""

    seconds: float = 1.0
    playouts: int = 0
    clock: Callable[[], float] = time.perf_counter
    batch: int = 25
    trust: float = 20.0
    car: float = 0.06
    noise: float = 0.3


@dataclass(slots=True)
class _Candidate:
    after: Table
    sketch: Sketch
    prior: float
    total: float = 0.0
    count: int = 0

    def chance(self, trust: float) -> float:
        return (self.total + trust * self.prior) / (self.count + trust) if self.count + trust else self.prior


def estimates(table: Table, moves: Sequence[Placement], worth: Floats, budget: Budget, rng: np.random.Generator) -> list[float]:
    """The chance to win after each of the moves, for the seat to move; `worth` is the first opinion of them, in cars."""
    seat = table.to_move
    w = Weights()
    some = []
    for move in moves:
        after = played(table, move)
        some.append(_Candidate(after, Sketch.of_table(after, w.discs, w.yellow, w.near, budget.noise), 0.0))
    seed = int(rng.integers(2**62))
    rounds = max(math.ceil(math.log2(len(some))), 1)
    begin, spent, number = budget.clock(), 0, 0
    active = list(some)
    for stage in range(1, rounds + 1):
        while True:
            for one in active:
                if one.after.outcome() is not None:
                    won = one.after.outcome().winners
                    one.total += budget.batch * (seat in won) / len(won)
                else:
                    one.total += one.sketch.play(seat, budget.batch, seed + 1000003 * number)
                one.count += budget.batch
                spent += budget.batch
            number += 1
            if budget.playouts:
                if spent >= budget.playouts * stage / rounds:
                    break
            elif budget.clock() - begin >= budget.seconds * stage / rounds:
                break
        if stage == 1:  # the first opinion is about differences
            mean = sum(one.total for one in some) / sum(one.count for one in some)
            for one, value in zip(some, worth - worth.mean(), strict=True):
                one.prior = min(max(mean + budget.car * float(value), 0.01), 0.99)
        active = sorted(active, key=lambda one: -one.chance(budget.trust))[: max(math.ceil(len(active) / 2), 2)]
    return [one.chance(budget.trust) for one in some]


def played(table: Table, move: Placement) -> Table:
    """The table after a move, on geometry alone."""
    return judged(referee.check(table, move), [Attempt(Nominal())])[1]
