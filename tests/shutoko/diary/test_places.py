"""Places and happenings as people say them at a table."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from rules.record import Entry, Header, Record
from shutoko.diary.happenings import happened
from shutoko.diary.places import PlaceError, direction_of, piece_of, place_of, told
from sim.game import replay
from sim.referee.table import Table

LAYOUT = {
    "pillars": [
        {"id": "A-P1", "at": [0, -55], "discs": 2},
        {"id": "A-P2", "at": [0, 55], "discs": 3},
        {"id": "B-P1", "at": [-55, 0], "discs": 4},
    ],
    "roads": [{"id": "A-R1", "from": "A-P1", "to": "A-P2"}],
    "cars": [{"id": "A-C1", "on": "A-R1", "along": 0.5}],
    "buildings": [{"id": "X0", "kind": "tower", "at": [150, 90]}],
}
TABLE = Table.from_layout(LAYOUT)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("30,-12", (30.0, -12.0)),
        ("(30, -12.5)", (30.0, -12.5)),
        ("30 mm, -12 mm", (30.0, -12.0)),
        ("10 cm at 3 o'clock from A-P1", (100.0, -55.0)),
        ("10cm at 12 o'clock from ap1", (0.0, 45.0)),
        ("100 mm at 6:00 from A-P2", (0.0, -45.0)),
        ("10 cm at 9 oclock", (-100.0, -55.0)),
        ("10 cm à 3 heures de A-P1", (100.0, -55.0)),
        ("10 cm à 3h de A-P1", (100.0, -55.0)),
        ("A-P1에서 3시 방향 10 cm", (100.0, -55.0)),
        ("100 mm at 90 degrees from A-P1", (0.0, 45.0)),
        ("10,5 cm at 3 o'clock", (105.0, -55.0)),
        ("in the direction of 3 o'clock, about 10 cm away from A-P1", (100.0, -55.0)),
        ("environ 10 cm, vers 3 heures, depuis le milieu d'A-P1", (100.0, -55.0)),
        ("10 cm vers les 3 heures de A-P1.", (100.0, -55.0)),
    ],
)
def test_a_place_is_said_by_clock_and_distance_or_coordinates(text, at):
    assert place_of(TABLE, text, "A-P1") == pytest.approx(at)


def test_half_past_two_lies_between_two_and_three():
    found = [direction_of(text) for text in ("2:30", "at 2h30", "around here")]
    assert found == [pytest.approx(15.0), pytest.approx(15.0), None]


def test_two_distances_and_a_rough_direction_make_a_place():
    at = (47.0, 13.0)
    one, two = (math.dist(at, pillar) for pillar in ((0, -55), (-55, 0)))
    text = f"{one:.0f} mm from A-P1 and {two / 10:.1f} cm from B-P1 at 1 o'clock"
    assert math.dist(place_of(TABLE, text), at) < 1.0
    other = text.replace("at 1", "at 7")
    assert math.dist(place_of(TABLE, other), at) > 50.0


def test_a_place_is_told_as_it_is_said():
    at = place_of(TABLE, "124 mm at 10:54 from A-P1")
    assert told(TABLE, at, "A-P1") == (pytest.approx(124.0, abs=0.01), "10:54")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("over there", "over there names no place: give a distance and a direction"),
        ("10 cm", "10 cm names no place"),
        ("at 2 o'clock", "has no distance: add it with mm or cm"),
        ("10 cm at 13 o'clock", "13 o'clock is no time on a clock"),
        ("10 cm at 2:75", "2:75 is no time on a clock"),
        ("10 cm at 2 o'clock from A-P9", "there is no pillar A-P9; there are A-P1, A-P2"),
        ("30000,5", "more than two metres away: are those millimetres?"),
        ("11 cm from A-P1 and 8 cm from A-P1 at 2", "two distances need two pillars"),
        ("2 cm from A-P1 and 3 cm from A-P2", "no place is that far from A-P1 and from A-P2, whi"),
        ("9 cm from A-P1 and 8 cm from A-P2", "add a rough direction from A-P1"),
        ("11 cm at 4 o'clock yellow", "what is yellow?"),
        ("11 cm at 12 o'clock from A-P1 hello world", "what is hello?"),
        ("10 cm à 3 heures de A-P1 jaune", "what is jaune?"),
        ("11 cm at 4 o'clock 5", "what is 5?"),
    ],
)
def test_a_slip_of_a_place_is_answered_by_what_would_be_one_in_every_language(text, why):
    with pytest.raises(PlaceError) as caught:
        place_of(TABLE, text, "A-P1")
    assert why in str(caught.value)
    assert len({caught.value.sentence.told(language) for language in ("en", "fr", "ko")}) == 3


def test_pieces_are_named_as_hands_type_them():
    assert [piece_of(TABLE, text) for text in ("a-p2.3", "AC1", "x0")] == ["A-P2.3", "A-C1", "X0"]
    with pytest.raises(PlaceError, match=r"no piece B-C1 on the table \(.*\); did you mean"):
        piece_of(TABLE, "B-C1")


# --- what happened --------------------------------------------------------------------------------

PLY = Entry(0, 0, {"build": {"from": "A-P2", "pillar": [90, 90], "discs": 2}})
HEADER = Header("tokyo-highway", ("Ann", "Ben"), start=LAYOUT, observed=True)
MOVE = replay.judged(Record(HEADER), PLY, replay.begin(Record(HEADER)))


def noted(*texts: str, move: replay.Step = MOVE) -> Entry:
    entry = PLY
    for text in texts:
        entry = happened(move, entry, text)
    return entry


@pytest.mark.parametrize(
    ("texts", "observed"),
    [
        (["fell A-C1, A-R1 and B-P1.4"], {"fallen": ["A-C1", "A-R1", "B-P1.4"]}),
        (["tombé A-P1"], {"fallen": ["A-P1.1", "A-P1.2", "A-R1", "A-C1"]}),
        (["fell A-P1.1"], {"fallen": ["A-P1.1", "A-P1.2", "A-R1", "A-C1"]}),
        (["fell A-P2.3", "stayed A-C1"], {"fallen": ["A-P2.3", "A-R1"]}),
        (["fell A-P2.3", "resté A-R1"], {"fallen": ["A-P2.3"]}),
        (["fell A-P2", "stayed A-P2.2"], {"fallen": ["A-P2.1"]}),
        (["gone A-C1", "fell A-R1"], {"put": [{"gone": "A-C1"}], "fallen": ["A-R1"]}),
        (["fell A-C1", "fell A-C1 A-R1"], {"fallen": ["A-C1", "A-R1"]}),
        (["A-P1 at 2,-54"], {"put": [{"pillar": "A-P1", "at": [2.0, -54.0]}]}),
        (["A-P1: 2,-54"], {"put": [{"pillar": "A-P1", "at": [2.0, -54.0]}]}),
        (
            ["A-P1 at 2,-54", "A-P1 at 3,-54"],
            {"put": [{"pillar": "A-P1", "at": [3.0, -54.0]}]},
        ),
        (
            ["A-R1 from 2,-55 to 1,57"],
            {"put": [{"road": "A-R1", "start": [2.0, -55.0], "end": [1.0, 57.0]}]},
        ),
        (
            ["A-C1 on A-R1 at 0.4 turned 180"],
            {"put": [{"car": "A-C1", "on": "A-R1", "along": 0.4, "turn": 180.0}]},
        ),
        (["a-c1 on a-r1"], {"put": [{"car": "A-C1", "on": "A-R1", "along": 0.5}]}),
        (
            ["A-C1 sur A-R1 à 0.4 tournée 90"],
            {"put": [{"car": "A-C1", "on": "A-R1", "along": 0.4, "turn": 90.0}]},
        ),
        (["X0 at 151,92"], {"put": [{"building": "X0", "at": [151.0, 92.0]}]}),
        (["gone A-C1"], {"put": [{"gone": "A-C1"}]}),
        (["touched X0"], {"touched": ["X0"]}),
    ],
)
def test_what_happened_is_kept_as_observed(texts, observed):
    assert dict(noted(*texts).observed or {}) == observed


def test_an_end_slid_under_an_older_one_goes_into_the_move_and_notes_are_kept():
    assert noted("under A-R1").do["build"]["road"] == {"under": ["A-R1"]}
    assert noted("note Ben sighs", "note twice").note == "Ben sighs; twice"


LIKE = ("Aiko", "Ben Smith", "b")


@pytest.mark.parametrize(
    ("players", "line", "seat"),
    [
        (("Ann", "Ben"), "paid B 2 1", 1),
        (LIKE, "paid ben smith 2 1", 1),
        (LIKE, "paid Aiko 2 1", 0),
        (LIKE, "paid B 2 1", 2),  # a name goes before a letter
        (LIKE, "paid Tom 2", None),
        (("Ann", "ann"), "paid Ann 2", None),
    ],
)
def test_payments_are_kept_to_whom_they_were_made(players, line, seat):
    move = replace(MOVE, players=players)
    if seat is not None:
        assert noted(line, move=move).pay == [{"to": seat, "grey": 2, "yellow": 1}]
        return
    with pytest.raises(PlaceError, match="say to whom and how many discs"):
        noted(line, move=move)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("fell", "fell what? Name the pieces"),
        ("fel A-C1", "fel A-C1 is not understood; did you mean fell?"),
        ("something odd", "is not understood"),
        ("fell B-C7", "there is no piece B-C7"),
        ("A-R1 at 3,4", "where both ends of A-R1 lie is needed"),
        ("A-C1 at 3,4", "say on which road the car stands"),
        ("A-C1 on A-R1 at 1.4", "runs from 0 to 1, not 1.4"),
        ("touched A-R1", "A-R1 is no building"),
        ("off A-C1", "A-C1 is no car of this turn; only a new car that fell goes back"),
        ("paid Ben two", "say to whom and how many discs"),
    ],
)
def test_a_slip_of_a_happening_is_answered_by_what_is_understood(text, why):
    with pytest.raises(PlaceError) as caught:
        noted(text)
    assert why in str(caught.value)
