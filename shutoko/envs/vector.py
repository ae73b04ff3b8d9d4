"""Many games on boards at once for Gymnasium, in compiled code for the shipped ones: the agent
plays both seats of every game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from shutoko.envs.tables import many


class SelfPlayVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` games over `rules.grid.Batch`: `gymnasium.make_vec("shutoko/MeridiansSelfPlay-v0",
    num_envs=1024, size=7)`; over `sim.Batch`: `"shutoko/TokyoHighwaySelfPlay-v0"`.

    Each action is that of the seat to move, `infos["to_move"]`, and observations are seen by it.
    The reward is that of the seat that has just acted; `infos["rewards"]` float32[n, seats] has
    all. A game that is over begins anew in the same step (`AutoresetMode.SAME_STEP`), and the
    observation is that of the new game. `infos["action_mask"]` and the mask in the observation are
    equal. Raises IllegalMoveError for an illegal action; then no game has moved.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012 - Gymnasium's form

    def __init__(self, num_envs: int, game: str, cap: int = 0, **options: Any) -> None:
        self.num_envs = num_envs
        self._begin, spaces = many(game, num_envs, cap, options)
        self.batch = self._begin(0)
        self.single_observation_space, self.single_action_space = spaces(self.batch)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """All games anew. There is no chance in them: the seed only decides what `batch.sample`
        draws.
        """
        super().reset(seed=seed, options=options)
        if type(seed) is int:
            self.batch = self._begin(seed)
        else:
            self.batch.reset()
        return self._seen(), self._info()

    def step(
        self, actions: Any
    ) -> tuple[
        Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """One action in every game."""
        acted = self.batch.to_move.astype(np.int64)
        self.batch.step(actions)
        rewards = self.batch.rewards[np.arange(self.num_envs), acted]
        return (
            self._seen(),
            rewards,
            self.batch.ended.copy(),
            self.batch.truncated.copy(),
            self._info(),
        )

    def _seen(self) -> dict[str, npt.NDArray[Any]]:
        kind = self.single_observation_space["observation"].dtype  # type: ignore[index] # a Dict
        return {
            "observation": self.batch.observe().astype(kind),
            "action_mask": self._mask(),
        }

    def _info(self) -> dict[str, Any]:
        batch = self.batch
        return {
            "to_move": batch.to_move.copy(),
            "rewards": batch.rewards.copy(),
            "action_mask": self._mask(),
        }

    def _mask(self) -> npt.NDArray[np.int8]:
        mask: npt.NDArray[np.int8] = self.batch.masks().astype(np.int8)
        return mask
