"""What a room refuses, and what went wrong in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rules.errors import ShutokoError
from sim.languages import Sentence

__all__ = ["RefusedError", "Trouble"]


class RefusedError(ShutokoError):
    """What this person may not do, or not now; `sentence` says why, in any language."""

    def __init__(self, message: str, **values: Any) -> None:
        """`message` is the name of a sentence in the catalogues, after `refused-`."""
        self.sentence = Sentence(f"refused-{message}", values)
        super().__init__(str(self.sentence))

    def told(self, language: str) -> str:
        """Why, in a language."""
        return self.sentence.told(language)


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong with a move that nobody at a screen made, and who was to make it: a player, or nobody (empty)."""

    who: str
    error: Exception

    def __str__(self) -> str:
        told = str(self.error) if isinstance(self.error, ShutokoError) else f"{type(self.error).__name__}: {self.error}"
        return f"{self.who}: {told}" if self.who else told
