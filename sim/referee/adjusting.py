"""Adjusting: the player who built last corrects pillar, road and cars, before the build is frozen
(FR 4.2 and 4.3, KR the same).

An adjustment makes the build anew. The referee judges it on the table before the ply that it
replaces, with the payments made since. If other plies came in between (`freeze = next_pillar`),
they stay: the referee judges it on the present table without that build.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.errors import InputError
from sim.pieces import Supply
from sim.referee.faults import Fault
from sim.referee.placement import Adjust, Build, Exit, Placement
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
