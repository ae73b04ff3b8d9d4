"""Thruway by its rules, one after the other; its notation, options, digests, records and
symmetry.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules.checks import check_game
from rules.errors import IllegalMoveError, InputError, NotationError, ShutokoError
from rules.game import Outcome, Reason
from rules.grid.boards import SquareBoard
from rules.grid.kernels import thruway as kernel
from rules.grid.thruway import ThruwayPosition
from rules.record import End, Entry, Header, Record, dumps, loads
from rules.record.verify import verify

OPENING = "f6-g6 e5-f5 e6-e7 d4-d5 f5-g5 f6-f7"  # from the designer's figures


def started(**options) -> ThruwayPosition:
    return rules.game("thruway", **options).start()


def played(moves: str, **options) -> ThruwayPosition:
    state = started(**{"trade": False, **options})
    for text in moves.split():
        state = state.after(state.parse(text))
    return state


def texts(state: ThruwayPosition) -> list[str]:
    return [str(move) for move in state.legal_moves()]


def swaps(state: ThruwayPosition) -> set[str]:
    return {text for text in texts(state) if "/" in text}


FIGURES = played(OPENING)


# The turns


def test_concrete_begins_and_colours_alternate():
    state = played("a1-a2 c1-c2", size=5)
    assert (started().side, started().to_move, state.side, state.to_move) == (0, 0, 0, 0)
    assert state.board_text() == "1.2../1.2../...../...../....."


def test_every_pair_of_adjacent_cells_can_be_paved_at_first():
    assert len(texts(started())) == 220
    assert texts(started(size=3))[:3] == ["a1-a2", "a1-b1", "a2-a3"]


def test_paving_may_replace_one_tile_of_the_opponent_and_none_of_ones_own():
    state = played("f6-g6", size=11)
    assert {"e6-f6", "f5-f6", "g6-h6"} <= set(texts(state))
    assert "f6-g6" not in texts(state)
    assert state.after(state.parse("e6-f6")).board_text().split("/")[5] == "....221...."


def test_one_may_not_pave_over_ones_own_tile():
    state = played("f6-g6 a1-a2")
    with pytest.raises(IllegalMoveError, match="tile of one's own"):
        state.parse("e6-f6")


def test_the_opening_of_the_figures_replaces_twice_and_ends_in_a_dispute():
    state = played(OPENING)
    assert state.board_text().split("/")[3:7] == [
        "...2.......",
        "...2211....",
        "....121....",
        "....12.....",
    ]
    assert swaps(state) == {"e5/f5", "e6/f6", "e5/e6", "f5/f6"}


@pytest.mark.parametrize(("move", "left"), [("f5/f6", set()), ("e4-e5", set())])
def test_a_dispute_is_resolved_by_a_swap_or_by_paving_it_away(move, left):
    assert swaps(played(f"{OPENING} {move}")) == left


def test_either_player_may_swap_in_a_dispute():
    assert "e6/f6" in texts(played(OPENING))
    assert "e6/f6" in texts(played(f"{OPENING} a1-a2"))


def test_a_trade_exchanges_the_persons_and_asphalt_then_takes_its_turn():
    state = played("f6-g6", trade=True)
    assert "trade" in texts(state)
    assert (state.to_move, state.side) == (1, 1)
    traded = state.after(state.parse("trade"))
    assert (traded.to_move, traded.side, traded.board_text()) == (0, 1, state.board_text())
    assert "trade" not in texts(traded)
    assert texts(traded) == [text for text in texts(state) if text != "trade"]


def test_a_trade_is_a_choice_of_asphalts_first_turn_only():
    assert "trade" not in texts(started())
    assert "trade" not in texts(played("f6-g6 a1-a2", trade=True))
    with pytest.raises(IllegalMoveError, match="first turn"):
        started().parse("trade")
    with pytest.raises(IllegalMoveError, match="no trade"):
        played("f6-g6").parse("trade")


# Ko


def test_the_reply_may_not_undo_a_swap_that_made_a_dispute():
    state = played(f"{OPENING} e6/f6")
    assert swaps(state) == {"e7/f7", "e6/e7", "f6/f7"}
    with pytest.raises(IllegalMoveError, match="ko"):
        state.parse("e6/f6")
    later = played(f"{OPENING} e6/f6 a1-a2 k1-k2")
    assert "e6/f6" in texts(later)


def test_without_ko_the_reply_may_undo_a_swap():
    assert swaps(played(f"{OPENING} e6/f6", ko="none")) == {"e6/f6", "e7/f7", "e6/e7", "f6/f7"}


@pytest.mark.parametrize(
    ("ko", "barred"),
    [
        ("none", set()),
        ("undo", {"c2/c3"}),
        ("same", {"c2/c3", "c2/d2"}),
        ("any", {"c2/c3", "c2/d2"}),
    ],
)
def test_ko_same_bars_every_reply_that_brings_a_resolved_dispute_back(ko, barred):
    moves = "c2-d2 c3-d3 b3-b4 b1-c1 b1-b2 a2-b2 c2/c3"
    assert swaps(played(moves, size=4, ko="none")) - swaps(played(moves, size=4, ko=ko)) == barred


@pytest.mark.parametrize(("ko", "barred"), [("same", {"b2/c2"}), ("any", {"b2/c2", "b3/c3"})])
def test_ko_any_bars_the_other_colouring_too(ko, barred):
    moves = "c3-c4 b1-b2 a3-b3 d1-d2 a1-a2 a4-b4 c1-c2 c3-d3 b2/c2"
    assert swaps(played(moves, size=4, ko="none")) - swaps(played(moves, size=4, ko=ko)) == barred


# Ends


def test_a_path_of_indestructible_tiles_between_the_own_borders_wins_on_the_opponents_move_too():
    # asphalt paves the last empty neighbour of concrete's row
    state = played("a1-a2 b2-b3 b1-c1 c2-c3", size=3)
    assert state.board_text() == "111/122/.22"
    assert state.outcome() == Outcome((0,), Reason.CONNECTED, ((0,), (1,)))
    assert state.legal_moves() == ()
    with pytest.raises(IllegalMoveError, match="over"):
        state.parse("resign")


def test_tiles_beside_an_empty_cell_or_in_a_dispute_are_no_path():
    assert played("a1-a2 b2-b3 b1-c1", size=3).outcome() is None
    assert played("b2-c2 a1-b1 b3-b4 c3-d3 a2-a3 a4-b4 c1-d1 c4-d4", size=4).outcome() is None


def test_the_winner_after_a_trade_is_the_person_who_took_the_colour():
    state = played("a1-a2 trade b2-b3 b1-c1 c2-c3", size=3, trade=True)
    assert state.outcome() == Outcome((1,), Reason.CONNECTED, ((1,), (0,)))


def test_a_pass_is_legal_only_when_forced_and_then_all_there_is():
    state = played("c2-c3 a2-a3 a1-b1 b2-b3", size=3)
    assert (state.board_text(), texts(state), state.side) == ("11./221/221", ["pass"], 0)
    assert state.after(state.parse("pass")).side == 1
    with pytest.raises(IllegalMoveError, match="nothing else"):
        started().parse("pass")


def test_resigning_is_always_possible_and_never_listed():
    state = played("f6-g6")
    assert "resign" not in texts(state)
    assert state.after(state.parse("resign")).outcome() == Outcome(
        (0,), Reason.RESIGNED, ((0,), (1,))
    )


def test_with_a_reserve_two_passes_in_a_row_are_a_draw():
    state = played("a1-a2 c1-c2", size=4, reserve=2)
    assert texts(state) == ["pass"]
    with pytest.raises(IllegalMoveError, match="reserve"):
        state.parse("d3-d4")
    ended = state.after(state.parse("pass"))
    assert ended.outcome() is None
    ended = ended.after(ended.parse("pass"))
    assert ended.outcome() == Outcome((), Reason.DRAWN, ((0, 1),))


def test_a_replaced_tile_goes_back_to_its_owners_reserve():
    assert texts(played("a1-a2 c1-c2", size=4, reserve=3)) == ["pass"]
    assert texts(played("a1-a2 a2-a3", size=4, reserve=3)) != ["pass"]


def test_the_third_occurrence_of_a_position_is_a_draw_if_the_option_says_so():
    there_and_back = f"{OPENING} e6/f6 e6/f6 e6/f6"
    assert played(f"{there_and_back} e6/f6", ko="none").outcome() is None
    before, after = (
        played(moves, ko="none", repetition="draw3")
        for moves in (there_and_back, f"{there_and_back} e6/f6")
    )
    assert before.outcome() is None
    assert after.outcome() == Outcome((), Reason.DRAWN, ((0, 1),))


# Notation


def test_pairs_are_read_in_both_orders_and_written_from_the_west_or_north():
    assert [str(started().parse(text)) for text in ("g6-f6", " F6-G6 ", "f7-f6", "a11-a10")] == [
        "f6-g6",
        "f6-g6",
        "f6-f7",
        "a10-a11",
    ]
    assert str(played(OPENING).parse("f6/e6")) == "e6/f6"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "moves are like"),
        ("f6", "moves are like"),
        ("f6g6", "moves are like"),
        ("f6-g6-h6", "moves are like"),
        ("f6-f12", "not on the board"),
        ("z9-z8", "not on the board"),
        ("a0-a1", "not a cell"),
        ("a01-a2", "not a cell"),
        ("f6-f6", "do not share a side"),
        ("f6-h6", "do not share a side"),
    ],
)
def test_what_cannot_be_read_is_refused_with_text_position_and_reason(text, reason):
    with pytest.raises(NotationError, match=reason) as caught:
        started().parse(text)
    assert (caught.value.text, caught.value.position) == (text, started().board_text())


def test_a_swap_is_written_with_a_stroke_and_a_paving_with_a_dash():
    with pytest.raises(IllegalMoveError, match="written e6/f6"):
        played(OPENING).parse("e6-f6")
    with pytest.raises(IllegalMoveError, match="only paved cells"):
        started().parse("e6/f6")
    with pytest.raises(IllegalMoveError, match="no dispute"):
        played(OPENING).parse("d4/d5")


@given(st.one_of(st.text(max_size=12), st.text("ef56-/ ", min_size=4, max_size=7)))
def test_garbage_raises_nothing_but_the_projects_errors(text):
    state = FIGURES
    try:
        move = state.parse(text)
    except ShutokoError:
        return
    assert str(move) in [*texts(state), "resign"]


# Options


@pytest.mark.parametrize(
    "options",
    [
        *({"size": size} for size in (2, 27, 0, -3, True, 1.5, 11.0, "7", None, 10**30)),
        *({"trade": trade} for trade in (1, "yes", None)),
        *({"ko": ko} for ko in ("all", None, 1, ["undo"])),
        *({"repetition": repetition} for repetition in ("draw", 3, True)),
        *({"reserve": reserve} for reserve in (0, 1, -1, True, "60", 2.0, 10**30)),
        {"sise": 7},
    ],
)
def test_options_that_cannot_be_are_refused(options):
    with pytest.raises(InputError, match="thruway"):
        rules.game("thruway", **options)


def test_options_are_those_that_differ_from_the_published_game():
    assert dict(rules.game("thruway", size=11, ko="undo", trade=True).options) == {}
    assert dict(rules.game("thruway", size=7, reserve=60).options) == {"size": 7, "reserve": 60}


def test_the_largest_board_has_columns_a_to_z():
    state = played("z25-z26", size=26)
    assert state.board_text().endswith("1")
    assert len(texts(state)) == 2 * 26 * 25 - 1


# Promises


@pytest.mark.parametrize(
    "options",
    [
        {"size": 3},
        {"size": 5},
        {"size": 4, "ko": "any", "repetition": "draw3"},
        {"size": 4, "ko": "same", "reserve": 7},
    ],
)
def test_thruway_keeps_what_every_game_promises(options):
    check_game(rules.game("thruway", **options), np.random.default_rng(1), games=4, plies=300)


def test_a_digest_is_equal_iff_everything_needed_to_go_on_is():
    assert played("a1-a2 d1-d2 c1-c2").digest() == played("c1-c2 d1-d2 a1-a2").digest()
    assert played("a1-a2").digest() != played("a1-a2", trade=True).digest()
    assert played("a1-a2", trade=True).digest() != played("a1-a2 trade", trade=True).digest()
    assert played(f"{OPENING} e6/f6").digest() != played(f"{OPENING} e6/f6", ko="none").digest()
    barred, free = played(f"{OPENING} e6/f6 a1-a2"), played(f"{OPENING} a1-a2 e6/f6")
    # who may undo the swap tells them apart
    assert (barred.board_text(), barred.side) != (
        free.board_text(),
        free.side,
    )
    assert barred.digest() != free.digest()


def test_repetition_is_part_of_the_digest_only_where_it_counts():
    once, twice = OPENING, f"{OPENING} e6/f6 e6/f6"
    assert played(once, ko="none").digest() == played(twice, ko="none").digest()
    assert (
        played(once, ko="none", repetition="draw3").digest()
        != played(twice, ko="none", repetition="draw3").digest()
    )


def test_positions_are_equal_by_what_they_are():
    one, other = played(OPENING), played(OPENING)
    assert one == other
    assert hash(one) == hash(other)
    assert one != played(f"{OPENING} a1-a2")
    assert one != "a position"
    with pytest.raises(ValueError, match="read-only"):
        one.board[0] = 1


CHOICES = st.lists(st.integers(0, 10**6), max_size=14)


def image(text: str, symmetry: int, board: SquareBoard) -> str:
    sign = "/" if "/" in text else "-"
    if sign not in text:
        return text
    one, other = board.symmetries[symmetry][[board.cell(name) for name in text.split(sign)]]
    return sign.join(board.names[cell] for cell in sorted((one, other)))


@given(CHOICES, st.integers(1, 3), st.sampled_from(["undo", "any"]))
def test_mirrors_keep_the_rules(choices, mirror, ko):
    state = mirrored = started(size=4, trade=False, ko=ko)
    for choice in choices:
        if state.outcome() is not None:
            break
        move = texts(state)[choice % len(texts(state))]
        state, mirrored = (
            state.after(state.parse(move)),
            mirrored.after(mirrored.parse(image(move, mirror, state.game.board))),
        )
        assert sorted(image(text, mirror, state.game.board) for text in texts(state)) == texts(
            mirrored
        )
        assert state.outcome() == mirrored.outcome()


@pytest.mark.slow
@given(CHOICES)
def test_exchanging_colours_along_with_rows_and_columns_keeps_the_rules(choices):
    state = started(size=4, trade=False, ko="none")
    tables, square = state.game.tables, state.game.board
    for choice in choices:
        if state.outcome() is not None:
            break
        state = state.after(state.legal_moves()[choice % len(state.legal_moves())])
    board, info, work = kernel.blank(tables)
    board.reshape(6, 6)[1:-1, 1:-1] = np.array([0, 2, 1])[state.cells().T]
    kernel.load(tables, board, info, work, 1 - state.side, state.turns.ply)
    assert kernel.winner(info) == {0: 0, 1: 2, 2: 1}[int(kernel.winner(state.arrays()[1]))]
    if state.outcome() is None:
        listed, turned = np.zeros((2, kernel.most_legal(tables)), np.int64)
        found, also = (
            kernel.legal(tables, *state.arrays(), listed),
            kernel.legal(tables, board, info, turned),
        )
        edges = [
            square.edge(*square.symmetries[4][square.edges[action]])
            for action in listed[:found]
            if action < len(square.edges)
        ]
        assert sorted(edges) == [action for action in turned[:also] if action < len(square.edges)]


def test_a_record_of_a_game_is_replayed_and_verified():
    state, entries = started(size=3, trade=False), []
    for ply, text in enumerate(["a1-a2", "b2-b3", "b1-c1", "c2-c3"]):
        by = state.to_move
        state = state.after(state.parse(text))
        entries.append(Entry(ply, by, text, got={"legal": True, "digest": state.digest()}))
    header = Header("thruway", ("north", "south"), options={"size": 3, "trade": False})
    record = Record(header, tuple(entries), End(((0,), (1,)), Reason.CONNECTED))
    assert verify(loads(dumps(record))).ok
    wrong = Record(header, tuple(entries), End(((1,), (0,)), Reason.CONNECTED))
    assert [mismatch.what for mismatch in verify(wrong).mismatches] == ["end"]
