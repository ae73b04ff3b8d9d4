"""Search: heights that may be built, and a legal build or exit if there is one. Places for cars are
in `car_room`.
"""

from __future__ import annotations

import math

import numpy as np

from sim.referee.legality.car_room import free_spots
from sim.referee.legality.reach import reach
from sim.referee.legality.screening import screen, screen_exits
from sim.referee.placement import Build, Exit
from sim.referee.standing import Pillar
from sim.referee.table import Table

__all__ = ["allowed_discs", "find_build", "free_spots"]


def allowed_discs(table: Table, base: Pillar) -> tuple[tuple[int, bool], ...]:
    """The heights of pillars (discs, junction) that the seat to move can pay for and may build,
    grey first.
    """
    stock, box = table.stocks[table.to_move], table.components
    grey = [(m, False) for m in (base.discs - 1, base.discs + 1) if 1 <= m <= stock.grey]
    highest = base.discs + int(box.road_length / box.disc_height)
    yellow = [(m, True) for m in range(2, min(stock.grey + 1, highest) + 1)] if stock.yellow else []
    return (*grey, *yellow)


def find_build(table: Table) -> Build | Exit | None:
    """A legal build or exit of the seat to move, by a fixed search: all base points, allowed
    heights, 72 bearings, 5 distances.
    """
    bearings = np.radians(np.arange(72) * 5.0)
    rays = np.stack([np.cos(bearings), np.sin(bearings)], axis=-1)
    for point in table.base_points(table.to_move):
        base, axis = point.pillar, np.asarray(table.top(point.pillar))
        for discs, junction in allowed_discs(table, base):
            between = reach(table.components, discs - base.discs)
            if between is None:
                continue
            distances = np.linspace(between[0] + 0.02, between[1] - 0.02, 5)
            # never -0
            spots = (
                np.round((axis + distances[:, None, None] * rays[None, :, :]).reshape(-1, 2), 2)
                + 0.0
            )
            n = len(spots)
            legal = screen(table, base.id, spots, np.full(n, discs), np.full(n, junction)).legal
            for x, y in spots[legal]:
                return Build(base.id, (float(x), float(y)), discs, junction)
        if (
            table.exit_allowed(base)
            and base.discs * table.components.disc_height < table.components.road_length
        ):
            run = math.sqrt(
                table.components.road_length**2 - (base.discs * table.components.disc_height) ** 2
            )
            spots = np.round(axis + run * rays, 2) + 0.0
            for x, y in spots[screen_exits(table, base.id, spots).legal]:
                return Exit(base.id, (float(x), float(y)))
    return None
