"""The commands take any installed game: one on a board for three, and one that has nothing but what
a game needs.
"""

from __future__ import annotations

import hashlib
import io
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
from shutoko.cli import main


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
def installed(monkeypatch, tmp_path):
    """These games are installed, and no player of theirs; the working folder is empty."""
    points = [EntryPoint(name, f"{__name__}:{name}", "shutoko.games") for name in FACTORIES]
    monkeypatch.setattr(
        sys.modules["rules.game"],
        "entry_points",
        lambda group: [p for p in points if p.group == group],
    )
    monkeypatch.setattr(EntryPoint, "load", lambda point: FACTORIES[point.name])
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(monkeypatch, capsys):
    def with_lines(*args: object, lines: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        code = main([*map(str, args)])
        return code, *capsys.readouterr()

    return with_lines


def simulated(run: Any, name: str, seats: int) -> Path:
    assert (
        run(
            "simulate", name, "--players", ",".join(["random"] * seats), "--games", 3, "--out", name
        )[0]
        == 0
    )
    return Path(name) / "game-00000.jsonl"


def test_a_board_for_three_is_played_with_letters_for_each_colour(run):
    check_game(FACTORIES["filling"](), np.random.default_rng(1), games=3)
    code, out, err = run(
        "play",
        "filling",
        "--seed",
        1,
        "--out",
        "a.jsonl",
        lines="?\nmoves\na1\na1\n" + "b1\nb2\nc1\nc2\na2\n" * 2,
    )
    record = read("a.jsonl")
    assert (code, err) == (0, "")
    assert record.header.players == ("you", "random", "random")
    assert record.end is not None
    assert (
        "you (first, o) against random (second, x) against random (seat 2, s)\n    a b c\n  1 . . "
        ".\n  2 . . .\n"
    ) in out
    assert "random gives no advice; name a player that does with --hints SPEC" in out
    assert "6 legal moves: a1 a2 b1 b2 c1 c2" in out
    assert "illegal: a1 is not a free cell" in out
    assert "ply  0  you (first, o): a1\n" in out
    assert " S" in out
    assert "the game is over (connected): random wins" in out
    assert main(["verify", "a.jsonl"]) == 0


def test_a_game_without_a_board_is_played_by_what_its_positions_print(run):
    code, out, _ = run(
        "play",
        "counting",
        "--players",
        "you,you",
        "--out",
        "a.jsonl",
        lines="1\n2\n3\nrules\nhelp\nquit\n",
    )
    assert code == 0
    assert "player 1 (first) against player 2 (second)\nthe count is 1\n" in out
    assert "illegal: count on by 1 or 2" in out
    assert "this game brings no text of its rules" in out
    assert "MOVE is one of the moves that are listed" in out
    code, out, _ = run("play", "--resume", "a.jsonl", lines="2\n")
    assert "the game is over (connected): player 1 wins" in out
    assert main(["verify", "a.jsonl"]) == 0


@pytest.mark.parametrize(("name", "seats"), [("filling", 3), ("pairing", 2), ("counting", 2)])
def test_any_game_is_simulated_rated_verified_filled_and_replayed(run, name, seats):
    path = simulated(run, name, seats)
    assert run("rate", name)[0] == 0
    code, out, err = run("verify", path)
    assert (code, err) == (0, "")
    assert out.endswith("the referee agrees with everything recorded\n")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    Path("script.jsonl").write_text(
        "".join(json.dumps({k: v for k, v in x.items() if k != "got"}) + "\n" for x in lines),
        "utf-8",
    )
    assert run("verify", "--fill", "script.jsonl")[0] == 0
    assert read("script.filled.jsonl").entries == read(path).entries
    code, out, err = run("replay", path)
    assert (code, err) == (0, "")
    assert "ply  0  random: " in out
    assert "end: connected: random wins" in out
    plies = [json.loads(line) for line in run("replay", path, "--json")[1].splitlines()]
    assert [one["do"] for one in plies] == [entry.do for entry in read(path).entries]


def test_an_unfinished_game_names_the_player_to_move_and_the_colour(run):
    path = simulated(run, "filling", 3)
    _, out, _ = run("replay", path, "--ply", 1)
    assert out.endswith("unfinished: random (seat 2, s) is to move\n")


def test_a_board_is_exported_and_drawn_in_a_replay(run):
    path = simulated(run, "pairing", 2)
    code, _, err = run("export", path, "a.svg", "a.html")
    assert (code, err) == (0, "")
    assert Path("a.svg").read_text(encoding="utf-8").startswith("<svg ")
    assert "pairing" in Path("a.html").read_text(encoding="utf-8")
    assert run("replay", path, "--svg", "b.svg")[0] == 0
    assert Path("b.svg").read_text(encoding="utf-8").startswith("<svg ")


def test_a_game_without_a_board_is_not_drawn_but_exported_as_its_record(run):
    path = simulated(run, "counting", 2)
    code, _, err = run("replay", path, "--svg", "b.svg")
    assert (code, err.count("\n")) == (2, 1)
    assert "the game has no view of its positions" in err
    code, _, err = run("export", path, "a.svg")
    assert (code, err.count("\n")) == (2, 1)
    assert "cannot be shown" in err
    assert run("export", path, "a.jsonl")[0] == 0


def test_an_unknown_game_lists_the_installed_ones(run):
    for command in (
        ("play", "chess"),
        ("simulate", "chess", "--players", "a", "--out", "x"),
        ("perft", "chess"),
    ):
        code, _, err = run(*command)
        assert (code, err) == (
            2,
            "shutoko: 'chess' is not a game; known games: counting, filling, pairing\n",
        )
    assert (
        run("play")[2]
        == "shutoko: name a game (counting, filling, pairing), or a record with --resume FILE\n"
    )
