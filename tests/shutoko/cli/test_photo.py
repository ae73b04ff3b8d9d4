from __future__ import annotations

import json
import re
import struct
import sys
import zlib
from base64 import b85decode
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from rules import record
from rules.errors import InputError, why
from shutoko.cli import main
from shutoko.export.photograph import photo_of
from sim.assets import asset
from sim.installing import install
from sim.languages import languages, reason_in
from sim.photo.finding.finder import find
from sim.physics import engines
from tests.tables import crowded
from tools.staging import a_camera, marked, to_json

MARKS, PHOTO = asset("photos", "table.json"), asset("photos", "table.jpg")


def refused(capsys: pytest.CaptureFixture[str], tmp_path: Path, *argv: str) -> str:
    """The one line that a command says as it refuses; nothing is written."""
    before = sorted(tmp_path.iterdir())
    assert (
        main(
            [
                "photo",
                *argv,
                "--out",
                str(tmp_path / "out.jsonl"),
                "--png",
                str(tmp_path / "out.png"),
            ]
        )
        == 2
    )
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before
    return captured.err


def test_the_example_is_read_drawn_and_written_as_a_record(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out, png = tmp_path / "table.jsonl", tmp_path / "table.png"
    assert (
        main(["photo", str(MARKS), "--image", str(PHOTO), "--out", str(out), "--png", str(png)])
        == 0
    )
    told = capsys.readouterr().out
    assert "nothing is doubtful, nothing looks wrong" in told
    assert "B-R8" in told
    with Image.open(png) as drawn:
        assert drawn.size == (1600, 1200)
    assert main(["verify", str(out)]) == 0
    assert record.read(out).header.observed


def test_json_has_one_object_with_the_cars_of_each_road(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["photo", str(MARKS), "--json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert {"camera", "roads", "pillars", "rms_px", "doubtful", "suspects"} <= answer.keys()
    road = next(one for one in answer["roads"] if one["id"] == "B-R8")
    assert {"id", "start", "end", "levels", "off_px", "cars", "sure"} <= road.keys()
    assert road["cars"] == 2
    assert road["levels"] == [4, 5]


@pytest.mark.slow
def test_what_looks_wrong_is_exit_code_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    value = json.loads(MARKS.read_text(encoding="utf-8"))
    value["roads"][11]["ends"].reverse()
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(value), encoding="utf-8")
    assert main(["photo", str(wrong)]) == 1
    assert (
        f"check {value['roads'][11]['id']}: its ends seem to be swapped" in capsys.readouterr().out
    )


def test_pieces_inside_each_other_are_told_in_the_verdict(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rng, table = np.random.default_rng(3), crowded(apart=14.0)
    marks = to_json(marked(table, a_camera(table, rng, tilt=50.0), rng, 1.0))
    path, out = tmp_path / "crowded.json", tmp_path / "t.jsonl"
    path.write_text(json.dumps(marks), encoding="utf-8")
    assert main(["photo", str(path), "--out", str(out), "--physics"]) == 1
    told = capsys.readouterr().out
    assert re.search(r"^check A-P1: it lies \d\.\d mm inside B-P1, ", told, re.MULTILINE)
    assert "nothing looks wrong" not in told
    assert "the record stays without physics: A-P1.1, A-P1.2, B-P1.1, B-P1.2 would not" in told
    assert record.read(out).header.physics is None
    assert main(["photo", str(path), "--json"]) == 1
    (suspect,) = json.loads(capsys.readouterr().out)["suspects"]
    assert suspect["id"] == "A-P1"
    assert "inside B-P1" in suspect["why"]


def one_pillar_marked_as_two(tmp_path: Path) -> Path:
    """Marks of which no record can be made, in a file."""
    value = json.loads(MARKS.read_text(encoding="utf-8"))
    road = next(road for road in value["roads"] if road["id"] == "B-R2")
    pillar = next(one for one in value["pillars"] if one["id"] == road["from"])
    value["pillars"].append({**pillar, "id": "B-P77"})
    road["from"] = "B-P77"
    path = tmp_path / "two.marks"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_without_a_physics_engine_the_answer_and_its_picture_come_before_the_error(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    more: list[str],
) -> None:
    out, png = tmp_path / "t.jsonl", tmp_path / "t.png"
    main(["photo", str(MARKS), *more])
    alone = capsys.readouterr().out
    monkeypatch.setattr(engines, "_installed", lambda name: False)
    files = ["--out", str(out), "--png", str(png)]
    assert main(["photo", str(MARKS), *files, "--physics", *more]) == 2
    told = capsys.readouterr()
    assert told.out.startswith(alone)
    assert told.err.startswith(
        f"shutoko: {out}: no record with physics is made: no physics engine is installed: "
    )
    assert "pip install" in told.err
    assert told.err.endswith("; or leave --physics out\n")
    assert told.err.count("\n") == 1
    if more:
        error = json.loads(told.out.removeprefix(alone))["error"]
        assert (error["kind"], error["exit"], error["file"]) == ("unavailable", 2, str(MARKS))
    assert png.exists()
    assert not out.exists()


def test_an_earlier_photo_of_which_no_record_can_be_made_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    before = one_pillar_marked_as_two(tmp_path).rename(tmp_path / "before.json")
    assert main(["photo", str(MARKS), "--after", str(before), "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["file"] == str(before)
    assert error["message"].startswith(f"{before}: B-P1 and B-P77 stand in one place, ")


def huge_png(width: int, height: int) -> bytes:
    """The head of a picture of that size; its pixels are not there."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b""))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"no picture at all", "no picture that can be read"),
        (b"", "no picture that can be read"),
        (PHOTO.read_bytes()[:20_000], "the picture is damaged"),
        (huge_png(10_000, 10_000), "more than 64 million"),
        (huge_png(60_000, 60_000), "more than 64 million pixels"),
        (huge_png(100, 100), "damaged"),
    ],
)
def test_an_unreadable_photo_gives_one_line_and_no_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, said: str
) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(data)
    assert said in refused(capsys, tmp_path, str(MARKS), "--image", str(photo))


HEIC = b85decode(
    r"0000SW^{RQXk}?*00000ZE0pPXk}?*ZE0a<00042ZDn*}000000000XXk=`10000000000aA{+70000000000000"
    r"0000000B57=IV*mgE07O6l0RRC200001dH?|c00000000~S001LtX>Mi!000000RR916=`l}WdZ;I000310BCk&F"
    r"#rGn01j|zbZr0t000010002iX>f9I0002DX>en20001ZXm(>m0RwOV0058x000009`FGC{rLC*01pFT0096PKmiN"
    r"^|NjGU00093kN^M!000939=ZZRVE_RDD?$MQ18@KU0|1Z!00RI30{|YN5FlY?x{^w3n}CLc0ssI505Sjo0{{XLVg"
    r"LaE2SfqEa<C#m0000JV{dG7ZewhC0096E00w{n000zeb8uw<00000004jh003YB000nhX?SS>000032nYxO000+h"
    r"aBX1#00000000310R({p0|Wp703>Z>VRQfh02n9%uLT(WJ0+^W_^|HXZ(`H~sZ_<qa%u"
)
"""A photo of 128 x 96 pixels, as a phone writes it."""


def written(kind: str, size: tuple[int, int] = (128, 96), **how: Any) -> bytes:
    file = BytesIO()
    Image.new("RGB", size, (120, 90, 60)).save(file, kind, **how)
    return file.getvalue()


def scanned() -> bytes:
    """A grey picture with 16 bits a pixel, of which the upper eight say 120."""
    file = BytesIO()
    Image.fromarray(np.full((96, 128), 120 * 257, dtype=np.uint16)).save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "size", "colour"),
    [
        (lambda: written("JPEG"), (128, 96), (120, 90, 60)),
        (lambda: written("PNG"), (128, 96), (120, 90, 60)),
        (lambda: written("WEBP"), (128, 96), (120, 90, 60)),
        (lambda: written("AVIF"), (128, 96), (120, 90, 60)),
        (lambda: HEIC, (128, 96), (120, 90, 60)),
        (scanned, (128, 96), (120, 120, 120)),
        (lambda: written("JPEG", (12_000, 9_000)), (6_000, 4_500), (120, 90, 60)),
    ],
    ids=["jpeg", "png", "webp", "avif", "heic", "16 bits of grey", "108 megapixels"],
)
def test_photos_open_as_people_have_them(
    data: Callable[[], bytes], size: tuple[int, int], colour: tuple[int, int, int]
) -> None:
    pytest.importorskip("pillow_heif", reason="needs shutoko[photo]")
    photo = photo_of(data()).image
    assert photo.size == size
    assert photo.getpixel((5, 5)) == pytest.approx(colour, abs=3)


def test_without_its_library_a_heic_photo_says_how_to_get_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(InputError, match="Most Compatible") as caught:
        photo_of(HEIC)
    told = {reason_in(language, why(caught.value)) for language in languages()}
    assert len(told) == len(list(languages()))


def test_a_panorama_is_to_be_cropped() -> None:
    with pytest.raises(InputError, match="crop it to the table"):
        find(np.zeros((400, 1600, 3), dtype=np.uint8))


def test_snapping_without_opencv_names_the_extra(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    assert install("photo") in refused(
        capsys, tmp_path, str(MARKS), "--image", str(PHOTO), "--snap"
    )


@pytest.mark.slow
def test_snapping_tells_which_taps_were_moved(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["photo", str(MARKS), "--image", str(PHOTO), "--snap"]) == 0
    assert (
        "of 44 taps were drawn to the ends of roads in the picture, by " in capsys.readouterr().out
    )


@pytest.mark.slow
@pytest.mark.parametrize("colour", ["white", "turned"])
def test_snapping_to_a_picture_that_shows_no_roads_says_that_it_may_be_another(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, colour: str
) -> None:
    other = tmp_path / "other.png"
    with Image.open(PHOTO) as photo:
        turned = photo.rotate(180)
    (turned if colour == "turned" else Image.new("RGB", turned.size, colour)).save(other)
    assert main(["photo", str(MARKS), "--image", str(other), "--snap"]) == 1
    told = capsys.readouterr().out
    assert (
        "\ncheck image: the picture shows 0 of the 22 roads where they are marked; the marks may "
        "belong to another picture: give the one that was marked\n"
    ) in told
    assert "nothing looks wrong" not in told


def test_a_photo_of_another_size_than_was_marked_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    photo = tmp_path / "photo.png"
    Image.new("RGB", (640, 480)).save(photo)
    assert "the marks were set on 1600 x 1200" in refused(
        capsys, tmp_path, str(MARKS), "--image", str(photo)
    )


def test_exif_gives_the_focal_length_and_turns_the_photo_and_nothing_of_it_is_kept(
    tmp_path: Path,
) -> None:
    image, exif = Image.new("RGB", (400, 300)), Image.Exif()
    exif[0x0112] = 6  # lies on its side
    exif[0x010F] = "a maker"
    exif.get_ifd(0x8769)[0xA405] = 26
    path = tmp_path / "photo.jpg"
    image.save(path, exif=exif)
    photo = photo_of(path.read_bytes())
    assert photo.image.size == (300, 400)
    assert photo.focal == pytest.approx(26 * 500 / 43.27)
    assert photo.image.info == {}
    assert not photo.image.getexif()
