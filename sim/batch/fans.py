"""Many placements at once, by the compiled geometry: legality and cars of builds and exits from one
base pillar, what crosses what, and which sides are free; for players and maps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim.batch.arrays import OWNER, P0, P1, Arrays
from sim.referee.table import Table, kept

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
    """Judges n builds (or exits, where `discs` is 0) from one base pillar of the seat to move, each
    alone: legality and cars, roads laid without offsets.

    `pillars` (n, 2) in mm, `discs` (n,) with the yellow one counted, `junction` (n,). Agrees with
    `every_fault` for each.
    """
    from sim.batch.games import judge_many

    row = next(k for k, pillar in enumerate(table.pillars) if pillar.id == base)
    yellow = np.zeros(len(discs)) if junction is None else junction
    found = np.zeros(len(discs), np.int64)
    judge_many(
        _arrays(table),
        row,
        np.ascontiguousarray(pillars, np.float64),
        np.ascontiguousarray(discs, np.int64),
        np.ascontiguousarray(yellow, np.int64),
        found,
    )
    return Screened(found >= 0, np.maximum(found, 0))


def screen_exits(table: Table, base: str, to: Floats) -> Screened:
    """Judges n exits from one base pillar of the seat to move, each alone; `to` (n, 2) is where the
    lower ends touch the table.
    """
    return screen(table, base, to, np.zeros(len(to), np.int64))


class Lines(NamedTuple):
    """n roads as the crossing rule sees them: `rows` (n, 6) are lines of `sim.referee.geometry`,
    `owner` (n,) seats, `pillars` (n, 2) the rows of the pillars under start and end, -1 for the
    table, and -2 for a new pillar.
    """

    rows: Floats
    owner: Ints
    pillars: Ints

    def take(self, index: Ints) -> Lines:
        """Some of them, by index."""
        return Lines(self.rows[index], self.owner[index], self.pillars[index])


class Meetings(NamedTuple):
    """Where each of n roads crosses each of m others: `meet` (n, m), and the levels (n, m) of both
    there in discs.
    """

    meet: Bools
    level: Floats
    other: Floats


def lines_of(table: Table) -> Lines:
    """The roads of a table, in building order."""
    made = _arrays(table)
    n = len(table.roads)
    return Lines(made.lines[:n], made.of[:n, OWNER], made.of[:n, P0 : P1 + 1])


def meetings(table: Table, new: Lines, old: Lines) -> Meetings:
    """Where roads cross others, as `crossings.Network.met` says."""
    from sim.batch.games import meet_all

    shape = (len(new.rows), len(old.rows))
    meet, level, other = np.zeros(shape, np.bool_), np.zeros(shape), np.zeros(shape)
    rules = table.ruleset.resolved
    meet_all(_arrays(table).sizes, rules.outlines, new.rows, old.rows, meet, level, other)
    joined = np.zeros(shape, np.bool_)
    for one in new.pillars.T:
        for two in old.pillars.T:
            joined |= (one[:, None] == two[None, :]) & (one >= 0)[:, None]
    return Meetings(meet & ~(joined & (new.owner[:, None] == old.owner)), level, other)


def free_sides(table: Table) -> Bools:
    """Whether the seat to move would earn a car by crossing over each standing road, and under it;
    (roads, 2).
    """
    from sim.batch.games import see_sides

    found = np.zeros((len(table.roads), 2), np.bool_)
    see_sides(_arrays(table), table.to_move, found)
    return found


def _arrays(table: Table) -> Arrays:
    from sim.batch.tables import of_table

    return kept(table, "arrays", lambda: of_table(table))
