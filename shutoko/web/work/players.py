"""The computer's players on the pages: their levels by names that people know, their hands, and
their advice with its reasons.

A room shows the best moves of a position as a hint, a replay as its analysis. A search takes
seconds, so `advised` is a function of plain data that runs in a worker process.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rules.arena.players import LEVELS, Spec, parse_spec, player
from rules.errors import InputError
from rules.game import Game, Player, game
from shutoko.web.work.workers import say

if TYPE_CHECKING:
    from rules.grid.search.players import Choice
    from sim.bots.weighing import Hint


# --- levels and hands -----------------------------------------------------------------------------

_LEVELLED = ("best", "planner")  # players that play at levels
# players that place pieces with a hand, the weakest first
_HANDED = (
    "random",
    "greedy",
    "planner",
)
_SHIPPED = (*_HANDED, "uct", "rave", "mcts", "alphabeta", "net", "best")


def levels(known: Collection[str]) -> dict[str, str]:
    """The levels that the `known` players of a game offer, the weakest first, each with the spec of
    its player.

    Players that come from elsewhere are last, by their own names.
    """
    if levelled := next((name for name in _LEVELLED if name in known), None):
        found = {step: f"{levelled}:level={step}" for step in LEVELS[:-1]} | {LEVELS[-1]: levelled}
    else:
        found = {name: name for name in _SHIPPED if name in known}
    return found | {name: name for name in sorted(known) if name not in _SHIPPED}


def usual_level(offered: Mapping[str, str]) -> str:
    """The level that a dialogue begins with: one in the middle, if there is one."""
    return next((level for level in ("medium", *offered) if level in offered), "")


def harmless(spec: str, made: Game[Any]) -> Player[Any]:
    """The player of a spec that a visitor wrote. Raises what `player` raises, and InputError for
    one that reads a file: a visitor must not learn which files the server has.
    """
    if "file" in dict(parse_spec(spec).options):
        raise InputError(f"the player {spec!r}: players on a server read no files; leave file out")
    return player(spec, made)


def with_hand(spec: str, hand: str) -> str:
    """The spec of a player that places pieces with a hand: a skill, or `none` for a steady one."""
    said = parse_spec(spec)
    return str(Spec(said.name, (*said.options, ("hand", hand)))) if said.name in _HANDED else spec


def hand_of(spec: str | None, usual: str | None) -> str | None:
    """The skill of the hand that a player's spec names, `usual` if it names none; None is a steady
    hand.
    """
    said = dict(parse_spec(spec).options).get("hand") if spec is not None else None
    return usual if said is None else None if said == "none" else said


# --- advice ---------------------------------------------------------------------------------------

Reason = tuple[str, dict[str, object]]
"""A key of the catalogues and the values that go into its text."""

_STRONGEST = ("planner", "best", "mcts", "alphabeta", "greedy")
_TIMED = ("best", "mcts", "alphabeta")


@dataclass(frozen=True, slots=True)
class Rated:
    """A move as text with what a player says of it.

    `chance` is the chance from 0 to 1 that the seat to move wins, None if the player does not say;
    `proven` means it is exact. `cars` is how many cars a placement earns at once. `reasons` are
    keys of the catalogues with their values; players from elsewhere have an English `why` instead.
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

    `seconds` is how long a player thinks that goes by the clock; `hand` is the skill of the hand
    that will make the move.
    """
    found = next((one for one in (*_STRONGEST, *sorted(known)) if one in known), None)
    if found in _TIMED:
        return f"{found}:seconds={seconds:g}"
    return f"{found}:hand={hand}" if found in _STRONGEST and hand else found


def quick_player(known: Collection[str]) -> str | None:
    """The spec of a player that answers at once, None if none of the `known` ones is sure to."""
    return "greedy" if "greedy" in known else None


def quick_adviser(spec: str, known: Collection[str]) -> str | None:
    """The spec of a player whose advice is shown while the one of `spec` thinks; None if that one
    is as quick.
    """
    return quick_player(known) if spec.startswith("planner") else None


def goes_by_the_clock(known: Collection[str]) -> bool:
    """Whether the strongest of the `known` players thinks for as many seconds as it is given."""
    return adviser(known, 1.0) != adviser(known, 2.0)


def advised(
    spec: str, asked: Question, seed: tuple[int, ...], most: int, quick: str | None = None
) -> tuple[Rated, ...]:
    """The best moves of a position that is not over, best first, at most so many; says those of a
    `quick` player before.

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
    """What a player says, as plain data; the page has words for the reasons of the shipped
    players.
    """
    from rules.grid.search.players import Choice
    from sim.bots.weighing import Hint

    if isinstance(advice, Choice):
        return Rated(
            str(advice.move), advice.chance, advice.proven, reasons=tuple(_of_search(advice))
        )
    if isinstance(advice, Hint):
        return Rated(
            str(advice.move),
            cars=None if advice.note else advice.cars,
            reasons=tuple(_of_placement(advice)),
        )
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
