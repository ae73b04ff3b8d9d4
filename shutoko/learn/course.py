"""The whole course: play, learn, measure, and again, until the time is up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from rules.grid.meridians import Meridians
from rules.grid.search.net import NetFile
from rules.grid.search.players import mcts, net_player
from shutoko.learn.selfplay import Positions, joined, play
from shutoko.learn.training import Learner

_SEEN = 8  # how often a position is drawn for training, about
_BATCH = 512
_FASTEST, _SLOWEST = 2e-3, 1e-4  # rates of learning at the beginning and at the end
_PARTS = 8  # tasks of self-play a lesson
_MEASURED = 20  # games against the yardstick a lesson
_YARDSTICK, _OWN = 2000, 200  # simulations a move of UCT, and of the net against it


@dataclass(frozen=True, slots=True)
class Plan:
    """How a net is trained: `minutes` on the clock, or a number of `lessons` (then the seed alone
    decides the result).
    """

    size: int
    minutes: float
    lessons: int = 0
    games: int = 400
    simulations: int = 160
    window: int = 250_000
    wide: int = 64
    deep: int = 64
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a lesson brought: the minutes since the beginning, all games and positions so far, the
    losses, and the share of the points that the net made against UCT with ten times as many
    simulations.
    """

    number: int
    minutes: float
    games: int
    positions: int
    policy: float
    value: float
    score: float
    net: NetFile


def course(plan: Plan, executor: Executor | None, threads: int) -> Iterator[Lesson]:
    """Yields each lesson when it is over."""
    begin = time.monotonic()
    learner = Learner(plan.size, plan.wide, plan.deep, plan.seed, threads)
    kept: list[Positions] = []
    number, positions = 0, 0
    while True:
        spent = (time.monotonic() - begin) / 60
        done = number / plan.lessons if plan.lessons else spent / plan.minutes
        if done >= 1 and number > 0:
            return
        net = learner.file()
        new = _played(plan, net, number, executor)
        kept.append(new)
        positions += len(new.sides)
        while sum(len(part.sides) for part in kept[1:]) > plan.window:
            kept.pop(0)
        rate = _SLOWEST + (_FASTEST - _SLOWEST) * (1 + np.cos(np.pi * min(done, 1))) / 2
        policy, value = learner.fit(
            joined(kept), max(1, len(new.sides) * _SEEN // _BATCH), float(rate)
        )
        number += 1
        net = learner.file()
        score = _score(plan, net, number, executor)
        yield Lesson(
            number,
            (time.monotonic() - begin) / 60,
            number * plan.games,
            positions,
            policy,
            value,
            score,
            net,
        )


def _played(plan: Plan, net: NetFile, number: int, executor: Executor | None) -> Positions:
    """The games of a lesson, in parts, so that the result does not depend on how many processes
    play them.
    """
    shares = [len(part) for part in np.array_split(np.arange(plan.games), _PARTS)]
    seeds = [
        int(seed.generate_state(1)[0])
        for seed in np.random.SeedSequence([plan.seed, number]).spawn(_PARTS)
    ]
    tasks: list[list[Any]] = [[net] * _PARTS, shares, [plan.simulations] * _PARTS, seeds]
    return joined(list((executor.map if executor else map)(play, *tasks)))


def _score(plan: Plan, net: NetFile, number: int, executor: Executor | None) -> float:
    """The share of the points against UCT; each side begins half of the games."""
    tasks = [[net] * _MEASURED, range(_MEASURED), [plan.seed + number] * _MEASURED]
    return float(np.mean(list((executor.map if executor else map)(measured, *tasks))))


def measured(net: NetFile, number: int, seed: int) -> float:
    """One game against UCT: 1 if the net won it."""
    game = Meridians(size=net.size)
    pair = [net_player(game, net, simulations=_OWN), mcts(game, simulations=_YARDSTICK)]
    rng, state = np.random.default_rng([seed, number]), game.start()
    while (outcome := state.outcome()) is None:
        state = state.after(pair[(state.to_move + number) % 2].choose(state, rng))
    return float((number % 2) in outcome.winners)
