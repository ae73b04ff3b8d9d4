"""The pieces from which somebody chooses: the three of a build, and the buildings that are left."""

from collections.abc import Callable, Collection
from functools import partial
from html import escape
from typing import Any, Literal

from nicegui import ui

from shutoko.web.views import (
    worded,
)
from sim.bodies import Box, Cylinder
from sim.referee import Table

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


_WOOD, _SHADE, _LIT, _OUTLINE = "#c9a26b", "#a37e4b", "#dcbc8c", "#24272a"
_TALLEST = 110.0  # mm: what the drawing of a building has room for
_TURN = 15  # degrees for a press of a button


def _drawn_building(shape: Box | Cylinder) -> str:
    """A building seen from the front and a little from above."""
    if isinstance(shape, Box):
        wide, deep, high = shape.size
    else:
        wide, deep, high = 2.0 * shape.radius, 2.0 * shape.radius, shape.height
    w, d, h = (round(mm * 27.0 / _TALLEST, 1) for mm in (wide, deep * 0.3, high))
    left, top = 25.0 - w / 2, 29.0 - h
    line = f'stroke="{_OUTLINE}" stroke-width=".8"'
    if isinstance(shape, Cylinder):
        wall = f"M{left} {top}v{h - d / 2}a{w / 2} {d / 2} 0 0 0 {w} 0v{d / 2 - h}"
        roof = f'cx="25" cy="{top}" rx="{w / 2}" ry="{d / 2}" fill="{_LIT}"'
        return f'<path d="{wall}" fill="{_WOOD}" {line}/><ellipse {roof} {line}/>'
    return (
        f'<path d="M{left} {top}h{w}v{h}h{-w}z" fill="{_WOOD}" {line}/>'
        f'<path d="M{left} {top}l{d} {-d}h{w}l{-d} {d}z" fill="{_LIT}" {line}/>'
        f'<path d="M{left + w} {top}l{d} {-d}v{h}l{-d} {d}z" fill="{_SHADE}" {line}/>'
    )


def _button(
    mark: str, drawing: str, called: str, deed: Callable[[], None]
) -> tuple[ui.element, ui.label]:
    """The button of a piece, with its drawing and its name; and the label of the name."""
    button = ui.element("button").classes("piece float").on("click", deed)
    with button.props(f'type="button" role="radio" data-part="piece" {mark}'):
        ui.html(f'<svg viewBox="0 0 50 30" aria-hidden="true">{drawing}</svg>', sanitize=False)
        return button, ui.label(called)


def _group(called: str) -> ui.element:
    """The place of pieces of which one is chosen."""
    props = f'role="radiogroup" aria-label="{escape(called)}"'
    return ui.element("div").classes("pieces").props(props)


def _mark(button: ui.element, *, picked: bool) -> None:
    button.props(f'aria-checked="{str(picked).lower()}" tabindex="{0 if picked else -1}"')


class Buildings:
    """The buildings that are left, and two buttons that turn a building or an entrance. Create it
    where the pieces lie. `on_choose` is called with the kind that is taken, `on_turn` with the
    degrees of a press.
    """

    def __init__(
        self, text: Any, on_choose: Callable[[str], None], on_turn: Callable[[float], None]
    ) -> None:
        self._text, self._on_choose = text, on_choose
        self._buttons: dict[str, ui.element] = {}
        self._row = ui.element("div").classes("pieces")
        with self._row:
            self._kinds = _group(text("buildings_left"))
            for called, icon, by in (
                ("hand_left", "rotate_left", _TURN),
                ("hand_right", "rotate_right", -_TURN),
            ):
                ui.button(icon=icon, on_click=lambda by=by: on_turn(by)).classes("float").props(
                    f'round flat aria-label="{escape(text(called))}" data-turned="{by}"'
                )

    def show(self, table: Table, chosen: str, *, visible: bool) -> None:
        """Shows them to whoever sets an entrance or a building now, and which building is
        chosen.
        """
        left = table.buildings_left if table.phase == "buildings" else ()
        self._row.set_visibility(visible and table.phase in ("entrances", "buildings"))
        if tuple(self._buttons) != left:  # buttons stay while the pointer passes the table
            self._kinds.clear()
            with self._kinds:
                self._buttons = {kind: self._button(kind, table) for kind in left}
        for kind, button in self._buttons.items():
            _mark(button, picked=kind == chosen)

    def _button(self, kind: str, table: Table) -> ui.element:
        drawn = _drawn_building(table.components.buildings[kind].shape)
        called, mark = building_name(kind, self._text), f'data-building="{escape(kind)}"'
        return _button(mark, drawn, called, partial(self._on_choose, kind))[0]


def building_name(kind: str, text: Any) -> str:
    """What a kind of building is called; its name in the box where no catalogue has it."""
    return worded(text, f"building_{kind}", kind)


class Pieces:
    """Create it where the pieces lie. `on_choose` is called with the piece that is taken."""

    def __init__(self, text: Any, on_choose: Callable[[Kind], None]) -> None:
        self._text = text
        self._box = _group(text("pieces"))
        with self._box:
            self._all = {
                kind: _button(
                    f'data-piece="{kind}"',
                    _DRAWN[kind],
                    text(f"piece_{kind}"),
                    partial(on_choose, kind),
                )
                for kind in KINDS
            }

    def show(self, chosen: Kind, *, offered: Collection[Kind], yellow: int) -> None:
        """Shows which piece is chosen, which ones may be, and how many yellow discs are left."""
        for kind, (button, said) in self._all.items():
            _mark(button, picked=kind == chosen)
            button.props(remove="disabled") if kind in offered else button.props("disabled")
            if kind == "yellow":
                said.set_text(self._text("piece_yellow_left", n=yellow))

    def set_visibility(self, visible: bool) -> None:
        """Shows the pieces to whoever may choose one."""
        self._box.set_visibility(visible)
