"""Search: heights that may be built, a legal build or exit if there is one, places for cars on a new road."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sim.poses import Pose
from sim.referee.legality.conflicts import car_hits
from sim.referee.legality.obstacles import road_strip
from sim.referee.legality.reach import reach
from sim.referee.legality.screening import screen, screen_exits
from sim.referee.placement import Build, CarSpot, Exit
from sim.referee.standing import LaidRoad, Pillar
from sim.referee.table import Table

__all__ = ["allowed_discs", "find_build", "free_spots"]

_AT_ONCE = 24  # places for cars that are checked together: most often one of the first is free


def allowed_discs(table: Table, base: Pillar) -> tuple[tuple[int, bool], ...]:
    """The heights of pillars (discs, junction) that the seat to move can pay for and may build, grey first."""
    stock, box = table.stocks[table.to_move], table.components
    grey = [(m, False) for m in (base.discs - 1, base.discs + 1) if 1 <= m <= stock.grey]
    highest = base.discs + int(box.road_length / box.disc_height)
    yellow = [(m, True) for m in range(2, min(stock.grey + 1, highest) + 1)] if stock.yellow else []
    return (*grey, *yellow)


def find_build(table: Table) -> Build | Exit | None:
    """A legal build or exit of the seat to move, by a fixed search: all base points, allowed heights, 72 bearings, 5
    distances.
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
            spots = np.round((axis + distances[:, None, None] * rays[None, :, :]).reshape(-1, 2), 2) + 0.0  # never -0
            n = len(spots)
            legal = screen(table, base.id, spots, np.full(n, discs), np.full(n, junction)).legal
            for x, y in spots[legal]:
                return Build(base.id, (float(x), float(y)), discs, junction)
        if table.exit_allowed(base) and base.discs * table.components.disc_height < table.components.road_length:
            run = math.sqrt(table.components.road_length**2 - (base.discs * table.components.disc_height) ** 2)
            spots = np.round(axis + run * rays, 2) + 0.0
            for x, y in spots[screen_exits(table, base.id, spots).legal]:
                return Exit(base.id, (float(x), float(y)))
    return None


def free_spots(
    table: Table,
    road: LaidRoad,
    pose: Pose | None,
    count: int,
    *,
    taken: Sequence[CarSpot] = (),
    steepest: float | None = None,
) -> tuple[CarSpot, ...]:
    """Up to `count` places for cars on a new road, from its middle outward, clear of standing pieces and of each other.

    A car lies on the road with its full length. `taken` are places that are used or were tried: the search proposes none within
    a car's length of them. A road that rises by more than `steepest` (rise over run) has no place.
    """
    box, strip = table.components, road_strip(table, road, pose)
    if not count or (steepest is not None and abs(strip.slope[0]) > steepest):
        return ()
    margin = box.car_length / 2 / box.road_length
    steps = [0.5 + sign * step * 0.005 for step in range(100) for sign in ((1,) if step == 0 else (1, -1))]
    wanted = [CarSpot(round(along, 3)) for along in steps if margin <= along <= 1 - margin]
    found: list[CarSpot] = []
    apart = (box.car_length + 2.0) / box.road_length
    for first in range(0, len(wanted), _AT_ONCE):
        block = wanted[first : first + _AT_ONCE]
        blocked = {row for row, _, _ in car_hits(table, road, strip, block)}
        for row, spot in enumerate(block):
            if row not in blocked and all(abs(spot.along - other.along) >= apart for other in (*taken, *found)):
                found.append(spot)
            if len(found) == count:
                return tuple(sorted(found, key=lambda spot: spot.along))
    return tuple(sorted(found, key=lambda spot: spot.along))
