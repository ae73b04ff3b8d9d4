"""Compiles everything that a grid game needs, ahead of its first use.

`python -m rules.grid.search.ahead GAME` is what `rules.grid.search.background` runs; `shutoko doctor --compile`
compiles all games.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from rules.game import game
from rules.grid.kernels import jit
from rules.grid.search import players
from rules.grid.search.background import STAGES, Stage

__all__ = ["compile_ahead"]


def compile_ahead(name: str) -> None:
    """Compiles each stage that is not compiled yet, and marks it on disk.

    Raises InputError if no game has that name.
    """
    made: Any = game(name)
    for stage in STAGES:
        _COMPILE[stage](made)
        jit.mark(name, stage)


def _rules(made: Any) -> None:
    start = made.start()
    start.perft(1)
    start.after(start.legal_moves()[0])


_COMPILE: dict[Stage, Callable[[Any], object]] = {
    "alphabeta": lambda made: players.alphabeta(made, depth=1),
    "mcts": lambda made: players.mcts(made, simulations=1),
    "rules": _rules,
}


if __name__ == "__main__":
    compile_ahead(sys.argv[1])
