"""The line on the page of a noted game, and what it says at the first question."""

from __future__ import annotations

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from shutoko.diary.places import PlaceError
from shutoko.web.pages.noting.words import Said, read
from tests.tables import lay_out

ONE_BASE = lay_out({"A-P0": (0.0, 0.0, 1), "B-P0": (0.0, 300.0, 1)})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("pass", Said(move="pass")),
        ("resign", Said(move="resign")),
        ('{"pass": "no room"}', Said(move='{"pass": "no room"}')),
        ("note the dog came by", Said(note="the dog came by")),
        ("메모 개가 왔다", Said(note="개가 왔다")),
        ("30,-12", Said(at=(30.0, -12.0))),
        ("30,-12 turned 375", Said(at=(30.0, -12.0), turn=15.0)),
    ],
)
def test_a_line_is_a_move_a_note_or_a_place(line: str, said: Said) -> None:
    assert read(line, ONE_BASE, "") == said


def test_a_distance_is_measured_from_the_chosen_pillar_or_from_the_only_one() -> None:
    line = "10 cm at 12 o'clock"
    assert read(line, ONE_BASE, "").at == pytest.approx((0.0, 100.0))
    assert read(line, ONE_BASE, "B-P0").at == pytest.approx((0.0, 400.0))


@pytest.mark.parametrize("line", ["note", "round the corner"])
def test_a_line_that_says_nothing_of_this_is_refused(line: str) -> None:
    with pytest.raises(PlaceError):
        read(line, ONE_BASE, "")
