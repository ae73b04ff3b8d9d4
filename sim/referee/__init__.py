"""The referee: every rule of Tokyo Highway as pure functions of tables, placements and settled
poses. It never imports physics.

`before` lists everything that is wrong with a placement; `screen` answers for thousands of builds
at once whether they are legal. In a ply, `check` checks the placement once, and `after` makes the
verdict and the next table from its attempts. The poses come from `sim.game`.
"""

from typing import TYPE_CHECKING

from rules.lazy import loader

if TYPE_CHECKING:
    from sim.referee.checked import Checked
    from sim.referee.judge import after
    from sim.referee.legality.car_room import free_spots
    from sim.referee.legality.checks import earned
    from sim.referee.legality.screening import Screened, screen, screen_exits
    from sim.referee.legality.search import find_build
    from sim.referee.measured.measuring import before, check
    from sim.referee.verdict import AttemptResult

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
        "sim.referee.checked": ("Checked",),
        "sim.referee.judge": ("after",),
        "sim.referee.legality.checks": ("earned",),
        "sim.referee.measured.measuring": ("before", "check"),
        "sim.referee.legality.screening": ("Screened", "screen", "screen_exits"),
        "sim.referee.legality.car_room": ("free_spots",),
        "sim.referee.legality.search": ("find_build",),
        "sim.referee.verdict": ("AttemptResult",),
    },
)
