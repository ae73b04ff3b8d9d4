"""Thruway once more, slowly: sets of coordinates, rules taken from their text, every question
answered from the whole board.

For tests only, which hold the compiled rules against it. A position is a frozen value; cells are
(column, row) from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

Cell = tuple[int, int]
Dispute = tuple[frozenset[Cell], frozenset[Cell]]  # the cells of concrete and of asphalt


@dataclass(frozen=True)
class Oracle:
    size: int
    trade: bool = True
    ko: str = "undo"
    repetition: str | None = None
    reserve: int | None = None
    tiles: tuple[frozenset[Cell], frozenset[Cell]] = (frozenset(), frozenset())
    colour: int = 0
    ply: int = 0
    seats: tuple[int, int] = (0, 1)  # by colour
    undone: frozenset[Cell] = frozenset()  # the pair of a swap that made a dispute
    gone: frozenset[Dispute] = frozenset()  # resolved by a turn that made another
    earlier: tuple[object, ...] = ()
    passes: int = 0
    mover: int = 1

    @property
    def cells(self) -> frozenset[Cell]:
        return frozenset(
            (column, row) for column in range(1, self.size + 1) for row in range(1, self.size + 1)
        )

    @property
    def empty(self) -> frozenset[Cell]:
        return self.cells - self.tiles[0] - self.tiles[1]

    def beside(self, cell: Cell) -> frozenset[Cell]:
        column, row = cell
        return (
            frozenset({(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)})
            & self.cells
        )

    @property
    def disputes(self) -> frozenset[Dispute]:
        found = set()
        for column, row in self.cells:
            falling = frozenset({(column, row), (column + 1, row + 1)})
            rising = frozenset({(column + 1, row), (column, row + 1)})
            for concrete, asphalt in ((falling, rising), (rising, falling)):
                if concrete <= self.tiles[0] and asphalt <= self.tiles[1]:
                    found.add((concrete, asphalt))
        return frozenset(found)

    def indestructible(self) -> frozenset[Cell]:
        disputed = frozenset(
            cell for concrete, asphalt in self.disputes for cell in concrete | asphalt
        )
        return frozenset(
            cell
            for cell in self.cells - self.empty - disputed
            if not self.beside(cell) & self.empty
        )

    def has_thruway(self, colour: int) -> bool:
        own = self.indestructible() & self.tiles[colour]
        reached = {cell for cell in own if cell[colour] == 1}
        fresh = set(reached)
        while fresh:
            fresh = {other for cell in fresh for other in self.beside(cell) & own} - reached
            reached |= fresh
        return any(cell[colour] == self.size for cell in reached)

    @property
    def turn(self) -> tuple[int, int]:
        """The seat and the side to move."""
        return self.seats[self.colour], self.colour

    def end(self) -> tuple[tuple[int, ...], str] | None:
        """The seats that have won, and why."""
        for colour in (self.mover, 1 - self.mover):
            if self.has_thruway(colour):
                return (self.seats[colour],), "connected"
        if self.passes == 2 or (
            self.repetition == "draw3" and self.earlier.count(self.look()) >= 2
        ):
            return (), "drawn"
        return None

    def look(self) -> object:
        return (self.tiles, self.colour, frozenset(self.barred()))

    def turned(self, pair: frozenset[Cell], swap: bool) -> tuple[frozenset[Cell], frozenset[Cell]]:
        tiles = list(self.tiles)
        if swap:
            return (tiles[0] ^ pair, tiles[1] ^ pair)
        tiles[self.colour] |= pair
        tiles[1 - self.colour] -= pair
        return (tiles[0], tiles[1])

    def turns(self) -> Iterator[tuple[frozenset[Cell], bool]]:
        """Pairs of cells, and whether they are swapped; the ko rule aside."""
        disputed = [concrete | asphalt for concrete, asphalt in self.disputes]
        for cell in self.cells:
            for other in self.beside(cell):
                if cell > other:
                    continue
                pair = frozenset({cell, other})
                if pair & self.empty:
                    enough = (
                        self.reserve is None or len(self.tiles[self.colour]) + 2 <= self.reserve
                    )
                    if enough and not pair & self.tiles[self.colour]:
                        yield pair, False
                elif len(pair & self.tiles[0]) == 1 and any(pair <= square for square in disputed):
                    yield pair, True

    def barred(self) -> Iterator[tuple[frozenset[Cell], bool]]:
        if not self.undone and not self.gone:
            return
        for pair, swap in self.turns():
            following = replace(self, tiles=self.turned(pair, swap))
            back = following.disputes
            if self.ko == "any":
                back |= {(asphalt, concrete) for concrete, asphalt in back}
            if (self.ko == "undo" and swap and pair == self.undone) or (
                self.ko in ("same", "any") and back & self.gone
            ):
                yield pair, swap

    def moves(self) -> list[str]:
        if self.end() is not None:
            return []
        barred = set(self.barred())
        texts = [written(pair, swap) for pair, swap in self.turns() if (pair, swap) not in barred]
        if self.trade and self.ply == 1:
            texts.append("trade")
        return sorted(texts) or ["pass"]

    def after(self, text: str) -> Oracle:
        if text == "trade":
            return replace(self, ply=self.ply + 1, seats=(self.seats[1], self.seats[0]))
        following = replace(
            self,
            colour=1 - self.colour,
            ply=self.ply + 1,
            undone=frozenset(),
            gone=frozenset(),
            earlier=(*self.earlier, self.look()),
            passes=0,
            mover=self.colour,
        )
        if text == "pass":
            return replace(following, passes=self.passes + 1)
        pair, swap = next(
            (pair, swap) for pair, swap in self.turns() if written(pair, swap) == text
        )
        following = replace(following, tiles=self.turned(pair, swap))
        if following.disputes - self.disputes:
            following = replace(
                following,
                undone=pair if swap else frozenset(),
                gone=self.disputes - following.disputes,
            )
        return following

    def board_text(self) -> str:
        def sign(cell: Cell) -> str:
            return "1" if cell in self.tiles[0] else "2" if cell in self.tiles[1] else "."

        return "/".join(
            "".join(sign((column, row)) for column in range(1, self.size + 1))
            for row in range(1, self.size + 1)
        )

    def perft(self, depth: int) -> int:
        moves = self.moves()
        return (
            1
            if depth == 0
            else len(moves)
            if depth == 1
            else sum(self.after(move).perft(depth - 1) for move in moves)
        )


def written(pair: frozenset[Cell], swap: bool) -> str:
    names = ["abcdefghijklmnopqrstuvwxyz"[column - 1] + str(row) for column, row in sorted(pair)]
    return ("/" if swap else "-").join(names)
