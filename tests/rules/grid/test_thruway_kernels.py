"""The compiled rules of Thruway held against the slow second statement of them and against
themselves; odds of random games.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

import rules
from rules.game import Reason
from rules.grid.kernels import games, thruway as kernel, thruway_games as own
from rules.grid.kernels.primitives import stream
from rules.grid.thruway import ThruwayPosition
from tests.thruway_oracle import Oracle

GAMES = int(os.environ.get("SHUTOKO_ORACLE_GAMES", "40"))
"""How many games are compared ply by ply; `SHUTOKO_ORACLE_GAMES=2000 pytest tests/rules/grid -k
slow_engine` compares more.
"""

OPTIONS = [
    {"size": 3},
    {"size": 4, "ko": "same"},
    {"size": 4, "ko": "any", "trade": False},
    {"size": 4, "ko": "none", "repetition": "draw3", "trade": False},
    {"size": 4, "reserve": 7, "trade": False},
    {"size": 5, "trade": False},
    {"size": 5, "ko": "any", "repetition": "draw3", "reserve": 12},
    {"size": 6},
]


def after(moves: str, **options) -> ThruwayPosition:
    state = rules.game("thruway", **options).start()
    for text in moves.split():
        state = state.after(state.parse(text))
    return state


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_random_games_agree_with_the_slow_engine_ply_by_ply(number):
    options = OPTIONS[number]
    rng = np.random.default_rng(number)
    for _ in range(-(-GAMES // len(OPTIONS))):
        state, oracle = rules.game("thruway", **options).start(), Oracle(**options)
        while True:
            moves = [str(move) for move in state.legal_moves()]
            assert moves == oracle.moves()
            assert (state.board_text(), state.side, state.to_move) == (
                oracle.board_text(),
                oracle.colour,
                oracle.seats[oracle.colour],
            )
            outcome, result = state.outcome(), oracle.result()
            if outcome is None:
                assert result is None
                swaps = [text for text in moves if "/" in text]
                likely = swaps if swaps and rng.random() < 0.4 else moves  # else swaps are rare
                text = likely[int(rng.integers(len(likely)))]
                state, oracle = state.after(state.parse(text)), oracle.after(text)
                continue
            if result == "drawn":
                assert (outcome.winners, outcome.reason) == ((), Reason.DRAWN)
            else:
                seat = oracle.seats[("concrete", "asphalt").index(result)]
                assert (outcome.winners, outcome.reason) == ((seat,), Reason.CONNECTED)
            break


def perft_cases():
    return json.loads(
        (Path(__file__).parents[2] / "data" / "perft" / "thruway.json").read_text(encoding="utf-8")
    )


@pytest.mark.parametrize(
    "case", perft_cases(), ids=lambda case: f"{case['options']} {len(case['moves'].split())}"
)
def test_perft_counts_what_the_slow_engine_counted(case):
    state = after(case["moves"], **case["options"])
    assert [state.perft(depth) for depth in range(1, len(case["counts"]) + 1)] == case["counts"]


def test_perft_of_no_moves_is_one_and_of_an_ended_game_nothing():
    ended = after("a1-a2 b2-b3 b1-c1 c2-c3", size=3, trade=False)
    assert [after("", size=3).perft(0), ended.perft(0), ended.perft(1), ended.perft(2)] == [
        1,
        1,
        0,
        0,
    ]


@pytest.mark.parametrize(
    "options",
    [
        {"size": 3},
        {"size": 6, "ko": "any"},
        {"size": 5, "reserve": 8},
        pytest.param({"size": 26}, marks=pytest.mark.slow),
    ],
)
def test_incremental_state_agrees_with_the_board(options):
    made = rules.game("thruway", **options)
    tables, chance = made.tables, stream(5)
    board, info, work = kernel.blank(tables)
    own.prepare(tables, work)
    fresh = info.copy()
    listed = np.zeros(kernel.most_legal(tables), np.int64)
    plies = 0
    while kernel.winner(info) == 0:
        found = listed[: kernel.legal(tables, board, info, listed)].tolist()
        assert found == [
            action
            for action in range(len(tables.edges) + 2)
            if kernel.is_legal(tables, board, info, action)
        ]
        kernel.play(tables, board, info, work, own.pick(tables, board, info, work, chance))
        plies += 1
        kernel.load(tables, board, fresh, kernel.scratch(tables), info[kernel.SIDE], plies)
        assert fresh[kernel.DISPUTES] == info[kernel.DISPUTES]
        assert (fresh[kernel.ROWS :] == info[kernel.ROWS :]).all()
        assert info[kernel.PLIES] == plies
        if kernel.winner(info) != kernel.DRAWN:
            assert kernel.winner(fresh) == kernel.winner(info)
    assert not any(
        kernel.is_legal(tables, board, info, action) for action in range(-1, len(tables.edges) + 3)
    )


@pytest.mark.parametrize(
    ("moves", "options"),
    [
        ("", {"size": 3}),
        ("a1-a2", {"size": 3}),  # with the trade
        ("c3-d3 b2-c2 b3-b4 a1-a2 c2-d2 c3-c4", {"size": 4, "trade": False}),  # with a dispute
        # with a barred swap
        (
            "c3-d3 b2-c2 b3-b4 a1-a2 c2-d2 c3-c4 b3/c3",
            {"size": 4, "trade": False},
        ),
        # with disputes side by side
        (
            "c1-c2 b1-b2 a3-b3 d1-d2 a1-a2 a4-b4 c3-c4 c3-d3",
            {"size": 4, "trade": False},
        ),
        ("c2-c3 a2-a3 a1-b1 b2-b3", {"size": 3, "trade": False}),  # with nothing but a pass
    ],
)
def test_every_legal_action_is_equally_likely(moves, options):
    state = after(moves, **options)
    tables, chance = state.game.tables, stream(7)
    board, info = state.arrays()
    work, listed = kernel.scratch(tables), np.zeros(kernel.most_legal(tables), np.int64)
    found = listed[: kernel.legal(tables, board, info, listed)]
    own.prepare(tables, work)
    drawn = [own.pick(tables, board, info, work, chance) for _ in range(100 * len(found))]
    counts = np.bincount(drawn, minlength=len(tables.edges) + 2)
    assert counts[found].sum() == len(drawn)
    from scipy.stats import chisquare  # loaded by this test alone: it takes a second

    assert len(found) == 1 or chisquare(counts[found]).pvalue > 1e-3


def test_rollouts_repeat_from_their_seed_and_leave_the_position_alone():
    state = rules.game("thruway", size=7).start()
    board, info = state.arrays()
    one, same, other = (
        games.rollouts(state.game.tables, board, info, kernel.scratch(state.game.tables), 50, seed)
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other
    assert (board == state.board).all()
    assert (info == state.info).all()


@pytest.mark.parametrize(
    ("moves", "options"),
    [
        ("", {"size": 4}),
        ("c3-d3 b2-c2 b3-b4", {"size": 4, "trade": False}),
        # too few tiles for a path: all games are drawn
        (
            "",
            {"size": 3, "trade": False, "reserve": 3},
        ),
    ],
)
def test_rollouts_count_what_each_of_their_games_comes_to(moves, options):
    state = after(moves, **options)
    tables, chance, ends = state.game.tables, stream(8), []
    for _ in range(60):
        board, info = (each.copy() for each in state.arrays())
        won = games.rollout(tables, board, info, kernel.scratch(tables), chance, 1000)
        ends.append(
            (won, int(info[kernel.PLIES]) - len(moves.split()), won == info[kernel.SIDE] + 1)
        )
    counts = games.rollouts(tables, *state.arrays(), kernel.scratch(tables), 60, 8)
    won, plies, turned = zip(*ends, strict=True)
    assert (counts.first, counts.second, counts.drawn) == tuple(
        won.count(which) for which in (1, 2, kernel.DRAWN)
    )
    assert (counts.plies, counts.longest, counts.shortest) == (sum(plies), max(plies), min(plies))
    assert counts.reversed == sum(turned)
    assert (counts.drawn > 0, counts.reversed > 0) == (
        (True, False) if "reserve" in options else (False, True)
    )


def test_playing_leaves_the_list_of_edges_alone_from_which_is_drawn():
    tables, rng = rules.game("thruway", size=4).tables, np.random.default_rng(1)
    board, info, work = kernel.blank(tables)
    own.prepare(tables, work)
    listed = work[: 1 + len(tables.edges)].copy()
    out = np.zeros(kernel.most_legal(tables), np.int64)
    while kernel.winner(info) == 0:
        action = int(rng.choice(out[: kernel.legal(tables, board, info, out)]))
        kernel.play(tables, board, info, work, action)
        assert (work[: len(listed)] == listed).all()


def test_rollouts_stop_at_the_cap():
    state = rules.game("thruway", size=7).start()
    counts = games.rollouts(
        state.game.tables, *state.arrays(), kernel.scratch(state.game.tables), 20, 3, cap=9
    )
    assert (counts.unfinished, counts.plies, counts.longest, counts.shortest) == (20, 180, 9, 9)


def test_random_games_on_the_published_board_are_what_they_were_measured_to_be():
    state = rules.game("thruway", trade=False).start()
    counts = games.rollouts(
        state.game.tables, *state.arrays(), kernel.scratch(state.game.tables), 4000, 11
    )
    assert counts.unfinished == counts.drawn == 0
    assert counts.first + counts.second == 4000
    assert 0.49 < counts.first / 4000 < 0.54
    assert 84.5 < counts.plies / 4000 < 86.7
    assert 0.30 < counts.reversed / 4000 < 0.37


def test_keys_tell_side_and_barred_turns_apart_and_nothing_else():
    made = rules.game("thruway", size=4, trade=False)
    figures = "c3-d3 b2-c2 b3-b4 a1-a2 c2-d2 c3-c4"

    def key(moves: str, **options) -> int:
        state = after(moves, size=4, trade=False, **options)
        return kernel.key(state.game.tables, state.arrays()[1])

    assert made.size == 4
    assert key("a1-a2 d1-d2 c1-c2") == key("c1-c2 d1-d2 a1-a2")
    assert key(f"{figures} b3/c3") != key(f"{figures} b3/c3", ko="none")
    assert key(figures, ko="none") == key(f"{figures} b3/c3 b3/c3", ko="none")


@pytest.mark.parametrize("ko", ["undo", "same", "any", "none"])
def test_barred_turns_are_those_that_only_the_ko_rule_forbids(ko):
    """Whatever is barred counts in the key, so nothing else may be."""
    tables, barred, rng = (
        rules.game("thruway", size=5, ko=ko, trade=False).tables,
        0,
        np.random.default_rng(3),
    )
    for _ in range(12):
        board, info, work = kernel.blank(tables)
        while kernel.winner(info) == 0:
            free = info.copy()
            free[kernel.BARRED] = 0
            both = [
                [a for a in range(len(tables.edges)) if kernel.is_legal(tables, board, one, a)]
                for one in (info, free)
            ]
            kept = info[kernel.BARRED + 1 :][: info[kernel.BARRED]].tolist()
            assert kept == sorted(set(both[1]) - set(both[0]))
            barred += len(kept)
            swaps = [
                a
                for a in both[0]
                if board[tables.edges[a] & 1023] != 0 and board[tables.edges[a] >> 10 & 1023] != 0
            ]
            likely = (
                swaps
                if swaps and rng.random() < 0.5
                else both[0] or [len(tables.edges) + kernel.PASS]
            )
            kernel.play(tables, board, info, work, int(rng.choice(likely)))
    assert (barred > 0) == (ko != "none")


def test_a_game_too_long_for_its_room_forgets_the_oldest_position():
    made = rules.game("thruway", size=4, trade=False, ko="none", repetition="draw3")
    tables, square = made.tables, made.board
    # there and back takes two plies: the third occurrence is the fifth key
    for room, drawn in (
        (5, True),
        (3, False),
    ):
        board, info, work = kernel.blank(tables, room)
        for pair in [
            "c3-d3",
            "b2-c2",
            "b3-b4",
            "a1-a2",
            "c2-d2",
            "c3-c4",
            "b3-c3",
            "b3-c3",
            "b3-c3",
            "b3-c3",
        ]:
            kernel.play(
                tables,
                board,
                info,
                work,
                square.edge(*(square.cell(name) for name in pair.split("-"))),
            )
        assert (kernel.winner(info) == kernel.DRAWN) == drawn
