"""Opening books: the value of every first move, and the best answer to it, from searches far longer
than a move may take.

A book is a small JSON file beside this module, one for a game and a size: each first move, once for
all its mirror images, with the best reply and the chance to win of whoever replies.
`benchmarks/books.py` makes them; the file says with which command.
"""

from __future__ import annotations

import json
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from rules.grid.base import GridGame, GridMove, GridPosition

_NEAR = 0.1  # of the difference between the best and the worst first move: what is nearer to the best counts as good as it
_PLIES = 2  # a book knows the empty board and those with one move on them, after which colours may have been exchanged
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
        self, game: GridGame, replies: dict[str, tuple[str, float]], even: bool = False, exchange: GridMove | None = None
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
        merits = [-abs(known.chance - 0.5) if self._even else -known.chance for known in self._replies.values()]
        least = max(merits) - _NEAR * (max(merits) - min(merits))
        return [known.first for known, merit in zip(self._replies.values(), merits, strict=True) if merit >= least]

    @cached_property
    def _replies(self) -> dict[str, _Reply]:
        """By the board after the first move."""
        found: dict[str, _Reply] = {}
        start = self._game.start()
        for first, (reply, chance) in self._told.items():
            for image, answer in zip(images(self._game, first), images(self._game, reply), strict=True):
                move = start.parse(image)
                found.setdefault(start.after(move).board_text(), _Reply(move, GridMove(answer), chance))
        return found


@cache
def load(game: str, size: int) -> dict[str, tuple[str, float]] | None:
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
    return [sign.join(board.names[cell] for cell in sorted(goes[cells])) for goes in board.symmetries[:_MIRRORS]]
