"""The games on boards of cells, Thruway and Meridians: rules, notation, compiled kernels and
players.

`rules.grid.Batch(game, n, seed)` is many games at once, over arrays.
"""

from typing import TYPE_CHECKING

from rules.lazy import front

if TYPE_CHECKING:
    from rules.grid.batch import Batch as Batch

__getattr__, __dir__, __all__ = front(__name__, __file__)
