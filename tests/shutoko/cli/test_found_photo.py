from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from PIL import Image

from rules.errors import RecordError
from shutoko.cli import main
from sim.assets import asset
from sim.game import replay
from sim.photo.finding import together
from sim.photo.finding.finder import Found
from sim.photo.marks import read_marks

PHOTO = asset("photos", "table.jpg")


pytestmark = pytest.mark.usefixtures("found_once")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, shipped_photo: Found) -> tuple[int, str, Path]:
    """What the command says of the shipped photo as JSON, its code, and the marks it writes."""
    marks, said = tmp_path_factory.mktemp("found") / "found.json", StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said):
        patch.setattr(together, "find", lambda *_, **__: shipped_photo)
        code = main(["photo", str(PHOTO), "--marks", str(marks), "--json"])
    return code, said.getvalue(), marks


def test_the_shipped_photo_is_found_without_a_tap_and_its_marks_are_written(run, found) -> None:
    code, said, path = found
    told: dict[str, Any] = json.loads(said)
    marks = read_marks(path)
    assert told["found"]["roads"] == len(marks.roads) == len(told["roads"])
    assert told["found"]["pillars"] == len(marks.pillars)
    assert told["found"]["cars"] == len(marks.cars or ())
    assert told["marks"]["marks"] == "shutoko"
    assert told["marks"] == json.loads(path.read_text(encoding="utf-8"))
    assert code == (1 if told["doubtful"] or told["suspects"] else 0)
    assert len(json.loads(run("photo --json", path, code=None).out)["roads"]) == len(marks.roads)


def test_what_is_found_in_the_shipped_photo_is_most_of_its_roads_and_the_camera_nearly(
    found: tuple[int, str, Path],
) -> None:
    true, got = read_marks(asset("photos", "table.json")), read_marks(found[2])
    ends = [np.array(road.ends) for road in true.roads]
    hits = 0
    for road in got.roads:
        mine = np.array(road.ends)
        off = [min(np.abs(one - mine).max(), np.abs(one[::-1] - mine).max()) for one in ends]
        hits += min(off) < 30.0  # pixels: 10 mm
    assert hits >= 0.55 * len(true.roads)
    assert hits >= 0.65 * len(got.roads)
    camera = json.loads(found[1])["camera"]
    # the photo does not say its focal length, so tilt and focal length are known together
    assert camera["tilt"] == pytest.approx(48.0, abs=6.0)


def test_a_photo_shows_the_pieces_of_the_box_that_is_named(run, monkeypatch, shipped_photo) -> None:
    find = Mock(return_value=shipped_photo)
    monkeypatch.setattr(together, "find", find)
    run("photo --components estimate-rubber", PHOTO, code=None)
    assert find.call_args.kwargs == {"components": "estimate-rubber"}


WHY = "A-P1 and B-P1 stand in one place, 1.7 mm apart"


@pytest.mark.parametrize("more", [pytest.param("", marks=pytest.mark.slow), "--physics"])
def test_if_no_record_can_be_made_of_a_photo_the_answer_is_given_and_its_marks_are_written(
    run, monkeypatch, found, more
) -> None:
    monkeypatch.setattr(replay, "begin", Mock(side_effect=RecordError(f"start: {WHY}", None, 1)))
    out, err = run(f"photo --out t.jsonl --marks m.json --json {more}", PHOTO, code=2)
    answer, error = out.splitlines()
    assert answer == found[1].strip()
    assert Path("m.json").read_bytes() == found[2].read_bytes()
    assert not Path("t.jsonl").exists()
    assert json.loads(error)["error"]["file"] == "t.jsonl"
    assert err == (
        f"shutoko: t.jsonl: no record is made of these marks: {WHY}; if they are one pillar, "
        "join the ends of its roads in m.json\n"
    )


SIZES = {"tiny": (40, 30), "small": (300, 225), "wall": (1200, 900)}


def picture(kind: str) -> str:
    """A file of a bare wall, and the noise of a camera."""
    noise = np.random.default_rng(1).normal(160, 4, (*SIZES[kind][::-1], 3))
    Image.fromarray(np.clip(noise, 0, 255).astype(np.uint8)).save(f"{kind}.png")
    return f"{kind}.png"


@pytest.mark.parametrize("kind", ["tiny", "small", pytest.param("wall", marks=pytest.mark.slow)])
def test_a_picture_without_a_table_is_refused_with_what_to_try(run, kind) -> None:
    out, err = run(f"photo {picture(kind)} --marks found.json", code=2)
    assert (out, err.count("\n"), Path("found.json").exists()) == ("", 1, False)
    size = "the picture has {} x {} pixels: ".format(*SIZES[kind])
    said = ("no road found", "45 to 70 degrees", size, "shorter side needs 200 at least")
    assert [part in err for part in said] == [True, True, kind != "wall", kind != "wall"]


def test_a_second_photo_without_the_table_is_left_out_and_the_first_says_what_it_says_alone(
    run, found
) -> None:
    told = json.loads(run("photo --json", PHOTO, picture("small"), code=1).out)
    first, second = told.pop("photos")
    assert told == json.loads(found[1])
    assert first == {"photo": str(PHOTO), "marked": True, "unseen": []}
    assert (second["photo"], second["marked"]) == ("small.png", False)
    assert "no road found" in second["left_out"]


@pytest.fixture
def error_of(run):
    """The error that the command tells programs."""

    def told(*given: object) -> dict[str, Any]:
        (line,) = run("photo --json", *given, code=2).out.splitlines()
        error: dict[str, Any] = json.loads(line)["error"]
        assert error["message"].startswith(f"{error['file']}: ")
        return error

    return told


def test_errors_for_programs_name_the_file_that_is_wrong(error_of) -> None:
    marks, tiny = str(asset("photos", "table.json")), picture("tiny")
    for wrong, given in {
        "none": ["none"],
        "none.jpg": [PHOTO, "none.jpg"],
        tiny: [tiny],
        marks: [PHOTO, marks],
        "none.png": [marks, "--image", "none.png"],
        "none/t.jsonl": [marks, "--out", "none/t.jsonl"],
        "none.jsonl": [marks, "--after", "none.jsonl"],
    }.items():
        assert error_of(*given)["file"] == wrong


def test_a_photo_that_is_cut_off_stops_all_before_any_is_looked_at(error_of, monkeypatch) -> None:
    looked = Mock()
    monkeypatch.setattr(together, "find_together", looked)
    Path("cut.jpg").write_bytes(PHOTO.read_bytes()[:20_000])
    error = error_of(PHOTO, PHOTO, "cut.jpg")
    assert (error["file"], "the picture is damaged" in error["message"]) == ("cut.jpg", True)
    looked.assert_not_called()


def test_of_several_photos_without_a_table_all_are_named(error_of) -> None:
    Image.new("RGB", (50, 60)).save("other.png")
    error = error_of(picture("tiny"), "other.png")
    assert error["file"] == "tiny.png"
    assert error["message"].startswith("tiny.png: no road found; the picture has 40 x 30 pixels")
    assert error["message"].endswith("; other.png shows no table either")
