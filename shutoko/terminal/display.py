"""The display that fits a game."""

from collections.abc import Sequence
from typing import Any

from rules import defaults
from rules.game import Game
from rules.view import BoardView
from shutoko.terminal.board import BoardDisplay, Display, seen


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
    return Display(made)
