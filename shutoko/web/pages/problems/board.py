"""A problem on a board of cells: the answer is a move, by pointing, by touch, by keys or by typing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nicegui import events, ui

from rules import defaults
from rules.view import Offer
from shutoko.web.pages.problems.solving import Solving
from shutoko.web.pages.rooms.board_room import CLICK
from shutoko.web.views.boards import board_of, board_svg, told_move
from shutoko.web.views.guides import guide
from sim.problems import Judgement

__all__ = ["OnBoard"]


class OnBoard:
    """`picked` is the first cell of a move that is not whole yet, `chosen` a move that waits for a second touch."""

    def __init__(self, page: Solving) -> None:
        self._page, self._made, self._text, self._state = page, page.made, page.text, page.posed.state
        self._names = frozenset(cell.name for cell in board_of(page.made, self._state).cells)
        self._offers: tuple[Offer, ...] = ()
        self._picked: str | None = None
        self._chosen: str | None = None

    def build(self) -> None:
        """The board."""
        self._board = ui.html("", sanitize=False).classes("board")
        self._board.on("click", self._clicked, js_handler=CLICK)
        self._board.on("cellpick", self._cell_picked, js_handler="(e) => emit(e.detail)")

    def build_controls(self) -> None:
        """A field for those who type, and buttons for moves that are no place on the board."""
        text = self._text
        with ui.element("form").classes("line").on("submit.prevent", self._typed) as self._form:
            self._field = ui.input(text("type_move")).props('dense outlined autocomplete="off" maxlength=20 data-type')
            self._field.classes("grow")
            ui.button(icon="send", on_click=self._typed).props(f'flat dense aria-label="{text("problem_give")}"')

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
        self._board.set_content(board_svg(self._made, after, self._text, last=move, before=self._state, ranked=ranked))

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
            offers=[replace(offer, chosen=True) if offer.move == self._chosen else offer for offer in self._offers],
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
            self._chosen = move  # a finger cannot hover to see the move first, so it confirms with a second touch
            self._draw()
        elif isinstance(move, str):
            await self._page.answer(move)
        elif isinstance(cell, str):
            await self._pick(cell)

    async def _cell_picked(self, event: events.GenericEventArguments) -> None:
        if self._page.waits:
            await self._pick(str(event.args))

    async def _pick(self, cell: str) -> None:
        """A cell by a click or by Enter: the move of the cells picked so far, or the first cell of one."""
        whole = {cell, self._picked} - {None}
        move = next((offer.move for offer in self._offers if self._cells(offer.move) == whole), None)
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
