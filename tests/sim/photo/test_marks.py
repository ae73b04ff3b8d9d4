from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules.errors import InputError
from sim.assets import asset
from sim.photo.marks import marks_of, read_marks
from tools.staging import to_json

Value = dict[str, Any]


def example() -> Value:
    value: Value = json.loads(asset("photos", "table.json").read_text(encoding="utf-8"))
    return value


def refused(change: Callable[[Value], object]) -> str:
    value = example()
    change(value)
    with pytest.raises(InputError) as error:
        marks_of(json.dumps(value).encode())
    assert "\n" not in str(error.value)
    return str(error.value)


def test_the_shipped_marks_are_read_and_written_without_loss() -> None:
    path = asset("photos", "table.json")
    assert to_json(read_marks(path)) == example()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda v: v["roads"][4].pop("ends"), "A-R2: ends must be two marks"),
        (lambda v: v["roads"][4].update(ends=[[1, 2]]), "mark both ends of the road"),
        (
            lambda v: v["roads"][4].update(ends=[[1, 2], [9000, 2]]),
            "A-R2: ends[1] is marked at (9000, 2), outside the image",
        ),
        (
            lambda v: v["roads"][4].update(ends=[[1, 2], [2, 3]]),
            "A-R2: both ends are marked at one place",
        ),
        (
            lambda v: v["roads"][4].update(to="A-P77"),
            "A-R2: to is 'A-P77', but the marks have no such pillar",
        ),
        (lambda v: v["roads"][4].update(to="B-P0"), "A-R2: to is B-P0, a pillar of B"),
        (
            lambda v: v["roads"][4].update({"from": None, "to": None}),
            "A-R2: both ends are on the table",
        ),
        (
            lambda v: v["roads"][4].update(owner=1),
            "A-R2: owner is 1, but this id belongs to seat 0",
        ),
        (lambda v: v["roads"].append(v["roads"][4]), "the id A-R2 is given twice"),
        (
            lambda v: v.update(roads=v["roads"] * 500),
            "roads has 11000 items; a photo has 100 at most",
        ),
        (
            lambda v: v["pillars"][2].update(discs=0),
            "pillars[2].discs must be a whole number from 1 to 30",
        ),
        (lambda v: v["pillars"][0].update(junction=True), "A-P0: a junction has a grey disc"),
        (
            lambda v: v["pillars"].append({"id": "A-P50", "owner": 0, "discs": 1}),
            "A-P50: no road ends on it",
        ),
        (lambda v: v.update(colour="red"), "the key colour is not known"),
        (lambda v: v.update(version=[2, 0]), "version 2.0"),
        (lambda v: v.update(marks="chess"), "no file of marks"),
        (lambda v: v.update(players=7), "players must be a whole number from 2 to 4"),
        (lambda v: v.update(components="nobody"), "there are no components 'nobody'"),
        (lambda v: v.update(ruleset="nobody"), "there is no rule set 'nobody'"),
        (lambda v: v.update(options={"nobody": 1}), "there is no rule option 'nobody'"),
        (lambda v: v["image"].pop("width"), "the key image.width is missing"),
        (
            lambda v: v.update(buildings=[{"kind": "barn", "base": [[1, 1], [2, 2], [3, 3]]}]),
            "there is no building 'barn'",
        ),
        (
            lambda v: v.update(
                sheet={"size": [297, 210], "corners": [[10, 10], [90, 90], [90, 10], [10, 90]]}
            ),
            "no four-sided figure",
        ),
    ],
)
def test_marks_that_cannot_be_used_are_refused_by_name(
    change: Callable[[Value], object], said: str
) -> None:
    assert said in refused(change)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[1]", b"\xff\xd8\xff", b'{"marks":"shutoko","x":NaN}', b"[" * 100_000]
)
def test_what_is_no_json_object_of_marks_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(InputError) as error:
        marks_of(data, Path("table.json"))
    assert str(error.value).startswith("table.json: ")
    assert "\n" not in str(error.value)


def test_marks_from_outside_name_shipped_components_only() -> None:
    value = example() | {"components": "/etc/passwd.toml"}
    with pytest.raises(InputError, match="marks from outside may name"):
        marks_of(json.dumps(value).encode(), outside=True)


def test_keys_of_one_s_own_start_with_x() -> None:
    assert marks_of(json.dumps(example() | {"x-mine": 1}).encode()).players == 2
