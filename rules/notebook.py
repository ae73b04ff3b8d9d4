"""What notebooks show of our values: tables of text, and pictures.

A package that can draw registers entry points, so that this one needs no drawing code. The objects of the group
`shutoko.pictures` are `board(game, state)`, which returns an SVG text, and `table(table)`, which returns a PNG.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.metadata import entry_points
from typing import Any

from rules.errors import UnavailableError

__all__ = ["GROUP", "listed", "picture", "tabled"]

GROUP = "shutoko.pictures"
"""The entry point group in which drawers are found."""


def picture(kind: str, *what: Any) -> Any:
    """The picture of that kind, None if nobody can draw it here: a notebook then shows the text."""
    for point in entry_points(group=GROUP):
        if point.name == kind:
            try:
                return point.load()(*what)
            except (ImportError, UnavailableError):
                return None
    return None


def tabled(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as HTML, with a title."""
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<p><strong>{escape(title)}</strong></p><table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def listed(lines: Iterable[str]) -> str:
    """Lines as an HTML list."""
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"
