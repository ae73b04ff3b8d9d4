"""The greedy player: legal, repeatable, wins when it can, never builds itself into a corner unasked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sim import referee
from sim.bots.greedy import Greedy, Kind, kinds, propose
from sim.highway import Position, play
from sim.pieces import Supply
from sim.placement import Build, Entrance, Exit, Pass, SetBuilding
from sim.table import Table

QUICK = Greedy(width=3, tests=2)


def played(table: Table, plies: int, bot: Greedy = QUICK) -> Table:
    """The table after some plies of the bot against itself, on geometry alone."""
    for ply in range(plies):
        if table.outcome() is not None:
            break
        placement = bot.choose(Position(table, "none"), np.random.default_rng([5, ply]))
        verdict, table = play(table, placement, "none")
        assert verdict.legal, [fault.text for fault in verdict.faults]
    return table


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_sets_up_and_plays_legally(players):
    setup = players if players == 2 else 2 * players
    table = played(Table.start(players), setup + players)
    assert len(table.buildings) == (0 if players == 2 else players)
    assert all(len([road for road in table.roads if road.owner == seat]) >= 2 for seat in range(players))


@pytest.fixture(scope="module")
def opened() -> Table:
    """A two-player game after two turns each."""
    return played(Table.start(2), 6)


def test_all_proposals_are_legal_and_say_what_they_earn(opened):
    proposals = propose(opened, np.random.default_rng(1), width=8)
    assert [proposal.value for proposal in proposals] == sorted((proposal.value for proposal in proposals), reverse=True)
    for proposal in proposals:
        assert referee.before(opened, proposal.placement) == ()
        verdict, _ = play(opened, proposal.placement, "none")
        assert verdict.earned == proposal.cars


def test_the_same_generator_gives_the_same_choice(opened):
    position = Position(opened, "none")
    one, two = (QUICK.choose(position, np.random.default_rng(9)) for _ in range(2))
    assert str(one) == str(two)


def test_proposals_keep_to_the_kinds_that_are_wanted(opened):
    junctions = [kind for kind in kinds(opened) if kind.junction]
    proposals = propose(opened, np.random.default_rng(1), 5, wanted=junctions)
    assert proposals
    assert all(isinstance(p.placement, Build) and p.placement.junction for p in proposals)


LONE = {"pillars": [{"id": "A-P0", "at": [0, 0], "discs": 1}, {"id": "B-P0", "at": [300, 0], "discs": 1}]}


def test_it_does_not_leave_by_its_only_way_on_while_cars_are_left():
    table = Table.from_layout(LONE)
    assert Kind("A-P0", 0, False) in kinds(table)
    assert isinstance(QUICK.choose(Position(table, "none"), np.random.default_rng(1)), Build)


def test_it_leaves_with_its_last_car():
    table = Table.from_layout(LONE)
    last = replace(table, stocks=(Supply(1, 20, 2, 10), table.stocks[1]))
    assert isinstance(QUICK.choose(Position(last, "none"), np.random.default_rng(1)), Exit)


def test_it_passes_when_it_has_nothing_to_build_with():
    table = Table.from_layout(LONE)
    poor = replace(table, stocks=(Supply(5, 0, 0, 0), table.stocks[1]))
    assert QUICK.choose(Position(poor, "none"), np.random.default_rng(1)) == Pass()


def test_set_up_moves_are_of_the_kind_that_is_due():
    table = Table.start(3)
    assert isinstance(QUICK.choose(Position(table, "none"), np.random.default_rng(1)), Entrance)
    assert isinstance(QUICK.choose(Position(played(table, 3), "none"), np.random.default_rng(1)), SetBuilding)


def test_it_prefers_what_stands():
    pytest.importorskip("pybullet")
    table = Table.from_layout(LONE)
    placement = QUICK.choose(Position(table, "bullet"), np.random.default_rng(1))
    verdict, _ = play(table, placement, "bullet")
    assert verdict.built
    assert not verdict.owed
