"""Greedy: a player that earns what it can now, looks one turn ahead for itself and for the others, and tests what it builds.

A turn: fans of pillars around every base point and of exits below it are screened by the referee; the promising ones are played
on geometry alone and weighed (cars, what the next turn can earn, what the others could, what it costs); the best that also
stands on a table with physics is chosen. Entrances are the usual ones, buildings are set off the middle of the table.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim import referee
from sim.field import field_of
from sim.highway import Position, play
from sim.legality import allowed_discs, reach
from sim.placement import Build, Exit, Pass, Placement, SetBuilding
from sim.plan import Circles, disc_overlaps
from sim.poses import rotate
from sim.table import Table

__all__ = ["Greedy", "Kind", "Proposal", "Weights", "kinds", "propose"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_INSET = 0.5  # mm kept from the ends of a road's reach: a pillar may be nudged that far by its road
_PEAK = 6  # discs: rules section 10, nobody builds higher
_ALIKE = 20.0  # mm
_LEANING = math.sin(math.radians(8.0))
_STUCK = 3.0  # cars: what it costs to be left without a base point
_JUMP = 3  # discs that a junction may rise above its base: cars slide off steeper roads


class Kind(NamedTuple):
    """One kind of road: from a base pillar to a pillar of `discs` (0: an exit), with or without a yellow disc on it."""

    base: str
    discs: int
    junction: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """A legal placement, the cars it earns by geometry, and what it is worth (in cars; higher is better)."""

    placement: Placement
    cars: int
    value: float


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth, in cars.

    `ahead`: a car in the own next turn; `denied`: a car that an opponent could earn next; `discs`: all grey discs left, spent
    at once; `yellow`: a yellow disc; `open_end`: a second base point; `near`: being 100 mm closer to the roads of others.
    """

    ahead: float = 0.6
    denied: float = 0.35
    discs: float = 1.5
    yellow: float = 0.2
    open_end: float = 0.3
    near: float = 0.25


@dataclass(frozen=True, slots=True)
class Greedy:
    """A `rules.game.Player`. It weighs the `width` most promising placements of a turn, and lets at most `tests` be tried by
    physics; no test with the engine `none`.
    """

    name: str = "greedy"
    width: int = 12
    tests: int = 6
    weights: Weights = Weights()

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """A legal placement; all chance comes from `rng`."""
        table = state.table
        if table.phase == "entrances":
            return table.default_entrance(table.to_move)
        if table.phase == "buildings":
            return _building(table, rng)
        proposals = propose(table, rng, self.width, self.weights)
        if not proposals:
            return _without(table)
        return self.tested(state, proposals)

    def tested(self, state: Position, proposals: Sequence[Proposal]) -> Placement:
        """The first of the proposals that stands well, knocks nothing over and brings its cars; else the one that did best.

        What resembles a proposal that failed is not tested.
        """
        table, engine = state.table, state.engine
        failed: list[tuple[Placement, tuple[bool, int, int]]] = []
        for proposal in proposals if engine != "none" else ():
            placement = proposal.placement
            if len(failed) == self.tests:
                break
            if any(_alike(placement, other) for other, _ in failed):
                continue
            verdict, after = play(table, placement, engine)
            due = min(proposal.cars, table.stocks[table.to_move].cars)
            if verdict.built and not verdict.falls and len(verdict.spots) >= due and _flat(after):
                return placement
            knocked = sum(pieces for _, pieces in verdict.owed)
            failed.append((placement, (bool(verdict.built), -knocked, len(verdict.spots))))
        if not failed:
            return proposals[0].placement
        return max(failed, key=lambda one: one[1])[0]


def kinds(table: Table) -> tuple[Kind, ...]:
    """Every kind of road that the seat to move can pay for, exits first."""
    found = []
    for point in table.base_points(table.to_move):
        base = point.pillar
        if table.exit_allowed(base):
            found.append(Kind(base.id, 0, False))
        found += [
            Kind(base.id, discs, junction)
            for discs, junction in allowed_discs(table, base)
            if not junction or discs <= min(_PEAK, base.discs + _JUMP)
        ]
    return tuple(found)


