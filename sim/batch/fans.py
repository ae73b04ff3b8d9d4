"""Many placements at once: legality and cars of builds and exits from one
base pillar, what crosses what, and which sides are free; for players and maps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.batch.arrays import Arrays
from sim.bodies import Bools, Floats, Ints
from sim.referee import geometry
from sim.referee.crossings import sides
from sim.referee.obstacles import obstacles_of
from sim.referee.placement import Build, Exit
from sim.referee.room import cars_of
from sim.referee.table import Table, kept


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

    `pillars` (n, 2) in mm (of an exit: where its lower end touches the table), `discs` (n,) with
    the yellow one counted, `junction` (n,). Agrees with
    `every_fault` for each.
    """
    yellow = np.zeros(len(discs), np.bool_) if junction is None else junction
    if not _compiled(len(discs)):
        rows = zip(pillars.tolist(), discs.tolist(), yellow.tolist(), strict=True)
        cars = [
            cars_of(table, Build(base, (x, y), count, bool(gold)) if count else Exit(base, (x, y)))
            for (x, y), count, gold in rows
        ]
        found = np.array(cars, dtype=np.int64)
        return Screened(found >= 0, np.maximum(found, 0))
    from sim.batch.games import judge_many

    row = next(k for k, pillar in enumerate(table.pillars) if pillar.id == base)
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
    rank = {pillar.id: row for row, pillar in enumerate(table.pillars)}
    roads = table.roads
    return Lines(
        np.array(obstacles_of(table).network.lines, dtype=np.float64).reshape(-1, 6),
        np.array([road.owner for road in roads], dtype=np.int64),
        np.array(
            [(rank[road.base], -1 if road.target is None else rank[road.target]) for road in roads],
            dtype=np.int64,
        ).reshape(-1, 2),
    )


def meetings(table: Table, new: Lines, old: Lines) -> Meetings:
    """Where roads cross others, as `crossings.Network.met` says."""
    shape = (len(new.rows), len(old.rows))
    meet, level, other = np.zeros(shape, np.bool_), np.zeros(shape), np.zeros(shape)
    sizes, outlines = table.components.sizes, table.ruleset.resolved.outlines
    if _compiled(meet.size):
        from sim.batch.games import meet_all

        meet_all(np.array(sizes), outlines, new.rows, old.rows, meet, level, other)
    else:
        lines = [tuple(row) for row in old.rows.tolist()]
        for i, one in enumerate(new.rows.tolist()):
            for k, line in enumerate(lines):
                met, _, _, own, its = geometry.meeting(sizes, outlines, one, line)
                if met:
                    meet[i, k], level[i, k], other[i, k] = True, own, its
    joined = np.zeros(shape, np.bool_)
    for ends in new.pillars.T:
        for others in old.pillars.T:
            joined |= (ends[:, None] == others[None, :]) & (ends >= 0)[:, None]
    return Meetings(meet & ~(joined & (new.owner[:, None] == old.owner)), level, other)


def free_sides(table: Table) -> Bools:
    """Whether the seat to move would earn a car by crossing over each standing road, and under it;
    (roads, 2).
    """
    network, seat = obstacles_of(table).network, table.to_move
    taken = sides(network, seat)
    return np.array(
        [
            [network.earns(index, seat) and not taken[index][side] for side in ("over", "under")]
            for index in range(len(network.roads))
        ],
        dtype=np.bool_,
    ).reshape(-1, 2)


# --- plain or compiled ----------------------------------------------------------------------------
# Both are one source, so the answers are the same. Compiled code is a hundred times as fast, but
# loading it takes seconds, and compiling it more: it pays for whoever asks much.

_PAYS, _PAYS_TO_COMPILE = 3_000, 30_000


class _Demand:
    """How much was asked in this process before compiled code was at hand."""

    asked = 0
    ready = False


def _compiled(many: int) -> bool:
    """Whether compiled code answers, now that so many pairs or placements more are asked about."""
    if _Demand.ready:
        return True
    _Demand.asked += many
    if _Demand.asked < _PAYS:
        return False
    from rules.grid.kernels import jit

    if _Demand.asked >= _PAYS_TO_COMPILE or jit.is_marked(_MARK):
        prepare()
    return _Demand.ready


_MARK = "the fans of tokyo-highway"


def prepare() -> None:
    """Compiles what this module needs, or loads it if this machine has kept it."""
    from rules.grid.kernels import compiling, jit
    from sim.batch.games import judge_many, meet_all

    with compiling(_MARK):
        none, whole = np.zeros((0, 2)), np.zeros(0, np.int64)
        judge_many(_arrays(Table.start(2)), 0, none, whole, whole, whole)
        lines, flat = np.zeros((0, 6)), np.zeros((0, 0))
        sizes = np.array(Table.start(2).components.sizes)
        meet_all(sizes, False, lines, lines, flat > 0, flat, flat)
    jit.mark(_MARK)
    _Demand.ready = True


def _arrays(table: Table) -> Arrays:
    from sim.batch.tables import of_table

    return kept(table, "arrays", lambda: of_table(table))
