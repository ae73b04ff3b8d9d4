"""The best moves of a position in the opinion of a computer player, with their values and the reasons.

A room shows them as a hint, a replay as the analysis of the position. A search takes seconds, so `advised` is a function of
plain data that runs in a worker process.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rules.game import Game, game
from shutoko.web.work.levels import harmless
from shutoko.web.work.workers import say

if TYPE_CHECKING:
    from rules.grid.search.players import Choice
    from sim.bots.advice import Hint

__all__ = ["Question", "Rated", "Reason", "adviser", "advised", "goes_by_the_clock", "question", "quick_adviser"]

Reason = tuple[str, dict[str, object]]
"""A key of the catalogues and the values that go into its text."""

_STRONGEST = ("planner", "best", "mcts", "alphabeta", "greedy")
_TIMED = ("best", "mcts", "alphabeta")


@dataclass(frozen=True, slots=True)
class Rated:
    """A move as text with what a player says of it.

    `chance` is the chance from 0 to 1 that the seat to move wins, None if the player does not say; `proven` means it is exact.
    `cars` is how many cars a placement earns at once. `reasons` are keys of the catalogues with their values; players from
    elsewhere have an English `why` instead.
    """

    move: str
    chance: float | None = None
    proven: bool = False
    cars: int | None = None
    reasons: tuple[Reason, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A position as it is sent to a worker: the game by its name and options, and the state."""

    game: str
    options: Mapping[str, Any]
    state: Any


def question(made: Game[Any], state: Any) -> Question:
    """A position of a game, ready to be sent to a worker."""
    return Question(made.name, dict(made.options), state)


def adviser(known: Collection[str], seconds: float = 1.0, hand: str | None = None) -> str | None:
    """The spec of the strongest of the `known` players of a game, None if there is none.

    `seconds` is how long a player thinks that goes by the clock; `hand` is the skill of the hand that will make the move.
    """
    found = next((one for one in (*_STRONGEST, *sorted(known)) if one in known), None)
    if found in _TIMED:
        return f"{found}:seconds={seconds:g}"
    return f"{found}:hand={hand}" if found in _STRONGEST and hand else found


def quick_adviser(spec: str, known: Collection[str]) -> str | None:
    """The spec of a player whose advice is shown while the one of `spec` thinks; None if that one is as quick."""
    return "greedy" if spec.startswith("planner") and "greedy" in known else None


def goes_by_the_clock(known: Collection[str]) -> bool:
    """Whether the strongest of the `known` players thinks for as many seconds as it is given."""
    return adviser(known, 1.0) != adviser(known, 2.0)


def advised(spec: str, asked: Question, seed: tuple[int, ...], most: int, quick: str | None = None) -> tuple[Rated, ...]:
    """The best moves of a position that is not over, best first, at most so many; says those of a `quick` player before.

    Raises what the player raises.
    """
    if quick is not None:
        say(advised(quick, asked, seed, most))
    made = harmless(spec, game(asked.game, **asked.options))
    rng = np.random.default_rng(seed)
    if not hasattr(made, "analyse"):
        return (Rated(str(made.choose(asked.state, rng))),)
    return tuple(map(_rated, made.analyse(asked.state, rng, most)))


def _rated(advice: Any) -> Rated:
    """What a player says, as plain data; the page has words for the reasons of the shipped players."""
    from rules.grid.search.players import Choice
    from sim.bots.advice import Hint

    if isinstance(advice, Choice):
        return Rated(str(advice.move), advice.chance, advice.proven, reasons=tuple(_of_search(advice)))
    if isinstance(advice, Hint):
        return Rated(str(advice.move), cars=None if advice.note else advice.cars, reasons=tuple(_of_placement(advice)))
    return Rated(str(advice.move), advice.chance, why=advice.why)


def _of_search(choice: Choice) -> Iterator[Reason]:
    match choice.known:
        case "simulations" | "depth":
            yield f"why_{choice.known}", {"n": choice.weight}
        case "end":
            if choice.weight:
                yield "why_end", {"n": choice.weight}
        case "pie":
            yield "why_even" if choice.chance == 0.5 else "why_colour", {}


def _of_placement(hint: Hint) -> Iterator[Reason]:
    if hint.note:
        yield f"why_{hint.move.kind}", {}
        return
    if hint.wins:
        yield "why_wins", {}
    yield "why_spends", {"grey": hint.grey, "yellow": hint.yellow}
    if not hint.wins and hint.replies is not None and hint.mine is not None:
        yield "why_next", {"theirs": max(hint.replies, default=0), "mine": hint.mine}
    tried = hint.tried
    if tried is None:
        return
    if tried.fallen:
        yield "why_fell", {"pieces": ", ".join(tried.fallen)}
    elif tried.lost and hint.skill is not None:
        yield "why_risky", {}
    elif tried.lost and tried.margin is None:
        yield "why_slips", {}
    elif tried.margin is None:
        yield "why_held", {}
    else:
        yield "why_barely" if tried.lost else "why_stands", {"margin": f"{tried.margin:.2f}"}
