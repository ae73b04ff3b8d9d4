"""Fitting the net to positions, with torch."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from rules.errors import UnavailableError
from rules.grid.meridians import Meridians
from rules.grid.search.net import OPENINGS, ROWS, NetFile, fill, most_active
from shutoko.learn.selfplay import Positions, taken
from sim.installing import install

_BATCH = 512
_DECAY = 1e-5


def check_installed() -> Any:
    """The package torch. Raises UnavailableError, with the command that installs it, if it is
    missing.
    """
    try:
        return import_module("torch")
    except ImportError as error:
        raise UnavailableError(f"learning needs torch: {install('learn')}") from error


class Learner:
    """A net in training. All its chance comes from the seed. Raises UnavailableError without
    torch.
    """

    def __init__(self, size: int, wide: int, deep: int, seed: int, threads: int = 1) -> None:
        self._torch = torch = check_installed()
        torch.manual_seed(seed)
        torch.set_num_threads(threads)
        self.size = size
        self._rng = np.random.default_rng(seed)
        game = Meridians(size=size)
        self._tables = game.tables
        self._symmetries = game.board.symmetries
        points = self._tables.points
        nn = torch.nn
        self._first = nn.EmbeddingBag(points * ROWS + OPENINGS, wide, mode="sum")
        nn.init.normal_(self._first.weight, std=0.1)
        self._first_bias = nn.Parameter(torch.zeros(wide))
        self._second, self._value, self._policy = (
            nn.Linear(wide, deep),
            nn.Linear(deep, 1),
            nn.Linear(deep, points),
        )
        parts = [*self._first.parameters(), self._first_bias]
        parts += [
            weight
            for layer in (self._second, self._value, self._policy)
            for weight in layer.parameters()
        ]
        self._steps: Any = torch.optim.Adam(parts, weight_decay=_DECAY)

    def file(self) -> NetFile:
        """The net as it is now."""
        weights = {
            "first": self._first.weight,
            "first_bias": self._first_bias,
            "second": self._second.weight.T,
            "second_bias": self._second.bias,
            "value": self._value.weight[0],
            "value_bias": self._value.bias,
            "policy": self._policy.weight.T,
            "policy_bias": self._policy.bias,
        }
        arrays = {
            name: np.ascontiguousarray(weight.detach().numpy(), np.float32)
            for name, weight in weights.items()
        }
        return NetFile(self.size, {name: array.copy() for name, array in arrays.items()})

    def fit(self, positions: Positions, batches: int, rate: float) -> tuple[float, float]:
        """Makes `batches` steps on random positions under random symmetries; returns the mean
        losses of policy and value.
        """
        for group in self._steps.param_groups:
            group["lr"] = rate
        losses = np.zeros(2)
        for _ in range(batches):
            losses += self._step(positions, self._rng.integers(len(positions.sides), size=_BATCH))
        return float(losses[0] / batches), float(losses[1] / batches)

    def _step(self, positions: Positions, drawn: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        torch, seen = self._torch, self._turned(positions, drawn)
        odds, points = self._forward(seen)
        points = points.masked_fill(~torch.from_numpy(seen.legal), -1e9)
        policy = -(torch.from_numpy(seen.visits) * torch.log_softmax(points, 1)).sum(1).mean()
        value = torch.nn.functional.binary_cross_entropy_with_logits(
            odds, torch.from_numpy(seen.chance)
        )
        self._steps.zero_grad()
        (policy + value).backward()
        self._steps.step()
        return np.array([policy.item(), value.item()])

    def _forward(self, seen: Positions) -> tuple[Any, Any]:
        """The logarithm of the odds of the side to move, and a value for each point."""
        torch = self._torch
        rows = np.zeros((len(seen.sides), most_active(self._tables)), np.int32)
        counts = np.zeros(len(seen.sides), np.int64)
        fill(self._tables, seen.cells, seen.sides, seen.plies, rows, counts)
        active = rows[np.arange(rows.shape[1]) < counts[:, None]].astype(np.int64)
        offsets = np.concatenate([[0], np.cumsum(counts)[:-1]])
        hidden = torch.relu(
            self._first(torch.from_numpy(active), torch.from_numpy(offsets)) + self._first_bias
        )
        deep = torch.relu(self._second(hidden))
        return self._value(deep)[:, 0], self._policy(deep)

    def _turned(self, positions: Positions, drawn: npt.NDArray[np.int64]) -> Positions:
        """Those positions, each through a random symmetry of the board."""
        one = taken(positions, drawn)
        goes = self._symmetries[self._rng.integers(len(self._symmetries), size=len(drawn))]
        ends = np.full((len(drawn), 1), goes.shape[1])
        cells, legal, visits = one.cells.copy(), one.legal.copy(), one.visits.copy()
        np.put_along_axis(cells, np.concatenate([goes, ends], 1), one.cells, 1)
        np.put_along_axis(legal, goes, one.legal, 1)
        np.put_along_axis(visits, goes, one.visits, 1)
        return one._replace(cells=cells, legal=legal, visits=visits)
