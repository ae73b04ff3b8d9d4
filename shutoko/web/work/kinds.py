"""The kinds of jobs of the worker processes, and how long each may take."""

from __future__ import annotations

from dataclasses import dataclass

from rules.errors import Refusal

__all__ = [
    "ANSWER",
    "CHECK",
    "CHOICE",
    "FILM",
    "GLIMPSE",
    "HINT",
    "MOMENTS",
    "MOVE",
    "PHOTO",
    "SETTLE",
    "SHARE",
    "UPLOAD",
    "VERIFY",
    "WARM",
    "Kind",
]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job: its `name` in messages to visitors, a Refusal that every language has; and the seconds of its process
    that it may take (`own_time`): neither the queue nor a wait for a core counts.

    A game waits for a `play` job: such jobs go first, and one worker is kept free for them. `solo` jobs of one visitor never
    occupy all workers.
    """

    name: str
    seconds: float
    play: bool = False
    solo: bool = True


MOVE = Kind(Refusal("the move", "what-move"), 60.0, play=True, solo=False)
"""A move is made, with physics."""

CHOICE = Kind(Refusal("the computer's move", "what-choice"), 300.0, play=True)
"""A computer player chooses its move; how long it thinks is up to whoever opened the room."""

CHECK = Kind(Refusal("the check of the player", "what-check"), 30.0, play=True)
"""A check that a spec names a player; the player may come from elsewhere."""

WARM = Kind(Refusal("the rules", "what-warm"), 300.0, play=True, solo=False)
"""The rules of a game are loaded, or compiled on a slow machine."""

HINT = Kind(Refusal("the hint", "what-hint"), 120.0)
"""The best moves of a position, or the risk of a move for a hand."""

ANSWER = Kind(Refusal("the answer", "what-answer"), 30.0)
"""An answer to a problem is judged."""

FILM = Kind(Refusal("the film", "what-film"), 30.0)
"""A ply of a record settled again for its film; nobody waits longer than two seconds for one."""

SHARE = Kind(Refusal("the file", "what-share"), 300.0)
"""A record as a picture, a film or a page."""

VERIFY = Kind(Refusal("the verification", "what-verify"), 300.0)
"""A record is verified by rules and physics."""

UPLOAD = Kind(Refusal("the upload", "what-upload"), 20.0)
"""A record from outside is read."""

MOMENTS = Kind(Refusal("the moments", "what-moments"), 120.0)
"""The moments that decided a game."""

PHOTO = Kind(Refusal("the photo", "what-photo"), 30.0)
"""A photo from outside is decoded."""

GLIMPSE = Kind(Refusal("the wire model", "what-glimpse"), 20.0)
"""The table as the marks on a photo show it so far."""

SETTLE = Kind(Refusal("the verdict", "what-settle"), 60.0)
"""The verdict on the marks of a photo."""
