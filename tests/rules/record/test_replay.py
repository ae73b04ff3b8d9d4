"""Playing records again: what each step says, and what is refused with which place."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from rules.errors import GAME_OVER, RecordError
from rules.record import End, Entry, Header, Record, dumps, loads, replay
from rules.record.replay import (
    IllegalPlyError,
    StepOf,
    begin,
    fill,
    filled,
    judged,
    played,
    steps,
)
from rules.record.verify import Remark, verified

HEADER = Header("meridians", ("ann", "bob"), options={"size": 4})
MOVES = (Entry(0, 0, "d4", line=2), Entry(1, 1, "c3", line=3))
BACK = {"legal": False}


def record_of(*entries: Entry, header: Header = HEADER, end: End | None = None) -> Record:
    return Record(header, entries, end, path=Path("g.jsonl"))


def test_a_move_taken_back_is_judged_and_told_whether_the_rules_refuse_it_or_not():
    legal, refused = Entry(1, 1, "c4", got=BACK), Entry(1, 1, "d4", got=BACK)
    first, allowed, not_allowed, last = steps(record_of(MOVES[0], legal, refused, MOVES[1]))
    assert [str(step) for step in (first, allowed, not_allowed, last)] == [
        "ply  0  ann: d4",
        "ply  1  bob: c4  (taken back)",
        "ply  1  bob: d4  (taken back: d4 is taken)",
        "ply  1  bob: c3",
    ]
    assert (
        first.after
        == allowed.before
        == not_allowed.before
        == not_allowed.after
        == last.before
        != allowed.after
    )
    assert not_allowed.got() == {"legal": False, "faults": ["d4 is taken"]}
    assert allowed.got() == {"legal": True, "digest": allowed.after.digest()}


def test_an_illegal_ply_that_was_not_taken_back_ends_the_replay_with_its_place():
    played = steps(record_of(*MOVES, Entry(2, 0, "c3", line=4)))
    assert [next(played).ply, next(played).ply] == [0, 1]
    with pytest.raises(IllegalPlyError) as caught:
        next(played)
    assert str(caught.value) == "g.jsonl:4: ply 2: illegal: c3 is taken"
    assert (caught.value.ply, caught.value.reason) == (2, "c3 is taken")


def test_after_the_end_of_a_game_no_move_is_judged():
    ended = Entry(0, 0, "resign")
    _, late = steps(record_of(ended, Entry(1, 0, "no move at all", got=BACK)))
    assert (late.move, late.refusal, late.after) == (None, GAME_OVER, late.before)


TOLD = {
    "g.jsonl:3: ply 1: seat 0 moves out of turn; seat 1 is to move": (
        (MOVES[0], Entry(1, 0, "c3", line=3)),
        HEADER,
    ),
    "g.jsonl:2: ply 0: 'z9' ": ((Entry(0, 0, "z9", line=2),), HEADER),
    "g.jsonl:2: ply 0: do must be the text of a move in this game, not an object": (
        (Entry(0, 0, {"at": "d4"}, line=2),),
        HEADER,
    ),
    "g.jsonl:1: meridians has 2 seats, but players names 1": ((), Header("meridians", ("a",))),
    "g.jsonl:1: meridians has 2 seats, but players names 3": (
        (),
        Header("meridians", ("a", "b", "c")),
    ),
    "g.jsonl:1: meridians has no rule set 'mine'; it has one, standard, and options": (
        (),
        Header("meridians", ("a", "b"), ruleset="mine"),
    ),
    "g.jsonl:1: meridians cannot begin from a start layout": (
        (),
        Header("meridians", ("a", "b"), start={"to_move": 1}),
    ),
    "g.jsonl:1: 'chess' is not a game; known games: ": ((), Header("chess", ("a", "b"))),
    "g.jsonl:1: meridians: there is no option 'colour'": (
        (),
        Header("meridians", ("a", "b"), options={"colour": "red"}),
    ),
}


@pytest.mark.parametrize("told", TOLD)
def test_what_cannot_be_played_again_names_its_line_and_ply(told):
    entries, header = TOLD[told]
    with pytest.raises(RecordError) as caught:
        list(steps(record_of(*entries, header=header)))
    assert str(caught.value).startswith(told)


def test_a_record_is_filled_with_what_came_of_each_ply_and_the_end():
    filled = fill(record_of(*MOVES, Entry(2, 0, "d4", got=BACK), Entry(2, 0, "resign")))
    assert [entry.got["legal"] for entry in filled.entries if entry.got] == [
        True,
        True,
        False,
        True,
    ]
    assert [entry.got for entry in filled.entries] == [step.got() for step in steps(filled)]
    assert (filled.end, loads(dumps(filled))) == (End(((1,), (0,)), "resigned"), filled)
    capped = End(((0, 1),), "ply-cap")
    assert fill(record_of(*MOVES, end=capped)).end == capped, (
        "the game goes on, so its end is as it was written"
    )
    assert fill(record_of(*MOVES)).end is None


def test_a_game_that_replays_begins_and_fills_by_itself_is_asked(monkeypatch):
    asked = SimpleNamespace(
        begin=lambda record: (asked, record.header.start),
        replay=lambda record: iter(["its own steps"]),
        fill=lambda record, engine: (record, engine),
    )
    monkeypatch.setattr("rules.record.replay.game", lambda name, **options: asked)
    record = record_of(header=Header("dice", ("a",), start={"eyes": 6}))
    assert (begin(record), list(replay.replay(record))) == ((asked, {"eyes": 6}), ["its own steps"])
    assert fill(record, "bullet") == (record, "bullet")


# --- a game with steps of its own -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told(StepOf):
    """A step that tells all faults of a move and notes the board."""

    @property
    def faults(self):
        return ("there is a stone", "and it is light") if self.refusal else ()

    def told_entry(self):
        return replace(self.entry, got=self.got(), note=self.after.board_text())


def telling(record):
    """A judge by the rules whose steps tell more."""

    def judge(state, entry):
        step = judged(state, entry, record)
        return Told(*(getattr(step, one.name) for one in fields(step)))

    return judge


def test_a_game_with_a_judge_of_its_own_is_played_and_filled_by_its_steps():
    record = record_of(*MOVES, Entry(2, 0, "resign"))
    own = [*played(record, begin(record)[1], telling(record))]
    full = filled(record, begin(record)[1], own)
    assert [entry.note for entry in full.entries] == [step.after.board_text() for step in own]
    assert (full.end.ranks, full.end.reason) == (((1,), (0,)), "resigned")
    illegal = record_of(MOVES[0], Entry(1, 1, "d4"))
    with pytest.raises(IllegalPlyError) as refused:
        list(played(illegal, begin(illegal)[1], telling(illegal)))
    assert (refused.value.ply, refused.value.faults) == (1, ("there is a stone", "and it is light"))


def test_verifying_goes_on_from_the_state_that_the_judge_gives_and_notes_what_it_compares():
    def judge(state, entry):
        return judged(state, entry, record), state  # somebody takes the stone off again

    def compare(step, found):
        found.remarks.append(Remark(step.ply, None, step.before.board_text()))

    moves = ("d4", "d4", "pass", "d4")  # a pass is refused
    record = record_of(*(Entry(ply, 0, move) for ply, move in enumerate(moves)))
    start, heard = begin(record)[1], []
    report = verified(record, start, judge, compare, lambda end, outcome: [], heard.append)
    assert [remark.text for remark in report.remarks] == [start.board_text()] * 3
    assert (report.plies, heard, report.ok) == (3, [1, 2, 3], True)
