"""The environments for Gymnasium: one seat for the agent, any player by spec string on the others;
or many games at once, in compiled code for the shipped ones, in which the agent plays all seats.
"""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from rules.arena.players import player
from rules.errors import IllegalMoveError, InputError
from shutoko.envs.tables import MODES, Shower, make, many


class SingleEnv(gymnasium.Env[Any, Any]):
    """A game for one agent: `gymnasium.make("shutoko/Meridians-v0", opponent="mcts:simulations=90",
    seat=0, size=5)`.

    `opponent` is a player as in `shutoko simulate`; all other seats play with it. `seat` is the
    agent's, or `random` for a new one each game. A game that has not ended after `cap` actions of
    all seats is truncated (0: never). The other options are those of `shutoko.envs.aec.TableEnv`,
    as are observations; `info["action_mask"]` is the mask once more.

    The reward is 1 for a win, -1 for a loss, 0 otherwise, and what the table adds to that by its
    options; it is that of the agent's action and of what the others do then. `action_masks()` is
    the mask as MaskablePPO of sb3-contrib asks for it. An illegal action loses at once;
    `info["illegal"]` says why. Raises InputError for a wrong option, player or mode.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012 - Gymnasium's form

    def __init__(
        self,
        game: str,
        opponent: str = "random",
        seat: int | str = "random",
        render_mode: str | None = None,
        cap: int = 1000,
        **options: Any,
    ) -> None:
        self._table = make(game, cap, options)
        if seat != "random" and (type(seat) is not int or not 0 <= seat < self._table.seats):
            raise InputError(
                f"seat = {seat!r} is not valid; choose random or 0 to {self._table.seats - 1}"
            )
        self._wish = seat
        self._seat = 0
        self._players = [player(opponent, self._table.game) for _ in range(self._table.seats)]
        self.observation_space, self.action_space = self._table.observations, self._table.actions
        self._shower = Shower(self._table.game, render_mode)
        self.render_mode = render_mode
        self._lost = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """A new game, up to the agent's first action. All chance of agent's seat, opponents and
        game follows from the seed.
        """
        super().reset(seed=seed, options=options)
        self._lost = False
        self._seat = (
            int(self.np_random.integers(self._table.seats))
            if self._wish == "random"
            else int(self._wish)
        )
        self._table.begin(self.np_random)
        self._let_others_move()
        return self._table.observe(self._seat), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The agent's action and what the others do until the agent is to move again."""
        if self._lost or self._table.ended or self._table.truncated:
            raise InputError("the game is over: call reset() before the next step")
        try:
            self._table.act(action)
        except IllegalMoveError as error:
            self._lost = True
            return (
                self._table.observe(self._seat),
                -1.0,
                True,
                False,
                {**self._info(), "illegal": str(error)},
            )
        reward = float(self._table.rewards[self._seat]) + self._let_others_move()
        ended, truncated = self._table.ended, self._table.truncated
        return (
            self._table.observe(self._seat),
            reward,
            ended,
            truncated,
            self._info(),
        )

    def render(self) -> Any:
        """As `render_mode` says (`shutoko.envs.tables.Shower`)."""
        return self._shower.show(self._table.state)

    def close(self) -> None:
        """Deletes what `human` wrote."""
        self._shower.close()

    def action_masks(self) -> Any:
        """bool[actions]: which actions are legal. Raises InputError where all are, without
        numbers.
        """
        mask = self._table.mask()
        if mask is None:
            raise InputError("this environment has no numbered actions, so there is no mask")
        return np.asarray(mask, np.bool_)

    def _let_others_move(self) -> float:
        """Plays the other seats; returns what that brings the agent."""
        table, reward = self._table, 0.0
        while not (table.ended or table.truncated) and table.to_move != self._seat:
            player = self._players[table.to_move]
            table.move(player.choose(table.state, self.np_random))
            reward += float(table.rewards[self._seat])
        return reward

    def _info(self) -> dict[str, Any]:
        mask = self._table.mask()
        seen = {"seat": self._seat, "to_move": self._table.to_move}
        return seen if mask is None else {**seen, "action_mask": np.asarray(mask)}


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
        return np.asarray(self.batch.masks(), dtype=np.int8)
