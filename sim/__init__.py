"""Tokyo Highway: its pieces, its referee, and the physics that says what stands and what falls.

    table = sim.Table.start(players=2)
    verdict, after = sim.play(table, table.default_entrance(0), engine="none")
    print(verdict)

`rules.record.loads` reads a recorded game, and `sim.replay.steps` judges it ply by ply. This counts
the crossings in one:

    from pathlib import Path
    import rules.record
    import sim
    record = rules.record.loads(Path("game.jsonl").read_bytes())
    steps = sim.replay.steps(record, engine="none")
    print(sum(len(step.verdict.crossings) for step in steps))

The names below are loaded when they are first asked for, so that `import sim` needs neither
geometry nor an engine.

Raises ImportError if another distribution's `rules` package hides this project's.
"""

from typing import TYPE_CHECKING

import rules

if getattr(rules, "__project__", None) != "shutoko":
    from sim.installing import install

    _other = getattr(rules, "__file__", None) or list(rules.__path__)
    raise ImportError(
        f"another package named 'rules' hides the one that Shutoko installs: {_other};"
        f" make a fresh virtual environment, activate it, and install Shutoko there: {install()}"
    )

from rules.lazy import front

if TYPE_CHECKING:
    from sim import referee as referee
    from sim.batch.batch import Batch as Batch
    from sim.game import (
        AtRest as AtRest,
        at_rest as at_rest,
        close_call as close_call,
        play as play,
        replay as replay,
    )
    from sim.game.risk import Risk as Risk, risk as risk
    from sim.game.stability import Stability as Stability, stability as stability
    from sim.physics import engines as engines
    from sim.pieces import Components as Components
    from sim.referee import (
        Adjust as Adjust,
        Build as Build,
        CarSpot as CarSpot,
        Entrance as Entrance,
        Exit as Exit,
        Fault as Fault,
        Pass as Pass,
        Placement as Placement,
        Reason as Reason,
        Resign as Resign,
        Road as Road,
        Ruleset as Ruleset,
        SetBuilding as SetBuilding,
        Table as Table,
        Verdict as Verdict,
        crossings as crossings,
        slots as slots,
    )
    from sim.referee.explain import explain as explain

__getattr__, __dir__, __all__ = front(__name__, __file__)
