"""Finding games, and what `check_game` and `verify` say of honest and of broken ones."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint
from typing import Any, ClassVar

import numpy as np
import pytest

import rules.record.verify
from rules.checks import CheckError, check_game
from rules.errors import IllegalMoveError, InputError, NotationError, RecordError, UnavailableError
from rules.game import Outcome, Reason, Setting, game, known_games
from rules.record import End, Entry, Header, Record, dumps, loads
from rules.record.verify import Report, verify
from rules.turns import TurnManager
from rules.view import BoardView, Cell, Offer


@dataclass(frozen=True, slots=True)
class NimState:
    """One heap; take one to three; whoever takes the last stone wins."""

    heap: int
    turns: TurnManager = field(default_factory=lambda: TurnManager(2))

    @property
    def to_move(self) -> int:
        return self.turns.to_move

    @property
    def side(self) -> int:
        return self.turns.side

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(str(n) for n in range(1, min(3, self.heap) + 1))

    def parse(self, text: str) -> str:
        if not text.isdigit():
            raise NotationError(text, self.board_text(), "a number is needed")
        if text not in self.legal_moves():
            raise IllegalMoveError(text, self.board_text(), "take 1 to 3 of what is there")
        return text

    def after(self, move: str) -> NimState:
        return replace(self, heap=self.heap - int(move), turns=self.turns.advance())

    def outcome(self) -> Outcome | None:
        if self.heap:
            return None
        loser = self.to_move
        return Outcome((1 - loser,), Reason.CONNECTED, ((1 - loser,), (loser,)))

    def digest(self) -> str:
        return hashlib.sha256(f"{self.heap} {self.to_move}".encode()).hexdigest()[:16]

    def board_text(self) -> str:
        return "1" * self.heap


@dataclass(frozen=True, slots=True)
class Nim:
    heap: int = 7
    state: type[NimState] = NimState
    name: ClassVar[str] = "nim"
    seats: ClassVar[int] = 2

    @property
    def options(self) -> dict[str, Any]:
        return {} if self.heap == 7 else {"heap": self.heap}

    def start(self) -> NimState:
        return self.state(self.heap)


def nim(heap: int = 7) -> Nim:
    return Nim(heap)


class Refereed(Nim):
    """A game that verifies by itself, as Tokyo Highway does."""

    def verify(self, record: Record, *, mode: str, **how: Any) -> Report:
        return Report(record.path, 0, warnings=(mode, *how))


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """The games that the distribution offers in these tests."""
    points = [
        EntryPoint("nim", f"{__name__}:nim", "shutoko.games"),
        EntryPoint("refereed", f"{__name__}:Refereed", "shutoko.games"),
        EntryPoint("broken", "no_such_module:game", "shutoko.games"),
    ]
    factories = {"nim": nim, "refereed": Refereed}
    monkeypatch.setattr(
        sys.modules["rules.game"],
        "entry_points",
        lambda group: [p for p in points if p.group == group],
    )

    def load(point):
        if point.name not in factories:
            raise ModuleNotFoundError("No module named 'no_such_module'")
        return factories[point.name]

    monkeypatch.setattr(EntryPoint, "load", load)
    return points


def test_a_game_is_found_by_its_name_and_made_with_its_options():
    assert game("nim", heap=3).start().board_text() == "111"
    assert known_games() == ("broken", "nim", "refereed")


def test_an_unknown_game_names_the_known_ones():
    with pytest.raises(
        InputError, match="'chess' is not a game; known games: broken, nim, refereed"
    ):
        game("chess")


def test_an_unknown_option_names_the_known_ones():
    with pytest.raises(InputError, match=r"nim: .*'size'; options: heap"):
        game("nim", size=3)


def test_a_game_whose_module_is_missing_is_unavailable_not_unknown():
    with pytest.raises(UnavailableError, match="'broken' is installed but cannot be loaded"):
        game("broken")


def test_without_an_installation_the_message_says_what_to_do(installed):
    installed.clear()
    with pytest.raises(InputError, match="pip install -e"):
        game("nim")


def test_reasons_are_the_words_of_the_record():
    assert Reason.CONNECTED == "connected"
    assert [str(reason) for reason in Reason] == [
        "resigned",
        "connected",
        "annihilated",
        "drawn",
        "ply-cap",
    ]


def test_an_honest_game_passes_every_check():
    check_game(Nim(12), np.random.default_rng(1), games=10)
    check_game(Nim(), np.random.default_rng(1), games=10)


def broken(**changes: Any) -> Nim:
    state = type("BrokenState", (NimState,), {"__slots__": (), **changes})
    return Nim(7, state)


COUNT = iter(range(10**6))


class MutableState(NimState):
    """Applying a move also changes the state it is applied to."""

    __slots__ = ()

    def after(self, move):
        following = super().after(move)
        object.__setattr__(self, "heap", self.heap - 1)
        return following


class Unusual(Nim):
    __slots__ = ()
    settings = (Setting("heap", (3, 5), 7, "stones"),)


class Speechless(Nim):
    __slots__ = ()

    def describe(self, step: Any) -> tuple[str, ...]:
        return ()


class Twofold(Nim):
    __slots__ = ()

    def view(self, state: Any, before: Any, last: Any) -> BoardView:
        return BoardView((Cell("a1", 0, 0), Cell("a1", 1, 0)), "tiles")


class Forward(Nim):
    __slots__ = ()

    def offers(self, state: Any, picked: str | None) -> tuple[Offer, ...]:
        return (Offer("4", ("put", {}), {}),)


class Outside(Nim):
    __slots__ = ()

    def offers(self, state: Any, picked: str | None) -> tuple[Offer, ...]:
        return (Offer("1", ("put", {}), {"z9": 0}),)


def ended(winners: tuple[int, ...], ranks: tuple[tuple[int, ...], ...]) -> Any:
    return lambda self: None if self.heap else Outcome(winners, Reason.CONNECTED, ranks)


BROKEN = {
    "16 hexadecimal digits": broken(digest=lambda self: f"{self.heap:015x}"),
    "digest of one state repeats": broken(digest=lambda self: f"{next(COUNT):016x}"),
    "different positions have different digests": broken(digest=lambda self: "0" * 16),
    "legal moves are sorted": broken(legal_moves=lambda self: NimState.legal_moves(self)[::-1]),
    "legal moves are unique": broken(
        legal_moves=lambda self: tuple(m for m in NimState.legal_moves(self) for _ in "ab")
    ),
    "there is a legal move before the end": broken(
        legal_moves=lambda self: NimState.legal_moves(self) if self.heap > 6 else ()
    ),
    "reads back to an equal move": broken(parse=lambda self, text: f"0{text}"),
    "nothing is legal after the end": broken(
        legal_moves=lambda self: NimState.legal_moves(self) or ("1",)
    ),
    "leaves the old state alone": Nim(7, MutableState),
    "one state": broken(
        after=lambda self, move: type(self)(
            max(0, self.heap - 1 - next(COUNT) % 2), self.turns.advance()
        )
    ),
    "a game ends within": broken(
        after=lambda self, move: type(self)(self.heap, self.turns.advance())
    ),
    "the seat to move": broken(to_move=property(lambda self: 2)),
    "are seats": broken(outcome=ended((2,), ((0,), (1,)))),
    "name every seat once": broken(outcome=ended((0,), ((0,),))),
    "lead the ranks": broken(outcome=ended((1,), ((0,), (1,)))),
    "usual value of the setting heap": Unusual(),
    "described in words": Speechless(),
    "is rows of ., 1 and 2 joined with /": broken(board_text=lambda self: "x" * (self.heap + 1)),
    "names of the cells are unique": Twofold(),
    "offered move 4 is legal": Forward(),
    "cells of the offered move 1": Outside(),
}


@pytest.mark.parametrize("promise", BROKEN)
def test_a_broken_promise_is_found_and_named(promise):
    with pytest.raises(CheckError, match=promise):
        check_game(BROKEN[promise], np.random.default_rng(1), games=5, plies=50)


def test_moves_whose_text_leads_elsewhere_are_found():
    class Moves(NimState):
        """Moves are numbers that keep more than their text says."""

        __slots__ = ()

        def legal_moves(self):
            return tuple(Loose(n, "list") for n in NimState.legal_moves(self))

        def parse(self, text):
            return Loose(text, "text")

        def after(self, move):
            move = self.parse(move) if isinstance(move, str) else move
            taken = int(move.text) if move.origin == "list" else 1
            return type(self)(max(0, self.heap - taken), self.turns.advance())

    with pytest.raises(CheckError, match="replaying the texts"):
        check_game(Nim(7, Moves), np.random.default_rng(1), games=5)


@dataclass(frozen=True)
class Loose:
    text: str
    origin: str = field(compare=False)

    def __str__(self) -> str:
        return self.text


def test_legal_moves_whose_text_cannot_be_read_are_found():
    with pytest.raises(
        CheckError, match="the text '1' of a legal move can be read; '1' is illegal"
    ):
        check_game(broken(parse=refuse_all), np.random.default_rng(1), games=1)


def refuse_all(state: NimState, text: str) -> str:
    raise IllegalMoveError(text, state.board_text(), "never")


def test_options_that_a_record_cannot_hold_the_same_way_are_found():
    class Tuples(Nim):
        """Its options come back from a record as a list."""

        @property
        def options(self):
            return {"heaps": (1, 2)}

    with pytest.raises(CheckError, match="the record of a game reads back equal"):
        check_game(Tuples(7), np.random.default_rng(1), games=1)


def nim_record(*moves: str, **header: Any) -> Record:
    """A true record of these moves."""
    record = Record(Header("nim", ("north", "south"), options={"heap": 7}, **header))
    state = Nim(7).start()
    for ply, move in enumerate(moves):
        following = state.after(move)
        record = record.plus(
            Entry(ply, state.to_move, move, got={"legal": True, "digest": following.digest()})
        )
        state = following
    outcome = state.outcome()
    return record if outcome is None else record.with_end(End(outcome.ranks, outcome.reason))


def changed(record: Record, ply: int, **changes: Any) -> Record:
    entries = tuple(
        replace(entry, **changes) if entry.ply == ply else entry for entry in record.entries
    )
    return replace(record, entries=entries)


@pytest.mark.parametrize("mode", ["rules", "physics", "exact"])
def test_a_true_record_verifies(mode):
    report = verify(nim_record("3", "3", "1"), mode)
    assert report.ok
    assert report.plies == 3


def test_a_digest_that_differs_is_a_mismatch_with_its_ply_and_line():
    record = changed(
        loads(dumps(nim_record("3", "3", "1"))), 1, got={"legal": True, "digest": "0" * 16}
    )
    report = verify(record)
    assert not report.ok
    (mismatch,) = report.mismatches
    assert (mismatch.ply, mismatch.line, mismatch.what, mismatch.expected) == (
        1,
        3,
        "digest",
        "0" * 16,
    )
    assert mismatch.text.startswith("digest: the record says 0000000000000000, the rules say ")


def test_an_illegal_move_is_a_mismatch_and_stops_the_replay():
    report = verify(changed(nim_record("3", "1", "1"), 1, do="9", got=None))
    assert [m.what for m in report.mismatches] == ["legal"]
    assert "take 1 to 3" in report.mismatches[0].text
    assert report.plies == 2


def test_an_illegal_move_taken_back_is_true_and_changes_nothing():
    record = Record(Header("nim", ("north", "south"), options={"heap": 3}))
    record = record.plus(Entry(0, 0, "4", got={"legal": False, "faults": ["too many"]})).plus(
        Entry(0, 0, "3", got={"legal": True})
    )
    assert verify(record.with_end(End(((0,), (1,)), "connected"))).ok


def test_a_legal_move_called_illegal_is_a_mismatch():
    record = Record(Header("nim", ("north", "south"))).plus(Entry(0, 0, "3", got={"legal": False}))
    assert [(m.what, m.found) for m in verify(record).mismatches] == [("legal", True)]


def test_a_move_after_the_end_is_a_mismatch():
    record = replace(nim_record("3", "3", "1"), end=None).plus(Entry(3, 1, "1"))
    (mismatch,) = verify(record).mismatches
    assert "the game is over" in mismatch.text


def test_what_the_game_does_not_judge_is_a_mismatch():
    report = verify(changed(nim_record("3"), 0, got={"cars": 2, "x-mine": 1}))
    assert [(m.what, m.expected, m.found) for m in report.mismatches] == [("cars", 2, None)]


def test_a_claim_not_shared_is_reported_apart():
    report = verify(changed(nim_record("3"), 0, claim={"legal": False}))
    assert report.mismatches == ()
    assert [m.what for m in report.claims] == ["legal"]
    assert not report.ok


def test_a_wrong_end_is_a_mismatch():
    record = replace(nim_record("3", "3", "1"), end=End(((1,), (0,)), "connected"))
    assert [m.what for m in verify(record).mismatches] == ["end"]
    early = nim_record("3").with_end(End(((0,), (1,)), "connected"))
    assert "the game goes on" in verify(early).mismatches[0].text


def test_a_ply_cap_may_end_a_game_that_goes_on():
    assert verify(nim_record("3").with_end(End(((0, 1),), "ply-cap"))).ok


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (
            changed(nim_record("3", "1"), 1, by=0),
            "g.jsonl:3: ply 1: seat 0 moves out of turn; seat 1 is to move",
        ),
        (changed(nim_record("3", "1"), 1, do="many"), "g.jsonl:3: ply 1: 'many' is not a move"),
        (
            changed(nim_record("3", "1"), 1, do={"pass": "no room"}),
            "g.jsonl:3: ply 1: do must be the text of a move",
        ),
        (nim_record("3", start={}), "g.jsonl:1: nim cannot begin from a start layout"),
        (nim_record("3", ruleset="kr"), "g.jsonl:1: nim has no rule set 'kr'"),
        (Record(Header("nim", ("a", "b", "c"))), "g.jsonl:1: nim has 2 seats, but players names 3"),
    ],
)
def test_a_record_that_cannot_be_replayed_is_an_error_with_its_place(record, reason):
    with pytest.raises(RecordError) as caught:
        verify(loads(dumps(record), "g.jsonl"))
    assert str(caught.value).startswith(reason)


def test_a_game_may_verify_by_itself():
    assert verify(Record(Header("refereed", ("a", "b"))), "exact", engine="bullet").warnings == (
        "exact",
        "engine",
    )


def test_unknown_modes_and_means_are_refused():
    with pytest.raises(InputError, match="choose from rules, physics, exact"):
        verify(nim_record("3"), "fast")
    with pytest.raises(InputError, match="takes no engine"):
        verify(nim_record("3"), engine="bullet")
    assert rules.record.verify.MODES == ("rules", "physics", "exact")
