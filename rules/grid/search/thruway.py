"""Thruway for the search: its kernels by their common names, a guess at every move, and its adapter
for the players.

`rules.grid.search.flow` values a position. A guess at a move is a sum of weights, one for each
feature below, as its mover sees it. The weights are fitted to the moves that searches chose
(tools/thruway_weights.py). The prior of a move is the softmax of these sums.

- the empty neighbours that the two tiles keep (the designer's approaches: an odd number is
  vulnerable), for two empty cells, for a replaced tile and an empty cell; along or across the way
  between the mover's borders
- each of the six cells around the pair by its place (beyond an end, or at a side), by whether it
  lies beside a cell that was empty or beside a replaced tile, and by what it holds: a tile of
  either colour with its approaches, nothing, a border
- the four cells diagonal to the pair, and the two behind its ends
- for a swap how many disputes it resolves and makes, and own neighbours lost and won
- where it lies from the last move
- the share of either side's current that flows through it

Values decide the trade: asphalt's player takes the better colour, so concrete chooses the most even
opening.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.base import GridMove
from rules.grid.kernels import thruway as kernel, thruway_games as games
from rules.grid.kernels.dispatch import PLIES, SIDE, register
from rules.grid.kernels.jit import njit_entry, njit_inline, njit_linked, u64
from rules.grid.search import flow
from rules.grid.search.adapters import Book, Sight, Value, load_book
from rules.grid.search.tree import Settings
from rules.grid.thruway import ThruwayGame, ThruwayPosition

# Where the weights of each kind of feature begin.
_PAIR = 0  # 2 along x 4 x 4 approaches
_REPLACE = _PAIR + 32  # 2 along x 4 x 4
_SWAP = _REPLACE + 32  # 3 resolved x 3 made
_MOVED = _SWAP + 9  # 13 differences of own neighbours
_AROUND = _MOVED + 13  # 2 along x 2 places x 2 besides x 16 held
_CORNER = _AROUND + 128  # 2 besides x 4 held
_BEHIND = _CORNER + 8  # 2 along x 4 held
SHAPE = _BEHIND + 8
_FAR = 7
LOCAL = SHAPE + 2 * _FAR * _FAR + 2
_SHARES = 8
WEIGHTS = LOCAL + 3 * _SHARES * _SHARES
"""The number of weights: first SHAPE for the shape alone, up to LOCAL for the place of the last
move, then for the currents.
"""

_FREE, _PLAIN, _HELD, _BUSY = range(4)
_SCALE = 1000.0
_SETTLING = 30  # sweeps for the first position of a search
_SETTLED = 8  # and for those of an opening
_REMEMBERED = 64  # keys of positions, where repetition counts
_OPENINGS = 5  # how many of the most even openings are searched
_GLANCE = 0.05  # the share of the time for a move that is spent on the trade

Words = npt.NDArray[np.int64]


class Weights(NamedTuple):
    """What is fitted: `looks` int64[WEIGHTS] in thousandths, and for `rules.grid.search.flow` the
    logarithms of the resistances float64[KINDS] and `blend` float64[4].
    """

    looks: Words
    resistance: npt.NDArray[np.float64]
    blend: npt.NDArray[np.float64]


class Work(NamedTuple):
    """What a search of one thread works in: the kernels' `work`, the weights of moves, the nets of
    resistors, what `survey` sees at every cell, and `knobs` int64[1]: the sweeps for a value.
    """

    kernel: Words
    looks: Words
    net: flow.Flow
    sights: Words
    knobs: Words


def room(tables: kernel.Tables, weights: Weights, sweeps: int = 1) -> Work:
    """`Work` for a search of one thread."""
    net = flow.flow(tables.size, weights.resistance, weights.blend)
    sights = np.zeros((5, (tables.size + 2) ** 2), np.int64)
    return Work(
        kernel.blank(tables)[2],
        weights.looks.astype(np.int64),
        net,
        sights,
        np.array([sweeps], np.int64),
    )


@cache
def load() -> Weights:
    """The weights that come with the package."""
    with (
        files("rules.grid.search").joinpath("thruway.npz").open("rb") as file,
        np.load(file) as stored,
    ):
        return Weights(stored["looks"], stored["resistance"], stored["blend"])


@njit_inline
def _ring(
    sights: Any, weights: Any, cell: int, step: int, across: int, along: int, old: int
) -> int:
    """The sum for what lies around one cell of the pair, on whose side away from the pair's other
    cell `step` leads.
    """
    base = _AROUND + 64 * along + 16 * old
    total = weights[u64(base + sights[_HELD, u64(cell + step)])]
    total += (
        weights[u64(base + 32 + sights[_HELD, u64(cell + across)])]
        + weights[u64(base + 32 + sights[_HELD, u64(cell - across)])]
    )
    corner = _CORNER + 4 * old
    total += (
        weights[u64(corner + sights[_PLAIN, u64(cell + step + across)])]
        + weights[u64(corner + sights[_PLAIN, u64(cell + step - across)])]
    )
    if sights[_PLAIN, u64(cell + step)] != 3:
        total += weights[u64(_BEHIND + 4 * along + sights[_PLAIN, u64(cell + 2 * step)])]
    return int(total)


@njit_inline
def look(tables: Any, board: Any, info: Any, sights: Any, weights: Any, action: int) -> int:
    """The sum of an edge."""
    width = tables.size + 2
    me = info[SIDE] + 1
    packed = tables.edges[u64(action)]
    first, second = packed & 1023, packed >> 10 & 1023
    flat = packed >> 30
    along = flat if me == 1 else 1 - flat
    one, other = board[u64(first)], board[u64(second)]
    step = second - first
    across = width + 1 - step
    kind = 0
    if one != 0 and other != 0:
        kind = 2
        resolved, made = 0, 0
        for turn in range(2):
            aside = across if turn == 0 else -across
            upper, lower = board[u64(first + aside)], board[u64(second + aside)]
            resolved += upper == other and lower == one
            made += upper == one and lower == other
        total = weights[u64(_SWAP + 3 * resolved + made)]
        mine, theirs = (first, second) if one == me else (second, first)
        won, lost = 0, 0
        for turn in range(4):
            aside = across if turn == 0 else -across if turn == 1 else step if turn == 2 else -step
            won += board[u64(theirs + aside)] == me and theirs + aside != mine
            lost += board[u64(mine + aside)] == me
        total += weights[u64(_MOVED + 6 + won - lost)]
    else:
        a, b = sights[_FREE, u64(first)] - (other == 0), sights[_FREE, u64(second)] - (one == 0)
        if one == 0 and other == 0:
            total = weights[u64(_PAIR + 16 * along + 4 * min(a, b) + max(a, b))]
        else:
            kind = 1
            total = weights[u64(_REPLACE + 16 * along + (4 * b + a if one == 0 else 4 * a + b))]
        total += _ring(sights, weights, second, step, across, along, int(other != 0))
        total += _ring(sights, weights, first, -step, across, along, int(one != 0))
    concrete = min(sights[_BUSY, u64(first)], sights[_BUSY, u64(second)])
    asphalt = min(sights[u64(_BUSY + 1), u64(first)], sights[u64(_BUSY + 1), u64(second)])
    own, others = (concrete, asphalt) if me == 1 else (asphalt, concrete)
    total += weights[u64(LOCAL + (kind * _SHARES + own) * _SHARES + others)]

    last = info[kernel.LAST] - 1
    if last < 0:
        return int(total + weights[u64(LOCAL - 1)])
    beside = tables.edges[u64(last)]
    turned = beside >> 30
    down = abs(2 * ((packed >> 20 & 31) - (beside >> 20 & 31)) + turned - flat)
    right = abs(2 * ((packed >> 25 & 31) - (beside >> 25 & 31)) + flat - turned)
    if down >= _FAR or right >= _FAR:
        return int(total + weights[u64(LOCAL - 2)])
    if me == 2:
        down, right = right, down
    return int(total + weights[u64(SHAPE + _FAR * _FAR * along + _FAR * down + right)])


@njit_linked
def survey(tables: Any, board: Any, info: Any, work: Any) -> None:
    """Fills `work.sights`."""
    size = tables.size & 31
    width = size + 2
    flow.value(tables, board, info, work.net, work.knobs[0])
    flow.currents(size, work.net)
    sights, me = work.sights, info[SIDE] + 1
    for cell in range(len(board)):
        sights[_HELD, u64(cell)] = 15
        sights[_PLAIN, u64(cell)] = 3
    for y in range(1, size + 1):
        for x in range(1, size + 1):
            cell = y * width + x
            free = int(board[u64(cell - 1)] == 0) + int(board[u64(cell + 1)] == 0)
            free += int(board[u64(cell - width)] == 0) + int(board[u64(cell + width)] == 0)
            sights[_FREE, u64(cell)] = free
            tile = board[u64(cell)]
            simply = 0 if tile == 0 else 1 if tile == me else 2
            sights[_PLAIN, u64(cell)] = simply
            sights[_HELD, u64(cell)] = free + (10 if simply == 0 else 5 * simply - 5)
            for colour in range(2):
                share = work.net.current[u64(colour), u64(x * width + y if colour == 0 else cell)]
                busy = 0
                while share < 0.5 and busy < _SHARES - 1:
                    share *= 2.0
                    busy += 1
                sights[u64(_BUSY + colour), u64(cell)] = busy


@njit_entry
def _priors(
    tables: Any, board: Any, info: Any, work: Any, actions: Any, count: int, out: Any
) -> None:
    edges = len(tables.edges)
    survey(tables, board, info, work)
    best = -1e18
    for i in range(count):
        action = actions[i]
        value = 0.0
        if action < edges:
            value = look(tables, board, info, work.sights, work.looks, action & 0xFFFF) / _SCALE
        out[i] = value
        best = max(best, value)
    total = 0.0
    for i in range(count):
        out[i] = np.exp(out[i] - best)
        total += out[i]
    for i in range(count):
        out[i] /= total


@njit_linked
def _evaluate(tables: Any, board: Any, info: Any, work: Any) -> float:
    return float(1.0 / (1.0 + np.exp(-flow.value(tables, board, info, work.net, work.knobs[0]))))


@njit_inline
def _play(tables: Any, board: Any, info: Any, work: Any, action: int) -> int:
    return kernel.play(tables, board, info, work.kernel, action)


@njit_inline
def _pick(tables: Any, board: Any, info: Any, work: Any, chance: Any) -> int:
    return games.pick(tables, board, info, work.kernel, chance)


@njit_inline
def _start(tables: Any, board: Any, info: Any, work: Any) -> None:  # noqa: ARG001 - the common form
    games.prepare(tables, work.kernel)


@njit_linked
def _begin(tables: Any, board: Any, info: Any, work: Any) -> None:
    flow.restart(tables.size, work.net)
    flow.value(tables, board, info, work.net, _SETTLING)


@njit_inline
def _key(tables: Any, info: Any) -> int:
    return int(kernel.key(tables, info) ^ info[kernel.PASSES])


@njit_linked
def _refresh(tables: Any, board: Any, info: Any, weights: Any, notes: Any) -> None:  # noqa: ARG001 - the common form
    flow.restart(tables.size, weights)
    flow.value(tables, board, info, weights, _SETTLING)


@njit_inline
def _score(tables: Any, board: Any, info: Any, weights: Any, notes: Any) -> int:  # noqa: ARG001 - the common form
    better = _SCALE * flow.value(tables, board, info, weights, 1)
    return int(better if info[SIDE] == 0 else -better)


register(
    kernel.Tables,
    play=_play,
    pick=_pick,
    start_rollout=_start,
    priors=_priors,
    evaluate=_evaluate,
    begin=_begin,
    key=_key,
    refresh=_refresh,
    score=_score,
)


class ThruwayAdapter:
    """See `rules.grid.search.adapters.SearchAdapter`. The search knows no trade; `pie`
    decides it.
    """

    sights: ClassVar[Mapping[str, Sight]] = {
        "first": Sight(1, 60, 2.2),
        "beginner": Sight(1, 60, 1.15),
        "easy": Sight(2, 40, 1.3),
        "medium": Sight(2, 40, 0.85),
        "hard": Sight(2, 40, 0.5),
    }

    def __init__(self, game: ThruwayGame) -> None:
        self.game = game
        told = game.tables
        self.tables = kernel.tables(told.size, False, told.ko, told.repetition, told.reserve)
        self.board, self.info, _ = kernel.blank(self.tables, _REMEMBERED if told.repetition else 1)
        self.work = room(self.tables, load())
        self.actions = kernel.most_legal(self.tables) + 2
        self.draw_on_repetition = game.repetition is None

    def arrays(self, state: ThruwayPosition) -> tuple[Any, Any]:
        """Board and info; of the positions seen before, only the latest."""
        board, told = state.arrays()
        info = np.zeros_like(self.info)
        seen = kernel.keys(self.tables, told)[-_REMEMBERED:]
        begin = kernel.keys_begin(self.tables)
        info[:begin] = told[:begin]
        info[begin : begin + len(seen)] = seen
        info[kernel.SEEN] = len(seen)
        return board, info

    def pie(
        self, state: ThruwayPosition, value: Value, rng: np.random.Generator
    ) -> GridMove | None:
        """The trade, and an opening after which it makes little difference."""
        plies = state.info[PLIES]
        if not self.game.trade or plies > 1:
            return None
        if plies == 1:
            return GridMove("trade") if value(*self.arrays(state), _GLANCE) < 0.5 else None
        size = self.game.size
        # of the edges in the north-west the others are mirror images
        sums = np.stack(np.divmod(self.game.board.edges, size)).sum(axis=2)
        actions = rng.permutation(np.flatnonzero((sums <= size - 1).all(axis=0)))
        flow.restart(size, self.work.net)
        even = [
            abs(flow.value(self.tables, *self._after(state, int(action)), self.work.net, _SETTLED))
            for action in actions
        ]
        actions = actions[np.argsort(even, kind="stable")[:_OPENINGS]]
        uneven = [
            abs(value(*self._after(state, int(action)), 0.9 / len(actions)) - 0.5)
            for action in actions
        ]
        actions = actions[np.argsort(uneven, kind="stable")]
        return state.move_of(int(actions[0]))

    def _after(self, state: ThruwayPosition, action: int) -> tuple[Any, Any]:
        board, info = self.arrays(state)
        kernel.play(self.tables, board, info, self.work.kernel, action)
        return board, info

    def book(self) -> Book | None:
        """The book of the first tiles, for the usual rules; with the trade, the opening that makes
        it matter least.
        """
        known = (
            None
            if self.game.options.keys() - {"size", "trade"}
            else load_book("thruway", self.game.size)
        )
        if known is None:
            return None
        return Book(
            self.game,
            known,
            even=self.game.trade,
            exchange=GridMove("trade") if self.game.trade else None,
        )

    def settings(self) -> Settings:
        """The tree search with values and guesses is stronger than alpha-beta."""
        return Settings(
            puct=0.6, reduction=0.1, horizon=0, draw_on_repetition=self.draw_on_repetition
        )

    def evaluation(self) -> tuple[Any, Any]:
        """The nets of resistors; nothing is kept from position to position."""
        return self.work.net, np.zeros(1, np.int64)
