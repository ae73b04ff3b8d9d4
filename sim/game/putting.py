"""Putting: at a real table pieces stand elsewhere after a ply than the referee would leave them
(record format 7f).

People saw it, so no rule forbids it; but a place at which nothing could stand was misread: that
is an error. What is not named follows: the discs of a pillar go with it, and so does the end of a
road on it; cars go with their roads.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.errors import InputError
from rules.near import meant
from sim.bodies import Pose
from sim.pieces import Components
from sim.referee import Car, LaidRoad, Pillar, PlacedBuilding, Point, Put, Table
from sim.referee.geometry import off
from sim.referee.obstacles import POINT, nominal_strip
from sim.referee.placement import known
from sim.referee.standing import MAX_SIDE, plus, ramp_reach


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
        replace(one, **known({"at": put.at, "turn": put.turn}) if put is not None else {})
        for one, put in ((one, by_piece.get(one.id)) for one in table.buildings)
        if put is None or put.kind != "gone"
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
    lasts = tuple(
        one
        if one.before is None
        else replace(one, before=put_elsewhere(one.before, _still_there(one.before, puts)))
        for one in table.lasts
    )
    return replace(moved, poses=_poses(table, moved), lasts=lasts).relaid()


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


def _still_there(table: Table, puts: Sequence[Put]) -> list[Put]:
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
    owned: list[Pillar | LaidRoad | Car] = [*table.pillars, *table.roads, *table.cars]
    left: list[tuple[str, int | None]] = [(one.id, one.owner) for one in owned]
    left += [(one.id, one.by) for one in table.buildings]
    return [one for one in left if one[0] in by_piece and by_piece[one[0]].kind == "gone"]


# --- where they stand -----------------------------------------------------------------------------


def _pillars(table: Table, by_piece: Mapping[str, Put]) -> tuple[Pillar, ...]:
    found = []
    for pillar in table.pillars:
        top = by_piece.get(pillar.disc_ids[-1])
        if _gone(by_piece, pillar) or (top is not None and pillar.discs == 1):
            for road in table.roads:
                if pillar.id in road.pillars and not _gone(by_piece, road):
                    raise InputError(
                        f"observed.put: {pillar.id} is gone, but {road.id} lies on it; say that it "
                        "is gone, too"
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
        low = 0 if road.target is None else pillars[road.target].discs
        levels = (pillars[road.base].discs, low)
        if put is not None and put.at is not None and put.end is not None:
            moved = _laid(table.components, road, put.at, put.end, levels)
        else:
            start, end = (_shift(table, pillars, name) for name in (road.base, road.target))
            moved = replace(
                road,
                start=plus(road.start, start),
                end=plus(road.end, start if road.target is None else end),
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
        reach = ramp_reach(box, levels[0]) / long
        start = (end[0] + (start[0] - end[0]) * reach, end[1] + (start[1] - end[1]) * reach)
    return replace(road, start=start, end=end, levels=levels, slide=0.0)


def _shift(table: Table, pillars: Mapping[str, Pillar], name: str | None) -> Point:
    if name is None or pillars[name].at == table.pillar_by_id[name].at:
        return (0.0, 0.0)
    (x, y), (u, v) = table.top(table.pillar_by_id[name]), pillars[name].at
    return (u - x, v - y)


def _cars(table: Table, by_piece: Mapping[str, Put], roads: set[str]) -> tuple[Car, ...]:
    found = []
    for car in table.cars:
        if _gone(by_piece, car):
            continue
        put = by_piece.get(car.id)
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


def _poses(before: Table, after: Table) -> dict[str, Pose]:
    """The poses of what stayed where it was. A piece that was moved lies as geometry says, and so
    does a car on a road that was.
    """
    was, now = _places(before), _places(after)
    return {piece: pose for piece, pose in before.poses.items() if was.get(piece) == now.get(piece)}


def _places(table: Table) -> dict[str, object]:
    places: dict[str, object] = {d: one.at for one in table.pillars for d in one.disc_ids}
    places |= {road.id: (road.start, road.end, road.levels) for road in table.roads}
    return places | {car.id: (car, places[car.road]) for car in table.cars}


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
    strip, most = nominal_strip(box, road), box.disc_radius + 2 * POINT * table.tolerance
    why = "read the places again" if named else f"say where {road.id} lies now, too"
    for name in road.pillars:
        if (away := off(strip, 0.0, *pillars[name].at)) > most:
            raise InputError(
                f"observed.put: {road.id} would lie {away:.0f} mm from the middle of {name} and "
                f"not rest on it; {why}"
            )
