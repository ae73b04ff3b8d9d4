"""Meridians and Thruway by their rules, one after the other; their notation, options, digests and
records, and what mirrors keep.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st

import rules
from rules.checks import check_game
from rules.errors import IllegalMoveError, InputError, NotationError, ShutokoError
from rules.grid.boards import HexBoard
from tests.boards import played, random_game

OPENING = "f6-g6 e5-f5 e6-e7 d4-d5 f5-g5 f6-f7"  # from the designer's figures
FOUR, PIE = {"size": 4}, {"size": 4, "pie": True}
PLAIN = {"trade": False}
SMALL = {"size": 3, "trade": False}
KO = "c2-d2 c3-d3 b3-b4 b1-c1 b1-b2 a2-b2 c2/c3"
OTHER_KO = "c3-c4 b1-b2 a3-b3 d1-d2 a1-a2 a4-b4 c1-c2 c3-d3 b2/c2"


class At(NamedTuple):
    """Moves of a game, and what holds then: all moves that are legal, or some that are and some
    that are not; moves that are refused, with the reason; the board; the seat and the side to move;
    the seats that have won, and why.
    """

    moves: str = ""
    options: Mapping[str, Any] = {}
    only: str | None = None
    legal: str = ""
    not_legal: str = ""
    refused: Mapping[str, str] = {}
    board: str | None = None
    turn: tuple[int, int] | None = None
    end: tuple[tuple[int, ...], str] | None = None


MERIDIANS = {
    "light moves first and the board is empty": At(
        turn=(0, 0),
        board="/".join("." * n for n in (6, 7, 8, 9, 10, 11, 12, 11, 10, 9, 8, 7, 6)),
    ),
    "a first stone may stand on any empty point": At(
        "d3", FOUR, only=" ".join(name for name in HexBoard.of(4).names if name != "d3")
    ),
    "a second stone sees the first and does not touch it": At(
        "d1 d4",
        FOUR,
        only="d3 f1 g1 a1 b1",
        not_legal="d5",
        refused={"d2": "light's second stone may not touch light's first"},
    ),
    "what stands between blocks the view": At("d1 d4 d3", FOUR, legal="d6", not_legal="d5"),
    "a later stone sees an own stone first or touches it": At(
        "d1 d4 d3 d6",
        FOUR,
        legal="d2 e1 c1 c2 f1 g3",
        not_legal="d5",
        refused={"d5": "no light stone sees d5", "d4": "d4 is taken"},
    ),
    "joining the last two groups is legal and loses": At(
        "d1 d4 d3 d6 d2",
        FOUR,
        only="",
        refused={"d3": "the game is over"},
        board=".../..../...../...2.2/...../..../...",
        end=((1,), "annihilated"),
    ),
    # d2 comes between c1-d1 and d3, which see nothing else
    "a cut group stands until its owner has moved": At(
        "d1 a2 d3 d5 c1 d2", FOUR, board=".../..../...../121.2./1..../..../.2."
    ),
    "a stone that sees both halves of a cut group saves them": At(
        "d1 a2 d3 d5 c1 d2 b1", FOUR, board=".../..../...../121.2./1..../1.../.2."
    ),
    "the half that sees nothing goes after its owner's move": At(
        "d1 a2 d3 d5 c1 d2 g1", FOUR, board="1../..../...../12..2./1..../..../.2."
    ),
    # d2 joins light's last two groups and comes between dark's
    "if all groups of both sides are dead the side to move wins": At(
        "e2 d1 c1 d3 d2",
        FOUR,
        turn=(1, 1),
        board=".../..../...../2.2.../...../..../...",
        end=((1,), "annihilated"),
    ),
    "a forced pass is the only move": At(
        " ".join(random_game("meridians", 797, size=4)[:-1]), FOUR, only="pass"
    ),
    "a forced pass loses": At(
        " ".join(random_game("meridians", 797, size=4)),
        FOUR,
        end=(((len(random_game("meridians", 797, size=4)) % 2),), "annihilated"),
    ),
    "passing is not allowed with a legal point": At(
        "", FOUR, refused={"pass": "a pass is legal only if there is no other move; g1 is one"}
    ),
    "with the pie option ply 0 places a stone of each colour": At(
        "c1,c4", {"size": 3, "pie": True}, board="../.../1..2/.../.."
    ),
    "a pair of the pie is two points": At(
        "",
        {"size": 3, "pie": True},
        legal="a1,a2 a2,a1",
        refused={
            "a1": "begins with two points",
            "a1,a1": "a point each",
            "keep": "begins with two points",
        },
    ),
    "the second player keeps or swaps": At(
        "d1,d4", PIE, only="keep swap", turn=(1, 1), refused={"d2": "keep or swap"}
    ),
    "whoever keeps leaves light to the first player": At("d1,d4 keep", PIE, turn=(0, 0)),
    "whoever swaps plays light": At("d1,d4 swap", PIE, turn=(1, 0)),
    "after a swap the first player plays dark": At("d1,d4 swap d3", PIE, turn=(0, 1)),
    "after the pie both stones count as first turns": At("d1,d4 keep", PIE, only="d3 f1 g1 a1 b1"),
    "the seat that swapped loses with light's stones": At(
        "d1,d4 swap d3 d6 d2", PIE, end=((0,), "annihilated")
    ),
    "without the pie option its moves are refused": At(
        "",
        FOUR,
        refused=dict.fromkeys(
            ("keep", "swap", "d1,d4"), r"only at ply . of a game with the pie option"
        ),
    ),
    "resigning gives the game to the other seat": At(
        "d1 resign", FOUR, only="", end=((0,), "resigned")
    ),
    "the seat resigns, whatever it plays": At("d1,d4 swap resign", PIE, end=((0,), "resigned")),
}
THRUWAY = {
    "concrete begins": At(turn=(0, 0)),
    "colours alternate": At(
        "a1-a2 c1-c2", {"size": 5, **PLAIN}, turn=(0, 0), board="1.2../1.2../...../...../....."
    ),
    "paving may replace one tile of the opponent and none of ones own": At(
        "f6-g6", PLAIN, legal="e6-f6 f5-f6 g6-h6", not_legal="f6-g6"
    ),
    "a tile that is paved over changes its colour": At(
        "f6-g6 e6-f6",
        PLAIN,
        board="/".join(["." * 11] * 5 + ["....221...."] + ["." * 11] * 5),
    ),
    "one may not pave over ones own tile": At(
        "f6-g6 a1-a2", PLAIN, refused={"e6-f6": "tile of one's own"}
    ),
    "four tiles crosswise are a dispute, in which tiles may be swapped": At(
        OPENING, PLAIN, legal="e5/f5 e6/f6 e5/e6 f5/f6"
    ),
    "a dispute is resolved by a swap": At(
        f"{OPENING} f5/f6", PLAIN, not_legal="e5/f5 e6/f6 e5/e6 f5/f6"
    ),
    "a dispute is paved away": At(f"{OPENING} e4-e5", PLAIN, not_legal="e5/f5 e6/f6 e5/e6 f5/f6"),
    "either player may swap in a dispute": At(f"{OPENING} a1-a2", PLAIN, legal="e6/f6"),
    "asphalt may trade at its first turn": At("f6-g6", turn=(1, 1), legal="trade"),
    "a trade exchanges the persons and asphalt then takes its turn": At(
        "f6-g6 trade", turn=(0, 1), legal="a1-a2", not_legal="trade"
    ),
    "a trade is a choice of asphalts first turn only": At(
        "", not_legal="trade", refused={"trade": "first turn"}
    ),
    "nobody trades later": At("f6-g6 a1-a2", not_legal="trade"),
    "without the option there is no trade": At("f6-g6", PLAIN, refused={"trade": "no trade"}),
    "the reply may not undo a swap that made a dispute": At(
        f"{OPENING} e6/f6", PLAIN, legal="e7/f7 e6/e7 f6/f7", refused={"e6/f6": "ko"}
    ),
    "later the swap may be undone": At(f"{OPENING} e6/f6 a1-a2 k1-k2", PLAIN, legal="e6/f6"),
    "without ko the reply may undo a swap": At(
        f"{OPENING} e6/f6", {"ko": "none", **PLAIN}, legal="e6/f6 e7/f7 e6/e7 f6/f7"
    ),
    **{
        f"ko {ko} bars {bars or 'no'} replies that bring a dispute back": At(
            moves, {"size": 4, "ko": ko, **PLAIN}, legal=free, not_legal=bars
        )
        for moves, ko, free, bars in (
            (KO, "none", "c2/c3 c2/d2", ""),
            (KO, "undo", "c2/d2", "c2/c3"),
            (KO, "same", "", "c2/c3 c2/d2"),
            (OTHER_KO, "same", "b3/c3", "b2/c2"),
            (OTHER_KO, "any", "", "b2/c2 b3/c3"),
        )
    },
    # asphalt paves the last empty neighbour of concrete's row
    "a path of indestructible tiles wins on the opponents move too": At(
        "a1-a2 b2-b3 b1-c1 c2-c3",
        SMALL,
        only="",
        refused={"resign": "over"},
        board="111/122/.22",
        end=((0,), "connected"),
    ),
    "tiles beside an empty cell are no path": At("a1-a2 b2-b3 b1-c1", SMALL),
    "tiles in a dispute are no path": At(
        "b2-c2 a1-b1 b3-b4 c3-d3 a2-a3 a4-b4 c1-d1 c4-d4", {"size": 4, **PLAIN}
    ),
    "pairs of tiles across every column that do not hang together are no path": At(
        "b1-b2 b3-c3 d2-d3 c1-d1 a2-a3 d3-d4 c1-c2 b4-c4 a4-b4", {"size": 4, **PLAIN}
    ),
    "the winner after a trade is the person who took the colour": At(
        "a1-a2 trade b2-b3 b1-c1 c2-c3", {"size": 3}, end=((1,), "connected")
    ),
    "a pass is all there is when it is forced": At(
        "c2-c3 a2-a3 a1-b1 b2-b3", SMALL, only="pass", turn=(0, 0), board="11./221/221"
    ),
    "a pass is no choice": At("", refused={"pass": "nothing else"}),
    "resigning gives the game to the other seat": At("f6-g6 resign", PLAIN, end=((0,), "resigned")),
    "without a tile in the reserve one passes": At(
        "a1-a2 c1-c2",
        {"size": 4, "reserve": 2, **PLAIN},
        only="pass",
        refused={"d3-d4": "reserve"},
    ),
    "after one pass the game goes on": At(
        "a1-a2 c1-c2 pass", {"size": 4, "reserve": 2, **PLAIN}, only="pass"
    ),
    "with a reserve two passes in a row are a draw": At(
        "a1-a2 c1-c2 pass pass", {"size": 4, "reserve": 2, **PLAIN}, end=((), "drawn")
    ),
    "three tiles are no two pairs": At(
        "a1-a2 c1-c2", {"size": 4, "reserve": 3, **PLAIN}, only="pass"
    ),
    "a replaced tile goes back to its owners reserve": At(
        "a1-a2 a2-a3", {"size": 4, "reserve": 3, **PLAIN}, not_legal="pass"
    ),
    "the second occurrence of a position is no draw": At(
        f"{OPENING} e6/f6 e6/f6 e6/f6", {"ko": "none", "repetition": "draw3", **PLAIN}
    ),
    "the third occurrence of a position is a draw if the option says so": At(
        f"{OPENING} e6/f6 e6/f6 e6/f6 e6/f6",
        {"ko": "none", "repetition": "draw3", **PLAIN},
        end=((), "drawn"),
    ),
    "without the option the game goes on": At(
        f"{OPENING} e6/f6 e6/f6 e6/f6 e6/f6", {"ko": "none", **PLAIN}
    ),
    "a swap is written with a stroke and a paving with a dash": At(
        OPENING, PLAIN, refused={"e6-f6": "written e6/f6", "d4/d5": "no dispute"}
    ),
    "only paved cells are swapped": At("", refused={"e6/f6": "only paved cells"}),
    "the largest board has columns a to z": At("z25-z26", {"size": 26, **PLAIN}, legal="y26-z26"),
}
POSITIONS = [("meridians", rule) for rule in MERIDIANS] + [("thruway", rule) for rule in THRUWAY]


def legal(state: Any) -> set[str]:
    return {str(move) for move in state.legal_moves()}


@pytest.mark.parametrize(("name", "rule"), POSITIONS, ids=[f"{n}: {r}" for n, r in POSITIONS])
def test_the_rules_hold_at(name: str, rule: str) -> None:
    at = (MERIDIANS if name == "meridians" else THRUWAY)[rule]
    state = played(name, at.moves, **at.options)
    now, outcome = legal(state), state.outcome()
    assert "resign" not in now
    assert at.only is None or now == set(at.only.split())
    assert (set(at.legal.split()) - now, set(at.not_legal.split()) & now) == (set(), set())
    assert at.turn in (None, (state.to_move, state.side))
    assert at.board in (None, state.board_text())
    assert (outcome and (outcome.winners, outcome.reason)) == at.end
    for text, why in at.refused.items():
        with pytest.raises(IllegalMoveError, match=why):
            state.parse(text)


# --- notation -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "moves", "text", "read"),
    [
        ("meridians", "", "  D4\n", "d4"),
        ("meridians", "", " Resign ", "resign"),
        ("thruway", "", "g6-f6", "f6-g6"),
        ("thruway", "", " F6-G6 ", "f6-g6"),
        ("thruway", "", "f7-f6", "f6-f7"),
        ("thruway", "", "a11-a10", "a10-a11"),
        ("thruway", OPENING, "f6/e6", "e6/f6"),
    ],
)
def test_capitals_and_blanks_do_not_matter_and_pairs_are_written_from_the_west_or_north(
    name: str, moves: str, text: str, read: str
) -> None:
    assert str(played(name, moves, **(PLAIN if moves else {})).parse(text)) == read
    assert str(played("meridians", **PIE).parse("D1 , d4")) == "d1,d4"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        *(
            ("meridians", text, "rows are a to g from the bottom")
            for text in (
                *("", "d", "4", "d0", "d8", "h1", "d04", "d4,", ",", "d4,e", "d4,e5,f6"),
                *("d-1", "d٤", "d4x"),
            )
        ),
        *(("thruway", text, "moves are like") for text in ("", "f6", "f6g6", "f6-g6-h6")),
        ("thruway", "f6-f12", "not on the board"),
        ("thruway", "z9-z8", "not on the board"),
        ("thruway", "a0-a1", "not a cell"),
        ("thruway", "a01-a2", "not a cell"),
        ("thruway", "f6-f6", "do not share a side"),
        ("thruway", "f6-h6", "do not share a side"),
    ],
)
def test_what_is_no_move_is_refused_with_text_position_and_reason(
    name: str, text: str, why: str
) -> None:
    state = played(name, **(FOUR if name == "meridians" else {}))
    with pytest.raises(NotationError, match=why) as caught:
        state.parse(text)
    assert (caught.value.text, caught.value.position) == (text, state.board_text())


STATES = (
    *(played("meridians", moves, **FOUR) for moves in ("d1 d4 d3", "resign")),
    *(played("meridians", moves, **PIE) for moves in ("", "d1,d4")),
    played("thruway", OPENING, **PLAIN),
)


@given(
    st.one_of(
        st.text(),
        st.text("abcdefg0123456789,. passkeepswapresign", max_size=12),
        st.text("ef56-/ ", min_size=4, max_size=7),
        st.integers(),
        st.none(),
    )
)
def test_garbage_raises_only_the_projects_errors(text: Any) -> None:
    for state in STATES:
        with suppress(ShutokoError):
            move = state.parse(text)
            assert str(move) in {*legal(state), "resign"}
            assert state.parse(str(move)) == move


# --- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        *(("meridians", "size", n) for n in (2, 13, 0, -7, 10**9, 1.5, 7.0, "7", True, None, [7])),
        ("meridians", "pie", 1),
        *(("thruway", "size", n) for n in (2, 27, 0, -3, True, 1.5, 11.0, "7", None, 10**30)),
        *(("thruway", "trade", trade) for trade in (1, "yes", None)),
        *(("thruway", "ko", ko) for ko in ("all", None, 1, ["undo"])),
        *(("thruway", "repetition", repetition) for repetition in ("draw", 3, True)),
        *(("thruway", "reserve", n) for n in (0, 1, -1, True, "60", 2.0, 10**30)),
    ],
)
def test_options_that_cannot_be_are_refused(name: str, option: str, value: Any) -> None:
    with pytest.raises(InputError, match=f"{name}: {option} = .* is not valid; "):
        rules.game(name, **{option: value})


@pytest.mark.parametrize(
    ("name", "given", "kept"),
    [
        ("meridians", {"size": 7, "pie": False}, {}),
        ("meridians", {"size": 5, "pie": True}, {"size": 5, "pie": True}),
        ("thruway", {"size": 11, "ko": "undo", "trade": True}, {}),
        ("thruway", {"size": 7, "reserve": 60}, {"size": 7, "reserve": 60}),
    ],
)
def test_options_are_those_that_differ_from_the_published_game(
    name: str, given: dict[str, Any], kept: dict[str, Any]
) -> None:
    assert rules.game(name, **given).options == kept
    with pytest.raises(InputError, match=f"{name}: .*'sise'"):
        rules.game(name, sise=7)


# --- promises -------------------------------------------------------------------------------------

SOME = [
    ("meridians", {"size": 3}),
    ("meridians", {"size": 3, "pie": True}),
    ("meridians", {"size": 4}),
    ("meridians", {"size": 6, "pie": True}),
    ("meridians", {"size": 12}),
    ("thruway", {"size": 3}),
    ("thruway", {"size": 5}),
    ("thruway", {"size": 4, "ko": "any", "repetition": "draw3"}),
    ("thruway", {"size": 4, "ko": "same", "reserve": 7}),
]


@pytest.mark.parametrize(("name", "options"), SOME)
def test_the_game_keeps_every_promise(name: str, options: dict[str, Any]) -> None:
    check_game(
        rules.game(name, **options),
        np.random.default_rng(1),
        games=4 if options["size"] < 6 else 1,
    )


SWAP = f"{OPENING} e6/f6"
ALIKE = {
    "stones in another order": [
        ("meridians", FOUR, "d1 d4 d3 d6 a1 a3 f1"),
        ("meridians", FOUR, "d1 d4 d3 d6 f1 a3 a1"),
    ],
    "tiles in another order": [
        ("thruway", PLAIN, "a1-a2 d1-d2 c1-c2"),
        ("thruway", PLAIN, "c1-c2 d1-d2 a1-a2"),
    ],
    "a position that came before, where no rule counts that": [
        ("thruway", {"ko": "none", **PLAIN}, OPENING),
        ("thruway", {"ko": "none", **PLAIN}, f"{SWAP} e6/f6"),
    ],
}
UNLIKE = {
    "a stone fewer": [
        ("meridians", FOUR, "d1 d4 d3 d6 a1 a3 f1"),
        ("meridians", FOUR, "d1 d4 d3 d6 a1 a3"),
    ],
    "a stone elsewhere": [
        ("meridians", FOUR, "d1 d4 d3 d6 a1 a3 f1"),
        ("meridians", FOUR, "d1 d4 d3 d6 a1 a3 e1"),
    ],
    "another size": [("meridians", FOUR, "d1 d4"), ("meridians", {"size": 5}, "d1 d4")],
    "another seat with light": [("meridians", PIE, "d1,d4 keep"), ("meridians", PIE, "d1,d4 swap")],
    "a game that is over": [("meridians", FOUR, "d1"), ("meridians", FOUR, "d1 resign")],
    "a trade that may still be made": [("thruway", PLAIN, "a1-a2"), ("thruway", {}, "a1-a2")],
    "a trade that was made": [("thruway", {}, "a1-a2"), ("thruway", {}, "a1-a2 trade")],
    "a swap that is barred": [("thruway", PLAIN, SWAP), ("thruway", {"ko": "none", **PLAIN}, SWAP)],
    "whoever may undo a swap": [
        ("thruway", PLAIN, f"{SWAP} a1-a2"),
        ("thruway", PLAIN, f"{OPENING} a1-a2 e6/f6"),
    ],
    "a position that came before, where a rule counts that": [
        ("thruway", {"ko": "none", "repetition": "draw3", **PLAIN}, OPENING),
        ("thruway", {"ko": "none", "repetition": "draw3", **PLAIN}, f"{SWAP} e6/f6"),
    ],
}


@pytest.mark.parametrize(
    ("what", "are_alike"), [*((w, True) for w in ALIKE), *((w, False) for w in UNLIKE)]
)
def test_digests_are_equal_iff_everything_needed_to_go_on_is(what: str, are_alike: bool) -> None:
    one, other = (
        played(name, moves, **options) for name, options, moves in {**ALIKE, **UNLIKE}[what]
    )
    assert (one.digest() == other.digest()) is are_alike
    assert (one == other) is (are_alike and one.turns.ply == other.turns.ply)
    assert one != other or hash(one) == hash(other)
    assert one != "a position"


@pytest.mark.parametrize(
    ("name", "options", "moves", "digest"),
    [
        ("meridians", {"size": 5}, "", "2dc340dc4b900f28"),
        ("meridians", {"size": 7, "pie": False}, "d4 b2", "bbbe788d9aba4882"),
        ("thruway", {"size": 5}, "", "91444851ec761c9c"),
        ("thruway", {"size": 11}, "b9-b10 b9-c9", "3847c4ff2b3f81e2"),
    ],
)
def test_a_digest_is_the_same_to_its_last_digit_as_records_and_other_programs_hold_it(
    name: str, options: dict[str, Any], moves: str, digest: str
) -> None:
    assert played(name, moves, **options).digest() == digest


@pytest.mark.parametrize("name", ["meridians", "thruway"])
def test_a_position_cannot_be_written_into(name: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        played(name).board[0] = 1


MIRRORED = [*SOME[:3], ("thruway", {"size": 4, **PLAIN}), ("thruway", {"size": 4, "ko": "any"})]


@given(st.integers(0, 2**32), st.integers(1, 3), st.sampled_from(MIRRORED))
def test_the_rules_know_no_left_and_right_nor_top_and_bottom(
    seed: int, number: int, game: tuple[str, dict[str, Any]]
) -> None:
    name, options = game
    one = other = played(name, **options)
    names = list(one.game.board.names)
    image = dict(zip(names, (names[n] for n in one.game.board.symmetries[number]), strict=True))

    def mirrored(text: str) -> str:
        sign = next((sign for sign in ",-/" if sign in text), ",")
        found = [image.get(cell, cell) for cell in text.split(sign)]
        ordered = found if sign == "," else sorted(found, key=names.index)
        return sign.join(ordered)

    for text in random_game(name, seed, 30, **options):
        one, other = one.after(text), other.after(mirrored(text))
        if one.outcome() is None:
            assert {mirrored(text) for text in legal(one)} == legal(other)
        assert (one.outcome(), one.to_move) == (other.outcome(), other.to_move)


# --- the hexagon ----------------------------------------------------------------------------------


def test_neighbours_are_one_apart_and_lines_are_straight() -> None:
    board = HexBoard.of(5)
    at = board.places @ np.array([1, 1j])
    for i in range(board.points):
        near = set(np.flatnonzero(np.isclose(abs(at - at[i]), 1)).tolist())
        assert near == {int(j) for j in board.neighbours[i] if j >= 0}
        for axis in range(3):
            assert board.on_line[board.line[i, axis], board.offset[i, axis]] == i
    for points in board.on_line:
        steps = np.diff(at[points[points >= 0]])
        assert np.allclose(steps, steps[0])
        assert np.isclose(abs(steps[0]), 1)
