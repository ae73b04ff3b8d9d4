"""What the conversation asks of a display, and the display that fits a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from rich.text import Text

from rules import defaults
from rules.game import Game, Move
from rules.record import Entry, Record
from rules.record.replay import Step
from rules.view import BoardView
from shutoko.terminal.board import BoardDisplay, TextDisplay, seen


class Display(Protocol):
    """Shows the positions of a game at a terminal, and reads its moves."""

    notation: str
    """How to write moves; `help` prints it."""

    commands: Mapping[str, tuple[str, Callable[[Any], str]]]
    """Further commands of the game: what `help` says of each, and the function that makes its text
    from a position.
    """

    def who(self, state: Any, seat: int) -> str:
        """What a seat plays, as `light, o`."""

    def board(self, state: Any, last: Entry | None) -> Text:
        """The position, with the last ply marked."""

    def sketch(self, state: Any, moves: Sequence[Any]) -> Text | None:
        """The position with these moves drawn in, numbered from 1; None if the texts of the moves
        are clear enough.
        """

    def asks(self, state: Any) -> str:
        """What kind of decision is due; empty for an ordinary move."""

    def read(self, state: Any, text: str) -> Move:
        """The move that a person's text means. Raises NotationError and IllegalMoveError."""

    def why(self, state: Any, text: str) -> list[str]:
        """All that the rules say of a move, without playing it. Raises what `read` raises."""

    def short(self, move: Any) -> str:
        """A move in the form that a person types."""

    def told(self, step: Step, record: Record) -> list[str]:
        """What happened at the last ply of a record, one sentence each."""

    def moves(self, state: Any) -> str:
        """The moves that are possible."""


def display_of(made: Game[Any], names: Sequence[str]) -> Display:
    """The display for a game with these players: of a table with pieces, of a board of cells, or
    plain text for all others.
    """
    start = made.start()
    if defaults.table(made, start) is not None:
        from shutoko.terminal.table import TableDisplay

        return TableDisplay(names)
    if isinstance(seen(made, start), BoardView):
        return BoardDisplay(made)
    return TextDisplay(made)
