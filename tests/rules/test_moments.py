"""The moments that decided a game: where most of a chance was lost, with the move that would have kept it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from rules.errors import InputError
from rules.game import Outcome, Reason
from rules.moments import has_reviewer, moments, reviewer
from rules.record import Entry
from rules.record.replay import Step


@dataclass(frozen=True)
class Line:
    """A game whose position is the number of its plies; seats take turns, and it ends after nine."""

    ply: int = 0

    @property
    def to_move(self) -> int:
        return self.ply % 2

    def outcome(self) -> Outcome | None:
        return Outcome((0,), Reason.CONNECTED, ((0,), (1,))) if self.ply == 9 else None


@dataclass(frozen=True)
class Advised:
    move: str
    chance: float | None


FIRST = (0.5, 0.5, 0.95, 0.9, 0.6, 0.6, 0.2, 0.25, 1.0)
"""The chance of seat 0 before each ply, if the best move is made."""


class Judge:
    """Knows the chances of the line, and that the best move is always `good`."""

    name = "judge"

    def analyse(self, state: Line, rng: np.random.Generator, most: int) -> list[Advised]:
        chance = FIRST[state.ply]
        return [Advised("good", chance if state.to_move == 0 else 1 - chance)]


def played(moves: str = "bbbbbbbbb") -> list[Any]:
    """The line with a good (g) or bad (b) move at each ply."""
    names = {"g": "good", "b": "bad"}
    return [
        Step(Entry(ply, ply % 2, names[how]), names[how], Line(ply), Line(ply + 1), None, ("a", "b"))  # type: ignore[arg-type]
        for ply, how in enumerate(moves)
    ]


def test_the_plies_that_lost_most_are_named_in_the_order_of_play_with_the_better_move():
    found = moments(Judge(), played(), 0)
    assert [(one.ply, one.by, one.kind) for one in found] == [(1, 1, "turned"), (7, 1, "turned")]
    assert [one.better for one in found] == ["good", "good"]
    assert (round(found[0].had, 2), round(found[0].kept, 2)) == (0.5, 0.05)
    assert (round(found[1].had, 2), found[1].kept) == (0.75, 0.0)


def test_no_moment_is_named_where_the_best_move_was_made_and_no_more_than_asked_for():
    assert [one.ply for one in moments(Judge(), played("bgbbbbbbb"), 0)] == [7]
    assert [one.ply for one in moments(Judge(), played(), 0, most=1)] == [7]


def test_progress_is_told_after_each_position():
    told = list[int]()
    moments(Judge(), played(), 0, on_ply=told.append)
    assert told == list(range(1, 10))


def test_a_player_without_chances_or_advice_is_no_judge():
    class Mute:
        name = "mute"

    class Vague(Judge):
        def analyse(self, state: Line, rng: np.random.Generator, most: int) -> list[Advised]:
            return [Advised("good", None)]

    with pytest.raises(InputError, match="gives no advice"):
        moments(Mute(), played(), 0)
    with pytest.raises(InputError, match="knows no chances"):
        moments(Vague(), played(), 0)


def test_an_adviser_with_a_standing_of_its_own_is_asked_for_every_seat():
    class Three(Judge):
        def standing(self, state: Line, rng: np.random.Generator, move: str | None) -> list[float]:
            return [0.9 if move == "good" else 0.8 if state.ply == 2 else 0.3, 0.05, 0.05]

    found = moments(Three(), played(), 0)
    assert [(one.ply, one.had, one.kept) for one in found] == [(2, 0.9, 0.3)]


def test_games_with_a_planner_or_a_best_player_have_a_judge():
    assert has_reviewer(("greedy", "best"))
    assert has_reviewer(("planner",))
    assert not has_reviewer(("random",))

    class Unknown:
        name = "unknown"

        def start(self) -> object:
            return object()

    with pytest.raises(InputError, match="judges positions"):
        reviewer(Unknown())  # type: ignore[arg-type]
