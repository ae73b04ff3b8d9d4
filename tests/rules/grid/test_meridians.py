"""The rules of Meridians, by the rulebook's turn; notation, options, digests and records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules.checks import check_game
from rules.errors import IllegalMoveError, InputError, NotationError, ShutokoError
from rules.game import Reason
from rules.grid.boards import HexBoard
from rules.grid.meridians import SIZES, Meridians, MeridiansPosition
from rules.record import End, Entry, Header, Record
from rules.record.verify import verify
from tests.meridians_oracle import Oracle


def after(*moves: str, size: int = 4, pie: bool = False) -> MeridiansPosition:
    state = Meridians(size, pie).start()
    for text in " ".join(moves).split():
        state = state.after(state.parse(text))
    return state


def legal(state: MeridiansPosition) -> set[str]:
    return {str(move) for move in state.legal_moves()}


def random_game(seed: int, size: int = 4, pie: bool = False) -> list[str]:
    rng = np.random.default_rng(seed)
    state, played = Meridians(size, pie).start(), []
    while state.outcome() is None:
        moves = state.legal_moves()
        played.append(str(moves[int(rng.integers(len(moves)))]))
        state = state.after(state.parse(played[-1]))
    return played


@pytest.mark.parametrize("size", SIZES)
def test_the_board_has_two_sides_of_one_point_less(size: int) -> None:
    board = HexBoard.of(size)
    lengths = [count for _, count in board.rows]
    assert board.points == (size - 1) * (3 * size - 2)
    assert (lengths[0], max(lengths), lengths[-1], len(lengths)) == (
        size - 1,
        2 * size - 2,
        size - 1,
        2 * size - 1,
    )
    rim = [i for i in range(board.points) if (board.neighbours[i] < 0).any()]
    assert len(rim) == 6 * size - 8
    assert np.allclose(board.places.mean(axis=0), 0)


def test_rows_are_lettered_from_the_bottom_and_points_numbered_from_the_left() -> None:
    board = HexBoard.of(7)
    assert board.points == 114
    assert (board.names[0], board.names[5], board.names[6], board.names[-6], board.names[-1]) == (
        "m1",
        "m6",
        "l1",
        "a1",
        "a6",
    )
    assert board.names[board.rows[6][0] + 11] == "g12"


def test_neighbours_are_one_apart_and_lines_are_straight() -> None:
    board = HexBoard.of(5)
    for i in range(board.points):
        near = {
            j
            for j in range(board.points)
            if abs(np.hypot(*(board.places[i] - board.places[j])) - 1) < 1e-9
        }
        assert near == {int(j) for j in board.neighbours[i] if j >= 0}
        for axis in range(3):
            assert board.on_line[board.line[i, axis], board.offset[i, axis]] == i
    for points in board.on_line:
        places = board.places[points[points >= 0]]
        steps = np.diff(places, axis=0)
        assert np.allclose(steps, steps[0])
        assert np.isclose(np.hypot(*steps[0]), 1)


def test_light_moves_first_and_the_board_is_empty() -> None:
    state: Any = rules.game("meridians").start()
    assert (state.to_move, state.side, state.outcome()) == (0, 0, None)
    assert state.board_text() == "/".join(
        "." * n for n in (6, 7, 8, 9, 10, 11, 12, 11, 10, 9, 8, 7, 6)
    )


def test_a_first_stone_may_stand_on_any_empty_point() -> None:
    names = set(HexBoard.of(4).names)
    assert legal(after()) == names
    assert legal(after("d3")) == names - {"d3"}


def test_a_second_stone_sees_the_first_and_does_not_touch_it() -> None:
    state = after("d1 d4")
    assert legal(state) == {"d3", "f1", "g1", "a1", "b1"}
    with pytest.raises(IllegalMoveError, match="light's second stone may not touch light's first"):
        state.parse("d2")
    assert "d5" not in legal(state), "dark's stone stands between"
    assert "d5" not in legal(after("d1 d4 d3"))
    assert "d6" in legal(after("d1 d4 d3"))


def test_a_later_stone_sees_an_own_stone_first_or_touches_it() -> None:
    state = after("d1 d4 d3 d6")
    assert {"d2", "e1", "c1", "c2", "f1", "g3"} <= legal(state)
    assert "d5" not in legal(state)
    with pytest.raises(IllegalMoveError, match="no light stone sees d5"):
        state.parse("d5")
    with pytest.raises(IllegalMoveError, match="d4 is taken"):
        state.parse("d4")


def test_joining_the_last_two_groups_is_legal_and_loses() -> None:
    state = after("d1 d4 d3 d6 d2")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.reason, outcome.ranks) == (
        (1,),
        Reason.ANNIHILATED,
        ((1,), (0,)),
    )
    assert state.board_text() == ".../..../...../...2.2/...../..../..."
    assert state.legal_moves() == ()
    with pytest.raises(IllegalMoveError, match="the game is over"):
        state.parse("d3")


def test_a_cut_group_stands_until_its_owner_has_moved() -> None:
    cut = after("d1 a2 d3 d5 c1 d2")  # d2 comes between c1-d1 and d3, which see nothing else
    assert (cut.side, cut.board_text().count("1")) == (0, 3)
    assert cut.after(cut.parse("b1")).board_text() == ".../..../...../121.2./1..../1.../.2.", (
        "b1 sees d3 and saves both"
    )
    assert cut.after(cut.parse("g1")).board_text() == "1../..../...../12..2./1..../..../.2.", (
        "g1 sees d1 and not d3"
    )


def test_dead_groups_are_removed_right_after_their_owners_move() -> None:
    moves = random_game(5)
    state, removals = after(), 0
    for text in moves:
        side, before = state.side, state.board_text()
        state = state.after(state.parse(text))
        gone = before.count("12"[side]) + (text != "pass") - state.board_text().count("12"[side])
        assert state.board_text().count("21"[side]) == before.count("21"[side]), (
            "only the mover's stones go"
        )
        removals += gone > 0
    assert removals > 0


def test_a_forced_pass_is_the_only_move_and_loses() -> None:
    moves = random_game(797)
    state = after(*moves[:-1])
    side, seat = state.side, state.to_move
    assert legal(state) == {"pass"}
    assert "12"[side] in state.board_text()
    state = state.after(state.parse("PASS"))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == (1 - seat,)
    assert "12"[side] not in state.board_text(), "a side without a legal point has no path"


def test_passing_is_not_allowed_with_a_legal_point() -> None:
    with pytest.raises(
        IllegalMoveError, match=r"a pass is legal only if there is no other move; g1 is one"
    ):
        after().parse("pass")


def test_if_all_groups_of_both_sides_are_dead_the_side_to_move_wins() -> None:
    oracle = Oracle(4)
    moves = "e2 d1 c1 d3 d2"  # d2 joins light's last two groups and comes between dark's
    for text in moves.split()[:-1]:
        oracle.play(text)
    oracle.stones[oracle.named["d2"]] = 1
    assert not any(oracle.has_path(group) for colour in (1, 2) for group in oracle.groups(colour))
    state = after(moves)
    outcome = state.outcome()
    assert outcome is not None
    assert (state.side, state.to_move, outcome.winners) == (1, 1, (1,))
    assert state.board_text() == ".../..../...../2.2.../...../..../..."


def test_resigning_is_never_listed_and_ends_the_game_for_the_seat_to_move() -> None:
    for state, seat in (
        (after(), 0),
        (after("d1"), 1),
        (after("d1,d4", pie=True), 1),
        (after("d1,d4 swap", pie=True), 1),
    ):
        assert "resign" not in legal(state)
        over = state.after(state.parse(" Resign "))
        outcome = over.outcome()
        assert outcome is not None
        assert (outcome.winners, outcome.reason, outcome.ranks) == (
            (1 - seat,),
            Reason.RESIGNED,
            ((1 - seat,), (seat,)),
        )
        assert over.legal_moves() == ()
        assert over.digest() != state.digest()


def test_with_the_pie_option_ply_0_places_a_stone_of_each_colour() -> None:
    state = after(pie=True, size=3)
    moves = legal(state)
    assert len(moves) == 14 * 13
    assert {"a1,a2", "a2,a1"} <= moves
    assert after("c1,c4", size=3, pie=True).board_text() == "../.../1..2/.../.."
    for text, reason in (
        ("a1", "begins with two points"),
        ("a1,a1", "a point each"),
        ("keep", "begins with two points"),
    ):
        with pytest.raises(IllegalMoveError, match=reason):
            state.parse(text)


def test_the_second_player_keeps_or_swaps_and_light_moves() -> None:
    choice = after("d1,d4", pie=True)
    assert (choice.to_move, choice.side, legal(choice)) == (1, 1, {"keep", "swap"})
    with pytest.raises(IllegalMoveError, match="keep or swap"):
        choice.parse("d2")
    kept, swapped = choice.after(choice.parse("keep")), choice.after(choice.parse("swap"))
    assert (kept.to_move, kept.side, swapped.to_move, swapped.side) == (0, 0, 1, 0)
    assert kept.board_text() == swapped.board_text() == choice.board_text()
    assert kept.legal_moves() == swapped.legal_moves()
    assert kept.digest() != swapped.digest()
    following = swapped.after(swapped.parse("d3"))
    assert (following.to_move, following.side) == (0, 1)


def test_after_the_pie_both_stones_count_as_first_turns() -> None:
    assert legal(after("d1,d4 keep", pie=True)) == legal(after("d1 d4"))
    assert legal(after("d1,d4 keep d3", pie=True)) == legal(after("d1 d4 d3"))
    lost = after("d1,d4 swap d3 d6 d2", pie=True).outcome()
    assert lost is not None
    assert lost.winners == (0,), "seat 1 plays light and has joined its last two groups"


def test_without_the_pie_option_its_moves_are_refused() -> None:
    for text in ("keep", "swap", "d1,d4"):
        with pytest.raises(IllegalMoveError, match=r"only at ply . of a game with the pie option"):
            after().parse(text)


def test_capitals_and_blanks_do_not_matter() -> None:
    state = after()
    assert str(state.parse("  D4\n")) == "d4"
    assert str(after(pie=True).parse("D1 , d4")) == "d1,d4"


@pytest.mark.parametrize(
    "text",
    ["", "d", "4", "d0", "d8", "h1", "d04", "d4,", ",", "d4,e", "d4,e5,f6", "d-1", "d٤", "d4x"],
)
def test_what_is_no_move_is_refused_with_text_position_and_reason(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        after().parse(text)
    assert (caught.value.text, caught.value.position) == (text, after().board_text())
    assert "rows are a to g from the bottom" in caught.value.reason


STATES = after("d1 d4 d3"), after(pie=True), after("d1,d4", pie=True), after("resign")


@given(
    st.one_of(
        st.text(),
        st.text("abcdefg0123456789,. passkeepswapresign", max_size=12),
        st.integers(),
        st.none(),
    )
)
def test_garbage_raises_only_the_projects_errors(text: Any) -> None:
    for state in STATES:
        try:
            move = state.parse(text)
        except ShutokoError:
            continue
        assert state.parse(str(move)) == move


@pytest.mark.parametrize(
    "options",
    [{"size": s} for s in (2, 13, 0, -7, 10**9, 1.5, 7.0, "7", True, None, [7])] + [{"pie": 1}],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(
        InputError, match=f"meridians: {next(iter(options))} = .* is not valid; choose from"
    ):
        rules.game("meridians", **options)


def test_unknown_options_are_named() -> None:
    with pytest.raises(InputError, match="ko"):
        rules.game("meridians", ko="undo")
    assert rules.game("meridians", size=7, pie=False) == rules.game("meridians")
    assert rules.game("meridians").options == {}
    assert rules.game("meridians", size=5, pie=True).options == {"size": 5, "pie": True}


@pytest.mark.parametrize(
    "options",
    [{"size": 3}, {"size": 3, "pie": True}, {"size": 4}, {"size": 6, "pie": True}, {"size": 12}],
)
def test_the_game_keeps_every_promise(options: dict[str, Any]) -> None:
    check_game(
        rules.game("meridians", **options),
        np.random.default_rng(1),
        games=6 if options["size"] < 6 else 1,
    )


def test_positions_reached_in_another_order_are_equal() -> None:
    one, other = after("d1 d4 d3 d6 a1 a3 f1"), after("d1 d4 d3 d6 f1 a3 a1")
    assert one == other
    assert hash(one) == hash(other)
    assert one != after("d1 d4 d3 d6 a1 a3")
    assert one.digest() != after("d1 d4 d3 d6 a1 a3 e1").digest()
    assert after("d1 d4", size=4).digest() != after("d1 d4", size=5).digest()


@given(st.integers(0, 2**32), st.integers(1, 3), st.sampled_from((3, 4, 5)), st.booleans())
def test_the_rules_know_no_left_and_right_nor_top_and_bottom(
    seed: int, number: int, size: int, pie: bool
) -> None:
    board = HexBoard.of(size)
    image = board.symmetries[number]

    def mirrored(text: str) -> str:
        if text in ("pass", "keep", "swap"):
            return text
        return ",".join(board.names[image[board.index[name]]] for name in text.split(","))

    one = other = Meridians(size, pie).start()
    for text in random_game(seed, size, pie)[:30]:
        one, other = one.after(one.parse(text)), other.after(other.parse(mirrored(text)))
        flat, turned = one.board_text().replace("/", ""), other.board_text().replace("/", "")
        assert all(flat[i] == turned[image[i]] for i in range(board.points))
        if one.outcome() is None:
            assert {mirrored(text) for text in legal(one)} == legal(other)
        assert (one.outcome(), one.to_move) == (other.outcome(), other.to_move)


@given(st.integers(0, 2**32), st.booleans())
def test_a_record_is_verified_and_a_false_one_is_found_out(seed: int, pie: bool) -> None:
    state: MeridiansPosition = Meridians(3, pie).start()
    record = Record(Header("meridians", ("north", "south"), options=state.game.options))
    for ply, text in enumerate(random_game(seed, 3, pie)):
        following = state.after(state.parse(text))
        record = record.plus(
            Entry(ply, state.to_move, text, got={"legal": True, "digest": following.digest()})
        )
        state = following
    outcome = state.outcome()
    assert outcome is not None
    assert verify(record.with_end(End(outcome.ranks, outcome.reason))).ok
    false = verify(record.with_end(End(outcome.ranks[::-1], outcome.reason)))
    assert [mismatch.what for mismatch in false.mismatches] == ["end"]


def test_perft_counts_moves_and_a_game_that_is_over_has_none() -> None:
    state = after("d1 d4 d3")
    assert state.perft(0) == 1
    assert state.perft(1) == len(state.legal_moves())
    assert state.perft(2) == sum(state.after(move).perft(1) for move in state.legal_moves())
    assert [after("d1 d4 d3 d6 d2").perft(depth) for depth in (0, 1, 2)] == [1, 0, 0]
    assert after("resign").perft(1) == 0
