"""The compiled rules of Meridians against the slow engine, against themselves, and their random
games.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rules
from rules.grid.boards import HexBoard
from rules.grid.kernels import games, meridians as kernel
from rules.grid.kernels.primitives import stream
from rules.grid.meridians import MeridiansPosition
from tests.meridians_oracle import Oracle

PERFT = json.loads(
    (Path(__file__).parents[2] / "data" / "perft" / "meridians.json").read_text(encoding="utf-8")
)
GAMES = int(os.environ.get("SHUTOKO_ORACLE_GAMES", "60"))
"""How many random games are compared with the slow engine; 2000 take a minute of CPU time."""


class Board:
    """A position on the kernels' arrays, with all that playing on needs."""

    def __init__(self, size: int, pie: bool = False) -> None:
        self.tables = kernel.tables(HexBoard.of(size))
        self.board, self.info, self.work = kernel.blank(self.tables, pie)
        self.out = np.zeros(kernel.most_legal(self.tables, pie), np.int64)

    @property
    def position(self) -> tuple[Any, ...]:
        return self.tables, self.board, self.info

    def legal(self) -> list[int]:
        return self.out[: kernel.legal(*self.position, self.out)].tolist()

    def play(self, action: int) -> int:
        return kernel.play(*self.position, self.work, action)

    def random(self, seed: int, plies: int = 10_000) -> int:
        return games.rollout(*self.position, self.work, stream(seed), plies)


@pytest.mark.parametrize(
    "table", PERFT, ids=[f"{one['options']} {len(one['moves'].split())}" for one in PERFT]
)
def test_perft_gives_the_numbers_that_two_engines_agreed_on(table: dict[str, Any]) -> None:
    state = rules.game("meridians", **table["options"]).start()
    for move in table["moves"].split():
        state = state.after(state.parse(move))
    assert [state.perft(depth) for depth in range(len(table["counts"]))] == table["counts"]


def test_the_smallest_board_has_182_openings_and_452_ways_of_three_plies() -> None:
    state = rules.game("meridians", size=3).start()
    assert [state.perft(depth) for depth in range(4)] == [1, 14, 182, 452]


