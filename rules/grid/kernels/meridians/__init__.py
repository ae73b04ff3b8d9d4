"""The rules of Meridians, compiled. `rules.grid.meridians`, rollouts, perft, solver and search all call these.

An action is a point; or N + PASS, KEEP, SWAP with N points; or, as first ply of the pie option, N + PAIR + light * N + dark.

    position      the arrays that hold a position
    legality      which actions are legal
    groups        what a stone joins, and which groups are dead
    consequences  an action with all that follows from it
    games         random games and perft
    marks         what a page marks on a board
"""

from rules.grid.kernels.meridians.consequences import endangered, play
from rules.grid.kernels.meridians.games import perft, ready, rollout, rollouts
from rules.grid.kernels.meridians.legality import is_legal, legal, mobility, pick
from rules.grid.kernels.meridians.marks import doomed, sights
from rules.grid.kernels.meridians.position import (
    CELLS,
    EMPTIES,
    EMPTY,
    KEEP,
    KEY,
    LAST,
    LEADER,
    LINES,
    NEXT,
    OPENING,
    PAIR,
    PASS,
    PIE,
    PLACE,
    PLIES,
    SIDE,
    SIZE,
    STONES,
    SWAP,
    SWAPPED,
    Cells,
    Tables,
    Words,
    blank,
    copy,
    key,
    most_legal,
    reset,
    tables,
    winner,
)

__all__ = [
    "CELLS",
    "EMPTIES",
    "EMPTY",
    "KEEP",
    "KEY",
    "LAST",
    "LEADER",
    "LINES",
    "NEXT",
    "OPENING",
    "PAIR",
    "PASS",
    "PIE",
    "PLACE",
    "PLIES",
    "SIDE",
    "SIZE",
    "STONES",
    "SWAP",
    "SWAPPED",
    "Cells",
    "Tables",
    "Words",
    "blank",
    "copy",
    "doomed",
    "endangered",
    "is_legal",
    "key",
    "legal",
    "mobility",
    "most_legal",
    "perft",
    "pick",
    "play",
    "ready",
    "reset",
    "rollout",
    "rollouts",
    "sights",
    "tables",
    "winner",
]
