"""What people put elsewhere at a real table, after a ply, than the referee would leave it: fallen
pieces a little off their old places, cars turned or on another road, buildings pushed, pieces gone
for good (record format 7f).

People saw it, so no rule forbids it; but a place at which nothing could stand was misread, and that
is an error. What is not named follows: the discs of a pillar go with it, and so does the end of a
road on it; cars go with their roads.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.errors import InputError
from rules.near import meant
from sim.bodies import Pose
from sim.pieces import Components
from sim.referee.footprints import nominal_strip
from sim.referee.geometry import off
from sim.referee.placement import Put
from sim.referee.standing import MAX_SIDE, Car, LaidRoad, Pillar, PlacedBuilding, Point
from sim.referee.table import Table


def put_elsewhere(table: Table, puts: Sequence[Put]) -> Table:
    """The table with these pieces where people put them, and all that goes with them.

    Raises InputError that names the piece: one that is not there, or is named twice, or a place at
    which it cannot stand.
    """
    by_piece = _named_once(table, puts)
    pillars = _pillars(table, by_piece)
    roads = _roads(table, by_piece, {pillar.id: pillar for pillar in pillars})
    cars = _cars(table, by_piece, {road.id for road in roads})
    buildings = tuple(
        _building(one, by_piece.get(one.id)) for one in table.buildings if not _gone(by_piece, one)
    )
    _check_apart(pillars, by_piece, table.components)
    moved = replace(
        table,
        pillars=pillars,
        roads=roads,
        cars=cars,
        buildings=buildings,
        gone=(*table.gone, *_left_for_good(table, by_piece)),
        guessed=tuple(car for car in table.guessed if car not in by_piece),
        lies={},
        lasts=(),
    )
    moved = replace(moved, poses=_poses(table, moved))
    lasts = tuple(
        one
        if one.before is None
        else replace(one, before=put_elsewhere(one.before, _known(one.before, puts)))
        for one in table.lasts
    )
    moved = replace(moved, lasts=lasts)
    return moved.relaid()


# --- which pieces ---------------------------------------------------------------------------------


def _named_once(table: Table, puts: Sequence[Put]) -> Mapping[str, Put]:
    found: dict[str, Put] = {}
    for put in puts:
        if put.piece in found:
            raise InputError(f"observed.put names {put.piece} twice")
        known = _of_kind(table, put.kind)
        if put.piece not in known:
            raise InputError(
                f"observed.put names {put.piece}, but there is no such "
                f"{'piece' if put.kind == 'gone' else put.kind} on the table"
                f"{meant(put.piece, known)}"
            )
        found[put.piece] = put
    return found


def _of_kind(table: Table, kind: str) -> list[str]:
    every = {
        "pillar": [pillar.id for pillar in table.pillars],
        "road": [road.id for road in table.roads],
        "car": [car.id for car in table.cars],
        "building": [building.id for building in table.buildings],
    }
    if kind != "gone":
        return every[kind]
    tops = [pillar.disc_ids[-1] for pillar in table.pillars]
    return [*itertools.chain.from_iterable(every.values()), *tops]


def _known(table: Table, puts: Sequence[Put]) -> list[Put]:
    """Those of the pieces that were on an earlier table."""
    return [
        put
        for put in puts
        if put.piece in _of_kind(table, put.kind) and put.on in (None, *table.road_by_id)
    ]


def _gone(by_piece: Mapping[str, Put], piece: Pillar | LaidRoad | Car | PlacedBuilding) -> bool:
    put = by_piece.get(piece.id)
    return put is not None and put.kind == "gone"


def _left_for_good(table: Table, by_piece: Mapping[str, Put]) -> list[tuple[str, int | None]]:
    every: list[Pillar | LaidRoad | Car] = [*table.pillars, *table.roads, *table.cars]
    left: list[tuple[str, int | None]] = [
        (piece.id, piece.owner) for piece in every if _gone(by_piece, piece)
    ]
    left += [(one.id, one.by) for one in table.buildings if _gone(by_piece, one)]
    return left


# --- where they stand -----------------------------------------------------------------------------


def _pillars(table: Table, by_piece: Mapping[str, Put]) -> tuple[Pillar, ...]:
    found = []
    for pillar in table.pillars:
        top = by_piece.get(pillar.disc_ids[-1])
        if _gone(by_piece, pillar) or (top is not None and pillar.discs == 1):
            left = [
                road.id
                for road in table.roads
                if pillar.id in road.pillars and not _gone(by_piece, road)
            ]
            if left:
                raise InputError(
                    f"observed.put: {pillar.id} is gone, but {left[0]} lies on it; say that it is "
                    "gone, too"
                )
            continue
        put = by_piece.get(pillar.id)
        moved = pillar if put is None or put.at is None else replace(pillar, at=put.at)
        if top is not None:
            moved = replace(moved, discs=moved.discs - 1, junction=False)
        found.append(moved)
    return tuple(found)


def _roads(
    table: Table, by_piece: Mapping[str, Put], pillars: Mapping[str, Pillar]
) -> tuple[LaidRoad, ...]:
    found = []
    for road in table.roads:
        if _gone(by_piece, road):
            continue
        put = by_piece.get(road.id)
        levels = (
            pillars[road.base].discs,
            0 if road.target is None else pillars[road.target].discs,
        )
        if put is not None and put.at is not None and put.end is not None:
            moved = _laid(table.components, road, put.at, put.end, levels)
        else:
            start, end = (_shift(table, pillars, name) for name in (road.base, road.target))
            moved = replace(
                road,
                start=_plus(road.start, start),
                end=_plus(road.end, start if road.target is None else end),
                levels=levels,
            )
        if moved != road:
            _check_bears(table, moved, pillars, named=put is not None)
        found.append(moved)
    return tuple(found)


def _laid(
    box: Components, road: LaidRoad, start: Point, end: Point, levels: tuple[int, int]
) -> LaidRoad:
    """A road from one place to the other; of a ramp the lower end decides, as in a move."""
    long = math.dist(start, end)
    if long < box.disc_radius:
        raise InputError(
            f"observed.put: the ends of {road.id} are {long:.0f} mm apart; a road is "
            f"{box.road_length:g} mm long"
        )
    if road.target is None:
        reach = math.sqrt(max(box.road_length**2 - (levels[0] * box.disc_height) ** 2, 0.0)) / long
        start = (end[0] + (start[0] - end[0]) * reach, end[1] + (start[1] - end[1]) * reach)
    return replace(road, start=start, end=end, levels=levels, slide=0.0)


def _shift(table: Table, pillars: Mapping[str, Pillar], name: str | None) -> Point:
    if name is None or pillars[name].at == table.pillar_by_id[name].at:
        return (0.0, 0.0)
    (x, y), (u, v) = table.top(table.pillar_by_id[name]), pillars[name].at
    return (u - x, v - y)


def _plus(point: Point, offset: Point) -> Point:
    return (point[0] + offset[0], point[1] + offset[1])


def _cars(table: Table, by_piece: Mapping[str, Put], roads: set[str]) -> tuple[Car, ...]:
    found = []
    for car in table.cars:
        put = by_piece.get(car.id)
        if put is not None and put.kind == "gone":
            continue
        if put is not None and put.on is not None:
            if put.on not in roads:
                raise InputError(
                    f"observed.put: {car.id} is put on {put.on}, but there is no such road on the "
                    f"table{meant(put.on, sorted(roads))}"
                )
            if abs(put.side) > MAX_SIDE:
                raise InputError(
                    f"observed.put: {car.id} is {put.side:g} mm beside its road; that is not on it"
                )
            turned = math.remainder(put.turn or 0.0, 360.0) + 0.0
            car = replace(car, road=put.on, along=put.along, side=put.side, turn=turned)
        elif car.road not in roads:
            raise InputError(
                f"observed.put: {car.road} is gone, but {car.id} stands on it; say where it stands "
                "now, or that it is gone, too"
            )
        found.append(car)
    return tuple(found)


def _building(one: PlacedBuilding, put: Put | None) -> PlacedBuilding:
    if put is None or put.at is None:
        return one
    return replace(one, at=put.at, turn=one.turn if put.turn is None else put.turn)


def _poses(before: Table, after: Table) -> dict[str, Pose]:
    """The poses of what stayed where it was. A piece that was moved lies as geometry says, and so
    does a car on a road that was.
    """
    was: dict[str, object] = {}
    now: dict[str, object] = {}
    for table, places in ((before, was), (after, now)):
        for pillar in table.pillars:
            places.update(dict.fromkeys(pillar.disc_ids, pillar.at))
        places.update({road.id: (road.start, road.end, road.levels) for road in table.roads})
        places.update({one.id: (one, places[one.road]) for one in table.cars})
    return {piece: pose for piece, pose in before.poses.items() if was.get(piece) == now.get(piece)}


# --- what cannot stand ----------------------------------------------------------------------------


def _check_apart(pillars: Sequence[Pillar], by_piece: Mapping[str, Put], box: Components) -> None:
    for one, other in itertools.combinations(pillars, 2):
        apart = math.dist(one.at, other.at)
        if apart < box.disc_radius and {one.id, other.id} & by_piece.keys():
            raise InputError(
                f"observed.put: {one.id} and {other.id} would stand in one place, {apart:.0f} mm "
                "apart; read the place again"
            )


def _check_bears(
    table: Table, road: LaidRoad, pillars: Mapping[str, Pillar], *, named: bool
) -> None:
    """A road must reach over a part of each of its pillars, but for errors of the ruler."""
    box = table.components
    if math.dist(road.start, road.end) < box.disc_radius:
        raise InputError(f"observed.put: both ends of {road.id} would be at one place")
    strip = nominal_strip(box, road)
    for name in road.pillars:
        away = off(strip, 0.0, *pillars[name].at)
        past = away - box.disc_radius - 2 * math.sqrt(2) * table.tolerance
        if past > 0.0:
            why = "read the places again" if named else f"say where {road.id} lies now, too"
            raise InputError(
                f"observed.put: {road.id} would lie {away:.0f} mm from the middle of {name} and "
                f"not rest on it; {why}"
            )
