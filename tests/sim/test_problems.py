"""Every shipped problem has the answers that it claims, and no others; answers are judged with a
reason.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import Any

import pytest

import rules
from rules import defaults
from rules.errors import InputError
from rules.grid.search.forced import Forced
from sim.problems import LEVELS, Problem, every, games, judge, of_the_day, problems, read, threat
from sim.referee.placement import Exit
from sim.referee.table import Table
from tools.problems import one_kind

ALL = [problem for name in games() for problem in problems(name)]
ON_TABLE = [problem for problem in ALL if problem.options.get("engine") == "none"]
ON_BOARD = [problem for problem in ALL if problem not in ON_TABLE]


@cache
def posed(problem: Problem) -> tuple[Any, Any]:
    """The game and the position of a problem; for several tests."""
    made, _, state = problem.begin()
    return made, state


def table_of(problem: Problem) -> Table:
    made, state = posed(problem)
    table: Table = defaults.table(made, state)
    return table


def test_there_are_sixty_problems_of_every_difficulty_in_three_games():
    assert len(ALL) >= 60
    assert len(games()) == 3
    assert all({one.level for one in problems(name)} == set(LEVELS) for name in games())
    assert len({one.id for one in ALL}) == len(ALL)


def test_on_boards_exactly_one_move_wins_in_time_and_none_sooner():
    for problem in ON_BOARD:
        made, state = posed(problem)
        forced, plies = Forced(made), 2 * problem.count - 1
        assert tuple(map(str, forced.wins(state, plies))) == problem.answers == problem.line[:1], (
            problem.id
        )
        assert forced.wins(state, plies - 2) == [], problem.id
        assert (len(state.legal_moves()), problem.right) == (problem.places, 1), problem.id
        end = state
        for move in problem.line:
            end = end.after(move)
        assert end.outcome().winners == (state.to_move,), problem.id
        assert len(problem.line) <= plies, problem.id


@pytest.mark.slow
def test_on_tables_the_referee_finds_as_many_right_places_as_claimed_all_of_one_kind():
    for problem in ON_TABLE:
        table = table_of(problem)
        stock, found = table.stocks[table.to_move].cars, every(table)
        if problem.goal in ("last", "exit", "cars"):
            rows = found.cars >= (problem.count if problem.goal == "cars" else stock)
            assert (int(rows.sum()), len(found)) == (problem.right, problem.places), problem.id
            right = [found.placement(int(row)) for row in rows.nonzero()[0]]
            assert one_kind(table, right), problem.id
            assert problem.goal != "exit" or all(isinstance(move, Exit) for move in right), (
                problem.id
            )
        else:
            assert threat(table, 1 - table.to_move) is not None, problem.id
            some = [str(found.placement(row)) for row in range(0, len(found), len(found) // 12)]
            assert sum(judge(problem, move).right for move in some) <= len(some) // 3, problem.id


@pytest.mark.slow
def test_on_tables_every_answer_is_right_by_the_referee():
    for problem in ON_TABLE:
        for move in problem.answers:
            found = judge(problem, move)
            assert found.right, f"{problem.id}: {found.said}"


def test_forced_wins_are_those_that_trying_every_line_finds():
    for name, options in (("meridians", {"size": 3}), ("thruway", {"size": 3, "trade": False})):
        made: Any = rules.game(name, **options)
        forced, found = Forced(made), 0
        for state in played(made, 8):
            for plies in (1, 3):
                expected = [
                    move
                    for move in state.legal_moves()
                    if wins(state.after(move), plies - 1, state.to_move)
                ]
                assert forced.wins(state, plies) == expected
                found += len(expected)
        assert found > 0, name


def played(made: Any, games: int) -> list[Any]:
    """The positions of some games, in each of which another move is made."""
    found = []
    for number in range(games):
        state = made.start()
        while state.outcome() is None:
            found.append(state)
            moves = state.legal_moves()
            state = state.after(moves[(7 * number + len(found)) % len(moves)])
    return found


def wins(state: Any, plies: int, seat: int) -> bool:
    """Whether a seat wins within so many plies, by the rules alone."""
    if (outcome := state.outcome()) is not None or plies == 0:
        return outcome is not None and outcome.winners == (seat,)
    results = (wins(state.after(move), plies - 1, seat) for move in state.legal_moves())
    return any(results) if state.to_move == seat else all(results)


def test_a_wrong_move_on_a_board_is_refuted_by_a_reply_after_which_nothing_wins_in_time():
    problem = next(one for one in ON_BOARD if one.count == 2)
    made, state = posed(problem)
    wrong = next(str(move) for move in state.legal_moves() if str(move) not in problem.answers)
    found = judge(problem, wrong)
    assert not found.right
    assert found.reply in str(found.said)
    assert Forced(made).wins(state.after(wrong).after(found.reply), 1) == []
    assert not judge(problem, "nonsense").right


@pytest.mark.parametrize("goal", ["last", "exit", "cars", "deny"])
def test_a_wrong_placement_is_told_what_it_lacks(goal):
    problem = next(
        one for one in ON_TABLE if one.goal in ({"deny", "save"} if goal == "deny" else {goal})
    )
    table = table_of(problem)
    found = every(table)
    wrong = judge(problem, str(found.placement(int(found.cars.argmin()))))
    assert not wrong.right
    expected = {
        "last": "problem-wrong-left",
        "exit": "problem-wrong-no-exit",
        "cars": "problem-wrong-cars",
        "deny": "problem-wrong-deny" if problem.goal == "deny" else "problem-wrong-no-exit",
    }
    assert wrong.said.message == expected[goal]
    if wrong.reply:
        after = posed(problem)[1].after(str(found.placement(int(found.cars.argmin()))))
        assert after.after(wrong.reply).outcome().winners == (after.to_move,)


def test_the_problem_of_the_day_is_the_same_for_all_and_comes_round_to_every_problem():
    first = date(2026, 11, 23)
    year = [
        of_the_day(first + timedelta(days=n))
        for n in range(3 * max(len(problems(name)) for name in games()))
    ]
    assert {one.id for one in year} == {one.id for one in ALL}
    assert len({one.game for one in year[:3]}) == 3


def test_a_file_that_holds_no_problems_is_refused(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text('{"game":"thruway"}\n{"id":"thruway-1"}\n')
    with pytest.raises(InputError, match="no file of problems"):
        read(path)
