"""How strong the computer plays, by names that people know: levels of a search, or players by their names, and their hands."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rules.arena.players import parse_spec

__all__ = ["hand_of", "levels", "usual_level", "with_hand"]

_STEPS = ("beginner", "easy", "medium", "hard")  # of the player `best`, below its full strength
_HANDED = ("random", "greedy", "planner")  # players that place pieces with a hand, the weakest first
_SHIPPED = (*_HANDED, "uct", "rave", "mcts", "alphabeta", "best")


def levels(known: Collection[str]) -> dict[str, str]:
    """The levels that the `known` players of a game offer, the weakest first, each with the spec of its player.

    Players that come from elsewhere are last, by their own names.
    """
    if "best" in known:
        found = {step: f"best:level={step}" for step in _STEPS} | {"full": "best"}
    else:
        found = {name: name for name in _SHIPPED if name in known}
    return found | {name: name for name in sorted(known) if name not in _SHIPPED}


def usual_level(offered: Mapping[str, str]) -> str:
    """The level that a dialogue begins with: one in the middle, if there is one."""
    return next((level for level in ("medium", "greedy", *offered) if level in offered), "")


def with_hand(spec: str, hand: str) -> str:
    """The spec of a player that places pieces with a hand: a skill, or `none` for a steady one."""
    return f"{spec}:hand={hand}" if spec in _HANDED else spec


def hand_of(spec: str | None, usual: str | None) -> str | None:
    """The skill of the hand that a player's spec names, `usual` if it names none; None is a steady hand."""
    said = dict(parse_spec(spec).options).get("hand") if spec is not None else None
    return usual if said is None else None if said == "none" else said
