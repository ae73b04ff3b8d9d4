"""The marks that a page shows on a board of Thruway, read off the compiled position. Plain Python is fast enough: they are read
once per ply.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.thruway.position import DISPUTED, FIRM, ROWS, STEP, Tables, Words

__all__ = ["marked"]


def marked(tables: Tables, info: Words) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which cells lie in a dispute, and which hold an indestructible tile: bool[size, size] each, rows from the north."""
    size = tables.size
    rows = info[ROWS : ROWS + STEP * (size + 1)].reshape(-1, STEP)
    squares, firm = (rows[:, word, None] >> np.arange(size + 1) & 1 for word in (DISPUTED, FIRM))
    # a square is known by its north-western cell
    disputed = squares[1:, 1:] | squares[1:, :-1] | squares[:-1, 1:] | squares[:-1, :-1]
    return disputed.astype(bool), firm[1:, 1:].astype(bool)
