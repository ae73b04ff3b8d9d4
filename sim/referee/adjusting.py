"""What people correct. Adjusting: the player who built last corrects pillar, road and cars, before
the build is frozen (FR 4.2 and 4.3, KR the same). Putting: at a real table pieces stand elsewhere
after a ply than the referee would leave them (record format 7f).

An adjustment makes the build anew. The referee judges it on the table before the ply that it
replaces, with the payments made since. If other plies came in between (`freeze = next_pillar`),
they stay: the referee judges it on the present table without that build.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.errors import InputError
from rules.near import meant
from sim.bodies import Pose
from sim.pieces import Components, Supply
from sim.referee.faults import Fault
from sim.referee.geometry import off
from sim.referee.obstacles import nominal_strip
from sim.referee.placement import Adjust, Build, Exit, Placement, Put
from sim.referee.standing import MAX_SIDE, Car, LaidRoad, Pillar, PlacedBuilding, Point, plus
from sim.referee.table import LastBuild, Table
from sim.referee.verdict import Verdict


def placement_of(do: str | Mapping[str, Any], by: int) -> Placement:
    """The placement of a record's `do`, made by that seat. Raises NotationError."""
    placement = Placement.parse(do)
    return replace(placement, by=by) if isinstance(placement, Adjust) else placement


def adjuster(table: Table, placement: Placement) -> int:
    """The seat that makes a placement: the seat to move, or for an adjustment the one that
    built.
    """
    if not isinstance(placement, Adjust):
        return table.to_move
    if placement.by is not None:
        return placement.by
    return table.lasts[-1].seat if table.lasts else table.to_move


def faults(table: Table, placement: Adjust) -> tuple[Fault, ...]:
    """Why there is nothing to adjust; empty if there is. `resolved` gives the build whose legality
    is judged.
    """
    last = _last(table, placement)
    if last is None:
        return (_frozen(table, adjuster(table, placement)),)
    road = next(piece for piece in last.pieces if "-R" in piece)
    if isinstance(last.placement, Exit) and placement.pillar is not None:
        return (Fault("adjust-end", (road,), form="exit"),)
    if isinstance(last.placement, Build) and placement.to is not None:
        return (Fault("adjust-end", (road,), form="build"),)
    return ()


def resolved(table: Table, placement: Placement) -> tuple[Table, Placement]:
    """The table and the build that an adjustment is judged by; any other placement as it is.

    Raises InputError if there is nothing to adjust.
    """
    if not isinstance(placement, Adjust):
        return table, placement
    last = _last(table, placement)
    if last is None:
        raise InputError(faults(table, placement)[0].text)
    build = last.placement
    if isinstance(build, Build):
        build = replace(build, at=placement.pillar or build.at)
    else:
        build = replace(build, to=placement.to or build.to)
    road = build.road if placement.road is None else placement.road
    build = replace(build, road=road, cars=build.cars if placement.cars is None else placement.cars)
    return (last.before if last.before is not None else _without(table, last)), build


def rejoined(
    table: Table, placement: Adjust, verdict: Verdict, after: Table
) -> tuple[Verdict, Table]:
    """The verdict and the table after an adjustment, from those after the build that was made
    anew.
    """
    last = _last(table, placement)
    assert last is not None
    others = tuple(other for other in table.lasts if other.seat != last.seat)
    mine = tuple(one for one in after.lasts if one.seat == last.seat)
    # nothing came in between: the turn order follows from the new build
    if last.before is not None:
        turns = replace(after.turns, ply=table.turns.ply + 1)
        return verdict, replace(after, turns=turns, lasts=(*others, *mine))
    turns = replace(table.turns, ply=table.turns.ply + 1)
    if last.seat in {seat for group in after.turns.finished for seat in group}:
        turns = turns.finish(last.seat)
        if turns.to_move == last.seat and turns.active:
            turns = replace(turns.advance(), ply=turns.ply)
    watch = (None,) * turns.seats if verdict.paid else table.watch
    mine = tuple(replace(one, before=None) for one in mine)
    kept = replace(
        after, turns=turns, turn=table.turn, watch=watch, knock=table.knock, lasts=(*others, *mine)
    )
    return replace(verdict, out=()), kept


def _last(table: Table, placement: Adjust) -> LastBuild | None:
    seat = adjuster(table, placement)
    last = next((last for last in reversed(table.lasts) if last.seat == seat), None)
    # a seat that has finished or is out since then has left the game, unless that very build was
    # the reason
    return (
        None
        if last is not None and last.before is None and seat not in table.turns.active
        else last
    )


def _frozen(table: Table, seat: int) -> Fault:
    """The fault that a seat has nothing to adjust, with the reason."""
    roads = [road for road in table.roads if road.owner == seat and road.kind != "entrance"]
    if not roads:
        return Fault("frozen", form="nothing", details={"player": seat})
    built = roads[-1].target or roads[-1].id
    if table.ruleset.resolved.until_next_pillar:
        return Fault("frozen", form="pillar", details={"built": built})
    following = table.turns.clockwise(seat)
    details = {"built": built, "following": following[0] if following else None}
    return Fault("frozen", form="turn", details=details)


def _without(table: Table, last: LastBuild) -> Table:
    """The present table without a build: its pieces are back in the stock, and the seat that made
    it is to move.
    """
    pillars = tuple(pillar for pillar in table.pillars if pillar.id not in last.pieces)
    gone = {
        disc for pillar in table.pillars if pillar.id in last.pieces for disc in pillar.disc_ids
    } | set(last.pieces)
    stock, build = table.stocks[last.seat], last.placement
    discs, yellow = (build.discs, int(build.junction)) if isinstance(build, Build) else (0, 0)
    cars = sum("-C" in piece for piece in last.pieces)
    back = Supply(
        stock.cars + cars, stock.grey + discs - yellow, stock.yellow + yellow, stock.roads + 1
    )
    return replace(
        table,
        turns=replace(table.turns, to_move=last.seat),
        turn=last.turn,
        stocks=(*table.stocks[: last.seat], back, *table.stocks[last.seat + 1 :]),
        pillars=pillars,
        roads=tuple(road for road in table.roads if road.id not in last.pieces),
        cars=tuple(car for car in table.cars if car.id not in last.pieces),
        poses={piece: pose for piece, pose in table.poses.items() if piece not in gone},
        guessed=tuple(car for car in table.guessed if car not in last.pieces),
        lasts=(),
    )


# --- putting --------------------------------------------------------------------------------------
# People saw it, so no rule forbids it; but a place at which nothing could stand was misread: that
# is an error. What is not named follows: the discs of a pillar go with it, and so does the end of a
# road on it; cars go with their roads.


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
        reach = math.sqrt(max(box.road_length**2 - (levels[0] * box.disc_height) ** 2, 0.0)) / long
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
