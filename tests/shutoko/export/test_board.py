"""Boards as text and as SVG: every cell with its name, its stone and its place."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from rules.grid.text import drawn
from shutoko.export.board import cells, svg

SQUARE = "1./.2"
HEXAGON = "../.1./..2./.../.."  # rows of 2, 3, 4, 3 and 2 points: size 3


def test_columns_of_a_square_board_are_letters_from_the_west_and_rows_numbers_from_the_north():
    assert [(c.name, c.holds) for c in cells(SQUARE)] == [("a1", "1"), ("b1", "."), ("a2", "."), ("b2", "2")]


def test_rows_of_a_hexagon_are_letters_from_the_bottom_and_points_numbers_from_the_left():
    named = {c.name: c.holds for c in cells(HEXAGON)}
    assert list(named)[:2] == ["e1", "e2"]
    assert (named["d2"], named["c3"], len(named)) == ("1", "2", 14)


def test_neighbours_on_a_hexagon_lie_one_cell_width_apart():
    at = {c.name: complex(c.x, c.y) for c in cells(HEXAGON)}
    for one, other in (("c2", "c3"), ("c2", "d1"), ("c2", "d2"), ("c2", "b1"), ("c2", "b2"), ("c2", "c1")):
        assert abs(at[one] - at[other]) == pytest.approx(1.0)


def test_a_terminal_shows_colours_and_the_cells_of_the_last_move():
    assert drawn(SQUARE, ["a1", "b1"]) == "    a b\n  1 O *\n  2 . x"
    assert drawn(HEXAGON).splitlines() == ["  e   . .", "  d  . o .", "  c . . x .", "  b  . . .", "  a   . ."]


@pytest.mark.parametrize("board", [SQUARE, HEXAGON])
def test_a_picture_is_well_formed_and_holds_every_cell_and_mark(board):
    picture = ET.fromstring(svg(board, ["a1", "a2"], title="a <b> & c"))  # noqa: S314 - our own text
    space = "{http://www.w3.org/2000/svg}"
    titles = [element.text for element in picture.iter(f"{space}title")]
    assert titles[0] == "a <b> & c"
    assert sorted(titles[1:]) == sorted(c.name for c in cells(board))
    assert sum(element.get("r") == ".14" for element in picture.iter(f"{space}circle")) == 2
