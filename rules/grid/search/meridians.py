"""Meridians for the search: a value of positions, its kernels by their common names, and its
adapter for the players.

Each point looks in the six directions and sees, in each, one of six things: the open rim behind
empty points, the rim at once, a light stone beside it or farther off, a dark one beside it or
farther off. With what lies on the point itself that makes one of 3 * 6**6 patterns. A position's
value is the sum of the weights of its patterns: one weight for the beginning of a game and one for
its end, blended by the share of empty points, fitted to the results of games
(tools/meridians_weights.py). Patterns that a turn or a mirror image of the lattice makes equal
share their weights, and exchanging the colours changes the sign.

Mobility, territory, walls, paths and cuts are all sums over such patterns. Groups as a whole are
not: those are left to the search.

Values decide both choices of the pie option: the first player draws pairs of stones at random and
takes the one after which the game is most even; the second player takes the better side.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.base import GridMove
from rules.grid.kernels import meridians as kernel
from rules.grid.kernels.dispatch import PLIES, SIDE, copy, register
from rules.grid.kernels.jit import njit_entry, njit_inline, u64
from rules.grid.meridians import Meridians, MeridiansPosition
from rules.grid.search.adapters import Book, Sight, Value, load_book

# --- what every point sees, updated move by move --------------------------------------------------

SCALE = 1000
"""Units of a score in one unit of the logarithm of the odds of winning."""

_SEEN = 6  # things seen in a direction
_OPEN, _RIM, _BESIDE, _FAR = 0, 1, 2, 3  # dark's two are 2 further on than light's
_CODES = _SEEN**6
PATTERNS = 3 * _CODES
"""How many patterns there are; a pattern is what lies on the point times 6**6 and what direction k
sees times 6**k.
"""

_HEAD = 2  # the sums for beginning and end, then a pattern for each point


class Weights(NamedTuple):
    """`table` int16[PATTERNS, 2] for beginning and end, `turn` int64[2] for having the move; in 1 /
    SCALE, for light.
    """

    table: npt.NDArray[np.int16]
    turn: npt.NDArray[np.int64]


@cache
def classes() -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8], int]:
    """The class of weights of each pattern, the sign with which it counts, and the number of
    classes.
    """
    codes = np.arange(_CODES)
    seen = codes[:, None] // _SEEN ** np.arange(6) % _SEEN
    powers = _SEEN ** np.arange(6)
    turns = [[(k + turn) % 6 for k in range(6)] for turn in range(6)]
    images = turns + [image[::-1] for image in turns]
    least = np.min([(seen[:, image] * powers).sum(1) for image in images], 0)
    swapped = (np.array([0, 1, 4, 5, 2, 3])[seen] * powers).sum(1)
    other = least[swapped]
    sign = np.sign(other - least)
    empty = np.minimum(least, other)
    names = np.concatenate([empty, _CODES + least, _CODES + other])
    _, number = np.unique(names, return_inverse=True)
    signs = np.concatenate([sign, np.ones(_CODES), -np.ones(_CODES)])
    return number.astype(np.int32), signs.astype(np.int8), int(number.max()) + 1


def weights(fitted: npt.NDArray[np.int16], turn: npt.NDArray[np.int64]) -> Weights:
    """Weights from those of the classes, int16[classes, 2]."""
    number, sign, _ = classes()
    return Weights(
        np.ascontiguousarray(fitted[number] * sign[:, None].astype(np.int16)), turn.astype(np.int64)
    )


@cache
def load() -> Weights:
    """The weights that come with the package."""
    with (
        files("rules.grid.search").joinpath("meridians.npz").open("rb") as file,
        np.load(file) as stored,
    ):
        return weights(stored["fitted"], stored["turn"])


def notes(tables: kernel.Tables) -> npt.NDArray[np.int32]:
    """An array for what `refresh` and `update` keep of one position."""
    return np.zeros(_HEAD + tables.points, np.int32)


@njit_entry
def refresh(
    tables: kernel.Tables,
    board: kernel.Cells,
    info: kernel.Words,  # noqa: ARG001 - the common form
    weights: Weights,
    notes: npt.NDArray[np.int32],
) -> None:
    """Computes `notes` of a position from scratch."""
    n = tables.points
    notes[0] = notes[1] = 0
    for p in range(n):
        code, power = 0, 1
        for d in range(6):
            if tables.neighbours[p, d] == n:
                code += power * _RIM
            power *= _SEEN
        notes[_HEAD + p] = code
        notes[0] += weights.table[code, 0]
        notes[1] += weights.table[code, 1]
    for p in range(n):
        if board[kernel.CELLS, p] != 0:
            _place(tables, weights, notes, p, board[kernel.CELLS, p], 1)


@njit_entry(inline=True)
def update(
    tables: kernel.Tables,
    before: kernel.Cells,
    info: kernel.Words,
    weights: Weights,
    old: npt.NDArray[np.int32],
    board: kernel.Cells,
    after: kernel.Words,
    notes: npt.NDArray[np.int32],
    action: int,
) -> None:
    """Computes `notes` of `board` from the notes `old` of `before`, where `action` was played."""
    copy(old, notes)
    n = tables.points
    side = info[SIDE] & 1
    placed = 0
    if action < n:
        placed = 1
        _place(tables, weights, notes, action, side + 1, 1)
    if after[kernel.STONES + side] != info[kernel.STONES + side] + placed:
        for p in range(n):
            if board[kernel.CELLS, p] == 0 and (before[kernel.CELLS, p] != 0 or p == action):
                _place(tables, weights, notes, p, notes[_HEAD + p] // _CODES, -1)


@njit_entry(inline=True)
def score(
    tables: kernel.Tables,
    board: kernel.Cells,  # noqa: ARG001 - the common form
    info: kernel.Words,
    weights: Weights,
    notes: npt.NDArray[np.int32],
) -> int:
    """The value for the side to move."""
    left = info[kernel.EMPTIES]
    gone = tables.points - left
    for_light = notes[0] * left + notes[1] * gone
    turn = weights.turn[0] * left + weights.turn[1] * gone
    return int((turn + (for_light if info[SIDE] == 0 else -for_light)) // tables.points)


@njit_inline
def _place(
    tables: kernel.Tables,
    weights: Weights,
    notes: npt.NDArray[np.int32],
    p: int,
    stone: int,
    sign: int,
) -> None:
    """Puts a stone, 1 light or 2 dark, on an empty point (`sign` 1), or takes it off (-1): points
    that saw past this point now see the stone, or what lies behind it.
    """
    pattern = notes[u64(_HEAD + p)] % _CODES
    beside, far = 2 * stone, 2 * stone + 1
    _change(weights, notes, p, sign * stone * _CODES)
    power, rest = sign, u64(pattern)
    for d in range(6):
        seen = int(rest % u64(_SEEN))
        rest //= u64(_SEEN)
        past = _OPEN if seen < _BESIDE else seen | 1
        q = tables.neighbours[u64(p), u64((d + 3) % 6)]
        if q != tables.points:
            _change(weights, notes, q, (beside - past) * power)
            while notes[u64(_HEAD + q)] < _CODES:
                q = tables.neighbours[u64(q), u64((d + 3) % 6)]
                if q == tables.points:
                    break
                _change(weights, notes, q, (far - past) * power)
        power *= _SEEN


@njit_inline
def _change(weights: Weights, notes: npt.NDArray[np.int32], p: int, step: int) -> None:
    old = notes[u64(_HEAD + p)]
    new = old + step
    notes[u64(_HEAD + p)] = new
    notes[0] += weights.table[u64(new), 0] - weights.table[u64(old), 0]
    notes[1] += weights.table[u64(new), 1] - weights.table[u64(old), 1]


# --- the adapter ----------------------------------------------------------------------------------

_PAIRS = 40  # pairs of first stones that are valued, and how many of them are valued once more
_FINAL = 5


@njit_inline
def _is_noisy(tables: Any, board: Any, info: Any, work: Any) -> bool:
    return kernel.endangered(tables, board, info, work) > 0


register(kernel.Tables, refresh=refresh, update=update, score=score, is_noisy=_is_noisy)


class MeridiansAdapter:
    """See `rules.grid.search.adapters.SearchAdapter`."""

    sights: ClassVar[Mapping[str, Sight]] = {
        "first": Sight(1, 60, 2.5),
        "beginner": Sight(1, 60, 1.2),
        "easy": Sight(1, 60, 0.9),
        "medium": Sight(2, 40, 1.0),
        "hard": Sight(2, 40, 0.75),
    }

    def __init__(self, game: Meridians) -> None:
        self.game = game
        self.tables = kernel.tables(game.board)
        self.board, self.info, self.work = kernel.blank(self.tables)
        self.actions = game.board.points + 1
        self.draw_on_repetition = False

    def arrays(self, state: MeridiansPosition) -> tuple[Any, Any]:
        """Board and info."""
        return state.arrays()

    def pie(
        self, state: MeridiansPosition, value: Value, rng: np.random.Generator
    ) -> GridMove | None:
        """Two stones, keep or swap."""
        if not self.game.pie or state.info[PLIES] >= 2:
            return None
        if state.info[PLIES] == 1:
            return GridMove(
                "swap" if value(*self._after(state, kernel.KEEP), 1.0) > 0.5 else "keep"
            )
        points = self.tables.points
        codes = rng.choice(points * points, min(points * points, 2 * _PAIRS), replace=False)
        codes = codes[codes // points != codes % points][:_PAIRS]
        for most in (_FINAL, 1):
            after = [self._after(state, kernel.PAIR + int(code), kernel.KEEP) for code in codes]
            uneven = [abs(value(*arrays, 0.5 / len(codes)) - 0.5) for arrays in after]
            codes = codes[np.argsort(uneven, kind="stable")[:most]]
        light, dark = divmod(int(codes[0]), points)
        return GridMove(f"{self.game.board.names[light]},{self.game.board.names[dark]}")

    def _after(self, state: MeridiansPosition, *actions: int) -> tuple[Any, Any]:
        """Board and info after actions of the pie option."""
        board, info = state.arrays()
        for action in actions:
            kernel.play(self.game.tables, board, info, self.work, self.tables.points + action)
        return board, info

    def book(self) -> Book | None:
        """The book of the first stones; none under the pie rule, whose first decision is a pair of
        stones.
        """
        known = None if self.game.pie else load_book("meridians", self.game.size)
        return None if known is None else Book(self.game, known)

    def settings(self) -> None:
        """Alpha-beta is stronger."""

    def evaluation(self) -> tuple[Any, Any]:
        """What points see, with fitted weights."""
        return load(), notes(self.tables)
