"""The environment for PettingZoo, the same for all games: one agent for each seat, one action at a
time.
"""

from typing import Any

import numpy as np

from rules.errors import UnavailableError
from sim.installing import install

try:
    from gymnasium.spaces import Space
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    from shutoko.envs.tables import MODES, Shower, make
except ImportError as error:
    raise UnavailableError(
        f"PettingZoo's environments need the extra rl: {install('rl')}"
    ) from error


class TableEnv(AECEnv):  # type: ignore[misc] # PettingZoo ships no types
    """A game as a PettingZoo environment with the agents `player_0`, `player_1`, ... in the order
    of the seats.

    `options` are those of the game, such as `size=5` or `pie=True`, and for Tokyo Highway also
    those of `shutoko.envs.candidates`. A game that has not ended after `cap` actions is truncated
    (0: never).

    An observation is a dictionary with `observation` and `action_mask`: of a grid game as in
    `rules.grid.Batch`, seen by the agent, the mask zero while another is to move. Rewards come at
    the end: 1 for winners and -1 for the others, 0 for a draw.

    Raises InputError for a wrong option or mode; `step` raises IllegalMoveError for an illegal
    action.
    """

    def __init__(
        self,
        game: str,
        render_mode: str | None = None,
        cap: int = 1000,
        **options: Any,
    ) -> None:
        super().__init__()
        self._table = make(game, cap, options)
        self._shower = Shower(self._table.game, render_mode)
        self.render_mode = render_mode
        name = f"{game.replace('-', '_')}_v0"
        self.metadata = {
            "render_modes": list(MODES),
            "name": name,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self._table.seats)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observations = {
            agent: _own(self._table.observations) for agent in self.possible_agents
        }
        self._actions = {agent: _own(self._table.actions) for agent in self.possible_agents}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> Space[Any]:
        """The same object at every call."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The same object at every call."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo's form
        """Begins a new game. A seed also decides all later games; without one, the random generator
        goes on where it was.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._table.begin(self._rng)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._table.to_move]

    def observe(self, agent: str) -> Any:
        """What an agent sees."""
        return self._table.observe(self._seat[agent])

    def step(self, action: Any) -> None:
        """The action of `agent_selection`; None for an agent whose game is over."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._table.act(action)
        self.rewards = dict(zip(self.possible_agents, self._table.rewards, strict=True))
        if self._table.ended:
            self.terminations = dict.fromkeys(self.agents, True)
        if self._table.truncated:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self._table.to_move]
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> Any:
        """As `render_mode` says (`shutoko.envs.tables.Shower`)."""
        return self._shower.show(self._table.state)

    def close(self) -> None:
        """Deletes what `human` wrote."""
        self._shower.close()


def functions(module: str, game: str) -> dict[str, Any]:
    """What the module of a game for PettingZoo holds: `env`, `raw_env` and `parallel_env`."""

    def raw_env(render_mode: str | None = None, **options: Any) -> TableEnv:
        """The environment without wrappers: an illegal action raises IllegalMoveError. See
        `shutoko.envs.aec.TableEnv`.
        """
        return TableEnv(game, render_mode, **options)

    def env(render_mode: str | None = None, **options: Any) -> Any:
        """The environment in the wrappers of PettingZoo's classic games: an illegal action ends the
        game with a reward of -1.
        """
        return wrapped(raw_env(render_mode, **options))

    def parallel_env(render_mode: str | None = None, **options: Any) -> Any:
        """PettingZoo's parallel form: every seat gives an action, and only that of the seat to move
        counts.
        """
        return turn_based_aec_to_parallel(env(render_mode, **options))

    made = {made.__name__: made for made in (env, raw_env, parallel_env)}
    for name, function in made.items():  # by these names another process finds them
        function.__module__, function.__qualname__ = module, name
    return made


def wrapped(env: TableEnv) -> Any:
    """With PettingZoo's own wrappers: an illegal action loses, and a call out of order raises an
    error that says so.
    """
    made: Any = env
    if "action_mask" in env.observation_space(env.possible_agents[0]).spaces:  # type: ignore[attr-defined] # a Dict
        made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
        made = wrappers.AssertOutOfBoundsWrapper(made)
    else:
        made = wrappers.ClipOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


def _own(space: Space[Any]) -> Space[Any]:
    """A copy with a generator of its own."""
    from copy import deepcopy

    return deepcopy(space)
