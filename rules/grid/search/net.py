"""A small net for Meridians, evaluated in compiled code: what the search asks for chances and
promising moves.

The net sees what lies on every point and what each point sees in the six directions: an own or
another stone, beside it or farther off. All of these are zeros and ones, so the first layer is a
sum of rows of weights. A second layer and two heads follow: the chance that the side to move wins,
and how promising each point is. It needs no package beyond numba; `shutoko learn` trains it, and
`save` and `load` keep it in a file.
"""

from __future__ import annotations

import math
import zipfile
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from rules.files import open_regular
from rules.game import Game
from rules.grid.kernels import meridians as kernel
from rules.grid.kernels import meridians_games as games
from rules.grid.kernels.dispatch import register
from rules.grid.kernels.jit import njit_entry, njit_inline, njit_linked
from rules.grid.meridians import Meridians
from rules.grid.search import meridians as search
from rules.grid.search.tree import Settings

ROWS = 26
"""Rows of the first layer that belong to a point: own stone, other's stone, and four things seen in
each of six directions.
"""

OPENINGS = kernel.OPENING + 1
"""Rows behind those of the points: how many plies of the opening are made."""

SETTINGS = Settings(puct=0.8, reduction=0.15, horizon=0)
"""How the tree is searched with a net: no random games."""

Floats = npt.NDArray[np.float32]


class Net(NamedTuple):
    """The board with the weights: N points, two hidden layers of H and G. The heads follow the
    second layer.
    """

    board: kernel.Tables
    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    value: Floats
    value_bias: Floats
    policy: Floats
    policy_bias: Floats


class Work(NamedTuple):
    """Scratch: that of the rules, active rows, both hidden layers, a value for each point."""

    rules: kernel.Words
    rows: npt.NDArray[np.int32]
    hidden: Floats
    deep: Floats
    points: Floats


@dataclass(frozen=True)
class NetFile:
    """A net as it is kept: the size of its board, and its weights by the names of `Net`."""

    size: int
    weights: dict[str, Floats]


_WEIGHTS = Net._fields[1:]
_SHIPPED = "meridians-net-{}.npz"


def with_nets(game: Game[Any]) -> Meridians:
    """The game, if nets are made for it. Raises InputError for another one."""
    if not isinstance(game, Meridians):
        raise InputError(f"net: there are nets only for Meridians, not for {game.name}")
    return game


def save(net: NetFile, path: Path) -> None:
    """Writes the weights as float16. Raises OSError."""
    halves: dict[str, Any] = {name: array.astype(np.float16) for name, array in net.weights.items()}
    with path.open("wb") as out:
        np.savez_compressed(out, size=np.int64(net.size), **halves)


def load(size: int, path: str | Path | None = None) -> NetFile:
    """The net in a file, or the one that comes with the package for that size.

    Raises InputError for a file that holds no net for that size, and if none is shipped.
    """
    if path:
        return _read(size, Path(path))
    return _shipped(size)


@cache
def _shipped(size: int) -> NetFile:
    resource = files("rules.grid.search").joinpath(_SHIPPED.format(size))
    if not resource.is_file():
        raise InputError(
            f"no net is shipped for Meridians {size}; train one with `shutoko learn` and name it: "
            "net:file=FILE"
        )
    with resource.open("rb") as file:
        return _taken(size, file, "the shipped net")


def _read(size: int, path: Path) -> NetFile:
    try:
        with open_regular(path) as file:
            return _taken(size, file, str(path))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error


def _taken(size: int, file: Any, name: str) -> NetFile:
    try:
        with np.load(file) as stored:
            own = int(stored["size"])
            weights = {key: np.ascontiguousarray(stored[key], np.float32) for key in _WEIGHTS}
    except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"{name}: not a net of `shutoko learn`: {error}") from error
    if own != size:
        raise InputError(f"{name}: a net for Meridians {own}, not for size {size}")
    points = Meridians(size=size).tables.points
    wide, deep = weights["first"].shape[-1], weights["second"].shape[-1]
    shapes = [
        (points * ROWS + OPENINGS, wide),
        (wide,),
        (wide, deep),
        (deep,),
        (deep,),
        (1,),
        (deep, points),
        (points,),
    ]
    for key, shape in zip(_WEIGHTS, shapes, strict=True):
        if weights[key].shape != shape or not np.isfinite(weights[key]).all():
            raise InputError(f"{name}: {key} is not made of {shape} finite numbers")
    return NetFile(own, weights)


class NetAdapter(search.MeridiansAdapter):
    """Meridians for the search, valued by a net. See `rules.grid.search.adapters.SearchAdapter`.

    Raises InputError for a net of another size.
    """

    def __init__(self, game: Meridians, file: NetFile) -> None:
        super().__init__(game)
        if game.size != file.size:
            raise InputError(f"this net is for Meridians {file.size}, not for size {game.size}")
        self.net = Net(self.tables, *(file.weights[name] for name in _WEIGHTS))
        wide, deep = self.net.second.shape
        scratch = (
            np.zeros(most_active(self.tables), np.int32),
            np.zeros(wide, np.float32),
            np.zeros(deep, np.float32),
        )
        self.scratch = Work(self.work, *scratch, np.zeros(self.tables.points, np.float32))

    def opinion(self, cells: npt.NDArray[np.uint8], side: int, plies: int) -> tuple[float, Floats]:
        """The chance of the side to move, and how promising each point is (before it is known what
        is legal).

        `cells` are those of the kernels, with the sentinel.
        """
        chance = float(_opinion(self.net, cells, side, plies, self.scratch))
        return chance, self.scratch.points.copy()


