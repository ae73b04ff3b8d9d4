"""A problem as it is posed: on a board of cells, where the answer is a move, or at a table, where
it is a placement.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Protocol

from nicegui import events, ui

from rules import defaults
from rules.errors import ShutokoError
from rules.view import Offer
from shutoko.web.pages.frame import Visitor
from shutoko.web.pages.problems import Solving
from shutoko.web.pages.rooms.board_room import CLICK
from shutoko.web.pages.rooms.placing import Choices
from shutoko.web.views import aiming
from shutoko.web.views.aiming import Aimed, AimRequest, aim
from shutoko.web.views.boards import board_of, board_svg, told_move
from shutoko.web.views.drawing import Drawing
from shutoko.web.views.stage import Stage
from shutoko.web.views.table import (
    ADVISED,
    advised_pieces,
    colour_of,
    piles,
    stock_table,
    told_in_short,
)
from shutoko.web.views.telling import aimed_in_short, colour_name, guide, judged_in, spots_of
from shutoko.web.work.jobs import Posed
from shutoko.web.work.tables import table_of
from sim.game.attempts.posing import bodies
from sim.problems import Judgement

# --- on a board -----------------------------------------------------------------------------------


class OnBoard:
    """`picked` is the first cell of a move that is not whole yet, `chosen` a move that waits for a
    second touch.
    """

    def __init__(self, page: Solving) -> None:
        self._page, self._made, self._text, self._state = (
            page,
            page.made,
            page.text,
            page.posed.state,
        )
        self._names = frozenset(cell.name for cell in board_of(page.made, self._state).cells)
        self._offers: tuple[Offer, ...] = ()
        self._picked: str | None = None
        self._chosen: str | None = None

    def build(self) -> None:
        """The board."""
        self._board = Drawing().classes("board")
        self._board.on("click", self._clicked, js_handler=CLICK)
        self._board.on("cellpick", self._cell_picked, js_handler="(e) => emit(e.detail)")

    def build_controls(self) -> None:
        """A field for those who type, and buttons for moves that are no place on the board."""
        text = self._text
        with ui.element("form").classes("line").on("submit.prevent", self._typed) as self._form:
            self._field = ui.input(text("type_move")).props(
                'dense outlined autocomplete="off" maxlength=20 data-type'
            )
            self._field.classes("grow")
            ui.button(icon="send", on_click=self._typed).props(
                f'flat dense aria-label="{text("problem_give")}"'
            )

    def pose(self) -> None:
        """The position with the moves on offer."""
        self._picked = self._chosen = None
        self._offers = defaults.offers(self._made, self._state)
        self._form.set_visibility(True)
        self._draw()

    def show(self, move: str, found: Judgement) -> None:
        """The board after the answer; the reply that refutes it has a number."""
        self._form.set_visibility(False)
        try:
            after = self._state.after(move)
        except ValueError:
            return
        ranked = [found.reply] if found.reply else []
        self._board.set_content(
            board_svg(self._made, after, self._text, last=move, before=self._state, ranked=ranked)
        )

    def told(self, move: str) -> str:
        """The text of a move, or words for a move without a place on the board."""
        return told_move(move, self._text)

    def colour(self, seat: int) -> str:
        """The colour that the seat plays."""
        side = defaults.side_of(self._state, seat)
        return guide(self._made, self._text).sides[side]

    def _draw(self) -> None:
        problem, posed = self._page.problem, self._page.posed
        content = board_svg(
            self._made,
            self._state,
            self._text,
            last=problem.moves[-1] if problem.moves else None,
            before=posed.before,
            offers=[
                replace(offer, chosen=True) if offer.move == self._chosen else offer
                for offer in self._offers
            ],
            picked=self._picked,
        )
        self._board.set_content(content)

    def _cells(self, move: str) -> frozenset[str]:
        return self._names.intersection(defaults.cells_of(self._made, move))

    async def _clicked(self, event: events.GenericEventArguments) -> None:
        given = event.args if isinstance(event.args, dict) else {}
        move, cell = given.get("move"), given.get("cell")
        if not self._page.waits:
            return
        if isinstance(move, str) and given.get("touch") and move != self._chosen:
            # a finger cannot hover to see the move first, so it confirms with a second touch
            self._chosen = move
            self._draw()
        elif isinstance(move, str):
            await self._page.answer(move)
        elif isinstance(cell, str):
            await self._pick(cell)

    async def _cell_picked(self, event: events.GenericEventArguments) -> None:
        if self._page.waits:
            await self._pick(str(event.args))

    async def _pick(self, cell: str) -> None:
        """A cell by a click or by Enter: the move of the cells picked so far, or the first cell of
        one.
        """
        whole = {cell, self._picked} - {None}
        move = next(
            (offer.move for offer in self._offers if self._cells(offer.move) == whole), None
        )
        if move is not None:
            await self._page.answer(move)
            return
        begins = any(cell in self._cells(offer.move) for offer in self._offers)
        self._picked = cell if begins and cell != self._picked else None
        self._draw()

    async def _typed(self) -> None:
        move: Any = str(self._field.value or "").strip()
        if move:
            self._field.set_value("")
            await self._page.answer(move)


# --- at a table -----------------------------------------------------------------------------------

_LEGAL, _ILLEGAL = "#2fae66", "#d8432b"
_EDGE = 1000.0  # mm: nobody aims farther out


class Posing(Protocol):
    """What the table asks of the page around it."""

    text: Any
    who: Visitor
    posed: Posed

    @property
    def waits(self) -> bool:
        """Whether an answer would be taken now."""
        ...

    async def answer(self, move: str) -> None:
        """Takes a placement."""
        ...


class OnTable:
    """`request` is what is aimed at; `pinned`: it stays in its place until another is tapped."""

    def __init__(self, page: Posing) -> None:
        self._page, self._text, self._table = page, page.text, table_of(page.posed.state)
        self._names = [colour_name(seat, page.text) for seat in range(len(self._table.stocks))]
        self._request: AimRequest | None = None
        self._aimed: Aimed | None = None
        self._pinned = False

    def build(self) -> None:
        """The stage, and what is said of the aimed placement."""
        with ui.element("div").classes("stage"):
            self._stage = Stage(bodies(self._table), self._hand, plain=self._page.who.plain)
            with (
                ui.element("div").classes("badges"),
                ui.element("div").classes("badge") as self._badge,
            ):
                self._told = ui.label().props('role="status" aria-live="off" data-said')

    def build_controls(self) -> None:
        """What to place, the button that answers, and what everybody has left."""
        text = self._text
        with ui.element("div").classes("card") as self._box:
            self._choices = Choices(text, self._chose, self._typed, self._answer)
            with ui.element("div").classes("line acts") as bar:
                self._choices.discs.move(bar)
                self._give = ui.button(text("problem_give"), icon="check", on_click=self._answer)
                self._give.props("unelevated no-caps data-give")
        with ui.element("div").classes("line"):
            self._slots = ui.switch(text("slots"), on_change=self._show_slots).props(
                "dense data-slots"
            )
            look = ui.button(
                text("look_above"),
                icon="vertical_align_bottom",
                on_click=lambda: self._stage.look(86.0),
            )
            look.props("flat dense no-caps")
        with ui.element("div").style("width: 100%"):
            stock_table(self._table, self._names, text)

    def pose(self) -> None:
        """The table, ready to be aimed at."""
        self._request, self._pinned = None, False
        self._choices.fill(self._table, acts=True, builds=True)
        self._box.set_visibility(True)
        self._stage.show(bodies(self._table))
        self._stage.supplies(*piles(self._table))
        self._stage.advise((), ADVISED)
        self._aim()

    def show(self, move: str, found: Judgement) -> None:
        """The table after the answer, and the road with which the other player wins after a wrong
        one.
        """
        self._box.set_visibility(False)
        self._say(judged_in(self._text.language, found), legal=found.right)
        self._stage.ghost((), _LEGAL)
        try:
            after = table_of(self._page.posed.state.after(move))
        except ShutokoError:
            return
        self._stage.show(bodies(after))
        aimed = (
            aim(self._table, request)
            if (request := aiming.request_for(self._table.parse(move))) is not None
            else None
        )
        # what was answered stands in the colour of its verdict, and its crossings pulse in it
        colour = _LEGAL if found.right else _ILLEGAL
        self._stage.ghost(aimed.pieces if aimed is not None else (), colour)
        self._stage.pulse(
            [(*place, colour) for place in (aimed.scoring if aimed is not None else ())], None
        )
        reply = [after.parse(found.reply)] if found.reply else []
        self._stage.advise(advised_pieces(after, reply, None), ADVISED)

    def told(self, move: str) -> str:
        """A placement in words that name no piece: the table shows where it is."""
        return told_in_short(move, self._text)

    def colour(self, seat: int) -> str:
        """The colour of a seat."""
        return self._names[seat]

    # --- aiming -----------------------------------------------------------------------------------

    def _hand(self, detail: dict[str, Any]) -> None:
        try:
            what, x, y = str(detail["type"]), float(detail["x"]), float(detail["y"])
        except (KeyError, TypeError, ValueError):
            return
        moves = what == "aim" and not self._pinned
        if (
            not self._page.waits
            or not (moves or what in ("tap", "drag", "drop"))
            or not math.hypot(x, y) < _EDGE
        ):
            return
        base = str(detail.get("piece") or "").partition(".")[0]
        if what == "tap" and base in {
            point.pillar.id for point in self._table.base_points(self._table.to_move)
        }:
            self._choices.base.set_value(base)  # a tapped base pillar is chosen, not built upon
            return
        self._pinned = what != "aim"
        self._request = self._choices.request((x, y), "play")
        self._aim()

    def _chose(self) -> None:
        if self._request is not None:
            self._request = self._choices.request(self._request.at, "play")
            self._aim()

    def _typed(self, at: tuple[float, float]) -> None:
        if self._page.waits and math.hypot(*at) < _EDGE:
            self._pinned = True
            self._request = replace(self._choices.request(at, "play"), fixed=True)
            self._aim()

    def _aim(self) -> None:
        """Shows the aimed placement, and what the referee says of it."""
        try:
            self._aimed = (
                aim(self._table, self._request, self._names) if self._request is not None else None
            )
        except ShutokoError:
            self._aimed = None
        aimed = self._aimed
        self._choices.show_place(aiming.shown_place(self._request, aimed) if self._pinned else None)
        self._stage.ghost(
            aimed.pieces if aimed else (), _LEGAL if aimed and aimed.legal else _ILLEGAL
        )
        self._give.set_enabled(bool(aimed and aimed.legal))
        self._show_slots()
        if aimed is None:
            self._say(self._text("point_table"))
            self._stage.pulse(())
            return
        self._say(aimed_in_short(aimed, self._table, self._text, self._names), legal=aimed.legal)
        colour = colour_of(self._table.to_move)
        spots = [(*place, colour) for place in aimed.scoring]
        if not aimed.legal:
            spots = [
                (*spot, _ILLEGAL) for spot in spots_of(aimed.faults, self._table, aimed.placement)
            ]
        self._stage.pulse(spots, None)

    def _say(self, said: str, *, legal: bool | None = None) -> None:
        self._told.set_text(said)
        self._badge.set_visibility(bool(said))
        self._badge.classes(
            remove="bad good", add="" if legal is None else "good" if legal else "bad"
        )

    def _show_slots(self) -> None:
        bars = (
            aiming.slot_bars(self._table, self._table.to_move, self._aimed)
            if self._slots.value
            else []
        )
        self._stage.mark(bars)

    async def _answer(self) -> None:
        if self._aimed is not None and self._aimed.legal:
            await self._page.answer(str(self._aimed.placement))
