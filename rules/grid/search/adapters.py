"""What every search needs: the time for a move, and a grid game as the players see it.

A game's adapter has what the players need beyond its kernels: arrays for states, moves for actions,
and its pie rule. A package offers it by an entry point in the group `shutoko.searches` under the
game's name; the object is called with the game. The players know no game.

An opening book has the value of every first move, and the best answer to it, from searches far
longer than a move may take. It is a small JSON file beside this module, one for a game and a size:
each first move, once for all its mirror images, with the best reply and the chance to win of
whoever replies. `tools/books.py` makes them; the file says with which command.
"""

import json
import time
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from importlib.metadata import entry_points
from importlib.resources import files
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from rules.errors import InputError
from rules.game import Game
from rules.grid.base import GridGame, GridMove, GridPosition
from rules.grid.search.tree import Settings

# --- opening books --------------------------------------------------------------------------------

# of the difference between the best and the worst first move: what is nearer to the best counts as
# good as it
_NEAR = 0.1
# a book knows the empty board and those with one move on them, after which colours may have been
# exchanged
_PLIES = 2
_MIRRORS = 4  # of a board's symmetries, the first four leave the colours as they are


class _Reply(NamedTuple):
    """A first move, the best reply to it, and the chance to win of whoever replies."""

    first: GridMove
    move: GridMove
    chance: float


class Book:
    """The book of a game.

    `even` asks for the most even first move, as the other player then chooses a colour. `exchange`
    is the move that chooses the other colour, on ply 1.
    """

    def __init__(
        self,
        game: GridGame,
        replies: dict[str, tuple[str, float]],
        even: bool = False,
        exchange: GridMove | None = None,
    ) -> None:
        self._game, self._told, self._even, self._exchange = game, replies, even, exchange

    def choose(self, state: GridPosition, rng: np.random.Generator) -> GridMove | None:
        """The move of the book, by lot among equally good first moves; None for a position that is
        not in it.
        """
        if state.turns.ply > _PLIES:
            return None
        board = state.board_text()
        if board == self._game.start().board_text():
            good = self._best
            return good[int(rng.integers(len(good)))]
        known = self._replies.get(board)
        if known is None:
            return None
        exchanges = self._exchange is not None and state.turns.ply == 1 and known.chance < 0.5
        return self._exchange if exchanges else known.move

    @cached_property
    def _best(self) -> list[GridMove]:
        """The first moves that are as good as the best one."""
        merits = [
            -abs(known.chance - 0.5) if self._even else -known.chance
            for known in self._replies.values()
        ]
        least = max(merits) - _NEAR * (max(merits) - min(merits))
        return [
            known.first
            for known, merit in zip(self._replies.values(), merits, strict=True)
            if merit >= least
        ]

    @cached_property
    def _replies(self) -> dict[str, _Reply]:
        """By the board after the first move."""
        found: dict[str, _Reply] = {}
        start = self._game.start()
        for first, (reply, chance) in self._told.items():
            for image, answer in zip(
                images(self._game, first), images(self._game, reply), strict=True
            ):
                move = start.parse(image)
                found.setdefault(
                    start.after(move).board_text(), _Reply(move, GridMove(answer), chance)
                )
        return found


@cache
def load_book(game: str, size: int) -> dict[str, tuple[str, float]] | None:
    """The shipped book: by first moves, the best reply and its chance; None if there is none for
    that size.
    """
    file = files("rules.grid.search").joinpath(f"book-{game}-{size}.json")
    if not file.is_file():
        return None
    told: dict[str, tuple[str, float]] = json.loads(file.read_text(encoding="utf-8"))["replies"]
    return told


def images(game: Any, text: str) -> list[str]:
    """The mirror images of a move's text, itself first: as many as the board has symmetries that
    keep the colours.
    """
    board = game.board
    sign = "-" if "-" in text else "/"
    cells = [board.names.index(name) for name in text.split(sign)]
    return [
        sign.join(board.names[cell] for cell in sorted(goes[cells]))
        for goes in board.symmetries[:_MIRRORS]
    ]


# --- the time for a move: how much a search has used, and how many more steps it may make ---------

Clock = Literal["wall", "cpu"]
"""`wall` is real time; `cpu` is the processor time of this thread, which does not depend on the
load of the machine.
"""

_CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.thread_time}
_CHUNK = 0.02  # seconds between two looks at the clock, at most
_LEAST = 0.001  # seconds between two looks, at least


class Timer:
    """Counts the time since it was made. `seconds` is the time allowed. Raises InputError for an
    invalid time or clock.
    """

    def __init__(self, seconds: float, clock: Clock = "wall") -> None:
        if clock not in _CLOCKS:
            raise InputError(f"clock = {clock!r} is not valid; choose from {', '.join(_CLOCKS)}")
        if not 0 < seconds < float("inf"):
            raise InputError(f"the time for a move is a number of seconds above 0, not {seconds}")
        self.seconds = seconds
        self._now = _CLOCKS[clock]
        self._start = self._now()

    def chunk(self, done: int, least: int = 8) -> int:
        """How many steps to make before the next look, when `done` took all the time so far; 0 when
        time is up.

        It is never 0 before the first steps.
        """
        if done == 0:
            return least
        elapsed = self._now() - self._start
        left, each = self.seconds - elapsed, elapsed / done
        if each > left:
            return 0
        return max(1, min(int(min(_CHUNK, max(left / 2, _LEAST)) / each), 4 * done + least))


# --- a game as the players see it -----------------------------------------------------------------

GROUP = "shutoko.searches"
"""The entry point group in which the adapters of games are found."""

Value = Callable[[Any, Any, float], float]
"""The value of board and info for the side to move, from 0 (lost) to 1 (won), found in that share
of the decision's time.
"""


class Sight(NamedTuple):
    """How well a person sees: so many plies ahead, so many moves, with an error of the logarithm of
    the odds (its standard deviation). A game sets them so that neighbouring levels are some 200 Elo
    points apart.
    """

    depth: int
    moves: int
    error: float


class SearchAdapter(Protocol):
    """A grid game as the players see it.

    `board`, `info` and `work` are the kernels' arrays at an ordinary first move; `actions` is the
    number of different actions. With `draw_on_repetition` a search counts a repeated position as
    drawn: for games that can repeat positions for ever.
    """

    tables: Any
    board: Any
    info: Any
    work: Any
    actions: int
    draw_on_repetition: bool

    def arrays(self, state: Any) -> tuple[Any, Any]:
        """The kernels' board and info of a state."""

    def pie(self, state: Any, value: Value, rng: np.random.Generator) -> GridMove | None:
        """The best decision under the pie rule, by value; None if the pie rule asks for none at
        this state.
        """

    def book(self) -> Book | None:
        """The opening book, if there is one for the game's size and options."""

    def settings(self) -> Settings | None:
        """The settings with which the tree search is strongest; None if alpha-beta is stronger."""

    def evaluation(self) -> tuple[Any, Any]:
        """Weights and room for notes, for alpha-beta. Raises InputError if the game has none."""

    @property
    def sights(self) -> Mapping[str, Sight]:
        """How well a person of each level but `full` sees."""


def searched() -> tuple[str, ...]:
    """The names of the games that bring a search, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def adapter_for(game: Game[Any]) -> SearchAdapter:
    """The adapter of a game. Raises InputError if there is none."""
    for point in entry_points(group=GROUP):
        if point.name == game.name:
            made: SearchAdapter = point.load()(game)
            return made
    raise InputError(f"there is no search for the game {game.name!r}")
