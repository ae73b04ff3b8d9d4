"""What a conversation needs to show of a game: the protocol of views, and the view of the games on boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from rich.text import Text

from rules.errors import InputError
from rules.game import Game, Move
from rules.grid.text import drawn
from rules.record import Entry, Record
from shutoko.export.board import cells, named
from shutoko.terminal.session import TABLE, Turn

__all__ = ["Boards", "View", "view_of"]

_MOST = 400  # moves listed
_LABEL = 3  # characters of a row's label
_COLOURS = {"meridians": ("light", "dark"), "thruway": ("concrete", "asphalt")}
_INKS = {"o": "cyan", "O": "bold reverse cyan", "x": "magenta", "X": "bold reverse magenta", "*": "bold reverse"}

_RULES = {
    "meridians": (
        "Two colours put stones on points, light first. A group of touching stones is dead unless it sees another group of its "
        "colour: straight along a line of the board, over empty points. A turn takes the dead groups of the other colour off, "
        "then puts down one stone, on an empty point that sees a stone of its own colour along a line, a neighbour included. "
        "The first stone may go anywhere, the second not beside the first. Who has no stone left at the own turn has lost."
    ),
    "thruway": (
        "Concrete (o) joins west and east, asphalt (x) north and south. A turn paves two cells that share a side with two "
        "tiles of the own colour; one of the cells may hold a tile of the other colour, which goes. Or it swaps two tiles of a "
        "dispute: a square of four paved cells with one colour on each diagonal. A tile is safe when all cells beside it are "
        "paved and no dispute holds it. The first path of safe tiles between the two sides of a colour wins. Asphalt's first "
        "turn may begin with a trade of the colours."
    ),
}
_GUIDES = {
    "meridians": (
        "MOVE is a point, as d4: row d, the fourth from the left. With the option pie=true first two points, light's and "
        "dark's, as d4,e5, then keep or swap"
    ),
    "thruway": "MOVE is e5-f5 to pave, e5/f5 to swap in a dispute, trade to exchange the colours at asphalt's first turn",
}


class View(Protocol):
    """How one game is shown at a terminal, and how its moves are read."""

    guide: str
    """How moves are written: what `help` says."""

    rules: str
    """The rules in a few lines."""

    commands: Mapping[str, tuple[str, Callable[[Any], str]]]
    """Commands of this game: what `help` says of each, and what it prints of a position."""

    def who(self, state: Any, seat: int) -> str:
        """What a seat plays, as `light, o`."""
        ...

    def board(self, state: Any, last: Entry | None) -> Text:
        """The position, the last ply marked."""
        ...

    def sketch(self, state: Any, moves: Sequence[Any]) -> Text | None:
        """Where moves would go, by their numbers from 1; None if their texts say that well enough."""
        ...

    def asks(self, state: Any) -> str:
        """What kind of decision is due, where it is not an ordinary move; else nothing."""
        ...

    def read(self, state: Any, text: str) -> Move:
        """The move that a person's text means. Raises NotationError and IllegalMoveError."""
        ...

    def why(self, state: Any, text: str) -> list[str]:
        """All that the rules say of a move that is not played. Raises what `read` raises."""
        ...

    def short(self, move: Any) -> str:
        """A move as a person may type it."""
        ...

    def told(self, turn: Turn, record: Record) -> list[str]:
        """What came of a ply, a sentence each."""
        ...

    def moves(self, state: Any) -> str:
        """What may be played."""
        ...


def view_of(made: Game[Any], names: Sequence[str]) -> View:
    """The view of a game with these players. Raises InputError for one that is not played on a board of cells."""
    if made.name == TABLE:
        from shutoko.terminal.table import Highway

        return Highway(names)
    if not hasattr(made.start(), "board_text"):
        raise InputError(f"{made.name} cannot be shown at a terminal: it is not played on a board of cells")
    return Boards(made)


class Boards:
    """The view of the games on boards: `o` the first colour, `x` the second, capitals for the last move."""

    def __init__(self, made: Game[Any]) -> None:
        self._colours = _COLOURS.get(made.name, ("first", "second"))
        self.rules = _RULES.get(made.name, f"the rules of {made.name} are not told here")
        self.guide = _GUIDES.get(made.name, "MOVE is one of those that `moves` lists") + "; pass, where nothing else is legal"
        self.commands: Mapping[str, tuple[str, Callable[[Any], str]]] = {}

    def who(self, state: Any, seat: int) -> str:
        """See `View`."""
        side = state.side if seat == state.to_move else 1 - state.side
        return f"{self._colours[side]}, {'ox'[side]}"

    def board(self, state: Any, last: Entry | None) -> Text:
        """See `View`."""
        text = Text()
        for n, line in enumerate(drawn(state.board_text(), named(str(last.do)) if last is not None else ()).split("\n")):
            text.append("\n" if n else "")
            text.append(line[:_LABEL], "dim")
            for sign in line[_LABEL:]:
                text.append(sign, _INKS.get(sign, "dim") if line[:_LABEL].strip() else "dim")
        return text

    def sketch(self, state: Any, moves: Sequence[Any]) -> None:
        """See `View`."""

    def asks(self, state: Any) -> str:
        """See `View`."""
        moves = [str(move) for move in state.legal_moves()]
        if moves == ["pass"]:
            return "nothing is legal but pass"
        if "swap" in moves:
            return f"the pie rule: keep {self._colours[1]}, or swap and play {self._colours[0]}"
        if "trade" in moves:
            return f"you may trade: then you play {self._colours[0]}, and {self._colours[1]} is to move"
        if "," in moves[0]:
            return (
                "the pie rule: put a stone of each colour down, light's point first, as d4,e5; then the other chooses a colour"
            )
        return ""

    def read(self, state: Any, text: str) -> Move:
        """See `View`."""
        move: Move = state.parse(text)
        return move

    def why(self, state: Any, text: str) -> list[str]:
        """See `View`."""
        state.after(self.read(state, text))
        return ["it is legal"]

    def short(self, move: Any) -> str:
        """See `View`."""
        return str(move)

    def told(self, turn: Turn, record: Record) -> list[str]:
        """See `View`."""
        seat, text = turn.entry.by, str(turn.entry.do)
        lines = [f"{record.header.players[seat]} ({self.who(turn.before, seat)}): {text}"]
        lines += [f"taken off: {', '.join(gone)}" for gone in [list(_gone(turn))] if gone]
        if text in ("swap", "trade"):
            lines.append("the colours are exchanged")
        outcome = turn.after.outcome()
        if outcome is not None:
            winners = " and ".join(record.header.players[winner] for winner in outcome.winners)
            lines.append(f"the game is over ({outcome.reason}): {f'{winners} wins' if winners else 'nobody wins'}")
        return lines

    def moves(self, state: Any) -> str:
        """See `View`."""
        every = [str(move) for move in state.legal_moves()]
        more = f" ... and {len(every) - _MOST:,} more" if len(every) > _MOST else ""
        return f"{len(every):,} legal moves: {' '.join(every[:_MOST])}{more}"


def _gone(turn: Turn) -> Iterator[str]:
    """The cells that are empty after the ply and were not before it."""
    one, two = (cells(state.board_text()) for state in (turn.before, turn.after))
    for before, after in zip(one, two, strict=True):
        if before.holds != "." and after.holds == ".":
            yield before.name
