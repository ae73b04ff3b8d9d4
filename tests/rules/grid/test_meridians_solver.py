"""The solved board of size 3: the published facts, the slow engine on late positions, and a player
that never errs.
"""

from __future__ import annotations

import numpy as np
import pytest

import rules
from rules.errors import InputError
from rules.grid.search.meridians_solver import Solver, solution
from tests.meridians_oracle import Oracle


def within(oracle: Oracle, plies: int) -> int:
    """n if the side to move can win within n plies, -n if it loses within n, 0 if neither is so
    within `plies`.
    """
    if plies == 0:
        return 0
    values = []
    for move in oracle.legal():
        following = oracle.copy()
        following.play(move)
        if following.winner:
            values.append(1 if following.winner == oracle.colour else -1)
        else:
            value = -within(following, plies - 1)
            values.append(value + (value > 0) - (value < 0))
    won = [value for value in values if value > 0]
    return min(won) if won else 0 if 0 in values else min(values)


@pytest.mark.slow
def test_size_3_has_411948_positions_past_the_opening_and_games_of_41_plies() -> None:
    assert (solution().states, solution().longest) == (411_948, 41)


def test_light_wins_size_3_from_12_of_the_14_first_points() -> None:
    start = rules.game("meridians", size=3).start()
    values = Solver().moves(start)
    assert len(values) == 14
    assert [str(move) for move, value in values.items() if value < 0] == ["c1", "c4"]
    assert Solver().value(start) > 0
    assert values[Solver().best(start)] == Solver().value(start)


def test_whoever_chooses_after_the_pie_wins() -> None:
    start = rules.game("meridians", size=3, pie=True).start()
    assert all(value < 0 for value in Solver().moves(start).values())
    choice = start.after(Solver().best(start))
    assert Solver().value(choice) > 0


def test_short_wins_and_losses_are_those_that_the_slow_engine_finds() -> None:
    rng, seen = np.random.default_rng(3), set()
    for _ in range(15):
        state, oracle = rules.game("meridians", size=3).start(), Oracle(3)
        while state.outcome() is None:
            value = Solver().value(state)
            if len(state.legal_moves()) <= 7:
                assert within(oracle, 3) == (value if abs(value) <= 3 else 0)
                seen.add(value)
            move = state.legal_moves()[int(rng.integers(len(state.legal_moves())))]
            state = state.after(move)
            oracle.play(str(move))
    assert {2, -1, -3} <= seen


def test_a_position_is_worth_what_its_best_move_is() -> None:
    """Everywhere, and no game goes on for ever: so all values follow from the ends of the games."""
    rng = np.random.default_rng(4)
    for _ in range(10):
        state = rules.game("meridians", size=3).start()
        while state.outcome() is None:
            following = [state.after(move) for move in state.legal_moves()]
            open_ = [-Solver().value(after) for after in following if after.outcome() is None]
            values = [value + (1 if value > 0 else -1) for value in open_]
            values += [
                1 if after.outcome().winners == (state.to_move,) else -1
                for after in following
                if after.outcome()
            ]
            won = [value for value in values if value > 0]
            assert Solver().value(state) == (min(won) if won else min(values))
            state = following[int(rng.integers(len(following)))]


@pytest.mark.parametrize("pie", [False, True])
def test_the_solver_beats_a_random_player_from_every_seat_that_can_win(pie: bool) -> None:
    rng = np.random.default_rng(2)
    solver, winner = Solver(), 1 if pie else 0
    for _ in range(10):
        state = rules.game("meridians", size=3, pie=pie).start()
        while state.outcome() is None:
            moves = state.legal_moves()
            if state.to_move == winner:
                before = solver.value(state)
                assert before > 0
                state = state.after(solver.choose(state, rng))
            else:
                state = state.after(moves[int(rng.integers(len(moves)))])
        assert state.outcome().winners == (winner,)


def test_other_boards_and_games_that_are_over_are_refused() -> None:
    with pytest.raises(InputError, match="only size 3 is solved, not size 4"):
        Solver().best(rules.game("meridians", size=4).start())
    start = rules.game("meridians", size=3).start()
    with pytest.raises(InputError, match="the game is over"):
        Solver().value(start.after(start.parse("resign")))