def most_active(tables: kernel.Tables) -> int:
    """The most rows of the first layer that can be active at once."""
    return tables.points * 7 + 1


@njit_linked
def _active(tables: kernel.Tables, cells: Any, side: int, plies: int, out: Any) -> int:
    """Fills `out` with the active rows of a position and returns how many there are. `cells` has
    the sentinel behind it.
    """
    n, count = tables.points, 0
    for p in range(n):
        base = p * ROWS
        if cells[p] != 0:
            out[count] = base + (0 if cells[p] == side + 1 else 1)
            count += 1
        for d in range(6):
            q, far = int(tables.neighbours[p, d]), 0
            while q != n and cells[q] == 0:
                q, far = int(tables.neighbours[q, d]), 1
            if q != n:
                out[count] = base + 2 + 4 * d + 2 * (0 if cells[q] == side + 1 else 1) + far
                count += 1
    out[count] = n * ROWS + min(plies, OPENINGS - 1)
    return count + 1


@njit_entry
def fill(tables: kernel.Tables, cells: Any, sides: Any, plies: Any, out: Any, counts: Any) -> None:
    """The active rows of many positions: `cells` [m, N + 1], `out` [m, most_active], `counts`
    [m].
    """
    for i in range(len(sides)):
        counts[i] = _active(tables, cells[i], int(sides[i]), int(plies[i]), out[i])


@njit_linked
def _think(net: Net, cells: Any, side: int, plies: int, work: Work) -> None:
    """Computes both hidden layers of a position."""
    hidden, deep, rows = work.hidden, work.deep, work.rows
    count = _active(net.board, cells, side, plies, rows)
    wide, narrow = len(hidden), len(deep)
    for j in range(wide):
        hidden[j] = net.first_bias[j]
    for i in range(count):
        row = net.first[rows[i]]
        for j in range(wide):
            hidden[j] += row[j]
    for j in range(narrow):
        deep[j] = net.second_bias[j]
    for i in range(wide):
        strength = hidden[i]
        if strength > 0.0:
            row = net.second[i]
            for j in range(narrow):
                deep[j] += strength * row[j]
    for j in range(narrow):
        deep[j] = max(deep[j], np.float32(0.0))


@njit_linked
def _weigh(net: Net, work: Work) -> None:
    """Computes the value of each point from the second layer."""
    points, deep, n = work.points, work.deep, net.board.points
    for p in range(n):
        points[p] = net.policy_bias[p]
    for i in range(len(deep)):
        strength = deep[i]
        if strength > 0.0:
            row = net.policy[i]
            for p in range(n):
                points[p] += strength * row[p]


@njit_linked
def _chance(net: Net, work: Work) -> float:
    """The chance of the side to move from the second layer."""
    odds = float(net.value_bias[0])
    for i in range(len(work.deep)):
        odds += work.deep[i] * net.value[i]
    return 1.0 / (1.0 + math.exp(-odds))


@njit_entry
def _opinion(net: Net, cells: Any, side: int, plies: int, work: Work) -> float:
    """The chance of the side to move; `work.points` then has the points."""
    _think(net, cells, side, plies, work)
    _weigh(net, work)
    return float(_chance(net, work))


@njit_linked
def _priors(
    net: Net, board: Any, info: Any, work: Work, actions: Any, count: int, out: Any
) -> None:
    """How promising each action is; the sum is 1."""
    if count == 1:
        out[0] = 1.0
        return
    _think(net, board[kernel.CELLS], int(info[kernel.SIDE]), int(info[kernel.PLIES]), work)
    _weigh(net, work)
    points = work.points
    most, total = -1e30, 0.0
    for i in range(count):
        most = max(most, float(points[actions[i]]))
    for i in range(count):
        out[i] = math.exp(float(points[actions[i]]) - most)
        total += out[i]
    for i in range(count):
        out[i] /= total


@njit_linked
def _evaluate(net: Net, board: Any, info: Any, work: Work) -> float:
    """The chance of side 0."""
    _think(net, board[kernel.CELLS], int(info[kernel.SIDE]), int(info[kernel.PLIES]), work)
    chance = float(_chance(net, work))
    return chance if info[kernel.SIDE] == 0 else 1.0 - chance


@njit_inline
def _side(net: Net, info: Any) -> int:  # noqa: ARG001 - the common form
    return int(info[kernel.SIDE])


@njit_linked
def _legal(net: Net, board: Any, info: Any, out: Any) -> int:
    return int(kernel.legal(net.board, board, info, out))


@njit_linked
def _play(net: Net, board: Any, info: Any, work: Work, action: int) -> int:
    return int(kernel.play(net.board, board, info, work.rules, action))


@njit_linked
def _pick(net: Net, board: Any, info: Any, work: Work, chance: Any) -> int:
    return int(games.pick(net.board, board, info, work.rules, chance))


@njit_linked
def _same(net: Net, board: Any, info: Any, other_board: Any, other_info: Any) -> bool:
    return bool(kernel.same(net.board, board, info, other_board, other_info))


@njit_inline
def _key(net: Net, info: Any) -> int:
    return int(kernel.key(net.board, info))


register(
    Net,
    side=_side,
    legal=_legal,
    play=_play,
    pick=_pick,
    same=_same,
    priors=_priors,
    evaluate=_evaluate,
    key=_key,
)
