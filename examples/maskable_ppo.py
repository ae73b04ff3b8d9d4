"""MaskablePPO of sb3-contrib, as it is, learns Tokyo Highway on the Gymnasium environment: python
examples/maskable_ppo.py [--steps 16000] [--out curve] (pip install sb3-contrib matplotlib).

It plays one seat against `--opponent`, on geometry alone. After every `--every` steps it prints the
share of the games that it won since the last line. `--out curve` writes curve.jsonl and curve.png,
the same figures with 95 % intervals. The seed decides everything but the time.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import gymnasium
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import shutoko.envs  # noqa: F401 - registers the environments
from rules.arena.rating import wilson


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
        if self.num_timesteps % self.every == 0 and self._games:
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
    steps, won = [line["steps"] for line in lines], [line["won"] for line in lines]
    low, high = [line["low"] for line in lines], [line["high"] for line in lines]
    axes.fill_between(steps, low, high, alpha=0.25, linewidth=0)
    axes.plot(steps, won, marker="o")
    axes.set(
        xlabel="actions of the learner",
        ylabel=f"games won against {opponent}",
        ylim=(0, 1),
        xlim=(0, None),
    )
    figure.savefig(out)


def main() -> None:
    """Learns, and tells how it went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=16000, help="actions of the learner")
    parser.add_argument("--every", type=int, default=2000, help="actions between two lines")
    parser.add_argument("--opponent", default="greedy", help="who plays the other seat")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="the curve, without a suffix")
    given = parser.parse_args()
    env = gymnasium.make(
        "shutoko/TokyoHighway-v1", opponent=given.opponent, candidates=32, reward="cars"
    )
    model = MaskablePPO(
        "MultiInputPolicy", env, n_steps=500, batch_size=125, gamma=0.98, ent_coef=0.005,
        learning_rate=5e-4, seed=given.seed, device="cpu",
    )  # fmt: skip
    curve = Curve(given.every)
    model.learn(given.steps, callback=curve)
    if given.out is not None:
        text = "".join(json.dumps(line) + "\n" for line in curve.lines)
        given.out.with_suffix(".jsonl").write_text(text, encoding="utf-8")
        draw(curve.lines, given.opponent, given.out.with_suffix(".png"))


if __name__ == "__main__":
    main()
