"""A photo's roads found on a table that was noted by hand, whatever their names and order."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rules import record
from rules.errors import InputError
from sim.assets import asset
from sim.game import replay
from sim.photo.marks import Marks
from sim.photo.matching import found_on
from sim.referee.table import Table
from tools.staging import a_camera, marked


def a_table(game: str, roads: int) -> Table:
    steps = replay.trusted(record.read(asset("records", f"{game}.jsonl")))
    return next(step.after for step in steps if len(step.after.roads) >= roads)


def noted(table: Table, rng: np.random.Generator, degrees: float, mm: float) -> Table:
    """The table as people note it: each pillar measured from the one before, with errors."""
    at = {}
    for pillar in table.pillars:
        road = next((road for road in table.roads if road.target == pillar.id), None)
        at[pillar.id] = pillar.at
        if road is not None:
            (x, y), (u, v) = table.pillar_by_id[road.base].at, pillar.at
            away = math.dist((x, y), (u, v)) + rng.normal(0, mm)
            turn = math.atan2(v - y, u - x) + math.radians(rng.normal(0, degrees))
            (x, y) = at[road.base]
            at[pillar.id] = (x + away * math.cos(turn), y + away * math.sin(turn))
    roads = [
        road if road.target is None else replace(road, start=at[road.base], end=at[road.target])
        for road in table.roads
    ]
    pillars = tuple(replace(pillar, at=at[pillar.id]) for pillar in table.pillars)
    return replace(table, pillars=pillars, roads=tuple(roads), poses={}, lies={})


def renamed(marks: Marks, rng: np.random.Generator) -> tuple[Marks, dict[str, str]]:
    """The marks with roads in another order, under other names, half of them from their other end;
    and which is which.
    """
    roads, names = [], {}
    for n, at in enumerate(rng.permutation(len(marks.roads)).tolist()):
        road = marks.roads[at]
        names[f"{road.id[0]}-R{50 + n}"] = road.id
        road = replace(road, id=f"{road.id[0]}-R{50 + n}")
        if n % 2:
            road = replace(road, base=road.target, target=road.base, ends=road.ends[::-1])
        roads.append(road)
    return replace(marks, roads=tuple(roads)), names


@pytest.mark.parametrize(("game", "degrees"), [("two-cars", 8), ("four-players", 4)])
def test_roads_are_found_by_how_they_leave_pillars_and_places_are_put_right(game, degrees):
    table, rng = a_table(game, 16), np.random.default_rng(4)
    shown = [road.id for road in table.roads if road.id not in ("A-R2", "B-R3")]
    marks, names = renamed(marked(table, a_camera(table, rng), rng, roads=shown), rng)
    diary = noted(table, np.random.default_rng(8), degrees, 4)
    found = found_on(diary, marks)
    assert found.match.unseen == ("A-R2", "B-R3")
    assert found.match.extra == ()
    places = {marks.roads[n].id: road for road, (n, _) in found.match.roads.items()}
    assert places == names
    for n, flip in found.match.roads.values():
        assert flip == bool(n % 2)

    def off(at: dict[str, tuple[float, float]]) -> float:
        here = np.array([at[one] for one in sorted(found.pillars)])
        there = np.array([table.pillar_by_id[one].at for one in sorted(found.pillars)])
        a, b = here - here.mean(axis=0), there - there.mean(axis=0)
        turn = np.angle(np.vdot(a @ [1, 1j], b @ [1, 1j]))
        laid = (a @ [1, 1j]) * np.exp(1j * turn)
        return float(np.sqrt((np.abs(laid - b @ [1, 1j]) ** 2).mean()))

    before = off({pillar.id: pillar.at for pillar in diary.pillars})
    after = off(dict(found.pillars))
    assert before > 6.0
    assert after < 4.0


@pytest.mark.slow
def test_a_road_that_the_game_does_not_have_is_named_and_left_out():
    table, rng = a_table("two-cars", 12), np.random.default_rng(1)
    marks = marked(table, a_camera(table, rng), rng)
    steps = replay.trusted(record.read(asset("records", "two-cars.jsonl")))
    earlier = next(step.after for step in steps if len(step.after.roads) == 11)
    found = found_on(earlier, marks)
    assert found.match.extra == (table.roads[-1].id,)
    assert not found.match.unseen


def test_another_number_of_discs_is_named_and_the_game_believed():
    table, rng = a_table("two-cars", 12), np.random.default_rng(1)
    marks = marked(table, a_camera(table, rng), rng)
    wrong = marks.pillars[4]
    pillars = [replace(one, discs=one.discs + 1) if one == wrong else one for one in marks.pillars]
    found = found_on(table, replace(marks, pillars=tuple(pillars)))
    assert found.miscounted == ((wrong.id, wrong.discs, wrong.discs + 1),)
    assert math.dist(found.pillars[wrong.id], table.pillar_by_id[wrong.id].at) < 8.0


@pytest.mark.slow
def test_the_photo_of_another_table_is_refused():
    one, other = a_table("two-cars", 12), a_table("junction-exit", 14)
    rng = np.random.default_rng(1)
    marks = marked(other, a_camera(other, rng), rng)
    pillars = tuple(replace(pillar, discs=9 - pillar.discs) for pillar in one.pillars)
    roads = tuple(
        replace(road, levels=(9 - road.levels[0], 9 - road.levels[1])) for road in one.roads
    )
    with pytest.raises(InputError, match="roads in the photo fit the table of this game"):
        found_on(replace(one, pillars=pillars, roads=roads), marks)
