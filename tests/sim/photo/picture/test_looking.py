from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from PIL import Image

from rules import record
from rules.errors import UnavailableError
from sim.assets import asset
from sim.game import replay
from sim.photo.camera import Camera
from sim.photo.marks import Marks
from sim.photo.picture import Flat, Seen, looked, seen_road
from sim.photo.reading import read_photo
from sim.photo.scene import Floats, Scene
from sim.photo.solving import solve
from sim.referee.table import Table
from tools.staging import marked, true_tips

SIZE = (1600, 1200)
CAMERA = Camera(
    600 / np.tan(np.radians(20.0)),
    np.radians(48.0),
    0.0,
    416.161,
    0.0,
    (800.0, 600.0),
    0.0,
    (5.0, -364.713),
)
"""The camera of the shipped example, as examples/photo.py has it."""


@cache
def table() -> Table:
    *_, last = replay.trusted(record.read(asset("records", "two-cars.jsonl")))
    return last.after


@cache
def pixels() -> np.ndarray:
    return np.asarray(Image.open(asset("photos", "table.jpg")).convert("RGB"))


def taps(off: float) -> Marks:
    return marked(table(), CAMERA, np.random.default_rng(8), off, size=SIZE)


def away(marks: Marks) -> Floats:
    true = CAMERA.project(true_tips(table()).reshape(-1, 3)).reshape(-1, 2, 2)
    return np.linalg.norm(np.array([road.ends for road in marks.roads]) - true, axis=-1)


@pytest.mark.slow
def test_taps_come_nearer_to_the_ends_that_the_picture_shows() -> None:
    marks = taps(2.4)  # as 6 pixels of a phone's photo
    look = looked(solve(Scene.of(marks)), pixels())
    before, after = away(marks), away(look.marks)
    assert np.median(after) < 0.7 * np.median(before)
    assert (look.moved > 0).mean() > 0.6
    assert ((after - before) > 0.8).mean() < 0.03
    assert look.astray == ()


@pytest.mark.slow
def test_a_tap_beside_an_open_end_is_named_although_the_marks_leave_it_open() -> None:
    marks = taps(1.2)
    index = next(n for n, road in enumerate(marks.roads) if road.id == "B-R0")
    first, (x, y) = marks.roads[index].ends
    here, there = np.array(first), np.array([x, y])
    across = np.array([there[1] - here[1], here[0] - there[0]]) / np.linalg.norm(there - here)
    slipped = replace(
        marks.roads[index], ends=(first, (x + 24 * float(across[0]), y + 24 * float(across[1])))
    )
    slip = replace(
        marks, roads=tuple(slipped if n == index else road for n, road in enumerate(marks.roads))
    )
    assert "B-R0" not in {suspect.id for suspect in read_photo(slip).suspects}
    reading = read_photo(slip, pixels=pixels())
    (why,) = (suspect.why.told() for suspect in reading.suspects if suspect.id == "B-R0")
    assert "the picture shows no road end where it is marked; it shows one 2" in why
    assert away(reading.marks)[index, 1] < 3.0
    assert {suspect.id for suspect in reading.suspects} == {"B-R0"}


@pytest.mark.slow
def test_a_road_of_which_both_taps_slipped_is_named_for_both() -> None:
    marks = taps(1.2)
    index = next(n for n, road in enumerate(marks.roads) if road.id == "A-R2")
    ends = tuple((x + 18.0, y + 18.0) for x, y in marks.roads[index].ends)
    roads = tuple(
        replace(road, ends=ends) if n == index else road for n, road in enumerate(marks.roads)
    )
    reading = read_photo(replace(marks, roads=roads), pixels=pixels())
    said = [suspect.why.told() for suspect in reading.suspects if suspect.id == "A-R2"]
    assert len(said) == len(set(said)) == 2


@pytest.mark.parametrize("lead", [0.5, 0.0])
def test_an_end_that_is_hidden_lies_one_length_from_the_other(
    lead: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only where the other end is seen, and nowhere else."""
    marks, index = taps(0.0), 3
    (x, y), far = marks.roads[index].ends
    along = (np.array([x, y]) - far) / np.hypot(x - far[0], y - far[1])
    tap = (float(x + 24 * along[0]), float(y + 24 * along[1]))
    slipped = replace(marks.roads[index], ends=(tap, far))
    slip = replace(marks, roads=(*marks.roads[:index], slipped, *marks.roads[index + 1 :]))
    solution, half = solve(Scene.of(marks)), marks.box.road_length / 2
    shown = Seen(np.array([[-half, 0.0], [half, 0.0]]), 0.9, 0.3, (0.4, 1.0), (lead, lead))
    blank = replace(shown, sides=0.0)
    monkeypatch.setattr("sim.photo.picture._found", lambda *at: shown if at[2] == index else blank)
    found = replace(solution, scene=Scene.of(slip))
    astray = [(one.road, one.end) for one in looked(found, pixels()).astray]
    assert astray == ([(index, 0)] if lead else [])


def test_taps_on_a_small_photo_are_off_by_fewer_pixels() -> None:
    small = Scene.of(taps(0.0))
    marks = small.marks
    phone = replace(marks, image=replace(marks.image, width=4032, height=3024))
    assert Scene.of(phone).taps_off == 3.0
    assert small.taps_off == pytest.approx(3.0 * 1600 / 4032)


def test_a_plain_ground_says_nothing() -> None:
    flat = np.zeros((561, 181))
    seen = seen_road(Flat(flat, flat, flat, (280, 90), (0.0, -1.0)), 110.0, 9.0)
    assert seen.sides <= 0.0
    assert seen.sides_lead < 0.06


def test_without_opencv_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    marks = taps(1.2)
    solution = solve(Scene.of(marks))
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(UnavailableError, match=r"\[photo\]"):
        looked(solution, pixels())
