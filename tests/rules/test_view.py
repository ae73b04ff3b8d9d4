"""Boards made of their text: every cell with its name, what it holds, and its place."""

from __future__ import annotations

import pytest

from rules.view import Border, board_view

SQUARE = "1./.2"
HEXAGON = "../.1./..2./.../.."  # rows of 2, 3, 4, 3 and 2 points: size 3


def test_columns_of_a_square_board_are_letters_from_the_west_and_rows_numbers_from_the_north():
    view = board_view(SQUARE)
    assert [(cell.name, cell.holds) for cell in view.cells] == [("a1", 0), ("b1", None), ("a2", None), ("b2", 1)]
    assert (view.shape, view.lines) == ("tiles", ())
    assert sorted(label.text for label in view.labels) == ["1", "2", "a", "b"]


def test_rows_of_a_hexagon_are_letters_from_the_bottom_and_points_numbers_from_the_left():
    view = board_view(HEXAGON)
    named = {cell.name: cell.holds for cell in view.cells}
    assert list(named)[:2] == ["e1", "e2"]
    assert (named["d2"], named["c3"], len(named), view.shape) == (0, 1, 14, "points")


def test_the_numbers_of_a_hexagon_stand_below_and_above_it_and_at_the_ends_of_its_rows():
    view = board_view(HEXAGON)
    at = {cell.name: cell for cell in view.cells}
    numbers = [label for label in view.labels if label.text.isdigit()]
    assert [label.text for label in numbers if label.y > at["a1"].y] == ["1", "2"]
    assert [label.text for label in numbers if label.y < at["e1"].y] == ["1", "2"]
    assert [label.text for label in numbers if at["e1"].y < label.y < at["a1"].y] == [
        name[1:] for name in at if name[0] in "bcd" and f"{name[0]}{int(name[1:]) + 1}" not in at
    ]


def test_neighbours_on_a_hexagon_lie_one_cell_width_apart_and_are_joined_by_lines():
    view = board_view(HEXAGON)
    at = {cell.name: complex(cell.x, cell.y) for cell in view.cells}
    near = {"c3", "d1", "d2", "b1", "b2", "c1"}
    for other in near:
        assert abs(at["c2"] - at[other]) == pytest.approx(1.0)
    assert {name for line in view.lines if "c2" in line for name in line} == {"c2", *near}


def test_a_board_that_is_wider_than_high_has_a_label_for_each_column_and_row():
    assert [label.text for label in board_view(".../...").labels] == ["a", "1", "b", "2", "c"]


def test_marks_the_last_move_and_borders_are_kept():
    border = Border(1, 0, 0, 1, 1)
    view = board_view(SQUARE, {"b1": "gone"}, ["a1"], (border,))
    assert [cell.sign for cell in view.cells] == ["", "gone", "", ""]
    assert (view.last, view.borders) == (("a1",), (border,))
