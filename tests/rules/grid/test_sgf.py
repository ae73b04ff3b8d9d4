"""Thruway and Meridians in SGF: what is written reads as the same game, and what is no such game is
refused with its line.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import rules
from rules.errors import InputError, RecordError
from rules.grid import sgf
from rules.record import End, Entry, Header, Record, read
from rules.record.foreign import export_game, import_game, recognised
from rules.record.replay import fill
from rules.record.verify import verify
from sim.assets import asset

GAMES = (
    ("meridians", {"size": 4}),
    ("meridians", {"size": 5, "pie": True}),
    ("thruway", {"size": 5}),
    ("thruway", {"size": 6, "trade": False, "ko": "same"}),
)


def played(name, options, seed, plies=None, *, resign=False, note=None):
    """A random game, up to its end or so many plies."""
    made, rng = rules.game(name, **options), np.random.default_rng(seed)
    state = made.start()
    record = Record(
        Header(name, ("a]b\\c:", "Bo"), options=made.options, date="2026-01-02", source="x")
    )
    while state.outcome() is None and record.next_ply != plies and record.next_ply < 300:
        move = str(rng.choice([str(move) for move in state.legal_moves()]))
        record = record.plus(Entry(record.next_ply, state.to_move, move, note=note))
        state = state.after(move)
    if resign and state.outcome() is None:
        record = record.plus(Entry(record.next_ply, state.to_move, "resign"))
        state = state.after("resign")
    if (outcome := state.outcome()) is not None:
        record = record.with_end(End(outcome.ranks, outcome.reason))
    return fill(record)


@pytest.mark.parametrize(("name", "options"), GAMES)
@pytest.mark.parametrize("plies", [0, 1, 7, None])
def test_a_game_written_and_read_is_the_same_game(name, options, plies):
    for seed in range(4):
        record = played(name, options, seed, plies)
        again = sgf.loads(sgf.dumps(record))
        assert again == record
        assert verify(again).ok
        assert again.warnings == ()


def test_a_resignation_is_the_result_and_notes_are_comments():
    record = played("thruway", {"size": 5}, 3, 5, resign=True, note="so: [well] \\ then")
    text = sgf.dumps(record)
    assert "resign]" not in text
    assert "+R]" in text
    assert sgf.loads(text) == record


def test_shipped_games_on_boards_read_back_with_the_same_moves():
    for path in sorted(asset("records", "boards").glob("*.jsonl")):
        record = read(path)
        again = sgf.loads(export_game(record, "sgf"))
        assert [entry.do for entry in again.entries] == [
            entry.do for entry in record.entries if not entry.taken_back
        ]


def test_it_is_known_by_its_look_and_by_name():
    text = sgf.dumps(played("meridians", {"size": 4}, 1, 3))
    assert recognised(text) == "sgf"
    assert import_game(text, "sgf").header.game == "meridians"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("(;GM[1]FF[4]SZ[19]\n;B[pd];W[dp])", 1, "game number '1' .Go., not of meridians or"),
        ("(;FF[4];B[pd])", 1, "Go"),
        ("(;GM[0]GN[thruway]SZ[5]\n;B[z9])", 2, "ply 0: .*z9"),
        ("(;GM[0]GN[meridians]SZ[4]\n;B[a1]\n;W[a1])", 3, "ply 1: "),
        ("(;GM[0]GN[meridians]SZ[4]\n;W[a1])", 2, "it is B's turn, not W's"),
        ("(;GM[0]GN[meridians]SZ[4]\n;B[a1]", 2, r"its last \) is missing"),
        ("(;GM[0]GN[meridians]SZ[4]\n;B[a1", 2, "a value begins here and has no ]"),
        ("(;GM[0]GN[meridians]SZ[four])", 1, "SZ.*whole number"),
        ("(;GM[0]GN[meridians]SZ[99])", 1, "size"),
        ("(;GM[0]GN[meridians]RU[{])", 1, "RU must be a JSON object"),
        ("(;GM[0]GN[meridians]RU[[1\\]])", 1, "RU"),
        ("(;GM[0]GN[meridians]\n\n;B)", 3, "the property 'B' has no value"),
        ("(;GM[0]GN[meridians]\n%)", 2, "where"),
        ("(;[a])", 1, "without the name"),
        ("()", 1, "no game in it"),
        ("", 1, "no game in it"),
    ],
)
def test_what_is_no_such_game_is_refused_with_its_line(text, line, said):
    with pytest.raises(RecordError, match=said) as error:
        sgf.loads(text)
    assert error.value.line == line


def test_the_main_line_of_a_file_with_variations_is_read_and_said():
    record = sgf.loads("(;GM[0]GN[meridians]SZ[4](;B[a1];W[b2])(;B[c3]))")
    assert [entry.do for entry in record.entries] == ["a1", "b2"]
    assert record.warnings == ("the file has variations; only the main line was read",)


def test_a_result_that_the_rules_do_not_share_is_told():
    record = sgf.loads("(;GM[0]GN[meridians]SZ[4]RE[B+];B[a1])")
    assert record.warnings == ("the file gives the result 'B+', the rules ?",)


def test_a_game_of_pieces_in_space_is_not_written():
    with pytest.raises(InputError, match="SGF is written for meridians and thruway"):
        sgf.dumps(read(asset("records", "two-cars.jsonl")))


def test_a_record_with_an_illegal_move_is_refused_with_its_ply():
    record = played("meridians", {"size": 4}, 1, 3)
    broken = replace(record, entries=(*record.entries[:2], Entry(2, 0, record.entries[0].do)))
    with pytest.raises(RecordError) as error:
        sgf.dumps(broken)
    assert error.value.ply == 2
