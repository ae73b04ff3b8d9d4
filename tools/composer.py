"""The player of the shipped games: like `sim.bots.weighing.Planner` it looks a turn ahead, but
`compose.py` can steer it.

`compose.py` chooses the kinds of road that it may build, and weights that make it play like a
beginner or keep away from others. It is separate from the players that are made to win. So these
can improve while the shipped games stay the same, byte by byte. In a turn it screens proposals
around every base point. It plays the promising ones on geometry alone and weighs them: the cars,
what it can earn in its next turn, what the others could earn, and what it costs. It chooses the
best one that also stands with physics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sim.bodies import rotate
from sim.bots.proposals import Kind, Sampling, building, kinds, without
from sim.bots.proposals import propose as places
from sim.bots.trials import alike
from sim.game.highway import Position
from sim.game.ply import play
from sim.referee.footprints import as_seat
from sim.referee.placement import Placement
from sim.referee.table import Table
from sim.referee.verdict import Verdict

_LEANING = math.sin(math.radians(8.0))
_STUCK = 3.0  # cars: what it costs to be left without a base point


@dataclass(frozen=True, slots=True)
class Proposal:
    """A legal placement, the cars it earns by geometry, and what it is worth (in cars; higher is
    better).
    """

    placement: Placement
    cars: int
    value: float


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth, in cars.

    `ahead`: a car in the own next turn; `denied`: a car that an opponent could earn next; `discs`:
    all grey discs left, spent at once; `yellow`: a yellow disc; `open_end`: a second base point;
    `near`: being 100 mm closer to the roads of others.
    """

    ahead: float = 0.6
    denied: float = 0.35
    discs: float = 1.5
    yellow: float = 0.2
    open_end: float = 0.3
    near: float = 0.25


def _always(_placement: Placement, _verdict: Verdict, _after: Table) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Composer:
    """A `rules.game.Player`. It weighs the `width` most promising placements of a turn, and tries
    at most `tests` of them with physics; none with the engine `none`.
    """

    name: str = "composer"
    width: int = 12
    tests: int = 10
    weights: Weights = Weights()

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """A legal placement; all random numbers come from `rng`."""
        table = state.table
        if table.phase == "entrances":
            return table.default_entrance(table.to_move)
        if table.phase == "buildings":
            return building(table, rng)
        proposals = propose(table, rng, self.width, self.weights)
        if not proposals:
            return without(table)
        return self.tested(state, proposals)

    def tested(
        self,
        state: Position,
        proposals: Sequence[Proposal],
        sound: Callable[[Placement, Verdict, Table], bool] = _always,
    ) -> Placement:
        """The first of the proposals that stands well, knocks nothing over, gets its cars, and is
        sound; if there is none, the one that did best.

        It does not test proposals that resemble one that failed.
        """
        table, engine = state.table, state.engine
        failed: list[tuple[Placement, tuple[bool, int, int]]] = []
        for proposal in proposals if engine != "none" else ():
            placement = proposal.placement
            if len(failed) == self.tests:
                break
            if any(alike(placement, other) for other, _ in failed):
                continue
            verdict, after = play(table, placement, engine)
            due = min(proposal.cars, table.stocks[table.to_move].cars)
            stands = (
                verdict.built and not verdict.falls and len(verdict.spots) >= due and _flat(after)
            )
            if stands and sound(placement, verdict, after):
                return placement
            knocked = sum(pieces for _, pieces in verdict.owed)
            failed.append((placement, (bool(verdict.built), -knocked, len(verdict.spots))))
        if not failed:
            return proposals[0].placement
        return max(failed, key=lambda one: one[1])[0]


def propose(
    table: Table,
    rng: np.random.Generator,
    width: int = 12,
    weights: Weights = Weights(),
    wanted: Collection[Kind] | None = None,
) -> tuple[Proposal, ...]:
    """Legal placements of the seat to move, best first, at most `width`; `wanted` are the kinds to
    choose from (None: all).
    """
    seat, options = table.to_move, []
    others, last = _middle_of_others(table), len(table.base_points(seat)) == 1
    for some in _by_base(kinds(table) if wanted is None else wanted).values():
        fan = places(table, Sampling(48, 3, float(rng.random())), some)
        for row, ((x, y), earned) in enumerate(
            zip(fan.at.tolist(), fan.cars.tolist(), strict=True)
        ):
            kind = some[int(fan.kind[row])]
            away = math.dist((x, y), others) / 100.0 if others is not None else 0.0
            stuck = _STUCK if last and kind.discs == 0 and earned < table.stocks[seat].cars else 0.0
            quick = (
                earned
                - _cost(table, kind, weights)
                - stuck
                - weights.near * away
                + 0.2 * float(rng.random())
            )
            options.append((quick, fan.placement(row), earned))
    options.sort(key=lambda option: -option[0])
    weighed = []
    for quick, placement, earned in options[:width]:
        weighed.append(
            Proposal(placement, earned, quick + _prospect(table, placement, seat, weights))
        )
    return tuple(sorted(weighed, key=lambda proposal: -proposal.value))


# --- helpers --------------------------------------------------------------------------------------


def _flat(table: Table) -> bool:
    """Whether the road laid last rests flat. A road that leans on an edge slips as soon as
    something near it moves.
    """
    pose = table.poses.get(table.roads[-1].id)
    return pose is None or abs(rotate(pose.quat, (0.0, 1.0, 0.0))[2]) < _LEANING


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
    """What a placement is worth beyond the cars of this turn: a win, the next turn, what it leaves
    to others.
    """
    _, after = play(table, placement, "none")
    if after.stocks[seat].cars == 0:
        return 10.0
    if after.outcome() is not None or not after.base_points(seat):
        return 0.0
    mine = _best_turn(after, seat)
    theirs = max(
        (_best_turn(after, other) for other in after.turns.active if other != seat), default=0
    )
    ends = len(after.base_points(seat)) - 1
    return weights.ahead * mine - weights.denied * theirs + weights.open_end * min(ends, 2)


def _best_turn(table: Table, seat: int) -> int:
    """The most cars that a seat could earn if it were to move. An exit counts if it wins or leaves
    another base point.
    """
    asked = as_seat(table, seat)
    left = asked.stocks[seat].cars
    lone = len(asked.base_points(seat)) == 1
    # one height of junction for each base is enough to see whether a junction would help
    seen = [
        k for k in kinds(asked) if not k.junction or k.discs == asked.pillar_by_id[k.base].discs + 1
    ]
    fan = places(asked, Sampling(36, 2), seen)
    counted = fan.cars[(fan.discs > 0) | (fan.cars >= left)] if lone else fan.cars
    return min(int(counted.max(initial=0)), left)


def _middle_of_others(table: Table) -> tuple[float, float] | None:
    """The middle of the open ends of the other players, where roads to cross will be."""
    ends = [
        point.pillar.at
        for other in table.turns.active
        if other != table.to_move
        for point in table.base_points(other)
    ]
    if not ends:
        return None
    return (sum(x for x, _ in ends) / len(ends), sum(y for _, y in ends) / len(ends))
