"""A turn that is told piece by piece, in any order, and kept at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from rules import record
from rules.errors import InputError
from rules.game import game
from rules.record import Entry
from shutoko.diary.diary import Diary, begun, header_of, reopened
from shutoko.diary.happenings import remarks
from shutoko.diary.places import PlaceError
from shutoko.diary.turn import Turn, counts_cars
from sim.game.verify import verify

TURNS = (
    {"entrance": {"pillar": [0, -55], "toward": 270}, "car": 0.5},
    {"entrance": {"pillar": [0, 55], "toward": 90}, "car": 0.5},
    {"build": {"from": "A-P0", "pillar": [41, 27.3], "discs": 2}},
)
CROSSES = {"build": {"from": "B-P0", "pillar": [75.5, -43.4], "discs": 2}}
"""Ben's road crosses Ann's: one car."""


@pytest.fixture
def diary(tmp_path: Path) -> Diary:
    made = game("tokyo-highway", players=2)
    diary = begun(header_of(made, ("Ann", "Ben"), 3.0), tmp_path / "noted.jsonl")
    for do in TURNS:
        turn = Turn(diary, diary.entry(do))
        assert turn.refusal is None
        turn.keep()
    return diary


@pytest.fixture
def turn(diary: Diary) -> Turn:
    return Turn(diary, diary.entry(CROSSES))


def sound(diary: Diary) -> bool:
    return verify(record.read(diary.path), mode="rules").ok


def test_the_referee_counts_the_cars_and_people_may_count_others(diary, turn):
    assert (counts_cars(turn.step), len(turn.step.verdict.spots)) == (True, 1)
    turn.count(1)
    # as the referee counts: nothing to note
    assert (turn.refusal, turn.step.entry.observed) == (None, None)
    turn.count(3)
    assert "3 cars" in str(turn.refusal)
    assert (turn.accept(), turn.refusal, turn.accepted) == (True, None, True)
    turn.keep()
    assert diary.table.stocks[1].cars == diary.steps[-1].before.stocks[1].cars - 3


class Telling(NamedTuple):
    """What is told of pieces (piece, kind, words) and taken back (piece, or piece and kind), and
    what holds then: what is missing, what was told, which cars lie, who is paid.
    """

    told: Sequence[tuple[str, ...]]
    missing: tuple[str, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()
    cars: tuple[str, ...] = ("B-C1",)
    paid: Sequence[int] = ()


TWO_FELL = [("A-R1", "fell", "fell A-R1"), ("A-P1", "fell", "fell A-P1.2")]
TELLINGS = {
    "what fell": Telling(
        TWO_FELL, ("A-R1", "A-P1.2"), (("A-R1", "fell"), ("A-P1", "fell")), paid=[0]
    ),
    "what lay on what fell": Telling(
        [*TWO_FELL, ("A-R1",)], ("A-P1.2", "A-R1"), (("A-P1", "fell"),), paid=[0]
    ),
    "what stayed though it lay on what fell": Telling(
        [*TWO_FELL, ("A-R1",), ("A-R1", "fell", "stayed A-R1")],
        ("A-P1.2",),
        (("A-P1", "fell"), ("A-R1", "fell")),
        paid=[0],
    ),
    "nothing of a kind that was not told is taken back": Telling(
        [TWO_FELL[1], ("A-P1", "put")], ("A-P1.2", "A-R1"), (("A-P1", "fell"),), paid=[0]
    ),
    "a new car that fell stands again": Telling(
        [("B-C1", "fell", "fell B-C1")], ("B-C1",), (("B-C1", "fell"),)
    ),
    "a new car that went off": Telling(
        [("B-C1", "fell", "off B-C1")], ("B-C1",), (("B-C1", "fell"),), cars=()
    ),
    "a car that is gone": Telling([("A-C0", "put", "gone A-C0")], ("A-C0",), (("A-C0", "put"),)),
    "a car that was gone and is back": Telling([("A-C0", "put", "gone A-C0"), ("A-C0", "put")]),
}


@pytest.mark.parametrize("telling", TELLINGS.values(), ids=TELLINGS)
def test_what_happened_is_told_in_any_order_and_may_be_taken_back(turn, telling):
    for words in telling.told:
        (turn.tell if len(words) == 3 else turn.forget)(*words)
    assert (turn.missing(), turn.told) == (telling.missing, telling.kinds)
    assert turn.step.verdict.cars == telling.cars
    assert [payment.to for payment in turn.step.verdict.paid] == [*telling.paid]
    assert turn.before_falling().verdict.fallen == ()
    assert {"A-C0", "B-C1"} <= {car.id for car in turn.before_falling().after.cars}
    assert turn.is_gone("A-C0") is ("A-C0" in telling.missing)
    assert turn.fell("A-P1") is ("A-P1.2" in telling.missing)


def test_what_was_put_elsewhere_stands_there(diary, turn):
    turn.tell("A-P1", "fell", "fell A-P1.2")
    turn.tell("A-P1", "put", "A-P1 at 45,29")
    turn.tell("B-C1", "put", "B-C1 on B-R1 at 0.4")
    turn.keep()
    assert diary.table.top(diary.table.pillar_by_id["A-P1"]) == pytest.approx((45, 29))
    assert [car.along for car in diary.table.cars if car.id == "B-C1"] == [0.4]


@pytest.mark.parametrize(
    "told",
    [
        ("B-P9", "fell", "fell B-P9"),
        ("A-P1", "put", "A-P1 at 0,55"),  # a pillar stands there
    ],
)
def test_a_line_that_cannot_be_used_leaves_the_turn_as_it_was(turn, told):
    turn.tell("A-C0", "put", "A-C0 on A-R0 at 0.4 turned 180")
    before = turn.step.entry
    with pytest.raises((PlaceError, InputError)):
        turn.tell(*told)
    assert (turn.step.entry, turn.told) == (before, (("A-C0", "put"),))


def test_another_payment_than_is_due_is_accepted_or_left_out(turn):
    turn.tell("A-R1", "fell", "fell A-R1")
    for line in ("paid Ann 2", "paid A 0"):
        turn.tell(line, "more", line)
        assert "but 1 is due" in (turn.refusal or "")
        assert (turn.leave_out(), turn.refusal, turn.leave_out()) == (True, None, False)
    assert [payment.total for payment in turn.step.verdict.paid] == [1]
    turn.tell("paid", "more", "paid Ann 99")
    assert not turn.accept(), "nobody has that many"
    assert (turn.leave_out(), turn.accepted) == (True, False)
    turn.tell("paid", "more", "paid Ann 2")
    assert turn.accept()
    assert [payment.total for payment in turn.step.verdict.paid] == [2]
    assert "noticed too late" in "".join(turn.step.told())


def test_a_new_car_that_went_off_is_kept_as_not_placed(diary, turn):
    turn.tell("B-C1", "fell", "off B-C1")
    turn.keep()
    assert (diary.record.entries[-1].claim, sound(diary)) == ({"placed": 0}, True)


def test_what_fell_in_a_turn_without_a_road_is_kept(diary):
    turn = Turn(diary, diary.entry("resign"))
    turn.tell("A-R1", "fell", "fell A-R1")
    turn.keep()
    assert diary.steps[-1].verdict.owed == ((0, 1),)


def test_a_turn_against_the_rules_is_accepted_or_kept_as_taken_back(diary):
    far = {"build": {"from": "B-P0", "pillar": [75.5, -43.4], "discs": 4}}
    turn = Turn(diary, diary.entry(far))
    assert turn.refusal is not None
    turn.keep()
    # the same player moves again
    assert (diary.record.entries[-1].taken_back, diary.table.to_move) == (True, 1)
    turn = Turn(diary, diary.entry(far))
    turn.accept()
    turn.keep()
    assert diary.record.entries[-1].accepted
    assert diary.table.pillar_by_id["B-P1"].discs == 4


def test_every_kept_turn_is_on_the_disk_and_the_record_is_sound(diary, turn):
    turn.tell("A-P1", "fell", "fell A-P1")
    turn.keep()
    again = reopened(diary.path)
    assert (again.record.next_ply, again.table.digest()) == (4, diary.table.digest())
    assert sound(diary)
    diary.undo()
    assert reopened(diary.path).record.next_ply == 3


def test_a_move_out_of_turn_is_refused(diary):
    with pytest.raises(InputError):
        Turn(diary, Entry(diary.record.next_ply, 0, CROSSES))


def test_what_counts_as_fallen_with_other_pieces_is_told_unless_it_was_said(turn):
    turn.tell("A-C0", "fell", "fell A-C0")
    turn.tell("A-C0", "put", "A-C0 on A-R0 at 0.6")
    turn.tell("A-P0", "fell", "fell A-P0.1")
    told = [one.told() for one in remarks(turn.first, turn.step, turn.said)]
    assert told[0] == "Counted as fallen with it: A-R0 and A-R1. If not, say stayed A-R0 A-R1."
    assert told[1].startswith("Counted as put back where it was: A-P0, A-R0 and A-R1.")
