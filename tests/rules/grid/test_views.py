"""What the grid games show of a position, held against the rules as the slow engines of the tests
tell them.
"""

from __future__ import annotations

import copy
from collections import Counter

import pytest

import rules
from rules import defaults
from rules.errors import IllegalMoveError
from rules.grid.base import GridMove, perft
from rules.view import BoardView
from tests.boards import played, random_game
from tests.meridians_oracle import Oracle
from tests.rules.test_game import nim
from tests.thruway_oracle import Oracle as ThruwayOracle

OPENING = ["f6-g6", "e5-f5", "e6-e7", "d4-d5", "f5-g5", "f6-f7"]
"""The worked opening of Thruway's rules, which ends in a dispute."""


def position(name, moves, **options):
    state = played(name, " ".join(moves), **options)
    return state.game, state


def signs(made, state, before=None):
    seen = defaults.view(made, state, before)
    assert isinstance(seen, BoardView)
    return {cell.name: cell.sign for cell in seen.cells if cell.sign}


def offered(made, state, picked=None):
    return {offer.move: offer for offer in defaults.offers(made, state, picked)}


def walked(name, oracle, seeds, **options):
    """Random games ply by ply: the position before, the move, and the position and the oracle after
    it.
    """
    for seed in range(seeds):
        state, slow = played(name, **options), oracle
        for move in random_game(name, seed, **options):
            before, state, slow = state, state.after(move), slow.after(move)
            yield before, move, state, slow


# --- Thruway --------------------------------------------------------------------------------------


def test_disputes_and_indestructible_tiles_are_those_of_the_rules():
    disputes = 0
    for _, _, state, oracle in walked("thruway", ThruwayOracle(5), 25, size=5):
        named = {"abcde"[column - 1] + str(row): (column, row) for column, row in oracle.cells}
        disputed = {cell for concrete, asphalt in oracle.disputes for cell in concrete | asphalt}
        said = {named[name]: sign for name, sign in signs(state.game, state).items()}
        solid = dict.fromkeys(oracle.indestructible(), "solid")
        assert said == dict.fromkeys(disputed, "dispute") | solid
        disputes += len(disputed)
    assert disputes > 20


def test_an_offer_of_thruway_shows_what_its_two_cells_would_hold():
    made, state = position("thruway", OPENING, trade=False)
    every = offered(made, state)
    assert set(every) == {str(move) for move in state.legal_moves()}
    assert (every["f5/f6"].holds, every["f5/f6"].about[0]) == ({"f5": 1, "f6": 0}, "swap_pair")
    assert (every["a1-b1"].holds, every["a1-b1"].about) == (
        {"a1": 0, "b1": 0},
        ("pave", {"a": "a1", "b": "b1"}),
    )
    made, earlier = position("thruway", OPENING[:4], trade=False)
    replacing = offered(made, earlier)["f5-g5"]
    assert (replacing.holds, replacing.about[0]) == ({"f5": 0, "g5": 0}, "replace")


def test_asphalt_is_told_of_the_trade_at_its_first_turn_only():
    made, state = position("thruway", ["a1-a2"])
    assert (
        defaults.asks(made, state)
        == "you may trade: then you play concrete, and asphalt is to move"
    )
    assert (defaults.plain_moves(made, state), defaults.offer(made, state, "trade")) == (
        ("trade",),
        None,
    )
    made, traded = position("thruway", ["a1-a2", "trade"])
    assert (
        defaults.asks(made, traded),
        defaults.side_of(traded, 0),
        defaults.plain_moves(made, traded),
    ) == ("", 1, ())


def test_the_sides_of_thruway_carry_the_colours_that_they_join():
    seen = defaults.view(*position("thruway", [], size=5))
    assert [(border.holds, border.width > border.height) for border in seen.borders] == [
        (0, False)
    ] * 2 + [(1, True)] * 2


# --- Meridians ------------------------------------------------------------------------------------


def test_stones_without_a_path_and_those_just_removed_are_those_of_the_rules():
    seen = Counter()
    for before, move, state, oracle in walked("meridians", Oracle(4), 20, size=4):
        had = {cell.name for cell in before.game.view(before).cells if cell.holds is not None}
        expected = dict.fromkeys(without_path(oracle), "dead")
        expected |= {name: "gone" for name in had if not oracle.stones[oracle.named[name]]}
        assert signs(state.game, state, before) == expected, (move, str(state))
        seen.update(expected.values())
    assert min(seen["dead"], seen["gone"]) > 20


