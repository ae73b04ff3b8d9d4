"""The rules of Thruway, compiled. `rules.grid.thruway`, rollouts, perft, solver and search all call these.

Colours are 1 concrete, which moves first and joins west and east, and 2 asphalt, which joins north and south. Every turn but a
pass concerns one edge of the board, a pair of adjacent cells: if both are paved it is a swap, otherwise a paving. Actions are
the edges as `rules.grid.boards.SquareBoard` numbers them, then TRADE and PASS.

    position      the arrays that hold a position
    legality      which actions are legal
    consequences  an action with all that follows from it
    paths         whether a colour has won
    games         random games and perft
    marks         what a page marks on a board
"""

from rules.grid.kernels.thruway.consequences import load, play
from rules.grid.kernels.thruway.games import Counts, perft, ready, rollout, rollouts
from rules.grid.kernels.thruway.legality import PASS, TRADE, is_legal, legal, pick, prepare, turns
from rules.grid.kernels.thruway.marks import marked
from rules.grid.kernels.thruway.position import (
    ANY,
    BARRED,
    DISPUTES,
    DRAWN,
    LAST,
    NONE,
    PASSES,
    PLIES,
    ROWS,
    SAME,
    SEEN,
    SIDE,
    SWAPPED,
    UNDO,
    WON,
    Cells,
    Tables,
    Words,
    blank,
    key,
    keys,
    keys_begin,
    most_legal,
    reset,
    scratch,
    tables,
    winner,
)

__all__ = [
    "ANY",
    "BARRED",
    "DISPUTES",
    "DRAWN",
    "LAST",
    "NONE",
    "PASS",
    "PASSES",
    "PLIES",
    "ROWS",
    "SAME",
    "SEEN",
    "SIDE",
    "SWAPPED",
    "TRADE",
    "UNDO",
    "WON",
    "Cells",
    "Counts",
    "Tables",
    "Words",
    "blank",
    "is_legal",
    "key",
    "keys",
    "keys_begin",
    "legal",
    "load",
    "marked",
    "most_legal",
    "perft",
    "pick",
    "play",
    "prepare",
    "ready",
    "reset",
    "rollout",
    "rollouts",
    "scratch",
    "tables",
    "turns",
    "winner",
]
