"""How strong the computer plays, by names that people know: levels of a search, or players by their names, and their hands."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from rules.arena.players import LEVELS, Spec, parse_spec, player
from rules.errors import InputError
from rules.game import Game, Player

__all__ = ["hand_of", "harmless", "levels", "usual_level", "with_hand"]

_LEVELLED = ("best", "planner")  # players that play at levels
_HANDED = ("random", "greedy", "planner")  # players that place pieces with a hand, the weakest first
_SHIPPED = (*_HANDED, "uct", "rave", "mcts", "alphabeta", "net", "best")


def levels(known: Collection[str]) -> dict[str, str]:
    """The levels that the `known` players of a game offer, the weakest first, each with the spec of its player.

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
    """The player of a spec that a visitor wrote. Raises what `player` raises, and InputError for one that reads a file: a
    visitor must not learn which files the server has.
    """
    if "file" in dict(parse_spec(spec).options):
        raise InputError(f"the player {spec!r}: players on a server read no files; leave file out")
    return player(spec, made)


def with_hand(spec: str, hand: str) -> str:
    """The spec of a player that places pieces with a hand: a skill, or `none` for a steady one."""
    said = parse_spec(spec)
    return str(Spec(said.name, (*said.options, ("hand", hand)))) if said.name in _HANDED else spec


def hand_of(spec: str | None, usual: str | None) -> str | None:
    """The skill of the hand that a player's spec names, `usual` if it names none; None is a steady hand."""
    said = dict(parse_spec(spec).options).get("hand") if spec is not None else None
    return usual if said is None else None if said == "none" else said
