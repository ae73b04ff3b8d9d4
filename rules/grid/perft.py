"""Perft: how many sequences of legal moves there are from a position, the field's standard check of a rule engine.

The compiled games count faster, with their own `perft(depth)`; any other grid game is counted here.
"""

from __future__ import annotations

from typing import Any

from rules.game import GridState

__all__ = ["perft"]


def perft(state: GridState[Any], depth: int) -> int:
    """How many sequences of `depth` legal moves there are; a game that ends earlier has none of that length."""
    own = getattr(state, "perft", None)
    if own is not None:
        return int(own(depth))
    if depth == 0:
        return 1
    moves = state.legal_moves()
    return len(moves) if depth == 1 else sum(perft(state.after(move), depth - 1) for move in moves)
