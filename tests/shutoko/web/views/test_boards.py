"""A board on a page: what it shows is the game's, the words are the visitor's."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

import rules
from rules import defaults
from rules.record.replay import Step
from rules.view import Cell, Offer
from shutoko.web.views.boards import board_svg, label_of, offer_text, told_move, told_ply
from shutoko.web.views.telling import guide
from shutoko.web.wording import words

TEXT = words("en")
OPENING = ["f6-g6", "e5-f5", "e6-e7", "d4-d5", "f5-g5", "f6-f7"]


def position(name, moves=(), **options):
    made = rules.game(name, **options)
    state = made.start()
    for move in moves:
        state = state.after(move)
    return made, state


def drawn(made, state, **how):
    return ET.fromstring(board_svg(made, state, TEXT, **how))  # noqa: S314 - our own text


def told(made, offer, language="en"):
    text = words(language)
    return offer_text(offer, guide(made, text).sides, text)


def with_attribute(picture, name):
    return {element.get(name): element for element in picture.iter() if element.get(name)}


def test_an_offer_is_told_with_the_colours_of_its_game():
    made, state = position("thruway", OPENING[:4], trade=False)
    assert "replacing" in told(made, defaults.offer(made, state, "f5-g5"))
    made, state = position("meridians", ["d4", "j4"])
    assert told(made, defaults.offer(made, state, "d8")) == "light on d8"
    assert (
        told(made, Offer("x1", ("turn {cell} over to {colour}", {"cell": "x1", "colour": 1}), {}))
        == "turn x1 over to dark"
    )
    unknown = Offer("x1", ("turn {cell} over", {"cell": "x1"}), {})
    # words that no catalogue has come back as they are
    assert offer_text(unknown, (), lambda key, **_values: key) == "turn x1 over"


def test_screen_readers_get_names_and_contents_of_cells():
    sides = guide(rules.game("thruway"), TEXT).sides
    assert label_of(Cell("f5", 0, 0, 0, "solid"), sides, TEXT) == "f5, concrete, indestructible"
    assert label_of(Cell("d4", 0, 0), sides, words("fr")) == "d4, vide"
    assert label_of(Cell("d4", 0, 0, 1), (), TEXT) == "d4, 2"


def test_the_marks_of_the_rules_are_drawn_and_said():
    made, state = position("thruway", OPENING, trade=False)
    picture = drawn(made, state)
    disputed = {
        name
        for name, cell in with_attribute(picture, "data-cell").items()
        if "dispute" in cell.get("aria-label")
    }
    assert disputed == {"e5", "f5", "e6", "f6"}
    assert [element.get("class") for element in picture.iter()].count("dispute") == 4


def test_the_pair_of_the_pie_option_is_shown_whole_when_somebody_advises_it():
    made, state = position("meridians", pie=True, size=3)
    pair = defaults.offer(made, state, "b2,c3")
    assert dict(pair.holds) == {"b2": 0, "c3": 1}
    picture = drawn(made, state, offers=[pair], ranked=[pair.move])
    assert [set(with_attribute(picture, f"data-{one}")) for one in ("move", "rank")] == [
        {"b2,c3"},
        {"1"},
    ]
    assert told(made, pair) == "light on b2, dark on c3"


def step_of(state, move, ply=0):
    entry = rules.record.Entry(ply, state.to_move, move)
    return Step(entry, state.parse(move), state, state.after(move), None, ("Ann", "Bo"))


def test_a_ply_is_told_by_the_player_and_the_move_unless_the_game_says_more():
    made, state = position("meridians", ["b2,c3"], pie=True, size=3)
    assert told_ply(made, step_of(state, "swap"), TEXT) == ["Bo: Take light"]
    assert told_move("d4", TEXT) == "d4"

    class Talkative:
        name = "talkative"

        def describe(self, step):
            return (f"{step.player} takes a chance.", "It pays.")

    said = told_ply(Talkative(), step_of(state, "swap"), TEXT)
    assert said == ["Bo takes a chance.", "It pays."]


def test_what_a_ply_takes_off_the_board_or_replaces_is_told_by_colour():
    made, state = position("thruway", OPENING[:4], trade=False)
    said = told_ply(made, step_of(state, "f5-g5"), TEXT)
    assert said == ["Ann: f5-g5", "asphalt loses a piece: f5"]

    made, state = position("meridians", ["b2"], size=3)
    rng, said = np.random.default_rng(1), []
    while not said:  # a stone dies in this game
        step = step_of(state, str(rng.choice([str(move) for move in state.legal_moves()])))
        pairs = zip(state.board_text(), step.after.board_text(), strict=True)
        said, state = told_ply(made, step, TEXT)[1:], step.after
        assert len(said) == len({one for one, other in pairs if one in "12" and other == "."})
