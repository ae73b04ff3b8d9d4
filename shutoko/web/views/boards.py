"""A board as a picture and in words; what there is to see comes from the game (`rules.view`)."""

import math
import zlib
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from nicegui import ui

from rules import defaults
from rules.errors import InputError
from rules.game import Game
from rules.record.replay import Step
from rules.view import BoardView, Border, Cell, Offer
from shutoko.export.board import svg
from shutoko.web import STATIC
from shutoko.web.views.telling import guide, worded

COLOURS = ("#fcfbf7", "#2f3437")
"""The first and the second colour of a board for CSS."""


def board_of(made: Game[Any], state: Any, before: Any = None, last: str | None = None) -> BoardView:
    """The board of a position. Raises InputError for a game that has none."""
    view = defaults.view(made, state, before, last)
    if not isinstance(view, BoardView):
        raise InputError(f"{made.name} has no board of cells: its pieces lie in space")
    return view


def board_svg(
    made: Game[Any],
    state: Any,
    text: Any,
    *,
    last: str | None = None,
    before: Any = None,
    offers: Collection[Offer] = (),
    picked: str | None = None,
    ranked: Sequence[str] = (),
) -> str:
    """The picture of a position: the last move, the marks of the rules, the moves on offer, those
    that a hint names, and the path that has won.

    Raises InputError for a game that has no board.
    """
    view, told = board_of(made, state, before, last), guide(made, text)
    return svg(
        view,
        told.title,
        marks=True,
        picked=picked,
        offers=offers,
        say=lambda offer: offer_text(offer, told.sides, text),
        labels={cell.name: label_of(cell, told.sides, text) for cell in view.cells},
        ranked=[defaults.cells_of(made, move) for move in ranked],
        path=winning_path(view) if state.outcome() is not None else (),
    )


# cell widths: between the middles of neighbours, to a bar, and from bar to bar of one side
_JOINED, _BESIDE, _ALONG = 1.1, 1.2, 1.5


def winning_path(view: BoardView) -> tuple[str, ...]:
    """The shortest path of one colour between the two sides that it joins, by the names of its
    cells; of indestructible cells where the rules mark them. None is empty.
    """
    marked = any(cell.sign == "solid" for cell in view.cells)
    for colour in {border.holds for border in view.borders}:
        held = [c for c in view.cells if c.holds == colour and (c.sign == "solid" or not marked)]
        sides = _sides([border for border in view.borders if border.holds == colour])
        if len(sides) != 2:
            continue
        here, there = (
            {cell.name for cell in held if any(_gap(cell, bar) < _BESIDE for bar in bars)}
            for bars in sides
        )
        ways: dict[str, tuple[str, ...]] = {name: (name,) for name in here}
        waiting = deque(cell for cell in held if cell.name in here)
        while waiting:
            one = waiting.popleft()
            if one.name in there:
                return ways[one.name]
            for other in held:
                near = math.dist((one.x, one.y), (other.x, other.y)) < _JOINED
                if near and other.name not in ways:
                    ways[other.name] = (*ways[one.name], other.name)
                    waiting.append(other)
    return ()


def _sides(bars: Sequence[Border]) -> list[list[Border]]:
    """The bars of one colour by the side of the board that they lie along: one long bar, or one
    beside each cell.
    """
    sides: list[list[Border]] = []
    for bar in bars:
        near = [side for side in sides if any(_apart(bar, other) < _ALONG for other in side)]
        sides = [side for side in sides if side not in near]
        sides.append([bar, *(other for side in near for other in side)])
    return sides


def _apart(one: Border, other: Border) -> float:
    """How far the middles of two bars are from each other."""
    return math.hypot(
        one.x + one.width / 2 - other.x - other.width / 2,
        one.y + one.height / 2 - other.y - other.height / 2,
    )


def _gap(cell: Cell, border: Border) -> float:
    """How far the middle of a cell is from a bar."""
    dx = max(border.x - cell.x, 0.0, cell.x - border.x - border.width)
    dy = max(border.y - cell.y, 0.0, cell.y - border.y - border.height)
    return math.hypot(dx, dy)


def label_of(cell: Cell, sides: Sequence[str], text: Any) -> str:
    """What a screen reader says of a cell."""
    what = text("empty") if cell.holds is None else _side(cell.holds, sides)
    return f"{cell.name}, {what}" + (f", {text(f'sign_{cell.sign}')}" if cell.sign else "")


