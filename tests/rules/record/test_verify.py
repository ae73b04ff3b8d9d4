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
WHOLE = fill(
    Record(
        HEADER,
        (
            Entry(0, 0, "d4", line=2),
            Entry(1, 1, "d4", got=BACK, line=3),
            Entry(1, 1, "c3", claim={"legal": True}, line=4),
            Entry(2, 0, "resign", line=5),
        ),
        path=Path("g.jsonl"),
        warnings=("g.jsonl:9: the line is blank; skipped",),
    )
)
SAYS = f"the rules say {WHOLE.entries[2].got['digest']}"


def with_entry(index: int, **changes: object) -> Record:
    entries = list(WHOLE.entries)
    entries[index] = replace(entries[index], **changes)
    return replace(WHOLE, entries=tuple(entries))


def test_a_true_record_has_no_difference_and_tells_how_far_it_is():
    heard: list[int] = []
    assert MODES == ("rules", "physics", "exact")
    for mode in MODES:
        report = verify(WHOLE, mode, on_ply=heard.append)
        assert report == Report(Path("g.jsonl"), 3, taken_back=1)
        assert report.ok
        assert report.mode is None, "a game of moves alone has one way to be verified"
        assert report.warnings == WHOLE.warnings
    assert heard == [1, 2, 3, 4] * 3


DIFFERENCES = {
    "a digest": (
        2,
        {"got": {"legal": True, "digest": "ab"}},
        "digest: the record says ab, " + SAYS,
    ),
    "an illegal ply that stands": (2, {"do": "d4", "got": None}, "illegal: d4 is taken"),
    "an illegal ply that is called legal": (
        2,
        {"do": "d4", "got": {"legal": True}},
        "the record says that the ply is legal; it is not: d4 is taken",
    ),
    "a legal ply that is called illegal": (
        1,
        {"do": "c4", "got": BACK},
        "the record says that the ply is not legal; it is",
    ),
    "faults of a legal ply": (
        2,
        {"got": {"legal": True, "faults": ["there is a stone"]}},
        "faults: the record says ['there is a stone'], the rules say nothing",
    ),
    "what the game does not judge": (
        2,
        {"got": {"cars": 2}},
        "cars: the record says 2, the rules say nothing",
    ),
}


@pytest.mark.parametrize(("index", "changes", "told"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_a_difference_is_a_mismatch_with_its_place(index, changes, told):
    report = verify(with_entry(index, **changes))
    (found,) = report.mismatches
    assert (found.text, found.ply, found.line, report.ok) == (told, 1, index + 2, False)
    # an illegal ply that stands ends the judging
    judged = (2, 1) if "do" in changes and index == 2 else (3, 1)
    assert (report.plies, report.taken_back) == judged


def test_faults_in_other_words_and_keys_of_ones_own_contradict_nothing():
    own = {"legal": False, "faults": ["there is a stone"], "x-mine": 1}
    assert verify(with_entry(1, got=own)).ok


def test_a_wrong_claim_is_told_apart_from_what_the_record_says():
    report = verify(with_entry(2, claim={"legal": False}))
    assert (report.mismatches, report.ok) == ((), False)
    (found,) = report.claims
    assert (found.ply, found.line, found.what) == (1, 4, "legal")


RESIGNED = "the rules say {'ranks': [[1], [0]], 'reason': 'resigned'}"


@pytest.mark.parametrize(
    ("plies", "end", "told"),
    [
        (4, End(((1,), (0,)), "resigned"), None),
        (4, End(((0,), (1,)), "resigned"), "{'ranks': [[0], [1]], 'reason': 'resigned'}"),
        (4, End(((1,), (0,)), "drawn"), "{'ranks': [[1], [0]], 'reason': 'drawn'}"),
        (3, End(((0, 1),), "ply-cap"), None),
        (3, End(((0, 1),), "drawn", line=7), "drawn"),
        (3, End(((0,), (1,)), "annihilated", line=7), "annihilated"),
        (3, End(((0, 1),), "resigned", line=7), "resigned"),
        (3, End(((0,), (1,)), "resigned"), None),
    ],
)
def test_an_end_is_compared_with_that_of_the_rules_and_the_cap_may_end_what_goes_on(
    plies, end, told
):
    found = verify(replace(WHOLE, entries=WHOLE.entries[:plies], end=end)).mismatches
    rest = RESIGNED if plies == 4 else "but the game goes on"
    expected = [] if told is None else [(None, end.line, f"end: the record says {told}, {rest}")]
    assert [(one.ply, one.line, one.text) for one in found] == expected


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
