"""The board of a grid game as text for the terminal, drawn from its `board_text()` alone.

If all rows are equally long, the board is square (Thruway: columns a, b, ... from the west, rows 1,
2, ... from the north). Otherwise it is a hexagon (Meridians: rows a, b, ... from the bottom, points
1, 2, ... from the left).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

_SIGNS, _MARKED = {".": ".", "1": "o", "2": "x"}, {".": "*", "1": "O", "2": "X"}


def drawn(board: str, marked: Collection[str] = ()) -> str:
    """The board for a terminal: `o` the first colour, `x` the second, `.` empty; cells in `marked`
    as `O`, `X` and `*`.
    """
    rows = board.split("/")
    square, longest = is_square(rows), max(map(len, rows))
    lines = [f"    {' '.join(letter(x) for x in range(longest))}"] if square else []
    for y, row in enumerate(rows):
        label = str(y + 1) if square else letter(len(rows) - 1 - y)
        names = [f"{letter(x)}{label}" if square else f"{label}{x + 1}" for x in range(len(row))]
        signs = (_MARKED if name in marked else _SIGNS for name in names)
        told = " ".join(sign[holds] for sign, holds in zip(signs, row, strict=True))
        lines.append(f"{label:>3} {'' if square else ' ' * (longest - len(row))}{told}")
    return "\n".join(lines)


def is_square(rows: Sequence[str]) -> bool:
    """Whether these are the rows of a square board."""
    return len({len(row) for row in rows}) == 1


def letter(index: int) -> str:
    """The letter of a row or column, counted from 0."""
    return "abcdefghijklmnopqrstuvwxyz"[index]
