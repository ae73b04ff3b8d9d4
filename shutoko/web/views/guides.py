"""The guide to a game in a language: the game's own guide, with the words that the catalogue has for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules import defaults
from rules.game import Game, Guide, Setting

__all__ = ["guide", "how_to", "setting_about", "setting_name", "value_name", "worded"]

_SETTINGS = frozenset(("players", "ruleset", "components", "size", "pie", "trade", "ko", "repetition"))
"""The settings that the catalogues have a word for, by that name."""


def guide(made: Game[Any], text: Any) -> Guide:
    """The guide of a game.

    Where the catalogues have NAME_about, they also have the title (NAME) and the colours (NAME_1, NAME_2), and these count
    instead of the guide's.
    """
    found = defaults.guide(made).told(text.language)
    about = worded(text, f"{made.name}_about", "")
    if not about:
        return found
    sides = tuple(worded(text, f"{made.name}_{n}", side) for n, side in enumerate(found.sides, 1))
    return replace(found, title=worded(text, made.name, found.title), about=about, sides=sides)


def how_to(made: Game[Any], text: Any, pointing: str = "") -> str:
    """How to play a game on a page: what the catalogues have for it (NAME_how), else its rules and notation, and the message
    `pointing`, which says how to point at any game of its kind.
    """
    found = defaults.guide(made).told(text.language)
    own = "\n".join((found.rules, found.notation, *([text(pointing)] if pointing else [])))
    return worded(text, f"{made.name}_how", own)


def setting_name(setting: Setting, text: Any) -> str:
    """What a setting is called."""
    plain = setting.name.replace("_", " ").capitalize()
    return worded(text, setting.name, plain) if setting.name in _SETTINGS else plain


def setting_about(made: Game[Any], setting: Setting, text: Any) -> str:
    """What a setting decides: what the catalogues have for it (NAME_about_SETTING), else the game's own translation."""
    said = defaults.guide(made).translations.get(text.language, {})
    return worded(text, f"{made.name}_about_{setting.name}", said.get(setting.about, setting.about))


def value_name(value: Any) -> str:
    """What a value of a setting is called."""
    return "-" if value is None else str(value)


def worded(text: Any, key: str, otherwise: str) -> str:
    """The text of a key of the catalogues; `otherwise` where they do not have it."""
    told = str(text(key))
    return otherwise if told == key else told
