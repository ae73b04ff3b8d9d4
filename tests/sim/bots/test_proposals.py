"""Placements that players propose."""

from __future__ import annotations

import sim
from sim import referee
from sim.bots.proposals import entrance
from sim.referee.placement import CarSpot, Entrance


def test_an_entrance_moves_aside_where_a_road_lies_in_its_usual_place() -> None:
    table = sim.Table.start(players=2)
    assert entrance(table) == table.default_entrance(0)
    _, after = sim.play(table, Entrance((0.0, 0.0), 90.0, CarSpot(0.5)), engine="none")
    assert referee.before(after, after.default_entrance(1))
    assert not referee.before(after, entrance(after))
