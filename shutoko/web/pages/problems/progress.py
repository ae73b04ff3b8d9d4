"""Which problems a visitor has solved: the browser keeps their ids in a cookie, so they stay on the device."""

from __future__ import annotations

from nicegui import ui

__all__ = ["COOKIE", "keep", "solved"]

COOKIE = "shutoko-solved"
"""The cookie; `static/board.js` writes it."""


def solved() -> frozenset[str]:
    """The ids that the browser of the page that is being built has kept; anything may stand there."""
    return frozenset(ui.context.client.request.cookies.get(COOKIE, "").split("."))


def keep(name: str) -> None:
    """Has the browser keep that a problem is solved."""
    _ = ui.run_javascript(f"shutokoSolved({name!r})")
