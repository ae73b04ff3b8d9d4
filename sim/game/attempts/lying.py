"""How roads lie on a measured table: the poses in which geometry rests them, end on disc and end on end (rules 4b).

Nobody settles a game noted by hand, and its numbers say where pillars stand, not how roads slope. A road whose end lies on that
of another is higher there by its thickness; its stick is longer than the line between its pillars. So its roads lie where
physics would receive them, in the poses that `posing.bodies` gives photographs and engines too.
"""

from __future__ import annotations

from dataclasses import replace

from sim.game.attempts.posing import bodies
from sim.referee.table import Table

__all__ = ["as_it_lies"]


def as_it_lies(table: Table) -> Table:
    """A measured table with every road where it lies (`Table.lies`); any other table as it is."""
    if not table.tolerance:
        return table
    at = {body.id: body.pose for body in bodies(table)}
    return replace(table, lies={road.id: at[road.id] for road in table.roads})
