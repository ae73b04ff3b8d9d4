"""What the environments share: a game in play as a learner sees it, whatever the game; `make`
begins one.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from inspect import signature
from typing import TYPE_CHECKING, Any, Protocol

from rules.errors import InputError
from rules.game import game as game_of
from shutoko.envs import GROUP

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from gymnasium.spaces import Space

    from rules.game import State


class EnvTable(Protocol):
    """A game in play. `seats` play it; `observations` and `actions` are the spaces of each of
    them.

    A class of tables may have `batch(game, n, seed, cap, **options)` and `spaces(batch)`, for many
    games at once.
    """

    game: Any
    seats: int
    observations: Space[Any]
    actions: Space[Any]

    def begin(self, rng: np.random.Generator) -> None:
        """A new game; all chance of it comes from `rng`."""
        ...

    @property
    def state(self) -> State[Any]:
        """The position, for players and pictures."""
        ...

    @property
    def to_move(self) -> int:
        """The seat whose action is due."""
        ...

    @property
    def rewards(self) -> tuple[float, ...]:
        """What the last action brought each seat."""
        ...

    @property
    def ended(self) -> bool:
        """Whether the rules have ended the game."""
        ...

    @property
    def truncated(self) -> bool:
        """Whether the cap has stopped the game."""
        ...

    def observe(self, seat: int) -> Any:
        """What a seat sees, of the space `observations`."""
        ...

    def mask(self) -> npt.NDArray[np.int8] | None:
        """int8: which actions are legal, for spaces of numbered actions; None where every action
        is.
        """
        ...

    def act(self, action: Any) -> None:
        """One action of the seat to move. Raises IllegalMoveError."""
        ...

    def move(self, move: Any) -> None:
        """One move that a player chose, which may be several actions. Raises IllegalMoveError."""
        ...


def make(name: str, cap: int, options: dict[str, Any]) -> EnvTable:
    """A table for that game: the one that a package brings for it, else the one for games on
    boards.

    `options` are those of the game and those of the table. Raises InputError for an unknown game or
    option, and for a game without environment.
    """
    factory, made, chosen = _asked(name, options)
    table: EnvTable = factory(made, cap, **chosen)
    return table


def many(
    name: str, n: int, cap: int, options: dict[str, Any]
) -> tuple[Callable[[int], Any], Callable[[Any], tuple[Space[Any], Space[Any]]]]:
    """What makes a batch of `n` games from a seed, and what gives its spaces; raises as `make`, and
    InputError where the table that a package brings has no `batch`.
    """
    factory, made, chosen = _asked(name, options)
    if not hasattr(factory, "batch"):
        raise InputError(f"{name}: its environment has no batch, so it plays one game at a time")
    return lambda seed: factory.batch(made, n, seed, cap, **chosen), factory.spaces


def _asked(name: str, options: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """The factory, the game and the options of the table."""
    factory = _factory(name)
    own = [key for key in list(signature(factory).parameters)[2:] if key in options]
    of_game = {key: value for key, value in options.items() if key not in own}
    made = game_of(name, **{**getattr(factory, "usual", {}), **of_game})
    return factory, made, {key: options[key] for key in own}


def _factory(name: str) -> Any:
    for point in entry_points(group=GROUP):
        if point.name == name:
            return point.load()
    from shutoko.envs.boards import BoardTable

    return BoardTable
