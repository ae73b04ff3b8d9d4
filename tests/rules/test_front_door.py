"""What `rules` offers directly: states that take texts and print as boards, and any grid game
played again.
"""

from __future__ import annotations

import pytest

import rules
from rules.errors import IllegalMoveError, InputError, NotationError, RecordError
from rules.record import Entry, Header, Record, write

MOVES = ("d4", "c3", "d6")


def record_of(*entries: Entry) -> Record:
    return Record(Header("meridians", ("ann", "bob"), options={"size": 4}), entries)


def started(game: str = "meridians", **options):
    return rules.game(game, **{"size": 4, **options}).start()


def test_a_state_goes_on_from_the_text_of_a_move_as_from_the_move():
    state = started()
    assert state.after("D4 ") == state.after(state.parse("d4"))
    assert started("thruway", size=5).after("a1-b1") == started("thruway", size=5).after(
        started("thruway", size=5).parse("a1-b1")
    )


def test_resigning_by_its_text_ends_the_game():
    assert started().after("resign").outcome().winners == (1,)


def test_a_text_that_is_no_move_and_a_move_that_is_illegal_are_told_apart():
    with pytest.raises(NotationError, match="'z9'"):
        started().after("z9")
    with pytest.raises(IllegalMoveError, match="d4 is taken"):
        started().after("d4").after("d4")


def test_a_state_prints_as_its_board_and_whose_turn_it_is():
    assert str(started().after("d4")).splitlines() == [
        "  g    . . .",
        "  f   . . . .",
        "  e  . . . . .",
        "  d . . . o . .",
        "  c  . . . . .",
        "  b   . . . .",
        "  a    . . .",
        "seat 1 to move with x",
    ]
    assert str(started("thruway", size=5)).startswith("    a b c d e\n  1 . . . . .\n")
    assert str(started().after("resign")).endswith("\nresigned: seat 1 wins")


def test_states_and_records_have_a_short_name_in_one_line():
    state = started().after("d4")
    assert repr(state) == (
        f"<MeridiansPosition Meridians(size=4, pie=False), ply 1, seat 1 to move, {state.digest()}>"
    )
    assert repr(record_of(Entry(0, 0, "d4"))) == "<Record meridians, ann against bob, 1 plies>"


def test_any_record_is_played_again_from_its_path_or_as_it_is(tmp_path):
    record = record_of(*(Entry(ply, ply % 2, text) for ply, text in enumerate(MOVES)))
    write(record, tmp_path / "game.jsonl")
    assert (
        repr(rules.record.read(tmp_path / "game.jsonl"))
        == f"{repr(record)[:-1]}, {tmp_path / 'game.jsonl'}>"
    )
    steps = list(rules.replay(tmp_path / "game.jsonl"))
    assert [step.ply for step in steps] == [0, 1, 2]
    assert [str(step.move) for step in steps] == list(MOVES)
    assert steps[0].before == started()
    assert all(step.after == step.before.after(step.move) for step in steps)
    assert str(steps[1]) == "ply  1  bob: c3"
    assert [str(step) for step in rules.replay(record)] == [str(step) for step in steps]


def test_a_move_taken_back_is_a_step_without_a_move_that_says_why():
    taken_back = Entry(1, 1, "d4", got={"legal": False})
    _, step, last = rules.replay(record_of(Entry(0, 0, "d4"), taken_back, Entry(1, 1, "c3")))
    assert (step.ply, step.move, step.after) == (1, None, step.before)
    assert str(step) == "ply  1  bob: d4  (taken back: d4 is taken)"
    assert (last.ply, str(last.move), last.before) == (1, "c3", step.before)


def test_a_record_of_an_unknown_game_names_line_and_game(tmp_path):
    with pytest.raises(RecordError, match="'chess' is not a game"):
        list(rules.replay(Record(Header("chess", ("ann", "bob")))))
    with pytest.raises(InputError, match=r"none\.jsonl"):
        rules.replay(tmp_path / "none.jsonl")
