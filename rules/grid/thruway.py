"""Thruway (Phil L. Leduc, 2010) as a game: options, positions, the notation of moves; the rules are
`rules.grid.kernels.thruway`.

Concrete moves first and joins west and east, asphalt joins north and south. A move is `e5-f5`
(pave, with or without a replacement), `e5/f5` (swap in a dispute), `trade` (asphalt's first turn
begins with the choice to exchange colours), `pass` (forced) or `resign`. The western, or else the
northern cell is written first; both orders are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rules.errors import InputError, Refusal
from rules.game import Guide, Reason, Setting
from rules.grid.base import GridGame, GridMove, GridPosition
from rules.grid.batch import Compiled
from rules.grid.boards import SquareBoard
from rules.grid.kernels import thruway as kernel, thruway_games as batch
from rules.grid.kernels.dispatch import PLIES
from rules.turns import TurnManager
from rules.view import Border, Offer, Sign, cells_named

SIZES = range(3, 27)  # columns are letters
_RESERVES = range(2, 10_000)  # a paving takes two tiles
_KO = ("undo", "same", "any", "none")
_PAIR = re.compile(r"([a-z][0-9]+)[-/]([a-z][0-9]+)")
_KEPT = 512  # positions since the last paving that a batch keeps for the rule on repetition
_BETWEEN = re.compile(r"[-/]")

_GUIDE = Guide(
    title="Thruway",
    about="Pave two cells at a time until a path of indestructible tiles joins your two sides.",
    rules=(
        "Concrete (o) joins west and east, asphalt (x) north and south. A turn paves two cells "
        "that share a side with two "
        "tiles of the own colour; one of the cells may hold a tile of the other colour, which "
        "goes. Or it swaps two tiles of a "
        "dispute: a square of four paved cells with one colour on each diagonal. A tile is safe "
        "when all cells beside it are "
        "paved and no dispute holds it. The first path of safe tiles between the two sides of a "
        "colour wins. Asphalt's first "
        "turn may begin with a trade of the colours."
    ),
    notation=(
        "MOVE is e5-f5 to pave, e5/f5 to swap in a dispute, trade to exchange the colours at "
        "asphalt's first turn"
    ),
    sides=("concrete", "asphalt"),
)
_SETTINGS = (
    Setting("size", (5, 7, 9, 11, 13), 11, "cells on a side of the board"),
    Setting(
        "trade",
        (True, False),
        True,
        "asphalt's first turn may begin with an exchange of the colours",
    ),
    Setting("ko", _KO, "undo", "which replies to a swap are barred"),
    Setting(
        "repetition",
        (None, "draw3"),
        None,
        "whether the game is drawn when a position occurs for the third time",
    ),
)


@dataclass(frozen=True)
class ThruwayGame(GridGame):
    """Thruway with its options; raises InputError for invalid values.

    `size`: cells on a side, 3 to 26. `trade`: whether asphalt's first turn may begin with an
    exchange of colours.

    `ko`, the replies that are barred. `undo`: to swap straight back after a swap that made a
    dispute. `same`: every turn that restores, in the same colours, a dispute that the turn before
    resolved while it made another. `any`: the same in either colouring. `none`: no reply.

    `repetition`: with `draw3` the game is drawn when board, side to move and barred turns occur for
    the third time.

    `reserve`: tiles of each colour, 2 or more, None for no limit. A side without the two tiles of a
    paving can only swap. Two passes in a row end the game as a draw.
    """

    kernel: ClassVar[Any] = kernel
    won: ClassVar[Reason] = Reason.CONNECTED
    name: ClassVar[str] = "thruway"
    guide: ClassVar[Guide] = _GUIDE
    settings: ClassVar[tuple[Setting, ...]] = _SETTINGS
    size: int = 11
    trade: bool = True
    ko: str = "undo"
    repetition: str | None = None
    reserve: int | None = None

    def __post_init__(self) -> None:
        self._whole("size", self.size, SIZES)
        self._check("trade", self.trade, (True, False))
        self._check("ko", self.ko, _KO)
        self._check("repetition", self.repetition, (None, "draw3"))
        if self.reserve is not None:
            self._whole("reserve", self.reserve, _RESERVES)

    @property
    def board(self) -> SquareBoard:
        """The cells, their names and neighbours."""
        return SquareBoard.of(self.size)

    @property
    def tables(self) -> kernel.Tables:
        """The geometry and the options as the kernels read them."""
        repetition = 0 if self.repetition is None else 3
        return kernel.tables(
            self.size, self.trade, _KO.index(self.ko), repetition, self.reserve or 0
        )

    @property
    def borders(self) -> tuple[Border, ...]:
        """Concrete in the west and east, asphalt in the north and south."""
        near, far, wide = -0.8, self.size - 0.38, 0.18  # cell widths
        along = [Border(0, x, -0.5, wide, self.size) for x in (near, far)]
        return (*along, *(Border(1, -0.5, y, self.size, wide) for y in (near, far)))

    def asks(self, state: ThruwayPosition) -> str:
        """The trade."""
        first, second = self.guide.sides
        return (
            f"you may trade: then you play {first}, and {second} is to move"
            if state.may_trade
            else ""
        )

    def offer(self, state: ThruwayPosition, move: str) -> Offer | None:
        """Two tiles paved, or two that change places."""
        cells = cells_named(move)
        if not cells:
            return None
        one, other = cells
        held = {cell: int(state.cells().flat[self.board.cell(cell)]) for cell in cells}
        values = {"a": one, "b": other}
        if "/" in move:
            return Offer(move, ("swap_pair", values), {one: held[other] - 1, other: held[one] - 1})
        return Offer(
            move,
            ("replace" if any(held.values()) else "pave", values),
            dict.fromkeys(cells, state.side),
        )

    def batched(self) -> Compiled:
        """The compiled kind of `rules.grid.Batch`."""
        shape, cells = (batch.PLANES + 1, self.size, self.size), np.arange(self.size**2)
        arrays = kernel.blank(self.tables, 1 if self.repetition is None else _KEPT)[:2]
        actions = len(self.board.edges) + batch.ACTIONS
        return Compiled(self, shape, cells, batch.PLANES, actions, *arrays)

    def position(self, turns: TurnManager, board: Any, info: Any) -> ThruwayPosition:
        """The position of these arrays, which are its own from now on."""
        return ThruwayPosition(self, turns, board, info)

    def _whole(self, what: str, value: object, known: range) -> None:
        if type(value) is not int or value not in known:
            raise InputError(
                f"{self.name}: {what} = {str(value)[:20]!r} is not valid; it is a whole number "
                f"from {known[0]} to {known[-1]}"
            )


@dataclass(frozen=True, eq=False, repr=False)
class ThruwayPosition(GridPosition):
    """A position of Thruway."""

    game: ThruwayGame

    def cells(self) -> npt.NDArray[np.int8]:
        """The cells as int8[size, size], rows from the north: 0 empty, 1 concrete, 2 asphalt;
        read-only.
        """
        width = self.game.size + 2
        return self.board.reshape(width, width)[1:-1, 1:-1]

    def arrays(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """Copies of `board` and `info`, for kernels to read and write; with room for another key
        of a position where repetition counts.
        """
        board, info = super().arrays()
        return board, info if self.game.repetition is None else np.append(info, 0)

    def board_text(self) -> str:
        """Rows from the north joined with `/`: `.` empty, `1` concrete, `2` asphalt."""
        return "/".join("".join(".12"[cell] for cell in row) for row in self.cells().tolist())

    @property
    def may_trade(self) -> bool:
        """Whether this turn may begin with an exchange of the colours."""
        return self.game.trade and bool(self.info[PLIES] == 1)

    def signs(self, before: ThruwayPosition | None = None) -> dict[str, Sign]:  # noqa: ARG002 - a tile that goes is replaced
        """Disputes and indestructible tiles."""
        names = self.game.board.names
        disputed, firm = (
            np.flatnonzero(cells).tolist() for cells in _marked(self.game.tables, self.info)
        )
        found: dict[str, Sign] = {names[cell]: "dispute" for cell in disputed}
        return found | {names[cell]: "solid" for cell in firm}

    def move_of(self, action: int) -> GridMove:
        """The move that an action of `rules.grid.Batch` is here, legal or not: a swap if both cells
        are paved.
        """
        return self._move(self._named(np.array([action]))[0])

    def _numbered(self, action: int) -> int:
        beyond = len(self.game.board.edges) + 2
        return action - beyond if action >= beyond else action

    # Here an action stands for one text, whatever is on the board: the kernels' actions, then each
    # edge once more as a swap.

    def _actions(self) -> list[int]:
        return self._named(np.array(super()._actions()))

    def _text(self, action: int) -> str:
        return _texts(self.game.size)[action]

    def _read(self, text: str) -> int:
        action = _read(self.game.size).get(text)
        if action is not None:
            return action
        match = _PAIR.fullmatch(text)
        if match is None:
            told = "moves are like e5-f5 for a paving, e5/f5 for a swap, trade, pass, resign"
            raise ValueError(Refusal(told, "thruway-no-move"))
        one, other = (self.game.board.names[self.game.board.cell(name)] for name in match.groups())
        raise ValueError(
            Refusal(f"{one} and {other} do not share a side", "thruway-apart", one=one, other=other)
        )

    def _refused(self, action: int) -> Refusal | None:
        board, edges = self.game.board, len(self.game.board.edges)
        edge = self._numbered(action)
        swap = edge != action
        if self._named(np.array([edge])) == [action] and self._is_legal(edge):
            return None
        if edge == edges + kernel.TRADE:
            if not self.game.trade:
                return Refusal("this game has no trade", "thruway-no-trade")
            return Refusal("only asphalt's first turn may begin with a trade", "thruway-trade-late")
        if edge == edges + kernel.PASS:
            return Refusal("a pass is legal only if nothing else is", "thruway-pass")
        one, other = (int(self.cells().flat[cell]) for cell in board.edges[edge])
        if bool(one and other) != swap:
            if swap:
                return Refusal("only paved cells are swapped", "thruway-unpaved")
            text = self._text(edge + edges + 2)
            return Refusal(
                f"both cells are paved; a swap of them is written {text}",
                "thruway-paved",
                swap=text,
            )
        if edge in self.info[kernel.BARRED + 1 :][: self.info[kernel.BARRED]]:
            return Refusal(
                "ko: it would bring back the dispute that the previous turn resolved", "thruway-ko"
            )
        if swap:
            return Refusal("no dispute holds these two tiles", "thruway-no-dispute")
        if self.side + 1 in (one, other):
            return Refusal("a paving may not cover a tile of one's own", "thruway-own-tile")
        told = f"fewer than two of {self.game.reserve} tiles are left in the reserve"
        return Refusal(told, "thruway-reserve", reserve=self.game.reserve)

    def _content(self) -> bytes:
        info = self.info
        # otherwise a second pass cannot follow
        passed = int(info[kernel.PASSES]) if self.game.reserve is not None else 0
        barred = sorted(info[kernel.BARRED + 1 :][: info[kernel.BARRED]].tolist())
        seen = sorted(kernel.keys(self.game.tables, info).tolist())
        return repr((self.cells().tobytes(), self.may_trade, passed, barred, seen)).encode()

    def _named(self, actions: npt.NDArray[np.int64]) -> list[int]:
        """The kernels' actions as actions of this module."""
        edges = self.game.board.edges
        held = self.cells().reshape(-1)[edges[np.minimum(actions, len(edges) - 1)]]
        swaps = held.all(axis=1) & (actions < len(edges))
        return [int(action) for action in np.where(swaps, actions + len(edges) + 2, actions)]


