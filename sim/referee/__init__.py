"""The referee: every rule of Tokyo Highway as pure functions of tables, placements and settled
poses. It never imports physics.

`before` lists everything that is wrong with a placement; `screen` answers for thousands of builds
at once whether they are legal. In a ply, `check` checks the placement once, and `after` makes the
verdict and the next table from its attempts. The poses come from `sim.game`.
"""

from typing import TYPE_CHECKING

from rules.lazy import front

if TYPE_CHECKING:
    from sim.batch.fans import Screened as Screened, screen as screen
    from sim.referee.checks import before as before, check as check
    from sim.referee.judgement import after as after, earned as earned
    from sim.referee.room import find_build as find_build, free_spots as free_spots
    from sim.referee.verdict import AttemptResult as AttemptResult, Checked as Checked

__getattr__, __dir__, __all__ = front(__name__, __file__)
