"""Meridians (Kanare Kato, 2021) as a `rules.game.Game`: options, positions and notation;
`rules.grid.kernels.meridians` has the rules.

Moves are points (`d4`), or `pass` where it is forced. With the pie option ply 0 is `LIGHT,DARK`
(two points) by seat 0 and ply 1 `keep` or `swap` by seat 1; then light moves. Boards are shown,
listed on and hashed after the removal of dead groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rules.errors import Refusal
from rules.game import Guide, Reason, Setting
from rules.grid.base import GridGame, GridPosition
from rules.grid.batch import Compiled
from rules.grid.boards import HexBoard
from rules.grid.kernels import meridians as kernel, meridians_games as batch
from rules.grid.kernels.dispatch import PLIES, SIDE
from rules.turns import TurnManager
from rules.view import Offer, Sign, cells_named

SIZES = tuple(range(3, 13))
"""The sizes of the board: points along the longer sides. 6, 7 (the regular board) and 8 are the
published ones.
"""

_COLOURS = ("light", "dark")
_GUIDE = Guide(
    title="Meridians",
    about="Place stones in sight of your own. A group that sees no other group of its colour dies.",
    rules=(
        "Two colours put stones on points, light first. A group of touching stones is dead unless "
        "it sees another group of its "
        "colour: straight along a line of the board, over empty points. A turn takes the dead "
        "groups of the other colour off, "
        "then puts down one stone, on an empty point that sees a stone of its own colour along a "
        "line, a neighbour included. "
        "The first stone may go anywhere, the second not beside the first. Whoever has no stone "
        "left on their turn has lost."
    ),
    notation=(
        "MOVE is a point, as d4: row d, the fourth from the left. With the option pie=true first "
        "two points, light's and "
        "dark's, as d4,e5, then keep or swap"
    ),
    sides=_COLOURS,
)
_SETTINGS = (
    Setting("size", (5, 6, 7, 8), 7, "points along the longer sides of the board"),
    Setting(
        "pie",
        (False, True),
        False,
        "one seat puts a stone of each colour down, then the other chooses a colour",
    ),
)
_WORDS = {"pass": kernel.PASS, "keep": kernel.KEEP, "swap": kernel.SWAP}
_PIE = 2  # plies of the pie option's opening


@dataclass(frozen=True)
class Meridians(GridGame):
    """Meridians with its options: `size` from 3 to 12, `pie` true or false."""

    kernel: ClassVar[Any] = kernel
    won: ClassVar[Reason] = Reason.ANNIHILATED
    name: ClassVar[str] = "meridians"
    guide: ClassVar[Guide] = _GUIDE
    settings: ClassVar[tuple[Setting, ...]] = _SETTINGS

    size: int = 7
    pie: bool = False

    def __post_init__(self) -> None:
        self._check("size", self.size, SIZES)
        self._check("pie", self.pie, (False, True))

    @property
    def board(self) -> HexBoard:
        """The board the game is played on."""
        return HexBoard.of(self.size)

    @property
    def tables(self) -> kernel.Tables:
        """The board and the options as the kernels read them."""
        return kernel.tables(self.board, self.pie)

    def asks(self, state: MeridiansPosition) -> str:
        """The decisions of the pie option."""
        if not state.in_pie:
            return ""
        if state.turns.ply == 0:
            return (
                "the pie rule: put a stone of each colour down, light's point first, as d4,e5; "
                "then the other chooses a colour"
            )
        return "the pie rule: keep dark, or swap and play light"

    def offer(self, state: MeridiansPosition, move: str) -> Offer | None:
        """A stone with the own stones that it sees, or the two stones of the pie option."""
        cells = cells_named(move)
        if not cells:
            return None
        if len(cells) == 2:
            return Offer(
                move,
                ("put_pair", {"a": cells[0], "b": cells[1]}),
                dict(zip(cells, (0, 1), strict=True)),
            )
        return Offer(
            move,
            _put(move, state.side),
            {move: state.side},
            tuple((move, other) for other in state.sights(move)),
        )

    def offers(self, state: MeridiansPosition, picked: str | None = None) -> tuple[Offer, ...]:
        """The points that may be taken; of the pie option's pair first light's, then dark's beside
        the one that is picked.
        """
        if not (state.in_pie and state.turns.ply == 0):
            moves = [move.text for move in state.legal_moves()]
            return tuple(found for move in moves if (found := self.offer(state, move)) is not None)
        free = [name for name in self.board.names if name != picked]
        if picked is None:
            return tuple(Offer(name, _put(name, 0), {name: 0}, part=True) for name in free)
        return tuple(Offer(f"{picked},{name}", _put(name, 1), {name: 1}) for name in free)

    def batched(self) -> Compiled:
        """The compiled kind of `rules.grid.Batch`."""
        rows, width = self.tables.rows, 2 * self.size - 2
        cells = np.concatenate([y * width + x + np.arange(n) for y, (_, n, x) in enumerate(rows)])
        shape, actions = (batch.PLANES, len(rows), width), self.board.points + batch.ACTIONS
        arrays = kernel.blank(self.tables)[:2]
        return Compiled(self, shape, cells, 2, actions, *arrays, halved=self.pie)

    def position(self, turns: TurnManager, board: Any, info: Any) -> MeridiansPosition:
        """The position of these arrays, which are its own from now on."""
        return MeridiansPosition(self, turns, board, info)


@dataclass(frozen=True, eq=False, repr=False)
class MeridiansPosition(GridPosition):
    """A position of Meridians."""

    game: Meridians

    def board_text(self) -> str:
        """Rows from top to bottom joined with `/`: `.` empty, `1` light, `2` dark; dead groups are
        gone.
        """
        cells = self.board[kernel.CELLS]
        return "/".join(
            "".join(".12"[cell] for cell in cells[first : first + count])
            for first, count in self.game.board.rows
        )

    def signs(self, before: MeridiansPosition | None = None) -> dict[str, Sign]:
        """The groups without a path, which die unless this turn saves them, and the stones that the
        last ply took off.
        """
        names = self.game.board.names
        found: dict[str, Sign] = {
            names[p]: "dead" for p in _doomed(self.game.tables, *self.arrays())
        }
        if before is not None:
            gone = (before.board[kernel.CELLS] > 0) & (self.board[kernel.CELLS] == 0)
            found |= {names[point]: "gone" for point in np.flatnonzero(gone).tolist()}
        return found

    def sights(self, point: str) -> tuple[str, ...]:
        """The points of the own stones that are the first ones met from a point, straight along its
        lines.
        """
        board, cells, found = self.game.board, self.board[kernel.CELLS], []
        for direction in range(6):
            met = board.neighbours[board.index[point], direction]
            while met >= 0 and cells[met] == 0:
                met = board.neighbours[met, direction]
            if met >= 0 and cells[met] == self.side + 1:
                found.append(board.names[met])
        return tuple(found)

    @property
    def in_pie(self) -> bool:
        """Whether the opening of the pie option goes on: the pair of stones, then the choice of a
        colour.
        """
        return self.game.pie and bool(self.info[PLIES] < _PIE)

    def _text(self, action: int) -> str:
        names = self.game.board.names
        beyond = action - len(names)
        if beyond < 0:
            return names[action]
        for word, code in _WORDS.items():
            if beyond == code:
                return word
        light, dark = divmod(beyond - kernel.PAIR, len(names))
        return f"{names[light]},{names[dark]}"

    def _read(self, text: str) -> int:
        board = self.game.board
        if text in _WORDS:
            return board.points + _WORDS[text]
        light, comma, dark = text.partition(",")
        if not comma:
            return self._point(text)
        return (
            board.points
            + kernel.PAIR
            + self._point(light.strip()) * board.points
            + self._point(dark.strip())
        )

    def _point(self, text: str) -> int:
        board = self.game.board
        if text not in board.index:
            last = board.names[0][0]
            ways = "a point, pass, resign" + (
                ", keep, swap, or two points for ply 0" if self.game.pie else ""
            )
            told = (
                f"{text[:20]!r} is no point of the board of size {board.size}: rows are a to "
                f"{last} from the bottom, points "
                f"count from 1 at the left; a move is {ways}"
            )
            values = {"text": text[:20], "size": board.size, "last": last, "pie": self.game.pie}
            raise ValueError(Refusal(told, "meridians-no-point", **values))
        return board.index[text]

    def _refused(self, action: int) -> Refusal | None:
        if self._is_legal(action):
            return None
        points = self.game.board.points
        if self.in_pie:
            if self.info[PLIES] == 1:
                return Refusal("the pie option is due: keep or swap", "meridians-pie-choice")
            if action < points + kernel.PAIR:
                told = "the pie option begins with two points, light's and dark's, like d4,e5"
                return Refusal(told, "meridians-pie-pair")
            return Refusal("light's and dark's stone need a point each", "meridians-pie-apart")
        if action > points:
            ply = 0 if action >= points + kernel.PAIR else 1
            told = f"such a move is legal only at ply {ply} of a game with the pie option"
            return Refusal(told, "meridians-pie-over", ply=ply)
        if action == points:
            other = self._text(self._actions()[0])
            told = f"a pass is legal only if there is no other move; {other} is one"
            return Refusal(told, "meridians-pass", move=other)
        name = self.game.board.names[action]
        if self.board[kernel.CELLS, action]:
            return Refusal(f"{name} is taken", "meridians-taken", point=name)
        colour = _COLOURS[self.side]
        around = self.game.board.neighbours[action]
        if (
            self.info[PLIES] < kernel.OPENING
            and (self.board[kernel.CELLS, around[around >= 0]] == self.side + 1).any()
        ):
            told = f"{colour}'s second stone may not touch {colour}'s first"
            return Refusal(told, "meridians-touches", colour=colour)
        told = (
            f"no {colour} stone sees {name}: in none of the six directions is the first stone "
            f"{colour}"
        )
        return Refusal(told, "meridians-unseen", colour=colour, point=name)

    def _content(self) -> bytes:
        # In the opening the number of the turn matters, too: for second stones and for the pie
        # option.
        turn = bytes((int(self.info[SIDE]), int(self.info[PLIES])))
        return turn + self.board[kernel.CELLS, :-1].astype(np.int8).tobytes()


def _put(point: str, colour: int) -> tuple[str, dict[str, Any]]:
    """What is said of one stone."""
    return "put", {"cell": point, "colour": colour}


def _doomed(tables: kernel.Tables, board: kernel.Cells, info: kernel.Words) -> list[int]:
    """The stones of the groups that `kernel.endangered` finds."""
    work = kernel.scratch(tables)
    leaders = work[: kernel.endangered(tables, board, info, work)]
    stones = board[kernel.CELLS, : tables.points] == info[SIDE] + 1
    found: list[int] = np.flatnonzero(
        stones & np.isin(board[kernel.LEADER, : tables.points], leaders)
    ).tolist()
    return found


game = Meridians
"""For `rules.game("meridians", ...)`."""
