"""Bullet against every textbook check: what statics says holds does hold, and gives way within the
limit beyond.

MuJoCo is held to the thresholds themselves in tests/sim/physics/test_mujoco.py; those of both are
in docs/physics.md.
"""

from __future__ import annotations

import pytest

from sim.physics import engines
from tools.textbook import Check, checks, gives_way

pytest.importorskip("pybullet")


@pytest.mark.parametrize("check", checks(), ids=lambda check: check.name)
def test_it_holds_short_of_where_statics_says_and_gives_way_beyond(check: Check) -> None:
    for side in (-1, 1):
        bodies, watched = check.build(check.statics + side * check.beyond * check.limit)
        assert gives_way(engines.engine("bullet"), bodies, watched) is (side == 1)
