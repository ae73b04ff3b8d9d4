"""The chance of each seat to win from a table, as a logistic function of what it has and what it needs.

The weights were fitted to the results of games on geometry alone, by maximum likelihood: `python benchmarks/chance.py` makes
them anew. With n seats the chance is the softmax of their scores.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sim.bots.proposals import Sampling, propose
from sim.referee.legality.obstacles import as_seat
from sim.referee.table import Table

__all__ = ["FEATURES", "chances", "features"]

Floats = npt.NDArray[np.float64]

FEATURES = ("cars left", "to move", "could earn", "plenty of discs", "no disc", "roads left", "more than one base point")
WEIGHTS = np.array([-0.9, 0.5, 0.5, 0.3, -1.0, 0.02, 0.2])

_LOOK = Sampling(24, 2)


def features(table: Table) -> Floats:
    """What the chance is read from: (seats, features)."""
    rows = [_of(table, seat) for seat in range(table.turns.seats)]
    return np.array(rows, dtype=np.float64)


def chances(table: Table, weights: Sequence[float] | Floats = WEIGHTS) -> Floats:
    """The chance of each seat to win, (seats,); after the end 1 is shared by the winners."""
    outcome = table.outcome()
    if outcome is not None:
        won = np.zeros(table.turns.seats)
        won[list(outcome.winners)] = 1.0
        return won / max(won.sum(), 1.0)
    scores = features(table) @ np.asarray(weights)
    scores = np.where([seat in table.turns.active for seat in range(table.turns.seats)], scores, -30.0)
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum())


def _of(table: Table, seat: int) -> list[float]:
    stock = table.stocks[seat]
    points = len(table.base_points(seat))
    found = propose(as_seat(table, seat), _LOOK) if stock.roads and points else None
    earns = min(int(found.cars.max(initial=0)), stock.cars) if found is not None else 0
    discs = stock.grey + stock.yellow
    return [
        float(stock.cars),
        float(table.to_move == seat),
        float(earns),
        min(discs, 10) / 10.0,
        float(not discs or not points),
        float(stock.roads),
        float(points > 1),
    ]
