"""Turn order: whose ply is next on a table, and who is out (FR 2, 10.2, KR 3, 10.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sim.referee.placement import Pass, Placement
from sim.referee.verdict import Verdict

if TYPE_CHECKING:
    from sim.referee.table import Table

__all__ = ["next_in_play", "next_in_setup"]


def next_in_setup(table: Table) -> Table:
    """Entrances in turn order, buildings from the last player back to the first, then the first
    player (FR 2, KR 3).
    """
    if table.outcome() is not None:
        return table
    entrances = table.without_entrance()
    buildings = table.without_building() if table.turns.seats > 2 else ()
    following = entrances[0] if entrances else buildings[-1] if buildings else table.turns.active[0]
    return replace(table, turns=replace(table.turns, to_move=following, ply=table.turns.ply + 1))


def next_in_play(table: Table, placement: Placement, verdict: Verdict) -> Table:
    """The table with the next seat to move after a ply in play: misses, whoever is out, and turns
    of several plies.
    """
    seat = table.to_move
    missed = isinstance(placement, Pass)
    unable_now = table.unable(seat)
    if missed:
        no_room = placement.reason is not None if isinstance(placement, Pass) else False
        table = replace(table, turns=table.turns.missed(unable_now or no_room))
        if no_room and table.turns.misses[seat] > 1:
            table = replace(table, turns=table.turns.put_out(seat))
    elif verdict.built is not None:
        table = replace(table, turns=table.turns.able(seat))
    if verdict.owed:
        # FR 10.2: a penalty rescues, paid or not
        table = replace(table, watch=(None,) * table.turns.seats)
    goes_on = (
        table.ruleset.turn_end == "until_car"
        and verdict.built is True
        and not verdict.spots
        and not unable_now
        and seat in table.turns.active
    )
    if not goes_on:
        # from now on a second road may leave the junctions of the turn that ends
        table = replace(table, turn=table.turn + 1)
    table = _eliminated_fr(table, seat, goes_on) if table.ruleset.elimination == "fr" else table
    if table.outcome() is not None:
        return table
    table = replace(table, turns=table.turns.advance(again=goes_on))
    return _eliminated_kr(table) if table.ruleset.elimination == "kr" else table


def _eliminated_kr(table: Table) -> Table:
    """KR 10.2: a seat that missed a turn and is still unable at its next turn is out."""
    while table.outcome() is None:
        following = table.to_move
        if not (table.turns.misses[following] and table.unable(following)):
            break
        table = replace(table, turns=table.turns.put_out(following))
        if table.outcome() is None:
            table = replace(table, turns=replace(table.turns.advance(), ply=table.turns.ply))
    return table


def _eliminated_fr(table: Table, seat: int, goes_on: bool) -> Table:
    """FR 10.2: after the turn in which a seat ran out of material, all others have one more turn;
    then that seat is out.
    """
    if goes_on:
        return table
    active = table.turns.active
    watch = [
        waiting and tuple(other for other in waiting if other != seat) for waiting in table.watch
    ]
    if seat in active and watch[seat] is None and table.unable(seat):
        watch[seat] = tuple(other for other in active if other != seat)
    turns = table.turns
    while True:
        watch = [
            waiting and tuple(other for other in waiting if other in turns.active)
            for waiting in watch
        ]
        gone = [other for other in turns.active if watch[other] == ()]
        if not gone or len(turns.active) == 1:
            return replace(table, turns=turns, watch=tuple(watch))
        turns = turns.put_out(*gone)  # nobody waits for a turn of a seat that is out
