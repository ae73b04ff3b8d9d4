"""Hex (Piet Hein 1942, John Nash 1948): who first joins the two own sides of a rhombus wins."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from string import ascii_lowercase
from typing import Any, ClassVar

import numpy as np

from rules.arena.players import LEVELS, Level, level_name
from rules.errors import IllegalMoveError, InputError, NotationError
from rules.game import Guide, Outcome, Reason, Setting
from rules.record import Entry, Header, Record
from rules.record.foreign import ForeignFormat
from rules.record.replay import fill
from rules.record.schema import FAULTS, RecordFormat, any_move
from rules.record.shapes import flag, name, object_of, whole
from rules.view import BoardView, Border, Cell, Label, drawn

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


class End(StrEnum):
    """How a game of Hex ends, unless somebody resigns."""

    JOINED = "joined"


@cache
def cells_of_size(size: int) -> dict[str, tuple[int, int]]:
    """Column and row of every cell by its name: a letter for the column and a number for the row,
    from the upper left.
    """
    return {f"{ascii_lowercase[x]}{y + 1}": (x, y) for y in range(size) for x in range(size)}


@dataclass(frozen=True)
class HexState:
    """A position. `stones` are the cells row by row: `.` empty, `1` the first colour, `2` the
    second.
    """

    size: int
    stones: str
    to_move: int = 0
    resigned: bool = False

    @property
    def side(self) -> int:
        """The colour of the seat to move."""
        return self.to_move

    def legal_moves(self) -> tuple[str, ...]:
        """The empty cells."""
        if self.outcome() is not None:
            return ()
        return tuple(
            sorted(
                name
                for name, stone in zip(cells_of_size(self.size), self.stones, strict=True)
                if stone == "."
            )
        )

    def parse(self, text: str) -> str:
        """The cell of that name, or `resign`."""
        move, names = text.strip().lower(), [*cells_of_size(self.size)]
        if move != "resign" and move not in names:
            raise NotationError(
                text, self.board_text(), f"a move is a cell, a1 to {names[-1]}, or resign"
            )
        if self.outcome() is not None:
            raise IllegalMoveError(text, self.board_text(), "the game is over")
        if move != "resign" and self.stones[names.index(move)] != ".":
            raise IllegalMoveError(text, self.board_text(), f"{move} is taken")
        return move

    def after(self, move: str) -> HexState:
        """The position after a move."""
        move = self.parse(move)
        if move == "resign":
            return replace(self, resigned=True)
        at = [*cells_of_size(self.size)].index(move)
        stones = self.stones[:at] + "12"[self.to_move] + self.stones[at + 1 :]
        return replace(self, stones=stones, to_move=1 - self.to_move)

    def outcome(self) -> Outcome | None:
        """Who moved last has won, if the two sides are joined."""
        winner = 1 - self.to_move
        if not self.resigned and not self._joined(winner):
            return None
        return Outcome(
            (winner,), Reason.RESIGNED if self.resigned else End.JOINED, ((winner,), (1 - winner,))
        )

    def got(self, move: str) -> dict[str, Any]:
        """What a record keeps of a move from here: how many own stones the new one touches."""
        if move == "resign":
            return {}
        x, y = cells_of_size(self.size)[move]
        names = {place: name for name, place in cells_of_size(self.size).items()}
        held = dict(zip(cells_of_size(self.size), self.stones, strict=True))
        beside = (names.get((x + dx, y + dy), "") for dx, dy in STEPS)
        return {"touches": sum(held.get(name) == "12"[self.to_move] for name in beside)}

    def _joined(self, colour: int) -> bool:
        """Whether a path of that colour leads from the left to the right (the first) or from top to
        bottom (the second).
        """
        places = cells_of_size(self.size).values()
        own = {
            place for place, stone in zip(places, self.stones, strict=True) if stone == "12"[colour]
        }
        edge = [place for place in own if place[colour] == 0]
        reached = set(edge)
        while edge:
            x, y = edge.pop()
            fresh = {(x + dx, y + dy) for dx, dy in STEPS} & own - reached
            reached |= fresh
            edge += fresh
        return any(place[colour] == self.size - 1 for place in reached)

    def digest(self) -> str:
        """16 hexadecimal digits of all that matters."""
        return hashlib.sha256(f"{self.stones} {self.to_move} {self.resigned}".encode()).hexdigest()[
            :16
        ]

    def board_text(self) -> str:
        """The rows from the top."""
        return "/".join(
            self.stones[row : row + self.size] for row in range(0, self.size**2, self.size)
        )

    def __str__(self) -> str:
        return drawn(self.board_text())


@dataclass(frozen=True)
class Hex:
    """The game with its options."""

    size: int = 7
    name: ClassVar[str] = "hex"
    seats: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if type(self.size) is not int or not 2 <= self.size <= len(ascii_lowercase):
            raise InputError(
                f"hex: size = {self.size!r} is not valid; it is a whole number from 2 to "
                f"{len(ascii_lowercase)}"
            )

    @property
    def options(self) -> dict[str, Any]:
        """The options that are not as usual."""
        return {} if self.size == Hex.size else {"size": self.size}

    def start(self) -> HexState:
        """The empty board."""
        return HexState(self.size, "." * self.size**2)


GUIDE = Guide(
    title="Hex",
    about="Join your two sides of the board before the other player joins theirs.",
    rules=(
        "Two colours put stones on empty points in turn; stones never move. Light joins left and "
        "right, dark joins top and bottom. The first unbroken path between the two sides of a "
        "colour wins; one of the two always comes about."
    ),
    notation="MOVE is a point, as c4: column c, the fourth row from the top",
    sides=("light", "dark"),
    translations={
        "fr": {
            "about": "Reliez vos deux côtés du plateau avant l'autre joueur.",
            "notation": (
                "Un coup est un point, comme c4 : colonne c, quatrième ligne depuis le haut"
            ),
            "light": "clair",
            "dark": "foncé",
            "the two sides are joined": "les deux côtés sont reliés",
        }
    },
    reasons={"joined": "the two sides are joined"},
)


@dataclass(frozen=True)
class ShownHex(Hex):
    """Hex with what people and screens ask for."""

    guide: ClassVar[Guide] = GUIDE
    settings: ClassVar[tuple[Setting, ...]] = (
        Setting("size", (5, 7, 9, 11), 7, "points on a side of the board"),
    )

    def view(
        self, state: HexState, before: HexState | None = None, last: str | None = None
    ) -> BoardView:
        """A rhombus of points: each row half a cell further to the right than the one above."""
        places = cells_of_size(self.size)
        at = {name: (x + y / 2, y * math.sqrt(3) / 2) for name, (x, y) in places.items()}
        names = {place: name for name, place in places.items()}
        holds = {".": None, "1": 0, "2": 1}
        cells = tuple(
            Cell(name, *at[name], holds[stone])
            for name, stone in zip(places, state.stones, strict=True)
        )
        beside = [
            (name, (x + dx, y + dy)) for name, (x, y) in places.items() for dx, dy in STEPS[:3]
        ]
        lines = tuple((name, names[place]) for name, place in beside if place in names)
        rows, far = [at[f"a{y + 1}"] for y in range(self.size)], self.size - 1
        labels = [Label(x - 1.1, y, str(n)) for n, (x, y) in enumerate(rows, 1)]
        labels += [Label(x - 0.5, -0.95, ascii_lowercase[x]) for x in range(self.size)]
        borders = [
            Border(0, x + side, y - 0.35, 0.14, 0.7)
            for x, y in rows
            for side in (-0.75, far + 0.61)
        ]
        borders += [
            Border(1, x - 0.3, y + side, far + 0.6, 0.14)
            for (x, y), side in ((rows[0], -0.7), (rows[far], 0.56))
        ]
        return BoardView(
            cells, "points", lines, tuple(labels), tuple(borders), () if last is None else (last,)
        )


def game(size: int = Hex.size) -> ShownHex:
    """Hex on a board of that size; `rules.game("hex", size=9)` calls this."""
    return ShownHex(size)


class Random:
    """A player that takes any empty point."""

    name = "random"

    def __init__(self, game: Hex) -> None:
        """Players are called with their game."""

    def choose(self, state: HexState, rng: np.random.Generator) -> str:
        """Any legal move, each with the same chance."""
        return str(rng.choice(state.legal_moves()))


@dataclass(frozen=True)
class Thought:
    """A move with what speaks for it."""

    move: str
    chance: float
    why: str


class Path:
    """A player that counts how many stones each side still needs; at a lower level it plays more
    moves by lot.
    """

    def __init__(self, game: Hex, level: Level = "full") -> None:
        """Players are called with their game and their options."""
        self.name = "path" if level == "full" else f"path:level={level}"
        self.care = (1 + LEVELS.index(level_name(level))) / len(LEVELS)

    def choose(self, state: HexState, rng: np.random.Generator) -> str:
        """The best move as this player sees it."""
        if rng.random() >= self.care:
            return str(rng.choice(state.legal_moves()))
        return self.analyse(state, rng, 1)[0].move

    def analyse(self, state: HexState, rng: np.random.Generator, most: int = 5) -> list[Thought]:
        """The best moves, best first."""
        found = []
        for move in state.legal_moves():
            own, other = (
                missing(state.after(move), colour) for colour in (state.to_move, 1 - state.to_move)
            )
            lead = 8.0 if own == 0 else float(other - own)
            why = f"then {own} stones are missing, and the other side lacks {other}"
            found.append(Thought(move, 1 / (1 + math.exp(-lead)), why))
        return sorted(found, key=lambda thought: -thought.chance)[:most]


def missing(state: HexState, colour: int) -> int:
    """How many stones a colour needs at least to join its two sides."""
    held = dict(zip(cells_of_size(state.size).values(), state.stones, strict=True))
    cost = {
        place: 0 if stone == "12"[colour] else 1 if stone == "." else 99
        for place, stone in held.items()
    }
    best = {place: cost[place] if place[colour] == 0 else 99 for place in held}
    edge = [place for place in held if best[place] < 99]
    while edge:
        x, y = edge.pop(0)
        for dx, dy in STEPS:
            beside = (x + dx, y + dy)
            if beside in cost and best[x, y] + cost[beside] < best[beside]:
                best[beside] = best[x, y] + cost[beside]
                edge.append(beside)
    return min(best[place] for place in held if place[colour] == state.size - 1)


FORMAT = RecordFormat(
    {
        "do": any_move,
        "got": object_of({"legal": flag, "faults": FAULTS, "digest": name, "touches": whole}),
    },
    reasons=tuple(End),
)


def read_line(text: str) -> Record:
    """The game in a line such as `hex 3: a2 a1 b2 b1 c1`."""
    head, colon, moves = text.strip().partition(":")
    size = head.removeprefix("hex ")
    if not colon or not size.isdecimal():
        raise InputError("not a game of Hex in a line: write hex SIZE: and the moves")
    record = Record(Header("hex", ("light", "dark"), options=game(int(size)).options))
    for ply, move in enumerate(moves.split()):
        record = record.plus(Entry(ply, ply % 2, move))
    return fill(record)


def write_line(record: Record) -> str:
    """The line of a record."""
    if record.header.game != "hex":
        raise InputError(f"a line of Hex cannot hold a game of {record.header.game!r}")
    moves = [str(entry.do) for entry in record.entries if not entry.taken_back]
    return f"hex {record.header.options.get('size', Hex.size)}: {' '.join(moves)}\n"


LINES = ForeignFormat(
    "Hex in a line", ".hex", lambda text: text.startswith("hex "), read_line, write_line
)


PROBLEMS = """
{"game":"hex","made":"found among games of the player path, every move tried"}
{"id":"hex-1","options":{"size":4},"moves":["d3","b4","a3","b1","b3","c3"],"goal":"win","count":2,\
"answers":["c2"],"line":["c2"],"places":10,"right":1,"missed":0.5,"level":1}
{"id":"hex-2","options":{"size":4},"moves":["a1","b1","c1","a3","d4"],"goal":"win","count":2,\
"answers":["a4"],"line":["a4"],"places":11,"right":1,"missed":0.5,"level":2}
""".strip()
