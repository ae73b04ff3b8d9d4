"""Thruway on small boards, solved."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import rules
from rules.errors import InputError
from rules.grid.search import thruway_solver as solver
from rules.grid.search.thruway_solver import Verdict, solve

SOLVED = json.loads(
    (Path(__file__).parents[2] / "data" / "thruway_solved.json").read_text(encoding="utf-8")
)


def random_positions(game, seed: int, games: int):
    rng = np.random.default_rng(seed)
    for _ in range(games):
        state = game.start()
        while state.outcome() is None:
            yield state
            moves = state.legal_moves()
            swaps = [move for move in moves if "/" in str(move)]
            likely = swaps if swaps and rng.random() < 0.4 else moves
            state = state.after(likely[int(rng.integers(len(likely)))])


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [case for case in SOLVED if case["options"]["size"] == 3],
    ids=lambda case: str(case["options"]),
)
def test_boards_of_size_three_have_the_results_that_are_kept(case):
    solution = solve(rules.game("thruway", **case["options"]))
    start = solution.game.start()
    verdict = solution.verdict(start)
    assert (len(solution.keys), int((solution.values == 0).sum())) == (
        case["positions"],
        case["drawn"],
    )
    assert [verdict.winner, verdict.plies] == case["start"]
    assert {
        str(move): [one.winner, one.plies] for move, one in solution.moves(start).items()
    } == case["first"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"trade": False},
        {"trade": True},
        {"trade": False, "ko": "any"},
        {"trade": False, "reserve": 4},
    ],
)
def test_a_verdict_follows_from_those_one_move_on(options):
    """By induction over the plies, this shows that every win is one: its line is shorter by one ply
    after the best move.
    """
    solution = solve(rules.game("thruway", size=3, **options))
    for state in random_positions(solution.game, 2, 3 if solution.game.trade else 12):
        after = solution.moves(state).values()
        mine = [one.plies for one in after if one.winner == state.to_move]
        theirs = [one.plies for one in after if one.winner == 1 - state.to_move]
        if mine:
            expected = Verdict(state.to_move, 1 + min(mine))
        elif len(theirs) == len(after):
            expected = Verdict(1 - state.to_move, 1 + max(theirs))
        else:
            expected = Verdict(None, None)
        assert solution.verdict(state) == expected


@pytest.mark.slow
def test_playing_the_best_moves_ends_the_game_as_and_when_it_was_said():
    solution = solve(rules.game("thruway", size=3, trade=False))
    state = solution.game.start()
    verdict = solution.verdict(state)
    assert verdict == Verdict(1, 8)
    for _ in range(8):
        assert state.outcome() is None
        state = state.after(solution.best(state)[0])
    assert state.outcome().winners == (1,)


def test_with_two_tiles_each_nobody_can_win():
    solution = solve(rules.game("thruway", size=3, trade=False, reserve=2))
    assert solution.verdict(solution.game.start()) == Verdict(None, None)


@pytest.mark.parametrize("options", [{"size": 5}, {"size": 3, "repetition": "draw3"}])
def test_what_is_not_solved_is_refused(options):
    with pytest.raises(InputError, match="solved"):
        solve(rules.game("thruway", **options))


def test_positions_of_another_game_are_refused():
    with pytest.raises(InputError, match="does not cover"):
        solve(rules.game("thruway", size=3)).verdict(rules.game("thruway", size=4).start())


def test_a_solution_is_worked_out_once_and_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(solver, "LARGEST", 3)
    game = rules.game("thruway", size=3, ko="same")
    solved = []
    monkeypatch.setattr(solver, "solve", lambda game: solved.append(game) or solve(game))
    first = solver.kept.__wrapped__(game)
    second = solver.kept.__wrapped__(game)
    assert solved == [game]
    assert second.moves(game.start()) == first.moves(game.start())
    (path,) = (tmp_path / "shutoko").iterdir()
    left = path.with_name(f".{path.name}.0a1b2c3d.shutoko-scratch")
    left.write_bytes(b"PK")  # what a kill left
    path.write_bytes(path.read_bytes()[:100])  # a file that was cut off is not believed
    assert solver.kept.__wrapped__(game).moves(game.start()) == first.moves(game.start())
    assert len(solved) == 2
    assert not left.exists()


def test_a_solution_that_cannot_be_kept_is_still_found(tmp_path, monkeypatch):
    (tmp_path / "shutoko").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(solver, "LARGEST", 3)
    game = rules.game("thruway", size=3)
    assert solver.kept.__wrapped__(game).verdict(game.start()).plies == 8
