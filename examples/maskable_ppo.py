"""MaskablePPO of sb3-contrib, as it is, learns Tokyo Highway or Meridians 4 on the Gymnasium
environments: python examples/maskable_ppo.py [--game meridians] [--steps 24000] [--out curve] (pip
install sb3-contrib matplotlib).

It plays one seat against `--opponent`, Tokyo Highway on geometry alone. After every `--every`
actions it prints the share of the games that it won since the last line. `--out curve` writes
curve.jsonl and curve.png, the same figures with 95 % intervals. With `--exam PLAYER` it then plays
200 games against that player, always with the action that it likes best. The seed decides
everything but the time.

In Meridians an action is a point of the board, and the usual policy learns. In Tokyo Highway it is
a row of a list of places, which is made anew for each turn: row 3 has nothing in common with row 3
a turn ago. So there the net scores every row with the same weights.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

import shutoko.envs  # noqa: F401 - registers the environments
from rules.arena.rating import wilson

WIDTH = 64
Parts = dict[str, Tensor]


class AsItIs(BaseFeaturesExtractor):  # type: ignore[misc]
    """Leaves the parts of an observation (`view="parts"`) apart."""

    def __init__(self, space: Any) -> None:
        super().__init__(space, features_dim=1)

    def forward(self, parts: Parts) -> Parts:
        """The parts."""
        return parts


class Rows(nn.Module):  # type: ignore[misc]
    """The same small net for every row, which sees the row and the stocks: how good it is to take
    it, with its cars and without. What a pass is worth follows from the stocks, the value from all
    rows and the stocks.
    """

    def __init__(self, row: int, stocks: int) -> None:
        super().__init__()
        self.latent_dim_pi, self.latent_dim_vf = 1, WIDTH  # the policy asks for both
        self.seen = nn.Sequential(nn.Linear(row + stocks, WIDTH), nn.Tanh())
        self.worth = nn.Linear(WIDTH, 2)
        self.missed = nn.Linear(stocks, 1)
        self.pooled = nn.Sequential(nn.Linear(row + stocks, WIDTH), nn.ReLU())
        self.value = nn.Sequential(nn.Linear(2 * WIDTH + stocks, WIDTH), nn.Tanh())

    def forward(self, parts: Parts) -> tuple[Tensor, Tensor]:
        """For the actions and for the value."""
        return self.forward_actor(parts), self.forward_critic(parts)

    def forward_actor(self, parts: Parts) -> Tensor:
        """A number for each action: the rows, the rows without their cars, the pass."""
        worth = self.worth(self.seen(self._rows(parts)))
        return torch.cat([worth[..., 0], worth[..., 1], self.missed(parts["stocks"])], dim=1)

    def forward_critic(self, parts: Parts) -> Tensor:
        """The table, for the value: mean and maximum over the rows, and the stocks."""
        rows = self.pooled(self._rows(parts))
        real = parts["action_mask"][:, : rows.shape[1], None]
        mean = (rows * real).sum(dim=1) / real.sum(dim=1).clamp(min=1)
        most = (rows * real).amax(dim=1)
        return self.value(torch.cat([mean, most, parts["stocks"]], dim=1))

    def _rows(self, parts: Parts) -> Tensor:
        rows, stocks = parts["candidates"], parts["stocks"]
        return torch.cat([rows, stocks[:, None].expand(-1, rows.shape[1], -1)], dim=2)


class RowPolicy(MaskableActorCriticPolicy):  # type: ignore[misc]
    """The policy of MaskablePPO with `Rows` in the place of its net."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, features_extractor_class=AsItIs, **named)

    def _build_mlp_extractor(self) -> None:
        parts = self.observation_space
        self.mlp_extractor = Rows(parts["candidates"].shape[1], parts["stocks"].shape[0])

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = nn.Identity()  # there is a number for each action already
        for last in (self.mlp_extractor.worth, self.mlp_extractor.missed):
            nn.init.zeros_(last.weight)  # at first every action is worth the same


