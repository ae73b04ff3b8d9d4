"""The arena: players by name, matches between them, ratings from their records, and work on executors."""

from __future__ import annotations

from rules.arena.match import (
    Match,
    Tournament,
    drop,
    ended,
    generators,
    header_of,
    keep,
    lineups,
    open_folder,
    performed,
    play,
    play_game,
    rotations,
    schedule,
)

__all__ = [
    "Match",
    "Tournament",
    "drop",
    "ended",
    "generators",
    "header_of",
    "keep",
    "lineups",
    "open_folder",
    "performed",
    "play",
    "play_game",
    "rotations",
    "schedule",
]
