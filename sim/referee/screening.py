"""Screening: legality and cars of thousands of builds or exits from one base pillar at once, for
bots and maps; and the search for a legal build or exit if there is one.

It applies the checks of `sim.referee.checks` to many placements at once, and agrees with it on
each.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.referee.close_calls import TURNED
from sim.referee.conflicts import disc_conflicts, stick_conflicts
from sim.referee.crossings import EXIT_BONUS, UNSHARED, SegmentArray, judge_each
from sim.referee.footprints import Circles, Strips, obstacles_of
from sim.referee.placement import Build, Exit
from sim.referee.reach import STEEPEST, ends_of, fits, reach, sizes_of, straight_roads
from sim.referee.standing import Pillar
from sim.referee.table import Table

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


class Screened(NamedTuple):
    """For each of n builds: whether it is legal, and how many cars it then earns (exit bonus
    included), not limited by the stock.
    """

    legal: Bools
    cars: Ints


def screen(
    table: Table, base: str, pillars: Floats, discs: Ints, junction: Bools | None = None
) -> Screened:
    """Judges n builds from one base pillar of the seat to move, each alone: legality and cars,
    roads laid without offsets.

    `pillars` (n, 2) in mm, `discs` (n,) with the yellow one counted, `junction` (n,). Agrees with
    `every_fault` for each.
    """
    box, seat, point = table.components, table.to_move, table.pillar_by_id[base]
    n, rules, stock = len(discs), table.ruleset, table.stocks[seat]
    yellow = np.zeros(n, dtype=np.bool_) if junction is None else junction
    legal = np.full(n, _is_base_point(table, base) and stock.roads > 0 and table.phase == "play")
    legal &= np.where(
        yellow, (discs >= 2) & (stock.yellow > 0), np.abs(discs - point.discs) == 1
    ) & (discs >= 1)
    legal &= discs - yellow <= stock.grey
    start, levels = (
        np.tile(table.top(point), (n, 1)),
        np.stack([np.full(n, point.discs), discs], axis=-1).astype(np.float64),
    )
    new = straight_roads(box, start, pillars, levels)
    circles = Circles(
        pillars,
        np.full(n, box.disc_radius),
        np.zeros(n),
        (discs * box.disc_height).astype(np.float64),
    )
    legal &= fits(ends_of(sizes_of(box), new, np.stack([start, pillars], axis=1), levels))
    new_lines = SegmentArray(
        start,
        pillars,
        levels,
        np.full(n, seat),
        np.zeros(n, dtype=np.bool_),
        np.tile([base, UNSHARED], (n, 1)),
    )
    return _screened(table, base, legal, new, circles, new_lines, rules.self_cross, 0)


def screen_exits(table: Table, base: str, to: Floats) -> Screened:
    """Judges n exits from one base pillar of the seat to move, each alone; `to` (n, 2) is where the
    lower ends touch the table.
    """
    box, seat, point = table.components, table.to_move, table.pillar_by_id[base]
    n, height = len(to), point.discs * box.disc_height
    possible = (
        _is_base_point(table, base) and table.stocks[seat].roads > 0 and table.exit_allowed(point)
    )
    if not possible or height >= box.road_length or table.phase != "play":
        return Screened(np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.int64))
    axis = np.asarray(table.top(point), dtype=np.float64)
    along = to - axis
    span = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    start = to - along / span[:, None] * math.sqrt(box.road_length**2 - height**2)
    levels = np.tile([float(point.discs), 0.0], (n, 1))
    new = straight_roads(box, start, to, levels)
    legal = fits(ends_of(sizes_of(box), new, np.tile(axis, (n, 1, 1)), levels))
    new_lines = SegmentArray(
        start,
        to,
        levels,
        np.full(n, seat),
        np.ones(n, dtype=np.bool_),
        np.tile([base, UNSHARED], (n, 1)),
    )
    return _screened(table, base, legal, new, None, new_lines, table.ruleset.self_cross, EXIT_BONUS)


def _screened(
    table: Table,
    base: str,
    legal: Bools,
    new: Strips,
    circles: Circles | None,
    new_lines: SegmentArray,
    self_cross: bool,
    bonus: int,
) -> Screened:
    keep = np.flatnonzero(legal)
    for conflict in disc_conflicts(
        table, new.take(keep), circles.take(keep) if circles is not None else None, base
    ):
        legal[keep[conflict.rows]] = False
    keep = np.flatnonzero(legal)  # the slower checks are only for those that are left
    axes = np.tile(table.top(table.pillar_by_id[base]), (len(keep), 1))
    for conflict in stick_conflicts(table, new.take(keep), base, axes):
        legal[keep[conflict.rows]] = False
    network, rules = obstacles_of(table).network, table.ruleset
    keep = np.flatnonzero(legal)
    judged = judge_each(new_lines.take(keep), network)
    cars = np.zeros(len(legal), dtype=np.int64)
    cars[keep] = judged.cars + bonus
    if not self_cross or rules.own_cross_voids:
        crosses_own = keep[judged.crosses_own]
        cars[crosses_own] = 0  # an exit's bonus is a car on that road, too
        legal[crosses_own] &= self_cross
    return Screened(legal, cars)


def _is_base_point(table: Table, pillar: str) -> bool:
    return any(point.pillar.id == pillar for point in table.base_points(table.to_move))


# --- the search for a legal one -------------------------------------------------------------------

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
    bearings = np.radians(np.arange(BEARINGS) * (360.0 / BEARINGS))
    rays = np.stack([np.cos(bearings), np.sin(bearings)], axis=-1)
    for point in table.base_points(table.to_move):
        base, axis = point.pillar, np.asarray(table.top(point.pillar))
        for discs, junction in allowed_discs(table, base):
            between = reach(table.components, discs - base.discs)
            if between is None:
                continue
            distances = np.linspace(between[0] + INSET, between[1] - INSET, DISTANCES)
            ways = (distances[:, None, None] * rays[None, :, :]).reshape(-1, 2)
            spots = np.round(axis + ways, 2) + 0.0  # never -0
            n = len(spots)
            heights, yellow = np.full(n, discs), np.full(n, junction)
            legal = screen(table, base.id, spots, heights, yellow).legal
            if wide is not None:
                legal &= screen(wide, base.id, spots, heights, yellow).legal
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
            legal = screen_exits(table, base.id, spots).legal
            if wide is not None:
                legal &= screen_exits(wide, base.id, spots).legal
            for x, y in spots[legal]:
                return Exit(base.id, (float(x), float(y)))
    return None


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
