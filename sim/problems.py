"""Problems: positions in which one kind of answer is right, found by search and proved
(tools/problems.py). Whether an answer is right, the referee's verdict on geometry alone says, or
trying every move.

Problems are lines of JSON, the first of which tells how they were made. Those of the shipped games
are files in assets/problems. A package brings those of its game by an entry point in the group
`shutoko.problems`, named after the game, whose object is such a text.

A pillar can stand anywhere, so "all" places are a fine sample: 240 bearings and 5 distances around
every base point, for every height.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal

import numpy as np

from rules import defaults
from rules.errors import IllegalMoveError, InputError, NotationError, UnavailableError, why
from rules.game import Game, State, game
from rules.record import canonical_json
from sim.assets import asset, names
from sim.bots.proposals import Proposals, Sampling, propose
from sim.game import play, refusal
from sim.languages import Sentence
from sim.referee import Exit, Placement, Table, as_seat

Goal = Literal["win", "last", "exit", "cars", "deny", "save"]
"""What is asked for: a win within `count` moves; to place the last `count` cars; the same by an
exit; at least `count` cars in this turn; to keep the opponent from winning with the next turn; the
same by an exit.
"""

GROUP = "shutoko.problems"
"""The entry point group in which problems of other packages' games are found."""

LEVELS = (1, 2, 3)
"""Easy, medium, hard."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A position with what is asked for.

    `moves` lead to the position from the start of the game with its `options`. `answers` are the
    moves that are right: all of them on a board; on a table, where places lie close together, one
    or more that differ. `line` is a game on a board from the first answer to its end. `places` is
    how many legal moves there are (on a table, how many were looked at), `right` how many of them
    are right. `missed` is the share of weaker players that get it wrong, and `level` (1 to 3)
    follows from it.
    """

    id: str
    game: str
    options: Mapping[str, Any] = field(hash=False)
    moves: tuple[str, ...]
    goal: Goal
    count: int
    answers: tuple[str, ...]
    line: tuple[str, ...]
    places: int
    right: int
    missed: float
    level: int

    def begin(self) -> tuple[Game[Any], State[Any], State[Any]]:
        """The game, the position before the last move, and the position of the problem."""
        made = game(self.game, **self.options)
        before = state = made.start()
        for move in self.moves:
            before, state = state, state.after(move)
        return made, before, state

    def to_json(self) -> str:
        """A line of a file of problems."""
        plain = {
            "id": self.id,
            "options": dict(self.options),
            "moves": [_plain(move) for move in self.moves],
            "goal": self.goal,
            "count": self.count,
            "answers": [_plain(move) for move in self.answers],
            "line": [_plain(move) for move in self.line],
            "places": self.places,
            "right": self.right,
            "missed": round(self.missed, 2),
            "level": self.level,
        }
        return json.dumps(plain, separators=(",", ":"), ensure_ascii=False)


def read(path: Path) -> tuple[Problem, ...]:
    """The problems of a file. Raises InputError for a file that is none."""
    try:
        return parsed(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: no file of problems: {error}") from error


def parsed(text: str) -> tuple[Problem, ...]:
    """The problems of a text. Raises ValueError, KeyError or TypeError for one that is none."""
    head, *lines = text.splitlines()
    name = json.loads(head)["game"]
    return tuple(_problem(name, json.loads(line)) for line in lines)


@cache
def problems(name: str) -> tuple[Problem, ...]:
    """The problems of a game, easy ones first; none for a game that has none.

    Raises UnavailableError if those of another package cannot be loaded.
    """
    if name in names("problems"):
        return read(asset("problems", f"{name}.jsonl"))
    point = next((point for point in entry_points(group=GROUP) if point.name == name), None)
    if point is None:
        return ()
    try:
        return parsed(point.load())
    except Exception as error:
        raise UnavailableError(
            f"the problems of {name!r} are installed but cannot be read ({point.value}): {error}"
        ) from error


def games() -> tuple[str, ...]:
    """The games whose problems can be read, sorted."""
    brought = {point.name for point in entry_points(group=GROUP)}
    return tuple(sorted({*names("problems"), *filter(_readable, brought)}))


def _readable(name: str) -> bool:
    try:
        return bool(problems(name))
    except UnavailableError:  # a package from elsewhere may fail; the other games have theirs
        return False


def of_the_day(day: date) -> Problem:
    """The problem of a day, the same for everybody. Games take turns, and levels change from day to
    day.
    """
    turn, name = divmod(day.toordinal(), len(games()))
    some = problems(games()[name])
    step = next(step for step in range(7, 7 + len(some)) if math.gcd(step, len(some)) == 1)
    return some[turn * step % len(some)]


def _problem(name: str, given: Mapping[str, Any]) -> Problem:
    moves = {
        key: tuple(move if isinstance(move, str) else canonical_json(move) for move in given[key])
        for key in ("moves", "answers", "line")
    }
    return Problem(**{**given, **moves, "game": name})


def _plain(move: str) -> Any:
    """A move as it stands in a file: a placement as an object, any other as its text."""
    return json.loads(move) if move.startswith("{") else move


# --- whether an answer is right -------------------------------------------------------------------


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
