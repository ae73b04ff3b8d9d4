"""By how much a number read off a ruler may be off, in a game noted by hand (rules 4j).

Each number of such a game may be off by the table's `tolerance`. Heights are counted in discs and
are exact, so all error lies in plan. A point has two numbers: it is off by up to sqrt(2) times the
tolerance, and so is every point of a road between its ends. The far end of a ramp depends on a
direction or on a second point as well, and so does a building's corner.
"""

from __future__ import annotations

import math

from sim.referee.table import Table

__all__ = ["POINT", "RAISED", "TURNED", "off"]

POINT = math.sqrt(2)
"""As a multiple of the tolerance: a point in plan, and a piece set at it."""

TURNED = POINT + 1.0
"""As a multiple of the tolerance: a piece turned about a point, to a direction or towards another
point.
"""

RAISED = 1.5
"""Thicknesses of a road by which an older end may raise its own: it reaches past that end, which
slopes as well.
"""


def off(table: Table, piece: str) -> float:
    """By how many mm a piece on the table may be off in plan: a pillar or its disc, a road, a car
    or a building, by id.
    """
    if piece.startswith("X"):
        return TURNED * table.tolerance
    if "-P" in piece:
        return POINT * table.tolerance
    if "-C" in piece:  # it has a number of its own along the road
        return off(table, next(car.road for car in table.cars if car.id == piece)) + table.tolerance
    return (POINT if table.road_by_id[piece].kind == "road" else TURNED) * table.tolerance
