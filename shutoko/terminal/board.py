"""Games as text: boards of cells are drawn with letters, any other position is shown as it
prints.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from rich.text import Text

from rules import defaults
from rules.errors import InputError
from rules.game import Game, Move
from rules.record import Entry, Record
from rules.record.replay import Step
from rules.view import BoardView, Cell, View

SIGNS = "oxsz"
"""The letter of each colour; a capital marks the last move."""

_INKS = ("cyan", "magenta", "green", "yellow")
_MOST = 400  # moves listed
_MARGIN = 3  # characters for the labels at the left
_SAME_ROW = 0.01  # cell widths


def seen(made: Game[Any], state: Any, before: Any = None, last: str | None = None) -> View | None:
    """What a position looks like, as `rules.defaults.view` has it; None for a game without a
    view.
    """
    try:
        return defaults.view(made, state, before, last)
    except InputError:
        return None


def player_of(made: Game[Any], state: Any, seat: int, *, sign: bool) -> str:
    """What a seat plays: the name of its colour, and with `sign` the letter of its cells, as
    `light, o`.
    """
    side, names = defaults.side_of(state, seat), defaults.guide(made).sides
    name = names[side] if side < len(names) else f"seat {seat}"
    return f"{name}, {SIGNS[side]}" if sign else name


class Display:
    """Shows the positions of a game at a terminal, and reads its moves: as text, for a game without
    a board that could be drawn.

    `notation` is how to write moves; `help` prints it. `commands` are further ones of the game:
    what `help` says of each, and the function that makes its text from a position.
    """

    def __init__(self, made: Game[Any]) -> None:
        self._made = made
        self.notation = defaults.guide(made).notation
        self.commands: Mapping[str, tuple[str, Callable[[Any], str]]] = {}

    def who(self, state: Any, seat: int) -> str:
        """What a seat plays, as `light, o`."""
        return player_of(self._made, state, seat, sign=False)

    def board(self, state: Any, last: Entry | None) -> Text:  # noqa: ARG002 - others need it
        """The position, with the last ply marked."""
        return Text(str(state))

    def sketch(self, state: Any, moves: Sequence[Any]) -> Text | None:  # noqa: ARG002 - as others have it
        """The position with these moves drawn in, numbered from 1; None if the texts of the moves
        are clear enough.
        """
        return None

    def asks(self, state: Any) -> str:
        """What kind of decision is due; empty for an ordinary move."""
        return defaults.asks(self._made, state)

    def read(self, state: Any, text: str) -> Move:
        """The move that a person's text means. Raises NotationError and IllegalMoveError."""
        move: Move = state.parse(text)
        return move

    def why(self, state: Any, text: str) -> list[str]:
        """All that the rules say of a move, without playing it. Raises what `read` raises."""
        state.after(self.read(state, text))
        return ["it is legal"]

    def short(self, move: Any) -> str:
        """A move in the form that a person types."""
        return str(move)

    def told(self, step: Step, record: Record) -> list[str]:  # noqa: ARG002 - others need it
        """What happened at the last ply of a record, one sentence each."""
        players = tuple(
            f"{name} ({self.who(step.before, seat)})" for seat, name in enumerate(step.players)
        )
        lines = [
            *defaults.describe(self._made, replace(step, players=players)),
            *self._changes(step),
        ]
        outcome = step.after.outcome()
        if outcome is not None:
            winners = " and ".join(step.players[seat] for seat in outcome.winners)
            lines.append(
                f"the game is over ({outcome.reason}): "
                f"{f'{winners} wins' if winners else 'nobody wins'}"
            )
        return lines

    def _changes(self, step: Step) -> Iterator[str]:
        """What changed beyond the move itself."""
        before, after = (
            [defaults.side_of(state, n) for n in range(self._made.seats)]
            for state in (step.before, step.after)
        )
        if before != after:
            yield "the colours are exchanged"

    def moves(self, state: Any) -> str:
        """The moves that are possible."""
        if not hasattr(state, "legal_moves"):
            return f"the moves of {self._made.name} cannot be listed; {self.notation}"
        every = [str(move) for move in state.legal_moves()]
        more = f" ... and {len(every) - _MOST:,} more" if len(every) > _MOST else ""
        return f"{len(every):,} legal moves: {' '.join(every[:_MOST])}{more}"


