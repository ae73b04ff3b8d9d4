"""The three pieces from which somebody chooses what to build."""

from __future__ import annotations

from collections.abc import Callable, Collection
from html import escape
from typing import Any, Literal

from nicegui import ui

Kind = Literal["pillar", "yellow", "exit"]
KINDS: tuple[Kind, ...] = ("pillar", "yellow", "exit")

_DISC = '<ellipse cx="{x}" cy="{y}" rx="9" ry="3.2" fill="{c}" stroke="#24272a" stroke-width=".8"/>'
_GREY, _YELLOW, _ROAD = "#b9b6ae", "#f2c230", "#8d8377"


def _stack(top: str, discs: int = 3) -> str:
    colours = [_GREY] * (discs - 1) + [top]
    return "".join(_DISC.format(x=14, y=24 - 4.2 * n, c=c) for n, c in enumerate(colours))


_DRAWN = {
    "pillar": f'<path d="M14 14 46 23" stroke="{_ROAD}" stroke-width="4"/>{_stack(_GREY)}',
    "yellow": f'<path d="M14 14 46 23" stroke="{_ROAD}" stroke-width="4"/>{_stack(_YELLOW)}',
    "exit": f'<path d="M16 17 46 26" stroke="{_ROAD}" stroke-width="4"/>{_stack(_GREY, 2)}'
    '<path d="M38 12h8v8" fill="none" stroke="currentColor" stroke-width="2"/>'
    '<path d="M46 12 36 21" stroke="currentColor" stroke-width="2"/>',
}


class Pieces:
    """Create it where the pieces lie. `on_choose` is called with the piece that is taken."""

    def __init__(self, text: Any, on_choose: Callable[[Kind], None]) -> None:
        self._text = text
        self._box = (
            ui.element("div")
            .classes("pieces")
            .props(f'role="radiogroup" aria-label="{escape(text("pieces"))}"')
        )
        self._all: dict[Kind, tuple[Any, Any]] = {}
        with self._box:
            for kind in KINDS:
                button = ui.element("button").classes("piece float")
                button.props(f'type="button" role="radio" data-part="piece" data-piece="{kind}"')
                button.on("click", lambda kind=kind: on_choose(kind))
                with button:
                    ui.html(
                        f'<svg viewBox="0 0 50 30" aria-hidden="true">{_DRAWN[kind]}</svg>',
                        sanitize=False,
                    )
                    said = ui.label(text(f"piece_{kind}"))
                self._all[kind] = button, said

    def show(self, chosen: Kind, *, offered: Collection[Kind], yellow: int) -> None:
        """Shows which piece is chosen, which ones may be, and how many yellow discs are left."""
        for kind, (button, said) in self._all.items():
            picked, free = kind == chosen, kind in offered
            button.props(f'aria-checked="{str(picked).lower()}" tabindex="{0 if picked else -1}"')
            button.props(remove="disabled") if free else button.props("disabled")
            if kind == "yellow":
                said.set_text(self._text("piece_yellow_left", n=yellow))

    def set_visibility(self, visible: bool) -> None:
        """Shows the pieces to whoever may choose one."""
        self._box.set_visibility(visible)
