from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from rules import record
from rules.errors import InputError
from sim.assets import asset
from sim.game import replay
from sim.photo.camera import Camera
from sim.photo.marks import Marks
from sim.photo.reading import Reading, read_photo
from sim.referee.table import Table
from tests.tables import crowded
from tools.staging import a_camera, marked, true_tips


@cache
def known(name: str = "two-cars") -> tuple[Table, Mapping[str, int]]:
    """The final table of a shipped game, and the cars that roads earned by crossings."""
    cars: dict[str, int] = {}
    table = None
    for step in replay.trusted(record.read(asset("records", f"{name}.jsonl"))):
        table = step.after
        if step.verdict.built:
            cars.setdefault(
                table.roads[-1].id, sum(crossing.scores for crossing in step.verdict.crossings)
            )
    assert table is not None
    return table, cars


def taken(seed: int = 3, off: float = 3.0, name: str = "two-cars", **how: object) -> Marks:
    rng, (table, _) = np.random.default_rng(seed), known(name)
    return marked(table, a_camera(table, rng, tilt=50.0), rng, off, **how)  # type: ignore[arg-type]  # options of `marked`


@cache
def clean() -> Reading:
    return read_photo(taken())


def plan_error(reading: Reading, table: Table) -> float:
    roads = {road.id: n for n, road in enumerate(table.roads)}
    true = true_tips(table)[[roads[road.id] for road in reading.marks.roads]].reshape(-1, 3)[:, :2]
    got = reading.solution.tips.reshape(-1, 3)[:, :2]
    a, b = got - got.mean(axis=0), true - true.mean(axis=0)
    turn = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    return float(np.sqrt(((a @ spin - b) ** 2).sum(axis=1).mean()))


def test_a_photo_with_taps_of_3_pixels_gives_the_table_to_2_mm_and_every_car() -> None:
    table, cars = known()
    reading = clean()
    assert plan_error(reading, table) < 2.0
    assert {road.id: road.cars for road in reading.roads} == {
        road.id: cars[road.id] for road in table.roads
    }
    assert reading.is_clear


def test_the_first_pillar_is_the_origin_and_the_first_road_runs_along_x() -> None:
    answer = clean().to_json()
    assert answer["pillars"][0]["at"] == [0.0, 0.0]
    start, end = answer["roads"][0]["start"], answer["roads"][0]["end"]
    assert end[0] > start[0]
    assert abs(end[1] - start[1]) < 0.02


def test_the_same_marks_give_the_same_answer_to_the_last_bit() -> None:
    assert read_photo(taken()).to_json() == clean().to_json()


@pytest.mark.slow
def test_a_photo_lying_on_its_side_gives_the_same_table() -> None:
    marks = taken()
    width, height = marks.image.width, marks.image.height
    roads = tuple(
        replace(road, ends=tuple((height - y, x) for x, y in road.ends)) for road in marks.roads
    )
    turned = replace(marks, image=replace(marks.image, width=height, height=width), roads=roads)
    assert plan_error(read_photo(turned), known()[0]) < 2.0


@pytest.mark.slow
def test_a_wrong_disc_count_is_named_with_the_count_that_fits() -> None:
    marks = taken()
    pillars = tuple(
        replace(one, discs=one.discs + 1) if one.id == "A-P4" else one for one in marks.pillars
    )
    reading = read_photo(replace(marks, pillars=pillars))
    assert (
        "fit 3 discs, not 4"
        in {suspect.id: str(suspect.why) for suspect in reading.suspects}["A-P4"]
    )
    assert not reading.is_clear


@pytest.mark.slow
def test_two_ends_that_are_swapped_are_named() -> None:
    marks = taken()
    roads = tuple(
        replace(road, ends=road.ends[::-1]) if road.id == "B-R5" else road for road in marks.roads
    )
    reading = read_photo(replace(marks, roads=roads))
    assert "swapped" in {suspect.id: str(suspect.why) for suspect in reading.suspects}["B-R5"]


@pytest.mark.slow
def test_a_tap_far_off_is_named_and_leaves_the_others_as_they_are() -> None:
    marks, (_, cars) = taken(), known()
    off = marks.roads[6].ends[0]
    along = np.subtract(marks.roads[6].ends[1], off)
    away = off + 60 * along / np.linalg.norm(along)
    roads = tuple(
        replace(road, ends=((*away,), road.ends[1])) if n == 6 else road
        for n, road in enumerate(marks.roads)
    )
    reading = read_photo(replace(marks, roads=roads))
    name = marks.roads[6].id
    assert "tap it again" in {suspect.id: str(suspect.why) for suspect in reading.suspects}[name]
    assert all(
        road.cars == cars[road.id] or road.doubtful for road in reading.roads if road.id != name
    )


