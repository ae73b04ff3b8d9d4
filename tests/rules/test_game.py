"""Finding games, and what `check_game` says of honest and of broken ones."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint
from typing import Any, ClassVar

import numpy as np
import pytest

from rules.checks import CheckError, check_game
from rules.errors import IllegalMoveError, InputError, NotationError, UnavailableError
from rules.game import Outcome, Reason, Setting, game, known_games
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


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """The games that the distribution offers in these tests."""
    points = [
        EntryPoint("nim", f"{__name__}:nim", "shutoko.games"),
        EntryPoint("broken", "no_such_module:game", "shutoko.games"),
    ]
    monkeypatch.setattr(
        sys.modules["rules.game"],
        "entry_points",
        lambda group: [p for p in points if p.group == group],
    )

    def load(point):
        if point.name != "nim":
            raise ModuleNotFoundError("No module named 'no_such_module'")
        return nim

    monkeypatch.setattr(EntryPoint, "load", load)
    return points


def test_a_game_is_found_by_its_name_and_made_with_its_options():
    assert game("nim", heap=3).start().board_text() == "111"
    assert known_games() == ("broken", "nim")


@pytest.mark.parametrize(
    ("name", "options", "error", "said"),
    [
        ("chess", {}, InputError, "'chess' is not a game; known games: broken, nim"),
        ("nim", {"size": 3}, InputError, r"nim: .*'size'; options: heap"),
        ("broken", {}, UnavailableError, "'broken' is installed but cannot be loaded"),
    ],
)
def test_a_game_or_an_option_that_is_not_there_is_told_with_those_that_are(
    name, options, error, said
):
    with pytest.raises(error, match=said):
        game(name, **options)


def test_without_an_installation_the_message_says_what_to_do(installed):
    installed.clear()
    with pytest.raises(InputError, match="pip install -e"):
        game("nim")


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


def odd(**members: Any) -> Nim:
    """The honest game with these members of its own."""
    return type("Odd", (Nim,), {"__slots__": (), **members})(7)


def refuse_all(state: NimState, text: str) -> str:
    raise IllegalMoveError(text, state.board_text(), "never")


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
    "usual value of the setting heap": odd(settings=(Setting("heap", (3, 5), 7, "stones"),)),
    "described in words": odd(describe=lambda self, step: ()),
    "is rows of ., 1 and 2 joined with /": broken(board_text=lambda self: "x" * (self.heap + 1)),
    "names of the cells are unique": odd(
        view=lambda self, state, before, last: BoardView(
            (Cell("a1", 0, 0), Cell("a1", 1, 0)), "tiles"
        )
    ),
    "offered move 4 is legal": odd(
        offers=lambda self, state, picked: (Offer("4", ("put", {}), {}),)
    ),
    "cells of the offered move 1": odd(
        offers=lambda self, state, picked: (Offer("1", ("put", {}), {"z9": 0}),)
    ),
    "the text '1' of a legal move can be read; '1' is illegal": broken(parse=refuse_all),
    "the record of a game reads back equal": odd(options=property(lambda self: {"heaps": (1, 2)})),
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
