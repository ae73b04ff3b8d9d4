"""Named situations, each a fault that was found once: what has to come of them, in every engine and whatever else is free."""

from __future__ import annotations

import pytest

from rules.errors import InputError
from sim.physics import engines
from sim.physics.situations import NAMES, Situation, situation
from sim.physics.world import Settled
from sim.poses import shift_between

ENGINES = engines.available()


def moved(what: Situation, settled: Settled, piece: str) -> float:
    """How far a piece went, in mm."""
    return shift_between(next(body.pose for body in (*what.standing, *what.new) if body.id == piece), settled.poses[piece])


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_car_too_steep_for_its_friction_slides_off_whatever_is_free(engine: str, everything: bool) -> None:
    what = situation("car-held-past-its-friction")
    assert moved(what, what.world(engine).settle(everything=everything), "A-C6") > 20


@pytest.mark.parametrize("engine", ENGINES)
def test_a_car_on_free_slabs_slides_where_it_would_on_a_slope_that_is_held(engine: str) -> None:
    what = situation("car-on-free-slabs")
    assert moved(what, what.world(engine).settle(), "A-C0") > 20


def test_a_situation_that_there_is_none_of_names_those_that_there_are() -> None:
    with pytest.raises(InputError, match=f"there is no situation 'flood'; there are: {NAMES[0]}"):
        situation("flood")
