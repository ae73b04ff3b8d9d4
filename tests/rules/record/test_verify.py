"""Verifying records by the rules of their games: every difference is told, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from rules.errors import InputError
from rules.record import End, Entry, Header, Record
from rules.record.replay import fill
from rules.record.verify import MODES, Report, verify

HEADER = Header("meridians", ("ann", "bob"), options={"size": 4})
BACK = {"legal": False}
RIGHT = "the rules say {'ranks': [[1], [0]], 'reason': 'resigned'}"


def record_of(*entries: Entry, end: End | None = None) -> Record:
    return Record(
        HEADER,
        entries,
        end,
        path=Path("g.jsonl"),
        warnings=("g.jsonl:9: the line is blank; skipped",),
    )


WHOLE = fill(
    record_of(
        Entry(0, 0, "d4", line=2),
        Entry(1, 1, "d4", got=BACK, line=3),
        Entry(1, 1, "c3", claim={"legal": True}, line=4),
        Entry(2, 0, "resign", line=5),
    )
)


def with_entry(index: int, **changes: object) -> Record:
    entries = list(WHOLE.entries)
    entries[index] = replace(entries[index], **changes)
    return replace(WHOLE, entries=tuple(entries))


def test_a_true_record_has_no_difference_and_tells_how_far_it_is():
    heard: list[int] = []
    for mode in MODES:
        report = verify(WHOLE, mode, on_ply=heard.append)
        assert report == Report(Path("g.jsonl"), 3, taken_back=1)
        assert report.ok
        assert report.mode is None, "a game of moves alone has one way to be verified"
        assert report.warnings == WHOLE.warnings
    assert heard == [1, 2, 3, 4] * 3


def test_a_different_digest_is_a_mismatch_with_its_place():
    (found,) = verify(with_entry(2, got={"legal": True, "digest": "ab"})).mismatches
    right = WHOLE.entries[2].got["digest"]
    assert (found.ply, found.line, found.what, found.expected, found.found) == (
        1,
        4,
        "digest",
        "ab",
        right,
    )
    assert found.text == f"digest: the record says ab, the rules say {right}"


def test_an_illegal_ply_that_stands_is_a_mismatch_with_the_reason_and_ends_the_judging():
    report = verify(with_entry(2, do="d4", got=None))
    assert (report.plies, report.taken_back, report.ok) == (2, 1, False)
    (found,) = report.mismatches
    assert found.text == "illegal: d4 is taken"
    (found,) = verify(with_entry(2, do="d4", got={"legal": True})).mismatches
    assert found.text == "the record says that the ply is legal; it is not: d4 is taken"


def test_a_legal_move_taken_back_as_illegal_is_a_mismatch():
    (found,) = verify(with_entry(1, do="c4", got=BACK)).mismatches
    assert found.text == "the record says that the ply is not legal; it is"


def test_faults_in_other_words_and_keys_of_ones_own_contradict_nothing():
    assert verify(
        with_entry(1, got={"legal": False, "faults": ["there is a stone"], "x-mine": 1})
    ).ok
    (found,) = verify(with_entry(2, got={"legal": True, "faults": ["there is a stone"]})).mismatches
    assert found.text == "faults: the record says ['there is a stone'], the rules say nothing"


def test_a_wrong_claim_is_told_apart_from_what_the_record_says():
    report = verify(with_entry(2, claim={"legal": False}))
    assert (report.mismatches, report.ok) == ((), False)
    (found,) = report.claims
    assert (found.ply, found.line, found.what) == (1, 4, "legal")


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (End(((1,), (0,)), "resigned"), ""),
        (
            End(((0,), (1,)), "resigned"),
            f"end: the record says {{'ranks': [[0], [1]], 'reason': 'resigned'}}, {RIGHT}",
        ),
        (
            End(((1,), (0,)), "drawn"),
            f"end: the record says {{'ranks': [[1], [0]], 'reason': 'drawn'}}, {RIGHT}",
        ),
    ],
)
def test_an_end_is_compared_with_that_of_the_rules(end, told):
    assert "".join(found.text for found in verify(replace(WHOLE, end=end)).mismatches) == told


def test_a_game_that_goes_on_has_an_end_only_by_the_cap_of_plies():
    going = replace(WHOLE, entries=WHOLE.entries[:3])
    assert verify(replace(going, end=End(((0, 1),), "ply-cap"))).ok
    (found,) = verify(replace(going, end=End(((0, 1),), "drawn", line=7))).mismatches
    assert (found.ply, found.line, found.what) == (None, 7, "end")
    assert found.text == "end: the record says drawn, but the game goes on"


def test_an_unknown_way_and_options_that_only_physics_has_are_refused():
    with pytest.raises(
        InputError, match="'quick' is not a way to verify; choose from rules, physics, exact"
    ):
        verify(WHOLE, "quick")
    with pytest.raises(
        InputError, match="meridians is verified by its rules alone; it takes no engine, processes"
    ):
        verify(WHOLE, processes=2, engine="bullet")


def test_a_game_with_a_way_of_its_own_is_asked_and_hears_of_plies_only_if_it_knows_how(monkeypatch):
    heard = lambda ply: None  # noqa: E731 - only its identity counts
    for own, told in (
        (
            lambda record, mode, on_ply=None, **how: Report(None, 0, warnings=(mode, on_ply, how)),
            ("exact", heard, {"engine": "none"}),
        ),
        (
            lambda record, mode, engine: Report(None, 0, warnings=(mode, engine)),
            ("exact", "none"),
        ),
    ):
        game = SimpleNamespace(verify=own)
        monkeypatch.setattr("rules.record.replay.game", lambda name, game=game, **options: game)
        report = verify(WHOLE, "exact", on_ply=heard, engine="none")
        assert (report.warnings, report.mode) == (told, "exact")
