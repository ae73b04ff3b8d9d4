"""The problems of each game: lines of JSON, the first of which tells how they were made.

Those of the shipped games are files in assets/problems. A package brings those of its game by an
entry point in the group `shutoko.problems`, named after the game, whose object is such a text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal

from rules.errors import InputError, UnavailableError
from rules.game import Game, State, game
from rules.record import canonical_json
from sim.assets import asset, names

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
    step = next(step for step in range(7, 7 + len(some)) if _coprime(step, len(some)))
    return some[turn * step % len(some)]


def _coprime(one: int, other: int) -> bool:
    while other:
        one, other = other, one % other
    return one == 1


def _problem(name: str, given: Mapping[str, Any]) -> Problem:
    def moves(key: str) -> tuple[str, ...]:
        return tuple(move if isinstance(move, str) else canonical_json(move) for move in given[key])

    return Problem(
        given["id"],
        name,
        given["options"],
        moves("moves"),
        given["goal"],
        given["count"],
        moves("answers"),
        moves("line"),
        given["places"],
        given["right"],
        given["missed"],
        given["level"],
    )


def _plain(move: str) -> Any:
    """A move as it stands in a file: a placement as an object, any other as its text."""
    return json.loads(move) if move.startswith("{") else move
