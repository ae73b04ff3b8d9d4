"""The referee: every rule of Tokyo Highway as pure functions of tables, placements and settled poses. Never meets physics.

`before` is all that is wrong with a placement, `screen` the same question for thousands of builds at once; `after` is the
verdict on what came of it, attempt by attempt. How poses come about, `sim.game` knows.
"""

from typing import TYPE_CHECKING

from rules.lazy import loader

if TYPE_CHECKING:
    from sim.referee.judge import AttemptResult, after, illegal, with_out
    from sim.referee.legality import earned
    from sim.referee.measuring import before, remarks
    from sim.referee.screening import Screened, screen, screen_exits
    from sim.referee.search import find_build, free_spots

__all__ = [
    "AttemptResult",
    "Screened",
    "after",
    "before",
    "earned",
    "find_build",
    "free_spots",
    "illegal",
    "remarks",
    "screen",
    "screen_exits",
    "with_out",
]

__getattr__, __dir__ = loader(
    __name__,
    {
        "sim.referee.judge": ("AttemptResult", "after", "illegal", "with_out"),
        "sim.referee.legality": ("earned",),
        "sim.referee.measuring": ("before", "remarks"),
        "sim.referee.screening": ("Screened", "screen", "screen_exits"),
        "sim.referee.search": ("find_build", "free_spots"),
    },
)