def offer_text(offer: Offer, sides: Sequence[str], text: Any) -> str:
    """What is said of a move on offer."""
    key, values = offer.about
    named = _named(values, sides)
    told = str(text(key, **named))
    return key.format_map(named) if told == key else told


def told_move(move: str, text: Any) -> str:
    """A move for people: words for a move without a place on the board, else its text."""
    return worded(text, f"move_{move}", move)


def told_ply(made: Game[Any], step: Step, text: Any) -> list[str]:
    """What happened at a ply, a sentence each: what the game says, or the player and the move; and
    what left the board.
    """
    first, *rest = defaults.describe(made, step)
    move = str(step.entry.do)
    if first == f"{step.player}: {move}":
        first = f"{step.player}: {told_move(move, text)}"
    return [first, *rest, *_losses(made, step, text)]


def _losses(made: Game[Any], step: Step, text: Any) -> Iterator[str]:
    """Which pieces a ply took off a board or replaced, a sentence for each colour."""
    before, after = defaults.view(made, step.before), defaults.view(made, step.after)
    if not isinstance(before, BoardView) or not isinstance(after, BoardView):
        return
    held = {cell.name: cell.holds for cell in after.cells}
    sides = guide(made, text).sides
    for colour in sorted({cell.holds for cell in before.cells if cell.holds is not None}):
        lost = [
            cell.name for cell in before.cells if cell.holds == colour and held[cell.name] != colour
        ]
        kept = sum(cell.holds == colour for cell in after.cells)
        # colours that change places lose nothing
        if lost and kept < sum(cell.holds == colour for cell in before.cells):
            yield str(
                text("loses", colour=_side(colour, sides), count=len(lost), cells=", ".join(lost))
            )


def _named(values: Mapping[str, Any], sides: Sequence[str]) -> dict[str, Any]:
    """The values of a sentence with the number of a colour replaced by its name."""
    return (
        {**values, "colour": _side(values["colour"], sides)} if "colour" in values else dict(values)
    )


def _side(colour: int, sides: Sequence[str]) -> str:
    return sides[colour] if colour < len(sides) else str(colour + 1)


# --- a drawing on a page (SVG): of a change, only lines that the page has never had are sent ------

# The page keeps every line that it was sent, by number. The moves that a player may make come and
# go with each turn, mostly the same ones, so later turns name them by their numbers.
_MOST = 8000  # lines that a page keeps; then it is sent the whole and begins anew


class Drawing(ui.element, component=STATIC / "drawing.js"):
    """Create it where it belongs on the page; it is empty at first. What it shows is never cleaned:
    user text in it must be escaped.
    """

    def __init__(self) -> None:
        super().__init__()
        self._props["innerHTML"] = ""
        self._known: dict[str, int] = {}
        self._sum = 0  # over all known lines, so that both sides know that they have the same
        self.on("lost", self._whole)

    @property
    def content(self) -> str:
        """What it shows."""
        return str(self._props["innerHTML"])

    def set_content(self, content: str) -> None:
        """Shows a drawing."""
        shown = self.content
        if content == shown:
            return
        # whoever loads the page anew, or connects again, gets the whole
        self._props["innerHTML"] = content
        if not shown or len(self._known) > _MOST:
            self._whole()
            return
        was, before = self._sum, len(self._known)
        parts = changed(self._known, content.split("\n"))
        self._count(before)
        _ = self.run_method("change", was, parts)

    def _whole(self) -> None:
        self._known, self._sum = {}, 0
        changed(self._known, self.content.split("\n"))
        self._count(0)
        self.update()

    def _count(self, first: int) -> None:
        """Takes the known lines from a number on into the sum."""
        for line in list(self._known)[first:]:
            self._sum = zlib.crc32(line.encode(), self._sum)


def changed(known: dict[str, int], new: Sequence[str]) -> list[str | list[int]]:
    """The lines of a drawing: text of those that are not known, which become known by the next
    numbers; of the others the number of the first, and how many follow one another.
    """
    parts: list[str | list[int]] = []
    for line in new:
        at, last = known.get(line), parts[-1] if parts else ""
        if at is None:
            known[line] = len(known)
            parts.append(line)
        elif isinstance(last, list) and sum(last) == at:
            last[1] += 1
        else:
            parts.append([at, 1])
    return parts
