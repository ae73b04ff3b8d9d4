"""The boards of the grid games: cells, their names, neighbours and symmetries; nothing here knows a rule.

Boards are cached by size and their arrays are read-only, so that every game and every thread may share them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase
from typing import TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["SquareBoard"]

Ints = npt.NDArray[np.int64]
_T = TypeVar("_T", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class SquareBoard:
    """A square board; `SquareBoard.of(size)` makes or finds it.

    Cell `row * size + column` is called by its column, a letter from the west, and its row, a number from the north: `a1` is
    the north-western corner. An edge is a pair of cells that share a side; edges are numbered cell by cell, from each first the
    one to its eastern, then the one to its southern neighbour.

    With N cells and E edges: `names` of the cells; `centres` float64[N, 2] (x to the east, y to the south, cells one unit
    wide); `edges` int64[E, 2], two cells each, rising; `neighbours` int64[N, 4] (north, east, south, west; -1 beyond the
    border); `symmetries` int64[8, N], where each cell goes: k & 1 mirrors west and east, k & 2 north and south, then k & 4
    exchanges rows and columns.
    """

    size: int
    names: tuple[str, ...]
    centres: npt.NDArray[np.float64]
    edges: Ints
    neighbours: Ints
    symmetries: Ints

    @classmethod
    def of(cls, size: int) -> SquareBoard:
        """The board of `size` x `size` cells, 1 to 26 as columns are letters."""
        return _square(size)

    def cell(self, name: str) -> int:
        """The cell of that name; ValueError with the reason if there is none."""
        column, row = ascii_lowercase.find(name[:1]), name[1:]
        if name == "" or column < 0 or not (row.isascii() and row.isdigit()) or row.startswith("0"):
            raise ValueError(f"{name!r} is not a cell; cells are a column's letter and a row's number, like b3")
        if column >= self.size or len(row) > 2 or int(row) > self.size:
            last = ascii_lowercase[self.size - 1]
            raise ValueError(f"{name} is not on the board, whose columns are a to {last} and rows 1 to {self.size}")
        return (int(row) - 1) * self.size + column

    def edge(self, one: int, other: int) -> int:
        """The edge of those two cells, in either order; ValueError if they do not share a side."""
        found = np.flatnonzero((self.edges == sorted((one, other))).all(axis=1))
        if len(found) == 0:
            raise ValueError(f"{self.names[one]} and {self.names[other]} do not share a side")
        return int(found[0])


@lru_cache(maxsize=64)
def _square(size: int) -> SquareBoard:
    if not 1 <= size <= len(ascii_lowercase):
        raise ValueError(f"a square board of size {size} cannot be; sizes are 1 to {len(ascii_lowercase)}")
    row, column = np.divmod(np.arange(size * size), size)
    grid = np.pad(np.arange(size * size).reshape(size, size), 1, constant_values=-1)
    neighbours = np.stack(
        [grid[row, column + 1], grid[row + 1, column + 2], grid[row + 2, column + 1], grid[row + 1, column]], 1
    )
    edges = [(cell, other) for cell in range(size * size) for other in neighbours[cell, 1:3] if other >= 0]
    symmetries = np.empty((8, size * size), np.int64)
    for k in range(8):
        r = size - 1 - row if k & 2 else row
        c = size - 1 - column if k & 1 else column
        symmetries[k] = c * size + r if k & 4 else r * size + c
    return SquareBoard(
        size,
        tuple(f"{ascii_lowercase[c]}{r + 1}" for r, c in zip(row.tolist(), column.tolist(), strict=True)),
        _frozen(np.stack([column, row], 1).astype(np.float64)),
        _frozen(np.array(edges, np.int64).reshape(-1, 2)),
        _frozen(neighbours),
        _frozen(symmetries),
    )


def _frozen(array: npt.NDArray[_T]) -> npt.NDArray[_T]:
    array.setflags(write=False)
    return array
