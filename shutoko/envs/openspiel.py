"""Games on boards for OpenSpiel: `load("meridians", size=5)` is a `pyspiel.Game` for any of its
algorithms.

Actions are those of `rules.grid.Batch`, and so are observations, as a flat tensor. Every game for
two on a board is registered under its name behind `shutoko_`, so that
`pyspiel.load_game("shutoko_meridians(size=5)")` finds them once this module is imported; their
parameters are the options of the games.

OpenSpiel's own MCTSBot, which is C++, cannot play games that are written in Python;
`open_spiel.python.algorithms.mcts` can. A state keeps no reference to its `pyspiel.Game`: OpenSpiel
frees the game while Python states still live.
"""

from contextlib import suppress
from inspect import signature
from typing import Any

import numpy as np

from rules.errors import GAME_OVER, IllegalMoveError, InputError, UnavailableError
from rules.game import factory_of, game as game_of
from rules.grid import Batch
from shutoko.envs import BOARDS
from sim.installing import install

try:
    import pyspiel
except ImportError as error:
    raise UnavailableError(
        f"OpenSpiel's games need the extra openspiel: {install('openspiel')}"
    ) from error


_LONGEST = 5000
"""Actions after which a game counts as drawn for OpenSpiel: swaps of Thruway can go on for ever."""


def _usual(name: str) -> dict[str, Any]:
    """The options of a game with their defaults. OpenSpiel's parameters have one type each: "" and
    0 stand for options that are None.
    """
    found = {}
    for option in signature(factory_of(name)).parameters.values():
        usual = option.default
        if usual is None:
            usual = 0 if str(option.annotation).startswith("int") else ""
        if isinstance(usual, bool | int | float | str):
            found[option.name] = usual
    return found


def load(name: str, **options: Any) -> Any:
    """The `pyspiel.Game` of `rules.game(name, **options)`. Raises InputError for another game, and
    for a wrong option.
    """
    if name not in BOARDS:
        raise InputError(f"there is no OpenSpiel game for {name}; choose {' or '.join(BOARDS)}")
    made = game_of(name, **options)
    given = {key: value for key, value in made.options.items() if value is not None}
    return pyspiel.load_game(f"shutoko_{name}", given)


def _loaded(text: str) -> Any:
    """The game of that name with its parameters. What unpickles it imports this module, which
    registers the games.
    """
    return pyspiel.load_game(text)


class _State(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A position: a batch of one game."""

    def __init__(self, game: Any, batch: Batch) -> None:
        super().__init__(game)
        self._batch = batch.copy()
        self._returns = [0.0, 0.0]
        self._over = False

    def current_player(self) -> Any:
        """The seat to move, or that the game is over."""
        return pyspiel.PlayerId.TERMINAL if self._over else int(self._batch.to_move[0])

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - OpenSpiel's form, as below
        return [*map(int, np.flatnonzero(self._batch.masks()[0]))]

    def _apply_action(self, action: int) -> None:
        if self._over:  # a batch would begin the next game
            raise IllegalMoveError(str(action), self._batch.state(0).board_text(), GAME_OVER)
        before = self._batch.copy()
        self._batch.step([action])
        self._over = bool(self._batch.ended[0] or self._batch.truncated[0])
        self._returns = self._batch.rewards[0].tolist()
        if self._over:
            last = before.state(0)
            self._batch.place(
                0, last if before.is_halfway(0) else last.after(before.text(0, action))
            )

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        return self._batch.text(0, action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._over

    def returns(self) -> list[float]:
        """1 and -1 at the end, by seat; 0 before, and for a draw."""
        return self._returns

    def __str__(self) -> str:
        waiting = self._batch.is_halfway(0)
        first = self._batch.observe()[0, 0].reshape(-1)[self._batch.cells] if waiting else ()
        half = f"\nfirst stone: {int(np.flatnonzero(first)[0])}" if waiting else ""
        return f"{self._batch.state(0)}{half}"


class _Observer:
    """What `pyspiel` asks an observer for."""

    def __init__(self, shape: tuple[int, ...], iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observations take no parameters, not {params}")
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}
        del iig_obs_type

    def set_from(self, state: Any, player: int) -> None:
        """Fills the tensor as that seat sees the position."""
        planes = state._batch.observe()[0].astype(np.float32)  # noqa: SLF001 - a part of the state
        if player != int(state._batch.to_move[0]):  # noqa: SLF001
            planes[[0, 1]] = planes[[1, 0]]
        self.dict["observation"][:] = planes

    def string_from(self, state: Any, player: int) -> str:  # noqa: ARG002 - pyspiel's form
        """The position as text."""
        return str(state)


def _define(name: str) -> None:
    """Registers a game."""
    usual = _usual(name)
    unset = {
        key
        for key, option in signature(factory_of(name)).parameters.items()
        if option.default is None
    }
    kind = pyspiel.GameType(
        short_name=f"shutoko_{name}",
        long_name=name.capitalize(),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=usual,
    )

    class Made(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
        """One of our games with its options."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            given = dict(params or {})
            options = {key: given.get(key, value) for key, value in usual.items()}
            options = {
                key: None if key in unset and not value else value for key, value in options.items()
            }
            self._batch = Batch(game_of(name, **options), 1, cap=_LONGEST)
            self._shape = self._batch.shape
            told = pyspiel.GameInfo(
                num_distinct_actions=self._batch.actions,
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=_LONGEST,
            )
            super().__init__(kind, told, given)

        def __reduce__(self) -> tuple[Any, tuple[str]]:
            return _loaded, (str(self),)

        def new_initial_state(self) -> _State:
            """The position before ply 0."""
            return _State(self, self._batch)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
            """The observer of `rules.grid.Batch`'s planes."""
            return _Observer(self._shape, iig_obs_type, params)

    pyspiel.register_game(kind, Made)


for _name in BOARDS:
    with suppress(UnavailableError):  # a package that is installed but cannot be loaded
        _define(_name)
