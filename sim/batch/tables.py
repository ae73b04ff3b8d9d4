"""A table turned into the arrays of `sim.batch.arrays`, and back.

All sizes, tolerances and options are taken from the box and the rule set; nothing of them stands
here as a number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Literal

import numpy as np

from rules.errors import InputError
from rules.turns import TurnManager
from sim.batch.arrays import (
    GONE,
    JUMP,
    LEFT,
    MISSED,
    MOVER,
    NC,
    NOW,
    NP,
    NR,
    NX,
    PEAK,
    PLIES,
    WATCH,
    Arrays,
)
from sim.batch.games import take_sides
from sim.bodies import Floats, Ints
from sim.pieces import Components, Supply
from sim.referee.crossings import EXIT_BONUS
from sim.referee.geometry import SLACK
from sim.referee.obstacles import block_of, obstacles_of
from sim.referee.room import COMFORT, exit_reach, reach
from sim.referee.ruleset import Ruleset
from sim.referee.standing import Car, LaidRoad, Pillar, PlacedBuilding, exit_start, letter
from sim.referee.table import Table

_WHOLE = ("of", "pillars", "under", "on", "built", "seats", "counts")


def sizes_of(box: Components, rules: Ruleset) -> Floats:
    """The sizes of a box, what `COMFORT` and `ENTRANCE` say, then the reach of a road by the
    difference of its ends in height, and of an exit by the height that it leaves.
    """
    found = [*box.sizes, COMFORT, rules.entrance_reach * box.road_length + SLACK]
    nowhere = (1.0, 0.0)
    for rise in range(rises_of(box)):
        found += reach(box, rise) or nowhere
    for discs in range(rises_of(box)):
        found += (exit_reach(box, discs) if discs else None) or nowhere
    return np.array(found, dtype=np.float64)


def rises_of(box: Components) -> int:
    """One more than the greatest difference in height that a road could span."""
    return int(box.road_length / box.disc_height) + 1


def rules_of(table: Table) -> Ints:
    """The options, and what follows from the box, as numbers."""
    box = table.components
    return np.array(
        [
            *table.ruleset.resolved,
            *(rises_of(box), len(box.buildings), JUMP, PEAK, EXIT_BONUS),
        ],
        dtype=np.int64,
    )


def empty(table: Table, spare: int = 0) -> Arrays:
    """Arrays without pieces for tables like this one, with room for everything that is in stock and
    for `spare` roads, pillars, cars and obstacles more.
    """
    stock = spare + sum(supply.roads for supply in table.stocks)
    cars = len(table.cars) + spare + sum(supply.cars for supply in table.stocks)
    roads, pillars = len(table.roads) + stock, len(table.pillars) + stock
    discs = stock + sum(pillar.discs for pillar in table.pillars)  # each may lie apart
    discs += sum(supply.grey + supply.yellow for supply in table.stocks)
    blocks, seats = len(table.buildings) + table.turns.seats, table.turns.seats
    shapes_of = (
        (roads, 9), (roads, 6), (roads, 6), (pillars, 2), (pillars, 5), (discs, 4), (discs,),
        (cars, 9), (cars, 3), (cars, 2), (blocks, 9), (blocks, 3), (blocks, 2), (seats, 10), (10,),
    )  # fmt: skip
    made: list[Any] = [
        np.zeros(shape, np.int64 if name in _WHOLE else np.float64)
        for shape, name in zip(shapes_of, Arrays._fields, strict=False)
    ]
    return Arrays(*(*made, sizes_of(table.components, table.ruleset), rules_of(table)))


def check_exact(table: Table) -> None:
    """Raises InputError for a table noted by hand, whose numbers may be off."""
    if table.tolerance:
        raise InputError(
            "a game noted by hand has no exact places, and a search (analyse, hints, a batch) "
            "needs them; choose a game that was played in Shutoko"
        )


def of_table(table: Table, spare: int = 0) -> Arrays:
    """The arrays of a table, where its pieces lie; see `empty`."""
    made, field = empty(table, spare), obstacles_of(table)
    n, p, c, d = len(table.roads), len(table.pillars), len(table.cars), len(field.discs)
    rank = {pillar.id: row for row, pillar in enumerate(table.pillars)}
    made.roads[:n] = np.reshape(field.roads, (n, 9))
    made.lines[:n] = np.reshape(field.network.lines, (n, 6))
    for row, road in enumerate(table.roads):
        ends = rank[road.base], -1 if road.target is None else rank[road.target]
        made.of[row] = road.owner, road.target is None, *ends, 0, 0
    for row, pillar in enumerate(table.pillars):
        made.places[row] = table.top(pillar)
        made.pillars[row] = (
            *(pillar.owner, pillar.discs, pillar.junction, table.leaving(pillar), pillar.turn),
        )
    made.discs[:d] = np.reshape(field.discs, (d, 4))
    made.under[:d] = [rank[name] for name in field.disc_pillars]
    row_of = {road.id: row for row, road in enumerate(table.roads)}
    made.cars[:c] = np.reshape(field.cars, (c, 9))
    for row, car in enumerate(table.cars):
        made.on[row] = car.owner, row_of[car.road], row
        made.spots[row] = car.along, car.side
    _fill_buildings(made, table)
    _fill_turns(made, table)
    made.counts[:NX] = n, p, d, c
    take_sides(made)
    return made


def _fill_buildings(made: Arrays, table: Table) -> None:
    names = sorted(table.components.buildings)
    for row, building in enumerate(table.buildings):
        made.blocks[row] = block_of(table.components, building.kind, building.at, building.turn)
        made.sites[row] = *building.at, building.turn
        made.built[row] = names.index(building.kind), -1 if building.by is None else building.by
    made.counts[NX] = len(table.buildings)


def _fill_turns(made: Arrays, table: Table) -> None:
    turns = table.turns
    left = {seat: (1, n) for n, group in enumerate(turns.finished, 1) for seat in group}
    left |= {seat: (2, n) for n, group in enumerate(turns.out, 1) for seat in group}
    entered = {road.owner for road in table.roads if road.kind == "entrance"}
    housed = {building.by for building in table.buildings}
    for seat, stock in enumerate(table.stocks):
        waiting = table.watch[seat]
        made.seats[seat] = (
            *(stock.cars, stock.grey, stock.yellow, stock.roads, turns.misses[seat]),
            *left.get(seat, (0, 0)),
            -1 if waiting is None else sum(1 << other for other in waiting),
            *(table.scenario or seat in entered, table.scenario or seat in housed),
        )
    made.counts[MOVER:] = turns.to_move, table.turn, turns.ply, table.knock, 0


# --- and back -------------------------------------------------------------------------------------


def table_of(made: Arrays, base: Table) -> Table:
    """The table of these arrays, which went on from `base`: what stood there keeps its pose. Its
    builds are frozen: nothing on it can be adjusted.
    """
    following: dict[tuple[int, str], Iterator[int]] = {}

    def named(seat: int, kind: Literal["P", "R", "C"]) -> str:
        """The id of the next piece of a seat."""
        if (seat, kind) not in following:
            following[seat, kind] = count(int(base.next_id(seat, kind)[3:]))
        return f"{letter(seat)}-{kind}{next(following[seat, kind])}"

    n, p, c, x = (int(made.counts[key]) for key in (NR, NP, NC, NX))
    pillars = list(base.pillars)
    for row in range(len(pillars), p):
        seat, discs, junction, _, turn = made.pillars[row].tolist()
        x_y = _point(made.places[row])
        pillars.append(Pillar(named(seat, "P"), seat, x_y, discs, bool(junction), turn))
    roads = list(base.roads)
    for row in range(len(roads), n):
        seat, _, one, other = made.of[row, :4].tolist()
        sx, sy, ex, ey, l0, l1 = made.lines[row].tolist()
        first = not base.scenario and all(road.owner != seat for road in roads)
        kind: Literal["entrance", "road", "exit"]
        kind = "road" if other >= 0 else "entrance" if first else "exit"
        target = None if other < 0 else pillars[other].id
        start, levels = (sx, sy), (int(l0), int(l1))
        if kind == "exit":  # to the last bit as the referee has it
            start = exit_start(base.components, _point(made.places[one]), (ex, ey), levels[0])
        ends = pillars[one].id, target, start, (ex, ey)
        roads.append(LaidRoad(named(seat, "R"), seat, kind, *ends, levels))
    cars = list(base.cars)
    for row in range(len(cars), c):
        seat, on, _ = made.on[row].tolist()
        cars.append(Car(named(seat, "C"), seat, roads[on].id, *made.spots[row].tolist()))
    names, buildings = sorted(base.components.buildings), list(base.buildings)
    for row in range(len(buildings), x):
        (px, py, turn), (kind_of, by) = made.sites[row].tolist(), made.built[row].tolist()
        buildings.append(PlacedBuilding(f"X{row}", names[kind_of], (px, py), turn, by))
    seats = range(len(made.seats))
    watch = [
        None if bits < 0 else tuple(seat for seat in seats if bits >> seat & 1)
        for bits in made.seats[:, WATCH].tolist()
    ]
    return replace(
        base,
        turns=_turns(made, base.turns),
        stocks=tuple(Supply(*stock) for stock in made.seats[:, :4].tolist()),
        pillars=tuple(pillars),
        roads=tuple(roads),
        cars=tuple(cars),
        buildings=tuple(buildings),
        turn=int(made.counts[NOW]),
        watch=tuple(watch),
        lasts=(),
    )


def _turns(made: Arrays, base: TurnManager) -> TurnManager:
    gone, left = made.seats[:, GONE].tolist(), made.seats[:, LEFT].tolist()

    def groups(how: int) -> tuple[tuple[int, ...], ...]:
        orders = sorted({n for n, g in zip(left, gone, strict=True) if g == how})
        return tuple(
            tuple(seat for seat in range(len(gone)) if gone[seat] == how and left[seat] == n)
            for n in orders
        )

    return replace(
        base,
        to_move=int(made.counts[MOVER]),
        ply=int(made.counts[PLIES]),
        finished=groups(1),
        out=groups(2),
        misses=tuple(made.seats[:, MISSED].tolist()),
    )


def _point(place: Sequence[float] | Floats) -> tuple[float, float]:
    return float(place[0]), float(place[1])
