"""`shutoko record` and a photo of the table: all places corrected, the argument settled."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import rules.record as records
from sim.game import replay
from sim.game.verify import verify
from tests.shutoko.cli.test_record import AFTER, BEFORE, SETTING
from tools.staging import a_camera, marked, to_json

pytestmark = pytest.mark.slow


def by_eye(line: str) -> str:
    """An answer as somebody gives it without a ruler: half centimetres, and a clock of ten
    minutes.
    """

    def clock(found: re.Match[str]) -> str:
        minutes = round((int(found[1]) * 60 + int(found[2])) / 10) * 10
        return f"{(minutes // 60 - 1) % 12 + 1}:{minutes % 60:02d}"

    line = re.sub(r"(\d+):(\d\d)", clock, line)
    return re.sub(r"(\d+\.\d) cm", lambda found: f"{round(float(found[1]) * 2) / 2:g} cm", line)


@pytest.fixture
def marks(note):
    """A game of 15 plies noted by eye in g.jsonl, and the marks of a photo of the table as it
    really was, with a road that the photo does not show if `without` names one.
    """
    note([*SETTING, *BEFORE, *AFTER], file="true.jsonl")
    told = [by_eye(line) for line in BEFORE + AFTER]
    note([*SETTING[:2], "10", *SETTING[3:], *told])
    *_, last = replay.trusted(records.read("true.jsonl"))

    def made(*without: str) -> str:
        rng = np.random.default_rng(3)
        seen = [road.id for road in last.after.roads if road.id not in without]
        camera = a_camera(last.after, rng)
        given = to_json(marked(last.after, camera, rng, roads=seen))
        Path("marks.json").write_text(json.dumps(given))
        return "photo marks.json"

    return made


def away() -> float:
    """How far pillars are from where they really stood, root mean square in mm, with the two tables
    laid on each other.
    """
    (*_, one), (*_, other) = (
        replay.trusted(records.read(file)) for file in ("g.jsonl", "true.jsonl")
    )
    here = np.array([complex(*pillar.at) for pillar in one.after.pillars])
    there = np.array([complex(*pillar.at) for pillar in other.after.pillars])
    here, there = here - here.mean(), there - there.mean()
    turn = np.exp(1j * np.angle(np.vdot(here, there)))
    return float(np.sqrt((np.abs(here * turn - there) ** 2).mean()))


def test_one_photo_after_the_game_settles_the_argument_of_ply_13(note, marks):
    before, noted = away(), Path("g.jsonl").read_bytes()
    told = note([marks(), "", "why 13"])
    assert "The photo shows 15 of 15 roads" in told
    why = "3 cars are put down, but even with errors of measuring at most 2 can be earned"
    assert f"Ply 13, Ben: against the rules ({why})" in told
    assert "not 1 to 4 cars, too close to tell; 3 cars were put down" in told
    assert "Ben earns 2 cars and places 3" in told
    assert away() < 3.0 < before
    record = records.read("g.jsonl")
    assert record.header.tolerance < 10
    report = verify(record, "rules")
    assert not report.mismatches
    assert [claim.ply for claim in report.claims] == [13], "three cars are what Ben claimed"
    # what people did is what it was
    for now, was in zip(record.entries, records.read("true.jsonl").entries, strict=True):
        assert (now.by, now.note) == (was.by, was.note)
    *_, last = replay.trusted(record)
    *_, true = replay.trusted(records.read("true.jsonl"))
    assert last.after.stocks == true.after.stocks
    # the program may have ended since: the correction is taken back all the same
    told = note(["undo"])
    assert "The places are again those that were noted." in told
    assert Path("g.jsonl").read_bytes() == noted


def test_a_road_that_the_photo_does_not_show_keeps_its_place(note, marks):
    was = records.read("g.jsonl").entries
    told = note([marks("A-R7"), ""])
    assert "A-R7: not on the photo, so the noted place stays" in told
    assert "Places still count as good to 10 mm: the photo does not show A-P7" in told
    now = records.read("g.jsonl").entries
    assert now[-1].do == was[-1].do
    assert now[-2].do != was[-2].do


def test_no_leaves_everything_and_so_does_an_input_that_ends_there(note, marks):
    noted = Path("g.jsonl").read_bytes()
    told = note([marks(), "perhaps", "no"])
    assert "perhaps? Press Enter, or type no" in told
    assert "All stays as it was." in told
    assert Path("g.jsonl").read_bytes() == noted
    note([marks()])
    assert Path("g.jsonl").read_bytes() == noted


def test_a_corrected_game_goes_on_and_is_taken_back_ply_by_ply(note, marks):
    noted = Path("g.jsonl").read_bytes()
    note([marks(), "", "pass", "accept", ""])
    assert len(records.read("g.jsonl").entries) == 16
    # a second photo corrects what the first one corrected
    told = note([marks("A-R7"), ""])
    assert "No verdict changes." in told
    told = note(["undo", "undo", "undo"])
    assert told.count("The places are again those that were noted.") == 2
    assert "Ply 15 is taken back." in told
    assert Path("g.jsonl").read_bytes() == noted


def test_a_photo_before_and_after_a_pillar_moved_leave_no_place_as_noted(note, marks):
    told = note([marks(), "no"])
    assert "B-P4 stood elsewhere from ply 9 to ply 10, which no photo shows" in told
    for _ in range(5):
        note(["undo"])
    true = records.read("true.jsonl")
    *_, then = replay.trusted(replace(true, entries=true.entries[:10]))
    rng = np.random.default_rng(5)
    first = to_json(marked(then.after, a_camera(then.after, rng), rng))
    Path("first.json").write_text(json.dumps(first))
    note(["photo first.json", "", *(by_eye(line) for line in AFTER)])
    told = note([marks(), ""])
    assert "stood elsewhere" not in told
    assert not verify(records.read("g.jsonl"), "rules").mismatches


def test_a_game_that_is_over_is_corrected_and_stays_over(note, marks):
    note(["resign", ""])
    assert records.read("g.jsonl").end is not None
    noted = Path("g.jsonl").read_bytes()
    note([marks(), ""])
    assert records.read("g.jsonl").end is not None
    note(["undo"])
    assert Path("g.jsonl").read_bytes() == noted


def test_programs_get_the_numbers_of_a_correction(note, marks):
    told = note([marks(), ""], "--json")
    said = [json.loads(line) for line in told.splitlines()]
    (found,) = [one for one in said if one["event"] == "corrects"]
    assert len(found["moved"]) == 15
    assert max(one["mm"] for one in found["moved"]) > 10
    assert 13 in [one["ply"] for one in found["changed"]]
    assert found["tolerance"][1] < found["tolerance"][0] == 10


@pytest.mark.parametrize("language", ["fr", "ko"])
def test_a_correction_is_told_in_other_languages(note, marks, language):
    told = note([marks(), ""], "--language", language)
    assert "$" not in told
    assert "photo shows" not in told
    assert records.read("g.jsonl").header.tolerance < 10


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        ("photo", "which photo? Name a picture or a file of marks"),
        ("photo nothing.json", "nothing.json"),
        ("photo nothing.jpg", "nothing.jpg"),
        ("photo wall.png", ""),
        ("photo small.png", ""),
        ("photo text.jpg", "text.jpg"),
        ("photo true.jsonl", "true.jsonl: not JSON"),
        ("photo few.json", "too few"),
        ("photo other.json", "roads in the photo fit the table of this game"),
    ],
)
def test_a_photo_that_says_nothing_is_refused_in_one_line_and_nothing_is_lost(
    note, marks, given, answer
):
    marks()
    noted = Path("g.jsonl").read_bytes()
    value = json.loads(Path("marks.json").read_text())
    few = [road for road in value["roads"] if road["id"] in ("A-R0", "A-R1", "B-R0")]
    borne = {road[end] for road in few for end in ("from", "to")}
    stand = [pillar for pillar in value["pillars"] if pillar["id"] in borne]
    Path("few.json").write_text(json.dumps({**value, "roads": few, "pillars": stand}))
    pillars = [{**one, "discs": 9 - one["discs"], "junction": False} for one in value["pillars"]]
    Path("other.json").write_text(json.dumps({**value, "pillars": pillars}))
    Image.new("RGB", (640, 480), "white").save("wall.png")
    Image.new("RGB", (40, 40), "white").save("small.png")
    Path("text.jpg").write_text("no picture")
    told = note([given])
    _, said = told.split(f"> {given}\n")
    why, *rest = said.splitlines()
    assert answer in why
    assert rest[0].startswith("Ply 15: what did Ben do?"), rest
    assert Path("g.jsonl").read_bytes() == noted


def test_what_somebody_spoilt_in_the_file_cannot_be_taken_back_and_is_told(note, marks):
    note([marks(), ""])
    text = Path("g.jsonl").read_text()
    Path("g.jsonl").write_text(text.replace('"photo":0', '"photograph":0'))
    spoilt = Path("g.jsonl").read_bytes()
    told = note(["undo"])
    assert "somebody changed what the file keeps of the places before the photo" in told
    assert Path("g.jsonl").read_bytes() == spoilt
