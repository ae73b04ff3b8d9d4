"""What the players need of a grid game beyond its kernels: arrays for states, moves for actions, and its pie rule.

Each game's module in this package offers its adapter. The players know no game.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from rules.errors import InputError
from rules.grid.base import GridGame, GridMove
from rules.grid.search.mcts import Settings

__all__ = ["SearchAdapter", "Value", "Worth", "adapter_for", "offer"]

Value = Callable[[Any, Any, float], float]
"""The value of board and info for the side to move, 0 lost to 1 won, found in that share of the time for the decision."""

Worth = Callable[[Any], dict[GridMove, int]]
"""Every legal move of a state with how the game then ends: n its maker wins within n plies, -n loses after n plies, 0 draws."""


class SearchAdapter(Protocol):
    """A grid game as the players see it.

    `board`, `info` and `work` are the kernels' arrays at an ordinary first move; `actions` is the number of different actions,
    `draw_on_repetition` whether a search takes a repeated position for a draw, as the game can repeat positions without end.
    """

    tables: Any
    board: Any
    info: Any
    work: Any
    actions: int
    draw_on_repetition: bool

    def arrays(self, state: Any) -> tuple[Any, Any]:
        """The kernels' board and info of a state."""
        ...

    def move(self, state: Any, action: int) -> GridMove:
        """The move that an action is at a state."""
        ...

    def pie(self, state: Any, value: Value, rng: np.random.Generator) -> GridMove | None:
        """The decision that the pie rule asks for at this state, by value; None where an ordinary move is due."""
        ...

    def settings(self) -> Settings | None:
        """The settings with which the tree search is strongest; None if alpha-beta is stronger."""
        ...

    def evaluation(self) -> tuple[Any, Any]:
        """Weights and room for notes, for alpha-beta. Raises InputError if the game has none."""
        ...

    def solved(self) -> Worth | None:
        """What each legal move is worth, if the game is solved."""
        ...


_ADAPTERS: dict[str, Callable[[Any], SearchAdapter]] = {}


def offer(name: str, make: Callable[[Any], SearchAdapter]) -> None:
    """Makes known the adapter of the game of that name. `make` is called with the game, which has its options."""
    _ADAPTERS[name] = make


def adapter_for(game: GridGame) -> SearchAdapter:
    """The adapter of a game, from the game's module in this package. Raises InputError if there is none."""
    if game.name not in _ADAPTERS:
        try:
            import_module(f"rules.grid.search.{game.name}")
        except ModuleNotFoundError as error:
            raise InputError(f"there is no search for the game {game.name!r}") from error
    return _ADAPTERS[game.name](game)