class Curve(BaseCallback):  # type: ignore[misc]
    """Counts the games that end, and notes the share of them that the agent won."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self.every, self.lines = every, list[dict[str, Any]]()
        self._won = self._games = 0
        self._begin = time.process_time()

    def _on_step(self) -> bool:
        for done, reward in zip(self.locals["dones"], self.locals["rewards"], strict=True):
            self._games += bool(done)
            self._won += bool(done) and reward > 0.5
        if self.num_timesteps >= self.every * (len(self.lines) + 1) and self._games:
            share = wilson(self._won, self._games)
            line = {
                "steps": self.num_timesteps,
                "cpu": round(time.process_time() - self._begin, 1),
                "games": self._games,
                "won": round(share.value, 3),
                "low": round(share.low, 3),
                "high": round(share.high, 3),
            }
            print(json.dumps(line), flush=True)
            self.lines.append(line)
            self._won = self._games = 0
        return True


def draw(lines: list[dict[str, Any]], opponent: str, out: Path) -> None:
    """Draws the curve as PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.6), dpi=120, layout="constrained")
    axes = figure.subplots()
    shown = "steps", "won", "low", "high"
    steps, won, low, high = ([line[name] for line in lines] for name in shown)
    axes.fill_between(steps, low, high, alpha=0.25, linewidth=0)
    axes.plot(steps, won, marker="o")
    axes.axhline(0.5, color="grey", linewidth=0.8)
    axes.set(xlabel="actions of the learner", ylabel="share of games won")
    axes.set_title(f"against {opponent}")
    axes.set(xlim=(0, None), ylim=(0, 1))
    figure.savefig(out)


class Learner(NamedTuple):
    """What learns a game: the id of the environment with its options, and MaskablePPO's policy with
    its settings.
    """

    env: str
    options: dict[str, Any]
    policy: Any
    settings: dict[str, Any]


LEARNERS = {
    "tokyo-highway": Learner(
        "shutoko/TokyoHighway-v0",
        {"candidates": 32, "view": "parts", "reward": "cars"},
        RowPolicy,
        {"n_steps": 16, "n_epochs": 8, "gamma": 0.9, "gae_lambda": 0.9, "ent_coef": 0.003,
         "learning_rate": 3e-3},
    ),
    "meridians": Learner(
        "shutoko/Meridians-v0",
        {"size": 4},
        "MultiInputPolicy",
        {"n_steps": 64, "n_epochs": 4, "gamma": 0.99, "ent_coef": 0.01, "learning_rate": 1e-3},
    ),
}  # fmt: skip


def exam(model: MaskablePPO, name: str, how: dict[str, Any], games: int) -> dict[str, Any]:
    """Games in which nothing is learned or tried: how many were won, and the seconds of CPU that
    each side took for an action.
    """
    env: Any = gymnasium.make(name, **how)
    won, actions, own, begin = 0, 0, 0.0, time.process_time()
    for game in range(games):
        seen, _ = env.reset(seed=game)
        ended, reward = False, 0.0
        while not ended:
            before = time.process_time()
            action, _ = model.predict(
                seen, action_masks=env.unwrapped.action_masks(), deterministic=True
            )
            own, actions = own + time.process_time() - before, actions + 1
            seen, reward, ended, truncated, _ = env.step(int(np.asarray(action)))
            ended = ended or truncated
        won += reward > 0.5
    share, spent = wilson(won, games), time.process_time() - begin
    return {
        "exam": how["opponent"],
        "games": games,
        "won": round(share.value, 3),
        "low": round(share.low, 3),
        "high": round(share.high, 3),
        "own": round(own / actions, 4),
        "other": round((spent - own) / actions, 4),
    }


def main() -> None:
    """Learns, and tells how it went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=[*LEARNERS], default="tokyo-highway")
    parser.add_argument("--steps", type=int, default=24000, help="actions of the learner")
    parser.add_argument("--every", type=int, default=2000, help="actions between two lines")
    parser.add_argument("--opponent", default="greedy", help="who plays the other seat")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="the curve, without a suffix")
    parser.add_argument("--exam", metavar="PLAYER", help="whom it plays when it has learned")
    parser.add_argument("--games", type=int, default=200, help="games of the exam")
    given = parser.parse_args()
    torch.set_num_threads(1)
    name, options, policy, settings = LEARNERS[given.game]
    how = {**options, "opponent": given.opponent}
    env = make_vec_env(name, n_envs=16, seed=given.seed, env_kwargs=how)
    settings = {**settings, "batch_size": 128, "seed": given.seed, "device": "cpu"}
    model = MaskablePPO(policy, env, **settings)
    curve = Curve(given.every)
    model.learn(given.steps, callback=curve)
    if given.out is not None:
        text = "".join(json.dumps(line) + "\n" for line in curve.lines)
        given.out.with_suffix(".jsonl").write_text(text, encoding="utf-8")
        draw(curve.lines, given.opponent, given.out.with_suffix(".png"))
    if given.exam is not None:
        print(
            json.dumps(exam(model, name, {**how, "opponent": given.exam}, given.games)), flush=True
        )


if __name__ == "__main__":
    main()
