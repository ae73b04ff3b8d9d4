"""What a page shows of a board: moves on offer with what they would do, and the marks that the rules' words stand for."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import rules
from shutoko.export.board import svg
from shutoko.web.views import boards
from shutoko.web.wording import words

TEXT = words("en")
OPENING = ["f6-g6", "e5-f5", "e6-e7", "d4-d5", "f5-g5", "f6-f7"]


def position(game, moves, **options):
    state = rules.game(game, **options).start()
    for move in moves:
        state = state.after(state.parse(move))
    return state


def offered(state, **how):
    return {offer.move: offer for offer in boards.offers(state, TEXT, **how)}


def test_disputes_and_indestructible_tiles_of_thruway_are_marked_as_in_the_worked_opening():
    state = position("thruway", OPENING, trade=False)
    signs = boards.signs(state)
    assert {cell for cell, sign in signs.items() if sign == "dispute"} == {"e5", "f5", "e6", "f6"}
    swapped = position("thruway", [*OPENING, "f5/f6"], trade=False)
    after = boards.signs(swapped)
    assert after["f6"] == "solid"
    assert "dispute" not in after.values()


def test_an_offer_of_thruway_shows_what_its_two_cells_would_hold():
    state = position("thruway", OPENING, trade=False)
    every = offered(state)
    assert set(every) == {str(move) for move in state.legal_moves()}
    assert every["f5/f6"].holds == {"f5": "2", "f6": "1"}
    assert every["a1-b1"].holds == {"a1": "1", "b1": "1"}
    replacing = offered(position("thruway", OPENING[:4], trade=False))["f5-g5"]
    assert replacing.holds == {"f5": "1", "g5": "1"}
    assert "replacing" in replacing.label


def test_an_offer_of_meridians_shows_the_lines_of_sight_that_allow_it():
    state = position("meridians", ["d4", "j4"])
    seen = offered(state)["d8"]
    assert seen.sights == [("d8", "d4")]
    assert "d5" not in offered(state)


def test_stones_without_a_path_and_those_just_removed_are_marked():
    assert boards.signs(position("meridians", ["b2", "c3"], size=3)) == {}
    plies = 0
    game = rules.game("meridians", size=5).start()
    gone = dead = False
    while game.outcome() is None and not (gone and dead):
        before = game
        moves = game.legal_moves()
        game = game.after(moves[plies * 7 % len(moves)])
        plies += 1
        signs = boards.signs(game, before)
        gone = gone or "gone" in signs.values()
        dead = dead or "dead" in signs.values()
        for cell, sign in signs.items():
            holds = {c.name: c.holds for c in boards.cells(game.board_text())}[cell]
            assert (holds == ".") == (sign == "gone")
    assert gone
    assert dead


def test_the_pair_of_the_pie_option_is_picked_point_by_point():
    state = position("meridians", [], pie=True, size=3)
    first = offered(state)
    assert set(first) == {cell.name for cell in boards.cells(state.board_text())}
    second = offered(state, picked="b2")
    assert "b2,c3" in second
    assert all(state.parse(move) for move in second)
    assert boards.plain_moves(state) == []
    assert boards.plain_moves(state.after(state.parse("b2,c3"))) == ["keep", "swap"]


def test_cells_have_names_and_contents_for_those_who_do_not_see_them():
    assert boards.label_of("f5", "1", "solid", "thruway", TEXT) == "f5, concrete, indestructible"
    assert boards.label_of("d4", ".", None, "meridians", words("fr")) == "d4, vide"


def test_a_board_with_offers_is_well_formed_and_every_offer_can_be_pointed_at():
    state = position("thruway", OPENING, trade=False)
    labels = {
        cell.name: boards.label_of(cell.name, cell.holds, None, "thruway", TEXT) for cell in boards.cells(state.board_text())
    }
    offers = boards.offers(state, TEXT)
    picture = ET.fromstring(svg(state.board_text(), ["f6"], "x", signs=boards.signs(state), offers=offers, labels=labels))  # noqa: S314 - our own text
    groups = [element for element in picture.iter() if element.get("data-move")]
    assert {group.get("data-move") for group in groups} == {offer.move for offer in offers}
    focusable = [element for element in picture.iter() if element.get("data-cell")]
    assert len(focusable) == 121
    assert [element.get("tabindex") for element in focusable].count("0") == 1


def test_the_pair_of_the_pie_option_is_shown_whole_when_somebody_advises_it():
    state = position("meridians", [], pie=True, size=3)
    (pair,) = boards.shown(state, "b2,c3", TEXT)
    assert (pair.holds, pair.chosen) == ({"b2": "1", "c3": "2"}, True)
    assert offered(state, chosen="b2,c3")["b2,c3"] == pair
    ET.fromstring(svg(state.board_text(), offers=[pair]))  # noqa: S314 - our own text
    assert boards.shown(state.after(state.parse("b2,c3")), "swap", TEXT) == []


def test_advised_moves_carry_their_numbers_where_they_would_be_made():
    state = position("thruway", OPENING, trade=False)
    picture = ET.fromstring(svg(state.board_text(), ranked=["f5/f6", "a1-b1", "trade"]))  # noqa: S314 - our own text
    at = {
        element.get("data-rank"): [(dot.get("cx"), dot.get("cy")) for dot in element if dot.get("cx")]
        for element in picture.iter()
        if element.get("data-rank")
    }
    assert at == {"1": [("5", "4.5")], "2": [("0.5", "0")]}
