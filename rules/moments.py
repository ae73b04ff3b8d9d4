"""What a computer player thinks of positions: the best moves of one, and the moments that decided a
game.

`looks` shows the best moves of a position, better and better: the player looks at it for longer
each time. `moments` are the plies that gave most of somebody's chance away, each with a better
move: a player says what chance each seat has in every position; where a ply lost much of its
maker's chance, the player looks for the best move there. The moments are those plies after which
most was lost against that move.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from rules import defaults
from rules.arena.players import Spec, advisers, options_of, parse_spec, player
from rules.errors import InputError
from rules.game import Advice, Game, Move
from rules.record.replay import Step

# --- the best moves of a position -----------------------------------------------------------------

# seconds of the first look, if there are more; each look takes at least twice as long as the one
# before
_FIRST = 0.25
# options of players with which the time does not count
_LIMITS = ("simulations", "playouts", "depth", "level")
_SHARE = 0.02  # of a look's time goes into each further move of a line
_LONGEST = 3  # moves that a line goes on for


@dataclass(frozen=True, slots=True)
class Line:
    """A move with what the player says of it, and how the game could go on from there: moves, none
    where pieces lie in space (what these come to only physics knows).
    """

    advice: Advice
    then: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """What a player found in so many seconds: lines, best first."""

    seconds: float
    lines: tuple[Line, ...]

    @property
    def proven(self) -> bool:
        """Whether the chance of the best move is exact, so that no longer look changes it."""
        return bool(getattr(self.lines[0].advice, "proven", False))


def looks(
    made: Game[Any],
    state: Any,
    seconds: float,
    most: int = 3,
    spec: str | None = None,
    seed: int = 0,
) -> Iterator[Look]:
    """Looks at a position that is not over, each twice as long as the one before and the last as
    long as there is time left, until so many seconds are spent or the best move is proven; `most`
    lines at most.

    `spec` is a player with the option `seconds` that gives advice, else the strongest one, which
    looks once if it has no such option. All chance comes from the seed. Raises InputError for
    another player, for one with another limit than time, and for a time that is not above 0.
    """
    if not 0.0 < seconds <= 86_400.0:
        raise InputError(f"seconds must be above 0 and at most 86400, not {seconds:g}")
    asked = _spec(made, spec)
    time, spent = min(_FIRST, seconds), 0.0
    while spent < seconds:
        # less than twice as long is no better answer
        time = seconds - spent if seconds - spent < 3.0 * time else time
        look = _look(made, state, asked, time, most, seed)
        yield look
        if look.proven or "seconds" not in options_of(asked.name, made.name):
            return
        spent, time = spent + time, 2.0 * time


def _spec(made: Game[Any], given: str | None) -> Spec:
    """The player without its time. Raises InputError for one that does not think for a time, or
    gives no advice.
    """
    names = advisers(made) if given is None else (given,)
    if not names:
        raise InputError(f"no player of {made.name} is known to give advice; name one that does")
    spec = parse_spec(names[0])
    if given is not None and "seconds" not in options_of(spec.name, made.name):
        raise InputError(
            f"the player {spec.name!r} has no option 'seconds', so it cannot look for longer"
        )
    if limits := [key for key, _ in spec.options if key in _LIMITS]:
        raise InputError(f"the player {spec} is to think for a time: leave out {limits[0]}")
    spec = replace(
        spec, options=tuple((key, value) for key, value in spec.options if key != "seconds")
    )
    if not hasattr(_thinking(made, spec, _FIRST), "analyse"):
        raise InputError(f"the player {spec} gives no advice; name another one")
    return spec


def _thinking(made: Game[Any], spec: Spec, seconds: float) -> Any:
    timed = (
        (("seconds", f"{seconds:.6g}"),) if "seconds" in options_of(spec.name, made.name) else ()
    )
    return player(replace(spec, options=(*spec.options, *timed)), made)


def _look(made: Game[Any], state: Any, spec: Spec, seconds: float, most: int, seed: int) -> Look:
    found: Sequence[Advice] = _thinking(made, spec, seconds).analyse(
        state, np.random.default_rng(seed), most
    )
    if defaults.table(made, state) is not None:
        return Look(seconds, tuple(map(Line, found)))
    quick = _thinking(made, spec, _SHARE * seconds)
    return Look(
        seconds, tuple(Line(one, _going_on(quick, state.after(one.move), seed)) for one in found)
    )


def _going_on(quick: Any, state: Any, seed: int) -> tuple[Move, ...]:
    """The moves that both sides would make next."""
    moves: list[Move] = []
    while state.outcome() is None and len(moves) < _LONGEST:
        moves.append(quick.choose(state, np.random.default_rng(seed)))
        state = state.after(moves[-1])
    return tuple(moves)


# --- the moments of a game ------------------------------------------------------------------------

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
    adviser: Any,
    steps: Sequence[Step],
    seed: int,
    most: int = 3,
    on_ply: Callable[[int], None] | None = None,
) -> list[Moment]:
    """The moments of a game, in the order of play, `most` at most; none if no ply lost much.

    The adviser is a player with `analyse`. If it has `standing(state, rng, move)`, that gives the
    chance of every seat, after a move if one is given; otherwise the game has two seats. `on_ply`
    is called with the number of positions looked at. Raises InputError for an adviser that knows no
    chances.
    """
    judge = _Judge(adviser, seed)
    plies = [
        (at, step)
        for at, step in enumerate(steps)
        if step.refusal is None and not step.entry.taken_back
    ]
    drops = list[tuple[float, int]]()
    for done, (at, step) in enumerate(plies):
        seat = step.entry.by
        before, after = judge.standing(at, step.before), judge.standing(at + 1, step.after)
        drops.append((before[seat] - after[seat], at))
        if on_ply is not None:
            on_ply(done + 1)
    close = sorted(drops, reverse=True)[: _LOOKED_AT * most]
    found = [
        moment
        for drop, at in close
        if drop > 0 and (moment := judge.moment(at, steps[at])) is not None
    ]
    costly = sorted(found, key=lambda one: one.kept - one.had)
    return sorted(
        [one for one in costly if one.had - one.kept >= _LEAST][:most], key=lambda one: one.at
    )


def has_reviewer(made: Game[Any]) -> bool:
    """Whether a player judges games unless somebody names one."""
    return _reviewer(made) is not None


def reviewer(made: Game[Any], spec: str | None = None) -> Any:
    """The player who judges a game: the one of a spec, else the game's own `reviewer`, else the
    strongest one that gives advice.

    Raises InputError for a game that has none.
    """
    found = _reviewer(made) if spec is None else spec
    if found is None:
        raise InputError(f"no player of {made.name} judges positions; name one that gives advice")
    return player(found, made)


def _reviewer(made: Game[Any]) -> str | None:
    own: str | None = getattr(made, "reviewer", None)
    return next(iter(advisers(made)), None) if own is None else own


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
        had = (
            best.chance
            if self._own is None
            else self._own(step.before, self._rng(at), best.move)[seat]
        )
        kept = self.standing(at + 1, step.after)[seat]
        if had is None or str(best.move) == str(step.move):
            return None
        return Moment(at, step.ply, seat, str(step.move), str(best.move), float(had), float(kept))

    def _judged(self, at: int, state: Any) -> Sequence[float]:
        outcome = state.outcome()
        if outcome is not None:
            seats = sum(map(len, outcome.ranks))
            share = 1.0 / max(len(outcome.winners), 1) if outcome.winners else 1.0 / seats
            return [
                share * (seat in outcome.winners or not outcome.winners) for seat in range(seats)
            ]
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
