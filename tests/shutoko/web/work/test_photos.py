from __future__ import annotations

import io
import json

import pytest
from PIL import Image

from rules.errors import InputError
from rules.record import loads
from shutoko.export.photograph import photo_of
from shutoko.web.views.telling import refused
from shutoko.web.wording import LANGUAGES
from shutoko.web.work.photos import developed, glimpsed, proposed, settled
from sim.assets import asset
from tests.shutoko.cli.test_photo import huge_png, one_pillar_marked_as_two, written

MARKS = asset("photos", "table.json").read_bytes()
PHOTO = asset("photos", "table.jpg").read_bytes()


def test_a_photo_is_written_anew_without_what_it_carried_but_its_focal_length_counts() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # lies on its side
    exif[0x010F] = "the maker of the phone"
    exif.get_ifd(0x8769)[0xA405] = 26  # mm on 35 mm film
    carried = written("JPEG", (800, 600), exif=exif)
    assert photo_of(carried).image.info == {}
    found = developed(carried)
    assert b"the maker" not in found.jpeg
    assert not Image.open(io.BytesIO(found.jpeg)).getexif()
    assert (found.width, found.height) == (600, 800)
    assert found.focal == pytest.approx(26 * 1000 / 43.27)


def test_a_large_photo_is_made_smaller_and_its_focal_length_with_it() -> None:
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0xA405] = 26
    found = developed(written("JPEG", (8192, 1000), exif=exif))
    assert (found.width, found.height) == (4096, 500)
    assert found.focal == pytest.approx(26 * (8192**2 + 1000**2) ** 0.5 / 43.27 / 2, rel=1e-3)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no picture"),
        (b"%PDF-1.7 not a photo", "no picture"),
        (PHOTO[:20_000], "damaged"),
        (written("JPEG", (80, 60)), "nothing can be tapped"),
        (written("GIF", (300, 200)), "no picture"),
        (huge_png(10_000, 10_000), "10000 x 10000 pixels, more than 64 million"),
    ],
)
def test_what_is_no_photo_is_refused_in_one_line(data: bytes, told: str) -> None:
    with pytest.raises(InputError, match=told) as refused:
        developed(data)
    assert "\n" not in str(refused.value)


def few(count: int) -> bytes:
    """The example with its first roads only."""
    marks = json.loads(MARKS)
    marks["roads"] = marks["roads"][:count]
    borne = {foot for road in marks["roads"] for foot in (road["from"], road["to"])}
    marks["pillars"] = [pillar for pillar in marks["pillars"] if pillar["id"] in borne]
    del marks["cars"]
    return json.dumps(marks).encode()


def test_the_wire_model_goes_on_from_the_camera_before_and_shows_what_stands_out() -> None:
    first = glimpsed(few(9), None)
    assert first.far_off == ()
    second = glimpsed(few(10), first.camera)
    assert second.camera == pytest.approx(first.camera, abs=25.0)
    assert {wire.id for wire in second.wires} >= {"A-R0", "A-P0"}
    marks = json.loads(few(10))
    ends = marks["roads"][2]["ends"]
    ends[0] = [
        ends[0][0] + 0.25 * (ends[1][0] - ends[0][0]),
        ends[0][1] + 0.25 * (ends[1][1] - ends[0][1]),
    ]
    assert marks["roads"][2]["id"] in glimpsed(json.dumps(marks).encode(), first.camera).far_off


def test_too_few_roads_are_refused_with_what_to_add() -> None:
    with pytest.raises(InputError, match="mark more roads"):
        glimpsed(few(2), None)


def test_a_verdict_tells_every_road_in_the_language_and_brings_the_record() -> None:
    found = settled(MARKS, "fr")
    assert [road.id for road in found.roads] == [road["id"] for road in json.loads(MARKS)["roads"]]
    (best,) = (road for road in found.roads if road.id == "B-R8")
    assert (best.cars, best.doubtful) == (2, False)
    assert any("dessus" in reason for reason in best.reasons)
    assert loads(found.record).header.observed
    header = loads(found.on).header
    assert (header.source, header.observed, found.fallen) == ("a photo", False, ())
    assert header.physics is not None, "whoever plays on does so with physics"
    assert "A-R0" in found.unchecked, "an end on the table"
    assert (found.suspects, found.doubts, found.unplayable) == ((), (), "")


