"""Games on boards as tables for the environments, on top of `rules.grid.Batch`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, Space

from rules.game import Game
from rules.grid import Batch


def spaces(batch: Batch) -> tuple[Dict, Discrete]:
    """The spaces of one seat: `observation` and `action_mask` as in `rules.grid.Batch`, and the
    numbered actions.
    """
    seen: dict[str, Space[Any]] = {
        "observation": Box(0, 1, batch.shape, np.int8),
        "action_mask": Box(0, 1, (batch.actions,), np.int8),
    }
    return Dict(seen), Discrete(batch.actions)


class BoardTable:
    """A `shutoko.envs.tables.EnvTable` of a game on a board; it shows the final position until
    `begin`.
    """

    batch = staticmethod(Batch)
    spaces = staticmethod(spaces)

    def __init__(self, game: Game[Any], cap: int) -> None:
        self.game = game
        self.seats = game.seats
        self._batch = Batch(game, 1, cap=cap)
        self._actions: list[int] = []
        self._last: Any = None
        self.rewards: tuple[float, ...] = (0.0, 0.0)
        self.ended = self.truncated = False
        self.observations: Space[Any]
        self.actions: Space[Any]
        self.observations, self.actions = spaces(self._batch)

    def begin(self, rng: np.random.Generator) -> None:  # noqa: ARG002 - these games have no chance
        """See `EnvTable`."""
        self._batch.reset()
        self._actions.clear()
        self._last, self.rewards = None, (0.0, 0.0)
        self.ended = self.truncated = False

    @property
    def state(self) -> Any:
        """See `EnvTable`."""
        return self._batch.state(0) if self._last is None else self._last

    @property
    def to_move(self) -> int:
        """See `EnvTable`."""
        return int(self._batch.to_move[0]) if self._last is None else self._last.to_move

    def observe(self, seat: int) -> dict[str, npt.NDArray[np.int8]]:
        """See `EnvTable`."""
        planes = self._batch.observe()[0].astype(np.int8)
        if seat != self.to_move:
            planes[[0, 1]] = planes[[1, 0]]
        due = seat == self.to_move and self._last is None
        return {
            "observation": planes,
            "action_mask": self.mask() if due else np.zeros(self._batch.actions, np.int8),
        }

    def mask(self) -> npt.NDArray[np.int8]:
        """See `EnvTable`."""
        found: npt.NDArray[np.int8] = self._batch.masks()[0].astype(np.int8)
        return found

    def act(self, action: Any) -> None:
        """See `EnvTable`."""
        number = int(action)
        self._batch.step([number])
        self._actions.append(number)
        self.rewards = tuple(self._batch.rewards[0].tolist())
        self.ended, self.truncated = bool(self._batch.ended[0]), bool(self._batch.truncated[0])
        if self.ended or self.truncated:
            self._keep_the_end()

    def move(self, move: Any) -> None:
        """See `EnvTable`."""
        before = self.state
        if str(move) == "resign":
            loser = before.to_move
            self._last, self.ended = before.after(move), True
            self.rewards = tuple(-1.0 if seat == loser else 1.0 for seat in range(self.seats))
            return
        for action in self._batch.actions_of(0, move):
            self.act(action)

    def _keep_the_end(self) -> None:
        """Restores the final position, because the batch has begun a new game in the same step:
        replays the game that ended.
        """
        *before, last = self._actions
        self._batch.reset()
        twin = Batch(self.game, 1)
        for action in before:
            twin.step([action])
        final = twin.state(0)
        if not twin.is_halfway(0):
            final = final.after(twin.text(0, last))
        self._last = final
        self._batch.place(0, final)
