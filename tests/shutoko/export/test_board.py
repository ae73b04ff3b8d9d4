"""Boards as text and as SVG: every cell with its name, its stone and its marks."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import rules
from rules import defaults
from rules.errors import InputError
from rules.view import BoardView, Border, Cell, Offer, board_view, drawn
from shutoko.export.board import svg

SQUARE = "1./.2"
HEXAGON = "../.1./..2./.../.."  # rows of 2, 3, 4, 3 and 2 points: size 3
SPACE = "{http://www.w3.org/2000/svg}"
OPENING = ["f6-g6", "e5-f5", "e6-e7", "d4-d5", "f5-g5", "f6-f7"]
"""The worked opening of Thruway's rules, which ends in a dispute."""


def picture(*args, **how) -> ET.Element:
    return ET.fromstring(svg(*args, **how))  # noqa: S314 - our own text


def classed(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def after_opening():
    made = rules.game("thruway", trade=False)
    state = made.start()
    for move in OPENING:
        state = state.after(move)
    return made, state


def test_a_terminal_shows_colours_and_the_cells_of_the_last_move():
    assert drawn(SQUARE, ["a1", "b1"]) == "    a b\n  1 O *\n  2 . x"
    rows = ["  e   . .", "  d  . o .", "  c . . x .", "  b  . . .", "  a   . ."]
    assert drawn(HEXAGON).splitlines() == rows


@pytest.mark.parametrize("board", [SQUARE, HEXAGON])
def test_a_picture_is_well_formed_and_holds_every_cell_and_the_last_move(board):
    view = board_view(board, last=["a1", "a2"])
    root = picture(view, "a <b> & c")
    titles = [element.text for element in root.iter(f"{SPACE}title")]
    assert titles[0] == "a <b> & c"
    assert sorted(titles[1:]) == sorted(cell.name for cell in view.cells)
    assert sum(element.get("r") == ".14" for element in root.iter(f"{SPACE}circle")) == 2


def test_a_picture_has_four_colours_and_refuses_a_fifth():
    cells = tuple(Cell(f"a{n + 1}", n, 0, n) for n in range(5))
    fills = [
        element.get("fill")
        for element in picture(BoardView(cells[:4], "tiles")).iter(f"{SPACE}rect")
    ][1:]
    assert len(set(fills)) == 4
    with pytest.raises(InputError, match="a drawing has 4 colours, but this board has 5"):
        svg(BoardView(cells, "tiles"))


def test_a_picture_shows_the_marks_of_the_rules_only_where_it_is_asked_to():
    view = board_view(HEXAGON, {"d2": "dead", "e1": "gone", "c3": "solid"})
    signs = ("dead", "gone", "solid")
    for marks in (True, False):
        root = picture(view, marks=marks)
        assert [len(classed(root, sign)) for sign in signs] == [marks] * 3
    assert len(classed(picture(view, picked="d2"), "picked")) == 1


def test_a_border_and_a_line_are_drawn_where_the_view_has_them():
    root = picture(board_view(SQUARE, borders=(Border(1, -0.5, -0.8, 2, 0.18),)))
    (border,) = (element for element in classed(root, "holds2") if element.get("height") == "0.18")
    assert (border.get("x"), border.get("y"), border.get("width")) == ("-0.5", "-0.8", "2")
    assert classed(root, "line") == []
    view = board_view(HEXAGON)
    assert len(classed(picture(view), "line")) == len(view.lines) == 29


def test_every_offer_can_be_pointed_at_and_is_told_in_the_words_that_are_given():
    made, state = after_opening()
    offers = defaults.offers(made, state)
    labels = {cell.name: f"cell {cell.name}" for cell in defaults.view(made, state).cells}
    root = picture(
        defaults.view(made, state),
        offers=offers,
        say=lambda offer: f"to {offer.move}",
        labels=labels,
    )
    groups = [element for element in root.iter() if element.get("data-move")]
    assert {group.get("data-move") for group in groups} == {offer.move for offer in offers}
    assert all(
        group.findtext(f"{SPACE}title") == f"to {group.get('data-move')}" for group in groups
    )
    focusable = [element for element in root.iter() if element.get("data-cell")]
    assert len(focusable) == 121
    assert [element.get("tabindex") for element in focusable].count("0") == 1


def test_the_sights_of_an_offer_are_lines_and_a_chosen_one_is_shown_without_being_pointed_at():
    offer = Offer("c1", ("put", {}), {"c1": 0}, sights=(("c1", "d2"),), chosen=True)
    root = picture(board_view(HEXAGON), offers=[offer])
    assert [len(classed(root, name)) for name in ("sight", "chosen")] == [1, 1]


def test_advised_moves_carry_their_numbers_where_they_would_be_made():
    made, state = after_opening()
    ranked = [defaults.cells_of(made, move) for move in ("f5/f6", "a1-b1", "trade")]
    root = picture(defaults.view(made, state), ranked=ranked)
    at = {
        element.get("data-rank"): [
            (dot.get("cx"), dot.get("cy")) for dot in element if dot.get("cx")
        ]
        for element in root.iter()
        if element.get("data-rank")
    }
    assert at == {"1": [("5", "4.5")], "2": [("0.5", "0")]}
