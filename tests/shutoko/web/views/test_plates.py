"""The plate of a player: what is left, and the place of whoever is done."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from shutoko.web.views.plates import Plate
from shutoko.web.wording import words


def told(plate: Plate, language: str = "en") -> str:
    """What one reads on a plate."""
    return " ".join(re.sub(r"<[^>]*>", " ", plate.drawn(words(language))).split())


def test_a_plate_says_what_is_left() -> None:
    plate = Plate(3, 10, 7, 1, 2)
    assert told(plate) == "3 7 grey · 1 yellow · 2 roads"
    assert 'aria-label="3 cars left"' in plate.drawn(words("en"))
    assert plate.drawn(words("en")).count('class="car gone"') == 7


def test_whoever_is_out_keeps_the_cars_that_are_left() -> None:
    assert told(Plate(4, 10, 0, 0, 0, out=True)).startswith("out 4 ")


@pytest.mark.parametrize(("place", "label"), [(1, "place 1"), (3, "place 3")])
def test_whoever_is_done_has_a_medal_with_the_place_instead_of_a_nought(
    place: int, label: str
) -> None:
    plate = Plate(0, 10, 7, 1, 2, place=place)
    assert told(plate) == f"{place} 7 grey · 1 yellow · 2 roads"
    assert f'aria-label="0 cars left, {label}"' in plate.drawn(words("en"))
    assert f'class="medal" title="{label}"' in plate.drawn(words("en"))
