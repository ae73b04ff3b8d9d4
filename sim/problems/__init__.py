"""Problems: positions in which one kind of answer is right. They are found by search and proved;
see tools/problems.py.
"""

from __future__ import annotations

from sim.problems.judging import Judgement, judge
from sim.problems.shelf import Problem, games, of_the_day, problems

__all__ = ["Judgement", "Problem", "games", "judge", "of_the_day", "problems"]
