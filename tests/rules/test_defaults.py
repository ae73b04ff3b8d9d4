"""What holds for a game that says nothing but its rules, and that a game's own word counts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from rules import defaults
from rules.errors import IllegalMoveError, InputError
from rules.game import Game, Guide, Outcome, Setting
from rules.record import Entry, Header
from rules.record.replay import Step
from rules.turns import TurnManager
from rules.view import BoardView, Offer, SceneView


@dataclass(frozen=True, slots=True)
class RowState:
    """Four cells in a row, filled in turn; one may also pass at the end."""

    cells: str = "...."
    to_move: int = 0

    @property
    def side(self) -> int:
        return self.to_move

    def legal_moves(self) -> tuple[str, ...]:
        return (*(f"{'abcd'[n]}1" for n, cell in enumerate(self.cells) if cell == "."),) or (
            "pass",
        )

    def parse(self, text: str) -> str:
        if text not in self.legal_moves():
            raise IllegalMoveError(text, self.cells, "taken")
        return text

    def after(self, move: str) -> RowState:
        cells, n = list(self.cells), "abcd".find(self.parse(move)[0])
        if move != "pass":
            cells[n] = "12"[self.to_move]
        return replace(self, cells="".join(cells), to_move=1 - self.to_move)

    def outcome(self) -> Outcome | None:
        return None

    def digest(self) -> str:
        return hashlib.sha256(f"{self.cells}{self.to_move}".encode()).hexdigest()[:16]

    def board_text(self) -> str:
        return self.cells


@dataclass(frozen=True, slots=True)
class Row:
    """Rules and nothing else."""

    name: ClassVar[str] = "fill-a-row"
    seats: ClassVar[int] = 2
    options: ClassVar[Mapping[str, Any]] = {"wide": False}

    def start(self) -> RowState:
        return RowState()


@dataclass(frozen=True, slots=True)
class Talkative(Row):
    """The same, with a word of its own for everything."""

    guide: ClassVar[Guide] = Guide("Row", "a", "b", "c", ("red", "blue"))
    settings: ClassVar[tuple[Setting, ...]] = (Setting("wide", (False, True), False, "how wide"),)
    hands: ClassVar[Mapping[str, Any]] = {"steady": 1}

    def view(self, state: RowState, before: RowState | None, last: str | None) -> SceneView:
        return SceneView((state.cells, before, last))

    def offer(self, state: RowState, move: str) -> Offer | None:
        return Offer(move, ("x", {}), {move: None}) if state.cells == "...." else None

    def cells_of(self, text: str) -> list[str]:
        return [text.upper()]

    def asks(self, state: RowState) -> str:
        return f"at {state.cells}"

    def describe(self, step: Step) -> tuple[str, ...]:
        return (f"{step.ply}!",)

    def header(self, players: list[str], **given: Any) -> Header:
        return Header("other", tuple(players), **given)

    def table(self, state: RowState) -> str:
        return f"the table of {state.cells}"

    def mover(self, state: RowState, move: str) -> int:
        return 1 if move == "back" else state.to_move

    def perform(
        self, state: RowState, move: str, player: object, rng: object, ply: int
    ) -> tuple[RowState, Entry]:
        return state.after(move), Entry(ply, 0, move, note=f"{player} {rng}")


PLAIN: Game[Any] = Row()
OWN: Game[Any] = Talkative()
RNG = np.random.default_rng(0)


def step(state: RowState, move: str) -> Step:
    return Step(Entry(0, 0, move), move, state, state.after(move), None, ("Ann", "Bo"))


def test_a_game_that_says_nothing_has_a_guide_and_no_settings():
    guide = defaults.guide(PLAIN)
    assert (guide.title, guide.sides) == ("Fill a row", ("first", "second"))
    assert guide.rules == "this game brings no text of its rules"
    assert (defaults.settings(PLAIN), dict(defaults.hands(PLAIN)), defaults.is_slow(PLAIN)) == (
        (),
        {},
        False,
    )


def test_its_board_is_drawn_from_its_text_with_the_last_move_marked():
    state = RowState("1..2")
    seen = defaults.view(PLAIN, state, last="d1")
    assert isinstance(seen, BoardView)
    assert [(cell.name, cell.holds) for cell in seen.cells] == [
        ("a1", 0),
        ("b1", None),
        ("c1", None),
        ("d1", 1),
    ]
    assert (seen.last, seen.borders) == (("d1",), ())
    assert defaults.view(PLAIN, state, last="pass").last == ()


def test_its_moves_on_cells_put_the_movers_colour_there_and_others_are_plain():
    offers = defaults.offers(PLAIN, RowState("12..", 1))
    assert [(offer.move, offer.holds) for offer in offers] == [("c1", {"c1": 1}), ("d1", {"d1": 1})]
    assert offers[0].about == ("put", {"cell": "c1", "colour": 1})
    full = RowState("1212")
    assert (defaults.offers(PLAIN, full), defaults.plain_moves(PLAIN, full)) == ((), ("pass",))
    assert defaults.asks(PLAIN, full) == "nothing is legal but pass"
    assert defaults.asks(PLAIN, RowState()) == ""


def test_a_number_that_names_no_cell_is_a_plain_move():
    class Heap(RowState):
        def legal_moves(self) -> tuple[str, ...]:
            return ("1", "2", "a1")

    assert defaults.plain_moves(PLAIN, Heap()) == ("1", "2")
    assert [offer.move for offer in defaults.offers(PLAIN, Heap())] == ["a1"]


def test_its_moves_are_told_recorded_and_made_by_its_rules_alone():
    state = RowState()
    assert defaults.describe(PLAIN, step(state, "b1")) == ("Ann: b1",)
    assert defaults.header(PLAIN, ["Ann", "Bo"], seed=3) == Header(
        "fill-a-row", ("Ann", "Bo"), options={"wide": False}, seed=3
    )
    after, entry = defaults.perform(PLAIN, state, "b1", None, RNG, 5)
    assert (after, entry) == (
        state.after("b1"),
        Entry(5, 0, "b1", got={"legal": True, "digest": after.digest()}),
    )


def test_what_a_game_says_itself_counts():
    state = RowState()
    assert defaults.guide(OWN).title == "Row"
    assert [setting.name for setting in defaults.settings(OWN)] == ["wide"]
    assert defaults.view(OWN, state, state, "a1") == SceneView(("....", state, "a1"))
    assert defaults.cells_of(OWN, "a1") == ("A1",)
    assert defaults.offer(OWN, RowState("1..."), "b1") is None
    assert len(defaults.offers(OWN, state)) == 4
    assert defaults.asks(OWN, state) == "at ...."
    assert defaults.describe(OWN, step(state, "b1")) == ("0!",)
    assert defaults.header(OWN, ["Ann"]).game == "other"
    assert (defaults.table(OWN, state), defaults.table(PLAIN, state)) == ("the table of ....", None)
    assert [defaults.mover(game, state, "back") for game in (OWN, PLAIN)] == [1, 0]
    assert defaults.perform(OWN, state, "a1", "p", RNG, 0)[1].note.startswith("p ")
    assert (dict(defaults.hands(OWN)), defaults.is_slow(OWN)) == ({"steady": 1}, True)


def test_a_game_without_a_board_or_a_view_of_its_own_cannot_be_shown():
    with pytest.raises(InputError, match="fill-a-row cannot be shown"):
        defaults.view(PLAIN, object())


def test_the_colour_of_a_seat_follows_an_exchange_of_colours():
    turned: Any = SimpleNamespace(turns=TurnManager(2).swap_sides())
    assert [defaults.side_of(RowState(to_move=1), seat) for seat in (0, 1)] == [0, 1]
    assert [defaults.side_of(turned, seat) for seat in (0, 1)] == [1, 0]
    assert defaults.side_of(object(), 3) == 3


def test_a_guide_in_another_language_stays_english_where_it_is_not_translated():
    guide = Guide(
        "Row", "short", "long", "a1", ("red", "blue"), {"fr": {"title": "Rangée", "red": "rouge"}}
    )
    told = guide.told("fr")
    assert (told.title, told.about, told.sides) == ("Rangée", "short", ("rouge", "blue"))
    assert guide.told("ko") == guide
