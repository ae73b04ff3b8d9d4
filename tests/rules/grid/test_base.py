"""What the grid games share: a move's text is read once, and a move knows its action only in its
own game.
"""

from __future__ import annotations

import copy
from collections import Counter

import pytest

import rules
from rules.errors import IllegalMoveError
from rules.grid.base import GridMove, perft


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


class Coins:
    """Take one or two coins in turn; for a game without a perft of its own."""

    def __init__(self, left: int) -> None:
        self.left = left

    def legal_moves(self) -> list[int]:
        return [take for take in (1, 2) if take <= self.left]

    def after(self, take: int) -> Coins:
        return Coins(self.left - take)


def test_perft_counts_sequences_of_legal_moves_of_any_game():
    assert [perft(Coins(4), depth) for depth in range(6)] == [1, 2, 4, 4, 1, 0]
