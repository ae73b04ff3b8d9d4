"""Finds the record format of a game by the game's name.

A package registers a format by an entry point in the group `shutoko.records`, named after the game, as
`nim = "nim.records:FORMAT"`. The object is a `rules.record.schema.RecordFormat`. Whoever reads a record imports its module, so
that module should import little, and not the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from rules.errors import UnavailableError
from rules.game import GROUP as GAMES
from rules.game import Reason
from rules.record.schema import FREE, PLAIN, RecordFormat

__all__ = ["GROUP", "format_of", "reasons_of"]

GROUP = "shutoko.records"
"""The entry point group in which record formats are found."""


def format_of(game: str) -> RecordFormat:
    """The format that the game registers; PLAIN if it registers none, and FREE if no game of that name is installed.

    Raises UnavailableError if the format is registered but its module cannot be imported.
    """
    known = _registered()
    if game not in known:
        return FREE
    point = known[game]
    return PLAIN if point is None else _loaded(point)


def reasons_of(game: str) -> tuple[str, ...] | None:
    """The words for the end of a game, its own first; None if any word will do. Raises what `format_of` raises."""
    own = format_of(game).reasons
    return None if own is None else (*own, *(reason.value for reason in Reason))


@cache  # looking through all that is installed takes longer than reading a record
def _registered() -> Mapping[str, EntryPoint | None]:
    """The installed games, each with the entry point of its format if it registers one; the first found counts."""
    points = entry_points()
    formats = {point.name: point for point in reversed(tuple(points.select(group=GROUP)))}
    return dict.fromkeys(points.select(group=GAMES).names) | formats


@cache
def _loaded(point: EntryPoint) -> RecordFormat:
    try:
        loaded: RecordFormat = point.load()
    except ImportError as error:
        raise UnavailableError(
            f"the record format of {point.name!r} is registered but cannot be loaded ({point.value}): {error}"
        ) from error
    return loaded
