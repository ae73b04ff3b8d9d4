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


def test_the_shipped_photo_is_found_without_a_tap_and_its_marks_are_written(
    found: tuple[int, str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code, said, path = found
    told: dict[str, Any] = json.loads(said)
    marks = read_marks(path)
    assert told["found"]["roads"] == len(marks.roads) == len(told["roads"])
    assert told["found"]["pillars"] == len(marks.pillars)
    assert told["found"]["cars"] == len(marks.cars or ())
    assert told["marks"]["marks"] == "shutoko"
    assert told["marks"] == json.loads(path.read_text(encoding="utf-8"))
    assert code == (1 if told["doubtful"] or told["suspects"] else 0)
    assert main(["photo", str(path), "--json"]) in (0, 1)
    assert len(json.loads(capsys.readouterr().out)["roads"]) == len(marks.roads)


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


def test_a_photo_shows_the_pieces_of_the_box_that_is_named(
    monkeypatch: pytest.MonkeyPatch, shipped_photo: Found
) -> None:
    find = Mock(return_value=shipped_photo)
    monkeypatch.setattr(together, "find", find)
    assert main(["photo", str(PHOTO), "--components", "estimate-rubber"]) in (0, 1)
    assert find.call_args.kwargs == {"components": "estimate-rubber"}


@pytest.fixture
def unmade(monkeypatch: pytest.MonkeyPatch) -> str:
    """No record can be made of any table, and this is why."""
    why = "A-P1 and B-P1 stand in one place, 1.7 mm apart"

    def fails(record: object) -> None:
        raise RecordError(f"start: {why}", None, 1)

    monkeypatch.setattr(replay, "begin", fails)
    return why


@pytest.mark.parametrize("more", [pytest.param([], marks=pytest.mark.slow), ["--physics"]])
def test_if_no_record_can_be_made_of_a_photo_the_answer_is_given_and_its_marks_are_written(
    more: list[str],
    unmade: str,
    found: tuple[int, str, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, marks = tmp_path / "t.jsonl", tmp_path / "m.json"
    files = ["--out", str(out), "--marks", str(marks)]
    assert main(["photo", str(PHOTO), *files, "--json", *more]) == 2
    told = capsys.readouterr()
    answer, error = told.out.splitlines()
    assert answer == found[1].strip()
    assert marks.read_bytes() == found[2].read_bytes()
    assert not out.exists()
    assert json.loads(error)["error"]["file"] == str(out)
    assert told.err == (
        f"shutoko: {out}: no record is made of these marks: {unmade}; if they are one pillar, "
        f"join the ends of its roads in {marks}\n"
    )


SIZES = {"tiny": (40, 30), "small": (300, 225), "wall": (1200, 900)}


def picture(tmp_path: Path, kind: str) -> Path:
    """A bare wall, and the noise of a camera."""
    noise = np.random.default_rng(1).normal(160, 4, (*SIZES[kind][::-1], 3))
    path = tmp_path / f"{kind}.png"
    Image.fromarray(np.clip(noise, 0, 255).astype(np.uint8)).save(path)
    return path


@pytest.mark.parametrize("kind", ["tiny", "small", pytest.param("wall", marks=pytest.mark.slow)])
def test_a_picture_without_a_table_is_refused_with_what_to_try(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks, (width, height) = tmp_path / "found.json", SIZES[kind]
    assert main(["photo", str(picture(tmp_path, kind)), "--marks", str(marks)]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n"), marks.exists()) == ("", 1, False)
    assert "no road found" in told.err
    assert "30 to 70 degrees" in told.err
    for part in (f"the picture has {width} x {height} pixels: ", "shorter side needs 200 at least"):
        assert (part in told.err) == (kind != "wall")


def test_a_second_photo_without_the_table_is_left_out_and_the_first_says_what_it_says_alone(
    found: tuple[int, str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wall = picture(tmp_path, "small")
    assert main(["photo", str(PHOTO), str(wall), "--json"]) == 1
    told, alone = json.loads(capsys.readouterr().out), json.loads(found[1])
    first, second = told.pop("photos")
    assert told == alone
    assert first == {"photo": str(PHOTO), "marked": True, "unseen": []}
    assert second["photo"] == str(wall)
    assert not second["marked"]
    assert "no road found" in second["left_out"]


def error_of(capsys: pytest.CaptureFixture[str], *argv: str | Path) -> dict[str, Any]:
    """The error that the command tells programs."""
    assert main(["photo", *map(str, argv), "--json"]) == 2
    (line,) = capsys.readouterr().out.splitlines()
    error: dict[str, Any] = json.loads(line)["error"]
    assert error["message"].startswith(f"{error['file']}: ")
    return error


def test_errors_for_programs_name_the_file_that_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks, none, tiny = asset("photos", "table.json"), tmp_path / "none", picture(tmp_path, "tiny")
    given: dict[Path, list[str | Path]] = {
        none: [none],
        none.with_suffix(".jpg"): [PHOTO, none.with_suffix(".jpg")],
        tiny: [tiny],
        marks: [PHOTO, marks],
        none.with_suffix(".png"): [marks, "--image", none.with_suffix(".png")],
        none / "t.jsonl": [marks, "--out", none / "t.jsonl"],
        none.with_suffix(".jsonl"): [marks, "--after", none.with_suffix(".jsonl")],
    }
    for wrong, argv in given.items():
        assert error_of(capsys, *argv)["file"] == str(wrong)


def test_a_photo_that_is_cut_off_stops_all_before_any_is_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []
    monkeypatch.setattr(together, "find_together", looked.append)
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(PHOTO.read_bytes()[:20_000])
    error = error_of(capsys, PHOTO, PHOTO, cut)
    assert error["file"] == str(cut)
    assert "the picture is damaged" in error["message"]
    assert not looked


def test_of_several_photos_without_a_table_all_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny, other = picture(tmp_path, "tiny"), tmp_path / "other.png"
    Image.new("RGB", (50, 60)).save(other)
    assert main(["photo", str(tiny), str(other), "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["file"] == str(tiny)
    assert error["message"].startswith(f"{tiny}: no road found; the picture has 40 x 30 pixels")
    assert error["message"].endswith(f"; {other} shows no table either")
