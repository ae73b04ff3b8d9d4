"""Nonsense in, a named error out: never an infinity in a verdict, never a run without end."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from sim.bodies import Body, Box, Cylinder, Pose
from sim.physics import engines
from sim.physics.engine import HandPath, NotSettledError, PhysicsError, Run, SettleParams
from sim.physics.world import World
from sim.pieces import Components

BOX = Components.named("estimate-2018")
DISC = BOX.body("A-P1.1", "disc", Pose((0.0, 0.0, 5.0)))


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (DISC.at(Pose((math.inf, 0.0, 5.0))), r"A-P1.1: at \(inf, 0, 5\) it is out of the room"),
        (DISC.at(Pose((0.0, math.nan, 5.0))), "out of the room"),
        (DISC.at(Pose((0.0, 0.0, 1e9))), "out of the room"),
        (
            DISC.at(Pose((0.0, 0.0, 5.0), (0.0, 0.0, 0.0, 0.0))),
            r"its orientation \(0, 0, 0, 0\) is none",
        ),
        (replace(DISC, shape=Cylinder(0.0, 10.0)), "a size of 0 mm cannot be simulated"),
        (replace(DISC, shape=Box((10.0, 1e-9, 10.0))), "a size of 1e-09 mm"),
        (replace(DISC, mass=1e-300), "1e-300 g cannot be simulated"),
        (replace(DISC, mass=math.nan), "nan g cannot be simulated"),
        (replace(DISC, mass=-1.0), "-1 g cannot be simulated"),
        (replace(DISC, friction=math.inf), "friction inf cannot be simulated"),
        (replace(DISC, friction=-0.1), "friction -0.1 cannot be simulated"),
    ],
)
@pytest.mark.parametrize("engine", engines.available())
def test_a_body_that_no_engine_should_be_given_is_refused_by_name(
    engine: str, bad: Body, told: str
) -> None:
    world = World([], engine)
    world.place(bad)
    with pytest.raises(PhysicsError, match=told):
        world.settle()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (HandPath(((0.0, 0.0, 100.0), (1e308, 0.0, 100.0))), "leads out of the room"),
        (HandPath(((0.0, 0.0, 100.0), (1e5, 0.0, 100.0)), speed=1e-6), "would take 1e[+]11 s"),
        (HandPath(()), "at least one point"),
        (HandPath(((0.0, 0.0, 100.0),), speed=math.inf), "a speed above 0"),
        (HandPath(((0.0, 0.0, 100.0),), speed=math.nan), "a speed above 0"),
    ],
)
def test_a_hand_that_gets_nowhere_is_refused(path: HandPath, told: str) -> None:
    with pytest.raises(PhysicsError, match=told):
        World([DISC]).sweep(path)


class Thrower:
    """An engine that leaves a piece wherever it is told."""

    name, version, params = "thrower", "1", "0" * 16

    def __init__(self, pose: Pose) -> None:
        self._pose = pose

    def run(
        self,
        bodies: Any,
        free: Any,
        settle: SettleParams,
        path: Any = None,
        watch: Any = None,
        speeds: Any = None,
    ) -> Run:
        return Run(dict.fromkeys(free, self._pose), (), 6.0, True, ())


@pytest.mark.parametrize(
    "pose",
    [Pose((0.0, 0.0, 1e6)), Pose((math.inf, 0.0, 5.0)), Pose((0.0, 0.0, 5.0), (math.nan,) * 4)],
)
def test_what_an_engine_throws_out_of_the_room_is_no_verdict(pose: Pose) -> None:
    world = World([], Thrower(pose))
    world.place(DISC)
    with pytest.raises(NotSettledError, match=r"A-P1\.1"):
        world.settle()
