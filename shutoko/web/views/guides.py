"""What people are told of a game, in their language: the game's own guide, and the words that the catalogues have for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules import defaults
from rules.game import Game, Guide, Setting

__all__ = ["guide", "setting_name", "value_name", "worded"]


_SETTINGS = ("players", "ruleset", "size", "pie")  # the settings that the catalogues have a word for, by that name


def guide(made: Game[Any], text: Any) -> Guide:
    """The guide of a game, its notation at the end of its rules.

    Where the catalogues have NAME_about, they also have the title (NAME), how to play on a page (NAME_how) and the colours
    (NAME_1, NAME_2), and these count instead of the guide's.
    """
    found = defaults.guide(made).told(text.language)
    found = replace(found, rules=f"{found.rules}\n{found.notation}")
    about = worded(text, f"{made.name}_about", "")
    if not about:
        return found
    title, how = worded(text, made.name, found.title), worded(text, f"{made.name}_how", found.rules)
    sides = tuple(worded(text, f"{made.name}_{n}", side) for n, side in enumerate(found.sides, 1))
    return replace(found, title=title, about=about, rules=how, sides=sides)


def setting_name(setting: Setting, text: Any) -> str:
    """What a setting is called."""
    plain = setting.name.replace("_", " ").capitalize()
    return worded(text, setting.name, plain) if setting.name in _SETTINGS else plain


def value_name(value: Any) -> str:
    """What a value of a setting is called."""
    return "-" if value is None else str(value)


def worded(text: Any, key: str, otherwise: str) -> str:
    """The text of a key of the catalogues; `otherwise` where they do not have it."""
    told = str(text(key))
    return otherwise if told == key else told
