"""The moments that decided a game: where most of a chance was lost, with the move that would have
kept it. The best moves of a position, looked for longer each time.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rules
from rules.errors import InputError
from rules.game import Outcome, Reason
from rules.moments import has_reviewer, looks, moments, reviewer
from rules.record import Entry
from rules.record.replay import Step


@dataclass(frozen=True)
class Line:
    """A game whose position is the number of its plies; seats take turns, and it ends after
    nine.
    """

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
        Step(
            Entry(ply, ply % 2, names[how]), names[how], Line(ply), Line(ply + 1), None, ("a", "b")
        )  # type: ignore[arg-type]
        for ply, how in enumerate(moves)
    ]


def test_the_plies_that_lost_most_are_named_in_the_order_of_play_with_the_better_move():
    told = list[int]()
    found = moments(Judge(), played(), 0, on_ply=told.append)
    assert told == list(range(1, 10)), "progress is told after each position"
    assert [(one.ply, one.by, one.kind) for one in found] == [(1, 1, "turned"), (7, 1, "turned")]
    assert [one.better for one in found] == ["good", "good"]
    assert (round(found[0].had, 2), round(found[0].kept, 2)) == (0.5, 0.05)
    assert (round(found[1].had, 2), found[1].kept) == (0.75, 0.0)


def test_no_moment_is_named_where_the_best_move_was_made_and_no_more_than_asked_for():
    assert [one.ply for one in moments(Judge(), played("bgbbbbbbb"), 0)] == [7]
    assert [one.ply for one in moments(Judge(), played(), 0, most=1)] == [7]


def test_a_player_without_chances_or_advice_is_no_judge():
    class Vague(Judge):
        def analyse(self, state: Line, rng: np.random.Generator, most: int) -> list[Advised]:
            return [Advised("good", None)]

    with pytest.raises(InputError, match="gives no advice"):
        moments(SimpleNamespace(name="mute"), played(), 0)
    with pytest.raises(InputError, match="knows no chances"):
        moments(Vague(), played(), 0)


def test_an_adviser_with_a_standing_of_its_own_is_asked_for_every_seat():
    class Three(Judge):
        def standing(self, state: Line, rng: np.random.Generator, move: str | None) -> list[float]:
            return [0.9 if move == "good" else 0.8 if state.ply == 2 else 0.3, 0.05, 0.05]

    found = moments(Three(), played(), 0)
    assert [(one.ply, one.had, one.kept) for one in found] == [(2, 0.9, 0.3)]


def test_the_shipped_games_name_a_quick_judge_and_a_game_without_advisers_has_none():
    assert reviewer(rules.game("meridians", size=4)).name.startswith("best")
    assert has_reviewer(rules.game("tokyo-highway"))
    unknown: Any = SimpleNamespace(name="unknown", start=object)
    assert not has_reviewer(unknown)
    with pytest.raises(InputError, match="judges positions"):
        reviewer(unknown)


@pytest.mark.slow
def test_each_look_takes_twice_as_long_and_the_last_what_is_left() -> None:
    made = rules.game("thruway", size=7, trade=False)
    found = list(looks(made, made.start(), 1.2, most=2, spec="mcts:clock=cpu"))
    assert [look.seconds for look in found] == pytest.approx([0.25, 0.95])
    for look in found:
        assert len(look.lines) == 2
        for line in look.lines:
            state = made.start().after(line.advice.move)
            for move in line.then:
                state = state.after(move)
            assert len(line.then) == 3
    assert found[1].lines[0].advice.weight > found[0].lines[0].advice.weight


@pytest.mark.parametrize(("seconds", "each"), [(0.05, [0.05]), (0.5, [0.5]), (0.8, [0.25, 0.55])])
def test_a_look_that_is_no_longer_than_the_one_before_is_not_made(
    seconds: float, each: list[float]
) -> None:
    made = rules.game("thruway", size=5, trade=False)
    found = looks(made, made.start(), seconds, most=1, spec="mcts:clock=cpu")
    assert [look.seconds for look in found] == pytest.approx(each)


def test_what_is_proven_ends_the_search() -> None:
    made = rules.game("meridians", size=3)
    (look,) = looks(made, made.start(), 60.0, most=1)
    assert look.proven
    assert look.lines[0].advice.chance == 1.0


def test_lines_of_pieces_in_space_stop_at_the_move_itself() -> None:
    made = rules.game("tokyo-highway", engine="none")
    table = made.start()
    (look,) = looks(made, table, 0.2, most=2)
    assert look.lines[0].then == ()
    assert table.after(look.lines[0].advice.move).to_move == 1


@pytest.mark.parametrize(
    ("seconds", "spec", "says"),
    [
        (0.0, None, "seconds must be above 0"),
        (float("nan"), None, "seconds must be above 0"),
        (1.0, "greedy", "has no option 'seconds'"),
        (1.0, "random", "no option"),
        (1.0, "nobody", "nobody"),
        (
            1.0,
            "mcts:simulations=200",
            "the player mcts:simulations=200 is to think for a time: leave out simulations",
        ),
        (1.0, "best:level=easy", "leave out level"),
    ],
)
def test_a_player_that_cannot_be_asked_and_a_time_that_is_none_are_refused(
    seconds: float, spec: str | None, says: str
) -> None:
    made = rules.game("thruway", size=5)
    with pytest.raises(InputError, match=says):
        next(looks(made, made.start(), seconds, spec=spec))
