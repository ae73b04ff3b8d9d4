"""Boards as text: rows and labels where the view has them, a letter for each colour, capitals for
the last move.
"""

from __future__ import annotations

from rules.view import BoardView, Cell, Label, board_view
from shutoko.terminal.board import drawn


def test_a_square_board_has_its_columns_above_and_its_rows_at_the_left():
    assert drawn(board_view("1.2/.1.", last=("a1", "b1"))).plain.split("\n") == [
        "    a b c",
        "  1 O * x",
        "  2 . o .",
    ]


def test_the_rows_of_a_hexagon_are_indented():
    lines = drawn(board_view("../1../....", last=())).plain.split("\n")
    assert lines == ["  c   . .", "  b  o . . 3", "  a . . . ."]


def test_each_of_four_colours_has_a_letter_and_an_ink():
    view = BoardView(tuple(Cell(f"a{n}", n, 0, n) for n in range(4)), "points", last=("a3",))
    assert drawn(view).plain == "    o x s Z"
    assert len({span.style for span in drawn(view).spans}) == 5


def test_cells_stand_apart_however_near_they_are_and_however_long_their_labels():
    near = BoardView((Cell("a", 0, 0), Cell("b", 0.5, 0)), "points")
    assert drawn(near).plain == "    . ."
    labels = (Label(0, -1, "10"), Label(1, -1, "11"))
    assert (
        drawn(BoardView((Cell("a", 0, 0), Cell("b", 1, 0)), "tiles", labels=labels)).plain
        == "    10 11\n    .  ."
    )


def test_cells_of_a_row_may_come_in_any_order():
    view = BoardView(
        (Cell("d", 1, 1, 1), Cell("b", 1, 0, 0), Cell("a", 0, 0), Cell("c", 0, 1)), "tiles"
    )
    assert drawn(view).plain == "    . o\n    . x"


def test_labels_above_a_slanted_board_may_begin_left_of_its_cells():
    labels = (Label(-0.5, -1, "a"), Label(0.5, -1, "b"))
    cells = (Cell("a1", 0, 0), Cell("b1", 1, 0), Cell("a2", 0.5, 1), Cell("b2", 1.5, 1))
    assert drawn(BoardView(cells, "points", labels=labels)).plain.split("\n") == [
        "    a b",
        "     . .",
        "      . .",
    ]


def test_a_board_without_cells_says_so():
    assert drawn(BoardView((), "tiles")).plain == "the board has no cells"
