"""Seats, turns, passes, ranks and sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import InputError
from rules.turns import TurnManager


def test_play_goes_clockwise_and_back_to_the_first_seat():
    turns = TurnManager(3)
    order = []
    for _ in range(5):
        order.append(turns.to_move)
        turns = turns.advance()
    assert order == [0, 1, 2, 0, 1]
    assert turns.ply == 5


def test_again_keeps_the_seat_and_counts_a_ply():
    turns = TurnManager(2, to_move=1).advance(again=True)
    assert (turns.to_move, turns.ply) == (1, 1)


def test_clockwise_starts_after_the_seat_and_leaves_it_out():
    assert TurnManager(4).clockwise(2) == (3, 0, 1)
    assert TurnManager(4).put_out(3).finish(0).clockwise(2) == (1,)
    assert TurnManager(4).put_out(2).clockwise(2) == (3, 0, 1)


def test_a_seat_that_finished_or_is_out_is_skipped():
    turns = TurnManager(4).finish(1).put_out(2)
    assert turns.active == (0, 3)
    assert turns.advance().to_move == 3
    assert turns.advance().advance().to_move == 0


def test_the_mover_who_finishes_hands_on_to_the_next():
    turns = TurnManager(3, to_move=2).finish(2)
    assert turns.to_move == 2
    assert turns.advance().to_move == 0


def test_the_only_active_seat_moves_again():
    assert TurnManager(2).put_out(1).advance().to_move == 0


def test_nobody_left_to_move_is_an_error():
    with pytest.raises(InputError, match="nobody is left"):
        TurnManager(2).finish(0).put_out(1).advance()


def test_a_seat_that_is_gone_cannot_move_again():
    with pytest.raises(InputError, match="cannot move again"):
        TurnManager(2).finish(0).advance(again=True)


def test_turns_missed_in_a_row_are_counted_and_reset_by_being_able():
    turns = TurnManager(2).missed(unable=True).advance().advance().missed(unable=True)
    assert turns.misses == (2, 0)
    assert turns.to_move == 0
    assert turns.able(0).misses == (0, 0)


def test_a_pass_by_choice_ends_the_row_of_misses():
    turns = TurnManager(2, misses=(1, 1)).missed(unable=False)
    assert turns.misses == (0, 1)
    assert (turns.to_move, turns.ply) == (0, 0)


def test_ranks_are_finished_then_active_as_a_tie_then_the_last_out_first():
    turns = TurnManager(6).finish(2).put_out(5).finish(0).put_out(4)
    assert turns.ranks() == ((2,), (0,), (1, 3), (4,), (5,))


def test_one_active_seat_is_a_rank_of_its_own_and_none_is_no_rank():
    assert TurnManager(2).put_out(0).ranks() == ((1,), (0,))
    assert TurnManager(2).put_out(0).finish(1).ranks() == ((1,), (0,))


def test_seats_that_go_out_together_tie():
    assert TurnManager(3).put_out(2, 0).ranks() == ((1,), (0, 2))


def test_seats_that_finish_together_tie():
    assert TurnManager(3).finish(2, 1).ranks() == ((1, 2), (0,))


@pytest.mark.parametrize("leave", ["finish", "put_out"])
def test_a_seat_leaves_once_only(leave):
    turns = TurnManager(3).finish(0).put_out(1)
    for seat in (0, 1):
        with pytest.raises(InputError, match=f"seat {seat} has already finished or is out"):
            getattr(turns, leave)(seat)
    with pytest.raises(InputError, match="name one twice"):
        getattr(turns, leave)(2, 2)
    with pytest.raises(InputError, match="no seat was named"):
        getattr(turns, leave)()


def test_an_unknown_seat_is_refused_everywhere():
    turns = TurnManager(2)
    for call in (
        turns.finish,
        turns.put_out,
        turns.able,
        turns.clockwise,
        turns.swap_sides,
        turns.seat_of,
    ):
        for seat in (-1, 2):
            with pytest.raises(InputError, match="there is no"):
                call(seat)


@pytest.mark.parametrize(
    "nonsense",
    [
        {"seats": 0},
        {"seats": 2, "to_move": 2},
        {"seats": 2, "ply": -1},
        {"seats": 2, "misses": (0,)},
        {"seats": 2, "misses": (0, -1)},
        {"seats": 2, "sides": (0, 0)},
        {"seats": 2, "finished": ((0,), (0,))},
        {"seats": 2, "finished": ((0,),), "out": ((0,),)},
        {"seats": 2, "out": ((),)},
        {"seats": 2, "out": ((7,),)},
    ],
)
def test_values_that_cannot_be_are_refused(nonsense):
    with pytest.raises(InputError):
        TurnManager(**nonsense)


def test_thruways_trade_gives_asphalt_to_the_first_seat_who_then_moves():
    turns = TurnManager(2).advance()
    assert (turns.to_move, turns.side) == (1, 1)
    turns = turns.swap_sides().advance()
    assert (turns.to_move, turns.side) == (0, 1)
    turns = turns.advance()
    assert (turns.to_move, turns.side) == (1, 0)


def test_only_existing_seats_can_exchange_sides():
    assert TurnManager(3).swap_sides(0, 2).sides == (2, 1, 0)
    for one, other in ((0, 3), (3, 0), (-1, 0), (0, -1)):
        with pytest.raises(InputError, match=r"there is no seat (3|-1) in a game of 3"):
            TurnManager(3).swap_sides(one, other)


def test_meridians_swap_makes_the_second_seat_light_who_then_moves():
    turns = TurnManager(2).advance().swap_sides().advance(again=True)
    assert (turns.to_move, turns.side) == (1, 0)
    assert turns.seat_of(0) == 1
    assert turns.seat_of(1) == 0


def test_every_method_leaves_the_old_value_alone():
    turns = TurnManager(3)
    turns.advance()
    turns.missed(unable=True)
    turns.finish(0)
    turns.put_out(1)
    turns.swap_sides()
    assert turns == TurnManager(3)


@given(
    st.integers(1, 4),
    st.lists(st.sampled_from(["advance", "pass", "finish", "out", "swap"]), max_size=12),
)
def test_json_gives_an_equal_value_and_every_seat_has_one_rank(seats, steps):
    turns = TurnManager(seats)
    for step in steps:
        if not turns.active:
            break
        if step == "advance":
            turns = turns.advance()
        elif step == "pass":
            turns = turns.missed(unable=True)
        elif step == "swap":
            turns = turns.swap_sides(0, seats - 1)
        else:
            turns = (
                turns.finish(turns.active[0])
                if step == "finish"
                else turns.put_out(turns.active[-1])
            )
    assert TurnManager.from_json(turns.to_json()) == turns
    assert sorted(seat for group in turns.ranks() for seat in group) == list(range(seats))


@pytest.mark.parametrize(
    "data",
    [
        {},
        {**TurnManager(2).to_json(), "misses": None},
        {**TurnManager(2).to_json(), "seats": "two"},
    ],
)
def test_json_that_is_no_turn_order_is_refused(data):
    with pytest.raises(InputError, match="not a turn order"):
        TurnManager.from_json(data)
