"""The levels of players that suit people, with the same names at every game, the weakest first."""

from __future__ import annotations

from typing import Literal

__all__ = ["LEVELS", "Level", "level_name"]

Level = Literal["first", "beginner", "easy", "medium", "hard", "full", "1", "2", "3", "4", "5", "6"]
"""What `level=` of a player may say: a name or its number."""

LEVELS = ("first", "beginner", "easy", "medium", "hard", "full")
"""From somebody's first game to the full strength of the program."""


def level_name(level: Level) -> str:
    """The name of a level."""
    return LEVELS[int(level) - 1] if level.isdecimal() else level