def propose(
    table: Table,
    rng: np.random.Generator,
    width: int = 12,
    weights: Weights = Weights(),
    wanted: Collection[Kind] | None = None,
) -> tuple[Proposal, ...]:
    """Legal placements of the seat to move, best first, at most `width`; `wanted` are the kinds to choose from (None: all)."""
    seat, options = table.to_move, []
    others, last = _middle_of_others(table), len(table.base_points(seat)) == 1
    for base, some in _by_base(kinds(table) if wanted is None else wanted).items():
        fan = _fan(table, base, some, bearings=48, distances=3, turn=float(rng.random()))
        for (x, y), earned, which in zip(fan.spots.tolist(), fan.cars.tolist(), fan.kind.tolist(), strict=True):
            kind = some[which]
            away = math.dist((x, y), others) / 100.0 if others is not None else 0.0
            stuck = _STUCK if last and kind.discs == 0 and earned < table.stocks[seat].cars else 0.0
            quick = earned - _cost(table, kind, weights) - stuck - weights.near * away + 0.2 * float(rng.random())
            options.append((quick, kind, (x, y), int(earned)))
    options.sort(key=lambda option: -option[0])
    weighed = []
    for quick, kind, at, earned in options[:width]:
        placement = _placement(kind, at)
        weighed.append(Proposal(placement, earned, quick + _prospect(table, placement, seat, weights)))
    return tuple(sorted(weighed, key=lambda proposal: -proposal.value))


# --- helpers -----------------------------------------------------------------------------------------------------------------


def _flat(table: Table) -> bool:
    """Whether the road laid last rests on its width: one that leans on an edge slips as soon as something near it moves."""
    pose = table.poses.get(table.roads[-1].id)
    return pose is None or abs(rotate(pose.quat, (0.0, 1.0, 0.0))[2]) < _LEANING


def _alike(one: Placement, two: Placement) -> bool:
    """Whether two roads leave the same base in nearly the same direction, to pillars of the same height."""
    if not isinstance(one, (Build, Exit)) or not isinstance(two, (Build, Exit)) or one.base != two.base:
        return False
    a, b = (placement.pillar if isinstance(placement, Build) else placement.to for placement in (one, two))
    return getattr(one, "discs", 0) == getattr(two, "discs", 0) and math.dist(a, b) < _ALIKE


class _Fan(NamedTuple):
    """n legal places: `spots` (n, 2) in mm, the cars earned there, and the index of their kind in the list asked for."""

    spots: Floats
    cars: Ints
    kind: Ints


def _placement(kind: Kind, at: tuple[float, float]) -> Placement:
    return Exit(kind.base, at) if kind.discs == 0 else Build(kind.base, at, kind.discs, kind.junction)


def _fan(table: Table, base: str, some: Sequence[Kind], bearings: int, distances: int, turn: float) -> _Fan:
    """The legal ones of fans of pillars (or lower ends of exits) around one base pillar, and the cars they earn."""
    box, pillar = table.components, table.pillar_by_id[base]
    angles = (np.arange(bearings) + turn) * (2 * math.pi / bearings)
    rays, axis = np.stack([np.cos(angles), np.sin(angles)], axis=-1), np.asarray(table.top(pillar))
    spots, which = [np.empty((0, 2))], [np.empty(0, dtype=np.int64)]
    found = _Fan(spots[0], which[0], which[0])
    for n, kind in enumerate(some):
        between = reach(box, kind.discs - pillar.discs) if kind.discs else None
        if kind.discs == 0:
            run = math.sqrt(max(box.road_length**2 - (pillar.discs * box.disc_height) ** 2, 0.0))
            ends = np.round(axis + run * rays, 2)
            judged = referee.screen_exits(table, base, ends)
            found = _Fan(ends[judged.legal], judged.cars[judged.legal], np.full(int(judged.legal.sum()), n))
        elif between is not None:
            steps = np.linspace(between[0] + _INSET, between[1] - _INSET, distances)
            spots.append(np.round((axis + steps[:, None, None] * rays[None, :, :]).reshape(-1, 2), 2))
            which.append(np.full(bearings * distances, n))
    of = np.concatenate(which)
    if len(of):  # one screening for all heights: its cost is mostly per call
        at, discs = np.concatenate(spots), np.array([kind.discs for kind in some])
        judged = referee.screen(table, base, at, discs[of], np.array([kind.junction for kind in some])[of])
        found = _Fan(
            np.concatenate([found.spots, at[judged.legal]]),
            np.concatenate([found.cars, judged.cars[judged.legal]]),
            np.concatenate([found.kind, of[judged.legal]]),
        )
    return found


