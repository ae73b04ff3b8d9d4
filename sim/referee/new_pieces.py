"""The pillar and the road that a placement adds to a table, where they are meant to lie, without
any judgement.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rules.errors import InputError
from sim.pieces import Components
from sim.referee.placement import Build, Entrance, Exit, Placement
from sim.referee.standing import LaidRoad, Pillar

if TYPE_CHECKING:
    from sim.referee.table import Table

__all__ = ["new_pillar", "new_road"]

Point = tuple[float, float]


def new_pillar(table: Table, placement: Placement) -> Pillar | None:
    """The pillar that the seat to move adds; None for an exit, which has none."""
    seat = table.to_move
    if isinstance(placement, Entrance):
        return Pillar(table.next_id(seat, "P"), seat, placement.pillar, 1, False, table.turn)
    if isinstance(placement, Build):
        return Pillar(
            table.next_id(seat, "P"),
            seat,
            placement.at,
            placement.discs,
            placement.junction,
            table.turn,
        )
    return None


def new_road(table: Table, placement: Placement) -> LaidRoad:
    """The road that the seat to move adds. Raises InputError for a placement that lays none."""
    seat, road_id, box = table.to_move, table.next_id(table.to_move, "R"), table.components
    if isinstance(placement, Entrance):
        angle, reach = math.radians(placement.toward), _ramp_reach(box, 1)
        x, y = placement.pillar
        end = (x + reach * math.cos(angle), y + reach * math.sin(angle))
        return LaidRoad(
            road_id, seat, "entrance", table.next_id(seat, "P"), None, placement.pillar, end, (1, 0)
        )
    if isinstance(placement, Build):
        base = table.pillar_by_id[placement.base]
        start, end = (
            _plus(table.top(base), placement.road.start),
            _plus(placement.at, placement.road.end),
        )
        levels = (base.discs, placement.discs)
        return LaidRoad(
            road_id,
            seat,
            "road",
            base.id,
            table.next_id(seat, "P"),
            start,
            end,
            levels,
            placement.road.slide,
        )
    if isinstance(placement, Exit):
        base = table.pillar_by_id[placement.base]
        start, end = (
            _plus(table.top(base), placement.road.start),
            _plus(placement.to, placement.road.end),
        )
        # the top end lies sqrt(L^2 - h^2) back from where the lower end touches the table (record
        # format 4f, rules 4a)
        span, reach = math.dist(start, end), _ramp_reach(box, base.discs)
        top = (
            (
                end[0] - (end[0] - start[0]) / span * reach,
                end[1] - (end[1] - start[1]) / span * reach,
            )
            if span
            else start
        )
        return LaidRoad(
            road_id, seat, "exit", base.id, None, top, end, (base.discs, 0), placement.road.slide
        )
    raise InputError(f"a {placement.kind} lays no road")


def _plus(point: Point, offset: Point) -> Point:
    return (point[0] + offset[0], point[1] + offset[1])


def _ramp_reach(box: Components, height: int) -> float:
    """The plan length of a road from a pillar of that height down to the table; 0 if the road is
    too short for it.
    """
    return math.sqrt(max(box.road_length**2 - (height * box.disc_height) ** 2, 0.0))