def without_path(oracle):
    """The stones of groups that see no other group of their colour; in its first two turns no side
    can lose any.
    """
    groups = [
        group for colour in (1, 2) if oracle.taken[colour] > 1 for group in oracle.groups(colour)
    ]
    return {oracle.name(point) for group in groups if not oracle.has_path(group) for point in group}


def test_the_lines_of_an_offer_lead_to_the_own_stones_that_its_point_sees():
    lines = 0
    for _, _, state, oracle in walked("meridians", Oracle(4), 6, size=4):
        for name, offer in offered(state.game, state).items():
            seen = [stone for stone, _ in oracle.sights(oracle.named[name]) if stone is not None]
            own = {
                (name, oracle.name(stone))
                for stone in seen
                if oracle.stones[stone] == oracle.colour
            }
            assert (set(offer.sights), offer.holds) == (own, {name: state.side})
            lines += len(own)
    assert lines > 1000


def test_the_pair_of_the_pie_option_is_picked_point_by_point():
    made, state = position("meridians", [], pie=True, size=3)
    first = offered(made, state)
    assert set(first) == {cell.name for cell in defaults.view(made, state).cells}
    assert all(offer.part and offer.holds == {offer.move: 0} for offer in first.values())
    second = offered(made, state, "b2")
    assert second["b2,c3"].holds == {"c3": 1}
    assert all(state.parse(move) and not offer.part for move, offer in second.items())
    assert defaults.plain_moves(made, state) == ()
    assert "light's point first" in defaults.asks(made, state)


def test_a_pair_is_shown_whole_and_then_a_colour_is_chosen():
    made, state = position("meridians", [], pie=True, size=3)
    pair = defaults.offer(made, state, "b2,c3")
    assert (pair.holds, pair.about) == ({"b2": 0, "c3": 1}, ("put_pair", {"a": "b2", "b": "c3"}))
    made, chosen = position("meridians", ["b2,c3"], pie=True, size=3)
    assert defaults.plain_moves(made, chosen) == ("keep", "swap")
    assert defaults.asks(made, chosen) == "the pie rule: keep dark, or swap and play light"
    assert (defaults.offers(made, chosen), defaults.offer(made, chosen, "swap")) == ((), None)


# --- both -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["meridians", "thruway"])
def test_every_value_of_every_setting_makes_a_game_and_the_usual_ones_are_its_defaults(name):
    made = rules.game(name)
    for setting in defaults.settings(made):
        assert setting.usual in setting.values
        for value in setting.values:
            assert rules.game(name, **{setting.name: value}).options == (
                {} if value == setting.usual else {setting.name: value}
            )


# --- base ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "text"), [("meridians", "d4"), ("thruway", "e5-f5")])
def test_the_text_of_a_move_is_read_once_from_parse_to_the_next_state(name, text, monkeypatch):
    start, read = rules.game(name).start(), Counter()
    once = type(start)._read
    monkeypatch.setattr(
        type(start), "_read", lambda state, told: read.update([told]) or once(state, told)
    )
    after = start.after(start.parse(text))
    assert read == {text: 1}
    assert start.after(text) == after
    assert read == {text: 2}
    assert start.after(next(move for move in start.legal_moves() if str(move) == text)) == after
    assert read == {text: 2}


def test_a_move_of_another_board_is_read_again():
    small, large = rules.game("meridians", size=5).start(), rules.game("meridians", size=7).start()
    assert large.after(small.parse("b4")) == large.after("b4")
    with pytest.raises(IllegalMoveError, match="g7"):
        small.after(large.parse("g7"))


def test_the_action_cached_on_a_move_is_neither_compared_nor_pickled():
    move = rules.game("meridians").start().parse("d4")
    assert (move, hash(move), repr(move)) == (
        GridMove("d4"),
        hash(GridMove("d4")),
        "GridMove(text='d4')",
    )
    assert move.decoded is not None
    assert copy.copy(move).decoded is None


def test_perft_counts_sequences_of_legal_moves_of_any_game():
    assert [perft(nim(4).start(), depth) for depth in range(6)] == [1, 3, 6, 4, 1, 0]