def test_two_pillars_in_one_place_leave_the_verdict_and_say_why_nobody_can_play_on() -> None:
    found = settled(one_pillar_marked_as_two(), "en")
    assert len(found.roads) == len(json.loads(MARKS)["roads"])
    assert found.unplayable.startswith("B-P1 and B-P77 stand in one place, 3.5 mm apart")


@pytest.mark.slow
def test_with_the_picture_a_slip_is_found_that_leaves_no_trace_in_the_marks() -> None:
    pytest.importorskip("cv2", reason="pictures are looked at with shutoko[photo]")
    marks = json.loads(MARKS)
    clean = settled(MARKS, "en", None, PHOTO)
    assert clean.drawn is not None
    assert 0 < clean.drawn[0] <= clean.drawn[1] == 2 * len(marks["roads"])
    assert (clean.suspects, clean.doubts) == ((), ())
    road = next(road for road in marks["roads"] if road["id"] == "A-R9")
    (x, y), (to_x, to_y) = road["ends"]
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    far = 24  # as 60 pixels of a phone's photo, aside
    road["ends"][1] = [to_x - far * (to_y - y) / length, to_y + far * (to_x - x) / length]
    slipped = json.dumps(marks).encode()
    assert settled(slipped, "en").suspects == ()
    told = [why for name, why in settled(slipped, "en", None, PHOTO).suspects if name == "A-R9"]
    assert any("picture shows" in why for why in told), told


@pytest.mark.usefixtures("found_once")
def test_a_table_is_proposed_as_a_draft_whose_hard_roads_are_known_by_their_marks() -> None:
    pytest.importorskip("cv2", reason="needs shutoko[photo]")
    photo = developed(PHOTO)
    found = proposed(photo.jpeg, photo.focal)
    assert (found.draft.image.width, found.draft.image.height) == (photo.width, photo.height)
    assert len(found.draft.roads) >= 10
    names, pillars = found.draft.names()
    assert set(found.doubtful) <= {*names, *pillars.values()}
    hard = found.hard()
    assert len(hard) == len(set(found.doubtful) & set(names))
    assert hard <= {road.ends for road in found.draft.roads}
    assert found.hard_pillars() == len(set(found.doubtful) & set(pillars.values())) > 0
    ends = {
        (at, found.draft.discs(road, end))
        for road, one in enumerate(found.draft.roads)
        for end, at in enumerate(one.ends)
        if pillars.get(one.feet[end]) in found.doubtful
    }
    assert found.hard_feet() == ends
    # the wire model follows the proposal as it does marks
    assert glimpsed(json.dumps(found.draft.to_json()).encode(), None).wires


def test_a_bare_wall_is_refused_with_what_to_try() -> None:
    pytest.importorskip("cv2", reason="needs shutoko[photo]")
    with pytest.raises(InputError, match=r"no road found.*45 to 70 degrees"):
        proposed(developed(written("JPEG", (800, 600))).jpeg, None)


@pytest.mark.parametrize("size", [(300, 150), (400, 300)])
def test_a_small_photo_is_refused_with_its_size_in_the_visitors_language(
    size: tuple[int, int],
) -> None:
    pytest.importorskip("cv2", reason="needs shutoko[photo]")
    with pytest.raises(InputError) as caught:
        proposed(developed(written("JPEG", size)).jpeg, None)
    told = {language: refused(language, caught.value) for language in LANGUAGES}
    assert told["en"] == str(caught.value)
    assert len(set(told.values())) == len(told)
    for said in told.values():
        assert f"{size[0]} x {size[1]}" in said
        assert "200" in said
        assert "1120" in said
