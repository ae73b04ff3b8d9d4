"""The players of Tokyo Highway: `random` picks any legal proposal, `greedy` earns what it can now, `planner` looks further.

All three set the usual entrances and put buildings off the middle of the table. `greedy` and `planner` let physics try their
best few placements, and give advice. Each knows the hand that it plays with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from sim.bots.advice import Hint
from sim.bots.outlook import Outlook, look_ahead, way_to_earn
from sim.bots.proposals import Proposals, Sampling, propose, without
from sim.bots.ranking import grey, set_up, stuck
from sim.bots.trials import Trial, Trials, first_that_stands, several
from sim.game.attempts.hand import Skill
from sim.game.highway import Position
from sim.referee.placement import Placement
from sim.referee.table import Table

__all__ = ["Greedy", "Planner", "Random", "Weights"]

Floats = npt.NDArray[np.float64]

_TRIALS = Trials()
_WIN = 10.0  # cars: more than anything else can be worth


@dataclass(frozen=True, slots=True)
class Random:
    """Any legal placement among 72 bearings and 5 distances of every base point and height; all are equally likely."""

    name: str = "random"
    skill: Skill | None = None

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """A legal placement; all chance comes from `rng`."""
        table = state.table
        if table.phase != "play":
            return _set_up(table, rng)
        found = propose(table, Sampling(72, 5, float(rng.random())))
        return found.placement(int(rng.integers(len(found)))) if len(found) else without(table)


@dataclass(frozen=True, slots=True)
class Greedy:
    """Takes the placement that earns most cars now; among equals one that costs fewest discs; among those, any.

    If a turn goes on until a car is placed, it prefers a place near a road that would earn one. It does not exit from its only
    base point while it has cars left.
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
            return _set_up(table, rng)
        return _chosen(state, *self._weighed(table, rng), self.trials, rng)

    def analyse(self, state: Position, rng: np.random.Generator, most: int = 5) -> list[Hint]:
        """The best placements that do not resemble each other, at most `most`, each tried by physics."""
        if state.table.phase != "play":
            return _set_up_hints(state.table, rng)
        return _hints(state, *self._weighed(state.table, rng), None, self.trials, rng, most)

    def _weighed(self, table: Table, rng: np.random.Generator) -> tuple[Proposals, Floats]:
        found = propose(table, Sampling(72, 3, float(rng.random())))
        earned = np.minimum(found.cars, table.stocks[table.to_move].cars)
        worth = earned - 0.01 * grey(found) - 0.03 * found.junction - stuck(table, found) + 0.005 * rng.random(len(found))
        if _goes_on(table) and (way := way_to_earn(table, found.at)) is not None:
            worth -= 0.001 * way
        return found, worth


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth to the planner, in cars.

    `ahead`: a car that it could earn next turn. `denied`: a car that an opponent could earn next. `opened`: a free side of the
    new road that an opponent can reach. `discs`: all grey discs left, spent at once. `yellow`: a yellow disc. `open_end`: a
    second base point. `near`: being 100 mm closer to the open ends of others. `way`: used instead of `near` if a turn goes on
    until a car was placed; being 100 mm closer to a road that would earn one. `tight`: no room at all; `room` mm are enough for
    a hand that never errs.
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
    """Weighs the cars of this turn against the opponents' best replies and its own next turn (`sim.bots.outlook`). Physics and
    its own hand then try the best. It examines at most `width` placements closely.
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
            return _set_up(table, rng)
        return _chosen(state, *self._weighed(table, rng)[:2], self.trials, rng)

    def analyse(self, state: Position, rng: np.random.Generator, most: int = 5) -> list[Hint]:
        """The best placements that do not resemble each other, at most `most`, each tried by physics."""
        if state.table.phase != "play":
            return _set_up_hints(state.table, rng)
        return _hints(state, *self._weighed(state.table, rng), self.trials, rng, most)

    def _weighed(self, table: Table, rng: np.random.Generator) -> tuple[Proposals, Floats, Outlook]:
        found = propose(table, Sampling(72, 3, float(rng.random())))
        quick = self._quick(table, found) + 0.01 * rng.random(len(found))
        kept = np.argsort(-quick, kind="stable")[: self.width]
        found, seen = found.take(kept), look_ahead(table, found.take(kept))
        return found, quick[kept] + self._prospect(table, found, seen), seen

    def _quick(self, table: Table, found: Proposals) -> Floats:
        """What is earned and spent at once."""
        w, stock = self.weights, table.stocks[table.to_move]
        worth = np.minimum(found.cars, stock.cars) - w.discs * grey(found) / (stock.grey + 1) - w.yellow * found.junction
        worth = worth - stuck(table, found)
        if _goes_on(table) and (way := way_to_earn(table, found.at)) is not None:
            return worth - w.way * way / 100.0
        goal = _middle_of_others(table)
        return worth if goal is None else worth - w.near * np.hypot(*(found.at - goal).T) / 100.0

    def _prospect(self, table: Table, found: Proposals, seen: Outlook) -> Floats:
        """What the next turns bring to all."""
        w, seat = self.weights, table.to_move
        left = table.stocks[seat].cars - found.cars
        theirs = np.zeros(len(found))
        others = table.turns.clockwise(seat)
        for reply, other in zip(seen.replies.T, others, strict=True):
            wins = reply >= table.stocks[other].cars
            theirs = np.maximum(theirs, w.denied * reply + np.where(wins, _WIN / 2, 0.0))
        ends = len(table.base_points(seat)) - 1 + np.where(found.discs > 0, 1 + found.junction, 0) - 1
        room = self.weights.room + (2.0 * self.skill.shift if self.skill else 0.0)
        tight = np.clip(1.0 - seen.room / room, 0.0, 1.0)
        worth = w.ahead * seen.mine - theirs - w.opened * seen.opened + w.open_end * np.clip(ends, 0, 2) - w.tight * tight
        return np.where(left <= 0, _WIN, worth)


# --- helpers -----------------------------------------------------------------------------------------------------------------


def _chosen(state: Position, found: Proposals, worth: Floats, trials: Trials, rng: np.random.Generator) -> Placement:
    table = state.table
    if not len(found):
        return without(table)
    order = np.argsort(-worth, kind="stable")[: 12 * trials.most].tolist()
    ranked = [_trial(found, worth, row) for row in order]
    return first_that_stands(table, ranked, state.engine, trials, rng)


def _trial(found: Proposals, worth: Floats, row: int) -> Trial:
    return Trial(found.placement(row), int(found.cars[row]), float(worth[row]))


def _hints(
    state: Position,
    found: Proposals,
    worth: Floats,
    seen: Outlook | None,
    trials: Trials,
    rng: np.random.Generator,
    most: int,
) -> list[Hint]:
    table = state.table
    if not len(found):
        return [Hint(without(table), note="nothing else was found")]
    rows: dict[Placement, int] = {}

    def ranked() -> Iterator[Trial]:
        for row in np.argsort(-worth, kind="stable").tolist():
            trial = _trial(found, worth, row)
            rows[trial.placement] = row
            yield trial

    hints = []
    for tried in several(table, ranked(), state.engine, trials, rng, most):
        row, stock = rows[tried.trial.placement], table.stocks[table.to_move].cars
        hints.append(
            Hint(
                tried.trial.placement,
                cars=min(tried.trial.cars, stock),
                wins=tried.trial.cars >= stock,
                grey=int(grey(found)[row]),
                yellow=int(found.junction[row]),
                replies=None if seen is None else tuple(seen.replies[row].tolist()),
                mine=None if seen is None else int(seen.mine[row]),
                tried=None if state.engine == "none" else tried,
                skill=trials.skill,
            )
        )
    return hints


def _set_up_hints(table: Table, rng: np.random.Generator) -> list[Hint]:
    placement = _set_up(table, rng)
    return [Hint(placement, note="the usual entrance" if table.phase == "entrances" else "off the middle of the table")]


def _set_up(table: Table, rng: np.random.Generator) -> Placement:
    if table.phase == "over":
        raise InputError("the game is over, nobody is to move")
    return set_up(table, rng)


def _goes_on(table: Table) -> bool:
    """Whether a turn that earns nothing goes on and spends road after road."""
    return table.ruleset.turn_end == "until_car"


def _middle_of_others(table: Table) -> npt.NDArray[np.float64] | None:
    """The middle of the open ends of the other players, where roads to cross will be."""
    ends = [point.pillar.at for other in table.turns.clockwise(table.to_move) for point in table.base_points(other)]
    return np.mean(ends, axis=0) if ends else None
