"""The scene of an error of physics: it leaves with the error, and asks the same again when it is
loaded.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from rules.errors import InputError, RecordError
from sim.bodies import Pose
from sim.physics import engines, world
from sim.physics.engine import HandPath, NotSettledError, PhysicsError, SettleParams
from sim.physics.unsettled import Unsettled, dumps, load, loads, scene_of
from sim.physics.world import World
from sim.pieces import Components
from tools.scenes import scene

DISC = Components.named("estimate-2018").body("A-P1.1", "disc", Pose((0.0, 0.0, 5.0)))


def asked(new: Pose, engine: str | None = None) -> PhysicsError:
    """The error of a disc let go at a pose beside a pillar."""
    others = [body for body in scene("eight-stack").bodies if body.id != DISC.id]
    made = World(others, engine, SettleParams(time_limit=3.0))
    made.place(DISC.at(new), landing=[DISC.at(Pose((0.0, 0.0, 15.0)))])
    with pytest.raises(PhysicsError) as caught:
        made.settle()
    return caught.value


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 1e300])
@pytest.mark.parametrize("engine", engines.available())
def test_a_scene_that_is_written_and_read_again_gives_the_same_error(
    engine: str, number: float
) -> None:
    error = asked(Pose((0.0, number, 50.0)), engine)
    there = scene_of(error)
    text = dumps(there)
    assert "NaN" not in text, "strict JSON"
    json.loads(text, parse_constant=pytest.fail)
    again = loads(text)
    assert (again.engine["name"], again.params.time_limit, again.new, again.why) == (
        engine,
        3.0,
        (DISC.id,),
        str(error),
    )
    assert again.landing == {DISC.id: Pose((0.0, 0.0, 15.0))}
    with pytest.raises(PhysicsError) as caught:
        World.of(again).settle()
    assert str(caught.value) == str(error)
    assert dumps(again) == text or math.isnan(number)


@pytest.mark.slow
def test_a_scene_that_was_read_settles_as_the_world_that_it_came_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bodies = scene("eight-stack").bodies

    def made() -> World:
        fresh = World(bodies[:-1])
        fresh.place(
            bodies[-1].at(Pose((0.5, 0.0, bodies[-1].pose.at[2] + 2.0))), landing=[bodies[-1]]
        )
        fresh.sweep(HandPath(((60.0, 0.0, 20.0), (0.0, 0.0, 20.0)), 200.0))
        return fresh

    def thrown_out(_: object) -> None:
        raise NotSettledError("A-P1.1: out of the room")

    with monkeypatch.context() as patch:
        patch.setattr(world, "check_poses", thrown_out)
        with pytest.raises(NotSettledError) as caught:
            made().settle()
    there = scene_of(caught.value)
    assert World.of(loads(dumps(there))).settle().poses == made().settle().poses


def test_the_scene_of_a_hand_without_an_end_is_there_too() -> None:
    made, path = World([DISC]), HandPath(((0.0, 0.0, 100.0), (1e5, 0.0, 100.0)), speed=1e-6)
    with pytest.raises(PhysicsError) as caught:
        made.sweep(path)
    there = scene_of(caught.value)
    with pytest.raises(PhysicsError, match=r"would take 1e[+]11 s"):
        World.of(loads(dumps(there)))


def test_the_scene_is_found_behind_the_error_of_a_record_and_elsewhere_there_is_none() -> None:
    outer = RecordError("a pose")
    outer.__cause__ = asked(Pose((math.nan, 0.0, 0.0)))
    assert isinstance(scene_of(outer), Unsettled)
    assert scene_of(InputError("no physics")) is None
    assert scene_of(PhysicsError("never asked")) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"scene": "shutoko"}',
        '{"scene": "shutoko", "version": 1}',
        "[" * 9999,
        '{"scene":"shutoko","version":2}',
    ],
)
def test_what_is_no_scene_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="scene"):
        loads(text)
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / "none.json")
