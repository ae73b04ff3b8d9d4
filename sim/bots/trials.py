"""Trials: does a placement stand, made by a steady hand and by the player's own, and with what margin.

Proposals come ranked; physics tries the best few in turn. A trial that stands, keeps its margin, fells nothing and brings its
cars ends the search; if none does, the one whose worth less its losses is greatest is taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sim import engines
from sim.contacts import contacts
from sim.hand import Skill, draw
from sim.highway import Simulated, Try, judge
from sim.laying import bodies
from sim.placement import Build, Exit, Placement
from sim.poses import rotate
from sim.risk import SETTLE
from sim.statics import equilibrium, loaded
from sim.table import Table
from sim.verdict import Verdict

__all__ = ["Trial", "Trials", "alike", "first_that_stands"]

_ALIKE = 20.0  # mm
_LEANING = math.sin(math.radians(8.0))
_MARGIN = 0.02  # g sideways: with less a build goes over as soon as something near it moves


@dataclass(frozen=True, slots=True)
class Trial:
    """A placement to be tried: the cars it should bring, and what it is worth in cars."""

    placement: Placement
    cars: int
    worth: float


@dataclass(frozen=True, slots=True)
class Trials:
    """How a player tries: at most `most` placements by a steady hand, each that passes `samples` times by a hand of `skill`; a
    disc to be paid is worth `disc` cars.
    """

    most: int = 4
    samples: int = 2
    skill: Skill | None = None
    disc: float = 0.15


def first_that_stands(
    table: Table, ranked: Sequence[Trial], engine: str, trials: Trials, rng: np.random.Generator
) -> Placement:
    """The first of the ranked placements (one at least) that passes its trials, else the one that lost least by them.

    What resembles a placement that failed is not tried. With the engine `none` the first one is taken.
    """
    tried: list[tuple[float, Placement]] = []
    for trial in ranked if engine != "none" else ():
        if len(tried) == trials.most:
            break
        if any(alike(trial.placement, other) for _, other in tried):
            continue
        lost = _lost(table, trial, engine, trials, rng)
        if not lost:
            return trial.placement
        tried.append((trial.worth - lost, trial.placement))
    return max(tried, key=lambda one: one[0])[1] if tried else ranked[0].placement


def _lost(table: Table, trial: Trial, engine: str, trials: Trials, rng: np.random.Generator) -> float:
    """What a placement loses of its worth, in cars; 0 if it passes."""
    ground = Simulated(engines.engine(engine), SETTLE)
    verdict, after, _ = judge(table, trial.placement, [Try(ground)])
    lost = _missed(table, trial, verdict, trials)
    if lost or trials.skill is None:
        return lost or (0.0 if _firm(after) else 0.5)
    for _ in range(trials.samples):
        hand = draw(rng, table, trial.placement, trials.skill)
        verdict, _, _ = judge(table, trial.placement, [Try(ground, hand)])
        lost += _missed(table, trial, verdict, trials) / trials.samples
    return lost


def _missed(table: Table, trial: Trial, verdict: Verdict, trials: Trials) -> float:
    """The cars that did not come to stand and the discs to be paid; a build that does not stand costs a turn."""
    due = min(trial.cars, table.stocks[table.to_move].cars)
    paid = trials.disc * sum(pieces for _, pieces in verdict.owed)
    if not verdict.built:
        return 1.0 + due + paid
    return due - len(verdict.spots) + paid + 0.05 * len(verdict.falls)


def _firm(table: Table) -> bool:
    """Whether the road laid last lies on its width and stands with a margin; one that leans on an edge slips when nudged."""
    road = table.roads[-1].id
    pose = table.poses.get(road)
    if pose is not None and abs(rotate(pose.quat, (0.0, 1.0, 0.0))[2]) >= _LEANING:
        return False
    there = bodies(table)
    touching = contacts(there)
    answer = equilibrium(there, loaded(there, {road}, touching), touching)
    return answer.stands and answer.margin().sideways >= _MARGIN


def alike(one: Placement, two: Placement) -> bool:
    """Whether two roads leave the same base in nearly the same direction, to pillars of the same height."""
    if not isinstance(one, (Build, Exit)) or not isinstance(two, (Build, Exit)) or one.base != two.base:
        return False
    a, b = (placement.pillar if isinstance(placement, Build) else placement.to for placement in (one, two))
    return getattr(one, "discs", 0) == getattr(two, "discs", 0) and math.dist(a, b) < _ALIKE
