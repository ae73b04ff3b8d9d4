"""The best moves of a position, looked for longer each time."""

from __future__ import annotations

import pytest

import rules
from rules.errors import InputError
from rules.moments import looks


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
def test_a_look_that_is_no_longer_than_the_one_before_is_not_made(seconds: float, each: list[float]) -> None:
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
        (1.0, "mcts:simulations=200", "the player mcts:simulations=200 is to think for a time: leave out simulations"),
        (1.0, "best:level=easy", "leave out level"),
    ],
)
def test_a_player_that_cannot_be_asked_and_a_time_that_is_none_are_refused(seconds: float, spec: str | None, says: str) -> None:
    made = rules.game("thruway", size=5)
    with pytest.raises(InputError, match=says):
        next(looks(made, made.start(), seconds, spec=spec))
