"""Whether an answer to a problem is right, by the referee or by trying every move; and why not, in
a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rules import defaults
from rules.errors import IllegalMoveError, NotationError, why
from sim.languages import Sentence
from sim.problems import tables
from sim.problems.shelf import Problem


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether an answer is right, the sentence about it, and the move with which the other side
    answers a wrong one.
    """

    right: bool
    said: Sentence
    reply: str = ""


def judge(problem: Problem, move: str) -> Judgement:
    """What an answer is worth; `move` is the text of a move of the problem's position."""
    made, _, state = problem.begin()
    try:
        answer = state.parse(move)
        if defaults.table(made, state) is not None:
            right, message, values, reply = tables.judged(
                defaults.table(made, state), problem.goal, problem.count, answer
            )
            return Judgement(right, Sentence(f"problem-{message}", values), reply)
        return _on_board(problem, made, state, answer)
    except (IllegalMoveError, NotationError) as error:
        return Judgement(False, Sentence("problem-illegal", {"why": why(error)}))


def _on_board(problem: Problem, made: Any, state: Any, answer: Any) -> Judgement:
    """A win within so many moves: nothing that the other side does may help it."""
    from rules.grid.search.forced import Forced

    forced, seat, plies = Forced(made), state.to_move, 2 * problem.count - 1
    after = state.after(answer)
    if forced.holds(after, plies - 1, seat):
        return Judgement(True, Sentence("problem-right-win", {"n": problem.count}))
    if (outcome := after.outcome()) is not None:
        return Judgement(
            False, Sentence("problem-wrong-lost" if outcome.winners else "problem-wrong-drawn")
        )
    if problem.count == 1:
        return Judgement(False, Sentence("problem-wrong-open"))
    reply = forced.escape(after, plies - 1, seat)
    return Judgement(
        False,
        Sentence("problem-wrong-escape", {"move": str(reply), "n": problem.count - 1}),
        str(reply),
    )
