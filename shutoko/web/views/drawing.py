"""A drawing on a page (SVG): of a change, only lines that the page has never had are sent.

The page keeps every line that it was sent, by number. The moves that a player may make come and go
with each turn, mostly the same ones, so later turns name them by their numbers.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from nicegui import ui

from shutoko.web import STATIC

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
