"""Whether an answer to a problem is right, by the referee's verdict on geometry alone or by trying
every move; and why not, in a sentence.

A pillar can stand anywhere, so "all" places are a fine sample: 240 bearings and 5 distances around
every base point, for every height.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rules import defaults
from rules.errors import IllegalMoveError, NotationError, why
from sim.bots.proposals import Proposals, Sampling, propose
from sim.game.ply import play, refusal
from sim.languages import Sentence
from sim.problems.shelf import Problem
from sim.referee.obstacles import as_seat
from sim.referee.placement import Exit, Placement
from sim.referee.table import Table


def every(table: Table) -> Proposals:
    """The legal places of the seat to move, finely sampled: what counts as all of them."""
    return propose(table, Sampling(240, 5))


def threat(table: Table, seat: int) -> Placement | None:
    """A placement with which a seat, if it were to move, would place its last car; None if there is
    none.
    """
    asked = as_seat(table, seat)
    found = every(asked)
    rows = np.flatnonzero(found.cars >= table.stocks[seat].cars)
    return found.placement(int(rows[len(rows) // 2])) if len(rows) else None


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
        table = defaults.table(made, state)
        if table is not None:
            return _on_table(problem, table, answer)
        return _on_board(problem, made, state, answer)
    except (IllegalMoveError, NotationError) as error:
        return Judgement(False, Sentence("problem-illegal", {"why": why(error)}))


def _on_table(problem: Problem, table: Table, answer: Placement) -> Judgement:
    """By the referee; raises IllegalPlacementError for an answer that it refuses."""
    verdict, after = play(table, answer, "none")
    if not verdict.legal:
        raise refusal(table, answer, verdict)
    goal, seat, outcome = problem.goal, table.to_move, after.outcome()
    if goal in ("exit", "save") and not isinstance(answer, Exit):
        return Judgement(False, Sentence("problem-wrong-no-exit"))
    if goal == "cars":
        right = verdict.earned >= problem.count
        values = {"n": verdict.earned, "most": problem.count}
        return Judgement(right, Sentence(f"problem-{'right' if right else 'wrong'}-cars", values))
    if goal in ("deny", "save"):
        if outcome is not None and seat not in outcome.winners:
            return Judgement(False, Sentence("problem-wrong-lost"))
        reply = None if outcome is not None else threat(after, after.to_move)
        if reply is None:
            return Judgement(True, Sentence("problem-right-deny"))
        return Judgement(False, Sentence("problem-wrong-deny"), str(reply))
    right = outcome is not None and outcome.winners == (seat,)
    values = {"n": verdict.earned, "left": table.stocks[seat].cars}
    return Judgement(right, Sentence(f"problem-{'right-now' if right else 'wrong-left'}", values))


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
