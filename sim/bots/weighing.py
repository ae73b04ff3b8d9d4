"""The planner: weighs the cars of this turn against the opponents' best replies and its own next
turn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.bots.advice import Hint
from sim.bots.choosing import chosen, goes_on, hints, middle_of_others, set_up, set_up_hints
from sim.bots.outlook import Outlook, look_ahead, way_to_earn
from sim.bots.proposals import Proposals, Sampling, propose
from sim.bots.ranking import grey, stuck
from sim.bots.trials import Trials
from sim.game.attempts.hand import Skill
from sim.game.highway import Position
from sim.referee.placement import Placement
from sim.referee.table import Table

__all__ = ["Planner", "Weights"]

Floats = npt.NDArray[np.float64]

_TRIALS = Trials()
_WIN = 10.0  # cars: more than anything else can be worth


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth to the planner, in cars.

    `ahead`: a car that it could earn next turn. `denied`: a car that an opponent could earn next.
    `opened`: a free side of the new road that an opponent can reach. `discs`: all grey discs left,
    spent at once. `yellow`: a yellow disc. `open_end`: a second base point. `near`: being 100 mm
    closer to the open ends of others. `way`: used instead of `near` if a turn goes on until a car
    was placed; being 100 mm closer to a road that would earn one. `tight`: no room at all; `room`
    mm are enough for a hand that never errs.
    """

    ahead: float = 0.6
    denied: float = 0.5
    opened: float = 0.05
    discs: float = 1.5
    yellow: float = 0.2
    open_end: float = 0.3
    near: float = 0.25
    way: float = 0.5
    tight: float = 0.3
    room: float = 1.5


@dataclass(frozen=True, slots=True)
class Planner:
    """Weighs the cars of this turn against the opponents' best replies and its own next turn
    (`sim.bots.outlook`). Physics and its own hand then try the best. It examines at most `width`
    placements closely.
    """

    name: str = "planner"
    trials: Trials = _TRIALS
    weights: Weights = Weights()
    width: int = 400

    @property
    def skill(self) -> Skill | None:
        """The hand it plays with."""
        return self.trials.skill

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """A legal placement; all chance comes from `rng`."""
        table = state.table
        if table.phase != "play":
            return set_up(table, rng)
        return chosen(state, *self.weighed(table, rng)[:2], self.trials, rng)

    def analyse(self, state: Position, rng: np.random.Generator, most: int = 5) -> list[Hint]:
        """The best placements that do not resemble each other, at most `most`, each tried by
        physics.
        """
        if state.table.phase != "play":
            return set_up_hints(state.table, rng)
        return hints(state, *self.weighed(state.table, rng), self.trials, rng, most)

    def weighed(self, table: Table, rng: np.random.Generator) -> tuple[Proposals, Floats, Outlook]:
        """The proposals that are examined closely, what each is worth in cars, and its outlook."""
        found = propose(table, Sampling(72, 3, float(rng.random())))
        quick = self.at_once(table, found) + 0.01 * rng.random(len(found))
        kept = np.argsort(-quick, kind="stable")[: self.width]
        found, seen = found.take(kept), look_ahead(table, found.take(kept))
        return found, quick[kept] + self.prospect(table, found, seen), seen

    def at_once(self, table: Table, found: Proposals) -> Floats:
        """What is earned and spent at once."""
        w, stock = self.weights, table.stocks[table.to_move]
        worth = (
            np.minimum(found.cars, stock.cars)
            - w.discs * grey(found) / (stock.grey + 1)
            - w.yellow * found.junction
        )
        worth = worth - stuck(table, found)
        if goes_on(table) and (way := way_to_earn(table, found.at)) is not None:
            return worth - w.way * way / 100.0
        goal = middle_of_others(table)
        return worth if goal is None else worth - w.near * np.hypot(*(found.at - goal).T) / 100.0

    def prospect(self, table: Table, found: Proposals, seen: Outlook) -> Floats:
        """What the next turns bring to all."""
        w, seat = self.weights, table.to_move
        left = table.stocks[seat].cars - found.cars
        theirs = np.zeros(len(found))
        others = table.turns.clockwise(seat)
        for reply, other in zip(seen.replies.T, others, strict=True):
            wins = reply >= table.stocks[other].cars
            theirs = np.maximum(theirs, w.denied * reply + np.where(wins, _WIN / 2, 0.0))
        ends = (
            len(table.base_points(seat)) - 1 + np.where(found.discs > 0, 1 + found.junction, 0) - 1
        )
        worth = (
            w.ahead * seen.mine
            - theirs
            - w.opened * seen.opened
            + w.open_end * np.clip(ends, 0, 2)
            - self.tight(seen)
        )
        return np.where(left <= 0, _WIN, worth)

    def tight(self, seen: Outlook) -> Floats:
        """What it costs, in cars, to have little room for the hand."""
        room = self.weights.room + (2.0 * self.skill.shift if self.skill else 0.0)
        return np.asarray(self.weights.tight * np.clip(1.0 - seen.room / room, 0.0, 1.0))
