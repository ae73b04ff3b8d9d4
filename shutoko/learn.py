"""Learning a linear policy of Tokyo Highway by evolution strategies (Salimans and others, Evolution
strategies as a scalable alternative to reinforcement learning, 2017) over games of `sim.Batch`.

In each step some directions in the space of weights are drawn. For each, one policy a little way
along it and one a little way against it play games against an earlier policy, on both seats. What
the first win more often than the second pulls the weights that way.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.batch.batch import Batch
from sim.batch.listing import FEATURES
from sim.bodies import Floats
from sim.bots.learnt import NAMES, START, vector, worth
from sim.game.highway import game as highway

GREEDY = {
    "cars": 1.0,
    "wins": 100.0,
    "grey": -0.3,
    "junction": -0.03,
    "last exit": -3.0,
    "away from ends": -0.1,
    "away from a free road": -0.1,
    "pass": -50.0,
    "declines": -50.0,
}
"""Weights that play much as `greedy` does: the yardstick."""

RULESETS = "standard", "fr"
"""Where a turn may not be passed and where it may."""
_STEPS = 5  # of learning in a lesson
_MEASURED = 60  # games against the yardstick after each
_PAIRS, _GAMES = 12, 6  # directions of a step, and games of each policy along one
_SIGMA, _RATE, _MEMORY = 0.35, 0.5, 0.8
_LEAST = 0.15  # how far a weight that begins at 0 is moved, in units of _SIGMA
_POOL, _KEPT = 5, 6  # a policy joins the opponents every so many steps; so many are kept
_PLIES = 70  # of each game and those that follow it: two or three games end in that time
_NOISE = 0.02
_ENTRANCE = FEATURES.index("entrance")
_CAR = 0.1  # of a win: a car more than the opponent in a game without an end
_FAN: dict[str, Any] = {"candidates": 48, "bearings": 24, "distances": 2}


@dataclass(frozen=True, slots=True)
class Plan:
    """How a policy is trained: for so many CPU `minutes`, or a number of `lessons` (then the seed
    alone decides the result). The steps take the rule sets in turn; the first one is measured.
    Learning begins with START, or with `nothing` with weights that are all 0.
    """

    minutes: float = 5.0
    lessons: int = 0
    rulesets: tuple[str, ...] = RULESETS
    seed: int = 0
    nothing: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a lesson brought: the CPU minutes, games and plies since the beginning, and the share of
    games that the policy wins against weights that play as `greedy` does.
    """

    number: int
    minutes: float
    games: int
    plies: int
    score: float
    weights: Floats


def lessons(plan: Plan) -> Iterator[Lesson]:
    """Trains, lesson by lesson."""
    rng, begin = np.random.default_rng(plan.seed), time.process_time()
    weights, yardstick = vector({} if plan.nothing else START), vector(GREEDY)
    scale = np.maximum(np.abs(weights), _LEAST)
    if not plan.nothing:
        scale[NAMES.index("wins")] = 0.0  # a win is a win
    batches = [
        Batch(highway(ruleset=rules, engine="none"), 2 * _PAIRS * _GAMES, plan.seed, **_FAN)
        for rules in plan.rulesets
    ]
    exam = Batch(highway(ruleset=plan.rulesets[0], engine="none"), _MEASURED, plan.seed, **_FAN)
    pool, pull, games, plies, number = [weights], np.zeros(len(NAMES)), 0, 0, 0
    while number < plan.lessons or not plan.lessons:
        number += 1
        for step in range(_STEPS):
            drawn = rng.standard_normal((_PAIRS, len(NAMES)))
            some = np.concatenate([weights + sign * _SIGMA * scale * drawn for sign in (1, -1)])
            rival = pool[int(rng.integers(len(pool)))]
            batch = batches[((number - 1) * _STEPS + step) % len(batches)]
            got, ended, played = match(batch, np.repeat(some, _GAMES, axis=0), rival, rng)
            wins = got.reshape(2, _PAIRS, _GAMES).mean(axis=2)
            slope = ((wins[0] - wins[1])[:, None] * drawn).mean(axis=0) / _SIGMA
            pull = _MEMORY * pull + (1.0 - _MEMORY) * slope
            weights = weights + _RATE * scale * pull
            games, plies = games + ended, plies + played
            if ((number - 1) * _STEPS + step + 1) % _POOL == 0:
                pool = [*pool, weights][-_KEPT:]
        got, _, _ = match(exam, np.tile(weights, (_MEASURED, 1)), yardstick, rng)
        spent = (time.process_time() - begin) / 60.0
        yield Lesson(number, spent, games, plies, float(got.mean()), weights)
        if not plan.lessons and spent >= plan.minutes:
            return


def match(
    batch: Batch, weights: Floats, rival: Floats, rng: np.random.Generator
) -> tuple[Floats, int, int]:
    """What each policy of `weights` (n, names) gets on average against the rival in the games that
    end within so many plies, every other policy on the second seat; the games and plies of all.

    1 for a win, 0 for a loss. Where no game ended, the cars left decide.
    """
    batch.reset()
    n, rows = batch.n, np.arange(batch.n)
    seat, won, ended, waited = rows % 2, np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
    for _ in range(_PLIES):
        masks, shown = batch.masks().copy(), batch.parts(batch.observe())["candidates"]
        masks[:, -1] &= (waited < batch.seats) | ~masks[:, :-1].any(axis=1)
        mine = batch.to_move == seat
        values = worth(np.where(mine[:, None], weights, rival[None]), shown, masks)
        actions = (values + _NOISE * rng.random(values.shape)).argmax(axis=1)
        actions[shown[:, 0, _ENTRANCE] > 0] = 0  # the usual one
        waited = np.where(actions == batch.actions - 1, waited + 1, 0)
        batch.step(actions)
        won += batch.ended * (batch.rewards[rows, seat] + 1.0) / 2.0
        ended += batch.ended
    left = np.array([[stock.cars for stock in batch.state(i).stocks] for i in range(n)])
    ahead = np.clip(0.5 + _CAR * (left[rows, 1 - seat] - left[rows, seat]), 0.0, 1.0)
    got = np.where(ended > 0, won / np.maximum(ended, 1), ahead)
    return got, int(ended.sum()), n * _PLIES
