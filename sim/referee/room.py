"""Whether a build or an exit is legal at all, at the first look; and the search for one, which says
whether the seat to move has room.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from sim.referee.close_calls import TURNED
from sim.referee.conflicts import NewPieces, is_pillar_blocked, is_road_blocked
from sim.referee.crossings import judge
from sim.referee.footprints import nominal_strip, obstacles_of
from sim.referee.geometry import STEEPEST
from sim.referee.judgement import earned
from sim.referee.placement import Build, Exit
from sim.referee.reach import ends_of, reach
from sim.referee.standing import LaidRoad, Pillar
from sim.referee.table import Table, new_pillar, new_road

BEARINGS, DISTANCES = 72, 5
"""The places that the search tries for each height."""

INSET = 0.02
"""mm kept from the ends of a road's reach."""


def allowed_discs(table: Table, base: Pillar) -> tuple[tuple[int, bool], ...]:
    """The heights of pillars (discs, junction) that the seat to move can pay for and may build,
    grey first.
    """
    stock, box = table.stocks[table.to_move], table.components
    grey = [(m, False) for m in (base.discs - 1, base.discs + 1) if 1 <= m <= stock.grey]
    highest = base.discs + int(box.road_length / box.disc_height)
    yellow = [(m, True) for m in range(2, min(stock.grey + 1, highest) + 1)] if stock.yellow else []
    return (*grey, *yellow)


def find_build(table: Table, clear: float = 0.0) -> Build | Exit | None:
    """A legal build or exit of the seat to move, by a fixed search: all base points, allowed
    heights, BEARINGS, DISTANCES. With `clear` its pieces pass all others by that many mm in plan,
    at least.
    """
    wide = _widened(table, clear) if clear else None
    if table.phase != "play" or not table.stocks[table.to_move].roads:
        return None
    for one in _tried(table):
        if _has_room(table, one) and (wide is None or _has_room(wide, one)):
            return one
    return None


def _tried(table: Table) -> Iterator[Build | Exit]:
    """What the search tries, in its order: all builds and exits that stock and heights allow."""
    box = table.components
    rays = [
        (math.cos(angle), math.sin(angle))
        for angle in (math.radians(k * (360.0 / BEARINGS)) for k in range(BEARINGS))
    ]
    for point in table.base_points(table.to_move):
        base, (x, y) = point.pillar, table.top(point.pillar)
        for discs, junction in allowed_discs(table, base):
            between = reach(box, discs - base.discs)
            if between is None:
                continue
            near, far = between[0] + INSET, between[1] - INSET
            for step in range(DISTANCES):
                away = near + step * (far - near) / (DISTANCES - 1)
                for dx, dy in rays:
                    at = _rounded(x + away * dx, y + away * dy)
                    yield Build(base.id, at, discs, junction)
        height = base.discs * box.disc_height
        if table.exit_allowed(base) and height < box.road_length:
            run = math.sqrt(box.road_length**2 - height**2)
            for dx, dy in rays:
                yield Exit(base.id, _rounded(x + run * dx, y + run * dy))


def _rounded(x: float, y: float) -> tuple[float, float]:
    return (round(x, 2) + 0.0, round(y, 2) + 0.0)  # never -0


def _has_room(table: Table, one: Build | Exit) -> bool:
    """Whether nothing on the table is in the way of a build or an exit."""
    return _way(table, one) is not None


def cars_of(table: Table, one: Build | Exit) -> int:
    """The cars that a build or an exit of the seat to move earns in play, an exit's bonus included,
    not limited by the stock; -1 where it is illegal. Its road is laid without offsets, and nobody
    says where cars are to stand. Agrees with `every_fault`, and stops at the first fault.
    """
    stock, base = table.stocks[table.to_move], table.pillar_by_id[one.base]
    if table.phase != "play" or not stock.roads:
        return -1
    if all(point.pillar.id != base.id for point in table.base_points(table.to_move)):
        return -1
    if isinstance(one, Exit):
        height = base.discs * table.components.disc_height
        if not table.exit_allowed(base) or height >= table.components.road_length:
            return -1
    else:
        fits = one.discs >= 2 and stock.yellow if one.junction else abs(one.discs - base.discs) == 1
        if not fits or one.discs < 1 or one.discs - one.junction > stock.grey:
            return -1
    road = _way(table, one)
    if road is None:
        return -1
    crossings = judge(table.line(road), obstacles_of(table).network)
    return earned(table, one, crossings)


def _way(table: Table, one: Build | Exit) -> LaidRoad | None:
    """The road of a build or an exit, if it reaches and nothing on the table is in its way."""
    box, base = table.components, table.pillar_by_id[one.base]
    pillar, road = new_pillar(table, one), new_road(table, one)
    new = NewPieces(table, road, nominal_strip(box, road), pillar, base)
    if pillar is not None and is_pillar_blocked(table, pillar):
        return None
    steep, ends = ends_of(box, road, [table.top(base), *([pillar.at] if pillar else [])])
    if steep or not all(end.fits for end in ends) or is_road_blocked(table, new):
        return None
    if table.ruleset.resolved.self_cross:
        return road
    crossings = judge(table.line(road), obstacles_of(table).network)
    return road if all(crossing.reason != "own" for crossing in crossings) else None


def room_for_errors(table: Table) -> float:
    """The mm in plan by which two pieces of a measured table may be nearer than noted, at most."""
    return 2 * TURNED * table.tolerance


def _widened(table: Table, clear: float) -> Table:
    """The table with discs, roads and cars so much wider that two of them have `clear` mm less
    between them in plan; beside a building half as much. Roads are thicker by as
    much, since where two cross elsewhere, each no steeper than STEEPEST, their heights differ.
    """
    box = table.components
    wide = replace(
        box,
        disc_diameter=box.disc_diameter + clear,
        road_width=box.road_width + clear,
        road_thickness=box.road_thickness + STEEPEST * clear,
        car_width=box.car_width + clear,
        car_length=box.car_length + clear,
    )
    return replace(table, components=wide)
