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
from shutoko.export.photograph import photo_of
from sim.assets import asset
from sim.installing import install
from sim.languages import languages, reason_in
from sim.photo.finding.finder import find
from sim.physics import engines
from tests.tables import crowded
from tools.staging import a_camera, marked, to_json

MARKS, PHOTO = asset("photos", "table.json"), asset("photos", "table.jpg")


def test_the_example_is_read_drawn_and_written_as_a_record(run) -> None:
    told = run("photo --out table.jsonl --png table.png", MARKS, "--image", PHOTO).out
    assert "nothing is doubtful, nothing looks wrong" in told
    assert "B-R8" in told
    with Image.open("table.png") as drawn:
        assert drawn.size == (1600, 1200)
    run("verify table.jsonl")
    assert record.read("table.jsonl").header.observed


def test_json_has_one_object_with_the_cars_of_each_road(run) -> None:
    answer = json.loads(run("photo --json", MARKS).out)
    assert {"camera", "roads", "pillars", "rms_px", "doubtful", "suspects"} <= answer.keys()
    road = next(one for one in answer["roads"] if one["id"] == "B-R8")
    assert {"id", "start", "end", "levels", "off_px", "cars", "sure"} <= road.keys()
    assert (road["cars"], road["levels"]) == (2, [4, 5])


@pytest.mark.slow
def test_what_looks_wrong_is_exit_code_1(run) -> None:
    value = json.loads(MARKS.read_text(encoding="utf-8"))
    value["roads"][11]["ends"].reverse()
    Path("wrong.json").write_text(json.dumps(value), encoding="utf-8")
    told = run("photo wrong.json", code=1).out
    assert f"check {value['roads'][11]['id']}: its ends seem to be swapped" in told


def test_pieces_inside_each_other_are_told_in_the_verdict(run) -> None:
    rng, table = np.random.default_rng(3), crowded(apart=14.0)
    marks = to_json(marked(table, a_camera(table, rng, tilt=50.0), rng, 1.0))
    Path("crowded.json").write_text(json.dumps(marks), encoding="utf-8")
    told = run("photo crowded.json --out t.jsonl --physics", code=1).out
    assert re.search(r"^check A-P1: it lies \d\.\d mm inside B-P1, ", told, re.MULTILINE)
    assert "nothing looks wrong" not in told
    assert "the record stays without physics: A-P1.1, A-P1.2, B-P1.1, B-P1.2 would not" in told
    assert record.read("t.jsonl").header.physics is None
    (suspect,) = json.loads(run("photo crowded.json --json", code=1).out)["suspects"]
    assert (suspect["id"], "inside B-P1" in suspect["why"]) == ("A-P1", True)


def one_pillar_marked_as_two() -> bytes:
    """Marks of which no record can be made."""
    value = json.loads(MARKS.read_bytes())
    road = next(road for road in value["roads"] if road["id"] == "B-R2")
    pillar = next(one for one in value["pillars"] if one["id"] == road["from"])
    value["pillars"].append({**pillar, "id": "B-P77"})
    road["from"] = "B-P77"
    return json.dumps(value).encode()


def test_no_record_is_written_that_nobody_could_read(run) -> None:
    Path("two.marks").write_bytes(one_pillar_marked_as_two())
    why = "no record is made of these marks: B-P1 and B-P77 stand in"
    assert why in run("photo two.marks --out two.jsonl", code=2).err
    assert not Path("two.jsonl").exists()


@pytest.mark.slow
@pytest.mark.parametrize("more", ["", "--json"])
def test_without_a_physics_engine_the_answer_and_its_picture_come_before_the_error(
    run, monkeypatch, more
) -> None:
    alone = run(f"photo {more}", MARKS).out
    monkeypatch.setattr(engines, "_installed", lambda name: False)
    out, err = run(f"photo --out t.jsonl --png t.png --physics {more}", MARKS, code=2)
    assert out.startswith(alone)
    why = (
        r"t\.jsonl: no record with physics is made: no physics engine is installed: .*pip install "
    )
    assert re.fullmatch(rf"shutoko: {why}.*; or leave --physics out\n", err)
    if more:
        error = json.loads(out.removeprefix(alone))["error"]
        assert (error["kind"], error["exit"], error["file"]) == ("unavailable", 2, str(MARKS))
    assert (Path("t.png").exists(), Path("t.jsonl").exists()) == (True, False)


def test_an_earlier_photo_of_which_no_record_can_be_made_is_named(run) -> None:
    Path("before.json").write_bytes(one_pillar_marked_as_two())
    error = json.loads(run("photo --after before.json --json", MARKS, code=2).out)["error"]
    assert error["file"] == "before.json"
    assert error["message"].startswith("before.json: B-P1 and B-P77 stand in one place, ")


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


def test_snapping_without_opencv_names_the_extra(run, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    assert install("photo") in run("photo --snap", MARKS, "--image", PHOTO, code=2).err


@pytest.mark.slow
def test_snapping_tells_which_taps_were_moved(run) -> None:
    told = "of 44 taps were drawn to the ends of roads in the picture, by "
    assert told in run("photo --snap", MARKS, "--image", PHOTO).out


@pytest.mark.slow
@pytest.mark.parametrize("colour", ["white", "turned"])
def test_snapping_to_a_picture_that_shows_no_roads_says_that_it_may_be_another(run, colour) -> None:
    with Image.open(PHOTO) as photo:
        turned = photo.rotate(180)
    (turned if colour == "turned" else Image.new("RGB", turned.size, colour)).save("other.png")
    told = run("photo --snap --image other.png", MARKS, code=1).out
    assert (
        "\ncheck image: the picture shows 0 of the 22 roads where they are marked; the marks may "
        "belong to another picture: give the one that was marked\n"
    ) in told
    assert "nothing looks wrong" not in told
