"""The table of Tokyo Highway from above, as text: lines are roads, ids are pillars and buildings,
numbers are offered moves.
"""

import math
from collections.abc import Sequence

from rich.text import Text

from sim.referee import Point, Table

INKS = ("cyan", "magenta", "green", "yellow")
"""The colour of each seat."""

_WIDTH, _HEIGHT = 76, 30  # characters
_TALL = 2.0  # a character is about twice as high as it is wide
_LEAST = 2.5  # mm for each column, at least
_EDGE = 10.0  # mm of empty table around the pieces
_STROKES = "-/|\\"


class _Sheet:
    """A grid of characters that covers part of the table."""

    def __init__(self, points: Sequence[Point]) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        width, height = (max(some) - min(some) + 2 * _EDGE for some in (xs, ys))
        self.scale = max(width / (_WIDTH - 1), height / _TALL / (_HEIGHT - 1), _LEAST)
        self.left, self.top = min(xs) - _EDGE, max(ys) + _EDGE
        columns, rows = round(width / self.scale) + 1, round(height / self.scale / _TALL) + 1
        self.cells = [[(" ", "")] * columns for _ in range(rows)]

    def put(self, at: Point, text: str, ink: str) -> None:
        """Writes a text, centred at a point; text that would leave the sheet is moved inside, or
        cut.
        """
        row = round((self.top - at[1]) / self.scale / _TALL)
        cells = self.cells[min(max(row, 0), len(self.cells) - 1)]
        first = round((at[0] - self.left) / self.scale) - len(text) // 2
        first = max(min(first, len(cells) - len(text)), 0)
        for column, sign in enumerate(text[: len(cells)], first):
            cells[column] = (sign, ink)

    def line(self, one: Point, two: Point, sign: str, ink: str) -> None:
        """Draws a line with that character."""
        steps = max(round(math.dist(one, two) / self.scale), 1)
        for n in range(steps + 1):
            self.put(
                (one[0] + (two[0] - one[0]) * n / steps, one[1] + (two[1] - one[1]) * n / steps),
                sign,
                ink,
            )


def plan(
    table: Table, last: str | None = None, numbered: Sequence[tuple[str, Point, Point]] = ()
) -> Text:
    """The table from above, north (+y) up. Higher roads cover lower ones; the road with the id
    `last` is drawn with `*`.

    `numbered` are offered moves: the number, and the start and end of the new road in mm.
    """
    drawn = sorted(zip(table.roads, table.lines, strict=True), key=lambda one: sum(one[1].levels))
    points = [end for _, line in drawn for end in (line.start, line.end)]
    points += [pillar.at for pillar in table.pillars] + [
        building.at for building in table.buildings
    ]
    points += [at for _, _, at in numbered]
    if not points:
        return Text("the table is empty", "dim")
    sheet = _Sheet(points)
    for building in table.buildings:
        sheet.put(building.at, f"[{building.id}]", "bold")
    for _, one, two in numbered:
        sheet.line(one, two, ".", "dim")
    for road, line in drawn:
        angle = math.atan2((line.end[1] - line.start[1]) / _TALL, line.end[0] - line.start[0])
        sign = "*" if road.id == last else _STROKES[round(angle / (math.pi / 4)) % 4]
        sheet.line(
            line.start,
            line.end,
            sign,
            f"bold {INKS[road.owner]}" if road.id == last else INKS[road.owner],
        )
    for pillar in table.pillars:
        sheet.put(table.top(pillar), pillar.id.replace("-P", ""), f"bold {INKS[pillar.owner]}")
    for number, _, at in numbered:
        sheet.put(at, f"({number})", "bold")
    return _text(sheet)


def _text(sheet: _Sheet) -> Text:
    text = Text()
    for row, cells in enumerate(sheet.cells):
        label = str(round(sheet.top - row * _TALL * sheet.scale)) if row % 5 == 0 else ""
        filled = max((column for column, (sign, _) in enumerate(cells) if sign != " "), default=-1)
        text.append(f"{label:>6}" if label or filled >= 0 else "", "dim")
        text.append(" " * (filled >= 0))
        for sign, ink in cells[: filled + 1]:
            text.append(sign, ink)
        text.append("\n")
    marks = "".join(
        f"{round(sheet.left + column * sheet.scale):<15}"
        for column in range(0, len(sheet.cells[0]), 15)
    )
    text.append(f"       {marks.rstrip()} mm", "dim")
    return text
