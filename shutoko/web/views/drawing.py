"""A drawing on a page (SVG): when it changes, only its lines that are new are sent."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from nicegui import ui

from shutoko.web import STATIC


class Drawing(ui.element, component=STATIC / "drawing.js"):
    """Create it where it belongs on the page; it is empty at first. What it shows is never cleaned:
    user text in it must be escaped.
    """

    def __init__(self) -> None:
        super().__init__()
        self._props["innerHTML"] = ""
        self.on("lost", self._again)

    @property
    def content(self) -> str:
        """What it shows."""
        return str(self._props["innerHTML"])

    def _again(self) -> None:
        self.update()

    def set_content(self, content: str) -> None:
        """Shows a drawing."""
        shown = self.content
        if content == shown:
            return
        # whoever loads the page anew, or connects again, gets the whole
        self._props["innerHTML"] = content
        if not shown:
            self.update()
            return
        parts = changed(shown.split("\n"), content.split("\n"))
        _ = self.run_method("change", zlib.crc32(shown.encode()), parts)


def changed(old: Sequence[str], new: Sequence[str]) -> list[str | list[int]]:
    """New lines in terms of old ones: text, or the first of some lines that were there, and how
    many.
    """
    known = {line: n for n, line in enumerate(old)}
    parts: list[str | list[int]] = []
    for line in new:
        at, last = known.get(line), parts[-1] if parts else ""
        if at is None:
            parts.append(line)
        elif isinstance(last, list) and list(old[sum(last) : sum(last) + 1]) == [line]:
            last[1] += 1
        else:
            parts.append([at, 1])
    return parts
