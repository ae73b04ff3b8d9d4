"""The games on boards of cells, Thruway and Meridians: rules, notation, compiled kernels and
players.

`rules.grid.Batch(game, n, seed)` is many games at once, over arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.lazy import loader

if TYPE_CHECKING:
    from rules.grid.batch import Batch

__all__ = ["Batch"]

__getattr__, __dir__ = loader(__name__, {"rules.grid.batch": __all__})
