"""What a computer player thinks of a position: its best moves with what they are worth and why; no web framework.

Rooms ask for it as a hint, replays for the position that is shown. A search takes seconds, so `advised` is a plain function of
plain data that runs in a worker process.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from rules.game import game
from rules.players import player
from rules.record import Header
from shutoko.web import plies

__all__ = ["Advice", "Question", "adviser", "advised", "question"]

_ADVISERS = {plies.TABLE: ("planner", "greedy")}
_USUAL = ("best", "mcts", "alphabeta", "greedy")


@dataclass(frozen=True, slots=True)
class Advice:
    """A move as text, best first in a list of them. `chance` is that of the seat to move to win, 0 to 1, None where the
    player does not say; `cars` what the move is worth in cars, at Tokyo Highway; `proven`: exact; `why` a sentence, or nothing.
    """

    move: str
    chance: float | None = None
    cars: float | None = None
    proven: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A position as players are asked about it: the game's name and options, and its state."""

    game: str
    options: dict[str, Any]
    state: Any


def question(header: Header, position: Any) -> Question:
    """A position of a record with that header: a state of a grid game, or a table."""
    options = dict(header.options)
    if header.game != plies.TABLE:
        return Question(header.game, options, position)
    from sim.highway import Position

    engine = str((header.physics or {}).get("engine", "none"))
    options |= {"players": len(header.players), "ruleset": header.ruleset, "components": header.components, "engine": engine}
    return Question(header.game, options, Position(plies.bare(position), engine))


def adviser(name: str, known: Collection[str], seconds: float = 1.0, hand: str | None = None) -> str | None:
    """The spec of the strongest of the `known` players of a game, None if there is none.

    `seconds` of thought for a player that goes by the clock; `hand` is the skill of the hand that will make the move.
    """
    found = next((one for one in _ADVISERS.get(name, _USUAL) if one in known), None)
    if found is None:
        return next(iter(sorted(known)), None)
    if name == plies.TABLE:
        return f"{found}:hand={hand}" if hand else found
    return found if found == "greedy" else f"{found}:seconds={seconds:g}"


def advised(spec: str, asked: Question, seed: tuple[int, ...], most: int) -> tuple[Advice, ...]:
    """The best moves of a position that is not over, at most so many. Raises what the player raises."""
    made = player(spec, game(asked.game, **asked.options))
    rng = np.random.default_rng(seed)
    analyse = getattr(made, "analyse", None)
    if analyse is None:
        return (Advice(str(made.choose(asked.state, rng))),)
    return tuple(_advice(one) for one in analyse(asked.state, rng, most))


def _advice(choice: Any) -> Advice:
    return Advice(str(choice.move), choice.chance, None, choice.proven)
