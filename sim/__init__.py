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

The names in `__all__` are loaded when they are first asked for, so that `import sim` needs neither
geometry nor an engine.

Raises ImportError if another distribution's `rules` package hides this project's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import rules

if getattr(rules, "__project__", None) != "shutoko":
    from sim.installing import install

    _other = getattr(rules, "__file__", None) or list(rules.__path__)
    raise ImportError(
        f"another package named 'rules' hides the one that Shutoko installs: {_other};"
        f" make a fresh virtual environment, activate it, and install Shutoko there: {install()}"
    )

from rules.lazy import loader

if TYPE_CHECKING:
    from sim import referee
    from sim.batch.batch import Batch
    from sim.game import replay
    from sim.game.close import close_call
    from sim.game.ply import play
    from sim.game.rest import AtRest, at_rest
    from sim.game.risk import Risk, risk
    from sim.game.stability import Stability, stability
    from sim.physics import engines
    from sim.pieces import Components
    from sim.referee import crossings
    from sim.referee.crossings import Road
    from sim.referee.explain import explain, slots
    from sim.referee.faults import Fault
    from sim.referee.placement import (
        Adjust,
        Build,
        CarSpot,
        Entrance,
        Exit,
        Pass,
        Placement,
        Resign,
        SetBuilding,
    )
    from sim.referee.reasons import Reason
    from sim.referee.ruleset import Ruleset
    from sim.referee.table import Table
    from sim.referee.verdict import Verdict

__all__ = [
    "Adjust",
    "AtRest",
    "Batch",
    "Build",
    "CarSpot",
    "Components",
    "Entrance",
    "Exit",
    "Fault",
    "Pass",
    "Placement",
    "Reason",
    "Resign",
    "Risk",
    "Road",
    "Ruleset",
    "SetBuilding",
    "Stability",
    "Table",
    "Verdict",
    "at_rest",
    "close_call",
    "crossings",
    "engines",
    "explain",
    "play",
    "referee",
    "replay",
    "risk",
    "slots",
    "stability",
]

__getattr__, __dir__ = loader(
    __name__,
    {
        "sim.batch.batch": ("Batch",),
        "sim.game.close": ("close_call",),
        "sim.game.ply": ("play",),
        "sim.game.rest": ("AtRest", "at_rest"),
        "sim.game.risk": ("Risk", "risk"),
        "sim.game.stability": ("Stability", "stability"),
        "sim.pieces": ("Components",),
        "sim.referee.crossings": ("Road",),
        "sim.referee.explain": ("explain", "slots"),
        "sim.referee.reasons": ("Reason",),
        "sim.referee.faults": ("Fault",),
        "sim.referee.placement": (
            "Adjust",
            "Build",
            "CarSpot",
            "Entrance",
            "Exit",
            "Pass",
            "Placement",
            "Resign",
            "SetBuilding",
        ),
        "sim.referee.ruleset": ("Ruleset",),
        "sim.referee.table": ("Table",),
        "sim.referee.verdict": ("Verdict",),
    },
    ("sim.game.replay", "sim.physics.engines", "sim.referee", "sim.referee.crossings"),
)
