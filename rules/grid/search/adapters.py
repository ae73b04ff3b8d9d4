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
from rules.grid.search.book import Book
from rules.grid.search.mcts import Settings

__all__ = ["SearchAdapter", "Value", "Worth", "adapter_for", "offer"]

Value = Callable[[Any, Any, float], float]
"""The value of board and info for the side to move, from 0 (lost) to 1 (won), found in that share of the decision's time."""

Worth = Callable[[Any], dict[GridMove, int]]
"""Each legal move of a state with its result: n the mover wins within n plies, -n the mover loses after n plies, 0 a draw."""


class SearchAdapter(Protocol):
    """A grid game as the players see it.

    `board`, `info` and `work` are the kernels' arrays at an ordinary first move; `actions` is the number of different actions.
    With `draw_on_repetition` a search counts a repeated position as drawn: for games that can repeat positions for ever.
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
        """The best decision under the pie rule, by value; None if the pie rule asks for none at this state."""
        ...

    def book(self) -> Book | None:
        """The opening book, if there is one for the game's size and options."""
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
    """Registers the adapter of the game with that name. `make` is called with the game, which holds its options."""
    _ADAPTERS[name] = make


def adapter_for(game: GridGame) -> SearchAdapter:
    """The adapter of a game, from the game's module in this package. Raises InputError if there is none."""
    if game.name not in _ADAPTERS:
        try:
            import_module(f"rules.grid.search.{game.name}")
        except ModuleNotFoundError as error:
            raise InputError(f"there is no search for the game {game.name!r}") from error
    return _ADAPTERS[game.name](game)
