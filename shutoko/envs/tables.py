"""What the environments share: a game in play as a learner sees it, whatever the game; `make` begins one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from rules import defaults
from rules.errors import InputError
from rules.game import game as game_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from gymnasium.spaces import Space

    from rules.game import State


class EnvTable(Protocol):
    """A game in play. `seats` play it; `observations` and `actions` are the spaces of each of them."""

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
        """int8: which actions are legal, for spaces of numbered actions; None where every action is."""
        ...

    def act(self, action: Any) -> None:
        """One action of the seat to move. Raises IllegalMoveError."""
        ...

    def move(self, move: Any) -> None:
        """One move that a player chose, which may be several actions. Raises IllegalMoveError."""
        ...


def make(name: str, cap: int, options: dict[str, Any]) -> EnvTable:
    """A table for that game. Raises InputError for an unknown game or option, and for a game without environment.

    Options of Tokyo Highway that belong to the environment and not to the game are `actions`, `proposals` and `hand`.
    """
    from rules.grid.base import GridGame

    own = {key: options.pop(key) for key in ("actions", "proposals", "hand") if key in options}
    if name == "tokyo-highway":
        from shutoko.envs.highway import HighwayTable

        highway: Any = game_of(name, **options)
        return HighwayTable(highway, cap, **own)
    made = game_of(name, **options)
    if own:
        raise InputError(f"{name} has no option {next(iter(own))!r}; its options: {', '.join(_settings(made))}")
    if not isinstance(made, GridGame):
        raise InputError(f"there is no environment for {name}; choose meridians, thruway or tokyo-highway")
    from shutoko.envs.boards import BoardTable

    return BoardTable(made, cap)


def _settings(game: Any) -> list[str]:
    return [setting.name for setting in defaults.settings(game)]