@cache
def _texts(size: int) -> tuple[str, ...]:
    """The canonical text of every action."""
    board = SquareBoard.of(size)
    pairs = [(board.names[one], board.names[other]) for one, other in board.edges]
    return (
        *(f"{one}-{other}" for one, other in pairs),
        "trade",
        "pass",
        *(f"{one}/{other}" for one, other in pairs),
    )


@cache
def _read(size: int) -> dict[str, int]:
    """The action of every text that can be read: pairs in both orders."""
    found = {text: action for action, text in enumerate(_texts(size))}
    turned = {
        f"{text[pair.end() :]}{pair[0]}{text[: pair.start()]}": found[text]
        for text in found
        if (pair := _BETWEEN.search(text))
    }
    return found | turned


def _marked(
    tables: kernel.Tables, info: kernel.Words
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which cells lie in a dispute, and which hold an indestructible tile: bool[size, size] each,
    rows from the north.
    """
    size = tables.size
    rows = info[kernel.ROWS : kernel.ROWS + kernel.STEP * (size + 1)].reshape(-1, kernel.STEP)
    squares, firm = (
        rows[:, word, None] >> np.arange(size + 1) & 1 for word in (kernel.DISPUTED, kernel.FIRM)
    )
    # a square is known by its north-western cell
    disputed = squares[1:, 1:] | squares[1:, :-1] | squares[:-1, 1:] | squares[:-1, :-1]
    return disputed.astype(bool), firm[1:, 1:].astype(bool)


game = ThruwayGame
"""For `rules.game("thruway", ...)`."""
