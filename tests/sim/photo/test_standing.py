from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.errors import RecordError
from rules.record import Header, Record
from sim.game import replay
from sim.photo.following import played_on


def photographed(apart: float) -> Record:
    """A table that a photo shows: a road of 110 mm from one pillar to another, whose axes are so
    many mm apart.
    """
    start: dict[str, Any] = {
        "pillars": [
            {"id": "A-P0", "at": [0, 0], "discs": 1},
            {"id": "A-P1", "at": [apart, 0], "discs": 2},
        ],
        "roads": [{"id": "A-R0", "from": "A-P0", "to": "A-P1"}],
    }
    return Record(
        Header(
            game="tokyo-highway",
            players=("A", "B"),
            source="a photo",
            start=start,
            observed=True,
            tolerance=4.0,
        )
    )


def test_a_table_that_stands_is_played_on_with_physics_and_exact_numbers() -> None:
    on = played_on(photographed(100.0))
    assert on.fallen == ()
    assert on.record.header.physics is not None
    assert (on.record.header.observed, on.record.header.tolerance) == (False, None)


def test_pieces_that_would_not_stand_are_named_and_the_record_stays_as_it_was() -> None:
    before = photographed(135.0)
    on = played_on(before)
    assert on.fallen == ("A-R0",)
    assert on.record == before


def test_a_road_that_lies_on_another_in_place_of_its_pillars_is_named() -> None:
    before = photographed(100.0)
    start = dict(before.header.start or {})
    across = [{"id": f"B-P{n}", "at": [50, 100 * n - 50], "discs": 1 + n} for n in range(2)]
    start["pillars"] = [*start["pillars"], *across]
    start["roads"] = [*start["roads"], {"id": "B-R0", "from": "B-P0", "to": "B-P1"}]
    on = played_on(replace(before, header=replace(before.header, start=start)))
    assert "B-R0" in on.fallen


def test_pieces_inside_each_other_are_named_as_replay_would_refuse_them() -> None:
    before = photographed(100.0)
    start = dict(before.header.start or {})
    beside = [{"id": f"B-P{n}", "at": [100 * n, 15], "discs": 1 + n} for n in range(2)]
    start["pillars"] = [*start["pillars"], *beside]
    start["roads"] = [*start["roads"], {"id": "B-R0", "from": "B-P0", "to": "B-P1"}]
    before = replace(before, header=replace(before.header, start=start))
    on = played_on(before)
    assert {"A-P0.1", "B-P0.1"} <= set(on.fallen)
    assert on.record == before
    exact = replace(before, header=replace(before.header, observed=False, tolerance=None))
    with pytest.raises(RecordError, match=r"5\.0 mm inside"):
        list(replay.steps(exact))
