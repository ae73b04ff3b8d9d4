"""The referee: every rule of Tokyo Highway as pure functions of tables, placements and settled
poses. It never imports physics.

`before` lists everything that is wrong with a placement; `screen` answers for thousands of builds
at once whether they are legal. In a ply, `check` checks the placement once, and `after` makes the
verdict and the next table from its attempts. The poses come from `sim.game`.
"""

from typing import TYPE_CHECKING

from rules.lazy import loader

if TYPE_CHECKING:
    from sim.batch.fans import Screened, screen, screen_exits
    from sim.referee.checks import before, check
    from sim.referee.judgement import after, earned
    from sim.referee.room import find_build, free_spots
    from sim.referee.verdict import AttemptResult, Checked

__all__ = [
    "AttemptResult",
    "Checked",
    "Screened",
    "after",
    "before",
    "check",
    "earned",
    "find_build",
    "free_spots",
    "screen",
    "screen_exits",
]

__getattr__, __dir__ = loader(
    __name__,
    {
        "sim.referee.verdict": ("AttemptResult", "Checked"),
        "sim.referee.judgement": ("after", "earned"),
        "sim.referee.checks": ("before", "check"),
        "sim.batch.fans": ("Screened", "screen", "screen_exits"),
        "sim.referee.room": ("find_build", "free_spots"),
    },
)
