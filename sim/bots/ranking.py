"""What placements are worth at once, and a short ranked list of them, the same for the same table:
numbered actions for learners.

The best by what they earn and spend now come first, and places that resemble an earlier one of the
same kind are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.bots.proposals import Proposals, Sampling, building, propose, without
from sim.referee.placement import Placement
from sim.referee.table import Table

__all__ = ["Ranked", "grey", "ranked", "set_up", "stuck"]

_STUCK = 3.0  # cars: what it costs to be left without a base point
_FAN = Sampling(72, 4)
_APART = 15.0  # mm: nearer places for the same kind of road are one proposal
# cars that a disc is worth, so that of two placements that earn the same the cheaper comes first
_GREY, _YELLOW = (
    0.01,
    0.03,
)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Legal placements of the seat to move, best first, one at least; `cars` are those that each
    earns.
    """

    moves: tuple[Placement, ...]
    cars: tuple[int, ...]


def ranked(table: Table, most: int) -> Ranked:
    """At most so many placements of a table in play; for a seat that finds none, its missed turn or
    what the referee finds.
    """
    found = propose(table, _FAN)
    if not len(found):
        return Ranked((without(table),), (0,))
    chosen = found.take(_spread(table, found, most))
    return Ranked(
        tuple(chosen.placement(row) for row in range(len(chosen))), tuple(chosen.cars.tolist())
    )


def set_up(table: Table, rng: np.random.Generator) -> Placement:
    """The usual placement before the play: the entrance, or a building off the middle of the
    table.
    """
    return (
        table.default_entrance(table.to_move)
        if table.phase == "entrances"
        else building(table, rng)
    )


def grey(found: Proposals) -> npt.NDArray[np.int64]:
    """The grey discs that each proposal spends."""
    return np.maximum(found.discs - found.junction, 0)


def stuck(table: Table, found: Proposals) -> npt.NDArray[np.float64]:
    """What it costs to use up the only base point while cars are left, in cars."""
    if len(table.base_points(table.to_move)) > 1:
        return np.zeros(len(found))
    return np.where(
        (found.discs == 0) & (found.cars < table.stocks[table.to_move].cars), _STUCK, 0.0
    )


def _spread(table: Table, found: Proposals, most: int) -> npt.NDArray[np.int64]:
    """The rows of the best proposals that do not resemble each other, best first."""
    worth = found.cars - _GREY * grey(found) - _YELLOW * found.junction - stuck(table, found)
    chosen: list[int] = []
    open_rows = np.argsort(-worth, kind="stable")
    while len(open_rows) and len(chosen) < most:
        best = int(open_rows[0])
        chosen.append(best)
        alike = (found.kind[open_rows] == found.kind[best]) & (
            np.hypot(*(found.at[open_rows] - found.at[best]).T) < _APART
        )
        open_rows = open_rows[~alike]
    return np.array(chosen, dtype=np.int64)
