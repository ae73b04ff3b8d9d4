"""Trials: does a placement stand, made by the player's own hand, or by a hand that never errs, and
then with what margin?

Proposals come ranked; physics tries the best few in turn. A trial that stands, keeps its margin,
fells nothing and earns its cars ends the search. If none does, the player takes the one whose worth
less its losses is greatest. The limit of a turn is in pieces times simulated seconds: this is
proportional to the time that an engine takes, but the same on every machine.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sim import referee
from sim.bodies import rotate
from sim.game import Attempt, Simulated, Skill, bodies, draw, judge_checked
from sim.game.risk import SETTLE
from sim.physics import engines
from sim.physics.contacts import contacts
from sim.physics.statics import equilibrium, loaded
from sim.referee import AttemptResult, Build, Exit, Pass, Placement, Table, Verdict

_ALIKE = 20.0  # mm: placements nearer to each other than this count as alike
_ANOTHER = 40.0  # mm: nearer placements are no second piece of advice
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
    """How a player tries: at most `most` placements, and none once `work` has been spent, in pieces
    times simulated seconds.

    A hand of `skill` tries each up to `samples` times until one goes wrong. Without skill or
    samples, a hand that never errs tries it once. A disc to be paid is worth `disc` cars.
    """

    most: int = 4
    samples: int = 1
    work: float = 20.0
    skill: Skill | None = None
    disc: float = 0.15


@dataclass(frozen=True, slots=True)
class Tried:
    """What physics said of a trial: what it lost of its worth in cars (0: it passed), the pieces
    that fell the last time, and the sideways margin of statics in g. The margin is None if the
    player's own hand tried. `work` is what the trial cost.
    """

    trial: Trial
    lost: float
    fallen: tuple[str, ...] = ()
    margin: float | None = None
    work: float = 0.0


def first_that_stands(
    table: Table, ranked: Sequence[Trial], engine: str, trials: Trials, rng: np.random.Generator
) -> Placement:
    """The first of the ranked placements (at least one) that passes its trials, else the one that
    lost least in them.

    A placement that resembles one that failed is not tried. With the engine `none` the first is
    taken.
    """
    return several(table, ranked, engine, trials, rng, 1)[0].trial.placement


def several(
    table: Table,
    ranked: Iterable[Trial],
    engine: str,
    trials: Trials,
    rng: np.random.Generator,
    most: int,
) -> list[Tried]:
    """Some of the ranked placements that do not resemble each other, at most `most`: first the one
    that `first_that_stands` takes, then the others by what their trials leave of their worth.

    At most `trials.most` more are tried than are asked for, or as many as that for a single one.
    With the engine `none` nothing is tried and all pass.
    """
    tried: list[Tried] = []
    passed = 0
    for trial in ranked:
        is_over = _enough(tried, trials) if most == 1 else len(tried) == most + trials.most
        if passed == most or is_over:
            break
        if any(_no_other(trial, other) for other in tried):
            continue
        tried.append(
            Tried(trial, 0.0) if engine == "none" else _tried(table, trial, engine, trials, rng)
        )
        passed += not tried[-1].lost
    first = [one for n, one in enumerate(tried) if not _enough(tried[:n], trials)]
    own = next((one for one in first if not one.lost), None) or max(first, key=_left)
    return [own, *sorted((one for one in tried if one is not own), key=_left, reverse=True)][:most]


def _no_other(trial: Trial, tried: Tried) -> bool:
    """Whether a trial is too like one that passed to be a second piece of advice, or too like one
    that failed to stand.
    """
    near, any_height = (_ALIKE, False) if tried.lost else (_ANOTHER, True)
    return alike(trial.placement, tried.trial.placement, near, any_height=any_height)


def _enough(tried: Sequence[Tried], trials: Trials) -> bool:
    return len(tried) >= trials.most or sum(one.work for one in tried) >= trials.work


def _left(tried: Tried) -> float:
    return tried.trial.worth - tried.lost


def _tried(
    table: Table, trial: Trial, engine: str, trials: Trials, rng: np.random.Generator
) -> Tried:
    """By the player's own hand, until one goes wrong; for a hand that never errs, statics gives the
    margin as well.
    """
    if isinstance(trial.placement, Pass):
        return Tried(trial, 0.0)
    source = Simulated(engines.engine(engine), SETTLE, brief=True)
    checked = referee.check(table, trial.placement)
    if trials.skill is None or trials.samples == 0:
        verdict, after, attempts = judge_checked(checked, [Attempt(source)])
        lost, margin = _missed(table, trial, verdict, trials), None
        if not lost and trials.skill is None:
            flat, margin = _firm(after)
            lost = 0.0 if flat and margin >= _MARGIN else 0.5
        return Tried(trial, lost, verdict.fallen, margin, _work(attempts))
    work = 0.0
    for made in range(1, trials.samples + 1):
        hand = draw(rng, checked, trials.skill)
        verdict, _, attempts = judge_checked(checked, [Attempt(source, hand)])
        work += _work(attempts)
        lost = _missed(table, trial, verdict, trials) / made
        if lost:
            break
    return Tried(trial, lost, verdict.fallen, work=work)


def _work(attempts: Sequence[AttemptResult]) -> float:
    return sum(one.settled.work for one in attempts if one.settled is not None)


def _missed(table: Table, trial: Trial, verdict: Verdict, trials: Trials) -> float:
    """The loss, in cars: cars that did not come to stand, and discs to be paid. A build that does
    not stand costs a turn.
    """
    due = min(trial.cars, table.stocks[table.to_move].cars)
    paid = trials.disc * sum(pieces for _, pieces in verdict.owed)
    if not verdict.built:
        return 1.0 + due + paid
    return due - len(verdict.spots) + paid + 0.05 * len(verdict.falls)


def _firm(table: Table) -> tuple[bool, float]:
    """Whether the road laid last lies on its width, and its margin in g; a road that leans on an
    edge slips when nudged.
    """
    road = table.roads[-1].id
    pose = table.poses.get(road)
    if pose is not None and abs(rotate(pose.quat, (0.0, 1.0, 0.0))[2]) >= _LEANING:
        return False, 0.0
    there = bodies(table)
    touching = contacts(there)
    answer = equilibrium(there, loaded(there, {road}, touching), touching)
    return answer.stands, answer.margin().sideways if answer.stands else 0.0


def alike(
    one: Placement, two: Placement, near: float = _ALIKE, *, any_height: bool = False
) -> bool:
    """Whether two roads leave the same base in nearly the same direction, to pillars of the same
    height less than `near` mm apart; with `any_height` pillars may differ in height. A build
    without its cars resembles none with them.
    """
    if (
        not isinstance(one, (Build, Exit))
        or not isinstance(two, (Build, Exit))
        or one.base != two.base
        or (one.cars == ()) != (two.cars == ())
    ):
        return False
    a, b = (
        placement.at if isinstance(placement, Build) else placement.to for placement in (one, two)
    )
    heights = getattr(one, "discs", 0), getattr(two, "discs", 0)
    same = all(heights) if any_height and any(heights) else heights[0] == heights[1]
    return same and math.dist(a, b) < near
