"""What a search wants to know of Meridians: its kernels by their common names."""

from __future__ import annotations

from typing import Any

from rules.kernels import meridians as kernel
from rules.kernels.dispatch import register
from rules.kernels.jit import rule

__all__: list[str] = []


@rule
def _side(tables: Any, info: Any) -> int:  # noqa: ARG001 - the common form
    return int(info[kernel.SIDE])


@rule
def _same(tables: Any, board: Any, info: Any, other_board: Any, other_info: Any) -> bool:
    if info[kernel.KEY] != other_info[kernel.KEY] or info[kernel.PLIES] != other_info[kernel.PLIES]:
        return False
    for p in range(tables.points):  # noqa: SIM110 - compiled code has no generators
        if board[kernel.CELLS, p] != other_board[kernel.CELLS, p]:
            return False
    return True


register(kernel.Tables, side=_side, legal=kernel.legal, play=kernel.play, pick=kernel.pick, same=_same)
