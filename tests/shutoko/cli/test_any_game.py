"""The commands take any installed game: one on a board for three, and one that has nothing but what
a game needs.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from rules.checks import check_game
from rules.errors import IllegalMoveError
from rules.game import Outcome, Reason
from rules.record import read
from rules.turns import TurnManager


@dataclass(frozen=True, slots=True)
class Filling:
    """A board of three by two cells. Two or three players take one cell each in turn; whoever takes
    the last one wins.
    """

    turns: TurnManager
    cells: str = "......"

    @property
    def to_move(self) -> int:
        return self.turns.to_move

    @property
    def side(self) -> int:
        return self.turns.side

    def board_text(self) -> str:
        return f"{self.cells[:3]}/{self.cells[3:]}"

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(sorted(name for n, name in enumerate(CELLS) if self.cells[n] == "."))

    def parse(self, text: str) -> str:
        if text not in self.legal_moves():
            raise IllegalMoveError(text, self.board_text(), f"{text} is not a free cell")
        return text

    def after(self, move: str) -> Filling:
        n = CELLS.index(self.parse(move))
        return replace(
            self,
            cells=f"{self.cells[:n]}{self.side + 1}{self.cells[n + 1 :]}",
            turns=self.turns.advance(),
        )

    def outcome(self) -> Outcome | None:
        if "." in self.cells:
            return None
        last = self.turns.seats - 1
        return Outcome((last,), Reason.CONNECTED, ((last,), tuple(range(last))))

    def digest(self) -> str:
        return hashlib.sha256(f"{self.cells} {self.to_move}".encode()).hexdigest()[:16]


CELLS = ("a1", "b1", "c1", "a2", "b2", "c2")


@dataclass(frozen=True, slots=True)
class Counting:
    """Two players count on by one or two; whoever says five wins. There is no board, and moves are
    numbers.
    """

    said: int = 0
    to_move: int = 0

    def __str__(self) -> str:
        return f"the count is {self.said}"

    def legal_moves(self) -> tuple[str, ...]:
        return () if self.said >= 5 else ("1", "2")

    def parse(self, text: str) -> str:
        if text not in self.legal_moves():
            raise IllegalMoveError(text, str(self), "count on by 1 or 2")
        return text

    def after(self, move: str) -> Counting:
        return Counting(self.said + int(self.parse(move)), 1 - self.to_move)

    def outcome(self) -> Outcome | None:
        winner = 1 - self.to_move
        return (
            Outcome((winner,), Reason.CONNECTED, ((winner,), (self.to_move,)))
            if self.said >= 5
            else None
        )

    def digest(self) -> str:
        return f"{2 * self.said + self.to_move:016x}"


@dataclass(frozen=True, slots=True)
class Made:
    name: str
    seats: int
    first: Any
    options: ClassVar[dict[str, Any]] = {}

    def start(self) -> Any:
        return self.first


FACTORIES = {
    "filling": lambda: Made("filling", 3, Filling(TurnManager(3))),
    "pairing": lambda: Made("pairing", 2, Filling(TurnManager(2))),
    "counting": lambda: Made("counting", 2, Counting()),
}


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """These games are installed, and no player of theirs."""
    points = [EntryPoint(name, f"{__name__}:{name}", "shutoko.games") for name in FACTORIES]
    monkeypatch.setattr(
        sys.modules["rules.game"],
        "entry_points",
        lambda group: [p for p in points if p.group == group],
    )
    monkeypatch.setattr(EntryPoint, "load", lambda point: FACTORIES[point.name])


@pytest.fixture
def simulated(run):
    """Simulates three games of this name, and gives the path of the first."""

    def games(name: str) -> Path:
        players = ",".join(["random"] * FACTORIES[name]().seats)
        run(f"simulate {name} --players {players} --games 3 --out {name}")
        return Path(name) / "game-00000.jsonl"

    return games


SAID = {
    "a board for three has letters for each colour": (
        "play filling --seed 1",
        ["?", "moves", "a1", "a1", *["b1", "b2", "c1", "c2", "a2"] * 2],
        (
            "you (first, o) against random (second, x) against random (seat 2, s)\n    a b c\n"
            "  1 . . .\n  2 . . .\n"
        ),
        "random gives no advice; name a player that does with --hints SPEC",
        "6 legal moves: a1 a2 b1 b2 c1 c2",
        "illegal: a1 is not a free cell",
        "ply  0  you (first, o): a1\n",
        " S",
        "the game is over (connected): random wins",
    ),
    "without a board positions are as they print": (
        "play counting --players you,you",
        ["1", "2", "3", "rules", "help", "2"],
        "player 1 (first) against player 2 (second)\nthe count is 1\n",
        "illegal: count on by 1 or 2",
        "this game brings no text of its rules",
        "MOVE is one of the moves that are listed",
        "the game is over (connected): player 1 wins",
    ),
}


@pytest.mark.parametrize(("words", "lines", "says"), [(a, b, c) for a, b, *c in SAID.values()])
def test_any_game_is_played_at_the_terminal(run, words, lines, says):
    out, err = run(f"{words} --out a.jsonl", typed="\n".join([*lines, ""]))
    assert (err, [text for text in says if text not in out]) == ("", [])
    assert read("a.jsonl").end is not None
    run("verify a.jsonl")


@pytest.mark.parametrize("name", FACTORIES)
def test_any_game_is_simulated_rated_verified_filled_and_replayed(run, simulated, name):
    path = simulated(name)
    run(f"rate {name}")
    out, err = run("verify", path)
    assert (err, out.endswith("the referee agrees with everything recorded\n")) == ("", True)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    bare = (json.dumps({k: v for k, v in x.items() if k != "got"}) + "\n" for x in lines)
    Path("script.jsonl").write_text("".join(bare), "utf-8")
    run("verify --fill script.jsonl")
    assert read("script.filled.jsonl").entries == read(path).entries
    out, err = run("replay", path)
    assert (err, "ply  0  random: " in out, "end: connected: random wins" in out) == (
        "",
        True,
        True,
    )
    plies = [json.loads(line) for line in run("replay --json", path).out.splitlines()]
    assert [one["do"] for one in plies] == [entry.do for entry in read(path).entries]


def test_an_unfinished_game_names_the_player_to_move_and_the_colour(run, simulated):
    check_game(FACTORIES["filling"](), np.random.default_rng(1), games=3)
    out = run("replay --ply 1", simulated("filling")).out
    assert out.endswith("unfinished: random (seat 2, s) is to move\n")


def test_a_board_is_exported_and_drawn_in_a_replay(run, simulated):
    path = simulated("pairing")
    assert run("export", path, "a.svg", "a.html").err == ""
    run("replay --svg b.svg", path)
    for name, begins in (("a.svg", "<svg "), ("b.svg", "<svg "), ("a.html", "<!")):
        assert Path(name).read_text(encoding="utf-8").startswith(begins)


def test_a_game_without_a_board_is_not_drawn_but_exported_as_its_record(run, simulated):
    path = simulated("counting")
    for words, more, why in (
        ("replay --svg b.svg", [], "the game has no view of its positions"),
        ("export", ["a.svg"], "cannot be shown"),
    ):
        err = run(words, path, *more, code=2).err
        assert (why in err, err.count("\n")) == (True, 1)
    run("export", path, "a.jsonl")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        *(
            (f"{words} chess", "'chess' is not a game; known games: counting, filling, pairing\n")
            for words in ("play", "perft", "simulate --players a --out x")
        ),
        ("play", "name a game (counting, filling, pairing), or a record with --resume FILE\n"),
    ],
)
def test_an_unknown_game_lists_the_installed_ones(run, words, why):
    assert run(words, code=2).err == f"shutoko: {why}"
