"""`verify` tells a difference and goes on with the record's own word (record format 5c, 6c, 9d)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.errors import RecordError
from rules.record import Record, dumps, loads, read
from rules.record.verify import Report
from sim.assets import asset
from sim.game import replay
from sim.game.verify import verify

DATA = Path(__file__).parents[2] / "data"
FALLEN = DATA / "recorded-pose-that-counts-as-fallen.jsonl"
OLDER = DATA / "older-build.jsonl"
KNOCK = asset("records", "knock.jsonl")


def told(report: Report) -> set[int | None]:
    """The plies at which something differs."""
    return {one.ply for one in (*report.mismatches, *report.divergences, *report.claims)}


def changed(path: Path, ply: int, **keys: Any) -> Record:
    """A record with other keys in one of its plies; `got` is added to, None leaves a key out."""
    lines = path.read_bytes().splitlines(keepends=True)
    (number,) = [n for n, line in enumerate(lines) if json.loads(line).get("ply") == ply]
    line = json.loads(lines[number])
    got = {**line["got"], **keys.pop("got", {})}
    line |= {**keys, "got": {key: value for key, value in got.items() if value is not None}}
    lines[number] = json.dumps(line).encode() + b"\n"
    return loads(b"".join(lines), path)


def test_a_recorded_pose_that_counts_as_fallen_is_told_and_the_rest_is_judged_by_the_record():
    report = verify(read(FALLEN), "rules")
    assert [(one.ply, one.what) for one in report.mismatches] == [(2, "fallen"), (2, "digest")]
    assert report.plies == 5


def test_a_recorded_pose_that_counts_as_fallen_is_told_by_physics_and_by_exact():
    record = read(FALLEN)
    report = verify(record, "physics")
    assert (report.divergences[0].ply, report.divergences[0].piece) == (2, "A-R1")
    assert report.plies == 5
    here = replay.physics_header(str(record.header.physics["engine"]))
    if here == record.header.physics:
        assert min(told(verify(record, "exact"))) == 2


def test_a_record_of_an_older_build_is_read_on_after_what_is_judged_otherwise_now():
    report = verify(read(OLDER), "rules")
    assert [(one.ply, one.what) for one in report.mismatches] == [
        (13, "crossings"),
        (16, "cars"),
        (16, "crossings"),
        (16, "digest"),
    ]
    # its own word leads to its own tables: the digests of plies 17 and 18 are right again
    assert report.plies == 19


@pytest.mark.parametrize("key", ["placed", "fallen", "paid", "out", "cars"])
def test_a_wrong_word_about_a_ply_is_told_there_and_nowhere_else(key):
    (ply,) = [entry.ply for entry in read(KNOCK).entries if entry.pay]
    wrong: Any = {"placed": 7, "out": [0], "cars": 7}.get(key, [])
    report = verify(changed(KNOCK, ply, got={key: wrong}), "rules")
    assert [(one.ply, one.what) for one in report.mismatches] == [(ply, key)]
    assert report.plies == len(read(KNOCK).entries)


@pytest.mark.parametrize(
    ("key", "wrong"), [("fallen", []), ("placed", 1), ("paid", []), ("built", False)]
)
def test_without_a_digest_the_word_of_the_record_leads_to_the_next_table(key, wrong):
    (entry,) = [entry for entry in read(KNOCK).entries if entry.pay]
    record = changed(KNOCK, entry.ply, got={key: wrong, "digest": None})
    report = verify(record, "rules")
    assert report.mismatches[0].ply == entry.ply
    assert key in [one.what for one in report.mismatches if one.ply == entry.ply]


def test_a_digest_that_differs_is_told_once():
    moved = read(KNOCK).entries[2].got["moved"]
    piece = next(name for name in moved if ".1" in name)
    x, *others = moved[piece]
    report = verify(changed(KNOCK, 2, got={"moved": {**moved, piece: [x + 1.0, *others]}}), "rules")
    assert [(one.ply, one.what) for one in report.mismatches] == [(2, "digest")]


def test_what_cannot_be_judged_after_a_difference_ends_it_with_a_difference():
    """The last car of a player who has one left: by the record's word it stood, so the game is over
    and nobody can move.
    """
    start = {
        "to_move": 0,
        "pillars": [
            {"id": "A-P0", "at": [0, 0], "discs": 1},
            {"id": "B-P0", "at": [300, 0], "discs": 3},
        ],
        "stocks": [{"cars": 1, "grey": 9, "yellow": 1, "roads": 3}] * 2,
    }
    header = {"record": "shutoko", "version": [1, 0], "game": "tokyo-highway", "start": start}
    exit_, build = (
        {"exit": {"from": "A-P0", "to": [109, 0]}},
        {"build": {"from": "A-P0", "pillar": [105, 0], "discs": 2}},
    )
    lines = [
        {**header, "players": ["a", "b"]},
        {"ply": 0, "by": 0, "do": build, "got": {"legal": True, "cars": 1, "placed": 1}},
        {"ply": 1, "by": 1, "do": "resign"},
    ]
    report = verify(loads(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), "rules")
    assert [(one.ply, one.what) for one in report.mismatches] == [
        (0, "cars"),
        (0, "placed"),
        (1, "do"),
    ]
    assert report.mismatches[-1].text.endswith("the game is over, nobody is to move")
    lines[1] |= {"do": exit_}  # it does earn that car: the file itself is at fault
    with pytest.raises(RecordError, match="ply 1: the game is over"):
        verify(loads(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), "rules")


def test_an_illegal_ply_that_the_record_calls_legal_is_told_and_stands():
    record = read(KNOCK)
    (build,) = [entry for entry in record.entries if entry.ply == 2]
    do = {"build": {**build.do["build"], "discs": build.do["build"]["discs"] + 3}}
    report = verify(changed(KNOCK, 2, do={**build.do, **do}), "rules")
    assert (report.mismatches[0].ply, report.mismatches[0].what) == (2, "legal")
    assert report.plies == len(record.entries)


@pytest.mark.rule("FR 9", "KR 9")
@pytest.mark.parametrize("mode", ["rules", "physics"])
@pytest.mark.parametrize(
    "pay", [[{"to": 1, "grey": 7, "yellow": 0}], [{"to": 1, "grey": 0, "yellow": 0}]]
)
def test_a_wrong_total_in_pay_is_a_difference_and_the_rest_is_judged(pay, mode):
    start = {
        "to_move": 0,
        "pillars": [
            {"id": "A-P0", "at": [0, 0], "discs": 2},
            {"id": "B-P5", "at": [300, 0], "discs": 3},
        ],
        "stocks": [{"cars": 5, "grey": 9, "yellow": 1, "roads": roads} for roads in (0, 3)],
    }
    header = {"record": "shutoko", "version": [1, 0], "game": "tokyo-highway", "observed": True}
    lines = [
        {**header, "players": ["a", "b"], "start": start},
        {"ply": 0, "by": 0, "do": "pass", "observed": {"fallen": ["B-P5.3"]}, "pay": pay},
        {"ply": 1, "by": 1, "do": "resign"},
    ]
    record = loads(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    assert dumps(record)
    report = verify(record, mode)
    assert [(one.ply, one.what) for one in report.mismatches] == [(0, "pay")]
    assert "due" in report.mismatches[0].text
    assert report.plies == 2
