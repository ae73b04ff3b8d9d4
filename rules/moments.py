"""The moments that decided a game: the plies that gave most of somebody's chance away, each with a
better move.

A computer player says what chance each seat has in every position. Where a ply lost much of its
maker's chance, the player looks for the best move there. The moments are those plies after which
most was lost against that move.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rules.arena.players import known_players, player
from rules.errors import InputError
from rules.game import Game
from rules.record.replay import Step

_REVIEWERS = ("planner:playouts=1000", "best:seconds=0.1,clock=cpu")
_LEAST = 0.1  # a ply that loses less of the chance to win is no moment
_LOOKED_AT = 2  # candidate plies that are examined for each moment wanted
_SURE = 0.98  # a chance that counts as a sure win


@dataclass(frozen=True, slots=True)
class Moment:
    """A ply with what it cost: the chance `had` with the `better` move, and the one `kept` with the
    move that was `played`.

    `at` counts the steps of the record from 0; `ply` is the number that the record gives it.
    """

    at: int
    ply: int
    by: int
    played: str
    better: str
    had: float
    kept: float

    @property
    def kind(self) -> Literal["missed", "turned", "slipped"]:
        """A sure win that was not taken, a turn of the game, or a part of the chance given away."""
        if self.had >= _SURE:
            return "missed"
        return "turned" if self.had >= 0.5 > self.kept else "slipped"


def moments(
    adviser: Any, steps: Sequence[Step], seed: int, most: int = 3, on_ply: Callable[[int], None] | None = None
) -> list[Moment]:
    """The moments of a game, in the order of play, `most` at most; none if no ply lost much.

    The adviser is a player with `analyse`. If it has `standing(state, rng, move)`, that gives the
    chance of every seat, after a move if one is given; otherwise the game has two seats. `on_ply`
    is called with the number of positions looked at. Raises InputError for an adviser that knows no
    chances.
    """
    judge = _Judge(adviser, seed)
    plies = [(at, step) for at, step in enumerate(steps) if step.refusal is None and not step.entry.taken_back]
    drops = list[tuple[float, int]]()
    for done, (at, step) in enumerate(plies):
        seat = step.entry.by
        before, after = judge.standing(at, step.before), judge.standing(at + 1, step.after)
        drops.append((before[seat] - after[seat], at))
        if on_ply is not None:
            on_ply(done + 1)
    close = sorted(drops, reverse=True)[: _LOOKED_AT * most]
    found = [moment for drop, at in close if drop > 0 and (moment := judge.moment(at, steps[at])) is not None]
    return sorted(_greatest(found, most), key=lambda one: one.at)


def has_reviewer(known: Collection[str]) -> bool:
    """Whether one of these players is a usual judge of games."""
    return any(one.partition(":")[0] in known for one in _REVIEWERS)


def reviewer(made: Game[Any], spec: str | None = None) -> Any:
    """The player who judges a game: the one of a spec, else the strongest shipped one with little
    time.

    Raises InputError for a game that has none.
    """
    known = known_players(made.name)
    found = [spec] if spec is not None else [one for one in _REVIEWERS if one.partition(":")[0] in known]
    if not found:
        raise InputError(f"no player of {made.name} judges positions; name one that gives advice")
    return player(found[0], made)


def _greatest(found: Iterable[Moment], most: int) -> list[Moment]:
    costly = [one for one in found if one.had - one.kept >= _LEAST]
    return sorted(costly, key=lambda one: one.kept - one.had)[:most]


class _Judge:
    """What an adviser thinks of the positions of a game; positions are known by their number, so
    none is looked at twice.
    """

    def __init__(self, adviser: Any, seed: int) -> None:
        if not hasattr(adviser, "analyse"):
            raise InputError(f"the player {adviser.name} gives no advice; name another one")
        self._adviser, self._seed = adviser, seed
        self._own = getattr(adviser, "standing", None)
        self._standings = dict[int, Sequence[float]]()
        self._best = dict[int, Any]()

    def standing(self, at: int, state: Any) -> Sequence[float]:
        """The chance of each seat in a position."""
        if at not in self._standings:
            self._standings[at] = self._judged(at, state)
        return self._standings[at]

    def moment(self, at: int, step: Step) -> Moment | None:
        """What a ply cost; None if the adviser has no better move."""
        best, seat = self._advice(at, step.before), step.entry.by
        had = best.chance if self._own is None else self._own(step.before, self._rng(at), best.move)[seat]
        kept = self.standing(at + 1, step.after)[seat]
        if had is None or str(best.move) == str(step.move):
            return None
        return Moment(at, step.ply, seat, str(step.move), str(best.move), float(had), float(kept))

    def _judged(self, at: int, state: Any) -> Sequence[float]:
        outcome = state.outcome()
        if outcome is not None:
            seats = sum(map(len, outcome.ranks))
            share = 1.0 / max(len(outcome.winners), 1) if outcome.winners else 1.0 / seats
            return [share * (seat in outcome.winners or not outcome.winners) for seat in range(seats)]
        if self._own is not None:
            found: Sequence[float] = self._own(state, self._rng(at), None)
            return found
        chance = self._advice(at, state).chance
        if chance is None:
            raise InputError(f"the player {self._adviser.name} knows no chances; name another one")
        return [chance, 1.0 - chance] if state.to_move == 0 else [1.0 - chance, chance]

    def _advice(self, at: int, state: Any) -> Any:
        if at not in self._best:
            self._best[at] = self._adviser.analyse(state, self._rng(at), 1)[0]
        return self._best[at]

    def _rng(self, at: int) -> np.random.Generator:
        return np.random.default_rng([self._seed, at])
