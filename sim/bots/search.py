"""Search: how good some candidates are, by playing each on to the end of the game many times
(`sim.bots.playouts`).

Sequential halving (Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits,
2013) shares the playouts out: after each round the worse half of the candidates is given up. The
planner's first opinion on a candidate counts as a few playouts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.bots.sketch import Sketch

__all__ = ["CAR", "SURE", "Budget", "chances_of"]

Floats = npt.NDArray[np.float64]

CAR = 0.08
"""By how much a car raises the chance to win, in the planner's first opinion."""

SURE = 0.03
"""What a car of this turn counts beyond the chance to win: it is taken unless waiting wins clearly
more games.
"""

_TRUST = 20.0  # playouts that the first opinion counts for
# seconds of a tick of the coarsest clock of a process; a shorter time says nothing about the speed
_TICK = 1 / 64
_FIRST = 12  # playouts of every candidate before the first half of them is given up


@dataclass(frozen=True, slots=True)
class Budget:
    """How long the choice of a move may take: so many `seconds` of the clock, or so many `playouts`
    if `seconds` is 0.
    """

    playouts: int = 4000
    seconds: float = 0.0
    clock: Callable[[], float] = time.perf_counter


@dataclass(slots=True, eq=False)
class _Candidate:
    """The table after a move, the first opinion of it, what it counts beyond the chance to win, and
    what was played so far.
    """

    sketch: Sketch
    extra: float
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

    @property
    def value(self) -> float:
        """What candidates are compared by."""
        return self.chance + self.extra

    def play(self, seat: int, times: int, seed: int) -> None:
        self.total += self.sketch.play(seat, times, seed + self.count)
        self.count += times


def chances_of(
    after: Sequence[Sketch],
    seat: int,
    worth: Floats,
    extra: Floats,
    budget: Budget,
    rng: np.random.Generator,
    spent: float = 0.0,
) -> Floats:
    """The chance of a seat to win after each of its moves; `after` is the table there, where nobody
    has won yet.

    `worth` is the first opinion of them, in cars; `extra` is what each counts beyond the chance to
    win. `spent` are the seconds of the budget that went into the opinion. A move that was given up
    never counts more than those that were not.
    """
    begin = budget.clock()
    seed = int(rng.integers(2**62))
    some = [_Candidate(sketch, more) for sketch, more in zip(after, extra.tolist(), strict=True)]
    for one in some:
        one.play(seat, _FIRST, seed)
    middle = float(np.mean([one.mean for one in some]))
    for one, ahead in zip(some, (worth - worth.mean()).tolist(), strict=True):
        one.prior = min(max(middle + CAR * ahead, 0.01), 0.99)
    active = list(some)
    for left in range(max(math.ceil(math.log2(len(some))), 1), 0, -1):
        played, now = sum(one.count for one in some), budget.clock()
        if budget.seconds:  # as many as the time left allows at the speed so far
            still = (budget.seconds - spent - (now - begin)) * played / max(now - begin, _TICK)
        else:
            still = float(budget.playouts - played)
        times = round(still / (left * len(active)))
        for one in active if times > 0 else ():
            one.play(seat, times, seed)
        active = sorted(active, key=lambda one: -one.value)[: max(math.ceil(len(active) / 2), 2)]
    least = min(one.value for one in active)
    return np.array(
        [
            min(one.chance, max(least - one.extra, 0.0)) if one not in active else one.chance
            for one in some
        ]
    )
