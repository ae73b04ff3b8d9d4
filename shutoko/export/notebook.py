"""The pictures that notebooks show of positions: see `rules.view`."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from rules import defaults
from rules.view import BoardView

if TYPE_CHECKING:
    from sim.referee import Table

_SIZE = (640, 430)  # pixels


def board(game: Any, state: Any) -> str | None:
    """A board with the marks of the rules as SVG; None for a game of pieces in space."""
    from shutoko.export.board import svg

    view = defaults.view(game, state)
    return svg(view, game.name, marks=True) if isinstance(view, BoardView) else None


def table(table: Table) -> bytes:
    """The pieces on a table as PNG."""
    from shutoko.export.picture import picture
    from sim.game import bodies

    out = BytesIO()
    picture(bodies(table), size=_SIZE, samples=1).save(out, "PNG")
    return out.getvalue()
