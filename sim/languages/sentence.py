"""A sentence not yet put into words: the name of a message, and its values. Making one costs next
to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sim.languages.catalogue import catalogue

__all__ = ["ENGLISH", "SEATS", "Sentence"]

ENGLISH = "en"
SEATS = frozenset({"seat", "owner", "from", "to", "winner", "winners", "free_for"})
"""The values that are seats where they are numbers: a sentence calls them by name."""

Naming = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A message with its values: numbers, ids, points (`at`), seats (SEATS), sentences that are
    parts of it, or lists of those.

    `full` is the sentence that leaves nothing out where the message itself names only the first of
    several things.
    """

    message: str
    values: Mapping[str, Any] = field(default_factory=dict)
    full: Sentence | None = None

    def __str__(self) -> str:
        return self.told()

    def told(self, language: str = ENGLISH, names: Naming = str, *, whole: bool = False) -> str:
        """The sentence in a language, in English if that lacks the message; `names` says how the
        player of a seat is called.

        Raises InputError if the catalogue has a mistake there.
        """
        if whole and self.full is not None:
            return self.full.told(language, names, whole=True)
        spoken = catalogue(language)
        if self.message not in spoken:
            spoken = catalogue(ENGLISH)
        values = {
            key: _shown(key, value, spoken.language, names, whole)
            for key, value in self.values.items()
        }
        return spoken.text(self.message, values)


def _shown(key: str, given: Any, language: str, names: Naming, whole: bool) -> Any:
    """A value as messages take it."""
    from sim.languages.functions import Point, Several, value

    if isinstance(given, Sentence):
        return given.told(language, names, whole=whole)
    if key == "at":
        return Point(*given)
    if isinstance(given, (list, tuple)):
        return Several(
            [str(_shown(key, each, language, names, whole)) for each in given], whole=whole
        )
    if key in SEATS and isinstance(given, int):
        return names(given)
    return value(given)
