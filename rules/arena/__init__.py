"""The arena: players by name, matches between them, ratings from their records, and work on
executors.
"""

from rules.arena.match import (
    Match,
    Tournament,
    drop,
    ended,
    generators,
    keep,
    lineups,
    open_folder,
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
    "keep",
    "lineups",
    "open_folder",
    "play",
    "play_game",
    "rotations",
    "schedule",
]
