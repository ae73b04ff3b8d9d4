"""Boards of the grid games: cells, neighbours, lines, names and symmetries, as read-only arrays,
made once for each size.

Cells are numbered from 0 in the reading order of `board_text`: rows from the top, each from the
left. Nothing here knows a rule of a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase
from typing import Any

import numpy as np
import numpy.typing as npt

from rules.errors import Refusal

# axial steps, counter-clockwise from the right; direction k + 3 is opposite to k
_DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


@dataclass(frozen=True, slots=True, eq=False)
class SquareBoard:
    """A square board; `SquareBoard.of(size)` makes or finds it.

    Cell `row * size + column` is called by its column, a letter from the west, and its row, a
    number from the north: `a1` is the north-western corner. An edge is a pair of cells that share a
    side. Edges are numbered cell by cell: first the edge to the eastern neighbour, then the one to
    the southern neighbour.

    With N cells and E edges: `names` of the cells; `edges` int64[E, 2], two cells each, rising;
    `symmetries` int64[8, N], where each cell goes: bit 0 of k mirrors west and east, bit 1 north
    and south, then bit 2 exchanges rows and columns.
    """

    size: int
    names: tuple[str, ...]
    edges: npt.NDArray[np.int64]
    symmetries: npt.NDArray[np.int64]

    @staticmethod
    @cache
    def of(size: int) -> SquareBoard:
        """The board of `size` x `size` cells, 1 to 26 as columns are letters."""
        if not 1 <= size <= len(ascii_lowercase):
            raise ValueError(
                f"a square board cannot have size {size}; sizes are 1 to {len(ascii_lowercase)}"
            )
        row, column = np.divmod(np.arange(size * size), size)
        edges = [
            (cell, other)
            for cell in range(size * size)
            for other, goes_on in (
                (cell + 1, (cell + 1) % size),
                (cell + size, cell + size < size * size),
            )
            if goes_on
        ]
        symmetries = np.empty((8, size * size), np.int64)
        for k in range(8):
            r = size - 1 - row if k & 2 else row
            c = size - 1 - column if k & 1 else column
            symmetries[k] = c * size + r if k & 4 else r * size + c
        return SquareBoard(
            size,
            tuple(
                f"{ascii_lowercase[c]}{r + 1}"
                for r, c in zip(row.tolist(), column.tolist(), strict=True)
            ),
            _frozen(np.array(edges, np.int64).reshape(-1, 2)),
            _frozen(symmetries),
        )

    def cell(self, name: str) -> int:
        """The cell of that name; ValueError with the reason if there is none."""
        column, row = ascii_lowercase.find(name[:1]), name[1:]
        if name == "" or column < 0 or not (row.isascii() and row.isdigit()) or row.startswith("0"):
            told = (
                f"{name[:20]!r} is not a cell; cells are a column's letter and a row's number, "
                "like b3"
            )
            raise ValueError(Refusal(told, "square-no-cell", text=name[:20]))
        if column >= self.size or len(row) > 2 or int(row) > self.size:
            last = ascii_lowercase[self.size - 1]
            told = (
                f"{name[:20]} is not on the board, whose columns are a to {last} and rows 1 to "
                f"{self.size}"
            )
            raise ValueError(
                Refusal(told, "square-off-board", text=name[:20], last=last, size=self.size)
            )
        return (int(row) - 1) * self.size + column


@dataclass(frozen=True, slots=True, eq=False)
class HexBoard:
    """A hexagon on the triangular lattice without a centre point: two opposite sides have size - 1
    points, the other four size.

    With N points: `names` as AbstractPlay writes them (letter of the row from the bottom, number
    from the left), `index` of a name, `places` float64[N, 2] (x to the
    right, y up, neighbours one unit apart, the origin in the middle), `rows` (first point, length)
    from the top, `neighbours` int64[N, 6] (-1 beyond the rim; counter-clockwise from the right),
    `symmetries` int64[4, N] (where each point goes: identity, left to right, top to bottom, half a
    turn).

    The L straight lines of the three axes: `line` int64[N, 3] is the point's line in each axis,
    `offset` int64[N, 3] its place on that line from 0, `on_line` int64[L, 2 * size - 2] the points
    of each line (-1 past its end).
    """

    size: int
    names: tuple[str, ...]
    index: dict[str, int]
    places: npt.NDArray[np.float64]
    rows: tuple[tuple[int, int], ...]
    neighbours: npt.NDArray[np.int64]
    line: npt.NDArray[np.int64]
    offset: npt.NDArray[np.int64]
    on_line: npt.NDArray[np.int64]
    symmetries: npt.NDArray[np.int64]

    @property
    def points(self) -> int:
        """How many points the board has."""
        return len(self.names)

    @staticmethod
    @cache
    def of(size: int) -> HexBoard:
        """The board of that size (2 or more, at most 13: its rows are named by one letter)."""
        m = size - 1
        axial: list[tuple[int, int]] = []
        names: list[str] = []
        rows: list[tuple[int, int]] = []
        for y in range(2 * m + 1):
            length = 2 * m - abs(y - m)
            rows.append((len(axial), length))
            for x in range(length):
                axial.append((x - min(y, m), y - m))
                names.append(f"{chr(ord('a') + 2 * m - y)}{x + 1}")
        where = {point: i for i, point in enumerate(axial)}
        neighbours = [[where.get((q + dq, r + dr), -1) for dq, dr in _DIRECTIONS] for q, r in axial]
        line, offset, lines = _lines(axial, where)
        on_line = np.full((len(lines), 2 * m), -1, np.int64)
        for number, points in enumerate(lines):
            on_line[number, : len(points)] = points
        coordinates = np.array(axial, np.int64)
        q, r = coordinates[:, 0], coordinates[:, 1]
        places = np.column_stack([q + r / 2 + 0.5, -r * np.sqrt(3) / 2])
        seat = {
            (row, x): first + x for row, (first, length) in enumerate(rows) for x in range(length)
        }
        spots = [(row, x, length) for row, (_, length) in enumerate(rows) for x in range(length)]
        symmetries = [
            [seat[row, x] for row, x, _ in spots],
            [seat[row, length - 1 - x] for row, x, length in spots],
            [seat[2 * m - row, x] for row, x, _ in spots],
            [seat[2 * m - row, length - 1 - x] for row, x, length in spots],
        ]
        return HexBoard(
            size=size,
            names=tuple(names),
            index={name: i for i, name in enumerate(names)},
            places=_frozen(places),
            rows=tuple(rows),
            neighbours=_frozen(np.array(neighbours, np.int64)),
            line=_frozen(np.array(line, np.int64)),
            offset=_frozen(np.array(offset, np.int64)),
            on_line=_frozen(on_line),
            symmetries=_frozen(np.array(symmetries, np.int64)),
        )


def _lines(
    axial: list[tuple[int, int]], where: dict[tuple[int, int], int]
) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    """Line and offset of every point in each axis, and the points of every line."""
    line = [[0, 0, 0] for _ in axial]
    offset = [[0, 0, 0] for _ in axial]
    lines: list[list[int]] = []
    for axis, (dq, dr) in enumerate(_DIRECTIONS[:3]):
        for q, r in axial:
            if (q - dq, r - dr) in where:
                continue  # not the first point of its line
            points = []
            while (q, r) in where:
                points.append(where[q, r])
                line[points[-1]][axis], offset[points[-1]][axis] = len(lines), len(points) - 1
                q, r = q + dq, r + dr
            lines.append(points)
    return line, offset, lines


def _frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.setflags(write=False)
    return array
