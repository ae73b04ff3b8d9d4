"""The planner that searches: the best candidates of the first opinion are played on, several turns ahead."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sim.bots.choosing import chosen, set_up
from sim.bots.planner import Planner
from sim.bots.proposals import Proposals
from sim.bots.search import Budget, estimates
from sim.bots.trials import Trials, alike
from sim.game.attempts.hand import Skill
from sim.game.highway import Position
from sim.referee.placement import Placement
from sim.referee.table import Table

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Searcher:
    name: str = "planner"
    first: Planner = field(default_factory=Planner)
    budget: Budget = Budget()
    candidates: int = 10
    near: float = 30.0

    @property
    def trials(self) -> Trials:
        return self.first.trials

    @property
    def skill(self) -> Skill | None:
        return self.first.skill

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        table = state.table
        if table.phase != "play":
            return set_up(table, rng)
        found, worth = self._weighed(table, rng)
        return chosen(state, found, worth, self.trials, rng)

    def _weighed(self, table: Table, rng: np.random.Generator) -> tuple[Proposals, Floats]:
        found, worth, _ = self.first.weighed(table, rng)
        if not len(found):
            return found, worth
        rows = self._different(found, worth)
        stock = table.stocks[table.to_move].cars
        if len(rows) == 1 or found.cars[rows[0]] >= stock:
            return found, worth
        chance = np.array(estimates(table, [found.placement(row) for row in rows], worth[rows], self.budget, rng))
        searched = worth - worth[rows[0]] - 5.0
        searched[rows] = (chance - chance.max()) / 0.08
        return found, searched

    def _different(self, found: Proposals, worth: Floats) -> list[int]:
        rows: list[int] = []
        moves: list[Placement] = []
        for row in np.argsort(-worth, kind="stable").tolist():
            move = found.placement(row)
            if not any(alike(move, other, self.near) for other in moves):
                rows.append(row)
                moves.append(move)
            if len(rows) == self.candidates:
                break
        return rows
