"""The planner that searches: the best candidates of `sim.bots.weighing` are played on to the end of
the game, many times.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sim.bots.advice import Hint
from sim.bots.choosing import chosen, hints, set_up, set_up_hints
from sim.bots.outlook import Outlook
from sim.bots.proposals import Proposals
from sim.bots.search import CAR, SURE, Budget, chances_of
from sim.bots.sketch import POLICY, Policy, Sketch
from sim.bots.trials import alike
from sim.bots.weighing import Planner
from sim.game.attempts.hand import Skill
from sim.game.highway import Position
from sim.game.ply import play
from sim.referee.placement import Placement
from sim.referee.table import Table

__all__ = ["Searcher"]

Floats = npt.NDArray[np.float64]

_APART = 30.0  # mm: nearer places are one candidate
_BEHIND = 5.0  # cars: subtracted from what is no candidate, so that it ranks after all that are
_STANDING = 300  # playouts that estimate a seat's chance to win
_BUDGET = Budget()
_PLANNER = Planner()


@dataclass(frozen=True, slots=True)
class Searcher:
    """Plays the best `candidates` of `first` on to the end of the game and takes the one that wins
    most often. Physics and its own hand then try the best, as they do for `first`.
    """

    name: str = "planner"
    first: Planner = _PLANNER
    budget: Budget = _BUDGET
    candidates: int = 24
    policy: Policy = POLICY

    @property
    def skill(self) -> Skill | None:
        """The hand it plays with."""
        return self.first.skill

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """A legal placement; all chance comes from `rng`."""
        if state.table.phase != "play":
            return set_up(state.table, rng)
        found, worth, _, _ = self._searched(state.table, rng)
        return chosen(state, found, worth, self.first.trials, rng)

    def analyse(self, state: Position, rng: np.random.Generator, most: int = 5) -> list[Hint]:
        """The best placements that do not resemble each other, at most `most`, tried by physics,
        with the chance to win.
        """
        if state.table.phase != "play":
            return set_up_hints(state.table, rng)
        found, worth, seen, chances = self._searched(state.table, rng)
        told = hints(state, found, worth, seen, self.first.trials, rng, most)
        return [replace(hint, chance=1.0 if hint.wins else chances.get(hint.move)) for hint in told]

    def standing(
        self, state: Position, rng: np.random.Generator, move: Placement | None = None
    ) -> list[float]:
        """The chance of each seat to win, after a move if one is given: the share of playouts, on
        geometry alone.
        """
        table = state.table if move is None else play(state.table, move, "none")[1]
        outcome, seats = table.outcome(), range(len(table.stocks))
        if outcome is not None:
            return [(seat in outcome.winners) / max(len(outcome.winners), 1) for seat in seats]
        sketch, seed = Sketch.of_table(table, self.policy), int(rng.integers(2**62))
        return [sketch.play(seat, _STANDING, seed) / _STANDING for seat in seats]

    def _searched(
        self, table: Table, rng: np.random.Generator
    ) -> tuple[Proposals, Floats, Outlook, dict[Placement, float]]:
        """The proposals, what they are worth in cars, the outlook of each, and the chances to win
        of those played on.
        """
        begin = self.budget.clock()
        found, worth, seen = self.first.weighed(table, rng)
        rows = self._different(found, worth)
        if not rows or found.cars[rows[0]] >= table.stocks[table.to_move].cars:
            return found, worth, seen, {}
        after = self._after(table, found, rows)
        sure = np.asarray(SURE * found.cars[rows], dtype=np.float64)
        spent = self.budget.clock() - begin
        chances = chances_of(after, table.to_move, worth[rows], sure, self.budget, rng, spent)
        searched = worth - worth[rows[0]] - _BEHIND
        in_hand = chances + sure
        searched[rows] = (in_hand - in_hand.max()) / CAR - self.first.tight(seen)[rows]
        moves = [found.placement(row) for row in rows]
        return found, searched, seen, dict(zip(moves, chances.tolist(), strict=True))

    def _after(self, table: Table, found: Proposals, rows: list[int]) -> list[Sketch]:
        """The table after each of some proposals, none of which wins."""
        now, rank = (
            Sketch.of_table(table, self.policy),
            {pillar.id: row for row, pillar in enumerate(table.pillars)},
        )
        some = [
            (found.kinds[int(found.kind[row])], found.at[row].tolist(), int(found.cars[row]))
            for row in rows
        ]
        return [
            now.after(rank[kind.base], at, kind.discs, kind.junction, cars)
            for kind, at, cars in some
        ]

    def _different(self, found: Proposals, worth: Floats) -> list[int]:
        """The rows of the best proposals that do not resemble each other."""
        rows, moves = list[int](), list[Placement]()
        for row in np.argsort(-worth, kind="stable").tolist():
            move = found.placement(row)
            if not any(alike(move, other, _APART) for other in moves):
                rows.append(row)
                moves.append(move)
            if len(rows) == self.candidates:
                break
        return rows
