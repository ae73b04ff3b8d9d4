"""Proposals: the legal builds and exits of a seat, found by fans of places around its base points
and kept as arrays.

A fan has bearings times distances places for each height that the seat can pay for.
`sim.batch.fans` says which are legal and what they earn. The places are a sample: between two
bearings there may be other legal ones. `sim.bots.outlook` says which proposals are good,
`sim.bots.trials` which stand.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rules.errors import InputError
from sim import referee
from sim.batch.arrays import CIRCLES, INSET, JUMP, PEAK, STUCK
from sim.batch.fans import Lines, screen
from sim.bodies import Bools, Floats, Ints
from sim.referee import (
    Build,
    Entrance,
    Exit,
    Pass,
    Placement,
    SetBuilding,
    Table,
    allowed_discs,
    obstacles_of,
    reach,
)


class Kind(NamedTuple):
    """One kind of road: from a base pillar to a pillar of `discs` (0: an exit), with or without a
    yellow disc on it.
    """

    base: str
    discs: int
    junction: bool


class Sampling(NamedTuple):
    """How finely places are sampled: bearings all around, distances within reach; `turn` is the
    share of a step by which all bearings are turned.
    """

    bearings: int
    distances: int
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class Proposals:
    """n legal placements of one seat: the place `at` (n, 2) of the new pillar or of an exit's lower
    end in mm, the cars that they earn (an exit's bonus included), the index of their kind in
    `kinds`.
    """

    kinds: tuple[Kind, ...]
    kind: Ints
    at: Floats
    cars: Ints

    def __len__(self) -> int:
        return len(self.kind)

    def take(self, index: Ints) -> Proposals:
        """Some of them, by index."""
        return Proposals(self.kinds, self.kind[index], self.at[index], self.cars[index])

    def placement(self, row: int) -> Placement:
        """One of them as a move."""
        kind, (x, y) = self.kinds[int(self.kind[row])], self.at[row].tolist()
        return (
            Exit(kind.base, (x, y))
            if kind.discs == 0
            else Build(kind.base, (x, y), kind.discs, kind.junction)
        )

    @property
    def discs(self) -> Ints:
        """The height of each new pillar; 0 for an exit."""
        return np.array([kind.discs for kind in self.kinds], dtype=np.int64)[self.kind]

    @property
    def junction(self) -> Bools:
        """Whether each new pillar is a junction."""
        return np.array([kind.junction for kind in self.kinds], dtype=np.bool_)[self.kind]

    def lines(self, table: Table) -> Lines:
        """Their roads as the crossing rule sees them."""
        box, rank = table.components, {one.id: row for row, one in enumerate(table.pillars)}
        pillars = [table.pillar_by_id[kind.base] for kind in self.kinds]
        axes = np.array([table.top(pillar) for pillar in pillars], dtype=np.float64).reshape(-1, 2)[
            self.kind
        ]
        height = np.array([pillar.discs for pillar in pillars], dtype=np.float64)[self.kind]
        along = self.at - axes
        span = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
        run = np.sqrt(np.maximum(box.road_length**2 - (height * box.disc_height) ** 2, 0.0))
        leaves = self.discs == 0
        start = np.where(leaves[:, None], self.at - along / span[:, None] * run[:, None], axes)
        base = np.array([rank[pillar.id] for pillar in pillars], dtype=np.int64)[self.kind]
        return Lines(
            np.column_stack([start, self.at, height, self.discs]),
            np.full(len(self), table.to_move),
            np.stack([base, np.full(len(self), -2)], axis=-1),
        )


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
            if not junction or discs <= min(PEAK, base.discs + JUMP)
        ]
    return tuple(found)


def propose(table: Table, sampling: Sampling, wanted: Collection[Kind] | None = None) -> Proposals:
    """The legal placements of the seat to move among the places sampled; `wanted` are the kinds to
    choose from (None: all).
    """
    some = tuple(kinds(table) if wanted is None else wanted)
    places = [_fan(table, kind, sampling) for kind in some]
    of = np.repeat(np.arange(len(some)), [len(fan) for fan in places])
    every = Proposals(some, of, np.concatenate([*places, np.zeros((0, 2))]), np.zeros_like(of))
    discs, junction, legal = every.discs, every.junction, np.zeros(len(of), dtype=np.bool_)
    bases = np.array([kind.base for kind in some], dtype=np.str_)[of]
    for base in dict.fromkeys(bases.tolist()):
        rows = np.flatnonzero(bases == base)
        judged = screen(table, base, every.at[rows], discs[rows], junction[rows])
        legal[rows], every.cars[rows] = judged.legal, judged.cars
    return every.take(np.flatnonzero(legal))


def _fan(table: Table, kind: Kind, sampling: Sampling) -> Floats:
    """The places (n, 2) of pillars, or of lower ends of exits, of one kind around its base."""
    box, pillar = table.components, table.pillar_by_id[kind.base]
    angles = (np.arange(sampling.bearings) + sampling.turn) * (2 * math.pi / sampling.bearings)
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    if kind.discs == 0:
        run = math.sqrt(max(box.road_length**2 - (pillar.discs * box.disc_height) ** 2, 0.0))
        steps = np.array([run])
    elif (between := reach(box, kind.discs - pillar.discs)) is None:
        return np.zeros((0, 2))
    else:
        steps = np.linspace(between[0] + INSET, between[1] - INSET, sampling.distances)
    at = np.asarray(table.top(pillar)) + steps[:, None, None] * rays[None, :, :]
    return np.asarray(np.round(at.reshape(-1, 2), 2) + 0.0)  # never -0


# --- what proposals cost --------------------------------------------------------------------------


def grey(found: Proposals) -> Ints:
    """The grey discs that each proposal spends."""
    return np.maximum(found.discs - found.junction, 0)


def stuck(table: Table, found: Proposals) -> Floats:
    """What it costs to use up the only base point while cars are left, in cars."""
    alone = len(table.base_points(table.to_move)) <= 1
    leaves = (found.discs == 0) & (found.cars < table.stocks[table.to_move].cars)
    return np.where(alone & leaves, STUCK, 0.0)


# --- without proposals: the set-up, and seats that find no place ----------------------------------


def set_up(table: Table, rng: np.random.Generator) -> Placement:
    """The usual placement before the play: the entrance, or a building off the middle of the
    table. Raises InputError after the end.
    """
    if table.phase == "over":
        raise InputError("the game is over, nobody is to move")
    return entrance(table) if table.phase == "entrances" else building(table, rng)


def entrance(table: Table) -> Entrance:
    """The usual entrance; where it is not legal, the nearest turn of it about the middle of the
    table that is, or else one nearer to the middle or further out.
    """
    usual = table.default_entrance(table.to_move)
    turns = sorted(range(-175, 181, 5), key=lambda turn: (abs(turn), turn))
    for out in (1.0, *(1.0 - ring / CIRCLES for ring in range(1, CIRCLES)), 1.25, 1.5, 2.0, 3.0):
        for turn in turns:
            angle = math.radians(turn)
            x, y = (out * at for at in usual.pillar)
            at = (
                round(x * math.cos(angle) - y * math.sin(angle), 2) + 0.0,
                round(x * math.sin(angle) + y * math.cos(angle), 2) + 0.0,
            )
            found = replace(usual, pillar=at, toward=round((usual.toward + turn) % 360.0, 2))
            if not referee.before(table, found):
                return found
    return usual


def building(table: Table, rng: np.random.Generator) -> Placement:
    """One of the buildings left, off the middle of the table, where nothing stands."""
    left = table.buildings_left
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
    box = table.components
    clear = box.road_length / 2 + box.disc_radius
    return all(math.dist(at, disc[:2]) >= clear for disc in obstacles_of(table).discs)


def without(table: Table) -> Placement:
    """The turn of a seat for which no fan found anything: what the referee's own search finds, else
    a missed turn.
    """
    if table.unable(table.to_move):
        return Pass()
    return referee.find_build(table) or Pass("no room")
