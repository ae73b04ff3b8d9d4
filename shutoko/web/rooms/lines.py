"""What people type, made one short line: names and messages."""

from __future__ import annotations

__all__ = ["MAX_NAME", "one_line"]

MAX_NAME = 40
"""Characters of a player's name."""


def one_line(text: str, most: int) -> str:
    """The printable characters of a text as one line, at most so many."""
    return " ".join("".join(char if char.isprintable() else " " for char in text[: 16 * most]).split())[:most]
