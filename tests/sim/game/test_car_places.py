"""Places for new cars where they stand by statics (rules 7a)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sim.game.attempts import reading
from sim.game.attempts.posing import bodies
from sim.game.attempts.reading import places_that_stand
from sim.physics.contacts import contacts
from sim.physics.drop import rest_car
from sim.physics.statics import equilibrium
from sim.referee.placement import Build, CarSpot, Offset
from tests.tables import at_rest, build, lay_out


@pytest.mark.parametrize(("count", "abreast"), [(2, 1), (7, 1), (10, 2)])
def test_cars_stand_on_the_middle_line_first_and_then_anywhere_on_the_road(
    count: int, abreast: int
) -> None:
    table = lay_out({"A-P0": (-55, 0, 1), "B-P0": (0, 500, 1)})
    meant = build("A-P0", 55, 0, 2)
    grown = replace(table.with_pieces(meant), poses=at_rest(table, meant))
    found = places_that_stand(table, grown, count, weighed=True)
    assert len(found) == count
    assert len({spot.side for spot in found}) >= abreast
    assert all(spot.side == 0 for spot in found) is (abreast == 1)


def test_cars_that_stand_alone_but_tip_the_road_together_are_not_proposed() -> None:
    """The road lies 7 mm aside of both axes, so its discs bear it on one side only."""
    table = lay_out({"A-P0": (-55, 0, 1), "B-P0": (0, 500, 1)})
    meant = Build("A-P0", (55.0, 0.0), 2, road=Offset((0.0, 7.0), (0.0, 7.0)))
    grown = replace(table.with_pieces(meant), poses=at_rest(table, meant))
    taken = [CarSpot(n / 100, -4.0) for n in range(101)]
    found = places_that_stand(table, grown, 9, taken, weighed=True)
    assert found
    road = next(body for body in bodies(grown) if body.id == grown.roads[-1].id)
    held = [body if body is road else replace(body, mass=0.0) for body in bodies(grown)]
    box = grown.components
    cars = [
        box.body(f"car{n}", "car", rest_car(road, spot.along, spot.side, box))
        for n, spot in enumerate(found)
    ]
    assert equilibrium((*held, *cars), None, contacts((*held, *cars))).stands


def test_a_place_is_kept_where_the_search_for_more_finds_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On this road cars stand on the very middle only; pairs of others were looked for, and the
    middle was lost.
    """
    table = lay_out({"A-P0": (-55, 0, 1), "B-P0": (0, 500, 1)})
    meant = build("A-P0", 55, 0, 2)
    grown = replace(table.with_pieces(meant), poses=at_rest(table, meant))
    monkeypatch.setattr(reading, "_stand", lambda *args: args[-1] == [CarSpot(0.5)])
    assert places_that_stand(table, grown, 2, weighed=True) == (CarSpot(0.5),)