class BoardDisplay(Display):
    """A game on a board of cells."""

    def who(self, state: Any, seat: int) -> str:
        """See `Display`."""
        return player_of(self._made, state, seat, sign=True)

    def board(self, state: Any, last: Entry | None) -> Text:
        """See `Display`."""
        return drawn(self._seen(state, last=None if last is None else str(last.do)))

    def _changes(self, step: Step) -> Iterator[str]:
        gone = [
            cell.name
            for cell in self._seen(step.after, step.before, str(step.entry.do)).cells
            if cell.sign == "gone"
        ]
        if gone:
            yield f"taken off: {', '.join(gone)}"
        yield from super()._changes(step)

    def _seen(self, state: Any, before: Any = None, last: str | None = None) -> BoardView:
        view = defaults.view(self._made, state, before, last)
        assert isinstance(view, BoardView), "`display_of` chooses this display for boards"
        return view


# --- drawing --------------------------------------------------------------------------------------


def drawn(view: BoardView) -> Text:
    """A board as lines of text: `.` is an empty cell, SIGNS are the colours, a capital or `*` a
    cell of the last move.
    """
    if not view.cells:
        return Text("the board has no cells", "dim")
    rows: dict[float, list[Cell]] = defaultdict(list)
    for cell in view.cells:
        rows[next((y for y in rows if abs(y - cell.y) < _SAME_ROW), cell.y)].append(cell)
    # on a hexagon the rows carry the numbers at their right ends, and no label stands straight
    # above a column
    counted = any(label.x > max(cell.x for cell in view.cells) for label in view.labels)
    above = [label for label in view.labels if label.y < min(rows) - _SAME_ROW and not counted]
    left = min([*(cell.x for cell in view.cells), *(label.x for label in above)])
    across = _across(rows.values(), max((len(label.text) for label in above), default=1))

    def column(x: float) -> int:
        return round((x - left) * across)

    lines = [_line("", [(column(label.x), label.text, "dim") for label in above])] if above else []
    for y, cells in sorted(rows.items()):
        first, last = min(cell.x for cell in cells), max(cell.x for cell in cells)
        beside = [label for label in view.labels if abs(label.y - y) < _SAME_ROW]
        name = next((label.text for label in beside if label.x < first), "")
        signs = [(column(cell.x), *_sign(cell, cell.name in view.last)) for cell in cells]
        ends = [(column(last) + 2, label.text, "dim") for label in beside if label.x > last]
        lines.append(_line(name, [*signs, *ends]))
    return Text("\n").join(lines)


def _across(rows: Iterable[Sequence[Cell]], widest: int) -> float:
    """Characters from one cell to the next, for each cell width: neighbours in a row stay apart,
    and so do their labels.
    """
    places = (sorted(cell.x for cell in row) for row in rows)
    nearest = min((b - a for row in places for a, b in pairwise(row)), default=1.0)
    return max(2, widest + 1) / nearest


def _sign(cell: Cell, is_last: bool) -> tuple[str, str]:
    """The letter of a cell, and its colour."""
    if cell.holds is None:
        return ("*", "bold reverse") if is_last else (".", "dim")
    sign, ink = SIGNS[cell.holds], _INKS[cell.holds]
    return (sign.upper(), f"bold reverse {ink}") if is_last else (sign, ink)


def _line(name: str, signs: Sequence[tuple[int, str, str]]) -> Text:
    """A line with its label at the left, and texts at their columns."""
    text = Text(f"{name:>{_MARGIN}} ", "dim")
    for column, sign, ink in sorted(signs):
        text.append(" " * (column + _MARGIN + 1 - len(text)))
        text.append(sign, ink)
    return text
