"""Pieces in a hand that a person leads: they lag behind, tremble more and more, and fall as they
are let go.
"""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from rules.errors import InputError
from sim.game.attempts.carrying import LIFT, MAX_SECONDS, Tremble, let_go, tremble
from sim.game.attempts.hand import SKILLS

CALM = Tremble((((0.0, 1.0, 0.0),),) * 6, 0.0, ())


def held(seconds, x=0.0, y=0.0, height=0.0):
    """A hand that stays where it is for so long."""
    return [(t, x, y, height, 0.0) for t in np.arange(0.0, seconds + 0.05, 0.1).round(3).tolist()]


def test_the_longer_a_piece_is_held_the_more_it_trembles():
    def spread(skill, seconds):
        ends = [
            let_go(tremble(np.random.default_rng(seed), SKILLS[skill]), held(seconds)).shift[0]
            for seed in range(60)
        ]
        return float(np.std(ends))

    assert spread("normal", 2.5) == pytest.approx(SKILLS["normal"].shift, rel=0.3)
    assert spread("normal", 12.0) > 2 * spread("normal", 2.5)
    assert spread("clumsy", 4.0) > 1.5 * spread("normal", 4.0)


def test_a_piece_lags_behind_a_hand_that_moves_and_is_let_go_with_its_speed():
    moving = [(t, 100 * t, 0.0, 20.0, 0.0) for t in np.arange(0.0, 1.05, 0.1).round(3).tolist()]
    end = let_go(CALM, moving)
    assert end.shift[0] < 95
    assert end.speed[0] == pytest.approx(100, abs=15)
    assert end.turn[1] > 0  # it hangs back
    still = let_go(CALM, [*moving, *((t, 100.0, 0.0, 20.0, 0.0) for t in (2.0, 3.0, 4.0))])
    assert still.shift[0] == pytest.approx(100, abs=0.5)
    assert still.speed[0] == pytest.approx(0, abs=5)


def test_a_sinking_piece_is_let_go_with_its_speed_and_a_resting_one_with_none():
    sinking = [(t, 0.0, 0.0, 40 - 38 * t, 3.0) for t in (0.0, 0.25, 0.5, 0.75)]
    end = let_go(CALM, sinking)
    assert end.shift[2] == pytest.approx(11.5)
    assert end.speed[2] == pytest.approx(-38)
    assert end.turn[2] == 3.0
    assert let_go(CALM, [*sinking, (1.3, 0.0, 0.0, 0.0, 3.0)]).speed[2] == 0.0


def test_help_draws_a_piece_to_its_place():
    helped = Tremble(CALM.waves, 6.0, ())
    near, far = (let_go(helped, held(2.0, x)).shift[0] for x in (3.0, 60.0))
    assert near == pytest.approx(1.0, abs=0.05)
    assert far == pytest.approx(60 * 60 / 66, abs=0.5)


def test_the_page_is_told_everything_that_moves_a_piece():
    drawn = tremble(np.random.default_rng(3), SKILLS["clumsy"], discs=2)
    told = json.loads(json.dumps(drawn.to_json()))
    assert len(told["waves"]) == 6
    assert len(told["crooked"]) == 2
    assert told["seconds"] == MAX_SECONDS
    assert drawn == tremble(np.random.default_rng(3), SKILLS["clumsy"], discs=2)


@pytest.mark.parametrize(
    "trace",
    [
        [],
        "12345",
        [[0, 0, 0, 0]],
        [[0, 0, 0, math.nan, 0]],
        [[0, "0", 0, 0, 0]],
        [[0, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0.5, 0, 0, 0, 0]],
        [[5, 0, 0, 0, 0]],
        [[0, 0, 0, 0, 0], [MAX_SECONDS + 2, 0, 0, 0, 0]],
        [[0, 400, 0, 0, 0]],
        [[0, 0, 0, -1, 0]],
        [[0, 0, 0, 3 * LIFT, 0]],
        [[0, 0, 0, 0, 0]] * 5000,
    ],
)
def test_a_trace_that_no_hand_leaves_is_refused(trace):
    with pytest.raises(InputError):
        let_go(CALM, trace)
