"""Screening: legality and cars of thousands of builds or exits from one base pillar at once, for
bots and maps.

It applies the checks of `sim.referee.legality.checks` to many placements at once, and agrees with
it on each.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.referee.legality.conflicts import disc_conflicts, stick_conflicts
from sim.referee.legality.footprints import Circles, Strips
from sim.referee.legality.obstacles import obstacles_of
from sim.referee.legality.reach import ends_of, fits, sizes_of, straight_roads
from sim.referee.scoring.crossings import UNSHARED, SegmentArray, judge_each
from sim.referee.table import Table

__all__ = ["Screened", "screen", "screen_exits"]

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
    return _screened(table, base, legal, new, circles, new_lines, rules.self_cross, bonus=0)


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
    return _screened(table, base, legal, new, None, new_lines, table.ruleset.self_cross, bonus=1)


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
