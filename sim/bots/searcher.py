"""The planner that searches: the best candidates of `sim.bots.weighing` are played on to the end of
the game, many times.
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sim.bodies import Floats
from sim.bots.outlook import Outlook
from sim.bots.playouts import POLICY, Ahead, Policy, may_wait
from sim.bots.proposals import Proposals, building, set_up
from sim.bots.trials import Trial, alike
from sim.bots.weighing import Hint, Planner, chosen, hints, set_up_hint
from sim.game import Position, Skill, play
from sim.referee import Build, Exit, Pass, Placement, Table

_APART = 30.0  # mm: nearer places are one candidate
_STANDING = 300  # playouts that estimate a seat's chance to win
_BUILDINGS = 16  # places for a building that are tried


# --- sharing out playouts -------------------------------------------------------------------------
# Sequential halving (Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits,
# 2013) shares the playouts out: after each round the worse half of the candidates is given up. The
# planner's first opinion on a candidate counts as a few playouts.


# by how much a car raises the chance to win, in the planner's first opinion
_CAR = 0.08

# what a car of this turn counts beyond the chance to win: it is taken unless waiting wins clearly
# more games
_SURE = 0.03

# cars, subtracted from what is no candidate, so that it ranks after all that are
_BEHIND = 5.0

# builds that are also tried without the cars that they earn
_DECLINED = 2

_TRUST = 20.0  # playouts that the first opinion counts for
# seconds of a tick of the coarsest clock of a process; a shorter time says nothing about the speed
_TICK = 1 / 64
# playouts of every candidate before the first half of them is given up, but no more than a part in
# so many of all
_FIRST, _SHARE = 12, 4


@dataclass(frozen=True, slots=True)
class Budget:
    """How long the choice of a move may take: so many `seconds` of the clock, or so many `playouts`
    if `seconds` is 0.
    """

    playouts: int = 4000
    seconds: float = 0.0
    clock: Callable[[], float] = time.perf_counter


@dataclass(slots=True, eq=False)
class _Candidate:
    """The table after a move, the first opinion of it, what it counts beyond the chance to win, and
    what was played so far.
    """

    ahead: Ahead
    extra: float
    prior: float = 0.0
    total: float = 0.0
    count: int = 0

    @property
    def mean(self) -> float:
        return self.total / max(self.count, 1)

    @property
    def chance(self) -> float:
        """The chance to win, with the first opinion in it."""
        return (self.total + _TRUST * self.prior) / (self.count + _TRUST)

    @property
    def value(self) -> float:
        """What candidates are compared by."""
        return self.chance + self.extra

    def play(self, seat: int, times: int, seed: int) -> None:
        self.total += self.ahead.play(seat, times, seed + self.count)
        self.count += times


def chances_of(
    after: Sequence[Ahead],
    seat: int,
    worth: Floats,
    extra: Floats,
    budget: Budget,
    rng: np.random.Generator,
    spent: float = 0.0,
) -> Floats:
    """The chance of a seat to win after each of its moves; `after` is the table there, where nobody
    has won yet.

    `worth` is the first opinion of them, in cars; `extra` is what each counts beyond the chance to
    win. `spent` are the seconds of the budget that went into the opinion. A move that was given up
    never counts more than those that were not.
    """
    begin = budget.clock()
    seed = int(rng.integers(2**62))
    some = [_Candidate(ahead, more) for ahead, more in zip(after, extra.tolist(), strict=True)]
    begin_with = min(_FIRST, max(budget.playouts // (_SHARE * len(some)), 2))
    for one in some:
        one.play(seat, begin_with, seed)
    middle = float(np.mean([one.mean for one in some]))
    for one, ahead in zip(some, (worth - worth.mean()).tolist(), strict=True):
        one.prior = min(max(middle + _CAR * ahead, 0.01), 0.99)
    active = list(some)
    for left in range(max(math.ceil(math.log2(len(some))), 1), 0, -1):
        played, now = sum(one.count for one in some), budget.clock()
        if budget.seconds:  # as many as the time left allows at the speed so far
            still = (budget.seconds - spent - (now - begin)) * played / max(now - begin, _TICK)
        else:
            still = float(budget.playouts - played)
        times = round(still / (left * len(active)))
        for one in active if times > 0 else ():
            one.play(seat, times, seed)
        active = sorted(active, key=lambda one: -one.value)[: max(math.ceil(len(active) / 2), 2)]
    least = min(one.value for one in active)
    return np.array(
        [
            min(one.chance, max(least - one.extra, 0.0)) if one not in active else one.chance
            for one in some
        ]
    )


def different(found: Proposals, rows: Iterable[int], most: int) -> dict[int, Placement]:
    """The first of some rows, at most so many, whose moves do not resemble each other."""
    kept = dict[int, Placement]()
    for row in rows:
        if len(kept) == most:
            break
        move = found.placement(row)
        if not any(alike(move, other, _APART) for other in kept.values()):
            kept[row] = move
    return kept


def set_up_searched(
    table: Table, budget: Budget, rng: np.random.Generator, policy: Policy = POLICY
) -> list[tuple[Placement, float]]:
    """Entrances or buildings with the chance to win of each, best first. Raises InputError after
    the end.
    """
    usual = set_up(table, rng)
    moves: list[Placement] = [usual]
    now = Ahead.of_table(table, policy)
    if table.phase == "entrances":
        moves += [move for move in now.entrances() if move != usual]
    else:
        moves += [building(table, rng) for _ in range(_BUILDINGS - 1)]
    none = np.zeros(len(moves))
    after = [now.after(move) for move in moves]
    chances = chances_of(after, table.to_move, none, none, budget, rng)
    order = np.argsort(-chances, kind="stable").tolist()
    return [(moves[row], float(chances[row])) for row in order]


# --- the player -----------------------------------------------------------------------------------


_BUDGET = Budget()
_PLANNER = Planner()


@dataclass(frozen=True, slots=True)
class _Searched:
    """The proposals, what they are worth in cars, the outlook of each, the chances to win of the
    moves that were played on, and what else than a proposal may be done.
    """

    found: Proposals
    worth: Floats
    seen: Outlook
    chances: dict[Placement, float]
    others: tuple[Trial, ...] = ()


@dataclass(frozen=True, slots=True)
class Searcher:
    """Plays the best `candidates` of `first` on to the end of the game and takes the one that wins
    most often. Physics and its own hand then try the best, as they do for `first`.

    It considers every kind of decision: where a turn may be passed, a pass (`may_wait`); the best
    builds without the cars that they earn; in the set-up every entrance that `sim.Batch` lists, and
    some places for a building.
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
            return set_up_searched(state.table, self.budget, rng, self.policy)[0][0]
        one = self._searched(state.table, rng)
        return chosen(state, one.found, one.worth, self.first.trials, rng, one.others)

    def analyse(self, state: Position, rng: np.random.Generator, most: int = 5) -> list[Hint]:
        """The best placements that do not resemble each other, at most `most`, tried by physics,
        with the chance to win.
        """
        table = state.table
        if table.phase != "play":
            best = set_up_searched(table, self.budget, rng, self.policy)[:most]
            return [set_up_hint(table, move, chance) for move, chance in best]
        one = self._searched(table, rng)
        told = hints(
            state, one.found, one.worth, one.seen, self.first.trials, rng, most, one.others
        )
        return [
            replace(hint, chance=1.0 if hint.wins else one.chances.get(hint.move)) for hint in told
        ]

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
        ahead, seed = Ahead.of_table(table, self.policy), int(rng.integers(2**62))
        return [ahead.play(seat, _STANDING, seed) / _STANDING for seat in seats]

    def _searched(self, table: Table, rng: np.random.Generator) -> _Searched:
        """What `first` proposes, and every other decision, played on."""
        begin, seat = self.budget.clock(), table.to_move
        found, worth, seen = self.first.weighed(table, rng)
        best = np.argsort(-worth, kind="stable").tolist()
        kept = different(found, best, self.candidates)
        rows, moves = [*kept], [*kept.values()]
        if not rows or found.cars[rows[0]] >= table.stocks[seat].cars:
            return _Searched(found, worth, seen, {})
        others = _others(table, found, worth, rows)
        now, cars = Ahead.of_table(table, self.policy), found.cars[rows].tolist()
        after = [now.after(move, count) for move, count in zip(moves, cars, strict=True)]
        after += [now.after(other.placement) for other in others]
        opinion = np.array([*worth[rows], *(other.worth for other in others)])
        sure = _SURE * np.array([*cars, *(0 for _ in others)], dtype=np.float64)
        spent = self.budget.clock() - begin
        chances = chances_of(after, seat, opinion, sure, self.budget, rng, spent)
        in_hand, n = (chances + sure - (chances + sure).max()) / _CAR, len(rows)
        searched = worth - worth[rows[0]] - _BEHIND
        searched[rows] = in_hand[:n] - self.first.tight(seen)[rows]
        known = [*moves, *(other.placement for other in others)]
        return _Searched(
            found,
            searched,
            seen,
            dict(zip(known, chances.tolist(), strict=True)),
            tuple(
                replace(other, worth=float(value))
                for other, value in zip(others, in_hand[n:], strict=True)
            ),
        )


def _others(table: Table, found: Proposals, worth: Floats, rows: list[int]) -> list[Trial]:
    """What may be done beside the proposals of some rows, and the first opinion of it."""
    others = [Trial(Pass(), 0, float(worth[rows].mean()))] if may_wait(table) else []
    for row in [row for row in rows if found.cars[row]][:_DECLINED]:
        move = found.placement(row)
        assert isinstance(move, (Build, Exit))
        others.append(Trial(replace(move, cars=()), 0, float(worth[row] - found.cars[row])))
    return others
