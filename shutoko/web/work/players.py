"""The computer's players on the pages: their levels by names that people know, their hands, and
their advice with its reasons.

A room shows the best moves of a position as a hint, a replay as its analysis. A search takes
seconds, so `advised` is a function of plain data that runs in a worker process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rules.arena.players import (
    LEVELS,
    Spec,
    advisers,
    guests,
    known_players,
    levelled,
    options_of,
    parse_spec,
    player,
    thinks_for,
)
from rules.errors import InputError, UnavailableError
from rules.game import Game, Player, game
from shutoko.web.work.workers import say
from sim.languages import Sentence

if TYPE_CHECKING:
    from rules.grid.search.players import Choice
    from sim.bots.weighing import Hint


# --- levels and hands -----------------------------------------------------------------------------


def levels(name: str) -> dict[str, str]:
    """The levels that the players of a game offer, the weakest first, each with the spec of its
    player. Players that other packages bring for the game are last, by their own names.

    Where no player plays at levels every player is one, those that give advice last.
    """
    named = levelled(name)
    if named is not None:
        found = {step: f"{named}:level={step}" for step in LEVELS[:-1]} | {LEVELS[-1]: named}
        return found | {guest: guest for guest in guests(name)}
    strong = advisers(game(name))[::-1]
    weak = (one for one in known_players(name) if one not in strong)
    return {one: one for one in (*weak, *strong)}


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


def with_hand(spec: str, hand: str, name: str) -> str:
    """The spec of a player of a game that places pieces with a hand: a skill, or `none` for a
    steady one.
    """
    said = parse_spec(spec)
    if "hand" not in options_of(said.name, name):
        return spec
    return str(Spec(said.name, (*said.options, ("hand", hand))))


def stand_in(spec: str, name: str) -> str | None:
    """The spec of the player of full strength, with the same hand, for one whose player or option
    is gone from a game; None where the spec has its player.
    """
    said, offered = parse_spec(spec), levels(name)
    with suppress(InputError, UnavailableError):
        if {option for option, _ in said.options} <= {*options_of(said.name, name)}:
            return None
    full = offered.get(LEVELS[-1], [*offered.values()][-1])
    hand = dict(said.options).get("hand")
    return full if hand is None else with_hand(full, hand, name)


def hand_of(spec: str | None, usual: str | None) -> str | None:
    """The skill of the hand that a player's spec names, `usual` if it names none; None is a steady
    hand.
    """
    said = dict(parse_spec(spec).options).get("hand") if spec is not None else None
    return usual if said is None else None if said == "none" else said


# --- advice ---------------------------------------------------------------------------------------

_HALF_CM = 5.0  # mm: as finely as an eye tells room
_AGAINST = ("why_lets", "ring_falls", "ring_shaky")  # reasons against a move
_ALWAYS = ("why_earns", *_AGAINST[1:])  # told whatever else is

Reason = tuple[str, dict[str, object]]
"""A key of the catalogues and the values that go into its text."""


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


def adviser(made: Game[Any], seconds: float = 1.0, hand: str | None = None) -> str | None:
    """The spec of the strongest player of a game that gives advice, None if there is none.

    `seconds` is how long a player thinks that goes by the clock; `hand` is the skill of the hand
    that will make the move.
    """
    name = next(iter(advisers(made)), None)
    if name is None:
        return None
    if goes_by_the_clock(made):
        return f"{name}:seconds={seconds:g}"
    return with_hand(name, hand, made.name) if hand else name


def quick_player(made: Game[Any]) -> str | None:
    """The quickest of several players of a game that give advice, None if there are fewer."""
    _, *others = advisers(made) or ("",)
    return others[-1] if others else None


def quick_adviser(made: Game[Any]) -> str | None:
    """The player whose advice is shown while the strongest one thinks; None if nobody waits for
    that one longer than he asked for.
    """
    return None if goes_by_the_clock(made) else quick_player(made)


def goes_by_the_clock(made: Game[Any]) -> bool:
    """Whether the strongest player that gives advice thinks for as many seconds as it is given."""
    name = next(iter(advisers(made)), None)
    return name is not None and thinks_for(name, made.name) > 0


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
    return tuple(map(rated, made.analyse(asked.state, rng, most)))


def rated(advice: Any) -> Rated:
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
    """What speaks for it, what counts most first, then what speaks against it."""
    if hint.note:
        yield f"why_{hint.reason}", {}
        return
    if hint.wins:
        yield "why_wins", {}
    elif hint.cars:
        yield "why_earns", {"n": hint.cars}
    if hint.declines:
        yield "why_declines", {}
    if hint.mine:
        yield "why_sets_up", {"n": hint.mine}
    for seat in hint.blocks:
        yield "why_blocks", {"colour": Sentence(f"colour_{seat + 1}")}
    tried, spare = hint.tried, round((hint.room or 0.0) / _HALF_CM) / 2
    if tried is not None and not tried.lost:
        yield ("why_spare", {"cm": f"{spare:g}"}) if spare else ("ring_safe", {})
    if hint.grey or hint.yellow:
        yield "why_spends", {"grey": hint.grey, "yellow": hint.yellow}
    if not hint.wins and (theirs := max(hint.replies or (0,))):
        yield "why_lets", {"n": theirs}
    if tried is not None and tried.lost:
        yield "ring_falls" if tried.fallen else "ring_shaky", {}


def apart(found: Sequence[Rated]) -> list[Rated]:
    """Placements with one reason each that none before has, beside their cars and whether they may
    fall; those left out have no such reason. Moves that are no placements stay as they are.
    """
    kept, said = list[Rated](), list[Reason]()
    for one in found:
        own = [reason for reason in one.reasons if reason[0] not in _AGAINST]
        fresh = [reason for reason in own if reason not in said][:1]
        said += fresh
        if one.cars is None:
            kept.append(one)
        elif fresh:
            told = (r for r in one.reasons if r in fresh or r[0] in _ALWAYS)
            kept.append(replace(one, reasons=tuple(told)))
    return kept
