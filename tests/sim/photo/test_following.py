from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules import record
from rules.errors import InputError
from shutoko.cli import main
from sim.assets import asset
from sim.photo.following import follow, joined
from sim.photo.marks import Marks, marks_of, read_marks
from sim.photo.reading import read_photo
from tools.staging import to_json

EARLIER, SINCE = asset("photos", "earlier.json"), asset("photos", "since.json")


def changed(**fields: object) -> Marks:
    return marks_of(json.dumps(to_json(read_marks(SINCE)) | fields).encode())


def test_a_second_photo_from_the_same_place_adds_plies_that_verify(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game.jsonl"
    assert main(["photo", str(SINCE), "--after", str(EARLIER), "--out", str(out)]) == 0
    assert main(["verify", str(out)]) == 0
    assert "3 plies" in capsys.readouterr().out
    assert [entry.got["cars"] for entry in record.read(out).entries if entry.got] == [1, 0, 1]


@pytest.mark.slow
def test_a_photo_that_does_not_go_on_from_the_record_is_refused_by_name() -> None:
    first, since = read_marks(EARLIER), to_json(read_marks(SINCE))
    before = read_photo(first).record

    def refused(**fields: object) -> str:
        with pytest.raises(InputError) as error:
            follow(before, joined(first, changed(**fields)))
        return str(error.value)

    discs = [one | {"discs": 2} if one["id"] == "B-P5" else one for one in since["pillars"]]
    assert "B-P5 has 4 discs with a yellow one in the record and 2 discs" in refused(pillars=discs)
    assert "B is to move, not A" in refused(roads=since["roads"][1:])
    named = [one | {"id": "B-R15"} if one["id"] == "B-R9" else one for one in since["roads"]]
    assert "the next road of B is B-R9" in refused(roads=named)
    with pytest.raises(InputError, match="every road in the marks is already in the record"):
        follow(before, first)


@pytest.mark.slow
def test_a_new_pillar_with_an_impossible_count_is_named() -> None:
    first, since = read_marks(EARLIER), to_json(read_marks(SINCE))
    pillars = [one | {"discs": 4} if one["id"] == "A-P9" else one for one in since["pillars"]]
    found = follow(read_photo(first).record, joined(first, changed(pillars=pillars)))
    (why,) = (one.why.told() for one in found.reading.suspects if one.id == "A-P9")
    assert why == "its marks fit 1 disc, not 4; count the discs again"
    assert not found.is_clear
