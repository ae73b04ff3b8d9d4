"""What people are told of a game, in their language: the game's own guide, and the words that the catalogues have for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules import defaults
from rules.game import Game, Guide, Setting

__all__ = ["guide", "setting_name", "value_name", "worded"]


def guide(made: Game[Any], text: Any) -> Guide:
    """The guide of a game. The catalogues may have its title by the game's name, and more by NAME_about, NAME_how, NAME_1 and
    NAME_2 (the colours); what they lack is the guide's.
    """
    found = defaults.guide(made).told(text.language)
    sides = tuple(worded(text, f"{made.name}_{n}", side) for n, side in enumerate(found.sides, 1))
    how = worded(text, f"{made.name}_how", f"{found.rules}\n{found.notation}")
    return replace(
        found,
        title=worded(text, made.name, found.title),
        about=worded(text, f"{made.name}_about", found.about),
        rules=how,
        sides=sides,
    )


def setting_name(setting: Setting, text: Any) -> str:
    """What a setting is called."""
    return worded(text, setting.name, setting.name.replace("_", " ").capitalize())


def value_name(value: Any) -> str:
    """What a value of a setting is called."""
    return "-" if value is None else str(value)


def worded(text: Any, key: str, otherwise: str) -> str:
    """The text of a key of the catalogues; `otherwise` where they do not have it."""
    told = str(text(key))
    return otherwise if told == key else told
