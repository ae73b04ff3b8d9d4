"""Problems in a worker process: the position of one, and the judgement of an answer. Both take longer than a click may."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sim.problems import Judgement, games, judge, problems
from sim.problems.shelf import Problem

__all__ = ["Posed", "answered", "named", "posed"]


@dataclass(frozen=True, slots=True)
class Posed:
    """A problem's position, the position before its last move, and the one after its first answer."""

    before: Any
    state: Any
    solved: Any


def named(name: str) -> Problem | None:
    """The problem with that id, None if there is none."""
    return next((one for game in games() for one in problems(game) if one.id == name), None)


def posed(problem: Problem) -> Posed:
    """The positions of a problem."""
    _, before, state = problem.begin()
    return Posed(before, state, state.after(problem.answers[0]))


def answered(problem: Problem, move: str) -> Judgement:
    """What an answer is worth."""
    return judge(problem, move)
