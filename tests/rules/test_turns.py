"""Seats, turns, passes, ranks and sides."""

import pytest
from hypothesis import given, strategies as st

from rules.errors import InputError
from rules.turns import TurnManager

SIX = TurnManager(6).finish(2).put_out(5).finish(0).put_out(4)
TURNS = {
    "play goes clockwise": (lambda: TurnManager(3).advance().advance(), (2, 2)),
    "after the last seat comes the first": (lambda: TurnManager(3, to_move=2).advance(), (0, 1)),
    "again keeps the seat and counts a ply": (
        lambda: TurnManager(2, to_move=1).advance(again=True),
        (1, 1),
    ),
    "a seat that finished or is out is skipped": (
        lambda: TurnManager(4).finish(1).put_out(2).advance(),
        (3, 1),
    ),
    "the mover who finishes is still the one to move": (
        lambda: TurnManager(3, to_move=2).finish(2),
        (2, 0),
    ),
    "the mover who finishes hands on to the next": (
        lambda: TurnManager(3, to_move=2).finish(2).advance(),
        (0, 1),
    ),
    "the only active seat moves again": (lambda: TurnManager(2).put_out(1).advance(), (0, 1)),
    "a miss is no ply": (lambda: TurnManager(2).missed(unable=True), (0, 0)),
}
"""Each with the seat to move and the number of plies."""


@pytest.mark.parametrize(("turns", "expected"), TURNS.values(), ids=TURNS)
def test_whose_turn_it_is(turns, expected):
    assert (turns().to_move, turns().ply) == expected


def test_clockwise_starts_after_the_seat_and_leaves_it_out():
    assert TurnManager(4).clockwise(2) == (3, 0, 1)
    assert TurnManager(4).put_out(3).finish(0).clockwise(2) == (1,)
    assert TurnManager(4).put_out(2).clockwise(2) == (3, 0, 1)
    assert TurnManager(4).put_out(2).finish(1).active == (0, 3)


def test_turns_missed_in_a_row_are_counted_until_a_seat_is_able_or_passes_by_choice():
    turns = TurnManager(2).missed(unable=True).advance().advance().missed(unable=True)
    assert (turns.misses, turns.to_move) == ((2, 0), 0)
    assert turns.able(0).misses == (0, 0)
    assert TurnManager(2, misses=(1, 1)).missed(unable=False).misses == (0, 1)


@pytest.mark.parametrize(
    ("turns", "ranks"),
    [
        (SIX, ((2,), (0,), (1, 3), (4,), (5,))),
        (TurnManager(2).put_out(0), ((1,), (0,))),
        (TurnManager(2).put_out(0).finish(1), ((1,), (0,))),
        (TurnManager(3).put_out(2, 0), ((1,), (0, 2))),
        (TurnManager(3).finish(2, 1), ((1, 2), (0,))),
    ],
    ids=[
        "finished, then active as a tie, then the last out first",
        "one active seat is a rank of its own",
        "no active seat is no rank",
        "seats that go out together tie",
        "seats that finish together tie",
    ],
)
def test_ranks(turns, ranks):
    assert turns.ranks() == ranks


@pytest.mark.parametrize(
    ("turns", "call", "given", "why"),
    [
        (TurnManager(2).finish(0).put_out(1), "advance", (), "nobody is left"),
        (TurnManager(2).finish(0), "advance", (True,), "cannot move again"),
        *(
            (TurnManager(3).finish(0).put_out(1), leave, seats, why)
            for leave in ("finish", "put_out")
            for seats, why in (
                ((0,), "seat 0 has already finished or is out"),
                ((1,), "seat 1 has already finished or is out"),
                ((2, 2), "name one twice"),
                ((), "no seat was named"),
            )
        ),
        *(
            (TurnManager(2), call, (seat,), "there is no")
            for call in ("finish", "put_out", "able", "clockwise", "swap_sides", "seat_of")
            for seat in (-1, 2)
        ),
        *(
            (TurnManager(3), "swap_sides", pair, r"there is no seat (3|-1) in a game of 3")
            for pair in ((0, 3), (3, 0), (-1, 0), (0, -1))
        ),
    ],
)
def test_what_a_seat_that_is_not_there_or_has_left_cannot_do_is_refused(turns, call, given, why):
    with pytest.raises(InputError, match=why):
        getattr(turns, call)(*given)


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


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (TurnManager(2).advance(), (1, 1)),
        (TurnManager(2).advance().swap_sides().advance(), (0, 1)),
        (TurnManager(2).advance().swap_sides().advance().advance(), (1, 0)),
        (TurnManager(2).advance().swap_sides().advance(again=True), (1, 0)),
        (TurnManager(3).swap_sides(0, 2), (0, 2)),
    ],
    ids=[
        "the second seat has the second side",
        "thruways trade gives asphalt to the first seat, who then moves",
        "after a trade the second seat plays concrete",
        "meridians swap makes the second seat light, who then moves",
        "any two seats may exchange sides",
    ],
)
def test_the_seat_to_move_and_its_side_after_an_exchange(turns, expected):
    assert (turns.to_move, turns.side) == expected
    assert turns.seat_of(turns.side) == turns.to_move


@given(
    st.integers(1, 4),
    st.lists(st.sampled_from(["advance", "pass", "finish", "out", "swap"]), max_size=12),
)
def test_every_seat_has_one_rank_and_no_step_changes_the_old_value(seats, steps):
    turns = TurnManager(seats)
    for step in steps:
        if not turns.active:
            break
        before = turns.to_json()
        following = {
            "advance": lambda now: now.advance(),
            "pass": lambda now: now.missed(unable=True),
            "swap": lambda now: now.swap_sides(0, seats - 1),
            "finish": lambda now: now.finish(now.active[0]),
            "out": lambda now: now.put_out(now.active[-1]),
        }[step](turns)
        assert turns.to_json() == before
        turns = following
    assert sorted(seat for group in turns.ranks() for seat in group) == list(range(seats))
