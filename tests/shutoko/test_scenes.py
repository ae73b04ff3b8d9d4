"""Scenes of errors of physics are kept beside the record, in number limited, and the message says
where.
"""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from unittest.mock import Mock

import pytest

from rules.errors import InputError
from shutoko.scenes import MAX_SCENES, kept_scene, told_with_scene
from sim.assets import asset
from sim.bodies import Pose
from sim.physics import world
from sim.physics.engine import NotSettledError, PhysicsError
from sim.physics.unsettled import load
from sim.physics.world import World
from sim.pieces import Components

DISC = Components.named("estimate-2018").body("A-P1.1", "disc", Pose((0.0, 0.0, 5.0)))


def asked(x, y=math.nan):
    made = World([])
    made.place(DISC.at(Pose((x, y, 5.0))))
    with pytest.raises(PhysicsError) as caught:
        made.settle()
    return caught.value


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_record_that_throws_a_piece_out_has_its_scene_kept_and_the_next_is_worked_on(
    command, run, monkeypatch
):
    thrown_out = Mock(side_effect=NotSettledError("A-P1.1: it is out of the room"))
    monkeypatch.setattr(world, "check_poses", thrown_out)
    for name in ("one", "two"):
        shutil.copy(asset("records", "two-cars.jsonl"), f"{name}.jsonl")
    told = run(f"{command} one.jsonl two.jsonl", code=2).err.splitlines()
    for name, line in zip(("one", "two"), told, strict=True):
        (kept,) = Path().glob(f"{name}-*.scene.json")
        assert line == (
            f"shutoko: {name}.jsonl:2: ply 0: A-P1.1: it is out of the room; what physics was "
            f"asked is kept in {kept}: please send that with a report"
        )
        assert {body.id for body in load(kept).bodies} == {"A-P0.1"}  # the disc is let go first


def test_the_same_scene_is_kept_once_and_there_are_never_too_many(tmp_path):
    record = tmp_path / "game[1].jsonl"
    first = told_with_scene(asked(0.0), record)
    assert told_with_scene(asked(0.0), record) == first
    assert len(list(tmp_path.iterdir())) == 1
    for n in range(1, MAX_SCENES):
        assert "is kept in" in kept_scene(asked(float(n)), record)
    assert "the scene is not kept: there are 20 already" in kept_scene(asked(99.0), record)
    assert told_with_scene(asked(0.0), record) == first, "one that is there is still named"
    assert len(list(tmp_path.iterdir())) == MAX_SCENES


def test_an_error_without_a_scene_and_a_folder_that_takes_none_change_only_the_words(tmp_path):
    assert told_with_scene(InputError("no physics"), tmp_path / "g.jsonl") == "no physics"
    (tmp_path / "file").touch()
    assert "(the scene cannot be kept in " in kept_scene(asked(0.0), tmp_path / "file" / "g.jsonl")