@pytest.mark.parametrize("part", range(4))
def test_random_games_agree_with_the_slow_engine_ply_by_ply(part: int) -> None:
    """Legal moves, the board with what was removed, whose turn it is and who wins."""
    rng = np.random.default_rng([20, part])
    for _ in range(GAMES // 4):
        size = int(rng.choice([3, 4, 5, 6, 7], p=[0.4, 0.3, 0.15, 0.1, 0.05]))
        pie = bool(size < 6 and rng.integers(4) == 0)
        state: MeridiansPosition = rules.game("meridians", size=size, pie=pie).start()
        oracle = Oracle(size, pie)
        while True:
            moves = [str(move) for move in state.legal_moves()]
            assert moves == oracle.legal()
            assert state.board_text() == oracle.text()
            outcome = state.outcome()
            if outcome is not None:
                assert outcome.winners == (oracle.seats[oracle.winner],)
                break
            assert oracle.winner == 0
            assert state.to_move == oracle.seat
            move = moves[int(rng.integers(len(moves)))]
            state = state.after(state.parse(move))
            oracle.play(move)


@pytest.mark.parametrize(
    "size", [3, 4, *(pytest.param(size, marks=pytest.mark.slow) for size in (7, 12))]
)
def test_incremental_notes_agree_with_the_stones(size: int) -> None:
    """Lines, groups with their sizes, empty points, counts and the key, all found anew."""
    at = Board(size)
    n, chance = at.tables.points, stream(size)
    for _ in range(80):
        if games.rollout(*at.position, at.work, chance, 1):
            kernel.reset(*at.position)
        cells, info = at.board[kernel.CELLS], at.info
        stones = [np.flatnonzero(cells[:n] == side + 1) for side in range(2)]
        assert [info[kernel.STONES], info[kernel.STONES + 1]] == [len(each) for each in stones]
        empty = at.board[kernel.EMPTY, : info[kernel.EMPTIES]]
        assert sorted(empty.tolist()) == np.flatnonzero(cells[:n] == 0).tolist()
        assert [at.board[kernel.PLACE, p] for p in empty] == list(range(len(empty)))
        words = np.zeros((at.tables.lines, 2), np.int64)
        key = np.int64(at.tables.keys[0, n] if info[kernel.SIDE] else 0)
        for side in range(2):
            for p in stones[side]:
                key ^= at.tables.keys[side, p]
                for axis in range(3):
                    words[at.tables.line[p, axis], side] |= 1 << int(at.tables.offset[p, axis])
                near = [q for q in at.tables.neighbours[p] if cells[q] == side + 1]
                assert {at.board[kernel.LEADER, q] for q in (*near, p)} == {
                    at.board[kernel.LEADER, p]
                }
        assert info[kernel.LINES :].tolist() == words.ravel().tolist()
        assert info[kernel.KEY] == key
        for p in np.concatenate(stones):
            if at.board[kernel.LEADER, p] == p:
                members, q = [int(p)], at.board[kernel.NEXT, p]
                while q != p:
                    members.append(int(q))
                    q = at.board[kernel.NEXT, q]
                assert len(members) == len(set(members)) == at.board[kernel.SIZE, p]
                assert {at.board[kernel.LEADER, q] for q in members} == {p}


@pytest.mark.parametrize("pie", [False, True])
def test_any_number_may_be_asked_about_and_the_listed_ones_are_legal(pie: bool) -> None:
    at = Board(3, pie)
    chance, n = stream(5), at.tables.points
    while True:
        listed = at.legal()
        assert listed == sorted(set(listed))
        assert [a for a in range(-3, n * n + n + 9) if kernel.is_legal(*at.position, a)] == listed
        if games.rollout(*at.position, at.work, chance, 1):
            break


def assert_equal_chances(at: Board, draws: int = 4000) -> None:
    """By the chi-square of the first action of many rollouts."""
    counts = dict.fromkeys(at.legal(), 0)
    chance = stream(9)
    board, info = at.board.copy(), at.info.copy()
    for _ in range(draws):
        at.board[:], at.info[:] = board, info
        games.rollout(*at.position, at.work, chance, 1)
        counts[int(at.info[kernel.LAST])] += 1
    expected, freedom = draws / len(counts), len(counts) - 1
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < freedom + 4 * np.sqrt(2 * freedom), (
        "the mean of chi-square and four standard deviations"
    )


@pytest.mark.parametrize("plies", [0, 3, 30])
def test_every_legal_point_has_the_same_chance_in_a_rollout(plies: int) -> None:
    at = Board(5)
    assert at.random(1, plies) == 0
    assert_equal_chances(at)


def test_chances_are_equal_too_where_hardly_an_empty_point_is_legal() -> None:
    """Throwing away what does not fit then gives way to listing what does."""
    at, chance = Board(6), stream(2)
    while not 2 <= len(at.legal()) <= at.info[kernel.EMPTIES] // 12:
        if games.rollout(*at.position, at.work, chance, 1):
            kernel.reset(*at.position)
    assert_equal_chances(at)


def test_random_pies_have_the_same_chance() -> None:
    seen: dict[str, int] = {}
    at, chance = Board(3, pie=True), stream(1)
    for _ in range(18_200):
        kernel.reset(*at.position)
        games.rollout(*at.position, at.work, chance, 2)
        text = f"{at.board[kernel.CELLS, :-1].tolist()} {at.info[kernel.SWAPPED]}"
        seen[text] = seen.get(text, 0) + 1
    assert len(seen) == 14 * 13 * 2
    chi_square = sum((count - 50) ** 2 / 50 for count in seen.values())
    assert chi_square < 363 + 4 * np.sqrt(2 * 363)


def test_rollouts_repeat_from_the_seed_and_leave_the_position_alone() -> None:
    at = Board(5)
    before = at.board.copy(), at.info.copy()
    counts = games.rollouts(*at.position, at.work, 300, 4)
    assert counts == games.rollouts(*at.position, at.work, 300, 4)
    assert counts != games.rollouts(*at.position, at.work, 300, 5)
    assert sum(counts[:3]) == 300
    assert counts[0] == 0
    assert counts[4] <= counts[3] < 300 * counts[4]
    assert (at.board == before[0]).all()
    assert (at.info == before[1]).all()


def test_a_capped_rollout_stops_there() -> None:
    at = Board(5)
    assert games.rollouts(*at.position, at.work, 10, 1, 7) == (10, 0, 0, 70, 7, 0, 7, 0)


def test_positions_reached_in_another_order_have_one_key() -> None:
    names = HexBoard.of(4).index
    keys = []
    for moves in (
        "d1 d4 d3 d6 a1 a3 f1",
        "d1 d4 d3 d6 f1 a3 a1",
        "d1 d4 d3 d6 f1 a3",
        "d1 d4 d3 d6 f1 a3 a2",
    ):
        at = Board(4)
        for name in moves.split():
            assert at.play(names[name]) == 0
        keys.append(int(at.info[kernel.KEY]))
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3, "another side to move and another stone are another key"
