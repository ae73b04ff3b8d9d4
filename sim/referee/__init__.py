"""The referee: every rule of Tokyo Highway as pure functions of tables, placements and settled
poses. It never imports physics.

`before` lists everything that is wrong with a placement; `screen` answers for thousands of builds
at once whether they are legal. In a ply, `check` checks the placement once, and `after` makes the
verdict and the next table from its attempts. The poses come from `sim.game`.

Other packages import from here what they need of tables, placements and verdicts, and only what is
special to one module from that module.
"""

from typing import TYPE_CHECKING

from rules.lazy import front

if TYPE_CHECKING:
    from sim.batch.fans import Screened as Screened, screen as screen
    from sim.referee.checks import (
        before as before,
        check as check,
        with_cars_seen as with_cars_seen,
        with_pay as with_pay,
    )
    from sim.referee.crossings import Crossing as Crossing, Road as Road, Side as Side
    from sim.referee.explain import Reason as Reason, pieces_line as pieces_line, slots as slots
    from sim.referee.judgement import (
        PoseChange as PoseChange,
        adjuster as adjuster,
        after as after,
        crossings_of as crossings_of,
        earned as earned,
        falls as falls,
        hand_undoes as hand_undoes,
        placement_of as placement_of,
        rejoined as rejoined,
        resolved as resolved,
    )
    from sim.referee.measuring import tally as tally
    from sim.referee.obstacles import (
        as_seat as as_seat,
        block_of as block_of,
        obstacles_of as obstacles_of,
    )
    from sim.referee.placement import (
        Adjust as Adjust,
        Build as Build,
        CarSpot as CarSpot,
        Entrance as Entrance,
        Exit as Exit,
        Offset as Offset,
        Pass as Pass,
        Placement as Placement,
        Put as Put,
        Resign as Resign,
        SetBuilding as SetBuilding,
    )
    from sim.referee.room import (
        Steep as Steep,
        allowed_discs as allowed_discs,
        exit_reach as exit_reach,
        find_build as find_build,
        free_spots as free_spots,
        holds as holds,
        reach as reach,
        steep_at as steep_at,
        tilt as tilt,
    )
    from sim.referee.ruleset import (
        OPTIONS as OPTIONS,
        Preset as Preset,
        Ruleset as Ruleset,
        presets_for as presets_for,
    )
    from sim.referee.standing import (
        Car as Car,
        Fault as Fault,
        IllegalPlacementError as IllegalPlacementError,
        LaidRoad as LaidRoad,
        Names as Names,
        Pillar as Pillar,
        PlacedBuilding as PlacedBuilding,
        Point as Point,
        counted as counted,
        first_few as first_few,
        in_short as in_short,
        letter as letter,
        seat_of as seat_of,
        with_and as with_and,
    )
    from sim.referee.table import Table as Table, kept as kept
    from sim.referee.verdict import (
        AttemptResult as AttemptResult,
        Breach as Breach,
        Checked as Checked,
        Close as Close,
        Fall as Fall,
        Payment as Payment,
        PutBack as PutBack,
        Verdict as Verdict,
    )

__getattr__, __dir__, __all__ = front(__name__, __file__)