def _by_base(some: Iterable[Kind]) -> Mapping[str, list[Kind]]:
    grouped: dict[str, list[Kind]] = {}
    for kind in some:
        grouped.setdefault(kind.base, []).append(kind)
    return grouped


def _cost(table: Table, kind: Kind, weights: Weights) -> float:
    stock = table.stocks[table.to_move]
    grey = max(kind.discs - kind.junction, 0)
    return weights.discs * grey / (stock.grey + 1) + weights.yellow * kind.junction


def _prospect(table: Table, placement: Placement, seat: int, weights: Weights) -> float:
    """What a placement is worth beyond the cars of this turn: a win, the next turn, what it leaves to others."""
    _, after = play(table, placement, "none")
    if after.stocks[seat].cars == 0:
        return 10.0
    if after.outcome() is not None or not after.base_points(seat):
        return 0.0
    mine = _best_turn(after, seat)
    theirs = max((_best_turn(after, other) for other in after.turns.active if other != seat), default=0)
    ends = len(after.base_points(seat)) - 1
    return weights.ahead * mine - weights.denied * theirs + weights.open_end * min(ends, 2)


def _best_turn(table: Table, seat: int) -> int:
    """The most cars that a seat could earn if it were to move; an exit counts if it is not the last way on, or wins."""
    asked = replace(table, turns=replace(table.turns, to_move=seat))
    left, best = asked.stocks[seat].cars, 0
    lone = len(asked.base_points(seat)) == 1
    # one junction height a base is enough to see whether a junction would help
    seen = [k for k in kinds(asked) if not k.junction or k.discs == asked.pillar_by_id[k.base].discs + 1]
    for base, some in _by_base(seen).items():
        fan = _fan(asked, base, some, bearings=36, distances=2, turn=0.0)
        exits = np.array([kind.discs == 0 for kind in some])[fan.kind]
        counted = fan.cars[~exits | (fan.cars >= left)] if lone else fan.cars
        best = max(best, int(counted.max(initial=0)))
    return min(best, left)


def _middle_of_others(table: Table) -> tuple[float, float] | None:
    """The middle of the open ends of the other players, where roads to cross will be."""
    ends = [point.pillar.at for other in table.turns.active if other != table.to_move for point in table.base_points(other)]
    if not ends:
        return None
    return (sum(x for x, _ in ends) / len(ends), sum(y for _, y in ends) / len(ends))


def _building(table: Table, rng: np.random.Generator) -> Placement:
    """A building that is left, off the middle of the table, where nothing stands."""
    left = [kind for kind in table.components.buildings if kind not in {building.kind for building in table.buildings}]
    kind = left[int(rng.integers(len(left)))]
    radius = 1.2 * table.components.road_length
    while True:
        angle, away = rng.uniform(0, 2 * math.pi), radius * rng.uniform(0.9, 1.5)
        at = (round(away * math.cos(angle), 2) + 0.0, round(away * math.sin(angle), 2) + 0.0)
        placement = SetBuilding(kind, at, round(float(rng.integers(36)) * 10.0, 2))
        if _free(table, at) and not referee.before(table, placement):
            return placement
        radius *= 1.02


def _free(table: Table, at: tuple[float, float]) -> bool:
    """Whether a base point's next pillar would still have room beside a building set there."""
    room = Circles(np.array([at]), np.array([table.components.road_length / 2]), np.zeros(1), np.zeros(1))
    return bool((disc_overlaps(room, field_of(table).discs) <= 0).all())


def _without(table: Table) -> Placement:
    """The turn of a seat for which no fan found anything: the referee's own search, else a missed turn."""
    if table.unable(table.to_move):
        return Pass()
    return referee.find_build(table) or Pass("no room")
