"""The kinds of jobs of the worker processes, and how long each may take."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CHECK", "CHOICE", "FILM", "HINT", "MOVE", "SHARE", "UPLOAD", "VERIFY", "WARM", "Kind"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job: its `name` in messages to visitors, and the seconds of wall time it may take.

    A game waits for a `play` job: such jobs go first, and one worker is kept free for them. `solo` jobs of one visitor never
    occupy all workers.
    """

    name: str
    seconds: float
    play: bool = False
    solo: bool = True


MOVE = Kind("the move", 60.0, play=True, solo=False)
"""A move is made, with physics."""

CHOICE = Kind("the computer's move", 300.0, play=True)
"""A computer player chooses its move; how long it thinks is up to whoever opened the room."""

CHECK = Kind("the check of the player", 30.0, play=True)
"""A check that a spec names a player; the player may come from elsewhere."""

WARM = Kind("the rules", 300.0, play=True, solo=False)
"""The rules of a game are loaded, or compiled on a slow machine."""

HINT = Kind("the hint", 120.0)
"""The best moves of a position, or the risk of a move for a hand."""

FILM = Kind("the film", 30.0)
"""A ply of a record settled again for its film; nobody waits longer than two seconds for one."""

SHARE = Kind("the file", 300.0)
"""A record as a picture, a film or a page."""

VERIFY = Kind("the verification", 300.0)
"""A record is verified by rules and physics."""

UPLOAD = Kind("the upload", 20.0)
"""A record from outside is read."""
