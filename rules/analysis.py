"""The best moves of a position, better and better: a computer player looks at it for longer each
time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rules import defaults
from rules.arena.players import Spec, known_players, parse_spec, player
from rules.errors import InputError
from rules.game import Advice, Game, Move

_STRONGEST = ("planner", "best")
_FIRST = 0.25  # seconds of the first look, if there are more; each look takes at least twice as long as the one before
_LIMITS = ("simulations", "playouts", "depth", "level")  # options of players with which the time does not count
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


def looks(made: Game[Any], state: Any, seconds: float, most: int = 3, spec: str | None = None, seed: int = 0) -> Iterator[Look]:
    """Looks at a position that is not over, each twice as long as the one before and the last as
    long as there is time left, until so many seconds are spent or the best move is proven; `most`
    lines at most.

    `spec` is a player with the option `seconds` that gives advice, else the strongest shipped one.
    All chance comes from the seed. Raises InputError for another player, for one with another limit
    than time, and for a time that is not above 0.
    """
    if not 0.0 < seconds <= 86_400.0:
        raise InputError(f"seconds must be above 0 and at most 86400, not {seconds:g}")
    asked = _spec(made, spec)
    time, spent = min(_FIRST, seconds), 0.0
    while spent < seconds:
        time = seconds - spent if seconds - spent < 3.0 * time else time  # less than twice as long is no better answer
        look = _look(made, state, asked, time, most, seed)
        yield look
        if look.proven:
            return
        spent, time = spent + time, 2.0 * time


def _spec(made: Game[Any], given: str | None) -> Spec:
    """The player without its time. Raises InputError for one that does not think for a time, or
    gives no advice.
    """
    known = known_players(made.name)
    names = [given] if given is not None else [name for name in _STRONGEST if name in known]
    if not names:
        raise InputError(f"no player of {made.name} is known to give advice; name one that does")
    spec = parse_spec(names[0])
    if limits := [key for key, _ in spec.options if key in _LIMITS]:
        raise InputError(f"the player {spec} is to think for a time: leave out {limits[0]}")
    spec = replace(spec, options=tuple((key, value) for key, value in spec.options if key != "seconds"))
    if not hasattr(_thinking(made, spec, _FIRST), "analyse"):
        raise InputError(f"the player {spec} gives no advice; name another one")
    return spec


def _thinking(made: Game[Any], spec: Spec, seconds: float) -> Any:
    return player(replace(spec, options=(*spec.options, ("seconds", f"{seconds:.6g}"))), made)


def _look(made: Game[Any], state: Any, spec: Spec, seconds: float, most: int, seed: int) -> Look:
    found: Sequence[Advice] = _thinking(made, spec, seconds).analyse(state, np.random.default_rng(seed), most)
    if defaults.table(made, state) is not None:
        return Look(seconds, tuple(map(Line, found)))
    quick = _thinking(made, spec, _SHARE * seconds)
    return Look(seconds, tuple(Line(one, _going_on(quick, state.after(one.move), seed)) for one in found))


def _going_on(quick: Any, state: Any, seed: int) -> tuple[Move, ...]:
    """The moves that both sides would make next."""
    moves: list[Move] = []
    while state.outcome() is None and len(moves) < _LONGEST:
        moves.append(quick.choose(state, np.random.default_rng(seed)))
        state = state.after(moves[-1])
    return tuple(moves)
