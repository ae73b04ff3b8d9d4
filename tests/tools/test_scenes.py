"""The named scenes: sizes from the components file, legal starting poses, and an engine that agrees
on which of them stand.
"""

from __future__ import annotations

from collections import Counter

import pytest

from rules.errors import InputError
from sim.bodies import shift_between, tilt_between, turn_between
from sim.physics.engine import SettleParams
from sim.physics.neighbours import neighbours
from sim.physics.world import World
from tools.scenes import NAMES, scene

TABLES = ("four-player-table", "stress-table")


@pytest.mark.parametrize("name", [name for name in NAMES if name not in TABLES])
def test_a_scene_stands_exactly_if_it_says_so(name: str) -> None:
    given = scene(name)
    settled = World(given.bodies, None, SettleParams(time_limit=2.0)).settle()
    fell = [
        body.id
        for body in given.bodies
        if shift_between(body.pose, settled.poses[body.id]) > 3
        or tilt_between(body.pose, settled.poses[body.id]) > 5
    ]
    assert bool(fell) is not given.stands, fell


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_a_full_table_stands_where_it_was_laid(name: str) -> None:
    bodies = scene(name).bodies
    settled = World(bodies).settle()
    assert settled.quiet
    assert max(shift_between(body.pose, settled.poses[body.id]) for body in bodies) < 0.3
    assert max(turn_between(body.pose, settled.poses[body.id]) for body in bodies) < 0.5


@pytest.mark.parametrize(
    ("name", "cars", "discs"), [("four-player-table", 28, 88), ("stress-table", 40, 90)]
)
def test_a_full_table_has_the_pieces_of_a_finished_game(name: str, cars: int, discs: int) -> None:
    bodies = scene(name).bodies
    assert Counter(body.kind for body in bodies) == {
        "road": 36,
        "disc": discs,
        "car": cars,
        "building": 4,
    }
    assert {body.owner for body in bodies if body.kind == "road"} == {0, 1, 2, 3}
    assert all(f"{seat}-R0" in {body.id for body in bodies} for seat in "ABCD")


@pytest.mark.parametrize("name", TABLES)
def test_on_a_full_table_nothing_touches_but_what_bears_it(name: str) -> None:
    bodies = scene(name).bodies
    near = neighbours(bodies, 0.5)
    sideways = [
        (one, other)
        for one, others in near.touching.items()
        for other in others
        if other not in near.below[one] and other not in near.above[one]
    ]
    assert sideways == []


def test_there_are_at_least_25_scenes_and_an_unknown_one_is_refused_by_name() -> None:
    assert len(NAMES) >= 25
    with pytest.raises(InputError, match=r"'nowhere'.*eight-stack"):
        scene("nowhere")
