"""The compiled rules of the grid games against slow second statements of them and against
themselves; the odds of random games.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rules
from rules.grid.kernels import games, meridians_games, thruway, thruway_games
from rules.grid.kernels.dispatch import stream
from tests.boards import played, random_game
from tests.meridians_oracle import Oracle as MeridiansOracle
from tests.thruway_oracle import Oracle as ThruwayOracle

GAMES = int(os.environ.get("SHUTOKO_ORACLE_GAMES", "60"))
"""How many games are compared ply by ply; `SHUTOKO_ORACLE_GAMES=2000 pytest tests/rules/grid -k
slow_engine` compares more.
"""
DATA = Path(__file__).parents[2] / "data" / "perft"
PERFT = [
    (name, case["options"], case["moves"], counts if name == "meridians" else [1, *counts])
    for name in ("meridians", "thruway")
    for case in json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    for counts in [case["counts"]]
] + [
    ("meridians", {"size": 3}, "", [1, 14, 182, 452]),
    ("meridians", {"size": 4}, "d1 d4 d3 d6 d2", [1, 0, 0]),
    ("thruway", {"size": 3, "trade": False}, "a1-a2 b2-b3 b1-c1 c2-c3", [1, 0, 0]),
]


@pytest.mark.parametrize(
    ("name", "options", "moves", "counts"),
    PERFT,
    ids=[f"{name} {options} {len(moves.split())}" for name, options, moves, _ in PERFT],
)
def test_perft_gives_the_numbers_that_two_engines_agreed_on(
    name: str, options: dict[str, Any], moves: str, counts: list[int]
) -> None:
    state = played(name, moves, **options)
    assert [state.perft(depth) for depth in range(len(counts))] == counts


PICKS = {"meridians": meridians_games.pick, "thruway": thruway_games.pick}


def arrays(state: Any) -> tuple[Any, ...]:
    """What the kernels of a game take for a position: copies that may be written into."""
    return state.game.tables, *state.arrays(), state.game.kernel.scratch(state.game.tables)


def listed(state: Any) -> list[int]:
    """The legal actions."""
    tables, board, info, _ = arrays(state)
    out = np.zeros(state.game.kernel.most_legal(tables), np.int64)
    return out[: state.game.kernel.legal(tables, board, info, out)].tolist()


@pytest.mark.parametrize("name", ["meridians", "thruway"])
def test_rollouts_repeat_from_the_seed_leave_the_position_alone_and_stop_at_the_cap(
    name: str,
) -> None:
    tables, board, info, work = arrays(played(name, size=5))
    before = board.copy(), info.copy()

    def counts(seed: int, most: int = 10_000) -> Any:
        return games.rollouts(tables, board, info, work, 100, seed, most)

    assert counts(4) == counts(4) != counts(5)
    assert counts(4).first + counts(4).second == 100
    assert (board == before[0]).all()
    assert (info == before[1]).all()
    capped = counts(1, 4)
    assert (capped.unfinished, capped.plies, capped.longest, capped.shortest) == (100, 400, 4, 4)


SMALL: dict[str, Any] = {"size": 4, "trade": False}
EQUAL: list[tuple[str, dict[str, Any], str]] = [
    *(
        ("meridians", {"size": 5}, " ".join(random_game("meridians", 1, plies, size=5)))
        for plies in (0, 3, 30)
    ),
    # hardly an empty point is legal: what fits is listed
    ("meridians", {"size": 6}, " ".join(random_game("meridians", 6, 74, size=6))),
    ("meridians", {"size": 3, "pie": True}, ""),
    ("meridians", {"size": 3, "pie": True}, "c1,c3"),
    ("thruway", {"size": 3}, ""),
    ("thruway", {"size": 3}, "a1-a2"),  # with the trade
    ("thruway", SMALL, "c3-d3 b2-c2 b3-b4 a1-a2 c2-d2 c3-c4"),  # with a dispute
    ("thruway", SMALL, "c3-d3 b2-c2 b3-b4 a1-a2 c2-d2 c3-c4 b3/c3"),  # with a barred swap
    # with disputes side by side
    ("thruway", SMALL, "c1-c2 b1-b2 a3-b3 d1-d2 a1-a2 a4-b4 c3-c4 c3-d3"),
    # with nothing but a pass
    ("thruway", {"size": 3, "trade": False}, "c2-c3 a2-a3 a1-b1 b2-b3"),
]


@pytest.mark.parametrize(("name", "options", "moves"), EQUAL)
def test_every_legal_action_is_equally_likely(
    name: str, options: dict[str, Any], moves: str
) -> None:
    state = played(name, moves, **options)
    (*position, work), found, chance = arrays(state), listed(state), stream(7)
    assert found == sorted(found)
    if name == "thruway":
        thruway_games.prepare(position[0], work)
    drawn = Counter(PICKS[name](*position, work, chance) for _ in range(100 * len(found)))
    assert drawn.keys() == set(found)
    from scipy.stats import chisquare  # loaded by this test alone: it takes a second

    assert len(found) == 1 or chisquare([drawn[action] for action in found]).pvalue > 1e-3


AGREE: list[tuple[str, dict[str, Any]]] = [
    *(("meridians", {"size": size}) for size in (3, 4, 5, 6)),
    ("meridians", {"size": 3, "pie": True}),
    ("meridians", {"size": 5, "pie": True}),
    ("thruway", {"size": 3}),
    ("thruway", {"size": 4, "ko": "same"}),
    ("thruway", {"size": 4, "ko": "any", "trade": False}),
    ("thruway", {"size": 4, "ko": "none", "repetition": "draw3", "trade": False}),
    ("thruway", {"size": 4, "reserve": 7, "trade": False}),
    ("thruway", {"size": 5, "trade": False}),
    ("thruway", {"size": 5, "ko": "any", "repetition": "draw3", "reserve": 12}),
    ("thruway", {"size": 6}),
]


@pytest.mark.parametrize(("name", "options"), AGREE, ids=str)
def test_random_games_agree_with_the_slow_engine_ply_by_ply(
    name: str, options: dict[str, Any]
) -> None:
    """Legal moves, the board with what was removed, whose turn it is, who wins and why."""
    rng = np.random.default_rng([20, AGREE.index((name, options))])
    slow: Any = MeridiansOracle if name == "meridians" else ThruwayOracle
    for _ in range(-(-GAMES // 12)):
        state, oracle = played(name, **options), slow(**options)
        while True:
            moves, outcome = [str(move) for move in state.legal_moves()], state.outcome()
            assert (moves, state.board_text()) == (oracle.moves(), oracle.board_text())
            assert (outcome and (outcome.winners, outcome.reason)) == oracle.end()
            if outcome is not None:
                break
            assert (state.to_move, state.side) == oracle.turn
            swaps = [text for text in moves if "/" in text]
            likely = swaps if swaps and rng.random() < 0.4 else moves  # else swaps are rare
            text = likely[int(rng.integers(len(likely)))]
            state, oracle = state.after(text), oracle.after(text)


# --- Thruway --------------------------------------------------------------------------------------


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
    state, ends, chance = played("thruway", moves, **options), [], stream(8)
    for _ in range(60):
        tables, board, info, work = arrays(state)
        thruway_games.prepare(tables, work)
        while not info[thruway.WON]:
            action = thruway_games.pick(tables, board, info, work, chance)
            thruway.play(tables, board, info, work, action)
        plies, won = int(info[thruway.PLIES]) - len(moves.split()), int(info[thruway.WON])
        ends.append((won, plies, won == info[thruway.SIDE] + 1))
    counts = games.rollouts(*arrays(state), 60, 8)
    won, plies, turned = zip(*ends, strict=True)
    assert (counts.first, counts.second, counts.drawn) == tuple(
        won.count(which) for which in (1, 2, thruway.DRAWN)
    )
    assert (counts.plies, counts.longest, counts.shortest) == (sum(plies), max(plies), min(plies))
    assert counts.reversed == sum(turned)
    assert (counts.drawn > 0, counts.reversed > 0) == (
        (True, False) if "reserve" in options else (False, True)
    )


def test_playing_leaves_the_list_of_edges_alone_from_which_is_drawn():
    tables, rng = rules.game("thruway", size=4).tables, np.random.default_rng(1)
    board, info, work = thruway.blank(tables)
    thruway_games.prepare(tables, work)
    listed = work[: 1 + len(tables.edges)].copy()
    out = np.zeros(thruway.most_legal(tables), np.int64)
    while info[thruway.WON] == 0:
        action = int(rng.choice(out[: thruway.legal(tables, board, info, out)]))
        thruway.play(tables, board, info, work, action)
        assert (work[: len(listed)] == listed).all()


def test_keys_tell_side_and_barred_turns_apart_and_nothing_else():
    figures = "c3-d3 b2-c2 b3-b4 a1-a2 c2-d2 c3-c4"

    def key(moves: str, **options: Any) -> int:
        state = played("thruway", moves, size=4, trade=False, **options)
        return thruway.key(state.game.tables, state.arrays()[1])

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
        board, info, work = thruway.blank(tables)
        while info[thruway.WON] == 0:
            free = info.copy()
            free[thruway.BARRED] = 0
            out = np.zeros(thruway.most_legal(tables), np.int64)
            both = [
                [a for a in out[: thruway.legal(tables, board, one, out)] if a < len(tables.edges)]
                for one in (info, free)
            ]
            kept = info[thruway.BARRED + 1 :][: info[thruway.BARRED]].tolist()
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
                else both[0] or [len(tables.edges) + thruway.PASS]
            )
            thruway.play(tables, board, info, work, int(rng.choice(likely)))
    assert (barred > 0) == (ko != "none")


def test_a_game_too_long_for_its_room_forgets_the_oldest_position():
    made = rules.game("thruway", size=4, trade=False, ko="none", repetition="draw3")
    tables, square, edges = made.tables, made.board, made.board.edges.tolist()
    # there and back takes two plies: the third occurrence is the fifth key
    for room, drawn in (
        (5, True),
        (3, False),
    ):
        board, info, work = thruway.blank(tables, room)
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
            thruway.play(
                tables,
                board,
                info,
                work,
                edges.index(sorted(square.cell(name) for name in pair.split("-"))),
            )
        assert (info[thruway.WON] == thruway.DRAWN) == drawn