@pytest.mark.parametrize("roads", [1, 3])
def test_too_few_roads_are_refused_with_what_to_add(roads: int) -> None:
    few = [road.id for road in known()[0].roads[:roads]]
    with pytest.raises(InputError, match="sheet of paper"):
        read_photo(taken(roads=few))


def test_a_sheet_makes_up_for_missing_roads() -> None:
    table = known()[0]
    few = [road.id for road in table.roads[:4]]
    assert plan_error(read_photo(taken(roads=few, sheet=True)), table) < 3.0


def test_a_photo_along_the_table_is_refused() -> None:
    table, rng = known()[0], np.random.default_rng(5)
    marks = marked(table, a_camera(table, rng, tilt=6.0), rng, 1.0)
    with pytest.raises(InputError, match="take the photo from higher up"):
        read_photo(marks)


def suspects_of(reading: Reading) -> list[tuple[str, str]]:
    return [(suspect.id, str(suspect.why)) for suspect in reading.suspects]


def photographed(table: Table) -> Marks:
    rng = np.random.default_rng(3)
    return marked(table, a_camera(table, rng, tilt=50.0), rng, 1.0)


def test_two_pillars_inside_each_other_are_named_once_with_how_deep() -> None:
    reading = read_photo(photographed(crowded(apart=14.0)))
    ((name, why),) = suspects_of(reading)
    assert name == "A-P1"
    assert (found := re.match(r"it lies (\d+\.\d) mm inside B-P1, ", why))
    assert float(found[1]) == pytest.approx(6.0, abs=1.5)
    assert not reading.is_clear


def test_pieces_that_graze_each_other_as_errors_of_taps_have_it_are_not_suspect() -> None:
    assert read_photo(photographed(crowded(apart=19.0))).is_clear


def test_a_building_inside_a_pillar_is_named_by_its_place_among_the_marks() -> None:
    from sim.photo.marks import MarkedBuilding

    marks = photographed(crowded(apart=60.0))
    corners = np.array([(-20.0, -10.0, 0.0), (40.0, -10.0, 0.0), (40.0, 15.0, 0.0)])
    a, b, c = map(tuple, read_photo(marks).camera.project(corners).tolist())
    reading = read_photo(replace(marks, buildings=(MarkedBuilding("slab", (a, b, c)),)))
    told = dict(suspects_of(reading))
    assert "mm inside buildings[0], " in told["A-P0"]


def test_the_record_begins_with_the_table_and_knows_how_far_its_numbers_may_be_off() -> None:
    table, reading = known()[0], clean()
    begun = replay.begin(record.loads(record.dumps(reading.record)))
    assert [road.kind for road in begun.roads] == [road.kind for road in table.roads]
    assert [pillar.discs for pillar in begun.pillars] == [pillar.discs for pillar in table.pillars]
    assert [stock.roads for stock in begun.stocks] == [stock.roads for stock in table.stocks]
    assert 3.0 <= begun.tolerance <= 20.0


@pytest.mark.slow
def test_marked_cars_stand_on_their_roads_in_the_record() -> None:
    table = known()[0]
    reading = read_photo(taken(cars=True))
    begun = replay.begin(reading.record)
    assert sorted(car.road for car in begun.cars) == sorted(car.road for car in table.cars)
    assert [stock.cars for stock in begun.stocks] == [stock.cars for stock in table.stocks]


@pytest.mark.slow
def test_a_box_on_the_table_is_found_by_three_corners_of_its_base() -> None:
    rng, table = np.random.default_rng(2), known()[0]
    camera = a_camera(table, rng, tilt=50.0)
    marks = marked(table, camera, rng, 1.0)
    from sim.photo.marks import MarkedBuilding

    reading = read_photo(marks)
    corners = np.array([(0.0, 0.0, 0.0), (60.0, 0.0, 0.0), (60.0, 25.0, 0.0)])
    a, b, c = map(tuple, reading.camera.project(corners).tolist())
    assert isinstance(reading.camera, Camera)
    built = replace(reading.marks, buildings=(MarkedBuilding("slab", (a, b, c)),))
    start = read_photo(built).record.header.start
    assert start is not None
    (building,) = start["buildings"]
    assert building["at"] == pytest.approx([30.0, 12.5], abs=0.5)
    assert building["turn"] % 180 == pytest.approx(0.0, abs=1.0) or building[
        "turn"
    ] == pytest.approx(180.0, abs=1.0)
